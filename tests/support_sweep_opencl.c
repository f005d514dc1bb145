/*
 * Calls for OpenCL devices: kernels, objects of OpenCL in and out, tuning. See support_sweep.h and,
 * for roles, support_handles.h and support_sweep_cases.c.
 */
#include <stdio.h>

#include "support_sweep.h"
#include "support_sweep_cases.h"

static const uint64_t kSize[1] = {4};
static const char kSource[] = "__kernel void k(__global float *a) { a[get_global_id(0)] += 1; }";

static netcl_arg tensor_arg(void *tensor) {
  netcl_arg arg;
  memset(&arg, 0, sizeof arg);
  arg.kind = NETCL_ARG_TENSOR;
  arg.tensor = tensor;
  return arg;
}

/* ---- Objects of OpenCL ----------------------------------------------------------------------- */

static netcl_status wrap_device(netcl_device *device, netcl_device **made) {
  struct _cl_context *context = NULL;
  struct _cl_device_id *id = NULL;
  netcl_status status = netcl_device_get_cl_context(device, &context);
  if (status == NETCL_OK) status = netcl_device_get_cl_device(device, &id);
  if (status == NETCL_OK) status = netcl_device_open_from_cl(context, id, NULL, NULL, made);
  return status;
}
static netcl_status wrap_queue(netcl_device *device, netcl_queue *queue, netcl_queue **made) {
  struct _cl_command_queue *raw = NULL;
  const netcl_status status = netcl_queue_get_cl_queue(queue, &raw);
  return status != NETCL_OK ? status : netcl_queue_create_from_cl(device, raw, made);
}
static netcl_status wrap_event(netcl_device *device, netcl_event *event, netcl_event **made) {
  struct _cl_event *raw = NULL;
  const netcl_status status = netcl_event_get_cl_event(event, &raw);
  return status != NETCL_OK ? status : netcl_event_create_from_cl(device, raw, made);
}
/* The tensor goes before the buffer that it lies in. */
static netcl_status wrap_tensor(netcl_device *device, netcl_buffer *buffer) {
  const int64_t shape[1] = {4};
  struct _cl_mem *raw = NULL;
  netcl_tensor *made = NULL, *copy = NULL;
  netcl_status status = netcl_buffer_get_cl_mem(buffer, &raw);
  if (status == NETCL_OK) {
    status = netcl_tensor_create_from_cl(device, raw, 16, NETCL_F32, 1, shape, NULL, NULL, &made);
  }
  if (status == NETCL_OK) status = netcl_op_copy(made, NULL, &copy);
  netcl_tensor_release(copy);
  netcl_tensor_release(made);
  return status;
}
static netcl_status zero_copy(netcl_device *device, netcl_buffer **made) {
  static _Alignas(4096) char memory[4096];
  return netcl_buffer_create_zero_copy(device, memory, sizeof memory, made);
}
static netcl_status pinned(netcl_device *device) {
  const int64_t shape[1] = {16};
  netcl_buffer *buffer = NULL;
  netcl_tensor *tensor = NULL, *copy = NULL;
  netcl_status status = netcl_buffer_create_pinned(device, 64, &buffer);
  if (status == NETCL_OK) {
    status = netcl_tensor_create_from_buffer(buffer, 0, NETCL_F32, 1, shape, NULL, &tensor);
  }
  if (status == NETCL_OK) status = netcl_op_copy(tensor, NULL, &copy);
  netcl_tensor_release(copy);
  netcl_tensor_release(tensor);
  netcl_buffer_release(buffer);
  return status;
}

/* ---- Transfers ------------------------------------------------------------------------------- */

/* Of a view whose elements are not neighbours. */
static netcl_status read_view(netcl_tensor *matrix, int writes, float *numbers) {
  static const netcl_range kRanges[2] = {{1, 4, 2}, {0, 4, 3}};
  netcl_tensor *view = NULL;
  netcl_status status = netcl_tensor_slice(matrix, kRanges, 2, &view);
  if (status == NETCL_OK) {
    status = writes ? netcl_tensor_write(view, numbers, 16 * sizeof *numbers, NULL, LONG_WAIT)
                    : netcl_tensor_read(view, numbers, 16 * sizeof *numbers, NULL, LONG_WAIT);
  }
  netcl_tensor_release(view);
  return status;
}
static netcl_status write_view(netcl_tensor *matrix) {
  float numbers[16];
  for (int i = 0; i < 16; ++i) numbers[i] = (float)i / 4;
  return read_view(matrix, 1, numbers);
}

