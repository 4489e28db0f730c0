/* vm.c - the interpreter: runs the plans that lower/ makes.
 * In: a function and its arguments as slots. Out: its result, or the pending error and its trace.
 * Holds: calls use no C stack. A reference register is NULL or owns a count at every instruction boundary; every write
 * releases what was there. Scalar instructions share their meaning with kernels through scalar.h, and let the kernel
 * itself raise when there is nothing to return. */
#include "kernels/fused.h"
#include "steps.h"

enum { SLICE = 4096, FREE_SLICE = 65536 };

/* ---- Fuel */

/* A slice of fuel, at least `short_of`, after a look at the cancel flag. Negative: ctx->status says why. */
static int64_t refill(tsm_context *ctx, int64_t short_of) {
  if (atomic_load_explicit(&ctx->cancelled, memory_order_relaxed)) {
    ctx->status = TSM_ERR_CANCELLED;
    return -1;
  }
  if (ctx->unpolled >= 0 && tsm_context_poll(ctx) != TSM_OK) return -1;
  if (!ctx->has_fuel) {
    ctx->unpolled += FREE_SLICE;
    return short_of > FREE_SLICE ? short_of : FREE_SLICE;
  }
  if (ctx->fuel < short_of) {
    ctx->fuel = 0;
    ctx->status = TSM_ERR_FUEL;
    return -1;
  }
  int64_t taken = short_of > SLICE ? short_of : SLICE;
  if (taken > ctx->fuel) taken = ctx->fuel;
  ctx->fuel -= taken;
  ctx->unpolled += taken;
  return taken;
}

/* Room for one more element; false when out of memory. */
static bool has_room(tsm_list *l) {
  if (TSM_LIKELY(l->length < l->capacity)) return true;
  return tsm_list_extend_room(l, l->length + 1, (l->capacity >> 1) + 3) == TSM_OK;
}

static void drop_dying(tsm_slot *fp, const tsm_site *site) {
  for (uint64_t dies = site->dies; dies; dies &= dies - 1) tsm_set_ref(&fp[site->regs[__builtin_ctzll(dies)]], NULL);
}

/* Clears the references and pairs of a new frame and moves the arguments that are such into it. */
static void pass_counted(const tsm_plan *callee, tsm_slot *from, tsm_slot *to, const uint64_t *words) {
  uint32_t at = 0;
  for (uint32_t i = callee->param_refs; i < callee->scalar_base; i++) to[i].bits = 0;
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
    else tsm_pair_ref(tsm_get_pair(dst));
  }
}

static inline void pass_scalars(const tsm_plan *callee, const tsm_slot *from, tsm_slot *to, const uint64_t *words) {
  uint32_t at = (uint32_t)callee->param_refs + callee->param_pairs;
  to += callee->scalar_base;
  for (uint32_t i = 0; i < callee->param_scalars; i++) to[i] = from[tsm_packed(words, at + i)];
}

static void release_counted(const tsm_plan *plan, const tsm_slot *slots) {
  for (uint32_t i = 0; i < plan->ref_count; i++) tsm_unref_maybe(slots[i].ref);
  for (uint32_t i = plan->ref_count; i < plan->scalar_base; i += 2) tsm_pair_unref(tsm_get_pair(&slots[i]));
}

static inline tsm_fault divide_by_positive(int64_t a, int64_t b, int64_t *out) {
  int64_t r = a % b;
  *out = a / b - (r < 0);
  return TSM_FAULT_NONE;
}

