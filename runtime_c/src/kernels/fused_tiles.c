/* fused_tiles.c - see fused_tiles.h. Each tile goes through all steps before the next one is read from memory.
 * Holds: dense inputs are read where they lie, the others through a tile of their own, filled before the steps run. */
#include "fused_tiles.h"

enum { SHORT_ROW = 64, CACHE_BYTES = 32768, LINE = 64, FAR_BYTES = 8 << 20 };

typedef struct tile_state {
  tsm_fused_work *r;
  char *at[TSM_FUSED_PLACES];      /* where each place of the plan is now */
  char *copy[TSM_FUSED_INPUTS];    /* tile of an input that is not dense, else NULL */
  int64_t index[TSM_FUSED_DIMS], offset[TSM_FUSED_INPUTS]; /* with pieces: the row, and where inputs have it */
  _Alignas(64) char pool[TSM_FUSED_POOL];
} tile_state;

static size_t item_of(const tsm_fused_work *r, int input) {
  return r->f->inputs[input].is_mask ? 1 : tsm_item_size(r->dtype);
}

int64_t tsm_fused_cut(tsm_fused_work *r) {
  const tsm_fused *f = r->f;
  int64_t item = (int64_t)tsm_item_size(r->dtype), copies = 0;
  for (int i = 0; i < f->input_count; i++) copies += r->how[i] != TSM_READ_DENSE;
  int64_t owned = f->buffer_count + copies, all = owned + f->input_count + f->result_count;
  int64_t tile = CACHE_BYTES / (all * item);
  if (owned && tile > TSM_FUSED_POOL / (owned * item)) tile = TSM_FUSED_POOL / (owned * item);
  r->tile = tile & ~(int64_t)63;
  r->is_far = r->fetching == TSM_CHOICE_ALWAYS ||
              (!r->fetching && r->numel * item * (f->input_count - copies + f->result_count) > FAR_BYTES);
  r->pieces = 0;
  if (!r->is_strided || r->dims[0] < SHORT_ROW) return (r->numel + r->tile - 1) / r->tile;
  r->pieces = (r->dims[0] + r->tile - 1) / r->tile;
  r->tile = ((r->dims[0] + r->pieces - 1) / r->pieces + 15) & ~(int64_t)15;
  return r->numel / r->dims[0] * r->pieces;
}

/* ---- Filling the tiles of inputs */

static void fill(const tsm_fused_work *r, char *to, const char *from, size_t item, int64_t n) {
  if (item == 1) memset(to, *from, (size_t)n);
  else (item == 4 ? r->set->f32 : r->set->f64)[TSM_ROW_FILL](to, from, NULL, NULL, (size_t)n);
}

static void copy_row(const tsm_fused_work *r, char *to, const char *from, int64_t stride, size_t item, int64_t n) {
  if (stride == 0) {
    fill(r, to, from, item, n);
  } else if (stride == 1) {
    memcpy(to, from, (size_t)n * item);
  } else if (item == 4) {
    for (int64_t i = 0; i < n; i++) memcpy(to + 4 * i, from + 4 * i * stride, 4);
  } else if (item == 8) {
    for (int64_t i = 0; i < n; i++) memcpy(to + 8 * i, from + 8 * i * stride, 8);
  } else {
    for (int64_t i = 0; i < n; i++) to[i] = from[i * stride];
  }
}

static int64_t offset_of_row(const tsm_fused_work *r, int input, int64_t row) {
  int64_t offset = 0;
  for (int d = 1; d < r->rank; d++) {
    offset += row % r->dims[d] * r->strides[input][d];
    row /= r->dims[d];
  }
  return offset;
}

static void seek_row(tile_state *s, int64_t row) {
  const tsm_fused_work *r = s->r;
  for (int i = 0; i < r->f->input_count; i++)
    if (r->how[i] == TSM_READ_STRIDED) s->offset[i] = offset_of_row(r, i, row);
  for (int d = 1; d < r->rank; d++) {
    s->index[d] = row % r->dims[d];
    row /= r->dims[d];
  }
}

