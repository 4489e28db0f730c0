/* scatter.h - copying elements to or from places that a tensor of offsets names.
 * In: two windows of one shape and, for one of them, an additional int64 offset an element. Out: elements copied or
 * combined. Holds: offsets are in elements and have been checked against the extents they index. */
#ifndef TSM_SCATTER_H
#define TSM_SCATTER_H

#include "iterate.h"
#include "op/op.h"

typedef enum tsm_scatter_mode {
  TSM_GATHER, TSM_SCATTER, TSM_SCATTER_ADD, TSM_SCATTER_MUL, TSM_SCATTER_MAX, TSM_SCATTER_MIN
} tsm_scatter_mode;
/* A window: where element 0 is, and strides in elements for the shape given to tsm_scatter. */
typedef struct tsm_place { const void *base; const int64_t *strides; } tsm_place;
/* GATHER: dst[i] = src[i + offset]. SCATTER: dst[i + offset] = src[i]; the others add, multiply or keep
 * the larger or the smaller (NaN wins), in order. */
tsm_status tsm_scatter(tsm_opcall *c, tsm_scatter_mode mode, uint8_t dtype, size_t rank, const int64_t *shape,
                       tsm_place dst, tsm_place src, tsm_place offsets);

/* int64 tensor of index's shape, perhaps index itself, for reading: index value * stride, after the check that it is in [-extent, extent)
 * (or [0, extent) if !allow_negative). Raises `error` naming the value. NULL: raised. */
tsm_tensor *tsm_offsets_of(tsm_opcall *c, tsm_tensor *index, int64_t extent, int64_t stride, bool allow_negative,
                           const char *error, size_t dim);
/* Indices of the elements that are not 0, one a row, in row-major order (index.c). NULL: raised. */
tsm_tensor *tsm_nonzero(tsm_opcall *c, const tsm_tensor *t);

#endif
