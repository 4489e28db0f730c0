/* scatter.c - see scatter.h.
 * Holds: of the numbers added to one place each is added in its turn, however many threads there are: they have columns
 * of all rows each. */
#include "scatter.h"

#include "base/compiler.h"
#include "base/pool.h"
#include "simd/pointwise.h"

#define MOVE_ROWS(T, size)                                                                                \
  static tsm_status gather_##size(void *user, char *const *p, const int64_t *s, int64_t n) {              \
    (void)user;                                                                                           \
    if (s[2] == 0 && s[0] == (int64_t)sizeof(T) && s[1] == (int64_t)sizeof(T)) {                          \
      memcpy(p[0], p[1] + *(const int64_t *)(const void *)p[2] * (int64_t)sizeof(T), (size_t)n * sizeof(T)); \
      return TSM_OK;                                                                                      \
    }                                                                                                     \
    if (s[1] == 0 && s[0] == (int64_t)sizeof(T) && s[2] == 8) {                                           \
      T *to = (T *)(void *)p[0];                                                                          \
      const T *from = (const T *)(const void *)p[1];                                                      \
      const int64_t *at = (const int64_t *)(const void *)p[2];                                            \
      TSM_UNROLL_BY(4) for (int64_t i = 0; i < n; i++) to[i] = from[at[i]];                               \
      return TSM_OK;                                                                                      \
    }                                                                                                     \
    for (int64_t i = 0; i < n; i++) {                                                                     \
      int64_t offset = *(const int64_t *)(const void *)(p[2] + i * s[2]) * (int64_t)sizeof(T);            \
      *(T *)(void *)(p[0] + i * s[0]) = *(const T *)(const void *)(p[1] + i * s[1] + offset);             \
    }                                                                                                     \
    return TSM_OK;                                                                                        \
  }                                                                                                       \
  static tsm_status scatter_##size(void *user, char *const *p, const int64_t *s, int64_t n) {             \
    (void)user;                                                                                           \
    for (int64_t i = 0; i < n; i++) {                                                                     \
      int64_t offset = *(const int64_t *)(const void *)(p[2] + i * s[2]) * (int64_t)sizeof(T);            \
      *(T *)(void *)(p[0] + i * s[0] + offset) = *(const T *)(const void *)(p[1] + i * s[1]);             \
    }                                                                                                     \
    return TSM_OK;                                                                                        \
  }
MOVE_ROWS(uint8_t, 1)
MOVE_ROWS(uint16_t, 2)
MOVE_ROWS(uint32_t, 4)
MOVE_ROWS(uint64_t, 8)

#define COMBINE_ROWS(name, T, W, RESULT)                                                             \
  static tsm_status name##_##T(void *user, char *const *p, const int64_t *s, int64_t n) {            \
    (void)user;                                                                                      \
    for (int64_t i = 0; i < n; i++) {                                                                \
      int64_t offset = *(const int64_t *)(const void *)(p[2] + i * s[2]) * (int64_t)sizeof(T);       \
      T *to = (T *)(void *)(p[0] + i * s[0] + offset);                                               \
      W x = (W)*to, y = (W)*(const T *)(const void *)(p[1] + i * s[1]);                              \
      *to = (T)(RESULT);                                                                             \
    }                                                                                                \
    return TSM_OK;                                                                                   \
  }
/* W is the type that the result is computed in: one that wraps for sums, one that keeps the order for the others. */
#define COMBINE(name, BOOL, SMALL, INT64, FLOAT, RESULT)                                             \
  COMBINE_ROWS(name, bool8, uint32_t, BOOL)                                                          \
  COMBINE_ROWS(name, uint8_t, SMALL, RESULT)                                                         \
  COMBINE_ROWS(name, int8_t, SMALL, RESULT)                                                          \
  COMBINE_ROWS(name, int16_t, SMALL, RESULT)                                                         \
  COMBINE_ROWS(name, int32_t, SMALL, RESULT)                                                         \
  COMBINE_ROWS(name, int64_t, INT64, RESULT)                                                         \
  COMBINE_ROWS(name, float, float, FLOAT)                                                            \
  COMBINE_ROWS(name, double, double, FLOAT)                                                          \
  static const tsm_row_fn name##_all[TSM_DTYPE_COUNT] = {name##_bool8,   name##_uint8_t, name##_int8_t, name##_int16_t, \
                                                          name##_int32_t, name##_int64_t, name##_float,  name##_double};
typedef uint8_t bool8;
COMBINE(add, x | y, uint32_t, uint64_t, x + y, x + y)
COMBINE(mul, x & y, uint32_t, uint64_t, x * y, x * y)
COMBINE(most, x | y, int32_t, int64_t, x >= y || x != x ? x : y, x > y ? x : y)
COMBINE(least, x & y, int32_t, int64_t, x <= y || x != x ? x : y, x < y ? x : y)

