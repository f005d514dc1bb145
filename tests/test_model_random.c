/* Random numbers of models: where they lie and how often, that runs and loadings have others, and
 * the same ones with a seed. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { ROWS = 40, COLUMNS = 500, COUNT = ROWS * COLUMNS };

static netcl_model *load_like(Fixture *fixture, const char *op, netcl_dtype dtype,
                              netcl_dtype result, const char *attributes) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", dtype, NULL);
  onnx_output(&graph, "y", result, NULL);
  onnx_node(&graph, op, "r", "x", "y", attributes);
  return onnx_load(fixture, &graph, 15);
}

/* Mean, deviation and ends; neighbours along both axes have nothing to do with each other, nor have
 * their squares. */
static void check_numbers(netcl_tensor *y, netcl_dtype dtype, double mean, double deviation,
                          double low, double high, const char *what) {
  const netcl_tensor_info info = tensor_info(y);
  double sum = 0, squares = 0, along = 0, down = 0, wide = 0;
  assert_int_equal(info.dtype, dtype);
  assert_int_equal(info.rank, 2);
  assert_int_equal(info.shape[0], ROWS);
  assert_int_equal(info.shape[1], COLUMNS);
  void *got = read_tensor(y);
  for (int i = 0; i < COUNT; ++i) {
    const double value = load_double(dtype, got, i);
    CHECK(value >= low && value <= high, "%s: element %d is %g", what, i, value);
    sum += value;
  }
  for (int i = 0; i < COUNT; ++i) {
    const double value = load_double(dtype, got, i) - mean;
    squares += value * value;
    const double next = i + 1 < COUNT ? load_double(dtype, got, i + 1) - mean : deviation;
    along += value * next;
    wide += (value * value - deviation * deviation) * (next * next - deviation * deviation);
    if (i + COLUMNS < COUNT) down += value * (load_double(dtype, got, i + COLUMNS) - mean);
  }
  free(got);
  /* Six deviations of each. */
  const double slack = 6 / sqrt((double)COUNT), square = deviation * deviation;
  CHECK(fabs(sum / COUNT - mean) < slack * deviation, "%s: the mean is %g", what, sum / COUNT);
  CHECK(fabs(squares / COUNT / square - 1) < 2 * slack, "%s: the variance is %g", what,
        squares / COUNT);
  CHECK(fabs(along / COUNT) < slack * square, "%s: %g along rows", what, along / COUNT);
  CHECK(fabs(wide / COUNT) < 2 * slack * square * square, "%s: %g of squares", what, wide / COUNT);
  CHECK(fabs(down / COUNT) < slack * square, "%s: %g along columns", what, down / COUNT);
}

static int is_same(netcl_tensor *a, netcl_tensor *b) {
  const size_t bytes = (size_t)tensor_info(a).byte_count;
  void *first = read_tensor(a), *second = read_tensor(b);
  const int same = memcmp(first, second, bytes) == 0;
  free(first);
  free(second);
  return same;
}

static netcl_tensor *plane(Fixture *fixture, netcl_dtype dtype, double value) {
  const int64_t shape[2] = {ROWS, COLUMNS};
  double *values = malloc(COUNT * sizeof *values);
  for (int i = 0; i < COUNT; ++i) store_double(dtype, values, i, value);
  netcl_tensor *made = make_tensor(fixture->device, dtype, 2, shape, values);
  free(values);
  return made;
}

