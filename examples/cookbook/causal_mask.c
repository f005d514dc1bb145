#include "cookbook.h"

void recipe_causal_mask(netcl_device *device) {
  /* [recipe] */
  const int64_t shape[4] = {1, 1, 2, 2}; /* [batch, heads, tokens, size] */
  netcl_tensor *q = upload(device, 4, shape, (const float[]){1, 0, 0, 1});
  netcl_tensor *k = upload(device, 4, shape, (const float[]){1, 0, 0, 1});
  netcl_tensor *v = upload(device, 4, shape, (const float[]){1, 2, 3, 4});
  netcl_tensor *y;
  netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
  options.causal = 1; /* a token sees itself and those before it; no mask is made */
  CHECK(netcl_op_attention(q, k, v, &options, NULL, &y, NULL));
  expect(y, 4, (const float[]){1, 2, 2.33951f, 3.33951f}); /* the first sees itself alone */
  /* [end] */
  netcl_tensor_release(y);
  netcl_tensor_release(v);
  netcl_tensor_release(k);
  netcl_tensor_release(q);
}
