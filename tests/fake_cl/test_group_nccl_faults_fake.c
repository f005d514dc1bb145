/* Groups by NCCL where something is short or too early, on stand-ins for the drivers: communicators
 * that cannot be had, memory that cannot, other threads, and streams that do not end. */
#include "support_gpus.h"
#include "support_group.h"
#include "support_process.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1200007 };

/* A function of a stand-in. */
static int call_fake(const char* library, const char* name, int argument) {
  int (*function)(int) = NULL;
  void* const opened = dlopen(library, RTLD_NOW);
  assert_non_null(opened);
  *(void**)&function = dlsym(opened, name);
  assert_non_null(function);
  return function(argument);
}
static int nccl_pause(int pause) {
  return call_fake(getenv("NETCL_NCCL_LIBRARY"), "fake_nccl_pause", pause);
}
static int cuda_stall(int looks) { return call_fake("libcuda.so.1", "fake_cuda_stall", looks); }
static int cuda_live(void) { return call_fake("libcuda.so.1", "fake_cuda_live", 0); }

static netcl_tensor* full(Rank* rank, float value, uint32_t share) {
  const int64_t count = COUNT;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_tensor* tensor = NULL;
  float* const data = malloc(sizeof(float) * COUNT);
  options.share = share;
  for (int i = 0; i < COUNT; i++) data[i] = value;
  if (netcl_tensor_create_from_host(rank->device, NETCL_F32, 1, &count, NULL, data,
                                    sizeof(float) * COUNT, &options, &tensor) != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_tensor_create_from_host");
  }
  free(data);
  return tensor;
}

static int holds_all(netcl_tensor* tensor, float value) {
  float* const data = malloc(sizeof(float) * COUNT);
  int same = netcl_tensor_read(tensor, data, sizeof(float) * COUNT, NULL, LONG_WAIT) == NETCL_OK;
  for (int i = 0; same && i < COUNT; i++) same = data[i] == value;
  free(data);
  return same;
}

/* ---- Communicators that cannot be had -------------------------------------------------------- */

