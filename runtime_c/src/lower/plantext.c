/* plantext.c - what an instruction looks like: rows of opcodes.def, lengths, and a listing of a plan.
 * In: a plan. Out: "  12  add.int.i    r3 <- r3 1" a line. Only for people and tests. */
#include <inttypes.h>

#include "kernels/fused.h"
#include "plan.h"

#define OPCODE(name, mnemonic, pattern, operator, effect) \
  _Static_assert(sizeof mnemonic <= 18 && sizeof operator <= 18, "a name fits its row");
#include "vm/opcodes.def"

const tsm_opcode_row tsm_opcode_rows[TSM_C_COUNT] = {
#define OPCODE(name, mnemonic, pattern, operator, effect) {mnemonic, operator, TSM_P_##pattern},
#include "vm/opcodes.def"
};

/* ops.def writes "list.append" with an empty overload, "add.int" as name and overload: both are tried. */
const tsm_op *tsm_opcode_operator(const tsm_op_table *table, unsigned opcode) {
  const char *full = tsm_opcode_rows[opcode].operator_name;
  if (!*full) return NULL;
  const tsm_op *op = tsm_op_find(table, full, "");
  const char *dot = strrchr(full, '.');
  char name[32];
  if (op || !dot || (size_t)(dot - full) >= sizeof name) return op;
  tsm_text_fit(name, sizeof name, full, (size_t)(dot - full));
  return tsm_op_find(table, name, dot + 1);
}

uint32_t tsm_mark_find(const tsm_mark *marks, uint32_t count, uint32_t pc, uint32_t none) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (marks[middle].pc <= pc) low = middle + 1;
    else high = middle;
  }
  return low ? marks[low - 1].value : none;
}

uint32_t tsm_instruction_length(const uint64_t *code) {
  switch (tsm_opcode_rows[tsm_word_op(*code)].pattern) {
    case TSM_P_AB_TO: case TSM_P_AI_TO: case TSM_P_L_AB: case TSM_P_L_AI:
    case TSM_P_A_W: case TSM_P_AB_W: case TSM_P_ABF_W: case TSM_P_ABC_W:
    case TSM_P_OP: case TSM_P_FUSED: case TSM_P_CHAIN: case TSM_P_DO: return 2;
    case TSM_P_A_WW: case TSM_P_AB_WW: case TSM_P_ABF_WW: return 3;
    case TSM_P_BUILD: return 2 + (tsm_word_b(*code) + 3u) / 4;
    case TSM_P_CALL: return 2u + tsm_word_c(*code);
    default: return 1;
  }
}

static void packed_text(tsm_text *t, const uint64_t *words, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint16_t reg = tsm_packed(words, i);
    tsm_text_format(t, " r%u%s", reg & (TSM_TAKE - 1u), reg & TSM_TAKE ? "!" : "");
  }
}

static void site_text(tsm_text *t, const tsm_site *site) {
  const char *dot = *site->op->overload ? "." : "";
  tsm_text_format(t, " %s%s%s", site->op->name, dot, site->op->overload);
  for (uint32_t i = 0; i < site->arg_count; i++)
    tsm_text_format(t, " r%u%s", site->regs[i], i < 64 && site->dies >> i & 1 ? "!" : "");
  for (uint32_t i = 0; i < site->result_count; i++) tsm_text_format(t, " > r%u", site->regs[site->arg_count + i]);
}

