/* linalg.h - batches of matrices as factorisations see them: one after the other, row-major, in double precision.
 * In: tensors of float32 or float64 with matrices in their last two dimensions. Out: contiguous tensors of that dtype.
 * Holds: float32 is computed in float64, so results are as good as rounding allows; every loop of more than a row's
 * length is paid for before it runs. */
#ifndef TSM_LINALG_H
#define TSM_LINALG_H

#include "arguments.h"
#include "gemm.h"
#include "simd/linalg.h"

enum { TSM_BLOCK = 32 }; /* columns that are factored together; the rest of the matrix is updated by products */

typedef struct tsm_matrices {
  tsm_tensor *tensor; /* contiguous, owned; NULL: none */
  int64_t count, rows, columns;
} tsm_matrices;

/* A matrix in working memory: `row` doubles from one row to the next. */
typedef struct tsm_block { double *at; int64_t rows, columns, row; } tsm_block;
static inline double *tsm_row(const tsm_block *m, int64_t i) { return m->at + i * m->row; }

/* Working memory of one kernel: blocks are taken from it in turn. */
typedef struct tsm_workspace { double *memory; size_t used, capacity; } tsm_workspace;

/* What a factorisation runs with. */
typedef struct tsm_linalg {
  tsm_opcall *call;
  const tsm_linalg_set *set;
  tsm_workspace space;
} tsm_linalg;

/* Ready for `count` doubles; TSM_ERR_MEMORY raised, also if the count is negative (it did not fit). */
tsm_status tsm_linalg_begin(tsm_opcall *call, int64_t count, tsm_linalg *out);
void tsm_linalg_end(tsm_linalg *l);
/* rows * columns, or -1 if it does not fit; a or b may be -1. */
int64_t tsm_doubles(int64_t rows, int64_t columns);
int64_t tsm_doubles_sum(const int64_t *counts, size_t n);
/* The next block; there is room for it, as `begin` was told. */
tsm_block tsm_take(tsm_linalg *l, int64_t rows, int64_t columns);

tsm_status tsm_matrices_open(tsm_opcall *call, size_t argument, tsm_matrices *out);
void tsm_matrices_close(tsm_matrices *m);
/* Matrix `index` into a block of its shape; tsm_matrix_write puts one into a result. */
tsm_status tsm_matrix_read(tsm_linalg *l, const tsm_matrices *m, int64_t index, tsm_block *out);
tsm_status tsm_matrix_write(tsm_linalg *l, tsm_tensor *result, int64_t index, const tsm_block *from);
/* Row `index` of a result whose last dimension has n elements. */
void tsm_vector_write(tsm_tensor *result, int64_t index, const double *from, int64_t n);
bool tsm_block_is_finite(const tsm_block *m);
/* Square, in place. */
tsm_status tsm_block_turn(tsm_linalg *l, tsm_block *m);
tsm_status tsm_block_identity(tsm_linalg *l, tsm_block *m);

/* c += a b, or c = a b unless `adds`. Turned: the transpose of what lies in a's memory. */
tsm_status tsm_block_product(tsm_linalg *l, const tsm_block *a, bool is_turned, const tsm_block *b, tsm_block *c,
                             bool adds);

/* ---- Reflections I - tau v v^T whose product is applied at once */

/* Makes v (v[0] = 1) and tau from x, so that the reflection gives (beta, 0, 0 ...): x[0] becomes beta, the rest v's.
 * tau is 0 if x is such a vector already. Signs are LAPACK's. */
double tsm_reflector(const tsm_linalg *l, double *x, int64_t n);
/* Rows of v are reflections, each behind the ones before it; c = H c, or H^T c, with H = H0 H1 ... scratch holds
 * tsm_reflect_doubles(columns of c). */
tsm_status tsm_reflect(tsm_linalg *l, const tsm_block *v, const double *tau, bool is_turned, tsm_block *c,
                       const tsm_block *scratch);
int64_t tsm_reflect_doubles(int64_t columns);
/* out = H0 H1 ... H(count - 1), its first columns: reflection i is row i of v and begins at column i + shift. */
tsm_status tsm_reflectors_product(tsm_linalg *l, const tsm_block *v, const double *tau, int64_t shift, tsm_block *out,
                                  const tsm_block *scratch);

#endif
