// Primitives that kernels or functions of the host work out. Their calls are recorded like any
// other; behind them comes one that stands for the whole, whose gradients take the place of theirs.
#pragma once

#include "graph/backward.hpp"
#include "graph/primitive.hpp"
#include "kernel/launch.hpp"

namespace netcl::graph {

struct WorkCall {
  std::span<const TensorRef> inputs;
  std::span<const double> values;  // of the attributes
  TensorRef grad{};                // null where the result is asked for
  TensorRef out{};                 // likewise
  uint64_t wanted = 0;             // a bit for each input whose gradient is asked for
};

enum class WorkGradients {
  own,         // the work gives them
  of_calls,    // they are those of the calls that it is made of
  recomputed,  // the same, of calls that are made again for them
};

class PrimitiveWork {
 public:
  virtual ~PrimitiveWork() = default;
  virtual WorkGradients gradients() const noexcept = 0;
  virtual TensorRef forward(const WorkCall& call, const Caller& caller) const = 0;
  // The gradient of each input; null where it is zero or not wanted.
  virtual std::vector<TensorRef> backward(const WorkCall& call, const Caller& caller) const = 0;
};

// The kernels of a primitive, and how they are launched.
struct PrimitiveKernels {
  KernelRef forward;
  std::vector<KernelRef> backward;  // none: it has no gradients
  uint32_t rank = 0;                // 0: an item for each element that is written
  uint64_t global[3] = {0, 0, 0};
  uint64_t local[3] = {0, 0, 0};  // 0: netcl's own choice
};
std::shared_ptr<const PrimitiveWork> kernel_work(PrimitiveKernels kernels);

// The result of a primitive that has work(), and the gradient of one of its inputs.
TensorRef work_result(const PrimitiveRef& primitive, const WorkCall& call, const TensorRef& into,
                      const Caller& caller);
TensorRef work_gradient(const PrimitiveRef& primitive, const WorkCall& call, uint32_t input,
                        const TensorRef& into, const Caller& caller);

}  // namespace netcl::graph
