/* Groups of processes, and what the others see of a rank that is late, released or interrupted.
 * test_group_kill has those that are killed. */
#include "support_group.h"
#include "support_process.h"

#include <dirent.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { RANKS = 4, SHORT = 300000000 };

static int open_descriptors(void) {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  assert_non_null(folder);
  while (readdir(folder) != NULL) count++;
  closedir(folder);
  return count;
}

/* ---- Late and released ----------------------------------------------------------------------- */

/* Every further call fails in the same way, whatever it is. */
static void check_unusable(Rank* rank, netcl_status status, const char* text) {
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_error_info error = NETCL_ERROR_INFO_INIT;
  netcl_group* part = NULL;
  const uint32_t colors[3] = {0, 0, 0};
  const uint32_t peer = rank->rank == 0 ? 1 : 0;
  RANK_FAILS(rank, status, text, netcl_group_barrier(rank->group, NULL));
  RANK_FAILS(rank, status, text, netcl_group_split(rank->group, colors, 3, &part));
  RANK_FAILS(rank, status, text, netcl_group_send(rank->group, NULL, peer, NULL));
  RANK_OK(rank, netcl_group_get_info(rank->group, &info));
  RANK_CHECK(rank, info.failure == status);
  RANK_OK(rank, netcl_group_get_error(rank->group, &error));
  RANK_CHECK(rank, error.status == status && strstr(error.message, text) != NULL);
}

static void two_of_three(Rank* rank) {
  static const char kText[] = "rank 2 did not come within 300 ms";
  if (rank->rank == 2) {
    process_sleep_ms(900);
  } else {
    RANK_FAILS(rank, NETCL_ERROR_TIMEOUT, kText, netcl_group_barrier(rank->group, NULL));
  }
  check_unusable(rank, NETCL_ERROR_TIMEOUT, kText);
}

static void a_rank_that_is_late(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 3, SHORT, two_of_three, NULL);
}

static void one_leaves(Rank* rank) {
  static const char kText[] = "rank 1 was released";
  const int64_t one = 1;
  const double number = 1;
  netcl_tensor* tensor = rank_tensor(rank, NETCL_F32, 1, &one, &number);
  RANK_OK(rank, netcl_group_all_reduce(rank->group, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
  if (rank->rank != 1) {
    RANK_FAILS(rank, NETCL_ERROR_RANK_LOST, kText,
               netcl_group_all_reduce(rank->group, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
    check_unusable(rank, NETCL_ERROR_RANK_LOST, kText);
  }
  netcl_tensor_release(tensor);
}

static void a_rank_that_is_released(void** state) {
  Fixture* fixture = *state;
  const int before = open_descriptors();
  run_ranks(fixture->device, 3, LONG_WAIT, one_leaves, NULL);
  assert_int_equal(open_descriptors(), before);
}

static atomic_int g_has_left;

/* What ends a call within is told to those who have not come yet. */
static void one_is_interrupted(Rank* rank) {
  static const char kText[] = "rank 0 failed within a call";
  if (rank->rank == 0) {
    RANK_FAILS(rank, NETCL_ERROR_CANCELLED, "interrupted", netcl_group_barrier(rank->group, NULL));
    atomic_store(&g_has_left, 1);
  } else {
    /* Until it has come, so that there is something to interrupt. */
    do {
      process_sleep_ms(100);
      raise(SIGINT);
    } while (!atomic_load(&g_has_left));
    process_sleep_ms(200);
    RANK_FAILS(rank, NETCL_ERROR_RANK_LOST, kText, netcl_group_barrier(rank->group, NULL));
  }
  check_unusable(rank, NETCL_ERROR_RANK_LOST, kText);
}

static void pass_over(int signal) { (void)signal; }

static void a_rank_that_is_interrupted(void** state) {
  Fixture* fixture = *state;
  /* Where nothing waits a signal is the end of a program that has no handler. */
  void (*const before)(int) = signal(SIGINT, pass_over);
  atomic_store(&g_has_left, 0);
  OK(netcl_interrupt_enable(10 * SECOND));
  run_ranks(fixture->device, 2, LONG_WAIT, one_is_interrupted, NULL);
  OK(netcl_interrupt_disable());
  signal(SIGINT, before);
}

/* ---- Processes ------------------------------------------------------------------------------- */

/* Works with the others until that fails; gives the status. */
static netcl_status work(netcl_device* device, netcl_group* group, unsigned calls) {
  static const int64_t kCounts[] = {3, 5000, 300000};
  netcl_tensor* tensors[3] = {NULL, NULL, NULL};
  netcl_status status = NETCL_OK;
  const float value = 0;
  for (size_t i = 0; i < 3 && status == NETCL_OK; i++) {
    status = netcl_tensor_create_full(device, NETCL_F32, 1, &kCounts[i], NULL, &value, NULL,
                                      &tensors[i]);
  }
  for (unsigned n = 0; n < calls && status == NETCL_OK; n++) {
    netcl_tensor* const tensor = tensors[n % 3];
    status = n % 5 == 4 ? netcl_group_broadcast(group, tensor, n % 2, NULL)
                        : netcl_group_all_reduce(group, tensor, tensor, NETCL_REDUCTION_MAX, NULL);
  }
  for (size_t i = 0; i < 3; i++) netcl_tensor_release(tensors[i]);
  return status;
}

static int child_works(void) {
  netcl_device* device = NULL;
  netcl_group* group = NULL;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  const char* const rank = getenv("NETCL_TEST_RANK");
  const char* const calls = getenv("NETCL_TEST_CALLS");
  options.timeout_ns = LONG_WAIT;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_group_join(device, getenv("NETCL_TEST_PATH"), (uint32_t)atoi(rank), RANKS,
                            &options, &group));
  const netcl_status status = work(device, group, (unsigned)atoi(calls));
  printf("%s\n", netcl_last_error_message());
  netcl_group_release(group);
  netcl_device_release(device);
  return status == NETCL_OK ? 0 : 1;
}

static process_ticket start_rank(int rank, const char* path, unsigned calls) {
  char place[400], number[40], count[40];
  snprintf(place, sizeof place, "NETCL_TEST_PATH=%s", path);
  snprintf(number, sizeof number, "NETCL_TEST_RANK=%d", rank);
  snprintf(count, sizeof count, "NETCL_TEST_CALLS=%u", calls);
  const char* const environment[] = {place, number, count, NULL};
  return process_start_self("works", environment);
}

/* This process is rank 0; the others are processes of their own. */
static netcl_group* start_group(Fixture* fixture, unsigned calls, process_ticket* tickets) {
  const char* const path = group_path();
  netcl_group* group = NULL;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.timeout_ns = LONG_WAIT;
  for (int r = 1; r < RANKS; r++) tickets[r] = start_rank(r, path, calls);
  OK(netcl_group_join(fixture->device, path, 0, RANKS, &options, &group));
  return group;
}

static void processes(void** state) {
  Fixture* fixture = *state;
  process_ticket tickets[RANKS];
  process_result result;
  netcl_group* group = start_group(fixture, 60, tickets);
  OK(work(fixture->device, group, 60));
  netcl_group_release(group);
  for (int r = 1; r < RANKS; r++) {
    process_finish(tickets[r], 60, &result);
    process_expect_exit(&result, 0);
  }
  group_path_done();
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"works", child_works}};
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(a_rank_that_is_late),
      DEVICE_TEST(a_rank_that_is_released),
      DEVICE_TEST(a_rank_that_is_interrupted),
      DEVICE_TEST(processes),
  };
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
