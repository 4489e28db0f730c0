/* text.c - str() and repr() of any value, as CPython 3.11 prints it.
 * In: pairs. Out: UTF-8 in a growing text.
 * Holds: containers that hold themselves print as "[...]"; nesting is followed to TSM_VALUE_DEPTH. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tensor/tensor.h"
#include "object/type.h"
#include "unicode.h"

void tsm_text_init(tsm_text *t, tsm_runtime *rt) {
  memset(t, 0, sizeof *t);
  t->rt = rt;
}

void tsm_text_free(tsm_text *t) {
  tsm_free(t->rt, t->bytes, t->capacity);
  tsm_text_init(t, t->rt);
}

static bool reserve(tsm_text *t, size_t more) {
  if (t->failed) return false;
  size_t need;
  if (tsm_add_overflows(t->length, more, &need)) need = SIZE_MAX;
  if (need <= t->capacity) return true;
  size_t capacity = t->capacity + t->capacity / 2 + 64;
  if (capacity < need) capacity = need;
  char *moved = need == SIZE_MAX ? NULL : tsm_realloc(t->rt, t->bytes, t->capacity, capacity);
  if (!moved) {
    t->failed = true;
    return false;
  }
  t->bytes = moved;
  t->capacity = capacity;
  return true;
}

void tsm_text_add(tsm_text *t, const char *bytes, size_t length) {
  if (!reserve(t, length)) return;
  if (length) memcpy(t->bytes + t->length, bytes, length);
  t->length += length;
}

void tsm_text_append(tsm_text *t, const tsm_text *part) {
  t->failed |= part->failed;
  tsm_text_add(t, part->bytes, part->length);
}

tsm_noted tsm_text_raise(tsm_context *ctx, const tsm_text *t) {
  if (t->is_too_deep)
    return tsm_raise(ctx, "RecursionError", "maximum recursion depth exceeded while getting the repr of an object");
  if (t->lacks_tables)
    return tsm_raise(ctx, "ValueError", "repr() of text beyond ASCII: this build has no Unicode tables");
  bool is_trap = t->ctx == ctx && (ctx->status == TSM_ERR_FUEL || ctx->status == TSM_ERR_CANCELLED);
  return is_trap ? ctx->status : tsm_out_of_memory(ctx);
}

void tsm_text_format(tsm_text *t, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length >= 0 && reserve(t, (size_t)length + 1)) {
    vsnprintf(t->bytes + t->length, (size_t)length + 1, format, again);
    t->length += (size_t)length;
  }
  va_end(again);
}

static void add(tsm_text *t, const char *s) { tsm_text_add(t, s, strlen(s)); }

static void add_int(tsm_text *t, int64_t i) {
  char digits[24];
  size_t at = sizeof digits;
  uint64_t n = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
  do digits[--at] = (char)('0' + n % 10);
  while (n /= 10);
  if (i < 0) digits[--at] = '-';
  tsm_text_add(t, digits + at, sizeof digits - at);
}

static void add_float(tsm_text *t, double f) {
  char out[TSM_FLOAT_TEXT];
  tsm_text_add(t, out, tsm_float_repr(f, out));
}

/* A part of a complex number: a float without a trailing ".0". */
static void add_part(tsm_text *t, double f, bool with_sign) {
  char out[TSM_FLOAT_TEXT];
  size_t n = tsm_float_repr(f, out);
  if (n > 2 && out[n - 1] == '0' && out[n - 2] == '.') n -= 2;
  if (with_sign && out[0] != '-') add(t, "+");
  tsm_text_add(t, out, n);
}

static void add_complex(tsm_text *t, const tsm_complex *c) {
  bool is_imaginary = c->re == 0 && !signbit(c->re);
  if (!is_imaginary) {
    add(t, "(");
    add_part(t, c->re, false);
  }
  add_part(t, c->im, !is_imaginary);
  add(t, is_imaginary ? "j" : "j)");
}

static void add_hex(tsm_text *t, char letter, uint32_t c, int digits) {
  char out[10] = {'\\', letter};
  for (int i = 0; i < digits; i++) out[2 + i] = "0123456789abcdef"[c >> (4 * (digits - 1 - i)) & 15];
  tsm_text_add(t, out, (size_t)digits + 2);
}

