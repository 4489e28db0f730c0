/* unicode.c - facts about code points: Unicode 14.0, as CPython 3.11's str has them.
 * Ranges of one class, and runs of one distance between cases, are found by halving. */
#include "unicode.h"

static unsigned ascii_flags(uint32_t c) {
  bool is_lower = c >= 'a' && c <= 'z', is_upper = c >= 'A' && c <= 'Z', is_digit = c >= '0' && c <= '9';
  unsigned flags = c >= 32 && c < 127 ? TSM_CHAR_PRINTABLE : 0;
  if (tsm_char_is_space(c)) flags |= TSM_CHAR_SPACE;
  if (is_digit) flags |= TSM_CHAR_DECIMAL | TSM_CHAR_DIGIT | TSM_CHAR_NUMERIC | TSM_CHAR_CONTINUE;
  if (c == '_') flags |= TSM_CHAR_START | TSM_CHAR_CONTINUE;
  if (c == '\'' || c == '.' || c == ':' || c == '^' || c == '`') flags |= TSM_CHAR_IGNORABLE;
  if (is_lower || is_upper)
    flags |= TSM_CHAR_ALPHA | TSM_CHAR_CASED | TSM_CHAR_START | TSM_CHAR_CONTINUE |
             (is_lower ? TSM_CHAR_LOWER : TSM_CHAR_UPPER);
  return flags;
}

bool tsm_char_is_space(uint32_t c) {
  if (c < 0x80) return (c >= 9 && c <= 13) || (c >= 28 && c <= 32);
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
         c == 0x202f || c == 0x205f || c == 0x3000;
}

static uint32_t ascii_to_case(uint32_t c, tsm_case to) {
  bool to_upper = to == TSM_CASE_UPPER || to == TSM_CASE_TITLE;
  if (to_upper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z') return c ^ 0x20;
  return c;
}

#ifdef TSM_NO_UNICODE

unsigned tsm_char_flags(uint32_t c) { return c < 0x80 ? ascii_flags(c) : 0; }
int tsm_char_digit(uint32_t c) { return c >= '0' && c <= '9' ? (int)(c - '0') : -1; }
size_t tsm_char_to_case(uint32_t c, tsm_case to, uint32_t out[3]) { return out[0] = ascii_to_case(c, to), 1; }

#else

#include "unicode_tables.h"

/* The last of `count` (at least 1) rising numbers that is not above `key`. */
static size_t find_range(const uint16_t *starts, size_t count, uint16_t key) {
  size_t low = 0;
  while (count > 1) {
    size_t half = count / 2;
    if (starts[low + half] <= key) low += half, count -= half;
    else count = half;
  }
  return low;
}

unsigned tsm_char_flags(uint32_t c) {
  if (c < 0x80) return ascii_flags(c);
  if (c > 0x10FFFF) return 0;
  size_t first = plane_ranges[c >> 16], count = plane_ranges[(c >> 16) + 1] - first;
  unsigned flags = class_flags[range_classes[first + find_range(range_starts + first, count, (uint16_t)c)]];
  if (flags & EVEN_UPPER) flags |= c & 1 ? TSM_CHAR_LOWER : TSM_CHAR_UPPER;
  if (flags & ODD_UPPER) flags |= c & 1 ? TSM_CHAR_UPPER : TSM_CHAR_LOWER;
  return flags & ~(EVEN_UPPER | ODD_UPPER);
}

int tsm_char_digit(uint32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9' ? (int)(c - '0') : -1;
  for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
    if (c >= zeros[i] && c - zeros[i] < 10) return (int)(c - zeros[i]);
  return -1;
}

static bool find_run(const case_run *runs, size_t count, uint32_t c, uint32_t *out) {
  const uint32_t mask = 0x1FFFFF;
  size_t low = 0;
  while (count > 1) {
    size_t half = count / 2;
    if ((runs[low + half].from & mask) <= c) low += half, count -= half;
    else count = half;
  }
  uint32_t from = runs[low].from & mask, step = (runs[low].from >> 21 & 1) + 1;
  if (c < from || (c - from) % step || (c - from) / step >= runs[low].from >> 22) return false;
  *out = (uint32_t)((int32_t)c + runs[low].distance);
  return true;
}

static size_t find_sequence(const uint16_t *table, size_t size, uint32_t c, uint32_t out[3]) {
  for (size_t at = 0; at < size; at += 2u + table[at + 1]) {
    if (table[at] != c) continue;
    for (size_t i = 0; i < table[at + 1]; i++) out[i] = table[at + 2 + i];
    return table[at + 1];
  }
  return 0;
}

#define FIND(name)                                                                            \
  do {                                                                                        \
    if (find_run(name##_runs, sizeof name##_runs / sizeof *name##_runs, c, out)) return 1;     \
    size_t n = find_sequence(name##_sequences, sizeof name##_sequences / sizeof *name##_sequences, c, out); \
    if (n) return n;                                                                          \
  } while (0)

size_t tsm_char_to_case(uint32_t c, tsm_case to, uint32_t out[3]) {
  out[0] = c;
  if (c < 0x80) return out[0] = ascii_to_case(c, to), 1;
  if (to == TSM_CASE_TITLE) FIND(title);
  if (to == TSM_CASE_FOLD) FIND(fold);
  if (to == TSM_CASE_UPPER || to == TSM_CASE_TITLE) FIND(upper);
  else FIND(lower);
  return 1;
}

#endif

uint32_t tsm_utf8_decode(const char *at, size_t *out_length) {
  const unsigned char *p = (const unsigned char *)at;
  if (p[0] < 0x80) return *out_length = 1, p[0];
  if (p[0] < 0xE0) return *out_length = 2, (uint32_t)(p[0] & 31) << 6 | (p[1] & 63u);
  if (p[0] < 0xF0) return *out_length = 3, (uint32_t)(p[0] & 15) << 12 | (uint32_t)(p[1] & 63) << 6 | (p[2] & 63u);
  *out_length = 4;
  return (uint32_t)(p[0] & 7) << 18 | (uint32_t)(p[1] & 63) << 12 | (uint32_t)(p[2] & 63) << 6 | (p[3] & 63u);
}

size_t tsm_utf8_encode(uint32_t c, char *out) {
  if (c < 0x80) return out[0] = (char)c, 1;
  size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t i = n - 1; i > 0; i--, c >>= 6) out[i] = (char)(0x80 | (c & 63));
  out[0] = (char)((n == 2 ? 0xC0 : n == 3 ? 0xE0 : 0xF0) | c);
  return n;
}
