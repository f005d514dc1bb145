/*
 * Expressions over operands of all layouts whose rows are long enough for what goes over many
 * elements at once: transposed, sliced, reversed, with steps, broadcast along rows and columns,
 * with short rows, into results of any layout. Values are whole and small, so that every dtype is
 * exact.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "sanitizers.h"
#include "support.h"
#include "support_strided.h"

static int64_t random_extent(void) {
  switch (random_in(0, 4)) {
    case 0:
      return random_in(1, 5);
    case 1:
      return random_in(14, 36);
    case 2:
      return random_in(60, 140);
    case 3:
      return 16 << random_in(0, 5);
    default:
      return random_in(200, 1100);
  }
}

/* An operand of this shape, or with some of its extents 1. */
typedef struct Operand {
  Strided strided;
  int64_t shape[NETCL_RANK_MAX];
  unsigned char* data;
} Operand;

static Operand make_operand(Fixture* fixture, netcl_dtype dtype, uint32_t rank,
                            const int64_t* shape) {
  Operand operand;
  const int whole = random_in(0, 1) == 0;
  for (uint32_t d = 0; d < rank; ++d) {
    operand.shape[d] = !whole && random_in(0, 2) == 0 ? 1 : shape[d];
  }
  const int64_t count = product(rank, operand.shape);
  operand.data = malloc((size_t)count * 8);
  for (int64_t i = 0; i < count; ++i) {
    store_double(dtype, operand.data, i, (double)random_in(0, 50));
  }
  operand.strided = make_strided(fixture->device, dtype, rank, operand.shape, operand.data);
  return operand;
}

static double operand_at(const Operand* operand, netcl_dtype dtype, uint32_t rank,
                         const int64_t* at) {
  int64_t own[NETCL_RANK_MAX];
  for (uint32_t d = 0; d < rank; ++d) own[d] = operand->shape[d] == 1 ? 0 : at[d];
  return load_double(dtype, operand->data, ravel(rank, operand->shape, own));
}

static void any_layouts(void** state) {
  Fixture* fixture = *state;
  /* Of the last one the text is a copy, which moves bits. */
  static const char* const kTexts[] = {"v0 + v1", "v0 * 2 + v1", "v1"};
  static const double kFactors[] = {1, 2, 0};
  for (int round = 0; round < rounds(fixture, 150); ++round) {
    const netcl_dtype dtype = kDtypes[random_in(0, DTYPES - 1)];
    if (dtype == NETCL_BOOL || (dtype == NETCL_F64 && !fixture->capabilities.fp64)) continue;
    const uint32_t rank = (uint32_t)random_in(1, 4);
    int64_t shape[NETCL_RANK_MAX];
    do {
      for (uint32_t d = 0; d < rank; ++d) shape[d] = random_extent();
    } while (product(rank, shape) > 60000);
    /* i8 ends at 127. */
    const int text = dtype == NETCL_I8 ? (int)random_in(0, 1) * 2 : (int)random_in(0, 2);
    Operand operands[2] = {make_operand(fixture, dtype, rank, shape),
                           make_operand(fixture, dtype, rank, shape)};
    netcl_tensor* const inputs[] = {operands[0].strided.view, operands[1].strided.view};
    const int64_t count = product(rank, shape);
    unsigned char* const wanted = malloc((size_t)count * 8);
    for (int64_t i = 0; i < count; ++i) {
      int64_t at[NETCL_RANK_MAX];
      unravel(rank, shape, i, at);
      store_double(dtype, wanted, i,
                   kFactors[text] * operand_at(&operands[0], dtype, rank, at) +
                       operand_at(&operands[1], dtype, rank, at));
    }
    /* Also over an input itself, where it has the shape of the result. */
    const int over = random_in(0, 3) == 0 && product(rank, operands[1].shape) == count;
    Strided result = operands[1].strided;
    if (!over) result = make_strided(fixture->device, dtype, rank, shape, NULL);
    const netcl_run_options run = run_into(result.view);
    const netcl_status status = netcl_op_expression_text(kTexts[text], inputs, 2, NULL, &run, NULL);
    CHECK(status == NETCL_OK, "%s: %s", kTexts[text], netcl_last_error_message());
    CHECK_STRIDED(&result, wanted);
    if (!over) release_strided(&result);
    for (int k = 0; k < 2; ++k) {
      release_strided(&operands[k].strided);
      free(operands[k].data);
    }
    free(wanted);
  }
}

