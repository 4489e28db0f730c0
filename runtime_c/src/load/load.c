/* load.c - the container: header, section table, checksums; then the decoders in order.
 * In: the bytes of a file. Out: a verified program with its plans.
 * Holds: nothing is decoded before its section's place and checksum are known to be right. */
#include "load.h"

enum { FORMAT_MAJOR = 1, FORMAT_MINOR = 6, KNOWN_FEATURES = 1, REQUIRED = 1 };

static const char section_names[TSM_S_COUNT][10] = {
  "header", "METADATA", "STRINGS", "TYPES", "STORAGES", "TENSORS", "CONSTANTS", "OPERATORS", "FUNCTIONS", "STATE",
  "METHODS", "SOURCE", "TEXT", "EXTRA", "DATA",
};

static bool is_required(uint32_t kind) {
  return (kind >= TSM_S_STRINGS && kind <= TSM_S_METHODS) || kind == TSM_S_DATA;
}

const char *tsm_section_name(uint32_t kind) { return kind < TSM_S_COUNT ? section_names[kind] : "unknown"; }

const tsm_section *tsm_program_section(const tsm_program *p, uint32_t kind) {
  for (uint32_t i = 0; i < p->section_count; i++)
    if (p->sections[i].kind == kind) return &p->sections[i];
  return NULL;
}

tsm_reader tsm_loader_section(const tsm_loader *l, uint32_t kind) {
  tsm_reader r;
  const tsm_section *s = tsm_program_section(l->p, kind);
  tsm_reader_init(&r, l->p->bytes + (s ? s->offset : 0), s ? (size_t)s->size : 0, tsm_section_name(kind),
                  s ? s->offset : 0, l->out_error);
  return r;
}

static uint64_t round_up(uint64_t n) { return (n + (TSM_ALIGNMENT - 1)) & ~(uint64_t)(TSM_ALIGNMENT - 1); }

static tsm_status check_magic(const tsm_loader *l) {
  static const uint8_t magic[8] = {0x89, 'T', 'S', 'M', 0x0D, 0x0A, 0x1A, 0x0A};
  size_t length = l->p->length;
  if (memcmp(l->p->bytes, magic, length < 8 ? length : 8) != 0 || !length)
    return tsm_error_set(l->out_error, length ? TSM_ERR_FORMAT : TSM_ERR_TRUNCATED, "%s",
                         length ? "this is not a .tsm file (its first 8 bytes are wrong)" : "the file is empty");
  if (length < TSM_HEADER_SIZE)
    return tsm_error_set(l->out_error, TSM_ERR_TRUNCATED, "the file ends inside the header, at byte %zu", length);
  return TSM_OK;
}

static tsm_status check_versions(const tsm_loader *l) {
  const uint8_t *b = l->p->bytes;
  unsigned major = tsm_u32_at(b + 8) & 0xFFFFu, minor = tsm_u32_at(b + 12);
  if (major == 0) return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "header, byte 8: there is no format version 0");
  if (major > FORMAT_MAJOR || minor > FORMAT_MINOR)
    return tsm_error_set(l->out_error, TSM_ERR_VERSION,
                         "header: the file needs a reader of format %u.%u; this library (tsm %s) reads up to %d.%d",
                             major,
                         minor, TSM_VERSION, FORMAT_MAJOR, FORMAT_MINOR);
  if (l->features & ~(uint64_t)KNOWN_FEATURES)
    return tsm_error_set(l->out_error, TSM_ERR_VERSION,
                         "header: the file needs features this library does not know (%llx)",
                         (unsigned long long)(l->features & ~(uint64_t)KNOWN_FEATURES));
  return TSM_OK;
}

