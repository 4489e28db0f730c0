/* fused.c - see fused.h. The guard, the results, and the division of the work.
 * Holds: what a tile gives does not depend on where tiles are cut, so results do not depend on the thread count. */
#include <math.h>

#include "base/pool.h"
#include "fused_producer.h"
#include "lower/plan.h"
#include "tensor/order.h"

/* Cost of a piece of work for one thread; elements between looks at fuel. */
static const double NS_PER_WEIGHT = 0.025;
enum { CHUNK = 1 << 20 };

/* ---- Guard: false, whatever was found, sends the operands to the block */

static tsm_pair pair_of(const tsm_fused_value *v, const tsm_slot *frame) {
  return v->is_constant ? v->constant : (tsm_pair){frame[v->reg].bits, frame[v->reg + 1]};
}

/* A number at the computing dtype. What is not a plain int or float, or too large for it, the block judges; so it does
 * a clamp without bounds. */
static bool load_value(tsm_fused_work *r, const tsm_slot *frame, int number) {
  const tsm_fused_value *v = &r->f->values[number];
  tsm_pair p = pair_of(v, frame);
  if (p.tag == TSM_NONE && v->is_optional) {
    if (v->if_none > 0 && pair_of(v - 1, frame).tag == TSM_NONE) return false;
    p.tag = TSM_FLOAT;
    p.as.f = v->if_none;
  } else if (p.tag == TSM_FLOAT) {
    if (r->dtype == TSM_F32 && isfinite(p.as.f) && fabs(p.as.f) > 3.4e38) return false;
  } else if (p.tag != TSM_INT) {
    return false;
  }
  tsm_element_store(r->dtype, &r->values[number], p);
  return true;
}

static bool load_values(tsm_fused_work *r, const tsm_slot *frame) {
  for (int i = 0; i < r->f->value_count; i++)
    if (!load_value(r, frame, i)) return false;
  return true;
}

/* x ** 2, x ** 3 and x ** 0.5 have rows of their own, as in the operator's kernel. */
static uint16_t row_of_power(const tsm_fused_work *r, uint8_t place) {
  const tsm_slot *value = &r->values[place - TSM_FUSED_INPUTS];
  tsm_pair p = tsm_element_load(r->dtype, value);
  if (p.as.f == 2) return TSM_ROW_SQUARE;
  if (p.as.f == 3) return TSM_ROW_CUBE;
  return p.as.f == 0.5 ? TSM_ROW_SQRT : TSM_ROW_POW_VS;
}

static uint16_t row_of_gelu(const tsm_fused_work *r, const tsm_slot *frame) {
  const tsm_str *text = (const tsm_str *)frame[r->f->text - 1].ref;
  if (text->length == 4 && !memcmp(text->bytes, "none", 4)) return TSM_ROW_GELU;
  return text->length == 4 && !memcmp(text->bytes, "tanh", 4) ? TSM_ROW_GELU_TANH : TSM_ROW_COUNT;
}

static bool find_rows(tsm_fused_work *r, const tsm_slot *frame) {
  const tsm_row_op *rows = r->dtype == TSM_F32 ? r->set->f32 : r->set->f64;
  for (int i = 0; i < r->f->step_count; i++) {
    const tsm_fused_step *step = &r->f->steps[i];
    uint16_t row = step->row;
    if (step->choice == TSM_FUSED_POWER) row = row_of_power(r, step->b);
    else if (step->choice == TSM_FUSED_GELU) row = row_of_gelu(r, frame);
    if (row == TSM_ROW_COUNT || !rows[row]) return false;
    r->rows[i] = rows[row];
  }
  return true;
}

static const tsm_tensor *input_of(const tsm_fused_work *r, const tsm_slot *frame, int i) {
  return r->f->inputs[i].is_made ? r->made : frame[r->f->inputs[i].reg].tensor;
}

