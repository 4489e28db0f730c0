/* typeinfo.c - what a type is, for the host; and which values fit it.
 * In: type nodes of a program or a schema. Out: accessors, Python spelling, checks of values. */
#include "base/context.h"
#include "tensor/tensor.h"
#include "type.h"

tsm_type_kind tsm_type_kind_of(const tsm_type *type) { return (tsm_type_kind)type->kind; }

size_t tsm_type_member_count(const tsm_type *type) { return type->count; }

const tsm_type *tsm_type_member(const tsm_type *type, size_t index) {
  return index < type->count && type->members ? type->members[index] : NULL;
}

const char *tsm_type_member_name(const tsm_type *type, size_t index) {
  return index < type->count && type->member_names ? type->member_names[index] : NULL;
}

const char *tsm_type_name(const tsm_type *type) { return type->name ? type->name : ""; }

const char *tsm_type_qualified_name(const tsm_type *type) {
  return type->qualified ? type->qualified : tsm_type_name(type);
}

const tsm_type *tsm_value_type(tsm_value value) {
  return value.kind >= TSM_FIRST_REF && value.as.ref ? value.as.ref->type : NULL;
}

static const char *plain_name(uint8_t kind) {
  switch (kind) {
    case TSM_T_NONE: return "None";
    case TSM_T_BOOL: return "bool";
    case TSM_T_INT: return "int";
    case TSM_T_FLOAT: return "float";
    case TSM_T_COMPLEX: return "complex";
    case TSM_T_STR: return "str";
    case TSM_T_BYTES: return "bytes";
    case TSM_T_TENSOR: return "Tensor";
    case TSM_T_SCALAR: return "Scalar";
    case TSM_T_ANY: return "Any";
    case TSM_T_DTYPE: return "dtype";
    case TSM_T_DEVICE: return "device";
    case TSM_T_EXCEPTION: return "Exception";
    case TSM_T_LIST: return "list";
    case TSM_T_DICT: return "dict";
    case TSM_T_SET: return "set";
    case TSM_T_FROZENSET: return "frozenset";
    case TSM_T_TUPLE: return "tuple";
    case TSM_T_OPTIONAL: return "Optional";
    case TSM_T_UNION: return "Union";
    case TSM_T_FUNCTION: return "Callable";
    case TSM_T_CELL: return "cell";
    default: return "?";
  }
}

/* Types that share members can spell exponentially long: the text ends at this length. */
enum { TYPE_TEXT_CAP = 4096, MATCH_BUDGET = 100000 };

typedef struct fixed_text { char *out; size_t capacity, length; } fixed_text;

static void add_fixed(fixed_text *text, const char *s) {
  for (; *s; s++, text->length++)
    if (text->length + 1 < text->capacity) text->out[text->length] = *s;
}

const char *tsm_type_kind_name(const tsm_type *type) {
  return type->name && *type->name ? type->name : plain_name(type->kind);
}

static void write_fixed(fixed_text *text, const tsm_type *type, int depth) {
  add_fixed(text, tsm_type_kind_name(type));
  if (type->name && *type->name && !type->dict_class) return;
  bool is_tuple = type->kind == TSM_T_TUPLE;
  if ((!type->count && !is_tuple) || type->kind == TSM_T_TENSOR) return;
  add_fixed(text, "[");
  for (uint32_t i = 0; i < type->count && depth < TSM_VALUE_DEPTH && text->length < TYPE_TEXT_CAP; i++) {
    if (i) add_fixed(text, ", ");
    write_fixed(text, type->members[i], depth + 1);
  }
  if (!type->count) add_fixed(text, "()");
  if (type->is_variadic) add_fixed(text, ", ...");
  add_fixed(text, "]");
}

size_t tsm_type_text(const tsm_type *type, char *out_text, size_t capacity) {
  fixed_text text = {out_text, capacity, 0};
  write_fixed(&text, type, 0);
  if (capacity) out_text[text.length < capacity ? text.length : capacity - 1] = 0;
  return text.length;
}

void tsm_text_type(tsm_text *text, const tsm_type *type) {
  char spelled[TYPE_TEXT_CAP / 4];
  size_t length = tsm_type_text(type, spelled, sizeof spelled);
  tsm_text_add(text, spelled, length < sizeof spelled ? length : sizeof spelled - 1);
}

/* Whether an object made with type `actual` may stand where `expected` is declared. */
static bool is_type_match(const tsm_type *expected, const tsm_type *actual, int *budget) {
  if (--*budget < 0) return false;
  if (expected == actual || expected->kind == TSM_T_VAR) return true;
  if (expected->kind != actual->kind || expected->count != actual->count) return false;
  if (expected->dict_class != actual->dict_class) return false;
  if (expected->is_variadic != actual->is_variadic || expected->layout != actual->layout) return false;
  switch (expected->kind) {
    case TSM_T_CLASS: case TSM_T_ENUM: case TSM_T_NAMED_TUPLE: case TSM_T_FUNCTION: return false;
    case TSM_T_TENSOR: return expected->dtype == 255 && expected->rank < 0;
    default: break;
  }
  for (uint32_t i = 0; i < expected->count; i++)
    if (!is_type_match(expected->members[i], actual->members[i], budget)) return false;
  return true;
}

