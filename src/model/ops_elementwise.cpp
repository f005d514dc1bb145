// Ops that compute each element by itself. Most are operators of netcl under the same name.
#include "model/op_table.hpp"
#include "ops/elementwise/elementwise_op.hpp"
#include "ops/elementwise/elementwise_plan.hpp"

namespace netcl::model {

namespace {

netcl_dtype own_dtype(netcl_elementwise op, std::span<const TensorRef> inputs,
                      const ops::ElementwiseParameters& parameters) {
  // ONNX's result has the type of the base.
  if (op == NETCL_ELEMENTWISE_POW) return inputs[0]->dtype();
  std::vector<netcl_dtype> dtypes;
  for (const TensorRef& input : inputs) dtypes.push_back(input->dtype());
  const auto typed =
      ops::typed_expression(*ops::elementwise_tree(op, inputs, parameters), dtypes.data(),
                            static_cast<uint32_t>(dtypes.size()), 0);
  return typed->tree.results[0].dtype;
}

TensorRef operated(const Call& call, const char* op, std::vector<TensorRef> inputs,
                   const ops::ElementwiseParameters& parameters = {}) {
  const netcl_elementwise number = ops::find_elementwise(op);
  ops::require_elementwise_inputs(number, inputs.size());
  netcl_dtype dtype = 0;  // the operator's own
  if (call.is_mixed()) dtype = call.result_dtype(own_dtype(number, inputs, parameters));
  return call.made<ops::elementwise>("elementwise", number, std::span<const TensorRef>(inputs),
                                     parameters, dtype, netcl_variant{0});
}

TensorRef computed(const Call& call, const std::string& text,
                   std::initializer_list<TensorRef> inputs) {
  return call.formula(text, inputs, call.result_dtype((*inputs.begin())->dtype()));
}

void build_plain(Call& call) { call.give(operated(call, call.op().c_str(), call.tensors())); }

// Of operators whose parameters are attributes.
struct ParameterRow {
  const char* op;
  const char* alpha;
  const char* beta;
};
constexpr ParameterRow kParameters[] = {
    {"Celu", "alpha", nullptr},           {"Elu", "alpha", nullptr},
    {"HardSigmoid", "alpha", "beta"},     {"LeakyRelu", "alpha", nullptr},
    {"Selu", "alpha", "gamma"},           {"Shrink", "lambd", "bias"},
    {"ThresholdedRelu", "alpha", nullptr}};

void build_parameters(Call& call) {
  ops::ElementwiseParameters parameters =
      ops::elementwise_defaults(ops::find_elementwise(call.op().c_str()));
  parameters.given = true;
  for (const ParameterRow& row : kParameters) {
    if (call.op() != row.op) continue;
    parameters.alpha = call.real(row.alpha, parameters.alpha);
    if (row.beta != nullptr) parameters.beta = call.real(row.beta, parameters.beta);
  }
  call.give(operated(call, call.op().c_str(), call.tensors(), parameters));
}

// What promotion would make wider stays in the type of the inputs.
void build_arithmetic(Call& call) {
  const std::vector<TensorRef> inputs = call.tensors();
  const netcl_elementwise number = ops::find_elementwise(call.op().c_str());
  ops::require_elementwise_inputs(number, inputs.size());
  for (const TensorRef& input : inputs) {
    if (call.alike(input->dtype(), inputs[0]->dtype())) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the inputs are %s and %s; they are of one type",
         dtype_facts(inputs[0]->dtype()).name, dtype_facts(input->dtype()).name);
  }
  call.give(call.made<ops::elementwise>("elementwise", number, std::span<const TensorRef>(inputs),
                                        ops::ElementwiseParameters{},
                                        call.result_dtype(inputs[0]->dtype()), netcl_variant{0}));
}

void build_mod(Call& call) {
  const ops::ElementwiseParameters parameters{true, call.integer("fmod", 0) != 0 ? 1.0 : 0.0, 0.0};
  call.give(operated(call, "Mod", call.tensors(), parameters));
}

void build_is_inf(Call& call) {
  const ops::ElementwiseParameters parameters{
      true, static_cast<double>(call.integer("detect_negative", 1)),
      static_cast<double>(call.integer("detect_positive", 1))};
  call.give(operated(call, "IsInf", call.tensors(), parameters));
}

void build_clip(Call& call) {
  const TensorRef x = call.tensor(0);
  TensorRef low = call.optional(1), high = call.optional(2);
  if (call.find("min") != nullptr) low = call.constant(x->dtype(), {}, {call.real("min", 0)});
  if (call.find("max") != nullptr) high = call.constant(x->dtype(), {}, {call.real("max", 0)});
  const auto scalar = [&](const TensorRef& bound) { return call.reshaped(bound, {}); };
  if (low != nullptr && high != nullptr) {
    call.give(operated(call, "Clip", {x, scalar(low), scalar(high)}));
  } else if (low != nullptr) {
    call.give(computed(call, "max(v0, v1)", {x, scalar(low)}));
  } else if (high != nullptr) {
    call.give(computed(call, "min(v0, v1)", {x, scalar(high)}));
  } else {
    call.give(x);
  }
}

// Later forms have inputs for them.
std::string refuse_clip(const NodeFacts& node) {
  const bool has = node.find("min") != nullptr || node.find("max") != nullptr;
  return has && node.opset() >= 11 ? "bounds as attributes, of opset 11 or later" : "";
}

void build_gelu(Call& call) {
  const bool tanh = call.text("approximate", "none") == "tanh";
  call.give(operated(call, tanh ? "GeluTanh" : "Gelu", call.tensors()));
}

void build_swish(Call& call) {
  const std::string scale = graph::literal(call.real("alpha", 1.0));
  call.give(computed(call, "v0 * sigmoid(v0 * " + scale + ")", {call.tensor(0)}));
}

void build_swiglu(Call& call) {
  const TensorRef a = call.tensor(0), b = call.tensor(1);
  if (!a->layout().same_shape(b->layout())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the inputs have shapes %s and %s", shape_text(*a).c_str(),
         shape_text(*b).c_str());
  }
  const std::string scale = graph::literal(call.real("alpha", 1.0));
  call.give(computed(call, "v0 * sigmoid(v0 * " + scale + ") * v1", {a, b}));
}

