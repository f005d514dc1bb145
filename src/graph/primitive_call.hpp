// A call of a primitive as an op.
#pragma once

#include <span>
#include <vector>

#include "graph/primitive.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::graph {

// A primitive with a value for each of its attributes, for so many inputs.
class PrimitiveCall {
 public:
  PrimitiveCall(PrimitiveRef primitive, uint32_t inputs, std::vector<double> values)
      : primitive_(std::move(primitive)),
        values_(std::move(values)),
        tree_(primitive_->forward(inputs, values_)) {}

  Primitive& primitive() const noexcept { return *primitive_; }
  const std::vector<double>& values() const noexcept { return values_; }
  const expression::Tree& tree() const noexcept { return *tree_; }
  // All that its result depends on; see CallKey.
  std::string_view key_text() const noexcept { return tree_->text(); }

 private:
  PrimitiveRef primitive_;
  std::vector<double> values_;
  TreeRef tree_;
};

TensorRef primitive(const PrimitiveCall& call, std::span<const TensorRef> inputs,
                    const TensorRef& into, const ops::Run& run);

}  // namespace netcl::graph
