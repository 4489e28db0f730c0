/* image.h - writes small .tsm files by hand, section by section, for the tests of the loader.
 * In: primitives of FORMAT.md. Out: bytes with right sizes, padding and checksums, 64-byte aligned. */
#ifndef TSM_TEST_IMAGE_H
#define TSM_TEST_IMAGE_H

#include <stdlib.h>

#include "load/program.h"

typedef struct out { uint8_t bytes[2048]; size_t length; } out;

static inline void put_u8(out *o, unsigned v) { o->bytes[o->length++] = (uint8_t)v; }
static inline void put_uv(out *o, uint64_t v) {
  for (; v > 127; v >>= 7) put_u8(o, (unsigned)(v & 127) | 128u);
  put_u8(o, (unsigned)v);
}
static inline void put_sv(out *o, int64_t v) { put_uv(o, ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0)); }
static inline void put_text(out *o, const char *s) {
  put_uv(o, strlen(s));
  while (*s) put_u8(o, (unsigned char)*s++);
}
/* Numbers below 128, one byte each. */
static inline void put_list(out *o, const int *values, size_t count) {
  for (size_t i = 0; i < count; i++) put_uv(o, (uint64_t)values[i]);
}
#define PUT(o, ...) put_list(o, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static inline void store(uint8_t *p, uint64_t v, int bytes) {
  for (int i = 0; i < bytes; i++) p[i] = (uint8_t)(v >> (8 * i));
}

/* Recomputes the checksums of sections, header and table. */
static inline void image_seal(uint8_t *file) {
  uint32_t count = file[32];
  for (uint32_t i = 0; i < count; i++) {
    uint8_t *entry = file + 64 + 32 * i;
    uint64_t offset = 0, size = 0;
    for (int b = 7; b >= 0; b--) offset = offset << 8 | entry[8 + b], size = size << 8 | entry[16 + b];
    store(entry + 24, tsm_crc32c(0, file + offset, (size_t)size), 4);
  }
  store(file + 36, 0, 4);
  store(file + 36, tsm_crc32c(0, file, 64 + 32 * (size_t)count), 4);
}

/* The file of sections 1 .. 14 (those with `has` set), to be freed with free(). */
static inline uint8_t *image_make(const out *sections, const bool *has, uint64_t features, size_t *out_length) {
  static const uint8_t magic[8] = {0x89, 'T', 'S', 'M', 0x0D, 0x0A, 0x1A, 0x0A};
  size_t count = 0, end;
  for (int k = 1; k <= 14; k++) count += has[k];
  uint8_t *file = aligned_alloc(64, 65536);
  memset(file, 0, 65536);
  memcpy(file, magic, 8);
  store(file + 8, 1, 2);
  store(file + 16, features, 8);
  store(file + 32, count, 4);
  end = 64 + 32 * count;
  uint8_t *entry = file + 64;
  for (int k = 1; k <= 14; k++) {
    if (!has[k]) continue;
    size_t start = (end + 63) / 64 * 64;
    store(entry, (uint64_t)k, 4);
    store(entry + 4, (k >= 2 && k <= 10) || k == 14, 4);
    store(entry + 8, start, 8);
    store(entry + 16, sections[k].length, 8);
    memcpy(file + start, sections[k].bytes, sections[k].length);
    end = start + sections[k].length;
    entry += 32;
  }
  store(file + 24, end, 8);
  image_seal(file);
  *out_length = end;
  return file;
}

/* A module Net with a tied weight, a view of it, containers, a cycle and a loop that counts. */
enum { STR_NET, STR_FORWARD, STR_SELF, STR_X, STR_K, STR_WEIGHT, STR_TIED, STR_COUNT, STR_ITEMS, STR_TABLE, STR_ME,
       STR_ANY, STR_HELLO, STR_EMPTY, STR_FILE, STR_UNSET };
enum { TY_NONE, TY_INT, TY_BOOL, TY_STR, TY_TENSOR, TY_REFINED, TY_LIST, TY_DICT, TY_NET, TY_OPT_NET, TY_ANY, TY_TUPLE,
       TY_OPT_INT };

