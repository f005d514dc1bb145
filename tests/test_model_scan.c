/* Scan of models: along any axis, from the end, with results along any axis, with a batch. */
#include "support_graph.h"
#include "support_onnx.h"

/* Running sums over the columns of one input and the rows of another from its end. */
static void scan_ways(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, body = {0};
  onnx_input(&graph, "s", NETCL_F32, "2");
  onnx_input(&graph, "x", NETCL_F32, "2 3");
  onnx_input(&graph, "u", NETCL_F32, "3 2");
  onnx_output(&graph, "last", NETCL_F32, NULL);
  onnx_output(&graph, "a", NETCL_F32, NULL);
  onnx_output(&graph, "b", NETCL_F32, NULL);
  onnx_input(&body, "v", NETCL_F32, "2");
  onnx_input(&body, "p", NETCL_F32, "2");
  onnx_input(&body, "q", NETCL_F32, "2");
  onnx_node(&body, "Mul", "m", "p q", "t", NULL);
  onnx_node(&body, "Add", "add", "v t", "w", NULL);
  onnx_node(&body, "Neg", "n", "p", "o", NULL);
  onnx_output(&body, "w", NETCL_F32, NULL);
  onnx_output(&body, "t", NETCL_F32, NULL);
  onnx_output(&body, "o", NETCL_F32, NULL);
  onnx_flow(&graph, "Scan", "scan", "s x u", "last a b",
            "num_scan_inputs=2 scan_input_axes=[-1,0] scan_input_directions=[0,1] "
            "scan_output_axes=[1,0] scan_output_directions=[0,1]",
            &body, NULL);
  netcl_model *model = onnx_load(fixture, &graph, 11);
  const int64_t shapes[3][2] = {{2}, {2, 3}, {3, 2}};
  const float s[2] = {10, 20}, x[6] = {1, 2, 3, 4, 5, 6}, u[6] = {1, 2, 3, 4, 5, 6};
  netcl_tensor *const inputs[3] = {make_tensor(fixture->device, NETCL_F32, 1, shapes[0], s),
                                   make_tensor(fixture->device, NETCL_F32, 2, shapes[1], x),
                                   make_tensor(fixture->device, NETCL_F32, 2, shapes[2], u)};
  netcl_tensor *y[3] = {NULL};
  uint32_t count = 0;
  OK(netcl_model_evaluate(model, inputs, 3, NULL, y, 3, &count));
  /* Columns 1 4, 2 5, 3 6 with rows 5 6, 3 4, 1 2. */
  GIVES(y[0], 10 + 5 + 6 + 3, 20 + 24 + 20 + 12);
  GIVES(y[1], 5, 6, 3, 24, 20, 12);
  GIVES(y[2], -3, -6, -2, -5, -1, -4);
  release_tensors(y, 3);
  release_tensors(inputs, 3);
  netcl_model_release(model);
}

/* Before opset 9 a Scan has a batch. */
static void scan_batch(void **state) {
  Fixture *fixture = *state;
  OnnxBytes graph = {0}, body = {0};
  onnx_input(&graph, "s", NETCL_F32, "2 1");
  onnx_input(&graph, "x", NETCL_F32, "2 3 1");
  onnx_output(&graph, "last", NETCL_F32, NULL);
  onnx_output(&graph, "all", NETCL_F32, NULL);
  onnx_input(&body, "v", NETCL_F32, "1");
  onnx_input(&body, "p", NETCL_F32, "1");
  onnx_node(&body, "Add", "add", "v p", "w", NULL);
  onnx_node(&body, "Identity", "note", "w", "o", NULL);
  onnx_output(&body, "w", NETCL_F32, NULL);
  onnx_output(&body, "o", NETCL_F32, NULL);
  onnx_flow(&graph, "Scan", "scan", "- s x", "last all", "num_scan_inputs=1 directions=[1]", &body,
            NULL);
  netcl_model *model = onnx_load(fixture, &graph, 8);
  const int64_t states[2] = {2, 1}, shape[3] = {2, 3, 1};
  const float s[2] = {100, 200}, x[6] = {1, 2, 3, 4, 5, 6};
  netcl_tensor *const inputs[2] = {make_tensor(fixture->device, NETCL_F32, 2, states, s),
                                   make_tensor(fixture->device, NETCL_F32, 3, shape, x)};
  netcl_tensor *y[2] = {NULL};
  uint32_t count = 0;
  OK(netcl_model_evaluate(model, inputs, 2, NULL, y, 2, &count));
  GIVES(y[0], 106, 215);
  GIVES(y[1], 103, 105, 106, 206, 211, 215);
  release_tensors(y, 2);
  release_tensors(inputs, 2);
  netcl_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(scan_ways), DEVICE_TEST(scan_batch)};
  return cmocka_run_group_tests_name("model_scan", tests, NULL, NULL);
}
