/* What the others see of a rank that is killed, whichever it is and whatever is called, and ranks
 * that do not share a host. Runs as mpirun -np 3, which is told to leave the others alone. It fails
 * with the one that is killed, so the lines of the others are what is judged. */
#include "support_group.h"
#include "support_process.h"

#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { RANKS = 3 };

#define NEED(condition)                                                        \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("%s:%d: rank %d: %s [%s]\n", __FILE__, __LINE__, own, #condition, \
             netcl_last_error_message());                                      \
      fflush(stdout);                                                          \
      _exit(1);                                                                \
    }                                                                          \
  } while (0)

static netcl_group* make(netcl_device* device, netcl_group_transport transport,
                         netcl_status wanted) {
  int own = 0;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  netcl_group* group = NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  options.transport = transport;
  options.timeout_ns = 5 * SECOND;
  NEED(netcl_group_create_mpi(device, NETCL_MPI_WORLD, &options, &group) == wanted);
  return group;
}

/* All calls of all ranks in turn, of messages of all lengths. */
static netcl_status one_call(netcl_group* group, int n, netcl_tensor* tensor, netcl_tensor* other) {
  switch (n / 3 % 5) {
    case 0:
      return netcl_group_all_reduce(group, tensor, tensor, NETCL_REDUCTION_MAX, NULL);
    case 1:
      return netcl_group_broadcast(group, tensor, (uint32_t)(n / 15 % RANKS), NULL);
    case 2:
      return netcl_group_all_to_all(group, tensor, NULL, 0, other, NULL);
    case 3:
      return netcl_group_reduce(group, tensor, other, NETCL_REDUCTION_SUM,
                                (uint32_t)(n / 15 % RANKS), NULL);
    default:
      return netcl_group_barrier(group, NULL);
  }
}

/* Works with the others until that fails, for a minute at most. */
static netcl_status work(netcl_device* device, netcl_group* group) {
  static const int64_t kCounts[] = {3, 5001, 300000};
  netcl_tensor *tensors[3] = {NULL, NULL, NULL}, *others[3] = {NULL, NULL, NULL};
  netcl_status status = NETCL_OK;
  const double begin = process_now();
  for (int i = 0; i < 3 && status == NETCL_OK; i++) {
    status = netcl_tensor_create_zeros(device, NETCL_F32, 1, &kCounts[i], NULL, NULL, &tensors[i]);
    if (status != NETCL_OK) break;
    status = netcl_tensor_create_zeros(device, NETCL_F32, 1, &kCounts[i], NULL, NULL, &others[i]);
  }
  for (int n = 0; status == NETCL_OK && process_now() - begin < 60; n++) {
    status = one_call(group, n, tensors[n % 3], others[n % 3]);
  }
  for (int i = 0; i < 3; i++) {
    netcl_tensor_release(tensors[i]);
    netcl_tensor_release(others[i]);
  }
  return status;
}

static void* kill_soon(void* wait_ms) {
  process_sleep_ms((unsigned)*(const int*)wait_ms);
  raise(SIGKILL);
  return NULL;
}

/* Where rank 0 of "meeting" notes the folder that the library made for it. */
static char note[64];

/* Found before those of the C library. Rank 0 ends where the others would come to it. */
char* mkdtemp(char* template) {
  char* (*made)(char*) = (char* (*)(char*))dlsym(RTLD_NEXT, "mkdtemp");
  char* const folder = made(template);
  if (note[0] != '\0' && folder != NULL && strncmp(folder, "/tmp/netcl-group-", 17) == 0) {
    FILE* const file = fopen(note, "w");
    if (file == NULL || fputs(folder, file) < 0 || fclose(file) != 0) _exit(1);
  }
  return folder;
}
int listen(int descriptor, int backlog) {
  int (*listens)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "listen");
  if (note[0] != '\0' && access(note, F_OK) == 0) raise(SIGKILL);
  return listens(descriptor, backlog);
}

