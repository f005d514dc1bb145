// What the rule for matrix products shares with its part for kernels.
#pragma once

#include <string>

#include "ops/frame/variant.hpp"

namespace netcl::ops::variant_rules {

// min(a * b, limit), without overflow.
inline int64_t product_up_to(int64_t a, int64_t b, int64_t limit) {
  if (a == 0 || b == 0) return 0;
  return a > limit / b ? limit : a * b;
}

// Why the kernels of a variant cannot do a case; empty when they can.
std::string matmul_cl_obstacle(const VariantTarget& target, const MatmulCase& p,
                               netcl_variant variant);
// The choice, and the sizes and the kernel of a variant.
VariantConfig choose_matmul_cl(const VariantTarget& target, const MatmulCase& p);
void configure_matmul_cl(const VariantTarget& target, const MatmulCase& p, VariantConfig* config);

// The same for matrix units, and whether they are better than the other kernels.
std::string matrix_units_obstacle(const VariantTarget& target, const MatmulCase& p);
bool prefers_matrix_units(const VariantTarget& target, const MatmulCase& p);
void configure_matrix_units(const VariantTarget& target, const MatmulCase& p,
                            VariantConfig* config);

// Whether and how a strict product of f32 gets the kernel in PTX that multiplies by items, which is
// one of NETCL_VARIANT_MATMUL_VECTORIZED.
bool prefers_fma(const VariantTarget& target, const MatmulCase& p);
void configure_fma(const VariantTarget& target, const MatmulCase& p, VariantConfig* config);

// Whether, when and how a product gets the kernel that reads a long operand once beside a thin one.
// It is one of NETCL_VARIANT_MATMUL_VECTORIZED: groups of kThinItems or more, with sums of up to
// kThinBytes.
inline constexpr int64_t kThinItems = 256;
inline constexpr uint64_t kThinBytes = 36 * 1024;
bool has_thin_form(const MatmulCase& p);
bool prefers_thin(const VariantTarget& target, const MatmulCase& p);
void configure_thin(const VariantTarget& target, const MatmulCase& p, VariantConfig* config);

}  // namespace netcl::ops::variant_rules
