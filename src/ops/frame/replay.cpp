#include "ops/frame/replay.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "core/small_array.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/tuned_variant.hpp"

namespace netcl::ops {

namespace {

// Plain data: nothing has to be destroyed when a thread ends.
thread_local Recording* t_recording = nullptr;

uint64_t hash_of(const CallKey& key) noexcept {
  return hash128(key.text().data(), key.text().size()).low;
}

}  // namespace

// ---- Replays

void Replay::play(const CallKey& key, Results results, const Run& run) const {
  const std::span<const Tensor* const> tensors = key.tensors();
  for (size_t i = 0; i < made_.size(); ++i) {
    if (made_[i].dtype == 0) continue;
    *results[i] =
        Tensor::allocate(run.device().shared_from_this(), nullptr, made_[i].dtype, made_[i].layout);
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
    enqueue(step, memory.data(), results, last ? run : run.without_event());
  }
}

void Replay::enqueue(const Step& step, MemoryObject* const* memory, Results results,
                     const Run& run) const {
  SmallArray<backend::KernelArgument, 32> arguments(step.argument_count);
  std::copy_n(arguments_.data() + step.first_argument, step.argument_count, arguments.data());
  SmallArray<Access, 12> accesses(step.place_count);
  for (size_t i = 0; i < step.place_count; ++i) {
    const Place& place = places_[step.first_place + i];
    MemoryObject* const object = place.source < kResult
                                     ? memory[place.source]
                                     : (*results[place.source - kResult])->memory();
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

// Notes how each result comes to be, and where it stands among what was made (made_.size() when it
// does not). False when one is neither what was given nor new.
bool Recording::take_results(Results results, Results given, std::vector<uint32_t>* places) {
  for (size_t i = 0; i < results.size(); ++i) {
    const TensorRef& result = *results[i];
    Replay::Made made;
    size_t place = made_.size();
    if (*given[i] == nullptr && result != nullptr) {
      place = static_cast<size_t>(std::find(made_.begin(), made_.end(), result->buffer()) -
                                  made_.begin());
      if (place == made_.size()) return false;
      made = {result->dtype(), result->layout()};
    } else if (result != *given[i]) {
      return false;
    }
    places->push_back(static_cast<uint32_t>(place));
    replay_->made_.push_back(made);
  }
  return true;
}

ReplayRef Recording::finish(Results results, Results given) {
  Replay& replay = *replay_;
  // Whatever else the call enqueued makes the numbers differ; other threads do not count.
  if (!sound_ || replay.steps_.empty() ||
      Queue::commands_of_thread() - commands_before_ != replay.steps_.size()) {
    return nullptr;
  }
  std::vector<uint32_t> places;
  if (!take_results(results, given, &places)) return nullptr;
  // What was made is a result or a temporary, which are numbered anew.
  const auto tensors = static_cast<uint32_t>(key_.tensors().size());
  std::vector<uint32_t> sources(made_.size());
  for (size_t i = 0; i < made_.size(); ++i) {
    const auto found = std::find(places.begin(), places.end(), i);
    if (found != places.end()) {
      sources[i] = Replay::kResult + static_cast<uint32_t>(found - places.begin());
    } else {
      sources[i] = tensors + static_cast<uint32_t>(replay.temporaries_.size());
      replay.temporaries_.push_back(made_[i]->bytes());
    }
  }
  for (Replay::Place& place : replay.places_) {
    if (place.source >= tensors) place.source = sources[place.source - tensors];
  }
  const std::span<const unsigned char> text = key_.text();
  replay.key_.assign(text.begin(), text.end());
  return replay_;
}

// ---- What is kept

Replays& Replays::of(Device& device) { return OpKernels::of(device).companion<Replays>(); }

bool Replays::wanted(const Run& run) {
  // A function of the host is enqueued as fast as it is found, and a recorder wants the work that
  // an op declares, which is not kept.
  return !runs_native(run.device()) && !run.queue.observed() && forced_variant() == nullptr;
}

Replays::Found Replays::find(const CallKey& key) {
  const uint64_t hash = hash_of(key);
  Found found;
  std::lock_guard<std::mutex> lock(mutex_);
  if (const ReplayRef* kept = kept_.find(hash)) {
    const std::span<const unsigned char> text = key.text();
    if (*kept != nullptr &&
        std::equal(text.begin(), text.end(), (*kept)->key_.begin(), (*kept)->key_.end())) {
      found.replay = *kept;
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
  kept_.insert(hash_of(key), replay);
}

void Replays::clear() {
  std::lock_guard<std::mutex> lock(mutex_);
  kept_.clear();
}

}  // namespace netcl::ops
