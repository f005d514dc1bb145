/*
 * Ops of the families that no other benchmark measures, by two builds of the library in one
 * process: this one, and the one whose file is given, in turn.
 *
 *   bench_ops [selector] [rounds] [libnetcl.so of the other build] [--cpu-time]
 *
 * The figures are medians of the rounds, in ms of a call that is waited for, and their ratio: above
 * 1 this build is faster. The last rows are about the threads of a CPU's driver beside those of
 * netcl: a kernel of the caller's and a sum, each by itself, one after the other, and the sum of
 * the first two over the third. Without threads that wait for each other by spinning it is 1.
 */
#include <dlfcn.h>
#include <math.h>

#include "netcl.h"
#include "support_clock.h"

#define FUNCTIONS(X)                                                             \
  X(device_open)                                                                 \
  X(device_finish)                                                               \
  X(device_get_info)                                                             \
  X(device_release)                                                              \
  X(tensor_create_random)                                                        \
  X(tensor_create_zeros)                                                         \
  X(tensor_release)                                                              \
  X(kernel_create)                                                               \
  X(kernel_launch)                                                               \
  X(kernel_release)                                                              \
  X(op_matmul)                                                                   \
  X(op_conv2d)                                                                   \
  X(op_pool) X(op_topk) X(op_histogram) X(op_gather) X(op_resize) X(op_reduce) \
      X(last_error_message)

enum { ROUNDS_MOST = 999, INPUTS = 3 };

/* A build of the library, and what the current row computes with there. */
typedef struct {
#define POINTER(name) __typeof__(netcl_##name)* name;
  FUNCTIONS(POINTER)
#undef POINTER
  netcl_device* device;
  netcl_kernel* kernel; /* NULL on the built-in device */
  netcl_tensor* in[INPUTS];
  netcl_tensor* out;
} Side;

static Side sides[2];
static int side_count = 1, rounds = 15;

static void must(const Side* side, netcl_status status, const char* what) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", what, side->last_error_message());
  exit(1);
}

static void open_side(Side* side, const char* file, const char* selector) {
  static const char kSource[] =
      "__kernel void spin(__global float *x) {\n"
      "  const size_t i = get_global_id(0);\n  float v = x[i];\n"
      "  for (int k = 0; k < 4; ++k) v = mad(v, 0.999f, 0.001f);\n  x[i] = v;\n}\n";
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == NULL) fprintf(stderr, "%s\n", dlerror()), exit(1);
#define LOAD(name)                                       \
  *(void**)&side->name = dlsym(library, "netcl_" #name); \
  if (side->name == NULL) fprintf(stderr, "no netcl_" #name "\n"), exit(1);
  FUNCTIONS(LOAD)
#undef LOAD
  must(side, side->device_open(selector, NULL, &side->device), "open");
  must(side, side->device_get_info(side->device, &info), "info");
  printf("%s\n", info.name);
  if (info.backend != NETCL_BACKEND_OPENCL) return;
  options.source = kSource;
  must(side, side->kernel_create(side->device, "spin", &options, &side->kernel), "kernel");
}

/* An input of numbers from 0 to `high`, of integers below it. */
static netcl_tensor* make(Side* side, netcl_dtype dtype, double high, uint32_t rank,
                          const int64_t* shape) {
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  random.seed = 1;
  random.high = high;
  must(side,
       side->tensor_create_random(side->device, dtype, rank, shape, NULL, &random, NULL, &made),
       "random");
  return made;
}

static void wait_for(Side* side) {
  must(side, side->device_finish(side->device, NETCL_WAIT_FOREVER), "finish");
}

typedef void (*Call)(Side* side);

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static double median(double* times) {
  qsort(times, (size_t)rounds, sizeof *times, ascending);
  return times[rounds / 2];
}

/* The medians of a call on each side, in seconds. */
static void measure(Call call, double result[2]) {
  static double times[2][ROUNDS_MOST];
  int calls = 1;
  for (int side = 0; side < side_count; ++side) {
    double begin;
    call(&sides[side]);
    wait_for(&sides[side]);
    begin = now();
    call(&sides[side]);
    wait_for(&sides[side]);
    if (side == 0) calls = (int)fmax(1, fmin(1000, 0.005 / (now() - begin)));
  }
  for (int round = 0; round < rounds; ++round) {
    for (int side = 0; side < side_count; ++side) {
      const double begin = now();
      for (int i = 0; i < calls; ++i) call(&sides[side]);
      wait_for(&sides[side]);
      times[side][round] = (now() - begin) / calls;
    }
  }
  for (int side = 0; side < side_count; ++side) result[side] = median(times[side]);
}

static void row(const char* name, Call call) {
  double result[2];
  measure(call, result);
  printf("%-44s %9.3f ms", name, 1e3 * result[0]);
  if (side_count == 2)
    printf("  other %9.3f ms  ratio %6.2f", 1e3 * result[1], result[1] / result[0]);
  printf("\n");
  for (int side = 0; side < side_count; ++side) {
    for (int i = 0; i < INPUTS; ++i) sides[side].tensor_release(sides[side].in[i]);
    sides[side].tensor_release(sides[side].out);
    memset(sides[side].in, 0, sizeof sides[side].in);
    sides[side].out = NULL;
  }
}

/* The result of the first call is kept, and the following ones write to it. */
#define ENDING &run, s->out == NULL ? &s->out : NULL
#define START                                     \
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT; \
  run.into = s->out

static int64_t conv[6]; /* channels, size, filters, kernel, stride, batch */

static void call_conv2d(Side* s) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  START;
  if (s->in[0] == NULL) {
    const int64_t x[] = {conv[5], conv[0], conv[1], conv[1]};
    const int64_t w[] = {conv[2], conv[0], conv[3], conv[3]};
    s->in[0] = make(s, NETCL_F32, 1, 4, x);
    s->in[1] = make(s, NETCL_F32, 1, 4, w);
  }
  for (int i = 0; i < 2; ++i) options.strides[i] = conv[4];
  for (int i = 0; i < 4; ++i) options.padding[i] = conv[3] / 2;
  must(s, s->op_conv2d(s->in[0], s->in[1], &options, ENDING), "conv2d");
}

