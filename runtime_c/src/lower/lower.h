/* lower.h - the state that lowering a function passes from step to step.
 * chains.c -> facts.c (uses, constants; conditions.c) -> liveness.c (deaths) -> registers.c -> control.c with nodes.c,
 * moves.c and code.c; lower.c puts it together.
 * Holds: each step walks the tree once; memory is linear in the function, time too (arms are told apart to a fixed
 * depth only, deeper ones are treated as a whole). A step that finds something out says whether it could, and nobody looks
 * at what it found else; emission goes on after a failure, without words, and reads none of them back. */
#ifndef TSM_LOWER_H
#define TSM_LOWER_H

#include "plan.h"

struct tsm_chain; /* kernels/fused.h */
struct tsm_fused;
struct fuser; /* fused.c */

enum { AREA_REF, AREA_PAIR, AREA_SCALAR, AREA_COUNT };
enum { IN_REGISTER, IN_POOL, IMMEDIATE }; /* where a value is; the last two are constants only */
#define NO_VALUE UINT32_MAX
enum { NO_REGISTER = -1, MAX_FINE = 16, MAX_CHAIN = 8, POOL_MAX = 2048, POOL_TABLE = 8192 };

/* When a value dies. ENTRY: as an operand, before the node's blocks run. END: after the node. ARM0, ARM1: at the start
 * of an arm of an `if` whose other arm uses it. */
enum { DIES_ENTRY, DIES_END, DIES_ARM0, DIES_ARM1, DIES_COUNT };

typedef struct value_info {
  const tsm_pair *constant;  /* of a constant that need not be made at run time, else NULL */
  const tsm_type *content;   /* of a cell that only this function reads and writes, which is a register of this type */
  uint32_t feeds;            /* the value it is moved to by a terminator or a loop's entry */
  uint32_t fed_by;           /* the value last seen to be moved to it */
  uint32_t uses;
  uint32_t counter_of;       /* of `i + 1`, i the parameter of the loop that tests i < x first: that parameter */
  uint32_t counter_uses;     /* how many uses only hand it to that parameter: those count up in place */
  uint32_t fused_for;        /* of a condition that an `if` yields to the branch after it: the result of that `if` */
  uint32_t next_pending;     /* liveness: in a region's list */
  uint32_t stamp;
  int32_t reg;               /* within its area */
  uint16_t depth, coarse, loops; /* nesting of the defining block: blocks, regions that end lives as a whole, loops */
  uint8_t area, place;
  uint8_t links;             /* chains.c: of the first convolution of a chain, how many they are */
  uint8_t chain;             /* of a fused `if`: how many more are fused into it */
  bool needs_register, is_live, is_dead;
  bool is_free;              /* layout.c: a tensor whose strides only kernels see; a list of such */
  bool is_fused;             /* has no register: part of the node after it, or a counter's i + 1 */
} value_info;

typedef struct death { uint32_t value, next; } death;
typedef struct number_vector { uint32_t *items; uint32_t length, capacity; } number_vector;
typedef struct pool_entry {
  uint8_t area;
  uint16_t reg;
  uint64_t tag, bits;
  const tsm_pair *constant; /* of the program; NULL: of a schema */
} pool_entry;
typedef struct opcode_forms {
  uint16_t plain, immediate, branch, branch_immediate, for_dict, by_layout[TSM_L_PAIR + 1];
} opcode_forms;
typedef struct register_event { uint32_t value; uint16_t reg; uint8_t area; bool was_busy; } register_event;

typedef struct area_state {
  uint16_t *free;      /* stack of registers that may be free */
  uint8_t *busy, *is_stacked;
  uint32_t free_count, next; /* next: registers used so far */
} area_state;

/* A block being walked, or the function's body (node NULL). */
typedef struct scope {
  struct scope *parent;
  const tsm_node *node;
  uint16_t depth, coarse, loops, fine;
  bool is_region;           /* lives of outer values end after the node, as a whole */
  bool is_last;             /* emission: what follows the block is the node's end */
  bool is_last_of_loop;     /* emission: what follows the block is the end of the loop around it */
  bool sense;               /* emission: of a condition, see jump_chain */
  unsigned stay;            /* emission: the arm of `test` that goes on */
  uint32_t fused_result;    /* facts: of an `if` that is part of the branch after it, else NO_VALUE */
  uint32_t pending;         /* liveness: outer values whose life ends here */
  uint32_t exits;           /* emission: chain of jumps to the node's end, word + 1 */
  uint32_t top;             /* emission: first word of a loop's body */
  uint32_t weight_before;   /* emission: fuel of the code before it */
  uint32_t *jump_chain;     /* emission: of a fused `if`: chain of the jumps taken when what it yields is `sense` */
  const tsm_node *test;     /* emission: the `if` that begins a loop and is tested again at its end, or NULL */
  uint32_t after_test;      /* emission: the word to go on at when that test says so */
} scope;

