/* gemm_tile.h - tiles and packing for one float type; included by gemm_f32.c and gemm_f64.c with
 * DOUBLE defined for the second.
 * Holds: a tile is HEIGHT rows by two vectors, so that with both vectors of B and one element of A it fills the
 * registers; short tiles run several depths side by side to hide the latency of the sums. */
#include "gemm_dot.h"
#include "gemm_spread.h"

/* AVX-512 and NEON have 32 registers; SSE2 has 16 and needs one for the product. */
#if defined(__AVX512F__)
#define HEIGHT 14
#elif defined(__aarch64__)
#define HEIGHT 12
#elif defined(__AVX2__)
#define HEIGHT 6
#else
#define HEIGHT 4
#endif
enum { WIDTH = 2 * LANES, LONE_AHEAD = 4096, NEAR_AHEAD = 1024 };

/* One tile of `rows` rows; C and D are read and written in full width. Rows of A are addressed from every third, which
 * x86 does without further registers. Each depth asks for one line of `ahead`. */
TSM_INLINE void tile_of(const int rows, const int deep, const tsm_gemm_block *x, const T *a, const T *b, T *c,
                        int64_t c_row, const T *d, int64_t d_row, const char *ahead, int64_t ahead_step) {
  V sum[4][HEIGHT][2];
  const T *from[(HEIGHT + 2) / 3];
  const int64_t a_row = x->a_row, b_row = x->b_row;
  int64_t a_column = x->a_column;
  TSM_UNROLL(16)
  for (int i = 0; i < rows; i++) {
    if (i % 3 == 0) from[i / 3] = a + i * a_row;
    TSM_UNROLL(4)
    for (int s = 0; s < deep; s++) sum[s][i][0] = sum[s][i][1] = (V){0};
  }
  int64_t p = 0;
  for (; p + deep <= x->k; p += deep) {
    TSM_UNROLL(4)
    for (int s = 0; s < deep; s++) {
      __asm__("" : "+r"(a_column)); /* or the compiler makes a second loop for the case that it is 1 */
      const V b0 = LOAD(b), b1 = LOAD(b + LANES);
      if (rows == 1) {
        TSM_UNROLL(2)
        for (int i = 0; i < WIDTH * (int)sizeof(T); i += 64) __builtin_prefetch((const char *)b + LONE_AHEAD + i);
      } else {
        __builtin_prefetch(ahead, 0, 2);
        ahead += ahead_step;
        if (rows > HEIGHT / 2) { /* a panel that is deep lies in the second cache */
          TSM_UNROLL(2)
          for (int i = 0; i < WIDTH * (int)sizeof(T); i += 64) __builtin_prefetch((const char *)b + NEAR_AHEAD + i);
        }
      }
      TSM_UNROLL(16)
      for (int i = 0; i < rows; i++) {
        const V one = SET1(from[i / 3][i % 3 * a_row]);
        sum[s][i][0] += one * b0;
        sum[s][i][1] += one * b1;
      }
      TSM_UNROLL(8)
      for (int i = 0; i < rows; i += 3) from[i / 3] += a_column;
      b += b_row;
    }
  }
  for (; deep > 1 && p < x->k; p++, b += b_row) {
    __asm__("" : "+r"(a_column));
    const V b0 = LOAD(b), b1 = LOAD(b + LANES);
    TSM_UNROLL(4)
    for (int i = 0; i < rows; i++) {
      const V one = SET1(from[i / 3][i % 3 * a_row]);
      sum[0][i][0] += one * b0;
      sum[0][i][1] += one * b1;
    }
    TSM_UNROLL(4)
    for (int i = 0; i < rows; i += 3) from[i / 3] += a_column;
  }
  TSM_UNROLL(16)
  for (int i = 0; i < rows; i++, c += c_row) {
    TSM_UNROLL(2)
    for (int v = 0; v < 2; v++) {
      V total = sum[0][i][v];
      if (deep == 2) total += sum[1][i][v];
      if (deep == 4) total = (total + sum[1][i][v]) + (sum[2][i][v] + sum[3][i][v]);
      STORE(c + v * LANES, total + LOAD(d + v * LANES));
    }
    d += d_row;
  }
}

