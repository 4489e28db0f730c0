/* gemm.c - see gemm.h. Large float products are packed into panels that fit the caches and multiplied by a kernel of
 * 4 rows by two vectors; small ones and integers run directly on the operands. */
#include "gemm.h"

enum { MR = 4, MC = 64, KC = 256 };

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
  static void row_##T(int64_t n, int64_t k, const T *a, int64_t a_column, tsm_matrix b, T *c, bool adds) {         \
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

static void int_row(uint8_t dtype, int64_t n, int64_t k, const void *a, int64_t a_column, tsm_matrix b, void *c,
                    bool adds) {
  switch (dtype) {
    case TSM_U8: row_uint8_t(n, k, a, a_column, b, c, adds); break;
    case TSM_I8: row_int8_t(n, k, a, a_column, b, c, adds); break;
    case TSM_I16: row_int16_t(n, k, a, a_column, b, c, adds); break;
    case TSM_I32: row_int32_t(n, k, a, a_column, b, c, adds); break;
    default: row_int64_t(n, k, a, a_column, b, c, adds); break;
  }
}

tsm_status tsm_gemm(tsm_opcall *call, uint8_t dtype, int64_t m, int64_t n, int64_t k, tsm_matrix a, tsm_matrix b,
                    void *c, int64_t c_row, bool adds) {
  int64_t item = (int64_t)tsm_item_size(dtype);
  if (!m || !n) return TSM_OK;
  if (dtype == TSM_F32) return gemm_f32_run(call, m, n, k, a, b, c, c_row, adds);
  if (dtype == TSM_F64) return gemm_f64_run(call, m, n, k, a, b, c, c_row, adds);
  for (int64_t i = 0; i < m; i++) {
    int_row(dtype, n, k, (const char *)a.data + i * a.row * item, a.column, b, (char *)c + i * c_row * item, adds);
    tsm_status status = tsm_charge(call->ctx, n / 32 * k);
    if (status) return status;
  }
  return TSM_OK;
}
