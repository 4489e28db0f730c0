/* clone.c - see clone.h.
 * Holds: nothing recurses: an object is made empty when it is first met and filled when its turn comes. */
#include "clone.h"

#include "object/objectmap.h"

typedef struct pending_object { tsm_object *from, *to; } pending_object;

typedef struct cloner {
  tsm_instance *from, *copy;
  tsm_runtime *rt;
  tsm_context *ctx; /* that pays; NULL: nobody */
  tsm_heap *heap;
  tsm_object_map objects, storages;  /* old address -> new address */
  pending_object *queue;
  size_t queue_length, queue_capacity, next;
  bool is_value;    /* of a value, not of a state */
  bool is_shallow;  /* what it holds is shared */
  bool failed, refused;
} cloner;

/* A storage of the copy, with a count for the caller. Unwritten weights stay windows on the file. */
static tsm_storage *clone_storage(cloner *c, tsm_storage *s) {
  const uint64_t *known = tsm_object_map_get(&c->storages, s);
  tsm_storage *copy = known ? (tsm_storage *)(uintptr_t)*known : NULL;
  if (!copy && (s->flags & TSM_ST_COW) && !c->is_value) {
    copy = tsm_storage_borrow(c->rt, 0, s->data, s->bytes, TSM_ST_COW | TSM_ST_KEPT, s->release, s->release_user);
    if (copy && s->release) tsm_program_retain(s->release_user);
    if (copy) atomic_store(&copy->packed, atomic_load(&s->packed));
  } else if (!copy && tsm_pay(c->ctx, (int64_t)s->bytes, 1)) {
    copy = tsm_storage_new(c->rt, 0, s->bytes, false);
    if (copy && s->bytes && s->data) memcpy(copy->data, s->data, s->bytes);
    if (copy && !c->is_value) copy->flags |= s->flags & TSM_ST_KEPT;
  }
  if (copy && !known && !tsm_object_map_put(&c->storages, s, (uint64_t)(uintptr_t)copy)) {
    tsm_storage_unref(copy);
    copy = NULL;
  }
  if (!copy) c->failed = true;
  else if (known) atomic_fetch_add_explicit(&copy->refs, 1, memory_order_relaxed);
  return copy;
}

static tsm_object *clone_tensor(cloner *c, const tsm_tensor *t) {
  tsm_storage *s = clone_storage(c, t->storage);
  if (!s) return NULL;
  tsm_tensor *copy = tsm_tensor_over(c->rt, s, t->dtype, t->rank, tsm_shape(t), tsm_strides(t), t->offset);
  tsm_storage_unref(s);
  return (tsm_object *)copy;
}

static tsm_object *clone_object(cloner *c, tsm_object *o);

/* Its parts are leaves and tuples of leaves, filled like any tuple. */
static tsm_object *clone_exception(cloner *c, const tsm_exception *e) {
  tsm_str *name = tsm_str_new(c->heap, e->name->bytes, e->name->length);
  tsm_exception *copy = tsm_exception_make(c->heap, name, tsm_str_new(c->heap, e->message->bytes, e->message->length));
  if (!copy) return NULL;
  copy->args = (tsm_tuple *)clone_object(c, (tsm_object *)e->args);
  copy->fields = (tsm_tuple *)clone_object(c, (tsm_object *)e->fields);
  return &copy->head;
}

static tsm_object *make_empty(cloner *c, tsm_object *o) {
  if (c->is_value && (o->kind == TSM_FUNCTION || o->kind == TSM_EXCEPTION)) {
    c->refused = true;
    return NULL;
  }
  switch (o->kind) {
    case TSM_LIST: return (tsm_object *)tsm_list_make(c->heap, (tsm_layout)o->layout, o->type, ((tsm_list *)o)->length);
    case TSM_DICT: case TSM_SET: case TSM_FROZENSET:
      return (tsm_object *)tsm_dict_make(c->heap, (tsm_kind)o->kind, (tsm_layout)o->layout, (tsm_layout)o->layout2,
                                         o->type);
    case TSM_OBJECT: return (tsm_object *)tsm_instance_object_make(c->heap, o->type);
    case TSM_TUPLE: {
      tsm_tuple *t = tsm_tuple_make(c->heap, ((tsm_tuple *)o)->length, o->type);
      tsm_tuple_mark_like(t, (const tsm_tuple *)o);
      return (tsm_object *)t;
    }
    case TSM_CELL: return (tsm_object *)tsm_cell_make(c->heap, (tsm_layout)o->layout, o->type);
    case TSM_TENSOR: return clone_tensor(c, (tsm_tensor *)o);
    case TSM_STR: return (tsm_object *)tsm_str_new(c->heap, ((tsm_str *)o)->bytes, ((tsm_str *)o)->length);
    case TSM_BYTES: return (tsm_object *)tsm_bytes_new(c->heap, ((tsm_bytes *)o)->bytes, ((tsm_bytes *)o)->length);
    case TSM_COMPLEX: return (tsm_object *)tsm_complex_make(c->heap, ((tsm_complex *)o)->re, ((tsm_complex *)o)->im);
    case TSM_EXCEPTION: return clone_exception(c, (tsm_exception *)o);
    default: return NULL;
  }
}

