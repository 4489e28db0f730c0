/* control.c - from the tree of a function to its code.
 * In: registers and deaths. Out: words.
 * Holds: control flow becomes plain jumps; a node's dying operands are taken by its instruction or dropped after it. A
 * loop's test stands at both ends of its body, so that a turn is one instruction. What an `if` yields to the branch
 * right after it is never made: its arms jump to where the branch would. */
#include "lower.h"

/* ---- Deaths */

static uint32_t deaths_of(const lowering *l, const tsm_node *n, unsigned when) {
  return l->death_heads[(size_t)n->number * DIES_COUNT + when];
}

static uint32_t stamp_deaths(lowering *l, const tsm_node *n) {
  uint32_t stamp = ++l->stamp;
  for (uint32_t at = deaths_of(l, n, DIES_ENTRY); at; at = l->deaths[at - 1].next)
    info_of(l, l->deaths[at - 1].value)->stamp = stamp;
  return stamp;
}

static void drop_stamped(lowering *l, const tsm_node *n, uint32_t stamp) {
  for (uint32_t at = deaths_of(l, n, DIES_ENTRY); at; at = l->deaths[at - 1].next)
    if (info_of(l, l->deaths[at - 1].value)->stamp == stamp) tsm_emit_drop(l, l->deaths[at - 1].value);
}

/* A register that a result took over holds the result already. */
static void drop_at_end(lowering *l, const tsm_node *n) {
  uint32_t at = deaths_of(l, n, DIES_END);
  if (!at) return;
  uint32_t *taken = l->target_move; /* all zero between moves */
  for (uint32_t r = 0; r < n->result_count; r++)
    if (is_counted(info_of(l, n->first_result + r))) taken[tsm_lower_slot_of(l, n->first_result + r)] = 1;
  for (; at; at = l->deaths[at - 1].next)
    if (is_counted(info_of(l, l->deaths[at - 1].value)) && !taken[tsm_lower_slot_of(l, l->deaths[at - 1].value)])
      tsm_emit_drop(l, l->deaths[at - 1].value);
  for (uint32_t r = 0; r < n->result_count; r++)
    if (is_counted(info_of(l, n->first_result + r))) taken[tsm_lower_slot_of(l, n->first_result + r)] = 0;
}

static void drop_dead_results(lowering *l, const tsm_node *n) {
  for (uint32_t r = n->first_result; r < n->first_result + n->result_count; r++)
    if (info_of(l, r)->is_dead) tsm_emit_drop(l, r);
}

/* ---- Control */

/* Not inlined into emit_node: blocks nest, embedded stacks are small, and each level would take room for all kinds. */
#define APART __attribute__((noinline))
static void emit_block(lowering *l, scope *s, const tsm_block *b);
static void emit_node(lowering *l, scope *s, const tsm_node *n);
static void emit_condition_yield(lowering *l, scope *s, const tsm_node *n);
static void emit_fused_if(lowering *l, scope *s, const tsm_node *n, bool sense, uint32_t *chain);

static uint32_t first_target(const scope *target, const tsm_node *n) {
  bool is_entry = n->code == TSM_N_CONTINUE || n->code == TSM_N_LOOP || n->code == TSM_N_FUSED;
  return is_entry ? target->node->blocks[0].first_param : target->node->first_result;
}

static void emit_transfer(lowering *l, const tsm_node *n, const scope *target, uint16_t inside) {
  uint32_t stamp = stamp_deaths(l, n), first = first_target(target, n);
  l->move_count = 0;
  for (uint32_t i = 0; i < n->operand_count; i++) {
    value_info *v = info_of(l, n->operands[i]);
    if (info_of(l, first + i)->is_dead || tsm_lower_is_count(l, n, target->node, i)) continue;
    tsm_lower_add_move(l, first + i, n->operands[i], v->stamp == stamp || v->depth >= inside);
  }
  for (uint32_t i = 0; i < n->operand_count; i++) /* what is moved is not dropped */
    if (!info_of(l, first + i)->is_dead) info_of(l, n->operands[i])->stamp = 0;
  drop_stamped(l, n, stamp);
  tsm_emit_moves(l);
}

static bool is_nothing_to_move(const lowering *l, scope *s, const tsm_node *n, const scope *target) {
  uint32_t first = first_target(target, n);
  for (uint32_t i = 0; i < n->operand_count; i++) {
    const value_info *v = info_of(l, n->operands[i]);
    if (tsm_lower_needs_row_major(l, s, n, i)) return false;
    if (info_of(l, first + i)->is_dead) {
      if (is_counted(v)) return false;
    } else if (v->place != IN_REGISTER || tsm_lower_slot_of(l, n->operands[i]) != tsm_lower_slot_of(l, first + i)) {
      return false;
    }
  }
  return true;
}

