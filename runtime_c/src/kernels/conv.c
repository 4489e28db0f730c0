/* conv.c - conv1d, conv2d, conv3d, conv_transpose: who takes a call, and for what the fast paths leave (conv_f32.c)
 * matrix products. In: (N, C, [D, [H,]] W) input, with or without N, (filters, C / groups, kernel) weight, transposed
 * (C, filters / groups, kernel). Out: (N, filters, ...).
 * Holds: the windows of a tile of places are unfolded into columns, or a tile's columns added up as windows, so the extra
 * memory does not grow with the image; a 1-d convolution is one of height 1. */
#include "conv.h"

#include "arguments.h"
#include "conv_f32.h"
#include "gemm.h"
#include "kernels.h"

enum { COLUMN_BYTES = 1 << 18, COLUMN_MIN = 64 };

/* Unfolds output places first..first+count into columns: rows row..last, each (channel, kz, ky, kx), one place a column. */
#define UNFOLD(T)                                                                                                   \
  static void unfold_##T(T *to, const T *from, int64_t row, int64_t last, const tsm_window *w, int64_t first,       \
                         int64_t count) {                                                                           \
    for (; row < last; row++) {                                                                                     \
      const int64_t kx = row % w->kernel[1], ky = row / w->kernel[1] % w->kernel[0];                                \
      const int64_t plane = row / w->kernel[1] / w->kernel[0], kz = plane % w->kernel[2];                           \
      const T *in = from + plane / w->kernel[2] * w->in[2] * w->in[0] * w->in[1];                                   \
      int64_t oz = first / w->out[1] / w->out[0], oy = first / w->out[1] % w->out[0], ox = first % w->out[1];       \
      for (int64_t i = 0; i < count; oy++) {                                                                        \
        if (oy == w->out[0]) {                                                                                      \
          oy = 0;                                                                                                   \
          oz++;                                                                                                     \
        }                                                                                                           \
        const int64_t z = oz * w->stride[2] - w->padding[2] + kz * w->dilation[2];                                  \
        const int64_t y = oy * w->stride[0] - w->padding[0] + ky * w->dilation[0];                                  \
        const bool has_row = z >= 0 && z < w->in[2] && y >= 0 && y < w->in[0];                                      \
        const T *line = has_row ? in + (z * w->in[0] + y) * w->in[1] : in;                                          \
        const int64_t end = w->out[1] - ox < count - i ? w->out[1] : ox + count - i;                                \
        int64_t x = ox * w->stride[1] - w->padding[1] + kx * w->dilation[1];                                        \
        for (i += end - ox; ox < end; ox++, x += w->stride[1])                                                      \
          *to++ = has_row && x >= 0 && x < w->in[1] ? line[x] : 0;                                                  \
        ox = 0;                                                                                                     \
      }                                                                                                             \
    }                                                                                                               \
  }
UNFOLD(uint8_t)
UNFOLD(uint16_t)
UNFOLD(uint32_t)
UNFOLD(uint64_t)

static void unfold_rows(size_t item, void *to, const void *from, int64_t row, int64_t last, const tsm_window *w,
                        int64_t first, int64_t count) {
  switch (item) {
    case 1: unfold_uint8_t(to, from, row, last, w, first, count); break;
    case 2: unfold_uint16_t(to, from, row, last, w, first, count); break;
    case 4: unfold_uint32_t(to, from, row, last, w, first, count); break;
    default: unfold_uint64_t(to, from, row, last, w, first, count); break;
  }
}

typedef struct convolution {
  tsm_opcall *call;
  tsm_window w;
  uint8_t dtype;
  int64_t item, batch, channels, filters, places; /* channels and filters of one group; places: of the result, or
                                                  * transposed of the input */
  int64_t groups, depth;                          /* channels times taps; transposed: filters times taps */
  const char *in, *weight;
  char *out, *columns;
  int64_t tile;                                   /* places unfolded at once */
  bool adds;                                      /* the bias is already there */
} convolution;

static bool is_pointwise(const tsm_window *w) {
  for (int k = 0; k < TSM_AXES; k++)
    if (w->kernel[k] != 1 || w->stride[k] != 1 || w->padding[k]) return false;
  return true;
}

