/* list_sort.c - list.sort and sorted: a stable merge sort, bottom up from short runs.
 * In: a list. Out: the same elements in order; an element without order raises TypeError and leaves a permutation.
 * Numbers and text compare directly, everything else by tsm_pair_compare. */
#include "containers.h"

enum { RUN = 8, STRETCH = 4096 };

/* Whether `later`, which came after `earlier`, must go before it. */
typedef tsm_status (*goes_first_fn)(tsm_context *ctx, const void *later, const void *earlier, bool reverse, bool *out);

static tsm_status int_goes_first(tsm_context *ctx, const void *later, const void *earlier, bool reverse, bool *out) {
  (void)ctx;
  const int64_t a = *(const int64_t *)later, b = *(const int64_t *)earlier;
  *out = reverse ? a > b : a < b;
  return TSM_OK;
}

static tsm_status float_goes_first(tsm_context *ctx, const void *later, const void *earlier, bool reverse, bool *out) {
  (void)ctx;
  const double a = *(const double *)later, b = *(const double *)earlier;
  *out = reverse ? a > b : a < b;
  return TSM_OK;
}

static tsm_status bool_goes_first(tsm_context *ctx, const void *later, const void *earlier, bool reverse, bool *out) {
  (void)ctx;
  const uint8_t a = *(const uint8_t *)later, b = *(const uint8_t *)earlier;
  *out = reverse ? a > b : a < b;
  return TSM_OK;
}

static tsm_status compare_pairs(tsm_context *ctx, tsm_pair later, tsm_pair earlier, bool reverse, bool *out) {
  tsm_order order;
  tsm_status status = tsm_pair_compare(ctx, reverse ? earlier : later, reverse ? later : earlier, &order);
  *out = status == TSM_OK && order == TSM_LESS;
  return status;
}

static tsm_status pair_goes_first(tsm_context *ctx, const void *later, const void *earlier, bool reverse, bool *out) {
  return compare_pairs(ctx, *(const tsm_pair *)later, *(const tsm_pair *)earlier, reverse, out);
}

static tsm_pair pair_of(tsm_object *o) {
  tsm_pair p;
  p.tag = o ? o->kind : TSM_NONE;
  p.as.ref = o;
  return p;
}

static tsm_status ref_goes_first(tsm_context *ctx, const void *later, const void *earlier, bool reverse, bool *out) {
  return compare_pairs(ctx, pair_of(*(tsm_object *const *)later), pair_of(*(tsm_object *const *)earlier), reverse, out);
}

/* cost: of one comparison. */
typedef struct sorter { tsm_context *ctx; goes_first_fn goes_first; size_t size; bool reverse; int64_t cost; } sorter;

/* Insertion sort of `count` elements. */
static tsm_status sort_run(const sorter *s, char *at, size_t count) {
  char item[sizeof(tsm_pair)];
  tsm_status charged = tsm_charge_work(s->ctx, (int64_t)count * 2, s->cost);
  if (charged != TSM_OK) return charged;
  for (size_t i = 1; i < count; i++) {
    memcpy(item, at + i * s->size, s->size);
    size_t j = i;
    for (; j > 0; j--) {
      bool first;
      tsm_pair aligned; /* the comparison reads whole elements */
      memcpy(&aligned, item, s->size);
      tsm_status status = s->goes_first(s->ctx, &aligned, at + (j - 1) * s->size, s->reverse, &first);
      if (status != TSM_OK) { /* put the item back, so that nothing is lost */
        memcpy(at + j * s->size, item, s->size);
        return status;
      }
      if (!first) break;
      memcpy(at + j * s->size, at + (j - 1) * s->size, s->size);
    }
    memcpy(at + j * s->size, item, s->size);
  }
  return TSM_OK;
}

/* Merges two neighbouring sorted ranges of `from` into `to`; after an error it copies what is left. */
static tsm_status merge(const sorter *s, const char *from, size_t left, size_t right, char *to) {
  const char *a = from, *a_end = from + left * s->size, *b = a_end, *b_end = b + right * s->size;
  tsm_status status = TSM_OK;
  for (size_t step = 0; a < a_end && b < b_end && status == TSM_OK; step++) {
    bool first = false;
    if (step % STRETCH == 0) {
      size_t rest = left + right - step;
      status = tsm_charge_work(s->ctx, (int64_t)(rest < STRETCH ? rest : STRETCH), s->cost);
      if (status != TSM_OK) break;
    }
    status = s->goes_first(s->ctx, b, a, s->reverse, &first);
    const char **next = first ? &b : &a;
    memcpy(to, *next, s->size);
    *next += s->size;
    to += s->size;
  }
  memcpy(to, a, (size_t)(a_end - a));
  memcpy(to + (a_end - a), b, (size_t)(b_end - b));
  return status;
}

/* One pass over the whole list: ranges of `width` become ranges of twice that. */
static tsm_status merge_pass(const sorter *s, const char *from, char *to, size_t count, size_t width) {
  tsm_status status = TSM_OK;
  for (size_t at = 0; at < count; at += 2 * width) {
    size_t left = count - at < width ? count - at : width;
    size_t right = count - at - left < width ? count - at - left : width;
    if (status == TSM_OK) status = merge(s, from + at * s->size, left, right, to + at * s->size);
    else memcpy(to + at * s->size, from + at * s->size, (left + right) * s->size);
  }
  return status;
}

static tsm_status sort_elements(const sorter *s, char *elements, size_t count, char *scratch) {
  tsm_status status = TSM_OK;
  for (size_t at = 0; at < count && status == TSM_OK; at += RUN)
    status = sort_run(s, elements + at * s->size, count - at < RUN ? count - at : RUN);
  char *from = elements, *to = scratch;
  for (size_t width = RUN; width < count && status == TSM_OK; width *= 2) {
    status = merge_pass(s, from, to, count, width);
    char *swap = from;
    from = to;
    to = swap;
  }
  if (from != elements) memcpy(elements, from, count * s->size);
  return status;
}

static tsm_status sort_list(tsm_context *ctx, tsm_list *l, bool reverse) {
  static const goes_first_fn by_layout[] = {int_goes_first, float_goes_first, bool_goes_first, ref_goes_first,
                                            pair_goes_first};
  size_t size = tsm_layout_size((tsm_layout)l->head.layout), count = (size_t)l->length;
  if (count < 2) return TSM_OK;
  char *scratch = count > RUN ? tsm_alloc(ctx->rt, count * size) : NULL;
  if (count > RUN && !scratch) return tsm_out_of_memory(ctx);
  sorter s = {ctx, by_layout[l->head.layout], size, reverse, l->head.layout < TSM_L_REF ? TSM_COST_STEP : TSM_COST_ENTRY};
  tsm_status status = sort_elements(&s, l->as.any, count, scratch);
  tsm_free(ctx->rt, scratch, count * size);
  return status;
}

tsm_status tsm_k_list_sort(tsm_opcall *c) { return sort_list(c->ctx, tsm_arg_list(c, 0), tsm_arg_bool(c, 1)); }

tsm_status tsm_k_list_sorted(tsm_opcall *c) {
  const tsm_list *from = tsm_arg_list(c, 0);
  bool reverse = tsm_arg_bool(c, 1);
  tsm_list *l = tsm_result_list(c, (tsm_layout)from->head.layout, from->length);
  if (!l) return c->ctx->status;
  tsm_status status = tsm_list_append_range(c->ctx, l, from, 0, 1, from->length);
  if (status == TSM_OK) status = sort_list(c->ctx, l, reverse);
  if (status == TSM_OK) return tsm_return_object(c, l);
  tsm_unref(&l->head);
  return status;
}
