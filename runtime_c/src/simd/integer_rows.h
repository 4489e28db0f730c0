/* integer_rows.h - the functions of integer.h for one type; integer.c includes it for each.
 * In: T the type, U its unsigned one, BITS, NAME(name); FIRST if no type of this width came before, whose functions this
 * one shares through SAME(name). Out: the functions. */

typedef T NAME(v) __attribute__((vector_size(TSM_VB), aligned(1), may_alias));
#if FIRST
typedef U SAME(v) __attribute__((vector_size(TSM_VB), aligned(1), may_alias));
enum { SAME(lanes) = TSM_VB / sizeof(U) };

#define BOTH_WAYS(name, V, EXPRESSION) \
  STREAM(name, V, const V x = *(const V *)a; const V y = *(const V *)b; *(V *)out = (EXPRESSION), TSM_VB)

BOTH_WAYS(SAME(add), SAME(v), x + y)
BOTH_WAYS(SAME(sub), SAME(v), x - y)
BOTH_WAYS(SAME(mul), SAME(v), x * y)
BOTH_WAYS(SAME(add_scaled), SAME(v), x + *(const SAME(v) *)c * y)

/* The masks of a vector, all ones or zeros an element, as bytes of 0 or 1, turned by the lowest bits of c. */
TSM_INLINE void SAME(put)(uint8_t *out, SAME(v) mask, const uint8_t *c) {
#if BITS == 8
  *(SAME(v) *)out = (mask & 1) ^ (*c & 1);
#elif TSM_VB == 32 && BITS == 16
  const __m256i words = (__m256i)mask;
  const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  _mm_storeu_si128((__m128i *)(void *)out, _mm_xor_si128(_mm_and_si128(bytes, _mm_set1_epi8(1)), _mm_set1_epi8(*c & 1)));
#elif TSM_VB == 32
#if BITS == 32
  const uint64_t bits = (uint32_t)_mm256_movemask_ps((__m256)mask), spread = 0x0101010101010101u;
  const uint64_t bytes = (((bits * spread) & 0x8040201008040201u) + 0x7f7f7f7f7f7f7f7fu) >> 7 & spread;
#else
  const uint32_t bits = (uint32_t)_mm256_movemask_pd((__m256d)mask), spread = 0x01010101u;
  const uint32_t bytes = bits * 0x204081u & spread;
#endif
  const __typeof__(bytes) turned = bytes ^ (spread * (*c & 1u));
  memcpy(out, &turned, sizeof turned);
#else
  TSM_ROLLED
  for (size_t i = 0; i < SAME(lanes); i++) out[i] = (uint8_t)((mask[i] & 1) ^ (*c & 1));
#endif
}

STREAM(SAME(eq), SAME(v), const SAME(v) x = *(const SAME(v) *)a; const SAME(v) y = *(const SAME(v) *)b;
       SAME(put)((uint8_t *)out, (SAME(v))(x == y), (const uint8_t *)c), TSM_VB / sizeof(U))

static size_t SAME(find)(const void *from, size_t n, int64_t value) {
  const U *x = from, wanted = (U)value;
  const SAME(v) every = (SAME(v)){0} + wanted;
  size_t i = 0;
  for (; i + SAME(lanes) <= n; i += SAME(lanes))
    if (vf_any_lane((vfm)(vi)(*(const SAME(v) *)(x + i) == every))) break;
  vectors_end();
  while (i < n && x[i] != wanted) i++;
  return i;
}
#undef BOTH_WAYS
#endif

#define CHOOSE(V, mask, x, y) (((V)(mask) & (x)) | (~(V)(mask) & (y)))
#define IN(p) (*(const NAME(v) *)(p))
#ifdef MOST
TSM_INLINE NAME(v) NAME(larger)(NAME(v) x, NAME(v) y) { return (NAME(v))MOST(max)((RAW)x, (RAW)y); }
TSM_INLINE NAME(v) NAME(smaller)(NAME(v) x, NAME(v) y) { return (NAME(v))MOST(min)((RAW)x, (RAW)y); }
#else
TSM_INLINE NAME(v) NAME(larger)(NAME(v) x, NAME(v) y) { return CHOOSE(NAME(v), x > y, x, y); }
TSM_INLINE NAME(v) NAME(smaller)(NAME(v) x, NAME(v) y) { return CHOOSE(NAME(v), x > y, y, x); }
#endif

