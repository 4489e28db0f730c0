/* steps.c - what an instruction does that takes more than a few words of C: away from the interpreter's loop.
 * In: a frame and the instruction. Out: changed registers, or the pending error.
 * Holds: registers that an instruction takes are emptied only when nothing can fail any more. */
#include "steps.h"
#include "kernels/containers.h"

/* Runs the operator that an instruction stands for by its kernel: what fails there raises with the kernel's text. */
/* Found by name, and remembered: what fails once often fails in every round of a loop. */
static const tsm_op *operator_of(tsm_context *ctx, unsigned opcode) {
  if (!ctx->kernel || ctx->kernel_opcode != opcode) {
    ctx->kernel = tsm_opcode_operator(ctx->rt->ops, opcode);
    ctx->kernel_opcode = opcode;
  }
  return ctx->kernel;
}

tsm_status tsm_step_by_kernel(tsm_context *ctx, tsm_slot *fp, uint64_t word) {
  union { tsm_site site; uint64_t room[sizeof(tsm_site) / 8 + 2]; } call;
  memset(&call, 0, sizeof call);
  const tsm_op *op = operator_of(ctx, tsm_word_op(word));
  uint16_t fields[3] = {tsm_word_a(word), tsm_word_b(word), tsm_word_c(word)};
  size_t first = op->schema.result_count;
  tsm_slot slots[4];
  memset(slots, 0, sizeof slots);
  call.site.op = op;
  call.site.arg_count = op->schema.param_count;
  call.site.result_count = op->schema.result_count;
  bool has_immediate = tsm_opcode_rows[tsm_word_op(word)].pattern == TSM_P_ABI;
  for (size_t i = 0; i < call.site.arg_count; i++) {
    if (has_immediate && i == 1) slots[i].i = (int16_t)fields[2];
    else slots[i] = fp[fields[first + i] & (TSM_TAKE - 1)];
  }
  for (uint16_t i = 0; i < 4; i++) call.site.regs[i] = i;
  tsm_opcall c = {ctx, slots, &call.site, NULL};
  tsm_status status = tsm_op_run(&c);
  if (status == TSM_OK && first) fp[fields[0]].i = slots[call.site.arg_count].i; /* scalar results only */
  return status;
}

tsm_status tsm_step_unset(tsm_context *ctx, const tsm_object *o, uint64_t attribute) {
  return tsm_raise(ctx, "AttributeError", "'%s' object has no attribute '%s'", o->type->name,
                   o->type->member_names[attribute]);
}

static tsm_status empty_cell(tsm_context *ctx) {
  return tsm_raise(ctx, "UnboundLocalError", "cannot access local variable where it is not associated with a value");
}

tsm_status tsm_step_wrong_type(tsm_context *ctx, const tsm_type *expected, tsm_pair got) {
  char wanted[200];
  tsm_type_text(expected, wanted, sizeof wanted);
  tsm_text name;
  tsm_text_init(&name, ctx->rt);
  if (TSM_TAG_KIND(got.tag) == TSM_NONE) tsm_text_add(&name, "None", 4);
  else tsm_text_type_name(&name, got);
  tsm_text_add(&name, "", 1);
  tsm_status status =
      tsm_raise(ctx, "TypeError", "expected %s, got %s", wanted, name.failed ? "another type" : name.bytes);
  tsm_text_free(&name);
  return status;
}

/* The value of a packed register at a type, with a count of its own; emptied if it is to be taken. */
static inline tsm_pair fetch(tsm_slot *fp, uint16_t reg, const tsm_type *type) {
  tsm_slot *slot = &fp[reg & (TSM_TAKE - 1)];
  tsm_pair p = tsm_pair_from_slot(type, slot);
  if (reg & TSM_TAKE) slot->bits = 0; /* NULL, or the tag of None */
  else tsm_pair_ref(p);
  return p;
}

tsm_status tsm_step_tuple(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc) {
  const tsm_type *type = tsm_word_pointer(pc[1]);
  uint32_t count = tsm_word_b(*pc);
  tsm_tuple *t = tsm_tuple_make(ctx->heap, count, type);
  if (!t) return tsm_out_of_memory(ctx);
  for (uint32_t i = 0; i < count; i++)
    t->items[i] = fetch(fp, tsm_packed(pc + 2, i), type->members[type->is_variadic ? 0 : i]);
  tsm_set_ref(&fp[tsm_word_a(*pc)], &t->head);
  return TSM_OK;
}

