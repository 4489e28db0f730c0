/* fused.h - a fused node as a program over tiles that stay in the first-level cache.
 * In: lower/fused.c makes the plan once, at load. Out: vm.c runs it in place of the node's block.
 * Holds: the run-time guard accepts only operands for which the plan gives what the block would give, bit for bit with
 * the rows of simd/pointwise.h; it raises nothing itself: what it does not take, the block runs. */
#ifndef TSM_FUSED_H
#define TSM_FUSED_H

#include "op/op.h"
#include "simd/pointwise.h"

enum {
  TSM_FUSED_INPUTS = 32, TSM_FUSED_VALUES = 24, TSM_FUSED_RESULTS = 8, TSM_FUSED_BUFFERS = 8, TSM_FUSED_STEPS = 64,
  TSM_FUSED_SLOTS = 24,
  TSM_FUSED_PLACES = TSM_FUSED_INPUTS + TSM_FUSED_VALUES + TSM_FUSED_RESULTS + TSM_FUSED_BUFFERS
};

/* What a step's row depends on at run time: a power's exponent, gelu's approximation. */
enum { TSM_FUSED_FIXED, TSM_FUSED_POWER, TSM_FUSED_GELU };

/* Places: tensor inputs, then values, results and buffers. */
typedef struct tsm_fused_step { uint16_t row; uint8_t choice, out, a, b, c; } tsm_fused_step;
/* A tensor operand, of the computing dtype or (mask) bool; or (made) what the producer makes. */
typedef struct tsm_fused_input { uint16_t reg; bool is_mask, is_made, dies; } tsm_fused_input;
/* The operator that comes first and is not pointwise. Its call has a frame of its own, filled from these registers. */
typedef struct tsm_fused_producer {
  const tsm_site *site;
  const uint16_t *slots;
  uint8_t slot_count;
} tsm_fused_producer;
/* A number: a constant, or a Scalar or Optional[Scalar] in a pair of registers. */
typedef struct tsm_fused_value {
  uint16_t reg;
  bool is_constant, is_optional;
  double if_none;          /* of an optional one */
  tsm_pair constant;
} tsm_fused_value;
typedef struct tsm_fused_result {
  uint16_t reg;
  bool is_mask;
  uint32_t reads;  /* inputs that it depends on: its shape is theirs, broadcast */
  uint32_t reuses; /* inputs whose memory may become the result's */
} tsm_fused_result;

typedef struct tsm_fused {
  uint8_t input_count, value_count, result_count, buffer_count, step_count, drop_count;
  uint8_t dtypes;          /* bit 0: every row exists for f32, bit 1: for f64 */
  bool is_free;            /* nobody sees the strides of the results */
  bool is_small;           /* one operator: taken only when operands are small, as its kernel does the rest as well */
  uint16_t text;           /* register of gelu's approximation + 1; 0: none */
  uint32_t weight;         /* cost of an element: 1 for a sum */
  const tsm_fused_producer *producer; /* NULL: none; else input 0 is what it makes */
  const tsm_fused_input *inputs;
  const tsm_fused_value *values;
  const tsm_fused_result *results;
  const tsm_fused_step *steps;
  const uint16_t *drops;   /* registers that end here and are no results; top bit: a pair */
} tsm_fused;

/* Runs the plan on a frame. *out_done says whether the guard took the operands: then results are set and what dies is
 * dropped; otherwise nothing has changed. Fails for want of fuel or memory, or when cancelled. */
tsm_status tsm_fused_run(tsm_context *ctx, tsm_slot *frame, const tsm_fused *f, bool *out_done);
/* Nodes that follow each other, each a convolution that is the next one's input and nothing else's: lower/chains.c
 * finds them. `links` are plans with a producer; one without steps is a plain operator's. */
typedef struct tsm_chain { const tsm_fused *links[3]; uint8_t count; } tsm_chain; /* count 0: never taken */
/* The same for all nodes of a chain. */
tsm_status tsm_chain_run(tsm_context *ctx, tsm_slot *frame, const tsm_chain *chain, bool *out_done);
/* Its steps, for listings of plans. */
void tsm_fused_text(const tsm_fused *f, tsm_text *text);

#endif
