/* call.c - nanoseconds for one call of add(a, b) through tsm_call_method and through lua_pcall, interleaved.
 * Usage: call add.tsm rounds calls. Prints one line a round: tsm lua. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tsm.h>

static double nanoseconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double time_tsm(tsm_instance *instance, size_t method, int calls) {
  tsm_error error;
  tsm_value result = tsm_int(0);
  double start = nanoseconds();
  for (int i = 0; i < calls; i++) {
    tsm_value args[2] = {tsm_int(i), result};
    if (tsm_call_method(instance, method, args, 2, NULL, 0, &result, &error)) exit(1);
  }
  return (nanoseconds() - start) / calls;
}

static double time_lua(lua_State *lua, int calls) {
  lua_Integer result = 0;
  double start = nanoseconds();
  for (int i = 0; i < calls; i++) {
    lua_getglobal(lua, "add");
    lua_pushinteger(lua, i);
    lua_pushinteger(lua, result);
    if (lua_pcall(lua, 2, 1, 0)) exit(1);
    result = lua_tointeger(lua, -1);
    lua_pop(lua, 1);
  }
  return (nanoseconds() - start) / calls;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int rounds = atoi(argv[2]), calls = atoi(argv[3]);
  tsm_error error;
  tsm_runtime *runtime = tsm_runtime_new(NULL, &error);
  tsm_program *program = runtime ? tsm_program_open(runtime, argv[1], NULL, &error) : NULL;
  tsm_instance *instance = program ? tsm_instance_new(program, &error) : NULL;
  lua_State *lua = luaL_newstate();
  if (!instance || !lua || luaL_dostring(lua, "function add(a, b) return a + b end")) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  size_t method = (size_t)tsm_program_find(program, "add");
  for (int round = 0; round < rounds; round++)
    printf("%.2f %.2f\n", time_tsm(instance, method, calls), time_lua(lua, calls));
  lua_close(lua);
  tsm_instance_free(instance);
  tsm_program_free(program);
  tsm_runtime_free(runtime);
  return 0;
}