#define TILE(rows, deep)                                                                                          \
  static void tile_##rows(const tsm_gemm_block *x, const T *a, const T *b, T *c, int64_t c_row, const T *d,      \
                          int64_t d_row, const char *ahead, int64_t ahead_step) {                                 \
    tile_of(rows, deep, x, a, b, c, c_row, d, d_row, ahead, ahead_step);                                          \
  }
/* float64 has few heights, to spare code: other tiles are made of several. */
TILE(1, 2)
TILE(2, 2)
TILE(4, 1)
#ifndef DOUBLE
TILE(3, 2)
#if HEIGHT > 4
TILE(5, 1)
#endif
#if HEIGHT > 6
TILE(7, 1)
TILE(9, 1)
TILE(10, 1)
TILE(11, 1)
#endif
#if HEIGHT > 12
TILE(12, 1)
TILE(13, 1)
#endif
#endif
#if HEIGHT > 4
TILE(6, 1)
#endif
#if HEIGHT > 6
TILE(8, 1)
#endif
#if HEIGHT == 12
TILE(12, 1)
#endif
#if HEIGHT > 12
TILE(14, 1)
#endif

typedef void (*tile_fn)(const tsm_gemm_block *x, const T *a, const T *b, T *c, int64_t c_row, const T *d,
                        int64_t d_row, const char *ahead, int64_t ahead_step);
/* The tile for a number of rows, or the highest below. */
#ifdef DOUBLE
#define TILE_FOR(rows, below) tile_##below
#else
#define TILE_FOR(rows, below) tile_##rows
#endif
static const tile_fn tiles[HEIGHT] = {
    tile_1,         tile_2,         TILE_FOR(3, 2), tile_4,
#if HEIGHT > 4
    TILE_FOR(5, 4), tile_6,
#endif
#if HEIGHT > 6
    TILE_FOR(7, 6), tile_8,         TILE_FOR(9, 8), TILE_FOR(10, 8), TILE_FOR(11, 8),
#endif
#if HEIGHT == 12
    tile_12,
#elif HEIGHT > 12
    TILE_FOR(12, 8), TILE_FOR(13, 8), tile_14,
#endif
};
#ifdef DOUBLE
static const int8_t heights[14] = {1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 8, HEIGHT == 12 ? 12 : 8, 8, 14};
#define HEIGHT_FOR(rows) heights[(rows) - 1]
#define ANY_HEIGHT false
#else
#define HEIGHT_FOR(rows) (rows)
#define ANY_HEIGHT true
#endif

static const T zeros[WIDTH] __attribute__((aligned(64)));

/* A tile that is not WIDTH wide, or whose D is a column: the product apart, then added. */
static void tile_at_edge(const tsm_gemm_block *x, int64_t rows, int64_t columns, const T *a, const T *b, T *c,
                         const T *d) {
  T apart[HEIGHT * WIDTH] __attribute__((aligned(64)));
  tiles[rows - 1](x, a, b, apart, WIDTH, zeros, 0, (const char *)b, 0);
  for (int64_t i = 0; i < rows; i++, c += x->c_row) {
    const T *from = apart + i * WIDTH;
    for (int64_t j = 0; j < columns; j++) {
      PLAIN_LOOP;
      c[j] = d ? d[j * x->d_column] + from[j] : from[j];
    }
    if (d) d += x->d_row;
  }
}

/* A panel of one row in tile_1's order of additions, where a and B are without gaps. With steps that the compiler does not
 * know it takes 5 % longer out of the third cache. */
