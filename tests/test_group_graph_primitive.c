/* Calls of groups in a primitive that gives its own gradients: none goes through them. */
#include <string.h>

#include "support_group.h"

enum { N = 6 };
static const int64_t kShape[1] = {N};

static _Thread_local Rank* own_rank;

/* The largest of all ranks, of which nobody has a gradient but this. */
static netcl_status largest(const netcl_primitive_call* call, netcl_tensor** tensors,
                            void* user_data) {
  netcl_tensor* made = NULL;
  (void)user_data;
  if (call->grad != NULL) {
    return netcl_op_expression_text("v0 * 5", &call->grad, 1, NULL, call->run, &tensors[0]);
  }
  netcl_status status =
      netcl_op_expression_text("v0 + 1", &call->inputs[0], 1, NULL, call->run, &made);
  if (status == NETCL_OK) {
    status = netcl_group_all_reduce(own_rank->group, made, made, NETCL_REDUCTION_MAX, call->run);
  }
  if (status != NETCL_OK) {
    netcl_tensor_release(made);
    return status;
  }
  tensors[0] = made;
  return NETCL_OK;
}

static uint64_t calls_of(Rank* rank) {
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  (void)netcl_group_get_info(rank->group, &info);
  return info.calls;
}

static void gives_own(Rank* rank) {
  const double values[N] = {rank->rank, 1, 2, 3, 4, 5}, fives[N] = {5, 5, 5, 5, 5, 5};
  const double sums[1] = {2 + 2 + 3 + 4 + 5 + 6};
  own_rank = rank;
  netcl_tensor* const x = rank_tensor(rank, NETCL_F32, 1, kShape, values);
  for (int capture = 0; capture < 2; capture++) {
    netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *y = NULL, *loss = NULL, *gradient = NULL, *made[2] = {NULL, NULL};
    uint32_t count = 0;
    options.execute = capture ? NETCL_OFF : NETCL_ON;
    RANK_OK(rank, netcl_graph_create(rank->device, &options, &run.graph));
    RANK_OK(rank, netcl_op_primitive("largest_of_ranks", &x, 1, NULL, &run, &y));
    RANK_OK(rank, netcl_op_reduce(y, NETCL_REDUCTION_SUM, NULL, &run, &loss));
    const uint64_t before = calls_of(rank);
    RANK_OK(rank, netcl_graph_add_gradients(run.graph, &loss, 1, &x, 1, NULL, &gradient));
    RANK_CHECK(rank, calls_of(rank) == before);
    if (capture) {
      netcl_tensor* const outputs[2] = {loss, gradient};
      RANK_OK(rank, netcl_graph_compile(run.graph, &x, 1, outputs, 2, NULL));
      RANK_OK(rank, netcl_graph_evaluate(run.graph, &x, 1, NULL, made, 2, &count));
      RANK_CHECK(rank, calls_of(rank) == before + 1);
    }
    RANK_CHECK(rank, rank_holds(capture ? made[0] : loss, sums));
    RANK_CHECK(rank, rank_holds(capture ? made[1] : gradient, fives));
    netcl_tensor* const all[] = {y, loss, gradient, made[0], made[1]};
    for (size_t i = 0; i < COUNT_OF(all); i++) netcl_tensor_release(all[i]);
    netcl_graph_release(run.graph);
  }
  netcl_tensor_release(x);
}

static void a_primitive_with_its_own_gradients(void** state) {
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  options.arity = 1;
  options.gives_gradients = 1;
  OK(netcl_primitive_register_function("largest_of_ranks", largest, NULL, NULL, &options));
  run_apart(*state, 2, LONG_WAIT, gives_own, NULL);
  OK(netcl_primitive_unregister("largest_of_ranks"));
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(a_primitive_with_its_own_gradients)};
  seed_random("group_graph_primitive");
  return cmocka_run_group_tests_name("group_graph_primitive", tests, NULL, NULL);
}
