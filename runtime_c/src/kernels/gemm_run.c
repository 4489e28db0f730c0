/* gemm_run.c - cuts products into blocks for the caches and the threads; see simd/gemm.h.
 * In: products. Out: the same computed by the blocks of an instruction set, packed where that pays.
 * Holds: which elements share a tile and where a depth is cut depends on the product alone, not on the threads. */
#include "base/pool.h"
#include "simd/gemm_set.h"
#include "tensor/tensor.h"

static const tsm_gemm_set *const sets[2][TSM_ISA_COUNT] = {TSM_ISA_TABLE(tsm_gemm_f32), TSM_ISA_TABLE(tsm_gemm_f64)};

enum {
  DEPTH = 2048,             /* of a block: fewer passes over C are worth more than a panel in the first cache */
  BLOCK_BYTES = 384 << 10,  /* of A, which stays in the second cache while B passes */
  A_BYTES = 4 << 20, B_BYTES = 6 << 20, /* packed at once, in the third */
  FAR_BYTES = 8 << 20,      /* are as likely in memory as in the third */
  PIECES = 8,               /* for each thread, so that none has long to wait for another's last */
  RUN = 4                   /* panels that an epilogue has at least in its rows, as each row costs it something */
};
/* A row of a tile is two vectors at each depth, whatever the instruction set. */
static const double NS_PER_ROW = 0.25, NS_PER_BYTE = 0.004, NS_PER_PACKED = 0.05;
/* Of few rows: the other matrix is read for them only. */
static const double NS_PER_LONE_BYTE = 0.01, NS_PER_FAR_BYTE = 0.05;

typedef enum kind { TILES, DOT, DOT_TURNED, SPREAD, SPREAD_TURNED } kind;

typedef struct work {
  const tsm_product *x;
  const tsm_gemm_set *set;
  tsm_runtime *rt;               /* NULL: all on this thread */
  int64_t item, height, depth;   /* bytes of an element; rows of a tile; the largest depth of a block */
  int64_t rows_at_once, columns_at_once;
  int64_t a_step;                /* between rows of A that are copied; 0: packed */
  bool packs_a, packs_b, packs_tail;
  char *a_room, *b_room;
  int64_t a_size, b_size;
  int64_t i, j, p, m, n, k;      /* the block at work */
  int64_t piece_columns, row_pieces, column_pieces;
  int64_t band;                  /* row pieces that follow each other for the same columns, then for the next ones */
} work;