static inline void sample_sections(out *s, bool *has) {
  static const char *const strings[] = {"pkg.Net", "forward", "self", "x", "k", "weight", "tied", "count", "items",
                                        "table",
                                        "me", "any", "hello", "", "net.py", "unset"};
  memset(s, 0, 15 * sizeof *s);
  for (int k = 1; k <= 14; k++) has[k] = true;
  PUT(&s[1], 1);
  put_text(&s[1], "author");
  put_text(&s[1], "me");
  PUT(&s[2], 16);
  for (int i = 0; i < 16; i++) put_text(&s[2], strings[i]);
  PUT(&s[3], 13, 0, 2, 1, 5, 7);
  put_u8(&s[3], 255);
  put_u8(&s[3], 255);
  PUT(&s[3], 7, 6, 2, 3, 0);                        /* Tensor[float32, (2, ?)] */
  PUT(&s[3], 8, TY_INT, 9, TY_STR, TY_REFINED);     /* list[int], dict[str, Tensor] */
  PUT(&s[3], 18, STR_NET, 1, 8, STR_WEIGHT, TY_TENSOR, STR_TIED, TY_REFINED, STR_COUNT, TY_INT, STR_ITEMS, TY_LIST,
      STR_TABLE, TY_DICT, STR_ME, TY_OPT_NET, STR_ANY, TY_ANY, STR_UNSET, TY_OPT_INT);
  PUT(&s[3], 13, TY_NET, 16, 11, 0, 2, TY_INT, TY_ANY, 13, TY_INT);
  PUT(&s[4], 2, 0, 0, 24, 0, 64, 4);
  /* 2 x 3 float32 row-major; its column 1; four bytes as uint8 */
  PUT(&s[5], 3, 0, 6, 2, 2, 3, 6, 2, 0, 0, 6, 1, 2, 6, 1, 1, 1, 1, 4, 2, 0);
  PUT(&s[6], 3, TY_INT, 2, TY_INT, 6, TY_TENSOR, 2); /* 1, 3, tensor 2 */
  PUT(&s[7], 2);
  put_text(&s[7], "add");
  put_text(&s[7], "int");
  PUT(&s[7], 1);
  put_text(&s[7], "lt");
  put_text(&s[7], "int");
  PUT(&s[7], 1);
  /* forward(self, x, k): i = 1; loop: if i < k: i = i + 1, continue, else break i; return i */
  out body;
  memset(&body, 0, sizeof body);
  PUT(&body, 0, 3, 0, 0, 0, 1, TY_INT);                      /* value 3 = const 1 */
  PUT(&body, 3, 1, 3, 1, TY_INT, 3);                         /* loop (4 = 3), three nodes */
  PUT(&body, 33, 2, 4, 2, 1, TY_BOOL);                       /* 5 = lt 4, 2 */
  PUT(&body, 2, 1, 5, 0, 2, 32, 2, 4, 3, 1, TY_INT, 8, 1, 6, 0); /* if 5: 6 = add 4, 3; continue 6 */
  PUT(&body, 0, 1, 7, 1, 4, 0, 0);                           /* else: break 4; the if has no results */
  PUT(&body, 11, 0, 1, TY_INT, 9, 1, 7);                     /* unreachable; 7 = the loop's; return 7 */
  PUT(&s[8], 1, STR_FORWARD, 1, 3, STR_SELF, TY_NET, STR_X, TY_REFINED, STR_K, TY_INT, TY_INT, (int)body.length);
  memcpy(s[8].bytes + s[8].length, body.bytes, body.length);
  s[8].length += body.length;
  PUT(&s[9], 3, TY_NET, 1, 0, 1, 0, 1, 14, 1, 1, 1, 2, 1, 1, 0, 1, TY_TUPLE, 10, TY_STR, STR_HELLO, 0);
  PUT(&s[9], TY_LIST, 3, 2, 4, 6, TY_DICT, 2, STR_X, 1, STR_K, 0, 1);
  PUT(&s[10], 1, STR_FORWARD, 0, 1, STR_EMPTY, 2, 0, 0, 2, 0);
  PUT(&s[11], 1, STR_FILE, 0, 9, 1, 1, 2, 0, 1, 1, 1, 2, 2, 2, 0, 3, 1, 3, 9, STR_FORWARD, 0, 0, 4, 1, 4, 9,
      STR_FORWARD, 1);
  PUT(&s[12], 1);
  put_text(&s[12], "net.py");
  put_text(&s[12], "class Net: ...");
  PUT(&s[13], 1);
  put_text(&s[13], "vocab");
  put_text(&s[13], "a b c");
  for (int i = 0; i < 6; i++) {
    float f = (float)i;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    for (int k = 0; k < 4; k++) s[14].bytes[4 * i + k] = (uint8_t)(bits >> 8 * k);
  }
  memcpy(s[14].bytes + 64, "\1\2\3\4", 4);
  s[14].length = 68;
}

static inline uint8_t *sample_image(size_t *out_length) {
  static out sections[15];
  bool has[15];
  sample_sections(sections, has);
  return image_make(sections, has, 0, out_length);
}

#endif
