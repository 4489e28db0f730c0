/* advanced.c - indexing by several tensors at once: index and index_put_.
 * In: for each dimension an index tensor, a mask over several dimensions, or None. Out: a new tensor, or argument 0
 * written. Holds: masks become the indices of their true elements; indices broadcast together and give one offset for
 * each place, so that one gather or scatter does the rest. */
#include "advanced.h"
#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"
#include "scatter.h"

/* What an index list means for `self`. */
typedef struct plan {
  const tsm_tensor *self;
  tsm_tensor *index[TSM_MAX_RANK]; /* owned; NULL: the dimension is kept */
  size_t index_rank;
  int64_t index_shape[TSM_MAX_RANK]; /* of the indices, broadcast */
  size_t position;                   /* where those dimensions go in the result */
  tsm_tensor *offsets;               /* owned: elements from the place without indices */
  size_t rank;
  int64_t shape[TSM_MAX_RANK], self_strides[TSM_MAX_RANK], offset_strides[TSM_MAX_RANK]; /* of the result */
} plan;

static void plan_close(plan *p) {
  for (size_t d = 0; d < TSM_MAX_RANK; d++)
    if (p->index[d]) tsm_unref(&p->index[d]->head);
  if (p->offsets) tsm_unref(&p->offsets->head);
}

static tsm_status raise_too_many(tsm_opcall *c, const tsm_tensor *self) {
  return tsm_raise(c->ctx, "IndexError", "too many indices for tensor of dimension %d", self->rank);
}

/* A mask stands for as many indices as it has dimensions. */
static tsm_status add_mask(tsm_opcall *c, plan *p, const tsm_tensor *mask, size_t dim) {
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
  for (size_t d = 0; d < mask->rank; d++)
    if (tsm_shape(mask)[d] != tsm_shape(p->self)[dim + d])
      return tsm_raise(c->ctx, "IndexError", "The shape of the mask %s at index %zu does not match the shape of the "
                       "indexed tensor %s at index %zu", tsm_list_text(a, tsm_shape(mask), mask->rank), d,
                       tsm_list_text(b, tsm_shape(p->self), p->self->rank), dim + d);
  tsm_tensor *found = tsm_nonzero(c, mask);
  if (!found) return c->ctx->status;
  int64_t count = tsm_shape(found)[0], stride = (int64_t)mask->rank;
  for (size_t d = 0; d < mask->rank; d++) {
    p->index[dim + d] = tsm_tensor_make_view(c->ctx, found, TSM_I64, 1, &count, &stride, count ? (int64_t)d : 0);
    if (!p->index[dim + d]) break;
  }
  tsm_unref(&found->head);
  return c->ctx->status;
}

static tsm_status read_indices(tsm_opcall *c, plan *p, tsm_object *const *indices, int64_t count) {
  size_t dim = 0;
  for (int64_t i = 0; i < count; i++) {
    tsm_tensor *index = (tsm_tensor *)(void *)indices[i];
    bool is_mask = index && (index->dtype == TSM_BOOL8 || index->dtype == TSM_U8);
    size_t taken = is_mask ? index->rank : 1;
    if (dim + taken > p->self->rank) return raise_too_many(c, p->self);
    if (is_mask) {
      if (!index->rank) return tsm_raise(c->ctx, "IndexError", "%s: a mask needs at least one dimension", c->site->op->name);
      tsm_status status = add_mask(c, p, index, dim);
      if (status) return status;
    } else if (index) {
      if (index->dtype != TSM_I32 && index->dtype != TSM_I64)
        return tsm_raise(c->ctx, "IndexError", "tensors used as indices must be long, int, byte or bool tensors");
      tsm_ref(&index->head);
      p->index[dim] = index;
    }
    dim += taken;
  }
  return TSM_OK;
}

static tsm_status broadcast_indices(tsm_opcall *c, plan *p) {
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
  size_t first = TSM_MAX_RANK, last = 0;
  bool is_apart = false;
  for (size_t d = 0; d < p->self->rank; d++) {
    if (!p->index[d]) continue;
    tsm_list_text(a, p->index_shape, p->index_rank);
    if (!tsm_broadcast(p->index_shape, &p->index_rank, tsm_shape(p->index[d]), p->index[d]->rank))
      return tsm_raise(c->ctx, "IndexError", "shape mismatch: indexing tensors could not be broadcast together with "
                       "shapes %s, %s", a, tsm_list_text(b, tsm_shape(p->index[d]), p->index[d]->rank));
    if (first == TSM_MAX_RANK) first = d;
    else is_apart |= d != last + 1;
    last = d;
  }
  p->position = is_apart || first == TSM_MAX_RANK ? 0 : first;
  return TSM_OK;
}

