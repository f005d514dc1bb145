// The way into an op that may be recorded.
#pragma once

#include <concepts>

#include "graph/backward.hpp"
#include "graph/graph.hpp"
#include "graph/op_formulas.hpp"
#include "graph/op_gradients.hpp"
#include "ops/frame/replay.hpp"

namespace netcl::graph {

// What rules get of a kept argument.
template <class T>
const T& lend(const T& argument) {
  return argument;
}
inline const expression::Tree& lend(const std::shared_ptr<const expression::Tree>& tree) {
  return *tree;
}
inline const expression::Trees& lend(const std::shared_ptr<const expression::Trees>& trees) {
  return *trees;
}

// What an op gets of it, which takes an Original.
template <class Original, class T>
const auto& handed(const T& argument) {
  if constexpr (std::is_same_v<Original, Tensor> || std::is_same_v<Original, expression::Tree> ||
                std::is_same_v<Original, expression::Trees>) {
    return *argument;
  } else {
    return argument;
  }
}

template <class T>
inline constexpr bool kHasEpilogue = requires(T& options) {
  { options.epilogue } -> std::same_as<ops::Epilogue&>;
};

template <class T>
inline constexpr bool kNormalizes = requires(T& options) {
  { options.has_batchnorm } -> std::same_as<bool&>;
};

template <auto Op, class Into, class... Arguments>
class NodeOf final : public Node {
 public:
  explicit NodeOf(const char* name, const Arguments&... arguments)
      : Node(name), arguments_(lists_.keep(arguments)...) {
    note_reads();
    if constexpr (requires { &Effects<Op>::writes; }) {
      std::apply([this](const auto&... kept) { writes_ = Effects<Op>::writes(kept...); },
                 arguments_);
    }
  }
  // What it finds in the tensor that it writes to is an operand too.
  void reads_result(const TensorRef& into) {
    if constexpr (requires { &Effects<Op>::reads_into; }) {
      const bool reads = std::apply(
          [](const auto&... kept) { return Effects<Op>::reads_into(kept...); }, arguments_);
      if (reads && into != nullptr) reads_.push_back(into);
    }
  }

  void call(Substitute substitute, const ops::Run& run) const override {
    Into into{};
    // What an op with a list of results writes to is the list alone.
    if constexpr (std::is_same_v<Into, ops::ResultList>) into.resize(writes_.size());
    size_t index = 0;
    for (TensorRef* const result : ops::results_of(into)) {
      const TensorRef& written = writes_[index++];
      if (written != nullptr) *result = substitute(written);
    }
    KeptLists lists(substitute);
    std::apply(
        [&](const auto&... kept) {
          const std::tuple placed{lists.keep(kept)...};
          std::apply([&](const auto&... own) { Op(handed<Arguments>(own)..., into, run); }, placed);
        },
        arguments_);
  }

  std::optional<Formula> formula() const override {
    if constexpr (requires { &Formulas<Op>::of; }) {
      return std::apply(
          [this](const auto&... kept) { return Formulas<Op>::of(*writes_[0], lend(kept)...); },
          arguments_);
    } else if constexpr (requires { &Formulas<Op>::of_all; }) {
      return std::apply(
          [this](const auto&... kept) { return Formulas<Op>::of_all(writes(), lend(kept)...); },
          arguments_);
    }
    return std::nullopt;
  }

  std::optional<EpilogueFacts> epilogue() const override {
    std::optional<EpilogueFacts> facts;
    std::apply([&](const auto&... kept) { (note_epilogue(kept, &facts), ...); }, arguments_);
    return facts;
  }
  NodeRef with_epilogue(const ops::Epilogue& epilogue, const TensorRef& result) const override {
    if constexpr ((kHasEpilogue<Arguments> || ...)) {
      return std::make_shared<NodeOf>(
          *this, result, [&](auto* argument) { set_epilogue(argument, epilogue); });
    }
    return nullptr;
  }
  std::optional<Normalization> normalization() const override {
    if constexpr (requires { &Normalizations<Op>::of; }) {
      return std::apply(
          [](const auto&... kept) { return Normalizations<Op>::of(lend(kept)...); }, arguments_);
    }
    return std::nullopt;
  }
  NodeRef with_normalization(const Normalization& norm, const TensorRef& result) const override {
    if constexpr ((kNormalizes<Arguments> || ...)) {
      return std::make_shared<NodeOf>(
          *this, result, [&](auto* argument) { set_normalization(argument, norm); });
    }
    return nullptr;
  }
  // The same call with other options, into another tensor.
  template <class Change>
  NodeOf(const NodeOf& other, const TensorRef& result, const Change& change)
      : Node(other.name()), lists_(other.lists_), arguments_(other.arguments_) {
    std::apply([&](auto&... kept) { (change(&kept), ...); }, arguments_);
    note_reads();
    writes_ = {result};
  }

