/* norm.c - layer_norm and batch_norm.
 * In: a float tensor, optional weight and bias, running statistics. Out: the same shape; in training the running
 * statistics are updated in place, with the unbiased variance.
 * Holds: means and variances are float64. */
#include <math.h>

#include "arguments.h"
#include "kernels.h"

/* Sums of x and of squared distances from the mean, over `rows` runs of n elements `skip` apart. */
#define STATISTICS(T)                                                                                          \
  static void statistics_##T(const T *x, int64_t rows, int64_t n, int64_t skip, double *out_mean, double *out_var) { \
    double sum = 0, squares = 0, count = (double)rows * (double)n;                                             \
    for (int64_t r = 0; r < rows; r++)                                                                         \
      for (int64_t i = 0; i < n; i++) sum += (double)x[r * skip + i];                                          \
    double mean = sum / count;                                                                                 \
    for (int64_t r = 0; r < rows; r++)                                                                         \
      for (int64_t i = 0; i < n; i++) {                                                                        \
        double d = (double)x[r * skip + i] - mean;                                                             \
        squares += d * d;                                                                                      \
      }                                                                                                        \
    *out_mean = mean;                                                                                          \
    *out_var = squares / count;                                                                                \
  }                                                                                                            \
  static void normalize_##T(T *out, const T *x, int64_t n, double mean, double scale, const T *weight, const T *bias) { \
    T m = (T)mean, s = (T)scale;                                                                               \
    for (int64_t i = 0; i < n; i++) {                                                                          \
      T y = (x[i] - m) * s;                                                                                    \
      if (weight) y *= weight[i];                                                                              \
      out[i] = bias ? y + bias[i] : y;                                                                         \
    }                                                                                                          \
  }                                                                                                            \
  static void scale_##T(T *out, const T *x, int64_t n, double scale, double shift) {                           \
    T a = (T)scale, b = (T)shift;                                                                              \
    for (int64_t i = 0; i < n; i++) out[i] = x[i] * a + b;                                                     \
  }
STATISTICS(float)
STATISTICS(double)

static void layer_norm_row(uint8_t dtype, char *out, const char *in, int64_t n, double eps, const tsm_tensor *weight,
                           const tsm_tensor *bias) {
  double mean, var;
  if (dtype == TSM_F32) {
    statistics_float((const float *)(const void *)in, 1, n, 0, &mean, &var);
    normalize_float((float *)(void *)out, (const float *)(const void *)in, n, mean, 1 / sqrt(var + eps),
                    weight ? tsm_tensor_read(weight) : NULL, bias ? tsm_tensor_read(bias) : NULL);
  } else {
    statistics_double((const double *)(const void *)in, 1, n, 0, &mean, &var);
    normalize_double((double *)(void *)out, (const double *)(const void *)in, n, mean, 1 / sqrt(var + eps),
                     weight ? tsm_tensor_read(weight) : NULL, bias ? tsm_tensor_read(bias) : NULL);
  }
}

/* Contiguous versions of arguments, NULL for None; all released by release_all. */
static bool take_contiguous(tsm_opcall *c, size_t i, tsm_tensor **out) {
  tsm_tensor *t = tsm_arg_tensor(c, i);
  *out = t ? tsm_tensor_contiguous(c->ctx, t) : NULL;
  return !t || *out;
}

static void release_all(tsm_tensor **tensors, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (tensors[i]) tsm_unref(&tensors[i]->head);
}

tsm_status tsm_k_layer_norm(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  const tsm_list *normalized = tsm_arg_list(c, 1);
  tsm_tensor *taken[3] = {NULL, NULL, NULL};
  int64_t n = 1, item = (int64_t)tsm_item_size(out->dtype);
  tsm_status status = TSM_OK;
  if (!out->numel) return TSM_OK;
  for (int64_t d = 0; d < normalized->length; d++) n *= normalized->as.i64[d];
  if (!take_contiguous(c, 0, &taken[0]) || !take_contiguous(c, 2, &taken[1]) || !take_contiguous(c, 3, &taken[2]))
    status = c->ctx->status;
  for (int64_t at = 0; at < out->numel && !status; at += n) {
    layer_norm_row(out->dtype, (char *)out->storage->data + at * item, (const char *)tsm_tensor_read(taken[0]) + at * item,
                   n, tsm_arg_float(c, 4), taken[1], taken[2]);
    status = tsm_charge_elements(c->ctx, 4 * n);
  }
  release_all(taken, 3);
  return status;
}

