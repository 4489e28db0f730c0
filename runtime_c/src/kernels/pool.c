/* pool.c - max_pool2d, avg_pool2d, adaptive_avg_pool2d.
 * In: (N, C, H, W) or (C, H, W). Out: one value a window.
 * Holds: padding is never larger than any element (max) and counts as 0 or not at all (mean); float32 images whose
 * channels lie innermost go through simd/pool.h, all others plane by plane. */
#include "arguments.h"
#include "base/pool.h"
#include "conv_images.h"
#include "kernels.h"
#include "simd/pool.h"
#include "window.h"

enum { POOL_MAX, POOL_MEAN, POOL_ADAPTIVE };
typedef struct pooling {
  tsm_window w;
  int kind;
  bool counts_padding;
} pooling;

static int64_t at_least(int64_t x, int64_t least) { return x < least ? least : x; }
static int64_t at_most(int64_t x, int64_t most) { return x > most ? most : x; }

/* floor(i * in / out) and ceil((i + 1) * in / out) without overflow. */
static int64_t window_start(int64_t i, int64_t out, int64_t in) { return i * (in / out) + i * (in % out) / out; }
static int64_t window_end(int64_t i, int64_t out, int64_t in) {
  return (i + 1) * (in / out) + ((i + 1) * (in % out) + out - 1) / out;
}

/* Row or column i of the result: what it joins, and what its sum is divided by. */
static tsm_pool_range range_of(const pooling *p, int d, int64_t i, float *out_divisor) {
  const tsm_window *w = &p->w;
  if (p->kind == POOL_ADAPTIVE) {
    int64_t start = window_start(i, w->out[d], w->in[d]), end = window_end(i, w->out[d], w->in[d]);
    *out_divisor = (float)(end - start);
    return (tsm_pool_range){start, end - start, 1};
  }
  int64_t step = w->dilation[d], start = i * w->stride[d] - w->padding[d];
  int64_t end = at_most(start + (w->kernel[d] - 1) * step + 1, w->in[d] + w->padding[d]), padded = end - start;
  if (start < 0) start += (-start + step - 1) / step * step;
  end = at_most(end, w->in[d]);
  int64_t count = end > start ? (end - start + step - 1) / step : 0;
  *out_divisor = (float)(p->counts_padding ? padded : count);
  return (tsm_pool_range){start, count, step};
}

/* The largest of a window; NaN wins. */
#define MAX_PLANE(T)                                                                                             \
  static inline T most_##T(const T *in, int64_t width, tsm_pool_range down, tsm_pool_range across) {             \
    const T *row = in + down.first * width + across.first;                                                       \
    T most = *row, nan = 0;                                                                                      \
    for (int64_t y = 0; y < down.count; y++, row += down.step * width)                                           \
      for (int64_t x = 0; x < across.count; x++) {                                                               \
        const T value = row[x * across.step];                                                                    \
        most = most > value ? most : value; /* no branch: it would be foreseen as seldom as a coin's side */      \
        if (value != value) nan = value;                                                                         \
      }                                                                                                          \
    return nan != nan ? nan : most;                                                                              \
  }                                                                                                              \
  static void max_##T(void *to, const void *from, const pooling *p, int64_t row, int64_t end) {                  \
    const tsm_window *w = &p->w;                                                                                 \
    const int64_t reach = (w->kernel[1] - 1) * w->dilation[1];                                                   \
    T *out = to;                                                                                                 \
    for (int64_t oy = row; oy < end; oy++) {                                                                     \
      float unused;                                                                                              \
      const tsm_pool_range down = range_of(p, 0, oy, &unused);                                                   \
      for (int64_t ox = 0; ox < w->out[1]; ox++) {                                                               \
        const int64_t start = ox * w->stride[1] - w->padding[1];                                                 \
        tsm_pool_range across = {start, w->kernel[1], w->dilation[1]};                                           \
        if (start < 0 || start + reach >= w->in[1]) across = range_of(p, 1, ox, &unused);                        \
        *out++ = down.count && across.count ? most_##T(from, w->in[1], down, across) : 0;                        \
      }                                                                                                          \
    }                                                                                                            \
  }
MAX_PLANE(uint8_t)
MAX_PLANE(int8_t)
MAX_PLANE(int16_t)
MAX_PLANE(int32_t)
MAX_PLANE(int64_t)
MAX_PLANE(float)
MAX_PLANE(double)

