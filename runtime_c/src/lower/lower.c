/* lower.c - from the tree of a function to its code, and the plans of a whole program.
 * In: registers and deaths. Out: a tsm_plan for each function, in the program's arena.
 * Holds: control flow becomes plain jumps; a node's dying operands are taken by its instruction or dropped after it. */
#include "lower.h"

bool tsm_lower_fail(lowering *l, tsm_status status, const char *what) {
  if (l->status != TSM_OK) return false;
  l->status = status;
  if (status == TSM_ERR_MEMORY || !l->f) tsm_error_set(l->out_error, status, "%s", what);
  else tsm_error_set(l->out_error, status, "%s: %s", l->f->name, what);
  return false;
}

bool tsm_lower_grow(lowering *l, void *items, uint32_t *capacity, uint32_t length, size_t size) {
  if (length < *capacity) return l->status == TSM_OK;
  uint32_t more = *capacity < 16 ? 32 : *capacity + *capacity / 2;
  void *moved;
  memcpy(&moved, items, sizeof moved);
  moved = more < INT32_MAX / 2 ? tsm_realloc(l->rt, moved, *capacity * size, more * size) : NULL;
  if (!moved) return tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
  memcpy(items, &moved, sizeof moved);
  *capacity = more;
  return l->status == TSM_OK;
}

void tsm_lower_scope_enter(scope *s, scope *parent, const tsm_node *node) {
  memset(s, 0, sizeof *s);
  s->parent = parent;
  s->node = node;
  s->pending = NO_VALUE;
  if (!parent) return;
  bool is_if = node->code == TSM_N_IF;
  s->is_region = node->code == TSM_N_LOOP || node->code == TSM_N_TRY || (is_if && parent->fine >= MAX_FINE);
  s->depth = (uint16_t)(parent->depth + 1);
  s->coarse = (uint16_t)(parent->coarse + s->is_region);
  s->loops = (uint16_t)(parent->loops + (node->code == TSM_N_LOOP));
  s->fine = (uint16_t)(parent->fine + is_if);
}

scope *tsm_lower_scope_target(scope *s, const tsm_node *terminator) {
  if (terminator->code == TSM_N_YIELD) return s;
  for (uint32_t label = terminator->field;; s = s->parent) {
    if (s->node->code != TSM_N_LOOP && s->node->code != TSM_N_BLOCK) continue;
    if (!label--) return s;
  }
}

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

static void emit_block(lowering *l, scope *s, const tsm_block *b);

static uint32_t first_target(const scope *target, const tsm_node *n) {
  return n->code == TSM_N_CONTINUE || n->code == TSM_N_LOOP ? target->node->blocks[0].first_param
                                                            : target->node->first_result;
}

static void emit_transfer(lowering *l, const tsm_node *n, const scope *target, uint16_t inside) {
  uint32_t stamp = stamp_deaths(l, n), first = first_target(target, n);
  l->move_count = 0;
  for (uint32_t i = 0; i < n->operand_count; i++) {
    value_info *v = info_of(l, n->operands[i]);
    if (info_of(l, first + i)->is_dead) continue;
    tsm_lower_add_move(l, first + i, n->operands[i], v->stamp == stamp || v->depth >= inside);
  }
  for (uint32_t i = 0; i < n->operand_count; i++) /* what is moved is not dropped */
    if (!info_of(l, first + i)->is_dead) info_of(l, n->operands[i])->stamp = 0;
  drop_stamped(l, n, stamp);
  tsm_emit_moves(l);
}

static bool is_nothing_to_move(const lowering *l, const tsm_node *n, const scope *target) {
  uint32_t first = first_target(target, n);
  for (uint32_t i = 0; i < n->operand_count; i++) {
    const value_info *v = info_of(l, n->operands[i]);
    if (info_of(l, first + i)->is_dead) {
      if (is_counted(v)) return false;
    } else if (v->place != IN_REGISTER || tsm_lower_slot_of(l, n->operands[i]) != tsm_lower_slot_of(l, first + i)) {
      return false;
    }
  }
  return true;
}

static void emit_turn(lowering *l, scope *loop) {
  uint32_t weight = l->code_length - loop->top + 1;
  int32_t distance = -(int32_t)(l->code_length - loop->top);
  tsm_emit(l, (tsm_word(TSM_C_LOOP, weight > UINT16_MAX ? UINT16_MAX : weight, 0, 0) & 0xFFFFFFFFu) |
              (uint64_t)(uint32_t)distance << 32);
}

static void emit_leave(lowering *l, scope *s, const tsm_node *n) {
  scope *target = tsm_lower_scope_target(s, n);
  emit_transfer(l, n, target, target->depth);
  if (n->code == TSM_N_CONTINUE) emit_turn(l, target);
  else if (n->code == TSM_N_BREAK || !s->is_last)
    target->exits = tsm_emit_jump(l, tsm_word(TSM_C_JMP, 0, 0, 0), target->exits);
}

