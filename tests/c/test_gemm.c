/* Matrix products against sums in float64: every instruction set, layout, start and epilogue, around the edges of
 * tiles, with the same bits for every number of threads. */
#include <math.h>

#include "../../runtime_c/include/tsm.h"
#include "../../runtime_c/src/base/base.h"
#include "../../runtime_c/src/simd/gemm_set.h"
#include "../../runtime_c/src/tensor/tensor.h"
#include "check.h"

enum { ROOM = 1 << 19, GAP = 3 };
enum { BY_ROWS, BY_COLUMNS, STEPPED, PACKED, LAYOUTS, COLLIDING }; /* the last: rows fall into one set of a cache */
enum { FROM_ZERO, FROM_COLUMN_BIAS, FROM_ROW_BIAS, FROM_NUMBER, FROM_C, STARTS };

static double a_room[ROOM], b_room[ROOM], c_room[ROOM], c_first[ROOM], d_room[4096], pack_room[2 * ROOM];
static const double untouched = 12345;

/* Elements of either type in the same memory. */
static void put(int dtype, void *data, int64_t i, double x) {
  if (dtype == TSM_F32) ((float *)data)[i] = (float)x;
  else ((double *)data)[i] = x;
}
static double get(int dtype, const void *data, int64_t i) {
  return dtype == TSM_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

static uint64_t state = 1;
static double draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(state >> 33) / (double)(1 << 30) - 1;
}

typedef struct setting { int64_t m, n, k; int dtype, a, b, start; bool has_epilogue; } setting;

static void layout(int kind, int64_t rows, int64_t columns, int64_t *row, int64_t *column) {
  *row = kind == BY_COLUMNS ? 1 : kind == STEPPED ? 2 * columns + 1 : kind == COLLIDING ? 1024 : columns + 1;
  *column = kind == BY_COLUMNS ? rows + 1 : kind == STEPPED ? 2 : 1;
}

static void add_one(void *user, int64_t row, int64_t column, int64_t rows, int64_t columns, void *c, int64_t c_row) {
  const setting *s = user;
  CHECK(row >= 0 && column >= 0 && row + rows <= s->m && column + columns <= s->n);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++)
      put(s->dtype, c, i * c_row + j, get(s->dtype, c, i * c_row + j) + 1 + (double)(row + i - column - j));
}

static tsm_product product_of(tsm_isa isa, const setting *s) {
  tsm_product x;
  memset(&x, 0, sizeof x);
  x.dtype = (uint8_t)s->dtype;
  x.m = s->m;
  x.n = s->n;
  x.k = s->k;
  x.a = a_room;
  x.b = b_room;
  x.c = c_room;
  x.c_row = s->n + GAP;
  layout(s->a, s->m, s->k, &x.a_row, &x.a_column);
  layout(s->b, s->k, s->n, &x.b_row, &x.b_column);
  if (s->b == PACKED) {
    tsm_product_pack_b(isa, x.dtype, x.k, x.n, b_room, x.b_row, x.b_column, pack_room);
    CHECK(tsm_product_packed_bytes(isa, x.dtype, x.k, x.n) <= sizeof pack_room);
    x.packed_b = pack_room;
    x.b = NULL;
  }
  x.d = s->start == FROM_ZERO ? NULL : s->start == FROM_C ? (void *)c_room : d_room;
  x.d_column = s->start == FROM_COLUMN_BIAS || s->start == FROM_C;
  x.d_row = s->start == FROM_ROW_BIAS ? 1 : s->start == FROM_C ? x.c_row : 0;
  return x;
}

static void fill_c(const setting *s) {
  for (int64_t i = 0; i < s->m * (s->n + GAP); i++) {
    bool is_gap = i % (s->n + GAP) >= s->n;
    put(s->dtype, c_room, i, is_gap ? untouched : s->start == FROM_C ? (double)(i % 7) : (double)NAN);
  }
}

