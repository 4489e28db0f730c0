/* pointwise_row.c - elementwise operations on floats: the rows of simd/pointwise.h over operands of any layout.
 * In: a row operation, an output tensor, input tensors and scalars. Out: the output, filled, by several threads if it
 * is large. Holds: small contiguous operands and values go straight to the row; else what is strided, of another dtype,
 * or one value where the row wants many, goes through tiles. */
#include "pointwise.h"

#include "simd/convert.h"

enum { TILE = 512, SHORT = 16384 };
static const double NS_PER_ELEMENT = 0.3;

typedef struct rows {
  tsm_row_op op;
  int count;
  unsigned values, splat;              /* bit k: input k + 1 is one value in each row; of those, to be spread out */
  bool is_direct;                      /* no operand needs a tile */
  bool is_tiled[TSM_ITER_MAX];
  int64_t item[TSM_ITER_MAX];          /* bytes of the computing dtypes */
  tsm_convert_fn convert[TSM_ITER_MAX];
} rows;

static inline tsm_row_op find_op(const tsm_opcall *c, uint8_t dtype, tsm_row row) {
  const tsm_row_set *set = c->ctx->rt->rows;
  return dtype == TSM_F32 ? set->f32[row] : set->f64[row];
}

bool tsm_has_row(const tsm_opcall *c, uint8_t dtype, tsm_row row) {
  return tsm_dtype_is_float(dtype) && find_op(c, dtype, row);
}

/* Runs the operation at once if every operand is contiguous and of the right dtype, or one value. */
static bool run_short(const tsm_opcall *c, uint8_t dtype, tsm_row row, const tsm_operand *operands, int count) {
  const int64_t numel = operands[0].tensor->numel;
  const void *p[TSM_ITER_MAX] = {NULL, NULL, NULL, NULL};
  unsigned values = 0, splat = 0;
  if (numel > SHORT) return false;
  for (int k = 0; k < count; k++) {
    const tsm_tensor *t = operands[k].tensor;
    p[k] = t ? tsm_tensor_read(t) : &operands[k].value;
    if (t && (t->dtype != operands[k].computed || !t->is_contiguous)) return false;
    if (t && t->numel == numel) continue;
    if (t && t->numel != 1) return false;
    values |= 1u << k >> 1;
  }
  if (values) row = tsm_row_for(row, values, &splat);
  if (splat && numel > 1) return false;
  find_op(c, dtype, row)((void *)(uintptr_t)p[0], p[1], p[2], p[3], (size_t)numel);
  return true;
}

static void run_op(const rows *r, char *const *p, int64_t n) {
  r->op(p[0], p[1], r->count > 2 ? p[2] : NULL, r->count > 3 ? p[3] : NULL, (size_t)n);
}

static void run_tile(const rows *r, char *const *ptr, const int64_t *step, int64_t n) {
  uint64_t tile[TSM_ITER_MAX][TILE];
  char *p[TSM_ITER_MAX] = {NULL, NULL, NULL, NULL};
  for (int k = 0; k < r->count; k++) {
    p[k] = r->is_tiled[k] ? (char *)tile[k] : ptr[k];
    if (!k || !r->is_tiled[k]) continue;
    bool is_value = (r->values & ~r->splat) >> (k - 1) & 1u;
    r->convert[k](p[k], r->item[k], ptr[k], step[k], is_value ? 1 : n);
  }
  run_op(r, p, n);
  if (r->is_tiled[0]) r->convert[0](ptr[0], step[0], p[0], r->item[0], n);
}

static void run_span(void *user, char *const *ptr, const int64_t *step, int64_t n) {
  const rows *r = user;
  if (r->is_direct) {
    run_op(r, ptr, n);
    return;
  }
  char *part[TSM_ITER_MAX];
  for (int64_t done = 0; done < n; done += TILE) {
    for (int k = 0; k < r->count; k++) part[k] = ptr[k] + done * step[k];
    run_tile(r, part, step, n - done < TILE ? n - done : TILE);
  }
}

