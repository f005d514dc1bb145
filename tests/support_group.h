/* Helpers of tests of groups: ranks as threads of this process. */
#ifndef NETCL_TESTS_SUPPORT_GROUP_H
#define NETCL_TESTS_SUPPORT_GROUP_H

#include "support.h"

enum { GROUP_MOST = 8 };

/* One rank, as its thread has it. */
typedef struct Rank {
  netcl_device* device;
  netcl_group* group;
  uint32_t rank, size;
  void* state;       /* what run_ranks was given */
  char problem[400]; /* "" while all is well */
} Rank;
typedef void (*RankBody)(Rank* rank);

/* Notes the first problem of a rank, with the last error of its thread. */
void rank_problem(Rank* rank, const char* file, int line, const char* what);
/* In a body: notes what fails and returns. */
#define RANK_CHECK(rank, condition)                         \
  do {                                                      \
    if (!(condition)) {                                     \
      rank_problem((rank), __FILE__, __LINE__, #condition); \
      return;                                               \
    }                                                       \
  } while (0)
#define RANK_OK(rank, call) RANK_CHECK(rank, (call) == NETCL_OK)
/* A call that fails so, with the text in its message. */
#define RANK_FAILS(rank, status, text, call) \
  RANK_CHECK(rank, (call) == (status) && strstr(netcl_last_error_message(), (text)) != NULL)

/* A path that no other test meets at; group_path_done removes its folder. */
const char* group_path(void);
void group_path_done(void);
/* What NETCL_TEST_TRANSPORT names: memory, nccl or peers; else AUTO. */
netcl_group_transport group_transport(void);

/* Joins as `size` ranks on the device, a thread each, runs the body in all of them and fails the
 * test with the first problem. NETCL_TEST_GROUP_DEVICES="0 1" names other devices for the ranks, in
 * turn. */
void run_ranks(netcl_device* device, uint32_t size, uint64_t timeout_ns, RankBody body,
               void* state);
/* The same with a device of its own for each rank. */
void run_apart(Fixture* fixture, uint32_t size, uint64_t timeout_ns, RankBody body, void* state);
void run_ranks_on(netcl_device* const* devices, uint32_t devices_count, uint32_t size,
                  uint64_t timeout_ns, RankBody body, void* state);

/* In a body, which returns NULL for failure: a tensor of these elements, given as doubles. */
netcl_tensor* rank_tensor(Rank* rank, netcl_dtype dtype, uint32_t dims, const int64_t* shape,
                          const double* values);
/* Whether a tensor holds these; releases nothing. */
int rank_holds(const netcl_tensor* tensor, const double* values);

#endif
