/* test_poll.c - the host's poll is asked every TSM_POLL_UNITS of fuel, and ends what runs when it says so. */
#include "check.h"
#include "base/context.h"

typedef struct host { int asked, stop_at; } host;

static bool poll(void *user) {
  host *h = user;
  return ++h->asked == h->stop_at;
}

int main(void) {
  host h = {0, 0};
  tsm_runtime_options options = TSM_RUNTIME_OPTIONS_INIT;
  options.poll = poll;
  options.poll_user = &h;
  tsm_runtime *rt = tsm_runtime_new(&options, NULL);
  CHECK(rt != NULL);
  tsm_context *ctx = tsm_context_new(rt, NULL);
  CHECK(ctx != NULL);
  for (int i = 0; i < 10 * TSM_POLL_UNITS / 64; i++) CHECK(tsm_charge(ctx, 64) == TSM_OK);
  CHECK(h.asked == 10 || h.asked == 11);
  h = (host){0, 2};
  int64_t units = 0;
  while (tsm_charge(ctx, 1) == TSM_OK) units++;
  CHECK(ctx->status == TSM_ERR_CANCELLED);
  CHECK(h.asked == 2 && units <= 2 * TSM_POLL_UNITS);
  tsm_context_free(ctx);
  tsm_runtime_free(rt);
  return check_done();
}
