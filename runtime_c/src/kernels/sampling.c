/* sampling.c - random tensors: rand randn randint bernoulli dropout normal_ uniform_.
 * In: the context's stream. Out: elements in row-major order, one draw each.
 * Holds: the same seed gives the same elements on every platform. */
#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"

typedef struct drawing { tsm_random *random; unsigned dtype; double a, b; int64_t low; uint64_t span; } drawing;

static void store(const drawing *d, void *element, double value) {
  if (d->dtype == TSM_F32) *(float *)element = (float)value;
  else *(double *)element = value;
}

static tsm_status uniform_row(void *user, char *const *p, const int64_t *s, int64_t n) {
  drawing *d = user;
  for (int64_t i = 0; i < n; i++) {
    double u = tsm_random_uniform(d->random);
    /* 24 bits in float32, so that rounding never reaches the upper end */
    if (d->dtype == TSM_F32) u = (double)(int64_t)(u * 16777216.0) / 16777216.0;
    store(d, p[0] + i * s[0], d->a + u * (d->b - d->a));
  }
  return TSM_OK;
}

static tsm_status normal_row(void *user, char *const *p, const int64_t *s, int64_t n) {
  drawing *d = user;
  for (int64_t i = 0; i < n; i++) store(d, p[0] + i * s[0], d->a + d->b * tsm_random_normal(d->random));
  return TSM_OK;
}

static tsm_status randint_row(void *user, char *const *p, const int64_t *s, int64_t n) {
  drawing *d = user;
  for (int64_t i = 0; i < n; i++) {
    uint64_t bits = tsm_random_bits(d->random);
    /* draws from the incomplete last multiple of span are repeated, so that all values are equally likely */
    while (bits >= UINT64_MAX - UINT64_MAX % d->span) bits = tsm_random_bits(d->random);
    tsm_pair value;
    value.tag = TSM_INT;
    value.as.bits = (uint64_t)d->low + bits % d->span;
    tsm_element_store(d->dtype, p[0] + i * s[0], value);
  }
  return TSM_OK;
}

static tsm_status draw(tsm_opcall *c, const tsm_tensor *out, tsm_row_fn row, double a, double b) {
  drawing d = {&c->ctx->random, out->dtype, a, b, 0, 1};
  tsm_iter it;
  tsm_iter_init(&it, out->rank, tsm_shape(out));
  tsm_iter_add_tensor(&it, out);
  return tsm_iter_run(c->ctx, &it, row, &d);
}

tsm_status tsm_k_manual_seed(tsm_opcall *c) {
  tsm_random_seed(&c->ctx->random, (uint64_t)tsm_arg_int(c, 0));
  return TSM_OK;
}

tsm_status tsm_k_rand(tsm_opcall *c) { return draw(c, tsm_result_tensor(c, 0), uniform_row, 0, 1); }
tsm_status tsm_k_randn(tsm_opcall *c) { return draw(c, tsm_result_tensor(c, 0), normal_row, 0, 1); }

tsm_status tsm_k_randint(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  int64_t low = tsm_arg_int(c, 0);
  drawing d = {&c->ctx->random, out->dtype, 0, 0, low, (uint64_t)tsm_arg_int(c, 1) - (uint64_t)low};
  tsm_iter it;
  tsm_iter_init(&it, out->rank, tsm_shape(out));
  tsm_iter_add_tensor(&it, out);
  return tsm_iter_run(c->ctx, &it, randint_row, &d);
}

static tsm_status draw_inplace(tsm_opcall *c, tsm_row_fn row) {
  tsm_tensor *self = tsm_arg_tensor(c, 0);
  if (!tsm_dtype_is_float(self->dtype)) return tsm_raise_not_implemented(c, self->dtype);
  tsm_status status = tsm_inplace_prepare(c, 1, 0, self->dtype);
  if (!status) status = draw(c, self, row, tsm_arg_float(c, 1), tsm_arg_float(c, 2));
  return status ? status : tsm_return_self(c);
}

tsm_status tsm_k_normal_(tsm_opcall *c) {
  if (!(tsm_arg_float(c, 2) >= 0)) return tsm_raise(c->ctx, "RuntimeError", "normal_: std must not be negative");
  return draw_inplace(c, normal_row);
}

tsm_status tsm_k_uniform_(tsm_opcall *c) {
  if (!(tsm_arg_float(c, 1) <= tsm_arg_float(c, 2)))
    return tsm_raise(c->ctx, "RuntimeError", "uniform_: the lower end of the range must not be above the upper one");
  return draw_inplace(c, uniform_row);
}

static double load(const drawing *d, const void *element) {
  return d->dtype == TSM_F32 ? (double)*(const float *)element : *(const double *)element;
}

static tsm_status bernoulli_row(void *user, char *const *p, const int64_t *s, int64_t n) {
  drawing *d = user;
  for (int64_t i = 0; i < n; i++) {
    double probability = load(d, p[1] + i * s[1]);
    if (!(probability >= 0 && probability <= 1)) {
      d->span = 0;
      return TSM_OK;
    }
    store(d, p[0] + i * s[0], tsm_random_uniform(d->random) < probability ? 1 : 0);
  }
  return TSM_OK;
}

static tsm_status dropout_row(void *user, char *const *p, const int64_t *s, int64_t n) {
  drawing *d = user;
  for (int64_t i = 0; i < n; i++) {
    double x = load(d, p[1] + i * s[1]), kept = tsm_random_uniform(d->random) < d->a ? 0 : d->b;
    store(d, p[0] + i * s[0], x * kept);
  }
  return TSM_OK;
}

static tsm_status draw_from(tsm_opcall *c, tsm_row_fn row, drawing *d) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  tsm_iter it;
  tsm_iter_init(&it, out->rank, tsm_shape(out));
  tsm_iter_add_tensor(&it, out);
  tsm_iter_add_tensor(&it, tsm_arg_tensor(c, 0));
  return tsm_iter_run(c->ctx, &it, row, d);
}

tsm_status tsm_k_bernoulli(tsm_opcall *c) {
  drawing d = {&c->ctx->random, tsm_result_tensor(c, 0)->dtype, 0, 0, 0, 1};
  tsm_status status = draw_from(c, bernoulli_row, &d);
  if (status || d.span) return status;
  return tsm_raise(c->ctx, "RuntimeError", "bernoulli: probabilities must lie in [0, 1]");
}

tsm_status tsm_k_dropout(tsm_opcall *c) {
  double p = tsm_arg_float(c, 1);
  if (!tsm_arg_bool(c, 2) || p == 0) return tsm_tensor_copy_into(c->ctx, tsm_result_tensor(c, 0), tsm_arg_tensor(c, 0));
  drawing d = {&c->ctx->random, tsm_result_tensor(c, 0)->dtype, p, p < 1 ? 1 / (1 - p) : 0, 0, 1};
  return draw_from(c, dropout_row, &d);
}
