/* Convolutions against sums in float64: direct, depthwise and Winograd paths, every instruction set, layouts of input
 * and result, what follows in the same pass, NaN and Inf, the same bits for every number of threads. And images that lie
 * channels-last through pooling, normalisation and joining. */
#include <math.h>

#include "../../runtime_c/src/base/base.h"
#include "../../runtime_c/src/kernels/conv.h"
#include "../../runtime_c/src/op/op.h"
#include "../../runtime_c/src/tensor/order.h"
#include "convolutions.h"
#include "host.h"

enum { ARGS = 8 };

static float draw(void) { return (float)pick(2001) / 1000.0f - 1; }

typedef struct setting {
  int64_t images, channels, filters, groups, size[2], kernel[2], stride[2], padding[2], dilation[2];
  int in_layout, out_layout;
  bool has_bias, is_kept, adds, clamps, finishes;
} setting;

/* Runtime, context and operands of one call. */
typedef struct bench {
  tsm_runtime *rt;
  tsm_context *ctx;
  tsm_list lists[3];
  tsm_slot slots[ARGS];
  tsm_site *site;
} bench;

static void bench_start(bench *b, const char *isa, uint32_t threads, bool no_winograd) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  tsm_error error;
  memset(b, 0, sizeof *b);
  options.isa = isa;
  options.threads = threads;
  tsm_tuning tuning = TSM_TUNING_INIT;
  tuning.no_winograd = no_winograd;
  options.tuning = &tuning;
  b->rt = tsm_runtime_new(&options, &error);
  b->ctx = b->rt ? tsm_context_new(b->rt, &error) : NULL;
  b->site = calloc(1, sizeof *b->site + ARGS * sizeof *b->site->regs);
  if (!b->ctx || !b->site) exit(1);
  for (uint16_t i = 0; i < ARGS; i++) b->site->regs[i] = i;
}

static void bench_end(bench *b) {
  free(b->site);
  tsm_context_free(b->ctx);
  tsm_runtime_free(b->rt);
}

static float *at(const tsm_tensor *t, int64_t n, int64_t c, int64_t y, int64_t x) {
  const int64_t *s = tsm_strides(t);
  return (float *)(void *)t->storage->data + t->offset + n * s[0] + c * s[1] + y * s[2] + x * s[3];
}

#define EACH(t, n, c, y, x)                             \
  for (int64_t n = 0; n < tsm_shape(t)[0]; n++)         \
    for (int64_t c = 0; c < tsm_shape(t)[1]; c++)       \
      for (int64_t y = 0; y < tsm_shape(t)[2]; y++)     \
        for (int64_t x = 0; x < tsm_shape(t)[3]; x++)

static void fill(const tsm_tensor *t) { EACH(t, n, c, y, x) *at(t, n, c, y, x) = draw(); }

static void put_list(bench *b, int which, size_t arg, const int64_t *items, int64_t count) {
  tsm_list *list = &b->lists[which];
  atomic_init(&list->head.refs, TSM_IMMORTAL);
  list->head.kind = TSM_LIST;
  list->head.layout = TSM_L_I64;
  list->length = list->capacity = count;
  list->as.i64 = (int64_t *)(uintptr_t)items;
  b->slots[arg].ref = &list->head;
}

static void put_conv(bench *b, const setting *s) {
  int64_t in[4] = {s->images, s->channels, s->size[0], s->size[1]};
  int64_t weight[4] = {s->filters, s->channels / s->groups, s->kernel[0], s->kernel[1]};
  b->site->op = tsm_op_find(b->rt->ops, "conv2d", "");
  b->site->arg_count = 7;
  b->site->result_count = 1;
  b->slots[0].tensor = make_image(b->ctx, 4, in, s->in_layout);
  b->slots[1].tensor = make_image(b->ctx, 4, weight, ROW_MAJOR);
  b->slots[2].tensor = s->has_bias ? make_image(b->ctx, 1, &s->filters, ROW_MAJOR) : NULL;
  fill(b->slots[0].tensor);
  fill(b->slots[1].tensor);
  for (int64_t k = 0; s->has_bias && k < s->filters; k++)
    ((float *)(void *)b->slots[2].tensor->storage->data)[k] = draw();
  if (s->is_kept) b->slots[1].tensor->storage->flags |= TSM_ST_KEPT;
  put_list(b, 0, 3, s->stride, 2);
  put_list(b, 1, 4, s->padding, 2);
  put_list(b, 2, 5, s->dilation, 2);
  b->slots[6].i = s->groups;
}

