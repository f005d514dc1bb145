// The rule for elementwise ops, by the same function that the launches ask.
#include <algorithm>

#include "core/dtype.hpp"
#include "ops/elementwise/elementwise_launch.hpp"
#include "ops/frame/variant.hpp"

namespace netcl::ops::variant_rules {
namespace {

VariantConfig choose(const VariantTarget& target, int64_t count, uint32_t width) {
  const long long elements = count;
  if (runs_native(target)) {
    return make(NETCL_VARIANT_ELEMENTWISE_VECTORIZED,
                "count = %lld: the built-in loops go over blocks with vectors at any size",
                elements);
  }
  if (width > 1) {
    return make(NETCL_VARIANT_ELEMENTWISE_VECTORIZED,
                "count = %lld is above 1024: vectors move more bytes per instruction", elements);
  }
  return make(NETCL_VARIANT_ELEMENTWISE_SCALAR,
              "count = %lld is not above 1024: a launch takes longer than the work", elements);
}

}  // namespace

VariantConfig elementwise(const VariantTarget& target, int64_t count, netcl_dtype dtype,
                          const Wanted& wanted) {
  require_size(count, 0, "count");
  const size_t size = dtype_size(dtype);
  const uint32_t width = runs_native(target) ? 1 : elementwise_width(count, size, wanted.variant);
  VariantConfig config = wanted.variant != 0 ? requested(wanted) : choose(target, count, width);
  config.local_size_1d =
      static_cast<uint32_t>(std::min<uint64_t>(256, target.capabilities.max_work_group_size));
  config.vector_width = 1;
  if (config.variant == NETCL_VARIANT_ELEMENTWISE_VECTORIZED) {
    config.use_vectorization = 1;
    // The vectors of the built-in loops are as long as the machine's, at least 16 bytes.
    config.vector_width =
        width > 1 ? width : std::max<uint32_t>(4, 16 / static_cast<uint32_t>(size));
  }
  set_kernel(&config, variant_kernel(config.variant));
  return config;
}

}  // namespace netcl::ops::variant_rules
