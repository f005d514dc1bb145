# Written by bindings/generator from include/netcl.h; changes here are lost.

# Every op is called with a closed object in each place for one. The error names the place, and
# there is no result.

@testset "every op refuses closed objects" begin
    live = Netcl.tensor_create_zeros(dev(), :f32, (1, 1))
    expression = Netcl.Expression("v0")
    closes(call, place) = fails(call, Netcl.ERROR_INVALID_HANDLE, "$place is 0x")
    tensors = Main.live(Netcl.HANDLE_TENSOR)
    closed_event = Netcl.Event(Netcl.CLOSED)
    closed_expression = Netcl.Expression(Netcl.CLOSED)
    closed_graph = Netcl.Graph(Netcl.CLOSED)
    closed_queue = Netcl.Queue(Netcl.CLOSED)
    closed_tensor = Netcl.Tensor(Netcl.CLOSED)

    closes(() -> Netcl.op_expression(closed_expression, (live,)), "expression")
    closes(() -> Netcl.op_expression(expression, (closed_tensor,)), "inputs[0]")
    closes(() -> Netcl.op_expression(expression, (live,); queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_expression(expression, (live,); into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_expression(expression, (live,); waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_expression(expression, (live,); graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_expression_text("v0", (closed_tensor,)), "inputs[0]")
    closes(() -> Netcl.op_expression_text("v0", (live,); queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_expression_text("v0", (live,); into = closed_tensor), "run->into")
    closes(() -> Netcl.op_expression_text("v0", (live,); waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_expression_text("v0", (live,); graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_expressions(("v0",), (closed_tensor,)), "inputs[0]")
    closes(() -> Netcl.op_expressions(("v0",), (live,); queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_expressions(("v0",), (live,); into = closed_tensor), "run->into")
    closes(() -> Netcl.op_expressions(("v0",), (live,); waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_expressions(("v0",), (live,); graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_elementwise(Netcl.ELEMENTWISE_ABS, (closed_tensor,)), "inputs[0]")
    closes(() -> Netcl.op_elementwise(Netcl.ELEMENTWISE_ABS, (live,); queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_elementwise(Netcl.ELEMENTWISE_ABS, (live,); into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_elementwise(Netcl.ELEMENTWISE_ABS, (live,); waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_elementwise(Netcl.ELEMENTWISE_ABS, (live,); graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_bias_add(closed_tensor, live, 1), "x")
    closes(() -> Netcl.op_bias_add(live, closed_tensor, 1), "bias")
    closes(() -> Netcl.op_bias_add(live, live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_bias_add(live, live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_bias_add(live, live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_bias_add(live, live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_copy(closed_tensor), "tensor")
    closes(() -> Netcl.op_copy(live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_copy(live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_copy(live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_copy(live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_contiguous(closed_tensor), "tensor")
    closes(() -> Netcl.op_contiguous(live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_contiguous(live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_contiguous(live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_contiguous(live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_cast(closed_tensor, Netcl.F32), "tensor")
    closes(() -> Netcl.op_cast(live, Netcl.F32; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_cast(live, Netcl.F32; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_cast(live, Netcl.F32; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_cast(live, Netcl.F32; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_fill(live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_fill(live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_fill(live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_fill(live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_range(live, 1, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_range(live, 1, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_range(live, 1, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_range(live, 1, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_eye(closed_tensor, 1), "tensor")
    closes(() -> Netcl.op_eye(live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_eye(live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_eye(live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_eye(live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_primitive("v0", (closed_tensor,)), "inputs[0]")
    closes(() -> Netcl.op_primitive("v0", (live,); queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_primitive("v0", (live,); into = closed_tensor), "run->into")
    closes(() -> Netcl.op_primitive("v0", (live,); waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_primitive("v0", (live,); graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_primitive_gradient("v0", (closed_tensor,), 1, live, live),
           "inputs[0]")
    closes(() -> Netcl.op_primitive_gradient("v0", (live,), 1, closed_tensor, live), "grad")
    closes(() -> Netcl.op_primitive_gradient("v0", (live,), 1, live, closed_tensor), "out")
    closes(() -> Netcl.op_primitive_gradient("v0", (live,), 1, live, live; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_primitive_gradient("v0", (live,), 1, live, live; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_primitive_gradient("v0", (live,), 1, live, live; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_primitive_gradient("v0", (live,), 1, live, live; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_matmul(closed_tensor, live), "a")
    closes(() -> Netcl.op_matmul(live, closed_tensor), "b")
    closes(() -> Netcl.op_matmul(live, live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_matmul(live, live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_matmul(live, live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_matmul(live, live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_einsum("v0", (closed_tensor,)), "inputs[0]")
    closes(() -> Netcl.op_einsum("v0", (live,); queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_einsum("v0", (live,); into = closed_tensor), "run->into")
    closes(() -> Netcl.op_einsum("v0", (live,); waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_einsum("v0", (live,); graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_conv2d(closed_tensor, live), "x")
    closes(() -> Netcl.op_conv2d(live, closed_tensor), "w")
    closes(() -> Netcl.op_conv2d(live, live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_conv2d(live, live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_conv2d(live, live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_conv2d(live, live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_matmul_quantized(closed_tensor, live), "x")
    closes(() -> Netcl.op_matmul_quantized(live, closed_tensor), "weights")
    closes(() -> Netcl.op_matmul_quantized(live, live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_matmul_quantized(live, live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_matmul_quantized(live, live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_matmul_quantized(live, live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_dequantize_weights(closed_tensor), "weights")
    closes(() -> Netcl.op_dequantize_weights(live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_dequantize_weights(live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_dequantize_weights(live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_dequantize_weights(live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_quantize_weights(closed_tensor), "w")
    closes(() -> Netcl.op_quantize_weights(live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_quantize_weights(live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_quantize_weights(live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_quantize_weights(live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_attention(closed_tensor, live, live), "q")
    closes(() -> Netcl.op_attention(live, closed_tensor, live), "k")
    closes(() -> Netcl.op_attention(live, live, closed_tensor), "v")
    closes(() -> Netcl.op_attention(live, live, live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_attention(live, live, live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_attention(live, live, live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_attention(live, live, live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_rotary_embedding(closed_tensor, live, live), "x")
    closes(() -> Netcl.op_rotary_embedding(live, closed_tensor, live), "cos_cache")
    closes(() -> Netcl.op_rotary_embedding(live, live, closed_tensor), "sin_cache")
    closes(() -> Netcl.op_rotary_embedding(live, live, live; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_rotary_embedding(live, live, live; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_rotary_embedding(live, live, live; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_rotary_embedding(live, live, live; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_reduce(closed_tensor, Netcl.REDUCTION_SUM), "x")
    closes(() -> Netcl.op_reduce(live, Netcl.REDUCTION_SUM; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_reduce(live, Netcl.REDUCTION_SUM; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_reduce(live, Netcl.REDUCTION_SUM; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_reduce(live, Netcl.REDUCTION_SUM; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_scan(closed_tensor, Netcl.REDUCTION_SUM, 1), "x")
    closes(() -> Netcl.op_scan(live, Netcl.REDUCTION_SUM, 1; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_scan(live, Netcl.REDUCTION_SUM, 1; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_scan(live, Netcl.REDUCTION_SUM, 1; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_scan(live, Netcl.REDUCTION_SUM, 1; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_histogram(closed_tensor, 1), "x")
    closes(() -> Netcl.op_histogram(live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_histogram(live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_histogram(live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_histogram(live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_topk(closed_tensor, 1, 1), "x")
    closes(() -> Netcl.op_topk(live, 1, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_topk(live, 1, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_topk(live, 1, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_topk(live, 1, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_softmax(closed_tensor, 1), "x")
    closes(() -> Netcl.op_softmax(live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_softmax(live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_softmax(live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_softmax(live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_log_softmax(closed_tensor, 1), "x")
    closes(() -> Netcl.op_log_softmax(live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_log_softmax(live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_log_softmax(live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_log_softmax(live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_layernorm(closed_tensor, 1), "x")
    closes(() -> Netcl.op_layernorm(live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_layernorm(live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_layernorm(live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_layernorm(live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_rmsnorm(closed_tensor, 1), "x")
    closes(() -> Netcl.op_rmsnorm(live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_rmsnorm(live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_rmsnorm(live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_rmsnorm(live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_batchnorm(closed_tensor, live, live), "x")
    closes(() -> Netcl.op_batchnorm(live, closed_tensor, live), "mean")
    closes(() -> Netcl.op_batchnorm(live, live, closed_tensor), "variance")
    closes(() -> Netcl.op_batchnorm(live, live, live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_batchnorm(live, live, live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_batchnorm(live, live, live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_batchnorm(live, live, live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_pool(closed_tensor, Netcl.POOLING_MAX), "x")
    closes(() -> Netcl.op_pool(live, Netcl.POOLING_MAX; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_pool(live, Netcl.POOLING_MAX; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_pool(live, Netcl.POOLING_MAX; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_pool(live, Netcl.POOLING_MAX; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_max_unpool2d(closed_tensor, live, 1, 1), "x")
    closes(() -> Netcl.op_max_unpool2d(live, closed_tensor, 1, 1), "indices")
    closes(() -> Netcl.op_max_unpool2d(live, live, 1, 1; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_max_unpool2d(live, live, 1, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_max_unpool2d(live, live, 1, 1; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_max_unpool2d(live, live, 1, 1; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_roi_pool(closed_tensor, live, live, Netcl.ROI_POOLING_AVERAGE),
           "x")
    closes(() -> Netcl.op_roi_pool(live, closed_tensor, live, Netcl.ROI_POOLING_AVERAGE),
           "rois")
    closes(() -> Netcl.op_roi_pool(live, live, closed_tensor, Netcl.ROI_POOLING_AVERAGE),
           "images")
    closes(() -> Netcl.op_roi_pool(live, live, live, Netcl.ROI_POOLING_AVERAGE; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_roi_pool(live, live, live, Netcl.ROI_POOLING_AVERAGE; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_roi_pool(live, live, live, Netcl.ROI_POOLING_AVERAGE; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_roi_pool(live, live, live, Netcl.ROI_POOLING_AVERAGE; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_quantize_linear(closed_tensor, live, 1), "x")
    closes(() -> Netcl.op_quantize_linear(live, closed_tensor, 1), "scale")
    closes(() -> Netcl.op_quantize_linear(live, live, 1; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_quantize_linear(live, live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_quantize_linear(live, live, 1; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_quantize_linear(live, live, 1; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_dequantize_linear(closed_tensor, live, 1), "x")
    closes(() -> Netcl.op_dequantize_linear(live, closed_tensor, 1), "scale")
    closes(() -> Netcl.op_dequantize_linear(live, live, 1; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_dequantize_linear(live, live, 1; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_dequantize_linear(live, live, 1; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_dequantize_linear(live, live, 1; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_dynamic_quantize_linear(closed_tensor), "x")
    closes(() -> Netcl.op_dynamic_quantize_linear(live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_dynamic_quantize_linear(live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_dynamic_quantize_linear(live; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_dynamic_quantize_linear(live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_qlinear_matmul(closed_tensor, live, live, live, live), "a")
    closes(() -> Netcl.op_qlinear_matmul(live, closed_tensor, live, live, live), "a_scale")
    closes(() -> Netcl.op_qlinear_matmul(live, live, closed_tensor, live, live), "b")
    closes(() -> Netcl.op_qlinear_matmul(live, live, live, closed_tensor, live), "b_scale")
    closes(() -> Netcl.op_qlinear_matmul(live, live, live, live, closed_tensor), "y_scale")
    closes(() -> Netcl.op_qlinear_matmul(live, live, live, live, live; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_qlinear_matmul(live, live, live, live, live; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_qlinear_matmul(live, live, live, live, live; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_qlinear_matmul(live, live, live, live, live; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_conv2d_integer(closed_tensor, live), "x")
    closes(() -> Netcl.op_conv2d_integer(live, closed_tensor), "w")
    closes(() -> Netcl.op_conv2d_integer(live, live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_conv2d_integer(live, live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_conv2d_integer(live, live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_conv2d_integer(live, live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_qlinear_conv2d(closed_tensor, live, live, live, live), "x")
    closes(() -> Netcl.op_qlinear_conv2d(live, closed_tensor, live, live, live), "x_scale")
    closes(() -> Netcl.op_qlinear_conv2d(live, live, closed_tensor, live, live), "w")
    closes(() -> Netcl.op_qlinear_conv2d(live, live, live, closed_tensor, live), "w_scale")
    closes(() -> Netcl.op_qlinear_conv2d(live, live, live, live, closed_tensor), "y_scale")
    closes(() -> Netcl.op_qlinear_conv2d(live, live, live, live, live; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_qlinear_conv2d(live, live, live, live, live; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_qlinear_conv2d(live, live, live, live, live; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_qlinear_conv2d(live, live, live, live, live; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_cross_entropy(closed_tensor, live, 1), "x")
    closes(() -> Netcl.op_cross_entropy(live, closed_tensor, 1), "labels")
    closes(() -> Netcl.op_cross_entropy(live, live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_cross_entropy(live, live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_cross_entropy(live, live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_cross_entropy(live, live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_nll_loss(closed_tensor, live, 1), "x")
    closes(() -> Netcl.op_nll_loss(live, closed_tensor, 1), "labels")
    closes(() -> Netcl.op_nll_loss(live, live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_nll_loss(live, live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_nll_loss(live, live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_nll_loss(live, live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_sgd((closed_tensor,), (live,), 1), "parameters[0]")
    closes(() -> Netcl.op_sgd((live,), (closed_tensor,), 1), "gradients[0]")
    closes(() -> Netcl.op_sgd((live,), (live,), 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_sgd((live,), (live,), 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_sgd((live,), (live,), 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_sgd((live,), (live,), 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_adam((closed_tensor,), (live,), (live,), (live,), live, 1),
           "parameters[0]")
    closes(() -> Netcl.op_adam((live,), (closed_tensor,), (live,), (live,), live, 1),
           "gradients[0]")
    closes(() -> Netcl.op_adam((live,), (live,), (closed_tensor,), (live,), live, 1),
           "averages[0]")
    closes(() -> Netcl.op_adam((live,), (live,), (live,), (closed_tensor,), live, 1),
           "square_averages[0]")
    closes(() -> Netcl.op_adam((live,), (live,), (live,), (live,), closed_tensor, 1),
           "step")
    closes(() -> Netcl.op_adam((live,), (live,), (live,), (live,), live, 1; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_adam((live,), (live,), (live,), (live,), live, 1; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_adam((live,), (live,), (live,), (live,), live, 1; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_adam((live,), (live,), (live,), (live,), live, 1; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_rmsprop((closed_tensor,), (live,), (live,), 1), "parameters[0]")
    closes(() -> Netcl.op_rmsprop((live,), (closed_tensor,), (live,), 1), "gradients[0]")
    closes(() -> Netcl.op_rmsprop((live,), (live,), (closed_tensor,), 1),
           "square_averages[0]")
    closes(() -> Netcl.op_rmsprop((live,), (live,), (live,), 1; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_rmsprop((live,), (live,), (live,), 1; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_rmsprop((live,), (live,), (live,), 1; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_rmsprop((live,), (live,), (live,), 1; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_adagrad((closed_tensor,), (live,), (live,), 1), "parameters[0]")
    closes(() -> Netcl.op_adagrad((live,), (closed_tensor,), (live,), 1), "gradients[0]")
    closes(() -> Netcl.op_adagrad((live,), (live,), (closed_tensor,), 1), "sums[0]")
    closes(() -> Netcl.op_adagrad((live,), (live,), (live,), 1; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_adagrad((live,), (live,), (live,), 1; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_adagrad((live,), (live,), (live,), 1; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_adagrad((live,), (live,), (live,), 1; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_clip_by_norm((closed_tensor,), 1), "tensors[0]")
    closes(() -> Netcl.op_clip_by_norm((live,), 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_clip_by_norm((live,), 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_clip_by_norm((live,), 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_clip_by_norm((live,), 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_unscale((closed_tensor,), live, live), "tensors[0]")
    closes(() -> Netcl.op_unscale((live,), closed_tensor, live), "scale")
    closes(() -> Netcl.op_unscale((live,), live, closed_tensor), "found_inf")
    closes(() -> Netcl.op_unscale((live,), live, live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_unscale((live,), live, live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_unscale((live,), live, live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_unscale((live,), live, live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_update_loss_scale(closed_tensor, live, live), "scale")
    closes(() -> Netcl.op_update_loss_scale(live, closed_tensor, live), "tracker")
    closes(() -> Netcl.op_update_loss_scale(live, live, closed_tensor), "found_inf")
    closes(() -> Netcl.op_update_loss_scale(live, live, live; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_update_loss_scale(live, live, live; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_update_loss_scale(live, live, live; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_update_loss_scale(live, live, live; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_transpose(closed_tensor, (1,)), "x")
    closes(() -> Netcl.op_transpose(live, (1,); queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_transpose(live, (1,); into = closed_tensor), "run->into")
    closes(() -> Netcl.op_transpose(live, (1,); waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_transpose(live, (1,); graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_concat((closed_tensor,), 1), "inputs[0]")
    closes(() -> Netcl.op_concat((live,), 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_concat((live,), 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_concat((live,), 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_concat((live,), 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_pad(closed_tensor, (1,)), "x")
    closes(() -> Netcl.op_pad(live, (1,); queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_pad(live, (1,); into = closed_tensor), "run->into")
    closes(() -> Netcl.op_pad(live, (1,); waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_pad(live, (1,); graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_tile(closed_tensor, (1,)), "x")
    closes(() -> Netcl.op_tile(live, (1,); queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_tile(live, (1,); into = closed_tensor), "run->into")
    closes(() -> Netcl.op_tile(live, (1,); waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_tile(live, (1,); graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_trilu(closed_tensor, 1, 1), "x")
    closes(() -> Netcl.op_trilu(live, 1, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_trilu(live, 1, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_trilu(live, 1, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_trilu(live, 1, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_gather(closed_tensor, live, 1), "x")
    closes(() -> Netcl.op_gather(live, closed_tensor, 1), "indices")
    closes(() -> Netcl.op_gather(live, live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_gather(live, live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_gather(live, live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_gather(live, live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_gather_elements(closed_tensor, live, 1), "x")
    closes(() -> Netcl.op_gather_elements(live, closed_tensor, 1), "indices")
    closes(() -> Netcl.op_gather_elements(live, live, 1; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_gather_elements(live, live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_gather_elements(live, live, 1; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_gather_elements(live, live, 1; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_embedding(closed_tensor, live), "weights")
    closes(() -> Netcl.op_embedding(live, closed_tensor), "indices")
    closes(() -> Netcl.op_embedding(live, live; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_embedding(live, live; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_embedding(live, live; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_embedding(live, live; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_one_hot(live, 1, 1, Netcl.F32, 1, 1; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_one_hot(live, 1, 1, Netcl.F32, 1, 1; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_one_hot(live, 1, 1, Netcl.F32, 1, 1; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_one_hot(live, 1, 1, Netcl.F32, 1, 1; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_scatter(closed_tensor, live, live, 1), "x")
    closes(() -> Netcl.op_scatter(live, closed_tensor, live, 1), "indices")
    closes(() -> Netcl.op_scatter(live, live, closed_tensor, 1), "updates")
    closes(() -> Netcl.op_scatter(live, live, live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_scatter(live, live, live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_scatter(live, live, live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_scatter(live, live, live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_gather_nd(closed_tensor, live, 1), "x")
    closes(() -> Netcl.op_gather_nd(live, closed_tensor, 1), "indices")
    closes(() -> Netcl.op_gather_nd(live, live, 1; queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_gather_nd(live, live, 1; into = closed_tensor), "run->into")
    closes(() -> Netcl.op_gather_nd(live, live, 1; waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_gather_nd(live, live, 1; graph = closed_graph), "run->graph")

    closes(() -> Netcl.op_scatter_nd(closed_tensor, live, live, 1), "x")
    closes(() -> Netcl.op_scatter_nd(live, closed_tensor, live, 1), "indices")
    closes(() -> Netcl.op_scatter_nd(live, live, closed_tensor, 1), "updates")
    closes(() -> Netcl.op_scatter_nd(live, live, live, 1; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_scatter_nd(live, live, live, 1; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_scatter_nd(live, live, live, 1; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_scatter_nd(live, live, live, 1; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_depth_to_space(closed_tensor, 1, Netcl.DEPTH_DCR), "x")
    closes(() -> Netcl.op_depth_to_space(live, 1, Netcl.DEPTH_DCR; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_depth_to_space(live, 1, Netcl.DEPTH_DCR; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_depth_to_space(live, 1, Netcl.DEPTH_DCR; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_depth_to_space(live, 1, Netcl.DEPTH_DCR; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_space_to_depth(closed_tensor, 1, Netcl.DEPTH_DCR), "x")
    closes(() -> Netcl.op_space_to_depth(live, 1, Netcl.DEPTH_DCR; queue = closed_queue),
           "run->queue")
    closes(() -> Netcl.op_space_to_depth(live, 1, Netcl.DEPTH_DCR; into = closed_tensor),
           "run->into")
    closes(() -> Netcl.op_space_to_depth(live, 1, Netcl.DEPTH_DCR; waits = (closed_event,)),
           "waits[0]")
    closes(() -> Netcl.op_space_to_depth(live, 1, Netcl.DEPTH_DCR; graph = closed_graph),
           "run->graph")

    closes(() -> Netcl.op_resize(closed_tensor, (1,)), "x")
    closes(() -> Netcl.op_resize(live, (1,); queue = closed_queue), "run->queue")
    closes(() -> Netcl.op_resize(live, (1,); into = closed_tensor), "run->into")
    closes(() -> Netcl.op_resize(live, (1,); waits = (closed_event,)), "waits[0]")
    closes(() -> Netcl.op_resize(live, (1,); graph = closed_graph), "run->graph")

    # What other tests left may be collected meanwhile.
    @test Main.live(Netcl.HANDLE_TENSOR) <= tensors
    foreach(close, (live, expression))
end
