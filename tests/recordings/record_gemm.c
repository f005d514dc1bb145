/* Records the times of all configurations of gemm.cl on a device, as a cache file of Kernel Tuner,
 * which netcl tune --replay reads:
 *
 *   cc -Iinclude tests/recordings/record_gemm.c -Lbuild/release -lnetcl -o record_gemm
 *   ./record_gemm gpu 1024 tests/recordings/gemm.cl [PART PARTS] >gemm_h200.json
 *
 * A configuration's time is the least of 7 launches by the device's clock, in milliseconds; those
 * whose results differ from the first one's by more than rounding end the program. With PART and
 * PARTS nothing is measured: every PARTS-th program is compiled into the cache on disk. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "netcl.h"

enum { PARAMETERS = 8, RUNS = 7 };
static const char *const kNames[PARAMETERS] = {"BM", "BN", "BK", "TM", "TN", "PAD", "VW", "UNROLL"};
static const int kValues[PARAMETERS][5] = {{16, 32, 64, 128}, {16, 32, 64, 128}, {8, 16, 32},
                                           {1, 2, 4, 8},      {1, 2, 4, 8},      {0, 1},
                                           {1, 4},            {0, 1}};
static const int kCounts[PARAMETERS] = {4, 4, 3, 4, 4, 2, 2, 2};

static netcl_device *device;
static netcl_queue *queue;
static netcl_tensor *a, *b, *c;
static int n;

static void must(netcl_status status, const char *what) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", what, netcl_last_error_message());
  exit(1);
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = calloc(1, 1 << 16);
  if (file == NULL || text == NULL || fread(text, 1, 65535, file) == 0) exit(1);
  fclose(file);
  return text;
}

static int valid(const int *v) {
  const int items = v[0] / v[3] * (v[1] / v[4]);
  const int bytes = 4 * v[2] * (v[0] + v[1] + 2 * v[5]);
  /* The loads of a step are shared evenly, and vectors begin where they may. */
  return items >= 32 && items <= 256 && v[3] * v[4] <= 32 && bytes <= 48 * 1024 &&
         v[0] * v[2] % (items * v[6]) == 0 && v[1] * v[2] % (items * v[6]) == 0 &&
         !(v[6] == 4 && v[5] == 1);
}

static netcl_kernel *build(const char *source, const int *v) {
  static char flags[PARAMETERS][32];
  const char *list[PARAMETERS];
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  int i;
  for (i = 0; i < PARAMETERS; ++i) {
    snprintf(flags[i], sizeof flags[i], "-D%s=%d", kNames[i], v[i]);
    list[i] = flags[i];
  }
  options.source = source;
  options.flags = list;
  options.flags_count = PARAMETERS;
  options.tune = NETCL_TUNE_OFF;
  must(netcl_kernel_create(device, "gemm", &options, &kernel), "create");
  must(netcl_kernel_build(kernel), "build");
  return kernel;
}

static netcl_arg tensor_argument(netcl_tensor *tensor) {
  netcl_arg argument = {0};
  argument.kind = NETCL_ARG_TENSOR;
  argument.tensor = tensor;
  return argument;
}

static netcl_arg number_argument(int value) {
  netcl_arg argument = {0};
  argument.kind = NETCL_ARG_SCALAR;
  argument.size = sizeof value;
  *(int *)argument.value = value;
  return argument;
}

static double time_of(netcl_kernel *kernel, const int *v) {
  const uint64_t local[2] = {(uint64_t)(v[1] / v[4]), (uint64_t)(v[0] / v[3])};
  const uint64_t global[2] = {(uint64_t)(n / v[1]) * local[0], (uint64_t)(n / v[0]) * local[1]};
  const netcl_arg arguments[6] = {tensor_argument(a), tensor_argument(b), tensor_argument(c),
                                  number_argument(n), number_argument(n), number_argument(n)};
  double least = INFINITY;
  int i;
  for (i = 0; i < RUNS; ++i) {
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
    netcl_event *event = NULL;
    run.queue = queue;
    run.event = &event;
    must(netcl_kernel_launch(kernel, global, 2, local, 2, arguments, 6, NULL, &run), "launch");
    must(netcl_event_wait(event, NETCL_WAIT_FOREVER), "wait");
    must(netcl_event_get_timing(event, &timing), "timing");
    least = fmin(least, 1e-6 * (double)(timing.ended_ns - timing.started_ns));
    netcl_event_release(event);
  }
  return least;
}

