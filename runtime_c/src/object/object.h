/* object.h - values as the machine holds them: 8-byte untagged slots, and counted objects behind references.
 * In: types decide a slot's layout. Out: str, list, dict, tuple, class instance, exception, cell.
 * Holds: a register, element or attribute with layout REF owns one count or is NULL (None of an Optional).
 * Freeing never recurses: a dying object's children are queued (tsm_object_free). */
#ifndef TSM_OBJECT_H
#define TSM_OBJECT_H

#include "base/base.h"

struct tsm_tensor;
struct tsm_context; /* what takes one charges its work, and what it answers after a trap means nothing: see tsm_pay */

/* How a type is stored. In frames and objects U8 takes a whole slot. */
typedef enum tsm_layout {
  TSM_L_I64 = 0,  /* int, None (0), dtype, device, enum (member index) */
  TSM_L_F64 = 1,  /* float */
  TSM_L_U8 = 2,   /* bool; one byte in lists */
  TSM_L_REF = 3,  /* any object; NULL is None */
  TSM_L_PAIR = 4  /* Union, Scalar, Any, Optional of an unboxed type: two slots, tag then payload */
} tsm_layout;

typedef union tsm_slot {
  int64_t i;
  uint64_t bits;
  double f;
  tsm_object *ref;
  struct tsm_tensor *tensor;
} tsm_slot;

/* A tagged pair. tag: tsm_kind in the low 8 bits, the program's type number in the upper 32 for enums. */
typedef struct tsm_pair {
  uint64_t tag;
  tsm_slot as;
} tsm_pair;
#define TSM_TAG_KIND(tag) ((tsm_kind)((tag) & 255u))
static inline bool tsm_tag_is_ref(uint64_t tag) { return (tag & 255u) >= TSM_FIRST_REF; }

#define TSM_IMMORTAL 0x80000000u  /* a count from here up is never changed: constants */
#define TSM_SHARED 0x40000000u    /* counts of tensors start here, so that one comparison tells them from plain ones */

enum {
  TSM_OBJ_TRACKED = 1, /* linked into heap->cyclic */
  TSM_OBJ_INSIDE = 4,  /* a tensor in the block of its storage, with which it goes */
  TSM_OBJ_ROOMY = 8,   /* a str with room to grow, see tsm_str_append */
  TSM_OBJ_HASHED = 16, /* a dict or set whose entries have the hashes that their keys' own class gave */
  TSM_OBJ_SIZE = 64,   /* a tuple of ints that is the shape of a tensor: a Size in Python, by itself and in texts */
  TSM_OBJ_LOOSE = 32   /* a list, dict or set that only places of type Any hold: its type may change, see loose.c */
};

struct tsm_object {
  _Atomic uint32_t refs;
  uint8_t kind;    /* tsm_kind */
  uint8_t layout;  /* tsm_layout of a list's or set's elements and of a dict's keys */
  uint8_t layout2; /* of a dict's values */
  uint8_t flags;
  tsm_heap *heap;
  const tsm_type *type;  /* NULL when the host made it */
};

/* Tensors and storages count atomically, all else plainly: its heap belongs to one thread. */
void tsm_ref_shared(tsm_object *o);
void tsm_unref_shared(tsm_object *o);
static inline void tsm_ref(tsm_object *o) {
  uint32_t n = atomic_load_explicit(&o->refs, memory_order_relaxed);
  if (TSM_UNLIKELY(n >= TSM_SHARED)) tsm_ref_shared(o);
  else atomic_store_explicit(&o->refs, n + 1, memory_order_relaxed);
}
void tsm_object_free(tsm_object *o);
static inline void tsm_unref(tsm_object *o) {
  uint32_t left = atomic_load_explicit(&o->refs, memory_order_relaxed) - 1;
  if (TSM_UNLIKELY(left >= TSM_SHARED - 1)) tsm_unref_shared(o);
  else if (left == 0) tsm_object_free(o);
  else atomic_store_explicit(&o->refs, left, memory_order_relaxed);
}
static inline void tsm_ref_maybe(tsm_object *o) { if (o) tsm_ref(o); }
static inline void tsm_unref_maybe(tsm_object *o) { if (o) tsm_unref(o); }
static inline void tsm_pair_ref(tsm_pair p) { if (tsm_tag_is_ref(p.tag)) tsm_ref_maybe(p.as.ref); }
static inline void tsm_pair_unref(tsm_pair p) { if (tsm_tag_is_ref(p.tag)) tsm_unref_maybe(p.as.ref); }

