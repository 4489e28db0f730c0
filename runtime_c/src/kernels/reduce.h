/* reduce.h - the geometry of reductions: kept and reduced dimensions of an input, merged where they adjoin.
 * In: a tensor, which dimensions are reduced. Out: two loop nests in bytes. */
#ifndef TSM_REDUCE_H
#define TSM_REDUCE_H

#include "arguments.h"
#include "simd/reduce.h"

/* At least one dimension; extents may be 0. */
typedef struct tsm_nest { size_t rank; int64_t numel, shape[TSM_MAX_RANK + 1], step[TSM_MAX_RANK + 1]; } tsm_nest;
void tsm_nest_split(const tsm_tensor *t, const tsm_reduction *r, tsm_nest *out_kept, tsm_nest *out_reduced);

/* Walks all but the last dimension of a nest: *offset is the byte offset of the present row. index starts zeroed.
 * False after the last row. */
bool tsm_nest_next(const tsm_nest *nest, int64_t *index, int64_t *offset);

/* Byte offset of row `row` of a nest: of the dimensions but the last, in row-major order. */
static inline int64_t tsm_nest_offset(const tsm_nest *nest, int64_t row) {
  int64_t offset = 0;
  for (size_t d = nest->rank - 1; d-- > 0 && row; row /= nest->shape[d]) offset += row % nest->shape[d] * nest->step[d];
  return offset;
}

/* Joins floats into a double for each kept place (reduce_float.c). `means`, needed for squares alone, holds one for
 * each place, and has room for 16 more. */
typedef struct tsm_join_floats {
  const tsm_nest *kept, *reduced;
  const char *base;
  uint8_t dtype;
  tsm_join join;
  const double *means;
  double *out;
  double divisor;      /* of the results, as they are written */
} tsm_join_floats;
/* Whether tsm_join_floats_run takes them: floats, and neighbours along the last kept or reduced dimension. */
bool tsm_can_join_floats(const tsm_nest *kept, const tsm_nest *reduced, uint8_t dtype);
tsm_status tsm_join_floats_run(tsm_context *ctx, const tsm_join_floats *in);

/* Joins integers or bools (reduce_int.c): SUM, MAX or MIN. */
typedef struct tsm_join_ints {
  const tsm_nest *kept, *reduced;
  const char *base;
  uint8_t dtype, out_dtype;
  tsm_join join;
  char *out;
} tsm_join_ints;
/* Whether tsm_join_ints_run takes them: integers, some, and neighbours along the last kept or reduced dimension. */
bool tsm_can_join_ints(const tsm_nest *kept, const tsm_nest *reduced, uint8_t dtype);
tsm_status tsm_join_ints_run(tsm_context *ctx, const tsm_join_ints *in);

#endif
