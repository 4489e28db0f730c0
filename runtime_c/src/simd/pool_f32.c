/* pool_f32.c - see pool.h.
 * Holds: NaN wins in a maximum; an empty window gives 0. */
#include "pool.h"
#include "vector.h"

enum { WIDTH = 4 }; /* vectors of channels at once */

TSM_INLINE vf load(const float *p, size_t lanes) { return lanes == VF ? vf_load(p) : vf_load_part(p, lanes); }

/* `count` vectors of channels, the last of `lanes` lanes, of one place. */
TSM_INLINE void pool_vectors(const tsm_pool_job *job, const float *in, float *out, int64_t row, int64_t column,
                             int count, size_t lanes) {
  tsm_pool_range down = job->down[row], across = job->across[column];
  vf acc[WIDTH];
  bool is_empty = !down.count || !across.count;
  const float *start = in + down.first * job->in_row + across.first * job->in_place;
  for (int k = 0; k < count; k++)
    acc[k] = job->is_max && !is_empty ? load(start + k * VF, k + 1 < count ? VF : lanes) : (vf){0};
  for (int64_t y = 0; y < down.count; y++, start += down.step * job->in_row) {
    const float *at = start;
    for (int64_t x = 0; x < across.count; x++, at += across.step * job->in_place)
      for (int k = 0; k < count; k++) {
        vf value = load(at + k * VF, k + 1 < count ? VF : lanes);
        if (job->is_max) acc[k] = vf_select((value > acc[k]) | (value != value), value, acc[k]);
        else acc[k] += value;
      }
  }
  vf by_row = vf_set1(job->is_max || is_empty ? 1 : job->divide_down[row]);
  vf by_column = vf_set1(job->is_max || is_empty ? 1 : job->divide_across[column]);
  for (int k = 0; k < count; k++) {
    if (!job->is_max) acc[k] = acc[k] / by_row / by_column;
    if (k + 1 < count || lanes == VF) vf_store(out + k * VF, acc[k]);
    else vf_store_part(out + k * VF, acc[k], lanes);
  }
}

static void pool_place(const tsm_pool_job *job, const float *in, float *out, int64_t row, int64_t column) {
  int64_t c = 0;
  for (; c + WIDTH * VF <= job->channels; c += WIDTH * VF) pool_vectors(job, in + c, out + c, row, column, WIDTH, VF);
  for (; c + VF <= job->channels; c += VF) pool_vectors(job, in + c, out + c, row, column, 1, VF);
  if (c < job->channels) pool_vectors(job, in + c, out + c, row, column, 1, (size_t)(job->channels - c));
}

static void pool_rows(const tsm_pool_job *job, int64_t first, int64_t last) {
  for (int64_t i = first; i < last; i++) {
    int64_t image = i / job->rows, row = i % job->rows;
    const float *in = job->in + image * job->in_image;
    float *out = job->out + image * job->out_image + row * job->out_row;
    for (int64_t column = 0; column < job->columns; column++, out += job->out_place)
      pool_place(job, in, out, row, column);
  }
}

static void scale_places(float *out, const float *in, int64_t places, int64_t channels, const float *scale,
                         const float *shift) {
  for (int64_t i = 0; i < places; i++, in += channels, out += channels)
    for (int64_t c = 0; c < channels; c += VF) {
      size_t lanes = channels - c < VF ? (size_t)(channels - c) : (size_t)VF;
      vf x = load(in + c, lanes) * load(scale + c, lanes) + load(shift + c, lanes);
      if (lanes == VF) vf_store(out + c, x);
      else vf_store_part(out + c, x, lanes);
    }
}

const tsm_pool_set TSM_NAMED(tsm_pool_set) = {pool_rows, scale_places};
