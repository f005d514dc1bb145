#include "ops/frame/replay.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "core/small_array.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/tuned_variant.hpp"
#include "store/database.hpp"

namespace netcl::ops {

namespace {

// Plain data: nothing has to be destroyed when a thread ends.
thread_local Recording* t_recording = nullptr;

constexpr uint8_t kNoTensor = 0xff;
constexpr uint8_t kOwnMemory = 0xff;

uint64_t hash_of(const CallKey& key) noexcept {
  return hash128(key.text().data(), key.text().size()).low;
}

}  // namespace

// ---- Keys

void CallKey::tensor(const Tensor* tensor) {
  if (tensor == nullptr) return values(kNoTensor);
  if (tensor_count_ == kTensorsMax) {
    fits_ = false;
    return;
  }
  const Layout& layout = tensor->layout();
  uint8_t same = kOwnMemory;
  for (size_t i = 0; i < tensor_count_ && same == kOwnMemory; ++i) {
    if (tensors_[i]->memory() == tensor->memory()) same = static_cast<uint8_t>(i);
  }
  tensors_[tensor_count_++] = tensor;
  values(static_cast<uint8_t>(layout.rank), same, tensor->dtype(), layout.offset);
  bytes(layout.shape.data(), layout.rank * sizeof(int64_t));
  bytes(layout.strides.data(), layout.rank * sizeof(int64_t));
}

bool CallKey::complete(const Run& run) {
  const Device& device = run.device();
  // A recorder wants the work that an op declares, which is not kept.
  if (!fits_ || device.builtin() || run.queue.observed() || forced_variant() != nullptr) {
    return false;
  }
  for (size_t i = 0; i < tensor_count_; ++i) {
    if (&tensors_[i]->device() != &device) return false;
    const MemoryObject* const memory = tensors_[i]->memory();
    for (size_t k = 0; k < i && memory != nullptr; ++k) {
      const MemoryObject* const other = tensors_[k]->memory();
      // Two wraps of one memory: where each lies in it is not known.
      if (other != memory && other != nullptr && memory->may_be(*other)) return false;
    }
  }
  // What is stored may change while a process runs.
  if (environment().tune != TunePolicy::off) values(store::Database::shared().generation());
  return fits_;
}

// ---- Replays

TensorRef Replay::play(const CallKey& key, const TensorRef& into, const Run& run) const {
  const std::span<const Tensor* const> tensors = key.tensors();
  TensorRef made = into;
  if (made == nullptr) {
    made = Tensor::allocate(run.device().shared_from_this(), nullptr, dtype_, layout_);
  }
  SmallArray<BufferRef, 4> temporaries(temporaries_.size());
  SmallArray<MemoryObject*, 16> memory(tensors.size() + temporaries_.size());
  for (size_t i = 0; i < tensors.size(); ++i) memory[i] = tensors[i]->memory();
  for (size_t i = 0; i < temporaries_.size(); ++i) {
    temporaries[i] = temporary(temporaries_[i], run);
    memory[tensors.size() + i] = temporaries[i]->memory();
  }
  for (const Step& step : steps_) {
    const bool last = &step == &steps_.back();
    enqueue(step, memory.data(), made->memory(), last ? run : run.without_event());
  }
  return made;
}

void Replay::enqueue(const Step& step, MemoryObject* const* memory, MemoryObject* result,
                     const Run& run) const {
  SmallArray<backend::KernelArgument, 32> arguments(step.argument_count);
  std::copy_n(arguments_.data() + step.first_argument, step.argument_count, arguments.data());
  SmallArray<Access, 12> accesses(step.place_count);
  for (size_t i = 0; i < step.place_count; ++i) {
    const Place& place = places_[step.first_place + i];
    MemoryObject* const object = place.source == kResult ? result : memory[place.source];
    arguments[place.argument].buffer = object->buffer.get();
    accesses[i] = {object, place.write};
  }
  backend::Launch launch = step.launch;
  launch.arguments = {arguments.data(), step.argument_count};
  run.queue.enqueue({{accesses.data(), step.place_count}, run.waits, run.event, run.work},
                    [&](backend::Stream& stream, backend::WaitList waits,
                        backend::EventRef* event) { stream.launch(launch, waits, event); });
}

// ---- Recordings

Recording::Recording(const CallKey& key)
    : key_(key),
      commands_before_(Queue::commands_of_thread()),
      replay_(std::make_shared<Replay>()) {
  t_recording = this;
}

Recording::~Recording() { t_recording = nullptr; }

Recording* Recording::current() noexcept { return t_recording; }

// Temporaries are counted from the tensors of the key on, until finish() knows which of them is the
// result.
uint32_t Recording::source_of(const MemoryObject* memory) {
  const std::span<const Tensor* const> tensors = key_.tensors();
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i]->memory() == memory) return static_cast<uint32_t>(i);
  }
  for (size_t i = 0; i < made_.size(); ++i) {
    if (made_[i]->memory() == memory) return static_cast<uint32_t>(tensors.size() + i);
  }
  sound_ = false;
  return 0;
}

