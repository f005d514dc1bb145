/* Products of few rows with quantised weights, beside those of netcl's own f32 and f16 matrices: a
 * line gives the time, the bytes of weights by it, and the share of the rate at which this machine
 * reads memory as netcl's sum of a large tensor does.
 *
 *   bench_quantized [selector] [rounds]
 *
 * The best of all rounds counts. With NETCL_NUM_THREADS=1 --cpu-time counts the time of this
 * process alone, for machines with other work. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "netcl.h"
#include "support_clock.h"

static netcl_device* device;
static netcl_queue* queue;
static int rounds = 20;

static netcl_tensor* random_tensor(netcl_dtype dtype, int64_t rows, int64_t columns) {
  const int64_t shape[2] = {rows, columns};
  netcl_tensor* made = NULL;
  check(netcl_tensor_create_random(device, dtype, 2, shape, NULL, NULL, NULL, &made), "random");
  return made;
}

/* One call, enqueued. */
typedef struct Work {
  netcl_tensor *x, *w, *y;
  const netcl_quantized_options* options; /* NULL: an ordinary product */
} Work;

static void enqueue(const Work* work) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = work->y;
  if (work->options != NULL) {
    check(netcl_op_matmul_quantized(work->x, work->w, work->options, &run, NULL), "product");
  } else {
    check(netcl_op_matmul(work->x, work->w, NULL, &run, NULL), "matmul");
  }
}

/* Seconds of one of `calls` that are enqueued together, so that launches overlap. */
static double time_work(const Work* work) {
  const int calls = 8;
  double best = 0;
  for (int round = 0; round < rounds + 1; ++round) {
    const double start = now();
    for (int i = 0; i < calls; ++i) enqueue(work);
    check(netcl_queue_finish(queue, NETCL_WAIT_FOREVER), "finish");
    const double took = (now() - start) / calls;
    if (round > 0 && (best == 0 || took < best)) best = took;
  }
  return best;
}

/* Bytes per second of a sum over 256 MiB. */
static double read_rate(void) {
  netcl_tensor* x = random_tensor(NETCL_F32, 1 << 13, 1 << 13);
  double best = 0;
  for (int round = 0; round < rounds / 2 + 2; ++round) {
    netcl_tensor* sum = NULL;
    const double start = now();
    check(netcl_op_reduce(x, NETCL_REDUCTION_SUM, NULL, NULL, &sum), "sum");
    check(netcl_queue_finish(queue, NETCL_WAIT_FOREVER), "finish");
    const double took = now() - start;
    netcl_tensor_release(sum);
    if (round > 0 && (best == 0 || took < best)) best = took;
  }
  netcl_tensor_release(x);
  return 4.0 * (1 << 26) / best;
}

static void tell(const char* name, int64_t m, int64_t n, int64_t k, double bytes, double seconds,
                 double rate) {
  printf("%-22s %3lld x %5lld x %5lld: %9.1f us, %7.1f GB/s, %.2f of reading, %7.1f GFLOP/s\n",
         name, (long long)m, (long long)n, (long long)k, 1e6 * seconds, 1e-9 * bytes / seconds,
         bytes / seconds / rate, 2e-9 * (double)m * (double)n * (double)k / seconds);
}

static double bytes_of(netcl_tensor* tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  if (tensor == NULL) return 0;
  check(netcl_tensor_get_info(tensor, &info), "info");
  return (double)info.byte_count;
}

static void run_plain(netcl_dtype dtype, int64_t m, int64_t n, int64_t k, double rate) {
  static const uint32_t kTurned[2] = {1, 0};
  netcl_tensor *w = random_tensor(dtype, n, k), *turned = NULL;
  check(netcl_tensor_permute(w, kTurned, 2, &turned), "permute");
  const Work work = {random_tensor(dtype, m, k), turned, random_tensor(dtype, m, n), NULL};
  tell(netcl_dtype_name(dtype), m, n, k, bytes_of(w), time_work(&work), rate);
  netcl_tensor_release(w);
  netcl_tensor_release(turned);
  netcl_tensor_release(work.x);
  netcl_tensor_release(work.y);
}

static void run_quantized(const char* name, netcl_quantized_options options, netcl_dtype dtype,
                          int64_t m, int64_t n, int64_t k, double rate) {
  netcl_tensor *w = random_tensor(NETCL_F32, n, k), *codes = NULL, *scales = NULL, *zeros = NULL;
  check(netcl_op_quantize_weights(w, &options, NULL, &codes, &scales, &zeros), "quantize");
  options.dtype = 0;
  options.has_zero_points = 0;
  options.scales = scales;
  options.zero_points = zeros;
  const Work work = {random_tensor(dtype, m, k), codes, random_tensor(dtype, m, n), &options};
  tell(name, m, n, k, bytes_of(codes) + bytes_of(scales) + bytes_of(zeros), time_work(&work), rate);
  netcl_tensor* const all[] = {w, codes, scales, zeros, work.x, work.y};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) netcl_tensor_release(all[i]);
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  static const int64_t kRows[] = {1, 2, 4, 8, 16, 32, 256}, kColumns[] = {4096, 11008};
  static const struct {
    const char* name;
    netcl_quantization format;
    uint32_t bits, block, zeros;
  } kForms[] = {{"4 bits, 32", NETCL_QUANTIZATION_NBITS, 4, 32, 0},
                {"4 bits, 128", NETCL_QUANTIZATION_NBITS, 4, 128, 0},
                {"4 bits, 128, zeros", NETCL_QUANTIZATION_NBITS, 4, 128, 1},
                {"8 bits, 128", NETCL_QUANTIZATION_NBITS, 8, 128, 0},
                {"Q4_0", NETCL_QUANTIZATION_Q4_0, 0, 0, 0},
                {"Q8_0", NETCL_QUANTIZATION_Q8_0, 0, 0, 0},
                {"Q4_K", NETCL_QUANTIZATION_Q4_K, 0, 0, 0}};
  if (argc > 2) rounds = atoi(argv[2]);
  check(netcl_device_open(argc > 1 ? argv[1] : "builtin", NULL, &device), "device");
  check(netcl_device_get_queue(device, &queue), "queue");
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  check(netcl_device_get_info(device, &info), "info");
  const netcl_dtype dtype = info.type == NETCL_DEVICE_GPU ? NETCL_F16 : NETCL_F32;
  const double rate = read_rate();
  printf("%s: reading %.1f GB/s; x is %s\n", info.name, 1e-9 * rate, netcl_dtype_name(dtype));
  for (size_t c = 0; c < sizeof kColumns / sizeof *kColumns; ++c) {
    for (size_t r = 0; r < sizeof kRows / sizeof *kRows; ++r) {
      const int64_t m = kRows[r], n = kColumns[c], k = 4096;
      run_plain(NETCL_F32, m, n, k, rate);
      run_plain(NETCL_F16, m, n, k, rate);
      for (size_t f = 0; f < sizeof kForms / sizeof *kForms; ++f) {
        netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
        options.format = kForms[f].format;
        options.bits = kForms[f].bits;
        options.block_size = kForms[f].block;
        options.has_zero_points = kForms[f].zeros;
        if (kForms[f].bits != 0) options.dtype = NETCL_F16;
        run_quantized(kForms[f].name, options, dtype, m, n, k, rate);
      }
    }
  }
  netcl_queue_release(queue);
  netcl_device_release(device);
  return 0;
}