static tsm_row_fn row_for(tsm_scatter_mode mode, uint8_t dtype) {
  static const tsm_row_fn gathers[] = {gather_1, gather_1, gather_1, gather_2, gather_4,
                                       gather_8, gather_4, gather_8, gather_2};
  static const tsm_row_fn scatters[] = {scatter_1, scatter_1, scatter_1, scatter_2,
                                        scatter_4, scatter_8, scatter_4, scatter_8, scatter_2};
  static const tsm_row_fn *const rows[] = {gathers, scatters, add_all, mul_all, most_all, least_all};
  return rows[mode][dtype];
}

/* Rows of neighbours, one for each offset: read, written or added to where the offset says. Steps are in bytes. */
typedef struct row_moves {
  tsm_row_op add; /* NULL: copied */
  bool is_gather;
  const int64_t *offsets;
  char *to;
  const char *from;
  int64_t count, width, to_step, from_step, item, block;
} row_moves;

static void copy_rows(void *user, size_t worker, int64_t begin, int64_t end) {
  const row_moves *m = user;
  (void)worker;
  for (int64_t i = begin; i < end; i++)
    memcpy(m->to + i * m->to_step, m->from + i * m->from_step + m->offsets[i] * m->item, (size_t)(m->width * m->item));
}

/* Blocks of columns: of rows written to one place the last one stays. */
static void write_rows(void *user, size_t worker, int64_t begin, int64_t end) {
  const row_moves *m = user;
  const int64_t first = begin * m->block, last = end * m->block < m->width ? end * m->block : m->width;
  (void)worker;
  for (int64_t i = 0; i < m->count && first < last; i++)
    memcpy(m->to + i * m->to_step + (m->offsets[i] + first) * m->item, m->from + i * m->from_step + first * m->item,
           (size_t)((last - first) * m->item));
}

/* Blocks of columns. */
static void add_rows(void *user, size_t worker, int64_t begin, int64_t end) {
  const row_moves *m = user;
  const int64_t first = begin * m->block, last = end * m->block < m->width ? end * m->block : m->width;
  const char *from = m->from + first * m->item;
  (void)worker;
  if (first >= last) return;
  for (int64_t i = 0; i < m->count; i++) {
    char *to = m->to + i * m->to_step + (m->offsets[i] + first) * m->item;
    m->add(to, to, from + i * m->from_step, NULL, (size_t)(last - first));
  }
}

/* Whether the elements are such rows, along the first dimension. */
static bool find_rows(row_moves *m, size_t rank, const int64_t *shape, tsm_place dst, tsm_place src,
                      tsm_place offsets) {
  enum { NARROW = 32 }; /* bytes for which a row is not worth a call */
  m->width = 1;
  for (size_t d = rank; d-- > 1; m->width *= shape[d])
    if (shape[d] != 1 && (dst.strides[d] != m->width || src.strides[d] != m->width || offsets.strides[d])) return false;
  if (!rank || m->width * m->item < NARROW || offsets.strides[0] != 1) return false;
  m->count = shape[0];
  m->to = (char *)(uintptr_t)dst.base;
  m->from = src.base;
  m->to_step = dst.strides[0] * m->item;
  m->from_step = src.strides[0] * m->item;
  m->offsets = offsets.base;
  return true;
}

/* All rows, in pieces of some million elements that are charged together. */
static tsm_status move_rows(tsm_context *ctx, row_moves *m) {
  enum { PIECE = 1 << 22, LEAST = 16 };
  static const double NS_PER_BYTE = 0.05;
  const int64_t rows = 1 + PIECE / m->width, count = m->count, blocks = (int64_t)tsm_pool_workers(ctx->rt);
  m->block = (m->width + blocks * LEAST - 1) / (blocks * LEAST) * LEAST;
  for (int64_t done = 0; done < count; done += m->count) {
    m->count = count - done < rows ? count - done : rows;
    tsm_status status = tsm_charge_elements(ctx, m->count * m->width);
    if (status) return status;
    const double cost = NS_PER_BYTE * (double)(m->width * m->item);
    if (!m->is_gather)
      tsm_parallel(ctx->rt, (m->width + m->block - 1) / m->block, cost * (double)m->count, m->add ? add_rows : write_rows, m);
    else tsm_parallel(ctx->rt, m->count, cost, copy_rows, m);
    m->offsets += m->count;
    m->to += m->count * m->to_step;
    m->from += m->count * m->from_step;
  }
  return TSM_OK;
}

tsm_status tsm_scatter(tsm_opcall *c, tsm_scatter_mode mode, uint8_t dtype, size_t rank, const int64_t *shape,
                       tsm_place dst, tsm_place src, tsm_place offsets) {
  row_moves moves = {.item = (int64_t)tsm_item_size(dtype), .is_gather = mode == TSM_GATHER};
  const bool is_add = mode == TSM_SCATTER_ADD;
  if ((mode == TSM_GATHER || mode == TSM_SCATTER || (is_add && (dtype == TSM_F32 || dtype == TSM_F64))) &&
      find_rows(&moves, rank, shape, dst, src, offsets)) {
    const tsm_row_set *rows = c->ctx->rt->rows;
    moves.add = !is_add ? NULL : dtype == TSM_F32 ? rows->f32[TSM_ROW_ADD] : rows->f64[TSM_ROW_ADD];
    return move_rows(c->ctx, &moves);
  }
  tsm_iter it;
  size_t item = tsm_item_size(dtype);
  tsm_iter_init(&it, rank, shape);
  tsm_iter_add(&it, dst.base, item, rank, shape, dst.strides);
  tsm_iter_add(&it, src.base, item, rank, shape, src.strides);
  tsm_iter_add(&it, offsets.base, sizeof(int64_t), rank, shape, offsets.strides);
  tsm_status status = tsm_charge(c->ctx, it.numel / 4); /* what lies where an offset says is seldom in the cache */
  return status ? status : tsm_iter_run(c->ctx, &it, row_for(mode, dtype), NULL);
}

