/* iterate.h - walking several strided windows of one shape together.
 * In: a shape and up to TSM_ITER_MAX operands that broadcast to it. Out: rows, each with pointers and byte steps.
 * Holds: dimensions that every operand crosses with one stride are merged, so contiguous operands give long rows;
 * elements come in row-major order of the shape. */
#ifndef TSM_ITERATE_H
#define TSM_ITERATE_H

#include "tensor/tensor.h"

enum { TSM_ITER_MAX = 4, TSM_ITER_ROW = 16384 };

typedef struct tsm_iter {
  int count;       /* operands */
  size_t rank;
  int64_t numel;
  int64_t shape[TSM_MAX_RANK];
  int64_t step[TSM_ITER_MAX][TSM_MAX_RANK]; /* bytes */
  char *base[TSM_ITER_MAX];
} tsm_iter;

/* The shape must have a numel that fits (that of an existing tensor, or checked by tsm_meta_bytes). */
void tsm_iter_init(tsm_iter *it, size_t rank, const int64_t *shape);
/* Adds an operand of `rank` <= it->rank, aligned at the last dimension; its extents are 1 or the iterator's. */
void tsm_iter_add(tsm_iter *it, const void *base, size_t item, size_t rank, const int64_t *shape,
                  const int64_t *strides);
void tsm_iter_add_tensor(tsm_iter *it, const tsm_tensor *t);
/* Adds one value that every element sees. */
void tsm_iter_add_value(tsm_iter *it, const void *value);

/* Called with at most TSM_ITER_ROW elements; a status other than TSM_OK ends the walk. */
typedef tsm_status (*tsm_row_fn)(void *user, char *const *ptr, const int64_t *step, int64_t n);
/* Merges dimensions, then calls `row` for all elements, charging fuel as it goes. */
tsm_status tsm_iter_run(tsm_context *ctx, tsm_iter *it, tsm_row_fn row, void *user);
/* The same in any order and by several threads, after tsm_iter_sort: `span` gets at most TSM_SPAN_MAX elements, must not
 * fail, and may not depend on how elements are divided. At least `grain` elements go to a thread: as many as cost 10
 * microseconds. */
typedef void (*tsm_span_fn)(void *user, char *const *ptr, const int64_t *step, int64_t n);
enum { TSM_SPAN_MAX = 8192 };
/* Sorts dimensions by the steps of operand 0 and merges them, so that dense memory in any order is one row. */
void tsm_iter_sort(tsm_iter *it);
tsm_status tsm_iter_spread(tsm_context *ctx, const tsm_iter *it, double nanoseconds, tsm_span_fn span, void *user);
/* Copies operand 1 to operand 0, converting as tensor.to(); they must not overlap. */
tsm_status tsm_iter_copy(tsm_context *ctx, tsm_iter *it, unsigned dst_dtype, unsigned src_dtype);

#endif
