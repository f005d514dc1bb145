/*
 * What tuning brings, how long it takes, and what it costs dispatch.
 *
 *   bench_tuning [--device SELECTOR] [--only gemm|kernels|cost] [--seed N] [--scale N]
 *
 * gemm     products of 12 seeded shapes, tuned against the default: both in turn in one
 *          measurement, the ratio of medians with its bootstrap interval of 95 %; then the median
 *          gain and the least, and how many of them another process finds in the database.
 * kernels  20 kernels with 3 local sizes each: the time until all are tuned, and again when the
 *          database knows them
 * cost     look-ups, timers and regions in nanoseconds
 *
 * It works in a cache directory of its own, which is removed. --scale divides the extents of the
 * products, 4 by default where the device is no GPU.
 */
#define _GNU_SOURCE
#include "support_cost.h"
#include "support_lookup.h"

#include <unistd.h>

#define SHAPES 12
#define KERNELS 20
#define SECOND 1000000000u

typedef struct Product {
  int64_t m, n, k, batch;
  const char* kind;
  netcl_variant standard; /* what the rules choose */
  netcl_tensor *a, *b, *result;
  char config[160];
  double ratio, low, high;
  double standard_us, tuned_us; /* medians */
} Product;

/* ---- Shapes */

static uint64_t random_state = 1;

static int64_t random_between(int64_t low, int64_t high) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return low + (int64_t)(random_state % (uint64_t)(high - low + 1));
}

static void make_shapes(Product* products, uint64_t seed, int64_t scale) {
  random_state = seed * 0x9E3779B97F4A7C15u + 1;
  for (int i = 0; i < SHAPES; i++) {
    Product* const p = &products[i];
    p->batch = 1;
    if (i % 3 == 0) { /* a thin side, in turn m and n */
      p->kind = "skinny";
      p->m = random_between(2, 64);
      p->n = random_between(1024, 4096) / scale;
      p->k = random_between(1024, 4096) / scale;
      if (i % 2 == 1) {
        const int64_t side = p->m;
        p->m = p->n;
        p->n = side;
      }
    } else if (i % 3 == 1) { /* no extent is a multiple of anything */
      p->kind = "odd";
      p->m = random_between(200, 2000) / scale | 1;
      p->n = random_between(200, 2000) / scale | 1;
      p->k = random_between(200, 2000) / scale | 1;
    } else {
      p->kind = "batched";
      p->batch = random_between(2, 4);
      p->m = random_between(128, 768) / scale;
      p->n = random_between(128, 768) / scale;
      p->k = random_between(128, 768) / scale;
    }
  }
}

/* ---- Products */

static netcl_tensor* random_matrix(int64_t batch, int64_t rows, int64_t columns, uint64_t seed) {
  const int64_t shape[3] = {batch, rows, columns};
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  random.seed = seed;
  random.low = -1.0;
  random.high = 1.0;
  CHECK(netcl_tensor_create_random(device, NETCL_F32, batch > 1 ? 3 : 2,
                                   batch > 1 ? shape : shape + 1, NULL, &random, NULL, &made));
  return made;
}

static void prepare(Product* p) {
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  p->a = random_matrix(p->batch, p->m, p->k, 1);
  p->b = random_matrix(p->batch, p->k, p->n, 2);
  /* The rules look at the number of results, for which rows stand as well as products. */
  CHECK(netcl_variant_select_matmul(device, p->m * p->batch, p->n, p->k, NULL, &config));
  p->standard = options.variant = config.variant;
  CHECK(netcl_op_matmul(p->a, p->b, &options, NULL, &p->result));
}

static void run(const Product* p, int tuned) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options how = NETCL_RUN_OPTIONS_INIT;
  how.queue = queue;
  how.into = p->result;
  options.variant = tuned ? NETCL_VARIANT_AUTO : p->standard;
  CHECK(netcl_op_matmul(p->a, p->b, &options, &how, NULL));
}

static double median_us(const netcl_measurement* measurement, uint32_t candidate) {
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  CHECK(netcl_measurement_get_statistics(measurement, candidate, &statistics));
  return statistics.median / 1e3;
}

static void compare(Product* p) {
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  netcl_measurement* measurement = NULL;
  netcl_comparison comparison = NETCL_COMPARISON_INIT;
  options.candidates = 2;
  options.count_least = 30;
  options.count_most = 2000;
  options.precision = 0.002;
  options.budget_ns = (uint64_t)3 * SECOND;
  CHECK(netcl_measurement_create(queue, &options, &measurement));
  for (;;) {
    uint32_t candidate = 0;
    uint64_t iterations = 0;
    CHECK(netcl_measurement_next(measurement, &candidate, &iterations));
    if (iterations == 0) break;
    while (iterations-- > 0) run(p, candidate == 1);
  }
  CHECK(netcl_measurement_compare(measurement, 0, 1, &comparison));
  p->standard_us = median_us(measurement, 0);
  p->tuned_us = median_us(measurement, 1);
  p->ratio = comparison.ratio;
  p->low = comparison.interval_low;
  p->high = comparison.interval_high;
  netcl_measurement_release(measurement);
}

