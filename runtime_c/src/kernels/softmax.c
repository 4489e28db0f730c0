/* softmax.c - softmax and log_softmax along a dimension.
 * In: a float tensor. Out: the same shape.
 * Holds: the largest element is subtracted first; sums are float64. */
#include <math.h>

#include "arguments.h"
#include "kernels.h"

/* A line of n elements `step` apart; contiguous input and output have equal layout. */
#define SOFTMAX_LINE(T, EXP)                                                                    \
  static void softmax_##T(T *out, const T *in, int64_t n, int64_t step, bool is_log) {          \
    T largest = in[0];                                                                          \
    double sum = 0;                                                                             \
    for (int64_t i = 1; i < n; i++)                                                             \
      if (in[i * step] > largest || in[i * step] != in[i * step]) largest = in[i * step];       \
    for (int64_t i = 0; i < n; i++) {                                                           \
      T e = EXP(in[i * step] - largest);                                                        \
      out[i * step] = e;                                                                        \
      sum += (double)e;                                                                         \
    }                                                                                           \
    if (is_log) {                                                                               \
      T shift = (T)log(sum);                                                                    \
      for (int64_t i = 0; i < n; i++) out[i * step] = in[i * step] - largest - shift;           \
    } else {                                                                                    \
      T scale = (T)(1 / sum);                                                                   \
      for (int64_t i = 0; i < n; i++) out[i * step] *= scale;                                   \
    }                                                                                           \
  }
SOFTMAX_LINE(float, expf)
SOFTMAX_LINE(double, exp)

static tsm_status run(tsm_opcall *c, bool is_log) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  size_t dim;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), out->rank, &dim);
  if (status || !out->numel) return status;
  tsm_tensor *in = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 0));
  if (!in) return c->ctx->status;
  int64_t n = out->rank ? tsm_shape(out)[dim] : 1, step = out->rank ? tsm_strides(out)[dim] : 1;
  for (int64_t line = 0; line < out->numel / n && !status; line++) {
    int64_t at = line / step * step * n + line % step;
    if (out->dtype == TSM_F32)
      softmax_float((float *)(void *)out->storage->data + at, (const float *)tsm_tensor_read(in) + at, n, step, is_log);
    else
      softmax_double((double *)(void *)out->storage->data + at, (const double *)tsm_tensor_read(in) + at, n, step, is_log);
    status = tsm_charge_elements(c->ctx, n);
  }
  tsm_unref(&in->head);
  return status;
}

tsm_status tsm_k_softmax(tsm_opcall *c) { return run(c, false); }
tsm_status tsm_k_log_softmax(tsm_opcall *c) { return run(c, true); }
