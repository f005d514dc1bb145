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
    ops::CallKey key("pool2d");
    key.tensor(&*input);
    key.values(kind, checked);
    run_op(key, *input, run, result, [&](const TensorRef& into, const ops::Run& on) {
      return ops::pool2d(*input, kind, checked, into, on);
    });
  });
}

}  // extern "C"
