/* reduce_float.c - joining floats along dimensions by the functions of simd/reduce.h, with several threads.
 * In: two nests over a tensor of float32 or float64. Out: a double for each kept place.
 * Holds: how the work is cut depends on shapes alone, and parts are joined in order, so that any number of threads
 * gives the same bits; what is neither rows nor columns of neighbouring elements is declined. */
#include <math.h>

#include "base/pool.h"
#include "reduce.h"
#include "simd/pointwise.h"
#include "simd/transpose.h"

enum { CHUNK = 32768, WIDTH = 2048, MANY = 32, SHARED = 4 * 32768, FAR_BYTES = 24 << 20, APART_BYTES = 1 << 20 };
static const double NS_PER_ELEMENT = 0.3;

static double neutral(tsm_join join) { return join == TSM_JOIN_MAX ? -INFINITY : join == TSM_JOIN_MIN ? INFINITY : 0; }

static double joined(tsm_join join, double a, double b) {
  if (join == TSM_JOIN_MAX) return b > a || b != b ? b : a;
  if (join == TSM_JOIN_MIN) return b < a || b != b ? b : a;
  return a + b;
}

typedef struct joining {
  const tsm_join_floats *in;
  const tsm_reduce_set *set;
  const tsm_transpose_set *turns;
  tsm_row_join by_row;
  tsm_columns_join by_columns, by_parts; /* by_parts: doubles that are joined already */
  size_t item;
  int64_t lines, length, step;  /* reduced rows of an output, their elements, the step between elements */
  int64_t parts;                /* pieces that a line is cut into */
  int64_t width, tiles, room;   /* columns: of one output row, tiles of it, and doubles for one of those */
  int64_t cut;                  /* elements (rows of columns) in a part */
  double mean;                  /* of rows, if there are no means */
  double *partial;              /* NULL: a piece is a whole output, or tile of outputs */
} joining;

static const char *place(const joining *j, int64_t kept, int64_t line) {
  return j->in->base + tsm_nest_offset(j->in->kept, kept) + tsm_nest_offset(j->in->reduced, line);
}

static int64_t part_length(const joining *j, int64_t part) {
  return j->length - part * j->cut < j->cut ? j->length - part * j->cut : j->cut;
}

/* Part `part` of line `line` of an output row. */
static double row_part(const joining *j, int64_t output, int64_t line, int64_t part) {
  const tsm_nest *kept = j->in->kept;
  const int64_t inner = kept->shape[kept->rank - 1], row = output < inner ? 0 : output / inner;
  const char *x = place(j, row, line) + (output - row * inner) * kept->step[kept->rank - 1];
  return j->by_row(x + part * j->cut * (int64_t)j->item, (size_t)part_length(j, part),
                   j->in->means ? j->in->means[output] : j->mean);
}

/* Sums of `count` rows of floats, four at a time that are far from each other; returns how many it did. */
static int64_t four_rows(const joining *j, double *out, const char *x, int64_t count, int64_t step) {
  const int64_t quarter = count / 4;
  if (j->in->join != TSM_JOIN_SUM || j->item != sizeof(float) || j->mean > 0 || quarter * step < APART_BYTES) return 0;
  for (int64_t r = 0; r < quarter; r++, x += step) {
    double sums[4];
    j->set->sum_four(sums, (const float *)(const void *)x, (size_t)j->length, (ptrdiff_t)(quarter * step / 4));
    for (int64_t k = 0; k < 4; k++) out[r + k * quarter] = sums[k] / j->in->divisor;
  }
  return 4 * quarter;
}

/* Rows that are shorter than what they wait for, one after the other: a tile of them is turned, in which they are columns.
 * Returns how many it did. */
static int64_t short_rows(const joining *j, int64_t begin, const char *x, int64_t count, int64_t step) {
  enum { SHORT = 16, ROOM = 8192, ROWS = 256 };
  const int64_t row_bytes = j->length * (int64_t)j->item;
  if (j->length > SHORT || step != row_bytes) return 0;
  _Alignas(64) char turned[ROOM];
  double acc[ROWS];
  const tsm_transpose_fn turn = j->item == 4 ? j->turns->by4 : j->turns->by8;
  const int64_t fit = ROOM / row_bytes / 16 * 16, most = fit < ROWS ? fit : ROWS;
  double *out = j->in->out + begin;
  int64_t done = 0;
  for (; count - done >= most; done += most, x += most * step) {
    turn(turned, (ptrdiff_t)(most * (int64_t)j->item), x, (ptrdiff_t)step, (size_t)most, (size_t)j->length);
    for (int64_t k = 0; k < most; k++) acc[k] = neutral(j->in->join);
    j->by_columns(acc, turned, (size_t)most, (size_t)j->length, (ptrdiff_t)most,
                  j->in->means ? j->in->means + begin + done : NULL);
    for (int64_t k = 0; k < most; k++) out[done + k] = acc[k] / j->in->divisor;
  }
  return done;
}

