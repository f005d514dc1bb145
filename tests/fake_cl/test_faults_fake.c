/* Calls of the driver that fail, one at a time, on the scripted device: each gets the status of its
 * kind and the driver's code, nothing stays behind, and one that fails in passing while devices are
 * looked for costs nothing. What a kernel starts ends with the worker. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "support_fake.h"
#include "support_process.h"

static const char kSource[] =
    "__kernel void k(__global const float *in, __global float *out) {\n"
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)] + 1.0f;\n"
    "}\n";

/* How many calls have failed on request. */
static int hits(void) {
  void* library = dlopen(getenv("NETCL_OPENCL_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  if (library == NULL) return 0;
  const int count = *(const int*)dlsym(library, "fake_fail_hits");
  dlclose(library);
  return count;
}

static void fail_call(const char* function, int nth, const char* more, int code) {
  char text[128];
  snprintf(text, sizeof text, "%s %d%s %d", function, nth, more, code);
  setenv("NETCL_FAKE_CL_FAIL", text, 1);
}

typedef struct Objects {
  netcl_device* device;
  netcl_queue* queue;
  netcl_tensor *in, *out;
  netcl_kernel* kernel;
  netcl_event* event;
  float read[16];
} Objects;

#define TRY(call)                          \
  do {                                     \
    const netcl_status status_ = (call);   \
    if (status_ != NETCL_OK) return status_; \
  } while (0)

static netcl_status use(Objects* o) {
  static const int64_t kShape[] = {16};
  static const uint64_t kGlobal[] = {16};
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_kernel_options source = NETCL_KERNEL_OPTIONS_INIT;
  netcl_queue_options queue = NETCL_QUEUE_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_event_state done = 0;
  float values[16];
  for (int i = 0; i < 16; ++i) values[i] = (float)i;
  options.separate = 1;
  source.source = kSource;
  run.event = &o->event;
  TRY(netcl_device_open("gpu", &options, &o->device));
  TRY(netcl_queue_create(o->device, &queue, &o->queue));
  run.queue = o->queue;
  TRY(netcl_tensor_create_from_host(o->device, NETCL_F32, 1, kShape, NULL, values, sizeof values,
                                    NULL, &o->in));
  TRY(netcl_tensor_create_zeros(o->device, NETCL_F32, 1, kShape, NULL, NULL, &o->out));
  TRY(netcl_kernel_create(o->device, "k", &source, &o->kernel));
  TRY(netcl_kernel_build(o->kernel));
  const netcl_arg args[2] = {arg_tensor(o->in), arg_tensor(o->out)};
  TRY(netcl_kernel_launch(o->kernel, kGlobal, 1, NULL, 0, args, 2, NULL, &run));
  TRY(netcl_event_wait(o->event, LONG_WAIT));
  TRY(netcl_event_query(o->event, &done));
  TRY(netcl_tensor_read(o->out, o->read, sizeof o->read, NULL, LONG_WAIT));
  return netcl_device_finish(o->device, LONG_WAIT);
}

static netcl_status use_once(Objects* o) {
  memset(o, 0, sizeof *o);
  const netcl_status status = use(o);
  netcl_error_info error = NETCL_ERROR_INFO_INIT;
  OK(netcl_last_error_get_info(&error));
  netcl_event_release(o->event);
  netcl_kernel_release(o->kernel);
  netcl_tensor_release(o->out);
  netcl_tensor_release(o->in);
  netcl_queue_release(o->queue);
  netcl_device_release(o->device);
  return status;
}

static void check_works(const char* after) {
  Objects objects;
  const netcl_status status = use_once(&objects);
  CHECK(status == NETCL_OK, "after %s: %s", after, netcl_last_error_message());
  for (int i = 0; i < 16; ++i) {
    CHECK(objects.read[i] == 2.0f * (float)i + 1.0f, "after %s: element %d is %g", after, i,
          objects.read[i]);
  }
}

/* CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_INVALID_CONTEXT, one of a vendor. */
static const int kCodes[] = {-5, -6, -34, -1234};

static int try_failures(const char* function, int code) {
  int failed = 0;
  for (int nth = 1; nth < 200; ++nth) {
    Objects objects;
    const int before = hits();
    fail_call(function, nth, "", code);
    const netcl_status status = use_once(&objects);
    const int hit = hits() - before;
    char text[128];
    snprintf(text, sizeof text, "%s", getenv("NETCL_FAKE_CL_FAIL"));
    unsetenv("NETCL_FAKE_CL_FAIL");
    if (hit == 0) break;
    if (status != NETCL_OK) {
      netcl_error_info error = NETCL_ERROR_INFO_INIT;
      OK(netcl_last_error_get_info(&error));
      CHECK(status != NETCL_ERROR_INTERNAL && error.native_code == code, "%s: %s, code %d, \"%s\"",
            text, netcl_status_name(status), error.native_code, error.message);
      /* What a command ends with is a failure of the command, whatever its code. */
      const int shortage = code == -6 && status != NETCL_ERROR_LAUNCH_FAILURE;
      CHECK((status == NETCL_ERROR_OUT_OF_HOST_MEMORY) == shortage, "%s: %s, \"%s\"", text,
            netcl_status_name(status), error.message);
      ++failed;
    }
    check_works(text);
  }
  return failed;
}

static void each_failure_has_its_kind(void** state) {
  static const char* const kFunctions[] = {
      "clRetainDevice",        "clCreateContext",           "clCreateCommandQueue",
      "clCreateBuffer",        "clCreateProgramWithSource", "clCreateProgramWithBinary",
      "clBuildProgram",        "clGetProgramInfo",          "clCreateKernel",
      "clGetKernelInfo",       "clGetKernelArgInfo",        "clGetKernelWorkGroupInfo",
      "clSetKernelArg",        "clEnqueueNDRangeKernel",    "clEnqueueWriteBuffer",
      "clEnqueueReadBuffer",   "clEnqueueFillBuffer",       "clEnqueueMapBuffer",
      "clFlush",               "clGetEventInfo",            "clGetDeviceInfo",
      "clGetMemObjectInfo",    "clRetainMemObject",         "clRetainEvent",
      "clEnqueueMarkerWithWaitList"};
  (void)state;
  int failed = 0;
  check_works("nothing");
  for (size_t f = 0; f < COUNT_OF(kFunctions); ++f) {
    for (size_t c = 0; c < COUNT_OF(kCodes); ++c) failed += try_failures(kFunctions[f], kCodes[c]);
  }
  print_message("%d calls failed\n", failed);
  assert_true(failed > 40);
}

/* A command on page-locked memory is made of three here: its copy in the device is filled, the
 * kernel runs on it, and it is copied back. Where the driver refuses the last, the others run all
 * the same, and whoever uses the memory has to wait for them. */
static void parts_of_a_command_are_waited_for(void** state) {
  static const int64_t kShape[] = {24};
  static const uint64_t kGlobal[] = {24};
  Fixture* fixture = *state;
  /* A launch is late where it is the first of its size. */
  for (int queues = 2; queues >= 1; --queues) {
    netcl_queue* queue = NULL;
    netcl_pool* pool = NULL;
    netcl_tensor *in = NULL, *out = NULL;
    netcl_event* event = NULL;
    netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    const float one = 1;
    fake_script("k : time 1000");
    if (queues == 2) OK(netcl_queue_create(fixture->device, NULL, &queue));
    OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PINNED, &pool));
    options.pool = pool;
    OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 1, kShape, NULL, &one, NULL, &in));
    OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 1, kShape, NULL, &one, &options, &out));
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    netcl_kernel* kernel = fresh_kernel(fixture->device, "k", kSource);
    OK(netcl_kernel_build(kernel));
    fake_script("k : late 400");
    run.queue = queue;
    run.event = &event;
    const netcl_arg args[2] = {arg_tensor(in), arg_tensor(out)};
    fail_call("clEnqueueReadBuffer", 1, "", queues == 1 ? -6 : -5);
    const double begin = process_now();
    FAILS_WITH(queues == 1 ? NETCL_ERROR_OUT_OF_HOST_MEMORY : NETCL_ERROR_LAUNCH_FAILURE,
               "clEnqueueReadBuffer",
               netcl_kernel_launch(kernel, kGlobal, 1, NULL, 0, args, 2, NULL, &run));
    unsetenv("NETCL_FAKE_CL_FAIL");
    assert_null(event);
    if (queues == 2) {
      FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_wait(out, 0));
      OK(netcl_tensor_wait(out, LONG_WAIT));
      const double spent = process_now() - begin;
      CHECK(spent > 0.3, "the kernel runs for 0.4 s and was waited for %g s", spent);
    }
    OK(netcl_tensor_wait(out, LONG_WAIT));
    /* The next launch finds all in order. */
    fake_script("k : time 1000");
    run.event = NULL;
    OK(netcl_kernel_launch(kernel, kGlobal, 1, NULL, 0, args, 2, NULL, &run));
    float values[24];
    OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
    for (int i = 0; i < 24; ++i) CHECK(values[i] == 3.0f, "element %d is %g", i, values[i]);
    netcl_kernel_release(kernel);
    netcl_tensor_release(in);
    netcl_tensor_release(out);
    netcl_pool_release(pool);
    netcl_queue_release(queue);
  }
}

