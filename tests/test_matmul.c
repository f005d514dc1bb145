/* Matrix products against double precision, with the error bound that the header states. */
#include <math.h>

#include "support.h"

/* A matrix operand: a model for the reference and a tensor of the same elements. */
typedef struct Operand {
  Model model;
  netcl_tensor *tensor;
  unsigned char *storage;
} Operand;

/* Random elements under a random layout: transposed, gaps, negative steps, all through views. */
static Operand make_operand(Fixture *fixture, netcl_dtype dtype, uint32_t rank,
                            const int64_t *shape, int plain) {
  Operand operand;
  int64_t stored[NETCL_RANK_MAX];
  netcl_range ranges[NETCL_RANK_MAX];
  uint32_t axes[NETCL_RANK_MAX];
  const int swap = !plain && rank >= 2 && random_in(0, 1);
  for (uint32_t d = 0; d < rank; ++d) axes[d] = d;
  if (swap) {
    axes[rank - 1] = rank - 2;
    axes[rank - 2] = rank - 1;
  }
  for (uint32_t d = 0; d < rank; ++d) {
    const int64_t extent = shape[axes[d]];
    const int64_t step = plain || random_in(0, 3) > 0 ? 1 : 2;
    stored[d] = extent * step;
    ranges[d] = (netcl_range){0, extent, step};
    if (!plain && extent > 0 && random_in(0, 3) == 0) {
      ranges[d] = (netcl_range){(extent - 1) * step, extent, -step};
    }
  }
  const int64_t count = product(rank, stored);
  operand.storage = malloc((size_t)count * netcl_dtype_size(dtype) + 1);
  fill_random(dtype, operand.storage, count, 1);
  netcl_tensor *base = make_tensor(fixture->device, dtype, rank, stored, operand.storage);
  netcl_tensor *sliced = NULL;
  Model model = model_packed(dtype, rank, stored, operand.storage);
  model = model_slice(&model, ranges);
  operand.model = model_permute(&model, axes);
  OK(netcl_tensor_slice(base, ranges, rank, &sliced));
  OK(netcl_tensor_permute(sliced, axes, rank, &operand.tensor));
  netcl_tensor_release(base);
  netcl_tensor_release(sliced);
  return operand;
}

static void free_operand(Operand *operand) {
  netcl_tensor_release(operand->tensor);
  free(operand->storage);
}

static long double element(const Model *model, int64_t flat) {
  return load_double(model->dtype, model->data, model_index(model, flat));
}

/* Checks got against alpha * a * b + beta * c; the operands have rank 3, [batch, rows, columns]. */
static void check_product(const Model *a, const Model *b, const void *old, double alpha,
                          double beta, netcl_dtype dtype, const void *got) {
  const int64_t m = a->shape[1], k = a->shape[2], n = b->shape[2];
  const int64_t batch = a->shape[0] > b->shape[0] ? a->shape[0] : b->shape[0];
  const double eps = unit_roundoff(a->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32);
  for (int64_t i = 0; i < batch * m * n; ++i) {
    const int64_t x = i / (m * n), row = i / n % m, column = i % n;
    const int64_t at_a = a->shape[0] == 1 ? 0 : x, at_b = b->shape[0] == 1 ? 0 : x;
    long double sum = 0, size = 0;
    for (int64_t p = 0; p < k; ++p) {
      const long double term = element(a, (at_a * m + row) * k + p) *
                               element(b, (at_b * k + p) * n + column);
      sum += term;
      size += fabsl(term);
    }
    sum *= alpha;
    size *= fabs(alpha);
    const long double before = beta != 0 ? beta * load_double(dtype, old, i) : 0;
    const double wanted = (double)(sum + before);
    const double bound = (double)(2 * (double)k * eps * size + 4 * eps * (size + fabsl(before))) +
                         unit_roundoff(dtype) * fabs(wanted) * (1 + 1e-3) +
                         (dtype == NETCL_F16 ? 0x1p-25 : 0);
    const double value = load_double(dtype, got, i);
    CHECK(fabs(value - wanted) <= bound,
          "%s [%lld x %lld] . [%lld x %lld], batch %lld, alpha %g, beta %g: element %lld is %.9g, "
          "not %.9g: off by %g, more than %g", netcl_dtype_name(a->dtype), (long long)m,
          (long long)k, (long long)k, (long long)n, (long long)batch, alpha, beta, (long long)i,
          value, wanted, fabs(value - wanted), bound);
  }
}

