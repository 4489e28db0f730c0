/* verify.c - the typing rules of every node (FORMAT.md, FUNCTIONS).
 * In: a decoded function. Out: TSM_OK, or TSM_ERR_VERIFY with function, node and rule.
 * Holds: what passes can be lowered and run without any further check of types. One case a node, in number order. */
#include "program.h"

typedef struct verify_frame {
  const tsm_node *owner;   /* NULL: the function's body */
  const tsm_block *block;
  uint32_t next;           /* node to look at */
} verify_frame;

typedef struct verifier {
  const tsm_program *p;
  const tsm_function *f;
  tsm_error *out_error;
  size_t depth;
  verify_frame stack[2 * TSM_MAX_DEPTH + 2]; /* a node's second block waits while the first is walked */
} verifier;

static tsm_status fail(const verifier *v, const tsm_node *n, const char *why) {
  const char *name = n->code == TSM_N_OPERATOR ? n->of.op->name : tsm_node_name(n->code);
  const char *dot = n->code == TSM_N_OPERATOR && n->of.op->overload[0] ? "." : "";
  return tsm_error_set(v->out_error, TSM_ERR_VERIFY, "section FUNCTIONS: function '%.80s', node %u (%s%s%s): %.300s",
                       v->f->name, n->number, name, dot, *dot ? n->of.op->overload : "", why);
}

static const tsm_type *operand(const verifier *v, const tsm_node *n, uint32_t i) {
  return v->f->value_types[n->operands[i]];
}

static const tsm_type *result(const verifier *v, const tsm_node *n, uint32_t i) {
  return v->f->value_types[n->first_result + i];
}

static bool has_counts(const tsm_node *n, uint32_t operands, uint32_t results) {
  return n->operand_count == operands && n->result_count == results;
}

