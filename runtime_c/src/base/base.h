/* base.h - the ground everything stands on: checked arithmetic, the runtime and its heaps.
 * In: nothing of ours but tsm.h. Out: tsm_runtime, tsm_heap and the allocation functions.
 * Holds: every byte the library uses is obtained through a heap, so caps and n-th-allocation tests see all of them. */
#ifndef TSM_BASE_H
#define TSM_BASE_H

#include <stdatomic.h>
#include <string.h>

#include "../../include/tsm.h"
#include "blocks.h"
#include "compiler.h"
#include "cpu.h"
#include "random.h"

/* Checked arithmetic: true when the result does not fit. */
#define tsm_add_overflows(a, b, out) __builtin_add_overflow(a, b, out)
#define tsm_sub_overflows(a, b, out) __builtin_sub_overflow(a, b, out)
#define tsm_mul_overflows(a, b, out) __builtin_mul_overflow(a, b, out)

/* A tsm_status that has been noted in a context, a reader or an error already, for whoever returns it at once. Every other
 * status must be looked at: `make checked`. */
typedef unsigned tsm_noted;

struct tsm_op_table; /* op.h */
struct tsm_row_set;  /* simd/pointwise.h */
typedef struct tsm_pool tsm_pool;

enum { TSM_LANES = 64 };

struct tsm_runtime {
  _Atomic uint64_t refs; /* the caller's hold + programs + contexts + live objects of the shared heap */
  tsm_alloc_fn alloc;
  void *alloc_user;
  tsm_text_fn print, print_error;
  tsm_warn_fn warn;
  void *text_user;
  tsm_poll_fn poll;  /* NULL: none */
  void *poll_user;
  uint64_t memory_cap, file_cap;
  uint32_t threads, recursion_cap;   /* threads at work in one kernel, the caller's among them: at least 1 */
  tsm_isa isa;                       /* instruction set of the kernels in simd/ */
  bool asks_memory;                  /* tsm_asks_memory(), or as the host chose */
  _Atomic(tsm_pool *) pool;          /* NULL until the first large task */
  _Atomic uint64_t work, work_alone; /* nanoseconds of this run that threads could share, and could but did not */
  tsm_tuning tuning;                 /* as the host chose */
  uint64_t spin_ns;                  /* the longest pause between runs of a series; 0: there are none */
  _Atomic uint64_t run_ended, series_work; /* when the last run ended that had work to share; of runs in series */
  _Atomic bool is_alone, is_joined;  /* the run at work is to be done without workers; one has come */
  bool is_pooled;                    /* blocks come from `blocks`, else each from `alloc` */
  atomic_flag lock;                  /* of memory, memory_peak and blocks */
  _Atomic uint64_t memory, memory_peak;
  _Atomic uint64_t tensors, tensors_peak; /* bytes of tensors' data, kept if tuning.watch_tensors */
  tsm_blocks blocks;
  tsm_streams streams;               /* of all that have none of their own */
  _Atomic(struct tsm_lane *) lanes[TSM_LANES]; /* by thread, see tsm_lane_enter */
  struct tsm_heap *shared;           /* thread-safe heap: tensors, storages and whatever the host makes */
  const struct tsm_op_table *ops;    /* schemas parsed, read-only after tsm_runtime_new */
  const struct tsm_row_set *rows;    /* of `isa`, the same */
};

/* A heap allocates the objects of one owner. The shared heap may be used from any thread; an instance's heap only by
 * the thread that runs the instance. A heap lives until its owner let go and its last object is freed. */
typedef struct tsm_heap {
  tsm_runtime *rt;
  tsm_program *program;       /* kept alive for the types its objects point to; NULL for the shared heap */
  uint64_t live;              /* objects not yet freed (only counted for instance heaps) */
  bool is_shared, is_closed;
  struct tsm_object *cyclic;  /* list of the objects that could be part of a cycle, see tsm_object_track */
  uint64_t cyclic_count, cyclic_limit; /* their number, and the number from which tsm_heap_tidy looks for cycles */
  const tsm_type *const *types;        /* the program's types by number, so that enum members have names; may be NULL */
  uint32_t type_count;
} tsm_heap;

/* Raw blocks, accounted to the runtime. NULL when out of memory or over the cap. Sizes must be given back exactly. From
 * any thread. */
void *tsm_alloc(tsm_runtime *rt, size_t size);
void *tsm_alloc_zeroed(tsm_runtime *rt, size_t size);
void *tsm_realloc(tsm_runtime *rt, void *block, size_t old_size, size_t new_size);
void tsm_free(tsm_runtime *rt, void *block, size_t size);
/* count * size with the overflow checked: NULL on overflow too. */
void *tsm_alloc_array(tsm_runtime *rt, size_t count, size_t size);
/* Bytes of count elements; SIZE_MAX / 2, which is never given, when that is no size. Little may be added to it. */
static inline size_t tsm_room(int64_t count, size_t size) {
  size_t total;
  return tsm_mul_overflows(count, size, &total) || total > SIZE_MAX / 2 ? SIZE_MAX / 2 : total;
}
/* The same as tsm_alloc, aligned to 64 bytes; given back by tsm_free_aligned. */
void *tsm_alloc_aligned(tsm_runtime *rt, size_t size);
void tsm_free_aligned(tsm_runtime *rt, void *block, size_t size);

