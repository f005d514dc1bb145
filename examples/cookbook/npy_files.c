#include <unistd.h>

#include "cookbook.h"

void recipe_npy_files(netcl_device *device) {
  char path[] = "/tmp/cookbook-XXXXXX";
  int file = mkstemp(path);
  REQUIRE(file >= 0);
  close(file);
  /* [recipe] */
  netcl_tensor *x = upload(device, 2, (const int64_t[]){2, 2}, (const float[]){1, 2, 3, 4});
  netcl_tensor *again;
  CHECK(netcl_tensor_save_npy(x, path, NETCL_WAIT_FOREVER)); /* numpy.load(path) reads it */
  CHECK(netcl_tensor_load_npy(device, path, NULL, &again));
  expect(again, 4, (const float[]){1, 2, 3, 4});
  /* [end] */
  unlink(path);
  netcl_tensor_release(again);
  netcl_tensor_release(x);
}
