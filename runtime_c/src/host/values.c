/* values.c - equality, order and hash of any values, as CPython 3.11 has them.
 * In: pairs. Out: answers; TypeError where Python has no order, RecursionError below TSM_VALUE_DEPTH.
 * Holds: numbers compare exactly across kinds, and equal numbers hash alike. */
#include <math.h>

#include "op/op.h"

/* ---- Numbers */

static bool is_real(tsm_pair p) { return p.tag == TSM_BOOL || p.tag == TSM_INT || p.tag == TSM_FLOAT; }

tsm_order tsm_int_float_compare(int64_t i, double f) {
  if (isnan(f)) return TSM_UNORDERED;
  if (f >= 0x1p63) return TSM_LESS;
  if (f < -0x1p63) return TSM_GREATER;
  int64_t whole = (int64_t)f; /* exact: in range, truncated */
  if (i != whole) return i < whole ? TSM_LESS : TSM_GREATER;
  double rest = f - (double)whole;
  return rest > 0 ? TSM_LESS : rest < 0 ? TSM_GREATER : TSM_EQUAL;
}

static tsm_order compare_floats(double a, double b) {
  return a < b ? TSM_LESS : a > b ? TSM_GREATER : a == b ? TSM_EQUAL : TSM_UNORDERED;
}

static tsm_order reverse(tsm_order order) {
  return order == TSM_LESS ? TSM_GREATER : order == TSM_GREATER ? TSM_LESS : order;
}

static tsm_order compare_reals(tsm_pair a, tsm_pair b) {
  if (a.tag == TSM_FLOAT && b.tag == TSM_FLOAT) return compare_floats(a.as.f, b.as.f);
  if (a.tag == TSM_FLOAT) return reverse(tsm_int_float_compare(b.as.i, a.as.f));
  if (b.tag == TSM_FLOAT) return tsm_int_float_compare(a.as.i, b.as.f);
  return a.as.i < b.as.i ? TSM_LESS : a.as.i > b.as.i ? TSM_GREATER : TSM_EQUAL;
}

static tsm_pair float_pair(double f) {
  tsm_pair p;
  p.tag = TSM_FLOAT;
  p.as.f = f;
  return p;
}

/* Either may be complex. */
static bool is_number_equal(tsm_pair a, tsm_pair b) {
  if (a.tag != TSM_COMPLEX && b.tag != TSM_COMPLEX) return compare_reals(a, b) == TSM_EQUAL;
  if (a.tag != TSM_COMPLEX) return is_number_equal(b, a);
  const tsm_complex *x = (const tsm_complex *)a.as.ref;
  if (b.tag == TSM_COMPLEX) {
    const tsm_complex *y = (const tsm_complex *)b.as.ref;
    return x->re == y->re && x->im == y->im;
  }
  return x->im == 0 && compare_reals(float_pair(x->re), b) == TSM_EQUAL;
}

static bool is_number(tsm_pair p) { return is_real(p) || p.tag == TSM_COMPLEX; }

/* ---- Hash */

enum { HASH_BITS = 61 };
static const uint64_t hash_modulus = (UINT64_C(1) << HASH_BITS) - 1;

static uint64_t not_minus_one(uint64_t hash) { return hash == UINT64_MAX ? UINT64_MAX - 1 : hash; }

static uint64_t hash_int(int64_t i) {
  uint64_t magnitude = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
  uint64_t hash = magnitude % hash_modulus;
  return not_minus_one(i < 0 ? 0 - hash : hash);
}

/* The float as a fraction modulo 2^61 - 1, as CPython's _Py_HashDouble: in chunks of 28 bits. */
static uint64_t hash_float(double f) {
  if (isinf(f)) return f > 0 ? 314159 : 0 - (uint64_t)314159;
  if (isnan(f)) return 0;
  int exponent;
  double m = frexp(fabs(f), &exponent);
  uint64_t x = 0;
  while (m != 0) {
    x = ((x << 28) & hash_modulus) | x >> (HASH_BITS - 28);
    m *= 0x1p28;
    exponent -= 28;
    uint64_t chunk = (uint64_t)m;
    m -= (double)chunk;
    x += chunk;
    if (x >= hash_modulus) x -= hash_modulus;
  }
  int shift = exponent >= 0 ? exponent % HASH_BITS : HASH_BITS - 1 - ((-1 - exponent) % HASH_BITS);
  x = ((x << shift) & hash_modulus) | x >> (HASH_BITS - shift);
  return not_minus_one(f < 0 ? 0 - x : x);
}

