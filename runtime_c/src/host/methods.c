/* methods.c - METHODS: the entry points a host calls.
 * In: the section. Out: p->methods, sorted by name.
 * Holds: a method that takes self finds a root of self's type. */
#include "load/load.h"

typedef struct method_decoder {
  tsm_loader *l;
  tsm_reader r;
  tsm_method *m;
} method_decoder;

static void read_default(method_decoder *d, uint32_t i, const tsm_pair **defaults) {
  tsm_program *p = d->l->p;
  int64_t number = tsm_read_opt(&d->r, p->constant_count, "constant");
  if (number < 0) return;
  if (p->constant_types[number] != d->m->param_types[i])
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "method '%.60s': the default of parameter %u does not have its type",
                    d->m->info.name, i);
  defaults[i] = &p->constants[number];
}

static void read_param(method_decoder *d, uint32_t i, tsm_param_info *params, const tsm_pair **defaults) {
  read_default(d, i, defaults);
  uint8_t flags = tsm_read_u8(&d->r);
  if (flags > 3) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "a parameter has unknown flags %x", flags);
  params[i].has_default = defaults[i] != NULL;
  params[i].keyword_only = flags & 1;
  if ((flags & 2) && i < 64) d->m->info.mutates |= (uint64_t)1 << i;
  else if (flags & 2) tsm_reader_fail(&d->r, TSM_ERR_LIMIT, "a parameter after the 64th may be changed by the call");
  if (i == 0) return;
  if (params[i - 1].keyword_only && !params[i].keyword_only)
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "method '%.60s': a keyword-only parameter is not last", d->m->info.name);
  if (!params[i].keyword_only && params[i - 1].has_default && !params[i].has_default)
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "method '%.60s': a parameter without default follows one with",
                    d->m->info.name);
}

static void read_params(method_decoder *d, uint32_t count, bool has_self) {
  tsm_method *m = d->m;
  tsm_param_info *params = tsm_loader_alloc(d->l, &d->r, count, sizeof *params);
  const tsm_pair **defaults = tsm_loader_alloc(d->l, &d->r, count, sizeof *defaults);
  if (!tsm_reader_ok(&d->r)) return;
  m->param_types = m->function->value_types + has_self;
  const tsm_type *const *declared = d->l->declared_params[m->function->number] + has_self;
  for (uint32_t i = 0; i < count && tsm_reader_ok(&d->r); i++) {
    params[i].name = m->function->param_names[i + has_self];
    params[i].type = declared[i];
    read_param(d, i, params, defaults);
  }
  m->info.params = params;
  m->info.param_count = count;
  m->defaults = defaults;
}

static void read_method(method_decoder *d, const char *before) {
  tsm_program *p = d->l->p;
  tsm_method *m = d->m;
  m->info.name = tsm_loader_name(d->l, &d->r, "a method");
  if (m->info.name && before && strcmp(before, m->info.name) >= 0)
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "method '%.60s' is out of order or there twice", m->info.name);
  m->function = &p->functions[tsm_read_index(&d->r, p->function_count, "function")];
  uint8_t flags = tsm_read_u8(&d->r);
  if (flags > 1) tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "a method has unknown flags %x", flags);
  m->has_self = flags & 1;
  m->info.doc = tsm_loader_name(d->l, &d->r, "a doc");
  if (!tsm_reader_ok(&d->r)) return;
  const tsm_function *f = m->function;
  m->info.result = d->l->declared_results[f->number];
  if (m->has_self != f->has_self)
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "method '%.60s' and its function disagree about self", m->info.name);
  if (m->has_self && (p->root < 0 || !f->param_count || f->value_types[0] != p->objects[p->root].type)) {
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "method '%.60s' takes self, but the root is not of self's type",
                    m->info.name);
    return;
  }
  uint32_t count = tsm_read_count(&d->r, 2, "parameters");
  if (count != f->param_count - m->has_self)
    tsm_reader_fail(&d->r, TSM_ERR_FORMAT, "method '%.60s' describes %u parameters; its function has %u", m->info.name,
                    count, f->param_count - m->has_self);
  if (tsm_reader_ok(&d->r)) read_params(d, count, m->has_self);
}

tsm_status tsm_decode_methods(tsm_loader *l) {
  tsm_program *p = l->p;
  method_decoder d;
  d.l = l;
  d.r = tsm_loader_section(l, TSM_S_METHODS);
  uint32_t count = tsm_read_count(&d.r, 5, "methods");
  p->methods = tsm_loader_alloc(l, &d.r, count, sizeof *p->methods);
  for (uint32_t i = 0; i < count && tsm_reader_ok(&d.r); i++) {
    d.m = &p->methods[i];
    read_method(&d, i ? d.m[-1].info.name : NULL);
  }
  p->method_count = count;
  return tsm_reader_end(&d.r);
}
