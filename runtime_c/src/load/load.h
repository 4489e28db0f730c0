/* load.h - what the decoders share while a program is being built.
 * In: the sections of a file. Out: the fields of one tsm_program, each decoder its own.
 * Holds: a decoder reads only what earlier ones filled: tables, types, constants, functions, state, methods, source. */
#ifndef TSM_LOAD_H
#define TSM_LOAD_H

#include "base/bytes.h"
#include "object/intern.h"
#include "program.h"

typedef struct tsm_loader {
  tsm_program *p;
  tsm_runtime *rt;
  tsm_error *out_error;
  tsm_load_options options;
  uint64_t features;
  uint32_t minor;              /* lowest minor version of the format that reads the file */
  tsm_arena scratch;           /* what only loading needs */
  const tsm_type **declared;   /* by type number: the refined node of a Tensor type, else the program's */
  uint8_t *type_is_hashable;   /* by type id */
  uint16_t *void_size;         /* by type id: how many values one that takes no bytes in STATE has; 0: it takes some */
  const uint32_t **enum_values;    /* by type id: constant numbers, until there are constants */
  const tsm_type **enum_types;     /* by type id: type of an enum's values */
  const uint32_t **class_members;  /* by type id: type numbers of a class's attributes */
  uint8_t *constant_has_tensor;
  const tsm_type *const **declared_params; /* by function: parameter types with their refinements, for the host */
  const tsm_type **declared_results;
  uint32_t *stamps;            /* by string number: to see a name twice in one record */
  uint32_t stamp;
} tsm_loader;

/* A reader over a section; an empty one when the file has none of this kind. */
tsm_reader tsm_loader_section(const tsm_loader *l, uint32_t kind);
const tsm_section *tsm_program_section(const tsm_program *p, uint32_t kind);
const char *tsm_section_name(uint32_t kind);

/* `str` that names something: no zero bytes. NULL on failure. */
const char *tsm_loader_name(tsm_loader *l, tsm_reader *r, const char *what);
/* The same, refused when it was already given since the last tsm_loader_new_names. */
const char *tsm_loader_new_name(tsm_loader *l, tsm_reader *r, const char *what);
void tsm_loader_new_names(tsm_loader *l);
const tsm_type *tsm_loader_type(tsm_loader *l, tsm_reader *r);
/* A zero-terminated copy in the program's arena; NULL: failed. */
const char *tsm_loader_copy(tsm_loader *l, tsm_reader *r, const void *bytes, size_t length);
/* Zeroed arena memory; a failure is recorded in the reader. */
void *tsm_loader_alloc(tsm_loader *l, tsm_reader *r, size_t count, size_t size);
/* The same, given back when loading ends. */
void *tsm_loader_scratch(tsm_loader *l, tsm_reader *r, size_t count, size_t size);

enum { TSM_MAX_VOID = 1000 };  /* values without bytes in one list, or nested in one value */

/* One decoder a section or two. Each returns the first failure. */
tsm_status tsm_decode_metadata(tsm_loader *l);
tsm_status tsm_decode_extra(tsm_loader *l);
tsm_status tsm_decode_text(tsm_loader *l);
tsm_status tsm_decode_strings(tsm_loader *l);
tsm_status tsm_decode_types(tsm_loader *l);
tsm_status tsm_decode_storages(tsm_loader *l);
tsm_status tsm_decode_tensors(tsm_loader *l);
tsm_status tsm_decode_host_order(tsm_loader *l); /* host_order.c */
tsm_status tsm_decode_constants(tsm_loader *l);
tsm_status tsm_decode_operators(tsm_loader *l);
tsm_status tsm_decode_functions(tsm_loader *l);
tsm_status tsm_decode_state(tsm_loader *l);
tsm_status tsm_decode_methods(tsm_loader *l);
tsm_status tsm_decode_source(tsm_loader *l);

/* host_functions.c: keeps the host's functions, and refuses a program that calls others by a constant name. */
tsm_status tsm_bind_host_functions(tsm_loader *l);

/* load.c: fills a program whose bytes are set; the caller frees it on failure. */
tsm_status tsm_program_decode(tsm_program *p, const tsm_load_options *options, tsm_error *out_error);

/* type_layout.c: records of classes and is_cyclic, once all members are known. nodes: by type id, NULL where none. */
void tsm_types_lay_out(tsm_loader *l, tsm_reader *r, tsm_type **nodes);
/* Layout and width of a type whose members are known. */
void tsm_type_set_layout(tsm_type *t);

#endif