typedef struct move { uint16_t dst, src; uint8_t area; bool can_take, is_done; const tsm_pair *constant; } move;

typedef struct lowering {
  tsm_program *program;
  tsm_runtime *rt;
  tsm_error *out_error;
  tsm_status status;          /* the first failure; later steps do nothing */
  const opcode_forms *forms;  /* by operator number */
  const tsm_op *str_any, *str_join, *conv2d;
  tsm_slot **defaults;        /* by operator number: two slots a parameter, made at first use */
  /* one function */
  tsm_arena scratch;
  const tsm_function *f;
  tsm_plan *plan;
  value_info *values;
  uint32_t *death_heads;      /* DIES_COUNT a node: index into deaths + 1 */
  death *deaths;
  uint32_t death_count, death_capacity, arm_budget, stamp;
  number_vector trail;
  pool_entry *pool;
  uint16_t *pool_table;
  uint32_t pool_count;
  area_state areas[AREA_COUNT];
  register_event *events;
  uint32_t event_count, event_capacity;
  uint64_t *code;
  uint32_t code_length, code_capacity;
  uint32_t extra;           /* fuel of the code so far beyond a unit a word, see tsm_lower_weigh */
  tsm_mark *nodes, *ranges;
  uint32_t node_count, node_capacity, range_count, range_capacity, handler;
  tsm_handler *handlers;
  uint32_t handler_count, handler_capacity;
  move *moves;
  uint32_t move_count, move_capacity;
  uint32_t *move_list;        /* work list, as many as moves */
  uint32_t move_list_capacity;
  uint32_t masked, masked_end; /* the last value made by a mask, and how many words there were after it */
  struct tsm_chain *chain;    /* that is being emitted */
  const tsm_node *chain_link; /* the next node of it, else NULL */
  uint32_t chain_left, chain_exits;
  bool is_chain_broken;       /* some node of it has no plan */
  struct fuser *fuser;
  bool is_declined;           /* what is emitted runs only when the plan of its fused node was not taken */
  uint16_t *operands;         /* registers of one node's operands */
  uint32_t operand_capacity;
  uint32_t *source_uses;      /* by register */
  uint32_t *target_move;      /* by register: move + 1 */
} lowering;

/* lower.c */
bool tsm_lower_fail(lowering *l, tsm_status status, const char *what); /* false */
void tsm_lower_scope_enter(scope *s, scope *parent, const tsm_node *node);
/* The block or loop that a break or continue names; for a yield the node that owns the block. */
scope *tsm_lower_scope_target(scope *s, const tsm_node *terminator);
static inline value_info *info_of(const lowering *l, uint32_t value) { return &l->values[value]; }
static inline const tsm_type *type_of(const lowering *l, uint32_t value) { return l->f->value_types[value]; }
static inline bool is_counted(const value_info *v) { return v->area != AREA_SCALAR; }
/* A growable array of `size`-byte items gets room for one more; `items` points to the pointer to them. False when out
 * of memory. */
TSM_MUST_CHECK bool tsm_lower_grow(lowering *l, void *items, uint32_t *capacity, uint32_t length, size_t size);

/* chains.c. Puts the nodes of chains of convolutions side by side; false: no memory. */
TSM_MUST_CHECK bool tsm_lower_find_chains(lowering *l, tsm_function *f);
/* The instruction that runs the chain that begins with n, if one does, jumps behind its last node; n gets its plan,
 * NULL: none, if it is the next of the chain; n has been emitted. */
void tsm_emit_chain(lowering *l, const tsm_node *n);
void tsm_lower_add_link(lowering *l, const tsm_node *n, const struct tsm_fused *plan);
void tsm_emit_chain_end(lowering *l, const tsm_node *n);

/* facts.c. Opcodes for an operator; -1 or the operand that becomes an immediate. */
TSM_MUST_CHECK bool tsm_lower_find_facts(lowering *l);
/* Whether operand `i` of a `continue` to this loop is the loop's own counter plus one. */
static inline bool tsm_lower_is_count(const lowering *l, const tsm_node *n, const tsm_node *loop, uint32_t i) {
  return n->code == TSM_N_CONTINUE && info_of(l, n->operands[i])->counter_of == loop->blocks[0].first_param + i;
}
int tsm_lower_immediate_operand(const lowering *l, const tsm_node *n);
unsigned tsm_lower_typed_opcode(const lowering *l, const tsm_node *n);  /* TSM_C_OP if it needs a site */
bool tsm_lower_fits_immediate(const tsm_pair *constant);
/* Whether n is str() of a number that the node before only tags; whether the node after n only joins the list that n
 * makes. */
bool tsm_lower_is_str_of(const lowering *l, const tsm_node *n);
bool tsm_lower_is_join(const lowering *l, const tsm_node *n);
const tsm_slot *tsm_lower_default_of(lowering *l, const tsm_op *op, size_t param); /* NULL: failed */
/* Register of a value that is there for the whole call. */
TSM_MUST_CHECK bool tsm_lower_pool_add(lowering *l, uint8_t area, uint64_t tag, uint64_t bits, uint16_t *out_entry);

