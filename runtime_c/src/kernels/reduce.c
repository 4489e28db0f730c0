/* reduce.c - sum mean prod amax amin max min any all var std.
 * In: a tensor and the dimensions to join. Out: one element for each kept place.
 * Holds: elements are widened in tiles to float64 or int64, where one loop an operation does all dtypes; rows and
 * columns of floats go through simd/reduce.h, where rows of float32 are added by fours first. */
#include "reduce.h"

#include <math.h>

#include "kernels.h"
#include "simd/convert.h"
#include "simd/pointwise.h"

enum { TILE = 256, LANES = 8, CHUNK = 16384 };
typedef enum action { SUM, PROD, MAX, MIN, SQUARES } action;

static void nest_add(tsm_nest *n, int64_t extent, int64_t step) {
  n->numel *= extent;
  if (extent == 1) return;
  if (n->rank && n->step[n->rank - 1] == step * extent) {
    n->shape[n->rank - 1] *= extent;
    n->step[n->rank - 1] = step;
    return;
  }
  n->shape[n->rank] = extent;
  n->step[n->rank++] = step;
}

void tsm_nest_split(const tsm_tensor *t, const tsm_reduction *r, tsm_nest *kept, tsm_nest *reduced) {
  int64_t item = (int64_t)tsm_item_size(t->dtype);
  kept->rank = reduced->rank = 0;
  kept->numel = reduced->numel = 1;
  for (size_t d = 0; d < t->rank; d++)
    nest_add(r->is_reduced[d] ? reduced : kept, tsm_shape(t)[d], tsm_strides(t)[d] * item);
  tsm_nest *both[2] = {kept, reduced};
  for (int k = 0; k < 2; k++) {
    if (both[k]->rank) continue;
    both[k]->rank = 1;
    both[k]->shape[0] = 1;
    both[k]->step[0] = 0;
  }
}

bool tsm_nest_next(const tsm_nest *nest, int64_t *index, int64_t *offset) {
  for (size_t d = nest->rank - 1; d-- > 0;) {
    *offset += nest->step[d];
    if (++index[d] < nest->shape[d]) return true;
    *offset -= nest->step[d] * nest->shape[d];
    index[d] = 0;
  }
  return false;
}

typedef struct reducer {
  tsm_opcall *call;
  tsm_nest kept, reduced;
  const char *in;
  char *out;
  uint8_t in_dtype, out_dtype;
  bool is_float, as_bool;
  action act;
  double divisor;        /* result = result / divisor, unless 1 */
  bool is_root;          /* then its square root */
  const double *means;   /* of the outputs, for SQUARES */
} reducer;

/* Widens n elements to double or int64. */
static void load(const reducer *r, tsm_slot *tile, const char *from, int64_t step, int64_t n) {
  unsigned wide = r->is_float ? TSM_F64 : TSM_I64;
  if (!r->as_bool) {
    tsm_convert_loop(r->in_dtype, wide)((char *)tile, sizeof *tile, from, step, n);
    return;
  }
  uint8_t truth[TILE];
  tsm_convert_best(r->call->ctx->rt->isa, r->in_dtype, TSM_BOOL8)((char *)truth, 1, from, step, n);
  tsm_convert_loop(TSM_BOOL8, wide)((char *)tile, sizeof *tile, (const char *)truth, 1, n);
}

static tsm_slot neutral(const reducer *r) {
  tsm_slot s;
  if (r->is_float) s.f = r->act == PROD ? 1 : r->act == MAX ? -INFINITY : r->act == MIN ? INFINITY : 0;
  else s.i = r->act == PROD ? 1 : r->act == MAX ? INT64_MIN : r->act == MIN ? INT64_MAX : 0;
  return s;
}

