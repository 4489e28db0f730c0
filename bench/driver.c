/* driver.c - tsm from C, with the line protocol of worker.py: driver model.tsm threads argument...
 * An argument is an .npy file or a Python literal; the program's only method, or forward, is called.
 * `result PREFIX` writes tensors to PREFIX.0.npy, PREFIX.1.npy ... and answers `files N`, or `value` and a number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "literal.h"
#include "npy.h"
#include "tsm.h"

enum { MAX_ARGS = 16 };

static long long nanoseconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

typedef struct call {
  tsm_runtime *runtime;
  tsm_instance *instance;
  size_t method, count;
  tsm_value args[MAX_ARGS];
} call;

static tsm_value run_once(const call *c) {
  tsm_error error;
  tsm_value result = tsm_none();
  if (!tsm_call_method(c->instance, c->method, c->args, c->count, NULL, 0, &result, &error)) return result;
  printf("error %s\n", error.message);
  exit(1);
}

static int write_tensor(const char *prefix, int number, tsm_value v) {
  char path[4096], why[256];
  snprintf(path, sizeof path, "%s.%d.npy", prefix, number);
  return v.kind == TSM_TENSOR && npy_write(path, v, why, sizeof why);
}

static void give_result(const char *prefix, tsm_value v) {
  int written = 0;
  if (v.kind == TSM_INT) {
    printf("value %lld\n", (long long)v.as.i);
    return;
  }
  for (size_t i = 0; v.kind == TSM_TUPLE && i < tsm_tuple_length(v); i++) {
    tsm_value item = tsm_none();
    tsm_tuple_get(v, i, &item);
    written += write_tensor(prefix, (int)i, item);
    tsm_release(item);
  }
  if (v.kind == TSM_TENSOR) written += write_tensor(prefix, 0, v);
  printf("files %d\n", written);
}

static void print_peak_memory(void) {
  char line[256];
  long kilobytes = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
  if (status) fclose(status);
  printf("%ld\n", kilobytes);
}

static void serve(const call *c) {
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "run ", 4) == 0) {
      long count = atol(line + 4);
      long long start = nanoseconds();
      for (long i = 0; i < count; i++) tsm_release(run_once(c));
      printf("%lld\n", nanoseconds() - start);
    } else if (strncmp(line, "result ", 7) == 0) {
      tsm_value result = run_once(c);
      give_result(line + 7, result);
      tsm_release(result);
    } else if (strcmp(line, "memory") == 0) {
      print_peak_memory();
    }
    fflush(stdout);
  }
}

static int read_arguments(call *c, char **texts, int count) {
  char why[256] = "not a literal";
  for (int i = 0; i < count && i < MAX_ARGS; i++) {
    size_t n = strlen(texts[i]);
    tsm_value *out = &c->args[c->count++];
    bool is_file = n > 4 && strcmp(texts[i] + n - 4, ".npy") == 0;
    bool is_read = is_file ? npy_read(c->runtime, texts[i], out, why, sizeof why)
                           : literal_parse(c->runtime, texts[i], NULL, out);
    if (is_read) continue;
    printf("error %s: %s\n", texts[i], why);
    return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  tsm_error error;
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.threads = (uint32_t)atoi(argv[2]);
  call c = {tsm_runtime_new(&options, &error), NULL, 0, 0, {{0, 0, {0}}}};
  tsm_program *program = c.runtime ? tsm_program_open(c.runtime, argv[1], NULL, &error) : NULL;
  c.instance = program ? tsm_instance_new(program, &error) : NULL;
  if (!c.instance) {
    printf("error %s\n", error.message);
    return 1;
  }
  int32_t forward = tsm_program_find(program, "forward");
  c.method = forward < 0 ? 0 : (size_t)forward;
  if (read_arguments(&c, argv + 3, argc - 3)) return 1;
  tsm_release(run_once(&c));
  printf("ready\n");
  fflush(stdout);
  serve(&c);
  tsm_release_all(c.args, c.count);
  tsm_instance_free(c.instance);
  tsm_program_free(program);
  tsm_runtime_free(c.runtime);
  return 0;
}
