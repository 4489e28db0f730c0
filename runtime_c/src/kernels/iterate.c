/* iterate.c - the one loop nest under pointwise, copying, gathering and random kernels. See iterate.h. */
#include "iterate.h"

void tsm_iter_init(tsm_iter *it, size_t rank, const int64_t *shape) {
  it->count = 0;
  it->rank = rank;
  it->numel = 1;
  for (size_t i = 0; i < rank; i++) {
    it->shape[i] = shape[i];
    it->numel *= shape[i];
  }
}

void tsm_iter_add(tsm_iter *it, const void *base, size_t item, size_t rank, const int64_t *shape,
                  const int64_t *strides) {
  int64_t *step = it->step[it->count];
  size_t lead = it->rank - rank;
  for (size_t i = 0; i < lead; i++) step[i] = 0;
  for (size_t i = 0; i < rank; i++) step[lead + i] = shape[i] == 1 ? 0 : strides[i] * (int64_t)item;
  it->base[it->count++] = (char *)base;
}

void tsm_iter_add_tensor(tsm_iter *it, const tsm_tensor *t) {
  tsm_iter_add(it, tsm_tensor_read(t), tsm_item_size(t->dtype), t->rank, tsm_shape(t), tsm_strides(t));
}

void tsm_iter_add_value(tsm_iter *it, const void *value) { tsm_iter_add(it, value, 0, 0, NULL, NULL); }

static bool can_merge(const tsm_iter *it, size_t outer, size_t inner) {
  for (int k = 0; k < it->count; k++)
    if (it->step[k][outer] != it->step[k][inner] * it->shape[inner]) return false;
  return true;
}

/* Drops dimensions of extent 1 and joins neighbours; leaves at least one dimension. */
static void merge_dimensions(tsm_iter *it) {
  size_t kept = 0;
  for (size_t d = 0; d < it->rank; d++) {
    if (it->shape[d] == 1) continue;
    bool merged = kept > 0 && can_merge(it, kept - 1, d);
    size_t to = merged ? kept - 1 : kept++;
    it->shape[to] = merged ? it->shape[to] * it->shape[d] : it->shape[d];
    for (int k = 0; k < it->count; k++) it->step[k][to] = it->step[k][d];
  }
  if (!kept) {
    it->shape[0] = 1;
    for (int k = 0; k < it->count; k++) it->step[k][0] = 0;
    kept = 1;
  }
  it->rank = kept;
}

/* Moves all pointers to the next row; false after the last one. */
static bool advance(tsm_iter *it, int64_t *index, char **ptr) {
  for (size_t d = it->rank - 1; d-- > 0;) {
    if (++index[d] < it->shape[d]) {
      for (int k = 0; k < it->count; k++) ptr[k] += it->step[k][d];
      return true;
    }
    for (int k = 0; k < it->count; k++) ptr[k] -= it->step[k][d] * (it->shape[d] - 1);
    index[d] = 0;
  }
  return false;
}

static tsm_status run_long_row(tsm_context *ctx, const tsm_iter *it, char *const *start, const int64_t *step,
                               tsm_row_fn row, void *user) {
  char *ptr[TSM_ITER_MAX];
  int64_t n = it->shape[it->rank - 1];
  for (int64_t done = 0; done < n; done += TSM_ROW_MAX) {
    int64_t part = n - done < TSM_ROW_MAX ? n - done : TSM_ROW_MAX;
    for (int k = 0; k < it->count; k++) ptr[k] = start[k] + done * step[k];
    tsm_status status = row(user, ptr, step, part);
    if (status) return status;
    if ((status = tsm_charge_elements(ctx, part))) return status;
  }
  return TSM_OK;
}

tsm_status tsm_iter_run(tsm_context *ctx, tsm_iter *it, tsm_row_fn row, void *user) {
  if (!it->numel) return TSM_OK;
  merge_dimensions(it);
  int64_t index[TSM_MAX_RANK] = {0}, step[TSM_ITER_MAX], pending = 0, n = it->shape[it->rank - 1];
  char *ptr[TSM_ITER_MAX];
  for (int k = 0; k < it->count; k++) {
    step[k] = it->step[k][it->rank - 1];
    ptr[k] = it->base[k];
  }
  do {
    tsm_status status = n > TSM_ROW_MAX ? run_long_row(ctx, it, ptr, step, row, user) : row(user, ptr, step, n);
    if (status) return status;
    if (n <= TSM_ROW_MAX && (pending += n) >= TSM_ROW_MAX) {
      if ((status = tsm_charge_elements(ctx, pending))) return status;
      pending = 0;
    }
  } while (advance(it, index, ptr));
  return tsm_charge_elements(ctx, pending);
}
