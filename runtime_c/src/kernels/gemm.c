/* gemm.c - matrix products as kernels call them: paid for in fuel, stopped on request.
 * In: operands of any dtype but bool and any strides. Out: C.
 * Holds: no piece runs long between two looks at fuel and cancellation; floats run in simd/gemm.h's products, integers
 * in gemm_int.c. */
#include "gemm.h"

/* Bytes of products between two looks at the cancel flag: some 10 milliseconds. */
#define SLICE_BYTES ((double)((int64_t)1 << 32))
static double slice_of(const tsm_product *x) { return SLICE_BYTES / (double)tsm_item_size(x->dtype); }

typedef struct moved { const tsm_epilogue *to; int64_t row, column; } moved;

static void run_moved(void *user, int64_t row, int64_t column, int64_t rows, int64_t columns, void *c, int64_t c_row) {
  const moved *m = user;
  m->to->run(m->to->user, m->row + row, m->column + column, rows, columns, c, c_row);
}

static const void *element(const void *data, unsigned dtype, int64_t offset) {
  return (const char *)data + offset * (int64_t)tsm_item_size(dtype);
}

/* One slice of a large product: rows i.., columns j.., depth p.. */
static tsm_status run_slice(tsm_opcall *call, const tsm_product *x, tsm_product part, int64_t i, int64_t j, int64_t p) {
  moved to = {x->epilogue, i, j};
  tsm_epilogue epilogue = {run_moved, &to};
  tsm_status status = tsm_charge(call->ctx, tsm_product_cost(part.m, part.n, part.k));
  if (status) return status;
  part.a = element(x->a, x->dtype, i * x->a_row + p * x->a_column);
  if (x->packed_b) part.packed_b = element(x->packed_b, x->dtype, j * x->k);
  else part.b = element(x->b, x->dtype, p * x->b_row + j * x->b_column);
  part.c = (void *)(uintptr_t)element(x->c, x->dtype, i * x->c_row + j);
  if (x->d) part.d = element(x->d, x->dtype, i * x->d_row + j * x->d_column);
  if (p) {
    part.d = part.c;
    part.d_row = x->c_row;
    part.d_column = 1;
  }
  part.epilogue = x->epilogue && p + part.k == x->k ? &epilogue : NULL;
  return tsm_product_run(call->ctx->rt, &part) ? TSM_OK : tsm_out_of_memory(call->ctx);
}

/* Slices are at most 2^11 columns wide, a multiple of every panel, and as high as their share of time allows. */
static tsm_status run_slices(tsm_opcall *call, const tsm_product *x) {
  const int64_t deep = x->packed_b || x->k < 1 << 18 ? x->k : 1 << 18, wide = x->n < 1 << 11 ? x->n : 1 << 11;
  const double each = (double)deep * (double)wide;
  const int64_t high = each < slice_of(x) ? (int64_t)(slice_of(x) / each) : 1;
  for (int64_t i = 0; i < x->m; i += high)
    for (int64_t j = 0; j < x->n; j += wide)
      for (int64_t p = 0; p < x->k; p += deep) {
        tsm_product part = *x;
        part.m = x->m - i < high ? x->m - i : high;
        part.n = x->n - j < wide ? x->n - j : wide;
        part.k = x->k - p < deep ? x->k - p : deep;
        tsm_status status = run_slice(call, x, part, i, j, p);
        if (status) return status;
      }
  return TSM_OK;
}

tsm_status tsm_gemm_product(tsm_opcall *call, const tsm_product *x) {
  if ((double)x->m * (double)x->n * (double)x->k > slice_of(x)) return run_slices(call, x);
  tsm_status status = tsm_charge(call->ctx, tsm_product_cost(x->m, x->n, x->k));
  if (status) return status;
  return tsm_product_run(call->ctx->rt, x) ? TSM_OK : tsm_out_of_memory(call->ctx);
}

tsm_status tsm_gemm(tsm_opcall *call, uint8_t dtype, int64_t m, int64_t n, int64_t k, tsm_matrix a, tsm_matrix b,
                    void *c, int64_t c_row, bool adds) {
  if (!m || !n) return TSM_OK;
  if (!tsm_dtype_is_float(dtype)) return tsm_gemm_int(call, dtype, m, n, k, a, b, c, c_row, adds);
  tsm_product x = {.dtype = dtype, .m = m, .n = n, .k = k, .a = a.data, .a_row = a.row, .a_column = a.column,
                   .b = b.data, .b_row = b.row, .b_column = b.column, .c = c, .c_row = c_row};
  if (adds) {
    x.d = c;
    x.d_row = c_row;
    x.d_column = 1;
  }
  return tsm_gemm_product(call, &x);
}

/* ---- Packed weights */

enum { PACK_SMALL = 2 << 20, PACK_LEAST = 1 << 12, PACK_ROWS = 5 };

/* Whether a copy is worth its memory: sums along memory need none while there are few rows, unless it is small. */
static bool pays(tsm_isa isa, const tsm_product *x) {
  const int64_t count = x->k * x->n;
  if (count < PACK_LEAST || x->n < 8 || tsm_product_is_narrow(isa, x)) return false;
  return x->b_row != 1 || x->m >= PACK_ROWS || count * (int64_t)tsm_item_size(x->dtype) <= PACK_SMALL;
}

static void pack_weight(const tsm_tensor *weight, void *user, uint8_t *out) {
  const tsm_product *x = user;
  tsm_product_pack_b(weight->storage->rt->isa, x->dtype, x->k, x->n, x->b, x->b_row, x->b_column, out);
}

void tsm_gemm_use_packed(const tsm_tensor *weight, bool is_turned, tsm_product *x) {
  enum { FEW = 4, LARGE = 1 << 19 };
  tsm_runtime *rt = weight->storage->rt;
  const size_t bytes = tsm_product_packed_bytes(rt->isa, x->dtype, x->k, x->n);
  const uint32_t kind = TSM_PACKED_GEMM | (is_turned ? 256u : 0u);
  const bool is_whole = (size_t)weight->numel <= weight->storage->bytes / tsm_item_size(x->dtype);
  if (bytes && is_whole && tsm_is_packable(weight) && pays(rt->isa, x))
    x->packed_b = tsm_packed(weight, kind, bytes, pack_weight, x);
  /* Few rows read a weight from its end every other time: of weights that the second cache almost holds together what was
   * read last is then still there, where each would push out what comes next. */
  if (x->packed_b && x->m <= FEW && bytes >= LARGE) x->is_backward = tsm_packed_alternate(x->packed_b);
}
