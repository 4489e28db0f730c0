/* type_layout.c - how values of each type are stored, and which objects could reach themselves.
 * In: type nodes whose members are known by number. Out: layout, width, record, is_cyclic.
 * Holds: linear in the number of types and members; no recursion. */
#include "load/load.h"

enum { MAX_SLOTS = 65535 };

void tsm_type_set_layout(tsm_type *t) {
  switch (t->kind) {
    case TSM_T_NONE: case TSM_T_INT: case TSM_T_DTYPE: case TSM_T_DEVICE: case TSM_T_ENUM: t->layout = TSM_L_I64; break;
    case TSM_T_BOOL: t->layout = TSM_L_U8; break;
    case TSM_T_FLOAT: t->layout = TSM_L_F64; break;
    case TSM_T_OPTIONAL: t->layout = t->members[0]->layout == TSM_L_REF ? TSM_L_REF : TSM_L_PAIR; break;
    case TSM_T_UNION: case TSM_T_SCALAR: case TSM_T_ANY: t->layout = TSM_L_PAIR; break;
    default: t->layout = TSM_L_REF; break;
  }
  t->width = t->layout == TSM_L_PAIR ? 2 : 1;
}

/* "Net" of "package.Net" and of "package.Net.1". */
static const char *short_name(tsm_loader *l, tsm_reader *r, const char *qualified) {
  size_t end = strlen(qualified), start = end;
  for (;;) {
    while (start && qualified[start - 1] != '.') start--;
    bool is_number = start < end && qualified[start] >= '0' && qualified[start] <= '9';
    if (!is_number || start == 0) break;
    end = --start;
  }
  return tsm_loader_copy(l, r, qualified + start, end - start);
}

/* Slots of a class: references, then pairs, then scalars, then the hash of a key, then the bitmap of set attributes. */
static void make_record(tsm_loader *l, tsm_reader *r, tsm_type *t) {
  size_t refs = 0, pairs = 0, scalars = 0, words = (t->count + 63) / 64;
  uint16_t *record = tsm_loader_alloc(l, r, t->count, sizeof *record);
  if (!record) return;
  for (uint32_t i = 0; i < t->count; i++) {
    refs += t->members[i]->layout == TSM_L_REF;
    pairs += t->members[i]->layout == TSM_L_PAIR;
  }
  scalars = t->count - refs - pairs + t->is_key;
  if (refs + 2 * pairs + scalars + words > MAX_SLOTS) {
    tsm_reader_fail(r, TSM_ERR_LIMIT, "class '%.60s' has too many attributes (%u)", t->qualified, t->count);
    return;
  }
  size_t next_ref = 0, next_pair = refs, next_scalar = refs + 2 * pairs;
  for (uint32_t i = 0; i < t->count; i++) {
    size_t *next = t->members[i]->layout == TSM_L_REF ? &next_ref
                   : t->members[i]->layout == TSM_L_PAIR ? &next_pair : &next_scalar;
    record[i] = (uint16_t)*next;
    *next += t->members[i]->width;
  }
  t->record = record;
  t->record_refs = (uint16_t)refs;
  t->record_pairs = (uint16_t)pairs;
  t->record_scalars = (uint16_t)(scalars + words);
}

static void finish_class(tsm_loader *l, tsm_reader *r, tsm_type *t) {
  for (uint32_t i = 0; i < t->count; i++) t->members[i] = l->p->types[l->class_members[t->id][i]];
  t->name = short_name(l, r, t->qualified);
  if (tsm_reader_ok(r)) make_record(l, r, t);
}

/* Tarjan's strongly connected components without recursion. */
typedef struct component_search {
  tsm_type **nodes;
  uint32_t *order, *low;   /* by type id; order 0: not visited */
  uint32_t *next_member;   /* by type id: the member to look at next */
  uint8_t *is_open;        /* by type id: on `stack` */
  uint8_t *reaches_any;    /* by type id */
  uint32_t *path, *stack;
  uint32_t path_length, stack_length, visited;
} component_search;

static void visit(component_search *s, uint32_t id) {
  s->order[id] = s->low[id] = ++s->visited;
  s->is_open[id] = 1;
  s->path[s->path_length++] = id;
  s->stack[s->stack_length++] = id;
}

static bool has_edges(const tsm_type *t) { return t->members && t->kind != TSM_T_FUNCTION; }

/* All nodes of the component that ends the stack get its answers. */
static void close_component(component_search *s, uint32_t root) {
  uint32_t start = s->stack_length;
  bool reaches_any = false, is_loop = false;
  do {
    const tsm_type *t = s->nodes[s->stack[--start]];
    reaches_any |= s->reaches_any[t->id] != 0;
    for (uint32_t i = 0; has_edges(t) && i < t->count; i++) is_loop |= t->members[i] == t;
  } while (s->stack[start] != root);
  is_loop |= s->stack_length - start > 1;
  for (uint32_t i = start; i < s->stack_length; i++) {
    uint32_t id = s->stack[i];
    s->is_open[id] = 0;
    s->reaches_any[id] = reaches_any;
    s->nodes[id]->is_cyclic = reaches_any || is_loop;
  }
  s->stack_length = start;
}

/* One step for the type that ends the path: its next member, or the way back. */
static void advance(component_search *s) {
  uint32_t id = s->path[s->path_length - 1];
  const tsm_type *t = s->nodes[id];
  if (has_edges(t) && s->next_member[id] < t->count) {
    uint32_t member = t->members[s->next_member[id]++]->id;
    if (!s->order[member]) visit(s, member);
    else if (s->is_open[member] && s->order[member] < s->low[id]) s->low[id] = s->order[member];
    if (s->order[member] && !s->is_open[member]) s->reaches_any[id] |= s->reaches_any[member];
    return;
  }
  if (s->low[id] == s->order[id]) close_component(s, id);
  if (--s->path_length == 0) return;
  uint32_t parent = s->path[s->path_length - 1];
  if (s->low[id] < s->low[parent]) s->low[parent] = s->low[id];
  s->reaches_any[parent] |= s->reaches_any[id];
}

static void find_cycles(tsm_loader *l, tsm_reader *r, tsm_type **nodes) {
  size_t n = l->p->type_count;
  component_search s;
  memset(&s, 0, sizeof s);
  s.nodes = nodes;
  s.order = tsm_loader_scratch(l, r, n, sizeof *s.order);
  s.low = tsm_loader_scratch(l, r, n, sizeof *s.low);
  s.next_member = tsm_loader_scratch(l, r, n, sizeof *s.next_member);
  s.is_open = tsm_loader_scratch(l, r, n, 1);
  s.reaches_any = tsm_loader_scratch(l, r, n, 1);
  s.path = tsm_loader_scratch(l, r, n, sizeof *s.path);
  s.stack = tsm_loader_scratch(l, r, n, sizeof *s.stack);
  if (!tsm_reader_ok(r)) return;
  for (uint32_t i = 0; i < n; i++)
    if (nodes[i] && nodes[i]->kind == TSM_T_ANY) s.reaches_any[i] = 1;
  for (uint32_t i = 0; i < n; i++) {
    if (!nodes[i] || s.order[i]) continue;
    visit(&s, i);
    while (s.path_length) advance(&s);
  }
}

void tsm_types_lay_out(tsm_loader *l, tsm_reader *r, tsm_type **nodes) {
  for (uint32_t i = 0; i < l->p->type_count && tsm_reader_ok(r); i++)
    if (nodes[i] && nodes[i]->kind == TSM_T_CLASS) finish_class(l, r, nodes[i]);
  if (tsm_reader_ok(r)) find_cycles(l, r, nodes);
}