typedef struct checking {
  tsm_opcall *call;
  int64_t extent, stride, least;
  tsm_convert_fn to_int64;
  const char *error;
  size_t dim;
  bool is_long; /* the index needs no conversion */
} checking;

static tsm_status offset_row(void *user, char *const *p, const int64_t *s, int64_t n) {
  const checking *k = user;
  for (int64_t i = 0; i < n; i++) {
    int64_t index;
    if (k->is_long) index = *(const int64_t *)(const void *)(p[1] + i * s[1]);
    else k->to_int64((char *)&index, 0, p[1] + i * s[1], 0, 1);
    if (index < k->least || index >= k->extent) {
      const char *op = k->call->site->op->name;
      if (!strcmp(op, "embedding") || !strcmp(op, "index_select"))
        return tsm_raise(k->call->ctx, k->error, "index out of range in self");
      return tsm_raise(k->call->ctx, k->error, "index %lld is out of bounds for dimension %zu with size %lld",
                       (long long)index, k->dim, (long long)k->extent);
    }
    *(int64_t *)(void *)(p[0] + i * s[0]) = (index < 0 ? index + k->extent : index) * k->stride;
  }
  return TSM_OK;
}

/* Whether indices are offsets as they are: nothing is to be computed, all are inside, and what the operator writes is not
 * their memory. */
static bool are_offsets(tsm_opcall *c, const tsm_tensor *index, int64_t extent, int64_t stride) {
  enum { AT_ONCE = 1 << 12 };
  if (index->dtype != TSM_I64 || !index->is_contiguous || stride != 1 || !index->numel) return false;
  const tsm_slot *first = tsm_arg(c, 0);
  if ((c->site->op->traits & TSM_TRAIT(MUTATES)) && tsm_tensors_overlap((const tsm_tensor *)(const void *)first->ref, index))
    return false;
  const uint64_t *k = tsm_tensor_read(index);
  for (int64_t i = 0; i < index->numel; i += AT_ONCE) {
    const int64_t end = index->numel - i < AT_ONCE ? index->numel : i + AT_ONCE;
    uint64_t is_outside = 0;
    for (int64_t j = i; j < end; j++) is_outside |= k[j] >= (uint64_t)extent;
    if (is_outside || tsm_charge_elements(c->ctx, end - i)) return false;
  }
  return true;
}

/* Dimensions along which an index repeats: their offsets are made once. */
static tsm_tensor *repeat(tsm_context *ctx, tsm_tensor *offsets, const tsm_tensor *index) {
  int64_t strides[TSM_MAX_RANK];
  for (size_t d = 0; d < index->rank; d++) strides[d] = tsm_shape(offsets)[d] == 1 ? 0 : tsm_strides(offsets)[d];
  tsm_tensor *view = tsm_tensor_make_view(ctx, offsets, TSM_I64, index->rank, tsm_shape(index), strides, 0);
  tsm_unref(&offsets->head);
  return view;
}

tsm_tensor *tsm_offsets_of(tsm_opcall *c, tsm_tensor *index, int64_t extent, int64_t stride, bool allow_negative,
                           const char *error, size_t dim) {
  checking k = {c, extent, stride, allow_negative ? -extent : 0, tsm_convert_loop(index->dtype, TSM_I64), error, dim,
                index->dtype == TSM_I64};
  tsm_meta meta = {TSM_I64, index->rank, {0}};
  if (are_offsets(c, index, extent, stride)) {
    tsm_ref(&index->head);
    return index;
  }
  if (c->ctx->status) return NULL;
  for (size_t d = 0; d < index->rank; d++)
    meta.shape[d] = index->numel && !tsm_strides(index)[d] ? 1 : tsm_shape(index)[d];
  tsm_tensor *offsets = tsm_tensor_make(c->ctx, &meta, false);
  if (!offsets) return NULL;
  tsm_iter it;
  tsm_iter_init(&it, index->rank, meta.shape);
  tsm_iter_add_tensor(&it, offsets);
  tsm_iter_add(&it, tsm_tensor_read(index), tsm_item_size(index->dtype), index->rank, meta.shape, tsm_strides(index));
  if (!tsm_iter_run(c->ctx, &it, offset_row, &k)) return repeat(c->ctx, offsets, index);
  tsm_unref(&offsets->head);
  return NULL;
}
