/*
 * all_reduce of f32 in processes of this host, beside MPI_Allreduce.
 *
 *   bench_group [--device SELECTOR] RANKS [rounds]
 *   mpirun -np RANKS bench_group [--device SELECTOR] mpi|memory|messages [rounds]
 *                                where it is built with MPI: MPI_Allreduce itself, and groups made
 *                                of the world that share memory, or exchange messages of MPI
 *
 * For each size the least time of a call over the rounds, of the slowest rank: each round times as
 * many calls in a row as take a few milliseconds, after a barrier. The tensors are 0, so that sums
 * stay what they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "netcl.h"
#include "support_clock.h"
#ifdef NETCL_BENCH_MPI
#include <mpi.h>
#endif

static const int64_t kBytes[] = {8,      1024,    8192,    16384,    65536,
                                 262144, 1 << 20, 4 << 20, 16 << 20, 64 << 20};
enum { SIZES = sizeof kBytes / sizeof kBytes[0] };

static int calls_of(int64_t bytes) { return (int)(1 + (int64_t)(4 << 20) / (bytes + 2048)); }
static void report(int64_t bytes, double ns) {
  printf("%10lld bytes %12.2f us %8.2f GB/s\n", (long long)bytes, ns / 1000, (double)bytes / ns);
}

/* ---- netcl ----------------------------------------------------------------------------------- */

/* Takes the device and the group. */
static void run_rank(netcl_device* device, netcl_group* group, uint32_t rank, int rounds) {
  for (int i = 0; i < SIZES; i++) {
    const int64_t count = kBytes[i] / 4, one = 1;
    const int calls = calls_of(kBytes[i]);
    const float zero = 0;
    netcl_tensor *tensor = NULL, *time = NULL;
    double least = 1e18, taken = 0;
    CHECK(netcl_tensor_create_full(device, NETCL_F32, 1, &count, NULL, &zero, NULL, &tensor));
    CHECK(netcl_tensor_create_full(device, NETCL_F64, 1, &one, NULL, &taken, NULL, &time));
    for (int round = 0; round < rounds; round++) {
      CHECK(netcl_group_barrier(group, NULL));
      const double begin = now();
      for (int n = 0; n < calls; n++) {
        CHECK(netcl_group_all_reduce(group, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
      }
      taken = 1e9 * (now() - begin) / calls;
      CHECK(netcl_tensor_write(time, &taken, sizeof taken, NULL, NETCL_WAIT_FOREVER));
      CHECK(netcl_group_all_reduce(group, time, time, NETCL_REDUCTION_MAX, NULL));
      CHECK(netcl_tensor_read(time, &taken, sizeof taken, NULL, NETCL_WAIT_FOREVER));
      if (taken < least) least = taken;
    }
    if (rank == 0) report(kBytes[i], least);
    netcl_tensor_release(tensor);
    netcl_tensor_release(time);
  }
  netcl_group_release(group);
  netcl_device_release(device);
}

static void join_and_run(const char* selector, const char* path, uint32_t rank, uint32_t size,
                         int rounds) {
  netcl_device* device = NULL;
  netcl_group* group = NULL;
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_group_join(device, path, rank, size, NULL, &group));
  run_rank(device, group, rank, rounds);
}

static int run_netcl(const char* selector, uint32_t size, int rounds) {
  char folder[] = "/tmp/bench-group-XXXXXX", path[64];
  int failed = 0;
  if (mkdtemp(folder) == NULL) return 1;
  snprintf(path, sizeof path, "%s/meet", folder);
  for (uint32_t rank = 1; rank < size; rank++) {
    if (fork() == 0) {
      join_and_run(selector, path, rank, size, rounds);
      exit(0);
    }
  }
  join_and_run(selector, path, 0, size, rounds);
  for (int status; wait(&status) > 0;) failed |= status;
  rmdir(folder);
  return failed != 0;
}

/* ---- MPI ------------------------------------------------------------------------------------- */

#ifdef NETCL_BENCH_MPI
static void run_mpi_alone(int rank, int rounds) {
  for (int i = 0; i < SIZES; i++) {
    const int count = (int)(kBytes[i] / 4), calls = calls_of(kBytes[i]);
    float* data = calloc((size_t)count, sizeof *data);
    double least = 1e18, taken;
    for (int round = 0; round < rounds; round++) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = now();
      for (int n = 0; n < calls; n++) {
        MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      }
      taken = 1e9 * (now() - begin) / calls;
      MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (taken < least) least = taken;
    }
    if (rank == 0) report(kBytes[i], least);
    free(data);
  }
}
#endif

static int run_mpi(const char* selector, const char* way, int rounds) {
#ifdef NETCL_BENCH_MPI
  int rank = 0;
  netcl_device* device = NULL;
  netcl_group* group = NULL;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(way, "mpi") == 0) {
    run_mpi_alone(rank, rounds);
  } else {
    options.transport = strcmp(way, "memory") == 0 ? NETCL_GROUP_TRANSPORT_SHARED_MEMORY
                                                   : NETCL_GROUP_TRANSPORT_MPI;
    CHECK(netcl_device_open(selector, NULL, &device));
    CHECK(netcl_group_create_mpi(device, NETCL_MPI_WORLD, &options, &group));
    run_rank(device, group, (uint32_t)rank, rounds);
  }
  MPI_Finalize();
  return 0;
#else
  (void)selector, (void)way, (void)rounds;
  fprintf(stderr, "bench_group was built without MPI\n");
  return 1;
#endif
}

int main(int argc, char** argv) {
  const char* selector = "builtin";
  int at = 1;
  if (at + 1 < argc && strcmp(argv[at], "--device") == 0) {
    selector = argv[at + 1];
    at += 2;
  }
  if (at >= argc) {
    fprintf(stderr, "bench_group [--device SELECTOR] RANKS|mpi|memory|messages [rounds]\n");
    return 2;
  }
  const int rounds = at + 1 < argc ? atoi(argv[at + 1]) : 20;
  if (atoi(argv[at]) == 0) return run_mpi(selector, argv[at], rounds);
  return run_netcl(selector, (uint32_t)atoi(argv[at]), rounds);
}
