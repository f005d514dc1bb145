#include "graph/recorded_collective.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "graph/rule.hpp"
#include "ops/frame/result.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::graph {

namespace {

bool is_recordable(group::Op op) {
  return op == group::Op::all_reduce || op == group::Op::broadcast || op == group::Op::all_gather ||
         op == group::Op::reduce_scatter || op == group::Op::all_to_all;
}

TensorRef new_like(const TensorRef& tensor, const ops::Run& run) {
  const Layout& layout = tensor->layout();
  return ops::new_tensor(tensor->dtype(), layout.rank, layout.shape.data(), run);
}

// Tells at its end whether the ranks have gone on from a call.
class TellPassed {
 public:
  TellPassed(const group::Call& call, bool* passed) noexcept : call_(call), passed_(passed) {}
  ~TellPassed() { *passed_ = call_.passed; }
  TellPassed(const TellPassed&) = delete;
  TellPassed& operator=(const TellPassed&) = delete;

 private:
  const group::Call& call_;
  bool* const passed_;
};

// A recorded call with other tensors; `call` is a copy of it.
void make_again(const Collective& made, group::Call call, Substitute substitute,
                const ops::Run& run, bool* passed = nullptr) {
  bool unread = false;
  const TellPassed tell(call, passed == nullptr ? &unread : passed);
  made.group->call(&call, [&] {
    call.input = substitute(made.call.input);
    call.output = substitute(made.call.output);
    return run;
  });
}

// Ranks make the same calls in the same order: of what one of them records, all record the
// gradients too.
class CollectiveNode final : public Node {
 public:
  explicit CollectiveNode(const Collective& made)
      : Node(group::op_name(made.call.op)),
        counts_(made.call.counts.begin(), made.call.counts.end()),
        made_(made) {
    made_.call.counts = counts_;
    made_.call.output = std::make_shared<Tensor>(*made.call.output);
    // Of a broadcast every rank reads the tensor, so that all of them know of one value.
    reads_ = {made_.call.input};
    if (!gives_alone()) writes_ = {made_.call.output};
  }

  void call(Substitute substitute, const ops::Run& run) const override {
    make_again(made_, made_.call, substitute, run);
  }
  const Collective* collective() const noexcept override { return &made_; }
  std::string detail() const override {
    const bool joins =
        made_.call.op == group::Op::all_reduce || made_.call.op == group::Op::reduce_scatter;
    std::string text = joins ? format("%s, ", ops::reduction_name(made_.call.kind)) : std::string();
    if (made_.call.op == group::Op::broadcast) text = format("from rank %u, ", made_.call.root);
    return text + format("%u ranks", made_.group->size());
  }

  // A group's call is linear in what the ranks give: gradients go the opposite way.
  void add_gradients(Backward& backward) const override {
    const group::Call& call = made_.call;
    if (!made_.has_derivative()) {
      backward.fail_without_derivative("sums, means and equal parts have one");
    }
    const bool mean = call.kind == NETCL_REDUCTION_MEAN;
    switch (call.op) {
      case group::Op::all_reduce:
        return backward.add(call.input, turned_back(backward, group::Op::all_reduce, call.kind));
      case group::Op::all_gather:
        return backward.add(call.input,
                            turned_back(backward, group::Op::reduce_scatter, NETCL_REDUCTION_SUM));
      case group::Op::reduce_scatter: {
        TensorRef gradient = turned_back(backward, group::Op::all_gather, 0);
        if (mean) {
          gradient = recorded_formula(
              backward.caller(), ("v0 / " + literal(made_.group->size())).c_str(), {gradient}, 0);
        }
        return backward.add(call.input, gradient);
      }
      case group::Op::all_to_all:
        return backward.add(call.input, turned_back(backward, group::Op::all_to_all, 0));
      default: {  // a broadcast: the root's value has its own gradient, and those of the others
        const TensorRef sum = turned_back(backward, group::Op::all_reduce, NETCL_REDUCTION_SUM);
        if (gives_alone()) backward.add(call.input, sum);
        return;
      }
    }
  }

