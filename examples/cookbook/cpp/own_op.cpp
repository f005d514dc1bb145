#include "cookbook.hpp"

void recipe_own_op(netcl::device_ref device) {
  // [recipe]
  netcl::primitive_register_function(
      "clipped",  // values as they are, gradients within -1 to 1
      [](const netcl::primitive_call& call) {
        if (!call.grad()) return netcl::op::copy(call.inputs()[0], call.run());
        return netcl::op::expression_text("clamp(v0, -1, 1)", {call.grad()}, nullptr, call.run());
      },
      netcl::primitive_options().arity(1).gives_gradients(true));
  auto x = netcl::tensor_from(device, {0.0f, 2.0f});
  auto y = netcl::op::primitive("clipped", {x});
  expect(y, {0, 2});
  auto upper = netcl::tensor_from(device, {0.5f, 7.0f});
  expect(netcl::op::primitive_gradient("clipped", {x}, 0, upper, y), {0.5f, 1});
  netcl::primitive_unregister("clipped");
  // [end]
}