/* Whether operands have the types of consecutive values. */
static bool operands_match_values(const verifier *v, const tsm_node *n, uint32_t first, uint32_t count) {
  if (n->operand_count != count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (operand(v, n, i) != v->f->value_types[first + i]) return false;
  return true;
}

static bool operands_are(const verifier *v, const tsm_node *n, const tsm_type *type) {
  for (uint32_t i = 0; i < n->operand_count; i++)
    if (operand(v, n, i) != type) return false;
  return true;
}

static const char *check_call(const verifier *v, const tsm_node *n) {
  const tsm_function *callee = n->of.function;
  if (n->operand_count != callee->param_count || n->result_count != 1)
    return "the number of arguments or results is wrong";
  for (uint32_t i = 0; i < n->operand_count; i++)
    if (operand(v, n, i) != callee->value_types[i]) return "an argument does not have the parameter's type";
  return result(v, n, 0) == callee->result ? NULL : "the result does not have the function's type";
}

static const char *check_tuple(const verifier *v, const tsm_node *n) {
  const tsm_type *t = n->result_count == 1 ? result(v, n, 0) : NULL;
  if (!t || (t->kind != TSM_T_TUPLE && t->kind != TSM_T_NAMED_TUPLE)) return "the result is not a tuple";
  if (t->is_variadic) return operands_are(v, n, t->members[0]) ? NULL : "an element has the wrong type";
  if (n->operand_count != t->count) return "the number of elements is wrong";
  for (uint32_t i = 0; i < t->count; i++)
    if (operand(v, n, i) != t->members[i]) return "an element has the wrong type";
  return NULL;
}

static const char *check_container(const verifier *v, const tsm_node *n, uint8_t kind) {
  const tsm_type *t = n->result_count == 1 ? result(v, n, 0) : NULL;
  if (!t || t->kind != kind) return "the result has the wrong type";
  if (n->operand_count % t->count) return "a key has no value";
  for (uint32_t i = 0; i < n->operand_count; i++)
    if (operand(v, n, i) != t->members[i % t->count]) return "an element has the wrong type";
  return NULL;
}

static const char *check_member(const verifier *v, const tsm_node *n) {
  bool is_set = n->code == TSM_N_SET_ATTR;
  if (!has_counts(n, is_set ? 2 : 1, is_set ? 0 : 1)) return "the number of operands or results is wrong";
  const tsm_type *t = operand(v, n, 0);
  bool is_right = n->code == TSM_N_TUPLE_GET ? (t->kind == TSM_T_TUPLE && !t->is_variadic) || t->kind ==
      TSM_T_NAMED_TUPLE
                                             : t->kind == TSM_T_CLASS;
  if (!is_right) return "the operand has the wrong type";
  if (n->field >= t->count) return "there is no such member";
  return t->members[n->field] == (is_set ? operand(v, n, 1) : result(v, n, 0)) ? NULL : "the member has another type";
}

static const char *check_cell(const verifier *v, const tsm_node *n) {
  if (n->code == TSM_N_CELL) {
    const tsm_type *t = n->result_count == 1 ? result(v, n, 0) : NULL;
    if (!t || t->kind != TSM_T_CELL || n->operand_count > 1) return "this does not make a cell";
    return operands_are(v, n, t->members[0]) ? NULL : "the value does not have the cell's type";
  }
  bool is_set = n->code == TSM_N_CELL_SET;
  if (!has_counts(n, is_set ? 2 : 1, is_set ? 0 : 1)) return "the number of operands or results is wrong";
  const tsm_type *t = operand(v, n, 0);
  if (t->kind != TSM_T_CELL) return "the operand is not a cell";
  return t->members[0] == (is_set ? operand(v, n, 1) : result(v, n, 0)) ? NULL
      : "the value does not have the cell's type";
}

static const char *check_conversion(const verifier *v, const tsm_node *n) {
  if (!has_counts(n, 1, 1)) return "the number of operands or results is wrong";
  const tsm_type *from = operand(v, n, 0), *to = result(v, n, 0);
  if (n->code == TSM_N_WIDEN)
    return tsm_type_has_arm(to, from) ? NULL : "the operand's type is not an arm of the result's";
  if (n->code == TSM_N_NARROW)
    return tsm_type_has_arm(from, to) ? NULL : "the result's type is not an arm of the operand's";
  if (from->kind == TSM_T_TUPLE || !tsm_type_has_arm(from, n->of.type))
    return "the type is not an arm of the operand's";
  return to->kind == TSM_T_BOOL ? NULL : "the result is not a bool";
}

static const char *check_operator(const verifier *v, const tsm_node *n, char *out_why, size_t capacity) {
  const tsm_schema *s = &n->of.op->schema;
  const tsm_type *types[TSM_MAX_PARAMS];
  if (n->operand_count > TSM_MAX_PARAMS) return "too many operands";
  for (uint32_t i = 0; i < n->operand_count; i++) types[i] = operand(v, n, i);
  return tsm_schema_fits(s, types, n->operand_count, v->f->value_types + n->first_result, n->result_count, out_why,
                         capacity)
             ? NULL
             : out_why;
}

/* The loop or block that a label names; NULL if there is none. */
static const tsm_node *find_label(const verifier *v, uint32_t label) {
  for (size_t i = v->depth; i-- > 0;) {
    const tsm_node *owner = v->stack[i].owner;
    if (!owner || (owner->code != TSM_N_LOOP && owner->code != TSM_N_BLOCK)) continue;
    if (label-- == 0) return owner;
  }
  return NULL;
}

static const char *check_end(const verifier *v, const tsm_node *n) {
  const tsm_node *owner = v->stack[v->depth - 1].owner, *target;
  switch (n->code) {
    case TSM_N_YIELD:
      if (!owner || owner->code == TSM_N_LOOP) return "only blocks of if, block, try and fused yield";
      return operands_match_values(v, n, owner->first_result, owner->result_count) ? NULL
          : "the types are not the results'";
    case TSM_N_BREAK:
      if (!(target = find_label(v, n->field))) return "there is no such label";
      return operands_match_values(v, n, target->first_result, target->result_count) ? NULL
          : "the types are not the results'";
    case TSM_N_CONTINUE:
      target = find_label(v, n->field);
      if (!target || target->code != TSM_N_LOOP) return "the label is not a loop";
      return operands_match_values(v, n, target->blocks[0].first_param, target->blocks[0].param_count)
                 ? NULL : "the types are not the parameters'";
    case TSM_N_RETURN:
      return n->operand_count == 1 && operand(v, n, 0) == v->f->result ? NULL
          : "the value does not have the function's type";
    case TSM_N_RAISE:
      return n->operand_count == 1 && operand(v, n, 0)->kind == TSM_T_EXCEPTION ? NULL
          : "the operand is not an exception";
    default: return n->operand_count == 0 ? NULL : "there must be no operands";
  }
}

static const char *check_control(const verifier *v, const tsm_node *n) {
  const tsm_block *b = n->blocks;
  switch (n->code) {
    case TSM_N_IF:
      if (n->operand_count != 1 || operand(v, n, 0)->kind != TSM_T_BOOL) return "the condition is not a bool";
      return b[0].param_count || b[1].param_count ? "an arm has parameters" : NULL;
    case TSM_N_LOOP:
      return operands_match_values(v, n, b[0].first_param, b[0].param_count) ? NULL
          : "the initial values have wrong types";
    case TSM_N_BLOCK: return n->operand_count || b[0].param_count ? "there are operands or parameters" : NULL;
    default:
      if (n->operand_count || b[0].param_count) return "there are operands or parameters";
      return b[1].param_count == 1 && v->f->value_types[b[1].first_param]->kind == TSM_T_EXCEPTION
                 ? NULL : "the handler does not take an exception";
  }
}

/* Operators of a fused block's node: pure, one new tensor each, pointwise but for the first. */
static const char *check_fused_operator(const verifier *v, const tsm_node *n, bool is_first) {
  if (n->code != TSM_N_OPERATOR) return "the block holds a node that is no operator";
  uint32_t traits = n->of.op->traits;
  if (traits & (TSM_TRAIT(MUTATES) | TSM_TRAIT(IO) | TSM_TRAIT(RANDOM)) || !(traits & TSM_TRAIT(FRESH)))
    return "the block holds an operator with effects";
  if (!is_first && !(traits & TSM_TRAIT(POINTWISE))) return "the block holds an operator that is not pointwise";
  return n->result_count == 1 && result(v, n, 0)->kind == TSM_T_TENSOR ? NULL : "an operator does not make one tensor";
}

/* The values of a block are numbered on from its first parameter, so smaller numbers come from outside. */
static const char *check_fused(const verifier *v, const tsm_node *n) {
  const tsm_block *b = n->blocks;
  if (!operands_match_values(v, n, b->first_param, b->param_count)) return "the operands are not the parameters'";
  if (b->node_count < 2) return "the block holds no operator";
  for (uint32_t i = 0; i < b->node_count; i++) {
    const tsm_node *inner = &b->nodes[i];
    bool is_last = i == b->node_count - 1;
    const char *why = is_last ? NULL : check_fused_operator(v, inner, i == 0);
    if (why) return why;
    if (is_last && inner->code != TSM_N_YIELD) return "the block does not end in a yield";
    uint32_t lowest = b->first_param + (is_last ? b->param_count : 0);
    for (uint32_t k = 0; k < inner->operand_count; k++)
      if (inner->operands[k] < lowest)
        return is_last ? "a parameter is yielded" : "the block uses a value from outside";
  }
  return NULL;
}

static const char *check_node(const verifier *v, const tsm_node *n, char *out_why, size_t capacity) {
  switch (n->code) {
    case TSM_N_CONST:
      if (!has_counts(n, 0, 1)) return "the number of operands or results is wrong";
      return result(v, n, 0) == v->p->constant_types[n->field] ? NULL : "the result does not have the constant's type";
    case TSM_N_CALL: return check_call(v, n);
    case TSM_N_IF: case TSM_N_LOOP: case TSM_N_BLOCK: case TSM_N_TRY: return check_control(v, n);
    case TSM_N_FUSED: return check_fused(v, n);
    case TSM_N_TUPLE: return check_tuple(v, n);
    case TSM_N_LIST: return check_container(v, n, TSM_T_LIST);
    case TSM_N_DICT: return check_container(v, n, TSM_T_DICT);
    case TSM_N_SET: return check_container(v, n, TSM_T_SET);
    case TSM_N_NEW:
      return has_counts(n, 0, 1) && result(v, n, 0)->kind == TSM_T_CLASS ? NULL : "the result is not an instance";
    case TSM_N_TUPLE_GET: case TSM_N_GET_ATTR: case TSM_N_SET_ATTR: return check_member(v, n);
    case TSM_N_CELL: case TSM_N_CELL_GET: case TSM_N_CELL_SET: return check_cell(v, n);
    case TSM_N_WIDEN: case TSM_N_NARROW: case TSM_N_IS_TYPE: return check_conversion(v, n);
    case TSM_N_OPERATOR: return check_operator(v, n, out_why, capacity);
    default: return check_end(v, n);
  }
}

static void open_block(verifier *v, const tsm_node *owner, const tsm_block *block) {
  v->stack[v->depth++] = (verify_frame){owner, block, 0};
}

tsm_status tsm_verify_function(const tsm_program *p, const tsm_function *f, tsm_error *out_error) {
  verifier *v = tsm_alloc(p->rt, sizeof *v);
  if (!v) return tsm_error_set(out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
  v->p = p;
  v->f = f;
  v->out_error = out_error;
  v->depth = 0;
  tsm_status status = TSM_OK;
  open_block(v, NULL, &f->body);
  while (v->depth && status == TSM_OK) {
    verify_frame *top = &v->stack[v->depth - 1];
    if (top->next == top->block->node_count) {
      v->depth--;
      continue;
    }
    const tsm_node *n = &top->block->nodes[top->next++];
    char text[256];
    const char *why = check_node(v, n, text, sizeof text);
    if (why) status = fail(v, n, why);
    for (uint32_t i = n->block_count; !why && i-- > 0;) open_block(v, n, &n->blocks[i]);
  }
  tsm_free(p->rt, v, sizeof *v);
  return status;
}
