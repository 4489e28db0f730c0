/* exception_ops.c - kernels on exceptions: making them, their classes, messages, arguments and attributes. */
#include "containers.h"

/* A text as a str; frees the text. */
static tsm_status finish_text(tsm_context *ctx, tsm_text *text, tsm_str **out) {
  tsm_status status = text->failed ? tsm_text_raise(ctx, text) : TSM_OK;
  if (status == TSM_OK) status = tsm_charge_elements(ctx, (int64_t)text->length);
  *out = status == TSM_OK ? tsm_str_new(ctx->heap, text->length ? text->bytes : "", text->length) : NULL;
  tsm_text_free(text);
  return status != TSM_OK ? status : *out ? TSM_OK : tsm_out_of_memory(ctx);
}

/* What str() of an exception with these arguments gives. */
static tsm_status message_of(tsm_context *ctx, const char *name, tsm_tuple *args, tsm_str **out) {
  tsm_text text;
  tsm_text_init(&text, ctx->rt);
  text.heap = ctx->heap;
  text.ctx = ctx;
  tsm_text_args(&text, name, args);
  return finish_text(ctx, &text, out);
}

tsm_exception *tsm_exception_with(tsm_context *ctx, tsm_str *name, tsm_tuple *args, tsm_tuple *fields) {
  tsm_str *message = NULL;
  bool has_text = fields && fields->length > 1 && fields->items[0].tag == TSM_STR && fields->items[1].tag == TSM_STR &&
                  strcmp(((const tsm_str *)fields->items[0].as.ref)->bytes, "__str__") == 0;
  if (has_text) tsm_ref((message = (tsm_str *)fields->items[1].as.ref, &message->head));
  else if (message_of(ctx, name->bytes, args, &message) != TSM_OK) return NULL;
  tsm_ref(&name->head);
  tsm_exception *e = tsm_exception_make(ctx->heap, name, message);
  if (!e) {
    tsm_out_of_memory(ctx);
    return NULL;
  }
  tsm_ref(&args->head);
  if (fields) tsm_ref(&fields->head);
  e->args = args;
  e->fields = fields;
  return e;
}

/* A tuple that an exception keeps, NULL for all else. */
static tsm_tuple *kept_tuple(const tsm_opcall *c, size_t i) {
  tsm_pair given = tsm_arg_pair(c, i);
  return given.tag == TSM_TUPLE ? (tsm_tuple *)given.as.ref : NULL;
}

tsm_status tsm_k_exception_make(tsm_opcall *c) {
  tsm_tuple *args = kept_tuple(c, 1);
  if (!args) return tsm_raise(c->ctx, "TypeError", "an exception's arguments are a tuple");
  if (!tsm_pay_bytes(c->ctx, tsm_arg_str(c, 0)->length)) return c->ctx->status; /* bases are looked for in it */
  tsm_exception *e = tsm_exception_with(c->ctx, tsm_arg_str(c, 0), args, kept_tuple(c, 2));
  return e ? tsm_return_object(c, e) : c->ctx->status;
}

static const tsm_exception *exception_of(const tsm_opcall *c) { return (const tsm_exception *)tsm_arg(c, 0)->ref; }

tsm_status tsm_k_exception_args(tsm_opcall *c) {
  const tsm_exception *e = exception_of(c);
  if (e->args) {
    tsm_ref(&e->args->head);
    return tsm_return_object(c, e->args);
  }
  bool has_one = e->message->length > 0;
  tsm_tuple *args = tsm_tuple_make(c->ctx->heap, has_one, NULL);
  if (!args) return tsm_out_of_memory(c->ctx);
  if (has_one) {
    tsm_ref(&e->message->head);
    args->items[0] = (tsm_pair){TSM_STR, {.ref = &e->message->head}};
  }
  return tsm_return_object(c, args);
}

