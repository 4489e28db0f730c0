/* test_vm_scalar.c - loops, branches, calls, fuel and limits over unboxed values. With "bench": nanoseconds. */
#include <time.h>

#include "check.h"
#include "tree.h"

static void build_collatz(tree *t) {
  tree_function(t, "collatz", T_INT);
  uint32_t n0 = tree_param(t, T_INT), zero = tree_int(t, 0);
  tsm_node *loop = tree_node(t, TSM_N_LOOP, 2, n0, zero);
  tree_open(t, loop);
  uint32_t n = tree_block_param(t, T_INT), steps = tree_block_param(t, T_INT);
  uint32_t one = tree_int(t, 1), done = INT_IS("eq", n, one);
  tsm_node *exit = tree_node(t, TSM_N_IF, 1, done);
  tree_open(t, exit); BREAK1(0, steps); tree_close(t);
  tree_open(t, exit); YIELD0; tree_close(t);
  uint32_t two = tree_int(t, 2), rest = INT_OP("mod", n, two), z = tree_int(t, 0), even = INT_IS("eq", rest, z);
  tsm_node *pick = tree_node(t, TSM_N_IF, 1, even);
  tree_open(t, pick); YIELD1(INT_OP("floordiv", n, two)); tree_close(t);
  tree_open(t, pick);
  uint32_t three = tree_int(t, 3), tripled = INT_OP("mul", three, n);
  YIELD1(INT_OP("add", tripled, one));
  tree_close(t);
  uint32_t next = tree_result(t, pick, T_INT);
  CONTINUE2(0, next, INT_OP("add", steps, one));
  tree_close(t);
  RETURN(tree_result(t, loop, T_INT));
  tree_end(t);
}

static void build_small(tree *t) {
  tree_function(t, "add", T_INT);
  uint32_t a = tree_param(t, T_INT), b = tree_param(t, T_INT);
  RETURN(INT_OP("add", a, b));
  tree_end(t);
  tree_function(t, "fib", T_INT); /* a, b = b, a + b, a times: the parallel move of a swap */
  uint32_t count = tree_param(t, T_INT);
  tsm_node *loop = tree_node(t, TSM_N_LOOP, 3, tree_int(t, 0), tree_int(t, 1), count);
  tree_open(t, loop);
  uint32_t x = tree_block_param(t, T_INT), y = tree_block_param(t, T_INT), left = tree_block_param(t, T_INT);
  tsm_node *exit = tree_node(t, TSM_N_IF, 1, INT_IS("gt", left, tree_int(t, 0)));
  tree_open(t, exit); YIELD0; tree_close(t);
  tree_open(t, exit); BREAK1(0, x); tree_close(t);
  uint32_t sum = INT_OP("add", x, y), less = INT_OP("sub", left, tree_int(t, 1));
  tree_node(t, TSM_N_CONTINUE, 3, y, sum, less);
  tree_close(t);
  RETURN(tree_result(t, loop, T_INT));
  tree_end(t);
  tree_function(t, "deep", T_INT); /* deep(a) = 0 if a == 0 else deep(a - 1) + 1 */
  uint32_t d = tree_param(t, T_INT);
  tsm_node *base = tree_node(t, TSM_N_IF, 1, INT_IS("eq", d, tree_int(t, 0)));
  tree_open(t, base); RETURN(tree_int(t, 0)); tree_close(t);
  tree_open(t, base); YIELD0; tree_close(t);
  tsm_node *call = tree_node(t, TSM_N_CALL, 1, INT_OP("sub", d, tree_int(t, 1)));
  call->of.function = t->f;
  RETURN(INT_OP("add", tree_result(t, call, T_INT), tree_int(t, 1)));
  tree_end(t);
  tree_function(t, "swap", T_INT); /* p, q = q, p, a times; p - q at the end */
  uint32_t turns = tree_param(t, T_INT), first = tree_param(t, T_INT);
  tsm_node *s = tree_node(t, TSM_N_LOOP, 3, first, tree_int(t, 7), turns);
  tree_open(t, s);
  uint32_t p = tree_block_param(t, T_INT), q = tree_block_param(t, T_INT), k = tree_block_param(t, T_INT);
  tsm_node *stop = tree_node(t, TSM_N_IF, 1, INT_IS("eq", k, tree_int(t, 0)));
  tree_open(t, stop); BREAK1(0, INT_OP("sub", p, q)); tree_close(t);
  tree_open(t, stop); YIELD0; tree_close(t);
  tree_node(t, TSM_N_CONTINUE, 3, q, p, INT_OP("sub", k, tree_int(t, 1)));
  tree_close(t);
  RETURN(tree_result(t, s, T_INT));
  tree_end(t);
  tree_function(t, "forever", T_INT);
  tsm_node *f = tree_node(t, TSM_N_LOOP, 1, tree_param(t, T_INT));
  tree_open(t, f);
  CONTINUE1(0, INT_OP("xor", tree_block_param(t, T_INT), tree_int(t, 1)));
  tree_close(t);
  tree_leave(t, TSM_N_UNREACHABLE, 0, 0, 0, 0);
  tree_end(t);
}