static uint64_t hash_complex(const tsm_complex *c) {
  return not_minus_one(hash_float(c->re) + UINT64_C(1000003) * hash_float(c->im));
}

static uint64_t hash_deep(tsm_context *ctx, tsm_pair p, int depth);

int64_t tsm_key_part_count(const tsm_object *o) {
  return o->kind == TSM_TUPLE ? ((const tsm_tuple *)o)->length : (int64_t)o->type->key_fields;
}

tsm_pair tsm_key_part(const tsm_object *o, int64_t i) {
  if (o->kind == TSM_TUPLE) return ((const tsm_tuple *)o)->items[i];
  tsm_pair p = tsm_pair_from_slot(o->type->members[i], &((const tsm_instance_object *)o)->slots[o->type->record[i]]);
  if (tsm_tag_is_ref(p.tag) && !p.as.ref) p.tag = TSM_NONE; /* not set */
  return p;
}

static uint64_t hash_identity(tsm_object *o) {
  uint64_t *word = tsm_identity_word(o->type, (tsm_instance_object *)o);
  if (!*word) *word = (uint64_t)(uintptr_t)o >> 4;
  return *word;
}

/* CPython's tuple hash: the accumulation of xxHash. */
static const uint64_t prime1 = UINT64_C(11400714785074694791), prime2 = UINT64_C(14029467366897019727);
static const uint64_t prime5 = UINT64_C(2870177450012600261);

static uint64_t with_part(uint64_t sum, uint64_t hash) {
  sum += hash * prime2;
  return ((sum << 31) | (sum >> 33)) * prime1;
}

static uint64_t of_parts(uint64_t sum, int64_t count) {
  sum += (uint64_t)count ^ (prime5 ^ UINT64_C(3527539));
  return sum == UINT64_MAX ? 1546275796 : sum;
}

static uint64_t hash_parts(tsm_context *ctx, const tsm_object *o, int depth) {
  uint64_t sum = prime5;
  int64_t count = tsm_key_part_count(o);
  if (!tsm_pay(ctx, count, TSM_COST_ITEM)) return 0;
  for (int64_t i = 0; i < count && !tsm_has_stopped(ctx); i++)
    sum = with_part(sum, hash_deep(ctx, tsm_key_part(o, i), depth + 1));
  return of_parts(sum, count);
}

uint64_t tsm_hash_of_hashes(const int64_t *hashes, int64_t count) {
  uint64_t sum = prime5;
  for (int64_t i = 0; i < count; i++) sum = with_part(sum, (uint64_t)hashes[i]);
  return of_parts(sum, count);
}

/* CPython's hash of a frozenset: the order of the items does not matter. */
static uint64_t hash_frozenset(tsm_context *ctx, const tsm_dict *s) {
  uint64_t sum = 0;
  if (!tsm_pay(ctx, s->used, TSM_COST_ITEM)) return 0;
  int64_t position = 0;
  for (tsm_dict_entry *e; (e = tsm_dict_pass(ctx, s, &position));)
    sum ^= ((e->hash ^ UINT64_C(89869747)) ^ (e->hash << 16)) * UINT64_C(3644798167);
  sum ^= ((uint64_t)s->length + 1) * UINT64_C(1927868237);
  sum ^= (sum >> 11) ^ (sum >> 25);
  sum = sum * UINT64_C(69069) + UINT64_C(907133923);
  return sum == UINT64_MAX ? 590923713 : sum;
}

