#include "ops/frame/replay.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "core/small_array.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/tuned_variant.hpp"

namespace netcl::ops {

namespace {

uint64_t hash_of(const CallKey& key) noexcept {
  return hash128(key.text().data(), key.text().size()).low;
}

}  // namespace

// ---- Replays

void Replay::play(const CallKey& key, Results results, const Run& run) const {
  const std::span<const Tensor* const> tensors = key.tensors();
  SmallArray<BufferRef, 4> temporaries(temporaries_.size());
  SmallArray<MemoryObject*, 16> memory(tensors.size() + temporaries_.size() + made_.size());
  size_t count = 0;
  for (const Tensor* tensor : tensors) memory[count++] = tensor->memory();
  for (size_t i = 0; i < temporaries_.size(); ++i) {
    temporaries[i] = new_memory(temporaries_[i], run);
    memory[count++] = temporaries[i]->memory();
  }
  for (size_t i = 0; i < made_.size(); ++i) {
    if (made_[i].dtype != 0) *results[i] = new_tensor(made_[i].dtype, made_[i].layout, run);
    memory[count++] = *results[i] == nullptr ? nullptr : (*results[i])->memory();
  }
  commands_.enqueue({memory.data()}, run);
}

// ---- Recordings

Recording::Recording(const CallKey& key)
    : key_(key),
      commands_before_(Queue::commands_of_thread()),
      replay_(std::make_shared<Replay>()) {}

BufferRef Recording::allocate(uint64_t bytes, const Run& run) {
  Run own = run;
  own.sink = nullptr;
  made_.push_back(new_memory(bytes, own));
  return made_.back();
}

BufferRef Recording::constant(const void* data, uint64_t bytes, const Run& run) {
  replay_->commands_.set_unsound();
  Run own = run;
  own.sink = nullptr;
  made_.push_back(constant_memory(data, bytes, own));
  return made_.back();
}

void Recording::enqueue(const Queue::Command& command, Queue::Submit submit, const Run& run) {
  replay_->commands_.add(
      command, submit, [this](const MemoryObject* memory) { return source_of(memory); },
      &run.queue);
}

// What was made is counted from the tensors of the key on, until finish() knows which of it is the
// result.
uint32_t Recording::source_of(const MemoryObject* memory) {
  const std::span<const Tensor* const> tensors = key_.tensors();
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i]->memory() == memory) return static_cast<uint32_t>(i);
  }
  for (size_t i = 0; i < made_.size(); ++i) {
    if (made_[i]->memory() == memory) return static_cast<uint32_t>(tensors.size() + i);
  }
  replay_->commands_.set_unsound();
  return 0;
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
  if (!replay.commands_.sound() || replay.commands_.count() == 0 ||
      Queue::commands_of_thread() - commands_before_ != replay.commands_.count()) {
    return nullptr;
  }
  std::vector<uint32_t> places;
  if (!take_results(results, given, &places)) return nullptr;
  // What was made is a result or a temporary, which are numbered anew.
  const auto tensors = static_cast<uint32_t>(key_.tensors().size());
  const auto all = static_cast<uint32_t>(made_.size());
  const auto is_made = [&](uint32_t place) { return place < all; };
  const auto temporaries =
      all - static_cast<uint32_t>(std::count_if(places.begin(), places.end(), is_made));
  std::vector<uint32_t> sources(made_.size());
  for (uint32_t i = 0; i < all; ++i) {
    const auto found = std::find(places.begin(), places.end(), i);
    if (found != places.end()) {
      sources[i] = tensors + temporaries + static_cast<uint32_t>(found - places.begin());
    } else {
      sources[i] = tensors + static_cast<uint32_t>(replay.temporaries_.size());
      replay.temporaries_.push_back(made_[i]->bytes());
    }
  }
  replay.commands_.renumber(
      [&](uint32_t source) { return source < tensors ? source : sources[source - tensors]; });
  const std::span<const unsigned char> text = key_.text();
  replay.key_.assign(text.begin(), text.end());
  return replay_;
}

// ---- What is kept

Replays& Replays::of(Device& device) { return OpKernels::of(device).companion<Replays>(); }

bool Replays::wanted(const Run& run) {
  // A function of the host is enqueued as fast as it is found, and a recorder wants the work that
  // an op declares, which is not kept.
  return run.sink == nullptr && !runs_native(run.device()) && !run.queue.observed() &&
         forced_variant() == nullptr;
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
