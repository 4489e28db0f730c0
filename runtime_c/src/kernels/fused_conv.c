/* fused_conv.c - see fused_conv.h. */
#include "fused_conv.h"

#include <math.h>

#include "kernels.h"
#include "tensor/order.h"

static size_t spatial_of(const tsm_opcall *producer) {
  tsm_kernel_fn kernel = producer->site->op->kernel;
  return kernel == tsm_k_conv2d ? 2 : kernel == tsm_k_conv1d ? 1 : 0;
}

static float value_of(const tsm_fused_work *r, uint8_t place) {
  return (float)tsm_element_load(TSM_F32, &r->values[place - TSM_FUSED_INPUTS]).as.f;
}

/* The tensor that a step adds to place `before`; NULL if it is not one of the results' shape. */
static const tsm_tensor *added_to(const tsm_fused_work *r, const tsm_fused_step *step, const tsm_slot *frame,
                                  const tsm_meta *meta, uint8_t before) {
  uint8_t other = step->a == before ? step->b : step->a;
  if ((step->a != before && step->b != before) || other == before || other >= TSM_FUSED_INPUTS) return NULL;
  const tsm_tensor *t = frame[r->f->inputs[other].reg].tensor;
  bool is_whole = t->rank == meta->rank && !memcmp(tsm_shape(t), meta->shape, t->rank * sizeof(int64_t));
  return is_whole && !r->f->inputs[other].is_mask ? t : NULL;
}

static bool read_clamp(const tsm_fused_work *r, const tsm_fused_step *step, uint8_t before, tsm_conv_after *out) {
  bool is_relu = step->row == TSM_ROW_RELU;
  if ((!is_relu && step->row != TSM_ROW_CLAMP) || step->a != before) return false;
  out->clamps = true;
  out->low = is_relu ? 0 : value_of(r, step->b);
  out->high = is_relu ? INFINITY : value_of(r, step->c);
  return out->low <= out->high; /* false for NaN, too */
}

bool tsm_fused_conv_after(const tsm_fused_work *r, tsm_opcall *producer, const tsm_slot *frame, const tsm_meta *meta,
                          tsm_conv_after *out) {
  const tsm_fused *f = r->f;
  uint8_t before = 0, i = 0;
  size_t spatial = spatial_of(producer);
  if (!spatial || r->dtype != TSM_F32 || f->result_count != 1 || f->step_count > 2) return false;
  memset(out, 0, sizeof *out);
  if (f->step_count && f->steps[0].row == TSM_ROW_ADD) {
    out->add = added_to(r, &f->steps[0], frame, meta, before);
    if (!out->add) return false;
    before = f->steps[i++].out;
  }
  if (i < f->step_count && !read_clamp(r, &f->steps[i++], before, out)) return false;
  return i == f->step_count && tsm_conv_can_fuse(producer, spatial);
}

tsm_tensor *tsm_fused_conv_run(const tsm_fused_work *r, tsm_opcall *producer, const tsm_meta *meta,
                               const tsm_conv_after *after) {
  tsm_tensor *out = tsm_tensor_make(producer->ctx, meta, false);
  if (!out) return NULL;
  if (r->f->is_free && out->rank == 4) tsm_tensor_turn_channels_last(out);
  if (tsm_conv_run(producer, spatial_of(producer), out, after) == TSM_OK) return out;
  tsm_unref(&out->head);
  return NULL;
}