/* 32-bit division takes half the time of 64-bit division. */
static inline tsm_fault modulo(int64_t a, int64_t b, int64_t *out) {
  if (TSM_UNLIKELY(((uint64_t)a | (uint64_t)b) >> 32 || b == 0)) return tsm_int_mod(a, b, out);
  *out = (int64_t)((uint32_t)a % (uint32_t)b);
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
#define DISPATCH() goto *labels[tsm_field(pc, 0)]
#define CASE(name) L_##name:
#else
#define DISPATCH() goto again
#define CASE(name) case TSM_C_##name:
#endif
#define NEXT(words) do { pc += (words); DISPATCH(); } while (0)
#define A tsm_field(pc, 1)
#define B tsm_field(pc, 2)
#define C tsm_field(pc, 3)
#define TO tsm_field_to(pc)
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
/* Takes fuel, or gets more first: then the instruction starts again. */
#define PAY(units)                            \
  do {                                        \
    price = (units);                          \
    if (TSM_UNLIKELY(budget < price)) goto refuel; \
    budget -= price;                          \
  } while (0)
#define TURN_IF(condition) do { if (!(condition)) NEXT(2); PAY(C); NEXT((int64_t)pc[1]); } while (0)
#define COUNT_TO(limit)                    \
  do {                                     \
    int64_t count = fp[A].i + 1;           \
    if (count < (limit)) {                 \
      PAY(C);                              \
      fp[A].i = count;                     \
      NEXT((int64_t)pc[1]);                \
    }                                      \
    fp[A].i = count;                       \
    NEXT(2);                               \
  } while (0)
#define GIVE_BACK() do { if (ctx->has_fuel) { ctx->fuel += budget; budget = 0; } } while (0)
/* Back to the caller: its call instruction says where the value goes. */
#define RETURN_SCALAR(value)                                           \
  do {                                                                 \
    tsm_slot given = (value);                                          \
    if (plan->scalar_base) release_counted(plan, fp);                  \
    if (TSM_UNLIKELY(--stack->depth == 0)) {                           \
      out_result[0] = given;                                           \
      goto done;                                                       \
    }                                                                  \
    const tsm_frame *caller = &stack->frames[stack->depth - 1];        \
    plan = caller->plan;                                               \
    fp = stack->slots + caller->base;                                  \
    pc = caller->pc;                                                   \
    fp[A] = given;                                                     \
    NEXT(2 + C);                                                       \
  } while (0)

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
  tsm_status status;
  int64_t budget = 0, price = plan->weight; /* price: what the instruction that goes to `refuel` costs */
  budget = refill(ctx, price) - price;
  if (budget < 0) {
    budget = 0;
    goto trapped;
  }
#ifdef TSM_NO_COMPUTED_GOTO
again:
  switch (tsm_field(pc, 0)) {
  default: goto unreachable;
#else
  DISPATCH();
#endif

  CASE(JMP) NEXT(TO);
  CASE(LOOP) { PAY(A); NEXT(TO); }
  CASE(JT) { if (fp[A].i) NEXT(TO); NEXT(1); }
  CASE(JF) { if (!fp[A].i) NEXT(TO); NEXT(1); }
  CASE(CALL) {
    const tsm_plan *callee = POINTER(1);
    size_t base = (size_t)(fp - stack->slots) + plan->slot_count;
    PAY(callee->weight);
    if (TSM_UNLIKELY(stack->depth >= stack->frame_limit || base + callee->slot_count > stack->slot_capacity)) {
      status = tsm_stack_reserve(ctx, stack, base, callee->slot_count);
      if (status != TSM_OK) goto failed;
      fp = stack->slots + base - plan->slot_count;
    }
    tsm_slot *slots = fp + plan->slot_count;
    if (callee->scalar_base) pass_counted(callee, fp, slots, pc + 2);
    pass_scalars(callee, fp, slots, pc + 2);
    tsm_frame *frame = &stack->frames[stack->depth++];
    frame[-1].pc = pc;
    frame->plan = plan = callee;
    frame->base = base;
    fp = slots;
    pc = callee->code;
    DISPATCH();
  }
  CASE(RET_I) {
    tsm_slot value;
    value.i = IMMEDIATE_B;
    RETURN_SCALAR(value);
  }
  CASE(RET) RETURN_SCALAR(fp[A]);
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
  CASE(MOVE_R) { tsm_object *o = fp[B].ref; fp[B].ref = NULL; tsm_set_ref(&fp[A], o); NEXT(1); }
  CASE(COPY_R) { tsm_ref_maybe(fp[B].ref); tsm_set_ref(&fp[A], fp[B].ref); NEXT(1); }
  CASE(MOVE_P) { tsm_pair p = tsm_get_pair(&fp[B]); fp[B].bits = 0; tsm_set_pair(&fp[A], p); NEXT(1); }
  CASE(COPY_P) { tsm_pair p = tsm_get_pair(&fp[B]); tsm_pair_ref(p); tsm_set_pair(&fp[A], p); NEXT(1); }
  CASE(SWAP) { tsm_slot s = fp[A]; fp[A] = fp[B]; fp[B] = s; NEXT(1); }
  CASE(SWAP_P) {
    tsm_pair p = tsm_get_pair(&fp[A]);
    fp[A] = fp[B];
    fp[A + 1] = fp[B + 1];
    fp[B].bits = p.tag;
    fp[B + 1] = p.as;
    NEXT(1);
  }
  CASE(DROP) { tsm_set_ref(&fp[A], NULL); NEXT(1); }
  CASE(DROP_P) { tsm_set_pair(&fp[A], (tsm_pair){TSM_NONE, {0}}); NEXT(1); }
  CASE(LDI) { fp[A].i = IMMEDIATE_B; NEXT(1); }
  CASE(LDK) { fp[A].bits = pc[1]; NEXT(2); }
  CASE(LDK_R) {
    tsm_slot s;
    s.bits = pc[1];
    tsm_set_ref(&fp[A], s.ref);
    NEXT(2);
  }
  CASE(LDC_R) {
    tsm_object *o = instance->constants[pc[1]];
    if (TSM_UNLIKELY(!o) && !(o = tsm_instance_constant(instance, (uint32_t)pc[1]))) goto no_memory;
    tsm_ref(o);
    tsm_set_ref(&fp[A], o);
    NEXT(2);
  }
  CASE(LDK_P) { tsm_set_pair(&fp[A], (tsm_pair){pc[1], {.bits = pc[2]}}); NEXT(3); }
  CASE(LDT) TRY(tsm_step_tensor(instance, &fp[A], pc[1]), 2);

  CASE(ROW_MAJOR) {
    if (fp[A].tensor->is_contiguous) NEXT(1);
    TRY(tsm_step_row_major(ctx, &fp[A]), 1);
  }
  CASE(OP) {
    const tsm_site *site = POINTER(1);
    tsm_opcall call = {ctx, fp, site, pc};
    GIVE_BACK();
    status = tsm_op_run(&call);
    if (TSM_UNLIKELY(status != TSM_OK)) goto failed;
    if (A) drop_dying(fp, site);
    NEXT(2);
  }
  CASE(FUSED) {
    GIVE_BACK();
    bool is_done = false;
    status = tsm_fused_run(ctx, fp, POINTER(1), &is_done);
    if (TSM_UNLIKELY(status != TSM_OK)) goto failed;
    if (is_done) NEXT(TO);
    NEXT(2);
  }
  CASE(CHAIN) {
    GIVE_BACK();
    bool is_done = false;
    status = tsm_chain_run(ctx, fp, POINTER(1), &is_done);
    if (TSM_UNLIKELY(status != TSM_OK)) goto failed;
    if (is_done) NEXT(TO);
    NEXT(2);
  }
  CASE(TUPLE) TRY(tsm_step_tuple(ctx, fp, pc), 2 + (B + 3) / 4);
  CASE(LIST) TRY(tsm_step_list(ctx, fp, pc), 2 + (B + 3) / 4);
  CASE(DICT) { GIVE_BACK(); TRY(tsm_step_dict(ctx, fp, pc, TSM_DICT), 2 + (B + 3) / 4); }
  CASE(SET) { GIVE_BACK(); TRY(tsm_step_dict(ctx, fp, pc, TSM_SET), 2 + (B + 3) / 4); }
  CASE(ITEM) { fp[A] = ((const tsm_tuple *)fp[B].ref)->items[C].as; NEXT(1); }
  CASE(ITEM_R) {
    tsm_pair p = ((const tsm_tuple *)fp[B].ref)->items[C];
    tsm_pair_ref(p);
    tsm_set_ref(&fp[A], tsm_tag_is_ref(p.tag) ? p.as.ref : NULL);
    NEXT(1);
  }
  CASE(ITEM_P) {
    tsm_pair p = ((const tsm_tuple *)fp[B].ref)->items[C];
    tsm_pair_ref(p);
    tsm_set_pair(&fp[A], p);
    NEXT(1);
  }
  CASE(NEW) {
    tsm_instance_object *o = tsm_instance_object_make(ctx->heap, POINTER(1));
    if (!o) goto no_memory;
    tsm_set_ref(&fp[A], &o->head);
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
    tsm_set_ref(&fp[A], value);
    NEXT(2);
  }
  CASE(GET_P) {
    tsm_instance_object *o = (tsm_instance_object *)fp[B].ref;
    if (TSM_UNLIKELY(!tsm_attr_is_set(o->head.type, o, (uint32_t)pc[1]))) goto unset;
    tsm_pair p = tsm_get_pair(&o->slots[C]);
    tsm_pair_ref(p);
    tsm_set_pair(&fp[A], p);
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
    tsm_set_ref(&o->slots[C], fp[B].ref);
    NEXT(2);
  }
  CASE(PUT_P) {
    tsm_instance_object *o = (tsm_instance_object *)fp[A].ref;
    tsm_pair p = tsm_get_pair(&fp[B]);
    tsm_pair_ref(p);
    tsm_attr_mark_set(o->head.type, o, (uint32_t)pc[1]);
    tsm_set_pair(&o->slots[C], p);
    NEXT(2);
  }
  CASE(CELL) {
    tsm_cell *cell = tsm_cell_make(ctx->heap, (tsm_layout)C, POINTER(1));
    if (!cell) goto no_memory;
    tsm_set_ref(&fp[A], &cell->head);
    NEXT(2);
  }
  CASE(CELL_GET) TRY(tsm_step_get_cell(ctx, fp, *pc), 1);
  CASE(CELL_PUT) { tsm_step_put_cell(fp, *pc); NEXT(1); }

  CASE(BOX) { tsm_set_pair(&fp[A], (tsm_pair){pc[1], fp[B]}); NEXT(2); }
  CASE(BOX_R) {
    tsm_pair p = {fp[B].ref ? fp[B].ref->kind : TSM_NONE, fp[B]};
    if (C) fp[B].ref = NULL;
    else tsm_pair_ref(p);
    tsm_set_pair(&fp[A], p);
    NEXT(1);
  }
  CASE(LOOSEN) { tsm_pair_loosen(POINTER(1), tsm_get_pair(&fp[A])); NEXT(2); }
  CASE(UNBOX) {
    if (TSM_UNLIKELY(fp[B].bits != pc[1])) TRY(tsm_step_wrong_type(ctx, POINTER(2), tsm_get_pair(&fp[B])), 3);
    fp[A] = fp[B + 1];
    NEXT(3);
  }
  CASE(UNBOX_R) {
    if (TSM_UNLIKELY(fp[B].bits != pc[1])) TRY(tsm_step_wrong_type(ctx, POINTER(2), tsm_get_pair(&fp[B])), 3);
    tsm_object *o = fp[B + 1].ref;
    if (C) fp[B].bits = 0;
    else tsm_ref(o);
    tsm_set_ref(&fp[A], o);
    NEXT(3);
  }
  CASE(SOME) {
    tsm_object *o = fp[B].ref;
    if (TSM_UNLIKELY(!o)) TRY(tsm_step_wrong_type(ctx, POINTER(1), (tsm_pair){TSM_NONE, {0}}), 2);
    if (C) fp[B].ref = NULL;
    else tsm_ref(o);
    tsm_set_ref(&fp[A], o);
    NEXT(2);
  }
  CASE(NARROW) { GIVE_BACK(); TRY(tsm_step_narrow(ctx, fp, pc), 3); }
  CASE(IS_TAG) { fp[A].i = fp[B].bits == pc[1]; NEXT(2); }
  CASE(IS_NONE) { fp[A].i = fp[B].ref == NULL; NEXT(1); }
  CASE(IS_SOME) { fp[A].i = fp[B].ref != NULL; NEXT(1); }
  CASE(IS_TYPE) {
    GIVE_BACK();
    bool is_fit = tsm_pair_fits(ctx, POINTER(2), tsm_pair_from_slot(POINTER(1), &fp[B]));
    if (TSM_UNLIKELY(tsm_has_stopped(ctx))) goto trapped;
    fp[A].i = is_fit;
    NEXT(3);
  }

  CASE(NOT) { fp[A].i = !fp[B].i; NEXT(1); }
  CASE(INVERT) { fp[A].i = ~fp[B].i; NEXT(1); }
  CHECKED(NEG_INT, tsm_int_neg(fp[B].i, &out))
  CASE(POS_INT) { fp[A].i = fp[B].i; NEXT(1); }
  CASE(INT_OF_BOOL) { fp[A].i = fp[B].i; NEXT(1); }
  CASE(BOOL_OF_INT) { fp[A].i = fp[B].i != 0; NEXT(1); }
  CASE(FLOAT_OF_INT) { fp[A].f = (double)fp[B].i; NEXT(1); }
  CASE(FLOAT_OF_BOOL) { fp[A].f = (double)fp[B].i; NEXT(1); }
  INT2(ADD, tsm_int_add) INT2(SUB, tsm_int_sub) INT2(MUL, tsm_int_mul) INT2(DIV, tsm_int_floordiv)
  INT2(MOD, modulo) INT2(SHL, tsm_int_lshift) INT2(SHR, tsm_int_rshift)
  INT1I(ADD_I, tsm_int_add) INT1I(SUB_I, tsm_int_sub) INT1I(MUL_I, tsm_int_mul)
  INT1I(SHL_I, tsm_int_lshift)
  CASE(SHR_I) { fp[A].i = fp[B].i >> C; NEXT(1); }
  INT1I(DIV_I, divide_by_positive) INT1I(MOD_I, modulo_positive)
  CASE(DIV_INT) {
    double out;
    if (TSM_UNLIKELY(tsm_int_truediv(fp[B].i, fp[C].i, &out) != TSM_FAULT_NONE)) goto by_kernel;
    fp[A].f = out;
    NEXT(1);
  }
  CHECKED(ABS, tsm_int_abs(fp[B].i, &out))
  CASE(MIN) { fp[A].i = fp[C].i < fp[B].i ? fp[C].i : fp[B].i; NEXT(1); }
  CASE(MAX) { fp[A].i = fp[C].i > fp[B].i ? fp[C].i : fp[B].i; NEXT(1); }
  CHECKED(INT_OF_FLOAT, tsm_float_to_int(fp[B].f, &out))
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
  CASE(J_EQ_F) JUMP_IF(fp[A].f == fp[B].f);
  CASE(J_NE_F) JUMP_IF(fp[A].f != fp[B].f);
  CASE(J_LT_F) JUMP_IF(fp[A].f < fp[B].f);
  CASE(J_LE_F) JUMP_IF(fp[A].f <= fp[B].f);
  CASE(J_NLT_F) JUMP_IF(!(fp[A].f < fp[B].f));
  CASE(J_NLE_F) JUMP_IF(!(fp[A].f <= fp[B].f));
  CASE(J_ANY) JUMP_IF(fp[A].i & IMMEDIATE_B);
  CASE(J_NONE) JUMP_IF(!(fp[A].i & IMMEDIATE_B));
  CASE(L_EQ) TURN_IF(fp[A].i == fp[B].i);
  CASE(L_NE) TURN_IF(fp[A].i != fp[B].i);
  CASE(L_LT) TURN_IF(fp[A].i < fp[B].i);
  CASE(L_LE) TURN_IF(fp[A].i <= fp[B].i);
  CASE(L_GT) TURN_IF(fp[A].i > fp[B].i);
  CASE(L_GE) TURN_IF(fp[A].i >= fp[B].i);
  CASE(L_EQ_I) TURN_IF(fp[A].i == IMMEDIATE_B);
  CASE(L_NE_I) TURN_IF(fp[A].i != IMMEDIATE_B);
  CASE(L_LT_I) TURN_IF(fp[A].i < IMMEDIATE_B);
  CASE(L_LE_I) TURN_IF(fp[A].i <= IMMEDIATE_B);
  CASE(L_GT_I) TURN_IF(fp[A].i > IMMEDIATE_B);
  CASE(L_GE_I) TURN_IF(fp[A].i >= IMMEDIATE_B);
  CASE(L_EQ_F) TURN_IF(fp[A].f == fp[B].f);
  CASE(L_NE_F) TURN_IF(fp[A].f != fp[B].f);
  CASE(L_LT_F) TURN_IF(fp[A].f < fp[B].f);
  CASE(L_LE_F) TURN_IF(fp[A].f <= fp[B].f);
  CASE(L_NLT_F) TURN_IF(!(fp[A].f < fp[B].f));
  CASE(L_NLE_F) TURN_IF(!(fp[A].f <= fp[B].f));
  CASE(FOR) COUNT_TO(fp[B].i);
  CASE(FOR_I) COUNT_TO(IMMEDIATE_B);
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
  CASE(ABS_F) { fp[A].f = fabs(fp[B].f); NEXT(1); }
  CASE(SQRT) {
    if (TSM_UNLIKELY(!(fp[B].f >= 0))) goto by_kernel; /* negative, or no number */
    fp[A].f = sqrt(fp[B].f);
    NEXT(1);
  }
  COMPARE(EQ_F, f, ==) COMPARE(NE_F, f, !=) COMPARE(LT_F, f, <) COMPARE(LE_F, f, <=) COMPARE(GT_F, f, >)
  COMPARE(GE_F, f, >=)

  CASE(LEN_STR) { fp[A].i = ((const tsm_str *)fp[B].ref)->chars; NEXT(1); }
  CASE(STR_ADD) { PAY(tsm_step_text_work(fp, *pc) / 64); TRY(tsm_step_add_texts(ctx, fp, *pc), 1); }
#define SAME_TEXT(out_same)                                                                      \
  const tsm_str *a = (const tsm_str *)fp[B].ref, *b = (const tsm_str *)fp[C].ref;                \
  PAY((a->length < b->length ? a->length : b->length) / 64);                                     \
  bool out_same = a == b || (a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0);
  CASE(STR_EQ) { SAME_TEXT(is_same) fp[A].i = is_same; NEXT(1); }
  CASE(STR_NE) { SAME_TEXT(is_same) fp[A].i = !is_same; NEXT(1); }
  CASE(STR_OF) TRY(tsm_step_text_of(ctx, fp, *pc), 1);
  CASE(STR_JOIN) { GIVE_BACK(); TRY(tsm_step_join(ctx, fp, pc), 2 + (B + 3) / 4); }
  CASE(LEN_DICT) { fp[A].i = ((const tsm_dict *)fp[B].ref)->length; NEXT(1); }
  CASE(DICT_GET) {
    const tsm_dict *d = (const tsm_dict *)fp[B].ref;
    GIVE_BACK();
    const tsm_dict_entry *e = tsm_step_find(ctx, fp, d, C);
    if (TSM_UNLIKELY(!e) && tsm_has_stopped(ctx)) goto trapped;
    if (TSM_UNLIKELY(!e)) goto by_kernel;
    tsm_pair_ref(e->value);
    tsm_set_slot((tsm_layout)d->head.layout2, &fp[A], e->value);
    NEXT(1);
  }
  CASE(DICT_OR) {
    const tsm_dict *d = (const tsm_dict *)fp[B].ref;
    GIVE_BACK();
    const tsm_dict_entry *e = tsm_step_find(ctx, fp, d, C);
    if (TSM_UNLIKELY(!e) && tsm_has_stopped(ctx)) goto trapped;
    if (d->head.layout2 != TSM_L_REF) {
      fp[A] = e ? e->value.as : fp[pc[1]];
    } else {
      tsm_object *o = !e ? fp[pc[1]].ref : tsm_tag_is_ref(e->value.tag) ? e->value.as.ref : NULL;
      tsm_ref_maybe(o);
      tsm_set_ref(&fp[A], o);
    }
    NEXT(2);
  }
  CASE(DICT_HAS) {
    const tsm_dict *d = (const tsm_dict *)fp[B].ref;
    GIVE_BACK();
    bool is_there = tsm_step_find(ctx, fp, d, C) != NULL;
    if (TSM_UNLIKELY(!is_there) && tsm_has_stopped(ctx)) goto trapped;
    fp[A].i = is_there;
    NEXT(1);
  }
  CASE(DICT_PUT) {
    GIVE_BACK();
    TRY(tsm_step_put(ctx, fp, *pc), 1);
  }
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
    tsm_set_ref(&fp[A], o);
    NEXT(1);
  }
  CASE(LIST_GET_P) {
    LIST_INDEX(fp[B], fp[C])
    tsm_pair p = l->as.pair[i];
    tsm_pair_ref(p);
    tsm_set_pair(&fp[A], p);
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
  CASE(LIST_ADD_P) {
    tsm_list *l = (tsm_list *)fp[A].ref;
    if (!has_room(l)) goto no_memory;
    tsm_pair p = tsm_get_pair(&fp[B]);
    tsm_pair_ref(p);
    l->as.pair[l->length++] = p;
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
    bool is_pair = plan->result_layout == TSM_L_PAIR;
    release_counted(plan, fp);
    if (!--stack->depth) goto done;
    const tsm_frame *frame = &stack->frames[stack->depth - 1];
    plan = frame->plan;
    fp = stack->slots + frame->base;
    pc = frame->pc;
    if (is_pair) tsm_set_pair(&fp[A], tsm_get_pair(out_result));
    else tsm_set_ref(&fp[A], out_result[0].ref);
    NEXT(2 + C);
  }
done:
  GIVE_BACK();
  return TSM_OK;

refuel: {
    int64_t more = refill(ctx, price - budget);
    if (more < 0) {
      budget = 0;
      goto trapped;
    }
    budget += more;
    DISPATCH();
  }
trapped:
  status = ctx->status;
  goto failed;
by_kernel:
  TRY(tsm_step_by_kernel(ctx, fp, *pc), 1);
unset:
  status = tsm_step_unset(ctx, fp[B].ref, pc[1]);
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
  GIVE_BACK();
  tsm_stack_trace(ctx, stack);
  while (stack->depth) tsm_stack_pop(stack);
  return ctx->status;
}

/* ---- Entry */

static void enter(struct tsm_stack *stack, const tsm_function *f, const tsm_slot *args) {
  const tsm_plan *plan = f->plan;
  tsm_slot *fp = stack->slots;
  stack->frames[0] = (tsm_frame){plan, plan->code, 0};
  stack->depth = 1;
  if (!plan->scalar_base) {
    for (uint32_t p = 0; p < f->param_count; p++) fp[p] = args[p];
    return;
  }
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
