/* Clipping by norm, unscaling and the scale of the next loss, against extended precision. */
#include <math.h>

#include "support_process.h"
#include "support_strided.h"

#define INVALID NETCL_ERROR_INVALID_ARGUMENT
enum { MOST = 40 };

typedef struct Set {
  int count;
  netcl_dtype dtypes[MOST];
  int64_t counts[MOST];
  Strided tensors[MOST];
  netcl_tensor* views[MOST];
  double* values[MOST];
} Set;

/* Tensors of any strides whose elements are up to `size` large. */
static Set make_set(Fixture* fixture, int count, netcl_dtype only, double size) {
  static const netcl_dtype kNarrow[3] = {NETCL_F16, NETCL_BF16, NETCL_F32};
  Set set = {.count = count};
  for (int i = 0; i < count; ++i) {
    int64_t shape[3];
    const uint32_t rank = (uint32_t)random_in(0, 3);
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(i == 0 ? 1 : 0, i == 0 ? 40 : 9);
    set.counts[i] = product(rank, shape);
    set.dtypes[i] = only != 0 ? only : kNarrow[random_in(0, 2)];
    unsigned char* data = calloc((size_t)set.counts[i] + 1, 8);
    set.values[i] = calloc((size_t)set.counts[i] + 1, sizeof(double));
    for (int64_t k = 0; k < set.counts[i]; ++k) {
      store_double(set.dtypes[i], data, k, size * random_real(-1, 1));
      set.values[i][k] = load_double(set.dtypes[i], data, k);
    }
    set.tensors[i] = make_strided(fixture->device, set.dtypes[i], rank, shape, data);
    set.views[i] = set.tensors[i].view;
    free(data);
  }
  return set;
}

static void free_set(Set* set) {
  for (int i = 0; i < set->count; ++i) {
    void* own = read_tensor(set->views[i]);
    CHECK_STRIDED(&set->tensors[i], own);
    free(own);
    release_strided(&set->tensors[i]);
    free(set->values[i]);
  }
}

/* Each element is what it was times the factor, which may be off by some parts of 2^-20. */
static void check_scaled(const Set* set, long double factor, double off) {
  for (int i = 0; i < set->count; ++i) {
    void* data = read_tensor(set->views[i]);
    for (int64_t k = 0; k < set->counts[i]; ++k) {
      const double got = load_double(set->dtypes[i], data, k);
      const double wanted = (double)(set->values[i][k] * factor);
      const double bound = fabs(wanted) * (off + unit_roundoff(set->dtypes[i])) +
                           (set->dtypes[i] == NETCL_F16 ? 0x1p-25 : 0x1p-148);
      CHECK(fabs(got - wanted) <= bound, "tensor %d (%s), element %lld of %lld: %g, not %g", i,
            netcl_dtype_name(set->dtypes[i]), (long long)k, (long long)set->counts[i], got, wanted);
    }
    free(data);
  }
}

static long double norm_of(const Set* set) {
  long double sum = 0;
  for (int i = 0; i < set->count; ++i) {
    for (int64_t k = 0; k < set->counts[i]; ++k) {
      sum += (long double)set->values[i][k] * (long double)set->values[i][k];
    }
  }
  return sqrtl(sum);
}

static double number_of(netcl_tensor* tensor) {
  void* data = read_tensor(tensor);
  const double value = load_double(tensor_info(tensor).dtype, data, 0);
  free(data);
  return value;
}

static void clip(Fixture* fixture, int count, netcl_dtype only, double size, double part) {
  Set set = make_set(fixture, count, only, size);
  const long double norm = norm_of(&set);
  const double most = part * (double)norm;
  const double off = only == NETCL_F64 ? 0x1p-44 : 0x1p-16;
  netcl_tensor* result = NULL;
  OK(netcl_op_clip_by_norm(set.views, (uint32_t)count, most, NULL, &result));
  assert_int_equal(tensor_info(result).dtype, only == NETCL_F64 ? NETCL_F64 : NETCL_F32);
  assert_int_equal(tensor_info(result).rank, 0);
  CHECK(fabs(number_of(result) - (double)norm) <= off * (double)norm, "the norm is %g, not %Lg",
        number_of(result), norm);
  const long double factor = most / (norm + 1e-6L);
  check_scaled(&set, factor < 1 ? factor : 1, factor < 1 ? off : 0);
  netcl_tensor_release(result);
  free_set(&set);
}

