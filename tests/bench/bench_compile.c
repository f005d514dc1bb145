/*
 * What compiling the graph of a training step takes, and what a graph made from a function takes to
 * find its form.
 *
 *   bench_compile [--device SELECTOR] [rounds]
 *
 * The networks are those of bench_train. Each round makes two processes one after the other, the
 * first with empty folders for what netcl and PoCL keep on disk, the second with what the first
 * left there. A process opens the device, makes tensors, and measures from then on: recording and
 * compiling, netcl_graph_compile alone, and all up to the end of the first run. Figures are medians
 * of the rounds, by the clock and by processor time of all threads.
 *
 * The forms are of a function of one call on 16 elements, with one input and with eight, run beside
 * a capture of the same call; figures are the least of many rounds, for each run.
 */
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support_median.h"
#include "support_networks.h"

enum { ROUNDS_MOST = 100, FIGURES = 6, INPUTS_MOST = 8 };

static double wall_ms(void) { return 1e-6 * (double)now_ns(); }

static double processor_ms(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1e3 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* ---- One process ----------------------------------------------------------------------------- */

static void compile_once(const char* selector, const char* name) {
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  netcl_tensor* result = NULL;
  Network* network = networks;
  while (strcmp(network->name, name) != 0) ++network;
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_tensor_create(device, NETCL_F32, 0, NULL, NULL, NULL, &result));
  begin(network);
  CHECK(netcl_device_finish(device, NETCL_WAIT_FOREVER));
  options.execute = NETCL_OFF;
  CHECK(netcl_graph_create(device, &options, &run.graph));
  const double wall[2] = {wall_ms(), 0}, processor = processor_ms();
  netcl_tensor* loss = take_step(network, &run, 1);
  const double recorded = wall_ms(), recorded_processor = processor_ms();
  CHECK(netcl_graph_compile(run.graph, network->inputs, 2, &loss, 1, NULL));
  const double compiled = wall_ms(), compiled_processor = processor_ms();
  CHECK(netcl_graph_run(run.graph, network->inputs, 2, &result, 1, NULL));
  CHECK(netcl_device_finish(device, NETCL_WAIT_FOREVER));
  const double ran = wall_ms(), ran_processor = processor_ms();
  CHECK(netcl_graph_get_info(run.graph, &info));
  printf("%f %f %f %f %f %f %d %d\n", compiled - wall[0], compiled_processor - processor,
         compiled - recorded, compiled_processor - recorded_processor, ran - wall[0],
         ran_processor - processor, (int)info.call_count, (int)info.command_count);
  netcl_graph_release(run.graph);
  netcl_tensor_release(loss);
  netcl_tensor_release(result);
  end(network);
  netcl_device_release(device);
}

/* Runs this program again for one network, with what the disk has. */
static void ask_process(const char* selector, const char* name, double* figures, int* counts) {
  char command[256];
  snprintf(command, sizeof command, "/proc/%d/exe --once '%s' %s", (int)getpid(), selector, name);
  FILE* const answer = popen(command, "r");
  if (answer == NULL ||
      fscanf(answer, "%lf %lf %lf %lf %lf %lf %d %d", &figures[0], &figures[1], &figures[2],
             &figures[3], &figures[4], &figures[5], &counts[0], &counts[1]) != 8 ||
      pclose(answer) != 0) {
    fprintf(stderr, "%s: the process has no answer\n", name);
    exit(1);
  }
}

/* ---- Cold and warm --------------------------------------------------------------------------- */

static void use_folders(const char* folder) {
  static const char* const kNames[] = {"NETCL_CACHE_DIR", "POCL_CACHE_DIR"};
  for (int i = 0; i < 2; ++i) {
    char path[128];
    snprintf(path, sizeof path, "%s/%d", folder, i);
    mkdir(path, 0700);
    setenv(kNames[i], path, 1);
  }
}

static void measure(const char* selector, const Network* network, int rounds) {
  static double figures[2][FIGURES][ROUNDS_MOST];
  int counts[2];
  for (int i = 0; i < rounds; ++i) {
    char folder[] = "/tmp/netcl_bench_XXXXXX", remove[64];
    if (mkdtemp(folder) == NULL) exit(1);
    use_folders(folder);
    for (int warm = 0; warm < 2; ++warm) {
      double all[FIGURES];
      ask_process(selector, network->name, all, counts);
      for (int k = 0; k < FIGURES; ++k) figures[warm][k][i] = all[k];
    }
    snprintf(remove, sizeof remove, "rm -rf %s", folder);
    if (system(remove) != 0) exit(1);
  }
  printf("%s: %d calls, %d commands; ms by the clock (of processors)\n", network->name, counts[0],
         counts[1]);
  for (int warm = 0; warm < 2; ++warm) {
    double m[FIGURES];
    for (int k = 0; k < FIGURES; ++k) m[k] = median(figures[warm][k], rounds);
    printf("  %s  record and compile %8.1f (%.1f), compile alone %8.1f (%.1f), with the first run "
           "%8.1f (%.1f)\n",
           warm ? "warm" : "cold", m[0], m[1], m[2], m[3], m[4], m[5]);
  }
  fflush(stdout);
}

