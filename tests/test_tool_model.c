/* `netcl run` and `netcl model`. */
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"
#include "support_tool.h"

/* y = x * [2, 3] for any number of rows, or with an op that is not there. */
static void write_model(const char *name, const char *op) {
  OnnxBytes graph = {0};
  const int64_t two[1] = {2};
  const float weight[2] = {2, 3};
  onnx_input(&graph, "x", NETCL_F32, "rows 2");
  onnx_output(&graph, "y", NETCL_F32, "rows 2");
  onnx_weight(&graph, "w", NETCL_F32, 1, two, weight);
  onnx_node(&graph, op, "scale", "x w", "y", NULL);
  OnnxBytes bytes = onnx_file(&graph, 13);
  FILE *file = fopen(tool_path(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
  assert_int_equal(fclose(file), 0);
  onnx_free(&bytes);
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
  RUNS(1, "model %s", tool_path("none.onnx"));
  SAYS("missing op Frobnicate: node \"scale\" (Frobnicate)\n");
  RUNS(1, "run %s --device %s", tool_path("none.onnx"), test_selector());
  SAYS("op Frobnicate");
  RUNS(0, "run %s --device %s --input x=%s --check y=%s --output y=%s/out.npy",
       tool_path("m.onnx"), test_selector(), tool_path("x.npy"), tool_path("y.npy"), tool_folder);
  SAYS("y: f32 [2, 2] 2 6 6 12\n  as in ");
  netcl_tensor *out = NULL;
  OK(netcl_tensor_load_npy(fixture->device, tool_path("out.npy"), NULL, &out));
  GIVES(out, 2, 6, 6, 12);
  RELEASE(out);
  RUNS(1, "run %s --device %s --input x=%s --check y=%s", tool_path("m.onnx"), test_selector(),
       tool_path("x.npy"), tool_path("wrong.npy"));
  SAYS("element 3 is 12, in ");
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
  RUNS(2, "run %s --input x", tool_path("m.onnx"));
  RUNS(2, "run %s --dim rows=many", tool_path("m.onnx"));
  RUNS(2, "run");
  RUNS(2, "model a b");
  RUNS(1, "model %s", tool_path("nothing.onnx"));
  SAYS("nothing.onnx");
  tool_remove_folder(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(models)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
