/* test_reuse.c - elementwise operators that write over an argument that dies give what they give otherwise, for every
 * row of the table, every dtype, short and long tensors, with each argument dying in turn. */
#include "check.h"
#include "op/op.h"

enum { MOST_SLOTS = 80 };

typedef struct run {
  tsm_context *ctx;
  tsm_slot slots[MOST_SLOTS];
  uint64_t room[64];
} run;

static tsm_site *site_of(run *r) { return (tsm_site *)(void *)r->room; }

static double value_at(size_t i, size_t param) { return (double)((i * 7 + param * 3) % 23) / 8 - 1; }

static tsm_tensor *tensor_new(tsm_context *ctx, uint8_t dtype, const int64_t *shape, size_t rank, size_t param) {
  tsm_meta meta = {dtype, (uint8_t)rank, {0}};
  memcpy(meta.shape, shape, rank * sizeof *shape);
  tsm_tensor *t = tsm_tensor_make(ctx, &meta, false);
  if (!t) exit(1);
  for (int64_t i = 0; i < t->numel; i++) {
    tsm_pair p = {TSM_FLOAT, {.f = value_at((size_t)i, param)}};
    int64_t whole = (i * 5 + (int64_t)param) % 7 + (dtype == TSM_BOOL8 ? -3 : 1);
    if (!tsm_dtype_is_float(dtype)) p = (tsm_pair){TSM_INT, {.i = whole}};
    tsm_element_store(dtype, t->storage->data + (size_t)i * tsm_item_size(dtype), p);
  }
  return t;
}

/* Fills the registers; false if an argument is of a kind this test does not make. */
static bool prepare(run *r, tsm_context *ctx, const tsm_op *op, uint8_t dtype, const int64_t *shape, size_t rank) {
  memset(r, 0, sizeof *r);
  r->ctx = ctx;
  site_of(r)->op = op;
  site_of(r)->arg_count = op->schema.param_count;
  site_of(r)->result_count = op->schema.result_count;
  uint16_t next = 0;
  for (uint16_t i = 0; i < op->schema.param_count; i++) {
    const tsm_param *p = &op->schema.params[i];
    tsm_slot *slot = &r->slots[next];
    site_of(r)->regs[i] = next;
    next = (uint16_t)(next + (p->type->layout == TSM_L_PAIR ? 2 : 1));
    bool is_mask = !strcmp(p->name, "condition") || !strcmp(p->name, "mask");
    if (p->type->kind == TSM_T_TENSOR) slot->tensor = tensor_new(ctx, is_mask ? TSM_BOOL8 : dtype, shape, rank, i);
    else if (p->default_text && strcmp(p->default_text, "None")) tsm_param_default(ctx->heap, p, slot);
    else if (p->type->layout == TSM_L_PAIR) slot[0].bits = TSM_FLOAT, slot[1].f = 0.5;
    else return false;
  }
  site_of(r)->regs[op->schema.param_count] = next;
  return true;
}

static void finish(run *r) {
  const tsm_schema *s = &site_of(r)->op->schema;
  for (uint16_t i = 0; i <= s->param_count; i++) {
    const tsm_type *type = i < s->param_count ? s->params[i].type : s->results[0];
    tsm_slot_unref((tsm_layout)type->layout, &r->slots[site_of(r)->regs[i]]);
  }
}

static bool is_same(const tsm_tensor *a, const tsm_tensor *b) {
  size_t bytes = (size_t)a->numel * tsm_item_size(a->dtype);
  return a->dtype == b->dtype && a->rank == b->rank && !memcmp(a->dims, b->dims, 2 * a->rank * sizeof *a->dims) &&
         a->is_contiguous == b->is_contiguous && !memcmp(tsm_tensor_read(a), tsm_tensor_read(b), bytes);
}