static tsm_status add_row(void *user, char *const *ptr, const int64_t *s, int64_t n) {
  (void)user;
  for (int64_t i = 0; i < n; i++)
    *(int64_t *)(void *)(ptr[0] + i * s[0]) += *(const int64_t *)(const void *)(ptr[1] + i * s[1]);
  return TSM_OK;
}

/* Whether a kept dimension is empty, and no indexed one: no element is looked up then, and PyTorch does not check. */
static bool is_nothing_kept(const plan *p) {
  bool is_nothing = false;
  for (size_t d = 0; d < p->self->rank; d++) {
    if (tsm_shape(p->self)[d]) continue;
    if (p->index[d]) return false;
    is_nothing = true;
  }
  return is_nothing;
}

/* Sums the indices' offsets over their broadcast shape. */
static tsm_status make_offsets(tsm_opcall *c, plan *p) {
  tsm_meta meta = {TSM_I64, (uint8_t)p->index_rank, {0}};
  memcpy(meta.shape, p->index_shape, sizeof meta.shape);
  p->offsets = tsm_tensor_make(c->ctx, &meta, true);
  tsm_status status = p->offsets ? TSM_OK : c->ctx->status;
  if (is_nothing_kept(p)) return status;
  for (size_t d = 0; d < p->self->rank && !status; d++) {
    if (!p->index[d]) continue;
    tsm_tensor *one = tsm_offsets_of(c, p->index[d], tsm_shape(p->self)[d], tsm_strides(p->self)[d], true, "IndexError", d);
    if (!one) return c->ctx->status;
    tsm_iter it;
    tsm_iter_init(&it, p->index_rank, p->index_shape);
    tsm_iter_add_tensor(&it, p->offsets);
    tsm_iter_add_tensor(&it, one);
    status = tsm_iter_run(c->ctx, &it, add_row, NULL);
    tsm_unref(&one->head);
  }
  return status;
}

static void add_dimension(plan *p, int64_t extent, int64_t self_stride, int64_t offset_stride) {
  p->shape[p->rank] = extent;
  p->self_strides[p->rank] = self_stride;
  p->offset_strides[p->rank++] = offset_stride;
}

static void add_index_dimensions(plan *p) {
  for (size_t d = 0; d < p->index_rank; d++) add_dimension(p, p->index_shape[d], 0, tsm_strides(p->offsets)[d]);
}

static tsm_status plan_result(tsm_opcall *c, plan *p) {
  size_t kept = 0;
  for (size_t d = 0; d < p->self->rank; d++) kept += !p->index[d];
  if (kept + p->index_rank > TSM_MAX_RANK) return tsm_raise(c->ctx, "IndexError", "%s: too many dimensions", c->site->op->name);
  bool is_done = false;
  for (size_t d = 0; d <= p->self->rank; d++) {
    if (d == p->position && !is_done) {
      add_index_dimensions(p);
      is_done = true;
    }
    if (d < p->self->rank && !p->index[d]) add_dimension(p, tsm_shape(p->self)[d], tsm_strides(p->self)[d], 0);
  }
  return TSM_OK;
}

static tsm_status plan_make(tsm_opcall *c, plan *p, const tsm_tensor *self, tsm_object *const *indices, int64_t count) {
  memset(p, 0, sizeof *p);
  p->self = self;
  tsm_status status = read_indices(c, p, indices, count);
  if (!status) status = broadcast_indices(c, p);
  if (!status) status = make_offsets(c, p);
  if (!status) status = plan_result(c, p);
  return status;
}

static tsm_status move(tsm_opcall *c, const plan *p, tsm_scatter_mode mode, tsm_place dst, tsm_place src) {
  return tsm_scatter(c, mode, p->self->dtype, p->rank, p->shape, dst, src,
                     (tsm_place){tsm_tensor_read(p->offsets), p->offset_strides});
}

tsm_tensor *tsm_index_read(tsm_opcall *c, const tsm_tensor *self, tsm_object *const *indices, int64_t count) {
  plan p;
  tsm_tensor *out = NULL;
  tsm_status status = plan_make(c, &p, self, indices, count);
  if (!status) {
    tsm_meta meta = {p.self->dtype, (uint8_t)p.rank, {0}};
    memcpy(meta.shape, p.shape, sizeof meta.shape);
    out = tsm_tensor_make(c->ctx, &meta, false);
    status = out ? move(c, &p, TSM_GATHER, (tsm_place){tsm_tensor_read(out), tsm_strides(out)},
                        (tsm_place){tsm_tensor_read(p.self), p.self_strides})
                 : c->ctx->status;
  }
  plan_close(&p);
  if (!status) return out;
  if (out) tsm_unref(&out->head);
  return NULL;
}

tsm_status tsm_k_index(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 1);
  return tsm_return_tensor(c, tsm_index_read(c, tsm_arg_tensor(c, 0), l->as.ref, l->length));
}

