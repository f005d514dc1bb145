// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(unused_imports, unused_unsafe, clippy::too_many_arguments)]

use super::*;
use crate::support::{self, CText, Pointers, Texts};
use crate::{check, Error, Result, Scalar, Timeout};
use std::mem::MaybeUninit;
use std::os::raw::c_void;
use std::ptr;

impl AnyTensor {
    /// Adds a vector along one axis: bias has rank 1 and the extent of that axis.
    ///
    /// [`op::bias_add`] takes options too.
    pub fn bias_add(&self, bias: &AnyTensor, axis: i32) -> Result<AnyTensor> {
        op::bias_add(self, bias, axis, RunOptions::default())
    }

    /// Copies a tensor to new C-order memory, or to run-\>into (same shape and dtype, any strides).
    ///
    /// [`op::copy`] takes options too.
    pub fn copy(&self) -> Result<AnyTensor> {
        op::copy(self, RunOptions::default())
    }

    /// Gives the tensor itself (one more reference) when it is packed in C order, else a copy that
    /// is.
    ///
    /// [`op::contiguous`] takes options too.
    pub fn contiguous(&self) -> Result<AnyTensor> {
        op::contiguous(self, RunOptions::default())
    }

    /// Converts elements to another dtype.
    ///
    /// [`op::cast`] takes options too.
    pub fn cast(&self, dtype: Dtype) -> Result<AnyTensor> {
        op::cast(self, dtype, RunOptions::default())
    }

    /// Sets every element of a tensor to one value of its dtype.
    ///
    /// [`op::fill`] takes options too.
    pub fn fill(&self, value: Scalar) -> Result<()> {
        op::fill(self, value, RunOptions::default())
    }

    /// Matrix product as ONNX MatMul: result = epilogue(alpha \* a \* b + beta \* into).
    ///
    /// [`op::matmul`] takes options too.
    pub fn matmul(&self, b: &AnyTensor) -> Result<AnyTensor> {
        op::matmul(self, b, MatmulOptions::default(), RunOptions::default())
    }

    /// 2-d convolution as ONNX Conv: x is \[N, C, H, W\], w is \[F, C / groups, KH, KW\], the
    /// result \[N, F, OH, OW\] with OH = (H + top + bottom - dilation (KH - 1) - 1) / stride + 1,
    /// at least 1.
    ///
    /// [`op::conv2d`] takes options too.
    pub fn conv2d(&self, w: &AnyTensor) -> Result<AnyTensor> {
        op::conv2d(self, w, Conv2dOptions::default(), RunOptions::default())
    }

    /// Product with quantised weights: result = epilogue(x \* W^T).
    ///
    /// [`op::matmul_quantized`] takes options too.
    pub fn matmul_quantized(&self, weights: &AnyTensor) -> Result<AnyTensor> {
        op::matmul_quantized(self, weights, QuantizedOptions::default(), RunOptions::default())
    }

    /// The weights W as a matrix \[N, K\], rounded to f32 as there and then to the result's dtype.
    ///
    /// [`op::dequantize_weights`] takes options too.
    pub fn dequantize_weights(&self) -> Result<AnyTensor> {
        op::dequantize_weights(self, QuantizedOptions::default(), RunOptions::default())
    }

    /// Quantises a matrix w of \[N, K\], K from 1 on, of f32, f16 or bf16.
    ///
    /// [`op::quantize_weights`] takes options too.
    pub fn quantize_weights(&self) -> Result<(AnyTensor, Option<AnyTensor>, Option<AnyTensor>)> {
        op::quantize_weights(self, QuantizedOptions::default(), RunOptions::default())
    }

    /// Scaled dot-product attention: result\[b, h, m\] = sum over n of p\[n\] v\[b, g, n\] with p =
    /// softmax of scale \* (q\[b, h, m\] .
    ///
    /// [`op::attention`] takes options too.
    pub fn attention(&self, k: &AnyTensor, v: &AnyTensor) -> Result<(AnyTensor, AnyTensor)> {
        op::attention(self, k, v, AttentionOptions::default(), RunOptions::default())
    }

