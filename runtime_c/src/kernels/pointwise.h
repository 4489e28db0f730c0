/* pointwise.h - running an elementwise loop over operands of any layout and dtype.
 * In: a loop for one dtype, an output tensor, input tensors and scalars. Out: the output, filled.
 * Holds: an operand whose dtype is not the loop's is converted in tiles, so a loop exists once per computing dtype;
 * the same loops serve new results and in-place writes. */
#ifndef TSM_POINTWISE_H
#define TSM_POINTWISE_H

#include "iterate.h"
#include "op/op.h"
#include "simd/integer.h"
#include "simd/pointwise.h"

/* p[0] is the output, the others inputs; s are steps in bytes. Elements may alias only at the same index. */
typedef void (*tsm_loop_fn)(char *const *p, const int64_t *s, int64_t n, void *extra);

typedef struct tsm_operand {
  const tsm_tensor *tensor; /* NULL: `value` holds a scalar in dtype `computed` */
  uint8_t computed;         /* dtype the loop expects */
  tsm_slot value;
} tsm_operand;

static inline tsm_operand tsm_operand_tensor(const tsm_tensor *t, uint8_t computed) {
  tsm_operand o;
  o.tensor = t;
  o.computed = computed;
  o.value.bits = 0;
  return o;
}
tsm_operand tsm_operand_scalar(tsm_pair scalar, uint8_t computed);
bool tsm_arg_is_tensor(const tsm_opcall *c, size_t i);
/* Argument i, a Tensor or a Scalar. */
tsm_operand tsm_operand_arg(const tsm_opcall *c, size_t i, uint8_t computed);

/* Operand 0 is a tensor whose memory may be written; the inputs broadcast to its shape. NULL loop: raises
 * NotImplementedError for the dtype of operand 1. `extra` is handed to the loop. */
tsm_status tsm_pointwise_run(tsm_opcall *c, tsm_loop_fn loop, void *extra, const tsm_operand *operands, int count);

/* The same for floats of `dtype`, by a row of simd/pointwise.h that the runtime's set has (pointwise_row.c). `row` is
 * one without _VS or _SV; operands are out, a, b, c, of which each may be a tensor or a scalar. */
tsm_status tsm_pointwise_row(tsm_opcall *c, uint8_t dtype, tsm_row row, const tsm_operand *operands, int count);
/* Whether the dtype is a float type for which the set has the row. */
bool tsm_has_row(const tsm_opcall *c, uint8_t dtype, tsm_row row);

/* The same for integers and bools of one dtype, by an operation of simd/integer.h (pointwise_int.c): operands are out, a,
 * b, c. */
tsm_status tsm_pointwise_int(tsm_opcall *c, tsm_int_kind op, const tsm_operand *operands, int count);
/* By one of the rows EQ NE LT LE GT GE; operands are out, which is bool, a and b. */
tsm_status tsm_pointwise_int_compare(tsm_opcall *c, tsm_row row, const tsm_operand *operands);
/* Of `in` and numbers: one, or two for TSM_INT_CLAMP. */
tsm_status tsm_pointwise_int_with(tsm_opcall *c, tsm_int_kind op, const tsm_tensor *out, tsm_operand in, int64_t low,
                                  int64_t high);

/* acc = op(acc, x) for n neighbours of a dtype. */
void tsm_int_join(const tsm_int_set *set, tsm_int_kind op, uint8_t dtype, void *acc, const void *x, int64_t n);

/* Makes `self` ready to be written from the arguments first..last: shape and overlap checks, private memory. `computed`
 * must be a dtype that may be stored in self's. */
tsm_status tsm_inplace_prepare(tsm_opcall *c, size_t first_input, size_t last_input, uint8_t computed);
/* Returns argument 0 as the result, with a new count. */
tsm_status tsm_return_self(tsm_opcall *c);
/* Sets all elements of a tensor whose memory may be written (choose.c). */
tsm_status tsm_tensor_fill(tsm_opcall *c, const tsm_tensor *out, tsm_pair value);
/* Raises NotImplementedError: the operator has no kernel for the dtype. */
tsm_status tsm_raise_not_implemented(tsm_opcall *c, uint8_t dtype);
/* PyTorch's spelling in messages: "Float". */
const char *tsm_dtype_torch_name(unsigned dtype);

/* Dtype that arguments a and b (Tensor or Scalar) compute in. */
uint8_t tsm_promote_args(const tsm_opcall *c, size_t first, size_t last);
static inline uint8_t tsm_float_dtype(uint8_t dtype) { return tsm_dtype_is_float(dtype) ? dtype : (uint8_t)TSM_F32; }

#if defined(__clang__) /* a loop over a libm function stays scalar: no news */
#pragma clang diagnostic ignored "-Wpass-failed"
#define TSM_VECTORIZE _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define TSM_VECTORIZE _Pragma("GCC ivdep")
#else
#define TSM_VECTORIZE
#endif

