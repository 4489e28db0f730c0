/* nodes.c - instructions of the nodes that yield values.
 * In: a node, registers, which operands die. Out: code; sites of operators in the program's arena.
 * Holds: an operand is taken (its register emptied) only where it dies, and by its last occurrence. */
#include "lower.h"

static void emit_pointer(lowering *l, const void *p) { tsm_emit(l, (uint64_t)(uintptr_t)p); }

/* Registers of the operands, TSM_TAKE added to the last occurrence of each counted one that dies. */
static const uint16_t *take_operands(lowering *l, const tsm_node *n, uint32_t stamp) {
  while (l->operand_capacity <= n->operand_count) /* also without operands there is an array: NULL means failure */
    if (!tsm_lower_grow(l, &l->operands, &l->operand_capacity, l->operand_capacity, sizeof *l->operands))
      return NULL;
  for (uint32_t i = n->operand_count; i-- > 0;) {
    value_info *v = info_of(l, n->operands[i]);
    l->operands[i] = tsm_lower_slot_of(l, n->operands[i]);
    if (v->stamp != stamp || !is_counted(v)) continue;
    l->operands[i] |= TSM_TAKE;
    v->stamp = 0;
  }
  return l->operands;
}

/* 1 if the only operand is taken. */
static unsigned take_one(lowering *l, const tsm_node *n, uint32_t stamp) {
  value_info *v = info_of(l, n->operands[0]);
  if (v->stamp != stamp || !is_counted(v)) return 0;
  v->stamp = 0;
  return 1;
}

static void emit_const(lowering *l, const tsm_node *n) {
  const value_info *v = info_of(l, n->first_result);
  if (v->place != IN_REGISTER || v->is_dead) return;
  tsm_emit_constant(l, tsm_lower_slot_of(l, n->first_result), type_of(l, n->first_result), n->of.constant);
}

static void emit_call(lowering *l, const tsm_node *n, uint32_t stamp) {
  if (!take_operands(l, n, stamp)) return;
  uint32_t words = (n->operand_count + 3) / 4, count = 0;
  tsm_emit(l, tsm_word(TSM_C_CALL, tsm_lower_slot_of(l, n->first_result), 0, words));
  emit_pointer(l, n->of.function->plan);
  uint64_t word = 0;
  for (uint8_t area = 0; area < AREA_COUNT; area++) {
    for (uint32_t i = 0; i < n->operand_count; i++) {
      if (info_of(l, n->operands[i])->area != area) continue;
      word |= (uint64_t)l->operands[i] << count % 4 * 16;
      if (++count % 4) continue;
      tsm_emit(l, word);
      word = 0;
    }
  }
  if (count % 4) tsm_emit(l, word);
}

static void emit_build(lowering *l, const tsm_node *n, unsigned code, uint32_t stamp) {
  if (!take_operands(l, n, stamp)) return;
  if (n->operand_count > UINT16_MAX) {
    tsm_lower_fail(l, TSM_ERR_LIMIT, "a display has more than 65535 elements");
    return;
  }
  tsm_emit(l, tsm_word(code, tsm_lower_slot_of(l, n->first_result), n->operand_count, 0));
  emit_pointer(l, type_of(l, n->first_result));
  tsm_emit_packed(l, l->operands, n->operand_count);
}

static bool fits_field(lowering *l, uint32_t number) {
  return number <= UINT16_MAX || tsm_lower_fail(l, TSM_ERR_LIMIT, "a tuple or class has more than 65536 members");
}

static unsigned by_area(const lowering *l, uint32_t value, unsigned scalar, unsigned ref, unsigned pair) {
  uint8_t area = info_of(l, value)->area;
  return area == AREA_REF ? ref : area == AREA_PAIR ? pair : scalar;
}

static void emit_item(lowering *l, const tsm_node *n) {
  if (!fits_field(l, n->field)) return;
  unsigned code = by_area(l, n->first_result, TSM_C_ITEM, TSM_C_ITEM_R, TSM_C_ITEM_P);
  tsm_emit(l, tsm_word(code, tsm_lower_slot_of(l, n->first_result), tsm_lower_slot_of(l, n->operands[0]), n->field));
}

static void emit_attribute(lowering *l, const tsm_node *n) {
  bool is_get = n->code == TSM_N_GET_ATTR;
  uint32_t value = is_get ? n->first_result : n->operands[1];
  unsigned code = is_get ? by_area(l, value, TSM_C_GET, TSM_C_GET_R, TSM_C_GET_P)
                         : by_area(l, value, TSM_C_PUT, TSM_C_PUT_R, TSM_C_PUT_P);
  uint16_t object = tsm_lower_slot_of(l, n->operands[0]), other = tsm_lower_slot_of(l, value);
  uint16_t slot = type_of(l, n->operands[0])->record[n->field];
  tsm_emit(l, tsm_word(code, is_get ? other : object, is_get ? object : other, slot));
  tsm_emit(l, n->field);
}

