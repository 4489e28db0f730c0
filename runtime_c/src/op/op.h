/* op.h - operators: the table in memory, the call a kernel receives, and how a kernel reads and answers.
 * In: ops.def. Out: tsm_op for the loader, the VM and the host.
 * A kernel gets a frame of slots and register numbers, never re-enters the VM, and reports errors by tsm_raise. */
#ifndef TSM_OP_H
#define TSM_OP_H

#include "tensor/tensor.h"
#include "object/type.h"

/* Trait bits; each word is defined in ops.def's legend. */
#define TSM_TRAIT_LIST(X) \
  X(RAISES) X(FRESH) X(VIEW) X(MUTATES) X(INPLACE) X(IO) X(RANDOM) X(META) X(COMMUTES) X(POINTWISE) X(REDUCES) X(FACTORY) \
  X(IMAGES) X(FOLLOWS) X(STRIDES) X(STORED) X(DEEP) X(SLOW)
#define TSM_TRAIT_ENUM_(name) TSM_TRAIT_BIT_##name,
enum { TSM_TRAIT_LIST(TSM_TRAIT_ENUM_) TSM_TRAIT_BIT_COUNT };
#undef TSM_TRAIT_ENUM_
#define TSM_TRAIT(name) (1u << TSM_TRAIT_BIT_##name)

/* Not tsm_call: that is the public function. */
typedef struct tsm_opcall tsm_opcall;
typedef tsm_status (*tsm_kernel_fn)(tsm_opcall *call);
/* Fills `out` with dtype and shape of each tensor result, or raises. Reads only shapes and dtypes of tensor arguments. */
typedef tsm_status (*tsm_infer_fn)(tsm_opcall *call, tsm_meta *out);

typedef struct tsm_param {
  const char *name;
  const tsm_type *type;
  const char *default_text;  /* "1", "None", "True", "[0, 1]", "float32"; NULL if required */
  bool is_keyword_only, is_written;
  uint8_t fill;              /* n of int[n]: the length of the list that one int fills; else 0 */
} tsm_param;

typedef struct tsm_schema {
  uint16_t param_count, required_count, result_count, variable_count;
  const tsm_param *params;
  const tsm_type *const *results;
} tsm_schema;

typedef struct tsm_op {
  const char *name, *overload, *schema_text;
  uint32_t traits, since;
  tsm_infer_fn infer;    /* NULL: the kernel makes its results itself */
  tsm_kernel_fn kernel;
  tsm_schema schema;
  uint16_t number;
  uint32_t guarded;      /* bit i: argument i is a dtype, or a Tensor that may not be bfloat16 */
  int64_t element_cost;  /* see tsm_context.element_cost */
  uint32_t takes_bfloat; /* bit i: argument i, a dtype, may be bfloat16 */
} tsm_op;

typedef struct tsm_op_table {
  size_t count;
  tsm_op *ops;
  const uint16_t *by_name;  /* numbers sorted by name, then overload */
  tsm_arena arena;
} tsm_op_table;
tsm_status tsm_op_table_new(tsm_runtime *rt, const tsm_op_table **out_table);
void tsm_op_table_free(tsm_runtime *rt, const tsm_op_table *table);
/* Parses the text of a schema into nodes of the builder's arena. False: malformed, or out of memory. */
enum { TSM_MAX_PARAMS = 32, TSM_MAX_RESULTS = 8, TSM_MAX_SCHEMA_TYPES = 160 };
typedef struct tsm_schema_builder {
  tsm_arena *arena;
  const tsm_type *types[TSM_MAX_SCHEMA_TYPES]; /* interned over all schemas: equal iff same pointer */
  size_t type_count;
} tsm_schema_builder;
bool tsm_schema_parse(tsm_schema_builder *builder, const char *text, tsm_schema *out_schema);
/* The default of a parameter as slots of its type's layout (1, or 2 for a PAIR), owned by the caller. Objects are made
 * on `heap`. TSM_ERR_ARGUMENT when there is none, TSM_ERR_MEMORY. */
tsm_status tsm_param_default(tsm_heap *heap, const tsm_param *param, tsm_slot *out_slots);

/* NULL if there is none. */
const tsm_op *tsm_op_find(const tsm_op_table *table, const char *name, const char *overload);

/* One place of a program that calls an operator. Registers of arguments, then of results; a PAIR takes its number and
 * the next. Arguments are complete: defaults have been filled in. */
typedef struct tsm_site {
  const tsm_op *op;
  const tsm_type *const *result_types;  /* the program's types, for containers the kernel makes; NULL from the host */
  uint64_t dies;      /* bit i: argument i has its last use here (only references); the kernel may reuse its memory */
  uint16_t arg_count, result_count;
  bool free_layout;   /* nobody sees the strides of tensor result 0: it may be made channels-last (tensor/order.h) */
  uint16_t regs[];
} tsm_site;

