/* vm.c - the interpreter: runs the plans that lower/ makes.
 * In: a function and its arguments as slots. Out: its result, or the pending error and its trace.
 * Holds: calls use no C stack. A reference register is NULL or owns a count at every instruction boundary; every write
 * releases what was there. Scalar instructions share their meaning with kernels through scalar.h, and let the kernel
 * itself raise when there is nothing to return. */
#include "scalar.h"
#include "stack.h"

enum { SLICE = 4096, FREE_SLICE = 65536 };

/* ---- Fuel */

/* Takes a slice of fuel that covers what is owed; looks at the cancel flag. */
static tsm_status refill(tsm_context *ctx, int64_t *budget) {
  if (atomic_load_explicit(&ctx->cancelled, memory_order_relaxed)) return ctx->status = TSM_ERR_CANCELLED;
  int64_t owed = -*budget;
  if (!ctx->has_fuel) {
    *budget = FREE_SLICE;
    return TSM_OK;
  }
  if (ctx->fuel < owed) {
    ctx->fuel = 0;
    *budget = 0;
    return ctx->status = TSM_ERR_FUEL;
  }
  int64_t taken = owed > SLICE ? owed : SLICE;
  if (taken > ctx->fuel) taken = ctx->fuel;
  ctx->fuel -= taken;
  *budget = taken - owed;
  return TSM_OK;
}

static void give_back(tsm_context *ctx, int64_t *budget) {
  if (ctx->has_fuel && *budget > 0) ctx->fuel += *budget;
  *budget = 0;
}

/* ---- Slow paths: away from the loop */

/* Runs the operator that an instruction stands for by its kernel: what fails there raises with the kernel's text. */
static tsm_status run_kernel(tsm_context *ctx, tsm_slot *fp, uint64_t word) {
  union { tsm_site site; uint64_t room[sizeof(tsm_site) / 8 + 2]; } call;
  memset(&call, 0, sizeof call);
  const tsm_op *op = tsm_opcode_operator(ctx->rt->ops, tsm_word_op(word));
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
  tsm_opcall c = {ctx, slots, &call.site};
  tsm_status status = tsm_op_run(&c);
  if (status == TSM_OK && first) fp[fields[0]].i = slots[call.site.arg_count].i; /* scalar results only */
  return status;
}

static tsm_status unset_attribute(tsm_context *ctx, const tsm_object *o, uint64_t attribute) {
  return tsm_raise(ctx, "AttributeError", "'%s' object has no attribute '%s'", o->type->name,
                   o->type->member_names[attribute]);
}

static tsm_status empty_cell(tsm_context *ctx) {
  return tsm_raise(ctx, "UnboundLocalError", "cannot access local variable where it is not associated with a value");
}

