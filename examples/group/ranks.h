/*
 * The ranks of the programs here, on a grid of rows and columns that is as square as their number
 * allows: processes that meet at a path, with --threads the devices of one process with a thread
 * each, or with --mpi the processes that mpirun has started, of which each is one rank.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_RANKS_H
#define NETCL_EXAMPLE_RANKS_H

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

/* The build sets it to 1 where MPI is installed. */
#ifndef NETCL_EXAMPLE_MPI
#define NETCL_EXAMPLE_MPI 0
#endif
#if NETCL_EXAMPLE_MPI
#include <mpi.h>
#endif

enum { RANKS_MOST = 16 };

static const char* selectors[RANKS_MOST] = {"auto"}; /* rank r has number r % selectors_count */
static uint32_t selectors_count;
static char meeting[64];
static uint32_t ranks, grid_rows, grid_columns; /* ranks is 4, or those of MPI, if not given */
static int threads, by_mpi;
static netcl_device* local_devices[RANKS_MOST]; /* with --threads, as the groups */
static netcl_group* local_groups[RANKS_MOST];
static void (*rank_program)(uint32_t rank);

static const char* selector_of(uint32_t rank) {
  return selectors[selectors_count > 0 ? rank % selectors_count : 0];
}

/* Takes --device SELECTOR, which may come several times, --threads, --mpi and --ranks N; what is
 * left comes first in argv. */
static int read_ranks(int argc, char** argv) {
  int left = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--device") == 0 && i + 1 < argc) {
      if (selectors_count == RANKS_MOST) fail("--device", "16 times at most");
      selectors[selectors_count++] = argv[++i];
    } else if (strcmp(argv[i], "--ranks") == 0 && i + 1 < argc) {
      ranks = (uint32_t)strtoul(argv[++i], NULL, 10);
      if (ranks < 1 || ranks > RANKS_MOST) fail("--ranks", "1 to 16");
    } else if (strcmp(argv[i], "--threads") == 0) {
      threads = 1;
    } else if (strcmp(argv[i], "--mpi") == 0) {
      by_mpi = 1;
    } else {
      argv[left++] = argv[i];
    }
  }
  return left;
}

/* Opens the rank's device, and waits for the others. */
static netcl_group* join(uint32_t rank, netcl_device** device) {
  netcl_group* group = NULL;
  if (threads) {
    *device = local_devices[rank];
    return local_groups[rank];
  }
  CHECK(netcl_device_open(selector_of(rank), NULL, device));
  if (by_mpi) {
    CHECK(netcl_group_create_mpi(*device, NETCL_MPI_WORLD, NULL, &group));
  } else {
    CHECK(netcl_group_join(*device, meeting, rank, ranks, NULL, &group));
  }
  return group;
}

/* The first of `count` elements that part `part` of `parts` has. */
static int64_t first_of(int64_t count, uint32_t part, uint32_t parts) {
  return count * part / parts;
}

/* Rows [top, top + rows) and columns [left, left + columns) of a tensor, as a view. */
static inline netcl_tensor* window(netcl_tensor* tensor, int64_t top, int64_t left, int64_t rows,
                                   int64_t columns) {
  const netcl_range ranges[2] = {{top, rows, 1}, {left, columns, 1}};
  netcl_tensor* view = NULL;
  CHECK(netcl_tensor_slice(tensor, ranges, 2, &view));
  return view;
}

static void* run_thread(void* rank) {
  rank_program((uint32_t)(uintptr_t)rank);
  return NULL;
}

static void run_threads(void) {
  pthread_t others[RANKS_MOST];
  netcl_device_options separate = NETCL_DEVICE_OPTIONS_INIT;
  separate.separate = 1; /* else all would be one device, which has one rank */
  for (uint32_t r = 0; r < ranks; r++) {
    CHECK(netcl_device_open(selector_of(r), &separate, &local_devices[r]));
  }
  CHECK(netcl_group_create_local(local_devices, ranks, NULL, local_groups));
  for (uint32_t r = 1; r < ranks; r++) {
    if (pthread_create(&others[r], NULL, run_thread, (void*)(uintptr_t)r) != 0) {
      fail("threads", "there are not enough");
    }
  }
  rank_program(0);
  for (uint32_t r = 1; r < ranks; r++) pthread_join(others[r], NULL);
}

/* They are started before anything of netcl is used, which no forked process can go on with. */
static void run_processes(void) {
  int status = 0;
  for (uint32_t r = 1; r < ranks; r++) {
    const pid_t child = fork();
    if (child < 0) fail("processes", "there are not enough");
    if (child == 0) {
      rank_program(r);
      exit(0);
    }
  }
  rank_program(0);
  while (wait(&status) > 0) {
    if (status != 0) fail("processes", "one failed");
  }
}

static void make_grid(void) {
  if (ranks > RANKS_MOST) fail("--mpi", "1 to 16 processes");
  for (grid_rows = 1; (grid_rows + 1) * (grid_rows + 1) <= ranks; grid_rows++) {
  }
  while (ranks % grid_rows != 0) grid_rows--;
  grid_columns = ranks / grid_rows;
}

/* This process is one rank. A reducer's thread calls MPI beside it where messages go by MPI. */
static void run_mpi(void) {
#if NETCL_EXAMPLE_MPI
  int level = 0, rank = 0, size = 0;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  if (level < MPI_THREAD_MULTIPLE) fail("--mpi", "this MPI has no MPI_THREAD_MULTIPLE");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (ranks != 0 && ranks != (uint32_t)size) fail("--ranks", "it is not the processes of MPI");
  ranks = (uint32_t)size;
  make_grid();
  rank_program((uint32_t)rank);
  MPI_Finalize();
#else
  fail("--mpi", "this program was built without MPI");
#endif
}

/* The folder of the meeting goes however the program ends: with the socket, where nobody has come
 * to it. Only the process that made it removes it. */
static pid_t meeting_maker;
static void remove_meeting(void) {
  char* const name = strrchr(meeting, '/');
  if (getpid() != meeting_maker || name == NULL) return;
  unlink(meeting);
  *name = '\0';
  rmdir(meeting);
}

static void make_meeting(void) {
  char folder[] = "/tmp/netcl-group-XXXXXX";
  if (mkdtemp(folder) == NULL) fail(folder, "cannot be made");
  snprintf(meeting, sizeof meeting, "%s/meet", folder);
  meeting_maker = getpid();
  atexit(remove_meeting);
}

/* Runs the program once for each rank. */
static void run_ranks(void (*program)(uint32_t rank)) {
  rank_program = program;
  if (threads && by_mpi) fail("arguments", "--threads or --mpi");
  if (by_mpi) {
    run_mpi();
    return;
  }
  if (ranks == 0) ranks = 4;
  make_grid();
  if (threads) {
    run_threads();
    return;
  }
  make_meeting();
  run_processes();
}

#endif
