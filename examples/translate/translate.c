/* translate.c - translates a sentence of word numbers with the model of translate.py, without Python: the `width` best
 * translations of at most `limit` words, each after its score.
 * Usage: translate translate.tsm width limit word... */
#include <stdio.h>
#include <stdlib.h>

#include <tsm.h>

enum { MAX_WORDS = 100 };

static int fail(const tsm_error *error) {
  fprintf(stderr, "%s: %s\n%s", error->type[0] ? error->type : tsm_status_text(error->code), error->message,
          error->trace);
  return 1;
}

static void print_words(tsm_value words) {
  tsm_value word;
  for (size_t i = 0; i < tsm_list_length(words); i++) {
    tsm_list_get(words, i, &word);
    printf("%d ", (int)word.as.i);
  }
}

int main(int argc, char **argv) {
  if (argc < 5 || argc > 4 + MAX_WORDS) {
    fprintf(stderr, "usage: %s translate.tsm width limit word...\n", argv[0]);
    return 2;
  }
  tsm_error error;
  tsm_runtime *runtime = tsm_runtime_new(NULL, &error);
  tsm_program *program = runtime ? tsm_program_open(runtime, argv[1], NULL, &error) : NULL;
  tsm_instance *translator = program ? tsm_instance_new(program, &error) : NULL;
  if (!translator) return fail(&error);

  int64_t words[MAX_WORDS];
  const int64_t shape[1] = {argc - 4};
  for (int i = 4; i < argc; i++) words[i - 4] = strtoll(argv[i], NULL, 10);
  tsm_value found, args[3] = {tsm_none(), tsm_int(strtoll(argv[2], NULL, 10)), tsm_int(strtoll(argv[3], NULL, 10))};
  if (tsm_tensor_borrow(runtime, TSM_I64, 1, shape, NULL, words, false, NULL, NULL, &args[0])) return 1;
  if (tsm_call(translator, "search", args, 3, &found, &error)) return fail(&error);
  for (size_t i = 0; i < tsm_list_length(found); i++) {
    tsm_value pair, translation, score;
    tsm_list_get(found, i, &pair);
    tsm_tuple_get(pair, 0, &translation);
    tsm_tuple_get(pair, 1, &score);
    printf("%.6f ", score.as.f);
    print_words(translation);
    putchar('\n');
    tsm_release(translation);
    tsm_release(pair);
  }

  tsm_release(found);
  tsm_release(args[0]);
  tsm_instance_free(translator);
  tsm_program_free(program);
  tsm_runtime_free(runtime);
  return 0;
}
