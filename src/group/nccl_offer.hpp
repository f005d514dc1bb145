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
  share::CudaUuid uuid{};
  NcclId id{};  // of the rank that is `first`
  char reason[512] = "";
};

inline bool may_be_nccl(netcl_group_transport wanted) noexcept {
  return wanted == NETCL_GROUP_TRANSPORT_AUTO || wanted == NETCL_GROUP_TRANSPORT_NCCL;
}
NcclOffer make_offer(const Device& device, bool first);
// True when these ranks go by NCCL; UNSUPPORTED with the reason where they cannot and were to.
bool takes_nccl(std::span<const NcclOffer> offers, netcl_group_transport wanted);

}  // namespace netcl::group
