/* Products and convolutions of quantised numbers against exact sums and references that round each
 * step to f32. */
#include "support_graph.h"
#include "support_quantization.h"

/* ---- Products ---- */

/* A number for each row or column, for all of them, or for those of each matrix of a stack. */
enum { NONE, ONE, VECTOR, MATRIX, STACK, FORMS };

typedef struct Numbers {
  int form;
  netcl_dtype dtype;
  int64_t batch, count; /* as it has them */
  unsigned char *data;
  Strided tensor;
} Numbers;

/* `lines` rows or columns of `batch` matrices. */
static Numbers make_numbers(Fixture *fixture, netcl_dtype dtype, int form, int of_rows,
                            int64_t batch, int64_t lines) {
  Numbers n;
  memset(&n, 0, sizeof n);
  n.form = form;
  n.dtype = dtype;
  if (form == NONE) return n;
  n.batch = form == STACK ? batch : 1;
  n.count = form == ONE ? 1 : lines;
  const int64_t all = n.batch * n.count;
  const int64_t shape[3] = {n.batch, of_rows ? n.count : 1, of_rows ? 1 : n.count};
  n.data = malloc((size_t)all * 8 + 8);
  if (is_float_dtype(dtype)) {
    for (int64_t i = 0; i < all; ++i) store_double(dtype, n.data, i, random_scale(dtype));
  } else {
    fill_whole(dtype, n.data, all);
  }
  const uint32_t rank = form == ONE ? (uint32_t)random_in(0, 3) : form == VECTOR ? 1
                        : form == MATRIX                                         ? 2
                                                                                 : 3;
  n.tensor = make_strided(fixture->device, dtype, rank,
                          form == VECTOR ? &n.count : form == MATRIX ? shape + 1 : shape, n.data);
  return n;
}

static int64_t number_at(const Numbers *n, int64_t batch, int64_t line) {
  return (n->batch == 1 ? 0 : batch) * n->count + (n->count == 1 ? 0 : line);
}

static void free_numbers(Numbers *n) {
  free(n->data);
  if (n->form != NONE) release_strided(&n->tensor);
}

static int any_form(int stacked) {
  return (int)random_in(ONE, stacked ? STACK : MATRIX);
}

typedef struct Product {
  int64_t batch, batch_a, batch_b, m, n, k;
  netcl_dtype a, b, y;
  int vector_a, vector_b; /* rank 1: m or n is 1, and the result has no such dimension */
} Product;

static Product random_product(void) {
  Product p;
  memset(&p, 0, sizeof p);
  p.batch = random_in(0, 2) == 0 ? random_in(2, 3) : 1;
  p.batch_a = random_in(0, 1) ? p.batch : 1;
  p.batch_b = p.batch_a == p.batch ? (random_in(0, 1) ? p.batch : 1) : p.batch;
  p.m = random_in(1, 20);
  p.n = random_in(1, 20);
  p.k = random_in(0, 9) == 0 ? 0 : random_in(1, 60);
  p.a = ANY_OF(kByteDtypes);
  p.b = ANY_OF(kByteDtypes);
  p.y = ANY_OF(kByteDtypes);
  if (p.batch == 1 && random_in(0, 3) == 0) p.vector_a = 1, p.m = 1;
  if (p.batch == 1 && random_in(0, 3) == 0) p.vector_b = 1, p.n = 1;
  return p;
}

static int32_t product_sum(const Product *p, const unsigned char *a, const unsigned char *b,
                           const Numbers *za, const Numbers *zb, int64_t batch, int64_t row,
                           int64_t column) {
  const int64_t at_a = p->batch_a == 1 ? 0 : batch, at_b = p->batch_b == 1 ? 0 : batch;
  const int64_t zero_a =
      za->form == NONE ? 0 : whole_number(p->a, za->data, number_at(za, batch, row));
  const int64_t zero_b =
      zb->form == NONE ? 0 : whole_number(p->b, zb->data, number_at(zb, batch, column));
  int64_t sum = 0;
  for (int64_t i = 0; i < p->k; ++i) {
    sum += (whole_number(p->a, a, (at_a * p->m + row) * p->k + i) - zero_a) *
           (whole_number(p->b, b, (at_b * p->k + i) * p->n + column) - zero_b);
  }
  return (int32_t)sum;
}

/* A scale of the result that spreads sums over its range, with some beyond it. */
static double spreading_scale(double k) {
  return rounded_to(NETCL_F32, random_real(0.2, 2.0) * (k < 1 ? 1 : k) * 3);
}

