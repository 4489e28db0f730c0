/* decode_state.c - STATE: walked and checked here, built by state.c for each instance.
 * In: the section. Out: type and bytes of every object, the root.
 * Holds: after this every reference has the right type and building an instance can fail only for want of memory.
 * The section is walked twice: objects may refer to later ones, whose types are known only after the first walk. */
#include "load/load.h"

typedef struct state_walk {
  tsm_loader *l;
  tsm_reader r;
  bool knows_objects;  /* second walk */
} state_walk;

static void walk_value(state_walk *w, const tsm_type *type, uint32_t depth);

/* Number of elements of a list, set, dict or tuple of any length. */
static uint32_t read_element_count(state_walk *w, const tsm_type *type) {
  uint32_t size = type->count == 1 ? w->l->void_size[type->members[0]->id] : 0;
  if (!size) return tsm_read_count(&w->r, 1, "elements");
  uint64_t count = tsm_read_uv(&w->r);
  if (count <= TSM_MAX_VOID / size) return (uint32_t)count;
  tsm_reader_fail(&w->r, TSM_ERR_LIMIT, "%llu elements that take no bytes are too many", (unsigned long long)count);
  return 0;
}

static void walk_object(state_walk *w, const tsm_type *type) {
  uint32_t number = tsm_read_index(&w->r, w->l->p->object_count, "object");
  if (tsm_reader_ok(&w->r) && w->knows_objects && w->l->p->objects[number].type != type)
    tsm_reader_fail(&w->r, TSM_ERR_FORMAT, "object %u does not have the type its place asks for", number);
}

static void walk_tuple(state_walk *w, const tsm_type *type, uint32_t depth) {
  uint32_t count = type->is_variadic ? read_element_count(w, type) : type->count;
  for (uint32_t i = 0; i < count && tsm_reader_ok(&w->r); i++)
    walk_value(w, type->members[type->is_variadic ? 0 : i], depth);
}

/* Union, Scalar, Any: the type of the arm, then the value. */
static void walk_tagged(state_walk *w, const tsm_type *type, uint32_t depth) {
  const tsm_type *arm = tsm_loader_type(w->l, &w->r);
  if (!arm) return;
  bool has_arms = arm->kind == TSM_T_ANY || arm->kind == TSM_T_UNION || arm->kind == TSM_T_SCALAR ||
                  arm->kind == TSM_T_OPTIONAL;
  if (has_arms || !tsm_type_has_arm(type, arm))
    tsm_reader_fail(&w->r, TSM_ERR_FORMAT, "the type of a value is not an arm of the type its place has");
  else
    walk_value(w, arm, depth);
}

static void walk_value(state_walk *w, const tsm_type *type, uint32_t depth) {
  if (depth > TSM_MAX_DEPTH) tsm_reader_fail(&w->r, TSM_ERR_LIMIT, "values are nested deeper than %d", TSM_MAX_DEPTH);
  if (w->l->void_size[type->id] > TSM_MAX_VOID) tsm_reader_fail(&w->r, TSM_ERR_LIMIT, "a tuple of too many None");
  if (!tsm_reader_ok(&w->r) || w->l->void_size[type->id]) return;
  switch (type->kind) {
    case TSM_T_BOOL: tsm_read_bool(&w->r); break;
    case TSM_T_INT: tsm_read_sv(&w->r); break;
    case TSM_T_FLOAT: tsm_read_f64(&w->r); break;
    case TSM_T_COMPLEX: tsm_read_f64(&w->r); tsm_read_f64(&w->r); break;
    case TSM_T_STR: tsm_read_index(&w->r, w->l->p->string_count, "string"); break;
    case TSM_T_BYTES: tsm_read_span(&w->r, tsm_read_uv(&w->r), "bytes"); break;
    case TSM_T_DTYPE: tsm_read_index(&w->r, TSM_DTYPE_NAMES, "dtype"); break;
    case TSM_T_DEVICE: tsm_read_index(&w->r, 1, "device"); break;
    case TSM_T_ENUM: tsm_read_index(&w->r, type->count, "enum member"); break;
    case TSM_T_TENSOR: tsm_read_index(&w->r, w->l->p->tensor_count, "tensor"); break;
    case TSM_T_CLASS: case TSM_T_LIST: case TSM_T_DICT: case TSM_T_SET: walk_object(w, type); break;
    case TSM_T_TUPLE: case TSM_T_NAMED_TUPLE: walk_tuple(w, type, depth + 1); break;
    case TSM_T_FROZENSET:
      for (uint32_t i = read_element_count(w, type); i && tsm_reader_ok(&w->r); i--)
        walk_value(w, type->members[0], depth + 1);
      break;
    case TSM_T_OPTIONAL:
      if (tsm_read_bool(&w->r)) walk_value(w, type->members[0], depth + 1);
      break;
    case TSM_T_UNION: case TSM_T_SCALAR: case TSM_T_ANY: walk_tagged(w, type, depth + 1); break;
    default: tsm_reader_fail(&w->r, TSM_ERR_FORMAT, "a value is of a type that has no state");
  }
}

