/* utf8.c - validity of UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
#include "base.h"

static bool is_tail(unsigned char c) { return (c & 0xC0) == 0x80; }

/* Bytes of the valid sequence that starts at p, 0 if there is none. */
static size_t sequence_length(const unsigned char *p, size_t left) {
  unsigned char c = p[0];
  if (c < 0x80) return 1;
  if (c < 0xC2 || c > 0xF4) return 0;
  if (left < 2 || !is_tail(p[1])) return 0;
  if (c < 0xE0) return 2;
  if (left < 3 || !is_tail(p[2])) return 0;
  if (c < 0xF0) return (c == 0xE0 && p[1] < 0xA0) || (c == 0xED && p[1] > 0x9F) ? 0 : 3;
  if (left < 4 || !is_tail(p[3])) return 0;
  return (c == 0xF0 && p[1] < 0x90) || (c == 0xF4 && p[1] > 0x8F) ? 0 : 4;
}

size_t tsm_utf8_valid(const char *bytes, size_t length, size_t *out_chars) {
  const unsigned char *p = (const unsigned char *)bytes;
  size_t at = 0, chars = 0;
  while (at < length) {
    size_t n = sequence_length(p + at, length - at);
    if (!n) break;
    at += n;
    chars++;
  }
  if (out_chars) *out_chars = chars;
  return at;
}
