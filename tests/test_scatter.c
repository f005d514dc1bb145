/* scatter: assigned and added, with equal indices in the order that the header states, against a
 * loop over the updates in C order. */
#include "support_strided.h"

typedef struct Problem {
  netcl_dtype dtype, index_dtype;
  netcl_scatter_mode mode;
  uint32_t atomics, rank, axis;
  int64_t shape[NETCL_RANK_MAX], updates_shape[NETCL_RANK_MAX];
} Problem;

/* Small whole numbers, whose sums are exact in every dtype, or any bits where they are only moved.
 * Floats that are added get fractions, so that the order of the sums shows in the bits. */
static void fill_values(const Problem* p, void* data, int64_t count) {
  if (p->mode == NETCL_SCATTER_ASSIGN) {
    fill_bits(p->dtype, data, count);
    return;
  }
  const int exact = p->atomics || !is_float_dtype(p->dtype);
  for (int64_t i = 0; i < count; ++i) {
    double value = exact ? (double)random_in(0, 3) : random_real(-100, 100);
    /* Products of these fit all types. */
    if (p->mode == NETCL_SCATTER_MUL) value = exact ? (double)random_in(0, 1) : random_real(-2, 2);
    store_double(p->dtype, data, i, value);
  }
}

/* In the dtype's precision. */
static double combined(const Problem* p, double a, double b) {
  if (p->mode == NETCL_SCATTER_MAX) return a > b ? a : b;
  if (p->mode == NETCL_SCATTER_MIN) return a < b ? a : b;
  const int multiplies = p->mode == NETCL_SCATTER_MUL;
  if (p->dtype == NETCL_F64 || !is_float_dtype(p->dtype)) return multiplies ? a * b : a + b;
  const volatile float made = multiplies ? (float)a * (float)b : (float)a + (float)b;
  return made;
}

/* The result by a loop over the updates. Sums of f16 and bf16 stay in f32 until the end. */
static void* reference(const Problem* p, const void* x, const void* k, const void* u) {
  const size_t size = netcl_dtype_size(p->dtype);
  const int64_t count = product(p->rank, p->shape), updates = product(p->rank, p->updates_shape);
  unsigned char* y = malloc((size_t)count * 8 + 1);
  double* sums = malloc((size_t)count * sizeof *sums + 1);
  unsigned char* touched = calloc((size_t)count + 1, 1);
  memcpy(y, x, (size_t)count * size);
  for (int64_t i = 0; i < count; ++i) sums[i] = load_double(p->dtype, x, i);
  for (int64_t i = 0; i < updates; ++i) {
    int64_t at[NETCL_RANK_MAX];
    int64_t index = p->index_dtype == NETCL_I32 ? ((const int32_t*)k)[i] : ((const int64_t*)k)[i];
    const int64_t extent = p->shape[p->axis];
    unravel(p->rank, p->updates_shape, i, at);
    if (index < 0) index += extent;
    if (index < 0 || index >= extent) continue;
    at[p->axis] = index;
    const int64_t place = ravel(p->rank, p->shape, at);
    if (p->mode == NETCL_SCATTER_ASSIGN) {
      memcpy(y + (size_t)place * size, (const char*)u + (size_t)i * size, size);
      continue;
    }
    touched[place] = 1;
    const double update = load_double(p->dtype, u, i);
    sums[place] = combined(p, sums[place], update);
  }
  for (int64_t i = 0; i < count; ++i) {
    if (!touched[i]) continue;
    if (p->dtype == NETCL_BOOL) {
      y[i] = sums[i] != 0;
    } else {
      store_double(p->dtype, y, i, sums[i]);
    }
  }
  free(touched);
  free(sums);
  return y;
}