static tsm_status wrong_type(tsm_context *ctx, const tsm_type *expected, tsm_pair got) {
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

static void set_ref(tsm_slot *slot, tsm_object *o) {
  tsm_object *old = slot->ref;
  slot->ref = o;
  tsm_unref_maybe(old);
}

static void set_pair(tsm_slot *slot, tsm_pair p) {
  tsm_pair old = {slot[0].bits, slot[1]};
  slot[0].bits = p.tag;
  slot[1] = p.as;
  tsm_pair_unref(old);
}

static tsm_pair get_pair(const tsm_slot *slot) { return (tsm_pair){slot[0].bits, slot[1]}; }

/* Stores into a register of this layout, taking over the count. */
static void set_slot(tsm_layout layout, tsm_slot *slot, tsm_pair p) {
  if (layout == TSM_L_PAIR) set_pair(slot, p);
  else if (layout == TSM_L_REF) set_ref(slot, tsm_tag_is_ref(p.tag) ? p.as.ref : NULL);
  else *slot = p.as;
}

/* The value of a packed register at a type, with a count of its own; emptied if it is to be taken. */
static tsm_pair fetch(tsm_slot *fp, uint16_t reg, const tsm_type *type) {
  tsm_slot *slot = &fp[reg & (TSM_TAKE - 1)];
  tsm_pair p = tsm_pair_from_slot(type, slot);
  if (reg & TSM_TAKE) slot->bits = 0; /* NULL, or the tag of None */
  else tsm_pair_ref(p);
  return p;
}

static tsm_status build_tuple(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc) {
  const tsm_type *type = tsm_word_pointer(pc[1]);
  uint32_t count = tsm_word_b(*pc);
  tsm_tuple *t = tsm_tuple_make(ctx->heap, count, type);
  if (!t) return tsm_out_of_memory(ctx);
  for (uint32_t i = 0; i < count; i++)
    t->items[i] = fetch(fp, tsm_packed(pc + 2, i), type->members[type->is_variadic ? 0 : i]);
  set_ref(&fp[tsm_word_a(*pc)], &t->head);
  return TSM_OK;
}

static tsm_status build_list(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc) {
  const tsm_type *type = tsm_word_pointer(pc[1]), *element = type->members[0];
  uint32_t count = tsm_word_b(*pc);
  tsm_list *l = tsm_list_make(ctx->heap, (tsm_layout)element->layout, type, count);
  if (!l) return tsm_out_of_memory(ctx);
  for (uint32_t i = 0; i < count; i++) {
    tsm_slot slots[2];
    tsm_pair_to_slot((tsm_layout)element->layout, fetch(fp, tsm_packed(pc + 2, i), element), slots);
    tsm_list_push(l, slots); /* room was reserved */
  }
  set_ref(&fp[tsm_word_a(*pc)], &l->head);
  return TSM_OK;
}

static tsm_status build_dict(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc, tsm_kind kind) {
  const tsm_type *type = tsm_word_pointer(pc[1]), *key = type->members[0];
  const tsm_type *value = kind == TSM_DICT ? type->members[1] : NULL;
  uint32_t count = tsm_word_b(*pc), step = value ? 2 : 1;
  tsm_layout value_layout = value ? (tsm_layout)value->layout : TSM_L_I64;
  tsm_dict *d = tsm_dict_make(ctx->heap, kind, (tsm_layout)key->layout, value_layout, type);
  if (!d) return tsm_out_of_memory(ctx);
  for (uint32_t i = 0; i < count; i += step) {
    tsm_pair k = fetch(fp, tsm_packed(pc + 2, i), key), v = {TSM_NONE, {0}};
    if (value) v = fetch(fp, tsm_packed(pc + 2, i + 1), value);
    tsm_status status = tsm_dict_put(d, k, v) == TSM_OK ? tsm_charge(ctx, (int64_t)(tsm_dict_steps(d) / 16))
                                                        : tsm_out_of_memory(ctx);
    if (status == TSM_OK) continue;
    tsm_unref(&d->head);
    return status;
  }
  set_ref(&fp[tsm_word_a(*pc)], &d->head);
  return TSM_OK;
}

static tsm_status narrow(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc) {
  const tsm_type *from = tsm_word_pointer(pc[1]), *to = tsm_word_pointer(pc[2]);
  tsm_pair p = tsm_pair_from_slot(from, &fp[tsm_word_b(*pc)]);
  if (!tsm_pair_fits(to, p)) return wrong_type(ctx, to, p);
  tsm_status status = tsm_pair_adopt(ctx, to, p);
  if (status != TSM_OK) return status;
  tsm_pair_ref(p);
  set_slot((tsm_layout)to->layout, &fp[tsm_word_a(*pc)], p);
  return TSM_OK;
}

static tsm_status load_tensor(tsm_instance *instance, tsm_slot *slot, uint64_t number) {
  tsm_tensor *t = tsm_instance_tensor(instance, (uint32_t)number);
  if (!t) return tsm_out_of_memory(&instance->ctx);
  tsm_ref(&t->head);
  set_ref(slot, &t->head);
  return TSM_OK;
}

static tsm_status get_cell(tsm_context *ctx, tsm_slot *fp, uint64_t word) {
  const tsm_cell *cell = (const tsm_cell *)fp[tsm_word_b(word)].ref;
  if (!cell->head.layout2) return empty_cell(ctx);
  tsm_slot_ref((tsm_layout)cell->head.layout, cell->slots);
  tsm_slot *dst = &fp[tsm_word_a(word)];
  if (cell->head.layout == TSM_L_PAIR) set_pair(dst, get_pair(cell->slots));
  else if (cell->head.layout == TSM_L_REF) set_ref(dst, cell->slots[0].ref);
  else *dst = cell->slots[0];
  return TSM_OK;
}

static void put_cell(tsm_slot *fp, uint64_t word) {
  tsm_cell *cell = (tsm_cell *)fp[tsm_word_a(word)].ref;
  tsm_slot *src = &fp[tsm_word_b(word)];
  cell->head.layout2 = 1;
  tsm_slot_ref((tsm_layout)cell->head.layout, src);
  if (cell->head.layout == TSM_L_PAIR) set_pair(cell->slots, get_pair(src));
  else if (cell->head.layout == TSM_L_REF) set_ref(&cell->slots[0], src->ref);
  else cell->slots[0] = *src;
}

/* Room for one more element; false when out of memory. */
static bool has_room(tsm_list *l) {
  if (TSM_LIKELY(l->length < l->capacity)) return true;
  int64_t more = l->capacity + (l->capacity >> 1) + 4;
  return tsm_list_grow(l, more) == TSM_OK || tsm_list_grow(l, l->length + 1) == TSM_OK;
}

static void drop_dying(tsm_slot *fp, const tsm_site *site) {
  for (uint64_t dies = site->dies; dies; dies &= dies - 1) set_ref(&fp[site->regs[__builtin_ctzll(dies)]], NULL);
}

/* Moves the arguments of a call into the new frame, whose references and pairs are cleared first. */
static void pass_arguments(const tsm_plan *callee, tsm_slot *from, tsm_slot *to, const uint64_t *words) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < callee->scalar_base; i++) to[i].bits = 0;
  for (uint32_t i = 0; i < callee->param_refs; i++, at++) {
    uint16_t reg = tsm_packed(words, at);
    tsm_slot *src = &from[reg & (TSM_TAKE - 1)];
    to[i].ref = src->ref;
    if (reg & TSM_TAKE) src->ref = NULL;
    else tsm_ref_maybe(to[i].ref);
  }
  for (uint32_t i = 0; i < callee->param_pairs; i++, at++) {
    uint16_t reg = tsm_packed(words, at);
    tsm_slot *src = &from[reg & (TSM_TAKE - 1)], *dst = &to[callee->ref_count + 2 * i];
    dst[0] = src[0];
    dst[1] = src[1];
    if (reg & TSM_TAKE) src[0].bits = 0;
    else tsm_pair_ref(get_pair(dst));
  }
  for (uint32_t i = 0; i < callee->param_scalars; i++, at++)
    to[callee->scalar_base + i] = from[tsm_packed(words, at)];
}

