/* opcall.c - running one operator: from a register frame, as the VM does, or from the host's values.
 * In: a site and a frame, or tagged arguments. Out: results, or an error that names operator and parameter.
 * Holds: the host's arguments fit the schema exactly before a kernel sees them, so kernels need not check kinds. */
#include "base/floatmode.h"
#include "base/pool.h"
#include "host/hostvalue.h"
#include "op.h"

/* ---- From a frame */

static void release_results(const tsm_opcall *call) {
  const tsm_schema *schema = &call->site->op->schema;
  for (size_t i = 0; i < call->site->result_count && i < schema->result_count; i++) {
    const tsm_type *type = tsm_result_type(call, i);
    if (!type) type = schema->results[i];
    if (type->kind == TSM_T_VAR || (type->kind == TSM_T_OPTIONAL && type->members[0]->kind == TSM_T_VAR)) continue;
    tsm_slot *slot = tsm_result(call, i);
    if (type->layout != TSM_L_REF && type->layout != TSM_L_PAIR) continue;
    tsm_slot old[2] = {slot[0], slot[0]};
    slot[0].bits = 0; /* NULL, or the tag of None */
    if (type->layout == TSM_L_PAIR) {
      old[1] = slot[1];
      slot[1].bits = 0;
    }
    tsm_slot_unref((tsm_layout)type->layout, old);
  }
}

bool tsm_is_reusable(const tsm_tensor *t, const tsm_meta *meta) {
  const tsm_storage *s = t->storage;
  if (!tsm_tensor_is_unshared(t) || s->flags != TSM_ST_INLINE) return false;
  if (atomic_load_explicit(&s->refs, memory_order_acquire) != 1 || t->offset) return false;
  if (t->dtype != meta->dtype || t->rank != meta->rank) return false;
  int64_t next = 1;
  for (size_t i = t->rank; i-- > 0;) {
    if (t->dims[i] != meta->shape[i] || t->dims[t->rank + i] != next) return false;
    next *= t->dims[i] > 1 ? t->dims[i] : 1;
  }
  return (size_t)t->numel * tsm_item_size(t->dtype) == s->bytes;
}

/* The register of an argument that dies here and may become the result of an elementwise operator, which reads an
 * element before it writes the one at the same index; NULL: none. */
static tsm_slot *reusable_argument(const tsm_opcall *call, const tsm_meta *meta) {
  const tsm_site *site = call->site;
  for (uint64_t dies = site->dies; dies; dies &= dies - 1) {
    size_t i = (size_t)__builtin_ctzll(dies);
    if (site->op->schema.params[i].type->kind != TSM_T_TENSOR) continue;
    tsm_slot *slot = tsm_arg(call, i);
    if (slot != tsm_result(call, 0) && tsm_is_reusable(slot->tensor, meta)) return slot;
  }
  return NULL;
}

/* *out_reused: the register whose tensor is the result too, without a count of its own until the kernel is done. */
static tsm_status make_tensor_results(tsm_opcall *call, tsm_slot **out_reused) {
  tsm_meta metas[TSM_MAX_RESULTS];
  const tsm_op *op = call->site->op;
  tsm_status status = op->infer(call, metas);
  if (status == TSM_OK && call->site->dies && op->traits & TSM_TRAIT(POINTWISE)) {
    *out_reused = reusable_argument(call, metas);
    if (*out_reused) {
      (*out_reused)->tensor->storage->version++;
      tsm_return_ref(call, 0, (*out_reused)->ref);
      return TSM_OK;
    }
  }
  for (size_t i = 0; i < op->schema.result_count && status == TSM_OK; i++) {
    if (op->schema.results[i]->kind != TSM_T_TENSOR) continue;
    tsm_tensor *t = tsm_tensor_make(call->ctx, &metas[i], false);
    if (t && i == 0 && call->site->free_layout) tsm_result_choose_order(call, t);
    if (t) tsm_return_ref(call, i, &t->head);
    else status = call->ctx->status;
  }
  return status;
}

/* NotImplementedError when a guarded argument is bfloat16, or a dtype that no tensor has: kernels and infer functions
 * then need not know them. */
