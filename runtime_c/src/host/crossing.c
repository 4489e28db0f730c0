/* crossing.c - values on their way from the host into a program, and back.
 * In: tagged values of the host. Out: slots of declared types, with a count each; results as tagged values.
 * Holds: bool becomes int becomes float where declared; tuples are remade if that changes them; other containers cross
 * by reference, after every element was looked at, and carry the program's type for as long as it holds them. */
#include "hostvalue.h"
#include "object/objectmap.h"
#include "vm/stack.h"
#include "tensor/tensor.h"

bool tsm_pair_fits(tsm_context *ctx, const tsm_type *type, tsm_pair pair) {
  if (tsm_tag_is_ref(pair.tag) && !pair.as.ref) pair.tag = TSM_NONE;
  return tsm_value_fits(ctx, type, pair);
}

/* ---- Adoption */

static bool is_hosts_container(const tsm_object *o) {
  bool is_mutable = o->kind == TSM_LIST || o->kind == TSM_DICT || o->kind == TSM_SET;
  return is_mutable && !o->type && atomic_load_explicit(&o->refs, memory_order_relaxed) < TSM_IMMORTAL;
}

static tsm_status adopt_object(tsm_instance *instance, const tsm_type *type, tsm_object *o) {
  struct tsm_stack *stack = tsm_stack_of(instance);
  if (!stack) return tsm_out_of_memory(&instance->ctx);
  if (stack->adopted_count == stack->adopted_capacity) {
    size_t capacity = stack->adopted_capacity ? 2 * stack->adopted_capacity : 8, size = sizeof(tsm_adopted);
    void *moved = tsm_realloc(instance->ctx.rt, stack->adopted, stack->adopted_capacity * size, capacity * size);
    if (!moved) return tsm_out_of_memory(&instance->ctx);
    stack->adopted = moved;
    stack->adopted_capacity = capacity;
  }
  stack->adopted[stack->adopted_count++] = (tsm_adopted){o, atomic_load_explicit(&o->refs, memory_order_relaxed)};
  tsm_ref(o);
  o->type = type;
  return TSM_OK;
}

void tsm_adopted_release(tsm_instance *instance, bool everything) {
  struct tsm_stack *stack = instance->stack;
  size_t kept = 0, count = stack ? stack->adopted_count : 0;
  if (!count) return;
  for (size_t i = 0; i < count; i++) {
    tsm_adopted a = stack->adopted[i];
    uint32_t refs = atomic_load_explicit(&a.object->refs, memory_order_relaxed);
    if (!everything && refs > 1 && refs > a.refs + 1) {
      stack->adopted[kept++] = a;
      continue;
    }
    a.object->type = NULL;
    tsm_unref(a.object);
  }
  stack->adopted_count = kept;
}

/* The arm of a type that a value is of. */
static const tsm_type *arm_of(tsm_context *ctx, const tsm_type *type, tsm_pair pair) {
  if (type->kind == TSM_T_OPTIONAL) return type->members[0];
  for (uint32_t i = 0; type->kind == TSM_T_UNION && i < type->count; i++)
    if (tsm_pair_fits(ctx, type->members[i], pair)) return type->members[i];
  return type;
}

static bool holds_containers(const tsm_type *type) {
  return type->layout == TSM_L_REF || type->layout == TSM_L_PAIR;
}

static tsm_status adopt_list(tsm_context *ctx, const tsm_type *element, const tsm_list *l) {
  tsm_status status = TSM_OK;
  for (int64_t i = 0; holds_containers(element) && i < l->length && status == TSM_OK; i++)
    if ((status = tsm_charge_elements(ctx, TSM_COST_ITEM)) == TSM_OK) status = tsm_pair_adopt(ctx, element, tsm_list_peek(l, i));
  return status;
}

static tsm_status adopt_dict(tsm_context *ctx, const tsm_type *type, const tsm_dict *d) {
  int64_t position = 0;
  tsm_status status = TSM_OK;
  if (type->kind != TSM_T_DICT || !holds_containers(type->members[1])) return TSM_OK; /* keys are immutable */
  for (tsm_dict_entry *e; status == TSM_OK && (e = tsm_dict_walk(d, &position));)
    if ((status = tsm_charge_elements(ctx, TSM_COST_ITEM)) == TSM_OK)
      status = tsm_pair_adopt(ctx, type->members[1], e->value);
  return status;
}