static void drop_conv(bench *b) {
  for (int i = 0; i < 3; i++)
    if (b->slots[i].tensor) tsm_unref(&b->slots[i].tensor->head);
}

static int64_t out_extent(const setting *s, int d) {
  return (s->size[d] + 2 * s->padding[d] - (s->kernel[d] - 1) * s->dilation[d] - 1) / s->stride[d] + 1;
}

/* The sum in float64; *out_size is the sum of magnitudes. */
static double sum_at(const bench *b, const setting *s, int64_t n, int64_t k, int64_t oy, int64_t ox, double *out_size) {
  int64_t channels = s->channels / s->groups, first = k / (s->filters / s->groups) * channels;
  double sum = s->has_bias ? ((const float *)(void *)b->slots[2].tensor->storage->data)[k] : 0, size = 0;
  for (int64_t c = 0; c < channels; c++)
    for (int64_t ky = 0; ky < s->kernel[0]; ky++)
      for (int64_t kx = 0; kx < s->kernel[1]; kx++) {
        int64_t y = oy * s->stride[0] - s->padding[0] + ky * s->dilation[0];
        int64_t x = ox * s->stride[1] - s->padding[1] + kx * s->dilation[1];
        if (y < 0 || y >= s->size[0] || x < 0 || x >= s->size[1]) continue;
        double product = (double)*at(b->slots[0].tensor, n, first + c, y, x);
        product *= (double)*at(b->slots[1].tensor, k, c, ky, kx);
        sum += product;
        size += fabs(product);
      }
  *out_size = size;
  return sum;
}

static void finish(void *user, float *out, int64_t step, int64_t first, int64_t places, int64_t filter,
                   int64_t filters) {
  CHECK(first >= 0 && filter >= 0 && filter + filters <= *(const int64_t *)user);
  for (int64_t i = 0; i < places; i++)
    for (int64_t k = 0; k < filters; k++) out[i * step + k] = out[i * step + k] * 2 + (float)(filter + k);
}

static void report(const setting *s, const char *isa, double got, double want) {
  check_failures++;
  fprintf(stderr, "%s: got %g, want %g: n%lld c%lld k%lld g%lld size %lldx%lld kernel %lldx%lld stride %lldx%lld "
          "padding %lldx%lld dilation %lldx%lld layouts %d %d kept %d\n", isa, got, want, (long long)s->images,
          (long long)s->channels, (long long)s->filters, (long long)s->groups, (long long)s->size[0],
          (long long)s->size[1], (long long)s->kernel[0], (long long)s->kernel[1], (long long)s->stride[0],
          (long long)s->stride[1], (long long)s->padding[0], (long long)s->padding[1], (long long)s->dilation[0],
          (long long)s->dilation[1], s->in_layout, s->out_layout, s->is_kept);
}

static void compare(const bench *b, const setting *s, const tsm_tensor *out, const tsm_tensor *add, const char *isa) {
  EACH(out, n, k, y, x) {
    double size, want = sum_at(b, s, n, k, y, x, &size), got = (double)*at(out, n, k, y, x);
    if (add) want += (double)*at(add, n, k, y, x);
    if (s->clamps) want = want < 0 ? 0 : want > 0.5 ? 0.5 : want;
    if (s->finishes) want = want * 2 + (double)k;
    bool is_same = isfinite(want) ? fabs(got - want) <= 4e-6 * (size + 4) : isnan(want) ? isnan(got) : got == want;
    if (is_same) continue;
    report(s, isa, got, want);
    return;
  }
}

