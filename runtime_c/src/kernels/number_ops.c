/* number_ops.c - kernels of bool, int, float and Scalar: thin wrappers over scalar.h. */
#include "op/scalar.h"
#include "kernels.h"

#define INT_BINARY(name, symbol)                                                  \
  tsm_status tsm_k_int_##name(tsm_opcall *c) {                                    \
    int64_t out = 0;                                                              \
    tsm_fault fault = tsm_int_##name(tsm_arg_int(c, 0), tsm_arg_int(c, 1), &out); \
    if (fault != TSM_FAULT_NONE) return tsm_raise_fault(c->ctx, fault, symbol);   \
    return tsm_return_int(c, out);                                                \
  }
INT_BINARY(add, "+")
INT_BINARY(sub, "-")
INT_BINARY(mul, "*")
INT_BINARY(floordiv, "//")
INT_BINARY(mod, "%")
INT_BINARY(pow, "**")
INT_BINARY(lshift, "<<")
INT_BINARY(rshift, ">>")

#define INT_UNARY(name, symbol)                                                 \
  tsm_status tsm_k_int_##name(tsm_opcall *c) {                                  \
    int64_t out = 0;                                                            \
    tsm_fault fault = tsm_int_##name(tsm_arg_int(c, 0), &out);                  \
    if (fault != TSM_FAULT_NONE) return tsm_raise_fault(c->ctx, fault, symbol); \
    return tsm_return_int(c, out);                                              \
  }
INT_UNARY(neg, "-")
INT_UNARY(abs, "abs()")

tsm_status tsm_k_int_truediv(tsm_opcall *c) {
  double out = 0;
  tsm_fault fault = tsm_int_truediv(tsm_arg_int(c, 0), tsm_arg_int(c, 1), &out);
  if (fault != TSM_FAULT_NONE) return tsm_raise_fault(c->ctx, fault, "/");
  return tsm_return_float(c, out);
}

#define INT_PLAIN(name, give, expression)                        \
  tsm_status tsm_k_##name(tsm_opcall *c) {                       \
    const int64_t a = tsm_arg_int(c, 0), b = tsm_arg_int(c, 1);  \
    return give(c, expression);                                  \
  }
INT_PLAIN(int_and, tsm_return_int, a &b)
INT_PLAIN(int_or, tsm_return_int, a | b)
INT_PLAIN(int_xor, tsm_return_int, a ^ b)
INT_PLAIN(int_min, tsm_return_int, tsm_int_min(a, b))
INT_PLAIN(int_max, tsm_return_int, tsm_int_max(a, b))
INT_PLAIN(int_eq, tsm_return_bool, a == b)
INT_PLAIN(int_ne, tsm_return_bool, a != b)
INT_PLAIN(int_lt, tsm_return_bool, a < b)
INT_PLAIN(int_le, tsm_return_bool, a <= b)
INT_PLAIN(int_gt, tsm_return_bool, a > b)
INT_PLAIN(int_ge, tsm_return_bool, a >= b)
INT_PLAIN(bool_and, tsm_return_bool, (a != 0) & (b != 0))
INT_PLAIN(bool_or, tsm_return_bool, (a != 0) | (b != 0))
INT_PLAIN(bool_xor, tsm_return_bool, (a != 0) ^ (b != 0))

tsm_status tsm_k_bool_not(tsm_opcall *c) { return tsm_return_bool(c, !tsm_arg_bool(c, 0)); }
tsm_status tsm_k_int_invert(tsm_opcall *c) { return tsm_return_int(c, ~tsm_arg_int(c, 0)); }
tsm_status tsm_k_int_pos(tsm_opcall *c) { return tsm_return_int(c, tsm_arg_int(c, 0)); }

#define FLOAT_PLAIN(name, give, expression)                          \
  tsm_status tsm_k_float_##name(tsm_opcall *c) {                     \
    const double a = tsm_arg_float(c, 0), b = tsm_arg_float(c, 1);   \
    return give(c, expression);                                      \
  }