static tsm_status check_size(const tsm_loader *l, uint32_t count) {
  uint64_t size = tsm_u64_at(l->p->bytes + 24), length = l->p->length;
  if (size > length)
    return tsm_error_set(l->out_error, TSM_ERR_TRUNCATED, "the file has %llu bytes; its header says %llu",
                         (unsigned long long)length, (unsigned long long)size);
  if (size < length)
    return tsm_error_set(l->out_error, TSM_ERR_FORMAT,
                         "%llu bytes follow the end of the file that the header gives (%llu)",
                         (unsigned long long)(length - size), (unsigned long long)size);
  if (count > TSM_MAX_SECTIONS)
    return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "header, byte 32: %u sections; at most 64 are allowed", count);
  if (TSM_HEADER_SIZE + (uint64_t)count * TSM_ENTRY_SIZE > length)
    return tsm_error_set(l->out_error, TSM_ERR_TRUNCATED, "the file ends inside the section table");
  return TSM_OK;
}

static bool is_zero(const uint8_t *bytes, uint64_t length) {
  for (uint64_t i = 0; i < length; i++)
    if (bytes[i]) return false;
  return true;
}

static tsm_status check_header_sum(const tsm_loader *l, uint32_t count) {
  uint8_t header[TSM_HEADER_SIZE];
  memcpy(header, l->p->bytes, sizeof header);
  memset(header + 36, 0, 4);
  uint32_t crc = tsm_crc32c(0, header, sizeof header);
  crc = tsm_crc32c(crc, l->p->bytes + TSM_HEADER_SIZE, (size_t)count * TSM_ENTRY_SIZE);
  if (crc != tsm_u32_at(l->p->bytes + 36))
    return tsm_error_set(l->out_error, TSM_ERR_CHECKSUM, "the checksum of header and section table does not match");
  if (!is_zero(l->p->bytes + 40, 24))
    return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "header, byte 40: reserved bytes are not zero");
  return TSM_OK;
}

static tsm_status check_flags(const tsm_loader *l, const tsm_section *s) {
  if (s->kind == 0 || (s->flags & ~(uint32_t)REQUIRED))
    return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "section table: kind %u with flags %x", s->kind, s->flags);
  if (s->kind >= TSM_S_COUNT) {
    if (!(s->flags & REQUIRED)) return TSM_OK;
    return tsm_error_set(l->out_error, TSM_ERR_VERSION,
                         "the file needs a section of kind %u, which this library does not know",
                         s->kind);
  }
  if (is_required(s->kind) != (s->flags == REQUIRED))
    return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "section table: section %s has flags %x",
                         tsm_section_name(s->kind), s->flags);
  return TSM_OK;
}

/* Place of one section: where the one before ended, with zero padding, inside the file. */
static tsm_status check_place(const tsm_loader *l, const tsm_section *s, uint64_t end) {
  uint64_t length = l->p->length, start = round_up(end);
  const char *name = tsm_section_name(s->kind);
  if (s->offset > length || s->size > length - s->offset)
    return tsm_error_set(l->out_error, TSM_ERR_FORMAT,
                         "section table: section %s (%llu bytes at %llu) leaves the file", name,
                         (unsigned long long)s->size, (unsigned long long)s->offset);
  if (s->offset != start)
    return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "section table: section %s starts at %llu instead of %llu", name,
                         (unsigned long long)s->offset, (unsigned long long)start);
  if (!is_zero(l->p->bytes + end, start - end))
    return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "the padding before section %s is not zero", name);
  return TSM_OK;
}

static tsm_status read_table(tsm_loader *l, uint32_t count) {
  tsm_program *p = l->p;
  uint64_t end = TSM_HEADER_SIZE + (uint64_t)count * TSM_ENTRY_SIZE;
  p->sections = tsm_arena_alloc(&p->arena, count, sizeof *p->sections);
  if (!p->sections) return tsm_error_set(l->out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *b = p->bytes + TSM_HEADER_SIZE + (size_t)i * TSM_ENTRY_SIZE;
    tsm_section *s = &p->sections[i];
    *s = (tsm_section){tsm_u32_at(b), tsm_u32_at(b + 4), tsm_u32_at(b + 24), tsm_u64_at(b + 8), tsm_u64_at(b + 16)};
    if (i && s->kind <= s[-1].kind)
      return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "section table: kind %u follows kind %u", s->kind, s[-1].kind);
    if (tsm_u32_at(b + 28))
      return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "section table, entry %u: reserved bytes are not zero", i);
    tsm_status status = check_flags(l, s);
    if (status == TSM_OK) status = check_place(l, s, end);
    if (status != TSM_OK) return status;
    end = s->offset + s->size;
    p->section_count = i + 1;
  }
  if (end != p->length)
    return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "the last section ends at %llu, the file at %zu",
                         (unsigned long long)end, p->length);
  return TSM_OK;
}