static tsm_status check_dtypes(tsm_opcall *call) {
  const tsm_op *op = call->site->op;
  for (uint32_t left = op->guarded; left; left &= left - 1) {
    size_t i = (size_t)__builtin_ctz(left);
    const tsm_type *type = op->schema.params[i].type;
    const tsm_slot *slot = tsm_arg(call, i);
    int64_t dtype = 0;
    if (type->layout == TSM_L_REF) dtype = slot->tensor ? slot->tensor->dtype : 0;
    else if (type->layout != TSM_L_PAIR) dtype = slot->i;
    else if (slot[0].bits == TSM_DTYPE) dtype = slot[1].i;
    if (TSM_UNLIKELY(dtype > TSM_BF16 || (dtype == TSM_BF16 && !(op->takes_bfloat >> i & 1))))
      return tsm_raise(call->ctx, "NotImplementedError", "%s: not implemented for dtype %s", op->name,
                       tsm_dtype_name((tsm_dtype)dtype));
  }
  return TSM_OK;
}

tsm_status tsm_op_run(tsm_opcall *call) {
  const tsm_op *op = call->site->op;
  tsm_slot *reused = NULL;
  tsm_status status = check_dtypes(call);
  if (TSM_LIKELY(status == TSM_OK) && op->infer) status = make_tensor_results(call, &reused);
  int64_t outer_cost = call->ctx->element_cost; /* a kernel may run others */
  call->ctx->element_cost = op->element_cost;
  if (TSM_LIKELY(status == TSM_OK)) status = op->kernel(call);
  call->ctx->element_cost = outer_cost;
  if (tsm_has_stopped(call->ctx)) status = call->ctx->status; /* what a helper answered after it means nothing */
  if (reused) (status == TSM_OK ? reused : tsm_result(call, 0))->bits = 0; /* one of the two has the count */
  if (TSM_UNLIKELY(status != TSM_OK)) release_results(call);
  return status;
}

/* ---- From the host */

