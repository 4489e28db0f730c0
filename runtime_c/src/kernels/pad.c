/* pad.c - a tensor with elements before and after those of its last dimensions, or without some of them.
 * In: a tensor, counts, what the new elements show. Out: a contiguous result, filled by strided copies.
 * Holds: what is inside is copied first; then each border, from the last dimension on, is one copy within the result: of
 * one element or slice again and again, of slices backwards, or of those at the other end. */
#include "arguments.h"
#include "iterate.h"
#include "kernels.h"

typedef enum border { CONSTANT, REFLECT, REPLICATE, CIRCULAR } border;
typedef struct padding {
  border mode;
  size_t rank;
  int64_t before[TSM_MAX_RANK], after[TSM_MAX_RANK]; /* < 0: so many are left out */
  int64_t inside[TSM_MAX_RANK];                      /* extents of what is copied */
} padding;

static int64_t at_least_0(int64_t x) { return x > 0 ? x : 0; }

static tsm_status read_mode(tsm_opcall *c, border *out) {
  static const char *const names[] = {"constant", "reflect", "replicate", "circular"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(tsm_arg_str(c, 2)->bytes, names[i])) {
      *out = (border)i;
      return TSM_OK;
    }
  return tsm_raise(c->ctx, "RuntimeError", "pad: mode must be constant, reflect, replicate or circular");
}

/* Counts of a dimension must leave something, and the border must find what it shows. */
static tsm_status check_dimension(tsm_opcall *c, padding *p, size_t d, int64_t extent) {
  const int64_t before = p->before[d], after = p->after[d];
  p->inside[d] = extent - at_least_0(-before) - at_least_0(-after);
  if (p->inside[d] < 0)
    return tsm_raise(c->ctx, "RuntimeError", "pad: The input size, plus negative padding, resulted in a negative output size");
  const int64_t most = before > after ? before : after, room = p->inside[d];
  if (most <= 0) return TSM_OK;
  if (p->mode == REFLECT && most >= room)
    return tsm_raise(c->ctx, "RuntimeError", "pad: reflection padding must be less than the extent");
  if (p->mode == CIRCULAR && most > room)
    return tsm_raise(c->ctx, "RuntimeError", "pad: circular padding may not be larger than the extent");
  if (p->mode == REPLICATE && !room) return tsm_raise(c->ctx, "RuntimeError", "pad: there is nothing to replicate");
  return TSM_OK;
}

static tsm_status read_padding(tsm_opcall *c, padding *p) {
  static const int64_t MOST = INT64_MAX / 8;
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  const tsm_list *counts = tsm_arg_list(c, 1);
  *p = (padding){.rank = t->rank};
  tsm_status status = read_mode(c, &p->mode);
  if (status) return status;
  if (counts->length % 2 || (size_t)counts->length > 2 * p->rank)
    return tsm_raise(c->ctx, "RuntimeError", "pad: two counts for each of at most %zu dimensions, but got %lld", p->rank,
                     (long long)counts->length);
  for (size_t i = 0; i < p->rank; i++) {
    const size_t d = p->rank - 1 - i;
    const bool is_given = 2 * i < (size_t)counts->length;
    p->before[d] = is_given ? counts->as.i64[2 * i] : 0;
    p->after[d] = is_given ? counts->as.i64[2 * i + 1] : 0;
    if (p->before[d] > MOST || p->after[d] > MOST || p->before[d] < -MOST || p->after[d] < -MOST)
      return tsm_raise(c->ctx, "RuntimeError", "pad: a count is too large");
    status = check_dimension(c, p, d, tsm_shape(t)[d]);
    if (status) return status;
  }
  return TSM_OK;
}

