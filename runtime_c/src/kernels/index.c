/* index.c - indexing along one dimension, and nonzero: index_select gather scatter_ scatter_reduce_ index_add_ embedding nonzero.
 * In: a tensor and an index tensor. Out: elements picked, or argument 0 written.
 * Holds: every index is checked before any element moves; negative ones count only where PyTorch lets them. */
#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"
#include "scatter.h"

/* The strides of t for the shape of a result in which dimension `dim` is indexed. */
static void strides_without(const tsm_tensor *t, size_t dim, int64_t *out) {
  for (size_t d = 0; d < t->rank; d++) out[d] = d == dim ? 0 : tsm_strides(t)[d];
}

/* Picks whole slices: `slices` holds one slice for each index, along `dim`. */
static tsm_status move_slices(tsm_opcall *c, tsm_scatter_mode mode, const tsm_tensor *indexed, size_t dim,
                              tsm_tensor *index, const tsm_tensor *slices, bool allow_negative, const char *error) {
  int64_t extent = indexed->rank ? tsm_shape(indexed)[dim] : 1, stride = indexed->rank ? tsm_strides(indexed)[dim] : 0;
  tsm_tensor *offsets = tsm_offsets_of(c, index, extent, stride, allow_negative, error, dim);
  if (!offsets) return c->ctx->status;
  int64_t strides[TSM_MAX_RANK], steps[TSM_MAX_RANK] = {0};
  strides_without(indexed, dim, strides);
  steps[dim] = offsets->rank ? tsm_strides(offsets)[0] : 0;
  tsm_place whole = {tsm_tensor_read(indexed), strides}, parts = {tsm_tensor_read(slices), tsm_strides(slices)};
  tsm_place where = {tsm_tensor_read(offsets), steps};
  bool is_gather = mode == TSM_GATHER;
  tsm_status status = tsm_scatter(c, mode, indexed->dtype, slices->rank, tsm_shape(slices), is_gather ? parts : whole,
                                  is_gather ? whole : parts, where);
  tsm_unref(&offsets->head);
  return status;
}

tsm_status tsm_k_index_select(tsm_opcall *c) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0), *out = tsm_result_tensor(c, 0);
  size_t dim;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), self->rank, &dim);
  return status ? status : move_slices(c, TSM_GATHER, self, dim, tsm_arg_tensor(c, 2), out, false, "IndexError");
}

tsm_status tsm_k_index_add_(tsm_opcall *c) {
  tsm_tensor *self = tsm_arg_tensor(c, 0);
  tsm_tensor *index = tsm_arg_tensor(c, 2);
  const tsm_tensor *source = tsm_arg_tensor(c, 3);
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
  size_t dim;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), self->rank, &dim);
  if (status) return status;
  if (index->rank > 1 || (index->dtype != TSM_I32 && index->dtype != TSM_I64))
    return tsm_raise(c->ctx, "IndexError", "index_add_: the index must be a vector of int32 or int64");
  if (self->dtype != source->dtype)
    return tsm_raise(c->ctx, "RuntimeError", "index_add_: self (%s) and source (%s) must have the same dtype",
                     tsm_dtype_name((tsm_dtype)self->dtype), tsm_dtype_name((tsm_dtype)source->dtype));
  if (self->rank && self->rank == source->rank && index->numel != tsm_shape(source)[dim])
    return tsm_raise(c->ctx, "RuntimeError", "index_add_(): Number of indices (%lld) should be equal to "
                     "source.size(dim): (%lld), for dim: %zu", (long long)index->numel,
                     (long long)tsm_shape(source)[dim], dim);
  bool is_fit = self->rank == source->rank && index->numel == (source->rank ? tsm_shape(source)[dim] : 1);
  for (size_t d = 0; is_fit && d < self->rank; d++) is_fit = d == dim || tsm_shape(self)[d] == tsm_shape(source)[d];
  if (!is_fit)
    return tsm_raise(c->ctx, "RuntimeError", "index_add_: source of shape %s does not fit %lld indices in dimension %zu of "
                     "shape %s", tsm_shape_text(a, source), (long long)index->numel, dim, tsm_shape_text(b, self));
  status = tsm_check_no_overlap(c->ctx, self);
  tsm_tensor *apart = status ? NULL : tsm_tensor_apart(c->ctx, self, tsm_arg_tensor(c, 3));
  if (!apart) return c->ctx->status;
  status = tsm_tensor_writable(c->ctx, self) ? TSM_OK : c->ctx->status;
  if (!status) status = move_slices(c, TSM_SCATTER_ADD, self, dim, index, apart, false, "RuntimeError");
  tsm_unref(&apart->head);
  return status ? status : tsm_return_self(c);
}

