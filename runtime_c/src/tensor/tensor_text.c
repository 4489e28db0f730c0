/* tensor_text.c - repr of a tensor, in the manner of PyTorch.
 * In: a tensor. Out: "tensor([[1., 2.],\n        [3., 4.]], dtype=float64)".
 * Holds: all elements have one width; beyond 1,000 elements only three at each end of a dimension are shown; the dtype
 * is shown unless it is float32, int64 or bool, or where an empty tensor would not tell. */
#include <math.h>

#include "tensor.h"

enum { SUMMARY_BEYOND = 1000, EDGE = 3, LINE_WIDTH = 80, NUMBER_TEXT = 400 };

/* How the elements are written: found by looking at all that will be shown. */
typedef struct style {
  tsm_text *text;
  const tsm_tensor *t;
  bool is_summary;
  bool is_scientific, has_fraction, has_finite;
  double largest, smallest; /* of finite elements that are not 0 */
  size_t width;
} style;

typedef void (*visit_fn)(style *s, int64_t offset);

static bool is_skipped(const style *s, int64_t i, int64_t extent) {
  return s->is_summary && extent > 2 * EDGE && i >= EDGE && i < extent - EDGE;
}

static void visit_shown(style *s, size_t dim, int64_t offset, visit_fn visit) {
  if (dim == s->t->rank) {
    visit(s, offset);
    return;
  }
  int64_t extent = tsm_shape(s->t)[dim];
  for (int64_t i = 0; i < extent; i++) {
    if (is_skipped(s, i, extent)) i = extent - EDGE;
    visit_shown(s, dim + 1, offset + i * tsm_strides(s->t)[dim], visit);
  }
}

static tsm_pair element(const style *s, int64_t offset) {
  return tsm_element_load(s->t->dtype, s->t->storage->data + (size_t)offset * tsm_item_size(s->t->dtype));
}

static void look_at(style *s, int64_t offset) {
  tsm_pair p = element(s, offset);
  if (p.tag != TSM_FLOAT || !isfinite(p.as.f)) return;
  double size = fabs(p.as.f);
  if (size != 0 && (!s->has_finite || size > s->largest)) s->largest = size;
  if (size != 0 && (!s->has_finite || size < s->smallest)) s->smallest = size;
  if (size != 0) s->has_finite = true;
  if (size != floor(size)) s->has_fraction = true;
}

static size_t format_float(const style *s, double x, char *out) {
  if (x != x) return (size_t)(memcpy(out, "nan", 3), 3);
  if (isinf(x)) return x > 0 ? (size_t)(memcpy(out, "inf", 3), 3) : (size_t)(memcpy(out, "-inf", 4), 4);
  if (s->is_scientific) return tsm_float_format(x, 'e', 4, false, out, NUMBER_TEXT);
  if (s->has_fraction) return tsm_float_format(x, 'f', 4, false, out, NUMBER_TEXT);
  size_t n = tsm_float_format(x, 'f', 0, false, out, NUMBER_TEXT - 1);
  out[n] = '.';
  return n + 1;
}

static size_t format_int(int64_t value, char *out) {
  char digits[24];
  size_t n = 0, length = 0;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do digits[n++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) out[length++] = '-';
  while (n) out[length++] = digits[--n];
  return length;
}

static size_t format_element(const style *s, int64_t offset, char *out) {
  tsm_pair p = element(s, offset);
  if (p.tag == TSM_FLOAT) return format_float(s, p.as.f, out);
  if (p.tag == TSM_INT) return format_int(p.as.i, out);
  size_t n = p.as.i ? 4 : 5;
  memcpy(out, p.as.i ? "True" : "False", n);
  return n;
}

static void measure(style *s, int64_t offset) {
  char number[NUMBER_TEXT];
  size_t n = format_element(s, offset, number);
  if (n > s->width) s->width = n;
}

static void pad(tsm_text *text, size_t n) {
  while (n--) tsm_text_add(text, " ", 1);
}

static void write_element(const style *s, int64_t offset) {
  char number[NUMBER_TEXT];
  size_t n = format_element(s, offset, number);
  pad(s->text, s->width > n ? s->width - n : 0);
  tsm_text_add(s->text, number, n);
}

