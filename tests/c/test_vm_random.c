/* test_vm_random.c - random functions, run by the VM and by a plain walk over the same tree: the answers must agree.
 * In: a seed (argv[1], count argv[2]). Holds: after each run no object of the instance lives. */
#include "check.h"
#include "tree.h"

enum { KIND_INT, KIND_LIST, KIND_OPT, KIND_STR, KIND_COUNT, MAX_SCOPE = 400, MAX_TARGETS = 24 };

/* A str is its length and a hash that the hashes of two texts give for both together. */
typedef struct any { int64_t i[2], bytes; bool is_none; } any;
typedef struct target { tsm_node *node; int kinds[4]; int count; int result; bool is_loop, is_up; } target;
typedef struct maker {
  tree *t;
  uint64_t state;
  uint32_t scope[MAX_SCOPE];
  int kinds[MAX_SCOPE], scope_count;
  target targets[MAX_TARGETS];
  int target_count, budget;
} maker;

static uint32_t roll(maker *m, uint32_t limit) {
  m->state = m->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(m->state >> 33) % limit;
}

static const tsm_type *kind_type(tree *t, int kind) {
  return kind == KIND_INT ? T_INT : kind == KIND_LIST ? T_LIST(T_INT) : kind == KIND_STR ? T_STR : T_OPT(T_INT);
}
static uint32_t add(maker *m, uint32_t value, int kind) {
  if (m->scope_count < MAX_SCOPE) {
    m->scope[m->scope_count] = value;
    m->kinds[m->scope_count++] = kind;
  }
  return value;
}

static uint32_t make(maker *m, int kind);
static uint32_t pick(maker *m, int kind) {
  for (int tries = 0; tries < 8 && m->scope_count; tries++) {
    uint32_t at = roll(m, (uint32_t)m->scope_count);
    if (tries < 4 && m->scope_count > 6) at = (uint32_t)m->scope_count - 1 - roll(m, 6);
    if (m->kinds[at] == kind) return m->scope[at];
  }
  return make(m, kind);
}

static uint32_t make(maker *m, int kind) {
  tree *t = m->t;
  if (kind == KIND_INT) {
    static const int64_t values[] = {0, 1, 2, 3, -1, 7, 100000, INT64_MAX, -4};
    return add(m, tree_int(t, values[roll(m, 9)]), KIND_INT);
  }
  if (kind == KIND_LIST) {
    uint32_t a = pick(m, KIND_INT), b = pick(m, KIND_INT);
    return add(m, tree_result(t, tree_node(t, TSM_N_LIST, 2, a, b), T_LIST(T_INT)), KIND_LIST);
  }
  if (kind == KIND_STR) {
    static const char *const texts[] = {"", "a", "bc", "-", "h\xc3\xa9"};
    return add(m, tree_str(t, texts[roll(m, 5)]), KIND_STR);
  }
  uint32_t from = roll(m, 3) ? pick(m, KIND_INT) : tree_none(t);
  return add(m, tree_result(t, tree_node(t, TSM_N_WIDEN, 1, from), T_OPT(T_INT)), KIND_OPT);
}

static void statements(maker *m, int count);
static void simple(maker *m);

static uint32_t tree_bool(tree *t, bool b) { return tree_const(t, T_BOOL, TSM_BOOL, b); }
static uint32_t condition(maker *m);

/* `a and b`, `a or b`, or both arms computed: an `if` that yields a condition. Its value may be used twice. */
static uint32_t chained(maker *m) {
  tree *t = m->t;
  tsm_node *n = tree_node(t, TSM_N_IF, 1, condition(m));
  uint32_t plain = roll(m, 3);
  for (uint32_t k = 0; k < 2; k++) {
    int scope = m->scope_count;
    tree_open(t, n);
    if (k == plain) {
      YIELD1(tree_bool(t, roll(m, 2)));
    } else {
      if (!roll(m, 3)) statements(m, 1);
      if (m->target_count && !roll(m, 8)) BREAK1(0, pick(m, m->targets[m->target_count - 1].result));
      else YIELD1(condition(m));
    }
    tree_close(t);
    m->scope_count = scope;
  }
  uint32_t both = tree_result(t, n, T_BOOL);
  if (!roll(m, 4)) add(m, tree_op(t, "int", "bool", T_INT, 1, both, 0), KIND_INT);
  return both;
}

