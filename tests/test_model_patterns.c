/* Nodes of ONNX that are a normalisation or attention together: variants as programs write them are
 * one step with the results of the nodes; what only looks alike, or is read elsewhere, stays. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

/* ---- Two ways of running --------------------------------------------------------------------- */

static netcl_model* load(Fixture* fixture, const OnnxBytes* file, int fuse) {
  netcl_model_options options = NETCL_MODEL_OPTIONS_INIT;
  netcl_model* model = NULL;
  options.fuse = fuse ? NETCL_ON : NETCL_OFF;
  OK(netcl_model_load_memory(fixture->device, file->data, file->size, &options, &model));
  return model;
}

/* How often a model's last form speaks of this step. */
static int steps_named(netcl_model* model, const char* name) {
  static char text[1 << 16];
  size_t length = 0;
  OK(netcl_model_explain(model, NETCL_GRAPH_FORMAT_TEXT, text, sizeof text, &length));
  assert_true(length < sizeof text);
  int count = 0;
  for (const char* at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) ++count;
  return count;
}

/* Runs the graph, which is freed, joined and as it is. `step` is in the first explanation where it
 * is not NULL; else no pattern is. */
static void check_pattern(Fixture* fixture, const char* what, OnnxBytes* graph, int opset,
                          netcl_tensor* const* inputs, uint32_t count, const char* step) {
  OnnxBytes file = onnx_file(graph, opset);
  netcl_model *joined = load(fixture, &file, 1), *apart = load(fixture, &file, 0);
  onnx_free(&file);
  netcl_tensor *y = onnx_run(joined, inputs, count), *z = onnx_run(apart, inputs, count);
  const netcl_tensor_info info = tensor_info(y), other = tensor_info(z);
  assert_int_equal(info.rank, other.rank);
  for (uint32_t d = 0; d < info.rank; ++d) assert_int_equal(info.shape[d], other.shape[d]);
  assert_int_equal(info.dtype, other.dtype);
  void *a = read_tensor(y), *b = read_tensor(z);
  const double bound = info.dtype == NETCL_F16 ? 0x1p-6 : 2e-5;
  for (int64_t i = 0; i < (int64_t)info.element_count; ++i) {
    const double made = load_double(info.dtype, a, i), wanted = load_double(info.dtype, b, i);
    CHECK(fabs(made - wanted) <= bound * (1 + fabs(wanted)), "%s: element %d is %g, not %g", what,
          (int)i, made, wanted);
  }
  assert_int_equal(steps_named(apart, "joined layernorm") + steps_named(apart, "joined rmsnorm") +
                       steps_named(apart, "joined attention"), 0);
  if (step != NULL) {
    CHECK(steps_named(joined, step) > 0, "%s is no %s", what, step);
  } else {
    static const char* const kSteps[] = {"joined layernorm", "joined rmsnorm", "joined attention"};
    for (int i = 0; i < 3; ++i) {
      CHECK(steps_named(joined, kSteps[i]) == 0, "%s is a %s", what, kSteps[i]);
    }
  }
  free(a);
  free(b);
  RELEASE(y, z);
  netcl_model_release(joined);
  netcl_model_release(apart);
}

static netcl_tensor* random_input(Fixture* fixture, netcl_dtype dtype, uint32_t rank,
                                  const int64_t* shape) {
  unsigned char bytes[4096 * 4];
  assert_true(product(rank, shape) <= 4096);
  for (int64_t i = 0; i < product(rank, shape); ++i) {
    store_double(dtype, bytes, i, random_real(-2, 3));
  }
  return make_tensor(fixture->device, dtype, rank, shape, bytes);
}

static void add_number(OnnxBytes* graph, const char* name, netcl_dtype dtype, double number) {
  unsigned char bytes[8];
  store_double(dtype, bytes, 0, number);
  onnx_weight(graph, name, dtype, 0, NULL, bytes);
}

/* ---- Normalisations -------------------------------------------------------------------------- */

enum { WIDTH = 24 };

/* Lines of "op inputs outputs"; those of means have the axes. x is [2, 5, WIDTH]; e, two, half,
 * minus, s [WIDTH], b [WIDTH], t [5, 1] and one are constants. */
typedef struct Lines {
  const char* what;
  const char* step;
  const char* lines[12];
  const char* axes;  /* NULL: [-1] */
  int opset;         /* 0: 17 */
} Lines;

