/*
 * Softmax, layer and batch normalisation through the public header beside plain C with the same
 * number of threads, and softmax beside oneDNN where it is installed.
 *
 *   bench_norm [selector] [threads] [rounds] [megabytes] [calls in a row]
 *
 * The plain loops (plain/norm.c) are compiled when the program starts, by $CC or cc with -O3
 * -march=native -ffast-math; a C++ compiler makes the same code of them. Sides alternate, four
 * calls in a row each; the figures are the best of the rounds, as fits a machine that others use
 * too, and GB/s count one read and one write.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "netcl.h"
#include "support_clock.h"

#define ROUNDS_MOST 101
#define THREADS_MOST 64
#define CHANNELS 64
#define PLANE (56 * 56)

typedef void (*Plain)(const float*, const float*, const float*, float*, size_t, size_t);

typedef struct Bench {
  netcl_device* device;
  netcl_queue* queue;
  float *x, *y, *scale, *bias;
  netcl_tensor *in, *out, *middle;
  netcl_tensor* parameters[4]; /* scale, bias, mean, variance */
  size_t elements;
  int rounds, threads, calls;
  void* plain;
} Bench;

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double best(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[0];
}

/* Compiles the plain loops beside this file, with oneDNN when that links, and loads them. */
static void* load_plain(void) {
  static const char* const kWays[] = {"-DHAS_DNNL", "-ldnnl 2>/dev/null", "", ""};
  char folder[] = P_tmpdir "/netcl-bench-XXXXXX";
  char source[4096], library[256], command[16384];
  const char* compiler = getenv("CC") != NULL ? getenv("CC") : "cc";
  void* handle = NULL;
  snprintf(source, sizeof source, "%s", __FILE__);
  char* slash = strrchr(source, '/');
  snprintf(slash != NULL ? slash + 1 : source, 64, "plain/norm.c");
  if (mkdtemp(folder) == NULL) exit(1);
  snprintf(library, sizeof library, "%s/plain.so", folder);
  for (int way = 0; way < 4 && handle == NULL; way += 2) {
    snprintf(command, sizeof command,
             "%s -O3 -march=native -ffast-math %s -fPIC -shared -o %s %s -lm %s", compiler,
             kWays[way], library, source, kWays[way + 1]);
    if (system(command) == 0) handle = dlopen(library, RTLD_NOW);
  }
  unlink(library);
  rmdir(folder);
  if (handle == NULL) exit(1);
  return handle;
}

typedef struct Part {
  pthread_t thread;
  Plain run;
  const Bench* bench;
  size_t first, rows, n;
} Part;

static void* run_part(void* part) {
  const Part* p = part;
  const Bench* b = p->bench;
  p->run(b->x + p->first * p->n, b->scale, b->bias, b->y + p->first * p->n, p->rows, p->n);
  return NULL;
}

static void run_plain(const Bench* bench, Plain run, size_t rows, size_t n) {
  Part parts[THREADS_MOST];
  const size_t threads = (size_t)bench->threads;
  for (size_t t = 0; t < threads; ++t) {
    const size_t first = rows * t / threads / CHANNELS * CHANNELS;
    const size_t last = t + 1 == threads ? rows : rows * (t + 1) / threads / CHANNELS * CHANNELS;
    const Part part = {0, run, bench, first, last - first, n};
    parts[t] = part;
    if (t > 0) pthread_create(&parts[t].thread, NULL, run_part, &parts[t]);
  }
  run_part(&parts[0]);
  for (size_t t = 1; t < threads; ++t) pthread_join(parts[t].thread, NULL);
}

typedef enum Work { SOFTMAX, LAYERNORM, FUSED, SEPARATE } Work;

