/* Chains of convolutions in bands of rows against the same convolutions one by one, bit for bit: random geometry,
 * layouts of input, result and what is added, every instruction set, several numbers of threads; fuel; no memory. */
#include <math.h>

#include "../../runtime_c/src/base/base.h"
#include "../../runtime_c/src/kernels/conv_chain.h"
#include "../../runtime_c/src/tensor/order.h"
#include "convolutions.h"
#include "host.h"

enum { ARGS = 8, LINKS = TSM_CHAIN_LINKS };

typedef struct setting {
  bool has_expand, has_project, has_bias, adds, clamps, is_odd; /* is_odd: NaN, Inf and -0 among the numbers */
  int64_t images, inputs, channels, filters, size[2], kernel[2], stride[2], padding[2], dilation[2];
  int in_layout, out_layout, add_layout;
} setting;

/* One call: its arguments on a frame. */
typedef struct one {
  tsm_opcall call;
  tsm_list lists[3];
  int64_t items[3][2];
  tsm_slot slots[ARGS];
} one;

typedef struct bench {
  tsm_runtime *rt;
  tsm_context *ctx;
  tsm_site *site;
  one calls[LINKS];
  tsm_conv_link links[LINKS];
  size_t count;
  tsm_tensor *add;
} bench;

static void bench_start(bench *b, const char *isa, uint32_t threads) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  tsm_error error;
  memset(b, 0, sizeof *b);
  options.isa = isa;
  options.threads = threads;
  options.memory_cap = 1 << 28;
  b->rt = tsm_runtime_new(&options, &error);
  b->ctx = b->rt ? tsm_context_new(b->rt, &error) : NULL;
  b->site = calloc(1, sizeof *b->site + ARGS * sizeof *b->site->regs);
  if (!b->ctx || !b->site) exit(1);
  b->site->op = tsm_op_find(b->rt->ops, "conv2d", "");
  b->site->arg_count = 7;
  b->site->result_count = 1;
  for (uint16_t i = 0; i < ARGS; i++) b->site->regs[i] = i;
}

static void bench_end(bench *b) {
  free(b->site);
  tsm_context_free(b->ctx);
  tsm_runtime_free(b->rt);
}

static float draw(bool is_odd) {
  if (is_odd && !pick(400)) return pick(2) ? INFINITY : pick(2) ? NAN : -0.0f;
  return (float)pick(2001) / 1000.0f - 1;
}

static void fill(const tsm_tensor *t, bool is_odd) {
  const int64_t *n = tsm_shape(t), *s = tsm_strides(t);
  int64_t size[4] = {1, 1, 1, 1}, step[4] = {0, 0, 0, 0};
  for (size_t d = 0; d < t->rank; d++) size[d] = n[d], step[d] = s[d];
  float *data = (float *)(void *)t->storage->data + t->offset;
  for (int64_t i = 0; i < size[0]; i++)
    for (int64_t c = 0; c < size[1]; c++)
      for (int64_t y = 0; y < size[2]; y++)
        for (int64_t x = 0; x < size[3]; x++)
          data[i * step[0] + c * step[1] + y * step[2] + x * step[3]] = draw(is_odd);
}

static void put_list(one *c, int which, const int64_t *pair) {
  tsm_list *list = &c->lists[which];
  memcpy(c->items[which], pair, sizeof c->items[which]);
  atomic_init(&list->head.refs, TSM_IMMORTAL);
  list->head.kind = TSM_LIST;
  list->head.layout = TSM_L_I64;
  list->length = list->capacity = 2;
  list->as.i64 = c->items[which];
  c->slots[3 + which].ref = &list->head;
}

static void put_call(bench *b, const setting *s, bool is_middle, int64_t filters, int64_t channels) {
  static const int64_t ones[2] = {1, 1}, zeros[2] = {0, 0};
  one *c = &b->calls[b->count];
  int64_t weight[4] = {filters, channels, is_middle ? s->kernel[0] : 1, is_middle ? s->kernel[1] : 1};
  memset(c, 0, sizeof *c);
  c->call = (tsm_opcall){b->ctx, c->slots, b->site, NULL};
  c->slots[1].tensor = make_image(b->ctx, 4, weight, ROW_MAJOR);
  fill(c->slots[1].tensor, s->is_odd && is_middle);
  if (s->has_bias) fill(c->slots[2].tensor = make_image(b->ctx, 1, &filters, ROW_MAJOR), false);
  put_list(c, 0, is_middle ? s->stride : ones);
  put_list(c, 1, is_middle ? s->padding : zeros);
  put_list(c, 2, is_middle ? s->dilation : ones);
  c->slots[6].i = is_middle ? filters : 1;
  tsm_conv_link *link = &b->links[b->count++];
  memset(link, 0, sizeof *link);
  link->call = &c->call;
  link->after.clamps = s->clamps;
  link->after.low = pick(2) ? 0 : -0.5f;
  link->after.high = pick(2) ? INFINITY : 0.75f;
}

