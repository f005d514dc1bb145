#include "cookbook.h"

void recipe_rope(netcl_device *device) {
  /* [recipe] */
  enum { positions = 3, size = 4 }; /* x is [batch, heads, positions, size] */
  const int64_t shape[4] = {1, 1, positions, size};
  const int64_t cache[2] = {positions, size / 2}, tokens[2] = {1, positions};
  const float ones[positions * size] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  const int64_t places[positions] = {0, 1, 2};
  float cosines[positions * size / 2], sines[positions * size / 2];
  netcl_rotary_embedding_options options = NETCL_ROTARY_EMBEDDING_OPTIONS_INIT;
  netcl_tensor *x, *c, *s, *turned;

  for (int p = 0; p < positions; p++) {
    for (int i = 0; i < size / 2; i++) {
      double angle = p * pow(10000, -2.0 * i / size);
      cosines[p * size / 2 + i] = (float)cos(angle);
      sines[p * size / 2 + i] = (float)sin(angle);
    }
  }
  x = upload(device, 4, shape, ones);
  c = upload(device, 2, cache, cosines);
  s = upload(device, 2, cache, sines);
  CHECK(netcl_tensor_create_from_host(device, NETCL_I64, 2, tokens, NULL, places, sizeof places,
                                      NULL, &options.position_ids));
  CHECK(netcl_op_rotary_embedding(x, c, s, &options, NULL, &turned));
  expect(turned, 12,
         (const float[]){1, 0, 0, 0,                 /* position 0: as it is */
                         0.5403f, 0, 0.84147f, 0,    /* by 1 radian */
                         -0.41615f, 0, 0.9093f, 0}); /* by 2 */
  /* [end] */
  netcl_tensor_release(turned);
  netcl_tensor_release(options.position_ids);
  netcl_tensor_release(s);
  netcl_tensor_release(c);
  netcl_tensor_release(x);
}
