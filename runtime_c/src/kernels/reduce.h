/* reduce.h - the geometry of reductions: kept and reduced dimensions of an input, merged where they adjoin.
 * In: a tensor, which dimensions are reduced. Out: two loop nests in bytes. */
#ifndef TSM_REDUCE_H
#define TSM_REDUCE_H

#include "arguments.h"

/* At least one dimension; extents may be 0. */
typedef struct tsm_nest { size_t rank; int64_t numel, shape[TSM_MAX_RANK + 1], step[TSM_MAX_RANK + 1]; } tsm_nest;
void tsm_nest_split(const tsm_tensor *t, const tsm_reduction *r, tsm_nest *out_kept, tsm_nest *out_reduced);

/* Walks all but the last dimension of a nest: *offset is the byte offset of the present row. index starts zeroed.
 * False after the last row. */
bool tsm_nest_next(const tsm_nest *nest, int64_t *index, int64_t *offset);

#endif