static netcl_pooling pooling;

static void call_pool(Side* s) {
  static const int64_t kShape[] = {8, 64, 112, 112}, kNumbers[] = {1, 2, 3};
  netcl_pooling_options options = NETCL_POOLING_OPTIONS_INIT;
  START;
  if (s->in[0] == NULL) s->in[0] = make(s, NETCL_F32, 1, 4, kShape);
  options.window = &kNumbers[2];
  options.strides = &kNumbers[1];
  options.padding = &kNumbers[0];
  options.window_count = options.strides_count = options.padding_count = 1;
  must(s, s->op_pool(s->in[0], pooling, &options, ENDING), "pool");
}

static int64_t largest;

static void call_topk(Side* s) {
  static const int64_t kShape[] = {4096, 1000};
  netcl_topk_options options = NETCL_TOPK_OPTIONS_INIT;
  START;
  if (s->in[0] == NULL) s->in[0] = make(s, NETCL_F32, 1, 2, kShape);
  options.indices_into = s->in[1];
  must(s,
       s->op_topk(s->in[0], largest, 1, &options, &run, s->out == NULL ? &s->out : NULL,
                  s->in[1] == NULL ? &s->in[1] : NULL),
       "topk");
}

static void call_histogram(Side* s) {
  static const int64_t kCount = 1 << 24;
  netcl_histogram_options options = NETCL_HISTOGRAM_OPTIONS_INIT;
  START;
  if (s->in[0] == NULL) s->in[0] = make(s, NETCL_F32, 1, 1, &kCount);
  options.high = 1;
  must(s, s->op_histogram(s->in[0], 256, &options, ENDING), "histogram");
}

static void call_gather(Side* s) {
  static const int64_t kTable[] = {50000, 256}, kCount = 65536;
  START;
  if (s->in[0] == NULL) {
    s->in[0] = make(s, NETCL_F32, 1, 2, kTable);
    s->in[1] = make(s, NETCL_I32, 50000, 1, &kCount);
  }
  must(s, s->op_gather(s->in[0], s->in[1], 0, ENDING), "gather");
}

static netcl_resize_mode resizing;

static void call_resize(Side* s) {
  static const int64_t kShape[] = {1, 3, 512, 512}, kLarger[] = {1, 3, 1280, 1280};
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  START;
  if (s->in[0] == NULL) s->in[0] = make(s, NETCL_F32, 1, 4, kShape);
  options.mode = resizing;
  must(s, s->op_resize(s->in[0], 4, kLarger, &options, ENDING), "resize");
}

