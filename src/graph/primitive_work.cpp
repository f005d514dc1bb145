#include "graph/primitive_work.hpp"

#include "graph/made_again.hpp"
#include "graph/recorded.hpp"
#include "graph/region.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

std::string title_of(const Primitive& primitive) {
  return "primitive " + quoted(primitive.name().c_str());
}

// Functions that call each other without end would take the whole stack.
constexpr int kDeepestWork = 16;
thread_local int t_work_depth = 0;

class WorkScope {
 public:
  explicit WorkScope(const Primitive& primitive) {
    if (t_work_depth == kDeepestWork) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is called within %d calls of primitives, the most",
           title_of(primitive).c_str(), kDeepestWork);
    }
    ++t_work_depth;
  }
  ~WorkScope() { --t_work_depth; }
  WorkScope(const WorkScope&) = delete;
  WorkScope& operator=(const WorkScope&) = delete;
};

TensorRef result_of(const Primitive& primitive, const WorkCall& call, const Caller& caller) {
  const WorkScope scope(primitive);
  return primitive.work()->forward(call, caller);
}

void check_device(const Primitive& primitive, const Tensor& tensor, const ops::Run& run) {
  if (&tensor.device() == &run.device()) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s gave a tensor on device %s; it is called on device %s",
       title_of(primitive).c_str(), tensor.device().text().c_str(), run.device().text().c_str());
}

// What a primitive gives as the gradients of its inputs, checked.
std::vector<TensorRef> gradients_of(const Primitive& primitive, const WorkCall& call,
                                    const Caller& caller) {
  const WorkScope scope(primitive);
  std::vector<TensorRef> made = primitive.work()->backward(call, caller);
  for (size_t i = 0; i < made.size(); ++i) {
    if (made[i] == nullptr) continue;
    const Tensor& input = *call.inputs[i];
    check_device(primitive, *made[i], caller.run);
    if (made[i]->layout().same_shape(input.layout()) && made[i]->dtype() == input.dtype()) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "%s gave a gradient of shape %s and dtype %s for inputs[%zu], which has %s and %s",
         title_of(primitive).c_str(), shape_text(*made[i]).c_str(),
         dtype_facts(made[i]->dtype()).name, i, shape_text(input).c_str(),
         dtype_facts(input.dtype()).name);
  }
  return made;
}

// `tensor` in `into`, or as one that shares no memory with `others`.
TensorRef moved_to(const TensorRef& into, const TensorRef& tensor,
                   std::span<const TensorRef> others, const Caller& caller) {
  if (into == nullptr && !shares_memory(*tensor, others)) return tensor;
  return recorded<ops::copy>(caller, "copy", into, *tensor);
}

// The gradients of the calls that the work is made of, which are made again.
std::vector<TensorRef> derived_gradients(const Primitive& primitive, const WorkCall& call,
                                         const Caller& caller) {
  const Again again;
  return gradients_made_again(
      caller, call.inputs, call.wanted, {&call.grad, 1},
      [&](std::span<const TensorRef> inputs, const Caller& own) -> std::vector<TensorRef> {
        return {result_of(primitive, {inputs, call.values}, own)};
      });
}

// Stands behind the calls that made the result, and does nothing when it is called again.
class WorkNode final : public Node {
 public:
  WorkNode(PrimitiveRef primitive, const WorkCall& call, size_t first)
      : Node("primitive"),
        primitive_(std::move(primitive)),
        values_(call.values.begin(), call.values.end()),
        first_(first) {
    reads_.assign(call.inputs.begin(), call.inputs.end());
  }

  void call(Substitute, const ops::Run&) const override {}
  bool is_marker() const noexcept override { return true; }
  size_t first(size_t) const noexcept override { return first_; }
  std::string detail() const override { return primitive_->name(); }

  void add_gradients(Backward& backward) const override {
    WorkCall call{reads_, values_, backward.grad(), backward.result(), 0};
    for (size_t i = 0; i < reads_.size(); ++i) {
      backward.check(*reads_[i]);
      if (backward.wants(reads_[i])) call.wanted |= uint64_t{1} << i;
    }
    if (call.wanted == 0) return;
    if (primitive_->work()->gradients() == WorkGradients::own) backward.check(*call.out);
    const std::vector<TensorRef> made =
        primitive_->work()->gradients() == WorkGradients::own
            ? gradients_of(*primitive_, call, backward.caller())
            : derived_gradients(*primitive_, call, backward.caller());
    for (size_t i = 0; i < made.size(); ++i) {
      if (made[i] != nullptr) backward.add(reads_[i], made[i]);
    }
  }

 private:
  const PrimitiveRef primitive_;
  const std::vector<double> values_;
  const size_t first_;
};

}  // namespace

TensorRef work_result(const PrimitiveRef& primitive, const WorkCall& call, const TensorRef& into,
                      const Caller& caller) {
  Graph* const graph = caller.graph;
  const WorkGradients gradients = primitive->work()->gradients();
  const size_t first = graph == nullptr ? 0 : graph->size();
  // A tape does not keep calls that are made again.
  const bool passes =
      gradients == WorkGradients::recomputed && graph != nullptr && !graph->captures();
  const Caller inner{passes ? nullptr : graph, caller.run};
  TensorRef made = result_of(*primitive, call, inner);
  check_device(*primitive, *made, caller.run);
  made = moved_to(into, made, call.inputs, inner);
  if (graph == nullptr || gradients == WorkGradients::of_calls) return made;
  const auto node = std::make_shared<WorkNode>(primitive, call, first);
  TensorRef* const result = &made;
  graph->begin(*node, {&result, 1});
  graph->finish(node, {&result, 1});
  return made;
}

TensorRef work_gradient(const PrimitiveRef& primitive, const WorkCall& call, uint32_t input,
                        const TensorRef& into, const Caller& caller) {
  const TensorRef& x = call.inputs[input];
  if (!is_float(x->dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "inputs[%u] is %s; only inputs of float dtypes have gradients",
         input, dtype_facts(x->dtype()).name);
  }
  WorkCall asked = call;
  asked.wanted = uint64_t{1} << input;
  TensorRef made;
  if (primitive->work()->gradients() != WorkGradients::own) {
    made = derived_gradients(*primitive, asked, caller)[input];
  } else {
    if (asked.out == nullptr) {
      asked.out = work_result(primitive, {call.inputs, call.values}, nullptr, caller);
    }
    if (!asked.grad->layout().same_shape(asked.out->layout())) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "grad has shape %s; the result has shape %s",
           shape_text(*asked.grad).c_str(), shape_text(*asked.out).c_str());
    }
    made = gradients_of(*primitive, asked, caller)[input];
  }
  if (made == nullptr) {
    made = ops::new_tensor(x->dtype(), x->layout().rank, x->layout().shape.data(), caller.run);
    if (!made->empty()) recorded<ops::filled>(caller, "fill", made, ops::Element{});
  }
  std::vector<TensorRef> others(call.inputs.begin(), call.inputs.end());
  others.insert(others.end(), {call.grad, call.out});
  return moved_to(into, made, others, caller);
}

}  // namespace netcl::graph
