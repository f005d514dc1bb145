/* GPUs whose memory cannot be shared: why, in processes of their own. */
#include "support_fake.h"
#include "support_process.h"
#include "support_sharing.h"

static int expect_refusal(const char *text) {
  netcl_device *device = NULL;
  netcl_pool *pool = NULL;
  netcl_tensor *tensor = NULL;
  netcl_buffer *buffer = NULL;
  const int64_t count = 4;
  uint64_t address = 0;
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  netcl_tensor_options wanted = NETCL_TENSOR_OPTIONS_INIT;
  netcl_shared_memory memory = of_file(0, 0, 64, 64);
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  options.share = 1;
  wanted.share = 1;
  CHILD_STATUS(NETCL_ERROR_UNSUPPORTED, netcl_pool_create(device, &options, &pool));
  CHILD_CHECK(strstr(netcl_last_error_message(), text) != NULL);
  CHILD_STATUS(NETCL_ERROR_UNSUPPORTED,
               netcl_tensor_create(device, NETCL_F32, 1, &count, NULL, &wanted, &tensor));
  CHILD_CHECK(strstr(netcl_last_error_message(), text) != NULL);
  CHILD_STATUS(NETCL_ERROR_UNSUPPORTED, netcl_buffer_import(device, &memory, &buffer));
  CHILD_CHECK(strstr(netcl_last_error_message(), text) != NULL);
  CHILD_OK(netcl_tensor_create(device, NETCL_F32, 1, &count, NULL, NULL, &tensor));
  CHILD_OK(netcl_tensor_get_buffer(tensor, &buffer));
  CHILD_STATUS(NETCL_ERROR_UNSUPPORTED, netcl_buffer_get_cuda_address(buffer, &address));
  CHILD_CHECK(strstr(netcl_last_error_message(), text) != NULL);
  netcl_buffer_release(buffer);
  netcl_tensor_release(tensor);
  netcl_device_release(device);
  return 0;
}
static int no_library(void) { return expect_refusal("libcuda.so.1 cannot be opened"); }
static int no_start(void) { return expect_refusal("cuInit: CUDA_ERROR_FAKE (100)"); }
static int no_context(void) { return expect_refusal("cuDevicePrimaryCtxRetain"); }
static int no_device(void) { return expect_refusal("UUID"); }
static int no_extension(void) { return expect_refusal("cl_khr_external_memory_opaque_fd"); }

static void elsewhere(void **state) {
  static process_result result;
  static const struct {
    const char *mode, *environment[2];
  } kModes[] = {{"no_library", {"LD_LIBRARY_PATH", NULL}},
                {"no_start", {"NETCL_FAKE_CUDA_FAIL=cuInit 1 100", NULL}},
                {"no_context", {"NETCL_FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain 1 2", NULL}},
                {"no_device", {"NETCL_FAKE_CUDA_FAIL=cuDeviceGetUuid 2 1", NULL}},
                {"no_extension", {"NETCL_FAKE_CL_SCRIPT=/dev/null", NULL}}};
  (void)state;
  for (size_t i = 0; i < COUNT_OF(kModes); ++i) {
    process_run_self(kModes[i].mode, kModes[i].environment, 60, &result);
    process_expect_exit(&result, 0);
  }
}

int main(int argc, char **argv) {
  static const process_mode kModes[] = {{"no_library", no_library},
                                        {"no_start", no_start},
                                        {"no_context", no_context},
                                        {"no_device", no_device},
                                        {"no_extension", no_extension}};
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {cmocka_unit_test(elsewhere)};
  fake_script("share");
  return cmocka_run_group_tests_name("sharing_without_fake", tests, NULL, NULL);
}
