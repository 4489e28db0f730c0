/* decode_types.c - TYPES: records to type nodes, one node a type.
 * In: the section. Out: p->types, equal iff same pointer.
 * Holds: Tensor refinements are claims and dropped: records that differ only in them give one node. The refined node of
 * a plain Tensor is kept apart (loader.declared) to be shown to the host. */
#include "load.h"

enum { TSM_T_DICT_CLASS = 25, TSM_T_DEQUE = 26, HEAD = 4, MAX_ARMS = 64, MAX_PARTS = 10000 }; /* words of a key before members: kind, flags, name, members */

typedef struct type_decoder {
  tsm_loader *l;
  tsm_reader r;
  uint32_t number;           /* of the record being read */
  uint32_t type_count;
  uint32_t *seen;            /* by type id: number + 1 of the last Union that had this arm */
  uint8_t *depth;            /* by type id */
  uint32_t *parts;           /* by type id: of the type written out in full */
  tsm_type **nodes;          /* by type id */
  tsm_intern records, keys;  /* bytes of records; keys of nodes */
  uint32_t *node_of_key;     /* by number in `keys`: type id */
  uint32_t *key;             /* the record being read, spelled in ids */
  size_t key_length, key_capacity;
  const char **names;        /* of its members */
  size_t name_capacity;
} type_decoder;

static bool add_word(type_decoder *d, uint32_t word) {
  if (d->key_length == d->key_capacity) {
    size_t capacity = d->key_capacity ? d->key_capacity * 2 : 64;
    uint32_t *moved = tsm_realloc(d->l->rt, d->key, d->key_capacity * sizeof *moved, capacity * sizeof *moved);
    if (!moved) {
      tsm_reader_no_memory(&d->r);
      return false;
    }
    d->key = moved;
    d->key_capacity = capacity;
  }
  d->key[d->key_length++] = word;
  return true;
}

/* A type before this one, as a member. NULL on failure. */
static const tsm_type *read_member(type_decoder *d) {
  uint32_t number = tsm_read_index(&d->r, d->number, "earlier type");
  if (!tsm_reader_ok(&d->r)) return NULL;
  const tsm_type *t = d->l->p->types[number];
  if (d->depth[t->id] + 1 > d->depth[d->number]) d->depth[d->number] = (uint8_t)(d->depth[t->id] + 1);
  if (d->depth[d->number] > TSM_MAX_DEPTH)
    tsm_reader_fail(&d->r, TSM_ERR_LIMIT, "type %u is nested too deep", d->number);
  d->parts[d->number] += d->parts[t->id];
  if (d->parts[d->number] > MAX_PARTS)
    tsm_reader_fail(&d->r, TSM_ERR_LIMIT, "type %u has more than %d parts", d->number, MAX_PARTS);
  add_word(d, t->id);
  d->key[3]++;
  return tsm_reader_ok(&d->r) ? t : NULL;
}

static void read_members(type_decoder *d, uint32_t count) {
  for (uint32_t i = 0; i < count && tsm_reader_ok(&d->r); i++) read_member(d);
}

static bool has_room_for_names(type_decoder *d, uint32_t count) {
  if (count <= d->name_capacity) return true;
  const char **moved = tsm_realloc(d->l->rt, d->names, d->name_capacity * sizeof *moved, count * sizeof *moved);
  if (!moved) {
    tsm_reader_no_memory(&d->r);
    return false;
  }
  d->names = moved;
  d->name_capacity = count;
  return true;
}

/* Name of member i, distinct from the others of its record. */
static void read_member_name(type_decoder *d, uint32_t i) {
  d->names[i] = tsm_loader_new_name(d->l, &d->r, "a member");
}

static bool is_plain_arm(const tsm_type *t) {
  return t->kind != TSM_T_OPTIONAL && t->kind != TSM_T_UNION && t->kind != TSM_T_SCALAR && t->kind != TSM_T_ANY;
}

static void read_optional(type_decoder *d) {
  const tsm_type *inner = read_member(d);
  if (inner && (!is_plain_arm(inner) || inner->kind == TSM_T_NONE))
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "type %u is an Optional of None, Optional, Union, Scalar or Any", d->number);
}

