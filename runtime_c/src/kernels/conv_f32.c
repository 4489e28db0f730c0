/* conv_f32.c - float32 convolutions by the kernels of src/simd: direct, depthwise or Winograd's algorithm.
 * In: tensors of any strides. Out: the result filled.
 * Holds: what is not channels-last is copied first, or at the end; which algorithm runs depends on shapes and on
 * whether the weight is kept, never on threads; a Winograd result that is not finite is computed again directly, so
 * that Inf and NaN do not spread over a tile. */
#include "conv_work.h"
#include "simd/gemm.h"

enum { FEW_CHANNELS = 16, PLANES_PLACES = 8, WINOGRAD_TILES = 40, WINOGRAD_CHANNELS = 32 };
enum { SCRATCH_BYTES = 640 << 10, SCRATCH_BYTES_LARGE = 4 << 20, WEIGHT_BYTES_SMALL = 3 << 20 };
enum { WEIGHT_BYTES_4 = 12 << 20, WEIGHT_BYTES_2 = 24 << 20 };
static const int64_t EXTENT_MAX = INT32_MAX;
static const double PRODUCTS_PER_NS = 60, POLL_PRODUCTS = 4e9; /* 50 milliseconds or so */

void *tsm_conv_take(tsm_conv_work *v, int64_t count, size_t item) {
  size_t bytes;
  void *data = NULL;
  if (!tsm_mul_overflows(count, item, &bytes)) data = tsm_alloc_aligned(v->rt, bytes ? bytes : 1);
  if (!data) {
    tsm_out_of_memory(v->c->ctx);
    return NULL;
  }
  v->blocks[v->block_count].bytes = bytes ? bytes : 1;
  v->blocks[v->block_count++].data = data;
  return data;
}

static float *take_floats(tsm_conv_work *v, int64_t count) { return tsm_conv_take(v, count, sizeof(float)); }

static void release_all(tsm_conv_work *v) {
  while (v->block_count) {
    v->block_count--;
    tsm_free_aligned(v->rt, v->blocks[v->block_count].data, v->blocks[v->block_count].bytes);
  }
  if (v->bias) tsm_unref(&v->bias->head);
}

/* ---- Geometry */

bool tsm_conv_f32_takes(const tsm_opcall *c, const tsm_window *w) {
  const tsm_tensor *in = tsm_arg_tensor(c, 0), *weight = tsm_arg_tensor(c, 1);
  enum { DEPTH_MAX = 1 << 16 }; /* a place is not left before it is done, which must not take long */
  if (!in->numel || !weight->numel || in->numel > INT64_MAX >> 16) return false;
  if (weight->numel / (tsm_conv_filters(c, w) * tsm_arg_int(c, 6)) > DEPTH_MAX) return false;
  for (int k = 0; k < TSM_AXES; k++) {
    if (w->in[k] > EXTENT_MAX / 4 || w->padding[k] > EXTENT_MAX / 4 || w->stride[k] > EXTENT_MAX) return false;
    if (w->kernel[k] > EXTENT_MAX / 4 || w->dilation[k] > EXTENT_MAX) return false;
  }
  for (size_t d = 0; d < in->rank; d++)
    if (tsm_strides(in)[d] > EXTENT_MAX || tsm_strides(in)[d] < -EXTENT_MAX) return false;
  return true;
}

/* Whether a copy with `across` floats a row is not many times larger than the image. */
static bool is_cheap_copy(const tsm_window *w, double across) {
  const double planes = (double)(w->in[2] + 2 * w->padding[2]), rows = (double)(w->in[0] + 2 * w->padding[0]);
  return planes * rows * across <= 4 * (double)w->in[2] * (double)w->in[0] * (double)w->in[1] + 4096;
}

