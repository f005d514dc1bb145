/* SIGINT while a transfer stands behind work that is not done: it ends the call, or the process. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "support_kernel.h"
#include "support_process.h"

enum { kSmall = 16, kLarge = 24 << 20 }; /* kLarge floats are more than the staging blocks hold. */

static netcl_device *device;
static netcl_queue *queue;
static netcl_tensor *tensor, *result;
static float *data;
static char npy_path[600];

static void ignore_signal(int number) { (void)number; }

/* Until the call has returned: a signal ends what waits by then, and a busy machine takes long to
 * come to that. */
static atomic_int returned;

static void *interrupt(void *unused) {
  for (;;) {
    process_sleep_ms(200);
    if (atomic_load(&returned)) return unused;
    kill(getpid(), SIGINT);
  }
}

/* Everything enqueued later on the queue stands behind the gate. */
static int shut_gate(int out_of_order, cl_event *gate, pthread_t *thread) {
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  cl_context context = NULL;
  cl_command_queue raw = NULL;
  cl_int code = CL_SUCCESS;
  options.out_of_order = (uint32_t)out_of_order;
  CHILD_OK(netcl_queue_create(device, &options, &queue));
  CHILD_OK(netcl_device_get_cl_context(device, &context));
  CHILD_OK(netcl_queue_get_cl_queue(queue, &raw));
  *gate = clCreateUserEvent(context, &code);
  CHILD_CHECK(code == CL_SUCCESS);
  CHILD_CHECK(clEnqueueBarrierWithWaitList(raw, 1, gate, NULL) == CL_SUCCESS);
  atomic_store(&returned, 0);
  CHILD_CHECK(pthread_create(thread, NULL, interrupt, NULL) == 0);
  return 0;
}

static netcl_status create(int64_t count, netcl_toggle async_copy, netcl_toggle use_pinned,
                           uint32_t borrow) {
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  options.queue = queue;
  options.async_copy = async_copy;
  options.use_pinned = use_pinned;
  options.borrow = borrow;
  return netcl_tensor_create_from_host(device, NETCL_F32, 1, &count, NULL, data,
                                       (size_t)count * sizeof *data, &options, &result);
}

static netcl_status create_unpinned(void) { return create(kSmall, NETCL_ON, NETCL_OFF, 0); }
static netcl_status create_synchronous(void) { return create(kSmall, NETCL_OFF, NETCL_ON, 0); }
static netcl_status create_large(void) { return create(kLarge, NETCL_ON, NETCL_ON, 0); }

static netcl_status load(void) {
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  options.queue = queue;
  options.async_copy = NETCL_OFF;
  return netcl_tensor_load_npy(device, npy_path, &options, &result);
}

static netcl_status read_small(void) {
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  options.queue = queue;
  return netcl_tensor_read(tensor, data, kSmall * sizeof *data, &options, NETCL_WAIT_FOREVER);
}

static netcl_status write_borrowed(void) {
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  options.queue = queue;
  options.async_copy = NETCL_OFF;
  options.borrow = 1;
  return netcl_tensor_write(tensor, data, kSmall * sizeof *data, &options, NETCL_WAIT_FOREVER);
}

static const struct {
  const char *name;
  netcl_status (*run)(void);
  int out_of_order;
} kCalls[] = {
    {"create_from_host without staging", create_unpinned, 0},
    {"create_from_host that waits", create_synchronous, 0},
    {"create_from_host that waits, out of order", create_synchronous, 1},
    {"create_from_host of many blocks", create_large, 0},
    {"load_npy", load, 0},
    {"read", read_small, 0},
    {"read, out of order", read_small, 1},
    {"write that borrows", write_borrowed, 0},
};

static int start(uint64_t grace_ns) {
  const int64_t small = kSmall;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = ignore_signal;
  CHILD_CHECK(sigaction(SIGINT, &action, NULL) == 0);
  data = calloc(kLarge, sizeof *data);
  CHILD_CHECK(data != NULL);
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_tensor_create_zeros(device, NETCL_F32, 1, &small, NULL, NULL, &tensor));
  CHILD_OK(netcl_device_finish(device, LONG_WAIT));
  CHILD_OK(netcl_interrupt_enable(grace_ns));
  return 0;
}

static int mode_cancelled(void) {
  char folder[500];
  if (start(LONG_WAIT) != 0) return 1;
  process_make_folder(folder, sizeof folder);
  process_join_path(npy_path, sizeof npy_path, folder, "small.npy");
  CHILD_OK(netcl_tensor_save_npy(tensor, npy_path, LONG_WAIT));
  for (size_t i = 0; i < COUNT_OF(kCalls); i++) {
    cl_event gate = NULL;
    pthread_t thread;
    if (shut_gate(kCalls[i].out_of_order, &gate, &thread) != 0) return 1;
    result = NULL;
    const netcl_status status = kCalls[i].run();
    atomic_store(&returned, 1);
    CHILD_CHECK(pthread_join(thread, NULL) == 0);
    fprintf(stderr, "%s: %s\n", kCalls[i].name, netcl_status_name(status));
    CHILD_CHECK(status == NETCL_ERROR_CANCELLED && result == NULL);
    CHILD_CHECK(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
    clReleaseEvent(gate);
    CHILD_OK(netcl_device_finish(device, LONG_WAIT)); /* An interrupt ends what waits then. */
    CHILD_OK(kCalls[i].run());
    netcl_tensor_release(result);
    netcl_queue_release(queue);
  }
  process_remove_folder(folder);
  return 0;
}

/* The driver has the caller's memory and nothing can call it back: the grace time decides. */
static int mode_grace(void) {
  cl_event gate = NULL;
  pthread_t thread;
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  if (start(500 * 1000 * 1000) != 0 || shut_gate(1, &gate, &thread) != 0) return 1;
  options.queue = queue;
  options.use_pinned = NETCL_OFF;
  (void)netcl_tensor_read(tensor, data, kSmall * sizeof *data, &options, NETCL_WAIT_FOREVER);
  return 5;
}

static void check_mode(Fixture *fixture, const char *mode, int code) {
  NEEDS_OPENCL(fixture);
  process_result end;
  process_run_self(mode, NULL, 25, &end);
  process_expect_exit(&end, code);
}

static void transfers_are_cancelled(void **state) { check_mode(*state, "cancelled", 0); }
static void grace_ends_the_process(void **state) { check_mode(*state, "grace", 130); }

int main(int argc, char **argv) {
  static const process_mode modes[] = {{"cancelled", mode_cancelled}, {"grace", mode_grace}};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {DEVICE_TEST(transfers_are_cancelled),
                                     DEVICE_TEST(grace_ends_the_process)};
  return cmocka_run_group_tests_name("interrupt", tests, NULL, NULL);
}
