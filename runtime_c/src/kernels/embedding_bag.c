/* embedding_bag.c - rows of a table joined in bags: sums, means, largest.
 * In: a table of floats, a vector of row numbers, where in it each bag begins, weights of rows for sums. Out: a row a bag.
 * Holds: rows are added in order; those numbered padding_idx are left out, and an empty bag gives zeros. */
#include <math.h>

#include "arguments.h"
#include "pointwise.h"
#include "base/pool.h"
#include "kernels.h"
#include "simd/resample.h"

enum { ROWS = 64 }; /* joined at once */
typedef enum joining { SUM, MEAN, MAX } joining;

static tsm_status read_mode(tsm_opcall *c, joining *out) {
  static const char *const names[] = {"sum", "mean", "max"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(tsm_arg_str(c, 3)->bytes, names[i])) {
      *out = (joining)i;
      return TSM_OK;
    }
  return tsm_raise(c->ctx, "RuntimeError", "embedding_bag: mode must be sum, mean or max");
}

tsm_status tsm_i_embedding_bag(tsm_opcall *c, tsm_meta *out) {
  const tsm_tensor *weight = tsm_arg_tensor(c, 0), *indices = tsm_arg_tensor(c, 1), *starts = tsm_arg_tensor(c, 2);
  const tsm_tensor *by = tsm_arg_tensor(c, 4);
  joining mode;
  tsm_status status = read_mode(c, &mode);
  if (status) return status;
  if (!tsm_dtype_is_float(weight->dtype)) return tsm_raise_not_implemented(c, weight->dtype);
  if (weight->rank != 2 || indices->rank != 1 || starts->rank != 1 || starts->dtype != TSM_I64 ||
      (indices->dtype != TSM_I64 && indices->dtype != TSM_I32))
    return tsm_raise(c->ctx, "RuntimeError", "embedding_bag: expected a matrix, a vector of int32 or int64 and one of int64");
  if (by && (mode != SUM || by->dtype != weight->dtype || by->rank != 1 || by->numel != indices->numel))
    return tsm_raise(c->ctx, "RuntimeError", "embedding_bag: weights of rows are for sums, one an index, of the table's dtype");
  tsm_meta_of(weight, out);
  out->shape[0] = starts->numel;
  return TSM_OK;
}

typedef struct bagging {
  joining mode;
  bool is_double, is_long;
  const tsm_resample_set *set;
  tsm_convert_fn to_int64;
  const char *table, *indices, *by;
  char *out;
  const int64_t *starts;
  int64_t bags, count, item, width, rows, step, index_step, by_step, padding;
  int64_t first;
  atomic_bool is_outside;
} bagging;

static inline int64_t index_at(const bagging *v, int64_t i) {
  int64_t index;
  if (v->is_long) return *(const int64_t *)(const void *)(v->indices + i * v->index_step);
  v->to_int64((char *)&index, 0, v->indices + i * v->index_step, 0, 1);
  return index;
}

static double weight_at(const bagging *v, int64_t i) {
  if (!v->by) return 1;
  const char *at = v->by + i * v->by_step;
  return v->is_double ? *(const double *)(const void *)at : (double)*(const float *)(const void *)at;
}

#define LARGER(T)                                                                                     \
  static void larger_##T(void *to, const void *from, int64_t n) {                                     \
    T *out = to;                                                                                      \
    const T *in = from;                                                                               \
    for (int64_t i = 0; i < n; i++) out[i] = in[i] > out[i] || in[i] != in[i] ? in[i] : out[i];        \
  }                                                                                                   \
  static void divide_##T(void *to, double by, int64_t n) {                                            \
    T *out = to;                                                                                      \
    for (int64_t i = 0; i < n; i++) out[i] /= (T)by;                                                  \
  }
LARGER(float)
LARGER(double)

/* Adds rows to what is there, which is copied first: a mixture may be written twice where vectors overlap. */
static void add_rows(const bagging *v, char *out, const void *const *rows, const double *weights, int64_t count) {
  enum { TILE = 256 };
  double before[TILE];
  const void *parts[1 + ROWS] = {before};
  for (int64_t at = 0; at < v->width; at += TILE) {
    const int64_t n = v->width - at < TILE ? v->width - at : TILE, place = at * v->item;
    memcpy(before, out + place, (size_t)(n * v->item));
    for (int64_t i = 1; i <= count; i++) parts[i] = (const char *)rows[i] + place;
    v->set->mix[v->is_double](out + place, parts, weights, count + 1, n);
  }
}

/* Rows joined to what is there; `is_first`: nothing is. */
static void join(const bagging *v, char *out, const void *const *rows, const double *weights, int64_t count, bool is_first) {
  if (v->mode != MAX) {
    if (is_first) v->set->mix[v->is_double](out, rows + 1, weights + 1, count, v->width);
    else add_rows(v, out, rows, weights, count);
    return;
  }
  if (is_first) memcpy(out, rows[1], (size_t)(v->width * v->item));
  for (int64_t i = is_first; i < count; i++) {
    if (v->is_double) larger_double(out, rows[1 + i], v->width);
    else larger_float(out, rows[1 + i], v->width);
  }
}

