/* Raw OpenCL objects in and out, with the ownership that the header states. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "support_kernel.h"
#include "support_process.h"

/* Raw objects of the device under test. */
typedef struct Raw {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
} Raw;

static cl_uint mem_references(cl_mem mem) {
  cl_uint count = 0;
  assert_int_equal(clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL), 0);
  return count;
}

/* A driver may give up its own references a moment after the last command has ended. */
static void expect_references(cl_mem mem, cl_uint wanted) {
  for (int ms = 0; ms < 2000 && mem_references(mem) != wanted; ++ms) process_sleep_ms(1);
  assert_int_equal(mem_references(mem), wanted);
}

static cl_uint queue_references(cl_command_queue queue) {
  cl_uint count = 0;
  assert_int_equal(
      clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL), 0);
  return count;
}

/* The references of a queue that has run something without the library: drivers may keep some. */
static cl_uint references_of_a_used_queue(cl_command_queue like) {
  cl_context context = NULL;
  cl_device_id device = NULL;
  cl_command_queue_properties properties = 0;
  cl_event event = NULL;
  cl_int code = 0, value = 1;
  clGetCommandQueueInfo(like, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL);
  clGetCommandQueueInfo(like, CL_QUEUE_DEVICE, sizeof(cl_device_id), &device, NULL);
  clGetCommandQueueInfo(like, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, properties, &code);
  assert_int_equal(code, CL_SUCCESS);
  cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  assert_int_equal(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, 4, &value, 0, NULL, &event), 0);
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  clReleaseEvent(event);
  clReleaseMemObject(mem);
  process_sleep_ms(200);
  const cl_uint count = queue_references(queue);
  clReleaseCommandQueue(queue);
  return count;
}

/* The library has given back its references. Drivers let go of what a finished command held in
 * threads of their own, a little later, or keep references of their own to a queue that was used:
 * as many as without the library. */
static void expect_queue_references(cl_command_queue queue, cl_uint wanted) {
  assert_int_equal(clFinish(queue), CL_SUCCESS);
  for (int i = 0; i < 200 && queue_references(queue) != wanted; i++) process_sleep_ms(10);
  if (queue_references(queue) == wanted) return;
  const cl_uint used = references_of_a_used_queue(queue);
  CHECK(queue_references(queue) == used,
        "the queue has %u references, expected %u, or %u as without the library",
        queue_references(queue), wanted, used);
}

static cl_uint context_references(cl_context context) {
  cl_uint count = 0;
  assert_int_equal(
      clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL), 0);
  return count;
}

/* What a driver holds of a context whose only queue was used and is still there. */
static cl_uint references_of_a_used_context(cl_context like) {
  cl_device_id device = NULL;
  cl_int code = 0;
  clGetContextInfo(like, CL_CONTEXT_DEVICES, sizeof device, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  assert_int_equal(code, CL_SUCCESS);
  references_of_a_used_queue(queue);
  const cl_uint count = context_references(context);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return count;
}

static void expect_context_references(cl_context context, cl_uint wanted) {
  for (int i = 0; i < 300 && context_references(context) != wanted; i++) process_sleep_ms(10);
  if (context_references(context) == wanted) return;
  const cl_uint used = references_of_a_used_context(context);
  cl_device_id device = NULL;
  cl_device_type type = 0;
  clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL);
  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  /* Of a busy GPU's context the driver now and then keeps one or two for longer. */
  CHECK(context_references(context) <= used + (type == CL_DEVICE_TYPE_GPU ? 2 : 0),
        "the context has %u references, expected %u, or %u as without the library",
        context_references(context), wanted, used);
}