/* Waits for a command that is on its way, by the queue, the device, its event or its result. */
enum { BY_QUEUE, BY_DEVICE, BY_EVENT, BY_QUERY, BY_TENSOR };
static netcl_status waited(netcl_device *device, netcl_queue *queue, netcl_tensor *x, int how) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_event_state state = 0;
  netcl_tensor *copy = NULL;
  netcl_event *event = NULL;
  run.queue = queue;
  run.event = &event;
  netcl_status status = netcl_op_copy(x, &run, &copy);
  if (status == NETCL_OK) {
    switch (how) {
      case BY_QUEUE: status = netcl_queue_finish(queue, LONG_WAIT); break;
      case BY_DEVICE: status = netcl_device_finish(device, LONG_WAIT); break;
      case BY_EVENT: status = netcl_event_wait(event, LONG_WAIT); break;
      case BY_QUERY: status = netcl_event_query(event, &state); break;
      default: status = netcl_tensor_wait(copy, LONG_WAIT); break;
    }
  }
  netcl_event_release(event);
  netcl_tensor_release(copy);
  return status;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static netcl_status launch(netcl_kernel *kernel, netcl_tensor *tensor, netcl_event **event) {
  const netcl_arg args[1] = {tensor_arg(tensor)};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.event = event;
  return netcl_kernel_launch(kernel, kSize, 1, NULL, 0, args, 1, NULL, &run);
}
/* From the middle of the memory of a tensor, which takes a part of it. */
static netcl_status launch_part(netcl_kernel *kernel, netcl_tensor *matrix) {
  static const netcl_range kRows[2] = {{32, 32, 1}, {0, 64, 1}};
  static const uint64_t kTwo[1] = {2};
  netcl_tensor *part = NULL;
  netcl_status status = netcl_tensor_slice(matrix, kRows, 2, &part);
  const netcl_arg args[1] = {tensor_arg(part)};
  if (status == NETCL_OK) {
    status = netcl_kernel_launch(kernel, kTwo, 1, NULL, 0, args, 1, NULL, NULL);
  }
  netcl_tensor_release(part);
  return status;
}
static netcl_status by_name(netcl_device *device, netcl_kernel *kernel, netcl_tensor *tensor,
                            netcl_kernel **found) {
  const netcl_arg args[1] = {tensor_arg(tensor)};
  netcl_status status = netcl_kernel_register(kernel);
  if (status != NETCL_OK) return status;
  if (found != NULL) {
    status = netcl_kernel_find(device, "k", 0, found);
  } else {
    status = netcl_kernel_launch_by_name(device, "k", 0, kSize, 1, NULL, 0, args, 1, NULL, NULL);
  }
  const netcl_status gone = netcl_kernel_unregister(device, "k", 0);
  if (status == NETCL_OK && gone != NETCL_OK && found != NULL) {
    netcl_kernel_release(*found);
    *found = NULL;
  }
  return status != NETCL_OK ? status : gone;
}
static netcl_status of_binary(netcl_device *device, netcl_kernel *kernel, netcl_kernel **made) {
  static char binary[1 << 20];
  size_t length = 0;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *other = NULL;
  netcl_status status = netcl_kernel_get_binary(kernel, binary, sizeof binary, &length);
  options.binary = binary;
  options.binary_size = length;
  if (status == NETCL_OK) status = netcl_kernel_create(device, "k", &options, &other);
  if (status == NETCL_OK) status = netcl_kernel_build(other);
  if (status == NETCL_OK) {
    *made = other;
  } else {
    netcl_kernel_release(other);
  }
  return status;
}

