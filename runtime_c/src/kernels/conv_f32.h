/* conv_f32.h - the fast paths of float32 convolutions; conv.c decides who takes a call. */
#ifndef TSM_CONV_F32_H
#define TSM_CONV_F32_H

#include "conv.h"

/* Whether the fast paths take this geometry: its sum is neither empty nor very long, and its numbers
 * stay far from overflow. */
bool tsm_conv_f32_takes(const tsm_opcall *c, const tsm_window *w);
/* See tsm_conv_run. Charges fuel. */
tsm_status tsm_conv_f32_run(tsm_opcall *c, size_t spatial, const tsm_window *w, tsm_tensor *out,
                            const tsm_conv_after *after);

#endif
