/* Products of 8-bit integers beside netcl's own product of f32 of the same shape: both in turn,
 * medians of all rounds, of the time that passed and of the processor time of this process, which
 * other work on the machine does not lengthen so much. A ratio is the time of f32 by that of the
 * integers: above 1 integers are faster.
 *
 *   NETCL_NUM_THREADS=1 taskset -c 0 bench_gemm_integers [selector] [rounds] [size ...] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "netcl.h"
#include "support_clock.h"

enum { ROUNDS_MOST = 1000, KINDS = 4 };

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return count % 2 != 0 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* A product and where its result goes. */
typedef struct {
  const char* name;
  netcl_tensor *a, *b, *c, *zero_a, *zero_b;
  double passed[ROUNDS_MOST], worked[ROUNDS_MOST];
} Product;

static netcl_tensor* random_operand(netcl_device* device, netcl_dtype dtype, int64_t n,
                                    unsigned seed) {
  const int64_t shape[2] = {n, n};
  const size_t count = (size_t)(n * n);
  netcl_tensor* made = NULL;
  unsigned char* bytes = malloc(count * netcl_dtype_size(dtype));
  size_t i;
  if (bytes == NULL) exit(1);
  for (i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    if (dtype == NETCL_F32) {
      ((float*)(void*)bytes)[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
    } else {
      bytes[i] = (unsigned char)(seed >> 24);
    }
  }
  check(netcl_tensor_create_from_host(device, dtype, 2, shape, NULL, bytes,
                                      count * netcl_dtype_size(dtype), NULL, &made),
        "create");
  free(bytes);
  return made;
}

static Product make_product(netcl_device* device, const char* name, netcl_dtype a, netcl_dtype b,
                            int64_t n, int turned, int zeros) {
  static const uint32_t axes[2] = {1, 0};
  const int64_t shape[2] = {n, n}, rows[2] = {n, 1};
  static const unsigned char value = 7;
  Product p = {name, NULL, NULL, NULL, NULL, NULL, {0}, {0}};
  netcl_tensor* stored = random_operand(device, b, n, 2);
  p.a = random_operand(device, a, n, 1);
  if (turned) {
    check(netcl_tensor_permute(stored, axes, 2, &p.b), "permute");
    netcl_tensor_release(stored);
  } else {
    p.b = stored;
  }
  check(netcl_tensor_create(device, a == NETCL_F32 ? NETCL_F32 : NETCL_I32, 2, shape, NULL, NULL,
                            &p.c),
        "create");
  if (zeros) {
    check(netcl_tensor_create_full(device, a, 2, rows, NULL, &value, NULL, &p.zero_a), "full");
    check(netcl_tensor_create_full(device, b, 1, shape, NULL, &value, NULL, &p.zero_b), "full");
  }
  return p;
}

static void release_product(Product* p) {
  netcl_tensor_release(p->a);
  netcl_tensor_release(p->b);
  netcl_tensor_release(p->c);
  netcl_tensor_release(p->zero_a);
  netcl_tensor_release(p->zero_b);
}

static void run(netcl_device* device, Product* p, int round) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options into = NETCL_RUN_OPTIONS_INIT;
  double start, worked;
  options.a_zero_point = p->zero_a;
  options.b_zero_point = p->zero_b;
  into.into = p->c;
  start = time_by(CLOCK_MONOTONIC);
  worked = time_by(CLOCK_PROCESS_CPUTIME_ID);
  check(netcl_op_matmul(p->a, p->b, &options, &into, NULL), p->name);
  check(netcl_device_finish(device, NETCL_WAIT_FOREVER), "finish");
  p->passed[round] = time_by(CLOCK_MONOTONIC) - start;
  p->worked[round] = time_by(CLOCK_PROCESS_CPUTIME_ID) - worked;
}

static void measure(netcl_device* device, int64_t n, int rounds) {
  Product products[KINDS];
  double passed[KINDS], worked[KINDS];
  int i, round;
  products[0] = make_product(device, "f32", NETCL_F32, NETCL_F32, n, 0, 0);
  products[1] = make_product(device, "u8 x i8", NETCL_U8, NETCL_I8, n, 0, 0);
  products[2] = make_product(device, "i8 x i8, b turned", NETCL_I8, NETCL_I8, n, 1, 0);
  products[3] = make_product(device, "u8 x u8, zero points", NETCL_U8, NETCL_U8, n, 0, 1);
  for (i = 0; i < KINDS; ++i) run(device, &products[i], 0);
  for (round = 0; round < rounds; ++round) {
    for (i = 0; i < KINDS; ++i) run(device, &products[i], round);
  }
  for (i = 0; i < KINDS; ++i) {
    passed[i] = median(products[i].passed, rounds);
    worked[i] = median(products[i].worked, rounds);
  }
  for (i = 0; i < KINDS; ++i) {
    printf("%5lld  %-21s %9.3f ms %5.2f  %9.3f ms %5.2f  %7.1f G/s\n", (long long)n,
           products[i].name, 1e3 * passed[i], passed[0] / passed[i], 1e3 * worked[i],
           worked[0] / worked[i], 2e-9 * (double)n * (double)n * (double)n / worked[i]);
    release_product(&products[i]);
  }
}

int main(int argc, char** argv) {
  static const int64_t sizes[] = {512, 1024, 2048};
  netcl_device* device = NULL;
  int rounds = argc > 2 ? atoi(argv[2]) : 15;
  int i;
  if (rounds < 1 || rounds > ROUNDS_MOST) rounds = 15;
  check(netcl_device_open(argc > 1 ? argv[1] : "builtin", NULL, &device), "open");
  printf(" size  product                   passed  by f32   worked  by f32     rate\n");
  for (i = 3; i < argc; ++i) measure(device, atoll(argv[i]), rounds);
  for (i = 0; argc <= 3 && i < 3; ++i) measure(device, sizes[i], rounds);
  netcl_device_release(device);
  return 0;
}
