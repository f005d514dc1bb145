#include "support_gpus.h"

#include <stdio.h>
#include <stdlib.h>

netcl_device* gpus[GPUS_MOST];
uint32_t gpus_count;

/* 1 where memory of the device is shared by CUDA. */
static int is_of_cuda(netcl_device* device) {
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_tensor* tensor = NULL;
  netcl_buffer* buffer = NULL;
  const int64_t one = 1;
  uint64_t address = 0;
  options.share = 1;
  if (netcl_tensor_create(device, NETCL_F32, 1, &one, NULL, &options, &tensor) != NETCL_OK) {
    return 0;
  }
  OK(netcl_tensor_get_buffer(tensor, &buffer));
  const int found = netcl_buffer_get_cuda_address(buffer, &address) == NETCL_OK;
  netcl_buffer_release(buffer);
  netcl_tensor_release(tensor);
  return found;
}

int gpus_scripted(void) { return getenv("NETCL_TEST_SCRIPTED") != NULL; }

int open_gpus(void** state) {
  (void)state;
  uint32_t count = 0;
  OK(netcl_device_count(&count));
  for (uint32_t i = 0; i < count && gpus_count < GPUS_MOST; ++i) {
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    char selector[16];
    OK(netcl_device_describe(i, &info));
    if (info.type != NETCL_DEVICE_GPU) continue;
    snprintf(selector, sizeof selector, "%u", i);
    OK(netcl_device_open(selector, NULL, &gpus[gpus_count]));
    if (is_of_cuda(gpus[gpus_count])) {
      ++gpus_count;
    } else {
      netcl_device_release(gpus[gpus_count]);
    }
  }
  if (gpus_count >= 2) return 0;
  printf("skipped: there are %u GPUs of CUDA, and this needs two\n", gpus_count);
  close_gpus(state);
  exit(77);
}

int close_gpus(void** state) {
  (void)state;
  while (gpus_count > 0) netcl_device_release(gpus[--gpus_count]);
  return 0;
}
