/* Gradients of views whose elements share memory, such as windows that overlap. */
#include "support_graph.h"

typedef struct Windows {
  uint32_t rank;
  int64_t shape[4], strides[4];
} Windows;

static int64_t count_of(const Windows* windows) {
  int64_t count = 1;
  for (uint32_t d = 0; d < windows->rank; ++d) count *= windows->shape[d];
  return count;
}
static int64_t reach_of(const Windows* windows) {
  int64_t last = 0;
  for (uint32_t d = 0; d < windows->rank; ++d) {
    last += (windows->shape[d] - 1) * windows->strides[d];
  }
  return last + 1;
}
/* Where element i of the view lies in what it is a view of. */
static int64_t place_of(const Windows* windows, int64_t i) {
  int64_t place = 0;
  for (uint32_t d = windows->rank; d-- > 0; i /= windows->shape[d]) {
    place += i % windows->shape[d] * windows->strides[d];
  }
  return place;
}

static netcl_tensor* random_tensor(Fixture* fixture, uint32_t rank, const int64_t* shape,
                                   float* values) {
  int64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d) count *= shape[d];
  for (int64_t i = 0; i < count; ++i) values[i] = (float)random_in(-8, 8); /* exact sums */
  return make_tensor(fixture->device, NETCL_F32, rank, shape, values);
}

static netcl_tensor* view_of(netcl_tensor* x, const Windows* windows) {
  netcl_buffer* buffer = NULL;
  netcl_tensor* view = NULL;
  OK(netcl_tensor_get_buffer(x, &buffer));
  OK(netcl_tensor_create_from_buffer(buffer, (uint64_t)tensor_info(x).offset * sizeof(float),
                                     NETCL_F32, windows->rank, windows->shape, windows->strides,
                                     &view));
  netcl_buffer_release(buffer);
  return view;
}

/* The gradient of sum(windows of 2 x, each times a weight of its own), or how it is refused. */
static void check_windows(Fixture* fixture, const Windows* windows, const char* refusal) {
  const int64_t count = count_of(windows), reach = reach_of(windows);
  float* const values = test_malloc((size_t)(count + reach) * sizeof(float));
  double* const wanted = test_calloc((size_t)reach, sizeof(double));
  netcl_tensor *x = random_tensor(fixture, 1, &reach, values), *both = NULL, *made = NULL;
  netcl_tensor* weights = random_tensor(fixture, windows->rank, windows->shape, values);
  netcl_tensor *grad = NULL, *loss = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  for (int64_t i = 0; i < count; ++i) wanted[place_of(windows, i)] += 2.0 * values[i];
  OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  OK(netcl_op_expression_text("2 * v0", &x, 1, NULL, &run, &both));
  netcl_tensor* const view = view_of(both, windows);
  OK(netcl_op_expression_text("v0 * v1", (netcl_tensor*[]){view, weights}, 2, NULL, &run, &made));
  OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  if (refusal != NULL) {
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, refusal,
               netcl_graph_add_gradients(run.graph, &loss, 1, &x, 1, NULL, &grad));
    assert_null(grad);
  } else {
    OK(netcl_graph_add_gradients(run.graph, &loss, 1, &x, 1, NULL, &grad));
    check_and_release(&grad, reach, wanted, 1e-4, __LINE__);
  }
  netcl_tensor* all[] = {x, both, made, weights, loss, view};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  netcl_graph_release(run.graph);
  test_free(wanted);
  test_free(values);
}

static void overlapping_windows(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < 20; ++round) {
    Windows windows = {.rank = (uint32_t)random_in(1, 4)};
    for (uint32_t d = 0; d < windows.rank; ++d) {
      windows.shape[d] = random_in(1, 6);
      windows.strides[d] = random_in(0, 4);
    }
    check_windows(fixture, &windows, NULL);
  }
}

/* Up to 4096 parts that overlap are known, along one dimension or as a product of several. */
static void as_many_as_are_known(void** state) {
  Fixture* fixture = *state;
  static const Windows kMost[] = {{3, {64, 64, 64}, {1, 1, 1}},
                                  {4, {16, 16, 16, 16}, {1, 1, 1, 1}}};
  static const Windows kBeyond[] = {{2, {4097, 4097}, {1, 1}},
                                    {3, {65, 64, 65}, {1, 1, 1}},
                                    {4, {17, 16, 16, 17}, {1, 1, 1, 1}}};
  for (size_t i = 0; i < COUNT_OF(kMost); ++i) check_windows(fixture, &kMost[i], NULL);
  for (size_t i = 0; i < COUNT_OF(kBeyond); ++i) {
    check_windows(fixture, &kBeyond[i], "are known where at most 4096 do");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(overlapping_windows),
                                     DEVICE_TEST(as_many_as_are_known)};
  seed_random("gradients_views");
  return cmocka_run_group_tests_name("gradients_views", tests, NULL, NULL);
}
