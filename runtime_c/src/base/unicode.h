/* unicode.h - facts about code points, and their UTF-8 (which must be valid). */
#ifndef TSM_UNICODE_H
#define TSM_UNICODE_H

#include "base.h"

bool tsm_char_is_printable(uint32_t c);  /* as str.isprintable */
bool tsm_char_is_space(uint32_t c);      /* as str.isspace */
int tsm_char_digit(uint32_t c);          /* value of a decimal digit of any script, or -1 */
uint32_t tsm_utf8_decode(const char *at, size_t *out_length);
size_t tsm_utf8_encode(uint32_t c, char *out);  /* `out` takes 4 bytes */

#endif