/* Joins tile[i] into into[i]; with `means`, their squared distances from them. */
static void merge(const reducer *r, tsm_slot *restrict into, const tsm_slot *restrict tile, int64_t n,
                  const double *means) {
#define EACH(EXPRESSION) \
  for (int64_t i = 0; i < n; i++) { EXPRESSION; } \
  return
  if (r->is_float) {
    switch (r->act) {
      case SUM: EACH(into[i].f += tile[i].f);
      case PROD: EACH(into[i].f *= tile[i].f);
      case MAX: EACH(into[i].f = tile[i].f > into[i].f || tile[i].f != tile[i].f ? tile[i].f : into[i].f);
      case MIN: EACH(into[i].f = tile[i].f < into[i].f || tile[i].f != tile[i].f ? tile[i].f : into[i].f);
      case SQUARES: EACH(double x = tile[i].f - means[i]; into[i].f += x * x);
    }
  }
  switch (r->act) {
    case SUM: EACH(into[i].bits += tile[i].bits);
    case PROD: EACH(into[i].bits *= tile[i].bits);
    case MAX: EACH(into[i].i = tile[i].i > into[i].i ? tile[i].i : into[i].i);
    default: EACH(into[i].i = tile[i].i < into[i].i ? tile[i].i : into[i].i);
  }
#undef EACH
}

/* Joins a whole tile into one value, by lanes. */
static void fold(const reducer *r, tsm_slot *into, const tsm_slot *tile, int64_t n, double mean) {
  tsm_slot lanes[LANES];
  double means[LANES];
  int64_t done = 0;
  for (int k = 0; k < LANES; k++) {
    lanes[k] = neutral(r);
    means[k] = mean;
  }
  for (; done + LANES <= n; done += LANES) merge(r, lanes, tile + done, LANES, means);
  merge(r, lanes, tile + done, n - done, means);
  reducer joining = *r;
  if (r->act == SQUARES) joining.act = SUM;
  for (int half = LANES / 2; half > 0; half /= 2) merge(&joining, lanes, lanes + half, half, NULL);
  merge(&joining, into, lanes, 1, NULL);
}

/* Finishes n neighbouring outputs. */
static void store(const reducer *r, int64_t position, tsm_slot *values, int64_t n) {
  const int64_t item = (int64_t)tsm_item_size(r->out_dtype);
  if (r->is_float && r->divisor != 1)
    for (int64_t i = 0; i < n; i++) values[i].f /= r->divisor;
  if (r->is_root)
    for (int64_t i = 0; i < n; i++) values[i].f = sqrt(values[i].f);
  if (r->is_float && r->out_dtype == TSM_F32) {
    const tsm_row_op narrow = r->call->ctx->rt->rows->f32[TSM_ROW_FROM_FLOAT];
    narrow(r->out + position * item, values, NULL, NULL, (size_t)n);
    return;
  }
  tsm_convert_loop(r->is_float ? TSM_F64 : TSM_I64, r->out_dtype)(r->out + position * item, item, (const char *)values,
                                                                  sizeof *values, n);
}

/* The truth of bools that are neighbours. False: another case. */
static bool fold_plain(const reducer *r, tsm_slot *value, const char *from, int64_t step, int64_t n) {
  if (r->in_dtype != TSM_BOOL8 || !r->as_bool || step != 1 || r->is_float) return false;
  if (r->act != MAX && r->act != MIN) return false;
  if (memchr(from, r->act == MAX, (size_t)n)) value->i = r->act == MAX;
  else if (value->i == neutral(r).i) value->i = r->act != MAX;
  return true;
}

/* One output at a time, along the reduced rows. */
static tsm_status reduce_rows(const reducer *r, const char *from, int64_t position) {
  tsm_slot value = neutral(r), tile[TILE];
  int64_t index[TSM_MAX_RANK + 1] = {0}, offset = 0;
  int64_t n = r->reduced.shape[r->reduced.rank - 1], step = r->reduced.step[r->reduced.rank - 1];
  if (r->reduced.numel) {
    do {
      for (int64_t done = 0, part; done < n; done += part) {
        const char *at = from + offset + done * step;
        part = n - done < CHUNK ? n - done : CHUNK;
        if (!fold_plain(r, &value, at, step, part)) {
          if (part > TILE) part = TILE;
          load(r, tile, at, step, part);
          fold(r, &value, tile, part, r->means ? r->means[position] : 0);
        }
        tsm_status status = tsm_charge_elements(r->call->ctx, part);
        if (status) return status;
      }
    } while (tsm_nest_next(&r->reduced, index, &offset));
  }
  store(r, position, &value, 1);
  return TSM_OK;
}