    /// Rotary position embedding (Su et al., 2021) as ONNX RotaryEmbedding 23: each pair (a, b) of
    /// a head becomes (a cos - b sin, b cos + a sin).
    ///
    /// [`op::rotary_embedding`] takes options too.
    pub fn rotary_embedding(
        &self,
        cos_cache: &AnyTensor,
        sin_cache: &AnyTensor,
    ) -> Result<AnyTensor> {
        op::rotary_embedding(
            self,
            cos_cache,
            sin_cache,
            RotaryEmbeddingOptions::default(),
            RunOptions::default(),
        )
    }

    /// Reduces over axes, as ReduceSum ...
    ///
    /// [`op::reduce`] takes options too.
    pub fn reduce(&self, kind: Reduction) -> Result<AnyTensor> {
        op::reduce(self, kind, ReduceOptions::default(), RunOptions::default())
    }

    /// Running SUM, PROD, MAX or MIN along an axis, as ONNX CumSum.
    ///
    /// [`op::scan`] takes options too.
    pub fn scan(&self, kind: Reduction, axis: i32) -> Result<AnyTensor> {
        op::scan(self, kind, axis, ScanOptions::default(), RunOptions::default())
    }

    /// Counts elements in `bins` (1 or more) equal bins from low to high, which are finite with low
    /// \< high: i64 of \[bins\], exact.
    ///
    /// [`op::histogram`] takes options too.
    pub fn histogram(&self, bins: i64) -> Result<AnyTensor> {
        op::histogram(self, bins, HistogramOptions::default(), RunOptions::default())
    }

    /// The k largest elements along an axis, as ONNX TopK: sorted, the lower index first among
    /// equals, NaN largest; with their indices (i64).
    ///
    /// [`op::topk`] takes options too.
    pub fn topk(&self, k: i64, axis: i32) -> Result<(AnyTensor, AnyTensor)> {
        op::topk(self, k, axis, TopkOptions::default(), RunOptions::default())
    }

    /// exp(x - m) / sum exp(x - m) along an axis, m the maximum: ONNX Softmax.
    ///
    /// [`op::softmax`] takes options too.
    pub fn softmax(&self, axis: i32) -> Result<AnyTensor> {
        op::softmax(self, axis, RunOptions::default())
    }

    /// x - m - log sum exp(x - m) along an axis: ONNX LogSoftmax.
    ///
    /// [`op::log_softmax`] takes options too.
    pub fn log_softmax(&self, axis: i32) -> Result<AnyTensor> {
        op::log_softmax(self, axis, RunOptions::default())
    }

    /// (x - mean) / sqrt(variance + epsilon) \* scale + bias over the axes from `axis` on, as ONNX
    /// LayerNormalization.
    ///
    /// [`op::layernorm`] takes options too.
    pub fn layernorm(&self, axis: i32) -> Result<AnyTensor> {
        op::layernorm(self, axis, NormOptions::default(), RunOptions::default())
    }

    /// x / sqrt(mean(x^2) + epsilon) \* scale over the axes from `axis` on (Zhang and Sennrich,
    /// 2019).
    ///
    /// [`op::rmsnorm`] takes options too.
    pub fn rmsnorm(&self, axis: i32) -> Result<AnyTensor> {
        op::rmsnorm(self, axis, NormOptions::default(), RunOptions::default())
    }

    /// Batch normalisation as ONNX BatchNormalization: x is \[N, C, ...\] of rank 2 or more, mean
    /// and variance are \[C\].
    ///
    /// [`op::batchnorm`] takes options too.
    pub fn batchnorm(&self, mean: &AnyTensor, variance: &AnyTensor) -> Result<AnyTensor> {
        op::batchnorm(self, mean, variance, BatchnormOptions::default(), RunOptions::default())
    }

