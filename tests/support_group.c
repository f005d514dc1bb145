#include "support_group.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "support_process.h"

static char folder[256];

void rank_problem(Rank* rank, const char* file, int line, const char* what) {
  if (rank->problem[0] != '\0') return;
  snprintf(rank->problem, sizeof rank->problem, "%s:%d: rank %u of %u: %s [%s]", file, line,
           rank->rank, rank->size, what, netcl_last_error_message());
}

const char* group_path(void) {
  static char path[300];
  static unsigned number;
  if (folder[0] == '\0') process_make_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/meet-%u", folder, number++);
  return path;
}

void group_path_done(void) {
  if (folder[0] != '\0') process_remove_folder(folder);
  folder[0] = '\0';
}

typedef struct Start {
  Rank rank;
  const char* path;
  uint64_t timeout_ns;
  RankBody body;
} Start;

static void* run_rank(void* argument) {
  Start* start = argument;
  Rank* rank = &start->rank;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.timeout_ns = start->timeout_ns;
  if (netcl_group_join(rank->device, start->path, rank->rank, rank->size, &options, &rank->group) !=
      NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_group_join");
    return NULL;
  }
  start->body(rank);
  netcl_group_release(rank->group);
  return NULL;
}

void run_ranks(netcl_device* device, uint32_t size, uint64_t timeout_ns, RankBody body,
               void* state) {
  static Start starts[GROUP_MOST];
  pthread_t threads[GROUP_MOST];
  const char* path = group_path();
  assert_true(size <= GROUP_MOST);
  for (uint32_t r = 0; r < size; r++) {
    starts[r] = (Start){{device, NULL, r, size, state, ""}, path, timeout_ns, body};
    assert_int_equal(pthread_create(&threads[r], NULL, run_rank, &starts[r]), 0);
  }
  for (uint32_t r = 0; r < size; r++) pthread_join(threads[r], NULL);
  CHECK(access(path, F_OK) != 0, "%s is still there", path);
  group_path_done();
  /* Where one stops, the others lose it. */
  int problems = 0;
  for (uint32_t r = 0; r < size; r++) {
    if (starts[r].rank.problem[0] == '\0') continue;
    fprintf(stderr, "%s\n", starts[r].rank.problem);
    problems++;
  }
  CHECK(problems == 0, "%d of %u ranks failed", problems, size);
}

netcl_tensor* rank_tensor(Rank* rank, netcl_dtype dtype, uint32_t dims, const int64_t* shape,
                          const double* values) {
  const int64_t count = product(dims, shape);
  const size_t bytes = (size_t)count * netcl_dtype_size(dtype);
  netcl_tensor* tensor = NULL;
  void* data = malloc(bytes + 1);
  if (data == NULL) return NULL;
  for (int64_t i = 0; i < count; i++) store_double(dtype, data, i, values[i]);
  if (netcl_tensor_create_from_host(rank->device, dtype, dims, shape, NULL, data, bytes, NULL,
                                    &tensor) != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_tensor_create_from_host");
  }
  free(data);
  return tensor;
}

int rank_holds(const netcl_tensor* tensor, const double* values) {
  const netcl_tensor_info info = tensor_info(tensor);
  const int64_t count = product(info.rank, info.shape);
  const size_t bytes = (size_t)count * netcl_dtype_size(info.dtype);
  void* data = malloc(bytes + 1);
  int same = data != NULL && netcl_tensor_read(tensor, data, bytes, NULL, LONG_WAIT) == NETCL_OK;
  for (int64_t i = 0; same && i < count; i++) {
    same = load_double(info.dtype, data, i) == values[i];
    if (!same) {
      fprintf(stderr, "element %lld is %g, not %g\n", (long long)i,
              load_double(info.dtype, data, i), values[i]);
    }
  }
  free(data);
  return same;
}
