/* decode_constants.c - CONSTANTS: immutable values, made once and shared by all instances.
 * In: the section. Out: p->constants as pairs; objects in them never die before the program.
 * Holds: a Tensor stays a number until an instance has its tensor, so tensors are not inside tuples. */
#include "load.h"

enum { MAX_PARTS = 65536 };

typedef struct constant_decoder {
  tsm_loader *l;
  tsm_reader r;
  uint8_t *depth;
  uint32_t *parts;  /* by constant: of the value written out in full */
} constant_decoder;

static void make_immortal(tsm_object *o) { atomic_store_explicit(&o->refs, TSM_IMMORTAL, memory_order_relaxed); }

static tsm_object *immortal(constant_decoder *d, void *object) {
  tsm_object *o = object;
  if (o) make_immortal(o);
  else tsm_reader_no_memory(&d->r);
  return o;
}

/* An earlier constant of a given type, as a part of constant `number`. */
static tsm_pair part(constant_decoder *d, uint32_t number, uint32_t index, const tsm_type *type) {
  tsm_program *p = d->l->p;
  if (p->constant_types[index] != type)
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "constant %u has the wrong type to be part of constant %u", index, number);
  if (d->depth[index] + 1 > d->depth[number]) d->depth[number] = (uint8_t)(d->depth[index] + 1);
  if (d->depth[number] > TSM_MAX_DEPTH) tsm_reader_fail(&d->r, TSM_ERR_LIMIT, "constant %u is nested too deep", number);
  d->parts[number] += d->parts[index];
  if (d->parts[number] > MAX_PARTS)
    tsm_reader_fail(&d->r, TSM_ERR_LIMIT, "constant %u has more than %d parts", number, MAX_PARTS);
  d->l->constant_has_tensor[number] |= d->l->constant_has_tensor[index];
  return p->constants[index];
}

static tsm_object *read_tuple(constant_decoder *d, uint32_t number, const tsm_type *type) {
  uint32_t count = type->is_variadic ? tsm_read_count(&d->r, 1, "elements") : type->count;
  if (count > tsm_reader_left(&d->r)) tsm_reader_fail(&d->r, TSM_ERR_TRUNCATED, "the section ends inside a tuple");
  if (!tsm_reader_ok(&d->r)) return NULL;
  tsm_tuple *t = tsm_tuple_make(d->l->p->heap, count, type);
  if (!t) {
    tsm_reader_no_memory(&d->r);
    return NULL;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index = tsm_read_index(&d->r, number, "earlier constant");
    if (tsm_reader_ok(&d->r)) t->items[i] = part(d, number, index, type->members[type->is_variadic ? 0 : i]);
  }
  if (tsm_reader_ok(&d->r) && d->l->constant_has_tensor[number])
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "constant %u is a tuple with a Tensor in it", number);
  if (tsm_reader_ok(&d->r)) return immortal(d, t);
  for (uint32_t i = 0; i < count; i++) t->items[i] = (tsm_pair){TSM_NONE, {0}};
  tsm_unref(&t->head);
  return NULL;
}

static tsm_object *read_bytes(constant_decoder *d) {
  size_t length;
  const uint8_t *bytes = tsm_read_blob(&d->r, &length);
  return bytes ? immortal(d, tsm_bytes_new(d->l->p->heap, bytes, length)) : NULL;
}

static tsm_object *read_complex(constant_decoder *d) {
  double re = tsm_read_f64(&d->r), im = tsm_read_f64(&d->r);
  return tsm_reader_ok(&d->r) ? immortal(d, tsm_complex_make(d->l->p->heap, re, im)) : NULL;
}

static tsm_object *read_str(constant_decoder *d) {
  uint32_t index = tsm_read_index(&d->r, d->l->p->string_count, "string");
  return tsm_reader_ok(&d->r) ? (tsm_object *)(uintptr_t)&d->l->p->strings[index]->head : NULL;
}

static tsm_pair read_optional(constant_decoder *d, uint32_t number, const tsm_type *type) {
  int64_t index = tsm_read_opt(&d->r, number, "earlier constant");
  return index < 0 ? (tsm_pair){TSM_NONE, {0}} : part(d, number, (uint32_t)index, type->members[0]);
}

