// Written by bindings/generator/generate.py from include/netcl.h; do not edit.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_GENERATED_OPS_HPP
#define NETCL_GENERATED_OPS_HPP

#include <netcl/generated/calls.hpp>

namespace netcl {
inline namespace NETCL_HPP_MODE {
namespace op {

/**
 * Evaluates an expression over tensors, broadcast to one shape, as one fused kernel: a chain of
 * elementwise work is built once with netcl_expression_create and reused here. See
 * netcl_op_expression.
 */
[[nodiscard]] inline returns<netcl::tensor> expression(
    netcl::expression_ref expression, netcl::view<netcl::tensor_ref> inputs,
    const netcl_expression_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_expression(expression.raw(), inputs.as<netcl_tensor *>(),
                                          inputs.count(), options, run,
                                          detail::place(detail::value(out))));
  return out;
}

/** expression with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> expression(netcl::expression_ref expression,
                                                       netcl::view<netcl::tensor_ref> inputs,
                                                       const run_alone& run) {
  return op::expression(expression, inputs, nullptr, run.get());
}

/** As netcl_op_expression does, into a given tensor. */
inline returns<void> expression_into(tensor_ref into, netcl::expression_ref expression,
                                     netcl::view<netcl::tensor_ref> inputs,
                                     const netcl_expression_options* options = nullptr,
                                     const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_expression(expression.raw(), inputs.as<netcl_tensor *>(),
                                          inputs.count(), options, &with, nullptr));
}

/** expression_into with options of the run alone. */
inline returns<void> expression_into(tensor_ref into, netcl::expression_ref expression,
                                     netcl::view<netcl::tensor_ref> inputs, const run_alone& run) {
  return op::expression_into(into, expression, inputs, nullptr, run.get());
}

/**
 * Evaluates an expression given as text: netcl_expression_create (kept for the next call with the
 * same text), then netcl_op_expression. See netcl_op_expression_text.
 */
[[nodiscard]] inline returns<netcl::tensor> expression_text(
    netcl::text text, netcl::view<netcl::tensor_ref> inputs,
    const netcl_expression_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_expression_text(text.c_str(), inputs.as<netcl_tensor *>(),
                                               inputs.count(), options, run,
                                               detail::place(detail::value(out))));
  return out;
}

/** expression_text with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> expression_text(netcl::text text,
                                                            netcl::view<netcl::tensor_ref> inputs,
                                                            const run_alone& run) {
  return op::expression_text(text, inputs, nullptr, run.get());
}

/** As netcl_op_expression_text does, into a given tensor. */
inline returns<void> expression_text_into(tensor_ref into, netcl::text text,
                                          netcl::view<netcl::tensor_ref> inputs,
                                          const netcl_expression_options* options = nullptr,
                                          const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_expression_text(text.c_str(), inputs.as<netcl_tensor *>(),
                                               inputs.count(), options, &with, nullptr));
}

/** expression_text_into with options of the run alone. */
inline returns<void> expression_text_into(tensor_ref into, netcl::text text,
                                          netcl::view<netcl::tensor_ref> inputs,
                                          const run_alone& run) {
  return op::expression_text_into(into, text, inputs, nullptr, run.get());
}

/**
 * Evaluates up to NETCL_RESULTS_MAX expressions over the same inputs as one fused kernel, which
 * reads each input once, computes what the expressions have in common once and stores a result for
 * each. See netcl_op_expressions.
 */
[[nodiscard]] inline returns<std::vector<netcl::tensor>> expressions(
    netcl::view<netcl::text> texts, netcl::view<netcl::tensor_ref> inputs,
    const netcl_expressions_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<std::vector<netcl::tensor>> out{};
  detail::value(out).resize(texts.size());
  detail::settle(out, netcl_op_expressions(texts.as<const char *>(), texts.count(),
                                           inputs.as<netcl_tensor *>(), inputs.count(), options,
                                           run, detail::place(detail::value(out))));
  return out;
}

/** expressions with options of the run alone. */
[[nodiscard]] inline returns<std::vector<netcl::tensor>> expressions(
    netcl::view<netcl::text> texts, netcl::view<netcl::tensor_ref> inputs, const run_alone& run) {
  return op::expressions(texts, inputs, nullptr, run.get());
}

/**
 * Applies an operator to tensors, broadcast to one shape: the expression of its formula, whose
 * dtypes and error bounds docs/expressions.md lists. See netcl_op_elementwise.
 */
[[nodiscard]] inline returns<netcl::tensor> elementwise(
    netcl::elementwise op, netcl::view<netcl::tensor_ref> inputs,
    const netcl_elementwise_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_elementwise(static_cast<netcl_elementwise>(op),
                                           inputs.as<netcl_tensor *>(), inputs.count(), options,
                                           run, detail::place(detail::value(out))));
  return out;
}

/** elementwise with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> elementwise(netcl::elementwise op,
                                                        netcl::view<netcl::tensor_ref> inputs,
                                                        const run_alone& run) {
  return op::elementwise(op, inputs, nullptr, run.get());
}

/** As netcl_op_elementwise does, into a given tensor. */
inline returns<void> elementwise_into(tensor_ref into, netcl::elementwise op,
                                      netcl::view<netcl::tensor_ref> inputs,
                                      const netcl_elementwise_options* options = nullptr,
                                      const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_elementwise(static_cast<netcl_elementwise>(op),
                                           inputs.as<netcl_tensor *>(), inputs.count(), options,
                                           &with, nullptr));
}

/** elementwise_into with options of the run alone. */
inline returns<void> elementwise_into(tensor_ref into, netcl::elementwise op,
                                      netcl::view<netcl::tensor_ref> inputs, const run_alone& run) {
  return op::elementwise_into(into, op, inputs, nullptr, run.get());
}

/**
 * Adds a vector along one axis: bias has rank 1 and the extent of that axis. See netcl_op_bias_add.
 */
[[nodiscard]] inline returns<netcl::tensor> bias_add(netcl::tensor_ref x, netcl::tensor_ref bias,
                                                     int32_t axis,
                                                     const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_bias_add(x.raw(), bias.raw(), axis, run,
                                        detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_bias_add does, into a given tensor. */
inline returns<void> bias_add_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref bias,
                                   int32_t axis, const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_bias_add(x.raw(), bias.raw(), axis, &with, nullptr));
}

/**
 * Copies a tensor to new C-order memory, or to run->into (same shape and dtype, any strides). See
 * netcl_op_copy.
 */
[[nodiscard]] inline returns<netcl::tensor> copy(netcl::tensor_ref tensor,
                                                 const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_copy(tensor.raw(), run, detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_copy does, into a given tensor. */
inline returns<void> copy_into(tensor_ref into, netcl::tensor_ref tensor,
                               const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_copy(tensor.raw(), &with, nullptr));
}

/**
 * Gives the tensor itself (one more reference) when it is packed in C order, else a copy that is:
 * the shape and the dtype stay. See netcl_op_contiguous.
 */
[[nodiscard]] inline returns<netcl::tensor> contiguous(netcl::tensor_ref tensor,
                                                       const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_contiguous(tensor.raw(), run, detail::place(detail::value(out))));
  return out;
}

/** Converts elements to another dtype, in the same shape. See netcl_op_cast. */
[[nodiscard]] inline returns<netcl::tensor> cast(netcl::tensor_ref tensor, netcl::dtype dtype,
                                                 const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_cast(tensor.raw(), static_cast<netcl_dtype>(dtype), run,
                                    detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_cast does, into a given tensor. */
inline returns<void> cast_into(tensor_ref into, netcl::tensor_ref tensor, netcl::dtype dtype,
                               const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_cast(tensor.raw(), static_cast<netcl_dtype>(dtype), &with, nullptr));
}

/**
 * Sets every element of a tensor of any shape, strides and dtype to one value of its dtype. See
 * netcl_op_fill.
 */
inline returns<void> fill(netcl::tensor_ref tensor, const netcl::scalar& value,
                          const netcl_run_options* run = nullptr) {
  detail::element value_element;
  if (const netcl_status status = value_element.take("value", value, tensor.raw()); status != NETCL_OK) {
    return detail::failed<void>(status);
  }
  return detail::done(netcl_op_fill(tensor.raw(), value_element.data(), run));
}

/**
 * Sets element i of a tensor, counted in C order, to start + i step, as ONNX Range. See
 * netcl_op_range.
 */
inline returns<void> range(netcl::tensor_ref tensor, const netcl::scalar& start_value,
                           const netcl::scalar& step_value,
                           const netcl_run_options* run = nullptr) {
  detail::element start_value_element;
  detail::element step_value_element;
  if (const netcl_status status = start_value_element.take("start_value", start_value, tensor.raw()); status != NETCL_OK) {
    return detail::failed<void>(status);
  }
  if (const netcl_status status = step_value_element.take("step_value", step_value, tensor.raw()); status != NETCL_OK) {
    return detail::failed<void>(status);
  }
  return detail::done(netcl_op_range(tensor.raw(), start_value_element.data(),
                                     step_value_element.data(), run));
}

/**
 * Sets each matrix of the last two dimensions of a tensor to 1 where the column is the row plus k,
 * and to 0 elsewhere, as ONNX EyeLike. See netcl_op_eye.
 */
inline returns<void> eye(netcl::tensor_ref tensor, int64_t k,
                         const netcl_run_options* run = nullptr) {
  return detail::done(netcl_op_eye(tensor.raw(), k, run));
}

/**
 * Calls a primitive by its name: netcl_op_expression of its forward formula, with the same rules
 * for shapes, dtypes and run->into; or its kernel or function, whose result is copied to run->into
 * where that is set. See netcl_op_primitive.
 */
[[nodiscard]] inline returns<netcl::tensor> primitive(
    netcl::text name, netcl::view<netcl::tensor_ref> inputs,
    const netcl_primitive_call_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_primitive(name.c_str(), inputs.as<netcl_tensor *>(), inputs.count(),
                                         options, run, detail::place(detail::value(out))));
  return out;
}

