/* tree.h - builds programs as trees in memory, for tests of lowering and the VM without files.
 * In: calls in the order of the text. Out: a tsm_program whose functions are lowered and callable by name.
 * Values are numbered as FORMAT.md says. What is built must be valid: nothing is verified here. */
#ifndef TREE_H
#define TREE_H

#include <stdarg.h>

#include "lower/plan.h"

enum { TREE_VALUES = 4096, TREE_NODES = 128, TREE_DEPTH = 32, TREE_FUNCTIONS = 16, TREE_TYPES = 32 };

typedef struct tree_level {
  tsm_node nodes[TREE_NODES];
  uint32_t count, first_param, param_count;
  tsm_node *owner;             /* the node in the level below whose block this is */
  tsm_block done[2];
  uint32_t done_count;
} tree_level;

typedef struct tree {
  tsm_program *p;
  tree_level *levels;
  int depth;
  uint32_t values, nodes;
  const tsm_type *types[TREE_VALUES];
  tsm_location *locations;
  const tsm_location **by_node;
  tsm_function *f;
  tsm_type *kinds[TREE_TYPES];
  uint32_t kind_count;
} tree;

static inline void *tree_alloc(tree *t, size_t count, size_t size) {
  return tsm_arena_alloc(&t->p->arena, count, size);
}

static inline const tsm_type *tree_type(tree *t, int kind, int layout, const tsm_type *a, const tsm_type *b) {
  uint32_t count = (uint32_t)(a != NULL) + (uint32_t)(b != NULL);
  for (uint32_t i = 0; i < t->kind_count; i++) {
    tsm_type *k = t->kinds[i];
    if (k->kind == kind && k->count == count && (!a || k->members[0] == a) && (!b || k->members[1] == b)) return k;
  }
  tsm_type *type = tree_alloc(t, 1, sizeof *type);
  type->kind = (uint8_t)kind;
  type->layout = (uint8_t)layout;
  type->width = layout == TSM_L_PAIR ? 2 : 1;
  type->dtype = 255;
  type->rank = -1;
  type->count = count;
  type->members = tree_alloc(t, 2, sizeof *type->members);
  type->members[0] = a;
  type->members[1] = b;
  t->kinds[t->kind_count++] = type;
  return type;
}
#define T_INT tree_type(t, TSM_T_INT, TSM_L_I64, NULL, NULL)
#define T_FLOAT tree_type(t, TSM_T_FLOAT, TSM_L_F64, NULL, NULL)
#define T_BOOL tree_type(t, TSM_T_BOOL, TSM_L_U8, NULL, NULL)
#define T_NONE tree_type(t, TSM_T_NONE, TSM_L_I64, NULL, NULL)
#define T_STR tree_type(t, TSM_T_STR, TSM_L_REF, NULL, NULL)
#define T_EXC tree_type(t, TSM_T_EXCEPTION, TSM_L_REF, NULL, NULL)
#define T_LIST(e) tree_type(t, TSM_T_LIST, TSM_L_REF, e, NULL)
#define T_OPT(e) tree_type(t, TSM_T_OPTIONAL, (e)->layout == TSM_L_REF ? TSM_L_REF : TSM_L_PAIR, e, NULL)
#define T_UNION(a, b) tree_type(t, TSM_T_UNION, TSM_L_PAIR, a, b)
#define T_CELL(e) tree_type(t, TSM_T_CELL, TSM_L_REF, e, NULL)

static inline tree *tree_new(tsm_runtime *rt) {
  tsm_program *p = tsm_alloc_zeroed(rt, sizeof *p);
  if (!p) return NULL;
  atomic_init(&p->refs, 1);
  p->rt = rt;
  p->root = -1;
  tsm_arena_init(&p->arena, rt);
  tsm_runtime_retain(rt);
  p->heap = tsm_heap_new(rt, NULL);
  tree *t = calloc(1, sizeof *t);
  t->levels = calloc(TREE_DEPTH, sizeof *t->levels);
  t->p = p;
  p->functions = tree_alloc(t, TREE_FUNCTIONS, sizeof *p->functions);
  p->constants = tree_alloc(t, TREE_VALUES, sizeof *p->constants);
  p->constant_types = tree_alloc(t, TREE_VALUES, sizeof *p->constant_types);
  p->methods = tree_alloc(t, TREE_FUNCTIONS, sizeof *p->methods);
  return t;
}

