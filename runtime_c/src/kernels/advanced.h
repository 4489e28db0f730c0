/* advanced.h - indexing by tensors, for the operators that take them apart from the index and for subscripts.
 * In: a tensor and, for its leading dimensions in order, an index tensor, a mask over several dimensions, or NULL.
 * Out: the elements, or the tensor written. Holds: raises PyTorch's IndexError or RuntimeError. */
#ifndef TSM_ADVANCED_H
#define TSM_ADVANCED_H

#include "op/op.h"

/* A new tensor of the indexed elements, owned by the caller. NULL: raised. */
tsm_tensor *tsm_index_read(tsm_opcall *c, const tsm_tensor *self, tsm_object *const *indices, int64_t count);
/* Writes `values`, broadcast, to the elements that tsm_index_read would read; `accumulate` adds them. */
tsm_status tsm_index_write(tsm_opcall *c, tsm_tensor *self, tsm_object *const *indices, int64_t count,
                           tsm_tensor *values, bool accumulate);

#endif