/* Loops: T the operands' C type, W the type that arithmetic wraps in, R the result's type; the expression sees x, y. */
#define TSM_UNARY_LOOP(name, T, W, R, EXPRESSION)                                \
  static void name(char *const *p, const int64_t *s, int64_t n, void *extra) {   \
    (void)extra;                                                                 \
    typedef W wide;                                                              \
    if (s[0] == sizeof(R) && s[1] == sizeof(T)) {                                \
      R *out = (R *)(void *)p[0];                                                \
      const T *in = (const T *)(const void *)p[1];                               \
      TSM_VECTORIZE for (int64_t i = 0; i < n; i++) {                            \
        const T x = in[i];                                                       \
        out[i] = (R)(EXPRESSION);                                                \
      }                                                                          \
      (void)(wide *)0;                                                           \
      return;                                                                    \
    }                                                                            \
    char *out = p[0];                                                            \
    const char *in = p[1];                                                       \
    for (int64_t i = 0; i < n; i++, out += s[0], in += s[1]) {                   \
      const T x = *(const T *)(const void *)in;                                  \
      *(R *)(void *)out = (R)(EXPRESSION);                                       \
    }                                                                            \
  }

#define TSM_BINARY_LOOP(name, T, W, R, EXPRESSION)                               \
  static void name(char *const *p, const int64_t *s, int64_t n, void *extra) {   \
    (void)extra;                                                                 \
    typedef W wide;                                                              \
    R *out = (R *)(void *)p[0];                                                  \
    const T *a = (const T *)(const void *)p[1], *b = (const T *)(const void *)p[2]; \
    if (s[0] == sizeof(R) && s[1] == sizeof(T) && s[2] == sizeof(T)) {           \
      TSM_VECTORIZE for (int64_t i = 0; i < n; i++) {                            \
        const T x = a[i], y = b[i];                                              \
        out[i] = (R)(EXPRESSION);                                                \
      }                                                                          \
      return;                                                                    \
    }                                                                            \
    if (s[0] == sizeof(R) && s[1] == sizeof(T) && s[2] == 0) {                   \
      const T y = *b;                                                            \
      TSM_VECTORIZE for (int64_t i = 0; i < n; i++) {                            \
        const T x = a[i];                                                        \
        out[i] = (R)(EXPRESSION);                                                \
      }                                                                          \
      return;                                                                    \
    }                                                                            \
    (void)(wide *)0;                                                             \
    const int64_t so = s[0] / (int64_t)sizeof(R), sa = s[1] / (int64_t)sizeof(T), sb = s[2] / (int64_t)sizeof(T); \
    for (int64_t i = 0; i < n; i++) {                                            \
      const T x = a[i * sa], y = b[i * sb];                                      \
      out[i * so] = (R)(EXPRESSION);                                             \
    }                                                                            \
  }

/* The same for costly expressions: one loop for every layout. */
#define TSM_BINARY_SLOW_LOOP(name, T, W, R, EXPRESSION)                          \
  static void name(char *const *p, const int64_t *s, int64_t n, void *extra) {   \
    (void)extra;                                                                 \
    typedef W wide;                                                              \
    (void)(wide *)0;                                                             \
    char *out = p[0];                                                            \
    const char *a = p[1], *b = p[2];                                             \
    for (int64_t i = 0; i < n; i++, out += s[0], a += s[1], b += s[2]) {         \
      const T x = *(const T *)(const void *)a, y = *(const T *)(const void *)b;  \
      *(R *)(void *)out = (R)(EXPRESSION);                                       \
    }                                                                            \
  }

/* LOOP(name, T, W, R, E) for each integer type, and a table in tsm_dtype order. `B` is bool's loop or NULL. */
#define TSM_INT_LOOPS(LOOP, name, EXPRESSION)                   \
  LOOP(name##_u8, uint8_t, uint32_t, uint8_t, EXPRESSION)       \
  LOOP(name##_i8, int8_t, uint32_t, int8_t, EXPRESSION)         \
  LOOP(name##_i16, int16_t, uint32_t, int16_t, EXPRESSION)      \
  LOOP(name##_i32, int32_t, uint32_t, int32_t, EXPRESSION)      \
  LOOP(name##_i64, int64_t, uint64_t, int64_t, EXPRESSION)
#define TSM_FLOAT_LOOPS(LOOP, name, EXPRESSION_F32, EXPRESSION_F64) \
  LOOP(name##_f32, float, float, float, EXPRESSION_F32)             \
  LOOP(name##_f64, double, double, double, EXPRESSION_F64)
#define TSM_NUMBER_LOOPS(LOOP, name, EXPRESSION) \
  TSM_INT_LOOPS(LOOP, name, EXPRESSION)          \
  TSM_FLOAT_LOOPS(LOOP, name, EXPRESSION, EXPRESSION)
#define TSM_LOOP_TABLE(name, BOOL)                                                                            \
  static const tsm_loop_fn name##_loops[TSM_DTYPE_COUNT] = {BOOL,       name##_u8,  name##_i8,  name##_i16, \
                                                            name##_i32, name##_i64, name##_f32, name##_f64};
#define TSM_FLOAT_TABLE(name)                                                                      \
  static const tsm_loop_fn name##_loops[TSM_DTYPE_COUNT] = {NULL, NULL, NULL, NULL, NULL, NULL, \
                                                            name##_f32, name##_f64};
#endif
