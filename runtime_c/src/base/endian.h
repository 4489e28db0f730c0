/* endian.h - numbers of several bytes in the order of a file, which is little-endian, and of this machine. */
#ifndef TSM_ENDIAN_H
#define TSM_ENDIAN_H

#include <stdint.h>
#include <string.h>

#ifndef TSM_IS_BIG_ENDIAN /* tests/c/test_byte_order.c pretends */
#define TSM_IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#endif

/* Copies `bytes` bytes and turns each whole element of `item` bytes, a power of two, around; what is left at the end stays
 * as it is. From one order to the other and back. `to` and `from` are the same or apart, and need no alignment. */
static inline void tsm_swap_elements(void *to, const void *from, size_t bytes, size_t item) {
  const size_t whole = bytes & ~(item - 1);
  if (bytes && to != from) memcpy(to, from, bytes);
  for (uint8_t *element = to, *end = element + whole; element < end; element += item)
    for (size_t i = 0; i < item / 2; i++) {
      const uint8_t first = element[i];
      element[i] = element[item - 1 - i];
      element[item - 1 - i] = first;
    }
}

#endif