/** primitive with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> primitive(netcl::text name,
                                                      netcl::view<netcl::tensor_ref> inputs,
                                                      const run_alone& run) {
  return op::primitive(name, inputs, nullptr, run.get());
}

/** As netcl_op_primitive does, into a given tensor. */
inline returns<void> primitive_into(tensor_ref into, netcl::text name,
                                    netcl::view<netcl::tensor_ref> inputs,
                                    const netcl_primitive_call_options* options = nullptr,
                                    const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_primitive(name.c_str(), inputs.as<netcl_tensor *>(), inputs.count(),
                                         options, &with, nullptr));
}

/** primitive_into with options of the run alone. */
inline returns<void> primitive_into(tensor_ref into, netcl::text name,
                                    netcl::view<netcl::tensor_ref> inputs, const run_alone& run) {
  return op::primitive_into(into, name, inputs, nullptr, run.get());
}

/**
 * Gives the gradient of a primitive with respect to inputs[input], from the inputs of the call,
 * `grad`, the gradient of what was made of its result, and `out`, its result. See
 * netcl_op_primitive_gradient.
 */
[[nodiscard]] inline returns<netcl::tensor> primitive_gradient(
    netcl::text name, netcl::view<netcl::tensor_ref> inputs, uint32_t input, netcl::tensor_ref grad,
    netcl::tensor_ref out_ = {}, const netcl_primitive_call_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_primitive_gradient(name.c_str(), inputs.as<netcl_tensor *>(),
                                                  inputs.count(), input, grad.raw(), out_.raw(),
                                                  options, run, detail::place(detail::value(out))));
  return out;
}

/** primitive_gradient with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> primitive_gradient(
    netcl::text name, netcl::view<netcl::tensor_ref> inputs, uint32_t input, netcl::tensor_ref grad,
    netcl::tensor_ref out_, const run_alone& run) {
  return op::primitive_gradient(name, inputs, input, grad, out_, nullptr, run.get());
}

/** As netcl_op_primitive_gradient does, into a given tensor. */
inline returns<void> primitive_gradient_into(
    tensor_ref into, netcl::text name, netcl::view<netcl::tensor_ref> inputs, uint32_t input,
    netcl::tensor_ref grad, netcl::tensor_ref out_ = {},
    const netcl_primitive_call_options* options = nullptr, const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_primitive_gradient(name.c_str(), inputs.as<netcl_tensor *>(),
                                                  inputs.count(), input, grad.raw(), out_.raw(),
                                                  options, &with, nullptr));
}

/** primitive_gradient_into with options of the run alone. */
inline returns<void> primitive_gradient_into(tensor_ref into, netcl::text name,
                                             netcl::view<netcl::tensor_ref> inputs, uint32_t input,
                                             netcl::tensor_ref grad, netcl::tensor_ref out_,
                                             const run_alone& run) {
  return op::primitive_gradient_into(into, name, inputs, input, grad, out_, nullptr, run.get());
}

/**
 * Matrix product as ONNX MatMul: result = epilogue(alpha * a * b + beta * into). See
 * netcl_op_matmul.
 */
[[nodiscard]] inline returns<netcl::tensor> matmul(netcl::tensor_ref a, netcl::tensor_ref b,
                                                   const netcl_matmul_options* options = nullptr,
                                                   const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_matmul(a.raw(), b.raw(), options, run,
                                      detail::place(detail::value(out))));
  return out;
}

/** matmul with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> matmul(netcl::tensor_ref a, netcl::tensor_ref b,
                                                   const run_alone& run) {
  return op::matmul(a, b, nullptr, run.get());
}

/** As netcl_op_matmul does, into a given tensor. */
inline returns<void> matmul_into(tensor_ref into, netcl::tensor_ref a, netcl::tensor_ref b,
                                 const netcl_matmul_options* options = nullptr,
                                 const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_matmul(a.raw(), b.raw(), options, &with, nullptr));
}

/** matmul_into with options of the run alone. */
inline returns<void> matmul_into(tensor_ref into, netcl::tensor_ref a, netcl::tensor_ref b,
                                 const run_alone& run) {
  return op::matmul_into(into, a, b, nullptr, run.get());
}

/**
 * Sums of products of tensors with a letter for each axis, as ONNX Einsum: "ij,jk->ik" is a product
 * of matrices, "bhqd,bhkd->bhqk" a stack of them, "ij->ji" a transposition, "ii->i" a diagonal,
 * "ij->" the sum of all elements. See netcl_op_einsum.
 */
[[nodiscard]] inline returns<netcl::tensor> einsum(netcl::text equation,
                                                   netcl::view<netcl::tensor_ref> inputs,
                                                   const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_einsum(equation.c_str(), inputs.as<netcl_tensor *>(), inputs.count(),
                                      run, detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_einsum does, into a given tensor. */
inline returns<void> einsum_into(tensor_ref into, netcl::text equation,
                                 netcl::view<netcl::tensor_ref> inputs,
                                 const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_einsum(equation.c_str(), inputs.as<netcl_tensor *>(), inputs.count(),
                                      &with, nullptr));
}

/**
 * 2-d convolution as ONNX Conv: x is [N, C, H, W], w is [F, C / groups, KH, KW], the result [N, F,
 * OH, OW] with OH = (H + top + bottom - dilation (KH - 1) - 1) / stride + 1, at least 1. See
 * netcl_op_conv2d.
 */
[[nodiscard]] inline returns<netcl::tensor> conv2d(netcl::tensor_ref x, netcl::tensor_ref w,
                                                   const netcl_conv2d_options* options = nullptr,
                                                   const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_conv2d(x.raw(), w.raw(), options, run,
                                      detail::place(detail::value(out))));
  return out;
}

/** conv2d with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> conv2d(netcl::tensor_ref x, netcl::tensor_ref w,
                                                   const run_alone& run) {
  return op::conv2d(x, w, nullptr, run.get());
}

/** As netcl_op_conv2d does, into a given tensor. */
inline returns<void> conv2d_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref w,
                                 const netcl_conv2d_options* options = nullptr,
                                 const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_conv2d(x.raw(), w.raw(), options, &with, nullptr));
}

/** conv2d_into with options of the run alone. */
inline returns<void> conv2d_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref w,
                                 const run_alone& run) {
  return op::conv2d_into(into, x, w, nullptr, run.get());
}

/** Product with quantised weights: result = epilogue(x * W^T). See netcl_op_matmul_quantized. */
[[nodiscard]] inline returns<netcl::tensor> matmul_quantized(
    netcl::tensor_ref x, netcl::tensor_ref weights,
    const netcl_quantized_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_matmul_quantized(x.raw(), weights.raw(), options, run,
                                                detail::place(detail::value(out))));
  return out;
}

/** matmul_quantized with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> matmul_quantized(netcl::tensor_ref x,
                                                             netcl::tensor_ref weights,
                                                             const run_alone& run) {
  return op::matmul_quantized(x, weights, nullptr, run.get());
}

/** As netcl_op_matmul_quantized does, into a given tensor. */
inline returns<void> matmul_quantized_into(tensor_ref into, netcl::tensor_ref x,
                                           netcl::tensor_ref weights,
                                           const netcl_quantized_options* options = nullptr,
                                           const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_matmul_quantized(x.raw(), weights.raw(), options, &with, nullptr));
}

/** matmul_quantized_into with options of the run alone. */
inline returns<void> matmul_quantized_into(tensor_ref into, netcl::tensor_ref x,
                                           netcl::tensor_ref weights, const run_alone& run) {
  return op::matmul_quantized_into(into, x, weights, nullptr, run.get());
}

/**
 * The weights W as a matrix [N, K], rounded to f32 as there and then to the result's dtype. See
 * netcl_op_dequantize_weights.
 */
[[nodiscard]] inline returns<netcl::tensor> dequantize_weights(
    netcl::tensor_ref weights, const netcl_quantized_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_dequantize_weights(weights.raw(), options, run,
                                                  detail::place(detail::value(out))));
  return out;
}

/** dequantize_weights with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> dequantize_weights(netcl::tensor_ref weights,
                                                               const run_alone& run) {
  return op::dequantize_weights(weights, nullptr, run.get());
}

/** As netcl_op_dequantize_weights does, into a given tensor. */
inline returns<void> dequantize_weights_into(tensor_ref into, netcl::tensor_ref weights,
                                             const netcl_quantized_options* options = nullptr,
                                             const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_dequantize_weights(weights.raw(), options, &with, nullptr));
}

/** dequantize_weights_into with options of the run alone. */
inline returns<void> dequantize_weights_into(tensor_ref into, netcl::tensor_ref weights,
                                             const run_alone& run) {
  return op::dequantize_weights_into(into, weights, nullptr, run.get());
}

/**
 * Quantises a matrix w of [N, K], K from 1 on, of f32, f16 or bf16. See netcl_op_quantize_weights.
 * Gives weights, scales, zero_points.
 */
[[nodiscard]] inline returns<std::tuple<netcl::tensor, netcl::tensor, netcl::tensor>> quantize_weights(
    netcl::tensor_ref w, const netcl_quantized_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<std::tuple<netcl::tensor, netcl::tensor, netcl::tensor>> out{};
  detail::settle(out, netcl_op_quantize_weights(w.raw(), options, run,
                                                detail::place(std::get<0>(detail::value(out))),
                                                detail::place(std::get<1>(detail::value(out))),
                                                detail::place(std::get<2>(detail::value(out)))));
  return out;
}

/** quantize_weights with options of the run alone. */
[[nodiscard]] inline returns<std::tuple<netcl::tensor, netcl::tensor, netcl::tensor>> quantize_weights(
    netcl::tensor_ref w, const run_alone& run) {
  return op::quantize_weights(w, nullptr, run.get());
}

/** As netcl_op_quantize_weights does, into a given tensor. */
inline returns<void> quantize_weights_into(tensor_ref into, netcl::tensor_ref w,
                                           const netcl_quantized_options* options = nullptr,
                                           const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_quantize_weights(w.raw(), options, &with, nullptr, nullptr,
                                                nullptr));
}

