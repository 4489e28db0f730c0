/* tensor.h - tensors: a strided window over a counted storage.
 * In: shapes, dtypes, memory. Out: the accessors every kernel uses.
 * Holds: no data pointer survives an instruction; writing goes through tsm_tensor_writable, which makes the memory of
 * a shared weight private first. Storages count atomically; tensors live on the runtime's shared heap. */
#ifndef TSM_TENSOR_H
#define TSM_TENSOR_H

#include "base/context.h"

/* Packed copies of a weight (packed.h), in a list of the storage or, while it is copy-on-write, of the program. */
typedef struct tsm_packed_copy tsm_packed_copy;
typedef struct tsm_packed_list { atomic_flag lock; tsm_packed_copy *first; } tsm_packed_list;

typedef struct tsm_storage {
  _Atomic uint32_t refs;
  uint32_t flags;         /* TSM_ST_* */
  tsm_runtime *rt;
  uint8_t *data;          /* 64-byte aligned when owned; valid but empty when bytes is 0; NULL for a meta tensor */
  size_t bytes;
  uint64_t version;       /* counts writes; packed copies are keyed by it */
  size_t block;           /* bytes obtained for this header and what lies behind it */
  tsm_release_fn release; /* borrowed memory */
  void *release_user;
  _Atomic(tsm_packed_list *) packed;
} tsm_storage;

enum {
  TSM_ST_OWNED = 1,     /* data is a block of its own */
  TSM_ST_INLINE = 2,    /* data lies behind the header, in one aligned block */
  TSM_ST_READONLY = 4,  /* the host's memory may not be written: RuntimeError */
  TSM_ST_COW = 8,       /* weights of a program: the first write makes a private copy that all views see */
  TSM_ST_META = 16,     /* shape only, no memory */
  TSM_ST_KEPT = 32,     /* a constant, parameter or buffer of an instance: worth packing (packed.h) */
  TSM_ST_EXPOSED = 64   /* the host got a pointer it may write through at any time: never packed */
};

typedef struct tsm_tensor {
  tsm_object head;
  tsm_storage *storage;
  int64_t offset;     /* elements from storage->data */
  int64_t numel;
  uint8_t dtype;      /* tsm_dtype */
  uint8_t rank;
  uint8_t is_contiguous; /* row-major without gaps; true for numel <= 1 */
  uint8_t unused;
  int64_t dims[];     /* rank extents, then rank strides (elements) */
} tsm_tensor;

static inline const int64_t *tsm_shape(const tsm_tensor *t) { return t->dims; }
static inline const int64_t *tsm_strides(const tsm_tensor *t) { return t->dims + t->rank; }
/* Whether there is one count only. */
static inline bool tsm_tensor_is_unshared(const tsm_tensor *t) {
  return atomic_load_explicit(&t->head.refs, memory_order_relaxed) == TSM_SHARED + 1;
}

/* Dtype and shape of a tensor that is to be made. */
typedef struct tsm_meta { uint8_t dtype; uint8_t rank; int64_t shape[TSM_MAX_RANK]; } tsm_meta;

/* Contiguous, uninitialised (or zeroed). Raises RuntimeError for a negative or overflowing size, else out of memory. */
tsm_tensor *tsm_tensor_make(tsm_context *ctx, const tsm_meta *meta, bool zeroed);
/* A view on t's storage. Bounds must already be known to be right; recomputes numel and contiguity. */
tsm_tensor *tsm_tensor_make_view(tsm_context *ctx, const tsm_tensor *t, uint8_t dtype, size_t rank,
                                 const int64_t *shape, const int64_t *strides, int64_t offset);
/* A storage with `room` bytes behind its header (for a tensor) and `bytes` of data. NULL when out of memory. */
tsm_storage *tsm_storage_new(tsm_runtime *rt, size_t room, size_t bytes, bool zeroed);
tsm_storage *tsm_storage_borrow(tsm_runtime *rt, size_t room, void *data, size_t bytes, uint32_t flags,
                                tsm_release_fn release, void *user);
/* A contiguous tensor and its storage in one block, for numel and bytes of tsm_meta_bytes. NULL when out of memory. */
tsm_tensor *tsm_tensor_new_block(tsm_runtime *rt, const tsm_meta *meta, int64_t numel, size_t bytes, bool zeroed);
/* A tensor and the storage over memory of somebody else, in one block. NULL when out of memory. */
tsm_tensor *tsm_tensor_new_over(tsm_runtime *rt, const tsm_meta *meta, const int64_t *strides, int64_t offset,
                                void *data, size_t bytes, uint32_t flags);
void tsm_storage_unref(tsm_storage *s);
/* Replaces copy-on-write memory by a private copy; does nothing to other memory. TSM_ERR_MEMORY on failure. */
tsm_status tsm_storage_make_private(tsm_storage *s);
tsm_tensor *tsm_tensor_over(tsm_runtime *rt, tsm_storage *s, uint8_t dtype, size_t rank, const int64_t *shape,
                            const int64_t *strides, int64_t offset); /* takes a count of s of its own */
