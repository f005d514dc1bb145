/* Groups of MPI programs: communicators, ranks that do not come, leave or die, threads, the end of
 * MPI. Runs as mpirun -np 3. */
#include "support_group.h"
#include "support_process.h"

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

enum { RANKS = 3, SHORT = 1000000000 };

static int own_rank(void) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static netcl_status create(Fixture* fixture, int64_t comm, netcl_group_transport transport,
                           uint64_t timeout_ns, netcl_group** group) {
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.transport = transport;
  options.timeout_ns = timeout_ns;
  return netcl_group_create_mpi(fixture->device, comm, &options, group);
}

/* What all ranks add up to, each with its own number. */
static void expect_sum(Fixture* fixture, netcl_group* group, double own, double sum) {
  const int64_t one = 1;
  const double start = own;
  double got = 0;
  netcl_tensor* tensor = NULL;
  OK(netcl_tensor_create_full(fixture->device, NETCL_F64, 1, &one, NULL, &start, NULL, &tensor));
  OK(netcl_group_all_reduce(group, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
  OK(netcl_tensor_read(tensor, &got, sizeof got, NULL, LONG_WAIT));
  CHECK(got == sum, "the sum is %g, not %g", got, sum);
  netcl_tensor_release(tensor);
}

/* ---- Communicators --------------------------------------------------------------------------- */

static void the_world_and_parts(void** state) {
  Fixture* fixture = *state;
  const int own = own_rank();
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_group* group = NULL;
  MPI_Comm turned;
  for (int transport = 0; transport <= NETCL_GROUP_TRANSPORT_MPI; transport++) {
    OK(create(fixture, NETCL_MPI_WORLD, transport, LONG_WAIT, &group));
    OK(netcl_group_get_info(group, &info));
    assert_int_equal(info.rank, own);
    assert_int_equal(info.size, RANKS);
    assert_int_equal(info.transport,
                     transport == 0 ? NETCL_GROUP_TRANSPORT_SHARED_MEMORY : transport);
    expect_sum(fixture, group, own, 0 + 1 + 2);
    netcl_group_release(group);
    /* The ranks are the communicator's, which may go while the group is there. */
    MPI_Comm_split(MPI_COMM_WORLD, 0, -own, &turned);
    OK(create(fixture, MPI_Comm_c2f(turned), transport, LONG_WAIT, &group));
    MPI_Comm_free(&turned);
    OK(netcl_group_get_info(group, &info));
    assert_int_equal(info.rank, RANKS - 1 - own);
    expect_sum(fixture, group, info.rank, 0 + 1 + 2);
    netcl_group_release(group);
  }
}

static void what_is_no_communicator(void** state) {
  Fixture* fixture = *state;
  netcl_group* group = NULL;
  MPI_Comm low, between;
  const int own = own_rank();
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "it is none",
             create(fixture, MPI_Comm_c2f(MPI_COMM_NULL), 0, SHORT, &group));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "communicator is 123456: it is none",
             create(fixture, 123456, 0, SHORT, &group));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "communicator is -7: it is none",
             create(fixture, -7, 0, SHORT, &group));
  MPI_Comm_split(MPI_COMM_WORLD, own == 0, own, &low);
  MPI_Intercomm_create(low, 0, MPI_COMM_WORLD, own == 0 ? 1 : 0, 1, &between);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "between two groups",
             create(fixture, MPI_Comm_c2f(between), 0, SHORT, &group));
  MPI_Comm_free(&between);
  MPI_Comm_free(&low);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->transport is 1 on rank 1, 2 on rank 0",
             create(fixture, NETCL_MPI_WORLD, own == 1 ? 1 : 2, LONG_WAIT, &group));
  assert_null(group);
}

/* Many groups, some released early, leave nothing behind that ends MPI's numbers. */
static void many_groups(void** state) {
  Fixture* fixture = *state;
  const int own = own_rank();
  const uint32_t colors[RANKS] = {1, 1, 1};
  for (int i = 0; i < 100; i++) {
    netcl_group *group = NULL, *part = NULL;
    OK(create(fixture, NETCL_MPI_WORLD, NETCL_GROUP_TRANSPORT_MPI, LONG_WAIT, &group));
    OK(netcl_group_split(group, colors, RANKS, &part));
    if (i % RANKS == own) netcl_group_release(group);
    expect_sum(fixture, part, own, 0 + 1 + 2);
    if (i % RANKS != own) netcl_group_release(group);
    netcl_group_release(part);
  }
}

/* ---- Ranks that fail ------------------------------------------------------------------------- */

