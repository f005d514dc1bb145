// Calls of groups as calls of a graph. What a rank records the others record too: each run of a
// compiled graph makes these calls, and so do gradients.
#pragma once

#include "graph/node.hpp"
#include "group/rank_group.hpp"

namespace netcl::graph {

struct Caller;
using GroupRef = std::shared_ptr<group::Group>;

// A recorded call.
struct Collective {
  GroupRef group;
  group::Call call;
};

// Makes a call of a group. `prepare` fills it in and gives how it runs, and the graph that records
// it; where that is a capture nothing else is done, which is known beforehand.
void call_collective(const GroupRef& group, group::Call* call, bool captured,
                     FunctionRef<Caller()> prepare);

// The collectives of one run of a compiled graph, in their order. Where it fails, the other ranks
// get to know that this one makes none of those that were to come.
class CollectivesToCome {
 public:
  explicit CollectivesToCome(std::span<const NodeRef> nodes) noexcept : nodes_(nodes) {}
  ~CollectivesToCome();
  CollectivesToCome(const CollectivesToCome&) = delete;
  CollectivesToCome& operator=(const CollectivesToCome&) = delete;

  // The next one.
  void make(Substitute substitute, const ops::Run& run);

 private:
  const std::span<const NodeRef> nodes_;
  size_t next_ = 0;
};

}  // namespace netcl::graph
