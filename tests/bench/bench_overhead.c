/*
 * What netcl's calls cost beside the raw OpenCL calls they stand for.
 *
 *   bench_overhead [selector]        launch, ops, pool, transfers
 *   bench_overhead builtin           ops on the built-in device, which has no raw calls
 *   bench_overhead [selector] --ops  launch and ops only
 *   bench_overhead [selector] --driver   the same, with the time inside the driver told apart
 *   bench_overhead [selector] --first-call   the first kernel of a process, from create to end
 *
 * Both sides run in turn in one process; the figures are medians over rounds and
 * their ratio. Transfers move 256 MiB of random bytes from ordinary memory.
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "netcl.h"
#include "support_clock.h"

#define ROUNDS 15
static void check_cl(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "%s: OpenCL code %d\n", what, code);
  exit(1);
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

/* With --driver: what timed_cl has counted of the calls that netcl makes. */
static const uint64_t* driver_ns = NULL;

/* Has netcl take the loader that times its calls, which lies beside this program. */
static void time_the_driver(void) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  char* const name = length > 0 ? (path[length] = '\0', strrchr(path, '/')) : NULL;
  if (name == NULL || name - path > PATH_MAX - 32) exit(1);
  strcpy(name, "/libtimed_cl.so");
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) driver_ns = dlsym(library, "timed_cl_ns");
  if (driver_ns == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  setenv("NETCL_OPENCL_LIBRARY", path, 1);
}

static const char* kSource =
    "__kernel void touch(__global float *x, __global const float *y, const float a) {\n"
    "  const size_t i = get_global_id(0);\n"
    "  x[i] = y[i] * a;\n"
    "}\n";

typedef struct {
  netcl_device* device;
  netcl_device_info info;
  netcl_queue* queue;
  netcl_kernel* kernel;
  netcl_tensor *x, *y;
  cl_command_queue raw_queue;
  cl_kernel raw_kernel;
  cl_mem raw_x, raw_y;
} Setup;