/* A primitive of a kernel, called once. */
static netcl_status primitive_of_kernel(netcl_device *device, netcl_tensor *x,
                                        netcl_tensor **made) {
  netcl_kernel_options source = NETCL_KERNEL_OPTIONS_INIT;
  netcl_primitive_kernels kernels = NETCL_PRIMITIVE_KERNELS_INIT;
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  source.source =
      "__kernel void twice(__global const float *x, __global float *y) {"
      "  y[get_global_id(0)] = 2 * x[get_global_id(0)]; }";
  options.arity = 1;
  netcl_status status = netcl_kernel_create(device, "twice", &source, &kernels.forward);
  if (status == NETCL_OK) status = netcl_primitive_register_kernels("twice", &kernels, &options);
  netcl_kernel_release(kernels.forward);
  if (status != NETCL_OK) return status;
  status = netcl_op_primitive("twice", &x, 1, NULL, NULL, made);
  const netcl_status gone = netcl_primitive_unregister("twice");
  return status != NETCL_OK ? status : gone;
}

static netcl_status no_work(netcl_queue *queue, void *tensor) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *copy = NULL;
  run.queue = queue;
  const netcl_status status = netcl_op_copy(tensor, &run, &copy);
  netcl_tensor_release(copy);
  return status;
}
static const netcl_measurement_options *once(void) {
  static netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  options.warmup_count = options.count = 1;
  return &options;
}
static netcl_status time_kernel(netcl_kernel *kernel, netcl_tensor *tensor) {
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  const netcl_arg args[1] = {tensor_arg(tensor)};
  return netcl_kernel_time(kernel, kSize, 1, NULL, 0, args, 1, NULL, NULL, once(), &statistics);
}
static netcl_status explain(netcl_kernel *kernel, netcl_tensor *tensor) {
  netcl_launch_explanation told = NETCL_LAUNCH_EXPLANATION_INIT;
  const netcl_arg args[1] = {tensor_arg(tensor)};
  return netcl_kernel_explain_launch(kernel, kSize, 1, NULL, 0, args, 1, NULL, &told);
}
static netcl_status profiled(netcl_device *device, netcl_tensor *tensor) {
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
  netcl_event *event = NULL;
  netcl_tensor *copy = NULL;
  options.profiling = 1;
  run.event = &event;
  netcl_status status = netcl_queue_create(device, &options, &run.queue);
  if (status == NETCL_OK) status = netcl_op_copy(tensor, &run, &copy);
  if (status == NETCL_OK) status = netcl_event_wait(event, LONG_WAIT);
  if (status == NETCL_OK) status = netcl_event_get_timing(event, &timing);
  netcl_event_release(event);
  netcl_tensor_release(copy);
  netcl_queue_release(run.queue);
  return status;
}

/* ---- Tuning ---------------------------------------------------------------------------------- */

