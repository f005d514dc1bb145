/* Processes of a group of which one is killed at any moment: while they meet, and in a loop of all
 * collectives, of sharded tensors, of a reducer and of a compiled graph. The others never hang,
 * hear which rank it was, and leave nothing behind. */
#include "support_process.h"
#include "support_sharded.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 4, TIMEOUT_S = 8, LOST = 2, NOT_MET = 3 };

/* What the processes of one moment tell each other, in a file that all map. */
typedef struct Control {
  atomic_int opened, go, met;
} Control;

static Control* map_control(const char* path) {
  const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ftruncate(fd, sizeof(Control)) != 0) return NULL;
  void* const memory = mmap(NULL, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return memory == MAP_FAILED ? NULL : memory;
}

/* ---- A rank ---------------------------------------------------------------------------------- */

#define TRY(call)                            \
  do {                                       \
    const netcl_status status_ = (call);     \
    if (status_ != NETCL_OK) return status_; \
  } while (0)

typedef struct Work {
  netcl_device* device;
  netcl_group* group;
  uint32_t rank, size;
  netcl_tensor *few, *many, *part, *all, *back, *one;
  netcl_sharded *a, *b;
  netcl_reducer* reducer;
  netcl_graph* graph; /* compiled, from many to one */
  netcl_group* half;
  int in_part; /* the call that failed was one of the half, or of the reducer */
} Work;

static netcl_status ones(netcl_device* device, uint32_t dims, const int64_t* shape,
                         netcl_tensor** made) {
  const float one = 1;
  return netcl_tensor_create_full(device, NETCL_F32, dims, shape, NULL, &one, NULL, made);
}

static netcl_status shard_ones(Work* work, const int64_t* shape, const Lay* lay,
                               netcl_sharded** made) {
  const netcl_sharding_options options = lay_options(lay);
  netcl_block_info place = NETCL_BLOCK_INFO_INIT;
  netcl_tensor* block = NULL;
  TRY(netcl_group_describe_block(work->group, work->rank, 2, shape, &options, &place));
  TRY(ones(work->device, 2, place.shape, &block));
  const netcl_status status = netcl_sharded_create(work->group, block, 2, shape, &options, made);
  netcl_tensor_release(block);
  return status;
}

/* The graph of a product by 2, joined over the ranks, and of its sum, joined once more. */
static netcl_status compile(Work* work) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  netcl_tensor *twice = NULL, *sum = NULL;
  options.execute = NETCL_OFF;
  TRY(netcl_graph_create(work->device, &options, &work->graph));
  run.graph = work->graph;
  netcl_status status = netcl_op_expression_text("v0 * 2", &work->many, 1, NULL, &run, &twice);
  if (status == NETCL_OK) {
    status = netcl_group_all_reduce(work->group, twice, twice, NETCL_REDUCTION_MEAN, &run);
  }
  if (status == NETCL_OK) status = netcl_op_reduce(twice, NETCL_REDUCTION_MAX, NULL, &run, &sum);
  if (status == NETCL_OK) {
    status = netcl_group_all_reduce(work->group, sum, sum, NETCL_REDUCTION_MAX, &run);
  }
  if (status == NETCL_OK) {
    status = netcl_graph_compile(work->graph, &work->many, 1, &sum, 1, NULL);
  }
  netcl_tensor_release(twice);
  netcl_tensor_release(sum);
  return status;
}

static netcl_status prepare(Work* work) {
  static const int64_t kFew = 5, kMany = 300000, kA[2] = {16, 40}, kB[2] = {40, 12};
  const int64_t part[2] = {3, 7}, all[2] = {3 * (int64_t)work->size, 7};
  /* SUMMA on four ranks, panels of b on three. */
  const Lay square = {2, {2, 2}, {0, 1}}, rows = {1, {work->size}, {0}};
  const Lay* const lay = work->size == 4 ? &square : &rows;
  TRY(ones(work->device, 1, &kFew, &work->few));
  TRY(ones(work->device, 1, &kMany, &work->many));
  TRY(ones(work->device, 0, NULL, &work->one));
  TRY(ones(work->device, 2, part, &work->part));
  TRY(ones(work->device, 2, all, &work->all));
  TRY(ones(work->device, 2, all, &work->back));
  TRY(shard_ones(work, kA, lay, &work->a));
  TRY(shard_ones(work, kB, lay, &work->b));
  TRY(compile(work));
  return netcl_reducer_create(work->group, NULL, &work->reducer);
}

