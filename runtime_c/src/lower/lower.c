/* lower.c - the plans of a whole program, and what the steps of lowering share.
 * In: verified functions. Out: a tsm_plan for each, in the program's arena.
 * Holds: memory used on the way is given back; the first failure ends it all. */
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

/* ---- A function, a program */

static void emit_pool(lowering *l) {
  for (uint32_t i = 0; i < l->pool_count; i++) {
    const pool_entry *e = &l->pool[i];
    static const tsm_type types[AREA_COUNT] = {{.layout = TSM_L_REF}, {.layout = TSM_L_PAIR}, {.layout = TSM_L_I64}};
    if (e->area != AREA_SCALAR && !e->tag && !e->bits) continue; /* frames start with NULL and None */
    if (e->constant) tsm_emit_constant(l, tsm_lower_pool_slot(l, e), &types[e->area], e->constant);
    else tsm_emit_default(l, e);
  }
}

static void *keep(lowering *l, const void *items, uint32_t count, size_t size) {
  void *copy = tsm_arena_alloc(&l->program->arena, count, size);
  if (!copy) tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
  else if (count) memcpy(copy, items, count * size);
  return copy;
}

static bool is_alone(const lowering *l) {
  if (l->plan->scalar_base || l->f->result->layout > TSM_L_F64) return false;
  for (uint32_t pc = 0; pc < l->code_length; pc += tsm_instruction_length(&l->code[pc])) {
    unsigned pattern = tsm_opcode_rows[tsm_word_op(l->code[pc])].pattern;
    if (pattern == TSM_P_CALL || pattern == TSM_P_OP) return false;
  }
  return true;
}

static void finish_plan(lowering *l) {
  tsm_plan *p = l->plan;
  p->function = l->f;
  p->length = l->code_length;
  p->weight = tsm_lower_weight(l);
  p->result_layout = l->f->result->layout;
  p->is_alone = is_alone(l);
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
  l->masked_end = l->code_length = l->node_count = l->range_count = l->handler_count = l->move_count = 0;
  l->handler = TSM_NO_HANDLER;
  l->chain_link = NULL;
  l->fuser = NULL;
  if (f->node_count > INT32_MAX / DIES_COUNT || f->value_count > INT32_MAX)
    return tsm_lower_fail(l, TSM_ERR_LIMIT, "the function is too large");
  l->arm_budget = 2 * f->value_count + 64;
  l->values = tsm_arena_alloc(&l->scratch, f->value_count, sizeof *l->values);
  l->death_heads = tsm_arena_alloc(&l->scratch, (size_t)f->node_count * DIES_COUNT, sizeof *l->death_heads);
  memset(l->pool_table, 0, POOL_TABLE * sizeof *l->pool_table);
  return (l->values && l->death_heads) || tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
}

static void lower_function(lowering *l, tsm_function *f) {
  if (start_function(l, f) && tsm_lower_find_chains(l, f) && tsm_lower_find_facts(l) && tsm_lower_find_layouts(l) &&
      tsm_lower_find_deaths(l) && tsm_lower_assign_registers(l)) {
    tsm_lower_mark_node(l, 0);
    emit_pool(l);
    tsm_emit_body(l);
    if (l->status == TSM_OK) finish_plan(l);
  }
  tsm_arena_free(&l->scratch);
}

static void add_form(opcode_forms *f, unsigned pattern, uint16_t code) {
  switch (pattern) {
    case TSM_P_AB: case TSM_P_ABC: case TSM_P_RRR: f->plain = code; break;
    case TSM_P_D: case TSM_P_DO: f->for_dict = code; break;
    case TSM_P_ABI: f->immediate = code; break;
    case TSM_P_AB_TO: f->branch = code; break;
    case TSM_P_AI_TO: f->branch_immediate = code; break;
    case TSM_P_L8: f->by_layout[TSM_L_I64] = f->by_layout[TSM_L_F64] = code; break;
    case TSM_P_L1: f->by_layout[TSM_L_U8] = code; break;
    case TSM_P_LR: f->by_layout[TSM_L_REF] = code; break;
    case TSM_P_LP: f->by_layout[TSM_L_PAIR] = code; break;
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
  l->str_any = tsm_op_find(l->rt->ops, "str", "any");
  l->str_join = tsm_op_find(l->rt->ops, "str.join", "");
  l->conv2d = tsm_op_find(l->rt->ops, "conv2d", "");
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
