/* Before MPI is initialised, on other threads, in forked children, and behind MPI_Finalize. Runs as
 * mpirun -np 2. */
#include "support_group.h"
#include "support_process.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { FEW = 2 };
static netcl_group* groups[2]; /* in memory, and by messages */

static void before_it_is_initialised(void** state) {
  Fixture* fixture = *state;
  netcl_group* group = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "MPI is not initialised",
             netcl_group_create_mpi(fixture->device, NETCL_MPI_WORLD, NULL, &group));
  assert_null(group);
}

static void* call_elsewhere(void* state) {
  Fixture* fixture = state;
  static const char kText[] = "this is not the thread that initialised MPI";
  netcl_group* group = NULL;
  const uint32_t colors[FEW] = {0, 0};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kText,
             netcl_group_create_mpi(fixture->device, NETCL_MPI_WORLD, NULL, &group));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kText, netcl_group_barrier(groups[1], NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kText,
             netcl_group_split(groups[1], colors, FEW, &group));
  /* Memory is no matter of MPI. */
  OK(netcl_group_barrier(groups[0], NULL));
  return NULL;
}

static int child(void* device) {
  netcl_group* group = NULL;
  (void)device;
  CHILD_OK(netcl_device_open("builtin", NULL, (netcl_device**)&device));
  CHILD_STATUS(NETCL_ERROR_FORKED, netcl_group_create_mpi(device, NETCL_MPI_WORLD, NULL, &group));
  CHILD_STATUS(NETCL_ERROR_FORKED, netcl_group_barrier(groups[1], NULL));
  return 0;
}

static void on_other_threads(Fixture* fixture) {
  pthread_t thread;
  process_result result;
  int level = 0;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
  for (int i = 0; i < 2; i++) {
    netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
    options.transport = i + 1;
    OK(netcl_group_create_mpi(fixture->device, NETCL_MPI_WORLD, &options, &groups[i]));
  }
  assert_int_equal(pthread_create(&thread, NULL, call_elsewhere, fixture), 0);
  pthread_join(thread, NULL);
  process_fork(child, NULL, 0, 1, 60, &result);
  process_expect_exit(&result, 0);
  for (int i = 0; i < 2; i++) OK(netcl_group_barrier(groups[i], NULL));
}

static void behind_its_end(Fixture* fixture) {
  netcl_group* group = NULL;
  MPI_Finalize();
  OK(netcl_group_barrier(groups[0], NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "MPI has been finalised",
             netcl_group_barrier(groups[1], NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "MPI has been finalised",
             netcl_group_create_mpi(fixture->device, NETCL_MPI_WORLD, NULL, &group));
  assert_null(group);
  for (int i = 0; i < 2; i++) netcl_group_release(groups[i]);
}

static void until_the_end(void** state) {
  on_other_threads(*state);
  behind_its_end(*state);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(before_it_is_initialised),
                                     DEVICE_TEST(until_the_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
