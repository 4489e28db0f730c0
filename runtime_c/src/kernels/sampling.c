/* sampling.c - random tensors: rand randn randint bernoulli dropout normal_ uniform_ exponential_.
 * In: chunks of a stream (sampling.h). Out: elements in row-major order, one word of 32 bits or one draw of 64 each.
 * Holds: the same seed gives the same elements on every platform. */
#include "sampling.h"

#include "pointwise.h"

enum { BUFFER_CHUNKS = 8, BUFFER_BYTES = BUFFER_CHUNKS * TSM_CHUNK_DRAWS * 8 };

static tsm_status take(tsm_opcall *c, int generator, uint64_t chunks, tsm_chunks *out) {
  const tsm_tensor *state = generator < 0 ? NULL : tsm_arg_tensor(c, (size_t)generator);
  if (!state) {
    *out = tsm_random_take(&c->ctx->streams->tensors, chunks);
    return TSM_OK;
  }
  if (state->dtype != TSM_I64 || state->rank != 1 || tsm_shape(state)[0] != 2 || tsm_strides(state)[0] != 1)
    return tsm_raise(c->ctx, "RuntimeError", "the generator must be an int64 tensor of two elements");
  if (!tsm_tensor_writable(c->ctx, tsm_arg_tensor(c, (size_t)generator))) return c->ctx->status;
  *out = tsm_random_take_from(&c->ctx->rt->streams.tensors, (uint64_t *)(void *)state->storage->data + state->offset, chunks);
  return TSM_OK;
}

static uint64_t chunks_for(uint64_t count, uint64_t each) { return count / each + (count % each != 0); }

tsm_status tsm_take_words(tsm_opcall *c, int generator, uint64_t count, tsm_chunks *out_chunks) {
  return take(c, generator, chunks_for(count, TSM_CHUNK_WORDS), out_chunks);
}
tsm_status tsm_take_draws(tsm_opcall *c, int generator, uint64_t count, tsm_chunks *out_chunks) {
  return take(c, generator, chunks_for(count, TSM_CHUNK_DRAWS), out_chunks);
}

/* Samples of a kernel's elements in their order, made a buffer at a time. */
typedef struct sampler sampler;
typedef void (*make_fn)(sampler *s, size_t chunks);
struct sampler {
  const tsm_sampling_set *set;
  tsm_chunks chunks;
  make_fn make;          /* bits -> values; NULL: the words are the values */
  uint64_t left;         /* samples not made yet */
  size_t have, used;     /* of those in the buffer */
  size_t in_chunk, item; /* samples a chunk, bytes of a sample */
  uint8_t dtype;
  double a, b;
  int64_t low;
  uint64_t span;
  bool failed;
  uint64_t weight;       /* of a sample, in elements of a plain kernel, besides the one it is charged anyway */
  uint64_t bits[BUFFER_BYTES / 8], values[BUFFER_BYTES / 4]; /* a word may give an integer of 64 bits */
};

/* Words are the halves of draws, the low one first, which on a big-endian machine lies behind the other. */
void tsm_sampling_words(const tsm_sampling_set *set, uint64_t key, uint64_t first, uint64_t *out, size_t count) {
  set->bits(key, first, out, count);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (size_t i = 0; i < count * TSM_CHUNK_DRAWS; i++) out[i] = out[i] >> 32 | out[i] << 32;
#endif
}

static void draws(const tsm_sampling_set *set, uint64_t key, uint64_t first, uint64_t *out, size_t count) {
  set->bits(key, first, out, count);
}

static void refill(sampler *s) {
  uint64_t chunks = chunks_for(s->left, s->in_chunk);
  if (chunks > BUFFER_CHUNKS) chunks = BUFFER_CHUNKS;
  s->have = (size_t)chunks * s->in_chunk;
  if (s->have > s->left) s->have = (size_t)s->left;
  s->left -= s->have;
  s->used = 0;
  (s->in_chunk == TSM_CHUNK_WORDS ? tsm_sampling_words : draws)(s->set, s->chunks.key, s->chunks.first, s->bits, (size_t)chunks);
  if (s->make) s->make(s, (size_t)chunks);
  s->chunks.first += chunks;
}

