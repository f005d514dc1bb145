// Whether the ranks of a group can have a communicator of NCCL.
#pragma once

#include <span>

#include "device/device.hpp"
#include "group/nccl_api.hpp"
#include "share/cuda_api.hpp"

namespace netcl::group {

// What a rank tells the others of itself.
struct NcclOffer {
  uint32_t usable = 0;
  int32_t version = 0;  // of NCCL
  share::CudaUuid uuid{};
  NcclId id{};  // of the rank that is `first`
  char reason[512] = "";
};

// Whether it is worth while to make offers, which opens CUDA: where that is asked for, or the
// devices are GPUs that differ.
bool may_be_nccl(netcl_group_transport wanted, std::span<const netcl_device_info> devices) noexcept;
NcclOffer make_offer(const Device& device, bool first);
// True when these ranks go by NCCL; UNSUPPORTED with the reason where they cannot and were to.
bool takes_nccl(std::span<const NcclOffer> offers, netcl_group_transport wanted);
// The same for what became of their communicators; where they were not asked for, the log tells why
// there are none. Ranks are called by their numbers in the group.
struct NcclOutcome {
  enum Kind : uint32_t { made, failed, followed };  // the last: as another has failed
  uint32_t kind = made;
  char reason[512] = "";
};
bool keeps_nccl(std::span<const NcclOutcome> outcomes, netcl_group_transport wanted);

}  // namespace netcl::group