/* In a process of its own: what it finds out about the device, and whether a call has failed. */
static int discover(void) {
  netcl_device* device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities c = NETCL_DEVICE_CAPABILITIES_INIT;
  CHILD_OK(netcl_device_open("gpu", NULL, &device));
  CHILD_OK(netcl_device_get_info(device, &info));
  CHILD_OK(netcl_device_get_capabilities(device, &c));
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof info; ++i) sum = sum * 31 + ((const unsigned char*)&info)[i];
  for (size_t i = 0; i < sizeof c; ++i) sum = sum * 31 + ((const unsigned char*)&c)[i];
  printf("%s, type %d, %llx\n", info.name, info.type, (unsigned long long)sum);
  netcl_device_release(device);
  return hits() > 0 ? 3 : 0;
}

/* A driver that says nothing at all. */
static int discover_nothing(void) {
  netcl_device* device = NULL;
  CHILD_STATUS(NETCL_ERROR_NO_DEVICE, netcl_device_open("gpu", NULL, &device));
  CHILD_CHECK(strstr(netcl_last_error_message(), getenv("EXPECTED")) != NULL);
  CHILD_OK(netcl_device_open("auto", NULL, &device));
  netcl_device_release(device);
  return 0;
}

static void devices_are_found_although(void** state) {
  static const char* const kFunctions[] = {"clGetPlatformIDs", "clGetDeviceIDs",
                                           "clGetPlatformInfo", "clGetDeviceInfo"};
  process_result plain, result;
  (void)state;
  process_run_self("discover", NULL, 30, &plain);
  process_expect_exit(&plain, 0);
  for (size_t f = 0; f < COUNT_OF(kFunctions); ++f) {
    int nth = 1;
    for (;; ++nth) {
      char text[128];
      const char* const environment[] = {text, NULL};
      snprintf(text, sizeof text, "NETCL_FAKE_CL_FAIL=%s %d %d", kFunctions[f], nth,
               kCodes[nth % COUNT_OF(kCodes)]);
      process_run_self("discover", environment, 30, &result);
      if (result.exit_code == 0) break;
      CHECK(result.exit_code == 3 && strcmp(result.output, plain.output) == 0,
            "%s: exit %d, %s instead of %s", text, result.exit_code, result.output, plain.output);
    }
    assert_true(nth > 2);
  }
}

