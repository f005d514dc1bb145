#include "graph/compile/binding.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "core/threads.hpp"
#include "graph/capture.hpp"
#include "graph/compile/plan.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/native.hpp"
#include "ops/move/move.hpp"
#include "tensor/transfer.hpp"

namespace netcl::graph {

namespace {

// Compilers take much memory each.
constexpr size_t kBuildersMost = 4;

// Takes the commands of one step instead of running them.
class Collector final : public ops::Sink {
 public:
  BufferRef allocate(uint64_t bytes, const ops::Run& run) override {
    scratch.push_back(planned_buffer(run.device().shared_from_this(), bytes, 0));
    return scratch.back();
  }
  BufferRef constant(const void* data, uint64_t bytes, const ops::Run& run) override {
    ops::Run own = run;
    own.sink = nullptr;
    constants.push_back(ops::constant_memory(data, bytes, own));
    return constants.back();
  }
  void enqueue(const Queue::Command& command, Queue::Submit submit, const ops::Run&) override {
    // Memory is numbered when that of all steps is known.
    commands.add(
        command, submit,
        [this](const MemoryObject* memory) {
          met.push_back(memory);
          return static_cast<uint32_t>(met.size() - 1);
        },
        nullptr);
  }

  ops::KeptCommands commands;
  std::vector<const MemoryObject*> met;
  std::vector<BufferRef> scratch;
  std::vector<BufferRef> constants;
};

bool same_strides(const Layout& a, const Layout& b) {
  for (uint32_t d = 0; d < a.rank; ++d) {
    if (a.shape[d] > 1 && a.strides[d] != b.strides[d]) return false;
  }
  return true;
}

uint64_t bytes_to(const Tensor& tensor, int64_t element) {
  return static_cast<uint64_t>(element) * tensor.element_size();
}

class Binder {
 public:
  Binder(Device& device, const Steps& steps, const Interface& interface,
         const std::vector<ReducedGradient>& reduced, const Interface& given,
         std::atomic<uint64_t>* ready, ops::BatchReport* report)
      : device_(device),
        steps_(steps),
        interface_(interface),
        reduced_(reduced),
        given_(given),
        ready_(*ready),
        report_(*report),
        copied_inputs_(interface.inputs.size()),
        copied_outputs_(interface.outputs.size()),
        collectors_(steps.size() + 2) {}

  BindingRef run() {
    ready_ = 0;
    for (const auto* list : {&given_.inputs, &given_.outputs}) {
      for (const TensorRef& tensor : *list) stand_ins_.push_back(stand_in(*tensor));
    }
    place_inputs();
    place_outputs();
    place_values();
    collect();
    join();
    std::vector<size_t> cuts = place_reduced();
    for (const Binding::Meeting& meeting : binding_->meetings) cuts.push_back(meeting.commands);
    std::sort(cuts.begin(), cuts.end());
    binding_->batches =
        std::make_unique<ops::Batches>(binding_->commands, device_, report_, std::move(cuts));
    return binding_;
  }

 private:
  // Where memory that the steps know lies now.
  struct Home {
    BufferRef buffer;
    int64_t shift;  // bytes from where it was
  };

  BufferRef planned(uint64_t bytes) const {
    return planned_buffer(device_.shared_from_this(), bytes, 0);
  }
  // Memory in which a tensor of the caller lies.
  BufferRef stand_in(const Tensor& tensor) const {
    return planned(bytes_to(tensor, touched_span(tensor.layout()).last));
  }

  void place_inputs() {
    for (size_t i = 0; i < interface_.inputs.size(); ++i) {
      const Tensor& known = *interface_.inputs[i];
      const Tensor& given = *given_.inputs[i];
      if (known.empty()) continue;
      copied_inputs_[i] = !same_strides(known.layout(), given.layout());
      if (copied_inputs_[i] != 0) {
        note_value(known, 0);
        continue;
      }
      const auto size = static_cast<int64_t>(known.element_size());
      homes_[known.memory()] = {stand_ins_[i],
                                (given.layout().offset - known.layout().offset) * size};
    }
  }

  // An output that is all of a value is made where the caller wants it.
  void place_outputs() {
    for (size_t i = 0; i < interface_.outputs.size(); ++i) {
      const Tensor& known = *interface_.outputs[i];
      const Tensor& given = *given_.outputs[i];
      if (known.empty()) continue;
      const Span span = touched_span(known.layout());
      const bool whole = is_planned(known) && span.first == 0 &&
                         bytes_to(known, span.last) == known.buffer()->bytes() &&
                         known.element_count() == span.last;
      const bool direct = whole && homes_.count(known.memory()) == 0 &&
                          same_strides(known.layout(), given.layout());
      copied_outputs_[i] = !direct;
      if (!direct) continue;
      const auto size = static_cast<int64_t>(known.element_size());
      const int64_t first = touched_span(given.layout()).first;
      homes_[known.memory()] = {stand_ins_[interface_.inputs.size() + i], first * size};
    }
    for (size_t i = 0; i < interface_.outputs.size(); ++i) {
      const Tensor& known = *interface_.outputs[i];
      if (copied_outputs_[i] != 0) note_value(known, steps_.size() + 1);
    }
  }

