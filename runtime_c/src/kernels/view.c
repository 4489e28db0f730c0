/* view.c - other windows over the same memory, and what returns its argument when nothing is to be done.
 * In: a tensor, dimensions. Out: a view, the tensor itself, or (reshape, contiguous, to) a copy.
 * Holds: the same objects alias as in PyTorch; views read no elements, so they work without memory. */
#include "arguments.h"
#include "kernels.h"

typedef struct geometry { size_t rank; int64_t shape[TSM_MAX_RANK], strides[TSM_MAX_RANK], offset; } geometry;

static void geometry_of(const tsm_tensor *t, geometry *g) {
  g->rank = t->rank;
  g->offset = t->offset;
  memcpy(g->shape, tsm_shape(t), t->rank * sizeof(int64_t));
  memcpy(g->strides, tsm_strides(t), t->rank * sizeof(int64_t));
}

static tsm_tensor *view_of(tsm_opcall *c, const tsm_tensor *t, const geometry *g) {
  bool is_empty = false;
  for (size_t d = 0; d < g->rank; d++) is_empty |= g->shape[d] == 0;
  /* without elements an offset could point behind the memory */
  return tsm_tensor_make_view(c->ctx, t, t->dtype, g->rank, g->shape, g->strides, is_empty ? t->offset : g->offset);
}

static tsm_status return_view(tsm_opcall *c, const geometry *g) {
  return tsm_return_tensor(c, view_of(c, tsm_arg_tensor(c, 0), g));
}

static tsm_status return_same(tsm_opcall *c) {
  tsm_tensor *self = tsm_arg_tensor(c, 0);
  tsm_ref(&self->head);
  return tsm_return_tensor(c, self);
}

static void remove_dimension(geometry *g, size_t dim) {
  g->rank--;
  memmove(g->shape + dim, g->shape + dim + 1, (g->rank - dim) * sizeof(int64_t));
  memmove(g->strides + dim, g->strides + dim + 1, (g->rank - dim) * sizeof(int64_t));
}

/* Reads a shape in which one extent may be -1, to be inferred. */
static tsm_status read_view_shape(tsm_opcall *c, geometry *g) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  const tsm_list *l = tsm_arg_list(c, 1);
  const char *name = c->site->op->name;
  char text[TSM_SHAPE_TEXT];
  int64_t known = 1, unknown = -1;
  bool is_overflow = false, is_empty = false;
  if (l->length > TSM_MAX_RANK) return tsm_raise(c->ctx, "RuntimeError", "%s: too many dimensions", name);
  g->rank = (size_t)l->length;
  g->offset = t->offset;
  for (int64_t d = 0; d < l->length; d++) {
    int64_t extent = g->shape[d] = l->as.i64[d];
    if (extent < -1)
      return tsm_raise(c->ctx, "RuntimeError", "invalid shape dimension %lld at index %lld of shape %s",
                       (long long)extent, (long long)d, tsm_list_text(text, l->as.i64, g->rank));
    if (extent == -1 && unknown >= 0)
      return tsm_raise(c->ctx, "RuntimeError", "only one dimension can be inferred");
    if (extent == -1) unknown = d;
    else if (extent == 0) is_empty = true;
    else is_overflow |= tsm_mul_overflows(known, extent, &known);
  }
  if (is_empty) known = 0; /* strides are made of the other extents: these too must not overflow */
  tsm_list_text(text, l->as.i64, g->rank);
  if (unknown >= 0 && known == 0 && !is_overflow)
    return tsm_raise(c->ctx, "RuntimeError", "cannot reshape tensor of 0 elements into shape %s because the "
                     "unspecified dimension size -1 can be any value and is ambiguous", text);
  if (is_overflow || (unknown >= 0 ? t->numel % known : t->numel - known))
    return tsm_raise(c->ctx, "RuntimeError", "shape '%s' is invalid for input of size %lld", text,
                     (long long)t->numel);
  if (unknown >= 0) g->shape[unknown] = t->numel / known;
  return TSM_OK;
}

static void contiguous_strides(geometry *g) {
  int64_t next = 1;
  for (size_t d = g->rank; d-- > 0;) {
    g->strides[d] = next;
    next *= g->shape[d] > 1 ? g->shape[d] : 1;
  }
}

