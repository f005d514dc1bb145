#include <unordered_set>

#include "api/call_op.hpp"
#include "api/create.hpp"
#include "api/graph_lists.hpp"
#include "api/handles.hpp"
#include "graph/add_gradients.hpp"
#include "graph/compile/forms.hpp"
#include "group/reducer.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// The tensors of a list that is left out or has `wanted` entries.
std::vector<TensorRef> read_list(netcl_tensor* const* list, uint32_t count, uint32_t wanted,
                                 const char* member, const char* whose) {
  if (count != 0 && count != wanted) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s_count is %u; it is 0 or %s, %u", member, count, whose,
         wanted);
  }
  return pin_tensors(list, count, member);
}

std::vector<TensorRef> read_tensors(netcl_tensor* const* list, uint32_t count,
                                    const char* argument) {
  if (count == 0) fail(NETCL_ERROR_INVALID_ARGUMENT, "%s_count is 0", argument);
  return read_list(list, count, count, argument, argument);
}

// What is known of a compiled graph or of forms: sums, and of memory the most.
void add_compiled(const graph::CompiledGraph& compiled, netcl_graph_info* info) {
  info->step_count += compiled.steps().size();
  info->ready_count += compiled.ready_count();
  info->live_bytes = std::max(info->live_bytes, compiled.live_bytes());
  if (!compiled.ready()) return;
  info->command_count += compiled.binding().commands.count();
  info->planned_bytes = std::max(info->planned_bytes, compiled.binding().planned_bytes);
}

void add_forms(const graph::Forms& forms, netcl_graph_info* info) {
  // What is over in between counts twice rather than not at all.
  std::vector<graph::CompiledGraphRef> all = forms.under_way();
  const std::vector<graph::CompiledGraphRef> kept = forms.kept();
  info->form_count = kept.size();
  for (const graph::CompiledGraphRef& form : kept) {
    if (std::find(all.begin(), all.end(), form) == all.end()) all.push_back(form);
  }
  std::unordered_set<const Buffer*> seen;
  for (const graph::CompiledGraphRef& form : all) {
    info->call_count += form->nodes().size();
    info->kept_bytes += graph::kept_bytes_of(form->nodes(), &seen);
    add_compiled(*form, info);
  }
}

}  // namespace

extern "C" {

netcl_status netcl_graph_create(netcl_device* device, const netcl_graph_options* options,
                                netcl_graph** graph) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    const netcl_graph_options checked = read_options(options, "options");
    require_zero(checked.reserved, "options->reserved");
    require(graph, "graph");
    const bool execute = resolve_toggle(checked.execute, true, "options->execute");
    *graph = make_handle<netcl_graph>(std::make_shared<graph::Graph>(pinned.shared(), execute));
    if (!execute) note_capture(*graph);
  });
}

netcl_status netcl_graph_retain(netcl_graph* graph) { return retain_handle(graph, "graph"); }
void netcl_graph_release(netcl_graph* graph) { release_handle(graph); }

netcl_status netcl_graph_clear(netcl_graph* graph) {
  return guarded([&] { pin(graph, "graph")->clear(); });
}

netcl_status netcl_graph_get_info(netcl_graph* graph, netcl_graph_info* info) {
  return guarded([&] {
    const auto pinned = pin(graph, "graph");
    check_info(info, "info");
    netcl_graph_info full = NETCL_GRAPH_INFO_INIT;
    full.call_count = pinned->count();
    full.kept_bytes = pinned->kept_bytes();
    if (const graph::CompiledGraphRef compiled = pinned->compiled()) add_compiled(*compiled, &full);
    if (pinned->forms() != nullptr) add_forms(*pinned->forms(), &full);
    write_info(info, full);
  });
}

netcl_status netcl_graph_add_gradients(netcl_graph* graph, netcl_tensor* const* outputs,
                                       uint32_t outputs_count, netcl_tensor* const* inputs,
                                       uint32_t inputs_count,
                                       const netcl_gradients_options* options,
                                       netcl_tensor** gradients) {
  return guarded([&] {
    const auto pinned = pin(graph, "graph");
    const netcl_gradients_options checked = read_options(options, "options");
    refuse_forms(*pinned, "graph");
    require_flag(checked.accumulate, "options->accumulate");
    require_flag(checked.consume, "options->consume");
    graph::GradientRequest request;
    request.outputs = read_tensors(outputs, outputs_count, "outputs");
    request.inputs = read_tensors(inputs, inputs_count, "inputs");
    request.seeds = read_list(checked.seeds, checked.seeds_count, outputs_count, "options->seeds",
                              "outputs_count");
    request.into =
        read_list(checked.into, checked.into_count, inputs_count, "options->into", "inputs_count");
    for (const TensorRef& into : request.into) require_own_elements(*into, "options->into");
    request.accumulate = checked.accumulate != 0;
    request.consume = checked.consume != 0;
    if (checked.reducer != nullptr) {
      request.reducer = pin(checked.reducer, "options->reducer").shared();
    }
    if (request.consume && pinned->captures()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->consume is 1; the graph is a capture, which needs its calls to run them");
    }
    if (checked.event != nullptr && pinned->captures()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->event is set; the graph is a capture, whose calls run with netcl_graph_run");
    }
    if (checked.into_count == 0) require(gradients, "gradients");
    if (request.accumulate && checked.into_count == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->accumulate is 1 while options->into_count is 0");
    }
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    run.queue = checked.queue;
    run.event = checked.event;
    ResolvedRun resolved(&run, pinned->device());
    std::vector<TensorRef> made =
        graph::add_gradients(*pinned, request, resolved.run().without_event());
    if (checked.event != nullptr) {
      // It fails with any of the gradients.
      std::vector<Access> read;
      for (const TensorRef& gradient : made) {
        if (gradient->memory() != nullptr) read.push_back(reading(*gradient));
      }
      resolved.run().enqueue(read, [](backend::Stream& stream, backend::WaitList waits,
                                      backend::EventRef* event) { stream.marker(waits, event); });
    }
    netcl_event* const event = resolved.event_handle();
    if (gradients != nullptr) give_tensors(std::move(made), event, gradients);
    resolved.store_event(event);
  });
}

}  // extern "C"
