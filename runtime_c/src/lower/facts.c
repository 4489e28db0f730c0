/* facts.c - what lowering must know before it decides anything.
 * In: a verified function. Out: nesting and uses of values, which value is moved to which, where constants live.
 * Holds: a scalar constant used inside a loop in a place that needs a register is loaded once, at entry ("pool");
 * one that only feeds immediates and moves has no register at all. */
#include "lower.h"

static bool is_scalar_constant(const lowering *l, const tsm_node *n) {
  return n->code == TSM_N_CONST && info_of(l, n->first_result)->area == AREA_SCALAR;
}

bool tsm_lower_fits_immediate(const tsm_pair *constant) {
  return constant->tag != TSM_FLOAT && constant->as.i >= INT16_MIN && constant->as.i <= INT16_MAX;
}

unsigned tsm_lower_typed_opcode(const lowering *l, const tsm_node *n) {
  const opcode_forms *forms = &l->forms[n->of.op->number];
  if (n->operand_count != n->of.op->schema.param_count) return TSM_C_OP;
  if (forms->plain) return forms->plain;
  const tsm_type *type = n->operand_count ? type_of(l, n->operands[0]) : NULL;
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
  l->pool[l->pool_count] = (pool_entry){area, 0, tag, bits};
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

static void define(lowering *l, uint32_t first, uint32_t count, const scope *s) {
  for (uint32_t v = first; v < first + count; v++) {
    value_info *info = info_of(l, v);
    uint8_t layout = type_of(l, v)->layout;
    info->area = layout == TSM_L_REF ? AREA_REF : layout == TSM_L_PAIR ? AREA_PAIR : AREA_SCALAR;
    info->feeds = info->fed_by = NO_VALUE;
    info->reg = NO_REGISTER;
    info->depth = s->depth;
    info->coarse = s->coarse;
    info->loops = s->loops;
  }
}

static bool needs_register(const lowering *l, const tsm_node *n, uint32_t operand) {
  switch (n->code) {
    case TSM_N_OPERATOR: return tsm_lower_immediate_operand(l, n) != (int)operand;
    case TSM_N_LOOP: case TSM_N_YIELD: case TSM_N_BREAK: case TSM_N_CONTINUE: return false;
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
  for (uint32_t i = 0; i < n->operand_count; i++) {
    value_info *v = info_of(l, n->operands[i]);
    v->uses++;
    if (v->constant && needs_register(l, n, i)) v->needs_register = true;
  }
  if (n->code == TSM_N_BREAK || n->code == TSM_N_YIELD) feed(l, n, tsm_lower_scope_target(s, n)->node->first_result);
  if (n->code == TSM_N_CONTINUE || n->code == TSM_N_LOOP) {
    const tsm_node *loop = n->code == TSM_N_LOOP ? n : tsm_lower_scope_target(s, n)->node;
    feed(l, n, loop->blocks[0].first_param);
  }
}

/* An `if` right after the comparison it alone uses: one instruction. */
static void try_fuse(lowering *l, const tsm_node *before, const tsm_node *n) {
  if (n->code != TSM_N_IF || !before || before->code != TSM_N_OPERATOR || before->result_count != 1) return;
  if (before->first_result != n->operands[0] || !l->forms[before->of.op->number].branch) return;
  info_of(l, n->operands[0])->is_fused = true; /* place_constants takes it back when there are other uses */
}

static void define_results(lowering *l, const tsm_node *n, const scope *s) {
  define(l, n->first_result, n->result_count, s);
  if (is_scalar_constant(l, n)) info_of(l, n->first_result)->constant = n->of.constant;
}

static bool walk_block(lowering *l, scope *s, const tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count; i++) {
    const tsm_node *n = &b->nodes[i];
    scope inner;
    tsm_lower_scope_enter(&inner, s, n);
    for (uint16_t k = 0; k < n->block_count; k++)
      define(l, n->blocks[k].first_param, n->blocks[k].param_count, &inner);
    define_results(l, n, s);
    note_uses(l, n, s);
    try_fuse(l, i ? n - 1 : NULL, n);
    if (n->code == TSM_N_OPERATOR && tsm_lower_typed_opcode(l, n) == TSM_C_OP && !pool_defaults(l, n)) return false;
    for (uint16_t k = 0; k < n->block_count; k++)
      if (!walk_block(l, &inner, &n->blocks[k])) return false;
  }
  return true;
}

static void place_constants(lowering *l) {
  for (uint32_t v = 0; v < l->f->value_count; v++) {
    value_info *info = info_of(l, v);
    if (info->is_fused && info->uses != 1) info->is_fused = false;
    if (!info->constant) continue;
    uint16_t entry;
    if (!info->needs_register) {
      info->place = IMMEDIATE;
    } else if (info->loops && tsm_lower_pool_add(l, AREA_SCALAR, 0, info->constant->as.bits, &entry)) {
      info->place = IN_POOL;
      info->reg = entry;
    }
  }
}

bool tsm_lower_find_facts(lowering *l) {
  scope body;
  tsm_lower_scope_enter(&body, NULL, NULL);
  define(l, 0, l->f->param_count, &body);
  if (!walk_block(l, &body, &l->f->body)) return false;
  place_constants(l);
  return true;
}
