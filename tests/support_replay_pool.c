/* Pooling with indices, and what undoes it, as calls that are replayed. */
#include "support_replay_options.h"

/* What is compared are the indices, which come to lie with or without gaps. */
netcl_status with_pool_indices(const Set* s, int column_major, int spread,
                                 netcl_tensor** result) {
  netcl_pooling_options options = pooling_of(one_size(3), NULL);
  const netcl_tensor_info info = tensor_info(s->image);
  int64_t shape[4];
  netcl_range ranges[4];
  for (int d = 0; d < 4; ++d) {
    shape[d] = ranges[d].extent = info.shape[d] - (d < 2 ? 0 : 2);
    ranges[d].start = 0;
    ranges[d].step = 1;
  }
  if (spread) shape[3] += 2;
  const size_t count = (size_t)product(4, shape);
  int64_t* zeros = calloc(count, sizeof *zeros);
  netcl_device* device = NULL;
  OK(netcl_tensor_get_device(s->image, &device));
  netcl_tensor *whole = make_tensor(device, NETCL_I64, 4, shape, zeros), *part = NULL;
  netcl_device_release(device);
  free(zeros);
  OK(netcl_tensor_slice(whole, ranges, 4, &part));
  netcl_tensor_release(whole);
  options.column_major = (uint32_t)column_major;
  options.indices_into = part;
  netcl_tensor* values = NULL;
  const netcl_status status = netcl_op_pool(s->image, NETCL_POOLING_MAX, &options, NULL, &values);
  netcl_tensor_release(values);
  if (status == NETCL_OK) {
    *result = part;
  } else {
    netcl_tensor_release(part);
  }
  return status;
}

/* Indices of an image of 5 x 7, of which smaller ones leave some out. */
netcl_status unpooled(const Set* s, int64_t height, int64_t width,
                      const netcl_max_unpool2d_options* options, const netcl_run_options* run,
                      netcl_tensor** result) {
  static const int64_t kShape[4] = {1, 2, 2, 3};
  static const int64_t kIndices[12] = {0, 9, 33, 4, 34, -1, 36, 50, 69, 70, 41, 60};
  netcl_range rows[2] = {{0, 2, 1}, {0, 6, 1}};
  netcl_tensor *some = NULL, *x = NULL, *indices;
  netcl_device* device = NULL;
  OK(netcl_tensor_slice(s->square, rows, 2, &some));
  OK(netcl_tensor_reshape(some, 4, kShape, NULL, &x));
  OK(netcl_tensor_get_device(s->square, &device));
  indices = make_tensor(device, NETCL_I64, 4, kShape, kIndices);
  netcl_device_release(device);
  const netcl_status status =
      netcl_op_max_unpool2d(x, indices, height, width, options, run, result);
  netcl_tensor_release(some);
  netcl_tensor_release(x);
  netcl_tensor_release(indices);
  return status;
}
