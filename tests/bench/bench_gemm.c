/* Matrix products through the public header beside what a user would call instead: OpenBLAS on the
 * same core, and CLBlast on the same OpenCL device. Sides alternate, the best of all rounds counts.
 *
 *   taskset -c 0 bench_gemm [selector] [rounds] [threads of OpenBLAS] [size ...]
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "netcl.h"

#if NETCL_BENCH_OPENBLAS
extern char *openblas_get_corename(void);
extern void openblas_set_num_threads(int count);
#endif

typedef struct {
  double netcl;
  double openblas;
  double clblast;
} Times;

typedef struct {
  netcl_device *device;
#if HAS_CLBLAST
  cl_command_queue queue; /* NULL on the built-in device: no CLBlast there */
  cl_context context;
#endif
} Side;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(netcl_status status, const char *what) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", what, netcl_last_error_message());
  exit(1);
}

static void keep_less(double *best, double value) {
  if (*best == 0.0 || value < *best) *best = value;
}

static float *random_matrix(size_t count, unsigned *state) {
  float *data = malloc(count * sizeof *data);
  size_t i;
  if (data == NULL) exit(1);
  for (i = 0; i < count; ++i) {
    *state = *state * 1664525u + 1013904223u;
    data[i] = (float)(*state >> 8) / 8388608.0f - 1.0f;
  }
  return data;
}

static void run_netcl(Side *side, netcl_tensor *a, netcl_tensor *b, netcl_tensor *c, int repeats,
                      double *best) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  double start;
  int i;
  run.into = c;
  start = now();
  for (i = 0; i < repeats; ++i) check(netcl_op_matmul(a, b, NULL, &run, NULL), "matmul");
  check(netcl_device_finish(side->device, NETCL_WAIT_FOREVER), "finish");
  keep_less(best, (now() - start) / repeats);
}

#if NETCL_BENCH_OPENBLAS
static void run_openblas(int n, const float *a, const float *b, float *c, int repeats,
                         double *best) {
  const double start = now();
  int i;
  for (i = 0; i < repeats; ++i) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0f, a, n, b, n, 0.0f, c, n);
  }
  keep_less(best, (now() - start) / repeats);
}
#endif

#if HAS_CLBLAST
static void run_clblast(Side *side, size_t n, cl_mem a, cl_mem b, cl_mem c, double *best) {
  const double start = now();
  if (CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, n, n, n, 1.0f, a,
                   0, n, b, 0, n, 0.0f, c, 0, n, &side->queue, NULL) != CLBlastSuccess) {
    fprintf(stderr, "CLBlast failed\n");
    exit(1);
  }
  clFinish(side->queue);
  if (best != NULL) keep_less(best, now() - start);
}

/* CLBlast's own copies of the operands, or nothing on the built-in device. */
static void measure_clblast(Side *side, int n, const float *a, const float *b, double *best) {
  const cl_mem_flags copy = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  const size_t bytes = (size_t)n * (size_t)n * sizeof(float);
  cl_mem ca, cb, cc;
  int i;
  if (side->queue == NULL) return;
  ca = clCreateBuffer(side->context, copy, bytes, (void *)a, NULL);
  cb = clCreateBuffer(side->context, copy, bytes, (void *)b, NULL);
  cc = clCreateBuffer(side->context, copy, bytes, (void *)b, NULL);
  run_clblast(side, (size_t)n, ca, cb, cc, NULL); /* builds its kernels */
  for (i = 0; i < 3; ++i) run_clblast(side, (size_t)n, ca, cb, cc, best);
  clReleaseMemObject(ca);
  clReleaseMemObject(cb);
  clReleaseMemObject(cc);
}
#endif