#define MEAN_PLANE(T, SUM)                                                                               \
  static void mean_##T(void *to, const void *from, const pooling *p, int64_t row, int64_t end) {          \
    const tsm_window *w = &p->w;                                                                         \
    const T *in = from;                                                                                  \
    T *out = to;                                                                                         \
    for (int64_t oy = row; oy < end; oy++)                                                               \
      for (int64_t ox = 0; ox < w->out[1]; ox++) {                                                       \
        int64_t top = oy * w->stride[0] - w->padding[0], left = ox * w->stride[1] - w->padding[1];       \
        int64_t bottom = at_most(top + w->kernel[0], w->in[0] + w->padding[0]);                          \
        int64_t right = at_most(left + w->kernel[1], w->in[1] + w->padding[1]);                          \
        int64_t padded = (bottom - top) * (right - left);                                                \
        top = at_least(top, 0);                                                                          \
        left = at_least(left, 0);                                                                        \
        bottom = at_most(bottom, w->in[0]);                                                              \
        right = at_most(right, w->in[1]);                                                                \
        SUM sum = 0;                                                                                     \
        for (int64_t y = top; y < bottom; y++)                                                           \
          for (int64_t x = left; x < right; x++) sum = (SUM)(sum + (SUM)in[y * w->in[1] + x]);           \
        int64_t count = p->counts_padding ? padded : (bottom - top) * (right - left);                    \
        *out++ = top < bottom && left < right ? (T)((T)sum / (T)count) : 0;                              \
      }                                                                                                  \
  }
MEAN_PLANE(int64_t, uint64_t)
MEAN_PLANE(float, float)
MEAN_PLANE(double, double)

#define ADAPTIVE_PLANE(T)                                                                                \
  static void adaptive_##T(void *to, const void *from, const pooling *p, int64_t row, int64_t end) {      \
    const tsm_window *w = &p->w;                                                                         \
    const T *in = from;                                                                                  \
    T *out = to;                                                                                         \
    for (int64_t oy = row; oy < end; oy++)                                                               \
      for (int64_t ox = 0; ox < w->out[1]; ox++) {                                                       \
        int64_t top = window_start(oy, w->out[0], w->in[0]), bottom = window_end(oy, w->out[0], w->in[0]); \
        int64_t left = window_start(ox, w->out[1], w->in[1]), right = window_end(ox, w->out[1], w->in[1]); \
        T sum = 0;                                                                                       \
        for (int64_t y = top; y < bottom; y++)                                                           \
          for (int64_t x = left; x < right; x++) sum += in[y * w->in[1] + x];                            \
        *out++ = sum / (T)(bottom - top) / (T)(right - left);                                            \
      }                                                                                                  \
  }
ADAPTIVE_PLANE(float)
ADAPTIVE_PLANE(double)

/* ---- Channels innermost */

enum { FEW_CHANNELS = 4 };
static const double NS_PER_FLOAT = 0.2;

typedef struct images_job { tsm_pool_job job; const tsm_pool_set *set; } images_job;

static void pool_images(void *user, size_t worker, int64_t begin, int64_t end) {
  const images_job *v = user;
  (void)worker;
  v->set->rows(&v->job, begin, end);
}

static void fill_job(tsm_pool_job *job, const tsm_images *in, const tsm_images *out) {
  job->in = in->data;
  job->in_image = in->step[TSM_IMAGE];
  job->in_row = in->step[TSM_ROW];
  job->in_place = in->step[TSM_PLACE];
  job->out = out->data;
  job->out_image = out->step[TSM_IMAGE];
  job->out_row = out->step[TSM_ROW];
  job->out_place = out->step[TSM_PLACE];
  job->channels = out->size[TSM_CHANNEL];
  job->rows = out->size[TSM_ROW];
  job->columns = out->size[TSM_PLACE];
}

/* *out_done: whether the images lie so, with enough channels. */
static tsm_status run_images(tsm_opcall *c, const pooling *p, int64_t work, bool *out_done) {
  static const tsm_pool_set *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_pool_set);
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  *out_done = false;
  if (out->dtype != TSM_F32) return TSM_OK;
  tsm_images from = tsm_images_of(tsm_arg_tensor(c, 0), 2), to = tsm_images_of(out, 2);
  if (from.step[TSM_CHANNEL] != 1 || to.step[TSM_CHANNEL] != 1 || to.size[TSM_CHANNEL] < FEW_CHANNELS) return TSM_OK;
  const int64_t count = p->w.out[0] + p->w.out[1];
  const size_t bytes = tsm_room(count, sizeof(tsm_pool_range) + sizeof(float));
  tsm_pool_range *ranges = tsm_alloc(c->ctx->rt, bytes);
  if (!ranges) return tsm_out_of_memory(c->ctx);
  float *divisors = (float *)(void *)(ranges + count);
  for (int64_t i = 0; i < p->w.out[0]; i++) ranges[i] = range_of(p, 0, i, &divisors[i]);
  for (int64_t i = p->w.out[0]; i < count; i++) ranges[i] = range_of(p, 1, i - p->w.out[0], &divisors[i]);
  images_job v = {.set = sets[c->ctx->rt->isa]};
  fill_job(&v.job, &from, &to);
  v.job.down = ranges;
  v.job.across = ranges + p->w.out[0];
  v.job.divide_down = divisors;
  v.job.divide_across = divisors + p->w.out[0];
  v.job.is_max = p->kind == POOL_MAX;
  double row = (double)p->w.out[1] * (double)to.size[TSM_CHANNEL] * (double)work;
  tsm_status status = tsm_parallel_paid(c->ctx, to.size[TSM_IMAGE] * p->w.out[0],
                                        row < (double)INT32_MAX ? (int64_t)row : INT32_MAX, NS_PER_FLOAT * row, pool_images, &v);
  tsm_free(c->ctx->rt, ranges, bytes);
  *out_done = true;
  return status;
}

