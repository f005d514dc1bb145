/*
 * Ordering (the header's "Ordering"): slow writers and readers on two queues, and on one
 * out-of-order queue, without waits and with profiling switched in between. Nothing is waited for
 * before the last round, and every round's result must be right.
 */
#include "support.h"

#define ROUNDS 200

typedef struct Lanes {
  netcl_queue *writer;
  netcl_queue *reader;
} Lanes;

static Lanes open_lanes(Fixture *fixture, int out_of_order) {
  Lanes lanes = {NULL, NULL};
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  options.out_of_order = (uint32_t)out_of_order;
  OK(netcl_queue_create(fixture->device, &options, &lanes.writer));
  if (out_of_order) {
    lanes.reader = lanes.writer;
    OK(netcl_queue_retain(lanes.reader));
  } else {
    OK(netcl_queue_create(fixture->device, NULL, &lanes.reader));
  }
  return lanes;
}

static void close_lanes(Lanes lanes) {
  netcl_queue_release(lanes.writer);
  netcl_queue_release(lanes.reader);
}

/* Switches profiling at uneven intervals, so that every kind of neighbour is met. */
static void toggle(Lanes lanes, int round) {
  if (round % 3 == 0) OK(netcl_queue_set_profiling(lanes.writer, (uint32_t)(round / 3 % 2)));
  if (round % 5 == 0) OK(netcl_queue_set_profiling(lanes.reader, (uint32_t)(round / 5 % 2)));
}

static netcl_tensor *row(netcl_tensor *rows, int round, int64_t extent) {
  const netcl_range ranges[] = {{round, 1, 1}, {0, extent, 1}};
  netcl_tensor *part = NULL, *flat = NULL;
  const int64_t shape[] = {extent};
  OK(netcl_tensor_slice(rows, ranges, 2, &part));
  OK(netcl_tensor_reshape(part, 1, shape, NULL, &flat));
  netcl_tensor_release(part);
  return flat;
}

static void copy_into(netcl_tensor *from, netcl_tensor *into, netcl_queue *queue) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.into = into;
  OK(netcl_op_copy(from, &run, NULL));
}

static void check_rows(netcl_tensor *rows, int64_t extent, int32_t bias) {
  int32_t *values = read_tensor(rows);
  for (int64_t i = 0; i < ROUNDS * extent; ++i) {
    CHECK(values[i] == i / extent + bias, "round %d reads %d", (int)(i / extent), values[i]);
  }
  free(values);
}

/* A slow kernel writes the round's number; a copy on the other queue keeps it. */
static void slow_kernel(Fixture *fixture, int out_of_order) {
  if (!fixture->opencl) SKIP("custom kernels need an OpenCL device");
  if (out_of_order && !fixture->capabilities.out_of_order) SKIP("no out-of-order queues");
  const int64_t extent = 8, shape[] = {8}, all[] = {ROUNDS, 8};
  netcl_kernel *kernel = make_slow_kernel(fixture->device);
  netcl_tensor *target = NULL, *rows = NULL;
  const Lanes lanes = open_lanes(fixture, out_of_order);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &target));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 2, all, NULL, NULL, &rows));
  for (int round = 0; round < ROUNDS; ++round) {
    netcl_tensor *part = row(rows, round, extent);
    /* Every other writer is quick, so that a slow reader's memory is in danger too. */
    OK(launch_slow(kernel, target, (uint64_t)extent, round + 1, round % 2 ? 300000 : 10,
                   lanes.writer, NULL));
    copy_into(target, part, lanes.reader);
    netcl_tensor_release(part);
    toggle(lanes, round);
  }
  check_rows(rows, extent, 1);
  netcl_tensor_release(target);
  netcl_tensor_release(rows);
  netcl_kernel_release(kernel);
  close_lanes(lanes);
}

static void slow_kernel_two_queues(void **state) { slow_kernel(*state, 0); }
static void slow_kernel_out_of_order(void **state) { slow_kernel(*state, 1); }

