/* arrays.h - NumPy arrays into tensors and tensors into NumPy arrays by Python's buffer protocol, for the cffi extension.
 * In: addresses of Python objects (cffi cannot pass the objects). Out: tensors over their memory, and exporters of a
 * tensor's memory. Holds: cffi calls run without the interpreter's lock, so each function takes it; whatever is unusual
 * (foreign byte order, odd strides, dtypes without a letter) is declined and left to tensor.py, which explains it. */
#include <Python.h>

static int tsm_py_dtype_of(const char *format, Py_ssize_t itemsize) {
  if (!format || !format[0] || format[1]) return -1;
  switch (format[0]) {
    case '?': return TSM_BOOL8;
    case 'B': return TSM_U8;
    case 'b': return TSM_I8;
    case 'h': return TSM_I16;
    case 'i': case 'l': case 'q': return itemsize == 4 ? TSM_I32 : itemsize == 8 ? TSM_I64 : -1;
    case 'f': return TSM_F32;
    case 'd': return TSM_F64;
    default: return -1;
  }
}

static const char *tsm_py_format_of(tsm_dtype dtype) {
  switch (dtype) {
    case TSM_BOOL8: return "?";
    case TSM_U8: return "B";
    case TSM_I8: return "b";
    case TSM_I16: return "h";
    case TSM_I32: return "i";
    case TSM_I64: return "q";
    case TSM_F32: return "f";
    case TSM_F64: return "d";
    default: return NULL;
  }
}

/* The runtime lets go of an array; from any thread, also after the interpreter has ended. */
static void tsm_py_let_go(void *object) {
  if (!Py_IsInitialized()) return;
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF((PyObject *)object);
  PyGILState_Release(state);
}

/* The array's own strides in bytes: a buffer's are made up where an extent is 0 or 1. */
static bool tsm_py_strides_of(PyObject *array, int rank, Py_ssize_t *out_strides) {
  PyObject *strides = PyObject_GetAttrString(array, "strides");
  bool is_read = strides && PyTuple_Check(strides) && PyTuple_GET_SIZE(strides) == rank;
  for (int i = 0; is_read && i < rank; i++) out_strides[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(strides, i));
  Py_XDECREF(strides);
  if (PyErr_Occurred()) PyErr_Clear();
  return is_read;
}

static bool tsm_py_borrow_view(tsm_runtime *runtime, PyObject *array, const Py_buffer *view, tsm_value *out_value) {
  int64_t shape[TSM_MAX_RANK], strides[TSM_MAX_RANK];
  int dtype = tsm_py_dtype_of(view->format, view->itemsize);
  uintptr_t address = (uintptr_t)view->buf;
  if (dtype < 0 || view->ndim > TSM_MAX_RANK || address % (uintptr_t)view->itemsize) return false;
  Py_ssize_t own[TSM_MAX_RANK];
  const Py_ssize_t *steps = view->strides;
  for (int i = 0; i < view->ndim; i++) {
    if (view->shape[i] < 2 && steps != own) {
      if (!tsm_py_strides_of(array, view->ndim, own)) return false;
      steps = own;
    }
  }
  for (int i = 0; i < view->ndim; i++) {
    if (steps[i] % view->itemsize) return false;
    shape[i] = view->shape[i];
    strides[i] = steps[i] / view->itemsize;
  }
  void *data = view->buf ? view->buf : (void *)64;
  if (tsm_tensor_borrow(runtime, (tsm_dtype)dtype, (size_t)view->ndim, shape, strides, data, !view->readonly,
                        tsm_py_let_go, array, out_value))
    return false;
  Py_INCREF(array);
  return true;
}

/* A new tensor over the memory of the array at `object`, which lives until the tensor lets go of it; 0: not this way. */
static uintptr_t tsm_py_borrow(tsm_runtime *runtime, uintptr_t object) {
  Py_buffer view;
  tsm_value tensor;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *array = (PyObject *)object;
  bool is_borrowed = false;
  if (PyObject_GetBuffer(array, &view, PyBUF_RECORDS_RO) == 0) {
    is_borrowed = tsm_py_borrow_view(runtime, array, &view, &tensor);
    PyBuffer_Release(&view);
  } else {
    PyErr_Clear();
  }
  PyGILState_Release(state);
  return is_borrowed ? (uintptr_t)tensor.as.ref : 0;
}

