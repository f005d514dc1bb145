/* Where groups meet: places that are refused, and ranks that do not come or do not fit. */
#include "support_group.h"
#include "support_process.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static netcl_status join_at(netcl_device* device, const char* path, uint32_t rank, uint32_t size,
                            uint64_t timeout_ns) {
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  netcl_group* group = NULL;
  options.timeout_ns = timeout_ns;
  const netcl_status status = netcl_group_join(device, path, rank, size, &options, &group);
  if (status == NETCL_OK) netcl_group_release(group);
  return status;
}

enum { SHORT = 200000000 };

static void places_that_are_refused(void** state) {
  Fixture* fixture = *state;
  netcl_device* const device = fixture->device;
  const char* const path = group_path();
  char folder[400], other[500], longer[200];
  struct stat facts;
  memset(longer, 'a', sizeof longer);
  longer[0] = '/';
  longer[101] = '\0';
  snprintf(folder, sizeof folder, "%s-folder", path);
  snprintf(other, sizeof other, "%s/meet", folder);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "path is", join_at(device, "meet", 0, 1, SHORT));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "path is", join_at(device, longer, 0, 1, SHORT));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "path is", join_at(device, "/tmp/", 0, 1, SHORT));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "size is 0", join_at(device, path, 0, 0, SHORT));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "size is 65", join_at(device, path, 0, 65, SHORT));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "index is 2; size is 2",
             join_at(device, path, 2, 2, SHORT));
  assert_int_equal(mkdir(folder, 0700), 0);
  assert_int_equal(chmod(folder, 0770), 0);
  FAILS_WITH(NETCL_ERROR_IO, "can be written by others", join_at(device, other, 0, 1, SHORT));
  FAILS_WITH(NETCL_ERROR_IO, "can be written by others", join_at(device, other, 1, 2, SHORT));
  assert_int_equal(chmod(folder, 0700), 0);
  FILE* file = fopen(other, "w");
  assert_non_null(file);
  fclose(file);
  FAILS_WITH(NETCL_ERROR_IO, "it is there and is no socket", join_at(device, other, 0, 1, SHORT));
  FAILS_WITH(NETCL_ERROR_IO, "it is there and is no socket", join_at(device, other, 1, 2, SHORT));
  assert_int_equal(stat(other, &facts), 0); /* nothing of others is removed */
  group_path_done();
}

/* A socket that somebody has bound, and perhaps listens on. */
static int bind_at(const char* path, int listens) {
  struct sockaddr_un address = {AF_UNIX, ""};
  const int bound = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  assert_true(bound >= 0 && strlen(path) < sizeof address.sun_path);
  strcpy(address.sun_path, path);
  assert_int_equal(bind(bound, (struct sockaddr*)&address, sizeof address), 0);
  if (listens) assert_int_equal(listen(bound, 4), 0);
  return bound;
}

static void sockets_of_others(void** state) {
  Fixture* fixture = *state;
  const char* path = group_path();
  if (geteuid() != 0) SKIP("only root can make files of other users");
  const int bound = bind_at(path, 1);
  assert_int_equal(chown(path, 12345, 12345), 0);
  FAILS_WITH(NETCL_ERROR_IO, "it belongs to user 12345",
             join_at(fixture->device, path, 1, 2, SHORT));
  FAILS_WITH(NETCL_ERROR_IO, "it belongs to user 12345",
             join_at(fixture->device, path, 0, 2, SHORT));
  close(bound);
  group_path_done();
}