/* Few channels: a row of the kernel is one run of floats, if the image has its padding around it. */
static bool is_merged(const tsm_conv_work *v) {
  const tsm_window *w = &v->w;
  if (w->is_transposed || v->groups > 1 || v->weight.channels >= FEW_CHANNELS || w->kernel[1] == 1 || w->dilation[1] > 1) return false;
  return is_cheap_copy(w, (double)(w->in[1] + 2 * w->padding[1]));
}

/* Whether it is an ordinary one of images, for which there are other kernels than the direct one. */
static bool is_flat(const tsm_window *w) { return !w->is_transposed && w->in[2] == 1 && w->out[2] == 1; }

static int64_t plane_width(const tsm_window *w) { return w->in[1] + 2 * w->padding[1] + TSM_CONV_MARGIN; }

static bool is_by_planes(const tsm_conv_work *v) {
  return is_flat(&v->w) && v->groups == 1 && v->weight.filters <= v->weight.set->few && v->w.stride[1] == 1 &&
         v->in.step[TSM_PLACE] == 1 && v->w.out[1] >= PLANES_PLACES && is_cheap_copy(&v->w, (double)plane_width(&v->w));
}

static bool has_padding(const tsm_window *w) { return w->padding[0] || w->padding[1] || w->padding[2]; }

/* Copies the input to channels-last scratch memory, with a border of zeros when the kernel is merged. */
static bool copy_input(tsm_conv_work *v, bool is_padded) {
  int64_t down = is_padded ? v->w.padding[0] : 0, across = is_padded ? v->w.padding[1] : 0;
  int64_t deep = is_padded ? v->w.padding[2] : 0, planes = v->w.in[2] + 2 * deep;
  int64_t rows = v->w.in[0] + 2 * down, places = v->w.in[1] + 2 * across, channels = v->in.size[TSM_CHANNEL];
  int64_t floats = v->in.size[TSM_IMAGE] * channels * planes * rows * places;
  float *data = take_floats(v, floats);
  if (!data) return false;
  if (down || across || deep) memset(data, 0, (size_t)floats * sizeof *data);
  tsm_images whole = tsm_images_over(data, v->in.size[TSM_IMAGE], channels, planes, rows, places), inner = whole;
  inner.data += deep * whole.step[TSM_PLANE] + down * whole.step[TSM_ROW] + across * whole.step[TSM_PLACE];
  inner.size[TSM_PLANE] = v->w.in[2];
  inner.size[TSM_ROW] = v->w.in[0];
  inner.size[TSM_PLACE] = v->w.in[1];
  tsm_images_copy(v->rt, &inner, &v->in);
  v->in = whole;
  return true;
}

static void take_input(tsm_conv_work *v) {
  tsm_conv *k = &v->v;
  k->in = v->in.data;
  k->image_step = v->in.step[TSM_IMAGE];
  k->channel_step = v->in.step[TSM_CHANNEL];
  k->row_step = v->in.step[TSM_ROW];
  k->place_step = v->in.step[TSM_PLACE];
  k->plane_step = v->in.step[TSM_PLANE];
  k->run = v->weight.is_depthwise ? v->groups : v->weight.channels;
  k->tap_step = v->groups;
  for (int d = 0; d < TSM_AXES; d++) {
    k->size[d] = v->in.size[TSM_ROW + d];
    k->padding[d] = v->w.padding[d];
    k->taps[d] = v->w.kernel[d];
    k->stride[d] = v->w.stride[d];
    k->dilation[d] = v->w.dilation[d];
    k->out_size[d] = v->w.out[d];
  }
}

/* Planes with their border of zeros, and room to their right. */
static bool prepare_planes(tsm_conv_work *v) {
  int64_t rows = v->w.in[0] + 2 * v->w.padding[0], width = plane_width(&v->w);
  int64_t images = v->in.size[TSM_IMAGE], channels = v->in.size[TSM_CHANNEL], floats = images * channels * rows * width;
  float *data = take_floats(v, floats);
  if (!data) return false;
  memset(data, 0, (size_t)floats * sizeof *data);
  tsm_images inner = {data + v->w.padding[0] * width + v->w.padding[1], {images, channels, v->w.in[0], v->w.in[1], 1},
                      {channels * rows * width, rows * width, width, 1, 0}};
  tsm_images_copy(v->rt, &inner, &v->in);
  v->in = inner;
  v->in.data = data;
  take_input(v);
  v->v.padding[0] = v->v.padding[1] = 0;
  return true;
}

