/* literal.c - see literal.h. Recursion is limited by DEPTH. */
#include "literal.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 50 };

typedef struct parser { tsm_runtime *runtime; const char *at; int depth; } parser;

static bool parse(parser *p, const tsm_type *type, tsm_value *out);

static void skip_space(parser *p) {
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n') p->at++;
}

static bool take(parser *p, char c) {
  skip_space(p);
  if (*p->at != c) return false;
  p->at++;
  return true;
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool take_word(parser *p, const char *word) {
  size_t n = strlen(word);
  if (strncmp(p->at, word, n) != 0 || is_word_char(p->at[n])) return false;
  p->at += n;
  return true;
}

static const tsm_type *inner(const tsm_type *type) {
  return type && tsm_type_kind_of(type) == TSM_T_OPTIONAL ? tsm_type_member(type, 0) : type;
}

static bool is_kind(const tsm_type *type, tsm_type_kind kind) { return type && tsm_type_kind_of(type) == kind; }

/* float(text) by the library's own operator: strtod would depend on the host's locale. */
static bool parse_float(parser *p, const char *text, size_t length, tsm_value *out) {
  tsm_op_info op;
  tsm_value str;
  size_t i = 0;
  while (tsm_op_get(i, &op) == TSM_OK && (strcmp(op.name, "float") != 0 || strcmp(op.overload, "str") != 0)) i++;
  tsm_context *context = tsm_context_new(p->runtime, NULL);
  bool is_right = context && tsm_str_copy(p->runtime, text, length, &str) == TSM_OK;
  if (is_right) {
    is_right = tsm_op_call(context, i, &str, 1, out, NULL) == TSM_OK;
    tsm_release(str);
  }
  if (context) tsm_context_free(context);
  return is_right;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool parse_int(const char *text, size_t length, tsm_value *out) {
  bool is_negative = *text == '-';
  uint64_t whole = 0;
  for (size_t i = *text == '-' || *text == '+'; i < length; i++)
    if (__builtin_mul_overflow(whole, (uint64_t)10, &whole) || __builtin_add_overflow(whole, (uint64_t)(text[i] - '0'),
                                                                                      &whole))
      return false;
  if (whole > (uint64_t)INT64_MAX + is_negative) return false;
  *out = tsm_int(is_negative ? (int64_t)(0 - whole) : (int64_t)whole);
  return true;
}

static bool parse_number(parser *p, const tsm_type *type, tsm_value *out) {
  const char *start = p->at, *at = start;
  bool is_float = is_kind(inner(type), TSM_T_FLOAT);
  if (*at == '-' || *at == '+') at++;
  const char *digits = at;
  while (is_digit(*at) || *at == '.' || *at == 'e' || *at == 'E' || ((*at == '-' || *at == '+') && (at[-1] | 32) ==
                                                                     'e')) {
    is_float |= !is_digit(*at);
    at++;
  }
  if (at == digits || *digits == 'e' || *digits == 'E') return false;
  p->at = at;
  size_t length = (size_t)(at - start);
  return is_float ? parse_float(p, start, length, out) : parse_int(start, length, out);
}

/* As Python's numeric tower has it: a bool where a number is declared is that number. */
static tsm_value truth(bool value, const tsm_type *type) {
  if (is_kind(type, TSM_T_INT)) return tsm_int(value);
  return is_kind(type, TSM_T_FLOAT) ? tsm_float(value) : tsm_bool(value);
}

static bool parse_str(parser *p, tsm_value *out) {
  char quote = *p->at++;
  char *text = malloc(strlen(p->at) + 1);
  size_t n = 0;
  if (!text) return false;
  for (; *p->at && *p->at != quote; p->at++) {
    if (*p->at == '\\' && p->at[1]) {
      p->at++;
      text[n++] = *p->at == 'n' ? '\n' : *p->at == 't' ? '\t' : *p->at;
    } else {
      text[n++] = *p->at;
    }
  }
  bool is_closed = *p->at == quote && tsm_str_copy(p->runtime, text, n, out) == TSM_OK;
  if (is_closed) p->at++;
  free(text);
  return is_closed;
}

static tsm_kind element_kind(const tsm_type *type) {
  if (!type) return TSM_ANY;
  switch (tsm_type_kind_of(type)) {
    case TSM_T_INT: return TSM_INT;
    case TSM_T_FLOAT: return TSM_FLOAT;
    case TSM_T_BOOL: return TSM_BOOL;
    case TSM_T_STR: return TSM_STR;
    case TSM_T_LIST: return TSM_LIST;
    case TSM_T_DICT: return TSM_DICT;
    case TSM_T_SET: return TSM_SET;
    case TSM_T_TUPLE: return TSM_TUPLE;
    default: return TSM_ANY;
  }
}

/* Values between brackets; of a dict, keys and values in turn. */
typedef struct items { tsm_value *values; size_t count, reserved; } items;

static bool add_item(items *all, tsm_value item) {
  if (all->count == all->reserved) {
    size_t reserved = all->reserved ? 2 * all->reserved : 8;
    tsm_value *grown = realloc(all->values, reserved * sizeof *grown);
    if (!grown) {
      tsm_release(item);
      return false;
    }
    all->values = grown, all->reserved = reserved;
  }
  all->values[all->count++] = item;
  return true;
}

static void free_items(items *all) {
  for (size_t i = 0; i < all->count; i++) tsm_release(all->values[i]);
  free(all->values);
}

static bool parse_item(parser *p, const tsm_type *type, items *all) {
  tsm_value item;
  return parse(p, type, &item) && add_item(all, item);
}

/* Every `step`th item from `first` on is of this kind; otherwise the container is made for any, and whoever is called
 * with it says what it wanted. */
static tsm_kind common_kind(const items *all, size_t first, size_t step, tsm_kind wanted) {
  for (size_t i = first; i < all->count; i += step)
    if (all->values[i].kind != wanted) return TSM_ANY;
  return wanted;
}

static bool make_list(parser *p, const items *all, tsm_kind kind, tsm_value *out) {
  if (tsm_list_new(p->runtime, common_kind(all, 0, 1, kind), all->count, out) != TSM_OK) return false;
  for (size_t i = 0; i < all->count; i++)
    if (tsm_list_append(*out, all->values[i]) != TSM_OK) return false;
  return true;
}

static bool make_set(parser *p, const items *all, tsm_kind kind, tsm_value *out) {
  if (tsm_set_new(p->runtime, common_kind(all, 0, 1, kind), out) != TSM_OK) return false;
  for (size_t i = 0; i < all->count; i++)
    if (tsm_set_add(*out, all->values[i]) != TSM_OK) return false;
  return true;
}

static bool make_dict(parser *p, const items *all, tsm_kind key, tsm_kind value, tsm_value *out) {
  if (tsm_dict_new(p->runtime, common_kind(all, 0, 2, key), common_kind(all, 1, 2, value), out) != TSM_OK) return false;
  for (size_t i = 0; i < all->count; i += 2)
    if (tsm_dict_set(*out, all->values[i], all->values[i + 1]) != TSM_OK) return false;
  return true;
}

static const tsm_type *member_of(const tsm_type *type, tsm_type_kind kind, size_t i) {
  return is_kind(type, kind) ? tsm_type_member(type, i) : NULL;
}

static bool parse_list(parser *p, const tsm_type *type, tsm_value *out) {
  const tsm_type *element = member_of(type, TSM_T_LIST, 0);
  items all = {0};
  bool is_closed = take(p, ']'), is_right = true;
  while (is_right && !is_closed) {
    is_right = parse_item(p, element, &all);
    bool has_comma = is_right && take(p, ',');
    is_closed = is_right && take(p, ']');
    is_right = has_comma || is_closed;
  }
  is_right = is_right && make_list(p, &all, element_kind(element), out);
  free_items(&all);
  return is_right;
}

/* After '{': a dict, or a set when a comma or the end follows the first item. */
static bool parse_braces(parser *p, const tsm_type *type, tsm_value *out) {
  bool is_frozen = is_kind(type, TSM_T_FROZENSET);
  const tsm_type *element = member_of(type, is_frozen ? TSM_T_FROZENSET : TSM_T_SET, 0);
  const tsm_type *key = member_of(type, TSM_T_DICT, 0), *value = member_of(type, TSM_T_DICT, 1);
  items all = {0};
  bool is_closed = take(p, '}'), is_right = true, is_set = false;
  while (is_right && !is_closed) {
    is_right = parse_item(p, element ? element : key, &all);
    bool has_value = is_right && take(p, ':');
    if (all.count == 1) is_set = !has_value;
    is_right = is_right && has_value != is_set && (is_set || parse_item(p, value, &all));
    bool has_comma = is_right && take(p, ',');
    is_closed = is_right && take(p, '}');
    is_right = has_comma || is_closed;
  }
  if (is_right && !is_set) is_right = make_dict(p, &all, element_kind(key), element_kind(value), out);
  else if (is_right) is_right = make_set(p, &all, element_kind(element), out);
  if (is_right && is_set && is_frozen) is_right = tsm_set_freeze(out) == TSM_OK;
  free_items(&all);
  return is_right;
}

static const tsm_type *item_type(const tsm_type *type, size_t i) {
  if (!is_kind(type, TSM_T_TUPLE) && !is_kind(type, TSM_T_NAMED_TUPLE)) return NULL;
  return i < tsm_type_member_count(type) ? tsm_type_member(type, i) : NULL;
}

static bool parse_tuple(parser *p, const tsm_type *type, tsm_value *out) {
  items all = {0};
  bool is_closed = take(p, ')'), is_right = true, has_comma = false;
  while (is_right && !is_closed) {
    is_right = parse_item(p, item_type(type, all.count), &all);
    bool is_comma = is_right && take(p, ',');
    has_comma |= is_comma;
    is_closed = is_right && take(p, ')');
    is_right = is_comma || is_closed;
  }
  if (is_right && all.count == 1 && !has_comma) { /* brackets around one value */
    *out = all.values[0];
    tsm_retain(*out);
  } else {
    is_right = is_right && tsm_tuple_new(p->runtime, all.count, all.values, out) == TSM_OK;
  }
  free_items(&all);
  return is_right;
}

static bool parse(parser *p, const tsm_type *type, tsm_value *out) {
  bool is_right;
  *out = tsm_none();
  skip_space(p);
  if (++p->depth > DEPTH) return false;
  if (take_word(p, "None")) is_right = true;
  else if (take_word(p, "True")) *out = truth(true, inner(type)), is_right = true;
  else if (take_word(p, "False")) *out = truth(false, inner(type)), is_right = true;
  else if (*p->at == '\'' || *p->at == '"') is_right = parse_str(p, out);
  else if (take(p, '[')) is_right = parse_list(p, inner(type), out);
  else if (take(p, '(')) is_right = parse_tuple(p, inner(type), out);
  else if (take(p, '{')) is_right = parse_braces(p, inner(type), out);
  else is_right = parse_number(p, type, out);
  p->depth--;
  if (is_right) return true;
  tsm_release(*out);
  *out = tsm_none();
  return false;
}

bool literal_parse(tsm_runtime *runtime, const char *text, const tsm_type *type, tsm_value *out_value) {
  parser p = {runtime, text, 0};
  if (!parse(&p, type, out_value)) return false;
  skip_space(&p);
  if (!*p.at) return true;
  tsm_release(*out_value);
  *out_value = tsm_none();
  return false;
}