    /// Pooling of \[N, C, H, W\] as ONNX MaxPool and AveragePool, and their Global forms.
    ///
    /// [`op::pool2d`] takes options too.
    pub fn pool2d(&self, kind: Pooling) -> Result<AnyTensor> {
        op::pool2d(self, kind, Pool2dOptions::default(), RunOptions::default())
    }

    /// round(x / scale) + zero_point, saturated: ONNX QuantizeLinear 25 with results of 8 and 16
    /// bits.
    ///
    /// [`op::quantize_linear`] takes options too.
    pub fn quantize_linear(&self, scale: &AnyTensor, axis: i32) -> Result<AnyTensor> {
        op::quantize_linear(
            self,
            scale,
            axis,
            QuantizeLinearOptions::default(),
            RunOptions::default(),
        )
    }

    /// (x - zero_point) \* scale as ONNX DequantizeLinear 25: x is i8, u8, i16, u16 or i32, scale
    /// f32, f16 or bf16, with shapes as for `netcl_op_quantize_linear`.
    ///
    /// [`op::dequantize_linear`] takes options too.
    pub fn dequantize_linear(&self, scale: &AnyTensor, axis: i32) -> Result<AnyTensor> {
        op::dequantize_linear(
            self,
            scale,
            axis,
            DequantizeLinearOptions::default(),
            RunOptions::default(),
        )
    }

    /// Quantises f32 to u8 by the range of its elements, as ONNX DynamicQuantizeLinear 11, all on
    /// the device: with low = min(x, 0) and high = max(x, 0) the scale is (high - low) / 255, or 1
    /// where that range is 0 (also of no elements), the zero point round(0 - low / scale) within 0
    /// to 255, and the result that of `netcl_op_quantize_linear`.
    ///
    /// [`op::dynamic_quantize_linear`] takes options too.
    pub fn dynamic_quantize_linear(&self) -> Result<(AnyTensor, AnyTensor, AnyTensor)> {
        op::dynamic_quantize_linear(
            self,
            DynamicQuantizeLinearOptions::default(),
            RunOptions::default(),
        )
    }

    /// Product of quantised matrices, quantised again, as ONNX QLinearMatMul 21: the i32 sums of
    /// `netcl_op_matmul` with zero points, converted to f32, times (a_scale \* b_scale) / y_scale;
    /// then rounded, the zero point added, saturated.
    ///
    /// [`op::qlinear_matmul`] takes options too.
    pub fn qlinear_matmul(
        &self,
        a_scale: &AnyTensor,
        b: &AnyTensor,
        b_scale: &AnyTensor,
        y_scale: &AnyTensor,
    ) -> Result<AnyTensor> {
        op::qlinear_matmul(
            self,
            a_scale,
            b,
            b_scale,
            y_scale,
            QlinearMatmulOptions::default(),
            RunOptions::default(),
        )
    }

    /// 2-d convolution of integers as ONNX ConvInteger 10: x and w are i8 or u8, each of either,
    /// with shapes and limits as for `netcl_op_conv2d`.
    ///
    /// [`op::conv2d_integer`] takes options too.
    pub fn conv2d_integer(&self, w: &AnyTensor) -> Result<AnyTensor> {
        op::conv2d_integer(self, w, Conv2dIntegerOptions::default(), RunOptions::default())
    }

    /// Convolution of quantised images, quantised again, as ONNX QLinearConv 10: the sums of
    /// `netcl_op_conv2d_integer` and the bias, modulo 2^32, then as `netcl_op_qlinear_matmul` with
    /// x_scale and w_scale.
    ///
    /// [`op::qlinear_conv2d`] takes options too.
    pub fn qlinear_conv2d(
        &self,
        x_scale: &AnyTensor,
        w: &AnyTensor,
        w_scale: &AnyTensor,
        y_scale: &AnyTensor,
    ) -> Result<AnyTensor> {
        op::qlinear_conv2d(
            self,
            x_scale,
            w,
            w_scale,
            y_scale,
            QlinearConv2dOptions::default(),
            RunOptions::default(),
        )
    }