static bool prepare_input(tsm_conv_work *v) {
  v->is_by_planes = is_by_planes(v);
  if (v->is_by_planes) return prepare_planes(v);
  bool merged = is_merged(v), is_channel_run = v->in.size[TSM_CHANNEL] == 1 || v->in.step[TSM_CHANNEL] == 1;
  bool is_dense = v->in.size[TSM_PLACE] == 1 || v->in.step[TSM_PLACE] == v->in.size[TSM_CHANNEL];
  bool is_ready = merged ? is_channel_run && is_dense && !has_padding(&v->w) : is_channel_run;
  if (!is_ready && !copy_input(v, merged)) return false;
  take_input(v);
  if (merged) {
    tsm_conv *k = &v->v;
    k->padding[0] = k->padding[1] = k->padding[2] = 0;
    k->run *= k->taps[1];
    k->taps[1] = 1;
    k->size[1] = INT64_MAX; /* a run may end where the row does */
  }
  return true;
}

static bool prepare_output(tsm_conv_work *v) {
  v->out = v->result;
  if (!tsm_images_are_channels_last(&v->result)) {
    float *data = take_floats(v, v->places * v->result.size[TSM_CHANNEL]);
    if (!data) return false;
    v->out = tsm_images_over(data, v->out.size[TSM_IMAGE], v->out.size[TSM_CHANNEL], v->w.out[2], v->w.out[0], v->w.out[1]);
  }
  v->v.out = v->out.data;
  v->v.out_step = v->out.size[TSM_CHANNEL];
  v->v.filters = v->weight.is_depthwise ? v->groups : v->weight.filters;
  return true;
}

/* The added tensor channels-last, too. */
static bool prepare_added(tsm_conv_work *v, size_t spatial) {
  if (!v->after->add) return true;
  tsm_images add = tsm_images_of(v->after->add, spatial);
  if (!tsm_images_are_channels_last(&add)) {
    float *data = take_floats(v, v->places * add.size[TSM_CHANNEL]);
    if (!data) return false;
    tsm_images copy = tsm_images_over(data, add.size[TSM_IMAGE], add.size[TSM_CHANNEL], v->w.out[2], v->w.out[0],
                                      v->w.out[1]);
    tsm_images_copy(v->rt, &copy, &add);
    add = copy;
  }
  v->v.end.add = add.data;
  v->v.end.add_step = add.size[TSM_CHANNEL];
  return true;
}

static bool prepare_epilogue(tsm_conv_work *v, size_t spatial) {
  tsm_tensor *bias = tsm_arg_tensor(v->c, 2);
  tsm_conv_epilogue *end = &v->v.end;
  if (bias) {
    v->bias = tsm_tensor_contiguous(v->c->ctx, bias);
    if (!v->bias) return false;
    end->bias = tsm_tensor_read(v->bias);
  }
  end->clamps = v->after->clamps;
  end->low = v->after->low;
  end->high = v->after->high;
  end->finish = v->after->finish;
  end->user = v->after->user;
  return prepare_added(v, spatial);
}

static bool prepare_zeros(tsm_conv_work *v) {
  float *zeros = take_floats(v, v->v.run);
  if (!zeros) return false;
  memset(zeros, 0, (size_t)v->v.run * sizeof *zeros);
  v->v.zeros = zeros;
  return true;
}

static bool prepare_weight(tsm_conv_work *v, const tsm_tensor *weight) {
  v->v.weight = tsm_conv_weight_packed(&v->weight, weight);
  if (v->v.weight) return true;
  float *packed = take_floats(v, tsm_conv_weight_floats(&v->weight));
  if (!packed) return false;
  tsm_conv_weight_pack(&v->weight, weight, packed);
  v->v.weight = packed;
  return true;
}

