/* schema.c - operator schemas: "(Tensor self, int[1] dim, bool keepdim=False) -> Tensor" into tsm_schema.
 * In: the text column of ops.def; its grammar is in that file's legend. Out: parameters, results and type nodes in an
 * arena. Holds: equal types of one builder are one node, so kinds compare by pointer. */
#include "op.h"

typedef struct parser {
  const char *at;
  tsm_schema_builder *builder;
  const char *variables[8]; /* names in order of appearance: their number is their place */
  uint16_t variable_count;
  uint8_t fill;    /* n of the last int[n] */
  bool is_written; /* the last type carried a mark (a!) */
} parser;

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_space(parser *p) {
  while (*p->at == ' ') p->at++;
}

static bool take(parser *p, const char *token) {
  skip_space(p);
  size_t n = strlen(token);
  if (strncmp(p->at, token, n) != 0) return false;
  p->at += n;
  return true;
}

static size_t word_length(parser *p) {
  skip_space(p);
  size_t n = 0;
  while (is_word(p->at[n])) n++;
  return n;
}

static const char *copy_text(parser *p, const char *text, size_t length) {
  char *out = tsm_arena_alloc(p->builder->arena, length + 1, 1);
  if (out) memcpy(out, text, length);
  return out;
}

static tsm_layout layout_of(uint8_t kind, const tsm_type *member) {
  switch (kind) {
    case TSM_T_NONE: case TSM_T_INT: case TSM_T_DTYPE: case TSM_T_DEVICE: return TSM_L_I64;
    case TSM_T_BOOL: return TSM_L_U8;
    case TSM_T_FLOAT: return TSM_L_F64;
    case TSM_T_SCALAR: case TSM_T_ANY: case TSM_T_VAR: return TSM_L_PAIR;
    case TSM_T_OPTIONAL: return member->layout == TSM_L_REF ? TSM_L_REF : TSM_L_PAIR;
    default: return TSM_L_REF;
  }
}

static bool is_same(const tsm_type *a, const tsm_type *b) {
  if (a->kind != b->kind || a->count != b->count || a->is_variadic != b->is_variadic || a->id != b->id) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->members[i] != b->members[i]) return false;
  return (!a->name && !b->name) || (a->name && b->name && strcmp(a->name, b->name) == 0);
}

/* The one node equal to `like`, whose members may lie on the stack. NULL: no room. */
static const tsm_type *intern(parser *p, const tsm_type *like) {
  tsm_schema_builder *b = p->builder;
  for (size_t i = 0; i < b->type_count; i++)
    if (is_same(b->types[i], like)) return b->types[i];
  if (b->type_count == TSM_MAX_SCHEMA_TYPES) return NULL;
  tsm_type *node = tsm_arena_alloc(b->arena, 1, sizeof *node);
  const tsm_type **members = tsm_arena_alloc(b->arena, like->count, sizeof *members);
  if (!node || !members) return NULL;
  *node = *like;
  for (uint32_t i = 0; i < like->count; i++) members[i] = like->members[i];
  node->members = members;
  b->types[b->type_count++] = node;
  return node;
}

static const tsm_type *make_type(parser *p, uint8_t kind, const tsm_type **members, uint32_t count, bool variadic) {
  tsm_type t;
  memset(&t, 0, sizeof t);
  t.kind = kind;
  t.layout = (uint8_t)layout_of(kind, count ? members[0] : NULL);
  t.width = t.layout == TSM_L_PAIR ? 2 : 1;
  t.is_variadic = variadic;
  t.dtype = 255;
  t.rank = -1;
  t.count = count;
  t.members = members;
  return intern(p, &t);
}

