/* reduce_int.c - sums, largest and smallest of integers and bools along dimensions, by the vectors of simd/integer.h.
 * In: two nests over a tensor. Out: an element for each kept place.
 * Holds: sums are int64 and wrap; short rows are turned, so that neighbours are of different outputs; what has
 * neighbours along neither nest is declined. */
#include "iterate.h"
#include "pointwise.h"
#include "reduce.h"
#include "simd/transpose.h"

enum { WIDTH = 1024, SHORT = 16, FEW = 64, CHUNK = 1 << 16, ROOM = 8192 };

typedef struct joining {
  const tsm_join_ints *in;
  const tsm_int_set *set;
  tsm_context *ctx;
  tsm_int_kind op;
  int64_t item, length, step;    /* of the last reduced dimension */
  uint8_t acc_dtype;
  tsm_convert_fn widen, finish;  /* to acc_dtype, NULL if it is the input's; to the output's */
} joining;

static bool is_short(const tsm_nest *kept, const tsm_nest *reduced, int64_t item) {
  const int64_t length = reduced->shape[0];
  return reduced->rank == 1 && kept->rank == 1 && reduced->step[0] == item && length <= SHORT && kept->numel >= FEW &&
         kept->step[0] == length * item && item >= 4;
}

bool tsm_can_join_ints(const tsm_nest *kept, const tsm_nest *reduced, uint8_t dtype) {
  const int64_t item = (int64_t)tsm_item_size(dtype);
  if (tsm_dtype_is_float(dtype) || !kept->numel || !reduced->numel) return false;
  return reduced->step[reduced->rank - 1] == item || (kept->step[kept->rank - 1] == item && kept->numel > 1);
}

static int64_t joined(const joining *j, int64_t a, int64_t b) {
  if (j->in->join == TSM_JOIN_SUM) return (int64_t)((uint64_t)a + (uint64_t)b);
  return (b > a) == (j->in->join == TSM_JOIN_MAX) ? b : a;
}

/* n > 0 neighbours. */
static int64_t join_row(const joining *j, const char *x, int64_t n) {
  const uint8_t dtype = j->in->dtype;
  if (j->in->join != TSM_JOIN_SUM) return j->set->most[dtype](x, (size_t)n, j->in->join == TSM_JOIN_MAX);
  if (dtype <= TSM_U8) return (int64_t)j->set->sum_u8((const uint8_t *)x, (size_t)n);
  const tsm_reduce_set *floats = tsm_reduce_of(j->ctx->rt->isa);
  if (dtype == TSM_I64) return (int64_t)floats->sum_i64((const uint64_t *)(const void *)x, (size_t)n);
  uint64_t wide[WIDTH], sum = 0;
  for (int64_t done = 0, part; done < n; done += part) {
    part = n - done < WIDTH ? n - done : WIDTH;
    j->widen((char *)wide, sizeof *wide, x + done * j->item, j->item, part);
    sum += floats->sum_i64(wide, (size_t)part);
  }
  return (int64_t)sum;
}

static tsm_status join_rows(const joining *j) {
  const tsm_nest *kept = j->in->kept, *reduced = j->in->reduced;
  const int64_t out_item = (int64_t)tsm_item_size(j->in->out_dtype), lines = reduced->numel / j->length;
  const int64_t inner = kept->shape[kept->rank - 1];
  const tsm_convert_fn store = tsm_convert_loop(TSM_I64, j->in->out_dtype);
  for (int64_t i = 0; i < kept->numel; i++) {
    const char *from = j->in->base + tsm_nest_offset(kept, i / inner) + i % inner * kept->step[kept->rank - 1];
    int64_t value = 0;
    for (int64_t line = 0; line < lines; line++)
      for (int64_t done = 0, part; done < j->length; done += part) {
        part = j->length - done < CHUNK ? j->length - done : CHUNK;
        const int64_t one = join_row(j, from + tsm_nest_offset(reduced, line) + done * j->item, part);
        value = line || done ? joined(j, value, one) : one;
        const tsm_status status = tsm_charge_elements(j->ctx, part);
        if (status) return status;
      }
    store(j->in->out + i * out_item, 0, (const char *)&value, 0, 1);
  }
  return TSM_OK;
}

