// Elements of tensors, and how far those of two are apart.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_DIFFERENCE_HPP
#define NETCL_TOOL_DIFFERENCE_HPP

#include <netcl.h>

#include <string>
#include <vector>

#include "options.hpp"

namespace netcl::tool {

/// What two elements may be apart: atol + rtol * |wanted|.
struct Tolerance {
  double rtol = 0;
  double atol = 0;
};

/// By --rtol and --atol. Integers have to be equal where these are not given.
struct Tolerances {
  Tolerance reals;
  Tolerance integers;
};
Tolerances read_tolerances(const Options& options);

struct Difference {
  size_t count = 0;     ///< elements
  size_t wrong = 0;     ///< of these, what is farther off than allowed
  size_t at = 0;        ///< the one that is farthest off, in parts of what is allowed
  std::string got;      ///< the value there
  std::string wanted;
  std::string largest;  ///< the largest difference
  Tolerance allowed;
};

/// Compares elements of one dtype and shape: integers as such, others in double precision.
Difference difference(netcl_tensor* got, netcl_tensor* wanted, const Tolerances& tolerances);

/// All elements as doubles.
std::vector<double> elements_of(netcl_tensor* tensor);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_DIFFERENCE_HPP
