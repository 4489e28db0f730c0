/* conv_images.c - see conv_images.h. */
#include "conv_images.h"

#include "base/pool.h"
#include "simd/transpose.h"

enum { STRIP = 64 };
static const double NS_PER_FLOAT = 0.1;

static void transpose(tsm_isa isa, float *to, int64_t to_step, const float *from, int64_t from_step, int64_t rows,
                      int64_t columns) {
  const ptrdiff_t item = sizeof(float);
  tsm_transpose_of(isa)->by4(to, (ptrdiff_t)to_step * item, from, (ptrdiff_t)from_step * item, (size_t)rows, (size_t)columns);
}

tsm_images tsm_images_of(const tsm_tensor *t, size_t spatial) {
  tsm_images v;
  const int64_t *shape = tsm_shape(t), *strides = tsm_strides(t);
  size_t first = 3 - spatial; /* where rows or places come from the tensor */
  bool has_images = t->rank == spatial + 2;
  size_t at = 0;
  v.data = (float *)(void *)t->storage->data + t->offset;
  for (size_t d = 0; d < 4; d++) {
    bool is_there = d == TSM_CHANNEL || (d == TSM_IMAGE ? has_images : d > first);
    v.size[d] = is_there ? shape[at] : 1;
    v.step[d] = is_there ? strides[at] : 0;
    at += is_there;
  }
  return v;
}

tsm_images tsm_images_over(float *data, int64_t images, int64_t channels, int64_t rows, int64_t places) {
  return (tsm_images){data, {images, channels, rows, places},
                      {rows * places * channels, 1, places * channels, channels}};
}

bool tsm_images_are_channels_last(const tsm_images *v) {
  static const int order[4] = {TSM_CHANNEL, TSM_PLACE, TSM_ROW, TSM_IMAGE};
  int64_t expected = 1;
  for (int i = 0; i < 4; i++) {
    if (v->size[order[i]] != 1 && v->step[order[i]] != expected) return false;
    expected *= v->size[order[i]];
  }
  return true;
}

/* `places` of all channels. */
static void copy_places(tsm_isa isa, const tsm_images *v, float *to, const tsm_images *w, const float *from,
                        int64_t places) {
  int64_t to_x = v->step[TSM_PLACE], from_x = w->step[TSM_PLACE], to_c = v->step[TSM_CHANNEL];
  int64_t channels = v->size[TSM_CHANNEL], from_c = w->step[TSM_CHANNEL];
  if (to_c == 1 && from_c == 1) {
    for (int64_t x = 0; x < places; x++) memcpy(to + x * to_x, from + x * from_x, (size_t)channels * sizeof *to);
  } else if (to_x == 1 && from_x == 1) {
    for (int64_t c = 0; c < channels; c++) memcpy(to + c * to_c, from + c * from_c, (size_t)places * sizeof *to);
  } else if (to_c == 1 && from_x == 1) {
    transpose(isa, to, to_x, from, from_c, channels, places);
  } else if (to_x == 1 && from_c == 1) {
    transpose(isa, to, to_c, from, from_x, places, channels);
  } else {
    for (int64_t c = 0; c < channels; c++)
      for (int64_t x = 0; x < places; x++) to[c * to_c + x * to_x] = from[c * from_c + x * from_x];
  }
}

typedef struct copying { /* strips of places a row */
  tsm_isa isa;
  tsm_images to, from;
  int64_t strips;
} copying;

static void copy_strips(void *user, size_t worker, int64_t begin, int64_t end) {
  const copying *job = user;
  const tsm_images *to = &job->to, *from = &job->from;
  (void)worker;
  for (int64_t i = begin; i < end; i++) {
    int64_t x = i % job->strips * STRIP, row = i / job->strips, left = to->size[TSM_PLACE] - x;
    int64_t y = row % to->size[TSM_ROW], image = row / to->size[TSM_ROW];
    copy_places(job->isa, to,
                to->data + image * to->step[TSM_IMAGE] + y * to->step[TSM_ROW] + x * to->step[TSM_PLACE], from,
                from->data + image * from->step[TSM_IMAGE] + y * from->step[TSM_ROW] + x * from->step[TSM_PLACE],
                left < STRIP ? left : STRIP);
  }
}

/* Rows that follow each other in memory are one long row. */
static bool can_join_rows(const tsm_images *v) { return v->step[TSM_ROW] == v->size[TSM_PLACE] * v->step[TSM_PLACE]; }

static void join_rows(tsm_images *v) {
  v->size[TSM_PLACE] *= v->size[TSM_ROW];
  v->size[TSM_ROW] = 1;
}

/* Returns how many strips there are. */
static int64_t plan_copy(copying *job, tsm_isa isa, const tsm_images *to, const tsm_images *from) {
  *job = (copying){isa, *to, *from, 0};
  if (can_join_rows(to) && can_join_rows(from)) {
    join_rows(&job->to);
    join_rows(&job->from);
  }
  job->strips = (job->to.size[TSM_PLACE] + STRIP - 1) / STRIP;
  return job->to.size[TSM_IMAGE] * job->to.size[TSM_ROW] * job->strips;
}

void tsm_images_copy(tsm_runtime *rt, const tsm_images *to, const tsm_images *from) {
  copying job;
  int64_t count = plan_copy(&job, rt->isa, to, from);
  tsm_parallel(rt, count, NS_PER_FLOAT * (double)(STRIP * to->size[TSM_CHANNEL]), copy_strips, &job);
}

void tsm_images_copy_here(tsm_isa isa, const tsm_images *to, const tsm_images *from) {
  copying job;
  int64_t count = plan_copy(&job, isa, to, from);
  copy_strips(&job, 0, 0, count);
}

tsm_images tsm_images_part(const tsm_images *v, int64_t image, int64_t row, int64_t rows, int64_t channel,
                           int64_t channels) {
  tsm_images part = *v;
  part.data += image * v->step[TSM_IMAGE] + row * v->step[TSM_ROW] + channel * v->step[TSM_CHANNEL];
  part.size[TSM_IMAGE] = 1;
  part.size[TSM_ROW] = rows;
  part.size[TSM_CHANNEL] = channels;
  return part;
}