/* ---- Loops */

/* The register that a `continue` only counts up, or -1: its test can do that in the same instruction if `test_word`
 * compares it with anything but another moving counter. */
static int32_t emit_counts(lowering *l, const tsm_node *n, const scope *loop, uint64_t test_word) {
  int32_t left = -1;
  for (uint32_t i = 0; i < n->operand_count; i++) {
    uint32_t param = loop->node->blocks[0].first_param + i;
    if (!tsm_lower_is_count(l, n, loop->node, i) || info_of(l, param)->is_dead) continue;
    uint16_t reg = tsm_lower_slot_of(l, param);
    unsigned code = tsm_word_op(test_word);
    bool is_less = (code == TSM_C_L_LT || code == TSM_C_L_LT_I) && tsm_word_a(test_word) == reg;
    if (is_less && left < 0) left = reg;
    else tsm_emit(l, tsm_word(TSM_C_ADD_I, reg, reg, 1));
  }
  return left;
}

/* What stands before the condition of a loop's test, once more. */
static void emit_before_test(lowering *l, const scope *loop, const tsm_node *last) {
  for (const tsm_node *n = loop->node->blocks[0].nodes; n + 1 < loop->test; n++) {
    tsm_lower_mark_node(l, n->number);
    tsm_emit_value(l, n, ++l->stamp);
  }
  tsm_lower_mark_node(l, last->number);
}

static bool uses_counter(const lowering *l, const tsm_node *n, const scope *loop) {
  for (const tsm_node *before = loop->node->blocks[0].nodes; before + 1 < loop->test; before++)
    for (uint32_t i = 0; i < before->operand_count; i++)
      for (uint32_t k = 0; k < n->operand_count; k++)
        if (tsm_lower_is_count(l, n, loop->node, k) &&
            before->operands[i] == loop->node->blocks[0].first_param + k) return true;
  return false;
}

/* The end of a turn of `loop`, reached by `n`. At the end of its body the test comes first. */
static void emit_turn(lowering *l, const scope *s, const tsm_node *n, const scope *loop) {
  bool is_tested = s == loop && loop->test;
  uint64_t word = is_tested ? tsm_lower_turn_word(l, loop->test, loop->stay) : 0;
  bool is_early = word && uses_counter(l, n, loop); /* then the counter must have moved before */
  int32_t counter = -1;
  if (!word || is_early) emit_counts(l, n, loop, 0);
  if (word) emit_before_test(l, loop, n);
  if (word && !is_early) counter = emit_counts(l, n, loop, word);
  if (counter >= 0) word = word - tsm_word_op(word) + (tsm_word_op(word) == TSM_C_L_LT ? TSM_C_FOR : TSM_C_FOR_I);
  tsm_emit_turn(l, word, word ? loop->after_test : loop->top, loop->weight_before);
}

APART static void emit_leave(lowering *l, scope *s, const tsm_node *n) {
  if (n->code == TSM_N_YIELD && s->jump_chain) {
    emit_condition_yield(l, s, n);
    return;
  }
  scope *target = tsm_lower_scope_target(s, n);
  emit_transfer(l, n, target, target->depth);
  if (n->code == TSM_N_CONTINUE) emit_turn(l, s, n, target);
  else if (s->is_last_of_loop && s->parent == target) return; /* what follows is the loop's end */
  else if (n->code == TSM_N_BREAK || !s->is_last)
    target->exits = tsm_emit_jump(l, tsm_word(TSM_C_JMP, 0, 0, 0), target->exits);
}

/* ---- Branches */

/* Jumps along `chain` when what the first operand of `n` says is `sense`. A fused condition is the node before. */
static void emit_branch(lowering *l, scope *s, const tsm_node *n, bool sense, uint32_t *chain) {
  uint32_t value = n->operands[0];
  if (!info_of(l, value)->is_fused) {
    *chain = tsm_emit_jump(l, tsm_word(sense ? TSM_C_JT : TSM_C_JF, tsm_lower_slot_of(l, value), 0, 0), *chain);
  } else if (n[-1].code == TSM_N_IF) {
    emit_fused_if(l, s, n - 1, sense, chain);
  } else {
    uint64_t word = tsm_lower_test_of_bits(l, tsm_lower_condition_word(l, n - 1, sense));
    bool is_short = tsm_opcode_rows[tsm_word_op(word)].pattern == TSM_P_A_TO;
    *chain = is_short ? tsm_emit_jump(l, word, *chain) : tsm_emit_compare_jump(l, word, *chain);
  }
}

