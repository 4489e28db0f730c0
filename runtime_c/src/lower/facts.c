/* facts.c - what lowering must know before it decides anything.
 * In: a verified function. Out: nesting and uses of values, which value is moved to which, where constants live.
 * Holds: a constant used inside a loop in a place that needs a register is loaded once, at entry ("pool");
 * one that only feeds immediates and moves has no register at all. */
#include "lower.h"

/* Constants that need no register of their own: scalars, and objects that no instance has to make first. */
static bool is_plain_constant(const lowering *l, const tsm_node *n) {
  if (n->code != TSM_N_CONST) return false;
  uint8_t area = info_of(l, n->first_result)->area;
  return area == AREA_SCALAR || (area == AREA_REF && tsm_tag_is_ref(n->of.constant->tag) &&
                                 n->of.constant->tag != TSM_TENSOR && n->of.constant->as.ref);
}

bool tsm_lower_fits_immediate(const tsm_pair *constant) {
  if (constant->tag == TSM_FLOAT || tsm_tag_is_ref(constant->tag)) return false;
  return constant->as.i >= INT16_MIN && constant->as.i <= INT16_MAX;
}

unsigned tsm_lower_typed_opcode(const lowering *l, const tsm_node *n) {
  const opcode_forms *forms = &l->forms[n->of.op->number];
  if (n->operand_count != n->of.op->schema.param_count) return TSM_C_OP;
  if (forms->plain) return forms->plain;
  const tsm_type *type = n->operand_count ? type_of(l, n->operands[0]) : NULL;
  if (forms->for_dict && type->kind == TSM_T_DICT) {
    uint8_t key = type->members[0]->kind;
    bool has_pair = type->members[1]->layout == TSM_L_PAIR && n->operand_count > 2; /* as an operand */
    return (key == TSM_T_INT || key == TSM_T_STR) && !has_pair ? forms->for_dict : TSM_C_OP;
  }
  if (!type || type->kind != TSM_T_LIST) return TSM_C_OP;
  unsigned code = forms->by_layout[type->members[0]->layout];
  return code ? code : TSM_C_OP;
}

int tsm_lower_immediate_operand(const lowering *l, const tsm_node *n) {
  unsigned form = l->forms[n->of.op->number].immediate;
  if (!form || n->operand_count != 2) return -1;
  const tsm_pair *right = info_of(l, n->operands[1])->constant;
  const tsm_pair *left = info_of(l, n->operands[0])->constant;
  if (right && tsm_lower_fits_immediate(right)) {
    bool is_division = form == TSM_C_DIV_I || form == TSM_C_MOD_I;
    bool is_shift = form == TSM_C_SHL_I || form == TSM_C_SHR_I;
    if (is_division ? right->as.i > 0 : !is_shift || (right->as.i >= 0 && right->as.i < 63)) return 1;
  }
  bool commutes = n->of.op->traits & TSM_TRAIT(COMMUTES);
  return commutes && left && tsm_lower_fits_immediate(left) ? 0 : -1;
}

static uint32_t pool_hash(uint8_t area, uint64_t tag, uint64_t bits) {
  uint64_t h = (bits ^ tag << 3 ^ area) * 0x9E3779B97F4A7C15u;
  return (uint32_t)(h >> 40) % POOL_TABLE;
}

bool tsm_lower_pool_add(lowering *l, uint8_t area, uint64_t tag, uint64_t bits, uint16_t *out_entry) {
  uint32_t at = pool_hash(area, tag, bits);
  for (; l->pool_table[at]; at = (at + 1) % POOL_TABLE) {
    const pool_entry *e = &l->pool[l->pool_table[at] - 1];
    if (e->area == area && e->tag == tag && e->bits == bits) {
      *out_entry = (uint16_t)(l->pool_table[at] - 1);
      return true;
    }
  }
  if (l->pool_count == POOL_MAX) return false;
  l->pool[l->pool_count] = (pool_entry){area, 0, tag, bits, NULL};
  *out_entry = (uint16_t)l->pool_count++;
  l->pool_table[at] = (uint16_t)l->pool_count;
  return true;
}