static void next_row(tile_state *s) {
  const tsm_fused_work *r = s->r;
  for (int d = 1; d < r->rank; d++) {
    const bool is_last = ++s->index[d] == r->dims[d];
    for (int i = 0; i < r->f->input_count; i++)
      if (r->how[i] == TSM_READ_STRIDED) s->offset[i] += (1 - (is_last ? r->dims[d] : 0)) * r->strides[i][d];
    if (!is_last) return;
    s->index[d] = 0;
  }
}

/* n elements from `start` on, in the results' order, through as many rows as it takes. */
static void gather(const tsm_fused_work *r, int input, char *to, int64_t start, int64_t n) {
  int64_t row = start / r->dims[0], column = start % r->dims[0], stride = r->strides[input][0];
  int64_t item = (int64_t)item_of(r, input);
  for (; n; row++, column = 0) {
    int64_t count = r->dims[0] - column < n ? r->dims[0] - column : n;
    int64_t offset = offset_of_row(r, input, row) + column * stride;
    copy_row(r, to, r->in[input] + offset * item, stride, (size_t)item, count);
    to += count * item;
    n -= count;
  }
}

/* ---- Tiles */

static char *unconst(const void *p) { return (char *)(uintptr_t)p; }

static void place_pool(tile_state *s, int64_t longest) {
  const tsm_fused_work *r = s->r;
  const tsm_fused *f = r->f;
  size_t step = (size_t)r->tile * tsm_item_size(r->dtype);
  char *next = s->pool;
  for (int i = 0; i < f->buffer_count; i++, next += step)
    s->at[TSM_FUSED_INPUTS + TSM_FUSED_VALUES + TSM_FUSED_RESULTS + i] = next;
  for (int i = 0; i < f->input_count; i++) {
    s->copy[i] = r->how[i] == TSM_READ_DENSE ? NULL : next;
    if (!s->copy[i]) continue;
    if (r->how[i] == TSM_READ_ONE) fill(r, next, r->in[i], item_of(r, i), longest);
    s->at[i] = next;
    next += step;
  }
  for (int i = 0; i < f->value_count; i++) s->at[TSM_FUSED_INPUTS + i] = unconst(&r->values[i]);
}

/* With pieces, `column` is where the elements start in the row that was sought. */
static void place_operands(tile_state *s, int64_t start, int64_t column, int64_t n) {
  const tsm_fused_work *r = s->r;
  const tsm_fused *f = r->f;
  int64_t item = (int64_t)tsm_item_size(r->dtype);
  for (int i = 0; i < f->input_count; i++) {
    int64_t own = (int64_t)item_of(r, i);
    if (r->how[i] == TSM_READ_DENSE) {
      s->at[i] = unconst(r->in[i] + start * own);
    } else if (r->how[i] == TSM_READ_STRIDED) {
      const int64_t stride = r->strides[i][0];
      const char *from = r->in[i] + (r->pieces ? s->offset[i] + column * stride : 0) * own;
      if (!r->pieces) gather(r, i, s->copy[i], start, n);
      else if (stride == 1) s->at[i] = unconst(from);
      else copy_row(r, s->copy[i], from, stride, (size_t)own, n);
    }
  }
  for (int i = 0; i < f->result_count; i++)
    s->at[TSM_FUSED_INPUTS + TSM_FUSED_VALUES + i] = r->out[i] + start * (f->results[i].is_mask ? 1 : item);
}

/* Asks for elements [from, from + n) of the next tile. Inlined, as what only prefetches passes for a function without
 * effects, whose calls may go. */
static inline __attribute__((always_inline)) void fetch(const tile_state *s, int64_t tile, int64_t from, int64_t n) {
  const tsm_fused_work *r = s->r;
  const tsm_fused *f = r->f;
  for (int i = 0; i < f->input_count; i++) {
    if (r->how[i] != TSM_READ_DENSE) continue;
    const int64_t item = (int64_t)item_of(r, i);
    for (int64_t at = 0; at < n * item; at += LINE) __builtin_prefetch(s->at[i] + (tile + from) * item + at, 0);
  }
  for (int i = 0; i < f->result_count; i++) {
    const int64_t item = f->results[i].is_mask ? 1 : (int64_t)tsm_item_size(r->dtype);
    const char *next = s->at[TSM_FUSED_INPUTS + TSM_FUSED_VALUES + i] + (tile + from) * item;
    for (int64_t at = 0; at < n * item; at += LINE) __builtin_prefetch(next + at, 1);
  }
}