static void check(float *first, float *now, size_t bytes) {
  size_t i;
  must(netcl_tensor_read(c, now, bytes, NULL, NETCL_WAIT_FOREVER), "read");
  for (i = 0; i < bytes / sizeof *now; ++i) {
    if (!(fabsf(now[i] - first[i]) <= 1e-3f * fabsf(first[i]))) exit(1);
  }
}

static void head(const char *name) {
  int i, k;
  printf("{\"device_name\": \"%s\", \"kernel_name\": \"gemm\", \"problem_size\": [%d, %d], "
         "\"tune_params_keys\": [", name, n, n);
  for (i = 0; i < PARAMETERS; ++i) printf("%s\"%s\"", i == 0 ? "" : ", ", kNames[i]);
  printf("],\n\"tune_params\": {");
  for (i = 0; i < PARAMETERS; ++i) {
    printf("%s\"%s\": [", i == 0 ? "" : ", ", kNames[i]);
    for (k = 0; k < kCounts[i]; ++k) printf("%s%d", k == 0 ? "" : ", ", kValues[i][k]);
    printf("]");
  }
  printf("},\n\"cache\": {");
}

int main(int argc, char **argv) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_queue_options profiling = NETCL_QUEUE_OPTIONS_INIT;
  int at[PARAMETERS] = {0}, count = 0, digit = 0;
  if (argc != 4 && argc != 6) return 2;
  const char *source = read_text(argv[3]);
  const int part = argc == 6 ? atoi(argv[4]) : 0, parts = argc == 6 ? atoi(argv[5]) : 0;
  n = atoi(argv[2]);
  const int64_t shape[2] = {n, n};
  const size_t bytes = sizeof(float) * (size_t)n * (size_t)n;
  float *first = malloc(bytes), *now = malloc(bytes);
  profiling.profiling = 1;
  must(netcl_device_open(argv[1], NULL, &device), "open");
  must(netcl_device_get_info(device, &info), "info");
  must(netcl_queue_create(device, &profiling, &queue), "queue");
  must(netcl_tensor_create_random(device, NETCL_F32, 2, shape, NULL, NULL, NULL, &a), "a");
  must(netcl_tensor_create_random(device, NETCL_F32, 2, shape, NULL, NULL, NULL, &b), "b");
  must(netcl_tensor_create_zeros(device, NETCL_F32, 2, shape, NULL, NULL, &c), "c");
  if (parts == 0) head(info.name);
  while (digit < PARAMETERS) {
    int v[PARAMETERS], i;
    for (i = 0; i < PARAMETERS; ++i) v[i] = kValues[i][at[i]];
    if (valid(v)) {
      const int mine = parts == 0 || count % parts == part;
      netcl_kernel *const kernel = mine ? build(source, v) : NULL;
      if (parts == 0) {
        const double time = time_of(kernel, v);
        if (count == 0) must(netcl_tensor_read(c, first, bytes, NULL, NETCL_WAIT_FOREVER), "read");
        check(first, now, bytes);
        printf("%s\n\"", count == 0 ? "" : ",");
        for (i = 0; i < PARAMETERS; ++i) printf("%s%d", i == 0 ? "" : ",", v[i]);
        printf("\": %.4f", time);
      }
      netcl_kernel_release(kernel);
      ++count;
    }
    /* The last parameter counts fastest. */
    for (digit = 0; digit < PARAMETERS; ++digit) {
      const int k = PARAMETERS - 1 - digit;
      if (++at[k] < kCounts[k]) break;
      at[k] = 0;
    }
  }
  if (parts == 0) printf("\n}}\n");
  fprintf(stderr, "%d configurations\n", count);
  return 0;
}
