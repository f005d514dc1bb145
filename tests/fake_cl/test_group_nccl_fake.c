/* Groups whose NCCL fails, hangs or is not there, on stand-ins for the drivers. */
#include "support_gpus.h"
#include "support_group.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* What is said where groups cannot go by NCCL: there is no such file, or its version is too old. */
static const char* no_nccl(void) {
  static const char kNowhere[] = "/nowhere/libnccl.so";
  if (strcmp(getenv("NETCL_NCCL_LIBRARY"), kNowhere) == 0) return kNowhere;
  return getenv("NETCL_FAKE_NCCL_VERSION") == NULL ? NULL : " is NCCL 21402; this needs 21403";
}

/* ---- Failures, on the stand-ins ---------------------------------------------------------------
 */

static void injected(Rank* rank) {
  const char* const text = rank->state;
  const int64_t count = 1000003;
  const float one = 1;
  netcl_tensor* tensor = NULL;
  RANK_OK(rank,
          netcl_tensor_create_full(rank->device, NETCL_F32, 1, &count, NULL, &one, NULL, &tensor));
  const netcl_status status =
      netcl_group_all_reduce(rank->group, tensor, tensor, NETCL_REDUCTION_SUM, NULL);
  /* The first to see it says what it is, the other that a rank failed. */
  RANK_CHECK(rank, status == NETCL_ERROR_RANK_LOST || status == NETCL_ERROR_LAUNCH_FAILURE ||
                       status == NETCL_ERROR_TIMEOUT);
  RANK_CHECK(rank, status == NETCL_ERROR_RANK_LOST ||
                       strstr(netcl_last_error_message(), text) != NULL ||
                       strstr(netcl_last_error_message(), "a collective: ") != NULL);
  /* A time-out is the same on all ranks, what else fails is that of one. */
  const int late = strstr(text, "within") != NULL;
  RANK_CHECK(rank, late == (status == NETCL_ERROR_TIMEOUT));
  RANK_FAILS(rank, late ? NETCL_ERROR_TIMEOUT : NETCL_ERROR_RANK_LOST,
             late ? text : "failed within a call", netcl_group_barrier(rank->group, NULL));
  netcl_tensor_release(tensor);
}

static void* join_alone(void* argument) {
  Rank* rank = argument;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.transport = NETCL_GROUP_TRANSPORT_NCCL;
  options.timeout_ns = 5 * SECOND;
  const netcl_status status =
      netcl_group_join(rank->device, rank->state, rank->rank, rank->size, &options, &rank->group);
  snprintf(rank->problem, sizeof rank->problem, "%d %s", status, netcl_last_error_message());
  return NULL;
}

/* Both ranks of a group that cannot be made; what rank `who` says. */
static const char* refused_join(uint32_t who) {
  static Rank ranks[2];
  pthread_t threads[2];
  const char* path = group_path();
  for (uint32_t r = 0; r < 2; ++r) {
    ranks[r] = (Rank){gpus[r], NULL, r, 2, (void*)path, ""};
    assert_int_equal(pthread_create(&threads[r], NULL, join_alone, &ranks[r]), 0);
  }
  for (uint32_t r = 0; r < 2; ++r) pthread_join(threads[r], NULL);
  for (uint32_t r = 0; r < 2; ++r) assert_null(ranks[r].group);
  group_path_done();
  return ranks[who].problem;
}

static void nccl_facts(Rank* rank) {
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  RANK_OK(rank, netcl_group_get_info(rank->group, &info));
  RANK_CHECK(rank, info.transport == NETCL_GROUP_TRANSPORT_NCCL);
}