static unsigned inverse(unsigned code) {
  switch (code) {
    case TSM_C_J_EQ: return TSM_C_J_NE;
    case TSM_C_J_NE: return TSM_C_J_EQ;
    case TSM_C_J_LT: return TSM_C_J_GE;
    case TSM_C_J_LE: return TSM_C_J_GT;
    case TSM_C_J_GT: return TSM_C_J_LE;
    case TSM_C_J_GE: return TSM_C_J_LT;
    case TSM_C_J_EQ_I: return TSM_C_J_NE_I;
    case TSM_C_J_NE_I: return TSM_C_J_EQ_I;
    case TSM_C_J_LT_I: return TSM_C_J_GE_I;
    case TSM_C_J_LE_I: return TSM_C_J_GT_I;
    case TSM_C_J_GT_I: return TSM_C_J_LE_I;
    default: return TSM_C_J_LT_I;
  }
}

/* Jumps along `chain` when the condition of an `if` is `sense`; returns the chain's new head. */
static uint32_t emit_branch(lowering *l, const tsm_node *n, bool sense, uint32_t chain) {
  if (!info_of(l, n->operands[0])->is_fused)
    return tsm_emit_jump(l, tsm_word(sense ? TSM_C_JT : TSM_C_JF, tsm_lower_slot_of(l, n->operands[0]), 0, 0), chain);
  const tsm_node *compare = n - 1;
  const opcode_forms *forms = &l->forms[compare->of.op->number];
  int immediate = tsm_lower_immediate_operand(l, compare);
  unsigned code = immediate < 0 ? forms->branch : forms->branch_immediate;
  if (!sense) code = inverse(code);
  uint16_t b = immediate < 0 ? tsm_lower_slot_of(l, compare->operands[1])
                             : (uint16_t)info_of(l, compare->operands[immediate])->constant->as.i;
  uint16_t a = tsm_lower_slot_of(l, compare->operands[immediate == 0]);
  return tsm_emit_compare_jump(l, tsm_word(code, a, b, 0), chain);
}

/* An arm that does nothing but jump: the branch can go there at once. NULL if it is not one. */
static scope *bare_target(lowering *l, scope *inner, const tsm_node *n, unsigned arm) {
  const tsm_block *b = &n->blocks[arm];
  if (b->node_count != 1 || (b->nodes[0].code != TSM_N_YIELD && b->nodes[0].code != TSM_N_BREAK)) return NULL;
  for (uint32_t at = deaths_of(l, n, DIES_ARM0 + arm); at; at = l->deaths[at - 1].next)
    if (is_counted(info_of(l, l->deaths[at - 1].value))) return NULL;
  scope *target = tsm_lower_scope_target(inner, &b->nodes[0]);
  return is_nothing_to_move(l, &b->nodes[0], target) ? target : NULL;
}

static void emit_arm(lowering *l, scope *inner, const tsm_node *n, unsigned arm, bool is_last) {
  for (uint32_t at = deaths_of(l, n, DIES_ARM0 + arm); at; at = l->deaths[at - 1].next)
    tsm_emit_drop(l, l->deaths[at - 1].value);
  inner->is_last = is_last;
  emit_block(l, inner, &n->blocks[arm]);
}

static void emit_if(lowering *l, scope *s, const tsm_node *n) {
  scope inner;
  tsm_lower_scope_enter(&inner, s, n);
  for (unsigned arm = 0; arm < 2; arm++) {
    scope *target = bare_target(l, &inner, n, arm);
    if (!target) continue;
    target->exits = emit_branch(l, n, arm == 0, target->exits);
    emit_arm(l, &inner, n, 1 - arm, true);
    tsm_lower_patch_chain(l, inner.exits, l->code_length);
    return;
  }
  uint32_t to_second = emit_branch(l, n, false, 0);
  emit_arm(l, &inner, n, 0, false);
  tsm_lower_patch_chain(l, to_second, l->code_length);
  emit_arm(l, &inner, n, 1, true);
  tsm_lower_patch_chain(l, inner.exits, l->code_length);
}

static void emit_loop(lowering *l, scope *s, const tsm_node *n) {
  scope inner;
  tsm_lower_scope_enter(&inner, s, n);
  emit_transfer(l, n, &inner, UINT16_MAX);
  inner.top = l->code_length;
  emit_block(l, &inner, &n->blocks[0]);
  tsm_lower_patch_chain(l, inner.exits, l->code_length);
}

