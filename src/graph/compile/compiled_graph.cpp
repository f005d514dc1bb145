#include "graph/compile/compiled_graph.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/small_array.hpp"
#include "graph/capture.hpp"
#include "graph/compile/plan.hpp"
#include "graph/region.hpp"
#include "ops/frame/native.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

// The values between inputs and outputs.
std::vector<Lifetime> values_of(const Steps& steps, const Interface& interface) {
  std::unordered_set<const MemoryObject*> outputs;
  for (const TensorRef& output : interface.outputs) outputs.insert(output->memory());
  std::vector<Lifetime> values;
  std::unordered_map<const MemoryObject*, size_t> known;
  for (size_t i = 0; i < steps.size(); ++i) {
    for (const auto list : {steps[i].node->reads(), steps[i].node->writes()}) {
      for (const TensorRef& tensor : list) {
        if (tensor == nullptr || tensor->empty() || !is_planned(*tensor) ||
            outputs.count(tensor->memory()) != 0) {
          continue;
        }
        const auto [value, added] = known.try_emplace(tensor->memory(), values.size());
        if (added) values.push_back({tensor->buffer()->bytes(), i, i});
        values[value->second].last = i;
      }
    }
  }
  return values;
}

void check_like(const Tensor& given, const Tensor& known, const char* list, size_t index,
                const Device& device) {
  if (&given.device() != &device) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%zu] lives on device %s; the graph is on %s", list,
         index, given.device().text().c_str(), device.text().c_str());
  }
  if (given.dtype() != known.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%zu] is %s; the graph was compiled for %s", list, index,
         dtype_facts(given.dtype()).name, dtype_facts(known.dtype()).name);
  }
  if (!given.layout().same_shape(known.layout())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%zu] has shape %s; the graph was compiled for %s", list,
         index, shape_text(given).c_str(), shape_text(known).c_str());
  }
  if (owner_of(*given.buffer()) != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%zu] is a value of a capture, which has no memory", list,
         index);
  }
}

void check_count(size_t given, size_t known, const char* list) {
  if (given == known) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s_count is %zu; the graph was compiled for %zu", list, given,
       known);
}

bool may_share(const Tensor& tensor, const BufferRef& buffer) {
  return tensor.memory() != nullptr && buffer->memory() != nullptr &&
         tensor.memory()->may_be(*buffer->memory());
}

// Where the memory of a tensor may be said to begin, so that bindings need not be made for each
// offset: OpenCL has parts of memory that begin at such places.
uint64_t shift_of(const Tensor& tensor, const Device& device) {
  if (tensor.empty()) return 0;
  const uint64_t first =
      static_cast<uint64_t>(touched_span(tensor.layout()).first) * tensor.element_size();
  const uint64_t step =
      std::max<uint64_t>(device.capabilities().mem_base_align_bytes, tensor.element_size());
  return first / step * step;
}

int64_t offset_behind(const Tensor& tensor, uint64_t shift) {
  return tensor.layout().offset - static_cast<int64_t>(shift / tensor.element_size());
}

using Shifts = SmallArray<uint64_t, 64>;

void set_shifts(const Interface& given, const Device& device, Shifts* shifts) {
  size_t i = 0;
  for (const auto* list : {&given.inputs, &given.outputs}) {
    for (const TensorRef& tensor : *list) (*shifts)[i++] = shift_of(*tensor, device);
  }
}

// The same tensors in memory that begins further on.
Interface behind(const Interface& given, std::span<const uint64_t> shifts) {
  Interface all = given;
  size_t i = 0;
  for (auto* list : {&all.inputs, &all.outputs}) {
    for (TensorRef& tensor : *list) {
      Layout layout = tensor->layout();
      layout.offset = offset_behind(*tensor, shifts[i++]);
      tensor = std::make_shared<Tensor>(tensor->buffer(), tensor->dtype(), layout);
    }
  }
  return all;
}

std::string key_of(const Interface& given, std::span<const uint64_t> shifts) {
  std::string key;
  size_t i = 0;
  for (const auto* list : {&given.inputs, &given.outputs}) {
    for (const TensorRef& tensor : *list) {
      const Layout& layout = tensor->layout();
      const int64_t offset = offset_behind(*tensor, shifts[i++]);
      key.append(reinterpret_cast<const char*>(&offset), sizeof offset);
      key.append(reinterpret_cast<const char*>(layout.strides.data()),
                 layout.rank * sizeof(int64_t));
    }
  }
  return key;
}

}  // namespace