  // Steps are counted from 1 on; before them and behind them there is copying.
  void place_values() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      for (const auto list : {steps_[i].node->reads(), steps_[i].node->writes()}) {
        for (const TensorRef& tensor : list) {
          if (tensor != nullptr && !tensor->empty()) note_value(*tensor, i + 1);
        }
      }
    }
    binding_->block_bytes = graph::place_values(&values_, value_alignment(device_),
                                                device_.capabilities().max_allocation_bytes);
    std::vector<uint64_t> begin;  // of each block, if they lay in a row
    for (const uint64_t bytes : binding_->block_bytes) {
      begin.push_back(binding_->planned_bytes);
      binding_->planned_bytes += bytes;
      blocks_.push_back(planned(bytes));
    }
    for (const auto& [memory, index] : value_of_) {
      const Lifetime& value = values_[index];
      binding_->offsets[memory] = begin[value.block] + value.offset;
      homes_[memory] = {blocks_[value.block],
                        static_cast<int64_t>(value.offset) - first_bytes_[index]};
    }
  }

  // A tensor whose memory lies in the block is needed in a step.
  void note_value(const Tensor& tensor, size_t step) {
    if (tensor.empty() || homes_.count(tensor.memory()) != 0) return;
    const auto known = value_of_.find(tensor.memory());
    if (known != value_of_.end()) {
      Lifetime& value = values_[known->second];
      value.first = std::min(value.first, step);
      value.last = std::max(value.last, step);
      return;
    }
    const bool input = !is_planned(tensor);
    if (input && !is_copied_input(tensor)) {
      homes_[tensor.memory()] = {tensor.buffer(), 0};
      binding_->outside.push_back(tensor.buffer());
      return;
    }
    const Span span = touched_span(tensor.layout());
    const uint64_t bytes =
        input ? bytes_to(tensor, span.last - span.first) : tensor.buffer()->bytes();
    value_of_[tensor.memory()] = values_.size();
    first_bytes_.push_back(input ? static_cast<int64_t>(bytes_to(tensor, span.first)) : 0);
    values_.push_back({bytes, step, step});
  }
  bool is_copied_input(const Tensor& tensor) const {
    for (size_t i = 0; i < interface_.inputs.size(); ++i) {
      if (copied_inputs_[i] != 0 && interface_.inputs[i]->memory() == tensor.memory()) return true;
    }
    return false;
  }

  TensorRef placed(const TensorRef& tensor) const {
    if (tensor->empty()) return tensor;
    const Home& home = homes_.at(tensor->memory());
    Layout layout = tensor->layout();
    layout.offset += home.shift / static_cast<int64_t>(tensor->element_size());
    return std::make_shared<Tensor>(home.buffer, tensor->dtype(), layout);
  }
  TensorRef placed_given(const Tensor& given, size_t index) const {
    return std::make_shared<Tensor>(stand_ins_[index], given.dtype(), given.layout());
  }

  void collect_copies(bool inputs, const ops::Run& run) const {
    const std::vector<char>& copied = inputs ? copied_inputs_ : copied_outputs_;
    const std::vector<TensorRef>& known = inputs ? interface_.inputs : interface_.outputs;
    const std::vector<TensorRef>& given = inputs ? given_.inputs : given_.outputs;
    for (size_t i = 0; i < known.size(); ++i) {
      if (copied[i] == 0) continue;
      const TensorRef own = placed(known[i]);
      const TensorRef callers = placed_given(*given[i], inputs ? i : interface_.inputs.size() + i);
      ops::copy_into(inputs ? *callers : *own, inputs ? *own : *callers, run);
    }
  }

  void collect_step(size_t index) {
    Collector& collector = collectors_[index];
    ops::Run run{*QueueSet::of(device_).default_queue(), {}};
    run.sink = &collector;
    if (index == 0 || index == steps_.size() + 1) return collect_copies(index == 0, run);
    const Node& node = *steps_[index - 1].node;
    if (node.collective() == nullptr) {
      node.call([this](const TensorRef& tensor) { return placed(tensor); }, run);
    }
    ready_.fetch_add(1, std::memory_order_relaxed);
  }