static void read_union(type_decoder *d) {
  uint32_t count = tsm_read_count(&d->r, 1, "arms");
  bool has_none = false;
  unsigned scalars = 0;
  if (count > MAX_ARMS)
    tsm_reader_fail(&d->r, TSM_ERR_LIMIT, "a Union of %u arms; at most %d are allowed", count, MAX_ARMS);
  for (uint32_t i = 0; i < count && tsm_reader_ok(&d->r); i++) {
    const tsm_type *arm = read_member(d);
    if (!arm) return;
    if (!is_plain_arm(arm)) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "an arm of Union %u has arms itself", d->number);
    if (d->seen[arm->id] == d->number + 1) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "Union %u has equal arms", d->number);
    d->seen[arm->id] = d->number + 1;
    has_none |= arm->kind == TSM_T_NONE;
    scalars += arm->kind >= TSM_T_BOOL && arm->kind <= TSM_T_COMPLEX;
  }
  if (count == 4 && scalars == 4) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "Union %u is a Scalar", d->number);
  if (tsm_reader_ok(&d->r) && count < 2u + has_none)
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "Union %u has too few arms", d->number);
}

static void require_hashable(type_decoder *d, const tsm_type *t) {
  if (t && !d->l->type_is_hashable[t->id])
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "type %u: its keys or elements are not hashable", d->number);
}

/* A refinement: syntax is checked, the claim goes into a node of its own. */
static void read_tensor(type_decoder *d) {
  uint8_t dtype = tsm_read_u8(&d->r), rank = tsm_read_u8(&d->r);
  if (dtype != 255 && dtype >= TSM_DTYPE_COUNT) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "there is no dtype %u", dtype);
  if (rank != 255 && rank > TSM_MAX_RANK) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "a Tensor type has rank %u", rank);
  if (!tsm_reader_ok(&d->r) || (dtype == 255 && rank == 255)) return;
  size_t extents = rank == 255 ? 0 : rank;
  tsm_type *t = tsm_loader_alloc(d->l, &d->r, 1, sizeof *t);
  int64_t *shape = tsm_loader_alloc(d->l, &d->r, extents, sizeof *shape);
  for (size_t i = 0; i < extents && tsm_reader_ok(&d->r); i++) {
    uint64_t extent = tsm_read_uv(&d->r);
    if (extent > INT64_MAX) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "an extent does not fit in 63 bits");
    else shape[i] = (int64_t)extent - 1;
  }
  if (!tsm_reader_ok(&d->r)) return;
  t->kind = TSM_T_TENSOR;
  t->dtype = dtype;
  t->rank = rank == 255 ? -1 : (int8_t)rank;
  t->shape = rank == 255 ? NULL : shape;
  tsm_type_set_layout(t);
  d->l->declared[d->number] = t;
}

static void read_tuple(type_decoder *d, tsm_type *t) {
  t->is_variadic = tsm_read_bool(&d->r);
  d->key[1] = t->is_variadic;
  read_members(d, t->is_variadic ? 1 : tsm_read_count(&d->r, 1, "elements"));
}

static void read_named_tuple(type_decoder *d, tsm_type *t) {
  t->name = tsm_loader_name(d->l, &d->r, "a named tuple");
  uint32_t count = tsm_read_count(&d->r, 2, "fields");
  tsm_loader_new_names(d->l);
  if (!has_room_for_names(d, count)) return;
  for (uint32_t i = 0; i < count && tsm_reader_ok(&d->r); i++) {
    read_member_name(d, i);
    read_member(d);
  }
}

/* Members of an enum have constants for values: their numbers are kept until there are constants. */
static void read_enum(type_decoder *d, tsm_type *t) {
  t->name = tsm_loader_name(d->l, &d->r, "an enum");
  read_member(d);
  uint32_t count = tsm_read_count(&d->r, 2, "members");
  tsm_loader_new_names(d->l);
  if (!has_room_for_names(d, count)) return;
  uint32_t *values = tsm_loader_scratch(d->l, &d->r, count, sizeof *values);
  for (uint32_t i = 0; i < count && tsm_reader_ok(&d->r); i++) {
    read_member_name(d, i);
    values[i] = tsm_read_index(&d->r, INT32_MAX, "constant");
  }
  t->count = count;
  d->l->enum_values[d->number] = values;
}

