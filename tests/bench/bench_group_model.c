/*
 * What model_groups.py needs: times of calls of a group of processes of this host, one JSON object
 * per line.
 *
 *   bench_group_model [--device SELECTOR] RANKS [rounds]
 *
 * Times are the least over the rounds, of the slowest rank, as in bench_group. With one rank there
 * is what ranks do by themselves: products of panels, and blocks with rims.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "netcl.h"
#include "support_clock.h"

enum { PANEL = 512 };

typedef struct Bench {
  netcl_device* device;
  netcl_group* group;
  uint32_t rank, size;
  uint32_t mesh[2];
  int rounds;
} Bench;

/* One call; its argument is what the case made. */
typedef void (*Work)(Bench* bench, void* argument);

static netcl_tensor* zeros(Bench* bench, uint32_t dims, const int64_t* shape) {
  const float zero = 0;
  netcl_tensor* tensor = NULL;
  CHECK(
      netcl_tensor_create_full(bench->device, NETCL_F32, dims, shape, NULL, &zero, NULL, &tensor));
  return tensor;
}

/* The largest of what the ranks give. */
static double slowest(Bench* bench, double taken) {
  const int64_t one = 1;
  netcl_tensor* time = NULL;
  CHECK(netcl_tensor_create_full(bench->device, NETCL_F64, 1, &one, NULL, &taken, NULL, &time));
  CHECK(netcl_group_all_reduce(bench->group, time, time, NETCL_REDUCTION_MAX, NULL));
  CHECK(netcl_tensor_read(time, &taken, sizeof taken, NULL, NETCL_WAIT_FOREVER));
  netcl_tensor_release(time);
  return taken;
}

static void measure(Bench* bench, const char* what, long long size, int calls, Work work,
                    void* argument) {
  double least = 1e18;
  work(bench, argument);
  for (int round = 0; round < bench->rounds; round++) {
    CHECK(netcl_group_barrier(bench->group, NULL));
    const double begin = now();
    for (int n = 0; n < calls; n++) work(bench, argument);
    CHECK(netcl_device_finish(bench->device, NETCL_WAIT_FOREVER));
    const double taken = slowest(bench, 1e6 * (now() - begin) / calls);
    if (taken < least) least = taken;
  }
  if (bench->rank != 0) return;
  printf("{\"what\": \"%s\", \"ranks\": %u, \"mesh\": [%u, %u], \"size\": %lld, \"us\": %.3f}\n",
         what, bench->size, bench->mesh[0], bench->mesh[1], size, least);
  fflush(stdout);
}

