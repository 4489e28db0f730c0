/* npy.c - see npy.h. */
#include "npy.h"

#include "base/endian.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const codes[TSM_DTYPE_COUNT] = {"|b1", "|u1", "|i1", "<i2", "<i4", "<i8", "<f4", "<f8",
                                                  "|V2"}; /* bfloat16: NumPy only knows its bytes */
enum { MAX_HEADER = 65536 };

typedef struct npy_header { tsm_dtype dtype; bool is_fortran, is_swapped; size_t rank; int64_t shape[TSM_MAX_RANK]; } npy_header;

static bool fail(char *out_why, size_t capacity, const char *path, const char *why) {
  snprintf(out_why, capacity, "%s: %s", path, why);
  return false;
}

/* The text after "'key':" in a header; NULL if there is none. */
static const char *after_key(const char *header, const char *key) {
  const char *at = strstr(header, key);
  if (!at) return NULL;
  at = strchr(at + strlen(key), ':');
  if (!at) return NULL;
  at++;
  while (*at == ' ') at++;
  return at;
}

static bool parse_descr(const char *at, npy_header *out) {
  char code[4] = {0};
  if (!at || (*at != '\'' && *at != '"') || strlen(at) < 5) return false;
  memcpy(code, at + 1, 3);
  if (at[4] != at[0]) return false;
  bool is_bare = code[2] == '1' || code[1] == 'V';
  out->is_swapped = code[2] != '1' && code[0] != '=' && (code[0] == '>') != TSM_IS_BIG_ENDIAN;
  if (code[0] == '=' || code[0] == '<' || code[0] == '>') code[0] = is_bare ? '|' : '<';
  for (int i = 0; i < TSM_DTYPE_COUNT; i++)
    if (strcmp(codes[i], code) == 0) {
      out->dtype = (tsm_dtype)i;
      return true;
    }
  return false;
}

static bool parse_shape(const char *at, npy_header *out) {
  if (!at || *at++ != '(') return false;
  for (out->rank = 0;;) {
    while (*at == ' ' || *at == ',') at++;
    if (*at == ')') return true;
    if (*at < '0' || *at > '9' || out->rank == TSM_MAX_RANK) return false;
    int64_t n = 0;
    for (; *at >= '0' && *at <= '9'; at++)
      if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *at - '0', &n)) return false;
    out->shape[out->rank++] = n;
  }
}

/* The header's text, to be freed. NULL: not an .npy file. */
static char *read_header_text(FILE *file) {
  unsigned char start[12];
  if (fread(start, 1, 10, file) != 10 || memcmp(start, "\x93NUMPY", 6) != 0 || start[6] < 1 || start[6] > 3)
    return NULL;
  size_t length = start[8] | (size_t)start[9] << 8;
  if (start[6] > 1) {
    if (fread(start + 10, 1, 2, file) != 2) return NULL;
    length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
  }
  if (length > MAX_HEADER) return NULL;
  char *text = malloc(length + 1);
  if (!text) return NULL;
  text[length] = 0;
  if (fread(text, 1, length, file) == length) return text;
  free(text);
  return NULL;
}

static bool read_header(FILE *file, npy_header *out) {
  char *text = read_header_text(file);
  if (!text) return false;
  const char *order = after_key(text, "fortran_order");
  out->is_fortran = order && strncmp(order, "True", 4) == 0;
  bool is_right = order && parse_descr(after_key(text, "descr"), out) && parse_shape(after_key(text, "shape"), out);
  free(text);
  return is_right;
}

static bool read_row_major(tsm_runtime *runtime, FILE *file, const npy_header *h, tsm_value *out_tensor) {
  if (tsm_tensor_new(runtime, h->dtype, h->rank, h->shape, out_tensor) != TSM_OK) return false;
  size_t bytes = (size_t)tsm_tensor_numel(*out_tensor) * tsm_dtype_size(h->dtype);
  void *data = tsm_tensor_data_mut(*out_tensor);
  if (!data || fread(data, 1, bytes, file) != bytes) return false;
  if (h->is_swapped) tsm_swap_elements(data, data, bytes, tsm_dtype_size(h->dtype));
  return true;
}