/** quantize_weights_into with options of the run alone. */
inline returns<void> quantize_weights_into(tensor_ref into, netcl::tensor_ref w,
                                           const run_alone& run) {
  return op::quantize_weights_into(into, w, nullptr, run.get());
}

/**
 * Scaled dot-product attention: result[b, h, m] = sum over n of p[n] v[b, g, n] with p = softmax of
 * scale * (q[b, h, m] . See netcl_op_attention. Gives result, lse.
 */
[[nodiscard]] inline returns<std::tuple<netcl::tensor, netcl::tensor>> attention(
    netcl::tensor_ref q, netcl::tensor_ref k, netcl::tensor_ref v,
    const netcl_attention_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<std::tuple<netcl::tensor, netcl::tensor>> out{};
  detail::settle(out, netcl_op_attention(q.raw(), k.raw(), v.raw(), options, run,
                                         detail::place(std::get<0>(detail::value(out))),
                                         detail::place(std::get<1>(detail::value(out)))));
  return out;
}

/** attention with options of the run alone. */
[[nodiscard]] inline returns<std::tuple<netcl::tensor, netcl::tensor>> attention(
    netcl::tensor_ref q, netcl::tensor_ref k, netcl::tensor_ref v, const run_alone& run) {
  return op::attention(q, k, v, nullptr, run.get());
}

/** As netcl_op_attention does, into a given tensor. */
inline returns<void> attention_into(tensor_ref into, netcl::tensor_ref q, netcl::tensor_ref k,
                                    netcl::tensor_ref v,
                                    const netcl_attention_options* options = nullptr,
                                    const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_attention(q.raw(), k.raw(), v.raw(), options, &with, nullptr,
                                         nullptr));
}

/** attention_into with options of the run alone. */
inline returns<void> attention_into(tensor_ref into, netcl::tensor_ref q, netcl::tensor_ref k,
                                    netcl::tensor_ref v, const run_alone& run) {
  return op::attention_into(into, q, k, v, nullptr, run.get());
}

/**
 * Rotary position embedding (Su et al., 2021) as ONNX RotaryEmbedding 23: each pair (a, b) of a
 * head becomes (a cos - b sin, b cos + a sin). See netcl_op_rotary_embedding.
 */
[[nodiscard]] inline returns<netcl::tensor> rotary_embedding(
    netcl::tensor_ref x, netcl::tensor_ref cos_cache, netcl::tensor_ref sin_cache,
    const netcl_rotary_embedding_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_rotary_embedding(x.raw(), cos_cache.raw(), sin_cache.raw(), options,
                                                run, detail::place(detail::value(out))));
  return out;
}

/** rotary_embedding with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> rotary_embedding(netcl::tensor_ref x,
                                                             netcl::tensor_ref cos_cache,
                                                             netcl::tensor_ref sin_cache,
                                                             const run_alone& run) {
  return op::rotary_embedding(x, cos_cache, sin_cache, nullptr, run.get());
}

/** As netcl_op_rotary_embedding does, into a given tensor. */
inline returns<void> rotary_embedding_into(
    tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref cos_cache, netcl::tensor_ref sin_cache,
    const netcl_rotary_embedding_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_rotary_embedding(x.raw(), cos_cache.raw(), sin_cache.raw(), options,
                                                &with, nullptr));
}

/** rotary_embedding_into with options of the run alone. */
inline returns<void> rotary_embedding_into(tensor_ref into, netcl::tensor_ref x,
                                           netcl::tensor_ref cos_cache, netcl::tensor_ref sin_cache,
                                           const run_alone& run) {
  return op::rotary_embedding_into(into, x, cos_cache, sin_cache, nullptr, run.get());
}

/** Reduces over axes, as ReduceSum . See netcl_op_reduce. */
[[nodiscard]] inline returns<netcl::tensor> reduce(netcl::tensor_ref x, netcl::reduction kind,
                                                   const netcl_reduce_options* options = nullptr,
                                                   const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_reduce(x.raw(), static_cast<netcl_reduction>(kind), options, run,
                                      detail::place(detail::value(out))));
  return out;
}

/** reduce with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> reduce(netcl::tensor_ref x, netcl::reduction kind,
                                                   const run_alone& run) {
  return op::reduce(x, kind, nullptr, run.get());
}

/** As netcl_op_reduce does, into a given tensor. */
inline returns<void> reduce_into(tensor_ref into, netcl::tensor_ref x, netcl::reduction kind,
                                 const netcl_reduce_options* options = nullptr,
                                 const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_reduce(x.raw(), static_cast<netcl_reduction>(kind), options, &with,
                                      nullptr));
}

/** reduce_into with options of the run alone. */
inline returns<void> reduce_into(tensor_ref into, netcl::tensor_ref x, netcl::reduction kind,
                                 const run_alone& run) {
  return op::reduce_into(into, x, kind, nullptr, run.get());
}

/**
 * Running SUM, PROD, MAX or MIN along an axis, as ONNX CumSum: y[i] = x[0] + . See netcl_op_scan.
 */
[[nodiscard]] inline returns<netcl::tensor> scan(netcl::tensor_ref x, netcl::reduction kind,
                                                 int32_t axis,
                                                 const netcl_scan_options* options = nullptr,
                                                 const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_scan(x.raw(), static_cast<netcl_reduction>(kind), axis, options, run,
                                    detail::place(detail::value(out))));
  return out;
}

/** scan with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> scan(netcl::tensor_ref x, netcl::reduction kind,
                                                 int32_t axis, const run_alone& run) {
  return op::scan(x, kind, axis, nullptr, run.get());
}

/** As netcl_op_scan does, into a given tensor. */
inline returns<void> scan_into(tensor_ref into, netcl::tensor_ref x, netcl::reduction kind,
                               int32_t axis, const netcl_scan_options* options = nullptr,
                               const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_scan(x.raw(), static_cast<netcl_reduction>(kind), axis, options,
                                    &with, nullptr));
}

/** scan_into with options of the run alone. */
inline returns<void> scan_into(tensor_ref into, netcl::tensor_ref x, netcl::reduction kind,
                               int32_t axis, const run_alone& run) {
  return op::scan_into(into, x, kind, axis, nullptr, run.get());
}

/**
 * Counts elements of a tensor of any shape and dtype in `bins` (1 or more) equal bins from low to
 * high, which are finite with low < high: i64 of [bins], exact. See netcl_op_histogram.
 */
[[nodiscard]] inline returns<netcl::tensor> histogram(
    netcl::tensor_ref x, int64_t bins, const netcl_histogram_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_histogram(x.raw(), bins, options, run,
                                         detail::place(detail::value(out))));
  return out;
}

/** histogram with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> histogram(netcl::tensor_ref x, int64_t bins,
                                                      const run_alone& run) {
  return op::histogram(x, bins, nullptr, run.get());
}

/** As netcl_op_histogram does, into a given tensor. */
inline returns<void> histogram_into(tensor_ref into, netcl::tensor_ref x, int64_t bins,
                                    const netcl_histogram_options* options = nullptr,
                                    const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_histogram(x.raw(), bins, options, &with, nullptr));
}

/** histogram_into with options of the run alone. */
inline returns<void> histogram_into(tensor_ref into, netcl::tensor_ref x, int64_t bins,
                                    const run_alone& run) {
  return op::histogram_into(into, x, bins, nullptr, run.get());
}

/**
 * The k largest elements along an axis, as ONNX TopK: sorted, the lower index first among equals,
 * NaN largest; with their indices. See netcl_op_topk. Gives values, indices.
 */
[[nodiscard]] inline returns<std::tuple<netcl::tensor, netcl::tensor>> topk(
    netcl::tensor_ref x, int64_t k, int32_t axis, const netcl_topk_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<std::tuple<netcl::tensor, netcl::tensor>> out{};
  detail::settle(out, netcl_op_topk(x.raw(), k, axis, options, run,
                                    detail::place(std::get<0>(detail::value(out))),
                                    detail::place(std::get<1>(detail::value(out)))));
  return out;
}

/** topk with options of the run alone. */
[[nodiscard]] inline returns<std::tuple<netcl::tensor, netcl::tensor>> topk(netcl::tensor_ref x,
                                                                            int64_t k, int32_t axis,
                                                                            const run_alone& run) {
  return op::topk(x, k, axis, nullptr, run.get());
}

/** As netcl_op_topk does, into a given tensor. */
inline returns<void> topk_into(tensor_ref into, netcl::tensor_ref x, int64_t k, int32_t axis,
                               const netcl_topk_options* options = nullptr,
                               const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_topk(x.raw(), k, axis, options, &with, nullptr, nullptr));
}

/** topk_into with options of the run alone. */
inline returns<void> topk_into(tensor_ref into, netcl::tensor_ref x, int64_t k, int32_t axis,
                               const run_alone& run) {
  return op::topk_into(into, x, k, axis, nullptr, run.get());
}

/** exp(x - m) / sum exp(x - m) along an axis, m the maximum: ONNX Softmax. See netcl_op_softmax. */
[[nodiscard]] inline returns<netcl::tensor> softmax(netcl::tensor_ref x, int32_t axis,
                                                    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_softmax(x.raw(), axis, run, detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_softmax does, into a given tensor. */
inline returns<void> softmax_into(tensor_ref into, netcl::tensor_ref x, int32_t axis,
                                  const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_softmax(x.raw(), axis, &with, nullptr));
}

/** x - m - log sum exp(x - m) along an axis: ONNX LogSoftmax. See netcl_op_log_softmax. */
[[nodiscard]] inline returns<netcl::tensor> log_softmax(netcl::tensor_ref x, int32_t axis,
                                                        const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_log_softmax(x.raw(), axis, run, detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_log_softmax does, into a given tensor. */
inline returns<void> log_softmax_into(tensor_ref into, netcl::tensor_ref x, int32_t axis,
                                      const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_log_softmax(x.raw(), axis, &with, nullptr));
}

/**
 * (x - mean) / sqrt(variance + epsilon) * scale + bias over the axes from `axis` on, as ONNX
 * LayerNormalization. See netcl_op_layernorm.
 */
[[nodiscard]] inline returns<netcl::tensor> layernorm(netcl::tensor_ref x, int32_t axis,
                                                      const netcl_norm_options* options = nullptr,
                                                      const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_layernorm(x.raw(), axis, options, run,
                                         detail::place(detail::value(out))));
  return out;
}

/** layernorm with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> layernorm(netcl::tensor_ref x, int32_t axis,
                                                      const run_alone& run) {
  return op::layernorm(x, axis, nullptr, run.get());
}

/** As netcl_op_layernorm does, into a given tensor. */
inline returns<void> layernorm_into(tensor_ref into, netcl::tensor_ref x, int32_t axis,
                                    const netcl_norm_options* options = nullptr,
                                    const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_layernorm(x.raw(), axis, options, &with, nullptr));
}

