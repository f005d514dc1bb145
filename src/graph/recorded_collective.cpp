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

// Ranks make the same calls in the same order: of what one of them records, all record the
// gradients too.
class CollectiveNode final : public Node {
 public:
  CollectiveNode(const GroupRef& group, const group::Call& call)
      : Node(group::op_name(call.op)),
        counts_(call.counts.begin(), call.counts.end()),
        made_{group, call} {
    made_.call.counts = counts_;
    // Of a broadcast every rank reads the tensor, so that all of them know of one value.
    made_.call.output = std::make_shared<Tensor>(*call.output);
    reads_ = {made_.call.input};
    writes_ = {made_.call.output};
  }

  void call(Substitute substitute, const ops::Run& run) const override {
    group::Call call = made_.call;
    made_.group->call(&call, [&] {
      call.input = substitute(made_.call.input);
      call.output = substitute(made_.call.output);
      return run;
    });
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
    const bool joins = call.op == group::Op::all_reduce || call.op == group::Op::reduce_scatter;
    const bool mean = joins && call.kind == NETCL_REDUCTION_MEAN;
    if (joins && !mean && call.kind != NETCL_REDUCTION_SUM) {
      backward.fail_without_derivative("sums and means have one");
    }
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
        if (!counts_.empty()) backward.fail_without_derivative("without counts it has one");
        return backward.add(call.input, turned_back(backward, group::Op::all_to_all, 0));
      default: {  // a broadcast, from whose root all ranks have their value
        const TensorRef sum = turned_back(backward, group::Op::all_reduce, NETCL_REDUCTION_SUM);
        if (made_.group->rank() == call.root) backward.add(call.input, sum);
        return;
      }
    }
  }

 private:
  // The gradient of the result, as another call gives it in the input's shape.
  TensorRef turned_back(Backward& backward, group::Op op, netcl_reduction kind) const {
    group::Call back{op};
    const Caller& caller = backward.caller();
    call_collective(made_.group, &back, caller.graph != nullptr && caller.graph->captures(), [&] {
      back.kind = kind;
      const TensorRef& gradient = backward.grad();
      back.input = gradient != nullptr ? gradient : zeros_like(backward, *backward.result());
      back.output = new_like(made_.call.input, caller.run);
      return caller;
    });
    return back.output;
  }

  const std::vector<int64_t> counts_;
  Collective made_;
};

NodeRef begin_collective(const GroupRef& group, const group::Call& call, Graph* graph) {
  if (!is_recordable(call.op)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "run->graph is set; a graph records all_reduce, broadcast, all_gather, reduce_scatter and "
         "all_to_all of a group, and this is %s",
         group::op_name(call.op));
  }
  group::describe(call, group->rank(), group->size());
  auto node = std::make_shared<CollectiveNode>(group, call);
  graph->begin(*node, {});
  return node;
}

}  // namespace

void call_collective(const GroupRef& group, group::Call* call, bool captured,
                     FunctionRef<Caller()> prepare) {
  Graph* graph = nullptr;
  NodeRef node;
  const auto begin = [&] {
    const Caller caller = prepare();
    graph = caller.graph;
    if (graph != nullptr) node = begin_collective(group, *call, graph);
    return caller.run;
  };
  if (captured) {
    begin();
  } else {
    group->call(call, begin);
  }
  if (graph != nullptr) graph->finish(node, {});
}

void CollectivesToCome::make(Substitute substitute, const ops::Run& run) {
  nodes_[next_++]->call(substitute, run);
}

// Of each group one call: no rank that fails in it makes a later one. Where this rank alone failed
// in its last call, the others are on their way to the next.
CollectivesToCome::~CollectivesToCome() {
  const std::span<const NodeRef> left = nodes_.subspan(next_);
  for (auto node = left.begin(); node != left.end(); ++node) {
    const Collective& next = *(*node)->collective();
    const auto is_told = [&](const NodeRef& told) {
      return told->collective()->group == next.group;
    };
    if (std::none_of(left.begin(), node, is_told)) next.group->refuse(next.call.op);
  }
}

}  // namespace netcl::graph
