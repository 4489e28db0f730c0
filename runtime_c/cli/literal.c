/* literal.c - see literal.h. Recursion is limited by DEPTH. */
#include "literal.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 50, MAX_ITEMS = 10000 };

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
    case TSM_T_TUPLE: return TSM_TUPLE;
    default: return TSM_ANY;
  }
}

static bool parse_list(parser *p, const tsm_type *type, tsm_value *out) {
  const tsm_type *element = is_kind(type, TSM_T_LIST) ? tsm_type_member(type, 0) : NULL;
  if (tsm_list_new(p->runtime, element_kind(element), 0, out) != TSM_OK) return false;
  while (!take(p, ']')) {
    tsm_value item;
    if (!parse(p, element, &item)) return false;
    bool is_added = tsm_list_append(*out, item) == TSM_OK;
    tsm_release(item);
    if (!is_added) return false;
    if (!take(p, ',')) return take(p, ']');
  }
  return true;
}

static bool parse_dict(parser *p, const tsm_type *type, tsm_value *out) {
  const tsm_type *key_type = is_kind(type, TSM_T_DICT) ? tsm_type_member(type, 0) : NULL;
  const tsm_type *value_type = is_kind(type, TSM_T_DICT) ? tsm_type_member(type, 1) : NULL;
  if (tsm_dict_new(p->runtime, element_kind(key_type), element_kind(value_type), out) != TSM_OK) return false;
  while (!take(p, '}')) {
    tsm_value key, value = tsm_none();
    if (!parse(p, key_type, &key)) return false;
    bool is_added = take(p, ':') && parse(p, value_type, &value) && tsm_dict_set(*out, key, value) == TSM_OK;
    tsm_release(key);
    tsm_release(value);
    if (!is_added) return false;
    if (!take(p, ',')) return take(p, '}');
  }
  return true;
}

static const tsm_type *item_type(const tsm_type *type, size_t i) {
  if (!is_kind(type, TSM_T_TUPLE) && !is_kind(type, TSM_T_NAMED_TUPLE)) return NULL;
  return i < tsm_type_member_count(type) ? tsm_type_member(type, i) : NULL;
}

static bool parse_tuple(parser *p, const tsm_type *type, tsm_value *out) {
  tsm_value *items = calloc(MAX_ITEMS, sizeof *items);
  size_t n = 0;
  bool is_right = items != NULL, has_comma = false, is_closed = is_right && take(p, ')');
  while (is_right && !is_closed) {
    is_right = n < MAX_ITEMS && parse(p, item_type(type, n), &items[n]);
    if (is_right) n++;
    bool is_comma = is_right && take(p, ',');
    has_comma |= is_comma;
    is_closed = is_right && take(p, ')');
    is_right = is_right && (is_comma || is_closed);
  }
  if (is_right && n == 1 && !has_comma) { /* brackets around one value */
    *out = items[0];
    free(items);
    return true;
  }
  is_right = is_right && tsm_tuple_new(p->runtime, n, items, out) == TSM_OK;
  if (items) tsm_release_all(items, n);
  free(items);
  return is_right;
}

static bool parse(parser *p, const tsm_type *type, tsm_value *out) {
  bool is_right;
  *out = tsm_none();
  skip_space(p);
  if (++p->depth > DEPTH) return false;
  if (take_word(p, "None")) is_right = true;
  else if (take_word(p, "True")) *out = tsm_bool(true), is_right = true;
  else if (take_word(p, "False")) *out = tsm_bool(false), is_right = true;
  else if (*p->at == '\'' || *p->at == '"') is_right = parse_str(p, out);
  else if (take(p, '[')) is_right = parse_list(p, inner(type), out);
  else if (take(p, '(')) is_right = parse_tuple(p, inner(type), out);
  else if (take(p, '{')) is_right = parse_dict(p, inner(type), out);
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
