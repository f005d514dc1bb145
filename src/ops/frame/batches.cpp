#include "ops/frame/batches.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "core/small_array.hpp"

namespace netcl::ops {

void BatchReport::note_without(const char* reason) noexcept {
  without_.fetch_add(1, std::memory_order_relaxed);
  last_.store(reason, std::memory_order_relaxed);
}

void BatchReport::note_refused(const std::string& reason, bool final) {
  without_.fetch_add(1, std::memory_order_relaxed);
  const std::lock_guard<std::mutex> lock(mutex_);
  refused_ = reason;
  last_.store(nullptr, std::memory_order_relaxed);
  if (final && failure_.empty()) failure_ = reason;
}

BatchReport::Facts BatchReport::facts() const {
  Facts facts{made_.load(std::memory_order_relaxed), runs_.load(std::memory_order_relaxed),
              without_.load(std::memory_order_relaxed), {}};
  const std::lock_guard<std::mutex> lock(mutex_);
  const char* const last = last_.load(std::memory_order_relaxed);
  facts.reason = !failure_.empty() ? failure_ : last != nullptr ? last : refused_;
  return facts;
}

// True for what is refused here and now, by this library, and not by the driver: somebody began to
// watch the queue, a batch that runs once at a time is under way, or the memory is page-locked.
static bool passes(const Error& error) {
  return error.status() == NETCL_ERROR_UNSUPPORTED && error.native_code() == 0;
}

Batches::Batches(const KeptCommands& commands, Device& device, BatchReport& report)
    : commands_(commands), report_(report), refusal_(device.backend().batch_refusal()) {
  if (!refusal_.empty()) return;
  ranges_ = commands.batch_ranges(device.backend().batch_fill_end());
  if (ranges_.empty()) refusal_ = "no two launches of kernels follow each other";
  for (const KeptCommands::Range& range : ranges_) {
    sources_.push_back(commands.sources(range));
    count_of_commands_ += range.end - range.first;
  }
}

Batches::SetRef Batches::known_set(std::span<const Place> places) {
  for (auto at = sets_.begin(); at != sets_.end(); ++at) {
    const Set& set = **at;
    if (!std::equal(places.begin(), places.end(), set.places.begin(), set.places.end())) continue;
    // Other memory may lie where some was that has gone.
    if (!std::all_of(set.batches.begin(), set.batches.end(),
                     [](const backend::BatchRef& batch) { return batch->valid(); })) {
      sets_.erase(at);
      return nullptr;
    }
    std::rotate(sets_.begin(), at, at + 1);
    return sets_.front();
  }
  return nullptr;
}

template <class Places>
static uint64_t hash_of(const Places& places) {
  return hash128(places.data(), places.size_bytes()).low;
}

bool Batches::ran_before(std::span<const Place> places) const {
  return std::find(ran_.begin(), ran_.end(), hash_of(places)) != ran_.end();
}

void Batches::note_ran(std::span<const Place> places) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!ran_before(places)) ran_[next_ran_++ % kRan] = hash_of(places);
}

Batches::SetRef Batches::make_set(const NumberedMemory& memory, std::span<const Place> places,
                                  const Run& run) {
  auto set = std::make_shared<Set>();
  set->places.assign(places.begin(), places.end());
  for (const KeptCommands::Range& range : ranges_) {
    commands_.with_commands(memory, range, [&](auto commands) {
      set->batches.push_back(run.queue.make_batch(commands));
    });
    report_.note_made();
  }
  return set;
}

Batches::SetRef Batches::set_for(const NumberedMemory& memory, std::span<const Place> places,
                                 const Run& run, bool* first) {
  const char* why = nullptr;
  if (off_.load(std::memory_order_relaxed)) {
    why = "it failed";
  } else if (run.queue.out_of_order()) {
    why = "the queue is out of order";
  } else if (run.queue.foreign()) {
    why = "the queue is one of the caller's";
  } else if (run.queue.profiling() || run.queue.observed()) {
    why = "the queue records the times of each launch";
  }
  if (why == nullptr) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (SetRef known = known_set(places)) return known;
    *first = !ran_before(places);
    if (*first) why = "its memory came for the first time";
  }
  if (why != nullptr) {
    report_.note_without(why);
    return nullptr;
  }
  SetRef made;
  try {
    made = make_set(memory, places, run);
  } catch (const Error& error) {
    if (!passes(error)) off_.store(true, std::memory_order_relaxed);
    report_.note_refused(error.what(), !passes(error));
    return nullptr;
  }
  SetRef oldest;  // goes without the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  // Another thread may have come first.
  if (SetRef known = known_set(places)) return known;
  sets_.insert(sets_.begin(), made);
  if (sets_.size() > kSets) {
    oldest = std::move(sets_.back());
    sets_.pop_back();
  }
  return made;
}

bool Batches::enqueue_range(size_t index, const Set& set, const NumberedMemory& memory,
                            const Run& run) {
  const KeptCommands::Range range = ranges_[index];
  const Run own = range.end == commands_.count() ? run : run.without_event();
  SmallArray<Access, 64> accesses(2 * sources_[index].size());
  size_t count = 0;
  for (const KeptCommands::Source& source : sources_[index]) {
    count = add_accesses(accesses.data(), count, memory.objects[source.number], source.read,
                         source.write);
  }
  try {
    own.enqueue({accesses.data(), count},
                [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* event) {
                  stream.run_batch(*set.batches[index], waits, event);
                });
    return true;
  } catch (const Error& error) {
    if (!passes(error)) off_.store(true, std::memory_order_relaxed);
    report_.note_refused(error.what(), !passes(error));
    // The driver may have taken some of the commands. All of them once more give the same, unless
    // they read what they have changed.
    const std::vector<KeptCommands::Source>& sources = sources_[index];
    const bool changes = std::any_of(sources.begin(), sources.end(), [](const auto& source) {
      return source.read && source.write;
    });
    if (changes && !passes(error)) {
      // Not the status of its kind: whoever frees memory and tries again would change it twice.
      throw Error(NETCL_ERROR_LAUNCH_FAILURE,
                  format("%s; what the graph changes may have been changed in part", error.what()),
                  error.native_code());
    }
  }
  // What is wrong with more than the batch fails here too.
  commands_.enqueue(memory, run, range);
  return false;
}

void Batches::enqueue(const NumberedMemory& memory, size_t count, const Run& run) {
  const bool wanted = refusal_.empty() && run.sink == nullptr;
  SmallArray<Place, 64> where(wanted ? count : 0);
  for (size_t i = 0; wanted && i < count; ++i) {
    const MemoryObject* const object = memory.objects[i];
    where[i] = {object != nullptr ? object->buffer.get() : nullptr,
                memory.shift(static_cast<uint32_t>(i))};
  }
  const std::span<const Place> places(where.data(), wanted ? count : 0);
  bool first = false;
  const SetRef set = wanted ? set_for(memory, places, run, &first) : nullptr;
  if (set == nullptr) {
    commands_.enqueue(memory, run);
    // Only now: what the driver refuses of single commands it is not to be given as a batch.
    if (first) note_ran(places);
    return;
  }
  size_t done = 0;
  bool with = true;
  for (size_t i = 0; i < ranges_.size(); ++i) {
    commands_.enqueue(memory, run, {done, ranges_[i].first});
    if (with) {
      with = enqueue_range(i, *set, memory, run);
    } else {
      commands_.enqueue(memory, run, ranges_[i]);
    }
    done = ranges_[i].end;
  }
  commands_.enqueue(memory, run, {done, commands_.count()});
  if (with) report_.note_run();
}

}  // namespace netcl::ops
