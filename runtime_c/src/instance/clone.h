/* clone.h - a second state from a first one. */
#ifndef TSM_CLONE_H
#define TSM_CLONE_H

#include "load/program.h"

/* Fills `copy` (same program, no state yet) with a copy of the state of `from`: sharing, cycles and views are kept,
 * nothing mutable is shared. On failure `copy` has no state. */
tsm_status tsm_state_clone(tsm_instance *from, tsm_instance *copy, tsm_error *out_error);

#endif
