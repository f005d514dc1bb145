// What is recorded of calls of ops, in the order in which they were made.
#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "graph/node.hpp"

namespace netcl::graph {

class Graph {
 public:
  explicit Graph(DeviceRef device) : device_(std::move(device)) {}

  Device& device() const noexcept { return *device_; }
  std::vector<NodeRef> nodes() const;
  size_t count() const;
  // The memory of all tensors that the calls know.
  uint64_t kept_bytes() const;
  void clear() noexcept;
  // Forgets the calls from number `count` on.
  void truncate(size_t count) noexcept;

  // The number of the last call that wrote elements of a tensor, -1 when none did. Writes that were
  // not recorded are found here and in begin(), and count as calls of their own.
  int64_t last_writer(const Tensor& tensor);
  std::string name_of(size_t number) const;

  // Entering a call takes two steps around it. begin() makes room for all that it writes to by the
  // wish of the caller: finish() can only fail where the results are the call's own.
  void begin(Node& node, std::span<TensorRef* const> into);
  void finish(const NodeRef& node, std::span<TensorRef* const> made);

 private:
  struct Memory {
    uint64_t writes = 0;  // commands that had written it when it was last seen
    std::vector<uint32_t> writers;
    std::weak_ptr<Buffer> buffer;  // gone where no recorded call knows it any more
    netcl_dtype dtype = 0;
  };
  void check_device(const Tensor& tensor) const;
  Memory& meet(const Tensor& tensor);

  const DeviceRef device_;
  mutable std::mutex mutex_;
  std::vector<NodeRef> nodes_;
  std::unordered_map<MemoryObject*, Memory> memory_;
};
using GraphRef = std::shared_ptr<Graph>;

}  // namespace netcl::graph
