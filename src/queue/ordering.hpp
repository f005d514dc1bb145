// Keeps the commands of one device in order wherever their memory conflicts.
//
// While a device has one in-order queue nothing is kept but the events that somebody asked for: the
// queue itself is the order, and a marker answers the rare question whether a command is done. From
// the second queue on, or on an out-of-order queue, each command keeps its own event until it is
// complete, and a command waits for exactly the commands it conflicts with.
//
// Every member is called with the device's enqueue mutex held.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "queue/memory_object.hpp"

namespace netcl {

class Ordering {
 public:
  // The commands of one queue that may still run.
  struct Track {
    uint32_t queue = 0;
    bool out_of_order = false;
    bool retired = false;  // the queue is gone; the track lives until all is done
    uint64_t last_sequence = 0;
    uint64_t completed = 0;       // everything up to here is known to be complete
    uint64_t fence_sequence = 0;  // fence completes with everything up to here
    backend::EventRef fence;
    std::deque<std::pair<uint64_t, backend::EventRef>> events;
    int32_t first_failure = 0;  // code of the first command seen to have failed
    // Of the last command in order that may fail through what it waits for: drivers give up what
    // stands behind it as well.
    backend::EventRef risk;
  };

  Track& add_queue(bool out_of_order);
  // True when every command of the track is known to be complete.
  static bool settled(Track& track);
  // `fence` completes with the queue's last command.
  void retire_queue(Track& track, backend::EventRef fence);
  // Remembers an event that stands for everything enqueued on the track so far.
  static void set_fence(Track& track, backend::EventRef fence);

  // True when commands must keep their own events. A queue that is gone counts until its last
  // command is complete.
  bool keeps_events() const noexcept { return tracks_.size() > 1 || out_of_order_queues_ > 0; }
  // Forgets queues that are gone and whose commands are all complete.
  void drop_finished_tracks();

  // Appends the events that a command on `track` with these accesses has to wait for.
  void collect_conflicts(const Track& track, std::span<const Access> accesses,
                         std::vector<backend::EventRef>* waits);
  // A command is entered in two steps around its enqueueing: prepare() does everything that may
  // fail, record() cannot. A command that the driver refused is given up with abandon().
  struct Entry {
    Track& track;
    std::span<const Access> accesses;
    bool keep_event;
    bool waits;  // for events, and so it may fail before earlier commands are complete
    backend::FailureRef failure;
    uint64_t op;  // that it is a part of, but not the last; else 0
  };
  // True when the next command of the track may fail with one in front of it.
  static bool at_risk(Track& track);
  // True when a command of the track may run that neither an event nor a kept marker stands for.
  static bool needs_marker(const Track& track) noexcept;
  static void keep_marker(Track& track, backend::EventRef marker);
  void prepare(const Entry& entry);
  static void record(const Entry& entry, const backend::EventRef& event) noexcept;
  static void abandon(const Entry& entry) noexcept;
  // The code of the first command seen to have failed since the last call, 0 when none.
  int32_t take_failure() noexcept;

  // The uses of a memory object that are not known to be complete.
  struct Pending {
    std::vector<backend::EventRef> events;
    std::vector<Track*> unmarked;  // tracks whose commands need a marker to be waited for
    // What tells whether the last write fails: its own event, or the marker of its track.
    backend::EventRef write;
    const Track* write_track = nullptr;
  };
  Pending pending(const MemoryObject& memory, bool writes_only);
  // Adds to a command's failure, which is made where there is none, what it may fail through: what
  // it reads, what the caller has it wait for, and what its op has written to the same memory
  // before. `waits` are all that it waits for.
  static void add_causes(std::span<const Access> accesses, backend::WaitList of_caller,
                         backend::WaitList waits, uint64_t op, backend::FailureRef* failure);
  // A command failed as it was enqueued.
  static void note_failure(Track& track, int32_t code) noexcept {
    if (track.first_failure == 0) track.first_failure = code;
  }

  std::map<uint32_t, std::unique_ptr<Track>>& tracks() noexcept { return tracks_; }

 private:
  Track* find(uint32_t queue);
  // The event that completes with (or after) a use. Null when the use is complete; *unmarked is set
  // instead when no event was kept for it.
  // *own tells whether the event is that of the use itself.
  backend::EventRef event_of(const Use& use, Track** unmarked, bool* own = nullptr);
  static void prune(Track& track, size_t limit);
  // Makes room for `more` uses, by forgetting those that are over or by growing to twice the size:
  // asking after each costs too much to do it every time.
  void make_room(std::vector<Use>* uses, size_t more);
  // What came before the last write, when that has failed and so says nothing about it.
  static std::span<const Use> before_failed_write(UseRecord& uses);

  std::map<uint32_t, std::unique_ptr<Track>> tracks_;
  uint32_t next_queue_ = 1;
  int32_t first_failure_ = 0;  // of queues that are gone
  size_t live_queues_ = 0;
  int out_of_order_queues_ = 0;
};

}  // namespace netcl
