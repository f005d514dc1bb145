#include "graph/recorded_launch.hpp"

#include "graph/backward.hpp"

namespace netcl::graph {

namespace {

class LaunchNode final : public Node {
 public:
  LaunchNode(const KernelRef& kernel, const WorkSize& size,
             std::span<const LaunchArgument> arguments, const Work& work)
      : Node("kernel " + kernel->spec().name), kernel_(kernel), size_(size), work_(work) {
    for (const LaunchArgument& argument : arguments) {
      arguments_.push_back({*argument.arg, argument.tensor, {}});
      Argument& own = arguments_.back();
      if (own.arg.data != nullptr) {
        const auto* const bytes = static_cast<const unsigned char*>(own.arg.data);
        own.bytes.assign(bytes, bytes + own.arg.size);
        own.arg.data = own.bytes.data();
      }
      if (argument.tensor == nullptr) continue;
      reads_.push_back(argument.tensor);
      if (argument.arg->kind != NETCL_ARG_TENSOR_READ_ONLY) writes_.push_back(argument.tensor);
    }
  }

  void call(Substitute substitute, const ops::Run& asked) const override {
    ops::Run run = asked;
    run.work = work_;
    std::vector<LaunchArgument> given;
    for (const Argument& argument : arguments_) {
      given.push_back(
          {&argument.arg, argument.tensor == nullptr ? nullptr : substitute(argument.tensor)});
    }
    launch_kernel(*kernel_, size_, given,
                  [&](std::span<const Access> accesses, Queue::Submit submit) {
                    run.enqueue(accesses, submit);
                  });
  }
  void add_gradients(Backward& backward) const override { backward.fail_without_derivative(); }

 private:
  struct Argument {
    netcl_arg arg;
    TensorRef tensor;
    std::vector<unsigned char> bytes;  // what the argument's data points to
  };
  const KernelRef kernel_;
  const WorkSize size_;
  const Work work_;
  std::vector<Argument> arguments_;
};

}  // namespace

NodeRef recorded_launch(const KernelRef& kernel, const WorkSize& size,
                        std::span<const LaunchArgument> arguments, const Work& work) {
  return std::make_shared<LaunchNode>(kernel, size, arguments, work);
}

}  // namespace netcl::graph
