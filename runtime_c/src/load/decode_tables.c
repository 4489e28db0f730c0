/* decode_tables.c - the flat sections: METADATA, STRINGS, STORAGES, TENSORS, OPERATORS, TEXT, EXTRA.
 * In: their bytes. Out: the program's tables. */
#include "load.h"

void *tsm_loader_alloc(tsm_loader *l, tsm_reader *r, size_t count, size_t size) {
  void *out = tsm_arena_alloc(&l->p->arena, count, size);
  if (!out) tsm_reader_no_memory(r);
  return out;
}

void *tsm_loader_scratch(tsm_loader *l, tsm_reader *r, size_t count, size_t size) {
  void *out = tsm_arena_alloc(&l->scratch, count, size);
  if (!out) tsm_reader_no_memory(r);
  return out;
}

const char *tsm_loader_copy(tsm_loader *l, tsm_reader *r, const void *bytes, size_t length) {
  if (!bytes || !tsm_reader_ok(r)) return NULL;
  char *out = tsm_loader_alloc(l, r, length + 1, 1);
  if (out && length) memcpy(out, bytes, length);
  return out;
}

const char *tsm_loader_name(tsm_loader *l, tsm_reader *r, const char *what) {
  uint32_t number = tsm_read_index(r, l->p->string_count, "string");
  if (!tsm_reader_ok(r)) return NULL;
  const tsm_str *s = l->p->strings[number];
  if (memchr(s->bytes, 0, s->length)) {
    tsm_reader_fail(r, TSM_ERR_FORMAT, "%s contains a zero byte", what);
    return NULL;
  }
  return s->bytes;
}

const char *tsm_loader_new_name(tsm_loader *l, tsm_reader *r, const char *what) {
  size_t before = r->at;
  uint32_t number = tsm_read_index(r, l->p->string_count, "string");
  if (!tsm_reader_ok(r)) return NULL;
  if (l->stamps[number] == l->stamp) {
    tsm_reader_fail(r, TSM_ERR_FORMAT, "%s '%.60s' is there twice", what, l->p->strings[number]->bytes);
    return NULL;
  }
  l->stamps[number] = l->stamp;
  r->at = before;
  return tsm_loader_name(l, r, what);
}

void tsm_loader_new_names(tsm_loader *l) { l->stamp++; }

const tsm_type *tsm_loader_type(tsm_loader *l, tsm_reader *r) {
  uint32_t number = tsm_read_index(r, l->p->type_count, "type");
  return tsm_reader_ok(r) ? l->p->types[number] : NULL;
}

