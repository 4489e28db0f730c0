/* language.c - seconds of one call of a function of language.py, compiled, and of its Lua twin, in turns.
 * Usage: language program.tsm twin.lua function argument rounds. Prints one line a round: tsm lua, after checking that
 * both give the same. With "-" for the twin only tsm runs: for counting instructions. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tsm.h>

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double run_tsm(tsm_instance *instance, const char *name, int64_t argument, double *out_result) {
  tsm_error error;
  tsm_value value = tsm_int(argument), result;
  double start = seconds();
  if (tsm_call(instance, name, &value, 1, &result, &error)) {
    fprintf(stderr, "%s\n", error.message);
    exit(1);
  }
  *out_result = result.kind == TSM_FLOAT ? result.as.f : (double)result.as.i;
  return seconds() - start;
}

static double run_lua(lua_State *lua, const char *name, int64_t argument, double *out_result) {
  double start = seconds();
  lua_getglobal(lua, name);
  lua_pushinteger(lua, argument);
  if (lua_pcall(lua, 1, 1, 0)) {
    fprintf(stderr, "%s\n", lua_tostring(lua, -1));
    exit(1);
  }
  *out_result = lua_tonumber(lua, -1);
  lua_pop(lua, 1);
  return seconds() - start;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  int64_t argument = atoll(argv[4]);
  int rounds = atoi(argv[5]);
  tsm_error error = {0};
  tsm_runtime *runtime = tsm_runtime_new(NULL, &error);
  tsm_program *program = runtime ? tsm_program_open(runtime, argv[1], NULL, &error) : NULL;
  tsm_instance *instance = program ? tsm_instance_new(program, &error) : NULL;
  lua_State *lua = strcmp(argv[2], "-") ? luaL_newstate() : NULL;
  if (lua) luaL_openlibs(lua);
  if (!instance || (lua && luaL_dofile(lua, argv[2]))) {
    fprintf(stderr, "%s\n", instance ? lua_tostring(lua, -1) : error.message);
    return 1;
  }
  for (int round = 0; round < rounds; round++) {
    double ours, theirs, first = run_tsm(instance, argv[3], argument, &ours);
    if (!lua) continue;
    double second = run_lua(lua, argv[3], argument, &theirs);
    if (fabs(ours - theirs) > 1e-9 * fabs(theirs)) {
      fprintf(stderr, "%s: %.17g is not Lua's %.17g\n", argv[3], ours, theirs);
      return 1;
    }
    printf("%.9f %.9f\n", first, second);
  }
  if (lua) lua_close(lua);
  tsm_instance_free(instance);
  tsm_program_free(program);
  tsm_runtime_free(runtime);
  return 0;
}
