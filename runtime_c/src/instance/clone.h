/* clone.h - a second state from a first one. */
#ifndef TSM_CLONE_H
#define TSM_CLONE_H

#include "load/program.h"

/* Fills `copy` (same program, no state yet) with a copy of the state of `from`: sharing, cycles and views are kept,
 * nothing mutable is shared. On failure `copy` has no state. */
tsm_status tsm_state_clone(tsm_instance *from, tsm_instance *copy, tsm_error *out_error);

/* copy.copy and copy.deepcopy: a new list, dict, set or instance with the same parts, or with copies of them all; `out`
 * has a count. What does not change is its own copy. TypeError where a tensor, function or exception would be copied. */
tsm_status tsm_pair_copy(tsm_context *ctx, tsm_pair from, bool is_deep, tsm_pair *out);

#endif
