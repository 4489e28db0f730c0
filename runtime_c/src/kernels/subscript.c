/* subscript.c - a tensor's subscript whose meaning depends on ranks that only running shows: getitem and setitem.
 * In: one letter an index item, the numbers and tensors they take in order. Out: a window, elements, or a write.
 * Holds: the same rules as the steps that the binding plans when ranks are known (binding/indexing.py). */
#include "advanced.h"
#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"

typedef struct subscript {
  const tsm_tensor *self;
  const tsm_list *numbers, *tensors;
  int64_t number, tensor;             /* next of each */
  size_t rank, dim, free;             /* of the window; where the next item goes; what the ellipsis stands for */
  size_t seen;                        /* dimensions of self that the items so far took up */
  int64_t shape[TSM_MAX_RANK], strides[TSM_MAX_RANK], offset;
  tsm_object *indices[TSM_MAX_RANK];  /* owned; NULL: the dimension is kept */
  int64_t count;
  size_t held; /* dimensions that `indices` covers */
} subscript;

static bool is_mask(const tsm_tensor *t) { return t->dtype == TSM_BOOL8 || t->dtype == TSM_U8; }

static void subscript_close(subscript *s) {
  for (int64_t i = 0; i < s->count; i++)
    if (s->indices[i]) tsm_unref(s->indices[i]);
}

static tsm_status take_number(tsm_opcall *c, subscript *s, tsm_pair *out) {
  if (s->number >= s->numbers->length) return tsm_raise(c->ctx, "IndexError", "%s: too few numbers", c->site->op->name);
  *out = s->numbers->as.pair[s->number++];
  return TSM_OK;
}

static tsm_tensor *next_tensor(subscript *s) { return (tsm_tensor *)(void *)s->tensors->as.ref[s->tensor++]; }

/* How many dimensions the items take up, and so what an ellipsis stands for. */
static tsm_status count_dimensions(tsm_opcall *c, subscript *s, const char *items, int64_t length) {
  size_t taken = 0;
  for (int64_t i = 0; i < length; i++) {
    if (items[i] == 'i' || items[i] == 's') taken++;
    if (items[i] != 't') continue;
    if (s->tensor >= s->tensors->length) return tsm_raise(c->ctx, "IndexError", "%s: too few tensors", c->site->op->name);
    const tsm_tensor *t = next_tensor(s);
    taken += is_mask(t) ? t->rank : 1u;
  }
  s->tensor = 0;
  if (taken > s->rank)
    return tsm_raise(c->ctx, "IndexError", "too many indices for tensor of dimension %d", s->self->rank);
  s->free = s->rank - taken;
  return TSM_OK;
}

static tsm_status insert_dimension(tsm_opcall *c, subscript *s) {
  if (s->rank == TSM_MAX_RANK) return tsm_raise(c->ctx, "RuntimeError", "%s: too many dimensions", c->site->op->name);
  memmove(s->shape + s->dim + 1, s->shape + s->dim, (s->rank - s->dim) * sizeof(int64_t));
  memmove(s->strides + s->dim + 1, s->strides + s->dim, (s->rank - s->dim) * sizeof(int64_t));
  s->shape[s->dim] = 1;
  s->strides[s->dim] = s->dim < s->rank ? s->shape[s->dim + 1] * s->strides[s->dim + 1] : 1;
  s->rank++;
  return TSM_OK;
}

static tsm_status take_select(tsm_opcall *c, subscript *s, int64_t index) {
  size_t place = s->seen++;
  int64_t extent = s->shape[s->dim];
  if (index < -extent || index >= extent)
    return tsm_raise(c->ctx, "IndexError", "index %lld is out of bounds for dimension %zu with size %lld", (long long)index,
                     place, (long long)extent);
  s->offset += (index < 0 ? index + extent : index) * s->strides[s->dim];
  s->rank--;
  memmove(s->shape + s->dim, s->shape + s->dim + 1, (s->rank - s->dim) * sizeof(int64_t));
  memmove(s->strides + s->dim, s->strides + s->dim + 1, (s->rank - s->dim) * sizeof(int64_t));
  return TSM_OK;
}

static int64_t bound(tsm_pair p, int64_t otherwise, int64_t extent) {
  if (p.tag == TSM_NONE) return otherwise;
  int64_t at = p.as.i < 0 ? p.as.i + extent : p.as.i;
  return at < 0 ? 0 : at > extent ? extent : at;
}

static tsm_status take_slice(tsm_opcall *c, subscript *s) {
  tsm_pair parts[3];
  for (int i = 0; i < 3; i++)
    if (take_number(c, s, &parts[i])) return c->ctx->status;
  int64_t step = parts[2].tag == TSM_NONE ? 1 : parts[2].as.i, extent = s->shape[s->dim];
  if (step < 1) return tsm_raise(c->ctx, "ValueError", "step must be greater than zero");
  s->seen++;
  int64_t start = bound(parts[0], 0, extent), end = bound(parts[1], extent, extent);
  if (end < start) end = start;
  s->shape[s->dim] = (end - start) / step + ((end - start) % step != 0);
  s->offset += start * s->strides[s->dim];
  /* where it overflows at most one element is left */
  if (tsm_mul_overflows(s->strides[s->dim], step, &s->strides[s->dim])) s->strides[s->dim] = 1;
  s->dim++;
  return TSM_OK;
}

/* A mask of rank 0 chooses all or nothing of a new dimension. */
static tsm_tensor *as_vector(tsm_opcall *c, const tsm_tensor *mask) {
  int64_t one = 1;
  return tsm_tensor_make_view(c->ctx, mask, mask->dtype, 1, &one, &one, mask->offset);
}

