// How the ranks of a group find out whether their devices reach each other's memory.
#include <algorithm>

#include "core/error.hpp"
#include "core/log.hpp"
#include "group/rank_group.hpp"

namespace netcl::group {

namespace {

// Whether it is worth while to look: where that is asked for, or the devices are GPUs.
bool may_be_peers(netcl_group_transport wanted, std::span<const netcl_device_info> devices) {
  if (wanted != NETCL_GROUP_TRANSPORT_AUTO) return wanted == NETCL_GROUP_TRANSPORT_PEER_MEMORY;
  return devices.size() > 1 &&
         std::all_of(devices.begin(), devices.end(), [](const netcl_device_info& device) {
           return device.type == NETCL_DEVICE_GPU && device.has_uuid != 0;
         });
}

constexpr uint64_t kOutOfReach = UINT64_MAX;

// How others can have the memory of a device, a netcl_share_kind; 0 where they cannot, another
// number where it does not reach that of the others.
uint64_t kind_of(const Device& device, std::span<const netcl_device_info> all) {
  // What the built-in device works on is the host's already.
  if (device.backend().builtin()) return 0;
  const backend::Sharing sharing = device.backend().sharing();
  const bool reached = std::all_of(all.begin(), all.end(), [&](const netcl_device_info& other) {
    return sharing.cuda == nullptr || other.has_uuid == 0 || sharing.cuda->reaches(other.uuid);
  });
  return reached ? static_cast<uint64_t>(sharing.kind) : kOutOfReach;
}

// What keeps the ranks' devices from it.
Refusal compare_kinds(std::span<const uint64_t> kinds) {
  const auto refused = [](std::string text) {
    return Refusal{NETCL_ERROR_UNSUPPORTED, std::move(text)};
  };
  for (size_t r = 0; r < kinds.size(); ++r) {
    if (kinds[r] == 0) {
      return refused(format("rank %zu has a device whose memory others cannot have", r));
    }
    if (kinds[r] == kOutOfReach) {
      return refused(format("the device of rank %zu does not reach the memory of the others", r));
    }
    if (kinds[r] != kinds[0]) {
      return refused(format("ranks 0 and %zu share memory in other ways", r));
    }
  }
  return {};
}

bool take_peers(const Refusal& refusal, netcl_group_transport wanted) {
  if (!refusal) return true;
  if (wanted != NETCL_GROUP_TRANSPORT_AUTO) {
    fail(refusal.status,
         "options->transport is NETCL_GROUP_TRANSPORT_PEER_MEMORY; " + refusal.text);
  }
  return false;
}

void tell_why(const Refusal& refusal, netcl_group_transport wanted, uint32_t size) {
  if (!refusal || wanted != NETCL_GROUP_TRANSPORT_AUTO) return;
  log_message(NETCL_LOG_WARNING, "group of %u ranks: goes another way: %s", size,
              refusal.text.c_str());
}

}  // namespace

bool Group::connect_peers() {
  if (!may_be_peers(wanted_, devices_)) return false;
  if (!members_.link().gives())
    return take_peers({NETCL_ERROR_UNSUPPORTED, "the ranks reach each other by messages"}, wanted_);
  Refusal refusal;
  try {
    refusal = compare_kinds(all_.tell(kind_of(*device_, devices_)));
    if (!refusal) {
      refusal = rooms_for(all_).grow(all_, kHalfLeast);
      tell_why(refusal, wanted_, size());
    }
  } catch (...) {
    members_.give_up();
    throw;
  }
  if (refusal) rooms_.clear();
  return take_peers(refusal, wanted_);
}

bool Group::reach_each_other(std::span<const std::shared_ptr<Group>> groups,
                             netcl_group_transport wanted) {
  if (!may_be_peers(wanted, groups[0]->devices_)) return false;
  std::vector<uint64_t> kinds;
  for (const auto& group : groups) kinds.push_back(kind_of(*group->device_, group->devices_));
  Refusal refusal = compare_kinds(kinds);
  if (!refusal) {
    std::vector<PeerRooms*> ranks;
    std::vector<const Board*> boards;
    for (const auto& group : groups) {
      ranks.push_back(&group->rooms_for(group->all_));
      boards.push_back(&group->all_.board());
    }
    refusal = PeerRooms::grow_local(ranks, boards);
    tell_why(refusal, wanted, static_cast<uint32_t>(groups.size()));
    for (const auto& group : groups) {
      if (refusal) group->rooms_.clear();
    }
  }
  return take_peers(refusal, wanted);
}

}  // namespace netcl::group
