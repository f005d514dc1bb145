/* DLPack both ways. The structs are declared here as the DLPack ABI has them. */
#include "support.h"

typedef struct {
  int32_t device_type;
  int32_t device_id;
} Device;
typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DataType;
typedef struct {
  void *data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} DlTensor;
struct DLManagedTensor {
  DlTensor tensor;
  void *manager;
  void (*deleter)(struct DLManagedTensor *self);
};
enum { ON_CPU = 1, ON_CUDA = 2, ON_OPENCL = 4 };
enum { CODE_INT, CODE_UINT, CODE_FLOAT, CODE_HANDLE, CODE_BFLOAT, CODE_COMPLEX, CODE_BOOL };

static DataType type_of(netcl_dtype dtype) {
  DataType type = {CODE_FLOAT, (uint8_t)(8 * netcl_dtype_size(dtype)), 1};
  if (dtype == NETCL_BF16) type.code = CODE_BFLOAT;
  if (is_signed_dtype(dtype)) type.code = CODE_INT;
  if (dtype >= NETCL_U8 && dtype <= NETCL_U64) type.code = CODE_UINT;
  if (dtype == NETCL_BOOL) type.code = CODE_BOOL;
  return type;
}

static int deleted;
static void count_deletion(struct DLManagedTensor *self) {
  (void)self;
  ++deleted;
}

static struct DLManagedTensor managed_array(netcl_dtype dtype, int32_t rank, int64_t *shape,
                                            void *data) {
  struct DLManagedTensor managed;
  memset(&managed, 0, sizeof managed);
  managed.tensor.data = data;
  managed.tensor.device.device_type = ON_CPU;
  managed.tensor.ndim = rank;
  managed.tensor.dtype = type_of(dtype);
  managed.tensor.shape = shape;
  managed.deleter = count_deletion;
  deleted = 0;
  return managed;
}

static void export_every_dtype(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {3, 4, 5};
  const uint32_t axes[] = {2, 1, 0};
  const netcl_range ranges[] = {{4, 3, -2}, {1, 2, 2}, {0, 3, 1}};
  for (int t = 0; t < DTYPES; ++t) {
    const netcl_dtype dtype = kDtypes[t];
    unsigned char data[60 * 8];
    fill_random(dtype, data, 60, 100);
    Model model = model_packed(dtype, 3, shape, data);
    netcl_tensor *base = make_tensor(fixture->device, dtype, 3, shape, data), *turned = NULL,
                 *view = NULL;
    OK(netcl_tensor_permute(base, axes, 3, &turned));
    OK(netcl_tensor_slice(turned, ranges, 3, &view));
    const Model permuted = model_permute(&model, axes);
    const Model sliced = model_slice(&permuted, ranges);
    struct DLManagedTensor *managed = NULL;
    OK(netcl_tensor_to_dlpack(view, LONG_WAIT, &managed));
    netcl_tensor_release(base);
    netcl_tensor_release(turned);
    netcl_tensor_release(view);  /* The export keeps the memory alive. */
    const DlTensor *dl = &managed->tensor;
    const DataType type = type_of(dtype);
    assert_int_equal(dl->device.device_type, fixture->opencl ? ON_OPENCL : ON_CPU);
    assert_int_equal(dl->ndim, 3);
    CHECK(dl->dtype.code == type.code && dl->dtype.bits == type.bits && dl->dtype.lanes == 1,
          "%s is code %u, %u bits, %u lanes", netcl_dtype_name(dtype), dl->dtype.code,
          dl->dtype.bits, dl->dtype.lanes);
    for (uint32_t d = 0; d < 3; ++d) {
      assert_int_equal(dl->shape[d], sliced.shape[d]);
      assert_int_equal(dl->strides[d], sliced.strides[d]);
    }
    assert_non_null(dl->data);
    assert_non_null(managed->deleter);
    if (!fixture->opencl) {
      Model there = sliced;
      there.data = (unsigned char *)dl->data + dl->byte_offset;
      there.offset = 0;
      void *got = model_gather(&there), *wanted = model_gather(&sliced);
      assert_memory_equal(got, wanted, 18 * netcl_dtype_size(dtype));
      free(got);
      free(wanted);
    }
    /* Back in: the same elements. The library owns `managed` from here on. */
    netcl_tensor *again = NULL;
    OK(netcl_tensor_create_from_dlpack(fixture->device, managed, NULL, &again));
    void *wanted = model_gather(&sliced);
    CHECK_TENSOR(again, wanted);
    free(wanted);
    netcl_tensor_release(again);
  }
}

