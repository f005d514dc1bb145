// Op calls that are kept: what a call enqueued is enqueued again when the same call comes with
// other tensors of the same layouts. Checking a call, choosing its variant and putting its build
// options together takes longer than the enqueue itself, and comes out the same each time.
//
// A call is known by its op, its options, and by dtype, layout and shared memory of its tensors:
// all that checks and choices look at. What it enqueues is noted by enqueue_kernel, result_tensor
// and temporary while a Recording lives; a call that enqueues anything else is never kept.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "kernel/op_kernels.hpp"
#include "ops/frame/arguments.hpp"
#include "ops/frame/run.hpp"

namespace netcl::ops {

class CallKey {
 public:
  static constexpr size_t kTensorsMax = 12;

  explicit CallKey(const char* op) { bytes(op, std::strlen(op) + 1); }
  CallKey(const CallKey&) = delete;
  CallKey& operator=(const CallKey&) = delete;

  void tensor(const Tensor* tensor);
  void tensor(const TensorRef& reference) { tensor(reference.get()); }
  // Members of options. Structs go in whole when they have neither padding nor pointers.
  template <class... Values>
  void values(const Values&... each) {
    static_assert((std::is_trivially_copyable_v<Values> && ...));
    static_assert((!std::is_pointer_v<Values> && ...));
    (bytes(&each, sizeof each), ...);
  }
  // One entry per axis. A longer list, which no op takes, is not read.
  template <class Axis>
  void axes(const Axis* list, uint32_t count) {
    values(count, list == nullptr);
    fits_ = fits_ && count <= kRankMax;
    if (list != nullptr && fits_) bytes(list, count * sizeof(Axis));
  }
  void bytes(const void* data, size_t size) {
    fits_ = fits_ && size <= bytes_.size() - size_;
    if (!fits_) return;
    std::memcpy(bytes_.data() + size_, data, size);
    size_ += size;
  }

  // Adds what changes the answer from outside of the call; false when this call is not to be kept.
  bool complete(const Run& run);

  std::span<const unsigned char> text() const { return {bytes_.data(), size_}; }
  std::span<const Tensor* const> tensors() const { return {tensors_.data(), tensor_count_}; }

 private:
  std::array<unsigned char, 1536> bytes_;
  std::array<const Tensor*, kTensorsMax> tensors_;
  size_t size_ = 0;
  size_t tensor_count_ = 0;
  bool fits_ = true;
};

// What a call enqueued.
class Replay {
 public:
  // Enqueues it for the tensors of a key, and gives the result: `into` or a new tensor.
  TensorRef play(const CallKey& key, const TensorRef& into, const Run& run) const;

 private:
  friend class Recording;
  friend class Replays;
  // Whose memory an argument is: a tensor of the key, then the temporaries, or the result.
  static constexpr uint32_t kResult = UINT32_MAX;
  struct Place {
    uint32_t argument;
    uint32_t source;
    bool write;
  };
  struct Step {
    OpKernels::KernelPointer kernel;
    backend::Launch launch;  // without its arguments
    size_t first_argument;
    size_t argument_count;
    size_t first_place;
    size_t place_count;
  };
  void enqueue(const Step& step, MemoryObject* const* memory, MemoryObject* result,
               const Run& run) const;

  std::vector<unsigned char> key_;
  std::vector<Step> steps_;
  std::vector<backend::KernelArgument> arguments_;
  std::vector<std::vector<unsigned char>> values_;  // what `data` of the arguments points to
  std::vector<Place> places_;
  std::vector<uint64_t> temporaries_;
  netcl_dtype dtype_ = 0;
  Layout layout_;
};
using ReplayRef = std::shared_ptr<const Replay>;

// While it lives, the op that its thread runs is noted. One at a time.
class Recording {
 public:
  explicit Recording(const CallKey& key);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  // The one of this thread; null when nothing is noted.
  static Recording* current() noexcept;
  // Memory made for the call, which lives as long as the recording, so that no other memory of the
  // call comes to lie in its place.
  void made(const BufferRef& buffer) { made_.push_back(buffer); }
  void launched(const OpKernels::KernelPointer& kernel, const backend::Launch& launch,
                const Arguments& arguments);
  // Null when the call cannot be kept.
  ReplayRef finish(const TensorRef& result, const TensorRef& into);

 private:
  uint32_t source_of(const MemoryObject* memory);

  const CallKey& key_;
  const uint64_t commands_before_;
  bool sound_ = true;
  std::vector<BufferRef> made_;
  std::shared_ptr<Replay> replay_;
};

// Tells the recording of this thread about memory made for a call.
inline void note_made(const BufferRef& buffer) {
  if (Recording* recording = Recording::current()) recording->made(buffer);
}

// The calls that are kept for a device, for as long as its kernels.
class Replays final : public OpKernels::Companion {
 public:
  static Replays& of(Device& device);

  struct Found {
    ReplayRef replay;
    bool record = false;  // it came before, and it is not known that it cannot be kept
  };
  Found find(const CallKey& key);
  // A null replay says that calls with this key cannot be kept.
  void keep(const CallKey& key, const ReplayRef& replay);
  void clear() override;

 private:
  static constexpr size_t kMost = 2048;
  std::mutex mutex_;
  std::unordered_map<uint64_t, ReplayRef> kept_;
  // Hashes of calls that came once: one that never comes again is not worth keeping.
  std::array<uint64_t, 1024> seen_{};
};

// Runs op(into, run), or what it enqueued the last time. `key` has all of the call but run->into.
template <class Op>
TensorRef replayed(CallKey& key, const TensorRef& into, const Run& run, const Op& op) {
  key.tensor(into);
  if (!key.complete(run)) return op(into, run);
  Replays& replays = Replays::of(run.device());
  const Replays::Found found = replays.find(key);
  if (found.replay != nullptr) return found.replay->play(key, into, run);
  if (!found.record) return op(into, run);
  Recording recording(key);
  TensorRef made = op(into, run);
  replays.keep(key, recording.finish(made, into));
  return made;
}

}  // namespace netcl::ops