static tsm_tensor *run_conv(bench *b, const setting *s, const tsm_tensor *add) {
  int64_t shape[4] = {s->images, s->filters, out_extent(s, 0), out_extent(s, 1)}, filters = s->filters;
  tsm_opcall call = {b->ctx, b->slots, b->site, NULL};
  tsm_tensor *out = make_image(b->ctx, 4, shape, s->out_layout);
  tsm_conv_after after;
  memset(&after, 0, sizeof after);
  after.add = add;
  after.clamps = s->clamps;
  after.low = 0;
  after.high = 0.5f;
  after.finish = s->finishes ? finish : NULL;
  after.user = &filters;
  bool has_after = add || s->clamps || s->finishes;
  CHECK(!has_after || tsm_conv_can_fuse(&call, 2) || !out->numel);
  CHECK(tsm_conv_run(&call, 2, out, has_after ? &after : NULL) == TSM_OK);
  return out;
}

static void check_setting(const setting *s, const char *isa) {
  bench b;
  bench_start(&b, isa, 1, false);
  put_conv(&b, s);
  int64_t shape[4] = {s->images, s->filters, out_extent(s, 0), out_extent(s, 1)};
  tsm_tensor *add = s->adds ? make_image(b.ctx, 4, shape, (int)pick(LAYOUTS)) : NULL;
  if (add) fill(add);
  for (int again = 0; again < 2; again++) { /* the second time with the packed copy */
    tsm_tensor *out = run_conv(&b, s, add);
    compare(&b, s, out, add, isa);
    tsm_unref(&out->head);
  }
  if (add) tsm_unref(&add->head);
  drop_conv(&b);
  bench_end(&b);
}

static setting random_setting(void) {
  setting s = {.images = ONE_OF(0, 1, 1, 2, 3), .channels = ONE_OF(1, 2, 3, 4, 8, 16, 17, 20, 33), .groups = 1};
  s.filters = ONE_OF(1, 2, 6, 16, 17, 32, 40);
  if (pick(4) == 0) s.groups = s.channels;
  else if (pick(4) == 0 && s.channels % 2 == 0) s.groups = 2;
  if (s.groups > 1) s.filters = s.groups * ONE_OF(1, 1, 2, 3);
  for (int d = 0; d < 2; d++) {
    s.kernel[d] = ONE_OF(1, 2, 3, 3, 5);
    s.stride[d] = ONE_OF(1, 1, 2, 3);
    s.padding[d] = ONE_OF(0, 1, 2);
    s.dilation[d] = ONE_OF(1, 1, 1, 2);
    s.size[d] = (s.kernel[d] - 1) * s.dilation[d] + 1 + ONE_OF(0, 1, 4, 9, 12);
  }
  if (pick(4) == 0)
    for (int d = 0; d < 2; d++) s.kernel[d] = s.stride[d] = s.dilation[d] = 1;
  s.in_layout = (int)pick(LAYOUTS);
  s.out_layout = (int)pick(LAYOUTS);
  s.has_bias = pick(2);
  s.is_kept = pick(2);
  s.adds = pick(3) == 0;
  s.clamps = pick(3) == 0;
  s.finishes = pick(3) == 0;
  return s;
}

/* Sizes that go to both of Winograd's algorithms, with tiles that the edge cuts. */
static setting winograd_setting(int which) {
  static const int64_t sizes[][4] = {
      {1, 14, 14, 32}, {1, 27, 29, 48}, {3, 15, 17, 32}, {1, 13, 15, 64}, {2, 30, 25, 32}};
  const int64_t *size = sizes[which];
  setting s = {size[0], size[3], 32 + 16 * (which % 3), 1, {size[1], size[2]}, {3, 3}, {1, 1}, {which % 3, 1}, {1, 1},
               which % LAYOUTS, (which + 1) % LAYOUTS, which % 2 == 0, true, which == 2, which > 2, which == 3};
  return s;
}