static void goes_by(Rank* rank) {
  const netcl_group_transport* wanted = rank->state;
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_tensor* tensor = full(rank, (float)(rank->rank + 1), 1);
  RANK_OK(rank, netcl_group_get_info(rank->group, &info));
  RANK_CHECK(rank, info.transport == *wanted);
  RANK_OK(rank, netcl_group_all_reduce(rank->group, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
  RANK_CHECK(rank, holds_all(tensor, 3));
  netcl_tensor_release(tensor);
}

/* Lines of the log behind `after` that hold the text; moves `after` to the last line. */
static int logged(uint64_t* after, const char* text) {
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  int found = 0;
  while (netcl_log_read(*after, &record) == NETCL_OK) {
    found += strstr(record.message, text) != NULL;
    *after = record.sequence;
  }
  return found;
}

typedef struct Joining {
  const char* path;
  netcl_group_transport transport;
  uint32_t rank;
  netcl_status status;
  netcl_group* group;
  char message[400];
} Joining;

static void* join_one(void* argument) {
  Joining* joining = argument;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.transport = joining->transport;
  options.timeout_ns = LONG_WAIT;
  joining->status = netcl_group_join(gpus[joining->rank], joining->path, joining->rank, 2, &options,
                                     &joining->group);
  snprintf(joining->message, sizeof joining->message, "%s", netcl_last_error_message());
  return NULL;
}

/* Rank 1 gets none: at once, or later. */
static void communicators(void** state) {
  (void)state;
  static const char* const kFaults[] = {"ncclCommInitRankConfig 1 1", "init 1 1"};
  static const char kReason[] = "rank 1: ncclCommInitRankConfig: unhandled cuda error (1)";
  netcl_group_transport memory = NETCL_GROUP_TRANSPORT_SHARED_MEMORY;
  netcl_group_transport nccl = NETCL_GROUP_TRANSPORT_NCCL;
  uint64_t after = 0;
  for (size_t i = 0; i < COUNT_OF(kFaults); i++) {
    setenv("NETCL_FAKE_NCCL_FAIL", kFaults[i], 1);
    (void)logged(&after, "");
    const double begin = process_now();
    run_ranks_on(gpus, 2, 2, LONG_WAIT, goes_by, &memory);
    CHECK(process_now() - begin < 20, "%g s", process_now() - begin);
    assert_int_equal(logged(&after, kReason), 2);
    netcl_group* groups[2] = {NULL, NULL};
    netcl_group_info info = NETCL_GROUP_INFO_INIT;
    OK(netcl_group_create_local(gpus, 2, NULL, groups));
    for (int r = 0; r < 2; r++) {
      OK(netcl_group_get_info(groups[r], &info));
      assert_int_equal(info.transport, memory);
      netcl_group_release(groups[r]);
    }
    assert_int_equal(logged(&after, kReason), 1);
    /* Asked for, it is an error, on all ranks the same. */
    netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
    options.transport = nccl;
    groups[0] = groups[1] = NULL;
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, kReason,
               netcl_group_create_local(gpus, 2, &options, groups));
    assert_null(groups[0]);
    Joining joinings[2];
    pthread_t threads[2];
    const char* const path = group_path();
    for (uint32_t r = 0; r < 2; r++) {
      joinings[r] = (Joining){path, nccl, r, NETCL_OK, NULL, ""};
      assert_int_equal(pthread_create(&threads[r], NULL, join_one, &joinings[r]), 0);
    }
    for (uint32_t r = 0; r < 2; r++) {
      pthread_join(threads[r], NULL);
      assert_null(joinings[r].group);
      CHECK(joinings[r].status == NETCL_ERROR_UNSUPPORTED &&
                strstr(joinings[r].message, kReason) != NULL,
            "%d %s", joinings[r].status, joinings[r].message);
    }
    group_path_done();
    unsetenv("NETCL_FAKE_NCCL_FAIL");
    (void)logged(&after, "");
  }
  run_ranks_on(gpus, 2, 2, LONG_WAIT, goes_by, &nccl);
  assert_int_equal(logged(&after, "goes without NCCL"), 0);
  int (*live)(void) = NULL;
  void* const library = dlopen(getenv("NETCL_NCCL_LIBRARY"), RTLD_NOW);
  assert_non_null(library);
  *(void**)&live = dlsym(library, "fake_nccl_live");
  assert_int_equal(live(), 0);
}

/* ---- Devices that do not get each other's memory --------------------------------------------- */

/* They reach each other, as the driver says; that one of them cannot open what the other gave shows
 * when the group is made, which then goes by NCCL and says why. */
static void unopened(void** state) {
  (void)state;
  netcl_group_transport nccl = NETCL_GROUP_TRANSPORT_NCCL;
  uint64_t after = 0;
  unsetenv("NETCL_FAKE_CUDA_APART");
  setenv("NETCL_FAKE_CUDA_FAIL", "cuMemImportFromShareableHandle 1 1", 1);
  (void)logged(&after, "");
  run_ranks_on(gpus, 2, 2, LONG_WAIT, goes_by, &nccl);
  assert_int_equal(logged(&after, "goes another way: the device of rank"), 2);
  setenv("NETCL_FAKE_CUDA_APART", "1", 1);
  unsetenv("NETCL_FAKE_CUDA_FAIL");
}

/* ---- Memory that cannot be had --------------------------------------------------------------- */

static void with_small_rooms(Rank* rank) {
  const int64_t rows = COUNT, all = 2 * (int64_t)COUNT;
  netcl_tensor* const x = full(rank, (float)(rank->rank + 1), 0);
  RANK_CHECK(rank, x != NULL);
  /* The rooms are no larger than there is memory for. */
  RANK_OK(rank, netcl_group_all_reduce(rank->group, x, x, NETCL_REDUCTION_SUM, NULL));
  RANK_CHECK(rank, holds_all(x, 3));
  netcl_tensor* both = NULL;
  RANK_OK(rank, netcl_tensor_create(rank->device, NETCL_F32, 1, &all, NULL, NULL, &both));
  RANK_OK(rank, netcl_group_all_gather(rank->group, x, both, NULL));
  for (int part = 0; part < 2; part++) {
    const netcl_range range = {part * rows, rows, 1};
    netcl_tensor* half = NULL;
    RANK_OK(rank, netcl_tensor_slice(both, &range, 1, &half));
    RANK_CHECK(rank, holds_all(half, 3));
    netcl_tensor_release(half);
  }
  netcl_tensor_release(both);
  netcl_tensor_release(x);
}

static void without_rooms(Rank* rank) {
  static const char kText[] = "all_reduce: rank 1 has no memory for rooms of 1048576 bytes";
  netcl_tensor* const x = full(rank, (float)(rank->rank + 1), 0);
  netcl_tensor* const y = full(rank, 7, 0);
  RANK_CHECK(rank, x != NULL && y != NULL);
  RANK_FAILS(rank, NETCL_ERROR_OUT_OF_DEVICE_MEMORY, kText,
             netcl_group_all_reduce(rank->group, x, y, NETCL_REDUCTION_SUM, NULL));
  RANK_CHECK(rank, holds_all(y, 7));
  /* The group goes on. */
  const int64_t one = 1;
  const double number = 1, two = 2;
  netcl_tensor* const small = rank_tensor(rank, NETCL_F32, 1, &one, &number);
  RANK_OK(rank, netcl_group_all_reduce(rank->group, small, small, NETCL_REDUCTION_SUM, NULL));
  RANK_CHECK(rank, rank_holds(small, &two));
  netcl_tensor_release(small);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
}

/* Comes first: pools keep the rooms that groups have had. */
static void memory(void** state) {
  (void)state;
  setenv("NETCL_FAKE_CUDA_MOST", "2 1000", 1);
  run_ranks_on(gpus, 2, 2, LONG_WAIT, without_rooms, NULL);
  setenv("NETCL_FAKE_CUDA_MOST", "2 5000000", 1);
  run_ranks_on(gpus, 2, 2, LONG_WAIT, with_small_rooms, NULL);
  unsetenv("NETCL_FAKE_CUDA_MOST");
}

/* ---- Other threads --------------------------------------------------------------------------- */

typedef struct Writing {
  netcl_tensor *in, *out;
  int done;
} Writing;

/* Writes both tensors while NCCL works on them, as far as that goes. */
static void* write_both(void* argument) {
  Writing* writing = argument;
  float* const data = malloc(sizeof(float) * COUNT);
  for (int i = 0; i < COUNT; i++) data[i] = 50;
  writing->done =
      netcl_tensor_write(writing->in, data, sizeof(float) * COUNT, NULL, LONG_WAIT) == NETCL_OK &&
      netcl_tensor_write(writing->out, data, sizeof(float) * COUNT, NULL, LONG_WAIT) == NETCL_OK;
  free(data);
  return NULL;
}

static void* let_go_on(void* unused) {
  (void)unused;
  /* Time for whoever does not wait. */
  process_sleep_ms(300);
  (void)nccl_pause(0);
  return NULL;
}

/* NCCL is held until another thread lets it go on, so the rank is in its call meanwhile. */
static void* write_when_begun(void* argument) {
  pthread_t opener;
  for (int i = 0; i < 60000 && nccl_pause(-1) <= 0; i++) process_sleep_ms(1);
  (void)pthread_create(&opener, NULL, let_go_on, NULL);
  (void)write_both(argument);
  pthread_join(opener, NULL);
  return NULL;
}

static void written_meanwhile(Rank* rank) {
  netcl_tensor* const in = full(rank, (float)(rank->rank + 1), 1);
  netcl_tensor* const out = full(rank, 0, 1);
  Writing writing = {in, out, 0};
  pthread_t writer;
  RANK_CHECK(rank, in != NULL && out != NULL);
  if (rank->rank == 0) {
    RANK_CHECK(rank, pthread_create(&writer, NULL, write_when_begun, &writing) == 0);
  }
  RANK_OK(rank, netcl_group_all_reduce(rank->group, in, out, NETCL_REDUCTION_SUM, NULL));
  if (rank->rank == 0) {
    pthread_join(writer, NULL);
    RANK_CHECK(rank, writing.done);
    RANK_CHECK(rank, holds_all(in, 50));
    RANK_CHECK(rank, holds_all(out, 50));
  } else {
    RANK_CHECK(rank, holds_all(out, 3));
  }
  netcl_tensor_release(in);
  netcl_tensor_release(out);
}

static void threads(void** state) {
  (void)state;
  (void)nccl_pause(1);
  run_ranks_on(gpus, 2, 2, LONG_WAIT, written_meanwhile, NULL);
}

/* ---- Streams that do not end ----------------------------------------------------------------- */

static void fails_late(Rank* rank) {
  netcl_tensor* const x = full(rank, 1, 1);
  RANK_CHECK(rank, x != NULL);
  RANK_FAILS(rank, NETCL_ERROR_TIMEOUT, "NCCL did not come to an end",
             netcl_group_all_reduce(rank->group, x, x, NETCL_REDUCTION_SUM, NULL));
  netcl_tensor_release(x);
}

/* How much more CUDA has given when each device has some such tensors at once: nothing while pools
 * have that memory. */
static int taken_for_some_each(void) {
  enum { EACH = 4 };
  const int before = cuda_live();
  const int64_t count = COUNT;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_tensor* tensors[2 * EACH] = {NULL};
  options.share = 1;
  for (int i = 0; i < 2 * EACH; i++) {
    OK(netcl_tensor_create(gpus[i % 2], NETCL_F32, 1, &count, NULL, &options, &tensors[i]));
  }
  const int taken = cuda_live() - before;
  for (int i = 0; i < 2 * EACH; i++) netcl_tensor_release(tensors[i]);
  return taken;
}

static void streams(void** state) {
  (void)state;
  (void)taken_for_some_each();
  setenv("NETCL_FAKE_NCCL_HANG", "1", 1);
  /* What the stream still does is waited for, then the memory is free for others. */
  (void)cuda_stall(400);
  run_ranks_on(gpus, 2, 2, SECOND / 2, fails_late, NULL);
  assert_int_equal(cuda_stall(0), 0);
  assert_int_equal(taken_for_some_each(), 0);
  /* Where it does not end, the memory is never given back, and nobody waits for the stream. */
  (void)cuda_stall(-1);
  run_ranks_on(gpus, 2, 2, SECOND / 2, fails_late, NULL);
  (void)cuda_stall(0);
  unsetenv("NETCL_FAKE_NCCL_HANG");
  assert_true(taken_for_some_each() >= 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory), cmocka_unit_test(communicators),
                                     cmocka_unit_test(threads), cmocka_unit_test(streams),
                                     cmocka_unit_test(unopened)};
  return cmocka_run_group_tests_name("group_nccl_faults_fake", tests, open_gpus, close_gpus);
}