/* A column-major array is a row-major one with reversed shape, seen through reversed strides. */
static bool read_column_major(tsm_runtime *runtime, FILE *file, const npy_header *h, tsm_value *out_tensor) {
  npy_header reversed = *h;
  int64_t strides[TSM_MAX_RANK], next = 1;
  for (size_t i = 0; i < h->rank; i++) {
    reversed.shape[i] = h->shape[h->rank - 1 - i];
    strides[i] = next;
    if (h->shape[i] > 1) next *= h->shape[i];
  }
  tsm_value plain = tsm_none();
  bool is_read = read_row_major(runtime, file, &reversed, &plain) &&
                 tsm_tensor_view(plain, h->dtype, h->rank, h->shape, strides, 0, out_tensor) == TSM_OK;
  tsm_release(plain);
  return is_read;
}

bool npy_read(tsm_runtime *runtime, const char *path, tsm_value *out_tensor, char *out_why, size_t why_capacity) {
  npy_header h;
  memset(&h, 0, sizeof h);
  *out_tensor = tsm_none();
  FILE *file = fopen(path, "rb");
  if (!file) return fail(out_why, why_capacity, path, "the file could not be opened");
  bool is_read = read_header(file, &h);
  if (!is_read) fail(out_why, why_capacity, path, "this is not an .npy file of a dtype tsm has");
  if (is_read) {
    is_read = h.is_fortran && h.rank > 1 ? read_column_major(runtime, file, &h, out_tensor)
                                         : read_row_major(runtime, file, &h, out_tensor);
    if (!is_read) fail(out_why, why_capacity, path, "the file ends too early, or there is not enough memory");
  }
  fclose(file);
  if (is_read) return true;
  tsm_release(*out_tensor);
  *out_tensor = tsm_none();
  return false;
}

/* Writes elements in row-major order, little-endian; strides count elements. */
static bool write_elements(FILE *file, tsm_value t) {
  size_t rank = tsm_tensor_rank(t), item = tsm_dtype_size(tsm_tensor_dtype(t));
  const int64_t *shape = tsm_tensor_shape(t), *strides = tsm_tensor_strides(t);
  const char *data = tsm_tensor_data(t);
  int64_t numel = tsm_tensor_numel(t), index[TSM_MAX_RANK] = {0}, offset = 0;
  char element[sizeof(double)];
  if (tsm_tensor_is_contiguous(t) && !TSM_IS_BIG_ENDIAN) return fwrite(data, item, (size_t)numel, file) == (size_t)numel;
  for (int64_t n = 0; n < numel; n++) {
    memcpy(element, data + offset * (int64_t)item, item);
    if (TSM_IS_BIG_ENDIAN) tsm_swap_elements(element, element, item, item);
    if (fwrite(element, item, 1, file) != 1) return false;
    for (size_t d = rank; d-- > 0;) {
      offset += strides[d];
      if (++index[d] < shape[d]) break;
      offset -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return true;
}

static bool write_header(FILE *file, tsm_value t) {
  char text[1024];
  size_t rank = tsm_tensor_rank(t);
  int n = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (", codes[tsm_tensor_dtype(t)]);
  for (size_t i = 0; i < rank; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%lld%s", (long long)tsm_tensor_shape(t)[i],
                  rank == 1 ? "," : i + 1 < rank ? ", " : "");
  n += snprintf(text + n, sizeof text - (size_t)n, "), }");
  size_t length = (size_t)n;
  while ((10 + length + 1) % 64) text[length++] = ' ';
  text[length++] = '\n';
  const unsigned char start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(length & 255),
                                   (unsigned char)(length >> 8)};
  return fwrite(start, 1, 10, file) == 10 && fwrite(text, 1, length, file) == length;
}

bool npy_write(const char *path, tsm_value tensor, char *out_why, size_t why_capacity) {
  FILE *file = fopen(path, "wb");
  if (!file) return fail(out_why, why_capacity, path, "the file could not be created");
  bool is_written = write_header(file, tensor) && write_elements(file, tensor);
  is_written = fclose(file) == 0 && is_written;
  return is_written ? true : fail(out_why, why_capacity, path, "the file could not be written");
}
