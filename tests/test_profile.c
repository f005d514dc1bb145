/* Profiles: regions, counters and reports. */
#include <pthread.h>
#include <stdio.h>

#include "support_process.h"
#include "support_profile.h"

/* The number of a member of the region of this name in a JSON report. */
static double region_number(const char* json, const char* name, const char* member) {
  char wanted[128];
  snprintf(wanted, sizeof wanted, "\"name\": \"%s\"", name);
  const char* at = strstr(json, wanted);
  CHECK(at != NULL, "no region %s in\n%s", name, json);
  snprintf(wanted, sizeof wanted, "\"%s\": ", member);
  at = strstr(at, wanted);
  CHECK(at != NULL, "no %s of %s in\n%s", member, name, json);
  return strtod(at + strlen(wanted), NULL);
}

/* ---- Regions */

static void nested_sums(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = profile_queue(fixture);
  netcl_tensor* tensor = profile_operand(fixture, 100000);
  netcl_region *outer = NULL, *inner = NULL;
  profile_work(tensor, queue);
  profile_start(NULL);
  profile_work(tensor, queue); /* outside all regions */
  OK(netcl_region_begin(queue, NULL, "outer", &outer));
  profile_work(tensor, queue);
  for (int i = 0; i < 3; i++) {
    OK(netcl_region_begin(queue, outer, "inner", &inner));
    profile_work(tensor, queue);
    profile_work(tensor, queue);
    OK(netcl_region_annotate(inner, 100, 1000));
    process_sleep_ms(3);
    OK(netcl_region_end(inner));
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_region_end(inner));
    netcl_region_release(inner);
  }
  profile_work(tensor, queue);
  process_sleep_ms(5);
  OK(netcl_region_annotate(outer, 7, 70));
  OK(netcl_region_end(outer));
  netcl_region_release(outer);
  OK(netcl_queue_finish(queue, LONG_WAIT));
  char* json = profile_report(NETCL_FORMAT_JSON);
  assert_true(region_number(json, "outer", "calls") == 1);
  assert_true(region_number(json, "inner", "calls") == 3);
  assert_true(region_number(json, "inner", "commands") == 6);
  assert_true(region_number(json, "outer", "commands_self") == 2);
  assert_true(region_number(json, "outer", "commands") == 8);
  CHECK(strstr(json, "\"outside\": {\n  \"commands\": 1,") != NULL, "outside in\n%s", json);
  const double device = region_number(json, "outer", "device_ns");
  const double self = region_number(json, "outer", "device_self_ns");
  const double below = region_number(json, "inner", "device_ns");
  assert_true(device > 0 && self > 0 && below > 0 && device == self + below);
  const double host = region_number(json, "outer", "host_ns");
  const double inner_host = region_number(json, "inner", "host_ns");
  CHECK(inner_host >= 9e6 && host >= inner_host + 5e6, "host %g, of it inner %g", host, inner_host);
  assert_true(region_number(json, "outer", "host_self_ns") == host - inner_host);
  CHECK(region_number(json, "inner", "operations_self") >= 3000 &&
            region_number(json, "inner", "bytes_self") >= 300,
        "annotations in\n%s", json);
  CHECK(region_number(json, "outer", "bytes") ==
            region_number(json, "outer", "bytes_self") + region_number(json, "inner", "bytes"),
        "bytes in\n%s", json);
  assert_true(region_number(json, "outer", "bytes_self") >= 7);
  free(json);
  OK(netcl_profile_stop(LONG_WAIT));
  /* What was recorded can still be read, until it is forgotten. */
  json = profile_report(NETCL_FORMAT_JSON);
  assert_true(region_number(json, "inner", "commands") == 6);
  free(json);
  OK(netcl_profile_reset());
  json = profile_report(NETCL_FORMAT_JSON);
  assert_null(strstr(json, "outer"));
  assert_non_null(strstr(json, "\"kernels\": []"));
  free(json);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

