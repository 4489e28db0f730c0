/* fused_producer.c - see fused_producer.h. A convolution does what follows by itself; a product block by block. */
#include "fused_producer.h"

#include "fused_conv.h"

enum { SMALL = 2048 }; /* elements that are done after a product */

void tsm_fused_start_call(tsm_fused_call *p, tsm_context *ctx, const tsm_slot *frame,
                          const tsm_fused_producer *producer) {
  p->call = (tsm_opcall){ctx, p->slots, producer->site, NULL};
  for (int i = 0; i < producer->slot_count; i++) p->slots[i] = frame[producer->slots[i]];
  p->slots[producer->slot_count].bits = 0;
}

bool tsm_fused_predict(tsm_fused_call *p, tsm_shape_only *out) {
  tsm_meta meta;
  size_t bytes;
  if (p->call.site->op->infer(&p->call, &meta) != TSM_OK) {
    tsm_context_clear(p->call.ctx);
    return false;
  }
  memset(out, 0, sizeof *out);
  tsm_tensor *t = tsm_shape_tensor(out);
  t->dtype = meta.dtype;
  t->rank = meta.rank;
  memcpy(t->dims, meta.shape, meta.rank * sizeof(int64_t));
  return tsm_meta_bytes(&meta, &t->numel, &bytes);
}

/* A convolution that does what follows by itself. */
static tsm_status run_conv(tsm_context *ctx, tsm_fused_work *r, tsm_fused_call *p, tsm_slot *frame,
                           const tsm_meta *meta, const tsm_conv_after *after, bool *out_done) {
  tsm_tensor *result = tsm_fused_conv_run(r, &p->call, meta, after);
  *out_done = result != NULL;
  if (result) tsm_fused_store(r->f, frame, &result);
  else if (ctx->status == TSM_ERR_RAISED) tsm_context_clear(ctx); /* the block raises it again, at its own place */
  return ctx->status;
}

/* What follows a product, done by it block by block: the result is made where the product is. */
typedef struct epilogue {
  tsm_after after; /* first */
  tsm_fused_work *r;
  const tsm_slot *frame;
  const tsm_meta *meta;
  bool is_begun;
} epilogue;

static bool begin_epilogue(tsm_after *after, tsm_tensor *result) {
  epilogue *e = (epilogue *)after;
  tsm_fused_work *r = e->r;
  const tsm_fused_result *out = r->f->results;
  if (r->f->result_count != 1 || out->is_mask || !(out->reuses & 1)) return false;
  if (!tsm_fused_has_shape(result, e->meta)) return false;
  r->made = result;
  if (!tsm_fused_find_layouts(r, e->frame, e->meta) || r->is_turned || r->how[0] != TSM_READ_DENSE) return false;
  r->out[0] = (char *)result->storage->data + (size_t)result->offset * tsm_item_size(result->dtype);
  tsm_fused_cut(r);
  return e->is_begun = true;
}

static void run_epilogue(void *user, int64_t row, int64_t column, int64_t rows, int64_t columns, void *c,
                         int64_t c_row) {
  tsm_fused_work *r = ((epilogue *)user)->r;
  (void)c;
  tsm_fused_block(r, row * c_row + column, rows, columns, c_row);
}

tsm_status tsm_fused_run_produced(tsm_context *ctx, tsm_fused_work *r, tsm_slot *frame, bool *out_done) {
  tsm_fused_call p;
  tsm_shape_only shape;
  tsm_meta meta;
  tsm_conv_after after;
  tsm_fused_start_call(&p, ctx, frame, r->f->producer);
  r->made = tsm_shape_tensor(&shape);
  if (!tsm_fused_predict(&p, &shape) || !tsm_fused_is_taken(r, frame, &meta)) return TSM_OK;
  if (tsm_fused_has_shape(r->made, &meta) && tsm_fused_conv_after(r, &p.call, frame, &meta, &after))
    return run_conv(ctx, r, &p, frame, &meta, &after, out_done);
  epilogue e = {{begin_epilogue, run_epilogue}, r, frame, &meta, false};
  ctx->after = r->numel > SMALL ? &e.after : NULL;
  tsm_status status = tsm_op_run(&p.call);
  ctx->after = NULL;
  if (status == TSM_ERR_RAISED) tsm_context_clear(ctx); /* the block raises it again, at its own place */
  if (status != TSM_OK) return status == TSM_ERR_RAISED ? TSM_OK : status;
  r->made = p.slots[r->f->producer->slot_count].tensor;
  if (e.is_begun) {
    *out_done = true;
    tsm_fused_store(r->f, frame, &r->made);
    return tsm_charge_elements(ctx, r->numel * (int64_t)r->f->weight);
  }
  *out_done = tsm_fused_find_layouts(r, frame, &meta);
  if (*out_done) status = tsm_fused_run_taken(ctx, r, frame, &meta);
  if (r->made) tsm_unref(&r->made->head);
  return status;
}