static int64_t workers_of(const work *w) { return w->rt ? (int64_t)tsm_pool_workers(w->rt) : 1; }
static int64_t min_of(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t round_up(int64_t count, int64_t unit) { return (count + unit - 1) / unit * unit; }
static int64_t divide_up(int64_t count, int64_t by) { return (count + by - 1) / by; }
static const char *at(const void *data, int64_t item, int64_t offset) { return (const char *)data + offset * item; }

/* Packing B costs as much as some 24 rows; sums along a depth cost something at its end, the more the more rows. */
static bool has_few_rows(const tsm_product *x) { return x->m <= 4 || (x->m <= 24 && x->k >= 24 * x->m); }

/* Of a tile with few columns half or more would be for nothing, and sums along a depth cost little where it is long. */
static bool is_narrow(const tsm_gemm_set *set, const tsm_product *x) {
  const int64_t half = set->width / 2, most = x->k < 128 ? 4 : half > 12 ? half : 12;
  return x->a_column == 1 && x->b_row == 1 && !has_few_rows(x) && x->n <= most;
}

bool tsm_product_is_narrow(tsm_isa isa, const tsm_product *x) { return is_narrow(sets[x->dtype == TSM_F64][isa], x); }

static kind kind_of(const tsm_gemm_set *set, const tsm_product *x) {
  if (x->packed_b) return TILES;
  if (x->a_column == 1 && x->b_row == 1 && has_few_rows(x)) return DOT;
  if (is_narrow(set, x)) return DOT_TURNED;
  if (x->m == 1 && x->b_column == 1) return SPREAD;
  if (x->n == 1 && x->a_row == 1 && x->c_row == 1 && (!x->d || x->d_row <= 1)) return SPREAD_TURNED;
  return TILES;
}

/* Rows that lie so far from each other that those of a tile fall into one set of the first cache. */
static bool rows_collide(const tsm_product *x, int64_t item) {
  return x->a_row && x->a_row % (4096 / item) == 0;
}

/* Blocks and scratch. A stays where it is unless it is read often and steps through memory, when it is packed, or its
 * rows collide, when they are copied. */
static void plan_tiles(work *w) {
  const tsm_product *x = w->x;
  const int64_t width = w->set->width, tiles = divide_up(x->m, w->set->height);
  w->height = w->set->any_height || tiles == 1 ? divide_up(x->m, tiles) : w->set->height;
  w->depth = tiles == 1 || !x->k ? x->k : round_up(divide_up(x->k, divide_up(x->k, DEPTH)), 4);
  w->packs_b = !x->packed_b && (tiles > 1 || x->b_column != 1);
  w->packs_tail = !x->packed_b && !w->packs_b && x->n % width;
  w->a_step = x->a_column == 1 ? w->depth | 16 : 0;
  w->packs_a = tiles > 1 && (w->a_step ? x->n >= 16 * width && rows_collide(x, w->item) : x->n >= 4 * width);
  w->rows_at_once = round_up(x->m, w->height);
  w->columns_at_once = round_up(x->n, width);
  if (!w->depth) return;
  if (w->packs_a) {
    /* One thread keeps what it copies in its second cache; several would have to wait for each other more often. */
    const int64_t row_bytes = (w->a_step ? w->a_step : w->depth) * w->item;
    const int64_t fit = (workers_of(w) == 1 ? BLOCK_BYTES : A_BYTES) / row_bytes / w->height;
    w->rows_at_once = min_of(w->rows_at_once, (fit ? fit : 1) * w->height);
    w->a_size = w->rows_at_once * row_bytes;
  }
  if (w->packs_b) {
    int64_t fit = B_BYTES / (w->depth * w->item) / width;
    w->columns_at_once = min_of(w->columns_at_once, (fit ? fit : 1) * width);
  }
  if (w->packs_b || w->packs_tail)
    w->b_size = (w->packs_b ? w->columns_at_once : width) * w->depth * w->item;
  w->a_size = (w->a_size + 63) / 64 * 64;
}

static void in_pieces(work *w, int64_t count, double nanoseconds, tsm_task_fn task) {
  if (w->rt) tsm_parallel(w->rt, count, nanoseconds, task, w);
  else task(w, 0, 0, count);
}

/* ---- Tiles */

static void pack_columns(const work *w, int64_t begin, int64_t end, char *out) {
  const tsm_product *x = w->x;
  tsm_gemm_pack pack = {end - begin, w->k, x->b_column, x->b_row, w->set->width, NULL, out};
  pack.from = at(x->b, w->item, w->p * x->b_row + (w->j + begin) * x->b_column);
  w->set->pack(&pack);
}

static void pack_rows(const work *w, int64_t first, int64_t last) {
  const tsm_product *x = w->x;
  const char *from = at(x->a, w->item, (w->i + first) * x->a_row + w->p * x->a_column);
  if (!w->a_step) {
    tsm_gemm_pack pack = {last - first, w->k, x->a_row, x->a_column, w->height, from,
                          w->a_room + first * w->k * w->item};
    w->set->pack(&pack);
    return;
  }
  for (int64_t row = first; row < last; row++, from += x->a_row * w->item)
    memcpy(w->a_room + row * w->a_step * w->item, from, (size_t)(w->k * w->item));
}

/* Pieces are the tiles of A, then the panels of B. */
static void pack_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  const work *w = user;
  const int64_t tiles = w->packs_a ? divide_up(w->m, w->height) : 0, width = w->set->width;
  (void)worker;
  if (begin < tiles) pack_rows(w, begin * w->height, min_of(min_of(end, tiles) * w->height, w->m));
  if (end > tiles) {
    const int64_t first = (begin > tiles ? begin - tiles : 0) * width, last = min_of((end - tiles) * width, w->n);
    pack_columns(w, first, last, w->b_room + first * w->k * w->item);
  }
}

