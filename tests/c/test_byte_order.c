/* test_byte_order.c - loading and saving as a machine compiles them whose byte order is not the file's, on any machine: the
 * sources that know of orders are compiled here once more, as for a big-endian one. Then products without 128 bits. */
#include "../../runtime_c/include/tsm.h"
#define TSM_IS_BIG_ENDIAN 1

#include "load/host_order.c"
#define put_sv put_sv_of_state /* image.h has another */
#include "instance/encode_state.c"
#undef put_sv
#include "instance/save.c"

#include "base/modular.h"
#include "check.h"
#include "image.h"

typedef struct buffer { uint8_t bytes[65536]; size_t length; } buffer;

static bool append(void *user, const void *bytes, size_t length) {
  buffer *b = user;
  if (length > sizeof b->bytes - b->length) return false;
  memcpy(b->bytes + b->length, bytes, length);
  b->length += length;
  return true;
}

static void test_elements_turn_around(void) {
  static const uint8_t from[11] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  static const uint8_t want[4][11] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 10}, {3, 2, 1, 0, 7, 6, 5, 4, 8, 9, 10},
    {7, 6, 5, 4, 3, 2, 1, 0, 8, 9, 10},
  };
  for (size_t k = 0; k < 4; k++) {
    uint8_t room[12];
    tsm_swap_elements(room + 1, from, 11, (size_t)1 << k);
    CHECK(!memcmp(room + 1, want[k], 11));
    tsm_swap_elements(room + 1, room + 1, 11, (size_t)1 << k);
    CHECK(!memcmp(room + 1, from, 11));
  }
}

/* Bytes of the first element of an attribute, as they would be on a machine of the file's order. */
static uint32_t turned(tsm_instance *i, const char *path) {
  tsm_value v;
  uint8_t bytes[4];
  if (tsm_get_attr(i, path, &v, NULL) != TSM_OK) return 0;
  tsm_swap_elements(bytes, tsm_tensor_data(v), 4, 4);
  tsm_release(v);
  return tsm_u32_at(bytes);
}

static void save(tsm_instance *i, buffer *out) {
  tsm_error e;
  out->length = 0;
  CHECK(tsm_instance_save(i, append, out, &e) == TSM_OK);
}

/* The weights come in turned around, and go back as they were: with them, or with other things, unchanged. */
static void test_program(tsm_runtime *rt) {
  static buffer first, second;
  size_t length;
  tsm_error e;
  uint8_t *file = sample_image(&length);
  tsm_program *p = tsm_program_load_copy(rt, file, length, NULL, &e);
  tsm_instance *i = p ? tsm_instance_new(p, &e) : NULL;
  CHECK(i != NULL);
  if (!i) return;
  CHECK(p->data == p->swapped && tsm_program_verify(p, &e) == TSM_OK);
  CHECK(turned(i, "weight") == 0 && turned(i, "table.x") == 0x3F800000);
  CHECK(!memcmp(p->data + 64, "\1\2\3\4", 4)); /* of uint8 */
  save(i, &first);
  CHECK(first.length == length && !memcmp(first.bytes, file, length));
  CHECK(tsm_set_attr(i, "count", tsm_int(2), &e) == TSM_OK);
  save(i, &first);
  const tsm_section *data = tsm_program_section(p, TSM_S_DATA);
  const size_t size = (size_t)data->size;
  CHECK(first.length >= size && !memcmp(first.bytes + first.length - size, file + data->offset, size));
  tsm_instance_free(i);
  tsm_program_free(p);
  tsm_load_options options = TSM_LOAD_OPTIONS_INIT;
  options.check_weights = true;
  p = tsm_program_load_copy(rt, first.bytes, first.length, &options, &e);
  i = p ? tsm_instance_new(p, &e) : NULL;
  CHECK(i != NULL);
  if (i) save(i, &second);
  CHECK(second.length == first.length && !memcmp(second.bytes, first.bytes, first.length));
  tsm_instance_free(i);
  tsm_program_free(p);
  free(file);
}

/* Memory of two element sizes has no order. */
static void test_two_sizes_are_refused(tsm_runtime *rt) {
  static out sections[15];
  bool has[15];
  size_t length;
  tsm_error e;
  sample_sections(sections, has);
  CHECK(sections[5].bytes[10] == TSM_F32);
  sections[5].bytes[10] = TSM_U8;
  uint8_t *file = image_make(sections, has, 0, &length);
  tsm_program *p = tsm_program_load_copy(rt, file, length, NULL, &e);
  CHECK(!p && e.code == TSM_ERR_ARGUMENT && strstr(e.message, "big-endian"));
  tsm_program_free(p);
  free(file);
}

/* Two ways to multiply; and Fermat's little theorem, for a prime just below 2^63. */
static void test_products(void) {
  const uint64_t prime = INT64_MAX - 24, two63 = (uint64_t)1 << 63;
  uint64_t random = 1, power = 1, base = 3;
  for (int i = 0; i < 1000; i++) {
    random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    const uint64_t m = i % 2 ? two63 : (random >> (1 + i % 60)) + 1, a = (random ^ random << 7) % m, b = ~random % m;
    CHECK(tsm_times_mod(a, b, m) == tsm_times_mod_by_sums(a, b, m));
  }
  for (uint64_t left = prime - 1; left; left >>= 1, base = tsm_times_mod_by_sums(base, base, prime))
    if (left & 1) power = tsm_times_mod_by_sums(power, base, prime);
  CHECK(power == 1);
}

int main(void) {
  tsm_error e;
  tsm_runtime *rt = tsm_runtime_new(NULL, &e);
  test_elements_turn_around();
  test_program(rt);
  test_two_sizes_are_refused(rt);
  test_products();
  tsm_runtime_free(rt);
  return check_done();
}
