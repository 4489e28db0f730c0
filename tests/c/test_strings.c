/* Text: UTF-8 validity, indexing by code point, repr, error texts cut at characters, CRC-32C. */
#include "base/base.h"
#include "host.h"
#include "object/object.h"

static bool is_valid(const char *bytes, size_t length) { return tsm_utf8_valid(bytes, length, NULL) == length; }

static void test_utf8(void) {
  CHECK(is_valid("", 0));
  CHECK(is_valid("a\0b", 3));
  CHECK(is_valid("\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e", 9));
  CHECK(is_valid("\xf4\x8f\xbf\xbf", 4));
  CHECK(!is_valid("\xf4\x90\x80\x80", 4)); /* above U+10FFFF */
  CHECK(!is_valid("\xed\xa0\x80", 3));     /* surrogate */
  CHECK(!is_valid("\xc0\x80", 2));         /* overlong */
  CHECK(!is_valid("\xe0\x80\x80", 3));
  CHECK(!is_valid("\xf0\x80\x80\x80", 4));
  CHECK(!is_valid("\x80", 1));
  CHECK(!is_valid("\xe2\x82", 2));
  CHECK(!is_valid("\xff", 1));
  size_t chars;
  CHECK(tsm_utf8_valid("a\xc3\xa9\xff", 4, &chars) == 3 && chars == 2);
}

static void test_index(tsm_runtime *rt) {
  char bytes[3 * 500];
  for (size_t i = 0; i < 500; i++) memcpy(bytes + 3 * i, "\xe2\x82\xac", 3);
  tsm_str *s = tsm_str_new(rt->shared, bytes, sizeof bytes);
  CHECK(s->chars == 500);
  for (size_t i = 0; i <= 500; i++) CHECK(tsm_str_offset(NULL, s, i) == 3 * i);
  tsm_unref(&s->head);
  s = tsm_str_new(rt->shared, "plain", 5);
  CHECK(s->chars == 5 && tsm_str_offset(NULL, s, 3) == 3 && tsm_str_offset(NULL, s, 5) == 5);
  CHECK(tsm_str_hash(NULL, s) == tsm_hash_bytes(NULL, "plain", 5));
  tsm_unref(&s->head);
}

/* A text that grows in its block: hash, index and characters follow, and all memory comes back. */
static void test_append(tsm_runtime *rt) {
  uint64_t before = tsm_runtime_memory(rt);
  tsm_str *s = tsm_str_new(rt->shared, "\xc3\xa9", 2), *tail = tsm_str_new(rt->shared, "a\xe2\x82\xac", 4);
  for (uint32_t i = 1; i <= 2000; i++) {
    if (i % 97 == 0) CHECK(tsm_str_offset(NULL, s, s->chars - 1) == s->length - 3 && tsm_str_hash(NULL, s) != 0);
    uint64_t hash = s->hash;
    s = tsm_str_append(s, tail);
    CHECK(s && s->length == 2 + 4 * i && s->chars == 1 + 2 * i && !s->bytes[s->length] && s->index == NULL);
    CHECK(tsm_str_block(s) >= sizeof *s + s->length + 1 && tsm_str_block(s) <= 2 * (sizeof *s + s->length + 1));
    CHECK(!hash || tsm_str_hash(NULL, s) == tsm_hash_bytes(NULL, s->bytes, s->length));
  }
  tsm_unref(&tail->head);
  tsm_unref(&s->head);
  CHECK(tsm_runtime_memory(rt) <= before + 65536);
}

static void test_host_text(tsm_runtime *rt) {
  tsm_value v;
  size_t length;
  CHECK(tsm_str_copy(rt, "\xed\xa0\x80", 3, &v) == TSM_ERR_ARGUMENT && v.kind == TSM_NONE);
  CHECK(tsm_str_copy(rt, "a\0b", 3, &v) == TSM_OK);
  CHECK(memcmp(tsm_str_borrow(v, &length), "a\0b", 4) == 0 && length == 3);
  CHECK(has_repr(rt, v, "'a\\x00b'"));
  CHECK(tsm_bytes_borrow(v, &length) == NULL && length == 0);
  tsm_release(v);
  v = text_value(rt, "it's\n\x7f\xc2\x80\xc3\xa9");
  CHECK(has_repr(rt, v, "\"it's\\n\\x7f\\x80\xc3\xa9\""));
  tsm_release(v);
  CHECK(tsm_bytes_copy(rt, "\0'\xff", 3, &v) == TSM_OK);
  CHECK(has_repr(rt, v, "b\"\\x00'\\xff\""));
  tsm_release(v);
  CHECK(tsm_complex_new(rt, -0.0, 2, &v) == TSM_OK && has_repr(rt, v, "(-0+2j)"));
  tsm_release(v);
  CHECK(has_repr(rt, tsm_dtype_value(TSM_F32), "tsm.float32"));
}

static void test_fit(void) {
  char out[6];
  tsm_text_fit(out, sizeof out, "abcdefgh", 8);
  CHECK_TEXT(out, "abcde");
  tsm_text_fit(out, sizeof out, "abc\xe2\x82\xac", 6);
  CHECK_TEXT(out, "abc");
  tsm_error error;
  char text[3000];
  for (size_t i = 0; i < sizeof text - 1; i++) text[i] = "\xe2\x82\xac"[i % 3];
  text[sizeof text - 1] = 0;
  CHECK(tsm_error_set(&error, TSM_ERR_IO, "%s", text) == TSM_ERR_IO);
  CHECK(strlen(error.message) == 1023 && is_valid(error.message, 1023));
  CHECK(tsm_error_set(NULL, TSM_ERR_IO, "nobody listens") == TSM_ERR_IO);
}

static void test_crc(void) {
  CHECK(tsm_crc32c(0, "123456789", 9) == 0xE3069283u);
  CHECK(tsm_crc32c(0, "", 0) == 0);
  char zeros[32] = {0};
  CHECK(tsm_crc32c(0, zeros, 32) == 0x8A9136AAu);
  CHECK(tsm_crc32c(tsm_crc32c(0, "12345", 5), "6789", 4) == 0xE3069283u);
  char bytes[1003]; /* long enough for the processor's instruction, where it has one */
  uint32_t whole = 0;
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i * 37 % 101);
  for (size_t i = 0; i < sizeof bytes; i++) whole = tsm_crc32c(whole, bytes + i, 1);
  CHECK(tsm_crc32c(0, bytes, sizeof bytes) == whole && tsm_crc32c(0, bytes + 3, 1000) != whole);
}

int main(void) {
  counting memory;
  tsm_error error;
  tsm_runtime *rt = counting_runtime(&memory, -1, &error);
  if (!rt) return 1;
  test_utf8();
  test_index(rt);
  test_append(rt);
  test_host_text(rt);
  test_fit();
  test_crc();
  tsm_runtime_free(rt);
  CHECK(memory.blocks == 0 && memory.bytes == 0);
  CHECK_TEXT(tsm_version(), TSM_VERSION);
  CHECK_TEXT(tsm_status_text(TSM_ERR_FUEL), "the fuel limit was reached");
  CHECK_TEXT(tsm_status_text(TSM_STATUS_COUNT), "unknown status");
  return check_done();
}
