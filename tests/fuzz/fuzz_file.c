/* fuzz_file.c - loads, verifies and runs mutants of real .tsm files. Usage: fuzz_file COUNT SEED FILE...
 * COUNT 0 runs the files as they are. In most mutants checksums are repaired, or nothing would get past them. What
 * still verifies is run with limits on fuel and memory: every method, with arguments made from its signature. Prints
 * how far mutants came. Crashes, leaks and undefined behaviour are for the sanitizer this is built with to report; the
 * mutant that caused one, or that took more than a minute, is left in ./fuzz-crash.tsm. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../c/arguments.h"

enum { HEADER = 64, ENTRY = 32, FUEL = 20000, MEMORY = 64 << 20, MAX_FILES = 64 };

static uint64_t random_state;

static size_t below(size_t n) { return random_below(&random_state, n); }

static uint32_t crc32c(uint32_t crc, const uint8_t *bytes, size_t length) {
  crc = ~crc;
  for (size_t i = 0; i < length; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0x82F63B78u & (0u - (crc & 1u)));
  }
  return ~crc;
}

static uint64_t get(const uint8_t *p, int width) {
  uint64_t value = 0;
  for (int i = 0; i < width; i++) value |= (uint64_t)p[i] << (8 * i);
  return value;
}

static void put(uint8_t *p, int width, uint64_t value) {
  for (int i = 0; i < width; i++) p[i] = (uint8_t)(value >> (8 * i));
}

/* Makes the header and the table agree with the bytes, as far as the table still makes sense. */
static void repair(uint8_t *bytes, size_t length) {
  if (length < HEADER) return;
  uint64_t sections = get(bytes + 32, 4);
  if (sections > (length - HEADER) / ENTRY) return;
  for (uint64_t i = 0; i < sections; i++) {
    uint8_t *entry = bytes + HEADER + i * ENTRY;
    uint64_t offset = get(entry + 8, 8), size = get(entry + 16, 8);
    if (offset <= length && size <= length - offset) put(entry + 24, 4, crc32c(0, bytes + offset, (size_t)size));
  }
  put(bytes + 24, 8, length);
  put(bytes + 36, 4, 0);
  put(bytes + 36, 4, crc32c(0, bytes, HEADER + (size_t)sections * ENTRY));
}

/* One small change anywhere. */
static void mutate_byte(uint8_t *bytes, size_t length) {
  size_t at = below(length);
  switch (below(6)) {
    case 0: bytes[at] ^= (uint8_t)(1u << below(8)); break;
    case 1: bytes[at] = (uint8_t)below(256); break;
    case 2: bytes[at] = (uint8_t)(bytes[at] + 1 - 2 * below(2)); break;
    case 3: bytes[at] = (const uint8_t[]){0, 1, 127, 128, 255, 32, 64}[below(7)]; break;
    case 4: { /* copy a few bytes from elsewhere */
      size_t from = below(length), n = 1 + below(8);
      if (at + n <= length && from + n <= length) memmove(bytes + at, bytes + from, n);
      break;
    }
    default: { /* swap two bytes */
      size_t other = below(length);
      uint8_t byte = bytes[at];
      bytes[at] = bytes[other];
      bytes[other] = byte;
    }
  }
}

/* A section, those with much of the program in them more often; its bytes, or none. */
static uint8_t *pick_section(uint8_t *bytes, size_t length, size_t *out_size) {
  static const uint8_t kinds[16] = {8, 8, 8, 8, 8, 8, 8, 6, 6, 9, 9, 3, 5, 10, 14, 11};
  uint8_t kind = kinds[below(16)];
  *out_size = 0;
  for (uint64_t i = 0, count = get(bytes + 32, 4); i < count; i++) {
    const uint8_t *entry = bytes + HEADER + i * ENTRY;
    uint64_t offset = get(entry + 8, 8), size = get(entry + 16, 8);
    if (get(entry, 4) != kind || offset > length || size > length - offset) continue;
    *out_size = (size_t)size;
    return bytes + offset;
  }
  return NULL;
}

/* Another number in the place of one, as wide as it was: an operand, an operator, a label, a type, a constant. What
 * follows keeps its meaning, so that many of these verify. */
static void mutate_number(uint8_t *bytes, size_t length) {
  size_t size;
  uint8_t *section = pick_section(bytes, length, &size);
  if (!size) return;
  uint8_t *at = section + below(size), old = *at;
  switch (below(5)) {
    case 0: *at = (uint8_t)(old + 1); break;
    case 1: *at = (uint8_t)(old - 1); break;
    case 2: *at = (uint8_t)below(48); break;
    case 3: *at = section[below(size)]; break;
    default: { /* two numbers near each other change places */
      size_t other = (size_t)(at - section) + 1 + below(4);
      if (other >= size || (section[other] ^ old) & 128) return;
      *at = section[other];
      section[other] = old;
    }
  }
  *at = (uint8_t)((*at & 127) | (old & 128));
}

static uint64_t load_counts[TSM_STATUS_COUNT], run_counts[TSM_STATUS_COUNT], verified, calls, ran;

