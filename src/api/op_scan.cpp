#include "api/call_op.hpp"
#include "ops/reduce/histogram.hpp"
#include "ops/reduce/scan.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_op_scan(netcl_tensor* x, netcl_reduction kind, int32_t axis,
                           const netcl_scan_options* options, const netcl_run_options* run,
                           netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const netcl_scan_options checked = read_options(options, "options");
    require_flag(checked.exclusive, "options->exclusive");
    require_flag(checked.reverse, "options->reverse");
    call_op<ops::scan>("scan", run, result, *input, kind, axis, checked.exclusive != 0,
                       checked.reverse != 0);
  });
}

netcl_status netcl_op_histogram(netcl_tensor* x, int64_t bins,
                                const netcl_histogram_options* options,
                                const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const netcl_histogram_options checked = read_options(options, "options");
    call_op<ops::histogram>("histogram", run, result, *input, bins, checked.low, checked.high);
  });
}

}  // extern "C"