// Opset 28 has another slope below zero of the activation.
void build_prelu(Call& call) {
  call.give(operated(call, "PRelu", {call.tensor(0), call.tensor(1)}));
}

void build_bit_shift(Call& call) {
  const bool left = call.text("direction", "") == "LEFT";
  call.give(operated(call, left ? "BitShiftLeft" : "BitShiftRight", call.tensors()));
}

void build_bitwise(Call& call) {
  const char* const text = call.op() == "BitwiseAnd"  ? "v0 & v1"
                           : call.op() == "BitwiseOr" ? "v0 | v1"
                                                      : "v0 ^ v1";
  call.give(call.formula(text, {call.tensor(0), call.tensor(1)}, call.tensor(0)->dtype()));
}

void build_bitwise_not(Call& call) { call.give(call.formula("~v0", {call.tensor(0)})); }

void build_cast(Call& call) {
  const netcl_dtype dtype = dtype_of(static_cast<int32_t>(call.integer("to", 0)));
  call.give(call.cast(call.tensor(0), dtype));
}

void build_cast_like(Call& call) { call.give(call.cast(call.tensor(0), call.tensor(1)->dtype())); }

std::string refuse_cast(const NodeFacts& node) {
  const int64_t to = node.integer("to", 0);
  const int32_t type = static_cast<int32_t>(to);
  if (type == to && dtype_of(type) != 0) return "";
  return "a result of " + type_name(type);
}

constexpr OpRow kRows[] = {
    {"Abs", "", build_plain},
    {"Acos", "", build_plain},
    {"Acosh", "", build_plain},
    {"Add", "", build_arithmetic},
    {"And", "", build_plain},
    {"Asin", "", build_plain},
    {"Asinh", "", build_plain},
    {"Atan", "", build_plain},
    {"Atanh", "", build_plain},
    {"BitShift", "direction", build_bit_shift},
    {"BitwiseAnd", "", build_bitwise},
    {"BitwiseNot", "", build_bitwise_not},
    {"BitwiseOr", "", build_bitwise},
    {"BitwiseXor", "", build_bitwise},
    {"Cast", "to saturate round_mode", build_cast, "", refuse_cast},
    {"CastLike", "saturate round_mode", build_cast_like},
    {"Ceil", "", build_plain},
    {"Celu", "alpha", build_parameters},
    {"Clip", "min max", build_clip, "", refuse_clip},
    {"Cos", "", build_plain},
    {"Cosh", "", build_plain},
    {"Div", "", build_arithmetic},
    {"Elu", "alpha", build_parameters},
    {"Equal", "", build_plain},
    {"Erf", "", build_plain},
    {"Exp", "", build_plain},
    {"Floor", "", build_plain},
    {"Gelu", "approximate", build_gelu},
    {"Greater", "", build_plain},
    {"GreaterOrEqual", "", build_plain},
    {"HardSigmoid", "alpha beta", build_parameters},
    {"HardSwish", "", build_plain},
    {"IsInf", "detect_negative detect_positive", build_is_inf},
    {"IsNaN", "", build_plain},
    {"LeakyRelu", "alpha", build_parameters},
    {"Less", "", build_plain},
    {"LessOrEqual", "", build_plain},
    {"Log", "", build_plain},
    {"Max", "", build_arithmetic},
    {"Mean", "", build_plain},
    {"Min", "", build_arithmetic},
    {"Mish", "", build_plain},
    {"Mod", "fmod", build_mod},
    {"Mul", "", build_arithmetic},
    {"Neg", "", build_plain},
    {"Not", "", build_plain},
    {"Or", "", build_plain},
    {"PRelu", "", build_prelu},
    {"Pow", "", build_plain},
    {"Reciprocal", "", build_plain},
    {"Relu", "", build_plain},
    {"Round", "", build_plain},
    {"Selu", "alpha gamma", build_parameters},
    {"Shrink", "lambd bias", build_parameters},
    {"Sigmoid", "", build_plain},
    {"Sign", "", build_plain},
    {"Sin", "", build_plain},
    {"Sinh", "", build_plain},
    {"Softplus", "", build_plain},
    {"Softsign", "", build_plain},
    {"Sqrt", "", build_plain},
    {"Sub", "", build_arithmetic},
    {"Sum", "", build_arithmetic},
    {"SwiGLU", "alpha", build_swiglu},
    {"Swish", "alpha", build_swish},
    {"Tan", "", build_plain},
    {"Tanh", "", build_plain},
    {"ThresholdedRelu", "alpha", build_parameters},
    {"Where", "", build_plain},
    {"Xor", "", build_plain},
};

}  // namespace

std::span<const OpRow> elementwise_rows() { return kRows; }

}  // namespace netcl::model
