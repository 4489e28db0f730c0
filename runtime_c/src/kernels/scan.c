/* scan.c - what is so far along a dimension: cumsum cumprod logcumsumexp cummax cummin.
 * In: a tensor and a dimension. Out: sums, products, extremes with where they were last.
 * Holds: a line is widened to float64 or int64 in tiles; integers wrap; of equal extremes the last counts, and a NaN
 * stays. */
#include <math.h>

#include "iterate.h"
#include "kernels.h"
#include "reduce.h"

enum { TILE = 256 };

typedef struct scan {
  tsm_context *ctx;
  int64_t length, out_step, in_step, index_step; /* along the dimension, in bytes */
  int64_t cost;                                  /* elements charged for one */
  tsm_convert_fn to_wide, from_wide;
  bool is_f32; /* in and out */
  /* Goes on over n elements of a tile, of which the first is the line's `at`; indices may be NULL. */
  void (*go_on)(tsm_slot *state, tsm_slot *tile, int64_t n, int64_t at, char *indices, int64_t index_step);
} scan;

#define SCAN(name, field, join)                                                                                \
  static void name(tsm_slot *state, tsm_slot *tile, int64_t n, int64_t at, char *indices, int64_t index_step) { \
    (void)indices, (void)index_step;                                                                           \
    int64_t i = 0;                                                                                             \
    if (!at) *state = tile[i++];                                                                               \
    for (; i < n; i++) {                                                                                       \
      state->field = join(state->field, tile[i].field);                                                        \
      tile[i] = *state;                                                                                        \
    }                                                                                                          \
  }
#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
SCAN(sum_floats, f, PLUS)
SCAN(sum_ints, bits, PLUS)
SCAN(multiply_floats, f, TIMES)
SCAN(multiply_ints, bits, TIMES)

static double log_plus(double a, double b) {
  if (a == b) return a + log(2.0); /* infinities too */
  double most = a > b ? a : b, least = a > b ? b : a;
  if (a != a || b != b) return a + b;
  return isinf(most) ? most : most + log1p(exp(least - most));
}
SCAN(log_floats, f, log_plus)

/* state[0] is the extreme, state[1] where it is. */
#define EXTREME(name, field, is_new)                                                                           \
  static void name(tsm_slot *state, tsm_slot *tile, int64_t n, int64_t at, char *indices, int64_t index_step) { \
    for (int64_t i = 0; i < n; i++) {                                                                          \
      if (!(at + i) || is_new(tile[i].field, state->field)) state[0] = tile[i], state[1].i = at + i;           \
      tile[i] = state[0];                                                                                      \
      *(int64_t *)(void *)(indices + (at + i) * index_step) = state[1].i;                                      \
    }                                                                                                          \
  }
#define NOT_LESS(a, b) ((a) >= (b) || (a) != (a))
#define NOT_MORE(a, b) ((a) <= (b) || (a) != (a))
#define INT_NOT_LESS(a, b) ((a) >= (b))
#define INT_NOT_MORE(a, b) ((a) <= (b))
EXTREME(largest_float, f, NOT_LESS)
EXTREME(smallest_float, f, NOT_MORE)
EXTREME(largest_int, i, INT_NOT_LESS)
EXTREME(smallest_int, i, INT_NOT_MORE)

/* Neighbouring floats, without tiles. */
static tsm_status sum_row(tsm_context *ctx, float *out, const float *in, int64_t n) {
  double sum = 0;
  for (int64_t at = 0, end; at < n; at = end) {
    if ((end = tsm_stretch(ctx, at, n, 1)) < 0) return ctx->status;
    for (int64_t i = at; i < end; i++) out[i] = (float)(sum += (double)in[i]);
  }
  return TSM_OK;
}

