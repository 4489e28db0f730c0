/* Operators called by the host: results, exceptions with CPython's texts, refusals, fuel, and the n-th allocation. */
#include "host.h"

static tsm_status call(tsm_context *ctx, const char *name, const char *overload, tsm_value *args, size_t count,
                       tsm_value *out, tsm_error *error) {
  return tsm_op_call(ctx, op_number(name, overload), args, count, out, error);
}

static void check_int(tsm_context *ctx, const char *name, int64_t a, int64_t b, int64_t want) {
  tsm_value args[2] = {tsm_int(a), tsm_int(b)}, out;
  tsm_error error;
  CHECK(call(ctx, name, "int", args, 2, &out, &error) == TSM_OK && out.kind == TSM_INT && out.as.i == want);
}

static void check_raise(tsm_context *ctx, const char *name, const char *overload, tsm_value a, tsm_value b,
                        const char *type, const char *message) {
  tsm_value args[2] = {a, b}, out;
  tsm_error error;
  CHECK(call(ctx, name, overload, args, 2, &out, &error) == TSM_ERR_RAISED);
  CHECK_TEXT(error.type, type);
  CHECK_TEXT(error.message, message);
}

static void test_numbers(tsm_context *ctx) {
  check_int(ctx, "floordiv", -7, 2, -4);
  check_int(ctx, "mod", -7, 2, 1);
  check_int(ctx, "mod", INT64_MIN, -1, 0);
  check_int(ctx, "pow", -2, 63, INT64_MIN);
  check_int(ctx, "rshift", -1, 1000, -1);
  check_raise(ctx, "add", "int", tsm_int(INT64_MAX), tsm_int(1), "OverflowError",
              "integer overflow: the result of + does not fit in 64 bits");
  check_raise(ctx, "floordiv", "int", tsm_int(1), tsm_int(0), "ZeroDivisionError",
              "integer division or modulo by zero");
  check_raise(ctx, "mod", "int", tsm_int(1), tsm_int(0), "ZeroDivisionError", "integer modulo by zero");
  check_raise(ctx, "truediv", "int", tsm_int(1), tsm_int(0), "ZeroDivisionError", "division by zero");
  check_raise(ctx, "truediv", "float", tsm_float(1), tsm_float(0), "ZeroDivisionError", "float division by zero");
  check_raise(ctx, "floordiv", "int", tsm_int(INT64_MIN), tsm_int(-1), "OverflowError",
              "integer overflow: the result of // does not fit in 64 bits");
  check_raise(ctx, "lshift", "int", tsm_int(1), tsm_int(-1), "ValueError", "negative shift count");
}

static void test_refusals(tsm_runtime *rt, tsm_context *ctx) {
  tsm_value out, args[3] = {tsm_int(1), tsm_float(2), tsm_none()};
  tsm_error error;
  CHECK(call(ctx, "add", "int", args, 2, &out, &error) == TSM_ERR_ARGUMENT);
  CHECK_TEXT(error.message, "add.int: argument 'b' must be int, not float");
  CHECK_TEXT(error.op, "add.int");
  CHECK(call(ctx, "add", "int", args, 1, &out, &error) == TSM_ERR_ARGUMENT);
  CHECK_TEXT(error.message, "add.int: missing argument b");
  CHECK(call(ctx, "add", "int", args, 3, &out, &error) == TSM_ERR_ARGUMENT);
  CHECK(tsm_op_call(ctx, 100000, args, 0, &out, &error) == TSM_ERR_OPERATOR);
  tsm_value broken = {TSM_STR, 0, {0}};
  broken.as.ref = NULL;
  CHECK(call(ctx, "len", "str", &broken, 1, &out, &error) == TSM_ERR_ARGUMENT);
  tsm_value list;
  CHECK(tsm_list_new(rt, TSM_STR, 0, &list) == TSM_OK);
  CHECK(tsm_list_append(list, tsm_int(1)) == TSM_ERR_ARGUMENT);
  args[0] = list;
  args[1] = tsm_int(1);
  CHECK(call(ctx, "list.append", "", args, 2, &out, &error) == TSM_ERR_ARGUMENT);
  tsm_release(list);
  CHECK(call(ctx, "add", "int", args, 0, &out, NULL) == TSM_ERR_ARGUMENT);
}

