#include "model/model.hpp"

#include <algorithm>
#include <unordered_map>

namespace netcl::model {

Model::Model(DeviceRef device, OnnxFile file, const ModelOptions& options) {
  // In short dtypes each node has its own widths.
  if (options.fuse && options.short_dtype == 0) join_patterns(&file);
  auto network =
      std::make_unique<Network>(device, std::make_unique<Program>(std::move(file)), options.limits,
                                Precision(options.short_dtype));
  network_ = network.get();
  graph::FormsOptions forms;
  forms.outputs = static_cast<uint32_t>(network->program().outputs().size());
  forms.most = options.forms_most * network->step_count();
  forms.fuse = options.fuse;
  forms.may_ignore = true;
  auto made = std::make_unique<graph::Forms>(device, std::move(network), forms);
  graph_ = std::make_shared<graph::Graph>(std::move(device), std::move(made));
}

void Model::describe_value(const FileValue& value, netcl_model_value* info) const {
  info->dtype = dtype_of(value.onnx_type);
  info->has_rank = value.has_shape ? 1 : 0;
  info->rank = static_cast<uint32_t>(std::min<size_t>(value.shape.size(), kRankMax));
  for (uint32_t d = 0; d < info->rank; ++d) info->shape[d] = value.shape[d].extent;
  const auto& inputs = program().inputs();
  for (const uint32_t i : network_->bound_inputs()) {
    if (inputs[i] == &value) info->bound = 1;
  }
}

// A named dimension has one extent in all inputs of a call.
void Model::check_inputs(std::span<const TensorRef> inputs) const {
  const auto& known = program().inputs();
  if (inputs.size() != known.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is %zu; the model has %zu inputs",
         inputs.size(), known.size());
  }
  struct Extent {
    int64_t extent;
    size_t input;
  };
  std::unordered_map<std::string, Extent> symbols;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const FileValue& value = *known[i];
    const Tensor& input = *inputs[i];
    const std::string what = format("inputs[%zu], %s,", i, quoted(value.name.c_str(), 200).c_str());
    const netcl_dtype dtype = dtype_of(value.onnx_type);
    if (dtype != 0 && input.dtype() != dtype) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; the model takes %s", what.c_str(),
           dtype_facts(input.dtype()).name, dtype_facts(dtype).name);
    }
    if (!value.has_shape) continue;
    bool fits = input.layout().rank == value.shape.size();
    for (size_t d = 0; fits && d < value.shape.size(); ++d) {
      const int64_t extent = input.layout().shape[d];
      fits = value.shape[d].extent < 0 || value.shape[d].extent == extent;
      if (!fits || value.shape[d].extent >= 0 || value.shape[d].symbol.empty()) continue;
      const auto [place, fresh] = symbols.try_emplace(value.shape[d].symbol, Extent{extent, i});
      if (fresh || place->second.extent == extent) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "%s has %lld for the dimension %s, which is %lld in inputs[%zu]", what.c_str(),
           static_cast<long long>(extent), quoted(value.shape[d].symbol.c_str()).c_str(),
           static_cast<long long>(place->second.extent), place->second.input);
    }
    if (fits) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; the model takes %s", what.c_str(),
         shape_text(input).c_str(), dimensions_text(value).c_str());
  }
}

// Goes through all steps but the last one, whose form it gives, with what that takes.
graph::CompiledGraphRef Model::last_form(const std::vector<TensorRef>& inputs, const ops::Run& run,
                                         Read read, std::vector<TensorRef>* taken) const {
  const Plan plan = network_->plan();
  const auto& steps = network_->steps(0, plan);
  if (steps.size() == 1 && steps[0].bound.empty()) {
    *taken = inputs;
    return network_->form(*graph_->forms(), {plan, 0, 0}, inputs, {});
  }
  const graph::Caller caller{nullptr, run.without_event()};
  return Execution(*network_, *graph_->forms(), caller, inputs, read).last_form(taken);
}

// Where a loop turns out to be longer than one graph holds, the host goes its rounds; nothing of
// what the caller sees was written by then.
template <class F>
void Model::run_last(const std::vector<TensorRef>& inputs, const ops::Run& run, Read read,
                     const F& last) const {
  check_inputs(inputs);
  const Plan plan = network_->plan();
  std::vector<TensorRef> taken;
  graph::CompiledGraphRef form;
  try {
    form = last_form(inputs, run, read, &taken);
  } catch (const Error&) {
    if (network_->plan() == plan) throw;
    taken.clear();
    form = last_form(inputs, run, read, &taken);
  }
  last(*form, std::move(taken));
}

void Model::run(const std::vector<TensorRef>& inputs, const std::vector<TensorRef>& outputs,
                const ops::Run& run, Read read) const {
  run_last(inputs, run, read, [&](graph::CompiledGraph& form, std::vector<TensorRef> taken) {
    form.run(std::move(taken), outputs, run);
  });
}

std::vector<TensorRef> Model::evaluate(const std::vector<TensorRef>& inputs, const ops::Run& run,
                                       Read read) const {
  std::vector<TensorRef> made;
  run_last(inputs, run, read, [&](graph::CompiledGraph& form, std::vector<TensorRef> taken) {
    made = form.evaluate(std::move(taken), run);
  });
  return made;
}

}  // namespace netcl::model
