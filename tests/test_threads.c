/* Many threads on the same objects. */
#include "support_kernel.h"
#include "support_process.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { kThreads = 8, kLaunches = 500, kItems = 64 };
/* Nothing here takes this long; threads that do are stuck, and where is told. */
#define STUCK_SECONDS 60
#define SHORT_WAIT (20 * SECOND)

/* What the threads share, and the first thing that went wrong in one of them. */
typedef struct Shared {
  Fixture* fixture;
  pthread_barrier_t barrier;
  netcl_kernel* kernel;
  netcl_expression* expression;
  netcl_tensor *tensor, *other;
  netcl_buffer* buffer;
  netcl_event* event;
  netcl_queue* queue;
  int stop;
  int faults;
  char first_fault[512];
} Shared;

typedef struct Worker {
  pthread_t thread;
  Shared* shared;
  void* (*body)(void*);
  int index;
  int line;  /* of the check that is under way */
  int steps; /* checks passed */
} Worker;

/* cmocka's checks jump, which only the main thread may do: threads note faults. */
static void note_fault(Shared* shared, const char* text, int line) {
  if (__atomic_fetch_add(&shared->faults, 1, __ATOMIC_RELAXED) == 0) {
    snprintf(shared->first_fault, sizeof shared->first_fault, "line %d: %s [%.150s]", line, text,
             netcl_last_error_message());
  }
}

#define NOTE(condition)                                          \
  do {                                                           \
    __atomic_store_n(&worker->line, __LINE__, __ATOMIC_RELAXED); \
    __atomic_fetch_add(&worker->steps, 1, __ATOMIC_RELAXED);     \
    if (!(condition)) {                                          \
      note_fault(shared, #condition, __LINE__);                  \
      return NULL;                                               \
    }                                                            \
  } while (0)

static void* start_together(void* argument) {
  Worker* worker = argument;
  pthread_barrier_wait(&worker->shared->barrier);
  return worker->body(worker);
}

/* Threads that do not end cannot be stopped, so the process ends with where each of them is. */
static void join_or_tell(Worker workers[kThreads]) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += process_has_tsan() || process_has_asan() ? 4 * STUCK_SECONDS : STUCK_SECONDS;
  for (int i = 0; i < kThreads; i++) {
    if (pthread_timedjoin_np(workers[i].thread, NULL, &end) == 0) continue;
    print_error("thread %d does not end. Where they are:\n", i);
    for (int k = 0; k < kThreads; k++) {
      print_error("  thread %d: %d checks passed, in line %d\n", k,
                  __atomic_load_n(&workers[k].steps, __ATOMIC_RELAXED),
                  __atomic_load_n(&workers[k].line, __ATOMIC_RELAXED));
    }
    fflush(NULL);
    _exit(1);
  }
}

/* Returns 0, or what pthread_create gave. */
static int run_workers(Shared* shared, void* (*body)(void*)) {
  Worker workers[kThreads];
  int status = 0;
  pthread_barrier_init(&shared->barrier, NULL, kThreads);
  for (int i = 0; i < kThreads; i++) {
    workers[i].shared = shared;
    workers[i].body = body;
    workers[i].index = i;
    workers[i].line = workers[i].steps = 0;
    status |= pthread_create(&workers[i].thread, NULL, start_together, &workers[i]);
  }
  if (status == 0) join_or_tell(workers);
  if (status == 0) pthread_barrier_destroy(&shared->barrier);
  return status;
}

static void run_threads(Shared* shared, void* (*body)(void*)) {
  assert_int_equal(run_workers(shared, body), 0);
  CHECK(shared->faults == 0, "%d faults in threads, the first: %s", shared->faults,
        shared->first_fault);
}

static Shared share(Fixture* fixture) {
  Shared shared;
  memset(&shared, 0, sizeof shared);
  shared.fixture = fixture;
  return shared;
}

/* ---- The same kernel, the same expression ---------------------------------------------------- */

