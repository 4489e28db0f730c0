/* order.c - the order in memory of a result that lowering left free. See tensor/order.h.
 * In: a call whose site is marked free_layout, its new result. Out: the result, channels-last where that suits.
 * Holds: only float32 images, as only their kernels gain by it. */
#include "tensor/order.h"

#include "op.h"

static bool is_tensor_channels_last(const tsm_object *o) {
  return o && o->kind == TSM_TENSOR && tsm_is_channels_last((const tsm_tensor *)(const void *)o);
}

/* Whether a tensor argument, or one in a list of them, lies channels-last. */
static bool has_channels_last_argument(const tsm_opcall *call) {
  for (size_t i = 0; i < call->site->op->schema.param_count; i++) {
    if (call->site->op->schema.params[i].type->layout != TSM_L_REF) continue;
    const tsm_object *o = tsm_arg(call, i)->ref;
    if (is_tensor_channels_last(o)) return true;
    if (!o || o->kind != TSM_LIST || o->layout != TSM_L_REF) continue;
    const tsm_list *list = (const tsm_list *)(const void *)o;
    for (int64_t k = 0; k < list->length; k++)
      if (is_tensor_channels_last(list->as.ref[k])) return true;
  }
  return false;
}

void tsm_result_choose_order(const tsm_opcall *call, tsm_tensor *result) {
  if (result->rank != 4 || result->dtype != TSM_F32) return;
  if ((call->site->op->traits & TSM_TRAIT(IMAGES)) || has_channels_last_argument(call))
    tsm_tensor_turn_channels_last(result);
}
