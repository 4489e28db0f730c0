/* reduce_rows.h - the functions of reduce.h for one float type; reduce.c includes it for float and for double.
 * In: REAL, V(name) for the vector functions, NAME(name), LANES, and TAKE(join, a, b, p, mean), which joins LANES of
 * REAL in memory into two vectors of doubles (double: into the first, of which there is then one a vector).
 * Holds: whole vectors first, then what is left, one element at a time. */

/* Rows mostly follow each other, and what fetches ahead by itself stops at the end of a page. */
static inline __attribute__((always_inline)) double NAME(row)(tsm_join join, const REAL *x, size_t n, double mean) {
  const vd start = vd_set1(neutral(join)), m = vd_set1(mean);
  vd a = start, b = start, c = start, d = start;
  size_t i = 0;
  for (; i + 2 * LANES <= n; i += 2 * LANES) {
    __builtin_prefetch((const char *)(x + i) + AHEAD);
    __builtin_prefetch((const char *)(x + i) + AHEAD + sizeof(V()));
    TAKE(join, a, b, x + i, m);
    TAKE(join, c, d, x + i + LANES, m);
  }
  vd both = join_vectors(join, join_vectors(join, a, b), join_vectors(join, c, d));
  double lanes[VD], result = neutral(join);
  vd_store(lanes, both);
  for (size_t half = VD / 2; half; half /= 2)
    for (size_t k = 0; k < half; k++) lanes[k] = join_numbers(join, lanes[k], lanes[k + half]);
  for (; i < n; i++) result = take_number(join, result, (double)x[i], mean);
  return join_numbers(join, lanes[0], result);
}

static __attribute__((noinline)) double NAME(row_rest)(const REAL *x, size_t n) {
  return NAME(row)(TSM_JOIN_SUM, x, n, 0);
}

static __attribute__((noinline)) double NAME(row_squares_rest)(const REAL *x, size_t n, double mean) {
  return NAME(row)(TSM_JOIN_SQUARES, x, n, mean);
}

/* Four vectors are added in their own type before they are widened, which takes as long as the memory does. Each sum of
 * four rounds twice; if one overflows, the row is joined again in doubles. */
static inline __attribute__((always_inline)) V() NAME(four_added)(const REAL *p) {
  return (V(_load)(p) + V(_load)(p + LANES)) + (V(_load)(p + 2 * LANES) + V(_load)(p + 3 * LANES));
}

/* The sum of a row of whose first `i` elements `both` are the sums. */
static inline __attribute__((always_inline)) double NAME(sum_end)(vd both, const REAL *x, size_t i, size_t n) {
  const double sum = vd_sum(both);
  if (sum - sum != 0) i = 0;
  else if (i == n) return sum;
  return (i ? sum : 0) + NAME(row_rest)(x + i, n - i);
}

/* Fetching ahead takes more than it gains where the lines are near and each vector is one. */
static inline __attribute__((always_inline)) double NAME(sum)(const REAL *x, size_t n, bool is_far) {
  const bool fetches = is_far || (uintptr_t)x % sizeof(V());
  vd a = vd_set1(0), b = a;
  size_t i = 0;
  for (; i + 4 * LANES <= n; i += 4 * LANES) {
    const REAL *p = x + i;
    if (fetches)
      for (size_t k = 0; k < 4; k++) __builtin_prefetch((const char *)(p + k * LANES) + AHEAD / 2);
    const V() few = NAME(four_added)(p);
    ADD_EXACT(a, b, few);
  }
  return NAME(sum_end)(a + b, x, i, n);
}

/* As the sum: squares of distances in their own type, of which four are added before they are widened. What `mean` has
 * beyond that type is taken from the distances, so that rows far from 0 are as good as others. Where squares overflow,
 * or are so small that they might have become 0, the row is joined again in doubles. */
static inline __attribute__((always_inline)) double NAME(squares)(const REAL *x, size_t n, double mean) {
  const REAL near = (REAL)mean;
  const V() m = V(_set1)(near), rest = V(_set1)((REAL)(mean - (double)near));
  vd a = vd_set1(0), b = a;
  size_t i = 0;
  for (; i + 4 * LANES <= n; i += 4 * LANES) {
    V() few = V(_set1)(0);
    TSM_UNROLL(4)
    for (size_t k = 0; k < 4; k++) {
      __builtin_prefetch((const char *)(x + i + k * LANES) + AHEAD / 4);
      const V() far = V(_load)(x + i + k * LANES) - m - rest;
      few = few + far * far;
    }
    ADD_EXACT(a, b, few);
  }
  const double sum = vd_sum(a + b);
  const bool is_good = sum - sum == 0 && sum >= (double)i * 0x1p-100;
  if (is_good && i == n) return sum;
  return is_good ? sum + NAME(row_squares_rest)(x + i, n - i, mean) : NAME(row_squares_rest)(x, n, mean);
}