/* A default as an immortal object in the program's arena: sites of all functions share it. */
static tsm_object *immortal_default(lowering *l, tsm_object *o) {
  tsm_arena *arena = &l->program->arena;
  tsm_object *copy = NULL;
  if (o->kind == TSM_LIST && o->layout == TSM_L_I64) {
    const tsm_list *from = (const tsm_list *)o;
    tsm_list *list = tsm_arena_alloc(arena, 1, sizeof *list);
    int64_t *items = tsm_arena_alloc(arena, (size_t)from->length, sizeof *items);
    if (!list || !items) return NULL;
    if (from->length) memcpy(items, from->as.i64, (size_t)from->length * sizeof *items);
    list->length = list->capacity = from->length;
    list->as.i64 = items;
    copy = &list->head;
  } else if (o->kind == TSM_STR) {
    const tsm_str *from = (const tsm_str *)o;
    tsm_str *s = tsm_arena_alloc(arena, 1, sizeof *s + from->length + 1);
    if (!s) return NULL;
    s->length = from->length;
    s->chars = from->chars;
    memcpy(s->bytes, from->bytes, (size_t)from->length + 1);
    copy = &s->head;
  } else {
    return NULL;
  }
  atomic_init(&copy->refs, TSM_IMMORTAL);
  copy->kind = o->kind;
  copy->layout = o->layout;
  copy->heap = l->program->heap;
  return copy;
}

static bool make_default(lowering *l, const tsm_param *param, tsm_slot *out) {
  tsm_status status = tsm_param_default(l->rt->shared, param, out);
  if (status == TSM_ERR_ARGUMENT) return tsm_lower_fail(l, TSM_ERR_VERIFY, "an operator lacks an argument");
  if (status != TSM_OK) return tsm_lower_fail(l, status, tsm_status_text(status));
  tsm_layout layout = (tsm_layout)param->type->layout;
  bool is_object = layout == TSM_L_REF ? out[0].ref != NULL : layout == TSM_L_PAIR && tsm_tag_is_ref(out[0].bits);
  if (!is_object) return true;
  tsm_slot *at = layout == TSM_L_PAIR ? &out[1] : &out[0];
  tsm_object *made = at->ref;
  at->ref = immortal_default(l, made);
  tsm_unref(made);
  return at->ref || tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
}

const tsm_slot *tsm_lower_default_of(lowering *l, const tsm_op *op, size_t param) {
  tsm_slot **slots = &l->defaults[op->number];
  if (!*slots) {
    *slots = tsm_arena_alloc(&l->program->arena, op->schema.param_count, 2 * sizeof **slots);
    for (size_t i = 0; *slots && i < op->schema.param_count; i++)
      if (op->schema.params[i].default_text && !make_default(l, &op->schema.params[i], *slots + 2 * i)) {
        *slots = NULL;
        return NULL;
      }
    if (!*slots) {
      tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
      return NULL;
    }
  }
  return *slots + 2 * param;
}

static bool pool_defaults(lowering *l, const tsm_node *n) {
  const tsm_schema *schema = &n->of.op->schema;
  for (size_t i = n->operand_count; i < schema->param_count; i++) {
    const tsm_slot *slot = tsm_lower_default_of(l, n->of.op, i);
    if (!slot) return false;
    uint8_t layout = schema->params[i].type->layout;
    bool is_pair = layout == TSM_L_PAIR;
    uint8_t area = layout == TSM_L_REF ? AREA_REF : is_pair ? AREA_PAIR : AREA_SCALAR;
    uint16_t entry;
    if (!tsm_lower_pool_add(l, area, is_pair ? slot[0].bits : 0, is_pair ? slot[1].bits : slot[0].bits, &entry))
      return tsm_lower_fail(l, TSM_ERR_LIMIT, "a function uses too many different constants");
  }
  return true;
}

static uint8_t area_of(uint8_t layout) {
  return layout == TSM_L_REF ? AREA_REF : layout == TSM_L_PAIR ? AREA_PAIR : AREA_SCALAR;
}

static void define(lowering *l, uint32_t first, uint32_t count, const scope *s) {
  for (uint32_t v = first; v < first + count; v++) {
    value_info *info = info_of(l, v);
    uint8_t layout = type_of(l, v)->layout;
    info->area = area_of(layout);
    info->feeds = info->fed_by = info->counter_of = info->fused_for = NO_VALUE;
    info->reg = NO_REGISTER;
    info->depth = s->depth;
    info->coarse = s->coarse;
    info->loops = s->loops;
  }
}

static bool needs_register(const lowering *l, const tsm_node *n, uint32_t operand) {
  switch (n->code) {
    case TSM_N_OPERATOR: return tsm_lower_immediate_operand(l, n) != (int)operand;
    case TSM_N_LOOP: case TSM_N_YIELD: case TSM_N_BREAK: case TSM_N_CONTINUE:
      return is_counted(info_of(l, n->operands[operand]));
    case TSM_N_RETURN: return !tsm_lower_fits_immediate(info_of(l, n->operands[0])->constant);
    case TSM_N_WIDEN: return type_of(l, n->operands[0])->kind != TSM_T_NONE;
    default: return true;
  }
}

