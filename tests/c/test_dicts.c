/* Dicts of the host: order, replacement, removal while holes collect, equal keys of different kinds; entries whose hashes
 * scripts gave. */
#include "host.h"
#include "object/object.h"

static void set(tsm_value dict, tsm_value key, int64_t value) {
  CHECK(tsm_dict_set(dict, key, tsm_int(value)) == TSM_OK);
  tsm_release(key);
}

static void test_order(tsm_runtime *rt) {
  tsm_value d, got;
  CHECK(tsm_dict_new(rt, TSM_STR, TSM_INT, &d) == TSM_OK);
  set(d, text_value(rt, "one"), 1);
  set(d, text_value(rt, "two"), 2);
  set(d, text_value(rt, "three"), 3);
  set(d, text_value(rt, "one"), 10);
  CHECK(has_repr(rt, d, "{'one': 10, 'two': 2, 'three': 3}"));
  tsm_value key = text_value(rt, "two");
  CHECK(tsm_dict_remove(d, key) == TSM_OK);
  CHECK(tsm_dict_remove(d, key) == TSM_ERR_NOT_FOUND);
  CHECK(tsm_dict_get(d, key, &got) == TSM_ERR_NOT_FOUND);
  set(d, key, 20);
  CHECK(has_repr(rt, d, "{'one': 10, 'three': 3, 'two': 20}"));
  CHECK(tsm_dict_length(d) == 3);
  CHECK(tsm_dict_set(d, tsm_int(1), tsm_int(1)) == TSM_ERR_ARGUMENT);
  tsm_dict_clear(d);
  CHECK(tsm_dict_length(d) == 0 && has_repr(rt, d, "{}"));
  tsm_release(d);
}

static void test_equal_numbers(tsm_runtime *rt) {
  tsm_value d, got;
  CHECK(tsm_dict_new(rt, TSM_ANY, TSM_INT, &d) == TSM_OK);
  set(d, tsm_int(1), 1);
  set(d, tsm_float(1.0), 2);
  set(d, tsm_bool(true), 3);
  set(d, tsm_float(0x1p61), 4);
  set(d, tsm_int(INT64_C(1) << 61), 5);
  CHECK(has_repr(rt, d, "{1: 3, 2.305843009213694e+18: 5}"));
  CHECK(tsm_dict_get(d, tsm_none(), &got) == TSM_ERR_NOT_FOUND);
  set(d, tsm_none(), 6);
  CHECK(tsm_dict_get(d, tsm_none(), &got) == TSM_OK && got.as.i == 6);
  tsm_value list;
  CHECK(tsm_list_new(rt, TSM_INT, 0, &list) == TSM_OK);
  CHECK(tsm_dict_set(d, list, tsm_int(1)) == TSM_ERR_ARGUMENT); /* not hashable */
  tsm_release(list);
  tsm_release(d);
}

static void test_churn(tsm_runtime *rt) {
  tsm_value d, got;
  CHECK(tsm_dict_new(rt, TSM_INT, TSM_INT, &d) == TSM_OK);
  for (int64_t i = 0; i < 20000; i++) {
    CHECK(tsm_dict_set(d, tsm_int(i), tsm_int(i * i)) == TSM_OK);
    if (i >= 10) CHECK(tsm_dict_remove(d, tsm_int(i - 10)) == TSM_OK);
  }
  CHECK(tsm_dict_length(d) == 10);
  size_t position = 0, seen = 0;
  tsm_value key, value;
  while (tsm_dict_next(d, &position, &key, &value)) {
    CHECK(key.as.i == 19990 + (int64_t)seen && value.as.i == key.as.i * key.as.i);
    seen++;
  }
  CHECK(seen == 10);
  for (int64_t i = 0; i < 10000; i++) CHECK(tsm_dict_set(d, tsm_int(i), tsm_int(-i)) == TSM_OK);
  for (int64_t i = 0; i < 10000; i++) CHECK(tsm_dict_get(d, tsm_int(i), &got) == TSM_OK && got.as.i == -i);
  tsm_release(d);
}