/* A call of a method whose other arguments are in `args` already. */
typedef struct {
  tsm_runtime *runtime;
  tsm_instance *instance;
  size_t method;
  tsm_value *args;
  size_t count, index;
  tsm_value *result;
  tsm_error *error;
} tsm_py_call;

/* The call with an array as argument `index`, borrowed for as long as the program needs it: its status as an int.
 * TSM_STATUS_COUNT: the array cannot be borrowed this way, and nothing was called. */
static PyObject *tsm_py_call_over(PyObject *self, PyObject *array) {
  tsm_py_call *call = PyCapsule_GetPointer(self, NULL);
  Py_buffer view;
  if (PyObject_GetBuffer(array, &view, PyBUF_RECORDS_RO)) {
    PyErr_Clear();
    return PyLong_FromLong(TSM_STATUS_COUNT);
  }
  bool is_borrowed = tsm_py_borrow_view(call->runtime, array, &view, &call->args[call->index]);
  PyBuffer_Release(&view);
  if (!is_borrowed) return PyLong_FromLong(TSM_STATUS_COUNT);
  tsm_status status;
  Py_BEGIN_ALLOW_THREADS
  status = tsm_call_method(call->instance, call->method, call->args, call->count, NULL, 0, call->result, call->error);
  Py_END_ALLOW_THREADS
  tsm_release(call->args[call->index]);
  return PyLong_FromLong((long)status);
}

static void tsm_py_call_free(PyObject *capsule) { PyMem_Free(PyCapsule_GetPointer(capsule, NULL)); }

/* Puts a new object into the list at `list`, as its first element; false, with no exception set: it is NULL. */
static bool tsm_py_give(PyObject *made, uintptr_t list) {
  bool is_made = made && PyList_SetItem((PyObject *)list, 0, made) == 0;
  if (!is_made) PyErr_Clear();
  return is_made;
}

static PyMethodDef tsm_py_call_def = {"call_over", tsm_py_call_over, METH_O, NULL};

/* Makes a Python function of an array (see tsm_py_call_over), which must not outlive what the pointers lead to: one of
 * the interpreter's own, because a call through cffi costs as much as a small program. */
static bool tsm_py_make_call(tsm_runtime *runtime, tsm_instance *instance, size_t method, tsm_value *args, size_t count,
                             size_t index, tsm_value *result, tsm_error *error, uintptr_t list) {
  PyGILState_STATE state = PyGILState_Ensure();
  tsm_py_call *call = PyMem_Malloc(sizeof *call);
  PyObject *capsule = call ? PyCapsule_New(call, NULL, tsm_py_call_free) : NULL;
  if (capsule) *call = (tsm_py_call){runtime, instance, method, args, count, index, result, error};
  else PyMem_Free(call);
  bool is_made = tsm_py_give(capsule ? PyCFunction_New(&tsm_py_call_def, capsule) : NULL, list);
  Py_XDECREF(capsule);
  PyGILState_Release(state);
  return is_made;
}

/* An object that owns a count of a tensor and exports its memory. */
typedef struct {
  PyObject_HEAD
  tsm_value value;
  void *data;
  bool is_read_only;
  Py_ssize_t shape[TSM_MAX_RANK], strides[TSM_MAX_RANK];
} tsm_py_memory;

