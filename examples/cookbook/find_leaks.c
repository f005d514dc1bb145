#include "cookbook.h"

void recipe_find_leaks(netcl_device *device) {
  /* [recipe] */
  uint64_t before, after;
  CHECK(netcl_library_get_live_count(NETCL_HANDLE_TENSOR, &before));
  netcl_tensor *x = upload(device, 1, (const int64_t[]){1}, (const float[]){1});
  netcl_tensor_release(x);
  CHECK(netcl_library_get_live_count(NETCL_HANDLE_TENSOR, &after));
  if (after != before) fprintf(stderr, "a step leaves tensors behind\n");
  /* [end] */
  REQUIRE(after == before);
}
