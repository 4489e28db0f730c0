/* tsm.h - load a .tsm program and run it. This page is the whole public interface, in lifetime order:
 *
 *     runtime -> program -> instance -> values -> calls -> attributes -> operators
 *
 * A runtime owns the allocator, the hooks and the caps. A program is a loaded, verified, immutable file that
 * threads may share. An instance is its mutable state: one per thread, cheap. Nothing here aborts, exits or jumps:
 * every function that can fail fills the caller's tsm_error and returns a status other than TSM_OK, or NULL.
 *
 * A thread that calls needs 64 KB of stack. Calls round to nearest and meet no floating-point traps, whatever the thread
 * has set, and so do the hooks that they call; the thread finds its settings as they were. Whether denormals are flushed to
 * zero is the thread's choice. */
#ifndef TSM_H
#define TSM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TSM_VERSION_MAJOR 0
#define TSM_VERSION_MINOR 1
#define TSM_VERSION_PATCH 0
#define TSM_VERSION "0.1.0"

#if defined(_WIN32)
#define TSM_API
#elif defined(__GNUC__)
#define TSM_API __attribute__((visibility("default")))
#else
#define TSM_API
#endif

/* ---- Errors -------------------------------------------------------------------------------------------------- */

/* Every status once: name, and the sentence tsm_status_text() returns.
 * TSM_ERR_MEMORY, TSM_ERR_FUEL and TSM_ERR_CANCELLED are traps: no `except` in a program catches them. */
#define TSM_STATUS_LIST(X)                                                                         \
  X(TSM_OK, "ok")                                                                                  \
  X(TSM_ERR_RAISED, "the program raised a Python exception")                                       \
  X(TSM_ERR_MEMORY, "memory could not be allocated, or the memory cap was reached")                \
  X(TSM_ERR_FUEL, "the fuel limit was reached")                                                    \
  X(TSM_ERR_CANCELLED, "the run was cancelled")                                                    \
  X(TSM_ERR_ARGUMENT, "an argument does not fit the method's signature")                           \
  X(TSM_ERR_NOT_FOUND, "there is no method or attribute of that name")                             \
  X(TSM_ERR_IO, "the file could not be read or written")                                           \
  X(TSM_ERR_FORMAT, "the file is not a valid .tsm file")                                           \
  X(TSM_ERR_TRUNCATED, "the file ends too early")                                                  \
  X(TSM_ERR_CHECKSUM, "a checksum does not match: the file is damaged")                            \
  X(TSM_ERR_VERSION, "the file needs a newer version of tsm")                                      \
  X(TSM_ERR_OPERATOR, "the file uses an operator this library does not have")                      \
  X(TSM_ERR_VERIFY, "the program in the file breaks a rule of the language")                       \
  X(TSM_ERR_LIMIT, "the file exceeds a limit of this library")                                     \
  X(TSM_ERR_INTERNAL, "internal error: please report it")

/* May be defined as what the compiler calls an enum whose values must be looked at: [[nodiscard]] in C23 and C++17. */
#ifndef TSM_STATUS_ATTRIBUTE
#define TSM_STATUS_ATTRIBUTE
#endif
#define TSM_STATUS_ENUM_(name, text) name,
typedef enum TSM_STATUS_ATTRIBUTE tsm_status { TSM_STATUS_LIST(TSM_STATUS_ENUM_) TSM_STATUS_COUNT } tsm_status;
#undef TSM_STATUS_ENUM_

/* Filled by a failing call; the caller owns it and nothing in it needs freeing. All texts are UTF-8, zero
 * terminated, and cut at a character boundary when too long; tsm_instance_message() has a message in full. */
typedef struct tsm_error {
  tsm_status code;
  int32_t line;        /* 1-based line in `file`, 0 if unknown */
  int32_t column;      /* 1-based column, 0 if unknown */
  char type[64];       /* Python exception class, as "ValueError"; "" when code is not TSM_ERR_RAISED */
  char op[64];         /* operator that failed, as "add.Tensor"; may be "" */
  char file[256];      /* Python source file of the failing line; may be "" */
  char message[1024];  /* what went wrong, without the class name */
  char trace[2048];    /* Python stack, outermost call first, one "  File ..., line ..., in ..." a line */
} tsm_error;

TSM_API const char *tsm_status_text(tsm_status status);
TSM_API const char *tsm_version(void);

/* ---- Values -------------------------------------------------------------------------------------------------- */

/* Kinds below TSM_FIRST_REF are stored in the value itself; the others point to a counted object. */
typedef enum tsm_kind {
  TSM_NONE = 0,
  TSM_BOOL = 1,
  TSM_INT = 2,
  TSM_FLOAT = 3,
  TSM_DTYPE = 4,   /* as.i is a tsm_dtype */
  TSM_DEVICE = 5,  /* as.i is 0: the CPU */
  TSM_ENUM = 6,    /* as.i is the member's index, `type` the program's type number */
  TSM_FIRST_REF = 16,
  TSM_COMPLEX = 16,
  TSM_STR = 17,
  TSM_BYTES = 18,
  TSM_TENSOR = 19,
  TSM_LIST = 20,
  TSM_DICT = 21,
  TSM_SET = 22,
  TSM_TUPLE = 23,
  TSM_OBJECT = 24,     /* instance of a scripted class or module */
  TSM_EXCEPTION = 25,
  TSM_FUNCTION = 26,
  TSM_CELL = 27,
  TSM_FROZENSET = 28,
  TSM_ANY = 255        /* only as the element kind of a new list or dict: elements of mixed kinds */
} tsm_kind;

