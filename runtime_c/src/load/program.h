/* program.h - a loaded, verified, immutable program: what load.c builds, lower/ reads and instances share.
 * In: FORMAT.md's sections. Out: types, constants, functions as SSA trees, initial state, methods, locations.
 * Holds: everything lies in one arena; all numbers have been checked by verify.c before anyone else sees them. */
#ifndef TSM_PROGRAM_H
#define TSM_PROGRAM_H

#include "op/op.h"

/* Numbers of the structural nodes, from ops.def. */
enum tsm_node_code {
  TSM_N_CONST, TSM_N_CALL, TSM_N_IF, TSM_N_LOOP, TSM_N_BLOCK, TSM_N_TRY, TSM_N_YIELD, TSM_N_BREAK, TSM_N_CONTINUE,
  TSM_N_RETURN, TSM_N_RAISE, TSM_N_UNREACHABLE, TSM_N_TUPLE, TSM_N_TUPLE_GET, TSM_N_LIST, TSM_N_DICT, TSM_N_SET,
  TSM_N_NEW, TSM_N_GET_ATTR, TSM_N_SET_ATTR, TSM_N_CELL, TSM_N_CELL_GET, TSM_N_CELL_SET, TSM_N_WIDEN, TSM_N_NARROW,
  TSM_N_IS_TYPE, TSM_N_FUSED, TSM_N_COUNT,
  TSM_N_OPERATOR = 32 /* and above in files; in memory all operator nodes have this code */
};

typedef struct tsm_node tsm_node;
typedef struct tsm_function tsm_function;

typedef struct tsm_block {
  uint32_t first_param, param_count;  /* consecutive value numbers */
  uint32_t node_count;
  tsm_node *nodes;                    /* the last one ends the block */
} tsm_block;

struct tsm_node {
  uint16_t code;              /* tsm_node_code */
  uint16_t block_count;
  uint32_t number;            /* position in the function's text, a node before those of its blocks: key of locations */
  uint32_t operand_count, result_count;
  const uint32_t *operands;   /* value numbers */
  uint32_t first_result;      /* consecutive value numbers */
  uint32_t field;             /* tuple_get, get_attr, set_attr: index. break, continue: label */
  union {
    const tsm_op *op;               /* operator */
    const tsm_function *function;   /* call */
    const tsm_type *type;           /* is_type */
    const tsm_pair *constant;       /* const: of program->constants, see there */
  } of;
  tsm_block *blocks;
};

typedef struct tsm_location {
  const char *file, *function;
  uint32_t line, column, end_line, end_column;
  const struct tsm_location *inlined_at;  /* NULL: not inlined */
} tsm_location;

struct tsm_plan; /* lower/plan.h */

struct tsm_function {
  const char *name;
  bool has_self;
  uint32_t number;
  uint32_t param_count;                 /* values 0 .. param_count-1 are the parameters */
  const char *const *param_names;
  const tsm_type *result;
  uint32_t value_count, node_count;
  const tsm_type *const *value_types;
  tsm_block body;                       /* no parameters of its own: they are the function's */
  const tsm_location *const *locations; /* by node number; NULL: none stored. Entries may be NULL */
  struct tsm_plan *plan;                /* made once at load */
};

typedef struct tsm_method {
  tsm_method_info info;                 /* what the host sees */
  const tsm_function *function;
  bool has_self;
  const tsm_pair *const *defaults;      /* one a parameter, of program->constants; NULL: required */
  const tsm_type *const *param_types;   /* one a parameter; info.params may show a refined Tensor instead */
} tsm_method;

/* A storage and a tensor record of the file. */
typedef struct tsm_file_storage { uint8_t is_bound; uint64_t offset, bytes; uint32_t bound_index; } tsm_file_storage;
typedef struct tsm_file_tensor {
  uint32_t storage;
  uint8_t dtype, rank;
  const int64_t *dims;                  /* extents, then strides */
  int64_t offset;
} tsm_file_tensor;

/* A part of the initial state: see FORMAT.md, STATE. Values are decoded when an instance is made; the loader has walked
 * and checked every byte before, so decoding can fail only for want of memory. */
