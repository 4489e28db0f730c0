/* infer_attention.c - see attention.h. */
#include "attention.h"

#include <math.h>

#include "arguments.h"
#include "kernels.h"
#include "pointwise.h"

enum { QUERY, KEY, VALUE, MASK, DROPOUT, CAUSAL, SCALE, GQA };

static tsm_status raise_shapes(tsm_opcall *c, const char *why) {
  char q[TSM_SHAPE_TEXT], k[TSM_SHAPE_TEXT], v[TSM_SHAPE_TEXT];
  return tsm_raise(c->ctx, "RuntimeError", "%s: query %s, key %s and value %s do not fit: %s", c->site->op->name,
                   tsm_shape_text(q, tsm_arg_tensor(c, QUERY)), tsm_shape_text(k, tsm_arg_tensor(c, KEY)),
                   tsm_shape_text(v, tsm_arg_tensor(c, VALUE)), why);
}

static tsm_status check_dtypes(tsm_opcall *c) {
  const tsm_tensor *mask = tsm_arg_tensor(c, MASK);
  uint8_t dtype = tsm_arg_tensor(c, QUERY)->dtype;
  for (size_t i = KEY; i <= VALUE; i++)
    if (tsm_arg_tensor(c, i)->dtype != dtype)
      return tsm_raise(c->ctx, "RuntimeError", "%s: query is %s but %s is %s", c->site->op->name,
                       tsm_dtype_name((tsm_dtype)dtype), c->site->op->schema.params[i].name,
                       tsm_dtype_name((tsm_dtype)tsm_arg_tensor(c, i)->dtype));
  if (dtype != TSM_F32 && dtype != TSM_F64)
    return tsm_raise(c->ctx, "RuntimeError", "%s: not implemented for dtype %s", c->site->op->name,
                     tsm_dtype_name((tsm_dtype)dtype));
  if (mask && mask->dtype != TSM_BOOL8 && mask->dtype != TSM_F32 && mask->dtype != dtype)
    return tsm_raise(c->ctx, "RuntimeError", "%s: attn_mask must be bool, float32 or of the query's dtype, not %s",
                     c->site->op->name, tsm_dtype_name((tsm_dtype)mask->dtype));
  return TSM_OK;
}

static tsm_status check_options(tsm_opcall *c) {
  const tsm_tensor *mask = tsm_arg_tensor(c, MASK);
  const char *name = c->site->op->name;
  if (tsm_arg_float(c, DROPOUT) != 0)
    return tsm_raise(c->ctx, "RuntimeError", "%s: dropout_p must be 0 here", name);
  if (mask && tsm_arg_bool(c, CAUSAL))
    return tsm_raise(c->ctx, "RuntimeError", "%s: Explicit attn_mask should not be set when is_causal=True", name);
  if (mask && mask->rank < 2)
    return tsm_raise(c->ctx, mask->rank ? "IndexError" : "RuntimeError",
                     "%s: attn_mask needs at least 2 dimensions, but has %d", name, mask->rank);
  return TSM_OK;
}

/* Batch extents of the result: those of all three, broadcast; heads of query count for all when they are grouped. */
static tsm_status join_batches(tsm_opcall *c, bool is_grouped, tsm_attention *a) {
  const tsm_tensor *q = tsm_arg_tensor(c, QUERY);
  a->rank = q->rank - 2u;
  memcpy(a->batch, tsm_shape(q), a->rank * sizeof *a->batch);
  for (size_t i = KEY; i <= VALUE; i++) {
    const tsm_tensor *t = tsm_arg_tensor(c, i);
    int64_t shape[TSM_MAX_RANK];
    memcpy(shape, tsm_shape(t), t->rank * sizeof *shape);
    if (is_grouped) {
      if (q->rank < 3 || t->rank < 3) return tsm_raise(c->ctx, "IndexError", "%s: enable_gqa needs a dimension of heads",
                                                       c->site->op->name);
      int64_t heads = tsm_shape(q)[q->rank - 3], own = shape[t->rank - 3];
      if (own < 1 || heads % own)
        return raise_shapes(c, "the number of heads in key and value must divide the number of heads in query");
      shape[t->rank - 3] = heads;
    }
    if (!tsm_broadcast(a->batch, &a->rank, shape, t->rank - 2u))
      return raise_shapes(c, "their batch dimensions do not broadcast");
  }
  return TSM_OK;
}

