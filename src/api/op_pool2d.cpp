#include "api/call_op.hpp"
#include "ops/conv2d/pool2d.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_op_pool2d(netcl_tensor* x, netcl_pooling kind,
                             const netcl_pool2d_options* options, const netcl_run_options* run,
                             netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const netcl_pool2d_options checked = read_options(options, "options");
    require_flag(checked.ceil_mode, "options->ceil_mode");
    require_flag(checked.count_include_pad, "options->count_include_pad");
    ops::Pool2dParameters parameters;
    for (int i = 0; i < 2; ++i) {
      parameters.window[i] = checked.window[i];
      parameters.strides[i] = checked.strides[i];
      parameters.dilations[i] = checked.dilations[i];
    }
    for (int i = 0; i < 4; ++i) parameters.padding[i] = checked.padding[i];
    parameters.ceil_mode = checked.ceil_mode != 0;
    parameters.count_include_pad = checked.count_include_pad != 0;
    call_op<ops::pool2d>("pool2d", run, result, *input, kind, parameters);
  });
}

}  // extern "C"