static void compare(const setting *s, const tsm_product *x, const char *isa) {
  const double step = s->dtype == TSM_F32 ? 0x1p-24 : 0x1p-53;
  double worst = 0;
  for (int64_t i = 0; i < s->m; i++) {
    for (int64_t j = s->n; j < s->n + GAP; j++) CHECK(get(s->dtype, c_room, i * x->c_row + j) == untouched);
    for (int64_t j = 0; j < s->n; j++) {
      double sum = 0, size = 4;
      for (int64_t p = 0; p < s->k; p++) {
        double one = get(s->dtype, x->a, i * x->a_row + p * x->a_column) *
                     get(s->dtype, b_room, p * x->b_row + j * x->b_column);
        sum += one;
        size += fabs(one);
      }
      if (s->start == FROM_C) sum += (double)((i * x->c_row + j) % 7), size += 7;
      else if (x->d) sum += get(s->dtype, d_room, i * x->d_row + j * x->d_column);
      if (s->has_epilogue) sum += 1 + (double)(i - j), size += (double)(i + j);
      double error = fabs(get(s->dtype, c_room, i * x->c_row + j) - sum) / (size * step);
      if (!(error <= worst)) worst = error;
    }
  }
  double allowed = 4 + 2 * sqrt((double)s->k);
  if (s->dtype == TSM_F64) allowed += (double)s->k / 4; /* the reference rounds too */
  if (!(worst <= allowed))
    fprintf(stderr, "%s dtype %d %lldx%lldx%lld a %d b %d start %d: error %g\n", isa, s->dtype, (long long)s->m,
            (long long)s->n, (long long)s->k, s->a, s->b, s->start, worst);
  CHECK(worst <= allowed);
}

static void run_setting(tsm_runtime *const *rts, setting s) {
  const tsm_isa isa = rts[0]->isa;
  tsm_product x = product_of(isa, &s);
  tsm_epilogue epilogue = {add_one, &s};
  if (s.has_epilogue) x.epilogue = &epilogue;
  const size_t used = (size_t)(s.m * x.c_row) * tsm_item_size((unsigned)s.dtype);
  for (int i = 0; i < 4; i++) {
    fill_c(&s);
    if (i < 3) {
      CHECK(tsm_product_run(rts[i], &x));
    } else {
      void *scratch = aligned_alloc(64, tsm_product_scratch(isa, &x) / 64 * 64 + 64);
      tsm_product_run_serial(isa, &x, scratch);
      free(scratch);
    }
    if (i == 0) {
      compare(&s, &x, tsm_isa_name(isa));
      memcpy(c_first, c_room, used);
    }
    CHECK(!memcmp(c_first, c_room, used));
  }
  if (!x.packed_b) return;
  for (int i = 0; i < 2; i++) {
    x.is_backward = true;
    fill_c(&s);
    CHECK(tsm_product_run(rts[i], &x));
    CHECK(!memcmp(c_first, c_room, used));
  }
}

static void fill_operands(int dtype) {
  const int64_t count = dtype == TSM_F32 ? 2 * ROOM : ROOM;
  for (int64_t i = 0; i < count; i++) {
    put(dtype, a_room, i, draw());
    put(dtype, b_room, i, draw());
  }
  for (int64_t i = 0; i < 4096; i++) put(dtype, d_room, i, draw());
}

static void test_shapes(tsm_runtime *const *rts, int dtype) {
  static const int64_t extents[][3] = {
    {1, 1, 1}, {1, 9, 3}, {1, 200, 50}, {1, 259, 33}, {2, 33, 17}, {3, 16, 31}, {4, 5, 100}, {5, 8, 1}, {6, 64, 12}, {7, 31, 8},
    {8, 40, 129}, {9, 1, 70}, {13, 10, 20}, {14, 32, 64}, {15, 33, 65}, {29, 17, 5}, {57, 3, 40}, {100, 1, 33},
    {64, 48, 0}, {1, 0, 5}, {0, 4, 5}, {1, 5, 0}, {40, 140, 30}, {71, 65, 130}};
  fill_operands(dtype);
  int turn = 0;
  for (size_t e = 0; e < sizeof extents / sizeof *extents; e++)
    for (int a = 0; a < PACKED; a++)
      for (int b = 0; b < LAYOUTS; b++)
        for (int start = 0; start < STARTS; start++) {
          setting s = {extents[e][0], extents[e][1], extents[e][2], dtype, a, b, start, turn++ % 3 == 0};
          run_setting(rts, s);
        }
  for (int b = 0; b < LAYOUTS; b++) { /* several blocks along each extent */
    run_setting(rts, (setting){33, 40, 2500, dtype, BY_ROWS, b, FROM_COLUMN_BIAS, true});
    run_setting(rts, (setting){300, 320, 60, dtype, b % 3, b, FROM_C, true});
    run_setting(rts, (setting){3, 700, 300, dtype, BY_ROWS, b, FROM_ZERO, true});
    run_setting(rts, (setting){600, 2, 300, dtype, BY_ROWS, b, FROM_ROW_BIAS, true});
    run_setting(rts, (setting){70, 11, 130, dtype, BY_ROWS, b, FROM_COLUMN_BIAS, true});
    run_setting(rts, (setting){31, 530, 300, dtype, COLLIDING, b, FROM_C, true});
  }
  run_setting(rts, (setting){200, 530, 480, dtype, COLLIDING, BY_ROWS, FROM_C, true}); /* several copies */
  for (int start = 0; start < STARTS; start++) { /* one row by a matrix that is far; few columns of a long depth */
    run_setting(rts, (setting){1, 563 + start, 709, dtype, BY_ROWS, BY_COLUMNS, start, true});
    run_setting(rts, (setting){41, 8 + 2 * start, 131, dtype, BY_ROWS, BY_COLUMNS, start, start % 2 == 0});
  }
}

