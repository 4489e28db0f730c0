/* steps.h - instructions that the interpreter's loop leaves to functions, and how registers are written.
 * In: frame, instruction. Out: TSM_OK, or the status of the pending error.
 * Holds: a register of references is NULL or owns a count, before and after. */
#ifndef TSM_STEPS_H
#define TSM_STEPS_H

#include "op/scalar.h"
#include "stack.h"

/* ---- Registers: each takes over the count of what it stores and releases what was there. */
static inline void tsm_set_ref(tsm_slot *slot, tsm_object *o) {
  tsm_object *old = slot->ref;
  slot->ref = o;
  tsm_unref_maybe(old);
}

static inline void tsm_set_pair(tsm_slot *slot, tsm_pair p) {
  tsm_pair old = {slot[0].bits, slot[1]};
  slot[0].bits = p.tag;
  slot[1] = p.as;
  tsm_pair_unref(old);
}

static inline tsm_pair tsm_get_pair(const tsm_slot *slot) { return (tsm_pair){slot[0].bits, slot[1]}; }

/* Stores into a register of this layout, taking over the count. */
static inline void tsm_set_slot(tsm_layout layout, tsm_slot *slot, tsm_pair p) {
  if (layout == TSM_L_PAIR) tsm_set_pair(slot, p);
  else if (layout == TSM_L_REF) tsm_set_ref(slot, tsm_tag_is_ref(p.tag) ? p.as.ref : NULL);
  else *slot = p.as;
}

/* ---- Steps */
tsm_status tsm_step_by_kernel(tsm_context *ctx, tsm_slot *fp, uint64_t word);
tsm_status tsm_step_unset(tsm_context *ctx, const tsm_object *o, uint64_t attribute);
tsm_status tsm_step_wrong_type(tsm_context *ctx, const tsm_type *expected, tsm_pair got);
tsm_status tsm_step_tuple(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc);
tsm_status tsm_step_list(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc);
tsm_status tsm_step_dict(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc, tsm_kind kind);
tsm_status tsm_step_narrow(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc);
tsm_status tsm_step_row_major(tsm_context *ctx, tsm_slot *slot);
tsm_status tsm_step_tensor(tsm_instance *instance, tsm_slot *slot, uint64_t number);
tsm_status tsm_step_get_cell(tsm_context *ctx, tsm_slot *fp, uint64_t word);
void tsm_step_put_cell(tsm_slot *fp, uint64_t word);
tsm_status tsm_step_add_texts(tsm_context *ctx, tsm_slot *fp, uint64_t word);
tsm_status tsm_step_text_of(tsm_context *ctx, tsm_slot *fp, uint64_t word);
tsm_status tsm_step_join(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc);
/* The entry of the key in register `key`, for dicts with keys of type int or str; NULL: absent. */
tsm_dict_entry *tsm_step_find(tsm_context *ctx, const tsm_slot *fp, const tsm_dict *d, unsigned key);
tsm_status tsm_step_put(tsm_context *ctx, const tsm_slot *fp, uint64_t word);

/* Bytes that adding two texts touches: of the first only if it cannot grow where it is. */
static inline bool tsm_step_grows(const tsm_slot *fp, uint64_t word) {
  const tsm_object *left = fp[tsm_word_b(word) & (TSM_TAKE - 1)].ref;
  return (tsm_word_b(word) & TSM_TAKE) && !left->heap->is_shared &&
         atomic_load_explicit(&left->refs, memory_order_relaxed) == 1;
}
static inline int64_t tsm_step_text_work(const tsm_slot *fp, uint64_t word) {
  const tsm_str *left = (const tsm_str *)fp[tsm_word_b(word) & (TSM_TAKE - 1)].ref;
  const tsm_str *right = (const tsm_str *)fp[tsm_word_c(word) & (TSM_TAKE - 1)].ref;
  return (int64_t)right->length + (tsm_step_grows(fp, word) ? 0 : left->length);
}

#endif
