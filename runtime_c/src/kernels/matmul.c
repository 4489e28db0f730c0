/* matmul.c - matmul with vectors and broadcast batches, and linear.
 * In: tensors of one dtype, shapes checked by infer. Out: products by tsm_gemm and, for batches of small ones, one
 * product a thread. */
#include "arguments.h"
#include "base/pool.h"
#include "gemm.h"
#include "kernels.h"

/* The matrix in the last two dimensions; a vector is a row (first operand) or a column (second). */
typedef struct operand { const char *data; int64_t rows, columns, row, column; size_t batch_rank; } operand;

static operand operand_of(const tsm_tensor *t, bool is_first) {
  operand o = {tsm_tensor_read(t), 1, 1, 0, 0, t->rank > 2 ? t->rank - 2u : 0};
  const int64_t *shape = tsm_shape(t), *strides = tsm_strides(t);
  if (t->rank >= 2) {
    o.rows = shape[t->rank - 2];
    o.columns = shape[t->rank - 1];
    o.row = strides[t->rank - 2];
    o.column = strides[t->rank - 1];
  } else if (is_first) {
    o.columns = shape[0];
    o.column = strides[0];
  } else {
    o.rows = shape[0];
    o.row = strides[0];
  }
  return o;
}

/* Byte offset of batch number `index` of the result in t, whose batch dimensions broadcast to shape. */
static int64_t batch_offset(const tsm_tensor *t, size_t batch_rank, size_t rank, const int64_t *shape, int64_t index) {
  int64_t offset = 0;
  for (size_t d = rank; d-- > 0; index /= shape[d]) {
    size_t lead = rank - batch_rank;
    if (d >= lead && tsm_shape(t)[d - lead] != 1) offset += index % shape[d] * tsm_strides(t)[d - lead];
  }
  return offset * (int64_t)tsm_item_size(t->dtype);
}

/* The distance between rows when all leading dimensions of t count as rows of one matrix; false if there is none. */
static bool joint_row(const tsm_tensor *t, int64_t *out_row) {
  const int64_t *shape = tsm_shape(t), *strides = tsm_strides(t);
  int64_t row = 0, rows = 1;
  for (size_t d = t->rank - 1u; d-- > 0;) {
    if (shape[d] == 1) continue;
    if (rows == 1) row = strides[d];
    else if (strides[d] != row * rows) return false;
    rows *= shape[d];
  }
  *out_row = row;
  return true;
}

typedef struct batch {
  tsm_product product;
  const tsm_tensor *a, *b, *out;
  operand x, y;
  size_t rank;
  int64_t first, each;  /* product a task starts from; bytes of one result */
  int64_t a_step, b_step; /* of tiny ones: elements from one matrix to the next */
  tsm_isa isa;
  char *scratch;
  size_t scratch_size;
} batch;

static tsm_product product_at(const batch *b, int64_t i) {
  tsm_product p = b->product;
  p.a = b->x.data + batch_offset(b->a, b->x.batch_rank, b->rank, tsm_shape(b->out), i);
  p.b = b->y.data + batch_offset(b->b, b->y.batch_rank, b->rank, tsm_shape(b->out), i);
  p.c = (char *)b->product.c + i * b->each;
  return p;
}

static void batch_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  const batch *b = user;
  for (int64_t i = begin; i < end; i++) {
    tsm_product p = product_at(b, b->first + i);
    tsm_product_run_serial(b->isa, &p, b->scratch + worker * b->scratch_size);
  }
}

enum { SMALL = 1 << 22, AT_ONCE = 1 << 26, CALL = 1 << 10 /* products that take as long as a call */, LINE = 64 };
static const double NS_PER_PRODUCT = 0.015;

/* Small products: each on one thread, paid for some milliseconds at a time. */
static tsm_status run_small(tsm_opcall *c, batch *b, int64_t count, int64_t cost) {
  tsm_runtime *rt = c->ctx->rt;
  b->isa = rt->isa;
  b->scratch_size = (tsm_product_scratch(rt->isa, &b->product) + LINE - 1) / LINE * LINE;
  const size_t size = tsm_room((int64_t)b->scratch_size, tsm_pool_workers(rt)) + LINE;
  char *room = tsm_alloc(rt, size);
  if (!room) return tsm_out_of_memory(c->ctx);
  b->scratch = room + (LINE - (uintptr_t)room % LINE) % LINE;
  const int64_t at_once = AT_ONCE / (cost + CALL) + 1;
  tsm_status status = TSM_OK;
  for (b->first = 0; b->first < count && !status; b->first += at_once) {
    const int64_t now = count - b->first < at_once ? count - b->first : at_once;
    status = tsm_charge_elements(c->ctx, 2 * now * cost);
    if (!status) tsm_parallel(rt, now, NS_PER_PRODUCT * (double)(cost + 1), batch_pieces, b);
  }
  tsm_free(rt, room, size);
  return status;
}