static void lone(const T *a, const T *b, int64_t k, T *c, const T *d) {
  V even[2] = {{0}}, odd[2] = {{0}};
  int64_t p = 0;
  for (; p + 2 <= k; p += 2, a += 2, b += 2 * WIDTH) {
    const V one = SET1(a[0]), next = SET1(a[1]);
    TSM_UNROLL(4)
    for (int i = 0; i < 2 * WIDTH * (int)sizeof(T); i += 64) __builtin_prefetch((const char *)b + LONE_AHEAD + i);
    TSM_UNROLL(2)
    for (int i = 0; i < 2; i++) {
      even[i] += one * LOAD(b + i * LANES);
      odd[i] += next * LOAD(b + WIDTH + i * LANES);
    }
  }
  TSM_UNROLL(2)
  for (int i = 0; i < 2; i++) {
    if (p < k) even[i] += SET1(*a) * LOAD(b + i * LANES);
    STORE(c + i * LANES, even[i] + odd[i] + LOAD(d + i * LANES));
  }
}

/* Two panels of one row side by side, in tile_1's order of additions: beside one stream of a weight that lies in the
 * second cache a second one takes a seventh less, and asking ahead only costs. */
static void pair(const tsm_gemm_block *x, const T *b, T *c, const T *d) {
  V sum[2][4] = {{{0}}};
  const T *a = x->a, *from = d ? d : zeros;
  const int64_t from_step = d ? LANES : 0, b_row = x->b_row, b_panel = x->b_panel;
  int64_t a_column = x->a_column, p = 0;
  for (; p + 2 <= x->k; p += 2) {
    TSM_UNROLL(2)
    for (int s = 0; s < 2; s++, a += a_column, b += b_row) {
      __asm__("" : "+r"(a_column));
      const V one = SET1(*a);
      TSM_UNROLL(4)
      for (int i = 0; i < 4; i++) sum[s][i] += one * LOAD(b + i / 2 * b_panel + i % 2 * LANES);
    }
  }
  if (p < x->k) { /* behind the loop: a product and its sum that a branch lies between are not always one instruction */
    const V one = SET1(*a);
    TSM_UNROLL(4)
    for (int i = 0; i < 4; i++) sum[0][i] += one * LOAD(b + i / 2 * b_panel + i % 2 * LANES);
  }
  TSM_UNROLL(4)
  for (int i = 0; i < 4; i++) STORE(c + i * LANES, sum[0][i] + sum[1][i] + LOAD(from + i * from_step));
}

/* Panel by panel, so that the rows of one are near while the tiles of A pass. */
static void block(const tsm_gemm_block *x) {
  const int64_t last = (x->n - 1) / WIDTH * WIDTH, panel = x->is_backward ? -x->b_panel : x->b_panel;
  const T *b = (const T *)x->b + (x->is_backward ? last / WIDTH * x->b_panel : 0);
  const bool is_lone = x->m == 1 && x->a_column == 1 && x->b_row == WIDTH;
  const bool is_near = x->m == 1 && x->k * x->n <= TSM_GEMM_NEAR_BYTES / (int64_t)sizeof(T);
  for (int64_t done = 0; done < x->n; done += WIDTH, b += panel) {
    const int64_t j = x->is_backward ? last - done : done;
    const T *a = x->a, *d = x->d;
    T *c = (T *)x->c + j;
    const int64_t columns = x->n - j < WIDTH ? x->n - j : WIDTH;
    const bool is_plain = columns == WIDTH && (!d || x->d_column);
    if (is_near && is_plain && x->n - done >= 2 * WIDTH) {
      const int64_t back = x->is_backward ? WIDTH : 0;
      pair(x, x->is_backward ? b + panel : b, c - back, d ? d + j - back : NULL);
      done += WIDTH;
      b += panel;
      continue;
    }
    if (d) d += j * x->d_column;
    if (is_lone && is_plain) {
      lone(a, b, x->k, c, d ? d : zeros);
      continue;
    }
    int64_t rows = 0, left = 0; /* of this call; of the tile after it */
    /* While the first tiles pass, the next panel comes near; a single tile is no faster than what it reads. */
    const bool goes_on = done + WIDTH < x->n || x->goes_on;
    const char *ahead = (const char *)(b + (goes_on ? panel : 0));
    const bool is_asked = x->m > x->height && goes_on;
    const char *const ahead_end = ahead + (is_asked ? x->k * WIDTH * (int64_t)sizeof(T) : 0);
    for (int64_t i = 0; i < x->m; i += rows, left -= rows, c += rows * x->c_row) {
      const T *top = a;
      if (!left) left = x->m - i < x->height ? x->m - i : x->height;
      rows = HEIGHT_FOR(left);
      a += rows == left ? x->a_tile - (x->height - left) * x->a_row : rows * x->a_row;
      const int64_t step = ahead < ahead_end ? 64 : 0;
      if (is_plain) tiles[rows - 1](x, top, b, c, x->c_row, d ? d : zeros, d ? x->d_row : 0, ahead, step);
      else tile_at_edge(x, rows, columns, top, b, c, d);
      ahead += step * x->k;
      if (d) d += rows * x->d_row;
    }
  }
}

