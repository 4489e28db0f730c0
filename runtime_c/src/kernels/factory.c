/* factory.c - tensors from sizes and numbers: zeros ones full arange linspace eye, and tensor(data).
 * In: sizes, numbers, nested lists. Out: contiguous tensors.
 * Holds: nested lists must be rectangular; their dtype is that of the widest number in them. */
#include <math.h>

#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"

static tsm_pair int_pair(int64_t i) {
  tsm_pair p;
  p.tag = TSM_INT;
  p.as.i = i;
  return p;
}

static char *result_data(const tsm_opcall *c) { return (char *)tsm_result_tensor(c, 0)->storage->data; }

tsm_status tsm_k_zeros(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  const int64_t item = (int64_t)tsm_item_size(out->dtype);
  for (int64_t at = 0, end; at < out->numel; at = end) {
    if ((end = tsm_stretch(c->ctx, at, out->numel, 1)) < 0) return c->ctx->status;
    memset(result_data(c) + at * item, 0, (size_t)((end - at) * item));
  }
  return TSM_OK;
}

tsm_status tsm_k_ones(tsm_opcall *c) { return tsm_tensor_fill(c, tsm_result_tensor(c, 0), int_pair(1)); }
tsm_status tsm_k_full(tsm_opcall *c) { return tsm_tensor_fill(c, tsm_result_tensor(c, 0), tsm_arg_pair(c, 1)); }
tsm_status tsm_k_full_like(tsm_opcall *c) { return tsm_tensor_fill(c, tsm_result_tensor(c, 0), tsm_arg_pair(c, 1)); }

tsm_status tsm_k_eye(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  int64_t n = tsm_shape(out)[0], m = tsm_shape(out)[1], item = (int64_t)tsm_item_size(out->dtype);
  tsm_status status = tsm_k_zeros(c);
  for (int64_t i = 0; i < n && i < m && !status; i++)
    tsm_element_store(out->dtype, result_data(c) + i * (m + 1) * item, int_pair(1));
  return status;
}

/* Element i of start + i * step, computed as PyTorch does: in int64 or float64, then converted. */
static tsm_status fill_range(tsm_opcall *c, tsm_tensor *out, tsm_pair start, tsm_pair step) {
  int64_t item = (int64_t)tsm_item_size(out->dtype);
  char *at = (char *)out->storage->data;
  tsm_pair p = start;
  int64_t paid = 0;
  for (int64_t i = 0; i < out->numel; i++, at += item) {
    if (i == paid && (paid = tsm_stretch(c->ctx, i, out->numel, 1)) < 0) return c->ctx->status;
    if (p.tag == TSM_FLOAT) p.as.f = start.as.f + step.as.f * (double)i;
    else p.as.bits = start.as.bits + step.as.bits * (uint64_t)i;
    tsm_element_store(out->dtype, at, p);
  }
  return TSM_OK;
}

static double as_double(tsm_pair p) { return p.tag == TSM_FLOAT ? p.as.f : (double)p.as.i; }

/* How many elements start, start + step, ... lie before end; negative: raised. */
static int64_t range_length(tsm_opcall *c, tsm_pair start, tsm_pair end, tsm_pair step) {
  double a = as_double(start), b = as_double(end), d = as_double(step);
  if (d == 0) return tsm_raise(c->ctx, "RuntimeError", "step must be nonzero"), -1;
  if (!isfinite(a) || !isfinite(b) || !isfinite(d)) return tsm_raise(c->ctx, "RuntimeError", "arange: unsupported range"), -1;
  if (d > 0 ? b < a : b > a)
    return tsm_raise(c->ctx, "RuntimeError", "upper bound and lower bound inconsistent with step sign"), -1;
  if (start.tag != TSM_FLOAT && end.tag != TSM_FLOAT && step.tag != TSM_FLOAT) {
    uint64_t span = d > 0 ? end.as.bits - start.as.bits : start.as.bits - end.as.bits;
    uint64_t stride = d > 0 ? step.as.bits : 0 - step.as.bits, count = span / stride + (span % stride != 0);
    if (count <= INT64_MAX) return (int64_t)count;
  } else {
    double count = ceil((b - a) / d);
    if (count < 9.0e18) return (int64_t)count;
  }
  return tsm_raise(c->ctx, "RuntimeError", "arange: the result is too large"), -1;
}

