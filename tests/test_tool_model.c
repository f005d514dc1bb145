/* `netcl run` and `netcl model`. */
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"
#include "support_tool.h"

static void write_graph(const char *name, OnnxBytes *graph) {
  OnnxBytes bytes = onnx_file(graph, 13);
  FILE *file = fopen(tool_path(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
  assert_int_equal(fclose(file), 0);
  onnx_free(&bytes);
}

/* y = x * [2, 3] for any number of rows, or with an op that is not there. */
static void write_model(const char *name, const char *op) {
  OnnxBytes graph = {0};
  const int64_t two[1] = {2};
  const float weight[2] = {2, 3};
  onnx_input(&graph, "x", NETCL_F32, "rows 2");
  onnx_output(&graph, "y", NETCL_F32, "rows 2");
  onnx_weight(&graph, "w", NETCL_F32, 1, two, weight);
  onnx_node(&graph, op, "scale", "x w", "y", NULL);
  write_graph(name, &graph);
}

static void write_npy(Fixture *fixture, const char *name, const float *values) {
  const int64_t shape[2] = {2, 2};
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 2, shape, values);
  OK(netcl_tensor_save_npy(tensor, tool_path(name), LONG_WAIT));
  RELEASE(tensor);
}

static void models(void **state) {
  Fixture *fixture = *state;
  const float x[4] = {1, 2, 3, 4}, y[4] = {2, 6, 6, 12}, wrong[4] = {2, 6, 6, 13};
  tool_make_folder(NULL);
  write_model("m.onnx", "Mul");
  write_model("none.onnx", "Frobnicate");
  write_npy(fixture, "x.npy", x);
  write_npy(fixture, "y.npy", y);
  write_npy(fixture, "wrong.npy", wrong);
  RUNS(0, "model %s", tool_path("m.onnx"));
  SAYS("input \"x\": float [rows, 2]\n");
  SAYS("op Mul: 1\nnothing is missing\n");
  SAYS(" for f32 [1, 2]\n  calls of ops: 1; steps: 1; commands: 1\n");
  SAYS("memory: weights 8 B, values 0 B (0 B without places that are used again), inputs 8 B, ");
  SAYS("work: 2 operations, 24 B moved, 0.1 operations a byte\n");
  RUNS(1, "model %s", tool_path("none.onnx"));
  SAYS("missing op Frobnicate: node \"scale\" (Frobnicate)\n");
  RUNS(1, "run %s --device %s", tool_path("none.onnx"), test_selector());
  SAYS("op Frobnicate");
  RUNS(0, "run %s --device %s --input x=%s --check y=%s --output y=%s/out.npy",
       tool_path("m.onnx"), test_selector(), tool_path("x.npy"), tool_path("y.npy"), tool_folder);
  SAYS("y: f32 [2, 2] 2 6 6 12\n  saved as ");
  SAYS("/y.npy: the largest difference is 0\n");
  RUNS(0, "run %s --device %s --input %s --check %s", tool_path("m.onnx"), test_selector(),
       tool_path("x.npy"), tool_path("y.npy"));
  SAYS("/y.npy: the largest difference is 0\n");
  RUNS(2, "run %s --device %s --input x=%s --input %s", tool_path("m.onnx"), test_selector(),
       tool_path("x.npy"), tool_path("x.npy"));
  SAYS("--input names one twice");
  netcl_tensor *out = NULL;
  OK(netcl_tensor_load_npy(fixture->device, tool_path("out.npy"), NULL, &out));
  GIVES(out, 2, 6, 6, 12);
  RELEASE(out);
  RUNS(1, "run %s --device %s --input x=%s --check y=%s", tool_path("m.onnx"), test_selector(),
       tool_path("x.npy"), tool_path("wrong.npy"));
  SAYS("1 of 4 elements are not as in ");
  SAYS("farthest off is element 3: 12, in the file 13\n");
  RUNS(0, "run %s --device %s --input x=%s --check y=%s --rtol 0.1", tool_path("m.onnx"),
       test_selector(), tool_path("x.npy"), tool_path("wrong.npy"));
  RUNS(0, "run %s --device %s --dim rows=3 --seed 7 --bench --time 0.01", tool_path("m.onnx"),
       test_selector());
  SAYS("y: f32 [3, 2] ");
  SAYS("time: ");
  RUNS(1, "run %s --device %s --input z=%s", tool_path("m.onnx"), test_selector(),
       tool_path("x.npy"));
  SAYS("\"z\"; the model's inputs are \"x\"");
  RUNS(1, "run %s --device %s --input x=%s", tool_path("m.onnx"), test_selector(),
       tool_path("m.onnx"));
  RUNS(2, "run %s --input x=", tool_path("m.onnx"));
  RUNS(2, "run %s --dim rows=many", tool_path("m.onnx"));
  RUNS(2, "run");
  RUNS(2, "model a b");
  RUNS(1, "model %s", tool_path("nothing.onnx"));
  SAYS("nothing.onnx");
  tool_remove_folder(NULL);
}

/* y = relu(conv(x, w) + b) for pictures of any size. */
static void write_conv(const char *name) {
  OnnxBytes graph = {0};
  const int64_t filters[4] = {2, 3, 3, 3}, two[1] = {2};
  float weight[54] = {0};
  onnx_input(&graph, "x", NETCL_F32, "? 3 ? ?");
  onnx_output(&graph, "y", NETCL_F32, "? 2 ? ?");
  onnx_weight(&graph, "w", NETCL_F32, 4, filters, weight);
  onnx_weight(&graph, "b", NETCL_F32, 1, two, weight);
  onnx_node(&graph, "Conv", "conv", "x w b", "z", "pads=[1,1,1,1]");
  onnx_node(&graph, "Relu", "relu", "z", "y", NULL);
  write_graph(name, &graph);
}

/* y has the shape that its second input says. */
static void write_reshape(const char *name) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, "4");
  onnx_input(&graph, "shape", NETCL_I64, "2");
  onnx_output(&graph, "y", NETCL_F32, "? ?");
  onnx_node(&graph, "Reshape", "reshape", "x shape", "y", NULL);
  write_graph(name, &graph);
}

