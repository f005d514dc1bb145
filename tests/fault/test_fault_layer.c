/* The library that makes calls of OpenCL fail: each thing that it does on request, what it counts,
 * and its two ways in. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include "support_fault.h"
#include "support_process.h"

/* Functions of the library under test, not those of a loader. */
#define CL(name) ((__typeof__(&name))symbol_of(#name))
static void* symbol_of(const char* name) {
  void* const library = dlopen(getenv("NETCL_OPENCL_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
  assert_non_null(library);
  void* const symbol = dlsym(library, name);
  assert_non_null(symbol);
  return symbol;
}

static int function_of(const char* name) {
  const FaultControl* control = fault_control();
  for (int i = 0; i < control->functions_count; ++i) {
    if (strcmp(control->function_name(i), name) == 0) return i;
  }
  fail_msg("there is no %s", name);
  return -1;
}

typedef struct Raw {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_mem mem;
} Raw;

static void open_raw(Raw* raw) {
  cl_int code = 0;
  assert_int_equal(CL(clGetPlatformIDs)(1, &raw->platform, NULL), CL_SUCCESS);
  assert_int_equal(CL(clGetDeviceIDs)(raw->platform, CL_DEVICE_TYPE_ALL, 1, &raw->device, NULL),
                   CL_SUCCESS);
  raw->context = CL(clCreateContext)(NULL, 1, &raw->device, NULL, NULL, &code);
  assert_non_null(raw->context);
  raw->queue = CL(clCreateCommandQueue)(raw->context, raw->device, 0, &code);
  assert_non_null(raw->queue);
  raw->mem = CL(clCreateBuffer)(raw->context, CL_MEM_READ_WRITE, 64, NULL, &code);
  assert_non_null(raw->mem);
}
static void close_raw(Raw* raw) {
  CL(clReleaseMemObject)(raw->mem);
  CL(clReleaseCommandQueue)(raw->queue);
  CL(clReleaseContext)(raw->context);
}

static cl_int write_one(const Raw* raw, cl_event* event) {
  static const int one = 1;
  return CL(clEnqueueWriteBuffer)(raw->queue, raw->mem, CL_TRUE, 0, 4, &one, 0, NULL, event);
}

static void objects_are_counted(void** state) {
  (void)state;
  const FaultControl* control = fault_control();
  Raw raw;
  cl_event event = NULL;
  int64_t before[FAULT_KINDS];
  for (int i = 0; i < FAULT_KINDS; ++i) before[i] = control->live((FaultKind)i);
  open_raw(&raw);
  assert_int_equal(write_one(&raw, &event), CL_SUCCESS);
  assert_int_equal(control->live(FAULT_CONTEXT) - before[FAULT_CONTEXT], 1);
  assert_int_equal(control->live(FAULT_QUEUE) - before[FAULT_QUEUE], 1);
  assert_int_equal(control->live(FAULT_MEMORY) - before[FAULT_MEMORY], 1);
  assert_int_equal(control->live(FAULT_EVENT) - before[FAULT_EVENT], 1);
  assert_int_equal(CL(clRetainEvent)(event), CL_SUCCESS);
  assert_int_equal(control->live(FAULT_EVENT) - before[FAULT_EVENT], 2);
  CL(clReleaseEvent)(event);
  CL(clReleaseEvent)(event);
  close_raw(&raw);
  for (int i = 0; i < FAULT_KINDS; ++i) {
    assert_int_equal(control->live((FaultKind)i), before[i]);
  }
}

static void calls_fail_as_asked(void** state) {
  (void)state;
  const FaultControl* control = fault_control();
  const int write = function_of("clEnqueueWriteBuffer"), create = function_of("clCreateBuffer");
  Raw raw;
  cl_event event = NULL;
  cl_int code = 0;
  open_raw(&raw);
  /* The second one, and no other. */
  control->arm(write, 2, FAULT_FAIL, CL_OUT_OF_RESOURCES);
  assert_int_equal(write_one(&raw, NULL), CL_SUCCESS);
  assert_int_equal(write_one(&raw, NULL), CL_OUT_OF_RESOURCES);
  assert_int_equal(write_one(&raw, NULL), CL_SUCCESS);
  assert_int_equal(control->disarm(), 1);
  control->arm(create, 1, FAULT_FAIL, CL_OUT_OF_HOST_MEMORY);
  assert_null(CL(clCreateBuffer)(raw.context, CL_MEM_READ_WRITE, 64, NULL, &code));
  assert_int_equal(code, CL_OUT_OF_HOST_MEMORY);
  /* Without a result; calls that have none to give are passed by. */
  control->arm(create, 1, FAULT_NO_RESULT, 0);
  assert_null(CL(clCreateBuffer)(raw.context, CL_MEM_READ_WRITE, 64, NULL, &code));
  assert_int_equal(code, CL_SUCCESS);
  control->arm(write, 1, FAULT_NO_RESULT, 0);
  assert_int_equal(write_one(&raw, NULL), CL_SUCCESS);
  assert_int_equal(control->disarm(), 0);
  control->arm(write, 1, FAULT_NO_RESULT, 0);
  assert_int_equal(write_one(&raw, &event), CL_SUCCESS);
  assert_null(event);
  assert_int_equal(control->disarm(), 1);
  /* Its event ends with the code. */
  control->arm(write, 1, FAULT_LATE, CL_OUT_OF_RESOURCES);
  assert_int_equal(write_one(&raw, &event), CL_SUCCESS);
  assert_int_equal(control->disarm(), 1);
  assert_non_null(event);
  assert_int_equal(
      CL(clGetEventInfo)(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof code, &code, NULL),
      CL_SUCCESS);
  assert_int_equal(code, CL_OUT_OF_RESOURCES);
  CL(clReleaseEvent)(event);
  /* Later. */
  control->arm(write, 1, FAULT_BLOCK, 60);
  const double begin = process_now();
  assert_int_equal(write_one(&raw, NULL), CL_SUCCESS);
  assert_true(process_now() - begin > 0.055);
  assert_int_equal(control->disarm(), 1);
  /* Lost: all that follows fails, but for releases. */
  control->arm(write, 1, FAULT_LOSE, CL_DEVICE_NOT_AVAILABLE);
  assert_int_equal(CL(clFlush)(raw.queue), CL_SUCCESS);
  assert_int_equal(write_one(&raw, NULL), CL_DEVICE_NOT_AVAILABLE);
  assert_int_equal(CL(clFlush)(raw.queue), CL_DEVICE_NOT_AVAILABLE);
  assert_null(CL(clCreateBuffer)(raw.context, CL_MEM_READ_WRITE, 64, NULL, &code));
  assert_int_equal(code, CL_DEVICE_NOT_AVAILABLE);
  const int64_t memory = control->live(FAULT_MEMORY);
  assert_int_equal(CL(clReleaseMemObject)(raw.mem), CL_SUCCESS);
  assert_int_equal(control->live(FAULT_MEMORY), memory - 1);
  assert_int_equal(control->disarm(), 1);
  raw.mem = CL(clCreateBuffer)(raw.context, CL_MEM_READ_WRITE, 64, NULL, &code);
  assert_non_null(raw.mem);
  close_raw(&raw);
}

/* A release that fails has released all the same. */
static void releases_fail_and_release(void** state) {
  (void)state;
  const FaultControl* control = fault_control();
  Raw raw;
  open_raw(&raw);
  const int64_t before = control->live(FAULT_MEMORY);
  control->arm(function_of("clReleaseMemObject"), 1, FAULT_FAIL, CL_OUT_OF_RESOURCES);
  assert_int_equal(CL(clReleaseMemObject)(raw.mem), CL_OUT_OF_RESOURCES);
  assert_int_equal(control->disarm(), 1);
  assert_int_equal(control->live(FAULT_MEMORY), before - 1);
  CL(clReleaseCommandQueue)(raw.queue);
  CL(clReleaseContext)(raw.context);
}

/* ---- By the environment, as the loader and as a layer of it ---------------------------------- */

/* Writes and reads once; exits with 3 where that failed by NETCL_FAULT. */
static int use_once(void) {
  const int64_t shape[1] = {4};
  const float numbers[4] = {1, 2, 3, 4};
  float seen[4] = {0};
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_device* device = NULL;
  netcl_tensor* tensor = NULL;
  options.separate = 1;
  if (netcl_device_open("cpu", &options, &device) != NETCL_OK) return 1;
  netcl_status status = netcl_tensor_create_from_host(device, NETCL_F32, 1, shape, NULL, numbers,
                                                      sizeof numbers, NULL, &tensor);
  if (status == NETCL_OK) status = netcl_tensor_read(tensor, seen, sizeof seen, NULL, LONG_WAIT);
  printf("%s\n", status == NETCL_OK ? "well" : netcl_last_error_message());
  netcl_tensor_release(tensor);
  netcl_device_release(device);
  return status == NETCL_OK ? 0 : 3;
}

static void check_report(const char* path, int failed) {
  char line[128], text[64];
  int lines = 0, told = 0;
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  snprintf(text, sizeof text, "0 releases too many, %d calls failed on request", failed);
  while (fgets(line, sizeof line, file) != NULL) {
    ++lines;
    told += strstr(line, text) != NULL;
    if (strstr(line, "left") != NULL) {
      CHECK(strstr(line, " 0 references left") != NULL, "%s", line);
    }
  }
  fclose(file);
  assert_int_equal(lines, FAULT_KINDS + 1);
  assert_int_equal(told, 1);
}

static void run_by_environment(const char* way_in) {
  static const char* const kFaults[] = {"NETCL_FAULT", "NETCL_FAULT=clEnqueueReadBuffer 1 fail -5"};
  char folder[200], path[256], report[280];
  process_result result;
  process_make_folder(folder, sizeof folder);
  process_join_path(path, sizeof path, folder, "report");
  snprintf(report, sizeof report, "NETCL_FAULT_REPORT=%s", path);
  for (int i = 0; i < 2; ++i) {
    /* With the loader the library is no layer, and the other way round. */
    const int layer = strncmp(way_in, "OPENCL_LAYERS", 13) == 0;
    const char* const environment[] = {way_in, layer ? "NETCL_OPENCL_LIBRARY" : "OPENCL_LAYERS",
                                       kFaults[i], report, NULL};
    process_run_self("use_once", environment, 60, &result);
    process_expect_exit(&result, i == 0 ? 0 : 3);
    assert_non_null(strstr(result.output, i == 0 ? "well" : "clEnqueueReadBuffer failed"));
    check_report(path, i);
  }
  process_remove_folder(folder);
}
static void as_the_loader(void** state) {
  char text[1024];
  (void)state;
  snprintf(text, sizeof text, "NETCL_OPENCL_LIBRARY=%s", getenv("NETCL_OPENCL_LIBRARY"));
  run_by_environment(text);
}
static void as_a_layer(void** state) {
  char text[1024];
  (void)state;
  snprintf(text, sizeof text, "OPENCL_LAYERS=%s", getenv("NETCL_OPENCL_LIBRARY"));
  run_by_environment(text);
}

int main(int argc, char** argv) {
  static const process_mode kModes[] = {{"use_once", use_once}};
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(objects_are_counted),
      cmocka_unit_test(calls_fail_as_asked),
      cmocka_unit_test(releases_fail_and_release),
      cmocka_unit_test(as_the_loader),
      cmocka_unit_test(as_a_layer),
  };
  return cmocka_run_group_tests_name("fault_layer", tests, NULL, NULL);
}