/* An operand of rank 1 has no batch of its own: that of the other one stays. */
static int result_shape(const Product *p, int64_t *shape) {
  int rank = 0;
  if (!p->vector_a || !p->vector_b) shape[rank++] = p->batch;
  if (!p->vector_a) shape[rank++] = p->m;
  if (!p->vector_b) shape[rank++] = p->n;
  return rank;
}

static void check_product(Fixture *fixture, const Product *p) {
  const int stacked = p->batch > 1;
  const int64_t shape_a[3] = {p->batch_a, p->m, p->k}, shape_b[3] = {p->batch_b, p->k, p->n};
  const int64_t count = p->batch * p->m * p->n;
  int64_t extents[3];
  const netcl_dtype scales = ANY_OF(kScaleDtypes);
  unsigned char *a = malloc((size_t)product(3, shape_a) + 1), *wanted = malloc((size_t)count + 1);
  unsigned char *b = malloc((size_t)product(3, shape_b) + 1);
  fill_whole(p->a, a, product(3, shape_a));
  fill_whole(p->b, b, product(3, shape_b));
  Strided left = p->vector_a ? make_strided(fixture->device, p->a, 1, &p->k, a)
                             : make_strided(fixture->device, p->a, 3, shape_a, a);
  Strided right = p->vector_b ? make_strided(fixture->device, p->b, 1, &p->k, b)
                              : make_strided(fixture->device, p->b, 3, shape_b, b);
  Numbers sa = make_numbers(fixture, scales, any_form(stacked), 1, p->batch, p->m);
  Numbers sb = make_numbers(fixture, scales, any_form(stacked), 0, p->batch, p->n);
  Numbers za = make_numbers(fixture, p->a, random_in(0, 1) ? any_form(stacked) : NONE, 1,
                            p->batch, p->m);
  Numbers zb = make_numbers(fixture, p->b, random_in(0, 1) ? any_form(stacked) : NONE, 0,
                            p->batch, p->n);
  const double y_scale = spreading_scale((double)p->k);
  netcl_qlinear_matmul_options options = NETCL_QLINEAR_MATMUL_OPTIONS_INIT;
  netcl_tensor *scale = one_number(fixture, NETCL_F32, y_scale), *result = NULL;
  const int has_zero = (int)random_in(0, 1), into = (int)random_in(0, 1);
  const int64_t zero = has_zero ? random_in(lowest_of(p->y), highest_of(p->y)) : 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t batch = i / (p->m * p->n), row = i / p->n % p->m, column = i % p->n;
    store_whole(p->y, wanted, i,
                requantised(product_sum(p, a, b, &za, &zb, batch, row, column),
                            load_double(scales, sa.data, number_at(&sa, batch, row)),
                            load_double(scales, sb.data, number_at(&sb, batch, column)), y_scale,
                            zero, p->y));
  }
  const uint32_t rank = (uint32_t)result_shape(p, extents);
  Strided target = make_strided(fixture->device, p->y, rank, extents, NULL);
  netcl_run_options run = run_into(target.view);
  options.a_zero_point = za.tensor.view;
  options.b_zero_point = zb.tensor.view;
  if (has_zero) options.y_zero_point = one_number(fixture, p->y, (double)zero);
  if (random_in(0, 1) || (!has_zero && !into)) options.dtype = p->y;
  OK(netcl_op_qlinear_matmul(left.view, sa.tensor.view, right.view, sb.tensor.view, scale,
                             &options, into ? &run : NULL, &result));
  assert_int_equal(tensor_info(result).dtype, p->y);
  assert_int_equal(tensor_info(result).element_count, count);
  CHECK_TENSOR(result, wanted);
  if (into) CHECK_STRIDED(&target, wanted);
  RELEASE(result, scale, options.y_zero_point);
  free_numbers(&sa);
  free_numbers(&sb);
  free_numbers(&za);
  free_numbers(&zb);
  release_strided(&left);
  release_strided(&right);
  release_strided(&target);
  free(a);
  free(b);
  free(wanted);
}

static void random_products(void **state) {
  Fixture *fixture = *state;
  for (int round = rounds(fixture, fixture->kernels ? 100 : 200); round > 0; --round) {
    const Product p = random_product();
    check_product(fixture, &p);
  }
}

/* Halves go to the even number before the zero point is added, as in the specification, and not
 * behind it; and factors are rounded in the order that netcl.h names. */