static void export_is_the_memory(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {100};
  netcl_tensor *base = NULL, *again = NULL;
  struct DLManagedTensor *managed = NULL;
  const int32_t marker = 9;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &base));
  OK(netcl_tensor_to_dlpack(base, LONG_WAIT, &managed));
  OK(netcl_tensor_create_from_dlpack(fixture->device, managed, NULL, &again));
  OK(netcl_op_fill(base, &marker, NULL));
  if (fixture->opencl) OK(netcl_device_finish(fixture->device, LONG_WAIT));
  int32_t *values = read_tensor(again);
  CHECK(values[0] == 9 && values[99] == 9, "the export shows %d", values[0]);
  free(values);
  netcl_tensor_release(base);
  netcl_tensor_release(again);
  /* An export that is never imported: its owner calls the deleter. */
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 0, NULL, NULL, NULL, &base));
  OK(netcl_tensor_to_dlpack(base, LONG_WAIT, &managed));
  assert_int_equal(managed->tensor.ndim, 0);
  managed->deleter(managed);
  netcl_tensor_release(base);
  const int64_t none[] = {0, 3};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 2, none, NULL, NULL, &base));
  OK(netcl_tensor_to_dlpack(base, LONG_WAIT, &managed));
  netcl_tensor_release(base);
  managed->deleter(managed);
  managed = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &base));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_to_dlpack(base, LONG_WAIT, NULL));
  netcl_tensor_release(base);
}

/* With share = 1 an OpenCL CPU's memory is the host's for everybody. */
static void shared_is_of_the_host(void **state) {
  Fixture *fixture = *state;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_tensor *tensor = NULL, *part = NULL;
  struct DLManagedTensor *managed = NULL;
  const int64_t shape[] = {10, 10};
  const netcl_range ranges[] = {{2, 8, 1}, {9, 10, -1}};
  const int32_t marker = 9;
  if (fixture->info.type != NETCL_DEVICE_CPU) SKIP("the memory of other devices is no host's");
  options.share = 1;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 2, shape, NULL, &options, &tensor));
  OK(netcl_tensor_slice(tensor, ranges, 2, &part));
  OK(netcl_op_fill(part, &marker, NULL));
  OK(netcl_tensor_to_dlpack(part, LONG_WAIT, &managed));
  const DlTensor *dl = &managed->tensor;
  assert_int_equal(dl->device.device_type, ON_CPU);
  assert_int_equal(dl->strides[1], -1);
  int32_t *first = (int32_t *)((char *)dl->data + dl->byte_offset);
  CHECK(first[0] == 9 && first[-9] == 9 && first[-10] == 0, "%d %d %d", first[0], first[-9],
        first[-10]);
  first[0] = 4;
  int32_t *values = read_tensor(tensor);
  CHECK(values[29] == 4, "the tensor shows %d", values[29]);
  free(values);
  netcl_tensor_release(part);
  netcl_tensor_release(tensor);
  assert_int_equal(first[-9], 9);  /* The export keeps the memory. */
  managed->deleter(managed);
  /* What is taken into memory to share is copied, on the built-in device too. */
  int64_t count[] = {5};
  int32_t data[5] = {1, 2, 3, 4, 5};
  struct DLManagedTensor given = managed_array(NETCL_I32, 1, count, data);
  OK(netcl_tensor_create_from_dlpack(fixture->device, &given, &options, &tensor));
  assert_int_equal(deleted, 1);
  data[0] = 7;
  values = read_tensor(tensor);
  assert_int_equal(values[0], 1);
  free(values);
  netcl_tensor_release(tensor);
}

static void export_waits(void **state) {
  Fixture *fixture = *state;
  netcl_tensor *tensor = NULL;
  struct DLManagedTensor *managed = NULL;
  NEEDS_WORK_IN_FLIGHT(fixture);
  start_slow_work(fixture, NULL, &tensor, NULL);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_to_dlpack(tensor, 0, &managed));
  assert_null(managed);
  OK(netcl_tensor_to_dlpack(tensor, LONG_WAIT, &managed));
  netcl_tensor_release(tensor);
  managed->deleter(managed);
}