/* A context of the caller's own with the OpenCL device that the library uses. */
static Raw own_objects(Fixture *fixture) {
  Raw raw;
  cl_int code = 0;
  memset(&raw, 0, sizeof raw);
  OK(netcl_device_get_cl_device(fixture->device, &raw.device));
  raw.context = clCreateContext(NULL, 1, &raw.device, NULL, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  raw.queue = clCreateCommandQueue(raw.context, raw.device, 0, &code);
  assert_int_equal(code, CL_SUCCESS);
  return raw;
}

static void release_own(Raw *raw) {
  clReleaseCommandQueue(raw->queue);
  clReleaseContext(raw->context);
}

static void refused_on_builtin(void **state) {
  Fixture *fixture = *state;
  if (fixture->opencl) SKIP("only on the built-in device");
  struct _cl_context *context = NULL;
  struct _cl_device_id *device = NULL;
  struct _cl_command_queue *queue = NULL;
  struct _cl_mem *mem = NULL;
  struct _cl_event *event = NULL;
  netcl_queue *own = NULL;
  netcl_event *marker = NULL;
  netcl_buffer *buffer = NULL;
  netcl_tensor *tensor = counting_tensor(fixture->device, NETCL_F32, 4, 0);
  FAILS(NETCL_ERROR_UNSUPPORTED, netcl_device_get_cl_context(fixture->device, &context));
  FAILS(NETCL_ERROR_UNSUPPORTED, netcl_device_get_cl_device(fixture->device, &device));
  OK(netcl_device_get_queue(fixture->device, &own));
  FAILS(NETCL_ERROR_UNSUPPORTED, netcl_queue_get_cl_queue(own, &queue));
  OK(netcl_queue_enqueue_marker(own, NULL, 0, &marker));
  FAILS(NETCL_ERROR_UNSUPPORTED, netcl_event_get_cl_event(marker, &event));
  OK(netcl_tensor_get_buffer(tensor, &buffer));
  FAILS(NETCL_ERROR_UNSUPPORTED, netcl_buffer_get_cl_mem(buffer, &mem));
  assert_true(context == NULL && device == NULL && queue == NULL && mem == NULL && event == NULL);
  netcl_event_release(marker);
  netcl_queue_release(own);
  netcl_buffer_release(buffer);
  netcl_tensor_release(tensor);
}

/* Objects taken out are borrowed: counts stay; and they work with raw calls. */
static void unwrap(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  cl_context context = NULL, of_queue = NULL;
  cl_device_id device = NULL;
  cl_command_queue raw_queue = NULL;
  cl_mem mem = NULL;
  cl_event raw_event = NULL;
  netcl_queue *queue = NULL;
  netcl_event *event = NULL;
  netcl_buffer *buffer = NULL;
  float values[32];
  netcl_tensor *tensor = counting_tensor(fixture->device, NETCL_F32, 32, 5.0);
  OK(netcl_device_get_cl_context(fixture->device, &context));
  OK(netcl_device_get_cl_device(fixture->device, &device));
  OK(netcl_device_get_queue(fixture->device, &queue));
  OK(netcl_queue_get_cl_queue(queue, &raw_queue));
  assert_int_equal(clGetCommandQueueInfo(raw_queue, CL_QUEUE_CONTEXT, sizeof of_queue, &of_queue,
                                         NULL), CL_SUCCESS);
  assert_ptr_equal(of_queue, context);
  OK(netcl_tensor_get_buffer(tensor, &buffer));
  OK(netcl_buffer_get_cl_mem(buffer, &mem));
  cl_uint references = mem_references(mem);
  OK(netcl_buffer_get_cl_mem(buffer, &mem));
  assert_true(mem_references(mem) <= references); /* The driver may give one up meanwhile. */
  netcl_tensor_info info = tensor_info(tensor);
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
  assert_int_equal(clEnqueueReadBuffer(raw_queue, mem, CL_TRUE, (size_t)info.offset * 4,
                                       sizeof values, values, 0, NULL, NULL), CL_SUCCESS);
  for (int i = 0; i < 32; i++) assert_true(values[i] == (float)(i + 5));
  OK(netcl_queue_enqueue_marker(queue, NULL, 0, &event));
  OK(netcl_event_get_cl_event(event, &raw_event));
  assert_int_equal(clWaitForEvents(1, &raw_event), CL_SUCCESS);
  OK(netcl_event_wait(event, LONG_WAIT));
  netcl_event_release(event);
  netcl_queue_release(queue);
  netcl_buffer_release(buffer);
  netcl_tensor_release(tensor);
}

/* A device made of the caller's context and queue: all is retained, and given back in the end. */
static void wrap_context_and_queue(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  Raw raw = own_objects(fixture);
  netcl_device *device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_tensor *a = NULL, *b = NULL;
  cl_context context = NULL;
  netcl_queue *queue = NULL;
  netcl_queue_info queue_info = NETCL_QUEUE_INFO_INIT;
  const cl_uint contexts = context_references(raw.context), queues = queue_references(raw.queue);
  OK(netcl_device_open_from_cl(raw.context, raw.device, raw.queue, NULL, &device));
  CHECK(context_references(raw.context) > contexts, "the context was not retained");
  CHECK(queue_references(raw.queue) > queues, "the queue was not retained");
  OK(netcl_device_get_info(device, &info));
  assert_true(info.index == UINT32_MAX);
  assert_string_equal(info.name, fixture->info.name);
  OK(netcl_device_get_cl_context(device, &context));
  assert_ptr_equal(context, raw.context);
  OK(netcl_device_get_queue(device, &queue));
  OK(netcl_queue_get_info(queue, &queue_info));
  assert_int_equal(queue_info.foreign, 1);
  a = counting_tensor(device, NETCL_F32, 100, 1.0);
  OK(netcl_op_expression_text("v0 * 2", &a, 1, NULL, NULL, &b));
  netcl_queue_release(queue);
  netcl_device_release(device); /* The tensors keep it. */
  float values[100];
  OK(netcl_tensor_read(b, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < 100; i++) assert_true(values[i] == 2.0f * (float)(i + 1));
  CHECK(queue_references(raw.queue) > queues, "the queue was released too early");
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  clFinish(raw.queue);
  expect_queue_references(raw.queue, queues);
  expect_context_references(raw.context, contexts);
  OK(netcl_device_open_from_cl(raw.context, raw.device, NULL, NULL, &device));
  a = counting_tensor(device, NETCL_F32, 100, 1.0);
  OK(netcl_tensor_read(a, values, sizeof values, NULL, LONG_WAIT));
  netcl_tensor_release(a);
  netcl_device_release(device);
  expect_context_references(raw.context, contexts);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_device_open_from_cl(NULL, raw.device, NULL, NULL, &device));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_device_open_from_cl(raw.context, NULL, NULL, NULL, &device));
  release_own(&raw);
}