/* What the steps along a row mean for each operand. */
static void rows_plan(rows *r, tsm_isa isa, const tsm_iter *it, const tsm_operand *operands) {
  r->is_direct = true;
  for (int k = 0; k < r->count; k++) {
    const tsm_operand *o = &operands[k];
    const bool is_value = k && (r->values >> (k - 1) & 1u), is_splat = k && (r->splat >> (k - 1) & 1u);
    const bool is_converted = o->tensor && o->tensor->dtype != o->computed;
    r->item[k] = (int64_t)tsm_item_size(o->computed);
    r->is_tiled[k] = is_converted || is_splat || (!is_value && it->step[k][it->rank - 1] != r->item[k]);
    if (r->is_tiled[k]) r->is_direct = false;
    const uint8_t held = o->tensor ? o->tensor->dtype : o->computed;
    r->convert[k] = k ? tsm_convert_best(isa, held, o->computed) : tsm_convert_best(isa, o->computed, held);
  }
}

/* Whether a large operand's neighbours lie along another dimension than the output's: cheaper to turn it first. */
static bool is_turned(const tsm_iter *it, int k, const tsm_operand *o) {
  if (!o->tensor || o->tensor->numel < SHORT || o->tensor->numel != it->numel) return false;
  const int64_t item = (int64_t)tsm_item_size(o->tensor->dtype), last = it->step[k][it->rank - 1];
  bool has_neighbours = false;
  for (size_t d = 0; d + 1 < it->rank; d++) has_neighbours |= it->step[k][d] == item;
  return last != item && last && has_neighbours;
}

static tsm_status run_long(tsm_opcall *c, uint8_t dtype, tsm_row row, const tsm_operand *operands, int count);

/* The same with operand k turned. */
static tsm_status run_turned(tsm_opcall *c, uint8_t dtype, tsm_row row, const tsm_operand *operands, int count, int k) {
  tsm_operand turned[TSM_ITER_MAX];
  memcpy(turned, operands, (size_t)count * sizeof *operands);
  tsm_tensor *copy = tsm_tensor_contiguous(c->ctx, (tsm_tensor *)(uintptr_t)operands[k].tensor);
  if (!copy) return c->ctx->status;
  turned[k].tensor = copy;
  tsm_status status = run_long(c, dtype, row, turned, count);
  tsm_unref(&copy->head);
  return status;
}

static tsm_status run_long(tsm_opcall *c, uint8_t dtype, tsm_row row, const tsm_operand *operands, int count) {
  const tsm_tensor *out = operands[0].tensor;
  rows r = {.count = count};
  tsm_iter it;
  tsm_iter_init(&it, out->rank, tsm_shape(out));
  for (int k = 0; k < count; k++) {
    if (operands[k].tensor) tsm_iter_add_tensor(&it, operands[k].tensor);
    else tsm_iter_add_value(&it, &operands[k].value);
  }
  tsm_iter_sort(&it);
  for (int k = 1; k < count; k++)
    if (out->is_contiguous && is_turned(&it, k, &operands[k]) && operands[k].tensor != out)
      return run_turned(c, dtype, row, operands, count, k);
  for (int k = 1; k < count; k++)
    if (!it.step[k][it.rank - 1]) r.values |= 1u << (k - 1);
  r.op = find_op(c, dtype, tsm_row_for(row, r.values, &r.splat));
  rows_plan(&r, c->ctx->rt->isa, &it, operands);
  return tsm_iter_spread(c->ctx, &it, NS_PER_ELEMENT, run_span, &r);
}

tsm_status tsm_pointwise_row(tsm_opcall *c, uint8_t dtype, tsm_row row, const tsm_operand *operands, int count) {
  const int64_t numel = operands[0].tensor->numel;
  if (!numel) return TSM_OK;
  if (TSM_LIKELY(run_short(c, dtype, row, operands, count))) return tsm_charge_elements(c->ctx, numel);
  return run_long(c, dtype, row, operands, count);
}