/** layernorm_into with options of the run alone. */
inline returns<void> layernorm_into(tensor_ref into, netcl::tensor_ref x, int32_t axis,
                                    const run_alone& run) {
  return op::layernorm_into(into, x, axis, nullptr, run.get());
}

/**
 * x / sqrt(mean(x^2) + epsilon) * scale over the axes from `axis` on (Zhang and Sennrich, 2019).
 * See netcl_op_rmsnorm.
 */
[[nodiscard]] inline returns<netcl::tensor> rmsnorm(netcl::tensor_ref x, int32_t axis,
                                                    const netcl_norm_options* options = nullptr,
                                                    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_rmsnorm(x.raw(), axis, options, run,
                                       detail::place(detail::value(out))));
  return out;
}

/** rmsnorm with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> rmsnorm(netcl::tensor_ref x, int32_t axis,
                                                    const run_alone& run) {
  return op::rmsnorm(x, axis, nullptr, run.get());
}

/** As netcl_op_rmsnorm does, into a given tensor. */
inline returns<void> rmsnorm_into(tensor_ref into, netcl::tensor_ref x, int32_t axis,
                                  const netcl_norm_options* options = nullptr,
                                  const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_rmsnorm(x.raw(), axis, options, &with, nullptr));
}

/** rmsnorm_into with options of the run alone. */
inline returns<void> rmsnorm_into(tensor_ref into, netcl::tensor_ref x, int32_t axis,
                                  const run_alone& run) {
  return op::rmsnorm_into(into, x, axis, nullptr, run.get());
}

/**
 * Batch normalisation as ONNX BatchNormalization: x is [N, C, ...] of rank 2 or more, mean and
 * variance are [C]. See netcl_op_batchnorm.
 */
[[nodiscard]] inline returns<netcl::tensor> batchnorm(
    netcl::tensor_ref x, netcl::tensor_ref mean, netcl::tensor_ref variance,
    const netcl_batchnorm_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_batchnorm(x.raw(), mean.raw(), variance.raw(), options, run,
                                         detail::place(detail::value(out))));
  return out;
}

/** batchnorm with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> batchnorm(netcl::tensor_ref x, netcl::tensor_ref mean,
                                                      netcl::tensor_ref variance,
                                                      const run_alone& run) {
  return op::batchnorm(x, mean, variance, nullptr, run.get());
}

/** As netcl_op_batchnorm does, into a given tensor. */
inline returns<void> batchnorm_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref mean,
                                    netcl::tensor_ref variance,
                                    const netcl_batchnorm_options* options = nullptr,
                                    const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_batchnorm(x.raw(), mean.raw(), variance.raw(), options, &with,
                                         nullptr));
}

/** batchnorm_into with options of the run alone. */
inline returns<void> batchnorm_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref mean,
                                    netcl::tensor_ref variance, const run_alone& run) {
  return op::batchnorm_into(into, x, mean, variance, nullptr, run.get());
}

/**
 * Pooling over one to three axes of space, x being [N, C, ...], as ONNX MaxPool, AveragePool and
 * LpPool, and their Global forms. See netcl_op_pool.
 */
[[nodiscard]] inline returns<netcl::tensor> pool(netcl::tensor_ref x, netcl::pooling kind,
                                                 const netcl_pooling_options* options = nullptr,
                                                 const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_pool(x.raw(), static_cast<netcl_pooling>(kind), options, run,
                                    detail::place(detail::value(out))));
  return out;
}

/** pool with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> pool(netcl::tensor_ref x, netcl::pooling kind,
                                                 const run_alone& run) {
  return op::pool(x, kind, nullptr, run.get());
}

/** As netcl_op_pool does, into a given tensor. */
inline returns<void> pool_into(tensor_ref into, netcl::tensor_ref x, netcl::pooling kind,
                               const netcl_pooling_options* options = nullptr,
                               const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_pool(x.raw(), static_cast<netcl_pooling>(kind), options, &with,
                                    nullptr));
}

/** pool_into with options of the run alone. */
inline returns<void> pool_into(tensor_ref into, netcl::tensor_ref x, netcl::pooling kind,
                               const run_alone& run) {
  return op::pool_into(into, x, kind, nullptr, run.get());
}

/**
 * Puts the elements of x, [N, C, OH, OW] of any dtype, to their indices in zeros of [N, C, height,
 * width], as ONNX MaxUnpool: what netcl_op_pool with indices_into took apart. See
 * netcl_op_max_unpool2d.
 */
[[nodiscard]] inline returns<netcl::tensor> max_unpool2d(
    netcl::tensor_ref x, netcl::tensor_ref indices, int64_t height, int64_t width,
    const netcl_max_unpool2d_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_max_unpool2d(x.raw(), indices.raw(), height, width, options, run,
                                            detail::place(detail::value(out))));
  return out;
}

/** max_unpool2d with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> max_unpool2d(netcl::tensor_ref x,
                                                         netcl::tensor_ref indices, int64_t height,
                                                         int64_t width, const run_alone& run) {
  return op::max_unpool2d(x, indices, height, width, nullptr, run.get());
}

/** As netcl_op_max_unpool2d does, into a given tensor. */
inline returns<void> max_unpool2d_into(tensor_ref into, netcl::tensor_ref x,
                                       netcl::tensor_ref indices, int64_t height, int64_t width,
                                       const netcl_max_unpool2d_options* options = nullptr,
                                       const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_max_unpool2d(x.raw(), indices.raw(), height, width, options, &with,
                                            nullptr));
}

/** max_unpool2d_into with options of the run alone. */
inline returns<void> max_unpool2d_into(tensor_ref into, netcl::tensor_ref x,
                                       netcl::tensor_ref indices, int64_t height, int64_t width,
                                       const run_alone& run) {
  return op::max_unpool2d_into(into, x, indices, height, width, nullptr, run.get());
}

/**
 * Cuts regions of images into bins and gives one number for each, as ONNX RoiAlign and MaxRoiPool:
 * [R, C, rows, columns] of x [N, C, H, W], which is of floats. See netcl_op_roi_pool.
 */
[[nodiscard]] inline returns<netcl::tensor> roi_pool(
    netcl::tensor_ref x, netcl::tensor_ref rois, netcl::tensor_ref images, netcl::roi_pooling kind,
    const netcl_roi_pool_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_roi_pool(x.raw(), rois.raw(), images.raw(),
                                        static_cast<netcl_roi_pooling>(kind), options, run,
                                        detail::place(detail::value(out))));
  return out;
}

/** roi_pool with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> roi_pool(netcl::tensor_ref x, netcl::tensor_ref rois,
                                                     netcl::tensor_ref images,
                                                     netcl::roi_pooling kind,
                                                     const run_alone& run) {
  return op::roi_pool(x, rois, images, kind, nullptr, run.get());
}

/** As netcl_op_roi_pool does, into a given tensor. */
inline returns<void> roi_pool_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref rois,
                                   netcl::tensor_ref images, netcl::roi_pooling kind,
                                   const netcl_roi_pool_options* options = nullptr,
                                   const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_roi_pool(x.raw(), rois.raw(), images.raw(),
                                        static_cast<netcl_roi_pooling>(kind), options, &with,
                                        nullptr));
}

/** roi_pool_into with options of the run alone. */
inline returns<void> roi_pool_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref rois,
                                   netcl::tensor_ref images, netcl::roi_pooling kind,
                                   const run_alone& run) {
  return op::roi_pool_into(into, x, rois, images, kind, nullptr, run.get());
}

/**
 * round(x / scale) + zero_point, saturated: ONNX QuantizeLinear 25 with results of 8 and 16 bits.
 * See netcl_op_quantize_linear.
 */
[[nodiscard]] inline returns<netcl::tensor> quantize_linear(
    netcl::tensor_ref x, netcl::tensor_ref scale, int32_t axis,
    const netcl_quantize_linear_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_quantize_linear(x.raw(), scale.raw(), axis, options, run,
                                               detail::place(detail::value(out))));
  return out;
}

/** quantize_linear with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> quantize_linear(netcl::tensor_ref x,
                                                            netcl::tensor_ref scale, int32_t axis,
                                                            const run_alone& run) {
  return op::quantize_linear(x, scale, axis, nullptr, run.get());
}

/** As netcl_op_quantize_linear does, into a given tensor. */
inline returns<void> quantize_linear_into(tensor_ref into, netcl::tensor_ref x,
                                          netcl::tensor_ref scale, int32_t axis,
                                          const netcl_quantize_linear_options* options = nullptr,
                                          const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_quantize_linear(x.raw(), scale.raw(), axis, options, &with,
                                               nullptr));
}

/** quantize_linear_into with options of the run alone. */
inline returns<void> quantize_linear_into(tensor_ref into, netcl::tensor_ref x,
                                          netcl::tensor_ref scale, int32_t axis,
                                          const run_alone& run) {
  return op::quantize_linear_into(into, x, scale, axis, nullptr, run.get());
}

/**
 * (x - zero_point) * scale as ONNX DequantizeLinear 25: x is i8, u8, i16, u16 or i32, scale f32,
 * f16 or bf16, with shapes as for netcl_op_quantize_linear. See netcl_op_dequantize_linear.
 */
