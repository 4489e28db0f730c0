/* cpu.c - what this processor can do.
 * In: the processor's own description. Out: the instruction set for the kernels and the sizes of its caches.
 * Holds: no set is chosen that the processor or the operating system cannot run. */
#include "cpu.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

tsm_isa tsm_isa_best(void) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return TSM_ISA_BASE;
  bool is_wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return is_wide ? TSM_ISA_AVX512 : TSM_ISA_AVX2;
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

static const char *const names[TSM_ISA_COUNT] = {"base", "avx2", "avx512"};

const char *tsm_isa_name(tsm_isa isa) { return names[isa]; }

bool tsm_isa_find(const char *name, tsm_isa *out_isa) {
  for (int i = 0; i <= (int)tsm_isa_best(); i++) {
    if (strcmp(name, names[i])) continue;
    *out_isa = (tsm_isa)i;
    return true;
  }
  return false;
}
