/* test_vm_objects.c - references in registers: drops, early exits, exceptions, unions, cells, failing allocations. */
#include "check.h"
#include "tree.h"

/* Fails allocation number `fail_at` and every later one until it is moved. */
typedef struct failing { int64_t count, fail_at; } failing;
static void *failing_alloc(void *user, void *block, size_t old_size, size_t new_size) {
  failing *f = user;
  (void)old_size;
  if (!new_size) { free(block); return NULL; }
  if (f->fail_at && ++f->count == f->fail_at) return NULL;
  return realloc(block, new_size);
}

/* search(a): for i in 0..a: for j in 0..a: l = [i, j]; if i * j == 6: break both -> l; returns l[0] * 10 + l[1] */
static void build_search(tree *t) {
  const tsm_type *list = T_LIST(T_INT);
  tree_function(t, "search", T_INT);
  uint32_t limit = tree_param(t, T_INT), zero = tree_int(t, 0), one = tree_int(t, 1);
  tsm_node *none = tree_node(t, TSM_N_LIST, 2, zero, zero);
  uint32_t start = tree_result(t, none, list);
  tsm_node *outer = tree_node(t, TSM_N_LOOP, 2, zero, start);
  tree_open(t, outer);
  uint32_t i = tree_block_param(t, T_INT), best = tree_block_param(t, list);
  tsm_node *end = tree_node(t, TSM_N_IF, 1, INT_IS("ge", i, limit));
  tree_open(t, end); BREAK1(0, best); tree_close(t);
  tree_open(t, end); YIELD0; tree_close(t);
  tsm_node *inner = tree_node(t, TSM_N_LOOP, 1, zero);
  tree_open(t, inner);
  uint32_t j = tree_block_param(t, T_INT);
  tsm_node *stop = tree_node(t, TSM_N_IF, 1, INT_IS("ge", j, limit));
  tree_open(t, stop); BREAK1(0, j); tree_close(t);
  tree_open(t, stop); YIELD0; tree_close(t);
  tsm_node *make = tree_node(t, TSM_N_LIST, 2, i, j);
  uint32_t l = tree_result(t, make, list), product = INT_OP("mul", i, j);
  tsm_node *found = tree_node(t, TSM_N_IF, 1, INT_IS("eq", product, tree_int(t, 6)));
  tree_open(t, found); BREAK1(1, l); tree_close(t);
  tree_open(t, found); YIELD0; tree_close(t);
  CONTINUE1(0, INT_OP("add", j, one));
  tree_close(t);
  tree_result(t, inner, T_INT);
  tsm_node *fresh = tree_node(t, TSM_N_LIST, 2, i, i);
  CONTINUE2(0, INT_OP("add", i, one), tree_result(t, fresh, list));
  tree_close(t);
  uint32_t got = tree_result(t, outer, list);
  uint32_t tens = INT_OP("mul", tree_op(t, "getitem", "list", T_INT, 2, got, zero), tree_int(t, 10));
  RETURN(INT_OP("add", tens, tree_op(t, "getitem", "list", T_INT, 2, got, one)));
  tree_end(t);
}

/* fail(a): makes a list, then raises ValueError("bad"). guard(a): calls it in a try; returns 1 in the handler. */
static void build_raise(tree *t) {
  tree_function(t, "fail", T_INT);
  uint32_t a = tree_param(t, T_INT);
  tsm_node *make = tree_node(t, TSM_N_LIST, 2, a, a);
  uint32_t l = tree_result(t, make, T_LIST(T_INT));
  uint32_t name = tree_str(t, "ValueError"), message = tree_str(t, "bad");
  uint32_t e = tree_op(t, "exception", "new", T_EXC, 2, name, message);
  tsm_node *when = tree_node(t, TSM_N_IF, 1, INT_IS("gt", a, tree_int(t, 0)));
  tree_open(t, when); tree_leave(t, TSM_N_RAISE, 0, 1, e, 0); tree_close(t);
  tree_open(t, when); YIELD0; tree_close(t);
  RETURN(tree_op(t, "getitem", "list", T_INT, 2, l, a));
  tree_end(t);
  tsm_function *fail = t->f;
  tree_function(t, "guard", T_INT);
  uint32_t b = tree_param(t, T_INT);
  tsm_node *kept = tree_node(t, TSM_N_LIST, 2, b, b);
  uint32_t k = tree_result(t, kept, T_LIST(T_INT));
  tsm_node *try = tree_node(t, TSM_N_TRY, 0);
  tree_open(t, try);
  tsm_node *call = tree_node(t, TSM_N_CALL, 1, b);
  call->of.function = fail;
  YIELD1(tree_result(t, call, T_INT));
  tree_close(t);
  tree_open(t, try);
  uint32_t caught = tree_block_param(t, T_EXC);
  uint32_t text = tree_op(t, "exception", "message", T_STR, 1, caught, 0);
  YIELD1(tree_op(t, "len", "str", T_INT, 1, text, 0));
  tree_close(t);
  uint32_t result = tree_result(t, try, T_INT);
  RETURN(INT_OP("add", result, tree_op(t, "len", "list", T_INT, 1, k, 0)));
  tree_end(t);
  tree_function(t, "again", T_INT); /* raises anew what it caught */
  uint32_t c = tree_param(t, T_INT);
  tsm_node *outer = tree_node(t, TSM_N_TRY, 0);
  tree_open(t, outer);
  tsm_node *inner = tree_node(t, TSM_N_CALL, 1, c);
  inner->of.function = fail;
  YIELD1(tree_result(t, inner, T_INT));
  tree_close(t);
  tree_open(t, outer);
  tree_leave(t, TSM_N_RAISE, 0, 1, tree_block_param(t, T_EXC), 0);
  tree_close(t);
  RETURN(tree_result(t, outer, T_INT));
  tree_end(t);
}

