/* verify_op.c - whether types fit: operands against an operator's schema, a type against a wider one.
 * In: schema types with variables, types of a program. Out: yes, or a sentence saying what does not fit.
 * Holds: no recursion over a program's types, only over a schema's, which the library wrote. */
#include <stdio.h>

#include "program.h"

enum { MAX_VARIABLES = 8 };

typedef struct bindings { const tsm_type *of[MAX_VARIABLES]; } bindings;

static bool is_arm(const tsm_type *wide, const tsm_type *t) {
  if (wide->kind == TSM_T_SCALAR)
    return t->kind == TSM_T_BOOL || t->kind == TSM_T_INT || t->kind == TSM_T_FLOAT || t->kind == TSM_T_COMPLEX;
  if (wide->kind == TSM_T_OPTIONAL) return t == wide->members[0] || t->kind == TSM_T_NONE;
  if (wide->kind != TSM_T_UNION) return t == wide;
  for (uint32_t i = 0; i < wide->count; i++)
    if (wide->members[i] == t) return true;
  return false;
}

static bool has_kind(const tsm_type *wide, uint8_t kind) {
  if (wide->kind == TSM_T_OPTIONAL) return kind == TSM_T_NONE || wide->members[0]->kind == kind;
  for (uint32_t i = 0; wide->kind == TSM_T_UNION && i < wide->count; i++)
    if (wide->members[i]->kind == kind) return true;
  return false;
}

/* Whether all of bool, int, float and complex are arms of a Union. */
static bool has_scalars(const tsm_type *wide) {
  return has_kind(wide, TSM_T_BOOL) && has_kind(wide, TSM_T_INT) && has_kind(wide, TSM_T_FLOAT) &&
         has_kind(wide, TSM_T_COMPLEX);
}

static bool is_tuple_of(const tsm_type *t, const tsm_type *element) {
  if (t->kind != TSM_T_TUPLE || t->is_variadic) return false;
  for (uint32_t i = 0; i < t->count; i++)
    if (t->members[i] != element) return false;
  return true;
}

bool tsm_type_has_arm(const tsm_type *wide, const tsm_type *narrow) {
  if (wide == narrow) return false;
  if (wide->kind == TSM_T_ANY) return narrow->kind != TSM_T_CELL && narrow->kind != TSM_T_FUNCTION;
  if (wide->kind == TSM_T_TUPLE && wide->is_variadic) return is_tuple_of(narrow, wide->members[0]);
  if (wide->kind != TSM_T_OPTIONAL && wide->kind != TSM_T_UNION && wide->kind != TSM_T_SCALAR) return false;
  if (narrow->kind == TSM_T_SCALAR) return has_scalars(wide);
  if (narrow->kind == TSM_T_OPTIONAL) return is_arm(wide, narrow->members[0]) && has_kind(wide, TSM_T_NONE);
  if (narrow->kind != TSM_T_UNION) return is_arm(wide, narrow);
  for (uint32_t i = 0; i < narrow->count; i++)
    if (!is_arm(wide, narrow->members[i])) return false;
  return true;
}

/* Whether t is what Optional[inner] means: None, Any and what has None already stay as they are. */
static bool is_optional_of(const tsm_type *t, const tsm_type *inner) {
  if (inner->kind == TSM_T_NONE || inner->kind == TSM_T_ANY || inner->kind == TSM_T_OPTIONAL) return t == inner;
  if (inner->kind == TSM_T_SCALAR)
    return t->kind == TSM_T_UNION && t->count == 5 && has_scalars(t) && has_kind(t, TSM_T_NONE);
  if (inner->kind != TSM_T_UNION) return t->kind == TSM_T_OPTIONAL && t->members[0] == inner;
  if (has_kind(inner, TSM_T_NONE)) return t == inner;
  return t->kind == TSM_T_UNION && t->count == inner->count + 1 && has_kind(t, TSM_T_NONE) && tsm_type_has_arm(t,
                                                                                                               inner);
}

static bool unify(bindings *b, const tsm_type *schema, const tsm_type *actual) {
  if (schema->kind == TSM_T_VAR) {
    if (!b->of[schema->id]) b->of[schema->id] = actual;
    return b->of[schema->id] == actual;
  }
  if (schema->kind == TSM_T_OPTIONAL) {
    const tsm_type *inner = schema->members[0];
    if (inner->kind == TSM_T_SCALAR) return is_optional_of(actual, inner);
    if (inner->kind == TSM_T_VAR && b->of[inner->id]) return is_optional_of(actual, b->of[inner->id]);
  }
  if (schema->kind != actual->kind || schema->count != actual->count || schema->is_variadic != actual->is_variadic)
    return false;
  for (uint32_t i = 0; i < schema->count; i++)
    if (!unify(b, schema->members[i], actual->members[i])) return false;
  return true;
}

static bool explain(char *out_why, size_t capacity, const char *what, const tsm_type *expected,
                    const tsm_type *actual) {
  char have[96], want[96];
  tsm_type_text(actual, have, sizeof have);
  tsm_type_text(expected, want, sizeof want);
  snprintf(out_why, capacity, "%s is %s instead of %s", what, have, want);
  return false;
}

bool tsm_schema_fits(const tsm_schema *schema, const tsm_type *const *operands, uint32_t operand_count,
                     const tsm_type *const *results, uint32_t result_count, char *out_why, size_t why_capacity) {
  bindings b;
  memset(&b, 0, sizeof b);
  if (operand_count > schema->param_count || result_count != schema->result_count) {
    snprintf(out_why, why_capacity, "%u operands and %u results instead of %u and %u", operand_count, result_count,
             schema->param_count, schema->result_count);
    return false;
  }
  for (uint32_t i = 0; i < operand_count; i++)
    if (!unify(&b, schema->params[i].type, operands[i]))
      return explain(out_why, why_capacity, schema->params[i].name, schema->params[i].type, operands[i]);
  for (uint32_t i = operand_count; i < schema->param_count; i++)
    if (!schema->params[i].default_text) {
      snprintf(out_why, why_capacity, "operand %s is missing", schema->params[i].name);
      return false;
    }
  for (uint32_t i = 0; i < result_count; i++)
    if (!unify(&b, schema->results[i], results[i]))
      return explain(out_why, why_capacity, "the result", schema->results[i], results[i]);
  return true;
}