static void* launch_many(void* argument) {
  Worker* worker = argument;
  Shared* shared = worker->shared;
  const int64_t items = kItems;
  const uint64_t global = kItems;
  netcl_tensor* out = NULL;
  NOTE(netcl_tensor_create(shared->fixture->device, NETCL_I32, 1, &items, NULL, NULL, &out) == 0);
  for (int i = 0; i < kLaunches; i++) {
    const int value = worker->index * 100000 + i;
    netcl_arg args[2] = {arg_tensor(out), arg_int(value)};
    NOTE(netcl_kernel_launch(shared->kernel, &global, 1, NULL, 0, args, 2, NULL, NULL) == 0);
    if (i % 10 == 9) {
      int32_t values[kItems];
      NOTE(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT) == NETCL_OK);
      for (int k = 0; k < kItems; k++) NOTE(values[k] == value + k);
    }
  }
  netcl_tensor_release(out);
  return NULL;
}

static void same_kernel(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  Shared shared = share(fixture);
  shared.kernel = fresh_kernel(fixture->device, "k",
                               "__kernel void k(__global int *out, int value) {\n"
                               "  int i = get_global_id(0); out[i] = value + i; }\n");
  run_threads(&shared, launch_many);
  netcl_kernel_release(shared.kernel);
}

static void* evaluate_many(void* argument) {
  Worker* worker = argument;
  Shared* shared = worker->shared;
  const int64_t items = kItems;
  for (int i = 0; i < kLaunches; i++) {
    const int32_t value = worker->index * 100000 + i;
    int32_t values[kItems];
    netcl_tensor *mine = NULL, *result = NULL;
    NOTE(netcl_tensor_create_full(shared->fixture->device, NETCL_I32, 1, &items, NULL, &value, NULL,
                                  &mine) == NETCL_OK);
    netcl_tensor* inputs[2] = {mine, shared->tensor};
    NOTE(netcl_op_expression(shared->expression, inputs, 2, NULL, NULL, &result) == NETCL_OK);
    netcl_tensor_release(mine);
    NOTE(netcl_tensor_read(result, values, sizeof values, NULL, LONG_WAIT) == NETCL_OK);
    for (int k = 0; k < kItems; k++) NOTE(values[k] == value * 2 + k);
    netcl_tensor_release(result);
  }
  return NULL;
}

static void same_expression_and_tensor(void** state) {
  Fixture* fixture = *state;
  Shared shared = share(fixture);
  OK(netcl_expression_create("v0 * 2 + v1", &shared.expression));
  shared.tensor = counting_tensor(fixture->device, NETCL_I32, kItems, 0.0);
  run_threads(&shared, evaluate_many);
  netcl_expression_release(shared.expression);
  netcl_tensor_release(shared.tensor);
}

/* ---- References ----------------------------------------------------------------------------- */

static void* read_and_release(void* argument) {
  Worker* worker = argument;
  Shared* shared = worker->shared;
  int32_t values[kItems];
  netcl_tensor *view = NULL, *copy = NULL;
  const uint32_t axis = 0;
  NOTE(netcl_tensor_permute(shared->tensor, &axis, 1, &view) == NETCL_OK);
  NOTE(netcl_op_copy(view, NULL, &copy) == NETCL_OK);
  netcl_tensor_release(shared->tensor);
  netcl_tensor_release(view);
  NOTE(netcl_tensor_read(copy, values, sizeof values, NULL, LONG_WAIT) == NETCL_OK);
  for (int k = 0; k < kItems; k++) NOTE(values[k] == k);
  netcl_tensor_release(copy);
  return NULL;
}

/* Each thread owns one reference to the same tensor, uses it, and gives it back. */
static void same_tensor_released(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < 40; round++) {
    Shared shared = share(fixture);
    shared.tensor = counting_tensor(fixture->device, NETCL_I32, kItems, 0.0);
    for (int i = 1; i < kThreads; i++) OK(netcl_tensor_retain(shared.tensor));
    run_threads(&shared, read_and_release);
    FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_tensor_retain(shared.tensor));
  }
}