/* Strides that give g->shape over t's memory; false if t's dimensions cannot be cut and joined so. */
static bool find_view_strides(const tsm_tensor *t, geometry *g) {
  if (t->is_contiguous || !t->numel) {
    contiguous_strides(g);
    return true;
  }
  int64_t chunk = 1, filled = 1, base = tsm_strides(t)[t->rank - 1];
  size_t to = g->rank;
  for (size_t d = t->rank; d-- > 0;) {
    chunk *= tsm_shape(t)[d];
    if (d > 0 && (tsm_shape(t)[d - 1] == 1 || tsm_strides(t)[d - 1] == chunk * base)) continue;
    while (to > 0 && (filled < chunk || g->shape[to - 1] == 1)) {
      g->strides[--to] = filled * base;
      filled *= g->shape[to];
    }
    if (filled != chunk) return false;
    if (d > 0) base = tsm_strides(t)[d - 1];
    chunk = filled = 1;
  }
  return to == 0;
}

tsm_status tsm_k_t_view(tsm_opcall *c) {
  geometry g;
  tsm_status status = read_view_shape(c, &g);
  if (status) return status;
  if (find_view_strides(tsm_arg_tensor(c, 0), &g)) return return_view(c, &g);
  return tsm_raise(c->ctx, "RuntimeError",
                   "view size is not compatible with input tensor's size and stride (at least one dimension spans "
                   "across two contiguous subspaces). Use .reshape(...) instead.");
}

static tsm_status reshape_to(tsm_opcall *c, geometry *g) {
  tsm_tensor *self = tsm_arg_tensor(c, 0);
  if (find_view_strides(self, g)) return return_view(c, g);
  tsm_tensor *copy = tsm_tensor_contiguous(c->ctx, self);
  if (!copy) return c->ctx->status;
  contiguous_strides(g);
  g->offset = 0;
  tsm_tensor *result = view_of(c, copy, g);
  tsm_unref(&copy->head);
  return tsm_return_tensor(c, result);
}

tsm_status tsm_k_t_reshape(tsm_opcall *c) {
  geometry g;
  tsm_status status = read_view_shape(c, &g);
  return status ? status : reshape_to(c, &g);
}

tsm_status tsm_k_t_flatten(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  size_t start, end;
  geometry g;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), t->rank, &start);
  if (!status) status = tsm_dim_wrap(c, tsm_arg_int(c, 2), t->rank, &end);
  if (status) return status;
  if (start > end)
    return tsm_raise(c->ctx, "RuntimeError", "flatten: start_dim cannot come after end_dim");
  if (t->rank && start == end) return return_same(c);
  geometry_of(t, &g);
  if (!t->rank) {
    g.rank = 1;
    g.shape[0] = 1;
    return reshape_to(c, &g);
  }
  for (size_t d = start + 1; d <= end; d++) g.shape[start] *= g.shape[d];
  for (size_t d = end + 1; d < t->rank; d++) g.shape[start + (d - end)] = g.shape[d];
  g.rank = t->rank - (end - start);
  return reshape_to(c, &g);
}

tsm_status tsm_k_t_permute(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  const tsm_list *dims = tsm_arg_list(c, 1);
  bool seen[TSM_MAX_RANK] = {false};
  geometry g;
  if (dims->length != t->rank)
    return tsm_raise(c->ctx, "RuntimeError", "permute: %lld dimensions are given for a tensor of %d",
                     (long long)dims->length, t->rank);
  geometry_of(t, &g);
  for (size_t d = 0; d < t->rank; d++) {
    size_t from;
    tsm_status status = tsm_dim_wrap(c, dims->as.i64[d], t->rank, &from);
    if (status) return status;
    if (seen[from]) return tsm_raise(c->ctx, "RuntimeError", "permute(): duplicate dims are not allowed.");
    seen[from] = true;
    g.shape[d] = tsm_shape(t)[from];
    g.strides[d] = tsm_strides(t)[from];
  }
  return return_view(c, &g);
}

static tsm_status swap_dimensions(tsm_opcall *c, size_t a, size_t b) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  geometry g;
  geometry_of(t, &g);
  if (a != b) {
    g.shape[a] = tsm_shape(t)[b];
    g.shape[b] = tsm_shape(t)[a];
    g.strides[a] = tsm_strides(t)[b];
    g.strides[b] = tsm_strides(t)[a];
  }
  return return_view(c, &g);
}

