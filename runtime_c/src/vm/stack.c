/* stack.c - growing, unwinding and describing the frames of an instance.
 * In: frames as the VM left them when something failed. Out: the handler to go on at, or a trace for the host.
 * Holds: areas one and two of a frame own what they hold, so unwinding needs no map. */
#include "stack.h"

enum { FIRST_SLOTS = 256, FIRST_FRAMES = 16, MAX_STACK_SLOTS = 1 << 26, TRACE_MAX = 65536, TRACE_KEPT = 8192 };

struct tsm_stack *tsm_stack_of(tsm_instance *instance) {
  if (instance->stack) return instance->stack;
  struct tsm_stack *stack = tsm_alloc_zeroed(instance->ctx.rt, sizeof *stack);
  if (stack) tsm_text_init(&stack->trace, instance->ctx.rt);
  return instance->stack = stack;
}

void tsm_stack_free(tsm_instance *instance) {
  struct tsm_stack *stack = instance->stack;
  if (!stack) return;
  tsm_runtime *rt = instance->ctx.rt;
  if (stack->caught) tsm_unref(&stack->caught->head);
  tsm_adopted_release(instance, true);
  tsm_free(rt, stack->adopted, stack->adopted_capacity * sizeof *stack->adopted);
  tsm_text_free(&stack->trace);
  tsm_free(rt, stack->slots, stack->slot_capacity * sizeof *stack->slots);
  tsm_free(rt, stack->frames, stack->frame_capacity * sizeof *stack->frames);
  tsm_free(rt, stack, sizeof *stack);
  instance->stack = NULL;
}

static bool grow_slots(tsm_runtime *rt, struct tsm_stack *stack, size_t needed) {
  size_t capacity = stack->slot_capacity ? stack->slot_capacity : FIRST_SLOTS;
  while (capacity < needed) capacity *= 2;
  tsm_slot *moved = tsm_realloc(rt, stack->slots, stack->slot_capacity * sizeof *moved, capacity * sizeof *moved);
  if (!moved) return false;
  stack->slots = moved;
  stack->slot_capacity = capacity;
  return true;
}

static bool grow_frames(tsm_runtime *rt, struct tsm_stack *stack) {
  uint32_t capacity = stack->frame_capacity ? 2 * stack->frame_capacity : FIRST_FRAMES;
  tsm_frame *moved = tsm_realloc(rt, stack->frames, stack->frame_capacity * sizeof *moved, capacity * sizeof *moved);
  if (!moved) return false;
  stack->frames = moved;
  stack->frame_capacity = capacity;
  stack->frame_limit = capacity < rt->recursion_cap ? capacity : rt->recursion_cap;
  return true;
}

tsm_status tsm_stack_reserve(tsm_context *ctx, struct tsm_stack *stack, size_t base, size_t slots) {
  if (stack->depth >= ctx->rt->recursion_cap || base + slots > MAX_STACK_SLOTS)
    return tsm_raise(ctx, "RecursionError", "maximum recursion depth exceeded");
  if (base + slots > stack->slot_capacity && !grow_slots(ctx->rt, stack, base + slots)) return tsm_out_of_memory(ctx);
  if (stack->depth == stack->frame_capacity && !grow_frames(ctx->rt, stack)) return tsm_out_of_memory(ctx);
  return TSM_OK;
}

void tsm_stack_pop(struct tsm_stack *stack) {
  const tsm_frame *frame = &stack->frames[--stack->depth];
  tsm_slot *slots = &stack->slots[frame->base];
  const tsm_plan *plan = frame->plan;
  for (uint32_t i = 0; i < plan->ref_count; i++) tsm_unref_maybe(slots[i].ref);
  for (uint32_t i = plan->ref_count; i < plan->scalar_base; i += 2)
    tsm_pair_unref((tsm_pair){slots[i].bits, slots[i + 1]});
}

/* ---- Where */

const tsm_location *tsm_frame_location(const tsm_frame *frame) {
  const tsm_plan *plan = frame->plan;
  uint32_t node = tsm_mark_find(plan->nodes, plan->node_mark_count, (uint32_t)(frame->pc - plan->code), 0);
  return plan->function->locations && node < plan->function->node_count ? plan->function->locations[node] : NULL;
}

static bool is_raised_again(const tsm_context *ctx, const struct tsm_stack *stack) {
  return stack->caught && ctx->exception == stack->caught;
}

static void add_caught(struct tsm_stack *stack, const tsm_location *where) {
  if (stack->caught_count == TSM_CAUGHT_DEPTH) { /* the innermost ones tell most */
    memmove(stack->caught_at, stack->caught_at + 1, (TSM_CAUGHT_DEPTH - 1) * sizeof *stack->caught_at);
    stack->caught_count--;
  }
  stack->caught_at[stack->caught_count++] = where;
}