FLOAT_PLAIN(add, tsm_return_float, a + b)
FLOAT_PLAIN(sub, tsm_return_float, a - b)
FLOAT_PLAIN(mul, tsm_return_float, a *b)
FLOAT_PLAIN(min, tsm_return_float, tsm_float_min(a, b))
FLOAT_PLAIN(max, tsm_return_float, tsm_float_max(a, b))
FLOAT_PLAIN(eq, tsm_return_bool, a == b)
FLOAT_PLAIN(ne, tsm_return_bool, a != b)
FLOAT_PLAIN(lt, tsm_return_bool, a < b)
FLOAT_PLAIN(le, tsm_return_bool, a <= b)
FLOAT_PLAIN(gt, tsm_return_bool, a > b)
FLOAT_PLAIN(ge, tsm_return_bool, a >= b)

#define FLOAT_BINARY(name)                                                                \
  tsm_status tsm_k_float_##name(tsm_opcall *c) {                                          \
    double out = 0;                                                                       \
    tsm_fault fault = tsm_float_##name(tsm_arg_float(c, 0), tsm_arg_float(c, 1), &out);   \
    if (fault != TSM_FAULT_NONE) return tsm_raise_fault(c->ctx, fault, #name);            \
    return tsm_return_float(c, out);                                                      \
  }
FLOAT_BINARY(truediv)
FLOAT_BINARY(floordiv)
FLOAT_BINARY(mod)
FLOAT_BINARY(pow)

tsm_status tsm_k_float_neg(tsm_opcall *c) { return tsm_return_float(c, -tsm_arg_float(c, 0)); }
tsm_status tsm_k_float_pos(tsm_opcall *c) { return tsm_return_float(c, tsm_arg_float(c, 0)); }
tsm_status tsm_k_float_abs(tsm_opcall *c) { return tsm_return_float(c, fabs(tsm_arg_float(c, 0))); }

#define SCALAR_BINARY(name)                                                                        \
  tsm_status tsm_k_scalar_##name(tsm_opcall *c) {                                                  \
    tsm_pair out;                                                                                  \
    tsm_status status = tsm_scalar_##name(c->ctx, tsm_arg_pair(c, 0), tsm_arg_pair(c, 1), &out);   \
    return status == TSM_OK ? tsm_return_pair(c, out) : status;                                    \
  }
SCALAR_BINARY(add)
SCALAR_BINARY(sub)
SCALAR_BINARY(mul)
SCALAR_BINARY(truediv)
SCALAR_BINARY(floordiv)
SCALAR_BINARY(mod)
SCALAR_BINARY(pow)

#define SCALAR_UNARY(name)                                                   \
  tsm_status tsm_k_scalar_##name(tsm_opcall *c) {                            \
    tsm_pair out;                                                            \
    tsm_status status = tsm_scalar_##name(c->ctx, tsm_arg_pair(c, 0), &out); \
    return status == TSM_OK ? tsm_return_pair(c, out) : status;              \
  }
SCALAR_UNARY(neg)
SCALAR_UNARY(pos)
SCALAR_UNARY(abs)

tsm_status tsm_k_scalar_eq(tsm_opcall *c) {
  return tsm_return_bool(c, tsm_key_equal(c->ctx, tsm_arg_pair(c, 0), tsm_arg_pair(c, 1)));
}

tsm_status tsm_k_scalar_ne(tsm_opcall *c) {
  return tsm_return_bool(c, !tsm_key_equal(c->ctx, tsm_arg_pair(c, 0), tsm_arg_pair(c, 1)));
}

#define SCALAR_ORDER(name, symbol, expression)                                                                \
  tsm_status tsm_k_scalar_##name(tsm_opcall *c) {                                                             \
    tsm_order order;                                                                                          \
    tsm_status status = tsm_pair_compare_as(c->ctx, tsm_arg_pair(c, 0), tsm_arg_pair(c, 1), symbol, &order);  \
    return status == TSM_OK ? tsm_return_bool(c, expression) : status;                                        \
  }
SCALAR_ORDER(lt, "<", order == TSM_LESS)
SCALAR_ORDER(le, "<=", order == TSM_LESS || order == TSM_EQUAL)
SCALAR_ORDER(gt, ">", order == TSM_GREATER)
SCALAR_ORDER(ge, ">=", order == TSM_GREATER || order == TSM_EQUAL)