static void test_lists(tsm_runtime *rt, tsm_context *ctx) {
  tsm_value list, out;
  tsm_error error;
  CHECK(tsm_list_new(rt, TSM_INT, 0, &list) == TSM_OK);
  for (int64_t i = 3; i > 0; i--) CHECK(tsm_list_append(list, tsm_int(i)) == TSM_OK);
  tsm_value args[5] = {list, list};
  CHECK(call(ctx, "list.extend", "", args, 2, &out, &error) == TSM_OK);
  CHECK(has_repr(rt, list, "[3, 2, 1, 3, 2, 1]"));
  CHECK(call(ctx, "list.sort", "", args, 1, &out, &error) == TSM_OK);
  CHECK(has_repr(rt, list, "[1, 1, 2, 2, 3, 3]"));
  args[1] = tsm_int(1);
  args[2] = tsm_int(3);
  args[3] = tsm_none();
  args[4] = list;
  CHECK(call(ctx, "setslice", "list", args, 5, &out, &error) == TSM_OK);
  CHECK(has_repr(rt, list, "[1, 1, 1, 2, 2, 3, 3, 2, 3, 3]"));
  check_raise(ctx, "getitem", "list", list, tsm_int(10), "IndexError", "list index out of range");
  CHECK(tsm_list_ints(list)[3] == 2 && tsm_list_floats(list) == NULL);
  CHECK(tsm_list_resize(list, 12) == TSM_OK && tsm_list_ints(list)[11] == 0);
  CHECK(tsm_list_resize(list, 1) == TSM_OK && has_repr(rt, list, "[1]"));
  tsm_release(list);
  CHECK(tsm_list_new(rt, TSM_ANY, 0, &list) == TSM_OK);
  CHECK(tsm_list_append(list, list) == TSM_OK);
  CHECK(has_repr(rt, list, "[[...]]"));
  args[0] = args[1] = list;
  CHECK(call(ctx, "eq", "any", args, 2, &out, &error) == TSM_ERR_RAISED);
  CHECK_TEXT(error.type, "RecursionError");
  CHECK(tsm_list_resize(list, 0) == TSM_OK); /* or it would hold itself for ever */
  tsm_release(list);
}

static void test_dicts(tsm_runtime *rt, tsm_context *ctx) {
  tsm_value dict, key = text_value(rt, "it's"), out, args[3];
  tsm_error error;
  CHECK(tsm_dict_new(rt, TSM_STR, TSM_FLOAT, &dict) == TSM_OK);
  check_raise(ctx, "getitem", "dict", dict, key, "KeyError", "\"it's\"");
  args[0] = dict;
  args[1] = key;
  args[2] = tsm_float(2.5);
  CHECK(call(ctx, "setitem", "dict", args, 3, &out, &error) == TSM_OK);
  CHECK(call(ctx, "dict.get", "", args, 2, &out, &error) == TSM_OK && out.as.f == 2.5);
  CHECK(call(ctx, "dict.items", "", args, 1, &out, &error) == TSM_OK && has_repr(rt, out, "[(\"it's\", 2.5)]"));
  tsm_release(out);
  tsm_release(key);
  tsm_release(dict);
}

/* Shapes without memory: results of operators with a shape rule, of views, of in-place operators. */
static void test_infer(tsm_runtime *rt, tsm_context *ctx) {
  tsm_value a, b, out;
  tsm_error error;
  const int64_t shape_a[2] = {3, 1}, shape_b[1] = {4};
  CHECK(tsm_tensor_meta(rt, TSM_F32, 2, shape_a, &a) == TSM_OK);
  CHECK(tsm_tensor_meta(rt, TSM_I64, 1, shape_b, &b) == TSM_OK);
  tsm_value args[3] = {a, b};
  CHECK(tsm_op_infer(ctx, op_number("add", "Tensor"), args, 2, &out, &error) == TSM_OK);
  CHECK(tsm_tensor_rank(out) == 2 && tsm_tensor_shape(out)[1] == 4 && tsm_tensor_dtype(out) == TSM_F32);
  tsm_release(out);
  CHECK(tsm_op_infer(ctx, op_number("add_", "Tensor"), args, 2, &out, &error) == TSM_OK && out.as.ref == a.as.ref);
  tsm_release(out);
  args[1] = tsm_int(0);
  args[2] = tsm_int(1);
  CHECK(tsm_op_infer(ctx, op_number("transpose", ""), args, 3, &out, &error) == TSM_OK);
  CHECK(tsm_tensor_shape(out)[0] == 1 && tsm_tensor_shape(out)[1] == 3);
  tsm_release(out);
  CHECK(tsm_op_infer(ctx, op_number("nonzero", ""), args, 1, &out, &error) == TSM_ERR_ARGUMENT);
  args[1] = b;
  CHECK(call(ctx, "add", "Tensor", args, 2, &out, &error) == TSM_ERR_ARGUMENT); /* nothing to compute with */
  CHECK_TEXT(error.message, "add.Tensor: a tensor without memory was given as argument self");
  tsm_release(a);
  tsm_release(b);
}

