// Gradients on their way to another rank while the rest is computed. Each is copied into a room of
// its rank in the queue that works it out. There a copy engine, which takes no turns with kernels,
// fetches it for the other rank, whose own queue joins the two.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "group/rank_group.hpp"
#include "share/cuda_stream.hpp"

namespace netcl::group {

class GradientRooms {
 public:
  // For two ranks that read each other's memory: of more each would fetch all that any other has,
  // where by parts it gets less.
  static bool suit(const Group& group) noexcept;
  explicit GradientRooms(const Group& group);

  // What lies in this rank's room when the event has come.
  struct Kept {
    TensorRef gradient;
    QueueRef queue;
    uint64_t offset;
    backend::EventRef event;
  };

  // Before the gradients of a run.
  void begin() noexcept { asked_ = 0; }
  // Nothing where there is no more room, as on all ranks, and for what comes behind that in the
  // run.
  std::optional<Kept> keep(const TensorRef& gradient, Queue& queue);
  // Joins what both ranks have kept, in the place of the gradients. Events of the commands are
  // added to those that there are.
  void join(std::span<const Kept> gradients, netcl_reduction kind,
            std::vector<backend::EventRef>* events);
  // Behind a run, by both ranks: tries to have room for what there was to keep in it.
  void grow(Exchange& call);

 private:
  void fetch(std::span<const Kept> gradients);
  void give_up_for_now(const char* why) noexcept;
  TensorRef place(const BufferRef& room, const Kept& kept) const;

  const DeviceRef device_;
  const uint32_t me_;
  PeerRooms rooms_;
  uint64_t capacity_ = 0;  // of a room
  uint64_t asked_ = 0;     // for the gradients of a run
  uint32_t patience_ = 0;  // runs before they try again to grow
  TensorRef arrived_;      // what CUDA has fetched; null where kernels read the other's room
  const bool fetches_;
  std::unique_ptr<share::CudaStream> stream_;  // where it fetches
};

}  // namespace netcl::group