/* A thread that runs a program has a lane: small blocks it took and gave back, for which it needs no lock. Between
 * enter and leave all allocation of this thread for this runtime uses it; somebody else must keep the runtime alive.
 * NULL: the thread has one already (an outer call's), or must do without. leave gets what enter gave. */
typedef struct tsm_lane tsm_lane;
tsm_lane *tsm_lane_enter(tsm_runtime *rt);
void tsm_lane_leave(tsm_runtime *rt, tsm_lane *entered);

void tsm_runtime_retain(tsm_runtime *rt);
void tsm_runtime_release(tsm_runtime *rt);
/* Gives a hold back without ending the runtime: true if it was the last (memory.c, for tsm_runtime_release). */
bool tsm_runtime_drop(tsm_runtime *rt);

/* NULL when out of memory. `program` is retained. */
tsm_heap *tsm_heap_new(tsm_runtime *rt, tsm_program *program);
/* The owner lets go: cycles are broken, and the heap goes with its last object. */
void tsm_heap_close(tsm_heap *heap);

/* Frees the cycles that nothing outside of them refers to. Safe at any moment: frames hold counts. */
void tsm_heap_collect(tsm_heap *heap);
/* The same, but only when the tracked objects have doubled since the last time: for the end of a call. */
void tsm_heap_tidy(tsm_heap *heap);

/* An arena of blocks freed together: programs and plans are built in one. */
typedef struct tsm_arena_block tsm_arena_block;
typedef struct tsm_arena {
  tsm_runtime *rt;
  tsm_arena_block *blocks;
  size_t used, capacity;
} tsm_arena;
void tsm_arena_init(tsm_arena *arena, tsm_runtime *rt);
/* 16-byte aligned, zero filled; NULL when out of memory or when count * size overflows. count 0 gives a valid pointer. */
void *tsm_arena_alloc(tsm_arena *arena, size_t count, size_t size);
void tsm_arena_free(tsm_arena *arena);

/* Fills an error; out_error may be NULL. Returns `code`. */
tsm_noted tsm_error_set(tsm_error *out_error, tsm_status code, const char *format, ...) TSM_PRINTF(3, 4);
/* Copies a struct of the host, which begins with its size, over `full`, ours with its defaults: a host built against
 * another version of tsm.h may know fewer fields or more. `given` may be NULL. False, TSM_ERR_ARGUMENT if it has no size. */
bool tsm_struct_read(void *full, size_t full_size, const void *given, const char *name, tsm_error *out_error);
/* Copies UTF-8 text into a fixed buffer, cut at a character boundary. */
void tsm_text_fit(char *out, size_t capacity, const char *text, size_t length);
uint32_t tsm_crc32c(uint32_t crc, const void *bytes, size_t length);
/* Length of the valid UTF-8 prefix without surrogates; equal to `length` when all is valid. *out_chars counts it. */
size_t tsm_utf8_valid(const char *bytes, size_t length, size_t *out_chars);

/* Locale-independent numbers (decimal.c). `out` gets at most TSM_FLOAT_TEXT bytes, no final zero; returns the length. */
#define TSM_FLOAT_TEXT 32
size_t tsm_float_repr(double value, char *out);                       /* as repr(float) */
/* type 'e' 'f' 'g' (or upper case), precision >= 0; needs `capacity` bytes, returns the length, 0 if too small. */
size_t tsm_float_format(double value, char type, int precision, bool alternate, char *out, size_t capacity);
/* Correctly rounded; accepts what float(str) accepts after stripping and without underscores. False if malformed. */
bool tsm_float_parse(const char *text, size_t length, double *out_value);

/* round(value, ndigits) as CPython: correctly rounded in decimal. False when the result is too large for a float. */
bool tsm_float_round(double value, int64_t ndigits, double *out_value);

/* Platform (platform.c): the only file with calls beyond C11. */
tsm_status tsm_file_read(tsm_runtime *rt, const char *path, uint8_t **out_bytes, size_t *out_length,
                         tsm_error *out_error);
tsm_status tsm_file_map(const char *path, const uint8_t **out_bytes, size_t *out_length, tsm_error *out_error);
void tsm_file_unmap(const uint8_t *bytes, size_t length);
/* Processors this process may run on; at least 1. */
uint32_t tsm_processor_count(void);
/* Zero filled memory from the system, aligned to 64 bytes at least; in huge pages where the system has them and the
 * size is a multiple of their 2 MB. NULL when there is none. */
void *tsm_pages_new(size_t size);
void tsm_pages_free(void *pages, size_t size);
/* Nanoseconds by a clock that only goes forward. */
uint64_t tsm_now_ns(void);
/* Lets another thread run. */
void tsm_yield(void);

#endif
