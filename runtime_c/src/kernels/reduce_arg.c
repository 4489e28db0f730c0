/* reduce_arg.c - where the largest or smallest element is: argmax argmin max.dim min.dim.
 * In: a tensor and a dimension. Out: indices (int64), values.
 * Holds: of equal elements the first counts, and the first NaN before all. */
#include "iterate.h"
#include "kernels.h"
#include "reduce.h"
#include "simd/integer.h"

enum { TILE = 256 };

typedef struct search {
  bool is_max, is_float, is_f32;
  tsm_convert_fn to_wide;
  tsm_row_join by_row;     /* of floats that are neighbours: NULL if they are not */
  const tsm_int_set *ints; /* of what is neighbours */
  uint8_t dtype;
} search;
typedef struct best { tsm_slot value; int64_t index; bool is_nan; } best;

static void look_at(const search *s, best *b, const tsm_slot *tile, int64_t n, int64_t position) {
  for (int64_t i = 0; i < n && !b->is_nan; i++) {
    bool is_nan = s->is_float && tile[i].f != tile[i].f, is_better;
    if (s->is_float) is_better = s->is_max ? tile[i].f > b->value.f : tile[i].f < b->value.f;
    else is_better = s->is_max ? tile[i].i > b->value.i : tile[i].i < b->value.i;
    if (!is_better && !is_nan && b->index >= 0) continue;
    b->value = tile[i];
    b->index = position + i;
    b->is_nan = is_nan;
  }
}

/* A row of neighbouring floats: the largest first, by vectors, then where it is. */
static void find_in_row(const search *s, const char *from, int64_t n, best *b) {
  const float *f32 = (const float *)(const void *)from;
  const double *f64 = (const double *)(const void *)from;
  const double value = s->by_row(from, (size_t)n, 0);
  int64_t i = 0;
  b->is_nan = value != value;
  b->value.f = value;
  if (value == value && value != 0) { /* equal floats have equal bits */
    int64_t bits = b->value.i;
    const float narrow = (float)value;
    if (s->is_f32) memcpy(&bits, &narrow, sizeof narrow);
    i = (int64_t)s->ints->find[s->is_f32 ? TSM_I32 : TSM_I64](from, (size_t)n, bits);
  } else if (s->is_f32) {
    const float wanted = (float)value;
    while (b->is_nan ? f32[i] == f32[i] : f32[i] != wanted) i++;
  } else {
    while (b->is_nan ? f64[i] == f64[i] : f64[i] != value) i++;
  }
  b->index = i;
}

static void find_int_in_row(const search *s, const char *from, int64_t n, best *b) {
  b->is_nan = false;
  b->value.i = s->ints->most[s->dtype](from, (size_t)n, s->is_max);
  b->index = (int64_t)s->ints->find[s->dtype](from, (size_t)n, b->value.i);
}

static tsm_status find_best(tsm_opcall *c, const search *s, const tsm_nest *reduced, const char *from, best *b) {
  tsm_slot tile[TILE];
  int64_t index[TSM_MAX_RANK + 1] = {0}, offset = 0, position = 0;
  int64_t n = reduced->shape[reduced->rank - 1], step = reduced->step[reduced->rank - 1];
  if (s->ints) {
    if (s->by_row) find_in_row(s, from, n, b);
    else find_int_in_row(s, from, n, b);
    return tsm_charge_elements(c->ctx, n);
  }
  b->index = -1;
  b->is_nan = false;
  b->value.bits = 0;
  do {
    for (int64_t done = 0; done < n; done += TILE) {
      int64_t part = n - done < TILE ? n - done : TILE;
      s->to_wide((char *)tile, sizeof *tile, from + offset + done * step, step, part);
      look_at(s, b, tile, part, position + done);
      tsm_status status = tsm_charge_elements(c->ctx, part);
      if (status) return status;
    }
    position += n;
  } while (!b->is_nan && tsm_nest_next(reduced, index, &offset));
  return TSM_OK;
}

/* Results: indices in `indices`, values (may be NULL) in `values`. Reduced dimensions are not empty: infer checked. */
static tsm_status run(tsm_opcall *c, bool is_max, const tsm_tensor *values, const tsm_tensor *indices) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0);
  tsm_reduction which;
  tsm_nest kept, reduced;
  tsm_status status = tsm_reduction_read(c, &which);
  if (status) return status;
  tsm_nest_split(self, &which, &kept, &reduced);
  unsigned wide = tsm_dtype_is_float(self->dtype) ? TSM_F64 : TSM_I64;
  search s = {is_max, wide == TSM_F64, self->dtype == TSM_F32, tsm_convert_loop(self->dtype, wide), NULL, NULL,
              self->dtype};
  const bool is_rows = reduced.rank == 1 && reduced.step[0] == (int64_t)tsm_item_size(self->dtype);
  if (is_rows) s.ints = tsm_ints_of(c->ctx->rt->isa);
  if (is_rows && s.is_float)
    s.by_row = tsm_reduce_of(c->ctx->rt->isa)->row[!s.is_f32][is_max ? TSM_JOIN_MAX : TSM_JOIN_MIN];
  int64_t index[TSM_MAX_RANK + 1] = {0}, offset = 0, position = 0;
  int64_t n = kept.shape[kept.rank - 1], step = kept.step[kept.rank - 1];
  if (!kept.numel) return TSM_OK;
  int64_t *to = (int64_t *)(void *)indices->storage->data;
  do {
    for (int64_t i = 0; i < n; i++, position++) {
      best b;
      status = find_best(c, &s, &reduced, (const char *)tsm_tensor_read(self) + offset + i * step, &b);
      if (status) return status;
      to[position] = b.index;
      if (values)
        tsm_convert_loop(wide, values->dtype)((char *)values->storage->data + (size_t)position * tsm_item_size(values->dtype),
                                              0, (const char *)&b.value, 0, 1);
    }
  } while (tsm_nest_next(&kept, index, &offset));
  return TSM_OK;
}

tsm_status tsm_k_argmax(tsm_opcall *c) { return run(c, true, NULL, tsm_result_tensor(c, 0)); }
tsm_status tsm_k_argmin(tsm_opcall *c) { return run(c, false, NULL, tsm_result_tensor(c, 0)); }
tsm_status tsm_k_max_dim(tsm_opcall *c) { return run(c, true, tsm_result_tensor(c, 0), tsm_result_tensor(c, 1)); }
tsm_status tsm_k_min_dim(tsm_opcall *c) { return run(c, false, tsm_result_tensor(c, 0), tsm_result_tensor(c, 1)); }
