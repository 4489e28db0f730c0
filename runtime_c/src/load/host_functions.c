/* host_functions.c - the functions of the host that a program calls by name.
 * In: the options of loading, the decoded functions. Out: p->functions_of_host, or an error that lists what is missing.
 * Holds: a name that is a constant is known before anything runs; another one is looked up when it is called. */
#include <stdio.h>

#include "load.h"

enum { MAX_LISTED = 16 };

typedef struct search {
  tsm_loader *l;
  const tsm_op *op;                  /* host.call */
  const tsm_pair **constants;        /* by value number, of one function */
  const tsm_str *missing[MAX_LISTED];
  size_t count;
} search;

const tsm_host_function *tsm_program_host_function(const tsm_program *p, const char *name) {
  for (uint32_t i = 0; i < p->host_function_count; i++)
    if (strcmp(p->functions_of_host[i].name, name) == 0) return &p->functions_of_host[i];
  return NULL;
}

static tsm_status keep_functions(tsm_loader *l) {
  tsm_program *p = l->p;
  const tsm_host_function *given = l->options.functions;
  size_t count = given ? l->options.function_count : 0;
  p->functions_of_host = tsm_arena_alloc(&p->arena, count, sizeof *given);
  bool is_kept = p->functions_of_host != NULL;
  for (size_t i = 0; i < count && is_kept; i++) {
    if (!given[i].name || !given[i].call)
      return tsm_error_set(l->out_error, TSM_ERR_ARGUMENT, "a function of the host has no name or no code");
    size_t size = strlen(given[i].name) + 1;
    char *name = tsm_arena_alloc(&p->arena, size, 1);
    is_kept = name != NULL;
    if (!is_kept) break;
    memcpy(name, given[i].name, size);
    p->functions_of_host[i] = given[i];
    p->functions_of_host[i].name = name;
    p->host_function_count = (uint32_t)i + 1;
  }
  return is_kept ? TSM_OK : tsm_error_set(l->out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
}

static void look_at(search *s, const tsm_node *n) {
  if (n->code == TSM_N_CONST) s->constants[n->first_result] = n->of.constant;
  if (n->code != TSM_N_OPERATOR || n->of.op != s->op || s->count == MAX_LISTED) return;
  const tsm_pair *name = s->constants[n->operands[0]];
  if (!name || tsm_program_host_function(s->l->p, ((const tsm_str *)name->as.ref)->bytes)) return;
  const tsm_str *text = (const tsm_str *)name->as.ref;
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(s->missing[i]->bytes, text->bytes) == 0) return;
  s->missing[s->count++] = text;
}

/* Blocks are nested at most TSM_MAX_DEPTH deep. */
static void look_into(search *s, const tsm_block *block) {
  for (uint32_t i = 0; i < block->node_count; i++) {
    look_at(s, &block->nodes[i]);
    for (uint16_t k = 0; k < block->nodes[i].block_count; k++) look_into(s, &block->nodes[i].blocks[k]);
  }
}

static tsm_status report(const search *s) {
  char names[800] = "";
  size_t length = 0;
  for (size_t i = 0; i < s->count && length + 120 < sizeof names; i++) {
    int n = snprintf(names + length, sizeof names - length, "%s%.100s", i ? ", " : "", s->missing[i]->bytes);
    length += n > 0 ? (size_t)n : 0;
  }
  return tsm_error_set(s->l->out_error, TSM_ERR_NOT_FOUND,
                       "the program calls functions that were not given when it was loaded: %s", names);
}

tsm_status tsm_bind_host_functions(tsm_loader *l) {
  tsm_program *p = l->p;
  tsm_status status = keep_functions(l);
  search s = {l, tsm_op_find(p->rt->ops, "host.call", "any"), NULL, {NULL}, 0};
  bool is_used = false;
  for (uint32_t i = 0; i < p->operator_count; i++) is_used = is_used || p->operators[i] == s.op;
  for (uint32_t i = 0; status == TSM_OK && is_used && i < p->function_count; i++) {
    const tsm_function *f = &p->functions[i];
    size_t size = f->value_count * sizeof *s.constants;
    s.constants = tsm_alloc_zeroed(l->rt, size);
    if (!s.constants) return tsm_error_set(l->out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
    look_into(&s, &f->body);
    tsm_free(l->rt, s.constants, size);
  }
  return s.count ? report(&s) : status;
}
