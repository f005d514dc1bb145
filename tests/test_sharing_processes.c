/* Shared memory between processes, of which either may be killed. */
#include "support_process.h"
#include "support_sharing.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { COUNT = 3000, MEMFDS_OF_OTHERS = 9 };

static float value_at(int i) { return (float)(i % 977) - 300; }

/* ---- What the other process does; the socket is in its environment -------------------------- */

static int peer_socket(void) {
  const char *text = getenv("NETCL_TEST_SOCKET");
  return text == NULL ? -1 : atoi(text);
}

/* Imports, doubles, and says so; then waits to be told, or to be killed. */
static int run_importer(void) {
  const int socket = peer_socket();
  const int64_t count = COUNT;
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  netcl_device *device = NULL;
  netcl_buffer *buffer = NULL;
  netcl_tensor *tensor = NULL;
  float values[COUNT];
  CHILD_CHECK(receive_memory(socket, &memory) == 0);
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  const int before = open_descriptors("/memfd:netcl");
  CHILD_OK(netcl_buffer_import(device, &memory, &buffer));
  CHILD_CHECK(close(memory.descriptor) == 0);
  CHILD_OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_F32, 1, &count, NULL, &tensor));
  netcl_buffer_release(buffer);
  CHILD_OK(netcl_tensor_read(tensor, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < COUNT; ++i) CHILD_CHECK(values[i] == value_at(i));
  const netcl_run_options run = run_into(tensor);
  CHILD_OK(netcl_op_expression_text("v0 * 2", &tensor, 1, NULL, &run, NULL));
  CHILD_OK(netcl_tensor_wait(tensor, LONG_WAIT));
  CHILD_CHECK(send_word(socket, 'd') == 0);
  CHILD_CHECK(receive_word(socket, 'g') == 0);
  CHILD_OK(netcl_tensor_read(tensor, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < COUNT; ++i) CHILD_CHECK(values[i] == 2 * value_at(i) + 1);
  netcl_tensor_release(tensor);
  netcl_device_release(device);
  CHILD_CHECK(open_descriptors("/memfd:netcl") == before - 1);
  return 0;
}

/* Exports, and waits to be told, or to be killed. */
static int run_exporter(void) {
  const int socket = peer_socket();
  float values[COUNT];
  netcl_device *device = NULL;
  netcl_tensor *tensor = NULL;
  netcl_buffer *buffer = NULL;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  const int64_t count = COUNT;
  for (int i = 0; i < COUNT; ++i) values[i] = value_at(i);
  options.share = 1;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_tensor_create_from_host(device, NETCL_F32, 1, &count, NULL, values, sizeof values,
                                         &options, &tensor));
  CHILD_OK(netcl_tensor_wait(tensor, LONG_WAIT));
  CHILD_OK(netcl_tensor_get_buffer(tensor, &buffer));
  CHILD_OK(netcl_buffer_export(buffer, &memory));
  CHILD_CHECK(send_memory(socket, &memory) == 0);
  CHILD_CHECK(receive_word(socket, 'g') == 0);
  return 0;
}

/* What a program inherits. */
static int run_heir(void) { return MEMFDS_OF_OTHERS + open_descriptors("/memfd:"); }

/* ---- This side ------------------------------------------------------------------------------ */

typedef struct Peer {
  process_ticket ticket;
  int socket;
} Peer;