/* A fused `if` yields its condition: jump, or go on at its end. */
static void emit_condition_yield(lowering *l, scope *s, const tsm_node *n) {
  const tsm_pair *constant = info_of(l, n->operands[0])->constant;
  tsm_lower_mark_node(l, n->number);
  if (!constant) {
    emit_branch(l, s, n, s->sense, s->jump_chain);
  } else if ((constant->as.i != 0) == s->sense) {
    *s->jump_chain = tsm_emit_jump(l, tsm_word(TSM_C_JMP, 0, 0, 0), *s->jump_chain);
    return;
  }
  if (!s->is_last) s->exits = tsm_emit_jump(l, tsm_word(TSM_C_JMP, 0, 0, 0), s->exits);
}

/* Whether something is released at the start of an arm. */
static bool has_drops(const lowering *l, const tsm_node *n, unsigned arm) {
  for (uint32_t at = deaths_of(l, n, DIES_ARM0 + arm); at; at = l->deaths[at - 1].next)
    if (is_counted(info_of(l, l->deaths[at - 1].value))) return true;
  return false;
}

/* An arm that does nothing but jump: the branch can go there at once. NULL if it is not one. */
static scope *bare_target(lowering *l, scope *inner, const tsm_node *n, unsigned arm) {
  const tsm_block *b = &n->blocks[arm];
  if (b->node_count != 1 || (b->nodes[0].code != TSM_N_YIELD && b->nodes[0].code != TSM_N_BREAK)) return NULL;
  if (has_drops(l, n, arm)) return NULL;
  scope *target = tsm_lower_scope_target(inner, &b->nodes[0]);
  return is_nothing_to_move(l, inner, &b->nodes[0], target) ? target : NULL;
}

static void emit_arm(lowering *l, scope *inner, const tsm_node *n, unsigned arm, bool is_last) {
  for (uint32_t at = deaths_of(l, n, DIES_ARM0 + arm); at; at = l->deaths[at - 1].next)
    tsm_emit_drop(l, l->deaths[at - 1].value);
  inner->is_last = is_last;
  emit_block(l, inner, &n->blocks[arm]);
}

/* The arm that one jump stands for: better one that leaves than one that goes on after the `if`. */
static scope *find_bare(lowering *l, scope *inner, const tsm_node *n, unsigned *out_arm) {
  scope *targets[2] = {bare_target(l, inner, n, 0), bare_target(l, inner, n, 1)};
  *out_arm = !targets[0] || (targets[0] == inner && targets[1]);
  return targets[*out_arm];
}

APART static void emit_if(lowering *l, scope *s, const tsm_node *n) {
  scope inner;
  unsigned arm;
  tsm_lower_scope_enter(&inner, s, n);
  scope *target = find_bare(l, &inner, n, &arm);
  if (target) {
    emit_branch(l, s, n, arm == 0, &target->exits);
    emit_arm(l, &inner, n, 1 - arm, true);
    tsm_lower_patch_chain(l, inner.exits, l->code_length);
    return;
  }
  uint32_t to_second = 0;
  emit_branch(l, s, n, false, &to_second);
  emit_arm(l, &inner, n, 0, false);
  tsm_lower_patch_chain(l, to_second, l->code_length);
  emit_arm(l, &inner, n, 1, true);
  tsm_lower_patch_chain(l, inner.exits, l->code_length);
}

/* Whether an arm does nothing but yield a constant: 0 or 1, else -1. */
static int constant_arm(const lowering *l, const tsm_node *n, unsigned arm) {
  const tsm_block *b = &n->blocks[arm];
  const tsm_node *last = &b->nodes[b->node_count - 1];
  if (b->node_count > 2 || last->code != TSM_N_YIELD || has_drops(l, n, arm)) return -1;
  const value_info *v = info_of(l, last->operands[0]);
  return v->constant && (b->node_count == 1 || b->nodes[0].code == TSM_N_CONST) ? v->constant->as.i != 0 : -1;
}

/* An `if` whose result is only the condition of the branch after it: jumps along `chain` when that is `sense`, else
 * goes on after the code. `a and b` is `if a: b else: False`. */