static uint32_t condition(maker *m) {
  tree *t = m->t;
  static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  uint32_t kind = roll(m, 12);
  if (kind < 2) {
    tsm_node *is = tree_node(t, TSM_N_IS_TYPE, 1, pick(m, KIND_OPT));
    is->of.type = T_INT;
    return tree_result(t, is, T_BOOL);
  }
  if (kind == 2) return tree_op(t, roll(m, 2) ? "eq" : "ne", "str", T_BOOL, 2, pick(m, KIND_STR), pick(m, KIND_STR));
  if (kind == 3) return tree_op(t, "bool", "int", T_BOOL, 1, pick(m, KIND_INT), 0);
  if (kind == 4) return tree_op(t, "not", "bool", T_BOOL, 1, condition(m), 0);
  if (kind < 7 && m->t->depth < 6 && --m->budget > 0) return chained(m);
  uint32_t a = pick(m, KIND_INT), b = roll(m, 2) ? pick(m, KIND_INT) : make(m, KIND_INT);
  if (kind == 7) { /* as floats: both senses of an order, and what is no number */
    uint32_t x = tree_op(t, "float", "int", T_FLOAT, 1, a, 0), y = tree_op(t, "float", "int", T_FLOAT, 1, b, 0);
    return tree_op(t, names[roll(m, 6)], "float", T_BOOL, 2, x, y);
  }
  return INT_IS(names[roll(m, 6)], a, b);
}

/* Ends a block: leaves early sometimes, else yields a value of the kind. */
static void end_block(maker *m, int kind) {
  tree *t = m->t;
  if (m->target_count && !roll(m, 4)) {
    uint32_t label = roll(m, (uint32_t)m->target_count), args[4];
    const target *g = &m->targets[m->target_count - 1 - (int)label];
    bool again = g->is_loop && roll(m, 2);
    int count = again ? g->count : 1;
    for (int i = 0; i < count; i++) args[i] = pick(m, again ? g->kinds[i] : g->result);
    if (again) { /* the first parameter counts down or up */
      uint32_t one = tree_int(t, 1);
      args[0] = INT_OP(g->is_up ? "add" : "sub", g->node->blocks ? args[0] : g->node->first_result, one);
    }
    tsm_node *n = tree_node_of(t, again ? TSM_N_CONTINUE : TSM_N_BREAK, (uint32_t)count, args);
    n->field = label;
  } else if (!roll(m, 25)) {
    RETURN(pick(m, KIND_INT));
  } else {
    YIELD1(pick(m, kind));
  }
}

static void arm(maker *m, tsm_node *n, int kind, bool is_handler) {
  int scope = m->scope_count;
  tree_open(m->t, n);
  if (is_handler) tree_block_param(m->t, tree_type(m->t, TSM_T_EXCEPTION, TSM_L_REF, NULL, NULL));
  statements(m, 1 + (int)roll(m, 3));
  end_block(m, kind);
  tree_close(m->t);
  m->scope_count = scope;
}

static void push_target(maker *m, tsm_node *n, bool is_loop, int result) {
  m->targets[m->target_count++] = (target){n, {KIND_INT, 0, 0, 0}, 1, result, is_loop, false};
}

