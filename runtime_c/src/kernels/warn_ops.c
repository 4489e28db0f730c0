/* warn_ops.c - warnings: what the host's hook is told of them.
 * In: a text, an exception as its class, a level as of warnings.warn. Out: whether the host wants it raised.
 * Holds: the place is a line of the user's: the compiler's own functions are no callers, as CPython's in C are none. */
#include "kernels.h"
#include "vm/stack.h"

static bool is_own(const tsm_location *where) {
  return strncmp(where->file, "tsm/", 4) == 0 || strncmp(where->file, "<method ", 8) == 0;
}

typedef struct search { tsm_context *ctx; const tsm_location *found; int64_t level; } search;

/* Goes out from a place through what it is inlined in, past `level` - 1 lines of the user's. False when fuel ends. */
static bool go_out(search *s, const tsm_location *where) {
  for (; where && s->level; where = where->inlined_at) {
    if (!tsm_pay(s->ctx, 1, TSM_COST_STEP)) return false;
    if (is_own(where)) continue;
    s->found = where;
    s->level--;
  }
  return true;
}

static tsm_status find_place(const tsm_opcall *c, int64_t level, tsm_warning *warning) {
  tsm_instance *instance = (tsm_instance *)c->ctx;
  struct tsm_stack *stack = instance->stack;
  search s = {c->ctx, NULL, level};
  stack->frames[stack->depth - 1].pc = c->pc;
  for (uint32_t i = stack->depth; i-- && s.level;)
    if (!go_out(&s, tsm_frame_location(&stack->frames[i]))) return c->ctx->status;
  warning->instance = instance;
  warning->outside = (uint64_t)s.level;
  if (s.found) warning->file = s.found->file, warning->line = s.found->line;
  return TSM_OK;
}

static tsm_status tell(const tsm_opcall *c, const char *category, int64_t level, bool *out_is_fatal) {
  const tsm_runtime *rt = c->ctx->rt;
  const tsm_str *text = tsm_arg_str(c, 0);
  tsm_warning warning = {text->bytes, text->length, category, "", 0, (uint64_t)level, NULL};
  tsm_status status = c->pc ? find_place(c, level, &warning) : TSM_OK;
  *out_is_fatal = status == TSM_OK && rt->warn && rt->warn(rt->text_user, &warning);
  return status;
}

tsm_status tsm_k_warn_str(tsm_opcall *c) {
  const tsm_str *text = tsm_arg_str(c, 0);
  bool is_fatal;
  tsm_status status = tell(c, "UserWarning", 1, &is_fatal);
  return status == TSM_OK && is_fatal ? tsm_raise_text(c->ctx, "UserWarning", text->bytes, text->length) : status;
}

tsm_status tsm_k_warn_exception(tsm_opcall *c) {
  const tsm_exception *e = (const tsm_exception *)tsm_arg(c, 1)->ref;
  int64_t level = tsm_arg_int(c, 2);
  bool is_fatal;
  tsm_status status = tell(c, e->name->bytes, level < 1 ? 1 : level, &is_fatal);
  return status == TSM_OK ? tsm_return_bool(c, is_fatal) : status;
}
