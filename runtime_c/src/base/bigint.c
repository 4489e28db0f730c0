/* bigint.c - see bigint.h. Schoolbook arithmetic: the numbers are short. */
#include "bigint.h"

void tsm_big_set(tsm_big *b, uint64_t value) {
  b->count = 0;
  for (; value; value >>= 32) b->words[b->count++] = (uint32_t)value;
}

void tsm_big_multiply_add(tsm_big *b, uint32_t factor, uint32_t term) {
  uint64_t carry = term;
  for (int i = 0; i < b->count; i++) {
    carry += (uint64_t)b->words[i] * factor;
    b->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry && b->count < TSM_BIG_WORDS) b->words[b->count++] = (uint32_t)carry;
}

void tsm_big_multiply_power10(tsm_big *b, int exponent) {
  for (; exponent >= 9; exponent -= 9) tsm_big_multiply_add(b, 1000000000u, 0);
  for (; exponent > 0; exponent--) tsm_big_multiply_add(b, 10, 0);
}

void tsm_big_shift_left(tsm_big *b, int bits) {
  int words = bits / 32, rest = bits % 32;
  if (!b->count) return;
  if (rest) tsm_big_multiply_add(b, (uint32_t)1 << rest, 0);
  if (!words || b->count + words > TSM_BIG_WORDS) return;
  for (int i = b->count - 1; i >= 0; i--) b->words[i + words] = b->words[i];
  for (int i = 0; i < words; i++) b->words[i] = 0;
  b->count += words;
}

int tsm_big_compare(const tsm_big *a, const tsm_big *b) {
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  for (int i = a->count - 1; i >= 0; i--)
    if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
  return 0;
}

int tsm_big_compare_sum(const tsm_big *a, const tsm_big *b, const tsm_big *c) {
  int top = a->count > b->count ? a->count : b->count;
  if (top + 1 < c->count) return -1;
  if (top > c->count) return 1;
  uint64_t borrow = 0; /* what is left of c above this word; two or more decides */
  for (int i = c->count - 1; i >= 0; i--) {
    uint64_t have = (borrow << 32) + c->words[i];
    uint64_t sum = (uint64_t)(i < a->count ? a->words[i] : 0) + (i < b->count ? b->words[i] : 0);
    if (sum > have) return 1;
    borrow = have - sum;
    if (borrow > 1) return -1;
  }
  return borrow ? -1 : 0;
}

void tsm_big_subtract(tsm_big *a, const tsm_big *b) {
  int64_t carry = 0;
  for (int i = 0; i < a->count; i++) {
    carry += (int64_t)a->words[i] - (i < b->count ? b->words[i] : 0);
    a->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  while (a->count && !a->words[a->count - 1]) a->count--;
}

int tsm_big_bits(const tsm_big *b) {
  return b->count ? 32 * b->count - __builtin_clz(b->words[b->count - 1]) : 0;
}

int tsm_big_take_digit(tsm_big *a, const tsm_big *b) {
  int digit = 0;
  while (tsm_big_compare(a, b) >= 0) {
    tsm_big_subtract(a, b);
    digit++;
  }
  return digit;
}
