/* Sequences and optional values that the file settles, and those that it does not. */
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

static void begin(OnnxBytes *graph, const char *extents) {
  static const int64_t kNumbers[4] = {0, -1, 2, -3};
  static const char *const kNames[4] = {"p0", "m1", "p2", "m3"};
  onnx_input(graph, "x", NETCL_F32, extents);
  onnx_output(graph, "y", NETCL_F32, NULL);
  for (int i = 0; i < 4; ++i) onnx_weight(graph, kNames[i], NETCL_I64, 0, NULL, &kNumbers[i]);
}

static netcl_tensor *input(Fixture *fixture) {
  const int64_t shape[2] = {2, 3};
  const float x[6] = {1, 2, 3, 4, 5, 6};
  return make_tensor(fixture->device, NETCL_F32, 2, shape, x);
}

/* Runs a model on [[1, 2, 3], [4, 5, 6]]. */
#define RUN_GIVES(fixture, graph, ...)                    \
  do {                                                    \
    netcl_model *model_ = onnx_load(fixture, graph, 17);  \
    netcl_tensor *const x_ = input(fixture);              \
    netcl_tensor *const y_ = onnx_run(model_, &x_, 1);    \
    GIVES(y_, __VA_ARGS__);                               \
    RELEASE(x_, y_);                                      \
    netcl_model_release(model_);                          \
  } while (0)

static void made_and_changed(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0};
  /* [a, x, b] -> a at the front once more, -1 before the last, the last erased, 2 erased. */
  begin(&graph, "2 3");
  onnx_node(&graph, "Neg", "", "x", "a", NULL);
  onnx_node(&graph, "Add", "", "x x", "b", NULL);
  onnx_node(&graph, "SequenceEmpty", "", "", "s0", NULL);
  onnx_node(&graph, "SequenceInsert", "", "s0 a", "s1", NULL);
  onnx_node(&graph, "SequenceInsert", "", "s1 b", "s2", NULL);
  onnx_node(&graph, "SequenceInsert", "", "s2 x m1", "s3", NULL);  /* a x b */
  onnx_node(&graph, "SequenceInsert", "", "s3 b p0", "s4", NULL);  /* b a x b */
  onnx_node(&graph, "Identity", "", "s4", "s5", NULL);
  onnx_node(&graph, "SequenceErase", "", "s5 p2", "s6", NULL);     /* b a b */
  onnx_node(&graph, "SequenceErase", "", "s6", "s7", NULL);        /* b a */
  onnx_node(&graph, "ConcatFromSequence", "", "s7", "c", "axis=-1");
  onnx_node(&graph, "SequenceAt", "", "s6 m3", "d", NULL); /* b */
  onnx_node(&graph, "Concat", "", "c d", "y", "axis=1");
  RUN_GIVES(fixture, &graph, 2, 4, 6, -1, -2, -3, 2, 4, 6, 8, 10, 12, -4, -5, -6, 8, 10, 12);
  /* A new axis, and a length that says which part. */
  begin(&graph, "2 3");
  onnx_node(&graph, "Neg", "", "x", "a", NULL);
  onnx_node(&graph, "SequenceConstruct", "", "a x a", "s", NULL);
  onnx_node(&graph, "ConcatFromSequence", "", "s", "c", "axis=2 new_axis=1");
  onnx_node(&graph, "SequenceErase", "", "s p0", "t", NULL);
  onnx_node(&graph, "SequenceErase", "", "t m1", "u", NULL);
  onnx_node(&graph, "SequenceLength", "", "u", "one", NULL);
  onnx_node(&graph, "SequenceAt", "", "s one", "d", NULL);
  onnx_weight_i64(&graph, "axes", 1, (const int64_t[1]){2});
  onnx_node(&graph, "Unsqueeze", "", "d axes", "e", NULL);
  onnx_node(&graph, "Concat", "", "c e", "y", "axis=2");
  RUN_GIVES(fixture, &graph, -1, 1, -1, 1, -2, 2, -2, 2, -3, 3, -3, 3, -4, 4, -4, 4, -5, 5, -5, 5,
            -6, 6, -6, 6);
}

