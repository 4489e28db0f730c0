/* iterate.c - the one loop nest under pointwise, copying, gathering and random kernels. See iterate.h. */
#include "iterate.h"

#include "base/pool.h"

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
static bool advance(const tsm_iter *it, int64_t *index, char **ptr) {
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

/* Charges for elements, those of far apart places dearer: each of them brings a line of the cache, and further apart also
 * a page. */
static tsm_status charge_places(tsm_context *ctx, const tsm_iter *it, int64_t count) {
  enum { NEAR = 16, PAGE = 1024 };
  int64_t cost = 1;
  for (int k = 0; k < it->count; k++) {
    const int64_t step = it->step[k][it->rank - 1], least = step > PAGE || step < -PAGE ? 12 : step > NEAR || step < -NEAR ? 4 : 1;
    if (cost < least) cost = least;
  }
  return tsm_charge_work(ctx, count, cost);
}

static tsm_status run_long_row(tsm_context *ctx, const tsm_iter *it, char *const *start, const int64_t *step,
                               tsm_row_fn row, void *user) {
  char *ptr[TSM_ITER_MAX];
  int64_t n = it->shape[it->rank - 1];
  for (int64_t done = 0; done < n; done += TSM_ITER_ROW) {
    int64_t part = n - done < TSM_ITER_ROW ? n - done : TSM_ITER_ROW;
    for (int k = 0; k < it->count; k++) ptr[k] = start[k] + done * step[k];
    tsm_status status = row(user, ptr, step, part);
    if (status) return status;
    if ((status = charge_places(ctx, it, part))) return status;
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
    tsm_status status = n > TSM_ITER_ROW ? run_long_row(ctx, it, ptr, step, row, user) : row(user, ptr, step, n);
    if (status) return status;
    if (n <= TSM_ITER_ROW && (pending += n) >= TSM_ITER_ROW) {
      if ((status = charge_places(ctx, it, pending))) return status;
      pending = 0;
    }
  } while (advance(it, index, ptr));
  return charge_places(ctx, it, pending);
}

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

/* Whether dimension a belongs outside of b: by the steps of operand 0, then of the others. */
static bool is_outer(const tsm_iter *it, size_t a, size_t b) {
  for (int k = 0; k < it->count; k++) {
    int64_t x = magnitude(it->step[k][a]), y = magnitude(it->step[k][b]);
    if (x != y && x && y) return x > y;
  }
  return false;
}

static void swap_dimensions(tsm_iter *it, size_t a, size_t b) {
  int64_t extent = it->shape[a];
  it->shape[a] = it->shape[b];
  it->shape[b] = extent;
  for (int k = 0; k < it->count; k++) {
    int64_t step = it->step[k][a];
    it->step[k][a] = it->step[k][b];
    it->step[k][b] = step;
  }
}

void tsm_iter_sort(tsm_iter *it) {
  for (size_t d = 1; d < it->rank; d++)
    for (size_t i = d; i > 0 && it->shape[i] != 1 && it->shape[i - 1] != 1 && is_outer(it, i, i - 1); i--)
      swap_dimensions(it, i, i - 1);
  merge_dimensions(it);
}

/* Pieces are rows, or spans of long rows: `parts` a row. */
typedef struct spreading {
  const tsm_iter *it;
  tsm_span_fn span;
  void *user;
  int64_t first, parts;
} spreading;

static void spread_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const spreading *s = user;
  const tsm_iter *it = s->it;
  (void)worker;
  int64_t index[TSM_MAX_RANK], step[TSM_ITER_MAX], n = it->shape[it->rank - 1];
  int64_t row = (s->first + begin) / s->parts, part = (s->first + begin) % s->parts;
  char *ptr[TSM_ITER_MAX], *from[TSM_ITER_MAX];
  for (int k = 0; k < it->count; k++) {
    step[k] = it->step[k][it->rank - 1];
    ptr[k] = it->base[k];
  }
  for (size_t d = it->rank - 1; d-- > 0; row /= it->shape[d]) {
    index[d] = row % it->shape[d];
    for (int k = 0; k < it->count; k++) ptr[k] += index[d] * it->step[k][d];
  }
  for (int64_t piece = begin; piece < end; piece++) {
    int64_t done = part * TSM_SPAN_MAX;
    for (int k = 0; k < it->count; k++) from[k] = ptr[k] + done * step[k];
    s->span(s->user, from, step, n - done < TSM_SPAN_MAX ? n - done : TSM_SPAN_MAX);
    if (++part < s->parts) continue;
    part = 0;
    advance(it, index, ptr);
  }
}

tsm_status tsm_iter_spread(tsm_context *ctx, const tsm_iter *it, double nanoseconds, tsm_span_fn span, void *user) {
  enum { BLOCK = 1 << 23 };
  if (!it->numel) return TSM_OK;
  int64_t n = it->shape[it->rank - 1], parts = (n + TSM_SPAN_MAX - 1) / TSM_SPAN_MAX;
  int64_t length = parts > 1 ? TSM_SPAN_MAX : n, pieces = it->numel / n * parts, block = BLOCK / ctx->element_cost / length + 1;
  spreading s = {it, span, user, 0, parts};
  for (; s.first < pieces; s.first += block) {
    int64_t count = pieces - s.first < block ? pieces - s.first : block;
    tsm_status status = charge_places(ctx, it, pieces <= block ? it->numel : count * length);
    if (status) return status;
    tsm_parallel(ctx->rt, count, nanoseconds * (double)length, spread_task, &s);
  }
  return TSM_OK;
}
