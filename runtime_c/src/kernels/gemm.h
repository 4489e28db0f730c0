/* gemm.h - matrix products of any strides into row-major memory.
 * In: A (m x k), B (k x n). Out: C (m x n), overwritten or added to.
 * Holds: the order of additions depends on the sizes only. */
#ifndef TSM_GEMM_H
#define TSM_GEMM_H

#include "../op.h"

typedef struct tsm_matrix { const void *data; int64_t row, column; } tsm_matrix; /* strides in elements */
/* Rows of C are `c_row` elements apart. Any dtype but bool; integers wrap. Charges m * n * k / 32 units of fuel. */
tsm_status tsm_gemm(tsm_opcall *call, uint8_t dtype, int64_t m, int64_t n, int64_t k, tsm_matrix a, tsm_matrix b,
                    void *c, int64_t c_row, bool adds);

#endif