tsm_status tsm_i_pad(tsm_opcall *c, tsm_meta *out) {
  padding p;
  tsm_status status = read_padding(c, &p);
  if (status) return status;
  tsm_meta_of(tsm_arg_tensor(c, 0), out);
  for (size_t d = 0; d < p.rank; d++) out->shape[d] = at_least_0(p.before[d]) + p.inside[d] + at_least_0(p.after[d]);
  return p.mode == CONSTANT ? tsm_check_scalar(c, out->dtype, tsm_arg_pair(c, 3)) : TSM_OK;
}

/* Copies between windows of one shape; strides and offsets in elements. */
static tsm_status copy(tsm_opcall *c, size_t rank, const int64_t *shape, int64_t to, const int64_t *to_strides,
                       const char *from, const int64_t *from_strides) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  const size_t item = tsm_item_size(out->dtype);
  tsm_iter it;
  tsm_iter_init(&it, rank, shape);
  tsm_iter_add(&it, (char *)out->storage->data + (out->offset + to) * (int64_t)item, item, rank, shape, to_strides);
  tsm_iter_add(&it, from, item, rank, shape, from_strides);
  return tsm_iter_copy(c->ctx, &it, out->dtype, out->dtype);
}

static tsm_status copy_inside(tsm_opcall *c, const padding *p) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0), *out = tsm_result_tensor(c, 0);
  int64_t to = 0, from = 0;
  for (size_t d = 0; d < p->rank; d++) {
    to += at_least_0(p->before[d]) * tsm_strides(out)[d];
    from += at_least_0(-p->before[d]) * tsm_strides(t)[d];
  }
  const char *data = (const char *)tsm_tensor_read(t) + from * (int64_t)tsm_item_size(t->dtype);
  return copy(c, p->rank, p->inside, to, tsm_strides(out), data, tsm_strides(t));
}

/* `count` slices of dimension d from number `first` on. Dimensions behind d are whole already, those before it are not:
 * of them only what is inside. `element` is what a constant border shows. */
static tsm_status fill_border(tsm_opcall *c, const padding *p, size_t d, int64_t first, int64_t count, const void *element) {
  static const int64_t none[TSM_MAX_RANK];
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  const int64_t before = at_least_0(p->before[d]), last = before + p->inside[d] - 1, step = tsm_strides(out)[d];
  const bool is_before = first < before;
  int64_t shape[TSM_MAX_RANK], strides[TSM_MAX_RANK], corner = 0, from = is_before ? before : last;
  if (count <= 0) return TSM_OK;
  for (size_t k = 0; k < p->rank; k++) {
    shape[k] = k < d ? p->inside[k] : tsm_shape(out)[k];
    strides[k] = tsm_strides(out)[k];
    if (k < d) corner += at_least_0(p->before[k]) * strides[k];
  }
  shape[d] = count;
  const int64_t to = corner + first * step;
  if (p->mode == CONSTANT) return copy(c, p->rank, shape, to, strides, element, none);
  strides[d] = p->mode == REPLICATE ? 0 : p->mode == REFLECT ? -step : step;
  if (p->mode == REFLECT) from = is_before ? 2 * before : last - 1;
  if (p->mode == CIRCULAR) from = is_before ? p->inside[d] : before;
  const char *data = (const char *)out->storage->data + (out->offset + corner + from * step) * (int64_t)tsm_item_size(out->dtype);
  return copy(c, p->rank, shape, to, tsm_strides(out), data, strides);
}

tsm_status tsm_k_pad(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  uint64_t element = 0;
  padding p;
  tsm_status status = read_padding(c, &p);
  if (status || !out->numel) return status;
  if (p.mode == CONSTANT) tsm_element_store(out->dtype, &element, tsm_arg_pair(c, 3));
  status = copy_inside(c, &p);
  for (size_t d = p.rank; d-- > 0 && !status;) {
    status = fill_border(c, &p, d, 0, p.before[d], &element);
    if (!status) status = fill_border(c, &p, d, at_least_0(p.before[d]) + p.inside[d], p.after[d], &element);
  }
  return status;
}
