/* random.c - xoshiro256++ seeded by splitmix64: the same numbers on every platform.
 * Holds: only exact or correctly rounded operations are used, so normal samples do not depend on the C library. */
#include <math.h>

#include "context.h"

static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static uint64_t splitmix(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

void tsm_random_seed(tsm_random *r, uint64_t seed) {
  for (int i = 0; i < 4; i++) r->state[i] = splitmix(&seed);
  r->spare_normal = 0;
  r->has_spare = false;
}

uint64_t tsm_random_bits(tsm_random *r) {
  uint64_t *s = r->state;
  uint64_t result = rotate(s[0] + s[3], 23) + s[0];
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

double tsm_random_uniform(tsm_random *r) { return (double)(tsm_random_bits(r) >> 11) * 0x1p-53; }

/* Natural logarithm of a normal positive number, by the series of 2 artanh((m - 1) / (m + 1)). */
static double log_series(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52) - 1023;
  bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
  double m;
  memcpy(&m, &bits, sizeof m);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    exponent++;
  }
  double s = (m - 1.0) / (m + 1.0), square = s * s, sum = 0.0;
  for (int k = 25; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
  return exponent * 0.6931471805599453 + 2.0 * (s + s * sum);
}

double tsm_random_normal(tsm_random *r) {
  if (r->has_spare) {
    r->has_spare = false;
    return r->spare_normal;
  }
  double u, v, s;
  do { /* Marsaglia's polar method */
    u = 2.0 * tsm_random_uniform(r) - 1.0;
    v = 2.0 * tsm_random_uniform(r) - 1.0;
    s = u * u + v * v;
  } while (s >= 1.0 || s < 0x1p-1000);
  double scale = sqrt(-2.0 * log_series(s) / s);
  r->spare_normal = v * scale;
  r->has_spare = true;
  return u * scale;
}