static void put_chain(bench *b, const setting *s) {
  int64_t in[4] = {s->images, s->has_expand ? s->inputs : s->channels, s->size[0], s->size[1]};
  b->count = 0;
  b->add = NULL;
  if (s->has_expand) put_call(b, s, false, s->channels, s->inputs);
  put_call(b, s, true, s->channels, 1);
  if (s->has_project) put_call(b, s, false, s->filters, s->channels);
  b->calls[0].slots[0].tensor = make_image(b->ctx, 4, in, s->in_layout);
  fill(b->calls[0].slots[0].tensor, s->is_odd);
}

static void drop_chain(bench *b) {
  for (size_t i = 0; i < b->count; i++)
    for (int k = 0; k < 3; k++)
      if (b->calls[i].slots[k].tensor) tsm_unref(&b->calls[i].slots[k].tensor->head);
  if (b->add) tsm_unref(&b->add->head);
}

/* One by one, each into a tensor of its own; these become the inputs of the next calls. */
static tsm_tensor *run_singly(bench *b, const setting *s, tsm_meta *meta) {
  tsm_tensor *made = NULL;
  for (size_t i = 0; i < b->count; i++) {
    if (i) b->calls[i].slots[0].tensor = made;
    if (b->site->op->infer(&b->calls[i].call, meta)) return NULL;
    bool is_last = i + 1 == b->count;
    made = make_image(b->ctx, 4, meta->shape, is_last ? s->out_layout : CHANNELS_LAST);
    if (is_last && s->adds) {
      b->add = make_image(b->ctx, 4, meta->shape, s->add_layout);
      fill(b->add, s->is_odd);
      b->links[i].after.add = b->add;
    }
    if (!tsm_conv_can_fuse(&b->calls[i].call, 2)) exit(1);
    if (tsm_conv_run(&b->calls[i].call, 2, made, &b->links[i].after)) exit(1);
  }
  return made;
}

static bool has_same_bits(const tsm_tensor *a, const tsm_tensor *b) {
  const int64_t *n = tsm_shape(a), *p = tsm_strides(a), *q = tsm_strides(b);
  const float *x = tsm_tensor_read(a), *y = tsm_tensor_read(b);
  for (int64_t i = 0; i < n[0]; i++)
    for (int64_t c = 0; c < n[1]; c++)
      for (int64_t r = 0; r < n[2]; r++)
        for (int64_t k = 0; k < n[3]; k++) {
          const float *u = x + i * p[0] + c * p[1] + r * p[2] + k * p[3];
          const float *v = y + i * q[0] + c * q[1] + r * q[2] + k * q[3];
          if (memcmp(u, v, sizeof *u) && !(isnan(*u) && isnan(*v))) return false;
        }
  return true;
}

static setting draw_setting(void) {
  setting s = {.has_expand = pick(4), .has_project = pick(4), .has_bias = pick(2), .adds = pick(2), .clamps = pick(2)};
  if (!s.has_expand) s.has_project = true;
  s.is_odd = !pick(5);
  s.images = ONE_OF(1, 1, 2, 3);
  s.inputs = ONE_OF(1, 3, 8, 17, 32);
  s.channels = ONE_OF(2, 7, 16, 24, 33, 64, 96, 100);
  s.filters = ONE_OF(1, 5, 16, 24, 40);
  s.size[0] = ONE_OF(1, 2, 5, 9, 16, 31, 40);
  s.size[1] = ONE_OF(1, 2, 7, 8, 14, 29, 56, 130);
  for (int k = 0; k < 2; k++) {
    s.kernel[k] = ONE_OF(3, 3, 3, 5, 1, 2);
    s.stride[k] = ONE_OF(1, 1, 2, 3);
    s.padding[k] = ONE_OF(0, 1, 1, 2, 4);
    s.dilation[k] = ONE_OF(1, 1, 1, 2);
  }
  s.in_layout = (int)pick(LAYOUTS);
  s.out_layout = (int)pick(LAYOUTS);
  s.add_layout = (int)pick(LAYOUTS);
  return s;
}