static bool enqueue(cloner *c, tsm_object *from, tsm_object *to) {
  if (c->queue_length == c->queue_capacity) {
    size_t capacity = c->queue_capacity ? c->queue_capacity * 2 : 64;
    pending_object *moved = tsm_realloc(c->rt, c->queue, c->queue_capacity * sizeof *moved, capacity * sizeof *moved);
    if (!moved) return false;
    c->queue = moved;
    c->queue_capacity = capacity;
  }
  c->queue[c->queue_length++] = (pending_object){from, to};
  return true;
}

/* The copy of an object, with a count for the caller; NULL for NULL, and after a failure. */
static tsm_object *clone_object(cloner *c, tsm_object *o) {
  if (!o || c->failed) return NULL;
  bool is_leaf = o->kind == TSM_STR || o->kind == TSM_BYTES || o->kind == TSM_COMPLEX;
  if (c->is_value && (is_leaf || (c->is_shallow && c->queue_length))) {
    tsm_ref(o);
    return o;
  }
  const uint64_t *known = tsm_object_map_get(&c->objects, o);
  if (known) {
    tsm_object *copy = (tsm_object *)(uintptr_t)*known;
    tsm_ref(copy);
    return copy;
  }
  tsm_object *copy = tsm_pay(c->ctx, 1, 2 * TSM_COST_ENTRY) ? make_empty(c, o) : NULL;
  if (copy) copy->flags |= o->flags & TSM_OBJ_LOOSE;
  bool is_kept = copy && tsm_object_map_put(&c->objects, o, (uint64_t)(uintptr_t)copy) && enqueue(c, o, copy);
  if (is_kept) return copy;
  if (copy) tsm_unref(copy);
  c->failed = true;
  return NULL;
}

static tsm_pair clone_pair(cloner *c, tsm_pair p) {
  if (!tsm_tag_is_ref(p.tag)) return p;
  p.as.ref = clone_object(c, p.as.ref);
  if (!p.as.ref) p.tag = TSM_NONE;
  return p;
}

static void clone_slots(cloner *c, const tsm_slot *from, tsm_slot *to, size_t refs, size_t pairs, size_t scalars) {
  for (size_t i = 0; i < refs; i++) to[i].ref = clone_object(c, from[i].ref);
  from += refs;
  to += refs;
  for (size_t i = 0; i < pairs; i++, from += 2, to += 2) {
    tsm_pair p = clone_pair(c, (tsm_pair){from[0].bits, from[1]});
    to[0].bits = p.tag;
    to[1] = p.as;
  }
  for (size_t i = 0; i < scalars; i++) to[i] = from[i];
}

static void fill_list(cloner *c, const tsm_list *from, tsm_list *to) {
  for (int64_t i = 0; i < from->length && !c->failed; i++) {
    tsm_slot slots[2];
    if (!tsm_pay(c->ctx, 1, TSM_COST_ITEM)) c->failed = true;
    tsm_pair_to_slot((tsm_layout)to->head.layout, clone_pair(c, tsm_list_peek(from, i)), slots);
    if (tsm_list_push(to, slots) != TSM_OK) c->failed = true;
  }
  to->head.layout2 = from->head.layout2;
  to->limit = from->limit;
}

/* Entries keep their hashes; those that scripts gave are asked again in a deep copy, whose keys are new ones. */
static void fill_dict(cloner *c, const tsm_dict *from, tsm_dict *to) {
  int64_t position = 0;
  if (!c->is_value || c->is_shallow) to->head.flags |= from->head.flags & TSM_OBJ_HASHED;
  for (tsm_dict_entry *e; !c->failed && (e = tsm_dict_pass(c->ctx, from, &position));) {
    if (!tsm_pay(c->ctx, 1, TSM_COST_ENTRY)) c->failed = true;
    tsm_pair key = clone_pair(c, e->key), value = clone_pair(c, e->value);
    if (tsm_dict_append(NULL, to, e->hash, key, value) != TSM_OK) c->failed = true; /* a tuple is not filled yet */
  }
}

