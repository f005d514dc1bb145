/*
 * Expressions over operands of other layouts than their results, beside the same over packed ones.
 *
 *   bench_strided [selector] [rounds] [edge]
 *
 * Sides alternate; the figures are medians, of edge x edge elements of f32 or about as many.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "netcl.h"
#include "support_clock.h"

#define ROUNDS_MOST 101

static netcl_device* device;
static int rounds = 15;

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values) {
  qsort(values, (size_t)rounds, sizeof *values, compare);
  return values[rounds / 2];
}

static netcl_tensor* make(uint32_t rank, int64_t a, int64_t b, int64_t c) {
  const int64_t shape[] = {a, b, c};
  netcl_tensor* made = NULL;
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, rank, shape, NULL, NULL, &made));
  return made;
}

/* A view takes its tensor's place. */
static netcl_tensor* slice(netcl_tensor* base, int64_t rows, netcl_range columns) {
  const netcl_range ranges[] = {{0, rows, 1}, columns};
  netcl_tensor* view = NULL;
  CHECK(netcl_tensor_slice(base, ranges, 2, &view));
  netcl_tensor_release(base);
  return view;
}

static netcl_tensor* permute(netcl_tensor* base, uint32_t rank, uint32_t a, uint32_t b,
                             uint32_t c) {
  const uint32_t axes[] = {a, b, c};
  netcl_tensor* view = NULL;
  CHECK(netcl_tensor_permute(base, axes, rank, &view));
  netcl_tensor_release(base);
  return view;
}

static double timed_sum(netcl_tensor* a, netcl_tensor* b, netcl_tensor* y) {
  netcl_tensor* const inputs[] = {a, b};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = y;
  const double begin = now();
  CHECK(netcl_op_expression_text("v0 + v1", inputs, 2, NULL, &run, NULL));
  CHECK(netcl_device_finish(device, NETCL_WAIT_FOREVER));
  return now() - begin;
}

/* y = a + b, beside the sum of three packed tensors of y's shape. All three are released. */
static void run_bench(const char* name, netcl_tensor* a, netcl_tensor* b, netcl_tensor* y) {
  double strided[ROUNDS_MOST], packed[ROUNDS_MOST];
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  CHECK(netcl_tensor_get_info(y, &info));
  netcl_tensor* plain[3];
  for (int i = 0; i < 3; ++i) plain[i] = make(1, info.element_count, 0, 0);
  for (int round = -2; round < rounds; ++round) {
    const double p = timed_sum(plain[0], plain[1], plain[2]), s = timed_sum(a, b, y);
    if (round < 0) continue;
    packed[round] = p;
    strided[round] = s;
  }
  const double scale = 1e9 / (double)info.element_count, p = median(packed), s = median(strided);
  printf("%-24s %7.3f ns per element (least %.3f)   packed %7.3f   ratio %.2f\n", name, s * scale,
         strided[0] * scale, p * scale, p / s);
  fflush(stdout);
  for (int i = 0; i < 3; ++i) netcl_tensor_release(plain[i]);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(y);
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  if (argc > 2) rounds = atoi(argv[2]);
  if (rounds < 1 || rounds > ROUNDS_MOST) rounds = 15;
  const int64_t n = argc > 3 ? atoll(argv[3]) : 256, third = n * n / 3;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  CHECK(netcl_device_open(argc > 1 ? argv[1] : "builtin", NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  printf("%s, edge %lld\n", info.name, (long long)n);
  const netcl_range half = {0, n, 1}, second = {0, n, 2}, back = {n - 1, n, -1};
#define SQUARE make(2, n, n, 0)
  run_bench("transposed", SQUARE, permute(SQUARE, 2, 1, 0, 0), SQUARE);
  run_bench("into a transposed one", SQUARE, SQUARE, permute(SQUARE, 2, 1, 0, 0));
  run_bench("half of each row", SQUARE, slice(make(2, n, 2 * n, 0), n, half), SQUARE);
  run_bench("into half of each row", SQUARE, SQUARE, slice(make(2, n, 2 * n, 0), n, half));
  run_bench("every second", SQUARE, slice(make(2, n, 2 * n, 0), n, second), SQUARE);
  run_bench("backwards", SQUARE, slice(SQUARE, n, back), SQUARE);
  run_bench("one row for all", SQUARE, make(2, 1, n, 0), SQUARE);
  run_bench("one column for all", SQUARE, make(2, n, 1, 0), SQUARE);
  run_bench("rows of 3 of 4", make(2, third, 3, 0),
            slice(make(2, third, 4, 0), third, (netcl_range){0, 3, 1}), make(2, third, 3, 0));
  run_bench("one row of 3 for all", make(2, third, 3, 0), make(1, 3, 0, 0), make(2, third, 3, 0));
  run_bench("3 planes to pixels", make(2, third, 3, 0), permute(make(2, 3, third, 0), 2, 1, 0, 0),
            make(2, third, 3, 0));
  run_bench("64 planes to pixels", make(3, 4, n * n / 256, 64),
            permute(make(3, 4, 64, n * n / 256), 3, 0, 2, 1), make(3, 4, n * n / 256, 64));
  netcl_device_release(device);
  return 0;
}
