#include "api/create.hpp"
#include "api/graph_lists.hpp"
#include "api/read_options.hpp"
#include "graph/compile/explain.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_graph_compile(netcl_graph* graph, netcl_tensor* const* inputs,
                                 uint32_t inputs_count, netcl_tensor* const* outputs,
                                 uint32_t outputs_count,
                                 const netcl_graph_compile_options* options) {
  return guarded([&] {
    const auto pinned = pin(graph, "graph");
    const netcl_graph_compile_options checked = read_options(options, "options");
    require_zero(checked.reserved, "options->reserved");
    const bool fuse = resolve_toggle(checked.fuse, true, "options->fuse");
    graph::Interface interface;
    interface.inputs = pin_tensors(inputs, inputs_count, "inputs");
    interface.outputs = pin_tensors(outputs, outputs_count, "outputs");
    pinned->compile(std::move(interface), fuse);
  });
}

netcl_status netcl_graph_run(netcl_graph* graph, netcl_tensor* const* inputs, uint32_t inputs_count,
                             netcl_tensor* const* outputs, uint32_t outputs_count,
                             const netcl_run_options* run) {
  return guarded([&] {
    const auto pinned = pin(graph, "graph");
    std::vector<TensorRef> from = pin_tensors(inputs, inputs_count, "inputs");
    std::vector<TensorRef> to = pin_tensors(outputs, outputs_count, "outputs");
    ResolvedRun resolved(run, pinned->device());
    const graph::CompiledGraphRef compiled = pinned->compiled();
    if (compiled == nullptr || !compiled->ready()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "the graph is not compiled; netcl_graph_compile makes it ready to run");
    }
    for (const TensorRef& output : to) require_own_elements(*output, "outputs");
    resolved.refuse_into();
    resolved.refuse_graph();
    compiled->run(std::move(from), std::move(to), resolved.run());
    resolved.give_event();
  });
}

netcl_status netcl_graph_explain(netcl_graph* graph, netcl_graph_format format, char* buffer,
                                 size_t capacity, size_t* length) {
  return guarded(
      [&] { write_text(graph::explain(*pin(graph, "graph"), format), buffer, capacity, length); });
}

}  // extern "C"
