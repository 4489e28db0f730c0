/* format_numbers.h - text for a format specification, into a tsm_text whose `failed` tells when memory ran out. */
#ifndef TSM_FORMAT_NUMBERS_H
#define TSM_FORMAT_NUMBERS_H

#include "format_spec.h"

/* A number in parts: sign and prefix, the digits that may be grouped, and what follows them. Borrows its text. */
typedef struct tsm_format_number {
  char head[4];
  size_t head_length, digit_count, tail_length;
  const char *digits, *tail;
  int group; /* digits between separators */
} tsm_format_number;

/* Adds `length` bytes, which are `chars` characters, padded to the width. */
void tsm_format_pad_text(tsm_text *out, const tsm_format_spec *f, const char *bytes, size_t length, int64_t chars);
/* Adds a number, grouped and padded to the width. */
void tsm_format_pad_number(tsm_text *out, const tsm_format_spec *f, const tsm_format_number *n);
/* Begins the head with the sign that `sign`, a specification's, asks for. */
void tsm_format_sign(tsm_format_number *n, bool is_negative, char sign);
/* Digits of a magnitude in a base, backwards from `end`, up to 64 of them; returns where they start. */
char *tsm_format_digits(uint64_t magnitude, unsigned base, bool is_upper, char *end);
/* 2, 8, 16 or 10, for the type of a specification. */
unsigned tsm_format_base(char type);

/* Each adds the value as `f` asks; raises what CPython raises. */
tsm_status tsm_format_char(tsm_opcall *c, tsm_text *out, const tsm_format_spec *f, int64_t value);
tsm_status tsm_format_int(tsm_opcall *c, tsm_text *out, const tsm_format_spec *f, int64_t value);
tsm_status tsm_format_float(tsm_opcall *c, tsm_text *out, const tsm_format_spec *f, double value);
/* Reads its specification itself. */
tsm_status tsm_format_complex(tsm_opcall *c, tsm_text *out, const tsm_complex *value, const tsm_str *s);

/* An empty text in the memory of the call's heap, and the result of the call made of it: frees the text. */
void tsm_format_begin(const tsm_opcall *c, tsm_text *out);
tsm_status tsm_format_finish(tsm_opcall *c, tsm_text *text, tsm_status status);

#endif
