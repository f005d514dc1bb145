/* Products with quantised weights against double precision, for every format. */
#include "support_quantized.h"

#include <math.h>

/* A product: x is [batch, m, k], of which rank says how many dimensions there are. */
typedef struct Case {
  Quantized q;
  netcl_dtype dtype, out_dtype;
  uint32_t rank;
  int64_t batch, m;
  int plain;
  Matrix x, into, bias, residual;
  int has_into, has_bias, has_residual, in_place;
  uint32_t bias_rank;
  int64_t bias_shape[3], shape[3];
  netcl_epilogue epilogue;
} Case;

static netcl_dtype short_float(void) {
  static const netcl_dtype kFloats[] = {NETCL_F32, NETCL_F16, NETCL_BF16};
  return kFloats[random_in(0, 2)];
}

static void make_epilogue(Fixture *fixture, Case *c) {
  static const netcl_activation kPlain[] = {NETCL_ACTIVATION_NONE, NETCL_ACTIVATION_RELU,
                                            NETCL_ACTIVATION_LEAKY_RELU, NETCL_ACTIVATION_CLIP,
                                            NETCL_ACTIVATION_TANH};
  const netcl_dtype dtypes[2] = {c->dtype, c->out_dtype};
  c->epilogue.activation = kPlain[random_in(0, 4)];
  c->epilogue.alpha = random_real(-0.5, 0.5);
  c->epilogue.beta = random_real(0.5, 2);
  c->has_bias = (int)random_in(0, 1);
  if (c->has_bias) {
    c->bias_rank = (uint32_t)random_in(0, c->rank);
    for (uint32_t d = 0; d < c->bias_rank; ++d) {
      const int64_t extent = c->shape[c->rank - c->bias_rank + d];
      c->bias_shape[d] = random_in(0, 3) == 0 ? 1 : extent;
    }
    c->bias = make_matrix(fixture, dtypes[random_in(0, 1)], c->bias_rank, c->bias_shape, c->plain);
    c->epilogue.bias = c->bias.tensor;
  }
  c->has_residual = random_in(0, 2) == 0;
  c->in_place = c->has_residual && c->has_into && random_in(0, 1);
  if (c->has_residual && !c->in_place) {
    c->residual = make_matrix(fixture, dtypes[random_in(0, 1)], c->rank, c->shape, c->plain);
  }
  if (c->has_residual) c->epilogue.residual = c->in_place ? c->into.tensor : c->residual.tensor;
  c->q.options.epilogue = &c->epilogue;
}

static void make_case(Fixture *fixture, Case *c, int with_epilogue) {
  const netcl_epilogue none = NETCL_EPILOGUE_INIT;
  const int64_t all[3] = {c->batch, c->m, c->q.k};
  c->epilogue = none;
  c->x = make_matrix(fixture, c->dtype, c->rank, all + 3 - c->rank, c->plain);
  for (uint32_t d = 0; d < c->rank; ++d) c->shape[d] = all[3 - c->rank + d];
  c->shape[c->rank - 1] = c->q.n;
  if (c->out_dtype != c->dtype || random_in(0, 1)) c->q.options.dtype = c->out_dtype;
  c->has_into = (int)random_in(0, 1);
  if (c->has_into) c->into = make_matrix(fixture, c->out_dtype, c->rank, c->shape, c->plain);
  if (with_epilogue) make_epilogue(fixture, c);
}

static void free_case(Case *c) {
  free_matrix(&c->x);
  if (c->has_into) free_matrix(&c->into);
  if (c->has_bias) free_matrix(&c->bias);
  if (c->has_residual && !c->in_place) free_matrix(&c->residual);
  quantized_free(&c->q);
}

static double bias_at(const Case *c, int64_t flat) {
  int64_t at[3], index = 0;
  for (uint32_t d = c->rank; d-- > 0; flat /= c->shape[d]) at[d] = flat % c->shape[d];
  for (uint32_t d = 0; d < c->bias_rank; ++d) {
    const int64_t extent = c->bias_shape[d];
    index = index * extent + (extent == 1 ? 0 : at[c->rank - c->bias_rank + d]);
  }
  return (double)matrix_element(&c->bias.model, index);
}

