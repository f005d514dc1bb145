// One call of an op as a graph keeps it: the op, and copies of its arguments that own what they
// need. An op has nothing but its arguments (ops/frame/replay.hpp), so this is all there is to it.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/members.hpp"
#include "expression/tree.hpp"
#include "ops/frame/call_key.hpp"
#include "tensor/tensor.hpp"

namespace netcl::graph {

class Backward;

// Calls function(tensor) for every tensor of an argument that is there.
template <class T, class Function>
void each_tensor(const T& argument, const Function& function) {
  if constexpr (std::is_same_v<T, TensorRef>) {
    if (argument != nullptr) function(argument);
  } else if constexpr (ops::kIsList<T>) {
    for (const auto& element : argument) each_tensor(element, function);
  } else if constexpr (std::is_aggregate_v<T>) {
    for_each_member(argument, [&](const auto& member) { each_tensor(member, function); });
  }
}

// Copies of arguments. Lists are copied to memory that lives as long as this.
class KeptLists {
 public:
  template <class T>
  void own(std::span<const T>* list) {
    if (list->data() == nullptr) return;
    auto copy = std::make_shared<std::vector<T>>();
    copy->reserve(list->size() + 1);  // a list that is there and empty stays there
    copy->assign(list->begin(), list->end());
    *list = {copy->data(), copy->size()};
    lists_.push_back(std::move(copy));
  }

  static TensorRef keep(const Tensor& tensor) { return std::make_shared<Tensor>(tensor); }
  static std::shared_ptr<const expression::Tree> keep(const expression::Tree& tree) {
    return tree.shared_from_this();
  }
  template <class T>
  T keep(const T& argument) {
    T copy = argument;
    own_lists(&copy);
    return copy;
  }

 private:
  template <class T>
  void own_lists(T* value) {
    if constexpr (requires { value->data(), this->own(value); }) {
      own(value);
    } else if constexpr (std::is_aggregate_v<T> && !ops::kIsList<T>) {
      for_each_member(*value, [this](auto& member) { own_lists(&member); });
    }
  }

  std::vector<std::shared_ptr<const void>> lists_;
};

class Node {
 public:
  explicit Node(std::string name) : name_(std::move(name)) {}
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // As messages call it: "matmul".
  const std::string& name() const noexcept { return name_; }
  // The tensors that the call read, and those that it wrote: its results first. One that is not
  // wanted is null there.
  std::span<const TensorRef> reads() const { return reads_; }
  std::span<const TensorRef> writes() const { return writes_; }

  // True for what stands for a write of which nothing is known.
  virtual bool is_outside() const noexcept { return false; }

  // Adds the gradients of the operands; UNSUPPORTED where the op has no derivative.
  virtual void add_gradients(Backward& backward) const = 0;

 protected:
  friend class Graph;
  const std::string name_;
  std::vector<TensorRef> reads_;
  std::vector<TensorRef> writes_;
};
using NodeRef = std::shared_ptr<Node>;

}  // namespace netcl::graph
