/*
 * What the first pass of a transformer block costs in a process whose caches are empty, in time and
 * in processor time of all threads: what a program waits for before its first result.
 *
 *   bench_first [selector]      "cpu" when it is left out
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "netcl.h"

static void check(netcl_status status, const char *call) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", call, netcl_last_error_message());
  exit(1);
}
#define OK(call) check((call), #call)

typedef struct Clock {
  double wall, processor;
} Clock;

static Clock now(void) {
  struct timespec wall;
  struct rusage use;
  clock_gettime(CLOCK_MONOTONIC, &wall);
  getrusage(RUSAGE_SELF, &use);
  const Clock clock = {(double)wall.tv_sec + 1e-9 * (double)wall.tv_nsec,
                       (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
                           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec)};
  return clock;
}

static void report(const char *what, Clock since) {
  netcl_program_cache_info programs = NETCL_PROGRAM_CACHE_INFO_INIT;
  const Clock end = now();
  OK(netcl_program_cache_get_info(&programs));
  printf("%-24s %9.1f ms, %9.1f ms of processor time, %llu programs compiled so far\n", what,
         1e3 * (end.wall - since.wall), 1e3 * (end.processor - since.processor),
         (unsigned long long)programs.source_builds);
  fflush(stdout);
}

/* The folder is left: it holds what the run compiled. */
static void empty_caches(void) {
  char folder[] = "/tmp/bench_first_XXXXXX";
  if (mkdtemp(folder) == NULL) exit(1);
  setenv("NETCL_CACHE_DIR", folder, 1);
  setenv("POCL_CACHE_DIR", folder, 1);
}

int main(int argc, char **argv) {
  static const char *const formulas[8] = {"v0 + v1",        "v0 * v1",
                                          "v0 * 0.125",     "silu(v0) * v1",
                                          "gelu(v0)",       "v0 - v1",
                                          "max(v0, v1) + 1", "exp(v0) / (1 + exp(v0))"};
  const int64_t rows[2] = {128, 256}, square[2] = {256, 256};
  const uint32_t turned[2] = {1, 0};
  empty_caches();
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  netcl_device *device = NULL;
  netcl_tensor *x = NULL, *w = NULL, *n = NULL, *q = NULL, *k = NULL, *s = NULL, *p = NULL;
  netcl_tensor *y = NULL, *top = NULL, *places = NULL;
  Clock start = now();
  OK(netcl_device_open(argc > 1 ? argv[1] : "cpu", NULL, &device));
  report("open", start);
  start = now();
  OK(netcl_tensor_create_random(device, NETCL_F32, 2, rows, NULL, &random, NULL, &x));
  OK(netcl_tensor_create_random(device, NETCL_F32, 2, square, NULL, &random, NULL, &w));
  OK(netcl_op_rmsnorm(x, -1, NULL, NULL, &n));
  OK(netcl_op_matmul(n, w, NULL, NULL, &q));
  OK(netcl_tensor_permute(n, turned, 2, &k));
  OK(netcl_op_matmul(q, k, NULL, NULL, &s));
  OK(netcl_op_softmax(s, -1, NULL, &p));
  OK(netcl_op_matmul(p, n, NULL, NULL, &y));
  for (int i = 0; i < 8; ++i) {
    netcl_tensor *pair[2] = {y, x}, *next = NULL;
    const uint32_t inputs = i == 2 || i == 4 || i == 7 ? 1 : 2;
    OK(netcl_op_expression_text(formulas[i], pair, inputs, NULL, NULL, &next));
    netcl_tensor_release(y);
    y = next;
  }
  OK(netcl_op_topk(y, 5, -1, NULL, NULL, &top, &places));
  OK(netcl_device_finish(device, NETCL_WAIT_FOREVER));
  report("first pass of a block", start);
  netcl_tensor *const all[] = {x, w, n, q, k, s, p, y, top, places};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) netcl_tensor_release(all[i]);
  netcl_device_release(device);
  return 0;
}
