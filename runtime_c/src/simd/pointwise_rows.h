/* pointwise_rows.h - the rows of pointwise.h for one float type; pointwise.c includes it once with 32 and once with 64
 * bits. In: REAL the type, V(name) the vector functions, BITS. Out: functions ROW(name) and the macro that lists them.
 * Holds: a body is generated once a row; what is left after the whole vectors runs through it under a lane mask, or
 * through small copies of the operands. */

#define V_T V()
#define LANES ((size_t)TSM_VB * 8 / BITS)
#define SPLAT(p) V(_set1)(*(const REAL *)(p))

#if TSM_VB == 64
/* Runs BODY for i = 0, LANES, ...; k masks the lanes to load and store, where there is one. */
#define EACH(self, sizes, BODY)                                  \
  const bool is_whole = false;                                   \
  size_t whole = n / LANES * LANES;                              \
  KMASK k = (KMASK)-1;                                           \
  for (size_t i = 0;;) {                                         \
    for (; i < whole; i += LANES) { BODY; }                      \
    if (i >= n) break;                                           \
    k = (KMASK)((1u << (n - i)) - 1u);                           \
    whole = n;                                                   \
  }
/* The same with a body for whole vectors, for what takes no longer than memory does: masks would double that. */
#define EACH_CHEAP(self, sizes, BODY)                            \
  size_t i = 0;                                                  \
  for (const bool is_whole = true; i + LANES <= n; i += LANES) { \
    const KMASK k = (KMASK)-1;                                   \
    (void)k;                                                     \
    BODY;                                                        \
  }                                                              \
  if (i < n) {                                                   \
    const bool is_whole = false;                                 \
    const KMASK k = (KMASK)((1u << (n - i)) - 1u);               \
    (void)is_whole;                                              \
    BODY;                                                        \
  }
#define LOAD(p) (is_whole ? V(_load)((const REAL *)(p) + i) : LOAD_MASKED((const REAL *)(p) + i, k))
#define STORE(p, v) (is_whole ? V(_store)((REAL *)(p) + i, v) : STORE_MASKED((REAL *)(p) + i, v, k))
#else
#define EACH(self, sizes, BODY)                                  \
  size_t i = 0;                                                  \
  for (; i + LANES <= n; i += LANES) { BODY; }                   \
  if (i < n) finish(self, out, a, b, c, i, n, sizes);
#define EACH_CHEAP EACH
#define LOAD(p) V(_load)((const REAL *)(p) + i)
#define STORE(p, v) V(_store)((REAL *)(p) + i, v)
#endif

/* Sizes of elements of out, a, b, c for what is left over: 0 for a value. */
#define SIZE_R (BITS / 8u)
#define SIZES(o, a, b, c) ((o) | (a) << 8 | (b) << 16 | (c) << 24)
#define ROW_BEGIN(name)                                                                             \
  static void ROW(name)(void *out, const void *a, const void *b, const void *c, size_t n) {         \
    (void)b;                                                                                        \
    (void)c;
#define ROW_END  \
  vectors_end(); \
  }

/* y and z: the values b and c. */
#define UNARY(name, EXPRESSION)                                                                     \
  ROW_BEGIN(name)                                                                                   \
  EACH(ROW(name), SIZES(SIZE_R, SIZE_R, 0, 0), V_T x = LOAD(a); STORE(out, EXPRESSION))             \
  ROW_END