/* Allocates and fills the header with one count; NULL when out of memory. */
void *tsm_object_alloc(tsm_heap *heap, size_t size, tsm_kind kind, const tsm_type *type);
/* Remembers an object that may be part of a cycle, so that closing the heap can break it. */
void tsm_object_track(tsm_object *o);

/* ---- str: UTF-8, immutable, indexed by code point in O(1) */
typedef struct tsm_str {
  tsm_object head;
  uint32_t length;      /* bytes */
  uint32_t chars;       /* code points; equal to length for ASCII */
  uint64_t hash;        /* 0: not computed yet */
  uint32_t *index;      /* byte offset of every 64th code point, built at first use; NULL for ASCII */
  char bytes[];         /* zero terminated */
} tsm_str;
/* NULL when out of memory or over 2^31 bytes. `bytes` must be valid UTF-8 and may be NULL (to be filled; then
 * tsm_str_finish counts the characters). */
tsm_str *tsm_str_new(tsm_heap *heap, const char *bytes, size_t length);
void tsm_str_finish(tsm_str *s);
/* `s` with `tail` behind it, in its own block where there is room: only for a str that nobody else holds. Takes over the
 * count of s. NULL when out of memory or over 2^31 bytes: then s is as it was. */
tsm_str *tsm_str_append(tsm_str *s, const tsm_str *tail);
/* Bytes of its block. */
size_t tsm_str_block(const tsm_str *s);
/* Byte offset of code point `i`, 0 <= i <= chars. (size_t)-1 when out of memory or stopped. */
size_t tsm_str_offset(struct tsm_context *ctx, tsm_str *s, size_t i);
/* Fixed, never 0. */
uint64_t tsm_str_hash(struct tsm_context *ctx, tsm_str *s);
uint64_t tsm_hash_bytes(struct tsm_context *ctx, const void *bytes, size_t length);

typedef struct tsm_bytes { tsm_object head; uint32_t length; uint32_t unused; uint8_t bytes[]; } tsm_bytes;
tsm_bytes *tsm_bytes_new(tsm_heap *heap, const void *bytes, size_t length);

typedef struct tsm_complex { tsm_object head; double re, im; } tsm_complex;
tsm_complex *tsm_complex_make(tsm_heap *heap, double re, double im);

/* ---- list: elements of one layout, unboxed */
typedef struct tsm_list {
  tsm_object head;
  int64_t length, capacity;
  int64_t hidden;  /* elements of room in front of the first, which as.any has passed over */
  int64_t version; /* of a deque: changes with what its iterators must notice */
  int64_t limit;   /* of a deque: its maxlen + 1, 0 for none */
  union {
    void *any;
    uint8_t *u8;
    int64_t *i64;
    double *f64;
    tsm_object **ref;
    tsm_pair *pair;
  } as;
} tsm_list;
tsm_list *tsm_list_make(tsm_heap *heap, tsm_layout layout, const tsm_type *type, int64_t reserve);
tsm_status tsm_list_grow(tsm_list *l, int64_t capacity);
/* The same for `need` elements and `spare` more, or as many of these as there is memory for: lists that grow by few
 * elements at a time do so in linear time up to the memory cap. */