static void plans(void **state) {
  Fixture *fixture = *state;
  const int64_t target[2] = {2, 2}, length[1] = {2};
  tool_make_folder(NULL);
  write_conv("conv.onnx");
  write_reshape("reshape.onnx");
  netcl_tensor *shape = make_tensor(fixture->device, NETCL_I64, 1, length, target);
  OK(netcl_tensor_save_npy(shape, tool_path("shape.npy"), LONG_WAIT));
  RELEASE(shape);
  RUNS(0, "model %s --device %s --shape x=2x3x8x9", tool_path("conv.onnx"), test_selector());
  SAYS(" for f32 [2, 3, 8, 9]\n  calls of ops: ");
  SAYS("  joined: 1 x conv2d + elementwise");
  SAYS("inputs 1.7 KiB, outputs 1.1 KiB\nwork: 15.6 thousand operations, ");
  CHECK(strstr(tool_output, "-> output 0") == NULL, "steps without --steps:\n%s", tool_output);
  RUNS(0, "model %s --device %s --shape x=2x3x8x9 --steps", tool_path("conv.onnx"),
       test_selector());
  SAYS("-> output 0 f32 [2, 2, 8, 9]");
  RUNS(0, "model %s --device %s --shape x=2x3x8x9 --dtype bf16", tool_path("conv.onnx"),
       test_selector());
  SAYS(" for f32 [2, 3, 8, 9]; weights and values between of bf16, with sums in f32\n");
  SAYS("memory: weights 112 B, ");
  RUNS(0, "run %s --device %s --shape x=2x3x8x9 --dtype f16", tool_path("conv.onnx"),
       test_selector());
  SAYS("y: f32 [2, 2, 8, 9] 0 0 0 0 0 ...");
  RUNS(2, "run %s --dtype f64", tool_path("conv.onnx"));
  SAYS("--dtype takes f16, bf16, f32, unlike \"f64\"");
  RUNS(0, "model %s --file-only", tool_path("conv.onnx"));
  CHECK(strstr(tool_output, "plan") == NULL, "a plan with --file-only:\n%s", tool_output);
  RUNS(2, "model %s --file-only --steps", tool_path("conv.onnx"));
  RUNS(1, "model %s --shape x=1x4x8x8", tool_path("conv.onnx"));
  SAYS("--shape x=1x4x8x8: the input is [?, 3, ?, ?]");
  RUNS(1, "model %s --shape x=3x8", tool_path("conv.onnx"));
  RUNS(2, "model %s --shape x=1x3xax8", tool_path("conv.onnx"));
  SAYS("--shape takes whole numbers, unlike \"a\"");
  RUNS(2, "run %s --shape x=1x3x8x8 --shape x=1x3x8x9", tool_path("conv.onnx"));
  SAYS("--shape names one twice: \"x=1x3x8x9\"");
  RUNS(1, "model %s", tool_path("reshape.onnx"));
  SAYS("no plan: input \"shape\" cannot be random: its values decide shapes; --input shape=FILE");
  RUNS(0, "model %s --input shape=%s", tool_path("reshape.onnx"), tool_path("shape.npy"));
  SAYS(" for f32 [4] i64 [2]\n");
  RUNS(0, "run %s --device %s --shape x=1x3x4x4 --profile --trace %s/trace.json",
       tool_path("conv.onnx"), test_selector(), tool_folder);
  SAYS("y: f32 [1, 2, 4, 4] 0 0 0 0 0 ...\n\nprofile of one run\nregion ");
  SAYS("conv2d");
  tool_read("trace.json");
  tool_check_json("len(j) > 0");
  RUNS(1, "run %s --trace %s/none/trace.json", tool_path("conv.onnx"), tool_folder);
  SAYS("none/trace.json cannot be written");
  RUNS(1, "run %s --output y=%s/none/y.npy", tool_path("conv.onnx"), tool_folder);
  SAYS("none/y.npy cannot be written");
  RUNS(2, "run %s --output y=%s/y.npz", tool_path("conv.onnx"), tool_folder);
  SAYS("--output writes .npy files, unlike");
  RUNS(2, "run %s --time 1", tool_path("conv.onnx"));
  SAYS("without --bench there is no use for \"--time\"");
  RUNS(2, "run %s --rtol 1", tool_path("conv.onnx"));
  tool_remove_folder(NULL);
}