static int compare_methods(const void *a, const void *b) {
  return strcmp(((const tsm_method *)a)->info.name, ((const tsm_method *)b)->info.name);
}

static int64_t call_int(tsm_instance *i, const char *name, int64_t a, int64_t b, size_t count, tsm_error *error) {
  tsm_value args[2] = {tsm_int(a), tsm_int(b)}, result;
  memset(error, 0, sizeof *error);
  return tsm_call(i, name, args, count, &result, error) == TSM_OK && result.kind == TSM_INT ? result.as.i : -999;
}

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void bench(tsm_instance *i, tsm_error *e) {
  int64_t steps = 0;
  tsm_instance_set_fuel(i, (uint64_t)1 << 50);
  double start = seconds();
  for (int64_t n = 1; n < 100000; n++) steps += call_int(i, "collatz", n, 0, 1, e);
  double took = seconds() - start;
  printf("collatz %.2f ns an iteration (%lld)\n", took * 1e9 / (double)steps, (long long)steps);
  int32_t index = tsm_program_find(tsm_instance_program(i), "add");
  tsm_value args[2] = {tsm_int(1), tsm_int(2)}, result;
  start = seconds();
  for (int k = 0; k < 2000000; k++) tsm_call_method(i, (size_t)index, args, 2, NULL, 0, &result, NULL);
  printf("call of add(a, b) %.1f ns\n", (seconds() - start) * 1e9 / 2000000);
}

static void check_values(tsm_instance *i, tsm_error *e) {
  CHECK(call_int(i, "collatz", 27, 0, 1, e) == 111);
  CHECK(call_int(i, "collatz", 1, 0, 1, e) == 0);
  CHECK(call_int(i, "fib", 90, 0, 1, e) == 2880067194370816120);
  CHECK(call_int(i, "fib", 0, 0, 1, e) == 0);
  CHECK(call_int(i, "swap", 3, 5, 2, e) == 2);
  CHECK(call_int(i, "swap", 4, 5, 2, e) == -2);
  CHECK(call_int(i, "deep", 500, 0, 1, e) == 500);
  CHECK(call_int(i, "add", 2, 3, 2, e) == 5);
}

static void check_errors(tsm_instance *i, tsm_error *e) {
  call_int(i, "add", INT64_MAX, 1, 2, e);
  CHECK(e->code == TSM_ERR_RAISED);
  CHECK_TEXT(e->type, "OverflowError");
  CHECK_TEXT(e->op, "add.int");
  CHECK_TEXT(e->file, "model.py");
  CHECK_TEXT(e->trace, "  File \"model.py\", line 1, in add\n");
  call_int(i, "deep", 5000, 0, 1, e);
  CHECK_TEXT(e->type, "RecursionError");
  CHECK_TEXT(e->message, "maximum recursion depth exceeded");
  CHECK(strstr(e->trace, "[Previous line repeated 997 more times]") != NULL);
  call_int(i, "add", 1, 1, 1, e);
  CHECK(e->code == TSM_ERR_ARGUMENT);
  CHECK_TEXT(e->type, "TypeError");
  CHECK_TEXT(e->message, "add() missing 1 required positional argument: 'b'");
  call_int(i, "add", 1, 1, 0, e);
  CHECK_TEXT(e->message, "add() missing 2 required positional arguments: 'a' and 'b'");
  call_int(i, "fib", 1, 1, 2, e);
  CHECK_TEXT(e->message, "fib() takes 1 positional argument but 2 were given");
  tsm_value args[2] = {tsm_int(1), tsm_int(2)}, result;
  const char *names[1] = {"a"};
  int32_t add = tsm_program_find(tsm_instance_program(i), "add");
  tsm_call_method(i, (size_t)add, args, 2, names, 1, &result, e);
  CHECK_TEXT(e->message, "add() got multiple values for argument 'a'");
  names[0] = "z";
  tsm_call_method(i, (size_t)add, args, 2, names, 1, &result, e);
  CHECK_TEXT(e->message, "add() got an unexpected keyword argument 'z'");
  names[0] = "b";
  CHECK(tsm_call_method(i, (size_t)add, args, 2, names, 1, &result, e) == TSM_OK && result.as.i == 3);
  args[1] = tsm_float(1.5);
  tsm_call_method(i, (size_t)add, args, 2, NULL, 0, &result, e);
  CHECK_TEXT(e->message, "add() argument 'b' must be int, not float");
  tsm_instance_set_fuel(i, 10000);
  call_int(i, "forever", 1, 0, 1, e);
  CHECK(e->code == TSM_ERR_FUEL);
  CHECK(tsm_instance_fuel_used(i) == 10000);
  CHECK(call_int(i, "collatz", 27, 0, 1, e) == 111);
  CHECK(tsm_instance_fuel_used(i) > 111 && tsm_instance_fuel_used(i) < 3000);
  tsm_instance_set_fuel(i, 0);
}

