// What is recorded of calls of ops, in the order in which they were made.
#pragma once

#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "graph/node.hpp"

namespace netcl::graph {

// Who wrote which elements of which memory, by the numbers of the calls. It outlives the calls: a
// value that was overwritten stays so when the call that did it is forgotten.
struct History {
  struct Write {
    uint64_t number;
    Layout layout;
    netcl_dtype dtype;
    std::string name;
  };
  struct Memory {
    uint64_t count = 0;  // commands that had written it when it was last seen
    std::vector<Write> writes;
    std::weak_ptr<Buffer> buffer;  // gone where another memory may lie in its place
  };
  std::unordered_map<MemoryObject*, Memory> memories;
};

class Graph {
 public:
  explicit Graph(DeviceRef device) : device_(std::move(device)) {}

  Device& device() const noexcept { return *device_; }
  size_t count() const;
  // The memory of all tensors that the calls know.
  uint64_t kept_bytes() const;
  void clear() noexcept;

  // The calls so far, with the number of the last one that wrote elements of each tensor, -1 where
  // none did. A write that was not recorded is a call of its own from here on, or from begin().
  struct Snapshot {
    std::vector<NodeRef> nodes;
    std::vector<int64_t> written_by;
    std::shared_ptr<History> history;
  };
  Snapshot snapshot(std::span<const TensorRef> tensors);
  // Whoever wrote elements of a tensor in a call behind number `last`.
  struct Writer {
    int64_t number;  // -1: it is not recorded
    std::string name;
  };
  std::optional<Writer> writer_behind(const History& history, const Tensor& tensor,
                                      int64_t last) const;
  // Lets go of a call, whose number stays taken.
  NodeRef forget(size_t number) noexcept;

  // Entering a call takes two steps around it. begin() makes room for all that it writes to by the
  // wish of the caller: finish() can only fail where the results are the call's own.
  void begin(Node& node, std::span<TensorRef* const> into);
  void finish(const NodeRef& node, std::span<TensorRef* const> made);

 private:
  void check_device(const Tensor& tensor) const;
  const std::shared_ptr<History>& history();
  History::Memory& meet(const Tensor& tensor);

  const DeviceRef device_;
  mutable std::mutex mutex_;
  std::vector<NodeRef> nodes_;  // null where one is forgotten
  std::shared_ptr<History> history_;  // null where there is none yet
};
using GraphRef = std::shared_ptr<Graph>;

}  // namespace netcl::graph
