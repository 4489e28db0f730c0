/* registers.c - a register for every value that needs one.
 * In: deaths. Out: info.reg, the sizes of the frame's areas.
 * Holds: values alive at the same time never share a register. Registers of dead values are used again; a value that
 * is moved to a loop's parameter or a node's result takes that one's register if it is free, so that no move is left.
 * After an arm the state before it comes back, minus what died in either arm. */
#include "lower.h"

static void log_event(lowering *l, uint32_t value, uint8_t area, uint16_t reg, bool was_busy) {
  if (!tsm_lower_grow(l, &l->events, &l->event_capacity, l->event_count, sizeof *l->events)) return;
  l->events[l->event_count++] = (register_event){value, reg, area, was_busy};
}

static void put_free(area_state *a, uint16_t reg) {
  a->busy[reg] = false;
  if (a->is_stacked[reg]) return;
  a->is_stacked[reg] = true;
  a->free[a->free_count++] = reg;
}

static int32_t take_any(lowering *l, area_state *a) {
  while (a->free_count) {
    uint16_t reg = a->free[--a->free_count];
    a->is_stacked[reg] = false;
    if (!a->busy[reg]) return reg;
  }
  if (a->next < TSM_MAX_SLOTS) return (int32_t)a->next++;
  tsm_lower_fail(l, TSM_ERR_LIMIT, "a function needs more than 32767 registers");
  return NO_REGISTER;
}

/* The register of the value that this one will be moved to, or was made from. */
static int32_t hint(const lowering *l, const value_info *v) {
  const area_state *a = &l->areas[v->area];
  const value_info *target = v;
  for (int step = 0; step < 4 && target->feeds != NO_VALUE; step++) {
    target = info_of(l, target->feeds);
    if (target->reg != NO_REGISTER && target->area == v->area && !a->busy[target->reg]) return target->reg;
  }
  if (v->fed_by == NO_VALUE) return NO_REGISTER;
  const value_info *source = info_of(l, v->fed_by);
  bool is_usable = source->place == IN_REGISTER && source->reg != NO_REGISTER && !a->busy[source->reg];
  return is_usable ? source->reg : NO_REGISTER;
}

/* With `is_hinted` only if there is a register that saves a move. */
static void allocate(lowering *l, uint32_t value, bool is_hinted) {
  value_info *v = info_of(l, value);
  if (v->place != IN_REGISTER || v->is_fused || v->reg != NO_REGISTER) return;
  area_state *a = &l->areas[v->area];
  int32_t reg = hint(l, v);
  if (reg == NO_REGISTER && !is_hinted) reg = take_any(l, a);
  if (reg == NO_REGISTER) return;
  v->reg = reg;
  a->busy[reg] = true;
  log_event(l, value, v->area, (uint16_t)reg, false);
}

static void release(lowering *l, uint32_t value) {
  const value_info *v = info_of(l, value);
  if (v->reg == NO_REGISTER || v->place != IN_REGISTER || !l->areas[v->area].busy[v->reg]) return;
  log_event(l, value, v->area, (uint16_t)v->reg, true);
  put_free(&l->areas[v->area], (uint16_t)v->reg);
}

static void release_deaths(lowering *l, const tsm_node *n, unsigned when) {
  uint32_t at = l->death_heads[(size_t)n->number * DIES_COUNT + when];
  for (; at; at = l->deaths[at - 1].next) release(l, l->deaths[at - 1].value);
}

static void allocate_range(lowering *l, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; count > 1 && i < count && l->status == TSM_OK; i++) allocate(l, first + i, true);
  for (uint32_t i = 0; i < count && l->status == TSM_OK; i++) allocate(l, first + i, false);
}

/* Undoes what a block did. Values from outside that died in it are collected on the trail. */
static void undo(lowering *l, uint32_t mark, uint16_t depth) {
  while (l->event_count > mark) {
    const register_event *e = &l->events[--l->event_count];
    if (!e->was_busy) {
      put_free(&l->areas[e->area], e->reg);
      continue;
    }
    l->areas[e->area].busy[e->reg] = true;
    number_vector *t = &l->trail;
    if (info_of(l, e->value)->depth >= depth) continue;
    if (!tsm_lower_grow(l, &t->items, &t->capacity, t->length, sizeof *t->items)) return;
    t->items[t->length++] = e->value;
  }
}

