/* hostvalue.h - between the host's tagged values and pairs. */
#ifndef TSM_HOSTVALUE_H
#define TSM_HOSTVALUE_H

#include "object/object.h"

/* The value as a pair; adds no count. */
tsm_pair tsm_pair_of_value(tsm_value value);
/* Whether the parts of a value fit each other: a reference is there and of the kind it says. */
bool tsm_value_is_whole(tsm_value value);
/* Puts a new object, or TSM_ERR_MEMORY for NULL, into a value. */
tsm_status tsm_give_object(void *object, tsm_value *out_value);

#endif