static void wrap_queue(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  cl_context context = NULL;
  cl_device_id device = NULL;
  cl_int code = 0;
  netcl_queue *queue = NULL;
  netcl_queue_info info = NETCL_QUEUE_INFO_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_event *event = NULL;
  netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
  OK(netcl_device_get_cl_context(fixture->device, &context));
  OK(netcl_device_get_cl_device(fixture->device, &device));
  for (int profiled = 0; profiled < 2; profiled++) {
    cl_command_queue raw = clCreateCommandQueue(context, device,
                                                profiled ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    assert_int_equal(code, CL_SUCCESS);
    const cl_uint references = queue_references(raw);
    netcl_tensor *a = counting_tensor(fixture->device, NETCL_I32, 10, 1.0), *b = NULL;
    OK(netcl_queue_create_from_cl(fixture->device, raw, &queue));
    CHECK(queue_references(raw) > references, "the queue was not retained");
    OK(netcl_queue_get_info(queue, &info));
    assert_int_equal(info.foreign, 1);
    assert_int_equal(info.profiling, profiled);
    run.queue = queue;
    run.event = &event;
    OK(netcl_op_expression_text("v0 + 1", &a, 1, NULL, &run, &b));
    OK(netcl_event_wait(event, LONG_WAIT));
    if (profiled) {
      OK(netcl_event_get_timing(event, &timing));
      assert_true(timing.ended_ns >= timing.started_ns);
      OK(netcl_queue_set_profiling(queue, 1));
      FAILS(NETCL_ERROR_UNSUPPORTED, netcl_queue_set_profiling(queue, 0));
    } else {
      FAILS(NETCL_ERROR_NOT_PROFILED, netcl_event_get_timing(event, &timing));
      FAILS(NETCL_ERROR_NOT_PROFILED, netcl_queue_set_profiling(queue, 1));
    }
    netcl_event_release(event);
    netcl_tensor_release(a);
    netcl_tensor_release(b);
    netcl_queue_release(queue);
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    /* In PoCL a memory object holds the last event that touched it, and that its queue. */
    netcl_pool *pool = NULL;
    OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
    OK(netcl_pool_trim(pool, 0));
    netcl_pool_release(pool);
    expect_queue_references(raw, references);
    clReleaseCommandQueue(raw);
  }
}

static void wrap_memory(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  cl_context context = NULL;
  cl_int code = 0;
  float values[64], back[64];
  const int64_t shape = 32;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  for (int i = 0; i < 64; i++) values[i] = (float)i;
  OK(netcl_device_get_cl_context(fixture->device, &context));
  for (int own = 0; own < 2; own++) {
    netcl_tensor *tensor = NULL, *sum = NULL, *wrong = NULL;
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof values,
                                values, &code);
    assert_int_equal(code, CL_SUCCESS);
    clRetainMemObject(mem);
    const cl_uint references = mem_references(mem);
    options.take_ownership = (uint32_t)own;
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, /* offset no multiple of the element size */
          netcl_tensor_create_from_cl(fixture->device, mem, 2, NETCL_F32, 1, &shape, NULL, &options,
                                      &wrong));
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, /* 32 elements do not fit behind byte 132 of 256 */
          netcl_tensor_create_from_cl(fixture->device, mem, 132, NETCL_F32, 1, &shape, NULL,
                                      &options, &wrong));
    FAILS(NETCL_ERROR_INVALID_ARGUMENT,
          netcl_tensor_create_from_cl(fixture->device, mem, UINT64_MAX - 3, NETCL_F32, 1, &shape,
                                      NULL, &options, &wrong));
    expect_references(mem, references); /* On failure the caller keeps its own. */
    OK(netcl_tensor_create_from_cl(fixture->device, mem, 100, NETCL_F32, 1, &shape, NULL, &options,
                                   &tensor));
    if (!own) CHECK(mem_references(mem) > references, "the memory was not retained");
    OK(netcl_op_expression_text("v0 + 0.5", &tensor, 1, NULL, NULL, &sum));
    OK(netcl_tensor_read(sum, back, 32 * sizeof(float), NULL, LONG_WAIT));
    for (int i = 0; i < 32; i++) assert_true(back[i] == (float)(i + 25) + 0.5f);
    OK(netcl_tensor_write(tensor, values, 32 * sizeof(float), NULL, LONG_WAIT));
    OK(netcl_tensor_read(tensor, back, 32 * sizeof(float), NULL, LONG_WAIT));
    assert_memory_equal(back, values, 32 * sizeof(float));
    netcl_tensor_release(tensor);
    netcl_tensor_release(sum);
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    expect_references(mem, references - (cl_uint)own);
    for (cl_uint left = references - (cl_uint)own; left > 0; left--) clReleaseMemObject(mem);
  }
}