tsm_status tsm_k_t_transpose(tsm_opcall *c) {
  size_t a, b;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), tsm_arg_tensor(c, 0)->rank, &a);
  if (!status) status = tsm_dim_wrap(c, tsm_arg_int(c, 2), tsm_arg_tensor(c, 0)->rank, &b);
  return status ? status : swap_dimensions(c, a, b);
}

tsm_status tsm_k_t_t(tsm_opcall *c) {
  uint8_t rank = tsm_arg_tensor(c, 0)->rank;
  if (rank > 2) return tsm_raise(c->ctx, "RuntimeError", "t: expects a tensor with at most 2 dimensions, but got %d", rank);
  return swap_dimensions(c, 0, rank < 2 ? 0 : 1);
}

tsm_status tsm_k_t_turned(tsm_opcall *c) {
  uint8_t rank = tsm_arg_tensor(c, 0)->rank;
  if (rank < 2)
    return tsm_raise(c->ctx, "RuntimeError", "tensor.mT is only supported on matrices or batches of matrices. Got %d-D "
                     "tensor.", rank);
  return swap_dimensions(c, rank - 2u, rank - 1u);
}

tsm_status tsm_k_t_squeeze(tsm_opcall *c) {
  geometry g;
  geometry_of(tsm_arg_tensor(c, 0), &g);
  for (size_t d = g.rank; d-- > 0;)
    if (g.shape[d] == 1) remove_dimension(&g, d);
  return return_view(c, &g);
}

tsm_status tsm_k_t_squeeze_dim(tsm_opcall *c) {
  geometry g;
  size_t dim;
  geometry_of(tsm_arg_tensor(c, 0), &g);
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), g.rank, &dim);
  if (status) return status;
  if (g.rank && g.shape[dim] == 1) remove_dimension(&g, dim);
  return return_view(c, &g);
}

tsm_status tsm_k_t_unsqueeze(tsm_opcall *c) {
  geometry g;
  size_t dim;
  geometry_of(tsm_arg_tensor(c, 0), &g);
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), g.rank + 1, &dim);
  if (status) return status;
  if (g.rank == TSM_MAX_RANK) return tsm_raise(c->ctx, "RuntimeError", "unsqueeze: too many dimensions");
  int64_t stride = dim < g.rank ? g.shape[dim] * g.strides[dim] : 1;
  memmove(g.shape + dim + 1, g.shape + dim, (g.rank - dim) * sizeof(int64_t));
  memmove(g.strides + dim + 1, g.strides + dim, (g.rank - dim) * sizeof(int64_t));
  g.shape[dim] = 1;
  g.strides[dim] = stride;
  g.rank++;
  return return_view(c, &g);
}

tsm_status tsm_k_t_expand(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  const tsm_list *size = tsm_arg_list(c, 1);
  tsm_meta meta = {TSM_U8, (uint8_t)(size->length <= TSM_MAX_RANK ? size->length : 0), {0}};
  geometry g;
  if (size->length > TSM_MAX_RANK) return tsm_raise(c->ctx, "RuntimeError", "expand: too many dimensions");
  if (size->length < t->rank)
    return tsm_raise_expand(c, t, size->as.i64, (size_t)size->length);
  g.rank = (size_t)size->length;
  g.offset = t->offset;
  size_t lead = g.rank - t->rank;
  for (size_t d = 0; d < g.rank; d++) {
    int64_t from = d < lead ? 1 : tsm_shape(t)[d - lead], to = size->as.i64[d];
    if (to == -1 && d >= lead) to = from;
    if (to < 0 || (to != from && from != 1)) return tsm_raise_expand(c, t, size->as.i64, g.rank);
    g.shape[d] = meta.shape[d] = to;
    g.strides[d] = d < lead || to != from ? 0 : tsm_strides(t)[d - lead];
  }
  int64_t numel;
  size_t bytes;
  if (!tsm_meta_bytes(&meta, &numel, &bytes)) return tsm_raise(c->ctx, "RuntimeError", "expand: the result is too large");
  return return_view(c, &g);
}

