/* npy.h - NumPy's .npy files, versions 1 to 3, for the dtypes tsm has.
 * In: a path. Out: a tensor; and back. */
#ifndef TSM_CLI_NPY_H
#define TSM_CLI_NPY_H

#include "tsm.h"

/* The file's array as a row-major tensor owned by the caller. False: out_why says what is wrong. */
bool npy_read(tsm_runtime *runtime, const char *path, tsm_value *out_tensor, char *out_why, size_t why_capacity);
/* Writes a tensor of any strides as a row-major array. */
bool npy_write(const char *path, tsm_value tensor, char *out_why, size_t why_capacity);

#endif
