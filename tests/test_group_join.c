/* Meetings that go wrong: a rank 0 without descriptors, held up, refusing, or there twice. */
#include "support_group.h"
#include "support_process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static netcl_status join_for(netcl_device* device, const char* path, uint32_t rank, uint32_t size,
                             uint64_t timeout_ns) {
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  netcl_group* group = NULL;
  options.timeout_ns = timeout_ns;
  const netcl_status status = netcl_group_join(device, path, rank, size, &options, &group);
  netcl_group_release(group);
  return status;
}

static int number_of(const char* name) { return atoi(getenv(name)); }

/* A file that is there while a child joins. */
static const char* joining(const char* path, int rank) {
  static char name[420];
  snprintf(name, sizeof name, "%s.%d", path, rank);
  return name;
}

/* Joins as it is told and exits with minus the status. Some descriptors may be left to it. */
static int child_joins(void) {
  const char* const file = joining(getenv("NETCL_TEST_PATH"), number_of("NETCL_TEST_RANK"));
  netcl_device* device = NULL;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_CHECK(close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)) == 0);
  const int left = number_of("NETCL_TEST_LEFT");
  if (left > 0) {
    const int next = dup(0);
    const struct rlimit limit = {(rlim_t)(next + left), (rlim_t)(next + left)};
    close(next);
    CHILD_CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  }
  const netcl_status status =
      join_for(device, getenv("NETCL_TEST_PATH"), (uint32_t)number_of("NETCL_TEST_RANK"),
               (uint32_t)number_of("NETCL_TEST_SIZE"),
               (uint64_t)number_of("NETCL_TEST_SECONDS") * SECOND);
  printf("%s\n", netcl_last_error_message());
  unlink(file);
  netcl_device_release(device);
  return -status;
}

static process_ticket start_join(const char* path, int rank, int size, int left, int seconds) {
  char place[400], number[40], ranks[40], descriptors[40], limit[40];
  snprintf(place, sizeof place, "NETCL_TEST_PATH=%s", path);
  snprintf(number, sizeof number, "NETCL_TEST_RANK=%d", rank);
  snprintf(ranks, sizeof ranks, "NETCL_TEST_SIZE=%d", size);
  snprintf(descriptors, sizeof descriptors, "NETCL_TEST_LEFT=%d", left);
  snprintf(limit, sizeof limit, "NETCL_TEST_SECONDS=%d", seconds);
  const char* const environment[] = {place, number, ranks, descriptors, limit, NULL};
  return process_start_self("joins", environment);
}

static void wait_for_file(const char* path) {
  for (int i = 0; access(path, F_OK) != 0; i++) {
    CHECK(i < 6000, "%s is not there", path);
    process_sleep_ms(10);
  }
  process_sleep_ms(50);
}

/* However few descriptors rank 0 has left, all are told within their time: it may find out at the
 * second that it has to let in. */
static void few_descriptors(void** state) {
  Fixture* fixture = *state;
  process_result result, other;
  if (process_has_asan()) SKIP("without descriptors UBSan takes any object for none");
  for (int left = 1; left <= 6; left++) {
    const char* const path = group_path();
    const process_ticket host = start_join(path, 0, 3, left, 6);
    const process_ticket second = start_join(path, 2, 3, 0, 6);
    const netcl_status status = join_for(fixture->device, path, 1, 3, 6 * SECOND);
    process_finish(host, 30, &result);
    process_finish(second, 30, &other);
    CHECK(!result.timed_out && result.signal == 0, "with %d rank 0 never ends: %s", left,
          result.output);
    CHECK(result.exit_code == 0 || result.exit_code == -NETCL_ERROR_IO, "with %d: %s", left,
          result.output);
    /* All or none. */
    const int joined = (result.exit_code == 0) + (other.exit_code == 0) + (status == NETCL_OK);
    CHECK(joined % 3 == 0, "with %d rank 0 gets %d, rank 1 %s, rank 2 %d", left, -result.exit_code,
          netcl_status_name(status), -other.exit_code);
    group_path_done();
  }
}

/* Nobody waits for longer than asked for a rank 0 that lets nobody in. */
static void held_up(void** state) {
  Fixture* fixture = *state;
  process_result result;
  const char* const path = group_path();
  const process_ticket host = start_join(path, 0, 2, 0, 2);
  wait_for_file(path);
  kill(host.pid, SIGSTOP);
  for (int i = 0; i < 6; i++) {
    const double begin = process_now();
    const netcl_status status = join_for(fixture->device, path, 1, 2, SECOND / 10);
    assert_int_equal(status, NETCL_ERROR_TIMEOUT);
    CHECK(process_now() - begin < 20, "it took %.1f s", process_now() - begin);
  }
  assert_int_equal(join_for(fixture->device, path, 0, 2, SECOND / 10), NETCL_ERROR_BUSY);
  kill(host.pid, SIGKILL);
  process_finish(host, 30, &result);
  unlink(joining(path, 0));
  group_path_done();
}

/* What one of them gets wrong, all hear of, also those who have not been let in yet. */
static void refused_at_the_door(void** state) {
  (void)state;
  process_result result;
  process_ticket tickets[3];
  const char* const path = group_path();
  tickets[0] = start_join(path, 0, 3, 0, 20);
  wait_for_file(path);
  kill(tickets[0].pid, SIGSTOP);
  for (int r = 1; r < 3; r++) {
    tickets[r] = start_join(path, r, r == 1 ? 4 : 3, 0, 20);
    wait_for_file(joining(path, r));
    process_sleep_ms(200);
  }
  kill(tickets[0].pid, SIGCONT);
  for (int r = 0; r < 3; r++) {
    process_finish(tickets[r], 30, &result);
    CHECK(result.exit_code == -NETCL_ERROR_INVALID_ARGUMENT, "rank %d exits with %d: %s", r,
          result.exit_code, result.output);
  }
  group_path_done();
}

typedef struct Hosting {
  netcl_device* device;
  const char* path;
  netcl_status status;
} Hosting;

static void* host(void* argument) {
  Hosting* const own = argument;
  own->status = join_for(own->device, own->path, 0, 2, SECOND / 5);
  return NULL;
}

/* A socket that a killed process left is replaced, by one rank 0 alone. */
static void two_hosts(void** state) {
  Fixture* fixture = *state;
  for (int i = 0; i < 5; i++) {
    const char* const path = group_path();
    Hosting hosts[2] = {{fixture->device, path, NETCL_OK}, {fixture->device, path, NETCL_OK}};
    pthread_t threads[2];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    const int left = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(left, (const struct sockaddr*)&address, sizeof address), 0);
    close(left);
    for (int h = 0; h < 2; h++) {
      assert_int_equal(pthread_create(&threads[h], NULL, host, &hosts[h]), 0);
    }
    for (int h = 0; h < 2; h++) pthread_join(threads[h], NULL);
    const int busy = (hosts[0].status == NETCL_ERROR_BUSY) + (hosts[1].status == NETCL_ERROR_BUSY);
    const int late =
        (hosts[0].status == NETCL_ERROR_TIMEOUT) + (hosts[1].status == NETCL_ERROR_TIMEOUT);
    CHECK(busy == 1 && late == 1, "%s and %s", netcl_status_name(hosts[0].status),
          netcl_status_name(hosts[1].status));
    assert_int_not_equal(access(path, F_OK), 0);
    group_path_done();
  }
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"joins", child_joins}};
  const struct CMUnitTest tests[] = {DEVICE_TEST(few_descriptors), DEVICE_TEST(held_up),
                                     DEVICE_TEST(refused_at_the_door), DEVICE_TEST(two_hosts)};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