/* A tile that is far from the processor is fetched while the steps before it run: the memory would idle otherwise. */
static void run_steps(tile_state *s, int64_t n, bool is_far) {
  const tsm_fused *f = s->r->f;
  const tsm_row_op *rows = s->r->rows;
  const int64_t share = is_far ? n / f->step_count + 1 : 0;
  for (int i = 0; i < f->step_count; i++) {
    const tsm_fused_step *step = &f->steps[i];
    if (is_far) fetch(s, n, i * share, share);
    rows[i](s->at[step->out], s->at[step->a], s->at[step->b], s->at[step->c], (size_t)n);
  }
}

void tsm_fused_element(const tsm_fused_work *r) {
  const tsm_fused *f = r->f;
  double buffers[TSM_FUSED_BUFFERS];
  char *at[TSM_FUSED_PLACES], **next = at + TSM_FUSED_INPUTS;
  for (int i = 0; i < f->input_count; i++) at[i] = unconst(r->in[i]);
  for (int i = 0; i < f->value_count; i++) next[i] = unconst(&r->values[i]);
  next += TSM_FUSED_VALUES;
  for (int i = 0; i < f->result_count; i++) next[i] = r->out[i];
  next += TSM_FUSED_RESULTS;
  for (int i = 0; i < f->buffer_count; i++) next[i] = (char *)&buffers[i];
  for (int i = 0; i < f->step_count; i++) {
    const tsm_fused_step *step = &f->steps[i];
    r->rows[i](at[step->out], at[step->a], at[step->b], at[step->c], 1);
  }
}

/* Elements [start, start + n), which need not begin with a tile. */
static void run_range(tile_state *s, int64_t start, int64_t n) {
  const tsm_fused_work *r = s->r;
  int64_t column = 0;
  if (r->pieces) {
    column = start % r->dims[0];
    seek_row(s, start / r->dims[0]);
  }
  while (n > 0) {
    int64_t count = n < r->tile ? n : r->tile;
    if (r->pieces && count > r->dims[0] - column) count = r->dims[0] - column;
    place_operands(s, start, column, count);
    run_steps(s, count, false);
    start += count;
    n -= count;
    column += count;
    if (r->pieces && column == r->dims[0] && n > 0) {
      column = 0;
      next_row(s);
    }
  }
}

void tsm_fused_block(tsm_fused_work *r, int64_t start, int64_t rows, int64_t columns, int64_t step) {
  tile_state s;
  s.r = r;
  place_pool(&s, r->tile < r->numel ? r->tile : r->numel);
  if (columns == step) {
    columns *= rows;
    rows = 1;
  }
  for (; rows; rows--, start += step) run_range(&s, start, columns);
}

/* Tiles of rows, which each begin with a tile. */
static void run_rows(tile_state *s, int64_t begin, int64_t end) {
  const tsm_fused_work *r = s->r;
  const int64_t length = r->dims[0];
  int64_t start = begin / r->pieces * length, part = begin % r->pieces;
  seek_row(s, begin / r->pieces);
  for (; begin < end; begin++) {
    const int64_t column = part * r->tile, left = length - column, n = left < r->tile ? left : r->tile;
    if (n > 0) {
      place_operands(s, start + column, column, n);
      run_steps(s, n, r->is_far);
    }
    if (++part < r->pieces) continue;
    part = 0;
    start += length;
    next_row(s);
  }
}

void tsm_fused_tiles(void *run, size_t worker, int64_t begin, int64_t end) {
  tsm_fused_work *r = run;
  tile_state s;
  (void)worker;
  s.r = r;
  place_pool(&s, r->tile < r->numel ? r->tile : r->numel);
  if (r->pieces) {
    run_rows(&s, begin + r->first, end + r->first);
    return;
  }
  for (int64_t u = begin + r->first; u < end + r->first; u++) {
    const int64_t start = u * r->tile, left = r->numel - start, n = left < r->tile ? left : r->tile;
    if (n <= 0) continue;
    place_operands(&s, start, 0, n);
    run_steps(&s, n, r->is_far);
  }
}