static void stack(void** state) {
  Fixture* fixture = *state;
  netcl_queue *queue = profile_queue(fixture), *other = profile_queue(fixture);
  netcl_tensor *tensor = profile_operand(fixture, 1000), *second = profile_operand(fixture, 1000);
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_region_pop());
  OK(netcl_region_push(queue, "while off"));
  profile_start(NULL);
  OK(netcl_region_push(queue, "a"));
  OK(netcl_region_push(other, "b"));
  profile_work(tensor, queue); /* the innermost region of its queue is a */
  profile_work(second, other);
  profile_work(second, other);
  OK(netcl_region_pop());
  OK(netcl_region_push(queue, "c"));
  profile_work(tensor, queue);
  OK(netcl_region_pop());
  OK(netcl_region_pop());
  OK(netcl_region_pop()); /* the one that was pushed while the profile was off */
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_region_pop());
  OK(netcl_region_push(queue, "left open"));
  OK(netcl_profile_stop(LONG_WAIT));
  OK(netcl_region_pop());
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_region_pop());
  char* json = profile_report(NETCL_FORMAT_JSON);
  assert_null(strstr(json, "while off"));
  assert_true(region_number(json, "a", "commands_self") == 1);
  assert_true(region_number(json, "a", "commands") == 4);
  assert_true(region_number(json, "b", "commands") == 2);
  assert_true(region_number(json, "c", "commands") == 1);
  assert_true(region_number(json, "left open", "calls") == 1);
  assert_true(region_number(json, "left open", "host_ns") > 0);
  free(json);
  netcl_tensor_release(tensor);
  netcl_tensor_release(second);
  netcl_queue_release(queue);
  netcl_queue_release(other);
}

typedef struct Worker {
  Fixture* fixture;
  netcl_queue* queue;
} Worker;

static void* push_in_thread(void* argument) {
  Worker* worker = argument;
  netcl_tensor* tensor = profile_operand(worker->fixture, 500);
  for (int i = 0; i < 50; i++) {
    OK(netcl_region_push(worker->queue, "step"));
    profile_work(tensor, worker->queue);
    OK(netcl_region_push(worker->queue, "part"));
    profile_work(tensor, worker->queue);
    profile_work(tensor, worker->queue);
    OK(netcl_region_pop());
    OK(netcl_region_pop());
  }
  netcl_tensor_release(tensor);
  return NULL;
}

static void threads(void** state) {
  Fixture* fixture = *state;
  Worker worker = {fixture, profile_queue(fixture)};
  pthread_t others[4];
  netcl_region* main_region = NULL;
  profile_start(trace_file("threads.json"));
  OK(netcl_region_begin(worker.queue, NULL, "of another thread", &main_region));
  for (int i = 0; i < 4; i++) {
    assert_int_equal(pthread_create(&others[i], NULL, push_in_thread, &worker), 0);
  }
  for (int i = 0; i < 4; i++) pthread_join(others[i], NULL);
  OK(netcl_region_end(main_region));
  netcl_region_release(main_region);
  OK(netcl_profile_stop(LONG_WAIT));
  char* json = profile_report(NETCL_FORMAT_JSON);
  assert_true(region_number(json, "step", "calls") == 200);
  assert_true(region_number(json, "step", "commands_self") == 200);
  assert_true(region_number(json, "part", "commands") == 400);
  assert_true(region_number(json, "of another thread", "commands") == 0);
  free(json);
  const TraceFacts facts = check_trace(trace_file("threads.json"), 600);
  CHECK(facts.host_lanes >= 4, "%d host lanes", facts.host_lanes);
  netcl_queue_release(worker.queue);
}

static void* end_in_thread(void* argument) {
  OK(netcl_region_end(argument));
  return NULL;
}