static double element_or(const tsm_tensor *t, int64_t i, double otherwise) {
  if (!t) return otherwise;
  const char *at = (const char *)tsm_tensor_read(t) + i * tsm_strides(t)[0] * (int64_t)tsm_item_size(t->dtype);
  return tsm_element_load(t->dtype, at).as.f;
}

/* running = (1 - momentum) * running + momentum * now */
static void update_running(tsm_tensor *t, int64_t i, double momentum, double now) {
  tsm_pair p;
  if (!t) return;
  p.tag = TSM_FLOAT;
  p.as.f = (1 - momentum) * element_or(t, i, 0) + momentum * now;
  tsm_element_store(t->dtype, (char *)t->storage->data +
                    (t->offset + i * tsm_strides(t)[0]) * (int64_t)tsm_item_size(t->dtype), p);
}

static void channel_statistics(tsm_opcall *c, const tsm_tensor *in, int64_t channel, double *out_mean, double *out_var) {
  int64_t rows = tsm_shape(in)[0], n = tsm_strides(in)[1], skip = tsm_strides(in)[0];
  if (!tsm_arg_bool(c, 5)) {
    *out_mean = element_or(tsm_arg_tensor(c, 1), channel, 0);
    *out_var = element_or(tsm_arg_tensor(c, 2), channel, 1);
    return;
  }
  if (in->dtype == TSM_F32)
    statistics_float((const float *)tsm_tensor_read(in) + channel * n, rows, n, skip, out_mean, out_var);
  else statistics_double((const double *)tsm_tensor_read(in) + channel * n, rows, n, skip, out_mean, out_var);
  double count = (double)rows * (double)n, momentum = tsm_arg_float(c, 6);
  update_running(tsm_arg_tensor(c, 1), channel, momentum, *out_mean);
  update_running(tsm_arg_tensor(c, 2), channel, momentum, *out_var * count / (count - 1));
}

static void normalize_channel(tsm_opcall *c, const tsm_tensor *in, int64_t channel) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  int64_t rows = tsm_shape(in)[0], n = tsm_strides(in)[1], skip = tsm_strides(in)[0];
  double mean, var;
  channel_statistics(c, in, channel, &mean, &var);
  double scale = element_or(tsm_arg_tensor(c, 3), channel, 1) / sqrt(var + tsm_arg_float(c, 7));
  double shift = element_or(tsm_arg_tensor(c, 4), channel, 0) - mean * scale;
  for (int64_t r = 0; r < rows; r++) {
    int64_t at = r * skip + channel * n;
    if (in->dtype == TSM_F32)
      scale_float((float *)(void *)out->storage->data + at, (const float *)tsm_tensor_read(in) + at, n, scale, shift);
    else
      scale_double((double *)(void *)out->storage->data + at, (const double *)tsm_tensor_read(in) + at, n, scale, shift);
  }
}

tsm_status tsm_k_batch_norm(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  tsm_status status = TSM_OK;
  if (!out->numel) return TSM_OK;
  for (size_t i = 1; i <= 2 && tsm_arg_bool(c, 5); i++)
    if (tsm_arg_tensor(c, i) && !tsm_tensor_writable(c->ctx, tsm_arg_tensor(c, i))) return c->ctx->status;
  tsm_tensor *in = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 0));
  if (!in) return c->ctx->status;
  /* a contiguous tensor may have odd strides where an extent is 1: the result's are the true ones */
  tsm_tensor *plain = tsm_tensor_make_view(c->ctx, in, in->dtype, out->rank, tsm_shape(out), tsm_strides(out), in->offset);
  tsm_unref(&in->head);
  if (!plain) return c->ctx->status;
  for (int64_t channel = 0; channel < tsm_shape(out)[1] && !status; channel++) {
    normalize_channel(c, plain, channel);
    status = tsm_charge(c->ctx, out->numel / tsm_shape(out)[1] / 16);
  }
  tsm_unref(&plain->head);
  return status;
}
