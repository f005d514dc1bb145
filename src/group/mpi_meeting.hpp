// Where the ranks of a group find each other by MPI.
#pragma once

#include <memory>
#include <vector>

#include "group/group_members.hpp"

namespace netcl::group {

struct MpiMeeting {
  std::shared_ptr<Link> link;
  std::vector<netcl_device_info> devices;  // of each rank
  uint32_t rank = 0;
};

MpiMeeting meet_by_mpi(int64_t communicator, netcl_group_transport wanted,
                       const netcl_device_info& device, uint64_t timeout_ns);

}  // namespace netcl::group
