/* norm.c - layer_norm, group_norm and batch_norm.
 * In: a float tensor, optional weight and bias, running statistics. Out: the same shape; in training the running
 * statistics are updated in place, with the unbiased variance.
 * Holds: means and variances are float64, joined as simd/reduce.h says. */
#include <math.h>

#include "arguments.h"
#include "base/pool.h"
#include "kernels.h"
#include "simd/pointwise.h"
#include "simd/pool.h"
#include "simd/reduce.h"
#include "tensor/order.h"

static const double NS_PER_ELEMENT = 0.3;

/* Mean and variance over `rows` runs of n elements `skip` apart. */
static void statistics(const tsm_reduce_set *set, bool is_double, const char *x, int64_t rows, int64_t n, int64_t skip,
                       double *out_mean, double *out_var) {
  const double count = (double)rows * (double)n;
  double sum = 0, squares = 0;
  for (int64_t r = 0; r < rows; r++) sum += set->row[is_double][TSM_JOIN_SUM](x + r * skip, (size_t)n, 0);
  *out_mean = sum / count;
  for (int64_t r = 0; r < rows; r++)
    squares += set->row[is_double][TSM_JOIN_SQUARES](x + r * skip, (size_t)n, *out_mean);
  *out_var = squares / count;
}

typedef struct layer {
  const tsm_reduce_set *set;
  const char *in;
  char *out;
  const void *weight, *bias;
  int64_t n, item;
  double eps;
} layer;

static void layer_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const layer *l = user;
  const bool is_double = l->item == 8;
  (void)worker;
  for (int64_t at = begin * l->n * l->item; at < end * l->n * l->item; at += l->n * l->item) {
    double mean, var;
    statistics(l->set, is_double, l->in + at, 1, l->n, 0, &mean, &var);
    l->set->normalize[is_double](l->out + at, l->in + at, (size_t)l->n, mean, 1 / sqrt(var + l->eps), l->weight,
                                 l->bias, 0);
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
  tsm_status status = TSM_OK;
  if (!out->numel) return TSM_OK;
  layer l = {.set = tsm_reduce_of(c->ctx->rt->isa), .n = 1, .item = (int64_t)tsm_item_size(out->dtype)};
  for (int64_t d = 0; d < normalized->length; d++) l.n *= normalized->as.i64[d];
  if (!take_contiguous(c, 0, &taken[0]) || !take_contiguous(c, 2, &taken[1]) || !take_contiguous(c, 3, &taken[2])) {
    status = c->ctx->status;
  } else {
    l.in = tsm_tensor_read(taken[0]);
    l.out = (char *)tsm_tensor_read(out);
    l.weight = taken[1] ? tsm_tensor_read(taken[1]) : NULL;
    l.bias = taken[2] ? tsm_tensor_read(taken[2]) : NULL;
    l.eps = tsm_arg_float(c, 4);
    status = tsm_parallel_paid(c->ctx, out->numel / l.n, 2 * l.n, NS_PER_ELEMENT * (double)l.n, layer_task, &l);
  }
  release_all(taken, 3);
  return status;
}

static double element_or(const tsm_tensor *t, int64_t i, double otherwise) {
  if (!t) return otherwise;
  const char *at = (const char *)tsm_tensor_read(t) + i * tsm_strides(t)[0] * (int64_t)tsm_item_size(t->dtype);
  return tsm_element_load(t->dtype, at).as.f;
}

/* Groups of neighbouring channels, each normalised as one row and scaled by channel. */
typedef struct groups {
  layer l;
  const tsm_tensor *weight, *bias;
  int64_t channels, count; /* of a group; groups of an image */
} groups;

static void group_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const groups *g = user;
  const layer *l = &g->l;
  const bool is_double = l->item == 8;
  const int64_t plane = l->n / g->channels;
  (void)worker;
  for (int64_t i = begin; i < end; i++) {
    double mean, var;
    statistics(l->set, is_double, l->in + i * l->n * l->item, 1, l->n, 0, &mean, &var);
    for (int64_t k = 0; k < g->channels; k++) {
      const int64_t channel = i % g->count * g->channels + k, at = (i * l->n + k * plane) * l->item;
      l->set->normalize[is_double](l->out + at, l->in + at, (size_t)plane, mean,
                                   element_or(g->weight, channel, 1) / sqrt(var + l->eps), NULL, NULL,
                                   -element_or(g->bias, channel, 0));
    }
  }
}