/* True if every element reachable through shape/strides/offset lies inside `bytes`. */
bool tsm_window_is_inside(size_t bytes, size_t item, size_t rank, const int64_t *shape, const int64_t *strides,
                          int64_t offset);

/* Bytes of an element, without a call. */
static inline size_t tsm_item_size(unsigned dtype) { return (size_t)1 << (UINT64_C(0x132321000) >> (4 * dtype) & 7u); }
static inline bool tsm_dtype_is_float(unsigned dtype) { return dtype >= TSM_F32; }
static inline size_t tsm_tensor_object_size(size_t rank) { return sizeof(tsm_tensor) + 2 * rank * sizeof(int64_t); }
static inline const void *tsm_tensor_read(const tsm_tensor *t) {
  return t->storage->data + (size_t)t->offset * tsm_item_size(t->dtype);
}
/* Pointer for writing: makes COW memory private, refuses read-only memory, counts the version. NULL: error raised. */
void *tsm_tensor_writable(tsm_context *ctx, tsm_tensor *t);
/* A contiguous tensor with the same elements: t itself (with a new count) or a copy. NULL: error raised. */
tsm_tensor *tsm_tensor_contiguous(tsm_context *ctx, tsm_tensor *t);
/* Copies elements, converting dtypes as tensor.to() does; shapes broadcast to dst. */
tsm_status tsm_tensor_copy_into(tsm_context *ctx, tsm_tensor *dst, const tsm_tensor *src);
/* Raises as PyTorch does when several elements of t share memory (expanded), before an in-place write. */
tsm_status tsm_check_no_overlap(tsm_context *ctx, const tsm_tensor *t);
/* Whether two tensors could share bytes. */
bool tsm_tensors_overlap(const tsm_tensor *a, const tsm_tensor *b);

/* Raises as PyTorch does when `written` and `read` share some elements but are not the same window. */
tsm_status tsm_check_no_partial_overlap(tsm_context *ctx, const tsm_tensor *written, const tsm_tensor *read);
/* `read` with a new count, or a copy of it when it may share memory with `written`; raises when that is certain. */
tsm_tensor *tsm_tensor_apart(tsm_context *ctx, const tsm_tensor *written, tsm_tensor *read);
/* A tensor without memory. NULL when out of memory; sizes must be checked (tsm_meta_bytes). */
tsm_tensor *tsm_tensor_shape_only(tsm_runtime *rt, const tsm_meta *meta);
/* Elements and bytes of a shape; false if an extent is negative or a product does not fit. */
bool tsm_meta_bytes(const tsm_meta *meta, int64_t *out_numel, size_t *out_bytes);
/* The one element of t as bool, int or float pair. Raises RuntimeError unless numel is 1. */
tsm_status tsm_tensor_item(tsm_context *ctx, const tsm_tensor *t, tsm_pair *out_pair);
/* Whether the one element is not 0; more or fewer elements raise PyTorch's RuntimeError. */
tsm_status tsm_tensor_truth(tsm_context *ctx, const tsm_tensor *t, bool *out_truth);
/* An element in memory as a bool, int or float pair, and back (wrapping and truncating as tensor.to() does). */
tsm_pair tsm_element_load(unsigned dtype, const void *element);
void tsm_element_store(unsigned dtype, void *element, tsm_pair scalar);
/* Converts n elements at steps in bytes, as tensor.to(). Source and destination must not overlap. */
typedef void (*tsm_convert_fn)(char *dst, int64_t dst_step, const char *src, int64_t src_step, int64_t n);
tsm_convert_fn tsm_convert_loop(unsigned from, unsigned to);

/* PyTorch's promotion: dimension-ful tensors before 0-d ones before Python scalars, by category. */
typedef struct tsm_promotion { int dim, zero, wrapped; } tsm_promotion; /* -1: none yet */
#define TSM_PROMOTION_INIT {-1, -1, -1}
void tsm_promote_tensor(tsm_promotion *p, const tsm_tensor *t);
void tsm_promote_scalar(tsm_promotion *p, tsm_pair scalar);
uint8_t tsm_promote_result(const tsm_promotion *p);
uint8_t tsm_promote_types(uint8_t a, uint8_t b);
/* Broadcasts b into shape/rank in place. False when they do not fit. */
bool tsm_broadcast(int64_t *shape, size_t *rank, const int64_t *b, size_t b_rank);
/* "(2, 3)" as Python prints a shape, into `out` of TSM_SHAPE_TEXT bytes. Returns out. */
#define TSM_SHAPE_TEXT 256
const char *tsm_shape_text(char *out, const tsm_tensor *t);
/* Readable repr of a tensor, values summarised beyond 1,000 elements. */
void tsm_text_tensor(tsm_text *text, const tsm_tensor *t);

#endif