[[nodiscard]] inline returns<netcl::tensor> dequantize_linear(
    netcl::tensor_ref x, netcl::tensor_ref scale, int32_t axis,
    const netcl_dequantize_linear_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_dequantize_linear(x.raw(), scale.raw(), axis, options, run,
                                                 detail::place(detail::value(out))));
  return out;
}

/** dequantize_linear with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> dequantize_linear(netcl::tensor_ref x,
                                                              netcl::tensor_ref scale, int32_t axis,
                                                              const run_alone& run) {
  return op::dequantize_linear(x, scale, axis, nullptr, run.get());
}

/** As netcl_op_dequantize_linear does, into a given tensor. */
inline returns<void> dequantize_linear_into(
    tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref scale, int32_t axis,
    const netcl_dequantize_linear_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_dequantize_linear(x.raw(), scale.raw(), axis, options, &with,
                                                 nullptr));
}

/** dequantize_linear_into with options of the run alone. */
inline returns<void> dequantize_linear_into(tensor_ref into, netcl::tensor_ref x,
                                            netcl::tensor_ref scale, int32_t axis,
                                            const run_alone& run) {
  return op::dequantize_linear_into(into, x, scale, axis, nullptr, run.get());
}

/**
 * Quantises f32 to u8 by the range of its elements, as ONNX DynamicQuantizeLinear 11, all on the
 * device: with low = min(x, 0) and high = max(x, 0) the scale is (high - low) / 255, or 1 where
 * that range is 0 (also of no elements), the zero point round(0 - low / scale) within 0 to 255, and
 * the result that of netcl_op_quantize_linear, in x's shape. See netcl_op_dynamic_quantize_linear.
 * Gives result, scale, zero_point.
 */
[[nodiscard]] inline returns<std::tuple<netcl::tensor, netcl::tensor, netcl::tensor>> dynamic_quantize_linear(
    netcl::tensor_ref x, const netcl_dynamic_quantize_linear_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<std::tuple<netcl::tensor, netcl::tensor, netcl::tensor>> out{};
  detail::settle(out, netcl_op_dynamic_quantize_linear(
      x.raw(), options, run, detail::place(std::get<0>(detail::value(out))),
      detail::place(std::get<1>(detail::value(out))),
      detail::place(std::get<2>(detail::value(out)))));
  return out;
}

/** dynamic_quantize_linear with options of the run alone. */
[[nodiscard]] inline returns<std::tuple<netcl::tensor, netcl::tensor, netcl::tensor>> dynamic_quantize_linear(
    netcl::tensor_ref x, const run_alone& run) {
  return op::dynamic_quantize_linear(x, nullptr, run.get());
}

/** As netcl_op_dynamic_quantize_linear does, into a given tensor. */
inline returns<void> dynamic_quantize_linear_into(
    tensor_ref into, netcl::tensor_ref x,
    const netcl_dynamic_quantize_linear_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_dynamic_quantize_linear(x.raw(), options, &with, nullptr, nullptr,
                                                       nullptr));
}

/** dynamic_quantize_linear_into with options of the run alone. */
inline returns<void> dynamic_quantize_linear_into(tensor_ref into, netcl::tensor_ref x,
                                                  const run_alone& run) {
  return op::dynamic_quantize_linear_into(into, x, nullptr, run.get());
}

/**
 * Product of quantised matrices, quantised again, as ONNX QLinearMatMul 21: the i32 sums of
 * netcl_op_matmul with zero points, converted to f32, times (a_scale * b_scale) / y_scale; then
 * rounded, the zero point added, saturated. See netcl_op_qlinear_matmul.
 */
[[nodiscard]] inline returns<netcl::tensor> qlinear_matmul(
    netcl::tensor_ref a, netcl::tensor_ref a_scale, netcl::tensor_ref b, netcl::tensor_ref b_scale,
    netcl::tensor_ref y_scale, const netcl_qlinear_matmul_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_qlinear_matmul(a.raw(), a_scale.raw(), b.raw(), b_scale.raw(),
                                              y_scale.raw(), options, run,
                                              detail::place(detail::value(out))));
  return out;
}

/** qlinear_matmul with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> qlinear_matmul(netcl::tensor_ref a,
                                                           netcl::tensor_ref a_scale,
                                                           netcl::tensor_ref b,
                                                           netcl::tensor_ref b_scale,
                                                           netcl::tensor_ref y_scale,
                                                           const run_alone& run) {
  return op::qlinear_matmul(a, a_scale, b, b_scale, y_scale, nullptr, run.get());
}

/** As netcl_op_qlinear_matmul does, into a given tensor. */
inline returns<void> qlinear_matmul_into(tensor_ref into, netcl::tensor_ref a,
                                         netcl::tensor_ref a_scale, netcl::tensor_ref b,
                                         netcl::tensor_ref b_scale, netcl::tensor_ref y_scale,
                                         const netcl_qlinear_matmul_options* options = nullptr,
                                         const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_qlinear_matmul(a.raw(), a_scale.raw(), b.raw(), b_scale.raw(),
                                              y_scale.raw(), options, &with, nullptr));
}

/** qlinear_matmul_into with options of the run alone. */
inline returns<void> qlinear_matmul_into(tensor_ref into, netcl::tensor_ref a,
                                         netcl::tensor_ref a_scale, netcl::tensor_ref b,
                                         netcl::tensor_ref b_scale, netcl::tensor_ref y_scale,
                                         const run_alone& run) {
  return op::qlinear_matmul_into(into, a, a_scale, b, b_scale, y_scale, nullptr, run.get());
}

/**
 * 2-d convolution of integers as ONNX ConvInteger 10: x and w are i8 or u8, each of either, with
 * shapes and limits as for netcl_op_conv2d. See netcl_op_conv2d_integer.
 */
[[nodiscard]] inline returns<netcl::tensor> conv2d_integer(
    netcl::tensor_ref x, netcl::tensor_ref w, const netcl_conv2d_integer_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_conv2d_integer(x.raw(), w.raw(), options, run,
                                              detail::place(detail::value(out))));
  return out;
}

/** conv2d_integer with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> conv2d_integer(netcl::tensor_ref x, netcl::tensor_ref w,
                                                           const run_alone& run) {
  return op::conv2d_integer(x, w, nullptr, run.get());
}

/** As netcl_op_conv2d_integer does, into a given tensor. */
inline returns<void> conv2d_integer_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref w,
                                         const netcl_conv2d_integer_options* options = nullptr,
                                         const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_conv2d_integer(x.raw(), w.raw(), options, &with, nullptr));
}

/** conv2d_integer_into with options of the run alone. */
inline returns<void> conv2d_integer_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref w,
                                         const run_alone& run) {
  return op::conv2d_integer_into(into, x, w, nullptr, run.get());
}

/**
 * Convolution of quantised images, quantised again, as ONNX QLinearConv 10: the sums of
 * netcl_op_conv2d_integer and the bias, modulo 2^32, then as netcl_op_qlinear_matmul with x_scale
 * and w_scale. See netcl_op_qlinear_conv2d.
 */
[[nodiscard]] inline returns<netcl::tensor> qlinear_conv2d(
    netcl::tensor_ref x, netcl::tensor_ref x_scale, netcl::tensor_ref w, netcl::tensor_ref w_scale,
    netcl::tensor_ref y_scale, const netcl_qlinear_conv2d_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_qlinear_conv2d(x.raw(), x_scale.raw(), w.raw(), w_scale.raw(),
                                              y_scale.raw(), options, run,
                                              detail::place(detail::value(out))));
  return out;
}

/** qlinear_conv2d with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> qlinear_conv2d(netcl::tensor_ref x,
                                                           netcl::tensor_ref x_scale,
                                                           netcl::tensor_ref w,
                                                           netcl::tensor_ref w_scale,
                                                           netcl::tensor_ref y_scale,
                                                           const run_alone& run) {
  return op::qlinear_conv2d(x, x_scale, w, w_scale, y_scale, nullptr, run.get());
}

/** As netcl_op_qlinear_conv2d does, into a given tensor. */
inline returns<void> qlinear_conv2d_into(tensor_ref into, netcl::tensor_ref x,
                                         netcl::tensor_ref x_scale, netcl::tensor_ref w,
                                         netcl::tensor_ref w_scale, netcl::tensor_ref y_scale,
                                         const netcl_qlinear_conv2d_options* options = nullptr,
                                         const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_qlinear_conv2d(x.raw(), x_scale.raw(), w.raw(), w_scale.raw(),
                                              y_scale.raw(), options, &with, nullptr));
}

/** qlinear_conv2d_into with options of the run alone. */
inline returns<void> qlinear_conv2d_into(tensor_ref into, netcl::tensor_ref x,
                                         netcl::tensor_ref x_scale, netcl::tensor_ref w,
                                         netcl::tensor_ref w_scale, netcl::tensor_ref y_scale,
                                         const run_alone& run) {
  return op::qlinear_conv2d_into(into, x, x_scale, w, w_scale, y_scale, nullptr, run.get());
}

/**
 * Softmax cross entropy, as ONNX SoftmaxCrossEntropyLoss: -w[label] log softmax(x)[label] along
 * `axis`, which has C classes, in one pass over x. See netcl_op_cross_entropy.
 */
[[nodiscard]] inline returns<netcl::tensor> cross_entropy(
    netcl::tensor_ref x, netcl::tensor_ref labels, int32_t axis,
    const netcl_loss_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_cross_entropy(x.raw(), labels.raw(), axis, options, run,
                                             detail::place(detail::value(out))));
  return out;
}

/** cross_entropy with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> cross_entropy(netcl::tensor_ref x,
                                                          netcl::tensor_ref labels, int32_t axis,
                                                          const run_alone& run) {
  return op::cross_entropy(x, labels, axis, nullptr, run.get());
}

/** As netcl_op_cross_entropy does, into a given tensor. */
inline returns<void> cross_entropy_into(tensor_ref into, netcl::tensor_ref x,
                                        netcl::tensor_ref labels, int32_t axis,
                                        const netcl_loss_options* options = nullptr,
                                        const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_cross_entropy(x.raw(), labels.raw(), axis, options, &with, nullptr));
}

