/* test_save.c - saving an instance: byte-identical when nothing changed, and loadable when something did. */
#include "check.h"
#include "image.h"

typedef struct buffer { uint8_t *bytes; size_t length, capacity; } buffer;

static bool append(void *user, const void *bytes, size_t length) {
  buffer *b = user;
  if (length > b->capacity - b->length) return false;
  memcpy(b->bytes + b->length, bytes, length);
  b->length += length;
  return true;
}

static buffer saved(tsm_instance *i) {
  buffer b = {malloc(65536), 0, 65536};
  tsm_error e;
  CHECK(tsm_instance_save(i, append, &b, &e) == TSM_OK);
  return b;
}

static tsm_instance *open_instance(tsm_runtime *rt, const uint8_t *bytes, size_t length) {
  tsm_error e;
  tsm_load_options options = TSM_LOAD_OPTIONS_INIT;
  options.check_weights = true;
  tsm_program *p = tsm_program_load_copy(rt, bytes, length, &options, &e);
  CHECK(p != NULL);
  if (!p) fprintf(stderr, "%s\n", e.message);
  tsm_instance *i = p ? tsm_instance_new(p, &e) : NULL;
  tsm_program_free(p);
  return i;
}

static void change(tsm_runtime *rt, tsm_instance *i) {
  tsm_value weight, text;
  CHECK(tsm_get_attr(i, "weight", &weight, NULL) == TSM_OK);
  float *data = tsm_tensor_data_mut(weight);
  if (data) data[1] = 7.5f;
  tsm_release(weight);
  CHECK(tsm_set_attr(i, "count", tsm_int(-3), NULL) == TSM_OK);
  CHECK(tsm_set_attr(i, "items.1", tsm_int(1000), NULL) == TSM_OK);
  CHECK(tsm_str_copy(rt, "a new text", 10, &text) == TSM_OK);
  CHECK(tsm_set_attr(i, "any", text, NULL) == TSM_OK);
  tsm_release(text);
}

static void check_changed(tsm_instance *i) {
  tsm_value v, column;
  float first;
  size_t length;
  CHECK(tsm_get_attr(i, "count", &v, NULL) == TSM_OK && v.as.i == -3);
  CHECK(tsm_get_attr(i, "me.items.1", &v, NULL) == TSM_OK && v.as.i == 1000);
  CHECK(tsm_get_attr(i, "any", &v, NULL) == TSM_OK && v.kind == TSM_STR);
  CHECK(strcmp(tsm_str_borrow(v, &length), "a new text") == 0);
  tsm_release(v);
  CHECK(tsm_get_attr(i, "table.x", &column, NULL) == TSM_OK);
  memcpy(&first, tsm_tensor_data(column), sizeof first);
  CHECK(first == 7.5f && tsm_get_attr(i, "tied", &v, NULL) == TSM_OK);
  CHECK(tsm_tensor_storage(v, NULL) == tsm_tensor_storage(column, NULL));
  tsm_release(v);
  tsm_release(column);
}

static void test_round_trips(tsm_runtime *rt, const uint8_t *file, size_t length) {
  tsm_instance *i = open_instance(rt, file, length);
  if (!i) return;
  buffer same = saved(i);
  CHECK(same.length == length && memcmp(same.bytes, file, length) == 0);
  change(rt, i);
  buffer changed = saved(i);
  tsm_instance *copy = tsm_instance_clone(i, NULL);
  buffer of_copy = saved(copy);
  CHECK(of_copy.length == changed.length && memcmp(of_copy.bytes, changed.bytes, changed.length) == 0);
  tsm_instance *again = open_instance(rt, changed.bytes, changed.length);
  if (again) {
    check_changed(again);
    buffer second = saved(again);
    CHECK(second.length == changed.length && memcmp(second.bytes, changed.bytes, changed.length) == 0);
    free(second.bytes);
  }
  buffer small = {NULL, 0, 0};
  tsm_error e;
  CHECK(tsm_instance_save(i, append, &small, &e) == TSM_ERR_IO && e.message[0]);
  tsm_instance_free(again);
  tsm_instance_free(copy);
  tsm_instance_free(i);
  free(same.bytes);
  free(changed.bytes);
  free(of_copy.bytes);
}

int main(void) {
  size_t length;
  uint8_t *file = sample_image(&length);
  tsm_runtime *rt = tsm_runtime_new(NULL, NULL);
  uint64_t before = tsm_runtime_memory(rt);
  test_round_trips(rt, file, length);
  CHECK(tsm_runtime_memory(rt) == before);
  tsm_runtime_free(rt);
  free(file);
  return check_done();
}
