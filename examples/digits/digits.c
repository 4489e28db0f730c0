/* digits.c - classifies the held-back digits with the scripted module of train.py, without Python.
 * Usage: digits digits.tsm digits.bin [predictions.txt] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tsm.h>

enum { PIXELS = 64, SIDE = 8, SHOWN = 3 };

static double microseconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int fail(const tsm_error *error) {
  fprintf(stderr, "%s%s%s: %s\n%s", error->type, error->type[0] ? ": " : "", tsm_status_text(error->code),
          error->message, error->trace);
  return 1;
}

static void show(const unsigned char *pixels, int answer, int label) {
  for (int row = 0; row < SIDE; row++) {
    for (int column = 0; column < SIDE; column++) {
      char shade = " .:-=+*#%"[pixels[row * SIDE + column] / 2];
      putchar(shade);
      putchar(shade);
    }
    putchar('\n');
  }
  printf("answer %d, label %d\n\n", answer, label);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s digits.tsm digits.bin [predictions.txt]\n", argv[0]);
    return 2;
  }
  tsm_error error;
  tsm_runtime *runtime = tsm_runtime_new(NULL, &error);
  tsm_program *program = runtime ? tsm_program_open(runtime, argv[1], NULL, &error) : NULL;
  tsm_instance *model = program ? tsm_instance_new(program, &error) : NULL;
  if (!model) return fail(&error);

  FILE *images = fopen(argv[2], "rb");
  if (!images) {
    perror(argv[2]);
    return 1;
  }
  FILE *predictions = argc > 3 ? fopen(argv[3], "w") : NULL;
  if (argc > 3 && !predictions) {
    perror(argv[3]);
    return 1;
  }

  unsigned char record[1 + PIXELS]; /* label, then 8 x 8 grey values from 0 to 16 */
  float pixels[PIXELS];
  const int64_t shape[1] = {PIXELS};
  tsm_value input, digit, first;
  if (tsm_tensor_borrow(runtime, TSM_F32, 1, shape, NULL, pixels, false, NULL, NULL, &input)) return 1;

  int count = 0, right = 0, right_first = 0;
  double spent = 0;
  while (fread(record, sizeof record, 1, images) == 1) {
    for (int i = 0; i < PIXELS; i++) pixels[i] = (float)record[1 + i];
    double start = microseconds();
    if (tsm_call(model, "forward", &input, 1, &digit, &error)) return fail(&error);
    spent += microseconds() - start;
    if (tsm_call(model, "first_stage", &input, 1, &first, &error)) return fail(&error);
    if (count < SHOWN) show(record + 1, (int)digit.as.i, record[0]);
    if (predictions) fprintf(predictions, "%d\n", (int)digit.as.i);
    right += digit.as.i == record[0];
    right_first += first.as.i == record[0];
    count++;
  }
  tsm_value second_stage;
  if (tsm_get_attr(model, "second_stage", &second_stage, &error)) return fail(&error);
  if (count == 0) {
    fprintf(stderr, "%s holds no images\n", argv[2]);
    return 1;
  }

  printf("images             %d\n", count);
  printf("accuracy, stage 1  %.4f\n", (double)right_first / count);
  printf("accuracy, both     %.4f\n", (double)right / count);
  printf("took stage two     %.1f %%\n", 100.0 * (double)second_stage.as.i / count);
  printf("time per image     %.2f us\n", spent / count);
  if (predictions) {
    fprintf(predictions, "%d\n", (int)second_stage.as.i);
    if (fclose(predictions)) {
      perror(argv[3]);
      return 1;
    }
  }
  fclose(images);
  tsm_release(input);
  tsm_instance_free(model);
  tsm_program_free(program);
  tsm_runtime_free(runtime);
  return 0;
}