/* Handles in odd orders: released while open, ended elsewhere, crossing each other. */
static void odd_orders(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = profile_queue(fixture);
  netcl_tensor* tensor = profile_operand(fixture, 1000);
  netcl_region *a = NULL, *b = NULL, *c = NULL;
  profile_start(trace_file("odd.json"));
  OK(netcl_region_begin(queue, NULL, "released", &a));
  profile_work(tensor, queue);
  OK(netcl_region_retain(a));
  netcl_region_release(a);
  profile_work(tensor, queue);
  netcl_region_release(a); /* ends it */
  profile_work(tensor, queue);
  OK(netcl_region_begin(queue, NULL, "first", &a));
  OK(netcl_region_begin(queue, a, "crossing", &b));
  profile_work(tensor, queue);
  OK(netcl_region_end(a));
  profile_work(tensor, queue);
  OK(netcl_region_end(b));
  netcl_region_release(a);
  OK(netcl_region_begin(queue, b, "below one that has ended", &a));
  OK(netcl_region_begin(queue, NULL, "moved", &c));
  profile_work(tensor, queue);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, end_in_thread, c), 0);
  pthread_join(thread, NULL);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_region_end(c));
  OK(netcl_profile_stop(LONG_WAIT));
  OK(netcl_region_annotate(a, 1, 1));
  OK(netcl_region_end(a));
  netcl_region_release(a);
  netcl_region_release(b);
  netcl_region_release(c);
  netcl_region_release(NULL);
  char* json = profile_report(NETCL_FORMAT_JSON);
  assert_true(region_number(json, "released", "commands") == 2);
  assert_true(region_number(json, "first", "commands_self") == 0);
  assert_true(region_number(json, "crossing", "commands_self") == 2);
  assert_true(region_number(json, "moved", "commands") == 1);
  free(json);
  check_trace(trace_file("odd.json"), 6);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

static void while_off(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = profile_queue(fixture);
  netcl_queue_info info = NETCL_QUEUE_INFO_INIT;
  netcl_region *a = NULL, *b = NULL;
  OK(netcl_queue_get_info(queue, &info));
  const uint32_t by_default = info.profiling;
  OK(netcl_profile_reset());
  OK(netcl_region_begin(queue, NULL, "off", &a));
  OK(netcl_region_begin(queue, a, "off too", &b));
  OK(netcl_region_annotate(b, 1, 2));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "bytes", netcl_region_annotate(b, -1, 2));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "operations", netcl_region_annotate(b, 1, 0.0 / 0.0));
  OK(netcl_region_end(b));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_region_end(b));
  netcl_region_release(b);
  profile_start(NULL);
  OK(netcl_queue_get_info(queue, &info));
  assert_int_equal(info.profiling, 1);
  OK(netcl_region_begin(queue, a, "under one that records nothing", &b));
  OK(netcl_region_end(a));
  OK(netcl_region_end(b));
  netcl_region_release(a);
  netcl_region_release(b);
  OK(netcl_profile_stop(LONG_WAIT));
  OK(netcl_queue_get_info(queue, &info));
  assert_int_equal(info.profiling, by_default);
  char* json = profile_report(NETCL_FORMAT_JSON);
  assert_null(strstr(json, "\"off"));
  assert_true(region_number(json, "under one that records nothing", "calls") == 1);
  free(json);
  netcl_queue_release(queue);
}

/* ---- Counters and reports */