tsm_status tsm_list_extend_room(tsm_list *l, int64_t need, int64_t spare);
/* Stores the elements in another layout, which they fit. */
tsm_status tsm_list_relayout(tsm_list *l, tsm_layout layout);
/* Gives back the room of a list without elements. */
void tsm_list_free_room(tsm_list *l);
/* Takes the first element out without moving the others, with its count; there must be one. */
void tsm_list_pop_front(tsm_list *l, tsm_slot *out_slot);
/* Puts an element in front, in constant time on average; takes over the caller's count also when it fails. */
tsm_status tsm_list_push_front(tsm_list *l, const tsm_slot *slot);
size_t tsm_layout_size(tsm_layout layout);  /* bytes of one list element */
/* Elements as slots: get adds a count, set and append take over the caller's (also when they fail they release it).
 * A PAIR uses slot[0] and slot[1]. Index must be in range. */
void tsm_list_load(const tsm_list *l, int64_t index, tsm_slot *out_slot);
void tsm_list_store(tsm_list *l, int64_t index, const tsm_slot *slot);
tsm_status tsm_list_push(tsm_list *l, const tsm_slot *slot);

/* ---- dict and set: insertion ordered, open addressing over an entry array */
typedef struct tsm_dict_entry { uint64_t hash; tsm_pair key; tsm_pair value; bool is_live; } tsm_dict_entry;
typedef struct tsm_dict {
  tsm_object head;
  int64_t length;             /* live entries */
  int64_t used, capacity;     /* entries written, room */
  tsm_dict_entry *entries;    /* keys and values always tagged; None keys and values have tag TSM_NONE */
  int32_t *table;             /* power of two slots: entry number, -1 empty, -2 deleted */
  uint32_t table_mask;
  uint32_t version;           /* changes whenever the length does */
  int64_t first;              /* entries before it are holes */
  int64_t filled;             /* slots of the table taken since it was built, also those given back */
} tsm_dict;                   /* a set is a dict without values */
tsm_dict *tsm_dict_make(tsm_heap *heap, tsm_kind kind, tsm_layout key, tsm_layout value, const tsm_type *type);
/* Searches that take more than the usual few steps charge them, so that keys with equal hashes (chosen by an enemy, or
 * NaN) and long equal keys cost fuel and not only time.
 * NULL if absent, or when the context has stopped. Keys must be hashable (see tsm_pair_is_hashable). */
tsm_dict_entry *tsm_dict_find(struct tsm_context *ctx, const tsm_dict *d, tsm_pair key);
/* Takes over the counts of key and value, also when it fails: TSM_ERR_MEMORY (not raised) or a trap. */
tsm_status tsm_dict_put(struct tsm_context *ctx, tsm_dict *d, tsm_pair key, tsm_pair value);
/* The same for a key that is known to be absent and to have this hash; it is not looked at. */
tsm_status tsm_dict_append(struct tsm_context *ctx, tsm_dict *d, uint64_t hash, tsm_pair key, tsm_pair value);
bool tsm_dict_delete(struct tsm_context *ctx, tsm_dict *d, tsm_pair key);
void tsm_dict_drop(struct tsm_context *ctx, tsm_dict *d, tsm_dict_entry *e);  /* removes a live entry */
/* For keys whose class has a hash of its own, which only scripts can ask: the number of a live entry with this hash, the
 * first one or the next `after` one, from the first again if that has gone; -1 if there is none. */
int64_t tsm_dict_probe(struct tsm_context *ctx, const tsm_dict *d, uint64_t hash, int64_t after);
/* Gives the live entries, which stay where they are, these hashes in their order, and marks the dict TSM_OBJ_HASHED; NULL
 * gives them those of tsm_pair_hash again. TSM_ERR_MEMORY (not raised) or a trap: nothing has changed. */