static netcl_distribution distribution;

static void call_random(Side* s) {
  static const int64_t kCount = 1 << 22;
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  random.distribution = distribution;
  must(s, s->tensor_create_random(s->device, NETCL_F32, 1, &kCount, NULL, &random, NULL, &made),
       "random");
  s->tensor_release(made);
}

static int64_t edge;

static void call_matmul(Side* s) {
  const int64_t shape[] = {edge, edge};
  START;
  for (int i = 0; i < 2 && s->in[1] == NULL; ++i) s->in[i] = make(s, NETCL_F32, 1, 2, shape);
  must(s, s->op_matmul(s->in[0], s->in[1], NULL, ENDING), "matmul");
}

static void call_sum(Side* s) {
  static const int64_t kCount = 1 << 22;
  START;
  if (s->in[0] == NULL) s->in[0] = make(s, NETCL_F32, 1, 1, &kCount);
  must(s, s->op_reduce(s->in[0], NETCL_REDUCTION_SUM, NULL, ENDING), "sum");
}

static void call_spin(Side* s) {
  static const int64_t kCount = 1 << 22;
  const uint64_t global = 1 << 18;
  netcl_arg arg;
  memset(&arg, 0, sizeof arg);
  if (s->in[2] == NULL) s->in[2] = make(s, NETCL_F32, 1, 1, &kCount);
  arg.kind = NETCL_ARG_TENSOR;
  arg.tensor = s->in[2];
  must(s, s->kernel_launch(s->kernel, &global, 1, NULL, 0, &arg, 1, NULL, NULL), "launch");
}

static void call_both(Side* s) {
  call_spin(s);
  call_sum(s);
}

static void bench_threads(void) {
  double sum[2], spin[2], both[2];
  if (sides[0].kernel == NULL) return;
  measure(call_sum, sum);
  measure(call_spin, spin);
  measure(call_both, both);
  for (int side = 0; side < side_count; ++side) {
    printf("%s: sum %.3f ms, kernel %.3f, both in turn %.3f, ratio %.2f\n",
           side == 0 ? "threads" : "threads, other", 1e3 * sum[side], 1e3 * spin[side],
           1e3 * both[side], (sum[side] + spin[side]) / both[side]);
  }
}

static void bench_conv2d(const char* name, int64_t channels, int64_t size, int64_t filters,
                         int64_t kernel, int64_t stride) {
  const int64_t facts[6] = {channels, size, filters, kernel, stride, 1};
  memcpy(conv, facts, sizeof conv);
  row(name, call_conv2d);
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  const char* selector = argc > 1 ? argv[1] : "auto";
  if (argc > 2) rounds = atoi(argv[2]);
  if (rounds < 1 || rounds > ROUNDS_MOST) rounds = 15;
  open_side(&sides[0], "libnetcl.so.0", selector);
  if (argc > 3) open_side(&sides[side_count++], argv[3], selector);
  bench_conv2d("conv2d 64 x 56 x 56, 64 of 3 x 3", 64, 56, 64, 3, 1);
  bench_conv2d("conv2d 128 x 56 x 56, 128 of 3 x 3, stride 2", 128, 56, 128, 3, 2);
  bench_conv2d("conv2d 256 x 56 x 56, 64 of 1 x 1", 256, 56, 64, 1, 1);
  pooling = NETCL_POOLING_MAX;
  row("pool max 3 x 3, 8 x 64 x 112 x 112", call_pool);
  pooling = NETCL_POOLING_AVERAGE;
  row("pool average, the same", call_pool);
  largest = 8;
  row("top 8 of 4096 x 1000", call_topk);
  largest = 100;
  row("top 100 of 4096 x 1000", call_topk);
  row("histogram of 2^24, 256 bins", call_histogram);
  row("gather 65536 rows of 256", call_gather);
  row("resize nearest 3 x 512 x 512 to 1280 x 1280", call_resize);
  resizing = NETCL_RESIZE_LINEAR;
  row("resize linear, the same", call_resize);
  distribution = NETCL_UNIFORM;
  row("random uniform, 2^22", call_random);
  distribution = NETCL_NORMAL;
  row("random normal, 2^22", call_random);
  for (edge = 512; edge <= 2048; edge *= 2) {
    char name[32];
    snprintf(name, sizeof name, "matmul %d", (int)edge);
    row(name, call_matmul);
  }
  bench_threads();
  return 0;
}
