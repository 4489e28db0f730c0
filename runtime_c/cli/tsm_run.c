/* tsm_run.c - runs a method of a .tsm file from the command line.
 * In: a file, a method, arguments as .npy files or Python literals. Out: results as text or .npy files.
 * Exit codes: 0 ok, 1 the program raised or trapped, 2 wrong use, 3 the file was refused. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "literal.h"
#include "npy.h"
#include "traceback.h"
#include "tsm.h"

enum { EXIT_RAISED = 1, EXIT_USE = 2, EXIT_FILE = 3, MAX_ARGS = 256 };

typedef struct arguments {
  const char *file, *method, *output, *isa;
  bool info, plan, stats;
  uint64_t fuel, memory, threads;
  const char *values[MAX_ARGS];
  size_t count;
} arguments;

static const char usage[] =
    "usage: tsm-run [options] model.tsm [method] [argument ...]\n"
    "  An argument is an .npy file or a Python literal: 3, 2.5, True, None, 'text', [1, 2]; name=argument gives it by\n"
    "  name. The method may be left out when there is one only, or one called forward.\n"
    "  --info          list methods, attributes, operators and metadata\n"
    "  --plan          list the instructions of every function\n"
    "  --stats         print what memory the run took to stderr, beside the least it could have done with\n"
    "  -o PREFIX       write tensor results to PREFIX.npy; those in tuples, lists and dicts to PREFIX.0.npy, PREFIX.KEY.npy\n"
    "  --fuel N        stop after N units of work, of at most 100 ns each\n"
    "  --memory BYTES  stop when more memory is needed\n"
    "  --threads N     threads at work at once, this one among them; default: one a processor\n"
    "  --isa NAME      instruction set: base, avx2 or avx512; default: the best this processor has\n";

static void print_hook(void *user, const char *text, size_t length) {
  (void)user;
  fwrite(text, 1, length, stdout);
}

static void print_error_hook(void *user, const char *text, size_t length) {
  (void)user;
  fwrite(text, 1, length, stderr);
}

/* As Python shows it. */
static bool warn_hook(void *user, const tsm_warning *warning) {
  (void)user;
  fflush(stdout);
  if (*warning->file) fprintf(stderr, "%s:%u: ", warning->file, (unsigned)warning->line);
  fprintf(stderr, "%.*s: ", (int)strcspn(warning->category, "<"), warning->category);
  fwrite(warning->text, 1, warning->length, stderr);
  fputc('\n', stderr);
  return false;
}

static bool parse_count(const char *text, uint64_t *out) {
  char *end;
  if (!text || *text < '0' || *text > '9') return false;
  *out = strtoull(text, &end, 10);
  return !*end;
}

/* True if argv[*i] is an option, whose value (if it has one) is argv[++*i]. */
static bool parse_option(arguments *a, int argc, char **argv, int *i, bool *out_is_wrong) {
  const char *word = argv[*i], *next = *i + 1 < argc ? argv[*i + 1] : NULL;
  *out_is_wrong = false;
  if (strcmp(word, "--info") == 0) return a->info = true;
  if (strcmp(word, "--plan") == 0) return a->plan = true;
  if (strcmp(word, "--stats") == 0) return a->stats = true;
  if (strcmp(word, "-o") == 0) a->output = next, *out_is_wrong = !next;
  else if (strcmp(word, "--fuel") == 0) *out_is_wrong = !parse_count(next, &a->fuel);
  else if (strcmp(word, "--memory") == 0) *out_is_wrong = !parse_count(next, &a->memory);
  else if (strcmp(word, "--threads") == 0) *out_is_wrong = !parse_count(next, &a->threads) || a->threads > UINT32_MAX;
  else if (strcmp(word, "--isa") == 0) a->isa = next, *out_is_wrong = !next;
  else if (word[0] == '-' && word[1] == '-') *out_is_wrong = true;
  else return false;
  ++*i;
  return true;
}

static bool parse_arguments(arguments *a, int argc, char **argv) {
  memset(a, 0, sizeof *a);
  for (int i = 1; i < argc; i++) {
    bool is_wrong;
    if (parse_option(a, argc, argv, &i, &is_wrong)) {
      if (is_wrong) return false;
    } else if (!a->file) {
      a->file = argv[i];
    } else if (a->count == MAX_ARGS) {
      return false;
    } else {
      a->values[a->count++] = argv[i];
    }
  }
  return a->file != NULL;
}

static int report(const tsm_program *p, const tsm_error *e, int code) {
  print_error(p, e);
  return code;
}

static void print_type(const tsm_type *type) {
  char text[512];
  tsm_type_text(type, text, sizeof text);
  fputs(text, stdout);
}

