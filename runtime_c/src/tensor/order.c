/* order.c - see order.h. */
#include "order.h"

enum { IMAGES = 4 };

/* Strides are of no importance where an extent is 1. */
static bool has_channels_last_strides(const tsm_tensor *t) {
  static const int order[IMAGES] = {1, 3, 2, 0};
  const int64_t *shape = tsm_shape(t), *strides = tsm_strides(t);
  int64_t expected = 1;
  for (int i = 0; i < IMAGES; i++) {
    if (shape[order[i]] != 1 && strides[order[i]] != expected) return false;
    expected *= shape[order[i]];
  }
  return true;
}

bool tsm_is_channels_last(const tsm_tensor *t) {
  return t->rank == IMAGES && !t->is_contiguous && has_channels_last_strides(t);
}

bool tsm_is_same_order(const tsm_tensor *a, const tsm_tensor *b) {
  if (a->rank != b->rank || memcmp(tsm_shape(a), tsm_shape(b), a->rank * sizeof(int64_t)) != 0) return false;
  return a->is_contiguous ? b->is_contiguous : tsm_is_channels_last(a) && tsm_is_channels_last(b);
}

void tsm_tensor_turn_channels_last(tsm_tensor *t) {
  int64_t *strides = t->dims + t->rank, channels = t->dims[1], rows = t->dims[2], places = t->dims[3];
  if (t->numel <= 1 || channels == 1 || (rows == 1 && places == 1)) return; /* that is row-major too */
  strides[1] = 1;
  strides[3] = channels;
  strides[2] = places * channels;
  strides[0] = rows * places * channels;
  t->is_contiguous = false;
}