static void emit_fused_if(lowering *l, scope *s, const tsm_node *n, bool sense, uint32_t *chain) {
  scope inner;
  tsm_lower_scope_enter(&inner, s, n);
  inner.jump_chain = chain;
  inner.sense = sense;
  for (unsigned arm = 0; arm < 2; arm++) {
    int constant = constant_arm(l, n, arm);
    if (constant < 0) continue;
    emit_branch(l, s, n, arm == 0, constant == sense ? chain : &inner.exits);
    emit_arm(l, &inner, n, 1 - arm, true);
    tsm_lower_patch_chain(l, inner.exits, l->code_length);
    return;
  }
  uint32_t to_second = 0;
  emit_branch(l, s, n, false, &to_second);
  emit_arm(l, &inner, n, 0, false);
  tsm_lower_patch_chain(l, to_second, l->code_length);
  emit_arm(l, &inner, n, 1, true);
  tsm_lower_patch_chain(l, inner.exits, l->code_length);
}

/* The test of a loop that may stand at both its ends. */
static const tsm_node *find_test(lowering *l, const tsm_node *loop, unsigned *out_stay) {
  const tsm_node *test = tsm_lower_loop_test(l, loop, out_stay);
  if (!test || !info_of(l, test->operands[0])->is_fused) return NULL;
  for (const tsm_node *n = loop->blocks[0].nodes; n < test; n++)
    for (uint32_t at = deaths_of(l, n, DIES_ENTRY); at; at = l->deaths[at - 1].next)
      if (is_counted(info_of(l, l->deaths[at - 1].value))) return NULL;
  return test;
}

/* The test at the top of a loop and the arm that stays. False: the arm that leaves is nothing but a jump. */
APART static bool emit_first_test(lowering *l, scope *loop, const tsm_node *test, uint32_t *leave) {
  scope inner;
  tsm_lower_scope_enter(&inner, loop, test);
  bool is_bare = bare_target(l, &inner, test, 1 - loop->stay) == loop;
  tsm_lower_mark_node(l, test->number);
  emit_branch(l, loop, test, loop->stay == 1, is_bare ? &loop->exits : leave);
  loop->test = test;
  loop->after_test = l->code_length;
  emit_arm(l, &inner, test, loop->stay, true);
  tsm_lower_mark_node(l, test->number);
  drop_at_end(l, test);
  return !is_bare;
}

/* The arm that leaves a loop stands behind the loop's body: there the test at the body's end falls through to it. */
APART static void emit_last_arm(lowering *l, scope *loop, const tsm_node *test, uint32_t leave) {
  scope inner;
  tsm_lower_scope_enter(&inner, loop, test);
  tsm_lower_patch_chain(l, leave, l->code_length);
  tsm_lower_mark_node(l, test->number);
  inner.is_last_of_loop = true;
  emit_arm(l, &inner, test, 1 - loop->stay, true);
}

static void emit_tested(lowering *l, scope *loop, const tsm_node *test) {
  const tsm_block *b = &loop->node->blocks[0];
  uint32_t leave = 0;
  const tsm_node *n = b->nodes;
  for (; n < test; n++) emit_node(l, loop, n);
  bool has_arm = emit_first_test(l, loop, test, &leave);
  for (n++; n < b->nodes + b->node_count && l->status == TSM_OK; n++) emit_node(l, loop, n);
  if (has_arm) emit_last_arm(l, loop, test, leave);
}

APART static void emit_loop(lowering *l, scope *s, const tsm_node *n) {
  scope inner;
  tsm_lower_scope_enter(&inner, s, n);
  emit_transfer(l, n, &inner, UINT16_MAX);
  inner.top = l->code_length;
  inner.weight_before = tsm_lower_weight(l);
  const tsm_node *test = find_test(l, n, &inner.stay);
  if (test) emit_tested(l, &inner, test);
  else emit_block(l, &inner, &n->blocks[0]);
  tsm_lower_patch_chain(l, inner.exits, l->code_length);
}

/* The instruction that jumps over what follows when it has done it; returns the chain of its jump. */
static uint32_t emit_plan(lowering *l, const struct tsm_fused *plan) {
  const uint32_t done = tsm_emit_jump(l, tsm_word(TSM_C_FUSED, 0, 0, 0), 0);
  tsm_emit(l, (uint64_t)(uintptr_t)plan);
  return done;
}

APART static void emit_fused(lowering *l, scope *s, const tsm_node *n) {
  scope inner;
  tsm_lower_scope_enter(&inner, s, n);
  inner.is_last = true;
  uint32_t stamp = stamp_deaths(l, n), done = 0;
  const struct tsm_fused *plan = tsm_lower_fused(l, n, stamp);
  tsm_lower_add_link(l, n, plan);
  if (plan) done = emit_plan(l, plan);
  l->is_declined = plan != NULL;
  emit_transfer(l, n, &inner, UINT16_MAX);
  emit_block(l, &inner, &n->blocks[0]);
  l->is_declined = false;
  tsm_lower_patch_chain(l, inner.exits, l->code_length);
  tsm_lower_patch_chain(l, done, l->code_length);
  tsm_emit_chain_end(l, n);
}

