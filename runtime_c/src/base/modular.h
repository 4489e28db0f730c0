/* modular.h - products of 64-bit numbers modulo a third, also where no type has 128 bits. */
#ifndef TSM_MODULAR_H
#define TSM_MODULAR_H

#include <stdint.h>

/* a * b modulo m, for a, b < m <= 2^63: by doubling, as a sum of two numbers below m fits. */
static inline uint64_t tsm_times_mod_by_sums(uint64_t a, uint64_t b, uint64_t m) {
  uint64_t product = 0;
  for (; b; b >>= 1) {
    if (b & 1) product = product + a < m ? product + a : product + a - m;
    a = a + a < m ? a + a : a + a - m;
  }
  return product;
}

/* The same. */
static inline uint64_t tsm_times_mod(uint64_t a, uint64_t b, uint64_t m) {
#ifdef __SIZEOF_INT128__
  return (uint64_t)((__extension__ (unsigned __int128)a) * b % m);
#else
  return tsm_times_mod_by_sums(a, b, m);
#endif
}

#endif
