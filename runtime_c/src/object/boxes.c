/* boxes.c - objects of fixed size: bytes, complex, tuple, class instance, exception, cell. */
#include "type.h"

tsm_bytes *tsm_bytes_new(tsm_heap *heap, const void *bytes, size_t length) {
  if (length > INT32_MAX) return NULL;
  tsm_bytes *b = tsm_object_alloc(heap, sizeof *b + length, TSM_BYTES, NULL);
  if (!b) return NULL;
  b->length = (uint32_t)length;
  b->unused = 0;
  if (bytes && length) memcpy(b->bytes, bytes, length);
  return b;
}

tsm_complex *tsm_complex_make(tsm_heap *heap, double re, double im) {
  tsm_complex *c = tsm_object_alloc(heap, sizeof *c, TSM_COMPLEX, NULL);
  if (!c) return NULL;
  c->re = re;
  c->im = im;
  return c;
}

tsm_tuple *tsm_tuple_make(tsm_heap *heap, int64_t length, const tsm_type *type) {
  size_t items;
  if (length < 0 || tsm_mul_overflows((size_t)length, sizeof(tsm_pair), &items)) return NULL;
  if (items > PTRDIFF_MAX - sizeof(tsm_tuple)) return NULL;
  tsm_tuple *t = tsm_object_alloc(heap, sizeof *t + items, TSM_TUPLE, type); /* zero filled: None */
  if (t) t->length = length;
  return t;
}

tsm_instance_object *tsm_instance_object_make(tsm_heap *heap, const tsm_type *type) {
  size_t slots = (size_t)type->record_refs + 2 * (size_t)type->record_pairs + type->record_scalars;
  return tsm_object_alloc(heap, sizeof(tsm_instance_object) + slots * sizeof(tsm_slot), TSM_OBJECT, type);
}

tsm_exception *tsm_exception_make(tsm_heap *heap, tsm_str *name, tsm_str *message) {
  tsm_exception *e = name && message ? tsm_object_alloc(heap, sizeof *e, TSM_EXCEPTION, NULL) : NULL;
  if (e) {
    e->name = name;
    e->message = message;
    e->args = e->fields = NULL;
    return e;
  }
  if (name) tsm_unref(&name->head);
  if (message) tsm_unref(&message->head);
  return NULL;
}

size_t tsm_exception_name_length(const char *name) { return strcspn(name, "<."); }

bool tsm_exception_is_key(const char *name) {
  const char *last = strrchr(name, '<');
  return strcmp(last ? last + 1 : name, "KeyError") == 0;
}

tsm_cell *tsm_cell_make(tsm_heap *heap, tsm_layout layout, const tsm_type *type) {
  tsm_cell *cell = tsm_object_alloc(heap, sizeof *cell, TSM_CELL, type); /* zero filled: empty */
  if (cell) cell->head.layout = (uint8_t)layout;
  return cell;
}