static netcl_status pair_up(Work* work) {
  const uint32_t peer = work->rank ^ 1;
  if (peer >= work->size) return NETCL_OK;
  for (uint32_t turn = 0; turn < 2; turn++) {
    TRY(turn == (work->rank & 1) ? netcl_group_send(work->group, work->many, peer, NULL)
                                 : netcl_group_receive(work->group, work->many, peer, NULL));
  }
  return NETCL_OK;
}

static netcl_status part_up(Work* work) {
  static const uint32_t kColors[MOST] = {0, 0, 1, 1};
  TRY(netcl_group_split(work->group, kColors, work->size, &work->half));
  work->in_part = 1;
  TRY(netcl_group_all_reduce(work->half, work->many, work->many, NETCL_REDUCTION_MAX, NULL));
  work->in_part = 0;
  netcl_group_release(work->half);
  work->half = NULL;
  return NETCL_OK;
}

/* The gradient of the sum of squares, of all ranks. */
static netcl_status train_up(Work* work) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *square = NULL, *sum = NULL, *gradient = NULL;
  options.reducer = work->reducer;
  TRY(netcl_graph_create(work->device, NULL, &run.graph));
  netcl_status status = netcl_op_expression_text("v0 * v0", &work->many, 1, NULL, &run, &square);
  if (status == NETCL_OK) status = netcl_op_reduce(square, NETCL_REDUCTION_SUM, NULL, &run, &sum);
  work->in_part = 1;
  if (status == NETCL_OK) {
    status = netcl_graph_add_gradients(run.graph, &sum, 1, &work->many, 1, &options, &gradient);
  }
  if (status == NETCL_OK) status = netcl_reducer_wait(work->reducer, NETCL_WAIT_FOREVER);
  if (status == NETCL_OK) work->in_part = 0;
  netcl_tensor_release(gradient);
  netcl_tensor_release(sum);
  netcl_tensor_release(square);
  netcl_graph_release(run.graph);
  return status;
}

static netcl_status shard_up(Work* work) {
  static const int64_t kPads[4] = {1, 0, 2, 0};
  const Lay columns = {1, {work->size}, {1}};
  const netcl_sharding_options options = lay_options(&columns);
  netcl_sharded *product = NULL, *turned = NULL, *sum = NULL;
  netcl_tensor* wide = NULL;
  netcl_status status = netcl_sharded_matmul(work->a, work->b, NULL, NULL, &product);
  if (status == NETCL_OK) status = netcl_sharded_redistribute(product, &options, NULL, &turned);
  if (status == NETCL_OK) {
    status = netcl_sharded_reduce(turned, NETCL_REDUCTION_SUM, NULL, NULL, &sum);
  }
  if (status == NETCL_OK) {
    status = netcl_sharded_exchange_halo(work->a, kPads, 4, NULL, NULL, &wide);
  }
  netcl_sharded_release(product);
  netcl_sharded_release(turned);
  netcl_sharded_release(sum);
  netcl_tensor_release(wide);
  return status;
}