static inline tsm_fault divide_by_positive(int64_t a, int64_t b, int64_t *out) {
  int64_t r = a % b;
  *out = a / b - (r < 0);
  return TSM_FAULT_NONE;
}

static inline tsm_fault modulo_positive(int64_t a, int64_t b, int64_t *out) {
  int64_t r = a % b;
  *out = r < 0 ? r + b : r;
  return TSM_FAULT_NONE;
}

/* ---- The loop */

#ifndef TSM_NO_COMPUTED_GOTO
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wgnu-label-as-value"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpedantic"
#endif
#define DISPATCH() goto *labels[tsm_word_op(word = *pc)]
#define CASE(name) L_##name:
#else
#define DISPATCH() goto again
#define CASE(name) case TSM_C_##name:
#endif
#define NEXT(words) do { pc += (words); DISPATCH(); } while (0)
#define A tsm_word_a(word)
#define B tsm_word_b(word)
#define C tsm_word_c(word)
#define IMMEDIATE_B ((int16_t)B)
#define IMMEDIATE_C ((int16_t)C)
#define POINTER(i) tsm_word_pointer(pc[i])
#define TRY(expression, words)                     \
  do {                                             \
    status = (expression);                         \
    if (TSM_UNLIKELY(status != TSM_OK)) goto failed; \
    NEXT(words);                                   \
  } while (0)
/* The result goes to its register only when there is one: it may be an operand's, which the kernel reads again. */
#define CHECKED(name, expression)                                        \
  CASE(name) {                                                           \
    int64_t out;                                                         \
    if (TSM_UNLIKELY((expression) != TSM_FAULT_NONE)) goto by_kernel;    \
    fp[A].i = out;                                                       \
    NEXT(1);                                                             \
  }
#define INT2(name, function) CHECKED(name, function(fp[B].i, fp[C].i, &out))
#define INT1I(name, function) CHECKED(name, function(fp[B].i, IMMEDIATE_C, &out))
#define COMPARE(name, field, op) \
  CASE(name) { fp[A].i = fp[B].field op fp[C].field; NEXT(1); }
#define COMPARE_I(name, op) \
  CASE(name) { fp[A].i = fp[B].i op IMMEDIATE_C; NEXT(1); }
#define JUMP_IF(condition) do { if (condition) NEXT((int64_t)pc[1]); NEXT(2); } while (0)

