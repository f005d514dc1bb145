/* ScatterElements and ScatterND of models with every reduction and dtype: equal indices, negative
 * ones and ones outside, tensors that lie in other orders, against a walk over the updates. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { ROWS = 3, EXTENT = 5, COUNT = 7 };

static const char *const reductions[] = {"none", "add", "mul", "max", "min"};

/* Numbers whose sums and products fit all types; for an order, also NaN and what only unsigned
 * types hold. */
static double random_element(netcl_dtype dtype, int reduction) {
  if (dtype == NETCL_BOOL) return (double)random_in(0, 1);
  if (reduction > 2 && dtype == NETCL_U64) return (double)random_in(0, 1) * 0x1p63 + 4096;
  if (reduction > 2 && is_float_dtype(dtype) && random_in(0, 9) == 0) return NAN;
  const int is_signed = is_float_dtype(dtype) || is_signed_dtype(dtype);
  const int64_t most = reduction == 2 ? 1 : 2;
  return (double)random_in(is_signed ? -most : reduction == 2, most);
}

static double combined(netcl_dtype dtype, int reduction, double a, double b) {
  double made = b;
  if (reduction == 1) made = a + b;
  if (reduction == 2) made = a * b;
  if (reduction > 2 && isnan(a)) made = a;
  if (reduction == 3 && a > b) made = a;
  if (reduction == 4 && a < b) made = a;
  return dtype == NETCL_BOOL ? made != 0 : made;
}

static netcl_model *load_scatter(Fixture *fixture, netcl_dtype dtype, const char *op,
                                 const char *attributes) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", dtype, NULL);
  onnx_input(&graph, "at", NETCL_I64, NULL);
  onnx_input(&graph, "u", dtype, NULL);
  onnx_output(&graph, "y", dtype, NULL);
  onnx_node(&graph, op, "s", "x at u", "y", attributes);
  return onnx_load(fixture, &graph, 18);
}

/* x [ROWS, EXTENT], or [EXTENT, ROWS] for an axis of 0; `turned`: its dimensions lie the other way
 * in memory. */
static void check_elements_op(Fixture *fixture, netcl_dtype dtype, int reduction, int axis,
                              int turned) {
  double x[ROWS][EXTENT];
  unsigned char from[ROWS * EXTENT * 8], updates[ROWS * COUNT * 8];
  int64_t at[ROWS * COUNT];
  const int64_t shape[2] = {axis ? ROWS : EXTENT, axis ? EXTENT : ROWS};
  const int64_t each[2] = {axis ? ROWS : COUNT, axis ? COUNT : ROWS};
  const int64_t other[2] = {shape[1], shape[0]};
  for (int r = 0; r < ROWS; ++r) {
    for (int i = 0; i < EXTENT; ++i) {
      x[r][i] = random_element(dtype, reduction);
      if (reduction == 2 && dtype != NETCL_BOOL) x[r][i] += 2;
      if (reduction > 2 && i == 0 && is_float_dtype(dtype)) x[r][i] = NAN;
      const int place = (axis != 0) != (turned != 0) ? r * EXTENT + i : i * ROWS + r;
      store_double(dtype, from, place, x[r][i]);
    }
    for (int t = 0; t < COUNT; ++t) {
      /* The first element is met in each row, and is NaN where there is an order. */
      const int64_t index = t == 0 ? 0 : random_in(-EXTENT - 1, EXTENT);
      const double update = random_element(dtype, reduction);
      const int place = axis ? r * COUNT + t : t * ROWS + r;
      at[place] = index;
      store_double(dtype, updates, place, update);
      if (index < -EXTENT || index >= EXTENT) continue;
      double *const target = &x[r][index < 0 ? index + EXTENT : index];
      *target = combined(dtype, reduction, *target, update);
    }
  }
  char attributes[64];
  sprintf(attributes, "axis=%d reduction:%s", axis, reductions[reduction]);
  netcl_model *model = load_scatter(fixture, dtype, "ScatterElements", attributes);
  netcl_tensor *const stored = make_tensor(fixture->device, dtype, 2, turned ? other : shape, from);
  netcl_tensor *const inputs[3] = {turned ? turned_view(stored) : stored,
                                   make_tensor(fixture->device, NETCL_I64, 2, each, at),
                                   make_tensor(fixture->device, dtype, 2, each, updates)};
  netcl_tensor *y = onnx_run(model, inputs, 3);
  void *got = read_tensor(y);
  for (int r = 0; r < ROWS; ++r) {
    for (int i = 0; i < EXTENT; ++i) {
      const double value = load_double(dtype, got, axis ? r * EXTENT + i : i * ROWS + r);
      CHECK(value == x[r][i] || (isnan(value) && isnan(x[r][i])),
            "%s, %s: element %d, %d is %g, expected %g", netcl_dtype_name(dtype), attributes, r, i,
            value, x[r][i]);
    }
  }
  free(got);
  if (turned) netcl_tensor_release(stored);
  RELEASE(inputs[0], inputs[1], inputs[2], y);
  netcl_model_release(model);
}