/* The largest or smallest of the lanes, none of which is NaN. */
static inline __attribute__((always_inline)) REAL NAME(most_lane)(tsm_join join, V() v) {
  REAL lanes[LANES];
  V(_store)(lanes, v);
  TSM_UNROLL(4)
  for (size_t half = LANES / 2; half; half /= 2)
    TSM_UNROLL(8)
    for (size_t k = 0; k < half; k++) {
      const REAL x = lanes[k], y = lanes[k + half];
      lanes[k] = join == TSM_JOIN_MAX ? (x > y ? x : y) : (x < y ? x : y);
    }
  return lanes[0];
}

/* The largest or smallest in the type itself; NaN are only noted on the way, as max and min pass them over. */
static inline __attribute__((always_inline)) double NAME(most)(tsm_join join, const REAL *x, size_t n) {
  V() a = V(_set1)((REAL)neutral(join)), b = a;
  MASK bad = V(_ne)(a, a);
  size_t i = 0;
  for (; i + 2 * LANES <= n; i += 2 * LANES) {
    const V() y = V(_load)(x + i), z = V(_load)(x + i + LANES);
    bad = (MASK)(bad | V(_unordered)(y, z));
    a = join == TSM_JOIN_MAX ? V(_max)(y, a) : V(_min)(y, a);
    b = join == TSM_JOIN_MAX ? V(_max)(z, b) : V(_min)(z, b);
  }
  a = join == TSM_JOIN_MAX ? V(_max)(a, b) : V(_min)(a, b);
  double result = V(_any_lane)(bad) ? (double)NAN : (double)NAME(most_lane)(join, a);
  for (; i < n; i++) result = join_numbers(join, result, (double)x[i]);
  return result;
}

/* Whole vectors of columns, four rows at a time while there are as many; those four further on are fetched. */
static inline __attribute__((always_inline)) void NAME(columns)(tsm_join join, double *acc, const REAL *x, size_t width,
                                                                size_t rows, ptrdiff_t step, const double *means) {
#define SOME_ROWS(count)                                                                              \
  for (size_t i = 0; i + LANES <= width; i += LANES) {                                                \
    vd a = vd_load(acc + i), b = LANES > VD ? vd_load(acc + i + VD) : a, m = a, m2 = a;               \
    if (join == TSM_JOIN_SQUARES) m = vd_load(means + i);                                             \
    if (join == TSM_JOIN_SQUARES && LANES > VD) m2 = vd_load(means + i + VD);                         \
    const REAL *at = x + i;                                                                           \
    TSM_UNROLL(4) for (size_t k = 0; k < (count); k++, at += step) {                                  \
      __builtin_prefetch(at + (count) * step);                                                        \
      TAKE_2(join, a, b, at, m, m2);                                                                  \
    }                                                                                                 \
    vd_store(acc + i, a);                                                                             \
    if (LANES > VD) vd_store(acc + i + VD, b);                                                        \
  }
  for (; rows >= 4; rows -= 4, x += 4 * step) SOME_ROWS(4)
  for (; rows; rows--, x += step) SOME_ROWS(1)
#undef SOME_ROWS
}

/* The columns after the last whole vector, through copies of a few rows, which `join` then sees as whole vectors. */
static __attribute__((noinline)) void NAME(columns_rest)(tsm_columns_join join, double *acc, const REAL *x,
                                                         size_t width, size_t rows, ptrdiff_t step,
                                                         const double *means) {
  enum { ROWS = 16 };
  const size_t done = width / LANES * LANES, left = width - done;
  REAL copy[ROWS * LANES];
  memset(copy, 0, sizeof copy);
  for (size_t r = 0; r < rows; r += ROWS) {
    const size_t count = rows - r < ROWS ? rows - r : ROWS;
    for (size_t k = 0; k < count; k++)
      for (size_t i = 0; i < left; i++) copy[k * LANES + i] = x[(ptrdiff_t)(r + k) * step + (ptrdiff_t)(done + i)];
    join(acc + done, copy, LANES, count, (ptrdiff_t)LANES, means ? means + done : NULL);
  }
}

