#include "api/call_op.hpp"
#include "ops/rows/cross_entropy.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

ops::LossSettings read_settings(const netcl_loss_options& options) {
  require_flag(options.has_ignore_index, "options->has_ignore_index");
  require_zero(options.reserved, "options->reserved");
  if (options.reduction < NETCL_LOSS_MEAN || options.reduction > NETCL_LOSS_NONE) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->reduction is %d; it is 0 to %d", options.reduction,
         NETCL_LOSS_NONE);
  }
  ops::LossSettings settings;
  settings.weights = optional_tensor(options.weights, "options->weights");
  settings.ignored = options.ignore_index;
  settings.ignores = options.ignore_index != 0 || options.has_ignore_index != 0;
  settings.reduction = options.reduction;
  settings.dtype = options.dtype;
  return settings;
}

netcl_status run_loss(const char* name, netcl_tensor* x, netcl_tensor* labels, int32_t axis,
                      bool logarithms, const netcl_loss_options* options,
                      const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const auto list = pin(labels, "labels");
    const ops::LossSettings settings = read_settings(read_options(options, "options"));
    call_op<ops::cross_entropy>(name, run, result, *input, *list, axis, logarithms, settings);
  });
}

}  // namespace

extern "C" {

netcl_status netcl_op_cross_entropy(netcl_tensor* x, netcl_tensor* labels, int32_t axis,
                                    const netcl_loss_options* options, const netcl_run_options* run,
                                    netcl_tensor** result) {
  return run_loss("cross_entropy", x, labels, axis, false, options, run, result);
}

netcl_status netcl_op_nll_loss(netcl_tensor* x, netcl_tensor* labels, int32_t axis,
                               const netcl_loss_options* options, const netcl_run_options* run,
                               netcl_tensor** result) {
  return run_loss("nll_loss", x, labels, axis, true, options, run, result);
}

}  // extern "C"
