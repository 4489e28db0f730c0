/* gemm_float.h - the product for one float type; included by gemm.c once for each, with
 * T the type, V a vector of 16 bytes of it, GEMM(x) the names. */

enum { GEMM(WIDTH) = 16 / sizeof(T), GEMM(NR) = 2 * GEMM(WIDTH), GEMM(NC) = 32 * GEMM(NR) };

/* x . y over contiguous memory, in vector lanes. */
static T GEMM(dot)(const T *x, const T *y, int64_t n) {
  V s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  int64_t i = 0;
  const int64_t w = GEMM(WIDTH);
  for (; i + 4 * w <= n; i += 4 * w) {
    s0 += *(const V *)(const void *)(x + i) * *(const V *)(const void *)(y + i);
    s1 += *(const V *)(const void *)(x + i + w) * *(const V *)(const void *)(y + i + w);
    s2 += *(const V *)(const void *)(x + i + 2 * w) * *(const V *)(const void *)(y + i + 2 * w);
    s3 += *(const V *)(const void *)(x + i + 3 * w) * *(const V *)(const void *)(y + i + 3 * w);
  }
  T sum = 0;
  s0 = (s0 + s1) + (s2 + s3);
  for (int64_t lane = 0; lane < w; lane++) sum += s0[lane];
  for (; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* A tile of one row (row_fn): no packing. */
static void GEMM(row)(int64_t n, int64_t k, const void *a_row, int64_t a_column, tsm_matrix b_matrix, void *c_row,
                      bool adds) {
  const T *a = a_row, *b = b_matrix.data;
  T *out = c_row;
  if ((a_column == 1 || k == 1) && (b_matrix.row == 1 || k == 1)) {
    for (int64_t j = 0; j < n; j++) {
      T sum = GEMM(dot)(a, b + j * b_matrix.column, k);
      out[j] = adds ? out[j] + sum : sum;
    }
    return;
  }
  if (!adds) memset(out, 0, (size_t)n * sizeof(T));
  for (int64_t p = 0; p < k; p++) {
    T x = a[p * a_column];
    const T *from = b + p * b_matrix.row;
    if (b_matrix.column == 1)
      for (int64_t j = 0; j < n; j++) out[j] += x * from[j];
    else
      for (int64_t j = 0; j < n; j++) out[j] += x * from[j * b_matrix.column];
  }
}

/* Panels of MR rows (A) or NR columns (B), depth by depth, filled up with zeros. */
static void GEMM(pack)(T *to, const T *from, int64_t along, int64_t depth, int64_t along_step, int64_t depth_step,
                       int64_t panel) {
  for (int64_t first = 0; first < along; first += panel)
    for (int64_t p = 0; p < depth; p++, to += panel)
      for (int64_t i = 0; i < panel; i++)
        to[i] = first + i < along ? from[(first + i) * along_step + p * depth_step] : 0;
}

/* MR x NR of C over a packed depth; only rows x columns of it are stored. */
static void GEMM(micro)(int64_t depth, const T *a, const T *b, T *c, int64_t c_row, int64_t rows, int64_t columns,
                        bool adds) {
  V c00 = {0}, c01 = {0}, c10 = {0}, c11 = {0}, c20 = {0}, c21 = {0}, c30 = {0}, c31 = {0};
  for (int64_t p = 0; p < depth; p++, a += MR, b += GEMM(NR)) {
    const V b0 = *(const V *)(const void *)b, b1 = *(const V *)(const void *)(b + GEMM(WIDTH));
    c00 += b0 * a[0];
    c01 += b1 * a[0];
    c10 += b0 * a[1];
    c11 += b1 * a[1];
    c20 += b0 * a[2];
    c21 += b1 * a[2];
    c30 += b0 * a[3];
    c31 += b1 * a[3];
  }
  V tile[MR][2] = {{c00, c01}, {c10, c11}, {c20, c21}, {c30, c31}};
  T plain[MR * GEMM(NR)];
  memcpy(plain, tile, sizeof plain);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++)
      c[i * c_row + j] = adds ? c[i * c_row + j] + plain[i * GEMM(NR) + j] : plain[i * GEMM(NR) + j];
}

static void GEMM(block)(int64_t m, int64_t n, int64_t depth, const T *a, const T *b, T *c, int64_t c_row, bool adds) {
  for (int64_t j = 0; j < n; j += GEMM(NR))
    for (int64_t i = 0; i < m; i += MR)
      GEMM(micro)(depth, a + i * depth, b + j * depth, c + i * c_row + j, c_row, m - i < MR ? m - i : MR,
                  n - j < GEMM(NR) ? n - j : GEMM(NR), adds);
}

static tsm_status GEMM(packed)(tsm_opcall *call, int64_t m, int64_t n, int64_t k, tsm_matrix a, tsm_matrix b, T *c,
                               int64_t c_row, bool adds) {
  const size_t a_size = MC * KC * sizeof(T), b_size = KC * GEMM(NC) * sizeof(T);
  const T *a_data = a.data, *b_data = b.data;
  T *room = tsm_alloc(call->ctx->rt, a_size + b_size);
  if (!room) return tsm_out_of_memory(call->ctx);
  T *a_pack = room, *b_pack = room + MC * KC;
  tsm_status status = TSM_OK;
  for (int64_t j = 0; j < n && !status; j += GEMM(NC)) {
    int64_t width = n - j < GEMM(NC) ? n - j : GEMM(NC);
    for (int64_t p = 0; p < k && !status; p += KC) {
      int64_t depth = k - p < KC ? k - p : KC;
      GEMM(pack)(b_pack, b_data + p * b.row + j * b.column, width, depth, b.column, b.row, GEMM(NR));
      for (int64_t i = 0; i < m && !status; i += MC) {
        int64_t height = m - i < MC ? m - i : MC;
        GEMM(pack)(a_pack, a_data + i * a.row + p * a.column, height, depth, a.row, a.column, MR);
        GEMM(block)(height, width, depth, a_pack, b_pack, c + i * c_row + j, c_row, adds || p > 0);
        status = tsm_charge(call->ctx, height * width * depth / 32);
      }
    }
  }
  tsm_free(call->ctx->rt, room, a_size + b_size);
  return status;
}

static tsm_status GEMM(run)(tsm_opcall *call, int64_t m, int64_t n, int64_t k, tsm_matrix a, tsm_matrix b, T *c,
                            int64_t c_row, bool adds) {
  if (m >= MR && n >= GEMM(NR) && k >= 8 && m * n >= 512) return GEMM(packed)(call, m, n, k, a, b, c, c_row, adds);
  return by_rows(call, GEMM(row), sizeof(T), m, n, k, a, b, c, c_row, adds);
}

#undef T
#undef V
#undef GEMM
