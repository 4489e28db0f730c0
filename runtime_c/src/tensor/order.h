/* order.h - tensors of images whose channels lie innermost in memory ("channels last").
 * In: tensors (N, C, H, W). Out: whether two lie in one order, results in the order that suits their kernel.
 * Holds: such tensors are ordinary strided tensors, right everywhere; only a site that lowering marked (tsm_site.
 * free_layout) makes them, and lowering makes them row-major again before a program could see their strides. */
#ifndef TSM_ORDER_H
#define TSM_ORDER_H

#include "tensor.h"

/* Four dimensions, no gaps, dimension 1 innermost, then 3, 2, 0; and not row-major as well. */
bool tsm_is_channels_last(const tsm_tensor *t);
/* Whether both have one shape and fill their memory in one order: then they may be walked as flat memory together. */
bool tsm_is_same_order(const tsm_tensor *a, const tsm_tensor *b);
/* Turns a new row-major tensor of four dimensions, of which nobody has a view yet, to channels last. */
void tsm_tensor_turn_channels_last(tsm_tensor *t);

#endif
