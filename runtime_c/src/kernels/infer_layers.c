/* infer_layers.c - dtype and shape of matrix products, convolutions, pooling and normalisation.
 * In: shapes and dtypes. Out: the result's shape, or an error that names both shapes. */
#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"
#include "window.h"

static tsm_status check_same_dtype(tsm_opcall *c, const tsm_tensor *a, const tsm_tensor *b) {
  static const char names[TSM_DTYPE_COUNT][14] = {"bool", "unsigned char", "signed char", "short", "int", "long",
                                                  "float", "double", "c10::BFloat16"};
  const char *name = c->site->op->name;
  if (a->dtype != b->dtype && *name == 'm')
    return tsm_raise(c->ctx, "RuntimeError", "expected m1 and m2 to have the same dtype, but got: %s != %s",
                     names[a->dtype], names[b->dtype]);
  if (a->dtype != b->dtype)
    return *name == 'l' ? tsm_raise(c->ctx, "RuntimeError", "mat1 and mat2 must have the same dtype, but got %s and %s",
                                    tsm_dtype_torch_name(a->dtype), tsm_dtype_torch_name(b->dtype))
                        : tsm_raise(c->ctx, "RuntimeError", "%s: expected both tensors to have the same dtype, but got "
                                    "%s and %s", name, tsm_dtype_name((tsm_dtype)a->dtype),
                                    tsm_dtype_name((tsm_dtype)b->dtype));
  return a->dtype == TSM_BOOL8 ? tsm_raise_not_implemented(c, TSM_BOOL8) : TSM_OK;
}

/* Rows and columns as the product of matrices sees them: leading dimensions of `a` are rows too. */
static tsm_status raise_extents(tsm_opcall *c, const tsm_tensor *a, int64_t rows, int64_t columns) {
  int64_t inner = tsm_shape(a)[a->rank - 1], lines = 1;
  for (size_t d = 0; d + 1 < a->rank; d++) lines *= tsm_shape(a)[d];
  return tsm_raise(c->ctx, "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (%lldx%lld and %lldx%lld)",
                   (long long)lines, (long long)inner, (long long)rows, (long long)columns);
}

/* The last extent of `a` is not the extent of `b` that it meets. */
static tsm_status raise_product(tsm_opcall *c, const tsm_tensor *a, const tsm_tensor *b) {
  const int64_t *x = tsm_shape(a), *y = tsm_shape(b);
  char text[TSM_SHAPE_TEXT], wanted[TSM_SHAPE_TEXT];
  if (a->rank == 1 && b->rank == 1)
    return tsm_raise(c->ctx, "RuntimeError", "inconsistent tensor size, expected tensor [%lld] and src [%lld] to have the "
                     "same number of elements, but got %lld and %lld elements respectively", (long long)x[0],
                     (long long)y[0], (long long)x[0], (long long)y[0]);
  if (b->rank == 1)
    return tsm_raise(c->ctx, "RuntimeError", "size mismatch, got input (%lld), mat (%lldx%lld), vec (%lld)",
                     (long long)x[0], (long long)x[0], (long long)x[a->rank - 1], (long long)y[0]);
  if (b->rank == 2) return raise_extents(c, a, y[0], y[1]);
  int64_t shown[2] = {y[0], x[a->rank - 1]};
  for (size_t d = 1; d + 2 < b->rank; d++) shown[0] *= y[d];
  const char *expected = tsm_list_text(wanted, shown, 2);
  shown[1] = y[b->rank - 2];
  return tsm_raise(c->ctx, "RuntimeError", "Expected size for first two dimensions of batch2 tensor to be: %s but got: "
                   "%s.", expected, tsm_list_text(text, shown, 2));
}

static tsm_status raise_shapes(tsm_opcall *c, const tsm_tensor *a, const tsm_tensor *b, const char *why) {
  char a_text[TSM_SHAPE_TEXT], b_text[TSM_SHAPE_TEXT];
  return tsm_raise(c->ctx, "RuntimeError", "%s: shapes %s and %s cannot be multiplied: %s", c->site->op->name,
                   tsm_shape_text(a_text, a), tsm_shape_text(b_text, b), why);
}

tsm_status tsm_i_matmul(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *a = tsm_arg_tensor(c, 0), *b = tsm_arg_tensor(c, 1);
  if (!a->rank || !b->rank) return raise_shapes(c, a, b, "both arguments need at least one dimension");
  tsm_status status = check_same_dtype(c, a, b);
  if (status) return status;
  int64_t inner_a = tsm_shape(a)[a->rank - 1], inner_b = tsm_shape(b)[b->rank >= 2 ? b->rank - 2 : 0];
  if (inner_a != inner_b) return raise_product(c, a, b);
  size_t rank = a->rank > 2 ? a->rank - 2u : 0;
  memcpy(out->shape, tsm_shape(a), rank * sizeof(int64_t));
  if (!tsm_broadcast(out->shape, &rank, tsm_shape(b), b->rank > 2 ? b->rank - 2u : 0))
    return tsm_raise_broadcast(c, tsm_shape(a), a->rank - 2u, tsm_shape(b), b->rank - 2u);
  if (a->rank >= 2) out->shape[rank++] = tsm_shape(a)[a->rank - 2];
  if (b->rank >= 2) out->shape[rank++] = tsm_shape(b)[b->rank - 1];
  out->dtype = a->dtype;
  out->rank = (uint8_t)rank;
  return TSM_OK;
}