static void pack_block(work *w, bool is_new_b) {
  const bool was = w->packs_b;
  w->packs_b = was && is_new_b;
  const int64_t tiles = w->packs_a ? divide_up(w->m, w->height) : 0;
  const int64_t panels = w->packs_b ? divide_up(w->n, w->set->width) : 0;
  const int64_t each = w->k * w->set->width;
  if (tiles + panels) in_pieces(w, tiles + panels, NS_PER_PACKED * (double)each, pack_pieces);
  if (w->packs_tail && is_new_b) pack_columns(w, w->n / w->set->width * w->set->width, w->n, w->b_room);
  w->packs_b = was;
}

/* What the block's sums are added to: D at the first depth, then what is already in C. */
static void start_from(const work *w, tsm_gemm_block *b, int64_t i, int64_t j) {
  const tsm_product *x = w->x;
  if (w->p) {
    b->d = b->c;
    b->d_row = x->c_row;
    b->d_column = 1;
  } else if (x->d) {
    b->d = at(x->d, w->item, i * x->d_row + j * x->d_column);
    b->d_row = x->d_row;
    b->d_column = x->d_column;
  }
}

/* Rows i.. and columns j.. of the block at work, counted from its corner. */
static void multiply(const work *w, int64_t i, int64_t j, int64_t rows, int64_t columns) {
  const tsm_product *x = w->x;
  const int64_t width = w->set->width;
  tsm_gemm_block b;
  memset(&b, 0, sizeof b);
  b.m = rows;
  b.n = columns;
  b.k = w->k;
  b.height = w->height;
  if (w->packs_a) {
    b.a = w->a_room + i * (w->a_step ? w->a_step : w->k) * w->item;
    b.a_row = w->a_step ? w->a_step : 1;
    b.a_column = w->a_step ? 1 : w->height;
    b.a_tile = w->height * (w->a_step ? w->a_step : w->k);
  } else {
    b.a = at(x->a, w->item, (w->i + i) * x->a_row + w->p * x->a_column);
    b.a_row = x->a_row;
    b.a_column = x->a_column;
    b.a_tile = w->height * x->a_row;
  }
  if (x->packed_b) {
    b.b = at(x->packed_b, w->item, (w->j + j) * x->k + w->p * width);
    b.b_row = width;
    b.b_panel = width * x->k;
  } else if (w->packs_b || columns < width) {
    b.b = w->packs_b ? w->b_room + j * w->k * w->item : w->b_room;
    b.b_row = width;
    b.b_panel = width * w->k;
  } else {
    b.b = at(x->b, w->item, w->p * x->b_row + w->j + j);
    b.b_row = x->b_row;
    b.b_panel = width;
  }
  b.c = (char *)x->c + ((w->i + i) * x->c_row + w->j + j) * w->item;
  b.c_row = x->c_row;
  b.is_backward = x->is_backward;
  b.goes_on = i + rows == w->m && (x->is_backward ? j > 0 : j + columns < w->n) && (x->packed_b || w->packs_b);
  start_from(w, &b, w->i + i, w->j + j);
  w->set->block(&b);
}

/* The first row of a piece. A last tile of few rows counts as what it is: 197 rows are 98 and 99. */
static int64_t first_row(const work *w, int64_t piece) {
  if (piece == w->row_pieces) return w->m;
  return (piece * w->m / w->row_pieces + w->height / 2) / w->height * w->height;
}