/* The socket is this user's, but who listens is not. */
static void listeners_of_others(void** state) {
  Fixture* fixture = *state;
  const char* path = group_path();
  char ready = 0;
  int sign[2];
  if (geteuid() != 0) SKIP("only root can become another user");
  const int bound = bind_at(path, 0);
  assert_int_equal(pipe(sign), 0);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(60);
    if (setuid(12345) != 0 || listen(bound, 4) != 0 || write(sign[1], "r", 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  assert_int_equal(read(sign[0], &ready, 1), 1);
  const netcl_status status = join_at(fixture->device, path, 1, 2, SHORT);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  assert_int_equal(status, NETCL_ERROR_IO);
  check_message("it belongs to user 12345", "netcl_group_join", __FILE__, __LINE__);
  close(sign[0]);
  close(sign[1]);
  close(bound);
  group_path_done();
}

static void sockets_that_are_there(void** state) {
  Fixture* fixture = *state;
  const char* path = group_path();
  const int bound = bind_at(path, 1);
  FAILS_WITH(NETCL_ERROR_BUSY, "is there already", join_at(fixture->device, path, 0, 1, SHORT));
  close(bound);
  /* What a process left that was killed. */
  OK(join_at(fixture->device, path, 0, 1, SHORT));
  assert_int_not_equal(access(path, F_OK), 0);
  group_path_done();
}

static void ranks_that_do_not_come(void** state) {
  Fixture* fixture = *state;
  const char* path = group_path();
  FAILS_WITH(NETCL_ERROR_TIMEOUT, "ranks 1, 2 of the group did not come within 200 ms",
             join_at(fixture->device, path, 0, 3, SHORT));
  assert_int_not_equal(access(path, F_OK), 0);
  FAILS_WITH(NETCL_ERROR_TIMEOUT, "rank 0 of the group did not come within 200 ms",
             join_at(fixture->device, path, 1, 2, SHORT));
  group_path_done();
}

typedef struct Visitor {
  netcl_device* device;
  const char* path;
  uint32_t rank, size;
  netcl_group_transport transport;
  netcl_status status;
  char message[400];
} Visitor;

static void* visit(void* argument) {
  Visitor* visitor = argument;
  netcl_group* group = NULL;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.timeout_ns = LONG_WAIT;
  options.transport = visitor->transport;
  visitor->status = netcl_group_join(visitor->device, visitor->path, visitor->rank, visitor->size,
                                     &options, &group);
  snprintf(visitor->message, sizeof visitor->message, "%s", netcl_last_error_message());
  return NULL;
}

/* All ranks hear what is wrong with one, the last of the three. */
static void visit_all(netcl_device* device, const uint32_t ranks[3], const uint32_t sizes[3],
                      netcl_group_transport last, const char* text) {
  Visitor visitors[3];
  pthread_t threads[3];
  const char* path = group_path();
  for (int i = 0; i < 3; i++) {
    visitors[i] = (Visitor){device, path, ranks[i], sizes[i], i == 2 ? last : 0, NETCL_OK, ""};
    if (i == 2) process_sleep_ms(200);
    assert_int_equal(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0);
  }
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 3; i++) {
    CHECK(visitors[i].status == NETCL_ERROR_INVALID_ARGUMENT &&
              strstr(visitors[i].message, text) != NULL,
          "rank %u: %s, \"%s\"", ranks[i], netcl_status_name(visitors[i].status),
          visitors[i].message);
  }
  group_path_done();
}

static void ranks_that_do_not_fit(void** state) {
  Fixture* fixture = *state;
  visit_all(fixture->device, (const uint32_t[]){0, 1, 2}, (const uint32_t[]){3, 3, 4},
            NETCL_GROUP_TRANSPORT_AUTO, "gives size 4; rank 0 gives 3");
  visit_all(fixture->device, (const uint32_t[]){0, 1, 1}, (const uint32_t[]){3, 3, 3},
            NETCL_GROUP_TRANSPORT_AUTO, "is rank 1, who is here already");
  visit_all(fixture->device, (const uint32_t[]){0, 1, 2}, (const uint32_t[]){3, 3, 3},
            NETCL_GROUP_TRANSPORT_SHARED_MEMORY, "has options->transport 1; rank 0 has 0");
}

/* ---- Options, and what there is without MPI ----------------------------------------------------
 */

static netcl_status join_with(Fixture* fixture, const void* options) {
  const char* path = group_path();
  netcl_group* group = NULL;
  const netcl_status status = netcl_group_join(fixture->device, path, 0, 1, options, &group);
  if (status == NETCL_OK) netcl_group_release(group);
  group_path_done();
  return status;
}

static void options_of_groups(void** state) {
  Fixture* fixture = *state;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_group* group = NULL;
  const size_t reserved = offsetof(netcl_group_options, reserved);
  check_options_rules(fixture, "netcl_group_join", join_with, &options, SIZES(netcl_group_options),
                      &reserved, 1);
  options.transport = NETCL_GROUP_TRANSPORT_SHARED_MEMORY;
  OK(netcl_group_join(fixture->device, group_path(), 0, 1, &options, &group));
  OK(netcl_group_get_info(group, &info));
  assert_int_equal(info.transport, NETCL_GROUP_TRANSPORT_SHARED_MEMORY);
  netcl_group_release(group);
  group_path_done();
  options.transport = NETCL_GROUP_TRANSPORT_MPI;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->transport is 2", join_with(fixture, &options));
  options.transport = NETCL_GROUP_TRANSPORT_NCCL;
  if (join_with(fixture, &options) == NETCL_OK) {
    print_message("NCCL serves this device\n");
  } else {
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED,
               "NETCL_GROUP_TRANSPORT_NCCL; rank 0: ", join_with(fixture, &options));
  }
  options.transport = 5;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->transport is 5",
             netcl_group_create_mpi(fixture->device, NETCL_MPI_WORLD, &options, &group));
  options.transport = -1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->transport is -1",
             netcl_group_create_mpi(fixture->device, NETCL_MPI_WORLD, &options, &group));
}

