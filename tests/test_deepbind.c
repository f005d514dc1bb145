/*
 * The library opened with RTLD_DEEPBIND beside another unwinder, as some language runtimes do: its
 * exceptions must stay inside and find their own handlers.
 */
#include "support.h"
#include "support_library.h"
#include "support_process.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>

static const char kUnwinder[] = "libunwind.so.8";
enum { kNoUnwinder = 77, kThrows = 1000 };

/* Every kind of path that ends in an error, many times. */
static int throw_inside(const Library *library) {
  netcl_device *device = NULL, *none = NULL;
  netcl_tensor *tensor = NULL;
  netcl_expression *expression = NULL;
  netcl_kernel *kernel = NULL;
  const int64_t bad[2] = {-1, 4}, huge[2] = {INT64_MAX, INT64_MAX};
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  if (library->device_open(test_selector(), NULL, &device) != NETCL_OK) return 10;
  if (library->device_get_info(device, &info) != NETCL_OK) return 11;
  for (int i = 0; i < kThrows; i++) {
    if (library->tensor_create(device, 999, 2, bad, NULL, NULL, &tensor) !=
        NETCL_ERROR_INVALID_ARGUMENT) return 12;
    if (library->tensor_create(device, NETCL_F32, 2, bad, NULL, NULL, &tensor) !=
        NETCL_ERROR_INVALID_ARGUMENT) return 13;
    if (library->tensor_create(device, NETCL_F32, 2, huge, NULL, NULL, &tensor) !=
        NETCL_ERROR_INVALID_ARGUMENT) return 14;
    if (library->expression_create("v0 + * (", &expression) != NETCL_ERROR_INVALID_ARGUMENT) {
      return 15;
    }
    if (library->tensor_create_from_npy(device, "no npy", 6, NULL, &tensor) !=
        NETCL_ERROR_CORRUPT_DATA) return 16;
    if (library->device_get_info((netcl_device *)(uintptr_t)12345, &info) !=
        NETCL_ERROR_INVALID_HANDLE) return 17;
    if (library->device_open("no such device", NULL, &none) != NETCL_ERROR_NO_DEVICE) return 18;
    if (library->last_error_message()[0] == '\0') return 19;
  }
  if (info.backend == NETCL_BACKEND_OPENCL) {
    options.source = "this is no kernel";
    if (library->kernel_create(device, "k", &options, &kernel) != NETCL_OK) return 20;
    if (library->kernel_build(kernel) != NETCL_ERROR_BUILD_FAILURE) return 21;
    library->kernel_release(kernel);
  }
  library->device_release(device);
  return library_use(library);
}

static int use_copy(int flags) {
  char folder[PATH_MAX - 32], path[PATH_MAX];
  Library library;
  process_make_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/libcopy.so", folder);
  int code = library_copy(path) != 0 ? 1 : library_load(&library, path, flags) != 0 ? 2 : 0;
  if (code == 0) code = throw_inside(&library);
  process_remove_folder(folder);
  if (code != 0) fprintf(stderr, "step %d\n", code);
  return code;
}

static int mode_loaded_first(void) {
  if (dlopen(kUnwinder, RTLD_NOW | RTLD_GLOBAL) == NULL) return kNoUnwinder;
  return use_copy(RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
}

/* Run with the other unwinder preloaded, so that it comes before everything else. */
static int mode_preloaded(void) {
  if (dlopen(kUnwinder, RTLD_NOW | RTLD_NOLOAD) == NULL) return kNoUnwinder;
  return use_copy(RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
}

static int mode_without_deepbind(void) {
  if (dlopen(kUnwinder, RTLD_NOW | RTLD_NOLOAD) == NULL) return kNoUnwinder;
  return use_copy(RTLD_LAZY | RTLD_GLOBAL);
}

static void run_mode(const char *mode, int preload) {
  char variable[64];
  snprintf(variable, sizeof variable, "LD_PRELOAD=%s", kUnwinder);
  const char *const environment[] = {variable, NULL};
  process_result result;
  if (process_has_asan() || process_has_tsan()) SKIP("sanitizers refuse RTLD_DEEPBIND");
  process_run_self(mode, preload ? environment : NULL, 60, &result);
  if (result.exit_code == kNoUnwinder) SKIP("libunwind.so.8 is not installed (libunwind8)");
  process_expect_exit(&result, 0);
}

static void loaded_first(void **state) {
  (void)state;
  run_mode("loaded_first", 0);
}

static void preloaded(void **state) {
  (void)state;
  run_mode("preloaded", 1);
}

static void without_deepbind(void **state) {
  (void)state;
  run_mode("without_deepbind", 1);
}

int main(int argc, char **argv) {
  static const process_mode modes[] = {{"loaded_first", mode_loaded_first},
                                       {"preloaded", mode_preloaded},
                                       {"without_deepbind", mode_without_deepbind}};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(loaded_first),
      DEVICE_TEST(preloaded),
      DEVICE_TEST(without_deepbind),
  };
  return cmocka_run_group_tests_name("deepbind", tests, NULL, NULL);
}
