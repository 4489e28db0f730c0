/* source.c - SOURCE: which line of Python every node came from.
 * In: the optional section. Out: f->locations by node number.
 * Holds: an inlined_at chain only goes to smaller locations, so it ends. */
#include "load.h"

typedef struct source_decoder {
  tsm_loader *l;
  tsm_reader r;
  const char **files;
  uint32_t file_count;
} source_decoder;

/* A count that must be 0 or `expected`. */
static uint32_t read_all_or_none(source_decoder *d, uint32_t expected, const char *what) {
  uint32_t count = tsm_read_count(&d->r, 1, what);
  if (tsm_reader_ok(&d->r) && count && count != expected)
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "there are %u %s for %u", count, what, expected);
  return count;
}

static uint32_t read_line(source_decoder *d) {
  uint64_t line = tsm_read_uv(&d->r);
  if (line > INT32_MAX) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "a line or column does not fit in 31 bits");
  return (uint32_t)line;
}

/* depths: by location, how many calls it was inlined through. */
static void read_location(source_decoder *d, tsm_location *all, uint8_t *depths, uint32_t i) {
  tsm_location *at = &all[i];
  uint32_t file = tsm_read_index(&d->r, d->file_count, "source file");
  at->line = read_line(d);
  at->column = read_line(d);
  at->end_line = read_line(d);
  at->end_column = read_line(d);
  at->function = tsm_loader_name(d->l, &d->r, "a function");
  int64_t outer = tsm_read_opt(&d->r, i, "smaller location");
  if (!tsm_reader_ok(&d->r)) return;
  depths[i] = (uint8_t)(outer < 0 ? 0 : depths[outer] + 1);
  if (depths[i] > TSM_MAX_DEPTH)
    tsm_reader_fail(&d->r, TSM_ERR_LIMIT, "a location is inlined through more than %d calls", TSM_MAX_DEPTH);
  at->file = d->files[file];
  at->inlined_at = outer < 0 ? NULL : &all[outer];
}

static void read_function(source_decoder *d, tsm_function *f) {
  uint32_t names = read_all_or_none(d, f->value_count, "value names");
  for (uint32_t i = 0; i < names && tsm_reader_ok(&d->r); i++) tsm_read_opt(&d->r, d->l->p->string_count, "string");
  uint32_t node_count = read_all_or_none(d, f->node_count, "node locations");
  size_t nodes_at = d->r.at;
  for (uint32_t i = 0; i < node_count && tsm_reader_ok(&d->r); i++) tsm_read_uv(&d->r);
  uint32_t count = tsm_read_count(&d->r, 7, "locations");
  tsm_location *all = tsm_loader_alloc(d->l, &d->r, count, sizeof *all);
  uint8_t *depths = tsm_loader_scratch(d->l, &d->r, count, 1);
  for (uint32_t i = 0; i < count && tsm_reader_ok(&d->r); i++) read_location(d, all, depths, i);
  if (!tsm_reader_ok(&d->r) || !node_count) return;
  const tsm_location **of_nodes = tsm_loader_alloc(d->l, &d->r, node_count, sizeof *of_nodes);
  size_t end = d->r.at;
  d->r.at = nodes_at; /* the nodes' entries come before the table they index */
  for (uint32_t i = 0; i < node_count && tsm_reader_ok(&d->r); i++) {
    int64_t number = tsm_read_opt(&d->r, count, "location");
    if (tsm_reader_ok(&d->r)) of_nodes[i] = number < 0 ? NULL : &all[number];
  }
  if (!tsm_reader_ok(&d->r)) return;
  d->r.at = end;
  f->locations = of_nodes;
}

tsm_status tsm_decode_source(tsm_loader *l) {
  if (!tsm_program_section(l->p, TSM_S_SOURCE)) return TSM_OK;
  source_decoder d;
  d.l = l;
  d.r = tsm_loader_section(l, TSM_S_SOURCE);
  d.file_count = tsm_read_count(&d.r, 1, "source files");
  d.files = tsm_loader_scratch(l, &d.r, d.file_count, sizeof *d.files);
  for (uint32_t i = 0; i < d.file_count && tsm_reader_ok(&d.r); i++) d.files[i] = tsm_loader_name(l, &d.r, "a file");
  for (uint32_t i = 0; i < l->p->function_count && tsm_reader_ok(&d.r); i++) read_function(&d, &l->p->functions[i]);
  return tsm_reader_end(&d.r);
}
