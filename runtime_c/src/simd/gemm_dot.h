/* gemm_dot.h - products of few rows that need no packing, for the float type of gemm_lanes.h.
 * In: B with contiguous columns (dot: sums run along the vectors) or contiguous rows (spread: rows are added up).
 * Holds: B is read once and in the order of memory, which is what these products cost. */
#include <stdbool.h>

#include "gemm_lanes.h"
#include "gemm_set.h"

#ifndef DOT_B /* the type of B and how LANES of it become a V */
#define DOT_B T
#define DOT_LOAD LOAD
#define DOT_HAS_SCALE(x) false
#define DOT_IS_ALWAYS_FAR false
#define DOT_FAR_AHEAD 512
#define DOT_FAR_CACHE 2
#else
#define DOT_IS_ALWAYS_FAR true
#define DOT_FAR_AHEAD 2048
#define DOT_FAR_CACHE 3
#endif
/* DOT_FAR_AHEAD: how many bytes one row asks ahead of itself in each of four places, and into which cache. Memory is the
 * limit of whole floats, and those only ask where tsm_asks_memory(): near and into the second cache took 4 % less for
 * weights of 500 MB on an Intel Xeon than far and into the first. Narrow weights, of which more numbers come at once, are
 * asked for everywhere: on Zen 5 bfloat16 took 15 % more 1024 or 4096 bytes ahead, bytes 30 % and 5 %. */

/* Rows at once: as many as the registers hold for float32, fewer where they are worth less than their code. */
#if !defined(DOUBLE) && !defined(DOT_IS_MIXED) && (TSM_VB == 64 || defined(__aarch64__))
#define DOT_ROWS 4
#elif defined(DOT_IS_MIXED) && TSM_VB < 64
#define DOT_ROWS 1
#else
#define DOT_ROWS 2
#endif

/* Columns summed at once; how many lie between them and what is asked for, as many bytes for every type. */
enum { COLUMNS = 4, AHEAD = COLUMNS * sizeof(T) / sizeof(DOT_B) };

/* A number that the compiler does not know, or it would make a copy of a function for it. */
static inline int unknown(int number) {
  __asm__("" : "+r"(number));
  return number;
}

typedef T four __attribute__((vector_size(4 * sizeof(T)), aligned(sizeof(T)), may_alias));

/* The sums of four vectors: interleaving adds up all four at once. */
TSM_INLINE void sums_of_four(const V *v, four *out) {
#if LANES == 2
  *out = (four){v[0][0] + v[0][1], v[1][0] + v[1][1], v[2][0] + v[2][1], v[3][0] + v[3][1]};
#else
  const V even = LOW(v[0], v[2]) + HIGH(v[0], v[2]), odd = LOW(v[1], v[3]) + HIGH(v[1], v[3]);
  const V all = LOW(even, odd) + HIGH(even, odd);
#if LANES == 16
  const four a = __builtin_shufflevector(all, all, 0, 1, 2, 3), b = __builtin_shufflevector(all, all, 4, 5, 6, 7);
  const four c = __builtin_shufflevector(all, all, 8, 9, 10, 11), d = __builtin_shufflevector(all, all, 12, 13, 14, 15);
  *out = (a + c) + (b + d);
#elif LANES == 8
  const four a = __builtin_shufflevector(all, all, 0, 1, 2, 3), b = __builtin_shufflevector(all, all, 4, 5, 6, 7);
  *out = a + b;
#else
  *out = (four)all;
#endif
#endif
}

/* Which sums follow each other: those of four columns for each row, or of four rows for each column, as they do in C. */
TSM_INLINE bool is_by_columns(const tsm_gemm_dot *x, int rows) {
  return DOT_ROWS == 4 && rows == 4 && x->c_row == 1 && x->c_column != 1;
}

/* Adds up and stores up to four sums of each row, or of each column; columns are `apart` from each other. Not inlined,
 * for it is most of the code. */
static __attribute__((noinline)) void store_dots(const tsm_gemm_dot *x, int rows, const V *vectors, int64_t columns,
                                                 int64_t apart, int64_t row, int64_t column) {
  const bool by_columns = is_by_columns(x, rows);
  const int64_t groups = by_columns ? columns : rows, count = by_columns ? rows : columns;
  const int64_t c_next = by_columns ? x->c_column : x->c_row, c_step = by_columns ? x->c_row : x->c_column * apart;
  const int64_t d_next = by_columns ? x->d_column : x->d_row, d_step = by_columns ? x->d_row : x->d_column * apart;
  T *c = (T *)x->c + row * x->c_row + column * x->c_column;
  const T *d = x->d;
  const bool is_whole = count == 4 && c_step == 1 && !DOT_HAS_SCALE(x) && (!d || d_step == 1);
  if (d) d += row * x->d_row + column * x->d_column;
  TSM_ROLLED
  for (int64_t i = 0; i < groups; i++, c += c_next) {
    four sums;
    sums_of_four(vectors + i * 4, &sums);
    if (is_whole) {
      if (d) sums += *(const four *)d;
      *(four *)c = sums;
    } else {
      TSM_ROLLED
      for (int64_t j = 0; j < count; j++) {
        PLAIN_LOOP;
        T one = ((const T *)&sums)[j];
        if (DOT_HAS_SCALE(x)) one *= (T)x->scale[column + j * apart];
        c[j * c_step] = d ? d[j * d_step] + one : one;
      }
    }
    if (d) d += d_next;
  }
}

