#include <stdio.h>

#include "support_handle_calls.h"

enum { kOutputBytes = 2048 };
static uint64_t *outputs;       /* from malloc, so that it may hold any type */
static size_t outputs_used;
static size_t outputs_header;

void poison_outputs(void) {
  if (outputs == NULL) outputs = malloc(kOutputBytes);
  assert_non_null(outputs);
  memset(outputs, POISON, outputs_used > 0 ? outputs_used : kOutputBytes);
  outputs_used = 0;
  outputs_header = 0;
}

int outputs_are_untouched(void) {
  const unsigned char *bytes = (const unsigned char *)outputs;
  for (size_t i = outputs_header; i < outputs_used; i++) {
    if (bytes[i] != POISON && bytes[i] != 0) return 0;
  }
  return 1;
}

void *out(void) {
  outputs_used = 64;
  return outputs;
}

void *info(size_t size) {
  assert_true(size <= kOutputBytes);
  outputs_used = size;
  outputs_header = sizeof(size_t);
  memcpy(outputs, &size, sizeof size);
  return outputs;
}

static const int64_t kShape[2] = {2, 2};
static const uint64_t kSize[2] = {4, 1};
static const uint32_t kAxes[2] = {1, 0};
static const netcl_range kRanges[2] = {{0, 1, 1}, {0, 1, 1}};
static float host_data[4];
static unsigned char unknown_object[256];

/* Two numbers of f32 as a .npy file. */
enum { NPY_BYTES = 128 + 8 };
static const void *npy_file(void) {
  static char file[NPY_BYTES];
  memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
  snprintf(file + 10, sizeof file - 10, "%-117s\n",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }");
  return file;
}

static const netcl_tensor_options *tensor_options(void *queue, void *pool) {
  static netcl_tensor_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.queue = queue;
  options.pool = pool;
  return &options;
}

const netcl_run_options *run_options(void *queue, void *into, void *wait) {
  static netcl_run_options options;
  static netcl_event *waits[1];
  memset(&options, 0, sizeof options);
  waits[0] = wait;
  options.struct_size = sizeof options;
  options.queue = queue;
  options.into = into;
  options.waits = waits;
  options.waits_count = 1;
  return &options;
}

/* A list of one tensor; `place` tells the lists of one call apart. */
static netcl_tensor *const *one_tensor(int place, void *tensor) {
  static netcl_tensor *lists[2];
  lists[place] = tensor;
  return &lists[place];
}

static const netcl_gradients_options *gradients_options(void *seed, void *queue, void *reducer) {
  static netcl_gradients_options options;
  static netcl_tensor *seeds[1];
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  seeds[0] = seed;
  options.seeds = seeds;
  options.seeds_count = 1;
  options.queue = queue;
  options.reducer = reducer;
  return &options;
}

static const netcl_transfer_options *transfer_options(void *queue, void *wait) {
  static netcl_transfer_options options;
  static netcl_event *waits[1];
  memset(&options, 0, sizeof options);
  waits[0] = wait;
  options.struct_size = sizeof options;
  options.queue = queue;
  options.waits = waits;
  options.waits_count = 1;
  return &options;
}

static const netcl_kernel_options *kernel_options(void) {
  static netcl_kernel_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.source = "__kernel void k(__global float *a) { a[0] = 1; }";
  return &options;
}

void *handle_array(void *first, void *second) {
  static void *handles[2];
  handles[0] = first;
  handles[1] = second;
  return handles;
}

static const netcl_arg *tensor_arg(void *tensor) {
  static netcl_arg arg;
  memset(&arg, 0, sizeof arg);
  arg.kind = NETCL_ARG_TENSOR;
  arg.tensor = tensor;
  return &arg;
}

static const netcl_shared_memory kNoMemory = NETCL_SHARED_MEMORY_INIT;

static uint32_t outputs_there;
static netcl_status record(const netcl_graph_call *call, netcl_tensor **made, void *user_data) {
  (void)user_data;
  return netcl_op_copy(call->inputs[0], call->run, made);
}