static netcl_status one_round(Work* work, unsigned n) {
  netcl_group* const group = work->group;
  const uint32_t root = n % work->size;
  TRY(netcl_group_all_reduce(group, work->few, work->few, NETCL_REDUCTION_MAX, NULL));
  TRY(netcl_group_all_reduce(group, work->many, work->many, NETCL_REDUCTION_MEAN, NULL));
  TRY(netcl_group_broadcast(group, work->many, root, NULL));
  TRY(netcl_group_all_gather(group, work->part, work->all, NULL));
  TRY(netcl_group_reduce_scatter(group, work->all, work->part, NETCL_REDUCTION_MIN, NULL));
  TRY(netcl_group_all_to_all(group, work->all, NULL, 0, work->back, NULL));
  TRY(netcl_group_gather(group, work->part, work->all, root, NULL));
  TRY(netcl_group_scatter(group, work->all, work->part, root, NULL));
  TRY(pair_up(work));
  TRY(netcl_group_barrier(group, NULL));
  TRY(part_up(work));
  TRY(train_up(work));
  TRY(netcl_graph_run(work->graph, &work->many, 1, &work->one, 1, NULL));
  return shard_up(work);
}

static void release_work(Work* work) {
  netcl_sharded_release(work->a);
  netcl_sharded_release(work->b);
  netcl_tensor_release(work->few);
  netcl_tensor_release(work->many);
  netcl_tensor_release(work->part);
  netcl_tensor_release(work->all);
  netcl_tensor_release(work->back);
  netcl_tensor_release(work->one);
  netcl_graph_release(work->graph);
  netcl_reducer_release(work->reducer);
  netcl_group_release(work->half);
  netcl_group_release(work->group);
}

/* Everything once in a group of one rank, so that the drivers have started what they start. */
static netcl_status rehearse(netcl_device* device) {
  Work work = {.device = device, .size = 1};
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  /* Which starts CUDA, where a GPU has it. */
  options.transport = NETCL_GROUP_TRANSPORT_PEER_MEMORY;
  netcl_status status = netcl_group_create_local(&device, 1, &options, &work.group);
  if (status == NETCL_ERROR_UNSUPPORTED) {
    status = netcl_group_create_local(&device, 1, NULL, &work.group);
  }
  if (status == NETCL_OK) status = prepare(&work);
  for (unsigned n = 0; n < 2 && status == NETCL_OK; n++) status = one_round(&work, n);
  release_work(&work);
  return status;
}

typedef struct Held {
  int descriptors, threads, maps;
} Held;

static int entries(const char* path) {
  int count = 0;
  DIR* const folder = opendir(path);
  if (folder == NULL) return -1;
  while (readdir(folder) != NULL) count++;
  closedir(folder);
  return count;
}

static Held held(void) {
  Held now = {entries("/proc/self/fd"), entries("/proc/self/task"), 0};
  char line[512];
  FILE* const maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    now.maps += strstr(line, "netcl-group") != NULL;
  }
  if (maps != NULL) fclose(maps);
  return now;
}

/* The group says what it lost, whatever is asked of it. */
static int says_so(Work* work, const char* died) {
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_error_info error = NETCL_ERROR_INFO_INIT;
  CHILD_STATUS(NETCL_ERROR_RANK_LOST, netcl_group_barrier(work->group, NULL));
  CHILD_CHECK(strstr(netcl_last_error_message(), died) != NULL);
  CHILD_OK(netcl_group_get_info(work->group, &info));
  CHILD_CHECK(info.failure == NETCL_ERROR_RANK_LOST);
  CHILD_OK(netcl_group_get_error(work->group, &error));
  CHILD_CHECK(strstr(error.message, died) != NULL);
  CHILD_STATUS(NETCL_ERROR_RANK_LOST, netcl_group_all_gather(work->group, NULL, NULL, NULL));
  if (work->a != NULL) {
    netcl_sharded* sum = NULL;
    CHILD_STATUS(NETCL_ERROR_RANK_LOST,
                 netcl_sharded_reduce(work->a, NETCL_REDUCTION_SUM, NULL, NULL, &sum));
    CHILD_CHECK(sum == NULL);
  }
  return 0;
}

/* Works with the others until that fails, as it should. */
static int work_until_lost(Work* work, const char* died) {
  netcl_status status = prepare(work);
  for (unsigned n = 0; status == NETCL_OK; n++) status = one_round(work, n);
  printf("%s\n", netcl_last_error_message());
  CHILD_CHECK(status == NETCL_ERROR_RANK_LOST);
  /* In a part the ranks have other numbers, and a survivor may have left it before. */
  CHILD_CHECK(work->in_part || strstr(netcl_last_error_message(), died) != NULL);
  return says_so(work, died);
}