tsm_status tsm_k_group_norm(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  tsm_status status = tsm_charge_work(c->ctx, out->numel, 2);
  if (status || !out->numel) return status;
  tsm_tensor *in = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 0));
  if (!in) return c->ctx->status;
  const int64_t count = tsm_arg_int(c, 1), all = tsm_shape(in)[0] * count;
  groups g = {.l = {.set = tsm_reduce_of(c->ctx->rt->isa), .in = tsm_tensor_read(in), .out = (char *)tsm_tensor_read(out),
                    .n = out->numel / all, .item = (int64_t)tsm_item_size(out->dtype), .eps = tsm_arg_float(c, 4)},
              .weight = tsm_arg_tensor(c, 2), .bias = tsm_arg_tensor(c, 3), .channels = tsm_shape(in)[1] / count,
              .count = count};
  tsm_parallel(c->ctx->rt, all, NS_PER_ELEMENT * (double)g.l.n, group_task, &g);
  tsm_unref(&in->head);
  return TSM_OK;
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
  const int64_t item = (int64_t)tsm_item_size(in->dtype);
  const char *x = (const char *)tsm_tensor_read(in) + channel * n * item;
  statistics(tsm_reduce_of(c->ctx->rt->isa), in->dtype == TSM_F64, x, rows, n, skip * item, out_mean, out_var);
  double count = (double)rows * (double)n, momentum = tsm_arg_float(c, 6);
  update_running(tsm_arg_tensor(c, 1), channel, momentum, *out_mean);
  update_running(tsm_arg_tensor(c, 2), channel, momentum, *out_var * count / (count - 1));
}

/* Planes of one channel each: x * scale + shift. Where a plane is one element, rows of all channels instead. */
typedef struct planes {
  tsm_normalize_row normalize;
  tsm_row_op scale_row;
  const char *in;
  char *out;
  double *scale, *shift;             /* of the channels */
  const char *row_scale, *row_shift; /* the same in the tensor's dtype */
  int64_t channels, n, item;
} planes;

static void plane_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const planes *p = user;
  (void)worker;
  for (int64_t i = begin; i < end; i++) {
    const int64_t at = i * p->n * p->item, channel = i % p->channels;
    p->normalize(p->out + at, p->in + at, (size_t)p->n, 0, p->scale[channel], NULL, NULL, -p->shift[channel]);
  }
}

static void channel_row_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const planes *p = user;
  (void)worker;
  for (int64_t at = begin * p->channels * p->item; at < end * p->channels * p->item; at += p->channels * p->item)
    p->scale_row(p->out + at, p->in + at, p->row_scale, p->row_shift, (size_t)p->channels);
}

static tsm_status run_planes(tsm_opcall *c, const tsm_tensor *in, const tsm_tensor *out) {
  const tsm_row_set *rows = c->ctx->rt->rows;
  const bool is_double = in->dtype == TSM_F64;
  planes p = {tsm_reduce_of(c->ctx->rt->isa)->normalize[is_double],
              is_double ? rows->f64[TSM_ROW_FMA] : rows->f32[TSM_ROW_FMA], tsm_tensor_read(in),
              (char *)tsm_tensor_read(out), NULL, NULL, NULL, NULL, tsm_shape(in)[1], tsm_strides(in)[1],
              (int64_t)tsm_item_size(in->dtype)};
  double *tables = tsm_alloc_array(c->ctx->rt, (size_t)p.channels * 4, sizeof *tables);
  tsm_status status = TSM_OK;
  if (!tables) return tsm_out_of_memory(c->ctx);
  p.scale = tables;
  p.shift = tables + p.channels;
  for (int64_t i = 0; i < p.channels; i++) {
    double mean, var;
    channel_statistics(c, in, i, &mean, &var);
    if ((status = tsm_charge_elements(c->ctx, 2 * in->numel / p.channels))) break;
    p.scale[i] = element_or(tsm_arg_tensor(c, 3), i, 1) / sqrt(var + tsm_arg_float(c, 7));
    p.shift[i] = element_or(tsm_arg_tensor(c, 4), i, 0) - mean * p.scale[i];
  }
  p.row_scale = (char *)(tables + 2 * p.channels);
  p.row_shift = (char *)(tables + 3 * p.channels);
  tsm_convert_fn narrow = tsm_convert_loop(TSM_F64, in->dtype);
  narrow((char *)(tables + 2 * p.channels), p.item, (const char *)p.scale, sizeof(double), p.channels);
  narrow((char *)(tables + 3 * p.channels), p.item, (const char *)p.shift, sizeof(double), p.channels);
  const bool is_row = p.n == 1;
  const int64_t pieces = is_row ? tsm_shape(in)[0] : tsm_shape(in)[0] * p.channels, each = is_row ? p.channels : p.n;
  if (!status)
    status = tsm_parallel_paid(c->ctx, pieces, each, NS_PER_ELEMENT * (double)each, is_row ? channel_row_task : plane_task, &p);
  tsm_free(c->ctx->rt, tables, (size_t)p.channels * 4 * sizeof *tables);
  return status;
}

