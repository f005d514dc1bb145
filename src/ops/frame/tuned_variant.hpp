// What tuning chooses for ops: read from the database, or set for a thread that measures.
#pragma once

#include "core/hash.hpp"
#include "ops/frame/variant.hpp"

namespace netcl::store {
struct Key;
struct Record;
}  // namespace netcl::store

namespace netcl::ops {

// A variant with the sizes that tuning may set; 0 leaves one to the rules.
struct TunedVariant {
  netcl_variant variant = 0;
  uint32_t tile = 0;           // matmul: columns of a tile of the result
  uint32_t rows = 0;           // matmul: its rows, where these are not as many
  uint32_t step = 0;           // matmul: depth of a step
  uint32_t split_k = 0;        // matmul: groups that share the depth of a tile
  uint32_t groups = 0;         // reduction: of the first of two stages
  uint32_t winograd_tile = 0;  // conv2d
};

// From the next choice on this thread gets this one, whatever is stored; null for none. Gives what
// was set before.
const TunedVariant* force_variant(const TunedVariant* forced) noexcept;
const TunedVariant* forced_variant() noexcept;

// Names under which results are stored.
store::Key matmul_key(const VariantTarget& target, const MatmulCase& what);
store::Key conv2d_key(const VariantTarget& target, const netcl_conv2d_shape& shape,
                      netcl_dtype dtype);
store::Key reduction_key(const VariantTarget& target, int64_t outputs, int64_t count,
                         netcl_dtype dtype, bool columns = false);

TunedVariant tuned_variant(const store::Record& record);
void apply_tuned(const TunedVariant& tuned, VariantConfig* config);

}  // namespace netcl::ops