static void fill(cloner *c, tsm_object *from, tsm_object *to) {
  switch (from->kind) {
    case TSM_LIST: fill_list(c, (tsm_list *)from, (tsm_list *)to); break;
    case TSM_DICT: case TSM_SET: case TSM_FROZENSET: fill_dict(c, (tsm_dict *)from, (tsm_dict *)to); break;
    case TSM_TUPLE:
      for (int64_t i = 0; i < ((tsm_tuple *)from)->length && tsm_pay(c->ctx, 1, TSM_COST_ITEM); i++)
        ((tsm_tuple *)to)->items[i] = clone_pair(c, ((tsm_tuple *)from)->items[i]);
      break;
    case TSM_OBJECT:
      clone_slots(c, ((tsm_instance_object *)from)->slots, ((tsm_instance_object *)to)->slots, from->type->record_refs,
                  from->type->record_pairs, from->type->record_scalars);
      break;
    case TSM_CELL: {
      tsm_slot *slots = ((tsm_cell *)to)->slots;
      bool is_ref = from->layout == TSM_L_REF, is_pair = from->layout == TSM_L_PAIR;
      clone_slots(c, ((tsm_cell *)from)->slots, slots, is_ref, is_pair, !is_ref && !is_pair);
      to->layout2 = from->layout2;
      break;
    }
    default: break;
  }
}

static void clone_all(cloner *c) {
  const tsm_program *p = c->from->program;
  for (uint32_t i = 0; i < p->storage_count && !c->failed; i++)
    if (c->from->storages[i]) c->copy->storages[i] = clone_storage(c, c->from->storages[i]);
  for (uint32_t i = 0; i < p->tensor_count && !c->failed; i++)
    if (c->from->tensors[i]) c->copy->tensors[i] = (tsm_tensor *)clone_object(c, &c->from->tensors[i]->head);
  c->copy->root = clone_object(c, c->from->root);
  for (; c->next < c->queue_length && !c->failed; c->next++) fill(c, c->queue[c->next].from, c->queue[c->next].to);
}

tsm_status tsm_state_clone(tsm_instance *from, tsm_instance *copy, tsm_error *out_error) {
  cloner c;
  memset(&c, 0, sizeof c);
  c.from = from;
  c.copy = copy;
  c.rt = from->program->rt;
  tsm_object_map_init(&c.objects, c.rt);
  tsm_object_map_init(&c.storages, c.rt);
  c.failed = !tsm_state_empty(copy);
  c.heap = copy->ctx.heap;
  if (!c.failed) clone_all(&c);
  tsm_free(c.rt, c.queue, c.queue_capacity * sizeof *c.queue);
  tsm_object_map_free(&c.objects);
  tsm_object_map_free(&c.storages);
  if (!c.failed) return TSM_OK;
  tsm_state_close(copy);
  return tsm_error_set(out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
}

static tsm_status copy_all(cloner *c, tsm_context *ctx) {
  for (; c->next < c->queue_length && !c->failed; c->next++) fill(c, c->queue[c->next].from, c->queue[c->next].to);
  if (tsm_has_stopped(ctx)) return ctx->status;
  if (!c->failed) return TSM_OK;
  return c->refused ? tsm_raise(ctx, "TypeError", "functions and exceptions cannot be copied here")
                    : tsm_out_of_memory(ctx);
}

tsm_status tsm_pair_copy(tsm_context *ctx, tsm_pair from, bool is_deep, tsm_pair *out) {
  *out = from;
  tsm_kind kind = TSM_TAG_KIND(from.tag);
  bool is_changing = kind == TSM_LIST || kind == TSM_DICT || kind == TSM_SET || kind == TSM_OBJECT;
  bool is_deeper = is_deep && (kind == TSM_TUPLE || kind == TSM_TENSOR || kind == TSM_FUNCTION || kind == TSM_EXCEPTION);
  if (!from.as.ref || !(is_changing || is_deeper)) {
    tsm_pair_ref(from);
    return TSM_OK;
  }
  cloner c;
  memset(&c, 0, sizeof c);
  c.rt = ctx->rt;
  c.ctx = ctx;
  c.heap = ctx->heap;
  c.is_value = true;
  c.is_shallow = !is_deep;
  tsm_object_map_init(&c.objects, c.rt);
  tsm_object_map_init(&c.storages, c.rt);
  out->as.ref = clone_object(&c, from.as.ref);
  tsm_status status = copy_all(&c, ctx);
  if (status != TSM_OK) tsm_unref_maybe(out->as.ref);
  tsm_free(c.rt, c.queue, c.queue_capacity * sizeof *c.queue);
  tsm_object_map_free(&c.objects);
  tsm_object_map_free(&c.storages);
  return status;
}
