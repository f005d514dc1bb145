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
    ops::CallKey key("gather");
    key.tensor(&*source);
    key.tensor(&*list);
    key.values(axis);
    run_op(key, *source, run, result, [&](const TensorRef& into, const ops::Run& resolved) {
      return ops::gather(*source, *list, axis, into, resolved);
    });
  });
}

netcl_status netcl_op_gather_elements(netcl_tensor* x, netcl_tensor* indices, int32_t axis,
                                      const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto source = pin(x, "x");
    const auto list = pin(indices, "indices");
    ops::CallKey key("gather_elements");
    key.tensor(&*source);
    key.tensor(&*list);
    key.values(axis);
    run_op(key, *source, run, result, [&](const TensorRef& into, const ops::Run& resolved) {
      return ops::gather_elements(*source, *list, axis, into, resolved);
    });
  });
}

netcl_status netcl_op_embedding(netcl_tensor* weights, netcl_tensor* indices,
                                const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto table = pin(weights, "weights");
    const auto list = pin(indices, "indices");
    if (table->layout().rank != 2) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "weights has shape %s; an embedding needs a matrix [V, D]",
           shape_text(table->layout().rank, table->layout().shape.data()).c_str());
    }
    ops::CallKey key("embedding");
    key.tensor(&*table);
    key.tensor(&*list);
    run_op(key, *table, run, result, [&](const TensorRef& into, const ops::Run& resolved) {
      return ops::gather(*table, *list, 0, into, resolved);
    });
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
    ops::CallKey key("scatter");
    key.tensor(target);
    key.tensor(&*list);
    key.tensor(&*values);
    key.values(axis, checked.mode, checked.atomics);
    run_op(key, *target, run, result, [&](const TensorRef& into, const ops::Run& resolved) {
      return ops::scatter(target, *list, *values, axis, checked.mode, checked.atomics != 0, into,
                          resolved);
    });
  });
}

netcl_status netcl_op_resize(netcl_tensor* x, uint32_t rank, const int64_t* shape,
                             const netcl_resize_options* options, const netcl_run_options* run,
                             netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    const netcl_resize_options checked = read_options(options, "options");
    run_op(*pinned, run, result, [&](const TensorRef& into, const ops::Run& resolved) {
      return ops::resize(*pinned, rank, shape, checked.mode, checked.coordinates, into, resolved);
    });
  });
}

}  // extern "C"
