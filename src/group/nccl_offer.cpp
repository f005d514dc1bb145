#include "group/nccl_offer.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "core/log.hpp"
#include "group/nccl_comm.hpp"

namespace netcl::group {

bool may_be_nccl(netcl_group_transport wanted,
                 std::span<const netcl_device_info> devices) noexcept {
  if (wanted != NETCL_GROUP_TRANSPORT_AUTO) return wanted == NETCL_GROUP_TRANSPORT_NCCL;
  for (size_t r = 0; r < devices.size(); ++r) {
    if (devices[r].type != NETCL_DEVICE_GPU || devices[r].has_uuid == 0) return false;
    for (size_t other = 0; other < r; ++other) {
      if (std::memcmp(devices[r].uuid, devices[other].uuid, sizeof devices[r].uuid) == 0) {
        return false;
      }
    }
  }
  return devices.size() > 1;
}

NcclOffer make_offer(const Device& device, bool first) {
  NcclOffer offer;
  const backend::Sharing sharing = device.backend().sharing();
  const auto refuse = [&](const std::string& reason) {
    copy_line(offer.reason, sizeof offer.reason, reason.c_str());
    return offer;
  };
  if (sharing.cuda == nullptr) {
    return refuse(sharing.refusal.empty() ? "its device is none of CUDA" : sharing.refusal);
  }
  if (!nccl_api().problem.empty()) return refuse("there is no way to NCCL: " + nccl_api().problem);
  offer.uuid = sharing.cuda->uuid();
  offer.version = nccl_api().version;
  try {
    if (first) offer.id = NcclComm::new_id();
  } catch (const Error& error) {
    return refuse(error.message());
  }
  offer.usable = 1;
  return offer;
}

static std::string refusal_of(std::span<const NcclOffer> offers) {
  for (size_t r = 0; r < offers.size(); ++r) {
    if (offers[r].usable == 0) return format("rank %zu: %s", r, offers[r].reason);
    if (offers[r].version != offers[0].version) {
      return format("rank %zu has NCCL %d, rank 0 has %d", r, offers[r].version, offers[0].version);
    }
    for (size_t other = 0; other < r; ++other) {
      if (std::memcmp(&offers[r].uuid, &offers[other].uuid, sizeof(share::CudaUuid)) == 0) {
        return format("ranks %zu and %zu have the same GPU", other, r);
      }
    }
  }
  return std::string();
}

static void refuse(netcl_group_transport wanted, const std::string& refusal) {
  if (wanted == NETCL_GROUP_TRANSPORT_AUTO) return;
  fail(NETCL_ERROR_UNSUPPORTED, "options->transport is NETCL_GROUP_TRANSPORT_NCCL; " + refusal);
}

bool takes_nccl(std::span<const NcclOffer> offers, netcl_group_transport wanted) {
  const std::string refusal = refusal_of(offers);
  if (!refusal.empty()) refuse(wanted, refusal);
  return refusal.empty();
}

bool keeps_nccl(std::span<const NcclOutcome> outcomes, netcl_group_transport wanted) {
  const auto kind = [&](uint32_t of) {
    return std::find_if(outcomes.begin(), outcomes.end(),
                        [of](const NcclOutcome& outcome) { return outcome.kind == of; });
  };
  auto first = kind(NcclOutcome::failed);
  if (first == outcomes.end()) first = kind(NcclOutcome::followed);
  if (first == outcomes.end()) return true;
  const std::string refusal =
      format("rank %zu: %s", static_cast<size_t>(first - outcomes.begin()), first->reason);
  refuse(wanted, refusal);
  log_message(NETCL_LOG_WARNING, "group of %zu ranks: goes without NCCL: %s", outcomes.size(),
              refusal.c_str());
  return false;
}

}  // namespace netcl::group