tsm_status tsm_i_linear(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *input = tsm_arg_tensor(c, 0), *weight = tsm_arg_tensor(c, 1), *bias = tsm_arg_tensor(c, 2);
  if (!input->rank || !weight->rank || weight->rank > 2)
    return raise_shapes(c, input, weight, "the input needs at least one dimension, the weight one or two");
  tsm_status status = check_same_dtype(c, input, weight);
  if (!status && bias) status = check_same_dtype(c, input, bias);
  if (status) return status;
  if (tsm_shape(input)[input->rank - 1] != tsm_shape(weight)[weight->rank - 1])
    return weight->rank == 1 ? raise_product(c, input, weight)
                             : raise_extents(c, input, tsm_shape(weight)[1], tsm_shape(weight)[0]);
  tsm_meta_of(input, out);
  if (weight->rank == 2) out->shape[out->rank - 1] = tsm_shape(weight)[0];
  else out->rank--;
  if (!bias || (bias->rank == 1 && out->rank && *tsm_shape(bias) == out->shape[out->rank - 1])) return TSM_OK;
  int64_t shape[TSM_MAX_RANK];
  size_t rank = out->rank;
  memcpy(shape, out->shape, rank * sizeof *shape);
  if (bias->rank > rank || !tsm_broadcast(shape, &rank, tsm_shape(bias), bias->rank) ||
      memcmp(shape, out->shape, rank * sizeof *shape)) {
    char text[TSM_SHAPE_TEXT], out_text[TSM_SHAPE_TEXT];
    return tsm_raise(c->ctx, "RuntimeError", "linear: the bias of shape %s does not broadcast to the result's shape %s",
                     tsm_shape_text(text, bias), tsm_list_text(out_text, out->shape, out->rank));
  }
  return TSM_OK;
}

static tsm_status infer_conv(tsm_opcall *c, size_t spatial, tsm_meta *out) {
  tsm_window w;
  tsm_status status = check_same_dtype(c, tsm_arg_tensor(c, 0), tsm_arg_tensor(c, 1));
  if (!status && tsm_arg_tensor(c, 2)) status = check_same_dtype(c, tsm_arg_tensor(c, 0), tsm_arg_tensor(c, 2));
  if (!status) status = tsm_window_of_conv(c, spatial, &w);
  if (status) return status;
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  out->shape[out->rank - spatial - 1] = tsm_conv_filters(c, &w) * tsm_arg_int(c, 6);
  for (size_t i = 0; i < spatial; i++) out->shape[out->rank - 1 - i] = w.out[tsm_axis(i)];
  return TSM_OK;
}

tsm_status tsm_i_conv1d(tsm_opcall *c, tsm_meta *out) { return infer_conv(c, 1, out); }
tsm_status tsm_i_conv2d(tsm_opcall *c, tsm_meta *out) { return infer_conv(c, 2, out); }
tsm_status tsm_i_conv3d(tsm_opcall *c, tsm_meta *out) { return infer_conv(c, 3, out); }

/* The weight says how many dimensions there are. */
tsm_status tsm_i_conv_transpose(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *weight = tsm_arg_tensor(c, 1);
  char text[TSM_SHAPE_TEXT];
  if (weight->rank < 3 || weight->rank > 5)
    return tsm_raise(c->ctx, "RuntimeError", "conv_transpose: expected a weight of 3 to 5 dimensions, but got shape %s",
                     tsm_shape_text(text, weight));
  if (weight->dtype < TSM_I64) return tsm_raise_not_implemented(c, weight->dtype); /* as PyTorch */
  return infer_conv(c, weight->rank - 2u, out);
}

static tsm_status infer_pool(tsm_opcall *c, tsm_meta *out) {
  tsm_window w;
  tsm_status status = tsm_window_of_pool(c, &w);
  if (status) return status;
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  out->shape[out->rank - 2] = w.out[0];
  out->shape[out->rank - 1] = w.out[1];
  return TSM_OK;
}

tsm_status tsm_i_max_pool2d(tsm_opcall *c, tsm_meta *out) {
  if (tsm_arg_tensor(c, 0)->dtype == TSM_BOOL8) return tsm_raise_not_implemented(c, TSM_BOOL8);
  return infer_pool(c, out);
}

tsm_status tsm_i_avg_pool2d(tsm_opcall *c, tsm_meta *out) {
  uint8_t dtype = tsm_arg_tensor(c, 0)->dtype;
  if (dtype < TSM_I64) return tsm_raise_not_implemented(c, dtype);
  return infer_pool(c, out);
}

