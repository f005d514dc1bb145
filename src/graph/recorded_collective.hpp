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
  bool is_last = false;  // a gradient that has none itself

  // Whether gradients go through it, the opposite way.
  bool has_derivative() const noexcept;
};

// What gradients do with each call from `from` on, but for those in whose place others stand: at a
// bridge they go to other ranks, whatever this one gave there, and at the last they must not come.
inline constexpr char kBridge = 1, kLast = 2;
std::vector<char> find_bridges(std::span<const NodeRef> nodes, size_t from);

// The same call with other tensors.
NodeRef collective_with(const Collective& collective, const TensorRef& input,
                        const TensorRef& output);

// Makes a call of a group. `prepare` fills it in and gives how it runs, and the graph that records
// it; where that is a capture nothing else is done, which is known beforehand.
void call_collective(Collective* made, bool captured, FunctionRef<Caller()> prepare);

// Calls that a rank is to make, in their order. Where it does not come to some, the other ranks get
// to know: of each group at one call, since no rank that fails in it makes a later one.
class CollectivesToCome {
 public:
  // Without `meets` they are recorded alone, and nobody has to know.
  CollectivesToCome(std::span<const NodeRef> nodes, bool meets) noexcept
      : nodes_(nodes), meets_(meets) {}
  ~CollectivesToCome();
  CollectivesToCome(const CollectivesToCome&) = delete;
  CollectivesToCome& operator=(const CollectivesToCome&) = delete;

  // The next one.
  void make(Substitute substitute, const ops::Run& run);
  // The same, by a function that gets its mark, and tells whether the ranks have gone on.
  void make_by(FunctionRef<void(uint64_t mark, bool* passed)> function);

 private:
  // The place of the next one among those of its group, and how many these are: the same on all
  // ranks. 0 is that of calls of no graph.
  uint64_t mark() const noexcept;

  const std::span<const NodeRef> nodes_;
  const bool meets_;
  size_t next_ = 0;
  const group::Group* failed_ = nullptr;  // all of whose ranks know
};

}  // namespace netcl::graph
