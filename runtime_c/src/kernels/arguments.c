/* arguments.c - see arguments.h. */
#include "arguments.h"

#include "pointwise.h"

tsm_status tsm_dim_wrap(tsm_opcall *c, int64_t dim, size_t rank, size_t *out_dim) {
  int64_t count = rank ? (int64_t)rank : 1;
  if (dim < -count || dim >= count)
    return tsm_raise(c->ctx, "IndexError",
                     "Dimension out of range (expected to be in range of [%lld, %lld], but got %lld)",
                     (long long)-count, (long long)count - 1, (long long)dim);
  *out_dim = (size_t)(dim < 0 ? dim + count : dim);
  return TSM_OK;
}

tsm_status tsm_raise_broadcast(tsm_opcall *c, const int64_t *a, size_t a_rank, const int64_t *b, size_t b_rank) {
  size_t rank = a_rank > b_rank ? a_rank : b_rank, back = 1;
  for (; back < a_rank && back < b_rank; back++) {
    int64_t x = a[a_rank - back], y = b[b_rank - back];
    if (x != y && x != 1 && y != 1) break;
  }
  return tsm_raise(c->ctx, "RuntimeError", "The size of tensor a (%lld) must match the size of tensor b (%lld) at "
                   "non-singleton dimension %zu", (long long)a[a_rank - back], (long long)b[b_rank - back], rank - back);
}

tsm_status tsm_raise_expand(tsm_opcall *c, const tsm_tensor *t, const int64_t *shape, size_t rank) {
  char from[TSM_SHAPE_TEXT], to[TSM_SHAPE_TEXT];
  tsm_list_text(from, tsm_shape(t), t->rank);
  tsm_list_text(to, shape, rank);
  if (t->rank > rank)
    return tsm_raise(c->ctx, "RuntimeError", "expand(torch.%sTensor{%s}, size=%s): the number of sizes provided (%zu) must "
                     "be greater or equal to the number of dimensions in the tensor (%d)", tsm_dtype_torch_name(t->dtype),
                     from, to, rank, t->rank);
  size_t d = rank, lead = rank - t->rank;
  while (d-- > lead) /* the last dimension that differs */
    if (tsm_shape(t)[d - lead] != 1 && shape[d] != -1 && tsm_shape(t)[d - lead] != shape[d]) break;
  if (d < lead || d >= rank)
    return tsm_raise(c->ctx, "RuntimeError", "The expanded size of the tensor (%lld) isn't allowed in a leading, "
                     "non-existing dimension 0", (long long)*shape);
  return tsm_raise(c->ctx, "RuntimeError", "The expanded size of the tensor (%lld) must match the existing size (%lld) at "
                   "non-singleton dimension %zu.  Target sizes: %s.  Tensor sizes: %s", (long long)shape[d],
                   (long long)tsm_shape(t)[d - lead], d, to, from);
}

int tsm_param_find(const tsm_opcall *c, const char *name) {
  const tsm_schema *schema = &c->site->op->schema;
  for (int i = 0; i < schema->param_count; i++)
    if (!strcmp(schema->params[i].name, name)) return i;
  return -1;
}

uint8_t tsm_arg_dtype_or(const tsm_opcall *c, const char *name, uint8_t otherwise) {
  int i = tsm_param_find(c, name);
  if (i < 0) return otherwise;
  tsm_pair p = tsm_arg_pair(c, (size_t)i);
  return TSM_TAG_KIND(p.tag) == TSM_DTYPE ? (uint8_t)p.as.i : otherwise;
}

tsm_status tsm_arg_two(tsm_opcall *c, size_t i, int64_t least, int64_t out[2]) {
  const tsm_list *l = tsm_arg_list(c, i);
  const char *op = c->site->op->name, *name = c->site->op->schema.params[i].name;
  if (l->length != 1 && l->length != 2)
    return tsm_raise(c->ctx, "RuntimeError", "%s: %s must have one or two elements, but has %lld", op, name,
                     (long long)l->length);
  out[0] = l->as.i64[0];
  out[1] = l->as.i64[l->length - 1];
  for (int k = 0; k < 2; k++)
    if (out[k] < least)
      return tsm_raise(c->ctx, "RuntimeError", "%s: %s must be at least %lld, but is %lld", op, name,
                       (long long)least, (long long)out[k]);
  return TSM_OK;
}

tsm_status tsm_arg_shape(tsm_opcall *c, size_t i, tsm_meta *out) {
  const tsm_list *l = tsm_arg_list(c, i);
  const char *op = c->site->op->name;
  if (l->length > TSM_MAX_RANK)
    return tsm_raise(c->ctx, "RuntimeError", "%s: a tensor has at most %d dimensions, not %lld", op, TSM_MAX_RANK,
                     (long long)l->length);
  out->rank = (uint8_t)l->length;
  for (int64_t k = 0; k < l->length; k++) {
    out->shape[k] = l->as.i64[k];
    if (out->shape[k] < 0)
      return tsm_raise(c->ctx, "RuntimeError", "%s: an extent must be non-negative, but dimension %lld is %lld", op,
                       (long long)k, (long long)out->shape[k]);
  }
  return TSM_OK;
}