static void feed(lowering *l, const tsm_node *n, uint32_t first_target) {
  for (uint32_t i = 0; i < n->operand_count; i++) {
    info_of(l, n->operands[i])->feeds = first_target + i;
    if (n->code != TSM_N_CONTINUE) info_of(l, first_target + i)->fed_by = n->operands[i];
  }
}

static void note_uses(lowering *l, const tsm_node *n, scope *s) {
  const tsm_node *loop = n->code == TSM_N_CONTINUE ? tsm_lower_scope_target(s, n)->node : NULL;
  for (uint32_t i = 0; i < n->operand_count; i++) {
    value_info *v = info_of(l, n->operands[i]);
    v->uses++;
    if (n->code != TSM_N_CELL_GET && (n->code != TSM_N_CELL_SET || i)) v->content = NULL;
    if (loop && tsm_lower_is_count(l, n, loop, i)) v->counter_uses++;
    if (v->constant && needs_register(l, n, i)) v->needs_register = true;
  }
  if (n->code == TSM_N_BREAK || n->code == TSM_N_YIELD) feed(l, n, tsm_lower_scope_target(s, n)->node->first_result);
  if (n->code == TSM_N_CONTINUE || n->code == TSM_N_LOOP || n->code == TSM_N_FUSED) {
    const tsm_node *entered = n->code == TSM_N_CONTINUE ? tsm_lower_scope_target(s, n)->node : n;
    feed(l, n, entered->blocks[0].first_param);
  }
}

/* A condition right before the `if` that alone uses it is part of the branch. It may be an `if` itself, as of `and` and
 * `or`; then what its arms yield is part of the branch too. */
static void try_fuse(lowering *l, scope *s, const tsm_node *before, const tsm_node *n) {
  bool is_yielded = n->code == TSM_N_YIELD && s->fused_result != NO_VALUE;
  if (!before || before->result_count != 1 || (n->code != TSM_N_IF && !is_yielded)) return;
  value_info *v = info_of(l, before->first_result);
  if (before->first_result != n->operands[0] || (before->code == TSM_N_IF ? !v->is_fused
                                                                          : !tsm_lower_is_condition(l, before))) return;
  v->is_fused = true; /* place_values takes it back when there are other uses */
  v->fused_for = is_yielded ? s->fused_result : NO_VALUE;
}

/* Whether an `if` may become part of node `next`: a branch, or a yield to another such `if`. */
static bool is_fusible_if(const lowering *l, const scope *s, const tsm_node *before, const tsm_node *n,
                          const tsm_node *next) {
  if (n->code != TSM_N_IF || n->result_count != 1 || s->fine >= MAX_FINE || next->operand_count != 1) return false;
  if (next->operands[0] != n->first_result || type_of(l, n->first_result)->layout != TSM_L_U8) return false;
  if (next->code != TSM_N_IF && (next->code != TSM_N_YIELD || s->fused_result == NO_VALUE)) return false;
  bool is_chained = before && before->code == TSM_N_IF && before->result_count == 1 &&
                    before->first_result == n->operands[0];
  uint8_t chain = is_chained ? info_of(l, before->first_result)->chain : 0;
  info_of(l, n->first_result)->chain = (uint8_t)(chain + 1);
  return chain < MAX_CHAIN;
}

/* Notes that a value is the counter of the loop around it plus one. */
static void try_count(lowering *l, const scope *s, const tsm_node *n) {
  if (!s->node || s->node->code != TSM_N_LOOP || n->code != TSM_N_OPERATOR || n->operand_count != 2) return;
  const tsm_block *body = &s->node->blocks[0];
  uint32_t i = n->operands[0];
  if (i - body->first_param >= body->param_count || l->forms[n->of.op->number].immediate != TSM_C_ADD_I) return;
  const tsm_pair *one = info_of(l, n->operands[1])->constant;
  unsigned stay;
  const tsm_node *test = one && one->as.i == 1 ? tsm_lower_loop_test(l, s->node, &stay) : NULL;
  if (!test || n <= test || stay != 0 || test[-1].code != TSM_N_OPERATOR) return;
  if (l->forms[test[-1].of.op->number].plain == TSM_C_LT && test[-1].operands[0] == i)
    info_of(l, n->first_result)->counter_of = i;
}

