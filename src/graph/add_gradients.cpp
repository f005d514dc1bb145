#include "graph/add_gradients.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "graph/adjoints.hpp"
#include "graph/recorded.hpp"
#include "graph/recorded_collective.hpp"
#include "graph/region.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

bool any_of(std::span<const TensorRef> tensors, const Memories& among) {
  return std::any_of(tensors.begin(), tensors.end(), [&](const TensorRef& tensor) {
    return tensor != nullptr && !tensor->empty() && is_float(tensor->dtype()) &&
           among.count(tensor->memory()) != 0;
  });
}
void insert(std::span<const TensorRef> tensors, Memories* among) {
  for (const TensorRef& tensor : tensors) {
    if (tensor != nullptr && !tensor->empty() && is_float(tensor->dtype())) {
      among->insert(tensor->memory());
    }
  }
}

// What goes through a tensor without elements is not known by its memory: whoever gives one may
// have given any that is read.
bool has_empty(std::span<const TensorRef> tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const TensorRef& tensor) {
    return tensor != nullptr && tensor->empty() && is_float(tensor->dtype());
  });
}

// True when nobody else can see the memory of a tensor, which lies there in C order.
bool is_only_owner(const TensorRef& tensor) {
  return tensor.use_count() == 1 && tensor->buffer().use_count() == 1 &&
         tensor->layout().is_c_contiguous() && tensor->byte_count() == tensor->buffer()->bytes();
}

class Pass {
 public:
  Pass(Graph& graph, const GradientRequest& request, const ops::Run& run)
      : graph_(graph),
        request_(request),
        caller_{request.consume ? nullptr : &graph, graph.run(run)},
        adjoints_(caller_),
        gradients_(request.inputs.size()) {
    // Finds writes that were not recorded, which become calls, of outputs as well.
    (void)graph.snapshot(request.outputs);
    Graph::Snapshot taken = graph.snapshot(request.inputs);
    written_by_ = std::move(taken.written_by);
    recorded_by_ = std::move(taken.recorded_by);
    for (std::vector<int64_t>* const numbers : {&written_by_, &recorded_by_}) {
      for (int64_t& number : *numbers) {
        if (number < static_cast<int64_t>(request.from)) number = -1;
      }
    }
    nodes_ = std::move(taken.nodes);
    history_ = std::move(taken.history);
    bridges_ = find_bridges(nodes_, request.from);
    find_active();
    find_reached();
    if (request.reducer != nullptr) find_early();
  }

  std::vector<TensorRef> go() {
    const std::vector<NodeRef> nodes = taking_part();
    CollectivesToCome collectives(nodes, !graph_.captures());
    if (missed_) fail_of_input(missed_->first, missed_->second);
    collectives_ = &collectives;
    add_seeds();
    for (size_t number = nodes_.size(); number-- > request_.from;) {
      collect(static_cast<int64_t>(number));
      reopen(static_cast<int64_t>(number));
      if (nodes_[number] == nullptr) continue;
      if (active_nodes_[number] != 0 || touches(number)) step(number);
      if (request_.consume) {
        nodes_[number].reset();
        graph_.forget(number);
      }
      store_early(static_cast<int64_t>(number));
    }
    collect(-1);
    adjoints_.drop();
    store();
    if (request_.reducer != nullptr && graph_.captures()) {
      graph_.reduce(request_.reducer, stored_in_order_);
    }
    return std::move(gradients_);
  }

  // Then go() fails before it changes the graph.
  bool misses_an_input() const noexcept { return missed_.has_value(); }

  // Tells the other ranks that this one makes no call by which gradients go.
  void refuse() {
    const std::vector<NodeRef> nodes = taking_part();
    const CollectivesToCome untold(nodes, !graph_.captures());
  }

