/* calls.h - calls of methods whose parameters are numbers, texts, tensors and lists, dicts and tuples of these, for the
 * cffi extension. In: Python's arguments of exactly the declared types. Out: Python's result; lists and dicts that the
 * method may change are written back. Holds: one container or tensor is one object on both sides during a call; what is
 * unusual (subclasses, ints for floats, more than MOST_PAIRS containers) is declined before anything ran, and left to
 * convert.py, whose rules these are. */

enum { MOST_PAIRS = 64, MOST_ARGS = 16, MOST_ITEMS = 9 };

/* A method. `codes`: i f b s T, l<element>, d<value> with keys of text, t<digit><items>, one for each parameter. */
typedef struct {
  tsm_runtime *runtime;
  tsm_instance *instance;
  size_t method;
  char *codes;
  Py_ssize_t count;
  bool is_mutating;
  tsm_error *error;
  PyObject *tensor_type, *size_type, *ref_name, *facts_name; /* owned */
  PyObject *failed, *declined;                   /* owned: what a call gives when it did not give a result */
} tsm_py_method;

/* A Python object and the runtime's that it is now; a count of each is owned: writing back may drop the caller's. */
typedef struct { PyObject *object; tsm_value value; } tsm_py_pair;

typedef struct {
  const tsm_py_method *method;
  tsm_py_pair pairs[MOST_PAIRS]; /* the first `given` came with the arguments */
  int count, given;
  PyObject *rest;                /* further pairs of results: address -> object; NULL: none */
} tsm_py_scope;

/* ---- Python to runtime: false declines; a value that is written owns a count */

static const char *tsm_py_after(const char *code) {
  if (*code == 'l' || *code == 'd') return tsm_py_after(code + 1);
  if (*code != 't') return code + 1;
  int count = code[1] - '0';
  for (code += 2; count > 0; count--) code = tsm_py_after(code);
  return code;
}

static tsm_kind tsm_py_kind_of(char code) {
  switch (code) {
    case 'i': return TSM_INT;
    case 'f': return TSM_FLOAT;
    case 'b': return TSM_BOOL;
    case 's': return TSM_STR;
    case 'T': return TSM_TENSOR;
    case 'l': return TSM_LIST;
    case 'd': return TSM_DICT;
    default: return TSM_TUPLE;
  }
}

static bool tsm_py_put(tsm_py_scope *scope, const char *code, PyObject *object, tsm_value *out_value);

static bool tsm_py_int_of(PyObject *object, int64_t *out_value) {
  int overflow = 0;
  if (!PyLong_CheckExact(object)) return false;
  *out_value = PyLong_AsLongLongAndOverflow(object, &overflow);
  return !overflow;
}

static bool tsm_py_known(tsm_py_scope *scope, PyObject *object, tsm_value *out_value) {
  for (int i = 0; i < scope->count; i++) {
    if (scope->pairs[i].object != object) continue;
    *out_value = scope->pairs[i].value;
    tsm_retain(*out_value);
    return true;
  }
  return false;
}

static bool tsm_py_pair_up(tsm_py_scope *scope, PyObject *object, tsm_value value) {
  if (scope->count == MOST_PAIRS) return false;
  scope->pairs[scope->count++] = (tsm_py_pair){Py_NewRef(object), value};
  tsm_retain(value);
  return true;
}

static bool tsm_py_put_tensor(tsm_py_scope *scope, PyObject *object, tsm_value *out_value) {
  if ((PyObject *)Py_TYPE(object) != scope->method->tensor_type) return false;
  if (tsm_py_known(scope, object, out_value)) return true;
  PyObject *address = PyObject_GetAttr(object, scope->method->ref_name);
  size_t ref = address ? PyLong_AsSize_t(address) : 0;
  Py_XDECREF(address);
  if (PyErr_Occurred()) PyErr_Clear();
  if (!ref || ref == (size_t)-1) return false;
  *out_value = tsm_py_value((uintptr_t)ref, TSM_TENSOR);
  if (!tsm_py_pair_up(scope, object, *out_value)) return false;
  tsm_retain(*out_value);
  return true;
}