static void check_scatter(Fixture* fixture, const Problem* p) {
  if (p->dtype == NETCL_F64 && !fixture->capabilities.fp64) return;
  const int64_t count = product(p->rank, p->shape), updates = product(p->rank, p->updates_shape);
  const int64_t extent = p->shape[p->axis];
  void *x = malloc((size_t)count * 8 + 1), *u = malloc((size_t)updates * 8 + 1);
  void* k = malloc((size_t)updates * 8 + 1);
  fill_values(p, x, count);
  fill_values(p, u, updates);
  for (int64_t i = 0; i < updates; ++i) {
    int64_t index = random_in(-extent, extent > 0 ? extent - 1 : 0);
    if (random_in(0, 12) == 0) index = random_in(0, 1) ? extent : -extent - 1;
    if (p->index_dtype == NETCL_I32) {
      ((int32_t*)k)[i] = (int32_t)index;
    } else {
      ((int64_t*)k)[i] = random_in(0, 50) == 0 ? INT64_MIN : index;
    }
  }
  void* y = reference(p, x, k, u);
  netcl_scatter_options options = NETCL_SCATTER_OPTIONS_INIT;
  options.mode = p->mode;
  options.atomics = p->atomics;
  Strided source = make_strided(fixture->device, p->dtype, p->rank, p->shape, x);
  Strided indices = make_strided(fixture->device, p->index_dtype, p->rank, p->updates_shape, k);
  Strided values = make_strided(fixture->device, p->dtype, p->rank, p->updates_shape, u);
  Strided target = make_strided(fixture->device, p->dtype, p->rank, p->shape, NULL);
  netcl_tensor* result = NULL;
  const netcl_run_options run = run_into(target.view), own = run_into(source.view);
  const int32_t axis = (int32_t)p->axis;
  OK(netcl_op_scatter(source.view, indices.view, values.view, axis, &options, &run, NULL));
  CHECK_STRIDED(&target, y);
  OK(netcl_op_scatter(source.view, indices.view, values.view, axis - (int32_t)p->rank, &options,
                      NULL, &result));
  CHECK_TENSOR(result, y);
  CHECK_STRIDED(&source, x);
  OK(netcl_op_scatter(source.view, indices.view, values.view, axis, &options, &own, NULL));
  CHECK_STRIDED(&source, y);
  netcl_tensor_release(result);
  release_strided(&source);
  release_strided(&indices);
  release_strided(&values);
  release_strided(&target);
  free(x);
  free(u);
  free(k);
  free(y);
}

static void every_dtype(void** state) {
  Fixture* fixture = *state;
  for (size_t t = 0; t < DTYPES; ++t) {
    for (netcl_scatter_mode mode = NETCL_SCATTER_ASSIGN; mode <= NETCL_SCATTER_MIN; ++mode) {
      const Problem rows = {kDtypes[t], t % 2 ? NETCL_I32 : NETCL_I64, mode, 0, 2, 0, {20, 70},
                            {45, 67}};
      const Problem columns = {kDtypes[t], NETCL_I32, mode, 0, 2, 1, {5, 30}, {4, 50}};
      check_scatter(fixture, &rows);
      check_scatter(fixture, &columns);
    }
  }
}

/* One long line with many equal indices: its parts must keep the order of the updates. */
static void long_lines(void** state) {
  Fixture* fixture = *state;
  for (netcl_scatter_mode mode = NETCL_SCATTER_ASSIGN; mode <= NETCL_SCATTER_MIN; ++mode) {
    const Problem line = {NETCL_F32, NETCL_I32, mode, 0, 1, 0, {301}, {20011}};
    const Problem narrow = {NETCL_F32, NETCL_I64, mode, 0, 2, 0, {7, 3}, {5003, 3}};
    const Problem halves = {NETCL_F16, NETCL_I32, mode, 0, 1, 0, {97}, {3001}};
    check_scatter(fixture, &line);
    check_scatter(fixture, &narrow);
    check_scatter(fixture, &halves);
  }
}