static void print_value(tsm_runtime *rt, tsm_value v) {
  tsm_value text;
  size_t length;
  if (tsm_value_text(rt, v, true, &text) != TSM_OK) return;
  const char *bytes = tsm_str_borrow(text, &length);
  fwrite(bytes, 1, length, stdout);
  tsm_release(text);
}

static void print_method(tsm_runtime *rt, const tsm_program *p, size_t index) {
  tsm_method_info m;
  tsm_value v;
  bool has_star = false;
  if (tsm_program_method(p, index, &m) != TSM_OK) return;
  printf("  %s(", m.name);
  for (size_t i = 0; i < m.param_count; i++) {
    if (m.params[i].keyword_only && !has_star) {
      printf("%s*", i ? ", " : "");
      has_star = true;
      printf(", ");
    } else if (i) {
      printf(", ");
    }
    printf("%s: ", m.params[i].name);
    print_type(m.params[i].type);
    if (tsm_program_default(p, index, i, &v) == TSM_OK) {
      printf(" = ");
      print_value(rt, v);
      tsm_release(v);
    }
  }
  printf(") -> ");
  print_type(m.result);
  printf("\n");
  if (m.doc[0]) printf("      %s\n", m.doc);
}

static void print_attributes(tsm_instance *instance) {
  tsm_value root;
  if (tsm_instance_root(instance, &root) != TSM_OK) return;
  const tsm_type *type = tsm_value_type(root);
  printf("attributes of %s\n", tsm_type_name(type));
  for (size_t i = 0; i < tsm_type_member_count(type); i++) {
    printf("  %s: ", tsm_type_member_name(type, i));
    print_type(tsm_type_member(type, i));
    printf("\n");
  }
  tsm_release(root);
}

static void print_info(tsm_runtime *rt, const tsm_program *p, tsm_instance *instance) {
  printf("methods\n");
  for (size_t i = 0; i < tsm_program_method_count(p); i++) print_method(rt, p, i);
  print_attributes(instance);
  printf("operators\n ");
  for (size_t i = 0; i < tsm_program_operator_count(p); i++) printf(" %s", tsm_program_operator(p, i));
  printf("\n");
  if (tsm_program_metadata_count(p)) printf("metadata\n");
  for (size_t i = 0; i < tsm_program_metadata_count(p); i++) {
    const char *key, *value;
    size_t length;
    if (tsm_program_metadata(p, i, &key, &value, &length) == TSM_OK) printf("  %s: %.*s\n", key, (int)length, value);
  }
  if (tsm_program_extra_count(p)) printf("extra files\n");
  for (size_t i = 0; i < tsm_program_extra_count(p); i++) {
    const char *name;
    const void *bytes;
    size_t length;
    if (tsm_program_extra(p, i, &name, &bytes, &length) == TSM_OK) printf("  %s (%zu bytes)\n", name, length);
  }
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static const tsm_type *find_param(const tsm_method_info *m, const char *name, size_t length) {
  for (size_t i = 0; i < m->param_count; i++)
    if (strlen(m->params[i].name) == length && memcmp(m->params[i].name, name, length) == 0) return m->params[i].type;
  return NULL;
}

static bool read_argument(tsm_runtime *rt, const char *text, const tsm_type *type, tsm_value *out) {
  char why[512];
  if (ends_with(text, ".npy")) {
    if (npy_read(rt, text, out, why, sizeof why)) return true;
    fprintf(stderr, "tsm-run: %s\n", why);
    return false;
  }
  if (literal_parse(rt, text, type, out)) return true;
  fprintf(stderr, "tsm-run: '%s' is neither an .npy file nor a Python literal (write text as \"'text'\")\n", text);
  return false;
}

typedef struct call_arguments {
  tsm_value values[MAX_ARGS];
  char *names[MAX_ARGS]; /* of the last `named` values */
  size_t count, named;
} call_arguments;

/* A parameter name before '='; 0 if the text has none. */
static size_t name_length(const tsm_method_info *m, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || !find_param(m, text, (size_t)(equals - text))) return 0;
  return (size_t)(equals - text);
}

static bool read_arguments(tsm_runtime *rt, const tsm_method_info *m, const char *const *texts, size_t count,
                           call_arguments *out) {
  for (size_t i = 0; i < count; i++) {
    size_t n = name_length(m, texts[i]);
    const tsm_type *type = n ? find_param(m, texts[i], n) : i < m->param_count ? m->params[i].type : NULL;
    if (!n && out->named) {
      fprintf(stderr, "tsm-run: a positional argument follows one given by name\n");
      return false;
    }
    if (!read_argument(rt, texts[i] + (n ? n + 1 : 0), type, &out->values[out->count])) return false;
    out->count++;
    if (!n) continue;
    char *name = calloc(n + 1, 1);
    if (!name) return false;
    memcpy(name, texts[i], n);
    out->names[out->named++] = name;
  }
  return true;
}

