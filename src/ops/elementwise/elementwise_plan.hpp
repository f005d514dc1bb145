// What an expression is on devices: its typed trees, one for each list of dtypes, and for each of
// them the kernels that walk its operands in one way. All of it is kept with the expression, so an
// op that is called again looks two things up and fills in arguments.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "backend/cpu/elementwise/evaluate.hpp"
#include "core/lru.hpp"
#include "device/device.hpp"
#include "expression/print_cl.hpp"
#include "expression/trees.hpp"

namespace netcl::ops {

// How a kernel goes over its operands, as a key: two expressions of one typed tree that agree in it
// have the same kernel.
struct WalkKey {
  uint64_t device = 0;  // its number
  std::array<uint64_t, 3> bits{};
  bool operator==(const WalkKey&) const = default;
};

// A typed tree made ready for one way of walking on one device.
struct Walk {
  WalkKey key;
  // Where ops are kernels. The device owns the kernel: when the pointer has expired, it is asked
  // again.
  std::weak_ptr<backend::Kernel> kernel;
  expression::KernelPlan plan;
  std::vector<expression::ArgumentRole> arguments;
  // Where they run natively.
  std::unique_ptr<const netcl::cpu::Evaluation> evaluation;
};
using WalkRef = std::shared_ptr<const Walk>;

class TypedExpression {
 public:
  explicit TypedExpression(expression::TypedTree typed) : tree(std::move(typed)) {}

  const expression::TypedTree tree;

  // Null when it has not been kept, or its kernel is gone.
  WalkRef find(const WalkKey& key, std::shared_ptr<backend::Kernel>* kernel) const;
  // Keeps a walk in place of an older one with its key.
  void keep(WalkRef walk) const;

 private:
  mutable std::mutex mutex_;
  mutable LruCache<WalkKey, WalkRef> walks_{64};
};
using TypedExpressionRef = std::shared_ptr<const TypedExpression>;

// The typed trees of one expression; `result` as for expression::infer. Fails as infer does.
TypedExpressionRef typed_expression(const expression::Tree& tree, const netcl_dtype* inputs,
                                    uint32_t count, netcl_dtype result);
// Those of several expressions, with a result for each; `results` as for expression::infer.
TypedExpressionRef typed_expressions(const expression::Trees& trees, const netcl_dtype* inputs,
                                     uint32_t count, std::span<const netcl_dtype> results);

}  // namespace netcl::ops
