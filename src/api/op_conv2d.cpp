#include "api/read_options.hpp"
#include "ops/conv2d/conv2d.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

ops::Conv2dBatchnorm read_batchnorm(const netcl_conv2d_batchnorm* given) {
  const netcl_conv2d_batchnorm checked = read_options(given, "options->batchnorm");
  require_zero(checked.reserved, "options->batchnorm->reserved");
  return {optional_tensor(checked.scale, "options->batchnorm->scale"),
          optional_tensor(checked.bias, "options->batchnorm->bias"),
          pin(checked.mean, "options->batchnorm->mean").shared(),
          pin(checked.variance, "options->batchnorm->variance").shared(),
          read_epsilon(checked, "options->batchnorm")};
}

ops::Conv2dParameters read_parameters(const netcl_conv2d_options* given) {
  const netcl_conv2d_options checked = read_options(given, "options");
  ops::Conv2dParameters parameters;
  for (int i = 0; i < 2; ++i) {
    if (checked.strides[i] != 0) parameters.strides[i] = checked.strides[i];
    if (checked.dilations[i] != 0) parameters.dilations[i] = checked.dilations[i];
  }
  for (int i = 0; i < 4; ++i) parameters.padding[i] = checked.padding[i];
  if (checked.groups != 0) parameters.groups = checked.groups;
  parameters.variant = checked.variant;
  parameters.winograd_tile = checked.winograd_tile;
  if (checked.epilogue != nullptr) parameters.epilogue = read_epilogue(checked.epilogue);
  parameters.has_batchnorm = checked.batchnorm != nullptr;
  if (parameters.has_batchnorm) parameters.batchnorm = read_batchnorm(checked.batchnorm);
  return parameters;
}

}  // namespace

extern "C" {

netcl_status netcl_op_conv2d(netcl_tensor* x, netcl_tensor* w, const netcl_conv2d_options* options,
                             const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const TensorRef image = pin(x, "x").shared();
    const TensorRef kernel = pin(w, "w").shared();
    call_op<ops::conv2d>("conv2d", run, result, image, kernel, read_parameters(options));
  });
}

}  // extern "C"
