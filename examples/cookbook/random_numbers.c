#include "cookbook.h"

void recipe_random_numbers(netcl_device *device) {
  /* [recipe] */
  netcl_random_options normal = NETCL_RANDOM_OPTIONS_INIT;
  netcl_tensor *whole, *rest;
  float all[8], second_half[4];
  normal.seed = 42;
  normal.distribution = NETCL_NORMAL; /* mean 0, deviation 1 */
  CHECK(netcl_tensor_create_random(device, NETCL_F32, 1, (const int64_t[]){8}, NULL, &normal, NULL,
                                   &whole));
  normal.offset = 4; /* goes on where the first four ended: for parts, and for several devices */
  CHECK(netcl_tensor_create_random(device, NETCL_F32, 1, (const int64_t[]){4}, NULL, &normal, NULL,
                                   &rest));
  CHECK(netcl_tensor_read(whole, all, sizeof all, NULL, NETCL_WAIT_FOREVER));
  CHECK(netcl_tensor_read(rest, second_half, sizeof second_half, NULL, NETCL_WAIT_FOREVER));
  /* [end] */
  REQUIRE(memcmp(all + 4, second_half, sizeof second_half) == 0);
  REQUIRE(all[0] != all[1]);
  netcl_tensor_release(rest);
  netcl_tensor_release(whole);
}