/* The value of the attribute that the second argument names; NULL if there is none. */
static tsm_pair *attribute_of(const tsm_opcall *c) {
  const tsm_exception *e = exception_of(c);
  const tsm_str *wanted = tsm_arg_str(c, 1);
  for (int64_t i = 0; e->fields && i + 1 < e->fields->length && tsm_pay(c->ctx, 1, TSM_COST_ITEM); i += 2) {
    const tsm_str *name = e->fields->items[i].tag == TSM_STR ? (const tsm_str *)e->fields->items[i].as.ref : NULL;
    if (name && name->length == wanted->length &&
        tsm_bytes_match(c->ctx, name->bytes, wanted->bytes, wanted->length))
      return &e->fields->items[i + 1];
  }
  return NULL;
}

tsm_status tsm_k_exception_attribute(tsm_opcall *c) {
  const tsm_pair *found = attribute_of(c);
  if (found) {
    tsm_pair_ref(*found);
    return tsm_return_value(c, TSM_L_PAIR, *found);
  }
  const char *name = exception_of(c)->name->bytes;
  return tsm_raise(c->ctx, "AttributeError", "'%.*s' object has no attribute '%s'",
                   (int)tsm_exception_name_length(name), name, tsm_arg_str(c, 1)->bytes);
}

tsm_status tsm_k_exception_set(tsm_opcall *c) {
  tsm_exception *e = (tsm_exception *)tsm_arg(c, 0)->ref;
  tsm_pair *found = attribute_of(c), value = tsm_arg_pair(c, 2);
  if (tsm_has_stopped(c->ctx)) return c->ctx->status;
  if (!found) {
    int64_t length = e->fields ? e->fields->length : 0;
    if (!tsm_pay(c->ctx, length, TSM_COST_ITEM)) return c->ctx->status;
    tsm_tuple *fields = tsm_tuple_make(c->ctx->heap, length + 2, NULL);
    if (!fields) return tsm_out_of_memory(c->ctx);
    for (int64_t i = 0; i < length; i++) {
      fields->items[i] = e->fields->items[i];
      tsm_pair_ref(fields->items[i]);
    }
    fields->items[length] = (tsm_pair){TSM_STR, {.ref = &tsm_arg_str(c, 1)->head}};
    tsm_pair_ref(fields->items[length]);
    found = &fields->items[length + 1];
    if (e->fields) tsm_unref(&e->fields->head);
    e->fields = fields;
  }
  tsm_pair old = *found;
  tsm_pair_ref(value);
  *found = value;
  tsm_pair_unref(old);
  return TSM_OK;
}

tsm_status tsm_k_exception_handle(tsm_opcall *c) {
  tsm_pair old = c->ctx->handled;
  c->ctx->handled = tsm_arg_pair(c, 0);
  tsm_pair_ref(c->ctx->handled);
  return tsm_return_value(c, TSM_L_PAIR, old);
}

tsm_status tsm_k_exception_class(tsm_opcall *c) {
  const char *name = exception_of(c)->name->bytes;
  return tsm_return_object(c, tsm_str_new(c->ctx->heap, name, tsm_exception_name_length(name)));
}

tsm_status tsm_k_exception_new(tsm_opcall *c) {
  tsm_str *name = tsm_arg_str(c, 0), *message = tsm_arg_str(c, 1);
  tsm_ref(&name->head);
  tsm_ref(&message->head);
  return tsm_return_object(c, tsm_exception_make(c->ctx->heap, name, message));
}

/* X(name, its base) of the builtin exception classes; those that are not listed derive from Exception. The root, which
 * has no base, is the first. */
