/* Ranges and unit matrices: every element of tensors of every dtype and strides. */
#include <math.h>

#include "support_strided.h"

/* Element i as the header has it. */
static void store_range(netcl_dtype dtype, void* y, int64_t i, const void* start, const void* step,
                        int64_t count) {
  const size_t size = netcl_dtype_size(dtype);
  if (!is_float_dtype(dtype)) {
    uint64_t a = 0, b = 0, sum;
    memcpy(&a, start, size);
    memcpy(&b, step, size);
    sum = a + (uint64_t)count * b;
    memcpy((char*)y + (size_t)i * size, &sum, size);
    return;
  }
  const long double a = load_double(dtype, start, 0), b = load_double(dtype, step, 0);
  if (dtype == NETCL_F64) {
    /* A long double has the exact product of these, and rounds the sum in bits that none has. */
    store_double(dtype, y, i, (double)(a + (long double)count * b));
    return;
  }
  const int64_t rest = count % (1 << 24);
  long double first = a;
  if (count != rest) first = round_to_format(a + (long double)(count - rest) * b, 24, -126, 127);
  store_double(dtype, y, i, (double)round_to_format(first + (long double)rest * b, 24, -126, 127));
}

/* One element: of f64 with few bits, so that products of counts are exact in a long double. */
static void random_element(netcl_dtype dtype, void* element) {
  if (is_float_dtype(dtype)) {
    store_double(dtype, element, 0, (float)random_in(-40000, 40000) / (float)random_in(1, 7));
    return;
  }
  fill_bits(dtype, element, 1);
}

static void check_range(Fixture* fixture, netcl_dtype dtype, uint32_t rank, const int64_t* shape) {
  const int64_t count = product(rank, shape);
  void* wanted = malloc((size_t)count * 8 + 1);
  uint64_t start = 0, step = 0;
  random_element(dtype, &start);
  random_element(dtype, &step);
  for (int64_t i = 0; i < count; ++i) store_range(dtype, wanted, i, &start, &step, i);
  Strided target = make_strided(fixture->device, dtype, rank, shape, NULL);
  OK(netcl_op_range(target.view, &start, &step, NULL));
  CHECK_STRIDED(&target, wanted);
  release_strided(&target);
  free(wanted);
}

static void ranges(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 8 * DTYPES); ++round) {
    const netcl_dtype dtype = kDtypes[round % DTYPES];
    const uint32_t rank = (uint32_t)random_in(0, 5);
    int64_t shape[NETCL_RANK_MAX] = {0};
    if (dtype == NETCL_BOOL || (dtype == NETCL_F64 && !fixture->capabilities.fp64)) continue;
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(round % 20 == 0 ? 0 : 1, 9);
    check_range(fixture, dtype, rank, shape);
  }
  const int64_t line[] = {100003};
  check_range(fixture, NETCL_F32, 1, line);
  check_range(fixture, NETCL_I16, 1, line);
  check_range(fixture, NETCL_F16, 1, line);
}

/* From 2^24 on an index is none of f32: both of its parts count. */
static void long_ranges(void** state) {
  Fixture* fixture = *state;
  const int64_t count = (1 << 24) + 5000;
  const float start = 0.3f, step = 0.7f, zero = 0, one = 1;
  netcl_tensor *y = NULL, *part = NULL;
  if (only_sanitized()) SKIP("16 million elements");
  OK(netcl_tensor_create(fixture->device, NETCL_F32, 1, &count, NULL, NULL, &y));
  for (int form = 0; form < 2; ++form) {
    const float *a = form ? &zero : &start, *b = form ? &one : &step;
    OK(netcl_op_range(y, a, b, NULL));
    const netcl_range range = {(1 << 24) - 4000, 9000, 1};
    float wanted[9000];
    for (int64_t i = 0; i < 9000; ++i) {
      store_range(NETCL_F32, wanted, i, a, b, i + range.start);
    }
    OK(netcl_tensor_slice(y, &range, 1, &part));
    CHECK_TENSOR(part, wanted);
    netcl_tensor_release(part);
  }
  netcl_tensor_release(y);
}

static void check_eye(Fixture* fixture, netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                      int64_t k) {
  const int64_t count = product(rank, shape);
  void* wanted = malloc((size_t)count * 8 + 1);
  for (int64_t i = 0; i < count; ++i) {
    int64_t at[NETCL_RANK_MAX];
    unravel(rank, shape, i, at);
    /* k may be far from all columns. */
    const int crosses = k > -100 && k < 100 && at[rank - 1] == at[rank - 2] + k;
    store_double(dtype, wanted, i, crosses);
  }
  Strided target = make_strided(fixture->device, dtype, rank, shape, NULL);
  OK(netcl_op_eye(target.view, k, NULL));
  CHECK_STRIDED(&target, wanted);
  netcl_tensor* packed = NULL;
  OK(netcl_tensor_create(fixture->device, dtype, rank, shape, NULL, NULL, &packed));
  OK(netcl_op_eye(packed, k, NULL));
  CHECK_TENSOR(packed, wanted);
  netcl_tensor_release(packed);
  release_strided(&target);
  free(wanted);
}