static void import_every_dtype(void **state) {
  Fixture *fixture = *state;
  for (int t = 0; t < DTYPES; ++t) {
    const netcl_dtype dtype = kDtypes[t];
    const size_t size = netcl_dtype_size(dtype);
    unsigned char *data = malloc(200 * 8);
    int64_t shape[] = {4, 5}, strides[] = {-20, 3};
    fill_random(dtype, data, 200, 100);
    Model model = model_packed(dtype, 2, shape, data);
    struct DLManagedTensor managed = managed_array(dtype, 2, shape, data);
    netcl_tensor *tensor = NULL;
    for (int strided = 0; strided < 2; ++strided) {
      deleted = 0;
      if (strided) {
        managed.tensor.strides = strides;
        managed.tensor.byte_offset = 70 * size;
        memcpy(model.strides, strides, sizeof strides);
        model.offset = 70;
      }
      OK(netcl_tensor_create_from_dlpack(fixture->device, &managed, NULL, &tensor));
      void *wanted = model_gather(&model);
      CHECK_TENSOR(tensor, wanted);
      free(wanted);
      assert_int_equal(deleted, fixture->opencl ? 1 : 0);  /* at once when it was copied */
      netcl_tensor_release(tensor);
      OK(netcl_device_finish(fixture->device, LONG_WAIT));
      CHECK(deleted == 1, "the deleter was called %d times", deleted);
    }
    free(data);
  }
}

/* The memory stays while any view lives, and the built-in device works in place. */
static void import_lifetime(void **state) {
  Fixture *fixture = *state;
  if (fixture->opencl) SKIP("host arrays are copied to OpenCL devices");
  int32_t data[64];
  int64_t shape[] = {64};
  for (int i = 0; i < 64; ++i) data[i] = i;
  struct DLManagedTensor managed = managed_array(NETCL_I32, 1, shape, data);
  netcl_tensor *tensor = NULL, *view = NULL;
  const netcl_range range = {63, 32, -2};
  OK(netcl_tensor_create_from_dlpack(fixture->device, &managed, NULL, &tensor));
  assert_int_equal(tensor_info(tensor).borrowed, 1);
  OK(netcl_tensor_slice(tensor, &range, 1, &view));
  netcl_tensor_release(tensor);
  assert_int_equal(deleted, 0);
  const int32_t marker = -5;
  OK(netcl_op_fill(view, &marker, NULL));
  OK(netcl_tensor_wait(view, LONG_WAIT));
  for (int i = 0; i < 64; ++i) CHECK(data[i] == (i % 2 ? -5 : i), "element %d: %d", i, data[i]);
  netcl_tensor_release(view);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  assert_int_equal(deleted, 1);
}

static void expect_refusal(Fixture *fixture, struct DLManagedTensor *managed, netcl_status wanted,
                           const char *what) {
  netcl_tensor *tensor = NULL;
  const netcl_status status = netcl_tensor_create_from_dlpack(fixture->device, managed, NULL,
                                                              &tensor);
  CHECK(status == wanted, "%s gives %s: %s", what, netcl_status_name(status),
        netcl_last_error_message());
  CHECK(tensor == NULL && deleted == 0, "%s: the caller keeps it on failure", what);
}

