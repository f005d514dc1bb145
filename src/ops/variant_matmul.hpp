// What the rule for matrix products shares with its part for GPUs.
#pragma once

#include <string>

#include "ops/variant.hpp"

namespace netcl::ops::variant_rules {

inline long long number(int64_t value) { return static_cast<long long>(value); }

// min(a * b, limit), without overflow.
inline int64_t product_up_to(int64_t a, int64_t b, int64_t limit) {
  if (a == 0 || b == 0) return 0;
  return a > limit / b ? limit : a * b;
}

// Sets the tile of a group, what an item has of it, and the group: 128 x 128 by 8 x 8 results per
// item, 64 x 64 by 8 x 4, thin tiles by 4 x 4, 32 x 32 and 16 x 16 (which the tiled variant takes)
// by 256 items.
void set_gpu_tile(uint32_t tile_m, uint32_t tile_n, uint32_t step, VariantConfig* config);
// Why a GPU's kernels of a variant cannot do a case; empty when they can.
std::string matmul_gpu_obstacle(const VariantTarget& target, const MatmulCase& p,
                                netcl_variant variant);
// The choice for a GPU, and the sizes and the kernel of a variant.
VariantConfig choose_matmul_gpu(const VariantTarget& target, const MatmulCase& p);
void configure_matmul_gpu(const VariantTarget& target, const MatmulCase& p, VariantConfig* config);

}  // namespace netcl::ops::variant_rules