static void read_class(type_decoder *d, tsm_type *t) {
  size_t at = d->r.at;
  t->qualified = tsm_loader_name(d->l, &d->r, "a class");
  size_t after = d->r.at;
  d->r.at = at;
  uint32_t name = tsm_read_index(&d->r, d->l->p->string_count, "string");
  d->r.at = after;
  uint8_t flags = tsm_read_u8(&d->r);
  if (flags > 3) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "class %u has unknown flags %x", d->number, flags);
  t->is_module = flags & 1;
  t->is_key = flags >> 1;
  if (t->is_key && d->l->minor < 4) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "the header allows readers that do not know %s", "instances as keys");
  t->key_fields = t->is_key ? tsm_read_index(&d->r, UINT16_MAX, "key") : 0;
  uint32_t count = tsm_read_count(&d->r, 2, "attributes");
  tsm_loader_new_names(d->l);
  if (!has_room_for_names(d, count)) return;
  uint32_t *numbers = tsm_loader_scratch(d->l, &d->r, count, sizeof *numbers);
  for (uint32_t i = 0; i < count && tsm_reader_ok(&d->r); i++) {
    read_member_name(d, i);
    numbers[i] = tsm_read_index(&d->r, d->type_count, "type");
  }
  t->count = count;
  if (t->key_fields > count) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "class %u: its keys have more attributes than it has", d->number);
  d->l->class_members[d->number] = numbers;
  d->key[1] = 0;
  d->key[2] = name; /* classes are equal to themselves only, and their names are distinct */
}

static void read_dict(type_decoder *d) {
  require_hashable(d, read_member(d));
  read_member(d);
}

/* A dict to all that looks at its kind; its class is told by its name. */
static void read_dict_class(type_decoder *d, tsm_type *t) {
  static const char names[][12] = {"OrderedDict", "Counter", "defaultdict"};
  if (d->l->minor < 3) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "the header allows readers that do not know subclasses of dict");
  uint32_t number = tsm_read_index(&d->r, UINT16_MAX + 1u, "subclass of dict");
  if (tsm_reader_ok(&d->r) && !number) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "type %u: there is no subclass 0 of dict", d->number);
  t->kind = TSM_T_DICT;
  t->dict_class = (uint16_t)number;
  t->name = number ? names[number < TSM_DEFAULTDICT ? number - 1 : 2] : NULL;
  if (number > TSM_DEFAULTDICT) t->qualified = "defaultdict of a function";
  d->key[1] = number;
  read_dict(d);
}

/* A list to all that looks at its kind. */
static void read_deque(type_decoder *d, tsm_type *t) {
  if (d->l->minor < 3) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "the header allows readers that do not know deques");
  t->kind = TSM_T_LIST;
  t->dict_class = TSM_DEQUE;
  t->name = "deque";
  d->key[1] = TSM_DEQUE;
  read_member(d);
}

static void read_record(type_decoder *d, tsm_type *t) {
  t->kind = tsm_read_u8(&d->r);
  d->key_length = 0;
  d->depth[d->number] = 1;
  d->parts[d->number] = 1;
  for (int i = 0; i < HEAD; i++)
    if (!add_word(d, 0)) return;
  d->key[0] = t->kind;
  switch (t->kind) {
    case TSM_T_NONE: case TSM_T_BOOL: case TSM_T_INT: case TSM_T_FLOAT: case TSM_T_COMPLEX: case TSM_T_STR:
    case TSM_T_BYTES: case TSM_T_SCALAR: case TSM_T_ANY: case TSM_T_DTYPE: case TSM_T_DEVICE: case TSM_T_EXCEPTION:
      break;
    case TSM_T_TENSOR: read_tensor(d); break;
    case TSM_T_LIST: case TSM_T_CELL: read_member(d); break;
    case TSM_T_FROZENSET:
      if (d->l->minor < 2) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "the header allows readers that do not know frozensets");
      require_hashable(d, read_member(d));
      break;
    case TSM_T_SET: require_hashable(d, read_member(d)); break;
    case TSM_T_DICT_CLASS: read_dict_class(d, t); break;
    case TSM_T_DICT: read_dict(d); break;
    case TSM_T_DEQUE: read_deque(d, t); break;
    case TSM_T_TUPLE: read_tuple(d, t); break;
    case TSM_T_NAMED_TUPLE: read_named_tuple(d, t); break;
    case TSM_T_OPTIONAL: read_optional(d); break;
    case TSM_T_UNION: read_union(d); break;
    case TSM_T_ENUM: read_enum(d, t); break;
    case TSM_T_CLASS: read_class(d, t); break;
    case TSM_T_FUNCTION:
      read_members(d, tsm_read_count(&d->r, 1, "parameters"));
      read_member(d);
      break;
    default: tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "type %u has unknown kind %u", d->number, t->kind);
  }
}

