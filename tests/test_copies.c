/* Copies between devices: which way they take, what they copy, and what is refused. */
#include "support_copies.h"

enum { DEVICES = COPY_DEVICES, MIB = 1 << 20, PIECE = 16 * MIB };
#define devices copy_devices

static int is_builtin(netcl_device* device) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  OK(netcl_device_get_info(device, &info));
  return info.backend == NETCL_BACKEND_BUILTIN;
}

static netcl_copy_explanation explain(netcl_device* from, netcl_device* to) {
  netcl_copy_explanation out = NETCL_COPY_EXPLANATION_INIT;
  memset(&out, POISON, sizeof out);
  out.struct_size = sizeof out;
  OK(netcl_device_explain_copy(from, to, &out));
  return out;
}

static void check_road(const Fixture* fixture, int i, int k) {
  const netcl_copy_explanation out = explain(devices[i], devices[k]);
  const int functions = runs_functions(fixture);
  const int memory = functions == 1 || (is_builtin(devices[i]) && is_builtin(devices[k]));
  const int transfer = is_builtin(devices[i]) || is_builtin(devices[k]);
  netcl_copy_road road = transfer ? NETCL_COPY_ROAD_TRANSFER : NETCL_COPY_ROAD_STAGED;
  if (memory || (functions < 0 && out.road == NETCL_COPY_ROAD_MEMORY)) {
    road = NETCL_COPY_ROAD_MEMORY;
  }
  if (i == k) road = NETCL_COPY_ROAD_DEVICE;
  CHECK(out.road == road, "devices %d and %d: road %d, not %d: %s", i, k, out.road, road,
        out.reason);
  const uint32_t packs = road >= NETCL_COPY_ROAD_TRANSFER;
  const int pieces = road == NETCL_COPY_ROAD_STAGED ||
                     (road == NETCL_COPY_ROAD_TRANSFER && !fixture->capabilities.integrated);
  assert_int_equal(out.packs, packs);
  assert_int_equal(out.piece_bytes, pieces ? PIECE : 0);
  CHECK(strlen(out.reason) > 30 && strlen(out.reason) < sizeof out.reason - 1, "\"%s\"",
        out.reason);
  for (const char* end = out.reason + strlen(out.reason); end < out.reason + sizeof out.reason;
       ++end) {
    assert_int_equal(*end, 0);
  }
}

static netcl_status explain_call(void* context, void* info) {
  (void)context;
  return netcl_device_explain_copy(devices[0], devices[1], info);
}

static void explanations(void** state) {
  Fixture* fixture = *state;
  netcl_copy_explanation out = NETCL_COPY_EXPLANATION_INIT;
  for (int i = 0; i < DEVICES; ++i) {
    for (int k = 0; k < DEVICES; ++k) check_road(fixture, i, k);
  }
  check_info_rules("netcl_device_explain_copy", explain_call, NULL, sizeof out, 0, 0);
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "from", netcl_device_explain_copy(NULL, devices[0], &out));
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "to", netcl_device_explain_copy(devices[0], NULL, &out));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "explanation",
             netcl_device_explain_copy(devices[0], devices[1], NULL));
}

/* ---- What is copied -------------------------------------------------------------------------- */

static void any_layout(void** state) {
  Fixture* fixture = *state;
  for (int round = rounds(fixture, 300); round >= 0; --round) {
    const netcl_dtype dtype = kDtypes[round % DTYPES];
    const int i = (int)random_in(0, DEVICES - 1), k = (int)random_in(0, DEVICES - 1);
    const uint32_t rank = (uint32_t)random_in(0, 5);
    int64_t shape[NETCL_RANK_MAX];
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(random_in(0, 9) != 0, 7);
    const int64_t count = product(rank, shape);
    void* data = malloc((size_t)count * netcl_dtype_size(dtype) + 1);
    fill_bits(dtype, data, count);
    Strided source = make_strided(devices[i], dtype, rank, shape, data);
    Strided target = make_strided(devices[k], dtype, rank, shape, NULL);
    netcl_event* event = NULL;
    netcl_run_options run = run_into(target.view);
    run.event = &event;
    OK(netcl_op_copy(source.view, &run, NULL));
    OK(netcl_event_wait(event, LONG_WAIT));
    CHECK_STRIDED(&target, data);
    CHECK_STRIDED(&source, data);
    netcl_event_release(event);
    release_strided(&source);
    release_strided(&target);
    free(data);
  }
}

/* Without run->into the copy is new on the queue's device; dimensions of stride 0 are written out.
 */
