// Op calls that are kept: what a call enqueued is enqueued again when the same call comes with
// other tensors of the same layouts. Checking a call, choosing its variant and putting its build
// options together takes longer than the enqueue itself, and comes out the same each time.
//
// A call is known by its CallKey. A Recording is the sink of the call whose commands are noted; a
// call that enqueues what cannot be kept is never kept.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "core/lru.hpp"
#include "core/small_array.hpp"
#include "kernel/op_kernels.hpp"
#include "ops/frame/call_key.hpp"
#include "ops/frame/kept_commands.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// The results of a call; null where a result is not wanted or not made yet.
using Results = std::span<TensorRef* const>;

// What a call enqueued. Its memory is that of the tensors of the key, then the temporaries, then
// the results that are made.
class Replay {
 public:
  // Enqueues it for the tensors of a key. `results` are what the call was given to write to; the
  // others are made.
  void play(const CallKey& key, Results results, const Run& run) const;

 private:
  friend class Recording;
  friend class Replays;
  // A result that the call makes; without dtype it was given, or is not wanted.
  struct Made {
    netcl_dtype dtype = 0;
    Layout layout;
  };

  std::vector<unsigned char> key_;
  KeptCommands commands_;
  std::vector<uint64_t> temporaries_;
  std::vector<Made> made_;
};
using ReplayRef = std::shared_ptr<const Replay>;

// Notes the one call whose sink it is.
class Recording final : public Sink {
 public:
  explicit Recording(const CallKey& key);

  BufferRef allocate(uint64_t bytes, const Run& run) override;
  BufferRef constant(const void* data, uint64_t bytes, const Run& run) override;
  void enqueue(const Queue::Command& command, Queue::Submit submit, const Run& run) override;
  // Null when the call cannot be kept. `given` are the tensors that results went to.
  ReplayRef finish(Results results, Results given);

 private:
  bool take_results(Results results, Results given, std::vector<uint32_t>* places);
  uint32_t source_of(const MemoryObject* memory);

  const CallKey& key_;
  const uint64_t commands_before_;
  // Memory made for the call lives as long as this, so that no other memory of the call comes to
  // lie in its place.
  std::vector<BufferRef> made_;
  std::shared_ptr<Replay> replay_;
};

// The calls that are kept for a device, for as long as its kernels.
class Replays final : public OpKernels::Companion {
 public:
  static Replays& of(Device& device);
  // False where no call is kept.
  static bool wanted(const Run& run);

  struct Found {
    ReplayRef replay;
    bool record = false;  // it came before, and it is not known that it cannot be kept
  };
  Found find(const CallKey& key);
  // A null replay says that calls with this key cannot be kept.
  void keep(const CallKey& key, const ReplayRef& replay);
  void clear() override;

 private:
  std::mutex mutex_;
  LruCache<uint64_t, ReplayRef, std::hash<uint64_t>> kept_{2048};
  // Hashes of calls that came once: one that never comes again is not worth keeping.
  std::array<uint64_t, 1024> seen_{};
};

// What an op gives that only writes to tensors among its arguments.
struct Nothing {};

// What an op gives whose arguments say how many results there are.
using ResultList = std::vector<TensorRef>;

// The tensors of what an op gives: one, a struct or a list of them.
template <class Given>
auto results_of(Given& given) {
  if constexpr (std::is_same_v<Given, TensorRef>) {
    return std::array{&given};
  } else if constexpr (std::is_same_v<Given, ResultList>) {
    std::vector<TensorRef*> list;
    list.reserve(given.size());
    for (TensorRef& result : given) list.push_back(&result);
    return list;
  } else {
    std::array<TensorRef*, kMemberCount<Given>> list;
    size_t count = 0;
    for_each_member(given, [&](TensorRef& member) { list[count++] = &member; });
    return list;
  }
}

// The one way into an op: calls op(arguments..., into, run), or enqueues what that call enqueued
// the last time. `into` has the tensors that results go to, in the type that the op gives its
// results in: one TensorRef, or a struct or a list of them.
template <class Op, class Into, class... Arguments>
Into call(const char* name, const Op& op, const Into& into, const Run& run,
          const Arguments&... arguments) {
  if (!Replays::wanted(run)) return op(arguments..., into, run);
  CallKey key(name);
  (key.add(arguments), ...);
  key.add(into);
  if (!key.complete(run)) return op(arguments..., into, run);
  Replays& replays = Replays::of(run.device());
  const Replays::Found found = replays.find(key);
  if (found.replay == nullptr && !found.record) return op(arguments..., into, run);
  Into given = into;
  if (found.replay != nullptr) {
    found.replay->play(key, results_of(given), run);
    return given;
  }
  Recording recording(key);
  Run noted = run;
  noted.sink = &recording;
  Into made = op(arguments..., into, noted);
  replays.keep(key, recording.finish(results_of(made), results_of(given)));
  return made;
}

}  // namespace netcl::ops