/* The formula and the bound of the header. */
static void check_result(const Case *c, const void *old, const void *got) {
  const int64_t k = c->q.k, n = c->q.n, count = product(c->rank, c->shape);
  const double eps = unit_roundoff(NETCL_F32), short_eps = unit_roundoff(c->dtype);
  double *x = malloc((size_t)(count / n * k) * sizeof *x + 1);
  for (int64_t i = 0; i < count / n * k; ++i) x[i] = (double)matrix_element(&c->x.model, i);
  for (int64_t i = 0; i < count; ++i) {
    double sum = 0, size = 0, added = 0;
    for (int64_t p = 0; p < k; ++p) {
      const double term = x[i / n * k + p] * c->q.w[i % n * k + p];
      sum += term;
      size += fabs(term);
    }
    double bound = 2 * (double)k * eps * size;
    if (c->dtype != NETCL_F32) bound += short_eps * size;
    const double parts[2] = {c->has_bias ? bias_at(c, i) : 0,
                             !c->has_residual ? 0
                             : c->in_place    ? load_double(c->out_dtype, old, i)
                                              : (double)matrix_element(&c->residual.model, i)};
    for (int j = 0; j < 2; ++j) {
      sum += parts[j];
      added += fabs(parts[j]);
    }
    bound += 4 * eps * (size + added);
    const double wanted = (double)reference_activation(c->epilogue.activation, c->epilogue.alpha,
                                                       c->epilogue.beta, sum);
    bound += (c->epilogue.activation ? 20 * eps : 0) + 1.001 * unit_roundoff(c->out_dtype) *
             fabs(wanted) + (c->out_dtype == NETCL_F16 ? 0x1p-25 : 0);
    const double value = load_double(c->out_dtype, got, i);
    CHECK(fabs(value - wanted) <= bound,
          "x %s of rank %u, %lld x %lld rows, result %s, %s, activation %d, bias %d, residual %d: "
          "element %lld is %.9g, not %.9g: off by %g, more than %g",
          netcl_dtype_name(c->dtype), c->rank, (long long)c->batch, (long long)c->m,
          netcl_dtype_name(c->out_dtype), quantized_text(&c->q), c->epilogue.activation,
          c->has_bias, c->has_residual + c->in_place, (long long)i, value, wanted,
          fabs(value - wanted), bound);
  }
  free(x);
}

/* Runs and checks a product of weights that are made. */
static void check_case(Fixture *fixture, Case *c, int with_epilogue) {
  netcl_tensor *result = NULL;
  void *old = NULL;
  make_case(fixture, c, with_epilogue);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  if (c->has_into) {
    run.into = c->into.tensor;
    old = model_gather(&c->into.model);
  }
  OK(netcl_op_matmul_quantized(c->x.tensor, c->q.weights, &c->q.options, &run, &result));
  const netcl_tensor_info info = tensor_info(result);
  assert_int_equal(info.dtype, c->out_dtype);
  assert_int_equal(info.rank, c->rank);
  for (uint32_t d = 0; d < c->rank; ++d) assert_int_equal(info.shape[d], c->shape[d]);
  void *got = read_tensor(result);
  check_result(c, old, got);
  free(got);
  free(old);
  netcl_tensor_release(result);
  free_case(c);
}

static void random_types(Case *c) {
  c->dtype = short_float();
  c->out_dtype = random_in(0, 2) ? c->dtype : NETCL_F32;
  c->plain = (int)random_in(0, 1);
  c->batch = 1;
  c->rank = 2;
}

static int64_t random_columns(void) {
  static const int64_t kColumns[] = {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 128, 129, 255};
  return random_in(0, 3) ? kColumns[random_in(0, (int64_t)COUNT_OF(kColumns) - 1)]
                         : random_in(256, 1200);
}

static void random_cases(void **state) {
  Fixture *fixture = *state;
  static const int64_t kRows[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 18, 33, 40};
  for (int round = 0; round < rounds(fixture, 400); ++round) {
    Case c = {0};
    quantized_random(&c.q, random_in(0, 3) ? random_in(1, 70) : random_in(1, 9), random_columns());
    quantized_make(fixture, &c.q);
    random_types(&c);
    c.rank = (uint32_t)random_in(1, 3);
    c.m = c.rank == 1 ? 1 : kRows[random_in(0, (int64_t)COUNT_OF(kRows) - 1)];
    if (c.rank == 3) c.batch = random_in(1, 4);
    check_case(fixture, &c, (int)random_in(0, 1));
  }
}

/* Every form with few rows and with many. */
static void every_form(void **state) {
  Fixture *fixture = *state;
  for (int form = 0; form < 33; ++form) {
    for (int many = 0; many < 2; ++many) {
      if (left_out(fixture, 3)) continue;
      Case c = {0};
      Quantized *const q = &c.q;
      q->n = 37;
      q->k = 512;
      if (form < 30) {
        q->format = NETCL_QUANTIZATION_NBITS;
        q->bits = form % 2 ? 8 : 4;
        q->block = 16 << form / 2 % 5;
        q->zeros = form / 10;
        q->scale_dtype = (netcl_dtype[]){NETCL_F32, NETCL_F16, NETCL_BF16}[random_in(0, 2)];
        q->k = 512 - random_in(0, 15);
      } else {
        q->format = (netcl_quantization)(form - 28);
      }
      quantized_make(fixture, q);
      random_types(&c);
      c.m = many ? 19 : random_in(1, 16);
      check_case(fixture, &c, 0);
    }
  }
}

