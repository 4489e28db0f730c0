/* sort.c - sort, argsort, topk, kthvalue along a dimension.
 * In: a tensor. Out: elements in order, and where they were.
 * Holds: equal elements keep their order, -0 equals 0, NaN is larger than all; an element is compared by a key of 64 bits
 * whose order as an unsigned number is the wanted one. */
#include "arguments.h"
#include "kernels.h"

typedef struct entry { uint64_t key; int64_t index; } entry;

typedef struct sorting {
  tsm_context *ctx;
  const tsm_tensor *self, *values, *indices; /* values: NULL if not wanted */
  size_t dim;
  int64_t extent, kept; /* of results */
  int64_t rank;         /* not 0: only the element of this rank is wanted, counted from 1 */
  bool is_descending;
} sorting;

/* Ordered bits of 64: floats by their sign and size, with -0 as 0 and every NaN above all. */
static uint64_t key_of_float(uint64_t bits, unsigned width) {
  const uint64_t sign = UINT64_C(1) << (width - 1), all = sign | (sign - 1);
  const uint64_t infinity = width == 64 ? UINT64_C(0x7ff) << 52 : UINT64_C(0xff) << 23;
  if (bits == sign) bits = 0;
  if ((bits & ~sign) > infinity) return all;
  return bits & sign ? ~bits & all : bits | sign;
}

#define FILL(type, key)                                                                          \
  for (int64_t i = from; i < to; i++) {                                                            \
    type x;                                                                                      \
    memcpy(&x, line + i * step, sizeof x);                                                       \
    entries[i] = (entry){s->is_descending ? ~(uint64_t)(key) : (uint64_t)(key), i};              \
  }                                                                                              \
  break

static void fill_keys(const sorting *s, const char *line, int64_t step, entry *entries, int64_t from, int64_t to) {
  switch (s->self->dtype) {
    case TSM_F32: FILL(uint32_t, key_of_float(x, 32));
    case TSM_F64: FILL(uint64_t, key_of_float(x, 64));
    case TSM_I64: FILL(int64_t, (uint64_t)x ^ UINT64_C(1) << 63);
    case TSM_I32: FILL(int32_t, (uint32_t)x ^ UINT32_C(1) << 31);
    case TSM_I16: FILL(int16_t, (uint16_t)(x + 32768));
    case TSM_I8: FILL(int8_t, (uint8_t)(x + 128));
    default: FILL(uint8_t, x);
  }
}

/* ---- Sorting and selecting entries: both stable. What goes through long lines pays for each pass, in stretches */

#define STRETCHES(ctx, n, cost) \
  for (int64_t at = 0, end; at < (n); at = end) \
    if ((end = tsm_stretch(ctx, at, n, cost)) < 0) return (ctx)->status; \
    else for (int64_t i = at; i < end; i++)

enum { PASS = 4 /* 64ths of a unit, and the row's weight */, DIGITS = 8, VALUES = 256, FEW_ENTRIES = 64 };
static unsigned digit_of(const entry *e, int digit) { return (unsigned)(e->key >> (8 * digit)) & 255u; }

/* Merges runs of 1, 2, 4 ... entries; the result is in `entries`. */
static void merge_sort(entry *entries, entry *room, int64_t n) {
  entry *from = entries, *to = room;
  for (int64_t run = 1; run < n; run *= 2) {
    for (int64_t start = 0; start < n; start += 2 * run) {
      int64_t middle = start + run < n ? start + run : n, end = middle + run < n ? middle + run : n;
      for (int64_t a = start, b = middle, at = start; at < end; at++)
        to[at] = a < middle && (b >= end || from[a].key <= from[b].key) ? from[a++] : from[b++];
    }
    entry *other = from;
    from = to;
    to = other;
  }
  if (from != entries) memcpy(entries, from, (size_t)n * sizeof *entries);
}

/* The first `kept` entries in order, at the start: most of the others cost one comparison. */
static tsm_status select_few(tsm_context *ctx, entry *entries, int64_t n, int64_t kept) {
  int64_t count = 0;
  STRETCHES(ctx, n, PASS + kept / 8) {
    entry e = entries[i];
    if (count == kept && e.key >= entries[count - 1].key) continue;
    int64_t place = count < kept ? count++ : count - 1;
    for (; place > 0 && entries[place - 1].key > e.key; place--) entries[place] = entries[place - 1];
    entries[place] = e;
  }
  return TSM_OK;
}