static void run_method(tsm_runtime *runtime, tsm_instance *instance, size_t index, const tsm_method_info *info) {
  tsm_value args[16], result;
  tsm_error error;
  value_maker maker = {runtime, &random_state};
  const char *names[16];
  size_t named, made = make_arguments(&maker, info, 16, args, names, &named);
  tsm_instance_set_fuel(instance, FUEL);
  tsm_status status = tsm_call_method(instance, index, args, made, names, named, &result, &error);
  run_counts[status]++;
  calls++;
  if (status == TSM_ERR_INTERNAL) fprintf(stderr, "internal error: %s\n", error.message);
  if (!status) tsm_release(result);
  tsm_release_all(args, made);
}

static bool swallow(void *user, const void *bytes, size_t length) {
  (void)bytes;
  *(size_t *)user += length;
  return true;
}

/* The bytes being tried, for keep_mutant. */
static const uint8_t *current;
static size_t current_length;

static void keep_mutant(void) {
  FILE *file = fopen("fuzz-crash.tsm", "wb");
  if (!file) return;
  fwrite(current, 1, current_length, file);
  fclose(file);
}

static void give_up(int signal_number) {
  (void)signal_number;
  fprintf(stderr, "a mutant takes more than a minute\n");
  keep_mutant();
  _exit(1);
}

/* Of the sanitizers, if this is built with one. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void try_file(const uint8_t *bytes, size_t length) {
  current = bytes;
  current_length = length;
  alarm(60);
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.memory_cap = MEMORY;
  tsm_error error;
  tsm_runtime *runtime = tsm_runtime_new(&options, &error);
  tsm_program *program = runtime ? tsm_program_load_copy(runtime, bytes, length, NULL, &error) : NULL;
  load_counts[program ? TSM_OK : error.code]++;
  tsm_instance *instance = program ? tsm_instance_new(program, &error) : NULL;
  verified += program != NULL;
  if (instance) {
    ran++;
    for (size_t i = 0; i < tsm_program_method_count(program); i++) {
      tsm_method_info info;
      if (!tsm_program_method(program, i, &info)) run_method(runtime, instance, i, &info);
    }
    size_t written = 0;
    tsm_instance_save(instance, swallow, &written, &error);
    tsm_instance_free(instance);
  }
  if (program) tsm_program_free(program);
  if (runtime) tsm_runtime_free(runtime);
}

static void try_mutant(const uint8_t *bytes, size_t length) {
  uint8_t *mutant = malloc(length);
  if (!mutant) return;
  memcpy(mutant, bytes, length);
  bool is_wild = below(8) == 0;
  for (size_t changes = 1 + below(3); changes > 0; changes--) {
    if (is_wild) mutate_byte(mutant, length);
    else mutate_number(mutant, length);
  }
  if (is_wild && below(4) == 0) length = HEADER + below(length - HEADER);
  if (!is_wild || below(4)) repair(mutant, length);
  try_file(mutant, length);
  free(mutant);
}

static uint8_t *read_file(const char *path, size_t *out_length) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) return NULL;
  long size = ftell(file);
  rewind(file);
  uint8_t *bytes = size > 0 ? malloc((size_t)size) : NULL;
  if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) { free(bytes); bytes = NULL; }
  fclose(file);
  *out_length = (size_t)size;
  return bytes;
}

static void report(const char *title, const uint64_t *counts) {
  printf("%s\n", title);
  for (int i = 0; i < TSM_STATUS_COUNT; i++)
    if (counts[i]) printf("  %10" PRIu64 "  %s\n", counts[i], tsm_status_text((tsm_status)i));
}

int main(int argc, char **argv) {
  if (argc < 4 || argc - 3 > MAX_FILES) {
    fprintf(stderr, "usage: %s COUNT SEED FILE...\n", argv[0]);
    return 2;
  }
  uint64_t count = strtoull(argv[1], NULL, 10), seed = strtoull(argv[2], NULL, 10);
  uint8_t *files[MAX_FILES];
  size_t lengths[MAX_FILES], file_count = (size_t)argc - 3;
  for (size_t i = 0; i < file_count; i++) {
    files[i] = read_file(argv[3 + i], &lengths[i]);
    if (!files[i] || lengths[i] < HEADER) {
      fprintf(stderr, "%s cannot be read, or is no .tsm file\n", argv[3 + i]);
      return 2;
    }
  }
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(keep_mutant);
  signal(SIGALRM, give_up);
  for (size_t i = 0; i < file_count && !count; i++) try_file(files[i], lengths[i]);
  for (uint64_t turn = 0; turn < count; turn++) {
    random_state = seed * UINT64_C(0x2545F4914F6CDD1D) + turn; /* so that a mutant depends on nothing before it */
    size_t pick = below(file_count);
    try_mutant(files[pick], lengths[pick]);
  }
  printf("%" PRIu64 " mutants of %zu files, %" PRIu64 " verified, %" PRIu64 " of them ran %" PRIu64 " calls\n", count,
         file_count, verified, ran, calls);
  report("loading:", load_counts);
  report("calls:", run_counts);
  for (size_t i = 0; i < file_count; i++) free(files[i]);
  return run_counts[TSM_ERR_INTERNAL] != 0;
}