static void distributions(void **state) {
  Fixture *fixture = *state;
  const netcl_dtype dtypes[] = {NETCL_F32, NETCL_F16, NETCL_F64, NETCL_BF16};
  for (int i = 0; i < 4; ++i) {
    const netcl_dtype dtype = dtypes[i];
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    netcl_tensor *x = plane(fixture, dtype, 0);
    netcl_model *model =
        load_like(fixture, "RandomNormalLike", dtype, dtype, "mean=1.5 scale=0.5");
    netcl_tensor *y = onnx_run(model, &x, 1);
    check_numbers(y, dtype, 1.5, 0.5, -3, 6, "normal");
    netcl_tensor_release(y);
    netcl_model_release(model);
    model = load_like(fixture, "RandomUniformLike", dtype, dtype, "low=-1.0 high=3.0");
    y = onnx_run(model, &x, 1);
    check_numbers(y, dtype, 1, 4 / sqrt(12), -1, 3, "uniform");
    RELEASE(x, y);
    netcl_model_release(model);
  }
}

/* Without inputs, of a shape. */
static void of_shapes(void **state) {
  Fixture *fixture = *state;
  for (int normal = 0; normal < 2; ++normal) {
    OnnxBytes graph = {0};
    onnx_output(&graph, "y", NETCL_F32, NULL);
    onnx_node(&graph, normal ? "RandomNormal" : "RandomUniform", "r", "", "y", "shape=[40,500]");
    netcl_model *model = onnx_load(fixture, &graph, 15);
    netcl_tensor *y = onnx_run(model, NULL, 0);
    check_numbers(y, NETCL_F32, normal ? 0 : 0.5, normal ? 1 : 1 / sqrt(12), normal ? -8 : 0,
                  normal ? 8 : 1, "of a shape");
    netcl_tensor_release(y);
    netcl_model_release(model);
  }
}

/* Number `i` of a run, by SplitMix64: its upper 24 bits. */
static float number_of(double seed, int run, int i) {
  uint64_t z = 0;
  memcpy(&z, &seed, sizeof z);
  z += (uint64_t)(run * COUNT + i + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return (float)((z ^ (z >> 31)) >> 40) * 0x1p-24f;
}

/* Runs differ, and so do loadings; with a seed loadings have the same runs. */
static void runs(void **state) {
  Fixture *fixture = *state;
  netcl_tensor *x = plane(fixture, NETCL_F32, 0);
  for (int seeded = 0; seeded < 2; ++seeded) {
    netcl_tensor *made[2][2];
    for (int i = 0; i < 2; ++i) {
      netcl_model *model = load_like(fixture, "RandomUniformLike", NETCL_F32, NETCL_F32,
                                     seeded ? "seed=7.0" : NULL);
      for (int run = 0; run < 2; ++run) made[i][run] = onnx_run(model, &x, 1);
      assert_false(is_same(made[i][0], made[i][1]));
      netcl_model_release(model);
    }
    for (int run = 0; run < 2; ++run) {
      assert_int_equal(is_same(made[0][run], made[1][run]), seeded);
      assert_false(is_same(made[0][run], made[1][1 - run]));
    }
    for (int run = 0; seeded && run < 2; ++run) {
      float *got = read_tensor(made[0][run]);
      for (int i = 0; i < COUNT; ++i) {
        CHECK(got[i] == number_of(7, run, i), "element %d of run %d is %.9g", i, run,
              (double)got[i]);
      }
      free(got);
    }
    RELEASE(made[0][0], made[0][1], made[1][0], made[1][1]);
  }
  netcl_tensor_release(x);
}

static void bernoulli(void **state) {
  Fixture *fixture = *state;
  const double chances[] = {0, 0.25, 1};
  for (int i = 0; i < 3; ++i) {
    netcl_tensor *x = plane(fixture, NETCL_F32, chances[i]);
    netcl_model *model = load_like(fixture, "Bernoulli", NETCL_F32, NETCL_I32, "dtype=6");
    netcl_tensor *y = onnx_run(model, &x, 1);
    int32_t *got = read_tensor(y);
    int count = 0;
    for (int k = 0; k < COUNT; ++k) {
      assert_true(got[k] == 0 || got[k] == 1);
      count += got[k];
    }
    free(got);
    CHECK(fabs(count / (double)COUNT - chances[i]) <= 6 * sqrt(0.1875 / COUNT) * (i == 1),
          "%d of %d for a chance of %g", count, COUNT, chances[i]);
    RELEASE(x, y);
    netcl_model_release(model);
  }
}

/* Classes with logarithms of chances; one of them has none. */
static void multinomial(void **state) {
  Fixture *fixture = *state;
  enum { CLASSES = 4, SAMPLES = 20000 };
  const float x[2][CLASSES] = {{0, -INFINITY, 1, 2}, {3, 3, 3, -INFINITY}};
  const int64_t shape[2] = {2, CLASSES};
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_I64, NULL);
  onnx_node(&graph, "Multinomial", "m", "x", "y", "sample_size=20000 dtype=7");
  netcl_model *model = onnx_load(fixture, &graph, 15);
  netcl_tensor *input = make_tensor(fixture->device, NETCL_F32, 2, shape, x);
  netcl_tensor *y = onnx_run(model, &input, 1);
  assert_int_equal(tensor_info(y).shape[1], SAMPLES);
  int64_t *got = read_tensor(y);
  for (int row = 0; row < 2; ++row) {
    double sum = 0;
    int counts[CLASSES] = {0};
    for (int c = 0; c < CLASSES; ++c) sum += exp((double)x[row][c]);
    for (int i = 0; i < SAMPLES; ++i) {
      assert_true(got[row * SAMPLES + i] >= 0 && got[row * SAMPLES + i] < CLASSES);
      ++counts[got[row * SAMPLES + i]];
    }
    for (int c = 0; c < CLASSES; ++c) {
      const double chance = exp((double)x[row][c]) / sum;
      CHECK(fabs(counts[c] / (double)SAMPLES - chance) <= 6 * sqrt(chance * (1 - chance) / SAMPLES),
            "row %d: class %d is there %d times", row, c, counts[c]);
    }
  }
  free(got);
  RELEASE(input, y);
  netcl_model_release(model);
}