static void loop(maker *m) {
  tree *t = m->t;
  int count = 1 + (int)roll(m, 4), scope = m->scope_count, result = (int)roll(m, KIND_COUNT);
  bool is_up = roll(m, 2);
  uint32_t starts[4] = {tree_int(t, 1 + (int64_t)roll(m, 4)), 0, 0, 0}, limit = 0;
  push_target(m, NULL, true, result);
  target *g = &m->targets[m->target_count - 1];
  g->count = count;
  g->is_up = is_up;
  if (is_up) limit = roll(m, 2) ? INT_OP("and", pick(m, KIND_INT), tree_int(t, 3)) : tree_int(t, (int64_t)roll(m, 6));
  for (int i = 1; i < count; i++) {
    g->kinds[i] = (int)roll(m, KIND_COUNT);
    starts[i] = pick(m, g->kinds[i]);
  }
  scope = m->scope_count;
  tsm_node *n = tree_node_of(t, TSM_N_LOOP, (uint32_t)count, starts);
  g->node = n;
  tree_open(t, n);
  uint32_t first = 0;
  for (int i = 0; i < count; i++) {
    uint32_t v = tree_block_param(t, kind_type(t, g->kinds[i]));
    if (!i) first = v;
    if (i) add(m, v, g->kinds[i]);
  }
  n->first_result = first; /* until the node is closed: where end_block finds the counter */
  if (is_up && roll(m, 2)) limit = INT_OP("and", limit, tree_int(t, 7)); /* within the test, each turn */
  tsm_node *stop = tree_node(t, TSM_N_IF, 1, is_up ? INT_IS("lt", first, limit) : INT_IS("le", first, tree_int(t, 0)));
  int outside = m->scope_count;
  if (is_up) { tree_open(t, stop); YIELD0; tree_close(t); }
  tree_open(t, stop);
  if (!roll(m, 4)) simple(m);
  BREAK1(0, pick(m, result));
  tree_close(t);
  m->scope_count = outside;
  if (!is_up) { tree_open(t, stop); YIELD0; tree_close(t); }
  uint32_t args[4] = {INT_OP(is_up ? "add" : "sub", first, tree_int(t, 1)), 0, 0, 0};
  if (roll(m, 2)) add(m, args[0], KIND_INT);
  if (roll(m, 2)) add(m, first, KIND_INT);
  statements(m, 1 + (int)roll(m, 4));
  for (int i = 1; i < count; i++) args[i] = pick(m, g->kinds[i]);
  tree_node_of(t, TSM_N_CONTINUE, (uint32_t)count, args)->field = 0;
  tree_close(t);
  m->target_count--;
  m->scope_count = scope;
  add(m, tree_result(t, n, kind_type(t, result)), result);
}

static void nested(maker *m, unsigned code) {
  tree *t = m->t;
  int kind = (int)roll(m, KIND_COUNT);
  tsm_node *n = code == TSM_N_IF ? tree_node(t, code, 1, condition(m)) : tree_node(t, code, 0);
  if (code == TSM_N_BLOCK) push_target(m, n, false, kind);
  arm(m, n, kind, false);
  if (code != TSM_N_BLOCK) arm(m, n, kind, code == TSM_N_TRY);
  else m->target_count--;
  add(m, tree_result(t, n, kind_type(t, kind)), kind);
}

static void simple(maker *m) {
  tree *t = m->t;
  static const char *const names[] = {"add", "sub", "mul", "floordiv", "mod", "and", "or", "xor", "min", "max"};
  switch (roll(m, 11)) {
    case 7: make(m, KIND_STR); break;
    case 8: { /* one operand is short, so that no text doubles */
      uint32_t s = pick(m, KIND_STR), piece = tree_str(t, roll(m, 2) ? "xy" : "z");
      bool is_after = roll(m, 3) != 0;
      uint32_t both = tree_op(t, "add", "str", T_STR, 2, is_after ? s : piece, is_after ? piece : s);
      add(m, both, KIND_STR);
      break;
    }
    case 9: add(m, tree_op(t, "len", "str", T_INT, 1, pick(m, KIND_STR), 0), KIND_INT); break;
    case 10: {
      uint32_t any = tree_result(t, tree_node(t, TSM_N_WIDEN, 1, pick(m, KIND_INT)),
                                 tree_type(t, TSM_T_ANY, TSM_L_PAIR, NULL, NULL));
      uint32_t text = tree_op(t, "str", "any", T_STR, 1, any, 0), tail = tree_str(t, "="), sep = tree_str(t, "");
      if (roll(m, 2)) add(m, text, KIND_STR);
      uint32_t parts = tree_result(t, tree_node(t, TSM_N_LIST, 3, text, tail, text), T_LIST(T_STR));
      add(m, tree_op(t, "str.join", "", T_STR, 2, sep, parts), KIND_STR);
      break;
    }
    case 0: make(m, KIND_LIST); break;
    case 1: make(m, KIND_OPT); break;
    case 2: add(m, tree_result(t, tree_node(t, TSM_N_NARROW, 1, pick(m, KIND_OPT)), T_INT), KIND_INT); break;
    case 3: {
      uint32_t l = pick(m, KIND_LIST);
      add(m, tree_op(t, "getitem", "list", T_INT, 2, l, tree_int(t, (int64_t)roll(m, 4) - 1)), KIND_INT);
      break;
    }
    default: {
      uint32_t a = pick(m, KIND_INT), b = roll(m, 2) ? pick(m, KIND_INT) : make(m, KIND_INT);
      add(m, INT_OP(names[roll(m, 10)], a, b), KIND_INT);
      break;
    }
  }
}

