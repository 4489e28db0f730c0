/* window.h - the geometry of sliding windows: convolution and pooling.
 * In: input extent, kernel, stride, padding, dilation. Out: output extents, checked against overflow. */
#ifndef TSM_WINDOW_H
#define TSM_WINDOW_H

#include "op/op.h"

/* One value for height and one for width. A 1-d convolution has height 1. */
typedef struct tsm_window { int64_t in[2], kernel[2], stride[2], padding[2], dilation[2], out[2]; } tsm_window;
/* Reads a convolution call's shapes and arguments; checks all of them. */
tsm_status tsm_window_of_conv(tsm_opcall *c, size_t spatial, tsm_window *out);
/* The same of max_pool2d or avg_pool2d. */
tsm_status tsm_window_of_pool(tsm_opcall *c, tsm_window *out);

#endif
