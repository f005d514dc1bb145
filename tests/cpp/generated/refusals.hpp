// Written by bindings/generator/generate.py from include/netcl.h; do not edit.
//
// SPDX-License-Identifier: Apache-2.0

// Every op is called with a released object in each place for one. The error names the place, and
// there is no result. The file that includes this says what `closes(call, place)`,
// `MUST` and `released` do.
#include <netcl.hpp>

struct refusals {
  explicit refusals(netcl::device_ref device) {
    live = MUST(netcl::tensor::create_zeros(device, netcl::dtype::f32, {1, 1}));
    expression = MUST(netcl::expression::create("v0"));
  }

  netcl::tensor live;
  netcl::expression expression;
  netcl::event_ref closed_event = released<netcl::event_ref>();
  netcl::expression_ref closed_expression = released<netcl::expression_ref>();
  netcl::graph_ref closed_graph = released<netcl::graph_ref>();
  netcl::queue_ref closed_queue = released<netcl::queue_ref>();
  netcl::tensor_ref closed_tensor = released<netcl::tensor_ref>();
  netcl::run_options run_queue = netcl::run_options().queue(closed_queue);
  netcl::run_options run_into = netcl::run_options().into(closed_tensor);
  netcl::event_ref closed_waits[1] = {closed_event};
  netcl::run_options run_waits = netcl::run_options().waits(closed_waits);
  netcl::run_options run_graph = netcl::run_options().graph(closed_graph);