static tsm_status batch_norm_planes(tsm_opcall *c, tsm_tensor *out) {
  tsm_tensor *in = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 0));
  if (!in) return c->ctx->status;
  /* a contiguous tensor may have odd strides where an extent is 1: the result's are the true ones */
  tsm_tensor *plain = tsm_tensor_make_view(c->ctx, in, in->dtype, out->rank, tsm_shape(out), tsm_strides(out), in->offset);
  tsm_unref(&in->head);
  if (!plain) return c->ctx->status;
  tsm_status status = run_planes(c, plain, out);
  tsm_unref(&plain->head);
  return status;
}

typedef struct scaling {
  const tsm_pool_set *set;
  const float *in, *scale;
  float *out;
  int64_t channels;
} scaling;

static void scale_places(void *user, size_t worker, int64_t begin, int64_t end) {
  const scaling *s = user;
  int64_t at = begin * s->channels;
  (void)worker;
  s->set->scale(s->out + at, s->in + at, end - begin, s->channels, s->scale, s->scale + s->channels);
}

/* Known statistics, float32 images that lie channels-last. */
static tsm_status batch_norm_images(tsm_opcall *c, const tsm_tensor *in, const tsm_tensor *out) {
  static const tsm_pool_set *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_pool_set);
  int64_t channels = tsm_shape(out)[1];
  size_t bytes = tsm_room(channels, 2 * sizeof(float));
  float *scale = tsm_alloc(c->ctx->rt, bytes);
  if (!scale) return tsm_out_of_memory(c->ctx);
  for (int64_t i = 0; i < channels; i++) {
    double var = element_or(tsm_arg_tensor(c, 2), i, 1), by = element_or(tsm_arg_tensor(c, 3), i, 1);
    by /= sqrt(var + tsm_arg_float(c, 7));
    scale[i] = (float)by;
    scale[channels + i] = (float)(element_or(tsm_arg_tensor(c, 4), i, 0) - element_or(tsm_arg_tensor(c, 1), i, 0) * by);
  }
  scaling s = {sets[c->ctx->rt->isa], tsm_tensor_read(in), scale, (float *)(void *)out->storage->data + out->offset,
               channels};
  tsm_status status =
      tsm_parallel_paid(c->ctx, out->numel / channels, channels, NS_PER_ELEMENT * (double)channels, scale_places, &s);
  tsm_free(c->ctx->rt, scale, bytes);
  return status;
}

tsm_status tsm_k_batch_norm(tsm_opcall *c) {
  tsm_tensor *out = tsm_result_tensor(c, 0), *in = tsm_arg_tensor(c, 0);
  if (!out->numel) return TSM_OK;
  for (size_t i = 1; i <= 2 && tsm_arg_bool(c, 5); i++)
    if (tsm_arg_tensor(c, i) && !tsm_tensor_writable(c->ctx, tsm_arg_tensor(c, i))) return c->ctx->status;
  bool is_known = !tsm_arg_bool(c, 5) && out->dtype == TSM_F32;
  if (is_known && tsm_is_channels_last(in) && tsm_is_channels_last(out)) return batch_norm_images(c, in, out);
  if (out->is_contiguous) return batch_norm_planes(c, out);
  tsm_tensor *plain = tsm_tensor_contiguous(c->ctx, out);
  if (!plain) return c->ctx->status;
  tsm_status status = batch_norm_planes(c, plain);
  if (!status) status = tsm_tensor_copy_into(c->ctx, out, plain);
  tsm_unref(&plain->head);
  return status;
}