static void new_tensors(void** state) {
  (void)state;
  const int64_t shape[] = {3}, wide[] = {4, 3};
  const int32_t data[] = {5, -6, 7};
  int32_t all[12];
  for (int i = 0; i < 12; ++i) all[i] = data[i % 3];
  for (int i = 0; i < DEVICES; ++i) {
    for (int k = 0; k < DEVICES; ++k) {
      netcl_tensor* tensor = make_tensor(devices[i], NETCL_I32, 1, shape, data);
      netcl_tensor *view = NULL, *copy = NULL;
      netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
      OK(netcl_tensor_broadcast(tensor, 2, wide, &view));
      OK(netcl_device_get_queue(devices[k], &run.queue));
      OK(netcl_op_copy(view, &run, &copy));
      CHECK_TENSOR(copy, all);
      assert_int_equal(tensor_info(copy).contiguous, 1);
      /* It is a value of that device: an op of that device's queue takes it. */
      netcl_tensor* sum = NULL;
      OK(netcl_op_expression_text("v0 + v0", &copy, 1, NULL, &run, &sum));
      netcl_tensor_release(sum);
      netcl_queue_release(run.queue);
      netcl_tensor_release(tensor);
      netcl_tensor_release(view);
      netcl_tensor_release(copy);
    }
  }
}

/* More pieces than are in flight, and one that is not whole. */
static void pieces(void** state) {
  (void)state;
  const int64_t count = (only_sanitized() ? 2 : 10) * (int64_t)PIECE + 12345;
  unsigned char *data = malloc((size_t)count), *back = malloc((size_t)count);
  for (int64_t i = 0; i < count; ++i) data[i] = (unsigned char)(i * 2654435761u >> 13);
  for (int i = 0; i < DEVICES; ++i) {
    for (int k = 0; k < DEVICES; ++k) {
      if (i == k) continue;
      netcl_tensor *source = make_tensor(devices[i], NETCL_U8, 1, &count, data), *target = NULL;
      netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
      OK(netcl_tensor_create_zeros(devices[k], NETCL_U8, 1, &count, NULL, NULL, &target));
      run.into = target;
      OK(netcl_op_copy(source, &run, NULL));
      /* The source is free from here on. */
      const uint8_t zero = 0;
      OK(netcl_op_fill(source, &zero, NULL));
      netcl_tensor_release(source);
      OK(netcl_tensor_read(target, back, (size_t)count, NULL, LONG_WAIT));
      CHECK(memcmp(data, back, (size_t)count) == 0, "devices %d and %d differ", i, k);
      netcl_tensor_release(target);
    }
  }
  free(data);
  free(back);
}

/* Elements that lie further apart than one object of memory of the other device may be long. */
static void wide_strides(void** state) {
  Fixture* fixture = *state;
  const int64_t most = (int64_t)fixture->capabilities.max_allocation_bytes;
  netcl_device_capabilities builtin = NETCL_DEVICE_CAPABILITIES_INIT;
  const int64_t step = most / 2 + 4096, all = 3 * step + 100, shape[] = {2, 3};
  OK(netcl_device_get_capabilities(devices[1], &builtin));
  if ((uint64_t)all > builtin.max_allocation_bytes) SKIP("the built-in device has no such memory");
  netcl_tensor *memory = NULL, *views[2], *copy = NULL;
  unsigned char data[6] = {1, 2, 3, 4, 5, 6};
  OK(netcl_tensor_create(devices[1], NETCL_U8, 1, &all, NULL, NULL, &memory));
  const int64_t strides[2][2] = {{7, step}, {step, -5}};
  const int64_t offsets[] = {3, 20};
  for (int i = 0; i < 2; ++i) {
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    OK(netcl_tensor_view(memory, 2, shape, strides[i], offsets[i], &views[i]));
    netcl_tensor* values = make_tensor(devices[0], NETCL_U8, 2, shape, data);
    run = run_into(views[i]);
    OK(netcl_op_copy(values, &run, NULL));
    netcl_tensor_release(values);
    CHECK_TENSOR(views[i], data);
    OK(netcl_device_get_queue(devices[0], &run.queue));
    run.into = NULL;
    OK(netcl_op_copy(views[i], &run, &copy));
    CHECK_TENSOR(copy, data);
    netcl_queue_release(run.queue);
    netcl_tensor_release(copy);
    netcl_tensor_release(views[i]);
    for (int j = 0; j < 6; ++j) data[j] += 10;
  }
  netcl_tensor_release(memory);
}