static netcl_dtype random_dtype(const Fixture *fixture) {
  const netcl_dtype dtype = (netcl_dtype)random_in(NETCL_F16, NETCL_F64);
  return dtype == NETCL_F64 && !fixture->capabilities.fp64 ? NETCL_F32 : dtype;
}

/* One product of the given sizes with everything else random. */
static void random_product(Fixture *fixture, netcl_dtype dtype, int64_t m, int64_t n, int64_t k) {
  const int64_t batch = random_in(0, 3) == 0 ? random_in(2, 4) : 1;
  const int64_t shape_a[] = {random_in(0, 1) ? batch : 1, m, k};
  const int64_t shape_b[] = {shape_a[0] == batch && random_in(0, 1) ? 1 : batch, k, n};
  const int64_t shape_c[] = {shape_a[0] > shape_b[0] ? shape_a[0] : shape_b[0], m, n};
  const int plain = random_in(0, 2) == 0;
  Operand a = make_operand(fixture, dtype, 3, shape_a, plain);
  Operand b = make_operand(fixture, dtype, 3, shape_b, plain);
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *result = NULL;
  const int narrow = dtype == NETCL_F16 || dtype == NETCL_BF16;
  const netcl_dtype into_dtype = narrow && random_in(0, 1) ? NETCL_F32 : dtype;
  options.dtype = random_in(0, 1) || into_dtype != dtype ? into_dtype : 0;
  if (random_in(0, 1)) {
    OK(netcl_op_matmul(a.tensor, b.tensor, &options, NULL, &result));
    assert_int_equal(tensor_info(result).dtype, into_dtype);
    assert_int_equal(tensor_info(result).rank, 3);
    void *got = read_tensor(result);
    check_product(&a.model, &b.model, NULL, 1, 0, into_dtype, got);
    free(got);
    netcl_tensor_release(result);
  } else {
    Operand c = make_operand(fixture, into_dtype, 3, shape_c, 0);
    void *old = model_gather(&c.model);
    options.has_scale = 1;
    options.alpha = random_in(0, 3) == 0 ? 0 : random_real(-2, 2);
    options.beta = random_in(0, 3) == 0 ? 0 : random_real(-2, 2);
    run.into = c.tensor;
    OK(netcl_op_matmul(a.tensor, b.tensor, &options, &run, NULL));
    void *got = read_tensor(c.tensor);
    check_product(&a.model, &b.model, old, options.alpha, options.beta, into_dtype, got);
    free(got);
    free(old);
    free_operand(&c);
  }
  free_operand(&a);
  free_operand(&b);
}

static void random_products(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, 300); ++round) {
    const int64_t most = round % 3 == 0 ? 8 : 70;
    random_product(fixture, random_dtype(fixture), random_in(1, most), random_in(1, most),
                   random_in(round % 10 == 0 ? 0 : 1, most));
  }
}

/* Sizes around the tiles of any blocking, and thin ones. */
static void edge_sizes(void **state) {
  Fixture *fixture = *state;
  const int64_t sizes[][3] = {{1, 1, 1}, {1, 300, 5}, {300, 1, 5}, {1, 1, 2000}, {2, 3, 1},
                              {127, 129, 65}, {128, 128, 128}, {256, 33, 17}, {5, 257, 300},
                              {130, 66, 260}, {0, 5, 3}, {5, 0, 3}, {4, 4, 0}};
  for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
    for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_F64; ++dtype) {
      if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
      random_product(fixture, dtype, sizes[i][0], sizes[i][1], sizes[i][2]);
    }
  }
}