/* The same for one row and four columns without a scale: between two stretches of memory each nanosecond counts. */
TSM_INLINE void store_four(const tsm_gemm_dot *x, const V *vectors, int64_t apart, int64_t row, int64_t column) {
  const int64_t c_step = x->c_column * apart, d_step = x->d_column * apart;
  T *c = (T *)x->c + row * x->c_row + column * x->c_column;
  const T *d = x->d;
  four sums;
  sums_of_four(vectors, &sums);
  if (d) {
    d += row * x->d_row + column * x->d_column;
    sums += (four){d[0], d[d_step], d[2 * d_step], d[3 * d_step]};
  }
  c[0] = sums[0];
  c[c_step] = sums[1];
  c[2 * c_step] = sums[2];
  c[3 * c_step] = sums[3];
}

/* Adds LANES of the depth from p on. */
TSM_INLINE void add_dots(const int rows, V (*sum)[COLUMNS], const T *a, int64_t a_row, const DOT_B *const *b,
                         int64_t p) {
  V right[COLUMNS];
  TSM_UNROLL(4)
  for (int j = 0; j < COLUMNS; j++) {
    right[j] = DOT_LOAD(b[j] + p);
    if (rows > 1) vf_keep(right[j]); /* or each row reads it */
  }
  TSM_UNROLL(4)
  for (int i = 0; i < rows; i++) {
    const V left = LOAD(a + i * a_row);
    TSM_UNROLL(4)
    for (int j = 0; j < COLUMNS; j++) sum[i][j] += left * right[j];
  }
}

/* The last lanes, filled up with zeros apart from the operands. */
typedef struct rest { T a[4][LANES]; DOT_B b[COLUMNS][LANES]; } rest;

static void copy_rest(rest *out, int rows, const T *a, int64_t a_row, const DOT_B *const *b, int64_t p, size_t count) {
  memset(out, 0, sizeof *out);
  TSM_ROLLED
  for (int i = 0; i < rows; i++) memcpy(out->a[i], a + i * a_row, count * sizeof(T));
  TSM_ROLLED
  for (int j = 0; j < COLUMNS; j++) memcpy(out->b[j], b[j] + p, count * sizeof(DOT_B));
}

/* Asks for the lines of the next columns, in the order of memory rather than in that of the sums. */
TSM_INLINE const char *fetch(const char *next, const int bytes) {
  TSM_UNROLL(8)
  for (int i = 0; i < bytes; i += 64) __builtin_prefetch(next + i, 0, 2);
  return next + bytes;
}

/* `rows` rows by four columns. */
TSM_INLINE void dots_of(const int rows, const tsm_gemm_dot *x, const T *a, const DOT_B *b, int64_t columns, int64_t row,
                        int64_t column) {
  enum { STEP = COLUMNS * LANES * sizeof(DOT_B)}; /* bytes of B a step reads */
  const char *next = x->is_far && x->is_asked ? (const char *)(b + AHEAD * x->b_column) : NULL;
  const int64_t whole = x->k / LANES * LANES;
  V sum[4][COLUMNS];
  const DOT_B *from[COLUMNS];
  for (int j = 0; j < COLUMNS; j++) {
    from[j] = b + (j < columns ? j : 0) * x->b_column;
    __asm__("" : "+r"(from[j])); /* or they are read from memory at each step */
  }
  TSM_UNROLL(4)
  for (int i = 0; i < rows; i++)
    TSM_UNROLL(4)
    for (int j = 0; j < COLUMNS; j++) sum[i][j] = (V){0};
  rest last;
  for (int64_t end = whole, a_row = x->a_row;; end = LANES, a_row = LANES) {
    for (int64_t p = 0; p < end; p += LANES) {
      if (next) next = fetch(next, STEP);
      add_dots(rows, sum, a + p, a_row, from, p);
    }
    if (whole == x->k || a == last.a[0]) break;
    copy_rest(&last, rows, a + whole, a_row, from, whole, (size_t)(x->k - whole));
    a = last.a[0];
    TSM_UNROLL(4)
    for (int j = 0; j < COLUMNS; j++) from[j] = last.b[j];
  }
  V sums[4 * COLUMNS];
  const bool by_columns = is_by_columns(x, rows);
  const int step = rows < 4 ? COLUMNS : unknown(by_columns ? 1 : COLUMNS);
  const int across = rows < 4 ? 1 : unknown(by_columns ? 4 : 1);
  TSM_UNROLL(4)
  for (int i = 0; i < rows; i++)
    TSM_UNROLL(4)
    for (int j = 0; j < COLUMNS; j++) sums[i * step + j * across] = sum[i][j];
  store_dots(x, unknown(rows), sums, columns, unknown(1), row, column);
}

