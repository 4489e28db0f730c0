/* window.c - see window.h. */
#include "window.h"

#include "arguments.h"

/* kernel extent with dilation, padded input extent; false when they overflow. */
static bool span(const tsm_window *w, int k, int64_t *out_span, int64_t *out_padded) {
  int64_t reach;
  return !tsm_mul_overflows(w->dilation[k], w->kernel[k] - 1, &reach) && !tsm_add_overflows(reach, 1, out_span) &&
         !tsm_mul_overflows(w->padding[k], 2, out_padded) && !tsm_add_overflows(*out_padded, w->in[k], out_padded) &&
         *out_padded < INT64_MAX / 4 && *out_span < INT64_MAX / 4 && w->stride[k] < INT64_MAX / 4;
}

static tsm_status raise_too_large(tsm_opcall *c) {
  return tsm_raise(c->ctx, "RuntimeError", "%s: kernel, dilation or padding is too large", c->site->op->name);
}

/* A shape's text with brackets. */
static const char *bracketed(char *text) {
  size_t length = strlen(text) - 1;
  length -= text[length - 1] == ',';
  text[0] = '[';
  text[length] = ']';
  text[length + 1] = 0;
  return text;
}

static tsm_status check_conv_shapes(tsm_opcall *c, size_t spatial, int64_t groups, bool is_transposed) {
  const tsm_tensor *input = tsm_arg_tensor(c, 0), *weight = tsm_arg_tensor(c, 1), *bias = tsm_arg_tensor(c, 2);
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
  const char *name = c->site->op->name;
  if (input->rank != spatial + 1 && input->rank != spatial + 2)
    return tsm_raise(c->ctx, "RuntimeError", "%s: expected %zuD (unbatched) or %zuD (batched) input, but got shape %s",
                     name, spatial + 1, spatial + 2, tsm_shape_text(a, input));
  if (weight->rank != spatial + 2)
    return tsm_raise(c->ctx, "RuntimeError", "%s: expected a weight of %zu dimensions, but got shape %s", name,
                     spatial + 2, tsm_shape_text(b, weight));
  int64_t channels = tsm_shape(input)[input->rank - spatial - 1], filters = tsm_shape(weight)[0];
  if (groups < 1) return tsm_raise(c->ctx, "RuntimeError", "%s: groups must be positive", name);
  if (is_transposed) {
    if (channels != filters || filters % groups)
      return tsm_raise(c->ctx, "RuntimeError", "%s: given groups=%lld, weight of size %s, expected input to have %lld "
                       "channels, a multiple of groups, but got %lld channels instead", name, (long long)groups,
                       bracketed((char *)tsm_shape_text(b, weight)), (long long)filters, (long long)channels);
    if (tsm_mul_overflows(tsm_shape(weight)[1], groups, &filters)) return raise_too_large(c);
  } else if (channels != tsm_shape(weight)[1] * groups) {
    return tsm_raise(c->ctx, "RuntimeError", "Given groups=%lld, weight of size %s, expected input%s%s to have %lld "
                     "channels, but got %lld channels instead", (long long)groups,
                     bracketed((char *)tsm_shape_text(b, weight)), input->rank == spatial + 1 ? "[1, " : "[",
                     bracketed((char *)tsm_shape_text(a, input)) + 1, (long long)(tsm_shape(weight)[1] * groups),
                     (long long)channels);
  } else if (channels % groups || channels / groups != tsm_shape(weight)[1] || filters % groups || filters < groups) {
    return tsm_raise(c->ctx, "RuntimeError", "%s: a weight of shape %s with %lld groups does not fit an input of shape %s",
                     name, tsm_shape_text(b, weight), (long long)groups, tsm_shape_text(a, input));
  }
  if (bias && (bias->rank != 1 || tsm_shape(bias)[0] != filters))
    return tsm_raise(c->ctx, "RuntimeError", "%s: expected a bias of %lld elements, but got shape %s", name,
                     (long long)filters, tsm_shape_text(b, bias));
  return TSM_OK;
}

/* One number for each spatial dimension, or one for all. */
static tsm_status read_conv_argument(tsm_opcall *c, size_t i, size_t spatial, int64_t least, int64_t out[TSM_AXES]) {
  const tsm_list *l = tsm_arg_list(c, i);
  const char *op = c->site->op->name, *name = c->site->op->schema.params[i].name;
  if (l->length != 1 && (size_t)l->length != spatial)
    return spatial == 1 ? tsm_raise(c->ctx, "RuntimeError", "%s: %s must have one element", op, name)
                        : tsm_raise(c->ctx, "RuntimeError", "%s: %s must have one or %s elements, but has %lld", op, name,
                                    spatial == 2 ? "two" : "three", (long long)l->length);
  for (size_t k = 0; k < spatial; k++) {
    const int64_t value = l->as.i64[l->length == 1 ? 0 : spatial - 1 - k];
    if (value < least)
      return tsm_raise(c->ctx, "RuntimeError", "%s: %s must be at least %lld, but is %lld", op, name, (long long)least,
                       (long long)value);
    out[tsm_axis(k)] = value;
  }
  return TSM_OK;
}

static tsm_status find_conv_extent(tsm_opcall *c, tsm_window *w, int k) {
  int64_t reach, padded;
  if (!span(w, k, &reach, &padded)) return raise_too_large(c);
  if (padded < reach)
    return tsm_raise(c->ctx, "RuntimeError", "%s: the kernel spans %lld elements, more than the padded input's %lld",
                     c->site->op->name, (long long)reach, (long long)padded);
  w->out[k] = (padded - reach) / w->stride[k] + 1;
  return TSM_OK;
}

