// Einsum.
#include "graph/einsum.hpp"
#include "model/op_table.hpp"

namespace netcl::model {

namespace {

void build_einsum(Call& call) {
  const std::vector<TensorRef> inputs = call.tensors();
  if (inputs.empty()) fail(NETCL_ERROR_INVALID_ARGUMENT, "it has no input");
  const graph::Equation equation =
      graph::parse_equation(call.text("equation", ""), NETCL_ERROR_CORRUPT_DATA);
  call.give(graph::einsum(call.caller(), equation, inputs, nullptr));
}

// Says what is wrong with an equation before anything is allocated.
std::string refuse_einsum(const NodeFacts& node) {
  graph::parse_equation(node.text("equation", ""), NETCL_ERROR_CORRUPT_DATA);
  return "";
}

constexpr OpRow kEinsumRows[] = {
    {"Einsum", "equation", build_einsum, "", refuse_einsum},
};

}  // namespace

std::span<const OpRow> einsum_rows() { return kEinsumRows; }

}  // namespace netcl::model
