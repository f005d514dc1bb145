// The rule for batch normalisation. `naive` normalises in one pass and activates in another;
// `fused` does both in one.
#include "core/dtype.hpp"
#include "ops/frame/variant.hpp"

namespace netcl::ops::variant_rules {

VariantConfig batchnorm(const VariantTarget& target, int64_t batch, int64_t channels,
                        int64_t spatial, bool training, bool activation, netcl_dtype dtype,
                        const Wanted& wanted) {
  require_size(batch, 0, "batch");
  require_size(channels, 0, "channels");
  require_size(spatial, 0, "spatial");
  VariantConfig config;
  if (wanted.variant != 0) {
    config = requested(wanted);
  } else if (training) {
    config = make(NETCL_VARIANT_BATCHNORM_NAIVE,
                  "training = 1: the statistics of the batch have to be known first");
  } else if (!activation) {
    config = make(NETCL_VARIANT_BATCHNORM_NAIVE, "activation = 0: there is nothing to fuse");
  } else {
    config = make(NETCL_VARIANT_BATCHNORM_FUSED,
                  "training = 0 and activation = 1: normalising and activating in one pass saves "
                  "reading and writing the tensor once");
  }
  if (!runs_native(target)) {
    // Short runs of a channel belong to 32 items, eight of them to a group.
    const bool wide_groups = target.capabilities.max_work_group_size >= 256;
    config.local_size_1d = wide_groups ? 256 : 32;
    const bool narrow = dtype_size(dtype == 0 ? NETCL_F32 : dtype) < 4;
    config.vector_width = !narrow && (spatial > 1 ? spatial : channels) % 4 == 0 ? 4 : 1;
  }
  config.use_vectorization = config.vector_width > 1 ? 1 : 0;
  set_kernel(&config, variant_kernel(config.variant));
  return config;
}

}  // namespace netcl::ops::variant_rules
