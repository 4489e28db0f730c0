/* context.c - the pending error of running code: raised, caught, reported.
 * Holds: at most one error is pending; its status is in ctx->status until it is cleared. */
#include <stdarg.h>
#include <stdio.h>

#include "context.h"

void tsm_context_init(tsm_context *ctx, tsm_runtime *rt, tsm_heap *heap) {
  memset(ctx, 0, sizeof *ctx);
  ctx->rt = rt;
  ctx->heap = heap;
  ctx->error_type = "";
  ctx->element_cost = 1;
  atomic_init(&ctx->cancelled, false);
  tsm_streams_init(&ctx->own_streams, 0);
  ctx->streams = &rt->streams;
}

void tsm_context_own_streams(tsm_context *ctx, uint64_t seed) {
  tsm_streams_seed(&ctx->own_streams, seed);
  ctx->streams = &ctx->own_streams;
}

void tsm_context_clear(tsm_context *ctx) {
  if (ctx->exception) tsm_unref(&ctx->exception->head);
  ctx->exception = NULL;
  ctx->status = TSM_OK;
  ctx->error_type = "";
  ctx->message_length = 0;
  ctx->fallback[0] = 0;
  if (ctx->message) ctx->message[0] = 0;
}

void tsm_context_close(tsm_context *ctx) {
  tsm_context_clear(ctx);
  tsm_pair_unref(ctx->handled);
  ctx->handled = (tsm_pair){0};
  tsm_free(ctx->rt, ctx->message, ctx->message_capacity);
  tsm_free(ctx->rt, ctx->shown, ctx->shown_capacity * sizeof *ctx->shown);
  ctx->message = NULL;
  ctx->message_capacity = 0;
  ctx->shown = NULL;
  ctx->shown_count = ctx->shown_capacity = 0;
}

tsm_status tsm_context_poll(tsm_context *ctx) {
  ctx->unpolled = -TSM_POLL_UNITS;
  if (!ctx->rt->poll || !ctx->rt->poll(ctx->rt->poll_user)) return TSM_OK;
  return ctx->status = TSM_ERR_CANCELLED;
}

/* ---- Parallel work that is paid for */

typedef struct paid_pieces {
  tsm_task_fn task;
  void *user;
  int64_t first;
} paid_pieces;

static void run_paid(void *user, size_t worker, int64_t begin, int64_t end) {
  const paid_pieces *p = user;
  p->task(p->user, worker, p->first + begin, p->first + end);
}

tsm_status tsm_parallel_paid(tsm_context *ctx, int64_t count, int64_t elements, double nanoseconds, tsm_task_fn task,
                             void *user) {
  enum { STRETCH = 1 << 23 };
  const int64_t most = STRETCH / ctx->element_cost / (elements + 1) + 1;
  paid_pieces p = {task, user, 0};
  for (; p.first < count; p.first += most) {
    const int64_t now = count - p.first < most ? count - p.first : most;
    tsm_status status = tsm_charge_work(ctx, now, elements);
    if (status != TSM_OK) return status;
    tsm_parallel(ctx->rt, now, nanoseconds, run_paid, &p);
  }
  return TSM_OK;
}

tsm_status tsm_context_show(tsm_context *ctx, const void *object, bool *out_is_new) {
  *out_is_new = false;
  for (size_t i = 0; i < ctx->shown_count && object; i++) if (ctx->shown[i] == object) return TSM_OK;
  if (ctx->shown_count == ctx->shown_capacity) {
    size_t capacity = ctx->shown_capacity * 2 + 8, size = sizeof *ctx->shown;
    const void **moved = tsm_realloc(ctx->rt, ctx->shown, ctx->shown_capacity * size, capacity * size);
    if (!moved) return tsm_out_of_memory(ctx);
    ctx->shown = moved;
    ctx->shown_capacity = capacity;
  }
  ctx->shown[ctx->shown_count++] = object;
  *out_is_new = true;
  return TSM_OK;
}

/* Room for a message of this length and its zero; false when out of memory. */
static bool reserve_message(tsm_context *ctx, size_t length) {
  if (length < ctx->message_capacity) return true;
  size_t capacity = length + 64;
  char *moved = tsm_realloc(ctx->rt, ctx->message, ctx->message_capacity, capacity);
  if (!moved) return false;
  ctx->message = moved;
  ctx->message_capacity = capacity;
  return true;
}