static void unit_matrices(void** state) {
  Fixture* fixture = *state;
  static const int64_t kFar[] = {INT64_MIN, INT64_MAX, -9, 9};
  for (int round = 0; round < rounds(fixture, 6 * DTYPES); ++round) {
    const uint32_t rank = (uint32_t)random_in(2, 5);
    int64_t shape[NETCL_RANK_MAX] = {0};
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(round % 20 == 0 ? 0 : 1, 8);
    const int64_t k = round % 7 == 0 ? kFar[random_in(0, 3)] : random_in(-8, 8);
    check_eye(fixture, kDtypes[round % DTYPES], rank, shape, k);
  }
}

/* Element i of 2 + i / 2, and of the diagonal above the first. */
static netcl_status fill_by(int form, netcl_tensor* tensor, const netcl_run_options* run) {
  const float start = 2, step = 0.5f;
  return form == 0 ? netcl_op_range(tensor, &start, &step, run) : netcl_op_eye(tensor, 1, run);
}

/* A tape and a compiled step have what a call has. What was there before has no gradient. */
static void recorded(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {3, 4};
  float ones[12], filled[12];
  for (int i = 0; i < 12; ++i) ones[i] = 1;
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 2, shape, ones);
  for (int form = 0; form < 4; ++form) {
    netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *y = NULL, *loss = NULL, *made = NULL;
    netcl_tensor* places = make_tensor(fixture->device, NETCL_F32, 2, shape, ones);
    options.execute = form / 2 ? NETCL_OFF : NETCL_ON;
    OK(netcl_graph_create(fixture->device, &options, &run.graph));
    for (int i = 0; i < 12; ++i) {
      filled[i] = form % 2 == 0 ? 2 + 0.5f * (float)i : (float)(i % 4 == i / 4 + 1);
    }
    OK(fill_by(form % 2, places, &run));
    netcl_tensor* const both[] = {x, places};
    OK(netcl_op_elementwise(NETCL_ELEMENTWISE_MUL, both, 2, NULL, &run, &y));
    OK(netcl_op_reduce(y, NETCL_REDUCTION_SUM, NULL, &run, &loss));
    OK(netcl_graph_add_gradients(run.graph, &loss, 1, &x, 1, NULL, &made));
    if (form / 2) {
      netcl_tensor* again = NULL;
      OK(netcl_graph_compile(run.graph, &x, 1, &made, 1, NULL));
      OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &again));
      for (int round = 0; round < 3; ++round) {
        OK(netcl_graph_run(run.graph, &x, 1, &again, 1, NULL));
        CHECK_TENSOR(again, filled);
        OK(netcl_op_fill(again, ones, NULL));
        OK(netcl_op_fill(places, ones, NULL)); /* each run fills it anew */
      }
      netcl_tensor_release(again);
    } else {
      CHECK_TENSOR(made, filled);
    }
    netcl_tensor_release(made);
    netcl_tensor_release(loss);
    netcl_tensor_release(y);
    netcl_graph_release(run.graph);
    netcl_tensor_release(places);
  }
  netcl_tensor_release(x);
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {2, 3}, row[] = {3};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  const float one = 1;
  netcl_tensor *x = NULL, *b = NULL, *line = NULL, *wide = NULL;
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 2, shape, NULL, &one, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_BOOL, 2, shape, NULL, NULL, &b));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, row, NULL, NULL, &line));
  OK(netcl_tensor_broadcast(line, 2, shape, &wide));
  netcl_run_options into = run_into(x);
  FAILS_WITH(bad, "start_value is NULL", netcl_op_range(x, NULL, &one, NULL));
  FAILS_WITH(bad, "step_value is NULL", netcl_op_range(x, &one, NULL, NULL));
  FAILS_WITH(bad, "run->into", netcl_op_range(x, &one, &one, &into));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "tensor is bool", netcl_op_range(b, &one, &one, NULL));
  FAILS_WITH(bad, "tensor", netcl_op_range(wide, &one, &one, NULL));
  FAILS_WITH(bad, "run->into", netcl_op_eye(x, 0, &into));
  FAILS_WITH(bad, "tensor", netcl_op_eye(wide, 0, NULL));
  FAILS_WITH(bad, "tensor has shape [3]", netcl_op_eye(line, 0, NULL));
  const float unchanged[] = {1, 1, 1, 1, 1, 1};
  CHECK_TENSOR(x, unchanged);
  netcl_tensor_release(wide);
  netcl_tensor_release(line);
  netcl_tensor_release(b);
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(ranges),   DEVICE_TEST(long_ranges), DEVICE_TEST(unit_matrices),
      DEVICE_TEST(recorded), DEVICE_TEST(mistakes),    DEVICE_TEST(as_kernels),
  };
  seed_random("range");
  return cmocka_run_group_tests_name("range", tests, NULL, NULL);
}
