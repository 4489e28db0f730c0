/* Life of objects: counts, freeing without recursion, cycles, heaps that outlive their owner. */
#include "host.h"
#include "object/type.h"

static tsm_type any_type, list_type;
static const tsm_type *list_members[1] = {&any_type};

static void make_types(void) {
  any_type.kind = TSM_T_ANY;
  any_type.layout = TSM_L_PAIR;
  any_type.width = 2;
  list_type.kind = TSM_T_LIST;
  list_type.layout = TSM_L_REF;
  list_type.width = 1;
  list_type.is_cyclic = 1;
  list_type.count = 1;
  list_type.members = list_members;
}

/* A heap as an instance has it, without a program. */
static tsm_heap *instance_heap(tsm_runtime *rt) {
  tsm_heap *heap = tsm_heap_new(rt, NULL);
  heap->is_shared = false;
  return heap;
}

static tsm_list *any_list(tsm_heap *heap) { return tsm_list_make(heap, TSM_L_PAIR, &list_type, 0); }

static void push(tsm_list *l, tsm_object *o) {
  tsm_slot slots[2];
  slots[0].bits = o->kind;
  slots[1].ref = o;
  tsm_ref(o);
  CHECK(tsm_list_push(l, slots) == TSM_OK);
}

static void test_deep_free(tsm_runtime *rt) {
  tsm_list *outer = tsm_list_make(rt->shared, TSM_L_REF, NULL, 0);
  for (int i = 0; i < 300000; i++) {
    tsm_list *next = tsm_list_make(rt->shared, TSM_L_REF, NULL, 0);
    tsm_slot slot = {.ref = &outer->head};
    CHECK(tsm_list_push(next, &slot) == TSM_OK);
    outer = next;
  }
  tsm_unref(&outer->head); /* recursion would overflow the stack */
  tsm_tuple *t = tsm_tuple_make(rt->shared, 1, NULL);
  for (int i = 0; i < 100000; i++) {
    tsm_tuple *next = tsm_tuple_make(rt->shared, 1, NULL);
    next->items[0].tag = TSM_TUPLE;
    next->items[0].as.ref = &t->head;
    t = next;
  }
  tsm_unref(&t->head);
}

static void test_cycle_is_broken(tsm_runtime *rt) {
  tsm_heap *heap = instance_heap(rt);
  tsm_list *a = any_list(heap), *b = any_list(heap), *self = any_list(heap);
  push(a, &b->head);
  push(b, &a->head);
  push(self, &self->head);
  CHECK(heap->live == 3 && heap->cyclic_count == 3);
  tsm_unref(&a->head);
  tsm_heap_collect(heap);
  CHECK(heap->live == 3); /* b and self are still held here */
  tsm_unref(&b->head);
  tsm_heap_collect(heap);
  CHECK(heap->live == 1);
  tsm_unref(&self->head);
  tsm_heap_close(heap);
}

static void test_held_by_host(tsm_runtime *rt) {
  tsm_heap *heap = instance_heap(rt);
  tsm_list *a = any_list(heap), *b = any_list(heap);
  push(a, &b->head);
  push(b, &a->head);
  tsm_unref(&b->head);
  tsm_value host = tsm_none();
  host.kind = TSM_LIST;
  host.as.ref = &a->head;
  tsm_heap_close(heap); /* the owner goes, the host still reads */
  CHECK(has_repr(rt, host, "[[[...]]]"));
  tsm_release(host); /* last hold from outside: the cycle goes, and the heap with it */
}

/* The host's last hold is on a list that is not tracked, over a cycle. */
static void test_held_through_untracked(tsm_runtime *rt) {
  tsm_heap *heap = instance_heap(rt);
  tsm_list *a = any_list(heap), *plain = tsm_list_make(heap, TSM_L_REF, NULL, 0);
  push(a, &a->head);
  tsm_slot slot = {.ref = &a->head};
  CHECK(tsm_list_push(plain, &slot) == TSM_OK);
  tsm_value host = tsm_none();
  host.kind = TSM_LIST;
  host.as.ref = &plain->head;
  tsm_heap_close(heap);
  CHECK(has_repr(rt, host, "[[[...]]]"));
  tsm_release(host);
}

