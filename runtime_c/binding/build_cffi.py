"""Makes the cffi builder of `tsm.binding._tsm` from tsm.h, the one declaration of the C API.

In: the text of tsm.h. Out: declarations as cffi reads them, and an extension source with a few C shims.
Holds: nothing is declared twice. `declarations` drops what cffi cannot read (preprocessor lines, static inline
functions, `extern "C"`, TSM_API, comments) and expands the one X-macro list, the statuses.
"""

from __future__ import annotations

import re
from pathlib import Path

import cffi

# Host callbacks, implemented in library.py.
CALLBACKS = """
extern "Python" void tsm_py_print(void *user, const char *text, size_t length);
extern "Python" void tsm_py_print_error(void *user, const char *text, size_t length);
extern "Python" bool tsm_py_warn(void *user, const tsm_warning *warning);
extern "Python" void tsm_py_dropped(void *user);
extern "Python" bool tsm_py_signals(void *user);
extern "Python" tsm_status tsm_py_host(void *user, tsm_instance *instance, const tsm_value *args, size_t count,
                                       const tsm_type *result, tsm_value *out_result);
extern "Python" bool tsm_py_write(void *user, const void *bytes, size_t length);
"""

# Python holds a counted object as its address: an int is much cheaper to keep and pass than a cffi structure.
SHIM_DECLARATIONS = """
typedef struct { unsigned long long thread; int64_t last; } tsm_py_poll_state;
bool tsm_py_poll(void *user);
void tsm_py_retain(uintptr_t ref, uint32_t kind);
void tsm_py_release(uintptr_t ref, uint32_t kind);
void tsm_py_tensor_facts(uintptr_t ref, int64_t *out);
uintptr_t tsm_py_tensor_data(uintptr_t ref);
uintptr_t tsm_py_tensor_data_mut(uintptr_t ref);
uintptr_t tsm_py_tensor_storage(uintptr_t ref, size_t *out_bytes);
tsm_value tsm_py_value(uintptr_t ref, uint32_t kind);
tsm_status tsm_py_list_fill(tsm_value list, size_t length, const void *elements);
uintptr_t tsm_py_borrow(tsm_runtime *runtime, uintptr_t object);
bool tsm_py_make_call(tsm_runtime *runtime, tsm_instance *instance, size_t method, tsm_value *args, size_t count,
                      size_t index, tsm_value *result, tsm_error *error, uintptr_t list);
bool tsm_py_make_quick(tsm_runtime *runtime, tsm_instance *instance, size_t method, const char *codes, size_t count,
                       bool is_mutating, tsm_error *error, uintptr_t list);
bool tsm_py_make_function(bool is_drop, uintptr_t list);
bool tsm_py_make_lists(tsm_runtime *runtime, bool is_tensors, uintptr_t list);
const char *tsm_py_op_spellings(size_t index);
const char *tsm_py_op_doc(size_t index);
const char *tsm_py_op_grad(size_t index);
"""

SHIMS = """
#include <string.h>
#include <time.h>
#include "tsm.h"

/* For tsm_py_poll: the number of Python's main thread, which alone handles signals, and when it last looked. */
typedef struct { unsigned long long thread; int64_t last; } tsm_py_poll_state;
static bool tsm_py_signals(void *user);

/* The runtime's poll: lets Python handle signals, 50 times a second at most; true if a handler raised. */
static bool tsm_py_poll(void *user) {
  tsm_py_poll_state *state = user;
  struct timespec now;
  if (state->thread != PyThread_get_thread_ident() || clock_gettime(CLOCK_MONOTONIC, &now)) return false;
  int64_t time = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
  if (time - state->last < 20) return false;
  state->last = time;
  return tsm_py_signals(user);
}

static tsm_value tsm_py_value(uintptr_t ref, uint32_t kind) {
  tsm_value v;
  v.kind = kind;
  v.type = 0;
  v.as.i = 0;
  v.as.ref = (tsm_object *)ref;
  return v;
}
static void tsm_py_retain(uintptr_t ref, uint32_t kind) { tsm_retain(tsm_py_value(ref, kind)); }
static void tsm_py_release(uintptr_t ref, uint32_t kind) { tsm_release(tsm_py_value(ref, kind)); }

/* dtype, rank, numel, offset, is contiguous, then extents, then strides. */
static void tsm_py_tensor_facts(uintptr_t ref, int64_t *out) {
  tsm_value v = tsm_py_value(ref, TSM_TENSOR);
  size_t rank = tsm_tensor_rank(v);
  out[0] = (int64_t)tsm_tensor_dtype(v);
  out[1] = (int64_t)rank;
  out[2] = tsm_tensor_numel(v);
  out[3] = tsm_tensor_offset(v);
  out[4] = tsm_tensor_is_contiguous(v);
  if (!rank) return;
  memcpy(out + 5, tsm_tensor_shape(v), rank * sizeof *out);
  memcpy(out + 5 + rank, tsm_tensor_strides(v), rank * sizeof *out);
}
static uintptr_t tsm_py_tensor_data(uintptr_t ref) { return (uintptr_t)tsm_tensor_data(tsm_py_value(ref, TSM_TENSOR)); }
static uintptr_t tsm_py_tensor_data_mut(uintptr_t ref) {
  return (uintptr_t)tsm_tensor_data_mut(tsm_py_value(ref, TSM_TENSOR));
}
static uintptr_t tsm_py_tensor_storage(uintptr_t ref, size_t *out_bytes) {
  return (uintptr_t)tsm_tensor_storage(tsm_py_value(ref, TSM_TENSOR), out_bytes);
}

/* Fills a new list of int, float or bool from an array of its elements. */
static tsm_status tsm_py_list_fill(tsm_value list, size_t length, const void *elements) {
  tsm_status status = tsm_list_resize(list, length);
  if (status != TSM_OK || !length) return status;
  if (tsm_list_ints(list)) memcpy(tsm_list_ints(list), elements, length * sizeof(int64_t));
  else if (tsm_list_floats(list)) memcpy(tsm_list_floats(list), elements, length * sizeof(double));
  else if (tsm_list_bools(list)) memcpy(tsm_list_bools(list), elements, length);
  else return TSM_ERR_ARGUMENT;
  return TSM_OK;
}
"""


def declarations(header: str) -> str:
    """The declarations of tsm.h that cffi can read, in their order."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    statuses = re.findall(r"\bX\((TSM_\w+),", text)
    text = text.replace("TSM_STATUS_LIST(TSM_STATUS_ENUM_)", "".join(f"{name}, " for name in statuses))
    text = re.sub(r'#ifdef __cplusplus\n.*?#endif', "", text, flags=re.DOTALL)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"static inline [^{]*\{(?:[^{}]|\{[^{}]*\})*\}", "", text)
    text = re.sub(r"\bTSM_(API|STATUS_ATTRIBUTE)\b\s*", "", text)
    return re.sub(r"\n\s*\n+", "\n", text).strip() + "\n"


def make_builder(header: Path) -> cffi.FFI:
    """The builder; call `emit_c_code(path)` on it."""
    builder = cffi.FFI()
    builder.cdef(declarations(header.read_text(encoding="utf-8")))
    builder.cdef(SHIM_DECLARATIONS + CALLBACKS)
    names = ("arrays.h", "calls.h", "lists.h", "rows.h")
    parts = [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names]
    builder.set_source("tsm.binding._tsm", SHIMS + "".join(parts))
    return builder
