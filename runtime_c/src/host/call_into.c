/* call_into.c - calls whose results go into tensors of the caller.
 * In: a method, its arguments, the caller's tensors. Out: the elements of the results in them.
 * Holds: all tensors are checked before the first is written. */
#include "tensor/tensor.h"
#include "load/program.h"

static tsm_tensor *tensor_in(tsm_value v) {
  return v.kind == TSM_TENSOR && v.as.ref ? (tsm_tensor *)(void *)v.as.ref : NULL;
}

/* Result `i` of what a method returned; None if it has no such. */
static tsm_value part_of(tsm_value result, size_t i) {
  tsm_value part = tsm_none();
  if (result.kind == TSM_TUPLE) return tsm_tuple_get(result, i, &part) == TSM_OK ? part : tsm_none();
  if (result.kind == TSM_LIST) return tsm_list_get(result, i, &part) == TSM_OK ? part : tsm_none();
  if (i == 0) tsm_retain(part = result);
  return part;
}

static size_t count_of(tsm_value result) {
  if (result.kind == TSM_TUPLE) return tsm_tuple_length(result);
  return result.kind == TSM_LIST ? tsm_list_length(result) : 1;
}

static tsm_status refuse(tsm_error *out_error, size_t i, const char *why) {
  return tsm_error_set(out_error, TSM_ERR_ARGUMENT, "tensor %zu for the results: %s", i, why);
}

static tsm_status check_out(const tsm_tensor *out, const tsm_tensor *result, size_t i, tsm_error *out_error) {
  char wanted[TSM_SHAPE_TEXT], given[TSM_SHAPE_TEXT];
  if (!result) return refuse(out_error, i, "the method does not return a tensor there");
  if (!out) return refuse(out_error, i, "it is not a tensor");
  if (out->storage->flags & (TSM_ST_META | TSM_ST_READONLY)) return refuse(out_error, i, "it cannot be written");
  if (out->dtype == result->dtype && out->rank == result->rank &&
      !memcmp(out->dims, result->dims, out->rank * sizeof *out->dims))
    return TSM_OK;
  return tsm_error_set(out_error, TSM_ERR_ARGUMENT, "tensor %zu for the results: it is %s%s, the result is %s%s", i,
                       tsm_dtype_name((tsm_dtype)out->dtype), tsm_shape_text(given, out),
                       tsm_dtype_name((tsm_dtype)result->dtype), tsm_shape_text(wanted, result));
}

/* A result that shares memory with where it goes is copied twice, so that the order of copying cannot matter. */
static tsm_status copy_part(tsm_context *ctx, tsm_tensor *out, tsm_tensor *result) {
  if (tsm_check_no_overlap(ctx, out) != TSM_OK) return ctx->status;
  if (!tsm_tensors_overlap(out, result)) return tsm_tensor_copy_into(ctx, out, result);
  tsm_meta meta = {result->dtype, result->rank, {0}};
  memcpy(meta.shape, tsm_shape(result), result->rank * sizeof(int64_t));
  tsm_tensor *between = tsm_tensor_make(ctx, &meta, false);
  if (!between) return ctx->status;
  tsm_status status = tsm_tensor_copy_into(ctx, between, result);
  if (status == TSM_OK) status = tsm_tensor_copy_into(ctx, out, between);
  tsm_unref(&between->head);
  return status;
}

static tsm_status check_all(tsm_value result, const tsm_value *outs, size_t count, tsm_error *out_error) {
  if (count_of(result) != count)
    return tsm_error_set(out_error, TSM_ERR_ARGUMENT, "%zu tensors were given for %zu results", count,
                         count_of(result));
  tsm_status status = TSM_OK;
  for (size_t i = 0; i < count && status == TSM_OK; i++) {
    tsm_value part = part_of(result, i);
    status = check_out(tensor_in(outs[i]), tensor_in(part), i, out_error);
    tsm_release(part);
  }
  return status;
}

static tsm_status copy_all(tsm_runtime *rt, tsm_value result, const tsm_value *outs, size_t count,
                           tsm_error *out_error) {
  tsm_context ctx; /* not the instance's: a hook of the call may have freed that */
  tsm_status status = TSM_OK;
  tsm_context_init(&ctx, rt, rt->shared);
  for (size_t i = 0; i < count && status == TSM_OK; i++) {
    tsm_value part = part_of(result, i);
    status = copy_part(&ctx, tensor_in(outs[i]), tensor_in(part));
    if (status != TSM_OK) status = tsm_context_report(&ctx, "", out_error);
    tsm_release(part);
  }
  tsm_context_close(&ctx);
  return status;
}

tsm_status tsm_call_into(tsm_instance *instance, size_t method, const tsm_value *args, size_t count,
                         const char *const *names, size_t named, const tsm_value *outs, size_t out_count,
                         tsm_error *out_error) {
  tsm_runtime *rt = instance->ctx.rt;
  tsm_value result;
  tsm_runtime_retain(rt);
  tsm_status status = tsm_call_method(instance, method, args, count, names, named, &result, out_error);
  if (status == TSM_OK) {
    status = check_all(result, outs, out_count, out_error);
    if (status == TSM_OK) status = copy_all(rt, result, outs, out_count, out_error);
    tsm_release(result);
  }
  tsm_runtime_release(rt);
  return status;
}