tsm_status tsm_dict_rehash(struct tsm_context *ctx, tsm_dict *d, const int64_t *given);
/* Makes a live entry the last or the first one. */
tsm_status tsm_dict_move(struct tsm_context *ctx, tsm_dict *d, tsm_dict_entry *e, bool is_last);
/* The last live entry, with holes behind it given back; NULL if there is none. */
tsm_dict_entry *tsm_dict_last(tsm_dict *d);
void tsm_dict_empty(tsm_dict *d);
/* The next live entry at or after *position, which moves past it; NULL at the end. */
tsm_dict_entry *tsm_dict_walk(const tsm_dict *d, int64_t *position);
/* The same, which pays for the holes of removed entries that it passes; NULL also where that fails. */
tsm_dict_entry *tsm_dict_pass(struct tsm_context *ctx, const tsm_dict *d, int64_t *position);

/* ---- tuple: always tagged, so that it needs no type */
typedef struct tsm_tuple { tsm_object head; int64_t length; tsm_pair items[]; } tsm_tuple;
tsm_tuple *tsm_tuple_make(tsm_heap *heap, int64_t length, const tsm_type *type); /* items are None */
/* A new tuple, or NULL, as a Size if the other is one. */
static inline void tsm_tuple_mark_like(tsm_tuple *t, const tsm_tuple *like) {
  if (t) t->head.flags |= like->head.flags & TSM_OBJ_SIZE;
}

/* ---- class instance: slots in the order of type->record: references, pairs, scalars */
typedef struct tsm_instance_object { tsm_object head; tsm_slot slots[]; } tsm_instance_object;
tsm_instance_object *tsm_instance_object_make(tsm_heap *heap, const tsm_type *type);

/* ---- exception: its class, the message that str(e) gives, its arguments and the attributes of a user's class.
 * The class is a name as Python's ("ValueError"); a user's class is followed by its bases up to a builtin one,
 * "Mine<Base<ValueError", and by a number where two classes share their name, "Mine.1<ValueError". Arguments and
 * attributes (name, value, name, value ...) are of any type; without arguments of its own, those of an exception are its
 * message, if it has one. */
typedef struct tsm_exception {
  tsm_object head;
  tsm_str *name, *message;
  tsm_tuple *args, *fields; /* NULL: none of its own */
} tsm_exception;
tsm_exception *tsm_exception_make(tsm_heap *heap, tsm_str *name, tsm_str *message); /* takes over both */
/* Length of the class's own name, as type(e).__name__. */
size_t tsm_exception_name_length(const char *name);
/* Whether the class that `name` describes is KeyError or derives from it: its text is the repr of its argument. */
bool tsm_exception_is_key(const char *name);

/* ---- cell: a variable shared by closures and handlers */
typedef struct tsm_cell { tsm_object head; tsm_slot slots[2]; } tsm_cell;
/* Empty: head.layout is the layout of what it will hold, head.layout2 is 1 once it holds something. */
tsm_cell *tsm_cell_make(tsm_heap *heap, tsm_layout layout, const tsm_type *type);

/* ---- conversions between slots, pairs and API values */
/* The tag of a value of this type that is stored untagged: `type` gives kind and enum number. */
uint64_t tsm_type_tag(const tsm_type *type);
tsm_pair tsm_pair_from_slot(const tsm_type *type, const tsm_slot *slot);   /* adds no count */
tsm_pair tsm_pair_from_layout(tsm_layout layout, const tsm_type *type, const tsm_slot *slot);
/* The pair as a slot of this layout (two for PAIR); adds no count. The pair must fit. */
void tsm_pair_to_slot(tsm_layout layout, tsm_pair pair, tsm_slot *out_slot);
/* Adds or gives back the count that a slot of this layout holds. */
void tsm_slot_ref(tsm_layout layout, const tsm_slot *slot);
void tsm_slot_unref(tsm_layout layout, const tsm_slot *slot);
/* Element, key and value types of a container's own type; NULL when the host made it. */
const tsm_type *tsm_object_member_type(const tsm_object *o, size_t index);
/* Element `index` of a list as a pair; adds no count. */
tsm_pair tsm_list_peek(const tsm_list *l, int64_t index);
/* Value for the host, with a count of its own. Immortal objects are copied: a host's value may outlive its program. */
tsm_status tsm_pair_export(tsm_runtime *rt, tsm_pair pair, tsm_value *out_value);