static int child_works(void) {
  const char* const victim = getenv("NETCL_TEST_VICTIM");
  const uint32_t size = (uint32_t)atoi(getenv("NETCL_TEST_SIZE"));
  Work work = {.rank = (uint32_t)atoi(getenv("NETCL_TEST_RANK")), .size = size};
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  char died[80], named[2][40];
  /* One that comes more than a second after the others heard of a death finds nobody. */
  static const char kNobody[] = "rank 0 of the group did not come";
  Control* const control = map_control(getenv("NETCL_TEST_CONTROL"));
  const pid_t parent = getppid();
  CHILD_CHECK(control != NULL);
  snprintf(died, sizeof died, "the group is unusable: rank %s died", victim);
  snprintf(named[0], sizeof named[0], "rank %s of the group", victim);
  snprintf(named[1], sizeof named[1], "rank %s died, or gave up,", victim);
  options.timeout_ns = TIMEOUT_S * SECOND;
  options.transport = group_transport();
  CHILD_OK(netcl_device_open(test_selector(), NULL, &work.device));
  CHILD_OK(rehearse(work.device));
  const Held before = held();
  atomic_fetch_add(&control->opened, 1);
  while (!atomic_load(&control->go)) {
    if (getppid() != parent) return 1;
    process_sleep_ms(1);
  }
  const netcl_status met = netcl_group_join(work.device, getenv("NETCL_TEST_PATH"), work.rank, size,
                                            &options, &work.group);
  if (met != NETCL_OK) {
    printf("%s\n", netcl_last_error_message());
    CHILD_CHECK(met == NETCL_ERROR_RANK_LOST || met == NETCL_ERROR_TIMEOUT);
    CHILD_CHECK(strstr(netcl_last_error_message(), named[0]) != NULL ||
                strstr(netcl_last_error_message(), named[1]) != NULL ||
                strstr(netcl_last_error_message(), died) != NULL ||
                strstr(netcl_last_error_message(), kNobody) != NULL);
  } else {
    atomic_fetch_add(&control->met, 1);
    if (work_until_lost(&work, died) != 0) return 1;
  }
  release_work(&work);
  const Held after = held();
  printf("held %d %d %d, then %d %d %d\n", before.descriptors, before.threads, before.maps,
         after.descriptors, after.threads, after.maps);
  CHILD_CHECK(after.descriptors == before.descriptors && after.maps == before.maps);
  /* Drivers of GPUs have threads of their own, some of which come later. */
  const int hosted = strcmp(test_selector(), "cpu") == 0 || strcmp(test_selector(), "builtin") == 0;
  CHILD_CHECK(!hosted || after.threads <= before.threads);
  netcl_device_release(work.device);
  return met == NETCL_OK ? LOST : NOT_MET;
}

/* ---- The moments ----------------------------------------------------------------------------- */

typedef struct Counts {
  int lost, not_met;
  double slowest_lost, slowest_not_met;
} Counts;

static process_ticket start_rank(uint32_t rank, uint32_t size, uint32_t victim, const char* path,
                                 const char* control) {
  char texts[5][500];
  snprintf(texts[0], sizeof texts[0], "NETCL_TEST_PATH=%s", path);
  snprintf(texts[1], sizeof texts[1], "NETCL_TEST_CONTROL=%s", control);
  snprintf(texts[2], sizeof texts[2], "NETCL_TEST_RANK=%u", rank);
  snprintf(texts[3], sizeof texts[3], "NETCL_TEST_SIZE=%u", size);
  snprintf(texts[4], sizeof texts[4], "NETCL_TEST_VICTIM=%u", victim);
  const char* const environment[] = {texts[0], texts[1], texts[2], texts[3], texts[4], NULL};
  return process_start_self("works", environment);
}