/* Elements of a list of numbers that has its length already. */
static bool tsm_py_fill(tsm_value list, char code, PyObject *object) {
  Py_ssize_t count = PySequence_Fast_GET_SIZE(object);
  int64_t *ints = tsm_list_ints(list);
  double *floats = tsm_list_floats(list);
  uint8_t *bools = tsm_list_bools(list);
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject *item = PySequence_Fast_GET_ITEM(object, i);
    if (code == 'i' && tsm_py_int_of(item, &ints[i])) continue;
    if (code == 'f' && PyFloat_CheckExact(item)) floats[i] = PyFloat_AS_DOUBLE(item);
    else if (code == 'b' && PyBool_Check(item)) bools[i] = item == Py_True;
    else return false;
  }
  return true;
}

static bool tsm_py_put_items(tsm_py_scope *scope, const char *code, PyObject *object, tsm_value list) {
  size_t count = (size_t)PySequence_Fast_GET_SIZE(object);
  if (*code == 'i' || *code == 'f' || *code == 'b')
    return !count || (tsm_list_resize(list, count) == TSM_OK && tsm_py_fill(list, *code, object));
  for (size_t i = 0; i < count; i++) {
    tsm_value item;
    if (!tsm_py_put(scope, code, PySequence_Fast_GET_ITEM(object, (Py_ssize_t)i), &item)) return false;
    tsm_status status = tsm_list_append(list, item);
    tsm_release(item);
    if (status != TSM_OK) return false;
  }
  return true;
}

/* A tuple is no list that the call could change: it has no pair, and each time it comes is another list. */
static bool tsm_py_put_list(tsm_py_scope *scope, const char *code, PyObject *object, tsm_value *out_value) {
  const bool is_list = PyList_CheckExact(object);
  if (!is_list && !PyTuple_CheckExact(object)) return false;
  if (is_list && tsm_py_known(scope, object, out_value)) return true;
  size_t count = (size_t)PySequence_Fast_GET_SIZE(object);
  if (tsm_list_new(scope->method->runtime, tsm_py_kind_of(code[1]), count, out_value) != TSM_OK) return false;
  const bool is_paired = !is_list || tsm_py_pair_up(scope, object, *out_value);
  if (is_paired && tsm_py_put_items(scope, code + 1, object, *out_value)) return true;
  tsm_release(*out_value);
  return false;
}

static bool tsm_py_put_entries(tsm_py_scope *scope, const char *code, PyObject *object, tsm_value dict) {
  Py_ssize_t position = 0;
  PyObject *key, *item;
  while (PyDict_Next(object, &position, &key, &item)) {
    tsm_value name, value;
    if (!tsm_py_put(scope, "s", key, &name)) return false;
    bool is_put = tsm_py_put(scope, code, item, &value);
    if (is_put) {
      is_put = tsm_dict_set(dict, name, value) == TSM_OK;
      tsm_release(value);
    }
    tsm_release(name);
    if (!is_put) return false;
  }
  return true;
}

static bool tsm_py_put_dict(tsm_py_scope *scope, const char *code, PyObject *object, tsm_value *out_value) {
  if (!PyDict_CheckExact(object)) return false;
  if (tsm_py_known(scope, object, out_value)) return true;
  if (tsm_dict_new(scope->method->runtime, TSM_STR, tsm_py_kind_of(code[1]), out_value) != TSM_OK) return false;
  if (tsm_py_pair_up(scope, object, *out_value) && tsm_py_put_entries(scope, code + 1, object, *out_value)) return true;
  tsm_release(*out_value);
  return false;
}

static bool tsm_py_put_tuple(tsm_py_scope *scope, const char *code, PyObject *object, tsm_value *out_value) {
  int count = code[1] - '0', done = 0;
  tsm_value items[MOST_ITEMS];
  if (!PyTuple_CheckExact(object) || PyTuple_GET_SIZE(object) != count) return false;
  for (code += 2; done < count && tsm_py_put(scope, code, PyTuple_GET_ITEM(object, done), &items[done]); done++)
    code = tsm_py_after(code);
  bool is_put = done == count &&
                tsm_tuple_new(scope->method->runtime, (size_t)count, items, out_value) == TSM_OK;
  while (done) tsm_release(items[--done]);
  return is_put;
}

static bool tsm_py_put_text(tsm_py_scope *scope, PyObject *object, tsm_value *out_value) {
  Py_ssize_t length;
  const char *text = PyUnicode_CheckExact(object) ? PyUnicode_AsUTF8AndSize(object, &length) : NULL;
  if (!text) PyErr_Clear();
  return text && tsm_str_copy(scope->method->runtime, text, (size_t)length, out_value) == TSM_OK;
}