static bool is_tensor_fit(const tsm_type *type, const tsm_tensor *t) {
  if (type->dtype != 255 && type->dtype != t->dtype) return false;
  if (type->rank >= 0 && type->rank != (int)t->rank) return false;
  for (int i = 0; type->shape && i < type->rank; i++)
    if (type->shape[i] >= 0 && type->shape[i] != tsm_shape(t)[i]) return false;
  return true;
}

/* Whether a container's elements may be stored as those of a type are. What the host made for one kind of elements takes
 * no other. */
static bool is_layout_fit(const tsm_object *o, uint8_t layout, const tsm_type *element) {
  return (o->flags & TSM_OBJ_LOOSE) || layout == TSM_L_PAIR || layout == element->layout;
}

static bool is_list_fit(tsm_context *ctx, const tsm_type *type, const tsm_list *l) {
  const tsm_type *element = type->members[0];
  int budget = MATCH_BUDGET;
  if (l->head.type && !(l->head.flags & TSM_OBJ_LOOSE)) return is_type_match(type, l->head.type, &budget);
  if (element->kind == TSM_T_VAR) return true;
  if (!is_layout_fit(&l->head, l->head.layout, element)) return false;
  if (element->kind == TSM_T_ANY) return !type->dict_class;
  bool is_uniform = l->head.layout < TSM_L_REF;
  for (int64_t i = 0; i < (is_uniform && l->length ? 1 : l->length); i++)
    if (!tsm_pay(ctx, 1, TSM_COST_ITEM) || !tsm_value_fits(ctx, element, tsm_list_peek(l, i))) return false;
  return true;
}

static bool is_dict_fit(tsm_context *ctx, const tsm_type *type, const tsm_dict *d) {
  int budget = MATCH_BUDGET;
  if (d->head.type && !(d->head.flags & TSM_OBJ_LOOSE)) return is_type_match(type, d->head.type, &budget);
  if (type->members[0]->kind == TSM_T_VAR) return true;
  bool has_values = type->kind == TSM_T_DICT;
  if (!is_layout_fit(&d->head, d->head.layout, type->members[0])) return false;
  if (has_values && !is_layout_fit(&d->head, d->head.layout2, type->members[1])) return false;
  int64_t position = 0;
  for (tsm_dict_entry *e; (e = tsm_dict_pass(ctx, d, &position));)
    if (!tsm_pay(ctx, 1, 2 * TSM_COST_ITEM) || !tsm_value_fits(ctx, type->members[0], e->key) ||
        (has_values && !tsm_value_fits(ctx, type->members[1], e->value)))
      return false;
  return true;
}

static bool is_tuple_fit(tsm_context *ctx, const tsm_type *type, const tsm_tuple *t) {
  if (type->kind == TSM_T_NAMED_TUPLE && t->head.type != type) return false;
  if (!type->is_variadic && (uint64_t)t->length != type->count) return false;
  for (int64_t i = 0; i < t->length; i++)
    if (!tsm_pay(ctx, 1, TSM_COST_ITEM) || !tsm_value_fits(ctx, type->members[type->is_variadic ? 0 : i], t->items[i])) return false;
  return true;
}

static bool is_arm_fit(tsm_context *ctx, const tsm_type *type, tsm_pair value) {
  for (uint32_t i = 0; i < type->count; i++)
    if (tsm_value_fits(ctx, type->members[i], value)) return true;
  return false;
}

bool tsm_value_fits(tsm_context *ctx, const tsm_type *type, tsm_pair value) {
  uint64_t kind = value.tag & 255u;
  if (kind >= TSM_FIRST_REF && !value.as.ref) return false;
  switch (type->kind) {
    case TSM_T_ANY: case TSM_T_VAR: return true;
    case TSM_T_SCALAR: return kind == TSM_BOOL || kind == TSM_INT || kind == TSM_FLOAT || kind == TSM_COMPLEX;
    case TSM_T_OPTIONAL: return kind == TSM_NONE || tsm_value_fits(ctx, type->members[0], value);
    case TSM_T_UNION: return is_arm_fit(ctx, type, value);
    case TSM_T_ENUM: return value.tag == tsm_type_tag(type) && value.as.bits < type->count;
    default: break;
  }
  if (kind != (tsm_type_tag(type) & 255u)) return false;
  switch (type->kind) {
    case TSM_T_TENSOR: return is_tensor_fit(type, value.as.tensor);
    case TSM_T_LIST: return is_list_fit(ctx, type, (const tsm_list *)value.as.ref);
    case TSM_T_DICT: case TSM_T_SET: case TSM_T_FROZENSET: return is_dict_fit(ctx, type, (const tsm_dict *)value.as.ref);
    case TSM_T_TUPLE: case TSM_T_NAMED_TUPLE: return is_tuple_fit(ctx, type, (const tsm_tuple *)value.as.ref);
    case TSM_T_CLASS: case TSM_T_FUNCTION: case TSM_T_CELL: return value.as.ref->type == type;
    default: return true;
  }
}

bool tsm_element_fits(tsm_context *ctx, tsm_layout layout, const tsm_type *type, uint8_t kind, tsm_pair value) {
  if (type) return tsm_value_fits(ctx, type, value);
  uint64_t have = value.tag & 255u;
  switch (layout) {
    case TSM_L_I64: return have == TSM_INT;
    case TSM_L_F64: return have == TSM_FLOAT;
    case TSM_L_U8: return have == TSM_BOOL;
    case TSM_L_REF: return have == TSM_NONE || (have >= TSM_FIRST_REF && (!kind || kind == have));
    default: return true;
  }
}
