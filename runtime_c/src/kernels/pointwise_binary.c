/* pointwise_binary.c - two operands, arithmetic: add sub mul div floor_divide remainder pow maximum minimum atan2, and
 * the bitwise ones and shifts; new results and in place.
 * In: a Tensor and a Tensor or Scalar. Out: elements in the promoted dtype.
 * Holds: integers wrap around; an integer division by zero is noted by the loop and raised after it. */
#include <math.h>

#include "kernels.h"
#include "pointwise.h"

TSM_FLOAT_LOOPS(TSM_BINARY_SLOW_LOOP, atan2, atan2f(x, y), atan2(x, y))
TSM_FLOAT_TABLE(atan2)
TSM_FLOAT_LOOPS(TSM_BINARY_SLOW_LOOP, hypot, hypotf(x, y), hypot(x, y))
TSM_FLOAT_TABLE(hypot)
TSM_FLOAT_LOOPS(TSM_BINARY_SLOW_LOOP, xlogy, x == 0 && y == y ? 0 : x * logf(y), x == 0 && y == y ? 0 : x * log(y))
TSM_FLOAT_TABLE(xlogy)

/* x + alpha * y of bools */
TSM_BINARY_LOOP(add_scaled_bool, uint8_t, uint8_t, uint8_t, x | (*(const uint8_t *)extra & y))

/* `extra` is a bool that becomes true when a divisor is 0. */
#define INT_DIVISION(T, W)                                                          \
  static T floor_divide_##T(T x, T y, void *zero) {                                 \
    if (y == 0) {                                                                   \
      *(bool *)zero = true;                                                         \
      return 0;                                                                     \
    }                                                                               \
    if ((T)-1 < 0 && y == (T)-1) return (T)((W)0 - (W)x);                           \
    T q = (T)(x / y);                                                               \
    return (x % y != 0 && (x < 0) != (y < 0)) ? (T)(q - 1) : q;                     \
  }                                                                                 \
  static T remainder_##T(T x, T y, void *zero) {                                    \
    if (y == 0) {                                                                   \
      *(bool *)zero = true;                                                         \
      return 0;                                                                     \
    }                                                                               \
    if ((T)-1 < 0 && y == (T)-1) return 0;                                          \
    T r = (T)(x % y);                                                               \
    return (r != 0 && (r < 0) != (y < 0)) ? (T)(r + y) : r;                         \
  }                                                                                 \
  static T fmod_##T(T x, T y, void *zero) {                                         \
    if (y == 0) {                                                                   \
      *(bool *)zero = true;                                                         \
      return 0;                                                                     \
    }                                                                               \
    if ((T)-1 < 0 && y == (T)-1) return 0;                                          \
    return (T)(x % y);                                                              \
  }                                                                                 \
  static T power_##T(T x, T y) {                                                    \
    if (y < 0) return x == 1 ? 1 : (T)-1 < 0 && x == (T)-1 ? (y % 2 ? (T)-1 : 1) : 0; \
    W base = (W)x, result = 1;                                                      \
    for (uint64_t e = (uint64_t)y; e; e >>= 1) {                                    \
      if (e & 1) result = (W)(result * base);                                       \
      base = (W)(base * base);                                                      \
    }                                                                               \
    return (T)result;                                                               \
  }
