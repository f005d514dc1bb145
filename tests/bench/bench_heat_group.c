/*
 * Weak scaling of the heat equation: as many rows on each rank, however many there are.
 *
 *   bench_heat_group [--side N] ROUNDS SELECTOR [SELECTOR ...]
 *   bench_heat_group 9 1:0 1:1
 *
 * A plate of N x N elements of f32 on each rank (16384), one below the other. In a step a kernel
 * works on what needs no other rank, while another queue exchanges the outermost rows; those
 * follow.
 * In turn with these, every rank takes the same steps without an exchange: figures are medians of
 * the rounds of rank 0, the efficiency is the median of the rounds' ratios.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "../../examples/check.h"
#include "support_median.h"

enum { STEPS = 50, ROUNDS_MOST = 100, RANKS_MOST = 16 };
static int64_t side = 16384;

typedef struct Plate {
  netcl_device* device;
  netcl_group* group;
  netcl_queue* queue;
  uint32_t rank, ranks;
  netcl_tensor* plates[2];
  netcl_tensor* rims; /* the neighbours' rows: of the rank above, of the rank below */
} Plate;

static netcl_tensor* window(netcl_tensor* tensor, int64_t top, int64_t left, int64_t rows,
                            int64_t columns, int64_t step) {
  const netcl_range ranges[2] = {{top, rows, step}, {left, columns, 1}};
  netcl_tensor* view = NULL;
  CHECK(netcl_tensor_slice(tensor, ranges, 2, &view));
  return view;
}

/* Rows [row, row + rows) of `to`; `above` and `below` are the rows around those. */
static void update(netcl_tensor* from, netcl_tensor* to, int64_t row, int64_t rows,
                   netcl_tensor* above, netcl_tensor* below) {
  const int64_t inner = side - 2;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* around[5] = {window(from, row, 1, rows, inner, 1), above, below,
                             window(from, row, 0, rows, inner, 1),
                             window(from, row, 2, rows, inner, 1)};
  run.into = window(to, row, 1, rows, inner, 1);
  CHECK(netcl_op_expression_text("v0 + 0.2 * (v1 + v2 + v3 + v4 - 4 * v0)", around, 5, NULL, &run,
                                 NULL));
  for (int i = 0; i < 5; i++) netcl_tensor_release(around[i]);
  netcl_tensor_release(run.into);
}

/* In the rims the rank above comes first, or is missing. */
static void step(Plate* p, netcl_tensor* from, netcl_tensor* to, int joined) {
  const int64_t inner = side - 2;
  update(from, to, 1, inner, window(from, 0, 1, inner, inner, 1),
         window(from, 2, 1, inner, inner, 1));
  if (!joined) return;
  int64_t counts[RANKS_MOST] = {0};
  const int up = p->rank > 0, down = p->rank + 1 < p->ranks;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = p->queue;
  if (up) counts[p->rank - 1] = 1;
  if (down) counts[p->rank + 1] = 1;
  netcl_tensor* edges = window(from, up ? 0 : side - 1, 0, up + down, side, side - 1);
  CHECK(netcl_group_all_to_all(p->group, edges, counts, p->ranks, p->rims, &run));
  netcl_tensor_release(edges);
  if (up) {
    update(from, to, 0, 1, window(p->rims, 0, 1, 1, inner, 1), window(from, 1, 1, 1, inner, 1));
  }
  if (down) {
    update(from, to, side - 1, 1, window(from, side - 2, 1, 1, inner, 1),
           window(p->rims, up, 1, 1, inner, 1));
  }
}

static double take_steps(Plate* p, int joined) {
  if (p->group != NULL) CHECK(netcl_group_barrier(p->group, NULL));
  const uint64_t begin = now_ns();
  for (int i = 0; i < STEPS; i++) step(p, p->plates[i % 2], p->plates[(i + 1) % 2], joined);
  CHECK(netcl_device_finish(p->device, NETCL_WAIT_FOREVER));
  if (p->group != NULL && joined) CHECK(netcl_group_barrier(p->group, NULL));
  return 1e-9 * (double)(now_ns() - begin) / STEPS;
}

static void run(Plate* p, int rounds) {
  double alone[ROUNDS_MOST], all[ROUNDS_MOST], ratios[ROUNDS_MOST];
  const int64_t shape[2] = {side, side};
  const int64_t rims[2] = {(p->rank > 0) + (p->rank + 1 < p->ranks), side};
  const float hot = 1;
  for (int i = 0; i < 2; i++) {
    CHECK(netcl_tensor_create_full(p->device, NETCL_F32, 2, shape, NULL, &hot, NULL,
                                   &p->plates[i]));
  }
  CHECK(netcl_tensor_create_full(p->device, NETCL_F32, 2, rims, NULL, &hot, NULL, &p->rims));
  CHECK(netcl_queue_create(p->device, NULL, &p->queue));
  (void)take_steps(p, 0);
  (void)take_steps(p, p->ranks > 1);
  for (int i = 0; i < rounds; i++) {
    alone[i] = take_steps(p, 0);
    all[i] = take_steps(p, p->ranks > 1);
    ratios[i] = alone[i] / all[i];
  }
  if (p->rank == 0) {
    printf("%lld x %lld on each of %u: %.1f us a step, %.1f alone; efficiency %.3f\n",
           (long long)side, (long long)side, p->ranks, 1e6 * median(all, rounds),
           1e6 * median(alone, rounds), median(ratios, rounds));
  }
  for (int i = 0; i < 2; i++) netcl_tensor_release(p->plates[i]);
  netcl_tensor_release(p->rims);
  netcl_queue_release(p->queue);
}

int main(int argc, char** argv) {
  char folder[] = "/tmp/bench-heat-XXXXXX", path[64];
  Plate plate = {NULL};
  program_name = "bench_heat_group";
  if (argc > 2 && strcmp(argv[1], "--side") == 0) {
    side = strtol(argv[2], NULL, 10);
    argc -= 2;
    argv += 2;
  }
  const int rounds = argc > 1 ? atoi(argv[1]) : 0;
  plate.ranks = (uint32_t)(argc - 2);
  if (argc < 3 || plate.ranks > RANKS_MOST || rounds < 1 || rounds > ROUNDS_MOST || side < 4) {
    fail("usage", "bench_heat_group [--side N] ROUNDS SELECTOR [SELECTOR ...]");
  }
  if (mkdtemp(folder) == NULL) fail(folder, "cannot be made");
  snprintf(path, sizeof path, "%s/meet", folder);
  for (uint32_t r = 1; r < plate.ranks && plate.rank == 0; r++) {
    if (fork() == 0) plate.rank = r;
  }
  CHECK(netcl_device_open(argv[2 + plate.rank], NULL, &plate.device));
  if (plate.ranks > 1) {
    CHECK(netcl_group_join(plate.device, path, plate.rank, plate.ranks, NULL, &plate.group));
  }
  run(&plate, rounds);
  netcl_group_release(plate.group);
  netcl_device_release(plate.device);
  if (plate.rank == 0) {
    while (wait(NULL) > 0) {
    }
    rmdir(folder);
  }
  return 0;
}