static inline uint32_t tree_value(tree *t, const tsm_type *type) {
  t->types[t->values] = type;
  return t->values++;
}

/* Starts function number p->function_count; call tree_param for each parameter, then build. */
static inline void tree_function(tree *t, const char *name, const tsm_type *result) {
  t->f = &t->p->functions[t->p->function_count];
  t->f->name = name;
  t->f->number = t->p->function_count;
  t->f->result = result;
  t->values = t->nodes = 0;
  t->depth = 0;
  memset(t->levels, 0, sizeof *t->levels);
  t->by_node = tree_alloc(t, TREE_VALUES, sizeof *t->by_node);
}
static inline uint32_t tree_param(tree *t, const tsm_type *type) {
  t->f->param_count++;
  return tree_value(t, type);
}

static inline tsm_node *tree_node(tree *t, unsigned code, uint32_t operands, ...) {
  tree_level *level = &t->levels[t->depth];
  tsm_node *n = &level->nodes[level->count++];
  memset(n, 0, sizeof *n);
  n->code = (uint16_t)code;
  n->number = t->nodes++;
  uint32_t *list = tree_alloc(t, operands, sizeof *list);
  va_list args;
  va_start(args, operands);
  for (uint32_t i = 0; i < operands; i++) list[i] = va_arg(args, uint32_t);
  va_end(args);
  n->operands = list;
  n->operand_count = operands;
  tsm_location *where = tree_alloc(t, 1, sizeof *where);
  where->file = "model.py";
  where->function = t->f->name;
  where->line = n->number + 1;
  where->column = 1;
  t->by_node[n->number] = where;
  return n;
}

static inline tsm_node *tree_node_of(tree *t, unsigned code, uint32_t count, const uint32_t *operands) {
  tsm_node *n = tree_node(t, code, 0);
  uint32_t *list = tree_alloc(t, count, sizeof *list);
  if (count) memcpy(list, operands, count * sizeof *list);
  n->operands = list;
  n->operand_count = count;
  return n;
}

static inline uint32_t tree_result(tree *t, tsm_node *n, const tsm_type *type) {
  n->result_count = 1;
  return n->first_result = tree_value(t, type);
}
static inline uint32_t tree_const(tree *t, const tsm_type *type, uint64_t tag, uint64_t bits) {
  tsm_node *n = tree_node(t, TSM_N_CONST, 0);
  if (t->p->constant_count == TREE_VALUES) abort();
  tsm_pair *c = &t->p->constants[t->p->constant_count];
  t->p->constant_types[t->p->constant_count++] = type;
  c->tag = tag;
  c->as.bits = bits;
  n->of.constant = c;
  return tree_result(t, n, type);
}
/* Objects in an instance's heap besides its copies of constants, which are texts here. */
static inline int64_t tree_live(const tsm_instance *i) {
  int64_t live = (int64_t)i->ctx.heap->live;
  for (uint32_t k = 0; k < i->program->constant_count; k++) live -= i->constants[k] != NULL;
  return live;
}
static inline uint32_t tree_int(tree *t, int64_t i) { return tree_const(t, T_INT, TSM_INT, (uint64_t)i); }
static inline uint32_t tree_none(tree *t) { return tree_const(t, T_NONE, TSM_NONE, 0); }
static inline uint32_t tree_str(tree *t, const char *text) {
  size_t length = strlen(text);
  tsm_str *s = tree_alloc(t, 1, sizeof *s + length + 1);
  atomic_init(&s->head.refs, TSM_IMMORTAL);
  s->head.kind = TSM_STR;
  s->head.heap = t->p->heap;
  s->length = (uint32_t)length;
  memcpy(s->bytes, text, length);
  tsm_str_finish(s);
  return tree_const(t, T_STR, TSM_STR, (uint64_t)(uintptr_t)s);
}
/* Operator node; result NULL: none. */
static inline uint32_t tree_op(tree *t, const char *name, const char *overload, const tsm_type *result, uint32_t count,
                               uint32_t a, uint32_t b) {
  tsm_node *n = count == 1 ? tree_node(t, TSM_N_OPERATOR, 1, a) : tree_node(t, TSM_N_OPERATOR, 2, a, b);
  n->of.op = tsm_op_find(t->p->rt->ops, name, overload);
  if (!n->of.op) abort();
  return result ? tree_result(t, n, result) : 0;
}
#define INT_OP(name, a, b) tree_op(t, name, "int", T_INT, 2, a, b)
#define INT_IS(name, a, b) tree_op(t, name, "int", T_BOOL, 2, a, b)

