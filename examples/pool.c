/* pool: device memory that is leased, given back and leased again. */
#include <netcl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(netcl_status status) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", netcl_status_name(status), netcl_last_error_message());
  exit(1);
}

static void print(const char *when, netcl_pool *pool) {
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  check(netcl_pool_get_info(pool, &info));
  printf("%-30s %4u hits %4u misses %8u KiB in use %8u KiB cached\n", when, (unsigned)info.hits,
         (unsigned)info.misses, (unsigned)(info.bytes_in_use >> 10),
         (unsigned)(info.bytes_cached >> 10));
}

int main(void) {
  const int64_t shape[1] = {100000};
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  netcl_tensor_options from_pool = NETCL_TENSOR_OPTIONS_INIT;
  netcl_pool_bucket buckets[8];
  netcl_device *device;
  netcl_pool *pool;
  netcl_tensor *tensor;
  uint32_t count, i;

  check(netcl_device_open("auto", NULL, &device));
  /* Every device has a pool of its own, which tensors use by default. This one keeps 8 MiB. */
  options.kind = NETCL_POOL_POWER_OF_TWO;
  options.max_cached_bytes = 8 << 20;
  check(netcl_pool_create(device, &options, &pool));
  print("at first", pool);

  from_pool.pool = pool;
  for (i = 0; i < 100; ++i) {
    check(netcl_tensor_create_zeros(device, NETCL_F32, 1, shape, NULL, &from_pool, &tensor));
    if (i == 0) print("with one tensor", pool);
    netcl_tensor_release(tensor);
    /* Memory is leased again only when the device is done with it. */
    check(netcl_device_finish(device, NETCL_WAIT_FOREVER));
  }
  print("after 100 tensors, one by one", pool);

  check(netcl_pool_get_buckets(pool, buckets, 8, &count));
  for (i = 0; i < count && i < 8; ++i) {
    printf("  bucket of %u KiB: %u cached\n", (unsigned)(buckets[i].bytes >> 10),
           (unsigned)buckets[i].cached);
  }
  check(netcl_pool_trim(pool, 0));
  print("trimmed", pool);

  netcl_pool_release(pool);
  netcl_device_release(device);
  return 0;
}
