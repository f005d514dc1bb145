/* Models at the edges of what nodes take: values that an attribute holds in a large file, places
 * outside of a tensor, lists without elements, numbers of the host near the end of their type. */
#include "support_graph.h"
#include "support_onnx.h"

#include <stdio.h>
#include <unistd.h>

static netcl_tensor *zeros(Fixture *fixture, uint32_t rank, const int64_t *shape) {
  netcl_tensor *made = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, rank, shape, NULL, NULL, &made));
  return made;
}

static OnnxBytes with_output(netcl_dtype dtype) {
  OnnxBytes graph = {0};
  onnx_output(&graph, "y", dtype, NULL);
  return graph;
}

static void first_run_fails(Fixture *fixture, OnnxBytes *graph, netcl_tensor *input,
                            const char *text) {
  netcl_model *model = onnx_load(fixture, graph, 13);
  netcl_tensor *y = NULL;
  uint32_t count = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, text,
             netcl_model_evaluate(model, &input, input != NULL, NULL, &y, 1, &count));
  assert_null(y);
  netcl_model_release(model);
}

/* The bytes of a large file go when it is loaded; numbers that attributes hold stay. Of 36 MB, the
 * system takes the memory back at once. */
static void constants_of_large_files(void **state) {
  Fixture *fixture = *state;
  enum { COUNT = 9 << 20 };
  const int64_t shape[] = {COUNT};
  const float factor = 2.5f;
  float *w = malloc(COUNT * sizeof *w);
  for (int i = 0; i < COUNT; ++i) w[i] = (float)(i % 100);
  OnnxBytes graph = with_output(NETCL_F32), node = {0}, attribute = {0}, tensor = {0};
  onnx_weight(&graph, "w", NETCL_F32, 1, shape, w);
  onnx_number(&tensor, 2, onnx_type(NETCL_F32));
  onnx_bytes(&tensor, 9, &factor, sizeof factor);
  onnx_text(&attribute, 1, "value");
  onnx_message(&attribute, 5, &tensor);
  onnx_number(&attribute, 20, 4);
  onnx_text(&node, 2, "c");
  onnx_text(&node, 4, "Constant");
  onnx_message(&node, 5, &attribute);
  onnx_message(&graph, 1, &node);
  onnx_node(&graph, "Mul", "times", "w c", "y", NULL);
  OnnxBytes file = onnx_file(&graph, 13);
  char path[] = "/tmp/netcl_model_XXXXXX";
  FILE *out = fdopen(mkstemp(path), "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(file.data, 1, file.size, out), file.size);
  fclose(out);
  for (int from_file = 0; from_file < 2; ++from_file) {
    netcl_model *model = NULL;
    if (from_file) {
      OK(netcl_model_load(fixture->device, path, NULL, &model));
    } else {
      OK(netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
    }
    netcl_tensor *y = onnx_run(model, NULL, 0);
    float *got = read_tensor(y);
    for (int i = 0; i < COUNT; ++i) CHECK(got[i] == w[i] * factor, "element %d is %g", i, got[i]);
    free(got);
    netcl_tensor_release(y);
    netcl_model_release(model);
  }
  unlink(path);
  onnx_free(&file);
  free(w);
}

/* [0, 5] of [2, 3] is no element, though the fifth of all is one. */
static void places_outside(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {2, 3}, places[] = {2, 2}, pair[] = {2}, indices[] = {0, 5, 1, -1};
  const float x[] = {1, 2, 3, 4, 5, 6}, updates[] = {70, 80};
  OnnxBytes graph = with_output(NETCL_F32);
  onnx_weight(&graph, "x", NETCL_F32, 2, shape, x);
  onnx_weight(&graph, "i", NETCL_I64, 2, places, indices);
  onnx_node(&graph, "GatherND", "take", "x i", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *y = onnx_run(model, NULL, 0);
  GIVES(y, 0, 6);
  netcl_tensor_release(y);
  netcl_model_release(model);
  graph = with_output(NETCL_F32);
  onnx_weight(&graph, "x", NETCL_F32, 2, shape, x);
  onnx_weight(&graph, "i", NETCL_I64, 2, places, indices);
  onnx_weight(&graph, "u", NETCL_F32, 1, pair, updates);
  onnx_node(&graph, "ScatterND", "put", "x i u", "y", NULL);
  model = onnx_load(fixture, &graph, 13);
  y = onnx_run(model, NULL, 0);
  GIVES(y, 1, 2, 3, 4, 5, 80);
  netcl_tensor_release(y);
  netcl_model_release(model);
}

static void lists_too_short(void **state) {
  Fixture *fixture = *state;
  const int64_t none[] = {0}, one[] = {1}, three[] = {3};
  const float numbers[] = {1, 2, 3};
  const uint8_t yes = 1;
  OnnxBytes graph = with_output(NETCL_F32);
  onnx_weight(&graph, "x", NETCL_F32, 1, three, numbers);
  onnx_weight(&graph, "ratio", NETCL_F32, 1, none, numbers);
  onnx_weight(&graph, "training", NETCL_BOOL, 0, NULL, &yes);
  onnx_node(&graph, "Dropout", "drop", "x ratio training", "y", NULL);
  first_run_fails(fixture, &graph, NULL, "\"drop\" (Dropout): a value of 0 elements");
  for (int64_t count = 0; count < 4; ++count) {
    if (count == 2) continue;
    const int64_t places[] = {0, 2, 1};
    graph = with_output(NETCL_F32);
    onnx_weight(&graph, "i", NETCL_I64, 1, three, places);
    onnx_weight(&graph, "depth", NETCL_I64, 1, one, three);
    onnx_weight(&graph, "values", NETCL_F32, 1, &count, numbers);
    onnx_node(&graph, "OneHot", "hot", "i depth values", "y", NULL);
    first_run_fails(fixture, &graph, NULL, "\"hot\" (OneHot): values has shape");
  }
}

static void places_of_largest_integers(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {1, 1, 2, 4};
  const int8_t x[] = {-3, 7, 127, -128, 5, 6, -1, 126};
  OnnxBytes graph = {0};
  onnx_output(&graph, "i", NETCL_I64, NULL);
  onnx_weight(&graph, "x", NETCL_I8, 4, shape, x);
  onnx_node(&graph, "MaxPool", "pool", "x", "y i", "kernel_shape=[2,2] strides=[2,2]");
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *places = onnx_run(model, NULL, 0);
  int64_t *got = read_tensor(places);
  assert_true(got[0] == 1 && got[1] == 2);
  free(got);
  netcl_tensor_release(places);
  netcl_model_release(model);
}

/* Shapes that the host works out: its numbers have 64 bits, its lists few dimensions. */
static void numbers_of_the_host(void **state) {
  Fixture *fixture = *state;
  const int64_t far = (int64_t)1 << 60, beyond = far + 5, step = 2, low = -far, two[] = {2};
  const int64_t pair[] = {6, 7};
  OnnxBytes graph = with_output(NETCL_I64);
  onnx_weight(&graph, "a", NETCL_I64, 0, NULL, &far);
  onnx_weight(&graph, "b", NETCL_I64, 0, NULL, &beyond);
  onnx_weight(&graph, "c", NETCL_I64, 0, NULL, &step);
  onnx_weight(&graph, "d", NETCL_I64, 0, NULL, &low);
  onnx_node(&graph, "Range", "count", "a b c", "r", NULL);
  onnx_node(&graph, "Add", "back", "r d", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *y = onnx_run(model, NULL, 0);
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  OK(netcl_tensor_get_info(y, &info));
  assert_int_equal(info.element_count, 3);
  int64_t *got = read_tensor(y);
  assert_true(got[0] == 0 && got[1] == 2 && got[2] == 4);
  free(got);
  netcl_tensor_release(y);
  netcl_model_release(model);

  graph = with_output(NETCL_F32);
  onnx_input(&graph, "x", NETCL_F32, "2 3");
  onnx_weight(&graph, "s", NETCL_I64, 1, two, pair);
  onnx_weight(&graph, "z", NETCL_I64, 1, two, (const int64_t[]){0, 0});
  onnx_node(&graph, "Shape", "shape", "x", "n", NULL);
  onnx_node(&graph, "Slice", "part", "n z s z", "p", NULL);
  onnx_node(&graph, "Reshape", "same", "x p", "y", NULL);
  const int64_t shape[] = {2, 3};
  netcl_tensor *x = zeros(fixture, 2, shape);
  first_run_fails(fixture, &graph, x, "\"part\" (Slice): axes has 0 twice");

  graph = with_output(NETCL_F32);
  onnx_input(&graph, "x", NETCL_F32, "2 3");
  onnx_node(&graph, "Shape", "shape", "x", "n", NULL);
  onnx_node(&graph, "ReduceProd", "all", "n", "c", "axes=[5]");
  onnx_node(&graph, "Reshape", "flat", "x c", "y", NULL);
  first_run_fails(fixture, &graph, x, "\"all\" (ReduceProd): axes has 5");
  netcl_tensor_release(x);
}

/* More than the host would hold, backwards, and of floats. */
static void ranges_of_the_device(void **state) {
  Fixture *fixture = *state;
  const int64_t many = ((int64_t)1 << 20) + 7, back = -1, none = 0;
  const float first = 0.5f, end = 3e6f, by = 2;
  for (int reals = 0; reals < 2; ++reals) {
    const netcl_dtype dtype = reals ? NETCL_F32 : NETCL_I64;
    OnnxBytes graph = with_output(dtype);
    onnx_weight(&graph, "a", dtype, 0, NULL, reals ? (const void *)&first : &many);
    onnx_weight(&graph, "b", dtype, 0, NULL, reals ? (const void *)&end : &none);
    onnx_weight(&graph, "c", dtype, 0, NULL, reals ? (const void *)&by : &back);
    onnx_node(&graph, "Range", "count", "a b c", "y", NULL);
    netcl_model *model = onnx_load(fixture, &graph, 13);
    netcl_tensor *y = onnx_run(model, NULL, 0);
    netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
    OK(netcl_tensor_get_info(y, &info));
    assert_int_equal(info.element_count, reals ? 1500000 : many);
    void *elements = read_tensor(y);
    for (int64_t i = 0; i < info.element_count; ++i) {
      const double element = reals ? ((float *)elements)[i] : (double)((int64_t *)elements)[i];
      const double wanted = reals ? (double)(float)(0.5 + 2.0 * (double)i) : (double)(many - i);
      CHECK(element == wanted, "element %lld is %g", (long long)i, element);
    }
    free(elements);
    netcl_tensor_release(y);
    netcl_model_release(model);
  }
}

static void opsets(void **state) {
  Fixture *fixture = *state;
  static const int kOpsets[] = {6, 7, 28, 29};
  for (size_t i = 0; i < COUNT_OF(kOpsets); ++i) {
    OnnxBytes graph = with_output(NETCL_F32);
    onnx_input(&graph, "x", NETCL_F32, "2");
    onnx_node(&graph, "Relu", "positive", "x", "y", NULL);
    OnnxBytes file = onnx_file(&graph, kOpsets[i]);
    netcl_model *model = NULL;
    if (i % 3 == 0) {
      FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "netcl runs 7 to 28",
                 netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
    } else {
      OK(netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
    }
    netcl_model_release(model);
    onnx_free(&file);
  }
}

/* A convolution over three dimensions of no images. */
static void no_images(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {0, 1, 4, 3, 3}, kernel[] = {2, 1, 2, 2, 2}, wanted[] = {0, 2, 3, 2, 2};
  const float w[16] = {0};
  OnnxBytes graph = with_output(NETCL_F32);
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_weight(&graph, "w", NETCL_F32, 5, kernel, w);
  onnx_node(&graph, "Conv", "conv", "x w", "y", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *x = zeros(fixture, 5, shape);
  netcl_tensor *y = onnx_run(model, &x, 1);
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  OK(netcl_tensor_get_info(y, &info));
  assert_int_equal(info.rank, 5);
  for (int d = 0; d < 5; ++d) assert_int_equal(info.shape[d], wanted[d]);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_model_release(model);
}

/* A node over zeros of this shape would take much more memory than its input and result. */
static void takes_too_much(Fixture *fixture, const char *op, const char *attributes,
                           const char *text) {
  const int64_t shape[] = {1, 1, 4, 4};
  netcl_tensor *y = NULL;
  uint32_t count = 0;
  OnnxBytes graph = with_output(NETCL_F32);
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_node(&graph, op, "wide", "x", "y", attributes);
  netcl_model *model = onnx_load(fixture, &graph, 18);
  netcl_tensor *x = zeros(fixture, 4, shape);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, text,
             netcl_model_evaluate(model, &x, 1, NULL, &y, 1, &count));
  assert_null(y);
  netcl_tensor_release(x);
  netcl_model_release(model);
}

static void wide_windows(void **state) {
  Fixture *fixture = *state;
  takes_too_much(fixture, "MaxPool", "kernel_shape=[1,67108864] pads=[0,67108860,0,0]",
                 "67108864 elements of an image of shape [1, 1, 4, 4]");
  takes_too_much(fixture, "AveragePool", "kernel_shape=[70000,1] pads=[69999,0,0,0]", "70000");
  takes_too_much(fixture, "LpPool", "kernel_shape=[3,3] dilations=[1,40000] pads=[0,80000,0,0]",
                 "80001");
}

/* Each result is made of thousands of elements. */
static void far_reaching_weights(void **state) {
  Fixture *fixture = *state;
  const int64_t line[] = {1, 1, 1, 1 << 18}, four[] = {4};
  const float down[] = {1, 1, 1, 0x1p-14f}, one = 1;
  OnnxBytes graph = with_output(NETCL_F32);
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_weight(&graph, "s", NETCL_F32, 1, four, down);
  onnx_node(&graph, "Resize", "far", "x - s", "y", "mode:cubic antialias=1");
  netcl_model *model = onnx_load(fixture, &graph, 18);
  netcl_tensor *x = zeros(fixture, 4, line);
  OK(netcl_op_fill(x, &one, NULL));
  netcl_tensor *y = onnx_run(model, &x, 1);
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  OK(netcl_tensor_get_info(y, &info));
  assert_int_equal(info.shape[3], 16);
  float *values = read_tensor(y);
  for (int i = 0; i < 16; ++i) CHECK(fabsf(values[i] - 1) < 0.02f, "%d: %g", i, values[i]);
  free(values);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_model_release(model);
}

/* Bounds as attributes, which opset 11 took away, are not looked past. */
static void bounds_as_attributes(void **state) {
  Fixture *fixture = *state;
  for (int opset = 10; opset <= 13; ++opset) {
    const int64_t shape[] = {3};
    const float values[] = {-3, 0.5f, 3}, wanted[] = {-1, 0.5f, 3};
    netcl_model *model = NULL;
    OnnxBytes graph = with_output(NETCL_F32);
    onnx_input(&graph, "x", NETCL_F32, NULL);
    onnx_node(&graph, "Clip", "clip", "x", "y", "min=-1.0");
    OnnxBytes file = onnx_file(&graph, opset);
    if (opset > 10) {
      FAILS_WITH(NETCL_ERROR_UNSUPPORTED,
                 "cannot run: Clip with bounds as attributes, of opset 11 or later: node \"clip\"",
                 netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
      assert_null(model);
    } else {
      OK(netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
      netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 1, shape, values);
      netcl_tensor *y = onnx_run(model, &x, 1);
      CHECK_TENSOR(y, wanted);
      RELEASE(x, y);
      netcl_model_release(model);
    }
    onnx_free(&file);
  }
}

int main(void) {
  seed_random("model_bounds");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(constants_of_large_files),
      DEVICE_TEST(places_outside),
      DEVICE_TEST(lists_too_short),
      DEVICE_TEST(places_of_largest_integers),
      DEVICE_TEST(numbers_of_the_host), DEVICE_TEST(ranges_of_the_device),
      DEVICE_TEST(opsets),
      DEVICE_TEST(no_images),
      DEVICE_TEST(wide_windows),
      DEVICE_TEST(far_reaching_weights),
      DEVICE_TEST(bounds_as_attributes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
