/* netcl_helpers.h: handles that end with their block, lists in place, arguments of kernels. */
#include "netcl_helpers.h"

#include "support.h"

static uint64_t live(netcl_handle_type type) {
  uint64_t count = 0;
  OK(netcl_library_get_live_count(type, &count));
  return count;
}

/* ---- Blocks ---- */

static netcl_tensor *two_halves(netcl_device *device, int fails, int keeps) {
  const double half = 0.5;
  NETCL_SCOPED(tensor) x = NULL;
  NETCL_SCOPED(tensor) y = NULL;
  NETCL_SCOPED(queue) queue = NULL;
  OK(netcl_device_get_queue(device, &queue));
  OK(netcl_tensor_create_full(device, NETCL_F64, NETCL_SHAPE(2), &half, NULL, &x));
  if (fails) {
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_op_softmax(x, 5, NULL, &y));
    return NULL;
  }
  OK(netcl_op_elementwise(NETCL_ELEMENTWISE_ADD, NETCL_TENSORS(x, x), NULL, NULL, &y));
  return keeps ? netcl_keep_tensor(&y) : NULL;
}

static void blocks(void **state) {
  Fixture *fixture = *state;
  const uint64_t tensors = live(NETCL_HANDLE_TENSOR), queues = live(NETCL_HANDLE_QUEUE);
  double host[2] = {0, 0};
  assert_null(two_halves(fixture->device, 0, 0));
  assert_null(two_halves(fixture->device, 1, 1));
  assert_int_equal(live(NETCL_HANDLE_TENSOR), tensors);
  assert_int_equal(live(NETCL_HANDLE_QUEUE), queues);
  {
    NETCL_SCOPED(tensor) kept = two_halves(fixture->device, 0, 1);
    assert_int_equal(live(NETCL_HANDLE_TENSOR), tensors + 1);
    OK(netcl_tensor_read(kept, host, sizeof host, NULL, LONG_WAIT));
    assert_true(host[0] == 1.0 && host[1] == 1.0);
    for (int i = 0; i < 10; i++) {
      NETCL_SCOPED(tensor) inner = NULL;
      if (i == 3) continue;
      OK(netcl_op_copy(kept, NULL, &inner));
      if (i == 7) break;
      assert_int_equal(live(NETCL_HANDLE_TENSOR), tensors + 2);
    }
    assert_int_equal(live(NETCL_HANDLE_TENSOR), tensors + 1);
    /* What was taken out stays, and leaves nothing behind to be released. */
    netcl_tensor *out = netcl_keep_tensor(&kept);
    assert_null(kept);
    assert_non_null(out);
    assert_null(netcl_keep_tensor(&kept));
    netcl_tensor_release(out);
  }
  assert_int_equal(live(NETCL_HANDLE_TENSOR), tensors);
}

/* Each of a loop's results takes the place of the one before, which is given back. */
static void replaced(void **state) {
  Fixture *fixture = *state;
  const uint64_t tensors = live(NETCL_HANDLE_TENSOR);
  const float one = 1;
  float host = 0;
  {
    NETCL_SCOPED(tensor) sum = NULL;
    netcl_tensor *first = NULL;
    OK(netcl_tensor_create_full(fixture->device, NETCL_F32, NETCL_SHAPE(1), &one, NULL, &first));
    netcl_replace_tensor(&sum, first);
    for (int i = 0; i < 5; i++) {
      netcl_tensor *doubled = NULL;
      OK(netcl_op_expression_text("v0 * 2", NETCL_TENSORS(sum), NULL, NULL, &doubled));
      netcl_replace_tensor(&sum, doubled);
      assert_int_equal(live(NETCL_HANDLE_TENSOR), tensors + 1);
    }
    OK(netcl_tensor_read(sum, &host, sizeof host, NULL, LONG_WAIT));
    assert_true(host == 32);
    netcl_replace_tensor(&sum, NULL);
    assert_null(sum);
    assert_int_equal(live(NETCL_HANDLE_TENSOR), tensors);
  }
}

static int filled(netcl_device *device, int count) {
  NETCL_SCOPED_ARRAY(tensor, parts, 3);
  for (int i = 0; i < 3; i++) assert_null(parts[i]);
  for (int i = 0; i < count; i++) {
    OK(netcl_tensor_create_zeros(device, NETCL_F32, NETCL_SHAPE(2), NULL, &parts[i]));
    if (i == 1) netcl_clear_tensor(parts, 2);
  }
  if (count > 1) assert_true(parts[0] == NULL && parts[1] == NULL);
  return count;
}

static void arrays(void **state) {
  Fixture *fixture = *state;
  const uint64_t tensors = live(NETCL_HANDLE_TENSOR);
  for (int count = 0; count <= 3; count++) {
    assert_int_equal(filled(fixture->device, count), count);
    assert_int_equal(live(NETCL_HANDLE_TENSOR), tensors);
  }
  {
    NETCL_SCOPED_ARRAY(queue, queues, 2);
    OK(netcl_device_get_queue(fixture->device, &queues[0]));
    OK(netcl_device_get_queue(fixture->device, &queues[1]));
  }
  netcl_clear_tensor(NULL, 0);
}