/* A tile of neighbouring outputs at a time: rows of the input are read along the kept dimension. */
static tsm_status reduce_columns(const reducer *r, const char *from, int64_t position, int64_t width) {
  tsm_slot values[TILE], tile[TILE];
  int64_t index[TSM_MAX_RANK + 1] = {0}, offset = 0, step = r->kept.step[r->kept.rank - 1];
  int64_t n = r->reduced.shape[r->reduced.rank - 1], inner = r->reduced.step[r->reduced.rank - 1];
  for (int64_t i = 0; i < width; i++) values[i] = neutral(r);
  if (r->reduced.numel) {
    do {
      for (int64_t k = 0; k < n; k++) {
        load(r, tile, from + offset + k * inner, step, width);
        merge(r, values, tile, width, r->means ? r->means + position : NULL);
        tsm_status status = tsm_charge_elements(r->call->ctx, width);
        if (status) return status;
      }
    } while (tsm_nest_next(&r->reduced, index, &offset));
  }
  store(r, position, values, width);
  return TSM_OK;
}

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

static const tsm_join joins[] = {[SUM] = TSM_JOIN_SUM, [MAX] = TSM_JOIN_MAX, [MIN] = TSM_JOIN_MIN,
                                 [SQUARES] = TSM_JOIN_SQUARES};

/* Floats by the vectors of simd/reduce.h: doubles for all places, then their dtype. */
static tsm_status reduce_floats(const reducer *r) {
  enum { FEW = 64 };
  double few[FEW + 16];
  const size_t count = (size_t)r->kept.numel + 16;
  double *values = r->kept.numel <= FEW ? few : tsm_alloc_array(r->call->ctx->rt, count, sizeof *values);
  if (!values) return tsm_out_of_memory(r->call->ctx);
  const tsm_join_floats in = {&r->kept, &r->reduced, r->in, r->in_dtype, joins[r->act], r->means, values,
                              r->divisor};
  tsm_status status = tsm_join_floats_run(r->call->ctx, &in);
  reducer divided = *r;
  divided.divisor = 1;
  if (!status) store(&divided, 0, (tsm_slot *)values, r->kept.numel);
  if (values != few) tsm_free(r->call->ctx->rt, values, count * sizeof *values);
  return status;
}

static tsm_status reduce(const reducer *r) {
  if (!r->is_float && !r->as_bool && r->act != PROD && tsm_can_join_ints(&r->kept, &r->reduced, r->in_dtype)) {
    const tsm_join_ints in = {&r->kept, &r->reduced, r->in, r->in_dtype, r->out_dtype, joins[r->act], r->out};
    return tsm_join_ints_run(r->call->ctx, &in);
  }
  if (r->is_float && !r->as_bool && r->act != PROD && tsm_can_join_floats(&r->kept, &r->reduced, r->in_dtype))
    return reduce_floats(r);
  int64_t index[TSM_MAX_RANK + 1] = {0}, offset = 0, position = 0;
  int64_t n = r->kept.shape[r->kept.rank - 1], step = r->kept.step[r->kept.rank - 1];
  bool by_columns = n > 1 && magnitude(step) < magnitude(r->reduced.step[r->reduced.rank - 1]);
  tsm_status status = TSM_OK;
  if (!r->kept.numel) return TSM_OK;
  do {
    for (int64_t i = 0; i < n && !status;) {
      int64_t width = !by_columns ? 1 : n - i < TILE ? n - i : TILE;
      status = by_columns ? reduce_columns(r, r->in + offset + i * step, position, width)
                          : reduce_rows(r, r->in + offset + i * step, position);
      i += width;
      position += width;
    }
  } while (!status && tsm_nest_next(&r->kept, index, &offset));
  return status;
}

