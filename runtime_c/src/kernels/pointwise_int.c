/* pointwise_int.c - elementwise operations on integers and bools: the vectors of simd/integer.h over operands of any
 * layout. In: an operation, an output tensor, input tensors and scalars. Out: the output, filled.
 * Holds: values are spread over one vector, strided elements go through tiles, and what does not fill a vector through
 * copies. */
#include "pointwise.h"

enum { INPUTS = 3, VECTOR = 32, TILE = 4096 }; /* bytes */

typedef struct ints {
  const tsm_int_set *set;
  tsm_int_op op;
  tsm_convert_fn take, put; /* strided elements to neighbours, results to strided ones */
  int64_t item, out_item, lanes;
  int count;                /* of inputs that are operands */
  uint8_t turn;             /* what the third input is full of, if it is no operand */
} ints;

/* n elements that are neighbours, or values spread over a vector, of which the step is 0. */
static void run_neighbours(const ints *w, char *out, const char *const *in, const size_t *steps, int64_t n) {
  const tsm_int_steps step = {steps[0], steps[1], steps[2]};
  const int64_t whole = n / w->lanes, done = whole * w->lanes;
  if (whole) w->op(out, in[0], in[1], in[2], (size_t)whole, step);
  if (done == n) return;
  _Alignas(VECTOR) char last[INPUTS + 1][VECTOR] = {{0}};
  const char *from[INPUTS];
  for (int k = 0; k < INPUTS; k++) {
    from[k] = steps[k] ? last[k] : in[k];
    if (steps[k]) memcpy(last[k], in[k] + done * w->item, (size_t)((n - done) * w->item));
  }
  w->op(last[INPUTS], from[0], from[1], from[2], 1, step);
  memcpy(out + done * w->out_item, last[INPUTS], (size_t)((n - done) * w->out_item));
}

void tsm_int_join(const tsm_int_set *set, tsm_int_kind op, uint8_t dtype, void *acc, const void *x, int64_t n) {
  const int64_t item = (int64_t)tsm_item_size(dtype);
  const ints w = {.set = set, .op = set->op[op][dtype], .item = item, .out_item = item, .lanes = (int64_t)set->bytes / item};
  const char *const in[INPUTS] = {acc, x, acc};
  const size_t steps[INPUTS] = {set->bytes, set->bytes, 0};
  run_neighbours(&w, acc, in, steps, n);
}

static void run_loop(char *const *p, const int64_t *s, int64_t n, void *extra) {
  const ints *w = extra;
  _Alignas(VECTOR) char values[INPUTS][VECTOR], tiles[INPUTS + 1][TILE];
  const char *in[INPUTS];
  size_t steps[INPUTS] = {0};
  bool is_direct = s[0] == w->out_item;
  for (int k = 0; k < INPUTS; k++) {
    in[k] = values[k];
    if (k >= w->count) {
      memset(values[k], w->turn, VECTOR);
    } else if (!s[k + 1]) {
      w->take(values[k], w->item, p[k + 1], 0, w->lanes);
    } else {
      steps[k] = w->set->bytes;
      in[k] = p[k + 1];
      is_direct &= s[k + 1] == w->item;
    }
  }
  if (is_direct) {
    run_neighbours(w, p[0], in, steps, n);
    return;
  }
  const int64_t most = TILE / w->item;
  for (int64_t done = 0, part; done < n; done += part) {
    part = n - done < most ? n - done : most;
    for (int k = 0; k < INPUTS; k++) {
      if (!steps[k]) continue;
      in[k] = tiles[k];
      w->take(tiles[k], w->item, p[k + 1] + done * s[k + 1], s[k + 1], part);
    }
    run_neighbours(w, tiles[INPUTS], in, steps, part);
    w->put(p[0] + done * s[0], s[0], tiles[INPUTS], w->out_item, part);
  }
}

static tsm_status run(tsm_opcall *c, tsm_int_kind op, uint8_t out_dtype, bool turn, const tsm_operand *operands, int count) {
  const uint8_t dtype = operands[1].computed;
  ints w = {.set = tsm_ints_of(c->ctx->rt->isa), .take = tsm_convert_loop(dtype, dtype),
            .put = tsm_convert_loop(out_dtype, out_dtype), .item = (int64_t)tsm_item_size(dtype),
            .out_item = (int64_t)tsm_item_size(out_dtype), .count = count - 1, .turn = turn};
  w.lanes = (int64_t)w.set->bytes / w.item;
  w.op = w.set->op[op][dtype];
  return tsm_pointwise_run(c, run_loop, &w, operands, count);
}

tsm_status tsm_pointwise_int(tsm_opcall *c, tsm_int_kind op, const tsm_operand *operands, int count) {
  return run(c, op, operands[0].computed, false, operands, count);
}

tsm_status tsm_pointwise_int_compare(tsm_opcall *c, tsm_row row, const tsm_operand *operands) {
  const bool is_swapped = row == TSM_ROW_GT || row == TSM_ROW_LE;
  const bool is_turned = row == TSM_ROW_NE || row == TSM_ROW_LE || row == TSM_ROW_GE;
  const tsm_int_kind op = row == TSM_ROW_EQ || row == TSM_ROW_NE ? TSM_INT_EQ : TSM_INT_LT;
  const tsm_operand ordered[3] = {operands[0], operands[is_swapped ? 2 : 1], operands[is_swapped ? 1 : 2]};
  return run(c, op, TSM_BOOL8, is_turned, ordered, 3);
}

tsm_status tsm_pointwise_int_with(tsm_opcall *c, tsm_int_kind op, const tsm_tensor *out, tsm_operand in, int64_t low,
                                  int64_t high) {
  const tsm_pair bounds[2] = {{.tag = TSM_INT, .as = {.i = low}}, {.tag = TSM_INT, .as = {.i = high}}};
  const tsm_operand operands[4] = {tsm_operand_tensor(out, in.computed), in, tsm_operand_scalar(bounds[0], in.computed),
                                   tsm_operand_scalar(bounds[1], in.computed)};
  return tsm_pointwise_int(c, op, operands, op == TSM_INT_CLAMP ? 4 : 3);
}
