#include "queue/ordering.hpp"

#include <algorithm>
#include <utility>

namespace netcl {

namespace {

// Complete or failed: nothing is left to wait for. Remembers the first failure of the queue.
bool finished(const backend::EventRef& event, Ordering::Track& track) {
  const netcl_event_state state = event->state();
  if (state == NETCL_EVENT_FAILED && track.first_failure == 0) {
    track.first_failure = event->failure();
  }
  return state == NETCL_EVENT_COMPLETE || state == NETCL_EVENT_FAILED;
}

}  // namespace

Ordering::Track& Ordering::add_queue(bool out_of_order) {
  auto track = std::make_unique<Track>();
  track->queue = next_queue_++;
  track->out_of_order = out_of_order;
  ++live_queues_;
  if (out_of_order) ++out_of_order_queues_;
  Track& added = *track;
  tracks_.emplace(added.queue, std::move(track));
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
      done = settled(old) || fenced;
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
  while (track.events.size() > limit && finished(track.events.front().second, track)) {
    if (!track.out_of_order) track.completed = track.events.front().first;
    track.events.pop_front();
  }
}

bool Ordering::settled(Track& track) {
  prune(track, 0);
  if (!track.events.empty()) return false;
  return track.out_of_order || track.completed >= track.last_sequence;
}

backend::EventRef Ordering::event_of(const Use& use, Track** unmarked) {
  *unmarked = nullptr;
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
    if (!finished(it->second, *track)) return it->second;
    if (!track->out_of_order) track->completed = std::max(track->completed, it->first);
    return nullptr;
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
  const auto add = [&](const Use& use) {
    if (use.queue == 0 || (use.queue == track.queue && !track.out_of_order)) return;
    Track* unmarked = nullptr;
    backend::EventRef event = event_of(use, &unmarked);
    if (event != nullptr && std::find(waits->begin(), waits->end(), event) == waits->end()) {
      waits->push_back(std::move(event));
    }
  };
  for (const Access& access : accesses) {
    add(access.memory->uses->last_write);
    if (!access.write) continue;
    for (const Use& read : access.memory->uses->reads) add(read);
  }
}

void Ordering::prepare(Track& track, std::span<const Access> accesses, bool keep_event) {
  for (const Access& access : accesses) {
    std::vector<Use>& reads = access.memory->uses->reads;
    if (access.write) continue;
    // Many readers without a writer in between: those that are done need no entry.
    if (reads.size() >= 64) {
      std::erase_if(reads, [this](const Use& read) {
        Track* unmarked = nullptr;
        return event_of(read, &unmarked) == nullptr && unmarked == nullptr;
      });
    }
    reads.reserve(reads.size() + accesses.size());
  }
  // Last: until record() fills it in, nothing may look at this entry.
  if (keep_event) {
    prune(track, 16);
    track.events.emplace_back(track.last_sequence + 1, nullptr);
  }
}

void Ordering::abandon(Track& track, bool keep_event) noexcept {
  if (keep_event) track.events.pop_back();
}

void Ordering::record(Track& track, std::span<const Access> accesses,
                      const backend::EventRef& event, bool keep_event) noexcept {
  const Use use{track.queue, ++track.last_sequence};
  if (keep_event) track.events.back().second = event;
  for (const Access& access : accesses) {
    UseRecord& uses = *access.memory->uses;
    if (access.write) {
      uses.last_write = use;
      uses.reads.clear();
      continue;
    }
    // On an in-order queue the newest read stands for the older ones.
    Use* same = nullptr;
    for (Use& read : uses.reads) {
      if (read.queue == use.queue && !track.out_of_order) same = &read;
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
  const auto add = [&](const Use& use) {
    Track* unmarked = nullptr;
    if (backend::EventRef event = event_of(use, &unmarked)) {
      found.events.push_back(std::move(event));
    } else if (unmarked != nullptr && std::find(found.unmarked.begin(), found.unmarked.end(),
                                                unmarked) == found.unmarked.end()) {
      found.unmarked.push_back(unmarked);
    }
  };
  add(memory.uses->last_write);
  if (!writes_only) {
    for (const Use& read : memory.uses->reads) add(read);
  }
  return found;
}

}  // namespace netcl