CompiledGraph::CompiledGraph(DeviceRef device, std::vector<NodeRef> nodes, Interface interface,
                             const GradientReduction& reduction, bool fuse)
    : device_(std::move(device)),
      nodes_(std::move(nodes)),
      interface_(std::move(interface)),
      reducer_(reduction.reducer) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i] == nullptr || nodes_[i]->is_marker()) continue;
    steps_.push_back({nodes_[i], {i}, {}});
  }
  if (steps_.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the graph has no calls; ops and launches whose run->graph it is are recorded there");
  }
  check_interface();
  reduced_ = find_reduced(reduction, nodes_, interface_);
  const std::vector<TensorRef> idle = reads_for_empty(steps_);
  drop_unneeded(&steps_, interface_);
  check_inputs(idle);
  const std::vector<Lifetime> values = values_of(steps_, interface_);
  live_bytes_ = most_live(values);
  if (fuse) {
    const uint64_t alignment = value_alignment(*device_);
    const MemoryLimit limit{most_live(values, alignment), alignment};
    share_equal(&steps_, &interface_, limit);
    drop_copies(&steps_, &interface_, limit);
    join_elementwise(&steps_, interface_, limit);
    join_epilogues(&steps_, interface_, limit, ops::runs_native(*device_));
    join_results(&steps_, interface_, limit);
    fold_constants(&steps_, interface_, *device_);
  }
  for (const Step& step : steps_) {
    if (step.node->collective() != nullptr) collectives_.push_back(step.node);
  }
}

void CompiledGraph::check_interface() const {
  const UseTable uses = uses_of(steps_);
  for (size_t i = 0; i < interface_.outputs.size(); ++i) {
    const Tensor& output = *interface_.outputs[i];
    if (output.empty()) continue;
    const auto known = uses.find(memory_key(output));
    if (known == uses.end() || known->second.writes.empty()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "outputs[%zu], of shape %s, is nothing that a call of the graph gives", i,
           shape_text(output).c_str());
    }
  }
  for (size_t i = 0; i < interface_.inputs.size(); ++i) {
    const Tensor& input = *interface_.inputs[i];
    if (is_planned(input)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "inputs[%zu] is a value that the graph computes; inputs are tensors with memory", i);
    }
    if (may_overlap_itself(input.layout())) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "elements of inputs[%zu] share memory; the graph would be compiled for that", i);
    }
    for (size_t k = 0; k < i; ++k) {
      if (!ops::may_share(*interface_.inputs[k], input) &&
          (input.empty() || interface_.inputs[k]->memory() != input.memory())) {
        continue;
      }
      fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs[%zu] shares memory with inputs[%zu]", i, k);
    }
  }
}

// What the calls that are left do with the memory of inputs. Those at `idle` may be read by none.
void CompiledGraph::check_inputs(const std::vector<TensorRef>& idle) {
  std::vector<char> used(interface_.inputs.size());
  const auto input_of = [&](const Tensor& tensor) {
    size_t i = 0;
    while (i < used.size() && (tensor.empty() || interface_.inputs[i]->empty() ||
                               !tensor.memory()->may_be(*interface_.inputs[i]->memory()))) {
      ++i;
    }
    return i;
  };
  std::unordered_set<const MemoryObject*> outside;
  std::unordered_set<const MemoryObject*> changed;
  for (size_t number = 0; number < steps_.size(); ++number) {
    const Node& node = *steps_[number].node;
    for (const TensorRef& written : node.writes()) {
      if (written == nullptr || written->empty()) continue;
      const size_t i = input_of(*written);
      if (i < used.size()) {
        fail(NETCL_ERROR_INVALID_ARGUMENT,
             "%s (call %zu) writes to the memory of inputs[%zu]; a run only reads its inputs",
             node.name().c_str(), steps_[number].numbers.back(), i);
      }
      if (is_planned(*written)) continue;
      if (outside.insert(written->memory()).second) outside_.push_back(written->buffer());
      if (changed.insert(written->memory()).second) changed_.push_back(written->buffer());
    }
    for (const TensorRef& read : node.reads()) {
      if (read->empty()) continue;
      const size_t i = input_of(*read);
      if (i == used.size()) {
        if (!is_planned(*read) && outside.insert(read->memory()).second) {
          outside_.push_back(read->buffer());
        }
        continue;
      }
      used[i] = 1;
      const Tensor& input = *interface_.inputs[i];
      if (read->memory() == input.memory() && read->dtype() == input.dtype() &&
          is_part_of(read->layout(), input.layout())) {
        continue;
      }
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "%s (call %zu) reads a tensor of shape %s in the memory of inputs[%zu] that is no part "
           "of it",
           node.name().c_str(), steps_[number].numbers.back(), shape_text(*read).c_str(), i);
    }
  }
  for (const TensorRef& read : idle) {
    const size_t i = input_of(*read);
    if (i < used.size()) used[i] = 1;
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i] != 0 || interface_.inputs[i]->empty() || interface_.may_ignore) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "no output depends on inputs[%zu], of shape %s", i,
         shape_text(*interface_.inputs[i]).c_str());
  }
}