/* grow(a): l = []; for i in range(a): l.append([i, i]); swaps two lists a times; sum of lengths */
static void build_grow(tree *t) {
  const tsm_type *row = T_LIST(T_INT), *table = T_LIST(row);
  tree_function(t, "grow", T_INT);
  uint32_t a = tree_param(t, T_INT), zero = tree_int(t, 0), one = tree_int(t, 1);
  uint32_t first = tree_result(t, tree_node(t, TSM_N_LIST, 0), table);
  uint32_t second = tree_result(t, tree_node(t, TSM_N_LIST, 0), table);
  tsm_node *loop = tree_node(t, TSM_N_LOOP, 3, zero, first, second);
  tree_open(t, loop);
  uint32_t i = tree_block_param(t, T_INT), p = tree_block_param(t, table), q = tree_block_param(t, table);
  tsm_node *end = tree_node(t, TSM_N_IF, 1, INT_IS("ge", i, a));
  tree_open(t, end); tree_leave(t, TSM_N_BREAK, 0, 2, p, q); tree_close(t);
  tree_open(t, end); YIELD0; tree_close(t);
  uint32_t item = tree_result(t, tree_node(t, TSM_N_LIST, 2, i, i), row);
  tree_op(t, "list.append", "", NULL, 2, p, item);
  tree_op(t, "list.append", "", NULL, 2, p, item);
  tree_node(t, TSM_N_CONTINUE, 3, INT_OP("add", i, one), q, p);
  tree_close(t);
  loop->result_count = 2;
  loop->first_result = tree_value(t, table);
  tree_value(t, table);
  uint32_t left = tree_op(t, "len", "list", T_INT, 1, loop->first_result, 0);
  uint32_t right = tree_op(t, "len", "list", T_INT, 1, loop->first_result + 1, 0);
  RETURN(INT_OP("add", INT_OP("mul", left, tree_int(t, 100)), right));
  tree_end(t);
}

/* pick(a): u = a if a > 0 else "text" as a union; int or TypeError. cell(a): reads a cell set only when a > 0. */
static void build_pairs(tree *t) {
  const tsm_type *either = T_UNION(T_INT, T_STR);
  tree_function(t, "pick", T_INT);
  uint32_t a = tree_param(t, T_INT);
  tsm_node *pick = tree_node(t, TSM_N_IF, 1, INT_IS("gt", a, tree_int(t, 0)));
  tree_open(t, pick); YIELD1(tree_result(t, tree_node(t, TSM_N_WIDEN, 1, a), either)); tree_close(t);
  tree_open(t, pick);
  uint32_t text = tree_op(t, "str.upper", "", T_STR, 1, tree_str(t, "text"), 0);
  YIELD1(tree_result(t, tree_node(t, TSM_N_WIDEN, 1, text), either));
  tree_close(t);
  uint32_t u = tree_result(t, pick, either);
  tsm_node *is = tree_node(t, TSM_N_IS_TYPE, 1, u);
  is->of.type = T_INT;
  tree_result(t, is, T_BOOL);
  RETURN(tree_result(t, tree_node(t, TSM_N_NARROW, 1, u), T_INT));
  tree_end(t);
  tree_function(t, "cell", T_INT);
  uint32_t c = tree_param(t, T_INT);
  uint32_t cell = tree_result(t, tree_node(t, TSM_N_CELL, 0), T_CELL(T_INT));
  tsm_node *set = tree_node(t, TSM_N_IF, 1, INT_IS("gt", c, tree_int(t, 0)));
  tree_open(t, set); tree_node(t, TSM_N_CELL_SET, 2, cell, c); YIELD0; tree_close(t);
  tree_open(t, set); YIELD0; tree_close(t);
  RETURN(tree_result(t, tree_node(t, TSM_N_CELL_GET, 1, cell), T_INT));
  tree_end(t);
  tree_function(t, "first", T_INT); /* Optional[list[int]] */
  uint32_t o = tree_param(t, T_OPT(T_LIST(T_INT)));
  uint32_t l = tree_result(t, tree_node(t, TSM_N_NARROW, 1, o), T_LIST(T_INT));
  tree_op(t, "list.append", "", NULL, 2, l, tree_int(t, 5));
  RETURN(tree_op(t, "getitem", "list", T_INT, 2, l, tree_int(t, 0)));
  tree_end(t);
}