static void tile_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  const work *w = user;
  const tsm_product *x = w->x;
  (void)worker;
  for (int64_t done = 0; done < end - begin; done++) {
    const int64_t piece = x->is_backward ? end - 1 - done : begin + done;
    const int64_t in_band = piece % (w->band * w->column_pieces), across = in_band / w->band;
    const int64_t down = piece / (w->band * w->column_pieces) * w->band + in_band % w->band;
    const int64_t i = first_row(w, down), j = across * w->piece_columns;
    const int64_t rows = first_row(w, down + 1) - i, columns = min_of(w->piece_columns, w->n - j);
    if (!rows) continue; /* the last tile was less than half of one */
    const int64_t whole = w->packs_tail ? columns / w->set->width * w->set->width : columns;
    if (whole) multiply(w, i, j, rows, whole);
    if (whole < columns) multiply(w, i, j + whole, rows, columns - whole);
    if (x->epilogue && w->p + w->k == x->k)
      x->epilogue->run(x->epilogue->user, w->i + i, w->j + j, rows, columns,
                       (char *)x->c + ((w->i + i) * x->c_row + w->j + j) * w->item, x->c_row);
  }
}

/* Whether each thread keeps to rows of its own. It then reads and writes the lines that it had in the product before
 * and has in the next, which would else go from one processor's cache to the other's; for that it reads all of B. */
static bool is_by_rows(const work *w, int64_t tiles, int64_t workers, int64_t highest) {
  return workers > 1 && tiles >= 4 * workers && highest >= divide_up(tiles, workers) &&
         2.0 * (double)w->m * (double)(w->k + w->n) >= (double)w->k * (double)w->n;
}

/* Pieces of `high` tiles by `wide` panels, `band` of them below each other before the next to the right. */
static void set_pieces(work *w, int64_t tiles, int64_t high, int64_t wide, int64_t band) {
  w->piece_columns = wide * w->set->width;
  w->row_pieces = divide_up(tiles, high);
  w->column_pieces = divide_up(divide_up(w->n, w->set->width), wide);
  w->band = band;
}

/* A band for each thread, which reads all of B. With an epilogue pieces are wide rather than high. */
static void cut_by_rows(work *w, int64_t tiles, int64_t panels) {
  const int64_t workers = workers_of(w), least = w->x->epilogue ? RUN : 1;
  int64_t wide = panels / PIECES > least ? panels / PIECES : panels < 2 * least ? panels : least;
  wide = divide_up(panels, divide_up(panels, wide));
  int64_t band = PIECES / divide_up(panels, wide);
  band = band < 1 ? 1 : min_of(band, tiles / workers);
  set_pieces(w, tiles, 1, wide, band);
  w->row_pieces = band * workers;
}

/* Pieces as large as the second cache allows, but some for each thread. While A stays in that cache, threads divide B
 * among them: what one read of a weight is near when the product runs again. */
static void cut(work *w, int64_t tiles, int64_t panels, int64_t highest, int64_t wanted) {
  const int64_t workers = workers_of(w);
  const bool is_by_columns = highest >= tiles;
  int64_t high = min_of(highest, wanted);
  high = high < 1 ? 1 : min_of(high, tiles);
  high = divide_up(tiles, divide_up(tiles, high));
  int64_t wide = wanted / high < 1 ? 1 : min_of(wanted / high, panels);
  if (w->x->epilogue && wide < min_of(RUN, panels)) {
    wide = high == tiles ? divide_up(panels, round_up(divide_up(panels, RUN), workers)) : min_of(RUN, panels);
    high = wanted / wide < 1 ? 1 : min_of(wanted / wide, tiles);
  }
  if (high == tiles && wide < panels) /* as many for each thread: one more for some would be one that the others wait for */
    wide = divide_up(panels, round_up(divide_up(panels, wide), workers));
  set_pieces(w, tiles, high, wide, is_by_columns ? divide_up(tiles, high) : 1);
}

static void tile_block(work *w) {
  const int64_t width = w->set->width, panels = divide_up(w->n, width), tiles = divide_up(w->m, w->height);
  const int64_t workers = workers_of(w), highest = BLOCK_BYTES / (w->height * (w->k + 1) * w->item);
  const double tile = (double)(w->k + 1) * (NS_PER_ROW * (double)min_of(w->height, w->m) +
                                            NS_PER_BYTE * (double)(width * w->item));
  int64_t wanted = tiles * panels / (PIECES * workers);
  if (workers == 1 || (double)(tiles * panels) * tile < 2 * TSM_TASK_NS) wanted = tiles * panels;
  if ((double)wanted * tile < TSM_TASK_NS) wanted = (int64_t)(TSM_TASK_NS / tile) + 1;
  if (wanted < tiles * panels && is_by_rows(w, tiles, workers, highest)) cut_by_rows(w, tiles, panels);
  else cut(w, tiles, panels, highest, wanted);
  const int64_t pieces = w->row_pieces * w->column_pieces;
  in_pieces(w, pieces, (double)(tiles * panels) / (double)pieces * tile, tile_pieces);
}

