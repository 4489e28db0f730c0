/* fused.c - the plan of a fused node: which rows run over which tiles.
 * In: the node's verified block. Out: a tsm_fused in the program's arena, or NULL when some operator has no row: then
 * the block runs node by node.
 * Holds: steps are the block's operators in their order; a buffer is used again once its value has been read last. */
#include <math.h>

#include "kernels/fused.h"
#include "lower.h"

/* params, one letter each: t tensor of the computing dtype, m mask, s number, o number or None, x must be left out,
 * g gelu's approximation. order: which parameters are a, b, c of the row. */
typedef struct row_rule { char name[12], overload[13], params[4], order[4]; uint16_t row; uint8_t choice; } row_rule;

#define UNARY_(name, ROW) {name, "", "t", "0", TSM_ROW_##ROW, TSM_FUSED_FIXED},
#define BINARY_(name, x, ROW)                                                    \
  {name, "Tensor", "tt" x, "01", TSM_ROW_##ROW, TSM_FUSED_FIXED},                \
  {name, "TensorScalar", "ts" x, "01", TSM_ROW_##ROW##_VS, TSM_FUSED_FIXED},     \
  {name, "ScalarTensor", "st" x, "01", TSM_ROW_##ROW##_SV, TSM_FUSED_FIXED},
#define COMPARE_(name, ROW)                                                      \
  {name, "Tensor", "tt", "01", TSM_ROW_##ROW, TSM_FUSED_FIXED},                  \
  {name, "TensorScalar", "ts", "01", TSM_ROW_##ROW##_VS, TSM_FUSED_FIXED},
static const row_rule rules[] = {
  BINARY_("add", "x", ADD) BINARY_("sub", "x", SUB) BINARY_("mul", "", MUL) BINARY_("div", "", DIV)
  {"pow", "Tensor", "tt", "01", TSM_ROW_POW, TSM_FUSED_FIXED},
  {"pow", "TensorScalar", "ts", "01", TSM_ROW_POW_VS, TSM_FUSED_POWER},
  {"pow", "ScalarTensor", "st", "01", TSM_ROW_POW_SV, TSM_FUSED_FIXED},
  {"maximum", "", "tt", "01", TSM_ROW_MAX, TSM_FUSED_FIXED}, {"minimum", "", "tt", "01", TSM_ROW_MIN, TSM_FUSED_FIXED},
  COMPARE_("eq", EQ) COMPARE_("ne", NE) COMPARE_("lt", LT) COMPARE_("le", LE) COMPARE_("gt", GT) COMPARE_("ge", GE)
  {"neg", "Tensor", "t", "0", TSM_ROW_NEG, TSM_FUSED_FIXED}, {"abs", "Tensor", "t", "0", TSM_ROW_ABS, TSM_FUSED_FIXED},
  {"round", "Tensor", "t", "0", TSM_ROW_ROUND, TSM_FUSED_FIXED},
  UNARY_("sign", SIGN) UNARY_("square", SQUARE) UNARY_("sqrt", SQRT) UNARY_("rsqrt", RSQRT)
  UNARY_("reciprocal", RECIPROCAL) UNARY_("floor", FLOOR) UNARY_("ceil", CEIL) UNARY_("trunc", TRUNC)
  UNARY_("relu", RELU) UNARY_("exp", EXP) UNARY_("expm1", EXPM1) UNARY_("log", LOG) UNARY_("log1p", LOG1P)
  UNARY_("log2", LOG2) UNARY_("sin", SIN) UNARY_("cos", COS) UNARY_("tanh", TANH) UNARY_("sigmoid", SIGMOID)
  UNARY_("erf", ERF) UNARY_("silu", SILU) UNARY_("hardsigmoid", HARDSIGMOID) UNARY_("hardswish", HARDSWISH)
  UNARY_("logical_not", IS_ZERO) UNARY_("isnan", IS_NAN)
  UNARY_("isinf", IS_INF) UNARY_("isfinite", IS_FINITE)
  {"gelu", "", "tg", "0", TSM_ROW_GELU, TSM_FUSED_GELU},
  {"leaky_relu", "", "ts", "01", TSM_ROW_LEAKY_RELU, TSM_FUSED_FIXED},
  {"elu", "", "ts", "01", TSM_ROW_ELU, TSM_FUSED_FIXED},
  {"softplus", "", "tss", "012", TSM_ROW_SOFTPLUS, TSM_FUSED_FIXED},
  {"clamp", "", "too", "012", TSM_ROW_CLAMP, TSM_FUSED_FIXED},
  {"hardtanh", "", "tss", "012", TSM_ROW_CLAMP, TSM_FUSED_FIXED},
  {"where", "", "mtt", "012", TSM_ROW_WHERE, TSM_FUSED_FIXED},
  {"where", "TensorScalar", "mts", "012", TSM_ROW_WHERE_VS, TSM_FUSED_FIXED},
  {"where", "ScalarTensor", "mst", "012", TSM_ROW_WHERE_SV, TSM_FUSED_FIXED},
  {"masked_fill", "", "tms", "120", TSM_ROW_WHERE_SV, TSM_FUSED_FIXED},
};

enum { KIND_UNKNOWN, KIND_FLOAT, KIND_MASK };
enum { NO_PLACE = 127, MADE = 128, NEVER = 255 }; /* while steps are collected, MADE + k is what step k makes */
enum {
  AT_VALUE = TSM_FUSED_INPUTS, AT_RESULT = AT_VALUE + TSM_FUSED_VALUES, AT_BUFFER = AT_RESULT + TSM_FUSED_RESULTS,
  PARAMS_MAX = TSM_FUSED_INPUTS + TSM_FUSED_VALUES
};

/* A parameter of the block that a row reads as a tensor. */
typedef struct parameter { uint8_t kind, place; } parameter;
/* What a step makes. last: the step that reads it last; result: number of the result it is + 1. */
typedef struct made { uint8_t kind, place, last, result; uint32_t reads; } made;

typedef struct fuser {
  lowering *l;
  const tsm_node *n;
  const tsm_block *b;
  uint32_t stamp;
  tsm_fused f;
  parameter params[PARAMS_MAX];
  made made[TSM_FUSED_STEPS];
  tsm_fused_input inputs[TSM_FUSED_INPUTS];
  uint8_t input_last[TSM_FUSED_INPUTS];
  tsm_fused_value values[TSM_FUSED_VALUES];
  tsm_fused_result results[TSM_FUSED_RESULTS];
  tsm_fused_step steps[TSM_FUSED_STEPS];
  bool is_busy[TSM_FUSED_BUFFERS];
} fuser;

static const row_rule *find_rule(const tsm_op *op) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (!strcmp(rules[i].name, op->name) && !strcmp(rules[i].overload, op->overload)) return &rules[i];
  return NULL;
}

static bool gives_mask(uint16_t row) { return row >= TSM_ROW_EQ && row <= TSM_ROW_IS_TRUE; }

static uint32_t cost_of(uint16_t row) {
  bool is_cheap = row <= TSM_ROW_TRUNC || row == TSM_ROW_RELU || (row >= TSM_ROW_ADD && row < TSM_ROW_POW) ||
                  row > TSM_ROW_POW_SV;
  return is_cheap ? 1 : 10;
}

/* ---- Operands */

/* The operand of the node that becomes this parameter of the block; NO_VALUE if it is none. A node without block has
 * its operands itself. */
static uint32_t operand_of(const fuser *u, uint32_t value) {
  if (!u->b) return value;
  uint32_t index = value - u->b->first_param;
  return index < u->b->param_count ? u->n->operands[index] : NO_VALUE;
}

/* The input that reads a register: equal operands are one. */
static uint8_t input_place(fuser *u, uint32_t operand, bool is_mask) {
  uint16_t reg = tsm_lower_slot_of(u->l, operand);
  for (uint8_t i = u->f.producer != NULL; i < u->f.input_count; i++)
    if (u->inputs[i].reg == reg) return u->inputs[i].is_mask == is_mask ? i : NO_PLACE;
  if (u->f.input_count == TSM_FUSED_INPUTS) return NO_PLACE;
  u->inputs[u->f.input_count] = (tsm_fused_input){reg, is_mask, false, info_of(u->l, operand)->stamp == u->stamp};
  return u->f.input_count++;
}

static bool place_parameter(fuser *u, uint32_t value, uint8_t kind, uint8_t *out_place) {
  if (!u->b) {
    *out_place = input_place(u, value, kind == KIND_MASK);
    return *out_place != NO_PLACE;
  }
  parameter *p = &u->params[value - u->b->first_param];
  if (p->kind == KIND_UNKNOWN) {
    p->kind = kind;
    p->place = input_place(u, operand_of(u, value), kind == KIND_MASK);
  }
  if (p->kind != kind || p->place == NO_PLACE) return false;
  u->input_last[p->place] = u->f.step_count;
  *out_place = p->place;
  return true;
}

static bool place_tensor(fuser *u, uint32_t value, uint8_t kind, uint8_t *out_place) {
  if (operand_of(u, value) != NO_VALUE) return place_parameter(u, value, kind, out_place);
  uint32_t made_by = value - u->b->first_param - u->b->param_count;
  if (u->f.producer && made_by == 0) {
    u->input_last[0] = u->f.step_count;
    *out_place = 0;
    return kind == KIND_FLOAT;
  }
  uint32_t step = made_by - (u->f.producer != NULL);
  if (u->made[step].kind != kind) return false;
  u->made[step].last = u->f.step_count;
  *out_place = (uint8_t)(MADE + step);
  return true;
}

static bool place_value(fuser *u, const tsm_node *n, uint32_t param, bool is_optional, uint8_t *out_place) {
  if (u->f.value_count == TSM_FUSED_VALUES) return false;
  tsm_fused_value *value = &u->values[u->f.value_count];
  double if_none = param == 1 ? -HUGE_VAL : HUGE_VAL; /* clamp's bounds */
  *value = (tsm_fused_value){0, param >= n->operand_count, is_optional, if_none, {TSM_NONE, {0}}};
  if (value->is_constant) {
    const tsm_slot *slot = tsm_lower_default_of(u->l, n->of.op, param);
    if (!slot) return false;
    value->constant.tag = slot[0].bits;
    value->constant.as = slot[1];
  } else {
    value->reg = tsm_lower_slot_of(u->l, operand_of(u, n->operands[param]));
  }
  *out_place = (uint8_t)(AT_VALUE + u->f.value_count++);
  return true;
}

static bool place_text(fuser *u, const tsm_node *n, uint32_t param, tsm_fused_step *step) {
  if (param >= n->operand_count) step->choice = TSM_FUSED_FIXED;
  else if (u->f.text) return false; /* one a plan is enough */
  else u->f.text = (uint16_t)(1 + tsm_lower_slot_of(u->l, operand_of(u, n->operands[param])));
  return true;
}

static bool place_argument(fuser *u, const tsm_node *n, uint32_t param, char letter, tsm_fused_step *step,
                           uint8_t *out_place) {
  switch (letter) {
    case 't': return place_tensor(u, n->operands[param], KIND_FLOAT, out_place);
    case 'm': return place_tensor(u, n->operands[param], KIND_MASK, out_place);
    case 's': case 'o': return place_value(u, n, param, letter == 'o', out_place);
    case 'g': return place_text(u, n, param, step);
    default: return param >= n->operand_count;
  }
}

/* ---- Steps */

static uint32_t reads_of(const fuser *u, uint8_t place) {
  if (place >= MADE) return u->made[place - MADE].reads;
  return place < TSM_FUSED_INPUTS ? (uint32_t)1 << place : 0;
}

static bool add_step(fuser *u, const tsm_node *n) {
  const row_rule *rule = find_rule(n->of.op);
  if (!rule || u->f.step_count == TSM_FUSED_STEPS) return false;
  tsm_fused_step *step = &u->steps[u->f.step_count];
  made *out = &u->made[u->f.step_count];
  *step = (tsm_fused_step){rule->row, rule->choice, 0, 0, 0, 0};
  *out = (made){gives_mask(rule->row) ? KIND_MASK : KIND_FLOAT, 0, NEVER, 0, 0};
  uint8_t places[4] = {0, 0, 0, 0};
  for (uint32_t i = 0; rule->params[i]; i++) {
    if (!place_argument(u, n, i, rule->params[i], step, &places[i])) return false;
    if (rule->params[i] == 't' || rule->params[i] == 'm') out->reads |= reads_of(u, places[i]);
  }
  uint8_t *fields[3] = {&step->a, &step->b, &step->c};
  for (uint32_t i = 0; rule->order[i]; i++) *fields[i] = places[rule->order[i] - '0'];
  u->f.weight += cost_of(rule->row);
  u->f.step_count++;
  return true;
}

/* The call of a first operator that is not pointwise: what it makes is input 0. */
static bool add_producer(fuser *u, const tsm_node *n) {
  const tsm_op *op = n->of.op;
  size_t args = op->schema.param_count;
  tsm_fused_producer *p = tsm_arena_alloc(&u->l->program->arena, 1, sizeof *p);
  uint16_t *slots = tsm_arena_alloc(&u->l->program->arena, TSM_FUSED_SLOTS, sizeof *slots);
  tsm_site *site = tsm_arena_alloc(&u->l->program->arena, 1, sizeof *site + (args + 1) * sizeof *site->regs);
  if (!p || !slots || !site) return tsm_lower_fail(u->l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
  if (!op->infer || 2 * args + 1 > TSM_FUSED_SLOTS) return false;
  site->op = op;
  site->result_types = u->l->f->value_types + n->first_result;
  site->arg_count = (uint16_t)args;
  site->result_count = 1;
  site->free_layout = info_of(u->l, n->first_result)->is_free;
  for (uint32_t i = 0; i < args; i++) {
    uint16_t reg = i < n->operand_count ? tsm_lower_slot_of(u->l, operand_of(u, n->operands[i]))
                                        : tsm_lower_default_slot(u->l, op, i);
    site->regs[i] = p->slot_count;
    slots[p->slot_count++] = reg;
    if (op->schema.params[i].type->layout == TSM_L_PAIR) slots[p->slot_count++] = (uint16_t)(reg + 1);
  }
  site->regs[args] = p->slot_count;
  p->site = site;
  p->slots = slots;
  u->f.producer = p;
  u->inputs[u->f.input_count++] = (tsm_fused_input){0, false, true, true};
  return true;
}

static bool collect_steps(fuser *u) {
  if (u->b->param_count > PARAMS_MAX) return false;
  bool has_producer = !(u->b->nodes[0].of.op->traits & TSM_TRAIT(POINTWISE));
  if (has_producer && !add_producer(u, &u->b->nodes[0])) return false;
  for (uint32_t i = has_producer; i + 1 < u->b->node_count; i++)
    if (!add_step(u, &u->b->nodes[i])) return false;
  return true;
}

static void add_result(fuser *u, uint32_t value, made *m) {
  u->results[u->f.result_count] = (tsm_fused_result){tsm_lower_slot_of(u->l, value), m->kind == KIND_MASK, m->reads, 0};
  m->result = ++u->f.result_count;
  u->f.is_free = (u->f.result_count == 1 || u->f.is_free) && info_of(u->l, value)->is_free;
}

/* Results that nobody reads are left out. */
static bool collect_results(fuser *u) {
  const tsm_node *yield = &u->b->nodes[u->b->node_count - 1];
  for (uint32_t i = 0; i < u->n->result_count; i++) {
    if (info_of(u->l, u->n->first_result + i)->is_dead) continue;
    uint32_t made_by = yield->operands[i] - u->b->first_param - u->b->param_count;
    if (u->f.producer && made_by-- == 0) return false;
    made *m = &u->made[made_by];
    if (m->result || u->f.result_count == TSM_FUSED_RESULTS) return false;
    add_result(u, u->n->first_result + i, m);
  }
  return u->f.result_count > 0;
}

/* ---- Places of what steps make */

static uint8_t final_place(const fuser *u, uint8_t place) {
  return place >= MADE ? u->made[place - MADE].place : place;
}

static void free_buffers(fuser *u, uint8_t step, uint8_t kind) {
  const uint8_t places[3] = {u->steps[step].a, u->steps[step].b, u->steps[step].c};
  for (int i = 0; i < 3; i++) {
    if (places[i] < MADE) continue;
    const made *m = &u->made[places[i] - MADE];
    if (m->last == step && m->kind == kind && m->place >= AT_BUFFER) u->is_busy[m->place - AT_BUFFER] = false;
  }
}

static bool take_buffer(fuser *u, uint8_t *out_place) {
  for (uint8_t i = 0; i < TSM_FUSED_BUFFERS; i++) {
    if (u->is_busy[i]) continue;
    u->is_busy[i] = true;
    if (i >= u->f.buffer_count) u->f.buffer_count = (uint8_t)(i + 1);
    *out_place = (uint8_t)(AT_BUFFER + i);
    return true;
  }
  return false;
}

/* A step may write over an operand of its own element size that ends with it. */
static bool place_steps(fuser *u) {
  for (uint8_t i = 0; i < u->f.step_count; i++) {
    tsm_fused_step *step = &u->steps[i];
    made *out = &u->made[i];
    free_buffers(u, i, out->kind);
    if (out->result) out->place = (uint8_t)(AT_RESULT + out->result - 1);
    else if (!take_buffer(u, &out->place)) return false;
    free_buffers(u, i, out->kind == KIND_MASK ? KIND_FLOAT : KIND_MASK);
    if (out->last == NEVER && out->place >= AT_BUFFER) u->is_busy[out->place - AT_BUFFER] = false;
    step->out = out->place;
  }
  for (uint8_t i = 0; i < u->f.step_count; i++) {
    tsm_fused_step *step = &u->steps[i];
    step->a = final_place(u, step->a);
    step->b = final_place(u, step->b);
    step->c = final_place(u, step->c);
  }
  return true;
}

/* A result may be written over an input that no later step reads. */
static void find_reuses(fuser *u) {
  for (uint8_t s = 0; s < u->f.step_count; s++) {
    if (!u->made[s].result || u->made[s].kind == KIND_MASK) continue;
    tsm_fused_result *r = &u->results[u->made[s].result - 1];
    for (uint8_t i = 0; i < u->f.input_count; i++)
      if (u->inputs[i].dies && !u->inputs[i].is_mask && u->input_last[i] <= s) r->reuses |= (uint32_t)1 << i;
  }
}

/* ---- The plan */

static bool is_float_read(const fuser *u) {
  for (uint8_t i = 0; i < u->f.input_count; i++)
    if (!u->inputs[i].is_mask) return true;
  return false;
}

static void find_dtypes(fuser *u) {
  const tsm_row_set *rows = u->l->rt->rows;
  u->f.dtypes = 3;
  for (uint8_t i = 0; i < u->f.step_count; i++) {
    if (!rows->f32[u->steps[i].row]) u->f.dtypes &= 2;
    if (!rows->f64[u->steps[i].row]) u->f.dtypes &= 1;
  }
}

static bool is_result_register(const fuser *u, uint16_t reg) {
  for (uint8_t i = 0; i < u->f.result_count; i++)
    if (u->results[i].reg == reg) return true;
  return false;
}

/* What dies is dropped, unless a result takes its register. */
static bool collect_drops(fuser *u, uint16_t *drops) {
  for (uint32_t i = 0; i < u->n->operand_count; i++) {
    const value_info *v = info_of(u->l, u->n->operands[i]);
    if (v->stamp != u->stamp || !is_counted(v) || v->place != IN_REGISTER) continue;
    uint16_t reg = tsm_lower_slot_of(u->l, u->n->operands[i]);
    bool is_known = is_result_register(u, reg);
    for (uint8_t k = 0; k < u->f.drop_count; k++) is_known |= (drops[k] & (TSM_TAKE - 1)) == reg;
    if (is_known) continue;
    if (u->f.drop_count == PARAMS_MAX) return false;
    drops[u->f.drop_count++] = v->area == AREA_PAIR ? reg | TSM_TAKE : reg;
  }
  return true;
}

static const void *keep(fuser *u, const void *items, size_t count, size_t size) {
  void *copy = tsm_arena_alloc(&u->l->program->arena, count, size);
  if (!copy) tsm_lower_fail(u->l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
  else if (count) memcpy(copy, items, count * size);
  return copy;
}

static const tsm_fused *keep_plan(fuser *u, const uint16_t *drops) {
  tsm_fused *f = &u->f;
  f->inputs = keep(u, u->inputs, f->input_count, sizeof *u->inputs);
  f->values = keep(u, u->values, f->value_count, sizeof *u->values);
  f->results = keep(u, u->results, f->result_count, sizeof *u->results);
  f->steps = keep(u, u->steps, f->step_count, sizeof *u->steps);
  f->drops = keep(u, drops, f->drop_count, sizeof *drops);
  return u->l->status == TSM_OK ? keep(u, f, 1, sizeof *f) : NULL;
}

/* Of steps and results that have been collected. */
static const tsm_fused *make_plan(fuser *u) {
  uint16_t drops[PARAMS_MAX];
  if (!is_float_read(u) || !place_steps(u)) return NULL;
  find_reuses(u);
  find_dtypes(u);
  return u->f.dtypes && collect_drops(u, drops) ? keep_plan(u, drops) : NULL;
}

/* The function's, which is used for one node after the other. */
static fuser *fuser_of(lowering *l, const tsm_node *n, uint32_t stamp) {
  if (!l->fuser) l->fuser = tsm_arena_alloc(&l->scratch, 1, sizeof *l->fuser);
  fuser *u = l->fuser;
  if (!u) {
    tsm_lower_fail(l, TSM_ERR_MEMORY, tsm_status_text(TSM_ERR_MEMORY));
    return NULL;
  }
  memset(u, 0, sizeof *u);
  u->l = l;
  u->n = n;
  u->b = n->blocks;
  u->stamp = stamp;
  return u;
}

const tsm_fused *tsm_lower_fused(lowering *l, const tsm_node *n, uint32_t stamp) {
  fuser *u = l->rt->tuning.no_fusion ? NULL : fuser_of(l, n, stamp);
  return u && collect_steps(u) && collect_results(u) ? make_plan(u) : NULL;
}

const tsm_fused *tsm_lower_single(lowering *l, const tsm_node *n, uint32_t stamp) {
  uint16_t drops[PARAMS_MAX];
  fuser *u = fuser_of(l, n, stamp);
  if (!u) return NULL;
  u->b = NULL;
  if (!add_producer(u, n)) return NULL;
  u->results[u->f.result_count++] = (tsm_fused_result){tsm_lower_slot_of(l, n->first_result), false, 1, 0};
  u->f.is_free = info_of(l, n->first_result)->is_free;
  u->f.dtypes = 3;
  return collect_drops(u, drops) ? keep_plan(u, drops) : NULL;
}

const tsm_fused *tsm_lower_small(lowering *l, const tsm_node *n, uint32_t stamp) {
  if (l->rt->tuning.no_fusion || l->is_declined || n->code != TSM_N_OPERATOR || !find_rule(n->of.op)) return NULL;
  fuser *u = fuser_of(l, n, stamp);
  if (!u) return NULL;
  u->b = NULL;
  u->f.is_small = true;
  if (info_of(l, n->first_result)->is_dead || !add_step(u, n)) return NULL;
  add_result(u, n->first_result, &u->made[0]);
  return make_plan(u);
}

/* ---- Listing */

static const char row_names[TSM_ROW_COUNT][16] = {
#define NAME_ONE_(name) #name,
#define NAME_THREE_(name) #name, #name "_VS", #name "_SV",
    TSM_ROWS_UNARY(NAME_ONE_) TSM_ROWS_BINARY(NAME_THREE_) TSM_ROWS_COMPARE(NAME_THREE_) TSM_ROWS_TEST(NAME_ONE_)
        TSM_ROWS_OTHER(NAME_ONE_)};

void tsm_fused_text(const tsm_fused *f, tsm_text *text) {
  for (int i = 0; i < f->input_count; i++)
    if (!f->inputs[i].is_made) tsm_text_format(text, " r%u%s", f->inputs[i].reg, f->inputs[i].dies ? "!" : "");
  for (int i = 0; i < f->result_count; i++) tsm_text_format(text, " > r%u", f->results[i].reg);
  tsm_text_format(text, " {%s", f->producer ? f->producer->site->op->name : "");
  for (int i = 0; i < f->step_count; i++)
    tsm_text_format(text, "%s%s", i || f->producer ? " " : "", row_names[f->steps[i].row]);
  tsm_text_add(text, "}", 1);
}