/* ---- Work on all threads */

static double products_of(const tsm_conv_work *v) {
  return (double)v->places * (double)v->groups * (double)v->weight.filters * (double)v->weight.channels *
         (double)v->weight.taps[0] * (double)v->weight.taps[1] * (double)v->weight.taps[2];
}

/* Does the pieces in slices, so that a cancelled run ends soon. */
static tsm_status run_pieces(tsm_conv_work *v, int64_t count, tsm_task_fn task) {
  double products = products_of(v) / (double)count + 1;
  double slices = POLL_PRODUCTS / products;
  int64_t slice = slices < 1 ? 1 : slices < 1e9 ? (int64_t)slices : count;
  tsm_status status = TSM_OK;
  for (v->first_piece = 0; v->first_piece < count && !status; v->first_piece += slice) {
    int64_t now = count - v->first_piece < slice ? count - v->first_piece : slice;
    tsm_parallel(v->rt, now, products / PRODUCTS_PER_NS, task, v);
    status = tsm_charge(v->c->ctx, 0);
  }
  return status;
}

static tsm_conv group_of(const tsm_conv_work *v, int64_t group) {
  tsm_conv k = v->v;
  int64_t filter = group * v->weight.filters;
  k.in += group * v->weight.channels;
  k.weight += group * (tsm_conv_weight_floats(&v->weight) / v->groups);
  k.out += filter;
  if (k.end.bias) k.end.bias += filter;
  if (k.end.add) k.end.add += filter;
  k.end.first_filter = filter;
  return k;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* A piece: a group, a chunk of places, a part of the filter blocks. */
static void direct_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  tsm_conv_work *v = user;
  int64_t blocks = tsm_conv_blocks(v->weight.set, v->v.filters);
  for (int64_t i = v->first_piece + begin; i < v->first_piece + end; i++) {
    int64_t part = i % v->parts, first = i / v->parts % v->chunks * v->chunk;
    tsm_conv k = group_of(v, i / v->parts / v->chunks);
    v->weight.set->direct(&k, first, least(first + v->chunk, v->places), part * blocks / v->parts,
                          (part + 1) * blocks / v->parts, v->rows + (int64_t)worker * v->row_count);
  }
}

/* A piece: a chunk of rows. */
static void depthwise_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  tsm_conv_work *v = user;
  (void)worker;
  for (int64_t i = v->first_piece + begin; i < v->first_piece + end; i++)
    v->weight.set->depthwise(&v->v, i * v->chunk, least((i + 1) * v->chunk, v->places / v->w.out[1]));
}

static tsm_status run_depthwise(tsm_conv_work *v) {
  int64_t rows = v->places / v->w.out[1];
  v->chunk = rows / 16 < 1 ? 1 : rows / 16 > 16 ? 16 : rows / 16;
  return run_pieces(v, (rows + v->chunk - 1) / v->chunk, depthwise_pieces);
}

/* A piece: a row. */
static void plane_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  tsm_conv_work *v = user;
  (void)worker;
  v->weight.set->planes(&v->v, v->first_piece + begin, v->first_piece + end);
}

bool tsm_conv_take_rows(tsm_conv_work *v) {
  v->row_count = tsm_conv_rows(v->weight.set, &v->v);
  v->rows = tsm_conv_take(v, (int64_t)tsm_pool_workers(v->rt) * v->row_count, sizeof *v->rows);
  return v->rows != NULL;
}

static tsm_status run_direct(tsm_conv_work *v) {
  if (!prepare_weight(v, tsm_arg_tensor(v->c, 1))) return v->c->ctx->status;
  if (v->weight.is_depthwise) return run_depthwise(v);
  if (v->is_by_planes) return run_pieces(v, v->places / v->w.out[1], plane_pieces);
  return tsm_conv_take_rows(v) ? tsm_conv_run_direct(v) : v->c->ctx->status;
}

