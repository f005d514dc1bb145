/*
 * Elementwise work through the public header beside plain C with the same number of threads.
 *
 *   bench_elementwise [selector] [rounds] [elements]
 *
 * The plain loops (plain/elementwise.c) are compiled when the program starts, by $CC or cc with -O3
 * -march=native -ffast-math; a C++ compiler makes the same code of them. They run on as many
 * threads as NETCL_NUM_THREADS or the machine's processors say, each on its part of the arrays.
 * Sides alternate; the figures are medians.
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

typedef void (*Plain)(const float*, const float*, const float*, float*, size_t);

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

/* Compiles the plain loops beside this file and loads them. */
static void* load_plain(void) {
  char folder[] = "/tmp/netcl-bench-XXXXXX", source[4096], library[4200], command[16384];
  const char* compiler = getenv("CC") != NULL ? getenv("CC") : "cc";
  snprintf(source, sizeof source, "%s", __FILE__);
  char* slash = strrchr(source, '/');
  snprintf(slash != NULL ? slash + 1 : source, 64, "plain/elementwise.c");
  if (mkdtemp(folder) == NULL) exit(1);
  snprintf(library, sizeof library, "%s/plain.so", folder);
  snprintf(command, sizeof command, "%s -O3 -march=native -ffast-math -fPIC -shared -o %s %s -lm",
           compiler, library, source);
  if (system(command) != 0) exit(1);
  void* handle = dlopen(library, RTLD_NOW);
  if (handle == NULL) fprintf(stderr, "%s\n", dlerror());
  unlink(library);
  rmdir(folder);
  if (handle == NULL) exit(1);
  return handle;
}

typedef struct Part {
  pthread_t thread;
  Plain run;
  const float *a, *b, *c;
  float* y;
  size_t n;
} Part;

static void* run_part(void* part) {
  Part* p = part;
  p->run(p->a, p->b, p->c, p->y, p->n);
  return NULL;
}

static void run_plain(Plain run, const float* const* in, float* y, size_t n, int threads) {
  Part parts[THREADS_MOST];
  for (int t = 0; t < threads; ++t) {
    const size_t first = n * (size_t)t / (size_t)threads & ~(size_t)15;
    const size_t last =
        t + 1 == threads ? n : (n * (size_t)(t + 1) / (size_t)threads & ~(size_t)15);
    const Part part = {0,         run,         in[0] + first, in[1] + first, in[2] + first,
                       y + first, last - first};
    parts[t] = part;
    if (t > 0) pthread_create(&parts[t].thread, NULL, run_part, &parts[t]);
  }
  run_part(&parts[0]);
  for (int t = 1; t < threads; ++t) pthread_join(parts[t].thread, NULL);
}

typedef struct Work {
  const char *name, *text, *plain;
  uint32_t inputs;
} Work;

static const Work kWork[] = {
    {"add", "v0 + v1", "plain_add", 2},
    {"fused, 5 ops", "relu(v0 * v1 + v2) * 0.5 - v0", "plain_fused", 3},
    {"gelu", "gelu(v0)", "plain_gelu", 1},
    {"exp", "exp(v0)", "plain_exp", 1},
    {"transpose", NULL, "plain_transpose", 1},
};

typedef struct Bench {
  netcl_device* device;
  netcl_queue* queue;
  netcl_tensor *in[3], *out;
  float *host[3], *y;
  size_t n;
  int rounds, threads;
  void* plain;
} Bench;

static void call_netcl(Bench* bench, const Work* work) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = bench->out;
  if (work->text != NULL) {
    CHECK(netcl_op_expression_text(work->text, bench->in, work->inputs, NULL, &run, NULL));
  } else {
    CHECK(netcl_op_transpose(bench->in[0], NULL, 0, &run, NULL));
  }
  CHECK(netcl_queue_finish(bench->queue, NETCL_WAIT_FOREVER));
}

static void run_bench(Bench* bench, const Work* work) {
  double ours[ROUNDS_MOST], theirs[ROUNDS_MOST];
  const Plain plain = (Plain)dlsym(bench->plain, work->plain);
  const int threads = work->text == NULL ? 1 : bench->threads;
  for (int round = -2; round < bench->rounds; ++round) {
    double begin = now();
    run_plain(plain, (const float* const*)bench->host, bench->y, bench->n, threads);
    const double plain_time = now() - begin;
    begin = now();
    call_netcl(bench, work);
    if (round < 0) continue;
    ours[round] = now() - begin;
    theirs[round] = plain_time;
  }
  const double o = median(ours, bench->rounds), t = median(theirs, bench->rounds);
  const double bytes = 4.0 * (double)bench->n * (work->inputs + 1);
  printf("%-14s netcl %8.2f ms (%6.1f GB/s)   plain C, %d thread%s %8.2f ms   ratio %.2f\n",
         work->name, o * 1e3, bytes / o * 1e-9, threads, threads == 1 ? " " : "s", t * 1e3, t / o);
  fflush(stdout);
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  Bench bench;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  memset(&bench, 0, sizeof bench);
  bench.rounds = argc > 2 ? atoi(argv[2]) : 15;
  bench.n = argc > 3 ? (size_t)atoll(argv[3]) : (size_t)1 << 24;
  if (bench.rounds < 1 || bench.rounds > ROUNDS_MOST) bench.rounds = 15;
  const char* threads = getenv("NETCL_NUM_THREADS");
  bench.threads = threads != NULL ? atoi(threads) : (int)sysconf(_SC_NPROCESSORS_ONLN);
  if (bench.threads < 1 || bench.threads > THREADS_MOST) bench.threads = 1;
  bench.plain = load_plain();
  size_t edge = 1;
  while ((edge + 1) * (edge + 1) <= bench.n) ++edge;
  bench.n = edge * edge;
  const int64_t shape[2] = {(int64_t)edge, (int64_t)edge};
  CHECK(netcl_device_open(argc > 1 ? argv[1] : "builtin", NULL, &bench.device));
  CHECK(netcl_device_get_info(bench.device, &info));
  CHECK(netcl_device_get_queue(bench.device, &bench.queue));
  printf("%s, %zu elements of f32\n", info.name, bench.n);
  unsigned seed = 1;
  for (int k = 0; k < 3; ++k) {
    if (posix_memalign((void**)&bench.host[k], 4096, bench.n * 4) != 0) return 1;
    for (size_t i = 0; i < bench.n; ++i) {
      bench.host[k][i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) * 0x1p-22f - 2.0f;
    }
    CHECK(netcl_tensor_create_from_host(bench.device, NETCL_F32, 2, shape, NULL, bench.host[k],
                                        bench.n * 4, NULL, &bench.in[k]));
  }
  if (posix_memalign((void**)&bench.y, 4096, bench.n * 4) != 0) return 1;
  memset(bench.y, 1, bench.n * 4);
  CHECK(netcl_tensor_create_zeros(bench.device, NETCL_F32, 2, shape, NULL, NULL, &bench.out));
  for (size_t i = 0; i < sizeof kWork / sizeof kWork[0]; ++i) run_bench(&bench, &kWork[i]);
  return 0;
}