    /// Softmax cross entropy, as ONNX SoftmaxCrossEntropyLoss: -w\[label\] log softmax(x)\[label\]
    /// along `axis`, which has C classes, in one pass over x.
    ///
    /// [`op::cross_entropy`] takes options too.
    pub fn cross_entropy(&self, labels: &AnyTensor, axis: i32) -> Result<AnyTensor> {
        op::cross_entropy(self, labels, axis, LossOptions::default(), RunOptions::default())
    }

    /// The same of log-probabilities, as ONNX NegativeLogLikelihoodLoss: -w\[label\] x\[label\].
    ///
    /// [`op::nll_loss`] takes options too.
    pub fn nll_loss(&self, labels: &AnyTensor, axis: i32) -> Result<AnyTensor> {
        op::nll_loss(self, labels, axis, LossOptions::default(), RunOptions::default())
    }

    /// The scale of the next loss, as torch.amp.GradScaler.update: where found_inf is not 0, scale
    /// is multiplied by backoff_factor and tracker becomes 0; else 1 is added to tracker, and when
    /// that makes growth_interval it becomes 0 and scale is multiplied by growth_factor, unless it
    /// would be infinite.
    ///
    /// [`op::update_loss_scale`] takes options too.
    pub fn update_loss_scale(&self, tracker: &AnyTensor, found_inf: &AnyTensor) -> Result<()> {
        op::update_loss_scale(
            self,
            tracker,
            found_inf,
            LossScaleOptions::default(),
            RunOptions::default(),
        )
    }

    /// Copies with the dimensions in another order, as ONNX Transpose; axes_count 0 turns them
    /// round.
    ///
    /// [`op::transpose`] takes options too.
    pub fn transpose(&self, axes: &[u32]) -> Result<AnyTensor> {
        op::transpose(self, axes, RunOptions::default())
    }

    /// Adds elements around a tensor, as ONNX Pad: pads has the begin of every axis, then the end
    /// of every axis (2 rank entries).
    ///
    /// [`op::pad`] takes options too.
    pub fn pad(&self, pads: &[i64]) -> Result<AnyTensor> {
        op::pad(self, pads, PadOptions::default(), RunOptions::default())
    }

    /// Picks slices along an axis, as ONNX Gather: the result has indices' shape in place of that
    /// axis.
    ///
    /// [`op::gather`] takes options too.
    pub fn gather(&self, indices: &AnyTensor, axis: i32) -> Result<AnyTensor> {
        op::gather(self, indices, axis, RunOptions::default())
    }

    /// Picks elements along an axis, as ONNX GatherElements: the result has indices' shape, whose
    /// other extents are at most x's.
    ///
    /// [`op::gather_elements`] takes options too.
    pub fn gather_elements(&self, indices: &AnyTensor, axis: i32) -> Result<AnyTensor> {
        op::gather_elements(self, indices, axis, RunOptions::default())
    }

    /// Looks rows of weights \[V, D\] up: `netcl_op_gather` along axis 0 of a matrix.
    ///
    /// [`op::embedding`] takes options too.
    pub fn embedding(&self, indices: &AnyTensor) -> Result<AnyTensor> {
        op::embedding(self, indices, RunOptions::default())
    }

    /// Writes updates into a copy of x at indices along an axis, as ONNX ScatterElements, or adds
    /// them, each sum rounded by itself (f16 and bf16: kept in f32, rounded at the end); updates
    /// and indices have one shape, whose other extents are at most x's.
    ///
    /// [`op::scatter`] takes options too.
    pub fn scatter(
        &self,
        indices: &AnyTensor,
        updates: &AnyTensor,
        axis: i32,
    ) -> Result<AnyTensor> {
        op::scatter(self, indices, updates, axis, ScatterOptions::default(), RunOptions::default())
    }

    /// Resizes a tensor to another shape of the same rank, as ONNX Resize.
    ///
    /// [`op::resize`] takes options too.
    pub fn resize(&self, shape: &[i64]) -> Result<AnyTensor> {
        op::resize(self, shape, ResizeOptions::default(), RunOptions::default())
    }
}