static void test_tensors(tsm_runtime *rt, tsm_context *ctx) {
  tsm_value a, out[2];
  tsm_error error;
  const int64_t shape[2] = {2, 3};
  const float data[6] = {1, 5, 2, 7, 0, 3};
  CHECK(tsm_tensor_copy(rt, TSM_F32, 2, shape, NULL, data, &a) == TSM_OK);
  tsm_value args[2] = {a, tsm_int(1)};
  CHECK(call(ctx, "max", "dim", args, 2, out, &error) == TSM_OK);
  CHECK(((const float *)tsm_tensor_data(out[0]))[1] == 7 && ((const int64_t *)tsm_tensor_data(out[1]))[0] == 1);
  tsm_release_all(out, 2);
  args[1] = a;
  CHECK(call(ctx, "add", "Tensor", args, 2, out, &error) == TSM_OK);
  CHECK(((const float *)tsm_tensor_data(out[0]))[3] == 14);
  tsm_release(out[0]);
  args[1] = tsm_int(9);
  CHECK(call(ctx, "max", "dim", args, 2, out, &error) == TSM_ERR_RAISED);
  CHECK_TEXT(error.type, "IndexError");
  tsm_release(a);
}

/* A tuple that shares its parts prints exponentially long: fuel ends it. */
static void test_shared_parts(tsm_runtime *rt, tsm_context *ctx) {
  tsm_value t = tsm_int(1), out;
  tsm_error error;
  for (int i = 0; i < 60; i++) {
    tsm_value parts[2] = {t, t}, next;
    CHECK(tsm_tuple_new(rt, 2, parts, &next) == TSM_OK);
    tsm_release(t);
    t = next;
  }
  tsm_context_set_fuel(ctx, 10000);
  tsm_value args[2] = {t, t};
  CHECK(call(ctx, "repr", "any", args, 1, &out, &error) == TSM_ERR_FUEL);
  CHECK(call(ctx, "eq", "any", args, 2, &out, &error) == TSM_ERR_FUEL);
  tsm_context_set_fuel(ctx, 0);
  CHECK(call(ctx, "hash", "any", args, 1, &out, &error) == TSM_ERR_RAISED);
  CHECK_TEXT(error.type, "RecursionError");
  tsm_release(t);
}

static void collect_text(void *user, const char *text, size_t length) {
  char *all = user;
  strncat(all, text, length);
}

static void test_print(void) {
  char printed[64] = "";
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.print = collect_text;
  options.text_user = printed;
  tsm_error error;
  tsm_runtime *rt = tsm_runtime_new(&options, &error);
  tsm_context *ctx = tsm_context_new(rt, &error);
  tsm_value text = text_value(rt, "hello\n"), out;
  CHECK(call(ctx, "print", "str", &text, 1, &out, &error) == TSM_OK);
  CHECK_TEXT(printed, "hello\n");
  tsm_release(text);
  tsm_context_free(ctx);
  tsm_runtime_free(rt);
}

static void test_fuel(tsm_runtime *rt, tsm_context *ctx) {
  tsm_value args[3] = {tsm_int(0), tsm_int(1000000), tsm_int(1)}, out;
  tsm_error error;
  tsm_context_set_fuel(ctx, 100);
  CHECK(call(ctx, "range_list", "", args, 3, &out, &error) == TSM_ERR_FUEL);
  CHECK_TEXT(error.message, "the fuel limit was reached");
  tsm_context_set_fuel(ctx, 0);
  CHECK(call(ctx, "range_list", "", args, 3, &out, &error) == TSM_OK && tsm_list_length(out) == 1000000);
  tsm_release(out);
  (void)rt;
}

