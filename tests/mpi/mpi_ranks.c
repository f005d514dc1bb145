/* run_ranks with processes of mpirun, and the main function around that of a test: MPI is there for
 * all of it. NETCL_TEST_TRANSPORT says what the groups are to be made of. */
#include "support_group.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main_of_test(int argc, char** argv);

static netcl_group_transport transport(void) {
  const char* name = getenv("NETCL_TEST_TRANSPORT");
  return name != NULL && strcmp(name, "memory") == 0 ? NETCL_GROUP_TRANSPORT_SHARED_MEMORY
                                                     : NETCL_GROUP_TRANSPORT_MPI;
}

static void run_rank(Rank* rank, MPI_Comm comm, uint64_t timeout_ns, RankBody body) {
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  options.timeout_ns = timeout_ns;
  options.transport = transport();
  RANK_OK(rank, netcl_group_create_mpi(rank->device, MPI_Comm_c2f(comm), &options, &rank->group));
  RANK_OK(rank, netcl_group_get_info(rank->group, &info));
  RANK_CHECK(rank, info.transport == options.transport);
  RANK_CHECK(rank, info.rank == rank->rank && info.size == rank->size);
  body(rank);
  netcl_group_release(rank->group);
}

void run_ranks(netcl_device* device, uint32_t size, uint64_t timeout_ns, RankBody body,
               void* state) {
  int all = 0, own = 0, failed = 0, any = 0;
  MPI_Comm comm;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  CHECK(size <= (uint32_t)all, "this needs mpirun -np %u at least", size);
  MPI_Comm_split(MPI_COMM_WORLD, own < (int)size ? 0 : MPI_UNDEFINED, own, &comm);
  if (comm != MPI_COMM_NULL) {
    Rank rank = {device, NULL, (uint32_t)own, size, state, ""};
    run_rank(&rank, comm, timeout_ns, body);
    failed = rank.problem[0] != '\0';
    if (failed) fprintf(stderr, "%s\n", rank.problem);
    MPI_Comm_free(&comm);
  }
  MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(!any, "some of %u ranks failed", size);
}

/* A process has devices of its own. */
void run_apart(Fixture* fixture, uint32_t size, uint64_t timeout_ns, RankBody body, void* state) {
  run_ranks(fixture->device, size, timeout_ns, body, state);
}

/* All ranks draw the same numbers. */
static void share_seed(void) {
  unsigned seed = (unsigned)time(NULL);
  char text[16];
  MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  snprintf(text, sizeof text, "%u", seed);
  setenv("NETCL_TEST_SEED", text, 0);
}

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  share_seed();
  const int failed = level < MPI_THREAD_MULTIPLE ? 1 : main_of_test(argc, argv);
  MPI_Finalize();
  return failed;
}