static void emit_two(lowering *l, unsigned code, uint32_t a, uint32_t b) {
  tsm_emit(l, tsm_word(code, tsm_lower_slot_of(l, a), tsm_lower_slot_of(l, b), 0));
}

/* A cell that is a register: what goes in and out is copied. */
static void emit_copy(lowering *l, uint32_t to, uint32_t from) {
  tsm_emit(l, tsm_word(by_area(l, to, TSM_C_MOV, TSM_C_COPY_R, TSM_C_COPY_P), tsm_lower_slot_of(l, to),
                       tsm_lower_slot_of(l, from), 0));
}

static void emit_cell(lowering *l, const tsm_node *n) {
  if (info_of(l, n->first_result)->content) {
    emit_copy(l, n->first_result, n->operands[0]);
    return;
  }
  uint16_t cell = tsm_lower_slot_of(l, n->first_result);
  const tsm_type *type = type_of(l, n->first_result);
  tsm_emit(l, tsm_word(TSM_C_CELL, cell, 0, type->members[0]->layout));
  emit_pointer(l, type);
  if (n->operand_count) tsm_emit(l, tsm_word(TSM_C_CELL_PUT, cell, tsm_lower_slot_of(l, n->operands[0]), 0));
}

static void emit_widen(lowering *l, const tsm_node *n, uint32_t stamp) {
  const tsm_type *from = type_of(l, n->operands[0]), *to = type_of(l, n->first_result);
  uint16_t dst = tsm_lower_slot_of(l, n->first_result);
  if (from->kind == TSM_T_NONE) {
    tsm_emit(l, tsm_word(to->layout == TSM_L_PAIR ? TSM_C_DROP_P : TSM_C_DROP, dst, 0, 0));
    return;
  }
  uint16_t src = tsm_lower_slot_of(l, n->operands[0]);
  unsigned take = take_one(l, n, stamp);
  if (to->layout == TSM_L_REF) {
    tsm_emit(l, tsm_word(take ? TSM_C_MOVE_R : TSM_C_COPY_R, dst, src, 0));
  } else if (from->layout == TSM_L_PAIR) {
    tsm_emit(l, tsm_word(take ? TSM_C_MOVE_P : TSM_C_COPY_P, dst, src, 0));
  } else if (from->layout == TSM_L_REF) {
    tsm_emit(l, tsm_word(TSM_C_BOX_R, dst, src, take));
  } else {
    tsm_emit(l, tsm_word(TSM_C_BOX, dst, src, 0));
    tsm_emit(l, tsm_type_tag(from));
  }
  if (!take || to->kind != TSM_T_ANY || !tsm_type_can_loosen(from)) return;
  tsm_emit(l, tsm_word(TSM_C_LOOSEN, dst, 0, 0));
  emit_pointer(l, from);
}

/* Types whose values the tag alone tells from all others. */
static bool is_known_by_tag(const tsm_type *type) {
  if (type->layout < TSM_L_REF) return true;
  switch (type->kind) {
    case TSM_T_COMPLEX: case TSM_T_STR: case TSM_T_BYTES: case TSM_T_EXCEPTION: return true;
    case TSM_T_TENSOR: return type->dtype == 255 && type->rank < 0;
    default: return false;
  }
}

static void emit_narrow(lowering *l, const tsm_node *n, uint32_t stamp) {
  const tsm_type *from = type_of(l, n->operands[0]), *to = type_of(l, n->first_result);
  uint16_t dst = tsm_lower_slot_of(l, n->first_result), src = tsm_lower_slot_of(l, n->operands[0]);
  bool is_pair = from->layout == TSM_L_PAIR;
  if (from->kind == TSM_T_OPTIONAL && !is_pair && from->members[0] == to) {
    tsm_emit(l, tsm_word(TSM_C_SOME, dst, src, take_one(l, n, stamp)));
  } else if (is_pair && is_known_by_tag(to)) {
    bool is_ref = to->layout == TSM_L_REF;
    tsm_emit(l, tsm_word(is_ref ? TSM_C_UNBOX_R : TSM_C_UNBOX, dst, src, is_ref ? take_one(l, n, stamp) : 0));
    tsm_emit(l, tsm_type_tag(to));
  } else {
    tsm_emit(l, tsm_word(TSM_C_NARROW, dst, src, 0));
    emit_pointer(l, from);
  }
  emit_pointer(l, to);
}

