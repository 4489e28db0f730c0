/* decode_functions.c - FUNCTIONS: bytes to trees of blocks and nodes.
 * In: the section. Out: p->functions with numbered values and nodes.
 * Holds: every operand is defined before its use in an open block; every block ends in its only END node. Nesting is on
 * an explicit stack, and memory grows with what has been read, not with what a count promises. */
#include "load.h"

typedef struct defined_value { const tsm_type *type; uint32_t block; } defined_value; /* block: its serial number */

/* A block being read. */
typedef struct open_block {
  tsm_node node;         /* that owns the block; unused for a function's body */
  tsm_block *blocks;     /* of the node */
  uint32_t block_index;  /* which of them is being read */
  uint32_t nodes_left;
  uint32_t serial;
  size_t first_node;     /* place of the block's first node in `nodes` */
} open_block;

typedef struct function_decoder {
  tsm_loader *l;
  tsm_reader *r;
  tsm_function *f;
  defined_value *values;
  uint8_t *is_open;      /* by block serial */
  uint8_t *is_named;     /* by string number: a function has this name */
  tsm_node *nodes;       /* finished nodes of all open blocks */
  size_t value_capacity, block_capacity, node_capacity, node_top;
  uint32_t value_count, block_count, node_count;
  size_t depth;          /* of `stack` */
  open_block stack[1 + TSM_MAX_DEPTH]; /* the body, and what nests in it */
} function_decoder;

/* Room for one more element in an array. Returns it, moved if need be; NULL: failed, the array is as it was. */
static void *grown(function_decoder *d, void *array, size_t *capacity, size_t used, size_t size) {
  if (used < *capacity) return array;
  size_t more = *capacity ? *capacity * 2 : 64;
  void *moved = tsm_realloc(d->l->rt, array, *capacity * size, more * size);
  if (moved) *capacity = more;
  else tsm_reader_no_memory(d->r);
  return moved;
}

static void define_value(function_decoder *d, const tsm_type *type, uint32_t block) {
  defined_value *values = grown(d, d->values, &d->value_capacity, d->value_count, sizeof *values);
  if (!values) return;
  d->values = values;
  values[d->value_count++] = (defined_value){type, block};
}

static uint32_t new_serial(function_decoder *d) {
  uint8_t *is_open = grown(d, d->is_open, &d->block_capacity, d->block_count, 1);
  if (!is_open) return 0;
  d->is_open = is_open;
  is_open[d->block_count] = 1;
  return d->block_count++;
}

static void push_node(function_decoder *d, const tsm_node *node) {
  tsm_node *nodes = grown(d, d->nodes, &d->node_capacity, d->node_top, sizeof *nodes);
  if (!nodes) return;
  d->nodes = nodes;
  nodes[d->node_top++] = *node;
}

static void read_operands(function_decoder *d, tsm_node *node) {
  uint32_t count = tsm_read_count(d->r, 1, "operands");
  uint32_t *operands = tsm_loader_alloc(d->l, d->r, count, sizeof *operands);
  for (uint32_t i = 0; i < count && tsm_reader_ok(d->r); i++) {
    operands[i] = tsm_read_index(d->r, d->value_count, "value defined before");
    if (tsm_reader_ok(d->r) && !d->is_open[d->values[operands[i]].block])
      tsm_reader_fail(d->r, TSM_ERR_VERIFY, "function '%.60s': value %u is used outside of the block that defines it",
                      d->f->name, operands[i]);
  }
  node->operands = operands;
  node->operand_count = count;
}

static bool is_end(const tsm_node *node) { return node->code >= TSM_N_YIELD && node->code <= TSM_N_UNREACHABLE; }

static uint16_t block_count_of(const tsm_node *node) {
  switch (node->code) {
    case TSM_N_IF: case TSM_N_TRY: return 2;
    case TSM_N_LOOP: case TSM_N_BLOCK: case TSM_N_FUSED: return 1;
    default: return 0;
  }
}

static void read_code(function_decoder *d, tsm_node *node) {
  tsm_program *p = d->l->p;
  uint64_t code = tsm_read_uv(d->r);
  if (code >= TSM_N_OPERATOR && code - TSM_N_OPERATOR < p->operator_count) {
    node->code = TSM_N_OPERATOR;
    node->of.op = p->operators[code - TSM_N_OPERATOR];
  } else if (code < TSM_N_COUNT) {
    node->code = (uint16_t)code;
  } else {
    tsm_reader_fail(d->r, TSM_ERR_FORMAT, "there is no node or operator with code %llu", (unsigned long long)code);
  }
  if (node->code == TSM_N_FUSED && d->l->minor < 1)
    tsm_reader_fail(d->r, TSM_ERR_FORMAT, "the header allows readers that do not know the node fused");
}

