/* endian.c - see endian.h. */
#include "endian.h"

#include <string.h>

void tsm_swap_elements(void *to, const void *from, size_t bytes, size_t item) {
  const size_t whole = bytes & ~(item - 1);
  if (bytes && to != from) memcpy(to, from, bytes);
  for (uint8_t *element = to, *end = element + whole; element < end; element += item)
    for (size_t i = 0; i < item / 2; i++) {
      const uint8_t first = element[i];
      element[i] = element[item - 1 - i];
      element[item - 1 - i] = first;
    }
}