/* Byte order of two texts. */
static int compare_texts(const char *a, size_t a_length, const char *b, size_t b_length) {
  int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

static bool is_name(tsm_reader *r, const char *text, size_t length, const char *what) {
  if (!text) return false;
  if (!memchr(text, 0, length)) return true;
  tsm_reader_fail(r, TSM_ERR_FORMAT, "%s contains a zero byte", what);
  return false;
}

/* `n * (text key, value)` with sorted, distinct keys; values are texts or any bytes. */
static tsm_status decode_pairs(tsm_loader *l, uint32_t kind, tsm_file_pair **out_pairs, uint32_t *out_count) {
  tsm_reader r = tsm_loader_section(l, kind);
  if (!tsm_program_section(l->p, kind)) return TSM_OK;
  uint32_t count = tsm_read_count(&r, 2, "entries");
  tsm_file_pair *pairs = tsm_loader_alloc(l, &r, count, sizeof *pairs);
  const char *before = NULL;
  size_t before_length = 0;
  for (uint32_t i = 0; i < count && tsm_reader_ok(&r); i++) {
    size_t length;
    const char *key = tsm_read_text(&r, &length);
    if (!is_name(&r, key, length, "a key")) break;
    if (before && compare_texts(before, before_length, key, length) >= 0)
      tsm_reader_fail(&r, TSM_ERR_FORMAT, "entry %u is out of order or there twice", i);
    before = key;
    before_length = length;
    pairs[i].key = tsm_loader_copy(l, &r, key, length);
    const void *value = kind == TSM_S_METADATA ? (const void *)tsm_read_text(&r, &length)
                                               : (const void *)tsm_read_blob(&r, &length);
    pairs[i].value = tsm_loader_copy(l, &r, value, length);
    pairs[i].value_length = length;
  }
  if (tsm_reader_end(&r) != TSM_OK) return r.status;
  *out_pairs = pairs;
  *out_count = count;
  return TSM_OK;
}

tsm_status tsm_decode_metadata(tsm_loader *l) {
  return decode_pairs(l, TSM_S_METADATA, &l->p->metadata, &l->p->metadata_count);
}

tsm_status tsm_decode_extra(tsm_loader *l) { return decode_pairs(l, TSM_S_EXTRA, &l->p->extras, &l->p->extra_count); }

tsm_status tsm_decode_text(tsm_loader *l) {
  tsm_reader r = tsm_loader_section(l, TSM_S_TEXT);
  if (!tsm_program_section(l->p, TSM_S_TEXT)) return TSM_OK;
  uint32_t count = tsm_read_count(&r, 2, "files");
  const char *before = NULL;
  size_t before_length = 0;
  for (uint32_t i = 0; i < count && tsm_reader_ok(&r); i++) {
    size_t length, source_length;
    const char *path = tsm_read_text(&r, &length);
    if (!is_name(&r, path, length, "a path")) break;
    if (before && compare_texts(before, before_length, path, length) >= 0)
      tsm_reader_fail(&r, TSM_ERR_FORMAT, "path %u is out of order or there twice", i);
    before = path;
    before_length = length;
    tsm_read_text(&r, &source_length);
  }
  return tsm_reader_end(&r);
}

static void make_immortal(tsm_object *o) { atomic_store_explicit(&o->refs, TSM_IMMORTAL, memory_order_relaxed); }

static void decode_strings(tsm_loader *l, tsm_reader *r, tsm_intern *seen) {
  uint32_t count = tsm_read_count(r, 1, "strings"), number;
  tsm_str **strings = tsm_loader_alloc(l, r, count, sizeof *strings);
  l->stamps = tsm_loader_scratch(l, r, count, sizeof *l->stamps);
  l->p->strings = strings;
  for (uint32_t i = 0; i < count && tsm_reader_ok(r); i++) {
    size_t length;
    const char *text = tsm_read_text(r, &length);
    if (!text) return;
    tsm_status status = tsm_intern_add(seen, text, length, &number);
    if (status != TSM_OK) tsm_reader_fail(r, status, "%s", tsm_status_text(status));
    else if (number != i) tsm_reader_fail(r, TSM_ERR_FORMAT, "string %u equals string %u", i, number);
    else if (!(strings[i] = tsm_str_new(l->p->heap, text, length))) tsm_reader_no_memory(r);
    if (!tsm_reader_ok(r)) return;
    make_immortal(&strings[i]->head);
    l->p->string_count = i + 1;
  }
}

tsm_status tsm_decode_strings(tsm_loader *l) {
  tsm_reader r = tsm_loader_section(l, TSM_S_STRINGS);
  tsm_intern seen;
  tsm_intern_init(&seen, l->rt);
  decode_strings(l, &r, &seen);
  tsm_intern_free(&seen);
  return tsm_reader_end(&r);
}

static tsm_storage *bound_storage(tsm_loader *l, tsm_reader *r, const tsm_file_storage *s) {
  if (s->bound_index >= l->options.bound_count) return NULL;
  const tsm_value *v = &l->options.bound[s->bound_index];
  if (v->kind != TSM_TENSOR || !v->as.ref) {
    tsm_reader_fail(r, TSM_ERR_ARGUMENT, "bound value %u is not a tensor", s->bound_index);
    return NULL;
  }
  tsm_storage *storage = ((tsm_tensor *)v->as.ref)->storage;
  if (storage->bytes < s->bytes || (storage->flags & TSM_ST_META)) {
    tsm_reader_fail(r, TSM_ERR_ARGUMENT, "bound tensor %u has %zu bytes of memory; the image needs %llu",
                    s->bound_index,
                    storage->bytes, (unsigned long long)s->bytes);
    return NULL;
  }
  atomic_fetch_add_explicit(&storage->refs, 1, memory_order_relaxed);
  return storage;
}

/* Offset of a storage in DATA: where the one before ended, rounded up, with zero padding. */
static void place_storage(tsm_loader *l, tsm_reader *r, tsm_file_storage *s, uint64_t *end) {
  uint64_t start = (*end + (TSM_ALIGNMENT - 1)) & ~(uint64_t)(TSM_ALIGNMENT - 1);
  if (s->offset != start || start > l->p->data_length || s->bytes > l->p->data_length - start) {
    tsm_reader_fail(r, TSM_ERR_FORMAT, "a storage of %llu bytes at %llu, where %llu was expected, does not fit in DATA",
                    (unsigned long long)s->bytes, (unsigned long long)s->offset, (unsigned long long)start);
    return;
  }
  for (uint64_t i = *end; i < start; i++)
    if (l->p->data[i])
      tsm_reader_fail(r, TSM_ERR_FORMAT, "the padding in DATA at %llu is not zero", (unsigned long long)i);
  *end = start + s->bytes;
}

static void read_storage(tsm_loader *l, tsm_reader *r, uint32_t i, uint64_t *end, uint32_t *bound) {
  tsm_file_storage *s = &l->p->storages[i];
  uint8_t flags = tsm_read_u8(r);
  if (flags > 1) tsm_reader_fail(r, TSM_ERR_FORMAT, "storage %u has unknown flags %x", i, flags);
  s->is_bound = flags == 1;
  s->offset = tsm_read_uv(r);
  s->bytes = tsm_read_uv(r);
  if (!tsm_reader_ok(r)) return;
  if (!s->is_bound) {
    place_storage(l, r, s, end);
    return;
  }
  if (!(l->features & 1)) tsm_reader_fail(r, TSM_ERR_FORMAT, "storage %u is bound, but the header does not say so", i);
  if (s->offset || s->bytes > PTRDIFF_MAX)
    tsm_reader_fail(r, TSM_ERR_FORMAT, "bound storage %u has a place in DATA", i);
  s->bound_index = (*bound)++;
  if (tsm_reader_ok(r)) l->p->shared_storages[i] = bound_storage(l, r, s);
  if (l->p->shared_storages[i]) l->p->shared_storages[i]->flags |= TSM_ST_KEPT;
  l->p->bound_is_constant = l->options.bound_is_constant;
}

tsm_status tsm_decode_storages(tsm_loader *l) {
  tsm_program *p = l->p;
  tsm_reader r = tsm_loader_section(l, TSM_S_STORAGES);
  const tsm_section *data = tsm_program_section(p, TSM_S_DATA);
  p->data = p->bytes + data->offset;
  p->data_length = data->size;
  uint32_t count = tsm_read_count(&r, 3, "storages"), bound = 0;
  uint64_t end = 0;
  p->storages = tsm_loader_alloc(l, &r, count, sizeof *p->storages);
  p->shared_storages = tsm_loader_alloc(l, &r, count, sizeof *p->shared_storages);
  p->packed = tsm_loader_alloc(l, &r, count, sizeof *p->packed);
  if (tsm_reader_ok(&r)) p->storage_count = count;
  for (uint32_t i = 0; i < count && tsm_reader_ok(&r); i++) read_storage(l, &r, i, &end, &bound);
  if (tsm_reader_end(&r) != TSM_OK) return r.status;
  if (end != p->data_length)
    return tsm_reader_fail(&r, TSM_ERR_FORMAT, "the storages end at %llu, DATA at %llu", (unsigned long long)end,
                           (unsigned long long)p->data_length);
  if (bound != l->options.bound_count)
    return tsm_reader_fail(&r, TSM_ERR_ARGUMENT, "the image binds %u storages; %zu tensors were given", bound,
                           l->options.bound_count);
  return TSM_OK;
}

static void read_tensor(tsm_loader *l, tsm_reader *r, tsm_file_tensor *t) {
  t->storage = tsm_read_index(r, l->p->storage_count, "storage");
  t->dtype = tsm_read_u8(r);
  t->rank = tsm_read_u8(r);
  if (t->dtype >= TSM_DTYPE_COUNT) tsm_reader_fail(r, TSM_ERR_FORMAT, "there is no dtype %u", t->dtype);
  if (t->rank > TSM_MAX_RANK)
    tsm_reader_fail(r, TSM_ERR_FORMAT, "a tensor has rank %u; at most 32 is allowed", t->rank);
  if (!tsm_reader_ok(r)) return;
  int64_t *dims = tsm_loader_alloc(l, r, 2 * (size_t)t->rank, sizeof *dims);
  if (!dims) return;
  t->dims = dims;
  for (uint8_t i = 0; i < t->rank; i++) {
    uint64_t extent = tsm_read_uv(r);
    if (extent > INT64_MAX) tsm_reader_fail(r, TSM_ERR_FORMAT, "an extent does not fit in 63 bits");
    dims[i] = (int64_t)extent;
  }
  for (uint8_t i = 0; i < t->rank; i++) dims[t->rank + i] = tsm_read_sv(r);
  uint64_t offset = tsm_read_uv(r);
  if (offset > INT64_MAX) tsm_reader_fail(r, TSM_ERR_FORMAT, "an offset does not fit in 63 bits");
  t->offset = (int64_t)offset;
}

/* Whether all elements lie in the storage and their size in bytes can be computed. */
static bool is_inside(const tsm_program *p, const tsm_file_tensor *t) {
  tsm_meta meta;
  int64_t numel;
  size_t bytes;
  meta.dtype = t->dtype;
  meta.rank = t->rank;
  memcpy(meta.shape, t->dims, t->rank * sizeof *meta.shape);
  return tsm_meta_bytes(&meta, &numel, &bytes) &&
         tsm_window_is_inside((size_t)p->storages[t->storage].bytes, tsm_item_size(t->dtype), t->rank, t->dims,
                              t->dims + t->rank, t->offset);
}

tsm_status tsm_decode_tensors(tsm_loader *l) {
  tsm_program *p = l->p;
  tsm_reader r = tsm_loader_section(l, TSM_S_TENSORS);
  uint32_t count = tsm_read_count(&r, 4, "tensors");
  p->tensors = tsm_loader_alloc(l, &r, count, sizeof *p->tensors);
  for (uint32_t i = 0; i < count && tsm_reader_ok(&r); i++) {
    read_tensor(l, &r, &p->tensors[i]);
    if (tsm_reader_ok(&r) && !is_inside(p, &p->tensors[i]))
      tsm_reader_fail(&r, TSM_ERR_FORMAT, "tensor %u does not lie inside its storage", i);
  }
  p->tensor_count = count;
  return tsm_reader_end(&r);
}

/* "name.overload", or the name alone. */
static const char *operator_name(tsm_loader *l, tsm_reader *r, const char *name, const char *overload) {
  size_t a = strlen(name), b = strlen(overload);
  char *out = tsm_loader_alloc(l, r, a + b + 2, 1);
  if (!out) return NULL;
  memcpy(out, name, a);
  if (b) {
    out[a] = '.';
    memcpy(out + a + 1, overload, b);
  }
  return out;
}

static tsm_status report_unknown(tsm_loader *l, tsm_reader *r, uint32_t unknown, const uint64_t *since) {
  tsm_text list;
  tsm_text_init(&list, l->rt);
  for (uint32_t i = 0; i < l->p->operator_count; i++) {
    if (l->p->operators[i]) continue;
    tsm_text_format(&list, "%s%s (since %llu.%llu)", list.length ? ", " : "", l->p->operator_names[i],
                    (unsigned long long)(since[i] / 1000), (unsigned long long)(since[i] % 1000));
  }
  tsm_text_add(&list, "", 1);
  if (list.failed) tsm_reader_no_memory(r);
  else
    r->status = tsm_error_set(l->out_error, TSM_ERR_OPERATOR,
                              "section OPERATORS: tsm %s does not have %u of the operators this file uses: %s",
                                  TSM_VERSION,
                              unknown, list.bytes);
  tsm_text_free(&list);
  return r->status;
}

static void read_operator(tsm_loader *l, tsm_reader *r, uint32_t i, const char **names, uint64_t *since) {
  size_t name_length, overload_length;
  const char *name = tsm_read_text(r, &name_length);
  const char *overload = tsm_read_text(r, &overload_length);
  since[i] = tsm_read_uv(r);
  if (!tsm_reader_ok(r) || !is_name(r, name, name_length, "an operator") ||
      !is_name(r, overload, overload_length, "an operator"))
    return;
  names[0] = tsm_loader_copy(l, r, name, name_length);
  names[1] = tsm_loader_copy(l, r, overload, overload_length);
  if (!tsm_reader_ok(r)) return;
  if (i) {
    int order = strcmp(names[-2], names[0]);
    if (order > 0 || (order == 0 && strcmp(names[-1], names[1]) >= 0))
      tsm_reader_fail(r, TSM_ERR_FORMAT, "operator %u is out of order or there twice", i);
  }
  l->p->operators[i] = tsm_op_find(l->rt->ops, names[0], names[1]);
  l->p->operator_names[i] = operator_name(l, r, names[0], names[1]);
}

tsm_status tsm_decode_operators(tsm_loader *l) {
  tsm_program *p = l->p;
  tsm_reader r = tsm_loader_section(l, TSM_S_OPERATORS);
  uint32_t count = tsm_read_count(&r, 3, "operators"), unknown = 0;
  p->operators = tsm_loader_alloc(l, &r, count, sizeof *p->operators);
  p->operator_names = tsm_loader_alloc(l, &r, count, sizeof *p->operator_names);
  const char **names = tsm_loader_scratch(l, &r, 2 * (size_t)count, sizeof *names);
  uint64_t *since = tsm_loader_scratch(l, &r, count, sizeof *since);
  for (uint32_t i = 0; i < count && tsm_reader_ok(&r); i++) {
    read_operator(l, &r, i, names + 2 * (size_t)i, since);
    unknown += tsm_reader_ok(&r) && !p->operators[i];
  }
  p->operator_count = count;
  if (tsm_reader_end(&r) != TSM_OK) return r.status;
  return unknown ? report_unknown(l, &r, unknown, since) : TSM_OK;
}