static bool find_dtype(tsm_fused_work *r, const tsm_slot *frame) {
  r->dtype = TSM_BOOL8;
  for (int i = 0; i < r->f->input_count; i++) {
    uint8_t dtype = input_of(r, frame, i)->dtype;
    if (r->f->inputs[i].is_mask != (dtype == TSM_BOOL8)) return false;
    if (r->f->inputs[i].is_mask) continue;
    if (r->dtype == TSM_BOOL8) {
      r->dtype = dtype;
    } else if (dtype != r->dtype) {
      return false;
    }
  }
  return (r->dtype == TSM_F32 && (r->f->dtypes & 1)) || (r->dtype == TSM_F64 && (r->f->dtypes & 2));
}

bool tsm_fused_has_shape(const tsm_tensor *t, const tsm_meta *meta) {
  if (t->rank != meta->rank) return false;
  for (size_t d = 0; d < t->rank; d++)
    if (t->dims[d] != meta->shape[d]) return false;
  return true;
}

static bool find_shape(tsm_fused_work *r, const tsm_slot *frame, tsm_meta *meta) {
  const tsm_tensor *first = input_of(r, frame, 0);
  size_t rank = meta->rank = first->rank;
  for (size_t d = 0; d < rank; d++) meta->shape[d] = first->dims[d];
  r->is_uniform = true;
  for (int i = 1; i < r->f->input_count; i++) {
    const tsm_tensor *t = input_of(r, frame, i);
    if (tsm_fused_has_shape(t, meta)) continue;
    r->is_uniform = false;
    if (!tsm_broadcast(meta->shape, &rank, tsm_shape(t), t->rank)) return false;
    meta->rank = (uint8_t)rank;
  }
  return true;
}

/* Whether each result has the shape of all inputs together. */
static bool results_are_whole(const tsm_fused_work *r, const tsm_slot *frame, const tsm_meta *meta) {
  if (r->is_uniform) return true;
  uint32_t all = r->f->input_count == 32 ? UINT32_MAX : ((uint32_t)1 << r->f->input_count) - 1, whole = 0;
  for (int i = 0; i < r->f->input_count; i++)
    if (tsm_fused_has_shape(input_of(r, frame, i), meta)) whole |= (uint32_t)1 << i;
  for (int i = 0; i < r->f->result_count; i++)
    if (r->f->results[i].reads != all && !(r->f->results[i].reads & whole)) return false;
  return true;
}

/* ---- Strides */

static int64_t stride_in(const tsm_tensor *t, const tsm_meta *meta, size_t dim) {
  size_t missing = (size_t)meta->rank - t->rank;
  if (dim < missing || tsm_shape(t)[dim - missing] == 1) return 0;
  return tsm_strides(t)[dim - missing];
}

/* Adds a dimension outside of those there are, merged with the outermost one where all inputs allow it. */
static bool add_dimension(tsm_fused_work *r, int64_t extent, const int64_t *strides) {
  int outer = r->rank - 1;
  bool merges = r->rank > 0;
  for (int i = 0; i < r->f->input_count && merges; i++)
    merges = r->how[i] != TSM_READ_STRIDED || strides[i] == r->strides[i][outer] * r->dims[outer];
  if (merges) {
    r->dims[outer] *= extent;
    return true;
  }
  if (r->rank == TSM_FUSED_DIMS) return false;
  r->dims[r->rank] = extent;
  for (int i = 0; i < r->f->input_count; i++) r->strides[i][r->rank] = strides[i];
  r->rank++;
  return true;
}

static bool find_strides(tsm_fused_work *r, const tsm_slot *frame, const tsm_meta *meta) {
  static const size_t turned[4] = {0, 2, 3, 1};
  r->rank = 0;
  for (size_t at = meta->rank; at-- > 0;) {
    int64_t strides[TSM_FUSED_INPUTS];
    size_t d = r->is_turned ? turned[at] : at;
    if (meta->shape[d] == 1) continue;
    for (int i = 0; i < r->f->input_count; i++)
      strides[i] = r->how[i] == TSM_READ_STRIDED ? stride_in(input_of(r, frame, i), meta, d) : 0;
    if (!add_dimension(r, meta->shape[d], strides)) return false;
  }
  return true;
}

/* Results nobody sees the strides of are channels-last if an input of their shape is. */
static bool is_turned(const tsm_fused_work *r, const tsm_slot *frame, const tsm_meta *meta) {
  if (!r->f->is_free || meta->rank != 4) return false;
  for (int i = 0; i < r->f->input_count; i++) {
    const tsm_tensor *t = input_of(r, frame, i);
    if (t->numel == r->numel && tsm_fused_has_shape(t, meta) && tsm_is_channels_last(t)) return true;
  }
  return false;
}