static tsm_status check_put(tsm_opcall *c, const plan *p, const tsm_tensor *values) {
  int64_t shape[TSM_MAX_RANK];
  size_t rank = p->rank, lead = 0;
  char a[TSM_SHAPE_TEXT], b[TSM_SHAPE_TEXT];
  memcpy(shape, p->shape, sizeof shape);
  while (lead < values->rank && values->rank - lead > rank && tsm_shape(values)[lead] == 1) lead++;
  if (values->rank - lead > rank || !tsm_broadcast(shape, &rank, tsm_shape(values) + lead, values->rank - lead) ||
      memcmp(shape, p->shape, rank * sizeof *shape))
    return tsm_raise(c->ctx, "RuntimeError", "shape mismatch: value tensor of shape %s cannot be broadcast to indexing result "
                     "of shape %s", tsm_list_text(a, tsm_shape(values), values->rank), tsm_list_text(b, p->shape, p->rank));
  return TSM_OK;
}

static tsm_status put(tsm_opcall *c, const plan *p, tsm_tensor *self, const tsm_tensor *values, bool accumulate) {
  int64_t strides[TSM_MAX_RANK] = {0};
  size_t taken = values->rank < p->rank ? values->rank : p->rank;
  for (size_t d = 0; d < taken; d++) {
    size_t from = values->rank - taken + d;
    strides[p->rank - taken + d] = tsm_shape(values)[from] == 1 ? 0 : tsm_strides(values)[from];
  }
  if (!tsm_tensor_writable(c->ctx, self)) return c->ctx->status;
  return move(c, p, accumulate ? TSM_SCATTER_ADD : TSM_SCATTER, (tsm_place){tsm_tensor_read(p->self), p->self_strides},
              (tsm_place){tsm_tensor_read(values), strides});
}

/* One value written through a single mask is a fill, which converts it. */
static bool is_masked_fill(tsm_object *const *indices, int64_t count, const tsm_tensor *values) {
  const tsm_tensor *only = NULL;
  for (int64_t i = 0; i < count; i++) {
    const tsm_tensor *index = (const tsm_tensor *)(const void *)indices[i];
    if (!index) continue;
    if (only) return false;
    only = index;
  }
  return only && (only->dtype == TSM_BOOL8 || only->dtype == TSM_U8) && values->numel == 1;
}

/* The values in self's dtype and in memory of their own, owned by the caller. NULL: raised. */
static tsm_tensor *filling(tsm_opcall *c, const tsm_tensor *self, const tsm_tensor *values) {
  tsm_pair scalar;
  if (tsm_tensor_item(c->ctx, values, &scalar) || tsm_check_scalar(c, self->dtype, scalar)) return NULL;
  tsm_meta meta = {self->dtype, values->rank, {0}};
  memcpy(meta.shape, tsm_shape(values), values->rank * sizeof(int64_t));
  tsm_tensor *made = tsm_tensor_make(c->ctx, &meta, false);
  if (made) tsm_element_store(self->dtype, made->storage->data, scalar);
  return made;
}

static tsm_tensor *values_apart(tsm_opcall *c, const tsm_tensor *self, tsm_object *const *indices, int64_t count,
                                tsm_tensor *values, bool accumulate) {
  if (tsm_check_no_overlap(c->ctx, self)) return NULL;
  if (!accumulate && is_masked_fill(indices, count, values)) return filling(c, self, values);
  if (self->dtype == values->dtype) return tsm_tensor_apart(c->ctx, self, values);
  tsm_raise(c->ctx, "RuntimeError", "Index put requires the source and destination dtypes match, got %s for the destination "
            "and %s for the source.", tsm_dtype_torch_name(self->dtype), tsm_dtype_torch_name(values->dtype));
  return NULL;
}

tsm_status tsm_index_write(tsm_opcall *c, tsm_tensor *self, tsm_object *const *indices, int64_t count,
                           tsm_tensor *values, bool accumulate) {
  tsm_tensor *apart = values_apart(c, self, indices, count, values, accumulate);
  if (!apart) return c->ctx->status;
  plan p;
  tsm_status status = plan_make(c, &p, self, indices, count);
  if (!status) status = check_put(c, &p, apart);
  if (!status) status = put(c, &p, self, apart, accumulate);
  plan_close(&p);
  tsm_unref(&apart->head);
  return status;
}

tsm_status tsm_k_index_put_(tsm_opcall *c) {
  const tsm_list *l = tsm_arg_list(c, 1);
  tsm_status status = tsm_index_write(c, tsm_arg_tensor(c, 0), l->as.ref, l->length, tsm_arg_tensor(c, 2), tsm_arg_bool(c, 3));
  return status ? status : tsm_return_self(c);
}
