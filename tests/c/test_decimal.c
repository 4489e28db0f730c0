/* Floats to text and back: shortest repr, formats, correctly rounded parsing, rounding to digits; the same however the
 * processor rounds. */
#include <fenv.h>
#include <math.h>

#include "base/base.h"
#include "check.h"

static const char *repr(double value) {
  static char out[TSM_FLOAT_TEXT + 1];
  out[tsm_float_repr(value, out)] = 0;
  return out;
}

static const char *format(double value, char type, int precision, bool alternate) {
  static char out[512];
  out[tsm_float_format(value, type, precision, alternate, out, sizeof out - 1)] = 0;
  return out;
}

static double parse(const char *text) {
  double value = -12345;
  return tsm_float_parse(text, strlen(text), &value) ? value : -12345;
}

static void test_repr(void) {
  CHECK_TEXT(repr(0.0), "0.0");
  CHECK_TEXT(repr(-0.0), "-0.0");
  CHECK_TEXT(repr(0.1), "0.1");
  CHECK_TEXT(repr(1e16), "1e+16");
  CHECK_TEXT(repr(9999999999999998.0), "9999999999999998.0");
  CHECK_TEXT(repr(0.0001), "0.0001");
  CHECK_TEXT(repr(1e-5), "1e-05");
  CHECK_TEXT(repr(5e-324), "5e-324");
  CHECK_TEXT(repr(1.7976931348623157e308), "1.7976931348623157e+308");
  CHECK_TEXT(repr(2.2250738585072014e-308), "2.2250738585072014e-308");
  CHECK_TEXT(repr(9007199254740993.0), "9007199254740992.0");
  CHECK_TEXT(repr(5e22), "5e+22");
  CHECK_TEXT(repr(INFINITY), "inf");
  CHECK_TEXT(repr(-INFINITY), "-inf");
  CHECK_TEXT(repr((double)NAN), "nan");
}

static void test_format(void) {
  CHECK_TEXT(format(2.5, 'f', 0, false), "2");
  CHECK_TEXT(format(3.5, 'f', 0, false), "4");
  CHECK_TEXT(format(0.5, 'f', 0, false), "0");
  CHECK_TEXT(format(1e22, 'f', 2, false), "10000000000000000000000.00");
  CHECK_TEXT(format(0.1, 'f', 20, false), "0.10000000000000000555");
  CHECK_TEXT(format(9.995, 'f', 2, false), "9.99");
  CHECK_TEXT(format(999.9, 'e', 2, false), "1.00e+03");
  CHECK_TEXT(format(0, 'e', 3, false), "0.000e+00");
  CHECK_TEXT(format(1e-5, 'g', 6, false), "1e-05");
  CHECK_TEXT(format(123456, 'g', 3, false), "1.23e+05");
  CHECK_TEXT(format(100, 'g', 6, true), "100.000");
  CHECK_TEXT(format(100, 'f', 0, true), "100.");
  CHECK_TEXT(format(INFINITY, 'E', 3, false), "INF");
  CHECK(tsm_float_format(1, 'f', 100, false, (char[8]){0}, 8) == 0);
  CHECK(tsm_float_format(1, 'x', 2, false, (char[8]){0}, 8) == 0);
  CHECK(tsm_float_format(1, 'f', INT32_MAX, false, (char[8]){0}, 8) == 0);
}

static void test_parse(void) {
  CHECK(parse("0.1") == 0.1);
  CHECK(parse("9007199254740993") == 9007199254740992.0);
  CHECK(parse("9007199254740993.00000000000000000000001") == 9007199254740994.0);
  CHECK(parse("4.9e-324") == 5e-324);
  CHECK(parse("2.4703282292062327e-324") == 0);
  CHECK(parse("2.4703282292062328e-324") == 5e-324);
  CHECK(parse("2.2250738585072011e-308") == 2.225073858507201e-308);
  CHECK(isinf(parse("1.7976931348623159e308")));
  CHECK(parse("1e99999999999999999999") == INFINITY);
  CHECK(parse("0e99999999999999999999") == 0);
  CHECK(parse("1e-99999999999999999999") == 0);
  CHECK(signbit(parse("-0")));
  CHECK(parse("-Infinity") == -INFINITY);
  CHECK(isnan(parse("nan")));
  const char *malformed[] = {"", ".", "e5", "1e", "1e+", "0x10", "1 ", " 1", "1_0", "--1", "infin", "1.5.2", "+"};
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) CHECK(parse(malformed[i]) == -12345);
}

/* A long literal takes bounded time and is still exact in its far digits. */
static void test_long_literal(void) {
  size_t length = 100000;
  char *text = malloc(length);
  memset(text, '0', length);
  memcpy(text, "9007199254740993.", 17);
  double value;
  CHECK(tsm_float_parse(text, length, &value) && value == 9007199254740992.0);
  text[length - 1] = '1';
  CHECK(tsm_float_parse(text, length, &value) && value == 9007199254740994.0);
  free(text);
}

static double round_to(double value, int64_t digits) {
  double out;
  return tsm_float_round(value, digits, &out) ? out : (double)NAN;
}

static void test_round(void) {
  CHECK(round_to(2.675, 2) == 2.67);
  CHECK(round_to(0.5, 0) == 0.0);
  CHECK(round_to(1.5, 0) == 2.0);
  CHECK(round_to(15.0, -1) == 20.0);
  CHECK(round_to(25.0, -1) == 20.0);
  CHECK(round_to(1e22, 30) == 1e22);
  CHECK(round_to(5e-324, 400) == 5e-324);
  CHECK(signbit(round_to(-0.4, 0)));
  CHECK(isnan(round_to(1.7e308, -308)));
  CHECK(round_to(1.7e308, -400) == 0);
}

/* Every value that is printed reads back as itself. */
static void test_round_trip(void) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 20000; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    double value, back;
    memcpy(&value, &state, sizeof value);
    if (isnan(value)) continue;
    char out[TSM_FLOAT_TEXT];
    size_t n = tsm_float_repr(value, out);
    CHECK(tsm_float_parse(out, n, &back) && memcmp(&back, &value, sizeof value) == 0);
  }
}

int main(void) {
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++) {
    CHECK(fesetround(roundings[i]) == 0);
    test_repr();
    test_format();
    test_parse();
    test_long_literal();
    test_round();
    test_round_trip();
  }
  return check_done();
}