tsm_status tsm_step_list(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc) {
  const tsm_type *type = tsm_word_pointer(pc[1]), *element = type->members[0];
  uint32_t count = tsm_word_b(*pc);
  tsm_list *l = tsm_list_make(ctx->heap, (tsm_layout)element->layout, type, count);
  if (!l) return tsm_out_of_memory(ctx);
  for (uint32_t i = 0; i < count; i++) {
    tsm_slot slots[2];
    tsm_pair_to_slot((tsm_layout)element->layout, fetch(fp, tsm_packed(pc + 2, i), element), slots);
    (void)tsm_list_push(l, slots); /* room was reserved */
  }
  tsm_set_ref(&fp[tsm_word_a(*pc)], &l->head);
  return TSM_OK;
}

tsm_status tsm_step_dict(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc, tsm_kind kind) {
  const tsm_type *type = tsm_word_pointer(pc[1]), *key = type->members[0];
  const tsm_type *value = kind == TSM_DICT ? type->members[1] : NULL;
  uint32_t count = tsm_word_b(*pc), step = value ? 2 : 1;
  tsm_layout value_layout = value ? (tsm_layout)value->layout : TSM_L_I64;
  tsm_dict *d = tsm_dict_make(ctx->heap, kind, (tsm_layout)key->layout, value_layout, type);
  if (!d) return tsm_out_of_memory(ctx);
  for (uint32_t i = 0; i < count; i += step) {
    tsm_pair k = fetch(fp, tsm_packed(pc + 2, i), key), v = {TSM_NONE, {0}};
    if (value) v = fetch(fp, tsm_packed(pc + 2, i + 1), value);
    tsm_status status = tsm_check_hashable(ctx, k);
    if (status != TSM_OK) {
      tsm_pair_unref(k);
      tsm_pair_unref(v);
    } else if (tsm_dict_put(ctx, d, k, v) != TSM_OK) {
      status = tsm_out_of_memory(ctx);
    }
    if (status == TSM_OK) continue;
    tsm_unref(&d->head);
    return status;
  }
  tsm_set_ref(&fp[tsm_word_a(*pc)], &d->head);
  return TSM_OK;
}

tsm_status tsm_step_narrow(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc) {
  const tsm_type *from = tsm_word_pointer(pc[1]), *to = tsm_word_pointer(pc[2]);
  tsm_pair p = tsm_pair_from_slot(from, &fp[tsm_word_b(*pc)]);
  bool is_fit = tsm_pair_fits(ctx, to, p);
  if (tsm_has_stopped(ctx)) return ctx->status;
  if (!is_fit) return tsm_step_wrong_type(ctx, to, p);
  tsm_status status = tsm_pair_adopt(ctx, to, p);
  if (status != TSM_OK) return status;
  tsm_pair_ref(p);
  tsm_set_slot((tsm_layout)to->layout, &fp[tsm_word_a(*pc)], p);
  return TSM_OK;
}

tsm_status tsm_step_row_major(tsm_context *ctx, tsm_slot *slot) {
  tsm_tensor *copy = tsm_tensor_contiguous(ctx, slot->tensor);
  if (!copy) return ctx->status;
  tsm_unref(&slot->tensor->head);
  slot->tensor = copy;
  return TSM_OK;
}

tsm_status tsm_step_tensor(tsm_instance *instance, tsm_slot *slot, uint64_t number) {
  tsm_tensor *t = tsm_instance_tensor(instance, (uint32_t)number);
  if (!t) return tsm_out_of_memory(&instance->ctx);
  tsm_ref(&t->head);
  tsm_set_ref(slot, &t->head);
  return TSM_OK;
}

tsm_status tsm_step_get_cell(tsm_context *ctx, tsm_slot *fp, uint64_t word) {
  const tsm_cell *cell = (const tsm_cell *)fp[tsm_word_b(word)].ref;
  if (!cell->head.layout2) return empty_cell(ctx);
  tsm_slot_ref((tsm_layout)cell->head.layout, cell->slots);
  tsm_slot *dst = &fp[tsm_word_a(word)];
  if (cell->head.layout == TSM_L_PAIR) tsm_set_pair(dst, tsm_get_pair(cell->slots));
  else if (cell->head.layout == TSM_L_REF) tsm_set_ref(dst, cell->slots[0].ref);
  else *dst = cell->slots[0];
  return TSM_OK;
}

void tsm_step_put_cell(tsm_slot *fp, uint64_t word) {
  tsm_cell *cell = (tsm_cell *)fp[tsm_word_a(word)].ref;
  tsm_slot *src = &fp[tsm_word_b(word)];
  cell->head.layout2 = 1;
  tsm_slot_ref((tsm_layout)cell->head.layout, src);
  if (cell->head.layout == TSM_L_PAIR) tsm_set_pair(cell->slots, tsm_get_pair(src));
  else if (cell->head.layout == TSM_L_REF) tsm_set_ref(&cell->slots[0], src->ref);
  else cell->slots[0] = *src;
}
