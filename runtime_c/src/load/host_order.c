/* host_order.c - DATA in the byte order of this machine, where that is not the file's.
 * In: storages and the tensors over them. Out: p->data, on a big-endian machine a copy with every element turned around.
 * Holds: a storage has elements of one size, which its tensors tell; the file's own bytes stay as they are, for checksums
 * and for saving. */
#include "base/endian.h"
#include "load.h"

/* Bytes of an element of each storage, 0 while no tensor has told. */
static void find_items(tsm_loader *l, tsm_reader *r, uint8_t *items) {
  for (uint32_t i = 0; i < l->p->tensor_count; i++) {
    const tsm_file_tensor *t = &l->p->tensors[i];
    const uint8_t item = (uint8_t)tsm_item_size(t->dtype);
    if (items[t->storage] && items[t->storage] != item) {
      tsm_reader_fail(r, TSM_ERR_ARGUMENT,
                      "storage %u has tensors with elements of %d and of %d bytes, whose order a big-endian machine cannot "
                      "tell", t->storage, items[t->storage], item);
      return;
    }
    items[t->storage] = item;
  }
}

tsm_status tsm_decode_host_order(tsm_loader *l) {
  tsm_program *p = l->p;
  if (!TSM_IS_BIG_ENDIAN || !p->data_length) return TSM_OK;
  tsm_reader r = tsm_loader_section(l, TSM_S_TENSORS);
  uint8_t *items = tsm_loader_scratch(l, &r, p->storage_count, 1);
  if (items) find_items(l, &r, items);
  if (!tsm_reader_ok(&r)) return r.status;
  p->swapped = tsm_image_new(p->rt, (size_t)p->data_length);
  if (!p->swapped) return tsm_reader_no_memory(&r);
  for (uint32_t i = 0; i < p->storage_count; i++) {
    const tsm_file_storage *s = &p->storages[i];
    if (!s->is_bound)
      tsm_swap_elements(p->swapped + s->offset, p->data + s->offset, (size_t)s->bytes, items[i] ? items[i] : 1);
  }
  p->data = p->swapped;
  return TSM_OK;
}