static void statements(maker *m, int count) {
  for (int i = 0; i < count && m->t->levels[m->t->depth].count < TREE_NODES - 40; i++) {
    bool is_deep = m->t->depth > 6 || m->target_count > 5 || --m->budget < 0;
    switch (is_deep ? 9 : roll(m, 10)) {
      case 0: loop(m); break;
      case 1: case 2: nested(m, TSM_N_IF); break;
      case 3: nested(m, TSM_N_BLOCK); break;
      case 4: nested(m, TSM_N_TRY); break;
      default: simple(m); break;
    }
  }
}

/* ---- The plain walk */

typedef struct walker { any values[TREE_VALUES]; const tsm_function *f; any out; int depth; } walker;
typedef enum flow { FLOW_YIELD, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_RAISE } flow;
typedef struct leaving { flow how; uint32_t label, count; any values[4]; } leaving;

static leaving walk_block(walker *w, const tsm_block *b);

static bool arithmetic(const char *name, int64_t a, int64_t b, int64_t *out) {
  if (!strcmp(name, "add")) return !tsm_add_overflows(a, b, out);
  if (!strcmp(name, "sub")) return !tsm_sub_overflows(a, b, out);
  if (!strcmp(name, "mul")) return !tsm_mul_overflows(a, b, out);
  if (!strcmp(name, "floordiv") || !strcmp(name, "mod")) {
    if (b == 0) return false;
    bool is_division = *name == 'f';
    if (b == -1) { *out = 0; return is_division ? !tsm_sub_overflows(0, a, out) : true; }
    int64_t q = a / b, r = a % b;
    if (r && (r < 0) != (b < 0)) { q--; r += b; }
    *out = is_division ? q : r;
    return true;
  }
  *out = !strcmp(name, "and") ? (a & b) : !strcmp(name, "or") ? (a | b) : !strcmp(name, "xor") ? (a ^ b)
       : !strcmp(name, "min") ? (a < b ? a : b) : !strcmp(name, "max") ? (a > b ? a : b)
       : !strcmp(name, "eq") ? a == b : !strcmp(name, "ne") ? a != b : !strcmp(name, "lt") ? a < b
       : !strcmp(name, "le") ? a <= b : !strcmp(name, "gt") ? a > b : a >= b;
  return true;
}

static any text_of(const char *bytes, size_t length) {
  any made = {{0, 0}, (int64_t)length, false};
  uint64_t hash = 0;
  for (size_t i = 0; i < length; i++) {
    made.i[0] += ((unsigned char)bytes[i] & 0xC0) != 0x80;
    hash = hash * 1000003 + (unsigned char)bytes[i] + 1;
  }
  made.i[1] = (int64_t)hash;
  return made;
}

static any concat(any a, any b) {
  uint64_t power = 1;
  for (int64_t i = 0; i < b.bytes; i++) power *= 1000003;
  return (any){{a.i[0] + b.i[0], (int64_t)((uint64_t)a.i[1] * power + (uint64_t)b.i[1])}, a.bytes + b.bytes, false};
}

static any text_of_int(int64_t i) {
  char digits[32];
  return text_of(digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)i));
}

static bool compared(const char *name, double a, double b) {
  return !strcmp(name, "eq") ? a == b : !strcmp(name, "ne") ? a != b : !strcmp(name, "lt") ? a < b
       : !strcmp(name, "le") ? a <= b : !strcmp(name, "gt") ? a > b : a >= b;
}

/* Operators on texts, bools and floats; a float is kept as the int it came from. */
static bool walk_other(const tsm_op *op, const any *a, const any *b, any *out) {
  bool is_text = !strcmp(op->overload, "str");
  if (!strcmp(op->name, "add") && is_text) *out = concat(*a, *b);
  else if (!strcmp(op->name, "len")) out->i[0] = a->i[0];
  else if (is_text && !strcmp(op->name, "eq")) out->i[0] = a->bytes == b->bytes && a->i[1] == b->i[1];
  else if (is_text && !strcmp(op->name, "ne")) out->i[0] = a->bytes != b->bytes || a->i[1] != b->i[1];
  else if (!strcmp(op->name, "str")) *out = text_of_int(a->i[0]);
  else if (!strcmp(op->name, "bool")) out->i[0] = a->i[0] != 0;
  else if (!strcmp(op->name, "not")) out->i[0] = !a->i[0];
  else if (!strcmp(op->name, "int") || !strcmp(op->name, "float")) *out = *a;
  else if (!strcmp(op->overload, "float")) out->i[0] = compared(op->name, (double)a->i[0], (double)b->i[0]);
  else return false;
  return true;
}