static void check_survivor(const process_result* result, uint32_t rank, uint32_t victim,
                           double killed, Counts* counts) {
  const double after = result->ended - killed;
  CHECK(!result->timed_out, "rank %u hangs where %u was killed: %s", rank, victim, result->output);
  CHECK(result->exit_code == LOST || result->exit_code == NOT_MET,
        "rank %u, where %u was killed, ended with %d: %s", rank, victim, result->exit_code,
        result->output);
  const int lost = result->exit_code == LOST;
  double* const slowest = lost ? &counts->slowest_lost : &counts->slowest_not_met;
  *(lost ? &counts->lost : &counts->not_met) += 1;
  if (after > *slowest) *slowest = after;
}

/* Until so many ranks have come so far, or that takes too long. */
static int wait_for_all(atomic_int* come, uint32_t size) {
  const double begin = process_now();
  while (atomic_load(come) < (int)size && process_now() - begin < 120) process_sleep_ms(1);
  return atomic_load(come) == (int)size;
}

/* Kills one rank, a moment after all begin to meet, or have met. */
static void kill_at(double seconds, int met, uint32_t size, uint32_t victim, Counts* counts) {
  static process_result results[MOST];
  process_ticket tickets[MOST];
  char folder[400], control_path[450];
  process_make_folder(folder, sizeof folder);
  process_join_path(control_path, sizeof control_path, folder, "control");
  Control* const control = map_control(control_path);
  assert_non_null(control);
  const char* const path = group_path();
  for (uint32_t r = 0; r < size; r++) tickets[r] = start_rank(r, size, victim, path, control_path);
  int all = wait_for_all(&control->opened, size);
  atomic_store(&control->go, 1);
  if (all && met) all = wait_for_all(&control->met, size);
  const struct timespec pause = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
  nanosleep(&pause, NULL);
  (void)kill(tickets[victim].pid, SIGKILL);
  const double killed = process_now();
  int right = 1;
  for (uint32_t r = 0; r < size; r++) {
    process_finish(tickets[r], 120, &results[r]);
    right =
        right && (r == victim || results[r].exit_code == LOST || results[r].exit_code == NOT_MET);
  }
  /* One that fails takes others with it. */
  for (uint32_t r = 0; r < size && !right; r++) {
    printf("rank %u, %.2f s behind: %s\n", r, results[r].ended - killed, results[r].output);
  }
  for (uint32_t r = 0; r < size; r++) {
    CHECK(all, "rank %u of ranks that did not begin: %s", r, results[r].output);
    if (r == victim) {
      CHECK(results[r].signal == SIGKILL, "the victim had ended: %s", results[r].output);
    } else {
      check_survivor(&results[r], r, victim, killed, counts);
    }
  }
  /* A socket stays where rank 0 was killed while it waited. */
  if (victim != 0) assert_int_not_equal(access(path, F_OK), 0);
  munmap(control, sizeof *control);
  group_path_done();
  process_remove_folder(folder);
}

static void at_any_moment(void** state) {
  (void)state;
  const int moments = process_full() ? 200 : 12;
  Counts counts = {0, 0, 0, 0};
  const int before = entries("/proc/self/fd");
  for (int i = 0; i < moments; i++) {
    const uint32_t size = 3 + (uint32_t)((i + i / 4) % 2);
    const uint32_t victim = (uint32_t)random_in(0, (int)size - 1);
    /* From 0.1 ms to 0.4 s, as often between 0.1 and 0.2 ms as between 0.2 and 0.4 s. */
    const double seconds = 1e-4 * exp2((double)random_in(0, 12000) / 1000);
    kill_at(seconds, i % 4 != 0, size, victim, &counts);
    if (i % 10 == 9 || i + 1 == moments) {
      printf("%d moments: %d ranks had met, the last ended %.2f s behind; %d had not, %.2f s\n",
             i + 1, counts.lost, counts.slowest_lost, counts.not_met, counts.slowest_not_met);
      fflush(stdout);
    }
  }
  assert_int_equal(entries("/proc/self/fd"), before);
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"works", child_works}};
  const struct CMUnitTest tests[] = {DEVICE_TEST(at_any_moment)};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  seed_random("group_kill");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
