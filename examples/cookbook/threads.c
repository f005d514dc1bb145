#include <pthread.h>

#include "cookbook.h"

/* [recipe] */
static void *sum_of_part(void *argument) { /* each thread has views and results of its own */
  netcl_tensor *part = argument, *sum;
  float *found = allocate(sizeof *found);
  CHECK(netcl_op_reduce(part, NETCL_REDUCTION_SUM, NULL, NULL, &sum));
  CHECK(netcl_tensor_read(sum, found, sizeof *found, NULL, NETCL_WAIT_FOREVER));
  netcl_tensor_release(sum);
  return found;
}
/* [pause] */

void recipe_threads(netcl_device *device) {
  /* [go on] */
  netcl_tensor *x = upload(device, 1, (const int64_t[]){4}, (const float[]){1, 2, 3, 4});
  netcl_tensor *parts[2];
  pthread_t threads[2];
  float total = 0;
  CHECK(netcl_tensor_split(x, 0, (const int64_t[]){2, 2}, 2, parts)); /* views of x */
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&threads[i], NULL, sum_of_part, parts[i]) != 0) fail("thread", "not made");
  }
  for (int i = 0; i < 2; i++) {
    void *found;
    pthread_join(threads[i], &found);
    total += *(float *)found; /* 10 in all */
    free(found);
  }
  /* [end] */
  REQUIRE(total == 10);
  netcl_tensor_release(parts[1]);
  netcl_tensor_release(parts[0]);
  netcl_tensor_release(x);
}
