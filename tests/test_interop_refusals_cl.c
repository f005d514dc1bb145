/* What is refused where OpenCL objects come in: outputs and references stay as they were. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "support_kernel.h"
#include "support_process.h"

enum { BYTES = 256 };
#define BAD NETCL_ERROR_INVALID_ARGUMENT

/* No handle; an output that is written by a refusal shows. */
#define UNTOUCHED(type) ((type *)(uintptr_t)0x5a5a)

/* A memory object of the device's own context, and what a call is made with. */
typedef struct Call {
  netcl_device *device;
  cl_mem mem;
  uint64_t offset;
  netcl_dtype dtype;
  uint32_t rank;
  int64_t shape[9];
  const int64_t *strides;
  netcl_tensor_options options;
} Call;

static cl_uint mem_references(cl_mem mem) {
  cl_uint count = 0;
  assert_int_equal(clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL), 0);
  return count;
}

static Call good_call(Fixture *fixture) {
  Call call;
  cl_context context = NULL;
  cl_int code = 0;
  memset(&call, 0, sizeof call);
  OK(netcl_device_get_cl_context(fixture->device, &context));
  call.device = fixture->device;
  call.mem = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  call.dtype = NETCL_F32;
  call.rank = 1;
  for (int i = 0; i < 9; ++i) call.shape[i] = 1;
  call.options = (netcl_tensor_options)NETCL_TENSOR_OPTIONS_INIT;
  return call;
}

static void refused(const Call *call, netcl_status wanted, const char *message) {
  netcl_tensor *tensor = UNTOUCHED(netcl_tensor);
  netcl_event *event = UNTOUCHED(netcl_event);
  netcl_tensor_options options = call->options;
  const cl_uint references = mem_references(call->mem);
  options.event = &event;
  FAILS_WITH(wanted, message,
             netcl_tensor_create_from_cl(call->device, call->mem, call->offset, call->dtype,
                                         call->rank, call->shape, call->strides, &options,
                                         &tensor));
  assert_ptr_equal(tensor, UNTOUCHED(netcl_tensor));
  assert_ptr_equal(event, UNTOUCHED(netcl_event));
  /* PoCL gives back what it has retained for a moment in a thread of its own. */
  const double until = process_now() + 10;
  while (mem_references(call->mem) != references && process_now() < until) process_sleep_ms(1);
  const cl_uint now = mem_references(call->mem);
  CHECK(now == references, "%s: %u references, %u before", message, now, references);
}

/* Refused with one member of the options set, and taken without it. */
#define OPTION_REFUSED(member, value, message) \
  do {                                         \
    Call call_ = good_call(fixture);           \
    call_.options.member = (value);            \
    refused(&call_, BAD, message);             \
    clReleaseMemObject(call_.mem);             \
  } while (0)

static void options_of_tensors(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_device *builtin = NULL;
  netcl_queue *queue = NULL;
  netcl_pool *own = NULL, *foreign = NULL;
  OK(netcl_device_open("builtin", NULL, &builtin));
  OK(netcl_device_get_queue(builtin, &queue));
  OK(netcl_pool_create(fixture->device, NULL, &own));
  OK(netcl_pool_create(builtin, NULL, &foreign));
  OPTION_REFUSED(borrow, 1, "options->borrow is 1");
  OPTION_REFUSED(borrow, 7, "options->borrow is 7");
  OPTION_REFUSED(take_ownership, 2, "options->take_ownership is 2");
  OPTION_REFUSED(async_copy, NETCL_ON, "options->async_copy is 1");
  OPTION_REFUSED(async_copy, 9, "options->async_copy is 9");
  OPTION_REFUSED(use_pinned, NETCL_OFF, "options->use_pinned is 2");
  OPTION_REFUSED(pool, own, "options->pool is set");
  OPTION_REFUSED(pool, foreign, "options->pool belongs to device");
  OPTION_REFUSED(queue, queue, "options->queue");
  OPTION_REFUSED(struct_size, 3, "options->struct_size is 3");
  netcl_pool_release(own);
  netcl_pool_release(foreign);
  netcl_queue_release(queue);
  netcl_device_release(builtin);
}

