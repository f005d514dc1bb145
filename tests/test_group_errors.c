/* Groups: what does not fit together is told to every rank, and leaves the group usable. */
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

/* ---- Calls that differ ----------------------------------------------------------------------- */

enum { SIZE = 3, ODD = 1 };

typedef struct Tensors {
  netcl_tensor *f32, *f64, *longer, *rows, *more, *no_rows, *other;
} Tensors;

static int make_tensors(Rank* rank, Tensors* t) {
  static const double kNumbers[12] = {0};
  static const int64_t four = 4, five = 5, matrix[2] = {3, 4};
  t->f32 = rank_tensor(rank, NETCL_F32, 1, &four, kNumbers);
  t->f64 = rank_tensor(rank, NETCL_F64, 1, &four, kNumbers);
  t->longer = rank_tensor(rank, NETCL_F32, 1, &five, kNumbers);
  t->rows = rank_tensor(rank, NETCL_F32, 2, matrix, kNumbers);
  t->more = rank_tensor(rank, NETCL_F32, 2, matrix, kNumbers);
  t->other = rank_tensor(rank, NETCL_F32, 0, NULL, kNumbers);
  t->no_rows = rank_tensor(rank, NETCL_F32, 0, NULL, kNumbers);
  return rank->problem[0] == '\0';
}

static void release_tensors(Tensors* t) {
  netcl_tensor_release(t->f32);
  netcl_tensor_release(t->f64);
  netcl_tensor_release(t->longer);
  netcl_tensor_release(t->rows);
  netcl_tensor_release(t->more);
  netcl_tensor_release(t->no_rows);
  netcl_tensor_release(t->other);
}

/* The call fails so on all ranks, and the next one works. */
#define ALL_FAIL(rank, text, call)                              \
  do {                                                          \
    RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, text, call); \
    RANK_OK(rank, netcl_group_barrier((rank)->group, NULL));    \
  } while (0)

static void differing_calls(Rank* rank) {
  netcl_group* const group = rank->group;
  const int odd = rank->rank == ODD;
  const uint32_t colors[SIZE] = {0, 0, (uint32_t)odd};
  Tensors t;
  netcl_group* part = NULL;
  if (!make_tensors(rank, &t)) return;
  netcl_tensor* const x = odd ? t.f64 : t.f32;
  ALL_FAIL(rank, "all_reduce: rank 1 has dtype f64, rank 0 f32",
           netcl_group_all_reduce(group, x, x, NETCL_REDUCTION_SUM, NULL));
  netcl_tensor* const y = odd ? t.longer : t.f32;
  ALL_FAIL(rank, "all_reduce: rank 1 has shape [5], rank 0 [4]",
           netcl_group_all_reduce(group, y, y, NETCL_REDUCTION_SUM, NULL));
  ALL_FAIL(rank, "all_reduce: rank 1 has kind 3, rank 0 1",
           netcl_group_all_reduce(group, t.f32, t.f32,
                                  odd ? NETCL_REDUCTION_MAX : NETCL_REDUCTION_SUM, NULL));
  ALL_FAIL(rank, "broadcast: rank 1 has root 2, rank 0 0",
           netcl_group_broadcast(group, t.f32, odd ? 2 : 0, NULL));
  ALL_FAIL(rank, "broadcast: rank 1 calls barrier, rank 0 broadcast",
           odd ? netcl_group_barrier(group, NULL) : netcl_group_broadcast(group, t.f32, 0, NULL));
  ALL_FAIL(rank, "all_gather: rank 1 has shape [0] apart from the first dimension, rank 0 [0, 4]",
           netcl_group_all_gather(group, odd ? t.f32 : t.rows, odd ? t.longer : t.more, NULL));
  ALL_FAIL(rank,
           "all_gather: the output of rank 0 has 5 entries along the first dimension; it "
           "takes 12",
           netcl_group_all_gather(group, t.f32, t.longer, NULL));
  ALL_FAIL(rank,
           "scatter: the input of rank 0 has 5 entries along the first dimension; it takes 12",
           netcl_group_scatter(group, t.longer, t.f32, 0, NULL));
  ALL_FAIL(rank, "split: rank 1 has other colors", netcl_group_split(group, colors, SIZE, &part));
  RANK_CHECK(rank, part == NULL);
  release_tensors(&t);
}

