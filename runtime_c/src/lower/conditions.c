/* conditions.c - what decides a branch: comparisons that become part of the jump after them, and tests of loops.
 * In: the nodes before an `if`. Out: the words of compare-and-jump instructions.
 * Holds: for floats "not less" is not "greater or equal", so both senses of an order have opcodes of their own. */
#include "lower.h"

enum { TEST_NODES = 6 };

static bool is_operator(const lowering *l, const tsm_node *n, unsigned code) {
  return n->code == TSM_N_OPERATOR && n->operand_count == n->of.op->schema.param_count &&
         l->forms[n->of.op->number].plain == code;
}

/* The jump that an order or equality of floats makes when it holds. 0: not such an operator. */
static unsigned float_jump(const lowering *l, const tsm_node *n) {
  if (n->code != TSM_N_OPERATOR || n->operand_count != 2) return 0;
  switch (l->forms[n->of.op->number].plain) {
    case TSM_C_EQ_F: return TSM_C_J_EQ_F;
    case TSM_C_NE_F: return TSM_C_J_NE_F;
    case TSM_C_LT_F: case TSM_C_GT_F: return TSM_C_J_LT_F;
    case TSM_C_LE_F: case TSM_C_GE_F: return TSM_C_J_LE_F;
    default: return 0;
  }
}

bool tsm_lower_is_condition(const lowering *l, const tsm_node *n) {
  if (n->result_count != 1 || n->code != TSM_N_OPERATOR) return false;
  return l->forms[n->of.op->number].branch || float_jump(l, n) || is_operator(l, n, TSM_C_BOOL_OF_INT) ||
         is_operator(l, n, TSM_C_NOT);
}

static unsigned inverse(unsigned code) {
  switch (code) {
    case TSM_C_J_EQ: return TSM_C_J_NE;
    case TSM_C_J_NE: return TSM_C_J_EQ;
    case TSM_C_J_LT: return TSM_C_J_GE;
    case TSM_C_J_LE: return TSM_C_J_GT;
    case TSM_C_J_GT: return TSM_C_J_LE;
    case TSM_C_J_GE: return TSM_C_J_LT;
    case TSM_C_J_EQ_I: return TSM_C_J_NE_I;
    case TSM_C_J_NE_I: return TSM_C_J_EQ_I;
    case TSM_C_J_LT_I: return TSM_C_J_GE_I;
    case TSM_C_J_LE_I: return TSM_C_J_GT_I;
    case TSM_C_J_GT_I: return TSM_C_J_LE_I;
    case TSM_C_J_GE_I: return TSM_C_J_LT_I;
    case TSM_C_J_EQ_F: return TSM_C_J_NE_F;
    case TSM_C_J_NE_F: return TSM_C_J_EQ_F;
    case TSM_C_J_LT_F: return TSM_C_J_NLT_F;
    default: return TSM_C_J_NLE_F;
  }
}

static uint64_t integer_word(const lowering *l, const tsm_node *n, bool sense) {
  const opcode_forms *forms = &l->forms[n->of.op->number];
  int immediate = tsm_lower_immediate_operand(l, n);
  unsigned code = immediate < 0 ? forms->branch : forms->branch_immediate;
  uint16_t b = immediate < 0 ? tsm_lower_slot_of(l, n->operands[1])
                             : (uint16_t)info_of(l, n->operands[immediate])->constant->as.i;
  uint16_t a = tsm_lower_slot_of(l, n->operands[immediate == 0]);
  return tsm_word(sense ? code : inverse(code), a, b, 0);
}

static uint64_t float_word(const lowering *l, const tsm_node *n, unsigned code, bool sense) {
  unsigned plain = l->forms[n->of.op->number].plain;
  bool is_swapped = plain == TSM_C_GT_F || plain == TSM_C_GE_F;
  return tsm_word(sense ? code : inverse(code), tsm_lower_slot_of(l, n->operands[is_swapped]),
                  tsm_lower_slot_of(l, n->operands[!is_swapped]), 0);
}

uint64_t tsm_lower_condition_word(const lowering *l, const tsm_node *n, bool sense) {
  uint16_t a = tsm_lower_slot_of(l, n->operands[0]);
  unsigned code = float_jump(l, n);
  if (code) return float_word(l, n, code, sense);
  if (is_operator(l, n, TSM_C_NOT)) return tsm_word(sense ? TSM_C_JF : TSM_C_JT, a, 0, 0);
  if (is_operator(l, n, TSM_C_BOOL_OF_INT)) return tsm_word(sense ? TSM_C_J_NE_I : TSM_C_J_EQ_I, a, 0, 0);
  return integer_word(l, n, sense);
}

/* Nothing was emitted after the mask, so no jump leads between the two; `x % 2 == 1` asks for the only bit. */
uint64_t tsm_lower_test_of_bits(lowering *l, uint64_t word) {
  bool is_equal = tsm_word_op(word) == TSM_C_J_EQ_I;
  if (l->status != TSM_OK || !l->masked_end || l->masked_end != l->code_length) return word;
  if (info_of(l, l->masked)->uses != 1) return word;
  uint64_t mask = l->code[l->code_length - 1];
  if ((!is_equal && tsm_word_op(word) != TSM_C_J_NE_I) || tsm_word_a(word) != tsm_word_a(mask)) return word;
  bool is_for_one = tsm_word_b(word) == 1 && tsm_word_c(mask) == 1;
  if (tsm_word_b(word) && !is_for_one) return word;
  l->code_length--;
  return tsm_word(is_equal == is_for_one ? TSM_C_J_ANY : TSM_C_J_NONE, tsm_word_b(mask), tsm_word_c(mask), 0);
}

/* ---- Loops */

static bool only_goes_on(const tsm_block *b) { return b->node_count == 1 && b->nodes[0].code == TSM_N_YIELD; }
static bool only_leaves(const tsm_block *b) { return b->nodes[b->node_count - 1].code != TSM_N_YIELD; }

/* Nodes that may stand before the condition: they change nothing but a scalar register. */
static bool may_run_twice(const lowering *l, const tsm_node *n) {
  if (n->code == TSM_N_CONST) return true;
  if (n->code != TSM_N_OPERATOR || n->result_count != 1 || is_counted(info_of(l, n->first_result))) return false;
  return tsm_lower_typed_opcode(l, n) != TSM_C_OP;
}

const tsm_node *tsm_lower_loop_test(const lowering *l, const tsm_node *loop, unsigned *out_stay) {
  const tsm_block *b = &loop->blocks[0];
  for (uint32_t i = 0; i + 2 < b->node_count && i < TEST_NODES; i++) {
    const tsm_node *n = &b->nodes[i], *test = n + 1;
    if (!tsm_lower_is_condition(l, n) || test->code != TSM_N_IF || test->operands[0] != n->first_result) {
      if (!may_run_twice(l, n)) return NULL;
      continue;
    }
    if (test->result_count) return NULL;
    for (unsigned stay = 0; stay < 2; stay++) {
      if (!only_goes_on(&test->blocks[stay]) || !only_leaves(&test->blocks[1 - stay])) continue;
      *out_stay = stay;
      return test;
    }
    return NULL;
  }
  return NULL;
}

uint64_t tsm_lower_turn_word(const lowering *l, const tsm_node *test, unsigned stay) {
  uint64_t word = tsm_lower_condition_word(l, test - 1, stay == 0);
  unsigned code = tsm_word_op(word);
  if (code < TSM_C_J_EQ || code > TSM_C_J_NLE_F) return 0;
  return (word & ~(uint64_t)0xFFFF) | (code - TSM_C_J_EQ + TSM_C_L_EQ);
}