/* Remembers the way from frame `first` to where the pending exception came from. */
static void remember_way(const tsm_context *ctx, struct tsm_stack *stack, uint32_t first) {
  const tsm_location *before[TSM_CAUGHT_DEPTH];
  uint32_t count = is_raised_again(ctx, stack) ? stack->caught_count : 0, top = stack->depth - (count > 0);
  memcpy(before, stack->caught_at, count * sizeof *before);
  stack->caught_count = 0;
  uint32_t start = top > first + TSM_CAUGHT_DEPTH ? top - TSM_CAUGHT_DEPTH : first;
  for (uint32_t i = start; i < top; i++) add_caught(stack, tsm_frame_location(&stack->frames[i]));
  for (uint32_t i = 0; i < count; i++) add_caught(stack, before[i]);
}

static uint32_t handler_of(const tsm_frame *frame) {
  const tsm_plan *plan = frame->plan;
  uint32_t pc = (uint32_t)(frame->pc - plan->code);
  return tsm_mark_find(plan->ranges, plan->range_count, pc, TSM_NO_HANDLER);
}

bool tsm_stack_catch(tsm_context *ctx, struct tsm_stack *stack) {
  uint32_t depth = stack->depth, found = TSM_NO_HANDLER;
  while (depth && (found = handler_of(&stack->frames[depth - 1])) == TSM_NO_HANDLER) depth--;
  if (!depth) return false;
  remember_way(ctx, stack, depth - 1);
  tsm_exception *e = tsm_context_catch(ctx);
  if (!e) return false;
  tsm_exception *old = stack->caught;
  tsm_ref(&e->head);
  stack->caught = e;
  if (old) tsm_unref(&old->head);
  while (stack->depth > depth) tsm_stack_pop(stack);
  tsm_frame *frame = &stack->frames[depth - 1];
  const tsm_handler *handler = &frame->plan->handlers[found];
  tsm_slot *slot = &stack->slots[frame->base + handler->reg];
  tsm_object *was = slot->ref;
  slot->ref = &e->head;
  tsm_unref_maybe(was);
  frame->pc = frame->plan->code + handler->pc;
  return true;
}

/* ---- The trace */

typedef struct tracer { tsm_text *text; const tsm_location *last; uint32_t repeats; } tracer;

/* Only the end of a trace is shown, and a file chooses its names: memory and time stay bounded. */
static void forget_start(tsm_text *text) {
  if (text->length < TRACE_MAX) return;
  char *end = text->bytes + text->length, *kept = memchr(end - TRACE_KEPT, '\n', TRACE_KEPT);
  kept = kept ? kept + 1 : end;
  text->length = (size_t)(end - kept);
  memmove(text->bytes, kept, text->length);
}

/* Not part of trace_line, whose frames add up. */
__attribute__((noinline)) static void write_line(tsm_text *text, const tsm_location *where) {
  char file[256], function[256];
  tsm_text_fit(file, sizeof file, where->file, strlen(where->file));
  tsm_text_fit(function, sizeof function, where->function, strlen(where->function));
  tsm_text_format(text, "  File \"%s\", line %u, in %s\n", file, where->line, function);
  forget_start(text);
}

static void trace_line(tsm_text *text, const tsm_location *where) {
  if (where->inlined_at) trace_line(text, where->inlined_at);
  write_line(text, where);
}

static void end_repeats(tracer *t) {
  if (t->repeats > 2) tsm_text_format(t->text, "  [Previous line repeated %u more times]\n", t->repeats - 2);
  t->repeats = 0;
}

/* As CPython, a line is shown three times at most. */
static void trace(tracer *t, const tsm_location *where) {
  if (!where) return;
  if (where == t->last) {
    if (++t->repeats > 2) return;
  } else {
    end_repeats(t);
    t->last = where;
  }
  trace_line(t->text, where);
}

static void name_operator(const tsm_context *ctx, struct tsm_stack *stack, const uint64_t *pc) {
  const tsm_op *op = tsm_word_op(*pc) == TSM_C_OP ? ((const tsm_site *)tsm_word_pointer(pc[1]))->op
                                                  : tsm_opcode_operator(ctx->rt->ops, tsm_word_op(*pc));
  if (!op) return;
  size_t length = strlen(op->name);
  tsm_text_fit(stack->op, sizeof stack->op, op->name, length);
  if (!*op->overload || length + 2 > sizeof stack->op) return;
  stack->op[length] = '.';
  tsm_text_fit(stack->op + length + 1, sizeof stack->op - length - 1, op->overload, strlen(op->overload));
}

void tsm_stack_trace(tsm_context *ctx, struct tsm_stack *stack) {
  tracer t = {&stack->trace, NULL, 0};
  bool is_again = is_raised_again(ctx, stack);
  for (uint32_t i = 0; i + is_again < stack->depth; i++) trace(&t, tsm_frame_location(&stack->frames[i]));
  for (uint32_t i = 0; is_again && i < stack->caught_count; i++) trace(&t, stack->caught_at[i]);
  end_repeats(&t);
  stack->where = t.last;
  if (stack->depth) name_operator(ctx, stack, stack->frames[stack->depth - 1].pc);
}