/* A long chain of operations, for two vectors at a time. */
#if TSM_SIDE_BY_SIDE_PAYS
#define UNARY_LONG(name, EXPRESSION)                                                                \
  TSM_INLINE V_T ROW(name##_of)(V_T x) { return EXPRESSION; }                                       \
  TSM_SIDE_BY_SIDE ROW_BEGIN(name)                                                                  \
  size_t i = 0;                                                                                     \
  for (; i + 2 * LANES <= n; i += 2 * LANES) {                                                      \
    const V_T one = ROW(name##_of)(LOAD(a)), two = ROW(name##_of)(LOAD((const REAL *)a + LANES));   \
    STORE(out, one);                                                                                \
    STORE((REAL *)out + LANES, two);                                                                \
  }                                                                                                 \
  if (i + LANES <= n) {                                                                             \
    STORE(out, ROW(name##_of)(LOAD(a)));                                                            \
    i += LANES;                                                                                     \
  }                                                                                                 \
  if (i < n) finish(ROW(name), out, a, b, c, i, n, SIZES(SIZE_R, SIZE_R, 0, 0));                    \
  ROW_END
#else
#define UNARY_LONG UNARY
#endif
#define UNARY_CHEAP(name, EXPRESSION)                                                               \
  ROW_BEGIN(name)                                                                                   \
  EACH_CHEAP(ROW(name), SIZES(SIZE_R, SIZE_R, 0, 0), V_T x = LOAD(a); STORE(out, EXPRESSION))       \
  ROW_END
#define UNARY_1(name, EXPRESSION)                                                                   \
  ROW_BEGIN(name)                                                                                   \
  const V_T y = SPLAT(b);                                                                           \
  EACH(ROW(name), SIZES(SIZE_R, SIZE_R, 0, 0), V_T x = LOAD(a); STORE(out, EXPRESSION))             \
  ROW_END
#define UNARY_2(name, EXPRESSION)                                                                   \
  ROW_BEGIN(name)                                                                                   \
  const V_T y = SPLAT(b), z = SPLAT(c);                                                             \
  EACH_CHEAP(ROW(name), SIZES(SIZE_R, SIZE_R, 0, 0), V_T x = LOAD(a); STORE(out, EXPRESSION))             \
  ROW_END
#define BINARY_VV(name, PUT, size, EXPRESSION)                                                      \
  ROW_BEGIN(name)                                                                                   \
  EACH_CHEAP(ROW(name), SIZES(size, SIZE_R, SIZE_R, 0), V_T x = LOAD(a); V_T y = LOAD(b); PUT(out, EXPRESSION)) \
  ROW_END
#define BINARY_VS(name, PUT, size, EXPRESSION)                                                      \
  ROW_BEGIN(name##_VS)                                                                              \
  const V_T y = SPLAT(b);                                                                           \
  EACH_CHEAP(ROW(name##_VS), SIZES(size, SIZE_R, 0, 0), V_T x = LOAD(a); PUT(out, EXPRESSION))            \
  ROW_END
#define BINARY_SV(name, PUT, size, EXPRESSION)                                                      \
  ROW_BEGIN(name##_SV)                                                                              \
  const V_T x = SPLAT(a);                                                                           \
  EACH_CHEAP(ROW(name##_SV), SIZES(size, 0, SIZE_R, 0), V_T y = LOAD(b); PUT(out, EXPRESSION))            \
  ROW_END
/* name_SV by another row with the value on the right. */
#define TURNED(name, by)                                                                            \
  ROW_BEGIN(name##_SV)                                                                              \
  ROW(by##_VS)(out, b, a, c, n);                                                                    \
  }
#define BINARY(name, EXPRESSION)                                                                    \
  BINARY_VV(name, STORE, SIZE_R, EXPRESSION)                                                        \
  BINARY_VS(name, STORE, SIZE_R, EXPRESSION)

/* Bools: a byte a lane. */
typedef uint8_t ROW(bytes) __attribute__((vector_size(TSM_VB * 8 / BITS)));
static inline __attribute__((always_inline)) void ROW(store_bool)(uint8_t *p, MASK mask, KMASK k) {
#if TSM_VB == 64
  __m128i bytes = _mm_and_si128(_mm_movm_epi8((__mmask16)mask), _mm_set1_epi8(1));
  _mm_mask_storeu_epi8(p, k, bytes);
#elif TSM_VB == 32 && BITS == 32
  __m256i lanes = (__m256i)mask;
  __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
  (void)k;
  _mm_storel_epi64((__m128i *)(void *)p, _mm_and_si128(_mm_packs_epi16(words, words), _mm_set1_epi8(1)));
#else
  (void)k;
  ROW(bytes) bytes = __builtin_convertvector(mask, ROW(bytes)) & 1;
  memcpy(p, &bytes, sizeof bytes);
#endif
}
static inline __attribute__((always_inline)) MASK ROW(load_bool)(const uint8_t *p, KMASK k) {
#if TSM_VB == 64
  __m128i bytes = _mm_maskz_loadu_epi8(k, p);
  return (MASK)_mm_test_epi8_mask(bytes, bytes);
#elif TSM_VB == 32 && BITS == 32
  (void)k;
  return (MASK)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)) != 0;
#else
  (void)k;
  ROW(bytes) bytes;
  memcpy(&bytes, p, sizeof bytes);
  return __builtin_convertvector(bytes, MASK) != 0;
#endif
}
#if TSM_VB == 64
#define K k
#else
#define K 0
#endif
#define STORE_BOOL(p, mask) ROW(store_bool)((uint8_t *)(p) + i, mask, K)
#define LOAD_BOOL(p) ROW(load_bool)((const uint8_t *)(p) + i, K)
#define COMPARE(name, turned, EXPRESSION)                                                           \
  BINARY_VV(name, STORE_BOOL, 1u, EXPRESSION)                                                       \
  BINARY_VS(name, STORE_BOOL, 1u, EXPRESSION)
#define TEST(name, EXPRESSION)                                                                      \
  ROW_BEGIN(name)                                                                                   \
  EACH(ROW(name), SIZES(1u, SIZE_R, 0, 0), V_T x = LOAD(a); STORE_BOOL(out, EXPRESSION))            \
  ROW_END

#define ZERO V(_set1)(0)
UNARY_CHEAP(NEG, -x)
UNARY_CHEAP(ABS, V(_abs)(x))
UNARY(SIGN, V(_blend)(V(_lt)(ZERO, V(_abs)(x)), V(_signed)(V(_set1)(1), x), ZERO))
UNARY_CHEAP(SQUARE, x *x)
UNARY_CHEAP(CUBE, x *x *x)
UNARY_CHEAP(SQRT, V(_sqrt)(x))
UNARY(RSQRT, 1 / V(_sqrt)(x))
UNARY_CHEAP(RECIPROCAL, 1 / x)
UNARY_CHEAP(FLOOR, V(_floor)(x))
UNARY_CHEAP(CEIL, V(_ceil)(x))
UNARY_CHEAP(ROUND, V(_round)(x))
UNARY_CHEAP(TRUNC, V(_trunc)(x))
UNARY_CHEAP(RELU, V(_max)(ZERO, x)) /* of two zeros, and beside NaN, the second */
UNARY_LONG(EXP, V(_exp)(x))
UNARY(EXPM1, V(_expm1)(x))
UNARY(LOG, V(_log)(x))
UNARY(LOG1P, V(_log1p)(x))
UNARY(LOG2, V(_log2)(x))
UNARY_LONG(TANH, V(_tanh)(x))
UNARY_LONG(SIGMOID, V(_sigmoid)(x))
UNARY_LONG(SILU, V(_silu)(x))
UNARY_LONG(GELU_TANH, V(_gelu_tanh)(x))
#if BITS == 32
UNARY_LONG(ERF, V(_erf)(x))
#if TSM_SIDE_BY_SIDE_PAYS
UNARY_LONG(GELU, V(_gelu)(x))
#else
UNARY_CHEAP(GELU, V(_gelu)(x))
#endif
#endif
UNARY_1(LEAKY_RELU, V(_blend)(V(_lt)(ZERO, x), x, x *y))
UNARY_1(ELU, V(_blend)(V(_lt)(ZERO, x), x, y *V(_expm1)(x)))
UNARY_2(SOFTPLUS, V(_blend)(V(_lt)(z, x *y), x, V(_log1p)(V(_exp)(x *y)) / y))
UNARY_2(CLAMP, V(_blend)((MASK)(V(_ne)(y, y) | V(_ne)(z, z)), V(_set1)(NAN), V(_min)(z, V(_max)(y, x))))

UNARY_CHEAP(HARDSIGMOID, V(_min)(V(_set1)(6), V(_max)(ZERO, x + 3)) / 6)
UNARY_CHEAP(HARDSWISH, x *V(_min)(V(_set1)(6), V(_max)(ZERO, x + 3)) / 6)

#if TSM_HAS_FMA
/* Of the lanes that `is_good` is false of libm has the results. */
static __attribute__((noinline)) V_T ROW(far)(V_T x, V_T y, REAL low, REAL high, REAL (*libm)(REAL)) {
  REAL from[LANES], to[LANES];
  V(_store)(from, x);
  V(_store)(to, y);
  vectors_end();
  for (size_t j = 0; j < LANES; j++)
    if (!(from[j] > low && from[j] < high)) to[j] = libm(from[j]);
  return V(_load)(to);
}
/* Lanes with large arguments are done by libm. */
#define WAVE(name, EXPRESSION, name_of)                                                             \
  TSM_INLINE V_T ROW(name##_any)(V_T x) {                                                           \
    V_T y = EXPRESSION;                                                                             \
    if (V(_any_lane)(V(_le)(V(_set1)(WAVE_LIMIT), V(_abs)(x))))                                     \
      y = ROW(far)(x, y, -WAVE_LIMIT, WAVE_LIMIT, LIBM(name_of));                                   \
    return y;                                                                                       \
  }                                                                                                 \
  UNARY(name, ROW(name##_any)(x))
WAVE(SIN, V(_wave)(x, 0), sin)
WAVE(COS, V(_wave)(x, 1), cos)
WAVE(TAN, V(_tan)(x), tan)

UNARY(EXP2, V(_exp2)(x))
UNARY(LOG10, V(_log10)(x))
UNARY(ASIN, V(_arc)(x, false))
UNARY(ACOS, V(_arc)(x, true))
UNARY(SINH, V(_sinh)(x))
UNARY(COSH, V(_cosh)(x))
UNARY(ATANH, V(_atanh)(x))
UNARY(ERFC, V(_erfc)(x))
UNARY(ERFINV, V(_erfinv)(x))
#if BITS == 64
UNARY(ERF, vd_erf(x))
UNARY(GELU, vd_gelu(x))
#else
static float lgamma_libm(float x) { return (float)lgamma((double)x); }
TSM_INLINE vf lgamma_any(vf x) {
  vf y = vf_of_doubles(vd_lgamma_short(vf_low(x)), vd_lgamma_short(vf_high(x)));
  if (vf_any_lane(vf_le(x, vf_set1(0))) || vf_any_lane(vf_unordered(x - x, x)))
    y = far_f32(x, y, 0, INFINITY, lgamma_libm);
  return vf_blend(vf_eq((x - 1) * (x - 2), vf_set1(0)), vf_set1(0), y); /* its zeros */
}
UNARY(LGAMMA, lgamma_any(x))
#endif

#define PAIR(name, EXPRESSION)                                                                      \
  ROW_BEGIN(name)                                                                                   \
  EACH(ROW(name), SIZES(SIZE_R, SIZE_R, SIZE_R, 0), V_T x = LOAD(a); V_T y = LOAD(b); STORE(out, EXPRESSION)) \
  ROW_END
UNARY(ATAN, V(_atan2)(x, V(_set1)(1)))
PAIR(ATAN2, V(_atan2)(x, y))
PAIR(HYPOT, V(_hypot)(x, y))

/* Where a quotient has too many bits, lane by lane. */
static __attribute__((noinline)) V_T ROW(rest)(V_T x, V_T y) {
  V_T r = V(_fmod_near)(x, y);
  if (!V(_fmod_is_far)(x, y)) return r;
  REAL from[2][LANES], to[LANES];
  V(_store)(from[0], x);
  V(_store)(from[1], y);
  V(_store)(to, r);
  vectors_end();
  for (size_t j = 0; j < LANES; j++) {
    const REAL q = from[0][j] / from[1][j];
    if (q > QUOTIENT || q < -QUOTIENT) to[j] = LIBM(fmod)(from[0][j], from[1][j]);
  }
  return V(_load)(to);
}
PAIR(FMOD, ROW(rest)(x, y))
PAIR(REMAINDER, V(_remainder_of)(ROW(rest)(x, y), y))
PAIR(FLOOR_DIVIDE, V(_floor_divide_of)(ROW(rest)(x, y), x, y))
#undef PAIR
#endif

BINARY(ADD, x + y)
TURNED(ADD, ADD)
BINARY(SUB, x - y)
BINARY_SV(SUB, STORE, SIZE_R, x - y)
BINARY(MUL, x *y)
TURNED(MUL, MUL)
BINARY(DIV, x / y)
BINARY_SV(DIV, STORE, SIZE_R, x / y)
/* A NaN is returned from whichever side it is on. */
BINARY(MAX, V(_blend)(V(_ne)(x, x), x, V(_max)(x, y)))
BINARY_SV(MAX, STORE, SIZE_R, V(_blend)(V(_ne)(x, x), x, V(_max)(x, y)))
BINARY(MIN, V(_blend)(V(_ne)(x, x), x, V(_min)(x, y)))
BINARY_SV(MIN, STORE, SIZE_R, V(_blend)(V(_ne)(x, x), x, V(_min)(x, y)))

#if BITS == 32
static __attribute__((noinline)) vf power(vf x, vf y) { return vf_pow(x, y); }
BINARY(POW, power(x, y))
BINARY_SV(POW, STORE, SIZE_R, power(x, y))
#endif

COMPARE(EQ, EQ, V(_eq)(x, y))
COMPARE(NE, NE, V(_ne)(x, y))
COMPARE(LT, GT, V(_lt)(x, y))
COMPARE(LE, GE, V(_le)(x, y))
COMPARE(GT, LT, V(_lt)(y, x))
COMPARE(GE, LE, V(_le)(y, x))
TURNED(EQ, EQ)
TURNED(NE, NE)
TURNED(LT, GT)
TURNED(LE, GE)
TURNED(GT, LT)
TURNED(GE, LE)

TEST(IS_ZERO, V(_eq)(x, ZERO))
TEST(IS_NAN, V(_ne)(x, x))
TEST(IS_INF, V(_eq)(V(_abs)(x), V(_set1)(INFINITY)))
TEST(IS_FINITE, V(_lt)(V(_abs)(x), V(_set1)(INFINITY)))
TEST(IS_TRUE, V(_ne)(x, ZERO))

ROW_BEGIN(ADD_SCALED)
const V_T z = SPLAT(c);
EACH_CHEAP(ROW(ADD_SCALED), SIZES(SIZE_R, SIZE_R, SIZE_R, 0), V_T x = LOAD(a); V_T y = LOAD(b); STORE(out, x + z *y))
ROW_END
ROW_BEGIN(FMA)
EACH_CHEAP(ROW(FMA), SIZES(SIZE_R, SIZE_R, SIZE_R, SIZE_R), V_T x = LOAD(a); V_T y = LOAD(b);
           STORE(out, x *y + LOAD(c)))
ROW_END
ROW_BEGIN(WHERE)
EACH_CHEAP(ROW(WHERE), SIZES(SIZE_R, 1u, SIZE_R, SIZE_R), V_T x = LOAD(b);
           STORE(out, V(_blend)(LOAD_BOOL(a), x, LOAD(c))))
ROW_END
ROW_BEGIN(WHERE_VS)
const V_T y = SPLAT(c);
EACH_CHEAP(ROW(WHERE_VS), SIZES(SIZE_R, 1u, SIZE_R, 0), V_T x = LOAD(b); STORE(out, V(_blend)(LOAD_BOOL(a), x, y)))
ROW_END
ROW_BEGIN(WHERE_SV)
const V_T x = SPLAT(b);
EACH_CHEAP(ROW(WHERE_SV), SIZES(SIZE_R, 1u, 0, SIZE_R), V_T y = LOAD(c); STORE(out, V(_blend)(LOAD_BOOL(a), x, y)))
ROW_END
ROW_BEGIN(FILL)
const V_T x = SPLAT(a);
EACH_CHEAP(ROW(FILL), SIZES(SIZE_R, 0, 0, 0), STORE(out, x))
ROW_END
ROW_BEGIN(FROM_BOOL)
EACH_CHEAP(ROW(FROM_BOOL), SIZES(SIZE_R, 1u, 0, 0), STORE(out, V(_blend)(LOAD_BOOL(a), V(_set1)(1), ZERO)))
ROW_END

/* Most conversions, which have no vectors of one width on both sides, are left to the compiler. */
#define CONVERT(name, FROM)                                                                         \
  ROW_BEGIN(name)                                                                                   \
  for (size_t i = 0; i < n; i++) ((REAL *)out)[i] = (REAL)((const FROM *)a)[i];                     \
  ROW_END
CONVERT(FROM_I32, int32_t)
CONVERT(FROM_I64, int64_t)
#if BITS == 32
ROW_BEGIN(FROM_FLOAT)
const double *from = a;
size_t i = 0;
for (; i + VF <= n; i += VF) vf_store((float *)out + i, vf_of_doubles(vd_load(from + i), vd_load(from + i + VD)));
for (; i < n; i++) ((float *)out)[i] = (float)from[i];
ROW_END
#else
CONVERT(FROM_FLOAT, OTHER_REAL)
#endif

#undef REAL
#undef OTHER_REAL
#undef BITS
#undef V
#undef MASK
#undef ROW
#undef LIBM
#undef WAVE_LIMIT
#undef QUOTIENT
#undef KMASK
#undef LOAD_MASKED
#undef STORE_MASKED
