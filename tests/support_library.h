/* A second copy of the library, loaded at run time by its own path. */
#ifndef NETCL_TESTS_SUPPORT_LIBRARY_H
#define NETCL_TESTS_SUPPORT_LIBRARY_H

#include "netcl.h"

/* The functions of a loaded copy. */
typedef struct Library {
  void *handle;
  __typeof__(&netcl_version_number) version_number;
  __typeof__(&netcl_last_error_message) last_error_message;
  __typeof__(&netcl_library_get_live_count) get_live_count;
  __typeof__(&netcl_shutdown) shutdown;
  __typeof__(&netcl_log_set_level) log_set_level;
  __typeof__(&netcl_device_open) device_open;
  __typeof__(&netcl_device_get_info) device_get_info;
  __typeof__(&netcl_device_release) device_release;
  __typeof__(&netcl_tensor_create_random) tensor_create_random;
  __typeof__(&netcl_tensor_create) tensor_create;
  __typeof__(&netcl_tensor_read) tensor_read;
  __typeof__(&netcl_tensor_release) tensor_release;
  __typeof__(&netcl_tensor_create_from_npy) tensor_create_from_npy;
  __typeof__(&netcl_expression_create) expression_create;
  __typeof__(&netcl_op_expression_text) op_expression_text;
  __typeof__(&netcl_op_matmul) op_matmul;
  __typeof__(&netcl_kernel_create) kernel_create;
  __typeof__(&netcl_kernel_build) kernel_build;
  __typeof__(&netcl_kernel_release) kernel_release;
} Library;

/* Copies the library's file to `path`; 0 on success. */
int library_copy(const char *path);
/* Loads a copy with dlopen's flags; 0 on success, else a message is on stderr. */
int library_load(Library *library, const char *path, int flags);

/* Opens the device under test, multiplies matrices there, checks and releases all; 0 on success. */
int library_use(const Library *library);

#endif