static void test_tuple_keys(tsm_runtime *rt) {
  tsm_value d, got, parts[2] = {tsm_int(1), text_value(rt, "a")}, key, same;
  CHECK(tsm_tuple_new(rt, 2, parts, &key) == TSM_OK);
  parts[0] = tsm_float(1.0);
  CHECK(tsm_tuple_new(rt, 2, parts, &same) == TSM_OK);
  CHECK(tsm_dict_new(rt, TSM_TUPLE, TSM_STR, &d) == TSM_OK);
  CHECK(tsm_dict_set(d, key, parts[1]) == TSM_OK);
  CHECK(tsm_dict_get(d, same, &got) == TSM_OK && has_repr(rt, got, "'a'"));
  tsm_release(got);
  tsm_release(parts[1]);
  tsm_release(key);
  tsm_release(same);
  tsm_release(d);
}

/* Scripts gave the entries hashes: the host finds them as before, and one more entry brings back the hashes of its own. */
static void test_given_hashes(tsm_runtime *rt) {
  const int64_t given[3] = {7, 5, 7};
  tsm_value dict, got;
  CHECK(tsm_dict_new(rt, TSM_INT, TSM_INT, &dict) == TSM_OK);
  tsm_dict *d = (tsm_dict *)dict.as.ref;
  tsm_dict_rehash(NULL, d, given); /* nothing to do */
  for (int64_t i = 0; i < 3; i++) CHECK(tsm_dict_set(dict, tsm_int(i), tsm_int(i * i)) == TSM_OK);
  CHECK(!(d->head.flags & TSM_OBJ_HASHED));
  tsm_dict_rehash(NULL, d, given);
  CHECK(tsm_dict_probe(NULL, d, 7, -1) == 0 && tsm_dict_probe(NULL, d, 7, 0) == 2 && tsm_dict_probe(NULL, d, 7, 2) == -1);
  CHECK(tsm_dict_probe(NULL, d, 5, -1) == 1 && tsm_dict_probe(NULL, d, 6, -1) == -1 && tsm_dict_probe(NULL, d, 7, 100) == 0);
  CHECK(tsm_dict_set(dict, tsm_int(1), tsm_int(-1)) == TSM_OK && (d->head.flags & TSM_OBJ_HASHED));
  CHECK(tsm_dict_get(dict, tsm_int(2), &got) == TSM_OK && got.as.i == 4);
  CHECK(tsm_dict_get(dict, tsm_int(9), &got) == TSM_ERR_NOT_FOUND);
  CHECK(tsm_dict_set(dict, tsm_int(9), tsm_int(81)) == TSM_OK && !(d->head.flags & TSM_OBJ_HASHED));
  CHECK(tsm_dict_get(dict, tsm_int(0), &got) == TSM_OK && got.as.i == 0);
  CHECK(tsm_dict_get(dict, tsm_int(1), &got) == TSM_OK && got.as.i == -1);
  CHECK(tsm_dict_get(dict, tsm_int(2), &got) == TSM_OK && got.as.i == 4);
  CHECK(has_repr(rt, dict, "{0: 0, 1: -1, 2: 4, 9: 81}"));
  tsm_dict_rehash(NULL, d, (const int64_t[]){1, 1, 1, 1});
  CHECK(tsm_dict_remove(dict, tsm_int(1)) == TSM_OK && tsm_dict_probe(NULL, d, 1, 0) == 2 && tsm_dict_probe(NULL, d, 1, 1) == 0);
  tsm_release(dict);
}

int main(void) {
  counting memory;
  tsm_error error;
  tsm_runtime *rt = counting_runtime(&memory, -1, &error);
  if (!rt) return 1;
  test_order(rt);
  test_equal_numbers(rt);
  test_churn(rt);
  test_tuple_keys(rt);
  test_given_hashes(rt);
  tsm_runtime_free(rt);
  CHECK(memory.blocks == 0 && memory.bytes == 0);
  return check_done();
}