tsm_status tsm_i_adaptive_pool2d(tsm_opcall *c, tsm_meta *out) {
  int64_t size[2];
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (!tsm_dtype_is_float(out->dtype))
    return tsm_raise(c->ctx, "RuntimeError", "adaptive_avg_pool2d: needs a floating point dtype, but got %s",
                     tsm_dtype_name((tsm_dtype)out->dtype));
  tsm_status status = tsm_arg_two(c, 1, 0, size);
  if (status) return status;
  if (out->rank != 3 && out->rank != 4)
    return tsm_raise(c->ctx, "RuntimeError", "adaptive_avg_pool2d: expected 3 or 4 dimensions, but got %d", out->rank);
  for (size_t d = out->rank - 3u; d < out->rank; d++)
    if (out->shape[d] == 0)
      return tsm_raise(c->ctx, "RuntimeError", "adaptive_avg_pool2d: dimension %zu of the input is empty", d);
  out->shape[out->rank - 2] = size[0];
  out->shape[out->rank - 1] = size[1];
  return TSM_OK;
}

/* An optional parameter of a normalisation must have this shape and the input's dtype. */
static tsm_status check_parameter(tsm_opcall *c, size_t i, size_t rank, const int64_t *shape) {
  const tsm_tensor *t = tsm_arg_tensor(c, i);
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
  if (!t) return TSM_OK;
  if (t->rank != rank || memcmp(tsm_shape(t), shape, rank * sizeof *shape))
    return tsm_raise(c->ctx, "RuntimeError", "%s: %s should have shape %s, but has %s", c->site->op->name,
                     c->site->op->schema.params[i].name, tsm_list_text(a, shape, rank), tsm_shape_text(b, t));
  return check_same_dtype(c, tsm_arg_tensor(c, 0), t);
}

tsm_status tsm_i_layer_norm(tsm_opcall *c, tsm_meta *out) {
  const tsm_list *normalized = tsm_arg_list(c, 1);
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (!tsm_dtype_is_float(out->dtype)) return tsm_raise_not_implemented(c, out->dtype);
  if (normalized->length < 1)
    return tsm_raise(c->ctx, "RuntimeError", "layer_norm: normalized_shape must have at least one dimension");
  size_t rank = (size_t)normalized->length;
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
  if (rank > out->rank || memcmp(out->shape + (out->rank - rank), normalized->as.i64, rank * sizeof(int64_t)))
    return tsm_raise(c->ctx, "RuntimeError", "layer_norm: the last dimensions of the input of shape %s are not "
                     "normalized_shape %s", tsm_shape_text(b, tsm_arg_tensor(c, 0)),
                     tsm_list_text(a, normalized->as.i64, rank > TSM_MAX_RANK ? TSM_MAX_RANK : rank));
  tsm_status status = check_parameter(c, 2, rank, normalized->as.i64);
  return status ? status : check_parameter(c, 3, rank, normalized->as.i64);
}

tsm_status tsm_i_group_norm(tsm_opcall *c, tsm_meta *out) {
  const int64_t groups = tsm_arg_int(c, 1);
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (!tsm_dtype_is_float(out->dtype)) return tsm_raise_not_implemented(c, out->dtype);
  if (out->rank < 2 || groups < 1 || out->shape[1] % groups)
    return tsm_raise(c->ctx, "RuntimeError", "group_norm: the number of channels must be divisible by num_groups");
  tsm_status status = check_parameter(c, 2, 1, &out->shape[1]);
  return status ? status : check_parameter(c, 3, 1, &out->shape[1]);
}

static tsm_status check_batch(tsm_opcall *c, const tsm_meta *input, int64_t channels) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  char text[TSM_SHAPE_TEXT];
  if (!tsm_arg_bool(c, 5)) {
    for (size_t i = 1; i <= 2; i++)
      if (!tsm_arg_tensor(c, i))
        return tsm_raise(c->ctx, "RuntimeError", "batch_norm: %s must be given in evaluation mode",
                         c->site->op->schema.params[i].name);
    return TSM_OK;
  }
  if (input->rank && channels > 0 && t->numel / channels == 1)
    return tsm_raise(c->ctx, "ValueError", "batch_norm: Expected more than 1 value per channel when training, got input "
                     "size %s", tsm_shape_text(text, t));
  return TSM_OK;
}

tsm_status tsm_i_batch_norm(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (!tsm_dtype_is_float(out->dtype)) return tsm_raise_not_implemented(c, out->dtype);
  if (out->rank < 2)
    return tsm_raise(c->ctx, "RuntimeError", "batch_norm: the input needs at least 2 dimensions, but has %d", out->rank);
  int64_t channels = out->shape[1];
  for (size_t i = 1; i <= 4; i++) {
    tsm_status status = check_parameter(c, i, 1, &channels);
    if (status) return status;
  }
  return check_batch(c, out, channels);
}

tsm_status tsm_i_dropout(tsm_opcall *c, tsm_meta *out) {
  double p = tsm_arg_float(c, 1);
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  if (!(p >= 0 && p <= 1))
    return tsm_raise(c->ctx, "ValueError", "dropout: the probability has to be between 0 and 1");
  if (!tsm_arg_bool(c, 2) || p == 0) return TSM_OK;
  return tsm_dtype_is_float(out->dtype) ? TSM_OK : tsm_raise_not_implemented(c, out->dtype);
}