// Stands for outputs that are new: packed, or in the order in memory that the graph gives them.
void CompiledGraph::prepare() {
  Interface given = interface_;
  for (TensorRef& output : given.outputs) {
    Layout layout = output->layout();
    if (!is_planned(*output) ||
        touched_span(layout).last - touched_span(layout).first != output->element_count()) {
      layout = packed_layout(layout.rank, layout.shape.data());
    }
    new_outputs_.push_back(layout);
    output = Tensor::allocate(*device_, output->dtype(), layout,
                              [&](uint64_t bytes) { return planned_buffer(device_, bytes, 0); });
  }
  Shifts list(given.inputs.size() + given.outputs.size());
  set_shifts(given, *device_, &list);
  const std::span<const uint64_t> shifts(list.data(), list.size());
  prepared_ = make_binding(*device_, steps_, interface_, reduced_, behind(given, shifts),
                           &ready_count_, &batch_report_);
  bindings_.insert(key_of(given, shifts), prepared_);
  ++ways_made_;
  is_ready_.store(true, std::memory_order_release);
}

void CompiledGraph::check_given_inputs(const std::vector<TensorRef>& inputs) const {
  check_count(inputs.size(), interface_.inputs.size(), "inputs");
  for (size_t i = 0; i < inputs.size(); ++i) {
    check_like(*inputs[i], *interface_.inputs[i], "inputs", i, *device_);
    for (const BufferRef& buffer : changed_) {
      if (!may_share(*inputs[i], buffer)) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "inputs[%zu] shares memory with a tensor that the calls of the graph write", i);
    }
  }
}

void CompiledGraph::check_given_outputs(const Interface& given) const {
  check_count(given.outputs.size(), interface_.outputs.size(), "outputs");
  for (size_t i = 0; i < given.outputs.size(); ++i) {
    const Tensor& output = *given.outputs[i];
    check_like(output, *interface_.outputs[i], "outputs", i, *device_);
    for (size_t k = 0; k < given.inputs.size(); ++k) {
      if (!ops::may_share(output, *given.inputs[k])) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "outputs[%zu] shares memory with inputs[%zu]", i, k);
    }
    for (size_t k = 0; k < i; ++k) {
      if (!ops::may_share(output, *given.outputs[k])) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "outputs[%zu] shares memory with outputs[%zu]", i, k);
    }
    for (const BufferRef& outside : outside_) {
      if (!may_share(output, outside)) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "outputs[%zu] shares memory with a tensor that the calls of the graph work with", i);
    }
  }
}

BindingRef CompiledGraph::binding_for(const Interface& given, std::span<const uint64_t> shifts) {
  const std::string key = key_of(given, shifts);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const BindingRef* known = bindings_.find(key)) return *known;
  }
  std::atomic<uint64_t> ready{0};
  BindingRef made = make_binding(*device_, steps_, interface_, reduced_, behind(given, shifts),
                                 &ready, &batch_report_);
  ++ways_made_;
  const std::lock_guard<std::mutex> lock(mutex_);
  return bindings_.insert(key, std::move(made));
}

void CompiledGraph::enqueue(const Interface& given, CollectivesToCome& collectives,
                            const ops::Run& run) {
  Shifts list(given.inputs.size() + given.outputs.size());
  set_shifts(given, *device_, &list);
  const std::span<const uint64_t> shifts(list.data(), list.size());
  binding_for(given, shifts)
      ->enqueue(given.inputs, given.outputs, shifts, reducer_.get(), collectives, run);
}

void CompiledGraph::run(std::vector<TensorRef> inputs, std::vector<TensorRef> outputs,
                        const ops::Run& run) {
  const Interface given{std::move(inputs), std::move(outputs)};
  CollectivesToCome collectives(collectives_, true);
  group::run_with(reducer_.get(), [&] {
    check_given_inputs(given.inputs);
    check_given_outputs(given);
    enqueue(given, collectives, run);
  });
}

std::vector<TensorRef> CompiledGraph::evaluate(std::vector<TensorRef> inputs, const ops::Run& run) {
  Interface given{std::move(inputs), {}};
  CollectivesToCome collectives(collectives_, true);
  group::run_with(reducer_.get(), [&] {
    check_given_inputs(given.inputs);
    for (size_t i = 0; i < new_outputs_.size(); ++i) {
      given.outputs.push_back(
          ops::new_tensor(interface_.outputs[i]->dtype(), new_outputs_[i], run));
    }
    enqueue(given, collectives, run);
  });
  return std::move(given.outputs);
}

}  // namespace netcl::graph
