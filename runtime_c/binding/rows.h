/* rows.h - the columns of ops.def that only the compiler and the docs read: the library does without these 27 KB.
 * In: ops.def. Out: texts by a row's number; a number is less than tsm_op_count(). Holds: extension and library are built of
 * the same ops.def. */

#define OP(name, overload, schema, spellings, traits, infer, kernel, grad, doc, since) {spellings, doc, grad},
static const struct { const char *spellings, *doc, *grad; } tsm_py_rows[] = {
#include "ops.def"
};

static const char *tsm_py_op_spellings(size_t index) { return tsm_py_rows[index].spellings; }
static const char *tsm_py_op_doc(size_t index) { return tsm_py_rows[index].doc; }
static const char *tsm_py_op_grad(size_t index) { return tsm_py_rows[index].grad; }
