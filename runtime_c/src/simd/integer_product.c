/* integer_product.c - panels of integer matrix products: see integer_product.h.
 * Holds: sums are of the lanes' own width and wrap, whatever the order; int64 whose operands all fit 32 bits multiplies
 * by one instruction. */
#include "integer_product.h"

#include "vector.h"

#if TSM_VB < 64

typedef uint16_t vu16 __attribute__((vector_size(TSM_VB), aligned(2), may_alias));
typedef uint32_t vu_any __attribute__((vector_size(TSM_VB), aligned(4), may_alias));
typedef uint64_t vu64_any __attribute__((vector_size(TSM_VB), aligned(8), may_alias));

enum { ROWS = TSM_INT_PRODUCT_ROWS };

/* ROWS rows of A, k apart, by a panel of two vectors: B[p] is two vectors further for each p. */
#define PANEL(name, V, U, SUM)                                                                       \
  static void name(void *out, const void *left, const void *right, size_t k) {                       \
    const U *a = left;                                                                               \
    const V *b = right;                                                                              \
    V sums[ROWS][2], *c = out;                                                                       \
    TSM_UNROLL(8)                                                                                    \
    for (size_t r = 0; r < ROWS; r++) sums[r][0] = sums[r][1] = (V){0};                              \
    for (size_t p = 0; p < k; p++, b += 2) {                                                         \
      const V x = b[0], y = b[1];                                                                    \
      TSM_UNROLL(8)                                                                                  \
      for (size_t r = 0; r < ROWS; r++) {                                                            \
        const V every = (V){0} + a[r * k + p];                                                       \
        sums[r][0] += SUM(every, x);                                                                 \
        sums[r][1] += SUM(every, y);                                                                 \
      }                                                                                              \
    }                                                                                                \
    TSM_UNROLL(8)                                                                                    \
    for (size_t r = 0; r < ROWS; r++, c += 2) c[0] = sums[r][0], c[1] = sums[r][1];                  \
    vectors_end();                                                                                   \
  }
#define PRODUCT(x, y) ((x) * (y))
PANEL(panel_16, vu16, uint16_t, PRODUCT)
PANEL(panel_32, vu_any, uint32_t, PRODUCT)
PANEL(panel_64, vu64_any, uint64_t, PRODUCT)
#if defined(__AVX2__)
#define SHORT_PRODUCT(x, y) ((vu64_any)_mm256_mul_epi32((__m256i)(x), (__m256i)(y)))
PANEL(panel_64_short, vu64_any, uint64_t, SHORT_PRODUCT)
#else
#define panel_64_short panel_64
#endif

const tsm_int_product_set TSM_NAMED(tsm_int_product) = {
    .bytes = 2 * TSM_VB,
    .panel = {panel_16, panel_32, panel_64, panel_64_short},
};
#else
typedef int nothing; /* a source has to hold something */
#endif