/* The last dimension: numbers side by side, in as many lines as needed. */
static void write_row(const style *s, size_t dim, int64_t offset, size_t indent) {
  int64_t extent = tsm_shape(s->t)[dim], stride = tsm_strides(s->t)[dim];
  size_t room = LINE_WIDTH > indent ? LINE_WIDTH - indent : 0, per_line = room / (s->width + 2), on_line = 0;
  if (!per_line) per_line = 1;
  tsm_text_add(s->text, "[", 1);
  for (int64_t i = 0; i < extent; i++) {
    if (on_line == per_line) {
      tsm_text_add(s->text, "\n", 1);
      pad(s->text, indent + 1);
      on_line = 0;
    }
    bool is_gap = is_skipped(s, i, extent);
    if (is_gap) {
      pad(s->text, s->width > 3 ? s->width - 3 : 0);
      tsm_text_add(s->text, "...", 3);
      i = extent - EDGE - 1;
    } else {
      write_element(s, offset + i * stride);
    }
    on_line++;
    if (i + 1 < extent) tsm_text_add(s->text, on_line == per_line ? "," : ", ", on_line == per_line ? 1 : 2);
  }
  tsm_text_add(s->text, "]", 1);
}

static void write_nested(const style *s, size_t dim, int64_t offset, size_t indent) {
  size_t rank = s->t->rank;
  if (!rank) {
    write_element(s, offset);
    return;
  }
  if (dim + 1 == rank) {
    write_row(s, dim, offset, indent);
    return;
  }
  int64_t extent = tsm_shape(s->t)[dim];
  tsm_text_add(s->text, "[", 1);
  for (int64_t i = 0; i < extent; i++) {
    if (i) {
      tsm_text_add(s->text, ",", 1);
      for (size_t d = dim + 1; d < rank; d++) tsm_text_add(s->text, "\n", 1);
      pad(s->text, indent + 1);
    }
    if (is_skipped(s, i, extent)) {
      tsm_text_add(s->text, "...", 3);
      i = extent - EDGE - 1;
    } else {
      write_nested(s, dim + 1, offset + i * tsm_strides(s->t)[dim], indent + 1);
    }
  }
  tsm_text_add(s->text, "]", 1);
}

static void choose_style(style *s) {
  visit_shown(s, 0, s->t->offset, look_at);
  s->is_scientific = s->has_finite && (s->has_fraction ? s->largest / s->smallest > 1000 || s->smallest < 1e-4
                                                       : s->largest / s->smallest > 1000 && s->largest > 1e8);
  if (s->has_finite && s->largest > 1e8) s->is_scientific = true;
  visit_shown(s, 0, s->t->offset, measure);
}

static void write_shape(tsm_text *text, const tsm_tensor *t) {
  char number[32];
  tsm_text_add(text, "[", 1);
  for (size_t d = 0; d < t->rank; d++) {
    if (d) tsm_text_add(text, ", ", 2);
    tsm_text_add(text, number, format_int(tsm_shape(t)[d], number));
  }
  tsm_text_add(text, "]", 1);
}

void tsm_text_tensor(tsm_text *text, const tsm_tensor *t) {
  style s = {text, t, t->numel > SUMMARY_BEYOND, false, false, false, 0, 0, 0};
  bool is_meta = (t->storage->flags & TSM_ST_META) != 0, shows_shape = is_meta || (t->numel == 0 && t->rank != 1);
  tsm_text_add(text, "tensor(", 7);
  if (is_meta) {
    tsm_text_add(text, "...", 3);
  } else if (!t->numel) {
    tsm_text_add(text, "[]", 2);
  } else {
    choose_style(&s);
    write_nested(&s, 0, t->offset, 7);
  }
  if (shows_shape) {
    tsm_text_add(text, ", size=", 7);
    write_shape(text, t);
  }
  bool is_plain = t->dtype == TSM_F32 || (t->numel && (t->dtype == TSM_I64 || t->dtype == TSM_BOOL8) && !is_meta);
  if (!is_plain) {
    const char *name = tsm_dtype_name((tsm_dtype)t->dtype);
    tsm_text_add(text, ", dtype=", 8);
    tsm_text_add(text, name, strlen(name));
  }
  tsm_text_add(text, ")", 1);
}
