/* tokenizer.c - writes the tokens of a text, one a line, with the tokenizer of tokenizer.py and without Python.
 * Usage: tokenizer tokenizer.tsm text.txt */
#include <stdio.h>
#include <stdlib.h>

#include <tsm.h>

static int fail(const tsm_error *error) {
  fprintf(stderr, "%s: %s\n%s", error->type[0] ? error->type : tsm_status_text(error->code), error->message,
          error->trace);
  return 1;
}

/* The bytes of a file, for the caller to free; NULL if it cannot be read. */
static char *read_file(const char *path, size_t *out_length) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t capacity = 0, length = 0;
  while (file && !ferror(file) && !feof(file)) {
    if (length == capacity) {
      capacity = capacity ? 2 * capacity : 65536;
      char *larger = realloc(text, capacity);
      if (!larger) break;
      text = larger;
    }
    length += fread(text + length, 1, capacity - length, file);
  }
  bool is_whole = file && feof(file);
  if (file) fclose(file);
  if (!is_whole) {
    perror(path);
    free(text);
    return NULL;
  }
  *out_length = length;
  return text;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s tokenizer.tsm text.txt\n", argv[0]);
    return 2;
  }
  size_t length;
  char *bytes = read_file(argv[2], &length);
  if (!bytes) return 1;

  tsm_error error;
  tsm_value text, tokens, token;
  tsm_runtime *runtime = tsm_runtime_new(NULL, &error);
  tsm_program *program = runtime ? tsm_program_open(runtime, argv[1], NULL, &error) : NULL;
  tsm_instance *tokenizer = program ? tsm_instance_new(program, &error) : NULL;
  if (!tokenizer) return fail(&error);
  if (tsm_str_copy(runtime, bytes, length, &text)) {
    fprintf(stderr, "%s is not UTF-8\n", argv[2]);
    return 1;
  }
  if (tsm_call(tokenizer, "forward", &text, 1, &tokens, &error)) return fail(&error);
  for (size_t i = 0; i < tsm_list_length(tokens); i++) {
    tsm_list_get(tokens, i, &token);
    printf("%d\n", (int)token.as.i);
  }

  tsm_release(tokens);
  tsm_release(text);
  tsm_instance_free(tokenizer);
  tsm_program_free(program);
  tsm_runtime_free(runtime);
  free(bytes);
  return 0;
}