static uint64_t hash_deep(tsm_context *ctx, tsm_pair p, int depth) {
  if (tsm_tag_is_ref(p.tag) && !p.as.ref) return 0;
  switch (TSM_TAG_KIND(p.tag)) {
    case TSM_NONE: return UINT64_C(0xfca86420);
    case TSM_BOOL: case TSM_INT: return hash_int(p.as.i);
    case TSM_FLOAT: return hash_float(p.as.f);
    case TSM_DTYPE: case TSM_DEVICE: case TSM_ENUM: {
      uint64_t words[2] = {p.tag, p.as.bits};
      return not_minus_one(tsm_hash_bytes(ctx, words, sizeof words));
    }
    case TSM_COMPLEX: return hash_complex((const tsm_complex *)p.as.ref);
    case TSM_STR: return not_minus_one(tsm_str_hash(ctx, (tsm_str *)p.as.ref));
    case TSM_BYTES: {
      const tsm_bytes *b = (const tsm_bytes *)p.as.ref;
      return not_minus_one(tsm_hash_bytes(ctx, b->bytes, b->length));
    }
    case TSM_FROZENSET: return hash_frozenset(ctx, (const tsm_dict *)p.as.ref);
    case TSM_OBJECT:
      if (!p.as.ref->type->key_fields) return p.as.ref->type->is_key ? hash_identity(p.as.ref) : 0;
      /* fall through */
    case TSM_TUPLE: return depth < TSM_VALUE_DEPTH ? hash_parts(ctx, p.as.ref, depth) : 0;
    default: return 0;
  }
}

uint64_t tsm_pair_hash(tsm_context *ctx, tsm_pair p) { return hash_deep(ctx, p, 0); }

/* Tuples that share their parts can be exponentially large: beyond this many parts they are not hashable. */
enum { HASH_BUDGET = 1 << 20 };

static bool is_hashable_deep(tsm_pair p, int depth, bool with_instances, int *budget) {
  if (--*budget < 0 || depth > TSM_VALUE_DEPTH) return false;
  switch (TSM_TAG_KIND(p.tag)) {
    case TSM_TENSOR: case TSM_LIST: case TSM_DICT: case TSM_SET: case TSM_EXCEPTION:
    case TSM_FUNCTION: case TSM_CELL: return false;
    case TSM_OBJECT:
      if (!with_instances || !p.as.ref->type->is_key) return false;
      /* fall through */
    case TSM_TUPLE:
      for (int64_t i = 0; i < tsm_key_part_count(p.as.ref); i++)
        if (!is_hashable_deep(tsm_key_part(p.as.ref, i), depth + 1, with_instances, budget)) return false;
      return true;
    case TSM_FROZENSET: {
      int64_t position = 0;
      for (tsm_dict_entry *e; (e = tsm_dict_walk((const tsm_dict *)p.as.ref, &position));)
        if (!is_hashable_deep(e->key, depth + 1, with_instances, budget)) return false;
      return true;
    }
    default: return true;
  }
}

static bool is_hashable(tsm_context *ctx, tsm_pair p, bool with_instances) {
  int budget = HASH_BUDGET;
  bool is_good = is_hashable_deep(p, 0, with_instances, &budget);
  return tsm_pay(ctx, HASH_BUDGET - budget, TSM_COST_STEP) && is_good;
}

bool tsm_pair_is_hashable(tsm_context *ctx, tsm_pair p) { return is_hashable(ctx, p, true); }
bool tsm_pair_is_plain(tsm_context *ctx, tsm_pair p) { return is_hashable(ctx, p, false); }

/* ---- Equality */

static bool is_memory_equal(tsm_context *ctx, const void *a, const void *b, size_t length) {
  return tsm_pay_bytes(ctx, length) && memcmp(a, b, length) == 0;
}

static bool is_text_equal(tsm_context *ctx, const tsm_str *a, const tsm_str *b) {
  return a == b || (a->length == b->length && is_memory_equal(ctx, a->bytes, b->bytes, a->length));
}

/* Equality of values without parts. */
/* Several exceptions may stand for one instance of a user's class, the first of their attributes. */
static const tsm_object *identity_of(const tsm_exception *e) {
  return e->fields && e->fields->items[1].tag == TSM_OBJECT ? e->fields->items[1].as.ref : &e->head;
}

