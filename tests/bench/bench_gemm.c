/* Matrix products through the public header beside what a user would call instead: OpenBLAS on the
 * same core, and CLBlast on the same OpenCL device. Sides alternate, the best of all rounds counts.
 * Then the variants beside each other, and a fused epilogue beside separate ops.
 *
 *   taskset -c 0 bench_gemm [selector] [rounds] [threads of OpenBLAS] [size ...]
 *
 * A ratio is the other side's time by netcl's: above 1 netcl is faster.
 *
 * OPENBLAS_CORETYPE must not be set, or OpenBLAS may run slower than it would by itself. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#if NETCL_BENCH_OPENBLAS
#include <cblas.h>
#endif
#if NETCL_BENCH_CLBLAST && NETCL_BENCH_OPENCL
#define HAS_CLBLAST 1
#include <clblast_c.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "netcl.h"
#include "support_clock.h"

#if NETCL_BENCH_OPENBLAS
extern char* openblas_get_corename(void);
extern void openblas_set_num_threads(int count);
#endif

typedef struct {
  double netcl;
  double openblas;
  double clblast;
} Times;

/* Ratios of all lines, for the summary. */
typedef struct {
  double logarithms;
  double least;
  int count;
} Ratios;

static Ratios openblas_ratios, clblast_ratios;

/* Whether a and b are given as transposes. */
typedef struct {
  const char* name;
  int a, b;
} Transposes;

static const Transposes kTransposes[] = {{"NN", 0, 0}, {"NT", 0, 1}, {"TN", 1, 0}, {"TT", 1, 1}};

typedef struct {
  netcl_device* device;
#if HAS_CLBLAST
  cl_command_queue queue; /* NULL on the built-in device: no CLBlast there */
  cl_context context;
#endif
} Side;

static void keep_less(double* best, double value) {
  if (*best == 0.0 || value < *best) *best = value;
}

static float* random_matrix(size_t count, unsigned* state) {
  float* data = malloc(count * sizeof *data);
  size_t i;
  if (data == NULL) exit(1);
  for (i = 0; i < count; ++i) {
    *state = *state * 1664525u + 1013904223u;
    data[i] = (float)(*state >> 8) / 8388608.0f - 1.0f;
  }
  return data;
}

#if NETCL_BENCH_OPENBLAS || HAS_CLBLAST
static void add_ratio(Ratios* ratios, double ratio) {
  ratios->logarithms += log(ratio);
  if (ratios->count == 0 || ratio < ratios->least) ratios->least = ratio;
  ++ratios->count;
}
#endif

static void print_ratios(const char* peer, const Ratios* ratios) {
  if (ratios->count == 0) return;
  printf("%s: geometric mean %.3f, least %.3f of %d\n", peer,
         exp(ratios->logarithms / ratios->count), ratios->least, ratios->count);
}

static void run_netcl(Side* side, netcl_tensor* a, netcl_tensor* b, netcl_tensor* c,
                      const netcl_matmul_options* options, int repeats, double* best) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  double start;
  int i;
  run.into = c;
  start = now();
  for (i = 0; i < repeats; ++i) check(netcl_op_matmul(a, b, options, &run, NULL), "matmul");
  check(netcl_device_finish(side->device, NETCL_WAIT_FOREVER), "finish");
  keep_less(best, (now() - start) / repeats);
}

#if NETCL_BENCH_OPENBLAS
static void run_openblas(int n, const Transposes* t, const float* a, const float* b, float* c,
                         int repeats, double* best) {
  const double start = now();
  int i;
  for (i = 0; i < repeats; ++i) {
    cblas_sgemm(CblasRowMajor, t->a ? CblasTrans : CblasNoTrans, t->b ? CblasTrans : CblasNoTrans,
                n, n, n, 1.0f, a, n, b, n, 0.0f, c, n);
  }
  keep_less(best, (now() - start) / repeats);
}
#endif

#if HAS_CLBLAST
static void run_clblast(Side* side, size_t n, const Transposes* t, cl_mem a, cl_mem b, cl_mem c,
                        double* best) {
  const double start = now();
  if (CLBlastSgemm(CLBlastLayoutRowMajor, t->a ? CLBlastTransposeYes : CLBlastTransposeNo,
                   t->b ? CLBlastTransposeYes : CLBlastTransposeNo, n, n, n, 1.0f, a, 0, n, b, 0, n,
                   0.0f, c, 0, n, &side->queue, NULL) != CLBlastSuccess) {
    fprintf(stderr, "CLBlast failed\n");
    exit(1);
  }
  clFinish(side->queue);
  if (best != NULL) keep_less(best, now() - start);
}

