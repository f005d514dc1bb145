#include "graph/primitive.hpp"

#include "api/call_op.hpp"
#include "api/primitive_options.hpp"
#include "graph/primitive_gradient.hpp"
#include "graph/primitive_work.hpp"
#include "ops/elementwise/elementwise.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

graph::PrimitiveDefinition read_formulas(const char* name, const netcl_primitive_options& options) {
  require_no_gradients(options);
  graph::PrimitiveDefinition definition = read_definition(name, options);
  require(options.forward, "options->forward");
  definition.forward = options.forward;
  if (options.backward_count != 0) {
    require_count(options.backward_count, options.arity == 0 ? 1 : options.arity,
                  "options->backward_count", "a formula for each input, or 0");
  }
  for (const char* text :
       checked_texts(options.backward, options.backward_count, "options->backward")) {
    definition.backward.push_back(text);
  }
  return definition;
}

// The options of a call as they were given, checked as far as that goes without the primitive.
struct CallAttributes {
  explicit CallAttributes(const netcl_primitive_call_options* given) {
    const netcl_primitive_call_options options = read_options(given, "options");
    names = checked_texts(options.attributes, options.attributes_count, "options->attributes",
                          NETCL_ARGS_MAX);
    require_array(options.values, options.values_count, "options->values", NETCL_ARGS_MAX);
    require_count(options.values_count, options.attributes_count, "options->values_count",
                  "a value for each attribute");
    values = {options.values, options.values_count};
  }

  std::span<const char* const> names;
  std::span<const double> values;
};

// The length of the list of inputs of a call.
uint32_t checked_count(uint32_t inputs_count) {
  if (inputs_count >= 1 && inputs_count <= NETCL_PRIMITIVE_INPUTS_MAX) return inputs_count;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is %u; primitives take 1 to %d", inputs_count,
       NETCL_PRIMITIVE_INPUTS_MAX);
}

// Runs the work of a primitive and hands out its result. The event is that of all its commands.
template <class Work>
void give_work(ResolvedRun& resolved, netcl_tensor** result, Work work) {
  const ops::Run run = resolved.run();
  graph::Graph* const graph = resolved.graph();
  const graph::Caller caller{
      graph, graph != nullptr ? graph->run(run.without_event()) : run.without_event()};
  TensorRef made = work(caller);
  if (run.event != nullptr) *run.event = run.queue.marker({});
  give_result(resolved, std::move(made), result);
}

}  // namespace

extern "C" {

netcl_status netcl_primitive_register(const char* name, const netcl_primitive_options* options) {
  return guarded([&] {
    checked_name(name);
    graph::PrimitiveRegistry::instance().add(
        std::make_shared<graph::Primitive>(read_formulas(name, read_struct(options, "options"))));
  });
}

netcl_status netcl_primitive_unregister(const char* name) {
  return guarded([&] { graph::PrimitiveRegistry::instance().remove(checked_name(name)); });
}

netcl_status netcl_op_primitive(const char* name, netcl_tensor* const* inputs,
                                uint32_t inputs_count, const netcl_primitive_call_options* options,
                                const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    checked_name(name);
    const CallAttributes attributes(options);
    TensorList list(checked_count(inputs_count));
    const std::span<const TensorRef> tensors = pin_list(inputs, &list);
    require_result(run, result);
    ResolvedRun resolved(run, tensors[0]->device());
    const graph::PrimitiveRef primitive = graph::PrimitiveRegistry::instance().find(name);
    primitive->check_inputs(inputs_count);
    if (primitive->work() != nullptr) {
      const std::vector<double> values = primitive->values(attributes.names, attributes.values);
      return give_work(resolved, result, [&](const graph::Caller& caller) {
        return graph::work_result(primitive, {tensors, values}, resolved.into(), caller);
      });
    }
    const graph::PrimitiveCall call(primitive, inputs_count,
                                    primitive->values(attributes.names, attributes.values));
    call_resolved<graph::primitive>(resolved, "primitive", result, call, tensors);
  });
}

netcl_status netcl_op_primitive_gradient(const char* name, netcl_tensor* const* inputs,
                                         uint32_t inputs_count, uint32_t input, netcl_tensor* grad,
                                         netcl_tensor* out,
                                         const netcl_primitive_call_options* options,
                                         const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    checked_name(name);
    const CallAttributes attributes(options);
    TensorList list(checked_count(inputs_count));
    const std::span<const TensorRef> tensors = pin_list(inputs, &list);
    const TensorRef grad_tensor = pin(grad, "grad").shared();
    const TensorRef out_tensor = optional_tensor(out, "out");
    require_result(run, result);
    ResolvedRun resolved(run, tensors[0]->device());
    const graph::PrimitiveRef primitive = graph::PrimitiveRegistry::instance().find(name);
    primitive->check_inputs(inputs_count);
    if (input >= inputs_count) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "input is %u; inputs_count is %u", input, inputs_count);
    }
    const std::vector<double> values = primitive->values(attributes.names, attributes.values);
    if (primitive->work() != nullptr) {
      return give_work(resolved, result, [&](const graph::Caller& caller) {
        return graph::work_gradient(primitive, {tensors, values, grad_tensor, out_tensor}, input,
                                    resolved.into(), caller);
      });
    }
    const auto tree = primitive->gradient(inputs_count, input, out_tensor != nullptr, values);
    call_resolved<graph::primitive_gradient>(resolved, "primitive_gradient", result, *tree, tensors,
                                             input, grad_tensor, out_tensor);
  });
}

}  // extern "C"
