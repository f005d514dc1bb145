/* Ranks as threads of this process; tests/mpi has them as processes. */
#include "support_group.h"
#include "support_process.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

const char* group_path(void) {
  static char path[300];
  static unsigned number;
  if (folder[0] == '\0') process_make_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/meet-%u", folder, number++);
  return path;
}

void group_path_done(void) {
  if (folder[0] != '\0') process_remove_folder(folder);
  folder[0] = '\0';
}

typedef struct Start {
  Rank rank;
  const char* path;
  uint64_t timeout_ns;
  RankBody body;
} Start;

netcl_group_transport group_transport(void) {
  const char* const name = getenv("NETCL_TEST_TRANSPORT");
  if (name == NULL) return NETCL_GROUP_TRANSPORT_AUTO;
  if (strcmp(name, "memory") == 0) return NETCL_GROUP_TRANSPORT_SHARED_MEMORY;
  if (strcmp(name, "nccl") == 0) return NETCL_GROUP_TRANSPORT_NCCL;
  assert_string_equal(name, "peers");
  return NETCL_GROUP_TRANSPORT_PEER_MEMORY;
}

static void* run_rank(void* argument) {
  Start* start = argument;
  Rank* rank = &start->rank;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.timeout_ns = start->timeout_ns;
  options.transport = group_transport();
  if (netcl_group_join(rank->device, start->path, rank->rank, rank->size, &options, &rank->group) !=
      NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_group_join");
    return NULL;
  }
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  (void)netcl_group_get_info(rank->group, &info);
  if (options.transport != NETCL_GROUP_TRANSPORT_AUTO && info.transport != options.transport) {
    rank_problem(rank, __FILE__, __LINE__, "the group has another transport");
  } else {
    start->body(rank);
  }
  netcl_group_release(rank->group);
  return NULL;
}

/* The selectors that NETCL_TEST_GROUP_DEVICES has; how many. */
static uint32_t device_names(const char* names[GROUP_MOST]) {
  static char text[256];
  const char* given = getenv("NETCL_TEST_GROUP_DEVICES");
  uint32_t count = 0;
  if (given == NULL) return 0;
  snprintf(text, sizeof text, "%s", given);
  char* rest = NULL;
  for (char* name = strtok_r(text, " ", &rest); name != NULL && count < GROUP_MOST;
       name = strtok_r(NULL, " ", &rest)) {
    names[count++] = name;
  }
  return count;
}

static uint32_t named_devices(netcl_device* devices[GROUP_MOST]) {
  const char* names[GROUP_MOST];
  const uint32_t count = device_names(names);
  for (uint32_t d = 0; d < count; d++) OK(netcl_device_open(names[d], NULL, &devices[d]));
  return count;
}

void run_ranks(netcl_device* device, uint32_t size, uint64_t timeout_ns, RankBody body,
               void* state) {
  netcl_device* devices[GROUP_MOST];
  const uint32_t count = named_devices(devices);
  run_ranks_on(count == 0 ? &device : devices, count == 0 ? 1 : count, size, timeout_ns, body,
               state);
  for (uint32_t i = 0; i < count; i++) netcl_device_release(devices[i]);
}

void run_ranks_on(netcl_device* const* devices, uint32_t devices_count, uint32_t size,
                  uint64_t timeout_ns, RankBody body, void* state) {
  static Start starts[GROUP_MOST];
  pthread_t threads[GROUP_MOST];
  const char* path = group_path();
  assert_true(size <= GROUP_MOST);
  for (uint32_t r = 0; r < size; r++) {
    starts[r] = (Start){{devices[r % devices_count], NULL, r, size, state, ""}, path, timeout_ns,
                        body};
    assert_int_equal(pthread_create(&threads[r], NULL, run_rank, &starts[r]), 0);
  }
  for (uint32_t r = 0; r < size; r++) pthread_join(threads[r], NULL);
  CHECK(access(path, F_OK) != 0, "%s is still there", path);
  group_path_done();
  /* Where one stops, the others lose it. */
  int problems = 0;
  for (uint32_t r = 0; r < size; r++) {
    if (starts[r].rank.problem[0] == '\0') continue;
    fprintf(stderr, "%s\n", starts[r].rank.problem);
    problems++;
  }
  CHECK(problems == 0, "%d of %u ranks failed", problems, size);
}

void run_apart(Fixture* fixture, uint32_t size, uint64_t timeout_ns, RankBody body, void* state) {
  netcl_device* devices[GROUP_MOST] = {fixture->device};
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  const char* names[GROUP_MOST];
  const uint32_t count = device_names(names);
  if (group_transport() == NETCL_GROUP_TRANSPORT_NCCL && size > count) {
    print_message("left out: %u ranks on %u GPUs, of which NCCL takes each once\n", size, count);
    return;
  }
  options.separate = 1;
  for (uint32_t d = 1; d < size; d++) {
    const char* const name = count == 0 ? test_selector() : names[d % count];
    OK(netcl_device_open(name, &options, &devices[d]));
  }
  run_ranks_on(devices, size, size, timeout_ns, body, state);
  for (uint32_t d = 1; d < size; d++) netcl_device_release(devices[d]);
}