static bool is_hashable(const type_decoder *d, const tsm_type *t) {
  switch (t->kind) {
    case TSM_T_NONE: case TSM_T_BOOL: case TSM_T_INT: case TSM_T_FLOAT: case TSM_T_STR: case TSM_T_ENUM:
    case TSM_T_DTYPE: case TSM_T_BYTES: case TSM_T_COMPLEX: case TSM_T_FROZENSET:
      return true;
    case TSM_T_CLASS: return t->is_key;
    case TSM_T_ANY: return d->l->minor >= 5;
    case TSM_T_SCALAR: return d->l->minor >= 6;
    case TSM_T_OPTIONAL: case TSM_T_UNION:
      if (d->l->minor < 4) return false;
      /* fall through */
    case TSM_T_TUPLE: case TSM_T_NAMED_TUPLE:
      for (uint32_t i = 0; i < t->count; i++)
        if (!d->l->type_is_hashable[t->members[i]->id]) return false;
      return true;
    default: return false;
  }
}

/* None, and tuples of nothing else, take no bytes in STATE: their size is limited by itself. */
static uint16_t void_size(const type_decoder *d, const tsm_type *t) {
  uint32_t size = 1;
  if (t->kind == TSM_T_NONE) return 1;
  if ((t->kind != TSM_T_TUPLE && t->kind != TSM_T_NAMED_TUPLE) || t->is_variadic) return 0;
  for (uint32_t i = 0; i < t->count; i++) {
    uint16_t member = d->l->void_size[t->members[i]->id];
    if (!member) return 0;
    size += size > TSM_MAX_VOID ? 0 : member;
  }
  return (uint16_t)size;
}

static bool has_member_names(const tsm_type *t) {
  return t->kind == TSM_T_NAMED_TUPLE || t->kind == TSM_T_ENUM || t->kind == TSM_T_CLASS;
}

/* The node of the record just read, with its members. */
static void make_node(type_decoder *d, const tsm_type *like) {
  tsm_type *t = tsm_loader_alloc(d->l, &d->r, 1, sizeof *t);
  if (!t) return;
  *t = *like;
  t->id = d->number;
  t->dtype = 255;
  t->rank = -1;
  if (t->kind != TSM_T_ENUM && t->kind != TSM_T_CLASS) t->count = d->key[3];
  if (t->kind != TSM_T_ENUM) t->members = tsm_loader_alloc(d->l, &d->r, t->count, sizeof *t->members);
  if (has_member_names(t)) t->member_names = tsm_loader_alloc(d->l, &d->r, t->count, sizeof *t->member_names);
  if (!tsm_reader_ok(&d->r)) return;
  for (uint32_t i = 0; i < d->key[3] && t->kind != TSM_T_ENUM; i++) t->members[i] = d->nodes[d->key[HEAD + i]];
  for (uint32_t i = 0; t->member_names && i < t->count; i++) t->member_names[i] = d->names[i];
  if (t->kind == TSM_T_ENUM) d->l->enum_types[d->number] = d->nodes[d->key[HEAD]];
  tsm_type_set_layout(t);
  d->l->type_is_hashable[t->id] = is_hashable(d, t);
  d->l->void_size[t->id] = void_size(d, t);
  d->nodes[t->id] = t;
}