#if NETCL_BENCH_OPENBLAS
static double largest_difference(const float *x, const float *y, size_t count) {
  double largest = 0.0;
  size_t i;
  for (i = 0; i < count; ++i) {
    const double difference = x[i] > y[i] ? x[i] - y[i] : y[i] - x[i];
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}
#endif

static void measure(Side *side, int n, int rounds) {
  const size_t count = (size_t)n * (size_t)n;
  const size_t bytes = count * sizeof(float);
  const int64_t shape[2] = {n, n};
  const double work = 2.0 * n * (double)n * n;
  const int repeats = work < 2e7 ? (int)(2e7 / work) : 1;
  unsigned state = (unsigned)time(NULL);
  float *a = random_matrix(count, &state);
  float *b = random_matrix(count, &state);
  float *c = random_matrix(count, &state);
  float *d = random_matrix(count, &state);
  netcl_tensor *ta, *tb, *tc;
  Times best = {0.0, 0.0, 0.0};
  double unused = 0.0;
  int i;
  check(netcl_tensor_create_from_host(side->device, NETCL_F32, 2, shape, NULL, a, bytes, NULL, &ta),
        "a");
  check(netcl_tensor_create_from_host(side->device, NETCL_F32, 2, shape, NULL, b, bytes, NULL, &tb),
        "b");
  check(netcl_tensor_create_zeros(side->device, NETCL_F32, 2, shape, NULL, NULL, &tc), "c");
  run_netcl(side, ta, tb, tc, 1, &unused);
  for (i = 0; i < rounds; ++i) {
    run_netcl(side, ta, tb, tc, repeats, &best.netcl);
#if NETCL_BENCH_OPENBLAS
    run_openblas(n, a, b, d, repeats, &best.openblas);
#endif
  }
  check(netcl_tensor_read(tc, c, bytes, NULL, NETCL_WAIT_FOREVER), "read");
  printf("%5d  netcl %8.2f GFLOP/s", n, work / best.netcl * 1e-9);
#if NETCL_BENCH_OPENBLAS
  printf("  OpenBLAS %8.2f  ratio %.3f  difference %.2g", work / best.openblas * 1e-9,
         best.openblas / best.netcl, largest_difference(c, d, count));
#endif
#if HAS_CLBLAST
  measure_clblast(side, n, a, b, &best.clblast);
  if (best.clblast > 0.0) {
    printf("  CLBlast %8.2f  ratio %.2f", work / best.clblast * 1e-9, best.clblast / best.netcl);
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

int main(int argc, char **argv) {
  static const int kSizes[] = {512, 768, 1024, 1536, 2048};
  const int rounds = argc > 2 ? atoi(argv[2]) : 15;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  Side side;
  int i;
  memset(&side, 0, sizeof side);
  check(netcl_device_open(argc > 1 ? argv[1] : "auto", NULL, &side.device), "open");
  check(netcl_device_get_info(side.device, &info), "info");
  printf("%s\n", info.name);
#if NETCL_BENCH_OPENBLAS
  if (argc > 3) openblas_set_num_threads(atoi(argv[3]));
  printf("OpenBLAS core %s\n", openblas_get_corename());
#endif
#if HAS_CLBLAST
  if (info.backend == NETCL_BACKEND_OPENCL) {
    struct _cl_context *context = NULL;
    struct _cl_device_id *id = NULL;
    check(netcl_device_get_cl_context(side.device, &context), "context");
    check(netcl_device_get_cl_device(side.device, &id), "device");
    side.context = context;
    side.queue = clCreateCommandQueue(context, id, 0, NULL);
    if (side.queue == NULL) return 1;
  }
#endif
  if (argc > 4) {
    for (i = 4; i < argc; ++i) measure(&side, atoi(argv[i]), rounds);
  } else {
    for (i = 0; i < (int)(sizeof kSizes / sizeof kSizes[0]); ++i) measure(&side, kSizes[i], rounds);
  }
#if HAS_CLBLAST
  if (side.queue != NULL) clReleaseCommandQueue(side.queue);
#endif
  netcl_device_release(side.device);
  return 0;
}
