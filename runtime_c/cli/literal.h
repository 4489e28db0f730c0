/* literal.h - values written on the command line as in Python: 3, 2.5, True, None, 'text', [1, 2], (1, 'a'),
 * {'k': 1}, {1, 2}. */
#ifndef TSM_CLI_LITERAL_H
#define TSM_CLI_LITERAL_H

#include "tsm.h"

/* The whole text as a value owned by the caller. `type` (may be NULL) decides between kinds the text leaves open:
 * elements of empty lists, ints where floats are declared. False: the text is no literal. */
bool literal_parse(tsm_runtime *runtime, const char *text, const tsm_type *type, tsm_value *out_value);

#endif
