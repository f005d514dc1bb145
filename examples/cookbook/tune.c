#include "cookbook.h"

void recipe_tune(netcl_device *device) {
  /* [recipe] */
  netcl_tuner *tuner;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
  search.budget_ns = (uint64_t)200 * 1000 * 1000; /* 0.2 s; by default a minute */
  options.search = &search;
  CHECK(netcl_tuner_create(device, &options, &tuner));
  CHECK(netcl_tuner_add_matmul(tuner, 1, 64, 64, 64, NETCL_F32)); /* netcl_tuner_add: a kernel */
  CHECK(netcl_tuner_run(tuner));
  CHECK(netcl_tuner_get_result(tuner, 0, &result, NULL));
  printf("%s: %.1f us, by default %.1f us\n", result.name, result.median * 1e-3,
         result.default_median * 1e-3); /* kept on disk: later programs take the winner */
  netcl_tuner_release(tuner);
  /* [end] */
  REQUIRE(result.status == NETCL_OK);
}