tsm_status tsm_k_t_as_strided(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  const tsm_list *size = tsm_arg_list(c, 1), *stride = tsm_arg_list(c, 2);
  geometry g;
  if (size->length != stride->length)
    return tsm_raise(c->ctx, "RuntimeError", "mismatch in length of strides and shape");
  if (size->length > TSM_MAX_RANK) return tsm_raise(c->ctx, "RuntimeError", "as_strided: too many dimensions");
  g.rank = (size_t)size->length;
  g.offset = tsm_arg_is_none(c, 3) ? t->offset : tsm_arg_pair(c, 3).as.i;
  for (size_t d = 0; d < g.rank; d++) {
    g.shape[d] = size->as.i64[d];
    g.strides[d] = stride->as.i64[d];
    if (g.shape[d] < 0 || g.strides[d] < 0)
      return tsm_raise(c->ctx, "RuntimeError", "as_strided: extents and strides must not be negative");
  }
  if (g.offset < 0 || !tsm_window_is_inside(t->storage->bytes, tsm_item_size(t->dtype), g.rank, g.shape, g.strides,
                                            g.offset))
    return tsm_raise(c->ctx, "RuntimeError", "as_strided: the window reaches outside of the tensor's memory");
  return return_view(c, &g);
}

/* The dimension that an item of a subscript is for: argument 1. */
static tsm_status find_dimension(tsm_opcall *c, const tsm_tensor *t, size_t *out_dim) {
  int64_t dim = tsm_arg_int(c, 1);
  if (dim >= -t->rank && dim < t->rank) return tsm_dim_wrap(c, dim, t->rank, out_dim);
  if (!t->rank && (dim == 0 || dim == -1))
    return tsm_raise(c->ctx, "IndexError", "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                     "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number");
  return tsm_raise(c->ctx, "IndexError", "too many indices for tensor of dimension %d", t->rank);
}

tsm_status tsm_k_t_select(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  int64_t index = tsm_arg_int(c, 2);
  size_t dim;
  geometry g;
  tsm_status status = find_dimension(c, t, &dim);
  if (status) return status;
  int64_t extent = tsm_shape(t)[dim];
  if (index < -extent || index >= extent)
    return tsm_raise(c->ctx, "IndexError", "index %lld is out of bounds for dimension %zu with size %lld",
                     (long long)index, dim, (long long)extent);
  geometry_of(t, &g);
  g.offset += (index < 0 ? index + extent : index) * g.strides[dim];
  remove_dimension(&g, dim);
  return return_view(c, &g);
}

static int64_t clipped(int64_t at, int64_t extent) {
  if (at < 0) at += extent;
  return at < 0 ? 0 : at > extent ? extent : at;
}

tsm_status tsm_k_t_slice(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  int64_t step = tsm_arg_int(c, 4);
  size_t dim;
  geometry g;
  tsm_status status = find_dimension(c, t, &dim);
  if (status) return status;
  if (step < 1) return tsm_raise(c->ctx, "ValueError", "step must be greater than zero");
  geometry_of(t, &g);
  int64_t extent = g.shape[dim];
  int64_t start = tsm_arg_is_none(c, 2) ? 0 : clipped(tsm_arg_pair(c, 2).as.i, extent);
  int64_t end = tsm_arg_is_none(c, 3) ? extent : clipped(tsm_arg_pair(c, 3).as.i, extent);
  if (end < start) end = start;
  g.shape[dim] = (end - start) / step + ((end - start) % step != 0);
  g.offset += start * g.strides[dim];
  if (tsm_mul_overflows(g.strides[dim], step, &g.strides[dim])) g.strides[dim] = 1; /* at most one element is left */
  return return_view(c, &g);
}

tsm_status tsm_k_t_narrow(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  int64_t start = tsm_arg_int(c, 2), length = tsm_arg_int(c, 3);
  size_t dim;
  geometry g;
  if (!t->rank) return tsm_raise(c->ctx, "RuntimeError", "narrow: cannot be applied to a 0-dim tensor");
  if (length < 0) return tsm_raise(c->ctx, "RuntimeError", "narrow: length must be non-negative");
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), t->rank, &dim);
  if (status) return status;
  geometry_of(t, &g);
  int64_t extent = g.shape[dim];
  if (start < -extent || start > extent)
    return tsm_raise(c->ctx, "IndexError", "start out of range (expected to be in range of [%lld, %lld], but got "
                     "%lld)", (long long)-extent, (long long)extent, (long long)start);
  if (start < 0) start += extent;
  if (length > extent - start)
    return tsm_raise(c->ctx, "RuntimeError", "start (%lld) + length (%lld) exceeds dimension size (%lld).",
                     (long long)start, (long long)length, (long long)extent);
  g.offset += start * g.strides[dim];
  g.shape[dim] = length;
  return return_view(c, &g);
}

