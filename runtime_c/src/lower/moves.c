/* moves.c - assignments that happen at once: a loop's parameters, a node's results.
 * In: pairs of values. Out: moves in an order in which nothing is overwritten before it was read; cycles by swaps.
 * Holds: a reference is taken from its register at its last use if it is dead after, else it is counted. */
#include "lower.h"

void tsm_lower_add_move(lowering *l, uint32_t to, uint32_t from, bool can_take) {
  const value_info *target = info_of(l, to), *source = info_of(l, from);
  if (!tsm_lower_grow(l, &l->moves, &l->move_capacity, l->move_count, sizeof *l->moves)) return;
  move *m = &l->moves[l->move_count++];
  *m = (move){tsm_lower_slot_of(l, to), 0, target->area, can_take && source->place == IN_REGISTER, false, NULL};
  if (source->place == IMMEDIATE) m->constant = source->constant;
  else m->src = tsm_lower_slot_of(l, from);
}

static unsigned move_code(const move *m, bool is_taken) {
  if (m->area == AREA_SCALAR) return TSM_C_MOV;
  if (m->area == AREA_PAIR) return is_taken ? TSM_C_MOVE_P : TSM_C_COPY_P;
  return is_taken ? TSM_C_MOVE_R : TSM_C_COPY_R;
}

static void count_sources(lowering *l) {
  for (uint32_t i = 0; i < l->move_count; i++) {
    move *m = &l->moves[i];
    if (m->constant) continue;
    l->source_uses[m->src]++;
    if (m->src == m->dst) m->is_done = true; /* stays a use: the value must not be taken away */
    else l->target_move[m->dst] = i + 1;
  }
}

static void emit_ready(lowering *l) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->move_count; i++) {
    const move *m = &l->moves[i];
    if (!m->constant && !m->is_done && !l->source_uses[m->dst]) l->move_list[count++] = i;
  }
  while (count) {
    move *m = &l->moves[l->move_list[--count]];
    bool is_taken = m->can_take && l->source_uses[m->src] == 1;
    tsm_emit(l, tsm_word(move_code(m, is_taken), m->dst, m->src, 0));
    m->is_done = true;
    uint32_t waiting = l->target_move[m->src];
    if (!--l->source_uses[m->src] && waiting && !l->moves[waiting - 1].is_done) l->move_list[count++] = waiting - 1;
  }
}

/* What is left are cycles: each target is the source of exactly one other. */
static void emit_cycle(lowering *l, uint32_t first) {
  move *m = &l->moves[first];
  for (;;) {
    m->is_done = true;
    uint32_t next = l->target_move[m->src];
    if (!next || l->moves[next - 1].is_done) return;
    tsm_emit(l, tsm_word(m->area == AREA_PAIR ? TSM_C_SWAP_P : TSM_C_SWAP, m->dst, m->src, 0));
    m = &l->moves[next - 1];
  }
}

static void forget(lowering *l) {
  for (uint32_t i = 0; i < l->move_count; i++) {
    l->target_move[l->moves[i].dst] = 0;
    l->source_uses[l->moves[i].src] = 0;
  }
  l->move_count = 0;
}

static void emit_constants(lowering *l) {
  for (uint32_t i = 0; i < l->move_count; i++) {
    const move *m = &l->moves[i];
    if (!m->constant) continue;
    static const tsm_type scalar = {.layout = TSM_L_I64};
    tsm_emit_constant(l, m->dst, &scalar, m->constant);
  }
}

void tsm_emit_moves(lowering *l) {
  if (!l->move_count) return;
  while (l->move_list_capacity < l->move_count)
    if (!tsm_lower_grow(l, &l->move_list, &l->move_list_capacity, l->move_list_capacity, sizeof *l->move_list))
      return;
  count_sources(l);
  emit_ready(l);
  for (uint32_t i = 0; i < l->move_count; i++)
    if (!l->moves[i].constant && !l->moves[i].is_done) emit_cycle(l, i);
  emit_constants(l);
  forget(l);
}