#define BUILTINS(X) \
  X(BaseException, BaseException) X(Exception, BaseException) X(KeyboardInterrupt, BaseException)                   \
  X(SystemExit, BaseException) X(GeneratorExit, BaseException) X(ArithmeticError, Exception)                        \
  X(ZeroDivisionError, ArithmeticError) X(OverflowError, ArithmeticError) X(FloatingPointError, ArithmeticError)    \
  X(LookupError, Exception) X(IndexError, LookupError) X(KeyError, LookupError) X(NameError, Exception)             \
  X(UnboundLocalError, NameError) X(RuntimeError, Exception) X(NotImplementedError, RuntimeError)                   \
  X(RecursionError, RuntimeError) X(ValueError, Exception) X(UnicodeError, ValueError)                              \
  X(UnicodeEncodeError, UnicodeError) X(UnicodeDecodeError, UnicodeError) X(UnicodeTranslateError, UnicodeError)    \
  X(ImportError, Exception) X(ModuleNotFoundError, ImportError) X(OSError, Exception) X(FileNotFoundError, OSError) \
  X(FileExistsError, OSError) X(PermissionError, OSError) X(TimeoutError, OSError) X(IsADirectoryError, OSError)    \
  X(NotADirectoryError, OSError) X(InterruptedError, OSError) X(ChildProcessError, OSError)                         \
  X(ProcessLookupError, OSError) X(BlockingIOError, OSError) X(ConnectionError, OSError)                            \
  X(BrokenPipeError, ConnectionError) X(ConnectionAbortedError, ConnectionError)                                    \
  X(ConnectionRefusedError, ConnectionError) X(ConnectionResetError, ConnectionError) X(SyntaxError, Exception)     \
  X(IndentationError, SyntaxError) X(TabError, IndentationError) X(Warning, Exception) X(UserWarning, Warning)      \
  X(DeprecationWarning, Warning) X(PendingDeprecationWarning, Warning) X(SyntaxWarning, Warning)                    \
  X(RuntimeWarning, Warning) X(FutureWarning, Warning) X(ImportWarning, Warning) X(UnicodeWarning, Warning)         \
  X(BytesWarning, Warning) X(ResourceWarning, Warning) X(EncodingWarning, Warning)

enum {
#define NUMBER(name, base) CLASS_##name,
  BUILTINS(NUMBER)
#undef NUMBER
};

static const char *base_of(const char *name) {
  static const struct { char name[27]; uint8_t base; } classes[] = {
#define ROW(name, base) {#name, CLASS_##base},
    BUILTINS(ROW)
#undef ROW
  };
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strcmp(classes[i].name, name) == 0) return i ? classes[classes[i].base].name : "";
  return "Exception";
}

static bool is_same_class(const char *a, const char *b) {
  if (strcmp(a, b) == 0) return true;
  bool is_os = strcmp(a, "IOError") == 0 || strcmp(a, "EnvironmentError") == 0; /* other names of OSError */
  return strcmp(is_os ? "OSError" : a, b) == 0;
}

/* One of a user's own classes: the part of a class's text up to the next base. */
static bool is_part(const char *part, size_t length, const tsm_str *wanted) {
  return wanted->length == length && memcmp(part, wanted->bytes, length) == 0;
}

tsm_status tsm_k_exception_matches(tsm_opcall *c) {
  const tsm_exception *e = (const tsm_exception *)tsm_arg(c, 0)->ref;
  const tsm_str *wanted = tsm_arg_str(c, 1);
  const char *name = e->name->bytes;
  bool is_match = false;
  if (!tsm_pay(c->ctx, (int64_t)e->name->length + wanted->length, 1)) return c->ctx->status;
  for (const char *end; !is_match && (end = strchr(name, '<')) != NULL; name = end + 1)
    is_match = is_part(name, (size_t)(end - name), wanted);
  for (; *name && !is_match; name = base_of(name)) is_match = is_same_class(wanted->bytes, name);
  return tsm_return_bool(c, is_match);
}

tsm_status tsm_k_exception_message(tsm_opcall *c) {
  tsm_text text;
  tsm_text_init(&text, c->ctx->rt);
  text.heap = c->ctx->heap;
  text.ctx = c->ctx;
  tsm_text_str(&text, (tsm_pair){TSM_EXCEPTION, {.ref = tsm_arg(c, 0)->ref}});
  tsm_str *message = NULL;
  tsm_status status = finish_text(c->ctx, &text, &message);
  return status == TSM_OK ? tsm_return_object(c, message) : status;
}
