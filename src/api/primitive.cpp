#include "graph/primitive.hpp"

#include <cstring>

#include "api/call_op.hpp"
#include "graph/primitive_gradient.hpp"
#include "ops/elementwise/elementwise.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

constexpr size_t kNameMax = 127;

const char* checked_name(const char* name) {
  require_text(name, "name");
  if (strnlen(name, kNameMax + 1) > kNameMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "name is %s, longer than %zu bytes",
         quoted(name, 40).c_str(), kNameMax);
  }
  return name;
}

// The texts of an array in an options struct.
std::span<const char* const> checked_texts(const char* const* texts, uint32_t count,
                                           const char* member) {
  require_array(texts, count, member);
  for (uint32_t i = 0; i < count; ++i) {
    if (texts[i] == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%u] is NULL", member, i);
  }
  return {texts, count};
}

void require_count(uint32_t count, uint32_t wanted, const char* member, const char* why) {
  if (count == wanted) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %u; it is %u, %s", member, count, wanted, why);
}

graph::PrimitiveDefinition read_definition(const char* name, const netcl_primitive_options* given) {
  const netcl_primitive_options options = read_struct(given, "options");
  graph::PrimitiveDefinition definition;
  definition.name = name;
  definition.arity = options.arity;
  if (options.arity > NETCL_PRIMITIVE_INPUTS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->arity is %u; the limit is %d", options.arity,
         NETCL_PRIMITIVE_INPUTS_MAX);
  }
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
  if (options.attributes_count > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->attributes_count is %u; the limit is %d",
         options.attributes_count, NETCL_ARGS_MAX);
  }
  for (const char* text :
       checked_texts(options.attributes, options.attributes_count, "options->attributes")) {
    definition.attributes.push_back(text);
  }
  if (options.defaults_count != 0) {
    require_array(options.defaults, options.defaults_count, "options->defaults");
    require_count(options.defaults_count, options.attributes_count, "options->defaults_count",
                  "a value for each attribute, or 0");
    definition.defaults.assign(options.defaults, options.defaults + options.defaults_count);
  }
  return definition;
}

// The options of a call as they were given, checked as far as that goes without the primitive.
struct CallAttributes {
  explicit CallAttributes(const netcl_primitive_call_options* given) {
    const netcl_primitive_call_options options = read_options(given, "options");
    names = checked_texts(options.attributes, options.attributes_count, "options->attributes");
    require_array(options.values, options.values_count, "options->values");
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

}  // namespace

extern "C" {

netcl_status netcl_primitive_register(const char* name, const netcl_primitive_options* options) {
  return guarded([&] {
    checked_name(name);
    graph::PrimitiveRegistry::instance().add(
        std::make_shared<graph::Primitive>(read_definition(name, options)));
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
    const auto tree = primitive->gradient(inputs_count, input, out_tensor != nullptr,
                                          primitive->values(attributes.names, attributes.values));
    call_resolved<graph::primitive_gradient>(resolved, "primitive_gradient", result, *tree, tensors,
                                             input, grad_tensor, out_tensor);
  });
}

}  // extern "C"
