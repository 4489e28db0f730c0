/* conv.h - running a convolution and what follows it in one pass over its results.
 * In: a call with the arguments of conv1d or conv2d, a result. Out: the result filled.
 * Holds: any strides of input, weight, bias and result are right; results that lie channels-last are the fast ones. */
#ifndef TSM_CONV_H
#define TSM_CONV_H

#include "simd/conv.h"
#include "window.h"

/* What is done to a sum with its bias before it is stored, in this order; zeroed: nothing. */
typedef struct tsm_conv_after {
  const tsm_tensor *add;      /* float32 of the result's shape, any strides, sharing no memory with it; or NULL */
  bool clamps;                /* then limited to [low, high]; NaN stays. relu is [0, Inf] */
  float low, high;
  tsm_conv_finish_fn finish;  /* then called for blocks of finished results, from any thread; or NULL. Blocks cover all
                               * results, and some may be computed and finished a second time from the start. A block is
                               * `places` runs of `filters` values, whatever the result's strides. */
  void *user;
} tsm_conv_after;

/* Whether tsm_conv_run can do what comes after, for arguments that infer accepted: float32, and not an empty sum. */
bool tsm_conv_can_fuse(tsm_opcall *c, size_t spatial);

/* Arguments 0..6 of `c` are those of a conv with `spatial` dimensions that its infer function accepted; `out` has the
 * inferred shape and dtype, any strides without overlap, and may be written. `after` may be NULL; otherwise
 * tsm_conv_can_fuse. */
tsm_status tsm_conv_run(tsm_opcall *c, size_t spatial, tsm_tensor *out, const tsm_conv_after *after);

#endif