tsm_status tsm_pair_adopt(tsm_context *ctx, const tsm_type *type, tsm_pair pair) {
  if (!tsm_tag_is_ref(pair.tag) || !pair.as.ref) return TSM_OK;
  type = arm_of(ctx, type, pair);
  if (tsm_has_stopped(ctx)) return ctx->status;
  tsm_object *o = pair.as.ref;
  tsm_status status = TSM_OK;
  if (o->kind == TSM_TUPLE && (type->kind == TSM_T_TUPLE || type->kind == TSM_T_NAMED_TUPLE)) {
    const tsm_tuple *t = (const tsm_tuple *)o;
    for (int64_t i = 0; i < t->length && status == TSM_OK; i++)
      if ((status = tsm_charge_elements(ctx, TSM_COST_ITEM)) == TSM_OK)
        status = tsm_pair_adopt(ctx, type->members[type->is_variadic ? 0 : i], t->items[i]);
    return status;
  }
  bool is_declared = type->kind == TSM_T_LIST || type->kind == TSM_T_DICT || type->kind == TSM_T_SET;
  bool is_hosts = is_hosts_container(o);
  if (!is_declared || (!is_hosts && !(o->flags & TSM_OBJ_LOOSE))) return TSM_OK;
  if (tsm_object_fasten(o, type) != TSM_OK) return tsm_out_of_memory(ctx);
  if (is_hosts) status = adopt_object((tsm_instance *)ctx, type, o);
  if (status != TSM_OK) return status;
  return o->kind == TSM_LIST ? adopt_list(ctx, type->members[0], (const tsm_list *)o)
                             : adopt_dict(ctx, type, (const tsm_dict *)o);
}

/* ---- In */

/* A walk over what a value holds, each container once, with no recursion. */
typedef struct search {
  tsm_context *ctx;
  tsm_object_map seen;            /* containers that are or were pending */
  const tsm_object **pending;
  size_t count, capacity;
  bool found;                     /* a tensor without memory */
} search;

static bool holds_references(const tsm_object *o) {
  if (o->kind == TSM_TUPLE) return true;
  uint8_t layout = o->kind == TSM_LIST ? o->layout : o->kind == TSM_DICT ? o->layout2 : (uint8_t)TSM_L_I64;
  return layout == TSM_L_REF || layout == TSM_L_PAIR;
}

static tsm_status search_later(search *s, const tsm_object *o) {
  if (!holds_references(o) || tsm_object_map_get(&s->seen, o)) return TSM_OK;
  if (s->count == s->capacity) {
    size_t capacity = s->capacity * 2 + 16, size = sizeof *s->pending;
    const tsm_object **moved = tsm_realloc(s->ctx->rt, s->pending, s->capacity * size, capacity * size);
    if (!moved) return tsm_out_of_memory(s->ctx);
    s->pending = moved;
    s->capacity = capacity;
  }
  if (!tsm_object_map_put(&s->seen, o, 1)) return tsm_out_of_memory(s->ctx);
  s->pending[s->count++] = o;
  return TSM_OK;
}

static tsm_status search_pair(search *s, tsm_pair pair) {
  if (!tsm_tag_is_ref(pair.tag) || !pair.as.ref) return TSM_OK;
  const tsm_object *o = pair.as.ref;
  if (o->kind != TSM_TENSOR) return search_later(s, o);
  s->found = s->found || (((const tsm_tensor *)o)->storage->flags & TSM_ST_META);
  return TSM_OK;
}

static tsm_status search_inside(search *s, const tsm_object *o) {
  tsm_status status = TSM_OK;
  if (o->kind == TSM_TUPLE) {
    const tsm_tuple *t = (const tsm_tuple *)o;
    for (int64_t i = 0; i < t->length && status == TSM_OK; i++) status = search_pair(s, t->items[i]);
  } else if (o->kind == TSM_LIST) {
    const tsm_list *l = (const tsm_list *)o;
    for (int64_t i = 0; i < l->length && status == TSM_OK; i++) status = search_pair(s, tsm_list_peek(l, i));
  } else {
    int64_t position = 0;
    for (tsm_dict_entry *e; status == TSM_OK && (e = tsm_dict_walk((const tsm_dict *)o, &position));)
      status = search_pair(s, e->value);
  }
  return status;
}

/* Whether a value is or holds a tensor without memory (shapes only), which must not reach kernels. */
static tsm_status lacks_memory(tsm_context *ctx, tsm_pair pair, bool *out_found) {
  search s = {ctx, {0}, NULL, 0, 0, false};
  *out_found = false;
  if (!tsm_tag_is_ref(pair.tag) || !pair.as.ref) return TSM_OK;
  if (pair.as.ref->kind != TSM_TENSOR && !holds_references(pair.as.ref)) return TSM_OK;
  tsm_object_map_init(&s.seen, ctx->rt);
  tsm_status status = pair.as.ref->kind == TSM_TENSOR ? search_pair(&s, pair) : search_inside(&s, pair.as.ref);
  while (s.count && status == TSM_OK && !s.found) status = search_inside(&s, s.pending[--s.count]);
  *out_found = s.found;
  tsm_free(ctx->rt, s.pending, s.capacity * sizeof *s.pending);
  tsm_object_map_free(&s.seen);
  return status;
}

