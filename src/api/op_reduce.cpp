#include "api/read_options.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_op_reduce(netcl_tensor* x, netcl_reduction kind,
                             const netcl_reduce_options* options, const netcl_run_options* run,
                             netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const ops::ReduceRequest request = read_reduction(kind, options);
    call_op<ops::reduce>("reduce", run, result, *input, request);
  });
}

}  // extern "C"