static void tune(Product* products) {
  netcl_tuner* tuner = NULL;
  netcl_tuner_options how = NETCL_TUNER_OPTIONS_INIT;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  search.budget_ns = (uint64_t)10 * SECOND;
  how.search = &search;
  CHECK(netcl_tuner_create(device, &how, &tuner));
  for (int i = 0; i < SHAPES; i++) {
    CHECK(netcl_tuner_add_matmul(tuner, products[i].batch, products[i].m, products[i].n,
                                 products[i].k, NETCL_F32));
  }
  const double begin = now();
  CHECK(netcl_tuner_run(tuner));
  printf("tuned %d shapes in %.1f s\n", SHAPES, now() - begin);
  for (uint32_t i = 0; i < SHAPES; i++) {
    netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
    netcl_config* config = NULL;
    CHECK(netcl_tuner_get_result(tuner, i, &result, &config));
    CHECK(result.status);
    CHECK(netcl_config_get_json(config, products[i].config, sizeof products[i].config, NULL));
    netcl_config_release(config);
  }
  netcl_tuner_release(tuner);
}

static int by_ratio(const void* a, const void* b) {
  const double x = ((const Product*)a)->ratio, y = ((const Product*)b)->ratio;
  return x < y ? -1 : x > y;
}

/* How many of the single products another process gets tuned, without being told. */
static int seen_by_another_process(const char* arguments) {
  char command[512];
  int count = -1;
  snprintf(command, sizeof command, "/proc/%ld/exe --child %s", (long)getpid(), arguments);
  FILE* const pipe = popen(command, "r");
  if (pipe == NULL || fscanf(pipe, "%d", &count) != 1) count = -1;
  if (pipe != NULL) pclose(pipe);
  return count;
}

static void gemm(uint64_t seed, int64_t scale, const char* arguments) {
  Product products[SHAPES] = {{0}};
  make_shapes(products, seed, scale);
  CHECK(netcl_device_get_queue(device, &queue));
  for (int i = 0; i < SHAPES; i++) prepare(&products[i]);
  printf("products of 12 shapes, seed %llu\n", (unsigned long long)seed);
  tune(products);
  printf("%-8s %-18s %-23s %8s   %-16s  %9s %9s  %s\n", "", "batch x m x n x k", "default", "gain",
         "interval", "us", "tuned us", "tuned");
  for (int i = 0; i < SHAPES; i++) {
    Product* const p = &products[i];
    char size[64];
    compare(p);
    snprintf(size, sizeof size, "%lldx%lldx%lldx%lld", (long long)p->batch, (long long)p->m,
             (long long)p->n, (long long)p->k);
    printf("%-8s %-18s %-23s %8.3f   %.3f to %.3f    %9.1f %9.1f  %s\n", p->kind, size,
           netcl_variant_name(p->standard), p->ratio, p->low, p->high, p->standard_us, p->tuned_us,
           p->config);
    fflush(stdout);
    netcl_tensor_release(p->a);
    netcl_tensor_release(p->b);
    netcl_tensor_release(p->result);
  }
  qsort(products, SHAPES, sizeof products[0], by_ratio);
  /* The third and the tenth of 12 enclose the median of shapes like these with 96.1 %. */
  printf("gain: median %.3f (%.3f to %.3f), least %.3f, most %.3f\n",
         (products[5].ratio + products[6].ratio) / 2, products[2].ratio, products[9].ratio,
         products[0].ratio, products[SHAPES - 1].ratio);
  int singles = 0;
  for (int i = 0; i < SHAPES; i++) singles += products[i].batch == 1;
  printf("another process finds %d of %d single products tuned\n\n",
         seen_by_another_process(arguments), singles);
  netcl_queue_release(queue);
}

static int child(uint64_t seed, int64_t scale) {
  Product products[SHAPES] = {{0}};
  int count = 0;
  make_shapes(products, seed, scale);
  for (int i = 0; i < SHAPES; i++) {
    netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
    const Product* const p = &products[i];
    if (p->batch > 1) continue; /* the call below asks for single products */
    CHECK(netcl_variant_select_matmul(device, p->m, p->n, p->k, NULL, &config));
    count += strstr(config.reason, "tuned") != NULL;
  }
  printf("%d\n", count);
  return 0;
}

/* ---- Kernels */

static void add_kernels(netcl_tuner* tuner, netcl_kernel** kernels, netcl_tensor* x,
                        netcl_tensor* y) {
  static const uint64_t kLocals[3] = {64, 128, 256};
  static const uint64_t kGlobal[1] = {1 << 18};
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  netcl_arg args[2] = {NETCL_ARG_INIT, NETCL_ARG_INIT};
  args[0].kind = NETCL_ARG_TENSOR_READ_ONLY;
  args[0].tensor = x;
  args[1].kind = NETCL_ARG_TENSOR;
  args[1].tensor = y;
  tuning.local_sizes = kLocals;
  tuning.local_sizes_count = 3;
  for (int i = 0; i < KERNELS; i++) {
    CHECK(netcl_tuner_add(tuner, kernels[i], kGlobal, 1, args, 2, &tuning));
  }
}

