/* unicode.h - facts about code points, and their UTF-8 (which must be valid).
 * Built with TSM_NO_UNICODE there are no tables: what is not ASCII has no facts, and who asks for them must raise
 * (tsm_char_is_known). */
#ifndef TSM_UNICODE_H
#define TSM_UNICODE_H

#include "base.h"

/* What CPython's str asks of a character; the order is that of make_unicode.py. */
enum {
  TSM_CHAR_ALPHA = 1, TSM_CHAR_DECIMAL = 2, TSM_CHAR_DIGIT = 4, TSM_CHAR_NUMERIC = 8, TSM_CHAR_LOWER = 16,
  TSM_CHAR_UPPER = 32, TSM_CHAR_TITLE = 64, TSM_CHAR_CASED = 128, TSM_CHAR_IGNORABLE = 256, TSM_CHAR_START = 512,
  TSM_CHAR_CONTINUE = 1024, TSM_CHAR_PRINTABLE = 2048, TSM_CHAR_SPACE = 4096
};
typedef enum tsm_case { TSM_CASE_UPPER, TSM_CASE_LOWER, TSM_CASE_TITLE, TSM_CASE_FOLD } tsm_case;

#ifdef TSM_NO_UNICODE
static inline bool tsm_char_is_known(uint32_t c) { return c < 0x80; }
#else
static inline bool tsm_char_is_known(uint32_t c) { (void)c; return true; }
#endif

unsigned tsm_char_flags(uint32_t c);     /* the TSM_CHAR_* that hold */
bool tsm_char_is_space(uint32_t c);      /* as str.isspace; needs no tables */
/* White space that int() and float() pass over: in ASCII, what C calls so. */
static inline bool tsm_char_is_blank(uint32_t c) {
  return c < 0x80 ? c == ' ' || (c >= 9 && c <= 13) : tsm_char_is_space(c);
}
int tsm_char_digit(uint32_t c);          /* value of a decimal digit of any script, or -1 */
/* The character in another case: one to three characters into `out`, their number. */
size_t tsm_char_to_case(uint32_t c, tsm_case to, uint32_t out[3]);
uint32_t tsm_utf8_decode(const char *at, size_t *out_length);
size_t tsm_utf8_encode(uint32_t c, char *out);  /* `out` takes 4 bytes */

#endif
