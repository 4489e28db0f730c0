/* handoff.c - how long a line of memory takes from one processor to another and back: handoff rounds. One line a round,
 * in nanoseconds. On a virtual machine its processors may be neighbours now and far from each other an hour later, and
 * what a second thread gains changes with it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 20000, ABSENT = 100 };

static _Alignas(128) _Atomic int ball;
static cpu_set_t allowed; /* to the process */

/* Binds this thread to the last processor or, with 1, to the one before it. */
static void pin(int from_last) {
  cpu_set_t one;
  CPU_ZERO(&one);
  int skipped = CPU_COUNT(&allowed) - 1 - from_last;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET((size_t)cpu, &allowed) && skipped-- == 0) CPU_SET((size_t)cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

static void *answer(void *user) {
  pin(0);
  for (int i = 0; i < TURNS; i++) {
    while (atomic_load(&ball) != 2 * i + 1) {}
    atomic_store(&ball, 2 * i + 2);
  }
  return user;
}

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char **argv) {
  sched_getaffinity(0, sizeof allowed, &allowed);
  if (argc != 2 || CPU_COUNT(&allowed) < 2) return 2;
  pin(1);
  for (int round = 0; round < atoi(argv[1]); round++) {
    pthread_t other;
    double start = 0;
    atomic_store(&ball, 0);
    if (pthread_create(&other, NULL, answer, NULL)) return 1;
    for (int i = 0; i < TURNS; i++) {
      if (i == ABSENT) start = nanoseconds(); /* by then the other one is there */
      atomic_store(&ball, 2 * i + 1);
      while (atomic_load(&ball) != 2 * i + 2) {}
    }
    printf("%.1f\n", (nanoseconds() - start) / (TURNS - ABSENT));
    pthread_join(other, NULL);
  }
  return 0;
}