/* x < 0 is never true of an unsigned type, and compilers say so. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
INT_DIVISION(uint8_t, uint32_t)
INT_DIVISION(int8_t, uint32_t)
INT_DIVISION(int16_t, uint32_t)
INT_DIVISION(int32_t, uint32_t)
INT_DIVISION(int64_t, uint64_t)
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

static double floor_divide_double(double x, double y, void *zero) {
  (void)zero;
  if (y == 0) return x / y;
  double rest = fmod(x, y), quotient = (x - rest) / y;
  if (rest != 0 && (y < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return copysign(0, x / y);
  double floored = floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}
static float floor_divide_float(float x, float y, void *zero) {
  (void)zero;
  if (y == 0) return x / y;
  float rest = fmodf(x, y), quotient = (x - rest) / y;
  if (rest != 0 && (y < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return copysignf(0, x / y);
  float floored = floorf(quotient);
  return quotient - floored > 0.5f ? floored + 1 : floored;
}
static double remainder_double(double x, double y, void *zero) {
  (void)zero;
  double rest = fmod(x, y);
  return rest != 0 && (y < 0) != (rest < 0) ? rest + y : rest;
}
static float remainder_float(float x, float y, void *zero) {
  (void)zero;
  float rest = fmodf(x, y);
  return rest != 0 && (y < 0) != (rest < 0) ? rest + y : rest;
}
static double fmod_double(double x, double y, void *zero) {
  (void)zero;
  return fmod(x, y);
}
static float fmod_float(float x, float y, void *zero) {
  (void)zero;
  return fmodf(x, y);
}
static float power_float(float x, float y) { return powf(x, y); }
static double power_double(double x, double y) { return pow(x, y); }

#define FLOOR_DIVIDE_LOOP(name, T, W, R, EXPRESSION) \
  TSM_BINARY_SLOW_LOOP(name, T, W, R, floor_divide_##T(x, y, extra))
#define REMAINDER_LOOP(name, T, W, R, EXPRESSION) TSM_BINARY_SLOW_LOOP(name, T, W, R, remainder_##T(x, y, extra))
#define FMOD_LOOP(name, T, W, R, EXPRESSION) TSM_BINARY_SLOW_LOOP(name, T, W, R, fmod_##T(x, y, extra))
#define POWER_LOOP(name, T, W, R, EXPRESSION) TSM_BINARY_SLOW_LOOP(name, T, W, R, power_##T(x, y))
TSM_NUMBER_LOOPS(FLOOR_DIVIDE_LOOP, floor_divide, 0)
TSM_NUMBER_LOOPS(REMAINDER_LOOP, remainder, 0)
TSM_NUMBER_LOOPS(FMOD_LOOP, fmod, 0)
TSM_NUMBER_LOOPS(POWER_LOOP, pow, 0)
TSM_LOOP_TABLE(floor_divide, NULL)
TSM_LOOP_TABLE(remainder, NULL)
TSM_LOOP_TABLE(fmod, NULL)
TSM_LOOP_TABLE(pow, NULL)

/* What an operator runs: a row for floats (TSM_ROW_COUNT: none), an operation of simd/integer.h for integers and one for
 * bools (TSM_INT_COUNT: none), loops for what has neither. */
typedef struct work { tsm_row row; tsm_int_kind whole, truth; const tsm_loop_fn *loops; } work;
#define BY_LOOPS(row, loops) (work){TSM_ROW_##row, TSM_INT_COUNT, TSM_INT_COUNT, loops}

static tsm_status run_into(tsm_opcall *c, const tsm_tensor *out, uint8_t computed, work w, void *extra) {
  tsm_operand operands[3] = {tsm_operand_tensor(out, computed), tsm_operand_arg(c, 0, computed),
                             tsm_operand_arg(c, 1, computed)};
  if (w.row != TSM_ROW_COUNT && tsm_has_row(c, computed, w.row))
    return tsm_pointwise_row(c, computed, w.row, operands, 3);
  const tsm_int_kind op = computed == TSM_BOOL8 ? w.truth : w.whole;
  if (op != TSM_INT_COUNT && !tsm_dtype_is_float(computed)) return tsm_pointwise_int(c, op, operands, 3);
  return tsm_pointwise_run(c, w.loops ? w.loops[computed] : NULL, extra, operands, 3);
}

/* New result: it has the computing dtype. */
static tsm_status run_new(tsm_opcall *c, work w, void *extra) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  return run_into(c, out, out->dtype, w, extra);
}

static tsm_status run_inplace(tsm_opcall *c, uint8_t computed, work w, void *extra) {
  tsm_status status = tsm_inplace_prepare(c, 1, 1, computed);
  if (!status) status = run_into(c, tsm_arg_tensor(c, 0), computed, w, extra);
  return status ? status : tsm_return_self(c);
}

static bool pair_is_one(tsm_pair p) { return p.tag == TSM_FLOAT ? p.as.f == 1.0 : p.as.i == 1; }

static tsm_pair negated(tsm_pair p) {
  if (p.tag == TSM_FLOAT) p.as.f = -p.as.f;
  else p.as.bits = 0 - p.as.bits;
  return p;
}

static tsm_status check_alpha(tsm_opcall *c, uint8_t computed, tsm_pair alpha) {
  if (alpha.tag == TSM_BOOL && computed != TSM_BOOL8)
    return tsm_raise(c->ctx, "RuntimeError", "%s: Boolean alpha only supported for Boolean results.",
                     c->site->op->name);
  if (alpha.tag == TSM_FLOAT && !tsm_dtype_is_float(computed))
    return tsm_raise(c->ctx, "RuntimeError",
                     "%s: For integral input tensors, argument alpha must not be a floating point number.",
                     c->site->op->name);
  return TSM_OK;
}