 private:
  // Going forwards: what depends on an input. A write that is not recorded may have left an input
  // as it was, so what was read of it before that counts. Such a write itself matters where it met
  // what calls made of inputs.
  void find_active() {
    active_nodes_.resize(nodes_.size());
    Memories made;
    const auto begin_with = [&](int64_t number) {
      for (size_t i = 0; i < recorded_by_.size(); ++i) {
        if (recorded_by_[i] == number) insert({&request_.inputs[i], 1}, &active_);
      }
    };
    begin_with(-1);
    for (size_t number = request_.from; number < nodes_.size(); ++number) {
      const Node* const node = nodes_[number].get();
      if (node != nullptr && node->is_outside()) {
        active_nodes_[number] = made.count(node->writes()[0]->memory()) != 0 ? 1 : 0;
      } else if (node != nullptr && (any_of(node->reads(), active_) || bridges_[number] != 0)) {
        active_nodes_[number] = 1;
        insert(node->writes(), &active_);
        insert(node->writes(), &made);
      }
      begin_with(static_cast<int64_t>(number));
    }
  }

  // All ranks make the call by which its gradient goes, or none.
  bool takes_part(size_t number) const {
    return reached_nodes_[number] != 0 && bridges_[number] == kBridge;
  }
  std::vector<NodeRef> taking_part() const {
    std::vector<NodeRef> nodes;
    for (size_t number = nodes_.size(); number-- > request_.from;) {
      if (takes_part(number)) nodes.push_back(nodes_[number]);
    }
    return nodes;
  }

  // Going backwards: whether an output depends on each input.
  void find_reached() {
    bool empty = has_empty(request_.outputs);
    reached_nodes_.resize(nodes_.size());
    Memories reached;
    insert(request_.outputs, &reached);
    std::vector<char> missed(written_by_.size());
    const auto check = [&](int64_t number) {
      for (size_t i = 0; i < written_by_.size(); ++i) {
        if (written_by_[i] != number || request_.inputs[i]->empty()) continue;
        missed[i] = request_.unused || any_of({&request_.inputs[i], 1}, reached) ? 0 : 1;
      }
    };
    for (size_t number = nodes_.size(); number-- > request_.from;) {
      check(static_cast<int64_t>(number));
      const Node* const node = nodes_[number].get();
      if (node == nullptr) continue;
      // The root of a broadcast writes nothing, and others have what it gave.
      const bool gives = node->writes().empty() && bridges_[number] == kBridge;
      const std::span<const TensorRef> made = gives ? node->reads() : node->writes();
      if (!any_of(made, reached) && !(empty && has_empty(made))) continue;
      reached_nodes_[number] = 1;
      insert(node->reads(), &reached);
      empty = empty || has_empty(node->reads());
    }
    check(-1);
    for (size_t i = 0; i < missed.size() && !missed_; ++i) {
      if (missed[i] != 0) missed_.emplace(i, is_read_before(i, reached));
    }
  }

  // An output depends on what the input held before it was written.
  bool is_read_before(size_t index, const Memories& reached) const {
    const Tensor& input = *request_.inputs[index];
    for (size_t number = request_.from; std::cmp_less(number, written_by_[index]); ++number) {
      const Node* const node = nodes_[number].get();
      if (node == nullptr || !any_of(node->writes(), reached)) continue;
      for (const TensorRef& read : node->reads()) {
        if (read != nullptr && !disjoint(*read, input)) return true;
      }
    }
    return false;
  }

