/* kernels.h - prototypes of every kernel and infer function, expanded from ops.def. */
#ifndef TSM_KERNELS_H
#define TSM_KERNELS_H

#include "op/op.h"

#define OP(name, overload, schema, spellings, traits, infer, kernel, grad, doc, since) \
  tsm_status tsm_k_##kernel(tsm_opcall *c);                                              \
  tsm_status tsm_i_##infer(tsm_opcall *c, tsm_meta *out);
#include "../../ops.def"

#endif