static tsm_status convert(tsm_context *ctx, const tsm_type *type, tsm_pair from, tsm_pair *out);

static tsm_status convert_tuple(tsm_context *ctx, const tsm_type *type, const tsm_tuple *from, tsm_pair *out) {
  if (!type->is_variadic && (uint64_t)from->length != type->count) return TSM_ERR_ARGUMENT;
  tsm_tuple *t = tsm_tuple_make(ctx->heap, from->length, type);
  if (!t) return tsm_out_of_memory(ctx);
  tsm_tuple_mark_like(t, from);
  for (int64_t i = 0; i < from->length; i++) {
    tsm_status status = convert(ctx, type->members[type->is_variadic ? 0 : i], from->items[i], &t->items[i]);
    if (status == TSM_OK) continue;
    t->items[i] = (tsm_pair){TSM_NONE, {0}};
    tsm_unref(&t->head);
    return status;
  }
  out->tag = TSM_TUPLE;
  out->as.ref = &t->head;
  return TSM_OK;
}

/* A new one that has the type, which those of the host lack. */
static tsm_status convert_frozenset(tsm_context *ctx, const tsm_type *type, const tsm_dict *from, tsm_pair *out) {
  tsm_dict *d = tsm_dict_make(ctx->heap, TSM_FROZENSET, (tsm_layout)type->members[0]->layout, TSM_L_I64, type);
  if (!d) return tsm_out_of_memory(ctx);
  int64_t position = 0;
  tsm_status status = TSM_OK;
  for (tsm_dict_entry *e; status == TSM_OK && (e = tsm_dict_walk(from, &position));) {
    tsm_pair key, none = {TSM_NONE, {0}};
    status = convert(ctx, type->members[0], e->key, &key);
    if (status == TSM_OK && tsm_dict_put(ctx, d, key, none) != TSM_OK) status = tsm_out_of_memory(ctx);
  }
  out->tag = TSM_FROZENSET;
  out->as.ref = &d->head;
  if (status != TSM_OK) tsm_unref(&d->head);
  return status;
}

/* A new list of a tuple's items. */
static tsm_status convert_list(tsm_context *ctx, const tsm_type *type, const tsm_tuple *from, tsm_pair *out) {
  tsm_list *l = tsm_list_make(ctx->heap, (tsm_layout)type->members[0]->layout, type, from->length);
  if (!l) return tsm_out_of_memory(ctx);
  tsm_status status = TSM_OK;
  for (int64_t i = 0; i < from->length && status == TSM_OK; i++) {
    tsm_pair item;
    status = convert(ctx, type->members[0], from->items[i], &item);
    if (status != TSM_OK) break;
    tsm_slot slot;
    tsm_pair_to_slot((tsm_layout)type->members[0]->layout, item, &slot);
    if (tsm_list_push(l, &slot) != TSM_OK) status = tsm_out_of_memory(ctx);
  }
  out->tag = TSM_LIST;
  out->as.ref = &l->head;
  if (status != TSM_OK) tsm_unref(&l->head);
  return status;
}

/* The number of a tensor of one element, whose own kind chooses among those of a union. */
static tsm_status convert_tensor(tsm_context *ctx, const tsm_type *type, const tsm_tensor *from, tsm_pair *out) {
  tsm_pair number;
  if (from->numel != 1) return TSM_ERR_ARGUMENT;
  tsm_status status = tsm_tensor_item(ctx, from, &number);
  if (status != TSM_OK || type->kind != TSM_T_BOOL) return status == TSM_OK ? convert(ctx, type, number, out) : status;
  out->tag = TSM_BOOL;
  out->as.i = TSM_TAG_KIND(number.tag) == TSM_FLOAT ? number.as.f != 0 : number.as.i != 0;
  return TSM_OK;
}

static bool is_of_numbers(const tsm_type *type) {
  return type->kind == TSM_T_BOOL || type->kind == TSM_T_INT || type->kind == TSM_T_FLOAT ||
         type->kind == TSM_T_SCALAR || type->kind == TSM_T_UNION;
}