/* A list that is not tracked itself holds two cycles together. */
static void test_cycle_through_untracked(tsm_runtime *rt) {
  tsm_heap *heap = instance_heap(rt);
  tsm_list *a = any_list(heap), *b = any_list(heap);
  tsm_list *between = tsm_list_make(heap, TSM_L_REF, NULL, 0);
  push(a, &a->head);
  push(b, &b->head);
  push(a, &between->head);
  tsm_slot slot = {.ref = &b->head};
  CHECK(tsm_list_push(between, &slot) == TSM_OK);
  tsm_unref(&between->head);
  tsm_unref(&a->head);
  CHECK(heap->live == 3);
  tsm_heap_close(heap);
}

static void test_tidy(tsm_runtime *rt) {
  tsm_heap *heap = instance_heap(rt);
  for (int i = 0; i < 5000; i++) {
    tsm_list *l = any_list(heap);
    push(l, &l->head);
    tsm_unref(&l->head);
    tsm_heap_tidy(heap);
  }
  CHECK(heap->live <= 1001);
  tsm_heap_close(heap);
}

static void test_dict_in_cycle(tsm_runtime *rt) {
  static tsm_type dict_type;
  static const tsm_type *members[2] = {&any_type, &any_type};
  dict_type = list_type;
  dict_type.kind = TSM_T_DICT;
  dict_type.count = 2;
  dict_type.members = members;
  tsm_heap *heap = instance_heap(rt);
  tsm_dict *d = tsm_dict_make(heap, TSM_DICT, TSM_L_PAIR, TSM_L_PAIR, &dict_type);
  tsm_list *l = any_list(heap);
  push(l, &d->head);
  tsm_pair key = {TSM_INT, {1}}, value = {TSM_LIST, {0}};
  value.as.ref = &l->head;
  CHECK(tsm_dict_put(NULL, d, key, value) == TSM_OK);
  tsm_cell *cell = tsm_cell_make(heap, TSM_L_REF, NULL);
  cell->slots[0].ref = &d->head;
  tsm_unref(&cell->head);
  tsm_heap_close(heap);
}

static void test_immortal_is_copied(tsm_runtime *rt) {
  tsm_str *s = tsm_str_new(rt->shared, "constant", 8);
  tsm_tuple *t = tsm_tuple_make(rt->shared, 1, NULL);
  t->items[0].tag = TSM_STR;
  t->items[0].as.ref = &s->head;
  atomic_store(&s->head.refs, TSM_IMMORTAL);
  atomic_store(&t->head.refs, TSM_IMMORTAL);
  tsm_pair p = {TSM_TUPLE, {0}};
  p.as.ref = &t->head;
  tsm_value v;
  CHECK(tsm_pair_export(rt, p, &v) == TSM_OK);
  CHECK(v.as.ref != &t->head && ((tsm_tuple *)v.as.ref)->items[0].as.ref != &s->head);
  atomic_store(&s->head.refs, 1);
  atomic_store(&t->head.refs, 1);
  tsm_unref(&t->head);
  CHECK(has_repr(rt, v, "('constant',)"));
  tsm_release(v);
}

int main(void) {
  counting memory;
  tsm_error error;
  tsm_runtime *rt = counting_runtime(&memory, -1, &error);
  CHECK(rt != NULL);
  if (!rt) return 1;
  make_types();
  long blocks = memory.blocks;
  test_deep_free(rt);
  CHECK(memory.blocks == blocks);
  test_cycle_is_broken(rt);
  CHECK(memory.blocks == blocks);
  test_held_by_host(rt);
  CHECK(memory.blocks == blocks);
  test_held_through_untracked(rt);
  CHECK(memory.blocks == blocks);
  test_cycle_through_untracked(rt);
  CHECK(memory.blocks == blocks);
  test_tidy(rt);
  test_dict_in_cycle(rt);
  test_immortal_is_copied(rt);
  CHECK(memory.blocks == blocks);
  tsm_runtime_free(rt);
  CHECK(memory.blocks == 0 && memory.bytes == 0);
  return check_done();
}
