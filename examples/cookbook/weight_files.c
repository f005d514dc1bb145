#include <unistd.h>

#include "cookbook.h"

void recipe_weight_files(netcl_device *device) {
  char path[] = "/tmp/cookbook-XXXXXX";
  int file = mkstemp(path);
  REQUIRE(file >= 0);
  close(file);
  /* [recipe] */
  const char *const names[1] = {"layer.weight"};
  netcl_tensor *w = upload(device, 1, (const int64_t[]){3}, (const float[]){1, 2, 3}), *again;
  netcl_weights *weights;
  uint32_t index;
  CHECK(netcl_weights_save(path, NETCL_WEIGHTS_SAFETENSORS, names, 1, &w, 1, NULL,
                           NETCL_WAIT_FOREVER));
  CHECK(netcl_weights_open(device, path, NULL, &weights)); /* safetensors, GGUF or .npz */
  CHECK(netcl_weights_find(weights, "layer.weight", &index));
  CHECK(netcl_weights_get_tensor(weights, index, NULL, &again));
  expect(again, 3, (const float[]){1, 2, 3});
  /* [end] */
  netcl_tensor_release(again);
  netcl_weights_release(weights);
  netcl_tensor_release(w);
  unlink(path);
}
