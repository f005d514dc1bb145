#include "api/create.hpp"
#include "api/graph_lists.hpp"
#include "api/read_options.hpp"
#include "graph/compile/explain.hpp"
#include "graph/compile/forms.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// Makes a form ahead of its first run.
void make_form(graph::Forms& forms, const std::vector<TensorRef>& inputs, uint32_t outputs_count,
               netcl_toggle fuse) {
  if (outputs_count != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "outputs_count is %u; graph is made from a function, which gives the outputs: it is 0",
         outputs_count);
  }
  if (fuse != NETCL_DEFAULT) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->fuse is %d; graph is made from a function, with an option of its own for it",
         fuse);
  }
  forms.form(inputs);
}

// A graph as it is now, whatever other threads make of it.
class Runnable {
 public:
  explicit Runnable(graph::Graph& graph) : forms_(graph.forms()) {
    if (forms_ != nullptr) return;
    compiled_ = graph.compiled();
    if (compiled_ != nullptr && compiled_->ready()) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the graph is not compiled; netcl_graph_compile makes it ready to run");
  }

  size_t outputs() const {
    return forms_ != nullptr ? forms_->options().outputs : compiled_->interface().outputs.size();
  }
  graph::CompiledGraphRef for_inputs(const std::vector<TensorRef>& inputs) const {
    return forms_ != nullptr ? forms_->form(inputs) : compiled_;
  }
  // Fails before the function is called for nothing.
  void check_outputs(size_t given) const {
    if (forms_ == nullptr || given == outputs()) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "outputs_count is %zu; the function of the graph gives %zu",
         given, outputs());
  }

 private:
  graph::Forms* const forms_;  // null where the graph is compiled
  graph::CompiledGraphRef compiled_;
};

}  // namespace

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
    if (pinned->forms() != nullptr) {
      return make_form(*pinned->forms(), interface.inputs, outputs_count, checked.fuse);
    }
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
    for (const TensorRef& output : to) require_own_elements(*output, "outputs");
    resolved.refuse_into();
    resolved.refuse_graph();
    const Runnable runnable(*pinned);
    runnable.check_outputs(to.size());
    const graph::CompiledGraphRef compiled = runnable.for_inputs(from);
    compiled->run(std::move(from), std::move(to), resolved.run());
    resolved.give_event();
  });
}

netcl_status netcl_graph_evaluate(netcl_graph* graph, netcl_tensor* const* inputs,
                                  uint32_t inputs_count, const netcl_run_options* run,
                                  netcl_tensor** outputs, uint32_t capacity, uint32_t* count) {
  return guarded([&] {
    const auto pinned = pin(graph, "graph");
    std::vector<TensorRef> from = pin_tensors(inputs, inputs_count, "inputs");
    ResolvedRun resolved(run, pinned->device());
    resolved.refuse_into();
    resolved.refuse_graph();
    if (outputs == nullptr && capacity > 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "outputs is NULL while capacity is %u", capacity);
    }
    require(count, "count");
    const Runnable runnable(*pinned);
    const size_t there = runnable.outputs();
    if (there == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "the graph gives no outputs; netcl_graph_run runs it");
    }
    if (capacity >= there) {
      const graph::CompiledGraphRef compiled = runnable.for_inputs(from);
      std::vector<TensorRef> made = compiled->evaluate(std::move(from), resolved.run());
      netcl_event* const event = resolved.event_handle();
      give_tensors(std::move(made), event, outputs);
      resolved.store_event(event);
    }
    *count = static_cast<uint32_t>(there);
  });
}

netcl_status netcl_graph_explain(netcl_graph* graph, netcl_graph_format format, char* buffer,
                                 size_t capacity, size_t* length) {
  return guarded(
      [&] { write_text(graph::explain(*pin(graph, "graph"), format), buffer, capacity, length); });
}

}  // extern "C"