  [[noreturn]] void fail_of_input(size_t index, bool before) const {
    const std::string shape = shape_text(*request_.inputs[index]);
    if (!before) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "no output depends on inputs[%zu], of shape %s, by calls that are recorded", index,
           shape.c_str());
    }
    const auto number = static_cast<size_t>(written_by_[index]);
    const Node* const writer = nodes_[number].get();
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "no output depends on inputs[%zu], of shape %s, as %s (call %zu) left it, but on what it "
         "held before",
         index, shape.c_str(), writer == nullptr ? "a call" : writer->name().c_str(), number);
  }

  void add_seeds() {
    for (size_t i = 0; i < request_.outputs.size(); ++i) {
      const TensorRef& output = request_.outputs[i];
      if (!request_.seeds.empty()) {
        adjoints_.add(*output, request_.seeds[i]);
        continue;
      }
      const TensorRef one = ops::new_tensor(output->dtype(), output->layout().rank,
                                            output->layout().shape.data(), caller_.run);
      recorded_formula(caller_, "1", {}, output->dtype(), one);
      adjoints_.add(*output, one);
    }
  }

  // The gradients of inputs that call `number` wrote, which all later calls have added to. Where it
  // is not known whether it did, there must be no more of them in front of it.
  void collect(int64_t number) {
    for (size_t i = 0; i < gradients_.size(); ++i) {
      if (written_by_[i] != number || is_stored(i)) continue;
      gradients_[i] = adjoints_.get(*request_.inputs[i]);
      if (recorded_by_[i] != number) {
        adjoints_.close(request_.inputs[i], static_cast<size_t>(number));
      }
    }
  }
  void reopen(int64_t number) {
    for (size_t i = 0; i < recorded_by_.size(); ++i) {
      if (recorded_by_[i] == number) adjoints_.open(request_.inputs[i]);
    }
  }

  bool touches(size_t number) const {
    for (const TensorRef& written : nodes_[number]->writes()) {
      if (written != nullptr && !written->empty() && adjoints_.has(*written)) return true;
    }
    return false;
  }

  void step(size_t number) {
    const Node& node = *nodes_[number];
    if (node.is_outside()) return pass_outside_write(*node.writes()[0], number);
    std::vector<TensorRef> grads(node.writes().size());
    bool any = false;
    for (size_t i = 0; i < grads.size(); ++i) {
      const TensorRef& written = node.writes()[i];
      if (written == nullptr || !is_float(written->dtype())) continue;
      if (active_nodes_[number] != 0) grads[i] = adjoints_.get(*written);
      any = any || grads[i] != nullptr;
      adjoints_.clear(*written);
    }
    if (!any && !takes_part(number)) return;
    Backward backward(graph_, *history_, caller_, node, number, active_, adjoints_, *collectives_,
                      std::move(grads));
    node.add_gradients(backward);
  }

  // Whatever it wrote, what was there before has no gradient unless calls made it of inputs.
  void pass_outside_write(const Tensor& memory, size_t number) {
    if (active_nodes_[number] != 0 && adjoints_.has(memory)) fail_of_outside_write(memory, number);
    adjoints_.forget(memory.memory());
  }

  // Which inputs have their gradients for good before the pass is over: those that no call wrote,
  // behind the first call that read them. What is written then must not be what calls in front
  // need.
  void find_early() {
    early_.assign(request_.inputs.size(), -1);
    std::unordered_set<const UseRecord*> used;
    const auto use = [&](std::span<const TensorRef> tensors) {
      for (const TensorRef& tensor : tensors) {
        if (tensor != nullptr && !tensor->empty()) used.insert(memory_key(*tensor));
      }
    };
    use(request_.seeds);
    for (const NodeRef& node : nodes_) {
      if (node == nullptr) continue;
      use(node->reads());
      use(node->writes());
    }
    for (size_t i = 0; i < early_.size(); ++i) {
      const Tensor& input = *request_.inputs[i];
      if (input.empty() || written_by_[i] != -1 || recorded_by_[i] != -1) continue;
      if (!request_.into.empty() && used.count(memory_key(*request_.into[i])) != 0) continue;
      size_t number = request_.from;
      while (number < nodes_.size() &&
             (nodes_[number] == nullptr || !reads(*nodes_[number], input))) {
        ++number;
      }
      if (number < nodes_.size()) early_[i] = static_cast<int64_t>(number);
    }
    keep_together();
  }
  // Inputs of one memory may share elements: what is taken out for one must be there for another.
  void keep_together() {
    std::unordered_set<const UseRecord*> late;
    for (size_t i = 0; i < early_.size(); ++i) {
      if (early_[i] == -1) late.insert(memory_key(*request_.inputs[i]));
    }
    for (size_t i = 0; i < early_.size(); ++i) {
      if (late.count(memory_key(*request_.inputs[i])) != 0) early_[i] = -1;
    }
  }
  static bool reads(const Node& node, const Tensor& input) {
    return std::any_of(node.reads().begin(), node.reads().end(), [&](const TensorRef& read) {
      return read != nullptr && !read->empty() && read->memory() == input.memory();
    });
  }
  void store_early(int64_t number) {
    const auto each = [&](FunctionRef<void(size_t)> function) {
      for (size_t i = 0; i < early_.size(); ++i) {
        if (early_[i] == number) function(i);
      }
    };
    each([&](size_t i) { gradients_[i] = adjoints_.get(*request_.inputs[i]); });
    each([&](size_t i) { adjoints_.clear(*request_.inputs[i]); });
    each([&](size_t i) { store(i); });
  }
  bool is_stored(size_t index) const { return !early_.empty() && early_[index] != -1; }

  // The gradients as tensors that nobody else knows.
  void store() {
    // What is written first may lie where a later gradient is read.
    for (size_t i = 0; i < gradients_.size(); ++i) {
      TensorRef& found = gradients_[i];
      if (is_stored(i)) continue;
      const auto meets = [&](const TensorRef& into) { return ops::may_share(*into, *found); };
      if (found != nullptr && std::any_of(request_.into.begin(), request_.into.end(), meets)) {
        found = recorded<ops::copy>(caller_, "copy", TensorRef(), *found);
      }
    }
    for (size_t i = 0; i < gradients_.size(); ++i) {
      if (!is_stored(i)) store(i);
    }
  }

  void store(size_t index) {
    const Tensor& input = *request_.inputs[index];
    TensorRef into = request_.into.empty() ? nullptr : request_.into[index];
    const TensorRef& found = gradients_[index];
    if (found != nullptr && request_.accumulate) {
      recorded_formula(caller_, "v0 + v1", {into, found}, into->dtype(), into);
    } else if (found != nullptr && into == nullptr && is_only_owner(found)) {
      into = found;
    } else if (found != nullptr) {
      into = recorded<ops::copy>(caller_, "copy", into, *found);
    } else if (!request_.accumulate) {
      if (into == nullptr) {
        into = ops::new_tensor(input.dtype(), input.layout().rank, input.layout().shape.data(),
                               caller_.run);
      }
      if (!into->empty()) recorded<ops::filled>(caller_, "fill", into, ops::Element{});
    }
    gradients_[index] = into;
    if (request_.reducer == nullptr) return;
    if (graph_.captures()) {
      stored_in_order_.push_back(into);
    } else {
      request_.reducer->give(into, caller_.run.queue);
    }
  }

  Graph& graph_;
  const GradientRequest& request_;
  const Caller caller_;
  Adjoints adjoints_;
  std::vector<TensorRef> gradients_;
  std::vector<int64_t> written_by_;  // of each input; see Graph::Snapshot
  std::vector<int64_t> recorded_by_;
  std::vector<NodeRef> nodes_;
  std::shared_ptr<History> history_;
  std::vector<char> active_nodes_;
  std::vector<char> reached_nodes_;  // an output depends on what they give
  std::vector<char> bridges_;
  // The first input that no output depends on, and whether one does on what it held before.
  std::optional<std::pair<size_t, bool>> missed_;
  CollectivesToCome* collectives_ = nullptr;  // while gradients are worked out
  Memories active_;
  // For a reducer: behind which call a gradient is stored; -1: at the end.
  std::vector<int64_t> early_;
  std::vector<TensorRef> stored_in_order_;
};

// The other ranks have begun a pass that this one has not.
void refuse_pass(Graph& graph, const GradientRequest& request, const ops::Run& run) noexcept {
  try {
    check_request(graph, request);
    Pass(graph, request, run).refuse();
  } catch (...) {
    // What this rank cannot say the others find by themselves, or by their timeout.
  }
}

}  // namespace

std::vector<TensorRef> add_gradients(Graph& graph, const GradientRequest& request,
                                     const ops::Run& run) {
  if (request.reducer != nullptr) graph.check_reducer(*request.reducer);
  std::vector<TensorRef> gradients;
  bool begun = false;
  const auto work = [&] {
    begun = true;
    check_request(graph, request);
    Pass pass(graph, request, run);
    struct Consume {
      Graph* graph;
      ~Consume() {
        if (graph != nullptr) graph->clear();
      }
    };
    const Consume consume{request.consume && !pass.misses_an_input() ? &graph : nullptr};
    gradients = pass.go();
  };
  // The runs of a capture are to come.
  try {
    group::run_with(graph.captures() ? nullptr : request.reducer.get(), work);
  } catch (...) {
    if (!begun) refuse_pass(graph, request, run);
    throw;
  }
  return gradients;
}

}  // namespace netcl::graph
