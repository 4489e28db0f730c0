/* opdefault.c - default values of operator parameters: the text after `=` in a schema as slots.
 * In: "1", "1e-05", "None", "True", "[0, 1]", "'none'", "float32". Out: a value of the parameter's type. */
#include "op.h"

static bool parse_int(const char *s, size_t length, int64_t *out) {
  bool is_negative = length && *s == '-';
  int64_t value = 0;
  for (size_t i = is_negative; i < length; i++) {
    if (s[i] < '0' || s[i] > '9') return false;
    if (tsm_mul_overflows(value, 10, &value) || tsm_add_overflows(value, s[i] - '0', &value)) return false;
  }
  *out = is_negative ? -value : value;
  return length > (size_t)is_negative;
}

static tsm_pair int_pair(uint64_t tag, int64_t i) {
  tsm_pair p;
  p.tag = tag;
  p.as.i = i;
  return p;
}

static tsm_status ref_pair(tsm_object *o, tsm_pair *out) {
  if (!o) return TSM_ERR_MEMORY;
  out->tag = o->kind;
  out->as.ref = o;
  return TSM_OK;
}

/* "[0, 1]", or one int that fills a list of `fill`. */
static tsm_status int_list(tsm_heap *heap, const char *text, uint8_t fill, tsm_pair *out) {
  tsm_list *l = tsm_list_make(heap, TSM_L_I64, NULL, 0);
  if (!l) return TSM_ERR_MEMORY;
  size_t times = *text == '[' || !fill ? 1 : fill;
  const char *at = text + (*text == '[');
  while (*at && *at != ']') {
    size_t n = strcspn(at, ",]");
    tsm_slot slot;
    tsm_status status = parse_int(at, n, &slot.i) ? TSM_OK : TSM_ERR_ARGUMENT;
    for (size_t i = 0; i < times && status == TSM_OK; i++) status = tsm_list_push(l, &slot);
    if (status != TSM_OK) {
      tsm_unref(&l->head);
      return status;
    }
    at += n;
    at += strspn(at, ", ");
  }
  return ref_pair(&l->head, out);
}

static tsm_status number_pair(const char *text, tsm_pair *out) {
  int64_t i;
  size_t n = strlen(text);
  if (strcmp(text, "True") == 0 || strcmp(text, "False") == 0) {
    *out = int_pair(TSM_BOOL, *text == 'T');
  } else if (parse_int(text, n, &i)) {
    *out = int_pair(TSM_INT, i);
  } else {
    out->tag = TSM_FLOAT;
    if (!tsm_float_parse(text, n, &out->as.f)) return TSM_ERR_ARGUMENT;
  }
  return TSM_OK;
}

static tsm_status dtype_pair(const char *text, tsm_pair *out) {
  for (int d = 0; d < TSM_DTYPE_COUNT; d++) {
    if (strcmp(tsm_dtype_name((tsm_dtype)d), text) != 0) continue;
    *out = int_pair(TSM_DTYPE, d);
    return TSM_OK;
  }
  return TSM_ERR_ARGUMENT;
}

static tsm_status default_pair(tsm_heap *heap, const tsm_type *type, const char *text, uint8_t fill, tsm_pair *out) {
  tsm_status status = TSM_ERR_ARGUMENT;
  size_t n = strlen(text);
  switch (type->kind) {
    case TSM_T_OPTIONAL:
      if (strcmp(text, "None") != 0) return default_pair(heap, type->members[0], text, fill, out);
      *out = int_pair(TSM_NONE, 0);
      return TSM_OK;
    case TSM_T_STR:
      if (n < 2 || (*text != '\'' && *text != '"')) return TSM_ERR_ARGUMENT;
      return ref_pair((tsm_object *)tsm_str_new(heap, text + 1, n - 2), out);
    case TSM_T_LIST: return int_list(heap, text, fill, out);
    case TSM_T_DTYPE: return dtype_pair(text, out);
    case TSM_T_FLOAT:
      status = number_pair(text, out);
      if (status == TSM_OK && out->tag == TSM_INT) {
        double f = (double)out->as.i;
        out->tag = TSM_FLOAT;
        out->as.f = f;
      }
      return status;
    case TSM_T_INT: case TSM_T_BOOL: case TSM_T_SCALAR: return number_pair(text, out);
    default: return TSM_ERR_ARGUMENT;
  }
}

tsm_status tsm_param_default(tsm_heap *heap, const tsm_param *param, tsm_slot *out_slots) {
  if (!param->default_text) return TSM_ERR_ARGUMENT;
  tsm_pair pair;
  tsm_status status = default_pair(heap, param->type, param->default_text, param->fill, &pair);
  if (status != TSM_OK) return status;
  tsm_pair_to_slot((tsm_layout)param->type->layout, pair, out_slots);
  return TSM_OK;
}