static void emit_body(lowering *l, scope *s, const tsm_node *n) {
  scope inner;
  tsm_lower_scope_enter(&inner, s, n);
  inner.is_last = true;
  emit_block(l, &inner, &n->blocks[0]);
  tsm_lower_patch_chain(l, inner.exits, l->code_length);
}

static void emit_try(lowering *l, scope *s, const tsm_node *n) {
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

static void emit_node(lowering *l, scope *s, const tsm_node *n) {
  tsm_lower_mark_node(l, n->number);
  switch (n->code) {
    case TSM_N_IF: emit_if(l, s, n); break;
    case TSM_N_LOOP: emit_loop(l, s, n); break;
    case TSM_N_BLOCK: emit_body(l, s, n); break;
    case TSM_N_TRY: emit_try(l, s, n); break;
    case TSM_N_YIELD: case TSM_N_BREAK: case TSM_N_CONTINUE: emit_leave(l, s, n); return;
    case TSM_N_RETURN: emit_return(l, n); return;
    case TSM_N_RAISE: tsm_emit(l, tsm_word(TSM_C_RAISE, tsm_lower_slot_of(l, n->operands[0]), 0, 0)); return;
    case TSM_N_UNREACHABLE: tsm_emit(l, tsm_word(TSM_C_UNREACHABLE, 0, 0, 0)); return;
    default: {
      uint32_t stamp = stamp_deaths(l, n);
      tsm_emit_value(l, n, stamp);
      drop_stamped(l, n, stamp);
      drop_dead_results(l, n);
      return;
    }
  }
  tsm_lower_mark_node(l, n->number);
  drop_at_end(l, n);
}

static void emit_block(lowering *l, scope *s, const tsm_block *b) {
  for (uint32_t i = 0; i < b->node_count && l->status == TSM_OK; i++) emit_node(l, s, &b->nodes[i]);
}

/* ---- A function, a program */

static void emit_pool(lowering *l) {
  for (uint32_t i = 0; i < l->pool_count; i++) {
    const pool_entry *e = &l->pool[i];
    static const tsm_layout layouts[AREA_COUNT] = {TSM_L_REF, TSM_L_PAIR, TSM_L_I64};
    if (e->area != AREA_SCALAR && !e->tag && !e->bits) continue; /* frames start with NULL and None */
    tsm_type type = {.layout = (uint8_t)layouts[e->area]};
    tsm_pair constant;
    constant.tag = e->area == AREA_REF ? TSM_FIRST_REF : e->tag;
    constant.as.bits = e->bits;
    tsm_emit_constant(l, tsm_lower_pool_slot(l, e), &type, &constant);
  }
}

static void *keep(lowering *l, const void *items, uint32_t count, size_t size) {
  void *copy = tsm_arena_alloc(&l->program->arena, count, size);
  if (!copy) tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
  else if (count) memcpy(copy, items, count * size);
  return copy;
}

static void finish_plan(lowering *l) {
  tsm_plan *p = l->plan;
  p->function = l->f;
  p->length = l->code_length;
  p->weight = l->code_length;
  p->result_layout = l->f->result->layout;
  p->code = keep(l, l->code, l->code_length, sizeof *l->code);
  p->nodes = keep(l, l->nodes, l->node_count, sizeof *l->nodes);
  p->node_mark_count = l->node_count;
  p->ranges = keep(l, l->ranges, l->range_count, sizeof *l->ranges);
  p->range_count = l->range_count;
  p->handlers = keep(l, l->handlers, l->handler_count, sizeof *l->handlers);
  p->handler_count = l->handler_count;
}

static bool start_function(lowering *l, tsm_function *f) {
  l->f = f;
  l->plan = f->plan;
  l->death_count = l->stamp = l->pool_count = l->event_count = l->trail.length = 0;
  l->code_length = l->node_count = l->range_count = l->handler_count = l->move_count = 0;
  l->handler = TSM_NO_HANDLER;
  if (f->node_count > INT32_MAX / DIES_COUNT || f->value_count > INT32_MAX)
    return tsm_lower_fail(l, TSM_ERR_LIMIT, "the function is too large");
  l->arm_budget = 2 * f->value_count + 64;
  l->values = tsm_arena_alloc(&l->scratch, f->value_count, sizeof *l->values);
  l->death_heads = tsm_arena_alloc(&l->scratch, (size_t)f->node_count * DIES_COUNT, sizeof *l->death_heads);
  memset(l->pool_table, 0, POOL_TABLE * sizeof *l->pool_table);
  return (l->values && l->death_heads) || tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
}

static void lower_function(lowering *l, tsm_function *f) {
  if (start_function(l, f) && tsm_lower_find_facts(l) && tsm_lower_find_deaths(l) && tsm_lower_assign_registers(l)) {
    scope body;
    tsm_lower_scope_enter(&body, NULL, NULL);
    tsm_lower_mark_node(l, 0);
    emit_pool(l);
    emit_block(l, &body, &f->body);
    if (l->status == TSM_OK) finish_plan(l);
  }
  tsm_arena_free(&l->scratch);
}

static void add_form(opcode_forms *f, unsigned pattern, uint16_t code) {
  switch (pattern) {
    case TSM_P_AB: case TSM_P_ABC: f->plain = code; break;
    case TSM_P_ABI: f->immediate = code; break;
    case TSM_P_AB_TO: f->branch = code; break;
    case TSM_P_AI_TO: f->branch_immediate = code; break;
    case TSM_P_L8: f->by_layout[TSM_L_I64] = f->by_layout[TSM_L_F64] = code; break;
    case TSM_P_L1: f->by_layout[TSM_L_U8] = code; break;
    case TSM_P_LR: f->by_layout[TSM_L_REF] = code; break;
    default: break;
  }
}

static bool find_forms(lowering *l, opcode_forms *forms) {
  for (uint16_t code = 0; code < TSM_C_COUNT; code++) {
    const tsm_opcode_row *row = &tsm_opcode_rows[code];
    if (!*row->operator_name) continue;
    const tsm_op *op = tsm_opcode_operator(l->rt->ops, code);
    if (!op) return tsm_lower_fail(l, TSM_ERR_INTERNAL, row->operator_name);
    add_form(&forms[op->number], row->pattern, code);
  }
  l->forms = forms;
  return true;
}

static bool prepare(lowering *l, tsm_arena *arena) {
  size_t ops = l->rt->ops->count;
  opcode_forms *forms = tsm_arena_alloc(arena, ops, sizeof *forms);
  l->defaults = tsm_arena_alloc(arena, ops, sizeof *l->defaults);
  l->pool = tsm_arena_alloc(arena, POOL_MAX, sizeof *l->pool);
  l->pool_table = tsm_arena_alloc(arena, POOL_TABLE, sizeof *l->pool_table);
  l->source_uses = tsm_arena_alloc(arena, TSM_MAX_SLOTS + 1, sizeof *l->source_uses);
  l->target_move = tsm_arena_alloc(arena, TSM_MAX_SLOTS + 1, sizeof *l->target_move);
  bool is_done = forms && l->defaults && l->pool && l->pool_table && l->source_uses && l->target_move;
  for (int area = 0; area < AREA_COUNT && is_done; area++) {
    area_state *a = &l->areas[area];
    a->free = tsm_arena_alloc(arena, TSM_MAX_SLOTS, sizeof *a->free);
    a->busy = tsm_arena_alloc(arena, TSM_MAX_SLOTS, 1);
    a->is_stacked = tsm_arena_alloc(arena, TSM_MAX_SLOTS, 1);
    is_done = a->free && a->busy && a->is_stacked;
  }
  if (!is_done) return tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
  return find_forms(l, forms);
}

static void release_buffers(lowering *l) {
  tsm_free(l->rt, l->deaths, l->death_capacity * sizeof *l->deaths);
  tsm_free(l->rt, l->trail.items, l->trail.capacity * sizeof *l->trail.items);
  tsm_free(l->rt, l->events, l->event_capacity * sizeof *l->events);
  tsm_free(l->rt, l->code, l->code_capacity * sizeof *l->code);
  tsm_free(l->rt, l->nodes, l->node_capacity * sizeof *l->nodes);
  tsm_free(l->rt, l->ranges, l->range_capacity * sizeof *l->ranges);
  tsm_free(l->rt, l->handlers, l->handler_capacity * sizeof *l->handlers);
  tsm_free(l->rt, l->moves, l->move_capacity * sizeof *l->moves);
  tsm_free(l->rt, l->operands, l->operand_capacity * sizeof *l->operands);
  tsm_free(l->rt, l->move_list, l->move_list_capacity * sizeof *l->move_list);
}

tsm_status tsm_lower_program(tsm_program *p, tsm_error *out_error) {
  lowering l;
  memset(&l, 0, sizeof l);
  l.program = p;
  l.rt = p->rt;
  l.out_error = out_error;
  tsm_arena_init(&l.scratch, p->rt);
  tsm_arena tables;
  tsm_arena_init(&tables, p->rt);
  tsm_plan *plans = tsm_arena_alloc(&p->arena, p->function_count, sizeof *plans);
  if (!plans) tsm_lower_fail(&l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
  else if (prepare(&l, &tables)) {
    for (uint32_t i = 0; i < p->function_count; i++) p->functions[i].plan = &plans[i];
    for (uint32_t i = 0; i < p->function_count && l.status == TSM_OK; i++) lower_function(&l, &p->functions[i]);
  }
  release_buffers(&l);
  tsm_arena_free(&tables);
  return l.status;
}
