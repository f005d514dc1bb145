/*
 * Products of few rows with a large matrix on a GPU: the time of a call when many are enqueued one
 * after the other, and the bytes that have to move by it. bench_thin.py is the same by PyTorch.
 *
 *   bench_thin [selector] [rounds]
 *
 * NN: the matrix lies across the depth; NT: along it. Up to 200 MB it is one of four in turn, so
 * that the second cache does not hold it. The figures are medians of rounds of 200 calls.
 */
#include "support_clock.h"

enum { CALLS = 200, COPIES = 4, ROUNDS_MOST = 99 };

static const struct {
  const char* name;
  netcl_dtype dtype;
  int bytes;
} kTypes[] = {{"f16", NETCL_F16, 2}, {"bf16", NETCL_BF16, 2}, {"f32", NETCL_F32, 4},
            {"i8", NETCL_I8, 1}};
static const int64_t kSizes[][3] = {{1, 4096, 4096},   {1, 11008, 4096}, {1, 32000, 4096},
                                    {2, 4096, 4096},   {4, 4096, 4096},  {4, 32000, 4096},
                                    {8, 4096, 4096},   {8, 32000, 4096}, {16, 4096, 4096},
                                    {16, 32000, 4096}, {3, 4095, 4097}};

static netcl_device* device;
static int rounds = 5;

static netcl_tensor* matrix(netcl_dtype dtype, int64_t rows, int64_t columns, int turned) {
  const int64_t shape[2] = {turned ? columns : rows, turned ? rows : columns};
  const uint32_t axes[2] = {1, 0};
  netcl_tensor *made = NULL, *view = NULL;
  CHECK(netcl_tensor_create_random(device, dtype, 2, shape, NULL, NULL, NULL, &made));
  if (!turned) return made;
  CHECK(netcl_tensor_permute(made, axes, 2, &view));
  netcl_tensor_release(made);
  return view;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static void measure(size_t type, const int64_t* size, int turned) {
  const int64_t m = size[0], n = size[1], k = size[2];
  const int copies = n * k * kTypes[type].bytes > 200000000 ? 1 : COPIES;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *a = matrix(kTypes[type].dtype, m, k, 0), *b[COPIES];
  double times[ROUNDS_MOST];
  for (int i = 0; i < copies; ++i) b[i] = matrix(kTypes[type].dtype, k, n, turned);
  CHECK(netcl_op_matmul(a, b[0], NULL, NULL, &run.into));
  for (int round = -1; round < rounds; ++round) {
    const double begin = now();
    for (int i = 0; i < CALLS; ++i) CHECK(netcl_op_matmul(a, b[i % copies], NULL, &run, NULL));
    CHECK(netcl_device_finish(device, NETCL_WAIT_FOREVER));
    if (round >= 0) times[round] = (now() - begin) / CALLS;
  }
  qsort(times, (size_t)rounds, sizeof *times, ascending);
  const double bytes = kTypes[type].bytes * (double)(m * k + k * n + m * n);
  printf("%-4s %3d x %5d x %4d %s %8.1f us %6.2f TB/s\n", kTypes[type].name, (int)m, (int)n, (int)k,
         turned ? "NT" : "NN", 1e6 * times[rounds / 2], 1e-12 * bytes / times[rounds / 2]);
  for (int i = 0; i < copies; ++i) netcl_tensor_release(b[i]);
  netcl_tensor_release(a);
  netcl_tensor_release(run.into);
}

int main(int argc, char** argv) {
  if (argc > 2) rounds = atoi(argv[2]);
  if (rounds < 1 || rounds > ROUNDS_MOST) rounds = 5;
  CHECK(netcl_device_open(argc > 1 ? argv[1] : "gpu", NULL, &device));
  for (size_t type = 0; type < sizeof kTypes / sizeof *kTypes; ++type) {
    for (size_t i = 0; i < sizeof kSizes / sizeof *kSizes; ++i) {
      for (int turned = 0; turned < 2; ++turned) measure(type, kSizes[i], turned);
    }
  }
  netcl_device_release(device);
  return 0;
}
