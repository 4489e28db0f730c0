/* optable.c - ops.def as data.
 * In: the rows. Out: the public row list, and per runtime the table with parsed schemas and an index by name.
 * Holds: the rows are constant; a table is read-only once made. */
#include "kernels/kernels.h"

#define tsm_i_none NULL /* "none" in the infer column */

enum {
#define TRAIT_WORD(name) name = 1 << TSM_TRAIT_BIT_##name,
  TSM_TRAIT_LIST(TRAIT_WORD)
#undef TRAIT_WORD
};

/* The names of all rows in one block, an overload behind its name: a pointer to each would cost a relocation. Spellings,
 * docs and gradients are of use to the compiler only, so that binding/rows.h has them. */
#define AT_LINE_(word, line) word##_##line
#define AT_LINE(word, line) AT_LINE_(word, line)
#define FIELD(word) AT_LINE(word, __LINE__)

static const struct op_texts {
#define OP(name, overload, schema, spellings, traits, infer, kernel, grad, doc, since) \
  char FIELD(name_of)[sizeof name], FIELD(overload_of)[sizeof overload];
#include "../../ops.def"
} texts = {
#define OP(name, overload, schema, spellings, traits, infer, kernel, grad, doc, since) \
  name, overload,
#include "../../ops.def"
};

typedef struct op_row {
  uint32_t name; /* offset in texts */
  uint32_t traits;
  uint16_t since, line;
} op_row;

static const op_row rows[] = {
#define OP(name, overload, schema, spellings, traits, infer, kernel, grad, doc, since) \
  {(uint32_t)offsetof(struct op_texts, FIELD(name_of)), traits, since, __LINE__},
#include "../../ops.def"
};

/* Functions and schemas by the line of their row, as code: offsets in a jump table take a third of a relocated pointer's room. */
static tsm_infer_fn infer_at(uint16_t line) {
  switch (line) {
#define OP(name, overload, schema, spellings, traits, infer, kernel, grad, doc, since) \
  case __LINE__: return tsm_i_##infer;
#include "../../ops.def"
    default: return NULL;
  }
}

/* Half of them are those of other rows too, which the compiler keeps once. */
static const char *schema_at(uint16_t line) {
  switch (line) {
#define OP(name, overload, schema, spellings, traits, infer, kernel, grad, doc, since) \
  case __LINE__: return schema;
#include "../../ops.def"
    default: return NULL;
  }
}

static tsm_kernel_fn kernel_at(uint16_t line) {
  switch (line) {
#define OP(name, overload, schema, spellings, traits, infer, kernel, grad, doc, since) \
  case __LINE__: return tsm_k_##kernel;
#include "../../ops.def"
    default: return NULL;
  }
}

static void read_row(const op_row *r, tsm_op_info *out_info) {
  const char *text = (const char *)&texts + r->name;
  out_info->name = text;
  out_info->overload = text + strlen(text) + 1;
  out_info->schema = schema_at(r->line);
  out_info->traits = r->traits;
  out_info->since = r->since;
}

static const char node_names[][16] = {
#define NODE(name, blocks, role) name,
#include "../../ops.def"
};