static void norms(void** state) {
  Fixture* fixture = *state;
  static const int kSizes[] = {1, 3, 40};
  const int many = compiles_slowly(fixture) ? 2 : rounds(fixture, 30);
  for (int round = 0; round < many; ++round) {
    const double size = pow(10, random_real(-2, 3));
    clip(fixture, kSizes[(round + 1) % 3], round == 1 ? NETCL_F32 : 0, size,
         random_in(0, 2) == 0 ? 2 : random_real(0.01, 0.9));
  }
}

/* Squares of these are no numbers of the dtype. */
static void range(void** state) {
  Fixture* fixture = *state;
  clip(fixture, 3, NETCL_F32, 1e36, 1e-30);
  clip(fixture, 3, NETCL_F32, 1e-30, 0.5);
  if (fixture->capabilities.fp64 == 0) return;
  clip(fixture, 3, NETCL_F64, 1e300, 0.5);
  clip(fixture, 3, NETCL_F64, 1e-300, 0.5);
}

static void not_finite(void** state) {
  Fixture* fixture = *state;
  const int64_t three = 3;
  const float values[2][3] = {{1, INFINITY, 2}, {1, NAN, 2}};
  for (int i = 0; i < 2; ++i) {
    netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 1, &three, values[i]);
    netcl_tensor* norm = NULL;
    OK(netcl_op_clip_by_norm(&x, 1, 1, NULL, &norm));
    float* got = read_tensor(x);
    if (i == 0) {
      assert_true(isinf(number_of(norm)) && got[0] == 0 && isnan(got[1]) && got[2] == 0);
    } else {
      assert_true(isnan(number_of(norm)) && isnan(got[0]) && isnan(got[1]) && isnan(got[2]));
    }
    free(got);
    netcl_tensor_release(norm);
    netcl_tensor_release(x);
  }
  /* No element at all. */
  netcl_tensor *norm = NULL,
               *none = make_tensor(fixture->device, NETCL_F32, 1, (int64_t[]){0}, NULL);
  OK(netcl_op_clip_by_norm(&none, 1, 1, NULL, &norm));
  assert_true(number_of(norm) == 0);
  netcl_tensor_release(norm);
  netcl_tensor_release(none);
}

static netcl_tensor* f32(Fixture* fixture, float value) {
  return make_tensor(fixture->device, NETCL_F32, 0, NULL, &value);
}

static void unscaling(void** state) {
  Fixture* fixture = *state;
  netcl_tensor *scale = f32(fixture, 1024), *found = f32(fixture, 7);
  const int many = compiles_slowly(fixture) ? 2 : rounds(fixture, 30);
  for (int round = 0; round < many; ++round) {
    const int bad = round % 2, scaled = compiles_slowly(fixture) || random_in(0, 2) != 0;
    Set set = make_set(fixture, round % 3 == 0 ? 40 : 3, round == 0 ? NETCL_F32 : 0, 1000);
    if (bad) {
      /* One element of one tensor. */
      Set with = make_set(fixture, 1, set.dtypes[0], 1000);
      unsigned char element[8];
      store_double(with.dtypes[0], element, 0, round % 4 == 1 ? INFINITY : NAN);
      netcl_tensor* part = NULL;
      netcl_range all[3];
      const netcl_tensor_info info = tensor_info(with.views[0]);
      for (uint32_t d = 0; d < info.rank; ++d) {
        all[d] = (netcl_range){random_in(0, info.shape[d] - 1), 1, 1};
      }
      OK(netcl_tensor_slice(with.views[0], all, info.rank, &part));
      OK(netcl_op_fill(part, element, NULL));
      OK(netcl_op_unscale(with.views, 1, scaled ? scale : NULL, found, NULL));
      assert_true(number_of(found) == 1);
      netcl_tensor_release(part);
      free_set(&with);
    }
    OK(netcl_op_unscale(set.views, (uint32_t)set.count, scaled ? scale : NULL, found, NULL));
    assert_true(number_of(found) == 0);
    check_scaled(&set, scaled ? 0x1p-10L : 1, 0);
    free_set(&set);
  }
  netcl_tensor_release(scale);
  netcl_tensor_release(found);
}