static void failures(void** state) {
  (void)state;
  if (no_nccl() != NULL) SKIP("there is no NCCL in this run");
  static const char* const kCalls[] = {"ncclGroupStart", "ncclAllReduce", "ncclGroupEnd"};
  for (size_t i = 0; i < COUNT_OF(kCalls); ++i) {
    char fail[64];
    snprintf(fail, sizeof fail, "%s 1", kCalls[i]);
    setenv("NETCL_FAKE_NCCL_FAIL", fail, 1);
    run_ranks_on(gpus, 2, 2, LONG_WAIT, injected, (void*)kCalls[i]);
    unsetenv("NETCL_FAKE_NCCL_FAIL");
  }
  setenv("NETCL_FAKE_NCCL_HANG", "1", 1);
  run_ranks_on(gpus, 2, 2, SECOND / 2, injected, (void*)"within 500 ms");
  unsetenv("NETCL_FAKE_NCCL_HANG");
  setenv("NETCL_FAKE_NCCL_FAIL", "ncclGetUniqueId 1", 1);
  CHECK(strstr(refused_join(0), "ncclGetUniqueId: unhandled cuda error (1)") != NULL, "%s",
        refused_join(0));
  setenv("NETCL_FAKE_NCCL_FAIL", "ncclCommInitRankConfig 1", 1);
  CHECK(strstr(refused_join(1), ": ncclCommInitRankConfig: unhandled cuda error (1)") != NULL, "%s",
        refused_join(1));
  unsetenv("NETCL_FAKE_NCCL_FAIL");
  int (*live)(void) = NULL;
  void* library = dlopen(getenv("NETCL_NCCL_LIBRARY"), RTLD_NOW);
  assert_non_null(library);
  *(void**)&live = dlsym(library, "fake_nccl_live");
  assert_int_equal(live(), 0);
  run_ranks_on(gpus, 2, 2, LONG_WAIT, nccl_facts, NULL);
}

static void goes_by(Rank* rank) {
  const netcl_group_transport* const wanted = rank->state;
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  RANK_OK(rank, netcl_group_get_info(rank->group, &info));
  RANK_CHECK(rank, info.transport == *wanted);
}

/* Where two ranks have one GPU, and where there is no library that does. */
static void without_nccl(void** state) {
  (void)state;
  netcl_group_transport peers = NETCL_GROUP_TRANSPORT_PEER_MEMORY;
  netcl_group_transport memory = NETCL_GROUP_TRANSPORT_SHARED_MEMORY;
  run_ranks_on(gpus, 1, 2, LONG_WAIT, goes_by, &peers);
  if (no_nccl() == NULL) return;
  run_ranks_on(gpus, 2, 2, LONG_WAIT, goes_by, &memory);
  const char* text = refused_join(1);
  CHECK(atoi(text) == NETCL_ERROR_UNSUPPORTED && strstr(text, "rank 0: ") != NULL &&
            strstr(text, no_nccl()) != NULL,
        "%s", text);
}

static void* part_transport(void* group) {
  static const uint32_t kOne[2] = {0, 0};
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_group* part = NULL;
  if (netcl_group_split(group, kOne, 2, &part) != NETCL_OK ||
      netcl_group_get_info(part, &info) != NETCL_OK) {
    info.transport = -1;
  }
  netcl_group_release(part);
  return (void*)(intptr_t)info.transport;
}

/* A part goes the way that its group was asked for. */
static void parts(void** state) {
  (void)state;
  static const netcl_group_transport kAsked[] = {NETCL_GROUP_TRANSPORT_SHARED_MEMORY,
                                                 NETCL_GROUP_TRANSPORT_NCCL};
  if (no_nccl() != NULL) SKIP("there is no NCCL in this run");
  for (size_t i = 0; i < COUNT_OF(kAsked); ++i) {
    netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
    netcl_group* groups[2];
    pthread_t threads[2];
    options.transport = kAsked[i];
    OK(netcl_group_create_local(gpus, 2, &options, groups));
    for (int r = 0; r < 2; ++r) {
      assert_int_equal(pthread_create(&threads[r], NULL, part_transport, groups[r]), 0);
    }
    for (int r = 0; r < 2; ++r) {
      void* found = NULL;
      pthread_join(threads[r], &found);
      assert_int_equal((intptr_t)found, kAsked[i]);
    }
    for (int r = 0; r < 2; ++r) netcl_group_release(groups[r]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(failures), cmocka_unit_test(parts),
                                     cmocka_unit_test(without_nccl)};
  return cmocka_run_group_tests_name("group_nccl_fake", tests, open_gpus, close_gpus);
}