/* Two wraps of one memory object are ordered like one tensor. */
static void two_wraps_share_their_order(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  cl_context context = NULL;
  cl_int code = 0;
  const int64_t shape = 64;
  netcl_queue *queue = NULL;
  netcl_tensor *first = NULL, *second = NULL, *copy = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  int32_t values[64];
  OK(netcl_device_get_cl_context(fixture->device, &context));
  cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof values, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  OK(netcl_tensor_create_from_cl(fixture->device, mem, 0, NETCL_I32, 1, &shape, NULL, NULL,
                                 &first));
  OK(netcl_tensor_create_from_cl(fixture->device, mem, 0, NETCL_I32, 1, &shape, NULL, NULL,
                                 &second));
  clReleaseMemObject(mem);
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  netcl_kernel *slow = make_slow_kernel(fixture->device);
  run.queue = queue;
  for (int round = 1; round <= 5; round++) {
    OK(launch_slow(slow, first, 64, round, 2000000, NULL, NULL));
    OK(netcl_op_copy(second, &run, &copy));
    OK(netcl_tensor_read(copy, values, sizeof values, NULL, LONG_WAIT));
    for (int i = 0; i < 64; i++) assert_int_equal(values[i], round);
    netcl_tensor_release(copy);
  }
  netcl_kernel_release(slow);
  netcl_queue_release(queue);
  netcl_tensor_release(first);
  netcl_tensor_release(second);
}

