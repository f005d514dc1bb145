#include "graph/recorded_launch.hpp"

#include "graph/backward.hpp"

namespace netcl::graph {

namespace {

class LaunchNode final : public Node {
 public:
  LaunchNode(const std::string& kernel, std::span<const LaunchArgument> arguments)
      : Node("kernel " + kernel) {
    for (const LaunchArgument& argument : arguments) {
      if (argument.tensor == nullptr) continue;
      reads_.push_back(argument.tensor);
      if (argument.arg->kind != NETCL_ARG_TENSOR_READ_ONLY) writes_.push_back(argument.tensor);
    }
  }
  void add_gradients(Backward& backward) const override { backward.fail_without_derivative(); }
};

}  // namespace

NodeRef recorded_launch(const Kernel& kernel, std::span<const LaunchArgument> arguments) {
  return std::make_shared<LaunchNode>(kernel.spec().name, arguments);
}

}  // namespace netcl::graph
