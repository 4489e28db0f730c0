/* cpu.h - which instruction set the kernels of src/simd run on, chosen when a runtime is made.
 * Tables of such kernels have one entry a set, indexed by rt->isa; use TSM_ISA_TABLE to write them. */
#ifndef TSM_CPU_H
#define TSM_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* In order of preference, so that a larger number is faster; the names are those of TSM_ISA in the build. */
typedef enum tsm_isa { TSM_ISA_BASE, TSM_ISA_AVX2, TSM_ISA_AVX512, TSM_ISA_COUNT } tsm_isa;

/* Entries of a table by instruction set: `const T *const sets[TSM_ISA_COUNT] = TSM_ISA_TABLE(tsm_gemm_set);` where each
 * compilation of the source in src/simd defines `const T TSM_NAMED(tsm_gemm_set) = {...}`. */
#if defined(__x86_64__)
#define TSM_ISA_TABLE(name) {&name##_base, &name##_avx2, &name##_avx512}
#define TSM_ISA_DECLARE(type, name) extern const type name##_base, name##_avx2, name##_avx512
#else
#define TSM_ISA_TABLE(name) {&name##_base, &name##_base, &name##_base}
#define TSM_ISA_DECLARE(type, name) extern const type name##_base
#endif

/* The best set this processor and its operating system can run. */
tsm_isa tsm_isa_best(void);
const char *tsm_isa_name(tsm_isa isa);
/* A set by its name; false, and nothing written, if there is none of this name or it cannot run here. */
bool tsm_isa_find(const char *name, tsm_isa *out_isa);

/* Whether kernels that read weights in a few long stretches should ask memory for what comes next. Intel's cores read
 * them faster then; AMD's, which follow such stretches by themselves, are slowed down: Zen 5 reads 42 GB/s, asked in any
 * way 34 to 38. */
bool tsm_asks_memory(void);

#endif