/* How many of the next n samples are at hand, at least 1; they begin at `used`. */
static int64_t at_hand(sampler *s, int64_t n) {
  if (s->used == s->have) refill(s);
  return n < (int64_t)(s->have - s->used) ? n : (int64_t)(s->have - s->used);
}

static void make_uniform(sampler *s, size_t chunks) {
  const void *bits = s->bits;
  if (s->dtype == TSM_F32) s->set->uniform_f32(bits, (float *)(void *)s->values, chunks, (float)s->a, (float)(s->b - s->a));
  else s->set->uniform_f64(bits, (double *)(void *)s->values, chunks, s->a, s->b - s->a);
}

static void make_normal(sampler *s, size_t chunks) {
  const void *bits = s->bits;
  if (s->dtype == TSM_F32) s->set->normal_f32(bits, (float *)(void *)s->values, chunks, (float)s->a, (float)s->b);
  else s->set->normal_f64(bits, (double *)(void *)s->values, chunks, s->a, s->b);
}

static void make_exponential(sampler *s, size_t chunks) {
  double *values = (double *)(void *)s->values;
  s->set->exponential(s->bits, values, chunks, 1 / s->a);
  float *narrow = (float *)(void *)s->values;
  if (s->dtype == TSM_F32) for (size_t i = 0; i < chunks * TSM_CHUNK_DRAWS; i++) {
    float value = (float)values[i];
    memcpy(narrow + i, &value, sizeof value);
  }
}

static void make_integers(sampler *s, size_t chunks) {
  const uint32_t *words = (const uint32_t *)(const void *)s->bits;
  const bool is_narrow = s->in_chunk == TSM_CHUNK_WORDS;
  (void)chunks;
  for (size_t i = 0; i < s->have; i++) {
    s->values[i] = (uint64_t)s->low + (is_narrow ? tsm_below_of_word(s->chunks, i, words[i], s->span)
                                                 : tsm_random_below(s->chunks, i, s->span));
  }
}

/* Copies n elements that lie step bytes apart to others. */
static void copy_strided(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t n, size_t item) {
  if (item == 4) for (int64_t i = 0; i < n; i++) memcpy(to + i * to_step, from + i * from_step, 4);
  else for (int64_t i = 0; i < n; i++) memcpy(to + i * to_step, from + i * from_step, 8);
}

static tsm_status copy_row(void *user, char *const *p, const int64_t *step, int64_t n) {
  sampler *s = user;
  for (int64_t i = 0, k; i < n; i += k, s->used += (size_t)k) {
    k = at_hand(s, n - i);
    const char *values = (const char *)s->values + s->used * s->item;
    char *to = p[0] + i * step[0];
    if (step[0] == (int64_t)s->item) memcpy(to, values, (size_t)k * s->item);
    else copy_strided(to, step[0], values, (int64_t)s->item, k, s->item);
  }
  return TSM_OK;
}

/* The same for integers, which have 64 bits until they are stored. */
static tsm_status integer_row(void *user, char *const *p, const int64_t *step, int64_t n) {
  sampler *s = user;
  for (int64_t i = 0, k; i < n; i += k, s->used += (size_t)k) {
    k = at_hand(s, n - i);
    for (int64_t j = 0; j < k; j++) {
      tsm_pair value;
      value.tag = TSM_INT;
      value.as.bits = s->values[s->used + (size_t)j];
      tsm_element_store(s->dtype, p[0] + (i + j) * step[0], value);
    }
  }
  return TSM_OK;
}

static double load(const sampler *s, const void *element) {
  return s->dtype == TSM_F32 ? (double)*(const float *)element : *(const double *)element;
}

