#include "support_kernel.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static netcl_arg arg_of(netcl_arg_kind kind, uint32_t size) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = kind;
  arg.size = size;
  return arg;
}

netcl_arg arg_tensor(netcl_tensor *tensor) {
  netcl_arg arg = arg_of(NETCL_ARG_TENSOR, 0);
  arg.tensor = tensor;
  return arg;
}

netcl_arg arg_read_only(netcl_tensor *tensor) {
  netcl_arg arg = arg_of(NETCL_ARG_TENSOR_READ_ONLY, 0);
  arg.tensor = tensor;
  return arg;
}

netcl_arg arg_scalar(const void *value, uint32_t size) {
  netcl_arg arg = arg_of(NETCL_ARG_SCALAR, size);
  memcpy(arg.value, value, size <= sizeof arg.value ? size : sizeof arg.value);
  return arg;
}

netcl_arg arg_int(int32_t value) { return arg_scalar(&value, sizeof value); }
netcl_arg arg_float(float value) { return arg_scalar(&value, sizeof value); }

netcl_arg arg_data(const void *data, uint32_t size) {
  netcl_arg arg = arg_of(NETCL_ARG_DATA, size);
  arg.data = data;
  return arg;
}

netcl_arg arg_local(uint32_t bytes) { return arg_of(NETCL_ARG_LOCAL, bytes); }
netcl_arg arg_null(void) { return arg_of(NETCL_ARG_NULL, 0); }

char *unique_source(const char *text) {
  static int counter;
  struct timespec now;
  size_t size = strlen(text) + 100;
  char *result = malloc(size);
  assert_non_null(result);
  clock_gettime(CLOCK_REALTIME, &now);
  /* Without a line break, so that the line numbers of the text stay. */
  snprintf(result, size, "/* %ld %lld %ld %d */ %s", (long)getpid(), (long long)now.tv_sec,
           now.tv_nsec, __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED), text);
  return result;
}

netcl_kernel *source_kernel(netcl_device *device, const char *name, const char *text) {
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  options.source = text;
  OK(netcl_kernel_create(device, name, &options, &kernel));
  assert_non_null(kernel);
  return kernel;
}

netcl_kernel *fresh_kernel(netcl_device *device, const char *name, const char *text) {
  char *source = unique_source(text);
  netcl_kernel *kernel = source_kernel(device, name, source);
  free(source);
  return kernel;
}

netcl_tensor *poisoned_tensor(netcl_device *device, netcl_dtype dtype, int64_t count) {
  size_t bytes = (size_t)count * netcl_dtype_size(dtype);
  void *data = malloc(bytes + 1);
  assert_non_null(data);
  memset(data, POISON, bytes);
  netcl_tensor *tensor = make_tensor(device, dtype, 1, &count, data);
  free(data);
  return tensor;
}

netcl_tensor *counting_tensor(netcl_device *device, netcl_dtype dtype, int64_t count,
                              double start) {
  void *data = malloc((size_t)count * netcl_dtype_size(dtype) + 1);
  assert_non_null(data);
  for (int64_t i = 0; i < count; i++) store_double(dtype, data, i, start + (double)i);
  netcl_tensor *tensor = make_tensor(device, dtype, 1, &count, data);
  free(data);
  return tensor;
}

void check_still_poisoned(const netcl_tensor *tensor) {
  netcl_tensor_info info = tensor_info(tensor);
  unsigned char *data = read_tensor(tensor);
  for (uint64_t i = 0; i < info.byte_count; i++) {
    CHECK(data[i] == POISON, "byte %llu was written", (unsigned long long)i);
  }
  free(data);
}

netcl_status launch_1d(netcl_kernel *kernel, uint64_t items, const netcl_arg *args,
                       uint32_t args_count) {
  return netcl_kernel_launch(kernel, &items, 1, NULL, 0, args, args_count, NULL, NULL);
}

netcl_program_cache_info cache_counters(void) {
  netcl_program_cache_info info = NETCL_PROGRAM_CACHE_INFO_INIT;
  OK(netcl_program_cache_get_info(&info));
  return info;
}

typedef netcl_status (*KernelText)(const netcl_kernel *kernel, char *buffer, size_t capacity,
                                   size_t *length);

static char *kernel_text(KernelText get, const netcl_kernel *kernel) {
  size_t length = 0;
  OK(get(kernel, NULL, 0, &length));
  char *text = malloc(length + 1);
  assert_non_null(text);
  OK(get(kernel, text, length + 1, &length));
  CHECK(strlen(text) == length, "the text has %zu bytes, length says %zu", strlen(text), length);
  return text;
}

char *kernel_source(const netcl_kernel *kernel) {
  return kernel_text(netcl_kernel_get_source, kernel);
}

char *kernel_log(const netcl_kernel *kernel) {
  return kernel_text(netcl_kernel_get_build_log, kernel);
}
