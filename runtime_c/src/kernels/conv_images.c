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
  static const int order[TSM_IMAGE_AXES] = {TSM_IMAGE, TSM_CHANNEL, TSM_PLANE, TSM_ROW, TSM_PLACE};
  const bool is_there[TSM_IMAGE_AXES] = {t->rank == spatial + 2, true, spatial > 2, spatial > 1, true};
  tsm_images v;
  size_t at = 0;
  v.data = (float *)(void *)t->storage->data + t->offset;
  for (size_t d = 0; d < TSM_IMAGE_AXES; d++) {
    v.size[order[d]] = is_there[d] ? tsm_shape(t)[at] : 1;
    v.step[order[d]] = is_there[d] ? tsm_strides(t)[at] : 0;
    at += is_there[d];
  }
  return v;
}

tsm_images tsm_images_over(float *data, int64_t images, int64_t channels, int64_t planes, int64_t rows, int64_t places) {
  return (tsm_images){data, {images, channels, rows, places, planes},
                      {planes * rows * places * channels, 1, places * channels, channels, rows * places * channels}};
}

bool tsm_images_are_channels_last(const tsm_images *v) {
  static const int order[TSM_IMAGE_AXES] = {TSM_CHANNEL, TSM_PLACE, TSM_ROW, TSM_PLANE, TSM_IMAGE};
  int64_t expected = 1;
  for (int i = 0; i < TSM_IMAGE_AXES; i++) {
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

static float *start_of_row(const tsm_images *v, int64_t row) {
  const int64_t y = row % v->size[TSM_ROW], plane = row / v->size[TSM_ROW];
  return v->data + y * v->step[TSM_ROW] + plane % v->size[TSM_PLANE] * v->step[TSM_PLANE] +
         plane / v->size[TSM_PLANE] * v->step[TSM_IMAGE];
}

static void copy_strips(void *user, size_t worker, int64_t begin, int64_t end) {
  const copying *job = user;
  const tsm_images *to = &job->to, *from = &job->from;
  (void)worker;
  for (int64_t i = begin; i < end; i++) {
    int64_t x = i % job->strips * STRIP, row = i / job->strips, left = to->size[TSM_PLACE] - x;
    copy_places(job->isa, to, start_of_row(to, row) + x * to->step[TSM_PLACE], from,
                start_of_row(from, row) + x * from->step[TSM_PLACE], left < STRIP ? left : STRIP);
  }
}

/* Rows, then planes, that follow each other in memory are one long row. */
static bool can_join(const tsm_images *v, int axis) {
  return v->size[axis] == 1 || v->step[axis] == v->size[TSM_PLACE] * v->step[TSM_PLACE];
}

static void join(tsm_images *v, int axis) {
  v->size[TSM_PLACE] *= v->size[axis];
  v->size[axis] = 1;
}

/* Returns how many strips there are. */
static int64_t plan_copy(copying *job, tsm_isa isa, const tsm_images *to, const tsm_images *from) {
  *job = (copying){isa, *to, *from, 0};
  static const int axes[] = {TSM_ROW, TSM_PLANE};
  for (int i = 0; i < 2 && can_join(&job->to, axes[i]) && can_join(&job->from, axes[i]); i++) {
    join(&job->to, axes[i]);
    join(&job->from, axes[i]);
  }
  job->strips = (job->to.size[TSM_PLACE] + STRIP - 1) / STRIP;
  return job->to.size[TSM_IMAGE] * job->to.size[TSM_PLANE] * job->to.size[TSM_ROW] * job->strips;
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
