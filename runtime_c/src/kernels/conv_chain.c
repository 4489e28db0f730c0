/* conv_chain.c - see conv_chain.h: what is a chain, how it is cut for caches and threads, its memory. */
#include "conv_bands.h"

#include "base/pool.h"
#include "conv_f32.h"
#include "simd/gemm.h"
#include "tensor/order.h"

enum { BAND_PLACES = 112, BAND_BYTES = 512 << 10, LINE = 16, HALO_SHARE = 6 };
static const double PRODUCTS_PER_NS = 60, POLL_PRODUCTS = 4e9;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t lines(int64_t floats) { return (floats + LINE - 1) / LINE * LINE; }

/* ---- Guard */

static bool is_pointwise(const tsm_opcall *c, const tsm_window *w) {
  for (int k = 0; k < 2; k++)
    if (w->kernel[k] != 1 || w->stride[k] != 1 || w->padding[k]) return false;
  return tsm_arg_int(c, 6) == 1;
}

static bool is_depthwise(const tsm_opcall *c) {
  const tsm_tensor *weight = tsm_arg_tensor(c, 1);
  return tsm_arg_int(c, 6) > 1 && tsm_shape(weight)[1] == 1 && tsm_shape(weight)[0] == tsm_arg_int(c, 6);
}

static int64_t ring_rows(const tsm_bands *v, int64_t band, int64_t span) {
  int64_t step = band * v->w.stride[0], needed = step - v->w.stride[0] + span;
  return least((needed + step - 1) / step * step, v->w.in[0]);
}

static void measure(const tsm_bands *v, int64_t band, tsm_chain_cut *c) {
  const tsm_window *w = &v->w;
  int64_t places = band * w->out[1], fresh = least((band - 1) * w->stride[0] + c->span, w->in[0]) * w->in[1];
  c->band = band;
  c->ring = ring_rows(v, band, c->span);
  c->turned = v->has_expand ? lines(fresh * v->inputs) : 0;
  c->held = tsm_bands_blocks(v) * lines(c->ring * w->in[1] * v->set->block);
  c->middle = v->has_project ? lines(places * v->channels) : 0;
  c->ended = c->added = lines(places * v->filters);
  c->floats = c->turned + c->held + c->middle + c->ended + c->added;
}

/* Bands small enough for the second-level cache, pieces large enough that few rows are made twice. */
static bool plan_cut(const tsm_bands *v, tsm_chain_cut *c) {
  const tsm_window *w = &v->w;
  int64_t threads = (int64_t)tsm_pool_workers(v->rt);
  int64_t band = least((BAND_PLACES + w->out[1] - 1) / w->out[1], w->out[0]);
  c->span = (w->kernel[0] - 1) * w->dilation[0] + 1;
  for (measure(v, band, c); band > 1 && c->floats * (int64_t)sizeof(float) > BAND_BYTES; measure(v, band, c))
    band = (band + 1) / 2;
  c->rows = v->images * w->out[0];
  c->pieces = least(threads, c->rows);
  int64_t again = v->images >= threads || !v->has_expand ? 0 : (c->pieces - 1) * (c->span - w->stride[0]);
  int64_t between = v->has_expand ? w->in[0] * w->in[1] * v->channels : 0; /* floats of an image that need not exist */
  if (v->has_project) between += w->out[0] * w->out[1] * v->channels;
  return c->pieces == threads && again * HALO_SHARE <= c->rows * w->stride[0] &&
         c->floats * threads <= v->images * between;
}

static void find_weight(tsm_bands *v, const tsm_conv_link *link, size_t i, bool is_middle) {
  const int64_t *shape = tsm_shape(tsm_arg_tensor(link->call, 1));
  int64_t groups = is_middle ? shape[0] : 1;
  v->weights[i] = (tsm_conv_weight){v->set, groups, shape[0] / groups, shape[1], {shape[2], shape[3], 1}, .is_depthwise = is_middle};
}

