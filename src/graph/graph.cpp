#include "graph/graph.hpp"

#include <algorithm>

#include "core/room.hpp"
#include "graph/compile/forms.hpp"
#include "graph/region.hpp"

namespace netcl::graph {

namespace {

constexpr const char* kOutside = "a call that is not recorded";

// Stands for whatever wrote a memory between two recorded calls. Nobody knows which part of it.
class OutsideWrite final : public Node {
 public:
  OutsideWrite(const BufferRef& buffer, netcl_dtype dtype) : Node(kOutside) {
    const auto count = static_cast<int64_t>(buffer->bytes() / dtype_size(dtype));
    writes_.push_back(std::make_shared<Tensor>(buffer, dtype, packed_layout(1, &count)));
  }
  bool is_outside() const noexcept override { return true; }
  void call(Substitute, const ops::Run&) const override {
    fail(NETCL_ERROR_INTERNAL, "a call that is not recorded cannot be made again");
  }
  void add_gradients(Backward&) const override {
    fail(NETCL_ERROR_INTERNAL, "a call that is not recorded has no gradients");
  }
};

std::atomic<uint64_t> g_repetitions{0};
thread_local uint64_t t_repetition = 0;

std::atomic<uint64_t> g_graphs{0};
uint64_t next_number() noexcept { return g_graphs.fetch_add(1, std::memory_order_relaxed) + 1; }

bool meets(const History::Write& write, const Tensor& tensor) {
  return write.dtype != tensor.dtype() || !disjoint(write.layout, tensor.layout());
}

}  // namespace

Again::Again() noexcept
    : outer_(
          std::exchange(t_repetition, g_repetitions.fetch_add(1, std::memory_order_relaxed) + 1)) {}
Again::~Again() { t_repetition = outer_; }
uint64_t Again::current() noexcept { return t_repetition; }

Graph::Graph(DeviceRef device, bool execute)
    : device_(std::move(device)),
      number_(next_number()),
      sink_(execute ? nullptr : std::make_unique<CaptureSink>(number_)) {}

Graph::Graph(DeviceRef device, std::unique_ptr<Forms> forms)
    : device_(std::move(device)), number_(next_number()), forms_(std::move(forms)) {}

Graph::~Graph() = default;

ops::Run Graph::run(const ops::Run& asked) const noexcept {
  ops::Run run = asked;
  if (sink_ != nullptr) run.sink = sink_.get();
  return run;
}

size_t Graph::count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return recorded_;
}

size_t Graph::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return nodes_.size();
}

uint64_t kept_bytes_of(std::span<const NodeRef> nodes, std::unordered_set<const Buffer*>* seen) {
  uint64_t bytes = 0;
  for (const NodeRef& node : nodes) {
    if (node == nullptr) continue;
    for (const auto list : {node->reads(), node->writes()}) {
      for (const TensorRef& tensor : list) {
        if (tensor != nullptr && !tensor->buffer()->planned() &&
            seen->insert(tensor->buffer().get()).second) {
          bytes += tensor->buffer()->bytes();
        }
      }
    }
  }
  return bytes;
}

uint64_t Graph::kept_bytes() const {
  std::unordered_set<const Buffer*> seen;
  const std::lock_guard<std::mutex> lock(mutex_);
  return kept_bytes_of(nodes_, &seen);
}

TensorRef Graph::placeholder(netcl_dtype dtype, const Layout& layout) const {
  return Tensor::allocate(*device_, dtype, layout, [&](uint64_t bytes) {
    return planned_buffer(device_, bytes, number_, true);
  });
}

void Graph::check_open() const {
  if (compiling_ != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the graph is being compiled by another thread: it records no calls meanwhile");
  }
  if (compiled_ == nullptr) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "the graph is compiled: it records no more calls until netcl_graph_clear empties it");
}

// The time in which steps are made, and what they are made of. A graph that is cleared meanwhile is
// another one from then on.
class Graph::Compiling {
 public:
  explicit Compiling(Graph* graph) : graph_(graph) {
    const std::lock_guard<std::mutex> lock(graph->mutex_);
    graph->check_open();
    nodes_ = graph->nodes_;
    reduction_ = graph->reduction_;
    number_ = graph->number_;
    graph->compiling_ = number_;
  }
  ~Compiling() { publish(nullptr); }
  Compiling(const Compiling&) = delete;
  Compiling& operator=(const Compiling&) = delete;