static tsm_status take_tensor(tsm_opcall *c, subscript *s) {
  tsm_tensor *t = next_tensor(s);
  if (!t->rank && !is_mask(t) && !tsm_dtype_is_float(t->dtype)) {
    tsm_pair at;
    tsm_status status = tsm_tensor_item(c->ctx, t, &at);
    return status ? status : take_select(c, s, at.as.i);
  }
  bool is_new = !t->rank && is_mask(t);
  if (is_new && insert_dimension(c, s)) return c->ctx->status;
  size_t taken = is_mask(t) && t->rank ? t->rank : 1;
  if (s->count + (int64_t)(s->dim - s->held) >= TSM_MAX_RANK)
    return tsm_raise(c->ctx, "IndexError", "%s: too many indices", c->site->op->name);
  while (s->held < s->dim) {
    s->indices[s->count++] = NULL;
    s->held++;
  }
  tsm_tensor *index = is_new ? as_vector(c, t) : t;
  if (!index) return c->ctx->status;
  if (!is_new) tsm_ref(&index->head);
  s->indices[s->count++] = &index->head;
  s->held += taken;
  s->dim += taken;
  s->seen += is_new ? 0 : taken;
  return TSM_OK;
}

static tsm_status take(tsm_opcall *c, subscript *s, char item) {
  tsm_pair number = {TSM_NONE, {0}};
  tsm_status status;
  switch (item) {
    case 'i': return (status = take_number(c, s, &number)) ? status : take_select(c, s, number.as.i);
    case 's': return take_slice(c, s);
    case 't': return take_tensor(c, s);
    case 'n':
      status = insert_dimension(c, s);
      s->dim++;
      return status;
    case 'e': /* a second ellipsis stands for no dimension */
      s->dim += s->free;
      s->seen += s->free;
      s->free = 0;
      return TSM_OK;
    default: return tsm_raise(c->ctx, "IndexError", "%s: unknown item '%c'", c->site->op->name, item);
  }
}

/* The window before indexing by tensors, owned by the caller; s->indices say what is left to do. NULL: raised. */
static tsm_tensor *window(tsm_opcall *c, subscript *s) {
  memset(s, 0, sizeof *s);
  s->self = tsm_arg_tensor(c, 0);
  s->numbers = tsm_arg_list(c, 2);
  s->tensors = tsm_arg_list(c, 3);
  s->rank = s->self->rank;
  s->offset = s->self->offset;
  memcpy(s->shape, tsm_shape(s->self), s->rank * sizeof(int64_t));
  memcpy(s->strides, tsm_strides(s->self), s->rank * sizeof(int64_t));
  const tsm_str *items = tsm_arg_str(c, 1);
  if (count_dimensions(c, s, items->bytes, (int64_t)items->length)) return NULL;
  for (int64_t i = 0; i < (int64_t)items->length; i++)
    if (take(c, s, items->bytes[i])) return NULL;
  bool is_empty = false;
  for (size_t d = 0; d < s->rank; d++) is_empty |= s->shape[d] == 0;
  /* without elements an offset could point behind the memory */
  return tsm_tensor_make_view(c->ctx, s->self, s->self->dtype, s->rank, s->shape, s->strides,
                              is_empty ? s->self->offset : s->offset);
}

tsm_status tsm_k_t_getitem(tsm_opcall *c) {
  subscript s;
  tsm_tensor *view = window(c, &s), *result = view;
  if (view && s.count) {
    result = tsm_index_read(c, view, s.indices, s.count);
    tsm_unref(&view->head);
  }
  subscript_close(&s);
  return tsm_return_tensor(c, result);
}

static tsm_status copy_to(tsm_opcall *c, tsm_tensor *view, const tsm_tensor *value) {
  int64_t shape[TSM_MAX_RANK];
  size_t rank = view->rank;
  memcpy(shape, tsm_shape(view), rank * sizeof *shape);
  if (value->rank > rank || !tsm_broadcast(shape, &rank, tsm_shape(value), value->rank) ||
      memcmp(shape, tsm_shape(view), rank * sizeof *shape) != 0)
    return tsm_raise_expand(c, value, tsm_shape(view), view->rank);
  tsm_status status = tsm_check_no_overlap(c->ctx, view);
  bool is_alike = tsm_is_same_shape(view, value);
  if (!status && is_alike) status = tsm_check_no_partial_overlap(c->ctx, view, value);
  bool is_same = is_alike && view->dtype == value->dtype && tsm_tensor_read(view) == tsm_tensor_read(value) &&
                 !memcmp(view->dims, value->dims, 2 * view->rank * sizeof(int64_t));
  return status || is_same ? status : tsm_tensor_copy_into(c->ctx, view, value);
}

/* Leading extents of 1 that the target does not have are left out. */
static tsm_status assign(tsm_opcall *c, tsm_tensor *view, tsm_tensor *value) {
  size_t lead = 0;
  while (value->rank - lead > view->rank && tsm_shape(value)[lead] == 1) lead++;
  if (!lead) return copy_to(c, view, value);
  tsm_tensor *shorter = tsm_tensor_make_view(c->ctx, value, value->dtype, value->rank - lead, tsm_shape(value) + lead,
                                             tsm_strides(value) + lead, value->offset);
  if (!shorter) return c->ctx->status;
  tsm_status status = copy_to(c, view, shorter);
  tsm_unref(&shorter->head);
  return status;
}

tsm_status tsm_k_t_setitem(tsm_opcall *c) {
  subscript s;
  tsm_tensor *view = window(c, &s), *value = tsm_arg_tensor(c, 4);
  tsm_status status = view ? TSM_OK : c->ctx->status;
  if (!status) status = s.count ? tsm_index_write(c, view, s.indices, s.count, value, false) : assign(c, view, value);
  if (view) tsm_unref(&view->head);
  subscript_close(&s);
  return status ? status : tsm_return_self(c);
}
