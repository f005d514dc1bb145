// A communicator of NCCL, by which the ranks of a group move what lies on GPUs.
#pragma once

#include <memory>
#include <span>

#include "core/function_ref.hpp"
#include "group/group_members.hpp"
#include "group/nccl_api.hpp"
#include "share/cuda_stream.hpp"

namespace netcl::group {

// So many tensors a call of run() uses at most.
inline constexpr size_t kNcclUsedMost = 4;

class NcclComm {
 public:
  // All ranks begin to make theirs at one time, with an id that one of them got from NCCL.
  NcclComm(Members& members, share::CudaDeviceRef cuda, const NcclId& id);
  ~NcclComm();
  NcclComm(const NcclComm&) = delete;
  NcclComm& operator=(const NcclComm&) = delete;

  // Waits until all have theirs, for half of the time that a rank waits for another: behind it the
  // ranks meet. A rank that is gone, or has none, ends the wait.
  void finish();
  // The same for those of one thread. `at` is the one that a failure is of.
  static void finish_all(std::span<NcclComm* const> comms, size_t* at);
  static NcclId new_id();

  share::CudaStream& stream() noexcept;
  void* get() const noexcept { return comm_; }
  // Calls enqueue(), which begins calls of NCCL between these ranks, and waits until they and all
  // else on the stream are done. Where that fails they are ended, and the communicator with them.
  // What is on the stream uses the memory of these tensors (null ones are passed over): it stays
  // until the process ends where the GPU does not get to an end.
  void run(std::span<const uint32_t> ranks, std::span<const TensorRef> used,
           FunctionRef<void()> enqueue);
  // Fails with what NCCL says of a call.
  static void check(int code, const char* call);

 private:
  struct Remains;
  // Whether it is there.
  bool ready();
  void look_for(std::span<const uint32_t> ranks);
  void wait_for(std::span<NcclComm* const> comms, std::span<const uint32_t> ranks, size_t* at);
  // `late` throws when the time is over.
  void wait_until(std::span<const uint32_t> ranks, uint64_t timeout_ns, FunctionRef<bool()> done,
                  FunctionRef<void()> late);
  bool settled(const char* call);
  void abort() noexcept;
  bool drained() noexcept;

  Members& members_;
  std::unique_ptr<Remains> remains_;  // the stream, and what outlives this where that must
  void* comm_ = nullptr;
};

}  // namespace netcl::group
