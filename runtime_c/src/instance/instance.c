/* instance.c - the life of an instance, and the switches a host may turn.
 * In: a program, or another instance. Out: an instance that keeps its program alive. */
#include "clone.h"
#include "vm/stack.h"

static tsm_instance *instance_alloc(tsm_program *program, tsm_error *out_error) {
  if (out_error) memset(out_error, 0, sizeof *out_error);
  if (!program) {
    tsm_error_set(out_error, TSM_ERR_ARGUMENT, "the program is NULL");
    return NULL;
  }
  tsm_instance *instance = tsm_alloc_zeroed(program->rt, sizeof *instance);
  if (!instance) {
    tsm_error_set(out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
    return NULL;
  }
  tsm_context_init(&instance->ctx, program->rt, NULL);
  instance->program = program;
  tsm_program_retain(program);
  return instance;
}

/* For an instance whose state is closed. */
static void instance_discard(tsm_instance *instance) {
  tsm_program *program = instance->program;
  tsm_context_close(&instance->ctx);
  tsm_free(program->rt, instance, sizeof *instance);
  tsm_program_free(program);
}

tsm_instance *tsm_instance_new(tsm_program *program, tsm_error *out_error) {
  tsm_instance *instance = instance_alloc(program, out_error);
  if (!instance) return NULL;
  if (tsm_state_init(instance, out_error) == TSM_OK) return instance;
  instance_discard(instance);
  return NULL;
}

void tsm_instance_free(tsm_instance *instance) {
  if (!instance) return;
  if (tsm_instance_is_running(instance)) { /* a hook of the running call let go: the call's end frees it */
    instance->is_doomed = true;
    return;
  }
  tsm_stack_free(instance);
  tsm_context_clear(&instance->ctx);
  tsm_state_close(instance);
  instance_discard(instance);
}

static tsm_status refuse_running(const tsm_instance *instance, tsm_error *out_error) {
  if (!tsm_instance_is_running(instance)) return TSM_OK;
  return tsm_error_set(out_error, TSM_ERR_ARGUMENT, "the instance is running a call");
}

tsm_instance *tsm_instance_clone(tsm_instance *instance, tsm_error *out_error) {
  if (refuse_running(instance, out_error) != TSM_OK) return NULL;
  tsm_instance *copy = instance_alloc(instance->program, out_error);
  if (!copy) return NULL;
  if (tsm_state_clone(instance, copy, out_error) != TSM_OK) {
    instance_discard(copy);
    return NULL;
  }
  uint64_t streams[4];
  if (tsm_instance_random(instance, streams)) tsm_instance_set_random(copy, streams);
  copy->fuel_per_call = instance->fuel_per_call;
  return copy;
}

tsm_status tsm_instance_reset(tsm_instance *instance, tsm_error *out_error) {
  if (refuse_running(instance, out_error) != TSM_OK) return TSM_ERR_ARGUMENT;
  tsm_instance *fresh = tsm_instance_new(instance->program, out_error);
  if (!fresh) return out_error ? out_error->code : TSM_ERR_MEMORY;
  tsm_context_clear(&instance->ctx);
  tsm_stack_free(instance);
  tsm_state_close(instance);
  instance->root = fresh->root;
  instance->tensors = fresh->tensors;
  instance->storages = fresh->storages;
  instance->constants = fresh->constants;
  instance->runs = fresh->runs;
  instance->ctx.heap = fresh->ctx.heap;
  uint64_t streams[4];
  if (tsm_instance_random(instance, streams)) tsm_instance_seed(instance, streams[0]);
  fresh->root = NULL;
  instance_discard(fresh);
  return TSM_OK;
}

void tsm_instance_set_fuel(tsm_instance *instance, uint64_t fuel) {
  instance->fuel_per_call = fuel > INT64_MAX ? INT64_MAX : fuel;
}

uint64_t tsm_instance_fuel_used(const tsm_instance *instance) {
  return instance->ctx.has_fuel ? instance->fuel_per_call - (uint64_t)instance->ctx.fuel : 0;
}

void tsm_instance_cancel(tsm_instance *instance) {
  atomic_store_explicit(&instance->ctx.cancelled, true, memory_order_relaxed);
}

void tsm_instance_seed(tsm_instance *instance, uint64_t seed) {
  tsm_context_own_streams(&instance->ctx, seed);
}

bool tsm_instance_random(tsm_instance *instance, uint64_t out_state[4]) {
  tsm_streams *own = &instance->ctx.own_streams;
  memset(out_state, 0, 4 * sizeof *out_state);
  if (instance->ctx.streams != own) return false;
  tsm_random_get(&own->tensors, &out_state[0], &out_state[1]);
  tsm_random_get(&own->python, &out_state[2], &out_state[3]);
  return true;
}

void tsm_instance_set_random(tsm_instance *instance, const uint64_t state[4]) {
  tsm_streams *own = &instance->ctx.own_streams;
  instance->ctx.streams = state ? own : &instance->program->rt->streams;
  if (!state) return;
  tsm_random_set(&own->tensors, state[0], state[1]);
  tsm_random_set(&own->python, state[2], state[3]);
}

tsm_program *tsm_instance_program(const tsm_instance *instance) { return instance->program; }

const char *tsm_exception_parts(tsm_value exception, tsm_value *out_args, tsm_value *out_attributes) {
  const tsm_exception *e = exception.kind == TSM_EXCEPTION ? (const tsm_exception *)exception.as.ref : NULL;
  *out_args = *out_attributes = tsm_none();
  if (!e) return NULL;
  out_args->kind = e->args ? TSM_TUPLE : TSM_STR;
  out_args->as.ref = e->args ? &e->args->head : &e->message->head;
  tsm_retain(*out_args);
  if (e->fields) {
    out_attributes->kind = TSM_TUPLE;
    out_attributes->as.ref = &e->fields->head;
    tsm_retain(*out_attributes);
  }
  return e->name->bytes;
}

const char *tsm_instance_exception(const tsm_instance *instance, tsm_value *out_args, tsm_value *out_attributes) {
  tsm_value raised = {.kind = TSM_EXCEPTION, .as.ref = (void *)instance->ctx.exception};
  return tsm_exception_parts(raised, out_args, out_attributes);
}

const char *tsm_instance_message(const tsm_instance *instance, size_t *out_length) {
  size_t length;
  const char *text = tsm_context_message(&instance->ctx, &length);
  if (out_length) *out_length = length;
  return text;
}
