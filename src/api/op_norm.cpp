#include "api/read_options.hpp"
#include "ops/rows/batchnorm.hpp"
#include "ops/rows/norm.hpp"
#include "ops/rows/softmax.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

netcl_status run_softmax(netcl_tensor* x, int32_t axis, bool logarithm,
                         const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    call_op<ops::softmax>("softmax", run, result, *input, axis, logarithm);
  });
}

netcl_status run_norm(netcl_tensor* x, int32_t axis, bool centred,
                      const netcl_norm_options* options, const netcl_run_options* run,
                      netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const netcl_norm_options checked = read_options(options, "options");
    ops::NormSettings settings;
    require_zero(checked.reserved, "options->reserved");
    settings.epsilon = read_epsilon(checked, "options");
    settings.centred = centred;
    if (!centred && checked.bias != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->bias is set; rmsnorm has none");
    }
    settings.scale = optional_tensor(checked.scale, "options->scale");
    settings.bias = optional_tensor(checked.bias, "options->bias");
    require_result(run, result);
    ops::NormResult into;
    if (!centred && checked.mean_into != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->mean_into is set; rmsnorm has no mean");
    }
    into.mean = optional_tensor(checked.mean_into, "options->mean_into");
    into.inverse =
        optional_tensor(checked.inverse_deviation_into, "options->inverse_deviation_into");
    if (into.mean != nullptr) require_own_elements(*into.mean, "options->mean_into");
    if (into.inverse != nullptr) {
      require_own_elements(*into.inverse, "options->inverse_deviation_into");
    }
    ResolvedRun resolved(run, input->device());
    into.y = resolved.into();
    ops::NormResult made = call_into<ops::norm>(resolved, "norm", into, *input, axis, settings,
                                                into.mean != nullptr, into.inverse != nullptr);
    give_result(resolved, std::move(made.y), result);
  });
}

ops::BatchnormSettings read_settings(const netcl_batchnorm_options& options) {
  require_flag(options.training, "options->training");
  require_flag(options.has_momentum, "options->has_momentum");
  if (!(options.momentum >= 0.0 && options.momentum <= 1.0)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->momentum is %g; it is in [0, 1]",
         options.momentum);
  }
  ops::BatchnormSettings settings;
  settings.epsilon = read_epsilon(options, "options");
  settings.momentum = options.momentum == 0.0 && options.has_momentum == 0 ? 0.9 : options.momentum;
  read_activation(options, "options", &settings);
  settings.variant = options.variant;
  settings.training = options.training != 0;
  settings.scale = optional_tensor(options.scale, "options->scale");
  settings.bias = optional_tensor(options.bias, "options->bias");
  return settings;
}

}  // namespace

extern "C" {

netcl_status netcl_op_softmax(netcl_tensor* x, int32_t axis, const netcl_run_options* run,
                              netcl_tensor** result) {
  return run_softmax(x, axis, false, run, result);
}

netcl_status netcl_op_log_softmax(netcl_tensor* x, int32_t axis, const netcl_run_options* run,
                                  netcl_tensor** result) {
  return run_softmax(x, axis, true, run, result);
}

netcl_status netcl_op_layernorm(netcl_tensor* x, int32_t axis, const netcl_norm_options* options,
                                const netcl_run_options* run, netcl_tensor** result) {
  return run_norm(x, axis, true, options, run, result);
}

netcl_status netcl_op_rmsnorm(netcl_tensor* x, int32_t axis, const netcl_norm_options* options,
                              const netcl_run_options* run, netcl_tensor** result) {
  return run_norm(x, axis, false, options, run, result);
}

netcl_status netcl_op_batchnorm(netcl_tensor* x, netcl_tensor* mean, netcl_tensor* variance,
                                const netcl_batchnorm_options* options,
                                const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const auto average = pin(mean, "mean");
    const auto spread = pin(variance, "variance");
    const ops::BatchnormSettings settings = read_settings(read_options(options, "options"));
    if (settings.training) {
      require_own_elements(*average, "mean");
      require_own_elements(*spread, "variance");
    }
    call_op<ops::batchnorm>("batchnorm", run, result, *input, *average, *spread, settings);
  });
}

}  // extern "C"
