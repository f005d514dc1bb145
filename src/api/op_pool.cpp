#include "api/call_op.hpp"
#include "ops/conv2d/lp_pool.hpp"
#include "ops/conv2d/max_unpool2d.hpp"
#include "ops/conv2d/pooling.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// The numbers of a list for `count` places: 0 where it has none, and one stands for all.
template <size_t kMost>
void read_numbers(const int64_t* list, uint32_t given, uint32_t count, const char* member,
                  std::array<int64_t, kMost>* numbers) {
  require_array(list, given, member);
  if (given > 1 && given != count) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s_count is %u; for this x it is 0, 1 or %u", member, given,
         count);
  }
  if (given == 0) return;
  for (uint32_t i = 0; i < count; ++i) (*numbers)[i] = list[given == 1 ? 0 : i];
}

ops::PoolParameters read_pooling(const netcl_pooling_options& options, uint32_t axes) {
  require_flag(options.ceil_mode, "options->ceil_mode");
  require_flag(options.count_include_pad, "options->count_include_pad");
  require_flag(options.column_major, "options->column_major");
  require_zero(options.reserved, "options->reserved");
  ops::PoolParameters parameters;
  read_numbers(options.window, options.window_count, axes, "options->window", &parameters.window);
  read_numbers(options.strides, options.strides_count, axes, "options->strides",
               &parameters.strides);
  read_numbers(options.dilations, options.dilations_count, axes, "options->dilations",
               &parameters.dilations);
  read_numbers(options.padding, options.padding_count, 2 * axes, "options->padding",
               &parameters.padding);
  parameters.ceil_mode = options.ceil_mode != 0;
  parameters.count_include_pad = options.count_include_pad != 0;
  return parameters;
}

}  // namespace

extern "C" {

netcl_status netcl_op_pool(netcl_tensor* x, netcl_pooling kind,
                           const netcl_pooling_options* options, const netcl_run_options* run,
                           netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const netcl_pooling_options checked = read_options(options, "options");
    require_result(run, result);
    ops::PoolResult into;
    into.indices = optional_tensor(checked.indices_into, "options->indices_into");
    if (into.indices != nullptr) require_own_elements(*into.indices, "options->indices_into");
    ResolvedRun resolved(run, input->device());
    const ops::PoolParameters parameters = read_pooling(checked, ops::require_windows(*input));
    if (kind == NETCL_POOLING_LP && into.indices == nullptr) {
      const double p = checked.p == 0 ? 2.0 : checked.p;
      call_resolved<ops::lp_pool>(resolved, "pool", result, input.shared(), parameters, p);
      return;
    }
    into.values = resolved.into();
    ops::PoolResult made = call_into<ops::pool>(resolved, "pool", into, *input, kind, parameters,
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