typedef struct tsm_file_object { const tsm_type *type; const uint8_t *bytes; size_t length; } tsm_file_object;

/* Key and value of METADATA, name and bytes of EXTRA; both zero terminated. */
typedef struct tsm_file_pair { const char *key, *value; size_t value_length; } tsm_file_pair;

/* Section kinds of FORMAT.md. */
enum tsm_section_kind {
  TSM_S_METADATA = 1, TSM_S_STRINGS, TSM_S_TYPES, TSM_S_STORAGES, TSM_S_TENSORS, TSM_S_CONSTANTS, TSM_S_OPERATORS,
  TSM_S_FUNCTIONS, TSM_S_STATE, TSM_S_METHODS, TSM_S_SOURCE, TSM_S_TEXT, TSM_S_EXTRA, TSM_S_DATA, TSM_S_COUNT
};
enum { TSM_MAX_SECTIONS = 64, TSM_HEADER_SIZE = 64, TSM_ENTRY_SIZE = 32, TSM_ALIGNMENT = 64, TSM_MAX_DEPTH = 200 };
typedef struct tsm_section { uint32_t kind, flags, crc; uint64_t offset, size; } tsm_section;

enum { TSM_BYTES_BORROWED, TSM_BYTES_OWNED, TSM_BYTES_MAPPED };

struct tsm_program {
  _Atomic uint64_t refs;      /* the caller's hold, instances, heaps with live objects */
  tsm_runtime *rt;
  tsm_arena arena;
  tsm_heap *heap;             /* immortal constants live here; freed with the program, so that no value refers to them:
                                 every instance has copies, see tsm_instance_constant */
  const uint8_t *bytes;       /* the file, as long as the program lives */
  size_t length;
  tsm_release_fn release;     /* how to give borrowed `bytes` back */
  void *release_user;
  uint8_t bytes_from;         /* TSM_BYTES_* */
  uint32_t string_count, type_count, storage_count, tensor_count, constant_count, operator_count, function_count,
      object_count, method_count;
  tsm_str *const *strings;    /* immortal */
  tsm_type **types;
  tsm_file_storage *storages;
  tsm_packed_list *packed;    /* one per storage: packed copies of its bytes, for all instances that did not write it */
  tsm_storage **shared_storages; /* one per storage: the host's for a bound one, else NULL (its bytes are in data) */
  bool bound_is_constant;        /* nothing may write into shared_storages */
  tsm_file_tensor *tensors;
  tsm_pair *constants;        /* immortal; a Tensor has tag TSM_TENSOR and its tensor number in as.i */
  const tsm_type **constant_types;
  const tsm_op **operators;
  const char **operator_names; /* as "add.Tensor" */
  tsm_section *sections;       /* as in the file's table */
  uint32_t section_count, metadata_count, extra_count;
  tsm_file_pair *metadata, *extras;
  tsm_function *functions;
  tsm_host_function *functions_of_host; /* those the host gave; names are copies */
  uint32_t host_function_count;
  tsm_file_object *objects;
  int64_t root;               /* object number, -1: none */
  tsm_method *methods;        /* sorted by name */
  const uint8_t *data;        /* DATA section, its elements in the byte order of this machine */
  uint8_t *swapped;           /* the same as a block of its own; NULL: it is the file's */
  uint64_t data_length;
};

void tsm_program_retain(tsm_program *p); /* given back by tsm_program_free */

/* Storage record with a count for the caller: over the program's bytes, which it keeps alive (copied on the first
 * write), or the host's bound one. NULL when out of memory. */
tsm_storage *tsm_program_storage(tsm_program *p, uint32_t number);

/* 64-byte aligned accounted memory for a file's bytes; NULL when there is none. Freed with the same length. */
uint8_t *tsm_image_new(tsm_runtime *rt, size_t length);
void tsm_image_free(tsm_runtime *rt, uint8_t *bytes, size_t length);

/* host_functions.c: the host's function of a name; NULL if it gave none. */
const tsm_host_function *tsm_program_host_function(const tsm_program *p, const char *name);