/* Appends a view to a list; on failure the list is released. */
static bool push_view(tsm_opcall *c, tsm_list *l, const geometry *g) {
  tsm_tensor *view = tsm_pay(c->ctx, 1, TSM_COST_ENTRY) ? view_of(c, tsm_arg_tensor(c, 0), g) : NULL;
  if (view) {
    tsm_slot slot;
    slot.tensor = view;
    if (!tsm_list_push(l, &slot)) return true;
    tsm_out_of_memory(c->ctx);
  }
  tsm_unref(&l->head);
  return false;
}

static tsm_list *new_list(tsm_opcall *c, int64_t reserve) {
  tsm_list *l = tsm_list_make(c->ctx->heap, TSM_L_REF, tsm_result_type(c, 0), reserve);
  if (!l) tsm_out_of_memory(c->ctx);
  return l;
}

tsm_status tsm_k_t_unbind(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  size_t dim;
  geometry g;
  if (!t->rank) return tsm_raise(c->ctx, "IndexError", "unbind: Dimension specified as %lld but tensor has no dimensions",
                                 (long long)tsm_arg_int(c, 1));
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), t->rank, &dim);
  if (status) return status;
  tsm_list *l = new_list(c, tsm_shape(t)[dim]);
  if (!l) return c->ctx->status;
  for (int64_t i = 0; i < tsm_shape(t)[dim]; i++) {
    geometry_of(t, &g);
    g.offset += i * g.strides[dim];
    remove_dimension(&g, dim);
    if (!push_view(c, l, &g)) return c->ctx->status;
  }
  tsm_return_ref(c, 0, &l->head);
  return TSM_OK;
}

/* `count` parts of `size` along `dim`, the last ones shorter or empty. */
static tsm_status split_into(tsm_opcall *c, size_t dim, int64_t size, int64_t count) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  tsm_list *l = new_list(c, count);
  if (!l) return c->ctx->status;
  int64_t extent = tsm_shape(t)[dim];
  for (int64_t i = 0; i < count; i++) {
    geometry g;
    geometry_of(t, &g);
    int64_t start = i * size, rest = extent - start;
    g.offset += start * g.strides[dim];
    g.shape[dim] = rest < size ? rest : size;
    if (!push_view(c, l, &g)) return c->ctx->status;
  }
  tsm_return_ref(c, 0, &l->head);
  return TSM_OK;
}

tsm_status tsm_k_t_split(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  int64_t size = tsm_arg_int(c, 1);
  size_t dim;
  if (!t->rank) return tsm_raise(c->ctx, "RuntimeError", "split: expects at least a 1-dimensional tensor");
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 2), t->rank, &dim);
  if (status) return status;
  int64_t extent = tsm_shape(t)[dim];
  if (size < 0) return tsm_raise(c->ctx, "RuntimeError", "split: split_size must be non-negative, but got %lld", (long long)size);
  if (size == 0 && extent)
    return tsm_raise(c->ctx, "RuntimeError", "split_size can only be 0 if dimension size is 0, but got dimension "
                     "size of %lld", (long long)extent);
  int64_t count = size ? extent / size + (extent % size != 0) : 1;
  return split_into(c, dim, size, count ? count : 1);
}

tsm_status tsm_k_t_chunk(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  int64_t chunks = tsm_arg_int(c, 1);
  size_t dim;
  if (!t->rank) return tsm_raise(c->ctx, "RuntimeError", "chunk: expects at least a 1-dimensional tensor");
  if (chunks < 1) return tsm_raise(c->ctx, "RuntimeError", "chunk expects `chunks` to be greater than 0, got: %lld",
                                   (long long)chunks);
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 2), t->rank, &dim);
  if (status) return status;
  int64_t extent = tsm_shape(t)[dim];
  if (!extent) return split_into(c, dim, 0, chunks);
  int64_t size = extent / chunks + (extent % chunks != 0);
  return split_into(c, dim, size, extent / size + (extent % size != 0));
}

