/* gemm_f32.c - matrix products of float32: see gemm_tile.h. */
#define SET tsm_gemm_f32
#include "gemm_tile.h"