tsm_status tsm_conv_run_direct(tsm_conv_work *v) {
  const tsm_conv_set *set = v->weight.set;
  v->chunk = TSM_CONV_GROUP * set->tile;
  v->chunks = (v->places + v->chunk - 1) / v->chunk;
  int64_t wanted = 16 / (v->chunks * v->groups) + 1; /* few places: the filters are divided too */
  v->parts = least(wanted, tsm_conv_blocks(set, v->v.filters));
  return run_pieces(v, v->groups * v->chunks * v->parts, direct_pieces);
}

/* ---- Winograd's algorithm */

static int64_t tiles_of(const tsm_conv_work *v, const tsm_winograd_set *set) {
  int64_t t = set->tile;
  return v->in.size[TSM_IMAGE] * ((v->w.out[0] + t - 1) / t) * ((v->w.out[1] + t - 1) / t);
}

static bool is_overlapping(const tsm_conv_work *v) {
  return v->after->add && tsm_tensors_overlap(v->after->add, v->out_tensor);
}

static bool is_for_winograd(const tsm_conv_work *v) {
  const tsm_tensor *weight = tsm_arg_tensor(v->c, 1);
  int64_t channels = v->weight.channels, filters = v->weight.filters;
  for (int d = 0; d < 2; d++)
    if (v->w.kernel[d] != 3 || v->w.stride[d] != 1 || v->w.dilation[d] != 1) return false;
  return is_flat(&v->w) && !v->rt->tuning.no_winograd && v->groups == 1 && channels >= WINOGRAD_CHANNELS && filters >= WINOGRAD_CHANNELS &&
         channels % 16 == 0 && filters % 16 == 0 && weight->is_contiguous && tsm_is_packable(weight);
}

static int64_t winograd_bytes(const tsm_conv_work *v, const tsm_winograd_set *set) {
  return set->points * v->weight.channels * v->weight.filters * (int64_t)sizeof(float);
}

/* The larger tile where there are enough of them and the weights, four times as many, cost less than they save. */
static const tsm_winograd_set *choose_winograd(const tsm_conv_work *v) {
  const tsm_winograd_set *four = v->weight.set->winograd4, *two = v->weight.set->winograd2;
  if (!is_for_winograd(v)) return NULL;
  if (!four || !two) return NULL;
  if (tiles_of(v, four) >= WINOGRAD_TILES && winograd_bytes(v, four) <= WEIGHT_BYTES_4) return four;
  if (tiles_of(v, two) >= WINOGRAD_TILES && winograd_bytes(v, two) <= WEIGHT_BYTES_2) return two;
  return NULL;
}

/* Where the piece number `i` starts: the pieces differ by at most one step of the kernel. */
static int64_t piece_start(const tsm_conv_work *v, int64_t i) {
  int64_t tiles = tiles_of(v, v->winograd), step = v->weight.set->tile, steps = (tiles + step - 1) / step;
  return least(i * steps / v->chunks * step, tiles);
}

static void winograd_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  tsm_conv_work *v = user;
  for (int64_t i = v->first_piece + begin; i < v->first_piece + end; i++)
    if (!v->winograd->run(&v->v, piece_start(v, i), piece_start(v, i + 1),
                          v->scratch + (int64_t)worker * v->scratch_count))
      atomic_store_explicit(&v->is_not_finite, true, memory_order_relaxed);
}

/* Pieces for which the scratch memory of `most` tiles suffices; as many for every thread, so that none waits long. */
static void plan_pieces(tsm_conv_work *v, int64_t most) {
  int64_t step = v->weight.set->tile, steps = (tiles_of(v, v->winograd) + step - 1) / step;
  int64_t threads = (int64_t)tsm_pool_workers(v->rt), at_once = most / step < 1 ? 1 : most / step;
  v->chunks = (steps + at_once - 1) / at_once;
  v->chunks = least((v->chunks + threads - 1) / threads * threads, steps);
  v->chunk = (steps + v->chunks - 1) / v->chunks * step;
}

