/* Attention beside the matrix product of netcl itself, whose rate is what attention could reach: a
 * line gives GFLOP/s of both and the share, for prefill, and GB/s of the cache for decode.
 *
 *   taskset -c 0 bench_attention [selector] [rounds]
 *
 * Sides alternate, the best of all rounds counts. NETCL_NUM_THREADS=1 for one thread; with it,
 * --cpu-time counts the time of this process alone, for machines with other work. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "netcl.h"
#include "support_clock.h"

static netcl_tensor* random_tensor(netcl_device* device, netcl_dtype dtype, uint32_t rank,
                                   const int64_t* shape) {
  netcl_tensor* made = NULL;
  check(netcl_tensor_create_random(device, dtype, rank, shape, NULL, NULL, NULL, &made), "random");
  return made;
}

typedef struct {
  const char* name;
  netcl_dtype dtype;
  int64_t batch, heads, kv_heads, rows, keys, size;
  int causal, bias;
} Line;

static const Line kLines[] = {{"prefill", NETCL_F32, 1, 4, 4, 1024, 1024, 64, 0, 0},
                              {"prefill", NETCL_F32, 1, 4, 4, 1024, 1024, 128, 0, 0},
                              {"prefill, causal", NETCL_F32, 1, 4, 4, 1024, 1024, 64, 1, 0},
                              {"prefill, causal", NETCL_F32, 1, 4, 4, 1024, 1024, 128, 1, 0},
                              {"prefill, bias", NETCL_F32, 1, 4, 4, 1024, 1024, 64, 0, 1},
                              {"prefill, 4 heads share", NETCL_F32, 1, 4, 1, 1024, 1024, 128, 0, 0},
                              {"prefill", NETCL_F16, 1, 4, 4, 1024, 1024, 64, 0, 0},
                              {"prefill", NETCL_BF16, 1, 4, 4, 1024, 1024, 128, 0, 0},
                              {"prefill", NETCL_F64, 1, 4, 4, 1024, 1024, 64, 0, 0},
                              {"decode", NETCL_F32, 1, 8, 8, 1, 8192, 128, 1, 0},
                              {"decode, 4 heads share", NETCL_F32, 1, 8, 2, 1, 8192, 128, 1, 0},
                              {"decode, 4 heads share", NETCL_F16, 1, 8, 2, 1, 8192, 128, 1, 0},
                              {"decode, batch 8", NETCL_F32, 8, 8, 2, 1, 2048, 64, 1, 0},
                              {"16 rows", NETCL_F32, 1, 8, 8, 16, 4096, 128, 1, 0}};

static double time_product(netcl_queue* queue, netcl_tensor* const* m) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = m[2];
  const double start = now();
  check(netcl_op_matmul(m[0], m[1], NULL, &run, NULL), "matmul");
  check(netcl_queue_finish(queue, NETCL_WAIT_FOREVER), "finish");
  return now() - start;
}

static void run_line(netcl_device* device, netcl_queue* queue, const Line* l, int rounds) {
  const int64_t q[4] = {l->batch, l->heads, l->rows, l->size};
  const int64_t k[4] = {l->batch, l->kv_heads, l->keys, l->size};
  const int64_t scores[2] = {l->rows, l->keys}, square[2] = {1024, 1024};
  netcl_tensor* t[5] = {NULL};
  for (int i = 0; i < 4; ++i) t[i] = random_tensor(device, l->dtype, 4, i == 1 || i == 2 ? k : q);
  if (l->bias) t[4] = random_tensor(device, l->dtype, 2, scores);
  netcl_tensor* m[3];
  for (int i = 0; i < 3; ++i) m[i] = random_tensor(device, l->dtype, 2, square);
  netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  options.causal = l->causal ? 1 : 0;
  options.bias = t[4];
  run.into = t[3];
  double best = 0, product = 0;
  for (int round = 0; round < rounds + 1; ++round) {
    const double start = now();
    check(netcl_op_attention(t[0], t[1], t[2], &options, &run, NULL, NULL), "attention");
    check(netcl_queue_finish(queue, NETCL_WAIT_FOREVER), "finish");
    const double took = now() - start, other = time_product(queue, m);
    if (round == 0) continue;
    if (best == 0 || took < best) best = took;
    if (product == 0 || other < product) product = other;
  }
  const double share =
      l->causal && l->rows > 1 ? 1 - 0.5 * (double)(l->rows - 1) / (double)l->keys : 1;
  const double flops =
      4.0 * share * (double)(l->batch * l->heads * l->rows) * (double)(l->keys * l->size);
  const double rate = flops / best, most = 2.0 * 1024 * 1024 * 1024 / product;
  const double bytes = 2.0 * (double)(l->batch * l->kv_heads * l->keys * l->size) *
                       (double)netcl_dtype_size(l->dtype);
  printf(
      "%-24s %-4s %lld x %lld/%lld x %lld x %lld x %lld: %9.1f us, %6.1f GFLOP/s, matmul %6.1f, "
      "share %.2f; %.1f GB/s\n",
      l->name, netcl_dtype_name(l->dtype), (long long)l->batch, (long long)l->heads,
      (long long)l->kv_heads, (long long)l->rows, (long long)l->keys, (long long)l->size,
      1e6 * best, 1e-9 * rate, 1e-9 * most, rate / most, 1e-9 * bytes / best);
  for (int i = 0; i < 5; ++i) netcl_tensor_release(t[i]);
  for (int i = 0; i < 3; ++i) netcl_tensor_release(m[i]);
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  netcl_device* device = NULL;
  netcl_queue* queue = NULL;
  check(netcl_device_open(argc > 1 ? argv[1] : "builtin", NULL, &device), "device");
  check(netcl_device_get_queue(device, &queue), "queue");
  for (size_t i = 0; i < sizeof kLines / sizeof *kLines; ++i) {
    run_line(device, queue, &kLines[i], argc > 2 ? atoi(argv[2]) : 10);
  }
  netcl_queue_release(queue);
  netcl_device_release(device);
  return 0;
}