static const tsm_type *make_variable(parser *p, const char *word, size_t length) {
  uint16_t i = 0;
  while (i < p->variable_count &&
         (strlen(p->variables[i]) != length || memcmp(p->variables[i], word, length) != 0))
    i++;
  if (i == p->variable_count) {
    const char *name = i < 8 ? copy_text(p, word, length) : NULL;
    if (!name) return NULL;
    p->variables[p->variable_count++] = name;
  }
  tsm_type t;
  memset(&t, 0, sizeof t);
  t.kind = TSM_T_VAR;
  t.layout = TSM_L_PAIR;
  t.width = 2;
  t.dtype = 255;
  t.rank = -1;
  t.id = i;
  t.name = p->variables[i];
  return intern(p, &t);
}

static const tsm_type *parse_type(parser *p);

static const tsm_type *parse_named(parser *p) {
  static const struct { char name[10]; uint8_t kind; } names[] = {
    {"Tensor", TSM_T_TENSOR}, {"int", TSM_T_INT}, {"float", TSM_T_FLOAT}, {"bool", TSM_T_BOOL},
    {"complex", TSM_T_COMPLEX}, {"str", TSM_T_STR}, {"bytes", TSM_T_BYTES}, {"None", TSM_T_NONE},
    {"Scalar", TSM_T_SCALAR}, {"Any", TSM_T_ANY}, {"dtype", TSM_T_DTYPE}, {"device", TSM_T_DEVICE},
    {"exception", TSM_T_EXCEPTION},
  };
  size_t n = word_length(p);
  const char *word = p->at;
  if (!n) return NULL;
  p->at += n;
  if (n == 4 && memcmp(word, "Dict", 4) == 0) {
    const tsm_type *members[2];
    if (!take(p, "(") || !(members[0] = parse_type(p)) || !take(p, ",")) return NULL;
    if (!(members[1] = parse_type(p)) || !take(p, ")")) return NULL;
    return make_type(p, TSM_T_DICT, members, 2, false);
  }
  bool is_frozen = n == 9 && memcmp(word, "FrozenSet", 9) == 0;
  if (is_frozen || (n == 3 && memcmp(word, "Set", 3) == 0)) {
    const tsm_type *member[1];
    if (!take(p, "(") || !(member[0] = parse_type(p)) || !take(p, ")")) return NULL;
    return make_type(p, is_frozen ? TSM_T_FROZENSET : TSM_T_SET, member, 1, false);
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i].name) == n && memcmp(names[i].name, word, n) == 0)
      return make_type(p, names[i].kind, NULL, 0, false);
  return n == 1 ? make_variable(p, word, n) : NULL;
}

/* An alias mark: "(a)" or "(a!)". */
static bool take_mark(parser *p) {
  const char *s = p->at;
  if (s[0] != '(' || s[1] < 'a' || s[1] > 'z') return false;
  bool is_written = s[2] == '!';
  if (s[2 + is_written] != ')') return false;
  if (is_written) p->is_written = true;
  p->at += 3 + is_written;
  return true;
}

/* `[]`, `[2]`, `?`, `(...)` and alias marks after a type. */
static const tsm_type *parse_suffixes(parser *p, const tsm_type *t) {
  while (t) {
    const tsm_type *members[1] = {t};
    if (*p->at == '[') {
      p->at++;
      p->fill = 0;
      while (*p->at >= '0' && *p->at <= '9' && p->fill < 20) p->fill = (uint8_t)(p->fill * 10 + (*p->at++ - '0'));
      if (*p->at != ']') return NULL;
      p->at++;
      t = make_type(p, TSM_T_LIST, members, 1, false);
    } else if (*p->at == '?') {
      p->at++;
      t = make_type(p, TSM_T_OPTIONAL, members, 1, false);
    } else if (strncmp(p->at, "(...)", 5) == 0) {
      p->at += 5;
      t = make_type(p, TSM_T_TUPLE, members, 1, true);
    } else if (!take_mark(p)) {
      return t;
    }
  }
  return NULL;
}

/* Items of "(A a, B b)" after the opening bracket; -1 when malformed. */
static int parse_items(parser *p, const tsm_type **out_members, int capacity) {
  int count = 0;
  if (take(p, ")")) return 0;
  do {
    if (count == capacity || !(out_members[count] = parse_type(p))) return -1;
    count++;
    size_t name = word_length(p);
    p->at += name;
  } while (take(p, ","));
  return take(p, ")") ? count : -1;
}

static const tsm_type *parse_type(parser *p) {
  const tsm_type *members[TSM_MAX_RESULTS];
  if (!take(p, "(")) return parse_suffixes(p, parse_named(p));
  int count = parse_items(p, members, TSM_MAX_RESULTS);
  return count < 0 ? NULL : parse_suffixes(p, make_type(p, TSM_T_TUPLE, members, (uint32_t)count, false));
}

static size_t default_length(const char *s) {
  size_t n = 0;
  int depth = 0;
  char quote = 0;
  for (; s[n]; n++) {
    char c = s[n];
    if (quote) { if (c == quote) quote = 0; continue; }
    if (c == '\'' || c == '"') quote = c;
    else if (c == '[') depth++;
    else if (c == ']') depth--;
    else if ((c == ',' || c == ')') && depth <= 0) break;
  }
  return n;
}

static bool parse_param(parser *p, tsm_param *out) {
  p->fill = 0;
  p->is_written = false;
  out->type = parse_type(p);
  size_t n = word_length(p);
  if (!out->type || !n || !(out->name = copy_text(p, p->at, n))) return false;
  p->at += n;
  out->fill = p->fill;
  out->is_written = p->is_written;
  if (!take(p, "=")) return true;
  n = default_length(p->at);
  if (!n || !(out->default_text = copy_text(p, p->at, n))) return false;
  p->at += n;
  return true;
}

static bool parse_params(parser *p, tsm_schema *out) {
  tsm_param params[TSM_MAX_PARAMS];
  memset(params, 0, sizeof params);
  bool keyword_only = false;
  if (!take(p, "(")) return false;
  if (!take(p, ")")) {
    do {
      if (take(p, "*,")) keyword_only = true;
      if (out->param_count == TSM_MAX_PARAMS || !parse_param(p, &params[out->param_count])) return false;
      params[out->param_count].is_keyword_only = keyword_only;
      if (!params[out->param_count++].default_text) out->required_count++;
    } while (take(p, ","));
    if (!take(p, ")")) return false;
  }
  tsm_param *copy = tsm_arena_alloc(p->builder->arena, out->param_count, sizeof *copy);
  if (!copy) return false;
  memcpy(copy, params, out->param_count * sizeof *copy);
  out->params = copy;
  return true;
}

/* "()" no result, "(A a, B b)" several, anything else one; "(k, v)[]" is one. */
static bool parse_results(parser *p, tsm_schema *out) {
  const tsm_type *types[TSM_MAX_RESULTS];
  int count = 1;
  if (take(p, "(")) {
    count = parse_items(p, types, TSM_MAX_RESULTS);
    if (count < 0) return false;
    if (*p->at) {
      types[0] = parse_suffixes(p, make_type(p, TSM_T_TUPLE, types, (uint32_t)count, false));
      count = 1;
    }
  } else {
    types[0] = parse_type(p);
  }
  skip_space(p);
  if (*p->at || (count && !types[0])) return false;
  const tsm_type **copy = tsm_arena_alloc(p->builder->arena, (size_t)count, sizeof *copy);
  if (!copy) return false;
  for (int i = 0; i < count; i++) copy[i] = types[i];
  out->results = copy;
  out->result_count = (uint16_t)count;
  return true;
}

bool tsm_schema_parse(tsm_schema_builder *builder, const char *text, tsm_schema *out_schema) {
  parser p;
  memset(&p, 0, sizeof p);
  p.at = text;
  p.builder = builder;
  memset(out_schema, 0, sizeof *out_schema);
  if (!parse_params(&p, out_schema) || !take(&p, "->") || !parse_results(&p, out_schema)) return false;
  out_schema->variable_count = p.variable_count;
  return true;
}