  // Several at a time where kernels are compiled.
  void collect() {
    std::atomic<size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&] {
      for (size_t index = next++; index < collectors_.size(); index = next++) {
        try {
          collect_step(index);
        } catch (...) {
          const std::lock_guard<std::mutex> lock(mutex);
          if (failure == nullptr) failure = std::current_exception();
          next = collectors_.size();
        }
      }
    };
    const size_t most = ops::runs_native(device_)
                            ? 1
                            : std::min({kBuildersMost, collectors_.size(),
                                        static_cast<size_t>(std::thread::hardware_concurrency())});
    {
      const Helpers helpers(std::max<size_t>(most, 1) - 1, work);
      work();
    }
    if (failure != nullptr) std::rethrow_exception(failure);
  }

  // All commands in a row, with their memory numbered.
  void join() {
    std::unordered_map<const MemoryObject*, uint32_t> numbers;
    uint32_t count = 0;
    const auto number = [&](const BufferRef& buffer) {
      if (buffer->memory() != nullptr) numbers.try_emplace(buffer->memory(), count);
      ++count;
    };
    for (const BufferRef& buffer : blocks_) number(buffer);
    for (const BufferRef& buffer : stand_ins_) number(buffer);
    for (const Collector& collector : collectors_) {
      for (const BufferRef& buffer : collector.constants) binding_->outside.push_back(buffer);
    }
    for (const BufferRef& buffer : binding_->outside) number(buffer);
    const uint32_t scratch = count;
    for (Collector& collector : collectors_) {
      if (!collector.commands.sound()) {
        fail(NETCL_ERROR_INTERNAL, "a call of the graph enqueues what cannot be kept");
      }
      for (uint32_t i = 0; i < collector.scratch.size(); ++i) {
        const BufferRef& buffer = collector.scratch[i];
        if (binding_->scratch_bytes.size() == i) binding_->scratch_bytes.push_back(0);
        binding_->scratch_bytes[i] = std::max(binding_->scratch_bytes[i], buffer->bytes());
        if (buffer->memory() != nullptr) numbers[buffer->memory()] = scratch + i;
      }
      collector.commands.renumber([&](uint32_t met) { return numbers.at(collector.met[met]); });
      binding_->commands.append(std::move(collector.commands));
      ends_.push_back(binding_->commands.count());
    }
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].node->collective() != nullptr)
        note_meeting(*steps_[i].node, ends_[i + 1], numbers);
    }
  }

  void note_meeting(const Node& node, size_t commands,
                    const std::unordered_map<const MemoryObject*, uint32_t>& numbers) {
    Binding::Meeting meeting{{}, {}, commands};
    const auto place = [&](const TensorRef& tensor) {
      const Home& home = homes_.at(tensor->memory());
      const uint32_t number = numbers.at(home.buffer->memory());
      meeting.places[tensor->memory()] = {number, home.shift};
      return number;
    };
    for (const TensorRef& read : node.reads()) {
      if (!read->empty()) place(read);
    }
    for (const TensorRef& written : node.writes()) {
      if (!written->empty()) meeting.written.push_back(place(written));
    }
    binding_->meetings.push_back(std::move(meeting));
  }

  // Whether the copies behind all steps read a tensor.
  bool is_copied_at_end(const Tensor& tensor) const {
    for (size_t i = 0; i < interface_.outputs.size(); ++i) {
      if (copied_outputs_[i] != 0 && memory_key(*interface_.outputs[i]) == memory_key(tensor)) {
        return true;
      }
    }
    return false;
  }
  // Gives the counts of commands behind which there are gradients. All ranks have the gradients in
  // the same order, whatever their devices made of the steps.
  std::vector<size_t> place_reduced() {
    std::vector<size_t> cuts;
    size_t last = 0;
    for (const ReducedGradient& gradient : reduced_) {
      const Tensor& tensor =
          gradient.outside != nullptr ? *gradient.outside : *interface_.outputs[gradient.output];
      const size_t steps =
          is_copied_at_end(tensor) ? steps_.size() + 1 : steps_for(gradient, steps_, interface_);
      last = std::max(last, ends_[steps]);
      binding_->given.push_back({gradient, last});
      if (cuts.empty() || cuts.back() != last) cuts.push_back(last);
    }
    return cuts;
  }

  Device& device_;
  const Steps& steps_;
  const Interface& interface_;
  const std::vector<ReducedGradient>& reduced_;
  const Interface& given_;
  std::atomic<uint64_t>& ready_;
  ops::BatchReport& report_;
  const std::shared_ptr<Binding> binding_ = std::make_shared<Binding>();
  std::vector<char> copied_inputs_;
  std::vector<char> copied_outputs_;
  std::vector<BufferRef> stand_ins_;  // of inputs, then of outputs
  std::vector<BufferRef> blocks_;
  std::unordered_map<const MemoryObject*, Home> homes_;
  std::unordered_map<const MemoryObject*, size_t> value_of_;
  std::vector<Lifetime> values_;
  std::vector<int64_t> first_bytes_;  // of each value in its memory
  std::vector<Collector> collectors_;
  std::vector<size_t> ends_;  // commands up to the end of each
};

}  // namespace

BindingRef make_binding(Device& device, const Steps& steps, const Interface& interface,
                        const std::vector<ReducedGradient>& reduced, const Interface& given,
                        std::atomic<uint64_t>* ready, ops::BatchReport* report) {
  return Binder(device, steps, interface, reduced, given, ready, report).run();
}

}  // namespace netcl::graph