static void walk_contents(state_walk *w, const tsm_type *type) {
  if (type->kind == TSM_T_CLASS) {
    for (uint32_t i = 0; i < type->count && tsm_reader_ok(&w->r); i++)
      if (tsm_read_bool(&w->r)) walk_value(w, type->members[i], 1);
    return;
  }
  uint32_t count = read_element_count(w, type);
  for (uint32_t i = 0; i < count && tsm_reader_ok(&w->r); i++)
    for (uint32_t k = 0; k < type->count; k++) walk_value(w, type->members[k], 1);
}

/* Whether keys of this type may be instances, whose attributes STATE gives after it has made the dict. */
static bool has_instances(const tsm_type *key) {
  bool found = key->kind == TSM_T_CLASS;
  for (uint32_t i = 0; !found && i < key->count && key->kind != TSM_T_ENUM; i++) found = has_instances(key->members[i]);
  return found;
}

static bool is_object_type(const tsm_type *type) {
  bool is_deque = type->kind == TSM_T_LIST && type->dict_class;
  if (type->kind == TSM_T_DICT || type->kind == TSM_T_SET) return !has_instances(type->members[0]);
  return type->kind == TSM_T_CLASS || (type->kind == TSM_T_LIST && !is_deque);
}

static void walk_objects(state_walk *w) {
  tsm_program *p = w->l->p;
  for (uint32_t i = 0; i < p->object_count && tsm_reader_ok(&w->r); i++) {
    const tsm_type *type = tsm_loader_type(w->l, &w->r);
    if (!type) return;
    if (!is_object_type(type)) {
      tsm_reader_fail(&w->r, TSM_ERR_FORMAT, "object %u is neither instance, list, dict nor set", i);
      return;
    }
    size_t start = w->r.at;
    walk_contents(w, type);
    p->objects[i] = (tsm_file_object){type, w->r.bytes + start, w->r.at - start};
  }
}

tsm_status tsm_decode_state(tsm_loader *l) {
  tsm_program *p = l->p;
  state_walk w;
  w.l = l;
  w.r = tsm_loader_section(l, TSM_S_STATE);
  w.knows_objects = false;
  uint32_t count = tsm_read_count(&w.r, 1, "objects");
  p->objects = tsm_loader_alloc(l, &w.r, count, sizeof *p->objects);
  if (!tsm_reader_ok(&w.r)) return w.r.status;
  p->object_count = count;
  size_t start = w.r.at;
  walk_objects(&w);
  p->root = tsm_read_opt(&w.r, count, "object");
  if (tsm_reader_end(&w.r) != TSM_OK) return w.r.status;
  if (p->root >= 0 && !p->objects[p->root].type->is_module)
    return tsm_reader_fail(&w.r, TSM_ERR_FORMAT, "the root is not an instance of a module");
  w.r.at = start;
  w.knows_objects = true;
  walk_objects(&w);
  return w.r.status;
}
