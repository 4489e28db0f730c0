/* gemm_lanes.h - the float type of a source that is written once for both: float, or double when DOUBLE is defined.
 * Out: T the type, V its vector, LANES the lanes of V and the functions on them; LOW and HIGH interleave the first and
 * the second halves of two vectors. */
#ifndef TSM_SIMD_GEMM_LANES_H
#define TSM_SIMD_GEMM_LANES_H

#include "vector.h"

#ifdef DOUBLE
#define T double
#define V vd
#define LANES (TSM_VB / 8)
#define LOAD vd_load
#define STORE vd_store
#define SET1 vd_set1
#else
#define T float
#define V vf
#define LANES (TSM_VB / 4)
#define LOAD vf_load
#define STORE vf_store
#define SET1 vf_set1
#endif

/* In a loop that is too short or too rare to be worth the compiler's vectors. */
#define PLAIN_LOOP __asm__ volatile("")

/* The first n lanes; out of line where the machine has no instruction for them. */
#if TSM_VB == 64 && defined(DOUBLE)
#define LOAD_PART vd_load_part
#define STORE_PART vd_store_part
#elif TSM_VB == 64
#define LOAD_PART vf_load_part
#define STORE_PART vf_store_part
#else
static __attribute__((noinline, unused)) void load_part(const T *p, size_t n, V *out) {
  T lanes[LANES] = {0};
  for (size_t i = 0; i < n; i++) {
    PLAIN_LOOP;
    lanes[i] = p[i];
  }
  memcpy(out, lanes, sizeof *out);
}
static __attribute__((noinline, unused)) void store_part(T *p, const V *v, size_t n) {
  T lanes[LANES];
  memcpy(lanes, v, sizeof lanes);
  for (size_t i = 0; i < n; i++) {
    PLAIN_LOOP;
    p[i] = lanes[i];
  }
}
TSM_INLINE V LOAD_PART(const T *p, size_t n) {
  V v;
  load_part(p, n, &v);
  return v;
}
TSM_INLINE void STORE_PART(T *p, V v, size_t n) { store_part(p, &v, n); }
#endif

#if LANES == 16
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define ROUNDS 4
#elif LANES == 8
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define ROUNDS 3
#elif LANES == 4
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define ROUNDS 2
#else
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 2)
#define HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#define ROUNDS 1
#endif


#endif
