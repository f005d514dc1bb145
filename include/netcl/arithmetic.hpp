/*
 * Arithmetic on tensors by operators, and gradients of what operators compute.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_ARITHMETIC_HPP
#define NETCL_ARITHMETIC_HPP

#include <netcl/callback.hpp>
#include <netcl/host.hpp>

namespace netcl {

inline namespace NETCL_HPP_MODE {

/**
 * While it lives, operators of its thread are recorded by a graph, as calls are that get run(). One
 * within another takes its place and gives it back. The graph has to live as long.
 */
class recording {
 public:
  explicit recording(graph_ref graph) noexcept
      : before_(std::exchange(shared::recorder, graph.raw())), graph_(graph) {}
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;
  ~recording() { shared::recorder = before_; }

  graph_ref graph() const noexcept { return graph_; }
  /** Options for a call that is no operator, to be recorded too. */
  run_options run() const noexcept { return run_options().graph(graph_); }

 private:
  netcl_graph* before_;
  graph_ref graph_;
};

namespace detail {

inline run_options recorded() noexcept { return run_options().graph(graph_ref(shared::recorder)); }

/** A number beside a tensor, without dimensions: it is data, so one kernel serves all numbers. */
inline returns<tensor> beside(tensor_ref x, const scalar& number) {
  returns<tensor> out{};
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  owned<device_ref> device;
  element of;
  netcl_status status = netcl_tensor_get_info(x.raw(), &info);
  if (status == NETCL_OK) status = of.take("number", number, static_cast<dtype>(info.dtype));
  if (status == NETCL_OK) status = netcl_tensor_get_device(x.raw(), device.place());
  if (status == NETCL_OK) {
    status = netcl_tensor_create_full(device.raw(), info.dtype, 0, nullptr, nullptr, of.data(),
                                      nullptr, place(detail::value(out)));
  }
  settle(out, status);
  return out;
}

inline returns<tensor> apply(elementwise kind, tensor_ref a, tensor_ref b) {
  return op::elementwise(kind, {a, b}, recorded());
}
inline returns<tensor> apply(elementwise kind, tensor_ref a, const scalar& b) {
  auto number = beside(a, b);
#if NETCL_HPP_EXPECTED
  if (!number) return number;
#endif
  return apply(kind, a, tensor_ref(value(number)));
}
inline returns<tensor> apply(elementwise kind, const scalar& a, tensor_ref b) {
  auto number = beside(b, a);
#if NETCL_HPP_EXPECTED
  if (!number) return number;
#endif
  return apply(kind, tensor_ref(value(number)), b);
}

inline returns<void> apply_into(elementwise kind, tensor_ref a, tensor_ref b) {
  return op::elementwise_into(a, kind, {a, b}, recorded());
}
inline returns<void> apply_into(elementwise kind, tensor_ref a, const scalar& b) {
  auto number = beside(a, b);
#if NETCL_HPP_EXPECTED
  if (!number) return number.error();
#endif
  return apply_into(kind, a, tensor_ref(value(number)));
}

template <class T>
using number_only = std::enable_if_t<std::is_arithmetic_v<T>>;

}  // namespace detail

/*
 * Arithmetic of tensors and numbers, broadcast as in netcl_op_elementwise; a number becomes one of
 * the tensor's dtype, and is refused where that does not have it. `a += b` writes into the memory
 * of a, which keeps its shape and dtype: views of it see that. For more at once an expression is
 * faster, since it is one kernel: op::expression_text("v0 * v1 + v2", {a, b, c}).
 */
#define NETCL_HPP_OPERATOR(sign, kind)                                             \
  [[nodiscard]] inline returns<tensor> operator sign(tensor_ref a, tensor_ref b) { \
    return detail::apply(elementwise::kind, a, b);                                 \
  }                                                                                \
  template <class T, class = detail::number_only<T>>                               \
  [[nodiscard]] returns<tensor> operator sign(tensor_ref a, T b) {                 \
    return detail::apply(elementwise::kind, a, scalar(b));                         \
  }                                                                                \
  template <class T, class = detail::number_only<T>>                               \
  [[nodiscard]] returns<tensor> operator sign(T a, tensor_ref b) {                 \
    return detail::apply(elementwise::kind, scalar(a), b);                         \
  }                                                                                \
  inline returns<void> operator sign##=(tensor_ref a, tensor_ref b) {              \
    return detail::apply_into(elementwise::kind, a, b);                            \
  }                                                                                \
  template <class T, class = detail::number_only<T>>                               \
  returns<void> operator sign##=(tensor_ref a, T b) {                              \
    return detail::apply_into(elementwise::kind, a, scalar(b));                    \
  }
NETCL_HPP_OPERATOR(+, add)
NETCL_HPP_OPERATOR(-, sub)
NETCL_HPP_OPERATOR(*, mul)
NETCL_HPP_OPERATOR(/, div)
#undef NETCL_HPP_OPERATOR
[[nodiscard]] inline returns<tensor> operator-(tensor_ref a) {
  return op::elementwise(elementwise::neg, {a}, detail::recorded());
}

/**
 * Calls a function that gives a loss of one element, and gives the loss and its gradients with
 * regard to the inputs, in their order. What operators compute in it is recorded, and what calls
 * do that get run() of the netcl::recording which the function may take; the rest is constant.
 * INVALID_ARGUMENT where there are no inputs, or the loss has not one element or does not depend on
 * one of them.
 */
template <class F>
[[nodiscard]] returns<std::tuple<tensor, std::vector<tensor>>> gradients(F&& function,
                                                                         view<tensor_ref> inputs) {
  using found = std::tuple<tensor, std::vector<tensor>>;
  returns<found> out{};
  if (inputs.empty()) {
    return detail::failed<found>(detail::refuse(
        NETCL_ERROR_INVALID_ARGUMENT, "inputs is empty; gradients are with regard to some"));
  }
  owned<device_ref> device;
  owned<graph_ref> graph;
  netcl_status status = netcl_tensor_get_device(inputs[0].raw(), device.place());
  if (status == NETCL_OK) status = netcl_graph_create(device.raw(), nullptr, graph.place());
  if (status != NETCL_OK) return detail::failed<found>(status);
  auto& [loss, list] = detail::value(out);
  {
    const recording on(graph);
    returns<tensor> made = [&]() -> returns<tensor> {
      if constexpr (std::is_invocable_v<F&, const recording&>) {
        return function(on);
      } else {
        return function();
      }
    }();
#if NETCL_HPP_EXPECTED
    if (!made) return result<found>(made.error());
#endif
    loss = std::move(detail::value(made));
  }
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  options.consume = 1;
  netcl_tensor* const output = loss.raw();
  list.resize(inputs.size());
  status = netcl_graph_add_gradients(graph.raw(), &output, 1, inputs.as<netcl_tensor*>(),
                                     inputs.count(), &options, detail::places(list.data()));
  detail::settle(out, status);
  return out;
}

}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif /* NETCL_ARITHMETIC_HPP */
