// Written by bindings/generator from include/netcl.h; changes here are lost.

//! Every op is called with a released object in each place for one. The error names the place, and
//! there is no result.

#[path = "../common/mod.rs"]
mod common;
use common::{device, fails};
use netcl::*;

fn closes<T>(result: Result<T>, place: &str) {
    fails(result, Status::INVALID_HANDLE, &format!("{place} is 0x"));
}

#[test]
fn every_op_refuses_released_objects() {
    let dev = device();
    let live = &AnyTensor::from(dev.zeros::<f32>(&[1, 1]).unwrap());
    let expression = &Expression::new("v0").unwrap();
    let stale = AnyTensor::from(dev.zeros::<f32>(&[1]).unwrap()).into_raw();
    // SAFETY: a stale handle is a number that the library refuses; this is what is tested.
    unsafe { sys::netcl_tensor_release(stale) };
    let tensors = library::live_count(HandleType::TENSOR).unwrap();
    // SAFETY: as above; there is no reference that dropping it could give back.
    let released_event = &unsafe { Event::from_raw(stale as *mut _) };
    // SAFETY: as above; there is no reference that dropping it could give back.
    let released_expression = &unsafe { Expression::from_raw(stale as *mut _) };
    // SAFETY: as above; there is no reference that dropping it could give back.
    let released_graph = &unsafe { Graph::from_raw(stale as *mut _) };
    // SAFETY: as above; there is no reference that dropping it could give back.
    let released_queue = &unsafe { Queue::from_raw(stale as *mut _) };
    // SAFETY: as above; there is no reference that dropping it could give back.
    let released_tensor = &unsafe { AnyTensor::from_raw(stale as *mut _) };
    let run = RunOptions::new;
    let run_queue = || run().queue(released_queue);
    let run_into = || run().into(released_tensor);
    let released_waits = [released_event];
    let run_waits = || run().waits(&released_waits);
    let run_graph = || run().graph(released_graph);

    let y = op::expression(released_expression, &[live], ExpressionOptions::default(), run());
    closes(y, "expression");
    let y = op::expression(expression, &[released_tensor], ExpressionOptions::default(), run());
    closes(y, "inputs[0]");
    let y = op::expression(expression, &[live], ExpressionOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::expression(expression, &[live], ExpressionOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::expression(expression, &[live], ExpressionOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::expression(expression, &[live], ExpressionOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::expression_text("v0", &[released_tensor], ExpressionOptions::default(), run());
    closes(y, "inputs[0]");
    let y = op::expression_text("v0", &[live], ExpressionOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::expression_text("v0", &[live], ExpressionOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::expression_text("v0", &[live], ExpressionOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::expression_text("v0", &[live], ExpressionOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::expressions(&["v0"], &[released_tensor], ExpressionsOptions::default(), run());
    closes(y, "inputs[0]");
    let y = op::expressions(&["v0"], &[live], ExpressionsOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::expressions(&["v0"], &[live], ExpressionsOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::expressions(&["v0"], &[live], ExpressionsOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::expressions(&["v0"], &[live], ExpressionsOptions::default(), run_graph());
    closes(y, "run->graph");

    let y =
        op::elementwise(Elementwise::ABS, &[released_tensor], ElementwiseOptions::default(), run());
    closes(y, "inputs[0]");
    let y = op::elementwise(Elementwise::ABS, &[live], ElementwiseOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::elementwise(Elementwise::ABS, &[live], ElementwiseOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::elementwise(Elementwise::ABS, &[live], ElementwiseOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::elementwise(Elementwise::ABS, &[live], ElementwiseOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::bias_add(released_tensor, live, 1, run());
    closes(y, "x");
    let y = op::bias_add(live, released_tensor, 1, run());
    closes(y, "bias");
    let y = op::bias_add(live, live, 1, run_queue());
    closes(y, "run->queue");
    let y = op::bias_add(live, live, 1, run_into());
    closes(y, "run->into");
    let y = op::bias_add(live, live, 1, run_waits());
    closes(y, "waits[0]");
    let y = op::bias_add(live, live, 1, run_graph());
    closes(y, "run->graph");

    let y = op::copy(released_tensor, run());
    closes(y, "tensor");
    let y = op::copy(live, run_queue());
    closes(y, "run->queue");
    let y = op::copy(live, run_into());
    closes(y, "run->into");
    let y = op::copy(live, run_waits());
    closes(y, "waits[0]");
    let y = op::copy(live, run_graph());
    closes(y, "run->graph");

    let y = op::contiguous(released_tensor, run());
    closes(y, "tensor");
    let y = op::contiguous(live, run_queue());
    closes(y, "run->queue");
    let y = op::contiguous(live, run_into());
    closes(y, "run->into");
    let y = op::contiguous(live, run_waits());
    closes(y, "waits[0]");
    let y = op::contiguous(live, run_graph());
    closes(y, "run->graph");

    let y = op::cast(released_tensor, Dtype::F32, run());
    closes(y, "tensor");
    let y = op::cast(live, Dtype::F32, run_queue());
    closes(y, "run->queue");
    let y = op::cast(live, Dtype::F32, run_into());
    closes(y, "run->into");
    let y = op::cast(live, Dtype::F32, run_waits());
    closes(y, "waits[0]");
    let y = op::cast(live, Dtype::F32, run_graph());
    closes(y, "run->graph");

    let y = op::fill(live, 1f32.into(), run_queue());
    closes(y, "run->queue");
    let y = op::fill(live, 1f32.into(), run_into());
    closes(y, "run->into");
    let y = op::fill(live, 1f32.into(), run_waits());
    closes(y, "waits[0]");
    let y = op::fill(live, 1f32.into(), run_graph());
    closes(y, "run->graph");

    let y = op::range(live, 1f32.into(), 1f32.into(), run_queue());
    closes(y, "run->queue");
    let y = op::range(live, 1f32.into(), 1f32.into(), run_into());
    closes(y, "run->into");
    let y = op::range(live, 1f32.into(), 1f32.into(), run_waits());
    closes(y, "waits[0]");
    let y = op::range(live, 1f32.into(), 1f32.into(), run_graph());
    closes(y, "run->graph");

    let y = op::eye(released_tensor, 1, run());
    closes(y, "tensor");
    let y = op::eye(live, 1, run_queue());
    closes(y, "run->queue");
    let y = op::eye(live, 1, run_into());
    closes(y, "run->into");
    let y = op::eye(live, 1, run_waits());
    closes(y, "waits[0]");
    let y = op::eye(live, 1, run_graph());
    closes(y, "run->graph");

    let y = op::primitive("v0", &[released_tensor], PrimitiveCallOptions::default(), run());
    closes(y, "inputs[0]");
    let y = op::primitive("v0", &[live], PrimitiveCallOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::primitive("v0", &[live], PrimitiveCallOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::primitive("v0", &[live], PrimitiveCallOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::primitive("v0", &[live], PrimitiveCallOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::primitive_gradient(
        "v0",
        &[released_tensor],
        1,
        live,
        Some(live),
        PrimitiveCallOptions::default(),
        run(),
    );
    closes(y, "inputs[0]");
    let y = op::primitive_gradient(
        "v0",
        &[live],
        1,
        released_tensor,
        Some(live),
        PrimitiveCallOptions::default(),
        run(),
    );
    closes(y, "grad");
    let y = op::primitive_gradient(
        "v0",
        &[live],
        1,
        live,
        Some(released_tensor),
        PrimitiveCallOptions::default(),
        run(),
    );
    closes(y, "out");
    let y = op::primitive_gradient(
        "v0",
        &[live],
        1,
        live,
        Some(live),
        PrimitiveCallOptions::default(),
        run_queue(),
    );
    closes(y, "run->queue");
    let y = op::primitive_gradient(
        "v0",
        &[live],
        1,
        live,
        Some(live),
        PrimitiveCallOptions::default(),
        run_into(),
    );
    closes(y, "run->into");
    let y = op::primitive_gradient(
        "v0",
        &[live],
        1,
        live,
        Some(live),
        PrimitiveCallOptions::default(),
        run_waits(),
    );
    closes(y, "waits[0]");
    let y = op::primitive_gradient(
        "v0",
        &[live],
        1,
        live,
        Some(live),
        PrimitiveCallOptions::default(),
        run_graph(),
    );
    closes(y, "run->graph");

    let y = op::matmul(released_tensor, live, MatmulOptions::default(), run());
    closes(y, "a");
    let y = op::matmul(live, released_tensor, MatmulOptions::default(), run());
    closes(y, "b");
    let y = op::matmul(live, live, MatmulOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::matmul(live, live, MatmulOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::matmul(live, live, MatmulOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::matmul(live, live, MatmulOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::einsum("v0", &[released_tensor], run());
    closes(y, "inputs[0]");
    let y = op::einsum("v0", &[live], run_queue());
    closes(y, "run->queue");
    let y = op::einsum("v0", &[live], run_into());
    closes(y, "run->into");
    let y = op::einsum("v0", &[live], run_waits());
    closes(y, "waits[0]");
    let y = op::einsum("v0", &[live], run_graph());
    closes(y, "run->graph");

    let y = op::conv2d(released_tensor, live, Conv2dOptions::default(), run());
    closes(y, "x");
    let y = op::conv2d(live, released_tensor, Conv2dOptions::default(), run());
    closes(y, "w");
    let y = op::conv2d(live, live, Conv2dOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::conv2d(live, live, Conv2dOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::conv2d(live, live, Conv2dOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::conv2d(live, live, Conv2dOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::matmul_quantized(released_tensor, live, QuantizedOptions::default(), run());
    closes(y, "x");
    let y = op::matmul_quantized(live, released_tensor, QuantizedOptions::default(), run());
    closes(y, "weights");
    let y = op::matmul_quantized(live, live, QuantizedOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::matmul_quantized(live, live, QuantizedOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::matmul_quantized(live, live, QuantizedOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::matmul_quantized(live, live, QuantizedOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::dequantize_weights(released_tensor, QuantizedOptions::default(), run());
    closes(y, "weights");
    let y = op::dequantize_weights(live, QuantizedOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::dequantize_weights(live, QuantizedOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::dequantize_weights(live, QuantizedOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::dequantize_weights(live, QuantizedOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::quantize_weights(released_tensor, QuantizedOptions::default(), run());
    closes(y, "w");
    let y = op::quantize_weights(live, QuantizedOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::quantize_weights(live, QuantizedOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::quantize_weights(live, QuantizedOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::quantize_weights(live, QuantizedOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::attention(released_tensor, live, live, AttentionOptions::default(), run());
    closes(y, "q");
    let y = op::attention(live, released_tensor, live, AttentionOptions::default(), run());
    closes(y, "k");
    let y = op::attention(live, live, released_tensor, AttentionOptions::default(), run());
    closes(y, "v");
    let y = op::attention(live, live, live, AttentionOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::attention(live, live, live, AttentionOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::attention(live, live, live, AttentionOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::attention(live, live, live, AttentionOptions::default(), run_graph());
    closes(y, "run->graph");

    let y =
        op::rotary_embedding(released_tensor, live, live, RotaryEmbeddingOptions::default(), run());
    closes(y, "x");
    let y =
        op::rotary_embedding(live, released_tensor, live, RotaryEmbeddingOptions::default(), run());
    closes(y, "cos_cache");
    let y =
        op::rotary_embedding(live, live, released_tensor, RotaryEmbeddingOptions::default(), run());
    closes(y, "sin_cache");
    let y = op::rotary_embedding(live, live, live, RotaryEmbeddingOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::rotary_embedding(live, live, live, RotaryEmbeddingOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::rotary_embedding(live, live, live, RotaryEmbeddingOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::rotary_embedding(live, live, live, RotaryEmbeddingOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::reduce(released_tensor, Reduction::SUM, ReduceOptions::default(), run());
    closes(y, "x");
    let y = op::reduce(live, Reduction::SUM, ReduceOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::reduce(live, Reduction::SUM, ReduceOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::reduce(live, Reduction::SUM, ReduceOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::reduce(live, Reduction::SUM, ReduceOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::scan(released_tensor, Reduction::SUM, 1, ScanOptions::default(), run());
    closes(y, "x");
    let y = op::scan(live, Reduction::SUM, 1, ScanOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::scan(live, Reduction::SUM, 1, ScanOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::scan(live, Reduction::SUM, 1, ScanOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::scan(live, Reduction::SUM, 1, ScanOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::histogram(released_tensor, 1, HistogramOptions::default(), run());
    closes(y, "x");
    let y = op::histogram(live, 1, HistogramOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::histogram(live, 1, HistogramOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::histogram(live, 1, HistogramOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::histogram(live, 1, HistogramOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::topk(released_tensor, 1, 1, TopkOptions::default(), run());
    closes(y, "x");
    let y = op::topk(live, 1, 1, TopkOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::topk(live, 1, 1, TopkOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::topk(live, 1, 1, TopkOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::topk(live, 1, 1, TopkOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::softmax(released_tensor, 1, run());
    closes(y, "x");
    let y = op::softmax(live, 1, run_queue());
    closes(y, "run->queue");
    let y = op::softmax(live, 1, run_into());
    closes(y, "run->into");
    let y = op::softmax(live, 1, run_waits());
    closes(y, "waits[0]");
    let y = op::softmax(live, 1, run_graph());
    closes(y, "run->graph");

    let y = op::log_softmax(released_tensor, 1, run());
    closes(y, "x");
    let y = op::log_softmax(live, 1, run_queue());
    closes(y, "run->queue");
    let y = op::log_softmax(live, 1, run_into());
    closes(y, "run->into");
    let y = op::log_softmax(live, 1, run_waits());
    closes(y, "waits[0]");
    let y = op::log_softmax(live, 1, run_graph());
    closes(y, "run->graph");

    let y = op::layernorm(released_tensor, 1, NormOptions::default(), run());
    closes(y, "x");
    let y = op::layernorm(live, 1, NormOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::layernorm(live, 1, NormOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::layernorm(live, 1, NormOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::layernorm(live, 1, NormOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::rmsnorm(released_tensor, 1, NormOptions::default(), run());
    closes(y, "x");
    let y = op::rmsnorm(live, 1, NormOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::rmsnorm(live, 1, NormOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::rmsnorm(live, 1, NormOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::rmsnorm(live, 1, NormOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::batchnorm(released_tensor, live, live, BatchnormOptions::default(), run());
    closes(y, "x");
    let y = op::batchnorm(live, released_tensor, live, BatchnormOptions::default(), run());
    closes(y, "mean");
    let y = op::batchnorm(live, live, released_tensor, BatchnormOptions::default(), run());
    closes(y, "variance");
    let y = op::batchnorm(live, live, live, BatchnormOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::batchnorm(live, live, live, BatchnormOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::batchnorm(live, live, live, BatchnormOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::batchnorm(live, live, live, BatchnormOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::pool(released_tensor, Pooling::MAX, PoolingOptions::default(), run());
    closes(y, "x");
    let y = op::pool(live, Pooling::MAX, PoolingOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::pool(live, Pooling::MAX, PoolingOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::pool(live, Pooling::MAX, PoolingOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::pool(live, Pooling::MAX, PoolingOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::max_unpool2d(released_tensor, live, 1, 1, MaxUnpool2dOptions::default(), run());
    closes(y, "x");
    let y = op::max_unpool2d(live, released_tensor, 1, 1, MaxUnpool2dOptions::default(), run());
    closes(y, "indices");
    let y = op::max_unpool2d(live, live, 1, 1, MaxUnpool2dOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::max_unpool2d(live, live, 1, 1, MaxUnpool2dOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::max_unpool2d(live, live, 1, 1, MaxUnpool2dOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::max_unpool2d(live, live, 1, 1, MaxUnpool2dOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::roi_pool(
        released_tensor,
        live,
        live,
        RoiPooling::AVERAGE,
        RoiPoolOptions::default(),
        run(),
    );
    closes(y, "x");
    let y = op::roi_pool(
        live,
        released_tensor,
        live,
        RoiPooling::AVERAGE,
        RoiPoolOptions::default(),
        run(),
    );
    closes(y, "rois");
    let y = op::roi_pool(
        live,
        live,
        released_tensor,
        RoiPooling::AVERAGE,
        RoiPoolOptions::default(),
        run(),
    );
    closes(y, "images");
    let y =
        op::roi_pool(live, live, live, RoiPooling::AVERAGE, RoiPoolOptions::default(), run_queue());
    closes(y, "run->queue");
    let y =
        op::roi_pool(live, live, live, RoiPooling::AVERAGE, RoiPoolOptions::default(), run_into());
    closes(y, "run->into");
    let y =
        op::roi_pool(live, live, live, RoiPooling::AVERAGE, RoiPoolOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y =
        op::roi_pool(live, live, live, RoiPooling::AVERAGE, RoiPoolOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::quantize_linear(released_tensor, live, 1, QuantizeLinearOptions::default(), run());
    closes(y, "x");
    let y = op::quantize_linear(live, released_tensor, 1, QuantizeLinearOptions::default(), run());
    closes(y, "scale");
    let y = op::quantize_linear(live, live, 1, QuantizeLinearOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::quantize_linear(live, live, 1, QuantizeLinearOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::quantize_linear(live, live, 1, QuantizeLinearOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::quantize_linear(live, live, 1, QuantizeLinearOptions::default(), run_graph());
    closes(y, "run->graph");

    let y =
        op::dequantize_linear(released_tensor, live, 1, DequantizeLinearOptions::default(), run());
    closes(y, "x");
    let y =
        op::dequantize_linear(live, released_tensor, 1, DequantizeLinearOptions::default(), run());
    closes(y, "scale");
    let y = op::dequantize_linear(live, live, 1, DequantizeLinearOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::dequantize_linear(live, live, 1, DequantizeLinearOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::dequantize_linear(live, live, 1, DequantizeLinearOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::dequantize_linear(live, live, 1, DequantizeLinearOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::dynamic_quantize_linear(
        released_tensor,
        DynamicQuantizeLinearOptions::default(),
        run(),
    );
    closes(y, "x");
    let y = op::dynamic_quantize_linear(live, DynamicQuantizeLinearOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::dynamic_quantize_linear(live, DynamicQuantizeLinearOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::dynamic_quantize_linear(live, DynamicQuantizeLinearOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::dynamic_quantize_linear(live, DynamicQuantizeLinearOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::qlinear_matmul(
        released_tensor,
        live,
        live,
        live,
        live,
        QlinearMatmulOptions::default(),
        run(),
    );
    closes(y, "a");
    let y = op::qlinear_matmul(
        live,
        released_tensor,
        live,
        live,
        live,
        QlinearMatmulOptions::default(),
        run(),
    );
    closes(y, "a_scale");
    let y = op::qlinear_matmul(
        live,
        live,
        released_tensor,
        live,
        live,
        QlinearMatmulOptions::default(),
        run(),
    );
    closes(y, "b");
    let y = op::qlinear_matmul(
        live,
        live,
        live,
        released_tensor,
        live,
        QlinearMatmulOptions::default(),
        run(),
    );
    closes(y, "b_scale");
    let y = op::qlinear_matmul(
        live,
        live,
        live,
        live,
        released_tensor,
        QlinearMatmulOptions::default(),
        run(),
    );
    closes(y, "y_scale");
    let y = op::qlinear_matmul(
        live,
        live,
        live,
        live,
        live,
        QlinearMatmulOptions::default(),
        run_queue(),
    );
    closes(y, "run->queue");
    let y = op::qlinear_matmul(
        live,
        live,
        live,
        live,
        live,
        QlinearMatmulOptions::default(),
        run_into(),
    );
    closes(y, "run->into");
    let y = op::qlinear_matmul(
        live,
        live,
        live,
        live,
        live,
        QlinearMatmulOptions::default(),
        run_waits(),
    );
    closes(y, "waits[0]");
    let y = op::qlinear_matmul(
        live,
        live,
        live,
        live,
        live,
        QlinearMatmulOptions::default(),
        run_graph(),
    );
    closes(y, "run->graph");

    let y = op::conv2d_integer(released_tensor, live, Conv2dIntegerOptions::default(), run());
    closes(y, "x");
    let y = op::conv2d_integer(live, released_tensor, Conv2dIntegerOptions::default(), run());
    closes(y, "w");
    let y = op::conv2d_integer(live, live, Conv2dIntegerOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::conv2d_integer(live, live, Conv2dIntegerOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::conv2d_integer(live, live, Conv2dIntegerOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::conv2d_integer(live, live, Conv2dIntegerOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::qlinear_conv2d(
        released_tensor,
        live,
        live,
        live,
        live,
        QlinearConv2dOptions::default(),
        run(),
    );
    closes(y, "x");
    let y = op::qlinear_conv2d(
        live,
        released_tensor,
        live,
        live,
        live,
        QlinearConv2dOptions::default(),
        run(),
    );
    closes(y, "x_scale");
    let y = op::qlinear_conv2d(
        live,
        live,
        released_tensor,
        live,
        live,
        QlinearConv2dOptions::default(),
        run(),
    );
    closes(y, "w");
    let y = op::qlinear_conv2d(
        live,
        live,
        live,
        released_tensor,
        live,
        QlinearConv2dOptions::default(),
        run(),
    );
    closes(y, "w_scale");
    let y = op::qlinear_conv2d(
        live,
        live,
        live,
        live,
        released_tensor,
        QlinearConv2dOptions::default(),
        run(),
    );
    closes(y, "y_scale");
    let y = op::qlinear_conv2d(
        live,
        live,
        live,
        live,
        live,
        QlinearConv2dOptions::default(),
        run_queue(),
    );
    closes(y, "run->queue");
    let y = op::qlinear_conv2d(
        live,
        live,
        live,
        live,
        live,
        QlinearConv2dOptions::default(),
        run_into(),
    );
    closes(y, "run->into");
    let y = op::qlinear_conv2d(
        live,
        live,
        live,
        live,
        live,
        QlinearConv2dOptions::default(),
        run_waits(),
    );
    closes(y, "waits[0]");
    let y = op::qlinear_conv2d(
        live,
        live,
        live,
        live,
        live,
        QlinearConv2dOptions::default(),
        run_graph(),
    );
    closes(y, "run->graph");

    let y = op::cross_entropy(released_tensor, live, 1, LossOptions::default(), run());
    closes(y, "x");
    let y = op::cross_entropy(live, released_tensor, 1, LossOptions::default(), run());
    closes(y, "labels");
    let y = op::cross_entropy(live, live, 1, LossOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::cross_entropy(live, live, 1, LossOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::cross_entropy(live, live, 1, LossOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::cross_entropy(live, live, 1, LossOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::nll_loss(released_tensor, live, 1, LossOptions::default(), run());
    closes(y, "x");
    let y = op::nll_loss(live, released_tensor, 1, LossOptions::default(), run());
    closes(y, "labels");
    let y = op::nll_loss(live, live, 1, LossOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::nll_loss(live, live, 1, LossOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::nll_loss(live, live, 1, LossOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::nll_loss(live, live, 1, LossOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::sgd(&[released_tensor], &[live], 1.0, SgdOptions::default(), run());
    closes(y, "parameters[0]");
    let y = op::sgd(&[live], &[released_tensor], 1.0, SgdOptions::default(), run());
    closes(y, "gradients[0]");
    let y = op::sgd(&[live], &[live], 1.0, SgdOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::sgd(&[live], &[live], 1.0, SgdOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::sgd(&[live], &[live], 1.0, SgdOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::sgd(&[live], &[live], 1.0, SgdOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::adam(
        &[released_tensor],
        &[live],
        &[live],
        &[live],
        live,
        1.0,
        AdamOptions::default(),
        run(),
    );
    closes(y, "parameters[0]");
    let y = op::adam(
        &[live],
        &[released_tensor],
        &[live],
        &[live],
        live,
        1.0,
        AdamOptions::default(),
        run(),
    );
    closes(y, "gradients[0]");
    let y = op::adam(
        &[live],
        &[live],
        &[released_tensor],
        &[live],
        live,
        1.0,
        AdamOptions::default(),
        run(),
    );
    closes(y, "averages[0]");
    let y = op::adam(
        &[live],
        &[live],
        &[live],
        &[released_tensor],
        live,
        1.0,
        AdamOptions::default(),
        run(),
    );
    closes(y, "square_averages[0]");
    let y = op::adam(
        &[live],
        &[live],
        &[live],
        &[live],
        released_tensor,
        1.0,
        AdamOptions::default(),
        run(),
    );
    closes(y, "step");
    let y = op::adam(
        &[live],
        &[live],
        &[live],
        &[live],
        live,
        1.0,
        AdamOptions::default(),
        run_queue(),
    );
    closes(y, "run->queue");
    let y =
        op::adam(&[live], &[live], &[live], &[live], live, 1.0, AdamOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::adam(
        &[live],
        &[live],
        &[live],
        &[live],
        live,
        1.0,
        AdamOptions::default(),
        run_waits(),
    );
    closes(y, "waits[0]");
    let y = op::adam(
        &[live],
        &[live],
        &[live],
        &[live],
        live,
        1.0,
        AdamOptions::default(),
        run_graph(),
    );
    closes(y, "run->graph");

    let y =
        op::rmsprop(&[released_tensor], &[live], &[live], 1.0, RmspropOptions::default(), run());
    closes(y, "parameters[0]");
    let y =
        op::rmsprop(&[live], &[released_tensor], &[live], 1.0, RmspropOptions::default(), run());
    closes(y, "gradients[0]");
    let y =
        op::rmsprop(&[live], &[live], &[released_tensor], 1.0, RmspropOptions::default(), run());
    closes(y, "square_averages[0]");
    let y = op::rmsprop(&[live], &[live], &[live], 1.0, RmspropOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::rmsprop(&[live], &[live], &[live], 1.0, RmspropOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::rmsprop(&[live], &[live], &[live], 1.0, RmspropOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::rmsprop(&[live], &[live], &[live], 1.0, RmspropOptions::default(), run_graph());
    closes(y, "run->graph");

    let y =
        op::adagrad(&[released_tensor], &[live], &[live], 1.0, AdagradOptions::default(), run());
    closes(y, "parameters[0]");
    let y =
        op::adagrad(&[live], &[released_tensor], &[live], 1.0, AdagradOptions::default(), run());
    closes(y, "gradients[0]");
    let y =
        op::adagrad(&[live], &[live], &[released_tensor], 1.0, AdagradOptions::default(), run());
    closes(y, "sums[0]");
    let y = op::adagrad(&[live], &[live], &[live], 1.0, AdagradOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::adagrad(&[live], &[live], &[live], 1.0, AdagradOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::adagrad(&[live], &[live], &[live], 1.0, AdagradOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::adagrad(&[live], &[live], &[live], 1.0, AdagradOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::clip_by_norm(&[released_tensor], 1.0, run());
    closes(y, "tensors[0]");
    let y = op::clip_by_norm(&[live], 1.0, run_queue());
    closes(y, "run->queue");
    let y = op::clip_by_norm(&[live], 1.0, run_into());
    closes(y, "run->into");
    let y = op::clip_by_norm(&[live], 1.0, run_waits());
    closes(y, "waits[0]");
    let y = op::clip_by_norm(&[live], 1.0, run_graph());
    closes(y, "run->graph");

    let y = op::unscale(&[released_tensor], Some(live), live, run());
    closes(y, "tensors[0]");
    let y = op::unscale(&[live], Some(released_tensor), live, run());
    closes(y, "scale");
    let y = op::unscale(&[live], Some(live), released_tensor, run());
    closes(y, "found_inf");
    let y = op::unscale(&[live], Some(live), live, run_queue());
    closes(y, "run->queue");
    let y = op::unscale(&[live], Some(live), live, run_into());
    closes(y, "run->into");
    let y = op::unscale(&[live], Some(live), live, run_waits());
    closes(y, "waits[0]");
    let y = op::unscale(&[live], Some(live), live, run_graph());
    closes(y, "run->graph");

    let y = op::update_loss_scale(released_tensor, live, live, LossScaleOptions::default(), run());
    closes(y, "scale");
    let y = op::update_loss_scale(live, released_tensor, live, LossScaleOptions::default(), run());
    closes(y, "tracker");
    let y = op::update_loss_scale(live, live, released_tensor, LossScaleOptions::default(), run());
    closes(y, "found_inf");
    let y = op::update_loss_scale(live, live, live, LossScaleOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::update_loss_scale(live, live, live, LossScaleOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::update_loss_scale(live, live, live, LossScaleOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::update_loss_scale(live, live, live, LossScaleOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::transpose(released_tensor, &[1], run());
    closes(y, "x");
    let y = op::transpose(live, &[1], run_queue());
    closes(y, "run->queue");
    let y = op::transpose(live, &[1], run_into());
    closes(y, "run->into");
    let y = op::transpose(live, &[1], run_waits());
    closes(y, "waits[0]");
    let y = op::transpose(live, &[1], run_graph());
    closes(y, "run->graph");

    let y = op::concat(&[released_tensor], 1, run());
    closes(y, "inputs[0]");
    let y = op::concat(&[live], 1, run_queue());
    closes(y, "run->queue");
    let y = op::concat(&[live], 1, run_into());
    closes(y, "run->into");
    let y = op::concat(&[live], 1, run_waits());
    closes(y, "waits[0]");
    let y = op::concat(&[live], 1, run_graph());
    closes(y, "run->graph");

    let y = op::pad(released_tensor, &[1], PadOptions::default(), run());
    closes(y, "x");
    let y = op::pad(live, &[1], PadOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::pad(live, &[1], PadOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::pad(live, &[1], PadOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::pad(live, &[1], PadOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::tile(released_tensor, &[1], run());
    closes(y, "x");
    let y = op::tile(live, &[1], run_queue());
    closes(y, "run->queue");
    let y = op::tile(live, &[1], run_into());
    closes(y, "run->into");
    let y = op::tile(live, &[1], run_waits());
    closes(y, "waits[0]");
    let y = op::tile(live, &[1], run_graph());
    closes(y, "run->graph");

    let y = op::trilu(released_tensor, true, 1, run());
    closes(y, "x");
    let y = op::trilu(live, true, 1, run_queue());
    closes(y, "run->queue");
    let y = op::trilu(live, true, 1, run_into());
    closes(y, "run->into");
    let y = op::trilu(live, true, 1, run_waits());
    closes(y, "waits[0]");
    let y = op::trilu(live, true, 1, run_graph());
    closes(y, "run->graph");

    let y = op::gather(released_tensor, live, 1, run());
    closes(y, "x");
    let y = op::gather(live, released_tensor, 1, run());
    closes(y, "indices");
    let y = op::gather(live, live, 1, run_queue());
    closes(y, "run->queue");
    let y = op::gather(live, live, 1, run_into());
    closes(y, "run->into");
    let y = op::gather(live, live, 1, run_waits());
    closes(y, "waits[0]");
    let y = op::gather(live, live, 1, run_graph());
    closes(y, "run->graph");

    let y = op::gather_elements(released_tensor, live, 1, run());
    closes(y, "x");
    let y = op::gather_elements(live, released_tensor, 1, run());
    closes(y, "indices");
    let y = op::gather_elements(live, live, 1, run_queue());
    closes(y, "run->queue");
    let y = op::gather_elements(live, live, 1, run_into());
    closes(y, "run->into");
    let y = op::gather_elements(live, live, 1, run_waits());
    closes(y, "waits[0]");
    let y = op::gather_elements(live, live, 1, run_graph());
    closes(y, "run->graph");

    let y = op::embedding(released_tensor, live, run());
    closes(y, "weights");
    let y = op::embedding(live, released_tensor, run());
    closes(y, "indices");
    let y = op::embedding(live, live, run_queue());
    closes(y, "run->queue");
    let y = op::embedding(live, live, run_into());
    closes(y, "run->into");
    let y = op::embedding(live, live, run_waits());
    closes(y, "waits[0]");
    let y = op::embedding(live, live, run_graph());
    closes(y, "run->graph");

    let y = op::one_hot(live, 1, 1, Dtype::F32, 1f32.into(), 1f32.into(), run_queue());
    closes(y, "run->queue");
    let y = op::one_hot(live, 1, 1, Dtype::F32, 1f32.into(), 1f32.into(), run_into());
    closes(y, "run->into");
    let y = op::one_hot(live, 1, 1, Dtype::F32, 1f32.into(), 1f32.into(), run_waits());
    closes(y, "waits[0]");
    let y = op::one_hot(live, 1, 1, Dtype::F32, 1f32.into(), 1f32.into(), run_graph());
    closes(y, "run->graph");

    let y = op::scatter(released_tensor, live, live, 1, ScatterOptions::default(), run());
    closes(y, "x");
    let y = op::scatter(live, released_tensor, live, 1, ScatterOptions::default(), run());
    closes(y, "indices");
    let y = op::scatter(live, live, released_tensor, 1, ScatterOptions::default(), run());
    closes(y, "updates");
    let y = op::scatter(live, live, live, 1, ScatterOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::scatter(live, live, live, 1, ScatterOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::scatter(live, live, live, 1, ScatterOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::scatter(live, live, live, 1, ScatterOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::gather_nd(released_tensor, live, 1, run());
    closes(y, "x");
    let y = op::gather_nd(live, released_tensor, 1, run());
    closes(y, "indices");
    let y = op::gather_nd(live, live, 1, run_queue());
    closes(y, "run->queue");
    let y = op::gather_nd(live, live, 1, run_into());
    closes(y, "run->into");
    let y = op::gather_nd(live, live, 1, run_waits());
    closes(y, "waits[0]");
    let y = op::gather_nd(live, live, 1, run_graph());
    closes(y, "run->graph");

    let y = op::scatter_nd(released_tensor, live, live, 1, ScatterOptions::default(), run());
    closes(y, "x");
    let y = op::scatter_nd(live, released_tensor, live, 1, ScatterOptions::default(), run());
    closes(y, "indices");
    let y = op::scatter_nd(live, live, released_tensor, 1, ScatterOptions::default(), run());
    closes(y, "updates");
    let y = op::scatter_nd(live, live, live, 1, ScatterOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::scatter_nd(live, live, live, 1, ScatterOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::scatter_nd(live, live, live, 1, ScatterOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::scatter_nd(live, live, live, 1, ScatterOptions::default(), run_graph());
    closes(y, "run->graph");

    let y = op::depth_to_space(released_tensor, 1, DepthOrder::DCR, run());
    closes(y, "x");
    let y = op::depth_to_space(live, 1, DepthOrder::DCR, run_queue());
    closes(y, "run->queue");
    let y = op::depth_to_space(live, 1, DepthOrder::DCR, run_into());
    closes(y, "run->into");
    let y = op::depth_to_space(live, 1, DepthOrder::DCR, run_waits());
    closes(y, "waits[0]");
    let y = op::depth_to_space(live, 1, DepthOrder::DCR, run_graph());
    closes(y, "run->graph");

    let y = op::space_to_depth(released_tensor, 1, DepthOrder::DCR, run());
    closes(y, "x");
    let y = op::space_to_depth(live, 1, DepthOrder::DCR, run_queue());
    closes(y, "run->queue");
    let y = op::space_to_depth(live, 1, DepthOrder::DCR, run_into());
    closes(y, "run->into");
    let y = op::space_to_depth(live, 1, DepthOrder::DCR, run_waits());
    closes(y, "waits[0]");
    let y = op::space_to_depth(live, 1, DepthOrder::DCR, run_graph());
    closes(y, "run->graph");

    let y = op::resize(released_tensor, [1], ResizeOptions::default(), run());
    closes(y, "x");
    let y = op::resize(live, [1], ResizeOptions::default(), run_queue());
    closes(y, "run->queue");
    let y = op::resize(live, [1], ResizeOptions::default(), run_into());
    closes(y, "run->into");
    let y = op::resize(live, [1], ResizeOptions::default(), run_waits());
    closes(y, "waits[0]");
    let y = op::resize(live, [1], ResizeOptions::default(), run_graph());
    closes(y, "run->graph");
    assert_eq!(library::live_count(HandleType::TENSOR).unwrap(), tensors);
}
