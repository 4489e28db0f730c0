/* sort.c - sort, argsort, topk along a dimension.
 * In: a tensor. Out: elements in order, and where they were.
 * Holds: equal elements keep their order, -0 equals 0, NaN is larger than all; an element is compared by a key of 64 bits
 * whose order as an unsigned number is the wanted one. */
#include "arguments.h"
#include "kernels.h"

typedef struct entry { uint64_t key; int64_t index; } entry;

typedef struct sorting {
  const tsm_tensor *self, *values, *indices; /* values: NULL if not wanted */
  size_t dim;
  int64_t extent, kept;
  bool is_descending;
} sorting;

static uint64_t key_of(tsm_pair p, bool is_descending) {
  uint64_t bits = (uint64_t)p.as.i;
  if (p.tag == TSM_FLOAT) {
    if (p.as.f == 0) bits = 0;
    bits = p.as.f != p.as.f ? INT64_MAX : bits >> 63 ? bits ^ INT64_MAX : bits;
  }
  bits ^= UINT64_C(1) << 63;
  return is_descending ? ~bits : bits;
}

static void fill_keys(const sorting *s, const char *line, int64_t step, entry *entries) {
  for (int64_t i = 0; i < s->extent; i++) {
    entries[i].key = key_of(tsm_element_load(s->self->dtype, line + i * step), s->is_descending);
    entries[i].index = i;
  }
}

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
static void select_few(entry *entries, int64_t n, int64_t kept) {
  int64_t count = 0;
  for (int64_t i = 0; i < n; i++) {
    entry e = entries[i];
    if (count == kept && e.key >= entries[count - 1].key) continue;
    int64_t at = count < kept ? count++ : count - 1;
    for (; at > 0 && entries[at - 1].key > e.key; at--) entries[at] = entries[at - 1];
    entries[at] = e;
  }
}

static void put_line(const sorting *s, const entry *entries, const char *line, int64_t step, int64_t offset, int64_t to) {
  size_t item = tsm_item_size(s->self->dtype);
  for (int64_t i = 0; i < s->kept; i++) {
    ((int64_t *)(void *)s->indices->storage->data)[offset + i * to] = entries[i].index;
    if (!s->values) continue;
    memcpy(s->values->storage->data + (size_t)(offset + i * to) * item, line + entries[i].index * step, item);
  }
}

static tsm_status sort_lines(tsm_opcall *c, const sorting *s, entry *entries) {
  const tsm_tensor *self = s->self;
  int64_t index[TSM_MAX_RANK] = {0}, item = (int64_t)tsm_item_size(self->dtype);
  int64_t step = self->rank ? tsm_strides(self)[s->dim] * item : 0, to = self->rank ? tsm_strides(s->indices)[s->dim] : 1;
  for (size_t d = 0;;) {
    int64_t from_at = 0, to_at = 0;
    for (size_t k = 0; k < self->rank; k++) {
      from_at += index[k] * tsm_strides(self)[k] * item;
      to_at += index[k] * tsm_strides(s->indices)[k];
    }
    const char *line = (const char *)tsm_tensor_read(self) + from_at;
    tsm_status status = tsm_charge_elements(c->ctx, s->extent < INT64_MAX / 64 ? 16 * s->extent : INT64_MAX);
    if (status) return status;
    fill_keys(s, line, step, entries);
    if (s->kept <= 256 && s->kept < s->extent / 8) select_few(entries, s->extent, s->kept);
    else merge_sort(entries, entries + s->extent, s->extent);
    put_line(s, entries, line, step, to_at, to);
    for (d = self->rank; d-- > 0; index[d] = 0) /* the next line, the last dimension first */
      if (d != s->dim && ++index[d] < tsm_shape(self)[d]) break;
    if (d == (size_t)-1) return TSM_OK;
  }
}

static tsm_status run(tsm_opcall *c, sorting *s, size_t dim_argument) {
  s->self = tsm_arg_tensor(c, 0);
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, dim_argument), s->self->rank, &s->dim);
  if (status || !s->indices->numel) return status;
  s->extent = s->self->rank ? tsm_shape(s->self)[s->dim] : 1;
  s->kept = s->self->rank ? tsm_shape(s->indices)[s->dim] : 1;
  if (s->extent > INT64_MAX / 64) return tsm_out_of_memory(c->ctx);
  size_t bytes = (size_t)s->extent * 2 * sizeof(entry);
  entry *entries = tsm_alloc(c->ctx->rt, bytes);
  if (!entries) return tsm_out_of_memory(c->ctx);
  status = sort_lines(c, s, entries);
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