/* self + scale * other */
static tsm_status run_add_scaled(tsm_opcall *c, const tsm_tensor *out, uint8_t computed, tsm_pair scale) {
  tsm_operand operands[4] = {tsm_operand_tensor(out, computed), tsm_operand_arg(c, 0, computed),
                             tsm_operand_arg(c, 1, computed), tsm_operand_scalar(scale, computed)};
  if (tsm_dtype_is_float(computed)) return tsm_pointwise_row(c, computed, TSM_ROW_ADD_SCALED, operands, 4);
  if (computed != TSM_BOOL8) return tsm_pointwise_int(c, TSM_INT_ADD_SCALED, operands, 4);
  return tsm_pointwise_run(c, add_scaled_bool, &operands[3].value, operands, 3);
}

/* self +- alpha * other, into the result or in place. */
static tsm_status run_scaled(tsm_opcall *c, work plain, bool is_inplace) {
  tsm_pair alpha = tsm_arg_pair(c, 2);
  uint8_t computed = is_inplace ? tsm_promote_args(c, 0, 1) : tsm_result_tensor(c, 0)->dtype;
  if (TSM_LIKELY(pair_is_one(alpha) && alpha.tag != TSM_BOOL))
    return is_inplace ? run_inplace(c, computed, plain, NULL) : run_new(c, plain, NULL);
  tsm_status status = check_alpha(c, computed, alpha);
  if (!status && is_inplace) status = tsm_inplace_prepare(c, 1, 1, computed);
  if (status) return status;
  if (plain.row == TSM_ROW_SUB) alpha = negated(alpha);
  status = run_add_scaled(c, is_inplace ? tsm_arg_tensor(c, 0) : tsm_result_tensor(c, 0), computed, alpha);
  return status || !is_inplace ? status : tsm_return_self(c);
}

static const work adding = {TSM_ROW_ADD, TSM_INT_ADD, TSM_INT_OR, NULL};
static const work subtracting = {TSM_ROW_SUB, TSM_INT_SUB, TSM_INT_COUNT, NULL};
static const work multiplying = {TSM_ROW_MUL, TSM_INT_MUL, TSM_INT_AND, NULL};
static const work dividing = {TSM_ROW_DIV, TSM_INT_COUNT, TSM_INT_COUNT, NULL};
static const work largest = {TSM_ROW_MAX, TSM_INT_MAX, TSM_INT_OR, NULL};
static const work smallest = {TSM_ROW_MIN, TSM_INT_MIN, TSM_INT_AND, NULL};

tsm_status tsm_k_add(tsm_opcall *c) { return run_scaled(c, adding, false); }
tsm_status tsm_k_sub(tsm_opcall *c) { return run_scaled(c, subtracting, false); }
tsm_status tsm_k_add_(tsm_opcall *c) { return run_scaled(c, adding, true); }

tsm_status tsm_k_sub_(tsm_opcall *c) {
  tsm_meta unused;
  tsm_status status = tsm_i_binary_no_bool(c, &unused);
  return status ? status : run_scaled(c, subtracting, true);
}

tsm_status tsm_k_mul(tsm_opcall *c) { return run_new(c, multiplying, NULL); }
tsm_status tsm_k_mul_(tsm_opcall *c) { return run_inplace(c, tsm_promote_args(c, 0, 1), multiplying, NULL); }
tsm_status tsm_k_div(tsm_opcall *c) { return run_new(c, dividing, NULL); }
tsm_status tsm_k_div_(tsm_opcall *c) {
  return run_inplace(c, tsm_float_dtype(tsm_promote_args(c, 0, 1)), dividing, NULL);
}
tsm_status tsm_k_atan2(tsm_opcall *c) { return run_new(c, BY_LOOPS(ATAN2, atan2_loops), NULL); }
tsm_status tsm_k_hypot(tsm_opcall *c) { return run_new(c, BY_LOOPS(HYPOT, hypot_loops), NULL); }
tsm_status tsm_k_xlogy(tsm_opcall *c) { return run_new(c, BY_LOOPS(COUNT, xlogy_loops), NULL); }
tsm_status tsm_k_maximum(tsm_opcall *c) { return run_new(c, largest, NULL); }
tsm_status tsm_k_minimum(tsm_opcall *c) { return run_new(c, smallest, NULL); }

#define BITWISE(name, op, truth)                                                                                       \
  tsm_status tsm_k_bitwise_##name(tsm_opcall *c) {                                                                     \
    return run_new(c, (work){TSM_ROW_COUNT, op, truth, NULL}, NULL);                                                   \
  }                                                                                                                    \
  tsm_status tsm_k_bitwise_##name##_(tsm_opcall *c) {                                                                  \
    return run_inplace(c, tsm_promote_args(c, 0, 1), (work){TSM_ROW_COUNT, op, truth, NULL}, NULL);                    \
  }