static void emit_is_type(lowering *l, const tsm_node *n) {
  const tsm_type *from = type_of(l, n->operands[0]), *arm = n->of.type;
  uint16_t dst = tsm_lower_slot_of(l, n->first_result), src = tsm_lower_slot_of(l, n->operands[0]);
  bool is_pair = from->layout == TSM_L_PAIR;
  if (!is_pair && arm->kind == TSM_T_NONE) {
    tsm_emit(l, tsm_word(TSM_C_IS_NONE, dst, src, 0));
  } else if (!is_pair && from->kind == TSM_T_OPTIONAL && from->members[0] == arm) {
    tsm_emit(l, tsm_word(TSM_C_IS_SOME, dst, src, 0));
  } else if (is_pair && is_known_by_tag(arm)) {
    tsm_emit(l, tsm_word(TSM_C_IS_TAG, dst, src, 0));
    tsm_emit(l, tsm_type_tag(arm));
  } else {
    tsm_emit(l, tsm_word(TSM_C_IS_TYPE, dst, src, 0));
    emit_pointer(l, from);
    emit_pointer(l, arm);
  }
}

/* Rounding down makes x // 2^k a shift and x % 2^k a mask, for negative x too. */
static unsigned by_power_of_two(unsigned form, int64_t *value) {
  bool is_division = form == TSM_C_DIV_I || form == TSM_C_MOD_I;
  if (!is_division || (*value & (*value - 1))) return form;
  *value = form == TSM_C_DIV_I ? __builtin_ctzll((uint64_t)*value) : *value - 1;
  return form == TSM_C_DIV_I ? TSM_C_SHR_I : TSM_C_AND_I;
}

static void emit_typed(lowering *l, const tsm_node *n, unsigned code, uint32_t stamp) {
  int immediate = tsm_lower_immediate_operand(l, n);
  if (immediate >= 0) {
    int64_t value = info_of(l, n->operands[immediate])->constant->as.i;
    unsigned form = by_power_of_two(l->forms[n->of.op->number].immediate, &value);
    tsm_emit(l, tsm_word(form, tsm_lower_slot_of(l, n->first_result),
                         tsm_lower_slot_of(l, n->operands[1 - immediate]), (uint16_t)value));
    if (form == TSM_C_AND_I) {
      l->masked = n->first_result;
      l->masked_end = l->code_length;
    }
    return;
  }
  if (tsm_opcode_rows[code].pattern == TSM_P_RRR) {
    if (!take_operands(l, n, stamp)) return;
    tsm_emit(l, tsm_word(code, tsm_lower_slot_of(l, n->first_result), l->operands[0], l->operands[1]));
    return;
  }
  uint16_t fields[4] = {0, 0, 0, 0};
  uint32_t at = 0;
  if (n->result_count) fields[at++] = tsm_lower_slot_of(l, n->first_result);
  for (uint32_t i = 0; i < n->operand_count; i++) fields[at++] = tsm_lower_slot_of(l, n->operands[i]);
  value_info *last = info_of(l, n->operands[n->operand_count - 1]);
  bool is_store = tsm_opcode_rows[code].pattern == TSM_P_LR && !n->result_count;
  if (is_store && last->stamp == stamp) {
    fields[at - 1] |= TSM_TAKE;
    last->stamp = 0;
  }
  tsm_emit(l, tsm_word(code, fields[0], fields[1], fields[2]));
  if (tsm_opcode_rows[code].pattern == TSM_P_DO) tsm_emit(l, fields[3]);
}

/* str(x) of a number; the node before, which only tags it, emits nothing. */
static void emit_str_of(lowering *l, const tsm_node *n) {
  uint32_t number = n[-1].operands[0];
  tsm_emit(l, tsm_word(TSM_C_STR_OF, tsm_lower_slot_of(l, n->first_result), tsm_lower_slot_of(l, number),
                       (unsigned)tsm_type_tag(type_of(l, number))));
}

/* The texts of a display into the result of the join after it. */
static void emit_join(lowering *l, const tsm_node *n, uint32_t stamp) {
  if (!take_operands(l, n, stamp)) return;
  if (n->operand_count > UINT16_MAX) {
    tsm_lower_fail(l, TSM_ERR_LIMIT, "a display has more than 65535 elements");
    return;
  }
  tsm_emit(l, tsm_word(TSM_C_STR_JOIN, tsm_lower_slot_of(l, n[1].first_result), n->operand_count, 0));
  tsm_emit(l, 0);
  tsm_emit_packed(l, l->operands, n->operand_count);
}

uint16_t tsm_lower_default_slot(lowering *l, const tsm_op *op, size_t param) {
  const tsm_slot *slot = tsm_lower_default_of(l, op, param);
  if (!slot) return 0;
  uint8_t layout = op->schema.params[param].type->layout;
  bool is_pair = layout == TSM_L_PAIR;
  uint8_t area = layout == TSM_L_REF ? AREA_REF : is_pair ? AREA_PAIR : AREA_SCALAR;
  uint16_t entry = 0;
  if (!tsm_lower_pool_add(l, area, is_pair ? slot[0].bits : 0, is_pair ? slot[1].bits : slot[0].bits, &entry)) return 0;
  return tsm_lower_pool_slot(l, &l->pool[entry]);
}