/* Where each of them lies in the memory is not known: an op that writes one cannot take both. */
static void two_wraps_of_a_group_are_refused(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  cl_context context = NULL;
  cl_int code = 0;
  const int64_t shape = 16;
  netcl_tensor *first = NULL, *second = NULL;
  OK(netcl_device_get_cl_context(fixture->device, &context));
  cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 1024, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  OK(netcl_tensor_create_from_cl(fixture->device, mem, 0, NETCL_F32, 1, &shape, NULL, NULL,
                                 &first));
  OK(netcl_tensor_create_from_cl(fixture->device, mem, 512, NETCL_F32, 1, &shape, NULL, NULL,
                                 &second));
  clReleaseMemObject(mem);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "parameters[0], which is written, shares its memory",
             netcl_op_sgd(&first, 1, &second, 1, 0.5, NULL, NULL));
  netcl_tensor_release(first);
  netcl_tensor_release(second);
}

static void foreign_context_is_refused(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  Raw raw = own_objects(fixture);
  cl_int code = 0;
  const int64_t shape = 4;
  netcl_queue *queue = NULL;
  netcl_tensor *tensor = NULL;
  netcl_event *event = NULL;
  cl_mem mem = clCreateBuffer(raw.context, CL_MEM_READ_WRITE, 64, NULL, &code);
  cl_event user_event = clCreateUserEvent(raw.context, &code);
  const cl_uint references = mem_references(mem);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "context",
             netcl_queue_create_from_cl(fixture->device, raw.queue, &queue));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "context",
             netcl_tensor_create_from_cl(fixture->device, mem, 0, NETCL_F32, 1, &shape, NULL, NULL,
                                         &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "context",
             netcl_event_create_from_cl(fixture->device, user_event, &event));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_tensor_create_from_cl(fixture->device, NULL, 0, NETCL_F32, 1, &shape, NULL, NULL,
                                    &tensor));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_queue_create_from_cl(fixture->device, NULL, &queue));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_event_create_from_cl(fixture->device, NULL, &event));
  assert_int_equal(mem_references(mem), references);
  clSetUserEventStatus(user_event, CL_COMPLETE);
  clReleaseEvent(user_event);
  clReleaseMemObject(mem);
  release_own(&raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(refused_on_builtin), DEVICE_TEST(unwrap),
      DEVICE_TEST(wrap_context_and_queue), DEVICE_TEST(wrap_queue), DEVICE_TEST(wrap_memory),
      DEVICE_TEST(two_wraps_share_their_order),
      DEVICE_TEST(two_wraps_of_a_group_are_refused),
      DEVICE_TEST(foreign_context_is_refused),
  };
  return cmocka_run_group_tests_name("interop_cl", tests, NULL, NULL);
}
