// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(unused_imports, unused_unsafe, clippy::too_many_arguments)]

use super::*;
use crate::support::{self, CText, Pointers, Texts};
use crate::{check, Error, Result, Scalar, Shape, Timeout};
use std::mem::MaybeUninit;
use std::os::raw::c_void;
use std::path::Path;
use std::ptr;
use crate::{Element, OpOptions, Tensor, With};

impl AnyTensor {
    /// Adds a vector along one axis: bias has rank 1 and the extent of that axis.
    ///
    /// [`op::bias_add`] tells all of it.
    pub fn bias_add(&self, bias: impl AsRef<AnyTensor>, axis: i32) -> Result<AnyTensor> {
        op::bias_add(self, bias, axis, RunOptions::default())
    }

    /// As [`Self::bias_add`], with [`RunOptions`].
    pub fn bias_add_with(
        &self,
        bias: impl AsRef<AnyTensor>,
        axis: i32,
        run: RunOptions<'_>,
    ) -> Result<AnyTensor> {
        op::bias_add(self, bias, axis, run)
    }

    /// Copies a tensor to new C-order memory, or to `run.into` (same shape and dtype, any strides).
    ///
    /// [`op::copy`] tells all of it.
    pub fn copy(&self) -> Result<AnyTensor> {
        op::copy(self, RunOptions::default())
    }

    /// As [`Self::copy`], with [`RunOptions`].
    pub fn copy_with(&self, run: RunOptions<'_>) -> Result<AnyTensor> {
        op::copy(self, run)
    }

    /// Gives the tensor itself (one more reference) when it is packed in C order, else a copy that
    /// is: the shape and the dtype stay.
    ///
    /// [`op::contiguous`] tells all of it.
    pub fn contiguous(&self) -> Result<AnyTensor> {
        op::contiguous(self, RunOptions::default())
    }

    /// As [`Self::contiguous`], with [`RunOptions`].
    pub fn contiguous_with(&self, run: RunOptions<'_>) -> Result<AnyTensor> {
        op::contiguous(self, run)
    }

    /// Converts elements to another dtype, in the same shape.
    ///
    /// [`op::cast`] tells all of it.
    pub fn cast(&self, dtype: Dtype) -> Result<AnyTensor> {
        op::cast(self, dtype, RunOptions::default())
    }

    /// As [`Self::cast`], with [`RunOptions`].
    pub fn cast_with(&self, dtype: Dtype, run: RunOptions<'_>) -> Result<AnyTensor> {
        op::cast(self, dtype, run)
    }

    /// Sets every element of a tensor of any shape, strides and dtype to one value of its dtype.
    ///
    /// [`op::fill`] tells all of it.
    pub fn fill(&self, value: Scalar) -> Result<()> {
        op::fill(self, value, RunOptions::default())
    }

    /// Sets element i of a tensor, counted in C order, to start + i step, as ONNX Range.
    ///
    /// [`op::range`] tells all of it.
    pub fn range(&self, start_value: Scalar, step_value: Scalar) -> Result<()> {
        op::range(self, start_value, step_value, RunOptions::default())
    }

    /// Sets each matrix of the last two dimensions of a tensor to 1 where the column is the row
    /// plus k, and to 0 elsewhere, as ONNX EyeLike.
    ///
    /// [`op::eye`] tells all of it.
    pub fn eye(&self, k: i64) -> Result<()> {
        op::eye(self, k, RunOptions::default())
    }

    /// Matrix product as ONNX MatMul: result = epilogue(alpha \* a \* b + beta \* into).
    ///
    /// [`op::matmul`] tells all of it.
    pub fn matmul(&self, b: impl AsRef<AnyTensor>) -> Result<AnyTensor> {
        op::matmul(self, b, MatmulOptions::default(), RunOptions::default())
    }

