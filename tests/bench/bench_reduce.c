/*
 * Reductions and a running sum through the public header beside plain C with the same number of
 * threads: 2^24 floats, as a vector or as a matrix of 4096 x 4096.
 *
 *   bench_reduce [selector] [threads] [rounds]
 *
 * The plain loops (plain/reduce.c) are compiled when the program starts, by $CC or cc with -O3
 * -march=native -ffast-math; a C++ compiler makes the same code of them. NETCL_NUM_THREADS and
 * POCL_MAX_PTHREAD_COUNT give the devices the same number of threads. Sides alternate; the figures
 * are the best and the median of the rounds, in GB/s of what has to be read and written. With
 * --cpu-time they count the time of the processors, of all threads together, which others on the
 * machine disturb less.
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

#define SIDE ((size_t)4096)
#define COUNT (SIDE * SIDE)
#define ROUNDS_MOST 101
#define THREADS_MOST 64

typedef void (*Plain)(const float*, float*, size_t, size_t, size_t, size_t, float*);

typedef struct Side {
  netcl_device* device;
  netcl_tensor *vector, *matrix, *running;
  float *x, *y;
  float* own[THREADS_MOST];
  void* plain;
  size_t threads;
  int rounds;
} Side;

typedef struct Part {
  Plain function;
  Side* side;
  size_t part;
} Part;

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void* load_plain(void) {
  char folder[] = "/tmp/bench_reduce.XXXXXX", source[512], library[600], command[2048];
  const char* slash = strrchr(__FILE__, '/');
  const char* compiler = getenv("CC") != NULL ? getenv("CC") : "cc";
  void* loaded;
  if (mkdtemp(folder) == NULL) exit(1);
  snprintf(source, sizeof source, "%.*s/plain/reduce.c", (int)(slash - __FILE__), __FILE__);
  snprintf(library, sizeof library, "%s/plain.so", folder);
  snprintf(command, sizeof command, "%s -O3 -march=native -ffast-math -fPIC -shared -o %s %s",
           compiler, library, source);
  if (system(command) != 0 || (loaded = dlopen(library, RTLD_NOW)) == NULL) {
    fprintf(stderr, "cannot compile %s\n", source);
    exit(1);
  }
  unlink(library);
  rmdir(folder);
  return loaded;
}

static void* run_part(void* argument) {
  const Part* part = argument;
  Side* side = part->side;
  part->function(side->x, side->y, COUNT, SIDE, part->part, side->threads, side->own[part->part]);
  return NULL;
}

static void run_parts(Side* side, Plain function) {
  Part parts[THREADS_MOST];
  pthread_t threads[THREADS_MOST];
  for (size_t t = 0; t < side->threads; ++t) {
    parts[t] = (Part){function, side, t};
    if (t > 0) pthread_create(&threads[t], NULL, run_part, &parts[t]);
  }
  run_part(&parts[0]);
  for (size_t t = 1; t < side->threads; ++t) pthread_join(threads[t], NULL);
}

/* Runs the parts and joins what they leave. */
static double run_plain(Side* side, const char* name) {
  char symbol[64];
  const double start = now();
  float joined = 0;
  snprintf(symbol, sizeof symbol, "plain_%s", name);
  if (strcmp(name, "cumsum") == 0 && side->threads > 1) {
    float before = 0;
    run_parts(side, (Plain)dlsym(side->plain, "plain_sum"));
    for (size_t t = 0; t < side->threads; ++t) {
      const float own = side->own[t][0];
      side->own[t][0] = before;
      before += own;
    }
  }
  run_parts(side, (Plain)dlsym(side->plain, symbol));
  for (size_t t = 0; t < side->threads; ++t) {
    if (strcmp(name, "sum") == 0) joined += side->own[t][0];
    if (strcmp(name, "max") == 0 && (t == 0 || side->own[t][0] > joined)) joined = side->own[t][0];
    for (size_t c = 0; c < SIDE && strcmp(name, "columns") == 0; ++c) {
      side->y[c] = (t == 0 ? 0 : side->y[c]) + side->own[t][c];
    }
  }
  if (strcmp(name, "sum") == 0 || strcmp(name, "max") == 0) side->y[0] = joined;
  return now() - start;
}