BITWISE(and, TSM_INT_AND, TSM_INT_AND)
BITWISE(or, TSM_INT_OR, TSM_INT_OR)
BITWISE(xor, TSM_INT_XOR, TSM_INT_XOR)
BITWISE(left_shift, TSM_INT_LEFT, TSM_INT_COUNT)
BITWISE(right_shift, TSM_INT_RIGHT, TSM_INT_COUNT)

static tsm_status run_division(tsm_opcall *c, work w, bool is_inplace) {
  bool has_zero = false;
  tsm_status status = is_inplace ? run_inplace(c, tsm_promote_args(c, 0, 1), w, &has_zero) : run_new(c, w, &has_zero);
  if (!status && has_zero) return tsm_raise(c->ctx, "RuntimeError", "ZeroDivisionError");
  return status;
}

static const work dividing_down = {TSM_ROW_FLOOR_DIVIDE, TSM_INT_COUNT, TSM_INT_COUNT, floor_divide_loops};
static const work leaving = {TSM_ROW_REMAINDER, TSM_INT_COUNT, TSM_INT_COUNT, remainder_loops};

tsm_status tsm_k_floor_divide(tsm_opcall *c) { return run_division(c, dividing_down, false); }
tsm_status tsm_k_remainder(tsm_opcall *c) { return run_division(c, leaving, false); }
tsm_status tsm_k_fmod(tsm_opcall *c) { return run_division(c, BY_LOOPS(FMOD, fmod_loops), false); }
tsm_status tsm_k_floor_divide_(tsm_opcall *c) { return run_division(c, dividing_down, true); }
tsm_status tsm_k_remainder_(tsm_opcall *c) { return run_division(c, leaving, true); }

/* Exponents that PyTorch computes without pow(), so that results agree bit for bit. TSM_ROW_COUNT: none of them. */
static tsm_row special_power(double exponent) {
  return exponent == 2 ? TSM_ROW_SQUARE : exponent == 3 ? TSM_ROW_CUBE : exponent == 0.5 ? TSM_ROW_SQRT : TSM_ROW_COUNT;
}

static tsm_status check_integer_exponent(tsm_opcall *c, uint8_t computed, tsm_pair p) {
  if (p.as.i < 0)
    return tsm_raise(c->ctx, "RuntimeError", "%s: Integers to negative integer powers are not allowed.",
                     c->site->op->name);
  tsm_slot stored;
  stored.bits = 0;
  tsm_element_store(computed, &stored, p);
  if (tsm_element_load(computed, &stored).as.i != p.as.i)
    return tsm_raise(c->ctx, "RuntimeError", "%s: the exponent %lld does not fit in dtype %s", c->site->op->name,
                     (long long)p.as.i, tsm_dtype_name((tsm_dtype)computed));
  return TSM_OK;
}

/* x ** True is x, x ** False is True. */
TSM_BINARY_LOOP(power_bool, uint8_t, uint8_t, uint8_t, x | (y ^ 1))

static const work powers = {TSM_ROW_POW, TSM_INT_COUNT, TSM_INT_COUNT, pow_loops};

/* The elements of argument 0 to the power of argument 1, computed in a dtype, into `out`. */
static tsm_status power_into(tsm_opcall *c, const tsm_tensor *out, uint8_t computed) {
  if (tsm_arg_is_tensor(c, 1)) return run_into(c, out, computed, powers, NULL);
  tsm_operand operands[3] = {tsm_operand_tensor(out, computed), tsm_operand_arg(c, 0, computed),
                             tsm_operand_arg(c, 1, computed)};
  if (computed == TSM_BOOL8) return tsm_pointwise_run(c, power_bool, NULL, operands, 3);
  tsm_pair p = tsm_arg_pair(c, 1);
  if (tsm_dtype_is_float(computed)) {
    tsm_row special = special_power(p.tag == TSM_FLOAT ? p.as.f : (double)p.as.i);
    return special == TSM_ROW_COUNT ? run_into(c, out, computed, powers, NULL)
                                    : tsm_pointwise_row(c, computed, special, operands, 2);
  }
  tsm_status status = check_integer_exponent(c, computed, p);
  return status ? status : tsm_pointwise_run(c, pow_loops[computed], NULL, operands, 3);
}

tsm_status tsm_k_pow(tsm_opcall *c) {
  const tsm_tensor *out = tsm_result_tensor(c, 0);
  return power_into(c, out, out->dtype);
}

tsm_status tsm_k_pow_(tsm_opcall *c) {
  uint8_t computed = tsm_promote_args(c, 0, 1);
  tsm_status status = tsm_inplace_prepare(c, 1, 1, computed);
  if (!status) status = power_into(c, tsm_arg_tensor(c, 0), computed);
  return status ? status : tsm_return_self(c);
}