    /// As [`Self::matmul`], with [`MatmulOptions`], [`RunOptions`], or both as a pair.
    pub fn matmul_with<'a>(
        &self,
        b: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, MatmulOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::matmul(self, b, options, run)
    }

    /// 2-d convolution as ONNX Conv: x is \[N, C, H, W\], w is \[F, C / groups, KH, KW\], the
    /// result \[N, F, OH, OW\] with OH = (H + top + bottom - dilation (KH - 1) - 1) / stride + 1,
    /// at least 1.
    ///
    /// [`op::conv2d`] tells all of it.
    pub fn conv2d(&self, w: impl AsRef<AnyTensor>) -> Result<AnyTensor> {
        op::conv2d(self, w, Conv2dOptions::default(), RunOptions::default())
    }

    /// As [`Self::conv2d`], with [`Conv2dOptions`], [`RunOptions`], or both as a pair.
    pub fn conv2d_with<'a>(
        &self,
        w: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, Conv2dOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::conv2d(self, w, options, run)
    }

    /// Product with quantised weights: result = epilogue(x \* W^T).
    ///
    /// [`op::matmul_quantized`] tells all of it.
    pub fn matmul_quantized(&self, weights: impl AsRef<AnyTensor>) -> Result<AnyTensor> {
        op::matmul_quantized(self, weights, QuantizedOptions::default(), RunOptions::default())
    }

    /// As [`Self::matmul_quantized`], with [`QuantizedOptions`], [`RunOptions`], or both as a pair.
    pub fn matmul_quantized_with<'a>(
        &self,
        weights: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, QuantizedOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::matmul_quantized(self, weights, options, run)
    }

    /// The weights W as a matrix \[N, K\], rounded to f32 as there and then to the result's dtype.
    ///
    /// [`op::dequantize_weights`] tells all of it.
    pub fn dequantize_weights(&self) -> Result<AnyTensor> {
        op::dequantize_weights(self, QuantizedOptions::default(), RunOptions::default())
    }

    /// As [`Self::dequantize_weights`], with [`QuantizedOptions`], [`RunOptions`], or both as a
    /// pair.
    pub fn dequantize_weights_with<'a>(
        &self,
        with: impl Into<With<'a, QuantizedOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::dequantize_weights(self, options, run)
    }

    /// Quantises a matrix w of \[N, K\], K from 1 on, of f32, f16 or bf16.
    ///
    /// [`op::quantize_weights`] tells all of it.
    pub fn quantize_weights(&self) -> Result<(AnyTensor, Option<AnyTensor>, Option<AnyTensor>)> {
        op::quantize_weights(self, QuantizedOptions::default(), RunOptions::default())
    }

    /// As [`Self::quantize_weights`], with [`QuantizedOptions`], [`RunOptions`], or both as a pair.
    pub fn quantize_weights_with<'a>(
        &self,
        with: impl Into<With<'a, QuantizedOptions<'a>>>,
    ) -> Result<(AnyTensor, Option<AnyTensor>, Option<AnyTensor>)> {
        let (options, run) = with.into().parts();
        op::quantize_weights(self, options, run)
    }

    /// Scaled dot-product attention: result\[b, h, m\] = sum over n of p\[n\] v\[b, g, n\] with p =
    /// softmax of scale \* (q\[b, h, m\] .
    ///
    /// [`op::attention`] tells all of it.
    pub fn attention(
        &self,
        k: impl AsRef<AnyTensor>,
        v: impl AsRef<AnyTensor>,
    ) -> Result<(AnyTensor, AnyTensor)> {
        op::attention(self, k, v, AttentionOptions::default(), RunOptions::default())
    }

    /// As [`Self::attention`], with [`AttentionOptions`], [`RunOptions`], or both as a pair.
    pub fn attention_with<'a>(
        &self,
        k: impl AsRef<AnyTensor>,
        v: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, AttentionOptions<'a>>>,
    ) -> Result<(AnyTensor, AnyTensor)> {
        let (options, run) = with.into().parts();
        op::attention(self, k, v, options, run)
    }

    /// Rotary position embedding (Su et al., 2021) as ONNX RotaryEmbedding 23: each pair (a, b) of
    /// a head becomes (a cos - b sin, b cos + a sin).
    ///
    /// [`op::rotary_embedding`] tells all of it.
    pub fn rotary_embedding(
        &self,
        cos_cache: impl AsRef<AnyTensor>,
        sin_cache: impl AsRef<AnyTensor>,
    ) -> Result<AnyTensor> {
        op::rotary_embedding(
            self,
            cos_cache,
            sin_cache,
            RotaryEmbeddingOptions::default(),
            RunOptions::default(),
        )
    }

    /// As [`Self::rotary_embedding`], with [`RotaryEmbeddingOptions`], [`RunOptions`], or both as a
    /// pair.
    pub fn rotary_embedding_with<'a>(
        &self,
        cos_cache: impl AsRef<AnyTensor>,
        sin_cache: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, RotaryEmbeddingOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::rotary_embedding(self, cos_cache, sin_cache, options, run)
    }

    /// Reduces over axes, as ReduceSum ...
    ///
    /// [`op::reduce`] tells all of it.
    pub fn reduce(&self, kind: Reduction) -> Result<AnyTensor> {
        op::reduce(self, kind, ReduceOptions::default(), RunOptions::default())
    }

    /// As [`Self::reduce`], with [`ReduceOptions`], [`RunOptions`], or both as a pair.
    pub fn reduce_with<'a>(
        &self,
        kind: Reduction,
        with: impl Into<With<'a, ReduceOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::reduce(self, kind, options, run)
    }

    /// Running SUM, PROD, MAX or MIN along an axis, as ONNX CumSum: y\[i\] = x\[0\] + ...
    ///
    /// [`op::scan`] tells all of it.
    pub fn scan(&self, kind: Reduction, axis: i32) -> Result<AnyTensor> {
        op::scan(self, kind, axis, ScanOptions::default(), RunOptions::default())
    }

    /// As [`Self::scan`], with [`ScanOptions`], [`RunOptions`], or both as a pair.
    pub fn scan_with<'a>(
        &self,
        kind: Reduction,
        axis: i32,
        with: impl Into<With<'a, ScanOptions>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::scan(self, kind, axis, options, run)
    }

    /// Counts elements of a tensor of any shape and dtype in `bins` (1 or more) equal bins from low
    /// to high, which are finite with low \< high: i64 of \[bins\], exact.
    ///
    /// [`op::histogram`] tells all of it.
    pub fn histogram(&self, bins: i64) -> Result<AnyTensor> {
        op::histogram(self, bins, HistogramOptions::default(), RunOptions::default())
    }

    /// As [`Self::histogram`], with [`HistogramOptions`], [`RunOptions`], or both as a pair.
    pub fn histogram_with<'a>(
        &self,
        bins: i64,
        with: impl Into<With<'a, HistogramOptions>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::histogram(self, bins, options, run)
    }

    /// The k largest elements along an axis, as ONNX TopK: sorted, the lower index first among
    /// equals, NaN largest; with their indices.
    ///
    /// [`op::topk`] tells all of it.
    pub fn topk(&self, k: i64, axis: i32) -> Result<(AnyTensor, AnyTensor)> {
        op::topk(self, k, axis, TopkOptions::default(), RunOptions::default())
    }

    /// As [`Self::topk`], with [`TopkOptions`], [`RunOptions`], or both as a pair.
    pub fn topk_with<'a>(
        &self,
        k: i64,
        axis: i32,
        with: impl Into<With<'a, TopkOptions<'a>>>,
    ) -> Result<(AnyTensor, AnyTensor)> {
        let (options, run) = with.into().parts();
        op::topk(self, k, axis, options, run)
    }

    /// exp(x - m) / sum exp(x - m) along an axis, m the maximum: ONNX Softmax.
    ///
    /// [`op::softmax`] tells all of it.
    pub fn softmax(&self, axis: i32) -> Result<AnyTensor> {
        op::softmax(self, axis, RunOptions::default())
    }

    /// As [`Self::softmax`], with [`RunOptions`].
    pub fn softmax_with(&self, axis: i32, run: RunOptions<'_>) -> Result<AnyTensor> {
        op::softmax(self, axis, run)
    }

    /// x - m - log sum exp(x - m) along an axis: ONNX LogSoftmax.
    ///
    /// [`op::log_softmax`] tells all of it.
    pub fn log_softmax(&self, axis: i32) -> Result<AnyTensor> {
        op::log_softmax(self, axis, RunOptions::default())
    }

    /// As [`Self::log_softmax`], with [`RunOptions`].
    pub fn log_softmax_with(&self, axis: i32, run: RunOptions<'_>) -> Result<AnyTensor> {
        op::log_softmax(self, axis, run)
    }

    /// (x - mean) / sqrt(variance + epsilon) \* scale + bias over the axes from `axis` on, as ONNX
    /// LayerNormalization.
    ///
    /// [`op::layernorm`] tells all of it.
    pub fn layernorm(&self, axis: i32) -> Result<AnyTensor> {
        op::layernorm(self, axis, NormOptions::default(), RunOptions::default())
    }

    /// As [`Self::layernorm`], with [`NormOptions`], [`RunOptions`], or both as a pair.
    pub fn layernorm_with<'a>(
        &self,
        axis: i32,
        with: impl Into<With<'a, NormOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::layernorm(self, axis, options, run)
    }

    /// x / sqrt(mean(x^2) + epsilon) \* scale over the axes from `axis` on (Zhang and Sennrich,
    /// 2019).
    ///
    /// [`op::rmsnorm`] tells all of it.
    pub fn rmsnorm(&self, axis: i32) -> Result<AnyTensor> {
        op::rmsnorm(self, axis, NormOptions::default(), RunOptions::default())
    }

    /// As [`Self::rmsnorm`], with [`NormOptions`], [`RunOptions`], or both as a pair.
    pub fn rmsnorm_with<'a>(
        &self,
        axis: i32,
        with: impl Into<With<'a, NormOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::rmsnorm(self, axis, options, run)
    }

    /// Batch normalisation as ONNX BatchNormalization: x is \[N, C, ...\] of rank 2 or more, mean
    /// and variance are \[C\].
    ///
    /// [`op::batchnorm`] tells all of it.
    pub fn batchnorm(
        &self,
        mean: impl AsRef<AnyTensor>,
        variance: impl AsRef<AnyTensor>,
    ) -> Result<AnyTensor> {
        op::batchnorm(self, mean, variance, BatchnormOptions::default(), RunOptions::default())
    }

    /// As [`Self::batchnorm`], with [`BatchnormOptions`], [`RunOptions`], or both as a pair.
    pub fn batchnorm_with<'a>(
        &self,
        mean: impl AsRef<AnyTensor>,
        variance: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, BatchnormOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::batchnorm(self, mean, variance, options, run)
    }

    /// Pooling over one to three axes of space, x being \[N, C, ...\], as ONNX MaxPool, AveragePool
    /// and LpPool, and their Global forms.
    ///
    /// [`op::pool`] tells all of it.
    pub fn pool(&self, kind: Pooling) -> Result<AnyTensor> {
        op::pool(self, kind, PoolingOptions::default(), RunOptions::default())
    }

    /// As [`Self::pool`], with [`PoolingOptions`], [`RunOptions`], or both as a pair.
    pub fn pool_with<'a>(
        &self,
        kind: Pooling,
        with: impl Into<With<'a, PoolingOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::pool(self, kind, options, run)
    }

    /// Puts the elements of x, \[N, C, OH, OW\] of any dtype, to their indices in zeros of \[N, C,
    /// height, width\], as ONNX MaxUnpool: what [`op::pool()`] with indices_into took apart.
    ///
    /// [`op::max_unpool2d`] tells all of it.
    pub fn max_unpool2d(
        &self,
        indices: impl AsRef<AnyTensor>,
        height: i64,
        width: i64,
    ) -> Result<AnyTensor> {
        op::max_unpool2d(
            self,
            indices,
            height,
            width,
            MaxUnpool2dOptions::default(),
            RunOptions::default(),
        )
    }

    /// As [`Self::max_unpool2d`], with [`MaxUnpool2dOptions`], [`RunOptions`], or both as a pair.
    pub fn max_unpool2d_with<'a>(
        &self,
        indices: impl AsRef<AnyTensor>,
        height: i64,
        width: i64,
        with: impl Into<With<'a, MaxUnpool2dOptions>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::max_unpool2d(self, indices, height, width, options, run)
    }

    /// Cuts regions of images into bins and gives one number for each, as ONNX RoiAlign and
    /// MaxRoiPool: \[R, C, rows, columns\] of x \[N, C, H, W\], which is of floats.
    ///
    /// [`op::roi_pool`] tells all of it.
    pub fn roi_pool(
        &self,
        rois: impl AsRef<AnyTensor>,
        images: impl AsRef<AnyTensor>,
        kind: RoiPooling,
    ) -> Result<AnyTensor> {
        op::roi_pool(self, rois, images, kind, RoiPoolOptions::default(), RunOptions::default())
    }

    /// As [`Self::roi_pool`], with [`RoiPoolOptions`], [`RunOptions`], or both as a pair.
    pub fn roi_pool_with<'a>(
        &self,
        rois: impl AsRef<AnyTensor>,
        images: impl AsRef<AnyTensor>,
        kind: RoiPooling,
        with: impl Into<With<'a, RoiPoolOptions>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::roi_pool(self, rois, images, kind, options, run)
    }

    /// round(x / scale) + zero_point, saturated: ONNX QuantizeLinear 25 with results of 8 and 16
    /// bits.
    ///
    /// [`op::quantize_linear`] tells all of it.
    pub fn quantize_linear(&self, scale: impl AsRef<AnyTensor>, axis: i32) -> Result<AnyTensor> {
        op::quantize_linear(
            self,
            scale,
            axis,
            QuantizeLinearOptions::default(),
            RunOptions::default(),
        )
    }

    /// As [`Self::quantize_linear`], with [`QuantizeLinearOptions`], [`RunOptions`], or both as a
    /// pair.
    pub fn quantize_linear_with<'a>(
        &self,
        scale: impl AsRef<AnyTensor>,
        axis: i32,
        with: impl Into<With<'a, QuantizeLinearOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::quantize_linear(self, scale, axis, options, run)
    }

    /// (x - zero_point) \* scale as ONNX DequantizeLinear 25: x is i8, u8, i16, u16 or i32, scale
    /// f32, f16 or bf16, with shapes as for [`op::quantize_linear()`].
    ///
    /// [`op::dequantize_linear`] tells all of it.
    pub fn dequantize_linear(&self, scale: impl AsRef<AnyTensor>, axis: i32) -> Result<AnyTensor> {
        op::dequantize_linear(
            self,
            scale,
            axis,
            DequantizeLinearOptions::default(),
            RunOptions::default(),
        )
    }

    /// As [`Self::dequantize_linear`], with [`DequantizeLinearOptions`], [`RunOptions`], or both as
    /// a pair.
    pub fn dequantize_linear_with<'a>(
        &self,
        scale: impl AsRef<AnyTensor>,
        axis: i32,
        with: impl Into<With<'a, DequantizeLinearOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::dequantize_linear(self, scale, axis, options, run)
    }

    /// Quantises f32 to u8 by the range of its elements, as ONNX DynamicQuantizeLinear 11, all on
    /// the device: with low = min(x, 0) and high = max(x, 0) the scale is (high - low) / 255, or 1
    /// where that range is 0 (also of no elements), the zero point round(0 - low / scale) within 0
    /// to 255, and the result that of [`op::quantize_linear()`], in x's shape.
    ///
    /// [`op::dynamic_quantize_linear`] tells all of it.
    pub fn dynamic_quantize_linear(&self) -> Result<(AnyTensor, AnyTensor, AnyTensor)> {
        op::dynamic_quantize_linear(
            self,
            DynamicQuantizeLinearOptions::default(),
            RunOptions::default(),
        )
    }

    /// As [`Self::dynamic_quantize_linear`], with [`DynamicQuantizeLinearOptions`], [`RunOptions`],
    /// or both as a pair.
    pub fn dynamic_quantize_linear_with<'a>(
        &self,
        with: impl Into<With<'a, DynamicQuantizeLinearOptions<'a>>>,
    ) -> Result<(AnyTensor, AnyTensor, AnyTensor)> {
        let (options, run) = with.into().parts();
        op::dynamic_quantize_linear(self, options, run)
    }

    /// Product of quantised matrices, quantised again, as ONNX QLinearMatMul 21: the i32 sums of
    /// [`op::matmul()`] with zero points, converted to f32, times (a_scale \* b_scale) / y_scale;
    /// then rounded, the zero point added, saturated.
    ///
    /// [`op::qlinear_matmul`] tells all of it.
    pub fn qlinear_matmul(
        &self,
        a_scale: impl AsRef<AnyTensor>,
        b: impl AsRef<AnyTensor>,
        b_scale: impl AsRef<AnyTensor>,
        y_scale: impl AsRef<AnyTensor>,
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

    /// As [`Self::qlinear_matmul`], with [`QlinearMatmulOptions`], [`RunOptions`], or both as a
    /// pair.
    pub fn qlinear_matmul_with<'a>(
        &self,
        a_scale: impl AsRef<AnyTensor>,
        b: impl AsRef<AnyTensor>,
        b_scale: impl AsRef<AnyTensor>,
        y_scale: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, QlinearMatmulOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::qlinear_matmul(self, a_scale, b, b_scale, y_scale, options, run)
    }

    /// 2-d convolution of integers as ONNX ConvInteger 10: x and w are i8 or u8, each of either,
    /// with shapes and limits as for [`op::conv2d()`].
    ///
    /// [`op::conv2d_integer`] tells all of it.
    pub fn conv2d_integer(&self, w: impl AsRef<AnyTensor>) -> Result<AnyTensor> {
        op::conv2d_integer(self, w, Conv2dIntegerOptions::default(), RunOptions::default())
    }

    /// As [`Self::conv2d_integer`], with [`Conv2dIntegerOptions`], [`RunOptions`], or both as a
    /// pair.
    pub fn conv2d_integer_with<'a>(
        &self,
        w: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, Conv2dIntegerOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::conv2d_integer(self, w, options, run)
    }

    /// Convolution of quantised images, quantised again, as ONNX QLinearConv 10: the sums of
    /// [`op::conv2d_integer()`] and the bias, modulo 2^32, then as [`op::qlinear_matmul()`] with
    /// x_scale and w_scale.
    ///
    /// [`op::qlinear_conv2d`] tells all of it.
    pub fn qlinear_conv2d(
        &self,
        x_scale: impl AsRef<AnyTensor>,
        w: impl AsRef<AnyTensor>,
        w_scale: impl AsRef<AnyTensor>,
        y_scale: impl AsRef<AnyTensor>,
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

    /// As [`Self::qlinear_conv2d`], with [`QlinearConv2dOptions`], [`RunOptions`], or both as a
    /// pair.
    pub fn qlinear_conv2d_with<'a>(
        &self,
        x_scale: impl AsRef<AnyTensor>,
        w: impl AsRef<AnyTensor>,
        w_scale: impl AsRef<AnyTensor>,
        y_scale: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, QlinearConv2dOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::qlinear_conv2d(self, x_scale, w, w_scale, y_scale, options, run)
    }

    /// Softmax cross entropy, as ONNX SoftmaxCrossEntropyLoss: -w\[label\] log softmax(x)\[label\]
    /// along `axis`, which has C classes, in one pass over x.
    ///
    /// [`op::cross_entropy`] tells all of it.
    pub fn cross_entropy(&self, labels: impl AsRef<AnyTensor>, axis: i32) -> Result<AnyTensor> {
        op::cross_entropy(self, labels, axis, LossOptions::default(), RunOptions::default())
    }

    /// As [`Self::cross_entropy`], with [`LossOptions`], [`RunOptions`], or both as a pair.
    pub fn cross_entropy_with<'a>(
        &self,
        labels: impl AsRef<AnyTensor>,
        axis: i32,
        with: impl Into<With<'a, LossOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::cross_entropy(self, labels, axis, options, run)
    }

    /// The same of log-probabilities, as ONNX NegativeLogLikelihoodLoss: -w\[label\] x\[label\].
    ///
    /// [`op::nll_loss`] tells all of it.
    pub fn nll_loss(&self, labels: impl AsRef<AnyTensor>, axis: i32) -> Result<AnyTensor> {
        op::nll_loss(self, labels, axis, LossOptions::default(), RunOptions::default())
    }

    /// As [`Self::nll_loss`], with [`LossOptions`], [`RunOptions`], or both as a pair.
    pub fn nll_loss_with<'a>(
        &self,
        labels: impl AsRef<AnyTensor>,
        axis: i32,
        with: impl Into<With<'a, LossOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::nll_loss(self, labels, axis, options, run)
    }

    /// The scale of the next loss, as torch.amp.GradScaler.update: where found_inf is not 0, scale
    /// is multiplied by backoff_factor and tracker becomes 0; else 1 is added to tracker, and when
    /// that makes growth_interval it becomes 0 and scale is multiplied by growth_factor, unless it
    /// would be infinite.
    ///
    /// [`op::update_loss_scale`] tells all of it.
    pub fn update_loss_scale(
        &self,
        tracker: impl AsRef<AnyTensor>,
        found_inf: impl AsRef<AnyTensor>,
    ) -> Result<()> {
        op::update_loss_scale(
            self,
            tracker,
            found_inf,
            LossScaleOptions::default(),
            RunOptions::default(),
        )
    }

    /// Copies with the dimensions in another order, as ONNX Transpose; an empty `axes` turns them
    /// round.
    ///
    /// [`op::transpose`] tells all of it.
    pub fn transpose(&self, axes: &[u32]) -> Result<AnyTensor> {
        op::transpose(self, axes, RunOptions::default())
    }

    /// As [`Self::transpose`], with [`RunOptions`].
    pub fn transpose_with(&self, axes: &[u32], run: RunOptions<'_>) -> Result<AnyTensor> {
        op::transpose(self, axes, run)
    }

    /// Adds elements around a tensor, as ONNX Pad: pads has the begin of every axis, then the end
    /// of every axis (2 rank entries).
    ///
    /// [`op::pad`] tells all of it.
    pub fn pad(&self, pads: &[i64]) -> Result<AnyTensor> {
        op::pad(self, pads, PadOptions::default(), RunOptions::default())
    }

    /// As [`Self::pad`], with [`PadOptions`], [`RunOptions`], or both as a pair.
    pub fn pad_with<'a>(
        &self,
        pads: &[i64],
        with: impl Into<With<'a, PadOptions>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::pad(self, pads, options, run)
    }

    /// Repeats a tensor along its axes, as ONNX Tile: axis d of the result has repeats\[d\] times
    /// the extent of x, 0 or more; repeats has an entry for each axis.
    ///
    /// [`op::tile`] tells all of it.
    pub fn tile(&self, repeats: &[i64]) -> Result<AnyTensor> {
        op::tile(self, repeats, RunOptions::default())
    }

    /// As [`Self::tile`], with [`RunOptions`].
    pub fn tile_with(&self, repeats: &[i64], run: RunOptions<'_>) -> Result<AnyTensor> {
        op::tile(self, repeats, run)
    }

    /// Copies a triangle of each matrix of the last two dimensions, with zeros in place of the
    /// rest, as ONNX Trilu: the elements whose column is the row plus k or more, or with `upper` =
    /// false the row plus k or less.
    ///
    /// [`op::trilu`] tells all of it.
    pub fn trilu(&self, upper: bool, k: i64) -> Result<AnyTensor> {
        op::trilu(self, upper, k, RunOptions::default())
    }

    /// As [`Self::trilu`], with [`RunOptions`].
    pub fn trilu_with(&self, upper: bool, k: i64, run: RunOptions<'_>) -> Result<AnyTensor> {
        op::trilu(self, upper, k, run)
    }

    /// Picks slices along an axis, as ONNX Gather: the result has indices' shape in place of that
    /// axis.
    ///
    /// [`op::gather`] tells all of it.
    pub fn gather(&self, indices: impl AsRef<AnyTensor>, axis: i32) -> Result<AnyTensor> {
        op::gather(self, indices, axis, RunOptions::default())
    }

    /// As [`Self::gather`], with [`RunOptions`].
    pub fn gather_with(
        &self,
        indices: impl AsRef<AnyTensor>,
        axis: i32,
        run: RunOptions<'_>,
    ) -> Result<AnyTensor> {
        op::gather(self, indices, axis, run)
    }

    /// Picks elements along an axis, as ONNX GatherElements: the result has indices' shape, whose
    /// other extents are at most x's.
    ///
    /// [`op::gather_elements`] tells all of it.
    pub fn gather_elements(&self, indices: impl AsRef<AnyTensor>, axis: i32) -> Result<AnyTensor> {
        op::gather_elements(self, indices, axis, RunOptions::default())
    }

    /// As [`Self::gather_elements`], with [`RunOptions`].
    pub fn gather_elements_with(
        &self,
        indices: impl AsRef<AnyTensor>,
        axis: i32,
        run: RunOptions<'_>,
    ) -> Result<AnyTensor> {
        op::gather_elements(self, indices, axis, run)
    }

    /// Looks rows of weights \[V, D\] up: [`op::gather()`] along axis 0 of a matrix.
    ///
    /// [`op::embedding`] tells all of it.
    pub fn embedding(&self, indices: impl AsRef<AnyTensor>) -> Result<AnyTensor> {
        op::embedding(self, indices, RunOptions::default())
    }

    /// As [`Self::embedding`], with [`RunOptions`].
    pub fn embedding_with(
        &self,
        indices: impl AsRef<AnyTensor>,
        run: RunOptions<'_>,
    ) -> Result<AnyTensor> {
        op::embedding(self, indices, run)
    }

    /// Gives each index a line of depth elements along an axis of the result, as ONNX OneHot:
    /// on_value at the place that the index is, off_value elsewhere.
    ///
    /// [`op::one_hot`] tells all of it.
    pub fn one_hot(
        &self,
        depth: i64,
        axis: i32,
        dtype: Dtype,
        on_value: Scalar,
        off_value: Scalar,
    ) -> Result<AnyTensor> {
        op::one_hot(self, depth, axis, dtype, on_value, off_value, RunOptions::default())
    }

    /// As [`Self::one_hot`], with [`RunOptions`].
    pub fn one_hot_with(
        &self,
        depth: i64,
        axis: i32,
        dtype: Dtype,
        on_value: Scalar,
        off_value: Scalar,
        run: RunOptions<'_>,
    ) -> Result<AnyTensor> {
        op::one_hot(self, depth, axis, dtype, on_value, off_value, run)
    }

    /// Writes updates into a copy of x at indices along an axis, as ONNX ScatterElements, or adds
    /// or multiplies them, each result rounded by itself (f16 and bf16: kept in f32, rounded at the
    /// end), or keeps the extreme; updates and indices have one shape, whose other extents are at
    /// most x's.
    ///
    /// [`op::scatter`] tells all of it.
    pub fn scatter(
        &self,
        indices: impl AsRef<AnyTensor>,
        updates: impl AsRef<AnyTensor>,
        axis: i32,
    ) -> Result<AnyTensor> {
        op::scatter(self, indices, updates, axis, ScatterOptions::default(), RunOptions::default())
    }

    /// As [`Self::scatter`], with [`ScatterOptions`], [`RunOptions`], or both as a pair.
    pub fn scatter_with<'a>(
        &self,
        indices: impl AsRef<AnyTensor>,
        updates: impl AsRef<AnyTensor>,
        axis: i32,
        with: impl Into<With<'a, ScatterOptions>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::scatter(self, indices, updates, axis, options, run)
    }

    /// Picks slices at places of several dimensions, as ONNX GatherND: a line along the last
    /// dimension of indices, n of them, is a place in dimensions batch_dims to batch_dims + n - 1
    /// of x, with n 1 or more.
    ///
    /// [`op::gather_nd`] tells all of it.
    pub fn gather_nd(&self, indices: impl AsRef<AnyTensor>, batch_dims: u32) -> Result<AnyTensor> {
        op::gather_nd(self, indices, batch_dims, RunOptions::default())
    }

    /// As [`Self::gather_nd`], with [`RunOptions`].
    pub fn gather_nd_with(
        &self,
        indices: impl AsRef<AnyTensor>,
        batch_dims: u32,
        run: RunOptions<'_>,
    ) -> Result<AnyTensor> {
        op::gather_nd(self, indices, batch_dims, run)
    }

    /// Writes updates into a copy of x at places of several dimensions, as ONNX ScatterND
    /// (batch_dims 0), or combines them with what is there, in the order and with the rounding of
    /// [`op::scatter()`].
    ///
    /// [`op::scatter_nd`] tells all of it.
    pub fn scatter_nd(
        &self,
        indices: impl AsRef<AnyTensor>,
        updates: impl AsRef<AnyTensor>,
        batch_dims: u32,
    ) -> Result<AnyTensor> {
        op::scatter_nd(
            self,
            indices,
            updates,
            batch_dims,
            ScatterOptions::default(),
            RunOptions::default(),
        )
    }

    /// As [`Self::scatter_nd`], with [`ScatterOptions`], [`RunOptions`], or both as a pair.
    pub fn scatter_nd_with<'a>(
        &self,
        indices: impl AsRef<AnyTensor>,
        updates: impl AsRef<AnyTensor>,
        batch_dims: u32,
        with: impl Into<With<'a, ScatterOptions>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::scatter_nd(self, indices, updates, batch_dims, options, run)
    }

    /// Spreads channels over space, as ONNX DepthToSpace: x is \[N, C B, ...\] with one to three
    /// dimensions of space, each of which becomes `block` times as long, 1 or more; B is `block` to
    /// the power of their number, the elements of a block, counted in C order.
    ///
    /// [`op::depth_to_space`] tells all of it.
    pub fn depth_to_space(&self, block: i64, order: DepthOrder) -> Result<AnyTensor> {
        op::depth_to_space(self, block, order, RunOptions::default())
    }

    /// As [`Self::depth_to_space`], with [`RunOptions`].
    pub fn depth_to_space_with(
        &self,
        block: i64,
        order: DepthOrder,
        run: RunOptions<'_>,
    ) -> Result<AnyTensor> {
        op::depth_to_space(self, block, order, run)
    }

    /// Gathers blocks of space into channels, as ONNX SpaceToDepth: what [`op::depth_to_space()`]
    /// did is undone.
    ///
    /// [`op::space_to_depth`] tells all of it.
    pub fn space_to_depth(&self, block: i64, order: DepthOrder) -> Result<AnyTensor> {
        op::space_to_depth(self, block, order, RunOptions::default())
    }

    /// As [`Self::space_to_depth`], with [`RunOptions`].
    pub fn space_to_depth_with(
        &self,
        block: i64,
        order: DepthOrder,
        run: RunOptions<'_>,
    ) -> Result<AnyTensor> {
        op::space_to_depth(self, block, order, run)
    }

    /// Resizes a tensor to another shape of the same rank, as ONNX Resize.
    ///
    /// [`op::resize`] tells all of it.
    pub fn resize(&self, shape: impl Into<Shape>) -> Result<AnyTensor> {
        op::resize(self, shape, ResizeOptions::default(), RunOptions::default())
    }

    /// As [`Self::resize`], with [`ResizeOptions`], [`RunOptions`], or both as a pair.
    pub fn resize_with<'a>(
        &self,
        shape: impl Into<Shape>,
        with: impl Into<With<'a, ResizeOptions<'a>>>,
    ) -> Result<AnyTensor> {
        let (options, run) = with.into().parts();
        op::resize(self, shape, options, run)
    }
}

