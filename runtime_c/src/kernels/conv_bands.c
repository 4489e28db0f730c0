/* conv_bands.c - see conv_bands.h: a thread's rows of results, a band at a time. */
#include "conv_bands.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* One thread's memory. */
typedef struct room {
  float *turned, *held, *middle, *ended, *added;
  uintptr_t *rows;
} room;

static room room_of(const tsm_bands *v, size_t worker) {
  const tsm_chain_cut *c = &v->c;
  float *at = v->scratch + (int64_t)worker * c->floats;
  return (room){at, at + c->turned, at + c->turned + c->held, at + c->turned + c->held + c->middle,
                 at + c->turned + c->held + c->middle + c->ended, v->rows + (int64_t)worker * v->row_count};
}

/* Rows [first, last) of results of one image, and rows [from, to) of the input that are not in the ring yet. Row y is
 * in the ring at (start + y) % ring, so that what a band adds does not go round its end, but for the first. */
typedef struct band { int64_t image, first, last, from, to, start; } band;

/* A product of places that follow each other in memory. */
static void run_product(const tsm_bands *v, const tsm_conv *product, const float *in, int64_t places,
                        int64_t first_block, int64_t last_block, float *out, int64_t out_step, uintptr_t *rows) {
  tsm_conv k = *product;
  k.in = in;
  k.size[1] = k.out_size[1] = places;
  k.row_step = k.image_step = places * k.place_step;
  k.out = out;
  k.out_step = out_step;
  v->set->direct(&k, 0, places, first_block, last_block, rows);
}

static const float *input_rows(const tsm_bands *v, const band *b, const room *s) {
  if (v->is_in_place) return v->in.data + b->image * v->in.step[TSM_IMAGE] + b->from * v->in.step[TSM_ROW];
  tsm_images from = tsm_images_part(&v->in, b->image, b->from, b->to - b->from, 0, v->inputs);
  tsm_images to = tsm_images_over(s->turned, 1, v->inputs, 1, b->to - b->from, v->w.in[1]);
  tsm_images_copy_here(v->rt->isa, &to, &from);
  return s->turned;
}

/* Rows [y, end) of one block, which lie together in the ring at `to`. */
static void fill_rows(const tsm_bands *v, const band *b, const room *s, int64_t block, const float *in, int64_t y,
                      int64_t end, float *to) {
  int64_t size = v->set->block, width = v->w.in[1];
  if (v->has_expand) {
    run_product(v, &v->expand, in + (y - b->from) * width * v->inputs, (end - y) * width, block, block + 1,
                to - block * size, size, s->rows);
    return;
  }
  int64_t channels = least(v->channels - block * size, size);
  tsm_images from = tsm_images_part(&v->in, b->image, y, end - y, block * size, channels);
  tsm_images ring = {to, {1, channels, end - y, width, 1}, {0, 1, width * size, size, 0}};
  tsm_images_copy_here(v->rt->isa, &ring, &from);
}

static void fill_ring(const tsm_bands *v, const band *b, const room *s, int64_t block, const float *in, float *held) {
  int64_t row_floats = v->w.in[1] * v->set->block;
  for (int64_t y = b->from, end; y < b->to; y = end) {
    int64_t at = (b->start + y) % v->c.ring;
    end = least(b->to, y + v->c.ring - at);
    fill_rows(v, b, s, block, in, y, end, held + at * row_floats);
  }
}

static void run_depthwise(const tsm_bands *v, const band *b, int64_t block, const float *held, float *out,
                          const float *add) {
  int64_t size = v->set->block, channel = block * size;
  tsm_conv k = v->depth;
  k.in = held;
  k.ring = v->c.ring;
  k.ring_start = b->start;
  k.padding[0] -= b->first * k.stride[0];
  k.out_size[0] = b->last - b->first;
  k.run = k.filters = least(v->channels - channel, size);
  k.weight += channel;
  k.out = out + channel;
  if (k.end.bias) k.end.bias += channel;
  if (add) k.end.add = add + channel;
  v->set->depthwise(&k, 0, b->last - b->first);
}

/* Where the band's results go, and what is added to them, channels-last. */
static float *result_rows(const tsm_bands *v, const band *b, const room *s) {
  if (!v->is_out_place) return s->ended;
  return v->out.data + b->image * v->out.step[TSM_IMAGE] + b->first * v->out.step[TSM_ROW];
}

static const float *added_rows(const tsm_bands *v, const band *b, const room *s) {
  if (!v->has_add) return NULL;
  if (v->is_add_place) return v->add.data + b->image * v->add.step[TSM_IMAGE] + b->first * v->add.step[TSM_ROW];
  tsm_images from = tsm_images_part(&v->add, b->image, b->first, b->last - b->first, 0, v->filters);
  tsm_images to = tsm_images_over(s->added, 1, v->filters, 1, b->last - b->first, v->w.out[1]);
  tsm_images_copy_here(v->rt->isa, &to, &from);
  return s->added;
}

static void store_rows(const tsm_bands *v, const band *b, const room *s) {
  tsm_images to = tsm_images_part(&v->out, b->image, b->first, b->last - b->first, 0, v->filters);
  tsm_images from = tsm_images_over(s->ended, 1, v->filters, 1, b->last - b->first, v->w.out[1]);
  tsm_images_copy_here(v->rt->isa, &to, &from);
}

static void run_band(const tsm_bands *v, const band *b, const room *s) {
  float *result = result_rows(v, b, s), *middle = v->has_project ? s->middle : result;
  const float *add = added_rows(v, b, s);
  const float *in = v->has_expand && b->from < b->to ? input_rows(v, b, s) : NULL;
  int64_t blocks = tsm_bands_blocks(v), room = v->c.held / blocks;
  for (int64_t block = 0; block < blocks; block++) {
    fill_ring(v, b, s, block, in, s->held + block * room);
    run_depthwise(v, b, block, s->held + block * room, middle, v->has_project ? NULL : add);
  }
  if (v->has_project) {
    tsm_conv k = v->project;
    k.end.add = add;
    run_product(v, &k, middle, (b->last - b->first) * v->w.out[1], 0, tsm_conv_blocks(v->set, v->filters), result,
                v->filters, s->rows);
  }
  if (!v->is_out_place) store_rows(v, b, s);
}

/* Rows [first, last) of results of one image. */
static void run_rows(const tsm_bands *v, int64_t image, int64_t first, int64_t last, const room *s) {
  const tsm_window *w = &v->w;
  int64_t stride = w->stride[0], ready = 0, begins = (first - 1) * stride - w->padding[0] + v->c.span;
  int64_t start = (v->c.ring - begins % v->c.ring) % v->c.ring;
  for (int64_t row = first; row < last; row += v->c.band) {
    band b = {image, row, least(row + v->c.band, last), 0, 0, start};
    b.from = most(ready, row * stride - w->padding[0]);
    b.to = ready = most(b.from, least((b.last - 1) * stride - w->padding[0] + v->c.span, w->in[0]));
    run_band(v, &b, s);
  }
}

void tsm_bands_run(void *user, size_t worker, int64_t begin, int64_t end) {
  const tsm_bands *v = user;
  const room s = room_of(v, worker);
  int64_t height = v->w.out[0], row = (v->first_piece + begin) * v->c.rows / v->c.pieces;
  int64_t stop = (v->first_piece + end) * v->c.rows / v->c.pieces;
  while (row < stop) {
    int64_t image = row / height, last = least(stop, (image + 1) * height);
    run_rows(v, image, row % height, last - image * height, &s);
    row = last;
  }
}