APART static void emit_body(lowering *l, scope *s, const tsm_node *n) {
  scope inner;
  tsm_lower_scope_enter(&inner, s, n);
  inner.is_last = true;
  emit_block(l, &inner, &n->blocks[0]);
  tsm_lower_patch_chain(l, inner.exits, l->code_length);
}

APART static void emit_try(lowering *l, scope *s, const tsm_node *n) {
  scope inner;
  tsm_lower_scope_enter(&inner, s, n);
  if (!tsm_lower_grow(l, &l->handlers, &l->handler_capacity, l->handler_count, sizeof *l->handlers)) return;
  uint32_t number = l->handler_count++, outer = l->handler, param = n->blocks[1].first_param;
  l->handlers[number].reg = tsm_lower_slot_of(l, param);
  l->handler = number;
  tsm_lower_mark_range(l, number);
  emit_block(l, &inner, &n->blocks[0]);
  l->handler = outer;
  tsm_lower_mark_range(l, outer);
  l->handlers[number].pc = l->code_length;
  if (info_of(l, param)->is_dead) tsm_emit_drop(l, param);
  inner.is_last = true;
  emit_block(l, &inner, &n->blocks[1]);
  tsm_lower_patch_chain(l, inner.exits, l->code_length);
}

static void emit_return(lowering *l, const tsm_node *n) {
  const value_info *v = info_of(l, n->operands[0]);
  static const uint16_t codes[AREA_COUNT] = {TSM_C_RET_R, TSM_C_RET_P, TSM_C_RET};
  if (v->place == IMMEDIATE) tsm_emit(l, tsm_word(TSM_C_RET_I, 0, (uint16_t)v->constant->as.i, 0));
  else tsm_emit(l, tsm_word(codes[v->area], tsm_lower_slot_of(l, n->operands[0]), 0, 0));
}

APART static void emit_instruction(lowering *l, const tsm_node *n) {
  uint32_t stamp = stamp_deaths(l, n), done = 0;
  if (n == l->chain_link) tsm_lower_add_link(l, n, tsm_lower_single(l, n, stamp));
  const struct tsm_fused *plan = tsm_lower_small(l, n, stamp);
  if (plan) done = emit_plan(l, plan);
  tsm_emit_value(l, n, stamp);
  drop_stamped(l, n, stamp);
  drop_dead_results(l, n);
  tsm_lower_patch_chain(l, done, l->code_length);
  tsm_emit_chain_end(l, n);
}

static void emit_node(lowering *l, scope *s, const tsm_node *n) {
  if (n->code == TSM_N_IF && n->result_count && info_of(l, n->first_result)->is_fused) return; /* by the next node */
  tsm_lower_mark_node(l, n->number);
  tsm_emit_chain(l, n);
  switch (n->code) {
    case TSM_N_IF: case TSM_N_LOOP: case TSM_N_FUSED: case TSM_N_YIELD: case TSM_N_BREAK: case TSM_N_CONTINUE:
    case TSM_N_RETURN:
      tsm_emit_row_major(l, s, n);
      break;
    default: break;
  }
  switch (n->code) {
    case TSM_N_IF: emit_if(l, s, n); break;
    case TSM_N_LOOP: emit_loop(l, s, n); break;
    case TSM_N_BLOCK: emit_body(l, s, n); break;
    case TSM_N_FUSED: emit_fused(l, s, n); break;
    case TSM_N_TRY: emit_try(l, s, n); break;
    case TSM_N_YIELD: case TSM_N_BREAK: case TSM_N_CONTINUE: emit_leave(l, s, n); return;
    case TSM_N_RETURN: emit_return(l, n); return;
    case TSM_N_RAISE: tsm_emit(l, tsm_word(TSM_C_RAISE, tsm_lower_slot_of(l, n->operands[0]), 0, 0)); return;
    case TSM_N_UNREACHABLE: tsm_emit(l, tsm_word(TSM_C_UNREACHABLE, 0, 0, 0)); return;
    default: emit_instruction(l, n); return;
  }
  tsm_lower_mark_node(l, n->number);
  drop_at_end(l, n);
}

static void emit_block(lowering *l, scope *s, const tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count && l->status == TSM_OK; i++) emit_node(l, s, &b->nodes[i]);
}

void tsm_emit_body(lowering *l) {
  scope body;
  tsm_lower_scope_enter(&body, NULL, NULL);
  emit_block(l, &body, &l->f->body);
}