/* What the mask lets go is 0, the rest grows; each run drops others. */
static void dropout(void **state) {
  Fixture *fixture = *state;
  const float ratio = 0.2f;
  const unsigned char yes = 1;
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&graph, "m", NETCL_BOOL, NULL);
  onnx_weight(&graph, "r", NETCL_F32, 0, NULL, &ratio);
  onnx_weight(&graph, "t", NETCL_BOOL, 0, NULL, &yes);
  onnx_node(&graph, "Dropout", "d", "x r t", "y m", "seed=5");
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *x = plane(fixture, NETCL_F32, 4), *outputs[2][2];
  for (int run = 0; run < 2; ++run) {
    uint32_t made = 0;
    int count = 0;
    OK(netcl_model_evaluate(model, &x, 1, NULL, outputs[run], 2, &made));
    assert_int_equal(made, 2);
    float *y = read_tensor(outputs[run][0]);
    unsigned char *mask = read_tensor(outputs[run][1]);
    for (int i = 0; i < COUNT; ++i) {
      CHECK(mask[i] ? fabs((double)y[i] - 5) < 1e-5 : y[i] == 0, "element %d is %g, the mask %d", i,
            (double)y[i], mask[i]);
      count += mask[i];
    }
    CHECK(fabs(count / (double)COUNT - 0.8) < 6 * sqrt(0.16 / COUNT), "%d are left", count);
    free(y);
    free(mask);
  }
  assert_false(is_same(outputs[0][1], outputs[1][1]));
  RELEASE(x, outputs[0][0], outputs[0][1], outputs[1][0], outputs[1][1]);
  netcl_model_release(model);
}

int main(void) {
  seed_random("model_random");
  const struct CMUnitTest tests[] = {DEVICE_TEST(distributions), DEVICE_TEST(of_shapes),
                                     DEVICE_TEST(runs),          DEVICE_TEST(bernoulli),
                                     DEVICE_TEST(multinomial),   DEVICE_TEST(dropout),
                                     DEVICE_TEST(as_kernels)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