static void set_up(Setup* s, const char* selector) {
  const int64_t shape[1] = {1024};
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  struct _cl_context* context;
  struct _cl_device_id* device;
  netcl_buffer* buffer;
  cl_program program;
  cl_int code;
  CHECK(netcl_device_open(selector, NULL, &s->device));
  CHECK(netcl_device_get_queue(s->device, &s->queue));
  CHECK(netcl_tensor_create_zeros(s->device, NETCL_F32, 1, shape, NULL, NULL, &s->x));
  CHECK(netcl_tensor_create_zeros(s->device, NETCL_F32, 1, shape, NULL, NULL, &s->y));
  CHECK(netcl_device_get_info(s->device, &s->info));
  if (s->info.backend == NETCL_BACKEND_BUILTIN) return;
  options.source = kSource;
  CHECK(netcl_kernel_create(s->device, "touch", &options, &s->kernel));
  CHECK(netcl_kernel_build(s->kernel));
  CHECK(netcl_device_get_cl_context(s->device, &context));
  CHECK(netcl_device_get_cl_device(s->device, &device));
  s->raw_queue = clCreateCommandQueue(context, device, 0, &code);
  check_cl(code, "clCreateCommandQueue");
  program = clCreateProgramWithSource(context, 1, &kSource, NULL, &code);
  check_cl(code, "clCreateProgramWithSource");
  check_cl(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  s->raw_kernel = clCreateKernel(program, "touch", &code);
  check_cl(code, "clCreateKernel");
  CHECK(netcl_tensor_get_buffer(s->x, &buffer));
  CHECK(netcl_buffer_get_cl_mem(buffer, &s->raw_x));
  netcl_buffer_release(buffer);
  CHECK(netcl_tensor_get_buffer(s->y, &buffer));
  CHECK(netcl_buffer_get_cl_mem(buffer, &s->raw_y));
  netcl_buffer_release(buffer);
}

static void raw_launch(Setup* s) {
  const size_t global = 1024, local = 64;
  const float a = 2.0f;
  clSetKernelArg(s->raw_kernel, 0, sizeof s->raw_x, &s->raw_x);
  clSetKernelArg(s->raw_kernel, 1, sizeof s->raw_y, &s->raw_y);
  clSetKernelArg(s->raw_kernel, 2, sizeof a, &a);
  clEnqueueNDRangeKernel(s->raw_queue, s->raw_kernel, 1, NULL, &global, &local, 0, NULL, NULL);
}

static void netcl_launch(Setup* s) {
  const uint64_t global = 1024, local = 64;
  const float a = 2.0f;
  netcl_arg args[3] = {NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT};
  args[0].kind = NETCL_ARG_TENSOR;
  args[0].tensor = s->x;
  args[1].kind = NETCL_ARG_TENSOR;
  args[1].tensor = s->y;
  args[2].kind = NETCL_ARG_SCALAR;
  args[2].size = sizeof a;
  memcpy(args[2].value, &a, sizeof a);
  CHECK(netcl_kernel_launch(s->kernel, &global, 1, &local, 1, args, 3, NULL, NULL));
}

/* Enqueue time per launch, of batches that the queue holds without blocking. */
static void bench_launch(Setup* s) {
  enum { BATCH = 200, BATCHES = 10 };
  double raw[ROUNDS], ours[ROUNDS];
  for (int round = -2; round < ROUNDS; ++round) {
    double raw_time = 0, our_time = 0;
    for (int batch = 0; batch < BATCHES; ++batch) {
      double begin = now();
      for (int i = 0; i < BATCH; ++i) raw_launch(s);
      raw_time += now() - begin;
      clFinish(s->raw_queue);
      begin = now();
      for (int i = 0; i < BATCH; ++i) netcl_launch(s);
      our_time += now() - begin;
      CHECK(netcl_queue_finish(s->queue, NETCL_WAIT_FOREVER));
    }
    if (round < 0) continue;
    raw[round] = raw_time / (BATCH * BATCHES);
    ours[round] = our_time / (BATCH * BATCHES);
  }
  const double r = median(raw, ROUNDS), o = median(ours, ROUNDS);
  printf("%-34s raw %8.3f us   netcl %8.3f us   %+.3f us\n", "launch, no event", r * 1e6, o * 1e6,
         (o - r) * 1e6);
}

static void bench_pool(Setup* s) {
  static const uint64_t sizes[3] = {4096, 1 << 20, 64 << 20};
  struct _cl_context* context;
  netcl_pool* pool;
  CHECK(netcl_device_get_cl_context(s->device, &context));
  CHECK(netcl_device_get_pool(s->device, NETCL_POOL_PERSISTENT, &pool));
  for (int k = 0; k < 3; ++k) {
    double raw[ROUNDS], ours[ROUNDS];
    netcl_buffer* buffer;
    const int count = 50;
    for (int round = -1; round < ROUNDS; ++round) {
      const unsigned char zero = 0;
      double begin = now();
      for (int i = 0; i < 3; ++i) {
        cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, sizes[k], NULL, NULL);
        clEnqueueFillBuffer(s->raw_queue, mem, &zero, 1, 0, 1, 0, NULL, NULL);
        clFinish(s->raw_queue);
        clReleaseMemObject(mem);
      }
      const double raw_time = (now() - begin) / 3;
      CHECK(netcl_pool_allocate(pool, sizes[k], &buffer));
      netcl_buffer_release(buffer);
      begin = now();
      for (int i = 0; i < count; ++i) {
        CHECK(netcl_pool_allocate(pool, sizes[k], &buffer));
        netcl_buffer_release(buffer);
      }
      if (round < 0) continue;
      ours[round] = (now() - begin) / count;
      raw[round] = raw_time;
    }
    const double r = median(raw, ROUNDS), o = median(ours, ROUNDS);
    printf("pool hit and release, %8llu B    create+touch+release %8.2f us   netcl %6.3f us\n",
           (unsigned long long)sizes[k], r * 1e6, o * 1e6);
  }
  netcl_pool_release(pool);
}

static void bench_transfer(Setup* s) {
  const size_t bytes = (size_t)256 << 20;
  const int64_t shape[1] = {(int64_t)bytes};
  unsigned char* host = malloc(bytes);
  unsigned seed = 12345;
  double raw_up[ROUNDS], up[ROUNDS], raw_down[ROUNDS], down[ROUNDS];
  netcl_tensor* tensor;
  netcl_buffer* buffer;
  cl_mem mem;
  if (host == NULL) return;
  for (size_t i = 0; i < bytes; ++i) host[i] = (unsigned char)((seed = seed * 1664525u + 1) >> 24);
  CHECK(netcl_tensor_create_zeros(s->device, NETCL_U8, 1, shape, NULL, NULL, &tensor));
  CHECK(netcl_tensor_get_buffer(tensor, &buffer));
  CHECK(netcl_buffer_get_cl_mem(buffer, &mem));
  for (int round = -1; round < ROUNDS; ++round) {
    double begin = now();
    clEnqueueWriteBuffer(s->raw_queue, mem, CL_TRUE, 0, bytes, host, 0, NULL, NULL);
    const double raw_write = now() - begin;
    begin = now();
    CHECK(netcl_tensor_write(tensor, host, bytes, NULL, NETCL_WAIT_FOREVER));
    CHECK(netcl_tensor_wait(tensor, NETCL_WAIT_FOREVER));
    const double write = now() - begin;
    begin = now();
    clEnqueueReadBuffer(s->raw_queue, mem, CL_TRUE, 0, bytes, host, 0, NULL, NULL);
    const double raw_read = now() - begin;
    begin = now();
    CHECK(netcl_tensor_read(tensor, host, bytes, NULL, NETCL_WAIT_FOREVER));
    const double read = now() - begin;
    if (round < 0) continue;
    raw_up[round] = raw_write;
    up[round] = write;
    raw_down[round] = raw_read;
    down[round] = read;
  }
  const double gb = (double)bytes * 1e-9;
  printf("%-34s raw %8.2f GB/s  netcl %8.2f GB/s\n", "256 MiB to the device, pageable",
         gb / median(raw_up, ROUNDS), gb / median(up, ROUNDS));
  printf("%-34s raw %8.2f GB/s  netcl %8.2f GB/s\n", "256 MiB to the host, pageable",
         gb / median(raw_down, ROUNDS), gb / median(down, ROUNDS));
  netcl_buffer_release(buffer);
  netcl_tensor_release(tensor);
  free(host);
}

