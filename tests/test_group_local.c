/* Groups of several devices of one process. */
#include "support_group.h"
#include "support_process.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>

enum { DEVICES = 4 };

/* The device of the test, and others of the same kind. */
static void open_devices(Fixture* fixture, netcl_device** devices, uint32_t count) {
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  options.separate = 1;
  devices[0] = fixture->device;
  for (uint32_t d = 1; d < count; d++) {
    OK(netcl_device_open(test_selector(), &options, &devices[d]));
  }
}

static void close_devices(netcl_device** devices, uint32_t count) {
  for (uint32_t d = 1; d < count; d++) netcl_device_release(devices[d]);
}

static int open_descriptors_here(void) {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  assert_non_null(folder);
  while (readdir(folder) != NULL) count++;
  closedir(folder);
  return count;
}

typedef struct LocalStart {
  Rank rank;
  RankBody body;
} LocalStart;

static void* run_local_rank(void* argument) {
  LocalStart* const start = argument;
  start->body(&start->rank);
  netcl_group_release(start->rank.group);
  return NULL;
}

static void run_local(Fixture* fixture, uint32_t size, uint64_t timeout_ns, RankBody body) {
  static LocalStart starts[DEVICES];
  netcl_device* devices[DEVICES];
  netcl_group* groups[DEVICES];
  pthread_t threads[DEVICES];
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.timeout_ns = timeout_ns;
  open_devices(fixture, devices, size);
  OK(netcl_group_create_local(devices, size, &options, groups));
  for (uint32_t r = 0; r < size; r++) {
    starts[r] = (LocalStart){{devices[r], groups[r], r, size, NULL, ""}, body};
    assert_int_equal(pthread_create(&threads[r], NULL, run_local_rank, &starts[r]), 0);
  }
  for (uint32_t r = 0; r < size; r++) pthread_join(threads[r], NULL);
  close_devices(devices, size);
  for (uint32_t r = 0; r < size; r++) {
    CHECK(starts[r].rank.problem[0] == '\0', "%s", starts[r].rank.problem);
  }
}

/* Ranks, devices and sums, of the group and of parts of it. */
static void work_together(Rank* rank) {
  const int64_t counts[] = {3, 70000};
  const uint32_t colors[DEVICES] = {7, 1, 7, 1};
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_device_info own = NETCL_DEVICE_INFO_INIT, told = NETCL_DEVICE_INFO_INIT;
  netcl_device* device = NULL;
  netcl_group* part = NULL;
  RANK_OK(rank, netcl_group_get_info(rank->group, &info));
  RANK_CHECK(rank, info.rank == rank->rank && info.size == DEVICES && info.calls == 0);
  /* GPUs of CUDA have another way. */
  RANK_CHECK(rank, info.transport == NETCL_GROUP_TRANSPORT_SHARED_MEMORY ||
                       strcmp(test_selector(), "cpu") != 0);
  RANK_CHECK(rank, info.transport == NETCL_GROUP_TRANSPORT_SHARED_MEMORY ||
                       strcmp(test_selector(), "builtin") != 0);
  RANK_OK(rank, netcl_group_get_device(rank->group, &device));
  RANK_OK(rank, netcl_device_get_info(device, &own));
  RANK_OK(rank, netcl_group_describe_device(rank->group, (rank->rank + 1) % DEVICES, &told));
  RANK_CHECK(rank, strcmp(own.name, told.name) == 0);
  netcl_device_release(device);
  RANK_OK(rank, netcl_group_split(rank->group, colors, DEVICES, &part));
  for (size_t i = 0; i < COUNT_OF(counts); i++) {
    netcl_tensor *whole, *halves;
    const double own_value = rank->rank + 1;
    const float value = (float)own_value;
    double* sums = malloc((size_t)counts[i] * sizeof *sums);
    RANK_CHECK(rank, sums != NULL);
    RANK_OK(rank, netcl_tensor_create_full(rank->device, NETCL_F32, 1, &counts[i], NULL, &value,
                                           NULL, &whole));
    RANK_OK(rank, netcl_tensor_create_full(rank->device, NETCL_F32, 1, &counts[i], NULL, &value,
                                           NULL, &halves));
    RANK_OK(rank, netcl_group_all_reduce(rank->group, whole, whole, NETCL_REDUCTION_SUM, NULL));
    RANK_OK(rank, netcl_group_all_reduce(part, halves, halves, NETCL_REDUCTION_SUM, NULL));
    for (int64_t n = 0; n < counts[i]; n++) sums[n] = 10;
    RANK_CHECK(rank, rank_holds(whole, sums));
    for (int64_t n = 0; n < counts[i]; n++) sums[n] = rank->rank % 2 == 0 ? 4 : 6;
    RANK_CHECK(rank, rank_holds(halves, sums));
    netcl_tensor_release(whole);
    netcl_tensor_release(halves);
    free(sums);
  }
  netcl_group_release(part);
}