typedef struct Tuning {
  netcl_search_options search;
  netcl_tuner_options options;
  netcl_kernel_tuning kernel;
  uint64_t locals[2];
} Tuning;
static void init_tuning(Tuning *t, netcl_tuning_database *database) {
  *t = (Tuning){NETCL_SEARCH_OPTIONS_INIT, NETCL_TUNER_OPTIONS_INIT, NETCL_KERNEL_TUNING_INIT,
                {1, 2}};
  t->search.evaluations = 2;
  t->search.samples = 2;
  t->options.search = &t->search;
  t->options.database = database;
  t->options.in_process = t->options.force = 1;
  t->options.warmup_count = 1;
  t->kernel.local_sizes = t->locals;
  t->kernel.local_sizes_count = 2;
}
static netcl_status autotune(netcl_kernel *kernel, netcl_tensor *tensor,
                             netcl_tuning_database *database, netcl_config **config) {
  Tuning t;
  const netcl_arg args[1] = {tensor_arg(tensor)};
  init_tuning(&t, database);
  return netcl_kernel_autotune(kernel, kSize, 1, args, 1, &t.kernel, &t.options, config, NULL);
}
static netcl_status tuner_run(netcl_device *device, netcl_kernel *kernel, netcl_tensor *tensor,
                              netcl_tuning_database *database) {
  Tuning t;
  netcl_tuner *tuner = NULL;
  const netcl_arg args[1] = {tensor_arg(tensor)};
  init_tuning(&t, database);
  netcl_status status = netcl_tuner_create(device, &t.options, &tuner);
  if (status == NETCL_OK) {
    status = netcl_tuner_add(tuner, kernel, kSize, 1, args, 1, &t.kernel);
  }
  if (status == NETCL_OK) status = netcl_tuner_run(tuner);
  netcl_tuner_release(tuner);
  return status;
}
/* A benchmark whose baseline is a kernel, or work of the caller's. */
static netcl_status time_baseline(netcl_device *device, netcl_kernel *kernel,
                                  netcl_tensor *tensor) {
  netcl_benchmark_options options = NETCL_BENCHMARK_OPTIONS_INIT;
  netcl_benchmark_tensor described = NETCL_BENCHMARK_TENSOR_INIT;
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  netcl_benchmark *benchmark = NULL;
  options.worker_path = NETCL_WORKER_FILE;
  options.lock = NETCL_OFF;
  described.dtype = NETCL_F32;
  described.access = NETCL_ACCESS_INOUT;
  described.rank = 1;
  described.shape[0] = 4;
  netcl_status status = netcl_benchmark_create(device, &options, &benchmark);
  if (status == NETCL_OK) status = netcl_benchmark_add_tensor(benchmark, &described);
  if (status == NETCL_OK && kernel != NULL) {
    status = netcl_benchmark_time_kernel(benchmark, kernel, kSize, 1, NULL, 0, once(), &statistics);
  } else if (status == NETCL_OK) {
    status = netcl_benchmark_time_baseline(benchmark, no_work, tensor, once(), &statistics);
  }
  netcl_benchmark_release(benchmark);
  return status;
}
static netcl_status run_candidate_of(netcl_device *device) {
  netcl_benchmark_options options = NETCL_BENCHMARK_OPTIONS_INIT;
  netcl_benchmark_tensor tensor = NETCL_BENCHMARK_TENSOR_INIT;
  netcl_benchmark_candidate candidate = NETCL_BENCHMARK_CANDIDATE_INIT;
  netcl_benchmark_result result = NETCL_BENCHMARK_RESULT_INIT;
  netcl_benchmark *benchmark = NULL;
  options.worker_path = NETCL_WORKER_FILE;
  options.lock = NETCL_OFF;
  tensor.dtype = NETCL_F32;
  tensor.access = NETCL_ACCESS_INOUT;
  tensor.rank = 1;
  tensor.shape[0] = 4;
  candidate.kernel = "k";
  candidate.source = kSource;
  candidate.global[0] = 4;
  netcl_status status = netcl_benchmark_create(device, &options, &benchmark);
  if (status == NETCL_OK) status = netcl_benchmark_add_tensor(benchmark, &tensor);
  if (status == NETCL_OK) status = netcl_benchmark_prepare(benchmark, 0);
  if (status == NETCL_OK) status = netcl_benchmark_keep(benchmark, 0);
  if (status == NETCL_OK) status = netcl_benchmark_run(benchmark, &candidate, once(), &result);
  netcl_benchmark_release(benchmark);
  return status;
}

static netcl_status open_separate(netcl_device **device) {
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  options.separate = 1;
  return netcl_device_open(test_selector(), &options, device);
}

/* On its device, and to the built-in one and back. */
static netcl_status copy_between(netcl_tensor *tensor) {
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_run_options there = NETCL_RUN_OPTIONS_INIT, back = NETCL_RUN_OPTIONS_INIT;
  netcl_device *device = NULL;
  netcl_tensor *copy = NULL;
  options.separate = 1;
  netcl_status status = netcl_op_copy(tensor, NULL, &copy);
  netcl_tensor_release(copy);
  copy = NULL;
  if (status == NETCL_OK) status = netcl_device_open("builtin", &options, &device);
  if (status == NETCL_OK) status = netcl_device_get_queue(device, &there.queue);
  if (status == NETCL_OK) status = netcl_op_copy(tensor, &there, &copy);
  back.into = tensor;
  if (status == NETCL_OK) status = netcl_op_copy(copy, &back, NULL);
  netcl_tensor_release(copy);
  netcl_queue_release(there.queue);
  netcl_device_release(device);
  return status;
}

#define F(function, roles, ...)                         \
  static netcl_status call_##function(void *const *h) { \
    (void)h;                                            \
    return __VA_ARGS__;                                 \
  }
