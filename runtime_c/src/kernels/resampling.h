/* resampling.h - what resizing (interpolate.c) and sampling (grid_sample.c) of images share: arithmetic in a tensor's
 * precision, and the cubic kernel. */
#ifndef TSM_RESAMPLING_H
#define TSM_RESAMPLING_H

#include <stdbool.h>

/* What an operation of the tensor's dtype gives: of floats, the double's result rounded once more is the same. */
typedef struct tsm_rounding { bool is_float; } tsm_rounding;
static inline double tsm_fit(tsm_rounding r, double x) { return r.is_float ? (double)(float)x : x; }

/* Weights of the four neighbours at a fraction x, with A = -0.75 as PyTorch's. */
void tsm_cubic_weights(tsm_rounding r, double x, double out[4]);

#endif
