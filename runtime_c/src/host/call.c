/* call.c - calls from the host: arguments by position and by name, results, errors.
 * In: a method and tagged values. Out: a tagged result, or the host's error with Python's words and lines.
 * Holds: arguments are borrowed from the host; an instance runs one call at a time; nothing is allocated for a call
 * with few parameters once the stack has its size. */
#include <stdio.h>

#include "base/floatmode.h"
#include "base/pool.h"
#include "vm/stack.h"

enum { FEW = 16, NAME_LIST = 400 };

typedef struct binding {
  tsm_instance *instance;
  const tsm_method *method;
  const tsm_value **given;  /* one a parameter, NULL: not given */
  tsm_slot *slots;          /* two a parameter and two for self, filled from the front */
  size_t filled;            /* parameters of the function that have their slots */
  tsm_error *out_error;
} binding;

static tsm_status type_error(binding *b, const char *text) {
  tsm_error_set(b->out_error, TSM_ERR_ARGUMENT, "%s() %s", b->method->info.name, text);
  if (b->out_error) tsm_text_fit(b->out_error->type, sizeof b->out_error->type, "TypeError", 9);
  return TSM_ERR_ARGUMENT;
}

/* ---- Which argument is which */

static tsm_status too_many(binding *b, size_t given) {
  const tsm_method_info *m = &b->method->info;
  size_t self = b->method->has_self, most = self, least = self;
  for (size_t i = 0; i < m->param_count; i++) {
    if (m->params[i].keyword_only) continue;
    most++;
    least += !m->params[i].has_default;
  }
  char takes[48], text[128];
  if (least == most) snprintf(takes, sizeof takes, "%zu", most);
  else snprintf(takes, sizeof takes, "from %zu to %zu", least, most);
  given += self;
  snprintf(text, sizeof text, "takes %s positional argument%s but %zu %s given", takes,
           least == most && most == 1 ? "" : "s", given, given == 1 ? "was" : "were");
  return type_error(b, text);
}

static tsm_status named_error(binding *b, const char *before, const char *name, const char *after) {
  char text[256];
  snprintf(text, sizeof text, "%s'%.100s'%s", before, name, after);
  return type_error(b, text);
}

static tsm_status bind_name(binding *b, const char *name, const tsm_value *value) {
  const tsm_method_info *m = &b->method->info;
  for (size_t i = 0; i < m->param_count; i++) {
    if (strcmp(m->params[i].name, name) != 0) continue;
    if (b->given[i]) return named_error(b, "got multiple values for argument ", name, "");
    b->given[i] = value;
    return TSM_OK;
  }
  return named_error(b, "got an unexpected keyword argument ", name, "");
}

static bool is_missing(const binding *b, size_t i, bool keyword_only) {
  const tsm_param_info *p = &b->method->info.params[i];
  return !b->given[i] && !p->has_default && p->keyword_only == keyword_only;
}

/* "'x'", "'x' and 'y'", "'x', 'y', and 'z'" */
static tsm_status missing(binding *b, size_t count, bool keyword_only) {
  char names[NAME_LIST] = "", text[NAME_LIST + 80];
  size_t seen = 0, length = 0;
  for (size_t i = 0; i < b->method->info.param_count && length + 120 < sizeof names; i++) {
    if (!is_missing(b, i, keyword_only)) continue;
    const char *before = !seen ? "" : seen + 1 < count ? ", " : count == 2 ? " and " : ", and ";
    int n = snprintf(names + length, sizeof names - length, "%s'%.80s'", before, b->method->info.params[i].name);
    length += n > 0 ? (size_t)n : 0;
    seen++;
  }
  snprintf(text, sizeof text, "missing %zu required %s argument%s: %s", count,
           keyword_only ? "keyword-only" : "positional", count == 1 ? "" : "s", names);
  return type_error(b, text);
}

