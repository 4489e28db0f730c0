/* key_ops.c - kernels of dicts and sets whose keys are instances of classes with a hash and an equality of their own.
 * Only scripts can ask these, so a script searches: it gives the hash, probes for the entries that have it, and compares.
 * Entries have the numbers that dict.next gives. Holds: a dict that the host filled has no such hashes (probe says so). */
#include "containers.h"

enum { NOT_HASHED = -2 };

tsm_status tsm_k_keys_probe(tsm_opcall *c) {
  const tsm_dict *d = tsm_arg_dict(c, 0);
  if (!(d->head.flags & TSM_OBJ_HASHED) && d->length) return tsm_return_int(c, NOT_HASHED);
  int64_t number = tsm_dict_probe(c->ctx, d, (uint64_t)tsm_arg_int(c, 1), tsm_arg_int(c, 2));
  return tsm_return_int(c, number);
}

tsm_status tsm_k_keys_hashes(tsm_opcall *c) {
  const tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_list *l = tsm_result_list(c, TSM_L_I64, d->length);
  if (!l) return c->ctx->status;
  int64_t position = 0;
  tsm_status status = tsm_charge_work(c->ctx, d->length, TSM_COST_STEP);
  for (tsm_dict_entry *e; status == TSM_OK && (e = tsm_dict_pass(c->ctx, d, &position));) {
    tsm_slot slot = {.bits = e->hash};
    status = tsm_list_push(l, &slot) == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
  }
  if (status == TSM_OK) return tsm_return_object(c, l);
  tsm_unref(&l->head);
  return status;
}

tsm_status tsm_k_keys_rehash(tsm_opcall *c) {
  tsm_dict *d = tsm_arg_dict(c, 0);
  const tsm_list *hashes = tsm_arg_list(c, 1);
  if (hashes->length != d->length) return tsm_raise(c->ctx, "RuntimeError", "dictionary keys changed during hashing");
  if (!d->length || tsm_dict_rehash(c->ctx, d, hashes->as.i64) == TSM_OK) return TSM_OK;
  return tsm_out_of_memory(c->ctx);
}

/* Adds an entry that is not there yet. */
static tsm_status append(const tsm_opcall *c, tsm_pair value) {
  tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_pair key = tsm_arg_element(c, 2, (tsm_layout)d->head.layout, tsm_object_member_type(&d->head, 0));
  tsm_status status = tsm_check_hashable(c->ctx, key);
  if (status != TSM_OK) return status;
  d->head.flags |= TSM_OBJ_HASHED;
  tsm_pair_ref(key);
  tsm_pair_ref(value);
  status = tsm_dict_append(c->ctx, d, (uint64_t)tsm_arg_int(c, 1), key, value);
  return status == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
}

static tsm_pair value_of(const tsm_opcall *c, const tsm_dict *d, size_t i) {
  return tsm_arg_element(c, i, (tsm_layout)d->head.layout2, tsm_object_member_type(&d->head, 1));
}

tsm_status tsm_k_keys_append(tsm_opcall *c) { return append(c, value_of(c, tsm_arg_dict(c, 0), 3)); }
tsm_status tsm_k_keys_append_item(tsm_opcall *c) { return append(c, (tsm_pair){TSM_NONE, {0}}); }

static tsm_status entry_at(const tsm_opcall *c, tsm_dict_entry **out) {
  const tsm_dict *d = tsm_arg_dict(c, 0);
  int64_t number = tsm_arg_int(c, 1);
  *out = number >= 0 && number < d->used ? &d->entries[number] : NULL;
  if (*out && (*out)->is_live) return TSM_OK;
  return tsm_raise(c->ctx, "RuntimeError", "dictionary keys changed during a search");
}

tsm_status tsm_k_keys_store(tsm_opcall *c) {
  tsm_dict_entry *e;
  tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_status status = entry_at(c, &e);
  if (status != TSM_OK) return status;
  tsm_pair old = e->value;
  e->value = value_of(c, d, 2);
  tsm_pair_ref(e->value);
  tsm_pair_unref(old);
  return TSM_OK;
}

tsm_status tsm_k_keys_remove(tsm_opcall *c) {
  tsm_dict_entry *e;
  tsm_status status = entry_at(c, &e);
  if (status == TSM_OK) tsm_dict_drop(c->ctx, tsm_arg_dict(c, 0), e);
  return status;
}

tsm_status tsm_k_keys_move(tsm_opcall *c) {
  tsm_dict_entry *e;
  tsm_dict *d = tsm_arg_dict(c, 0);
  tsm_status status = entry_at(c, &e);
  if (status == TSM_OK) status = tsm_charge_work(c->ctx, d->used, TSM_COST_ENTRY);
  if (status != TSM_OK) return status;
  return tsm_dict_move(c->ctx, d, e, tsm_arg_bool(c, 2)) == TSM_OK ? TSM_OK : tsm_out_of_memory(c->ctx);
}

tsm_status tsm_k_keys_combine(tsm_opcall *c) {
  const tsm_list *hashes = tsm_arg_list(c, 0);
  tsm_status status = tsm_charge_work(c->ctx, hashes->length, TSM_COST_STEP);
  return status == TSM_OK ? tsm_return_int(c, (int64_t)tsm_hash_of_hashes(hashes->as.i64, hashes->length)) : status;
}
