/* infer_factory.c - dtype and shape of tensors made from sizes and numbers.
 * In: sizes, dtypes, fill values. Out: dtype (float32 where Python gives none) and shape. */
#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"

static uint8_t scalar_dtype(tsm_pair p) {
  return TSM_TAG_KIND(p.tag) == TSM_FLOAT ? TSM_F32 : TSM_TAG_KIND(p.tag) == TSM_BOOL ? TSM_BOOL8 : TSM_I64;
}

static tsm_status require_float(tsm_opcall *c, const tsm_meta *out) {
  return tsm_dtype_is_float(out->dtype) ? TSM_OK : tsm_raise_not_implemented(c, out->dtype);
}

tsm_status tsm_i_factory(tsm_opcall *c, tsm_meta *out) {
  out->dtype = tsm_arg_dtype_or(c, "dtype", TSM_F32);
  return tsm_arg_shape(c, 0, out);
}

tsm_status tsm_i_factory_float(tsm_opcall *c, tsm_meta *out) {
  tsm_status status = tsm_i_factory(c, out);
  return status ? status : require_float(c, out);
}

tsm_status tsm_i_factory_full(tsm_opcall *c, tsm_meta *out) {
  tsm_pair value = tsm_arg_pair(c, 1);
  out->dtype = tsm_arg_dtype_or(c, "dtype", scalar_dtype(value));
  tsm_status status = tsm_check_scalar(c, out->dtype, value);
  return status ? status : tsm_arg_shape(c, 0, out);
}

tsm_status tsm_i_factory_randint(tsm_opcall *c, tsm_meta *out) {
  int64_t low = tsm_arg_int(c, 0), high = tsm_arg_int(c, 1);
  out->dtype = tsm_arg_dtype_or(c, "dtype", TSM_I64);
  if (low >= high)
    return tsm_raise(c->ctx, "RuntimeError", "randint: low must be less than high, but %lld >= %lld", (long long)low,
                     (long long)high);
  tsm_pair ends[2];
  ends[0].tag = ends[1].tag = TSM_INT;
  ends[0].as.i = low;
  ends[1].as.i = high - 1;
  for (int k = 0; k < 2; k++) {
    uint64_t element = 0;
    tsm_element_store(out->dtype, &element, ends[k]);
    tsm_pair back = tsm_element_load(out->dtype, &element);
    if (back.tag == TSM_FLOAT ? back.as.f != (double)ends[k].as.i : back.as.i != ends[k].as.i)
      return tsm_raise(c->ctx, "RuntimeError", "randint: %lld is out of bounds for dtype %s", (long long)ends[k].as.i,
                       tsm_dtype_name((tsm_dtype)out->dtype));
  }
  return tsm_arg_shape(c, 2, out);
}

tsm_status tsm_i_factory_order(tsm_opcall *c, tsm_meta *out) {
  out->dtype = TSM_I64;
  out->rank = 1;
  out->shape[0] = tsm_arg_int(c, 0);
  if (out->shape[0] >= 0) return TSM_OK;
  return tsm_raise(c->ctx, "RuntimeError", "n must be non-negative, got%lld", (long long)out->shape[0]);
}

tsm_status tsm_i_factory_like(tsm_opcall *c, tsm_meta *out) {
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  out->dtype = tsm_arg_dtype_or(c, "dtype", out->dtype);
  return TSM_OK;
}

tsm_status tsm_i_factory_like_float(tsm_opcall *c, tsm_meta *out) {
  tsm_status status = tsm_i_factory_like(c, out);
  return status == TSM_OK ? require_float(c, out) : status;
}

tsm_status tsm_i_factory_full_like(tsm_opcall *c, tsm_meta *out) {
  tsm_status status = tsm_i_factory_like(c, out);
  return status == TSM_OK ? tsm_check_scalar(c, out->dtype, tsm_arg_pair(c, 1)) : status;
}

tsm_status tsm_i_linspace(tsm_opcall *c, tsm_meta *out) {
  out->dtype = tsm_arg_dtype_or(c, "dtype", TSM_F32);
  out->rank = 1;
  out->shape[0] = tsm_arg_int(c, 2);
  if (out->shape[0] < 0) return tsm_raise(c->ctx, "RuntimeError", "linspace: number of steps must be non-negative");
  return TSM_OK;
}

tsm_status tsm_i_eye(tsm_opcall *c, tsm_meta *out) {
  out->dtype = tsm_arg_dtype_or(c, "dtype", TSM_F32);
  out->rank = 2;
  out->shape[0] = tsm_arg_int(c, 0);
  out->shape[1] = tsm_arg_is_none(c, 1) ? out->shape[0] : tsm_arg_pair(c, 1).as.i;
  for (int k = 0; k < 2; k++)
    if (out->shape[k] < 0)
      return tsm_raise(c->ctx, "RuntimeError", "eye: %c must be greater or equal to 0, got %lld", k ? 'm' : 'n',
                       (long long)out->shape[k]);
  return TSM_OK;
}
