/* save.c - a .tsm file with the present state of an instance.
 * In: an instance. Out: bytes through the host's write function.
 * Holds: a state equal to the file's gives the file itself, byte for byte; else STATE and what it refers to are written
 * anew and every other section is copied. */
#include "base/endian.h"
#include "encode_state.h"

typedef struct section_source {
  uint32_t kind, flags, crc;
  uint64_t offset, size;
  const tsm_text *text;    /* NULL: bytes of the file (or DATA) */
  const uint8_t *bytes;
} section_source;

typedef struct saver {
  tsm_program *p;
  tsm_state_encoder *now;
  tsm_text strings, types, storages, tensors, header;
  section_source sections[TSM_MAX_SECTIONS];
  tsm_write_fn write;
  void *user;
  bool failed;
} saver;

static bool is_same_text(const tsm_text *a, const tsm_text *b) {
  return a->length == b->length && (!a->length || memcmp(a->bytes, b->bytes, a->length) == 0);
}

static bool has_same_bytes(const tsm_storage *a, const tsm_storage *b) {
  return a->bytes == b->bytes && (a->data == b->data || !a->bytes || memcmp(a->data, b->data, a->bytes) == 0);
}

static bool is_unchanged(const tsm_state_encoder *a, const tsm_state_encoder *b) {
  if (a->new_string_count || a->new_type_count || a->storage_count != b->storage_count) return false;
  if (!is_same_text(&a->state, &b->state) || !is_same_text(&a->tensors, &b->tensors)) return false;
  for (size_t i = 0; i < a->storage_count; i++)
    if (!has_same_bytes(a->storages[i].storage, b->storages[i].storage)) return false;
  return true;
}

/* Whether the state encodes as a fresh one does. An image with bound storages has no file to be equal to. */
static tsm_status compare_with_file(tsm_instance *instance, const tsm_state_encoder *now, bool *out_is_same,
                                    tsm_error *out_error) {
  *out_is_same = false;
  for (uint32_t i = 0; i < instance->program->storage_count; i++)
    if (instance->program->storages[i].is_bound) return TSM_OK;
  tsm_instance *fresh = tsm_instance_new(instance->program, out_error);
  if (!fresh) return TSM_ERR_MEMORY;
  tsm_state_encoder then;
  tsm_status status = tsm_state_encode(&then, fresh, out_error);
  if (status == TSM_OK) *out_is_same = is_unchanged(now, &then);
  tsm_state_encoder_free(&then);
  tsm_instance_free(fresh);
  return status;
}

static uint64_t round_up(uint64_t n) { return (n + (TSM_ALIGNMENT - 1)) & ~(uint64_t)(TSM_ALIGNMENT - 1); }

/* A counted section of the file with more records after its own. */
static void append_records(saver *s, uint32_t kind, uint32_t count, uint32_t more, const tsm_text *records,
                           tsm_text *out) {
  for (uint32_t i = 0; i < s->p->section_count; i++) {
    const tsm_section *section = &s->p->sections[i];
    if (section->kind != kind) continue;
    const char *bytes = (const char *)s->p->bytes + section->offset;
    size_t skip = 0;
    while ((unsigned char)bytes[skip++] & 128) {}
    tsm_put_uv(out, (uint64_t)count + more);
    tsm_text_add(out, bytes + skip, (size_t)section->size - skip);
    tsm_text_append(out, records);
  }
}

static void make_texts(saver *s) {
  uint64_t end = 0;
  append_records(s, TSM_S_STRINGS, s->p->string_count, s->now->new_string_count, &s->now->new_strings, &s->strings);
  append_records(s, TSM_S_TYPES, s->p->type_count, s->now->new_type_count, &s->now->new_types, &s->types);
  tsm_put_uv(&s->tensors, s->now->tensor_count);
  tsm_text_append(&s->tensors, &s->now->tensors);
  tsm_put_uv(&s->storages, s->now->storage_count);
  for (size_t i = 0; i < s->now->storage_count; i++) {
    uint64_t bytes = s->now->storages[i].storage->bytes;
    tsm_put_u8(&s->storages, 0);
    tsm_put_uv(&s->storages, round_up(end));
    tsm_put_uv(&s->storages, bytes);
    end = round_up(end) + bytes;
  }
}

static void emit(saver *s, const void *bytes, uint64_t length) {
  if (length && !s->failed) s->failed = !s->write(s->user, bytes, (size_t)length);
}

static void emit_padding(saver *s, uint64_t *at) {
  static const uint8_t zeros[TSM_ALIGNMENT];
  emit(s, zeros, round_up(*at) - *at);
  *at = round_up(*at);
}

/* Hands the bytes of a storage in the order of a file to `take`, in pieces where they have to be turned around. */
static void each_piece(const encoded_storage *s, void (*take)(void *user, const void *bytes, size_t length), void *user) {
  enum { PIECE = 4096 };
  uint8_t piece[PIECE];
  const uint8_t *data = s->storage->data;
  if (!TSM_IS_BIG_ENDIAN || s->item == 1) {
    take(user, data, s->storage->bytes);
    return;
  }
  for (size_t at = 0, left; (left = s->storage->bytes - at) > 0; at += left < PIECE ? left : PIECE) {
    tsm_swap_elements(piece, data + at, left < PIECE ? left : PIECE, s->item);
    take(user, piece, left < PIECE ? left : PIECE);
  }
}

static void take_sum(void *crc, const void *bytes, size_t length) {
  *(uint32_t *)crc = tsm_crc32c(*(uint32_t *)crc, bytes, length);
}

