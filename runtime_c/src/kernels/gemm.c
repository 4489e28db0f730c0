/* gemm.c - see gemm.h. Large float products are packed into panels that fit the caches and multiplied by a kernel of
 * 4 rows by two vectors; small ones and integers run directly on the operands. */
#include "gemm.h"

enum { MR = 4, MC = 64, KC = 256, TILE = 1 << 16 };

/* n columns of one row of C, over a depth of k. */
typedef void (*row_fn)(int64_t n, int64_t k, const void *a_row, int64_t a_column, tsm_matrix b, void *c_row, bool adds);

/* Row by row in tiles of at most TILE products, each paid for before it runs: a depth may be 2^60 of one element. */
static tsm_status by_rows(tsm_opcall *call, row_fn row, size_t item, int64_t m, int64_t n, int64_t k, tsm_matrix a,
                          tsm_matrix b, void *c, int64_t c_row, bool adds) {
  char *out = c;
  const int64_t size = (int64_t)item, depth = k < TILE ? k : TILE, width = depth ? TILE / depth : n;
  for (int64_t i = 0; i < m; i++) {
    int64_t p = 0;
    do { /* once even if k is 0, which clears C */
      const char *left = (const char *)a.data + (i * a.row + p * a.column) * size;
      int64_t deep = k - p < depth ? k - p : depth;
      for (int64_t j = 0; j < n; j += width) {
        int64_t wide = n - j < width ? n - j : width;
        tsm_status status = tsm_charge_elements(call->ctx, 2 * wide * deep);
        if (status) return status;
        tsm_matrix right = {(const char *)b.data + (p * b.row + j * b.column) * size, b.row, b.column};
        row(wide, deep, left, a.column, right, out + (i * c_row + j) * size, adds || p > 0);
      }
      p += deep;
    } while (p < k);
  }
  return TSM_OK;
}

typedef float vector_f32 __attribute__((vector_size(16), aligned(4), may_alias));
typedef double vector_f64 __attribute__((vector_size(16), aligned(8), may_alias));

#define T float
#define V vector_f32
#define GEMM(name) gemm_f32_##name
#include "gemm_float.h"

#define T double
#define V vector_f64
#define GEMM(name) gemm_f64_##name
#include "gemm_float.h"

#define INT_ROW(T, W)                                                                                              \
  static void row_##T(int64_t n, int64_t k, const void *a_row, int64_t a_column, tsm_matrix b, void *c_row,        \
                      bool adds) {                                                                                 \
    const T *a = a_row;                                                                                            \
    T *c = c_row;                                                                                                  \
    for (int64_t j = 0; j < n; j++) {                                                                              \
      const T *from = (const T *)b.data + j * b.column;                                                            \
      W sum = adds ? (W)c[j] : 0;                                                                                  \
      for (int64_t p = 0; p < k; p++) sum = (W)(sum + (W)((W)a[p * a_column] * (W)from[p * b.row]));                \
      c[j] = (T)sum;                                                                                               \
    }                                                                                                              \
  }
INT_ROW(uint8_t, uint32_t)
INT_ROW(int8_t, uint32_t)
INT_ROW(int16_t, uint32_t)
INT_ROW(int32_t, uint32_t)
INT_ROW(int64_t, uint64_t)
static const row_fn int_rows[] = {NULL, row_uint8_t, row_int8_t, row_int16_t, row_int32_t, row_int64_t};

tsm_status tsm_gemm(tsm_opcall *call, uint8_t dtype, int64_t m, int64_t n, int64_t k, tsm_matrix a, tsm_matrix b,
                    void *c, int64_t c_row, bool adds) {
  if (!m || !n) return TSM_OK;
  if (dtype == TSM_F32) return gemm_f32_run(call, m, n, k, a, b, c, c_row, adds);
  if (dtype == TSM_F64) return gemm_f64_run(call, m, n, k, a, b, c, c_row, adds);
  return by_rows(call, int_rows[dtype], tsm_item_size(dtype), m, n, k, a, b, c, c_row, adds);
}