static uint8_t layout_of(const tsm_fused_work *r, const tsm_tensor *t) {
  if (t->numel == 1) return r->numel == 1 ? TSM_READ_DENSE : TSM_READ_ONE;
  if (t->numel != r->numel) return TSM_READ_STRIDED;
  bool is_dense = r->is_turned ? tsm_is_channels_last(t) : (bool)t->is_contiguous;
  return is_dense ? TSM_READ_DENSE : TSM_READ_STRIDED;
}

bool tsm_fused_find_layouts(tsm_fused_work *r, const tsm_slot *frame, const tsm_meta *meta) {
  r->is_strided = false;
  r->is_turned = is_turned(r, frame, meta);
  for (int i = 0; i < r->f->input_count; i++) {
    const tsm_tensor *t = input_of(r, frame, i);
    r->in[i] = tsm_tensor_read(t);
    r->how[i] = layout_of(r, t);
    r->is_strided |= r->how[i] == TSM_READ_STRIDED;
  }
  return !r->is_strided || find_strides(r, frame, meta);
}

/* Fills all but the layouts. */
bool tsm_fused_is_taken(tsm_fused_work *r, const tsm_slot *frame, tsm_meta *meta) {
  size_t bytes;
  if (!find_dtype(r, frame) || !load_values(r, frame) || !find_rows(r, frame)) return false;
  if (!find_shape(r, frame, meta) || !results_are_whole(r, frame, meta)) return false;
  meta->dtype = r->dtype;
  return tsm_meta_bytes(meta, &r->numel, &bytes) && r->numel;
}

/* The whole guard for operands of one element and one rank each, which leave nothing to broadcast or to lay out. */
static bool takes_elements(tsm_fused_work *r, const tsm_slot *frame, tsm_meta *meta) {
  const tsm_fused *f = r->f;
  meta->rank = frame[f->inputs[0].reg].tensor->rank;
  for (int i = 0; i < f->input_count; i++) {
    const tsm_tensor *t = frame[f->inputs[i].reg].tensor;
    if (t->numel != 1 || t->rank != meta->rank) return false;
    r->in[i] = tsm_tensor_read(t);
  }
  for (size_t d = 0; d < meta->rank; d++) meta->shape[d] = 1;
  r->numel = 1;
  r->is_turned = r->is_strided = false;
  return find_dtype(r, frame) && load_values(r, frame) && find_rows(r, frame);
}

/* ---- Results */

/* As tsm_is_reusable, in the order that the results have. */
static bool is_reusable(const tsm_fused_work *r, const tsm_tensor *t, const tsm_meta *meta) {
  if (!r->is_turned) return tsm_is_reusable(t, meta);
  const tsm_storage *s = t->storage;
  if (!tsm_tensor_is_unshared(t) || s->flags != TSM_ST_INLINE) return false;
  if (atomic_load_explicit(&s->refs, memory_order_acquire) != 1 || t->dtype != meta->dtype) return false;
  return tsm_is_channels_last(t) && tsm_fused_has_shape(t, meta) &&
         (size_t)t->numel * tsm_item_size(t->dtype) == s->bytes;
}

/* An input whose memory nobody else sees any more, taken out of its register. */
static tsm_tensor *take_input(tsm_fused_work *r, tsm_slot *frame, const tsm_fused_result *result,
                              const tsm_meta *meta) {
  for (uint32_t left = result->reuses; left; left &= left - 1) {
    const tsm_fused_input *input = &r->f->inputs[__builtin_ctz(left)];
    tsm_tensor **held = input->is_made ? &r->made : &frame[input->reg].tensor;
    if (!*held || !is_reusable(r, *held, meta)) continue;
    tsm_tensor *t = *held;
    *held = NULL;
    t->storage->version++;
    return t;
  }
  return NULL;
}