static bool is_leaf_equal(tsm_context *ctx, tsm_pair a, tsm_pair b) {
  if (is_number(a) && is_number(b)) return is_number_equal(a, b);
  if (a.tag != b.tag) return false;
  switch (TSM_TAG_KIND(a.tag)) {
    case TSM_NONE: return true;
    case TSM_STR: return is_text_equal(ctx, (const tsm_str *)a.as.ref, (const tsm_str *)b.as.ref);
    case TSM_BYTES: {
      const tsm_bytes *x = (const tsm_bytes *)a.as.ref, *y = (const tsm_bytes *)b.as.ref;
      return x->length == y->length && is_memory_equal(ctx, x->bytes, y->bytes, x->length);
    }
    case TSM_EXCEPTION:
      return identity_of((const tsm_exception *)a.as.ref) == identity_of((const tsm_exception *)b.as.ref);
    default: return a.as.bits == b.as.bits; /* enum, dtype, device; identity of objects */
  }
}

static bool is_subset(tsm_context *ctx, const tsm_dict *a, const tsm_dict *b) {
  int64_t position = 0;
  for (tsm_dict_entry *e; (e = tsm_dict_pass(ctx, a, &position));)
    if (!tsm_pay(ctx, 1, TSM_COST_ENTRY) || !tsm_dict_find(ctx, b, e->key)) return false;
  return true;
}

static bool is_key_equal_deep(tsm_context *ctx, tsm_pair a, tsm_pair b, int depth) {
  if (a.tag == TSM_FROZENSET && b.tag == TSM_FROZENSET) {
    const tsm_dict *x = (const tsm_dict *)a.as.ref, *y = (const tsm_dict *)b.as.ref;
    return x == y || (x->length == y->length && is_subset(ctx, x, y));
  }
  bool are_objects = a.tag == TSM_OBJECT && b.tag == TSM_OBJECT;
  if (!are_objects && (a.tag != TSM_TUPLE || b.tag != TSM_TUPLE)) return is_leaf_equal(ctx, a, b);
  const tsm_object *x = a.as.ref, *y = b.as.ref;
  if (are_objects && (x == y || x->type != y->type || !x->type->key_fields)) return x == y;
  int64_t count = tsm_key_part_count(x);
  if (count != tsm_key_part_count(y) || depth > TSM_VALUE_DEPTH) return false;
  for (int64_t i = 0; i < count; i++)
    if (!tsm_pay(ctx, 1, TSM_COST_ITEM) || !is_key_equal_deep(ctx, tsm_key_part(x, i), tsm_key_part(y, i), depth + 1))
      return false;
  return true;
}

bool tsm_key_equal(tsm_context *ctx, tsm_pair a, tsm_pair b) { return is_key_equal_deep(ctx, a, b, 0); }

/* Runs an operator of two operands on pairs; `is_scalar` says how the second one is laid out. */
static tsm_status tensor_truth_of(tsm_context *ctx, const char *op, tsm_pair a, tsm_pair b, bool *out) {
  bool is_scalar = b.tag != TSM_TENSOR;
  tsm_slot frame[4];
  memset(frame, 0, sizeof frame);
  frame[0] = a.as;
  tsm_pair_to_slot(is_scalar ? TSM_L_PAIR : TSM_L_REF, b, &frame[1]);
  tsm_site *site = __builtin_alloca(sizeof *site + 3 * sizeof(uint16_t));
  memset(site, 0, sizeof *site);
  site->op = tsm_op_find(ctx->rt->ops, op, is_scalar ? "TensorScalar" : "Tensor");
  site->arg_count = 2;
  site->result_count = 1;
  site->regs[0] = 0;
  site->regs[1] = 1;
  site->regs[2] = 3;
  if (!site->op) return tsm_raise(ctx, "TypeError", "tensors cannot be compared by %s", op);
  tsm_opcall call = {ctx, frame, site, NULL};
  tsm_status status = tsm_op_run(&call);
  if (status == TSM_OK) status = tsm_tensor_truth(ctx, frame[3].tensor, out);
  tsm_unref_maybe(frame[3].ref);
  return status;
}