/* `rows` rows of `width` columns, `step` bytes apart, joined into acc; the first is taken as it is if `starts`. */
static void join_columns(const joining *j, char *acc, const char *x, int64_t width, int64_t rows, int64_t step,
                         bool starts) {
  uint64_t wide[WIDTH];
  const int64_t acc_item = (int64_t)tsm_item_size(j->acc_dtype);
  for (int64_t r = 0; r < rows; r++, x += step) {
    const char *from = x;
    if (j->widen) {
      j->widen((char *)wide, acc_item, x, j->item, width);
      from = (const char *)wide;
    }
    if (starts && !r) memcpy(acc, from, (size_t)(width * acc_item));
    else tsm_int_join(j->set, j->op, j->acc_dtype, acc, from, width);
  }
}

/* A tile of neighbouring outputs, the first of which is `position`. */
static tsm_status column_tile(const joining *j, const char *from, int64_t position, int64_t width) {
  uint64_t acc[WIDTH];
  const tsm_nest *reduced = j->in->reduced;
  const int64_t out_item = (int64_t)tsm_item_size(j->in->out_dtype), lines = reduced->numel / j->length;
  for (int64_t line = 0; line < lines; line++)
    for (int64_t done = 0, part; done < j->length; done += part) {
      part = j->length - done < SHORT ? j->length - done : SHORT;
      join_columns(j, (char *)acc, from + tsm_nest_offset(reduced, line) + done * j->step, width, part, j->step,
                   !line && !done);
      const tsm_status status = tsm_charge_elements(j->ctx, part * width);
      if (status) return status;
    }
  j->finish(j->in->out + position * out_item, out_item, (const char *)acc, (int64_t)tsm_item_size(j->acc_dtype), width);
  return TSM_OK;
}

static tsm_status join_tiles(const joining *j) {
  const tsm_nest *kept = j->in->kept;
  const int64_t inner = kept->shape[kept->rank - 1];
  tsm_status status = TSM_OK;
  for (int64_t row = 0; row < kept->numel / inner; row++)
    for (int64_t i = 0; i < inner && !status; i += WIDTH)
      status = column_tile(j, j->in->base + tsm_nest_offset(kept, row) + i * j->item, row * inner + i,
                           inner - i < WIDTH ? inner - i : WIDTH);
  return status;
}

/* Rows side by side: a tile of them is turned, in which rows are columns. */
static tsm_status join_short(const joining *j) {
  uint64_t turned[ROOM / 8], acc[FEW * 4];
  const tsm_transpose_set *set = tsm_transpose_of(j->ctx->rt->isa);
  const tsm_transpose_fn turn = j->item == 4 ? set->by4 : set->by8;
  const int64_t row_bytes = j->length * j->item, out_item = (int64_t)tsm_item_size(j->in->out_dtype);
  const int64_t fit = ROOM / row_bytes, most = fit < FEW * 4 ? fit : FEW * 4;
  for (int64_t i = 0, rows; i < j->in->kept->numel; i += rows) {
    rows = j->in->kept->numel - i < most ? j->in->kept->numel - i : most;
    turn((char *)turned, (ptrdiff_t)(rows * j->item), j->in->base + i * row_bytes, (ptrdiff_t)row_bytes, (size_t)rows,
         (size_t)j->length);
    join_columns(j, (char *)acc, (const char *)turned, rows, j->length, rows * j->item, true);
    j->finish(j->in->out + i * out_item, out_item, (const char *)acc, (int64_t)tsm_item_size(j->acc_dtype), rows);
    const tsm_status status = tsm_charge_elements(j->ctx, rows * j->length);
    if (status) return status;
  }
  return TSM_OK;
}

tsm_status tsm_join_ints_run(tsm_context *ctx, const tsm_join_ints *in) {
  const tsm_nest *kept = in->kept, *reduced = in->reduced;
  joining j = {.in = in, .set = tsm_ints_of(ctx->rt->isa), .ctx = ctx, .item = (int64_t)tsm_item_size(in->dtype)};
  j.op = in->join == TSM_JOIN_SUM ? TSM_INT_ADD : in->join == TSM_JOIN_MAX ? TSM_INT_MAX : TSM_INT_MIN;
  j.acc_dtype = in->join == TSM_JOIN_SUM ? TSM_I64 : in->dtype;
  j.widen = j.acc_dtype == in->dtype ? NULL : tsm_convert_loop(in->dtype, j.acc_dtype);
  j.finish = tsm_convert_loop(j.acc_dtype, in->out_dtype);
  j.length = reduced->shape[reduced->rank - 1];
  j.step = reduced->step[reduced->rank - 1];
  if (is_short(kept, reduced, j.item)) return join_short(&j);
  const bool is_columns = kept->step[kept->rank - 1] == j.item && kept->numel > 1 && j.step != j.item;
  return is_columns ? join_tiles(&j) : join_rows(&j);
}