/* Few filters of planes: rows of less and more than some vectors. */
static setting planes_setting(int which) {
  static const int64_t widths[] = {9, 28, 32, 33, 70};
  setting s = {1 + which % 2, 1 + which, 1 + which % 6, 1, {7, widths[which]}, {3, 2 + which % 4}, {1 + which % 2, 1},
               {which % 2, which % 3}, {1, 1 + which % 2}, ROW_MAJOR, which % LAYOUTS, which != 2, which == 3,
               which == 1, which > 2, which == 4};
  return s;
}

static void test_values(const char *isa) {
  state = 7;
  for (int i = 0; i < 150; i++) {
    setting s = random_setting();
    check_setting(&s, isa);
  }
  for (int i = 0; i < 5; i++) {
    setting s = winograd_setting(i), planes = planes_setting(i);
    check_setting(&s, isa);
    check_setting(&planes, isa);
  }
}

/* NaN and Inf reach the results whose window has them, and no others. */
static void test_not_finite(const char *isa) {
  for (int which = 0; which < 3; which++) {
    setting s = which < 2 ? winograd_setting(which) : planes_setting(4);
    bench b;
    bench_start(&b, isa, 1, false);
    put_conv(&b, &s);
    *at(b.slots[0].tensor, 0, 3, 5, 6) = NAN;
    *at(b.slots[0].tensor, 0, 4, s.size[0] - 1, 2) = -INFINITY;
    tsm_tensor *out = run_conv(&b, &s, NULL);
    compare(&b, &s, out, NULL, isa);
    tsm_unref(&out->head);
    drop_conv(&b);
    bench_end(&b);
  }
}

static void test_threads(const char *isa) {
  for (int which = 0; which < 6; which++) {
    float *first = NULL;
    int64_t count = 0;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
      setting s = winograd_setting(which % 5);
      bench b;
      bench_start(&b, isa, threads, which == 5);
      state = 5;
      put_conv(&b, &s);
      s.out_layout = ROW_MAJOR;
      s.adds = false;
      tsm_tensor *out = run_conv(&b, &s, NULL);
      size_t bytes = (size_t)out->numel * sizeof *first;
      if (!first) {
        first = malloc(bytes);
        if (!first) exit(1);
        count = out->numel;
        memcpy(first, out->storage->data, bytes);
      } else {
        CHECK(count == out->numel && !memcmp(first, out->storage->data, bytes));
      }
      tsm_unref(&out->head);
      drop_conv(&b);
      bench_end(&b);
    }
    free(first);
  }
}

/* Winograd's largest error is at most four times that of the sums. */
static void test_accuracy(const char *isa) {
  for (int which = 0; which < 2; which++) {
    double worst[2] = {0, 0};
    for (int direct = 0; direct < 2; direct++) {
      setting s = winograd_setting(which);
      s.has_bias = false;
      s.channels = 128;
      s.in_layout = s.out_layout = CHANNELS_LAST;
      bench b;
      bench_start(&b, isa, 1, direct);
      state = 11;
      put_conv(&b, &s);
      tsm_tensor *out = run_conv(&b, &s, NULL);
      EACH(out, n, k, y, x) {
        double size, error = fabs(sum_at(&b, &s, n, k, y, x, &size) - (double)*at(out, n, k, y, x));
        if (error > worst[direct]) worst[direct] = error;
      }
      tsm_unref(&out->head);
      drop_conv(&b);
      bench_end(&b);
    }
    CHECK(worst[0] > 0 && worst[1] > 0 && worst[0] <= 4 * worst[1]);
    CHECK(worst[0] != worst[1] || !strcmp(isa, "base")); /* which may have the sums only */
  }
}