/* A trap stays what it is: what fails after it fails because of it. */
static tsm_noted begin(tsm_context *ctx, tsm_status status, const char *type) {
  if (tsm_has_stopped(ctx)) return ctx->status;
  tsm_context_clear(ctx);
  ctx->error_type = type;
  return ctx->status = status;
}

tsm_noted tsm_raise_text(tsm_context *ctx, const char *type, const char *message, size_t length) {
  if (begin(ctx, TSM_ERR_RAISED, type) != TSM_ERR_RAISED || !tsm_pay(ctx, (int64_t)length, 2)) return ctx->status;
  if (reserve_message(ctx, length)) {
    if (length) memcpy(ctx->message, message, length);
    ctx->message[length] = 0;
    ctx->message_length = length;
  } else {
    tsm_text_fit(ctx->fallback, sizeof ctx->fallback, message, length);
  }
  return TSM_ERR_RAISED;
}

tsm_noted tsm_raise(tsm_context *ctx, const char *type, const char *format, ...) {
  char text[256];
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (length < 0) length = 0;
  if ((size_t)length < sizeof text) {
    va_end(again);
    return tsm_raise_text(ctx, type, text, (size_t)length);
  }
  if (begin(ctx, TSM_ERR_RAISED, type) != TSM_ERR_RAISED || !tsm_pay(ctx, length, 4)) {
    va_end(again);
    return ctx->status;
  }
  if (reserve_message(ctx, (size_t)length)) {
    vsnprintf(ctx->message, (size_t)length + 1, format, again);
    ctx->message_length = (size_t)length;
  } else {
    tsm_text_fit(ctx->fallback, sizeof ctx->fallback, text, sizeof text - 1);
  }
  va_end(again);
  return TSM_ERR_RAISED;
}

tsm_noted tsm_raise_exception(tsm_context *ctx, tsm_exception *e) {
  if (begin(ctx, TSM_ERR_RAISED, "") != TSM_ERR_RAISED) {
    tsm_unref(&e->head);
    return ctx->status;
  }
  ctx->exception = e;
  ctx->error_type = e->name->bytes;
  return TSM_ERR_RAISED;
}

tsm_noted tsm_out_of_memory(tsm_context *ctx) { return begin(ctx, TSM_ERR_MEMORY, ""); }

const char *tsm_context_message(const tsm_context *ctx, size_t *out_length) {
  if (ctx->exception) {
    *out_length = ctx->exception->message->length;
    return ctx->exception->message->bytes;
  }
  bool is_full = ctx->message_length > 0;
  *out_length = is_full ? ctx->message_length : strlen(ctx->fallback);
  return is_full ? ctx->message : ctx->fallback;
}

tsm_exception *tsm_context_catch(tsm_context *ctx) {
  tsm_exception *e = ctx->exception;
  ctx->exception = NULL;
  if (!e) {
    size_t length;
    const char *message = tsm_context_message(ctx, &length);
    tsm_str *name = tsm_str_new(ctx->heap, ctx->error_type, strlen(ctx->error_type));
    e = tsm_exception_make(ctx->heap, name, tsm_str_new(ctx->heap, message, length));
  }
  if (e) tsm_context_clear(ctx);
  else tsm_out_of_memory(ctx);
  return e;
}

tsm_status tsm_context_report(tsm_context *ctx, const char *op, tsm_error *out_error) {
  tsm_status status = ctx->status;
  if (out_error) {
    size_t length;
    const char *message = tsm_context_message(ctx, &length);
    if (status != TSM_ERR_RAISED && !length) {
      message = tsm_status_text(status);
      length = strlen(message);
    }
    memset(out_error, 0, sizeof *out_error);
    out_error->code = status;
    tsm_text_fit(out_error->type, sizeof out_error->type, ctx->error_type, tsm_exception_name_length(ctx->error_type));
    tsm_text_fit(out_error->op, sizeof out_error->op, op, strlen(op));
    tsm_text_fit(out_error->message, sizeof out_error->message, message, length);
  }
  tsm_context_clear(ctx);
  return status;
}