static void counters(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = profile_queue(fixture);
  netcl_tensor *small = profile_operand(fixture, 1000), *large = profile_operand(fixture, 100000);
  float values[1000] = {0};
  netcl_transfer_options transfer = NETCL_TRANSFER_OPTIONS_INIT;
  transfer.queue = queue;
  profile_work(small, queue);
  profile_work(large, queue);
  OK(netcl_queue_finish(queue, LONG_WAIT));
  profile_start(NULL);
  for (int i = 0; i < 20; i++) profile_work(small, queue);
  for (int i = 0; i < 5; i++) profile_work(large, queue);
  OK(netcl_tensor_write(small, values, sizeof values, &transfer, LONG_WAIT));
  OK(netcl_profile_stop(LONG_WAIT));
  char *json = profile_report(NETCL_FORMAT_JSON), *text = profile_report(NETCL_FORMAT_TEXT);
  char* csv = profile_report(NETCL_FORMAT_CSV);
  assert_non_null(strstr(json, "\"calls\": 20,"));
  assert_non_null(strstr(json, "\"calls\": 5,"));
  /* 4000 bytes fall into the bucket that ends at 4096. */
  const char* write = strstr(json, "\"name\": \"write\"");
  CHECK(write != NULL && strstr(write, "\"size_to\": 4096,") != NULL, "no write in\n%s", json);
  assert_true(region_number(json, "write", "bytes") == 4000);
  assert_true(region_number(json, "write", "min_ns") <= region_number(json, "write", "max_ns"));
  assert_non_null(strstr(json, "\"pending\": 0"));
  assert_non_null(strstr(json, "\"dropped\": 0"));
  assert_non_null(strstr(text, "kernel"));
  assert_non_null(strstr(text, "write"));
  CHECK(strncmp(csv, "kind,name,where,", 16) == 0 && strstr(csv, "\nwrite,write,") != NULL, "%s",
        csv);
  /* All of it is outside of regions, and nothing is missing. */
  CHECK(strstr(csv, "\noutside,(outside),,,,26,,,") != NULL && strstr(csv, "\nmissing,") == NULL,
        "%s", csv);
  /* All rows have as many fields as the first. */
  int fields = 0, first = 0, quoted = 0;
  for (const char* c = csv; *c != '\0'; c++) {
    if (*c == '"') quoted = !quoted;
    if (quoted || (*c != ',' && *c != '\n')) continue;
    ++fields;
    if (*c != '\n') continue;
    if (first == 0) first = fields;
    CHECK(fields == first, "%d fields, not %d:\n%s", fields, first, csv);
    fields = 0;
  }
  free(json);
  free(text);
  free(csv);
  netcl_tensor_release(small);
  netcl_tensor_release(large);
  netcl_queue_release(queue);
}

static netcl_status report_call(void* context, char* buffer, size_t capacity, size_t* length) {
  return netcl_profile_report(*(netcl_format*)context, buffer, capacity, length);
}

static netcl_status start_call(Fixture* fixture, const void* options) {
  (void)fixture;
  const netcl_status status = netcl_profile_start(options);
  if (status == NETCL_OK) OK(netcl_profile_stop(LONG_WAIT));
  return status;
}

static void rules(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = profile_queue(fixture);
  netcl_profile_options options = NETCL_PROFILE_OPTIONS_INIT;
  netcl_region* region = NULL;
  check_options_rules(fixture, "netcl_profile_options", start_call, &options,
                      SIZES(netcl_profile_options), NULL, 0);
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_profile_stop(0));
  OK(netcl_profile_start(NULL));
  FAILS(NETCL_ERROR_BUSY, netcl_profile_start(NULL));
  OK(netcl_region_begin(queue, NULL, "a \"quoted\", name \xc3\xa9", &region));
  OK(netcl_region_end(region));
  netcl_region_release(region);
  for (netcl_format format = NETCL_FORMAT_TEXT; format <= NETCL_FORMAT_CSV; format++) {
    char* text = check_text_rules("netcl_profile_report", report_call, &format);
    /* Rows of people's tables stay whole. */
    CHECK(format != NETCL_FORMAT_TEXT || strstr(text, "a \"quoted\", name \xc3\xa9 ") != NULL, "%s",
          text);
    free(text);
  }
  OK(netcl_profile_stop(0));
  size_t length = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "format", netcl_profile_report(0, NULL, 0, &length));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "format", netcl_profile_report(4, NULL, 0, &length));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_region_begin(queue, NULL, NULL, &region));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_region_begin(queue, NULL, "a\n", &region));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_region_begin(queue, NULL, "a", NULL));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_region_push(queue, NULL));
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_region_push(NULL, "a"));
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_region_pop());
  options.trace_path = "/nonexistent/folder/trace.json";
  FAILS_WITH(NETCL_ERROR_IO, "trace.json", netcl_profile_start(&options));
  options.trace_path = "/";
  FAILS(NETCL_ERROR_IO, netcl_profile_start(&options));
  options.trace_path = "/dev/null";
  FAILS(NETCL_ERROR_IO, netcl_profile_start(&options));
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_profile_stop(0));
  netcl_queue_release(queue);
}

