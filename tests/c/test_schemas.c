/* Operator schemas: every row parses and spells back; malformed texts are refused. */
#include "host.h"
#include "op/op.h"

static void test_rows(tsm_runtime *rt) {
  CHECK(rt->ops->count == tsm_op_count());
  for (size_t i = 0; i < rt->ops->count; i++) {
    const tsm_op *op = &rt->ops->ops[i];
    CHECK(tsm_op_find(rt->ops, op->name, op->overload) == op);
    CHECK(op->number == i && op->kernel);
    for (size_t k = 0; k < op->schema.param_count; k++) {
      const tsm_param *p = &op->schema.params[k];
      CHECK(p->name && p->type);
      if (!p->default_text) continue;
      tsm_slot slots[2];
      CHECK(tsm_param_default(rt->shared, p, slots) == TSM_OK);
      tsm_slot_unref((tsm_layout)p->type->layout, slots);
    }
  }
  CHECK(tsm_op_find(rt->ops, "add", "nothing") == NULL);
  CHECK(tsm_op_find(rt->ops, "", "") == NULL);
}

static void test_names(void) {
  tsm_op_info info;
  CHECK(tsm_op_get(tsm_op_count(), &info) == TSM_ERR_NOT_FOUND);
  CHECK_TEXT(tsm_op_trait_name(0), "RAISES");
  CHECK(tsm_op_trait_name(TSM_TRAIT_BIT_COUNT) == NULL);
  CHECK_TEXT(tsm_node_name(0), "const");
  CHECK(tsm_node_name(10000) == NULL);
}

static const char *spell(const tsm_type *type) {
  static char text[64];
  CHECK(tsm_type_text(type, text, sizeof text) < sizeof text);
  return text;
}

static void test_details(tsm_runtime *rt) {
  const tsm_schema *s = &tsm_op_find(rt->ops, "index_put_", "")->schema;
  CHECK(s->param_count == 4 && s->required_count == 3 && s->result_count == 1);
  CHECK(s->params[0].is_written && !s->params[1].is_written);
  CHECK_TEXT(spell(s->params[1].type), "list[Optional[Tensor]]");
  s = &tsm_op_find(rt->ops, "max", "dim")->schema;
  CHECK(s->result_count == 2);
  s = &tsm_op_find(rt->ops, "dict.items", "")->schema;
  CHECK(s->result_count == 1 && s->variable_count == 2);
  CHECK_TEXT(spell(s->results[0]), "list[tuple[k, v]]");
  s = &tsm_op_find(rt->ops, "len", "tuple")->schema;
  CHECK_TEXT(spell(s->params[0].type), "tuple[t, ...]");
  s = &tsm_op_find(rt->ops, "list.append", "")->schema;
  CHECK(s->result_count == 0 && s->params[0].is_written);
  s = &tsm_op_find(rt->ops, "batch_norm", "")->schema;
  CHECK(s->params[1].is_written && s->params[1].type->layout == TSM_L_REF);
  s = &tsm_op_find(rt->ops, "conv2d", "")->schema;
  CHECK(s->params[3].fill == 2 && s->params[6].fill == 0);
  tsm_slot slot;
  CHECK(tsm_param_default(rt->shared, &s->params[3], &slot) == TSM_OK);
  const tsm_list *stride = (const tsm_list *)slot.ref;
  CHECK(stride->length == 2 && stride->as.i64[0] == 1 && stride->as.i64[1] == 1);
  tsm_unref(slot.ref);
  s = &tsm_op_find(rt->ops, "zeros", "")->schema;
  CHECK(s->params[1].is_keyword_only && s->params[1].type->layout == TSM_L_PAIR);
}

static void test_malformed(tsm_runtime *rt) {
  static const char *const texts[] = {"", "(", "()", "() -> ", "(int) -> int", "(int a -> int", "(int[ a) -> int",
                                      "(what a) -> int", "(int a) -> int int", "(int a=) -> int", "(int[2 a) -> int",
                                      "(Dict(k) d) -> k", "(int a) -> (int b", "(int a,) -> int"};
  tsm_arena arena;
  tsm_arena_init(&arena, rt);
  tsm_schema_builder builder;
  memset(&builder, 0, sizeof builder);
  builder.arena = &arena;
  tsm_schema schema;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) CHECK(!tsm_schema_parse(&builder, texts[i], &schema));
  CHECK(tsm_schema_parse(&builder, "(t[](a!) self, *, str mode='x, y)') -> ()", &schema));
  CHECK_TEXT(schema.params[1].default_text, "'x, y)'");
  tsm_arena_free(&arena);
}

int main(void) {
  counting memory;
  tsm_error error;
  tsm_runtime *rt = counting_runtime(&memory, -1, &error);
  CHECK(rt != NULL);
  if (!rt) return 1;
  test_rows(rt);
  test_names();
  test_details(rt);
  test_malformed(rt);
  tsm_runtime_free(rt);
  CHECK(memory.blocks == 0 && memory.bytes == 0);
  return check_done();
}
