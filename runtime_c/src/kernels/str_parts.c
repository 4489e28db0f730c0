/* str_parts.c - kernels of str and bytes that look for a part from either end, and cut there. Positions count
 * characters. */
#include "chars.h"

static tsm_status return_part(tsm_opcall *c, const tsm_chars *t, size_t from, size_t to) {
  return tsm_return_chars(c, t, t->bytes + from, to - from);
}

/* ---- A range of it: arguments `first` and the next are its ends as Python reads them, None or int. */

typedef struct range { size_t from, to; int64_t start; bool is_empty; } range; /* bytes, and characters before them */

static int64_t bound(const tsm_opcall *c, size_t i, int64_t missing, int64_t length) {
  tsm_pair p = tsm_arg_pair(c, i);
  if (p.tag == TSM_NONE) return missing;
  if (p.as.i >= 0) return p.as.i;
  return p.as.i + length < 0 ? 0 : p.as.i + length;
}

/* `is_empty`: the start lies behind the end, where not even an empty text is found. */
static tsm_status read_range(const tsm_opcall *c, size_t first, range *out) {
  tsm_chars t = tsm_arg_chars(c, 0);
  int64_t start = bound(c, first, 0, t.count), stop = bound(c, first + 1, t.count, t.count);
  if (stop > t.count) stop = t.count;
  out->is_empty = start > stop;
  out->start = out->is_empty ? stop : start;
  out->from = tsm_chars_offset(c, &t, out->start);
  out->to = tsm_chars_offset(c, &t, stop);
  if (out->from == (size_t)-1 || out->to == (size_t)-1) return tsm_out_of_memory(c->ctx);
  return TSM_OK;
}

/* Last position in bytes of `part` in `text`, SIZE_MAX if absent. */
static tsm_status find_last(tsm_context *ctx, const char *text, size_t length, const tsm_chars *part,
                            size_t *out_at) {
  *out_at = SIZE_MAX;
  if (part->length > length) return TSM_OK;
  for (size_t at = length - part->length + 1; at-- > 0;) {
    tsm_status status = tsm_charge_elements(ctx, TSM_COST_CHAR);
    if (status == TSM_OK && tsm_bytes_match(ctx, text + at, part->bytes, part->length)) *out_at = at;
    if (status != TSM_OK || *out_at != SIZE_MAX || tsm_has_stopped(ctx)) return status ? status : ctx->status;
  }
  return TSM_OK;
}

/* Position in characters of argument 1 in the range that arguments 2 and 3 give, or -1. */
static tsm_status find(tsm_opcall *c, bool is_last, int64_t *out) {
  tsm_chars t = tsm_arg_chars(c, 0), part = tsm_arg_chars(c, 1);
  range r;
  size_t at = SIZE_MAX;
  *out = -1;
  tsm_status status = read_range(c, 2, &r);
  if (status != TSM_OK || r.is_empty) return status;
  if (is_last) status = find_last(c->ctx, t.bytes + r.from, r.to - r.from, &part, &at);
  else status = tsm_bytes_find(c->ctx, t.bytes + r.from, r.to - r.from, part.bytes, part.length, &at);
  if (status == TSM_OK && at != SIZE_MAX) status = tsm_charge_elements(c->ctx, (int64_t)at);
  if (status == TSM_OK && at != SIZE_MAX) *out = r.start + tsm_chars_count(&t, r.from, r.from + at);
  return status;
}

static tsm_status return_position(tsm_opcall *c, bool is_last, bool must_be) {
  int64_t at;
  tsm_status status = find(c, is_last, &at);
  if (status != TSM_OK) return status;
  if (at < 0 && must_be)
    return tsm_raise(c->ctx, "ValueError", tsm_arg_chars(c, 0).str ? "substring not found" : "subsection not found");
  return tsm_return_int(c, at);
}

tsm_status tsm_k_str_find(tsm_opcall *c) { return return_position(c, false, false); }
tsm_status tsm_k_str_rfind(tsm_opcall *c) { return return_position(c, true, false); }
tsm_status tsm_k_str_index(tsm_opcall *c) { return return_position(c, false, true); }
tsm_status tsm_k_str_rindex(tsm_opcall *c) { return return_position(c, true, true); }