static void calls_that_differ(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, SIZE, LONG_WAIT, differing_calls, NULL);
}

/* One rank is refused for what it can see by itself; the others hear of it. */
#define ODD_FAILS(rank, status, text, call, right)                                         \
  do {                                                                                     \
    if ((rank)->rank == ODD) {                                                             \
      RANK_FAILS(rank, status, text, call);                                                \
    } else {                                                                               \
      RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "rank 1 refused its call of", right); \
    }                                                                                      \
    RANK_OK(rank, netcl_group_barrier((rank)->group, NULL));                               \
  } while (0)

static void refused_calls(Rank* rank) {
  netcl_group* const group = rank->group;
  const netcl_reduction sum = NETCL_REDUCTION_SUM;
  netcl_run_options into = NETCL_RUN_OPTIONS_INIT;
  Tensors t;
  netcl_graph* graph = NULL;
  if (!make_tensors(rank, &t)) return;
#define RIGHT netcl_group_all_reduce(group, t.f32, t.f32, sum, NULL)
  ODD_FAILS(rank, NETCL_ERROR_INVALID_HANDLE, "input",
            netcl_group_all_reduce(group, NULL, t.f32, sum, NULL), RIGHT);
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "output has shape [5]; input has [4]",
            netcl_group_all_reduce(group, t.f32, t.longer, sum, NULL), RIGHT);
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "output is f64; input is f32",
            netcl_group_all_reduce(group, t.f32, t.f64, sum, NULL), RIGHT);
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "kind is 11",
            netcl_group_all_reduce(group, t.f32, t.f32, NETCL_REDUCTION_ARGMAX, NULL), RIGHT);
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "root is 3; the group has 3 ranks",
            netcl_group_reduce(group, t.f32, t.f32, sum, 3, NULL),
            netcl_group_reduce(group, t.f32, t.f32, sum, 2, NULL));
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "input has rank 0",
            netcl_group_all_gather(group, t.no_rows, t.other, NULL),
            netcl_group_all_gather(group, t.f32, t.longer, NULL));
  into.into = t.f32;
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "run->into is set",
            netcl_group_all_reduce(group, t.f32, t.f32, sum, &into), RIGHT);
  into.into = NULL;
  RANK_OK(rank, netcl_graph_create(rank->device, NULL, &graph));
  into.graph = graph;
  ODD_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "run->graph is set",
            netcl_group_all_reduce(group, t.f32, t.f32, sum, &into), RIGHT);
  netcl_graph_release(graph);
#undef RIGHT
  release_tensors(&t);
}

static void calls_that_one_refuses(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, SIZE, LONG_WAIT, refused_calls, NULL);
}

static void counts_and_means(Rank* rank) {
  static const double kNumbers[12] = {0};
  const int64_t shape[2] = {3, 4}, few[2] = {1, 1}, below[2] = {4, -1}, three[3] = {1, 1, 1};
  netcl_group* part = NULL;
  netcl_tensor* rows = rank_tensor(rank, NETCL_I32, 2, shape, kNumbers);
  netcl_tensor* more = rank_tensor(rank, NETCL_I32, 2, shape, kNumbers);
  ALL_FAIL(rank, "no 2 equal parts",
           netcl_group_all_to_all(rank->group, rows, NULL, 0, more, NULL));
  ALL_FAIL(rank, "counts add up to 2; input has 3",
           netcl_group_all_to_all(rank->group, rows, few, 2, more, NULL));
  ALL_FAIL(rank, "counts[0] is 4; input has 3",
           netcl_group_all_to_all(rank->group, rows, below, 2, more, NULL));
  ALL_FAIL(rank, "counts_count is 3; the group has 2",
           netcl_group_all_to_all(rank->group, rows, three, 3, more, NULL));
  ALL_FAIL(rank, "output shares its memory with input",
           netcl_group_all_to_all(rank->group, rows, few, 2, rows, NULL));
  ALL_FAIL(rank, "means are of floats",
           netcl_group_all_reduce(rank->group, rows, rows, NETCL_REDUCTION_MEAN, NULL));
  ALL_FAIL(rank, "colors_count is 1; the group has 2",
           netcl_group_split(rank->group, (const uint32_t[]){1}, 1, &part));
  netcl_tensor_release(rows);
  netcl_tensor_release(more);
}