/* A slow reader, and a quick writer that must not overtake it. */
static void slow_reader(Fixture *fixture, int out_of_order) {
  if (!fixture->opencl) SKIP("custom kernels need an OpenCL device");
  if (out_of_order && !fixture->capabilities.out_of_order) SKIP("no out-of-order queues");
  const int64_t extent = 4, shape[] = {4}, all[] = {ROUNDS, 4};
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  options.source =
      "__kernel void late(__global const int *in, __global int *out, int spin) {\n"
      "  uint x = (uint)spin;\n"
      "  for (int i = 0; i < spin; ++i) x = x * 1664525u + 1013904223u;\n"
      "  const size_t i = get_global_id(0);\n"
      "  if (x != 7u) out[i] = in[i];\n"
      "}\n";
  OK(netcl_kernel_create(fixture->device, "late", &options, &kernel));
  netcl_tensor *source = NULL, *rows = NULL;
  const Lanes lanes = open_lanes(fixture, out_of_order);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &source));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 2, all, NULL, NULL, &rows));
  for (int32_t round = 0; round < ROUNDS; ++round) {
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_arg args[3] = {NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT};
    const uint64_t global = (uint64_t)extent;
    const int32_t spin = 200000;
    const netcl_range ranges[] = {{round, 1, 1}, {0, extent, 1}};
    netcl_tensor *part = NULL, *out = NULL;
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &out));
    args[0].kind = NETCL_ARG_TENSOR;  /* const in the kernel, so it only reads */
    args[0].tensor = source;
    args[1].kind = NETCL_ARG_TENSOR;
    args[1].tensor = out;
    args[2].kind = NETCL_ARG_SCALAR;
    args[2].size = 4;
    memcpy(args[2].value, &spin, 4);
    run.queue = lanes.writer;
    OK(netcl_op_fill(source, &round, &run));
    run.queue = lanes.reader;
    OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 3, NULL, &run));
    OK(netcl_tensor_slice(rows, ranges, 2, &part));
    const int64_t two[] = {1, extent};
    netcl_tensor *as_row = NULL;
    OK(netcl_tensor_reshape(out, 2, two, NULL, &as_row));
    copy_into(as_row, part, lanes.writer);
    netcl_tensor_release(as_row);
    netcl_tensor_release(part);
    netcl_tensor_release(out);
    toggle(lanes, round);
  }
  check_rows(rows, extent, 0);
  netcl_tensor_release(source);
  netcl_tensor_release(rows);
  netcl_kernel_release(kernel);
  close_lanes(lanes);
}

static void slow_reader_two_queues(void **state) { slow_reader(*state, 0); }
static void slow_reader_out_of_order(void **state) { slow_reader(*state, 1); }

/* The same with ops alone, on every device: fill, matmul, expression and copy chase each other. */
static void ops(Fixture *fixture, int out_of_order) {
  if (out_of_order && fixture->opencl && !fixture->capabilities.out_of_order) {
    SKIP("no out-of-order queues");
  }
  enum { N = 64 };
  const int64_t shape[] = {N, N}, all[] = {ROUNDS, N, N};
  const float share = 1.0f / N;
  netcl_tensor *a = NULL, *b = NULL, *c = NULL, *rows = NULL;
  const Lanes lanes = open_lanes(fixture, out_of_order);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &a));
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 2, shape, NULL, &share, NULL, &b));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &c));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, all, NULL, NULL, &rows));
  for (int round = 0; round < ROUNDS; ++round) {
    const netcl_range ranges[] = {{round, 1, 1}, {0, N, 1}, {0, N, 1}};
    netcl_tensor *part = NULL;
    const float value = (float)round;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    OK(netcl_tensor_slice(rows, ranges, 3, &part));
    run.queue = lanes.writer;
    OK(netcl_op_fill(a, &value, &run));
    run.into = c;
    OK(netcl_op_matmul(a, b, NULL, &run, NULL));  /* N times round / N: exact */
    run.queue = lanes.reader;
    run.into = part;
    OK(netcl_op_expression_text("v0 + 1", &c, 1, NULL, &run, NULL));
    netcl_tensor_release(part);
    toggle(lanes, round);
  }
  float *values = read_tensor(rows);
  for (int i = 0; i < ROUNDS * N * N; ++i) {
    CHECK(values[i] == (float)(i / (N * N)) + 1, "round %d reads %g", i / (N * N), values[i]);
  }
  free(values);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(c);
  netcl_tensor_release(rows);
  close_lanes(lanes);
}