bool tsm_lower_is_str_of(const lowering *l, const tsm_node *n) {
  if (n->code != TSM_N_OPERATOR || n->of.op != l->str_any || n[-1].code != TSM_N_WIDEN) return false;
  uint8_t kind = type_of(l, n[-1].operands[0])->kind;
  return n[-1].first_result == n->operands[0] && (kind == TSM_T_INT || kind == TSM_T_FLOAT || kind == TSM_T_BOOL);
}

bool tsm_lower_is_join(const lowering *l, const tsm_node *n) {
  if (n->code != TSM_N_LIST || n[1].code != TSM_N_OPERATOR || n[1].of.op != l->str_join) return false;
  if (n[1].operands[1] != n->first_result || !n->operand_count) return false;
  const tsm_pair *between = info_of(l, n[1].operands[0])->constant;
  return between && between->tag == TSM_STR && !((const tsm_str *)between->as.ref)->length;
}

/* Texts made of a number, or of several texts, skip the object in between. */
static void try_fuse_text(lowering *l, const tsm_node *before, const tsm_node *n) {
  if (before && (tsm_lower_is_str_of(l, n) || tsm_lower_is_join(l, before)))
    info_of(l, before->first_result)->is_fused = true;
}

static void define_results(lowering *l, const tsm_node *n, const scope *s) {
  define(l, n->first_result, n->result_count, s);
  if (is_plain_constant(l, n)) info_of(l, n->first_result)->constant = n->of.constant;
  if (n->code == TSM_N_CELL && n->operand_count) info_of(l, n->first_result)->content = type_of(l, n->first_result)->members[0];
}

static bool walk_block(lowering *l, scope *s, const tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count; i++) {
    const tsm_node *n = &b->nodes[i];
    const tsm_node *before = i ? n - 1 : NULL;
    scope inner;
    tsm_lower_scope_enter(&inner, s, n);
    inner.fused_result = NO_VALUE;
    for (uint16_t k = 0; k < n->block_count; k++)
      define(l, n->blocks[k].first_param, n->blocks[k].param_count, &inner);
    define_results(l, n, s);
    note_uses(l, n, s);
    try_fuse(l, s, before, n);
    try_fuse_text(l, before, n);
    try_count(l, s, n);
    if (i + 1 < b->node_count && is_fusible_if(l, s, before, n, n + 1)) {
      info_of(l, n->first_result)->is_fused = true;
      inner.fused_result = n->first_result;
    }
    if (n->code == TSM_N_OPERATOR && tsm_lower_typed_opcode(l, n) == TSM_C_OP && !pool_defaults(l, n)) return false;
    for (uint16_t k = 0; k < n->block_count; k++)
      if (!walk_block(l, &inner, &n->blocks[k])) return false;
  }
  return true;
}

/* A fused condition with other uses is an ordinary value, and then so are those fused for it. */
static void settle_fused(lowering *l) {
  for (uint32_t v = 0; v < l->f->value_count; v++) {
    value_info *info = info_of(l, v);
    if (info->is_fused && info->uses != 1) info->is_fused = false;
  }
  uint32_t count = l->f->value_count;
  for (uint32_t i = 0; i < 2 * count; i++) { /* both ways: whatever order an `if` and its arms are numbered in */
    value_info *info = info_of(l, i < count ? i : 2 * count - 1 - i);
    if (info->fused_for != NO_VALUE && !info_of(l, info->fused_for)->is_fused) info->is_fused = false;
  }
}

static void place_values(lowering *l) {
  settle_fused(l);
  for (uint32_t v = 0; v < l->f->value_count; v++) {
    value_info *info = info_of(l, v);
    if (info->content) info->area = area_of(info->content->layout);
    if (info->counter_of != NO_VALUE && info->uses == info->counter_uses) info->is_fused = true;
    if (!info->constant) continue;
    uint16_t entry;
    if (!info->needs_register) {
      info->place = IMMEDIATE;
    } else if (info->loops && tsm_lower_pool_add(l, info->area, 0, info->constant->as.bits, &entry)) {
      info->place = IN_POOL;
      info->reg = entry;
      l->pool[entry].constant = info->constant;
    }
  }
}

bool tsm_lower_find_facts(lowering *l) {
  scope body;
  tsm_lower_scope_enter(&body, NULL, NULL);
  body.fused_result = NO_VALUE;
  define(l, 0, l->f->param_count, &body);
  if (!walk_block(l, &body, &l->f->body)) return false;
  place_values(l);
  return true;
}