static void halves(void **state) {
  Fixture *fixture = *state;
  const int64_t left_shape[2] = {6, 1}, right_shape[2] = {1, 1};
  const int8_t a[6] = {1, 3, 5, -1, -3, -5}, wanted[6] = {1, 3, 3, 1, -1, -1}, one = 1;
  netcl_qlinear_matmul_options options = NETCL_QLINEAR_MATMUL_OPTIONS_INIT;
  netcl_tensor *left = make_tensor(fixture->device, NETCL_I8, 2, left_shape, a);
  netcl_tensor *right = make_tensor(fixture->device, NETCL_I8, 2, right_shape, &one);
  options.y_zero_point = one_number(fixture, NETCL_I8, 1);
  for (int round = 0; round < 30; ++round) {
    /* left * right / y is a half, but in this order alone. */
    const double l = rounded_to(NETCL_F32, random_real(0.01, 3));
    const double r = rounded_to(NETCL_F32, random_real(0.01, 3));
    netcl_tensor *l_scale = one_number(fixture, NETCL_F32, l), *result = NULL;
    netcl_tensor *r_scale = one_number(fixture, NETCL_F32, r);
    netcl_tensor *y_scale = one_number(fixture, NETCL_F32, 2 * rounded_to(NETCL_F32, l * r));
    OK(netcl_op_qlinear_matmul(left, l_scale, right, r_scale, y_scale, &options, NULL, &result));
    CHECK_TENSOR(result, wanted);
    RELEASE(l_scale, r_scale, y_scale, result);
  }
  RELEASE(left, right, options.y_zero_point);
}

static void product_refusals(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {2, 3}, turned[2] = {3, 4};
  const unsigned char bytes[64] = {0};
  netcl_tensor *a = make_tensor(fixture->device, NETCL_U8, 2, shape, bytes), *result = NULL;
  netcl_tensor *b = make_tensor(fixture->device, NETCL_I8, 2, turned, bytes);
  netcl_tensor *one = one_number(fixture, NETCL_F32, 1), *byte = one_number(fixture, NETCL_I8, 1);
  netcl_tensor *wide = make_tensor(fixture->device, NETCL_F32, 1, turned, bytes);
  netcl_tensor *real = make_tensor(fixture->device, NETCL_F32, 2, shape, bytes);
  netcl_qlinear_matmul_options options = NETCL_QLINEAR_MATMUL_OPTIONS_INIT;
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT, not = NETCL_ERROR_UNSUPPORTED;
  FAILS_WITH(not, "a is f32; qlinear_matmul takes i8 and u8",
             netcl_op_qlinear_matmul(real, one, b, one, one, NULL, NULL, &result));
  FAILS_WITH(not, "b is f32; qlinear_matmul takes i8 and u8",
             netcl_op_qlinear_matmul(a, one, real, one, one, NULL, NULL, &result));
  FAILS_WITH(not, "a_scale is i8; scales are f32, f16 or bf16",
             netcl_op_qlinear_matmul(a, byte, b, one, one, NULL, NULL, &result));
  FAILS_WITH(not, "y_scale is i8; scales are",
             netcl_op_qlinear_matmul(a, one, b, one, byte, NULL, NULL, &result));
  FAILS_WITH(bad, "a_scale has shape [3], which fits no rows of the result's [2, 4]",
             netcl_op_qlinear_matmul(a, wide, b, one, one, NULL, NULL, &result));
  FAILS_WITH(bad, "b_scale has shape [3], which fits no columns of the result's [2, 4]",
             netcl_op_qlinear_matmul(a, one, b, wide, one, NULL, NULL, &result));
  FAILS_WITH(bad, "y_scale has shape [3]; it takes one element",
             netcl_op_qlinear_matmul(a, one, b, one, wide, NULL, NULL, &result));
  FAILS_WITH(bad, "K is 3 against 2",
             netcl_op_qlinear_matmul(a, one, a, one, one, NULL, NULL, &result));
  options.a_zero_point = byte;
  FAILS_WITH(bad, "options->a_zero_point is i8 and a is u8",
             netcl_op_qlinear_matmul(a, one, b, one, one, &options, NULL, &result));
  options.a_zero_point = NULL;
  options.y_zero_point = one;
  FAILS_WITH(bad, "options->y_zero_point is f32; the result is i8 or u8",
             netcl_op_qlinear_matmul(a, one, b, one, one, &options, NULL, &result));
  options.y_zero_point = byte;
  options.dtype = NETCL_U8;
  FAILS_WITH(bad, "options->y_zero_point is i8; the result is u8",
             netcl_op_qlinear_matmul(a, one, b, one, one, &options, NULL, &result));
  assert_null(result);
  RELEASE(a, b, one, byte, wide, real);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(random_products), DEVICE_TEST(halves),
                                     DEVICE_TEST(product_refusals), DEVICE_TEST(as_kernels)};
  seed_random("qlinear");
  return cmocka_run_group_tests_name("qlinear", tests, NULL, NULL);
}