static double run_netcl(Side* side, const char* name, netcl_tensor** result) {
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  const int32_t axis = strcmp(name, "rows") == 0 ? 1 : 0;
  const int matrix = strcmp(name, "rows") == 0 || strcmp(name, "columns") == 0;
  const double start = now();
  options.axes = &axis;
  options.axes_count = 1;
  run.into = *result;
  if (strcmp(name, "cumsum") == 0) {
    run.into = side->running;
    CHECK(netcl_op_scan(side->vector, NETCL_REDUCTION_SUM, 0, NULL, &run, NULL));
  } else {
    const netcl_reduction kind = strcmp(name, "max") == 0      ? NETCL_REDUCTION_MAX
                                 : strcmp(name, "argmax") == 0 ? NETCL_REDUCTION_ARGMAX
                                                               : NETCL_REDUCTION_SUM;
    CHECK(netcl_op_reduce(matrix ? side->matrix : side->vector, kind, &options, &run,
                          *result == NULL ? result : NULL));
  }
  CHECK(netcl_device_finish(side->device, NETCL_WAIT_FOREVER));
  return now() - start;
}

static void measure(Side* side, const char* name) {
  const double bytes = (double)COUNT * (strcmp(name, "cumsum") == 0 ? 8 : 4);
  double ours[ROUNDS_MOST], theirs[ROUNDS_MOST];
  netcl_tensor* result = NULL;
  run_netcl(side, name, &result);
  run_plain(side, name);
  for (int round = 0; round < side->rounds; ++round) {
    ours[round] = run_netcl(side, name, &result);
    theirs[round] = run_plain(side, name);
  }
  qsort(ours, (size_t)side->rounds, sizeof *ours, compare);
  qsort(theirs, (size_t)side->rounds, sizeof *theirs, compare);
  printf("%-8s netcl %6.2f GB/s  plain %6.2f GB/s  ratio of the best %.2f, of the medians %.2f\n",
         name, bytes / ours[0] * 1e-9, bytes / theirs[0] * 1e-9, theirs[0] / ours[0],
         theirs[side->rounds / 2] / ours[side->rounds / 2]);
  fflush(stdout);
  netcl_tensor_release(result);
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  static const char* const kNames[] = {"sum", "max", "argmax", "rows", "columns", "cumsum"};
  const int64_t vector[] = {(int64_t)COUNT}, matrix[] = {(int64_t)SIDE, (int64_t)SIDE};
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  unsigned state = (unsigned)time(NULL);
  Side side;
  memset(&side, 0, sizeof side);
  side.threads = argc > 2 ? (size_t)atoi(argv[2]) : 1;
  side.rounds = argc > 3 ? atoi(argv[3]) : 21;
  if (side.threads < 1 || side.threads > THREADS_MOST || side.rounds < 1 ||
      side.rounds > ROUNDS_MOST) {
    return 2;
  }
  setenv("NETCL_NUM_THREADS", argc > 2 ? argv[2] : "1", 1);
  setenv("POCL_MAX_PTHREAD_COUNT", argc > 2 ? argv[2] : "1", 1);
  side.plain = load_plain();
  side.x = malloc(COUNT * sizeof *side.x);
  side.y = malloc(COUNT * sizeof *side.y);
  for (size_t t = 0; t < side.threads; ++t) side.own[t] = malloc(SIDE * sizeof(float));
  for (size_t i = 0; i < COUNT; ++i) {
    state = state * 1664525u + 1013904223u;
    side.x[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
    side.y[i] = 0;
  }
  CHECK(netcl_device_open(argc > 1 ? argv[1] : "auto", NULL, &side.device));
  CHECK(netcl_device_get_info(side.device, &info));
  printf("%s, %zu threads\n", info.name, side.threads);
  CHECK(netcl_tensor_create_from_host(side.device, NETCL_F32, 1, vector, NULL, side.x,
                                      COUNT * sizeof *side.x, NULL, &side.vector));
  CHECK(netcl_tensor_reshape(side.vector, 2, matrix, NULL, &side.matrix));
  CHECK(netcl_tensor_create_zeros(side.device, NETCL_F32, 1, vector, NULL, NULL, &side.running));
  for (size_t i = 0; i < sizeof kNames / sizeof *kNames; ++i) measure(&side, kNames[i]);
  netcl_tensor_release(side.vector);
  netcl_tensor_release(side.matrix);
  netcl_tensor_release(side.running);
  netcl_device_release(side.device);
  for (size_t t = 0; t < side.threads; ++t) free(side.own[t]);
  free(side.x);
  free(side.y);
  dlclose(side.plain);
  return 0;
}