/* ---- Other operators on channels-last images */

static tsm_tensor *run_free(bench *b, const char *name, uint16_t args) {
  tsm_opcall call = {b->ctx, b->slots, b->site, NULL};
  b->site->op = tsm_op_find(b->rt->ops, name, "");
  b->site->arg_count = args;
  b->site->result_count = 1;
  b->site->free_layout = true;
  b->slots[args].ref = NULL;
  CHECK(tsm_op_run(&call) == TSM_OK);
  return b->slots[args].tensor;
}

static tsm_tensor *run_images(bench *b, int which, tsm_tensor *in) {
  static const int64_t three[2] = {3, 3}, two[2] = {2, 2}, one[2] = {1, 1}, five[2] = {5, 2}, none[1];
  memset(b->slots, 0, sizeof b->slots);
  b->slots[0].tensor = in;
  switch (which) {
    case 0: case 1:
      put_list(b, 0, 1, three, 2);
      put_list(b, 1, 2, which ? none : two, which ? 0 : 2);
      put_list(b, 2, 3, one, 2);
      b->slots[4].ref = b->slots[3].ref;
      b->slots[5].i = which;
      return run_free(b, "max_pool2d", 6);
    case 2: case 3:
      put_list(b, 0, 1, three, 2);
      put_list(b, 1, 2, two, 2);
      put_list(b, 2, 3, one, 2);
      b->slots[4].i = 1;
      b->slots[5].i = which == 2;
      return run_free(b, "avg_pool2d", 6);
    case 4:
      put_list(b, 0, 1, five, 2);
      return run_free(b, "adaptive_avg_pool2d", 2);
    default: return run_free(b, "relu", 1);
  }
}

static void compare_images(const tsm_tensor *a, const tsm_tensor *b) {
  CHECK(a->rank == 4 && b->rank == 4 && !memcmp(tsm_shape(a), tsm_shape(b), 4 * sizeof(int64_t)));
  EACH(a, n, c, y, x) {
    float p = *at(a, n, c, y, x), q = *at(b, n, c, y, x);
    if (isnan(p) ? isnan(q) : fabsf(p - q) <= 1e-6f * (1 + fabsf(q))) continue;
    const bool is_same_in_both_layouts = false;
    CHECK(is_same_in_both_layouts);
    return;
  }
}

static void test_images(const char *isa) {
  static const int64_t shapes[][4] = {{2, 37, 9, 11}, {1, 6, 14, 14}, {3, 64, 7, 5}, {1, 3, 8, 8}};
  for (int which = 0; which < 6; which++)
    for (int i = 0; i < 4; i++) {
      bench b;
      bench_start(&b, isa, 2, false);
      tsm_tensor *plain = make_image(b.ctx, 4, shapes[i], ROW_MAJOR);
      tsm_tensor *turned = make_image(b.ctx, 4, shapes[i], CHANNELS_LAST);
      fill(plain);
      if (i == 0) *at(plain, 1, 5, 4, 4) = NAN;
      EACH(plain, n, c, y, x) *at(turned, n, c, y, x) = *at(plain, n, c, y, x);
      tsm_tensor *want = run_images(&b, which, plain), *got = run_images(&b, which, turned);
      CHECK(want->is_contiguous && tsm_is_channels_last(got));
      compare_images(want, got);
      tsm_unref(&want->head);
      tsm_unref(&got->head);
      tsm_unref(&plain->head);
      tsm_unref(&turned->head);
      bench_end(&b);
    }
}

int main(void) {
  static const char *const isas[] = {"base", "avx2", "avx512"};
  for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
    tsm_isa found;
    if (!tsm_isa_find(isas[i], &found)) continue;
    test_values(isas[i]);
    test_not_finite(isas[i]);
    test_threads(isas[i]);
    test_accuracy(isas[i]);
    test_images(isas[i]);
  }
  return check_done();
}