/* Rank 0 dies while the ranks meet in memory: the others take its folder away. */
static void meet_without_first(netcl_device* device, int own) {
  char path[64] = "", folder[64] = "";
  snprintf(path, sizeof path, "/tmp/netcl-note-%d", (int)getpid());
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (own == 0) memcpy(note, path, sizeof note);
  make(device, NETCL_GROUP_TRANSPORT_SHARED_MEMORY, NETCL_ERROR_TIMEOUT);
  NEED(strstr(netcl_last_error_message(), "rank 0 of the group did not come") != NULL);
  if (own == 1) process_sleep_ms(2000); /* rank 2 is late as well */
  FILE* const file = fopen(path, "r");
  NEED(file != NULL && fgets(folder, sizeof folder, file) != NULL);
  fclose(file);
  NEED(access(folder, F_OK) != 0);
  printf("rank %d is right\n", own);
  fflush(stdout);
  process_sleep_ms(own == 1 ? 1000 : 4000);
  unlink(path);
  _exit(0);
}

/* "memory" or "messages", by which the ranks reach each other, "hosts" or "meeting". */
int main(int argc, char** argv) {
  int own = 0, level = 0;
  netcl_device* device = NULL;
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  const int hosts = argc > 1 && strcmp(argv[1], "hosts") == 0;
  const int memory = argc > 1 && strcmp(argv[1], "memory") == 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  NEED(netcl_device_open("builtin", NULL, &device) == NETCL_OK);
  if (argc > 1 && strcmp(argv[1], "meeting") == 0) meet_without_first(device, own);
  if (hosts) {
    /* Another view of the files is another host. */
    int apart = own != 1 || unshare(CLONE_NEWNS) == 0, all = 0;
    MPI_Allreduce(&apart, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!all) {
      printf("skipped: this user cannot have a mount namespace, rank %d is right\n", own);
      MPI_Finalize();
      return 0;
    }
    make(device, NETCL_GROUP_TRANSPORT_SHARED_MEMORY, NETCL_ERROR_UNSUPPORTED);
    NEED(strstr(netcl_last_error_message(), "rank 1 is on another host than rank 0") != NULL);
  }
  const netcl_group_transport transport = hosts    ? NETCL_GROUP_TRANSPORT_AUTO
                                          : memory ? NETCL_GROUP_TRANSPORT_SHARED_MEMORY
                                                   : NETCL_GROUP_TRANSPORT_MPI;
  netcl_group* group = make(device, transport, NETCL_OK);
  NEED(netcl_group_get_info(group, &info) == NETCL_OK);
  NEED((info.transport == NETCL_GROUP_TRANSPORT_SHARED_MEMORY) == memory);
  NEED(netcl_group_barrier(group, NULL) == NETCL_OK);
  if (!hosts) {
    /* Rank 0 draws who, and when. */
    int drawn = (int)(time(NULL) * 7919 % (RANKS * 300));
    char died[40];
    MPI_Bcast(&drawn, 1, MPI_INT, 0, MPI_COMM_WORLD);
    const int wait_ms = drawn / RANKS, victim = drawn % RANKS;
    pthread_t thread;
    snprintf(died, sizeof died, "rank %d died", victim);
    printf("rank %d: %d is killed after %d ms\n", own, victim, wait_ms);
    fflush(stdout);
    if (own == victim) NEED(pthread_create(&thread, NULL, kill_soon, (void*)&wait_ms) == 0);
    const netcl_status status = work(device, group);
    const double begin = process_now();
    NEED(status == (memory ? NETCL_ERROR_RANK_LOST : NETCL_ERROR_TIMEOUT));
    NEED(strstr(netcl_last_error_message(), memory ? died : "did not come within 5000"));
    NEED(netcl_group_barrier(group, NULL) == status);
    NEED(process_now() - begin < 1);
  }
  netcl_group_release(group);
  netcl_device_release(device);
  printf("rank %d is right\n", own);
  fflush(stdout);
  if (!hosts) _exit(0); /* MPI_Finalize would wait for the dead one. */
  MPI_Finalize();
  return 0;
}
