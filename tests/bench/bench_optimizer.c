/*
 * Steps of sgd with momentum and of adam for groups of f32 parameters, beside the same made of
 * expressions written to the tensors.
 *
 *   bench_optimizer [selector] [rounds]
 *
 * Sides alternate; the figures are the best of the rounds. The share is that of the bytes that have
 * to move (gradients read, parameters and states read and written) at the rate of a copy of 256
 * MiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "netcl.h"
#include "support_clock.h"

enum { MOST = 40 };
static netcl_device* device;
static netcl_queue* queue;
static netcl_tensor *w[MOST], *g[MOST], *m[MOST], *v[MOST], *step, *corrections[2];

static void write_to(netcl_tensor* into, const char* text, netcl_tensor* const* inputs,
                     uint32_t count) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = into;
  CHECK(netcl_op_expression_text(text, inputs, count, NULL, &run, NULL));
}

static void sgd(uint32_t count, int fused) {
  if (fused) {
    netcl_sgd_options options = NETCL_SGD_OPTIONS_INIT;
    options.momentum = 0.9;
    options.momentum_buffers = m;
    options.momentum_buffers_count = count;
    CHECK(netcl_op_sgd(w, count, g, count, 1e-3, &options, NULL));
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    write_to(m[i], "0.9 * v0 + v1", (netcl_tensor* const[]){m[i], g[i]}, 2);
    write_to(w[i], "v0 - 0.001 * v1", (netcl_tensor* const[]){w[i], m[i]}, 2);
  }
}

/* The corrections of the composition are constants, which is less than they need. */
static void adam(uint32_t count, int fused) {
  if (fused) {
    CHECK(netcl_op_adam(w, count, g, count, m, count, v, count, step, 1e-3, NULL, NULL));
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    write_to(m[i], "v0 + 0.1 * (v1 - v0)", (netcl_tensor* const[]){m[i], g[i]}, 2);
    write_to(v[i], "0.999 * v0 + 0.001 * v1 * v1", (netcl_tensor* const[]){v[i], g[i]}, 2);
    write_to(w[i], "v0 - 0.001 * v3 * v1 / (sqrt(v2) * v4 + 1e-8)",
             (netcl_tensor* const[]){w[i], m[i], v[i], corrections[0], corrections[1]}, 5);
  }
}

typedef void (*Step)(uint32_t count, int fused);

/* Seconds of one step, of `calls` in a row. */
static double time_calls(Step call, uint32_t count, int fused, int calls) {
  const double start = now();
  for (int i = 0; i < calls; ++i) call(count, fused);
  CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
  return (now() - start) / calls;
}

/* Bytes per second of a copy, with both its sides counted. */
static double copy_rate(void) {
  static const int64_t kCount = 1 << 26;
  netcl_tensor *from = NULL, *to = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  CHECK(netcl_tensor_create_random(device, NETCL_F32, 1, &kCount, NULL, NULL, NULL, &from));
  CHECK(netcl_op_copy(from, NULL, &to));
  run.into = to;
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const double start = now();
    CHECK(netcl_op_copy(from, &run, NULL));
    CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
    const double time = now() - start;
    if (time < best) best = time;
  }
  netcl_tensor_release(from);
  netcl_tensor_release(to);
  return 8.0 * (double)kCount / best;
}

static netcl_tensor* zeros(netcl_dtype dtype, uint32_t rank, const int64_t* shape) {
  netcl_tensor* made = NULL;
  CHECK(netcl_tensor_create_zeros(device, dtype, rank, shape, NULL, NULL, &made));
  return made;
}

static void measure(const char* name, Step call, double moved, uint32_t count, int64_t elements,
                    int rounds, double rate) {
  const double bytes = moved * 4.0 * count * (double)elements;
  const int calls = bytes > 1e7 ? 1 : 200;
  double best[2] = {1e9, 1e9};
  for (int round = 0; round < rounds; ++round) {
    for (int side = 0; side < 2; ++side) {
      const double time = time_calls(call, count, side == 0, calls);
      if (time < best[side]) best[side] = time;
    }
  }
  printf("%-5s %2u x %8lld: %9.1f us, %.2f of expressions' %9.1f us, %.0f %% of a copy's rate\n",
         name, count, (long long)elements, 1e6 * best[0], best[0] / best[1], 1e6 * best[1],
         100 * bytes / best[0] / rate);
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  static const struct {
    uint32_t count;
    int64_t elements;
  } kGroups[] = {{1, 1 << 24}, {40, 1 << 18}, {40, 1000}};
  const int rounds = argc > 2 ? atoi(argv[2]) : 9;
  CHECK(netcl_device_open(argc > 1 ? argv[1] : "auto", NULL, &device));
  CHECK(netcl_device_get_queue(device, &queue));
  const double rate = copy_rate();
  printf("a copy moves %.1f GB/s\n", rate * 1e-9);
  step = zeros(NETCL_I64, 0, NULL);
  for (int i = 0; i < 2; ++i) corrections[i] = zeros(NETCL_F32, 0, NULL);
  for (size_t k = 0; k < sizeof kGroups / sizeof *kGroups; ++k) {
    for (uint32_t i = 0; i < kGroups[k].count; ++i) {
      netcl_tensor** const all[] = {&w[i], &g[i], &m[i], &v[i]};
      for (int t = 0; t < 4; ++t) *all[t] = zeros(NETCL_F32, 1, &kGroups[k].elements);
    }
    measure("sgd", sgd, 5, kGroups[k].count, kGroups[k].elements, rounds, rate);
    measure("adam", adam, 7, kGroups[k].count, kGroups[k].elements, rounds, rate);
    for (uint32_t i = 0; i < kGroups[k].count; ++i) {
      netcl_tensor* const all[] = {w[i], g[i], m[i], v[i]};
      for (int t = 0; t < 4; ++t) netcl_tensor_release(all[t]);
    }
  }
  netcl_tensor_release(step);
  for (int i = 0; i < 2; ++i) netcl_tensor_release(corrections[i]);
  netcl_queue_release(queue);
  netcl_device_release(device);
  return 0;
}