#define CASES(C, R, N)                                                                             \
  N(netcl_status_name) N(netcl_last_error_message) N(netcl_last_error_get_info)                    \
  N(netcl_last_error_set)                                                                          \
  N(netcl_version_number) N(netcl_version_string) N(netcl_library_get_info)                        \
  N(netcl_library_get_live_count) N(netcl_shutdown) N(netcl_library_set_exit_timeout)              \
  N(netcl_interrupt_enable) N(netcl_interrupt_disable) N(netcl_log_set_level)                      \
  N(netcl_log_set_callback) N(netcl_log_read) N(netcl_dtype_name) N(netcl_dtype_size)              \
  N(netcl_device_count) N(netcl_device_describe) N(netcl_device_diagnose) N(netcl_device_open)     \
  N(netcl_device_open_from_cl) N(netcl_device_pop) N(netcl_device_current)                         \
  N(netcl_program_cache_get_info) N(netcl_program_cache_clear) N(netcl_program_cache_get_entry)    \
  N(netcl_expression_create)                                                                       \
  C(netcl_device_retain, "d", DEVICE(0))                                                           \
  R(netcl_device_release, "d", DEVICE(0))                                                          \
  C(netcl_device_get_info, "d", DEVICE(0), info(sizeof(netcl_device_info)))                        \
  C(netcl_device_get_capabilities, "d", DEVICE(0), info(sizeof(netcl_device_capabilities)))        \
  C(netcl_device_finish, "d", DEVICE(0), LONG_WAIT)                                                \
  C(netcl_device_suggest_local_size, "d", DEVICE(0), kSize, 1, out(), (uint64_t *)out() + 2)       \
  C(netcl_device_explain_copy, "dd", DEVICE(0), DEVICE(1), info(sizeof(netcl_copy_explanation)))   \
  C(netcl_device_get_cl_context, "d", DEVICE(0), out())                                            \
  C(netcl_device_get_cl_device, "d", DEVICE(0), out())                                             \
  C(netcl_device_get_queue, "d", DEVICE(0), out())                                                 \
  C(netcl_device_push, "d", DEVICE(0))                                                             \
  C(netcl_queue_create, "d", DEVICE(0), NULL, out())                                               \
  C(netcl_queue_create_from_cl, "d", DEVICE(0), (void *)unknown_object, out())                     \
  C(netcl_queue_retain, "q", QUEUE(0))                                                             \
  R(netcl_queue_release, "q", QUEUE(0))                                                            \
  C(netcl_queue_get_info, "q", QUEUE(0), info(sizeof(netcl_queue_info)))                           \
  C(netcl_queue_get_device, "q", QUEUE(0), out())                                                  \
  C(netcl_queue_set_profiling, "q", QUEUE(0), 0)                                                   \
  C(netcl_queue_flush, "q", QUEUE(0))                                                              \
  C(netcl_queue_finish, "q", QUEUE(0), LONG_WAIT)                                                  \
  C(netcl_queue_enqueue_marker, "qee", QUEUE(0), handle_array(h[1], h[2]), 2, out())               \
  C(netcl_queue_get_cl_queue, "q", QUEUE(0), out())                                                \
  C(netcl_event_create_from_cl, "d", DEVICE(0), (void *)unknown_object, out())                     \
  C(netcl_event_retain, "e", EVENT(0))                                                             \
  R(netcl_event_release, "e", EVENT(0))                                                            \
  C(netcl_event_wait, "e", EVENT(0), 0)                                                            \
  C(netcl_event_query, "e", EVENT(0), out())                                                       \
  C(netcl_event_get_timing, "e", EVENT(0), info(sizeof(netcl_event_timing)))                       \
  C(netcl_event_get_error, "e", EVENT(0), info(sizeof(netcl_error_info)))                          \
  C(netcl_event_get_cl_event, "e", EVENT(0), out())                                                \
  C(netcl_pool_create, "d", DEVICE(0), NULL, out())                                                \
  C(netcl_device_get_pool, "d", DEVICE(0), NETCL_POOL_PERSISTENT, out())                           \
  C(netcl_pool_retain, "p", POOL(0))                                                               \
  R(netcl_pool_release, "p", POOL(0))                                                              \
  C(netcl_pool_get_info, "p", POOL(0), info(sizeof(netcl_pool_info)))                              \
  C(netcl_pool_get_buckets, "p", POOL(0), NULL, 0, out())                                          \
  C(netcl_pool_trim, "p", POOL(0), 0)                                                              \
  C(netcl_pool_allocate, "p", POOL(0), 16, out())                                                  \
  C(netcl_buffer_create_pinned, "d", DEVICE(0), 16, out())                                         \
  C(netcl_buffer_create_zero_copy, "d", DEVICE(0), unknown_object, 64, out())                      \
  C(netcl_buffer_retain, "b", BUFFER(0))                                                           \
  R(netcl_buffer_release, "b", BUFFER(0))                                                          \
  C(netcl_buffer_get_info, "b", BUFFER(0), info(sizeof(netcl_buffer_info)))                        \
  C(netcl_buffer_get_cl_mem, "b", BUFFER(0), out())                                                \
  C(netcl_buffer_export, "b", BUFFER(0), info(sizeof(netcl_shared_memory)))                        \
  C(netcl_buffer_import, "d", DEVICE(0), &kNoMemory, out())                                        \
  C(netcl_buffer_get_cuda_address, "b", BUFFER(0), out())                                          \
  C(netcl_tensor_create, "dQP", DEVICE(0), NETCL_F32, 2, kShape, NULL,                             \
    tensor_options(h[1], h[2]), out())                                                             \
  C(netcl_tensor_create_zeros, "dQP", DEVICE(0), NETCL_F32, 2, kShape, NULL,                       \
    tensor_options(h[1], h[2]), out())                                                             \
  C(netcl_tensor_create_full, "dQP", DEVICE(0), NETCL_F32, 2, kShape, NULL, host_data,             \
    tensor_options(h[1], h[2]), out())                                                             \
  C(netcl_tensor_create_random, "dQP", DEVICE(0), NETCL_F32, 2, kShape, NULL, NULL,                \
    tensor_options(h[1], h[2]), out())                                                             \
  C(netcl_tensor_create_from_host, "dQP", DEVICE(0), NETCL_F32, 2, kShape, NULL, host_data,        \
    sizeof host_data, tensor_options(h[1], h[2]), out())                                           \
  C(netcl_tensor_create_from_buffer, "b", BUFFER(0), 0, NETCL_F32, 2, kShape, NULL, out())         \
  C(netcl_tensor_create_from_cl, "d", DEVICE(0), (void *)unknown_object, 0, NETCL_F32, 2, kShape,  \
    NULL, NULL, out())                                                                             \
  C(netcl_tensor_create_from_dlpack, "d", DEVICE(0), (void *)unknown_object, NULL, out())          \
  C(netcl_tensor_to_dlpack, "t", TENSOR(0), LONG_WAIT, out())                                      \
  C(netcl_tensor_load_npy, "d", DEVICE(0), "absent.npy", NULL, out())                              \
  C(netcl_tensor_create_from_npy, "d", DEVICE(0), npy_file(), NPY_BYTES, NULL, out())              \
  C(netcl_tensor_save_npy, "t", TENSOR(0), "handles.npy", LONG_WAIT)                               \
  C(netcl_tensor_retain, "t", TENSOR(0))                                                           \
  R(netcl_tensor_release, "t", TENSOR(0))                                                          \
  C(netcl_tensor_get_info, "t", TENSOR(0), info(sizeof(netcl_tensor_info)))                        \
  C(netcl_tensor_get_device, "t", TENSOR(0), out())                                                \
  C(netcl_tensor_get_buffer, "t", TENSOR(0), out())                                                \
  C(netcl_tensor_slice, "t", TENSOR(0), kRanges, 2, out())                                         \
  C(netcl_tensor_permute, "t", TENSOR(0), kAxes, 2, out())                                         \
  C(netcl_tensor_broadcast, "t", TENSOR(0), 2, kShape, out())                                      \
  C(netcl_tensor_view, "t", TENSOR(0), 2, kShape, NULL, 0, out())                                  \
  C(netcl_tensor_reshape, "tQe", TENSOR(0), 2, kShape, run_options(h[1], NULL, h[2]), out())       \
  C(netcl_tensor_read, "tQe", TENSOR(0), out(), 16, transfer_options(h[1], h[2]), LONG_WAIT)       \
  C(netcl_tensor_write, "tQe", TENSOR(0), host_data, 16, transfer_options(h[1], h[2]), LONG_WAIT)  \
  C(netcl_tensor_wait, "t", TENSOR(0), LONG_WAIT)                                                  \
  C(netcl_kernel_create, "d", DEVICE(0), "k", kernel_options(), out())                             \
  C(netcl_kernel_create_elementwise, "d", DEVICE(0), "k", 1, "v0", NETCL_F32, out())               \
  C(netcl_kernel_retain, "k", KERNEL(0))                                                           \
  R(netcl_kernel_release, "k", KERNEL(0))                                                          \
  C(netcl_kernel_build, "k", KERNEL(0))                                                            \
  C(netcl_kernel_get_info, "k", KERNEL(0), info(sizeof(netcl_kernel_info)))                        \
  C(netcl_kernel_get_arg_info, "k", KERNEL(0), 0, info(sizeof(netcl_kernel_arg_info)))             \
  C(netcl_kernel_get_source, "k", KERNEL(0), out(), 16, NULL)                                      \
  C(netcl_kernel_get_build_log, "k", KERNEL(0), out(), 16, NULL)                                   \
  C(netcl_kernel_get_binary, "k", KERNEL(0), NULL, 0, out())                                       \
  C(netcl_kernel_shape_signature, "ttt", handle_array(h[0], h[1]), 2,                              \
    (const netcl_tensor *const *)(h + 2), 1, out())                                                \
  C(netcl_kernel_register, "k", KERNEL(0))                                                         \
  C(netcl_kernel_unregister, "d", DEVICE(0), "k", 0)                                               \
  C(netcl_kernel_find, "d", DEVICE(0), "k", 0, out())                                              \
  C(netcl_kernel_launch, "ktQe", KERNEL(0), kSize, 1, NULL, 0, tensor_arg(h[1]), 1, NULL,          \
    run_options(h[2], NULL, h[3]))                                                                 \
  C(netcl_kernel_explain_launch, "kt", KERNEL(0), kSize, 1, NULL, 0, tensor_arg(h[1]), 1, NULL,    \
    info(sizeof(netcl_launch_explanation)))                                                        \
  C(netcl_kernel_launch_by_name, "d", DEVICE(0), "k", 0, kSize, 1, NULL, 0, NULL, 0, NULL, NULL)   \
  C(netcl_expression_retain, "x", EXPRESSION(0))                                                   \
  R(netcl_expression_release, "x", EXPRESSION(0))                                                  \
  C(netcl_expression_get_arity, "x", EXPRESSION(0), out())                                         \
  C(netcl_expression_differentiate, "x", EXPRESSION(0), 0, out())                                  \
  C(netcl_expression_get_text, "x", EXPRESSION(0), out(), 16, NULL)                                \
  C(netcl_graph_create, "d", DEVICE(0), NULL, out())                                               \
  C(netcl_graph_create_from_function, "d", DEVICE(0), record, NULL, NULL, 1, NULL, out())          \
  C(netcl_graph_evaluate, "atQe", GRAPH(0), one_tensor(0, h[1]), 1, run_options(h[2], NULL, h[3]), \
    out(), 4, &outputs_there)                                                                      \
  C(netcl_graph_retain, "a", GRAPH(0))                                                             \
  R(netcl_graph_release, "a", GRAPH(0))                                                            \
  C(netcl_graph_clear, "a", GRAPH(0))                                                              \
  C(netcl_graph_get_info, "a", GRAPH(0), info(sizeof(netcl_graph_info)))                           \
  C(netcl_graph_compile, "att", GRAPH(0), one_tensor(0, h[1]), 1, one_tensor(1, h[2]), 1, NULL)    \
  C(netcl_graph_run, "attQe", GRAPH(0), one_tensor(0, h[1]), 1, one_tensor(1, h[2]), 1,            \
    run_options(h[3], NULL, h[4]))                                                                 \
  C(netcl_graph_explain, "a", GRAPH(0), 0, out(), 16, NULL)                                        \
  C(netcl_graph_add_gradients, "atttQJ", GRAPH(0), one_tensor(0, h[1]), 1, one_tensor(1, h[2]),    \
    1, gradients_options(h[3], h[4], h[5]), out())

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

