/* containers.h - what kernels of str, list, dict and tuple share: slices, elements in and out of registers. */
#ifndef TSM_CONTAINERS_H
#define TSM_CONTAINERS_H

#include "kernels.h"

/* start, start + step, ... : `count` indices, all inside the sequence. */
typedef struct tsm_slice { int64_t start, stop, step, count; } tsm_slice;
/* Reads three Optional[int] arguments from argument `first` on; step 0 raises ValueError. */
tsm_status tsm_slice_read(const tsm_opcall *c, size_t first, int64_t length, tsm_slice *out);
/* Makes a negative index count from the end; false when it is outside. */
static inline bool tsm_index_wrap(int64_t *index, int64_t length) {
  if (*index < 0) *index += length;
  return *index >= 0 && *index < length;
}

/* Puts an element, whose count the caller owns, into result 0; a type variable's register has the element's layout. */
tsm_status tsm_return_element(const tsm_opcall *c, tsm_layout layout, const tsm_slot *slots);
/* The same for a pair. */
tsm_status tsm_return_value(const tsm_opcall *c, tsm_layout layout, tsm_pair value);
/* A new list, for result 0 of the call, with the layout its type gives or else `layout`; NULL: error raised. */
tsm_list *tsm_result_list(const tsm_opcall *c, tsm_layout layout, int64_t reserve);
/* Puts a new object into result 0, or raises out of memory for NULL. */
tsm_status tsm_return_object(const tsm_opcall *c, void *object);
/* Appends `count` elements of src at from, from + step, ...; raises when out of memory. src may be dst. */
tsm_status tsm_list_append_range(tsm_context *ctx, tsm_list *dst, const tsm_list *src, int64_t from, int64_t step,
                                 int64_t count);
/* Raises `type` with the text `before`, the repr of a value, and `after`. */
/* KeyError with the key itself for an argument. */
tsm_status tsm_raise_key(tsm_context *ctx, tsm_pair key);
tsm_status tsm_raise_key_text(tsm_context *ctx, const char *text);
tsm_status tsm_raise_about(tsm_context *ctx, const char *type, const char *before, tsm_pair value, const char *after);
/* Raises TypeError for a key that is not hashable. */
tsm_status tsm_check_hashable(tsm_context *ctx, tsm_pair key);
/* The same for what an exception keeps, which must not be or hold an instance: see tsm_pair_is_plain. */
tsm_status tsm_check_plain(tsm_context *ctx, tsm_pair value);
/* Puts the entries of a dict or set whose keys hash themselves (TSM_OBJ_HASHED) into an empty one, with their hashes. */
tsm_status tsm_copy_hashed(const tsm_opcall *c, tsm_dict *d, const tsm_dict *other);
/* An exception with its arguments and attributes (NULL: none), whose text says them; NULL: error raised. */
tsm_exception *tsm_exception_with(tsm_context *ctx, tsm_str *name, tsm_tuple *args, tsm_tuple *fields);
/* The pair in argument i, laid out as `layout` says. Adds no count. */
tsm_pair tsm_arg_element(const tsm_opcall *c, size_t i, tsm_layout layout, const tsm_type *type);

/* Whether `length` bytes are equal; false also when stopped. */
bool tsm_bytes_match(tsm_context *ctx, const char *text, const char *part, size_t length);
/* Position in bytes of `part` in `text`, SIZE_MAX if absent; charges fuel for long searches. */
tsm_status tsm_bytes_find(tsm_context *ctx, const char *text, size_t length, const char *part, size_t part_length,
                          size_t *out_at);
/* Whether `part` occurs in `text`, both str or both bytes. */
tsm_status tsm_str_search(tsm_context *ctx, tsm_object *text, tsm_object *part, bool *out_found);

#endif
