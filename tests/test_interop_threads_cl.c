/* One memory object that several threads wrap at once. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>

#include "support_kernel.h"

enum { THREADS = 4, WRAPS = 4000, ELEMENTS = 1024 };

typedef struct Wrapper {
  netcl_device* device;
  cl_mem mem;
  netcl_status status; /* of the first call that failed */
} Wrapper;

static void* wrap(void* given) {
  Wrapper* wrapper = given;
  const int64_t shape = ELEMENTS;
  for (int i = 0; i < WRAPS && wrapper->status == NETCL_OK; ++i) {
    netcl_tensor* tensor = NULL;
    wrapper->status = netcl_tensor_create_from_cl(wrapper->device, wrapper->mem, 0, NETCL_F32, 1,
                                                  &shape, NULL, NULL, &tensor);
    netcl_tensor_release(tensor);
  }
  return NULL;
}

static void wrapped_by_threads(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  cl_context context = NULL;
  cl_int code = 0;
  pthread_t threads[THREADS];
  Wrapper wrappers[THREADS];
  OK(netcl_device_get_cl_context(fixture->device, &context));
  const cl_mem mem =
      clCreateBuffer(context, CL_MEM_READ_WRITE, ELEMENTS * sizeof(float), NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  for (int i = 0; i < THREADS; ++i) {
    wrappers[i] = (Wrapper){fixture->device, mem, NETCL_OK};
    assert_int_equal(pthread_create(&threads[i], NULL, wrap, &wrappers[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    OK(wrappers[i].status);
  }
  clReleaseMemObject(mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(wrapped_by_threads)};
  return cmocka_run_group_tests_name("interop_threads_cl", tests, NULL, NULL);
}