/* Ranks 1 to 5, with leading dimensions that broadcast. */
static void ranks(void **state) {
  Fixture *fixture = *state;
  struct Case {
    uint32_t rank_a, rank_b, rank_c;
    int64_t a[5], b[5], c[5];
  } cases[] = {
      {1, 1, 0, {7}, {7}, {0}},
      {1, 2, 1, {7}, {7, 3}, {3}},
      {2, 1, 1, {4, 7}, {7}, {4}},
      {3, 1, 2, {5, 4, 7}, {7}, {5, 4}},
      {1, 3, 2, {7}, {5, 7, 3}, {5, 3}},
      {2, 3, 3, {4, 7}, {5, 7, 3}, {5, 4, 3}},
      {4, 3, 4, {2, 1, 4, 7}, {5, 7, 3}, {2, 5, 4, 3}},
      {5, 2, 5, {2, 1, 3, 4, 7}, {7, 3}, {2, 1, 3, 4, 3}},
      {3, 3, 3, {0, 4, 7}, {1, 7, 3}, {0, 4, 3}},
  };
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    Operand a = make_operand(fixture, NETCL_F32, cases[i].rank_a, cases[i].a, 0);
    Operand b = make_operand(fixture, NETCL_F32, cases[i].rank_b, cases[i].b, 0);
    netcl_tensor *result = NULL;
    OK(netcl_op_matmul(a.tensor, b.tensor, NULL, NULL, &result));
    const netcl_tensor_info info = tensor_info(result);
    CHECK(info.rank == cases[i].rank_c, "case %zu has rank %u", i, info.rank);
    for (uint32_t d = 0; d < info.rank; ++d) {
      CHECK(info.shape[d] == cases[i].c[d], "case %zu: extent %u is %lld", i, d,
            (long long)info.shape[d]);
    }
    float *got = read_tensor(result);
    /* The reference walks the result and works out where each operand's row and column lie. */
    const int64_t m = cases[i].rank_a == 1 ? 1 : cases[i].a[cases[i].rank_a - 2];
    const int64_t n = cases[i].rank_b == 1 ? 1 : cases[i].b[cases[i].rank_b - 1];
    const int64_t lead_a = cases[i].rank_a > 2 ? product(cases[i].rank_a - 2, cases[i].a) : 1;
    const int64_t lead_b = cases[i].rank_b > 2 ? product(cases[i].rank_b - 2, cases[i].b) : 1;
    const int64_t lead = info.element_count / (m * n);
    for (int64_t at = 0; at < info.element_count; ++at) {
      const int64_t x = at / (m * n), row = at / n % m, column = at % n;
      /* In these cases the leading dimensions are one block each, or all of the result's. */
      const int64_t xa = lead_a == lead ? x : lead_a == 1 ? 0 : x / lead_b;
      const int64_t xb = lead_b == lead ? x : lead_b == 1 ? 0 : x % lead_b;
      double sum = 0;
      for (int64_t p = 0; p < 7; ++p) {
        sum += (double)(element(&a.model, (xa * m + row) * 7 + p) *
                        element(&b.model, (xb * 7 + p) * n + column));
      }
      CHECK(fabs(got[at] - sum) <= 1e-5, "case %zu, element %lld: %g, not %g", i, (long long)at,
            got[at], sum);
    }
    free(got);
    netcl_tensor_release(result);
    free_operand(&a);
    free_operand(&b);
  }
}

/* beta = 0 does not read into: NaN there must not come through, for k = 0 and alpha = 0 too. */
static void beta_zero(void **state) {
  Fixture *fixture = *state;
  for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_F64; ++dtype) {
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    for (int kind = 0; kind < 4; ++kind) {
      const int64_t k = kind == 1 ? 0 : 9;
      const int64_t shape_a[] = {1, 6, k}, shape_b[] = {1, k, 5}, shape_c[] = {1, 6, 5};
      Operand a = make_operand(fixture, dtype, 3, shape_a, 1);
      Operand b = make_operand(fixture, dtype, 3, shape_b, 1);
      netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
      netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
      netcl_tensor *into = NULL;
      uint64_t nan_bits = 0;
      store_double(dtype, &nan_bits, 0, NAN);
      OK(netcl_tensor_create_full(fixture->device, dtype, 3, shape_c, NULL, &nan_bits, NULL,
                                  &into));
      run.into = into;
      options.has_scale = kind >= 2;
      options.alpha = kind == 3 ? 1.5 : 0;
      OK(netcl_op_matmul(a.tensor, b.tensor, &options, &run, NULL));
      void *got = read_tensor(into);
      check_product(&a.model, &b.model, NULL, options.has_scale ? options.alpha : 1, 0, dtype,
                    got);
      free(got);
      netcl_tensor_release(into);
      free_operand(&a);
      free_operand(&b);
    }
  }
}