static bool walk_value(walker *w, const tsm_node *n) {
  any *out = &w->values[n->first_result];
  const any *a = n->operand_count ? &w->values[n->operands[0]] : NULL;
  const any *b = n->operand_count > 1 ? &w->values[n->operands[1]] : NULL;
  any made = {{0, 0}, 0, false};
  switch (n->code) {
    case TSM_N_CONST:
      made.i[0] = n->of.constant->as.i;
      made.is_none = n->of.constant->tag == TSM_NONE;
      if (n->of.constant->tag == TSM_STR) {
        const tsm_str *text = (const tsm_str *)n->of.constant->as.ref;
        made = text_of(text->bytes, text->length);
      }
      break;
    case TSM_N_LIST:
      made.i[0] = a->i[0];
      made.i[1] = b->i[0];
      if (n->operand_count == 3) made = concat(concat(*a, *b), w->values[n->operands[2]]); /* to be joined */
      break;
    case TSM_N_WIDEN: made = *a; break;
    case TSM_N_NARROW: if (a->is_none) return false; made = *a; break;
    case TSM_N_IS_TYPE: made.i[0] = !a->is_none; break;
    default:
      if (!strcmp(n->of.op->name, "getitem")) {
        int64_t at = b->i[0] < 0 ? b->i[0] + 2 : b->i[0];
        if (at < 0 || at > 1) return false;
        made.i[0] = a->i[at];
      } else if (!strcmp(n->of.op->name, "str.join")) {
        made = *b;
      } else if (walk_other(n->of.op, a, b, &made)) {
        break;
      } else if (!arithmetic(n->of.op->name, a->i[0], b->i[0], &made.i[0])) {
        return false;
      }
  }
  *out = made;
  return true;
}

/* What a node that owns blocks does with what leaves them: true when it stops here. */
static bool stops(const tsm_node *n, leaving *l) {
  bool is_label = n->code == TSM_N_LOOP || n->code == TSM_N_BLOCK;
  if (l->how == FLOW_YIELD) return true;
  if (l->how != FLOW_BREAK || !is_label) return false;
  return l->label == 0;
}

static leaving walk_node(walker *w, const tsm_node *n) {
  leaving l = {FLOW_YIELD, 0, 0, {{{0, 0}, 0, false}}};
  if (n->code == TSM_N_LOOP) {
    l.how = FLOW_CONTINUE;
    l.count = n->operand_count;
    for (uint32_t i = 0; i < n->operand_count; i++) l.values[i] = w->values[n->operands[i]];
    while (l.how == FLOW_CONTINUE && l.label == 0) {
      for (uint32_t i = 0; i < l.count; i++) w->values[n->blocks[0].first_param + i] = l.values[i];
      l = walk_block(w, &n->blocks[0]);
    }
  } else if (n->code == TSM_N_IF) {
    l = walk_block(w, &n->blocks[w->values[n->operands[0]].i[0] ? 0 : 1]);
  } else {
    l = walk_block(w, &n->blocks[0]);
    if (n->code == TSM_N_TRY && l.how == FLOW_RAISE) l = walk_block(w, &n->blocks[1]);
  }
  if (!stops(n, &l)) {
    bool is_label = n->code == TSM_N_LOOP || n->code == TSM_N_BLOCK;
    if (is_label && (l.how == FLOW_BREAK || l.how == FLOW_CONTINUE)) l.label--;
    return l;
  }
  for (uint32_t i = 0; i < n->result_count; i++) w->values[n->first_result + i] = l.values[i];
  l.how = FLOW_YIELD;
  return l;
}

