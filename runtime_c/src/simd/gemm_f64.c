/* gemm_f64.c - matrix products of float64: see gemm_tile.h. */
#define DOUBLE
#define SET tsm_gemm_f64
#include "gemm_tile.h"
