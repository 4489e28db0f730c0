/* object.c - life and death of counted objects.
 * In: a heap. Out: object headers; freed memory when the last count goes.
 * Holds: freeing never recurses. A dying container waits in a queue linked through its `type` field; what is needed
 * from the type of a class instance is moved into its count and layout fields first. */
#include "cycles.h"
#include "tensor/tensor.h"
#include "type.h"

static bool is_container(uint8_t kind) { return kind >= TSM_LIST && kind <= TSM_FROZENSET; }

static bool needs_links(const tsm_heap *heap, tsm_kind kind, const tsm_type *type) {
  return !heap->is_shared && type && type->is_cyclic && is_container((uint8_t)kind);
}

void *tsm_object_alloc(tsm_heap *heap, size_t size, tsm_kind kind, const tsm_type *type) {
  size_t prefix = needs_links(heap, kind, type) ? sizeof(tsm_cycle_links) : 0;
  if (size > PTRDIFF_MAX - prefix) return NULL;
  char *block = tsm_alloc(heap->rt, size + prefix);
  if (!block) return NULL;
  tsm_object *o = (tsm_object *)(void *)(block + prefix);
  memset(o, 0, is_container((uint8_t)kind) ? size : sizeof *o);
  atomic_init(&o->refs, 1);
  o->kind = (uint8_t)kind;
  o->heap = heap;
  o->type = type;
  if (heap->is_shared) tsm_runtime_retain(heap->rt);
  else heap->live++;
  if (prefix) {
    o->flags = TSM_OBJ_LINKS;
    tsm_object_track(o);
  }
  return o;
}

/* Gives back an object's memory; its heap goes too if it was the last one of a closed heap. */
static void free_block(tsm_object *o, size_t size) {
  tsm_heap *heap = o->heap;
  char *block = (char *)o;
  if (o->flags & TSM_OBJ_LINKS) {
    tsm_cycle_unlink(o);
    block -= sizeof(tsm_cycle_links);
    size += sizeof(tsm_cycle_links);
  }
  tsm_free(heap->rt, block, size);
  if (heap->is_shared) tsm_runtime_release(heap->rt);
  else tsm_heap_drop(heap);
}

static void free_str(tsm_str *s) {
  tsm_free(s->head.heap->rt, s->index, ((size_t)s->chars / 64 + 1) * sizeof *s->index);
  free_block(&s->head, tsm_str_block(s));
}

static void free_tensor(tsm_tensor *t) {
  tsm_runtime *rt = t->head.heap->rt;
  bool is_inside = (t->head.flags & TSM_OBJ_INSIDE) != 0;
  size_t size = tsm_tensor_object_size(t->rank);
  tsm_storage_unref(t->storage); /* frees an inside tensor too */
  if (!is_inside) tsm_free(rt, t, size);
  tsm_runtime_release(rt); /* last: it may be the end of the runtime */
}

/* Objects that own no containers. */
static void free_leaf(tsm_object *o) {
  switch (o->kind) {
    case TSM_STR: free_str((tsm_str *)o); break;
    case TSM_BYTES: free_block(o, sizeof(tsm_bytes) + ((tsm_bytes *)o)->length); break;
    case TSM_COMPLEX: free_block(o, sizeof(tsm_complex)); break;
    case TSM_TENSOR: free_tensor((tsm_tensor *)o); break;
    default: free_block(o, sizeof *o); break;
  }
}

static void enqueue(tsm_object *o, tsm_object **queue) {
  if (o->kind == TSM_OBJECT) {
    const tsm_type *type = o->type;
    atomic_store_explicit(&o->refs, (uint32_t)type->record_refs | (uint32_t)type->record_pairs << 16,
                          memory_order_relaxed);
    o->layout = (uint8_t)(type->record_scalars & 255u);
    o->layout2 = (uint8_t)(type->record_scalars >> 8);
  }
  o->type = (const tsm_type *)(const void *)*queue;
  *queue = o;
}

/* A count that is none of the plain ones: a tensor's, an immortal one, or one that grew so far. */
void tsm_ref_shared(tsm_object *o) {
  uint32_t n = atomic_load_explicit(&o->refs, memory_order_relaxed);
  if (n >= TSM_IMMORTAL) return;
  if (o->kind == TSM_TENSOR) atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
  else atomic_store_explicit(&o->refs, n + 1, memory_order_relaxed);
}

void tsm_unref_shared(tsm_object *o) {
  uint32_t n = atomic_load_explicit(&o->refs, memory_order_acquire);
  if (n >= TSM_IMMORTAL) return;
  if (o->kind != TSM_TENSOR) atomic_store_explicit(&o->refs, n - 1, memory_order_relaxed);
  else if (n == TSM_SHARED + 1 || atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) == TSM_SHARED + 1)
    free_tensor((tsm_tensor *)o);
}