tsm_status tsm_k_str_count(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0), part = tsm_arg_chars(c, 1);
  range r;
  tsm_status status = read_range(c, 2, &r);
  if (status != TSM_OK || r.is_empty) return status == TSM_OK ? tsm_return_int(c, 0) : status;
  if (!part.length && !tsm_pay(c->ctx, (int64_t)(r.to - r.from), 1)) return c->ctx->status;
  if (!part.length) return tsm_return_int(c, tsm_chars_count(&t, r.from, r.to) + 1);
  int64_t count = 0;
  for (size_t at = r.from, hit; at <= r.to; at += hit + part.length, count++) {
    status = tsm_bytes_find(c->ctx, t.bytes + at, r.to - at, part.bytes, part.length, &hit);
    if (status != TSM_OK) return status;
    if (hit == SIZE_MAX) break;
  }
  return tsm_return_int(c, count);
}

static bool is_at(const tsm_opcall *c, const tsm_chars *t, size_t at, size_t end, const tsm_chars *part) {
  return part->length <= end - at && tsm_bytes_match(c->ctx, t->bytes + at, part->bytes, part->length);
}

tsm_status tsm_k_str_startswith(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0), part = tsm_arg_chars(c, 1);
  range r;
  tsm_status status = read_range(c, 2, &r);
  if (status != TSM_OK) return status;
  return tsm_return_bool(c, !r.is_empty && is_at(c, &t, r.from, r.to, &part));
}

tsm_status tsm_k_str_endswith(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0), part = tsm_arg_chars(c, 1);
  range r;
  tsm_status status = read_range(c, 2, &r);
  if (status != TSM_OK) return status;
  bool is_end = !r.is_empty && part.length <= r.to - r.from && is_at(c, &t, r.to - part.length, r.to, &part);
  return tsm_return_bool(c, is_end);
}

tsm_status tsm_k_str_removeprefix(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0), part = tsm_arg_chars(c, 1);
  return return_part(c, &t, is_at(c, &t, 0, t.length, &part) ? part.length : 0, t.length);
}

tsm_status tsm_k_str_removesuffix(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0), part = tsm_arg_chars(c, 1);
  bool is_end = part.length <= t.length && is_at(c, &t, t.length - part.length, t.length, &part);
  return return_part(c, &t, 0, t.length - (is_end ? part.length : 0));
}

/* ---- partition, rsplit, splitlines */

static tsm_status return_list(tsm_opcall *c, tsm_list *l, tsm_status status) {
  if (status == TSM_OK) return tsm_return_object(c, l);
  tsm_unref(&l->head);
  return status;
}

static tsm_status partition(tsm_opcall *c, bool is_last) {
  tsm_chars t = tsm_arg_chars(c, 0), part = tsm_arg_chars(c, 1);
  size_t at, cut, next;
  if (!part.length) return tsm_raise(c->ctx, "ValueError", "empty separator");
  tsm_status status = is_last ? find_last(c->ctx, t.bytes, t.length, &part, &at)
                              : tsm_bytes_find(c->ctx, t.bytes, t.length, part.bytes, part.length, &at);
  if (status != TSM_OK) return status;
  cut = at != SIZE_MAX ? at : is_last ? 0 : t.length;
  next = at != SIZE_MAX ? at + part.length : cut;
  size_t ends[4] = {0, cut, next, t.length};
  tsm_object *pieces[3];
  bool has_failed = false;
  for (size_t i = 0; i < 3; i++) {
    pieces[i] = tsm_chars_new(c, &t, t.bytes + ends[i], ends[i + 1] - ends[i]);
    has_failed = has_failed || !pieces[i];
  }
  for (size_t i = 0; i < 3; i++) tsm_return_ref(c, i, pieces[i]);
  return has_failed ? tsm_out_of_memory(c->ctx) : TSM_OK;
}

