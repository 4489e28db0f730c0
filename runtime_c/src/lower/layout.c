/* layout.c - which tensors may lie channels-last in memory, and where they must be row-major again.
 * In: uses and nesting of values. Out: is_free of values whose strides only kernels see; instructions that make a
 * register row-major before anything else gets it.
 * Holds: a free value is new memory that one register holds, so that replacing it by a copy is not seen; what is taken
 * over by a block's result or an operator in place is free only if that is its one use. */
#include "lower.h"

enum { ROUNDS_MAX = 8 };

/* `to` is the same tensor as `from`, free only if that is. In and out of a fused node it is so for a while only, and
 * nothing in between writes. */
typedef struct flow { uint32_t from, to; bool is_inplace, is_fused; } flow;

typedef struct layouts {
  lowering *l;
  const tsm_node **users;  /* by value: the node that used it last */
  flow *flows;
  uint32_t flow_count, flow_capacity;
} layouts;

static bool has_trait(const tsm_node *n, uint32_t traits) {
  return n->code == TSM_N_OPERATOR && (n->of.op->traits & traits);
}

static bool is_tensor(const lowering *l, uint32_t value) { return type_of(l, value)->kind == TSM_T_TENSOR; }

static bool has_images(const tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count; i++) {
    if (has_trait(&b->nodes[i], TSM_TRAIT(IMAGES))) return true;
    for (uint16_t k = 0; k < b->nodes[i].block_count; k++)
      if (has_images(&b->nodes[i].blocks[k])) return true;
  }
  return false;
}

static TSM_MUST_CHECK bool add_flow(layouts *v, uint32_t from, uint32_t to, bool is_inplace, bool is_fused) {
  if (!is_tensor(v->l, to) || !is_tensor(v->l, from)) return true;
  if (!tsm_lower_grow(v->l, &v->flows, &v->flow_capacity, v->flow_count, sizeof *v->flows)) return false;
  v->flows[v->flow_count++] = (flow){from, to, is_inplace, is_fused};
  info_of(v->l, to)->is_free = true;
  return true;
}

static uint32_t first_target_of(scope *s, const tsm_node *n) {
  switch (n->code) {
    case TSM_N_LOOP: case TSM_N_FUSED: return n->blocks[0].first_param;
    case TSM_N_CONTINUE: return tsm_lower_scope_target(s, n)->node->blocks[0].first_param;
    case TSM_N_YIELD: case TSM_N_BREAK: return tsm_lower_scope_target(s, n)->node->first_result;
    default: return NO_VALUE;
  }
}

static TSM_MUST_CHECK bool note_node(layouts *v, scope *s, const tsm_node *n) {
  uint32_t target = first_target_of(s, n);
  bool is_fused = n->code == TSM_N_FUSED || (s->node && s->node->code == TSM_N_FUSED);
  for (uint32_t i = 0; i < n->operand_count; i++) {
    v->users[n->operands[i]] = n;
    if (target != NO_VALUE && !add_flow(v, n->operands[i], target + i, false, is_fused)) return false;
  }
  if (n->result_count != 1) return true;
  bool may_choose = has_trait(n, TSM_TRAIT(IMAGES) | TSM_TRAIT(FOLLOWS) | TSM_TRAIT(POINTWISE));
  if (may_choose && has_trait(n, TSM_TRAIT(FRESH)) && is_tensor(v->l, n->first_result)) info_of(v->l, n->first_result)->is_free = true;
  return !has_trait(n, TSM_TRAIT(INPLACE)) || add_flow(v, n->operands[0], n->first_result, true, false);
}

static TSM_MUST_CHECK bool walk(layouts *v, scope *s, const tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count; i++) {
    const tsm_node *n = &b->nodes[i];
    scope inner;
    tsm_lower_scope_enter(&inner, s, n);
    if (!note_node(v, s, n)) return false;
    for (uint16_t k = 0; k < n->block_count; k++)
      if (!walk(v, &inner, &n->blocks[k])) return false;
  }
  return true;
}

static bool can_flow(const layouts *v, flow f) {
  const value_info *from = info_of(v->l, f.from), *to = info_of(v->l, f.to);
  if (!from->is_free) return false;
  return f.is_fused || (from->uses == 1 && (!f.is_inplace || from->loops == to->loops));
}

static void settle(layouts *v) {
  bool is_changed = true;
  for (int round = 0; is_changed; round++) {
    is_changed = false;
    for (uint32_t i = 0; i < v->flow_count; i++) {
      value_info *to = info_of(v->l, v->flows[i].to);
      if (!to->is_free || (round < ROUNDS_MAX && can_flow(v, v->flows[i]))) continue;
      to->is_free = false;
      is_changed = true;
    }
  }
}

/* A list that only an operator reads which keeps none of it: its elements may lie anyhow. */
static void free_lists(layouts *v, const tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count; i++) {
    const tsm_node *n = &b->nodes[i];
    if (n->code == TSM_N_LIST && info_of(v->l, n->first_result)->uses == 1)
      info_of(v->l, n->first_result)->is_free = has_trait(v->users[n->first_result], TSM_TRAIT(FRESH));
    for (uint16_t k = 0; k < n->block_count; k++) free_lists(v, &n->blocks[k]);
  }
}

bool tsm_lower_find_layouts(lowering *l) {
  if (!has_images(&l->f->body)) return true;
  layouts v = {.l = l, .users = tsm_arena_alloc(&l->scratch, l->f->value_count, sizeof *v.users)};
  scope body;
  if (!v.users) return tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
  tsm_lower_scope_enter(&body, NULL, NULL);
  const bool is_done = walk(&v, &body, &l->f->body);
  if (is_done) settle(&v);
  if (is_done) free_lists(&v, &l->f->body);
  tsm_free(l->rt, v.flows, v.flow_capacity * sizeof *v.flows);
  return is_done;
}

static bool takes_any_strides(const lowering *l, const tsm_node *n, uint32_t operand) {
  if (n->code == TSM_N_LIST) return info_of(l, n->first_result)->is_free;
  if (has_trait(n, TSM_TRAIT(INPLACE))) return operand > 0 || (n->result_count && info_of(l, n->first_result)->is_free);
  return has_trait(n, TSM_TRAIT(FRESH)) ||
         (has_trait(n, TSM_TRAIT(META)) && !has_trait(n, TSM_TRAIT(VIEW) | TSM_TRAIT(STRIDES)));
}

bool tsm_lower_needs_row_major(const lowering *l, scope *s, const tsm_node *n, uint32_t operand) {
  if (!info_of(l, n->operands[operand])->is_free || !is_tensor(l, n->operands[operand])) return false;
  uint32_t target = first_target_of(s, n);
  return target != NO_VALUE ? !info_of(l, target + operand)->is_free : !takes_any_strides(l, n, operand);
}

void tsm_emit_row_major(lowering *l, scope *s, const tsm_node *n) {
  for (uint32_t i = 0; i < n->operand_count; i++)
    if (tsm_lower_needs_row_major(l, s, n, i))
      tsm_emit(l, tsm_word(TSM_C_ROW_MAJOR, tsm_lower_slot_of(l, n->operands[i]), 0, 0));
}