impl<T: Element> Tensor<T> {
    /// Adds a vector along one axis: bias has rank 1 and the extent of that axis.
    ///
    /// [`op::bias_add`] tells all of it.
    pub fn bias_add(&self, bias: impl AsRef<AnyTensor>, axis: i32) -> Result<Tensor<T>> {
        op::bias_add(self, bias, axis, RunOptions::default())?.typed()
    }

    /// As [`Self::bias_add`], with [`RunOptions`].
    pub fn bias_add_with(
        &self,
        bias: impl AsRef<AnyTensor>,
        axis: i32,
        run: RunOptions<'_>,
    ) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::bias_add(self, bias, axis, run)?.typed()
    }

    /// Copies a tensor to new C-order memory, or to `run.into` (same shape and dtype, any strides).
    ///
    /// [`op::copy`] tells all of it.
    pub fn copy(&self) -> Result<Tensor<T>> {
        op::copy(self, RunOptions::default())?.typed()
    }

    /// As [`Self::copy`], with [`RunOptions`].
    pub fn copy_with(&self, run: RunOptions<'_>) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::copy(self, run)?.typed()
    }

    /// Gives the tensor itself (one more reference) when it is packed in C order, else a copy that
    /// is: the shape and the dtype stay.
    ///
    /// [`op::contiguous`] tells all of it.
    pub fn contiguous(&self) -> Result<Tensor<T>> {
        op::contiguous(self, RunOptions::default())?.typed()
    }

    /// As [`Self::contiguous`], with [`RunOptions`].
    pub fn contiguous_with(&self, run: RunOptions<'_>) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::contiguous(self, run)?.typed()
    }

    /// Matrix product as ONNX MatMul: result = epilogue(alpha \* a \* b + beta \* into).
    ///
    /// [`op::matmul`] tells all of it.
    pub fn matmul(&self, b: &Tensor<T>) -> Result<Tensor<T::Product>> {
        op::matmul(self, b, MatmulOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::matmul`], with [`MatmulOptions`], [`RunOptions`], or both as a pair.
    pub fn matmul_with<'a>(
        &self,
        b: &Tensor<T>,
        with: impl Into<With<'a, MatmulOptions<'a>>>,
    ) -> Result<Tensor<T::Product>> {
        let (options, run) = with.into().parts();
        run.check_into::<T::Product>()?;
        op::matmul(self, b, options, run)?.typed()
    }

    /// 2-d convolution as ONNX Conv: x is \[N, C, H, W\], w is \[F, C / groups, KH, KW\], the
    /// result \[N, F, OH, OW\] with OH = (H + top + bottom - dilation (KH - 1) - 1) / stride + 1,
    /// at least 1.
    ///
    /// [`op::conv2d`] tells all of it.
    pub fn conv2d(&self, w: &Tensor<T>) -> Result<Tensor<T>> {
        op::conv2d(self, w, Conv2dOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::conv2d`], with [`Conv2dOptions`], [`RunOptions`], or both as a pair.
    pub fn conv2d_with<'a>(
        &self,
        w: &Tensor<T>,
        with: impl Into<With<'a, Conv2dOptions<'a>>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::conv2d(self, w, options, run)?.typed()
    }

    /// Product with quantised weights: result = epilogue(x \* W^T).
    ///
    /// [`op::matmul_quantized`] tells all of it.
    pub fn matmul_quantized(&self, weights: impl AsRef<AnyTensor>) -> Result<Tensor<T>> {
        op::matmul_quantized(self, weights, QuantizedOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::matmul_quantized`], with [`QuantizedOptions`], [`RunOptions`], or both as a pair.
    pub fn matmul_quantized_with<'a>(
        &self,
        weights: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, QuantizedOptions<'a>>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::matmul_quantized(self, weights, options, run)?.typed()
    }

    /// Scaled dot-product attention: result\[b, h, m\] = sum over n of p\[n\] v\[b, g, n\] with p =
    /// softmax of scale \* (q\[b, h, m\] .
    ///
    /// [`op::attention`] tells all of it.
    pub fn attention(&self, k: &Tensor<T>, v: &Tensor<T>) -> Result<(Tensor<T>, AnyTensor)> {
        let (made0, made1) = op::attention(self, k, v, AttentionOptions::default(), RunOptions::default())?;
        Ok((made0.typed()?, made1))
    }

    /// As [`Self::attention`], with [`AttentionOptions`], [`RunOptions`], or both as a pair.
    pub fn attention_with<'a>(
        &self,
        k: &Tensor<T>,
        v: &Tensor<T>,
        with: impl Into<With<'a, AttentionOptions<'a>>>,
    ) -> Result<(Tensor<T>, AnyTensor)> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        let (made0, made1) = op::attention(self, k, v, options, run)?;
        Ok((made0.typed()?, made1))
    }

    /// Rotary position embedding (Su et al., 2021) as ONNX RotaryEmbedding 23: each pair (a, b) of
    /// a head becomes (a cos - b sin, b cos + a sin).
    ///
    /// [`op::rotary_embedding`] tells all of it.
    pub fn rotary_embedding(
        &self,
        cos_cache: impl AsRef<AnyTensor>,
        sin_cache: impl AsRef<AnyTensor>,
    ) -> Result<Tensor<T>> {
        op::rotary_embedding(
            self,
            cos_cache,
            sin_cache,
            RotaryEmbeddingOptions::default(),
            RunOptions::default(),
        )?.typed()
    }

    /// As [`Self::rotary_embedding`], with [`RotaryEmbeddingOptions`], [`RunOptions`], or both as a
    /// pair.
    pub fn rotary_embedding_with<'a>(
        &self,
        cos_cache: impl AsRef<AnyTensor>,
        sin_cache: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, RotaryEmbeddingOptions<'a>>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::rotary_embedding(self, cos_cache, sin_cache, options, run)?.typed()
    }

    /// Running SUM, PROD, MAX or MIN along an axis, as ONNX CumSum: y\[i\] = x\[0\] + ...
    ///
    /// [`op::scan`] tells all of it.
    pub fn scan(&self, kind: Reduction, axis: i32) -> Result<Tensor<T>> {
        op::scan(self, kind, axis, ScanOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::scan`], with [`ScanOptions`], [`RunOptions`], or both as a pair.
    pub fn scan_with<'a>(
        &self,
        kind: Reduction,
        axis: i32,
        with: impl Into<With<'a, ScanOptions>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::scan(self, kind, axis, options, run)?.typed()
    }

    /// Counts elements of a tensor of any shape and dtype in `bins` (1 or more) equal bins from low
    /// to high, which are finite with low \< high: i64 of \[bins\], exact.
    ///
    /// [`op::histogram`] tells all of it.
    pub fn histogram(&self, bins: i64) -> Result<Tensor<i64>> {
        op::histogram(self, bins, HistogramOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::histogram`], with [`HistogramOptions`], [`RunOptions`], or both as a pair.
    pub fn histogram_with<'a>(
        &self,
        bins: i64,
        with: impl Into<With<'a, HistogramOptions>>,
    ) -> Result<Tensor<i64>> {
        let (options, run) = with.into().parts();
        run.check_into::<i64>()?;
        op::histogram(self, bins, options, run)?.typed()
    }

    /// The k largest elements along an axis, as ONNX TopK: sorted, the lower index first among
    /// equals, NaN largest; with their indices.
    ///
    /// [`op::topk`] tells all of it.
    pub fn topk(&self, k: i64, axis: i32) -> Result<(Tensor<T>, Tensor<i64>)> {
        let (made0, made1) = op::topk(self, k, axis, TopkOptions::default(), RunOptions::default())?;
        Ok((made0.typed()?, made1.typed()?))
    }

    /// As [`Self::topk`], with [`TopkOptions`], [`RunOptions`], or both as a pair.
    pub fn topk_with<'a>(
        &self,
        k: i64,
        axis: i32,
        with: impl Into<With<'a, TopkOptions<'a>>>,
    ) -> Result<(Tensor<T>, Tensor<i64>)> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        let (made0, made1) = op::topk(self, k, axis, options, run)?;
        Ok((made0.typed()?, made1.typed()?))
    }

    /// exp(x - m) / sum exp(x - m) along an axis, m the maximum: ONNX Softmax.
    ///
    /// [`op::softmax`] tells all of it.
    pub fn softmax(&self, axis: i32) -> Result<Tensor<T>> {
        op::softmax(self, axis, RunOptions::default())?.typed()
    }

    /// As [`Self::softmax`], with [`RunOptions`].
    pub fn softmax_with(&self, axis: i32, run: RunOptions<'_>) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::softmax(self, axis, run)?.typed()
    }

    /// x - m - log sum exp(x - m) along an axis: ONNX LogSoftmax.
    ///
    /// [`op::log_softmax`] tells all of it.
    pub fn log_softmax(&self, axis: i32) -> Result<Tensor<T>> {
        op::log_softmax(self, axis, RunOptions::default())?.typed()
    }

    /// As [`Self::log_softmax`], with [`RunOptions`].
    pub fn log_softmax_with(&self, axis: i32, run: RunOptions<'_>) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::log_softmax(self, axis, run)?.typed()
    }

    /// (x - mean) / sqrt(variance + epsilon) \* scale + bias over the axes from `axis` on, as ONNX
    /// LayerNormalization.
    ///
    /// [`op::layernorm`] tells all of it.
    pub fn layernorm(&self, axis: i32) -> Result<Tensor<T>> {
        op::layernorm(self, axis, NormOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::layernorm`], with [`NormOptions`], [`RunOptions`], or both as a pair.
    pub fn layernorm_with<'a>(
        &self,
        axis: i32,
        with: impl Into<With<'a, NormOptions<'a>>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::layernorm(self, axis, options, run)?.typed()
    }

    /// x / sqrt(mean(x^2) + epsilon) \* scale over the axes from `axis` on (Zhang and Sennrich,
    /// 2019).
    ///
    /// [`op::rmsnorm`] tells all of it.
    pub fn rmsnorm(&self, axis: i32) -> Result<Tensor<T>> {
        op::rmsnorm(self, axis, NormOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::rmsnorm`], with [`NormOptions`], [`RunOptions`], or both as a pair.
    pub fn rmsnorm_with<'a>(
        &self,
        axis: i32,
        with: impl Into<With<'a, NormOptions<'a>>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::rmsnorm(self, axis, options, run)?.typed()
    }

    /// Batch normalisation as ONNX BatchNormalization: x is \[N, C, ...\] of rank 2 or more, mean
    /// and variance are \[C\].
    ///
    /// [`op::batchnorm`] tells all of it.
    pub fn batchnorm(
        &self,
        mean: impl AsRef<AnyTensor>,
        variance: impl AsRef<AnyTensor>,
    ) -> Result<Tensor<T>> {
        op::batchnorm(self, mean, variance, BatchnormOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::batchnorm`], with [`BatchnormOptions`], [`RunOptions`], or both as a pair.
    pub fn batchnorm_with<'a>(
        &self,
        mean: impl AsRef<AnyTensor>,
        variance: impl AsRef<AnyTensor>,
        with: impl Into<With<'a, BatchnormOptions<'a>>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::batchnorm(self, mean, variance, options, run)?.typed()
    }

    /// Pooling over one to three axes of space, x being \[N, C, ...\], as ONNX MaxPool, AveragePool
    /// and LpPool, and their Global forms.
    ///
    /// [`op::pool`] tells all of it.
    pub fn pool(&self, kind: Pooling) -> Result<Tensor<T>> {
        op::pool(self, kind, PoolingOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::pool`], with [`PoolingOptions`], [`RunOptions`], or both as a pair.
    pub fn pool_with<'a>(
        &self,
        kind: Pooling,
        with: impl Into<With<'a, PoolingOptions<'a>>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::pool(self, kind, options, run)?.typed()
    }

    /// Softmax cross entropy, as ONNX SoftmaxCrossEntropyLoss: -w\[label\] log softmax(x)\[label\]
    /// along `axis`, which has C classes, in one pass over x.
    ///
    /// [`op::cross_entropy`] tells all of it.
    pub fn cross_entropy(&self, labels: impl AsRef<AnyTensor>, axis: i32) -> Result<Tensor<T>> {
        op::cross_entropy(self, labels, axis, LossOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::cross_entropy`], with [`LossOptions`], [`RunOptions`], or both as a pair.
    pub fn cross_entropy_with<'a>(
        &self,
        labels: impl AsRef<AnyTensor>,
        axis: i32,
        with: impl Into<With<'a, LossOptions<'a>>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::cross_entropy(self, labels, axis, options, run)?.typed()
    }

    /// The same of log-probabilities, as ONNX NegativeLogLikelihoodLoss: -w\[label\] x\[label\].
    ///
    /// [`op::nll_loss`] tells all of it.
    pub fn nll_loss(&self, labels: impl AsRef<AnyTensor>, axis: i32) -> Result<Tensor<T>> {
        op::nll_loss(self, labels, axis, LossOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::nll_loss`], with [`LossOptions`], [`RunOptions`], or both as a pair.
    pub fn nll_loss_with<'a>(
        &self,
        labels: impl AsRef<AnyTensor>,
        axis: i32,
        with: impl Into<With<'a, LossOptions<'a>>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::nll_loss(self, labels, axis, options, run)?.typed()
    }

    /// Copies with the dimensions in another order, as ONNX Transpose; an empty `axes` turns them
    /// round.
    ///
    /// [`op::transpose`] tells all of it.
    pub fn transpose(&self, axes: &[u32]) -> Result<Tensor<T>> {
        op::transpose(self, axes, RunOptions::default())?.typed()
    }

    /// As [`Self::transpose`], with [`RunOptions`].
    pub fn transpose_with(&self, axes: &[u32], run: RunOptions<'_>) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::transpose(self, axes, run)?.typed()
    }

    /// Adds elements around a tensor, as ONNX Pad: pads has the begin of every axis, then the end
    /// of every axis (2 rank entries).
    ///
    /// [`op::pad`] tells all of it.
    pub fn pad(&self, pads: &[i64]) -> Result<Tensor<T>> {
        op::pad(self, pads, PadOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::pad`], with [`PadOptions`], [`RunOptions`], or both as a pair.
    pub fn pad_with<'a>(
        &self,
        pads: &[i64],
        with: impl Into<With<'a, PadOptions>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::pad(self, pads, options, run)?.typed()
    }

    /// Repeats a tensor along its axes, as ONNX Tile: axis d of the result has repeats\[d\] times
    /// the extent of x, 0 or more; repeats has an entry for each axis.
    ///
    /// [`op::tile`] tells all of it.
    pub fn tile(&self, repeats: &[i64]) -> Result<Tensor<T>> {
        op::tile(self, repeats, RunOptions::default())?.typed()
    }

    /// As [`Self::tile`], with [`RunOptions`].
    pub fn tile_with(&self, repeats: &[i64], run: RunOptions<'_>) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::tile(self, repeats, run)?.typed()
    }

    /// Copies a triangle of each matrix of the last two dimensions, with zeros in place of the
    /// rest, as ONNX Trilu: the elements whose column is the row plus k or more, or with `upper` =
    /// false the row plus k or less.
    ///
    /// [`op::trilu`] tells all of it.
    pub fn trilu(&self, upper: bool, k: i64) -> Result<Tensor<T>> {
        op::trilu(self, upper, k, RunOptions::default())?.typed()
    }

    /// As [`Self::trilu`], with [`RunOptions`].
    pub fn trilu_with(&self, upper: bool, k: i64, run: RunOptions<'_>) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::trilu(self, upper, k, run)?.typed()
    }

    /// Picks slices along an axis, as ONNX Gather: the result has indices' shape in place of that
    /// axis.
    ///
    /// [`op::gather`] tells all of it.
    pub fn gather(&self, indices: impl AsRef<AnyTensor>, axis: i32) -> Result<Tensor<T>> {
        op::gather(self, indices, axis, RunOptions::default())?.typed()
    }

    /// As [`Self::gather`], with [`RunOptions`].
    pub fn gather_with(
        &self,
        indices: impl AsRef<AnyTensor>,
        axis: i32,
        run: RunOptions<'_>,
    ) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::gather(self, indices, axis, run)?.typed()
    }

    /// Picks elements along an axis, as ONNX GatherElements: the result has indices' shape, whose
    /// other extents are at most x's.
    ///
    /// [`op::gather_elements`] tells all of it.
    pub fn gather_elements(&self, indices: impl AsRef<AnyTensor>, axis: i32) -> Result<Tensor<T>> {
        op::gather_elements(self, indices, axis, RunOptions::default())?.typed()
    }

    /// As [`Self::gather_elements`], with [`RunOptions`].
    pub fn gather_elements_with(
        &self,
        indices: impl AsRef<AnyTensor>,
        axis: i32,
        run: RunOptions<'_>,
    ) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::gather_elements(self, indices, axis, run)?.typed()
    }

    /// Looks rows of weights \[V, D\] up: [`op::gather()`] along axis 0 of a matrix.
    ///
    /// [`op::embedding`] tells all of it.
    pub fn embedding(&self, indices: impl AsRef<AnyTensor>) -> Result<Tensor<T>> {
        op::embedding(self, indices, RunOptions::default())?.typed()
    }

    /// As [`Self::embedding`], with [`RunOptions`].
    pub fn embedding_with(
        &self,
        indices: impl AsRef<AnyTensor>,
        run: RunOptions<'_>,
    ) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::embedding(self, indices, run)?.typed()
    }

    /// Writes updates into a copy of x at indices along an axis, as ONNX ScatterElements, or adds
    /// or multiplies them, each result rounded by itself (f16 and bf16: kept in f32, rounded at the
    /// end), or keeps the extreme; updates and indices have one shape, whose other extents are at
    /// most x's.
    ///
    /// [`op::scatter`] tells all of it.
    pub fn scatter(
        &self,
        indices: impl AsRef<AnyTensor>,
        updates: &Tensor<T>,
        axis: i32,
    ) -> Result<Tensor<T>> {
        op::scatter(self, indices, updates, axis, ScatterOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::scatter`], with [`ScatterOptions`], [`RunOptions`], or both as a pair.
    pub fn scatter_with<'a>(
        &self,
        indices: impl AsRef<AnyTensor>,
        updates: &Tensor<T>,
        axis: i32,
        with: impl Into<With<'a, ScatterOptions>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::scatter(self, indices, updates, axis, options, run)?.typed()
    }

    /// Picks slices at places of several dimensions, as ONNX GatherND: a line along the last
    /// dimension of indices, n of them, is a place in dimensions batch_dims to batch_dims + n - 1
    /// of x, with n 1 or more.
    ///
    /// [`op::gather_nd`] tells all of it.
    pub fn gather_nd(&self, indices: impl AsRef<AnyTensor>, batch_dims: u32) -> Result<Tensor<T>> {
        op::gather_nd(self, indices, batch_dims, RunOptions::default())?.typed()
    }

    /// As [`Self::gather_nd`], with [`RunOptions`].
    pub fn gather_nd_with(
        &self,
        indices: impl AsRef<AnyTensor>,
        batch_dims: u32,
        run: RunOptions<'_>,
    ) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::gather_nd(self, indices, batch_dims, run)?.typed()
    }

    /// Writes updates into a copy of x at places of several dimensions, as ONNX ScatterND
    /// (batch_dims 0), or combines them with what is there, in the order and with the rounding of
    /// [`op::scatter()`].
    ///
    /// [`op::scatter_nd`] tells all of it.
    pub fn scatter_nd(
        &self,
        indices: impl AsRef<AnyTensor>,
        updates: &Tensor<T>,
        batch_dims: u32,
    ) -> Result<Tensor<T>> {
        op::scatter_nd(
            self,
            indices,
            updates,
            batch_dims,
            ScatterOptions::default(),
            RunOptions::default(),
        )?.typed()
    }

    /// As [`Self::scatter_nd`], with [`ScatterOptions`], [`RunOptions`], or both as a pair.
    pub fn scatter_nd_with<'a>(
        &self,
        indices: impl AsRef<AnyTensor>,
        updates: &Tensor<T>,
        batch_dims: u32,
        with: impl Into<With<'a, ScatterOptions>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::scatter_nd(self, indices, updates, batch_dims, options, run)?.typed()
    }

    /// Spreads channels over space, as ONNX DepthToSpace: x is \[N, C B, ...\] with one to three
    /// dimensions of space, each of which becomes `block` times as long, 1 or more; B is `block` to
    /// the power of their number, the elements of a block, counted in C order.
    ///
    /// [`op::depth_to_space`] tells all of it.
    pub fn depth_to_space(&self, block: i64, order: DepthOrder) -> Result<Tensor<T>> {
        op::depth_to_space(self, block, order, RunOptions::default())?.typed()
    }

    /// As [`Self::depth_to_space`], with [`RunOptions`].
    pub fn depth_to_space_with(
        &self,
        block: i64,
        order: DepthOrder,
        run: RunOptions<'_>,
    ) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::depth_to_space(self, block, order, run)?.typed()
    }

    /// Gathers blocks of space into channels, as ONNX SpaceToDepth: what [`op::depth_to_space()`]
    /// did is undone.
    ///
    /// [`op::space_to_depth`] tells all of it.
    pub fn space_to_depth(&self, block: i64, order: DepthOrder) -> Result<Tensor<T>> {
        op::space_to_depth(self, block, order, RunOptions::default())?.typed()
    }

    /// As [`Self::space_to_depth`], with [`RunOptions`].
    pub fn space_to_depth_with(
        &self,
        block: i64,
        order: DepthOrder,
        run: RunOptions<'_>,
    ) -> Result<Tensor<T>> {
        run.check_into::<T>()?;
        op::space_to_depth(self, block, order, run)?.typed()
    }

    /// Resizes a tensor to another shape of the same rank, as ONNX Resize.
    ///
    /// [`op::resize`] tells all of it.
    pub fn resize(&self, shape: impl Into<Shape>) -> Result<Tensor<T>> {
        op::resize(self, shape, ResizeOptions::default(), RunOptions::default())?.typed()
    }

    /// As [`Self::resize`], with [`ResizeOptions`], [`RunOptions`], or both as a pair.
    pub fn resize_with<'a>(
        &self,
        shape: impl Into<Shape>,
        with: impl Into<With<'a, ResizeOptions<'a>>>,
    ) -> Result<Tensor<T>> {
        let (options, run) = with.into().parts();
        run.check_into::<T>()?;
        op::resize(self, shape, options, run)?.typed()
    }
}

impl OpOptions for ExpressionOptions {}

impl OpOptions for ExpressionsOptions<'_> {}

impl OpOptions for ElementwiseOptions {}

impl OpOptions for PrimitiveCallOptions<'_> {}

impl OpOptions for MatmulOptions<'_> {}

impl OpOptions for Conv2dOptions<'_> {}

impl OpOptions for QuantizedOptions<'_> {}

impl OpOptions for AttentionOptions<'_> {}

impl OpOptions for RotaryEmbeddingOptions<'_> {}

impl OpOptions for ReduceOptions<'_> {}

impl OpOptions for ScanOptions {}

impl OpOptions for HistogramOptions {}

impl OpOptions for TopkOptions<'_> {}

impl OpOptions for NormOptions<'_> {}

impl OpOptions for BatchnormOptions<'_> {}

impl OpOptions for PoolingOptions<'_> {}

impl OpOptions for MaxUnpool2dOptions {}

impl OpOptions for RoiPoolOptions {}

impl OpOptions for QuantizeLinearOptions<'_> {}

impl OpOptions for DequantizeLinearOptions<'_> {}

impl OpOptions for DynamicQuantizeLinearOptions<'_> {}

impl OpOptions for QlinearMatmulOptions<'_> {}

impl OpOptions for Conv2dIntegerOptions<'_> {}

impl OpOptions for QlinearConv2dOptions<'_> {}

impl OpOptions for LossOptions<'_> {}

impl OpOptions for SgdOptions<'_> {}

impl OpOptions for AdamOptions<'_> {}

impl OpOptions for RmspropOptions<'_> {}

impl OpOptions for AdagradOptions<'_> {}

impl OpOptions for LossScaleOptions {}

impl OpOptions for PadOptions {}

impl OpOptions for ScatterOptions {}

impl OpOptions for ResizeOptions<'_> {}