tsm_status tsm_k_str_partition(tsm_opcall *c) { return partition(c, false); }
tsm_status tsm_k_str_rpartition(tsm_opcall *c) { return partition(c, true); }

static size_t skip_back(const tsm_opcall *c, const tsm_chars *t, size_t end, bool is_space) {
  size_t top = end, paid = 0;
  for (size_t n; end > 0 && tsm_chars_go_on(c, top - end, top, &paid); end = tsm_chars_before(t, end))
    if (tsm_chars_is_space(t, tsm_chars_decode(t, tsm_chars_before(t, end), &n)) != is_space) break;
  return end;
}

static tsm_status rsplit_at_space(tsm_opcall *c, const tsm_chars *t, tsm_list *l, int64_t most) {
  tsm_status status = TSM_OK;
  size_t end = skip_back(c, t, t->length, true);
  for (; end > 0 && status == TSM_OK; most--) {
    size_t start = most == 0 ? 0 : skip_back(c, t, end, false); /* the rest keeps the white space in front */
    status = tsm_push_part(c, l, t, t->bytes + start, end - start);
    end = skip_back(c, t, start, true);
  }
  return status;
}

static tsm_status rsplit_at(tsm_opcall *c, const tsm_chars *t, tsm_list *l, const tsm_chars *separator, int64_t most) {
  size_t end = t->length;
  if (!separator->length) return tsm_raise(c->ctx, "ValueError", "empty separator");
  for (; most != 0; most--) {
    size_t hit;
    tsm_status status = find_last(c->ctx, t->bytes, end, separator, &hit);
    if (status == TSM_OK && hit == SIZE_MAX) break;
    if (status == TSM_OK)
      status = tsm_push_part(c, l, t, t->bytes + hit + separator->length, end - hit - separator->length);
    if (status != TSM_OK) return status;
    end = hit;
  }
  return tsm_push_part(c, l, t, t->bytes, end);
}

tsm_status tsm_k_str_rsplit(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0), separator = t;
  int64_t most = tsm_arg_int(c, 2) < 0 ? -1 : tsm_arg_int(c, 2);
  tsm_list *l = tsm_result_list(c, TSM_L_REF, 0);
  if (!l) return c->ctx->status;
  if (tsm_arg(c, 1)->ref) separator = tsm_arg_chars(c, 1);
  tsm_status status = tsm_arg(c, 1)->ref ? rsplit_at(c, &t, l, &separator, most) : rsplit_at_space(c, &t, l, most);
  for (int64_t i = 0, j = l->length - 1; i < j; i++, j--) { /* they were found from the end */
    tsm_object *item = l->as.ref[i];
    l->as.ref[i] = l->as.ref[j];
    l->as.ref[j] = item;
  }
  return return_list(c, l, status);
}

static bool is_line_end(const tsm_chars *t, uint32_t ch) {
  if (!t->str) return ch == '\n' || ch == '\r';
  return (ch >= 10 && ch <= 13) || (ch >= 0x1c && ch <= 0x1e) || ch == 0x85 || ch == 0x2028 || ch == 0x2029;
}

tsm_status tsm_k_str_splitlines(tsm_opcall *c) {
  tsm_chars t = tsm_arg_chars(c, 0);
  bool keeps_ends = tsm_arg_bool(c, 1);
  tsm_list *l = tsm_result_list(c, TSM_L_REF, 0);
  if (!l) return c->ctx->status;
  tsm_status status = TSM_OK;
  for (size_t start = 0, n = 0, paid = 0; start < t.length && status == TSM_OK;) {
    size_t end = start, next;
    while (end < t.length && tsm_chars_go_on(c, end, t.length, &paid) && !is_line_end(&t, tsm_chars_decode(&t, end, &n))) end += n;
    next = end < t.length ? end + n : end;
    if (next < t.length && t.bytes[end] == '\r' && t.bytes[next] == '\n') next++;
    status = tsm_push_part(c, l, &t, t.bytes + start, (keeps_ends ? next : end) - start);
    start = next;
  }
  return return_list(c, l, status);
}