/* Adds columns of input places first..first+count to where their windows lie: rows row..last, each (filter, kz, ky, kx). */
#define FOLD_int64_t uint64_t /* wraps */
#define FOLD_float float
#define FOLD_double double
#define FOLD(T)                                                                                                     \
  static void fold_##T(T *out, const T *from, int64_t row, int64_t last, const tsm_window *w, int64_t first,         \
                       int64_t count) {                                                                             \
    for (; row < last; row++) {                                                                                     \
      const int64_t kx = row % w->kernel[1], ky = row / w->kernel[1] % w->kernel[0];                                \
      const int64_t plane = row / w->kernel[1] / w->kernel[0], kz = plane % w->kernel[2];                           \
      T *to = out + plane / w->kernel[2] * w->out[2] * w->out[0] * w->out[1];                                       \
      int64_t iz = first / w->in[1] / w->in[0], iy = first / w->in[1] % w->in[0], ix = first % w->in[1];            \
      for (int64_t i = 0; i < count; i++, from++) {                                                                 \
        const int64_t z = iz * w->stride[2] - w->padding[2] + kz * w->dilation[2];                                  \
        const int64_t y = iy * w->stride[0] - w->padding[0] + ky * w->dilation[0];                                  \
        const int64_t x = ix * w->stride[1] - w->padding[1] + kx * w->dilation[1];                                  \
        if (z >= 0 && z < w->out[2] && y >= 0 && y < w->out[0] && x >= 0 && x < w->out[1]) {                        \
          T *at = to + (z * w->out[0] + y) * w->out[1] + x;                                                         \
          *at = (T)((FOLD_##T)*at + (FOLD_##T)*from);                                                                                   \
        }                                                                                                           \
        if (++ix < w->in[1]) continue;                                                                              \
        ix = 0;                                                                                                     \
        if (++iy < w->in[0]) continue;                                                                              \
        iy = 0;                                                                                                     \
        iz++;                                                                                                       \
      }                                                                                                             \
    }                                                                                                               \
  }
FOLD(int64_t)
FOLD(float)
FOLD(double)

static void fold_rows(uint8_t dtype, void *to, const void *from, int64_t row, int64_t last, const tsm_window *w,
                      int64_t first, int64_t count) {
  if (dtype == TSM_F32) fold_float(to, from, row, last, w, first, count);
  else if (dtype == TSM_F64) fold_double(to, from, row, last, w, first, count);
  else fold_int64_t(to, from, row, last, w, first, count);
}

static tsm_status fold(const convolution *v, char *out, int64_t first, int64_t count) {
  for (int64_t row = 0, end; row < v->depth; row = end) {
    if ((end = tsm_stretch(v->call->ctx, row, v->depth, 4 * count)) < 0) return v->call->ctx->status;
    fold_rows(v->dtype, out, v->columns + row * count * v->item, row, end, &v->w, first, count);
  }
  return TSM_OK;
}

static tsm_status transpose_group(const convolution *v, const char *in, const char *weight, char *out) {
  tsm_matrix left = {weight, 1, v->depth};
  for (int64_t first = 0; first < v->places; first += v->tile) {
    int64_t count = v->places - first < v->tile ? v->places - first : v->tile;
    tsm_matrix right = {in + first * v->item, v->places, 1};
    tsm_status status =
        tsm_gemm(v->call, v->dtype, v->depth, count, v->channels, left, right, v->columns, count, false);
    if (!status) status = fold(v, out, first, count);
    if (status) return status;
  }
  return TSM_OK;
}

static tsm_status unfold(const convolution *v, const char *in, int64_t first, int64_t count) {
  const int64_t each = 2 * count; /* elements copied, with the tests of where they are */
  for (int64_t row = 0, end; row < v->depth; row = end) {
    if ((end = tsm_stretch(v->call->ctx, row, v->depth, each)) < 0) return v->call->ctx->status;
    unfold_rows((size_t)v->item, v->columns + row * count * v->item, in, row, end, &v->w, first, count);
  }
  return TSM_OK;
}

static tsm_status convolve_group(const convolution *v, const char *in, const char *weight, char *out) {
  if (v->w.is_transposed) return transpose_group(v, in, weight, out);
  tsm_matrix left = {weight, v->depth, 1};
  if (!v->columns) {
    tsm_matrix right = {in, v->places, 1};
    return tsm_gemm(v->call, v->dtype, v->filters, v->places, v->depth, left, right, out, v->places, v->adds);
  }
  for (int64_t first = 0; first < v->places; first += v->tile) {
    int64_t count = v->places - first < v->tile ? v->places - first : v->tile;
    tsm_matrix right = {v->columns, count, 1};
    tsm_status status = unfold(v, in, first, count);
    if (status) return status;
    status = tsm_gemm(v->call, v->dtype, v->filters, count, v->depth, left, right, out + first * v->item, v->places,
                      v->adds);
    if (status) return status;
  }
  return TSM_OK;
}

static tsm_status convolve_all(const convolution *v) {
  const tsm_window *w = &v->w;
  int64_t image = v->channels * w->in[2] * w->in[0] * w->in[1] * v->item;
  int64_t kernel = (w->is_transposed ? v->channels : v->filters) * v->depth * v->item;
  int64_t result = v->filters * w->out[2] * w->out[0] * w->out[1] * v->item;
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < v->batch * v->groups && !status; i++)
    status = convolve_group(v, v->in + i * image, v->weight + i % v->groups * kernel, v->out + i * result);
  return status;
}

/* Gets room for the columns, unless the input itself can be used. */
static tsm_status convolve(convolution *v) {
  if (is_pointwise(&v->w) && !v->w.is_transposed) return convolve_all(v);
  int64_t room = COLUMN_BYTES / v->item / v->depth;
  v->tile = room < COLUMN_MIN ? COLUMN_MIN : room;
  if (v->tile > v->places) v->tile = v->places;
  int64_t size;
  if (tsm_mul_overflows(v->tile * v->item, v->depth, &size)) return tsm_out_of_memory(v->call->ctx);
  v->columns = tsm_alloc(v->call->ctx->rt, tsm_room(size, 1));
  if (!v->columns) return tsm_out_of_memory(v->call->ctx);
  tsm_status status = convolve_all(v);
  tsm_free(v->call->ctx->rt, v->columns, (size_t)size);
  return status;
}

/* Every result place starts as its filter's bias. */
static tsm_status spread_bias(tsm_opcall *c, size_t spatial, tsm_tensor *out) {
  const tsm_tensor *bias = tsm_arg_tensor(c, 2);
  int64_t shape[4] = {bias->numel, 1, 1, 1}, strides[4] = {tsm_strides(bias)[0], 0, 0, 0};
  tsm_tensor *view = tsm_tensor_make_view(c->ctx, bias, bias->dtype, spatial + 1, shape, strides, bias->offset);
  if (!view) return c->ctx->status;
  tsm_status status = tsm_tensor_copy_into(c->ctx, out, view);
  tsm_unref(&view->head);
  return status;
}

static tsm_status run_contiguous(tsm_opcall *c, size_t spatial, const tsm_window *w, const tsm_tensor *in,
                                 const tsm_tensor *weight, tsm_tensor *out) {
  convolution v;
  memset(&v, 0, sizeof v);
  v.w = *w;
  if (tsm_arg_tensor(c, 2) && spread_bias(c, spatial, out)) return c->ctx->status;
  v.call = c;
  v.dtype = out->dtype;
  v.item = (int64_t)tsm_item_size(out->dtype);
  v.groups = tsm_arg_int(c, 6);
  v.batch = in->rank == spatial + 2 ? tsm_shape(in)[0] : 1;
  v.channels = tsm_conv_channels(c, w);
  v.filters = tsm_conv_filters(c, w);
  const int64_t *seen = w->is_transposed ? w->in : w->out;
  v.places = seen[2] * seen[0] * seen[1];
  v.depth = (w->is_transposed ? v.filters : v.channels) * w->kernel[2] * w->kernel[0] * w->kernel[1];
  v.in = tsm_tensor_read(in);
  v.weight = tsm_tensor_read(weight);
  v.out = (char *)out->storage->data + out->offset * v.item;
  v.adds = tsm_arg_tensor(c, 2) != NULL;
  if (!v.adds && (w->is_transposed || !v.depth)) {
    if (tsm_charge_elements(c->ctx, out->numel)) return c->ctx->status;
    memset(v.out, 0, (size_t)(out->numel * v.item));
  }
  return v.depth && v.channels ? convolve(&v) : TSM_OK;
}

static tsm_status run_products(tsm_opcall *c, size_t spatial, const tsm_window *w, tsm_tensor *out) {
  tsm_tensor *in = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 0));
  tsm_tensor *weight = in ? tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 1)) : NULL;
  tsm_tensor *plain = weight ? tsm_tensor_contiguous(c->ctx, out) : NULL; /* where the products can be written */
  tsm_status status = plain ? run_contiguous(c, spatial, w, in, weight, plain) : c->ctx->status;
  if (!status && plain != out) status = tsm_tensor_copy_into(c->ctx, out, plain);
  if (in) tsm_unref(&in->head);
  if (weight) tsm_unref(&weight->head);
  if (plain) tsm_unref(&plain->head);
  return status;
}