/* Both devices work on one array of the caller: the copy is that of what was there before. */
static void one_array(void** state) {
  Fixture* fixture = *state;
  enum { LENGTH = 3 * MIB, SHIFT = 1001, COPIED = LENGTH - SHIFT };
  if (!fixture->capabilities.integrated) SKIP("the device has memory of its own");
  unsigned char *array = aligned_alloc(4096, LENGTH), *before = malloc(LENGTH);
  const int64_t shape[] = {COPIED};
  for (int turn = 0; turn < 8; ++turn) {
    netcl_device *from = devices[turn % 2 ? 0 : 1], *to = devices[turn % 2 ? 1 : 0];
    const int at = turn & 2 ? SHIFT : 0;
    netcl_buffer *a = NULL, *b = NULL;
    netcl_tensor *source = NULL, *target = NULL;
    for (int i = 0; i < LENGTH; ++i) before[i] = array[i] = (unsigned char)(i * 7 + i / 256);
    OK(netcl_buffer_create_zero_copy(from, array, LENGTH, &a));
    OK(netcl_buffer_create_zero_copy(to, array, LENGTH, &b));
    OK(netcl_tensor_create_from_buffer(a, (uint64_t)at, NETCL_U8, 1, shape, NULL, &source));
    OK(netcl_tensor_create_from_buffer(b, (uint64_t)(SHIFT - at), NETCL_U8, 1, shape, NULL,
                                       &target));
    const netcl_run_options run = run_into(target);
    OK(netcl_op_copy(source, &run, NULL));
    CHECK_TENSOR(target, before + at);
    netcl_buffer_release(a);
    netcl_buffer_release(b);
    netcl_tensor_release(source);
    netcl_tensor_release(target);
  }
  free(array);
  free(before);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void refusals(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3}, other[] = {3, 2};
  const float data[6] = {1, 2, 3, 4, 5, 6};
  for (int k = 1; k < DEVICES; ++k) {
    netcl_tensor* source = make_tensor(devices[0], NETCL_F32, 2, shape, data);
    netcl_tensor* good = make_tensor(devices[k], NETCL_F32, 2, shape, data);
    netcl_tensor* turned = make_tensor(devices[k], NETCL_F32, 2, other, data);
    netcl_tensor* integers = make_tensor(devices[k], NETCL_I32, 2, shape, data);
    netcl_tensor* same = NULL;
    const int64_t zero[] = {0, 1};
    netcl_graph* graph = NULL;
    netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
    netcl_run_options run = run_into(turned);
    OK(netcl_tensor_view(good, 2, shape, zero, 0, &same));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into", netcl_op_copy(source, &run, NULL));
    run.into = integers;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into", netcl_op_copy(source, &run, NULL));
    run.into = same;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into", netcl_op_copy(source, &run, NULL));
    run.into = good;
    OK(netcl_device_get_queue(devices[0], &run.queue));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->queue", netcl_op_copy(source, &run, NULL));
    netcl_queue_release(run.queue);
    run.queue = NULL;
    /* The graph is of one device, and so are the calls that it records. */
    OK(netcl_graph_create(devices[k], &options, &graph));
    run.graph = graph;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "graph", netcl_op_copy(source, &run, NULL));
    netcl_graph_release(graph);
    /* A value of a capture is no content. */
    options.execute = NETCL_OFF;
    for (int turn = 0; turn < 2; ++turn) {
      netcl_tensor* planned = NULL;
      netcl_tensor* plain = turn ? source : good;
      OK(netcl_graph_create(devices[turn ? k : 0], &options, &graph));
      netcl_run_options recorded = NETCL_RUN_OPTIONS_INIT;
      recorded.graph = graph;
      OK(netcl_op_expression_text("v0 + v0", turn ? &good : &source, 1, NULL, &recorded, &planned));
      const netcl_run_options into = run_into(turn ? planned : plain);
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, turn ? "run->into" : "tensor",
                 netcl_op_copy(turn ? plain : planned, &into, NULL));
      netcl_tensor_release(planned);
      netcl_graph_release(graph);
    }
    CHECK_TENSOR(good, data);
    netcl_tensor_release(source);
    netcl_tensor_release(good);
    netcl_tensor_release(turned);
    netcl_tensor_release(integers);
    netcl_tensor_release(same);
  }
}

static void by_transfers(void** state) {
  run_by_transfers(*state, "NETCL_OPENCL_LIBRARY", NETCL_PLAIN_CL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      COPY_TEST(explanations), COPY_TEST(any_layout),   COPY_TEST(new_tensors),
      COPY_TEST(pieces),       COPY_TEST(wide_strides), COPY_TEST(one_array),
      COPY_TEST(refusals),     COPY_TEST(by_transfers), COPY_TEST(as_kernels),
  };
  /* PoCL's share of the memory, in GiB, so that a tensor can be longer than its objects may be. */
  setenv("POCL_MEMORY_LIMIT", "1", 0);
  compile_quickly();
  seed_random("copies");
  return cmocka_run_group_tests_name("copies", tests, NULL, NULL);
}
