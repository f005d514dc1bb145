#include <algorithm>
#include <cmath>

#include "api/call_op.hpp"
#include "ops/move/gather.hpp"
#include "ops/move/gather_nd.hpp"
#include "ops/move/one_hot.hpp"
#include "ops/move/resize.hpp"
#include "ops/move/scatter.hpp"
#include "ops/move/scatter_nd.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_op_gather(netcl_tensor* x, netcl_tensor* indices, int32_t axis,
                             const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto source = pin(x, "x");
    const auto list = pin(indices, "indices");
    call_op<ops::gather>("gather", run, result, *source, *list, axis);
  });
}

netcl_status netcl_op_gather_elements(netcl_tensor* x, netcl_tensor* indices, int32_t axis,
                                      const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto source = pin(x, "x");
    const auto list = pin(indices, "indices");
    call_op<ops::gather_elements>("gather_elements", run, result, *source, *list, axis);
  });
}

netcl_status netcl_op_embedding(netcl_tensor* weights, netcl_tensor* indices,
                                const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto table = pin(weights, "weights");
    const auto list = pin(indices, "indices");
    if (table->layout().rank != 2) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "weights has shape %s; an embedding needs a matrix [V, D]",
           shape_text(*table).c_str());
    }
    call_op<ops::gather>("embedding", run, result, *table, *list, 0);
  });
}

netcl_status netcl_op_one_hot(netcl_tensor* indices, int64_t depth, int32_t axis,
                              netcl_dtype dtype, const void* on_value, const void* off_value,
                              const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto list = pin(indices, "indices");
    const size_t size = dtype_facts(dtype).size;
    require(on_value, "on_value");
    require(off_value, "off_value");
    call_op<ops::one_hot>("one_hot", run, result, *list, depth, axis, dtype,
                          ops::make_element(on_value, size), ops::make_element(off_value, size));
  });
}

netcl_status netcl_op_scatter(netcl_tensor* x, netcl_tensor* indices, netcl_tensor* updates,
                              int32_t axis, const netcl_scatter_options* options,
                              const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const TensorRef target = pin(x, "x").shared();
    const auto list = pin(indices, "indices");
    const auto values = pin(updates, "updates");
    const netcl_scatter_options checked = read_options(options, "options");
    require_flag(checked.atomics, "options->atomics");
    call_op<ops::scatter>("scatter", run, result, target, *list, *values, axis, checked.mode,
                          checked.atomics != 0);
  });
}

netcl_status netcl_op_gather_nd(netcl_tensor* x, netcl_tensor* indices, uint32_t batch_dims,
                                const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto source = pin(x, "x");
    const auto list = pin(indices, "indices");
    call_op<ops::gather_nd>("gather_nd", run, result, *source, *list, batch_dims);
  });
}

netcl_status netcl_op_scatter_nd(netcl_tensor* x, netcl_tensor* indices, netcl_tensor* updates,
                                 uint32_t batch_dims, const netcl_scatter_options* options,
                                 const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const TensorRef target = pin(x, "x").shared();
    const auto list = pin(indices, "indices");
    const auto values = pin(updates, "updates");
    const netcl_scatter_options checked = read_options(options, "options");
    require_flag(checked.atomics, "options->atomics");
    call_op<ops::scatter_nd>("scatter_nd", run, result, target, *list, *values, batch_dims,
                             checked.mode, checked.atomics != 0);
  });
}

namespace {

// A list of the options that is left out or has as many entries as wanted.
bool has_list(const double* list, uint32_t count, uint32_t wanted, const char* member) {
  require_array(list, count, member);
  if (count == 0 || count == wanted) return count != 0;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s_count is %u; it is 0 or %u", member, count, wanted);
}

ops::ResizeSettings read_resize(const netcl_resize_options& checked, uint32_t rank) {
  ops::ResizeSettings settings;
  settings.mode = checked.mode;
  settings.coordinates = checked.coordinates;
  settings.rounding = checked.rounding;
  require_flag(checked.antialias, "options->antialias");
  require_flag(checked.exclude_outside, "options->exclude_outside");
  require_flag(checked.has_cubic_coeff, "options->has_cubic_coeff");
  settings.antialias = checked.antialias != 0;
  settings.exclude_outside = checked.exclude_outside != 0;
  if (checked.has_cubic_coeff != 0 || checked.cubic_coeff != 0) {
    settings.cubic_coeff = checked.cubic_coeff;
  }
  settings.extrapolation_value = checked.extrapolation_value;
  if (has_list(checked.scales, checked.scales_count, rank, "options->scales")) {
    for (uint32_t d = 0; d < rank; ++d) {
      settings.scales[d] = checked.scales[d];
      if (checked.scales[d] > 0 && std::isfinite(checked.scales[d])) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->scales[%u] is %g; it is finite and above 0", d,
           checked.scales[d]);
    }
  }
  if (has_list(checked.roi, checked.roi_count, 2 * rank, "options->roi")) {
    std::copy_n(checked.roi, rank, settings.starts.begin());
    std::copy_n(checked.roi + rank, rank, settings.ends.begin());
  }
  return settings;
}

}  // namespace

netcl_status netcl_op_resize(netcl_tensor* x, uint32_t rank, const int64_t* shape,
                             const netcl_resize_options* options, const netcl_run_options* run,
                             netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    const netcl_resize_options checked = read_options(options, "options");
    require_most(rank, NETCL_RANK_MAX, "rank");
    call_op<ops::resize>("resize", run, result, *pinned, std::span(shape, rank),
                         read_resize(checked, rank));
  });
}

}  // extern "C"