struct tsm_opcall {
  tsm_context *ctx;
  tsm_slot *frame;
  const tsm_site *site;
  const uint64_t *pc;  /* the instruction of a program that calls it, whose instance is `ctx`; NULL: none does */
};

/* Runs infer, makes the tensor results it describes, runs the kernel. Result registers must be NULL or hold values
 * that may be released. On failure they are left released. */
tsm_status tsm_op_run(tsm_opcall *call);

/* Elementwise work on an operator's result that its kernel may do while the result is in cache: it finds this in
 * ctx->after, sets that to NULL, asks `begin`, and if that agrees calls `run` for each finished block, as tsm_epilogue. */
typedef struct tsm_after {
  bool (*begin)(struct tsm_after *after, tsm_tensor *result);
  void (*run)(void *after, int64_t row, int64_t column, int64_t rows, int64_t columns, void *c, int64_t c_row);
} tsm_after;

/* Whether the tensor's memory may be written over to make a result of this dtype and shape, by a kernel that reads each
 * element before it writes the one at the same index: nobody else looks at it, and it is all the result needs. */
bool tsm_is_reusable(const tsm_tensor *t, const tsm_meta *meta);

/* Of a site marked free_layout: turns its new tensor result to the order in memory that suits the operator. */
void tsm_result_choose_order(const tsm_opcall *call, tsm_tensor *result);

/* ---- What kernels use */
static inline tsm_slot *tsm_arg(const tsm_opcall *c, size_t i) { return &c->frame[c->site->regs[i]]; }
static inline int64_t tsm_arg_int(const tsm_opcall *c, size_t i) { return tsm_arg(c, i)->i; }
static inline bool tsm_arg_bool(const tsm_opcall *c, size_t i) { return tsm_arg(c, i)->i != 0; }
static inline double tsm_arg_float(const tsm_opcall *c, size_t i) { return tsm_arg(c, i)->f; }
static inline tsm_tensor *tsm_arg_tensor(const tsm_opcall *c, size_t i) { return tsm_arg(c, i)->tensor; } /* NULL: None */
static inline tsm_list *tsm_arg_list(const tsm_opcall *c, size_t i) { return (tsm_list *)tsm_arg(c, i)->ref; }
static inline tsm_dict *tsm_arg_dict(const tsm_opcall *c, size_t i) { return (tsm_dict *)tsm_arg(c, i)->ref; }
static inline tsm_str *tsm_arg_str(const tsm_opcall *c, size_t i) { return (tsm_str *)tsm_arg(c, i)->ref; }
static inline tsm_tuple *tsm_arg_tuple(const tsm_opcall *c, size_t i) { return (tsm_tuple *)tsm_arg(c, i)->ref; }
static inline tsm_pair tsm_arg_pair(const tsm_opcall *c, size_t i) {
  const tsm_slot *s = tsm_arg(c, i);
  tsm_pair p; p.tag = s[0].bits; p.as = s[1]; return p;
}
static inline bool tsm_arg_is_none(const tsm_opcall *c, size_t i) { return tsm_arg(c, i)->bits == 0; } /* REF or PAIR */
static inline tsm_slot *tsm_result(const tsm_opcall *c, size_t i) { return &c->frame[c->site->regs[c->site->arg_count + i]]; }
static inline tsm_tensor *tsm_result_tensor(const tsm_opcall *c, size_t i) { return tsm_result(c, i)->tensor; }
static inline const tsm_type *tsm_result_type(const tsm_opcall *c, size_t i) {
  return c->site->result_types ? c->site->result_types[i] : 0;
}
/* Puts an owned reference into result i, releasing what was there. */
static inline void tsm_return_ref(const tsm_opcall *c, size_t i, tsm_object *o) {
  tsm_slot *s = tsm_result(c, i);
  tsm_object *old = s->ref;
  s->ref = o;
  tsm_unref_maybe(old);
}
static inline tsm_status tsm_return_tensor(const tsm_opcall *c, tsm_tensor *t) { /* NULL: error already raised */
  if (!t) return c->ctx->status;
  tsm_return_ref(c, 0, &t->head);
  return TSM_OK;
}
static inline tsm_status tsm_return_int(const tsm_opcall *c, int64_t i) { tsm_result(c, 0)->i = i; return TSM_OK; }
static inline tsm_status tsm_return_bool(const tsm_opcall *c, bool b) { tsm_result(c, 0)->i = b; return TSM_OK; }
static inline tsm_status tsm_return_float(const tsm_opcall *c, double f) { tsm_result(c, 0)->f = f; return TSM_OK; }
/* Result 0 is a PAIR (Scalar): releases the old one, takes over the new one. */
static inline tsm_status tsm_return_pair(const tsm_opcall *c, tsm_pair p) {
  tsm_slot *s = tsm_result(c, 0);
  tsm_pair old; old.tag = s[0].bits; old.as = s[1];
  s[0].bits = p.tag; s[1] = p.as;
  tsm_pair_unref(old);
  return TSM_OK;
}

#endif
