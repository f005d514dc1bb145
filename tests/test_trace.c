/* Traces of profiles: as another program reads them, killed in the middle, from the environment. */
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "support_process.h"
#include "support_profile.h"

static void trace(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queues[3] = {profile_queue(fixture), profile_queue(fixture), NULL};
  netcl_queue_options out_of_order = NETCL_QUEUE_OPTIONS_INIT;
  out_of_order.out_of_order = !fixture->opencl || fixture->capabilities.out_of_order;
  OK(netcl_queue_create(fixture->device, &out_of_order, &queues[2]));
  netcl_tensor* tensors[3];
  for (int i = 0; i < 3; i++) tensors[i] = profile_operand(fixture, 20000);
  profile_work(tensors[0], queues[0]);
  profile_start(trace_file("trace.json"));
  OK(netcl_region_push(queues[0], "a \"name\" with \\ and \xc3\xa9"));
  for (int i = 0; i < 60; i++) profile_work(tensors[i % 3], queues[i % 3]);
  OK(netcl_region_pop());
  /* The file is whole at any moment. */
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  free(profile_report(NETCL_FORMAT_TEXT));
  check_trace(trace_file("trace.json"), 60);
  netcl_profile_options options = NETCL_PROFILE_OPTIONS_INIT;
  options.trace_path = trace_file("trace.json");
  OK(netcl_profile_stop(LONG_WAIT));
  TraceFacts facts = check_trace(trace_file("trace.json"), 60);
  CHECK(facts.commands == 60 && facts.queue_lanes >= 3 && facts.devices == 1,
        "%d commands, %d lanes of %d devices", facts.commands, facts.queue_lanes, facts.devices);
  /* A new trace replaces the old one. */
  OK(netcl_profile_start(&options));
  profile_work(tensors[0], queues[0]);
  OK(netcl_profile_stop(LONG_WAIT));
  facts = check_trace(trace_file("trace.json"), 1);
  assert_int_equal(facts.commands, 1);
  for (int i = 0; i < 3; i++) {
    netcl_tensor_release(tensors[i]);
    netcl_queue_release(queues[i]);
  }
}

static int open_and_work(int count, netcl_device** device, netcl_tensor** tensor) {
  const int64_t shape[] = {5000};
  CHILD_OK(netcl_device_open(test_selector(), NULL, device));
  CHILD_OK(netcl_tensor_create_zeros(*device, NETCL_F32, 1, shape, NULL, NULL, tensor));
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = *tensor;
  for (int i = 0; i < count; i++) {
    CHILD_OK(netcl_op_expression_text("v0 + 1", tensor, 1, NULL, &run, NULL));
  }
  return 0;
}

/* Works until it is killed in the middle. */
static int child_killed(void) {
  netcl_device* device;
  netcl_tensor* tensor;
  if (open_and_work(200, &device, &tensor) != 0) return 1;
  process_sleep_ms(150);
  if (open_and_work(300, &device, &tensor) != 0) return 1;
  raise(SIGKILL);
  return 0;
}

/* Ends without stopping the profile or releasing anything. */
static int child_exits(void) {
  netcl_device* device;
  netcl_tensor* tensor;
  netcl_queue* queue;
  if (open_and_work(40, &device, &tensor) != 0) return 1;
  CHILD_OK(netcl_device_get_queue(device, &queue));
  CHILD_OK(netcl_region_push(queue, "open to the end"));
  CHILD_STATUS(NETCL_ERROR_BUSY, netcl_profile_start(NULL));
  return 0;
}

static const process_mode kModes[] = {{"killed", child_killed}, {"exits", child_exits}};

static void run_child(const char* mode, const char* path, process_result* result) {
  char variable[700];
  snprintf(variable, sizeof variable, "NETCL_TRACE=%s", path);
  const char* environment[] = {variable, NULL};
  process_run_self(mode, environment, 60, result);
}

static void killed(void** state) {
  (void)state;
  process_result result;
  run_child("killed", trace_file("killed.json"), &result);
  CHECK(result.signal == SIGKILL, "exit code %d: %s", result.exit_code, result.output);
  check_trace(trace_file("killed.json"), 150);
}

static void from_environment(void** state) {
  (void)state;
  process_result result;
  run_child("exits", trace_file("exits.json"), &result);
  process_expect_exit(&result, 0);
  check_trace(trace_file("exits.json"), 40);
  /* A folder that is not there is a warning and not a failure. */
  run_child("exits", "/nonexistent/trace.json", &result);
  CHECK(result.exit_code == 1 && strstr(result.output, "netcl_profile_start") != NULL,
        "exit code %d: %s", result.exit_code, result.output);
}

/* A second process does not write into the trace of the first. */
static void two_processes(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = profile_queue(fixture);
  netcl_tensor* tensor = profile_operand(fixture, 100);
  process_result result;
  profile_start(trace_file("shared.json"));
  profile_work(tensor, queue);
  run_child("exits", trace_file("shared.json"), &result);
  process_expect_exit(&result, 0);
  OK(netcl_profile_stop(LONG_WAIT));
  const TraceFacts facts = check_trace(trace_file("shared.json"), 1);
  assert_int_equal(facts.commands, 1);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

/* A trace that cannot grow: the profile ends and says so. */
static void full_disk(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = profile_queue(fixture);
  netcl_tensor* tensor = profile_operand(fixture, 1000);
  const char* const path = trace_file("full.json");
  profile_start(path);
  for (int i = 0; i < 100; i++) profile_work(tensor, queue);
  struct rlimit before, little;
  struct stat facts;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(stat(path, &facts), 0);
  little = before;
  little.rlim_cur = (rlim_t)facts.st_size + 40; /* room for a part of an event */
  void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
  const netcl_status status = netcl_profile_stop(LONG_WAIT);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  assert_int_equal(status, NETCL_ERROR_IO);
  check_message(path, "netcl_profile_stop", __FILE__, __LINE__);
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_profile_stop(0));
  check_trace(path, 0);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

int main(int argc, char** argv) {
  const int child = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (child >= 0) return child;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(trace),
      cmocka_unit_test(killed),
      cmocka_unit_test(from_environment),
      DEVICE_TEST(two_processes),
      DEVICE_TEST(full_disk),
  };
  return cmocka_run_group_tests_name("trace", tests, make_trace_folder, remove_trace_folder);
}