static void call_netcl(Bench* bench, Work work) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_norm_options norm = NETCL_NORM_OPTIONS_INIT;
  netcl_batchnorm_options batch = NETCL_BATCHNORM_OPTIONS_INIT;
  run.into = work == SEPARATE ? bench->middle : bench->out;
  norm.scale = batch.scale = bench->parameters[0];
  norm.bias = batch.bias = bench->parameters[1];
  if (work == SOFTMAX) {
    CHECK(netcl_op_softmax(bench->in, -1, &run, NULL));
  } else if (work == LAYERNORM) {
    CHECK(netcl_op_layernorm(bench->in, -1, &norm, &run, NULL));
  } else {
    batch.variant = work == FUSED ? NETCL_VARIANT_BATCHNORM_FUSED : NETCL_VARIANT_BATCHNORM_NAIVE;
    batch.activation = work == FUSED ? NETCL_ACTIVATION_RELU : NETCL_ACTIVATION_NONE;
    CHECK(netcl_op_batchnorm(bench->in, bench->parameters[2], bench->parameters[3], &batch, &run,
                             NULL));
    if (work == SEPARATE) {
      run.into = bench->out;
      CHECK(netcl_op_expression_text("relu(v0)", &bench->middle, 1, NULL, &run, NULL));
    }
  }
}

/* The time of one call, out of some that are enqueued one after the other. */
static double time_netcl(Bench* bench, Work work) {
  const double begin = now();
  for (int i = 0; i < bench->calls; ++i) call_netcl(bench, work);
  CHECK(netcl_queue_finish(bench->queue, NETCL_WAIT_FOREVER));
  return (now() - begin) / bench->calls;
}

static void make_tensors(Bench* bench, uint32_t rank, const int64_t* shape, int64_t parameters) {
  netcl_device* const d = bench->device;
  const size_t bytes = bench->elements * 4;
  CHECK(netcl_tensor_create_from_host(d, NETCL_F32, rank, shape, NULL, bench->x, bytes, NULL,
                                      &bench->in));
  CHECK(netcl_tensor_create_zeros(d, NETCL_F32, rank, shape, NULL, NULL, &bench->out));
  CHECK(netcl_tensor_create_zeros(d, NETCL_F32, rank, shape, NULL, NULL, &bench->middle));
  for (int i = 0; i < 4; ++i) {
    const float* values = i == 0 || i == 3 ? bench->scale : bench->bias;
    CHECK(netcl_tensor_create_from_host(d, NETCL_F32, 1, &parameters, NULL, values,
                                        (size_t)parameters * 4, NULL, &bench->parameters[i]));
  }
}

static void release_tensors(Bench* bench) {
  netcl_tensor_release(bench->in);
  netcl_tensor_release(bench->out);
  netcl_tensor_release(bench->middle);
  for (int i = 0; i < 4; ++i) netcl_tensor_release(bench->parameters[i]);
}

static void report(const char* name, const char* other, double ours, double theirs, double bytes) {
  printf("%-20s netcl %8.3f ms (%5.1f GB/s)   %-24s %8.3f ms (%5.1f GB/s)   ratio %.2f\n", name,
         ours * 1e3, bytes / ours * 1e-9, other, theirs * 1e3, bytes / theirs * 1e-9,
         theirs / ours);
  fflush(stdout);
}

/* Times one piece of work beside each opponent in turn; a NULL plain function is `other`. */
static void measure(Bench* bench, const char* name, Work work, const char* opponent, Plain plain,
                    void (*other)(void), size_t rows, size_t n) {
  double ours[ROUNDS_MOST], theirs[ROUNDS_MOST];
  for (int round = -2; round < bench->rounds; ++round) {
    double their_time = 0;
    if (plain == NULL && other == NULL) {
      their_time = time_netcl(bench, SEPARATE);
    } else {
      const double begin = now();
      for (int i = 0; i < bench->calls; ++i) {
        if (plain != NULL) {
          run_plain(bench, plain, rows, n);
        } else {
          other();
        }
      }
      their_time = (now() - begin) / bench->calls;
    }
    const double our_time = time_netcl(bench, work);
    if (round < 0) continue;
    ours[round] = our_time;
    theirs[round] = their_time;
  }
  report(name, opponent, best(ours, bench->rounds), best(theirs, bench->rounds),
         8.0 * (double)rows * (double)n);
}

