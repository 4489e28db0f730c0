/* facts.c - what a program asks of a tensor: shape, dtype, elements as Python numbers, equality.
 * In: tensors. Out: ints, bools, tuples, lists, Scalars.
 * Holds: conversions to Python numbers raise as PyTorch's do. */
#include <math.h>

#include "arguments.h"
#include "iterate.h"
#include "kernels.h"

tsm_status tsm_k_t_dim(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_tensor(c, 0)->rank); }
tsm_status tsm_k_t_numel(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_tensor(c, 0)->numel); }
tsm_status tsm_k_t_dtype(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_tensor(c, 0)->dtype); }
tsm_status tsm_k_t_is_contiguous(tsm_opcall *c) { return tsm_return_bool(c, tsm_arg_tensor(c, 0)->is_contiguous); }
tsm_status tsm_k_t_is_floating_point(tsm_opcall *c) {
  return tsm_return_bool(c, tsm_dtype_is_float(tsm_arg_tensor(c, 0)->dtype));
}

static tsm_status return_ints(tsm_opcall *c, const int64_t *items, size_t count, uint8_t flags) {
  tsm_tuple *t = tsm_tuple_make(c->ctx->heap, (int64_t)count, tsm_result_type(c, 0));
  if (!t) return tsm_out_of_memory(c->ctx);
  for (size_t i = 0; i < count; i++) {
    t->items[i].tag = TSM_INT;
    t->items[i].as.i = items[i];
  }
  t->head.flags |= flags;
  tsm_return_ref(c, 0, &t->head);
  return TSM_OK;
}

tsm_status tsm_k_t_shape(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  return return_ints(c, tsm_shape(t), t->rank, TSM_OBJ_SIZE);
}

tsm_status tsm_k_t_stride(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  return return_ints(c, tsm_strides(t), t->rank, 0);
}

tsm_status tsm_k_t_size(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  size_t dim;
  if (!t->rank) return tsm_raise(c->ctx, "IndexError", "size: Dimension specified as %lld but tensor has no dimensions",
                                 (long long)tsm_arg_int(c, 1));
  tsm_status status = tsm_dim_wrap(c, tsm_arg_int(c, 1), t->rank, &dim);
  return status ? status : tsm_return_int(c, tsm_shape(t)[dim]);
}

tsm_status tsm_k_t_len(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  if (!t->rank) return tsm_raise(c->ctx, "TypeError", "len() of a 0-d tensor");
  return tsm_return_int(c, tsm_shape(t)[0]);
}

tsm_status tsm_k_t_item(tsm_opcall *c) {
  tsm_pair p;
  tsm_status status = tsm_tensor_item(c->ctx, tsm_arg_tensor(c, 0), &p);
  return status ? status : tsm_return_pair(c, p);
}

/* int() and float() of more than one element: Python's ValueError. */
static tsm_status read_one(tsm_opcall *c, tsm_pair *out) {
  if (tsm_arg_tensor(c, 0)->numel != 1)
    return tsm_raise(c->ctx, "ValueError", "only one element tensors can be converted to Python scalars");
  return tsm_tensor_item(c->ctx, tsm_arg_tensor(c, 0), out);
}

tsm_status tsm_k_int_from_tensor(tsm_opcall *c) {
  tsm_pair p;
  tsm_status status = read_one(c, &p);
  if (status) return status;
  if (p.tag != TSM_FLOAT) return tsm_return_int(c, p.as.i);
  if (p.as.f != p.as.f) return tsm_raise(c->ctx, "ValueError", "cannot convert float NaN to integer");
  if (isinf(p.as.f)) return tsm_raise(c->ctx, "OverflowError", "cannot convert float infinity to integer");
  if (!(p.as.f >= -9223372036854775808.0 && p.as.f < 9223372036854775808.0))
    return tsm_raise(c->ctx, "OverflowError", "the float does not fit in a 64-bit int");
  return tsm_return_int(c, (int64_t)p.as.f);
}

tsm_status tsm_k_float_from_tensor(tsm_opcall *c) {
  tsm_pair p;
  tsm_status status = read_one(c, &p);
  return status ? status : tsm_return_float(c, p.tag == TSM_FLOAT ? p.as.f : (double)p.as.i);
}

tsm_status tsm_k_bool_from_tensor(tsm_opcall *c) {
  bool truth;
  tsm_status status = tsm_tensor_truth(c->ctx, tsm_arg_tensor(c, 0), &truth);
  return status ? status : tsm_return_bool(c, truth);
}