#define ROW_FUNCTION(name, join)                                                                                  \
  static double NAME(row_##name)(const void *x, size_t n, double mean) {                                          \
    if (join == TSM_JOIN_SUM && LANES > VD) return vectors_end_with(NAME(sum)(x, n, mean > 0));                   \
    if (join == TSM_JOIN_SQUARES && LANES > VD) return vectors_end_with(NAME(squares)(x, n, mean));               \
    return vectors_end_with(join >= TSM_JOIN_MAX ? NAME(most)(join, x, n) : NAME(row)(join, x, n, mean));         \
  }                                                                                                               \
  static void NAME(columns_##name)(double *acc, const void *x, size_t width, size_t rows, ptrdiff_t step,         \
                                   const double *means) {                                                         \
    NAME(columns)(join, acc, x, width, rows, step, means);                                                        \
    vectors_end();                                                                                                \
    if (width % LANES) NAME(columns_rest)(NAME(columns_##name), acc, x, width, rows, step, means);                \
  }
ROW_FUNCTION(sum, TSM_JOIN_SUM)
ROW_FUNCTION(squares, TSM_JOIN_SQUARES)
ROW_FUNCTION(max, TSM_JOIN_MAX)
ROW_FUNCTION(min, TSM_JOIN_MIN)

/* Returns the sum of exp(x - m), of which no x is larger than m, storing them if `keep`: in memory that is asked for
 * early where a copy on the stack is too long. What a few vectors give is added in their own type, as to widen each
 * would cost half as much as exp. What is left after the whole vectors goes through one of which the other lanes count
 * for nothing. */
static TSM_SIDE_BY_SIDE __attribute__((noinline)) double NAME(exp_row)(REAL *out, const REAL *x, size_t n, REAL m,
                                                                       bool keep) {
  enum { FEW = 4 };
  const bool fetches = n * sizeof *x > HELD;
  const size_t whole = n / LANES * LANES;
  vd a = vd_set1(0), b = a;
  size_t i = 0;
  while (i + FEW * LANES <= whole) {
    V() few = V(_set1)(0);
    for (size_t k = 0; k < FEW; k += 2, i += 2 * LANES) {
      for (size_t at = 0; at < 2 * sizeof few; at += LINE) {
        __builtin_prefetch((const char *)(x + i) + AHEAD / 4 + at);
        if (fetches) __builtin_prefetch((const char *)(out + i) + AHEAD / 4 + at, 1);
      }
      const V() e = EXP_OF_NEGATIVE(V(_load)(x + i) - m), next = EXP_OF_NEGATIVE(V(_load)(x + i + LANES) - m);
      if (keep) {
        V(_store)(out + i, e);
        V(_store)(out + i + LANES, next);
      }
      few = few + e + next;
    }
    ADD_EXACT(a, b, few);
  }
  for (; i < whole; i += LANES) {
    const V() e = EXP_OF_NEGATIVE(V(_load)(x + i) - m);
    if (keep) V(_store)(out + i, e);
    ADD_EXACT(a, b, e);
  }
  const double sum = vd_sum(a + b);
  if (whole == n) return sum;
  REAL last[LANES];
  for (size_t k = 0; k < LANES; k++) last[k] = whole + k < n ? x[whole + k] : -(REAL)INFINITY;
  const double rest = NAME(exp_row)(last, last, LANES, m, true);
  for (size_t k = 0; keep && whole + k < n; k++) out[whole + k] = last[k];
  return sum + rest;
}

/* What is written is asked for early: rows that are read unaligned take a fifth longer otherwise. */
static void NAME(normalize)(void *to, const void *from, size_t n, double mean, double scale, const void *weight,
                            const void *bias, double shift) {
  REAL *out = to;
  const REAL *x = from, *w = weight, *b = bias, m = (REAL)mean, f = (REAL)scale;
  const REAL d = (REAL)(shift + (mean - (double)m) * scale);
  size_t i = 0;
#define EACH_VECTOR(SCALED)                                                  \
  for (; i + LANES <= n; i += LANES) {                                       \
    V() y = (V(_load)(x + i) - m) * f - d;                                   \
    __builtin_prefetch((const char *)(out + i) + AHEAD / 4, 1);              \
    SCALED;                                                                  \
    V(_store)(out + i, y);                                                   \
  }
  if (w && b) EACH_VECTOR(y = y * V(_load)(w + i) + V(_load)(b + i))
  EACH_VECTOR(if (w) y = y * V(_load)(w + i); if (b) y = y + V(_load)(b + i))
#undef EACH_VECTOR
  vectors_end();
  if (i == n) return;
  REAL last[3][LANES] = {{0}};
  for (size_t k = i; k < n; k++) {
    last[0][k - i] = x[k];
    last[1][k - i] = w ? w[k] : 1;
    last[2][k - i] = b ? b[k] : 0;
  }
  NAME(normalize)(last[0], last[0], LANES, mean, scale, w ? last[1] : NULL, b ? last[2] : NULL, shift);
  for (size_t k = i; k < n; k++) out[k] = last[0][k - i];
}

/* The exponentials of a row that is not long are kept on the stack, half a page from the row as the low bits of
 * addresses go: a load waits for an earlier store with the same ones, here a whole exp, which takes a tenth longer. */
static void NAME(softmax)(void *to, const void *x, size_t n, bool is_log) {
  _Alignas(64) char held[HELD + PAGE];
  const uintptr_t apart = ((uintptr_t)x + PAGE / 2 - (uintptr_t)held) % PAGE / 64 * 64;
  REAL *out = to, *e = n * sizeof *e <= HELD ? (REAL *)(void *)(held + apart) : out;
  const REAL m = (REAL)NAME(row_max)(x, n, 0);
  const double sum = NAME(exp_row)(e, x, n, m, !is_log);
  if (is_log) {
    NAME(normalize)(out, x, n, (double)m, 1, NULL, NULL, log(vectors_end_with(sum)));
    return;
  }
  const REAL f = (REAL)(1 / sum);
  size_t i = 0;
  TSM_UNROLL_BY(2)
  for (; i + LANES <= n; i += LANES) {
    __builtin_prefetch((const char *)(out + i) + AHEAD / 4, 1);
    V(_store)(out + i, V(_load)(e + i) * f);
  }
  for (; i < n; i++) out[i] = e[i] * f;
  vectors_end();
}