static double tune_kernels(netcl_kernel** kernels, netcl_tensor* x, netcl_tensor* y,
                           uint32_t in_process, uint32_t force) {
  netcl_tuner_options how = NETCL_TUNER_OPTIONS_INIT;
  netcl_tuner* tuner = NULL;
  how.in_process = in_process;
  how.force = force;
  CHECK(netcl_tuner_create(device, &how, &tuner));
  add_kernels(tuner, kernels, x, y);
  const double begin = now();
  CHECK(netcl_tuner_run(tuner));
  const double taken = 1e3 * (now() - begin);
  for (uint32_t i = 0; i < KERNELS; i++) {
    netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
    CHECK(netcl_tuner_get_result(tuner, i, &result, NULL));
    check(result.status, result.message);
  }
  netcl_tuner_release(tuner);
  return taken;
}

static void tune_all(void) {
  netcl_kernel* kernels[KERNELS];
  netcl_tensor *x = NULL, *y = NULL;
  const int64_t shape[1] = {1 << 18};
  CHECK(netcl_tensor_create_random(device, NETCL_F32, 1, shape, NULL, NULL, NULL, &x));
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 1, shape, NULL, NULL, &y));
  for (int i = 0; i < KERNELS; i++) {
    char source[256], name[32];
    netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
    snprintf(name, sizeof name, "kernel_%d", i);
    snprintf(source, sizeof source,
             "__kernel void %s(__global const float *x, __global float *y) {\n"
             "  const int i = get_global_id(0);\n  y[i] = x[i] * %d.5f + 1.0f;\n}\n",
             name, i);
    options.source = source;
    if (netcl_kernel_create(device, name, &options, &kernels[i]) != NETCL_OK) {
      printf("kernels: %s\n\n", netcl_last_error_message());
      netcl_tensor_release(x);
      netcl_tensor_release(y);
      return;
    }
    CHECK(netcl_kernel_build(kernels[i]));
  }
  printf("tune_all over %d kernels, 3 local sizes and the default each, in ms\n", KERNELS);
  printf("  in the worker, the first time          %9.1f\n", tune_kernels(kernels, x, y, 0, 0));
  printf("  again, from the database               %9.3f\n", tune_kernels(kernels, x, y, 0, 0));
  printf("  in the worker, measured anew           %9.1f\n", tune_kernels(kernels, x, y, 0, 1));
  printf("  in this process, measured anew         %9.1f\n\n", tune_kernels(kernels, x, y, 1, 1));
  for (int i = 0; i < KERNELS; i++) netcl_kernel_release(kernels[i]);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
}

/* ---- */

static const char* value_of(int argc, char** argv, const char* name, const char* fallback) {
  for (int i = 1; i + 1 < argc; i++) {
    if (strcmp(argv[i], name) == 0) return argv[i + 1];
  }
  return fallback;
}

static int bench(int argc, char** argv, const char* only) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  char arguments[256];
  const char* const selector = device_argument(argc, argv);
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  const uint64_t seed = strtoull(value_of(argc, argv, "--seed", "1"), NULL, 10);
  const char* const scale_text =
      value_of(argc, argv, "--scale", info.type == NETCL_DEVICE_GPU ? "1" : "4");
  const int64_t scale = strtoll(scale_text, NULL, 10) > 0 ? strtoll(scale_text, NULL, 10) : 1;
  if (argc > 1 && strcmp(argv[1], "--child") == 0) return child(seed, scale);
  printf("%s\n\n", info.name);
  snprintf(arguments, sizeof arguments, "--device '%s' --seed %llu --scale %lld", selector,
           (unsigned long long)seed, (long long)scale);
  if (only[0] == '\0' || strcmp(only, "gemm") == 0) gemm(seed, scale, arguments);
  if (only[0] == '\0' || strcmp(only, "kernels") == 0) tune_all();
  if (only[0] == '\0' || strcmp(only, "cost") == 0) {
    lookup_costs();
    measuring_costs();
  }
  netcl_device_release(device);
  return 0;
}

int main(int argc, char** argv) {
  char folder[] = "/tmp/netcl-bench-XXXXXX", command[64];
  const int is_child = argc > 1 && strcmp(argv[1], "--child") == 0;
  if (is_child) return bench(argc, argv, "");
  if (mkdtemp(folder) == NULL) {
    perror("mkdtemp");
    return 1;
  }
  setenv("NETCL_CACHE_DIR", folder, 1);
  const int code = bench(argc, argv, value_of(argc, argv, "--only", ""));
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command) != 0 || code != 0;
}