static tsm_pair read_value(constant_decoder *d, uint32_t number, const tsm_type *type) {
  tsm_pair v = {tsm_type_tag(type), {0}};
  switch (type->kind) {
    case TSM_T_NONE: break;
    case TSM_T_BOOL: v.as.i = tsm_read_bool(&d->r); break;
    case TSM_T_INT: v.as.i = tsm_read_sv(&d->r); break;
    case TSM_T_FLOAT: v.as.f = tsm_read_f64(&d->r); break;
    case TSM_T_DTYPE: v.as.i = tsm_read_index(&d->r, TSM_DTYPE_NAMES, "dtype"); break;
    case TSM_T_DEVICE: v.as.i = tsm_read_index(&d->r, 1, "device"); break;
    case TSM_T_ENUM: v.as.i = tsm_read_index(&d->r, type->count, "enum member"); break;
    case TSM_T_COMPLEX: v.as.ref = read_complex(d); break;
    case TSM_T_STR: v.as.ref = read_str(d); break;
    case TSM_T_BYTES: v.as.ref = read_bytes(d); break;
    case TSM_T_TUPLE: case TSM_T_NAMED_TUPLE: v.as.ref = read_tuple(d, number, type); break;
    case TSM_T_OPTIONAL: return read_optional(d, number, type);
    case TSM_T_TENSOR:
      v.as.i = tsm_read_index(&d->r, d->l->p->tensor_count, "tensor");
      d->l->constant_has_tensor[number] = 1;
      break;
    default: tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "constant %u is of a type that has no constants", number);
  }
  return v;
}

static void decode(constant_decoder *d) {
  tsm_program *p = d->l->p;
  uint32_t count = tsm_read_count(&d->r, 1, "constants");
  p->constants = tsm_loader_alloc(d->l, &d->r, count, sizeof *p->constants);
  p->constant_types = tsm_loader_alloc(d->l, &d->r, count, sizeof *p->constant_types);
  d->l->constant_has_tensor = tsm_loader_scratch(d->l, &d->r, count, 1);
  d->depth = tsm_loader_scratch(d->l, &d->r, count, 1);
  d->parts = tsm_loader_scratch(d->l, &d->r, count, sizeof *d->parts);
  for (uint32_t i = 0; i < count && tsm_reader_ok(&d->r); i++) {
    const tsm_type *type = tsm_loader_type(d->l, &d->r);
    if (!type) return;
    d->depth[i] = 1;
    d->parts[i] = 1;
    p->constant_types[i] = type;
    p->constants[i] = read_value(d, i, type);
    if (tsm_reader_ok(&d->r)) p->constant_count = i + 1;
  }
}

/* Values of enum members, now that there are constants. */
static void finish_enum(constant_decoder *d, tsm_type *type) {
  tsm_program *p = d->l->p;
  const uint32_t *numbers = d->l->enum_values[type->id];
  tsm_pair *values = tsm_loader_alloc(d->l, &d->r, type->count, sizeof *values);
  if (!values) return;
  for (uint32_t i = 0; i < type->count; i++) {
    if (numbers[i] >= p->constant_count || p->constant_types[numbers[i]] != d->l->enum_types[type->id] ||
        d->l->constant_has_tensor[numbers[i]]) {
      tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "member '%.60s' of enum '%.60s' has no value of its type",
                      type->member_names[i], type->name);
      return;
    }
    values[i] = p->constants[numbers[i]];
  }
  type->enum_values = values;
}

tsm_status tsm_decode_constants(tsm_loader *l) {
  constant_decoder d;
  d.l = l;
  d.r = tsm_loader_section(l, TSM_S_CONSTANTS);
  decode(&d);
  if (tsm_reader_end(&d.r) != TSM_OK) return d.r.status;
  for (uint32_t i = 0; i < l->p->type_count && tsm_reader_ok(&d.r); i++)
    if (l->p->types[i]->kind == TSM_T_ENUM && l->p->types[i]->id == i) finish_enum(&d, l->p->types[i]);
  return d.r.status;
}