static leaving walk_block(walker *w, const tsm_block *b) {
  for (uint32_t i = 0;; i++) {
    const tsm_node *n = &b->nodes[i];
    leaving l = {FLOW_RAISE, n->field, n->operand_count, {{{0, 0}, 0, false}}};
    if (n->block_count) {
      l = walk_node(w, n);
      if (l.how != FLOW_YIELD) return l;
      continue;
    }
    if (n->code < TSM_N_YIELD || n->code > TSM_N_UNREACHABLE) {
      if (!walk_value(w, n)) return l;
      continue;
    }
    for (uint32_t k = 0; k < n->operand_count; k++) l.values[k] = w->values[n->operands[k]];
    l.how = n->code == TSM_N_YIELD ? FLOW_YIELD : n->code == TSM_N_BREAK ? FLOW_BREAK
          : n->code == TSM_N_CONTINUE ? FLOW_CONTINUE : FLOW_RETURN;
    return l;
  }
}

/* ---- */

/* Whether every operand is defined before, in the same block or an enclosing one: the maker's own check. */
static bool is_dominated(const tsm_block *b, bool *seen) {
  bool is_good = true;
  for (uint32_t i = 0; i < b->node_count; i++) {
    const tsm_node *n = &b->nodes[i];
    for (uint32_t k = 0; k < n->operand_count; k++) is_good = is_good && seen[n->operands[k]];
    for (uint16_t k = 0; k < n->block_count; k++) {
      for (uint32_t p = 0; p < n->blocks[k].param_count; p++) seen[n->blocks[k].first_param + p] = true;
      is_good = is_good && is_dominated(&n->blocks[k], seen);
      for (uint32_t p = 0; p < n->blocks[k].param_count; p++) seen[n->blocks[k].first_param + p] = false;
    }
    for (uint32_t r = 0; r < n->result_count; r++) seen[n->first_result + r] = true;
  }
  for (uint32_t i = 0; i < b->node_count; i++)
    for (uint32_t r = 0; r < b->nodes[i].result_count; r++) seen[b->nodes[i].first_result + r] = false;
  return is_good;
}

static tsm_program *random_program(tsm_runtime *rt, uint64_t seed, tsm_error *e) {
  maker *m = calloc(1, sizeof *m);
  m->state = seed * 2654435761u + 12345;
  m->budget = 40;
  tree *t = m->t = tree_new(rt);
  tree_function(t, "f", T_INT);
  add(m, tree_param(t, T_INT), KIND_INT);
  add(m, tree_param(t, T_INT), KIND_INT);
  statements(m, 4 + (int)roll(m, 10));
  RETURN(pick(m, KIND_INT));
  tree_end(t);
  free(m);
  static bool seen[TREE_VALUES];
  memset(seen, 0, sizeof seen);
  seen[0] = seen[1] = true;
  CHECK(is_dominated(&t->p->functions[0].body, seen));
  return tree_done(t, e);
}

static bool agrees(tsm_runtime *rt, uint64_t seed) {
  tsm_error e;
  tsm_program *p = random_program(rt, seed, &e);
  if (!p) return false;
  tsm_instance *i = tsm_instance_new(p, &e);
  walker *w = calloc(1, sizeof *w);
  if (getenv("PLAN")) {
    tsm_text text;
    tsm_text_init(&text, rt);
    tsm_plan_text(&p->functions[0], &text);
    fprintf(stderr, "%.*s", (int)text.length, text.bytes);
    tsm_text_free(&text);
  }
  bool is_good = true;
  for (int64_t a = -1; a < 3 && is_good; a++) {
    tsm_value args[2] = {tsm_int(a), tsm_int(5)}, result;
    w->values[0].i[0] = a;
    w->values[1].i[0] = 5;
    leaving l = walk_block(w, &p->functions[0].body);
    tsm_status status = tsm_call(i, "f", args, 2, &result, &e);
    is_good = l.how == FLOW_RAISE ? status == TSM_ERR_RAISED : status == TSM_OK && result.as.i == l.values[0].i[0];
    if (tree_live(i)) is_good = false;
    if (!is_good)
      fprintf(stderr, "seed %llu a %lld: walked %d %lld, ran %d %lld (%s at %d), live %llu\n", (unsigned long long)seed,
              (long long)a, l.how, (long long)l.values[0].i[0], status, (long long)result.as.i, e.message, e.line,
              (unsigned long long)tree_live(i));
  }
  free(w);
  tsm_instance_free(i);
  tsm_program_free(p);
  return is_good;
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 10) : 3000;
  tsm_error e;
  tsm_runtime *rt = tsm_runtime_new(NULL, &e);
  for (uint64_t seed = first; seed < first + count && check_failures < 5; seed++) CHECK(agrees(rt, seed));
  tsm_runtime_free(rt);
  return check_done();
}