static void bench_rows(Bench* bench, Work work, const char* name, size_t n,
                       const char* const* opponents) {
  const size_t rows = bench->elements / n / CHANNELS * CHANNELS;
  const int64_t shape[2] = {(int64_t)rows, (int64_t)n};
  const size_t kept = bench->elements;
  bench->elements = rows * n;
  make_tensors(bench, 2, shape, (int64_t)n);
  for (; *opponents != NULL; ++opponents) {
    measure(bench, name, work, *opponents, (Plain)dlsym(bench->plain, *opponents), NULL, rows, n);
  }
  int (*prepare)(float*, float*, size_t, size_t) =
      (int (*)(float*, float*, size_t, size_t))dlsym(bench->plain, "dnnl_prepare");
  if (work == SOFTMAX && prepare != NULL && prepare(bench->x, bench->y, rows, n) == 0) {
    measure(bench, name, work, "oneDNN", NULL, (void (*)(void))dlsym(bench->plain, "dnnl_run"),
            rows, n);
  }
  release_tensors(bench);
  bench->elements = kept;
}

static void bench_batchnorm(Bench* bench) {
  const int64_t batch = (int64_t)(bench->elements / (CHANNELS * PLANE)) + 1;
  const int64_t shape[4] = {batch, CHANNELS, 56, 56};
  const size_t rows = (size_t)batch * CHANNELS;
  bench->elements = rows * PLANE;
  make_tensors(bench, 4, shape, CHANNELS);
  measure(bench, "batchnorm+relu fused", FUSED, "naive, then relu", NULL, NULL, rows, PLANE);
  measure(bench, "batchnorm+relu fused", FUSED, "plain_batchnorm_relu",
          (Plain)dlsym(bench->plain, "plain_batchnorm_relu"), NULL, rows, PLANE);
  release_tensors(bench);
}

static float* make_array(size_t count, float low, float high, unsigned seed) {
  float* data = NULL;
  if (posix_memalign((void**)&data, 4096, count * 4) != 0) exit(1);
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    data[i] = low + (high - low) * (float)(seed >> 8) * 0x1p-24f;
  }
  return data;
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  static const char* const kSoftmax[] = {"plain_softmax", "plain_softmax_poly", NULL};
  static const char* const kLayernorm[] = {"plain_layernorm", "plain_layernorm_simple", NULL};
  Bench bench;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  memset(&bench, 0, sizeof bench);
  bench.threads = argc > 2 ? atoi(argv[2]) : 1;
  bench.calls = argc > 5 && atoi(argv[5]) > 0 ? atoi(argv[5]) : 1;
  bench.rounds = argc > 3 ? atoi(argv[3]) : 15;
  const size_t megabytes = argc > 4 ? (size_t)atoi(argv[4]) : 16;
  if (bench.rounds < 1 || bench.rounds > ROUNDS_MOST) bench.rounds = 15;
  if (bench.threads < 1 || bench.threads > THREADS_MOST) bench.threads = 1;
  /* All sides get the same number of threads; idle ones of OpenMP sleep. */
  const char* threads = argc > 2 ? argv[2] : "1";
  setenv("NETCL_NUM_THREADS", threads, 1);
  setenv("POCL_MAX_PTHREAD_COUNT", threads, 1);
  setenv("OMP_NUM_THREADS", threads, 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);
  bench.plain = load_plain();
  bench.elements = megabytes << 18;
  CHECK(netcl_device_open(argc > 1 ? argv[1] : "builtin", NULL, &bench.device));
  CHECK(netcl_device_get_info(bench.device, &info));
  CHECK(netcl_device_get_queue(bench.device, &bench.queue));
  printf("%s, %d thread%s, tensors of about %zu MB\n", info.name, bench.threads,
         bench.threads == 1 ? "" : "s", megabytes);
  bench.x = make_array(bench.elements + CHANNELS * PLANE, -4, 4, 1);
  bench.y = make_array(bench.elements + CHANNELS * PLANE, 0, 1, 2);
  bench.scale = make_array(4096, 0.5f, 1.5f, 3);
  bench.bias = make_array(4096, -1, 1, 4);
  bench_rows(&bench, SOFTMAX, "softmax 4096", 4096, kSoftmax);
  bench_rows(&bench, LAYERNORM, "layernorm 1024", 1024, kLayernorm);
  bench_rows(&bench, LAYERNORM, "layernorm 4096", 4096, kLayernorm);
  bench_batchnorm(&bench);
  return 0;
}