/* The number of runs that wrote over an argument. */
static int check_op(tsm_context *ctx, const tsm_op *op, uint8_t dtype, const int64_t *shape, size_t rank) {
  run plain, dying;
  int reused = 0;
  for (uint16_t i = 0; i < op->schema.param_count; i++) {
    if (op->schema.params[i].type->kind != TSM_T_TENSOR) continue;
    if (!prepare(&plain, ctx, op, dtype, shape, rank)) return 0;
    prepare(&dying, ctx, op, dtype, shape, rank);
    site_of(&dying)->dies = (uint64_t)1 << i;
    tsm_opcall first = {ctx, plain.slots, site_of(&plain), NULL}, second = {ctx, dying.slots, site_of(&dying), NULL};
    const tsm_tensor *argument = tsm_arg_tensor(&second, i);
    uint64_t before = tsm_runtime_memory(ctx->rt);
    tsm_status a = tsm_op_run(&first);
    tsm_context_clear(ctx);
    tsm_status b = tsm_op_run(&second);
    tsm_context_clear(ctx);
    CHECK(a == b);
    bool is_good = a != TSM_OK || is_same(tsm_result_tensor(&first, 0), tsm_result_tensor(&second, 0));
    if (!is_good) fprintf(stderr, "%s.%s, argument %d, dtype %d\n", op->name, op->overload, i, dtype);
    CHECK(is_good);
    reused += a == TSM_OK && tsm_result_tensor(&second, 0) == argument;
    CHECK(a != TSM_OK || tsm_result_tensor(&second, 0) != argument || !tsm_arg(&second, i)->bits);
    finish(&plain);
    finish(&dying);
    CHECK(tsm_runtime_memory(ctx->rt) < before);
  }
  return reused;
}

static void check_set(const char *isa) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.isa = isa;
  tsm_runtime *rt = tsm_runtime_new(&options, NULL);
  if (!rt) return; /* not on this machine */
  tsm_context *ctx = tsm_context_new(rt, NULL);
  static const int64_t shapes[][2] = {{1, 1}, {3, 5}, {0, 4}, {3, 7001}};
  int reused = 0;
  for (size_t i = 0; i < rt->ops->count; i++) {
    const tsm_op *op = &rt->ops->ops[i];
    uint32_t apart = op->traits & (TSM_TRAIT(RANDOM) | TSM_TRAIT(INPLACE));
    if (!(op->traits & TSM_TRAIT(POINTWISE)) || apart || !op->infer) continue;
    for (uint8_t dtype = 0; dtype < TSM_DTYPE_COUNT; dtype++)
      for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) reused += check_op(ctx, op, dtype, shapes[s], 2);
  }
  CHECK(reused > 1000);
  tsm_context_free(ctx);
  tsm_runtime_free(rt);
}

/* What others still look at is left alone. */
static void check_kept(void) {
  tsm_runtime *rt = tsm_runtime_new(NULL, NULL);
  tsm_context *ctx = tsm_context_new(rt, NULL);
  int64_t shape[2] = {2, 3};
  tsm_tensor *t = tensor_new(ctx, TSM_F32, shape, 2, 0);
  tsm_meta same = {TSM_F32, 2, {2, 3}}, wider = {TSM_F64, 2, {2, 3}}, longer = {TSM_F32, 2, {3, 3}};
  tsm_meta flat = {TSM_F32, 1, {6}};
  CHECK(tsm_is_reusable(t, &same));
  CHECK(!tsm_is_reusable(t, &wider) && !tsm_is_reusable(t, &longer) && !tsm_is_reusable(t, &flat));
  tsm_ref(&t->head);
  CHECK(!tsm_is_reusable(t, &same));
  tsm_unref(&t->head);
  int64_t strides[2] = {1, 2};
  tsm_tensor *view = tsm_tensor_make_view(ctx, t, TSM_F32, 2, shape, strides, 0);
  CHECK(!tsm_is_reusable(t, &same) && !tsm_is_reusable(view, &same));
  tsm_unref(&t->head);
  CHECK(!tsm_is_reusable(view, &same)); /* alone, but in another order */
  view->storage->flags |= TSM_ST_EXPOSED;
  tsm_unref(&view->head);
  tsm_context_free(ctx);
  tsm_runtime_free(rt);
}

int main(void) {
  check_set("base");
  check_set("avx2");
  check_set("avx512");
  check_kept();
  return check_done();
}
