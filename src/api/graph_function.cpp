#include "api/create.hpp"
#include "api/graph_lists.hpp"
#include "api/host_function.hpp"
#include "graph/compile/forms.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// A function of the host that records what a graph computes.
class HostGraph final : public graph::GraphFunction {
 public:
  explicit HostGraph(HostFunction<netcl_graph_fn>&& host) noexcept : host_(std::move(host)) {}

  std::vector<TensorRef> record(const graph::GraphRef& capture, std::span<const TensorRef> inputs,
                                uint32_t count, std::string_view) const override {
    Lent<netcl_tensor> lent;
    for (const TensorRef& input : inputs) lent.add(input);
    Lent<netcl_graph> graphs;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    run.graph = graphs.add(capture);
    netcl_graph_call asked = NETCL_GRAPH_CALL_INIT;
    asked.inputs = lent.data();
    asked.run = &run;
    asked.inputs_count = static_cast<uint32_t>(inputs.size());
    asked.outputs_count = count;
    GivenTensors given(count);
    host_.call(&asked, given.data());
    std::vector<TensorRef> outputs = given.tensors("the function's outputs");
    for (uint32_t i = 0; i < count; ++i) {
      if (outputs[i] != nullptr) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "function returned NETCL_OK and left outputs[%u] NULL", i);
    }
    return outputs;
  }

 private:
  const HostFunction<netcl_graph_fn> host_;
};

}  // namespace

extern "C" {

netcl_status netcl_graph_create_from_function(netcl_device* device, netcl_graph_fn function,
                                              void* user_data, netcl_destroy_fn destroy,
                                              uint32_t outputs,
                                              const netcl_graph_function_options* options,
                                              netcl_graph** graph) {
  return guarded([&] {
    HostFunction host(function, user_data, destroy);
    const auto pinned = pin(device, "device");
    host.check();
    const netcl_graph_function_options checked = read_options(options, "options");
    require_zero(checked.reserved, "options->reserved");
    if (outputs > NETCL_LIST_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "outputs is %u; a function gives at most %d", outputs,
           NETCL_LIST_MAX);
    }
    graph::FormsOptions forms;
    forms.outputs = outputs;
    if (checked.forms_most != 0) forms.most = checked.forms_most;
    forms.fuse = resolve_toggle(checked.fuse, true, "options->fuse");
    require(graph, "graph");
    auto made = std::make_unique<graph::Forms>(
        pinned.shared(), std::make_unique<HostGraph>(std::move(host)), forms);
    *graph = make_handle<netcl_graph>(
        std::make_shared<graph::Graph>(pinned.shared(), std::move(made)));
  });
}

}  // extern "C"
