/* str_parts.c - kernels of str that look for a part from either end, and cut there. Positions count code points. */
#include "base/unicode.h"
#include "containers.h"

static tsm_status return_part(tsm_opcall *c, const tsm_str *s, size_t from, size_t to) {
  return tsm_return_object(c, tsm_str_new(c->ctx->heap, s->bytes + from, to - from));
}

static int64_t count_chars(const char *bytes, size_t length) {
  int64_t count = 0;
  for (size_t i = 0; i < length; i++) count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
  return count;
}

/* ---- A range of a str: arguments `first` and the next are its ends as Python reads them, None or int. */

typedef struct range { size_t from, to; int64_t start; bool is_empty; } range; /* bytes, and characters before them */

static int64_t bound(const tsm_opcall *c, size_t i, int64_t missing, int64_t length) {
  tsm_pair p = tsm_arg_pair(c, i);
  if (p.tag == TSM_NONE) return missing;
  if (p.as.i >= 0) return p.as.i;
  return p.as.i + length < 0 ? 0 : p.as.i + length;
}

/* `is_empty`: the start lies behind the end, where not even an empty text is found. */
static tsm_status read_range(const tsm_opcall *c, size_t first, range *out) {
  tsm_str *s = tsm_arg_str(c, 0);
  int64_t start = bound(c, first, 0, s->chars), stop = bound(c, first + 1, s->chars, s->chars);
  if (stop > s->chars) stop = s->chars;
  out->is_empty = start > stop;
  out->start = out->is_empty ? stop : start;
  out->from = tsm_str_offset(s, (size_t)out->start);
  out->to = tsm_str_offset(s, (size_t)stop);
  if (out->from == (size_t)-1 || out->to == (size_t)-1) return tsm_out_of_memory(c->ctx);
  return TSM_OK;
}

/* Last position in bytes of `part` in `text`, SIZE_MAX if absent. */
static tsm_status find_last(tsm_context *ctx, const char *text, size_t length, const tsm_str *part, size_t *out_at) {
  *out_at = SIZE_MAX;
  if (part->length > length) return TSM_OK;
  for (size_t at = length - part->length + 1; at-- > 0;) {
    if (at % 256 == 0) {
      tsm_status status = tsm_charge(ctx, 4 + part->length / 16);
      if (status != TSM_OK) return status;
    }
    if (memcmp(text + at, part->bytes, part->length) != 0) continue;
    *out_at = at;
    break;
  }
  return TSM_OK;
}

/* Position in characters of argument 1 in the range that arguments 2 and 3 give, or -1. */
static tsm_status find(tsm_opcall *c, bool is_last, int64_t *out) {
  const tsm_str *s = tsm_arg_str(c, 0), *part = tsm_arg_str(c, 1);
  range r;
  size_t at = SIZE_MAX;
  *out = -1;
  tsm_status status = read_range(c, 2, &r);
  if (status != TSM_OK || r.is_empty) return status;
  if (is_last) status = find_last(c->ctx, s->bytes + r.from, r.to - r.from, part, &at);
  else status = tsm_bytes_find(c->ctx, s->bytes + r.from, r.to - r.from, part->bytes, part->length, &at);
  if (at != SIZE_MAX) *out = r.start + count_chars(s->bytes + r.from, at);
  return status;
}

static tsm_status return_position(tsm_opcall *c, bool is_last, bool must_be) {
  int64_t at;
  tsm_status status = find(c, is_last, &at);
  if (status != TSM_OK) return status;
  if (at < 0 && must_be) return tsm_raise(c->ctx, "ValueError", "substring not found");
  return tsm_return_int(c, at);
}

tsm_status tsm_k_str_find(tsm_opcall *c) { return return_position(c, false, false); }
tsm_status tsm_k_str_rfind(tsm_opcall *c) { return return_position(c, true, false); }
tsm_status tsm_k_str_index(tsm_opcall *c) { return return_position(c, false, true); }
tsm_status tsm_k_str_rindex(tsm_opcall *c) { return return_position(c, true, true); }