/* Takes one count from a child of a dying object. */
static void drop_child(tsm_object *o, tsm_object **queue) {
  if (!o) return;
  uint32_t n = atomic_load_explicit(&o->refs, memory_order_relaxed);
  if (n >= TSM_SHARED) {
    tsm_unref_shared(o);
  } else if (n > 1) {
    atomic_store_explicit(&o->refs, n - 1, memory_order_relaxed);
  } else if (is_container(o->kind)) {
    enqueue(o, queue);
  } else {
    free_leaf(o);
  }
}

static void drop_pair(tsm_pair p, tsm_object **queue) {
  if (tsm_tag_is_ref(p.tag)) drop_child(p.as.ref, queue);
}

static void drop_slots(const tsm_slot *slots, size_t refs, size_t pairs, tsm_object **queue) {
  for (size_t i = 0; i < refs; i++) drop_child(slots[i].ref, queue);
  for (size_t i = 0; i < pairs; i++) {
    const tsm_slot *s = &slots[refs + 2 * i];
    drop_pair((tsm_pair){s[0].bits, s[1]}, queue);
  }
}

static void free_list(tsm_list *l, tsm_object **queue) {
  for (int64_t i = 0; i < l->length; i++) {
    if (l->head.layout == TSM_L_REF) drop_child(l->as.ref[i], queue);
    else if (l->head.layout == TSM_L_PAIR) drop_pair(l->as.pair[i], queue);
    else break;
  }
  tsm_list_free_room(l);
  free_block(&l->head, sizeof *l);
}

static void free_dict(tsm_dict *d, tsm_object **queue) {
  for (int64_t i = 0; i < d->used; i++) {
    if (!d->entries[i].is_live) continue;
    drop_pair(d->entries[i].key, queue);
    drop_pair(d->entries[i].value, queue);
  }
  tsm_runtime *rt = d->head.heap->rt;
  tsm_free(rt, d->entries, (size_t)d->capacity * sizeof *d->entries);
  if (d->table) tsm_free(rt, d->table, ((size_t)d->table_mask + 1) * sizeof *d->table);
  free_block(&d->head, sizeof *d);
}

static void free_container(tsm_object *o, tsm_object **queue) {
  switch (o->kind) {
    case TSM_LIST: free_list((tsm_list *)o, queue); break;
    case TSM_DICT: case TSM_SET: case TSM_FROZENSET: free_dict((tsm_dict *)o, queue); break;
    case TSM_TUPLE: {
      tsm_tuple *t = (tsm_tuple *)o;
      for (int64_t i = 0; i < t->length; i++) drop_pair(t->items[i], queue);
      free_block(o, sizeof *t + (size_t)t->length * sizeof *t->items);
      break;
    }
    case TSM_OBJECT: {
      uint32_t counts = atomic_load_explicit(&o->refs, memory_order_relaxed);
      size_t refs = counts & 0xFFFFu, pairs = counts >> 16;
      size_t scalars = o->layout | (size_t)o->layout2 << 8;
      tsm_instance_object *instance = (tsm_instance_object *)o;
      drop_slots(instance->slots, refs, pairs, queue);
      free_block(o, sizeof *instance + (refs + 2 * pairs + scalars) * sizeof(tsm_slot));
      break;
    }
    case TSM_EXCEPTION: {
      void *const parts[4] = {((tsm_exception *)o)->name, ((tsm_exception *)o)->message, ((tsm_exception *)o)->args,
                              ((tsm_exception *)o)->fields};
      for (int i = 0; i < 4; i++) drop_child(parts[i], queue);
      free_block(o, sizeof(tsm_exception));
      break;
    }
    case TSM_CELL: {
      tsm_cell *cell = (tsm_cell *)o;
      drop_slots(cell->slots, o->layout == TSM_L_REF, o->layout == TSM_L_PAIR, queue);
      free_block(o, sizeof *cell);
      break;
    }
    default: free_block(o, sizeof *o); break;
  }
}

/* Not part of tsm_object_free, whose frame it would make larger: most objects that die are leaves. */
__attribute__((noinline)) static void free_tree(tsm_object *o) {
  tsm_object *queue = NULL;
  enqueue(o, &queue);
  while (queue) {
    tsm_object *next = queue;
    queue = (tsm_object *)(uintptr_t)(const void *)next->type;
    free_container(next, &queue);
  }
}

void tsm_object_free(tsm_object *o) {
  if (is_container(o->kind)) free_tree(o);
  else free_leaf(o);
}