/* a or b is a tensor: the same one, or one element that is equal; anything else has no truth. */
static tsm_status tensor_pair_truth(tsm_context *ctx, const char *op, tsm_pair a, tsm_pair b, bool *out) {
  if (a.tag == TSM_TENSOR && (b.tag == TSM_TENSOR || is_real(b))) return tensor_truth_of(ctx, op, a, b, out);
  if (b.tag == TSM_TENSOR && is_real(a)) {
    const char *mirrored = strcmp(op, "lt") == 0 ? "gt" : strcmp(op, "gt") == 0 ? "lt" : op;
    return tensor_truth_of(ctx, mirrored, b, a, out);
  }
  *out = false;
  return TSM_OK;
}

static tsm_status too_deep(tsm_context *ctx) {
  return tsm_raise(ctx, "RecursionError", "maximum recursion depth exceeded in comparison");
}

static tsm_status equal_deep(tsm_context *ctx, tsm_pair a, tsm_pair b, int depth, bool *out);

enum { PART = 1 << 15 };

static tsm_status equal_lists(tsm_context *ctx, const tsm_list *x, const tsm_list *y, int depth, bool *out) {
  *out = x->length == y->length && tsm_is_deque(&x->head) == tsm_is_deque(&y->head);
  tsm_status status = TSM_OK;
  bool is_ints = x->head.layout == TSM_L_I64 && y->head.layout == TSM_L_I64 && x->head.type == y->head.type;
  for (int64_t i = 0; is_ints && i < x->length && *out && status == TSM_OK; i += PART) {
    int64_t count = x->length - i < PART ? x->length - i : PART;
    status = tsm_charge_elements(ctx, 2 * count);
    *out = memcmp(x->as.i64 + i, y->as.i64 + i, (size_t)count * sizeof(int64_t)) == 0;
  }
  for (int64_t i = 0; !is_ints && i < x->length && *out && status == TSM_OK; i++)
    if ((status = tsm_charge_elements(ctx, TSM_COST_ITEM)) == TSM_OK) status = equal_deep(ctx, tsm_list_peek(x, i), tsm_list_peek(y, i), depth + 1, out);
  return status;
}

static tsm_status equal_tuples(tsm_context *ctx, const tsm_tuple *x, const tsm_tuple *y, int depth, bool *out) {
  *out = x->length == y->length;
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < x->length && *out && status == TSM_OK; i++)
    if ((status = tsm_charge_elements(ctx, TSM_COST_ITEM)) == TSM_OK) status = equal_deep(ctx, x->items[i], y->items[i], depth + 1, out);
  return status;
}

static bool is_class(const tsm_dict *x, const tsm_dict *y, uint16_t number) {
  return tsm_dict_class_of(&x->head) == number && tsm_dict_class_of(&y->head) == number;
}

/* Whether all counts of x are in y too, those that are 0 aside. */
static bool are_counts_in(tsm_context *ctx, const tsm_dict *x, const tsm_dict *y) {
  int64_t position = 0;
  for (tsm_dict_entry *e; (e = tsm_dict_pass(ctx, x, &position));) {
    if (!tsm_pay(ctx, 1, TSM_COST_ENTRY)) return false;
    const tsm_dict_entry *other = tsm_dict_find(ctx, y, e->key);
    if ((other ? other->value.as.i : 0) != e->value.as.i) return false;
  }
  return true;
}

static tsm_status equal_counters(tsm_context *ctx, const tsm_dict *x, const tsm_dict *y, bool *out) {
  *out = are_counts_in(ctx, x, y) && are_counts_in(ctx, y, x);
  return tsm_has_stopped(ctx) ? ctx->status : TSM_OK;
}