static const HandleCase kCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
extern const HandleCase kHandleOpCases[], kHandleMeasureCases[], kHandleTuneCases[];
extern const HandleCase kHandleBenchmarkCases[], kHandleGroupCases[], kHandleModelCases[];
extern const HandleCase kHandleShardedCases[], kHandleWeightsCases[], kHandleReducerCases[];
extern const size_t kHandleOpCasesCount, kHandleMeasureCasesCount, kHandleTuneCasesCount;
extern const size_t kHandleBenchmarkCasesCount, kHandleGroupCasesCount, kHandleModelCasesCount;
extern const size_t kHandleShardedCasesCount, kHandleWeightsCasesCount,
    kHandleReducerCasesCount;

const HandleCase *handle_case(size_t index) {
  const struct {
    const HandleCase *cases;
    size_t count;
  } kTables[] = {{kCases, COUNT_OF(kCases)},
                 {kHandleOpCases, kHandleOpCasesCount},
                 {kHandleMeasureCases, kHandleMeasureCasesCount},
                 {kHandleTuneCases, kHandleTuneCasesCount},
                 {kHandleBenchmarkCases, kHandleBenchmarkCasesCount},
                 {kHandleGroupCases, kHandleGroupCasesCount},
                 {kHandleModelCases, kHandleModelCasesCount},
                 {kHandleShardedCases, kHandleShardedCasesCount},
                 {kHandleReducerCases, kHandleReducerCasesCount},
                 {kHandleWeightsCases, kHandleWeightsCasesCount}};
  for (size_t i = 0; i < COUNT_OF(kTables); index -= kTables[i++].count) {
    if (index < kTables[i].count) return &kTables[i].cases[index];
  }
  return NULL;
}

size_t handle_cases_count(void) {
  size_t count = 0;
  while (handle_case(count) != NULL) ++count;
  return count;
}