static void scales(void** state) {
  Fixture* fixture = *state;
  netcl_loss_scale_options options = NETCL_LOSS_SCALE_OPTIONS_INIT;
  static const int kFound[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0};
  const int64_t none = 0;
  float wanted = 65536;
  int64_t clean = 0;
  netcl_tensor *scale = f32(fixture, wanted), *found = f32(fixture, 0);
  netcl_tensor* tracker = make_tensor(fixture->device, NETCL_I64, 0, NULL, &none);
  options.growth_factor = 4;
  options.backoff_factor = 0.25;
  options.growth_interval = 3;
  for (size_t i = 0; i < COUNT_OF(kFound); ++i) {
    OK(netcl_op_fill(found, &(float){(float)kFound[i]}, NULL));
    OK(netcl_op_update_loss_scale(scale, tracker, found, &options, NULL));
    clean = kFound[i] ? 0 : clean + 1;
    if (kFound[i]) wanted *= 0.25f;
    if (clean == 3) wanted *= 4, clean = 0;
    CHECK_TENSOR(scale, &wanted);
    CHECK_TENSOR(tracker, &clean);
  }
  /* Defaults, and a scale that cannot grow. */
  const int64_t before = 1999, after = 0;
  const float most = 0x1p127f;
  OK(netcl_tensor_write(tracker, &before, sizeof before, NULL, LONG_WAIT));
  OK(netcl_op_fill(scale, &most, NULL));
  OK(netcl_op_update_loss_scale(scale, tracker, found, NULL, NULL));
  CHECK_TENSOR(scale, &most);
  CHECK_TENSOR(tracker, &after);
  netcl_tensor_release(scale);
  netcl_tensor_release(found);
  netcl_tensor_release(tracker);
}

static void refusals(void** state) {
  Fixture* fixture = *state;
  Set set = make_set(fixture, 2, NETCL_F32, 1);
  const int64_t three = 3, none = 0;
  netcl_tensor *result = NULL, *scale = f32(fixture, 1), *found = f32(fixture, 0);
  netcl_tensor* tracker = make_tensor(fixture->device, NETCL_I64, 0, NULL, &none);
  netcl_tensor* whole = make_tensor(fixture->device, NETCL_I32, 1, &three, (int32_t[]){1, 2, 3});
  netcl_tensor* twice[2] = {set.views[0], set.views[0]};
  netcl_tensor* mixed[2] = {set.views[0], whole};
  netcl_loss_scale_options options = NETCL_LOSS_SCALE_OPTIONS_INIT;
  FAILS_WITH(INVALID, "tensors_count is 0", netcl_op_clip_by_norm(NULL, 0, 1, NULL, &result));
  FAILS_WITH(INVALID, "max_norm is -1", netcl_op_clip_by_norm(set.views, 2, -1, NULL, &result));
  FAILS_WITH(INVALID, "max_norm is", netcl_op_clip_by_norm(set.views, 2, NAN, NULL, &result));
  FAILS_WITH(INVALID, "shares its memory with tensors[",
             netcl_op_clip_by_norm(twice, 2, 1, NULL, &result));
  FAILS_WITH(INVALID, "tensors[1] is i32", netcl_op_clip_by_norm(mixed, 2, 1, NULL, &result));
  assert_null(result);
  FAILS_WITH(INVALID, "tensors_count is 0", netcl_op_unscale(NULL, 0, scale, found, NULL));
  FAILS_WITH(INVALID, "scale is i64", netcl_op_unscale(set.views, 2, tracker, found, NULL));
  FAILS_WITH(INVALID, "found_inf is i32", netcl_op_unscale(set.views, 2, scale, whole, NULL));
  FAILS_WITH(INVALID, "shares its memory", netcl_op_unscale(set.views, 2, scale, scale, NULL));
  options.growth_factor = 1;
  FAILS_WITH(INVALID, "options->growth_factor is 1",
             netcl_op_update_loss_scale(scale, tracker, found, &options, NULL));
  options.growth_factor = 0;
  options.backoff_factor = 1;
  FAILS_WITH(INVALID, "options->backoff_factor is 1",
             netcl_op_update_loss_scale(scale, tracker, found, &options, NULL));
  options.backoff_factor = 0;
  options.growth_interval = -2;
  FAILS_WITH(INVALID, "options->growth_interval is -2",
             netcl_op_update_loss_scale(scale, tracker, found, &options, NULL));
  FAILS_WITH(INVALID, "tracker is f32",
             netcl_op_update_loss_scale(scale, found, found, NULL, NULL));
  check_scaled(&set, 1, 0);
  netcl_tensor* const all[] = {scale, found, tracker, whole};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  free_set(&set);
}