/* Whether the chain was taken. */
static bool check_one(bench *b, const setting *s) {
  tsm_meta meta;
  put_chain(b, s);
  tsm_tensor *want = run_singly(b, s, &meta), *got = NULL;
  if (want) {
    got = tsm_conv_chain_run(b->links, b->count, &meta, s->out_layout == CHANNELS_LAST);
    CHECK(b->ctx->status == TSM_OK);
    CHECK(!got || has_same_bits(want, got));
    tsm_unref(&want->head);
  }
  tsm_context_clear(b->ctx);
  drop_chain(b);
  if (got) tsm_unref(&got->head);
  return got != NULL;
}

static void check_many(const char *isa, uint32_t threads, int count) {
  tsm_isa found;
  if (!tsm_isa_find(isa, &found)) return;
  bench b;
  int taken = 0;
  bench_start(&b, isa, threads);
  for (int i = 0; i < count; i++) {
    setting s = draw_setting();
    taken += check_one(&b, &s);
  }
  CHECK(taken > count / 20);
  bench_end(&b);
}

static const setting block = {true, true, true, true, true, false, 2, 32, 96, 32, {24, 24}, {3, 3}, {1, 1}, {1, 1},
                              {1, 1}, ROW_MAJOR, ROW_MAJOR, ROW_MAJOR};

/* The intermediates do not exist in full: 2 x 96 x 24 x 24 floats each. */
static void check_memory(void) {
  bench b;
  tsm_meta meta;
  bench_start(&b, NULL, 1);
  put_chain(&b, &block);
  tsm_tensor *want = run_singly(&b, &block, &meta);
  for (size_t i = 1; i < b.count; i++) { /* the chain reads their shapes only */
    tsm_tensor *t = b.calls[i].slots[0].tensor;
    b.calls[i].slots[0].tensor = tsm_tensor_shape_only(b.rt, &(tsm_meta){TSM_F32, 4, {2, 96, 24, 24}});
    tsm_unref(&t->head);
  }
  uint64_t before = tsm_runtime_memory(b.rt);
  atomic_store(&b.rt->memory_peak, before);
  tsm_tensor *got = tsm_conv_chain_run(b.links, b.count, &meta, false);
  CHECK(want && got && has_same_bits(want, got));
  CHECK(tsm_runtime_memory_peak(b.rt) - before < 2 * 96 * 24 * 24 * sizeof(float));
  if (got) tsm_unref(&got->head);
  b.rt->memory_cap = tsm_runtime_memory(b.rt) + (1 << 18); /* room for the result only */
  CHECK(!tsm_conv_chain_run(b.links, b.count, &meta, false) && b.ctx->status == TSM_ERR_MEMORY);
  b.rt->memory_cap = 0;
  tsm_context_clear(b.ctx);
  atomic_store(&b.ctx->cancelled, true);
  CHECK(!tsm_conv_chain_run(b.links, b.count, &meta, false) && b.ctx->status == TSM_ERR_CANCELLED);
  tsm_context_clear(b.ctx);
  if (want) tsm_unref(&want->head);
  drop_chain(&b);
  bench_end(&b);
}

/* What is no chain is left alone: other groups, a window in the last one, an addition in the middle. */
static void check_refusals(void) {
  bench b;
  tsm_meta meta;
  bench_start(&b, NULL, 1);
  put_chain(&b, &block);
  tsm_tensor *want = run_singly(&b, &block, &meta);
  b.calls[2].items[1][0] = 1; /* padding */
  CHECK(!tsm_conv_chain_run(b.links, b.count, &meta, false) && b.ctx->status == TSM_OK);
  b.calls[2].items[1][0] = 0;
  b.links[1].after.add = b.add;
  CHECK(!tsm_conv_chain_run(b.links, b.count, &meta, false) && b.ctx->status == TSM_OK);
  b.links[1].after.add = NULL;
  CHECK(!tsm_conv_chain_run(b.links, 1, &meta, false) && b.ctx->status == TSM_OK);
  CHECK(!tsm_conv_chain_run(b.links + 2, 1, &meta, false) && b.ctx->status == TSM_OK);
  if (want) tsm_unref(&want->head);
  drop_chain(&b);
  bench_end(&b);
}

int main(void) {
  static const char *const isas[] = {"base", "avx2", "avx512"};
  for (int i = 0; i < 3; i++)
    for (uint32_t threads = 1; threads <= 3; threads++) check_many(isas[i], threads, threads == 1 ? 600 : 300);
  check_memory();
  check_refusals();
  return check_done();
}