/* ---- Packing */

/* Rows become columns: a round interleaves the first half of the rows with the second. */
TSM_INLINE void transpose(V rows[LANES]) {
  TSM_UNROLL(4)
  for (int round = 0; round < ROUNDS; round++) {
    V next[LANES];
    TSM_UNROLL(8)
    for (int i = 0; i < LANES / 2; i++) {
      next[2 * i] = LOW(rows[i], rows[i + LANES / 2]);
      next[2 * i + 1] = HIGH(rows[i], rows[i + LANES / 2]);
    }
    TSM_UNROLL(16)
    for (int i = 0; i < LANES; i++) rows[i] = next[i];
  }
}

/* `lanes` rows of memory that runs along the depth become columns of a panel. */
static void pack_turned(T *out, const T *from, int64_t lanes, int64_t step, int64_t depth) {
  V rows[LANES];
  for (int64_t p = 0; p < depth; p += LANES, out += LANES * WIDTH) {
    const int64_t deep = depth - p < LANES ? depth - p : LANES;
    if (deep == LANES && lanes == LANES) {
      TSM_UNROLL(16)
      for (int i = 0; i < LANES; i++) rows[i] = LOAD(from + i * step + p);
    } else {
      TSM_ROLLED
      for (int i = 0; i < LANES; i++) rows[i] = i < lanes ? LOAD_PART(from + i * step + p, (size_t)deep) : (V){0};
    }
    transpose(rows);
    if (deep == LANES) {
      TSM_UNROLL(16)
      for (int i = 0; i < LANES; i++) STORE(out + i * WIDTH, rows[i]);
    } else {
      TSM_ROLLED
      for (int64_t i = 0; i < deep; i++) STORE(out + i * WIDTH, rows[i]);
    }
  }
}

/* Memory that runs along the panel, or anyhow. */
static void pack_straight(T *out, int64_t width, const T *from, int64_t count, const tsm_gemm_pack *x) {
  for (int64_t p = 0; p < x->depth; p++, from += x->depth_step, out += width) {
    if (x->along_step == 1 && count == WIDTH && width == WIDTH) {
      STORE(out, LOAD(from));
      STORE(out + LANES, LOAD(from + LANES));
      continue;
    }
    for (int64_t i = 0; i < width; i++) {
      PLAIN_LOOP;
      out[i] = i < count ? from[i * x->along_step] : 0;
    }
  }
}

static void pack(const tsm_gemm_pack *x) {
  const T *from = x->from;
  T *out = x->out;
  for (int64_t i = 0; i < x->along; i += x->width, from += x->width * x->along_step, out += x->width * x->depth) {
    const int64_t count = x->along - i < x->width ? x->along - i : x->width;
    if (x->depth_step != 1 || x->along_step == 1 || x->width != WIDTH) {
      pack_straight(out, x->width, from, count, x);
      continue;
    }
    for (int64_t j = 0; j < WIDTH; j += LANES) {
      const int64_t lanes = count - j < 0 ? 0 : count - j < LANES ? count - j : LANES;
      pack_turned(out + j, from + j * x->along_step, lanes, x->along_step, x->depth);
    }
  }
}

const tsm_gemm_set TSM_NAMED(SET) = {HEIGHT, WIDTH, ANY_HEIGHT, block, pack, dot, spread};
