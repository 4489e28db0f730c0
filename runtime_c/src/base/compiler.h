/* compiler.h - what GCC and Clang are told about the code, where they want to be told differently. */
#ifndef TSM_COMPILER_H
#define TSM_COMPILER_H

#if defined(__i386__) && !defined(__SSE2_MATH__)
#error "tsm computes with SSE2 on x86, as x87 rounds otherwise: compile with -msse2 -mfpmath=sse"
#endif

#define TSM_LIKELY(x) __builtin_expect(!!(x), 1)
#define TSM_UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Of a function whose caller must not go on before it has looked whether the function failed: the compiler warns. */
#define TSM_MUST_CHECK __attribute__((warn_unused_result))
#define TSM_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Loops of kernels. TSM_UNROLL: one of so many turns at most, a number that the compiler knows, is written out, which
 * keeps an array of sums in registers: in memory a product takes six times as long. TSM_UNROLL_BY: one of any number of
 * turns, so many at once. TSM_ROLLED: one that stays as it is. */
#define TSM_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define TSM_UNROLL(most) TSM_PRAGMA(clang loop unroll(full))
#define TSM_UNROLL_BY(turns) TSM_PRAGMA(clang loop unroll_count(turns))
#define TSM_ROLLED TSM_PRAGMA(clang loop unroll(disable))
#else
#define TSM_UNROLL(most) TSM_PRAGMA(GCC unroll most)
#define TSM_UNROLL_BY(turns) TSM_PRAGMA(GCC unroll turns)
#define TSM_ROLLED TSM_PRAGMA(GCC unroll 1)
#endif

#endif
