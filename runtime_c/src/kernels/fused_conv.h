/* fused_conv.h - a fused node whose producer is a convolution, as one pass over its results. */
#ifndef TSM_FUSED_CONV_H
#define TSM_FUSED_CONV_H

#include "conv.h"
#include "fused_tiles.h"

/* Whether the guarded node is no more than a convolution, an addition, and a relu or clamp, each of the latter at most
 * once and in this order (or neither), so that tsm_conv_run does all of it. Fills what comes after the convolution. */
bool tsm_fused_conv_after(const tsm_fused_work *r, tsm_opcall *producer, const tsm_slot *frame, const tsm_meta *meta,
                          tsm_conv_after *out);
/* Runs it into a new tensor; NULL: the status of the context says why. */
tsm_tensor *tsm_fused_conv_run(const tsm_fused_work *r, tsm_opcall *producer, const tsm_meta *meta,
                               const tsm_conv_after *after);

#endif