/* 1 where the word, as a fraction, is below the probability. */
static tsm_status bernoulli_row(void *user, char *const *p, const int64_t *step, int64_t n) {
  sampler *s = user;
  for (int64_t i = 0, k; i < n; i += k, s->used += (size_t)k) {
    k = at_hand(s, n - i);
    const uint32_t *words = (const uint32_t *)(const void *)s->bits + s->used;
    for (int64_t j = i; j < i + k; j++) {
      double probability = load(s, p[1] + j * step[1]);
      if (!(probability >= 0 && probability <= 1)) s->failed = true;
      bool is_one = words[j - i] * 0x1p-32 < probability;
      if (s->dtype == TSM_F32) *(float *)(void *)(p[0] + j * step[0]) = is_one;
      else *(double *)(void *)(p[0] + j * step[0]) = is_one;
    }
  }
  return TSM_OK;
}

static tsm_status dropout_row(void *user, char *const *p, const int64_t *step, int64_t n) {
  sampler *s = user;
  const int64_t item = (int64_t)s->item;
  const bool is_dense = step[0] == item && step[1] == item;
  for (int64_t i = 0, k; i < n; i += k, s->used += (size_t)k) {
    k = at_hand(s, n - i);
    const uint32_t *words = (const uint32_t *)(const void *)s->bits + s->used;
    char *to = p[0] + i * step[0], *from = p[1] + i * step[1], *room = (char *)s->values;
    if (!is_dense) copy_strided(room, item, from, step[1], k, s->item);
    void *out = is_dense ? to : room, *in = is_dense ? from : room;
    if (s->dtype == TSM_F32) s->set->keep_f32(words, in, out, (size_t)k, (uint32_t)s->span, (float)s->b);
    else s->set->keep_f64(words, in, out, (size_t)k, (uint32_t)s->span, s->b);
    if (!is_dense) copy_strided(to, step[0], room, item, k, s->item);
  }
  return TSM_OK;
}

static void begin(sampler *s, const tsm_opcall *c, const tsm_tensor *out, make_fn make) {
  memset(s, 0, offsetof(sampler, bits));
  s->set = tsm_sampling_of(c->ctx->rt->isa);
  s->make = make;
  s->left = (uint64_t)out->numel;
  s->weight = make == make_normal || make == make_exponential ? 7 : 3;
  s->dtype = out->dtype;
  s->item = tsm_item_size(out->dtype);
  s->in_chunk = out->dtype == TSM_F32 ? TSM_CHUNK_WORDS : TSM_CHUNK_DRAWS;
}

static tsm_status sample(tsm_opcall *c, int generator, sampler *s, const tsm_tensor *out, const tsm_tensor *in, tsm_row_fn row) {
  tsm_iter it;
  if (!s->left) return TSM_OK;
  tsm_status status = take(c, generator, chunks_for(s->left, s->in_chunk), &s->chunks);
  if (status || (status = tsm_charge_elements(c->ctx, (int64_t)(s->weight * s->left)))) return status;
  tsm_iter_init(&it, out->rank, tsm_shape(out));
  tsm_iter_add_tensor(&it, out);
  if (in) tsm_iter_add_tensor(&it, in);
  return tsm_iter_run(c->ctx, &it, row, s);
}

static tsm_status sample_floats(tsm_opcall *c, int generator, const tsm_tensor *out, make_fn make, double a, double b) {
  sampler s;
  begin(&s, c, out, make);
  s.a = a;
  s.b = b;
  if (make == make_exponential) s.in_chunk = TSM_CHUNK_DRAWS;
  return sample(c, generator, &s, out, NULL, copy_row);
}

tsm_status tsm_k_manual_seed(tsm_opcall *c) {
  tsm_random_seed(&c->ctx->streams->tensors, (uint64_t)tsm_arg_int(c, 0));
  return TSM_OK;
}