static void add_quoted_char(tsm_text *t, const char *at, size_t length, uint32_t c, char quote) {
  char escaped[2] = {'\\', (char)c};
  if (c == '\n') escaped[1] = 'n';
  if (c == '\r') escaped[1] = 'r';
  if (c == '\t') escaped[1] = 't';
  if (c == '\n' || c == '\r' || c == '\t' || c == '\\' || c == (uint32_t)quote) tsm_text_add(t, escaped, 2);
  else if (!tsm_char_is_known(c)) t->failed = t->lacks_tables = true;
  else if (tsm_char_flags(c) & TSM_CHAR_PRINTABLE) tsm_text_add(t, at, length);
  else if (c < 0x100) add_hex(t, 'x', c, 2);
  else if (c < 0x10000) add_hex(t, 'u', c, 4);
  else add_hex(t, 'U', c, 8);
}

static char choose_quote(const void *bytes, size_t length) {
  bool has_single = length && memchr(bytes, '\'', length), has_double = length && memchr(bytes, '"', length);
  return has_single && !has_double ? '"' : '\'';
}

/* Charges for the next characters of a text; the text has failed when that fails. */
static void pay_chars(tsm_text *t, size_t at, size_t length, size_t *paid) {
  size_t part = length - at < 4096 ? length - at : 4096;
  t->failed = t->failed || !tsm_pay(t->ctx, (int64_t)part, 2 * TSM_COST_CHAR);
  *paid = at + part;
}

static void add_quoted(tsm_text *t, const char *bytes, size_t length) {
  char quote = choose_quote(bytes, length);
  tsm_text_add(t, &quote, 1);
  for (size_t i = 0, paid = 0; i < length && !t->failed;) {
    size_t n;
    if (i >= paid) pay_chars(t, i, length, &paid);
    uint32_t c = tsm_utf8_decode(bytes + i, &n);
    add_quoted_char(t, bytes + i, n, c, quote);
    i += n;
  }
  tsm_text_add(t, &quote, 1);
}

static void add_bytes(tsm_text *t, const tsm_bytes *b) {
  char quote = choose_quote(b->bytes, b->length);
  add(t, "b");
  tsm_text_add(t, &quote, 1);
  size_t paid = 0;
  for (uint32_t i = 0; i < b->length && !t->failed; i++) {
    if (i >= paid) pay_chars(t, i, b->length, &paid);
    char c = (char)b->bytes[i];
    if (b->bytes[i] < 0x7f) add_quoted_char(t, &c, 1, b->bytes[i], quote);
    else add_hex(t, 'x', b->bytes[i], 2);
  }
  tsm_text_add(t, &quote, 1);
}

/* The containers around the one being printed. */
typedef struct chain { const tsm_object *o; const struct chain *outer; int depth; } chain;

static void add_repr(tsm_text *t, tsm_pair p, const chain *outer);

static void add_list(tsm_text *t, const tsm_list *l, const chain *here) {
  bool is_deque = tsm_is_deque(&l->head);
  add(t, is_deque ? "deque([" : "[");
  for (int64_t i = 0; i < l->length && !t->failed; i++) {
    if (i) add(t, ", ");
    add_repr(t, tsm_list_peek(l, i), here);
  }
  add(t, "]");
  if (is_deque && l->limit) tsm_text_format(t, ", maxlen=%lld", (long long)l->limit - 1);
  if (is_deque) add(t, ")");
}

static void add_dict(tsm_text *t, const tsm_dict *d, const chain *here) {
  int64_t position = 0;
  bool is_first = true;
  add(t, "{");
  for (tsm_dict_entry *e; !t->failed && (e = tsm_dict_pass(t->ctx, d, &position)); is_first = false) {
    if (!is_first) add(t, ", ");
    add_repr(t, e->key, here);
    if (d->head.kind != TSM_DICT) continue;
    add(t, ": ");
    add_repr(t, e->value, here);
  }
  add(t, "}");
}

/* By count, the largest first; equal ones as they came. */
static int compare_counts(const void *a, const void *b) {
  const tsm_dict_entry *x = *(const tsm_dict_entry *const *)a, *y = *(const tsm_dict_entry *const *)b;
  if (x->value.as.i != y->value.as.i) return x->value.as.i < y->value.as.i ? 1 : -1;
  return (x > y) - (x < y);
}