static Peer start(const char *mode) {
  Peer peer;
  int pair[2];
  char text[64];
  const char *const environment[] = {text, NULL};
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  const struct timeval limit = {100, 0};
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(setsockopt(pair[i], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
  }
  snprintf(text, sizeof text, "NETCL_TEST_SOCKET=%d", pair[1]);
  peer.ticket = process_start_self(mode, environment);
  peer.socket = pair[0];
  close(pair[1]);
  return peer;
}

static void finish(const Peer *peer, int killed) {
  static process_result result;
  if (killed) kill(peer->ticket.pid, SIGKILL);
  process_finish(peer->ticket, 120, &result);
  if (killed) {
    assert_int_equal(result.signal, SIGKILL);
  } else {
    process_expect_exit(&result, 0);
  }
  close(peer->socket);
}

static netcl_tensor *make(Fixture *fixture) {
  float values[COUNT];
  for (int i = 0; i < COUNT; ++i) values[i] = value_at(i);
  return shared_tensor(fixture->device, NULL, values, COUNT);
}

static void check_values(netcl_tensor *tensor, float factor, float more) {
  float *got = read_tensor(tensor);
  for (int i = 0; i < COUNT; ++i) {
    const float wanted = factor * value_at(i) + more;
    CHECK(got[i] == wanted, "element %d is %g, not %g", i, got[i], wanted);
  }
  free(got);
}

static void add_one(netcl_tensor *tensor) {
  const netcl_run_options run = run_into(tensor);
  OK(netcl_op_expression_text("v0 + 1", &tensor, 1, NULL, &run, NULL));
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
}

static void import_there(Fixture *fixture, int kill_it) {
  require_files(fixture);
  netcl_tensor *tensor = make(fixture);
  const int before = open_descriptors(NULL);
  const Peer peer = start("importer");
  const netcl_shared_memory memory = export_of(tensor);
  assert_int_equal(send_memory(peer.socket, &memory), 0);
  close(memory.descriptor);
  CHECK(receive_word(peer.socket, 'd') == 0, "the importer has not done its part");
  check_values(tensor, 2, 0);
  if (kill_it) kill(peer.ticket.pid, SIGKILL);
  add_one(tensor);
  if (!kill_it) assert_int_equal(send_word(peer.socket, 'g'), 0);
  finish(&peer, kill_it);
  check_values(tensor, 2, 1);
  add_one(tensor);
  check_values(tensor, 2, 2);
  assert_int_equal(open_descriptors(NULL), before);
  netcl_tensor_release(tensor);
}

static void importer(void **state) { import_there(*state, 0); }
static void importer_is_killed(void **state) { import_there(*state, 1); }

/* The exporter ends, as it wants or not, before anybody has opened what it sent. */
static void import_here(Fixture *fixture, int kill_it) {
  require_files(fixture);
  const int before = open_descriptors(NULL);
  const Peer peer = start("exporter");
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  CHECK(receive_memory(peer.socket, &memory) == 0, "the exporter has sent nothing");
  if (!kill_it) assert_int_equal(send_word(peer.socket, 'g'), 0);
  finish(&peer, kill_it);
  netcl_tensor *tensor = import_of(fixture->device, &memory);
  check_values(tensor, 1, 0);
  add_one(tensor);
  check_values(tensor, 1, 1);
  netcl_tensor_release(tensor);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  assert_int_equal(open_descriptors(NULL), before);
}

static void exporter_ends(void **state) { import_here(*state, 0); }
static void exporter_is_killed(void **state) { import_here(*state, 1); }

/* A program that this one starts gets none of it. */
static void close_on_exec(void **state) {
  Fixture *fixture = *state;
  static process_result result;
  require_files(fixture);
  const int before = open_descriptors("/memfd:netcl");
  netcl_tensor *tensor = make(fixture);
  const netcl_shared_memory memory = export_of(tensor), second = export_of(tensor);
  netcl_tensor *again = import_of(fixture->device, &second);
  assert_int_equal(open_descriptors("/memfd:netcl"), before + 3);
  process_run_self("heir", NULL, 60, &result);
  process_expect_exit(&result, MEMFDS_OF_OTHERS);
  close(memory.descriptor);
  netcl_tensor_release(again);
  netcl_tensor_release(tensor);
}

/* A child of a fork has the memory; it opens the descriptor on a device of its own. */
static int child_of_fork(void *argument) {
  const netcl_shared_memory *memory = argument;
  const int64_t count = COUNT;
  netcl_device *device = NULL;
  netcl_buffer *buffer = NULL;
  netcl_tensor *tensor = NULL;
  CHILD_OK(netcl_device_open("builtin", NULL, &device));
  CHILD_OK(netcl_buffer_import(device, memory, &buffer));
  CHILD_OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_F32, 1, &count, NULL, &tensor));
  const netcl_run_options run = run_into(tensor);
  CHILD_OK(netcl_op_expression_text("v0 + 7", &tensor, 1, NULL, &run, NULL));
  return 0;
}

static void forked(void **state) {
  Fixture *fixture = *state;
  static process_result result;
  require_files(fixture);
  netcl_tensor *tensor = make(fixture);
  netcl_shared_memory memory = export_of(tensor);
  process_fork(child_of_fork, &memory, 0, 1, 60, &result);
  process_expect_exit(&result, 0);
  check_values(tensor, 1, 7);
  close(memory.descriptor);
  netcl_tensor_release(tensor);
}

int main(int argc, char **argv) {
  static const process_mode kModes[] = {
      {"importer", run_importer}, {"exporter", run_exporter}, {"heir", run_heir}};
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(importer),           DEVICE_TEST(importer_is_killed), DEVICE_TEST(exporter_ends),
      DEVICE_TEST(exporter_is_killed), DEVICE_TEST(close_on_exec),      DEVICE_TEST(forked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