static int tsm_py_memory_get(PyObject *self, Py_buffer *view, int flags) {
  tsm_py_memory *memory = (tsm_py_memory *)self;
  if ((flags & PyBUF_WRITABLE) && memory->is_read_only) {
    PyErr_SetString(PyExc_BufferError, "the tensor is read-only");
    view->obj = NULL;
    return -1;
  }
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !tsm_tensor_is_contiguous(memory->value)) {
    PyErr_SetString(PyExc_BufferError, "the tensor has strides");
    view->obj = NULL;
    return -1;
  }
  tsm_dtype dtype = tsm_tensor_dtype(memory->value);
  Py_INCREF(self);
  view->obj = self;
  view->buf = memory->data;
  view->itemsize = (Py_ssize_t)tsm_dtype_size(dtype);
  view->len = (Py_ssize_t)tsm_tensor_numel(memory->value) * view->itemsize;
  view->readonly = memory->is_read_only;
  view->ndim = (int)tsm_tensor_rank(memory->value);
  view->format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)tsm_py_format_of(dtype) : NULL;
  view->shape = flags & PyBUF_ND ? memory->shape : NULL;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? memory->strides : NULL;
  view->suboffsets = NULL;
  view->internal = NULL;
  return 0;
}

static void tsm_py_memory_free(PyObject *self) {
  tsm_release(((tsm_py_memory *)self)->value);
  PyObject_Free(self);
}

static PyBufferProcs tsm_py_memory_buffer = {tsm_py_memory_get, NULL};
static PyTypeObject tsm_py_memory_type = {
  PyVarObject_HEAD_INIT(NULL, 0)
  .tp_name = "tsm.binding.Memory",
  .tp_basicsize = sizeof(tsm_py_memory),
  .tp_dealloc = tsm_py_memory_free,
  .tp_as_buffer = &tsm_py_memory_buffer,
  .tp_flags = Py_TPFLAGS_DEFAULT,
};

static PyObject *tsm_py_memory_new(tsm_value value) {
  bool is_read_only = false;
  void *data = tsm_tensor_data_mut(value);
  if (!data) {
    is_read_only = true;
    data = (void *)(uintptr_t)tsm_tensor_data(value);
  }
  if (!data || !tsm_py_format_of(tsm_tensor_dtype(value)) || PyType_Ready(&tsm_py_memory_type)) return NULL;
  tsm_py_memory *memory = PyObject_New(tsm_py_memory, &tsm_py_memory_type);
  if (!memory) return NULL;
  size_t item = tsm_dtype_size(tsm_tensor_dtype(value));
  for (size_t i = 0; i < tsm_tensor_rank(value); i++) {
    memory->shape[i] = (Py_ssize_t)tsm_tensor_shape(value)[i];
    memory->strides[i] = (Py_ssize_t)tsm_tensor_strides(value)[i] * (Py_ssize_t)item;
  }
  memory->value = value;
  memory->data = data;
  memory->is_read_only = is_read_only;
  tsm_retain(value);
  return (PyObject *)memory;
}

/* An exporter of the memory of the tensor at an address; None: not this way. */
static PyObject *tsm_py_export(PyObject *self, PyObject *address) {
  (void)self;
  size_t ref = PyLong_AsSize_t(address);
  if (PyErr_Occurred()) return NULL;
  PyObject *memory = tsm_py_memory_new(tsm_py_value((uintptr_t)ref, TSM_TENSOR));
  if (memory) return memory;
  PyErr_Clear();
  Py_RETURN_NONE;
}

/* Gives back a count of the tensor at an address. */
static PyObject *tsm_py_drop(PyObject *self, PyObject *address) {
  (void)self;
  size_t ref = PyLong_AsSize_t(address);
  if (PyErr_Occurred()) return NULL;
  tsm_release(tsm_py_value((uintptr_t)ref, TSM_TENSOR));
  Py_RETURN_NONE;
}

static PyMethodDef tsm_py_export_def = {"export", tsm_py_export, METH_O, NULL};
static PyMethodDef tsm_py_drop_def = {"drop", tsm_py_drop, METH_O, NULL};

/* Puts tsm_py_drop, or tsm_py_export, into the list at `list`, as its first element. */
static bool tsm_py_make_function(bool is_drop, uintptr_t list) {
  PyGILState_STATE state = PyGILState_Ensure();
  bool is_made = tsm_py_give(PyCFunction_New(is_drop ? &tsm_py_drop_def : &tsm_py_export_def, NULL), list);
  PyGILState_Release(state);
  return is_made;
}