/* ---- Forms ----------------------------------------------------------------------------------- */

static netcl_status sum_of(const netcl_graph_call* call, netcl_tensor** outputs, void* user_data) {
  (void)user_data;
  return netcl_op_elementwise(NETCL_ELEMENTWISE_SUM, call->inputs, call->inputs_count, NULL,
                              call->run, &outputs[0]);
}

/* Microseconds of a run, by the clock of the calling thread's processor. */
static double run_often(netcl_graph* graph, netcl_tensor** inputs, uint32_t count,
                        netcl_tensor* result) {
  enum { RUNS = 2000, ROUNDS = 21 };
  double least = 1e300;
  for (int round = 0; round < ROUNDS; ++round) {
    struct timespec start, stop;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    for (int i = 0; i < RUNS; ++i) {
      netcl_tensor* made = result;
      uint32_t made_count = 0;
      if (result != NULL) {
        CHECK(netcl_graph_run(graph, inputs, count, &result, 1, NULL));
        continue;
      }
      CHECK(netcl_graph_evaluate(graph, inputs, count, NULL, &made, 1, &made_count));
      netcl_tensor_release(made);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &stop);
    const double time = 1e6 * (double)(stop.tv_sec - start.tv_sec) +
                        1e-3 * (double)(stop.tv_nsec - start.tv_nsec);
    least = time / RUNS < least ? time / RUNS : least;
    CHECK(netcl_device_finish(device, NETCL_WAIT_FOREVER));
  }
  return least;
}

static void measure_forms(uint32_t count) {
  const int64_t shape[] = {16};
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *inputs[INPUTS_MOST], *value = NULL, *result = NULL;
  netcl_graph* made = NULL;
  for (uint32_t i = 0; i < count; ++i) inputs[i] = numbers(1, shape, 1, 0);
  CHECK(netcl_tensor_create(device, NETCL_F32, 1, shape, NULL, NULL, &result));
  options.execute = NETCL_OFF;
  CHECK(netcl_graph_create(device, &options, &run.graph));
  CHECK(netcl_op_elementwise(NETCL_ELEMENTWISE_SUM, inputs, count, NULL, &run, &value));
  CHECK(netcl_graph_compile(run.graph, inputs, count, &value, 1, NULL));
  CHECK(netcl_graph_create_from_function(device, sum_of, NULL, NULL, 1, NULL, &made));
  /* Forms that are not the one that is looked for. */
  for (int64_t i = 1; i < 16; ++i) {
    netcl_tensor *others[INPUTS_MOST], *other = numbers(1, &i, 1, 0);
    for (uint32_t k = 0; k < count; ++k) others[k] = other;
    CHECK(netcl_graph_compile(made, others, count, NULL, 0, NULL));
    netcl_tensor_release(other);
  }
  double times[2][2];
  for (int i = 0; i < 2; ++i) {
    netcl_graph* const graph = i == 0 ? run.graph : made;
    for (int k = 0; k < 2; ++k) times[i][k] = run_often(graph, inputs, count, k ? NULL : result);
  }
  printf("%u inputs, us a run: capture %.2f, with new outputs %.2f; one of 16 forms %.2f, %.2f\n",
         count, times[0][0], times[0][1], times[1][0], times[1][1]);
  for (uint32_t i = 0; i < count; ++i) netcl_tensor_release(inputs[i]);
  netcl_tensor_release(value);
  netcl_tensor_release(result);
  netcl_graph_release(run.graph);
  netcl_graph_release(made);
}

int main(int argc, char** argv) {
  const char* selector = "builtin";
  program_name = "bench_compile";
  if (argc == 4 && strcmp(argv[1], "--once") == 0) {
    compile_once(argv[2], argv[3]);
    return 0;
  }
  if (argc > 2 && strcmp(argv[1], "--device") == 0) {
    selector = argv[2];
    argc -= 2;
    argv += 2;
  }
  const int rounds = argc > 1 ? atoi(argv[1]) : 5;
  if (rounds < 1 || rounds > ROUNDS_MOST) {
    fprintf(stderr, "rounds are 1 to %d\n", ROUNDS_MOST);
    return 2;
  }
  for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) {
    measure(selector, &networks[i], rounds);
  }
  CHECK(netcl_device_open(selector, NULL, &device));
  measure_forms(1);
  measure_forms(INPUTS_MOST);
  netcl_device_release(device);
  return 0;
}
