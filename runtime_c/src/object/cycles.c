/* cycles.c - heaps, and the collection of reference cycles in the heap of an instance.
 * In: the tracked objects of a heap. Out: those that only refer to each other are emptied, which frees them.
 * Holds: an object reachable from a frame, the host or an untracked object stays; the search allocates nothing. */
#include "cycles.h"
#include "load/program.h"
#include "type.h"

enum { FIRST_LIMIT = 1000 };

tsm_heap *tsm_heap_new(tsm_runtime *rt, tsm_program *program) {
  tsm_heap *heap = tsm_alloc_zeroed(rt, sizeof *heap);
  if (!heap) return NULL;
  heap->rt = rt;
  heap->program = program;
  heap->is_shared = program == NULL;
  heap->cyclic_limit = FIRST_LIMIT;
  if (!program) return heap;
  tsm_program_retain(program);
  heap->types = (const tsm_type *const *)program->types;
  heap->type_count = program->type_count;
  return heap;
}

static void heap_destroy(tsm_heap *heap) {
  tsm_program *program = heap->program;
  tsm_free(heap->rt, heap, sizeof *heap);
  if (program) tsm_program_free(program);
}

void tsm_heap_drop(tsm_heap *heap) {
  if (--heap->live == 0 && heap->is_closed) heap_destroy(heap);
}

void tsm_heap_close(tsm_heap *heap) {
  if (heap->is_shared) { /* its objects hold the runtime, so there are none */
    heap_destroy(heap);
    return;
  }
  heap->live++; /* so that the heap outlives the search */
  heap->is_closed = true;
  tsm_heap_collect(heap);
  tsm_heap_drop(heap);
}

void tsm_object_track(tsm_object *o) {
  if (!(o->flags & TSM_OBJ_LINKS) || (o->flags & TSM_OBJ_TRACKED)) return;
  tsm_heap *heap = o->heap;
  tsm_cycle_links *links = tsm_links(o);
  links->previous = NULL;
  links->next = heap->cyclic;
  if (heap->cyclic) tsm_links(heap->cyclic)->previous = o;
  heap->cyclic = o;
  heap->cyclic_count++;
  o->flags |= TSM_OBJ_TRACKED;
}

void tsm_cycle_unlink(tsm_object *o) {
  if (!(o->flags & TSM_OBJ_TRACKED)) return;
  tsm_cycle_links *links = tsm_links(o);
  if (links->previous) tsm_links(links->previous)->next = links->next;
  else o->heap->cyclic = links->next;
  if (links->next) tsm_links(links->next)->previous = links->previous;
  o->heap->cyclic_count--;
  o->flags &= (uint8_t)~TSM_OBJ_TRACKED;
}

typedef void (*visit_fn)(tsm_object *child, tsm_object **work);

static void visit_pair(tsm_pair p, visit_fn visit, tsm_object **work) {
  if (tsm_tag_is_ref(p.tag) && p.as.ref) visit(p.as.ref, work);
}

static void visit_slots(tsm_slot *slots, size_t refs, size_t pairs, visit_fn visit, tsm_object **work) {
  for (size_t i = 0; i < refs; i++)
    if (slots[i].ref) visit(slots[i].ref, work);
  for (size_t i = 0; i < pairs; i++) {
    const tsm_slot *s = &slots[refs + 2 * i];
    visit_pair((tsm_pair){s[0].bits, s[1]}, visit, work);
  }
}

static void visit_children(tsm_object *o, visit_fn visit, tsm_object **work) {
  if (o->kind == TSM_LIST) {
    tsm_list *l = (tsm_list *)o;
    for (int64_t i = 0; i < l->length; i++) {
      if (o->layout == TSM_L_REF && l->as.ref[i]) visit(l->as.ref[i], work);
      if (o->layout == TSM_L_PAIR) visit_pair(l->as.pair[i], visit, work);
    }
  } else if (o->kind == TSM_DICT || o->kind == TSM_SET || o->kind == TSM_FROZENSET) {
    int64_t position = 0;
    for (tsm_dict_entry *e; (e = tsm_dict_walk((tsm_dict *)o, &position));) {
      visit_pair(e->key, visit, work);
      visit_pair(e->value, visit, work);
    }
  } else if (o->kind == TSM_TUPLE) {
    tsm_tuple *t = (tsm_tuple *)o;
    for (int64_t i = 0; i < t->length; i++) visit_pair(t->items[i], visit, work);
  } else if (o->kind == TSM_OBJECT) {
    visit_slots(((tsm_instance_object *)o)->slots, o->type->record_refs, o->type->record_pairs, visit, work);
  } else if (o->kind == TSM_CELL) {
    visit_slots(((tsm_cell *)o)->slots, o->layout == TSM_L_REF, o->layout == TSM_L_PAIR, visit, work);
  }
}