/* layout.c. Finds the values that may lie channels-last; false: no memory. */
TSM_MUST_CHECK bool tsm_lower_find_layouts(lowering *l);
/* Whether an operand of the node in scope s must be row-major. */
bool tsm_lower_needs_row_major(const lowering *l, scope *s, const tsm_node *n, uint32_t operand);
/* The instructions that make such operands so, before those of the node. */
void tsm_emit_row_major(lowering *l, scope *s, const tsm_node *n);

/* liveness.c */
TSM_MUST_CHECK bool tsm_lower_find_deaths(lowering *l);

/* registers.c */
TSM_MUST_CHECK bool tsm_lower_assign_registers(lowering *l);

/* conditions.c: what decides a branch. */
bool tsm_lower_is_condition(const lowering *l, const tsm_node *n);  /* whether n can be part of the branch after it */
/* The compare-and-jump of such a node: jumps when it is `sense`. The word's distance is not set. */
uint64_t tsm_lower_condition_word(const lowering *l, const tsm_node *n, bool sense);
/* The same for a test that reads what the instruction before only masks: takes that one back. For jumps ahead. */
uint64_t tsm_lower_test_of_bits(lowering *l, uint64_t condition_word);
/* The node of a loop's body that is its test: an `if` of which one arm only goes on and the other leaves, after a
 * condition and nothing else that could not run twice. NULL: none. *out_stay is the arm that goes on. */
const tsm_node *tsm_lower_loop_test(const lowering *l, const tsm_node *loop, unsigned *out_stay);
/* The test at the end of a loop's turn, for the same node; the word's fuel is not set. 0: there is no such form. */
uint64_t tsm_lower_turn_word(const lowering *l, const tsm_node *test, unsigned stay);

/* code.c: all return or leave l->status on failure. */
void tsm_emit(lowering *l, uint64_t word);
uint32_t tsm_emit_jump(lowering *l, uint64_t word, uint32_t chain);  /* returns the new head of the chain */
uint32_t tsm_emit_compare_jump(lowering *l, uint64_t word, uint32_t chain);
void tsm_lower_patch_chain(lowering *l, uint32_t chain, uint32_t target);
/* A jump back to `target` that costs the fuel of the words in between. `word`: of two words, or 0 for a plain one. */
void tsm_emit_turn(lowering *l, uint64_t word, uint32_t target, uint32_t before);
/* Fuel of the code emitted so far: a unit a word, and more for what takes longer however small its operands are. */
static inline uint32_t tsm_lower_weight(const lowering *l) { return l->code_length + l->extra; }
void tsm_lower_weigh(lowering *l, unsigned code, const tsm_op *op);
void tsm_lower_mark_node(lowering *l, uint32_t number);
void tsm_lower_mark_range(lowering *l, uint32_t handler);
void tsm_emit_packed(lowering *l, const uint16_t *regs, uint32_t count);
uint16_t tsm_lower_slot_of(const lowering *l, uint32_t value);
uint16_t tsm_lower_pool_slot(const lowering *l, const pool_entry *e);
/* A constant of the program. */
void tsm_emit_constant(lowering *l, uint16_t dst, const tsm_type *type, const tsm_pair *constant);
/* A default of a schema, into its register. */
void tsm_emit_default(lowering *l, const pool_entry *e);
void tsm_emit_drop(lowering *l, uint32_t value);

/* control.c: the code of a function's body. */
void tsm_emit_body(lowering *l);

/* nodes.c: the instruction of a node that yields a value. Operands stamped with `stamp` die here; those that the
 * instruction takes or drops lose their stamp. */
void tsm_emit_value(lowering *l, const tsm_node *n, uint32_t stamp);

/* The register of a default; facts.c has put it into the pool. */
uint16_t tsm_lower_default_slot(lowering *l, const tsm_op *op, size_t param);

/* fused.c: how a fused node runs at once, in the program's arena; operands stamped with `stamp` die with it. NULL: it
 * always runs its block, or lowering failed. */
const struct tsm_fused *tsm_lower_fused(lowering *l, const tsm_node *n, uint32_t stamp);
/* The same of an operator's node that is a chain's, as a producer without steps. */
const struct tsm_fused *tsm_lower_single(lowering *l, const tsm_node *n, uint32_t stamp);
/* The same of an operator's node that is pointwise, for small operands only; NULL: it has no row. */
const struct tsm_fused *tsm_lower_small(lowering *l, const tsm_node *n, uint32_t stamp);

/* moves.c: assignments that happen at once. */
void tsm_lower_add_move(lowering *l, uint32_t to, uint32_t from, bool can_take);
void tsm_emit_moves(lowering *l);

#endif