/* What the chain is; false: it is none. */
static bool find_chain(tsm_bands *v, const tsm_conv_link *links, size_t count) {
  static const tsm_conv_set *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_conv_set);
  const tsm_opcall *first = links[0].call;
  size_t middle = !is_depthwise(first);
  memset(v, 0, sizeof *v);
  v->ctx = first->ctx;
  v->rt = v->ctx->rt;
  v->set = sets[v->rt->isa];
  v->has_expand = middle == 1;
  v->has_project = middle + 1 < count;
  if (middle >= count || count > TSM_CHAIN_LINKS || middle + 2 < count) return false;
  for (size_t i = 0; i < count; i++) {
    tsm_window w;
    tsm_opcall *c = links[i].call;
    if (tsm_window_of_conv(c, 2, &w) || (i == middle ? !is_depthwise(c) : !is_pointwise(c, &w))) return false;
    if (links[i].after.finish || (links[i].after.add && i + 1 < count)) return false;
    if (i == middle) v->w = w;
    find_weight(v, &links[i], i, i == middle);
  }
  const tsm_tensor *in = tsm_arg_tensor(first, 0);
  v->images = in->rank == 4 ? tsm_shape(in)[0] : 1;
  v->inputs = tsm_shape(in)[in->rank - 3];
  v->channels = v->weights[middle].groups;
  v->filters = tsm_shape(tsm_arg_tensor(links[count - 1].call, 1))[0];
  return v->w.out[0] > 0 && v->w.out[1] > 0 && v->images > 0;
}

/* ---- All together */

enum { BLOCKS_MAX = TSM_CHAIN_LINKS + 2 };
typedef struct memory {
  tsm_context *ctx;
  struct { void *data; size_t bytes; } blocks[BLOCKS_MAX];
  tsm_tensor *biases[TSM_CHAIN_LINKS];
  size_t count;
} memory;

static void *take_memory(memory *m, int64_t count, size_t item) {
  size_t bytes;
  void *data = NULL;
  if (!tsm_mul_overflows(count, item, &bytes)) data = tsm_alloc_aligned(m->ctx->rt, bytes);
  if (!data) {
    tsm_out_of_memory(m->ctx);
    return NULL;
  }
  m->blocks[m->count].bytes = bytes;
  m->blocks[m->count++].data = data;
  return data;
}

static void release_memory(memory *m) {
  while (m->count--) tsm_free_aligned(m->ctx->rt, m->blocks[m->count].data, m->blocks[m->count].bytes);
  for (size_t i = 0; i < TSM_CHAIN_LINKS; i++)
    if (m->biases[i]) tsm_unref(&m->biases[i]->head);
}

static const float *prepare_weight(const tsm_conv_weight *w, const tsm_tensor *weight, memory *m) {
  const float *kept = tsm_conv_weight_packed(w, weight);
  if (kept) return kept;
  float *packed = take_memory(m, tsm_conv_weight_floats(w), sizeof *packed);
  if (packed) tsm_conv_weight_pack(w, weight, packed);
  return packed;
}

/* What the links have of their own. */
static bool prepare_link(const tsm_conv_link *link, const tsm_conv_weight *w, size_t i, memory *m, tsm_conv *out) {
  const tsm_conv_after *after = &link->after;
  tsm_tensor *bias = tsm_arg_tensor(link->call, 2);
  out->weight = prepare_weight(w, tsm_arg_tensor(link->call, 1), m);
  if (!out->weight) return false;
  if (bias) {
    m->biases[i] = tsm_tensor_contiguous(m->ctx, bias);
    if (!m->biases[i]) return false;
    out->end.bias = tsm_tensor_read(m->biases[i]);
  }
  out->end.clamps = after->clamps;
  out->end.low = after->low;
  out->end.high = after->high;
  return true;
}

static void prepare_product(tsm_conv *k, int64_t channels, int64_t filters) {
  k->place_step = k->run = channels;
  k->filters = filters;
  for (int d = 0; d < TSM_AXES; d++) k->size[d] = k->out_size[d] = k->taps[d] = k->stride[d] = k->dilation[d] = 1;
}

static void prepare_depthwise(tsm_bands *v) {
  tsm_conv *k = &v->depth;
  k->place_step = v->set->block;
  k->row_step = v->w.in[1] * v->set->block;
  k->out_step = k->tap_step = k->end.add_step = v->channels;
  for (int d = 0; d < TSM_AXES; d++) {
    k->size[d] = v->w.in[d];
    k->out_size[d] = v->w.out[d];
    k->taps[d] = v->w.kernel[d];
    k->stride[d] = v->w.stride[d];
    k->padding[d] = v->w.padding[d];
    k->dilation[d] = v->w.dilation[d];
  }
}