tsm_status tsm_k_str_count(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0), *part = tsm_arg_str(c, 1);
  range r;
  tsm_status status = read_range(c, 2, &r);
  if (status != TSM_OK || r.is_empty) return status == TSM_OK ? tsm_return_int(c, 0) : status;
  if (!part->length) return tsm_return_int(c, count_chars(s->bytes + r.from, r.to - r.from) + 1);
  int64_t count = 0;
  for (size_t at = r.from, hit; at <= r.to; at += hit + part->length, count++) {
    status = tsm_bytes_find(c->ctx, s->bytes + at, r.to - at, part->bytes, part->length, &hit);
    if (status != TSM_OK) return status;
    if (hit == SIZE_MAX) break;
  }
  return tsm_return_int(c, count);
}

static bool is_at(const tsm_str *s, size_t at, size_t end, const tsm_str *part) {
  return part->length <= end - at && memcmp(s->bytes + at, part->bytes, part->length) == 0;
}

tsm_status tsm_k_str_startswith(tsm_opcall *c) {
  range r;
  tsm_status status = read_range(c, 2, &r);
  if (status != TSM_OK) return status;
  return tsm_return_bool(c, !r.is_empty && is_at(tsm_arg_str(c, 0), r.from, r.to, tsm_arg_str(c, 1)));
}

tsm_status tsm_k_str_endswith(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0), *part = tsm_arg_str(c, 1);
  range r;
  tsm_status status = read_range(c, 2, &r);
  if (status != TSM_OK) return status;
  bool is_end = !r.is_empty && part->length <= r.to - r.from && is_at(s, r.to - part->length, r.to, part);
  return tsm_return_bool(c, is_end);
}

tsm_status tsm_k_str_removeprefix(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0), *part = tsm_arg_str(c, 1);
  return return_part(c, s, is_at(s, 0, s->length, part) ? part->length : 0, s->length);
}

tsm_status tsm_k_str_removesuffix(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0), *part = tsm_arg_str(c, 1);
  bool is_end = part->length <= s->length && is_at(s, s->length - part->length, s->length, part);
  return return_part(c, s, 0, s->length - (is_end ? part->length : 0));
}

/* ---- partition, rsplit, splitlines */

static tsm_status append_part(tsm_opcall *c, tsm_list *l, const char *bytes, size_t length) {
  tsm_slot slot;
  slot.ref = (tsm_object *)tsm_str_new(c->ctx->heap, length ? bytes : "", length);
  if (!slot.ref || tsm_list_push(l, &slot) != TSM_OK) return tsm_out_of_memory(c->ctx);
  return tsm_charge(c->ctx, 1);
}

static tsm_status return_list(tsm_opcall *c, tsm_list *l, tsm_status status) {
  if (status == TSM_OK) return tsm_return_object(c, l);
  tsm_unref(&l->head);
  return status;
}

static tsm_status partition(tsm_opcall *c, bool is_last) {
  const tsm_str *s = tsm_arg_str(c, 0), *part = tsm_arg_str(c, 1);
  size_t at, cut, next;
  if (!part->length) return tsm_raise(c->ctx, "ValueError", "empty separator");
  tsm_status status = is_last ? find_last(c->ctx, s->bytes, s->length, part, &at)
                              : tsm_bytes_find(c->ctx, s->bytes, s->length, part->bytes, part->length, &at);
  if (status != TSM_OK) return status;
  cut = at != SIZE_MAX ? at : is_last ? 0 : s->length;
  next = at != SIZE_MAX ? at + part->length : cut;
  size_t ends[4] = {0, cut, next, s->length};
  tsm_str *pieces[3];
  bool has_failed = false;
  for (size_t i = 0; i < 3; i++) {
    pieces[i] = tsm_str_new(c->ctx->heap, s->bytes + ends[i], ends[i + 1] - ends[i]);
    has_failed = has_failed || !pieces[i];
  }
  for (size_t i = 0; i < 3; i++) tsm_return_ref(c, i, pieces[i] ? &pieces[i]->head : NULL);
  return has_failed ? tsm_out_of_memory(c->ctx) : TSM_OK;
}