static bool tsm_py_put(tsm_py_scope *scope, const char *code, PyObject *object, tsm_value *out_value) {
  memset(out_value, 0, sizeof *out_value);
  out_value->kind = tsm_py_kind_of(*code);
  switch (*code) {
    case 'i': return tsm_py_int_of(object, &out_value->as.i);
    case 'f':
      if (!PyFloat_CheckExact(object)) return false;
      out_value->as.f = PyFloat_AS_DOUBLE(object);
      return true;
    case 'b':
      out_value->as.b = object == Py_True;
      return PyBool_Check(object);
    case 's': return tsm_py_put_text(scope, object, out_value);
    case 'T': return tsm_py_put_tensor(scope, object, out_value);
    case 'l': return tsm_py_put_list(scope, code, object, out_value);
    case 'd': return tsm_py_put_dict(scope, code, object, out_value);
    default: return tsm_py_put_tuple(scope, code, object, out_value);
  }
}

/* ---- Runtime to Python: NULL with an exception; the value's count is taken over */

static PyObject *tsm_py_take(tsm_py_scope *scope, tsm_value value);

/* The object that a runtime object is already; NULL, without an exception: none yet. */
static PyObject *tsm_py_found(const tsm_py_scope *scope, tsm_value value) {
  for (int i = 0; i < scope->count; i++)
    if (scope->pairs[i].value.as.ref == value.as.ref) return Py_NewRef(scope->pairs[i].object);
  if (!scope->rest) return NULL;
  PyObject *address = PyLong_FromVoidPtr(value.as.ref);
  PyObject *found = address ? PyDict_GetItemWithError(scope->rest, address) : NULL;
  Py_XDECREF(address);
  return Py_XNewRef(found);
}

/* Remembers a new object. */
static bool tsm_py_remember(tsm_py_scope *scope, tsm_value value, PyObject *object) {
  if (tsm_py_pair_up(scope, object, value)) return true;
  if (!scope->rest) scope->rest = PyDict_New();
  PyObject *address = scope->rest ? PyLong_FromVoidPtr(value.as.ref) : NULL;
  bool is_kept = address && PyDict_SetItem(scope->rest, address, object) == 0;
  Py_XDECREF(address);
  return is_kept;
}

/* A Tensor that takes over the count. */
static PyObject *tsm_py_new_tensor(tsm_py_scope *scope, tsm_value value) {
  const tsm_py_method *m = scope->method;
  PyTypeObject *type = (PyTypeObject *)m->tensor_type;
  PyObject *address = PyLong_FromVoidPtr(value.as.ref);
  PyObject *made = address ? type->tp_alloc(type, 0) : NULL;
  if (!made || PyObject_SetAttr(made, m->ref_name, address)) {
    tsm_release(value);
    Py_CLEAR(made);
  } else if (PyObject_SetAttr(made, m->facts_name, Py_None) || !tsm_py_remember(scope, value, made)) {
    Py_CLEAR(made);
  }
  Py_XDECREF(address);
  return made;
}

static PyObject *tsm_py_item(tsm_py_scope *scope, tsm_value list, size_t index) {
  tsm_value item;
  int64_t *ints = tsm_list_ints(list);
  if (ints) return PyLong_FromLongLong(ints[index]);
  double *floats = tsm_list_floats(list);
  if (floats) return PyFloat_FromDouble(floats[index]);
  uint8_t *bools = tsm_list_bools(list);
  if (bools) return PyBool_FromLong(bools[index]);
  if (tsm_list_get(list, index, &item) == TSM_OK) return tsm_py_take(scope, item);
  return PyErr_NoMemory();
}

static PyObject *tsm_py_items(tsm_py_scope *scope, tsm_value list) {
  size_t count = tsm_list_length(list);
  PyObject *items = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; items && i < count; i++) {
    PyObject *item = tsm_py_item(scope, list, i);
    if (item) PyList_SET_ITEM(items, (Py_ssize_t)i, item);
    else Py_CLEAR(items);
  }
  return items;
}

/* Adds the entries of a runtime dict to an empty one. */
static bool tsm_py_entries(tsm_py_scope *scope, tsm_value dict, PyObject *target) {
  size_t position = 0;
  tsm_value key, value;
  bool is_good = true;
  while (is_good && tsm_dict_next(dict, &position, &key, &value)) {
    PyObject *name = tsm_py_take(scope, key), *item = tsm_py_take(scope, value);
    is_good = name && item && PyDict_SetItem(target, name, item) == 0;
    Py_XDECREF(name);
    Py_XDECREF(item);
  }
  return is_good;
}