/* ---- Products of a few numbers, where a call for each would take longer than it */

enum { TINY = 128 };

#define TINY_PIECES(T)                                                                             \
  static void tiny_##T(void *user, size_t worker, int64_t begin, int64_t end) {                    \
    const batch *v = user;                                                                         \
    const tsm_product x = v->product;                                                              \
    (void)worker;                                                                                  \
    for (int64_t at = v->first + begin; at < v->first + end; at++) {                               \
      const T *a = (const T *)x.a + at * v->a_step, *b = (const T *)x.b + at * v->b_step;          \
      T *c = (T *)x.c + at * x.m * x.n;                                                            \
      for (int64_t i = 0; i < x.m; i++, a += x.a_row)                                              \
        for (int64_t j = 0; j < x.n; j++) {                                                        \
          T sum = 0;                                                                               \
          for (int64_t p = 0; p < x.k; p++) sum += a[p * x.a_column] * b[p * x.b_row + j * x.b_column]; \
          *c++ = sum;                                                                              \
        }                                                                                          \
    }                                                                                              \
  }
TINY_PIECES(float)
TINY_PIECES(double)

/* Whether matrix number i of t lies i steps from the first one, whatever the dimensions of the batch. */
static bool has_one_step(const tsm_tensor *t, size_t batch_rank, size_t rank, const int64_t *shape, int64_t *out_step) {
  int64_t step = 0, count = 1;
  for (size_t d = rank; d-- > 0; count *= shape[d]) {
    const size_t lead = rank - batch_rank;
    const int64_t stride = d < lead || tsm_shape(t)[d - lead] == 1 ? 0 : tsm_strides(t)[d - lead];
    if (shape[d] == 1) continue;
    if (count == 1) step = stride;
    else if (stride != step * count) return false;
  }
  *out_step = step;
  return true;
}

static tsm_status run_tiny(tsm_opcall *c, batch *b, int64_t count, int64_t cost) {
  const int64_t at_once = AT_ONCE / (64 * (cost + 8)) + 1;
  for (b->first = 0; b->first < count; b->first += at_once) {
    const int64_t now = count - b->first < at_once ? count - b->first : at_once;
    tsm_status status = tsm_charge_work(c->ctx, now, cost + 8);
    if (status) return status;
    tsm_parallel(c->ctx->rt, now, (double)(cost + 4), b->product.dtype == TSM_F32 ? tiny_float : tiny_double, b);
  }
  return TSM_OK;
}

static bool is_tiny(batch *b, double cost) {
  const int64_t *shape = tsm_shape(b->out);
  return cost <= TINY && has_one_step(b->a, b->x.batch_rank, b->rank, shape, &b->a_step) &&
         has_one_step(b->b, b->y.batch_rank, b->rank, shape, &b->b_step);
}

static tsm_status run_batch(tsm_opcall *c, batch *b, int64_t count) {
  const tsm_product *p = &b->product;
  const double cost = (double)p->m * (double)p->n * (double)p->k;
  const bool is_float = tsm_dtype_is_float(p->dtype);
  if (is_float && count > 1 && is_tiny(b, cost)) return run_tiny(c, b, count, (int64_t)cost);
  if (is_float && count > 1 && cost <= SMALL) return run_small(c, b, count, (int64_t)cost);
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < count && !status; i++) {
    tsm_product one = count > 1 ? product_at(b, i) : *p;
    if (is_float) {
      status = tsm_gemm_product(c, &one);
      continue;
    }
    tsm_matrix left = {one.a, one.a_row, one.a_column}, right = {one.b, one.b_row, one.b_column};
    status = tsm_gemm(c, one.dtype, one.m, one.n, one.k, left, right, one.c, one.c_row, false);
  }
  return status;
}

/* What follows the operator, as the product's epilogue. `room` must live as long as the product. */
static void use_after(tsm_opcall *c, tsm_tensor *out, tsm_product *x, tsm_epilogue *room) {
  tsm_after *after = c->ctx->after;
  c->ctx->after = NULL;
  if (!after || !tsm_dtype_is_float(x->dtype) || !x->k || x->c_row != x->n || !after->begin(after, out)) return;
  *room = (tsm_epilogue){after->run, after};
  x->epilogue = room;
}