enum { PATH_CAP = 4096, RESULT_DEPTH = 32 }; /* deeper parts of a result are printed */

static bool write_tensor(const char *path, tsm_value v) {
  char name[PATH_CAP + 8], why[512];
  snprintf(name, sizeof name, "%s.npy", path);
  if (npy_write(name, v, why, sizeof why)) return true;
  fprintf(stderr, "tsm-run: %s\n", why);
  return false;
}

static bool give_result(tsm_runtime *rt, char *path, unsigned depth, tsm_value v);

/* One part of a result, under the path of the whole with the part's name behind it. Takes the value. */
static bool give_part(tsm_runtime *rt, char *path, unsigned depth, const char *name, tsm_value part) {
  size_t length = strlen(path), added = strlen(name) + 1;
  bool is_given = length + added < PATH_CAP;
  if (is_given) {
    snprintf(path + length, PATH_CAP - length, ".%s", name);
    is_given = give_result(rt, path, depth + 1, part);
    path[length] = 0;
  } else {
    fprintf(stderr, "tsm-run: the name of a file for a part of the result is too long\n");
  }
  tsm_release(part);
  return is_given;
}

/* A key as a part of a file's name: a text of letters, digits, - and _ or an int is itself, else the place counts, after
 * an = that no text has. */
static void name_of_key(tsm_value key, size_t place, char *out, size_t cap) {
  size_t length = 0;
  const char *text = key.kind == TSM_STR ? tsm_str_borrow(key, &length) : NULL;
  bool is_plain = text && length && length < cap;
  for (size_t i = 0; is_plain && i < length; i++) {
    char c = text[i];
    is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  }
  if (is_plain) snprintf(out, cap, "%.*s", (int)length, text);
  else if (key.kind == TSM_INT) snprintf(out, cap, "%" PRId64, key.as.i);
  else snprintf(out, cap, "=%zu", place);
}

static bool give_dict(tsm_runtime *rt, char *path, unsigned depth, tsm_value v) {
  size_t position = 0;
  bool is_given = true;
  tsm_value key = tsm_none(), part = tsm_none();
  for (size_t i = 0; is_given && tsm_dict_next(v, &position, &key, &part); i++) {
    char name[256];
    name_of_key(key, i, name, sizeof name);
    tsm_release(key);
    is_given = give_part(rt, path, depth, name, part);
  }
  return is_given;
}

static bool give_items(tsm_runtime *rt, char *path, unsigned depth, tsm_value v) {
  size_t n = v.kind == TSM_TUPLE ? tsm_tuple_length(v) : tsm_list_length(v);
  bool is_given = true;
  for (size_t i = 0; i < n && is_given; i++) {
    tsm_value part = tsm_none();
    char name[24];
    if (v.kind == TSM_TUPLE) tsm_tuple_get(v, i, &part);
    else tsm_list_get(v, i, &part);
    snprintf(name, sizeof name, "%zu", i);
    is_given = give_part(rt, path, depth, name, part);
  }
  return is_given;
}

/* Tensors of a result go to files at a path when one is given, those in a container with their index or key behind it;
 * everything else is printed. */
static bool give_result(tsm_runtime *rt, char *path, unsigned depth, tsm_value v) {
  if (path && v.kind == TSM_TENSOR) return write_tensor(path, v);
  if (path && depth < RESULT_DEPTH) {
    if (v.kind == TSM_TUPLE || v.kind == TSM_LIST) return give_items(rt, path, depth, v);
    if (v.kind == TSM_DICT) return give_dict(rt, path, depth, v);
  }
  if (v.kind == TSM_NONE && !depth) return true;
  print_value(rt, v);
  printf("\n");
  return true;
}

static bool give_whole(tsm_runtime *rt, const char *prefix, tsm_value v) {
  char path[PATH_CAP];
  if (prefix && strlen(prefix) >= sizeof path) {
    fprintf(stderr, "tsm-run: the name of the file for the result is too long\n");
    return false;
  }
  snprintf(path, sizeof path, "%s", prefix ? prefix : "");
  return give_result(rt, prefix ? path : NULL, 0, v);
}

/* The only method that gives no default ("f.x" gives that of f's x); -1 if there are several. */
static int32_t only_method(const tsm_program *p) {
  int32_t found = -1;
  tsm_method_info m;
  for (size_t i = 0; tsm_program_method(p, i, &m) == TSM_OK; i++) {
    if (strchr(m.name, '.')) continue;
    if (found >= 0) return -1;
    found = (int32_t)i;
  }
  return found;
}