static void bad_counts(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 2, LONG_WAIT, counts_and_means, NULL);
}

static void pairs(Rank* rank) {
  netcl_group* const group = rank->group;
  const uint32_t peer = 1 - rank->rank;
  Tensors t;
  if (!make_tensors(rank, &t)) return;
  ALL_FAIL(rank, "ranks 0 and 1 both call send", netcl_group_send(group, t.f32, peer, NULL));
  ALL_FAIL(rank, "ranks 0 and 1 both call receive", netcl_group_receive(group, t.f32, peer, NULL));
  ALL_FAIL(rank, "rank 1 has shape [5], rank 0 [4]",
           rank->rank == 0 ? netcl_group_send(group, t.f32, peer, NULL)
                           : netcl_group_receive(group, t.longer, peer, NULL));
  ALL_FAIL(rank, rank->rank == 0 ? "tensor" : "rank 0 refused its call of send",
           rank->rank == 0
               ? (netcl_group_send(group, NULL, peer, NULL) == NETCL_ERROR_INVALID_HANDLE
                      ? NETCL_ERROR_INVALID_ARGUMENT
                      : NETCL_OK)
               : netcl_group_receive(group, t.f32, peer, NULL));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "peer is 2; this is rank",
             netcl_group_send(group, t.f32, 2, NULL));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "peer is",
             netcl_group_receive(group, t.f32, rank->rank, NULL));
  release_tensors(&t);
}

static void sends_that_do_not_fit(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 2, LONG_WAIT, pairs, NULL);
}

/* ---- Meeting --------------------------------------------------------------------------------- */

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
  netcl_status status;
  char message[400];
} Visitor;

static void* visit(void* argument) {
  Visitor* visitor = argument;
  visitor->status =
      join_at(visitor->device, visitor->path, visitor->rank, visitor->size, LONG_WAIT);
  snprintf(visitor->message, sizeof visitor->message, "%s", netcl_last_error_message());
  return NULL;
}

/* All ranks hear what is wrong with one, the last of the three. */
static void visit_all(netcl_device* device, const uint32_t ranks[3], const uint32_t sizes[3],
                      const char* text) {
  Visitor visitors[3];
  pthread_t threads[3];
  const char* path = group_path();
  for (int i = 0; i < 3; i++) {
    visitors[i] = (Visitor){device, path, ranks[i], sizes[i], NETCL_OK, ""};
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
            "gives size 4; rank 0 gives 3");
  visit_all(fixture->device, (const uint32_t[]){0, 1, 1}, (const uint32_t[]){3, 3, 3},
            "is rank 1, who is here already");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(calls_that_differ),
      DEVICE_TEST(calls_that_one_refuses),
      DEVICE_TEST(bad_counts),
      DEVICE_TEST(sends_that_do_not_fit),
      DEVICE_TEST(places_that_are_refused),
      DEVICE_TEST(sockets_of_others),
      DEVICE_TEST(sockets_that_are_there),
      DEVICE_TEST(listeners_of_others),
      DEVICE_TEST(ranks_that_do_not_come),
      DEVICE_TEST(ranks_that_do_not_fit),
  };
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
