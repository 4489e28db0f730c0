/* type.h - static types as the runtime knows them: one node a type, interned per program, equal iff same pointer.
 * In: the TYPES section, or an operator's schema. Out: layout of slots, records of class attributes. */
#ifndef TSM_TYPE_H
#define TSM_TYPE_H

#include "object.h"

struct tsm_type {
  uint8_t kind;        /* tsm_type_kind, or TSM_T_VAR in schemas */
  uint8_t layout;      /* tsm_layout */
  uint8_t width;       /* slots: 1, or 2 for PAIR */
  uint8_t is_variadic; /* tuple[T, ...]: one member */
  uint8_t is_cyclic;   /* an object of this type could reach itself */
  uint8_t dtype;       /* of a Tensor: tsm_dtype, or 255 if not refined */
  int8_t rank;         /* of a Tensor: -1 if not refined */
  uint8_t is_module;   /* of a class */
  uint8_t is_key;      /* of a class: its instances are keys, see key_fields */
  uint16_t dict_class; /* of a dict: tsm_dict_class; of a list: 0 or TSM_DEQUE */
  uint32_t id;         /* number in the program's table */
  uint32_t count;      /* members */
  uint32_t key_fields; /* of a class that is_key: instances are equal if so many first attributes are; 0: by identity */
  const tsm_type **members;
  const char **member_names;
  const char *name;          /* class, named tuple, enum: as "Point"; schema variable: "t" */
  const char *qualified;     /* class: "module.Point" */
  const int64_t *shape;      /* refined Tensor: rank extents, -1 unknown; else NULL */
  const tsm_pair *enum_values; /* enum: value of each member, immortal */
  const uint16_t *record;    /* class: slot of each attribute; references first, then pairs, then scalars */
  uint16_t record_refs, record_pairs, record_scalars; /* pairs counts pairs (two slots each) */
};

/* Whether a value may stand where `type` is declared, without conversion. Containers made by the host are looked
 * through; those of a program carry their type. Variables of schemas accept anything. (typeinfo.c) */
bool tsm_value_fits(struct tsm_context *ctx, const tsm_type *type, tsm_pair value);
/* Whether a value may become an element with this layout: `type` is the element's type, or NULL for containers of the
 * host, which take `kind` (0: any that the layout holds) and None. */
bool tsm_element_fits(struct tsm_context *ctx, tsm_layout layout, const tsm_type *type, uint8_t kind, tsm_pair value);
/* Whether a value of the type may be or hold a list, dict or set that can become loose. (loose.c) */
bool tsm_type_can_loosen(const tsm_type *type);
/* Marks what a value of the type is or holds as loose, where nobody else holds it: it has become an Any. */
void tsm_pair_loosen(const tsm_type *type, tsm_pair pair);
/* Gives a loose list, dict or set a type which its elements fit, or one of the host the layout of the type. */
tsm_status tsm_object_fasten(tsm_object *o, const tsm_type *type);
/* Whether it is a list or dict that is loose or the host's. */
bool tsm_pair_is_open(tsm_pair pair);
/* Name of the type without its members: "dict", "Counter", "Point". */
const char *tsm_type_kind_name(const tsm_type *type);
/* The type as Python spells it. */
void tsm_text_type(tsm_text *text, const tsm_type *type);

/* Python's subclasses of dict; the number after the last and all others are defaultdicts with a factory of their own. */
enum tsm_dict_class { TSM_PLAIN_DICT = 0, TSM_ORDERED_DICT = 1, TSM_COUNTER = 2, TSM_DEFAULTDICT = 3 };
enum { TSM_DEQUE = 1 }; /* the subclass of list, which in Python is a class of its own: dict_class of a list type */
static inline bool tsm_is_deque(const tsm_object *o) {
  return o->kind == TSM_LIST && o->type && o->type->dict_class == TSM_DEQUE;
}
static inline uint16_t tsm_dict_class_of(const tsm_object *o) { return o->type ? o->type->dict_class : TSM_PLAIN_DICT; }

enum { TSM_T_VAR = 64 };  /* schema variable; `id` is its number */

/* Which attributes of an instance are set: a bitmap in the last words of its record, bit i for attribute i. The words
 * are counted in record_scalars. Unset attributes hold zero bits (NULL, None). */
static inline size_t tsm_record_size(const tsm_type *t) {
  return (size_t)t->record_refs + 2 * (size_t)t->record_pairs + t->record_scalars;
}
static inline uint64_t *tsm_attr_word(const tsm_type *t, tsm_instance_object *o, uint32_t attribute) {
  return &o->slots[tsm_record_size(t) - (t->count + 63) / 64 + attribute / 64].bits;
}
static inline bool tsm_attr_is_set(const tsm_type *t, tsm_instance_object *o, uint32_t attribute) {
  return *tsm_attr_word(t, o, attribute) >> (attribute & 63) & 1;
}
/* The slot in front of the bitmap in which instances that are keys by identity keep their hash; 0: not asked yet. */
static inline uint64_t *tsm_identity_word(const tsm_type *t, tsm_instance_object *o) { return tsm_attr_word(t, o, 0) - 1; }
static inline void tsm_attr_mark_set(const tsm_type *t, tsm_instance_object *o, uint32_t attribute) {
  *tsm_attr_word(t, o, attribute) |= (uint64_t)1 << (attribute & 63);
}

#endif