  void refuse_expression() {
    closes(
        [&] {
          return netcl::op::expression(closed_expression, {live}, netcl::expression_options(),
                                       netcl::run_options());
        },
        "expression");
    closes(
        [&] {
          return netcl::op::expression(expression, {closed_tensor}, netcl::expression_options(),
                                       netcl::run_options());
        },
        "inputs[0]");
    closes(
        [&] {
          return netcl::op::expression(expression, {live}, netcl::expression_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::expression(expression, {live}, netcl::expression_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::expression(expression, {live}, netcl::expression_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::expression(expression, {live}, netcl::expression_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_expression_text() {
    closes(
        [&] {
          return netcl::op::expression_text("v0", {closed_tensor}, netcl::expression_options(),
                                            netcl::run_options());
        },
        "inputs[0]");
    closes(
        [&] {
          return netcl::op::expression_text("v0", {live}, netcl::expression_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::expression_text("v0", {live}, netcl::expression_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::expression_text("v0", {live}, netcl::expression_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::expression_text("v0", {live}, netcl::expression_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_expressions() {
    closes(
        [&] {
          return netcl::op::expressions({"v0"}, {closed_tensor}, netcl::expressions_options(),
                                        netcl::run_options());
        },
        "inputs[0]");
    closes(
        [&] {
          return netcl::op::expressions({"v0"}, {live}, netcl::expressions_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::expressions({"v0"}, {live}, netcl::expressions_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::expressions({"v0"}, {live}, netcl::expressions_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::expressions({"v0"}, {live}, netcl::expressions_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_elementwise() {
    closes(
        [&] {
          return netcl::op::elementwise(netcl::elementwise::abs, {closed_tensor},
                                        netcl::elementwise_options(), netcl::run_options());
        },
        "inputs[0]");
    closes(
        [&] {
          return netcl::op::elementwise(netcl::elementwise::abs, {live},
                                        netcl::elementwise_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::elementwise(netcl::elementwise::abs, {live},
                                        netcl::elementwise_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::elementwise(netcl::elementwise::abs, {live},
                                        netcl::elementwise_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::elementwise(netcl::elementwise::abs, {live},
                                        netcl::elementwise_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_bias_add() {
    closes(
        [&] {
          return netcl::op::bias_add(closed_tensor, live, 1, netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::bias_add(live, closed_tensor, 1, netcl::run_options());
        },
        "bias");
    closes(
        [&] {
          return netcl::op::bias_add(live, live, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::bias_add(live, live, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::bias_add(live, live, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::bias_add(live, live, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_copy() {
    closes(
        [&] {
          return netcl::op::copy(closed_tensor, netcl::run_options());
        },
        "tensor");
    closes(
        [&] {
          return netcl::op::copy(live, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::copy(live, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::copy(live, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::copy(live, run_graph);
        },
        "run->graph");
  }

  void refuse_contiguous() {
    closes(
        [&] {
          return netcl::op::contiguous(closed_tensor, netcl::run_options());
        },
        "tensor");
    closes(
        [&] {
          return netcl::op::contiguous(live, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::contiguous(live, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::contiguous(live, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::contiguous(live, run_graph);
        },
        "run->graph");
  }

  void refuse_cast() {
    closes(
        [&] {
          return netcl::op::cast(closed_tensor, netcl::dtype::f32, netcl::run_options());
        },
        "tensor");
    closes(
        [&] {
          return netcl::op::cast(live, netcl::dtype::f32, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::cast(live, netcl::dtype::f32, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::cast(live, netcl::dtype::f32, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::cast(live, netcl::dtype::f32, run_graph);
        },
        "run->graph");
  }

  void refuse_fill() {
    closes(
        [&] {
          return netcl::op::fill(live, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::fill(live, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::fill(live, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::fill(live, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_range() {
    closes(
        [&] {
          return netcl::op::range(live, 1, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::range(live, 1, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::range(live, 1, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::range(live, 1, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_eye() {
    closes(
        [&] {
          return netcl::op::eye(closed_tensor, 1, netcl::run_options());
        },
        "tensor");
    closes(
        [&] {
          return netcl::op::eye(live, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::eye(live, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::eye(live, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::eye(live, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_primitive() {
    closes(
        [&] {
          return netcl::op::primitive("v0", {closed_tensor}, netcl::primitive_call_options(),
                                      netcl::run_options());
        },
        "inputs[0]");
    closes(
        [&] {
          return netcl::op::primitive("v0", {live}, netcl::primitive_call_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::primitive("v0", {live}, netcl::primitive_call_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::primitive("v0", {live}, netcl::primitive_call_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::primitive("v0", {live}, netcl::primitive_call_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_primitive_gradient() {
    closes(
        [&] {
          return netcl::op::primitive_gradient("v0", {closed_tensor}, 1, live, live,
                                               netcl::primitive_call_options(),
                                               netcl::run_options());
        },
        "inputs[0]");
    closes(
        [&] {
          return netcl::op::primitive_gradient("v0", {live}, 1, closed_tensor, live,
                                               netcl::primitive_call_options(),
                                               netcl::run_options());
        },
        "grad");
    closes(
        [&] {
          return netcl::op::primitive_gradient("v0", {live}, 1, live, closed_tensor,
                                               netcl::primitive_call_options(),
                                               netcl::run_options());
        },
        "out");
    closes(
        [&] {
          return netcl::op::primitive_gradient("v0", {live}, 1, live, live,
                                               netcl::primitive_call_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::primitive_gradient("v0", {live}, 1, live, live,
                                               netcl::primitive_call_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::primitive_gradient("v0", {live}, 1, live, live,
                                               netcl::primitive_call_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::primitive_gradient("v0", {live}, 1, live, live,
                                               netcl::primitive_call_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_matmul() {
    closes(
        [&] {
          return netcl::op::matmul(closed_tensor, live, netcl::matmul_options(),
                                   netcl::run_options());
        },
        "a");
    closes(
        [&] {
          return netcl::op::matmul(live, closed_tensor, netcl::matmul_options(),
                                   netcl::run_options());
        },
        "b");
    closes(
        [&] {
          return netcl::op::matmul(live, live, netcl::matmul_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::matmul(live, live, netcl::matmul_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::matmul(live, live, netcl::matmul_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::matmul(live, live, netcl::matmul_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_einsum() {
    closes(
        [&] {
          return netcl::op::einsum("v0", {closed_tensor}, netcl::run_options());
        },
        "inputs[0]");
    closes(
        [&] {
          return netcl::op::einsum("v0", {live}, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::einsum("v0", {live}, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::einsum("v0", {live}, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::einsum("v0", {live}, run_graph);
        },
        "run->graph");
  }

  void refuse_conv2d() {
    closes(
        [&] {
          return netcl::op::conv2d(closed_tensor, live, netcl::conv2d_options(),
                                   netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::conv2d(live, closed_tensor, netcl::conv2d_options(),
                                   netcl::run_options());
        },
        "w");
    closes(
        [&] {
          return netcl::op::conv2d(live, live, netcl::conv2d_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::conv2d(live, live, netcl::conv2d_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::conv2d(live, live, netcl::conv2d_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::conv2d(live, live, netcl::conv2d_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_matmul_quantized() {
    closes(
        [&] {
          return netcl::op::matmul_quantized(closed_tensor, live, netcl::quantized_options(),
                                             netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::matmul_quantized(live, closed_tensor, netcl::quantized_options(),
                                             netcl::run_options());
        },
        "weights");
    closes(
        [&] {
          return netcl::op::matmul_quantized(live, live, netcl::quantized_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::matmul_quantized(live, live, netcl::quantized_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::matmul_quantized(live, live, netcl::quantized_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::matmul_quantized(live, live, netcl::quantized_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_dequantize_weights() {
    closes(
        [&] {
          return netcl::op::dequantize_weights(closed_tensor, netcl::quantized_options(),
                                               netcl::run_options());
        },
        "weights");
    closes(
        [&] {
          return netcl::op::dequantize_weights(live, netcl::quantized_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::dequantize_weights(live, netcl::quantized_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::dequantize_weights(live, netcl::quantized_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::dequantize_weights(live, netcl::quantized_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_quantize_weights() {
    closes(
        [&] {
          return netcl::op::quantize_weights(closed_tensor, netcl::quantized_options(),
                                             netcl::run_options());
        },
        "w");
    closes(
        [&] {
          return netcl::op::quantize_weights(live, netcl::quantized_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::quantize_weights(live, netcl::quantized_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::quantize_weights(live, netcl::quantized_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::quantize_weights(live, netcl::quantized_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_attention() {
    closes(
        [&] {
          return netcl::op::attention(closed_tensor, live, live, netcl::attention_options(),
                                      netcl::run_options());
        },
        "q");
    closes(
        [&] {
          return netcl::op::attention(live, closed_tensor, live, netcl::attention_options(),
                                      netcl::run_options());
        },
        "k");
    closes(
        [&] {
          return netcl::op::attention(live, live, closed_tensor, netcl::attention_options(),
                                      netcl::run_options());
        },
        "v");
    closes(
        [&] {
          return netcl::op::attention(live, live, live, netcl::attention_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::attention(live, live, live, netcl::attention_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::attention(live, live, live, netcl::attention_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::attention(live, live, live, netcl::attention_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_rotary_embedding() {
    closes(
        [&] {
          return netcl::op::rotary_embedding(closed_tensor, live, live,
                                             netcl::rotary_embedding_options(),
                                             netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::rotary_embedding(live, closed_tensor, live,
                                             netcl::rotary_embedding_options(),
                                             netcl::run_options());
        },
        "cos_cache");
    closes(
        [&] {
          return netcl::op::rotary_embedding(live, live, closed_tensor,
                                             netcl::rotary_embedding_options(),
                                             netcl::run_options());
        },
        "sin_cache");
    closes(
        [&] {
          return netcl::op::rotary_embedding(live, live, live, netcl::rotary_embedding_options(),
                                             run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::rotary_embedding(live, live, live, netcl::rotary_embedding_options(),
                                             run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::rotary_embedding(live, live, live, netcl::rotary_embedding_options(),
                                             run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::rotary_embedding(live, live, live, netcl::rotary_embedding_options(),
                                             run_graph);
        },
        "run->graph");
  }

  void refuse_reduce() {
    closes(
        [&] {
          return netcl::op::reduce(closed_tensor, netcl::reduction::sum, netcl::reduce_options(),
                                   netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::reduce(live, netcl::reduction::sum, netcl::reduce_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::reduce(live, netcl::reduction::sum, netcl::reduce_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::reduce(live, netcl::reduction::sum, netcl::reduce_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::reduce(live, netcl::reduction::sum, netcl::reduce_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_scan() {
    closes(
        [&] {
          return netcl::op::scan(closed_tensor, netcl::reduction::sum, 1, netcl::scan_options(),
                                 netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::scan(live, netcl::reduction::sum, 1, netcl::scan_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::scan(live, netcl::reduction::sum, 1, netcl::scan_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::scan(live, netcl::reduction::sum, 1, netcl::scan_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::scan(live, netcl::reduction::sum, 1, netcl::scan_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_histogram() {
    closes(
        [&] {
          return netcl::op::histogram(closed_tensor, 1, netcl::histogram_options(),
                                      netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::histogram(live, 1, netcl::histogram_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::histogram(live, 1, netcl::histogram_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::histogram(live, 1, netcl::histogram_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::histogram(live, 1, netcl::histogram_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_topk() {
    closes(
        [&] {
          return netcl::op::topk(closed_tensor, 1, 1, netcl::topk_options(), netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::topk(live, 1, 1, netcl::topk_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::topk(live, 1, 1, netcl::topk_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::topk(live, 1, 1, netcl::topk_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::topk(live, 1, 1, netcl::topk_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_softmax() {
    closes(
        [&] {
          return netcl::op::softmax(closed_tensor, 1, netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::softmax(live, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::softmax(live, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::softmax(live, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::softmax(live, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_log_softmax() {
    closes(
        [&] {
          return netcl::op::log_softmax(closed_tensor, 1, netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::log_softmax(live, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::log_softmax(live, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::log_softmax(live, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::log_softmax(live, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_layernorm() {
    closes(
        [&] {
          return netcl::op::layernorm(closed_tensor, 1, netcl::norm_options(),
                                      netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::layernorm(live, 1, netcl::norm_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::layernorm(live, 1, netcl::norm_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::layernorm(live, 1, netcl::norm_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::layernorm(live, 1, netcl::norm_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_rmsnorm() {
    closes(
        [&] {
          return netcl::op::rmsnorm(closed_tensor, 1, netcl::norm_options(), netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::rmsnorm(live, 1, netcl::norm_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::rmsnorm(live, 1, netcl::norm_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::rmsnorm(live, 1, netcl::norm_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::rmsnorm(live, 1, netcl::norm_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_batchnorm() {
    closes(
        [&] {
          return netcl::op::batchnorm(closed_tensor, live, live, netcl::batchnorm_options(),
                                      netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::batchnorm(live, closed_tensor, live, netcl::batchnorm_options(),
                                      netcl::run_options());
        },
        "mean");
    closes(
        [&] {
          return netcl::op::batchnorm(live, live, closed_tensor, netcl::batchnorm_options(),
                                      netcl::run_options());
        },
        "variance");
    closes(
        [&] {
          return netcl::op::batchnorm(live, live, live, netcl::batchnorm_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::batchnorm(live, live, live, netcl::batchnorm_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::batchnorm(live, live, live, netcl::batchnorm_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::batchnorm(live, live, live, netcl::batchnorm_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_pool() {
    closes(
        [&] {
          return netcl::op::pool(closed_tensor, netcl::pooling::max, netcl::pooling_options(),
                                 netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::pool(live, netcl::pooling::max, netcl::pooling_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::pool(live, netcl::pooling::max, netcl::pooling_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::pool(live, netcl::pooling::max, netcl::pooling_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::pool(live, netcl::pooling::max, netcl::pooling_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_max_unpool2d() {
    closes(
        [&] {
          return netcl::op::max_unpool2d(closed_tensor, live, 1, 1, netcl::max_unpool2d_options(),
                                         netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::max_unpool2d(live, closed_tensor, 1, 1, netcl::max_unpool2d_options(),
                                         netcl::run_options());
        },
        "indices");
    closes(
        [&] {
          return netcl::op::max_unpool2d(live, live, 1, 1, netcl::max_unpool2d_options(),
                                         run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::max_unpool2d(live, live, 1, 1, netcl::max_unpool2d_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::max_unpool2d(live, live, 1, 1, netcl::max_unpool2d_options(),
                                         run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::max_unpool2d(live, live, 1, 1, netcl::max_unpool2d_options(),
                                         run_graph);
        },
        "run->graph");
  }

  void refuse_roi_pool() {
    closes(
        [&] {
          return netcl::op::roi_pool(closed_tensor, live, live, netcl::roi_pooling::average,
                                     netcl::roi_pool_options(), netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::roi_pool(live, closed_tensor, live, netcl::roi_pooling::average,
                                     netcl::roi_pool_options(), netcl::run_options());
        },
        "rois");
    closes(
        [&] {
          return netcl::op::roi_pool(live, live, closed_tensor, netcl::roi_pooling::average,
                                     netcl::roi_pool_options(), netcl::run_options());
        },
        "images");
    closes(
        [&] {
          return netcl::op::roi_pool(live, live, live, netcl::roi_pooling::average,
                                     netcl::roi_pool_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::roi_pool(live, live, live, netcl::roi_pooling::average,
                                     netcl::roi_pool_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::roi_pool(live, live, live, netcl::roi_pooling::average,
                                     netcl::roi_pool_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::roi_pool(live, live, live, netcl::roi_pooling::average,
                                     netcl::roi_pool_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_quantize_linear() {
    closes(
        [&] {
          return netcl::op::quantize_linear(closed_tensor, live, 1,
                                            netcl::quantize_linear_options(), netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::quantize_linear(live, closed_tensor, 1,
                                            netcl::quantize_linear_options(), netcl::run_options());
        },
        "scale");
    closes(
        [&] {
          return netcl::op::quantize_linear(live, live, 1, netcl::quantize_linear_options(),
                                            run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::quantize_linear(live, live, 1, netcl::quantize_linear_options(),
                                            run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::quantize_linear(live, live, 1, netcl::quantize_linear_options(),
                                            run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::quantize_linear(live, live, 1, netcl::quantize_linear_options(),
                                            run_graph);
        },
        "run->graph");
  }

  void refuse_dequantize_linear() {
    closes(
        [&] {
          return netcl::op::dequantize_linear(closed_tensor, live, 1,
                                              netcl::dequantize_linear_options(),
                                              netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::dequantize_linear(live, closed_tensor, 1,
                                              netcl::dequantize_linear_options(),
                                              netcl::run_options());
        },
        "scale");
    closes(
        [&] {
          return netcl::op::dequantize_linear(live, live, 1, netcl::dequantize_linear_options(),
                                              run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::dequantize_linear(live, live, 1, netcl::dequantize_linear_options(),
                                              run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::dequantize_linear(live, live, 1, netcl::dequantize_linear_options(),
                                              run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::dequantize_linear(live, live, 1, netcl::dequantize_linear_options(),
                                              run_graph);
        },
        "run->graph");
  }

  void refuse_dynamic_quantize_linear() {
    closes(
        [&] {
          return netcl::op::dynamic_quantize_linear(closed_tensor,
                                                    netcl::dynamic_quantize_linear_options(),
                                                    netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::dynamic_quantize_linear(live, netcl::dynamic_quantize_linear_options(),
                                                    run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::dynamic_quantize_linear(live, netcl::dynamic_quantize_linear_options(),
                                                    run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::dynamic_quantize_linear(live, netcl::dynamic_quantize_linear_options(),
                                                    run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::dynamic_quantize_linear(live, netcl::dynamic_quantize_linear_options(),
                                                    run_graph);
        },
        "run->graph");
  }

  void refuse_qlinear_matmul() {
    closes(
        [&] {
          return netcl::op::qlinear_matmul(closed_tensor, live, live, live, live,
                                           netcl::qlinear_matmul_options(), netcl::run_options());
        },
        "a");
    closes(
        [&] {
          return netcl::op::qlinear_matmul(live, closed_tensor, live, live, live,
                                           netcl::qlinear_matmul_options(), netcl::run_options());
        },
        "a_scale");
    closes(
        [&] {
          return netcl::op::qlinear_matmul(live, live, closed_tensor, live, live,
                                           netcl::qlinear_matmul_options(), netcl::run_options());
        },
        "b");
    closes(
        [&] {
          return netcl::op::qlinear_matmul(live, live, live, closed_tensor, live,
                                           netcl::qlinear_matmul_options(), netcl::run_options());
        },
        "b_scale");
    closes(
        [&] {
          return netcl::op::qlinear_matmul(live, live, live, live, closed_tensor,
                                           netcl::qlinear_matmul_options(), netcl::run_options());
        },
        "y_scale");
    closes(
        [&] {
          return netcl::op::qlinear_matmul(live, live, live, live, live,
                                           netcl::qlinear_matmul_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::qlinear_matmul(live, live, live, live, live,
                                           netcl::qlinear_matmul_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::qlinear_matmul(live, live, live, live, live,
                                           netcl::qlinear_matmul_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::qlinear_matmul(live, live, live, live, live,
                                           netcl::qlinear_matmul_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_conv2d_integer() {
    closes(
        [&] {
          return netcl::op::conv2d_integer(closed_tensor, live, netcl::conv2d_integer_options(),
                                           netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::conv2d_integer(live, closed_tensor, netcl::conv2d_integer_options(),
                                           netcl::run_options());
        },
        "w");
    closes(
        [&] {
          return netcl::op::conv2d_integer(live, live, netcl::conv2d_integer_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::conv2d_integer(live, live, netcl::conv2d_integer_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::conv2d_integer(live, live, netcl::conv2d_integer_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::conv2d_integer(live, live, netcl::conv2d_integer_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_qlinear_conv2d() {
    closes(
        [&] {
          return netcl::op::qlinear_conv2d(closed_tensor, live, live, live, live,
                                           netcl::qlinear_conv2d_options(), netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::qlinear_conv2d(live, closed_tensor, live, live, live,
                                           netcl::qlinear_conv2d_options(), netcl::run_options());
        },
        "x_scale");
    closes(
        [&] {
          return netcl::op::qlinear_conv2d(live, live, closed_tensor, live, live,
                                           netcl::qlinear_conv2d_options(), netcl::run_options());
        },
        "w");
    closes(
        [&] {
          return netcl::op::qlinear_conv2d(live, live, live, closed_tensor, live,
                                           netcl::qlinear_conv2d_options(), netcl::run_options());
        },
        "w_scale");
    closes(
        [&] {
          return netcl::op::qlinear_conv2d(live, live, live, live, closed_tensor,
                                           netcl::qlinear_conv2d_options(), netcl::run_options());
        },
        "y_scale");
    closes(
        [&] {
          return netcl::op::qlinear_conv2d(live, live, live, live, live,
                                           netcl::qlinear_conv2d_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::qlinear_conv2d(live, live, live, live, live,
                                           netcl::qlinear_conv2d_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::qlinear_conv2d(live, live, live, live, live,
                                           netcl::qlinear_conv2d_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::qlinear_conv2d(live, live, live, live, live,
                                           netcl::qlinear_conv2d_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_cross_entropy() {
    closes(
        [&] {
          return netcl::op::cross_entropy(closed_tensor, live, 1, netcl::loss_options(),
                                          netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::cross_entropy(live, closed_tensor, 1, netcl::loss_options(),
                                          netcl::run_options());
        },
        "labels");
    closes(
        [&] {
          return netcl::op::cross_entropy(live, live, 1, netcl::loss_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::cross_entropy(live, live, 1, netcl::loss_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::cross_entropy(live, live, 1, netcl::loss_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::cross_entropy(live, live, 1, netcl::loss_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_nll_loss() {
    closes(
        [&] {
          return netcl::op::nll_loss(closed_tensor, live, 1, netcl::loss_options(),
                                     netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::nll_loss(live, closed_tensor, 1, netcl::loss_options(),
                                     netcl::run_options());
        },
        "labels");
    closes(
        [&] {
          return netcl::op::nll_loss(live, live, 1, netcl::loss_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::nll_loss(live, live, 1, netcl::loss_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::nll_loss(live, live, 1, netcl::loss_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::nll_loss(live, live, 1, netcl::loss_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_sgd() {
    closes(
        [&] {
          return netcl::op::sgd({closed_tensor}, {live}, 1, netcl::sgd_options(),
                                netcl::run_options());
        },
        "parameters[0]");
    closes(
        [&] {
          return netcl::op::sgd({live}, {closed_tensor}, 1, netcl::sgd_options(),
                                netcl::run_options());
        },
        "gradients[0]");
    closes(
        [&] {
          return netcl::op::sgd({live}, {live}, 1, netcl::sgd_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::sgd({live}, {live}, 1, netcl::sgd_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::sgd({live}, {live}, 1, netcl::sgd_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::sgd({live}, {live}, 1, netcl::sgd_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_adam() {
    closes(
        [&] {
          return netcl::op::adam({closed_tensor}, {live}, {live}, {live}, live, 1,
                                 netcl::adam_options(), netcl::run_options());
        },
        "parameters[0]");
    closes(
        [&] {
          return netcl::op::adam({live}, {closed_tensor}, {live}, {live}, live, 1,
                                 netcl::adam_options(), netcl::run_options());
        },
        "gradients[0]");
    closes(
        [&] {
          return netcl::op::adam({live}, {live}, {closed_tensor}, {live}, live, 1,
                                 netcl::adam_options(), netcl::run_options());
        },
        "averages[0]");
    closes(
        [&] {
          return netcl::op::adam({live}, {live}, {live}, {closed_tensor}, live, 1,
                                 netcl::adam_options(), netcl::run_options());
        },
        "square_averages[0]");
    closes(
        [&] {
          return netcl::op::adam({live}, {live}, {live}, {live}, closed_tensor, 1,
                                 netcl::adam_options(), netcl::run_options());
        },
        "step");
    closes(
        [&] {
          return netcl::op::adam({live}, {live}, {live}, {live}, live, 1, netcl::adam_options(),
                                 run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::adam({live}, {live}, {live}, {live}, live, 1, netcl::adam_options(),
                                 run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::adam({live}, {live}, {live}, {live}, live, 1, netcl::adam_options(),
                                 run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::adam({live}, {live}, {live}, {live}, live, 1, netcl::adam_options(),
                                 run_graph);
        },
        "run->graph");
  }

  void refuse_rmsprop() {
    closes(
        [&] {
          return netcl::op::rmsprop({closed_tensor}, {live}, {live}, 1, netcl::rmsprop_options(),
                                    netcl::run_options());
        },
        "parameters[0]");
    closes(
        [&] {
          return netcl::op::rmsprop({live}, {closed_tensor}, {live}, 1, netcl::rmsprop_options(),
                                    netcl::run_options());
        },
        "gradients[0]");
    closes(
        [&] {
          return netcl::op::rmsprop({live}, {live}, {closed_tensor}, 1, netcl::rmsprop_options(),
                                    netcl::run_options());
        },
        "square_averages[0]");
    closes(
        [&] {
          return netcl::op::rmsprop({live}, {live}, {live}, 1, netcl::rmsprop_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::rmsprop({live}, {live}, {live}, 1, netcl::rmsprop_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::rmsprop({live}, {live}, {live}, 1, netcl::rmsprop_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::rmsprop({live}, {live}, {live}, 1, netcl::rmsprop_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_adagrad() {
    closes(
        [&] {
          return netcl::op::adagrad({closed_tensor}, {live}, {live}, 1, netcl::adagrad_options(),
                                    netcl::run_options());
        },
        "parameters[0]");
    closes(
        [&] {
          return netcl::op::adagrad({live}, {closed_tensor}, {live}, 1, netcl::adagrad_options(),
                                    netcl::run_options());
        },
        "gradients[0]");
    closes(
        [&] {
          return netcl::op::adagrad({live}, {live}, {closed_tensor}, 1, netcl::adagrad_options(),
                                    netcl::run_options());
        },
        "sums[0]");
    closes(
        [&] {
          return netcl::op::adagrad({live}, {live}, {live}, 1, netcl::adagrad_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::adagrad({live}, {live}, {live}, 1, netcl::adagrad_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::adagrad({live}, {live}, {live}, 1, netcl::adagrad_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::adagrad({live}, {live}, {live}, 1, netcl::adagrad_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_clip_by_norm() {
    closes(
        [&] {
          return netcl::op::clip_by_norm({closed_tensor}, 1, netcl::run_options());
        },
        "tensors[0]");
    closes(
        [&] {
          return netcl::op::clip_by_norm({live}, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::clip_by_norm({live}, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::clip_by_norm({live}, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::clip_by_norm({live}, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_unscale() {
    closes(
        [&] {
          return netcl::op::unscale({closed_tensor}, live, live, netcl::run_options());
        },
        "tensors[0]");
    closes(
        [&] {
          return netcl::op::unscale({live}, closed_tensor, live, netcl::run_options());
        },
        "scale");
    closes(
        [&] {
          return netcl::op::unscale({live}, live, closed_tensor, netcl::run_options());
        },
        "found_inf");
    closes(
        [&] {
          return netcl::op::unscale({live}, live, live, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::unscale({live}, live, live, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::unscale({live}, live, live, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::unscale({live}, live, live, run_graph);
        },
        "run->graph");
  }

  void refuse_update_loss_scale() {
    closes(
        [&] {
          return netcl::op::update_loss_scale(closed_tensor, live, live,
                                              netcl::loss_scale_options(), netcl::run_options());
        },
        "scale");
    closes(
        [&] {
          return netcl::op::update_loss_scale(live, closed_tensor, live,
                                              netcl::loss_scale_options(), netcl::run_options());
        },
        "tracker");
    closes(
        [&] {
          return netcl::op::update_loss_scale(live, live, closed_tensor,
                                              netcl::loss_scale_options(), netcl::run_options());
        },
        "found_inf");
    closes(
        [&] {
          return netcl::op::update_loss_scale(live, live, live, netcl::loss_scale_options(),
                                              run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::update_loss_scale(live, live, live, netcl::loss_scale_options(),
                                              run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::update_loss_scale(live, live, live, netcl::loss_scale_options(),
                                              run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::update_loss_scale(live, live, live, netcl::loss_scale_options(),
                                              run_graph);
        },
        "run->graph");
  }

  void refuse_transpose() {
    closes(
        [&] {
          return netcl::op::transpose(closed_tensor, {1}, netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::transpose(live, {1}, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::transpose(live, {1}, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::transpose(live, {1}, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::transpose(live, {1}, run_graph);
        },
        "run->graph");
  }

  void refuse_concat() {
    closes(
        [&] {
          return netcl::op::concat({closed_tensor}, 1, netcl::run_options());
        },
        "inputs[0]");
    closes(
        [&] {
          return netcl::op::concat({live}, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::concat({live}, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::concat({live}, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::concat({live}, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_pad() {
    closes(
        [&] {
          return netcl::op::pad(closed_tensor, {1}, netcl::pad_options(), netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::pad(live, {1}, netcl::pad_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::pad(live, {1}, netcl::pad_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::pad(live, {1}, netcl::pad_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::pad(live, {1}, netcl::pad_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_tile() {
    closes(
        [&] {
          return netcl::op::tile(closed_tensor, {1}, netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::tile(live, {1}, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::tile(live, {1}, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::tile(live, {1}, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::tile(live, {1}, run_graph);
        },
        "run->graph");
  }

  void refuse_trilu() {
    closes(
        [&] {
          return netcl::op::trilu(closed_tensor, 1, 1, netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::trilu(live, 1, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::trilu(live, 1, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::trilu(live, 1, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::trilu(live, 1, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_gather() {
    closes(
        [&] {
          return netcl::op::gather(closed_tensor, live, 1, netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::gather(live, closed_tensor, 1, netcl::run_options());
        },
        "indices");
    closes(
        [&] {
          return netcl::op::gather(live, live, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::gather(live, live, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::gather(live, live, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::gather(live, live, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_gather_elements() {
    closes(
        [&] {
          return netcl::op::gather_elements(closed_tensor, live, 1, netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::gather_elements(live, closed_tensor, 1, netcl::run_options());
        },
        "indices");
    closes(
        [&] {
          return netcl::op::gather_elements(live, live, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::gather_elements(live, live, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::gather_elements(live, live, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::gather_elements(live, live, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_embedding() {
    closes(
        [&] {
          return netcl::op::embedding(closed_tensor, live, netcl::run_options());
        },
        "weights");
    closes(
        [&] {
          return netcl::op::embedding(live, closed_tensor, netcl::run_options());
        },
        "indices");
    closes(
        [&] {
          return netcl::op::embedding(live, live, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::embedding(live, live, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::embedding(live, live, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::embedding(live, live, run_graph);
        },
        "run->graph");
  }

  void refuse_one_hot() {
    closes(
        [&] {
          return netcl::op::one_hot(live, 1, 1, netcl::dtype::f32, 1, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::one_hot(live, 1, 1, netcl::dtype::f32, 1, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::one_hot(live, 1, 1, netcl::dtype::f32, 1, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::one_hot(live, 1, 1, netcl::dtype::f32, 1, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_scatter() {
    closes(
        [&] {
          return netcl::op::scatter(closed_tensor, live, live, 1, netcl::scatter_options(),
                                    netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::scatter(live, closed_tensor, live, 1, netcl::scatter_options(),
                                    netcl::run_options());
        },
        "indices");
    closes(
        [&] {
          return netcl::op::scatter(live, live, closed_tensor, 1, netcl::scatter_options(),
                                    netcl::run_options());
        },
        "updates");
    closes(
        [&] {
          return netcl::op::scatter(live, live, live, 1, netcl::scatter_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::scatter(live, live, live, 1, netcl::scatter_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::scatter(live, live, live, 1, netcl::scatter_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::scatter(live, live, live, 1, netcl::scatter_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_gather_nd() {
    closes(
        [&] {
          return netcl::op::gather_nd(closed_tensor, live, 1, netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::gather_nd(live, closed_tensor, 1, netcl::run_options());
        },
        "indices");
    closes(
        [&] {
          return netcl::op::gather_nd(live, live, 1, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::gather_nd(live, live, 1, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::gather_nd(live, live, 1, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::gather_nd(live, live, 1, run_graph);
        },
        "run->graph");
  }

  void refuse_scatter_nd() {
    closes(
        [&] {
          return netcl::op::scatter_nd(closed_tensor, live, live, 1, netcl::scatter_options(),
                                       netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::scatter_nd(live, closed_tensor, live, 1, netcl::scatter_options(),
                                       netcl::run_options());
        },
        "indices");
    closes(
        [&] {
          return netcl::op::scatter_nd(live, live, closed_tensor, 1, netcl::scatter_options(),
                                       netcl::run_options());
        },
        "updates");
    closes(
        [&] {
          return netcl::op::scatter_nd(live, live, live, 1, netcl::scatter_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::scatter_nd(live, live, live, 1, netcl::scatter_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::scatter_nd(live, live, live, 1, netcl::scatter_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::scatter_nd(live, live, live, 1, netcl::scatter_options(), run_graph);
        },
        "run->graph");
  }

  void refuse_depth_to_space() {
    closes(
        [&] {
          return netcl::op::depth_to_space(closed_tensor, 1, netcl::depth_order::dcr,
                                           netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::depth_to_space(live, 1, netcl::depth_order::dcr, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::depth_to_space(live, 1, netcl::depth_order::dcr, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::depth_to_space(live, 1, netcl::depth_order::dcr, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::depth_to_space(live, 1, netcl::depth_order::dcr, run_graph);
        },
        "run->graph");
  }

  void refuse_space_to_depth() {
    closes(
        [&] {
          return netcl::op::space_to_depth(closed_tensor, 1, netcl::depth_order::dcr,
                                           netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::space_to_depth(live, 1, netcl::depth_order::dcr, run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::space_to_depth(live, 1, netcl::depth_order::dcr, run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::space_to_depth(live, 1, netcl::depth_order::dcr, run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::space_to_depth(live, 1, netcl::depth_order::dcr, run_graph);
        },
        "run->graph");
  }

  void refuse_resize() {
    closes(
        [&] {
          return netcl::op::resize(closed_tensor, {1}, netcl::resize_options(),
                                   netcl::run_options());
        },
        "x");
    closes(
        [&] {
          return netcl::op::resize(live, {1}, netcl::resize_options(), run_queue);
        },
        "run->queue");
    closes(
        [&] {
          return netcl::op::resize(live, {1}, netcl::resize_options(), run_into);
        },
        "run->into");
    closes(
        [&] {
          return netcl::op::resize(live, {1}, netcl::resize_options(), run_waits);
        },
        "waits[0]");
    closes(
        [&] {
          return netcl::op::resize(live, {1}, netcl::resize_options(), run_graph);
        },
        "run->graph");
  }

  void all() {
    refuse_expression();
    refuse_expression_text();
    refuse_expressions();
    refuse_elementwise();
    refuse_bias_add();
    refuse_copy();
    refuse_contiguous();
    refuse_cast();
    refuse_fill();
    refuse_range();
    refuse_eye();
    refuse_primitive();
    refuse_primitive_gradient();
    refuse_matmul();
    refuse_einsum();
    refuse_conv2d();
    refuse_matmul_quantized();
    refuse_dequantize_weights();
    refuse_quantize_weights();
    refuse_attention();
    refuse_rotary_embedding();
    refuse_reduce();
    refuse_scan();
    refuse_histogram();
    refuse_topk();
    refuse_softmax();
    refuse_log_softmax();
    refuse_layernorm();
    refuse_rmsnorm();
    refuse_batchnorm();
    refuse_pool();
    refuse_max_unpool2d();
    refuse_roi_pool();
    refuse_quantize_linear();
    refuse_dequantize_linear();
    refuse_dynamic_quantize_linear();
    refuse_qlinear_matmul();
    refuse_conv2d_integer();
    refuse_qlinear_conv2d();
    refuse_cross_entropy();
    refuse_nll_loss();
    refuse_sgd();
    refuse_adam();
    refuse_rmsprop();
    refuse_adagrad();
    refuse_clip_by_norm();
    refuse_unscale();
    refuse_update_loss_scale();
    refuse_transpose();
    refuse_concat();
    refuse_pad();
    refuse_tile();
    refuse_trilu();
    refuse_gather();
    refuse_gather_elements();
    refuse_embedding();
    refuse_one_hot();
    refuse_scatter();
    refuse_gather_nd();
    refuse_scatter_nd();
    refuse_depth_to_space();
    refuse_space_to_depth();
    refuse_resize();
  }
};
