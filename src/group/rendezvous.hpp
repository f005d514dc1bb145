// Where the ranks of a group find each other: rank 0 makes a socket under a path, the others come
// to it, and when all have come each gets what it needs to work with the others.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "group/shared_memory.hpp"

namespace netcl::group {

struct Meeting {
  std::shared_ptr<Segment> segment;
  std::shared_ptr<Mesh> mesh;
  std::vector<netcl_device_info> devices;  // of each rank
};

// All ranks have the same size and want the same transport.
Meeting meet_at(const std::string& path, uint32_t rank, uint32_t size, netcl_group_transport wanted,
                const netcl_device_info& device, uint64_t timeout_ns);

}  // namespace netcl::group