static tsm_status equal_dicts(tsm_context *ctx, const tsm_dict *x, const tsm_dict *y, int depth, bool *out) {
  if (is_class(x, y, TSM_COUNTER)) return equal_counters(ctx, x, y, out);
  *out = x->length == y->length;
  tsm_status status = TSM_OK;
  int64_t position = 0, in_order = 0;
  bool is_ordered = is_class(x, y, TSM_ORDERED_DICT);
  for (tsm_dict_entry *e; *out && status == TSM_OK && (e = tsm_dict_pass(ctx, x, &position));) {
    status = tsm_charge_elements(ctx, TSM_COST_ENTRY);
    const tsm_dict_entry *other = is_ordered ? tsm_dict_walk(y, &in_order) : tsm_dict_find(ctx, y, e->key);
    if (tsm_has_stopped(ctx)) return ctx->status;
    if (!other || (is_ordered && !tsm_key_equal(ctx, e->key, other->key))) *out = false;
    else if (x->head.kind == TSM_DICT && status == TSM_OK) status = equal_deep(ctx, e->value, other->value, depth + 1, out);
  }
  return status;
}

/* A frozenset compares as a set. */
static uint64_t kind_to_compare(tsm_pair p) { return p.tag == TSM_FROZENSET ? TSM_SET : p.tag; }

static tsm_status equal_deep(tsm_context *ctx, tsm_pair a, tsm_pair b, int depth, bool *out) {
  if (a.tag == TSM_TENSOR || b.tag == TSM_TENSOR) {
    *out = a.tag == b.tag && a.as.ref == b.as.ref;
    return *out ? TSM_OK : tensor_pair_truth(ctx, "eq", a, b, out);
  }
  uint64_t kind = kind_to_compare(a);
  if (kind != kind_to_compare(b) || (kind != TSM_LIST && kind != TSM_TUPLE && kind != TSM_DICT && kind != TSM_SET)) {
    *out = is_leaf_equal(ctx, a, b);
    return tsm_has_stopped(ctx) ? ctx->status : TSM_OK;
  }
  if (depth >= TSM_VALUE_DEPTH) return too_deep(ctx);
  tsm_status status = tsm_charge(ctx, 1);
  if (status != TSM_OK) return status;
  if (kind == TSM_LIST) return equal_lists(ctx, (tsm_list *)a.as.ref, (tsm_list *)b.as.ref, depth, out);
  if (kind == TSM_TUPLE) return equal_tuples(ctx, (tsm_tuple *)a.as.ref, (tsm_tuple *)b.as.ref, depth, out);
  return equal_dicts(ctx, (tsm_dict *)a.as.ref, (tsm_dict *)b.as.ref, depth, out);
}

tsm_status tsm_pair_equal(tsm_context *ctx, tsm_pair a, tsm_pair b, bool *out_equal) {
  return equal_deep(ctx, a, b, 0, out_equal);
}

/* ---- Order */

static tsm_order compare_bytes(tsm_context *ctx, const void *a, size_t a_length, const void *b, size_t b_length) {
  size_t n = a_length < b_length ? a_length : b_length;
  int order = n && tsm_pay_bytes(ctx, n) ? memcmp(a, b, n) : 0;
  if (!order) order = a_length < b_length ? -1 : a_length > b_length;
  return order < 0 ? TSM_LESS : order > 0 ? TSM_GREATER : TSM_EQUAL;
}

static tsm_order compare_lengths(int64_t a, int64_t b) { return a < b ? TSM_LESS : a > b ? TSM_GREATER : TSM_EQUAL; }

static tsm_order compare_sets(tsm_context *ctx, const tsm_dict *a, const tsm_dict *b) {
  if (a->length <= b->length && is_subset(ctx, a, b)) return a->length == b->length ? TSM_EQUAL : TSM_LESS;
  return a->length > b->length && is_subset(ctx, b, a) ? TSM_GREATER : TSM_UNORDERED;
}

static tsm_status no_order(tsm_context *ctx, tsm_pair a, tsm_pair b, const char *op) {
  tsm_text left, right;
  tsm_text_init(&left, ctx->rt);
  tsm_text_init(&right, ctx->rt);
  tsm_text_type_name(&left, a);
  tsm_text_type_name(&right, b);
  tsm_status status = left.failed || right.failed
      ? tsm_out_of_memory(ctx)
      : tsm_raise(ctx, "TypeError", "'%s' not supported between instances of '%.*s' and '%.*s'", op,
                  (int)left.length, left.bytes, (int)right.length, right.bytes);
  tsm_text_free(&left);
  tsm_text_free(&right);
  return status;
}