/* The mutable side: state.c makes it from the program's description. */
struct tsm_instance {
  tsm_context ctx;            /* first: a tsm_context* of running code is its instance */
  tsm_program *program;
  tsm_tensor **tensors;       /* one per tensor record, made on first use; constants and state share them */
  tsm_storage **storages;     /* one per storage record: COW headers over the file's bytes, or the bound ones */
  tsm_object **constants;     /* one per constant: copies of those that are objects, made on first use */
  tsm_object *root;           /* NULL: none */
  struct tsm_stack *stack;    /* the VM's frames, kept between calls (vm.c) */
  uint64_t fuel_per_call;
  struct tsm_run_record *runs; /* one per method, see series.h */
  bool is_doomed;             /* freed by the host while a call was running: the call's end frees it */
};

/* state.c. Builds tensors, storages and the root object from the program. */
tsm_status tsm_state_init(tsm_instance *instance, tsm_error *out_error);
/* No root, tables in which nothing was made yet, a heap. False when out of memory: then tsm_state_close still has to be
 * called. */
bool tsm_state_empty(tsm_instance *instance);
void tsm_state_close(tsm_instance *instance);
/* Tensor record as this instance's tensor, borrowed; NULL when out of memory. */
tsm_tensor *tsm_instance_tensor(tsm_instance *instance, uint32_t number);
/* Constant that is an object other than a Tensor, as this instance's: counted and in its heap, so that whoever holds it
 * keeps the program. Borrowed; NULL when out of memory. */
tsm_object *tsm_instance_constant(tsm_instance *instance, uint32_t number);

/* verify.c. Every rule of FORMAT.md's FUNCTIONS that decode_functions.c did not check already. */
tsm_status tsm_verify_function(const tsm_program *p, const tsm_function *f, tsm_error *out_error);
/* verify_op.c. Whether operands and results fit the operator's schema under one binding of its type variables. */
bool tsm_schema_fits(const tsm_schema *schema, const tsm_type *const *operands, uint32_t operand_count,
                     const tsm_type *const *results, uint32_t result_count, char *out_why, size_t why_capacity);
/* Whether `wide` is what widen may make of `narrow` (FORMAT.md, node 23). */
bool tsm_type_has_arm(const tsm_type *wide, const tsm_type *narrow);

/* lower/lower.c. Makes the plan of every function; fails only for memory and limits. */
tsm_status tsm_lower_program(tsm_program *p, tsm_error *out_error);

/* vm.c. Runs a function: args are slots in parameter order (a PAIR takes two), borrowed; out_result gets an owned
 * result (one or two slots). The pending error is in instance->ctx, the stack of Python locations in its trace. */
tsm_status tsm_vm_run(tsm_instance *instance, const tsm_function *f, const tsm_slot *args, tsm_slot *out_result);
void tsm_stack_free(tsm_instance *instance);

/* values.c side: tagged value to a slot of a type, checked and converted (int to float at a float, elements of
 * host-made containers checked, bool to int), adding a count. Raises TypeError naming `what`; with what NULL it only
 * returns TSM_ERR_ARGUMENT when the value does not fit. */
tsm_status tsm_slot_from_value(tsm_context *ctx, const tsm_type *type, tsm_value value, const char *what,
                               tsm_slot *out_slot);
/* Slot of a type as a value for the host, with a count of its own. */
tsm_status tsm_value_from_slot(tsm_runtime *rt, const tsm_type *type, const tsm_slot *slot, tsm_value *out_value);
/* Whether an object may stand where `type` is expected, looking into containers (narrow, host values). */
bool tsm_pair_fits(tsm_context *ctx, const tsm_type *type, tsm_pair pair);
/* Gives the host's containers inside a value that fits `type` the program's types, so that they cannot be taken for
 * another type as long as the program holds them. ctx must be an instance's. TSM_ERR_MEMORY. */
tsm_status tsm_pair_adopt(tsm_context *ctx, const tsm_type *type, tsm_pair pair);
/* At the end of a call: the host's containers that the program does not hold any more lose their type again; all of
 * them when `everything`. */
void tsm_adopted_release(tsm_instance *instance, bool everything);

#endif
