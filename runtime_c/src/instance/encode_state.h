/* encode_state.h - the present state of an instance as FORMAT.md's sections. */
#ifndef TSM_ENCODE_STATE_H
#define TSM_ENCODE_STATE_H

#include "object/intern.h"
#include "object/objectmap.h"
#include "load/program.h"

typedef struct encoded_object { tsm_object *object; const tsm_type *type; } encoded_object;
/* `item`: bytes of an element of the tensors over it. */
typedef struct encoded_storage { tsm_storage *storage; uint8_t item; } encoded_storage;

/* What has been encoded, numbered in the order of first use. */
typedef struct tsm_state_encoder {
  tsm_instance *instance;
  tsm_program *p;
  tsm_runtime *rt;
  tsm_error *out_error;
  tsm_status status;
  tsm_text state, tensors, constants;  /* sections */
  tsm_text new_strings, new_types;     /* records to append */
  uint32_t new_string_count, new_type_count;
  tsm_intern strings;                  /* those of the file, then new ones */
  int64_t type_of_kind[TSM_T_COUNT];   /* number of the file's (or a new) type without members; -1: none yet */
  tsm_object_map object_numbers, tensor_numbers, storage_numbers;
  encoded_object *objects;
  encoded_storage *storages;
  size_t object_count, object_capacity, storage_count, storage_capacity, tensor_count;
} tsm_state_encoder;

/* Encodes everything; the encoder must be freed also after a failure. */
tsm_status tsm_state_encode(tsm_state_encoder *e, tsm_instance *instance, tsm_error *out_error);
void tsm_state_encoder_free(tsm_state_encoder *e);
/* Primitives. */
void tsm_put_u8(tsm_text *out, uint8_t v);
void tsm_put_uv(tsm_text *out, uint64_t v);

#endif