static void several_devices(void** state) {
  const int before = open_descriptors_here();
  run_local(*state, DEVICES, LONG_WAIT, work_together);
  /* Drivers of OpenCL keep some of their own when a context is made the first time. */
  const int after = open_descriptors_here();
  run_local(*state, DEVICES, LONG_WAIT, work_together);
  CHECK(open_descriptors_here() == after || after == before, "%d, %d, %d descriptors", before,
        after, open_descriptors_here());
}

static void leave_early(Rank* rank) {
  RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
  if (rank->rank == 1) return;
  RANK_FAILS(rank, NETCL_ERROR_RANK_LOST, "rank 1 was released",
             netcl_group_barrier(rank->group, NULL));
}

static void a_rank_that_leaves(void** state) { run_local(*state, 3, LONG_WAIT, leave_early); }

static void come_late(Rank* rank) {
  if (rank->rank == 0) process_sleep_ms(600);
  RANK_FAILS(rank, NETCL_ERROR_TIMEOUT, "rank 0 did not come within 200 ms",
             netcl_group_barrier(rank->group, NULL));
}

static void a_rank_that_comes_late(void** state) { run_local(*state, 3, SECOND / 5, come_late); }

/* One thread serves for ranks that never wait: a group of one, and ranks that go. */
static void one_device(void** state) {
  Fixture* fixture = *state;
  netcl_group* group = NULL;
  const int64_t two = 2;
  Rank rank = {fixture->device, NULL, 0, 1, NULL, ""};
  const double values[2] = {3, 5};
  netcl_tensor* tensor = rank_tensor(&rank, NETCL_I32, 1, &two, values);
  OK(netcl_group_create_local(&fixture->device, 1, NULL, &group));
  OK(netcl_group_all_reduce(group, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
  assert_true(rank_holds(tensor, values));
  netcl_group_release(group);
  netcl_tensor_release(tensor);
}

static void refused(void** state) {
  Fixture* fixture = *state;
  netcl_device* devices[3];
  netcl_group* groups[3] = {NULL, NULL, NULL};
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  static netcl_device* many[NETCL_GROUP_SIZE_MAX + 1];
  open_devices(fixture, devices, 2);
  devices[2] = devices[0];
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "devices[2] is devices[0] again",
             netcl_group_create_local(devices, 3, NULL, groups));
  /* A second handle is the same device. */
  OK(netcl_device_open(test_selector(), NULL, &devices[2]));
  netcl_device* const twice[2] = {devices[2], devices[2]};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "devices[1] is devices[0] again",
             netcl_group_create_local(twice, 2, NULL, groups));
  netcl_device_release(devices[2]);
  devices[2] = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "devices[2]",
             netcl_group_create_local(devices, 3, NULL, groups));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "devices_count is 0",
             netcl_group_create_local(devices, 0, NULL, groups));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "devices_count is 65",
             netcl_group_create_local(many, NETCL_GROUP_SIZE_MAX + 1, NULL, groups));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "devices is NULL",
             netcl_group_create_local(NULL, 2, NULL, groups));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "groups is NULL",
             netcl_group_create_local(devices, 2, NULL, NULL));
  options.transport = NETCL_GROUP_TRANSPORT_MPI;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->transport is 2",
             netcl_group_create_local(devices, 2, &options, groups));
  for (int r = 0; r < 3; r++) assert_null(groups[r]);
  close_devices(devices, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(several_devices),
      DEVICE_TEST(a_rank_that_leaves),
      DEVICE_TEST(a_rank_that_comes_late),
      DEVICE_TEST(one_device),
      DEVICE_TEST(refused),
  };
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