static tsm_status run(tsm_instance *instance, struct tsm_stack *stack, tsm_slot *out_result) {
#ifndef TSM_NO_COMPUTED_GOTO
  static const void *const labels[] = {
#define OPCODE(name, mnemonic, pattern, operator, effect) &&L_##name,
#include "opcodes.def"
  };
#endif
  tsm_context *ctx = &instance->ctx;
  const tsm_plan *plan = stack->frames[0].plan;
  const uint64_t *pc = plan->code;
  tsm_slot *fp = stack->slots;
  uint64_t word;
  int64_t budget = -(int64_t)plan->weight;
  tsm_status status = refill(ctx, &budget);
  if (status != TSM_OK) goto failed;
#ifdef TSM_NO_COMPUTED_GOTO
again:
  switch (tsm_word_op(word = *pc)) {
  default: goto unreachable;
#else
  DISPATCH();
#endif

  CASE(JMP) NEXT(tsm_word_to(word));
  CASE(LOOP) {
    budget -= A;
    if (TSM_UNLIKELY(budget < 0)) {
      status = refill(ctx, &budget);
      if (status != TSM_OK) goto failed;
    }
    NEXT(tsm_word_to(word));
  }
  CASE(JT) { if (fp[A].i) NEXT(tsm_word_to(word)); NEXT(1); }
  CASE(JF) { if (!fp[A].i) NEXT(tsm_word_to(word)); NEXT(1); }
  CASE(CALL) {
    const tsm_plan *callee = POINTER(1);
    size_t base = (size_t)(fp - stack->slots) + plan->slot_count;
    budget -= callee->weight;
    if (TSM_UNLIKELY(budget < 0)) {
      status = refill(ctx, &budget);
      if (status != TSM_OK) goto failed;
    }
    status = tsm_stack_reserve(ctx, stack, base, callee->slot_count);
    if (TSM_UNLIKELY(status != TSM_OK)) goto failed;
    tsm_slot *slots = stack->slots + base;
    pass_arguments(callee, stack->slots + base - plan->slot_count, slots, pc + 2);
    stack->frames[stack->depth - 1].pc = pc;
    stack->frames[stack->depth++] = (tsm_frame){callee, callee->code, base};
    plan = callee;
    fp = slots;
    pc = callee->code;
    DISPATCH();
  }
  CASE(RET_I) {
    tsm_slot value;
    value.i = IMMEDIATE_B;
    out_result[0] = value;
    goto returned;
  }
  CASE(RET) {
    out_result[0] = fp[A];
    goto returned;
  }
  CASE(RET_R) {
    out_result[0] = fp[A];
    fp[A].ref = NULL;
    goto returned;
  }
  CASE(RET_P) {
    out_result[0] = fp[A];
    out_result[1] = fp[A + 1];
    fp[A].bits = 0;
    goto returned;
  }
  CASE(RAISE) {
    tsm_ref(fp[A].ref);
    status = tsm_raise_exception(ctx, (tsm_exception *)fp[A].ref);
    goto failed;
  }
  CASE(UNREACHABLE) goto unreachable;

  CASE(MOV) { fp[A] = fp[B]; NEXT(1); }
  CASE(MOVE_R) { tsm_object *o = fp[B].ref; fp[B].ref = NULL; set_ref(&fp[A], o); NEXT(1); }
  CASE(COPY_R) { tsm_ref_maybe(fp[B].ref); set_ref(&fp[A], fp[B].ref); NEXT(1); }
  CASE(MOVE_P) { tsm_pair p = get_pair(&fp[B]); fp[B].bits = 0; set_pair(&fp[A], p); NEXT(1); }
  CASE(COPY_P) { tsm_pair p = get_pair(&fp[B]); tsm_pair_ref(p); set_pair(&fp[A], p); NEXT(1); }
  CASE(SWAP) { tsm_slot s = fp[A]; fp[A] = fp[B]; fp[B] = s; NEXT(1); }
  CASE(SWAP_P) {
    tsm_pair p = get_pair(&fp[A]);
    fp[A] = fp[B];
    fp[A + 1] = fp[B + 1];
    fp[B].bits = p.tag;
    fp[B + 1] = p.as;
    NEXT(1);
  }
  CASE(DROP) { set_ref(&fp[A], NULL); NEXT(1); }
  CASE(DROP_P) { set_pair(&fp[A], (tsm_pair){TSM_NONE, {0}}); NEXT(1); }
  CASE(LDI) { fp[A].i = IMMEDIATE_B; NEXT(1); }
  CASE(LDK) { fp[A].bits = pc[1]; NEXT(2); }
  CASE(LDK_R) {
    tsm_slot s;
    s.bits = pc[1];
    set_ref(&fp[A], s.ref);
    NEXT(2);
  }
  CASE(LDK_P) { set_pair(&fp[A], (tsm_pair){pc[1], {.bits = pc[2]}}); NEXT(3); }
  CASE(LDT) TRY(load_tensor(instance, &fp[A], pc[1]), 2);

  CASE(OP) {
    const tsm_site *site = POINTER(1);
    tsm_opcall call = {ctx, fp, site};
    if (ctx->has_fuel) give_back(ctx, &budget);
    status = tsm_op_run(&call);
    if (TSM_UNLIKELY(status != TSM_OK)) goto failed;
    if (A) drop_dying(fp, site);
    NEXT(2);
  }
  CASE(TUPLE) TRY(build_tuple(ctx, fp, pc), 2 + (B + 3) / 4);
  CASE(LIST) TRY(build_list(ctx, fp, pc), 2 + (B + 3) / 4);
  CASE(DICT) TRY(build_dict(ctx, fp, pc, TSM_DICT), 2 + (B + 3) / 4);
  CASE(SET) TRY(build_dict(ctx, fp, pc, TSM_SET), 2 + (B + 3) / 4);
  CASE(ITEM) { fp[A] = ((const tsm_tuple *)fp[B].ref)->items[C].as; NEXT(1); }
  CASE(ITEM_R) {
    tsm_pair p = ((const tsm_tuple *)fp[B].ref)->items[C];
    tsm_pair_ref(p);
    set_ref(&fp[A], tsm_tag_is_ref(p.tag) ? p.as.ref : NULL);
    NEXT(1);
  }
  CASE(ITEM_P) {
    tsm_pair p = ((const tsm_tuple *)fp[B].ref)->items[C];
    tsm_pair_ref(p);
    set_pair(&fp[A], p);
    NEXT(1);
  }
  CASE(NEW) {
    tsm_instance_object *o = tsm_instance_object_make(ctx->heap, POINTER(1));
    if (!o) goto no_memory;
    set_ref(&fp[A], &o->head);
    NEXT(2);
  }
  CASE(GET) {
    tsm_instance_object *o = (tsm_instance_object *)fp[B].ref;
    if (TSM_UNLIKELY(!tsm_attr_is_set(o->head.type, o, (uint32_t)pc[1]))) goto unset;
    fp[A] = o->slots[C];
    NEXT(2);
  }
  CASE(GET_R) {
    tsm_instance_object *o = (tsm_instance_object *)fp[B].ref;
    tsm_object *value = o->slots[C].ref;
    if (TSM_UNLIKELY(!value && !tsm_attr_is_set(o->head.type, o, (uint32_t)pc[1]))) goto unset;
    tsm_ref_maybe(value);
    set_ref(&fp[A], value);
    NEXT(2);
  }
  CASE(GET_P) {
    tsm_instance_object *o = (tsm_instance_object *)fp[B].ref;
    if (TSM_UNLIKELY(!tsm_attr_is_set(o->head.type, o, (uint32_t)pc[1]))) goto unset;
    tsm_pair p = get_pair(&o->slots[C]);
    tsm_pair_ref(p);
    set_pair(&fp[A], p);
    NEXT(2);
  }
  CASE(PUT) {
    tsm_instance_object *o = (tsm_instance_object *)fp[A].ref;
    o->slots[C] = fp[B];
    tsm_attr_mark_set(o->head.type, o, (uint32_t)pc[1]);
    NEXT(2);
  }
  CASE(PUT_R) {
    tsm_instance_object *o = (tsm_instance_object *)fp[A].ref;
    tsm_ref_maybe(fp[B].ref);
    tsm_attr_mark_set(o->head.type, o, (uint32_t)pc[1]);
    set_ref(&o->slots[C], fp[B].ref);
    NEXT(2);
  }
  CASE(PUT_P) {
    tsm_instance_object *o = (tsm_instance_object *)fp[A].ref;
    tsm_pair p = get_pair(&fp[B]);
    tsm_pair_ref(p);
    tsm_attr_mark_set(o->head.type, o, (uint32_t)pc[1]);
    set_pair(&o->slots[C], p);
    NEXT(2);
  }
  CASE(CELL) {
    tsm_cell *cell = tsm_cell_make(ctx->heap, (tsm_layout)C, POINTER(1));
    if (!cell) goto no_memory;
    set_ref(&fp[A], &cell->head);
    NEXT(2);
  }
  CASE(CELL_GET) TRY(get_cell(ctx, fp, word), 1);
  CASE(CELL_PUT) { put_cell(fp, word); NEXT(1); }

  CASE(BOX) { set_pair(&fp[A], (tsm_pair){pc[1], fp[B]}); NEXT(2); }
  CASE(BOX_R) {
    tsm_pair p = {fp[B].ref ? fp[B].ref->kind : TSM_NONE, fp[B]};
    if (C) fp[B].ref = NULL;
    else tsm_pair_ref(p);
    set_pair(&fp[A], p);
    NEXT(1);
  }
  CASE(UNBOX) {
    if (TSM_UNLIKELY(fp[B].bits != pc[1])) TRY(wrong_type(ctx, POINTER(2), get_pair(&fp[B])), 3);
    fp[A] = fp[B + 1];
    NEXT(3);
  }
  CASE(UNBOX_R) {
    if (TSM_UNLIKELY(fp[B].bits != pc[1])) TRY(wrong_type(ctx, POINTER(2), get_pair(&fp[B])), 3);
    tsm_object *o = fp[B + 1].ref;
    if (C) fp[B].bits = 0;
    else tsm_ref(o);
    set_ref(&fp[A], o);
    NEXT(3);
  }
  CASE(SOME) {
    tsm_object *o = fp[B].ref;
    if (TSM_UNLIKELY(!o)) TRY(wrong_type(ctx, POINTER(1), (tsm_pair){TSM_NONE, {0}}), 2);
    if (C) fp[B].ref = NULL;
    else tsm_ref(o);
    set_ref(&fp[A], o);
    NEXT(2);
  }
  CASE(NARROW) TRY(narrow(ctx, fp, pc), 3);
  CASE(IS_TAG) { fp[A].i = fp[B].bits == pc[1]; NEXT(2); }
  CASE(IS_NONE) { fp[A].i = fp[B].ref == NULL; NEXT(1); }
  CASE(IS_SOME) { fp[A].i = fp[B].ref != NULL; NEXT(1); }
  CASE(IS_TYPE) { fp[A].i = tsm_pair_fits(POINTER(2), tsm_pair_from_slot(POINTER(1), &fp[B])); NEXT(3); }

  CASE(NOT) { fp[A].i = !fp[B].i; NEXT(1); }
  CASE(INVERT) { fp[A].i = ~fp[B].i; NEXT(1); }
  CHECKED(NEG_INT, tsm_int_neg(fp[B].i, &out))
  CASE(POS_INT) { fp[A].i = fp[B].i; NEXT(1); }
  CASE(INT_OF_BOOL) { fp[A].i = fp[B].i; NEXT(1); }
  CASE(BOOL_OF_INT) { fp[A].i = fp[B].i != 0; NEXT(1); }
  CASE(FLOAT_OF_INT) { fp[A].f = (double)fp[B].i; NEXT(1); }
  CASE(FLOAT_OF_BOOL) { fp[A].f = (double)fp[B].i; NEXT(1); }
  INT2(ADD, tsm_int_add) INT2(SUB, tsm_int_sub) INT2(MUL, tsm_int_mul) INT2(DIV, tsm_int_floordiv)
  INT2(MOD, tsm_int_mod) INT2(SHL, tsm_int_lshift) INT2(SHR, tsm_int_rshift)
  INT1I(ADD_I, tsm_int_add) INT1I(SUB_I, tsm_int_sub) INT1I(MUL_I, tsm_int_mul)
  INT1I(SHL_I, tsm_int_lshift) INT1I(SHR_I, tsm_int_rshift)
  INT1I(DIV_I, divide_by_positive) INT1I(MOD_I, modulo_positive)
  CASE(AND) { fp[A].i = fp[B].i & fp[C].i; NEXT(1); }
  CASE(AND_I) { fp[A].i = fp[B].i & IMMEDIATE_C; NEXT(1); }
  CASE(OR) { fp[A].i = fp[B].i | fp[C].i; NEXT(1); }
  CASE(XOR) { fp[A].i = fp[B].i ^ fp[C].i; NEXT(1); }
  CASE(AND_B) { fp[A].i = fp[B].i & fp[C].i; NEXT(1); }
  CASE(OR_B) { fp[A].i = fp[B].i | fp[C].i; NEXT(1); }
  CASE(XOR_B) { fp[A].i = fp[B].i ^ fp[C].i; NEXT(1); }
  COMPARE(EQ, i, ==) COMPARE(NE, i, !=) COMPARE(LT, i, <) COMPARE(LE, i, <=) COMPARE(GT, i, >) COMPARE(GE, i, >=)
  COMPARE_I(EQ_I, ==) COMPARE_I(NE_I, !=) COMPARE_I(LT_I, <) COMPARE_I(LE_I, <=) COMPARE_I(GT_I, >)
  COMPARE_I(GE_I, >=)
  CASE(J_EQ) JUMP_IF(fp[A].i == fp[B].i);
  CASE(J_NE) JUMP_IF(fp[A].i != fp[B].i);
  CASE(J_LT) JUMP_IF(fp[A].i < fp[B].i);
  CASE(J_LE) JUMP_IF(fp[A].i <= fp[B].i);
  CASE(J_GT) JUMP_IF(fp[A].i > fp[B].i);
  CASE(J_GE) JUMP_IF(fp[A].i >= fp[B].i);
  CASE(J_EQ_I) JUMP_IF(fp[A].i == IMMEDIATE_B);
  CASE(J_NE_I) JUMP_IF(fp[A].i != IMMEDIATE_B);
  CASE(J_LT_I) JUMP_IF(fp[A].i < IMMEDIATE_B);
  CASE(J_LE_I) JUMP_IF(fp[A].i <= IMMEDIATE_B);
  CASE(J_GT_I) JUMP_IF(fp[A].i > IMMEDIATE_B);
  CASE(J_GE_I) JUMP_IF(fp[A].i >= IMMEDIATE_B);
  CASE(ADD_F) { fp[A].f = fp[B].f + fp[C].f; NEXT(1); }
  CASE(SUB_F) { fp[A].f = fp[B].f - fp[C].f; NEXT(1); }
  CASE(MUL_F) { fp[A].f = fp[B].f * fp[C].f; NEXT(1); }
  CASE(DIV_F) {
    double out;
    if (TSM_UNLIKELY(tsm_float_truediv(fp[B].f, fp[C].f, &out) != TSM_FAULT_NONE)) goto by_kernel;
    fp[A].f = out;
    NEXT(1);
  }
  CASE(NEG_F) { fp[A].f = -fp[B].f; NEXT(1); }
  COMPARE(EQ_F, f, ==) COMPARE(NE_F, f, !=) COMPARE(LT_F, f, <) COMPARE(LE_F, f, <=) COMPARE(GT_F, f, >)
  COMPARE(GE_F, f, >=)

  CASE(LEN_LIST) { fp[A].i = ((const tsm_list *)fp[B].ref)->length; NEXT(1); }
#define LIST_INDEX(list, index)                                            \
  tsm_list *l = (tsm_list *)(list).ref;                                    \
  int64_t i = (index).i;                                                   \
  i += i < 0 ? l->length : 0;                                              \
  if (TSM_UNLIKELY((uint64_t)i >= (uint64_t)l->length)) goto by_kernel;
  CASE(LIST_GET) { LIST_INDEX(fp[B], fp[C]) fp[A].i = l->as.i64[i]; NEXT(1); }
  CASE(LIST_GET_1) { LIST_INDEX(fp[B], fp[C]) fp[A].i = l->as.u8[i]; NEXT(1); }
  CASE(LIST_GET_R) {
    LIST_INDEX(fp[B], fp[C])
    tsm_object *o = l->as.ref[i];
    tsm_ref_maybe(o);
    set_ref(&fp[A], o);
    NEXT(1);
  }
  CASE(LIST_PUT) { LIST_INDEX(fp[A], fp[B]) l->as.i64[i] = fp[C].i; NEXT(1); }
  CASE(LIST_PUT_1) { LIST_INDEX(fp[A], fp[B]) l->as.u8[i] = fp[C].i != 0; NEXT(1); }
  CASE(LIST_PUT_R) {
    LIST_INDEX(fp[A], fp[B])
    tsm_slot *src = &fp[C & (TSM_TAKE - 1)];
    tsm_slot value = *src;
    if (C & TSM_TAKE) src->ref = NULL;
    else tsm_ref_maybe(value.ref);
    tsm_list_store(l, i, &value);
    NEXT(1);
  }
  CASE(LIST_ADD) {
    tsm_list *l = (tsm_list *)fp[A].ref;
    if (!has_room(l)) goto no_memory;
    l->as.i64[l->length++] = fp[B].i;
    NEXT(1);
  }
  CASE(LIST_ADD_1) {
    tsm_list *l = (tsm_list *)fp[A].ref;
    if (!has_room(l)) goto no_memory;
    l->as.u8[l->length++] = fp[B].i != 0;
    NEXT(1);
  }
  CASE(LIST_ADD_R) {
    tsm_list *l = (tsm_list *)fp[A].ref;
    if (!has_room(l)) goto no_memory;
    tsm_slot *src = &fp[B & (TSM_TAKE - 1)];
    l->as.ref[l->length++] = src->ref;
    if (B & TSM_TAKE) src->ref = NULL;
    else tsm_ref_maybe(src->ref);
    NEXT(1);
  }
#ifdef TSM_NO_COMPUTED_GOTO
  }
#endif

returned: {
    uint8_t layout = plan->result_layout;
    tsm_stack_pop(stack);
    if (!stack->depth) {
      give_back(ctx, &budget);
      return TSM_OK;
    }
    const tsm_frame *frame = &stack->frames[stack->depth - 1];
    plan = frame->plan;
    fp = stack->slots + frame->base;
    pc = frame->pc;
    word = *pc;
    if (layout == TSM_L_REF) set_ref(&fp[A], out_result[0].ref);
    else if (layout == TSM_L_PAIR) set_pair(&fp[A], get_pair(out_result));
    else fp[A] = out_result[0];
    NEXT(2 + C);
  }

by_kernel:
  TRY(run_kernel(ctx, fp, word), 1);
unset:
  status = unset_attribute(ctx, fp[B].ref, pc[1]);
  goto failed;
no_memory:
  status = tsm_out_of_memory(ctx);
  goto failed;
unreachable: /* the file's claim that this cannot run is wrong */
  status = ctx->status = TSM_ERR_VERIFY;
failed:
  stack->frames[stack->depth - 1].pc = pc;
  ctx->status = status;
  if (status == TSM_ERR_RAISED && tsm_stack_catch(ctx, stack)) {
    const tsm_frame *frame = &stack->frames[stack->depth - 1];
    plan = frame->plan;
    fp = stack->slots + frame->base;
    pc = frame->pc;
    DISPATCH();
  }
  give_back(ctx, &budget);
  tsm_stack_trace(ctx, stack);
  while (stack->depth) tsm_stack_pop(stack);
  return ctx->status;
}