static void print_tensor(netcl_tensor* tensor) {
  const netcl_tensor_info info = tensor_info(tensor);
  unsigned char* data = read_tensor(tensor);
  uint64_t hash = 14695981039346656037u;
  for (uint64_t i = 0; i < info.byte_count; ++i) hash = (hash ^ data[i]) * 1099511628211u;
  printf("%016llx\n", (unsigned long long)hash);
  free(data);
}

/* Prints a norm, what was clipped by it, and parameters after a step, of large and small ones. */
static int print_bits(void) {
  static const int64_t kCounts[4] = {300000, 1, 70001, 17};
  netcl_device* device = NULL;
  netcl_tensor *g[4], *p[4], *m[4], *v[4], *norm = NULL, *step = NULL;
  if (netcl_device_open("builtin", NULL, &device) != NETCL_OK) return 1;
  for (int i = 0; i < 4; ++i) {
    netcl_tensor** const made[] = {&g[i], &p[i], &m[i], &v[i]};
    for (int k = 0; k < 4; ++k) {
      OK(netcl_tensor_create_random(device, NETCL_F32, 1, &kCounts[i], NULL, NULL, NULL, made[k]));
    }
  }
  OK(netcl_tensor_create_zeros(device, NETCL_I64, 0, NULL, NULL, NULL, &step));
  OK(netcl_op_clip_by_norm(g, 4, 0.5, NULL, &norm));
  OK(netcl_op_adam(p, 4, g, 4, m, 4, v, 4, step, 0.5, NULL, NULL));
  print_tensor(norm);
  for (int i = 0; i < 4; ++i) {
    print_tensor(g[i]);
    print_tensor(p[i]);
    netcl_tensor* const made[] = {g[i], p[i], m[i], v[i]};
    for (int k = 0; k < 4; ++k) netcl_tensor_release(made[k]);
  }
  netcl_tensor_release(norm);
  netcl_tensor_release(step);
  netcl_device_release(device);
  return 0;
}

static void same_bits(void** state) {
  Fixture* fixture = *state;
  if (fixture->opencl) SKIP("threads are the built-in device's");
  process_expect_same_output("bits", 9 * 17);
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"bits", print_bits}};
  const int code = process_child_main(argc, argv, modes, 1);
  if (code >= 0) return code;
  seed_random("clip_by_norm");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(norms),  DEVICE_TEST(range),    DEVICE_TEST(not_finite), DEVICE_TEST(unscaling),
      DEVICE_TEST(scales), DEVICE_TEST(refusals), DEVICE_TEST(same_bits),
      DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