/* `more`: elements that no window reaches, at the end. */
static tsm_status find_transposed_extent(tsm_opcall *c, tsm_window *w, int k, int64_t more) {
  int64_t reach, padded, covered;
  if (!span(w, k, &reach, &padded) || tsm_mul_overflows(w->in[k] ? w->in[k] - 1 : 0, w->stride[k], &covered) ||
      covered > INT64_MAX / 4 || more > INT64_MAX / 4)
    return raise_too_large(c);
  if (more >= w->stride[k] && more >= w->dilation[k])
    return tsm_raise(c->ctx, "RuntimeError", "%s: output padding must be smaller than either stride or dilation",
                     c->site->op->name);
  w->out[k] = covered + reach + more - 2 * w->padding[k];
  if (w->out[k] < 1 || !w->in[k])
    return tsm_raise(c->ctx, "RuntimeError", "%s: the output size of the transposed convolution is too small",
                     c->site->op->name);
  return TSM_OK;
}

tsm_status tsm_window_of_conv(tsm_opcall *c, size_t spatial, tsm_window *w) {
  const tsm_tensor *input = tsm_arg_tensor(c, 0), *weight = tsm_arg_tensor(c, 1);
  const int more_at = tsm_param_find(c, "output_padding");
  int64_t more[TSM_AXES] = {0, 0, 0};
  *w = (tsm_window){{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, more_at >= 0};
  tsm_status status = check_conv_shapes(c, spatial, tsm_arg_int(c, 6), w->is_transposed);
  if (!status) status = read_conv_argument(c, 3, spatial, 1, w->stride);
  if (!status) status = read_conv_argument(c, 4, spatial, 0, w->padding);
  if (!status) status = read_conv_argument(c, 5, spatial, 1, w->dilation);
  if (!status && more_at >= 0) status = read_conv_argument(c, (size_t)more_at, spatial, 0, more);
  for (size_t i = spatial; i-- > 0 && !status;) {
    const int k = tsm_axis(i);
    w->in[k] = tsm_shape(input)[input->rank - 1 - i];
    w->kernel[k] = tsm_shape(weight)[weight->rank - 1 - i];
    if (w->kernel[k] < 1) return tsm_raise(c->ctx, "RuntimeError", "%s: the kernel is empty", c->site->op->name);
    status = w->is_transposed ? find_transposed_extent(c, w, k, more[k]) : find_conv_extent(c, w, k);
  }
  return status;
}

int64_t tsm_conv_channels(const tsm_opcall *c, const tsm_window *w) {
  const int64_t *shape = tsm_shape(tsm_arg_tensor(c, 1));
  return w->is_transposed ? shape[0] / tsm_arg_int(c, 6) : shape[1];
}

int64_t tsm_conv_filters(const tsm_opcall *c, const tsm_window *w) {
  const int64_t *shape = tsm_shape(tsm_arg_tensor(c, 1));
  return w->is_transposed ? shape[1] : shape[0] / tsm_arg_int(c, 6);
}

static int64_t pooled(const tsm_window *w, int k, int64_t reach, int64_t padded, bool is_ceil) {
  int64_t room = padded - reach;
  if (room < 0 && !(is_ceil && room + w->stride[k] > 0)) return 0;
  int64_t out = (room + (is_ceil ? w->stride[k] - 1 : 0)) / w->stride[k] + 1;
  /* the last window must start inside the input or its left padding */
  if (is_ceil && (out - 1) * w->stride[k] >= w->in[k] + w->padding[k]) out--;
  return out;
}

static tsm_status read_pool_arguments(tsm_opcall *c, tsm_window *w) {
  tsm_status status = tsm_arg_two(c, 1, 1, w->kernel);
  if (!status && tsm_arg_list(c, 2)->length) status = tsm_arg_two(c, 2, 1, w->stride);
  else if (!status) memcpy(w->stride, w->kernel, sizeof w->stride);
  if (!status) status = tsm_arg_two(c, 3, 0, w->padding);
  w->dilation[0] = w->dilation[1] = 1;
  if (!status && tsm_param_find(c, "dilation") == 4) status = tsm_arg_two(c, 4, 1, w->dilation);
  return status;
}

tsm_status tsm_window_of_pool(tsm_opcall *c, tsm_window *w) {
  const tsm_tensor *input = tsm_arg_tensor(c, 0);
  const char *name = c->site->op->name;
  char text[TSM_SHAPE_TEXT];
  *w = (tsm_window){{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, false};
  tsm_status status = read_pool_arguments(c, w);
  if (status) return status;
  bool is_ceil = tsm_arg_bool(c, (size_t)tsm_param_find(c, "ceil_mode"));
  bool is_fit = input->rank == 3 || input->rank == 4;
  for (size_t d = 1; is_fit && d < input->rank; d++) is_fit = tsm_shape(input)[d] > 0;
  if (!is_fit || (input->rank == 3 && tsm_shape(input)[0] == 0))
    return tsm_raise(c->ctx, "RuntimeError", "%s: expected a non-empty 3D or 4D input, but got shape %s", name,
                     tsm_shape_text(text, input));
  for (int k = 0; k < 2; k++) {
    int64_t reach, padded;
    w->in[k] = tsm_shape(input)[input->rank - 2 + k];
    if (!span(w, k, &reach, &padded)) return raise_too_large(c);
    if (w->padding[k] > (reach) / 2)
      return tsm_raise(c->ctx, "RuntimeError", "%s: padding %lld is more than half of the kernel's extent %lld", name,
                       (long long)w->padding[k], (long long)reach);
    w->out[k] = pooled(w, k, reach, padded, is_ceil);
    if (w->out[k] < 1)
      return tsm_raise(c->ctx, "RuntimeError", "%s: an input of shape %s is too small for the kernel", name,
                       tsm_shape_text(text, input));
  }
  return TSM_OK;
}
