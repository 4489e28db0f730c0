/* driver.c - tsm from C, with the line protocol of worker.py: driver model.tsm threads argument...
 * An argument is an .npy file or a Python literal; the program's only method, or forward, is called.
 * `profile N PATH` samples where N runs are, one address within the library a line.
 * `result PREFIX` writes tensors to PREFIX.0.npy, PREFIX.1.npy ... and answers `files N`, or `value` and a number. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include "literal.h"
#include "npy.h"
#include "tsm.h"

enum { MAX_ARGS = 16, MAX_SAMPLES = 1 << 17 };

static bool is_cpu_time;

static long long nanoseconds(void) {
  struct timespec now;
  clock_gettime(is_cpu_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
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

static uintptr_t samples[MAX_SAMPLES];
static volatile sig_atomic_t sample_count;

static void take_sample(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)info;
  const ucontext_t *state = context;
  if (sample_count >= MAX_SAMPLES) return;
#if defined(__x86_64__)
  samples[sample_count++] = (uintptr_t)state->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  samples[sample_count++] = (uintptr_t)state->uc_mcontext.pc;
#endif
}

static void set_timer(long microseconds) {
  struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_PROF, &timer, NULL);
}

static void profile(const call *c, long count, const char *path) {
  struct sigaction action;
  Dl_info library, found;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = take_sample;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, NULL);
  sample_count = 0;
  set_timer(1000);
  for (long i = 0; i < count; i++) tsm_release(run_once(c));
  set_timer(0);
  FILE *out = fopen(path, "w");
  dladdr((void *)(uintptr_t)&tsm_version, &library);
  for (int i = 0; out && i < sample_count; i++) {
    bool is_ours = dladdr((void *)samples[i], &found) && found.dli_fbase == library.dli_fbase;
    fprintf(out, "%lx\n", is_ours ? (unsigned long)(samples[i] - (uintptr_t)library.dli_fbase) : 0ul);
  }
  if (out) fclose(out);
  printf("%s\n", library.dli_fname);
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
    } else if (strncmp(line, "profile ", 8) == 0) {
      char *path;
      long count = strtol(line + 8, &path, 10);
      profile(c, count, path + 1);
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
  const char *clock_name = getenv("BENCH_CLOCK");
  is_cpu_time = clock_name && strcmp(clock_name, "cpu") == 0;
  const char *is_direct = getenv("BENCH_NO_WINOGRAD");
  tsm_tuning tuning = TSM_TUNING_INIT;
  tuning.no_winograd = is_direct && strcmp(is_direct, "1") == 0;
  options.tuning = &tuning;
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
