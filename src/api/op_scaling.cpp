#include <cmath>

#include "api/read_group.hpp"
#include "ops/optimizer/scaling.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_op_clip_by_norm(netcl_tensor* const* tensors, uint32_t tensors_count,
                                   double max_norm, const netcl_run_options* run,
                                   netcl_tensor** result) {
  return guarded([&] {
    const std::vector<TensorRef> group = read_group(tensors, tensors_count, "tensors");
    for (uint32_t i = 0; i < tensors_count; ++i) require_own(*group[i], "tensors", i);
    if (!(max_norm >= 0.0)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "max_norm is %g; it is a number from 0 on", max_norm);
    }
    call_op<ops::clip_by_norm>("clip_by_norm", run, result, std::span<const TensorRef>(group),
                               max_norm);
  });
}

netcl_status netcl_op_unscale(netcl_tensor* const* tensors, uint32_t tensors_count,
                              netcl_tensor* scale, netcl_tensor* found_inf,
                              const netcl_run_options* run) {
  return guarded([&] {
    const std::vector<TensorRef> group = read_group(tensors, tensors_count, "tensors");
    const TensorRef factor = optional_tensor(scale, "scale");
    const TensorRef found = pin(found_inf, "found_inf").shared();
    for (uint32_t i = 0; factor != nullptr && i < tensors_count; ++i) {
      require_own(*group[i], "tensors", i);
    }
    call_group<ops::unscale>(group[0]->device(), "unscale", run, std::span<const TensorRef>(group),
                             factor, found);
  });
}

netcl_status netcl_op_update_loss_scale(netcl_tensor* scale, netcl_tensor* tracker,
                                        netcl_tensor* found_inf,
                                        const netcl_loss_scale_options* options,
                                        const netcl_run_options* run) {
  return guarded([&] {
    const TensorRef factor = pin(scale, "scale").shared();
    const TensorRef count = pin(tracker, "tracker").shared();
    const TensorRef found = pin(found_inf, "found_inf").shared();
    const netcl_loss_scale_options checked = read_options(options, "options");
    ops::LossScaleRule rule;
    if (checked.growth_factor != 0.0) rule.growth_factor = checked.growth_factor;
    if (checked.backoff_factor != 0.0) rule.backoff_factor = checked.backoff_factor;
    if (checked.growth_interval != 0) rule.growth_interval = checked.growth_interval;
    if (!(rule.growth_factor > 1.0) || !std::isfinite(rule.growth_factor)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->growth_factor is %g; it is above 1 and finite",
           rule.growth_factor);
    }
    if (!(rule.backoff_factor > 0.0 && rule.backoff_factor < 1.0)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->backoff_factor is %g; it is above 0 and below 1",
           rule.backoff_factor);
    }
    if (rule.growth_interval < 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->growth_interval is %lld; it is 1 or more",
           static_cast<long long>(rule.growth_interval));
    }
    call_group<ops::update_loss_scale>(factor->device(), "update_loss_scale", run, factor, count,
                                       found, rule);
  });
}

}  // extern "C"
