/* answers.c - what a program answers on this machine, as text. Usage: answers FILE SAVED [ROUNDS]
 * In: a .tsm file. Out: one line a call on stdout, of every method with ROUNDS sets of arguments made from its signature;
 * in SAVED the state after them. Holds: what was saved loads, and saving that again gives the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../c/arguments.h"

enum { FUEL = 2000000, MEMORY = 256 << 20, ARGUMENTS = 16 };

typedef struct buffer { char *bytes; size_t length; } buffer;

static bool append(void *user, const void *bytes, size_t length) {
  buffer *b = user;
  char *moved = realloc(b->bytes, b->length + length + 1);
  if (!moved) return false;
  memcpy(moved + b->length, bytes, length);
  b->bytes = moved;
  b->length += length;
  return true;
}

static void print_hook(void *user, const char *text, size_t length) {
  (void)user;
  fwrite(text, 1, length, stdout);
}

static void tell(tsm_runtime *rt, tsm_value value) {
  tsm_value text;
  size_t length;
  if (tsm_value_text(rt, value, true, &text) != TSM_OK) {
    puts("(no text)");
    return;
  }
  const char *bytes = tsm_str_borrow(text, &length);
  fwrite(bytes, 1, length, stdout);
  putchar('\n');
  tsm_release(text);
}

static void call(tsm_runtime *rt, tsm_instance *instance, size_t index, const tsm_method_info *info, uint64_t *random) {
  tsm_value args[ARGUMENTS], result;
  tsm_error e;
  const char *names[ARGUMENTS];
  size_t named;
  value_maker maker = {rt, random};
  size_t made = make_arguments(&maker, info, ARGUMENTS, args, names, &named);
  tsm_instance_set_fuel(instance, FUEL);
  printf("%s: ", info->name);
  tsm_status status = tsm_call_method(instance, index, args, made, names, named, &result, &e);
  if (status == TSM_OK) tell(rt, result);
  else printf("%s %s %s\n%s", tsm_status_text(status), e.type, e.message, e.trace);
  if (status == TSM_OK) tsm_release(result);
  for (size_t i = 0; i < made; i++) {
    printf("  argument %zu after: ", i);
    tell(rt, args[i]);
  }
  tsm_release_all(args, made);
}

static void call_all(tsm_runtime *rt, const tsm_program *p, tsm_instance *instance, int rounds) {
  uint64_t random = 1;
  tsm_method_info info;
  for (int round = 0; round < rounds; round++)
    for (size_t i = 0; tsm_program_method(p, i, &info) == TSM_OK; i++) call(rt, instance, i, &info, &random);
}

static bool write_file(const char *path, const buffer *b) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool is_written = fwrite(b->bytes, 1, b->length, file) == b->length;
  return fclose(file) == 0 && is_written;
}

/* Saves, loads that and saves it again. */
static bool save(tsm_runtime *rt, tsm_instance *instance, const char *path) {
  buffer first = {NULL, 0}, second = {NULL, 0};
  tsm_error e;
  bool is_same = false;
  if (tsm_instance_save(instance, append, &first, &e) != TSM_OK) {
    printf("not saved: %s\n", e.message);
    return true;
  }
  tsm_load_options options = TSM_LOAD_OPTIONS_INIT;
  options.check_weights = true;
  tsm_program *p = tsm_program_load_copy(rt, first.bytes, first.length, &options, &e);
  tsm_instance *again = p ? tsm_instance_new(p, &e) : NULL;
  if (again && tsm_instance_save(again, append, &second, &e) == TSM_OK)
    is_same = first.length == second.length && !memcmp(first.bytes, second.bytes, first.length);
  printf("saved: %zu bytes, %s\n", first.length, is_same ? "again the same" : "NOT THE SAME AGAIN");
  is_same = write_file(path, &first) && is_same;
  tsm_instance_free(again);
  tsm_program_free(p);
  free(first.bytes);
  free(second.bytes);
  return is_same;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.memory_cap = MEMORY;
  options.print = options.warn = print_hook;
  tsm_error e;
  tsm_runtime *rt = tsm_runtime_new(&options, &e);
  tsm_program *p = rt ? tsm_program_open(rt, argv[1], NULL, &e) : NULL;
  tsm_instance *instance = p ? tsm_instance_new(p, &e) : NULL;
  if (!instance) {
    printf("refused: %s\n", e.message);
    return 3;
  }
  call_all(rt, p, instance, argc > 3 ? atoi(argv[3]) : 3);
  bool is_good = save(rt, instance, argv[2]);
  tsm_instance_free(instance);
  tsm_program_free(p);
  tsm_runtime_free(rt);
  return is_good ? 0 : 1;
}