void Recording::launched(const OpKernels::KernelPointer& kernel, const backend::Launch& launch,
                         const Arguments& arguments) {
  Replay& replay = *replay_;
  Replay::Step step{kernel,
                    launch,
                    replay.arguments_.size(),
                    launch.arguments.size(),
                    replay.places_.size(),
                    arguments.accesses().size()};
  step.launch.arguments = {};
  size_t place = 0;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    backend::KernelArgument argument = launch.arguments[i];
    if (argument.kind == backend::KernelArgument::Kind::bytes) {
      const auto* data = static_cast<const unsigned char*>(argument.data);
      replay.values_.emplace_back(data, data + argument.size);
      argument.data = replay.values_.back().data();
    }
    if (argument.kind == backend::KernelArgument::Kind::buffer) {
      const Access& access = arguments.accesses()[place++];
      replay.places_.push_back({static_cast<uint32_t>(i), source_of(access.memory), access.write});
      argument.buffer = nullptr;
    }
    replay.arguments_.push_back(argument);
  }
  replay.steps_.push_back(std::move(step));
}

ReplayRef Recording::finish(const TensorRef& result, const TensorRef& into) {
  Replay& replay = *replay_;
  // Whatever else the call enqueued makes the numbers differ; other threads do not count.
  if (!sound_ || replay.steps_.empty() ||
      Queue::commands_of_thread() - commands_before_ != replay.steps_.size()) {
    return nullptr;
  }
  const size_t tensors = key_.tensors().size();
  size_t own = made_.size();
  if (into == nullptr) {
    own = static_cast<size_t>(std::find(made_.begin(), made_.end(), result->buffer()) -
                              made_.begin());
    if (own == made_.size()) return nullptr;
    replay.dtype_ = result->dtype();
    replay.layout_ = result->layout();
  } else if (result != into) {
    return nullptr;
  }
  for (Replay::Place& place : replay.places_) {
    if (place.source < tensors) continue;
    if (place.source == tensors + own) {
      place.source = Replay::kResult;
    } else if (place.source > tensors + own) {
      --place.source;
    }
  }
  for (size_t i = 0; i < made_.size(); ++i) {
    if (i != own) replay.temporaries_.push_back(made_[i]->bytes());
  }
  const std::span<const unsigned char> text = key_.text();
  replay.key_.assign(text.begin(), text.end());
  return replay_;
}

// ---- What is kept

Replays& Replays::of(Device& device) { return OpKernels::of(device).companion<Replays>(); }

Replays::Found Replays::find(const CallKey& key) {
  const uint64_t hash = hash_of(key);
  Found found;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto kept = kept_.find(hash);
  if (kept != kept_.end()) {
    const std::span<const unsigned char> text = key.text();
    if (kept->second != nullptr && std::equal(text.begin(), text.end(), kept->second->key_.begin(),
                                              kept->second->key_.end())) {
      found.replay = kept->second;
    }
    return found;
  }
  uint64_t& seen = seen_[hash % seen_.size()];
  found.record = seen == hash;
  seen = hash;
  return found;
}

void Replays::keep(const CallKey& key, const ReplayRef& replay) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (kept_.size() >= kMost) kept_.clear();
  kept_.insert_or_assign(hash_of(key), replay);
}

void Replays::clear() {
  std::lock_guard<std::mutex> lock(mutex_);
  kept_.clear();
}

}  // namespace netcl::ops