static void walk_block(lowering *l, scope *s, const tsm_block *b);

static void walk_node_blocks(lowering *l, scope *s, const tsm_node *n) {
  scope inner;
  tsm_lower_scope_enter(&inner, s, n);
  uint32_t trail = l->trail.length;
  for (uint16_t k = 0; k < n->block_count && l->status == TSM_OK; k++) {
    uint32_t mark = l->event_count;
    if (n->code == TSM_N_IF) release_deaths(l, n, DIES_ARM0 + k);
    allocate_range(l, n->blocks[k].first_param, n->blocks[k].param_count);
    walk_block(l, &inner, &n->blocks[k]);
    undo(l, mark, inner.depth);
  }
  while (l->trail.length > trail) release(l, l->trail.items[--l->trail.length]);
  release_deaths(l, n, DIES_END);
}

/* Instructions that read all operands before they write may write into a dying one. */
static bool reads_before_writing(const lowering *l, const tsm_node *n) {
  if (n->block_count) return true;
  return n->code == TSM_N_OPERATOR && l->forms[n->of.op->number].plain && tsm_lower_typed_opcode(l, n) != TSM_C_OP;
}

static void walk_block(lowering *l, scope *s, const tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count && l->status == TSM_OK; i++) {
    const tsm_node *n = &b->nodes[i];
    bool is_early = reads_before_writing(l, n);
    if (is_early) release_deaths(l, n, DIES_ENTRY);
    if (n->block_count) walk_node_blocks(l, s, n);
    allocate_range(l, n->first_result, n->result_count);
    if (!is_early) release_deaths(l, n, DIES_ENTRY);
    for (uint32_t r = n->first_result; r < n->first_result + n->result_count; r++)
      if (info_of(l, r)->is_dead) release(l, r);
  }
}

static bool reserve(lowering *l, uint8_t area, uint16_t *out_reg) {
  area_state *a = &l->areas[area];
  if (a->next >= TSM_MAX_SLOTS) return tsm_lower_fail(l, TSM_ERR_LIMIT, "a function needs more than 32767 registers");
  a->busy[a->next] = true;
  *out_reg = (uint16_t)a->next++;
  return true;
}

static bool reserve_entry(lowering *l) {
  uint16_t *counts[AREA_COUNT] = {&l->plan->param_refs, &l->plan->param_pairs, &l->plan->param_scalars};
  for (uint32_t p = 0; p < l->f->param_count; p++) {
    uint16_t reg = 0;
    value_info *v = info_of(l, p);
    if (!reserve(l, v->area, &reg)) return false;
    v->reg = reg;
    ++*counts[v->area];
  }
  for (uint32_t i = 0; i < l->pool_count; i++)
    if (!reserve(l, l->pool[i].area, &l->pool[i].reg)) return false;
  return true;
}

bool tsm_lower_assign_registers(lowering *l) {
  l->trail.length = 0;
  for (int area = 0; area < AREA_COUNT; area++) {
    area_state *a = &l->areas[area];
    a->free_count = a->next = 0;
    memset(a->busy, 0, TSM_MAX_SLOTS);
    memset(a->is_stacked, 0, TSM_MAX_SLOTS);
  }
  if (!reserve_entry(l)) return false;
  scope body;
  tsm_lower_scope_enter(&body, NULL, NULL);
  tsm_block b = l->f->body;
  walk_block(l, &body, &b);
  if (l->status != TSM_OK) return false;
  uint32_t refs = l->areas[AREA_REF].next, pairs = l->areas[AREA_PAIR].next, scalars = l->areas[AREA_SCALAR].next;
  uint32_t total = refs + 2 * pairs + scalars;
  if (total > TSM_MAX_SLOTS) return tsm_lower_fail(l, TSM_ERR_LIMIT, "a function needs more than 32767 registers");
  l->plan->ref_count = (uint16_t)refs;
  l->plan->pair_count = (uint16_t)pairs;
  l->plan->scalar_base = (uint16_t)(refs + 2 * pairs);
  l->plan->slot_count = (uint16_t)total;
  return true;
}
