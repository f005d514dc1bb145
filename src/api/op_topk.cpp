#include "api/call_op.hpp"
#include "ops/reduce/topk.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_op_topk(netcl_tensor* x, int64_t k, int32_t axis,
                           const netcl_topk_options* options, const netcl_run_options* run,
                           netcl_tensor** values, netcl_tensor** indices) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const netcl_topk_options checked = read_options(options, "options");
    require_flag(checked.smallest, "options->smallest");
    require_zero(checked.reserved, "options->reserved");
    if (values == nullptr && (run == nullptr || run->into == nullptr)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "values is NULL and run->into is not set");
    }
    if (values != nullptr && values == indices) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "values and indices are the same address");
    }
    ops::TopkResult into;
    into.indices = optional_tensor(checked.indices_into, "options->indices_into");
    if (into.indices != nullptr) require_own_elements(*into.indices, "options->indices_into");
    ResolvedRun resolved(run, input->device());
    into.values = resolved.into();
    ops::TopkResult made = call_into<ops::topk>(resolved, "topk", into, *input, k, axis,
                                                checked.smallest != 0, indices != nullptr);
    // Both handles are made before either output is written.
    netcl_tensor* const places =
        indices != nullptr ? make_handle<netcl_tensor>(std::move(made.indices)) : nullptr;
    try {
      give_result(resolved, std::move(made.values), values);
    } catch (...) {
      release_handle(places);
      throw;
    }
    if (indices != nullptr) *indices = places;
  });
}

}  // extern "C"
