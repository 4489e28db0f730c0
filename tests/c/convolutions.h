/* convolutions.h - what tests of convolutions draw: numbers, and images in every layout. */
#ifndef TSM_TEST_CONVOLUTIONS_H
#define TSM_TEST_CONVOLUTIONS_H

#include <stdlib.h>

#include "../../runtime_c/src/tensor/order.h"
#include "../../runtime_c/src/tensor/tensor.h"

enum { ROW_MAJOR, CHANNELS_LAST, STRIDED, LAYOUTS };

static uint64_t state = 1;
static int64_t pick(int64_t count) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)(state >> 33) % count;
}
#define COUNT_OF(...) ((int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))
#define ONE_OF(...) ((const int64_t[]){__VA_ARGS__}[pick(COUNT_OF(__VA_ARGS__))])

/* An image of undefined floats; the caller owns it. */
static tsm_tensor *make_image(tsm_context *ctx, size_t rank, const int64_t *shape, int layout) {
  tsm_meta meta = {TSM_F32, (uint8_t)rank, {0}};
  memcpy(meta.shape, shape, rank * sizeof *shape);
  if (layout == STRIDED) meta.shape[rank - 1] = 2 * shape[rank - 1] + 1;
  tsm_tensor *t = tsm_tensor_make(ctx, &meta, false);
  if (!t) exit(1);
  if (layout == CHANNELS_LAST) tsm_tensor_turn_channels_last(t);
  if (layout != STRIDED) return t;
  int64_t strides[4];
  memcpy(strides, tsm_strides(t), rank * sizeof *strides);
  strides[rank - 1] = 2;
  tsm_tensor *view = tsm_tensor_make_view(ctx, t, TSM_F32, rank, shape, strides, 1);
  tsm_unref(&t->head);
  return view;
}

#endif
