/* traceback.h - errors as Python shows them. */
#ifndef TSM_TRACEBACK_H
#define TSM_TRACEBACK_H

#include "tsm.h"

/* Prints an error to stderr: where it happened, each place with its line of source if the program has it, and what it
 * says. `program` may be NULL. */
void print_error(const tsm_program *program, const tsm_error *e);

#endif