#define CASES(C)                                                                                 \
  C(netcl_device_open, "", open_separate(out()))                                                 \
  C(netcl_device_open_from_cl, "d", wrap_device(DEVICE(0), out()))                               \
  C(netcl_queue_create_from_cl, "dq", wrap_queue(DEVICE(0), QUEUE(1), out()))                    \
  C(netcl_event_create_from_cl, "de", wrap_event(DEVICE(0), EVENT(1), out()))                    \
  C(netcl_tensor_create_from_cl, "db", wrap_tensor(DEVICE(0), BUFFER(1)))                        \
  C(netcl_buffer_create_zero_copy, "d", zero_copy(DEVICE(0), out()))                             \
  C(netcl_buffer_create_pinned, "d", pinned(DEVICE(0)))                                          \
  C(netcl_op_copy, "2", copy_between(TENSOR(0)))                                                 \
  C(netcl_tensor_read, "2", read_view(TENSOR(0), 0, out()))                                      \
  C(netcl_tensor_write, "2", write_view(TENSOR(0)))                                              \
  C(netcl_queue_finish, "dq2", waited(DEVICE(0), QUEUE(1), TENSOR(2), BY_QUEUE))                 \
  C(netcl_device_finish, "dq2", waited(DEVICE(0), QUEUE(1), TENSOR(2), BY_DEVICE))               \
  C(netcl_event_wait, "dq2", waited(DEVICE(0), QUEUE(1), TENSOR(2), BY_EVENT))                   \
  C(netcl_event_query, "dq2", waited(DEVICE(0), QUEUE(1), TENSOR(2), BY_QUERY))                  \
  C(netcl_tensor_wait, "dq2", waited(DEVICE(0), QUEUE(1), TENSOR(2), BY_TENSOR))                 \
  C(netcl_kernel_launch, "k1", launch(KERNEL(0), TENSOR(1), out()))                              \
  C(netcl_kernel_build, "k2", launch_part(KERNEL(0), TENSOR(1)))                                 \
  C(netcl_kernel_register, "dk1", by_name(DEVICE(0), KERNEL(1), TENSOR(2), out()))               \
  C(netcl_kernel_find, "dk1", by_name(DEVICE(0), KERNEL(1), TENSOR(2), out()))                   \
  C(netcl_kernel_unregister, "dk1", by_name(DEVICE(0), KERNEL(1), TENSOR(2), NULL))              \
  C(netcl_kernel_launch_by_name, "dk1", by_name(DEVICE(0), KERNEL(1), TENSOR(2), NULL))          \
  C(netcl_kernel_get_binary, "dk", of_binary(DEVICE(0), KERNEL(1), out()))                       \
  C(netcl_primitive_register_kernels, "d1", primitive_of_kernel(DEVICE(0), TENSOR(1), out()))    \
  C(netcl_queue_time, "q2", netcl_queue_time(QUEUE(0), no_work, h[1], once(),                    \
                                             info(sizeof(netcl_statistics))))                    \
  C(netcl_kernel_time, "k1", time_kernel(KERNEL(0), TENSOR(1)))                                  \
  C(netcl_kernel_explain_launch, "k1", explain(KERNEL(0), TENSOR(1)))                            \
  C(netcl_benchmark_time_kernel, "dk", time_baseline(DEVICE(0), KERNEL(1), NULL))                \
  C(netcl_benchmark_time_baseline, "d2", time_baseline(DEVICE(0), NULL, TENSOR(1)))              \
  C(netcl_event_get_timing, "d2", profiled(DEVICE(0), TENSOR(1)))                                \
  C(netcl_kernel_autotune, "k1y", autotune(KERNEL(0), TENSOR(1), h[2], out()))                   \
  C(netcl_tuner_add, "dk1y", tuner_run(DEVICE(0), KERNEL(1), TENSOR(2), h[3]))                   \
  C(netcl_tuner_run, "dk1y", tuner_run(DEVICE(0), KERNEL(1), TENSOR(2), h[3]))                   \
  C(netcl_benchmark_run, "d", run_candidate_of(DEVICE(0)))

CASES(F)
#define ROW(function, roles, ...) {#function, roles, 0, call_##function},
static const HandleCase kOpenClCases[] = {CASES(ROW)};

const HandleCase *sweep_opencl_case(const char *name) {
  for (size_t i = 0; i < COUNT_OF(kOpenClCases); ++i) {
    if (strcmp(kOpenClCases[i].name, name) == 0) return &kOpenClCases[i];
  }
  return NULL;
}
