/* bytes.h - reading untrusted bytes: a cursor that never leaves its section.
 * In: one section of a file. Out: FORMAT.md's primitives, or the first error with section and offset.
 * Holds: after a failure every read gives 0 and moves nowhere, so decoders may check once at the end of a record. */
#ifndef TSM_BYTES_H
#define TSM_BYTES_H

#include "base.h"

typedef struct tsm_reader {
  const uint8_t *bytes;
  size_t length, at;
  const char *section;  /* for messages */
  uint64_t start;       /* of `bytes` in the file */
  tsm_status status;
  tsm_error *out_error; /* may be NULL */
} tsm_reader;

void tsm_reader_init(tsm_reader *r, const uint8_t *bytes, size_t length, const char *section, uint64_t start,
                     tsm_error *out_error);
/* Records the first failure, with section and offset before the text. Returns the reader's status. */
tsm_noted tsm_reader_fail(tsm_reader *r, tsm_status code, const char *format, ...) TSM_PRINTF(3, 4);
tsm_noted tsm_reader_no_memory(tsm_reader *r);
static inline size_t tsm_reader_left(const tsm_reader *r) { return r->length - r->at; }
static inline bool tsm_reader_ok(const tsm_reader *r) { return r->status == TSM_OK; }
/* Fails unless everything has been read. */
tsm_status tsm_reader_end(tsm_reader *r);

uint8_t tsm_read_u8(tsm_reader *r);
uint64_t tsm_read_uv(tsm_reader *r);
int64_t tsm_read_sv(tsm_reader *r);
double tsm_read_f64(tsm_reader *r);
/* A u8 that must be 0 or 1. */
bool tsm_read_bool(tsm_reader *r);
/* How many things follow, each of at least `least` bytes. */
uint32_t tsm_read_count(tsm_reader *r, size_t least, const char *what);
/* A number below `limit`. */
uint32_t tsm_read_index(tsm_reader *r, uint32_t limit, const char *what);
/* opt(index): -1 when absent. */
int64_t tsm_read_opt(tsm_reader *r, uint32_t limit, const char *what);
/* `length` bytes in place; NULL when they are not there. */
const uint8_t *tsm_read_span(tsm_reader *r, uint64_t length, const char *what);
/* A uv length and that many bytes. */
const uint8_t *tsm_read_blob(tsm_reader *r, size_t *out_length);
/* A text: valid UTF-8 without surrogates; not zero terminated. NULL on failure. */
const char *tsm_read_text(tsm_reader *r, size_t *out_length);

/* Fixed-width little-endian integers at any address. */
static inline uint64_t tsm_u64_at(const uint8_t *p) {
  uint64_t v = 0;
  for (int i = 0; i < 8; i++) v |= (uint64_t)p[i] << (8 * i);
  return v;
}
static inline uint32_t tsm_u32_at(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

#endif