static void ops_two_queues(void **state) { ops(*state, 0); }
static void ops_out_of_order(void **state) { ops(*state, 1); }

/* Random commands on four queues over few overlapping views must do what they do one by one. */
static void random_commands(void **state) {
  Fixture *fixture = *state;
  enum { N = 256, QUEUES = 4, STEPS = 400 };
  int32_t model[N];
  const int64_t shape[] = {N};
  netcl_tensor *base = NULL;
  netcl_queue *queues[QUEUES];
  for (int i = 0; i < QUEUES; ++i) {
    netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
    options.out_of_order = i == 3 && (fixture->capabilities.out_of_order || !fixture->opencl);
    OK(netcl_queue_create(fixture->device, &options, &queues[i]));
  }
  memset(model, 0, sizeof model);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &base));
  for (int step = 0; step < STEPS; ++step) {
    const int64_t extent = random_in(1, N / 2);
    const netcl_range from = {random_in(0, N - extent), extent, 1};
    netcl_range to = {random_in(0, N - extent), extent, 1};
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *source = NULL, *target = NULL, *fresh = NULL;
    int32_t values[N];
    run.queue = queues[random_in(0, QUEUES - 1)];
    OK(netcl_tensor_slice(base, &from, 1, &source));
    OK(netcl_tensor_slice(base, &to, 1, &target));
    /* A step of 3x + 1 through new memory, because source and target may overlap. */
    OK(netcl_op_expression_text("v0 * 3 + 1", &source, 1, NULL, &run, &fresh));
    copy_into(fresh, target, queues[random_in(0, QUEUES - 1)]);
    for (int64_t i = 0; i < extent; ++i) {
      values[i] = (int32_t)((uint32_t)model[from.start + i] * 3u + 1u);
    }
    memcpy(model + to.start, values, (size_t)extent * sizeof(int32_t));
    if (step % 7 == 0) {
      OK(netcl_queue_set_profiling(queues[random_in(0, QUEUES - 1)], (uint32_t)(step / 7 % 2)));
    }
    if (step % 50 == 49) {
      netcl_transfer_options move = NETCL_TRANSFER_OPTIONS_INIT;
      int32_t got[N];
      move.queue = queues[random_in(0, QUEUES - 1)];
      memset(got, POISON, sizeof got);
      OK(netcl_tensor_read(base, got, sizeof got, &move, LONG_WAIT));
      for (int i = 0; i < N; ++i) {
        CHECK(got[i] == model[i], "step %d, element %d: %d, not %d", step, i, got[i], model[i]);
      }
      const int32_t start = step;
      for (int i = 0; i < N; ++i) model[i] = start;
      move.queue = queues[random_in(0, QUEUES - 1)];
      OK(netcl_tensor_write(base, model, sizeof model, &move, LONG_WAIT));
    }
    netcl_tensor_release(source);
    netcl_tensor_release(target);
    netcl_tensor_release(fresh);
  }
  for (int i = 0; i < QUEUES; ++i) netcl_queue_release(queues[i]);
  CHECK_TENSOR(base, model);
  netcl_tensor_release(base);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(slow_kernel_two_queues), DEVICE_TEST(slow_kernel_out_of_order),
      DEVICE_TEST(slow_reader_two_queues), DEVICE_TEST(slow_reader_out_of_order),
      DEVICE_TEST(ops_two_queues),         DEVICE_TEST(ops_out_of_order),
      DEVICE_TEST(random_commands),
  };
  seed_random("ordering");
  return cmocka_run_group_tests_name("ordering", tests, NULL, NULL);
}