static void* use_until_gone(void* argument) {
  Worker* worker = argument;
  Shared* shared = worker->shared;
  if (worker->index == 0) {
    process_sleep_ms((unsigned)(shared->stop % 3));
    netcl_tensor_release(shared->tensor);
    netcl_event_release(shared->event);
    netcl_queue_release(shared->queue);
    netcl_buffer_release(shared->buffer);
    return NULL;
  }
  for (int i = 0; i < 200; i++) {
    netcl_tensor* result = NULL;
    netcl_buffer_info info = NETCL_BUFFER_INFO_INIT;
    netcl_status status = netcl_op_copy(shared->tensor, NULL, &result);
    NOTE(status == NETCL_OK || status == NETCL_ERROR_INVALID_HANDLE);
    netcl_tensor_release(result);
    status = netcl_event_wait(shared->event, SHORT_WAIT);
    NOTE(status == NETCL_OK || status == NETCL_ERROR_INVALID_HANDLE);
    status = netcl_buffer_get_info(shared->buffer, &info);
    NOTE(status == NETCL_OK || status == NETCL_ERROR_INVALID_HANDLE);
    status = netcl_queue_flush(shared->queue);
    NOTE(status == NETCL_OK || status == NETCL_ERROR_INVALID_HANDLE);
  }
  return NULL;
}

/* One thread gives back the last reference while the others use the handle. */
static void released_while_in_use(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < 15; round++) {
    Shared shared = share(fixture);
    shared.stop = round;
    shared.tensor = counting_tensor(fixture->device, NETCL_I32, kItems, 0.0);
    OK(netcl_tensor_get_buffer(shared.tensor, &shared.buffer));
    OK(netcl_queue_create(fixture->device, NULL, &shared.queue));
    OK(netcl_queue_enqueue_marker(shared.queue, NULL, 0, &shared.event));
    run_threads(&shared, use_until_gone);
  }
}

/* ---- Opening, errors, pools ------------------------------------------------------------------ */

static void* open_many(void* argument) {
  Worker* worker = argument;
  Shared* shared = worker->shared;
  for (int i = 0; i < 40; i++) {
    netcl_device* device = NULL;
    netcl_queue* queue = NULL;
    uint32_t count = 0;
    const int64_t shape = 5;
    netcl_tensor* tensor = NULL;
    NOTE(netcl_device_count(&count) == NETCL_OK && count >= 1);
    NOTE(netcl_device_open(worker->index % 2 ? test_selector() : "builtin", NULL, &device) == 0);
    NOTE(netcl_device_get_queue(device, &queue) == NETCL_OK);
    netcl_device_release(device);
    NOTE(netcl_queue_get_device(queue, &device) == NETCL_OK);
    netcl_queue_release(queue);
    NOTE(netcl_tensor_create_zeros(device, NETCL_F32, 1, &shape, NULL, NULL, &tensor) == NETCL_OK);
    netcl_device_release(device);
    NOTE(netcl_tensor_wait(tensor, LONG_WAIT) == NETCL_OK);
    netcl_tensor_release(tensor);
  }
  return NULL;
}

static void open_at_once(void** state) {
  Shared shared = share(*state);
  run_threads(&shared, open_many);
}

/* The same in a process that has not touched the library before. */
static int child_cold_open(void) {
  Shared shared = share(NULL);
  CHILD_CHECK(run_workers(&shared, open_many) == 0);
  if (shared.faults != 0) fprintf(stderr, "%s\n", shared.first_fault);
  return shared.faults != 0;
}

static void open_at_once_cold(void** state) {
  process_result result;
  (void)state;
  for (int i = 0; i < 5; i++) {
    process_run_self("cold_open", NULL, 60, &result);
    process_expect_exit(&result, 0);
  }
}

