/* cpu.c - what this processor can do.
 * In: the processor's own description. Out: the instruction set for the kernels and the sizes of its caches.
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

/* Bytes of the data caches by level, from one leaf of the processor's description. */
static bool caches_of_leaf(unsigned leaf, tsm_caches *out) {
  bool found = false;
  for (unsigned i = 0; i < 8; i++) {
    unsigned a, b, c, d;
    if (!__get_cpuid_count(leaf, i, &a, &b, &c, &d) || !(a & 31u)) break;
    unsigned kind = a & 31u, level = a >> 5 & 7u;
    uint64_t bytes = (uint64_t)((b >> 22) + 1) * ((b >> 12 & 1023u) + 1) * ((b & 4095u) + 1) * ((uint64_t)c + 1);
    if (kind == 2 || bytes > UINT32_MAX) continue;
    if (level == 1) out->l1 = (uint32_t)bytes;
    if (level == 2) out->l2 = (uint32_t)bytes;
    if (level == 3) out->l3 = (uint32_t)bytes;
    found = true;
  }
  return found;
}

tsm_caches tsm_caches_here(void) {
  tsm_caches sizes = {32u << 10, 512u << 10, 4u << 20};
  if (!caches_of_leaf(0x8000001Du, &sizes)) caches_of_leaf(4, &sizes);
  return sizes;
}

#else

tsm_isa tsm_isa_best(void) { return TSM_ISA_BASE; }
tsm_caches tsm_caches_here(void) { return (tsm_caches){32u << 10, 512u << 10, 4u << 20}; }

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
