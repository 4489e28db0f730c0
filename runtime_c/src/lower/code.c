/* code.c - words, jumps that are patched later, and the tables that lead from words back to nodes and handlers.
 * Holds: an unpatched jump's distance field holds the chain of jumps to the same place: word + 1 of the one before. */
#include "lower.h"

void tsm_emit(lowering *l, uint64_t word) {
  if (!tsm_lower_grow(l, &l->code, &l->code_capacity, l->code_length, sizeof *l->code)) return;
  l->code[l->code_length++] = word;
}

uint32_t tsm_emit_jump(lowering *l, uint64_t word, uint32_t chain) {
  tsm_emit(l, (word & 0xFFFFFFFFu) | (uint64_t)chain << 32);
  return l->code_length;
}

uint32_t tsm_emit_compare_jump(lowering *l, uint64_t word, uint32_t chain) {
  tsm_emit(l, word);
  tsm_emit(l, chain);
  return l->code_length - 1;
}

void tsm_lower_patch_chain(lowering *l, uint32_t chain, uint32_t target) {
  while (chain && l->status == TSM_OK) {
    uint32_t at = chain - 1;
    uint64_t *word = &l->code[at];
    unsigned pattern = tsm_opcode_rows[tsm_word_op(*word)].pattern;
    int64_t distance = (int64_t)target - at;
    if (pattern == TSM_P_AB_TO || pattern == TSM_P_AI_TO) {
      chain = (uint32_t)word[1];
      word[1] = (uint64_t)distance;
    } else {
      chain = (uint32_t)(*word >> 32);
      *word = (*word & 0xFFFFFFFFu) | (uint64_t)(uint32_t)(int32_t)distance << 32;
    }
  }
}

/* What an operator costs before it looks at an element: makes of a tensor take longest. */
void tsm_lower_weigh(lowering *l, unsigned code, const tsm_op *op) {
  enum { TENSOR = 24, OBJECT = 6, ENTRY = 3 };
  if (code == TSM_C_OP) l->extra += op->infer ? TENSOR : OBJECT;
  else if (code == TSM_C_DICT_GET || code == TSM_C_DICT_OR || code == TSM_C_DICT_HAS || code == TSM_C_DICT_PUT)
    l->extra += ENTRY;
}

void tsm_emit_turn(lowering *l, uint64_t word, uint32_t target, uint32_t before) {
  uint32_t weight = tsm_lower_weight(l) - before + 1;
  int64_t distance = (int64_t)target - l->code_length;
  if (weight > UINT16_MAX) weight = UINT16_MAX;
  if (word) {
    tsm_emit(l, word | (uint64_t)weight << 48);
    tsm_emit(l, (uint64_t)distance);
  } else {
    tsm_emit(l, (tsm_word(TSM_C_LOOP, weight, 0, 0) & 0xFFFFFFFFu) | (uint64_t)(uint32_t)(int32_t)distance << 32);
  }
}

static void mark(lowering *l, tsm_mark **marks, uint32_t *count, uint32_t *capacity, uint32_t value) {
  if (*count && (*marks)[*count - 1].pc == l->code_length) --*count; /* nothing was emitted since */
  if (*count && (*marks)[*count - 1].value == value) return;
  if (!tsm_lower_grow(l, marks, capacity, *count, sizeof **marks)) return;
  (*marks)[(*count)++] = (tsm_mark){l->code_length, value};
}

void tsm_lower_mark_node(lowering *l, uint32_t number) {
  mark(l, &l->nodes, &l->node_count, &l->node_capacity, number);
}

void tsm_lower_mark_range(lowering *l, uint32_t handler) {
  mark(l, &l->ranges, &l->range_count, &l->range_capacity, handler);
}

void tsm_emit_packed(lowering *l, const uint16_t *regs, uint32_t count) {
  for (uint32_t i = 0; i < count; i += 4) {
    uint64_t word = 0;
    for (uint32_t k = i; k < count && k < i + 4; k++) word |= (uint64_t)regs[k] << (k - i) * 16;
    tsm_emit(l, word);
  }
}

static uint16_t area_slot(const lowering *l, uint8_t area, uint32_t reg) {
  if (area == AREA_REF) return (uint16_t)reg;
  if (area == AREA_PAIR) return (uint16_t)(l->plan->ref_count + 2 * reg);
  return (uint16_t)(l->plan->scalar_base + reg);
}

uint16_t tsm_lower_slot_of(const lowering *l, uint32_t value) {
  const value_info *v = info_of(l, value);
  if (v->place == IN_POOL) return tsm_lower_pool_slot(l, &l->pool[v->reg]);
  return area_slot(l, v->area, (uint32_t)v->reg);
}

uint16_t tsm_lower_pool_slot(const lowering *l, const pool_entry *e) { return area_slot(l, e->area, e->reg); }

static void emit_scalar(lowering *l, uint16_t dst, uint64_t bits) {
  int64_t i = (int64_t)bits;
  if (i >= INT16_MIN && i <= INT16_MAX) {
    tsm_emit(l, tsm_word(TSM_C_LDI, dst, (uint16_t)i, 0));
  } else {
    tsm_emit(l, tsm_word(TSM_C_LDK, dst, 0, 0));
    tsm_emit(l, bits);
  }
}

static void emit_pair(lowering *l, uint16_t dst, uint64_t tag, uint64_t bits) {
  tsm_emit(l, tsm_word(TSM_C_LDK_P, dst, 0, 0));
  tsm_emit(l, tag);
  tsm_emit(l, bits);
}

void tsm_emit_constant(lowering *l, uint16_t dst, const tsm_type *type, const tsm_pair *constant) {
  bool is_ref = tsm_tag_is_ref(constant->tag);
  if (constant->tag == TSM_TENSOR) {
    tsm_emit(l, tsm_word(TSM_C_LDT, dst, 0, 0));
    tsm_emit(l, constant->as.bits);
  } else if (type->layout == TSM_L_REF) {
    tsm_emit(l, tsm_word(is_ref ? TSM_C_LDC_R : TSM_C_DROP, dst, 0, 0));
    if (is_ref) tsm_emit(l, (uint64_t)(constant - l->program->constants));
  } else if (type->layout == TSM_L_PAIR) {
    emit_pair(l, dst, constant->tag, constant->as.bits); /* a scalar: constants of these types are nothing else */
  } else {
    emit_scalar(l, dst, constant->as.bits);
  }
}

void tsm_emit_default(lowering *l, const pool_entry *e) {
  uint16_t dst = tsm_lower_pool_slot(l, e);
  if (e->area == AREA_REF) {
    tsm_emit(l, tsm_word(TSM_C_LDK_R, dst, 0, 0));
    tsm_emit(l, e->bits);
  } else if (e->area == AREA_PAIR) {
    emit_pair(l, dst, e->tag, e->bits);
  } else {
    emit_scalar(l, dst, e->bits);
  }
}

void tsm_emit_drop(lowering *l, uint32_t value) {
  const value_info *v = info_of(l, value);
  if (!is_counted(v) || v->place != IN_REGISTER || v->is_fused) return;
  tsm_emit(l, tsm_word(v->area == AREA_PAIR ? TSM_C_DROP_P : TSM_C_DROP, tsm_lower_slot_of(l, value), 0, 0));
}