static tsm_status factory(tsm_opcall *c, make_fn make, double a, double b) {
  return sample_floats(c, tsm_param_find(c, "generator"), tsm_result_tensor(c, 0), make, a, b);
}
tsm_status tsm_k_rand(tsm_opcall *c) { return factory(c, make_uniform, 0, 1); }
tsm_status tsm_k_randn(tsm_opcall *c) { return factory(c, make_normal, 0, 1); }

tsm_status tsm_k_randint(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  sampler s;
  begin(&s, c, out, make_integers);
  s.low = tsm_arg_int(c, 0);
  s.span = (uint64_t)tsm_arg_int(c, 1) - (uint64_t)s.low;
  s.in_chunk = s.span <= (uint64_t)1 << 32 ? TSM_CHUNK_WORDS : TSM_CHUNK_DRAWS;
  s.weight = s.span <= (uint64_t)1 << 32 ? 4 : 24;
  return sample(c, 4, &s, out, NULL, out->dtype == TSM_I64 ? copy_row : integer_row);
}

static tsm_status fill_inplace(tsm_opcall *c, int generator, make_fn make, double a, double b) {
  tsm_tensor *self = tsm_arg_tensor(c, 0);
  if (!tsm_dtype_is_float(self->dtype)) return tsm_raise_not_implemented(c, self->dtype);
  tsm_status status = tsm_inplace_prepare(c, 1, 0, self->dtype);
  if (!status) status = sample_floats(c, generator, self, make, a, b);
  return status ? status : tsm_return_self(c);
}

tsm_status tsm_k_normal_(tsm_opcall *c) {
  if (!(tsm_arg_float(c, 2) >= 0)) return tsm_raise(c->ctx, "RuntimeError", "normal_: std must not be negative");
  return fill_inplace(c, 3, make_normal, tsm_arg_float(c, 1), tsm_arg_float(c, 2));
}

tsm_status tsm_k_uniform_(tsm_opcall *c) {
  if (!(tsm_arg_float(c, 1) <= tsm_arg_float(c, 2)))
    return tsm_raise(c->ctx, "RuntimeError", "uniform_: the lower end of the range must not be above the upper one");
  return fill_inplace(c, 3, make_uniform, tsm_arg_float(c, 1), tsm_arg_float(c, 2));
}

tsm_status tsm_k_exponential_(tsm_opcall *c) {
  double rate = tsm_arg_float(c, 1);
  const unsigned dtype = tsm_arg_tensor(c, 0)->dtype;
  if (!tsm_dtype_is_float(dtype))
    return tsm_raise(c->ctx, "RuntimeError", "exponential_: the distribution is continuous, and %s is not a float type",
                     tsm_dtype_torch_name(dtype));
  if (!(rate > 0)) 
    return tsm_raise(c->ctx, "RuntimeError", "exponential_ expects lambda > 0.0, but found lambda=%g", rate);
  return fill_inplace(c, 2, make_exponential, rate, 0);
}

tsm_status tsm_k_bernoulli(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  sampler s;
  begin(&s, c, out, NULL);
  s.in_chunk = TSM_CHUNK_WORDS;
  tsm_status status = sample(c, 1, &s, out, tsm_arg_tensor(c, 0), bernoulli_row);
  if (status || !s.failed) return status;
  return tsm_raise(c->ctx, "RuntimeError", "bernoulli: probabilities must lie in [0, 1]");
}

tsm_status tsm_k_dropout(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  double p = tsm_arg_float(c, 1);
  if (!tsm_arg_bool(c, 2) || p == 0) return tsm_tensor_copy_into(c->ctx, tsm_result_tensor(c, 0), tsm_arg_tensor(c, 0));
  sampler s;
  begin(&s, c, out, NULL);
  s.in_chunk = TSM_CHUNK_WORDS;
  s.b = p < 1 ? 1 / (1 - p) : 0;
  s.span = p < 1 ? (uint64_t)(p * 0x1p32) : UINT32_MAX;
  return sample(c, -1, &s, out, tsm_arg_tensor(c, 0), dropout_row);
}