tsm_status tsm_k_t_diagonal(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  int64_t shift = tsm_arg_int(c, 1);
  size_t a, b;
  geometry g;
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 2), t->rank, &a);
  if (!status) status = tsm_dim_wrap(c, tsm_arg_int(c, 3), t->rank, &b);
  if (status) return status;
  if (a == b || t->rank < 2)
    return tsm_raise(c->ctx, "RuntimeError", "diagonal: dimensions cannot be identical %zu, %zu", a, b);
  geometry_of(t, &g);
  int64_t rows = g.shape[a], columns = g.shape[b], stride = g.strides[a] + g.strides[b], length = 0;
  if (shift >= 0 && shift < columns) length = columns - shift < rows ? columns - shift : rows;
  if (shift < 0 && shift > -rows) length = rows + shift < columns ? rows + shift : columns;
  if (length > 0) g.offset += shift >= 0 ? shift * g.strides[b] : -shift * g.strides[a];
  remove_dimension(&g, a > b ? a : b);
  remove_dimension(&g, a > b ? b : a);
  g.shape[g.rank] = length;
  g.strides[g.rank++] = stride;
  return return_view(c, &g);
}

tsm_status tsm_k_t_contiguous(tsm_opcall *c) {
  return tsm_return_tensor(c, tsm_tensor_contiguous(c->ctx, tsm_arg_tensor(c, 0)));
}

tsm_status tsm_k_t_pos(tsm_opcall *c) {
  if (tsm_arg_tensor(c, 0)->dtype != TSM_BOOL8) return return_same(c);
  return tsm_raise(c->ctx, "RuntimeError", "%s: the `+` operator on a bool tensor is not supported", c->site->op->name);
}

tsm_status tsm_k_t_detach(tsm_opcall *c) {
  geometry g;
  geometry_of(tsm_arg_tensor(c, 0), &g);
  return return_view(c, &g);
}

static tsm_status convert_to(tsm_opcall *c, uint8_t dtype) {
  const tsm_tensor *self = tsm_arg_tensor(c, 0);
  if (self->dtype == dtype) return return_same(c);
  tsm_meta meta;
  tsm_meta_of(self, &meta);
  meta.dtype = dtype;
  tsm_tensor *result = tsm_tensor_make(c->ctx, &meta, false);
  if (result && tsm_tensor_copy_into(c->ctx, result, self)) {
    tsm_unref(&result->head);
    return c->ctx->status;
  }
  return tsm_return_tensor(c, result);
}

tsm_status tsm_k_t_to(tsm_opcall *c) { return convert_to(c, (uint8_t)tsm_arg_int(c, 1)); }
tsm_status tsm_k_t_cast_f32(tsm_opcall *c) { return convert_to(c, TSM_F32); }
tsm_status tsm_k_t_cast_f64(tsm_opcall *c) { return convert_to(c, TSM_F64); }
tsm_status tsm_k_t_cast_bf16(tsm_opcall *c) { return convert_to(c, TSM_BF16); }
tsm_status tsm_k_t_cast_i64(tsm_opcall *c) { return convert_to(c, TSM_I64); }
tsm_status tsm_k_t_cast_i32(tsm_opcall *c) { return convert_to(c, TSM_I32); }
tsm_status tsm_k_t_cast_bool(tsm_opcall *c) { return convert_to(c, TSM_BOOL8); }

tsm_status tsm_k_t_view_dtype(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  uint8_t dtype = (uint8_t)tsm_arg_int(c, 1);
  if (tsm_item_size(dtype) != tsm_item_size(t->dtype))
    return tsm_raise(c->ctx, "RuntimeError", "view: elements of %s and %s differ in size",
                     tsm_dtype_name((tsm_dtype)t->dtype), tsm_dtype_name((tsm_dtype)dtype));
  return tsm_return_tensor(c, tsm_tensor_make_view(c->ctx, t, dtype, t->rank, tsm_shape(t), tsm_strides(t), t->offset));
}