static void take_bytes(void *s, const void *bytes, size_t length) { emit(s, bytes, length); }

/* Size and checksum of DATA, its storages end to end with padding. */
static void measure_data(const saver *s, section_source *data) {
  static const uint8_t zeros[TSM_ALIGNMENT];
  data->size = data->crc = 0;
  for (size_t i = 0; i < s->now->storage_count; i++) {
    const encoded_storage *storage = &s->now->storages[i];
    data->crc = tsm_crc32c(data->crc, zeros, (size_t)(round_up(data->size) - data->size));
    each_piece(storage, take_sum, &data->crc);
    data->size = round_up(data->size) + storage->storage->bytes;
  }
}

static void emit_data(saver *s) {
  uint64_t at = 0;
  for (size_t i = 0; i < s->now->storage_count; i++) {
    emit_padding(s, &at);
    each_piece(&s->now->storages[i], take_bytes, s);
    at += s->now->storages[i].storage->bytes;
  }
}

static const tsm_text *text_of(const saver *s, uint32_t kind) {
  switch (kind) {
    case TSM_S_STRINGS: return &s->strings;
    case TSM_S_TYPES: return &s->types;
    case TSM_S_STORAGES: return &s->storages;
    case TSM_S_TENSORS: return &s->tensors;
    case TSM_S_CONSTANTS: return &s->now->constants;
    case TSM_S_STATE: return &s->now->state;
    default: return NULL;
  }
}

/* Where every section goes; returns the size of the file. */
static uint64_t place_sections(saver *s) {
  uint64_t end = TSM_HEADER_SIZE + (uint64_t)s->p->section_count * TSM_ENTRY_SIZE;
  for (uint32_t i = 0; i < s->p->section_count; i++) {
    const tsm_section *old = &s->p->sections[i];
    section_source *new = &s->sections[i];
    *new = (section_source){old->kind, old->flags, old->crc, round_up(end), old->size, text_of(s, old->kind),
                            s->p->bytes + old->offset};
    if (new->text) {
      new->size = new->text->length;
      new->crc = tsm_crc32c(0, new->text->bytes, new->text->length);
    }
    if (new->kind == TSM_S_DATA) measure_data(s, new);
    end = new->offset + new->size;
  }
  return end;
}

static void put_fixed(tsm_text *out, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; i++, v >>= 8) tsm_put_u8(out, (uint8_t)v);
}

static void make_header(saver *s, uint64_t size) {
  tsm_text *h = &s->header;
  tsm_text_add(h, (const char *)s->p->bytes, 16); /* magic and versions */
  put_fixed(h, 0, 8);
  put_fixed(h, size, 8);
  put_fixed(h, s->p->section_count, 4);
  put_fixed(h, 0, 28); /* checksum, reserved */
  for (uint32_t i = 0; i < s->p->section_count; i++) {
    const section_source *e = &s->sections[i];
    put_fixed(h, e->kind, 4);
    put_fixed(h, e->flags, 4);
    put_fixed(h, e->offset, 8);
    put_fixed(h, e->size, 8);
    put_fixed(h, e->crc, 4);
    put_fixed(h, 0, 4);
  }
  if (h->failed) return;
  uint32_t crc = tsm_crc32c(0, h->bytes, h->length);
  for (int i = 0; i < 4; i++) h->bytes[36 + i] = (char)(uint8_t)(crc >> (8 * i));
}

static void emit_file(saver *s) {
  uint64_t at = s->header.length;
  emit(s, s->header.bytes, s->header.length);
  for (uint32_t i = 0; i < s->p->section_count; i++) {
    const section_source *e = &s->sections[i];
    emit_padding(s, &at);
    if (e->kind == TSM_S_DATA) emit_data(s);
    else emit(s, e->text ? (const uint8_t *)e->text->bytes : e->bytes, e->size);
    at += e->size;
  }
}

static tsm_status write_new(saver *s, tsm_error *out_error) {
  tsm_text *texts[] = {&s->strings, &s->types, &s->storages, &s->tensors, &s->header};
  bool no_memory = false;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) tsm_text_init(texts[i], s->p->rt);
  make_texts(s);
  make_header(s, place_sections(s));
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) no_memory |= texts[i]->failed;
  if (!no_memory) emit_file(s);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) tsm_text_free(texts[i]);
  return no_memory ? tsm_error_set(out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY)) : TSM_OK;
}

tsm_status tsm_instance_save(tsm_instance *instance, tsm_write_fn write, void *user, tsm_error *out_error) {
  tsm_state_encoder now;
  bool is_same = false;
  if (out_error) memset(out_error, 0, sizeof *out_error);
  saver *s = tsm_alloc_zeroed(instance->program->rt, sizeof *s);
  if (!s) return tsm_error_set(out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
  s->p = instance->program;
  s->now = &now;
  s->write = write;
  s->user = user;
  tsm_status status = tsm_state_encode(&now, instance, out_error);
  if (status == TSM_OK) status = compare_with_file(instance, &now, &is_same, out_error);
  if (status == TSM_OK && is_same) emit(s, s->p->bytes, s->p->length);
  else if (status == TSM_OK) status = write_new(s, out_error);
  if (status == TSM_OK && s->failed) status = tsm_error_set(out_error, TSM_ERR_IO, "the file could not be written");
  tsm_state_encoder_free(&now);
  tsm_free(s->p->rt, s, sizeof *s);
  return status;
}
