/* limits.c - what the machine gives to one thread and to two: limits rounds [pattern]. One line a round and pattern:
 * name, seconds of one thread, seconds of two for the same work between them. "read" sums a buffer, "copy" reads one and
 * writes another, "fma" multiplies and adds in registers. Each thread has a processor of its own. To be compiled for
 * this machine. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef float lane __attribute__((vector_size(64), aligned(4)));
enum { SUMS = 12 };

typedef struct part {
  float *from, *to; /* to: NULL for reading only */
  size_t count;
  int repeats, number;
  float sum;
} part;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void pin(int number) {
  cpu_set_t all, one;
  CPU_ZERO(&one);
  sched_getaffinity(0, sizeof all, &all);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET((size_t)cpu, &all) && number-- == 0) CPU_SET((size_t)cpu, &one);
  if (CPU_COUNT(&one)) sched_setaffinity(0, sizeof one, &one);
}

static void multiply(lane *sums, size_t count) {
  lane factor = sums[0] + 0.5f, term = sums[0] + 1.0f;
  for (int j = 0; j < SUMS; j++) sums[j] += (float)j; /* or equal sums would be one */
  for (size_t i = 0; i < count; i++)
    for (int j = 0; j < SUMS; j++) sums[j] = sums[j] * factor + term;
}

static void *work(void *argument) {
  part *p = argument;
  pin(p->number);
  lane sums[SUMS] = {{0}};
  if (!p->from) multiply(sums, p->count);
  for (int turn = 0; turn < p->repeats; turn++) {
    for (size_t i = 0; p->to && i < p->count; i += 4096) memcpy(p->to + i, p->from + i, 4096 * sizeof(float));
    for (size_t i = 0; p->from && !p->to && i < p->count; i += 128)
      for (int j = 0; j < 8; j++) sums[j] += *(const lane *)(p->from + i + 16 * j);
  }
  for (int j = 0; j < SUMS; j++) p->sum += sums[j][0];
  return NULL;
}

static double timed(float *from, float *to, size_t count, int repeats, int threads) {
  part parts[2];
  pthread_t ids[2];
  size_t share = count / (size_t)threads / 4096 * 4096;
  double start = seconds();
  for (int i = 0; i < threads; i++) {
    size_t at = share * (size_t)i;
    parts[i] = (part){from ? from + at : NULL, to ? to + at : NULL, share, repeats, i, 0};
    if (pthread_create(&ids[i], NULL, work, &parts[i])) exit(1);
  }
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  return seconds() - start;
}

typedef struct pattern {
  const char *name;
  size_t megabytes; /* 0: no memory */
  int copies, repeats;
} pattern;

static const pattern patterns[] = {{"read 16 MB", 16, 0, 16}, {"copy 16 MB", 16, 1, 8},   {"read 64 MB", 64, 0, 4},
                                   {"read 512 MB", 512, 0, 1}, {"copy 128 MB", 128, 1, 1}, {"fma", 0, 0, 0}};
enum { PATTERNS = sizeof patterns / sizeof *patterns, PRODUCTS = 1 << 23 };

static void measure(const pattern *p, float *from, float *to) {
  size_t count = p->megabytes ? (p->megabytes << 20) / sizeof(float) : PRODUCTS;
  if (!p->megabytes) from = NULL;
  if (!p->copies) to = NULL;
  double one = timed(from, to, count, p->repeats, 1), two = timed(from, to, count, p->repeats, 2);
  printf("%s,%.7f,%.7f\n", p->name, one, two);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  const char *asked = argc > 2 ? argv[2] : NULL;
  size_t most = 4096;
  for (int i = 0; i < PATTERNS; i++)
    if ((!asked || !strcmp(patterns[i].name, asked)) && patterns[i].megabytes << 20 > most)
      most = patterns[i].megabytes << 20;
  float *from = aligned_alloc(4096, most), *to = aligned_alloc(4096, most);
  if (!from || !to) return 1;
  memset(from, 0, most);
  memset(to, 0, most);
  for (int round = 0; round < atoi(argv[1]); round++)
    for (int i = 0; i < PATTERNS; i++)
      if (!asked || !strcmp(patterns[i].name, asked)) measure(&patterns[i], from, to);
  free(from);
  free(to);
  return 0;
}