static const char trait_names[][16] = {
#define TRAIT_NAME(name) #name,
  TSM_TRAIT_LIST(TRAIT_NAME)
#undef TRAIT_NAME
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

size_t tsm_op_count(void) { return ROW_COUNT; }

tsm_status tsm_op_get(size_t index, tsm_op_info *out_info) {
  if (index >= ROW_COUNT) return TSM_ERR_NOT_FOUND;
  read_row(&rows[index], out_info);
  return TSM_OK;
}

const char *tsm_op_trait_name(size_t bit) {
  return bit < sizeof trait_names / sizeof *trait_names ? trait_names[bit] : NULL;
}

const char *tsm_node_name(size_t number) {
  return number < sizeof node_names / sizeof *node_names ? node_names[number] : NULL;
}

static int compare_names(const char *name_a, const char *overload_a, const char *name_b, const char *overload_b) {
  int order = strcmp(name_a, name_b);
  return order ? order : strcmp(overload_a, overload_b);
}

/* Where a name is, or would be put, among the first `count` numbers: the first that does not come before it. */
static size_t place_of(const tsm_op *ops, const uint16_t *numbers, size_t count, const char *name,
                       const char *overload) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const tsm_op *op = &ops[numbers[middle]];
    if (compare_names(op->name, op->overload, name, overload) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Insertion sort whose places are found by halving: a comparison costs far more here than moving two bytes. */
static void sort_by_name(const tsm_op *ops, uint16_t *numbers) {
  for (size_t i = 0; i < ROW_COUNT; i++) {
    size_t place = place_of(ops, numbers, i, ops[i].name, ops[i].overload);
    memmove(&numbers[place + 1], &numbers[place], (i - place) * sizeof *numbers);
    numbers[place] = (uint16_t)i;
  }
}

/* Parameters that must not bring bfloat16 to a kernel: without STORED all tensors that are looked into, and dtypes. Where
 * a tensor is made, dtypes must be those of tensors. */
static void guard_params(tsm_op *op) {
  enum { PLAIN = 4, SLOW = 32 };
  const bool stores = op->traits & TSM_TRAIT(STORED);
  const bool makes = op->schema.result_count && op->schema.results[0]->kind == TSM_T_TENSOR;
  bool has_tensor = makes;
  bool reads = !(op->traits & TSM_TRAIT(VIEW)) && (op->traits & (TSM_TRAIT(META) | TSM_TRAIT(FRESH))) != TSM_TRAIT(META);
  for (size_t i = 0; i < op->schema.param_count; i++) {
    const tsm_type *type = op->schema.params[i].type;
    if (type->kind == TSM_T_OPTIONAL) type = type->members[0];
    has_tensor = has_tensor || type->kind == TSM_T_TENSOR;
    if ((type->kind == TSM_T_DTYPE && makes) || (type->kind == TSM_T_TENSOR && reads && !stores)) op->guarded |= 1u << i;
    if (stores || op->traits & TSM_TRAIT(VIEW)) op->takes_bfloat |= 1u << i;
  }
  op->element_cost = op->traits & TSM_TRAIT(SLOW) ? SLOW : has_tensor ? PLAIN : 1;
}

static bool fill_op(tsm_schema_builder *builder, tsm_op *op, const op_row *r, uint16_t number) {
  tsm_op_info info;
  read_row(r, &info);
  op->name = info.name;
  op->overload = info.overload;
  op->schema_text = info.schema;
  op->traits = r->traits;
  op->since = r->since;
  op->infer = infer_at(r->line);
  op->kernel = kernel_at(r->line);
  op->number = number;
  if (!tsm_schema_parse(builder, op->schema_text, &op->schema)) return false;
  guard_params(op);
  return true;
}

static bool table_fill(tsm_op_table *table, tsm_schema_builder *builder) {
  table->count = ROW_COUNT;
  table->ops = tsm_arena_alloc(&table->arena, ROW_COUNT, sizeof *table->ops);
  uint16_t *numbers = tsm_arena_alloc(&table->arena, ROW_COUNT, sizeof *numbers);
  if (!table->ops || !numbers) return false;
  for (uint16_t i = 0; i < ROW_COUNT; i++)
    if (!fill_op(builder, &table->ops[i], &rows[i], i)) return false;
  sort_by_name(table->ops, numbers);
  table->by_name = numbers;
  return true;
}

tsm_status tsm_op_table_new(tsm_runtime *rt, const tsm_op_table **out_table) {
  tsm_op_table *table = tsm_alloc_zeroed(rt, sizeof *table);
  tsm_schema_builder *builder = tsm_alloc_zeroed(rt, sizeof *builder);
  bool is_full = false;
  if (table && builder) {
    tsm_arena_init(&table->arena, rt);
    builder->arena = &table->arena;
    is_full = table_fill(table, builder);
  }
  tsm_free(rt, builder, sizeof *builder);
  if (is_full) *out_table = table;
  else if (table) tsm_op_table_free(rt, table);
  return is_full ? TSM_OK : TSM_ERR_MEMORY;
}

void tsm_op_table_free(tsm_runtime *rt, const tsm_op_table *table) {
  tsm_op_table copy = *table;
  if (copy.arena.rt) tsm_arena_free(&copy.arena);
  void *block = (void *)(uintptr_t)table;
  tsm_free(rt, block, sizeof copy);
}

const tsm_op *tsm_op_find(const tsm_op_table *table, const char *name, const char *overload) {
  size_t place = place_of(table->ops, table->by_name, table->count, name, overload);
  if (place == table->count) return NULL;
  const tsm_op *op = &table->ops[table->by_name[place]];
  return compare_names(op->name, op->overload, name, overload) ? NULL : op;
}