/* Outputs that are one part each. */
static void whole_rows(const joining *j, int64_t begin, int64_t end) {
  const tsm_nest *kept = j->in->kept;
  const int64_t inner = kept->shape[kept->rank - 1], step = kept->step[kept->rank - 1];
  while (begin < end) {
    const int64_t row = begin / inner, first = row * inner, stop = end < first + inner ? end : first + inner;
    const char *x = place(j, row, 0) + (begin - first) * step;
    int64_t done = four_rows(j, j->in->out + begin, x, stop - begin, step);
    if (!done) done = short_rows(j, begin, x, stop - begin, step);
    begin += done;
    x += done * step;
    for (; begin < stop; begin++, x += step)
      j->in->out[begin] = joined(j->in->join, neutral(j->in->join),
                                 j->by_row(x, (size_t)j->length, j->in->means ? j->in->means[begin] : j->mean)) /
                          j->in->divisor; /* while the next row comes */
  }
}

static void row_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const joining *j = user;
  const int64_t parts = j->lines * j->parts;
  (void)worker;
  if (parts == 1 && !j->partial) {
    whole_rows(j, begin, end);
    return;
  }
  for (int64_t i = begin; i < end; i++) {
    if (j->partial) {
      j->partial[i] = row_part(j, i / parts, i % parts / j->parts, i % j->parts);
      continue;
    }
    double value = neutral(j->in->join);
    for (int64_t line = 0; line < j->lines; line++)
      for (int64_t p = 0; p < j->parts; p++) value = joined(j->in->join, value, row_part(j, i, line, p));
    j->in->out[i] = value;
  }
}

static int64_t tile_width(const joining *j, int64_t tile) {
  const int64_t left = j->width - tile % j->tiles * WIDTH;
  return left < WIDTH ? left : WIDTH;
}

static int64_t tile_position(const joining *j, int64_t tile) {
  return tile / j->tiles * j->width + tile % j->tiles * WIDTH;
}

static void column_part(const joining *j, double *acc, int64_t tile, int64_t line, int64_t part) {
  const char *x = place(j, tile / j->tiles, line) + tile % j->tiles * WIDTH * (int64_t)j->item;
  j->by_columns(acc, x + part * j->cut * j->step, (size_t)tile_width(j, tile), (size_t)part_length(j, part),
                (ptrdiff_t)(j->step / (int64_t)j->item), j->in->means ? j->in->means + tile_position(j, tile) : NULL);
}

static void column_task(void *user, size_t worker, int64_t begin, int64_t end) {
  const joining *j = user;
  const int64_t parts = j->lines * j->parts;
  (void)worker;
  for (int64_t i = begin; i < end; i++) {
    double here[WIDTH], *acc = j->partial ? j->partial + i * j->room : here;
    for (int64_t k = 0; k < j->room; k++) acc[k] = neutral(j->in->join);
    if (j->partial) {
      column_part(j, acc, i / parts, i % parts / j->parts, i % j->parts);
      continue;
    }
    for (int64_t p = 0; p < parts; p++) column_part(j, acc, i, p / j->parts, p % j->parts);
    memcpy(j->in->out + tile_position(j, i), acc, (size_t)tile_width(j, i) * sizeof *acc);
  }
}

/* Parts of each output, in order. */
static void join_partials(const joining *j, int64_t outputs, int64_t width) {
  const int64_t parts = j->lines * j->parts;
  for (int64_t i = 0; i < outputs; i++) {
    double *from = j->partial + i * parts * width;
    if (width > 1) {
      const size_t count = (size_t)tile_width(j, i);
      j->by_parts(from, from + width, count, (size_t)parts - 1, (ptrdiff_t)width, NULL);
      memcpy(j->in->out + tile_position(j, i), from, count * sizeof *from);
      continue;
    }
    for (int64_t p = 1; p < parts; p++) from[0] = joined(j->in->join, from[0], from[p]);
    j->in->out[i] = from[0];
  }
}

