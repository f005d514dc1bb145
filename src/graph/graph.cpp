#include "graph/graph.hpp"

#include <algorithm>
#include <unordered_set>

#include "graph/region.hpp"

namespace netcl::graph {

namespace {

// Stands for whatever wrote a memory between two recorded calls.
class OutsideWrite final : public Node {
 public:
  OutsideWrite(const BufferRef& buffer, netcl_dtype dtype) : Node("a call that is not recorded") {
    writes_.push_back(whole_memory(buffer, dtype));
  }
  void add_gradients(Backward&) const override {}
};

uint64_t writes_of(const Tensor& tensor) {
  return tensor.memory()->uses->writes.load(std::memory_order_relaxed);
}

template <class T>
void make_room(std::vector<T>* list, size_t more) {
  if (list->size() + more > list->capacity()) list->reserve(2 * list->size() + more + 8);
}

}  // namespace

std::vector<NodeRef> Graph::nodes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return nodes_;
}

size_t Graph::count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return nodes_.size();
}

uint64_t Graph::kept_bytes() const {
  std::unordered_set<const Buffer*> seen;
  uint64_t bytes = 0;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const NodeRef& node : nodes_) {
    for (const auto list : {node->reads(), node->writes()}) {
      for (const TensorRef& tensor : list) {
        if (tensor != nullptr && seen.insert(tensor->buffer().get()).second) {
          bytes += tensor->buffer()->bytes();
        }
      }
    }
  }
  return bytes;
}

std::string Graph::name_of(size_t number) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return number < nodes_.size() ? nodes_[number]->name() : std::string();
}

void Graph::clear() noexcept {
  std::vector<NodeRef> nodes;
  std::unordered_map<MemoryObject*, Memory> memory;
  // Tensors that go with them are released without the lock.
  const std::lock_guard<std::mutex> lock(mutex_);
  nodes.swap(nodes_);
  memory.swap(memory_);
}

void Graph::truncate(size_t count) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (count < nodes_.size()) nodes_.resize(count);
}

void Graph::check_device(const Tensor& tensor) const {
  if (&tensor.device() == device_.get()) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "a tensor lives on device %s; run->graph records calls on device %s",
       tensor.device().text().c_str(), device_->text().c_str());
}

// The memory of a tensor that is not empty. A call has room for itself there.
Graph::Memory& Graph::meet(const Tensor& tensor) {
  Memory& memory = memory_[tensor.memory()];
  const uint64_t writes = writes_of(tensor);
  if (const BufferRef buffer = memory.buffer.lock(); buffer == nullptr) {
    memory.writers.clear();
    memory.buffer = tensor.buffer();
    memory.dtype = tensor.dtype();
    memory.writes = writes;
  } else if (memory.writes != writes) {
    make_room(&nodes_, 1);
    make_room(&memory.writers, 1);
    nodes_.push_back(std::make_shared<OutsideWrite>(buffer, memory.dtype));
    memory.writers.push_back(static_cast<uint32_t>(nodes_.size() - 1));
    memory.writes = writes;
  }
  make_room(&memory.writers, 2);
  return memory;
}

int64_t Graph::last_writer(const Tensor& tensor) {
  if (tensor.empty()) return -1;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (memory_.count(tensor.memory()) == 0) return -1;
  const Memory& memory = meet(tensor);
  for (size_t i = memory.writers.size(); i-- > 0;) {
    if (memory.writers[i] >= nodes_.size()) continue;
    for (const TensorRef& written : nodes_[memory.writers[i]]->writes()) {
      if (written != nullptr && !disjoint(*written, tensor)) return memory.writers[i];
    }
  }
  return -1;
}

void Graph::begin(Node& node, std::span<TensorRef* const> into) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto* list : {&node.reads_, &node.writes_}) {
    for (const TensorRef& tensor : *list) check_device(*tensor);
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
      check_device(**given);
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
  for (const TensorRef& tensor : node->writes_) {
    if (tensor == nullptr || tensor->empty()) continue;
    Memory& memory = memory_[tensor->memory()];
    if (memory.buffer.expired()) memory = {0, {}, tensor->buffer(), tensor->dtype()};
    make_room(&memory.writers, 1);
    memory.writers.push_back(static_cast<uint32_t>(nodes_.size()));
    memory.writes = writes_of(*tensor);
  }
  nodes_.push_back(node);
}

}  // namespace netcl::graph
