#include "queue/ordering.hpp"

#include <algorithm>
#include <utility>

namespace netcl {

namespace {

enum class End : uint8_t { none, complete, failed };

// Remembers the first failure of the queue.
End end_of(const backend::EventRef& event, Ordering::Track& track) {
  const netcl_event_state state = event->state();
  if (state == NETCL_EVENT_COMPLETE) return End::complete;
  if (state != NETCL_EVENT_FAILED) return End::none;
  if (track.first_failure == 0) track.first_failure = event->failure();
  return End::failed;
}

// Complete or failed: nothing is left to wait for.
bool finished(const backend::EventRef& event, Ordering::Track& track) {
  return end_of(event, track) != End::none;
}

}  // namespace

Ordering::Track& Ordering::add_queue(bool out_of_order) {
  auto track = std::make_unique<Track>();
  track->queue = next_queue_++;
  track->out_of_order = out_of_order;
  Track& added = *track;
  tracks_.emplace(added.queue, std::move(track));
  ++live_queues_;
  if (out_of_order) ++out_of_order_queues_;
  return added;
}

void Ordering::set_fence(Track& track, backend::EventRef fence) {
  track.fence = std::move(fence);
  track.fence_sequence = track.last_sequence;
}

void Ordering::retire_queue(Track& track, backend::EventRef fence) {
  --live_queues_;
  if (track.out_of_order) --out_of_order_queues_;
  track.retired = true;
  if (fence != nullptr) set_fence(track, std::move(fence));
  drop_finished_tracks();
}

void Ordering::drop_finished_tracks() {
  if (tracks_.size() == live_queues_) return;
  for (auto it = tracks_.begin(); it != tracks_.end();) {
    Track& old = *it->second;
    bool done = old.retired;
    if (done) {
      const bool fenced = old.fence != nullptr && old.fence_sequence >= old.last_sequence &&
                          finished(old.fence, old);
      done = settled(old) || (fenced && old.events.empty());
    }
    if (done && first_failure_ == 0) first_failure_ = old.first_failure;
    it = done ? tracks_.erase(it) : std::next(it);
  }
}

Ordering::Track* Ordering::find(uint32_t queue) {
  const auto it = tracks_.find(queue);
  return it == tracks_.end() ? nullptr : it->second.get();
}

void Ordering::prune(Track& track, size_t limit) {
  while (track.events.size() > limit) {
    const End end = end_of(track.events.front().second, track);
    if (end == End::none) return;
    // A command that failed may have ended before those in front of it.
    if (!track.out_of_order && end == End::complete) {
      track.completed = std::max(track.completed, track.events.front().first);
    }
    track.events.pop_front();
  }
}

bool Ordering::settled(Track& track) {
  prune(track, 0);
  if (!track.events.empty()) return false;
  return track.out_of_order || track.completed >= track.last_sequence;
}

backend::EventRef Ordering::event_of(const Use& use, Track** unmarked, bool* own) {
  *unmarked = nullptr;
  if (own != nullptr) *own = false;
  Track* track = use.queue == 0 ? nullptr : find(use.queue);
  if (track == nullptr || use.sequence <= track->completed) return nullptr;
  const auto it =
      std::lower_bound(track->events.begin(), track->events.end(), use.sequence,
                       [](const auto& kept, uint64_t sequence) { return kept.first < sequence; });
  // On an in-order queue a later command's event answers for this one too, but what stands between
  // may wait for anything, so a fence that comes before it is the better answer.
  const bool fenced = track->fence != nullptr && use.sequence <= track->fence_sequence;
  const bool kept = it != track->events.end() &&
                    (it->first == use.sequence ||
                     (!track->out_of_order && !(fenced && track->fence_sequence < it->first)));
  if (kept) {
    const End end = end_of(it->second, *track);
    if (end == End::none) {
      if (own != nullptr) *own = it->first == use.sequence;
      return it->second;
    }
    if (!track->out_of_order && end == End::complete) {
      track->completed = std::max(track->completed, it->first);
    }
    // A later command's failure tells nothing about this one.
    if (end == End::complete || it->first == use.sequence) return nullptr;
  }
  if (fenced) {
    if (!finished(track->fence, *track)) return track->fence;
    track->completed = std::max(track->completed, track->fence_sequence);
    track->fence = nullptr;
    return nullptr;
  }
  // Kept events are dropped only when complete; without one the command was never given any.
  if (track->out_of_order) return nullptr;
  *unmarked = track;
  return nullptr;
}

void Ordering::collect_conflicts(const Track& track, std::span<const Access> accesses,
                                 std::vector<backend::EventRef>* waits) {
  const auto add = [&](const Use& use, bool behind_a_failure = false) {
    if (use.queue == 0) return;
    if (use.queue == track.queue && !track.out_of_order && !behind_a_failure) return;
    Track* unmarked = nullptr;
    backend::EventRef event = event_of(use, &unmarked);
    if (event != nullptr && std::find(waits->begin(), waits->end(), event) == waits->end()) {
      waits->push_back(std::move(event));
    }
  };
  for (const Access& access : accesses) {
    add(access.memory->uses->last_write);
    // Drivers order a command behind the one in front of it, also when that has failed and was not
    // ordered itself, so the queue's own order is not enough here.
    for (const Use& use : before_failed_write(*access.memory->uses)) add(use, true);
    if (!access.write) continue;
    for (const Use& read : access.memory->uses->reads) add(read);
  }
}

// The last write has an event and went well: nothing of it matters any more.
static void forget_good_write(UseRecord& uses) {
  if (uses.last_write_event == nullptr || !uses.last_write_event->ended() ||
      uses.last_write_event->failure() != 0) {
    return;
  }
  uses.last_write_event = nullptr;
  uses.last_write_failure = nullptr;
  uses.before.clear();
}

std::span<const Use> Ordering::before_failed_write(UseRecord& uses) {
  if (uses.before.empty() || uses.last_write_event == nullptr) return {};
  if (uses.last_write_event->failure() != 0) return uses.before;
  forget_good_write(uses);
  return {};
}

void Ordering::add_causes(std::span<const Access> accesses, backend::WaitList of_caller,
                          backend::WaitList waits, uint64_t op, backend::FailureRef* failure) {
  const bool of_function = *failure != nullptr;
  const auto target = [&]() -> backend::Failure* {
    if (*failure == nullptr) *failure = std::make_shared<backend::Failure>(false);
    return failure->get();
  };
  for (const backend::EventRef& event : of_caller) target()->follow(event);
  for (const backend::EventRef& event : waits) target()->wait_for(event);
  for (const Access& access : accesses) {
    UseRecord& uses = *access.memory->uses;
    const bool of_op = op != 0 && uses.written_by == op;
    if ((access.write && !of_op) || uses.inherited) continue;
    forget_good_write(uses);
    if (uses.last_write_event != nullptr) {
      target()->follow(uses.last_write_event);
    } else if (uses.last_write_failure != nullptr) {
      target()->follow(uses.last_write_failure);
    }
  }
  if (!of_function && *failure != nullptr && (*failure)->empty()) *failure = nullptr;
}

void Ordering::make_room(std::vector<Use>* uses, size_t more) {
  const size_t capacity = uses->capacity();
  if (capacity - uses->size() >= more) return;
  if (uses->size() >= 64) {
    std::erase_if(*uses, [this](const Use& use) {
      Track* unmarked = nullptr;
      return event_of(use, &unmarked) == nullptr && unmarked == nullptr;
    });
  }
  if (uses->size() + more > capacity / 2) {
    uses->reserve(std::max({uses->size() + more, 2 * capacity, size_t{4}}));
  }
}

bool Ordering::at_risk(Track& track) {
  if (track.risk == nullptr) return false;
  const netcl_event_state state = track.risk->state();
  if (state == NETCL_EVENT_COMPLETE) track.risk = nullptr;
  return state != NETCL_EVENT_COMPLETE;
}

bool Ordering::needs_marker(const Track& track) noexcept {
  const uint64_t known = track.events.empty() ? 0 : track.events.back().first;
  return std::max(known, track.completed) < track.last_sequence;
}

void Ordering::keep_marker(Track& track, backend::EventRef marker) {
  track.events.emplace_back(track.last_sequence, std::move(marker));
}

void Ordering::prepare(const Entry& entry) {
  for (const Access& access : entry.accesses) {
    UseRecord& uses = *access.memory->uses;
    const size_t more = entry.accesses.size();
    if (!access.write) {
      make_room(&uses.reads, more);
    } else if (entry.waits) {
      make_room(&uses.before, uses.reads.size() + 2 * more);
    }
  }
  // Last: until record() fills it in, nothing may look at this entry.
  if (entry.keep_event) {
    prune(entry.track, 16);
    entry.track.events.emplace_back(entry.track.last_sequence + 1, nullptr);
  }
}

void Ordering::abandon(const Entry& entry) noexcept {
  if (entry.keep_event) entry.track.events.pop_back();
}

static void record_write(UseRecord& uses, const Use& use, const backend::EventRef& event,
                         const Ordering::Entry& entry) noexcept {
  if (entry.waits) {  // prepare() made room
    uses.before.insert(uses.before.end(), uses.reads.begin(), uses.reads.end());
    if (uses.last_write.queue != 0) uses.before.push_back(uses.last_write);
  } else {
    uses.before.clear();
  }
  uses.last_write_event = event;
  uses.last_write_failure = entry.failure;
  uses.written_by = entry.op;
  uses.last_write = use;
  uses.reads.clear();
  uses.inherited = false;
  uses.writes.fetch_add(1, std::memory_order_relaxed);
}

void Ordering::record(const Entry& entry, const backend::EventRef& event) noexcept {
  Track& track = entry.track;
  const Use use{track.queue, ++track.last_sequence};
  if (entry.keep_event) track.events.back().second = event;
  if (entry.waits && !track.out_of_order) track.risk = event;
  for (const Access& access : entry.accesses) {
    UseRecord& uses = *access.memory->uses;
    if (access.write) {
      record_write(uses, use, event, entry);
      continue;
    }
    // On an in-order queue the newest read stands for the older ones, unless it may end early.
    Use* same = nullptr;
    for (Use& read : uses.reads) {
      if (read.queue == use.queue && !track.out_of_order && !entry.waits) same = &read;
    }
    if (same != nullptr) {
      *same = use;
    } else {
      uses.reads.push_back(use);  // prepare() made room
    }
  }
}

int32_t Ordering::take_failure() noexcept {
  int32_t code = std::exchange(first_failure_, 0);
  for (auto& [number, track] : tracks_) {
    const int32_t own = std::exchange(track->first_failure, 0);
    if (code == 0) code = own;
  }
  return code;
}

Ordering::Pending Ordering::pending(const MemoryObject& memory, bool writes_only) {
  Pending found;
  const auto add = [&](const Use& use, bool write = false) {
    Track* unmarked = nullptr;
    bool own = false;
    if (backend::EventRef event = event_of(use, &unmarked, &own)) {
      if (write && own) found.write = event;
      found.events.push_back(std::move(event));
    } else if (unmarked != nullptr && std::find(found.unmarked.begin(), found.unmarked.end(),
                                                unmarked) == found.unmarked.end()) {
      found.unmarked.push_back(unmarked);
    }
    if (write) found.write_track = unmarked;
  };
  add(memory.uses->last_write, true);
  for (const Use& use : before_failed_write(*memory.uses)) add(use);
  if (!writes_only) {
    for (const Use& read : memory.uses->reads) add(read);
  }
  return found;
}

}  // namespace netcl
