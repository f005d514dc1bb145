#include "cookbook.h"

void recipe_pick_rows(netcl_device *device) {
  /* [recipe] */
  const int32_t rows[3] = {2, 0, -1}; /* -1: the last one */
  netcl_tensor *table, *indices, *picked;
  table = upload(device, 2, (const int64_t[]){3, 2}, (const float[]){1, 2, 3, 4, 5, 6});
  CHECK(netcl_tensor_create_from_host(device, NETCL_I32, 1, (const int64_t[]){3}, NULL, rows,
                                      sizeof rows, NULL, &indices));
  CHECK(netcl_op_gather(table, indices, 0, NULL, &picked));
  expect(picked, 6, (const float[]){5, 6, 1, 2, 5, 6});
  /* [end] */
  netcl_tensor_release(picked);
  netcl_tensor_release(indices);
  netcl_tensor_release(table);
}
