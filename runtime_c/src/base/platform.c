/* platform.c - files, pages, processors and time: with pool.c the only code that calls beyond C11.
 * In: a path. Out: its bytes in accounted memory, or mapped read-only. In: a size. Out: pages of zeros. */
#if defined(__linux__)
#define _GNU_SOURCE
#elif defined(__APPLE__)
#define _DARWIN_C_SOURCE
#elif !defined(_WIN32)
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "load/program.h"

#include <errno.h>
#include <stdio.h>

static tsm_status fail(tsm_error *out_error, const char *path, const char *what, int code) {
  return tsm_error_set(out_error, TSM_ERR_IO, "%s: %s (%s)", path, what, code ? strerror(code) : "no reason given");
}

/* Where a stream ends; -1 if that cannot be told. */
static int64_t stream_size(FILE *file) {
#if defined(_WIN32)
  if (_fseeki64(file, 0, SEEK_END)) return -1;
  int64_t size = _ftelli64(file);
  return _fseeki64(file, 0, SEEK_SET) ? -1 : size;
#else
  if (fseek(file, 0, SEEK_END)) return -1;
  int64_t size = ftell(file);
  return fseek(file, 0, SEEK_SET) ? -1 : size;
#endif
}

static tsm_status read_stream(tsm_runtime *rt, FILE *file, const char *path, uint8_t **out_bytes, size_t *out_length,
                              tsm_error *out_error) {
  int64_t size = stream_size(file);
  if (size < 0 || (uint64_t)size > PTRDIFF_MAX - 64) return fail(out_error, path, "its size cannot be told", errno);
  if (rt->file_cap && (uint64_t)size > rt->file_cap)
    return tsm_error_set(out_error, TSM_ERR_LIMIT, "%s: %lld bytes are more than the cap of %llu", path,
                         (long long)size,
                         (unsigned long long)rt->file_cap);
  uint8_t *bytes = tsm_image_new(rt, (size_t)size);
  if (!bytes) return tsm_error_set(out_error, TSM_ERR_MEMORY, "%s", tsm_status_text(TSM_ERR_MEMORY));
  size_t got = fread(bytes, 1, (size_t)size, file);
  if (got != (size_t)size) {
    tsm_image_free(rt, bytes, (size_t)size);
    return fail(out_error, path, "the file could not be read to its end", errno);
  }
  *out_bytes = bytes;
  *out_length = (size_t)size;
  return TSM_OK;
}

tsm_status tsm_file_read(tsm_runtime *rt, const char *path, uint8_t **out_bytes, size_t *out_length,
                         tsm_error *out_error) {
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return fail(out_error, path, "the file could not be opened", errno);
  tsm_status status = read_stream(rt, file, path, out_bytes, out_length, out_error);
  fclose(file);
  return status;
}

#if defined(_WIN32)

#include <windows.h>

tsm_status tsm_file_map(const char *path, const uint8_t **out_bytes, size_t *out_length, tsm_error *out_error) {
  HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
  if (file == INVALID_HANDLE_VALUE) return fail(out_error, path, "the file could not be opened", 0);
  LARGE_INTEGER size;
  HANDLE mapping = GetFileSizeEx(file, &size) ? CreateFileMappingA(file, NULL, PAGE_READONLY, 0, 0, NULL) : NULL;
  const uint8_t *bytes = mapping ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0) : NULL;
  if (mapping) CloseHandle(mapping);
  CloseHandle(file);
  if (!bytes) return fail(out_error, path, "the file could not be mapped", 0);
  *out_bytes = bytes;
  *out_length = (size_t)size.QuadPart;
  return TSM_OK;
}

void tsm_file_unmap(const uint8_t *bytes, size_t length) {
  (void)length;
  UnmapViewOfFile(bytes);
}

void *tsm_pages_new(size_t size) { return VirtualAlloc(NULL, size, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE); }

void tsm_pages_free(void *pages, size_t size) {
  (void)size;
  VirtualFree(pages, 0, MEM_RELEASE);
}

void tsm_yield(void) { SwitchToThread(); }

uint64_t tsm_now_ns(void) {
  LARGE_INTEGER now, second;
  QueryPerformanceCounter(&now);
  QueryPerformanceFrequency(&second);
  return (uint64_t)((double)now.QuadPart * 1e9 / (double)second.QuadPart);
}

uint32_t tsm_processor_count(void) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return info.dwNumberOfProcessors ? (uint32_t)info.dwNumberOfProcessors : 1;
}

#else

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Every byte is read for its checksum: all pages at once take a third of what their faults would. */
#if defined(MAP_POPULATE)
#define AT_ONCE MAP_POPULATE
#else
#define AT_ONCE 0
#endif

tsm_status tsm_file_map(const char *path, const uint8_t **out_bytes, size_t *out_length, tsm_error *out_error) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(out_error, path, "the file could not be opened", errno);
  struct stat info;
  void *bytes = MAP_FAILED;
  int code = 0;
  if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
    bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE | AT_ONCE, file, 0);
  if (bytes == MAP_FAILED) code = errno;
  close(file);
  if (bytes == MAP_FAILED) return fail(out_error, path, "the file could not be mapped", code);
  *out_bytes = bytes;
  *out_length = (size_t)info.st_size;
  return TSM_OK;
}

void tsm_file_unmap(const uint8_t *bytes, size_t length) {
  void *start = (void *)(uintptr_t)bytes;
  munmap(start, length);
}

enum { HUGE_PAGE = 2 << 20 };

static void *map_pages(size_t size) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

/* The first touch of a page costs a fault, of a huge one hardly more, so that fresh memory becomes several times
 * cheaper. */
void *tsm_pages_new(size_t size) {
  if (size % HUGE_PAGE || size > PTRDIFF_MAX - HUGE_PAGE) return map_pages(size);
  char *pages = map_pages(size + HUGE_PAGE);
  if (!pages) return map_pages(size);
  size_t before = (HUGE_PAGE - (uintptr_t)pages % HUGE_PAGE) % HUGE_PAGE, behind = HUGE_PAGE - before;
  if (before) munmap(pages, before);
  if (behind) munmap(pages + before + size, behind);
#if defined(MADV_HUGEPAGE)
  madvise(pages + before, size, MADV_HUGEPAGE);
#endif
  return pages + before;
}

void tsm_pages_free(void *pages, size_t size) { munmap(pages, size); }

void tsm_yield(void) { sched_yield(); }

uint64_t tsm_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint32_t tsm_processor_count(void) {
#if defined(__linux__)
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return (uint32_t)CPU_COUNT(&allowed);
#endif
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint32_t)count : 1;
}

#endif