static void devices_that_say_nothing(void** state) {
  static const char* const kCases[][2] = {
      {"NETCL_FAKE_CL_FAIL=clGetPlatformIDs 1+ -6", "EXPECTED=clGetPlatformIDs failed"},
      {"NETCL_FAKE_CL_FAIL=clGetDeviceIDs 1+ -6", "EXPECTED=clGetDeviceIDs failed"},
      {"NETCL_FAKE_CL_FAIL=clGetDeviceInfo 1+ -6", "EXPECTED=does not say what type"}};
  (void)state;
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    const char* const environment[] = {kCases[i][0], kCases[i][1], NULL};
    process_result result;
    process_run_self("discover_nothing", environment, 30, &result);
    process_expect_exit(&result, 0);
  }
}

/* Gone, or a zombie that nobody asks for. */
static int is_gone(long pid) {
  char path[64], text[256] = "";
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  FILE* file = fopen(path, "r");
  if (file == NULL) return 1;
  const size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  const char* end = size > 0 ? strrchr(text, ')') : NULL;
  return end != NULL && (end[2] == 'Z' || end[2] == 'X');
}

static void orphans_end_with_the_worker(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  char line[256];
  int found = 0;
  fake_case(fixture->device, &made);
  made.options.in_process = 0;
  fake_script("log\nk : time 10000\nk A=1 : orphan\nk A=3 : time 5000");
  assert_int_equal(fake_winner(&made, NULL), 3);
  FILE* file = fopen(getenv("NETCL_FAKE_CL_LOG"), "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL) {
    long pid = 0;
    if (sscanf(line, "orphan %ld", &pid) != 1) continue;
    ++found;
    const double until = process_now() + 5;
    while (!is_gone(pid) && process_now() < until) process_sleep_ms(20);
    const int gone = is_gone(pid);
    if (!gone) kill((pid_t)pid, SIGKILL);
    CHECK(gone, "process %ld outlived the worker", pid);
  }
  fclose(file);
  assert_true(found > 0);
  fake_case_free(&made);
}

