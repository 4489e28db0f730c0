/* bigint.h - unsigned integers of up to 8,192 bits, for exact conversion between binary and decimal.
 * Holds: words above `count` are not read; the top word is not 0. Callers keep results within the capacity. */
#ifndef TSM_BIGINT_H
#define TSM_BIGINT_H

#include <stdint.h>

enum { TSM_BIG_WORDS = 256 };
typedef struct tsm_big { int count; uint32_t words[TSM_BIG_WORDS]; } tsm_big;

void tsm_big_set(tsm_big *b, uint64_t value);
void tsm_big_multiply_add(tsm_big *b, uint32_t factor, uint32_t term);
void tsm_big_multiply_power10(tsm_big *b, int exponent);
void tsm_big_shift_left(tsm_big *b, int bits);
/* -1, 0 or 1. */
int tsm_big_compare(const tsm_big *a, const tsm_big *b);
/* -1, 0 or 1 as a + b compares with c. */
int tsm_big_compare_sum(const tsm_big *a, const tsm_big *b, const tsm_big *c);
/* a -= b; a >= b. */
void tsm_big_subtract(tsm_big *a, const tsm_big *b);
int tsm_big_bits(const tsm_big *b);
/* a -= q * b for the largest q, which must be below 10; returns it. */
int tsm_big_take_digit(tsm_big *a, const tsm_big *b);

#endif