/* The same input gives the same bits, run after run. */
static void repeatable(void **state) {
  Fixture *fixture = *state;
  const int64_t shape_a[] = {200, 300}, shape_b[] = {300, 150};
  Operand a = make_operand(fixture, NETCL_F32, 2, shape_a, 0);
  Operand b = make_operand(fixture, NETCL_F32, 2, shape_b, 0);
  netcl_tensor *first = NULL;
  OK(netcl_op_matmul(a.tensor, b.tensor, NULL, NULL, &first));
  void *bits = read_tensor(first);
  for (int i = 0; i < 5; ++i) {
    netcl_tensor *again = NULL;
    OK(netcl_op_matmul(a.tensor, b.tensor, NULL, NULL, &again));
    CHECK_TENSOR(again, bits);
    netcl_tensor_release(again);
  }
  free(bits);
  netcl_tensor_release(first);
  free_operand(&a);
  free_operand(&b);
}

static void errors(void **state) {
  Fixture *fixture = *state;
  const int64_t m23[] = {2, 3}, m34[] = {3, 4}, m44[] = {4, 4}, b223[] = {2, 2, 3},
                b334[] = {3, 3, 4}, m24[] = {2, 4};
  netcl_tensor *a, *b, *wrong, *batch_a, *batch_b, *whole, *scalar, *into, *result = NULL;
  netcl_device *d = fixture->device;
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m23, NULL, NULL, &a));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m34, NULL, NULL, &b));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m44, NULL, NULL, &wrong));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 3, b223, NULL, NULL, &batch_a));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 3, b334, NULL, NULL, &batch_b));
  OK(netcl_tensor_create_zeros(d, NETCL_I32, 2, m34, NULL, NULL, &whole));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 0, NULL, NULL, NULL, &scalar));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m24, NULL, NULL, &into));
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  FAILS_WITH(invalid, "3", netcl_op_matmul(a, wrong, NULL, NULL, &result));
  FAILS(invalid, netcl_op_matmul(batch_a, batch_b, NULL, NULL, &result));
  FAILS_WITH(invalid, "i32", netcl_op_matmul(a, whole, NULL, NULL, &result));
  const netcl_status status = netcl_op_matmul(whole, whole, NULL, NULL, &result);
  CHECK(status == invalid || status == NETCL_ERROR_UNSUPPORTED, "i32: %s",
        netcl_status_name(status));
  FAILS(invalid, netcl_op_matmul(scalar, b, NULL, NULL, &result));
  FAILS(invalid, netcl_op_matmul(a, scalar, NULL, NULL, &result));
  FAILS(invalid, netcl_op_matmul(a, b, NULL, NULL, NULL));
  options.has_scale = 1;
  options.beta = 1;
  FAILS_WITH(invalid, "beta", netcl_op_matmul(a, b, &options, NULL, &result));
  options.has_scale = 0;
  options.beta = 0;
  options.dtype = NETCL_F64;
  FAILS_WITH(invalid, "dtype", netcl_op_matmul(a, b, &options, NULL, &result));
  options.dtype = 999;
  FAILS_WITH(invalid, "999", netcl_op_matmul(a, b, &options, NULL, &result));
  run.into = wrong;
  FAILS_WITH(invalid, "into", netcl_op_matmul(a, b, NULL, &run, NULL));
  run.into = b;  /* b is 3 x 4: 3 x 3 times it has its shape, and shares its memory. */
  netcl_tensor *square = NULL;
  const int64_t m33[] = {3, 3};
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 2, m33, NULL, NULL, &square));
  FAILS_WITH(invalid, "into", netcl_op_matmul(square, b, NULL, &run, NULL));
  assert_null(result);
  run.into = into;
  OK(netcl_op_matmul(a, b, NULL, &run, &result));
  netcl_tensor *const all[] = {a, b, wrong, batch_a, batch_b, whole, scalar, into, result, square};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(random_products), DEVICE_TEST(edge_sizes), DEVICE_TEST(ranks),
      DEVICE_TEST(beta_zero),       DEVICE_TEST(repeatable), DEVICE_TEST(errors),
  };
  seed_random("matmul");
  return cmocka_run_group_tests_name("matmul", tests, NULL, NULL);
}