static void read_fields(function_decoder *d, tsm_node *node) {
  tsm_program *p = d->l->p;
  uint32_t index;
  switch (node->code) {
    case TSM_N_CONST:
      index = tsm_read_index(d->r, p->constant_count, "constant");
      node->field = index;
      node->of.constant = tsm_reader_ok(d->r) ? &p->constants[index] : NULL;
      break;
    case TSM_N_CALL:
      index = tsm_read_index(d->r, p->function_count, "function");
      node->of.function = &p->functions[index];
      break;
    case TSM_N_BREAK: case TSM_N_CONTINUE: node->field = tsm_read_index(d->r, TSM_MAX_DEPTH, "label"); break;
    case TSM_N_TUPLE_GET: case TSM_N_GET_ATTR: case TSM_N_SET_ATTR:
      node->field = tsm_read_index(d->r, INT32_MAX, "member");
      break;
    case TSM_N_IS_TYPE: node->of.type = tsm_loader_type(d->l, d->r); break;
    default: break;
  }
}

/* Results are defined in the block the node stands in. */
static void read_results(function_decoder *d, tsm_node *node, uint32_t block) {
  node->first_result = d->value_count;
  if (is_end(node)) return;
  node->result_count = tsm_read_count(d->r, 1, "results");
  for (uint32_t i = 0; i < node->result_count && tsm_reader_ok(d->r); i++) {
    const tsm_type *type = tsm_loader_type(d->l, d->r);
    if (type) define_value(d, type, block);
  }
}

/* Parameters and node count of the block that the top of the stack is to read next. */
static void begin_block(function_decoder *d) {
  open_block *top = &d->stack[d->depth - 1];
  tsm_block *block = &top->blocks[top->block_index];
  top->serial = new_serial(d);
  top->first_node = d->node_top;
  block->first_param = d->value_count;
  block->param_count = tsm_read_count(d->r, 1, "parameters");
  for (uint32_t i = 0; i < block->param_count && tsm_reader_ok(d->r); i++) {
    const tsm_type *type = tsm_loader_type(d->l, d->r);
    if (type) define_value(d, type, top->serial);
  }
  top->nodes_left = block->node_count = tsm_read_count(d->r, 2, "nodes");
  if (tsm_reader_ok(d->r) && !top->nodes_left) tsm_reader_fail(d->r, TSM_ERR_FORMAT, "a block has no nodes");
}

static void open_node(function_decoder *d, const tsm_node *node) {
  if (d->depth > TSM_MAX_DEPTH) {
    tsm_reader_fail(d->r, TSM_ERR_LIMIT, "function '%.60s': blocks are nested deeper than %d", d->f->name,
                    TSM_MAX_DEPTH);
    return;
  }
  tsm_block *blocks = tsm_loader_alloc(d->l, d->r, node->block_count, sizeof *blocks);
  if (!blocks) return;
  open_block *top = &d->stack[d->depth++];
  memset(top, 0, sizeof *top);
  top->node = *node;
  top->blocks = top->node.blocks = blocks;
  begin_block(d);
}

/* Moves the nodes of the block on top from the heap into the program. */
static void close_block(function_decoder *d) {
  open_block *top = &d->stack[d->depth - 1];
  tsm_block *block = &top->blocks[top->block_index];
  block->nodes = tsm_loader_alloc(d->l, d->r, block->node_count, sizeof *block->nodes);
  if (!block->nodes) return;
  memcpy(block->nodes, d->nodes + top->first_node, block->node_count * sizeof *block->nodes);
  d->node_top = top->first_node;
  d->is_open[top->serial] = 0;
  if (++top->block_index < top->node.block_count) {
    begin_block(d);
    return;
  }
  tsm_node node = top->node;
  if (--d->depth == 0) return;
  read_results(d, &node, d->stack[d->depth - 1].serial);
  push_node(d, &node);
}

static void read_node(function_decoder *d) {
  open_block *top = &d->stack[d->depth - 1];
  tsm_node node;
  memset(&node, 0, sizeof node);
  node.number = d->node_count++;
  read_code(d, &node);
  if (tsm_reader_ok(d->r)) read_operands(d, &node);
  if (tsm_reader_ok(d->r)) read_fields(d, &node);
  if (!tsm_reader_ok(d->r)) return;
  top->nodes_left--;
  if (is_end(&node) != (top->nodes_left == 0)) {
    tsm_reader_fail(d->r, TSM_ERR_VERIFY, "function '%.60s': %s", d->f->name,
                    is_end(&node) ? "a terminator stands before the end of its block"
                        : "a block does not end in a terminator");
    return;
  }
  node.block_count = block_count_of(&node);
  if (node.block_count) {
    open_node(d, &node);
  } else {
    read_results(d, &node, top->serial);
    push_node(d, &node);
  }
}

