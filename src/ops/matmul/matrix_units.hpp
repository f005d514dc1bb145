// What the matrix units of a device take, found by trying.
#pragma once

#include <string>

#include "core/function_ref.hpp"
#include "ops/frame/variant.hpp"
#include "ops/matmul/matmul_plan.hpp"
#include "ops/matmul/wgmma_text.hpp"

namespace netcl::ops {

// Of an open device: tried once, the first time that somebody asks, and kept with it. Of a recorded
// one: what its capabilities say. NETCL_MATRIX_UNITS_NONE while NETCL_MATRIX_UNITS=0.
netcl_matrix_units matrix_units(const VariantTarget& target);
// Why there are none, as a message goes on after "it uses matrix units: ".
std::string no_matrix_units(const VariantTarget& target);

// Whether a device that has matrix units builds a kernel for them; a refusal is logged, and known
// from then on.
bool builds_units(Device& device, const std::string& kernel, FunctionRef<std::string()> text,
                  const char* flags = "");

// How a factor of a product lies in memory for a kernel that copies it by tensor maps: neighbours
// along the depth or across it, and everything else at multiples of 16 bytes. Of strict f32 those
// of a have to lie along the depth and those of b across it.
struct UnitsFactor {
  bool fits = false;    // else a copy of it does
  bool across = false;  // neighbours lie along m or n, else along k
  int64_t step = 0;     // elements from one run of neighbours to the next
};
UnitsFactor units_factor(const MatmulProblem& problem, MatmulRole role);

}  // namespace netcl::ops
