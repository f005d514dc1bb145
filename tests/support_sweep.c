#include "support_sweep.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support_process.h"
#include "support_model.h"
#include "support_weights.h"
#include "support_sweep_cases.h"

static HandleMaker *maker(void) {
  static HandleMaker *own;
  if (own == NULL) own = handle_maker(NULL);
  return own;
}

const HandleCase *sweep_case(const char *name, int opencl) {
  const HandleCase *own = opencl ? sweep_opencl_case(name) : NULL;
  if (own != NULL) return own;
  for (size_t i = 0; i < kSweepCasesCount; i++) {
    if (strcmp(kSweepCases[i].name, name) == 0) return &kSweepCases[i];
  }
  for (size_t i = 0; i < handle_cases_count(); i++) {
    const HandleCase *found = handle_case(i);
    if (strcmp(found->name, name) == 0) return found->call == NULL ? NULL : found;
  }
  return NULL;
}

static void release_any(void *handle) {
  for (int type = 0; type < HANDLE_TYPES; type++) release_handle_of(maker(), type, handle);
}

/* Kernels and benchmarks need OpenCL. */
static int is_opencl(netcl_device *device) {
  netcl_device_info facts = NETCL_DEVICE_INFO_INIT;
  MUST(netcl_device_get_info(device, &facts));
  return facts.backend == NETCL_BACKEND_OPENCL;
}
static void *make_kernel(netcl_device *device) {
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *made = NULL;
  options.source = "__kernel void k(__global float *a) { a[get_global_id(0)] += 1; }";
  if (is_opencl(device)) MUST(netcl_kernel_create(device, "k", &options, &made));
  return made;
}
static void *make_benchmark_of(netcl_device *device) {
  netcl_benchmark_options options = NETCL_BENCHMARK_OPTIONS_INIT;
  netcl_benchmark *made = NULL;
  options.worker_path = NETCL_WORKER_FILE;
  options.lock = NETCL_OFF;
  if (is_opencl(device)) MUST(netcl_benchmark_create(device, &options, &made));
  return made;
}

/* What lies on a queue. */
static void *make_on_queue(char role, netcl_device *device) {
  netcl_queue *queue = NULL;
  void *made = NULL;
  MUST(netcl_device_get_queue(device, &queue));
  switch (role) {
    case 'e': MUST(netcl_queue_enqueue_marker(queue, NULL, 0, (netcl_event **)&made)); break;
    case 'm': MUST(netcl_measurement_create(queue, NULL, (netcl_measurement **)&made)); break;
    case 'i': MUST(netcl_timer_create(queue, (netcl_timer **)&made)); break;
    default: MUST(netcl_region_begin(queue, NULL, "region", (netcl_region **)&made)); break;
  }
  netcl_queue_release(queue);
  return made;
}

/* A handle of the role's type. */
static void *make_handle(char role, netcl_device *device) {
  static const int64_t shape[2] = {2, 2};
  void *made = NULL;
  netcl_pool *pool = NULL;
  netcl_space *space = NULL;
  netcl_group *group = NULL;
  if (sweep_make(role, device, &made)) return made;
  switch (role >= 'A' && role <= 'Z' ? role - 'A' + 'a' : role) {
    case 'd':
      MUST(netcl_device_retain(device));
      made = device;
      break;
    case 'q': MUST(netcl_queue_create(device, NULL, (netcl_queue **)&made)); break;
    case 'p': MUST(netcl_pool_create(device, NULL, (netcl_pool **)&made)); break;
    case 'b':
      MUST(netcl_pool_create(device, NULL, &pool));
      MUST(netcl_pool_allocate(pool, 64, (netcl_buffer **)&made));
      break;
    case 't': /* shape and strides of the test of handles */
      MUST(netcl_tensor_create_zeros(device, NETCL_F32, 2, shape, NULL, NULL,
                                     (netcl_tensor **)&made));
      break;
    case 'e':
    case 'm':
    case 'i':
    case 'r': made = make_on_queue(role, device); break;
    case 'k': made = make_kernel(device); break;
    case 'n': made = make_benchmark_of(device); break;
    case 'x': MUST(netcl_expression_create("v0 + v1", (netcl_expression **)&made)); break;
    case 'o': MUST(netcl_roofline_create(NULL, (netcl_roofline **)&made)); break;
    case 's': MUST(netcl_space_create((netcl_space **)&made)); break;
    case 'c':
      MUST(netcl_config_create_from_json("{\"A\": 1, \"T\": \"t\"}", 18,
                                         (netcl_config **)&made));
      break;
    case 'y': MUST(netcl_tuning_database_open(":memory:", (netcl_tuning_database **)&made)); break;
    case 'g': MUST(netcl_ceilings_create((netcl_ceilings **)&made)); break;
    case 'h':
      MUST(netcl_space_create(&space));
      MUST(netcl_space_add_bool(space, "FLAG"));
      MUST(netcl_search_create(space, NULL, NULL, NULL, (netcl_search **)&made));
      break;
    case 'u': MUST(netcl_tuner_create(device, NULL, (netcl_tuner **)&made)); break;
    case 'a': MUST(netcl_graph_create(device, NULL, (netcl_graph **)&made)); break;
    case 'l': MUST(join_alone(netcl_group_join, device, (netcl_group **)&made)); break;
    case '5': MUST(load_model(netcl_model_load_memory, device, (netcl_model **)&made)); break;
    case '7': MUST(open_some_weights(netcl_weights_open, device, (netcl_weights **)&made)); break;
    case 'j':
      MUST(join_alone(netcl_group_join, device, &group));
      MUST(netcl_reducer_create(group, NULL, (netcl_reducer **)&made));
      break;
    default: break;
  }
  netcl_pool_release(pool);
  netcl_space_release(space);
  netcl_group_release(group);
  return made;
}

void sweep_begin(SweepCall *call, const HandleCase *test, netcl_device *device) {
  memset(call, 0, sizeof *call);
  call->test = test;
  call->count = strlen(test->roles);
  for (size_t i = 0; i < call->count; i++) call->handles[i] = make_handle(test->roles[i], device);
  poison_outputs();
  info(2048); /* so that all of it is poisoned */
  poison_outputs();
}

netcl_status sweep_call(SweepCall *call) { return call->test->call(call->handles); }

void sweep_given(void (*look)(void *handle, void *data), void *data) {
  void **words = out();
  for (int i = 0; i < 8; i++) {
    if (words[i] != NULL) look(words[i], data);
  }
}

static void release_given(void *handle, void *data) {
  (void)data;
  release_any(handle);
}

void sweep_end(SweepCall *call, netcl_status status) {
  const char *name = call->test->name;
  const size_t length = strlen(name);
  if (status == NETCL_OK) sweep_given(release_given, NULL);
  if (status == NETCL_OK && length > 7 && strcmp(name + length - 7, "_retain") == 0) {
    release_any(call->handles[0]);
  }
  for (size_t i = call->count; i-- > (call->test->releases ? 1 : 0);) {
    release_any(call->handles[i]);
  }
}

int sweep_in_child(int (*body)(void *), void *data, unsigned limit_s, int *signal_of) {
  int status = 0;
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(limit_s);
    process_end_by_signals();
    _exit(body(data));
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  *signal_of = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return WIFSIGNALED(status) ? -1 : WEXITSTATUS(status);
}
