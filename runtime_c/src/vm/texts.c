/* texts.c - the instructions on str and dict that have no kernel call in between.
 * In: a frame and the instruction. Out: changed registers, or the pending error.
 * Holds: a str is changed only while one register, which the instruction takes, holds its only count. */
#include "steps.h"

/* Empties what a register field takes. */
static void take(tsm_slot *fp, unsigned field) {
  if (field & TSM_TAKE) tsm_set_ref(&fp[field & (TSM_TAKE - 1)], NULL);
}

static const tsm_str *text_at(const tsm_slot *fp, unsigned field) {
  return (const tsm_str *)fp[field & (TSM_TAKE - 1)].ref;
}

tsm_status tsm_step_add_texts(tsm_context *ctx, tsm_slot *fp, uint64_t word) {
  unsigned left = tsm_word_b(word), right = tsm_word_c(word);
  const tsm_str *a = text_at(fp, left), *b = text_at(fp, right);
  tsm_str *s;
  if (tsm_step_grows(fp, word)) { /* then b is another object, or this count would not be the only one */
    s = tsm_str_append((tsm_str *)fp[left & (TSM_TAKE - 1)].ref, b);
    if (s) fp[left & (TSM_TAKE - 1)].ref = NULL;
  } else {
    s = tsm_str_new(ctx->heap, NULL, (size_t)a->length + b->length);
    if (s) {
      memcpy(s->bytes, a->bytes, a->length);
      memcpy(s->bytes + a->length, b->bytes, b->length);
      s->chars = a->chars + b->chars;
    }
  }
  if (!s) return tsm_out_of_memory(ctx);
  take(fp, left);
  take(fp, right);
  tsm_set_ref(&fp[tsm_word_a(word)], &s->head);
  return TSM_OK;
}

static size_t write_int(int64_t value, char out[24]) {
  char digits[24];
  size_t count = 0, length = 0;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do digits[count++] = (char)('0' + rest % 10); while (rest /= 10);
  if (value < 0) out[length++] = '-';
  while (count) out[length++] = digits[--count];
  return length;
}

tsm_status tsm_step_text_of(tsm_context *ctx, tsm_slot *fp, uint64_t word) {
  char bytes[TSM_FLOAT_TEXT];
  const tsm_slot value = fp[tsm_word_b(word)];
  const char *text = bytes;
  size_t length;
  if (tsm_word_c(word) == TSM_INT) {
    length = write_int(value.i, bytes);
  } else if (tsm_word_c(word) == TSM_FLOAT) {
    length = tsm_float_repr(value.f, bytes);
  } else {
    text = value.i ? "True" : "False";
    length = value.i ? 4 : 5;
  }
  tsm_str *s = tsm_str_new(ctx->heap, NULL, length);
  if (!s) return tsm_out_of_memory(ctx);
  memcpy(s->bytes, text, length);
  s->chars = (uint32_t)length;
  tsm_set_ref(&fp[tsm_word_a(word)], &s->head);
  return TSM_OK;
}

tsm_status tsm_step_join(tsm_context *ctx, tsm_slot *fp, const uint64_t *pc) {
  uint32_t count = tsm_word_b(*pc), chars = 0;
  uint64_t length = 0;
  for (uint32_t i = 0; i < count; i++) length += text_at(fp, tsm_packed(pc + 2, i))->length;
  tsm_status status = tsm_charge(ctx, count / 16 + (int64_t)(length / 64));
  if (status != TSM_OK) return status;
  tsm_str *s = length <= INT32_MAX ? tsm_str_new(ctx->heap, NULL, (size_t)length) : NULL;
  if (!s) return tsm_out_of_memory(ctx);
  char *at = s->bytes;
  for (uint32_t i = 0; i < count; i++) {
    const tsm_str *part = text_at(fp, tsm_packed(pc + 2, i));
    memcpy(at, part->bytes, part->length);
    at += part->length;
    chars += part->chars;
  }
  s->chars = chars;
  for (uint32_t i = 0; i < count; i++) take(fp, tsm_packed(pc + 2, i));
  tsm_set_ref(&fp[tsm_word_a(*pc)], &s->head);
  return TSM_OK;
}

/* ---- Dicts */

static tsm_pair key_at(const tsm_slot *fp, const tsm_dict *d, unsigned reg) {
  return (tsm_pair){d->head.layout == TSM_L_REF ? TSM_STR : TSM_INT, fp[reg]};
}

tsm_dict_entry *tsm_step_find(tsm_context *ctx, const tsm_slot *fp, const tsm_dict *d, unsigned key) {
  return tsm_dict_find(ctx, d, key_at(fp, d, key));
}

tsm_status tsm_step_put(tsm_context *ctx, const tsm_slot *fp, uint64_t word) {
  tsm_dict *d = (tsm_dict *)fp[tsm_word_a(word)].ref;
  tsm_layout layout = (tsm_layout)d->head.layout2;
  tsm_pair key = key_at(fp, d, tsm_word_b(word));
  tsm_pair value = tsm_pair_from_layout(layout, tsm_object_member_type(&d->head, 1), &fp[tsm_word_c(word)]);
  tsm_pair_ref(key);
  tsm_pair_ref(value);
  return tsm_dict_put(ctx, d, key, value) == TSM_OK ? TSM_OK : tsm_out_of_memory(ctx);
}
