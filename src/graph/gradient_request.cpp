#include "graph/gradient_request.hpp"

#include "graph/region.hpp"

namespace netcl::graph {

namespace {

void check_float(const Tensor& tensor, const char* list, size_t index) {
  if (is_float(tensor.dtype())) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%zu] is %s; gradients are known for float dtypes", list,
       index, dtype_facts(tensor.dtype()).name);
}

void check_pair(const Tensor& tensor, const char* list, const Tensor& partner, const char* other,
                size_t index) {
  if (!tensor.layout().same_shape(partner.layout())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%zu] has shape %s; %s[%zu] has %s", list, index,
         shape_text(tensor).c_str(), other, index, shape_text(partner).c_str());
  }
  if (tensor.dtype() != partner.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%zu] is %s; %s[%zu] is %s", list, index,
         dtype_facts(tensor.dtype()).name, other, index, dtype_facts(partner.dtype()).name);
  }
}

void check_devices(const std::vector<TensorRef>& tensors, const char* list, const Graph& graph) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (&tensors[i]->device() == &graph.device()) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%zu] lives on device %s; the graph is on %s", list, i,
         tensors[i]->device().text().c_str(), graph.device().text().c_str());
  }
}

}  // namespace

void check_request(const Graph& graph, const GradientRequest& request) {
  check_devices(request.outputs, "outputs", graph);
  check_devices(request.inputs, "inputs", graph);
  check_devices(request.seeds, "options->seeds", graph);
  check_devices(request.into, "options->into", graph);
  for (size_t i = 0; i < request.outputs.size(); ++i) {
    const Tensor& output = *request.outputs[i];
    check_float(output, "outputs", i);
    if (!request.seeds.empty()) {
      check_pair(*request.seeds[i], "options->seeds", output, "outputs", i);
    } else if (output.element_count() != 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "outputs[%zu] has shape %s; an output of more or fewer elements than one needs a seed",
           i, shape_text(output).c_str());
    }
  }
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const Tensor& input = *request.inputs[i];
    check_float(input, "inputs", i);
    if (may_overlap_itself(input.layout())) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "elements of inputs[%zu] share memory", i);
    }
    if (request.into.empty()) continue;
    check_pair(*request.into[i], "options->into", input, "inputs", i);
    for (size_t k = 0; k < i; ++k) {
      if (disjoint(*request.into[k], *request.into[i])) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->into[%zu] shares memory with options->into[%zu]",
           i, k);
    }
  }
}

}  // namespace netcl::graph
