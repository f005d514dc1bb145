/* resize: nearest bit for bit, linear within the header's bound of an interpolation in double
 * precision with the coordinates that the header states. */
#include <math.h>

#include "support_strided.h"

static float coordinate(int64_t i, int64_t in, int64_t out, netcl_resize_coordinates how) {
  const volatile float x = (float)i, from = (float)in, to = (float)out;
  if (how == NETCL_RESIZE_ASYMMETRIC) {
    const volatile float scaled = x * from;
    return scaled / to;
  }
  if (how == NETCL_RESIZE_ALIGN_CORNERS) {
    if (out == 1) return 0;
    const volatile float scaled = x * (from - 1.0f);
    return scaled / (to - 1.0f);
  }
  const volatile float scaled = (x + 0.5f) * from;
  const volatile float place = scaled / to;
  return place - 0.5f;
}

typedef struct Problem {
  netcl_dtype dtype;
  uint32_t rank;
  netcl_resize_mode mode;
  netcl_resize_coordinates how;
  int64_t in[NETCL_RANK_MAX], out[NETCL_RANK_MAX];
} Problem;

/* The value of a linear resizing at `at`, over dimensions from d on; `from` has the places found
 * so far. */
static double interpolate(const Problem* p, const void* x, const int64_t* at, int64_t* from,
                          uint32_t d) {
  if (d == p->rank) return load_double(p->dtype, x, ravel(p->rank, p->in, from));
  if (p->in[d] == p->out[d]) {
    from[d] = at[d];
    return interpolate(p, x, at, from, d + 1);
  }
  float place = coordinate(at[d], p->in[d], p->out[d], p->how);
  if (place < 0) place = 0;
  if (place > (float)(p->in[d] - 1)) place = (float)(p->in[d] - 1);
  const double low = floor(place), weight = place - low;
  from[d] = (int64_t)low;
  const double a = interpolate(p, x, at, from, d + 1);
  if (weight == 0) return a;
  from[d] = (int64_t)low + 1;
  const double b = interpolate(p, x, at, from, d + 1);
  return a * (1 - weight) + b * weight;
}

static int64_t nearest(const Problem* p, const int64_t* at) {
  int64_t from[NETCL_RANK_MAX];
  for (uint32_t d = 0; d < p->rank; ++d) {
    if (p->in[d] == p->out[d]) {
      from[d] = at[d];
      continue;
    }
    const float place = ceilf(coordinate(at[d], p->in[d], p->out[d], p->how) - 0.5f);
    from[d] = place < 0 ? 0 : (int64_t)place;
    if (from[d] >= p->in[d]) from[d] = p->in[d] - 1;
  }
  return ravel(p->rank, p->in, from);
}

static void check_values(const Problem* p, const void* x, const void* y, double largest) {
  const int64_t total = product(p->rank, p->out);
  const size_t size = netcl_dtype_size(p->dtype);
  /* f16 and bf16 are weighed in f32 and rounded once. */
  const double eps = p->dtype == NETCL_F64 ? 0x1p-53 : 0x1p-24;
  for (int64_t i = 0; i < total; ++i) {
    int64_t at[NETCL_RANK_MAX], from[NETCL_RANK_MAX];
    unravel(p->rank, p->out, i, at);
    if (p->mode == NETCL_RESIZE_NEAREST) {
      const int64_t place = nearest(p, at);
      CHECK(memcmp((const char*)y + (size_t)i * size, (const char*)x + (size_t)place * size,
                   size) == 0,
            "element %lld is not element %lld of x", (long long)i, (long long)place);
      continue;
    }
    const double wanted = interpolate(p, x, at, from, 0), got = load_double(p->dtype, y, i);
    double bound = 2 * p->rank * eps * largest;
    if (!is_float_dtype(p->dtype)) {
      bound += 0.5;
    } else if (netcl_dtype_size(p->dtype) == 2) {
      bound += unit_roundoff(p->dtype) * fabs(wanted) + 0x1p-25;
    }
    CHECK(fabs(got - wanted) <= bound,
          "%s element %lld is %.17g, not %.17g: off by %g, more than %g",
          netcl_dtype_name(p->dtype), (long long)i, got, wanted, fabs(got - wanted), bound);
  }
}

static void check_resize(Fixture* fixture, const Problem* p) {
  if (p->dtype == NETCL_F64 && !fixture->capabilities.fp64) return;
  const int64_t count = product(p->rank, p->in);
  void* x = malloc((size_t)count * 8 + 1);
  double largest = 0;
  if (p->mode == NETCL_RESIZE_LINEAR) {
    fill_random(p->dtype, x, count, 100);
  } else {
    fill_bits(p->dtype, x, count);
  }
  for (int64_t i = 0; p->mode == NETCL_RESIZE_LINEAR && i < count; ++i) {
    largest = fmax(largest, fabs(load_double(p->dtype, x, i)));
  }
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  options.mode = p->mode;
  options.coordinates = p->how;
  Strided source = make_strided(fixture->device, p->dtype, p->rank, p->in, x);
  Strided target = make_strided(fixture->device, p->dtype, p->rank, p->out, NULL);
  netcl_tensor *packed = make_tensor(fixture->device, p->dtype, p->rank, p->in, x), *result = NULL;
  const netcl_run_options run = run_into(target.view);
  OK(netcl_op_resize(source.view, p->rank, p->out, &options, &run, NULL));
  void* strided = read_tensor(target.view);
  check_values(p, x, strided, largest);
  CHECK_STRIDED(&target, strided);
  OK(netcl_op_resize(packed, p->rank, p->out, &options, NULL, &result));
  void* whole = read_tensor(result);
  check_values(p, x, whole, largest);
  free(strided);
  free(whole);
  netcl_tensor_release(result);
  netcl_tensor_release(packed);
  release_strided(&source);
  release_strided(&target);
  free(x);
}