static void* fail_many(void* argument) {
  Worker* worker = argument;
  Shared* shared = worker->shared;
  const int64_t shape = 1;
  char number[32];
  NOTE(strcmp(netcl_last_error_message(), "") == 0); /* A new thread has had no failing call. */
  for (int i = 0; i < 2000; i++) {
    const netcl_dtype dtype = 100000 + worker->index * 10000 + i;
    netcl_tensor* tensor = NULL;
    uint32_t count = 0;
    netcl_error_info info = NETCL_ERROR_INFO_INIT;
    snprintf(number, sizeof number, "%d", (int)dtype);
    NOTE(netcl_tensor_create(shared->fixture->device, dtype, 1, &shape, NULL, NULL, &tensor) ==
         NETCL_ERROR_INVALID_ARGUMENT);
    if (i % 100 == 0) NOTE(netcl_device_count(&count) == NETCL_OK);
    NOTE(strstr(netcl_last_error_message(), number) != NULL);
    NOTE(netcl_last_error_get_info(&info) == NETCL_OK);
    NOTE(info.status == NETCL_ERROR_INVALID_ARGUMENT && strstr(info.message, number) != NULL);
  }
  return NULL;
}

static void errors_belong_to_threads(void** state) {
  Shared shared = share(*state);
  run_threads(&shared, fail_many);
}

static void* lease_many(void* argument) {
  Worker* worker = argument;
  Shared* shared = worker->shared;
  uint64_t seed = (uint64_t)worker->index * 7919 + 1;
  netcl_pool* pool = NULL;
  NOTE(netcl_device_get_pool(shared->fixture->device, NETCL_POOL_PERSISTENT, &pool) == NETCL_OK);
  for (int i = 0; i < 2000; i++) {
    netcl_buffer* buffer = NULL;
    netcl_pool_info info = NETCL_POOL_INFO_INIT;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    NOTE(netcl_pool_allocate(pool, (seed >> 33) % 100000, &buffer) == NETCL_OK);
    if (i % 50 == 0) {
      NOTE(netcl_pool_get_info(pool, &info) == NETCL_OK);
      NOTE(info.bytes_allocated == info.bytes_in_use + info.bytes_cached);
      NOTE(info.bytes_allocated <= info.high_water_bytes);
    }
    if (i % 300 == 0) NOTE(netcl_pool_trim(pool, 0) == NETCL_OK);
    netcl_buffer_release(buffer);
  }
  netcl_pool_release(pool);
  return NULL;
}

static void same_pool(void** state) {
  Shared shared = share(*state);
  run_threads(&shared, lease_many);
}

static void* add_on_own_queue(void* argument) {
  Worker* worker = argument;
  Shared* shared = worker->shared;
  netcl_queue* queue = NULL;
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  options.profiling = worker->index % 2 ? 1 : 0;
  NOTE(netcl_queue_create(shared->fixture->device, &options, &queue) == NETCL_OK);
  run.queue = queue;
  run.into = shared->tensor;
  for (int i = 0; i < 100; i++) {
    netcl_tensor* inputs[1] = {shared->tensor};
    NOTE(netcl_op_expression(shared->expression, inputs, 1, NULL, &run, NULL) == NETCL_OK);
  }
  netcl_queue_release(queue);
  return NULL;
}

/* Eight queues add 1 to the same tensor, no waits: the order is the library's work. */
static void queues_of_threads_on_one_tensor(void** state) {
  Fixture* fixture = *state;
  Shared shared = share(fixture);
  int32_t values[kItems];
  OK(netcl_expression_create("v0 + 1", &shared.expression));
  shared.tensor = counting_tensor(fixture->device, NETCL_I32, kItems, 0.0);
  run_threads(&shared, add_on_own_queue);
  OK(netcl_tensor_read(shared.tensor, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < kItems; i++) assert_int_equal(values[i], i + 100 * kThreads);
  netcl_tensor_release(shared.tensor);
  netcl_expression_release(shared.expression);
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"cold_open", child_cold_open}};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(same_kernel),
      DEVICE_TEST(same_expression_and_tensor),
      DEVICE_TEST(same_tensor_released),
      DEVICE_TEST(released_while_in_use),
      DEVICE_TEST(open_at_once),
      DEVICE_TEST(open_at_once_cold),
      DEVICE_TEST(errors_belong_to_threads),
      DEVICE_TEST(same_pool),
      DEVICE_TEST(queues_of_threads_on_one_tensor),
  };
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
