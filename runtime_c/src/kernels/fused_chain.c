/* fused_chain.c - see fused.h: nodes that are convolutions and only feed each other, run at once (conv_chain.h).
 * In: the plans of the nodes, a frame. Out: the last one's result.
 * Holds: all guards are asked before anything is done; what is not taken, the nodes do one by one. */
#include "conv_chain.h"
#include "fused_conv.h"
#include "fused_producer.h"

typedef struct links {
  tsm_conv_link of[TSM_CHAIN_LINKS];
  tsm_fused_call calls[TSM_CHAIN_LINKS];
  tsm_shape_only made[TSM_CHAIN_LINKS];
} links;

/* The guard of node i, whose convolution's input is what the node before will make. */
static bool is_link(links *v, tsm_context *ctx, const tsm_slot *frame, const tsm_fused *f, int i, tsm_meta *meta) {
  tsm_fused_work r;
  tsm_fused_call *call = &v->calls[i];
  r.f = f;
  r.set = ctx->rt->rows;
  r.made = tsm_shape_tensor(&v->made[i]);
  tsm_fused_start_call(call, ctx, frame, f->producer);
  if (i) tsm_arg(&call->call, 0)->tensor = tsm_shape_tensor(&v->made[i - 1]);
  v->of[i].call = &call->call;
  return tsm_fused_predict(call, &v->made[i]) && tsm_fused_is_taken(&r, frame, meta) &&
         tsm_fused_has_shape(r.made, meta) && tsm_fused_conv_after(&r, &call->call, frame, meta, &v->of[i].after);
}

tsm_status tsm_chain_run(tsm_context *ctx, tsm_slot *frame, const tsm_chain *chain, bool *out_done) {
  links v;
  tsm_meta meta;
  *out_done = false;
  for (int i = 0; i < chain->count; i++)
    if (!is_link(&v, ctx, frame, chain->links[i], i, &meta)) return TSM_OK;
  const tsm_fused *last = chain->links[chain->count - 1];
  tsm_tensor *result = tsm_conv_chain_run(v.of, chain->count, &meta, last->is_free), *none = NULL;
  if (!result && ctx->status == TSM_ERR_RAISED) tsm_context_clear(ctx);
  if (!result) return ctx->status;
  for (int i = 0; i + 1 < chain->count; i++) tsm_fused_store(chain->links[i], frame, &none);
  tsm_fused_store(last, frame, &result);
  *out_done = true;
  return TSM_OK;
}