static uint32_t occurrences(const tsm_node *n, uint32_t value) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n->operand_count; i++) count += n->operands[i] == value;
  return count;
}

static void emit_operator(lowering *l, const tsm_node *n, uint32_t stamp) {
  unsigned code = tsm_lower_typed_opcode(l, n);
  if (n->operand_count && info_of(l, n->operands[n->operand_count - 1])->is_fused) { /* see try_fuse_text */
    if (n->of.op == l->str_any) emit_str_of(l, n);
    return;
  }
  if (code != TSM_C_OP) {
    tsm_lower_weigh(l, code, n->of.op);
    emit_typed(l, n, code, stamp);
    return;
  }
  const tsm_op *op = n->of.op;
  size_t args = op->schema.param_count, registers = args + n->result_count;
  tsm_site *site = tsm_arena_alloc(&l->program->arena, 1, sizeof *site + registers * sizeof *site->regs);
  if (!site) {
    tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
    return;
  }
  site->op = op;
  site->result_types = l->f->value_types + n->first_result;
  site->arg_count = (uint16_t)args;
  site->result_count = (uint16_t)n->result_count;
  site->free_layout = n->result_count && info_of(l, n->first_result)->is_free;
  for (uint32_t i = 0; i < n->operand_count; i++) {
    value_info *v = info_of(l, n->operands[i]);
    site->regs[i] = tsm_lower_slot_of(l, n->operands[i]);
    if (v->stamp != stamp || v->area != AREA_REF || i >= 64 || occurrences(n, n->operands[i]) != 1) continue;
    site->dies |= (uint64_t)1 << i;
    v->stamp = 0;
  }
  for (size_t i = n->operand_count; i < args; i++) site->regs[i] = tsm_lower_default_slot(l, op, i);
  for (uint32_t i = 0; i < n->result_count; i++) site->regs[args + i] = tsm_lower_slot_of(l, n->first_result + i);
  tsm_lower_weigh(l, TSM_C_OP, op);
  tsm_emit(l, tsm_word(TSM_C_OP, site->dies != 0, 0, 0));
  emit_pointer(l, site);
}

void tsm_emit_value(lowering *l, const tsm_node *n, uint32_t stamp) {
  tsm_emit_row_major(l, NULL, n);
  if (n->result_count && info_of(l, n->first_result)->is_fused) { /* part of the node that follows */
    if (n->code == TSM_N_LIST) emit_join(l, n, stamp);
    return;
  }
  switch (n->code) {
    case TSM_N_CONST: emit_const(l, n); break;
    case TSM_N_CALL: emit_call(l, n, stamp); break;
    case TSM_N_TUPLE: emit_build(l, n, TSM_C_TUPLE, stamp); break;
    case TSM_N_LIST: emit_build(l, n, TSM_C_LIST, stamp); break;
    case TSM_N_DICT: emit_build(l, n, TSM_C_DICT, stamp); break;
    case TSM_N_SET: emit_build(l, n, TSM_C_SET, stamp); break;
    case TSM_N_TUPLE_GET: emit_item(l, n); break;
    case TSM_N_NEW:
      tsm_emit(l, tsm_word(TSM_C_NEW, tsm_lower_slot_of(l, n->first_result), 0, 0));
      emit_pointer(l, type_of(l, n->first_result));
      break;
    case TSM_N_GET_ATTR: case TSM_N_SET_ATTR: emit_attribute(l, n); break;
    case TSM_N_CELL: emit_cell(l, n); break;
    case TSM_N_CELL_GET:
      if (info_of(l, n->operands[0])->content) emit_copy(l, n->first_result, n->operands[0]);
      else emit_two(l, TSM_C_CELL_GET, n->first_result, n->operands[0]);
      break;
    case TSM_N_CELL_SET:
      if (info_of(l, n->operands[0])->content) emit_copy(l, n->operands[0], n->operands[1]);
      else emit_two(l, TSM_C_CELL_PUT, n->operands[0], n->operands[1]);
      break;
    case TSM_N_WIDEN: emit_widen(l, n, stamp); break;
    case TSM_N_NARROW: emit_narrow(l, n, stamp); break;
    case TSM_N_IS_TYPE: emit_is_type(l, n); break;
    case TSM_N_OPERATOR: emit_operator(l, n, stamp); break;
    default: tsm_lower_fail(l, TSM_ERR_INTERNAL, "unknown node"); break;
  }
}