static PyObject *tsm_py_new_tuple(tsm_py_scope *scope, tsm_value tuple) {
  size_t count = tsm_tuple_length(tuple);
  PyObject *items = PyTuple_New((Py_ssize_t)count);
  for (size_t i = 0; items && i < count; i++) {
    tsm_value item;
    PyObject *object = tsm_tuple_get(tuple, i, &item) == TSM_OK ? tsm_py_take(scope, item) : PyErr_NoMemory();
    if (object) PyTuple_SET_ITEM(items, (Py_ssize_t)i, object);
    else Py_CLEAR(items);
  }
  if (!items || !tsm_tuple_is_size(tuple)) return items;
  PyObject *made = PyObject_CallOneArg(scope->method->size_type, items);
  Py_DECREF(items);
  return made;
}

/* A new object of a value whose count stays the caller's. */
static PyObject *tsm_py_new_object(tsm_py_scope *scope, tsm_value value) {
  PyObject *made;
  size_t length;
  const char *text;
  switch (value.kind) {
    case TSM_STR:
      text = tsm_str_borrow(value, &length);
      return PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, NULL);
    case TSM_TUPLE: return tsm_py_new_tuple(scope, value);
    case TSM_LIST:
      made = tsm_py_items(scope, value);
      break;
    case TSM_DICT:
      made = PyDict_New();
      if (made && !tsm_py_entries(scope, value, made)) Py_CLEAR(made);
      break;
    default: return PyErr_Format(PyExc_TypeError, "a program's value of kind %d has no Python form", (int)value.kind);
  }
  if (made && !tsm_py_remember(scope, value, made)) Py_CLEAR(made);
  return made;
}

static PyObject *tsm_py_take(tsm_py_scope *scope, tsm_value value) {
  switch (value.kind) {
    case TSM_NONE: return Py_NewRef(Py_None);
    case TSM_BOOL: return PyBool_FromLong(value.as.b);
    case TSM_INT: return PyLong_FromLongLong(value.as.i);
    case TSM_FLOAT: return PyFloat_FromDouble(value.as.f);
    default: break;
  }
  PyObject *found = value.kind == TSM_STR ? NULL : tsm_py_found(scope, value);
  if (!found && !PyErr_Occurred()) {
    if (value.kind == TSM_TENSOR) return tsm_py_new_tensor(scope, value);
    found = tsm_py_new_object(scope, value);
  }
  tsm_release(value);
  return found;
}

/* ---- The call */

/* Whether the caller's list of numbers has what the runtime's has: then its elements stay. */
static bool tsm_py_is_same(PyObject *object, tsm_value list) {
  size_t count = tsm_list_length(list);
  const int64_t *ints = tsm_list_ints(list);
  const double *floats = tsm_list_floats(list);
  if ((size_t)PyList_GET_SIZE(object) != count || !(ints || floats)) return false;
  for (size_t i = 0; i < count; i++) {
    PyObject *item = PyList_GET_ITEM(object, (Py_ssize_t)i);
    int64_t number;
    if (ints && !(tsm_py_int_of(item, &number) && number == ints[i])) return false;
    if (floats && !PyFloat_CheckExact(item)) return false;
    double value = floats ? PyFloat_AS_DOUBLE(item) : 0;
    if (floats && memcmp(&value, &floats[i], sizeof value)) return false;
  }
  return true;
}

/* Gives the caller's containers what the call left in them. */
static bool tsm_py_write_back(tsm_py_scope *scope) {
  for (int i = 0; i < scope->given; i++) {
    PyObject *object = scope->pairs[i].object;
    tsm_value value = scope->pairs[i].value;
    if (value.kind == TSM_LIST && !tsm_py_is_same(object, value)) {
      PyObject *items = tsm_py_items(scope, value);
      bool is_written = items && PyList_SetSlice(object, 0, PyList_GET_SIZE(object), items) == 0;
      Py_XDECREF(items);
      if (!is_written) return false;
    } else if (value.kind == TSM_DICT) {
      PyObject *entries = PyDict_New();
      bool is_written = entries && tsm_py_entries(scope, value, entries);
      if (is_written) {
        PyDict_Clear(object);
        is_written = PyDict_Update(object, entries) == 0;
      }
      Py_XDECREF(entries);
      if (!is_written) return false;
    }
  }
  return true;
}