static void images(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kLinear[] = {NETCL_F16, NETCL_BF16, NETCL_F32,
                                        NETCL_F64, NETCL_U8,   NETCL_I8};
  for (netcl_resize_coordinates how = NETCL_RESIZE_HALF_PIXEL; how <= NETCL_RESIZE_ASYMMETRIC;
       ++how) {
    for (size_t t = 0; t < COUNT_OF(kLinear); ++t) {
      const Problem up = {kLinear[t], 4, NETCL_RESIZE_LINEAR, how, {2, 3, 7, 9}, {2, 3, 15, 31}};
      const Problem last = {kLinear[t], 3, NETCL_RESIZE_LINEAR, how, {9, 8, 5}, {4, 8, 5}};
      check_resize(fixture, &up);
      check_resize(fixture, &last);
    }
    for (size_t t = 0; t < DTYPES; ++t) {
      const Problem p = {kDtypes[t], 3, NETCL_RESIZE_NEAREST, how, {3, 8, 11}, {3, 16, 5}};
      check_resize(fixture, &p);
    }
    const Problem ones = {NETCL_F32, 2, NETCL_RESIZE_LINEAR, how, {1, 5}, {7, 1}};
    const Problem volume = {NETCL_F32, 3, NETCL_RESIZE_LINEAR, how, {4, 5, 6}, {7, 3, 11}};
    const Problem same = {NETCL_F32, 2, NETCL_RESIZE_LINEAR, how, {4, 5}, {4, 5}};
    const Problem empty = {NETCL_F32, 2, NETCL_RESIZE_NEAREST, how, {4, 5}, {0, 5}};
    check_resize(fixture, &ones);
    check_resize(fixture, &volume);
    check_resize(fixture, &same);
    check_resize(fixture, &empty);
  }
}

static void random_problems(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 60); ++round) {
    Problem p = {kDtypes[random_in(0, DTYPES - 1)],
                 (uint32_t)random_in(1, 5),
                 (netcl_resize_mode)random_in(0, 1),
                 (netcl_resize_coordinates)random_in(0, 2),
                 {0},
                 {0}};
    if (p.mode == NETCL_RESIZE_LINEAR && !is_float_dtype(p.dtype)) p.dtype = NETCL_F32;
    for (uint32_t d = 0; d < p.rank; ++d) {
      p.in[d] = random_in(1, 7);
      p.out[d] = random_in(0, 2) == 0 ? p.in[d] : random_in(1, 9);
    }
    check_resize(fixture, &p);
  }
}

/* An infinity spoils its neighbourhood only, not what lies exactly on another element. */
static void infinities(void** state) {
  Fixture* fixture = *state;
  const int64_t in[] = {3}, out[] = {5};
  const float x[] = {1, INFINITY, 2};
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 1, in, x), *result = NULL;
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  options.mode = NETCL_RESIZE_LINEAR;
  options.coordinates = NETCL_RESIZE_ALIGN_CORNERS;
  OK(netcl_op_resize(tensor, 1, out, &options, NULL, &result));
  float* y = read_tensor(result);
  CHECK(y[0] == 1 && isinf(y[1]) && isinf(y[2]) && isinf(y[3]) && y[4] == 2, "%g %g %g %g %g", y[0],
        y[1], y[2], y[3], y[4]);
  free(y);
  netcl_tensor_release(result);
  netcl_tensor_release(tensor);
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4, 3}, negative[] = {4, -3}, none[] = {0, 3};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_tensor *x = NULL, *i = NULL, *empty = NULL, *result = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I16, 2, shape, NULL, NULL, &i));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, none, NULL, NULL, &empty));
  netcl_resize_options linear = NETCL_RESIZE_OPTIONS_INIT, wrong = NETCL_RESIZE_OPTIONS_INIT;
  const netcl_run_options into_x = run_into(x);
  linear.mode = NETCL_RESIZE_LINEAR;
  FAILS_WITH(bad, "rank is 1; x has rank 2", netcl_op_resize(x, 1, shape, NULL, NULL, &result));
  FAILS_WITH(bad, "shape[1] is -3", netcl_op_resize(x, 2, negative, NULL, NULL, &result));
  FAILS_WITH(bad, "shape is NULL", netcl_op_resize(x, 2, NULL, NULL, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is i16",
             netcl_op_resize(i, 2, shape, &linear, NULL, &result));
  wrong.mode = 2;
  FAILS_WITH(bad, "options->mode is 2", netcl_op_resize(x, 2, shape, &wrong, NULL, &result));
  wrong.mode = 0;
  wrong.coordinates = 3;
  FAILS_WITH(bad, "options->coordinates is 3", netcl_op_resize(x, 2, shape, &wrong, NULL, &result));
  FAILS_WITH(bad, "x has shape [0, 3], which is empty; shape is [4, 3]",
             netcl_op_resize(empty, 2, shape, NULL, NULL, &result));
  FAILS_WITH(bad, "shares its memory with x", netcl_op_resize(x, 2, shape, NULL, &into_x, NULL));
  assert_null(result);
  netcl_tensor_release(x);
  netcl_tensor_release(i);
  netcl_tensor_release(empty);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(images),   DEVICE_TEST(random_problems), DEVICE_TEST(infinities),
      DEVICE_TEST(mistakes), DEVICE_TEST(as_kernels),
  };
  seed_random("resize");
  return cmocka_run_group_tests_name("resize", tests, NULL, NULL);
}