tsm_status tsm_k_embedding(tsm_opcall *c) {
  const tsm_tensor *weight = tsm_arg_tensor(c, 0), *out = tsm_result_tensor(c, 0);
  tsm_tensor *offsets = tsm_offsets_of(c, tsm_arg_tensor(c, 1), tsm_shape(weight)[0], tsm_strides(weight)[0], false,
                                       "IndexError", 0);
  if (!offsets) return c->ctx->status;
  int64_t from[TSM_MAX_RANK] = {0}, steps[TSM_MAX_RANK] = {0};
  from[out->rank - 1] = tsm_strides(weight)[1];
  memcpy(steps, tsm_strides(offsets), offsets->rank * sizeof(int64_t));
  tsm_status status = tsm_scatter(c, TSM_GATHER, weight->dtype, out->rank, tsm_shape(out),
                                  (tsm_place){tsm_tensor_read(out), tsm_strides(out)},
                                  (tsm_place){tsm_tensor_read(weight), from},
                                  (tsm_place){tsm_tensor_read(offsets), steps});
  tsm_unref(&offsets->head);
  return status;
}

/* self and index may be 0-d where the other has one element; both are then seen as one dimension. */
static tsm_status move_elements(tsm_opcall *c, tsm_scatter_mode mode, size_t dim, const tsm_tensor *values) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0);
  tsm_tensor *index = tsm_arg_tensor(c, 2);
  int64_t extent = self->rank ? tsm_shape(self)[dim] : 1, stride = self->rank ? tsm_strides(self)[dim] : 0;
  tsm_tensor *offsets = tsm_offsets_of(c, index, extent, stride, false, "RuntimeError", dim);
  if (!offsets) return c->ctx->status;
  int64_t strides[TSM_MAX_RANK] = {0};
  strides_without(self, dim, strides);
  tsm_place whole = {tsm_tensor_read(self), strides}, parts = {tsm_tensor_read(values), tsm_strides(values)};
  tsm_place where = {tsm_tensor_read(offsets), tsm_strides(offsets)};
  bool is_gather = mode == TSM_GATHER;
  int64_t steps[TSM_MAX_RANK] = {0};
  if (values->rank) memcpy(steps, tsm_strides(values), values->rank * sizeof(int64_t));
  parts.strides = steps;
  tsm_status status = tsm_scatter(c, mode, self->dtype, index->rank, tsm_shape(index), is_gather ? parts : whole,
                                  is_gather ? whole : parts, where);
  tsm_unref(&offsets->head);
  return status;
}

/* Elements of four bytes by int64 indices in one pass; an index that is not inside is only noted. */
typedef struct gathering { int64_t extent, step; atomic_bool has_bad; } gathering;