/* What a program gets that has not initialised MPI. */
static void no_mpi(void** state) {
  Fixture* fixture = *state;
  netcl_group* group = NULL;
  const netcl_status status =
      netcl_group_create_mpi(fixture->device, NETCL_MPI_WORLD, NULL, &group);
#ifdef NETCL_TEST_MPI
  assert_int_equal(status, NETCL_ERROR_INVALID_ARGUMENT);
  check_message("MPI is not initialised", "netcl_group_create_mpi", __FILE__, __LINE__);
#else
  assert_int_equal(status, NETCL_ERROR_UNSUPPORTED);
  check_message("libnetcl-mpi.so", "netcl_group_create_mpi", __FILE__, __LINE__);
#endif
  assert_null(group);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "communicator is 4294967297",
             netcl_group_create_mpi(fixture->device, NETCL_MPI_WORLD + 1, NULL, &group));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "communicator is -2147483649",
             netcl_group_create_mpi(fixture->device, INT64_C(-2147483649), NULL, &group));
}

/* The files that NETCL_MPI_LIBRARY names in a process of its own: none, and two that are others. */
static int child_lacks_mpi(void) {
  netcl_device* device = NULL;
  netcl_group* group = NULL;
  CHILD_OK(netcl_device_open("builtin", NULL, &device));
  CHILD_STATUS(NETCL_ERROR_UNSUPPORTED,
               netcl_group_create_mpi(device, NETCL_MPI_WORLD, NULL, &group));
  printf("%s\n", netcl_last_error_message());
  netcl_device_release(device);
  return 0;
}

static void other_libraries(void** state) {
  (void)state;
  static const char* const kFiles[] = {"/nowhere/libnetcl-mpi.so", NETCL_LIBRARY_FILE,
                                       NETCL_TEST_OTHER_MPI};
  static const char* const kTexts[] = {"/nowhere/libnetcl-mpi.so cannot be opened",
                                       "is no libnetcl-mpi", "is of version 77; this netcl needs"};
  for (size_t i = 0; i < COUNT_OF(kFiles); i++) {
    char variable[600];
    process_result result;
    snprintf(variable, sizeof variable, "NETCL_MPI_LIBRARY=%s", kFiles[i]);
    const char* const environment[] = {variable, NULL};
    process_run_self("lacks_mpi", environment, 60, &result);
    process_expect_exit(&result, 0);
    CHECK(strstr(result.output, kTexts[i]) != NULL, "%s", result.output);
  }
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"lacks_mpi", child_lacks_mpi}};
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(places_that_are_refused), DEVICE_TEST(sockets_of_others),
      DEVICE_TEST(sockets_that_are_there),  DEVICE_TEST(listeners_of_others),
      DEVICE_TEST(ranks_that_do_not_come),  DEVICE_TEST(ranks_that_do_not_fit),
      DEVICE_TEST(options_of_groups),       DEVICE_TEST(no_mpi),
      cmocka_unit_test(other_libraries),
  };
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