tsm_status tsm_k_t_tolist(tsm_opcall *c) {
  const tsm_tensor *t = tsm_arg_tensor(c, 0);
  const char *kind = c->site->op->overload;
  bool is_floats = !strcmp(kind, "floats"), is_bools = !strcmp(kind, "bools");
  bool is_fit = is_floats ? tsm_dtype_is_float(t->dtype) : is_bools == (t->dtype == TSM_BOOL8) && !tsm_dtype_is_float(t->dtype);
  if (t->rank != 1 || !is_fit)
    return tsm_raise(c->ctx, "TypeError", "tolist: a %d-d tensor of dtype %s is not a list of %s", t->rank,
                     tsm_dtype_name((tsm_dtype)t->dtype), kind);
  tsm_layout layout = is_floats ? TSM_L_F64 : is_bools ? TSM_L_U8 : TSM_L_I64;
  uint8_t dtype = is_floats ? TSM_F64 : is_bools ? TSM_BOOL8 : TSM_I64;
  tsm_status status = tsm_charge_elements(c->ctx, t->numel);
  if (status) return status;
  tsm_list *l = tsm_list_make(c->ctx->heap, layout, tsm_result_type(c, 0), t->numel);
  if (!l) return tsm_out_of_memory(c->ctx);
  if (t->numel) {
    int64_t item = (int64_t)tsm_item_size(t->dtype);
    tsm_convert_loop(t->dtype, dtype)(l->as.any, (int64_t)tsm_item_size(dtype), tsm_tensor_read(t),
                                      tsm_strides(t)[0] * item, t->numel);
  }
  l->length = t->numel;
  tsm_return_ref(c, 0, &l->head);
  return TSM_OK;
}

/* Compares rows in float64, or int64 where both are integers. */
typedef struct comparison {
  tsm_convert_fn to_wide[2];
  bool is_float, is_near, equal_nan, holds;
  double rtol, atol;
} comparison;

static bool is_close(const comparison *k, double a, double b) {
  if (a == b) return true;
  if (!k->is_near) return false;
  if (a != a || b != b) return k->equal_nan && a != a && b != b;
  if (isinf(a) || isinf(b)) return false;
  return fabs(a - b) <= k->atol + fabs(k->rtol * b);
}

static tsm_status compare_row(void *user, char *const *p, const int64_t *s, int64_t n) {
  comparison *k = user;
  tsm_slot a[128], b[128];
  for (int64_t done = 0; done < n && k->holds; done += 128) {
    int64_t part = n - done < 128 ? n - done : 128;
    k->to_wide[0]((char *)a, sizeof *a, p[0] + done * s[0], s[0], part);
    k->to_wide[1]((char *)b, sizeof *b, p[1] + done * s[1], s[1], part);
    for (int64_t i = 0; i < part && k->holds; i++)
      k->holds = k->is_float ? is_close(k, a[i].f, b[i].f)
                             : a[i].i == b[i].i || (k->is_near && is_close(k, (double)a[i].i, (double)b[i].i));
  }
  return TSM_OK;
}

/* Both tensors broadcast to `shape`. */
static tsm_status compare(tsm_opcall *c, size_t rank, const int64_t *shape, comparison *k) {
  const tsm_tensor *a = tsm_arg_tensor(c, 0), *b = tsm_arg_tensor(c, 1);
  unsigned wide = tsm_dtype_is_float(a->dtype) || tsm_dtype_is_float(b->dtype) ? TSM_F64 : TSM_I64;
  k->is_float = wide == TSM_F64;
  k->to_wide[0] = tsm_convert_loop(a->dtype, wide);
  k->to_wide[1] = tsm_convert_loop(b->dtype, wide);
  k->holds = true;
  tsm_iter it;
  tsm_iter_init(&it, rank, shape);
  tsm_iter_add_tensor(&it, a);
  tsm_iter_add_tensor(&it, b);
  tsm_status status = tsm_iter_run(c->ctx, &it, compare_row, k);
  return status ? status : tsm_return_bool(c, k->holds);
}

tsm_status tsm_k_t_equal(tsm_opcall *c) {
  const tsm_tensor *a = tsm_arg_tensor(c, 0), *b = tsm_arg_tensor(c, 1);
  comparison k = {{NULL, NULL}, false, false, false, true, 0, 0};
  if (!tsm_is_same_shape(a, b)) return tsm_return_bool(c, false);
  return compare(c, a->rank, tsm_shape(a), &k);
}

tsm_status tsm_k_t_allclose(tsm_opcall *c) {
  const tsm_tensor *a = tsm_arg_tensor(c, 0), *b = tsm_arg_tensor(c, 1);
  char a_text[TSM_SHAPE_TEXT], b_text[TSM_SHAPE_TEXT];
  comparison k = {{NULL, NULL}, false, true, tsm_arg_bool(c, 4), true, tsm_arg_float(c, 2), tsm_arg_float(c, 3)};
  int64_t numel;
  size_t bytes;
  if (a->dtype != b->dtype)
    return tsm_raise(c->ctx, "RuntimeError", "allclose: dtypes %s and %s did not match",
                     tsm_dtype_name((tsm_dtype)a->dtype), tsm_dtype_name((tsm_dtype)b->dtype));
  tsm_meta meta;
  tsm_meta_of(a, &meta);
  size_t rank = a->rank;
  bool is_fit = tsm_broadcast(meta.shape, &rank, tsm_shape(b), b->rank);
  meta.rank = (uint8_t)rank;
  if (!is_fit || !tsm_meta_bytes(&meta, &numel, &bytes))
    return tsm_raise(c->ctx, "RuntimeError", "allclose: shapes %s and %s do not broadcast", tsm_shape_text(a_text, a),
                     tsm_shape_text(b_text, b));
  return compare(c, rank, meta.shape, &k);
}