/* ---- Plane by plane */

/* Rows [row, end) of a plane's result, the first of which is at `to`. */
typedef void (*plane_fn)(void *to, const void *from, const pooling *p, int64_t row, int64_t end);
typedef struct planes_job {
  plane_fn plane;
  const pooling *p;
  char *to;
  const char *from;
  int64_t to_step, from_step; /* bytes of a row of the result, of a plane */
} planes_job;

/* Pieces: rows of all planes. */
static void pool_rows(void *user, size_t worker, int64_t begin, int64_t end) {
  const planes_job *v = user;
  const int64_t rows = v->p->w.out[0];
  (void)worker;
  for (int64_t i = begin, now; i < end; i += now) {
    const int64_t row = i % rows;
    now = at_most(rows - row, end - i);
    v->plane(v->to + i * v->to_step, v->from + i / rows * v->from_step, v->p, row, row + now);
  }
}

static tsm_status run_planes(tsm_opcall *c, tsm_tensor *out, plane_fn plane, const pooling *p, int64_t work) {
  const int64_t item = (int64_t)tsm_item_size(out->dtype), width = p->w.out[1];
  const int64_t each = width < INT64_MAX / 64 / (work + 2) / 2 ? width * (2 * work + 4) : INT64_MAX / 64;
  tsm_tensor *in = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 0));
  if (!in) return c->ctx->status;
  planes_job v = {plane, p, (char *)out->storage->data, tsm_tensor_read(in), width * item, p->w.in[0] * p->w.in[1] * item};
  tsm_status status = tsm_parallel_paid(c->ctx, out->numel / width, each, (double)width * (double)work, pool_rows, &v);
  tsm_unref(&in->head);
  return status;
}

static tsm_status run(tsm_opcall *c, plane_fn plane, const pooling *p, int64_t work) {
  tsm_tensor *out = tsm_result_tensor(c, 0);
  bool is_done = false;
  if (!out->numel) return TSM_OK;
  tsm_status status = run_images(c, p, work, &is_done);
  if (status || is_done) return status;
  if (out->is_contiguous) return run_planes(c, out, plane, p, work);
  tsm_tensor *plain = tsm_tensor_contiguous(c->ctx, out);
  if (!plain) return c->ctx->status;
  status = run_planes(c, plain, plane, p, work);
  if (!status) status = tsm_tensor_copy_into(c->ctx, out, plain);
  tsm_unref(&plain->head);
  return status;
}

static int64_t window_work(const tsm_window *w) {
  int64_t work;
  return tsm_mul_overflows(w->kernel[0], w->kernel[1], &work) || work > INT32_MAX ? INT32_MAX : work;
}

tsm_status tsm_k_max_pool2d(tsm_opcall *c) {
  static const plane_fn planes[] = {NULL, max_uint8_t, max_int8_t, max_int16_t, max_int32_t, max_int64_t, max_float,
                                    max_double};
  pooling p = {.kind = POOL_MAX};
  tsm_status status = tsm_window_of_pool(c, &p.w);
  return status ? status : run(c, planes[tsm_result_tensor(c, 0)->dtype], &p, window_work(&p.w));
}

tsm_status tsm_k_avg_pool2d(tsm_opcall *c) {
  static const plane_fn planes[] = {NULL, NULL, NULL, NULL, NULL, mean_int64_t, mean_float, mean_double};
  pooling p = {.kind = POOL_MEAN, .counts_padding = tsm_arg_bool(c, 5)};
  tsm_status status = tsm_window_of_pool(c, &p.w);
  return status ? status : run(c, planes[tsm_result_tensor(c, 0)->dtype], &p, window_work(&p.w));
}

tsm_status tsm_k_adaptive_avg_pool2d(tsm_opcall *c) {
  const tsm_tensor *in = tsm_arg_tensor(c, 0), *out = tsm_result_tensor(c, 0);
  pooling p = {.kind = POOL_ADAPTIVE};
  if (!out->numel) return TSM_OK;
  for (size_t k = 0; k < 2; k++) {
    p.w.in[k] = tsm_shape(in)[in->rank - 2 + k];
    p.w.out[k] = tsm_shape(out)[out->rank - 2 + k];
  }
  int64_t work = (p.w.in[0] / p.w.out[0] + 1) * (p.w.in[1] / p.w.out[1] + 1);
  return run(c, out->dtype == TSM_F32 ? adaptive_float : adaptive_double, &p, work);
}