/* spin(a): prints, then never ends. */
static void build_spin(tree *t) {
  tree_function(t, "spin", T_INT);
  uint32_t a = tree_param(t, T_INT);
  tree_op(t, "print", "str", NULL, 1, tree_str(t, "hello"), 0);
  tsm_node *f = tree_node(t, TSM_N_LOOP, 1, a);
  tree_open(t, f);
  CONTINUE1(0, INT_OP("xor", tree_block_param(t, T_INT), tree_int(t, 1)));
  tree_close(t);
  tree_leave(t, TSM_N_UNREACHABLE, 0, 0, 0, 0);
  tree_end(t);
}

/* A hook that asks for another call of the running instance, and then cancels the one that runs. */
typedef struct meddler { tsm_instance *instance; tsm_error error; bool frees; } meddler;
static void meddle(void *user, const char *text, size_t length) {
  meddler *m = user;
  tsm_value arg = tsm_int(1), result;
  CHECK(length >= 5 && memcmp(text, "hello", 5) == 0);
  tsm_call(m->instance, "search", &arg, 1, &result, &m->error);
  tsm_error refused;
  CHECK(tsm_instance_reset(m->instance, &refused) == TSM_ERR_ARGUMENT);
  CHECK(tsm_instance_clone(m->instance, &refused) == NULL && refused.code == TSM_ERR_ARGUMENT);
  tsm_instance_cancel(m->instance);
  if (m->frees) tsm_instance_free(m->instance);
}

static int compare_methods(const void *a, const void *b) {
  return strcmp(((const tsm_method *)a)->info.name, ((const tsm_method *)b)->info.name);
}

static tsm_program *build(tsm_runtime *rt, tsm_error *e) {
  tree *t = tree_new(rt);
  build_search(t);
  build_raise(t);
  build_grow(t);
  build_pairs(t);
  build_spin(t);
  qsort(t->p->methods, t->p->method_count, sizeof *t->p->methods, compare_methods);
  return tree_done(t, e);
}

static int64_t call_int(tsm_instance *i, const char *name, int64_t a, tsm_error *e) {
  tsm_value arg = tsm_int(a), result;
  memset(e, 0, sizeof *e);
  return tsm_call(i, name, &arg, 1, &result, e) == TSM_OK ? result.as.i : -999;
}

static void check_calls(tsm_instance *i, tsm_error *e) {
  CHECK(call_int(i, "search", 5, e) == 23);
  CHECK(call_int(i, "search", 2, e) == 11);
  CHECK(call_int(i, "search", 0, e) == 0);
  CHECK(call_int(i, "guard", 0, e) == 2);
  CHECK(call_int(i, "guard", 4, e) == 5);
  CHECK(call_int(i, "grow", 5, e) == 604 || call_int(i, "grow", 5, e) == 406);
  CHECK(call_int(i, "grow", 4, e) == 404);
  CHECK(call_int(i, "pick", 4, e) == 4);
  CHECK(call_int(i, "cell", 4, e) == 4);
  CHECK(tree_live(i) == 0);
}

static void check_errors(tsm_instance *i, tsm_error *e) {
  call_int(i, "fail", 1, e);
  CHECK(e->code == TSM_ERR_RAISED);
  CHECK_TEXT(e->type, "ValueError");
  CHECK_TEXT(e->message, "bad");
  CHECK_TEXT(e->file, "model.py");
  CHECK(e->line == 8);
  call_int(i, "again", 1, e);
  CHECK_TEXT(e->type, "ValueError");
  CHECK(e->line == 8);
  CHECK_TEXT(e->trace, "  File \"model.py\", line 2, in again\n  File \"model.py\", line 8, in fail\n");
  call_int(i, "fail", -3, e);
  CHECK_TEXT(e->type, "IndexError");
  CHECK_TEXT(e->op, "getitem.list");
  call_int(i, "pick", 0, e);
  CHECK_TEXT(e->type, "TypeError");
  CHECK_TEXT(e->message, "expected int, got str");
  call_int(i, "cell", 0, e);
  CHECK_TEXT(e->type, "UnboundLocalError");
  CHECK(tree_live(i) == 0);
}

