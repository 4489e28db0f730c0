/* cpu.c - what this processor can do.
 * In: the processor's own description. Out: the instruction set for the kernels, and how they read memory.
 * Holds: no set is chosen that the processor or the operating system cannot run. */
#include "cpu.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* Register states that the operating system saves, as XCR0 has them; 0 if it does not say. */
static unsigned saved_states(unsigned features) {
  if (!(features & bit_OSXSAVE)) return 0;
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/* __builtin_cpu_supports would bring the description of every processor there is, 4 KB of it. */
tsm_isa tsm_isa_best(void) {
  enum { YMM = 0x6, ZMM = 0xE6 };
  const unsigned old = bit_FMA | bit_F16C, wide = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
  unsigned a, b, c, d, extended;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return TSM_ISA_BASE;
  const unsigned states = saved_states(c);
  if ((c & old) != old || (states & YMM) != YMM) return TSM_ISA_BASE;
  if (!__get_cpuid_count(7, 0, &a, &extended, &c, &d) || !(extended & bit_AVX2)) return TSM_ISA_BASE;
  return (extended & wide) == wide && (states & ZMM) == ZMM ? TSM_ISA_AVX512 : TSM_ISA_AVX2;
}

bool tsm_asks_memory(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(0, &a, &b, &c, &d)) return true;
  return b != signature_AMD_ebx || c != signature_AMD_ecx || d != signature_AMD_edx;
}

#else

tsm_isa tsm_isa_best(void) { return TSM_ISA_BASE; }
bool tsm_asks_memory(void) { return true; }

#endif

static const char names[TSM_ISA_COUNT][7] = {"base", "avx2", "avx512"};

const char *tsm_isa_name(tsm_isa isa) { return names[isa]; }

bool tsm_isa_find(const char *name, tsm_isa *out_isa) {
  for (int i = 0; i <= (int)tsm_isa_best(); i++) {
    if (strcmp(name, names[i])) continue;
    *out_isa = (tsm_isa)i;
    return true;
  }
  return false;
}