/* ---- Entry */

static void enter(struct tsm_stack *stack, const tsm_function *f, const tsm_slot *args) {
  const tsm_plan *plan = f->plan;
  tsm_slot *fp = stack->slots;
  for (uint32_t i = 0; i < plan->scalar_base; i++) fp[i].bits = 0;
  tsm_slot *refs = fp, *pairs = fp + plan->ref_count, *scalars = fp + plan->scalar_base;
  for (uint32_t p = 0; p < f->param_count; p++, args++) {
    tsm_layout layout = (tsm_layout)f->value_types[p]->layout;
    tsm_slot_ref(layout, args);
    if (layout == TSM_L_REF) {
      *refs++ = *args;
    } else if (layout == TSM_L_PAIR) {
      *pairs++ = *args++;
      *pairs++ = *args;
    } else {
      *scalars++ = *args;
    }
  }
  stack->frames[0] = (tsm_frame){plan, plan->code, 0};
  stack->depth = 1;
}

tsm_status tsm_vm_run(tsm_instance *instance, const tsm_function *f, const tsm_slot *args, tsm_slot *out_result) {
  struct tsm_stack *stack = tsm_stack_of(instance);
  tsm_context *ctx = &instance->ctx;
  if (!stack) return tsm_out_of_memory(ctx);
  if (stack->is_running) return TSM_ERR_ARGUMENT;
  stack->where = NULL;
  stack->op[0] = 0;
  stack->trace.length = 0;
  tsm_status status = tsm_stack_reserve(ctx, stack, 0, f->plan->slot_count);
  if (status != TSM_OK) return status;
  stack->is_running = true;
  enter(stack, f, args);
  status = run(instance, stack, out_result);
  stack->is_running = false;
  if (stack->caught) {
    tsm_object *caught = &stack->caught->head;
    stack->caught = NULL;
    tsm_unref(caught);
  }
  return status;
}