static bool fill_bag(const bagging *v, char *out, int64_t begin, int64_t end) {
  const void *rows[1 + ROWS] = {out}; /* what is there, and rows of the table */
  double weights[1 + ROWS] = {1};
  int64_t found = 0, count = 0;
  for (int64_t i = begin; i < end; i++) {
    const int64_t index = index_at(v, i);
    if (index < 0 || index >= v->rows) return false;
    if (index != v->padding) {
      weights[1 + count] = weight_at(v, i);
      rows[1 + count++] = v->table + index * v->step;
    }
    if (!count || (count < ROWS && i + 1 < end)) continue;
    join(v, out, rows, weights, count, !found);
    found += count;
    count = 0;
  }
  if (count) join(v, out, rows, weights, count, !found);
  found += count;
  if (!found) memset(out, 0, (size_t)(v->width * v->item));
  if (v->mode == MEAN && found > 1) {
    if (v->is_double) divide_double(out, (double)found, v->width);
    else divide_float(out, (double)found, v->width);
  }
  return true;
}

static void fill_bags(void *user, size_t worker, int64_t begin, int64_t end) {
  bagging *v = user;
  (void)worker;
  for (int64_t i = v->first + begin; i < v->first + end; i++) {
    const int64_t last = i + 1 < v->bags ? v->starts[i + 1] : v->count;
    if (!fill_bag(v, v->out + i * v->width * v->item, v->starts[i], last))
      atomic_store_explicit(&v->is_outside, true, memory_order_relaxed);
  }
}

/* Bags in slices, so that a cancelled run ends soon. */
static tsm_status run(tsm_opcall *c, bagging *v) {
  enum { SLICE = 1 << 21 };
  for (int64_t now; v->first < v->bags; v->first += now) {
    int64_t work = 0;
    for (now = 0; v->first + now < v->bags && work < SLICE && now < SLICE; now++) {
      const int64_t i = v->first + now, last = i + 1 < v->bags ? v->starts[i + 1] : v->count;
      if (v->starts[i] < 0 || v->starts[i] > v->count)
        return tsm_raise(c->ctx, "RuntimeError", "embedding_bag: offset %lld is not among the %lld indices",
                         (long long)v->starts[i], (long long)v->count);
      const int64_t length = last > v->starts[i] && last <= v->count ? last - v->starts[i] : 0;
      work += length < SLICE / (v->width + 8) ? (length + 1) * (v->width + 8) : SLICE;
      if (length >= SLICE / (v->width + 8) && tsm_charge_work(c->ctx, length, v->width + 8)) return c->ctx->status;
    }
    tsm_status status = tsm_charge_elements(c->ctx, work);
    if (status) return status;
    tsm_parallel(c->ctx->rt, now, 0.1 * (double)(work / now), fill_bags, v);
    if (atomic_load(&v->is_outside)) return tsm_raise(c->ctx, "IndexError", "index out of range in self");
  }
  return TSM_OK;
}

tsm_status tsm_k_embedding_bag(tsm_opcall *c) {
  const tsm_tensor *weight = tsm_arg_tensor(c, 0), *indices = tsm_arg_tensor(c, 1), *by = tsm_arg_tensor(c, 4);
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  const int64_t item = (int64_t)tsm_item_size(out->dtype);
  bagging v = {.is_double = out->dtype == TSM_F64, .is_long = indices->dtype == TSM_I64, .set = tsm_resample_of(c->ctx->rt->isa),
               .to_int64 = tsm_convert_loop(indices->dtype, TSM_I64), .indices = tsm_tensor_read(indices), .item = item,
               .by = by ? tsm_tensor_read(by) : NULL, .bags = tsm_shape(out)[0], .count = indices->numel,
               .width = tsm_shape(out)[1], .rows = tsm_shape(weight)[0], .padding = tsm_arg_int(c, 5)};
  tsm_status status = read_mode(c, &v.mode);
  if (status || !out->numel) return status;
  v.index_step = tsm_strides(indices)[0] * (int64_t)tsm_item_size(indices->dtype);
  v.by_step = by ? tsm_strides(by)[0] * item : 0;
  v.out = (char *)out->storage->data + out->offset * item;
  tsm_tensor *starts = tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 2));
  tsm_tensor *table = starts ? tsm_arg_tensor(c, 0) : NULL;
  if (table && tsm_strides(table)[1] == 1) tsm_ref(&table->head);
  else if (table) table = tsm_tensor_contiguous(c->ctx, table);
  if (table) {
    v.starts = tsm_tensor_read(starts);
    v.table = tsm_tensor_read(table);
    v.step = tsm_strides(table)[0] * item;
    status = run(c, &v);
    tsm_unref(&table->head);
  } else {
    status = c->ctx->status;
  }
  if (starts) tsm_unref(&starts->head);
  return status;
}