/* Counter({'b': 2, 'a': 1}). */
static void add_counter(tsm_text *t, const tsm_dict *d, const chain *here) {
  size_t count = 0;
  int64_t position = 0;
  const tsm_dict_entry **sorted = tsm_alloc_array(t->rt, (size_t)d->length, sizeof *sorted);
  t->failed = t->failed || !sorted || !tsm_pay(t->ctx, d->used, 4 * TSM_COST_ENTRY);
  for (tsm_dict_entry *e; !t->failed && (e = tsm_dict_pass(t->ctx, d, &position));) sorted[count++] = e;
  if (!t->failed) qsort(sorted, count, sizeof *sorted, compare_counts);
  for (size_t i = 0; i < count && !t->failed; i++) {
    add(t, i ? ", " : "({");
    add_repr(t, sorted[i]->key, here);
    add(t, ": ");
    add_repr(t, sorted[i]->value, here);
  }
  add(t, "})");
  tsm_free(t->rt, sorted, (size_t)d->length * sizeof *sorted);
}

/* OrderedDict([('a', 1), ('b', 2)]). */
static void add_ordered(tsm_text *t, const tsm_dict *d, const chain *here) {
  int64_t position = 0;
  const char *before = "([(";
  for (tsm_dict_entry *e; !t->failed && (e = tsm_dict_pass(t->ctx, d, &position)); before = "), (") {
    add(t, before);
    add_repr(t, e->key, here);
    add(t, ", ");
    add_repr(t, e->value, here);
  }
  add(t, ")])");
}

/* defaultdict(<class 'list'>, {'a': [1]}): its factory is the class of its values, or a function. */
static void add_defaultdict(tsm_text *t, const tsm_dict *d, const chain *here, bool is_again) {
  const tsm_type *made = d->head.type->members[1];
  bool is_class = d->head.type->dict_class == TSM_DEFAULTDICT;
  tsm_text_format(t, is_class ? "(<class '%s%s'>, " : "(<function>, ", made->dict_class ? "collections." : "",
                  tsm_type_kind_name(made));
  if (is_again) add(t, "{...}");
  else add_dict(t, d, here);
  add(t, ")");
}

/* A dict of one of the subclasses; `is_again`: inside of itself. */
static void add_dict_class(tsm_text *t, const tsm_dict *d, const chain *here, bool is_again) {
  uint16_t number = tsm_dict_class_of(&d->head);
  if (is_again && number == TSM_ORDERED_DICT) {
    add(t, "...");
    return;
  }
  add(t, tsm_type_name(d->head.type));
  if (number >= TSM_DEFAULTDICT) add_defaultdict(t, d, here, is_again);
  else if (!d->length) add(t, "()");
  else if (number == TSM_ORDERED_DICT) add_ordered(t, d, here);
  else add_counter(t, d, here);
}

/* A named tuple's class, without the module: "max" of "tsm.return_types.max". */
static const char *own_name(const tsm_type *type) {
  const char *name = tsm_type_name(type), *dot = strrchr(name, '.');
  return dot ? dot + 1 : name;
}

static void add_items(tsm_text *t, const tsm_tuple *tuple, const tsm_type *named, const chain *here) {
  for (int64_t i = 0; i < tuple->length && !t->failed; i++) {
    if (i) add(t, ", ");
    const char *name = named ? tsm_type_member_name(named, (size_t)i) : NULL;
    if (name) {
      add(t, name);
      add(t, "=");
    }
    add_repr(t, tuple->items[i], here);
  }
}

static void add_tuple(tsm_text *t, const tsm_tuple *tuple, const chain *here) {
  const tsm_type *type = tuple->head.type;
  const tsm_type *named = type && type->kind == TSM_T_NAMED_TUPLE ? type : NULL;
  bool is_size = tuple->head.flags & TSM_OBJ_SIZE;
  if (named) add(t, own_name(named));
  add(t, is_size ? "tsm.Size([" : "(");
  add_items(t, tuple, named, here);
  add(t, is_size ? "])" : tuple->length == 1 && !named ? ",)" : ")");
}

/* "[...]" for a container inside of itself; true when it was. */
static bool is_inside_itself(tsm_text *t, const tsm_object *o, const chain *outer) {
  for (const chain *c = outer; c; c = c->outer) {
    if (c->o != o) continue;
    if (o->kind == TSM_DICT && tsm_dict_class_of(o)) add_dict_class(t, (const tsm_dict *)o, outer, true);
    else
    add(t, o->kind == TSM_LIST ? "[...]" : o->kind == TSM_TUPLE ? "(...)" : "{...}");
    return true;
  }
  return false;
}

