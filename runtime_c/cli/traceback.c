/* traceback.c - errors as Python shows them.
 * In: a tsm_error, the program with its sources. Out: lines on stderr. */
#include "traceback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line without the spaces around it; empty if there is none. */
static void print_line(const char *text, size_t length, long number) {
  const char *end = text + length;
  for (; number > 1 && text < end; number--) {
    const char *next = memchr(text, '\n', (size_t)(end - text));
    text = next ? next + 1 : end;
  }
  const char *stop = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
  if (!stop) stop = end;
  while (text < stop && strchr(" \t\f", *text)) text++;
  while (text < stop && strchr(" \t\r", stop[-1])) stop--;
  if (text < stop) fprintf(stderr, "    %.*s\n", (int)(stop - text), text);
}

/* `place` is `  File "net.py", line 3, in forward`. */
static void print_source(const tsm_program *program, const char *place, size_t length) {
  static const char before[] = "  File \"", between[] = "\", line ";
  char copy[2048];
  if (!program || length < sizeof before || length >= sizeof copy) return;
  memcpy(copy, place, length);
  copy[length] = 0;
  char *file = copy + sizeof before - 1, *end = NULL;
  for (char *at = file; (at = strstr(at, between)); at++) end = at;
  if (strncmp(copy, before, sizeof before - 1) != 0 || !end) return;
  *end = 0;
  const char *text;
  size_t size;
  if (tsm_program_source(program, file, &text, &size) == TSM_OK)
    print_line(text, size, strtol(end + sizeof between - 1, NULL, 10));
}

void print_error(const tsm_program *program, const tsm_error *e) {
  if (e->trace[0]) fputs("Traceback (most recent call last):\n", stderr);
  else if (e->line) fprintf(stderr, "  File \"%s\", line %d\n", e->file, (int)e->line);
  for (const char *at = e->trace; *at;) {
    size_t length = strcspn(at, "\n");
    fprintf(stderr, "%.*s\n", (int)length, at);
    print_source(program, at, length);
    at += length + (at[length] == '\n');
  }
  if (e->code == TSM_ERR_RAISED) fprintf(stderr, "%s: %s\n", e->type, e->message);
  else fprintf(stderr, "tsm-run: %s\n", e->message[0] ? e->message : tsm_status_text(e->code));
}
