/* host_ops.c - calls of functions of the host, and exceptions that these raise.
 * In: arguments as a list of Any. Out: the host's result at the declared type. Holds: the host may change what it is
 * given, but cannot run the instance that calls it, so that no frame moves. */
#include <stdio.h>

#include "containers.h"
#include "host/hostvalue.h"
#include "vm/stack.h"

/* The host's value at the type, into result 0; `value` stays the caller's. */
static tsm_status give_result(tsm_opcall *c, const tsm_type *type, tsm_value value, const char *name) {
  struct tsm_stack *stack = tsm_stack_of((tsm_instance *)c->ctx);
  size_t known = stack ? stack->adopted_count : 0;
  tsm_slot slots[2];
  char what[160];
  snprintf(what, sizeof what, "the result of '%.120s'", name);
  tsm_status status = tsm_slot_from_value(c->ctx, type, value, what, slots);
  /* The host gives these away: they keep the program's type for as long as anything holds them. */
  for (; stack && known < stack->adopted_count; known++) stack->adopted[known].refs = 0;
  return status == TSM_OK ? tsm_return_value(c, (tsm_layout)type->layout, tsm_pair_from_slot(type, slots)) : status;
}

static tsm_status call_host(tsm_opcall *c, const tsm_host_function *f, const tsm_type *type, const tsm_list *list,
                            tsm_value *args) {
  tsm_context *ctx = c->ctx;
  size_t count = 0;
  tsm_status status = TSM_OK;
  while (count < (size_t)list->length && status == TSM_OK) {
    status = tsm_pair_export(ctx->rt, tsm_list_peek(list, (int64_t)count), &args[count]);
    if (status == TSM_OK) count++;
    else tsm_out_of_memory(ctx);
  }
  tsm_value result = tsm_none();
  if (status == TSM_OK) {
    status = f->call(f->user, (tsm_instance *)ctx, args, count, type, &result);
    if (status == TSM_OK) tsm_context_clear(ctx);
    else if (status == TSM_ERR_MEMORY) tsm_out_of_memory(ctx);
    else if (status == TSM_ERR_CANCELLED) ctx->status = status;
    else if (ctx->status != TSM_ERR_RAISED) tsm_raise(ctx, "RuntimeError", "'%.100s' of the host failed", f->name);
    status = ctx->status;
  }
  if (status == TSM_OK) status = give_result(c, type, result, f->name);
  tsm_release(result);
  tsm_release_all(args, count);
  return status;
}

tsm_status tsm_k_host_call(tsm_opcall *c) {
  const char *name = tsm_arg_str(c, 0)->bytes;
  const tsm_type *type = tsm_result_type(c, 0);
  if (!type) return tsm_raise(c->ctx, "RuntimeError", "only a program can call a function of its host");
  const tsm_host_function *f = tsm_program_host_function(((tsm_instance *)c->ctx)->program, name);
  if (!f) return tsm_raise(c->ctx, "RuntimeError", "the host gave no function '%.100s'", name);
  const tsm_list *list = tsm_arg_list(c, 1);
  size_t size = ((size_t)list->length + 1) * sizeof(tsm_value);
  tsm_value *args = tsm_alloc(c->ctx->rt, size);
  if (!args) return tsm_out_of_memory(c->ctx);
  tsm_status status = call_host(c, f, type, list, args);
  tsm_free(c->ctx->rt, args, size);
  return status;
}

tsm_status tsm_instance_raise(tsm_instance *instance, const char *type, const tsm_value *args, size_t count) {
  tsm_context *ctx = &instance->ctx;
  tsm_str *name = tsm_str_new(ctx->heap, type, strlen(type));
  tsm_tuple *items = name ? tsm_tuple_make(ctx->heap, (int64_t)count, NULL) : NULL;
  tsm_status status = items ? TSM_OK : tsm_out_of_memory(ctx);
  for (size_t i = 0; i < count && status == TSM_OK; i++) {
    tsm_pair p = tsm_pair_of_value(args[i]);
    status = tsm_value_is_whole(args[i]) ? tsm_check_plain(ctx, p)
                                         : tsm_raise(ctx, "TypeError", "an argument is not a valid value");
    if (status != TSM_OK) break;
    tsm_pair_ref(p);
    items->items[i] = p;
  }
  tsm_exception *e = status == TSM_OK ? tsm_exception_with(ctx, name, items, NULL) : NULL;
  if (e) status = tsm_raise_exception(ctx, e);
  else if (status == TSM_OK) status = ctx->status;
  if (items) tsm_unref(&items->head);
  if (name) tsm_unref(&name->head);
  return status;
}
