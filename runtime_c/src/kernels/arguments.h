/* arguments.h - reading the arguments that infer functions and kernels share: dimensions, lists, dtypes, reductions.
 * In: a call. Out: checked values, or PyTorch's exception.
 * Holds: both sides of an operator read an argument by the same function, so they cannot disagree. */
#ifndef TSM_ARGUMENTS_H
#define TSM_ARGUMENTS_H

#include "op/op.h"

/* Wraps a negative dimension; IndexError when out of range. Rank 0 counts as 1. */
tsm_status tsm_dim_wrap(tsm_opcall *c, int64_t dim, size_t rank, size_t *out_dim);
/* Argument number of a parameter by name, -1 if the operator has none. */
int tsm_param_find(const tsm_opcall *c, const char *name);
/* The argument's dtype, or `otherwise` when it is None or the operator has no such parameter. */
uint8_t tsm_arg_dtype_or(const tsm_opcall *c, const char *name, uint8_t otherwise);
/* An int[2] argument; one element fills both. RuntimeError for another length, or below `least`. */
tsm_status tsm_arg_two(tsm_opcall *c, size_t i, int64_t least, int64_t out[2]);
/* A shape argument: at most TSM_MAX_RANK extents, none negative. */
tsm_status tsm_arg_shape(tsm_opcall *c, size_t i, tsm_meta *out);
void tsm_meta_of(const tsm_tensor *t, tsm_meta *out);
bool tsm_is_same_shape(const tsm_tensor *a, const tsm_tensor *b);
/* Raises what a tensor that does not expand to a shape raises. */
tsm_status tsm_raise_expand(tsm_opcall *c, const tsm_tensor *t, const int64_t *shape, size_t rank);
/* Raises what two shapes that do not broadcast raise: names the last dimension in which they differ. */
tsm_status tsm_raise_broadcast(tsm_opcall *c, const int64_t *a, size_t a_rank, const int64_t *b, size_t b_rank);
/* "[2, 3]" for messages, into `out` of TSM_SHAPE_TEXT bytes. */
const char *tsm_list_text(char *out, const int64_t *items, size_t count);
/* Whether a Python number can become an element of the dtype, as PyTorch's checked conversion decides it. */
bool tsm_scalar_fits(unsigned dtype, tsm_pair scalar);
/* RuntimeError unless it fits. */
tsm_status tsm_check_scalar(tsm_opcall *c, unsigned dtype, tsm_pair scalar);

/* Which dimensions a reduction joins: from the second parameter (int, int or None, list; all when it is absent). */
typedef struct tsm_reduction { bool is_reduced[TSM_MAX_RANK]; bool keeps, is_full; } tsm_reduction;
tsm_status tsm_reduction_read(tsm_opcall *c, tsm_reduction *out);

#endif