static tsm_status check_section_sum(const tsm_program *p, const tsm_section *s, tsm_error *out_error) {
  if (tsm_crc32c(0, p->bytes + s->offset, (size_t)s->size) == s->crc) return TSM_OK;
  return tsm_error_set(out_error, TSM_ERR_CHECKSUM, "the checksum of section %s does not match",
                       tsm_section_name(s->kind));
}

static tsm_status check_sections(const tsm_loader *l) {
  for (uint32_t kind = 1; kind < TSM_S_COUNT; kind++)
    if (is_required(kind) && !tsm_program_section(l->p, kind))
      return tsm_error_set(l->out_error, TSM_ERR_FORMAT, "section %s is missing", tsm_section_name(kind));
  for (uint32_t i = 0; i < l->p->section_count; i++) {
    const tsm_section *s = &l->p->sections[i];
    if (s->kind == TSM_S_DATA && !l->options.check_weights) continue;
    tsm_status status = check_section_sum(l->p, s, l->out_error);
    if (status != TSM_OK) return status;
  }
  return TSM_OK;
}

tsm_status tsm_program_verify(const tsm_program *program, tsm_error *out_error) {
  if (!program) return tsm_error_set(out_error, TSM_ERR_ARGUMENT, "the program is NULL");
  return check_section_sum(program, tsm_program_section(program, TSM_S_DATA), out_error);
}

static tsm_status read_container(tsm_loader *l) {
  tsm_status status = check_magic(l);
  if (status != TSM_OK) return status;
  uint32_t count = tsm_u32_at(l->p->bytes + 32);
  l->features = tsm_u64_at(l->p->bytes + 16);
  l->minor = tsm_u32_at(l->p->bytes + 12);
  if ((status = check_versions(l)) != TSM_OK) return status;
  if ((status = check_size(l, count)) != TSM_OK) return status;
  if ((status = check_header_sum(l, count)) != TSM_OK) return status;
  if ((status = read_table(l, count)) != TSM_OK) return status;
  return check_sections(l);
}

static tsm_status verify_functions(tsm_loader *l) {
  for (uint32_t i = 0; i < l->p->function_count; i++) {
    tsm_status status = tsm_verify_function(l->p, &l->p->functions[i], l->out_error);
    if (status != TSM_OK) return status;
  }
  return TSM_OK;
}

static tsm_status lower(tsm_loader *l) {
  tsm_status status = tsm_lower_program(l->p, l->out_error);
  if (status != TSM_OK && l->out_error && l->out_error->code == TSM_OK)
    tsm_error_set(l->out_error, status, "%s", tsm_status_text(status));
  return status;
}

tsm_status tsm_program_decode(tsm_program *p, const tsm_load_options *options, tsm_error *out_error) {
  static tsm_status (*const decoders[])(tsm_loader *) = {
    read_container, tsm_decode_metadata, tsm_decode_strings, tsm_decode_types, tsm_decode_storages, tsm_decode_tensors,
    tsm_decode_host_order, tsm_decode_constants, tsm_decode_operators, tsm_decode_functions, verify_functions, tsm_bind_host_functions,
    tsm_decode_state, tsm_decode_methods, tsm_decode_source, tsm_decode_text, tsm_decode_extra, lower,
  };
  tsm_loader l;
  memset(&l, 0, sizeof l);
  l.p = p;
  l.rt = p->rt;
  l.out_error = out_error;
  l.options = *options;
  tsm_arena_init(&l.scratch, p->rt);
  tsm_status status = TSM_OK;
  for (size_t i = 0; i < sizeof decoders / sizeof *decoders && status == TSM_OK; i++) status = decoders[i](&l);
  tsm_arena_free(&l.scratch);
  return status;
}