static tsm_status make_results(tsm_context *ctx, tsm_fused_work *r, tsm_slot *frame, tsm_meta *meta,
                               tsm_tensor **results) {
  for (int i = 0; i < r->f->result_count; i++) {
    meta->dtype = r->f->results[i].is_mask ? TSM_BOOL8 : r->dtype;
    results[i] = take_input(r, frame, &r->f->results[i], meta);
    if (!results[i]) {
      results[i] = tsm_tensor_make(ctx, meta, false);
      if (!results[i]) return ctx->status;
      if (r->is_turned) tsm_tensor_turn_channels_last(results[i]);
    }
    r->out[i] = (char *)results[i]->storage->data + (size_t)results[i]->offset * tsm_item_size(meta->dtype);
  }
  return TSM_OK;
}

static void set_register(tsm_slot *slot, tsm_object *o) {
  tsm_object *old = slot->ref;
  slot->ref = o;
  tsm_unref_maybe(old);
}

void tsm_fused_store(const tsm_fused *f, tsm_slot *frame, tsm_tensor *const *results) {
  for (int i = 0; i < f->result_count; i++)
    set_register(&frame[f->results[i].reg], results[i] ? &results[i]->head : NULL);
  for (int i = 0; i < f->drop_count; i++) {
    tsm_slot *slot = &frame[f->drops[i] & (TSM_TAKE - 1)];
    if (f->drops[i] & TSM_TAKE) {
      tsm_pair old = {slot[0].bits, slot[1]};
      slot[0].bits = 0;
      tsm_pair_unref(old);
    } else {
      set_register(slot, NULL);
    }
  }
}

/* ---- Running */

static tsm_status run_tiles(tsm_context *ctx, tsm_fused_work *r) {
  if (r->numel == 1) {
    tsm_fused_element(r);
    return tsm_charge(ctx, 0);
  }
  if (r->numel <= TSM_FUSED_TINY && !r->is_strided) {
    r->tile = r->numel;
    r->pieces = r->first = 0;
    r->is_far = r->fetching == TSM_CHOICE_ALWAYS;
    tsm_fused_tiles(r, 0, 0, 1);
    return tsm_charge(ctx, 0);
  }
  int64_t count = tsm_fused_cut(r), step = CHUNK / r->tile;
  double cost = NS_PER_WEIGHT * (double)(r->tile * r->f->weight);
  for (r->first = 0; r->first < count; r->first += step) {
    int64_t now = count - r->first < step ? count - r->first : step;
    tsm_status status = tsm_charge_elements(ctx, now * r->tile * (int64_t)r->f->weight);
    if (status != TSM_OK) return status;
    tsm_parallel(ctx->rt, now, cost, tsm_fused_tiles, r);
  }
  return TSM_OK;
}

/* Runs what the guard took. */
tsm_status tsm_fused_run_taken(tsm_context *ctx, tsm_fused_work *r, tsm_slot *frame, tsm_meta *meta) {
  tsm_tensor *results[TSM_FUSED_RESULTS] = {NULL};
  tsm_status status = make_results(ctx, r, frame, meta, results);
  if (status == TSM_OK) status = run_tiles(ctx, r);
  if (status == TSM_OK) {
    tsm_fused_store(r->f, frame, results);
    return TSM_OK;
  }
  for (int i = 0; i < r->f->result_count; i++)
    if (results[i]) tsm_unref(&results[i]->head);
  return status;
}

/* ---- All together */

tsm_status tsm_fused_run(tsm_context *ctx, tsm_slot *frame, const tsm_fused *f, bool *out_done) {
  tsm_fused_work r;
  tsm_meta meta;
  r.f = f;
  r.set = ctx->rt->rows;
  r.fetching = ctx->rt->tuning.fetching;
  *out_done = false;
  if (f->is_small && frame[f->inputs[0].reg].tensor->numel > TSM_FUSED_TINY) return TSM_OK;
  if (f->producer) return tsm_fused_run_produced(ctx, &r, frame, out_done);
  *out_done = takes_elements(&r, frame, &meta) ||
              (tsm_fused_is_taken(&r, frame, &meta) && tsm_fused_find_layouts(&r, frame, &meta));
  return *out_done ? tsm_fused_run_taken(ctx, &r, frame, &meta) : TSM_OK;
}
