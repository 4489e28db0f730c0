/* fuzz_ops.c - calls every operator with values nobody would choose. Usage: fuzz_ops COUNT SEED
 * Integers at the edges, empty, scalar, overlapping and enormous tensors, every dtype; fuel and memory are limited,
 * so each call must end soon, with a result or an error. Prints how the calls ended. Crashes, leaks and undefined
 * behaviour are for the sanitizer this is built with; the call that caused one, or took more than 20 seconds, is
 * named. */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "op/op.h"
#include "base/context.h"

enum { FUEL = 20000, MEMORY = 32 << 20, MAX_RANK = 5, LENGTHS = 5, TOO_LONG = 20 };

static uint64_t random_state;
static char current[128];

static size_t below(size_t n) { /* splitmix64 */
  uint64_t z = (random_state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (size_t)((z ^ (z >> 31)) % n);
}

static int64_t any_int(void) {
  static const int64_t edges[] = {INT64_MIN, INT64_MIN + 1, -(INT64_C(1) << 62), -(INT64_C(1) << 32), -129, -128,
                                  1 << 16, INT32_MAX, INT64_C(1) << 31, INT64_C(1) << 32, INT64_C(1) << 61,
                                  INT64_C(1) << 62, INT64_MAX - 1, INT64_MAX};
  return below(5) ? (int64_t)below(8) - 2 : edges[below(sizeof edges / sizeof *edges)];
}

static double any_float(void) {
  static const double edges[] = {-0.0, 1e308, -1e308, 5e-324, 9.3e18, -9.3e18, 4e9, (double)INFINITY, -(double)INFINITY,
                                 (double)NAN};
  return below(3) ? (double)below(9) * 0.75 - 2.0 : edges[below(sizeof edges / sizeof *edges)];
}

/* ---- Tensors */

static tsm_status dense(tsm_runtime *rt, tsm_dtype dtype, size_t rank, const int64_t *shape, tsm_value *out) {
  tsm_status status = tsm_tensor_new(rt, dtype, rank, shape, out);
  if (status != TSM_OK) return status;
  uint8_t *data = tsm_tensor_data_mut(*out);
  size_t bytes = (size_t)tsm_tensor_numel(*out) * tsm_dtype_size(dtype);
  bool is_wild = below(4) == 0;
  for (size_t i = 0; data && i < bytes; i++)
    data[i] = dtype == TSM_BOOL8 ? (uint8_t)below(2) : is_wild ? (uint8_t)below(256) : 0;
  for (size_t i = 0; data && !is_wild && dtype != TSM_BOOL8 && i < bytes / tsm_dtype_size(dtype); i++) {
    uint8_t small = (uint8_t)below(4);
    float f = small;
    double d = small;
    uint8_t *at = data + i * tsm_dtype_size(dtype);
    if (dtype == TSM_F32) memcpy(at, &f, sizeof f);
    else if (dtype == TSM_F64) memcpy(at, &d, sizeof d);
    else *at = small;
  }
  return TSM_OK;
}

/* A view with other strides: reversed dimensions, repeated elements, enormous extents. */
static tsm_status other_view(tsm_value base, tsm_value *out) {
  int64_t shape[TSM_MAX_RANK], strides[TSM_MAX_RANK];
  size_t rank = tsm_tensor_rank(base), pick = below(3);
  for (size_t i = 0; i < rank; i++) {
    size_t from = pick == 0 ? rank - 1 - i : i;
    shape[i] = tsm_tensor_shape(base)[from];
    strides[i] = tsm_tensor_strides(base)[from];
    if (pick == 1 && below(2)) strides[i] = 0;
    if (pick == 2 && below(3) == 0 && shape[i]) {
      shape[i] = INT64_C(1) << below(40);
      strides[i] = 0;
    }
  }
  return tsm_tensor_view(base, tsm_tensor_dtype(base), rank, shape, strides, 0, out);
}

static tsm_status any_tensor(tsm_runtime *rt, tsm_value *out) {
  static const int64_t extents[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 8};
  static const tsm_dtype common[] = {TSM_F32, TSM_F32, TSM_F32, TSM_I64, TSM_I64, TSM_F64, TSM_BOOL8};
  int64_t shape[MAX_RANK];
  size_t rank = below(MAX_RANK), same = 1 + below(9);
  bool is_square = below(2);
  for (size_t i = 0; i < rank; i++) shape[i] = extents[is_square ? same : below(10)];
  tsm_dtype dtype = below(3) ? common[below(7)] : (tsm_dtype)below(TSM_DTYPE_COUNT);
  tsm_value base, view;
  tsm_status status = dense(rt, dtype, rank, shape, &base);
  if (status != TSM_OK) return status;
  *out = base;
  if (below(4) || other_view(base, &view) != TSM_OK) return TSM_OK;
  tsm_release(base);
  *out = view;
  return TSM_OK;
}

/* ---- Values of a schema's types; type variables are bound to `bound` */

static tsm_status any_value(tsm_runtime *rt, const tsm_type *type, tsm_kind bound, tsm_value *out);

static tsm_status any_str(tsm_runtime *rt, tsm_value *out) {
  static const char *const texts[] = {"", "a", "aa", " a b\t", "12", "-9223372036854775809", "1e400",
                                      "x\xc3\xa9\xe2\x82\xac", "ValueError", "\xf0\x9f\x98\x80", "nan"};
  const char *text = texts[below(sizeof texts / sizeof *texts)];
  return tsm_str_copy(rt, text, strlen(text), out);
}

static tsm_status any_bytes(tsm_runtime *rt, tsm_value *out) {
  static const char texts[] = " a\tb\xc3\xa9\xe2\x82\xf0\x9f\x98\x80\xed\xa0\x80 12aa\r\n\xff";
  size_t from = below(sizeof texts), length = below(sizeof texts - from + 1);
  return tsm_bytes_copy(rt, texts + from, length, out);
}

static tsm_kind kind_at(const tsm_type *type, tsm_kind bound) {
  switch (type->kind) {
    case TSM_T_VAR: return bound;
    case TSM_T_INT: return TSM_INT;
    case TSM_T_FLOAT: return TSM_FLOAT;
    case TSM_T_BOOL: return TSM_BOOL;
    case TSM_T_STR: return TSM_STR;
    case TSM_T_BYTES: return TSM_BYTES;
    case TSM_T_COMPLEX: return TSM_COMPLEX;
    case TSM_T_TENSOR: return TSM_TENSOR;
    default: return TSM_ANY;
  }
}

static tsm_status any_list(tsm_runtime *rt, const tsm_type *element, tsm_kind bound, tsm_value *out) {
  tsm_status status = tsm_list_new(rt, kind_at(element, bound), 0, out);
  if (status != TSM_OK) return status;
  for (size_t n = below(LENGTHS); n > 0 && status == TSM_OK; n--) {
    tsm_value item;
    if ((status = any_value(rt, element, bound, &item)) != TSM_OK) break;
    status = tsm_list_append(*out, item);
    tsm_release(item);
  }
  if (status != TSM_OK) tsm_release(*out);
  return status;
}

static tsm_status any_dict(tsm_runtime *rt, const tsm_type *type, tsm_kind bound, tsm_value *out) {
  const tsm_type *key_type = type->members[0], *value_type = type->members[1];
  tsm_status status = tsm_dict_new(rt, kind_at(key_type, bound), kind_at(value_type, bound), out);
  if (status != TSM_OK) return status;
  for (size_t n = below(LENGTHS); n > 0 && status == TSM_OK; n--) {
    tsm_value key, value;
    if ((status = any_value(rt, key_type, bound, &key)) != TSM_OK) break;
    if ((status = any_value(rt, value_type, bound, &value)) == TSM_OK) {
      status = tsm_dict_set(*out, key, value);
      tsm_release(value);
    }
    tsm_release(key);
  }
  if (status != TSM_OK) tsm_release(*out);
  return status;
}

static tsm_status any_tuple(tsm_runtime *rt, const tsm_type *type, tsm_kind bound, tsm_value *out) {
  tsm_value items[LENGTHS];
  size_t made = 0, count = type->is_variadic ? below(LENGTHS) : type->count;
  tsm_status status = count <= LENGTHS ? TSM_OK : TSM_ERR_LIMIT;
  for (; made < count && status == TSM_OK; made += status == TSM_OK)
    status = any_value(rt, type->members[type->is_variadic ? 0 : made], bound, &items[made]);
  if (status == TSM_OK) status = tsm_tuple_new(rt, count, items, out);
  tsm_release_all(items, made);
  return status;
}

static tsm_status any_of_kind(tsm_runtime *rt, tsm_kind kind, tsm_value *out) {
  if (kind == TSM_STR) return any_str(rt, out);
  if (kind == TSM_BYTES) return any_bytes(rt, out);
  if (kind == TSM_COMPLEX) return tsm_complex_new(rt, any_float(), any_float(), out);
  if (kind == TSM_TENSOR) return any_tensor(rt, out);
  *out = kind == TSM_FLOAT ? tsm_float(any_float()) : kind == TSM_BOOL ? tsm_bool(below(2)) : tsm_int(any_int());
  return TSM_OK;
}

/* At Any: a number, a str, bytes, a tensor, a list of numbers. */
static tsm_status any_any(tsm_runtime *rt, tsm_value *out) {
  static const tsm_kind kinds[] = {TSM_INT, TSM_FLOAT, TSM_BOOL, TSM_STR, TSM_TENSOR, TSM_BYTES, TSM_COMPLEX};
  static const tsm_type number = {.kind = TSM_T_INT};
  return below(4) ? any_of_kind(rt, kinds[below(7)], out) : any_list(rt, &number, TSM_INT, out);
}

static tsm_status any_value(tsm_runtime *rt, const tsm_type *type, tsm_kind bound, tsm_value *out) {
  *out = tsm_none();
  switch (type->kind) {
    case TSM_T_NONE: return TSM_OK;
    case TSM_T_OPTIONAL: return below(3) ? any_value(rt, type->members[0], bound, out) : TSM_OK;
    case TSM_T_TENSOR: return any_tensor(rt, out);
    case TSM_T_LIST: return any_list(rt, type->members[0], bound, out);
    case TSM_T_DICT: return any_dict(rt, type, bound, out);
    case TSM_T_TUPLE: return any_tuple(rt, type, bound, out);
    case TSM_T_DTYPE: *out = tsm_dtype_value((tsm_dtype)below(TSM_DTYPE_COUNT)); return TSM_OK;
    case TSM_T_SCALAR: return any_of_kind(rt, below(2) ? TSM_INT : TSM_FLOAT, out);
    case TSM_T_ANY: return any_any(rt, out);
    case TSM_T_INT: case TSM_T_FLOAT: case TSM_T_BOOL: case TSM_T_STR: case TSM_T_VAR:
    case TSM_T_BYTES: case TSM_T_COMPLEX:
      return any_of_kind(rt, kind_at(type, bound), out);
    default: return TSM_ERR_LIMIT;
  }
}

/* ---- Calls */

static uint64_t counts[TSM_STATUS_COUNT];

static void name_call(void) { fprintf(stderr, "in %s\n", current); }

static void give_up(int signal_number) {
  (void)signal_number;
  name_call();
  _exit(1);
}

/* Of the sanitizers, if this is built with one. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void call_one(tsm_runtime *rt, tsm_context *context) {
  static const tsm_kind kinds[] = {TSM_INT, TSM_FLOAT, TSM_STR, TSM_BOOL};
  const tsm_op *op = &rt->ops->ops[below(rt->ops->count)];
  tsm_value args[TSM_MAX_PARAMS], results[TSM_MAX_RESULTS];
  tsm_kind bound = kinds[below(4)];
  size_t count = op->schema.required_count, made = 0;
  if (op->schema.param_count > count) count += below(op->schema.param_count - count + 1u);
  while (made < count && any_value(rt, op->schema.params[made].type, bound, &args[made]) == TSM_OK) made++;
  snprintf(current, sizeof current, "%s.%s", op->name, op->overload);
  alarm(TOO_LONG);
  tsm_context_set_fuel(context, FUEL);
  tsm_error error;
  tsm_status status = tsm_op_call(context, op->number, args, made, results, &error);
  counts[status]++;
  if (status == TSM_ERR_INTERNAL) name_call();
  if (status == TSM_OK) tsm_release_all(results, op->schema.result_count);
  tsm_release_all(args, made);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s COUNT SEED\n", argv[0]);
    return 2;
  }
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(name_call);
  signal(SIGALRM, give_up);
  random_state = strtoull(argv[2], NULL, 10);
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.memory_cap = MEMORY;
  tsm_runtime *rt = tsm_runtime_new(&options, NULL);
  tsm_context *context = rt ? tsm_context_new(rt, NULL) : NULL;
  for (uint64_t left = strtoull(argv[1], NULL, 10); context && left > 0; left--) call_one(rt, context);
  for (int i = 0; i < TSM_STATUS_COUNT; i++)
    if (counts[i]) printf("  %10" PRIu64 "  %s\n", counts[i], tsm_status_text((tsm_status)i));
  if (context) tsm_context_free(context);
  if (rt) tsm_runtime_free(rt);
  return !context || counts[TSM_ERR_INTERNAL] != 0;
}