/* The method the first argument names, else the only one, else forward, with hooks if it has any. -1: none. */
static int32_t choose_method(const tsm_program *p, arguments *a) {
  if (a->count) {
    int32_t index = tsm_program_find(p, a->values[0]);
    if (index >= 0) {
      a->method = a->values[0];
      memmove(a->values, a->values + 1, --a->count * sizeof *a->values);
      return index;
    }
  }
  int32_t only = only_method(p), hooked = tsm_program_find(p, "__call__");
  return only >= 0 ? only : hooked >= 0 ? hooked : tsm_program_find(p, "forward");
}

static int run_method(tsm_runtime *rt, const tsm_program *p, tsm_instance *instance, arguments *a) {
  tsm_error e;
  tsm_method_info m;
  int32_t index = choose_method(p, a);
  if (index < 0 || tsm_program_method(p, (size_t)index, &m) != TSM_OK) {
    fprintf(stderr, "tsm-run: name one of the methods, which --info lists\n");
    return EXIT_USE;
  }
  static call_arguments args;
  tsm_value result = tsm_none();
  int code = EXIT_USE;
  memset(&e, 0, sizeof e);
  if (read_arguments(rt, &m, a->values, a->count, &args)) {
    const char *const *names = (const char *const *)args.names;
    tsm_status status = tsm_call_method(instance, (size_t)index, args.values, args.count, names, args.named, &result,
                                        &e);
    if (status == TSM_OK) code = give_whole(rt, a->output, result) ? 0 : EXIT_USE;
    else code = report(p, &e, status == TSM_ERR_ARGUMENT ? EXIT_USE : EXIT_RAISED);
  }
  tsm_release(result);
  tsm_release_all(args.values, args.count);
  for (size_t i = 0; i < args.named; i++) free(args.names[i]);
  return code;
}

static int print_plan(const tsm_program *p) {
  tsm_value text;
  size_t length;
  tsm_error e;
  if (tsm_program_plan(p, &text, &e) != TSM_OK) return report(p, &e, EXIT_RAISED);
  const char *bytes = tsm_str_borrow(text, &length);
  fwrite(bytes, 1, length, stdout);
  tsm_release(text);
  return 0;
}

/* Mapped, so that weights are read only when a kernel wants them; read where a file cannot be mapped. */
static tsm_program *open_program(tsm_runtime *rt, const char *path, tsm_error *out_error) {
  tsm_program *p = tsm_program_map(rt, path, NULL, out_error);
  return p || out_error->code != TSM_ERR_IO ? p : tsm_program_open(rt, path, NULL, out_error);
}

/* What was loaded and the tensors that lived at once are the least a run can do with; the rest of what was in use are
 * packed weights, work space and objects. */
static void print_stats(tsm_runtime *rt, uint64_t loaded) {
  uint64_t tensors = tsm_runtime_tensors_peak(rt), most = tsm_runtime_memory_peak(rt);
  fprintf(stderr, "loaded %llu bytes, tensors %llu at once: at least %llu; most in use %llu, held %llu\n",
          (unsigned long long)loaded, (unsigned long long)tensors, (unsigned long long)(loaded + tensors),
          (unsigned long long)most, (unsigned long long)tsm_runtime_memory_held(rt));
}

static int run(tsm_runtime *rt, arguments *a) {
  tsm_error e;
  tsm_program *p = open_program(rt, a->file, &e);
  if (!p) return report(NULL, &e, EXIT_FILE);
  tsm_instance *instance = tsm_instance_new(p, &e);
  int code = EXIT_FILE;
  if (!instance) {
    report(p, &e, EXIT_FILE);
  } else if (a->info) {
    print_info(rt, p, instance);
    code = 0;
  } else if (a->plan) {
    code = print_plan(p);
  } else {
    uint64_t before = tsm_runtime_memory(rt);
    tsm_instance_set_fuel(instance, a->fuel);
    code = run_method(rt, p, instance, a);
    if (a->stats)
      print_stats(rt, before);
  }
  tsm_instance_free(instance);
  tsm_program_free(p);
  return code;
}

int main(int argc, char **argv) {
  arguments a;
  tsm_error e;
  if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
    fputs(usage, stdout);
    return 0;
  }
  if (!parse_arguments(&a, argc, argv)) {
    fputs(usage, stderr);
    return EXIT_USE;
  }
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.print = print_hook;
  options.print_error = print_error_hook;
  options.warn = warn_hook;
  options.memory_cap = a.memory;
  options.threads = (uint32_t)a.threads;
  options.isa = a.isa;
  tsm_tuning tuning = TSM_TUNING_INIT;
  tuning.watch_tensors = a.stats;
  options.tuning = &tuning;
  tsm_runtime *rt = tsm_runtime_new(&options, &e);
  if (!rt) return report(NULL, &e, EXIT_USE);
  int code = run(rt, &a);
  tsm_runtime_free(rt);
  return code;
}