STREAM(NAME(max), NAME(v), const NAME(v) x = IN(a); const NAME(v) y = IN(b); *(NAME(v) *)out = NAME(larger)(x, y), TSM_VB)
STREAM(NAME(min), NAME(v), const NAME(v) x = IN(a); const NAME(v) y = IN(b); *(NAME(v) *)out = NAME(smaller)(x, y), TSM_VB)
STREAM(NAME(clamp), NAME(v), NAME(v) x = IN(a); const NAME(v) y = IN(b); const NAME(v) z = IN(c);
       x = NAME(larger)(x, y); *(NAME(v) *)out = NAME(smaller)(x, z), TSM_VB)
STREAM(NAME(lt), NAME(v), const NAME(v) x = IN(a); const NAME(v) y = IN(b);
       SAME(put)((uint8_t *)out, (SAME(v))(x < y), (const uint8_t *)c), TSM_VB / sizeof(T))

/* Counts that are too large, or negative, leave `beyond`. Processors do not shift narrow lanes by counts of their own:
 * these go by halves, quarters, ... of the width. To the right the sign is taken away first and put back. */
TSM_INLINE SAME(v) NAME(shifted)(SAME(v) x, SAME(v) y, bool is_left) {
#if BITS >= 32
  const SAME(v) low = y & (BITS - 1), moved = is_left ? x << low : x >> low;
  return moved & (SAME(v))(y < BITS);
#else
  TSM_UNROLL(6)
  for (U bit = BITS / 2; bit; bit /= 2) x = CHOOSE(SAME(v), (y & bit) != 0, is_left ? x << bit : x >> bit, x);
  return x & (SAME(v))(y < BITS);
#endif
}
#if FIRST
STREAM(SAME(left), SAME(v), *(SAME(v) *)out = NAME(shifted)(*(const SAME(v) *)a, *(const SAME(v) *)b, true), TSM_VB)
#endif
STREAM(NAME(right), NAME(v), const NAME(v) x = IN(a); const SAME(v) sign = (SAME(v))(x < 0);
       *(SAME(v) *)out = NAME(shifted)((SAME(v))x ^ sign, *(const SAME(v) *)b, false) ^ sign, TSM_VB)

/* The smallest is the complement of the largest complement, in signed types and in unsigned ones. */
static int64_t NAME(most)(const void *from, size_t n, bool is_max) {
  const T *x = from, turn = (T)(is_max ? 0 : -1);
  T best = (T)(x[0] ^ turn);
  size_t i = 0;
  if (n >= 2 * SAME(lanes)) {
    NAME(v) m = IN(x) ^ turn, m2 = m;
    for (; i + 2 * SAME(lanes) <= n; i += 2 * SAME(lanes)) {
      const NAME(v) y = IN(x + i) ^ turn, z = IN(x + i + SAME(lanes)) ^ turn;
      m = NAME(larger)(m, y);
      m2 = NAME(larger)(m2, z);
    }
    m = NAME(larger)(m, m2);
    T lanes[SAME(lanes)];
    memcpy(lanes, &m, sizeof lanes);
    vectors_end();
    TSM_ROLLED
    for (size_t k = 0; k < SAME(lanes); k++) best = lanes[k] > best ? lanes[k] : best;
  }
  TSM_ROLLED
  for (; i < n; i++) best = (T)(x[i] ^ turn) > best ? (T)(x[i] ^ turn) : best;
  return (int64_t)(T)(best ^ turn);
}

#undef MOST
#undef CHOOSE
#undef IN
#undef T
#undef U
#undef BITS
#undef NAME
#undef SAME
#undef FIRST