/* What a run used is enough for it, and one less is not, wherever a slice of fuel ends. */
static void check_exact_fuel(tsm_instance *i, tsm_error *e) {
  static const char *const names[] = {"collatz", "fib", "swap", "deep", "count"};
  for (int k = 0; k < 5; k++) {
    for (int64_t n = 1; n < 900; n += 1 + n / 3) {
      size_t count = strcmp(names[k], "swap") == 0 ? 2 : 1;
      if (k == 1 && n > 90) break; /* beyond it overflows */
      tsm_instance_set_fuel(i, (uint64_t)1 << 40);
      int64_t result = call_int(i, names[k], n, 3, count, e);
      uint64_t used = tsm_instance_fuel_used(i);
      tsm_instance_set_fuel(i, used);
      CHECK(call_int(i, names[k], n, 3, count, e) == result && tsm_instance_fuel_used(i) == used);
      tsm_instance_set_fuel(i, used - 1);
      call_int(i, names[k], n, 3, count, e);
      CHECK(e->code == TSM_ERR_FUEL);
    }
  }
  tsm_instance_set_fuel(i, 0);
}

/* count(n): i = 0; while i < n: i += 1 as a counter; the sum of the i. */
static void build_count(tree *t) {
  tree_function(t, "count", T_INT);
  uint32_t n = tree_param(t, T_INT);
  tsm_node *loop = tree_node(t, TSM_N_LOOP, 2, tree_int(t, 0), tree_int(t, 0));
  tree_open(t, loop);
  uint32_t i = tree_block_param(t, T_INT), sum = tree_block_param(t, T_INT);
  tsm_node *test = tree_node(t, TSM_N_IF, 1, INT_IS("lt", i, n));
  tree_open(t, test); YIELD0; tree_close(t);
  tree_open(t, test); BREAK1(0, sum); tree_close(t);
  uint32_t next = INT_OP("add", i, tree_int(t, 1));
  CONTINUE2(0, next, INT_OP("add", sum, i));
  tree_close(t);
  RETURN(tree_result(t, loop, T_INT));
  tree_end(t);
}

static void check_count(tsm_instance *i, const tsm_program *p, tsm_error *e) {
  CHECK(call_int(i, "count", 10, 0, 1, e) == 45);
  CHECK(call_int(i, "count", 0, 0, 1, e) == 0 && call_int(i, "count", INT64_MIN, 0, 1, e) == 0);
  tsm_value plan;
  CHECK(tsm_program_plan(p, &plan, e) == TSM_OK);
  CHECK(strstr(tsm_str_borrow(plan, NULL), "for ") != NULL); /* one instruction a turn beside the sum */
  CHECK(strstr(tsm_str_borrow(plan, NULL), "j.none.i") != NULL || strstr(tsm_str_borrow(plan, NULL), "j.any.i") != NULL);
  CHECK(strstr(tsm_str_borrow(plan, NULL), "and.int.i") == NULL); /* what only a branch asks for is never stored */
  tsm_release(plan);
}

int main(int argc, char **argv) {
  tsm_error e;
  tsm_runtime *rt = tsm_runtime_new(NULL, &e);
  tree *t = tree_new(rt);
  build_count(t);
  build_collatz(t);
  build_small(t);
  qsort(t->p->methods, t->p->method_count, sizeof *t->p->methods, compare_methods);
  tsm_program *p = tree_done(t, &e);
  CHECK(p != NULL);
  if (!p) return puts(e.message), 1;
  if (argc > 1) {
    tsm_text text;
    tsm_text_init(&text, rt);
    tsm_plan_text(&p->functions[0], &text);
    printf("%.*s", (int)text.length, text.bytes);
    tsm_text_free(&text);
  }
  tsm_instance *i = tsm_instance_new(p, &e);
  check_values(i, &e);
  check_errors(i, &e);
  check_count(i, p, &e);
  check_exact_fuel(i, &e);
  if (argc > 1 && strcmp(argv[1], "bench") == 0) bench(i, &e);
  tsm_instance_free(i);
  tsm_program_free(p);
  CHECK(tsm_runtime_memory(rt) < 400000);
  tsm_runtime_free(rt);
  return check_done();
}