/** cross_entropy_into with options of the run alone. */
inline returns<void> cross_entropy_into(tensor_ref into, netcl::tensor_ref x,
                                        netcl::tensor_ref labels, int32_t axis,
                                        const run_alone& run) {
  return op::cross_entropy_into(into, x, labels, axis, nullptr, run.get());
}

/**
 * The same of log-probabilities, as ONNX NegativeLogLikelihoodLoss: -w[label] x[label]. See
 * netcl_op_nll_loss.
 */
[[nodiscard]] inline returns<netcl::tensor> nll_loss(netcl::tensor_ref x, netcl::tensor_ref labels,
                                                     int32_t axis,
                                                     const netcl_loss_options* options = nullptr,
                                                     const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_nll_loss(x.raw(), labels.raw(), axis, options, run,
                                        detail::place(detail::value(out))));
  return out;
}

/** nll_loss with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> nll_loss(netcl::tensor_ref x, netcl::tensor_ref labels,
                                                     int32_t axis, const run_alone& run) {
  return op::nll_loss(x, labels, axis, nullptr, run.get());
}

/** As netcl_op_nll_loss does, into a given tensor. */
inline returns<void> nll_loss_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref labels,
                                   int32_t axis, const netcl_loss_options* options = nullptr,
                                   const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_nll_loss(x.raw(), labels.raw(), axis, options, &with, nullptr));
}

/** nll_loss_into with options of the run alone. */
inline returns<void> nll_loss_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref labels,
                                   int32_t axis, const run_alone& run) {
  return op::nll_loss_into(into, x, labels, axis, nullptr, run.get());
}

/**
 * Stochastic gradient descent: g += weight_decay p; b = momentum b + (1 - dampening) g, in the
 * first step b = g; p -= learning_rate b, or with nesterov p -= learning_rate (g + momentum b). See
 * netcl_op_sgd.
 */
inline returns<void> sgd(netcl::view<netcl::tensor_ref> parameters,
                         netcl::view<netcl::tensor_ref> gradients, double learning_rate,
                         const netcl_sgd_options* options = nullptr,
                         const netcl_run_options* run = nullptr) {
  return detail::done(netcl_op_sgd(parameters.as<netcl_tensor *>(), parameters.count(),
                                   gradients.as<netcl_tensor *>(), gradients.count(), learning_rate,
                                   options, run));
}

/** sgd with options of the run alone. */
inline returns<void> sgd(netcl::view<netcl::tensor_ref> parameters,
                         netcl::view<netcl::tensor_ref> gradients, double learning_rate,
                         const run_alone& run) {
  return op::sgd(parameters, gradients, learning_rate, nullptr, run.get());
}

/**
 * Adam: g += weight_decay p, or when it is decoupled p -= learning_rate weight_decay p; m += (1 -
 * beta1) (g - m); v = beta2 v + (1 - beta2) g^2; with t steps done, this one included, p -=
 * learning_rate / (1 - beta1^t) m / (sqrt(v / (1 - beta2^t)) + epsilon). See netcl_op_adam.
 */
inline returns<void> adam(netcl::view<netcl::tensor_ref> parameters,
                          netcl::view<netcl::tensor_ref> gradients,
                          netcl::view<netcl::tensor_ref> averages,
                          netcl::view<netcl::tensor_ref> square_averages, netcl::tensor_ref step,
                          double learning_rate, const netcl_adam_options* options = nullptr,
                          const netcl_run_options* run = nullptr) {
  return detail::done(netcl_op_adam(parameters.as<netcl_tensor *>(), parameters.count(),
                                    gradients.as<netcl_tensor *>(), gradients.count(),
                                    averages.as<netcl_tensor *>(), averages.count(),
                                    square_averages.as<netcl_tensor *>(), square_averages.count(),
                                    step.raw(), learning_rate, options, run));
}

/** adam with options of the run alone. */
inline returns<void> adam(netcl::view<netcl::tensor_ref> parameters,
                          netcl::view<netcl::tensor_ref> gradients,
                          netcl::view<netcl::tensor_ref> averages,
                          netcl::view<netcl::tensor_ref> square_averages, netcl::tensor_ref step,
                          double learning_rate, const run_alone& run) {
  return op::adam(parameters, gradients, averages, square_averages, step, learning_rate, nullptr,
                  run.get());
}

/**
 * RMSprop: g += weight_decay p; v = alpha v + (1 - alpha) g^2; d = sqrt(v) + epsilon, or with
 * averages m += (1 - alpha) (g - m) and d = sqrt(v - m^2) + epsilon, where a difference below 0
 * counts as 0; p -= learning_rate g / d, or with momentum b = momentum b + g / d and p -=
 * learning_rate b. See netcl_op_rmsprop.
 */
inline returns<void> rmsprop(netcl::view<netcl::tensor_ref> parameters,
                             netcl::view<netcl::tensor_ref> gradients,
                             netcl::view<netcl::tensor_ref> square_averages, double learning_rate,
                             const netcl_rmsprop_options* options = nullptr,
                             const netcl_run_options* run = nullptr) {
  return detail::done(netcl_op_rmsprop(parameters.as<netcl_tensor *>(), parameters.count(),
                                       gradients.as<netcl_tensor *>(), gradients.count(),
                                       square_averages.as<netcl_tensor *>(),
                                       square_averages.count(), learning_rate, options, run));
}

/** rmsprop with options of the run alone. */
inline returns<void> rmsprop(netcl::view<netcl::tensor_ref> parameters,
                             netcl::view<netcl::tensor_ref> gradients,
                             netcl::view<netcl::tensor_ref> square_averages, double learning_rate,
                             const run_alone& run) {
  return op::rmsprop(parameters, gradients, square_averages, learning_rate, nullptr, run.get());
}

/**
 * Adagrad: g += weight_decay p; s += g^2; with t steps done before this one, p -= learning_rate /
 * (1 + t learning_rate_decay) g / (sqrt(s) + epsilon). See netcl_op_adagrad.
 */
inline returns<void> adagrad(netcl::view<netcl::tensor_ref> parameters,
                             netcl::view<netcl::tensor_ref> gradients,
                             netcl::view<netcl::tensor_ref> sums, double learning_rate,
                             const netcl_adagrad_options* options = nullptr,
                             const netcl_run_options* run = nullptr) {
  return detail::done(netcl_op_adagrad(parameters.as<netcl_tensor *>(), parameters.count(),
                                       gradients.as<netcl_tensor *>(), gradients.count(),
                                       sums.as<netcl_tensor *>(), sums.count(), learning_rate,
                                       options, run));
}

/** adagrad with options of the run alone. */
inline returns<void> adagrad(netcl::view<netcl::tensor_ref> parameters,
                             netcl::view<netcl::tensor_ref> gradients,
                             netcl::view<netcl::tensor_ref> sums, double learning_rate,
                             const run_alone& run) {
  return op::adagrad(parameters, gradients, sums, learning_rate, nullptr, run.get());
}

/**
 * Clips gradients, of any shapes, in place: with n the Euclidean norm of all elements of all
 * tensors, each is multiplied by min(1, max_norm / (n + 1e-6)). See netcl_op_clip_by_norm.
 */
