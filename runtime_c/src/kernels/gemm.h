/* gemm.h - matrix products of any strides into row-major memory, as kernels call them.
 * In: A (m x k), B (k x n). Out: C (m x n), overwritten or added to.
 * Holds: the order of additions depends on the sizes, layouts and the instruction set only. */
#ifndef TSM_GEMM_H
#define TSM_GEMM_H

#include "op/op.h"
#include "simd/gemm.h"
#include "tensor/packed.h"

typedef struct tsm_matrix { const void *data; int64_t row, column; } tsm_matrix; /* strides in elements */
/* Rows of C are `c_row` elements apart. Any dtype but bool; integers wrap. Charges m * n * k / 32 units of fuel. */
tsm_status tsm_gemm(tsm_opcall *call, uint8_t dtype, int64_t m, int64_t n, int64_t k, tsm_matrix a, tsm_matrix b,
                    void *c, int64_t c_row, bool adds);

/* The same for integers alone, some rows and columns (gemm_int.c). */
tsm_status tsm_gemm_int(tsm_opcall *call, uint8_t dtype, int64_t m, int64_t n, int64_t k, tsm_matrix a, tsm_matrix b,
                        void *c, int64_t c_row, bool adds);

/* tsm_product_run, charged and cut into slices between which it can be cancelled. Raises out of memory. */
tsm_status tsm_gemm_product(tsm_opcall *call, const tsm_product *x);

/* The matrix `weight`, or its transpose if is_turned, is all of B: sets packed_b when it may be packed and a copy is
 * worth its memory. */
void tsm_gemm_use_packed(const tsm_tensor *weight, bool is_turned, tsm_product *x);

#endif