static tsm_status bind_arguments(binding *b, const tsm_value *args, size_t count, const char *const *names,
                                 size_t named) {
  const tsm_method_info *m = &b->method->info;
  if (named > count) return type_error(b, "was given more names than arguments");
  size_t positional = count - named, most = 0;
  while (most < m->param_count && !m->params[most].keyword_only) most++;
  if (positional > most) return too_many(b, positional);
  for (size_t i = 0; i < positional; i++) b->given[i] = &args[i];
  for (size_t i = 0; i < named; i++) {
    tsm_status status = bind_name(b, names[i], &args[positional + i]);
    if (status != TSM_OK) return status;
  }
  for (int keyword_only = 0; keyword_only < 2; keyword_only++) {
    size_t absent = 0;
    for (size_t i = 0; i < m->param_count; i++) absent += is_missing(b, i, keyword_only);
    if (absent) return missing(b, absent, keyword_only);
  }
  return TSM_OK;
}

/* ---- Slots */

static const tsm_type *param_type(const binding *b, size_t i) { return b->method->function->value_types[i]; }

static tsm_status fill_default(binding *b, const tsm_type *type, const tsm_pair *value, tsm_slot *slot) {
  tsm_pair p = *value;
  bool is_object = p.tag == TSM_TENSOR || (tsm_tag_is_ref(p.tag) && p.as.ref);
  if (p.tag == TSM_TENSOR) p.as.tensor = tsm_instance_tensor(b->instance, (uint32_t)p.as.i);
  else if (is_object) p.as.ref = tsm_instance_constant(b->instance, (uint32_t)(value - b->instance->program->constants));
  if (is_object && !p.as.ref) return tsm_out_of_memory(&b->instance->ctx);
  tsm_pair_ref(p);
  tsm_pair_to_slot((tsm_layout)type->layout, p, slot);
  return TSM_OK;
}

static tsm_status fill_given(binding *b, size_t i, const tsm_type *type, tsm_slot *slot) {
  const tsm_value *value = b->given[i];
  if (type->kind == TSM_T_INT && value->kind == TSM_INT) {
    slot->i = value->as.i;
    return TSM_OK;
  }
  tsm_context *ctx = &b->instance->ctx;
  tsm_status status = tsm_slot_from_value(ctx, type, *value, NULL, slot);
  if (TSM_LIKELY(status != TSM_ERR_ARGUMENT)) return status;
  char what[200];
  snprintf(what, sizeof what, "%.90s() argument '%.80s'", b->method->info.name, b->method->info.params[i].name);
  return tsm_slot_from_value(ctx, type, *value, what, slot);
}

static tsm_status fill_slots(binding *b) {
  tsm_slot *slot = b->slots;
  size_t self = b->method->has_self;
  if (self) {
    tsm_ref(b->instance->root);
    (slot++)->ref = b->instance->root;
    b->filled = 1;
  }
  for (size_t i = 0; i < b->method->info.param_count; i++) {
    const tsm_type *type = param_type(b, i + self);
    tsm_status status = b->given[i] ? fill_given(b, i, type, slot)
                                    : fill_default(b, type, b->method->defaults[i], slot);
    if (status != TSM_OK) return status;
    slot += type->width;
    b->filled++;
  }
  return TSM_OK;
}

static void release_slots(binding *b) {
  const tsm_slot *slot = b->slots;
  for (size_t i = 0; i < b->filled; i++) {
    const tsm_type *type = param_type(b, i);
    tsm_slot_unref((tsm_layout)type->layout, slot);
    slot += type->width;
  }
}

/* ---- The call */

