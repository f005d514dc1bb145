#include "cookbook.h"

void recipe_softmax_rows(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *scores = upload(device, 2, (const int64_t[]){2, 2}, (const float[]){0, 0, 0, 1});
  netcl_tensor *odds;
  CHECK(netcl_op_softmax(scores, -1, NULL, &odds)); /* along the last axis */
  expect(odds, 4, (const float[]){0.5f, 0.5f, 0.26894f, 0.73106f});
  /* [end] */
  netcl_tensor_release(odds);
  netcl_tensor_release(scores);
}