static void waits_for_work(void** state) {
  Fixture* fixture = *state;
  NEEDS_WORK_IN_FLIGHT(fixture);
  netcl_queue* queue = profile_queue(fixture);
  start_slow_work(fixture, queue, NULL, NULL); /* builds the kernel */
  OK(netcl_queue_finish(queue, LONG_WAIT));
  profile_start(NULL);
  start_slow_work(fixture, queue, NULL, NULL);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_profile_stop(0));
  FAILS(NETCL_ERROR_BUSY, netcl_profile_start(NULL)); /* it goes on */
  char* json = profile_report(NETCL_FORMAT_JSON);
  CHECK(strstr(json, "\"pending\": 0") == NULL, "the work is not pending:\n%s", json);
  free(json);
  OK(netcl_profile_stop(LONG_WAIT));
  json = profile_report(NETCL_FORMAT_JSON);
  assert_true(region_number(json, "slow", "calls") == 1);
  assert_true(region_number(json, "slow", "total_ns") > 1e7);
  free(json);
  netcl_queue_release(queue);
}

/* What finds no room is counted, and nothing else suffers. */
static void limit(void** state) {
  Fixture* fixture = *state;
  NEEDS_WORK_IN_FLIGHT(fixture);
  netcl_profile_options options = NETCL_PROFILE_OPTIONS_INIT;
  netcl_queue* queue = profile_queue(fixture);
  netcl_tensor* tensor = profile_operand(fixture, 100);
  profile_work(tensor, queue);
  start_slow_work(fixture, queue, NULL, NULL);
  OK(netcl_queue_finish(queue, LONG_WAIT));
  options.records_most = 5;
  OK(netcl_profile_reset());
  OK(netcl_profile_start(&options));
  start_slow_work(fixture, queue, NULL, NULL);
  for (int i = 0; i < 20; i++) profile_work(tensor, queue);
  OK(netcl_profile_stop(LONG_WAIT));
  char* json = profile_report(NETCL_FORMAT_JSON);
  CHECK(strstr(json, "\"dropped\": 0") == NULL, "nothing was dropped:\n%s", json);
  free(json);
  char* csv = profile_report(NETCL_FORMAT_CSV);
  CHECK(strstr(csv, "\nmissing,dropped,,,,") != NULL, "%s", csv);
  free(csv);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

/* What several starts record adds up, until it is forgotten. */
static void adds_up(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = profile_queue(fixture);
  netcl_tensor* tensor = profile_operand(fixture, 1000);
  OK(netcl_profile_reset());
  for (int round = 1; round <= 3; round++) {
    OK(netcl_profile_start(NULL));
    OK(netcl_region_push(queue, "again"));
    profile_work(tensor, queue);
    OK(netcl_region_pop());
    OK(netcl_profile_stop(LONG_WAIT));
    profile_work(tensor, queue); /* while it is off */
    char* json = profile_report(NETCL_FORMAT_JSON);
    assert_true(region_number(json, "again", "calls") == round);
    assert_true(region_number(json, "again", "commands") == round);
    assert_true(region_number(json, "again", "bytes_written") == 4000.0 * round);
    CHECK(strstr(json, "\"dtype\": \"f32\"") != NULL, "no dtype in\n%s", json);
    free(json);
  }
  OK(netcl_profile_reset());
  char* json = profile_report(NETCL_FORMAT_JSON);
  CHECK(strstr(json, "again") == NULL, "after a reset\n%s", json);
  free(json);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(nested_sums), DEVICE_TEST(stack),          DEVICE_TEST(threads),
      DEVICE_TEST(odd_orders),  DEVICE_TEST(while_off),      DEVICE_TEST(counters),
      DEVICE_TEST(rules),       DEVICE_TEST(waits_for_work), DEVICE_TEST(limit),
      DEVICE_TEST(adds_up),
  };
  seed_random("profile");
  return cmocka_run_group_tests_name("profile", tests, make_trace_folder, remove_trace_folder);
}