static tsm_status make_range(tsm_opcall *c, tsm_pair start, tsm_pair end, tsm_pair step) {
  bool is_float = start.tag == TSM_FLOAT || end.tag == TSM_FLOAT || step.tag == TSM_FLOAT;
  tsm_meta meta = {tsm_arg_dtype_or(c, "dtype", is_float ? TSM_F32 : TSM_I64), 1, {0}};
  tsm_pair begin = start, until = end, by = step;
  if (is_float && !tsm_dtype_is_float(meta.dtype)) { /* PyTorch truncates the bounds first, for int64 also to count */
    tsm_pair *bounds[3] = {&start, &end, &step};
    for (int i = 0; i < 3; i++) {
      if (!tsm_scalar_fits(TSM_I64, *bounds[i])) return tsm_raise(c->ctx, "RuntimeError", "arange: unsupported range");
      *bounds[i] = int_pair(bounds[i]->tag == TSM_FLOAT ? (int64_t)bounds[i]->as.f : bounds[i]->as.i);
    }
    is_float = false;
  }
  if (step.tag != TSM_FLOAT && step.as.i == 0) return tsm_raise(c->ctx, "RuntimeError", "step must be nonzero");
  if (meta.dtype == TSM_I64) begin = start, until = end, by = step;
  if ((meta.shape[0] = range_length(c, begin, until, by)) < 0) return c->ctx->status;
  tsm_tensor *out = tsm_tensor_make(c->ctx, &meta, false);
  if (!out) return c->ctx->status;
  if (tsm_dtype_is_float(meta.dtype)) {
    start.as.f = as_double(start);
    step.as.f = as_double(step);
    start.tag = step.tag = TSM_FLOAT;
  }
  if (!fill_range(c, out, start, step)) return tsm_return_tensor(c, out);
  tsm_unref(&out->head);
  return c->ctx->status;
}

tsm_status tsm_k_arange(tsm_opcall *c) { return make_range(c, int_pair(0), tsm_arg_pair(c, 0), int_pair(1)); }
tsm_status tsm_k_arange_start(tsm_opcall *c) {
  return make_range(c, tsm_arg_pair(c, 0), tsm_arg_pair(c, 1), tsm_arg_pair(c, 2));
}

/* From both ends to the middle, as PyTorch, so that the last element is exactly `end`. */
tsm_status tsm_k_linspace(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  int64_t n = out->numel, item = (int64_t)tsm_item_size(out->dtype);
  bool is_float = tsm_dtype_is_float(out->dtype), is_f32 = out->dtype == TSM_F32;
  double start = as_double(tsm_arg_pair(c, 0)), end = as_double(tsm_arg_pair(c, 1));
  if (!is_float) {
    start = trunc(start);
    end = trunc(end);
  }
  double step = n > 1 ? (end - start) / (double)(n - 1) : 0;
  if (is_f32) step = n > 1 ? (double)(((float)end - (float)start) / (float)(n - 1)) : 0;
  int64_t paid = 0;
  for (int64_t i = 0; i < n; i++) {
    if (i == paid && (paid = tsm_stretch(c->ctx, i, n, 1)) < 0) return c->ctx->status;
    tsm_pair p;
    p.tag = TSM_FLOAT;
    p.as.f = i < n / 2 || n == 1 ? start + step * (double)i : end - step * (double)(n - i - 1);
    tsm_element_store(out->dtype, result_data(c) + i * item, p);
  }
  return TSM_OK;
}

/* Nested data: what number i of a list or tuple is. */
static int64_t sequence_length(tsm_pair p) {
  return TSM_TAG_KIND(p.tag) == TSM_LIST ? ((const tsm_list *)(const void *)p.as.ref)->length
                                         : ((const tsm_tuple *)(const void *)p.as.ref)->length;
}

static bool is_sequence(tsm_pair p) {
  return p.as.ref && (TSM_TAG_KIND(p.tag) == TSM_LIST || TSM_TAG_KIND(p.tag) == TSM_TUPLE);
}

static tsm_pair sequence_item(tsm_pair p, int64_t i) {
  if (TSM_TAG_KIND(p.tag) == TSM_TUPLE) return ((const tsm_tuple *)(const void *)p.as.ref)->items[i];
  const tsm_list *l = (const tsm_list *)(const void *)p.as.ref;
  tsm_pair item;
  switch (l->head.layout) {
    case TSM_L_PAIR: return l->as.pair[i];
    case TSM_L_F64: item.tag = TSM_FLOAT; item.as.f = l->as.f64[i]; return item;
    case TSM_L_U8: item.tag = TSM_BOOL; item.as.i = l->as.u8[i]; return item;
    case TSM_L_I64: return int_pair(l->as.i64[i]);
    default:
      item.as.ref = l->as.ref[i];
      item.tag = item.as.ref ? item.as.ref->kind : TSM_NONE;
      return item;
  }
}

typedef struct reading { tsm_opcall *call; tsm_meta meta; bool has_number; char *at; size_t item; } reading;