tsm_status tsm_k_matmul(tsm_opcall *c) {
  batch b = {.a = tsm_arg_tensor(c, 0), .b = tsm_arg_tensor(c, 1), .out = tsm_result_tensor(c, 0)};
  b.x = operand_of(b.a, true);
  b.y = operand_of(b.b, false);
  if (!b.out->numel) return TSM_OK;
  const int64_t item = (int64_t)tsm_item_size(b.out->dtype);
  int64_t count = 1;
  if (b.a->rank > 2 && b.b->rank <= 2 && joint_row(b.a, &b.x.row)) b.x.rows = b.out->numel / b.y.columns;
  else count = b.out->numel / (b.x.rows * b.y.columns);
  b.rank = b.x.batch_rank > b.y.batch_rank ? b.x.batch_rank : b.y.batch_rank;
  b.each = b.x.rows * b.y.columns * item;
  b.product = (tsm_product){.dtype = b.out->dtype, .m = b.x.rows, .n = b.y.columns, .k = b.x.columns, .a = b.x.data,
                            .a_row = b.x.row, .a_column = b.x.column, .b = b.y.data, .b_row = b.y.row,
                            .b_column = b.y.column, .c_row = b.y.columns};
  b.product.c = (char *)b.out->storage->data + b.out->offset * item;
  if (count == 1 && b.b->rank == 2 && tsm_dtype_is_float(b.out->dtype)) tsm_gemm_use_packed(b.b, false, &b.product);
  tsm_epilogue epilogue;
  if (count == 1) use_after(c, tsm_result_tensor(c, 0), &b.product, &epilogue);
  return run_batch(c, &b, count);
}

/* A bias that is one row, or one number for all, is added to the sums; any other is where they start. */
static tsm_status start_from_bias(tsm_opcall *c, tsm_tensor *out, const tsm_tensor *bias, tsm_product *x) {
  if (tsm_dtype_is_float(out->dtype) && (bias->numel == 1 || (bias->rank == 1 && tsm_strides(bias)[0] == 1))) {
    x->d = tsm_tensor_read(bias);
    x->d_column = bias->numel > 1;
    return TSM_OK;
  }
  x->d = x->c;
  x->d_row = x->c_row;
  x->d_column = 1;
  return tsm_tensor_copy_into(c->ctx, out, bias);
}

tsm_status tsm_k_linear(tsm_opcall *c) {
  const tsm_tensor *weight = tsm_arg_tensor(c, 1), *bias = tsm_arg_tensor(c, 2);
  tsm_tensor *in = tsm_arg_tensor(c, 0), *out = tsm_result_tensor(c, 0), *plain = NULL;
  if (!out->numel) return TSM_OK;
  const int64_t depth = tsm_shape(in)[in->rank - 1], width = weight->rank == 2 ? tsm_shape(weight)[0] : 1;
  const bool is_float = tsm_dtype_is_float(out->dtype);
  int64_t row = 0;
  tsm_status status = TSM_OK;
  if (!joint_row(in, &row)) {
    plain = in = tsm_tensor_contiguous(c->ctx, in);
    if (!in) return c->ctx->status;
    row = depth;
  }
  tsm_product x = {.dtype = out->dtype, .m = out->numel / width, .n = width, .k = depth, .a = tsm_tensor_read(in),
                   .a_row = row, .a_column = tsm_strides(in)[in->rank - 1], .b = tsm_tensor_read(weight),
                   .b_row = tsm_strides(weight)[weight->rank - 1], .c_row = width};
  x.b_column = weight->rank == 2 ? tsm_strides(weight)[0] : 0;
  x.c = (char *)out->storage->data + out->offset * (int64_t)tsm_item_size(out->dtype);
  tsm_epilogue epilogue;
  use_after(c, out, &x, &epilogue);
  if (bias) status = start_from_bias(c, out, bias, &x);
  if (!status && is_float) {
    if (weight->rank == 2) tsm_gemm_use_packed(weight, true, &x);
    status = tsm_gemm_product(c, &x);
  } else if (!status) {
    tsm_matrix left = {x.a, x.a_row, x.a_column}, right = {x.b, x.b_row, x.b_column};
    status = tsm_gemm(c, x.dtype, x.m, x.n, x.k, left, right, x.c, x.c_row, bias != NULL);
  }
  if (plain) tsm_unref(&plain->head);
  return status;
}
