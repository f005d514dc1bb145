// The table of ops that can be timed.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_BENCH_OPS_HPP
#define NETCL_TOOL_BENCH_OPS_HPP

#include <cstdint>
#include <netcl.h>

#include <span>
#include <string>
#include <vector>

#include "owned.hpp"

namespace netcl::tool {

/// One call of an op on inputs that are made.
struct Call {
  const std::vector<int64_t>& sizes;
  const std::vector<Tensor>& inputs;
  netcl_run_options run;
  netcl_tensor** result;
};

struct BenchOp {
  const char* name;
  const char* meaning;   ///< of the sizes, with an " x " between each two of them
  const char* usual[3];  ///< sizes to run when none are given
  /// The shapes of the inputs.
  std::vector<std::vector<int64_t>> (*shapes)(const std::vector<int64_t>& sizes);
  netcl_status (*run)(const Call& call);
  /// Asks which variant the op takes for these sizes; null: it has no variants.
  netcl_status (*variant)(const netcl_device* device, const std::vector<int64_t>& sizes,
                          const netcl_variant_options& options, netcl_variant_config* config);
};

std::span<const BenchOp> bench_ops();
const BenchOp* find_bench_op(const std::string& name);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_BENCH_OPS_HPP