static tsm_status raise_not_number(tsm_opcall *c, tsm_pair p) {
  tsm_text name;
  tsm_text_init(&name, c->ctx->rt);
  tsm_text_type_name(&name, p);
  tsm_status status = tsm_raise(c->ctx, "TypeError", "tensor: cannot make a tensor of a '%.*s'", (int)name.length,
                                name.bytes ? name.bytes : "");
  tsm_text_free(&name);
  return status;
}

/* First pass: extents of the first elements, and the dtype of all. */
static tsm_status measure(reading *r, tsm_pair p, size_t depth, bool is_first) {
  tsm_kind kind = TSM_TAG_KIND(p.tag);
  if (is_sequence(p)) {
    int64_t length = sequence_length(p);
    if (depth >= TSM_MAX_RANK) return tsm_raise(r->call->ctx, "ValueError", "tensor: the lists are nested too deeply");
    if (is_first) {
      r->meta.shape[depth] = length;
      r->meta.rank = (uint8_t)(depth + 1);
    } else if (depth >= r->meta.rank) {
      return raise_not_number(r->call, p);
    } else if (length != r->meta.shape[depth]) {
      return tsm_raise(r->call->ctx, "ValueError", "expected sequence of length %lld at dim %zu (got %lld)",
                       (long long)r->meta.shape[depth], depth, (long long)length);
    }
    tsm_status status = tsm_charge_elements(r->call->ctx, length);
    for (int64_t i = 0; i < length && !status; i++) status = measure(r, sequence_item(p, i), depth + 1, is_first && !i);
    return status;
  }
  if (depth != r->meta.rank) return tsm_raise(r->call->ctx, "TypeError", "tensor: not a sequence at dim %zu", depth);
  uint8_t dtype = TSM_I64;
  if (kind == TSM_TENSOR && p.as.ref && ((const tsm_tensor *)(const void *)p.as.ref)->numel == 1)
    dtype = ((const tsm_tensor *)(const void *)p.as.ref)->dtype;
  else if (kind == TSM_FLOAT) dtype = TSM_F32;
  else if (kind == TSM_BOOL) dtype = TSM_BOOL8;
  else if (kind != TSM_INT) return raise_not_number(r->call, p);
  r->meta.dtype = r->has_number ? tsm_promote_types(r->meta.dtype, dtype) : dtype;
  r->has_number = true;
  return TSM_OK;
}

static tsm_status write_numbers(reading *r, tsm_pair p) {
  if (is_sequence(p)) {
    tsm_status status = TSM_OK;
    for (int64_t i = 0; i < sequence_length(p) && !status; i++) status = write_numbers(r, sequence_item(p, i));
    return status;
  }
  if (TSM_TAG_KIND(p.tag) == TSM_TENSOR) {
    tsm_status status = tsm_tensor_item(r->call->ctx, (const tsm_tensor *)(const void *)p.as.ref, &p);
    if (status) return status;
  }
  tsm_status status = tsm_check_scalar(r->call, r->meta.dtype, p);
  if (status) return status;
  tsm_element_store(r->meta.dtype, r->at, p);
  r->at += r->item;
  return TSM_OK;
}

/* tensor(t) of a tensor is a copy. */
static tsm_status copy_tensor(tsm_opcall *c, const tsm_tensor *from) {
  tsm_meta meta;
  tsm_meta_of(from, &meta);
  meta.dtype = tsm_arg_dtype_or(c, "dtype", from->dtype);
  tsm_tensor *out = tsm_tensor_make(c->ctx, &meta, false);
  if (!out || !tsm_tensor_copy_into(c->ctx, out, from)) return tsm_return_tensor(c, out);
  tsm_unref(&out->head);
  return c->ctx->status;
}

tsm_status tsm_k_t_tensor(tsm_opcall *c) {
  tsm_pair data = tsm_arg_pair(c, 0);
  reading r = {c, {TSM_F32, 0, {0}}, false, NULL, 0};
  if (TSM_TAG_KIND(data.tag) == TSM_TENSOR && data.as.ref)
    return copy_tensor(c, (const tsm_tensor *)(const void *)data.as.ref);
  tsm_status status = measure(&r, data, 0, true);
  if (status) return status;
  r.meta.dtype = tsm_arg_dtype_or(c, "dtype", r.meta.dtype);
  tsm_tensor *out = tsm_tensor_make(c->ctx, &r.meta, false);
  if (!out) return c->ctx->status;
  r.at = (char *)out->storage->data;
  r.item = tsm_item_size(r.meta.dtype);
  if (!write_numbers(&r, data)) return tsm_return_tensor(c, out);
  tsm_unref(&out->head);
  return c->ctx->status;
}