/* Opens the first block of a node, or its next one. */
static inline void tree_open(tree *t, tsm_node *n) {
  tree_level *level = &t->levels[t->depth + 1];
  if (level->owner != n || !level->done_count) level->done_count = 0;
  level->owner = n;
  level->count = level->param_count = 0;
  level->first_param = t->values;
  t->depth++;
}
static inline uint32_t tree_block_param(tree *t, const tsm_type *type) {
  t->levels[t->depth].param_count++;
  return tree_value(t, type);
}
static inline tsm_block tree_finish_block(tree *t) {
  tree_level *level = &t->levels[t->depth];
  tsm_block b = {level->first_param, level->param_count, level->count, tree_alloc(t, level->count, sizeof(tsm_node))};
  memcpy(b.nodes, level->nodes, level->count * sizeof(tsm_node));
  return b;
}
static inline void tree_close(tree *t) {
  tree_level *level = &t->levels[t->depth];
  tsm_block b = tree_finish_block(t);
  tsm_node *n = level->owner;
  tsm_block *blocks = tree_alloc(t, (size_t)n->block_count + 1, sizeof *blocks);
  if (n->block_count) memcpy(blocks, n->blocks, n->block_count * sizeof *blocks);
  blocks[n->block_count++] = b;
  n->blocks = blocks;
  level->owner = NULL;
  t->depth--;
}
static inline tsm_node *tree_leave(tree *t, unsigned code, uint32_t label, uint32_t count, uint32_t a, uint32_t b) {
  tsm_node *n = count == 2 ? tree_node(t, code, 2, a, b) : tree_node(t, code, count, a);
  n->field = label;
  return n;
}
#define YIELD0 tree_leave(t, TSM_N_YIELD, 0, 0, 0, 0)
#define YIELD1(a) tree_leave(t, TSM_N_YIELD, 0, 1, a, 0)
#define BREAK0(l) tree_leave(t, TSM_N_BREAK, l, 0, 0, 0)
#define BREAK1(l, a) tree_leave(t, TSM_N_BREAK, l, 1, a, 0)
#define CONTINUE1(l, a) tree_leave(t, TSM_N_CONTINUE, l, 1, a, 0)
#define CONTINUE2(l, a, b) tree_leave(t, TSM_N_CONTINUE, l, 2, a, b)
#define RETURN(a) tree_leave(t, TSM_N_RETURN, 0, 1, a, 0)

static inline void tree_end(tree *t) {
  tsm_function *f = t->f;
  f->body = tree_finish_block(t);
  f->value_count = t->values;
  f->node_count = t->nodes;
  const tsm_type **types = tree_alloc(t, t->values, sizeof *types);
  memcpy(types, t->types, t->values * sizeof *types);
  f->value_types = types;
  f->locations = t->by_node;
  tsm_method *m = &t->p->methods[t->p->method_count++];
  tsm_param_info *params = tree_alloc(t, f->param_count, sizeof *params);
  static const char *const names[] = {"a", "b", "c", "d"};
  for (uint32_t i = 0; i < f->param_count; i++) params[i] = (tsm_param_info){names[i], types[i], false, false};
  m->info = (tsm_method_info){f->name, "", f->param_count, params, f->result, 0};
  m->function = f;
  m->defaults = tree_alloc(t, f->param_count, sizeof *m->defaults);
  t->p->function_count++;
}

/* Lowers; frees the builder. The program is the caller's. */
static inline tsm_program *tree_done(tree *t, tsm_error *error) {
  tsm_program *p = t->p;
  tsm_status status = tsm_lower_program(p, error);
  free(t->levels);
  free(t);
  if (status == TSM_OK) return p;
  tsm_program_free(p);
  return NULL;
}

#endif