/* What the op calls work on: small enough that the calls themselves are what takes time. */
typedef struct {
  netcl_expression* sum;
  netcl_tensor *matrix, *product, *row, *chance, *total;
  netcl_run_options run;
  int fresh; /* 1: a new result each time, which is released at once */
} Ops;

/* What a call writes to: a kept tensor, or nothing that was there before. */
static const netcl_run_options* output(Ops* o, netcl_tensor* kept) {
  if (o->fresh) return NULL;
  o->run.into = kept;
  return &o->run;
}

static netcl_status call_expression(Setup* s, Ops* o, netcl_tensor** result) {
  netcl_tensor* inputs[2] = {s->x, s->y};
  return netcl_op_expression(o->sum, inputs, 2, NULL, output(o, s->x), result);
}
static netcl_status call_operator(Setup* s, Ops* o, netcl_tensor** result) {
  netcl_tensor* inputs[2] = {s->x, s->y};
  return netcl_op_elementwise(NETCL_ELEMENTWISE_ADD, inputs, 2, NULL, output(o, s->x), result);
}
static netcl_status call_matmul(Setup* s, Ops* o, netcl_tensor** result) {
  (void)s;
  return netcl_op_matmul(o->matrix, o->matrix, NULL, output(o, o->product), result);
}
static netcl_status call_softmax(Setup* s, Ops* o, netcl_tensor** result) {
  (void)s;
  return netcl_op_softmax(o->row, -1, output(o, o->chance), result);
}
static netcl_status call_layernorm(Setup* s, Ops* o, netcl_tensor** result) {
  (void)s;
  return netcl_op_layernorm(o->row, -1, NULL, output(o, o->chance), result);
}
static netcl_status call_reduce(Setup* s, Ops* o, netcl_tensor** result) {
  (void)s;
  return netcl_op_reduce(o->row, NETCL_REDUCTION_SUM, NULL, output(o, o->total), result);
}

typedef netcl_status (*OpCall)(Setup*, Ops*, netcl_tensor**);

static void run_op(Setup* s, Ops* o, const char* name, OpCall call) {
  netcl_tensor* result = NULL;
  check(call(s, o, o->fresh ? &result : NULL), name);
  netcl_tensor_release(result);
}

/* One op call on small tensors: everything the library does around one enqueue. On the built-in
 * device the work itself is in the figure. The raw side sets three arguments, as many as the calls
 * of netcl or more (scalars that stay the same are not set again), and writes to a kept buffer. */
static void bench_op(Setup* s, Ops* o, const char* name, OpCall call) {
  enum { BATCH = 200, BATCHES = 10 };
  double raw[ROUNDS], ours[ROUNDS], beside[ROUNDS];
  const int opencl = s->info.backend == NETCL_BACKEND_OPENCL;
  for (int round = -2; round < ROUNDS; ++round) {
    double raw_time = 0, time = 0, inside = 0;
    for (int batch = 0; batch < BATCHES; ++batch) {
      double begin = now();
      for (int i = 0; opencl && i < BATCH; ++i) raw_launch(s);
      raw_time += now() - begin;
      if (opencl) clFinish(s->raw_queue);
      const uint64_t before = driver_ns != NULL ? *driver_ns : 0;
      begin = now();
      for (int i = 0; i < BATCH; ++i) run_op(s, o, name, call);
      time += now() - begin;
      if (driver_ns != NULL) inside += (double)(*driver_ns - before) * 1e-9;
      CHECK(netcl_queue_finish(s->queue, NETCL_WAIT_FOREVER));
    }
    if (round < 0) continue;
    raw[round] = raw_time / (BATCH * BATCHES);
    ours[round] = time / (BATCH * BATCHES);
    beside[round] = (time - inside) / (BATCH * BATCHES);
  }
  const double r = median(raw, ROUNDS), t = median(ours, ROUNDS);
  if (opencl && driver_ns != NULL) {
    printf("%-34s raw %8.3f us   netcl %8.3f us, of which beside the driver %.3f us\n", name,
           r * 1e6, t * 1e6, median(beside, ROUNDS) * 1e6);
  } else if (opencl) {
    printf("%-34s raw %8.3f us   netcl %8.3f us   %+.3f us\n", name, r * 1e6, t * 1e6,
           (t - r) * 1e6);
  } else {
    printf("%-34s netcl %8.3f us\n", name, t * 1e6);
  }
}