static tsm_status scan_line(const scan *r, char *out, const char *in, char *indices) {
  if (r->go_on == sum_floats && r->is_f32 && r->in_step == sizeof(float) && r->out_step == sizeof(float))
    return sum_row(r->ctx, (float *)(void *)out, (const float *)(const void *)in, r->length);
  tsm_slot tile[TILE], state[2] = {{.bits = 0}, {.bits = 0}};
  for (int64_t done = 0; done < r->length; done += TILE) {
    int64_t part = r->length - done < TILE ? r->length - done : TILE;
    tsm_status status = tsm_charge_elements(r->ctx, part * r->cost);
    if (status) return status;
    r->to_wide((char *)tile, sizeof *tile, in + done * r->in_step, r->in_step, part);
    r->go_on(state, tile, part, done, indices, r->index_step);
    r->from_wide(out + done * r->out_step, r->out_step, (const char *)tile, sizeof *tile, part);
  }
  return TSM_OK;
}

static tsm_status scan_lines(void *user, char *const *p, const int64_t *s, int64_t n) {
  const scan *r = user;
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < n && !status; i++)
    status = scan_line(r, p[0] + i * s[0], p[1] + i * s[1], r->index_step ? p[2] + i * s[2] : NULL);
  return status;
}

/* The walk over lines: an operand whose dimension `dim` is one element. */
static int64_t add_lines(tsm_iter *it, const tsm_tensor *t, const int64_t *shape, size_t dim) {
  tsm_iter_add(it, tsm_tensor_read(t), tsm_item_size(t->dtype), t->rank, shape, tsm_strides(t));
  return (t->rank ? tsm_strides(t)[dim] : 1) * (int64_t)tsm_item_size(t->dtype);
}

static tsm_status run(tsm_opcall *c, scan r, const tsm_tensor *indices) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0), *out = tsm_result_tensor(c, 0);
  size_t dim;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), self->rank, &dim);
  if (status || !self->numel) return status;
  const unsigned wide = tsm_dtype_is_float(out->dtype) ? TSM_F64 : TSM_I64;
  r.ctx = c->ctx;
  r.to_wide = tsm_convert_loop(self->dtype, wide);
  r.from_wide = tsm_convert_loop(wide, out->dtype);
  r.is_f32 = self->dtype == TSM_F32 && out->dtype == TSM_F32;
  int64_t shape[TSM_MAX_RANK];
  memcpy(shape, tsm_shape(self), self->rank * sizeof *shape);
  r.length = self->rank ? shape[dim] : 1;
  if (self->rank) shape[dim] = 1;
  tsm_iter it;
  tsm_iter_init(&it, self->rank, shape);
  r.out_step = add_lines(&it, out, shape, dim);
  r.in_step = add_lines(&it, self, shape, dim);
  r.index_step = indices ? add_lines(&it, indices, shape, dim) : 0;
  return tsm_iter_run(c->ctx, &it, scan_lines, &r);
}

static bool is_float(const tsm_opcall *c) { return tsm_dtype_is_float(tsm_result_tensor(c, 0)->dtype); }

tsm_status tsm_k_cumsum(tsm_opcall *c) {
  return run(c, (scan){.cost = 1, .go_on = is_float(c) ? sum_floats : sum_ints}, NULL);
}
tsm_status tsm_k_cumprod(tsm_opcall *c) {
  return run(c, (scan){.cost = 1, .go_on = is_float(c) ? multiply_floats : multiply_ints}, NULL);
}
tsm_status tsm_k_logcumsumexp(tsm_opcall *c) { return run(c, (scan){.cost = 16, .go_on = log_floats}, NULL); }
tsm_status tsm_k_cummax(tsm_opcall *c) {
  return run(c, (scan){.cost = 1, .go_on = is_float(c) ? largest_float : largest_int}, tsm_result_tensor(c, 1));
}
tsm_status tsm_k_cummin(tsm_opcall *c) {
  return run(c, (scan){.cost = 1, .go_on = is_float(c) ? smallest_float : smallest_int}, tsm_result_tensor(c, 1));
}