static void meet(Bench* bench, void* unused) {
  (void)unused;
  CHECK(netcl_group_barrier(bench->group, NULL));
}
static void all_reduce(Bench* bench, void* tensor) {
  CHECK(netcl_group_all_reduce(bench->group, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
}
static void broadcast(Bench* bench, void* tensor) {
  CHECK(netcl_group_broadcast(bench->group, tensor, 0, NULL));
}

static void messages(Bench* bench) {
  static const int64_t kBytes[] = {1024, 8192, 65536, 1 << 20, 16 << 20};
  measure(bench, "barrier", 0, 500, meet, NULL);
  for (size_t i = 0; i < sizeof kBytes / sizeof kBytes[0]; i++) {
    const int64_t count = kBytes[i] / 4;
    const int calls = (int)(1 + (int64_t)(4 << 20) / (kBytes[i] + 16384));
    netcl_tensor* tensor = zeros(bench, 1, &count);
    measure(bench, "all_reduce", kBytes[i], calls, all_reduce, tensor);
    measure(bench, "broadcast", kBytes[i], calls, broadcast, tensor);
    netcl_tensor_release(tensor);
  }
}

static netcl_sharded* blocks(Bench* bench, int64_t side) {
  const int64_t shape[2] = {side, side};
  const int32_t axes[2] = {0, 1};
  netcl_sharding_options options = NETCL_SHARDING_OPTIONS_INIT;
  netcl_block_info place = NETCL_BLOCK_INFO_INIT;
  netcl_sharded* made = NULL;
  options.mesh = bench->mesh, options.mesh_count = 2;
  options.axes = axes, options.axes_count = 2;
  CHECK(netcl_group_describe_block(bench->group, bench->rank, 2, shape, &options, &place));
  netcl_tensor* block = zeros(bench, 2, place.shape);
  CHECK(netcl_sharded_create(bench->group, block, 2, shape, &options, &made));
  netcl_tensor_release(block);
  return made;
}

static void summa(Bench* bench, void* sharded) {
  netcl_sharded* product = NULL;
  (void)bench;
  CHECK(netcl_sharded_matmul(sharded, sharded, NULL, NULL, &product));
  netcl_sharded_release(product);
}
static void halo(Bench* bench, void* sharded) {
  static const int64_t kPads[4] = {1, 1, 1, 1};
  netcl_tensor* wide = NULL;
  (void)bench;
  CHECK(netcl_sharded_exchange_halo(sharded, kPads, 4, NULL, NULL, &wide));
  netcl_tensor_release(wide);
}

static void sharded_work(Bench* bench) {
  static const int64_t kProducts[] = {512, 1024, 2048};
  static const int64_t kGrids[] = {64, 128, 256, 512, 1024, 2048, 4096};
  for (int i = 0; bench->size > 1 && i < 3; i++) {
    netcl_sharded* x = blocks(bench, kProducts[i]);
    measure(bench, "summa", kProducts[i], 1, summa, x);
    netcl_sharded_release(x);
  }
  for (int i = 0; i < 7; i++) {
    netcl_sharded* x = blocks(bench, kGrids[i]);
    measure(bench, "halo", kGrids[i], kGrids[i] > 1024 ? 2 : 20, halo, x);
    netcl_sharded_release(x);
  }
}

/* A panel of a and one of b, added to a block. */
typedef struct Panels {
  netcl_tensor *a, *b, *c;
} Panels;
static void one_panel(Bench* bench, void* argument) {
  Panels* panels = argument;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  (void)bench;
  options.has_scale = 1;
  options.alpha = 1, options.beta = 1;
  run.into = panels->c;
  CHECK(netcl_op_matmul(panels->a, panels->b, &options, &run, &made));
  netcl_tensor_release(made);
}

/* What one rank does between the messages, for the blocks that sharded_work makes of its products
 * on two, four and eight ranks. `size` is rows * 10^8 + columns * 10^4 + depth. */
static void alone(Bench* bench) {
  static const int64_t kShapes[][3] = {{512, 256, 256}, {1024, 512, 512}, {2048, 1024, 512},
                                       {256, 256, 256}, {512, 512, 512},  {1024, 1024, 512},
                                       {256, 128, 128}};
  for (size_t n = 0; n < sizeof kShapes / sizeof kShapes[0]; n++) {
    const int64_t rows = kShapes[n][0], columns = kShapes[n][1], depth = kShapes[n][2];
    const int64_t a[2] = {rows, depth}, b[2] = {depth, columns}, c[2] = {rows, columns};
    Panels panels = {zeros(bench, 2, a), zeros(bench, 2, b), zeros(bench, 2, c)};
    measure(bench, "panel", rows * 100000000 + columns * 10000 + depth, 1, one_panel, &panels);
    netcl_tensor_release(panels.a);
    netcl_tensor_release(panels.b);
    netcl_tensor_release(panels.c);
  }
}

static int run_rank(const char* selector, const char* path, uint32_t rank, uint32_t size,
                    int rounds) {
  Bench bench = {NULL, NULL, rank, size, {1, size}, rounds};
  /* The mesh that is nearest to a square. */
  for (uint32_t q = 2; q * q <= size; q++) {
    if (size % q == 0) bench.mesh[0] = q, bench.mesh[1] = size / q;
  }
  CHECK(netcl_device_open(selector, NULL, &bench.device));
  CHECK(netcl_group_join(bench.device, path, rank, size, NULL, &bench.group));
  if (size > 1) messages(&bench);
  sharded_work(&bench);
  if (size == 1) alone(&bench);
  netcl_group_release(bench.group);
  netcl_device_release(bench.device);
  return 0;
}

int main(int argc, char** argv) {
  const char* selector = "builtin";
  char folder[] = "/tmp/bench-group-XXXXXX", path[64];
  int at = 1, failed = 0;
  if (at + 1 < argc && strcmp(argv[at], "--device") == 0) {
    selector = argv[at + 1];
    at += 2;
  }
  const uint32_t size = at < argc ? (uint32_t)atoi(argv[at]) : 0;
  const int rounds = at + 1 < argc ? atoi(argv[at + 1]) : 7;
  if (size == 0 || size > NETCL_GROUP_SIZE_MAX || mkdtemp(folder) == NULL) {
    fprintf(stderr, "bench_group_model [--device SELECTOR] RANKS [rounds]\n");
    return 2;
  }
  snprintf(path, sizeof path, "%s/meet", folder);
  for (uint32_t rank = 1; rank < size; rank++) {
    if (fork() == 0) return run_rank(selector, path, rank, size, rounds);
  }
  failed = run_rank(selector, path, 0, size, rounds);
  for (int status; wait(&status) > 0;) failed |= status;
  rmdir(folder);
  return failed != 0;
}