/* Words that tell types apart and are not in the key yet: names of a named tuple and its fields. */
static bool complete_key(type_decoder *d, const tsm_type *t, size_t start) {
  if (t->kind != TSM_T_NAMED_TUPLE && t->kind != TSM_T_ENUM) return true;
  if (t->kind == TSM_T_ENUM) return add_word(d, d->number); /* an enum is equal to itself only, as in Python */
  tsm_reader again = d->r; /* names as their numbers, read once more */
  again.at = start + 1;
  uint32_t strings = d->l->p->string_count;
  if (!add_word(d, tsm_read_index(&again, strings, "string"))) return false;
  for (uint32_t i = tsm_read_count(&again, 2, "fields"); i > 0; i--) {
    if (!add_word(d, tsm_read_index(&again, strings, "string"))) return false;
    tsm_read_uv(&again);
  }
  return true;
}

static void intern_node(type_decoder *d, const tsm_type *like, size_t start) {
  uint32_t number;
  if (!complete_key(d, like, start)) return;
  size_t size = d->key_length * sizeof *d->key;
  void *key = tsm_loader_scratch(d->l, &d->r, size, 1);
  if (!key) return;
  memcpy(key, d->key, size);
  tsm_status status = tsm_intern_add(&d->records, d->r.bytes + start, d->r.at - start, &number);
  if (status == TSM_OK && number != d->number)
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "type %u equals type %u", d->number, number);
  uint32_t before = d->keys.count;
  if (status == TSM_OK) status = tsm_intern_add(&d->keys, key, size, &number);
  if (status != TSM_OK) tsm_reader_fail(&d->r, status, "%s", tsm_status_text(status));
  if (!tsm_reader_ok(&d->r)) return;
  if (number == before) {
    d->node_of_key[number] = d->number;
    make_node(d, like);
  } else if (like->kind == TSM_T_CLASS) {
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "two classes are named '%.60s'", like->qualified);
  }
  if (!tsm_reader_ok(&d->r)) return;
  d->l->p->types[d->number] = d->nodes[d->node_of_key[number]];
  if (!d->l->declared[d->number]) d->l->declared[d->number] = d->l->p->types[d->number];
}

static void decode(type_decoder *d) {
  tsm_loader *l = d->l;
  uint32_t count = tsm_read_count(&d->r, 1, "types");
  d->type_count = count;
  l->p->types = tsm_loader_alloc(l, &d->r, count, sizeof *l->p->types);
  l->declared = tsm_loader_scratch(l, &d->r, count, sizeof *l->declared);
  l->type_is_hashable = tsm_loader_scratch(l, &d->r, count, 1);
  l->void_size = tsm_loader_scratch(l, &d->r, count, sizeof *l->void_size);
  l->enum_values = tsm_loader_scratch(l, &d->r, count, sizeof *l->enum_values);
  l->enum_types = tsm_loader_scratch(l, &d->r, count, sizeof *l->enum_types);
  l->class_members = tsm_loader_scratch(l, &d->r, count, sizeof *l->class_members);
  d->nodes = tsm_loader_scratch(l, &d->r, count, sizeof *d->nodes);
  d->depth = tsm_loader_scratch(l, &d->r, count, 1);
  d->parts = tsm_loader_scratch(l, &d->r, count, sizeof *d->parts);
  d->seen = tsm_loader_scratch(l, &d->r, count, sizeof *d->seen);
  d->node_of_key = tsm_loader_scratch(l, &d->r, count, sizeof *d->node_of_key);
  for (uint32_t i = 0; i < count && tsm_reader_ok(&d->r); i++) {
    tsm_type like;
    size_t start = d->r.at;
    memset(&like, 0, sizeof like);
    d->number = i;
    read_record(d, &like);
    if (tsm_reader_ok(&d->r)) intern_node(d, &like, start);
  }
  if (tsm_reader_end(&d->r) != TSM_OK) return;
  l->p->type_count = count;
  tsm_types_lay_out(l, &d->r, d->nodes);
}

tsm_status tsm_decode_types(tsm_loader *l) {
  type_decoder d;
  memset(&d, 0, sizeof d);
  d.l = l;
  d.r = tsm_loader_section(l, TSM_S_TYPES);
  tsm_intern_init(&d.records, l->rt);
  tsm_intern_init(&d.keys, l->rt);
  decode(&d);
  tsm_intern_free(&d.records);
  tsm_intern_free(&d.keys);
  tsm_free(l->rt, d.key, d.key_capacity * sizeof *d.key);
  tsm_free(l->rt, d.names, d.name_capacity * sizeof *d.names);
  return d.r.status;
}