  std::string detail() const override {
    std::string text;
    const auto add = [&text](const auto& argument) {
      using Type = std::decay_t<decltype(argument)>;
      if constexpr (std::is_same_v<Type, expression::Tree> ||
                    std::is_same_v<Type, expression::Trees>) {
        text = argument.text();
      }
      if constexpr (requires { argument.primitive(); }) text = argument.primitive().name();
    };
    std::apply([&](const auto&... kept) { (add(lend(kept)), ...); }, arguments_);
    return text;
  }

  std::string key() const override {
    ops::CallKey key(name());
    std::apply([&](const auto&... kept) { (key.add(lend(kept)), ...); }, arguments_);
    for (const TensorRef& written : writes_) key.add(written);
    if (!key.fits()) return {};
    return {reinterpret_cast<const char*>(key.text().data()), key.text().size()};
  }

  void add_gradients(Backward& backward) const override {
    if constexpr (std::is_null_pointer_v<std::remove_const_t<decltype(kGradient<Op>)>>) {
      backward.fail_without_derivative();
    } else {
      std::apply([&](const auto&... kept) { kGradient<Op>(backward, lend(kept)...); }, arguments_);
    }
  }

 private:
  void note_reads() {
    std::apply(
        [this](const auto&... kept) {
          (each_tensor(kept, [this](const TensorRef& tensor) { reads_.push_back(tensor); }), ...);
        },
        arguments_);
  }
  template <class T>
  static void note_epilogue(const T& argument, std::optional<EpilogueFacts>* facts) {
    if constexpr (kHasEpilogue<T>) {
      facts->emplace();
      (*facts)->epilogue = argument.epilogue;
      if constexpr (kNormalizes<T>) {
        (*facts)->per_filter = true;
        (*facts)->normalizes = argument.has_batchnorm;
      }
    }
  }
  template <class T>
  static void set_epilogue(T* argument, const ops::Epilogue& epilogue) {
    if constexpr (kHasEpilogue<T>) argument->epilogue = epilogue;
  }
  template <class T>
  static void set_normalization(T* argument, const Normalization& norm) {
    if constexpr (kNormalizes<T>) {
      argument->has_batchnorm = true;
      argument->batchnorm = {norm.scale, norm.bias, norm.mean, norm.variance, norm.epsilon};
      argument->epilogue.activation = norm.activation;
      argument->epilogue.alpha = norm.alpha;
      argument->epilogue.beta = norm.beta;
    }
  }

  KeptLists lists_;
  std::tuple<
      std::decay_t<decltype(std::declval<KeptLists&>().keep(std::declval<const Arguments&>()))>...>
      arguments_;
};

// ops::call, which `graph` records unless it is null.
template <auto Op, class Into, class... Arguments>
Into call(Graph* graph, const char* name, const Into& into, const ops::Run& run,
          const Arguments&... arguments) {
  if (graph == nullptr) return ops::call(name, Op, into, run, arguments...);
  const auto node = std::make_shared<NodeOf<Op, Into, Arguments...>>(name, arguments...);
  Into given = into;
  const auto places = ops::results_of(given);
  if constexpr (std::is_same_v<Into, TensorRef>) node->reads_result(into);
  graph->begin(*node, places);
  Into made = ops::call(name, Op, into, graph->run(run), arguments...);
  graph->finish(node, ops::results_of(made));
  return made;
}

}  // namespace netcl::graph