/* By one byte of the key after the other, from the lowest; bytes that all keys share are skipped. */
static tsm_status radix_sort(tsm_context *ctx, entry *entries, entry *room, int64_t n) {
  int64_t counts[DIGITS][VALUES] = {{0}};
  STRETCHES(ctx, n, PASS)
    for (int d = 0; d < DIGITS; d++) counts[d][digit_of(&entries[i], d)]++;
  entry *from = entries, *to = room;
  for (int d = 0; d < DIGITS; d++) {
    if (counts[d][digit_of(from, d)] == n) continue;
    for (int64_t v = 0, at = 0; v < VALUES; v++) {
      int64_t count = counts[d][v];
      counts[d][v] = at;
      at += count;
    }
    STRETCHES(ctx, n, PASS) to[counts[d][digit_of(&from[i], d)]++] = from[i];
    entry *other = from;
    from = to;
    to = other;
  }
  if (from == entries) return TSM_OK;
  STRETCHES(ctx, n, 1) entries[i] = from[i];
  return TSM_OK;
}

static tsm_status sort_entries(tsm_context *ctx, entry *entries, entry *room, int64_t n) {
  if (n > FEW_ENTRIES) return radix_sort(ctx, entries, room, n);
  merge_sort(entries, room, n);
  return tsm_charge_work(ctx, n, PASS);
}

/* The first `kept` entries in order to the start of `room`, themselves in no order, and gives the last of them: by one
 * byte after the other, from the highest, what is surely kept moves to room and what is surely not is dropped. */
static tsm_status select_entries(tsm_context *ctx, entry *entries, entry *room, int64_t n, int64_t kept, entry *out_last) {
  int64_t taken = 0;
  for (int d = DIGITS - 1; d >= 0 && taken + n > kept; d--) {
    int64_t counts[VALUES] = {0}, below = 0, left = 0;
    STRETCHES(ctx, n, PASS / 2) counts[digit_of(&entries[i], d)]++;
    unsigned edge = 0;
    for (; below + counts[edge] < kept - taken; edge++) below += counts[edge];
    if (counts[edge] == n) continue;
    STRETCHES(ctx, n, PASS) {
      const unsigned digit = digit_of(&entries[i], d);
      if (digit < edge) room[taken++] = entries[i];
      else if (digit == edge) entries[left++] = entries[i];
    }
    n = left;
  }
  /* All that are left are kept, or all are equal. */
  entry last = entries[kept - taken - 1];
  STRETCHES(ctx, kept - taken, PASS / 2) {
    if (entries[i].key >= last.key) last = entries[i];
    room[taken + i] = entries[i];
  }
  *out_last = last;
  return TSM_OK;
}

/* The first `kept` entries, in order, at the start. */
static tsm_status select_sorted(tsm_context *ctx, entry *entries, entry *room, int64_t n, int64_t kept) {
  entry last;
  if (kept < 1) return TSM_OK;
  tsm_status status = select_entries(ctx, entries, room, n, kept, &last);
  if (status) return status;
  STRETCHES(ctx, kept, 1) entries[i] = room[i];
  return sort_entries(ctx, entries, room, kept);
}

/* The entries of a line that are wanted, in order, at the start. */
static tsm_status order_line(const sorting *s, const char *line, int64_t step, entry *entries) {
  entry *room = entries + s->extent;
  for (int64_t at = 0, end; at < s->extent; at = end) {
    if ((end = tsm_stretch(s->ctx, at, s->extent, PASS)) < 0) return s->ctx->status;
    fill_keys(s, line, step, entries, at, end);
  }
  if (s->rank) return select_entries(s->ctx, entries, room, s->extent, s->rank, entries);
  if (s->kept <= FEW_ENTRIES && s->kept < s->extent / 8) return select_few(s->ctx, entries, s->extent, s->kept);
  if (s->kept < s->extent) return select_sorted(s->ctx, entries, room, s->extent, s->kept);
  return sort_entries(s->ctx, entries, room, s->extent);
}

static tsm_status put_line(const sorting *s, const entry *entries, const char *line, int64_t step, int64_t offset, int64_t to) {
  size_t item = tsm_item_size(s->self->dtype);
  STRETCHES(s->ctx, s->kept, TSM_COST_GATHER) {
    ((int64_t *)(void *)s->indices->storage->data)[offset + i * to] = entries[i].index;
    if (!s->values) continue;
    memcpy(s->values->storage->data + (size_t)(offset + i * to) * item, line + entries[i].index * step, item);
  }
  return TSM_OK;
}

