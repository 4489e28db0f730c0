/* plan.h - a function as this machine runs it: code, frame layout, handlers, positions.
 * In: lower.c fills it once, at load. Out: vm.c runs it, plantext.c prints it.
 * Holds: a frame is [references | pairs | scalars]; a plan is read-only and lies in its program's arena. */
#ifndef TSM_PLAN_H
#define TSM_PLAN_H

#include "load/program.h"

typedef enum tsm_opcode {
#define OPCODE(name, mnemonic, pattern, operator, effect) TSM_C_##name,
#include "vm/opcodes.def"
  TSM_C_COUNT
} tsm_opcode;

typedef enum tsm_pattern {
  TSM_P_NONE, TSM_P_A, TSM_P_AB, TSM_P_ABC, TSM_P_ABI, TSM_P_AI, TSM_P_ABF, TSM_P_TO, TSM_P_A_TO, TSM_P_LOOP,
  TSM_P_AB_TO, TSM_P_AI_TO, TSM_P_L_AB, TSM_P_L_AI,
  TSM_P_A_W, TSM_P_A_WW, TSM_P_AB_W, TSM_P_AB_WW, TSM_P_ABF_W, TSM_P_ABF_WW, TSM_P_ABC_W,
  TSM_P_L8, TSM_P_L1, TSM_P_LR, TSM_P_LP, TSM_P_D, TSM_P_DO, TSM_P_RRR, TSM_P_BUILD, TSM_P_CALL, TSM_P_OP, TSM_P_FUSED,
  TSM_P_CHAIN
} tsm_pattern;

/* The names lie in the row: pointers would cost a relocation each. */
typedef struct tsm_opcode_row { char mnemonic[18], operator_name[18]; uint8_t pattern; } tsm_opcode_row;
extern const tsm_opcode_row tsm_opcode_rows[TSM_C_COUNT];

enum {
  TSM_MAX_SLOTS = 32767, /* of one frame: the top bit of a register field is free to mean "take" */
  TSM_TAKE = 0x8000
};

/* From word `pc` on, until the next mark, `value` holds. */
typedef struct tsm_mark { uint32_t pc, value; } tsm_mark;
typedef struct tsm_handler { uint32_t pc; uint16_t reg; } tsm_handler;
#define TSM_NO_HANDLER UINT32_MAX

typedef struct tsm_plan {
  const uint64_t *code;
  const tsm_function *function;
  uint32_t length;                 /* words */
  uint32_t weight;                 /* fuel of a call */
  uint16_t slot_count;
  uint16_t ref_count, pair_count;  /* references at 0, pairs from ref_count, scalars from scalar_base */
  uint16_t scalar_base;
  uint16_t param_refs, param_pairs, param_scalars; /* parameters come first in each area, in their order */
  uint8_t result_layout;
  bool is_alone;                   /* unboxed registers only, a number as result, and nothing is called */
  const tsm_mark *nodes;           /* word -> node number */
  uint32_t node_mark_count;
  const tsm_mark *ranges;          /* word -> handler number, or TSM_NO_HANDLER */
  uint32_t range_count;
  const tsm_handler *handlers;
  uint32_t handler_count;
} tsm_plan;

/* Value of the last mark at or before `pc`; `none` if there is no such mark. */
uint32_t tsm_mark_find(const tsm_mark *marks, uint32_t count, uint32_t pc, uint32_t none);
/* The operator that an opcode carries out; NULL if none. */
const tsm_op *tsm_opcode_operator(const tsm_op_table *table, unsigned opcode);
/* Words of the instruction at `code`. */
uint32_t tsm_instruction_length(const uint64_t *code);
/* The plan of a function as text, one instruction a line: for debugging and tests. */
void tsm_plan_text(const tsm_function *f, tsm_text *text);

/* Fields of an instruction word. */
static inline uint16_t tsm_word_op(uint64_t w) { return (uint16_t)w; }
static inline uint16_t tsm_word_a(uint64_t w) { return (uint16_t)(w >> 16); }
static inline uint16_t tsm_word_b(uint64_t w) { return (uint16_t)(w >> 32); }
static inline uint16_t tsm_word_c(uint64_t w) { return (uint16_t)(w >> 48); }
static inline int32_t tsm_word_to(uint64_t w) { return (int32_t)(uint32_t)(w >> 32); }
/* The same, read from the instruction's place: op, a, b, c are 0, 1, 2, 3. One load each, where a word in a register takes
 * two or three operations a field. */
static inline uint16_t tsm_field(const uint64_t *instruction, unsigned number) {
  const uint16_t *fields = (const uint16_t *)(const void *)instruction;
  return fields[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 3 - number : number];
}
static inline int32_t tsm_field_to(const uint64_t *instruction) {
  return ((const int32_t *)(const void *)instruction)[__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__];
}
static inline uint64_t tsm_word(unsigned op, unsigned a, unsigned b, unsigned c) {
  return (uint64_t)(uint16_t)op | (uint64_t)(uint16_t)a << 16 | (uint64_t)(uint16_t)b << 32 |
         (uint64_t)(uint16_t)c << 48;
}
/* Register number i of a list packed four a word. */
static inline uint16_t tsm_packed(const uint64_t *words, uint32_t i) {
  return (uint16_t)(words[i / 4] >> (i % 4 * 16));
}
static inline const void *tsm_word_pointer(uint64_t w) { return (const void *)(uintptr_t)w; }

#endif