/* Rows beyond what one span of columns, one tile and one panel hold. */
static void large(void **state) {
  Fixture *fixture = *state;
  static const int64_t kRows[] = {1, 3, 8, 13, 16, 17, 70};
  for (size_t r = 0; r < COUNT_OF(kRows); ++r) {
    Case c = {0};
    if (left_out(fixture, 3)) continue;
    quantized_random(&c.q, random_in(90, 150), random_in(4100, 4500));
    quantized_make(fixture, &c.q);
    random_types(&c);
    c.m = kRows[r];
    check_case(fixture, &c, 0);
  }
}

/* Weights that are 0 exactly give 0 exactly, whatever x is: nothing is left of a zero point. */
static void exact_zeros(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < 8; ++round) {
    const int64_t shape[2] = {5, 96}, codes_shape[3] = {5, 3, round % 2 ? 32 : 16};
    const int64_t scales_shape[2] = {5, 3}, zeros_shape[2] = {5, round % 2 ? 3 : 2};
    float x[5 * 96], scales[15], result[25];
    unsigned char codes[5 * 96], zeros[15];
    const int zero = (int)random_in(0, 15);
    for (int i = 0; i < 5 * 96; ++i) x[i] = (float)random_real(-1e5, 1e5);
    for (int i = 0; i < 15; ++i) scales[i] = (float)random_real(-3, 3);
    memset(codes, round % 2 ? zero : zero * 17, sizeof codes);
    memset(zeros, round % 2 ? zero : zero * 17, sizeof zeros);
    netcl_tensor *t[4] = {make_tensor(fixture->device, NETCL_F32, 2, shape, x),
                          make_tensor(fixture->device, NETCL_U8, 3, codes_shape, codes),
                          make_tensor(fixture->device, NETCL_F32, 2, scales_shape, scales),
                          make_tensor(fixture->device, NETCL_U8, 2, zeros_shape, zeros)};
    netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
    netcl_tensor *y = NULL;
    options.format = NETCL_QUANTIZATION_NBITS;
    options.bits = round % 2 ? 8 : 4;
    options.scales = t[2];
    options.zero_points = t[3];
    OK(netcl_op_matmul_quantized(t[0], t[1], &options, NULL, &y));
    OK(netcl_tensor_read(y, result, sizeof result, NULL, LONG_WAIT));
    for (int i = 0; i < 25; ++i) CHECK(result[i] == 0, "element %d is %g", i, (double)result[i]);
    netcl_tensor_release(y);
    for (int i = 0; i < 4; ++i) netcl_tensor_release(t[i]);
  }
}

/* Results and weights without elements. */
static void empty(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < 3; ++round) {
    const int64_t n = round == 1 ? 0 : 5, m = round == 1 ? 3 : 0, rows[2] = {n, 36};
    const int64_t shape[3] = {round == 2 ? 4 : 1, m, 64};
    netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
    netcl_tensor *y = NULL, *w = NULL;
    options.format = NETCL_QUANTIZATION_Q4_0;
    unsigned char codes[180] = {0};
    float x[192] = {0};
    netcl_tensor *t[2] = {make_tensor(fixture->device, NETCL_F32, 3, shape, x),
                          make_tensor(fixture->device, NETCL_U8, 2, rows, codes)};
    OK(netcl_op_matmul_quantized(t[0], t[1], &options, NULL, &y));
    OK(netcl_op_dequantize_weights(t[1], &options, NULL, &w));
    assert_int_equal(tensor_info(y).shape[2], n);
    assert_int_equal(tensor_info(y).shape[1], m);
    assert_int_equal(tensor_info(w).shape[0], n);
    netcl_tensor_release(y);
    netcl_tensor_release(w);
    netcl_tensor_release(t[0]);
    netcl_tensor_release(t[1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(random_cases), DEVICE_TEST(every_form),
                                     DEVICE_TEST(large),        DEVICE_TEST(exact_zeros),
                                     DEVICE_TEST(empty),        DEVICE_TEST(as_kernels)};
  seed_random("matmul_quantized");
  return cmocka_run_group_tests_name("matmul_quantized", tests, NULL, NULL);
}
