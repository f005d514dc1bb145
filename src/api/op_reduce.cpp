#include "ops/reduce/reduce.hpp"

#include "api/call_op.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_op_reduce(netcl_tensor* x, netcl_reduction kind,
                             const netcl_reduce_options* options, const netcl_run_options* run,
                             netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const netcl_reduce_options checked = read_options(options, "options");
    require_flag(checked.keepdims, "options->keepdims");
    require_flag(checked.select_last, "options->select_last");
    require_zero(checked.reserved, "options->reserved");
    require_array(checked.axes, checked.axes_count, "options->axes");
    ops::ReduceRequest request;
    request.kind = kind;
    request.axes = {checked.axes, checked.axes_count};
    request.keepdims = checked.keepdims != 0;
    request.select_last = checked.select_last != 0;
    request.dtype = checked.dtype;
    request.variant = checked.variant;
    call_op<ops::reduce>("reduce", run, result, *input, request);
  });
}

}  // extern "C"