/* `outputs` of which each has `width` values: by whole ones if there are many, else by parts. */
static tsm_status run(tsm_context *ctx, joining *j, int64_t outputs, int64_t width, tsm_task_fn task) {
  const int64_t numel = j->in->kept->numel * j->in->reduced->numel, parts = j->lines * j->parts;
  const bool by_parts = outputs < MANY && parts > 1 && numel >= SHARED && parts * outputs <= numel / 64;
  const size_t count = (size_t)(outputs * parts * width);
  if (by_parts && !(j->partial = tsm_alloc_array(ctx->rt, count, sizeof(double)))) return tsm_out_of_memory(ctx);
  const int64_t pieces = by_parts ? outputs * parts : outputs;
  tsm_status status =
      tsm_parallel_paid(ctx, pieces, numel / pieces + 1, NS_PER_ELEMENT * (double)(numel / pieces + 1), task, j);
  if (!by_parts) return status;
  if (!status) join_partials(j, outputs, width);
  tsm_free(ctx->rt, j->partial, count * sizeof(double));
  return status;
}

/* Rows of columns in a part: sums of parts cross from one processor to the other, so that parts are few where the work
 * can still be divided, and large. */
static int64_t rows_of_part(const joining *j) {
  const int64_t width = j->width < WIDTH ? j->width : WIDTH, share = j->length * width / 8;
  return 1 + (share < 4 * CHUNK ? 4 * CHUNK : share > 16 * CHUNK ? 16 * CHUNK : share) / width;
}

bool tsm_can_join_floats(const tsm_nest *kept, const tsm_nest *reduced, uint8_t dtype) {
  const int64_t item = (int64_t)tsm_item_size(dtype);
  return tsm_dtype_is_float(dtype) && (reduced->numel == 1 || reduced->step[reduced->rank - 1] == item ||
                                       (kept->step[kept->rank - 1] == item && kept->shape[kept->rank - 1] > 1));
}

tsm_status tsm_join_floats_run(tsm_context *ctx, const tsm_join_floats *in) {
  const tsm_nest *kept = in->kept, *reduced = in->reduced;
  const tsm_reduce_set *set = tsm_reduce_of(ctx->rt->isa);
  const int real = in->dtype == TSM_F64;
  joining j = {.in = in, .set = set, .turns = tsm_transpose_of(ctx->rt->isa), .item = tsm_item_size(in->dtype), .cut = CHUNK};
  if (!kept->numel || !reduced->numel) {
    for (int64_t i = 0; i < kept->numel; i++) in->out[i] = neutral(in->join) / in->divisor;
    return TSM_OK;
  }
  j.by_row = set->row[real][in->join];
  j.mean = kept->numel * reduced->numel > FAR_BYTES / (int64_t)j.item ? TSM_ROW_IS_FAR : 0;
  j.by_columns = set->columns[real][in->join];
  j.by_parts = set->columns[1][in->join == TSM_JOIN_SQUARES ? TSM_JOIN_SUM : in->join];
  j.length = reduced->shape[reduced->rank - 1];
  j.step = reduced->step[reduced->rank - 1];
  j.lines = reduced->numel / j.length;
  j.width = kept->shape[kept->rank - 1];
  j.tiles = (j.width + WIDTH - 1) / WIDTH;
  j.room = j.tiles > 1 ? WIDTH : (j.width + 15) / 16 * 16;
  const bool is_columns = kept->step[kept->rank - 1] == (int64_t)j.item && j.width > 1 && j.step != (int64_t)j.item;
  if (is_columns) j.cut = rows_of_part(&j);
  j.parts = (j.length + j.cut - 1) / j.cut;
  const int64_t outputs = is_columns ? kept->numel / j.width * j.tiles : kept->numel;
  const tsm_status status = run(ctx, &j, outputs, is_columns ? j.room : 1, is_columns ? column_task : row_task);
  const bool is_divided = !is_columns && j.lines * j.parts == 1;
  if (!status && !is_divided && in->divisor != 1)
    ctx->rt->rows->f64[TSM_ROW_DIV_VS](in->out, in->out, &in->divisor, NULL, (size_t)kept->numel);
  return status;
}