typedef enum tsm_dtype {
  TSM_BOOL8 = 0,
  TSM_U8 = 1,
  TSM_I8 = 2,
  TSM_I16 = 3,
  TSM_I32 = 4,
  TSM_I64 = 5,
  TSM_F32 = 6,
  TSM_F64 = 7,
  TSM_BF16 = 8, /* bfloat16: kept, copied, indexed and converted; most arithmetic refuses it */
  TSM_DTYPE_COUNT = 9,
  TSM_F16 = 9, /* from here on names only: programs may compare them, no tensor has them */
  TSM_C64 = 10,
  TSM_C128 = 11,
  TSM_U16 = 12,
  TSM_U32 = 13,
  TSM_U64 = 14,
  TSM_C32 = 15,
  TSM_F8_E4M3FN = 16,
  TSM_F8_E5M2 = 17,
  TSM_F8_E4M3FNUZ = 18,
  TSM_F8_E5M2FNUZ = 19,
  TSM_F8_E8M0FNU = 20,
  TSM_DTYPE_NAMES = 21
} tsm_dtype;

typedef struct tsm_object tsm_object;

/* A tagged value. A value that holds a reference owns one count: release it with tsm_release().
 * Arguments are borrowed by the callee, results are owned by the caller. */
typedef struct tsm_value {
  uint32_t kind;  /* tsm_kind */
  uint32_t type;  /* type number for TSM_ENUM, else 0 */
  union {
    bool b;
    int64_t i;
    double f;
    tsm_object *ref;
  } as;
} tsm_value;

/* ---- Runtime ------------------------------------------------------------------------------------------------- */

typedef struct tsm_runtime tsm_runtime;

/* new_size 0 frees. Returned blocks are aligned for any type; NULL means out of memory. Must be thread-safe. */
typedef void *(*tsm_alloc_fn)(void *user, void *block, size_t old_size, size_t new_size);
typedef void (*tsm_text_fn)(void *user, const char *text, size_t length);
typedef void (*tsm_release_fn)(void *user);

/* A call of warnings.warn() in a program: all of it the program's, valid until the hook returns. */
typedef struct tsm_instance tsm_instance;
typedef struct tsm_warning {
  const char *text;
  size_t length;
  const char *category;   /* its class: "DeprecationWarning"; of one of the program's own with its bases, the nearest first:
                           * "Mine<UserWarning" */
  const char *file;       /* the Python file and line it is about, by its stacklevel; "" and 0 when not known */
  uint32_t line;
  uint64_t outside;       /* 0: that is it. Else the stacklevel means the host: its call's line for 1, the caller of that for
                           * 2 ...; file and line are those where the program was entered */
  tsm_instance *instance; /* that runs; NULL: an operator that was called by itself */
} tsm_warning;
/* True: it is to be raised as an exception, where the program warned. */
typedef bool (*tsm_warn_fn)(void *user, const tsm_warning *warning);
typedef bool (*tsm_poll_fn)(void *user);

/* Pooled, a runtime cuts its blocks from large chunks, which it keeps: once a program has had its largest run, further
 * runs do not allocate. Unpooled, every block is one call of `alloc`: slower, but tools that watch memory see each. */
typedef enum tsm_pooling { TSM_POOLING_DEFAULT = 0, TSM_POOLING_ON = 1, TSM_POOLING_OFF = 2 } tsm_pooling;

/* Something the library does where it pays; the others are for tests. Results are the same. */
typedef enum tsm_choice { TSM_CHOICE_DEFAULT = 0, TSM_CHOICE_ALWAYS = 1, TSM_CHOICE_NEVER = 2 } tsm_choice;

/* How the library does its work, for tests and for finding out what is at fault: no program needs any of it. Results are
 * the same, but for no_winograd, whose rounding differs. Start from TSM_TUNING_INIT; 0 means the default. */
typedef struct tsm_tuning {
  size_t size;          /* sizeof(tsm_tuning) */
  tsm_choice sharing;   /* whether a kernel's work, however little, is divided among the threads */
  tsm_choice fetching;  /* whether fused chains and products of one row ask memory early for what they read next */
  uint32_t spin_us;     /* runs of which each begins within so many microseconds of the end of the one before are a
                         * series: between them worker threads spin, else they sleep. Default 0: 50, about what a wake
                         * takes; TSM_SPIN_NEVER: none are */
  bool no_fusion;       /* fused nodes run operator by operator */
  bool no_winograd;     /* 3x3 convolutions are sums of products only, never Winograd's algorithm */
  bool no_chains;       /* convolutions that feed each other run one by one, never in bands of rows */
  bool watch_tensors;   /* tsm_runtime_tensors_peak() counts */
} tsm_tuning;
#define TSM_SPIN_NEVER UINT32_MAX
#define TSM_TUNING_INIT {sizeof(tsm_tuning), TSM_CHOICE_DEFAULT, TSM_CHOICE_DEFAULT, 0, false, false, false, false}

