/* bytes.c - see bytes.h. */
#include "bytes.h"

#include <stdarg.h>
#include <stdio.h>

void tsm_reader_init(tsm_reader *r, const uint8_t *bytes, size_t length, const char *section, uint64_t start,
                     tsm_error *out_error) {
  r->bytes = bytes;
  r->length = length;
  r->at = 0;
  r->section = section;
  r->start = start;
  r->status = TSM_OK;
  r->out_error = out_error;
}

tsm_noted tsm_reader_fail(tsm_reader *r, tsm_status code, const char *format, ...) {
  if (r->status != TSM_OK) return r->status;
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  r->status = code;
  return tsm_error_set(r->out_error, code, "section %s, byte %llu: %s", r->section,
                       (unsigned long long)(r->start + r->at), text);
}

tsm_noted tsm_reader_no_memory(tsm_reader *r) {
  return tsm_reader_fail(r, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
}

tsm_status tsm_reader_end(tsm_reader *r) {
  if (r->status == TSM_OK && r->at != r->length)
    tsm_reader_fail(r, TSM_ERR_FORMAT, "%zu bytes are left over", tsm_reader_left(r));
  return r->status;
}

static bool has(tsm_reader *r, size_t n, const char *what) {
  if (r->status != TSM_OK) return false;
  if (n <= tsm_reader_left(r)) return true;
  tsm_reader_fail(r, TSM_ERR_TRUNCATED, "the section ends inside %s", what);
  return false;
}

uint8_t tsm_read_u8(tsm_reader *r) { return has(r, 1, "a byte") ? r->bytes[r->at++] : 0; }

uint64_t tsm_read_uv(tsm_reader *r) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (!has(r, 1, "a number")) return 0;
    uint8_t byte = r->bytes[r->at];
    if (shift == 63 && byte > 1) {
      tsm_reader_fail(r, TSM_ERR_FORMAT, "a number does not fit in 64 bits");
      return 0;
    }
    if (byte == 0 && shift) {
      tsm_reader_fail(r, TSM_ERR_FORMAT, "a number is not in its shortest form");
      return 0;
    }
    r->at++;
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return value;
  }
}

int64_t tsm_read_sv(tsm_reader *r) {
  uint64_t z = tsm_read_uv(r);
  uint64_t bits = (z >> 1) ^ (0 - (z & 1));
  int64_t value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double tsm_read_f64(tsm_reader *r) {
  double value = 0;
  if (!has(r, 8, "a float")) return 0;
  uint64_t bits = tsm_u64_at(r->bytes + r->at);
  memcpy(&value, &bits, sizeof value);
  r->at += 8;
  return value;
}

bool tsm_read_bool(tsm_reader *r) {
  uint8_t byte = tsm_read_u8(r);
  if (byte > 1) tsm_reader_fail(r, TSM_ERR_FORMAT, "a flag is %u instead of 0 or 1", byte);
  return byte == 1;
}

uint32_t tsm_read_count(tsm_reader *r, size_t least, const char *what) {
  uint64_t count = tsm_read_uv(r);
  if (count > tsm_reader_left(r) / least) {
    tsm_reader_fail(r, TSM_ERR_FORMAT, "there cannot be %llu %s in the %zu bytes left", (unsigned long long)count, what,
                    tsm_reader_left(r));
    return 0;
  }
  if (count > INT32_MAX) {
    tsm_reader_fail(r, TSM_ERR_LIMIT, "%llu %s are too many", (unsigned long long)count, what);
    return 0;
  }
  return r->status == TSM_OK ? (uint32_t)count : 0;
}

uint32_t tsm_read_index(tsm_reader *r, uint32_t limit, const char *what) {
  uint64_t index = tsm_read_uv(r);
  if (r->status != TSM_OK) return 0;
  if (index < limit) return (uint32_t)index;
  tsm_reader_fail(r, TSM_ERR_FORMAT, "there is no %s number %llu (there are %u)", what, (unsigned long long)index,
                  limit);
  return 0;
}

int64_t tsm_read_opt(tsm_reader *r, uint32_t limit, const char *what) {
  uint64_t index = tsm_read_uv(r);
  if (r->status != TSM_OK || index == 0) return -1;
  if (index <= limit) return (int64_t)index - 1;
  tsm_reader_fail(r, TSM_ERR_FORMAT, "there is no %s number %llu (there are %u)", what, (unsigned long long)index - 1,
                  limit);
  return -1;
}

const uint8_t *tsm_read_span(tsm_reader *r, uint64_t length, const char *what) {
  if (r->status != TSM_OK) return NULL;
  if (length > tsm_reader_left(r)) {
    tsm_reader_fail(r, TSM_ERR_TRUNCATED, "the section ends inside %s", what);
    return NULL;
  }
  const uint8_t *span = r->bytes + r->at;
  r->at += (size_t)length;
  return span;
}

const uint8_t *tsm_read_blob(tsm_reader *r, size_t *out_length) {
  uint64_t length = tsm_read_uv(r);
  const uint8_t *span = tsm_read_span(r, length, "bytes");
  *out_length = span ? (size_t)length : 0;
  return span;
}

const char *tsm_read_text(tsm_reader *r, size_t *out_length) {
  uint64_t length = tsm_read_uv(r);
  const char *text = (const char *)tsm_read_span(r, length, "a text");
  *out_length = text ? (size_t)length : 0;
  if (text && tsm_utf8_valid(text, *out_length, NULL) != *out_length) {
    r->at -= *out_length;
    tsm_reader_fail(r, TSM_ERR_FORMAT, "a text is not valid UTF-8");
    text = NULL;
  }
  return text;
}
