// A communicator of NCCL, by which the ranks of a group move what lies on GPUs.
#pragma once

#include <memory>
#include <span>

#include "core/function_ref.hpp"
#include "group/group_members.hpp"
#include "group/nccl_api.hpp"
#include "share/cuda_stream.hpp"

namespace netcl::group {

class NcclComm {
 public:
  // All ranks begin to make theirs at one time, with an id that one of them got from NCCL.
  NcclComm(Members& members, share::CudaDeviceRef cuda, const NcclId& id);
  ~NcclComm();
  NcclComm(const NcclComm&) = delete;
  NcclComm& operator=(const NcclComm&) = delete;

  // Waits until all have theirs. A rank that does not come ends the wait.
  void finish();
  static NcclId new_id();

  share::CudaStream& stream() noexcept { return stream_; }
  void* get() const noexcept { return comm_; }
  // Calls enqueue(), which begins calls of NCCL between these ranks, and waits until they and all
  // else on the stream are done. Where that fails they are ended, and the communicator with them.
  void run(std::span<const uint32_t> ranks, FunctionRef<void()> enqueue);
  // Fails with what NCCL says of a call.
  static void check(int code, const char* call);

 private:
  void look_for(std::span<const uint32_t> ranks);
  void wait_until(std::span<const uint32_t> ranks, FunctionRef<bool()> done);
  bool settled(const char* call) const;
  void abort() noexcept;

  Members& members_;
  share::CudaStream stream_;
  void* comm_ = nullptr;
};

}  // namespace netcl::group
