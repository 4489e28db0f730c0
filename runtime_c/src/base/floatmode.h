/* floatmode.h - how this thread's processor computes with floats.
 * In: whatever the host has set: a rounding mode, traps, flushing of denormals. Out: rounding to nearest without traps
 * while the library computes, and the host's settings again after it.
 * Holds: flushing of denormals stays as the host has it; where nothing is to be changed this costs one read. */
#ifndef TSM_FLOATMODE_H
#define TSM_FLOATMODE_H

#include <stdbool.h>
#include <stdint.h>

/* tsm_float_mode: all of it that kernels see. */
#if defined(__x86_64__)
typedef uint32_t tsm_float_mode; /* the whole environment takes 50 ns to read */
enum { TSM_FLOAT_CHECKED = 0x7F80, TSM_FLOAT_WANTED = 0x1F80 }; /* rounding and masks: nearest, all masked */
static inline void tsm_float_mode_read(tsm_float_mode *out_mode) { *out_mode = __builtin_ia32_stmxcsr(); }
static inline void tsm_float_mode_use(const tsm_float_mode *mode) { __builtin_ia32_ldmxcsr(*mode); }
static inline bool tsm_float_mode_is_plain(const tsm_float_mode *mode) {
  return (*mode & TSM_FLOAT_CHECKED) == TSM_FLOAT_WANTED;
}
static inline void tsm_float_mode_use_plain(const tsm_float_mode *mode) {
  __builtin_ia32_ldmxcsr((*mode & ~(uint32_t)TSM_FLOAT_CHECKED) | TSM_FLOAT_WANTED);
}
#elif defined(__aarch64__) && defined(__GNUC__)
typedef uint64_t tsm_float_mode;
enum { TSM_FLOAT_CHECKED = 0xC09F00 }; /* FPCR: RMode and the enabled traps, all 0 when plain */
static inline void tsm_float_mode_read(tsm_float_mode *out_mode) { __asm__ volatile("mrs %0, fpcr" : "=r"(*out_mode)); }
static inline void tsm_float_mode_use(const tsm_float_mode *mode) {
  __asm__ volatile("msr fpcr, %0" : : "r"(*mode) : "memory");
}
static inline bool tsm_float_mode_is_plain(const tsm_float_mode *mode) { return !(*mode & TSM_FLOAT_CHECKED); }
static inline void tsm_float_mode_use_plain(const tsm_float_mode *mode) {
  const tsm_float_mode plain = *mode & ~(uint64_t)TSM_FLOAT_CHECKED;
  tsm_float_mode_use(&plain);
}
#else
#include <fenv.h>
typedef fenv_t tsm_float_mode;
static inline void tsm_float_mode_read(tsm_float_mode *out_mode) { fegetenv(out_mode); }
static inline void tsm_float_mode_use(const tsm_float_mode *mode) { fesetenv(mode); }
static inline bool tsm_float_mode_is_plain(const tsm_float_mode *mode) { (void)mode; return false; } /* traps are not seen */
static inline void tsm_float_mode_use_plain(const tsm_float_mode *mode) {
  fenv_t before;
  (void)mode;
  feholdexcept(&before);
  fesetround(FE_TONEAREST);
}
#endif

/* For the functions of tsm.h that compute: what they call computes as written. */
static inline void tsm_float_enter(tsm_float_mode *out_host) {
  tsm_float_mode_read(out_host);
  if (!tsm_float_mode_is_plain(out_host)) tsm_float_mode_use_plain(out_host);
}
static inline void tsm_float_leave(const tsm_float_mode *host) {
  if (!tsm_float_mode_is_plain(host)) tsm_float_mode_use(host);
}

#endif