/* A block that is left because of an error has not changed what the error was. */
static netcl_status failing(netcl_device *device) {
  NETCL_SCOPED(tensor) x = NULL;
  NETCL_SCOPED(tensor) y = NULL;
  netcl_status status = netcl_tensor_create_zeros(device, NETCL_F32, NETCL_SHAPE(2, 3), NULL, &x);
  if (status == NETCL_OK) status = netcl_op_softmax(x, 9, NULL, &y);
  return status;
}

static void errors(void **state) {
  Fixture *fixture = *state;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "axis", failing(fixture->device));
}

/* One of each type: what is released is of that type, so nothing is logged as a bad handle. */
static void types(void **state) {
  Fixture *fixture = *state;
  const uint64_t spaces = live(NETCL_HANDLE_SPACE), devices = live(NETCL_HANDLE_DEVICE);
  {
    NETCL_SCOPED(space) space = NULL;
    NETCL_SCOPED(expression) expression = NULL;
    NETCL_SCOPED(graph) graph = NULL;
    NETCL_SCOPED(roofline) roofline = NULL;
    NETCL_SCOPED(device) again = NULL;
    OK(netcl_space_create(&space));
    OK(netcl_space_add_ints(space, "size", NETCL_LIST(int64_t, 1, 2, 4)));
    OK(netcl_expression_create("v0 + 1", &expression));
    OK(netcl_graph_create(fixture->device, NULL, &graph));
    OK(netcl_roofline_create(NULL, &roofline));
    OK(netcl_device_retain(fixture->device));
    again = fixture->device;
  }
  assert_int_equal(live(NETCL_HANDLE_SPACE), spaces);
  assert_int_equal(live(NETCL_HANDLE_DEVICE), devices);
}

/* ---- Views ---- */

static void batches(void **state) {
  Fixture *fixture = *state;
  const int32_t numbers[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  int32_t host[4] = {0};
  NETCL_SCOPED(tensor) x = NULL;
  NETCL_SCOPED(tensor) one = NULL;
  NETCL_SCOPED(tensor) last = NULL;
  netcl_tensor *none = NULL;
  OK(netcl_tensor_create_from_host(fixture->device, NETCL_I32, NETCL_SHAPE(3, 2, 2), numbers,
                                   sizeof numbers, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 0, NULL, NULL, NULL, &one));
  OK(netcl_tensor_rows(x, 2, 1, &last));
  OK(netcl_tensor_read(last, host, sizeof host, NULL, LONG_WAIT));
  assert_true(host[0] == 8 && host[3] == 11);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "start 2, extent 2", netcl_tensor_rows(x, 2, 2, &none));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "rank 0", netcl_tensor_rows(one, 0, 1, &none));
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_tensor_rows(NULL, 0, 1, &none));
  assert_null(none);
}

/* ---- Arguments ---- */

#define HOLDS(argument, number, of)                                             \
  do {                                                                          \
    const netcl_arg found = (argument);                                         \
    assert_int_equal(found.kind, NETCL_ARG_SCALAR);                             \
    assert_int_equal(found.size, sizeof(number));                               \
    assert_int_equal(found.size, netcl_dtype_size(of));                         \
    assert_int_equal(found.dtype, of);                                          \
    assert_int_equal(found.reinterpret, 0);                                     \
    assert_memory_equal(found.value, &number, sizeof(number));                  \
    for (size_t i = sizeof(number); i < sizeof found.value; i++)                \
      assert_int_equal(found.value[i], 0);                                      \
  } while (0)

static void numbers(void **state) {
  (void)state;
  const float f32 = -1.5f;
  const double f64 = 0.1;
  const int8_t i8 = INT8_MIN;
  const int16_t i16 = INT16_MIN;
  const int32_t i32 = INT32_MIN;
  const int64_t i64 = INT64_MIN;
  const uint8_t u8 = UINT8_MAX, truth = 1;
  const uint16_t u16 = UINT16_MAX, half = 0x3c00;
  const uint32_t u32 = UINT32_MAX;
  const uint64_t u64 = UINT64_MAX;
  HOLDS(netcl_arg_f16(half), half, NETCL_F16);
  HOLDS(netcl_arg_bf16(half), half, NETCL_BF16);
  HOLDS(netcl_arg_f32(f32), f32, NETCL_F32);
  HOLDS(netcl_arg_f64(f64), f64, NETCL_F64);
  HOLDS(netcl_arg_i8(i8), i8, NETCL_I8);
  HOLDS(netcl_arg_i16(i16), i16, NETCL_I16);
  HOLDS(netcl_arg_i32(i32), i32, NETCL_I32);
  HOLDS(netcl_arg_i64(i64), i64, NETCL_I64);
  HOLDS(netcl_arg_u8(u8), u8, NETCL_U8);
  HOLDS(netcl_arg_u16(u16), u16, NETCL_U16);
  HOLDS(netcl_arg_u32(u32), u32, NETCL_U32);
  HOLDS(netcl_arg_u64(u64), u64, NETCL_U64);
  HOLDS(netcl_arg_bool(truth), truth, NETCL_BOOL);
  assert_int_equal(netcl_arg_reinterpreted(netcl_arg_i32(i32)).reinterpret, 1);
  assert_int_equal(netcl_arg_local(8).kind, NETCL_ARG_LOCAL);
  assert_int_equal(netcl_arg_local(8).size, 8);
  assert_int_equal(netcl_arg_null().kind, NETCL_ARG_NULL);
  assert_int_equal(netcl_arg_tensor(NULL).kind, NETCL_ARG_TENSOR);
  assert_int_equal(netcl_arg_read_only(NULL).kind, NETCL_ARG_TENSOR_READ_ONLY);
  assert_int_equal(netcl_arg_data(&f64, 8).kind, NETCL_ARG_DATA);
  assert_ptr_equal(netcl_arg_data(&f64, 8).data, &f64);
}

