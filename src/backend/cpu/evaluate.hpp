// Evaluates typed expression trees on the host, for the built-in CPU device.
#pragma once

#include <cstdint>
#include <functional>

#include "core/layout.hpp"
#include "expression/types.hpp"
#include "netcl.h"

namespace netcl::cpu {

// Runs body(first, last) over [0, total) in pieces that are multiples of `grain` but for the last.
// An empty function stands for one call on this thread.
using ParallelFor = std::function<void(int64_t total, int64_t grain,
                                       const std::function<void(int64_t, int64_t)>& body)>;

struct EvaluateOperand {
  void* base = nullptr;   // of the buffer; element 0 of the layout is at base + offset elements
  Layout layout;          // of the output's shape; broadcast dimensions have stride 0
  netcl_dtype dtype = 0;  // storage
};

// output = tree(inputs). The operands have the dtypes that the tree was inferred for. The output
// may share memory with inputs whose layouts equal its own; it overlaps neither other inputs nor
// itself. Fails with OUT_OF_HOST_MEMORY when the block buffers cannot be had.
void evaluate(const expression::TypedTree& tree, const EvaluateOperand* inputs, uint32_t count,
              const EvaluateOperand& output, const ParallelFor& parallel);

}  // namespace netcl::cpu