void tsm_meta_of(const tsm_tensor *t, tsm_meta *out) {
  out->dtype = t->dtype;
  out->rank = t->rank;
  memcpy(out->shape, tsm_shape(t), t->rank * sizeof(int64_t));
}

bool tsm_is_same_shape(const tsm_tensor *a, const tsm_tensor *b) {
  return a->rank == b->rank && !memcmp(tsm_shape(a), tsm_shape(b), a->rank * sizeof(int64_t));
}

static size_t put_int(char *out, int64_t value) {
  char digits[24];
  size_t n = 0, length = 0;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do digits[n++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) out[length++] = '-';
  while (n) out[length++] = digits[--n];
  return length;
}

/* Cut with "..." when it would not fit. */
static char *put_items(char *at, const char *end, const int64_t *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (end - at < 32) {
      memcpy(at, "...", 3);
      return at + 3;
    }
    if (i) {
      *at++ = ',';
      *at++ = ' ';
    }
    at += put_int(at, items[i]);
  }
  return at;
}

const char *tsm_list_text(char *out, const int64_t *items, size_t count) {
  char *at = out;
  *at++ = '[';
  at = put_items(at, out + TSM_SHAPE_TEXT, items, count);
  memcpy(at, "]", 2);
  return out;
}

const char *tsm_shape_text(char *out, const tsm_tensor *t) {
  char *at = out;
  *at++ = '(';
  at = put_items(at, out + TSM_SHAPE_TEXT, tsm_shape(t), t->rank);
  memcpy(at, t->rank == 1 ? ",)" : ")", t->rank == 1 ? 3 : 2);
  return out;
}

bool tsm_scalar_fits(unsigned dtype, tsm_pair p) {
  static const double low[] = {0, -255, -128, -32768, -2147483648.0, -9223372036854775808.0};
  static const double high[] = {1, 255, 127, 32767, 2147483647.0, 9223372036854775808.0};
  if (dtype == TSM_BOOL8 || dtype == TSM_F64) return true;
  double x = p.tag == TSM_FLOAT ? p.as.f : (double)p.as.i;
  if (dtype == TSM_BF16) return x != x || x - x != 0 || (x >= -3.3895313892515355e38 && x <= 3.3895313892515355e38);
  if (dtype == TSM_F32) return x != x || x - x != 0 || (x >= -3.4028234663852886e38 && x <= 3.4028234663852886e38);
  if (dtype == TSM_I64) return p.tag != TSM_FLOAT || (x >= low[dtype] && x < high[dtype]);
  return x >= low[dtype] && x <= high[dtype];
}

tsm_status tsm_check_scalar(tsm_opcall *c, unsigned dtype, tsm_pair scalar) {
  if (tsm_scalar_fits(dtype, scalar)) return TSM_OK;
  static const char names[TSM_DTYPE_COUNT][14] = {"bool", "uint8_t", "int8_t", "short", "int", "int64_t", "float",
                                                  "double", "c10::BFloat16"};
  return tsm_raise(c->ctx, "RuntimeError", "value cannot be converted to type %s without overflow", names[dtype]);
}

static tsm_status read_dims(tsm_opcall *c, size_t rank, const tsm_list *dims, tsm_reduction *out) {
  for (int64_t i = 0; i < dims->length; i++) {
    size_t dim = 0;
    tsm_status status = tsm_dim_wrap(c, dims->as.i64[i], rank, &dim);
    if (status) return status;
    if (out->is_reduced[dim])
      return tsm_raise(c->ctx, "RuntimeError", "%s: dim %zu appears multiple times in the list of dims",
                       c->site->op->name, dim);
    out->is_reduced[dim] = true;
  }
  return TSM_OK;
}

tsm_status tsm_reduction_read(tsm_opcall *c, tsm_reduction *out) {
  const tsm_schema *schema = &c->site->op->schema;
  size_t rank = tsm_arg_tensor(c, 0)->rank, dim = 0;
  int keepdim = tsm_param_find(c, "keepdim");
  tsm_status status;
  memset(out, 0, sizeof *out);
  out->keeps = keepdim >= 0 && tsm_arg_bool(c, (size_t)keepdim);
  if (tsm_param_find(c, "dim") != 1) {
    out->is_full = true;
  } else if (schema->params[1].type->kind == TSM_T_LIST) {
    out->is_full = tsm_arg_list(c, 1)->length == 0;
    if ((status = read_dims(c, rank, tsm_arg_list(c, 1), out))) return status;
  } else if (schema->params[1].type->kind == TSM_T_INT || !tsm_arg_is_none(c, 1)) {
    int64_t given = schema->params[1].type->kind == TSM_T_INT ? tsm_arg_int(c, 1) : tsm_arg_pair(c, 1).as.i;
    if ((status = tsm_dim_wrap(c, given, rank, &dim))) return status;
    out->is_reduced[dim] = true;
  } else {
    out->is_full = true;
  }
  if (out->is_full) memset(out->is_reduced, true, sizeof out->is_reduced);
  return TSM_OK;
}