/* Start from TSM_RUNTIME_OPTIONS_INIT; a field of 0 or NULL means its default. */
typedef struct tsm_runtime_options {
  size_t size;             /* sizeof(tsm_runtime_options) */
  tsm_alloc_fn alloc;      /* default: pages of the system, or malloc and free when not pooled */
  void *alloc_user;
  tsm_text_fn print;       /* where print() goes; default: nowhere */
  tsm_text_fn print_error; /* where print(file=sys.stderr) goes; default: nowhere */
  tsm_warn_fn warn;        /* told of warnings; default: nobody is */
  void *text_user;
  uint64_t memory_cap;     /* bytes that all programs and instances of this runtime may hold; default: no cap */
  uint64_t file_cap;       /* bytes of the largest file that will be loaded; default: no cap */
  uint32_t threads;        /* threads at work in one kernel, the caller's among them; default: one a processor */
  uint32_t recursion_cap;  /* depth at which RecursionError is raised, default 1000 */
  const char *isa;         /* instruction set of the kernels: "base", "avx2", "avx512"; default: the best there is here */
  tsm_pooling pooling;     /* default: pooled, except in a library built with AddressSanitizer */
  tsm_poll_fn poll;        /* called by a call that runs for long, from its thread, about every 65,536 units of fuel (at
                            * most some milliseconds); true ends the call with TSM_ERR_CANCELLED; default: none */
  void *poll_user;
  const tsm_tuning *tuning; /* read while the runtime is made; default: TSM_TUNING_INIT */
  uint64_t seed;           /* where the random stream begins; default: 67280421310721, as PyTorch's */
} tsm_runtime_options;
#define TSM_RUNTIME_OPTIONS_INIT \
  {sizeof(tsm_runtime_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, TSM_POOLING_DEFAULT, 0, 0, 0, 0}

/* options may be NULL. NULL on failure. */
TSM_API tsm_runtime *tsm_runtime_new(const tsm_runtime_options *options, tsm_error *out_error);
/* Programs, instances and values keep their runtime alive; this gives up the caller's hold on it. */
TSM_API void tsm_runtime_free(tsm_runtime *runtime);
/* The instruction set in use, and the number of threads. */
TSM_API const char *tsm_runtime_isa(const tsm_runtime *runtime);
TSM_API uint32_t tsm_runtime_threads(const tsm_runtime *runtime);
/* Changes the number of threads; 0 is one a processor. TSM_ERR_ARGUMENT, and nothing changed, while the present ones are
 * at work: no other thread may be in a call of this runtime. */
TSM_API tsm_status tsm_runtime_set_threads(tsm_runtime *runtime, uint32_t threads);
/* Random numbers: all programs, instances and contexts of a runtime draw from its one stream, in the order of their calls,
 * unless they were given one of their own. Equal seeds give equal numbers on every machine and with any number of
 * threads. What several threads draw at once from one stream is shared out as they come: give each instance its own to
 * repeat a run. From any thread. The state is the seed and how far the stream has come; Python's module `random`, where
 * a program uses it, has a stream beside, which tsm_runtime_seed() starts anew too. */
TSM_API void tsm_runtime_seed(tsm_runtime *runtime, uint64_t seed);
TSM_API void tsm_runtime_random(tsm_runtime *runtime, uint64_t out_state[2]);
TSM_API void tsm_runtime_set_random(tsm_runtime *runtime, const uint64_t state[2]);
/* Bytes now in use by the runtime's programs, instances and values, and the most there ever were (rounded up by at most
 * 8 KB a thread that ran programs). */
TSM_API uint64_t tsm_runtime_memory(const tsm_runtime *runtime);
TSM_API uint64_t tsm_runtime_memory_peak(const tsm_runtime *runtime);
/* The most bytes that tensors had at once, not counting weights in the file's memory: with what was in use before a run,
 * the least that the run could do with. 0 unless tsm_tuning.watch_tensors. */
TSM_API uint64_t tsm_runtime_tensors_peak(const tsm_runtime *runtime);
/* Bytes obtained from the system or the host's allocator. What is not in use is kept for later runs until
 * tsm_runtime_trim() or the runtime's end: a server that had one large request may trim after it. */
TSM_API uint64_t tsm_runtime_memory_held(tsm_runtime *runtime);
/* Gives back the chunks that hold no block in use. From any thread, at any time; costs the next run new chunks. */
TSM_API void tsm_runtime_trim(tsm_runtime *runtime);

/* ---- Program ------------------------------------------------------------------------------------------------- */

typedef struct tsm_program tsm_program;
typedef struct tsm_type tsm_type;

/* A function that a program calls by name: one of the host, where a Python function marked `tsm.jit.ignore` was. `args`
 * are borrowed, lists, dicts and instances among them the program's own. *out_result is None; what the function puts
 * there is taken over, checked against `result`, the declared type, and its ints become floats where that says so.
 * Returns TSM_OK, what tsm_instance_raise() gave, or TSM_ERR_CANCELLED to end the call. It may read and set attributes of
 * `instance`, but not call it. */
typedef tsm_status (*tsm_host_fn)(void *user, tsm_instance *instance, const tsm_value *args, size_t count,
                                  const tsm_type *result, tsm_value *out_result);
typedef struct tsm_host_function {
  const char *name;
  tsm_host_fn call;
  void *user;
} tsm_host_function;

/* Start from TSM_LOAD_OPTIONS_INIT. */
typedef struct tsm_load_options {
  size_t size;              /* sizeof(tsm_load_options) */
  const tsm_value *bound;   /* tensors that take the place of storages the image marks as bound, in their order */
  size_t bound_count;
  bool check_weights;       /* also check the checksum of the weights */
  bool bound_is_constant;   /* bound tensors are never written, as a file's weights: what writes one gets a copy of it */
  const tsm_host_function *functions; /* copied; a program that calls others by name is refused with their names */
  size_t function_count;
} tsm_load_options;
#define TSM_LOAD_OPTIONS_INIT {sizeof(tsm_load_options), 0, 0, false, false, 0, 0}

/* Reads a whole file, copies it into memory, verifies everything. NULL on failure. options may be NULL. */
TSM_API tsm_program *tsm_program_open(tsm_runtime *runtime, const char *path, const tsm_load_options *options,
                                      tsm_error *out_error);
/* The same from memory; the bytes may be freed afterwards. */
TSM_API tsm_program *tsm_program_load_copy(tsm_runtime *runtime, const void *bytes, size_t length,
                                           const tsm_load_options *options, tsm_error *out_error);
/* The same without a copy, but for weights on a big-endian machine, which cannot use them in place: `bytes` (64-byte
 * aligned) stays in use until `release(user)` is called. On failure release is not called and the bytes are the caller's
 * again. */
TSM_API tsm_program *tsm_program_load_borrow(tsm_runtime *runtime, const void *bytes, size_t length,
                                             tsm_release_fn release, void *user, const tsm_load_options *options,
                                             tsm_error *out_error);
/* Maps the file instead of reading it. Truncating a mapped file while in use is fatal: opt-in. */
TSM_API tsm_program *tsm_program_map(tsm_runtime *runtime, const char *path, const tsm_load_options *options,
                                     tsm_error *out_error);
/* Gives up the caller's hold; instances keep their program alive. */
TSM_API void tsm_program_free(tsm_program *program);

/* A method: an entry point of the program. All pointers live as long as the program. */
typedef struct tsm_param_info {
  const char *name;
  const tsm_type *type;
  bool has_default;
  bool keyword_only;
} tsm_param_info;

typedef struct tsm_method_info {
  const char *name;
  const char *doc;              /* may be "" */
  size_t param_count;           /* without self */
  const tsm_param_info *params;
  const tsm_type *result;
  uint64_t mutates;             /* bit i: the call may change parameter i (a container or object) */
} tsm_method_info;

TSM_API size_t tsm_program_method_count(const tsm_program *program);
/* The types of a program by number; NULL from the number of types on. */
TSM_API const tsm_type *tsm_program_type(const tsm_program *program, size_t number);
TSM_API tsm_status tsm_program_method(const tsm_program *program, size_t index, tsm_method_info *out_info);
/* Index of a method, or -1. */
TSM_API int32_t tsm_program_find(const tsm_program *program, const char *name);
/* Default of a parameter, owned by the caller; TSM_ERR_NOT_FOUND if it has none. */
TSM_API tsm_status tsm_program_default(const tsm_program *program, size_t method, size_t param, tsm_value *out_value);

TSM_API size_t tsm_program_metadata_count(const tsm_program *program);
TSM_API tsm_status tsm_program_metadata(const tsm_program *program, size_t index, const char **out_key,
                                        const char **out_value, size_t *out_value_length);
TSM_API size_t tsm_program_extra_count(const tsm_program *program);
TSM_API tsm_status tsm_program_extra(const tsm_program *program, size_t index, const char **out_name,
                                     const void **out_bytes, size_t *out_length);
/* The Python source that the program has for a file of its tracebacks: not zero-terminated, there as long as the program.
 * TSM_ERR_NOT_FOUND without. */
TSM_API tsm_status tsm_program_source(const tsm_program *program, const char *file, const char **out_text,
                                      size_t *out_length);
TSM_API size_t tsm_program_operator_count(const tsm_program *program);
TSM_API const char *tsm_program_operator(const tsm_program *program, size_t index); /* as "add.Tensor" */
/* The instructions that every function became on this machine, as text to read; owned by the caller. */
TSM_API tsm_status tsm_program_plan(const tsm_program *program, tsm_value *out_str, tsm_error *out_error);
/* Checks the checksum of the weights, which loading leaves out. */
TSM_API tsm_status tsm_program_verify(const tsm_program *program, tsm_error *out_error);
/* CRC-32C of bytes as files use it, continuing from `crc` (0 to start): for writers of files. */
TSM_API uint32_t tsm_crc32c(uint32_t crc, const void *bytes, size_t length);

/* Types are owned by their program (or by the runtime for those of operators). */
typedef enum tsm_type_kind {
  TSM_T_NONE = 0, TSM_T_BOOL = 1, TSM_T_INT = 2, TSM_T_FLOAT = 3, TSM_T_COMPLEX = 4, TSM_T_STR = 5,
  TSM_T_BYTES = 6, TSM_T_TENSOR = 7, TSM_T_LIST = 8, TSM_T_DICT = 9, TSM_T_SET = 10, TSM_T_TUPLE = 11,
  TSM_T_NAMED_TUPLE = 12, TSM_T_OPTIONAL = 13, TSM_T_UNION = 14, TSM_T_SCALAR = 15, TSM_T_ANY = 16,
  TSM_T_ENUM = 17, TSM_T_CLASS = 18, TSM_T_FUNCTION = 19, TSM_T_DTYPE = 20, TSM_T_DEVICE = 21,
  TSM_T_EXCEPTION = 22, TSM_T_CELL = 23, TSM_T_FROZENSET = 24, TSM_T_COUNT = 25
} tsm_type_kind;

TSM_API tsm_type_kind tsm_type_kind_of(const tsm_type *type);
/* Members: element of a list, set or frozenset; key and value of a dict; elements of a tuple; inner type of an Optional; arms
 * of a Union; attributes of a class; fields of a named tuple. */
TSM_API size_t tsm_type_member_count(const tsm_type *type);
TSM_API const tsm_type *tsm_type_member(const tsm_type *type, size_t index);
/* Name of an attribute, a field or an enum member; NULL if it has none. */
TSM_API const char *tsm_type_member_name(const tsm_type *type, size_t index);
/* Name of a class, named tuple or enum, or of a subclass of dict ("OrderedDict"); "" for the others. */
TSM_API const char *tsm_type_name(const tsm_type *type);
/* Name of a class with that of its Python module, as "shapes.Circle"; "defaultdict of a function" for one whose
 * factory the program has; for other types as tsm_type_name. */
TSM_API const char *tsm_type_qualified_name(const tsm_type *type);
/* Writes the type as Python spells it ("dict[str, Tensor]"); returns the length needed without the final zero. */
TSM_API size_t tsm_type_text(const tsm_type *type, char *out_text, size_t capacity);

/* ---- Instance ------------------------------------------------------------------------------------------------ */

/* NULL on failure. */
TSM_API tsm_instance *tsm_instance_new(tsm_program *program, tsm_error *out_error);
/* From a hook of a running call: the instance goes when that call ends. */
TSM_API void tsm_instance_free(tsm_instance *instance);
/* A second instance with a copy of the first one's state. */
TSM_API tsm_instance *tsm_instance_clone(tsm_instance *instance, tsm_error *out_error);
/* Back to the state in the file. */
TSM_API tsm_status tsm_instance_reset(tsm_instance *instance, tsm_error *out_error);
/* Writes a .tsm file with the instance's present state; `write` returns false to stop. */
typedef bool (*tsm_write_fn)(void *user, const void *bytes, size_t length);
TSM_API tsm_status tsm_instance_save(tsm_instance *instance, tsm_write_fn write, void *user, tsm_error *out_error);
/* Fuel of each later call. It bounds time: a unit is at most 100 ns of a thread on a desktop processor, and most often a
 * tenth of that; one for a scalar instruction, or for some elements of a kernel or container. 0: no limit. */
TSM_API void tsm_instance_set_fuel(tsm_instance *instance, uint64_t fuel);
TSM_API uint64_t tsm_instance_fuel_used(const tsm_instance *instance);
/* Stops the running call soon; may be called from any thread or a signal handler. */
TSM_API void tsm_instance_cancel(tsm_instance *instance);
/* Gives the instance a random stream of its own, which begins at the seed; clones begin where it stands, and
 * tsm_instance_reset() begins it anew. Not while the instance runs. */
TSM_API void tsm_instance_seed(tsm_instance *instance, uint64_t seed);
/* The state of its own stream, to be kept beside a saved file, which does not hold it; false, and zeros, if it draws from
 * the runtime's. Setting a state gives it its own stream; NULL, the runtime's again. Not while the instance runs. */
TSM_API bool tsm_instance_random(tsm_instance *instance, uint64_t out_state[4]);
TSM_API void tsm_instance_set_random(tsm_instance *instance, const uint64_t state[4]);
/* The message of the last failed call in full; borrowed until the next call. */
TSM_API const char *tsm_instance_message(const tsm_instance *instance, size_t *out_length);
/* What the last failed call raised, if the program raised an exception of its own: its class, followed by its bases up
 * to a builtin one for a user's class, "Mine<Base<ValueError" (borrowed until the next call); NULL otherwise.
 * `out_args` are its arguments, a tuple, or its message, a str, if it has none of its own; `out_attributes` names and
 * values of its attributes in turn, a tuple or None: to release. */
TSM_API const char *tsm_instance_exception(const tsm_instance *instance, tsm_value *out_args,
                                           tsm_value *out_attributes);
/* The same of an exception that is a value: an argument or attribute of another. */
TSM_API const char *tsm_exception_parts(tsm_value exception, tsm_value *out_args, tsm_value *out_attributes);
TSM_API tsm_program *tsm_instance_program(const tsm_instance *instance); /* borrowed */
/* For a host function, which then returns TSM_ERR_RAISED, as this does: raises an exception of a class, a builtin one by
 * its name ("ValueError") or a user's as above, with hashable arguments, borrowed. TSM_ERR_MEMORY. */
TSM_API tsm_status tsm_instance_raise(tsm_instance *instance, const char *type, const tsm_value *args, size_t count);

/* ---- Making and reading values -------------------------------------------------------------------------------- */

static inline tsm_value tsm_none(void) { tsm_value v; v.kind = TSM_NONE; v.type = 0; v.as.i = 0; return v; }
static inline tsm_value tsm_bool(bool b) { tsm_value v; v.kind = TSM_BOOL; v.type = 0; v.as.i = 0; v.as.b = b; return v; }
static inline tsm_value tsm_int(int64_t i) { tsm_value v; v.kind = TSM_INT; v.type = 0; v.as.i = i; return v; }
static inline tsm_value tsm_float(double f) { tsm_value v; v.kind = TSM_FLOAT; v.type = 0; v.as.f = f; return v; }
static inline tsm_value tsm_dtype_value(tsm_dtype d) {
  tsm_value v; v.kind = TSM_DTYPE; v.type = 0; v.as.i = (int64_t)d; return v;
}

TSM_API void tsm_retain(tsm_value value);
TSM_API void tsm_release(tsm_value value);
TSM_API void tsm_release_all(tsm_value *values, size_t count);

TSM_API tsm_status tsm_complex_new(tsm_runtime *runtime, double re, double im, tsm_value *out_value);
TSM_API void tsm_complex_get(tsm_value value, double *out_re, double *out_im);
/* `bytes` must be UTF-8 without surrogates; else TSM_ERR_ARGUMENT. */
TSM_API tsm_status tsm_str_copy(tsm_runtime *runtime, const char *bytes, size_t length, tsm_value *out_value);
/* UTF-8, zero terminated, borrowed from the value. */
TSM_API const char *tsm_str_borrow(tsm_value value, size_t *out_length);
TSM_API tsm_status tsm_bytes_copy(tsm_runtime *runtime, const void *bytes, size_t length, tsm_value *out_value);
TSM_API const void *tsm_bytes_borrow(tsm_value value, size_t *out_length);

/* Tensors. Shapes and strides count elements; strides may be NULL for row-major. */
#define TSM_MAX_RANK 32
TSM_API tsm_status tsm_tensor_new(tsm_runtime *runtime, tsm_dtype dtype, size_t rank, const int64_t *shape,
                                  tsm_value *out_value);  /* zero filled */
TSM_API tsm_status tsm_tensor_copy(tsm_runtime *runtime, tsm_dtype dtype, size_t rank, const int64_t *shape,
                                   const int64_t *strides, const void *data, tsm_value *out_value);
/* Uses the caller's memory until `release(user)` is called (NULL: the caller keeps it alive for as long as any view
 * of it lives). `data` points at the element with index 0; strides may be negative or zero. */
TSM_API tsm_status tsm_tensor_borrow(tsm_runtime *runtime, tsm_dtype dtype, size_t rank, const int64_t *shape,
                                     const int64_t *strides, void *data, bool writable, tsm_release_fn release,
                                     void *user, tsm_value *out_value);
TSM_API tsm_dtype tsm_tensor_dtype(tsm_value value);
TSM_API size_t tsm_tensor_rank(tsm_value value);
TSM_API const int64_t *tsm_tensor_shape(tsm_value value);
TSM_API const int64_t *tsm_tensor_strides(tsm_value value);
TSM_API int64_t tsm_tensor_numel(tsm_value value);
TSM_API bool tsm_tensor_is_contiguous(tsm_value value);
/* First element, in the byte order of this machine. Read-only; valid until the tensor is next written or released. */
TSM_API const void *tsm_tensor_data(tsm_value value);
/* The same for writing: makes shared weights private first. NULL on failure. */
TSM_API void *tsm_tensor_data_mut(tsm_value value);
/* Identity of the memory behind a tensor (equal for views of one storage), and its size in bytes. */
TSM_API const void *tsm_tensor_storage(tsm_value value, size_t *out_bytes);
/* Another tensor over the storage of `base`, from `offset` elements after the storage's start. */
TSM_API tsm_status tsm_tensor_view(tsm_value base, tsm_dtype dtype, size_t rank, const int64_t *shape,
                                   const int64_t *strides, int64_t offset, tsm_value *out_value);
TSM_API int64_t tsm_tensor_offset(tsm_value value);  /* elements from the storage's start */
TSM_API size_t tsm_dtype_size(tsm_dtype dtype);
TSM_API const char *tsm_dtype_name(tsm_dtype dtype);  /* "float32" */

/* Lists. A list made here takes elements of one kind, or of any with TSM_ANY. */
TSM_API tsm_status tsm_list_new(tsm_runtime *runtime, tsm_kind element, size_t reserve, tsm_value *out_value);
TSM_API size_t tsm_list_length(tsm_value list);
TSM_API tsm_status tsm_list_get(tsm_value list, size_t index, tsm_value *out_value);
TSM_API tsm_status tsm_list_set(tsm_value list, size_t index, tsm_value value);
/* maxlen of a deque, which is a list; SIZE_MAX for none. It is set once, before elements are added. */
TSM_API size_t tsm_deque_limit(tsm_value deque);
TSM_API tsm_status tsm_deque_set_limit(tsm_value deque, size_t limit);
TSM_API tsm_status tsm_list_append(tsm_value list, tsm_value value);
TSM_API tsm_status tsm_list_resize(tsm_value list, size_t length); /* shorter, or longer with 0, 0.0 or None */
/* The elements of a list of int, float or bool, in place, until its length next changes; NULL for other lists. */
TSM_API int64_t *tsm_list_ints(tsm_value list);
TSM_API double *tsm_list_floats(tsm_value list);
TSM_API uint8_t *tsm_list_bools(tsm_value list);

/* Dicts keep insertion order. Keys are str, int, bool, float, enum or tuples of those. Iterate by *position = 0. */
TSM_API tsm_status tsm_dict_new(tsm_runtime *runtime, tsm_kind key, tsm_kind value, tsm_value *out_value);
/* A set has its own two functions; length, remove, clear and next (with None as value) are those of a dict. */
TSM_API tsm_status tsm_set_new(tsm_runtime *runtime, tsm_kind element, tsm_value *out_value);
TSM_API tsm_status tsm_set_add(tsm_value set, tsm_value item);
/* Makes a set that the host has made, and nobody else holds yet, a frozenset. */
TSM_API tsm_status tsm_set_freeze(tsm_value *set);
TSM_API size_t tsm_dict_length(tsm_value dict);
TSM_API tsm_status tsm_dict_get(tsm_value dict, tsm_value key, tsm_value *out_value);
TSM_API tsm_status tsm_dict_set(tsm_value dict, tsm_value key, tsm_value value);
TSM_API tsm_status tsm_dict_remove(tsm_value dict, tsm_value key);
TSM_API void tsm_dict_clear(tsm_value dict);
TSM_API bool tsm_dict_next(tsm_value dict, size_t *position, tsm_value *out_key, tsm_value *out_value);

TSM_API tsm_status tsm_tuple_new(tsm_runtime *runtime, size_t length, const tsm_value *items, tsm_value *out_value);
TSM_API size_t tsm_tuple_length(tsm_value tuple);
TSM_API tsm_status tsm_tuple_get(tsm_value tuple, size_t index, tsm_value *out_value);
/* Makes a tuple of ints that the host has made, and nobody else holds yet, a Size, as x.shape is in Python: its text says
 * so, and so do slices and sums of it. TSM_ERR_ARGUMENT: it is none. */
TSM_API tsm_status tsm_tuple_set_size(tsm_value tuple);
TSM_API bool tsm_tuple_is_size(tsm_value tuple);

/* A member of an enum type, by position; the type of such a value, NULL if the program has none; and what the member's
 * `.value` is. */
TSM_API tsm_status tsm_enum_new(const tsm_type *type, size_t member, tsm_value *out_value);
TSM_API const tsm_type *tsm_enum_type(const tsm_program *program, tsm_value value);
TSM_API tsm_status tsm_enum_value(tsm_runtime *runtime, const tsm_type *type, size_t member, tsm_value *out_value);

/* Type an object, list, dict or tuple was made with by a program; NULL when made by the host. */
TSM_API const tsm_type *tsm_value_type(tsm_value value);
/* str(value) or repr(value), as Python prints it, owned by the caller. */
TSM_API tsm_status tsm_value_text(tsm_runtime *runtime, tsm_value value, bool repr, tsm_value *out_str);

/* ---- Calls --------------------------------------------------------------------------------------------------- */

/* Calls a method by name with positional arguments; missing ones take their defaults. */
TSM_API tsm_status tsm_call(tsm_instance *instance, const char *method, const tsm_value *args, size_t count,
                            tsm_value *out_result, tsm_error *out_error);
/* The same by index (tsm_program_find), with the last `named` of `args` given by name. */
TSM_API tsm_status tsm_call_method(tsm_instance *instance, size_t method, const tsm_value *args, size_t count,
                                   const char *const *names, size_t named, tsm_value *out_result,
                                   tsm_error *out_error);

/* The same, with the result's elements written into tensors of the caller: `outs` are the one tensor that the method
 * returns, or those of the tuple or list it returns, each of the same dtype and shape and writable, else
 * TSM_ERR_ARGUMENT; then, as after any failure, what they hold is not defined. */
TSM_API tsm_status tsm_call_into(tsm_instance *instance, size_t method, const tsm_value *args, size_t count,
                                 const char *const *names, size_t named, const tsm_value *outs, size_t out_count,
                                 tsm_error *out_error);

/* ---- Attributes ---------------------------------------------------------------------------------------------- */

/* Dotted path from the module, as "layers.0.weight". Got values are owned by the caller; lists, dicts, objects and
 * tensors are the instance's own, not copies. */
TSM_API tsm_status tsm_get_attr(tsm_instance *instance, const char *path, tsm_value *out_value, tsm_error *out_error);
TSM_API tsm_status tsm_set_attr(tsm_instance *instance, const char *path, tsm_value value, tsm_error *out_error);
/* Attributes of an object value, by position (see tsm_value_type). */
TSM_API tsm_status tsm_object_get(tsm_value object, size_t index, tsm_value *out_value);
/* A new instance of a class of the instance's program, no attribute set: an argument for its methods; or an empty list,
 * dict or set of one of its types, as those of enum members and named tuples must be. TSM_ERR_ARGUMENT if the type is
 * none of the program's, or a module. */
TSM_API tsm_status tsm_object_new(tsm_instance *instance, const tsm_type *type, tsm_value *out_value);
/* A named tuple of one of its types, of as many items as that has fields. TypeError in out_error if one does not fit. */
TSM_API tsm_status tsm_named_tuple_new(tsm_instance *instance, const tsm_type *type, const tsm_value *items,
                                       tsm_value *out_value, tsm_error *out_error);
/* Sets an attribute by position. TypeError in out_error if the value does not fit the attribute's type. */
TSM_API tsm_status tsm_object_set(tsm_instance *instance, tsm_value object, size_t index, tsm_value value,
                                  tsm_error *out_error);
/* The module itself; TSM_ERR_NOT_FOUND for a program of functions only. */
TSM_API tsm_status tsm_instance_root(tsm_instance *instance, tsm_value *out_value);

/* ---- Operators: the table, and calls outside a program --------------------------------------------------------- */

typedef struct tsm_op_info {
  const char *name;       /* "add" */
  const char *overload;   /* "Tensor" */
  const char *schema;     /* "(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor" */
  uint32_t traits;        /* see ops.def */
  uint32_t since;         /* major * 1000 + minor of the version that added it */
} tsm_op_info;

TSM_API size_t tsm_op_count(void);
TSM_API tsm_status tsm_op_get(size_t index, tsm_op_info *out_info);
/* Trait words in bit order, NULL past the end. */
TSM_API const char *tsm_op_trait_name(size_t bit);
/* Structural nodes in number order ("const", "call", "if", ...), NULL past the end. */
TSM_API const char *tsm_node_name(size_t number);

/* A context runs single operators: a place for the error and the fuel, drawing from the runtime's random stream. One per
 * thread. */
typedef struct tsm_context tsm_context;
TSM_API tsm_context *tsm_context_new(tsm_runtime *runtime, tsm_error *out_error);
TSM_API void tsm_context_free(tsm_context *context);
/* Gives the context a random stream of its own. */
TSM_API void tsm_context_seed(tsm_context *context, uint64_t seed);
/* 0: no limit. Counts down over all later calls. */
TSM_API void tsm_context_set_fuel(tsm_context *context, uint64_t fuel);
/* What is left of it; 0 also without a limit. */
TSM_API uint64_t tsm_context_fuel_left(const tsm_context *context);
/* Ends the running operator soon with TSM_ERR_CANCELLED, and every later one until it is set back; from any thread. */
TSM_API void tsm_context_cancel(tsm_context *context, bool is_cancelled);
/* Runs operator `op` on exactly typed arguments in schema order; trailing ones may be left out if they have
 * defaults. Writes as many results as the schema has. */
TSM_API tsm_status tsm_op_call(tsm_context *context, size_t op, const tsm_value *args, size_t count,
                               tsm_value *out_results, tsm_error *out_error);
/* Dtype and shape of an operator's tensor results without running it: results are tensors without memory, as may
 * be tensor arguments made by tsm_tensor_meta. */
TSM_API tsm_status tsm_op_infer(tsm_context *context, size_t op, const tsm_value *args, size_t count,
                                tsm_value *out_results, tsm_error *out_error);
TSM_API tsm_status tsm_tensor_meta(tsm_runtime *runtime, tsm_dtype dtype, size_t rank, const int64_t *shape,
                                   tsm_value *out_value);

#ifdef __cplusplus
}
#endif
#endif
