/* format_spec.h - a format specification, read. */
#ifndef TSM_FORMAT_SPEC_H
#define TSM_FORMAT_SPEC_H

#include "containers.h"

typedef struct tsm_format_spec {
  char fill[4];
  size_t fill_length;
  char align, sign, type; /* 0: not given; type 0 is the default of the value's kind */
  bool alternate, no_negative_zero;
  char separator;         /* ',' or '_', 0: none */
  int64_t width, precision; /* -1: not given */
} tsm_format_spec;

/* Reads the whole of `s` and charges fuel for what it asks for; raises what CPython does. A type that is not ASCII is
 * refused; `default_type` is that of the value's kind. */
tsm_status tsm_format_read(tsm_opcall *c, const tsm_str *s, char default_type, char default_align,
                           tsm_format_spec *out);
/* Digits of any script at byte `at`: returns how many bytes they take, SIZE_MAX when the number is too large. Without
 * digits `out` stays as it is. */
size_t tsm_format_read_count(const tsm_str *s, size_t at, int64_t *out);

/* Each raises and returns the status. */
tsm_status tsm_value_error(tsm_opcall *c, const char *text);
/* `before`, the name of argument 0's type, `after`. */
tsm_status tsm_raise_kind(tsm_opcall *c, const char *type, const char *before, const char *after);
tsm_status tsm_format_unknown_code(tsm_opcall *c, uint32_t code);

#endif
