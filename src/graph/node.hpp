// One call of an op as a graph keeps it: the op, and copies of its arguments that own what they
// need. An op has nothing but its arguments (ops/frame/replay.hpp), so this is all there is to it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/function_ref.hpp"
#include "core/members.hpp"
#include "expression/trees.hpp"
#include "expression/types.hpp"
#include "ops/elementwise/epilogue.hpp"
#include "ops/frame/call_key.hpp"
#include "ops/frame/run.hpp"
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

// The tensor that stands in a call for one that was recorded.
using Substitute = FunctionRef<TensorRef(const TensorRef&)>;

// Copies of arguments. Lists are copied to memory that lives as long as this.
class KeptLists {
 public:
  KeptLists() = default;
  // Copies with other tensors.
  explicit KeptLists(Substitute substitute) : substitute_(substitute) {}

  static TensorRef keep(const Tensor& tensor) { return std::make_shared<Tensor>(tensor); }
  static std::shared_ptr<const expression::Tree> keep(const expression::Tree& tree) {
    return tree.shared_from_this();
  }
  static std::shared_ptr<const expression::Trees> keep(const expression::Trees& trees) {
    return trees.shared_from_this();
  }
  template <class T>
  T keep(const T& argument) {
    T copy = argument;
    own(&copy);
    return copy;
  }

 private:
  template <class T>
  void own(T* value) {
    if constexpr (std::is_same_v<T, TensorRef>) {
      if (*value != nullptr && substitute_) *value = (*substitute_)(*value);
    } else if constexpr (ops::kIsList<T> && requires { value->subspan(0); }) {
      own_list(value);
    } else if constexpr (ops::kIsList<T>) {
      for (auto& element : *value) own(&element);
    } else if constexpr (std::is_aggregate_v<T>) {
      for_each_member(*value, [this](auto& member) { this->own(&member); });
    }
  }
  template <class T>
  void own_list(std::span<const T>* list) {
    if (list->data() == nullptr) return;
    auto copy = std::make_shared<std::vector<T>>();
    copy->reserve(list->size() + 1);  // a list that is there and empty stays there
    copy->assign(list->begin(), list->end());
    for (T& element : *copy) own(&element);
    *list = {copy->data(), copy->size()};
    lists_.push_back(std::move(copy));
  }

  std::optional<Substitute> substitute_;
  std::vector<std::shared_ptr<const void>> lists_;
};

// What an elementwise call computes: a value of the tree for each element of each result. Results
// have one shape, to which the inputs broadcast.
struct Formula {
  expression::TypedTree tree;
  std::vector<TensorRef> inputs;
};

class Node;
using NodeRef = std::shared_ptr<Node>;
struct Collective;

// What a product or a convolution does to its sums before it stores them.
struct EpilogueFacts {
  ops::Epilogue epilogue;
  bool per_filter = false;  // the bias has an element per filter: dimension 1 of the result
  bool normalizes = false;  // after the bias
};

// A normalisation by statistics that are given: of each channel, the second dimension of x.
struct Normalization {
  TensorRef x;
  TensorRef scale;  // null: 1
  TensorRef bias;   // null: 0
  TensorRef mean;
  TensorRef variance;
  double epsilon = 0.0;
  netcl_activation activation = NETCL_ACTIVATION_NONE;
  double alpha = 0.0;
  double beta = 0.0;
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

  // Makes the call again, with other tensors in the places of those that it knows.
  virtual void call(Substitute substitute, const ops::Run& run) const = 0;
  // The call as an elementwise expression, where it is one.
  virtual std::optional<Formula> formula() const { return std::nullopt; }
  // Its epilogue, where it has a place for one; and the same call with another, into another
  // tensor.
  virtual std::optional<EpilogueFacts> epilogue() const { return std::nullopt; }
  virtual NodeRef with_epilogue(const ops::Epilogue&, const TensorRef&) const { return nullptr; }
  // The call as a normalisation, where it is one; and a convolution that does it behind its bias.
  virtual std::optional<Normalization> normalization() const { return std::nullopt; }
  virtual NodeRef with_normalization(const Normalization&, const TensorRef&) const {
    return nullptr;
  }
  // Two calls with equal keys whose operands are equal give equal results. Empty where nothing is
  // known.
  virtual std::string key() const { return {}; }

  // What it computes, where its name does not say that: "tanh(v0) + v1". Empty for others.
  virtual std::string detail() const { return {}; }

  // Differs between calls that are not the same although they are equal; see Again.
  uint64_t repetition() const noexcept { return repetition_; }

  // Null for all but calls of groups, which are no commands: each run makes them anew, whether this
  // rank needs what they give or not.
  virtual const Collective* collective() const noexcept { return nullptr; }

  // True for what stands for a write of which nothing is known.
  virtual bool is_outside() const noexcept { return false; }
  // True for what stands for calls in front of it, which make its results: it does nothing itself.
  virtual bool is_marker() const noexcept { return false; }
  // The number of the first call that it stands for. `own`: its own number.
  virtual size_t first(size_t own) const noexcept { return own; }

  // Adds the gradients of the operands; UNSUPPORTED where the op has no derivative.
  virtual void add_gradients(Backward& backward) const = 0;

 protected:
  friend class Graph;
  const std::string name_;
  std::vector<TensorRef> reads_;
  std::vector<TensorRef> writes_;
  uint64_t repetition_ = 0;
};

// While one lives, calls that its thread records are not the same as equal ones before: they are
// made again because what those gave is not kept.
class Again {
 public:
  Again() noexcept;
  ~Again();
  Again(const Again&) = delete;
  Again& operator=(const Again&) = delete;
  static uint64_t current() noexcept;

 private:
  const uint64_t outer_;
};

}  // namespace netcl::graph