static void refusals(void **state) {
  Fixture *fixture = *state;
  float data[16] = {0};
  int64_t shape[9] = {2, 2, 1, 1, 1, 1, 1, 1, 1};
  const struct DLManagedTensor good = managed_array(NETCL_F32, 2, shape, data);
  struct DLManagedTensor bad = good;
  const netcl_status unsupported = NETCL_ERROR_UNSUPPORTED, invalid = NETCL_ERROR_INVALID_ARGUMENT;
  bad.tensor.dtype.lanes = 4;
  expect_refusal(fixture, &bad, unsupported, "4 lanes");
  bad = good;
  bad.tensor.dtype.code = CODE_COMPLEX;
  bad.tensor.dtype.bits = 64;
  expect_refusal(fixture, &bad, unsupported, "complex64");
  bad = good;
  bad.tensor.dtype.code = CODE_HANDLE;
  expect_refusal(fixture, &bad, unsupported, "an opaque handle");
  bad = good;
  bad.tensor.dtype.bits = 8;
  expect_refusal(fixture, &bad, unsupported, "an 8-bit float");
  bad = good;
  bad.tensor.dtype.code = 200;
  expect_refusal(fixture, &bad, unsupported, "type code 200");
  bad = good;
  bad.tensor.device.device_type = ON_CUDA;
  expect_refusal(fixture, &bad, unsupported, "CUDA memory");
  bad = good;
  bad.tensor.device.device_type = 77;
  expect_refusal(fixture, &bad, unsupported, "device type 77");
  if (!fixture->opencl) {
    bad = good;
    bad.tensor.device.device_type = ON_OPENCL;
    expect_refusal(fixture, &bad, unsupported, "OpenCL memory on the built-in device");
  }
  int64_t one[] = {1}, far[] = {(int64_t)1 << 61};
  for (int i = 0; i < 3; ++i) {
    /* What the numbers describe lies in no address space, wherever the data is. */
    bad = good;
    bad.tensor.byte_offset = (uint64_t)INT64_MAX - 3;
    if (i == 1) bad.tensor.data = NULL;
    if (i == 2) {
      bad.tensor.ndim = 1;
      bad.tensor.shape = far;
      bad.tensor.strides = one;
      bad.tensor.byte_offset = UINT64_MAX / 2 - 7;
    }
    expect_refusal(fixture, &bad, invalid, "elements beyond the address space");
  }
  int64_t two[] = {2}, below[] = {-((int64_t)1 << 60)};
  bad = good;
  bad.tensor.ndim = 1;
  bad.tensor.shape = two;
  bad.tensor.strides = below;
  expect_refusal(fixture, &bad, invalid, "elements below the address space");
  bad = good;
  bad.tensor.ndim = 9;
  expect_refusal(fixture, &bad, unsupported, "rank 9");
  bad = good;
  bad.tensor.ndim = -1;
  expect_refusal(fixture, &bad, unsupported, "rank -1");
  bad = good;
  bad.tensor.shape = NULL;
  expect_refusal(fixture, &bad, invalid, "a NULL shape");
  bad = good;
  bad.tensor.data = NULL;
  expect_refusal(fixture, &bad, invalid, "NULL data");
  bad = good;
  shape[1] = -2;
  expect_refusal(fixture, &bad, invalid, "a negative extent");
  shape[0] = shape[1] = (int64_t)1 << 32;
  expect_refusal(fixture, &bad, invalid, "2^64 elements");
  FAILS(invalid, netcl_tensor_create_from_dlpack(fixture->device, NULL, NULL, NULL));
}

static void missing_deleter(void **state) {
  /* DLPack allows a NULL deleter: there is nothing to call then. */
  Fixture *fixture = *state;
  float data[4] = {1, 2, 3, 4};
  int64_t shape[] = {4};
  struct DLManagedTensor managed = managed_array(NETCL_F32, 1, shape, data);
  netcl_tensor *tensor = NULL;
  managed.deleter = NULL;
  OK(netcl_tensor_create_from_dlpack(fixture->device, &managed, NULL, &tensor));
  CHECK_TENSOR(tensor, data);
  netcl_tensor_release(tensor);
}

static netcl_status import_with(Fixture *fixture, const void *options) {
  float data[4] = {1, 2, 3, 4};
  int64_t shape[] = {4};
  struct DLManagedTensor managed = managed_array(NETCL_F32, 1, shape, data);
  netcl_tensor *tensor = NULL;
  const netcl_status status =
      netcl_tensor_create_from_dlpack(fixture->device, &managed, options, &tensor);
  assert_true((status == NETCL_OK) == (tensor != NULL));
  netcl_tensor_release(tensor);
  assert_int_equal(deleted, status == NETCL_OK ? 1 : 0);
  return status;
}

static void options_rules(void **state) {
  const netcl_tensor_options valid = NETCL_TENSOR_OPTIONS_INIT;
  check_options_rules(*state, "netcl_tensor_create_from_dlpack", import_with, &valid,
                      SIZES(netcl_tensor_options), NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(export_every_dtype), DEVICE_TEST(export_is_the_memory),
      DEVICE_TEST(export_waits),       DEVICE_TEST(import_every_dtype),
      DEVICE_TEST(import_lifetime),    DEVICE_TEST(refusals),
      DEVICE_TEST(missing_deleter),    DEVICE_TEST(options_rules),
      DEVICE_TEST(shared_is_of_the_host),
  };
  seed_random("dlpack");
  return cmocka_run_group_tests_name("dlpack", tests, NULL, NULL);
}