static void save_npy(Fixture *fixture, const char *name, netcl_dtype dtype, int64_t count,
                     const void *values) {
  netcl_tensor *tensor = make_tensor(fixture->device, dtype, 1, &count, values);
  OK(netcl_tensor_save_npy(tensor, tool_path(name), LONG_WAIT));
  RELEASE(tensor);
}

static void write_identity(const char *name, netcl_dtype dtype, const char *extents) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", dtype, extents);
  onnx_output(&graph, "y", dtype, extents);
  onnx_node(&graph, "Identity", "identity", "x", "y", NULL);
  write_graph(name, &graph);
}

/* Integers are compared as such: 2^53 + 1 is no double. */
static void integers(void **state) {
  Fixture *fixture = *state;
  const int64_t power = INT64_C(1) << 53, odd[2] = {power + 1, INT64_MIN},
                even[2] = {power, INT64_MIN}, far[2] = {power + 1, INT64_MAX};
  const uint64_t high[1] = {UINT64_MAX}, lower[1] = {UINT64_MAX - 1};
  tool_make_folder(NULL);
  write_identity("i64.onnx", NETCL_I64, "n");
  write_identity("u64.onnx", NETCL_U64, "n");
  save_npy(fixture, "odd.npy", NETCL_I64, 2, odd);
  save_npy(fixture, "even.npy", NETCL_I64, 2, even);
  save_npy(fixture, "far.npy", NETCL_I64, 2, far);
  save_npy(fixture, "high.npy", NETCL_U64, 1, high);
  save_npy(fixture, "lower.npy", NETCL_U64, 1, lower);
#define CHECKED(code, model, file, reference, options)                                       \
  RUNS(code, "run %s --device %s --input x=%s --check y=%s " options, tool_path(model), \
       test_selector(), tool_path(file), tool_path(reference))
  CHECKED(0, "i64.onnx", "odd.npy", "odd.npy", "");
  CHECKED(1, "i64.onnx", "odd.npy", "even.npy", "");
  SAYS("1 of 2 elements are not as in ");
  SAYS("to 0 of each and 0\n  farthest off is element 0: 9007199254740993, in the file "
       "9007199254740992\n");
  CHECKED(0, "i64.onnx", "odd.npy", "even.npy", "--atol 1");
  SAYS("the largest difference is 1\n");
  CHECKED(1, "i64.onnx", "odd.npy", "far.npy", "");
  SAYS("element 1: -9223372036854775808, in the file 9223372036854775807\n");
  CHECKED(1, "u64.onnx", "high.npy", "lower.npy", "");
  SAYS("element 0: 18446744073709551615, in the file 18446744073709551614\n");
  CHECKED(0, "u64.onnx", "high.npy", "lower.npy", "--rtol 1e-6");
  tool_remove_folder(NULL);
}