static tsm_status sort_lines(const sorting *s, entry *entries) {
  const tsm_tensor *self = s->self;
  int64_t index[TSM_MAX_RANK] = {0}, item = (int64_t)tsm_item_size(self->dtype);
  int64_t step = self->rank ? tsm_strides(self)[s->dim] * item : 0;
  int64_t to = self->rank && !s->rank ? tsm_strides(s->indices)[s->dim] : 1, number = 0;
  for (size_t d = 0;; number++) {
    int64_t from_at = 0, to_at = s->rank ? number : 0; /* one element of each line, in their order */
    for (size_t k = 0; k < self->rank; k++) {
      from_at += index[k] * tsm_strides(self)[k] * item;
      if (!s->rank) to_at += index[k] * tsm_strides(s->indices)[k];
    }
    const char *line = (const char *)tsm_tensor_read(self) + from_at;
    tsm_status status = order_line(s, line, step, entries);
    if (!status) status = put_line(s, entries, line, step, to_at, to);
    if (status) return status;
    for (d = self->rank; d-- > 0; index[d] = 0) /* the next line, the last dimension first */
      if (d != s->dim && ++index[d] < tsm_shape(self)[d]) break;
    if (d == (size_t)-1) return TSM_OK;
  }
}

static tsm_status run(tsm_opcall *c, sorting *s, size_t dim_argument) {
  s->self = tsm_arg_tensor(c, 0);
  s->ctx = c->ctx;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, dim_argument), s->self->rank, &s->dim);
  if (status || !s->indices->numel) return status;
  s->extent = s->self->rank ? tsm_shape(s->self)[s->dim] : 1;
  s->kept = s->self->rank && !s->rank ? tsm_shape(s->indices)[s->dim] : 1;
  size_t bytes = tsm_room(s->extent, 2 * sizeof(entry));
  entry *entries = tsm_alloc(c->ctx->rt, bytes);
  if (!entries) return tsm_out_of_memory(c->ctx);
  status = sort_lines(s, entries);
  tsm_free(c->ctx->rt, entries, bytes);
  return status;
}

tsm_status tsm_k_t_sort(tsm_opcall *c) {
  sorting s = {.values = tsm_result_tensor(c, 0), .indices = tsm_result_tensor(c, 1), .is_descending = tsm_arg_bool(c, 2)};
  return run(c, &s, 1);
}

tsm_status tsm_k_argsort(tsm_opcall *c) {
  sorting s = {.indices = tsm_result_tensor(c, 0), .is_descending = tsm_arg_bool(c, 2)};
  return run(c, &s, 1);
}

tsm_status tsm_k_topk(tsm_opcall *c) {
  sorting s = {.values = tsm_result_tensor(c, 0), .indices = tsm_result_tensor(c, 1), .is_descending = tsm_arg_bool(c, 3)};
  return run(c, &s, 2);
}

tsm_status tsm_k_kthvalue(tsm_opcall *c) {
  sorting s = {.values = tsm_result_tensor(c, 0), .indices = tsm_result_tensor(c, 1), .rank = tsm_arg_int(c, 1)};
  return run(c, &s, 2);
}

tsm_status tsm_i_sort(tsm_opcall *c, tsm_meta *out) {
  size_t dim;
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  out[1] = out[0];
  out[c->site->op->schema.result_count - 1].dtype = TSM_I64;
  return tsm_dim_wrap(c, tsm_arg_int(c, 1), out->rank, &dim);
}

tsm_status tsm_i_topk(tsm_opcall *c, tsm_meta *out) {
  int64_t k = tsm_arg_int(c, 1);
  size_t dim;
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 2), out->rank, &dim);
  if (status) return status;
  int64_t extent = out->rank ? out->shape[dim] : 1;
  if (k < 0 || k > extent)
    return tsm_raise(c->ctx, "RuntimeError", "selected index k out of range");
  if (out->rank) out->shape[dim] = k;
  else if (k == 0) out->shape[out->rank++] = 0;
  out[1] = out[0];
  out[1].dtype = TSM_I64;
  return TSM_OK;
}
