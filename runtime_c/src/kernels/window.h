/* window.h - the geometry of sliding windows: convolution, transposed convolution and pooling.
 * In: input extent, kernel, stride, padding, dilation. Out: output extents, checked against overflow. */
#ifndef TSM_WINDOW_H
#define TSM_WINDOW_H

#include "op/op.h"

/* One value for height, one for width and one for depth, in this order: fewer dimensions have depth 1, then height 1.
 * Transposed: the window of an input element covers result elements, from the element times stride on. */
enum { TSM_AXES = 3 };
typedef struct tsm_window {
  int64_t in[TSM_AXES], kernel[TSM_AXES], stride[TSM_AXES], padding[TSM_AXES], dilation[TSM_AXES], out[TSM_AXES];
  bool is_transposed;
} tsm_window;
/* The axis of a tensor's dimension, counted from its last one. */
static inline int tsm_axis(size_t from_last) { return from_last < 2 ? (int)(1 - from_last) : (int)from_last; }
/* Reads the shapes and arguments of a call of conv1d, conv2d, conv3d or conv_transpose; checks all of them. */
tsm_status tsm_window_of_conv(tsm_opcall *c, size_t spatial, tsm_window *out);
/* Channels of the input and filters, of one group. */
int64_t tsm_conv_channels(const tsm_opcall *c, const tsm_window *w);
int64_t tsm_conv_filters(const tsm_opcall *c, const tsm_window *w);
/* The same of max_pool2d or avg_pool2d. */
tsm_status tsm_window_of_pool(tsm_opcall *c, tsm_window *out);

#endif