/* A driver that keeps a part of its local memory for itself: as much as it gives is filled between
 * candidates, and the log says so. */
static void local_memory_that_is_refused(void** state) {
  Fixture* fixture = *state;
  static const char kLocal[] =
      "#ifndef A\n#define A -1\n#endif\n"
      "__kernel void k(__global const float *in, __global float *out) {\n"
      "  __local float part[64];\n"
      "  part[get_local_id(0)] = in[get_global_id(0)];\n"
      "  out[get_global_id(0)] = 2.0f * part[get_local_id(0)] + 1.0f + 0.0f * A;\n"
      "}\n";
  const char* const line = "of local memory; half of it";
  FakeCase made;
  fake_case(fixture->device, &made);
  netcl_kernel_release(made.kernel);
  made.kernel = fresh_kernel(fixture->device, "k", kLocal);
  OK(netcl_log_set_level(NETCL_LOG_DEBUG));
  uint64_t from = log_last_sequence();
  fake_script("k : time 12000\nk A=5 : time 9000");
  assert_int_equal(fake_winner(&made, NULL), 5);
  assert_false(log_has(from, line));
  from = log_last_sequence();
  fake_script_more("netcl_fill_local : refuse-local 20000");
  assert_int_equal(fake_winner(&made, NULL), 5);
  /* Of 48 KiB. */
  assert_true(log_has(from, "49152 bytes of local memory; half of it"));
  assert_true(log_has(from, "24576 bytes of local memory; half of it"));
  assert_false(log_has(from, "12288 bytes"));
  /* Where nothing at all is given, candidates cannot be trusted. */
  netcl_config* config = NULL;
  fake_script_more("netcl_fill_local : refuse-local 0");
  made.options.force = 1;
  FAILS_WITH(NETCL_ERROR_LAUNCH_FAILURE, "CL_OUT_OF_RESOURCES",
             netcl_kernel_autotune(made.kernel, &made.global, 1, made.args, 2, &made.tuning,
                                   &made.options, &config, NULL));
  assert_null(config);
  OK(netcl_log_set_level(NETCL_LOG_WARNING));
  fake_case_free(&made);
}

int main(int argc, char** argv) {
  static const process_mode kModes[] = {{"discover", discover},
                                        {"discover_nothing", discover_nothing}};
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(each_failure_has_its_kind),
      DEVICE_TEST(parts_of_a_command_are_waited_for),
      DEVICE_TEST(devices_are_found_although),
      DEVICE_TEST(devices_that_say_nothing),
      DEVICE_TEST(orphans_end_with_the_worker),
      DEVICE_TEST(local_memory_that_is_refused),
  };
  return cmocka_run_group_tests_name("faults_fake", tests, NULL, NULL);
}