  std::vector<NodeRef> take_nodes() noexcept { return std::move(nodes_); }
  const GradientReduction& reduction() const noexcept { return reduction_; }
  void publish(const CompiledGraphRef& compiled) const noexcept {
    const std::lock_guard<std::mutex> lock(graph_->mutex_);
    if (graph_->compiling_ != number_) return;
    graph_->compiling_ = 0;
    graph_->compiled_ = compiled;
  }

 private:
  Graph* const graph_;
  std::vector<NodeRef> nodes_;
  GradientReduction reduction_;
  uint64_t number_;
};

CompiledGraphRef Graph::compile(Interface interface, bool fuse) {
  if (!captures()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the graph is a tape; one that can be compiled is made with options->execute = NETCL_OFF");
  }
  Compiling compiling(this);
  // Making the steps takes its time, and runs ops: nobody who asks about the graph waits for it.
  const auto compiled = std::make_shared<CompiledGraph>(
      device_, compiling.take_nodes(), std::move(interface), compiling.reduction(), fuse);
  compiling.publish(compiled);
  try {
    compiled->prepare();
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (compiled_ == compiled) compiled_ = nullptr;
    throw;
  }
  return compiled;
}

CompiledGraphRef Graph::compiled() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return compiled_;
}

std::vector<NodeRef> Graph::nodes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return nodes_;
}

void Graph::check_reducer(const group::Reducer& reducer) const {
  if (&reducer.device() != device_.get()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->reducer is of a rank with device %s; the graph is on %s",
         reducer.device().text().c_str(), device_->text().c_str());
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (reduction_.reducer == nullptr || reduction_.reducer.get() == &reducer) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "options->reducer is another one than that of an earlier call on the graph");
}

void Graph::reduce(const group::ReducerRef& reducer, std::span<const TensorRef> gradients) {
  const std::lock_guard<std::mutex> lock(mutex_);
  make_room(&reduction_.gradients, gradients.size());
  reduction_.reducer = reducer;
  for (const TensorRef& gradient : gradients) {
    reduction_.gradients.push_back({gradient, nodes_.size()});
  }
}

// Tensors that go may call back, so they go without the lock.
void Graph::clear() noexcept {
  if (forms_ != nullptr) forms_->clear();
  GradientReduction reduction;
  CompiledGraphRef compiled;
  std::vector<NodeRef> nodes;
  std::shared_ptr<History> history;
  const std::lock_guard<std::mutex> lock(mutex_);
  nodes.swap(nodes_);
  history.swap(history_);
  compiled.swap(compiled_);
  std::swap(reduction, reduction_);
  compiling_ = 0;
  recorded_ = 0;
  number_ = next_number();
}

NodeRef Graph::forget(size_t number) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (number >= nodes_.size() || nodes_[number] == nullptr) return nullptr;
  if (!nodes_[number]->is_outside()) --recorded_;
  return std::move(nodes_[number]);
}

// What others write to memory while a capture is recorded is of no account: its values are those
// of the time when it runs.
uint64_t Graph::writes_of(const Tensor& tensor) const {
  return captures() ? 0 : tensor.memory()->uses->writes.load(std::memory_order_relaxed);
}

void Graph::check_place(const Tensor& tensor) const {
  const uint64_t owner = owner_of(*tensor.buffer());
  if (owner != 0 && owner != number_) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "a tensor of shape %s is a value of another capture, or of calls that are cleared; it has "
         "no content",
         shape_text(tensor).c_str());
  }
  if (&tensor.device() == device_.get()) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "a tensor lives on device %s; run->graph records calls on device %s",
       tensor.device().text().c_str(), device_->text().c_str());
}

const std::shared_ptr<History>& Graph::history() {
  if (history_ == nullptr) history_ = std::make_shared<History>();
  return history_;
}

