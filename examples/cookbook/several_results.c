#include "cookbook.h"

void recipe_several_results(netcl_device *device) {
  /* [recipe] */
  const char *const turn[2] = {"v0 * v2 - v1 * v3", "v0 * v3 + v1 * v2"};
  netcl_tensor *in[4], *out[2];
  const float values[4] = {1, 0, 0.6f, 0.8f}; /* x, y, cos, sin: numbers are tensors of rank 0 */
  for (int i = 0; i < 4; i++) in[i] = upload(device, 0, NULL, &values[i]);
  CHECK(netcl_op_expressions(turn, 2, in, 4, NULL, NULL, out)); /* one kernel reads each once */
  expect(out[0], 1, (const float[]){0.6f});
  expect(out[1], 1, (const float[]){0.8f});
  /* [end] */
  for (int i = 0; i < 4; i++) netcl_tensor_release(in[i]);
  netcl_tensor_release(out[1]);
  netcl_tensor_release(out[0]);
}