static void run_tiles(work *w) {
  const tsm_product *x = w->x;
  for (w->j = 0; w->j < x->n; w->j += w->columns_at_once) {
    w->n = min_of(w->columns_at_once, x->n - w->j);
    w->p = 0;
    do { /* once even if k is 0: C is D */
      w->k = min_of(w->depth, x->k - w->p);
      for (w->i = 0; w->i < x->m; w->i += w->rows_at_once) {
        w->m = min_of(w->rows_at_once, x->m - w->i);
        pack_block(w, w->i == 0);
        tile_block(w);
      }
      w->p += w->k;
    } while (w->p < x->k);
  }
}

/* ---- Few rows or columns */

/* Whether the matrix that is read once comes from memory rather than from a cache. */
static bool is_far(const work *w, int64_t columns) { return w->x->k * columns > TSM_GEMM_NEAR_BYTES / w->item; }

/* Columns begin.. of C, or rows of it when the product is turned around. */
static void dot_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  const work *w = user;
  const tsm_product *x = w->x;
  const bool is_turned = kind_of(w->set, x) == DOT_TURNED;
  (void)worker;
  begin *= w->piece_columns;
  end = min_of(end * w->piece_columns, is_turned ? x->m : x->n);
  tsm_gemm_dot dot;
  memset(&dot, 0, sizeof dot);
  dot.m = is_turned ? x->n : x->m;
  dot.n = end - begin;
  dot.k = x->k;
  dot.a = is_turned ? x->b : x->a;
  dot.a_row = is_turned ? x->b_column : x->a_row;
  dot.b_column = is_turned ? x->a_row : x->b_column;
  dot.b = at(is_turned ? x->a : x->b, w->item, begin * dot.b_column);
  dot.is_far = is_far(w, is_turned ? x->m : x->n);
  dot.is_asked = !w->rt || w->rt->asks_memory;
  dot.c_row = is_turned ? 1 : x->c_row;
  dot.c_column = is_turned ? x->c_row : 1;
  dot.c = (char *)x->c + begin * dot.c_column * w->item;
  dot.d_row = is_turned ? x->d_column : x->d_row;
  dot.d_column = is_turned ? x->d_row : x->d_column;
  dot.d = x->d ? at(x->d, w->item, begin * dot.d_column) : NULL;
  w->set->dot(&dot);
  if (!x->epilogue) return;
  if (is_turned) x->epilogue->run(x->epilogue->user, begin, 0, dot.n, dot.m, dot.c, x->c_row);
  else x->epilogue->run(x->epilogue->user, 0, begin, dot.m, dot.n, dot.c, x->c_row);
}

static void spread_pieces(void *user, size_t worker, int64_t begin, int64_t end) {
  const work *w = user;
  const tsm_product *x = w->x;
  const bool is_turned = kind_of(w->set, x) == SPREAD_TURNED;
  (void)worker;
  begin *= w->piece_columns;
  end = min_of(end * w->piece_columns, is_turned ? x->m : x->n);
  const int64_t d_step = is_turned ? x->d_row : x->d_column;
  tsm_gemm_spread s = {end - begin, x->k, NULL, 0, NULL, 0, (char *)x->c + begin * w->item, NULL, d_step};
  s.a = is_turned ? x->b : x->a;
  s.a_column = is_turned ? x->b_row : x->a_column;
  s.b = at(is_turned ? x->a : x->b, w->item, begin);
  s.b_row = is_turned ? x->a_column : x->b_row;
  if (x->d) s.d = at(x->d, w->item, begin * d_step);
  w->set->spread(&s);
  if (!x->epilogue) return;
  if (is_turned) x->epilogue->run(x->epilogue->user, begin, 0, s.n, 1, s.c, x->c_row);
  else x->epilogue->run(x->epilogue->user, 0, begin, 1, s.n, s.c, x->c_row);
}