static void check_host_list(tsm_runtime *rt, tsm_instance *i, tsm_error *e) {
  tsm_value list, result, none = tsm_none();
  CHECK(tsm_list_new(rt, TSM_INT, 4, &list) == TSM_OK);
  CHECK(tsm_list_append(list, tsm_int(7)) == TSM_OK);
  CHECK(tsm_call(i, "first", &list, 1, &result, e) == TSM_OK && result.as.i == 7);
  CHECK(tsm_list_length(list) == 2);
  CHECK(list.as.ref->type == NULL);
  tsm_release(list);
  CHECK(tsm_call(i, "first", &none, 1, &result, e) == TSM_ERR_RAISED);
  CHECK_TEXT(e->message, "expected list[int], got None");
  CHECK(tsm_list_new(rt, TSM_STR, 4, &list) == TSM_OK);
  CHECK(tsm_call(i, "first", &list, 1, &result, e) == TSM_ERR_ARGUMENT);
  CHECK_TEXT(e->type, "TypeError");
  tsm_release(list);
}

/* Every allocation of a call fails once: an error, no leak, and the instance still works. */
static void check_failing(tsm_instance *i, failing *f, tsm_error *e) {
  static const char *const names[] = {"search", "guard", "again", "grow", "pick", "cell"};
  for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
    for (int64_t n = 1;; n++) {
      f->count = 0;
      f->fail_at = n;
      call_int(i, names[m], 3, e);
      bool is_past = f->count < n;
      f->fail_at = 0;
      tsm_context_clear(&i->ctx); /* the exception of a failed call stays for the host until the next one */
      CHECK(tree_live(i) == 0);
      if (is_past) break;
      CHECK(e->code == TSM_ERR_MEMORY || e->code == TSM_OK || e->code == TSM_ERR_RAISED);
    }
  }
  CHECK(call_int(i, "search", 5, e) == 23);
}

/* Lowering itself under failing allocations. */
static void check_failing_build(void) {
  for (int64_t n = 1; n < 4000; n++) {
    failing f = {0, 0};
    tsm_error e;
    tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
    options.alloc = failing_alloc;
    options.alloc_user = &f;
    options.pooling = TSM_POOLING_OFF;
    tsm_runtime *rt = tsm_runtime_new(&options, &e);
    tree *t = tree_new(rt);
    build_search(t);
    build_raise(t);
    f.fail_at = n;
    tsm_program *p = tree_done(t, &e);
    f.fail_at = 0;
    bool is_past = f.count < n;
    CHECK(p || e.code == TSM_ERR_MEMORY);
    tsm_program_free(p);
    tsm_runtime_free(rt);
    if (is_past) return;
  }
  CHECK(0);
}

static void check_hook(tsm_instance *i, meddler *m, tsm_error *e) {
  m->instance = i;
  call_int(i, "spin", 1, e);
  CHECK(e->code == TSM_ERR_CANCELLED);
  CHECK(m->error.code == TSM_ERR_ARGUMENT);
  CHECK_TEXT(m->error.message, "the instance is already running a call");
  CHECK(call_int(i, "search", 5, e) == 23);
  m->frees = true; /* the running call survives it, and the sanitizer sees that nothing is left */
  call_int(i, "spin", 1, e);
  CHECK(e->code == TSM_ERR_CANCELLED);
}

int main(void) {
  tsm_error e;
  failing f = {0, 0};
  meddler m;
  memset(&m, 0, sizeof m);
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.alloc = failing_alloc;
  options.alloc_user = &f;
  options.pooling = TSM_POOLING_OFF;
  options.print = meddle;
  options.text_user = &m;
  tsm_runtime *rt = tsm_runtime_new(&options, &e);
  tsm_program *p = build(rt, &e);
  CHECK(p != NULL);
  if (!p) return puts(e.message), 1;
  tsm_instance *i = tsm_instance_new(p, &e);
  check_calls(i, &e);
  check_errors(i, &e);
  check_host_list(rt, i, &e);
  check_failing(i, &f, &e);
  check_hook(i, &m, &e);
  tsm_program_free(p);
  tsm_runtime_free(rt);
  check_failing_build();
  return check_done();
}
