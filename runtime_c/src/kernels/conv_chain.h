/* conv_chain.h - convolutions that only feed each other, run in bands of rows: what lies between them stays in cache.
 * In: two or three calls of conv2d: pointwise, depthwise, pointwise, of which the first or the last may be missing; the
 * later ones have a tensor without memory as their input. Out: the last one's result.
 * Holds: each place is computed by the kernels, and in the order, of the convolutions one by one; where those would be
 * better (too few rows for the threads, float64, other windows) the chain is not taken. */
#ifndef TSM_CONV_CHAIN_H
#define TSM_CONV_CHAIN_H

#include "conv.h"

enum { TSM_CHAIN_LINKS = 3 };
typedef struct tsm_conv_link { tsm_opcall *call; tsm_conv_after after; } tsm_conv_link;

/* Runs the chain of calls that infer accepted and that tsm_conv_can_fuse, into a new tensor of the last one's shape and
 * dtype; is_free: it may lie channels-last. Charges fuel as the single ones do. NULL: the context's status says why;
 * TSM_OK: it is not taken, and nothing has been done. */
tsm_tensor *tsm_conv_chain_run(const tsm_conv_link *links, size_t count, const tsm_meta *meta, bool is_free);

#endif