/* *out_done: whether the result is there. Scratch memory that cannot be had means the direct path. */
static tsm_status run_winograd(tsm_conv_work *v, const tsm_winograd_set *set, bool *out_done) {
  const float *weight = tsm_conv_winograd_packed(&v->weight, set, tsm_arg_tensor(v->c, 1));
  int64_t bytes = set->points * (v->weight.channels + v->weight.filters) * 4;
  int64_t room = winograd_bytes(v, set) <= WEIGHT_BYTES_SMALL ? SCRATCH_BYTES : SCRATCH_BYTES_LARGE;
  if (!weight) return TSM_OK;
  v->winograd = set;
  plan_pieces(v, room / bytes);
  v->scratch_count = set->scratch_floats(&v->v, v->chunk);
  v->scratch = take_floats(v, (int64_t)tsm_pool_workers(v->rt) * v->scratch_count);
  if (!v->scratch) return v->c->ctx->status;
  v->v.weight = weight;
  tsm_status status = run_pieces(v, v->chunks, winograd_pieces);
  *out_done = !atomic_load(&v->is_not_finite);
  return status;
}

/* ---- All together */

static tsm_status run_prepared(tsm_conv_work *v) {
  bool is_done = v->w.is_transposed;
  if (is_done && tsm_conv_run_phases(v)) return v->c->ctx->status;
  const tsm_winograd_set *winograd = is_overlapping(v) ? NULL : choose_winograd(v);
  tsm_status status = winograd ? run_winograd(v, winograd, &is_done) : TSM_OK;
  if (!status && !is_done) status = run_direct(v);
  if (!status && v->out.data != v->result.data) tsm_images_copy(v->rt, &v->result, &v->out);
  return status;
}

tsm_status tsm_conv_f32_run(tsm_opcall *c, size_t spatial, const tsm_window *w, tsm_tensor *out,
                            const tsm_conv_after *after) {
  static const tsm_conv_set *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_conv_set);
  const tsm_tensor *weight = tsm_arg_tensor(c, 1);
  tsm_conv_work v;
  memset(&v, 0, sizeof v);
  v.c = c;
  v.rt = c->ctx->rt;
  v.after = after;
  v.out_tensor = out;
  v.w = *w;
  v.groups = tsm_arg_int(c, 6);
  v.in = tsm_images_of(tsm_arg_tensor(c, 0), spatial);
  v.result = tsm_images_of(out, spatial);
  v.places = v.result.size[TSM_IMAGE] * w->out[2] * w->out[0] * w->out[1];
  v.weight = (tsm_conv_weight){sets[v.rt->isa], v.groups, tsm_conv_filters(c, w), tsm_conv_channels(c, w),
                               {w->kernel[0], w->kernel[1], w->kernel[2]}, .is_transposed = w->is_transposed};
  v.weight.is_depthwise = v.groups > 1 && v.weight.filters == 1 && v.weight.channels == 1 && is_flat(w);
  const int64_t seen = v.in.size[TSM_IMAGE] * w->in[2] * w->in[0] * w->in[1]; /* whose windows are added up */
  tsm_status status = tsm_charge(c->ctx, w->is_transposed
                                             ? tsm_product_cost(seen, v.in.size[TSM_CHANNEL], weight->numel / tsm_shape(weight)[0])
                                             : tsm_product_cost(v.places, v.weight.filters * v.groups, weight->numel / (v.weight.filters * v.groups)));
  if (!status) status = tsm_charge_elements(c->ctx, tsm_conv_weight_floats(&v.weight) + out->numel); /* packed and moved */
  if (!status && !(prepare_input(&v) && prepare_output(&v) && prepare_epilogue(&v, spatial) && prepare_zeros(&v)))
    status = c->ctx->status;
  if (!status) status = run_prepared(&v);
  release_all(&v);
  return status;
}