/* The pending error becomes the host's; its message stays readable until the next call. */
static tsm_noted report(tsm_instance *instance, tsm_status status, tsm_error *out_error) {
  tsm_context *ctx = &instance->ctx;
  const struct tsm_stack *stack = instance->stack;
  if (out_error) {
    size_t length;
    const char *message = tsm_instance_message(instance, &length);
    tsm_error_set(out_error, status, "%s", status == TSM_ERR_RAISED ? "" : tsm_status_text(status));
    if (length) tsm_text_fit(out_error->message, sizeof out_error->message, message, length);
    tsm_text_fit(out_error->type, sizeof out_error->type, ctx->error_type, tsm_exception_name_length(ctx->error_type));
    if (stack) {
      tsm_text_fit(out_error->op, sizeof out_error->op, stack->op, strlen(stack->op));
      const char *trace = stack->trace.bytes;
      size_t size = stack->trace.length;
      while (trace && size >= sizeof out_error->trace) { /* the innermost lines tell most */
        const char *next = memchr(trace, '\n', size);
        size_t cut = next ? (size_t)(next - trace) + 1 : size;
        trace += cut;
        size -= cut;
      }
      if (trace) tsm_text_fit(out_error->trace, sizeof out_error->trace, trace, size);
      if (stack->where) {
        tsm_text_fit(out_error->file, sizeof out_error->file, stack->where->file, strlen(stack->where->file));
        out_error->line = (int32_t)stack->where->line;
        out_error->column = (int32_t)stack->where->column;
      }
    }
  }
  ctx->status = TSM_OK;
  ctx->error_type = "";
  return status; /* the exception object stays, for tsm_instance_exception */
}

static void forget_last_error(tsm_instance *instance) {
  tsm_context_clear(&instance->ctx);
  struct tsm_stack *stack = instance->stack;
  if (!stack) return;
  stack->where = NULL;
  stack->op[0] = 0;
  stack->trace.length = 0;
  stack->trace.failed = false;
}

static void prepare(tsm_instance *instance) {
  tsm_context *ctx = &instance->ctx;
  forget_last_error(instance);
  ctx->has_fuel = instance->fuel_per_call != 0;
  ctx->fuel = (int64_t)instance->fuel_per_call;
  ctx->shown_count = 0;
  tsm_pair_unref(ctx->handled); /* of a call that was cut short */
  ctx->handled = (tsm_pair){0};
  ctx->unpolled = -2 * TSM_POLL_UNITS; /* a short call does not get there */
  atomic_store_explicit(&ctx->cancelled, false, memory_order_relaxed);
}

/* A failed conversion is the caller's mistake: TSM_ERR_ARGUMENT with the class and text of the exception. */
static tsm_status report_conversion(binding *b, tsm_status status) {
  report(b->instance, status, b->out_error);
  if (status != TSM_ERR_RAISED) return status;
  if (b->out_error) b->out_error->code = TSM_ERR_ARGUMENT;
  return TSM_ERR_ARGUMENT;
}

static tsm_status run_bound(binding *b, tsm_value *out_result) {
  tsm_instance *instance = b->instance;
  const tsm_function *f = b->method->function;
  tsm_slot result[2];
  tsm_status status = fill_slots(b);
  if (status != TSM_OK) {
    release_slots(b);
    tsm_adopted_release(instance, false);
    return report_conversion(b, status);
  }
  tsm_run_record *record = &instance->runs[b->method - instance->program->methods];
  tsm_pool *pool = tsm_pool_enter(instance->ctx.rt, record);
  status = tsm_vm_run(instance, f, b->slots, result);
  tsm_pool_leave(instance->ctx.rt, pool, record);
  if (status == TSM_OK) {
    status = tsm_value_from_slot(instance->ctx.rt, f->result, result, out_result);
    tsm_slot_unref((tsm_layout)f->result->layout, result);
    if (status != TSM_OK) tsm_out_of_memory(&instance->ctx);
  }
  release_slots(b);
  tsm_adopted_release(instance, false);
  if (status != TSM_OK) report(instance, status, b->out_error);
  tsm_heap_tidy(instance->ctx.heap);
  return status;
}

/* Numbers in, one out, and a plan that holds and calls nothing else: then a call needs neither lane nor pool. */
static bool fill_numbers(const tsm_method *m, const tsm_value *args, size_t count, tsm_slot *slots) {
  const tsm_function *f = m->function;
  if (!f->plan->is_alone || count != m->info.param_count || count > FEW || m->has_self) return false;
  if (count && m->info.params[count - 1].keyword_only) return false;
  for (size_t i = 0; i < count; i++) {
    uint8_t kind = f->value_types[i]->kind;
    bool is_fit = (kind == TSM_T_INT && args[i].kind == TSM_INT) || (kind == TSM_T_FLOAT && args[i].kind == TSM_FLOAT);
    if (!is_fit) return false;
    slots[i].i = args[i].as.i;
  }
  return true;
}