 private:
  // The root of a broadcast keeps its value.
  bool gives_alone() const {
    return made_.call.op == group::Op::broadcast && made_.group->rank() == made_.call.root;
  }
  // The gradient of the result, as another call gives it in the input's shape.
  TensorRef turned_back(Backward& backward, group::Op op, netcl_reduction kind) const {
    // Of a broadcast's gradient only the root makes something, so no rank can tell where that goes.
    Collective back{made_.group, {op}, made_.call.op == group::Op::broadcast};
    const Caller& caller = backward.caller();
    backward.collectives().make_by([&](uint64_t mark, bool* passed) {
      const bool captured = caller.graph != nullptr && caller.graph->captures();
      back.call.mark = captured ? 0 : mark;
      const TellPassed tell(back.call, passed);
      call_collective(&back, captured, [&] {
        const TensorRef gradient = gives_alone() ? nullptr : backward.grad();
        back.call.kind = kind;
        back.call.input = gradient != nullptr ? gradient : zeros_like(backward, *made_.call.output);
        back.call.output = new_like(made_.call.input, caller.run);
        return caller;
      });
    });
    return back.call.output;
  }

  const std::vector<int64_t> counts_;
  Collective made_;
};

NodeRef begin_collective(const Collective& made, Graph* graph) {
  if (!is_recordable(made.call.op)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "run->graph is set; a graph records all_reduce, broadcast, all_gather, reduce_scatter and "
         "all_to_all of a group, and this is %s",
         group::op_name(made.call.op));
  }
  group::describe(made.call, made.group->rank(), made.group->size());
  auto node = std::make_shared<CollectiveNode>(made);
  graph->begin(*node, {});
  return node;
}

}  // namespace

void call_collective(Collective* made, bool captured, FunctionRef<Caller()> prepare) {
  Graph* graph = nullptr;
  NodeRef node;
  const auto begin = [&] {
    const Caller caller = prepare();
    graph = caller.graph;
    if (graph != nullptr) node = begin_collective(*made, graph);
    return caller.run;
  };
  if (captured) {
    begin();
  } else {
    made->group->call(&made->call, begin);
  }
  if (graph != nullptr) graph->finish(node, {});
}

bool Collective::has_derivative() const noexcept {
  if (is_last) return false;
  const bool joins = call.op == group::Op::all_reduce || call.op == group::Op::reduce_scatter;
  if (joins) return call.kind == NETCL_REDUCTION_SUM || call.kind == NETCL_REDUCTION_MEAN;
  return call.op != group::Op::all_to_all || call.counts.empty();
}

std::vector<char> find_bridges(std::span<const NodeRef> nodes, size_t from) {
  std::vector<char> bridges(nodes.size());
  for (size_t number = from; number < nodes.size(); ++number) {
    const Node* const node = nodes[number].get();
    if (node == nullptr) continue;
    const Collective* const collective = node->collective();
    if (collective != nullptr) {
      bridges[number] = collective->has_derivative() ? kBridge : collective->is_last ? kLast : 0;
    }
    for (size_t i = std::max(node->first(number), from); i < number; ++i) bridges[i] = 0;
  }
  return bridges;
}

NodeRef collective_with(const Collective& collective, const TensorRef& input,
                        const TensorRef& output) {
  Collective other = collective;
  other.call.input = input;
  other.call.output = output;
  return std::make_shared<CollectiveNode>(other);
}

uint64_t CollectivesToCome::mark() const noexcept {
  const group::Group* const own = nodes_[next_]->collective()->group.get();
  uint64_t index = 0;
  uint64_t count = 0;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i]->collective()->group.get() != own) continue;
    if (i < next_) ++index;
    ++count;
  }
  return count << 32 | (index + 1);
}

void CollectivesToCome::make_by(FunctionRef<void(uint64_t, bool*)> function) {
  const group::Group* const group = nodes_[next_]->collective()->group.get();
  const uint64_t own = mark();
  ++next_;
  bool passed = false;
  try {
    function(own, &passed);
  } catch (...) {
    // Where this rank alone failed, the others are on their way to the next one.
    if (!passed) failed_ = group;
    throw;
  }
}

void CollectivesToCome::make(Substitute substitute, const ops::Run& run) {
  const Collective& next = *nodes_[next_]->collective();
  make_by([&](uint64_t mark, bool* passed) {
    group::Call call = next.call;
    call.mark = mark;
    make_again(next, call, substitute, run, passed);
  });
}

CollectivesToCome::~CollectivesToCome() {
  if (!meets_) return;
  const uint64_t since = monotonic_ns();
  const std::span<const NodeRef> left = nodes_.subspan(next_);
  for (auto node = left.begin(); node != left.end(); ++node) {
    const Collective& next = *(*node)->collective();
    const auto is_told = [&](const NodeRef& told) {
      return told->collective()->group == next.group;
    };
    if (next.group.get() == failed_ || std::any_of(left.begin(), node, is_told)) continue;
    next.group->refuse(next.call.op, since);
  }
}

}  // namespace netcl::graph
