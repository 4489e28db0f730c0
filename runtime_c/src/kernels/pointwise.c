/* pointwise.c - see pointwise.h. A short path runs contiguous operands of the loop's own dtype without an iterator. */
#include "pointwise.h"

#include "arguments.h"
#include "simd/convert.h"

enum { OPERANDS_MAX = TSM_ITER_MAX, TILE = 256 }; /* of elements of 8 bytes; of smaller ones as many as fit */

const char *tsm_dtype_torch_name(unsigned dtype) {
  static const char names[TSM_DTYPE_COUNT][9] = {"Bool", "Byte", "Char", "Short", "Int", "Long", "Float", "Double",
                                                 "BFloat16"};
  return names[dtype];
}

tsm_status tsm_raise_not_implemented(tsm_opcall *c, uint8_t dtype) {
  const char *name = c->site->op->name;
  if (!strcmp(name, "bitwise_not"))
    return tsm_raise(c->ctx, "TypeError", "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
  bool is_shift = strstr(name, "shift") != NULL; /* bitwise_left_shift_ is lshift there */
  int length = is_shift ? 1 : (int)strlen(name);
  length -= name[length - 1] == '_';
  return tsm_raise(c->ctx, "NotImplementedError", "\"%.*s%s_cpu\" not implemented for '%s'", length,
                   is_shift ? name + 8 : name, is_shift ? "shift" : "", tsm_dtype_torch_name(dtype));
}

tsm_operand tsm_operand_scalar(tsm_pair scalar, uint8_t computed) {
  tsm_operand o = tsm_operand_tensor(NULL, computed);
  tsm_element_store(computed, &o.value, scalar);
  return o;
}

bool tsm_arg_is_tensor(const tsm_opcall *c, size_t i) {
  return c->site->op->schema.params[i].type->kind == TSM_T_TENSOR;
}

tsm_operand tsm_operand_arg(const tsm_opcall *c, size_t i, uint8_t computed) {
  if (tsm_arg_is_tensor(c, i)) return tsm_operand_tensor(tsm_arg_tensor(c, i), computed);
  return tsm_operand_scalar(tsm_arg_pair(c, i), computed);
}

uint8_t tsm_promote_args(const tsm_opcall *c, size_t first, size_t last) {
  tsm_promotion p = TSM_PROMOTION_INIT;
  for (size_t i = first; i <= last; i++) {
    if (tsm_arg_is_tensor(c, i)) tsm_promote_tensor(&p, tsm_arg_tensor(c, i));
    else tsm_promote_scalar(&p, tsm_arg_pair(c, i));
  }
  return tsm_promote_result(&p);
}

/* Runs the loop at once if every operand is contiguous and of the right dtype, or one value. */
static bool run_short(tsm_loop_fn loop, void *extra, const tsm_operand *operands, int count) {
  const tsm_tensor *out = operands[0].tensor;
  char *ptr[OPERANDS_MAX];
  int64_t step[OPERANDS_MAX];
  if (out->numel > TSM_ITER_ROW) return false;
  for (int k = 0; k < count; k++) {
    const tsm_tensor *t = operands[k].tensor;
    step[k] = 0;
    if (!t) {
      ptr[k] = (char *)&operands[k].value;
      continue;
    }
    if (t->dtype != operands[k].computed || !t->is_contiguous) return false;
    if (t->numel == out->numel) step[k] = (int64_t)tsm_item_size(t->dtype);
    else if (t->numel != 1) return false;
    ptr[k] = (char *)tsm_tensor_read(t);
  }
  loop(ptr, step, out->numel, extra);
  return true;
}

typedef struct pointwise {
  tsm_loop_fn loop;
  void *extra;
  int count;
  bool is_converted;
  int64_t fit;                               /* elements of a tile */
  int64_t item[OPERANDS_MAX];                /* of the computing dtype */
  tsm_convert_fn convert[OPERANDS_MAX];      /* NULL: as it is */
  uint64_t tile[OPERANDS_MAX][TILE];
} pointwise;

static void run_tile(pointwise *w, char *const *ptr, const int64_t *step, int64_t n) {
  char *tile_ptr[OPERANDS_MAX];
  int64_t tile_step[OPERANDS_MAX];
  for (int k = 0; k < w->count; k++) {
    tile_ptr[k] = w->convert[k] ? (char *)w->tile[k] : ptr[k];
    tile_step[k] = w->convert[k] ? w->item[k] : step[k];
    if (w->convert[k] && k > 0) w->convert[k](tile_ptr[k], tile_step[k], ptr[k], step[k], n);
  }
  w->loop(tile_ptr, tile_step, n, w->extra);
  if (w->convert[0]) w->convert[0](ptr[0], step[0], tile_ptr[0], tile_step[0], n);
}

static tsm_status run_row(void *user, char *const *ptr, const int64_t *step, int64_t n) {
  pointwise *w = user;
  if (!w->is_converted) {
    w->loop(ptr, step, n, w->extra);
    return TSM_OK;
  }
  char *part[OPERANDS_MAX];
  for (int64_t done = 0; done < n; done += w->fit) {
    for (int k = 0; k < w->count; k++) part[k] = ptr[k] + done * step[k];
    run_tile(w, part, step, n - done < w->fit ? n - done : w->fit);
  }
  return TSM_OK;
}

tsm_status tsm_pointwise_run(tsm_opcall *c, tsm_loop_fn loop, void *extra, const tsm_operand *operands, int count) {
  if (!loop) return tsm_raise_not_implemented(c, operands[count > 1 ? 1 : 0].computed);
  const tsm_tensor *out = operands[0].tensor;
  if (!out->numel) return TSM_OK;
  if (run_short(loop, extra, operands, count)) return tsm_charge_elements(c->ctx, out->numel);
  pointwise w;
  w.loop = loop;
  w.extra = extra;
  w.count = count;
  w.is_converted = false;
  w.fit = TILE * 8;
  tsm_iter it;
  tsm_iter_init(&it, out->rank, tsm_shape(out));
  for (int k = 0; k < count; k++) {
    const tsm_operand *o = &operands[k];
    w.item[k] = (int64_t)tsm_item_size(o->computed);
    w.convert[k] = NULL;
    if (!o->tensor) {
      tsm_iter_add_value(&it, &o->value);
      continue;
    }
    tsm_iter_add_tensor(&it, o->tensor);
    if (o->tensor->dtype == o->computed) continue;
    w.convert[k] = k ? tsm_convert_best(c->ctx->rt->isa, o->tensor->dtype, o->computed)
                     : tsm_convert_best(c->ctx->rt->isa, o->computed, o->tensor->dtype);
    w.is_converted = true;
    if (w.fit > TILE * 8 / w.item[k]) w.fit = TILE * 8 / w.item[k];
  }
  return tsm_iter_run(c->ctx, &it, run_row, &w);
}

static bool can_store(uint8_t from, uint8_t to) {
  if (tsm_dtype_is_float(from) && !tsm_dtype_is_float(to)) return false;
  return from == TSM_BOOL8 || to != TSM_BOOL8;
}

static tsm_status check_inplace_shape(tsm_opcall *c, const tsm_tensor *self, const tsm_tensor *input) {
  int64_t shape[TSM_MAX_RANK];
  size_t rank = self->rank;
  memcpy(shape, tsm_shape(self), rank * sizeof *shape);
  char self_text[TSM_SHAPE_TEXT], result_text[TSM_SHAPE_TEXT];
  if (!tsm_broadcast(shape, &rank, tsm_shape(input), input->rank))
    return tsm_raise_broadcast(c, tsm_shape(self), self->rank, tsm_shape(input), input->rank);
  if (rank != self->rank || memcmp(shape, tsm_shape(self), rank * sizeof *shape) != 0)
    return tsm_raise(c->ctx, "RuntimeError", "output with shape %s doesn't match the broadcast shape %s",
                     tsm_list_text(self_text, tsm_shape(self), self->rank), tsm_list_text(result_text, shape, rank));
  return TSM_OK;
}

tsm_status tsm_inplace_prepare(tsm_opcall *c, size_t first_input, size_t last_input, uint8_t computed) {
  tsm_tensor *self = tsm_arg_tensor(c, 0);
  tsm_status status;
  if (!can_store(computed, self->dtype))
    return tsm_raise(c->ctx, "RuntimeError", "result type %s can't be cast to the desired output type %s",
                     tsm_dtype_torch_name(computed), tsm_dtype_torch_name(self->dtype));
  if ((status = tsm_check_no_overlap(c->ctx, self))) return status;
  for (size_t i = first_input; i <= last_input; i++) {
    if (!tsm_arg_is_tensor(c, i)) continue;
    const tsm_tensor *input = tsm_arg_tensor(c, i);
    if ((status = check_inplace_shape(c, self, input))) return status;
    if ((status = tsm_check_no_partial_overlap(c->ctx, self, input))) return status;
  }
  return tsm_tensor_writable(c->ctx, self) ? TSM_OK : c->ctx->status;
}

tsm_status tsm_return_self(tsm_opcall *c) {
  tsm_tensor *self = tsm_arg_tensor(c, 0);
  tsm_ref(&self->head);
  return tsm_return_tensor(c, self);
}
