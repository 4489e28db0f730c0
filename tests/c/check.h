/* check.h - the whole test framework of the C tests: CHECK prints the failing line, main returns check_done(). */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

static inline void check_report(int is_good, const char *file, int line, const char *text) {
  if (is_good) return;
  check_failures++;
  fprintf(stderr, "%s:%d: %s\n", file, line, text);
}

#define CHECK(condition) check_report((condition) != 0, __FILE__, __LINE__, #condition)
#define CHECK_TEXT(got, want) check_text((got), (want), __FILE__, __LINE__)

static inline void check_text(const char *got, const char *want, const char *file, int line) {
  if (got && strcmp(got, want) == 0) return;
  check_failures++;
  fprintf(stderr, "%s:%d: got \"%s\", want \"%s\"\n", file, line, got ? got : "(null)", want);
}

static inline int check_done(void) { return check_failures ? 1 : 0; }

#endif