static void late(Fixture* fixture, netcl_group_transport transport) {
  static const char kText[] = "rank 2 did not come within 1000 ms";
  netcl_group* group = NULL;
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  OK(create(fixture, NETCL_MPI_WORLD, transport, SHORT, &group));
  if (own_rank() == 2) {
    process_sleep_ms(2500);
  } else {
    FAILS_WITH(NETCL_ERROR_TIMEOUT, kText, netcl_group_barrier(group, NULL));
  }
  FAILS_WITH(NETCL_ERROR_TIMEOUT, kText, netcl_group_barrier(group, NULL));
  OK(netcl_group_get_info(group, &info));
  assert_int_equal(info.failure, NETCL_ERROR_TIMEOUT);
  netcl_group_release(group);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void a_rank_that_is_late(void** state) {
  late(*state, NETCL_GROUP_TRANSPORT_MPI);
  late(*state, NETCL_GROUP_TRANSPORT_SHARED_MEMORY);
}

/* A long message that its receiver never takes is under way when the group ends. */
static void a_message_that_nobody_takes(void** state) {
  Fixture* fixture = *state;
  const int64_t count = 300000;
  netcl_group* group = NULL;
  netcl_tensor* tensor = NULL;
  OK(create(fixture, NETCL_MPI_WORLD, NETCL_GROUP_TRANSPORT_MPI, SHORT, &group));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &count, NULL, NULL, &tensor));
  if (own_rank() == 0) {
    FAILS_WITH(NETCL_ERROR_TIMEOUT, "rank 1 did not come",
               netcl_group_send(group, tensor, 1, NULL));
  } else {
    process_sleep_ms(2000);
    FAILS_WITH(NETCL_ERROR_TIMEOUT, "rank 1 did not come", netcl_group_barrier(group, NULL));
  }
  netcl_tensor_release(tensor);
  netcl_group_release(group);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void a_rank_that_is_released(void** state) {
  Fixture* fixture = *state;
  for (int transport = 1; transport <= NETCL_GROUP_TRANSPORT_MPI; transport++) {
    netcl_group* group = NULL;
    OK(create(fixture, NETCL_MPI_WORLD, transport, 20 * SECOND, &group));
    expect_sum(fixture, group, own_rank(), 0 + 1 + 2);
    if (own_rank() != 1) {
      FAILS_WITH(NETCL_ERROR_RANK_LOST, "rank 1 was released", netcl_group_barrier(group, NULL));
    }
    netcl_group_release(group);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* A part that a rank leaves is lost by itself: its messages are none of the group's. */
static void a_part_that_is_left(void** state) {
  Fixture* fixture = *state;
  const uint32_t colors[RANKS] = {4, 4, 4};
  netcl_group *group = NULL, *part = NULL;
  OK(create(fixture, NETCL_MPI_WORLD, NETCL_GROUP_TRANSPORT_MPI, 20 * SECOND, &group));
  OK(netcl_group_split(group, colors, RANKS, &part));
  if (own_rank() != 1) {
    FAILS_WITH(NETCL_ERROR_RANK_LOST, "rank 1 was released", netcl_group_barrier(part, NULL));
  }
  netcl_group_release(part);
  expect_sum(fixture, group, own_rank(), 0 + 1 + 2);
  netcl_group_release(group);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void a_rank_that_does_not_make_it(void** state) {
  Fixture* fixture = *state;
  netcl_group* group = NULL;
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  if (own_rank() != 1) {
    FAILS_WITH(NETCL_ERROR_TIMEOUT, "did not come to the group within 1000 ms",
               create(fixture, MPI_Comm_c2f(own), 0, SHORT, &group));
    assert_null(group);
  } else {
    /* It comes when the others have given up, and is told so: nobody is waited for twice. */
    process_sleep_ms(2000);
    const netcl_status status = create(fixture, MPI_Comm_c2f(own), 0, SHORT, &group);
    assert_int_equal(status, NETCL_ERROR_TIMEOUT);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void* interrupt_soon(void* unused) {
  process_sleep_ms(200);
  raise(SIGINT);
  return unused;
}

/* What ends a call within is told to those who have not come yet. */
static void a_rank_that_is_interrupted(void** state) {
  Fixture* fixture = *state;
  netcl_group* group = NULL;
  pthread_t thread;
  OK(create(fixture, NETCL_MPI_WORLD, NETCL_GROUP_TRANSPORT_MPI, LONG_WAIT, &group));
  if (own_rank() == 0) {
    OK(netcl_interrupt_enable(10 * SECOND));
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, NULL), 0);
    FAILS_WITH(NETCL_ERROR_CANCELLED, "interrupted", netcl_group_barrier(group, NULL));
    pthread_join(thread, NULL);
    OK(netcl_interrupt_disable());
  } else {
    process_sleep_ms(600);
    FAILS_WITH(NETCL_ERROR_RANK_LOST, "rank 0 failed within a call",
               netcl_group_barrier(group, NULL));
  }
  netcl_group_release(group);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(the_world_and_parts),
      DEVICE_TEST(what_is_no_communicator),
      DEVICE_TEST(many_groups),
      DEVICE_TEST(a_rank_that_is_late),
      DEVICE_TEST(a_message_that_nobody_takes),
      DEVICE_TEST(a_rank_that_is_released),
      DEVICE_TEST(a_part_that_is_left),
      DEVICE_TEST(a_rank_that_does_not_make_it),
      DEVICE_TEST(a_rank_that_is_interrupted),
  };
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Finalize();
  return failed;
}