tsm_status tsm_k_str_partition(tsm_opcall *c) { return partition(c, false); }
tsm_status tsm_k_str_rpartition(tsm_opcall *c) { return partition(c, true); }

static size_t before(const tsm_str *s, size_t end) { /* where the character that ends at `end` begins */
  do end--; while (((unsigned char)s->bytes[end] & 0xC0) == 0x80);
  return end;
}

static size_t skip_back(const tsm_str *s, size_t end, bool is_space) {
  for (size_t n; end > 0; end = before(s, end))
    if (tsm_char_is_space(tsm_utf8_decode(s->bytes + before(s, end), &n)) != is_space) break;
  return end;
}

static tsm_status rsplit_at_space(tsm_opcall *c, tsm_list *l, int64_t most) {
  const tsm_str *s = tsm_arg_str(c, 0);
  tsm_status status = TSM_OK;
  size_t end = skip_back(s, s->length, true);
  for (; end > 0 && status == TSM_OK; most--) {
    size_t start = most == 0 ? 0 : skip_back(s, end, false);
    if (most == 0) { /* the rest keeps the white space in front */
      status = append_part(c, l, s->bytes, end);
      break;
    }
    status = append_part(c, l, s->bytes + start, end - start);
    end = skip_back(s, start, true);
  }
  return status;
}

static tsm_status rsplit_at(tsm_opcall *c, tsm_list *l, const tsm_str *separator, int64_t most) {
  const tsm_str *s = tsm_arg_str(c, 0);
  size_t end = s->length;
  if (!separator->length) return tsm_raise(c->ctx, "ValueError", "empty separator");
  for (; most != 0; most--) {
    size_t hit;
    tsm_status status = find_last(c->ctx, s->bytes, end, separator, &hit);
    if (status == TSM_OK && hit == SIZE_MAX) break;
    if (status == TSM_OK)
      status = append_part(c, l, s->bytes + hit + separator->length, end - hit - separator->length);
    if (status != TSM_OK) return status;
    end = hit;
  }
  return append_part(c, l, s->bytes, end);
}

tsm_status tsm_k_str_rsplit(tsm_opcall *c) {
  const tsm_str *separator = tsm_arg_str(c, 1);
  int64_t most = tsm_arg_int(c, 2) < 0 ? -1 : tsm_arg_int(c, 2);
  tsm_list *l = tsm_result_list(c, TSM_L_REF, 0);
  if (!l) return c->ctx->status;
  tsm_status status = separator ? rsplit_at(c, l, separator, most) : rsplit_at_space(c, l, most);
  for (int64_t i = 0, j = l->length - 1; i < j; i++, j--) { /* they were found from the end */
    tsm_object *item = l->as.ref[i];
    l->as.ref[i] = l->as.ref[j];
    l->as.ref[j] = item;
  }
  return return_list(c, l, status);
}

static bool is_line_end(uint32_t ch) {
  return (ch >= 10 && ch <= 13) || (ch >= 0x1c && ch <= 0x1e) || ch == 0x85 || ch == 0x2028 || ch == 0x2029;
}

tsm_status tsm_k_str_splitlines(tsm_opcall *c) {
  const tsm_str *s = tsm_arg_str(c, 0);
  bool keeps_ends = tsm_arg_bool(c, 1);
  tsm_list *l = tsm_result_list(c, TSM_L_REF, 0);
  if (!l) return c->ctx->status;
  tsm_status status = tsm_charge(c->ctx, s->length / 16);
  for (size_t start = 0, n; start < s->length && status == TSM_OK;) {
    size_t end = start, next;
    while (end < s->length && !is_line_end(tsm_utf8_decode(s->bytes + end, &n))) end += n;
    next = end < s->length ? end + n : end;
    if (end < s->length && s->bytes[end] == '\r' && s->bytes[next] == '\n') next++;
    status = append_part(c, l, s->bytes + start, (keeps_ends ? next : end) - start);
    start = next;
  }
  return return_list(c, l, status);
}
