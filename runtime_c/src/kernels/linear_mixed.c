/* linear_mixed.c - linear with weights that are stored in fewer bits than it computes with.
 * In: float32 rows, int8 or bfloat16 weights (out, in), a scale for each of their rows. Out: float32, float32 sums.
 * Holds: few rows read the weights once, as they are; for many, stretches of weights become float32 in scratch memory
 * and go through the usual product. */
#include "arguments.h"
#include "base/pool.h"
#include "gemm.h"
#include "kernels.h"
#include "simd/gemm_set.h"

static const tsm_gemm_mixed *const i8_sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_gemm_i8);
static const tsm_gemm_mixed *const bf16_sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_gemm_bf16);

enum { FEW = 16, UNIT = 16, WIDE_BYTES = 1 << 20 };
static const double NS_PER_PRODUCT = 0.15;

/* An optional float32 vector with one element for each row of the weight. */
static tsm_status check_vector(tsm_opcall *c, size_t i, int64_t count) {
  const tsm_tensor *t = tsm_arg_tensor(c, i);
  char text[TSM_SHAPE_TEXT];
  if (!t || (t->dtype == TSM_F32 && t->rank == 1 && tsm_shape(t)[0] == count)) return TSM_OK;
  return tsm_raise(c->ctx, "RuntimeError", "linear_mixed: %s should be a float32 tensor of shape (%lld,), but is a %s "
                   "tensor of shape %s", c->site->op->schema.params[i].name, (long long)count,
                   tsm_dtype_name((tsm_dtype)t->dtype), tsm_shape_text(text, t));
}

tsm_status tsm_i_linear_mixed(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *input = tsm_arg_tensor(c, 0), *weight = tsm_arg_tensor(c, 1);
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
  if (input->dtype != TSM_F32 || (weight->dtype != TSM_I8 && weight->dtype != TSM_BF16))
    return tsm_raise(c->ctx, "RuntimeError", "linear_mixed: expected a float32 input and an int8 or bfloat16 weight, "
                     "but got %s and %s", tsm_dtype_name((tsm_dtype)input->dtype),
                     tsm_dtype_name((tsm_dtype)weight->dtype));
  if (!input->rank || weight->rank != 2 || tsm_shape(input)[input->rank - 1] != tsm_shape(weight)[1])
    return tsm_raise(c->ctx, "RuntimeError", "linear_mixed: shapes %s and %s cannot be multiplied: the last extents of "
                     "the input and of a two-dimensional weight should be equal", tsm_shape_text(a, input),
                     tsm_shape_text(b, weight));
  tsm_meta_of(input, out);
  out->shape[out->rank - 1] = tsm_shape(weight)[0];
  tsm_status status = check_vector(c, 2, tsm_shape(weight)[0]);
  return status ? status : check_vector(c, 3, tsm_shape(weight)[0]);
}

typedef struct layer {
  const tsm_gemm_mixed *set;
  int64_t rows, in, out, item;  /* item: bytes of a weight */
  const float *input, *scale, *bias;
  const char *weight;
  float *result, *wide;
  int64_t first;                /* row of the weight that `wide` starts with */
} layer;

static void few_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  const layer *l = user;
  (void)worker;
  begin *= UNIT;
  end = end * UNIT < l->out ? end * UNIT : l->out;
  tsm_gemm_dot dot = {.m = l->rows, .n = end - begin, .k = l->in, .a = l->input, .a_row = l->in,
                      .b = l->weight + begin * l->in * l->item, .b_column = l->in,
                      .is_far = l->in * l->out > TSM_GEMM_NEAR_BYTES / l->item, .is_asked = true,
                      .scale = l->scale ? l->scale + begin : NULL, .c = l->result + begin, .c_row = l->out,
                      .c_column = 1, .d = l->bias ? l->bias + begin : NULL, .d_column = 1};
  l->set->dot(&dot);
}

static void widen_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  const layer *l = user;
  (void)worker;
  for (int64_t j = begin; j < end; j++)
    l->set->widen(l->weight + (l->first + j) * l->in * l->item, l->scale ? l->scale + l->first + j : NULL, l->in,
                  l->wide + j * l->in);
}

static tsm_status run_few(tsm_opcall *c, layer *l) {
  tsm_status status = tsm_charge(c->ctx, tsm_product_cost(l->rows, l->out, l->in));
  if (status) return status;
  const int64_t count = (l->out + UNIT - 1) / UNIT;
  tsm_parallel(c->ctx->rt, count, NS_PER_PRODUCT * UNIT * (double)(l->rows * (l->in + 1)), few_pieces, l);
  return TSM_OK;
}

static tsm_status run_many(tsm_opcall *c, layer *l) {
  tsm_runtime *rt = c->ctx->rt;
  const int64_t row = (l->in ? l->in : 1) * (int64_t)sizeof(float), fit = WIDE_BYTES / row;
  int64_t high = fit / UNIT * UNIT;
  high = high < UNIT ? UNIT : high < l->out ? high : l->out;
  const size_t size = tsm_room(high * row, 1);
  l->wide = tsm_alloc(rt, size);
  if (!l->wide) return tsm_out_of_memory(c->ctx);
  tsm_status status = TSM_OK;
  for (l->first = 0; l->first < l->out && !status; l->first += high) {
    const int64_t count = l->out - l->first < high ? l->out - l->first : high;
    tsm_parallel(rt, count, NS_PER_PRODUCT * (double)(l->in + 1), widen_pieces, l);
    tsm_product x = {.dtype = TSM_F32, .m = l->rows, .n = count, .k = l->in, .a = l->input, .a_row = l->in,
                     .a_column = 1, .b = l->wide, .b_row = 1, .b_column = l->in, .c = l->result + l->first,
                     .c_row = l->out, .d = l->bias ? l->bias + l->first : NULL, .d_column = 1};
    status = tsm_gemm_product(c, &x);
  }
  tsm_free(rt, l->wide, size);
  return status;
}

/* input, weight, scale and bias, contiguous; bias and scale may be NULL. */
static tsm_status run(tsm_opcall *c, tsm_tensor *const *t) {
  tsm_tensor *out = tsm_result_tensor(c, 0);
  layer l = {.in = tsm_shape(t[1])[1], .out = tsm_shape(t[1])[0], .input = tsm_tensor_read(t[0]),
             .weight = tsm_tensor_read(t[1]), .scale = t[2] ? tsm_tensor_read(t[2]) : NULL,
             .bias = t[3] ? tsm_tensor_read(t[3]) : NULL};
  l.set = (t[1]->dtype == TSM_I8 ? i8_sets : bf16_sets)[c->ctx->rt->isa];
  l.item = (int64_t)tsm_item_size(t[1]->dtype);
  l.rows = out->numel / l.out;
  l.result = (float *)(void *)out->storage->data + out->offset;
  return l.rows <= FEW ? run_few(c, &l) : run_many(c, &l);
}

tsm_status tsm_k_linear_mixed(tsm_opcall *c) {
  tsm_tensor *plain[4] = {NULL};
  tsm_status status = TSM_OK;
  if (!tsm_result_tensor(c, 0)->numel) return TSM_OK;
  for (size_t i = 0; i < 4 && !status; i++) {
    tsm_tensor *t = tsm_arg_tensor(c, i);
    if (t && !(plain[i] = tsm_tensor_contiguous(c->ctx, t))) status = c->ctx->status;
  }
  if (!status) status = run(c, plain);
  for (size_t i = 0; i < 4; i++)
    if (plain[i]) tsm_unref(&plain[i]->head);
  return status;
}
