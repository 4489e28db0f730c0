/* liveness.c - where each value dies, found by one walk against the order of the text.
 * In: facts. Out: for each node and arm the values that die there; results that nobody reads.
 * Holds: an arm of an `if` kills what only it still uses, and its sibling kills that at its start. Loops, tries and
 * deeply nested ifs are regions: what they use from outside dies after them, as a whole. A path that leaves early may
 * keep values alive; registers release what they hold when overwritten. */
#include "lower.h"

static bool push(lowering *l, uint32_t value) {
  number_vector *t = &l->trail;
  if (!tsm_lower_grow(l, &t->items, &t->capacity, t->length, sizeof *t->items)) return false;
  t->items[t->length++] = value;
  return true;
}

static void kill(lowering *l, uint32_t value, const tsm_node *n, unsigned when) {
  if (!tsm_lower_grow(l, &l->deaths, &l->death_capacity, l->death_count, sizeof *l->deaths)) return;
  uint32_t *head = &l->death_heads[(size_t)n->number * DIES_COUNT + when];
  l->deaths[l->death_count] = (death){value, *head};
  *head = ++l->death_count;
}

static scope *region_at(scope *s, uint16_t coarse) {
  while (!s->is_region || s->coarse != coarse) s = s->parent;
  return s;
}

static void use(lowering *l, scope *s, uint32_t value, const tsm_node *n) {
  value_info *v = info_of(l, value);
  if (v->place != IN_REGISTER || v->is_live) return;
  v->is_live = true;
  if (s->coarse > v->coarse) {
    scope *region = region_at(s, (uint16_t)(v->coarse + 1));
    v->next_pending = region->pending;
    region->pending = value;
    return;
  }
  kill(l, value, n, DIES_ENTRY);
  push(l, value);
}

/* Keeps only the values from outside the arm on the trail. */
static void forget_inner(lowering *l, uint32_t mark, uint16_t depth) {
  uint32_t kept = mark;
  for (uint32_t i = mark; i < l->trail.length; i++)
    if (info_of(l, l->trail.items[i])->depth < depth) l->trail.items[kept++] = l->trail.items[i];
  l->trail.length = kept;
}

static void walk_block(lowering *l, scope *s, const tsm_block *b);

static void kill_at_arm(lowering *l, uint32_t value, const tsm_node *n, unsigned when) {
  if (!l->arm_budget) return;
  l->arm_budget--;
  kill(l, value, n, when);
}

static void walk_arms(lowering *l, scope *inner, const tsm_node *n) {
  uint32_t start = l->trail.length;
  walk_block(l, inner, &n->blocks[1]);
  forget_inner(l, start, inner->depth);
  uint32_t middle = l->trail.length;
  for (uint32_t i = start; i < middle; i++) info_of(l, l->trail.items[i])->is_live = false;
  walk_block(l, inner, &n->blocks[0]);
  forget_inner(l, middle, inner->depth);
  uint32_t second = ++l->stamp; /* after the walk: arms inside stamp too */
  for (uint32_t i = start; i < middle; i++) info_of(l, l->trail.items[i])->stamp = second;
  for (uint32_t i = middle; i < l->trail.length; i++)
    if (info_of(l, l->trail.items[i])->stamp != second) kill_at_arm(l, l->trail.items[i], n, DIES_ARM1);
  uint32_t kept = start; /* the second arm's own values, then all of the first's */
  for (uint32_t i = start; i < middle; i++) {
    uint32_t value = l->trail.items[i];
    if (info_of(l, value)->is_live) continue;
    info_of(l, value)->is_live = true;
    kill_at_arm(l, value, n, DIES_ARM0);
    l->trail.items[kept++] = value;
  }
  for (uint32_t i = middle; i < l->trail.length; i++) l->trail.items[kept++] = l->trail.items[i];
  l->trail.length = kept;
}

static void walk_region(lowering *l, scope *inner, const tsm_node *n) {
  uint32_t start = l->trail.length;
  for (int k = n->block_count - 1; k >= 0; k--) walk_block(l, inner, &n->blocks[k]);
  l->trail.length = start; /* all of it was defined inside */
  for (uint32_t v = inner->pending; v != NO_VALUE; v = info_of(l, v)->next_pending) {
    kill(l, v, n, DIES_END);
    push(l, v);
  }
}

/* The `continue` that takes it counts the parameter up. */
static bool is_counter_made_elsewhere(const value_info *v) { return v->is_fused && v->counter_of != NO_VALUE; }

static void walk_node(lowering *l, scope *s, const tsm_node *n) {
  for (uint32_t i = 0; i < n->result_count; i++) {
    value_info *v = info_of(l, n->first_result + i);
    v->is_dead = !v->is_live;
    v->is_live = false;
  }
  if (n->block_count) {
    scope inner;
    tsm_lower_scope_enter(&inner, s, n);
    if (inner.is_region) walk_region(l, &inner, n);
    else if (n->code == TSM_N_IF) walk_arms(l, &inner, n);
    else walk_block(l, &inner, &n->blocks[0]);
  }
  if (n->result_count && is_counter_made_elsewhere(info_of(l, n->first_result))) return;
  const tsm_node *loop = n->code == TSM_N_CONTINUE ? tsm_lower_scope_target(s, n)->node : NULL;
  for (uint32_t i = n->operand_count; i-- > 0;) {
    bool is_count = loop && tsm_lower_is_count(l, n, loop, i);
    use(l, s, is_count ? info_of(l, n->operands[i])->counter_of : n->operands[i], n);
  }
}

static void walk_block(lowering *l, scope *s, const tsm_block *b) {
  for (uint32_t i = b->node_count; i-- > 0 && l->status == TSM_OK;) walk_node(l, s, &b->nodes[i]);
  for (uint32_t p = b->first_param; p < b->first_param + b->param_count; p++) {
    info_of(l, p)->is_dead = !info_of(l, p)->is_live;
    info_of(l, p)->is_live = false;
  }
}

bool tsm_lower_find_deaths(lowering *l) {
  scope body;
  tsm_lower_scope_enter(&body, NULL, NULL);
  tsm_block b = l->f->body;
  b.param_count = 0;
  walk_block(l, &body, &b);
  return l->status == TSM_OK;
}