static tsm_status reducer_init(tsm_opcall *c, reducer *r, action act) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0), *out = tsm_result_tensor(c, 0);
  tsm_reduction which;
  tsm_status status = tsm_reduction_read(c, &which);
  if (status) return status;
  memset(r, 0, sizeof *r);
  tsm_nest_split(self, &which, &r->kept, &r->reduced);
  r->call = c;
  r->in = tsm_tensor_read(self);
  r->out = (char *)tsm_tensor_read(out);
  r->in_dtype = self->dtype;
  r->out_dtype = out->dtype;
  r->is_float = tsm_dtype_is_float(out->dtype);
  r->as_bool = out->dtype == TSM_BOOL8 && self->dtype != TSM_BOOL8;
  r->act = act;
  r->divisor = 1;
  return TSM_OK;
}

static tsm_status run(tsm_opcall *c, action act) {
  reducer r;
  tsm_status status = reducer_init(c, &r, act);
  return status ? status : reduce(&r);
}

tsm_status tsm_k_sum(tsm_opcall *c) { return run(c, SUM); }
tsm_status tsm_k_prod(tsm_opcall *c) { return run(c, PROD); }
tsm_status tsm_k_amax(tsm_opcall *c) { return run(c, MAX); }
tsm_status tsm_k_amin(tsm_opcall *c) { return run(c, MIN); }
tsm_status tsm_k_max_all(tsm_opcall *c) { return run(c, MAX); }
tsm_status tsm_k_min_all(tsm_opcall *c) { return run(c, MIN); }

tsm_status tsm_k_mean(tsm_opcall *c) {
  reducer r;
  tsm_status status = reducer_init(c, &r, SUM);
  if (status) return status;
  r.divisor = (double)r.reduced.numel;
  return reduce(&r);
}

/* any and all of nothing are False and True. */
static tsm_status run_truth(tsm_opcall *c, action act) {
  reducer r;
  tsm_status status = reducer_init(c, &r, act);
  if (status) return status;
  r.as_bool = true;
  if (r.reduced.numel) return reduce(&r);
  memset(r.out, act == MIN, (size_t)r.kept.numel);
  return TSM_OK;
}

tsm_status tsm_k_any(tsm_opcall *c) { return run_truth(c, MAX); }
tsm_status tsm_k_all(tsm_opcall *c) { return run_truth(c, MIN); }

/* Two passes: means in float64, then squared distances from them. */
static tsm_status run_variance(tsm_opcall *c, bool is_root) {
  reducer r;
  tsm_status status = reducer_init(c, &r, SUM);
  if (status) return status;
  bool is_unbiased = tsm_arg_bool(c, (size_t)tsm_param_find(c, "unbiased"));
  const size_t count = (size_t)r.kept.numel + 16;
  double *means = tsm_alloc_zeroed(c->ctx->rt, count * sizeof *means);
  if (!means) return tsm_out_of_memory(c->ctx);
  char *out = r.out;
  r.out = (char *)means;
  r.out_dtype = TSM_F64;
  r.divisor = (double)r.reduced.numel;
  status = reduce(&r);
  r.out = out;
  r.out_dtype = tsm_result_tensor(c, 0)->dtype;
  r.act = SQUARES;
  r.means = means;
  r.is_root = is_root;
  r.divisor = (double)r.reduced.numel - (is_unbiased ? 1 : 0);
  if (r.divisor < 0) r.divisor = 0;
  if (!status) status = reduce(&r);
  tsm_free(c->ctx->rt, means, count * sizeof *means);
  return status;
}

tsm_status tsm_k_var(tsm_opcall *c) { return run_variance(c, false); }
tsm_status tsm_k_std(tsm_opcall *c) { return run_variance(c, true); }