/* The value at the type, with a count. TSM_ERR_ARGUMENT, with nothing raised: it does not fit. */
static tsm_status convert(tsm_context *ctx, const tsm_type *type, tsm_pair from, tsm_pair *out) {
  tsm_kind kind = TSM_TAG_KIND(from.tag);
  *out = from;
  bool is_untyped = kind == TSM_FROZENSET && type->kind == TSM_T_FROZENSET && from.as.ref && !from.as.ref->type;
  if (!is_untyped && tsm_pair_fits(ctx, type, from)) {
    tsm_status status = tsm_pair_adopt(ctx, type, from);
    if (status == TSM_OK) tsm_pair_ref(from);
    return status;
  }
  if (kind == TSM_TENSOR && from.as.ref && is_of_numbers(type))
    return convert_tensor(ctx, type, (const tsm_tensor *)(const void *)from.as.ref, out);
  switch (type->kind) {
    case TSM_T_INT:
      if (kind != TSM_BOOL) break;
      out->tag = TSM_INT;
      return TSM_OK;
    case TSM_T_FLOAT:
      if (kind != TSM_BOOL && kind != TSM_INT) break;
      out->tag = TSM_FLOAT;
      out->as.f = (double)from.as.i;
      return TSM_OK;
    case TSM_T_OPTIONAL: case TSM_T_UNION:
      for (uint32_t i = 0; i < type->count; i++) {
        tsm_status status = convert(ctx, type->members[i], from, out);
        if (status != TSM_ERR_ARGUMENT) return status;
      }
      break;
    case TSM_T_TUPLE: case TSM_T_NAMED_TUPLE:
      if (kind == TSM_TUPLE && from.as.ref) return convert_tuple(ctx, type, (const tsm_tuple *)from.as.ref, out);
      break;
    case TSM_T_LIST:
      if (kind == TSM_TUPLE && from.as.ref) return convert_list(ctx, type, (const tsm_tuple *)from.as.ref, out);
      break;
    case TSM_T_FROZENSET:
      if (kind == TSM_FROZENSET && from.as.ref) return convert_frozenset(ctx, type, (const tsm_dict *)from.as.ref, out);
      break;
    default: break;
  }
  return TSM_ERR_ARGUMENT;
}

static tsm_status refuse(tsm_context *ctx, const tsm_type *type, tsm_pair pair, const char *what) {
  char wanted[200];
  tsm_type_text(type, wanted, sizeof wanted);
  tsm_text name;
  tsm_text_init(&name, ctx->rt);
  if (TSM_TAG_KIND(pair.tag) == TSM_NONE) tsm_text_add(&name, "None", 4);
  else tsm_text_type_name(&name, pair);
  tsm_text_add(&name, "", 1);
  bool is_container = tsm_tag_is_ref(pair.tag) && pair.tag == tsm_type_tag(type) && pair.tag != TSM_OBJECT;
  tsm_status status = tsm_raise(ctx, "TypeError", "%s must be %s, not %s%s", what, wanted,
                                name.failed ? "another type" : name.bytes,
                                is_container ? " with other elements" : "");
  tsm_text_free(&name);
  return status;
}

tsm_status tsm_slot_from_value(tsm_context *ctx, const tsm_type *type, tsm_value value, const char *what,
                               tsm_slot *out_slot) {
  if (type->kind == TSM_T_INT && value.kind == TSM_INT) {
    out_slot->i = value.as.i;
    return TSM_OK;
  }
  if (type->kind == TSM_T_FLOAT && value.kind == TSM_FLOAT) {
    out_slot->f = value.as.f;
    return TSM_OK;
  }
  bool is_whole = tsm_value_is_whole(value);
  if (!is_whole && what) return tsm_raise(ctx, "TypeError", "%s is not a valid value", what);
  tsm_pair from = tsm_pair_of_value(value), to;
  bool is_meta = !is_whole;
  tsm_status status = is_whole ? lacks_memory(ctx, from, &is_meta) : TSM_OK;
  if (status != TSM_OK) return status;
  if (is_meta && what) return tsm_raise(ctx, "TypeError", "%s is a tensor without memory", what);
  status = is_meta ? TSM_ERR_ARGUMENT : convert(ctx, type, from, &to);
  if (status == TSM_ERR_ARGUMENT && what) return refuse(ctx, type, from, what);
  if (status == TSM_OK) tsm_pair_to_slot((tsm_layout)type->layout, to, out_slot);
  return status;
}

/* ---- Out */

tsm_status tsm_value_from_slot(tsm_runtime *rt, const tsm_type *type, const tsm_slot *slot, tsm_value *out_value) {
  if (type->kind == TSM_T_INT) {
    *out_value = tsm_int(slot->i);
    return TSM_OK;
  }
  if (type->kind == TSM_T_BOOL) {
    *out_value = tsm_bool(slot->i != 0);
    return TSM_OK;
  }
  return tsm_pair_export(rt, tsm_pair_from_slot(type, slot), out_value);
}
