/* matmul.c - matmul with vectors and broadcast batches, and linear.
 * In: tensors of one dtype, shapes checked by infer. Out: products by tsm_gemm. */
#include "arguments.h"
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

tsm_status tsm_k_matmul(tsm_opcall *c) {
  const tsm_tensor *a = tsm_arg_tensor(c, 0), *b = tsm_arg_tensor(c, 1), *out = tsm_result_tensor(c, 0);
  operand x = operand_of(a, true), y = operand_of(b, false);
  char *to = (char *)out->storage->data;
  int64_t each = x.rows * y.columns * (int64_t)tsm_item_size(out->dtype), count = 1;
  if (!out->numel) return TSM_OK;
  if (!x.columns) {
    memset(to, 0, (size_t)out->numel * tsm_item_size(out->dtype));
    return TSM_OK;
  }
  if (a->rank > 2 && b->rank <= 2 && a->is_contiguous) { /* one tall product */
    x.rows = a->numel / x.columns;
    x.row = x.columns;
  } else {
    count = out->numel / (x.rows * y.columns);
  }
  size_t rank = x.batch_rank > y.batch_rank ? x.batch_rank : y.batch_rank;
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < count && !status; i++) {
    tsm_matrix left = {x.data, x.row, x.column}, right = {y.data, y.row, y.column};
    if (count > 1) {
      left.data = x.data + batch_offset(a, x.batch_rank, rank, tsm_shape(out), i);
      right.data = y.data + batch_offset(b, y.batch_rank, rank, tsm_shape(out), i);
    }
    status = tsm_gemm(c, out->dtype, x.rows, y.columns, x.columns, left, right, to + i * each, y.columns, false);
  }
  return status;
}

tsm_status tsm_k_linear(tsm_opcall *c) {
  const tsm_tensor *weight = tsm_arg_tensor(c, 1), *bias = tsm_arg_tensor(c, 2);
  tsm_tensor *out = tsm_result_tensor(c, 0);
  if (!out->numel) return TSM_OK;
  if (bias) {
    tsm_status status = tsm_tensor_copy_into(c->ctx, out, bias);
    if (status) return status;
  }
  int64_t depth = tsm_shape(weight)[weight->rank - 1], width = weight->rank == 2 ? tsm_shape(weight)[0] : 1;
  if (!depth) {
    if (!bias) memset(out->storage->data, 0, (size_t)out->numel * tsm_item_size(out->dtype));
    return TSM_OK;
  }
  tsm_tensor *in = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 0));
  if (!in) return c->ctx->status;
  tsm_matrix left = {tsm_tensor_read(in), depth, 1};
  tsm_matrix right = {tsm_tensor_read(weight), tsm_strides(weight)[weight->rank - 1],
                      weight->rank == 2 ? tsm_strides(weight)[0] : 0};
  tsm_status status = tsm_gemm(c, out->dtype, out->numel / width, width, depth, left, right, out->storage->data, width,
                               bias != NULL);
  tsm_unref(&in->head);
  return status;
}