/* Deepest nesting of containers that equality, order, hash and text follow. */
enum { TSM_VALUE_DEPTH = 200 };

/* ---- equality, order, hash, text: as Python's, over any values (values.c) */
typedef enum tsm_order { TSM_LESS = -1, TSM_EQUAL = 0, TSM_GREATER = 1, TSM_UNORDERED = 2 } tsm_order;
/* Both fail (through ctx) only for tensors inside containers, for depth and when a trap ends them. */
tsm_status tsm_pair_equal(tsm_context *ctx, tsm_pair a, tsm_pair b, bool *out_equal);
tsm_status tsm_pair_compare(tsm_context *ctx, tsm_pair a, tsm_pair b, tsm_order *out_order);
/* The same for `a op b` ("<" "<=" ">" ">="), which a TypeError names; tsm_pair_compare names "<". */
tsm_status tsm_pair_compare_as(tsm_context *ctx, tsm_pair a, tsm_pair b, const char *op, tsm_order *out_order);
/* What makes a tuple, or an instance that is a key, equal to another: its items, or its first attributes. A part has no
 * count of its own. */
int64_t tsm_key_part_count(const tsm_object *o);
tsm_pair tsm_key_part(const tsm_object *o, int64_t i);
/* Equality of hashable values. */
bool tsm_key_equal(tsm_context *ctx, tsm_pair a, tsm_pair b);
bool tsm_pair_is_hashable(tsm_context *ctx, tsm_pair p);
bool tsm_pair_is_plain(tsm_context *ctx, tsm_pair p);  /* hashable, and without an instance, so that no cycle can lead through it */
uint64_t tsm_pair_hash(tsm_context *ctx, tsm_pair p);  /* equal numbers of any kind hash alike */
uint64_t tsm_hash_of_hashes(const int64_t *hashes, int64_t count);  /* that of a tuple whose items have these */
/* Exact comparison of an int with a float, as Python's. */
tsm_order tsm_int_float_compare(int64_t i, double f);

/* A growing text. After a failed append `failed` is true and later appends do nothing. */
typedef struct tsm_text {
  tsm_runtime *rt;
  char *bytes;
  size_t length, capacity;
  bool failed;
  bool is_too_deep;      /* a value was nested deeper than TSM_VALUE_DEPTH: RecursionError; `failed` is set too */
  bool lacks_tables;     /* a repr asked about a character that this build has no facts of; `failed` is set too */
  tsm_context *ctx;      /* may be set by the user: repr charges its fuel, `failed` when that ends */
  const tsm_heap *heap;  /* may be set by the user: its types name enum members */
} tsm_text;
void tsm_text_init(tsm_text *t, tsm_runtime *rt);
void tsm_text_free(tsm_text *t);
/* Raises what made a text fail: RecursionError, a trap, or out of memory. Returns the status. */
tsm_noted tsm_text_raise(tsm_context *ctx, const tsm_text *t);
void tsm_text_add(tsm_text *t, const char *bytes, size_t length);
/* The same with another text: one that failed makes this one fail. */
void tsm_text_append(tsm_text *t, const tsm_text *part);
void tsm_text_format(tsm_text *t, const char *format, ...) TSM_PRINTF(2, 3);  /* no %f: locale */
void tsm_text_repr(tsm_text *t, tsm_pair p);  /* repr(x) */
void tsm_text_str(tsm_text *t, tsm_pair p);   /* str(x) */
/* str() of an exception of the class with these arguments */
void tsm_text_args(tsm_text *t, const char *name, tsm_tuple *args);
void tsm_text_type_name(tsm_text *t, tsm_pair p);  /* type(x).__name__ */

#endif