static tsm_pair item_of(const tsm_object *o, int64_t i) {
  return o->kind == TSM_LIST ? tsm_list_peek((const tsm_list *)o, i) : ((const tsm_tuple *)o)->items[i];
}

static tsm_status compare_tensors(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_order *out) {
  bool is_true;
  tsm_status status = tensor_pair_truth(ctx, "lt", a, b, &is_true);
  *out = TSM_LESS;
  if (status != TSM_OK || is_true) return status;
  status = tensor_pair_truth(ctx, "gt", a, b, &is_true);
  *out = TSM_GREATER;
  if (status != TSM_OK || is_true) return status;
  status = tensor_pair_truth(ctx, "eq", a, b, &is_true);
  *out = is_true ? TSM_EQUAL : TSM_UNORDERED;
  return status;
}

/* Values that are not lists or tuples. */
static tsm_status compare_leaves(tsm_context *ctx, tsm_pair a, tsm_pair b, const char *op, tsm_order *out) {
  if (is_real(a) && is_real(b)) {
    *out = compare_reals(a, b);
  } else if (a.tag == TSM_STR && b.tag == TSM_STR) {
    const tsm_str *x = (const tsm_str *)a.as.ref, *y = (const tsm_str *)b.as.ref;
    *out = compare_bytes(ctx, x->bytes, x->length, y->bytes, y->length);
  } else if (a.tag == TSM_BYTES && b.tag == TSM_BYTES) {
    const tsm_bytes *x = (const tsm_bytes *)a.as.ref, *y = (const tsm_bytes *)b.as.ref;
    *out = compare_bytes(ctx, x->bytes, x->length, y->bytes, y->length);
  } else if (kind_to_compare(a) == TSM_SET && kind_to_compare(b) == TSM_SET) {
    *out = compare_sets(ctx, (const tsm_dict *)a.as.ref, (const tsm_dict *)b.as.ref);
  } else if ((a.tag == TSM_TENSOR && (b.tag == TSM_TENSOR || is_real(b))) || (b.tag == TSM_TENSOR && is_real(a))) {
    return compare_tensors(ctx, a, b, out);
  } else {
    return no_order(ctx, a, b, op);
  }
  return tsm_has_stopped(ctx) ? ctx->status : TSM_OK;
}

/* Lists and tuples: the first parts that are not equal decide, then the lengths. */
tsm_status tsm_pair_compare_as(tsm_context *ctx, tsm_pair a, tsm_pair b, const char *op, tsm_order *out_order) {
  for (int depth = 0; depth < TSM_VALUE_DEPTH; depth++) {
    if (a.tag != b.tag || (a.tag != TSM_LIST && a.tag != TSM_TUPLE)) return compare_leaves(ctx, a, b, op, out_order);
    bool is_list = a.tag == TSM_LIST;
    int64_t a_length = is_list ? ((tsm_list *)a.as.ref)->length : ((tsm_tuple *)a.as.ref)->length;
    int64_t b_length = is_list ? ((tsm_list *)b.as.ref)->length : ((tsm_tuple *)b.as.ref)->length;
    int64_t i = 0, n = a_length < b_length ? a_length : b_length;
    bool is_equal = true;
    for (; i < n; i++) {
      tsm_status status = tsm_charge_elements(ctx, TSM_COST_ITEM);
      if (status == TSM_OK) status = equal_deep(ctx, item_of(a.as.ref, i), item_of(b.as.ref, i), depth + 1, &is_equal);
      if (status != TSM_OK) return status;
      if (!is_equal) break;
    }
    if (is_equal) {
      *out_order = compare_lengths(a_length, b_length);
      return TSM_OK;
    }
    tsm_pair x = item_of(a.as.ref, i), y = item_of(b.as.ref, i);
    a = x;
    b = y;
  }
  return too_deep(ctx);
}

tsm_status tsm_pair_compare(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_order *out_order) {
  return tsm_pair_compare_as(ctx, a, b, "<", out_order);
}
