#include "api/call_op.hpp"
#include "ops/move/gather.hpp"
#include "ops/move/resize.hpp"
#include "ops/move/scatter.hpp"

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

netcl_status netcl_op_resize(netcl_tensor* x, uint32_t rank, const int64_t* shape,
                             const netcl_resize_options* options, const netcl_run_options* run,
                             netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    const netcl_resize_options checked = read_options(options, "options");
    require_most(rank, NETCL_RANK_MAX, "rank");
    call_op<ops::resize>("resize", run, result, *pinned, std::span(shape, rank), checked.mode,
                         checked.coordinates);
  });
}

}  // extern "C"