static tsm_status call_numbers(tsm_instance *instance, const tsm_method *m, const tsm_slot *slots,
                               tsm_value *out_result, tsm_error *out_error) {
  tsm_slot result[2];
  prepare(instance);
  tsm_status status = tsm_vm_run(instance, m->function, slots, result);
  if (TSM_UNLIKELY(status != TSM_OK)) {
    report(instance, status, out_error);
    return status;
  }
  return tsm_value_from_slot(instance->ctx.rt, m->function->result, result, out_result);
}

static tsm_status call_with_room(binding *b, const tsm_value *args, size_t count, const char *const *names,
                                 size_t named, tsm_value *out_result) {
  tsm_status status = bind_arguments(b, args, count, names, named);
  return status == TSM_OK ? run_bound(b, out_result) : status;
}

static tsm_status call_method(tsm_instance *instance, const tsm_method *m, const tsm_value *args, size_t count,
                              const char *const *names, size_t named, tsm_value *out_result, tsm_error *out_error) {
  if (m->has_self && !instance->root)
    return tsm_error_set(out_error, TSM_ERR_ARGUMENT, "%s() needs a module, but the instance has none", m->info.name);
  prepare(instance);
  size_t params = m->info.param_count;
  if (params <= FEW) {
    const tsm_value *given[FEW] = {NULL};
    tsm_slot slots[2 * FEW + 2];
    binding b = {instance, m, given, slots, 0, out_error};
    return call_with_room(&b, args, count, names, named, out_result);
  }
  size_t room = params * sizeof(tsm_value *) + (2 * params + 2) * sizeof(tsm_slot);
  tsm_slot *slots = tsm_alloc_zeroed(instance->ctx.rt, room);
  if (!slots) return tsm_error_set(out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
  binding b = {instance, m, (const tsm_value **)(void *)(slots + 2 * params + 2), slots, 0, out_error};
  tsm_status status = call_with_room(&b, args, count, names, named, out_result);
  tsm_free(instance->ctx.rt, slots, room);
  return status;
}

tsm_status tsm_call_method(tsm_instance *instance, size_t method, const tsm_value *args, size_t count,
                           const char *const *names, size_t named, tsm_value *out_result, tsm_error *out_error) {
  const tsm_program *program = instance->program;
  tsm_slot slots[FEW];
  tsm_status status;
  *out_result = tsm_none();
  if (method >= program->method_count) return tsm_error_set(out_error, TSM_ERR_NOT_FOUND, "there is no such method");
  if (tsm_instance_is_running(instance))
    return tsm_error_set(out_error, TSM_ERR_ARGUMENT, "the instance is already running a call");
  const tsm_method *m = &program->methods[method];
  tsm_float_mode host_mode;
  tsm_float_enter(&host_mode);
  if (!named && fill_numbers(m, args, count, slots)) {
    status = call_numbers(instance, m, slots, out_result, out_error);
  } else {
    tsm_lane *lane = tsm_lane_enter(instance->ctx.rt);
    status = call_method(instance, m, args, count, names, named, out_result, out_error);
    tsm_lane_leave(instance->ctx.rt, lane);
  }
  tsm_float_leave(&host_mode);
  if (TSM_UNLIKELY(instance->is_doomed) && !tsm_instance_is_running(instance)) tsm_instance_free(instance);
  return status;
}

tsm_status tsm_call(tsm_instance *instance, const char *method, const tsm_value *args, size_t count,
                    tsm_value *out_result, tsm_error *out_error) {
  int32_t index = tsm_program_find(instance->program, method);
  if (index >= 0) return tsm_call_method(instance, (size_t)index, args, count, NULL, 0, out_result, out_error);
  *out_result = tsm_none();
  return tsm_error_set(out_error, TSM_ERR_NOT_FOUND, "there is no method '%.200s'", method);
}