static bool prepare(tsm_bands *v, const tsm_conv_link *links, size_t count, tsm_tensor *out, memory *m) {
  const tsm_conv_link *last = &links[count - 1];
  v->in = tsm_images_of(tsm_arg_tensor(links[0].call, 0), 2);
  v->out = tsm_images_of(out, 2);
  v->has_add = last->after.add != NULL;
  if (v->has_add) v->add = tsm_images_of(last->after.add, 2);
  v->is_in_place = tsm_images_are_channels_last(&v->in);
  v->is_out_place = tsm_images_are_channels_last(&v->out);
  v->is_add_place = v->has_add && tsm_images_are_channels_last(&v->add);
  prepare_product(&v->expand, v->inputs, v->channels);
  prepare_product(&v->project, v->channels, v->filters);
  prepare_depthwise(v);
  v->project.end.add_step = v->filters;
  for (size_t i = 0; i < count; i++) {
    tsm_conv *k = i < v->has_expand ? &v->expand : i == v->has_expand ? &v->depth : &v->project;
    if (!prepare_link(&links[i], &v->weights[i], i, m, k)) return false;
  }
  int64_t threads = (int64_t)tsm_pool_workers(v->rt);
  v->row_count = TSM_CONV_GROUP * v->set->tile;
  v->rows = take_memory(m, threads * v->row_count, sizeof *v->rows);
  v->scratch = v->rows ? take_memory(m, threads * v->c.floats, sizeof *v->scratch) : NULL;
  return v->scratch != NULL;
}

static double products_of(const tsm_bands *v) {
  double before = v->has_expand ? (double)v->inputs * (double)v->w.in[0] * (double)v->w.in[1] : 0;
  double after = (double)(v->w.kernel[0] * v->w.kernel[1] + (v->has_project ? v->filters : 0));
  return (double)v->images * (double)v->channels * (before + after * (double)v->w.out[0] * (double)v->w.out[1]);
}

/* In slices, so that a cancelled run ends soon. */
static tsm_status run_slices(tsm_bands *v) {
  double products = products_of(v);
  if (products > POLL_PRODUCTS * (double)v->c.pieces) {
    double wanted = products / POLL_PRODUCTS;
    v->c.pieces = wanted < (double)v->c.rows ? (int64_t)wanted + 1 : v->c.rows;
  }
  int64_t threads = (int64_t)tsm_pool_workers(v->rt);
  tsm_status status = TSM_OK;
  for (v->first_piece = 0; v->first_piece < v->c.pieces && !status; v->first_piece += threads) {
    int64_t now = least(v->c.pieces - v->first_piece, threads);
    tsm_parallel(v->rt, now, products / (double)v->c.pieces / PRODUCTS_PER_NS, tsm_bands_run, v);
    status = tsm_charge(v->ctx, 0);
  }
  return status;
}

static tsm_status charge(const tsm_bands *v, const tsm_conv_link *links, size_t count) {
  tsm_status status = TSM_OK;
  for (size_t i = 0; i < count && !status; i++) {
    const tsm_tensor *weight = tsm_arg_tensor(links[i].call, 1);
    const int64_t *size = i < v->has_expand ? v->w.in : v->w.out;
    int64_t filters = tsm_shape(weight)[0];
    status = tsm_charge(v->ctx, tsm_product_cost(v->images * size[0] * size[1], filters, weight->numel / filters));
  }
  return status;
}

tsm_tensor *tsm_conv_chain_run(const tsm_conv_link *links, size_t count, const tsm_meta *meta, bool is_free) {
  tsm_bands v;
  memory m = {.ctx = links[0].call->ctx};
  if (!find_chain(&v, links, count)) {
    tsm_context_clear(m.ctx);
    return NULL;
  }
  tsm_tensor *out = plan_cut(&v, &v.c) ? tsm_tensor_make(m.ctx, meta, false) : NULL;
  if (!out) return NULL;
  if (is_free && out->rank == 4) tsm_tensor_turn_channels_last(out);
  tsm_status status = charge(&v, links, count);
  if (!status) status = prepare(&v, links, count, out, &m) ? run_slices(&v) : m.ctx->status;
  release_memory(&m);
  if (!status) return out;
  tsm_unref(&out->head);
  return NULL;
}
