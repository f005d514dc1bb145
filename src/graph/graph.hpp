// What is recorded of calls of ops, in the order in which they were made.
#pragma once

#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/capture.hpp"
#include "graph/compile/compiled_graph.hpp"
#include "graph/node.hpp"

namespace netcl::graph {

class Forms;

// Who wrote which elements of which memory, by the numbers of the calls. It outlives the calls: a
// value that was overwritten stays so when the call that did it is forgotten.
struct History {
  struct Write {
    uint64_t number;
    Layout layout;
    netcl_dtype dtype;
    std::string name;
    bool outside = false;  // stands for calls that are not recorded
  };
  struct Memory {
    uint64_t count = 0;  // commands that had written it when it was last seen
    std::vector<Write> writes;
    std::weak_ptr<Buffer> buffer;  // gone where another memory may lie in its place
  };
  std::unordered_map<MemoryObject*, Memory> memories;
};

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  // With `execute` calls run while they are recorded, else their values have no memory.
  Graph(DeviceRef device, bool execute);
  // Records nothing: whatever is run is one of the forms.
  Graph(DeviceRef device, std::unique_ptr<Forms> forms);
  ~Graph();

  Device& device() const noexcept { return *device_; }
  bool captures() const noexcept { return sink_ != nullptr; }
  // Null unless it is made from a function.
  Forms* forms() const noexcept { return forms_.get(); }
  // How calls that are recorded run.
  ops::Run run(const ops::Run& asked) const noexcept;
  // The calls that are recorded and not forgotten.
  size_t count() const;
  // The number of the next call.
  size_t size() const;
  // The memory of all tensors that the calls know.
  uint64_t kept_bytes() const;
  void clear() noexcept;

  // A value of a capture that stands for an input of its runs.
  TensorRef placeholder(netcl_dtype dtype, const Layout& layout) const;
  // Makes a capture ready to run. While that is under way and afterwards it records nothing. Fails
  // with the graph as it was.
  CompiledGraphRef compile(Interface interface, bool fuse);
  // From here on the runs of a capture give gradients to a reducer, the same one for all; see
  // check_reducer.
  void reduce(const group::ReducerRef& reducer, std::span<const TensorRef> gradients);
  void check_reducer(const group::Reducer& reducer) const;
  // Null where it is not compiled; not ready while that is under way.
  CompiledGraphRef compiled() const;
  std::vector<NodeRef> nodes() const;

  // The calls so far, with the number of the last one that wrote elements of each tensor, -1 where
  // none did. A write that was not recorded is a call of its own from here on, or from begin().
  struct Snapshot {
    std::vector<NodeRef> nodes;
    std::vector<int64_t> written_by;
    std::vector<int64_t> recorded_by;  // the last one among those that are recorded
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
  class Compiling;

  void check_open() const;
  void check_place(const Tensor& tensor) const;
  uint64_t writes_of(const Tensor& tensor) const;
  const std::shared_ptr<History>& history();
  History::Memory& meet(const Tensor& tensor);

  const DeviceRef device_;
  // Owns the values of a capture: its own among all graphs of the process and their pasts, from 1
  // on.
  std::atomic<uint64_t> number_;
  const std::unique_ptr<CaptureSink> sink_;  // of a capture
  const std::unique_ptr<Forms> forms_;
  mutable std::mutex mutex_;
  std::vector<NodeRef> nodes_;        // null where one is forgotten
  size_t recorded_ = 0;               // of them, without those that stand for other calls
  std::shared_ptr<History> history_;  // null where there is none yet
  GradientReduction reduction_;
  CompiledGraphRef compiled_;  // null until its steps are made
  uint64_t compiling_ = 0;     // number_ while they are being made
};
using GraphRef = std::shared_ptr<Graph>;

// Adds the memory of all tensors that calls know, but for what is seen already.
uint64_t kept_bytes_of(std::span<const NodeRef> nodes, std::unordered_set<const Buffer*>* seen);

}  // namespace netcl::graph