static void gather_span(void *user, char *const *p, const int64_t *s, int64_t n) {
  gathering *g = user;
  const int64_t extent = g->extent, step = g->step;
  const char *from = p[1], *index = p[2];
  char *to = p[0];
  bool is_bad = false;
  if (s[0] == 4 && s[1] == 0 && s[2] == 8 && step == 4) { /* along rows */
    const uint32_t *row = (const uint32_t *)(const void *)from;
    const uint64_t *k = (const uint64_t *)(const void *)index;
    uint32_t *out = (uint32_t *)(void *)to;
    for (int64_t i = 0; i < n; i++) {
      const bool is_inside = k[i] < (uint64_t)extent;
      is_bad |= !is_inside;
      out[i] = row[is_inside ? k[i] : 0];
    }
    n = 0;
  }
  for (int64_t i = 0; i < n; i++, to += s[0], from += s[1], index += s[2]) {
    const int64_t k = *(const int64_t *)(const void *)index;
    const bool is_inside = (uint64_t)k < (uint64_t)extent;
    is_bad |= !is_inside;
    *(uint32_t *)(void *)to = *(const uint32_t *)(const void *)(from + (is_inside ? k : 0) * step);
  }
  if (is_bad) atomic_store_explicit(&g->has_bad, true, memory_order_relaxed);
}

/* *out_done: the result is there; otherwise it is another case, or has an index to be complained of. */
static tsm_status gather_at_once(tsm_opcall *c, size_t dim, bool *out_done) {
  enum { FEW = 1024 };
  static const double NS_PER_ELEMENT = 0.7;
  const tsm_tensor *self = tsm_arg_tensor(c, 0), *index = tsm_arg_tensor(c, 2), *out = tsm_result_tensor(c, 0);
  int64_t strides[TSM_MAX_RANK];
  tsm_iter it;
  *out_done = false;
  if (tsm_item_size(self->dtype) != 4 || index->dtype != TSM_I64 || self->rank != index->rank || index->numel < FEW)
    return TSM_OK;
  gathering g = {tsm_shape(self)[dim], tsm_strides(self)[dim] * 4, false};
  if (!g.extent) return TSM_OK;
  strides_without(self, dim, strides);
  tsm_iter_init(&it, index->rank, tsm_shape(index));
  tsm_iter_add_tensor(&it, out);
  tsm_iter_add(&it, tsm_tensor_read(self), 4, index->rank, tsm_shape(index), strides);
  tsm_iter_add_tensor(&it, index);
  tsm_iter_sort(&it);
  tsm_status status = tsm_iter_spread(c->ctx, &it, NS_PER_ELEMENT, gather_span, &g);
  *out_done = !atomic_load(&g.has_bad);
  return status;
}

tsm_status tsm_k_gather(tsm_opcall *c) {
  size_t dim;
  bool is_done = false;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), tsm_arg_tensor(c, 0)->rank, &dim);
  if (!status) status = gather_at_once(c, dim, &is_done);
  return status || is_done ? status : move_elements(c, TSM_GATHER, dim, tsm_result_tensor(c, 0));
}

static tsm_status check_scatter(tsm_opcall *c, const tsm_tensor *self, const tsm_tensor *index, const tsm_tensor *src,
                                size_t dim) {
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT], d_text[TSM_SHAPE_TEXT];
  size_t rank = index->rank ? index->rank : 1;
  if (index->dtype != TSM_I32 && index->dtype != TSM_I64)
    return tsm_raise(c->ctx, "RuntimeError", "scatter_: the index must be int32 or int64");
  if (self->dtype != src->dtype)
    return tsm_raise(c->ctx, "RuntimeError", "scatter_: expected self (%s) and src (%s) to have the same dtype",
                     tsm_dtype_name((tsm_dtype)self->dtype), tsm_dtype_name((tsm_dtype)src->dtype));
  bool is_fit = rank == (self->rank ? self->rank : 1u) && rank == (src->rank ? src->rank : 1u);
  for (size_t d = 0; is_fit && index->numel && d < index->rank; d++) {
    int64_t extent = tsm_shape(index)[d];
    is_fit = (d == dim || extent <= (self->rank ? tsm_shape(self)[d] : 1)) && extent <= (src->rank ? tsm_shape(src)[d] : 1);
  }
  if (is_fit) return TSM_OK;
  return tsm_raise(c->ctx, "RuntimeError", "scatter_: index of shape %s must be no larger than self of shape %s apart from "
                   "dimension %zu, and no larger than src of shape %s", tsm_shape_text(a, index), tsm_shape_text(b, self),
                   dim, tsm_shape_text(d_text, src));
}