static void subtract_inside(tsm_object *child, tsm_object **work) {
  (void)work;
  if (child->flags & TSM_OBJ_TRACKED) tsm_links(child)->outside--;
}

static void mark_reachable(tsm_object *child, tsm_object **work) {
  if (!(child->flags & TSM_OBJ_TRACKED) || tsm_links(child)->outside < 0) return;
  tsm_links(child)->outside = -1;
  tsm_links(child)->work = *work;
  *work = child;
}

static void empty_slots(tsm_slot *slots, size_t refs, size_t pairs) {
  for (size_t i = 0; i < refs + 2 * pairs; i++) {
    bool is_tag = i >= refs && (i - refs) % 2 == 0;
    if (is_tag) continue;
    tsm_slot *s = &slots[i];
    bool is_ref = i < refs || tsm_tag_is_ref(slots[i - 1].bits);
    tsm_object *child = is_ref ? s->ref : NULL;
    s->bits = 0;
    if (i >= refs) slots[i - 1].bits = TSM_NONE;
    tsm_unref_maybe(child);
  }
}

static void empty_object(tsm_object *o) {
  if (o->kind == TSM_LIST) {
    tsm_list *l = (tsm_list *)o;
    while (l->length > 0) {
      tsm_pair last = tsm_list_peek(l, --l->length);
      tsm_pair_unref(last);
    }
  } else if (o->kind == TSM_DICT || o->kind == TSM_SET || o->kind == TSM_FROZENSET) {
    tsm_dict_empty((tsm_dict *)o);
  } else if (o->kind == TSM_TUPLE) {
    tsm_tuple *t = (tsm_tuple *)o;
    for (int64_t i = 0; i < t->length; i++) {
      tsm_pair old = t->items[i];
      t->items[i].tag = TSM_NONE;
      t->items[i].as.bits = 0;
      tsm_pair_unref(old);
    }
  } else if (o->kind == TSM_OBJECT) {
    empty_slots(((tsm_instance_object *)o)->slots, o->type->record_refs, o->type->record_pairs);
  } else if (o->kind == TSM_CELL) {
    empty_slots(((tsm_cell *)o)->slots, o->layout == TSM_L_REF, o->layout == TSM_L_PAIR);
  }
}

/* Marks everything reachable from outside; returns the rest as a list linked by `work`. */
static tsm_object *find_garbage(tsm_heap *heap) {
  for (tsm_object *o = heap->cyclic; o; o = tsm_links(o)->next)
    tsm_links(o)->outside = (int64_t)atomic_load_explicit(&o->refs, memory_order_relaxed);
  for (tsm_object *o = heap->cyclic; o; o = tsm_links(o)->next) visit_children(o, subtract_inside, NULL);
  for (tsm_object *o = heap->cyclic; o; o = tsm_links(o)->next) {
    if (tsm_links(o)->outside <= 0) continue;
    tsm_object *work = NULL;
    mark_reachable(o, &work);
    while (work) {
      tsm_object *top = work;
      work = tsm_links(top)->work;
      visit_children(top, mark_reachable, &work);
    }
  }
  tsm_object *garbage = NULL;
  for (tsm_object *o = heap->cyclic; o; o = tsm_links(o)->next) {
    if (tsm_links(o)->outside < 0) continue;
    tsm_links(o)->work = garbage;
    garbage = o;
  }
  return garbage;
}

void tsm_heap_collect(tsm_heap *heap) {
  heap->live++;
  for (tsm_object *garbage; (garbage = find_garbage(heap));) { /* emptied ones may have held untracked holders */
    for (tsm_object *o = garbage; o; o = tsm_links(o)->work) tsm_ref(o);
    for (tsm_object *o = garbage; o; o = tsm_links(o)->work) empty_object(o);
    while (garbage) {
      tsm_object *next = tsm_links(garbage)->work;
      tsm_unref(garbage);
      garbage = next;
    }
  }
  uint64_t twice = heap->cyclic_count * 2;
  heap->cyclic_limit = twice > FIRST_LIMIT ? twice : FIRST_LIMIT;
  tsm_heap_drop(heap);
}

void tsm_heap_tidy(tsm_heap *heap) {
  if (heap->cyclic_count > heap->cyclic_limit) tsm_heap_collect(heap);
}