static void elements(void **state) {
  Fixture *fixture = *state;
  for (int d = 0; d < DTYPES; ++d) {
    if (kDtypes[d] == NETCL_F64 && !fixture->capabilities.fp64) continue;
    for (int reduction = 0; reduction < 5; ++reduction) {
      if (kDtypes[d] != NETCL_F32 && left_out(fixture, 2)) continue;
      check_elements_op(fixture, kDtypes[d], reduction, reduction % 2, (d + reduction) % 3 == 0);
    }
  }
}

/* Rows of x [EXTENT, ROWS, 2] at pairs of indices. */
static void rows(void **state) {
  Fixture *fixture = *state;
  for (int reduction = 0; reduction < 5; ++reduction) {
    float x[EXTENT][ROWS][2], wanted[EXTENT][ROWS][2], updates[COUNT][2];
    int64_t at[COUNT][2];
    const int64_t shape[3] = {EXTENT, ROWS, 2}, pairs[2] = {COUNT, 2};
    for (int i = 0; i < EXTENT * ROWS * 2; ++i) (&x[0][0][0])[i] = (float)random_in(-3, 3);
    memcpy(wanted, x, sizeof x);
    for (int t = 0; t < COUNT; ++t) {
      at[t][0] = random_in(-EXTENT, 1 - EXTENT);
      at[t][1] = random_in(-ROWS, ROWS);
      for (int k = 0; k < 2; ++k) {
        updates[t][k] = (float)random_in(-3, 3);
        if (at[t][1] == ROWS) continue;
        const int64_t row = at[t][1] < 0 ? at[t][1] + ROWS : at[t][1];
        float *const target = &wanted[at[t][0] + EXTENT][row][k];
        *target = (float)combined(NETCL_F32, reduction, (double)*target, (double)updates[t][k]);
      }
    }
    char attributes[64];
    sprintf(attributes, "reduction:%s", reductions[reduction]);
    netcl_model *model = load_scatter(fixture, NETCL_F32, "ScatterND", attributes);
    netcl_tensor *const inputs[3] = {make_tensor(fixture->device, NETCL_F32, 3, shape, x),
                                     make_tensor(fixture->device, NETCL_I64, 2, pairs, at),
                                     make_tensor(fixture->device, NETCL_F32, 2, pairs, updates)};
    netcl_tensor *y = onnx_run(model, inputs, 3);
    check_tensor(y, wanted, __FILE__, __LINE__);
    RELEASE(inputs[0], inputs[1], inputs[2], y);
    netcl_model_release(model);
  }
}

int main(void) {
  seed_random("model_scatter");
  const struct CMUnitTest tests[] = {DEVICE_TEST(elements), DEVICE_TEST(rows),
                                     DEVICE_TEST(as_kernels)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