static void add_lines(OnnxBytes* graph, const Lines* c) {
  const int opset = c->opset == 0 ? 17 : c->opset;
  for (int i = 0; i < 12 && c->lines[i] != NULL; ++i) {
    char op[32], inputs[64], output[32], name[16], attributes[64] = "";
    assert_int_equal(sscanf(c->lines[i], "%31s %63[^>]> %31s", op, inputs, output), 3);
    while (inputs[strlen(inputs) - 1] == ' ') inputs[strlen(inputs) - 1] = '\0';
    sprintf(name, "n%d", i);
    if (strcmp(op, "ReduceMean") == 0) {
      if (opset >= 18) {
        strcat(inputs, " axes");
      } else {
        sprintf(attributes, "axes=%s", c->axes == NULL ? "[-1]" : c->axes);
      }
    }
    if (strcmp(op, "Softmax") == 0) {
      sprintf(attributes, "axis=%s", c->axes == NULL ? "-1" : c->axes);
    }
    if (strcmp(op, "Transpose") == 0) sprintf(attributes, "perm=[0,1,3,2]");
    onnx_node(graph, op, name, inputs, output, attributes);
  }
}

static const Lines kNorms[] = {
    {"torch's", "joined layernorm",
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Sqrt w > r", "Div d r > n", "Mul n s > k", "Add k b > y"}, NULL, 0},
    {"axes as an input", "joined layernorm",
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Sqrt w > r", "Div d r > n", "Mul n s > k", "Add k b > y"}, NULL, 18},
    {"a product as the square", "joined layernorm",
     {"ReduceMean x > m", "Sub x m > d", "Mul d d > p", "ReduceMean p > v", "Add e v > w",
      "Sqrt w > r", "Div d r > n", "Mul s n > k", "Add b k > y"}, NULL, 0},
    {"two differences", "joined layernorm",
     {"ReduceMean x > m", "Sub x m > d", "Sub x m > f", "Pow d two > p", "ReduceMean p > v",
      "Add v e > w", "Sqrt w > r", "Div f r > n", "Mul n s > k", "Add k b > y"}, NULL, 0},
    {"a reciprocal", "joined layernorm",
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Sqrt w > r", "Reciprocal r > i", "Mul d i > n", "Mul n s > k", "Add k b > y"}, NULL, 0},
    {"powers", "joined layernorm",
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Pow w minus > i", "Mul i d > n", "Mul n s > y"}, NULL, 0},
    {"half a power", "joined layernorm",
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Pow w half > r", "Div d r > y"}, NULL, 0},
    {"two axes", "joined layernorm",
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Sqrt w > r", "Div d r > n", "Mul n s > k", "Add k t > y"}, "[1,2]", 0},
    {"a bias of other rows", "joined layernorm",
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Sqrt w > r", "Div d r > n", "Mul n t > k", "Add k b > y"}, NULL, 0},
    {"rms", "joined rmsnorm",
     {"Pow x two > p", "ReduceMean p > v", "Add v e > w", "Sqrt w > r", "Div x r > n",
      "Mul s n > y"}, NULL, 0},
    {"rms by a reciprocal", "joined rmsnorm",
     {"Mul x x > p", "ReduceMean p > v", "Add v e > w", "Sqrt w > r", "Reciprocal r > i",
      "Mul x i > n", "Mul s n > y"}, NULL, 0},
    /* Near misses. */
    {"another mean", NULL,
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Sqrt w > r", "Sub x v > f", "Div f r > y"}, NULL, 0},
    {"cubes", NULL,
     {"ReduceMean x > m", "Sub x m > d", "Pow d three > p", "ReduceMean p > v", "Abs v > z",
      "Add z e > w", "Sqrt w > r", "Div d r > y"}, NULL, 0},
    {"a third power", NULL,
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Pow w three > r", "Div d r > y"}, NULL, 0},
    {"a deviation that is read elsewhere", NULL,
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Sqrt w > r", "Div d r > n", "Add n r > y"}, NULL, 0},
    /* What is left is one of the differences. */
    {"a mean that is read elsewhere", "joined rmsnorm",
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Sqrt w > r", "Div d r > n", "Add n m > y"}, NULL, 0},
    {"an epsilon for each row", NULL,
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v u > w",
      "Sqrt w > r", "Div d r > y"}, NULL, 0},
    {"a difference the other way", NULL,
     {"ReduceMean x > m", "Sub m x > d", "Pow x two > p", "ReduceMean p > v", "Add v e > w",
      "Sqrt w > r", "Div d r > y"}, NULL, 0},
    {"axes that are not the last", NULL,
     {"ReduceMean x > m", "Sub x m > d", "Pow d two > p", "ReduceMean p > v", "Add v e > w",
      "Sqrt w > r", "Div d r > n", "Mul n s > y"}, "[1]", 0},
};

static void add_constants(OnnxBytes* graph, netcl_dtype dtype) {
  const int64_t width = WIDTH, column[2] = {5, 1}, last = -1;
  unsigned char bytes[WIDTH * 8];
  add_number(graph, "e", dtype, 0.125);
  add_number(graph, "two", dtype, 2);
  add_number(graph, "three", dtype, 3);
  add_number(graph, "half", dtype, 0.5);
  add_number(graph, "minus", dtype, -0.5);
  for (int i = 0; i < WIDTH; ++i) store_double(dtype, bytes, i, 0.5 + i / 16.0);
  onnx_weight(graph, "s", dtype, 1, &width, bytes);
  for (int i = 0; i < WIDTH; ++i) store_double(dtype, bytes, i, i / 8.0 - 1);
  onnx_weight(graph, "b", dtype, 1, &width, bytes);
  for (int i = 0; i < 5; ++i) store_double(dtype, bytes, i, i / 4.0 + 0.5);
  onnx_weight(graph, "t", dtype, 2, column, bytes);
  onnx_weight(graph, "u", dtype, 2, column, bytes);
  onnx_weight_i64(graph, "axes", 1, &last);
}

static void check_norm(Fixture* fixture, const Lines* c, netcl_dtype dtype, const char* step) {
  const int64_t shape[3] = {2, 5, WIDTH};
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", dtype, NULL);
  onnx_output(&graph, "y", dtype, NULL);
  add_constants(&graph, dtype);
  add_lines(&graph, c);
  netcl_tensor* x = random_input(fixture, dtype, 3, shape);
  check_pattern(fixture, c->what, &graph, c->opset == 0 ? 17 : c->opset, &x, 1, step);
  RELEASE(x);
}

static void norms(void** state) {
  Fixture* fixture = *state;
  for (size_t i = 0; i < COUNT_OF(kNorms); ++i) {
    check_norm(fixture, &kNorms[i], NETCL_F32, kNorms[i].step);
  }
  /* Norms of 16-bit floats round otherwise than the nodes. */
  check_norm(fixture, &kNorms[0], NETCL_F16, NULL);
}

/* ---- Attention ------------------------------------------------------------------------------- */

/* q and k [2, 3, 5, 8], k turned where the lines do it, v [2, 3, 7, 6], mask [5, 7]. */
static const Lines kAttention[] = {
    {"plain", "joined attention",
     {"Transpose k > t", "MatMul q t > z", "Softmax z > p", "MatMul p v > y"}, NULL, 0},
    {"divided, with a mask", "joined attention",
     {"Transpose k > t", "MatMul q t > z", "Div z two > a", "Add a mask > m", "Softmax m > p",
      "MatMul p v > y"}, NULL, 0},
    {"multiplied, the mask first", "joined attention",
     {"Transpose k > t", "MatMul q t > z", "Mul half z > a", "Add mask a > m", "Softmax m > p",
      "MatMul p v > y"}, NULL, 0},
    {"the scale on both sides", "joined attention",
     {"Transpose k > t", "Mul q half > f", "Mul t half > g", "MatMul f g > z", "Add z mask > m",
      "Softmax m > p", "MatMul p v > y"}, NULL, 0},
    {"the scale on q", "joined attention",
     {"Div q two > f", "Transpose k > t", "MatMul f t > z", "Softmax z > p", "MatMul p v > y"},
     NULL, 0},
    {"rows that are no numbers", "joined attention",
     {"Transpose k > t", "MatMul q t > z", "Add z hidden > m", "Softmax m > p", "IsNaN p > i",
      "Where i zero p > w", "MatMul w v > y"}, NULL, 0},
    /* Near misses. */
    {"softmax of other rows", NULL,
     {"Transpose k > t", "MatMul q t > z", "Softmax z > p", "MatMul p v > y"}, "2", 0},
    {"odds that are read elsewhere", NULL,
     {"Transpose k > t", "MatMul q t > z", "Softmax z > p", "MatMul p v > o", "ReduceMean p > r",
      "Add o r > y"}, NULL, 0},
    {"scores that are read elsewhere", NULL,
     {"Transpose k > t", "MatMul q t > z", "Softmax z > p", "MatMul p v > o", "ReduceMean z > r",
      "Add o r > y"}, NULL, 0},
    {"a function between", NULL,
     {"Transpose k > t", "MatMul q t > z", "Relu z > a", "Softmax a > p", "MatMul p v > y"}, NULL,
     0},
    {"a mask that multiplies", NULL,
     {"Transpose k > t", "MatMul q t > z", "Mul z mask > a", "Softmax a > p", "MatMul p v > y"},
     NULL, 0},
    {"another value for what is no number", NULL,
     {"Transpose k > t", "MatMul q t > z", "Softmax z > p", "IsNaN p > i", "Where i two p > w",
      "MatMul w v > y"}, NULL, 0},
    {"a mask that makes the scores wider", NULL,
     {"Transpose k > t", "MatMul q t > z", "Add z wide > m", "Softmax m > p", "MatMul p v > y"},
     NULL, 0},
};

static void check_attention(Fixture* fixture, const Lines* c, netcl_dtype dtype,
                            const int64_t shapes[3][4], uint32_t rank, const char* step) {
  const int64_t mask[2] = {shapes[0][2], shapes[1][2]}, wide[4] = {2, 3, 1, 1};
  OnnxBytes graph = {0};
  unsigned char bytes[64 * 64 * 8];
  onnx_input(&graph, "q", dtype, NULL);
  onnx_input(&graph, "k", dtype, NULL);
  onnx_input(&graph, "v", dtype, NULL);
  onnx_output(&graph, "y", dtype, NULL);
  add_number(&graph, "two", dtype, 2);
  add_number(&graph, "half", dtype, 0.5);
  add_number(&graph, "zero", dtype, 0);
  for (int64_t i = 0; i < product(2, mask); ++i) store_double(dtype, bytes, i, random_real(-2, 2));
  onnx_weight(&graph, "mask", dtype, 2, mask, bytes);
  onnx_weight(&graph, "wide", dtype, 4, wide, bytes);
  /* The first query sees no key, others all but the first. */
  for (int64_t i = 0; i < product(2, mask); ++i) {
    store_double(dtype, bytes, i, i < mask[1] || i % mask[1] == 0 ? -INFINITY : 0);
  }
  onnx_weight(&graph, "hidden", dtype, 2, mask, bytes);
  add_lines(&graph, c);
  netcl_tensor* inputs[3];
  for (int i = 0; i < 3; ++i) {
    inputs[i] = random_input(fixture, dtype, rank, shapes[i] + (4 - rank));
  }
  check_pattern(fixture, c->what, &graph, 17, inputs, 3, step);
  RELEASE(inputs[0], inputs[1], inputs[2]);
}

static void attentions(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShapes[3][4] = {{2, 3, 5, 8}, {2, 3, 7, 8}, {2, 3, 7, 6}};
  static const int64_t kOne[3][4] = {{1, 1, 5, 8}, {1, 1, 7, 8}, {1, 1, 7, 6}};
  for (size_t i = 0; i < COUNT_OF(kAttention); ++i) {
    const int wider = strstr(kAttention[i].what, "wider") != NULL;
    check_attention(fixture, &kAttention[i], NETCL_F32, wider ? kOne : kShapes, 4,
                    kAttention[i].step);
  }
  check_attention(fixture, &kAttention[1], NETCL_F16, kShapes, 4, NULL);
}

/* What attention does not take is what the nodes say. */
static void shapes(void** state) {
  Fixture* fixture = *state;
  static const Lines kTurned = {
      "turned already", NULL, {"MatMul q k > z", "Div z two > a", "Softmax a > p",
                               "MatMul p v > y"}, NULL, 0};
  static const int64_t kThree[3][4] = {{0, 3, 5, 8}, {0, 3, 8, 7}, {0, 3, 7, 6}};
  static const int64_t kTwo[3][4] = {{0, 0, 5, 8}, {0, 0, 8, 7}, {0, 0, 7, 6}};
  static const int64_t kShared[3][4] = {{2, 3, 5, 8}, {1, 3, 8, 7}, {2, 1, 7, 6}};
  static const int64_t kLong[3][4] = {{1, 1, 2, 300}, {1, 1, 300, 3}, {1, 1, 3, 4}};
  check_attention(fixture, &kTurned, NETCL_F32, kThree, 3, "joined attention");
  check_attention(fixture, &kTurned, NETCL_F32, kTwo, 2, NULL);
  check_attention(fixture, &kTurned, NETCL_F32, kShared, 4, NULL);
  check_attention(fixture, &kTurned, NETCL_F32, kLong, 4, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(norms), DEVICE_TEST(attentions),
                                     DEVICE_TEST(shapes), DEVICE_TEST(as_kernels)};
  seed_random("model_patterns");
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
