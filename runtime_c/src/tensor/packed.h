/* packed.h - copies of weights in the order a kernel reads them, kept beside the weight.
 * In: a weight and how to fill a copy. Out: the copy, made at the first use and again after a write to the weight.
 * Holds: a copy is used only for the window, kind and version it was made of; instances that share a weight's bytes
 * share its copies. Only TSM_ST_KEPT storages that are not TSM_ST_EXPOSED have any: no other memory is worth it, or the
 * host could change it unseen. */
#ifndef TSM_PACKED_H
#define TSM_PACKED_H

#include "tensor.h"

/* Kinds of copies: each kernel family has its own numbers, so that one weight may be packed for several. The low byte is
 * the family, the rest the family's (strides, groups, tile). */
enum { TSM_PACKED_GEMM = 1, TSM_PACKED_CONV = 2, TSM_PACKED_WINOGRAD = 3, TSM_PACKED_TRANSPOSED = 4, TSM_PACKED_FREE = 16 };

typedef void (*tsm_pack_fn)(const tsm_tensor *weight, void *user, uint8_t *out);

/* Whether packing the weight is allowed at all. */
bool tsm_is_packable(const tsm_tensor *weight);

/* The packed copy, `bytes` long and 64-byte aligned; valid until the storage is written or freed. `pack(weight, user,
 * out)` fills it when there is none. NULL: not packable, or no memory for it (nothing is raised: take the other path). */
const void *tsm_packed(const tsm_tensor *weight, uint32_t kind, size_t bytes, tsm_pack_fn pack, void *user);

/* Of what tsm_packed gave: true and false in turns, for readers that go through it from either end. With several threads
 * of the host any of the two. */
bool tsm_packed_alternate(const void *packed);

/* Frees the copies of a list, not the list. */
void tsm_packed_free(tsm_runtime *rt, tsm_packed_list *list);

#endif