[[nodiscard]] inline returns<netcl::tensor> clip_by_norm(netcl::view<netcl::tensor_ref> tensors,
                                                         double max_norm,
                                                         const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_clip_by_norm(tensors.as<netcl_tensor *>(), tensors.count(), max_norm,
                                            run, detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_clip_by_norm does, into a given tensor. */
inline returns<void> clip_by_norm_into(tensor_ref into, netcl::view<netcl::tensor_ref> tensors,
                                       double max_norm, const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_clip_by_norm(tensors.as<netcl_tensor *>(), tensors.count(), max_norm,
                                            &with, nullptr));
}

/**
 * Prepares the gradients of a scaled loss, in tensors of any shapes: found_inf becomes 1 when an
 * element of a tensor is infinite or NaN, else 0; with a scale, an f32 tensor of one element, all
 * elements are multiplied by 1 / scale in place. See netcl_op_unscale.
 */
inline returns<void> unscale(netcl::view<netcl::tensor_ref> tensors, netcl::tensor_ref scale,
                             netcl::tensor_ref found_inf, const netcl_run_options* run = nullptr) {
  return detail::done(netcl_op_unscale(tensors.as<netcl_tensor *>(), tensors.count(), scale.raw(),
                                       found_inf.raw(), run));
}

/**
 * The scale of the next loss, as torch.amp.GradScaler.update: where found_inf is not 0, scale is
 * multiplied by backoff_factor and tracker becomes 0; else 1 is added to tracker, and when that
 * makes growth_interval it becomes 0 and scale is multiplied by growth_factor, unless it would be
 * infinite. See netcl_op_update_loss_scale.
 */
inline returns<void> update_loss_scale(netcl::tensor_ref scale, netcl::tensor_ref tracker,
                                       netcl::tensor_ref found_inf,
                                       const netcl_loss_scale_options* options = nullptr,
                                       const netcl_run_options* run = nullptr) {
  return detail::done(netcl_op_update_loss_scale(scale.raw(), tracker.raw(), found_inf.raw(),
                                                 options, run));
}

/** update_loss_scale with options of the run alone. */
inline returns<void> update_loss_scale(netcl::tensor_ref scale, netcl::tensor_ref tracker,
                                       netcl::tensor_ref found_inf, const run_alone& run) {
  return op::update_loss_scale(scale, tracker, found_inf, nullptr, run.get());
}

/**
 * Copies with the dimensions in another order, as ONNX Transpose; axes_count 0 turns them round.
 * See netcl_op_transpose.
 */
[[nodiscard]] inline returns<netcl::tensor> transpose(netcl::tensor_ref x,
                                                      netcl::view<uint32_t> axes,
                                                      const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_transpose(x.raw(), axes.data(), axes.count(), run,
                                         detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_transpose does, into a given tensor. */
inline returns<void> transpose_into(tensor_ref into, netcl::tensor_ref x,
                                    netcl::view<uint32_t> axes,
                                    const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_transpose(x.raw(), axes.data(), axes.count(), &with, nullptr));
}

/**
 * Joins tensors of one dtype along an axis, as ONNX Concat; the other extents are equal. See
 * netcl_op_concat.
 */
[[nodiscard]] inline returns<netcl::tensor> concat(netcl::view<netcl::tensor_ref> inputs,
                                                   int32_t axis,
                                                   const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_concat(inputs.as<netcl_tensor *>(), inputs.count(), axis, run,
                                      detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_concat does, into a given tensor. */
inline returns<void> concat_into(tensor_ref into, netcl::view<netcl::tensor_ref> inputs,
                                 int32_t axis, const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_concat(inputs.as<netcl_tensor *>(), inputs.count(), axis, &with,
                                      nullptr));
}

/**
 * Adds elements around a tensor, as ONNX Pad: pads has the begin of every axis, then the end of
 * every axis (2 rank entries). See netcl_op_pad.
 */
[[nodiscard]] inline returns<netcl::tensor> pad(netcl::tensor_ref x, netcl::view<int64_t> pads,
                                                const netcl::pad_options& options = {},
                                                const netcl_run_options* run = nullptr) {
  netcl_pad_options options_raw = options.without_numbers();
  detail::element value_element;
  if (const netcl_status status = value_element.take("options->value", options.value(), x.raw(), options_raw.value); status != NETCL_OK) {
    return detail::failed<netcl::tensor>(status);
  }
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_pad(x.raw(), pads.data(), pads.count(), &options_raw, run,
                                   detail::place(detail::value(out))));
  return out;
}

/** pad with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> pad(netcl::tensor_ref x, netcl::view<int64_t> pads,
                                                const run_alone& run) {
  return op::pad(x, pads, {}, run.get());
}

/** As netcl_op_pad does, into a given tensor. */
inline returns<void> pad_into(tensor_ref into, netcl::tensor_ref x, netcl::view<int64_t> pads,
                              const netcl::pad_options& options = {},
                              const netcl_run_options* run = nullptr) {
  netcl_pad_options options_raw = options.without_numbers();
  detail::element value_element;
  const netcl_run_options with = detail::run_into(run, into);
  if (const netcl_status status = value_element.take("options->value", options.value(), x.raw(), options_raw.value); status != NETCL_OK) {
    return detail::failed<void>(status);
  }
  return detail::done(netcl_op_pad(x.raw(), pads.data(), pads.count(), &options_raw, &with,
                                   nullptr));
}

/** pad_into with options of the run alone. */
inline returns<void> pad_into(tensor_ref into, netcl::tensor_ref x, netcl::view<int64_t> pads,
                              const run_alone& run) {
  return op::pad_into(into, x, pads, {}, run.get());
}

/**
 * Repeats a tensor along its axes, as ONNX Tile: axis d of the result has repeats[d] times the
 * extent of x, 0 or more; repeats has an entry for each axis. See netcl_op_tile.
 */
[[nodiscard]] inline returns<netcl::tensor> tile(netcl::tensor_ref x, netcl::view<int64_t> repeats,
                                                 const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_tile(x.raw(), repeats.data(), repeats.count(), run,
                                    detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_tile does, into a given tensor. */
inline returns<void> tile_into(tensor_ref into, netcl::tensor_ref x, netcl::view<int64_t> repeats,
                               const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_tile(x.raw(), repeats.data(), repeats.count(), &with, nullptr));
}

/**
 * Copies a triangle of each matrix of the last two dimensions, with zeros in place of the rest, as
 * ONNX Trilu: the elements whose column is the row plus k or more, or with upper 0 the row plus k
 * or less. See netcl_op_trilu.
 */
[[nodiscard]] inline returns<netcl::tensor> trilu(netcl::tensor_ref x, bool upper, int64_t k,
                                                  const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_trilu(x.raw(), upper ? 1u : 0u, k, run,
                                     detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_trilu does, into a given tensor. */
inline returns<void> trilu_into(tensor_ref into, netcl::tensor_ref x, bool upper, int64_t k,
                                const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_trilu(x.raw(), upper ? 1u : 0u, k, &with, nullptr));
}

/**
 * Picks slices along an axis, as ONNX Gather: the result has indices' shape in place of that axis.
 * See netcl_op_gather.
 */
[[nodiscard]] inline returns<netcl::tensor> gather(netcl::tensor_ref x, netcl::tensor_ref indices,
                                                   int32_t axis,
                                                   const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_gather(x.raw(), indices.raw(), axis, run,
                                      detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_gather does, into a given tensor. */
inline returns<void> gather_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref indices,
                                 int32_t axis, const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_gather(x.raw(), indices.raw(), axis, &with, nullptr));
}

/**
 * Picks elements along an axis, as ONNX GatherElements: the result has indices' shape, whose other
 * extents are at most x's. See netcl_op_gather_elements.
 */
[[nodiscard]] inline returns<netcl::tensor> gather_elements(
    netcl::tensor_ref x, netcl::tensor_ref indices, int32_t axis,
    const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_gather_elements(x.raw(), indices.raw(), axis, run,
                                               detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_gather_elements does, into a given tensor. */
inline returns<void> gather_elements_into(tensor_ref into, netcl::tensor_ref x,
                                          netcl::tensor_ref indices, int32_t axis,
                                          const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_gather_elements(x.raw(), indices.raw(), axis, &with, nullptr));
}

/**
 * Looks rows of weights [V, D] up: netcl_op_gather along axis 0 of a matrix. See
 * netcl_op_embedding.
 */
[[nodiscard]] inline returns<netcl::tensor> embedding(netcl::tensor_ref weights,
                                                      netcl::tensor_ref indices,
                                                      const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_embedding(weights.raw(), indices.raw(), run,
                                         detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_embedding does, into a given tensor. */
inline returns<void> embedding_into(tensor_ref into, netcl::tensor_ref weights,
                                    netcl::tensor_ref indices,
                                    const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_embedding(weights.raw(), indices.raw(), &with, nullptr));
}

/**
 * Gives each index a line of depth elements along an axis of the result, as ONNX OneHot: on_value
 * at the place that the index is, off_value elsewhere. See netcl_op_one_hot.
 */
[[nodiscard]] inline returns<netcl::tensor> one_hot(netcl::tensor_ref indices, int64_t depth,
                                                    int32_t axis, netcl::dtype dtype,
                                                    const netcl::scalar& on_value,
                                                    const netcl::scalar& off_value,
                                                    const netcl_run_options* run = nullptr) {
  detail::element on_value_element;
  detail::element off_value_element;
  if (const netcl_status status = on_value_element.take("on_value", on_value, dtype); status != NETCL_OK) {
    return detail::failed<netcl::tensor>(status);
  }
  if (const netcl_status status = off_value_element.take("off_value", off_value, dtype); status != NETCL_OK) {
    return detail::failed<netcl::tensor>(status);
  }
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_one_hot(indices.raw(), depth, axis, static_cast<netcl_dtype>(dtype),
                                       on_value_element.data(), off_value_element.data(), run,
                                       detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_one_hot does, into a given tensor. */
inline returns<void> one_hot_into(tensor_ref into, netcl::tensor_ref indices, int64_t depth,
                                  int32_t axis, netcl::dtype dtype, const netcl::scalar& on_value,
                                  const netcl::scalar& off_value,
                                  const netcl_run_options* run = nullptr) {
  detail::element on_value_element;
  detail::element off_value_element;
  const netcl_run_options with = detail::run_into(run, into);
  if (const netcl_status status = on_value_element.take("on_value", on_value, dtype); status != NETCL_OK) {
    return detail::failed<void>(status);
  }
  if (const netcl_status status = off_value_element.take("off_value", off_value, dtype); status != NETCL_OK) {
    return detail::failed<void>(status);
  }
  return detail::done(netcl_op_one_hot(indices.raw(), depth, axis, static_cast<netcl_dtype>(dtype),
                                       on_value_element.data(), off_value_element.data(), &with,
                                       nullptr));
}

/**
 * Writes updates into a copy of x at indices along an axis, as ONNX ScatterElements, or adds or
 * multiplies them, each result rounded by itself (f16 and bf16: kept in f32, rounded at the end),
 * or keeps the extreme; updates and indices have one shape, whose other extents are at most x's.
 * See netcl_op_scatter.
 */
[[nodiscard]] inline returns<netcl::tensor> scatter(
    netcl::tensor_ref x, netcl::tensor_ref indices, netcl::tensor_ref updates, int32_t axis,
    const netcl_scatter_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_scatter(x.raw(), indices.raw(), updates.raw(), axis, options, run,
                                       detail::place(detail::value(out))));
  return out;
}

/** scatter with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> scatter(netcl::tensor_ref x, netcl::tensor_ref indices,
                                                    netcl::tensor_ref updates, int32_t axis,
                                                    const run_alone& run) {
  return op::scatter(x, indices, updates, axis, nullptr, run.get());
}

/** As netcl_op_scatter does, into a given tensor. */
inline returns<void> scatter_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref indices,
                                  netcl::tensor_ref updates, int32_t axis,
                                  const netcl_scatter_options* options = nullptr,
                                  const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_scatter(x.raw(), indices.raw(), updates.raw(), axis, options, &with,
                                       nullptr));
}

/** scatter_into with options of the run alone. */
inline returns<void> scatter_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref indices,
                                  netcl::tensor_ref updates, int32_t axis, const run_alone& run) {
  return op::scatter_into(into, x, indices, updates, axis, nullptr, run.get());
}

/**
 * Picks slices at places of several dimensions, as ONNX GatherND: a line along the last dimension
 * of indices, n of them, is a place in dimensions batch_dims to batch_dims + n - 1 of x, with n 1
 * or more. See netcl_op_gather_nd.
 */
[[nodiscard]] inline returns<netcl::tensor> gather_nd(netcl::tensor_ref x,
                                                      netcl::tensor_ref indices,
                                                      uint32_t batch_dims,
                                                      const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_gather_nd(x.raw(), indices.raw(), batch_dims, run,
                                         detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_gather_nd does, into a given tensor. */
inline returns<void> gather_nd_into(tensor_ref into, netcl::tensor_ref x, netcl::tensor_ref indices,
                                    uint32_t batch_dims, const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_gather_nd(x.raw(), indices.raw(), batch_dims, &with, nullptr));
}

/**
 * Writes updates into a copy of x at places of several dimensions, as ONNX ScatterND (batch_dims
 * 0), or combines them with what is there, in the order and with the rounding of netcl_op_scatter.
 * See netcl_op_scatter_nd.
 */
[[nodiscard]] inline returns<netcl::tensor> scatter_nd(
    netcl::tensor_ref x, netcl::tensor_ref indices, netcl::tensor_ref updates, uint32_t batch_dims,
    const netcl_scatter_options* options = nullptr, const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_scatter_nd(x.raw(), indices.raw(), updates.raw(), batch_dims,
                                          options, run, detail::place(detail::value(out))));
  return out;
}

/** scatter_nd with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> scatter_nd(netcl::tensor_ref x,
                                                       netcl::tensor_ref indices,
                                                       netcl::tensor_ref updates,
                                                       uint32_t batch_dims, const run_alone& run) {
  return op::scatter_nd(x, indices, updates, batch_dims, nullptr, run.get());
}

/** As netcl_op_scatter_nd does, into a given tensor. */
inline returns<void> scatter_nd_into(tensor_ref into, netcl::tensor_ref x,
                                     netcl::tensor_ref indices, netcl::tensor_ref updates,
                                     uint32_t batch_dims,
                                     const netcl_scatter_options* options = nullptr,
                                     const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_scatter_nd(x.raw(), indices.raw(), updates.raw(), batch_dims,
                                          options, &with, nullptr));
}

/** scatter_nd_into with options of the run alone. */
inline returns<void> scatter_nd_into(tensor_ref into, netcl::tensor_ref x,
                                     netcl::tensor_ref indices, netcl::tensor_ref updates,
                                     uint32_t batch_dims, const run_alone& run) {
  return op::scatter_nd_into(into, x, indices, updates, batch_dims, nullptr, run.get());
}

/**
 * Spreads channels over space, as ONNX DepthToSpace: x is [N, C B, ...] with one to three
 * dimensions of space, each of which becomes `block` times as long, 1 or more; B is `block` to the
 * power of their number, the elements of a block, counted in C order. See netcl_op_depth_to_space.
 */
[[nodiscard]] inline returns<netcl::tensor> depth_to_space(netcl::tensor_ref x, int64_t block,
                                                           netcl::depth_order order,
                                                           const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_depth_to_space(x.raw(), block, static_cast<netcl_depth_order>(order),
                                              run, detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_depth_to_space does, into a given tensor. */
inline returns<void> depth_to_space_into(tensor_ref into, netcl::tensor_ref x, int64_t block,
                                         netcl::depth_order order,
                                         const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_depth_to_space(x.raw(), block, static_cast<netcl_depth_order>(order),
                                              &with, nullptr));
}

/**
 * Gathers blocks of space into channels, as ONNX SpaceToDepth: what netcl_op_depth_to_space did is
 * undone. See netcl_op_space_to_depth.
 */
[[nodiscard]] inline returns<netcl::tensor> space_to_depth(netcl::tensor_ref x, int64_t block,
                                                           netcl::depth_order order,
                                                           const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_space_to_depth(x.raw(), block, static_cast<netcl_depth_order>(order),
                                              run, detail::place(detail::value(out))));
  return out;
}

/** As netcl_op_space_to_depth does, into a given tensor. */
inline returns<void> space_to_depth_into(tensor_ref into, netcl::tensor_ref x, int64_t block,
                                         netcl::depth_order order,
                                         const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_space_to_depth(x.raw(), block, static_cast<netcl_depth_order>(order),
                                              &with, nullptr));
}

/** Resizes a tensor to another shape of the same rank, as ONNX Resize. See netcl_op_resize. */
[[nodiscard]] inline returns<netcl::tensor> resize(netcl::tensor_ref x, netcl::view<int64_t> shape,
                                                   const netcl_resize_options* options = nullptr,
                                                   const netcl_run_options* run = nullptr) {
  returns<netcl::tensor> out{};
  detail::settle(out, netcl_op_resize(x.raw(), shape.count(), shape.data(), options, run,
                                      detail::place(detail::value(out))));
  return out;
}

/** resize with options of the run alone. */
[[nodiscard]] inline returns<netcl::tensor> resize(netcl::tensor_ref x, netcl::view<int64_t> shape,
                                                   const run_alone& run) {
  return op::resize(x, shape, nullptr, run.get());
}

/** As netcl_op_resize does, into a given tensor. */
inline returns<void> resize_into(tensor_ref into, netcl::tensor_ref x, netcl::view<int64_t> shape,
                                 const netcl_resize_options* options = nullptr,
                                 const netcl_run_options* run = nullptr) {
  const netcl_run_options with = detail::run_into(run, into);
  return detail::done(netcl_op_resize(x.raw(), shape.count(), shape.data(), options, &with,
                                      nullptr));
}

/** resize_into with options of the run alone. */
inline returns<void> resize_into(tensor_ref into, netcl::tensor_ref x, netcl::view<int64_t> shape,
                                 const run_alone& run) {
  return op::resize_into(into, x, shape, nullptr, run.get());
}

/** reduce of the kind sum: x0 + x1 + ... */
[[nodiscard]] inline returns<netcl::tensor> sum(netcl::tensor_ref x,
                                                const netcl_reduce_options* options = nullptr,
                                                const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::sum, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> sum(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::sum, nullptr, run.get());
}

/** reduce of the kind mean: the sum / how many there are */
[[nodiscard]] inline returns<netcl::tensor> mean(netcl::tensor_ref x,
                                                 const netcl_reduce_options* options = nullptr,
                                                 const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::mean, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> mean(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::mean, nullptr, run.get());
}

/** reduce of the kind max: the largest; NaN wins */
[[nodiscard]] inline returns<netcl::tensor> max(netcl::tensor_ref x,
                                                const netcl_reduce_options* options = nullptr,
                                                const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::max, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> max(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::max, nullptr, run.get());
}

/** reduce of the kind min: the smallest; NaN wins */
[[nodiscard]] inline returns<netcl::tensor> min(netcl::tensor_ref x,
                                                const netcl_reduce_options* options = nullptr,
                                                const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::min, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> min(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::min, nullptr, run.get());
}

/** reduce of the kind prod: x0 x1 ... */
[[nodiscard]] inline returns<netcl::tensor> prod(netcl::tensor_ref x,
                                                 const netcl_reduce_options* options = nullptr,
                                                 const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::prod, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> prod(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::prod, nullptr, run.get());
}

/** reduce of the kind l1: sum of absolute values */
[[nodiscard]] inline returns<netcl::tensor> l1(netcl::tensor_ref x,
                                               const netcl_reduce_options* options = nullptr,
                                               const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::l1, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> l1(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::l1, nullptr, run.get());
}

/** reduce of the kind l2: square root of the sum of squares */
[[nodiscard]] inline returns<netcl::tensor> l2(netcl::tensor_ref x,
                                               const netcl_reduce_options* options = nullptr,
                                               const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::l2, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> l2(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::l2, nullptr, run.get());
}

/** reduce of the kind sum_square: the sum of x^2 */
[[nodiscard]] inline returns<netcl::tensor> sum_square(
    netcl::tensor_ref x, const netcl_reduce_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::sum_square, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> sum_square(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::sum_square, nullptr, run.get());
}

/** reduce of the kind log_sum: log of the sum */
[[nodiscard]] inline returns<netcl::tensor> log_sum(netcl::tensor_ref x,
                                                    const netcl_reduce_options* options = nullptr,
                                                    const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::log_sum, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> log_sum(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::log_sum, nullptr, run.get());
}

/** reduce of the kind log_sum_exp: log(sum exp(x)), the maximum taken out first */
[[nodiscard]] inline returns<netcl::tensor> log_sum_exp(
    netcl::tensor_ref x, const netcl_reduce_options* options = nullptr,
    const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::log_sum_exp, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> log_sum_exp(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::log_sum_exp, nullptr, run.get());
}

/** reduce of the kind argmax: index of the first largest, i64; NaN is the largest */
[[nodiscard]] inline returns<netcl::tensor> argmax(netcl::tensor_ref x,
                                                   const netcl_reduce_options* options = nullptr,
                                                   const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::argmax, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> argmax(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::argmax, nullptr, run.get());
}

/** reduce of the kind argmin: index of the first smallest, i64; NaN is the smallest */
[[nodiscard]] inline returns<netcl::tensor> argmin(netcl::tensor_ref x,
                                                   const netcl_reduce_options* options = nullptr,
                                                   const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::argmin, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> argmin(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::argmin, nullptr, run.get());
}

/** reduce of the kind any: bool: an element is true */
[[nodiscard]] inline returns<netcl::tensor> any(netcl::tensor_ref x,
                                                const netcl_reduce_options* options = nullptr,
                                                const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::any, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> any(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::any, nullptr, run.get());
}

/** reduce of the kind all: bool: all elements are true */
[[nodiscard]] inline returns<netcl::tensor> all(netcl::tensor_ref x,
                                                const netcl_reduce_options* options = nullptr,
                                                const netcl_run_options* run = nullptr) {
  return op::reduce(x, reduction::all, options, run);
}
[[nodiscard]] inline returns<netcl::tensor> all(netcl::tensor_ref x, const run_alone& run) {
  return op::reduce(x, reduction::all, nullptr, run.get());
}

}  // namespace op
}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif
