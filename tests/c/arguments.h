/* arguments.h - values made from types: arguments for methods that nobody knows.
 * In: a type of a program, a random state. Out: a value that fits it, owned by the caller, or TSM_ERR_LIMIT for types
 * that a host cannot make values of, or that are too deep. */
#ifndef TSM_TEST_ARGUMENTS_H
#define TSM_TEST_ARGUMENTS_H

#include "../../runtime_c/include/tsm.h"

typedef struct value_maker { tsm_runtime *runtime; uint64_t *random; } value_maker;

/* A number below n, 0 if n is 0 (splitmix64). */
static inline size_t random_below(uint64_t *state, size_t n) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return n ? (size_t)(z % n) : 0;
}

static inline tsm_status make_value(value_maker *m, const tsm_type *type, int depth, tsm_value *out);

static inline tsm_status make_tuple(value_maker *m, const tsm_type *type, int depth, tsm_value *out) {
  tsm_value items[8];
  size_t count = tsm_type_member_count(type);
  if (count > 8) return TSM_ERR_LIMIT;
  size_t made = 0;
  tsm_status status = TSM_OK;
  while (made < count && !(status = make_value(m, tsm_type_member(type, made), depth + 1, &items[made])))
    made++;
  if (!status) status = tsm_tuple_new(m->runtime, count, items, out);
  tsm_release_all(items, made);
  return status;
}

static inline tsm_kind kind_of(const tsm_type *type) {
  switch (tsm_type_kind_of(type)) {
    case TSM_T_INT: return TSM_INT;
    case TSM_T_FLOAT: return TSM_FLOAT;
    case TSM_T_BOOL: return TSM_BOOL;
    case TSM_T_STR: return TSM_STR;
    case TSM_T_TENSOR: return TSM_TENSOR;
    case TSM_T_LIST: return TSM_LIST;
    case TSM_T_DICT: return TSM_DICT;
    case TSM_T_TUPLE: return TSM_TUPLE;
    default: return TSM_ANY;
  }
}

static inline tsm_status make_list(value_maker *m, const tsm_type *type, int depth, tsm_value *out) {
  const tsm_type *element = tsm_type_member(type, 0);
  tsm_status status = tsm_list_new(m->runtime, kind_of(element), 0, out);
  for (size_t i = 0; !status && i < 3; i++) {
    tsm_value item;
    if ((status = make_value(m, element, depth + 1, &item))) break;
    status = tsm_list_append(*out, item);
    tsm_release(item);
  }
  if (status && out->kind == TSM_LIST) tsm_release(*out);
  return status;
}

static inline tsm_status make_dict(value_maker *m, const tsm_type *type, int depth, tsm_value *out) {
  const tsm_type *key_type = tsm_type_member(type, 0), *value_type = tsm_type_member(type, 1);
  tsm_value key, value;
  tsm_status status = tsm_dict_new(m->runtime, kind_of(key_type), kind_of(value_type), out);
  if (status) return status;
  if (!(status = make_value(m, key_type, depth + 1, &key))) {
    if (!(status = make_value(m, value_type, depth + 1, &value))) {
      status = tsm_dict_set(*out, key, value);
      tsm_release(value);
    }
    tsm_release(key);
  }
  if (status) tsm_release(*out);
  return status;
}

/* Sixteen numbers in one of some shapes: floats, or indices below 4. */
static inline tsm_status make_tensor(value_maker *m, tsm_value *out) {
  static const float floats[16] = {1, -2, 0.5f, 3, 0, 1e9f, -1, 2, 4, 8, -16, 0.25f, 7, 6, 5, 4};
  static const int64_t indices[16] = {0, 1, 2, 3, 3, 2, 1, 0, 0, 0, 1, 1, 2, 2, 3, 3};
  static const int64_t shapes[4][4] = {{4, 4}, {16}, {1, 1, 4, 4}, {2, 2, 4}};
  static const size_t ranks[4] = {2, 1, 4, 3};
  size_t pick = random_below(m->random, 4);
  bool is_index = random_below(m->random, 4) == 0;
  return tsm_tensor_copy(m->runtime, is_index ? TSM_I64 : TSM_F32, ranks[pick], shapes[pick], NULL,
                         is_index ? (const void *)indices : floats, out);
}

/* At Any: an int, a str or a list of both. */
static inline tsm_status make_any(value_maker *m, tsm_value *out) {
  size_t pick = random_below(m->random, 4);
  *out = tsm_int((int64_t)random_below(m->random, 9) - 2);
  if (pick < 2) return TSM_OK;
  tsm_value text, item = *out;
  tsm_status status = tsm_str_copy(m->runtime, "any", 3, &text);
  *out = text;
  if (status || pick == 2) return status;
  if (!(status = tsm_list_new(m->runtime, TSM_ANY, 2, out)) && !(status = tsm_list_append(*out, text)))
    status = tsm_list_append(*out, item);
  tsm_release(text);
  if (status) tsm_release(*out);
  return status;
}

static inline tsm_status make_value(value_maker *m, const tsm_type *type, int depth, tsm_value *out) {
  *out = tsm_none();
  if (depth > 6) return TSM_ERR_LIMIT;
  switch (tsm_type_kind_of(type)) {
    case TSM_T_NONE: return TSM_OK;
    case TSM_T_OPTIONAL:
      return random_below(m->random, 2) ? make_value(m, tsm_type_member(type, 0), depth + 1, out) : TSM_OK;
    case TSM_T_BOOL: *out = tsm_bool(random_below(m->random, 2)); return TSM_OK;
    case TSM_T_INT: case TSM_T_SCALAR: *out = tsm_int((int64_t)random_below(m->random, 9) - 2); return TSM_OK;
    case TSM_T_ANY: return make_any(m, out);
    case TSM_T_FLOAT: *out = tsm_float((double)random_below(m->random, 9) * 0.75 - 2.0); return TSM_OK;
    case TSM_T_STR: return tsm_str_copy(m->runtime, "b\xc3\xa9 c", 5, out);
    case TSM_T_TENSOR: return make_tensor(m, out);
    case TSM_T_LIST: return make_list(m, type, depth, out);
    case TSM_T_DICT: return make_dict(m, type, depth, out);
    case TSM_T_TUPLE: return make_tuple(m, type, depth, out);
    case TSM_T_UNION:
      return make_value(m, tsm_type_member(type, random_below(m->random, tsm_type_member_count(type))), depth + 1, out);
    default: return TSM_ERR_LIMIT;
  }
}

/* Arguments for a method, at most `room`: `out_args` in order, and for the last `*out_named` of them, which are
 * keyword-only, their names. Returns how many could be made, from the first on. */
static inline size_t make_arguments(value_maker *m, const tsm_method_info *info, size_t room, tsm_value *out_args,
                                    const char **out_names, size_t *out_named) {
  size_t made = 0;
  *out_named = 0;
  while (made < info->param_count && made < room && !make_value(m, info->params[made].type, 0, &out_args[made])) {
    if (info->params[made].keyword_only) out_names[(*out_named)++] = info->params[made].name;
    made++;
  }
  return made;
}

#endif