static void split(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0};
  begin(&graph, "? ?");
  onnx_weight_i64(&graph, "lengths", 2, (const int64_t[2]){1, 2});
  onnx_node(&graph, "SplitToSequence", "", "x lengths", "s", "axis=1 keepdims=0");
  onnx_node(&graph, "SequenceAt", "", "s m1", "y", NULL);
  RUN_GIVES(fixture, &graph, 2, 3, 5, 6);
  /* Parts of two, the last one shorter. */
  begin(&graph, "n 3");
  onnx_node(&graph, "SplitToSequence", "", "x p2", "s", "axis=-1");
  onnx_node(&graph, "SequenceAt", "", "s m1", "b", NULL);
  onnx_node(&graph, "SequenceAt", "", "s p0", "a", NULL);
  onnx_node(&graph, "Concat", "", "b a", "y", "axis=1");
  RUN_GIVES(fixture, &graph, 3, 1, 2, 6, 4, 5);
  /* Each row, without its dimension. */
  begin(&graph, "2 n");
  onnx_node(&graph, "SplitToSequence", "", "x", "s", "keepdims=0");
  onnx_node(&graph, "ConcatFromSequence", "", "s", "y", NULL);
  RUN_GIVES(fixture, &graph, 1, 2, 3, 4, 5, 6);
  begin(&graph, "2 n");
  onnx_node(&graph, "SplitToSequence", "", "x", "s", NULL);
  onnx_node(&graph, "SequenceAt", "", "s m1", "a", NULL);
  onnx_node(&graph, "SequenceAt", "", "s p0", "b", NULL);
  onnx_node(&graph, "Concat", "", "a b", "y", "axis=0");
  RUN_GIVES(fixture, &graph, 4, 5, 6, 1, 2, 3);
}

static void optionals(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, yes = {0}, no = {0};
  begin(&graph, "2 3");
  onnx_node(&graph, "Optional", "", "x", "o", NULL);
  onnx_node(&graph, "Optional", "", "", "none", NULL);
  onnx_node(&graph, "OptionalGetElement", "", "o", "a", NULL);
  onnx_node(&graph, "OptionalGetElement", "", "a", "b", NULL);
  onnx_node(&graph, "OptionalHasElement", "", "o", "h0", NULL);
  onnx_node(&graph, "OptionalHasElement", "", "none", "h1", NULL);
  onnx_node(&graph, "OptionalHasElement", "", "", "h2", NULL);
  onnx_node(&graph, "OptionalHasElement", "", "x", "h3", NULL);
  onnx_node(&graph, "Or", "", "h1 h2", "h4", NULL);
  onnx_node(&graph, "Not", "", "h4", "h5", NULL);
  onnx_node(&graph, "And", "", "h0 h3", "h6", NULL);
  onnx_node(&graph, "And", "", "h5 h6", "h7", NULL);
  onnx_node(&graph, "SequenceConstruct", "", "b b", "s", NULL);
  onnx_node(&graph, "Optional", "", "s", "p", NULL);
  onnx_node(&graph, "OptionalGetElement", "", "p", "t", NULL);
  /* Graphs see what is around them. */
  onnx_output(&yes, "z", NETCL_F32, NULL);
  onnx_node(&yes, "ConcatFromSequence", "", "t", "z", "axis=0");
  onnx_output(&no, "v", NETCL_F32, NULL);
  onnx_node(&no, "SequenceAt", "", "t p0", "v", NULL);
  onnx_flow(&graph, "If", "", "h7", "y", NULL, &yes, &no);
  RUN_GIVES(fixture, &graph, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6);
}