static void atomics(void** state) {
  Fixture* fixture = *state;
  const netcl_dtype dtypes[] = {NETCL_F32, NETCL_I32, NETCL_U32};
  for (size_t t = 0; t < COUNT_OF(dtypes); ++t) {
    const Problem line = {dtypes[t], NETCL_I32, NETCL_SCATTER_ADD, 1, 1, 0, {31}, {9000}};
    const Problem rows = {dtypes[t], NETCL_I64, NETCL_SCATTER_ADD, 1, 3, 1, {4, 9, 5}, {3, 33, 5}};
    check_scatter(fixture, &line);
    check_scatter(fixture, &rows);
  }
}

static void random_problems(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 80); ++round) {
    Problem p = {kDtypes[random_in(0, DTYPES - 1)],
                 random_in(0, 1) ? NETCL_I32 : NETCL_I64,
                 (netcl_scatter_mode)random_in(NETCL_SCATTER_ASSIGN, NETCL_SCATTER_MIN),
                 0,
                 (uint32_t)random_in(1, 4),
                 0,
                 {0},
                 {0}};
    p.axis = (uint32_t)random_in(0, p.rank - 1);
    for (uint32_t d = 0; d < p.rank; ++d) {
      p.shape[d] = random_in(round % 10 == 0 ? 0 : 1, 7);
      p.updates_shape[d] = d == p.axis ? random_in(0, 12) : random_in(0, p.shape[d]);
    }
    check_scatter(fixture, &p);
  }
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4, 3}, more[] = {5, 3}, wide[] = {4, 4};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_tensor *x = NULL, *k = NULL, *u = NULL, *longer = NULL, *h = NULL, *w = NULL;
  netcl_tensor* result = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 2, shape, NULL, NULL, &k));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &u));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, more, NULL, NULL, &longer));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F16, 2, shape, NULL, NULL, &h));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I64, 2, wide, NULL, NULL, &w));
  netcl_scatter_options atomic = NETCL_SCATTER_OPTIONS_INIT, wrong = NETCL_SCATTER_OPTIONS_INIT;
  const netcl_run_options into_u = run_into(u);
  atomic.atomics = 1;
  FAILS_WITH(bad, "atomics are for ADD", netcl_op_scatter(x, k, u, 0, &atomic, NULL, &result));
  atomic.mode = NETCL_SCATTER_ADD;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is f16",
             netcl_op_scatter(h, k, h, 0, &atomic, NULL, &result));
  atomic.atomics = 2;
  FAILS_WITH(bad, "options->atomics is 2", netcl_op_scatter(x, k, u, 0, &atomic, NULL, &result));
  wrong.mode = 5;
  FAILS_WITH(bad, "options->mode is 5", netcl_op_scatter(x, k, u, 0, &wrong, NULL, &result));
  FAILS_WITH(bad, "updates is f16; x is f32", netcl_op_scatter(x, k, h, 0, NULL, NULL, &result));
  FAILS_WITH(bad, "updates has shape [5, 3]; indices has shape [4, 3]",
             netcl_op_scatter(x, k, longer, 0, NULL, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "indices is f32",
             netcl_op_scatter(x, u, u, 0, NULL, NULL, &result));
  FAILS_WITH(bad, "axis is -3", netcl_op_scatter(x, k, u, -3, NULL, NULL, &result));
  FAILS_WITH(bad, "run->into shares its memory with updates",
             netcl_op_scatter(x, k, u, 0, NULL, &into_u, NULL));
  FAILS_WITH(bad, "updates has shape [4, 3]; indices has shape [4, 4]",
             netcl_op_scatter(x, w, u, 0, NULL, NULL, &result));
  assert_null(result);
  netcl_tensor_release(x);
  netcl_tensor_release(k);
  netcl_tensor_release(u);
  netcl_tensor_release(longer);
  netcl_tensor_release(h);
  netcl_tensor_release(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(every_dtype),     DEVICE_TEST(long_lines), DEVICE_TEST(atomics),
      DEVICE_TEST(random_problems), DEVICE_TEST(mistakes),   DEVICE_TEST(as_kernels),
  };
  seed_random("scatter");
  return cmocka_run_group_tests_name("scatter", tests, NULL, NULL);
}