static void bench_ops(Setup* s) {
  const int64_t square[2] = {16, 16}, row[2] = {1, 1024};
  const netcl_run_options no_run = NETCL_RUN_OPTIONS_INIT;
  Ops o;
  CHECK(netcl_expression_create("v0 + v1", &o.sum));
  CHECK(netcl_tensor_create_zeros(s->device, NETCL_F32, 2, square, NULL, NULL, &o.matrix));
  CHECK(netcl_tensor_create_zeros(s->device, NETCL_F32, 2, square, NULL, NULL, &o.product));
  CHECK(netcl_tensor_create_zeros(s->device, NETCL_F32, 2, row, NULL, NULL, &o.row));
  CHECK(netcl_tensor_create_zeros(s->device, NETCL_F32, 2, row, NULL, NULL, &o.chance));
  CHECK(netcl_tensor_create_zeros(s->device, NETCL_F32, 0, NULL, NULL, NULL, &o.total));
  o.run = no_run;
  for (o.fresh = 0; o.fresh < 2; ++o.fresh) {
    printf("%s\n", o.fresh ? "each with a new result:" : "each into a kept tensor:");
    bench_op(s, &o, "expression of 1024 elements", call_expression);
    bench_op(s, &o, "operator Add of 1024 elements", call_operator);
    bench_op(s, &o, "matmul 16 x 16", call_matmul);
    bench_op(s, &o, "softmax of a row of 1024", call_softmax);
    bench_op(s, &o, "layernorm of a row of 1024", call_layernorm);
    bench_op(s, &o, "sum of 1024", call_reduce);
  }
  netcl_tensor_release(o.matrix);
  netcl_tensor_release(o.product);
  netcl_tensor_release(o.row);
  netcl_tensor_release(o.chance);
  netcl_tensor_release(o.total);
  netcl_expression_release(o.sum);
}

static int first_call(const char* selector) {
  Setup s;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_program_cache_info cache = NETCL_PROGRAM_CACHE_INFO_INIT;
  const int64_t shape[1] = {1024};
  CHECK(netcl_device_open(selector, NULL, &s.device));
  CHECK(netcl_device_get_queue(s.device, &s.queue));
  CHECK(netcl_tensor_create_zeros(s.device, NETCL_F32, 1, shape, NULL, NULL, &s.x));
  CHECK(netcl_tensor_create_zeros(s.device, NETCL_F32, 1, shape, NULL, NULL, &s.y));
  CHECK(netcl_queue_finish(s.queue, NETCL_WAIT_FOREVER));
  const double begin = now();
  options.source = kSource;
  CHECK(netcl_kernel_create(s.device, "touch", &options, &s.kernel));
  netcl_launch(&s);
  CHECK(netcl_queue_finish(s.queue, NETCL_WAIT_FOREVER));
  const double end = now();
  CHECK(netcl_program_cache_get_info(&cache));
  printf("first call of a kernel in this process: %.2f ms (%llu from disk, %llu compiled)\n",
         (end - begin) * 1e3, (unsigned long long)cache.disk_hits,
         (unsigned long long)cache.source_builds);
  return 0;
}

int main(int argc, char** argv) {
  Setup s;
  const netcl_device_info no_info = NETCL_DEVICE_INFO_INIT;
  const char* selector = "cpu";
  int first = 0, only_ops = 0;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--first-call") == 0) {
      first = 1;
    } else if (strcmp(argv[i], "--ops") == 0) {
      only_ops = 1;
    } else if (strcmp(argv[i], "--driver") == 0) {
      only_ops = 1;
      time_the_driver();
    } else {
      selector = argv[i];
    }
  }
  if (first) return first_call(selector);
  s.info = no_info;
  set_up(&s, selector);
  printf("%s\n", s.info.name);
  if (s.info.backend == NETCL_BACKEND_BUILTIN) {
    bench_ops(&s);
    return 0;
  }
  bench_launch(&s);
  bench_ops(&s);
  if (only_ops) return 0;
  bench_pool(&s);
  bench_transfer(&s);
  return 0;
}
