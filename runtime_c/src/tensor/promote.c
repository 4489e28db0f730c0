/* promote.c - which dtype operands of different dtypes compute in, as PyTorch 2.13 decides it.
 * In: dtypes of tensors with dimensions, of 0-d tensors, of Python numbers. Out: one dtype.
 * Holds: a group of lower rank only matters when its category (bool < int < float) is higher; a Python float brings the
 * default dtype float32, a Python int int64. */
#include "tensor.h"

/* Rows and columns in tsm_dtype order; uint8 with a signed type needs the next wider signed one, bfloat16 is the least of
 * the floats. */
static const uint8_t promoted[TSM_DTYPE_COUNT][TSM_DTYPE_COUNT] = {
    {TSM_BOOL8, TSM_U8, TSM_I8, TSM_I16, TSM_I32, TSM_I64, TSM_F32, TSM_F64, TSM_BF16},
    {TSM_U8, TSM_U8, TSM_I16, TSM_I16, TSM_I32, TSM_I64, TSM_F32, TSM_F64, TSM_BF16},
    {TSM_I8, TSM_I16, TSM_I8, TSM_I16, TSM_I32, TSM_I64, TSM_F32, TSM_F64, TSM_BF16},
    {TSM_I16, TSM_I16, TSM_I16, TSM_I16, TSM_I32, TSM_I64, TSM_F32, TSM_F64, TSM_BF16},
    {TSM_I32, TSM_I32, TSM_I32, TSM_I32, TSM_I32, TSM_I64, TSM_F32, TSM_F64, TSM_BF16},
    {TSM_I64, TSM_I64, TSM_I64, TSM_I64, TSM_I64, TSM_I64, TSM_F32, TSM_F64, TSM_BF16},
    {TSM_F32, TSM_F32, TSM_F32, TSM_F32, TSM_F32, TSM_F32, TSM_F32, TSM_F64, TSM_F32},
    {TSM_F64, TSM_F64, TSM_F64, TSM_F64, TSM_F64, TSM_F64, TSM_F64, TSM_F64, TSM_F64},
    {TSM_BF16, TSM_BF16, TSM_BF16, TSM_BF16, TSM_BF16, TSM_BF16, TSM_F32, TSM_F64, TSM_BF16},
};

uint8_t tsm_promote_types(uint8_t a, uint8_t b) { return promoted[a][b]; }

static void join(int *group, int dtype) { *group = *group < 0 ? dtype : promoted[*group][dtype]; }

void tsm_promote_tensor(tsm_promotion *p, const tsm_tensor *t) { join(t->rank ? &p->dim : &p->zero, t->dtype); }

void tsm_promote_scalar(tsm_promotion *p, tsm_pair scalar) {
  tsm_kind kind = TSM_TAG_KIND(scalar.tag);
  join(&p->wrapped, kind == TSM_FLOAT ? TSM_F32 : kind == TSM_BOOL ? TSM_BOOL8 : TSM_I64);
}

static int combined(int higher, int lower) {
  if (higher < 0) return lower;
  if (lower < 0 || tsm_dtype_is_float((unsigned)higher)) return higher;
  if (higher == TSM_BOOL8 || tsm_dtype_is_float((unsigned)lower)) return promoted[higher][lower];
  return higher;
}

uint8_t tsm_promote_result(const tsm_promotion *p) {
  int dtype = combined(p->dim, combined(p->zero, p->wrapped));
  return (uint8_t)(dtype < 0 ? TSM_F32 : dtype);
}

bool tsm_broadcast(int64_t *shape, size_t *rank, const int64_t *b, size_t b_rank) {
  if (b_rank > *rank) {
    memmove(shape + (b_rank - *rank), shape, *rank * sizeof *shape);
    for (size_t i = 0; i < b_rank - *rank; i++) shape[i] = 1;
    *rank = b_rank;
  }
  for (size_t i = 0; i < b_rank; i++) {
    int64_t *extent = &shape[*rank - b_rank + i];
    if (b[i] == *extent || b[i] == 1) continue;
    if (*extent != 1) return false;
    *extent = b[i];
  }
  return true;
}