/* Results that are written past the caches, with rows that are whole cache lines, and not. */
static void large_transposed(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShapes[2][2] = {{2050, 2064}, {2064, 2050}};
  static const uint32_t kAxes[] = {1, 0};
  for (int s = 0; s < 2; ++s) {
    const int64_t rows = kShapes[s][0], columns = kShapes[s][1], count = rows * columns;
    const int64_t turned[] = {columns, rows};
    float* const data = malloc((size_t)count * 4);
    for (int64_t i = 0; i < count; ++i) data[i] = (float)i;
    netcl_tensor *const a = make_tensor(fixture->device, NETCL_F32, 2, kShapes[s], data),
                        *const base = make_tensor(fixture->device, NETCL_F32, 2, turned, data);
    netcl_tensor *b = NULL, *result = NULL;
    OK(netcl_tensor_permute(base, kAxes, 2, &b));
    netcl_tensor* const inputs[] = {a, b};
    OK(netcl_op_expression_text("v0 + v1", inputs, 2, NULL, NULL, &result));
    float* const got = read_tensor(result);
    for (int64_t i = 0; i < count; ++i) {
      const float wanted = data[i] + data[i % columns * rows + i / columns];
      CHECK(got[i] == wanted, "element %lld is %g, not %g", (long long)i, (double)got[i],
            (double)wanted);
    }
    free(got);
    free(data);
    netcl_tensor_release(a);
    netcl_tensor_release(b);
    netcl_tensor_release(base);
    netcl_tensor_release(result);
  }
}

/* The least of many times, which other processes make no shorter. */
static double least_seconds(netcl_tensor* const* inputs, netcl_tensor* into) {
  const netcl_run_options run = run_into(into);
  double least = 1e9;
  for (int round = 0; round < 60; ++round) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    OK(netcl_op_expression_text("v0 + v1", inputs, 2, NULL, &run, NULL));
    OK(netcl_tensor_wait(into, LONG_WAIT));
    clock_gettime(CLOCK_MONOTONIC, &end);
    least = fmin(least, (double)(end.tv_sec - begin.tv_sec) +
                            (double)(end.tv_nsec - begin.tv_nsec) * 1e-9);
  }
  return least;
}

/* Where one dimension is dense, strides cost next to nothing. Of bytes an instruction takes dozens,
 * so that what goes element by element stands out; all of them stay in the second cache. */
static void dense_rows_are_fast(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {128, 2048}, wide[] = {128, 2100};
  const netcl_range inside[] = {{0, 128, 1}, {8, 2048, 1}};
  if (HAS_ASAN || HAS_TSAN || fixture->opencl) SKIP("it is about the optimized loops of the host");
  netcl_tensor *whole[3], *wider[3], *views[3];
  for (int i = 0; i < 3; ++i) {
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_U8, 2, shape, NULL, NULL, &whole[i]));
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_U8, 2, wide, NULL, NULL, &wider[i]));
    OK(netcl_tensor_slice(wider[i], inside, 2, &views[i]));
  }
  const double dense = least_seconds(whole, whole[2]), strided = least_seconds(views, views[2]);
  print_message("262144 bytes: dense %.1f us, rows of a wider tensor %.1f us\n", dense * 1e6,
                strided * 1e6);
  CHECK(strided < 3 * dense, "rows of a wider tensor take %g s, all of one %g s", strided, dense);
  for (int i = 0; i < 3; ++i) {
    netcl_tensor_release(views[i]);
    netcl_tensor_release(wider[i]);
    netcl_tensor_release(whole[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(any_layouts),
      DEVICE_TEST(large_transposed),
      DEVICE_TEST(dense_rows_are_fast),
      DEVICE_TEST(as_kernels),
  };
  seed_random("expression_strides");
  return cmocka_run_group_tests_name("expression_strides", tests, NULL, NULL);
}
