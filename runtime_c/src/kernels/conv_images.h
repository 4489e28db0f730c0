/* conv_images.h - tensors of sequences, images and volumes as convolution and pooling see them: image, channel, row,
 * place and plane. In: tensors of rank 2 to 5. Out: extents and steps with the missing ones filled in; copies between
 * layouts. Holds: channels-last means that channels lie one behind the other, then places, rows, planes, images, without
 * gaps. */
#ifndef TSM_CONV_IMAGES_H
#define TSM_CONV_IMAGES_H

#include "tensor/tensor.h"

enum { TSM_IMAGE, TSM_CHANNEL, TSM_ROW, TSM_PLACE, TSM_PLANE, TSM_IMAGE_AXES };
typedef struct tsm_images {
  float *data;
  int64_t size[TSM_IMAGE_AXES], step[TSM_IMAGE_AXES]; /* floats */
} tsm_images;

/* A float32 tensor with `spatial` dimensions behind its channels, 1 to 3, and perhaps one of images before them. */
tsm_images tsm_images_of(const tsm_tensor *t, size_t spatial);
/* Channels-last images over floats of scratch memory. */
tsm_images tsm_images_over(float *data, int64_t images, int64_t channels, int64_t planes, int64_t rows, int64_t places);
bool tsm_images_are_channels_last(const tsm_images *v);
/* Copies between two of the same extents, which do not overlap, on all threads. */
void tsm_images_copy(tsm_runtime *rt, const tsm_images *to, const tsm_images *from);
/* The same on this thread. */
void tsm_images_copy_here(tsm_isa isa, const tsm_images *to, const tsm_images *from);
/* Some rows and channels of one image. */
tsm_images tsm_images_part(const tsm_images *v, int64_t image, int64_t row, int64_t rows, int64_t channel,
                           int64_t channels);

#endif