/* CLBlast's own copies of the operands, or nothing on the built-in device. */
static void measure_clblast(Side* side, int n, const Transposes* t, const float* a, const float* b,
                            double* best) {
  const cl_mem_flags copy = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  const size_t bytes = (size_t)n * (size_t)n * sizeof(float);
  cl_mem ca, cb, cc;
  int i;
  if (side->queue == NULL) return;
  ca = clCreateBuffer(side->context, copy, bytes, (void*)a, NULL);
  cb = clCreateBuffer(side->context, copy, bytes, (void*)b, NULL);
  cc = clCreateBuffer(side->context, copy, bytes, (void*)b, NULL);
  run_clblast(side, (size_t)n, t, ca, cb, cc, NULL); /* builds its kernels */
  for (i = 0; i < 3; ++i) run_clblast(side, (size_t)n, t, ca, cb, cc, best);
  clReleaseMemObject(ca);
  clReleaseMemObject(cb);
  clReleaseMemObject(cc);
}
#endif

/* A square matrix of random elements, seen as its transpose when asked. */
static netcl_tensor* matrix(Side* side, int n, const float* data, int transposed) {
  const int64_t shape[2] = {n, n};
  const uint32_t axes[2] = {1, 0};
  netcl_tensor *tensor = NULL, *view = NULL;
  check(netcl_tensor_create_from_host(side->device, NETCL_F32, 2, shape, NULL, data,
                                      (size_t)n * (size_t)n * sizeof *data, NULL, &tensor),
        "tensor");
  if (!transposed) return tensor;
  check(netcl_tensor_permute(tensor, axes, 2, &view), "transpose");
  netcl_tensor_release(tensor);
  return view;
}

