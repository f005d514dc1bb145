// The runs of a binding.
#include <algorithm>

#include "core/small_array.hpp"
#include "graph/compile/binding.hpp"
#include "ops/frame/enqueue.hpp"

namespace netcl::graph {

// The memory of one run by its numbers.
class Binding::Memory {
 public:
  Memory(const Binding& binding, std::span<const TensorRef> inputs,
         std::span<const TensorRef> outputs, std::span<const uint64_t> shifts, const ops::Run& run)
      : objects_(binding.block_bytes.size() + inputs.size() + outputs.size() +
                 binding.outside.size() + binding.scratch_bytes.size()),
        shifts_(objects_.size()),
        own_(binding.block_bytes.size() + binding.scratch_bytes.size()),
        binding_(binding),
        inputs_(inputs),
        outputs_(outputs) {
    std::copy(shifts.begin(), shifts.end(), shifts_.data() + binding.block_bytes.size());
    const auto take = [&](uint64_t bytes) {
      own_[owned_] = ops::new_memory(bytes, run);
      objects_[count_++] = own_[owned_++]->memory();
    };
    for (const uint64_t bytes : binding.block_bytes) take(bytes);
    for (const TensorRef& input : inputs) objects_[count_++] = input->memory();
    for (const TensorRef& output : outputs) objects_[count_++] = output->memory();
    for (const BufferRef& buffer : binding.outside) objects_[count_++] = buffer->memory();
    for (const uint64_t bytes : binding.scratch_bytes) take(bytes);
  }

  ops::NumberedMemory all() const { return {objects_.data(), shifts_.data()}; }
  size_t count() const { return count_; }
  MemoryObject* object(uint32_t number) const { return objects_.data()[number]; }

  // A tensor of a call of a group in its place.
  TensorRef placed(const TensorRef& tensor, const Meeting& meeting) const {
    if (tensor->empty()) return tensor;
    const Meeting::Place& place = meeting.places.at(tensor->memory());
    const auto shift = place.shift + static_cast<int64_t>(shifts_.data()[place.number]);
    Layout layout = tensor->layout();
    layout.offset += shift / static_cast<int64_t>(tensor->element_size());
    return std::make_shared<Tensor>(buffer(place.number), tensor->dtype(), layout);
  }

 private:
  // Of all but scratch.
  const BufferRef& buffer(size_t number) const {
    if (number < binding_.block_bytes.size()) return own_.data()[number];
    number -= binding_.block_bytes.size();
    if (number < inputs_.size()) return inputs_[number]->buffer();
    number -= inputs_.size();
    if (number < outputs_.size()) return outputs_[number]->buffer();
    return binding_.outside[number - outputs_.size()];
  }

  SmallArray<MemoryObject*, 64> objects_;
  SmallArray<uint64_t, 64> shifts_;
  SmallArray<BufferRef, 8> own_;
  const Binding& binding_;
  const std::span<const TensorRef> inputs_;
  const std::span<const TensorRef> outputs_;
  size_t count_ = 0;
  size_t owned_ = 0;
};

void Binding::enqueue(std::span<const TensorRef> inputs, std::span<const TensorRef> outputs,
                      std::span<const uint64_t> shifts, group::Reducer* reducer,
                      CollectivesToCome& collectives, const ops::Run& run) const {
  if (commands.count() == 0 && meetings.empty()) return;
  const Memory memory(*this, inputs, outputs, shifts, run);
  const ops::Run own = run.without_event();
  size_t met = 0;
  size_t next = 0;
  const auto pass = [&](size_t enqueued) {
    for (; met < meetings.size() && meetings[met].commands <= enqueued; ++met) {
      const auto place = [&](const TensorRef& tensor) {
        return memory.placed(tensor, meetings[met]);
      };
      collectives.make(place, own);
    }
    for (; reducer != nullptr && next < given.size() && given[next].commands <= enqueued; ++next) {
      const ReducedGradient& gradient = given[next].gradient;
      reducer->give(gradient.outside != nullptr ? gradient.outside : outputs[gradient.output],
                    run.queue);
    }
  };
  pass(0);
  if (run.event == nullptr) return batches->enqueue(memory.all(), memory.count(), run, pass);
  // The last command alone tells neither of others that an out-of-order queue still runs, nor of
  // those that failed: the event is that of a command behind all that is written.
  batches->enqueue(memory.all(), memory.count(), own, pass);
  std::vector<Access> written;
  for (const ops::KeptCommands::Source& source : commands.sources({0, commands.count()})) {
    if (source.use.write) written.push_back({memory.object(source.number), false});
  }
  for (const Meeting& meeting : meetings) {
    for (const uint32_t number : meeting.written) written.push_back({memory.object(number), false});
  }
  run.enqueue(written, [](backend::Stream& stream, backend::WaitList waits,
                          backend::EventRef* event) { stream.marker(waits, event); });
}

}  // namespace netcl::graph
