/* What messages say to those who begin: what was given in words, and what to write instead. */
#include <string.h>

#include "support.h"

/* What beginners do, and what the message says to do instead. */
static void messages_tell_beginners(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  const int64_t shape[2] = {2, 3};
  const float data[6] = {0};
  netcl_tensor *x = NULL, *made = NULL;
  netcl_reduce_options options = {0};
  OK(netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, data, sizeof data, NULL, &x));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "accepted; begin with the struct's _INIT",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &made));
  options.struct_size = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "the least that is accepted",
             netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &made));
  assert_null(strstr(netcl_last_error_message(), "_INIT"));
  FAILS_WITH(
      NETCL_ERROR_INVALID_ARGUMENT, "data_size is 8; shape [2, 3] of f32 reaches 24 bytes",
      netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, data, 8, NULL, &made));
  const int64_t strides[2] = {3, 1};
  FAILS_WITH(
      NETCL_ERROR_INVALID_ARGUMENT, "of f32 with these strides reaches 24 bytes",
      netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, strides, data, 8, NULL, &made));
  /* A handle of another type, alive. Every type has its own name. */
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "which is a netcl_device and no netcl_tensor",
             netcl_op_softmax((netcl_tensor*)device, 0, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "which is a netcl_tensor and no netcl_queue",
             netcl_queue_flush((netcl_queue*)x));
  netcl_graph* graph = NULL;
  OK(netcl_graph_create(device, NULL, &graph));
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "which is a netcl_graph and no netcl_tensor",
             netcl_op_softmax((netcl_tensor*)graph, 0, NULL, &made));
  netcl_graph_release(graph);
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "which is no live netcl_tensor",
             netcl_op_softmax((netcl_tensor*)graph, 0, NULL, &made));
  netcl_tensor_release(x);
  assert_null(made);
}

static netcl_status without_run(const netcl_graph_call* call, netcl_tensor** outputs,
                                void* user_data) {
  (void)user_data;
  return netcl_op_softmax(call->inputs[0], 0, NULL, &outputs[0]);
}

static netcl_status one_more(const netcl_graph_call* call, netcl_tensor** outputs,
                             void* user_data) {
  (void)user_data;
  return netcl_op_softmax(call->inputs[call->inputs_count], 0, call->run, &outputs[0]);
}

/* A function of a graph that forgets call->run, or asks for an input more than there are. */
static void messages_tell_functions_of_graphs(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  const struct {
    netcl_graph_fn function;
    netcl_status status;
    const char* text;
  } rows[] = {{without_run, NETCL_ERROR_INVALID_ARGUMENT, "give each op of the graph's function "},
              {one_more, NETCL_ERROR_INVALID_HANDLE, "x is NULL"}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    const int64_t shape[1] = {3};
    netcl_tensor *x = NULL, *made = NULL;
    netcl_graph* graph = NULL;
    uint32_t count = 0;
    OK(netcl_tensor_create_zeros(device, NETCL_F32, 1, shape, NULL, NULL, &x));
    OK(netcl_graph_create_from_function(device, rows[i].function, NULL, NULL, 1, NULL, &graph));
    FAILS_WITH(rows[i].status, rows[i].text,
               netcl_graph_evaluate(graph, &x, 1, NULL, &made, 1, &count));
    assert_null(made);
    netcl_graph_release(graph);
    netcl_tensor_release(x);
  }
}

/* A formula with a misspelt function, or the power of another language. */
static void messages_of_formulas(void** state) {
  static const struct {
    const char *text, *told;
  } rows[] = {{"rellu(v0)", "(is relu meant?), found \"rellu\""},
              {"1 + sqrrt(v0)", "column 5: "},
              {"sqrrt(v0)", "(is sqrt meant?)"},
              {"tan(v0) + sgimoid(v0)", "(is sigmoid meant?)"},
              {"Tan(v0)", "(is tan meant?), found \"Tan\""},
              {"v0 ** 2", "column 5: expected an operand (a power is pow(x, y)), found \"*\""},
              {"v0 ^ 2", "operator ^ needs integers; it got f32; a power is pow(x, y)"},
              {"v0 + (2.5 ^ 2)", "it got the number 2.5; a power is pow(x, y)"}};
  static const char* const far[] = {"backpropagate(v0)", "q(v0)", "\xC3\xA9(v0)"};
  netcl_tensor *x = NULL, *made = NULL;
  const int64_t shape[1] = {2};
  OK(netcl_tensor_create_zeros(((Fixture*)*state)->device, NETCL_F32, 1, shape, NULL, NULL, &x));
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, rows[i].told,
               netcl_op_expression_text(rows[i].text, &x, 1, NULL, NULL, &made));
  }
  for (size_t i = 0; i < COUNT_OF(far); i++) {
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_op_expression_text(far[i], &x, 1, NULL, NULL, &made));
    CHECK(strstr(netcl_last_error_message(), "meant") == NULL, "\"%s\": %s", far[i],
          netcl_last_error_message());
  }
  /* Integers have the operator. */
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "operator & needs integers; it got f32",
             netcl_op_expression_text("v0 & 2", &x, 1, NULL, NULL, &made));
  assert_null(strstr(netcl_last_error_message(), "pow"));
  assert_null(made);
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(messages_tell_beginners),
      DEVICE_TEST(messages_tell_functions_of_graphs),
      DEVICE_TEST(messages_of_formulas),
  };
  return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