#if NETCL_BENCH_OPENBLAS
static double largest_difference(const float* x, const float* y, size_t count) {
  double largest = 0.0;
  size_t i;
  for (i = 0; i < count; ++i) {
    const double difference = x[i] > y[i] ? x[i] - y[i] : y[i] - x[i];
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}
#endif

static void measure(Side* side, int n, const Transposes* t, int rounds) {
  const size_t count = (size_t)n * (size_t)n;
  const double work = 2.0 * n * (double)n * n;
  const int repeats = work < 2e7 ? (int)(2e7 / work) : 1;
  unsigned state = (unsigned)time(NULL);
  float* a = random_matrix(count, &state);
  float* b = random_matrix(count, &state);
  float* c = random_matrix(count, &state);
  float* d = random_matrix(count, &state);
  netcl_tensor* ta = matrix(side, n, a, t->a);
  netcl_tensor* tb = matrix(side, n, b, t->b);
  netcl_tensor* tc = matrix(side, n, c, 0);
  Times best = {0.0, 0.0, 0.0};
  double unused = 0.0;
  int i;
  run_netcl(side, ta, tb, tc, NULL, 1, &unused);
  for (i = 0; i < rounds; ++i) {
    run_netcl(side, ta, tb, tc, NULL, repeats, &best.netcl);
#if NETCL_BENCH_OPENBLAS
    run_openblas(n, t, a, b, d, repeats, &best.openblas);
#endif
  }
  check(netcl_tensor_read(tc, c, count * sizeof *c, NULL, NETCL_WAIT_FOREVER), "read");
  printf("%5d %s  netcl %8.2f GFLOP/s", n, t->name, work / best.netcl * 1e-9);
#if NETCL_BENCH_OPENBLAS
  printf("  OpenBLAS %8.2f  ratio %.3f  difference %.2g", work / best.openblas * 1e-9,
         best.openblas / best.netcl, largest_difference(c, d, count));
  add_ratio(&openblas_ratios, best.openblas / best.netcl);
#endif
#if HAS_CLBLAST
  measure_clblast(side, n, t, a, b, &best.clblast);
  if (best.clblast > 0.0) {
    printf("  CLBlast %8.2f  ratio %.2f", work / best.clblast * 1e-9, best.clblast / best.netcl);
    add_ratio(&clblast_ratios, best.clblast / best.netcl);
  }
#endif
  printf("\n");
  fflush(stdout);
  netcl_tensor_release(ta);
  netcl_tensor_release(tb);
  netcl_tensor_release(tc);
  free(a);
  free(b);
  free(c);
  free(d);
}

/* Every variant at one size, relative to the tiled one. */
static void measure_variants(Side* side, int n, int rounds) {
  const double work = 2.0 * n * (double)n * n;
  unsigned state = (unsigned)time(NULL);
  float* data = random_matrix((size_t)n * (size_t)n, &state);
  netcl_tensor *a = matrix(side, n, data, 0), *b = matrix(side, n, data, 0);
  netcl_tensor* c = matrix(side, n, data, 0);
  double best[4] = {0.0, 0.0, 0.0, 0.0};
  int round, v;
  for (round = 0; round <= rounds; ++round) {
    for (v = 0; v < 4; ++v) {
      netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
      double ignored = 0.0;
      options.variant = NETCL_VARIANT_MATMUL_NAIVE + v;
      if (round > 1 && v < 2) continue; /* slow, and known after two rounds */
      run_netcl(side, a, b, c, &options, 1, round == 0 ? &ignored : &best[v]);
    }
  }
  for (v = 0; v < 4; ++v) {
    printf("%5d %-22s %8.2f GFLOP/s  %6.2f of tiled\n", n,
           netcl_variant_name(NETCL_VARIANT_MATMUL_NAIVE + v), work / best[v] * 1e-9,
           best[1] / best[v]);
  }
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(c);
  free(data);
}

/* gelu(a b + bias) as one call and as a product with an expression after it. */
static void measure_epilogue(Side* side, int n, int rounds) {
  const int64_t shape[1] = {n};
  unsigned state = (unsigned)time(NULL);
  float* data = random_matrix((size_t)n * (size_t)n, &state);
  netcl_tensor *a = matrix(side, n, data, 0), *b = matrix(side, n, data, 0);
  netcl_tensor* c = matrix(side, n, data, 0);
  netcl_tensor* inputs[2];
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  double fused = 0.0, separate = 0.0, plain = 0.0, start, ignored = 0.0;
  int round;
  inputs[0] = c;
  check(netcl_tensor_create_from_host(side->device, NETCL_F32, 1, shape, NULL, data,
                                      (size_t)n * sizeof *data, NULL, &inputs[1]),
        "bias");
  epilogue.bias = inputs[1];
  epilogue.activation = NETCL_ACTIVATION_GELU;
  options.epilogue = &epilogue;
  run.into = c;
  for (round = 0; round <= rounds; ++round) {
    run_netcl(side, a, b, c, NULL, 1, round == 0 ? &ignored : &plain);
    run_netcl(side, a, b, c, &options, 1, round == 0 ? &ignored : &fused);
    start = now();
    check(netcl_op_matmul(a, b, NULL, &run, NULL), "matmul");
    check(netcl_op_expression_text("gelu(v0 + v1)", inputs, 2, NULL, &run, NULL), "expression");
    check(netcl_device_finish(side->device, NETCL_WAIT_FOREVER), "finish");
    if (round > 0) keep_less(&separate, now() - start);
  }
  printf("%5d gelu(a b + bias): fused %.3f ms, separate %.3f ms, ratio %.3f; product alone %.3f\n",
         n, fused * 1e3, separate * 1e3, separate / fused, plain * 1e3);
  netcl_tensor_release(inputs[1]);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(c);
  free(data);
}

/* Many small products: one call for a batch of 16 x 16 matrices. */
static void measure_batch(Side* side, int rounds) {
  const int64_t shape[3] = {4096, 16, 16};
  const double work = 2.0 * 4096 * 16 * 16 * 16;
  unsigned state = (unsigned)time(NULL);
  float* data = random_matrix((size_t)4096 * 256, &state);
  netcl_tensor* tensors[3];
  double best = 0.0, ignored = 0.0;
  int i;
  for (i = 0; i < 3; ++i) {
    check(netcl_tensor_create_from_host(side->device, NETCL_F32, 3, shape, NULL, data,
                                        (size_t)4096 * 256 * sizeof *data, NULL, &tensors[i]),
          "batch");
  }
  for (i = 0; i <= rounds; ++i) {
    run_netcl(side, tensors[0], tensors[1], tensors[2], NULL, 1, i == 0 ? &ignored : &best);
  }
  printf("batch of 4096 products of 16 x 16: %.3f ms, %.2f GFLOP/s\n", best * 1e3,
         work / best * 1e-9);
  for (i = 0; i < 3; ++i) netcl_tensor_release(tensors[i]);
  free(data);
}

static void open_side(const char* selector, Side* side) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  memset(side, 0, sizeof *side);
  check(netcl_device_open(selector, NULL, &side->device), "open");
  check(netcl_device_get_info(side->device, &info), "info");
  printf("%s\n", info.name);
#if HAS_CLBLAST
  if (info.backend == NETCL_BACKEND_OPENCL) {
    struct _cl_context* context = NULL;
    struct _cl_device_id* id = NULL;
    check(netcl_device_get_cl_context(side->device, &context), "context");
    check(netcl_device_get_cl_device(side->device, &id), "device");
    side->context = context;
    side->queue = clCreateCommandQueue(context, id, 0, NULL);
    if (side->queue == NULL) exit(1);
  }
#endif
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  static const int kSizes[] = {509, 512, 768, 1021, 1024, 1531, 1536, 2048};
  const int rounds = argc > 2 ? atoi(argv[2]) : 15;
  Side side;
  int i, t;
  open_side(argc > 1 ? argv[1] : "auto", &side);
#if NETCL_BENCH_OPENBLAS
  if (argc > 3) openblas_set_num_threads(atoi(argv[3]));
  printf("OpenBLAS core %s\n", openblas_get_corename());
#endif
  if (argc > 4) {
    for (i = 4; i < argc; ++i) measure(&side, atoi(argv[i]), &kTransposes[0], rounds);
  } else {
    for (i = 0; i < (int)(sizeof kSizes / sizeof kSizes[0]); ++i) {
      for (t = 0; t < 4; ++t) measure(&side, kSizes[i], &kTransposes[t], rounds);
    }
  }
  print_ratios("OpenBLAS", &openblas_ratios);
  print_ratios("CLBlast", &clblast_ratios);
  measure_variants(&side, 512, rounds);
  measure_epilogue(&side, 512, rounds);
  measure_batch(&side, rounds);
#if HAS_CLBLAST
  if (side.queue != NULL) clReleaseCommandQueue(side.queue);
#endif
  netcl_device_release(side.device);
  return 0;
}