bool tsm_conv_can_fuse(tsm_opcall *c, size_t spatial) {
  tsm_window w;
  const tsm_tensor *in = tsm_arg_tensor(c, 0);
  return in->dtype == TSM_F32 && !tsm_window_of_conv(c, spatial, &w) && tsm_conv_f32_takes(c, &w);
}

tsm_status tsm_conv_run(tsm_opcall *c, size_t spatial, tsm_tensor *out, const tsm_conv_after *after) {
  static const tsm_conv_after nothing;
  tsm_window w;
  tsm_status status = tsm_window_of_conv(c, spatial, &w);
  if (status || !out->numel) return status;
  if (out->dtype == TSM_F32 && tsm_conv_f32_takes(c, &w))
    return tsm_conv_f32_run(c, spatial, &w, out, after ? after : &nothing);
  return run_products(c, spatial, &w, out);
}

tsm_status tsm_k_conv1d(tsm_opcall *c) { return tsm_conv_run(c, 1, tsm_result_tensor(c, 0), NULL); }
tsm_status tsm_k_conv2d(tsm_opcall *c) { return tsm_conv_run(c, 2, tsm_result_tensor(c, 0), NULL); }
tsm_status tsm_k_conv3d(tsm_opcall *c) { return tsm_conv_run(c, 3, tsm_result_tensor(c, 0), NULL); }
tsm_status tsm_k_conv_transpose(tsm_opcall *c) {
  return tsm_conv_run(c, tsm_arg_tensor(c, 1)->rank - 2u, tsm_result_tensor(c, 0), NULL);
}