static void place(const tsm_attention *a, const tsm_tensor *t, tsm_heads *out) {
  size_t own = t->rank - 2u, lead = a->rank - own;
  out->tensor = t;
  out->row = tsm_shape(t)[own] == 1 ? 0 : tsm_strides(t)[own];
  out->column = tsm_shape(t)[own + 1] == 1 ? 0 : tsm_strides(t)[own + 1];
  for (size_t d = 0; d < a->rank; d++) {
    int64_t extent = d < lead ? 1 : tsm_shape(t)[d - lead];
    out->step[d] = extent == 1 ? 0 : tsm_strides(t)[d - lead];
    out->repeat[d] = extent > 1 ? a->batch[d] / extent : 1;
  }
}

static tsm_status place_mask(tsm_opcall *c, tsm_attention *a) {
  const tsm_tensor *mask = tsm_arg_tensor(c, MASK);
  if (!mask) return TSM_OK;
  int64_t shape[TSM_MAX_RANK];
  size_t own = mask->rank - 2u, rank = a->rank;
  memcpy(shape, a->batch, rank * sizeof *shape);
  bool is_fit = tsm_broadcast(shape, &rank, tsm_shape(mask), own) && rank == a->rank &&
                !memcmp(shape, a->batch, rank * sizeof *shape);
  int64_t rows = tsm_shape(mask)[own], keys = tsm_shape(mask)[own + 1];
  if (is_fit && (rows == a->rows || rows == 1) && (keys == a->keys || keys == 1)) {
    place(a, mask, &a->mask);
    return TSM_OK;
  }
  char text[TSM_SHAPE_TEXT], want[TSM_SHAPE_TEXT];
  memcpy(shape, a->batch, a->rank * sizeof *shape);
  if (a->rank + 2 <= TSM_MAX_RANK) {
    shape[a->rank] = a->rows;
    shape[a->rank + 1] = a->keys;
  }
  return tsm_raise(c->ctx, "RuntimeError", "%s: attn_mask of shape %s does not broadcast to %s", c->site->op->name,
                   tsm_shape_text(text, mask), tsm_list_text(want, shape, a->rank + 2));
}

tsm_status tsm_attention_read(tsm_opcall *c, tsm_attention *a) {
  memset(a, 0, sizeof *a);
  for (size_t i = QUERY; i <= VALUE; i++)
    if (tsm_arg_tensor(c, i)->rank < 2) return raise_shapes(c, "each needs at least 2 dimensions");
  tsm_status status = check_dtypes(c);
  if (!status) status = check_options(c);
  if (!status) status = join_batches(c, tsm_arg_bool(c, GQA), a);
  if (status) return status;
  const tsm_tensor *q = tsm_arg_tensor(c, QUERY), *k = tsm_arg_tensor(c, KEY), *v = tsm_arg_tensor(c, VALUE);
  a->rows = tsm_shape(q)[q->rank - 2];
  a->depth = tsm_shape(q)[q->rank - 1];
  a->keys = tsm_shape(k)[k->rank - 2];
  a->width = tsm_shape(v)[v->rank - 1];
  if (tsm_shape(k)[k->rank - 1] != a->depth) return raise_shapes(c, "query and key differ in their last extent");
  if (tsm_shape(v)[v->rank - 2] != a->keys) return raise_shapes(c, "key and value differ in their second to last extent");
  place(a, q, &a->query);
  place(a, k, &a->key);
  place(a, v, &a->value);
  a->is_causal = tsm_arg_bool(c, CAUSAL);
  if (!tsm_arg_is_none(c, SCALE)) a->scale = tsm_arg_pair(c, SCALE).as.f;
  else if (a->depth) a->scale = 1 / sqrt((double)a->depth);
  return place_mask(c, a);
}

tsm_status tsm_i_attention(tsm_opcall *c, tsm_meta *out) {
  tsm_attention a;
  tsm_status status = tsm_attention_read(c, &a);
  if (status) return status;
  out->dtype = tsm_arg_tensor(c, QUERY)->dtype;
  out->rank = (uint8_t)(a.rank + 2);
  memcpy(out->shape, a.batch, a.rank * sizeof *out->shape);
  out->shape[a.rank] = a.rows;
  out->shape[a.rank + 1] = a.width;
  return TSM_OK;
}

const char *tsm_heads_at(const tsm_attention *a, const tsm_heads *h, int64_t index) {
  int64_t offset = 0;
  for (size_t d = a->rank; d-- > 0; index /= a->batch[d]) offset += index % a->batch[d] / h->repeat[d] * h->step[d];
  return (const char *)tsm_tensor_read(h->tensor) + offset * (int64_t)tsm_item_size(h->tensor->dtype);
}