// The memory of a tensor that is not empty. A call has room for itself there.
History::Memory& Graph::meet(const Tensor& tensor) {
  History::Memory& memory = history()->memories[tensor.memory()];
  const uint64_t count = writes_of(tensor);
  make_room(&memory.writes, 3);
  if (memory.buffer.expired()) {
    memory.writes.clear();
    memory.buffer = tensor.buffer();
    memory.count = count;
  } else if (memory.count != count) {
    make_room(&nodes_, 1);
    auto node = std::make_shared<OutsideWrite>(tensor.buffer(), tensor.dtype());
    memory.writes.push_back(
        {nodes_.size(), node->writes()[0]->layout(), tensor.dtype(), node->name(), true});
    nodes_.push_back(std::move(node));
    memory.count = count;
  }
  return memory;
}

Graph::Snapshot Graph::snapshot(std::span<const TensorRef> tensors) {
  Snapshot taken;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const TensorRef& tensor : tensors) {
    taken.written_by.push_back(-1);
    taken.recorded_by.push_back(-1);
    if (tensor->empty() || history()->memories.count(tensor->memory()) == 0) continue;
    const std::vector<History::Write>& writes = meet(*tensor).writes;
    const auto last = [&](bool outside) {
      const auto found = std::find_if(writes.rbegin(), writes.rend(), [&](const auto& write) {
        return (outside || !write.outside) && meets(write, *tensor);
      });
      return found == writes.rend() ? -1 : static_cast<int64_t>(found->number);
    };
    taken.written_by.back() = last(true);
    taken.recorded_by.back() = last(false);
  }
  taken.nodes = nodes_;
  taken.history = history();
  return taken;
}

std::optional<Graph::Writer> Graph::writer_behind(const History& history, const Tensor& tensor,
                                                  int64_t last) const {
  if (tensor.empty()) return std::nullopt;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = history.memories.find(tensor.memory());
  if (known == history.memories.end()) return std::nullopt;
  const History::Memory& memory = known->second;
  if (memory.count != writes_of(tensor)) return Writer{-1, kOutside};
  for (auto write = memory.writes.rbegin(); write != memory.writes.rend(); ++write) {
    const auto number = static_cast<int64_t>(write->number);
    if (number <= last) break;
    if (meets(*write, tensor)) return Writer{number, write->name};
  }
  return std::nullopt;
}

void Graph::begin(Node& node, std::span<TensorRef* const> into) {
  const std::lock_guard<std::mutex> lock(mutex_);
  check_open();
  node.repetition_ = Again::current();
  for (const auto* list : {&node.reads_, &node.writes_}) {
    for (const TensorRef& tensor : *list) check_place(*tensor);
  }
  for (const auto* list : {&node.reads_, &node.writes_}) {
    for (const TensorRef& tensor : *list) {
      if (!tensor->empty()) meet(*tensor);
    }
  }
  // The results come first. What the caller gave gets a tensor of its own here, by which the value
  // that is written is told from an operand in the same place.
  std::vector<TensorRef> results;
  results.reserve(into.size() + node.writes_.size());
  for (TensorRef* const given : into) {
    if (*given != nullptr) {
      check_place(**given);
      results.push_back(std::make_shared<Tensor>(**given));
      if (!(*given)->empty()) meet(*results.back());
    } else {
      results.push_back(nullptr);
    }
  }
  results.insert(results.end(), node.writes_.begin(), node.writes_.end());
  node.writes_ = std::move(results);
  make_room(&nodes_, 1);
}

void Graph::finish(const NodeRef& node, std::span<TensorRef* const> made) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (size_t i = 0; i < made.size(); ++i) {
    if (node->writes_[i] == nullptr) node->writes_[i] = *made[i];
  }
  make_room(&nodes_, 1);
  for (const TensorRef& tensor : node->writes_) {
    if (tensor == nullptr || tensor->empty()) continue;
    History::Memory& memory = history()->memories[tensor->memory()];
    if (memory.buffer.expired()) memory = {0, {}, tensor->buffer()};
    make_room(&memory.writes, 1);
    memory.writes.push_back({nodes_.size(), tensor->layout(), tensor->dtype(), node->name()});
    memory.count = writes_of(*tensor);
  }
  nodes_.push_back(node);
  ++recorded_;
}

}  // namespace netcl::graph