/* The depth behind the whole vectors, of one row. */
static void add_rest(V sums[1][COLUMNS], const tsm_gemm_dot *x, const T *a, const DOT_B *const *from, int64_t whole) {
  rest last;
  if (whole == x->k) return;
  copy_rest(&last, 1, a + whole, 0, from, whole, (size_t)(x->k - whole));
  TSM_ROLLED
  for (int j = 0; j < COLUMNS; j++) sums[0][j] += LOAD(last.a[0]) * DOT_LOAD(last.b[j]);
}

/* One row by up to four columns that are `apart` from each other: what is read of the row serves them all. */
static __attribute__((noinline)) void dots_1(const tsm_gemm_dot *x, const T *a, const DOT_B *b, int64_t columns,
                                             int64_t apart, int64_t row, int64_t column) {
  /* Two sums a column hide the latency of adding; where weights are widened first, and take longer for it, one does. */
  enum { SUMS = DOT_IS_ALWAYS_FAR ? 1 : 2, STEP = SUMS * LANES, LINE = 64 / sizeof(DOT_B) };
  const int64_t whole = x->k / LANES * LANES;
  const bool is_asked = x->is_asked && (DOT_IS_ALWAYS_FAR || apart > 1);
  const DOT_B *from[COLUMNS];
  V sum[2][COLUMNS], sums[1][COLUMNS]; /* what is passed on does not stay in registers */
  TSM_ROLLED
  for (int j = 0; j < COLUMNS; j++) from[j] = b + (j < columns ? j : 0) * apart * x->b_column;
  TSM_UNROLL(4)
  for (int j = 0; j < COLUMNS; j++) sum[0][j] = sum[1][j] = (V){0};
  int64_t p = 0;
  for (; p + STEP <= whole; p += STEP) {
    if (is_asked && (STEP >= LINE || p % LINE == 0))
      TSM_UNROLL(4)
      for (int j = 0; j < COLUMNS; j++)
        TSM_UNROLL(2)
        for (size_t i = 0; i < STEP * sizeof(DOT_B); i += 64)
          __builtin_prefetch((const char *)(from[j] + p) + DOT_FAR_AHEAD + i, 0, DOT_FAR_CACHE);
    add_dots(1, sum, a + p, 0, from, p);
    if (SUMS > 1) add_dots(1, sum + 1, a + p + LANES, 0, from, p + LANES);
  }
  if (SUMS > 1 && p < whole) add_dots(1, sum, a + p, 0, from, p);
  TSM_UNROLL(4)
  for (int j = 0; j < COLUMNS; j++) sums[0][j] = sum[0][j] + sum[1][j];
  add_rest(sums, x, a, from, whole);
  if (DOT_HAS_SCALE(x) || columns < COLUMNS) store_dots(x, unknown(1), sums[0], columns, apart, row, column);
  else store_four(x, sums[0], apart, row, column);
}

#define DOTS(rows)                                                                                                    \
  static void dots_##rows(const tsm_gemm_dot *x, const T *a, const DOT_B *b, int64_t columns, int64_t apart,         \
                          int64_t row, int64_t column) {                                                             \
    (void)apart;                                                                                                     \
    dots_of(rows, x, a, b, columns, row, column);                                                                    \
  }
#if DOT_ROWS > 1
DOTS(2)
#endif
#if DOT_ROWS > 2
DOTS(3)
DOTS(4)
#endif

/* Several rows take columns that are neighbours only. */
typedef void (*dots_fn)(const tsm_gemm_dot *x, const T *a, const DOT_B *b, int64_t columns, int64_t apart, int64_t row,
                        int64_t column);
static const dots_fn dots[DOT_ROWS] = {dots_1,
#if DOT_ROWS > 1
                                       dots_2,
#endif
#if DOT_ROWS > 2
                                       dots_3, dots_4,
#endif
};

/* One row by columns that are far: from four places that are far from each other, as what fetches ahead by itself
 * follows each of them, and so has more lines on their way than of one. */
static int64_t far_dots(const tsm_gemm_dot *x) {
  const int64_t each = x->n / COLUMNS;
  const DOT_B *b = x->b;
  for (int64_t j = 0; j < each; j++, b += x->b_column) dots_1(x, x->a, b, unknown(COLUMNS), each, 0, j);
  return each * COLUMNS;
}

static void dot(const tsm_gemm_dot *x) {
  int64_t j = x->m == 1 && (DOT_IS_ALWAYS_FAR || x->is_far) ? far_dots(x) : 0;
  const DOT_B *b = (const DOT_B *)x->b + j * x->b_column;
  for (; j < x->n; j += COLUMNS, b += COLUMNS * x->b_column) {
    const int64_t columns = x->n - j < COLUMNS ? x->n - j : COLUMNS;
    const T *a = x->a;
    for (int64_t i = 0; i < x->m; i += DOT_ROWS, a += DOT_ROWS * x->a_row) {
      const int64_t rows = x->m - i < DOT_ROWS ? x->m - i : DOT_ROWS;
      dots[rows - 1](x, a, b, columns, unknown(1), i, j);
    }
  }
}