/* NaN and Inf reach the elements they belong to, and no others; a zero does not hide them. */
static void test_special(tsm_runtime *const *rts, int dtype) {
  fill_operands(dtype);
  for (int64_t m = 1; m <= 20; m += 19)
    for (int b = 0; b < LAYOUTS; b++) {
      setting s = {m, 37, 21, dtype, BY_ROWS, b, FROM_ZERO, false};
      int64_t row, column;
      layout(b, s.k, s.n, &row, &column);
      for (int64_t j = 0; j < s.n; j++) put(dtype, b_room, 5 * row + j * column, j == 36 ? INFINITY : j == 2 ? NAN : 1);
      put(dtype, a_room, 5, 0);
      tsm_product x = product_of(rts[0]->isa, &s);
      fill_c(&s);
      CHECK(tsm_product_run(rts[0], &x));
      for (int64_t j = 0; j < s.n; j++) CHECK(!isnan(get(dtype, c_room, j)) == (j != 36 && j != 2));
      fill_operands(dtype);
    }
}

static const tsm_gemm_mixed *const i8_sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_gemm_i8);
static const tsm_gemm_mixed *const bf16_sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_gemm_bf16);

static double weight_of(bool is_i8, const void *weights, int64_t i) {
  if (is_i8) return ((const int8_t *)weights)[i];
  uint32_t bits = (uint32_t)((const uint16_t *)weights)[i] << 16;
  float one;
  memcpy(&one, &bits, sizeof one);
  return one;
}

static void test_mixed(tsm_isa isa, bool is_i8) {
  const tsm_gemm_mixed *set = is_i8 ? i8_sets[isa] : bf16_sets[isa];
  float *a = (float *)(void *)a_room, *c = (float *)(void *)c_room, *scale = (float *)(void *)d_room;
  fill_operands(TSM_F32);
  for (int64_t i = 0; i < 100000; i++) {
    if (is_i8) ((int8_t *)b_room)[i] = (int8_t)(127 * draw());
    else ((uint16_t *)b_room)[i] = (uint16_t)((draw() < 0 ? 0xbf00 : 0x3f00) + (int)(255 * fabs(draw())));
  }
  for (int64_t m = 1; m <= 9; m++)
    for (int64_t n = 1; n <= 11; n += 2)
      for (int64_t k = 0; k < 90; k += 1 + k / 3) {
        tsm_gemm_dot dot = {.m = m, .n = n, .k = k, .a = a, .a_row = k, .b = b_room, .b_column = k,
                            .scale = n % 3 ? scale : NULL, .c = c, .c_row = n, .c_column = 1};
        set->dot(&dot);
        for (int64_t i = 0; i < m * n; i++) {
          double sum = 0, size = 1, factor = dot.scale ? (double)scale[i % n] : 1;
          for (int64_t p = 0; p < k; p++) {
            double one = (double)a[i / n * k + p] * weight_of(is_i8, b_room, i % n * k + p);
            sum += one;
            size += fabs(one);
          }
          CHECK(fabs((double)c[i] - sum * factor) <= size * 0x1p-21);
        }
        set->widen(b_room, scale, k, c);
        for (int64_t p = 0; p < k; p++) CHECK(c[p] == (float)weight_of(is_i8, b_room, p) * scale[0]);
      }
}

int main(void) {
  for (int isa = 0; isa <= (int)tsm_isa_best(); isa++) {
    tsm_runtime *rts[3];
    for (uint32_t threads = 1; threads <= 3; threads++) {
      tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
      options.threads = threads;
      options.isa = tsm_isa_name((tsm_isa)isa);
      rts[threads - 1] = tsm_runtime_new(&options, NULL);
      if (!rts[threads - 1]) return 1;
    }
    for (int dtype = TSM_F32; dtype <= TSM_F64; dtype++) {
      test_shapes(rts, dtype);
      test_special(rts, dtype);
    }
    test_mixed((tsm_isa)isa, true);
    test_mixed((tsm_isa)isa, false);
    for (int i = 0; i < 3; i++) tsm_runtime_free(rts[i]);
  }
  return check_done();
}