/* Arrays are known by their first bytes, and taken from archives by their names. */
static void files(void **state) {
  Fixture *fixture = *state;
  const float x[4] = {1, 2, 3, 4}, z[4] = {5, 6, 7, 8};
  const int64_t shape[2] = {2, 2};
  tool_make_folder(NULL);
  write_model("m.onnx", "Mul");
  write_npy(fixture, "x.bin", x);
  netcl_tensor *tensors[2] = {make_tensor(fixture->device, NETCL_F32, 2, shape, x),
                              make_tensor(fixture->device, NETCL_F32, 2, shape, z)};
  const char *const names[2] = {"a", "b:c"};
  for (uint32_t count = 1; count <= 2; ++count) {
    OK(netcl_weights_save(tool_path(count == 1 ? "one.npz" : "two:.npy"), NETCL_WEIGHTS_NPZ, names,
                          count, tensors, count, NULL, LONG_WAIT));
  }
  RELEASE(tensors[0]);
  RELEASE(tensors[1]);
#define TAKES(code, file) \
  RUNS(code, "run %s --device %s --input x=%s", tool_path("m.onnx"), test_selector(), file)
  TAKES(0, tool_path("x.bin"));
  SAYS("y: f32 [2, 2] 2 6 6 12\n");
  TAKES(0, tool_path("one.npz"));
  SAYS("y: f32 [2, 2] 2 6 6 12\n");
  TAKES(0, tool_path("two:.npy:a"));
  SAYS("y: f32 [2, 2] 2 6 6 12\n");
  TAKES(0, tool_path("two:.npy:b:c"));
  SAYS("y: f32 [2, 2] 10 18 14 24\n");
  TAKES(1, tool_path("two:.npy"));
  SAYS("two:.npy has 2 arrays; FILE:NAME names one of a, b:c");
  TAKES(1, tool_path("one.npz:b"));
  SAYS("one.npz has no array \"b\"; FILE:NAME names one of a");
  TAKES(1, tool_path("none.npz:a"));
  SAYS("none.npz:a cannot be read");
  tool_write("text.npy", "no array");
  TAKES(1, tool_path("text.npy"));
  SAYS("text.npy");
  tool_remove_folder(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(models), DEVICE_TEST(plans), DEVICE_TEST(integers),
                                   DEVICE_TEST(files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