static void add_container(tsm_text *t, const tsm_object *o, const chain *outer) {
  chain here = {o, outer, outer ? outer->depth + 1 : 1};
  if (!tsm_pay(t->ctx, here.depth, TSM_COST_STEP)) t->failed = true;
  if (is_inside_itself(t, o, outer)) return;
  if (here.depth > TSM_VALUE_DEPTH) {
    t->failed = t->is_too_deep = true;
    return;
  }
  if (o->kind == TSM_LIST) add_list(t, (const tsm_list *)o, &here);
  else if (o->kind == TSM_TUPLE) add_tuple(t, (const tsm_tuple *)o, &here);
  else if (o->kind == TSM_SET && !((const tsm_dict *)o)->length) add(t, "set()");
  else if (tsm_dict_class_of(o)) add_dict_class(t, (const tsm_dict *)o, &here, false);
  else if (o->kind != TSM_FROZENSET) add_dict(t, (const tsm_dict *)o, &here);
  else {
    add(t, "frozenset(");
    if (((const tsm_dict *)o)->length) add_dict(t, (const tsm_dict *)o, &here);
    add(t, ")");
  }
}

static const tsm_type *enum_type(const tsm_text *t, uint64_t tag) {
  uint64_t number = tag >> 32;
  const tsm_type *type = t->heap && number < t->heap->type_count ? t->heap->types[number] : NULL;
  return type && type->kind == TSM_T_ENUM ? type : NULL;
}

/* The class's own name, without those of what it is defined in. */
static const char *enum_name(const tsm_type *type) {
  const char *name = tsm_type_name(type), *dot = strrchr(name, '.');
  return dot ? dot + 1 : name;
}

static void add_enum(tsm_text *t, tsm_pair p, bool is_repr, const chain *outer) {
  const tsm_type *type = enum_type(t, p.tag);
  const char *name = type ? tsm_type_member_name(type, (size_t)p.as.bits) : NULL;
  if (!name) {
    tsm_text_format(t, "<enum %u.%lld>", (unsigned)(p.tag >> 32), (long long)p.as.i);
    return;
  }
  bool is_named = *name < '0' || *name > '9'; /* a combination of flags may have no name */
  tsm_text_format(t, "%s%s", is_repr ? "<" : "", enum_name(type));
  if (is_named || !is_repr) tsm_text_format(t, is_named ? ".%s" : "(%s)", name);
  if (!is_repr) return;
  add(t, ": ");
  if (type->enum_values) add_repr(t, type->enum_values[p.as.bits], outer);
  add(t, ">");
}

static void add_exception(tsm_text *t, const tsm_exception *e, const chain *outer) {
  const chain here = {NULL, outer, outer ? outer->depth + 1 : 1}; /* one of its arguments may hold it */
  t->is_too_deep |= here.depth > TSM_VALUE_DEPTH;
  t->failed |= t->is_too_deep;
  tsm_text_add(t, e->name->bytes, tsm_exception_name_length(e->name->bytes));
  add(t, "(");
  if (e->args) {
    for (int64_t i = 0; i < e->args->length; i++) {
      if (i) add(t, ", ");
      add_repr(t, e->args->items[i], &here);
    }
  } else if (tsm_exception_is_key(e->name->bytes)) { /* its message is the repr of its argument already */
    tsm_text_add(t, e->message->bytes, e->message->length);
  } else if (e->message->length) {
    add_quoted(t, e->message->bytes, e->message->length);
  }
  add(t, ")");
}

static void add_object(tsm_text *t, const tsm_object *o) {
  const char *name = o->type && o->type->qualified ? o->type->qualified : o->type ? tsm_type_name(o->type) : "object";
  tsm_text_format(t, "<%s object>", name);
}

static void add_reference(tsm_text *t, const tsm_object *o, const chain *outer) {
  switch (o->kind) {
    case TSM_COMPLEX: add_complex(t, (const tsm_complex *)o); break;
    case TSM_STR: add_quoted(t, ((const tsm_str *)o)->bytes, ((const tsm_str *)o)->length); break;
    case TSM_BYTES: add_bytes(t, (const tsm_bytes *)o); break;
    case TSM_TENSOR: tsm_text_tensor(t, (const tsm_tensor *)o); break;
    case TSM_LIST: case TSM_DICT: case TSM_SET: case TSM_TUPLE: case TSM_FROZENSET:
      add_container(t, o, outer);
      break;
    case TSM_EXCEPTION: add_exception(t, (const tsm_exception *)o, outer); break;
    case TSM_FUNCTION: add(t, "<function>"); break;
    case TSM_CELL: add(t, "<cell>"); break;
    default: add_object(t, o); break;
  }
}