static void launches(void **state) {
  Fixture *fixture = *state;
  const struct {
    float first, second;
  } pair = {5, 3};
  const unsigned char wide[40] = {0};
  float host[4] = {0};
  NETCL_SCOPED(kernel) kernel = NULL;
  NETCL_SCOPED(tensor) x = NULL;
  NETCL_SCOPED(tensor) y = NULL;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  if (!fixture->opencl) SKIP("the built-in device compiles no kernels");
  options.source =
      "typedef struct { float first, second; } Pair;"
      "__kernel void axpy(__global const float *x, __global float *y, float a, int n, Pair pair,"
      "                   __local float *room, __global const float *more) {"
      "  size_t i = get_global_id(0);"
      "  room[get_local_id(0)] = more ? more[i] : x[i];"
      "  if (i < n) y[i] = a * room[get_local_id(0)] + y[i] + pair.first - pair.second;"
      "}";
  OK(netcl_kernel_create(fixture->device, "axpy", &options, &kernel));
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, NETCL_SHAPE(4), &pair.first, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, NETCL_SHAPE(4), NULL, &y));
  OK(netcl_kernel_launch(kernel, NETCL_LIST(uint64_t, 4), NETCL_LIST(uint64_t, 2),
                         NETCL_ARGS(netcl_arg_read_only(x), netcl_arg_tensor(y),
                                    netcl_arg_f32(3), netcl_arg_i32(3),
                                    netcl_arg_value(&pair, sizeof pair), netcl_arg_local(8),
                                    netcl_arg_null()),
                         NULL, NULL));
  OK(netcl_kernel_launch(kernel, NETCL_LIST(uint64_t, 4), NETCL_LIST(uint64_t, 2),
                         NETCL_ARGS(netcl_arg_tensor(x), netcl_arg_tensor(y), netcl_arg_f32(1),
                                    netcl_arg_i32(4), netcl_arg_data(&pair, sizeof pair),
                                    netcl_arg_local(8), netcl_arg_tensor(x)),
                         NULL, NULL));
  OK(netcl_tensor_read(y, host, sizeof host, NULL, LONG_WAIT));
  assert_true(host[0] == 24 && host[2] == 24 && host[3] == 7);
  /* What has no room in an argument is refused where it is launched. */
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "args[2]",
             netcl_kernel_launch(kernel, NETCL_LIST(uint64_t, 4), NETCL_LIST(uint64_t, 2),
                                 NETCL_ARGS(netcl_arg_tensor(x), netcl_arg_tensor(y),
                                            netcl_arg_value(wide, sizeof wide), netcl_arg_i32(4),
                                            netcl_arg_value(&pair, sizeof pair),
                                            netcl_arg_local(8), netcl_arg_null()),
                                 NULL, NULL));
}

static int32_t next(int32_t *calls) { return (*calls)++; }

/* Entries are evaluated once, and counts are those of the lists. */
static void lists(void **state) {
  (void)state;
  int32_t calls = 0;
  struct {
    const int32_t *list;
    uint32_t count;
  } found = {NETCL_LIST(int32_t, next(&calls), 7, next(&calls))};
  assert_int_equal(calls, 2);
  assert_int_equal(found.count, 3);
  assert_int_equal(found.list[1], 7);
  struct {
    uint32_t rank;
    const int64_t *shape, *strides;
  } layout = {NETCL_SHAPE(2, 3, 4)};
  assert_true(layout.rank == 3 && layout.shape[2] == 4 && layout.strides == NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(blocks), DEVICE_TEST(replaced), DEVICE_TEST(arrays),   DEVICE_TEST(errors),
      DEVICE_TEST(types),  DEVICE_TEST(batches),  DEVICE_TEST(numbers),  DEVICE_TEST(launches),
      DEVICE_TEST(lists)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
