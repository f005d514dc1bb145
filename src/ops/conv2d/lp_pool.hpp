#pragma once

#include <string>

#include "ops/conv2d/pooling.hpp"

namespace netcl::ops {

// The root of the sum of the p-th powers of absolute values over each window.
TensorRef lp_pool(const TensorRef& x, const PoolParameters& options, double p,
                  const TensorRef& into, const Run& run);

// The formulas in front of the sums and behind them; the second has no gradient at 0.
std::string powers_text(double p);
std::string root_text(double p);

}  // namespace netcl::ops