static void check_refused(Fixture *fixture, OnnxBytes *graph, netcl_status wanted,
                          const char *text) {
  OnnxBytes file = onnx_file(graph, 17);
  netcl_model *model = NULL;
  FAILS_WITH(wanted, text,
             netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
  assert_null(model);
  onnx_free(&file);
}

/* What is not settled is told of as an op that cannot be run. */
static void unsettled(void **state) {
  Fixture *fixture = *state;
  const netcl_status unsupported = NETCL_ERROR_UNSUPPORTED;
  OnnxBytes graph = {0}, yes = {0}, no = {0};
  begin(&graph, "2 3");
  onnx_input(&graph, "place", NETCL_I64, "");
  onnx_node(&graph, "SequenceConstruct", "made", "x x", "s", NULL);
  onnx_node(&graph, "SequenceAt", "asked", "s place", "y", NULL);
  check_refused(fixture, &graph, unsupported,
                "SequenceAt with items that the file does not settle: node \"asked\"");
  begin(&graph, "n 3");
  onnx_node(&graph, "SplitToSequence", "cut", "x", "s", NULL);
  onnx_node(&graph, "SequenceAt", "asked", "s p0", "y", NULL);
  check_refused(fixture, &graph, unsupported,
                "SplitToSequence with items that the file does not settle: node \"cut\"");
  begin(&graph, "2 3");
  onnx_node(&graph, "SequenceConstruct", "made", "x x", "y", NULL);
  check_refused(fixture, &graph, unsupported,
                "SequenceConstruct with items that the file does not settle: node \"made\"");
  /* What a branch gives may be no tensor. */
  begin(&graph, "2 3");
  const uint8_t truth = 1;
  onnx_weight(&graph, "c", NETCL_BOOL, 0, NULL, &truth);
  onnx_output(&yes, "a", NETCL_F32, NULL);
  onnx_node(&yes, "Optional", "first", "x", "a", NULL);
  onnx_output(&no, "b", NETCL_F32, NULL);
  onnx_node(&no, "Optional", "second", "", "b", NULL);
  onnx_flow(&graph, "If", "", "c", "o", NULL, &yes, &no);
  onnx_node(&graph, "Identity", "", "o", "o2", NULL);
  onnx_node(&graph, "OptionalHasElement", "asked", "o2", "h", NULL);
  onnx_node(&graph, "Where", "", "h x x", "y", NULL);
  check_refused(fixture, &graph, unsupported, "OptionalHasElement with items");
}

static void mistakes(void **state) {
  Fixture *fixture = *state;
  static const struct {
    const char *op, *inputs, *text;
  } kCases[] = {{"SequenceAt", "s p2", "position 2 is not among 2"},
                {"SequenceAt", "s m3", "position -3 is not among 2"},
                {"SequenceErase", "s p2", "position 2 is not among 2"},
                {"SequenceInsert", "s x m3", "position -3 is not among 2"},
                {"SequenceErase", "e", "nothing in the sequence to erase"},
                {"ConcatFromSequence", "e", "the sequence is empty"},
                {"OptionalGetElement", "o", "the optional value is not there"},
                {"SplitToSequence", "x m1", "parts of -1 elements"}};
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    OnnxBytes graph = {0};
    begin(&graph, "2 3");
    onnx_node(&graph, "SequenceConstruct", "", "x x", "s", NULL);
    onnx_node(&graph, "SequenceEmpty", "", "", "e", NULL);
    onnx_node(&graph, "Optional", "", "", "o", NULL);
    onnx_node(&graph, kCases[i].op, "bad", kCases[i].inputs, "y", NULL);
    check_refused(fixture, &graph, NETCL_ERROR_CORRUPT_DATA, kCases[i].text);
  }
}

/* 2,000 nodes that each make a sequence of one item more: 2 million items. */
static void many(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0};
  begin(&graph, "2 3");
  onnx_node(&graph, "SequenceEmpty", "", "", "s0", NULL);
  for (int i = 0; i < 2000; ++i) {
    char inputs[32], output[16];
    snprintf(inputs, sizeof inputs, "s%d x", i);
    snprintf(output, sizeof output, "s%d", i + 1);
    onnx_node(&graph, "SequenceInsert", "", inputs, output, NULL);
  }
  onnx_node(&graph, "SequenceAt", "", "s2000 p0", "y", NULL);
  check_refused(fixture, &graph, NETCL_ERROR_UNSUPPORTED, "sequences have more than 1048576 items");
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(made_and_changed), DEVICE_TEST(split),
                                     DEVICE_TEST(optionals),        DEVICE_TEST(unsettled),
                                     DEVICE_TEST(mistakes),         DEVICE_TEST(many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
