/* gemm_int.c - matrix products of integers, by the panels of simd/integer_product.h.
 * In: operands of one integer dtype and any strides. Out: C, overwritten or added to.
 * Holds: narrow types multiply in lanes of 16 bits, whose low bits are right; no piece runs long between two looks at
 * fuel and cancellation. */
#include "gemm.h"
#include "pointwise.h"
#include "simd/integer_product.h"

enum { DEPTH = 256, COLUMNS = 256, ROWS = TSM_INT_PRODUCT_ROWS, PANEL = 64, LINE = 64 }; /* PANEL: bytes at most */

typedef struct product {
  tsm_matrix a, b;
  char *c;
  int64_t c_row, item, lane; /* bytes of an element, and of one that is multiplied */
  int64_t width;             /* columns of a panel */
  uint8_t dtype, lane_dtype;
  const tsm_int_product_set *set;
  const tsm_int_set *ints;
  tsm_convert_fn widen, narrow;
  char *left, *right;        /* copies: rows of A, panels of B */
} product;

static bool is_short(const product *x, const char *values, int64_t n) {
  const int64_t low = x->ints->most[TSM_I64](values, (size_t)n, false);
  return low >= INT32_MIN && x->ints->most[TSM_I64](values, (size_t)n, true) <= INT32_MAX;
}

/* B[p.., j..] in panels, the last filled up with zeros. */
static void pack_right(const product *x, int64_t p, int64_t depth, int64_t j, int64_t columns) {
  const char *from = (const char *)x->b.data + (p * x->b.row + j * x->b.column) * x->item;
  char *to = x->right;
  for (int64_t first = 0; first < columns; first += x->width) {
    const int64_t count = columns - first < x->width ? columns - first : x->width;
    for (int64_t row = 0; row < depth; row++, to += x->set->bytes) {
      if (count < x->width) memset(to, 0, x->set->bytes);
      x->widen(to, x->lane, from + (row * x->b.row + first * x->b.column) * x->item, x->b.column * x->item, count);
    }
  }
}

static void pack_left(const product *x, int64_t i, int64_t rows, int64_t p, int64_t depth) {
  const char *from = (const char *)x->a.data + (i * x->a.row + p * x->a.column) * x->item;
  for (int64_t r = 0; r < rows; r++)
    x->widen(x->left + r * depth * x->lane, x->lane, from + r * x->a.row * x->item, x->a.column * x->item, depth);
  memset(x->left + rows * depth * x->lane, 0, (size_t)((ROWS - rows) * depth * x->lane));
}

/* A panel of results into rows i.. and columns j.. of C. */
static void put(const product *x, const char *from, int64_t i, int64_t rows, int64_t j, int64_t columns, bool adds) {
  uint64_t narrowed[PANEL];
  for (int64_t r = 0; r < rows; r++, from += x->set->bytes) {
    char *to = x->c + ((i + r) * x->c_row + j) * x->item;
    x->narrow(adds ? (char *)narrowed : to, x->item, from, x->lane, columns);
    if (adds) tsm_int_join(x->ints, TSM_INT_ADD, x->dtype, to, narrowed, columns);
  }
}

/* ROWS rows of A by the panels that are packed. */
static void multiply(const product *x, int64_t i, int64_t rows, int64_t depth, int64_t j, int64_t columns, bool short_right,
                     bool adds) {
  _Alignas(LINE) char out[ROWS * PANEL];
  const bool shorter = short_right && is_short(x, x->left, rows * depth);
  const int kind = x->lane == 2 ? 0 : x->lane == 4 ? 1 : shorter ? 3 : 2;
  const char *panel = x->right;
  for (int64_t first = 0; first < columns; first += x->width, panel += depth * (int64_t)x->set->bytes) {
    x->set->panel[kind](out, x->left, panel, (size_t)depth);
    put(x, out, i, rows, j + first, columns - first < x->width ? columns - first : x->width, adds);
  }
}

static tsm_status run(tsm_opcall *call, const product *x, int64_t m, int64_t n, int64_t k, bool adds) {
  for (int64_t p = 0; p < k; p += DEPTH) {
    const int64_t depth = k - p < DEPTH ? k - p : DEPTH;
    for (int64_t j = 0; j < n; j += COLUMNS) {
      const int64_t columns = n - j < COLUMNS ? n - j : COLUMNS, panels = (columns + x->width - 1) / x->width;
      tsm_status status = tsm_charge_elements(call->ctx, 2 * panels * x->width * depth);
      if (status) return status;
      pack_right(x, p, depth, j, columns);
      const bool short_right = x->lane == 8 && is_short(x, x->right, panels * depth * x->width);
      for (int64_t i = 0; i < m; i += ROWS) {
        const int64_t rows = m - i < ROWS ? m - i : ROWS;
        status = tsm_charge_elements(call->ctx, 2 * ROWS * panels * x->width * depth);
        if (status) return status;
        pack_left(x, i, rows, p, depth);
        multiply(x, i, rows, depth, j, columns, short_right, adds || p);
      }
    }
  }
  return TSM_OK;
}

static tsm_status clear(tsm_opcall *call, char *c, int64_t c_row, int64_t m, int64_t n, int64_t item) {
  for (int64_t i = 0; i < m; i++) {
    const tsm_status status = tsm_charge_elements(call->ctx, n);
    if (status) return status;
    memset(c + i * c_row * item, 0, (size_t)(n * item));
  }
  return TSM_OK;
}

tsm_status tsm_gemm_int(tsm_opcall *call, uint8_t dtype, int64_t m, int64_t n, int64_t k, tsm_matrix a, tsm_matrix b,
                        void *c, int64_t c_row, bool adds) {
  tsm_runtime *rt = call->ctx->rt;
  product x = {.a = a, .b = b, .c = c, .c_row = c_row, .item = (int64_t)tsm_item_size(dtype), .dtype = dtype,
               .set = tsm_int_product_of(rt->isa), .ints = tsm_ints_of(rt->isa)};
  if (!k) return adds ? TSM_OK : clear(call, c, c_row, m, n, x.item);
  x.lane_dtype = dtype == TSM_I64 ? TSM_I64 : dtype == TSM_I32 ? TSM_I32 : TSM_I16;
  x.lane = (int64_t)tsm_item_size(x.lane_dtype);
  x.width = (int64_t)x.set->bytes / x.lane;
  x.widen = tsm_convert_loop(dtype, x.lane_dtype);
  x.narrow = tsm_convert_loop(x.lane_dtype, dtype);
  const int64_t depth = k < DEPTH ? k : DEPTH, columns = n < COLUMNS ? n : COLUMNS;
  const int64_t left = ROWS * depth * x.lane, right = (columns + x.width - 1) / x.width * depth * (int64_t)x.set->bytes;
  char *room = tsm_alloc(rt, (size_t)(left + right));
  if (!room) return tsm_out_of_memory(call->ctx);
  x.right = room;
  x.left = room + right;
  const tsm_status status = run(call, &x, m, n, k, adds);
  tsm_free(rt, room, (size_t)(left + right));
  return status;
}