static void run_few(work *w, int64_t rows, int64_t columns, int64_t unit, tsm_task_fn task) {
  const int64_t deep = (w->x->k + 1) * w->item;
  const double byte = deep * columns > FAR_BYTES ? NS_PER_FAR_BYTE : NS_PER_LONE_BYTE * (double)rows;
  w->piece_columns = unit;
  in_pieces(w, divide_up(columns, unit), byte * (double)(unit * deep), task);
}

/* ---- Products */

static void work_init(work *w, tsm_runtime *rt, tsm_isa isa, const tsm_product *x) {
  memset(w, 0, sizeof *w);
  w->x = x;
  w->rt = rt;
  w->set = sets[x->dtype == TSM_F64][isa];
  w->item = (int64_t)tsm_item_size(x->dtype);
  if (kind_of(w->set, x) == TILES) plan_tiles(w);
}

static void run(work *w) {
  const tsm_product *x = w->x;
  switch (kind_of(w->set, x)) {
    case TILES: run_tiles(w); break;
    case DOT: run_few(w, x->m, x->n, 16, dot_pieces); break;
    case DOT_TURNED: run_few(w, x->n, x->m, 16, dot_pieces); break;
    case SPREAD: run_few(w, 1, x->n, 128, spread_pieces); break;
    case SPREAD_TURNED: run_few(w, 1, x->m, 128, spread_pieces); break;
  }
}

size_t tsm_product_scratch(tsm_isa isa, const tsm_product *x) {
  work w;
  if (!x->m || !x->n) return 0;
  work_init(&w, NULL, isa, x);
  return tsm_room(w.a_size + w.b_size, 1);
}

void tsm_product_run_serial(tsm_isa isa, const tsm_product *x, void *scratch) {
  work w;
  if (!x->m || !x->n) return;
  work_init(&w, NULL, isa, x);
  w.a_room = w.a_size + w.b_size ? scratch : x->c; /* without scratch only something to count nothing from */
  w.b_room = w.a_room + w.a_size;
  run(&w);
}

bool tsm_product_run(tsm_runtime *rt, const tsm_product *x) {
  work w;
  if (!x->m || !x->n) return true;
  work_init(&w, rt, rt->isa, x);
  const size_t size = tsm_room(w.a_size + w.b_size, 1), extra = 64;
  char *room = size ? tsm_alloc(rt, size + extra) : NULL;
  if (size && !room) return false;
  w.a_room = room ? room + (extra - (uintptr_t)room % extra) % extra : x->c;
  w.b_room = w.a_room + w.a_size;
  run(&w);
  if (room) tsm_free(rt, room, size + extra);
  return true;
}

int64_t tsm_product_panel(tsm_isa isa, uint8_t dtype) { return sets[dtype == TSM_F64][isa]->width; }

size_t tsm_product_packed_bytes(tsm_isa isa, uint8_t dtype, int64_t k, int64_t n) {
  int64_t width = tsm_product_panel(isa, dtype), columns, bytes;
  if (tsm_add_overflows(n, width - 1, &columns)) return 0;
  columns = columns / width * width;
  if (tsm_mul_overflows(columns, k, &bytes)) return 0;
  if (tsm_mul_overflows(bytes, (int64_t)tsm_item_size(dtype), &bytes) || bytes > PTRDIFF_MAX) return 0;
  return (size_t)bytes;
}

void tsm_product_pack_b(tsm_isa isa, uint8_t dtype, int64_t k, int64_t n, const void *b, int64_t b_row,
                        int64_t b_column, void *out) {
  const tsm_gemm_set *set = sets[dtype == TSM_F64][isa];
  tsm_gemm_pack pack = {n, k, b_column, b_row, set->width, b, out};
  set->pack(&pack);
}