tsm_context *tsm_context_new(tsm_runtime *runtime, tsm_error *out_error) {
  tsm_context *ctx = tsm_alloc(runtime, sizeof *ctx);
  if (!ctx) {
    tsm_error_set(out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
    return NULL;
  }
  tsm_context_init(ctx, runtime, runtime->shared);
  tsm_runtime_retain(runtime);
  return ctx;
}

void tsm_context_free(tsm_context *context) {
  if (!context) return;
  tsm_runtime *rt = context->rt;
  tsm_context_close(context);
  tsm_free(rt, context, sizeof *context);
  tsm_runtime_release(rt);
}

void tsm_context_seed(tsm_context *context, uint64_t seed) { tsm_context_own_streams(context, seed); }

void tsm_context_set_fuel(tsm_context *context, uint64_t fuel) {
  context->has_fuel = fuel != 0;
  context->fuel = fuel > INT64_MAX ? INT64_MAX : (int64_t)fuel;
}

uint64_t tsm_context_fuel_left(const tsm_context *context) { return context->has_fuel ? (uint64_t)context->fuel : 0; }

void tsm_context_cancel(tsm_context *context, bool is_cancelled) {
  atomic_store_explicit(&context->cancelled, is_cancelled, memory_order_relaxed);
}

enum { MAX_SLOTS = 2 * (TSM_MAX_PARAMS + TSM_MAX_RESULTS), MAX_VARIABLES = 8 };

/* What a schema variable stands for in this call: taken from the container arguments. */
typedef struct binding {
  bool is_bound;
  tsm_layout layout;
  const tsm_type *type; /* NULL for containers of the host */
  uint8_t kind;         /* element kind of a list of the host, 0 if not known */
} binding;

typedef struct host_call {
  tsm_context *ctx;
  const tsm_op *op;
  tsm_error *out_error;
  binding variables[MAX_VARIABLES];
  tsm_slot slots[MAX_SLOTS];
  tsm_site *site;
  size_t slot_count;
  uint64_t owned; /* bit i: argument i is a default and holds its own count */
} host_call;

static void name_op(const tsm_op *op, char *out, size_t capacity) {
  size_t n = strlen(op->name);
  tsm_text_fit(out, capacity, op->name, n);
  if (!*op->overload || n + 2 > capacity) return;
  out[n] = '.';
  tsm_text_fit(out + n + 1, capacity - n - 1, op->overload, strlen(op->overload));
}

static tsm_status refuse(host_call *h, const char *what, const char *param) {
  char name[64];
  name_op(h->op, name, sizeof name);
  tsm_error_set(h->out_error, TSM_ERR_ARGUMENT, "%s: %s%s%s", name, what, param ? " " : "", param ? param : "");
  if (h->out_error) tsm_text_fit(h->out_error->op, sizeof h->out_error->op, name, strlen(name));
  return TSM_ERR_ARGUMENT;
}

static tsm_status refuse_kind(host_call *h, const tsm_param *param, tsm_pair value) {
  char expected[128], name[64];
  name_op(h->op, name, sizeof name);
  if (tsm_has_stopped(h->ctx)) return tsm_context_report(h->ctx, name, h->out_error); /* while its elements were looked at */
  bool is_element = param->type->kind == TSM_T_VAR;
  if (is_element) tsm_text_fit(expected, sizeof expected, "of the elements' kind", 21);
  else tsm_type_text(param->type, expected, sizeof expected);
  bool is_container = tsm_tag_is_ref(value.tag) && value.tag == tsm_type_tag(param->type) && value.tag != TSM_TENSOR;
  tsm_text got;
  tsm_text_init(&got, h->ctx->rt);
  tsm_text_type_name(&got, value);
  tsm_text_add(&got, "", 1);
  tsm_error_set(h->out_error, TSM_ERR_ARGUMENT, "%s: argument '%s' must be %s, not %s%s", name, param->name, expected,
                got.failed ? "another kind" : got.bytes,
                is_container ? " with those elements" : "");
  if (h->out_error) tsm_text_fit(h->out_error->op, sizeof h->out_error->op, name, strlen(name));
  tsm_text_free(&got);
  return TSM_ERR_ARGUMENT;
}

static bool bind(host_call *h, const tsm_type *variable, tsm_layout layout, const tsm_type *type, uint8_t kind) {
  if (variable->kind != TSM_T_VAR || variable->id >= MAX_VARIABLES) return true;
  binding *b = &h->variables[variable->id];
  if (b->is_bound) return b->layout == layout && (b->type == type || !b->type || !type);
  *b = (binding){true, layout, type, kind};
  return true;
}

static bool bind_argument(host_call *h, const tsm_type *type, tsm_pair value) {
  uint8_t kind = (uint8_t)(value.tag & 255u);
  const tsm_object *o = tsm_tag_is_ref(value.tag) ? value.as.ref : NULL;
  if (type->kind == TSM_T_LIST && kind == TSM_LIST)
    return bind(h, type->members[0], (tsm_layout)o->layout, tsm_object_member_type(o, 0), o->type ? 0 : o->layout2);
  if (type->kind == TSM_T_DICT && kind == TSM_DICT)
    return bind(h, type->members[0], (tsm_layout)o->layout, tsm_object_member_type(o, 0), 0) &&
           bind(h, type->members[1], (tsm_layout)o->layout2, tsm_object_member_type(o, 1), 0);
  if ((type->kind == TSM_T_SET && kind == TSM_SET) || (type->kind == TSM_T_FROZENSET && kind == TSM_FROZENSET))
    return bind(h, type->members[0], (tsm_layout)o->layout, tsm_object_member_type(o, 0), 0);
  if (type->kind == TSM_T_TUPLE && type->is_variadic) return bind(h, type->members[0], TSM_L_PAIR, NULL, 0);
  return true;
}

static tsm_layout bound_layout(const host_call *h, const tsm_type *type) {
  if (type->kind == TSM_T_VAR && h->variables[type->id].is_bound) return h->variables[type->id].layout;
  if (type->kind == TSM_T_OPTIONAL && type->members[0]->kind == TSM_T_VAR)
    return bound_layout(h, type->members[0]) == TSM_L_REF ? TSM_L_REF : TSM_L_PAIR;
  return (tsm_layout)type->layout;
}

static bool is_fit(const host_call *h, const tsm_type *type, tsm_pair value) {
  if (type->kind != TSM_T_VAR) return tsm_value_fits(h->ctx, type, value);
  const binding *b = &h->variables[type->id];
  return !b->is_bound || tsm_element_fits(h->ctx, b->layout, b->type, b->kind, value);
}

static bool is_meta(tsm_pair value) {
  if (value.tag == TSM_TENSOR) return value.as.tensor->storage->flags & TSM_ST_META;
  if (value.tag != TSM_LIST || value.as.ref->layout != TSM_L_REF) return false;
  const tsm_list *l = (const tsm_list *)value.as.ref;
  for (int64_t i = 0; i < l->length; i++) {
    const tsm_object *o = l->as.ref[i];
    if (o && o->kind != TSM_TENSOR) return false; /* nor is any other */
    if (o && (((const tsm_tensor *)o)->storage->flags & TSM_ST_META)) return true;
  }
  return false;
}

static tsm_slot *next_register(host_call *h, size_t number, tsm_layout layout) {
  h->site->regs[number] = (uint16_t)h->slot_count;
  tsm_slot *slot = &h->slots[h->slot_count];
  slot[0].bits = slot[1].bits = 0;
  h->slot_count += layout == TSM_L_PAIR ? 2 : 1;
  return slot;
}

static tsm_status put_argument(host_call *h, size_t i, const tsm_value *args, size_t count, bool allow_meta) {
  const tsm_param *param = &h->op->schema.params[i];
  tsm_layout layout = bound_layout(h, param->type);
  tsm_slot *slot = next_register(h, i, layout);
  if (i >= count) {
    tsm_status status = tsm_param_default(h->ctx->heap, param, slot);
    if (status == TSM_ERR_ARGUMENT) return refuse(h, "missing argument", param->name);
    if (status != TSM_OK) return tsm_error_set(h->out_error, status, "%s", tsm_status_text(status));
    h->owned |= (uint64_t)1 << i;
    return TSM_OK;
  }
  tsm_pair value = tsm_pair_of_value(args[i]);
  if (!is_fit(h, param->type, value)) return refuse_kind(h, param, value);
  if (!allow_meta && is_meta(value)) return refuse(h, "a tensor without memory was given as argument", param->name);
  tsm_pair_to_slot(layout, value, slot);
  return TSM_OK;
}

static tsm_status put_arguments(host_call *h, const tsm_value *args, size_t count, bool allow_meta) {
  const tsm_schema *schema = &h->op->schema;
  if (count > schema->param_count) return refuse(h, "too many arguments", NULL);
  for (size_t i = 0; i < count; i++) {
    if (!tsm_value_is_whole(args[i])) return refuse(h, "not a value: argument", schema->params[i].name);
    if (!bind_argument(h, schema->params[i].type, tsm_pair_of_value(args[i])))
      return refuse(h, "the containers hold different kinds of elements: argument", schema->params[i].name);
  }
  for (size_t i = 0; i < schema->param_count; i++) {
    tsm_status status = put_argument(h, i, args, count, allow_meta);
    if (status != TSM_OK) return status;
  }
  for (size_t i = 0; i < schema->result_count; i++)
    next_register(h, schema->param_count + i, bound_layout(h, schema->results[i]));
  return TSM_OK;
}

static void drop_defaults(host_call *h) {
  for (size_t i = 0; i < h->op->schema.param_count; i++)
    if (h->owned >> i & 1)
      tsm_slot_unref(bound_layout(h, h->op->schema.params[i].type), &h->slots[h->site->regs[i]]);
}

static tsm_pair result_pair(const host_call *h, size_t i) {
  const tsm_schema *schema = &h->op->schema;
  const tsm_type *type = schema->results[i];
  const tsm_type *named = type->kind == TSM_T_VAR ? h->variables[type->id].type : type;
  const tsm_slot *slot = &h->slots[h->site->regs[schema->param_count + i]];
  return tsm_pair_from_layout(bound_layout(h, type), named, slot);
}

/* Of an operator that gave `status`: the results become the host's, or go if it failed or one cannot be copied. */
static tsm_status take_results(host_call *h, tsm_status status, tsm_value *out_results) {
  const bool is_good = status == TSM_OK;
  size_t given = 0;
  for (size_t i = 0; i < h->op->schema.result_count; i++) {
    tsm_pair p = result_pair(h, i);
    if (status == TSM_OK) {
      status = tsm_pair_export(h->ctx->rt, p, &out_results[i]);
      given += status == TSM_OK;
    }
    tsm_pair_unref(p);
  }
  if (is_good && status != TSM_OK) {
    tsm_release_all(out_results, given);
    tsm_error_set(h->out_error, status, "%s", tsm_status_text(status));
  }
  return status;
}

/* Starts a call: site must have room for all registers. */
static void begin(host_call *h, tsm_context *ctx, size_t op, tsm_site *site, tsm_error *out_error) {
  memset(h->variables, 0, sizeof h->variables);
  h->ctx = ctx;
  h->op = &ctx->rt->ops->ops[op];
  h->out_error = out_error;
  h->slot_count = 0;
  h->owned = 0;
  h->site = site;
  site->op = h->op;
  site->result_types = NULL;
  site->dies = 0;
  site->free_layout = false;
  site->arg_count = h->op->schema.param_count;
  site->result_count = h->op->schema.result_count;
  tsm_context_clear(ctx);
}

static tsm_status finish(host_call *h, tsm_status status, tsm_value *out_results) {
  const bool is_good = status == TSM_OK;
  status = take_results(h, status, out_results);
  if (!is_good) {
    char name[64];
    name_op(h->op, name, sizeof name);
    if (h->ctx->status == TSM_OK) h->ctx->status = status;
    status = tsm_context_report(h->ctx, name, h->out_error);
  }
  drop_defaults(h);
  return status;
}

/* A site on the stack: memory without a declared type, with room for every register. */
#define STACK_SITE() \
  ((tsm_site *)__builtin_alloca(sizeof(tsm_site) + (TSM_MAX_PARAMS + TSM_MAX_RESULTS) * sizeof(uint16_t)))

static tsm_status check_number(const tsm_context *ctx, size_t op, tsm_error *out_error) {
  if (op < ctx->rt->ops->count) return TSM_OK;
  return tsm_error_set(out_error, TSM_ERR_OPERATOR, "there is no operator number %zu", op);
}

tsm_status tsm_op_call(tsm_context *context, size_t op, const tsm_value *args, size_t count, tsm_value *out_results,
                       tsm_error *out_error) {
  host_call h;
  tsm_status status = check_number(context, op, out_error);
  if (status != TSM_OK) return status;
  tsm_float_mode host_mode;
  tsm_lane *lane = tsm_lane_enter(context->rt);
  tsm_float_enter(&host_mode);
  begin(&h, context, op, STACK_SITE(), out_error);
  status = put_arguments(&h, args, count, (h.op->traits & TSM_TRAIT(META)) != 0);
  if (status == TSM_OK) {
    tsm_opcall call = {context, h.slots, h.site, NULL};
    tsm_pool *pool = tsm_pool_enter(context->rt, NULL);
    status = tsm_op_run(&call);
    tsm_pool_leave(context->rt, pool, NULL);
    status = finish(&h, status, out_results);
  } else {
    drop_defaults(&h);
  }
  tsm_float_leave(&host_mode);
  tsm_lane_leave(context->rt, lane);
  return status;
}

/* Results of an operator with a shape rule, as tensors without memory. */
static tsm_status infer_results(host_call *h, tsm_opcall *call) {
  tsm_meta metas[TSM_MAX_RESULTS];
  tsm_status status = h->op->infer(call, metas);
  for (size_t i = 0; i < h->op->schema.result_count && status == TSM_OK; i++) {
    tsm_value made;
    status = tsm_tensor_meta(h->ctx->rt, (tsm_dtype)metas[i].dtype, metas[i].rank, metas[i].shape, &made);
    if (status == TSM_OK) tsm_return_ref(call, i, made.as.ref);
  }
  return status;
}

static tsm_status infer(tsm_context *context, size_t op, const tsm_value *args, size_t count, tsm_value *out_results,
                        tsm_error *out_error) {
  host_call h;
  tsm_status status = TSM_OK;
  begin(&h, context, op, STACK_SITE(), out_error);
  bool is_inplace = (h.op->traits & TSM_TRAIT(INPLACE)) != 0;
  if (!h.op->infer && !is_inplace && !(h.op->traits & TSM_TRAIT(META)))
    status = refuse(&h, "what it gives is only known by running it", NULL);
  if (status == TSM_OK) status = put_arguments(&h, args, count, true);
  if (status != TSM_OK) {
    if (h.slot_count) drop_defaults(&h);
    return status;
  }
  tsm_opcall call = {context, h.slots, h.site, NULL};
  status = check_dtypes(&call);
  if (status != TSM_OK) {
  } else if (h.op->infer) {
    status = infer_results(&h, &call);
  } else if (is_inplace) {
    tsm_object *self = tsm_arg(&call, 0)->ref;
    tsm_ref(self);
    tsm_return_ref(&call, 0, self);
  } else {
    status = h.op->kernel(&call);
  }
  return finish(&h, status, out_results);
}

tsm_status tsm_op_infer(tsm_context *context, size_t op, const tsm_value *args, size_t count, tsm_value *out_results,
                        tsm_error *out_error) {
  tsm_float_mode host_mode;
  tsm_status status = check_number(context, op, out_error);
  if (status != TSM_OK) return status;
  tsm_float_enter(&host_mode);
  status = infer(context, op, args, count, out_results, out_error);
  tsm_float_leave(&host_mode);
  return status;
}