static tsm_status scatter_by(tsm_opcall *c, tsm_scatter_mode mode) {
  tsm_tensor *self = tsm_arg_tensor(c, 0);
  const tsm_tensor *index = tsm_arg_tensor(c, 2), *src = tsm_arg_tensor(c, 3);
  size_t dim;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), self->rank, &dim);
  if (!status) status = check_scatter(c, self, index, src, dim);
  if (!status) status = tsm_check_no_overlap(c->ctx, self);
  if (status) return status;
  tsm_tensor *apart = tsm_tensor_apart(c->ctx, self, tsm_arg_tensor(c, 3));
  if (!apart) return c->ctx->status;
  status = tsm_tensor_writable(c->ctx, self) ? TSM_OK : c->ctx->status;
  if (!status) status = move_elements(c, mode, dim, apart);
  tsm_unref(&apart->head);
  return status ? status : tsm_return_self(c);
}

tsm_status tsm_k_scatter_(tsm_opcall *c) { return scatter_by(c, TSM_SCATTER); }

tsm_status tsm_k_scatter_reduce_(tsm_opcall *c) {
  static const char names[][5] = {"sum", "prod", "amax", "amin"};
  for (unsigned i = 0; i < 4; i++)
    if (!strcmp(tsm_arg_str(c, 4)->bytes, names[i])) return scatter_by(c, (tsm_scatter_mode)(TSM_SCATTER_ADD + (int)i));
  return tsm_raise(c->ctx, "RuntimeError", "scatter_reduce_: reduce must be sum, prod, amax or amin");
}

/* Walks elements in row-major order and counts, or writes the indices of, those that are not 0. */
typedef struct finding {
  tsm_convert_fn to_bool;
  int64_t found, position;
  size_t rank;
  const int64_t *shape;
  int64_t *out; /* NULL: only count */
} finding;

static void write_index(finding *f) {
  int64_t rest = f->position;
  for (size_t d = f->rank; d-- > 0;) {
    f->out[f->found * (int64_t)f->rank + (int64_t)d] = rest % f->shape[d];
    rest /= f->shape[d];
  }
}

static tsm_status find_row(void *user, char *const *p, const int64_t *s, int64_t n) {
  finding *f = user;
  uint8_t tile[256];
  for (int64_t done = 0; done < n; done += 256) {
    int64_t part = n - done < 256 ? n - done : 256;
    f->to_bool((char *)tile, 1, p[0] + done * s[0], s[0], part);
    for (int64_t i = 0; i < part; i++, f->position++) {
      if (!tile[i]) continue;
      if (f->out) write_index(f);
      f->found++;
    }
  }
  return TSM_OK;
}

static tsm_status find(tsm_opcall *c, const tsm_tensor *t, finding *f) {
  tsm_iter it;
  f->found = f->position = 0;
  tsm_iter_init(&it, t->rank, tsm_shape(t));
  tsm_iter_add_tensor(&it, t);
  return tsm_iter_run(c->ctx, &it, find_row, f);
}

tsm_tensor *tsm_nonzero(tsm_opcall *c, const tsm_tensor *t) {
  finding f = {tsm_convert_loop(t->dtype, TSM_BOOL8), 0, 0, t->rank, tsm_shape(t), NULL};
  if (find(c, t, &f)) return NULL;
  tsm_meta meta = {TSM_I64, 2, {f.found, t->rank}};
  tsm_tensor *out = tsm_tensor_make(c->ctx, &meta, false);
  if (!out) return NULL;
  f.out = (int64_t *)(void *)out->storage->data;
  if (!find(c, t, &f)) return out;
  tsm_unref(&out->head);
  return NULL;
}

tsm_status tsm_k_nonzero(tsm_opcall *c) { return tsm_return_tensor(c, tsm_nonzero(c, tsm_arg_tensor(c, 0))); }
