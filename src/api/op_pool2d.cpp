#include "api/call_op.hpp"
#include "ops/conv2d/max_unpool2d.hpp"
#include "ops/conv2d/pooling.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

void require_images(const Tensor& x) {
  if (x.layout().rank == 4) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "x has rank %u; pool2d takes [N, C, H, W]", x.layout().rank);
}

}  // namespace

extern "C" {

netcl_status netcl_op_pool2d(netcl_tensor* x, netcl_pooling kind,
                             const netcl_pool2d_options* options, const netcl_run_options* run,
                             netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const netcl_pool2d_options checked = read_options(options, "options");
    require_flag(checked.ceil_mode, "options->ceil_mode");
    require_flag(checked.count_include_pad, "options->count_include_pad");
    require_flag(checked.column_major, "options->column_major");
    require_zero(checked.reserved, "options->reserved");
    require_result(run, result);
    ops::PoolParameters parameters;
    for (size_t i = 0; i < 2; ++i) {
      parameters.window[i] = checked.window[i];
      parameters.strides[i] = checked.strides[i];
      parameters.dilations[i] = checked.dilations[i];
    }
    for (size_t i = 0; i < 4; ++i) parameters.padding[i] = checked.padding[i];
    parameters.ceil_mode = checked.ceil_mode != 0;
    parameters.count_include_pad = checked.count_include_pad != 0;
    ops::PoolResult into;
    into.indices = optional_tensor(checked.indices_into, "options->indices_into");
    if (into.indices != nullptr) require_own_elements(*into.indices, "options->indices_into");
    ResolvedRun resolved(run, input->device());
    require_images(*input);
    into.values = resolved.into();
    ops::PoolResult made =
        call_into<ops::pool2d>(resolved, "pool2d", into, *input, kind, parameters,
                               into.indices != nullptr, checked.column_major != 0);
    give_result(resolved, std::move(made.values), result);
  });
}

netcl_status netcl_op_max_unpool2d(netcl_tensor* x, netcl_tensor* indices, int64_t height,
                                   int64_t width, const netcl_max_unpool2d_options* options,
                                   const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const auto places = pin(indices, "indices");
    const netcl_max_unpool2d_options checked = read_options(options, "options");
    require_flag(checked.column_major, "options->column_major");
    require_zero(checked.reserved, "options->reserved");
    call_op<ops::max_unpool2d>("max_unpool2d", run, result, input.shared(), places.shared(), height,
                               width, checked.column_major != 0);
  });
}

}  // extern "C"
