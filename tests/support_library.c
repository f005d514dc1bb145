#include "support_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "support_process.h"

int library_copy(const char *path) {
  char original[PATH_MAX];
  if (process_library_path(original, sizeof original) != 0) return -1;
  return process_copy_file(original, path);
}

/* dlsym gives a pointer to an object; the bytes are those of the pointer to the function. */
static int find(void *handle, const char *name, void *function, size_t size) {
  void *address = dlsym(handle, name);
  if (address == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return -1;
  }
  memcpy(function, &address, size);
  return 0;
}

int library_load(Library *library, const char *path, int flags) {
  void *handle = dlopen(path, flags);
  memset(library, 0, sizeof *library);
  library->handle = handle;
  if (handle == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return -1;
  }
#define FIND(member) \
  find(handle, "netcl_" #member, (void *)&library->member, sizeof library->member)
  return FIND(version_number) | FIND(last_error_message) | FIND(shutdown) | FIND(log_set_level) |
         FIND(device_open) | FIND(device_get_info) | FIND(device_release) |
         FIND(tensor_create_random) | FIND(tensor_create) | FIND(tensor_read) |
         FIND(tensor_release) | FIND(tensor_create_from_npy) | FIND(expression_create) |
         FIND(op_expression_text) | FIND(op_matmul) | FIND(kernel_create) | FIND(kernel_build) |
         FIND(kernel_release) |
         find(handle, "netcl_library_get_live_count", (void *)&library->get_live_count,
              sizeof library->get_live_count);
#undef FIND
}

int library_use(const Library *library) {
  static float before[128 * 128], after[128 * 128];
  const int64_t shape[2] = {128, 128};
  netcl_device *device = NULL;
  netcl_tensor *a = NULL, *b = NULL, *c = NULL;
#define USE(call)                                                              \
  do {                                                                         \
    netcl_status status_ = (call);                                             \
    if (status_ != NETCL_OK) {                                                 \
      fprintf(stderr, "%s: %d: %s\n", #call, status_, library->last_error_message()); \
      return 1;                                                                \
    }                                                                          \
  } while (0)
  USE(library->device_open(test_selector(), NULL, &device));
  USE(library->tensor_create_random(device, NETCL_F32, 2, shape, NULL, NULL, NULL, &a));
  USE(library->op_matmul(a, a, NULL, NULL, &b));
  USE(library->op_expression_text("v0 + 1", &a, 1, NULL, NULL, &c));
  USE(library->tensor_read(a, before, sizeof before, NULL, LONG_WAIT));
  USE(library->tensor_read(c, after, sizeof after, NULL, LONG_WAIT));
#undef USE
  for (size_t i = 0; i < COUNT_OF(before); i++) {
    if (after[i] != before[i] + 1.0f) return 2;
  }
  library->tensor_release(a);
  library->tensor_release(b);
  library->tensor_release(c);
  library->device_release(device);
  return 0;
}
