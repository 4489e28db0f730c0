/* lists.h - lists of ints and of tensors as arguments of eager operators, for the cffi extension.
 * In: Python lists and tuples of ints of 64 bits, or of the addresses of tensors. Out: the address of a new list of the
 * runtime, whose count is the caller's. Holds: what is empty, or has anything else in it, gives None, and is left to
 * convert.py, whose rules these are. */

static PyObject *tsm_py_item_of(PyObject *items, Py_ssize_t i) {
  return PyTuple_CheckExact(items) ? PyTuple_GET_ITEM(items, i) : PyList_GET_ITEM(items, i);
}

static bool tsm_py_fill_ints(tsm_value list, PyObject *items, Py_ssize_t count) {
  if (tsm_list_resize(list, (size_t)count) != TSM_OK) return false;
  int64_t *ints = tsm_list_ints(list);
  for (Py_ssize_t i = 0; i < count; i++)
    if (!tsm_py_int_of(tsm_py_item_of(items, i), &ints[i])) return false;
  return true;
}

static bool tsm_py_add_tensors(tsm_value list, PyObject *items, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; i++) {
    int64_t address;
    if (!tsm_py_int_of(tsm_py_item_of(items, i), &address)) return false;
    if (tsm_list_append(list, tsm_py_value((uintptr_t)address, TSM_TENSOR)) != TSM_OK) return false;
  }
  return true;
}

static PyObject *tsm_py_new_list(PyObject *capsule, PyObject *items, tsm_kind kind) {
  tsm_runtime *runtime = PyCapsule_GetPointer(capsule, NULL);
  tsm_value list;
  if (!PyTuple_CheckExact(items) && !PyList_CheckExact(items)) Py_RETURN_NONE;
  const Py_ssize_t count = Py_SIZE(items);
  if (!count || tsm_list_new(runtime, kind, (size_t)count, &list) != TSM_OK) Py_RETURN_NONE;
  if (kind == TSM_INT ? tsm_py_fill_ints(list, items, count) : tsm_py_add_tensors(list, items, count))
    return PyLong_FromVoidPtr(list.as.ref);
  tsm_release(list);
  Py_RETURN_NONE;
}

static PyObject *tsm_py_new_ints(PyObject *self, PyObject *items) { return tsm_py_new_list(self, items, TSM_INT); }
static PyObject *tsm_py_new_tensors(PyObject *self, PyObject *items) { return tsm_py_new_list(self, items, TSM_TENSOR); }

static PyMethodDef tsm_py_ints_def = {"new_ints", tsm_py_new_ints, METH_O, NULL};
static PyMethodDef tsm_py_tensors_def = {"new_tensors", tsm_py_new_tensors, METH_O, NULL};

/* Puts tsm_py_new_tensors, or tsm_py_new_ints, into the list at `list`, as its first element; the function must not
 * outlive the runtime. */
static bool tsm_py_make_lists(tsm_runtime *runtime, bool is_tensors, uintptr_t list) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *capsule = PyCapsule_New(runtime, NULL, NULL);
  PyMethodDef *def = is_tensors ? &tsm_py_tensors_def : &tsm_py_ints_def;
  bool is_made = tsm_py_give(capsule ? PyCFunction_New(def, capsule) : NULL, list);
  Py_XDECREF(capsule);
  PyGILState_Release(state);
  return is_made;
}