static void operands_text(tsm_text *t, const uint64_t *code, uint32_t pc) {
  uint64_t w = *code;
  unsigned a = tsm_word_a(w), b = tsm_word_b(w), c = tsm_word_c(w);
  switch (tsm_opcode_rows[tsm_word_op(w)].pattern) {
    case TSM_P_A: case TSM_P_A_W: case TSM_P_A_WW: tsm_text_format(t, " r%u", a); break;
    case TSM_P_AB: case TSM_P_AB_W: case TSM_P_AB_WW: tsm_text_format(t, " r%u r%u", a, b); break;
    case TSM_P_ABC: case TSM_P_L8: case TSM_P_L1: case TSM_P_LP: case TSM_P_D:
      tsm_text_format(t, " r%u r%u r%u", a, b, c);
      break;
    case TSM_P_LR: case TSM_P_RRR:
      tsm_text_format(t, " r%u r%u%s r%u%s", a, b & (TSM_TAKE - 1u), b & TSM_TAKE ? "!" : "", c & (TSM_TAKE - 1u),
                      c & TSM_TAKE ? "!" : "");
      break;
    case TSM_P_DO: tsm_text_format(t, " r%u r%u r%u r%u", a, b, c, (unsigned)code[1]); break;
    case TSM_P_ABC_W: tsm_text_format(t, " r%u r%u .%u", a, b, c); break;
    case TSM_P_ABI: tsm_text_format(t, " r%u r%u %d", a, b, (int16_t)c); break;
    case TSM_P_AI: tsm_text_format(t, " r%u %d", a, (int16_t)b); break;
    case TSM_P_ABF: case TSM_P_ABF_W: case TSM_P_ABF_WW: tsm_text_format(t, " r%u r%u %u", a, b, c); break;
    case TSM_P_TO: tsm_text_format(t, " @%" PRId64, (int64_t)pc + tsm_word_to(w)); break;
    case TSM_P_A_TO: tsm_text_format(t, " r%u @%" PRId64, a, (int64_t)pc + tsm_word_to(w)); break;
    case TSM_P_LOOP: tsm_text_format(t, " %u @%" PRId64, a, (int64_t)pc + tsm_word_to(w)); break;
    case TSM_P_AB_TO: tsm_text_format(t, " r%u r%u @%" PRId64, a, b, pc + (int64_t)code[1]); break;
    case TSM_P_AI_TO: tsm_text_format(t, " r%u %d @%" PRId64, a, (int16_t)b, pc + (int64_t)code[1]); break;
    case TSM_P_L_AB: tsm_text_format(t, " %u r%u r%u @%" PRId64, c, a, b, pc + (int64_t)code[1]); break;
    case TSM_P_L_AI: tsm_text_format(t, " %u r%u %d @%" PRId64, c, a, (int16_t)b, pc + (int64_t)code[1]); break;
    case TSM_P_OP: site_text(t, tsm_word_pointer(code[1])); break;
    case TSM_P_FUSED:
      tsm_fused_text(tsm_word_pointer(code[1]), t);
      tsm_text_format(t, " @%" PRId64, (int64_t)pc + tsm_word_to(w));
      break;
    case TSM_P_CHAIN: {
      const tsm_chain *chain = tsm_word_pointer(code[1]);
      tsm_text_format(t, " %u @%" PRId64, chain->count, (int64_t)pc + tsm_word_to(w));
      break;
    }
    case TSM_P_BUILD:
      tsm_text_format(t, " r%u", a);
      packed_text(t, code + 2, b);
      break;
    case TSM_P_CALL: {
      const tsm_plan *callee = tsm_word_pointer(code[1]);
      tsm_text_format(t, " r%u %s", a, callee->function->name);
      packed_text(t, code + 2, (uint32_t)callee->param_refs + callee->param_pairs + callee->param_scalars);
      break;
    }
    default: break;
  }
}

void tsm_plan_text(const tsm_function *f, tsm_text *text) {
  const tsm_plan *p = f->plan;
  tsm_text_format(text, "plan %s: %u refs, %u pairs, %u slots\n", f->name, p->ref_count, p->pair_count, p->slot_count);
  for (uint32_t pc = 0; pc < p->length; pc += tsm_instruction_length(&p->code[pc])) {
    tsm_text_format(text, "%5u  %-16s", pc, tsm_opcode_rows[tsm_word_op(p->code[pc])].mnemonic);
    operands_text(text, &p->code[pc], pc);
    tsm_text_add(text, "\n", 1);
  }
}

tsm_status tsm_program_plan(const tsm_program *program, tsm_value *out_str, tsm_error *out_error) {
  tsm_text text;
  tsm_text_init(&text, program->rt);
  for (uint32_t i = 0; i < program->function_count; i++) {
    if (i) tsm_text_add(&text, "\n", 1);
    tsm_plan_text(&program->functions[i], &text);
  }
  tsm_status status = text.failed ? TSM_ERR_MEMORY : tsm_str_copy(program->rt, text.bytes, text.length, out_str);
  tsm_text_free(&text);
  return status ? tsm_error_set(out_error, status, "%s", tsm_status_text(status)) : TSM_OK;
}