static void test_memory_cap(void) {
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  tsm_error error;
  options.memory_cap = 1000;
  CHECK(tsm_runtime_new(&options, &error) == NULL && error.code == TSM_ERR_MEMORY);
  options.memory_cap = 1 << 20;
  tsm_runtime *rt = tsm_runtime_new(&options, &error);
  CHECK(rt != NULL);
  tsm_context *ctx = tsm_context_new(rt, &error);
  tsm_value args[3] = {tsm_int(0), tsm_int(1000000), tsm_int(1)}, out;
  CHECK(call(ctx, "range_list", "", args, 3, &out, &error) == TSM_ERR_MEMORY);
  args[0] = text_value(rt, "ab");
  args[1] = tsm_int(1 << 30);
  CHECK(call(ctx, "mul", "str", args, 2, &out, &error) == TSM_ERR_MEMORY);
  CHECK(tsm_runtime_memory_peak(rt) <= options.memory_cap);
  tsm_release(args[0]);
  tsm_context_free(ctx);
  tsm_runtime_free(rt);
}

/* A session that touches every kind of object; false when memory ran out somewhere. */
static bool session(tsm_runtime *rt, tsm_context *ctx) {
  tsm_value text = tsm_none(), list = tsm_none(), dict = tsm_none(), parts = tsm_none(), out[2], args[3];
  tsm_error error;
  bool is_good = tsm_str_copy(rt, "a,b,\xc3\xa9", 6, &text) == TSM_OK;
  is_good = is_good && tsm_list_new(rt, TSM_ANY, 1, &list) == TSM_OK && tsm_list_append(list, text) == TSM_OK;
  is_good = is_good && tsm_dict_new(rt, TSM_STR, TSM_ANY, &dict) == TSM_OK && tsm_dict_set(dict, text, list) == TSM_OK;
  args[0] = text;
  args[1] = text;
  is_good = is_good && call(ctx, "str.split", "", args, 1, &parts, &error) == TSM_OK;
  args[0] = dict;
  is_good = is_good && call(ctx, "repr", "any", args, 1, out, &error) == TSM_OK;
  if (is_good) tsm_release(out[0]);
  is_good = is_good && call(ctx, "dict.items", "", args, 1, out, &error) == TSM_OK;
  if (is_good) tsm_release(out[0]);
  args[0] = parts;
  is_good = is_good && call(ctx, "sorted", "list", args, 1, out, &error) == TSM_OK;
  if (is_good) tsm_release(out[0]);
  args[0] = text;
  if (is_good) { /* an error whose message may find no memory */
    CHECK(call(ctx, "int", "str", args, 1, out, &error) != TSM_OK);
    is_good = error.code == TSM_ERR_RAISED;
  }
  tsm_release(parts);
  tsm_release(dict);
  tsm_release(list);
  tsm_release(text);
  return is_good;
}

static void test_failing_allocations(void) {
  counting memory;
  tsm_error error;
  bool is_done = false;
  for (long n = 0; !is_done && n < 3000; n++) {
    tsm_runtime *rt = counting_runtime(&memory, n, &error);
    tsm_context *ctx = rt ? tsm_context_new(rt, &error) : NULL;
    if (!ctx) {
      CHECK(error.code == TSM_ERR_MEMORY);
    } else {
      is_done = session(rt, ctx) && memory.calls <= n;
      memory.fail_at = -1;
      CHECK(session(rt, ctx)); /* still usable */
    }
    tsm_context_free(ctx);
    tsm_runtime_free(rt);
    CHECK(memory.blocks == 0 && memory.bytes == 0);
  }
  CHECK(is_done);
}

int main(void) {
  counting memory;
  tsm_error error;
  tsm_runtime *rt = counting_runtime(&memory, -1, &error);
  tsm_context *ctx = rt ? tsm_context_new(rt, &error) : NULL;
  CHECK(ctx != NULL);
  if (!ctx) return 1;
  test_numbers(ctx);
  test_refusals(rt, ctx);
  test_lists(rt, ctx);
  test_dicts(rt, ctx);
  test_fuel(rt, ctx);
  test_infer(rt, ctx);
  test_tensors(rt, ctx);
  test_shared_parts(rt, ctx);
  tsm_context_free(ctx);
  tsm_runtime_free(rt);
  CHECK(memory.blocks == 0 && memory.bytes == 0);
  test_print();
  test_memory_cap();
  test_failing_allocations();
  return check_done();
}
