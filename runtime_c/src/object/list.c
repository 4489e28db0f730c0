/* list.c - growable arrays of one layout.
 * Holds: as.any has room for exactly `capacity` elements; elements below `length` own their counts. */
#include "type.h"

size_t tsm_layout_size(tsm_layout layout) {
  switch (layout) {
    case TSM_L_U8: return 1;
    case TSM_L_PAIR: return sizeof(tsm_pair);
    case TSM_L_REF: return sizeof(tsm_object *);
    default: return sizeof(int64_t);
  }
}

tsm_list *tsm_list_make(tsm_heap *heap, tsm_layout layout, const tsm_type *type, int64_t reserve) {
  tsm_list *l = tsm_object_alloc(heap, sizeof *l, TSM_LIST, type);
  if (!l) return NULL;
  l->head.layout = (uint8_t)layout;
  l->length = l->capacity = 0;
  l->as.any = NULL;
  if (reserve > 0 && tsm_list_grow(l, reserve) != TSM_OK) {
    tsm_unref(&l->head);
    return NULL;
  }
  return l;
}

/* Moves the elements to where the room begins. */
static void close_front(tsm_list *l, size_t size) {
  if (!l->hidden) return;
  char *room = (char *)l->as.any - (size_t)l->hidden * size;
  memmove(room, l->as.any, (size_t)l->length * size);
  l->as.any = room;
  l->capacity += l->hidden;
  l->hidden = 0;
}

void tsm_list_free_room(tsm_list *l) {
  size_t size = tsm_layout_size((tsm_layout)l->head.layout);
  char *room = l->as.any ? (char *)l->as.any - (size_t)l->hidden * size : NULL;
  tsm_free(l->head.heap->rt, room, (size_t)(l->capacity + l->hidden) * size);
  l->as.any = NULL;
  l->capacity = l->hidden = 0;
}

tsm_status tsm_list_grow(tsm_list *l, int64_t capacity) {
  if (capacity <= l->capacity) return TSM_OK;
  size_t size = tsm_layout_size((tsm_layout)l->head.layout), total;
  close_front(l, size);
  if (capacity <= l->capacity) return TSM_OK;
  if (tsm_mul_overflows((uint64_t)capacity, size, &total)) return TSM_ERR_MEMORY;
  void *moved = tsm_realloc(l->head.heap->rt, l->as.any, (size_t)l->capacity * size, total);
  if (!moved) return TSM_ERR_MEMORY;
  l->as.any = moved;
  l->capacity = capacity;
  return TSM_OK;
}

tsm_status tsm_list_extend_room(tsm_list *l, int64_t need, int64_t spare) {
  while (tsm_list_grow(l, need + spare) != TSM_OK) {
    if (!spare) return TSM_ERR_MEMORY;
    spare /= 4;
  }
  return TSM_OK;
}

void tsm_list_load(const tsm_list *l, int64_t index, tsm_slot *out_slot) {
  switch (l->head.layout) {
    case TSM_L_U8: out_slot->i = l->as.u8[index]; break;
    case TSM_L_PAIR: {
      tsm_pair p = l->as.pair[index];
      tsm_pair_ref(p);
      out_slot[0].bits = p.tag;
      out_slot[1] = p.as;
      break;
    }
    case TSM_L_REF:
      out_slot->ref = l->as.ref[index];
      tsm_ref_maybe(out_slot->ref);
      break;
    default: out_slot->i = l->as.i64[index]; break;
  }
}

/* Writes an element without releasing what was there. */
static void put(tsm_list *l, int64_t index, const tsm_slot *slot) {
  switch (l->head.layout) {
    case TSM_L_U8: l->as.u8[index] = slot->i != 0; break;
    case TSM_L_PAIR: l->as.pair[index] = (tsm_pair){slot[0].bits, slot[1]}; break;
    case TSM_L_REF: l->as.ref[index] = slot->ref; break;
    default: l->as.i64[index] = slot->i; break;
  }
}

tsm_status tsm_list_relayout(tsm_list *l, tsm_layout layout) {
  if (l->head.layout == layout) return TSM_OK;
  tsm_list *made = tsm_list_make(l->head.heap, layout, NULL, l->length), old = *l;
  if (!made) return TSM_ERR_MEMORY;
  for (int64_t i = 0; i < l->length; i++) {
    tsm_slot slots[2];
    tsm_pair_to_slot(layout, tsm_list_peek(l, i), slots);
    put(made, i, slots);
  }
  l->as = made->as;
  l->capacity = made->capacity;
  l->hidden = 0;
  l->head.layout = (uint8_t)layout;
  l->head.layout2 = 0;
  made->as = old.as;
  made->capacity = old.capacity;
  made->hidden = old.hidden;
  made->head.layout = old.head.layout;
  tsm_unref(&made->head);
  return TSM_OK;
}

void tsm_list_store(tsm_list *l, int64_t index, const tsm_slot *slot) {
  tsm_object *old = NULL;
  if (l->head.layout == TSM_L_REF) old = l->as.ref[index];
  else if (l->head.layout == TSM_L_PAIR && tsm_tag_is_ref(l->as.pair[index].tag)) old = l->as.pair[index].as.ref;
  put(l, index, slot);
  tsm_unref_maybe(old);
}

tsm_status tsm_list_push(tsm_list *l, const tsm_slot *slot) {
  if (l->length == l->capacity) {
    if (tsm_list_extend_room(l, l->length + 1, (l->capacity >> 1) + 3) != TSM_OK) {
      tsm_slot_unref((tsm_layout)l->head.layout, slot);
      return TSM_ERR_MEMORY;
    }
  }
  put(l, l->length++, slot);
  return TSM_OK;
}

void tsm_list_pop_front(tsm_list *l, tsm_slot *out_slot) {
  tsm_list_load(l, 0, out_slot);
  tsm_slot_unref((tsm_layout)l->head.layout, out_slot); /* the list's count goes, the caller's stays */
  l->as.any = (char *)l->as.any + tsm_layout_size((tsm_layout)l->head.layout);
  l->hidden++;
  l->capacity--;
  l->length--;
}

tsm_status tsm_list_push_front(tsm_list *l, const tsm_slot *slot) {
  size_t size = tsm_layout_size((tsm_layout)l->head.layout);
  if (!l->hidden) {
    int64_t room = l->length / 2 + 4;
    if (tsm_list_grow(l, l->length + room) != TSM_OK) {
      tsm_slot_unref((tsm_layout)l->head.layout, slot);
      return TSM_ERR_MEMORY;
    }
    l->hidden = (l->capacity - l->length + 1) / 2;
    memmove((char *)l->as.any + (size_t)l->hidden * size, l->as.any, (size_t)l->length * size);
    l->as.any = (char *)l->as.any + (size_t)l->hidden * size;
    l->capacity -= l->hidden;
  }
  l->as.any = (char *)l->as.any - size;
  l->hidden--;
  l->capacity++;
  l->length++;
  put(l, 0, slot);
  return TSM_OK;
}

tsm_pair tsm_list_peek(const tsm_list *l, int64_t index) {
  tsm_slot slot;
  if (l->head.layout == TSM_L_PAIR) return l->as.pair[index];
  if (l->head.layout == TSM_L_U8) slot.i = l->as.u8[index];
  else if (l->head.layout == TSM_L_REF) slot.ref = l->as.ref[index];
  else slot.i = l->as.i64[index];
  return tsm_pair_from_layout((tsm_layout)l->head.layout, tsm_object_member_type(&l->head, 0), &slot);
}