static PyObject *tsm_py_run(tsm_py_scope *scope, const tsm_value *args) {
  const tsm_py_method *m = scope->method;
  tsm_value result;
  tsm_status status;
  Py_BEGIN_ALLOW_THREADS
  status = tsm_call_method(m->instance, m->method, args, (size_t)m->count, NULL, 0, &result, m->error);
  Py_END_ALLOW_THREADS
  scope->given = scope->count;
  if (m->is_mutating && !tsm_py_write_back(scope)) {
    if (status == TSM_OK) tsm_release(result);
    return NULL;
  }
  return status == TSM_OK ? tsm_py_take(scope, result) : Py_NewRef(m->failed);
}

/* Calls with one argument a parameter. `declined`: nothing was done; `failed`: the error is in m->error. */
static PyObject *tsm_py_call_quick(PyObject *self, PyObject *const *objects, Py_ssize_t count) {
  const tsm_py_method *m = PyCapsule_GetPointer(self, NULL);
  tsm_value args[MOST_ARGS];
  tsm_py_scope scope;
  scope.method = m;
  scope.count = scope.given = 0;
  scope.rest = NULL;
  const char *code = m->codes;
  Py_ssize_t done = 0;
  if (count != m->count) return Py_NewRef(m->declined);
  for (; done < count && tsm_py_put(&scope, code, objects[done], &args[done]); done++) code = tsm_py_after(code);
  PyObject *result = done == count ? tsm_py_run(&scope, args) : Py_NewRef(m->declined);
  while (done) tsm_release(args[--done]);
  while (scope.count) {
    tsm_release(scope.pairs[--scope.count].value);
    Py_DECREF(scope.pairs[scope.count].object);
  }
  Py_XDECREF(scope.rest);
  return result;
}

static void tsm_py_method_free(PyObject *capsule) {
  tsm_py_method *m = PyCapsule_GetPointer(capsule, NULL);
  Py_XDECREF(m->tensor_type);
  Py_XDECREF(m->ref_name);
  Py_XDECREF(m->facts_name);
  Py_XDECREF(m->failed);
  Py_XDECREF(m->declined);
  Py_XDECREF(m->size_type);
  PyMem_Free(m->codes);
  PyMem_Free(m);
}

static PyMethodDef tsm_py_quick_def = {
  "call_quick", (PyCFunction)(void (*)(void))tsm_py_call_quick, METH_FASTCALL, NULL
};

/* Makes the function of a method, which must not outlive instance and error. `list` holds the class Tensor, and the
 * objects for failed and declined calls, the class Size; the function is put in the place of the first. */
static bool tsm_py_make_quick(tsm_runtime *runtime, tsm_instance *instance, size_t method, const char *codes,
                              size_t count, bool is_mutating, tsm_error *error, uintptr_t list) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *given = (PyObject *)list;
  tsm_py_method *m = count <= MOST_ARGS ? PyMem_Calloc(1, sizeof *m) : NULL;
  char *copy = m ? PyMem_Malloc(strlen(codes) + 1) : NULL;
  PyObject *capsule = copy ? PyCapsule_New(m, NULL, tsm_py_method_free) : NULL;
  bool is_made = false;
  if (capsule) {
    m->runtime = runtime, m->instance = instance, m->method = method, m->error = error;
    m->count = (Py_ssize_t)count, m->is_mutating = is_mutating, m->codes = strcpy(copy, codes);
    m->tensor_type = Py_NewRef(PyList_GET_ITEM(given, 0));
    m->failed = Py_NewRef(PyList_GET_ITEM(given, 1));
    m->declined = Py_NewRef(PyList_GET_ITEM(given, 2));
    m->size_type = Py_NewRef(PyList_GET_ITEM(given, 3));
    m->ref_name = PyUnicode_InternFromString("_ref");
    m->facts_name = PyUnicode_InternFromString("_facts");
    is_made = m->ref_name && m->facts_name && tsm_py_give(PyCFunction_New(&tsm_py_quick_def, capsule), list);
  } else {
    PyMem_Free(copy);
    PyMem_Free(m);
  }
  Py_XDECREF(capsule);
  if (PyErr_Occurred()) PyErr_Clear();
  PyGILState_Release(state);
  return is_made;
}