static void places_of_tensors(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t backwards = -1, far = INT64_MAX / 2;
  Call good = good_call(fixture), call = good;
  call.offset = 2;
  refused(&call, BAD, "offset_bytes is 2; it must be a multiple of the 4 bytes of a f32");
  call.offset = UINT64_MAX - 3; /* a multiple, and no place */
  refused(&call, BAD, "offset_bytes is 18446744073709551612, beyond any memory");
  call.offset = BYTES + 4;
  refused(&call, BAD, "offset is element 65 of a memory of 64");
  call = good;
  call.offset = BYTES;
  refused(&call, BAD, "offset 64 reach elements 64 to 64");
  call = good;
  call.shape[0] = 65;
  refused(&call, BAD, "reach elements 0 to 64; the memory holds 64");
  call.shape[0] = -2;
  refused(&call, BAD, "shape[0] is -2");
  call.shape[0] = 2;
  call.strides = &backwards;
  refused(&call, BAD, "reach elements -1 to 0");
  call.strides = &far;
  refused(&call, BAD, "strides");
  call = good;
  call.rank = 9;
  refused(&call, BAD, "rank is 9");
  call = good;
  call.dtype = 99;
  refused(&call, BAD, "dtype is 99");
  netcl_tensor *tensor = UNTOUCHED(netcl_tensor), *made = NULL;
  FAILS_WITH(BAD, "shape is NULL",
             netcl_tensor_create_from_cl(good.device, good.mem, 0, NETCL_F32, 1, NULL, NULL, NULL,
                                         &tensor));
  FAILS_WITH(BAD, "mem is NULL",
             netcl_tensor_create_from_cl(good.device, NULL, 0, NETCL_F32, 1, good.shape, NULL, NULL,
                                         &tensor));
  FAILS_WITH(BAD, "tensor is NULL",
             netcl_tensor_create_from_cl(good.device, good.mem, 0, NETCL_F32, 1, good.shape, NULL,
                                         NULL, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "device is NULL",
             netcl_tensor_create_from_cl(NULL, good.mem, 0, NETCL_F32, 1, good.shape, NULL, NULL,
                                         &tensor));
  assert_ptr_equal(tensor, UNTOUCHED(netcl_tensor));
  /* The edges of what is refused are taken: the last element, and nothing behind it. */
  OK(netcl_tensor_create_from_cl(good.device, good.mem, BYTES - 4, NETCL_F32, 1, good.shape, NULL,
                                 NULL, &made));
  netcl_tensor_release(made);
  const int64_t nothing = 0;
  OK(netcl_tensor_create_from_cl(good.device, good.mem, BYTES, NETCL_F32, 1, &nothing, NULL, NULL,
                                 &made));
  netcl_tensor_release(made);
  clReleaseMemObject(good.mem);
}

/* Objects that are no memory of the device: images, those of another context, another device. */
static void other_objects(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  Call call = good_call(fixture);
  const cl_mem own = call.mem;
  cl_context context = NULL;
  cl_device_id device = NULL;
  cl_int code = 0;
  OK(netcl_device_get_cl_context(fixture->device, &context));
  OK(netcl_device_get_cl_device(fixture->device, &device));
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc facts;
  memset(&facts, 0, sizeof facts);
  facts.image_type = CL_MEM_OBJECT_IMAGE2D;
  facts.image_width = facts.image_height = 4;
  call.mem = clCreateImage(context, CL_MEM_READ_WRITE, &format, &facts, NULL, &code);
  if (code == CL_SUCCESS) {
    refused(&call, BAD, "mem is an OpenCL object of type 0x10f1, not a buffer");
    clReleaseMemObject(call.mem);
  } else {
    print_message("this device makes no images (%d)\n", code);
  }
  cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  call.mem = clCreateBuffer(other, CL_MEM_READ_WRITE, BYTES, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  refused(&call, BAD, "mem belongs to context");
  clReleaseMemObject(call.mem);
  clReleaseContext(other);
  call.mem = own;
  OK(netcl_device_open("builtin", NULL, &call.device));
  refused(&call, NETCL_ERROR_UNSUPPORTED, "netcl_tensor_create_from_cl needs an OpenCL device");
  netcl_device_release(call.device);
  clReleaseMemObject(own);
}

/* ---- Devices --------------------------------------------------------------------------------- */

typedef struct Own {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
} Own;

static Own own_objects(cl_device_id device) {
  Own own = {NULL, device, NULL};
  cl_int code = 0;
  own.context = clCreateContext(NULL, 1, &own.device, NULL, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  own.queue = clCreateCommandQueue(own.context, own.device, 0, &code);
  assert_int_equal(code, CL_SUCCESS);
  return own;
}

static void release_own(Own *own) {
  clReleaseCommandQueue(own->queue);
  clReleaseContext(own->context);
}

static cl_uint references_of(const Own *own) {
  cl_uint context = 0, queue = 0;
  assert_int_equal(clGetContextInfo(own->context, CL_CONTEXT_REFERENCE_COUNT, sizeof context,
                                    &context, NULL), CL_SUCCESS);
  assert_int_equal(clGetCommandQueueInfo(own->queue, CL_QUEUE_REFERENCE_COUNT, sizeof queue, &queue,
                                         NULL), CL_SUCCESS);
  return context * 1000 + queue;
}

static void not_opened(const Own *own, cl_context context, cl_device_id device,
                       cl_command_queue queue, const netcl_device_options *options,
                       const char *message) {
  netcl_device *opened = UNTOUCHED(netcl_device);
  const cl_uint references = references_of(own);
  FAILS_WITH(BAD, message, netcl_device_open_from_cl(context, device, queue, options, &opened));
  assert_ptr_equal(opened, UNTOUCHED(netcl_device));
  /* A driver may give up its own references a moment later. */
  for (int ms = 0; ms < 2000 && references_of(own) != references; ++ms) process_sleep_ms(1);
  assert_int_equal(references_of(own), references);
}

static void devices(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  cl_device_id device = NULL;
  cl_int code = 0;
  OK(netcl_device_get_cl_device(fixture->device, &device));
  Own own = own_objects(device), other = own_objects(device);
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  not_opened(&own, NULL, own.device, own.queue, NULL, "context is NULL");
  not_opened(&own, own.context, NULL, own.queue, NULL, "device_id is NULL");
  FAILS_WITH(BAD, "device is NULL",
             netcl_device_open_from_cl(own.context, own.device, own.queue, NULL, NULL));
  options.separate = 1;
  not_opened(&own, own.context, own.device, own.queue, &options, "options->separate is 1");
  options.separate = 2;
  not_opened(&own, own.context, own.device, own.queue, &options, "options->separate is 2");
  options.separate = 0;
  options.reserved = 5;
  not_opened(&own, own.context, own.device, own.queue, &options, "options->reserved is 5");
  options.reserved = 0;
  options.struct_size = 3;
  not_opened(&own, own.context, own.device, own.queue, &options, "options->struct_size is 3");
  not_opened(&own, own.context, own.device, other.queue, NULL,
             "the cl_command_queue belongs to context");
  not_opened(&other, own.context, own.device, other.queue, NULL,
             "the cl_command_queue belongs to context");
  /* A part of the device in a context of its own: the context has no such device, and a queue of
   * one device is none of another. */
  const cl_device_partition_property parts[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id part[64];
  cl_uint count = 0;
  code = clCreateSubDevices(device, parts, 64, part, &count);
  if (code == CL_SUCCESS && count > 0) {
    not_opened(&own, own.context, part[0], own.queue, NULL, "is no device of context");
    const cl_device_id both[2] = {device, part[0]};
    cl_context shared = clCreateContext(NULL, 2, both, NULL, NULL, &code);
    if (code == CL_SUCCESS) {
      Own mixed = {shared, device, clCreateCommandQueue(shared, part[0], 0, &code)};
      assert_int_equal(code, CL_SUCCESS);
      not_opened(&mixed, shared, device, mixed.queue, NULL,
                 "the cl_command_queue belongs to device");
      release_own(&mixed);
    }
    for (cl_uint i = 0; i < count; ++i) clReleaseDevice(part[i]);
  } else {
    print_message("this device has no parts (%d)\n", code);
  }
  release_own(&own);
  release_own(&other);
}

/* Where OpenCL is switched off, a context of the caller's is no way around that. */
static int switched_off(void) {
  cl_platform_id platform = NULL;
  Own own = {NULL, NULL, NULL};
  cl_int code = 0;
  netcl_device *opened = UNTOUCHED(netcl_device);
  CHILD_CHECK(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
  CHILD_CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &own.device, NULL) == CL_SUCCESS);
  own.context = clCreateContext(NULL, 1, &own.device, NULL, NULL, &code);
  CHILD_CHECK(code == CL_SUCCESS);
  CHILD_STATUS(NETCL_ERROR_NO_DEVICE,
               netcl_device_open_from_cl(own.context, own.device, NULL, NULL, &opened));
  CHILD_CHECK(opened == UNTOUCHED(netcl_device));
  CHILD_CHECK(strstr(netcl_last_error_message(), "NETCL_BACKEND=builtin") != NULL);
  clReleaseContext(own.context);
  return 0;
}

static void where_opencl_is_off(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const char *const environment[] = {"NETCL_BACKEND=builtin", NULL};
  process_result result;
  process_run_self("off", environment, 60, &result);
  CHECK(result.exit_code == 0, "exit code %d: %s", result.exit_code, result.output);
}

int main(int argc, char **argv) {
  static const process_mode modes[] = {{"off", switched_off}};
  const int child = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (child >= 0) return child;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(options_of_tensors), DEVICE_TEST(places_of_tensors), DEVICE_TEST(other_objects),
      DEVICE_TEST(devices), DEVICE_TEST(where_opencl_is_off)};
  return cmocka_run_group_tests_name("interop_refusals_cl", tests, NULL, NULL);
}