/* Parameters are the first values; the body has none of its own. */
static void read_body(function_decoder *d, const tsm_type *const *param_types) {
  open_block *top = &d->stack[0];
  memset(top, 0, sizeof *top);
  d->value_count = d->block_count = d->node_count = 0;
  d->node_top = 0;
  d->depth = 1;
  top->node.block_count = 1;
  top->blocks = &d->f->body;
  uint32_t outer = new_serial(d);
  for (uint32_t i = 0; i < d->f->param_count && tsm_reader_ok(d->r); i++) define_value(d, param_types[i], outer);
  if (tsm_reader_ok(d->r)) begin_block(d);
  if (tsm_reader_ok(d->r) && d->f->body.param_count)
    tsm_reader_fail(d->r, TSM_ERR_FORMAT, "function '%.60s': its body has parameters of its own", d->f->name);
  while (d->depth && tsm_reader_ok(d->r)) {
    if (d->stack[d->depth - 1].nodes_left) read_node(d);
    else close_block(d);
  }
}

static void keep_values(function_decoder *d) {
  const tsm_type **types = tsm_loader_alloc(d->l, d->r, d->value_count, sizeof *types);
  if (!types) return;
  for (uint32_t i = 0; i < d->value_count; i++) types[i] = d->values[i].type;
  d->f->value_types = types;
  d->f->value_count = d->value_count;
  d->f->node_count = d->node_count;
}

/* The name of a function, which no other has. */
static const char *read_function_name(function_decoder *d) {
  size_t at = d->r->at;
  uint32_t number = tsm_read_index(d->r, d->l->p->string_count, "string");
  if (!tsm_reader_ok(d->r)) return NULL;
  if (d->is_named[number]++)
    tsm_reader_fail(d->r, TSM_ERR_FORMAT, "two functions are named '%.60s'", d->l->p->strings[number]->bytes);
  d->r->at = at;
  return tsm_loader_name(d->l, d->r, "a function");
}

static void read_function(function_decoder *d) {
  tsm_loader *l = d->l;
  tsm_reader *section = d->r;
  tsm_function *f = d->f;
  f->name = read_function_name(d);
  uint8_t flags = tsm_read_u8(section);
  if (flags > 1) tsm_reader_fail(section, TSM_ERR_FORMAT, "a function has unknown flags %x", flags);
  f->has_self = flags & 1;
  f->param_count = tsm_read_count(section, 2, "parameters");
  const char **names = tsm_loader_alloc(l, section, f->param_count, sizeof *names);
  const tsm_type **types = tsm_loader_scratch(l, section, f->param_count, sizeof *types);
  const tsm_type **declared = tsm_loader_scratch(l, section, f->param_count, sizeof *declared);
  tsm_loader_new_names(l);
  for (uint32_t i = 0; i < f->param_count && tsm_reader_ok(section); i++) {
    names[i] = tsm_loader_new_name(l, section, "parameter");
    uint32_t number = tsm_read_index(section, l->p->type_count, "type");
    if (!tsm_reader_ok(section)) return;
    types[i] = l->p->types[number];
    declared[i] = l->declared[number];
  }
  f->param_names = names;
  uint32_t result = tsm_read_index(section, l->p->type_count, "type");
  size_t length;
  const uint8_t *bytes = tsm_read_blob(section, &length);
  if (!tsm_reader_ok(section)) return;
  f->result = l->p->types[result];
  l->declared_params[f->number] = declared;
  l->declared_results[f->number] = l->declared[result];
  if (f->has_self && !f->param_count)
    tsm_reader_fail(section, TSM_ERR_FORMAT, "function '%.60s' has no parameter that could be self", f->name);
  if (!tsm_reader_ok(section)) return;
  tsm_reader body;
  tsm_reader_init(&body, bytes, length, section->section, section->start + section->at - length, l->out_error);
  d->r = &body;
  read_body(d, types);
  if (tsm_reader_end(&body) == TSM_OK) keep_values(d);
  d->r = section;
  if (section->status == TSM_OK) section->status = body.status;
}

tsm_status tsm_decode_functions(tsm_loader *l) {
  tsm_program *p = l->p;
  tsm_reader r = tsm_loader_section(l, TSM_S_FUNCTIONS);
  uint32_t count = tsm_read_count(&r, 8, "functions");
  p->functions = tsm_loader_alloc(l, &r, count, sizeof *p->functions);
  l->declared_params = tsm_loader_scratch(l, &r, count, sizeof *l->declared_params);
  l->declared_results = tsm_loader_scratch(l, &r, count, sizeof *l->declared_results);
  uint8_t *is_named = tsm_loader_scratch(l, &r, p->string_count, 1);
  function_decoder *d = tsm_alloc_zeroed(l->rt, sizeof *d);
  if (!d) return tsm_reader_no_memory(&r);
  p->function_count = count;
  d->l = l;
  d->r = &r;
  d->is_named = is_named;
  for (uint32_t i = 0; i < count && tsm_reader_ok(&r); i++) {
    d->f = &p->functions[i];
    d->f->number = i;
    read_function(d);
  }
  tsm_free(l->rt, d->values, d->value_capacity * sizeof *d->values);
  tsm_free(l->rt, d->is_open, d->block_capacity);
  tsm_free(l->rt, d->nodes, d->node_capacity * sizeof *d->nodes);
  tsm_free(l->rt, d, sizeof *d);
  return tsm_reader_end(&r);
}
