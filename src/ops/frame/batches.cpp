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
  Facts facts{made_.load(std::memory_order_relaxed),
              runs_.load(std::memory_order_relaxed),
              without_.load(std::memory_order_relaxed),
              {}};
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

Batches::Batches(const KeptCommands& commands, Device& device, BatchReport& report,
                 std::vector<size_t> cuts)
    : commands_(commands),
      report_(report),
      cuts_(std::move(cuts)),
      refusal_(device.backend().batch_refusal()) {
  if (!refusal_.empty()) return;
  cut_ranges(commands.batch_ranges(device.backend().batch_fill_end()));
  if (ranges_.empty()) refusal_ = "no two launches of kernels follow each other";
  for (const KeptCommands::Range& range : ranges_) {
    sources_.push_back(commands.sources(range));
    count_of_commands_ += range.end - range.first;
  }
}

void Batches::cut_ranges(const std::vector<KeptCommands::Range>& whole) {
  for (const KeptCommands::Range& range : whole) {
    size_t first = range.first;
    const auto end_at = [&](size_t end) {
      if (end - first > 1) ranges_.push_back({first, end});
      first = end;
    };
    for (const size_t cut : cuts_) {
      if (cut > first && cut < range.end) end_at(cut);
    }
    end_at(range.end);
  }
}

void Batches::enqueue_single(const NumberedMemory& memory, const Run& run,
                             KeptCommands::Range range, Passed passed) const {
  for (const size_t cut : cuts_) {
    if (cut <= range.first || cut >= range.end) continue;
    commands_.enqueue(memory, run, {range.first, cut});
    passed(cut);
    range.first = cut;
  }
  commands_.enqueue(memory, run, range);
  passed(range.end);
}

Batches::SetRef Batches::known_set(std::string_view places) {
  SetRef* const known = sets_.find(places);
  if (known == nullptr || *known == nullptr) return nullptr;
  // Other memory may lie where some was that has gone.
  const bool valid = std::all_of((*known)->begin(), (*known)->end(),
                                 [](const backend::BatchRef& batch) { return batch->valid(); });
  if (!valid) known->reset();
  return *known;
}

bool Batches::ran_before(std::string_view places) const noexcept {
  return std::find(ran_.begin(), ran_.end(), hash128(places).low) != ran_.end();
}

void Batches::note_ran(std::string_view places) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!ran_before(places)) ran_[next_ran_++ % kRan] = hash128(places).low;
}

Batches::SetRef Batches::make_set(const NumberedMemory& memory, const Run& run) {
  auto set = std::make_shared<Set>();
  for (const KeptCommands::Range& range : ranges_) {
    commands_.with_commands(memory, range,
                            [&](auto commands) { set->push_back(run.queue.make_batch(commands)); });
    report_.note_made();
  }
  return set;
}

Batches::SetRef Batches::set_for(const NumberedMemory& memory, std::string_view places,
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
    made = make_set(memory, run);
  } catch (const Error& error) {
    if (!passes(error)) off_.store(true, std::memory_order_relaxed);
    report_.note_refused(error.what(), !passes(error));
    return nullptr;
  }
  SetRef oldest;  // goes without the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  // Another thread may have come first.
  if (SetRef known = known_set(places)) return known;
  if (sets_.size() == kSets && sets_.find(places) == nullptr) oldest = sets_.take_oldest();
  sets_.insert(std::string(places), nullptr) = made;
  return made;
}

bool Batches::enqueue_range(size_t index, const Set& set, const NumberedMemory& memory,
                            const Run& run) {
  const KeptCommands::Range range = ranges_[index];
  const Run own = range.end == commands_.count() ? run : run.without_event();
  SmallArray<Access, 64> accesses(2 * sources_[index].size());
  size_t count = 0;
  for (const KeptCommands::Source& source : sources_[index]) {
    count = add_accesses(accesses.data(), count, memory.objects[source.number], source.use,
                         memory.shift(source.number));
  }
  try {
    own.enqueue({accesses.data(), count},
                [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* event) {
                  stream.run_batch(*set[index], waits, event);
                });
    return true;
  } catch (const Error& error) {
    if (!passes(error)) off_.store(true, std::memory_order_relaxed);
    report_.note_refused(error.what(), !passes(error));
    // The driver may have taken some of the commands. All of them once more give the same, unless
    // they read what they have changed.
    const std::vector<KeptCommands::Source>& sources = sources_[index];
    const bool changes = std::any_of(sources.begin(), sources.end(), [](const auto& source) {
      return source.use.read && source.use.write;
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

void Batches::enqueue(const NumberedMemory& memory, size_t count, const Run& run, Passed passed) {
  const bool wanted = refusal_.empty() && run.sink == nullptr;
  SmallArray<Place, 64> where(wanted ? count : 0);
  for (size_t i = 0; wanted && i < count; ++i) {
    const MemoryObject* const object = memory.objects[i];
    where[i] = {object != nullptr ? object->buffer.get() : nullptr,
                memory.shift(static_cast<uint32_t>(i))};
  }
  const std::string_view places(reinterpret_cast<const char*>(where.data()),
                                wanted ? count * sizeof(Place) : 0);
  bool first = false;
  const SetRef set = wanted ? set_for(memory, places, run, &first) : nullptr;
  if (set == nullptr) {
    enqueue_single(memory, run, {0, commands_.count()}, passed);
    // Only now: what the driver refuses of single commands it is not to be given as a batch.
    if (first) note_ran(places);
    return;
  }
  size_t done = 0;
  bool with = true;
  for (size_t i = 0; i < ranges_.size(); ++i) {
    enqueue_single(memory, run, {done, ranges_[i].first}, passed);
    if (with) {
      with = enqueue_range(i, *set, memory, run);
    } else {
      commands_.enqueue(memory, run, ranges_[i]);
    }
    done = ranges_[i].end;
    passed(done);
  }
  enqueue_single(memory, run, {done, commands_.count()}, passed);
  if (with) report_.note_run();
}

}  // namespace netcl::ops