static void add_repr(tsm_text *t, tsm_pair p, const chain *outer) {
  if (t->ctx && tsm_charge(t->ctx, 2) != TSM_OK) t->failed = true;
  if (t->failed) return;
  switch (TSM_TAG_KIND(p.tag)) {
    case TSM_NONE: add(t, "None"); break;
    case TSM_BOOL: add(t, p.as.i ? "True" : "False"); break;
    case TSM_INT: add_int(t, p.as.i); break;
    case TSM_FLOAT: add_float(t, p.as.f); break;
    case TSM_DTYPE:
      add(t, "tsm.");
      add(t, p.as.bits < TSM_DTYPE_NAMES ? tsm_dtype_name((tsm_dtype)p.as.i) : "dtype");
      break;
    case TSM_DEVICE: add(t, "device(type='cpu')"); break;
    case TSM_ENUM: add_enum(t, p, true, outer); break;
    default:
      if (p.as.ref) add_reference(t, p.as.ref, outer);
      else add(t, "None");
      break;
  }
}

void tsm_text_repr(tsm_text *t, tsm_pair p) { add_repr(t, p, NULL); }

/* str() of the only argument, repr() of it for a KeyError, repr() of the tuple of several. */
void tsm_text_args(tsm_text *t, const char *name, tsm_tuple *args) {
  if (args->length > 1) tsm_text_repr(t, (tsm_pair){TSM_TUPLE, {.ref = &args->head}});
  else if (args->length && tsm_exception_is_key(name)) tsm_text_repr(t, args->items[0]);
  else if (args->length) tsm_text_str(t, args->items[0]);
}

static bool is_only_exception(const tsm_exception *e) {
  return e->args && e->args->length == 1 && e->args->items[0].tag == TSM_EXCEPTION &&
      !tsm_exception_is_key(e->name->bytes);
}

/* Arguments that can change may have done so since the message was made. */
static bool is_stale(tsm_context *ctx, const tsm_exception *e) {
  return e->args && !tsm_pair_is_plain(ctx, (tsm_pair){TSM_TUPLE, {.ref = &e->args->head}});
}

static void add_message(tsm_text *t, const tsm_exception *e) {
  while (is_only_exception(e)) e = (const tsm_exception *)e->args->items[0].as.ref;
  if (is_stale(t->ctx, e)) tsm_text_args(t, e->name->bytes, e->args);
  else tsm_text_add(t, e->message->bytes, e->message->length);
}

void tsm_text_str(tsm_text *t, tsm_pair p) {
  if (p.tag == TSM_STR) tsm_text_add(t, ((tsm_str *)p.as.ref)->bytes, ((tsm_str *)p.as.ref)->length);
  else if (p.tag == TSM_EXCEPTION) add_message(t, (const tsm_exception *)p.as.ref);
  else if (p.tag == TSM_DEVICE) add(t, "cpu");
  else if (TSM_TAG_KIND(p.tag) == TSM_ENUM) add_enum(t, p, false, NULL);
  else tsm_text_repr(t, p);
}

void tsm_text_type_name(tsm_text *t, tsm_pair p) {
  static const char small[][9] = {"NoneType", "bool", "int", "float", "dtype", "device", "Enum"};
  static const char large[][10] = {"complex", "str",   "bytes",  "Tensor",    "list",     "dict",
                                   "set",     "tuple", "object", "Exception", "function", "cell",
                                   "frozenset"};
  uint64_t kind = p.tag & 255u;
  const tsm_object *o = kind >= TSM_FIRST_REF ? p.as.ref : NULL;
  if (kind == TSM_ENUM && enum_type(t, p.tag)) add(t, enum_name(enum_type(t, p.tag)));
  else if (kind <= TSM_ENUM) add(t, small[kind]);
  else if (!o) add(t, "NoneType");
  else if (kind == TSM_EXCEPTION) {
    const char *name = ((const tsm_exception *)o)->name->bytes;
    tsm_text_add(t, name, tsm_exception_name_length(name));
  }
  else if (o->type && o->type->kind == TSM_T_NAMED_TUPLE) add(t, own_name(o->type));
  else if (o->type && o->type->name && *o->type->name) add(t, o->type->name);
  else if (kind <= TSM_FROZENSET) add(t, large[kind - TSM_FIRST_REF]);
}
