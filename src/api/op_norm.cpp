#include <cmath>

#include "api/call_op.hpp"
#include "ops/elementwise/epilogue.hpp"
#include "ops/rows/batchnorm.hpp"
#include "ops/rows/norm.hpp"
#include "ops/rows/softmax.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

double checked_epsilon(double epsilon) {
  if (!(epsilon >= 0.0) || !std::isfinite(epsilon)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->epsilon is %g; it is a finite number from 0 on",
         epsilon);
  }
  return epsilon == 0.0 ? 1e-5 : epsilon;
}

netcl_status run_softmax(netcl_tensor* x, int32_t axis, bool logarithm,
                         const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    call_op("softmax", ops::softmax, run, result, *input, axis, logarithm);
  });
}

netcl_status run_norm(netcl_tensor* x, int32_t axis, bool centred,
                      const netcl_norm_options* options, const netcl_run_options* run,
                      netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const netcl_norm_options checked = read_options(options, "options");
    ops::NormSettings settings;
    settings.epsilon = checked_epsilon(checked.epsilon);
    settings.centred = centred;
    if (!centred && checked.bias != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->bias is set; rmsnorm has none");
    }
    settings.scale = optional_tensor(checked.scale, "options->scale");
    settings.bias = optional_tensor(checked.bias, "options->bias");
    call_op("norm", ops::normalize, run, result, *input, axis, settings);
  });
}

ops::BatchnormSettings read_settings(const netcl_batchnorm_options& options) {
  require_flag(options.training, "options->training");
  require_zero(options.reserved, "options->reserved");
  if (options.activation < NETCL_ACTIVATION_NONE || options.activation > NETCL_ACTIVATION_CLIP) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->activation is %d; it is 0 to %d",
         options.activation, NETCL_ACTIVATION_CLIP);
  }
  if (!(options.momentum >= 0.0 && options.momentum <= 1.0)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->momentum is %g; it is in [0, 1]",
         options.momentum);
  }
  ops::BatchnormSettings settings;
  settings.epsilon = checked_epsilon(options.epsilon);
  settings.momentum = options.momentum == 0.0 ? 0.9 : options.momentum;
  settings.alpha = options.alpha;
  settings.beta = options.beta;
  ops::set_activation_defaults(options.activation, "options", &settings.alpha, &settings.beta);
  settings.activation = options.activation;
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
    call_op("batchnorm", ops::batchnorm, run, result, *input, *average, *spread, settings);
  });
}

}  // extern "C"
