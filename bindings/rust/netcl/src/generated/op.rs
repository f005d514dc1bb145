// Written by bindings/generator from include/netcl.h; changes here are lost.

//! All ops, each with its options and with how it runs. Those whose first input
//! is a tensor are methods of [`AnyTensor`] too, with defaults for both.

#![allow(unused_imports, unused_unsafe, clippy::too_many_arguments)]

use super::*;
use crate::support::{self, CText, Pointers, Texts};
use crate::{check, Error, Result, Scalar, Shape, Timeout};
use std::mem::MaybeUninit;
use std::os::raw::c_void;
use std::path::Path;
use std::ptr;

/// Evaluates an expression over tensors, broadcast to one shape, as one fused kernel: a chain of
/// elementwise work is built once with [`Expression::new()`] and reused here. Any strides. Types:
/// inputs promote as in array languages (bool \< integers \< floats; the wider wins; mixed
/// signedness takes the next wider signed type; f16 with bf16 is f32); f16 and bf16 are computed in
/// f32 and rounded once at the end. `run.into` may share memory with inputs in any way: one that
/// overlaps it and is not the same elements is copied first. [`UNSUPPORTED`](Status::UNSUPPORTED)
/// for f64 on a device without fp64.
#[doc(alias = "netcl_op_expression")]
pub fn expression(
    expression: &Expression,
    inputs: &[&AnyTensor],
    options: ExpressionOptions,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let mut inputs_raw = Pointers::default();
    inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_expression(
            expression.as_raw(),
            inputs_raw.as_ptr(),
            support::count("inputs", inputs.len())?,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Evaluates an expression given as text: [`Expression::new()`] (kept for the next call with the
/// same text), then [`op::expression()`].
#[doc(alias = "netcl_op_expression_text")]
pub fn expression_text(
    text: &str,
    inputs: &[&AnyTensor],
    options: ExpressionOptions,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let text_c = CText::new("text", text)?;
    let mut inputs_raw = Pointers::default();
    inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_expression_text(
            text_c.as_ptr(),
            inputs_raw.as_ptr(),
            support::count("inputs", inputs.len())?,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Evaluates up to [`RESULTS_MAX`] expressions over the same inputs as one fused kernel, which
/// reads each input once, computes what the expressions have in common once and stores a result for
/// each. A result has the dtype, the shape and the bits that [`op::expression_text()`] gives for
/// its text and all of the inputs: every result has the shape to which all inputs broadcast, used
/// or not. With `options.results_into` that shape is theirs, to which the inputs broadcast, and
/// their dtypes are those of the results; they may share memory with inputs in any way, as for
/// [`op::expression()`], since all expressions see the inputs as they were before. `run.into` is
/// refused. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) names the text that is at fault,
/// "texts\[2\]: expression column 7: ..."; so it is when the texts have more different nodes
/// together than one may have, and when tensors of `options.results_into` differ in shape or are
/// not known to lie apart. [`UNSUPPORTED`](Status::UNSUPPORTED) for f64 on a device without fp64.
#[doc(alias = "netcl_op_expressions")]
pub fn expressions(
    texts: &[&str],
    inputs: &[&AnyTensor],
    options: ExpressionsOptions<'_>,
    run: RunOptions<'_>,
) -> Result<Vec<AnyTensor>> {
    let mut texts_c = Texts::default();
    texts_c.fill("texts", texts)?;
    let mut inputs_raw = Pointers::default();
    inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut results_out = vec![ptr::null_mut(); texts.len()];
    check(unsafe {
        sys::netcl_op_expressions(
            texts_c.as_ptr(),
            support::count("texts", texts.len())?,
            inputs_raw.as_ptr(),
            support::count("inputs", inputs.len())?,
            &options_raw,
            &run_raw,
            results_out.as_mut_ptr(),
        )
    })?;
    run.finish(run_keep);
    let results = results_out.into_iter().map(|h| unsafe { AnyTensor::take(h) });
    let results = results.collect::<Result<Vec<_>>>()?;
    Ok(results)
}

/// Applies an operator to tensors, broadcast to one shape: the expression of its formula, whose
/// dtypes and error bounds docs/expressions.md lists. Of each function in the formula, in the type
/// computed in: + - \*, comparisons, logic and rounding are exact or rounded once, division is
/// within 2.5 ULP, roots 3, others 16, gelu 20 + 2 x^2, gelu_tanh 8 + 4 \|u\| (u is there). A
/// parameter of CLIP that is NaN gives NaN for floats and is
/// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for integers. `run.into` may share memory with
/// inputs as for [`op::expression()`].
#[doc(alias = "netcl_op_elementwise")]
pub fn elementwise(
    op: Elementwise,
    inputs: &[&AnyTensor],
    options: ElementwiseOptions,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let mut inputs_raw = Pointers::default();
    inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_elementwise(
            op.0,
            inputs_raw.as_ptr(),
            support::count("inputs", inputs.len())?,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Adds a vector along one axis: bias has rank 1 and the extent of that axis. Rounded once.
/// `run.into` may share memory with both as for [`op::expression()`].
#[doc(alias = "netcl_op_bias_add")]
pub fn bias_add(
    x: impl AsRef<AnyTensor>,
    bias: impl AsRef<AnyTensor>,
    axis: i32,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let bias = bias.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_bias_add(x.as_raw(), bias.as_raw(), axis, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Copies a tensor to new C-order memory, or to `run.into` (same shape and dtype, any strides). Bit
/// for bit. `run.into` may overlap the tensor in any way. A copy may go to another device: that of
/// `run.into`, else of `run.queue`. It comes after what the calls before it do with the two tensors
/// on their devices, and the call returns when the tensor has been read; `run.event` is of the
/// device that the copy goes to. What other threads do meanwhile comes after it: calls that write
/// the tensor, or use the one that it goes to, wait until the copy has returned. A tensor whose
/// last write failed is [`LAUNCH_FAILURE`](Status::LAUNCH_FAILURE), with `run.into` as it was.
/// `run.graph` records no such copy: [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
/// [`Device::explain_copy()`] tells how it goes.
#[doc(alias = "netcl_op_copy")]
pub fn copy(tensor: impl AsRef<AnyTensor>, run: RunOptions<'_>) -> Result<AnyTensor> {
    let tensor = tensor.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe { sys::netcl_op_copy(tensor.as_raw(), &run_raw, &mut result_out) })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Gives the tensor itself (one more reference) when it is packed in C order, else a copy that is:
/// the shape and the dtype stay.
#[doc(alias = "netcl_op_contiguous")]
pub fn contiguous(tensor: impl AsRef<AnyTensor>, run: RunOptions<'_>) -> Result<AnyTensor> {
    let tensor = tensor.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe { sys::netcl_op_contiguous(tensor.as_raw(), &run_raw, &mut result_out) })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Converts elements to another dtype, in the same shape. To a float: round to nearest even. Float
/// to integer: towards zero, saturating, NaN to 0. Integer to integer: modulo 2^n. To bool: not
/// equal to zero. The same bits on every device, but for the payload of a NaN. `run.into` may
/// overlap the tensor in any way.
#[doc(alias = "netcl_op_cast")]
pub fn cast(tensor: impl AsRef<AnyTensor>, dtype: Dtype, run: RunOptions<'_>) -> Result<AnyTensor> {
    let tensor = tensor.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe { sys::netcl_op_cast(tensor.as_raw(), dtype.0, &run_raw, &mut result_out) })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Sets every element of a tensor of any shape, strides and dtype to one value of its dtype.
/// `run.into` must be `None`.
#[doc(alias = "netcl_op_fill")]
pub fn fill(tensor: impl AsRef<AnyTensor>, value: Scalar, run: RunOptions<'_>) -> Result<()> {
    let tensor = tensor.as_ref();
    let value_bytes = value.checked("value", tensor.info()?.dtype)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    check(unsafe {
        sys::netcl_op_fill(tensor.as_raw(), value_bytes.as_ptr() as *const c_void, &run_raw)
    })?;
    run.finish(run_keep);
    Ok(())
}

/// Sets element i of a tensor, counted in C order, to start + i step, as ONNX Range. start_value
/// and step_value are one element of the tensor's dtype each, which may be any but bool; any shape
/// and strides. Integers: modulo 2^n. f32 and f64: rounded to nearest even once; f32 twice from
/// element 2^24 on, first start + (i - i mod 2^24) step, then the sum with the rest. f16 and bf16:
/// rounded from that f32. `run.into` must be `None`.
#[doc(alias = "netcl_op_range")]
pub fn range(
    tensor: impl AsRef<AnyTensor>,
    start_value: Scalar,
    step_value: Scalar,
    run: RunOptions<'_>,
) -> Result<()> {
    let tensor = tensor.as_ref();
    let start_value_bytes = start_value.checked("start_value", tensor.info()?.dtype)?;
    let step_value_bytes = step_value.checked("step_value", tensor.info()?.dtype)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    check(unsafe {
        sys::netcl_op_range(
            tensor.as_raw(),
            start_value_bytes.as_ptr() as *const c_void,
            step_value_bytes.as_ptr() as *const c_void,
            &run_raw,
        )
    })?;
    run.finish(run_keep);
    Ok(())
}

/// Sets each matrix of the last two dimensions of a tensor to 1 where the column is the row plus k,
/// and to 0 elsewhere, as ONNX EyeLike. Any dtype and strides, rank 2 or more. `run.into` must be
/// `None`.
#[doc(alias = "netcl_op_eye")]
pub fn eye(tensor: impl AsRef<AnyTensor>, k: i64, run: RunOptions<'_>) -> Result<()> {
    let tensor = tensor.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    check(unsafe { sys::netcl_op_eye(tensor.as_raw(), k, &run_raw) })?;
    run.finish(run_keep);
    Ok(())
}

/// Calls a primitive by its name: [`op::expression()`] of its forward formula, with the same rules
/// for shapes, dtypes and `run.into`; or its kernel or function, whose result is copied to
/// `run.into` where that is set. [`NOT_FOUND`](Status::NOT_FOUND) naming what is registered.
/// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when the number of inputs does not fit the arity,
/// an attribute is unknown, or one without a default is not set, and in a function or gradient
/// function within 16 of primitives.
#[doc(alias = "netcl_op_primitive")]
pub fn primitive(
    name: &str,
    inputs: &[&AnyTensor],
    options: PrimitiveCallOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let name_c = CText::new("name", name)?;
    let mut inputs_raw = Pointers::default();
    inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_primitive(
            name_c.as_ptr(),
            inputs_raw.as_ptr(),
            support::count("inputs", inputs.len())?,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Gives the gradient of a primitive with respect to inputs\[input\], from the inputs of the call,
/// `grad`, the gradient of what was made of its result, and `out`, its result. `out` may be `None`:
/// a formula that names it then computes it again. Both have the shape that the inputs broadcast
/// to. The gradient has the shape and dtype of the input: where the input was broadcast, it is
/// summed, in f32 or for f64 in f64, rounded once. `run.into` may share memory with the other
/// tensors in any way. [`UNSUPPORTED`](Status::UNSUPPORTED) when the input has no float dtype;
/// otherwise as [`op::primitive()`].
#[doc(alias = "netcl_op_primitive_gradient")]
pub fn primitive_gradient(
    name: &str,
    inputs: &[&AnyTensor],
    input: u32,
    grad: impl AsRef<AnyTensor>,
    out: Option<&AnyTensor>,
    options: PrimitiveCallOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let name_c = CText::new("name", name)?;
    let mut inputs_raw = Pointers::default();
    inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
    let grad = grad.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_primitive_gradient(
            name_c.as_ptr(),
            inputs_raw.as_ptr(),
            support::count("inputs", inputs.len())?,
            input,
            grad.as_raw(),
            out.map_or(ptr::null_mut(), |h| h.as_raw()),
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Matrix product as ONNX MatMul: result = epilogue(alpha \* a \* b + beta \* into). a is \[..., M,
/// K\], b is \[..., K, N\], the leading dimensions broadcast; rank 1 is a row (a) or a column (b),
/// whose dimension is dropped from the result. f32, f64, f16, bf16 of equal dtype; f16 and bf16
/// accumulate in f32 and round once; the result may be f32 then. Transposes are strides. beta = 0
/// does not read `into`. `into` must not share memory with a or b. Error per element: at most 2 K
/// eps sum\|a\|\|b\| with eps of the accumulator (Higham, Accuracy and Stability, 3.5), plus the
/// rounding to the result's dtype; an activation adds its own bound (docs/expressions.md).
///
/// i8 and u8, each operand of either, give i32 as ONNX MatMulInteger 10 does: the sum over k of
/// (a\[m, k\] - a_zero_point\[m\]) \* (b\[k, n\] - b_zero_point\[n\]), modulo 2^32, the same bits
/// on every device. alpha and beta are whole numbers from -2^31 to 2^31 - 1 then
/// ([`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) otherwise), bias and residual are i32, all
/// modulo 2^32 too, and the activation is NONE or RELU ([`UNSUPPORTED`](Status::UNSUPPORTED)
/// otherwise). `into` must not share memory with a zero point. There is no gradient. Other integers
/// are [`UNSUPPORTED`](Status::UNSUPPORTED).
#[doc(alias = "netcl_op_matmul")]
pub fn matmul(
    a: impl AsRef<AnyTensor>,
    b: impl AsRef<AnyTensor>,
    options: MatmulOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let a = a.as_ref();
    let b = b.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_matmul(a.as_raw(), b.as_raw(), &options_raw, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Sums of products of tensors with a letter for each axis, as ONNX Einsum: "ij,`jk.ik`" is a
/// product of matrices, "bhqd,`bhkd.bhqk`" a stack of them, "`ij.ji`" a transposition, "`ii.i`" a
/// diagonal, "ij-\>" the sum of all elements. The equation has a term for each input, then "-\>"
/// and that of the result; an axis whose letter the result lacks is summed over. Letters are a-z
/// and A-Z, as many of them as the input has dimensions; "..." stands for the others, which line up
/// from the last and are summed over as well where the result has none. Without "-\>" the result
/// has "..." and then, in the order of the alphabet, capitals first, the letters that stand once.
/// Axes of one letter have one extent, and one of 1 broadcasts. Blanks do not count. All inputs
/// have one dtype, not bool, which is that of the result; integers wrap around. At most
/// [`ARGS_MAX`] inputs.
///
/// Two inputs at a time are multiplied, first those whose product has the fewest elements: floats
/// as by [`op::matmul()`] with its bounds, integers elementwise and then summed. What is summed in
/// one input alone is [`op::reduce()`]. A graph records these calls, and gradients go to each
/// input.
#[doc(alias = "netcl_op_einsum")]
pub fn einsum(equation: &str, inputs: &[&AnyTensor], run: RunOptions<'_>) -> Result<AnyTensor> {
    let equation_c = CText::new("equation", equation)?;
    let mut inputs_raw = Pointers::default();
    inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_einsum(
            equation_c.as_ptr(),
            inputs_raw.as_ptr(),
            support::count("inputs", inputs.len())?,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// 2-d convolution as ONNX Conv: x is \[N, C, H, W\], w is \[F, C / groups, KH, KW\], the result
/// \[N, F, OH, OW\] with OH = (H + top + bottom - dilation (KH - 1) - 1) / stride + 1, at least 1.
/// Strides and dilations are 1 to 2^31 - 1, padding 0 to 2^31 - 1, and groups divides C and F. NHWC
/// data is a permuted view; a new result has its channels innermost in memory when x has. f32, f64,
/// f16 and bf16 of equal dtype. Error per element: at most 2 K eps sum\|x\|\|w\| with K = C /
/// groups KH KW and eps of the accumulator; Winograd variants (Lavin and Gray, 2015) at most 16
/// (F(2,3)) and 128 (F(4,3)) times eps max\|x\| sum\|w\| sqrt(K).
#[doc(alias = "netcl_op_conv2d")]
pub fn conv2d(
    x: impl AsRef<AnyTensor>,
    w: impl AsRef<AnyTensor>,
    options: Conv2dOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let w = w.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_conv2d(x.as_raw(), w.as_raw(), &options_raw, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Product with quantised weights: result = epilogue(x \* W^T). x is \[..., M, K\] or \[K\], f32,
/// f16 or bf16, by any strides; the result is \[..., M, N\] or \[N\]. weights is u8, \[N, blocks,
/// bytes of a block\] or \[N, bytes of a row\]; weights, scales and zero points that are not in C
/// order, or whose first byte is at no multiple of 4, are copied first. Each element of W is
/// rounded once to f32 (with zero points of the scales' dtype the difference is, too), and sums are
/// f32. Few rows of x read the weights once, without W in memory; for many, on GPUs more than 16, W
/// is made in temporary memory, there in x's dtype. Error per element: at most 2 K eps
/// sum\|x\|\|W\| with eps of f32, of f16 and bf16 eps of x's dtype sum\|x\|\|W\| more, plus the
/// rounding to the result's dtype; an element of W beyond what f16 holds may be infinite for x of
/// f16. `into` must not share memory with x, weights, scales or zero points. There is a gradient of
/// x, bias and residual, and none of scales and zero points.
#[doc(alias = "netcl_op_matmul_quantized")]
pub fn matmul_quantized(
    x: impl AsRef<AnyTensor>,
    weights: impl AsRef<AnyTensor>,
    options: QuantizedOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let weights = weights.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_matmul_quantized(
            x.as_raw(),
            weights.as_raw(),
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// The weights W as a matrix \[N, K\], rounded to f32 as there and then to the result's dtype.
/// weights as in [`op::matmul_quantized()`]. There is no gradient.
#[doc(alias = "netcl_op_dequantize_weights")]
pub fn dequantize_weights(
    weights: impl AsRef<AnyTensor>,
    options: QuantizedOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let weights = weights.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_dequantize_weights(
            weights.as_raw(),
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Quantises a matrix w of \[N, K\], K from 1 on, of f32, f16 or bf16. `run.into` and the result
/// `weights` are u8 \[N, blocks, bytes of a block\]. Each code is the nearest that there is, but
/// for roundings of f32 where two are as near. Scales of NBITS: the number of largest magnitude in
/// the block / -2^(bits - 1), as in Q4_0; with zero points (the largest - the least) / (2^bits -
/// 1), where 0 counts as one of the numbers. Q8_0: the largest magnitude / 127. Q4_K: S and M are
/// the nearest to (the largest - the least) / 15 / d and to minus the least / m, as if 0 were among
/// the 32 numbers, with d and m the largest such quotient / 63 and the largest such number / 63.
/// Scales are rounded to their dtype first. K is a multiple of 32 for Q4_0 and Q8_0 and of 256 for
/// Q4_K; of NBITS codes beyond K are those of 0. `options.k` is 0 or K. Blocks with numbers that
/// are not finite, or scales that are neither normal numbers nor 0, get any codes. There is no
/// gradient.
///
/// * Gives `weights`: one reference
/// * Gives `scales`: one reference to \[N, blocks\], `None` when the format is not NBITS
/// * Gives `zero_points`: one reference to u8 \[N, ceil(blocks bits / 8)\], `None` when
///   `options.has_zero_points` is false
#[doc(alias = "netcl_op_quantize_weights")]
pub fn quantize_weights(
    w: impl AsRef<AnyTensor>,
    options: QuantizedOptions<'_>,
    run: RunOptions<'_>,
) -> Result<(AnyTensor, Option<AnyTensor>, Option<AnyTensor>)> {
    let w = w.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut weights_out = ptr::null_mut();
    let mut scales_out = ptr::null_mut();
    let mut zero_points_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_quantize_weights(
            w.as_raw(),
            &options_raw,
            &run_raw,
            &mut weights_out,
            &mut scales_out,
            &mut zero_points_out,
        )
    })?;
    run.finish(run_keep);
    Ok((unsafe { AnyTensor::take(weights_out)? }, unsafe { AnyTensor::from_nullable(scales_out) }, unsafe { AnyTensor::from_nullable(zero_points_out) }))
}

/// Scaled dot-product attention: result\[b, h, m\] = sum over n of p\[n\] v\[b, g, n\] with p =
/// softmax of scale \* (q\[b, h, m\] . k\[b, g, n\]) over the keys that query m sees. q is \[B, H,
/// M, D\], k is \[B, G, N, D\], v is \[B, G, N, E\], the result \[B, H, M, E\]; G divides H, and
/// head h uses g = h / (H / G). D and E are 1 to 256 ([`UNSUPPORTED`](Status::UNSUPPORTED) beyond).
/// Views by any strides, so \[B, M, H, D\] is a transposed one. f16, bf16, f32, f64 of equal dtype;
/// f16 and bf16 are computed in f32 and rounded once, but for the p\[n\] on matrix units (see
/// [`MatrixUnits`]), which are rounded to the dtype. They are used where they can be, unless
/// `options.variant` is [`Variant::ATTENTION_PORTABLE`], and take f16 and bf16 without bias, mask,
/// pages and softcap, of 64 keys and more, with a scale above 0, D and E multiples of 8, and
/// neighbours along these and all else of q, k and v at multiples of 16 bytes. The scores of all
/// pairs are never in memory. The second result is log sum exp of each row's scores, \[B, H, M\],
/// f32 (f64 for f64). A query that sees no key has the result 0 and the log-sum-exp -inf. A key
/// that is not seen has no influence, whatever k and v hold there.
///
/// Query m stands at key position + m. By default position is N - M, or of each sequence its keys
/// less its queries, as in FlashAttention from 2.1 on; 0 is the is_causal of PyTorch and of ONNX
/// Attention 23 without a past, the length of the past is that of ONNX with one. A window is
/// counted from there, and causal is window_after 0.
///
/// A sequence with lengths has the first of its queries and keys; further queries have the result 0
/// and -inf, further keys are not read. With block_table k is \[pages, G, S, D\], v is \[pages, G,
/// S, E\], N is P S, and key n of sequence b is row n % S of page block_table\[b, n / S\]. A
/// sequence with a length out of range, or with a page out of range among those of its keys, is
/// found on the device: all its results are NaN, and none of its keys is read.
///
/// The bits of the result are the same on every repetition, and on CPUs for any number of threads.
/// Error per element: at most ((4 D + 32) A + 2 N + 32) eps max\|v\|, A the largest \|scale\|
/// sum\|q\|\|k\| + \|bias\| + 1 of the row, plus the rounding, where the sums do not overflow; on
/// matrix units (2^-11 + 2^-33 N) max\|v\| more of f16 and 2^-8 max\|v\| of bf16, and a v that is
/// not finite makes the result NaN where its p rounds to 0. `into` and lse_into must not share
/// memory with another tensor. The gradient has all scores in memory, wants keys that are finite
/// where they are not seen too, and there is none with lengths.
///
/// * Gives `result`: one reference
/// * Gives `lse`: one reference
#[doc(alias = "netcl_op_attention")]
pub fn attention(
    q: impl AsRef<AnyTensor>,
    k: impl AsRef<AnyTensor>,
    v: impl AsRef<AnyTensor>,
    options: AttentionOptions<'_>,
    run: RunOptions<'_>,
) -> Result<(AnyTensor, AnyTensor)> {
    let q = q.as_ref();
    let k = k.as_ref();
    let v = v.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    let mut lse_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_attention(
            q.as_raw(),
            k.as_raw(),
            v.as_raw(),
            &options_raw,
            &run_raw,
            &mut result_out,
            &mut lse_out,
        )
    })?;
    run.finish(run_keep);
    Ok((unsafe { AnyTensor::take(result_out)? }, unsafe { AnyTensor::take(lse_out)? }))
}

/// Rotary position embedding (Su et al., 2021) as ONNX RotaryEmbedding 23: each pair (a, b) of a
/// head becomes (a cos - b sin, b cos + a sin). x is \[B, H, S, D\], or \[B, S, H D\] with
/// num_heads. cos_cache and sin_cache are alike, of x's dtype or f32: \[P, R / 2\] with
/// position_ids, else \[B, S, R / 2\]. Any strides. f16, bf16, f32, f64; f16 and bf16 are computed
/// in f32. Each product and each sum is rounded by itself: the same bits on every device, off by at
/// most 2 eps (\|a cos\| + \|b sin\|) plus the rounding to the dtype. docs/attention.md makes the
/// caches.
///
/// Positions are 0 to P - 1; negative ones do not count from the end. A token with one out of range
/// is found on the device: all its results are NaN, and no row is read for it.
///
/// `run.into` may be x when layouts are the same. The gradient is that of x; there is none of the
/// caches.
#[doc(alias = "netcl_op_rotary_embedding")]
pub fn rotary_embedding(
    x: impl AsRef<AnyTensor>,
    cos_cache: impl AsRef<AnyTensor>,
    sin_cache: impl AsRef<AnyTensor>,
    options: RotaryEmbeddingOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let cos_cache = cos_cache.as_ref();
    let sin_cache = sin_cache.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_rotary_embedding(
            x.as_raw(),
            cos_cache.as_raw(),
            sin_cache.as_raw(),
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Reduces over axes, as ReduceSum ... ReduceLogSumExp, ArgMax and ArgMin of ONNX. The result lacks
/// the reduced axes; with `options.keepdims` they stay with extent 1. Floats keep their dtype, f16
/// and bf16 summed in f32. Integers and bool: SUM, PROD, L1 and SUM_SQUARE wrap around in the
/// result's dtype (bool: i64), MAX and MIN keep x's, MEAN, L2, LOG_SUM and LOG_SUM_EXP give f32.
/// Another dtype of the result is asked for with `options.dtype` and is what sums are kept in; MAX
/// and MIN are converted to it at the end, as by [`op::cast()`]. ARGMAX and ARGMIN take one axis,
/// or all with the index in C order. Over no elements: SUM, L1, L2, SUM_SQUARE 0; PROD 1; MEAN NaN;
/// LOG_SUM, LOG_SUM_EXP -inf; MAX and MIN the lowest and highest value (floats: -inf, +inf); ANY 0,
/// ALL 1; ARGMAX and ARGMIN [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT). NaN wins in MAX and
/// MIN, which are exact. Sums add up blocks of at most 64 elements per accumulator, then the blocks
/// with what rounding takes away (compensated; Higham 4.3). Error of SUM, L1 and SUM_SQUARE: at
/// most (log2 n + 64) eps times the sum of absolute values; MEAN that over n; PROD n eps relative,
/// 2 n eps when x is wider than what products are kept in; L2 and LOG_SUM what their sum's error
/// comes to, plus 4 eps relative and, for LOG_SUM, eps; LOG_SUM_EXP (log2 n + 224 + 4 \|max x\|)
/// eps. The rounding to the result's dtype comes on top. The order of terms and factors is not
/// fixed: where a part of a PROD with a float result is out of its range, also one of integers, the
/// result may be 0, infinite or NaN (infinity times 0), and where a part of a sum is, infinite or
/// NaN, though the whole is in range.
#[doc(alias = "netcl_op_reduce")]
pub fn reduce(
    x: impl AsRef<AnyTensor>,
    kind: Reduction,
    options: ReduceOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_reduce(x.as_raw(), kind.0, &options_raw, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Running SUM, PROD, MAX or MIN along an axis, as ONNX CumSum: y\[i\] = x\[0\] + ... + x\[i\] for
/// SUM, or from the other end. The result has the shape of x. dtype as x, f16 and bf16 kept in f32
/// on the way; integers wrap around; bool is [`UNSUPPORTED`](Status::UNSUPPORTED). Error of sums at
/// i: at most (log2 n + 64) eps of the running sum\|x\|; PROD n eps relative; as in
/// [`op::reduce()`] parts that are out of range may make them infinite or NaN. MAX and MIN are
/// exact, NaN wins. `run.into` may be x when layouts are the same.
#[doc(alias = "netcl_op_scan")]
pub fn scan(
    x: impl AsRef<AnyTensor>,
    kind: Reduction,
    axis: i32,
    options: ScanOptions,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_scan(x.as_raw(), kind.0, axis, &options_raw, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Counts elements of a tensor of any shape and dtype in `bins` (1 or more) equal bins from low to
/// high, which are finite with low \< high: i64 of \[bins\], exact. Elements outside and NaN are
/// not counted. With low = high = 0 the range is that of the finite elements, and one element value
/// v alone gives \[v - 0.5, v + 0.5\]. Bin i is \[low + i w, low + (i + 1) w), computed in f64, or
/// in f32 on a device without fp64.
#[doc(alias = "netcl_op_histogram")]
pub fn histogram(
    x: impl AsRef<AnyTensor>,
    bins: i64,
    options: HistogramOptions,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_histogram(x.as_raw(), bins, &options_raw, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// The k largest elements along an axis, as ONNX TopK: sorted, the lower index first among equals,
/// NaN largest; with their indices. values have x's dtype, which may be any, and indices are i64.
/// Both have x's shape with k along the axis. k is 0, for empty results, up to the extent of the
/// axis, which sorts it.
///
/// * Gives `values`: one reference
/// * Gives `indices`: one reference
#[doc(alias = "netcl_op_topk")]
pub fn topk(
    x: impl AsRef<AnyTensor>,
    k: i64,
    axis: i32,
    options: TopkOptions<'_>,
    run: RunOptions<'_>,
) -> Result<(AnyTensor, AnyTensor)> {
    let x = x.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut values_out = ptr::null_mut();
    let mut indices_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_topk(
            x.as_raw(),
            k,
            axis,
            &options_raw,
            &run_raw,
            &mut values_out,
            &mut indices_out,
        )
    })?;
    run.finish(run_keep);
    Ok((unsafe { AnyTensor::take(values_out)? }, unsafe { AnyTensor::take(indices_out)? }))
}

/// exp(x - m) / sum exp(x - m) along an axis, m the maximum: ONNX Softmax. Floats. The result has
/// x's shape and dtype. Error: (8 + log2 n) ULP plus 2 \|x - m\| eps relative. A row with NaN or
/// +inf is NaN, a row of -inf is NaN. `run.into` may be x when layouts are the same.
#[doc(alias = "netcl_op_softmax")]
pub fn softmax(x: impl AsRef<AnyTensor>, axis: i32, run: RunOptions<'_>) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe { sys::netcl_op_softmax(x.as_raw(), axis, &run_raw, &mut result_out) })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// x - m - log sum exp(x - m) along an axis: ONNX LogSoftmax. The result has x's shape. Error: 8
/// eps (\|x - m\| + log n + 1). Else as [`op::softmax()`].
#[doc(alias = "netcl_op_log_softmax")]
pub fn log_softmax(x: impl AsRef<AnyTensor>, axis: i32, run: RunOptions<'_>) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe { sys::netcl_op_log_softmax(x.as_raw(), axis, &run_raw, &mut result_out) })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// (x - mean) / sqrt(variance + epsilon) \* scale + bias over the axes from `axis` on, as ONNX
/// LayerNormalization. The variance is that of the population, from the centred values. Floats;
/// scale and bias have x's dtype or f32. The result has x's shape, scale and bias that of those
/// axes. Error: (32 + log2 n) eps (\|y - bias\| + \|scale\| max\|x\| / deviation) plus the
/// rounding, while sums and squares stay in the range of the type computed in. `run.into` may be x
/// when layouts are the same.
///
/// `options.mean_into` and inverse_deviation_into get the statistics, the second and third result
/// of LayerNormalization: of x's shape with extents of 1 from `axis` on, f32, or f64 of f64, NaN
/// where a row has no elements. They share no memory with another tensor of the call. Error: (32 +
/// log2 n) eps max\|x\| of the mean, and (32 + log2 n) eps (1 + max\|x\| / deviation) relative of
/// the other.
#[doc(alias = "netcl_op_layernorm")]
pub fn layernorm(
    x: impl AsRef<AnyTensor>,
    axis: i32,
    options: NormOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_layernorm(x.as_raw(), axis, &options_raw, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// x / sqrt(mean(x^2) + epsilon) \* scale over the axes from `axis` on (Zhang and Sennrich, 2019).
/// The result has x's shape, scale that of those axes. Error: (32 + log2 n) eps relative, also of
/// `options.inverse_deviation_into`; mean_into is [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
/// Else as [`op::layernorm()`].
#[doc(alias = "netcl_op_rmsnorm")]
pub fn rmsnorm(
    x: impl AsRef<AnyTensor>,
    axis: i32,
    options: NormOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_rmsnorm(x.as_raw(), axis, &options_raw, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Batch normalisation as ONNX BatchNormalization: x is \[N, C, ...\] of rank 2 or more, mean and
/// variance are \[C\]. In training the batch's own mean and population variance are used, and the
/// tensors `mean` and `variance` become old \* momentum + batch \* (1 - momentum); they share no
/// memory with another tensor of the call then, and an empty batch leaves them as they are.
/// Parameters have x's dtype or f32. Error as [`op::layernorm()`]. `run.into` may be x when layouts
/// are the same.
#[doc(alias = "netcl_op_batchnorm")]
pub fn batchnorm(
    x: impl AsRef<AnyTensor>,
    mean: impl AsRef<AnyTensor>,
    variance: impl AsRef<AnyTensor>,
    options: BatchnormOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mean = mean.as_ref();
    let variance = variance.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_batchnorm(
            x.as_raw(),
            mean.as_raw(),
            variance.as_raw(),
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Pooling over one to three axes of space, x being \[N, C, ...\], as ONNX MaxPool, AveragePool and
/// LpPool, and their Global forms. Windows, strides and dilations are 1 to 2^31 - 1, padding 0 to
/// 2^31 - 1, and a window spans no more than x and its padding: (window - 1) dilation + 1 elements.
/// MAX: floats and integers, exact, NaN wins, padding never does. AVERAGE: floats, error as
/// [`op::reduce()`]; cells beyond the padding do not count. LP: floats, padding counts as 0; error:
/// (128 + log2 n) (1 + 1 / p) eps relative of n elements plus the rounding, while powers and sums
/// stay in the range of f32, or f64 of f64; its gradient is 0 where all of a window is. A window
/// over padding alone gives the lowest value (MAX), NaN (AVERAGE), or 0 (LP, and AVERAGE with
/// count_include_pad). With ceil_mode, windows that begin behind x and its front padding are left
/// out.
///
/// `options.indices_into`, i64 of the result's shape, gets which element of x each maximum is, as
/// the second result of MaxPool: of equal ones the first in its window, in C order, NaN being the
/// largest. Elements are counted in C order over all of x, with column_major (ONNX: storage_order
/// 1\) the first axis of space being the fastest within a plane. -1 stands for a window over padding
/// alone. It shares no memory with another tensor of the call.
#[doc(alias = "netcl_op_pool")]
pub fn pool(
    x: impl AsRef<AnyTensor>,
    kind: Pooling,
    options: PoolingOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_pool(x.as_raw(), kind.0, &options_raw, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Puts the elements of x, \[N, C, OH, OW\] of any dtype, to their indices in zeros of \[N, C,
/// height, width\], as ONNX MaxUnpool: what [`op::pool()`] with indices_into took apart. indices
/// are i64 or i32 of x's shape and count as there; one that is negative or beyond the result is
/// left out, and of equal ones the last in C order wins. height and width are 0 to 2^31 - 1. Exact.
/// `into` shares no memory with x or indices. The gradient is that of x.
#[doc(alias = "netcl_op_max_unpool2d")]
pub fn max_unpool2d(
    x: impl AsRef<AnyTensor>,
    indices: impl AsRef<AnyTensor>,
    height: i64,
    width: i64,
    options: MaxUnpool2dOptions,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let indices = indices.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_max_unpool2d(
            x.as_raw(),
            indices.as_raw(),
            height,
            width,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Cuts regions of images into bins and gives one number for each, as ONNX RoiAlign and MaxRoiPool:
/// \[R, C, rows, columns\] of x \[N, C, H, W\], which is of floats. rois \[R, 4\], f32 or f64, has
/// the left, upper, right and lower end of each region; images \[R\], i32 or i64, the image that it
/// is of. A region of an image that there is not gives 0, as does a bin without samples or
/// elements. Samples lie between elements and are weighed linearly, in f32, or f64 where x is f64;
/// their places have the precision of rois. Those more than an element outside of the image count
/// as 0, others as at its edge. MAX rounds the ends to elements and a bin outwards, and is exact;
/// error of the others as [`op::reduce()`] over the elements that have weight.
#[doc(alias = "netcl_op_roi_pool")]
pub fn roi_pool(
    x: impl AsRef<AnyTensor>,
    rois: impl AsRef<AnyTensor>,
    images: impl AsRef<AnyTensor>,
    kind: RoiPooling,
    options: RoiPoolOptions,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let rois = rois.as_ref();
    let images = images.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_roi_pool(
            x.as_raw(),
            rois.as_raw(),
            images.as_raw(),
            kind.0,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// round(x / scale) + zero_point, saturated: ONNX QuantizeLinear 25 with results of 8 and 16 bits.
/// x is f32, f16, bf16 or i32; scale is f32, f16, bf16, or i32 for an x of i32, which then is
/// divided exactly. The shape of scale says what shares one: with one element (any rank) it holds
/// for all of x, and `axis` is not looked at; \[D\] gives each of the D places along the axis its
/// own; with blocks it is x's shape but for ceil(D / block_size) places along the axis, and the
/// rank of x is at most 7 ([`UNSUPPORTED`](Status::UNSUPPORTED) beyond). The result is a constant
/// to gradients.
#[doc(alias = "netcl_op_quantize_linear")]
pub fn quantize_linear(
    x: impl AsRef<AnyTensor>,
    scale: impl AsRef<AnyTensor>,
    axis: i32,
    options: QuantizeLinearOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let scale = scale.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_quantize_linear(
            x.as_raw(),
            scale.as_raw(),
            axis,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// (x - zero_point) \* scale as ONNX DequantizeLinear 25: x is i8, u8, i16, u16 or i32, scale f32,
/// f16 or bf16, with shapes as for [`op::quantize_linear()`]. The difference is exact, then rounded
/// to f32; the product is rounded to f32 and then to the result's dtype. The gradient is that of
/// scale, without blocks; x and zero_point are constants to it, whatever they were made of, as all
/// integers are.
#[doc(alias = "netcl_op_dequantize_linear")]
pub fn dequantize_linear(
    x: impl AsRef<AnyTensor>,
    scale: impl AsRef<AnyTensor>,
    axis: i32,
    options: DequantizeLinearOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let scale = scale.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_dequantize_linear(
            x.as_raw(),
            scale.as_raw(),
            axis,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Quantises f32 to u8 by the range of its elements, as ONNX DynamicQuantizeLinear 11, all on the
/// device: with low = min(x, 0) and high = max(x, 0) the scale is (high - low) / 255, or 1 where
/// that range is 0 (also of no elements), the zero point round(0 - low / scale) within 0 to 255,
/// and the result that of [`op::quantize_linear()`], in x's shape. All are rounded in f32. A NaN in
/// x makes the scale NaN and all else 0. There is no gradient.
///
/// * Gives `result`: one reference
/// * Gives `scale`: one reference, f32 of rank 0
/// * Gives `zero_point`: one reference, u8 of rank 0
#[doc(alias = "netcl_op_dynamic_quantize_linear")]
pub fn dynamic_quantize_linear(
    x: impl AsRef<AnyTensor>,
    options: DynamicQuantizeLinearOptions<'_>,
    run: RunOptions<'_>,
) -> Result<(AnyTensor, AnyTensor, AnyTensor)> {
    let x = x.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    let mut scale_out = ptr::null_mut();
    let mut zero_point_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_dynamic_quantize_linear(
            x.as_raw(),
            &options_raw,
            &run_raw,
            &mut result_out,
            &mut scale_out,
            &mut zero_point_out,
        )
    })?;
    run.finish(run_keep);
    Ok((unsafe { AnyTensor::take(result_out)? }, unsafe { AnyTensor::take(scale_out)? }, unsafe { AnyTensor::take(zero_point_out)? }))
}

/// Product of quantised matrices, quantised again, as ONNX QLinearMatMul 21: the i32 sums of
/// [`op::matmul()`] with zero points, converted to f32, times (a_scale \* b_scale) / y_scale; then
/// rounded, the zero point added, saturated. Each step is rounded in f32, whose order is that of
/// ONNX Runtime. a is \[..., M, K\] and b \[..., K, N\]. They are i8 or u8, each of either. Scales
/// are f32, f16 or bf16, of the shapes that the zero points of their operand may have; y_scale has
/// one element. There is no gradient.
#[doc(alias = "netcl_op_qlinear_matmul")]
pub fn qlinear_matmul(
    a: impl AsRef<AnyTensor>,
    a_scale: impl AsRef<AnyTensor>,
    b: impl AsRef<AnyTensor>,
    b_scale: impl AsRef<AnyTensor>,
    y_scale: impl AsRef<AnyTensor>,
    options: QlinearMatmulOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let a = a.as_ref();
    let a_scale = a_scale.as_ref();
    let b = b.as_ref();
    let b_scale = b_scale.as_ref();
    let y_scale = y_scale.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_qlinear_matmul(
            a.as_raw(),
            a_scale.as_raw(),
            b.as_raw(),
            b_scale.as_raw(),
            y_scale.as_raw(),
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// 2-d convolution of integers as ONNX ConvInteger 10: x and w are i8 or u8, each of either, with
/// shapes and limits as for [`op::conv2d()`]. The result is i32: the sums of (x - x_zero_point) \*
/// (w - w_zero_point) modulo 2^32, in which padding adds nothing. Windows, and images with padding,
/// are laid out in memory, up to 64 MiB or one image at a time. There is no gradient.
#[doc(alias = "netcl_op_conv2d_integer")]
pub fn conv2d_integer(
    x: impl AsRef<AnyTensor>,
    w: impl AsRef<AnyTensor>,
    options: Conv2dIntegerOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let w = w.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_conv2d_integer(
            x.as_raw(),
            w.as_raw(),
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Convolution of quantised images, quantised again, as ONNX QLinearConv 10: the sums of
/// [`op::conv2d_integer()`] and the bias, modulo 2^32, then as [`op::qlinear_matmul()`] with
/// x_scale and w_scale. x_scale and y_scale have one element, w_scale one or \[F\]; f32, f16 or
/// bf16. There is no gradient.
#[doc(alias = "netcl_op_qlinear_conv2d")]
pub fn qlinear_conv2d(
    x: impl AsRef<AnyTensor>,
    x_scale: impl AsRef<AnyTensor>,
    w: impl AsRef<AnyTensor>,
    w_scale: impl AsRef<AnyTensor>,
    y_scale: impl AsRef<AnyTensor>,
    options: QlinearConv2dOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let x_scale = x_scale.as_ref();
    let w = w.as_ref();
    let w_scale = w_scale.as_ref();
    let y_scale = y_scale.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_qlinear_conv2d(
            x.as_raw(),
            x_scale.as_raw(),
            w.as_raw(),
            w_scale.as_raw(),
            y_scale.as_raw(),
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Softmax cross entropy, as ONNX SoftmaxCrossEntropyLoss: -w\[label\] log softmax(x)\[label\]
/// along `axis`, which has C classes, in one pass over x. The log-probabilities are not kept; they
/// are those of [`op::log_softmax()`]. labels is i32 or i64, in x's shape without that axis. A
/// label that is ignored has the loss 0 and the weight 0, whatever its scores are. Other labels are
/// 0 to C - 1: one out of range has the loss NaN, and so have sum and mean; negative ones do not
/// count from the end. The loss has the shape of labels, or rank 0 for a sum or mean. Floats; f16
/// and bf16 are computed and summed in f32. Error of a loss: at most 8 eps \|w\| (\|x\[label\] -
/// m\| + log C + 1), m the maximum, plus the rounding; of sum and mean that of [`op::reduce()`] on
/// top.
#[doc(alias = "netcl_op_cross_entropy")]
pub fn cross_entropy(
    x: impl AsRef<AnyTensor>,
    labels: impl AsRef<AnyTensor>,
    axis: i32,
    options: LossOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let labels = labels.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_cross_entropy(
            x.as_raw(),
            labels.as_raw(),
            axis,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// The same of log-probabilities, as ONNX NegativeLogLikelihoodLoss: -w\[label\] x\[label\]. Error
/// of a loss: one rounding of the product, and that to the dtype.
#[doc(alias = "netcl_op_nll_loss")]
pub fn nll_loss(
    x: impl AsRef<AnyTensor>,
    labels: impl AsRef<AnyTensor>,
    axis: i32,
    options: LossOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let labels = labels.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_nll_loss(
            x.as_raw(),
            labels.as_raw(),
            axis,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Stochastic gradient descent: g += weight_decay p; b = momentum b + (1 - dampening) g, in the
/// first step b = g; p -= learning_rate b, or with nesterov p -= learning_rate (g + momentum b).
/// Without momentum p -= learning_rate g.
#[doc(alias = "netcl_op_sgd")]
pub fn sgd(
    parameters: &[&AnyTensor],
    gradients: &[&AnyTensor],
    learning_rate: f64,
    options: SgdOptions<'_>,
    run: RunOptions<'_>,
) -> Result<()> {
    let mut parameters_raw = Pointers::default();
    parameters_raw.fill(parameters.iter().map(|h| h.as_raw()));
    let mut gradients_raw = Pointers::default();
    gradients_raw.fill(gradients.iter().map(|h| h.as_raw()));
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    check(unsafe {
        sys::netcl_op_sgd(
            parameters_raw.as_ptr(),
            support::count("parameters", parameters.len())?,
            gradients_raw.as_ptr(),
            support::count("gradients", gradients.len())?,
            learning_rate,
            &options_raw,
            &run_raw,
        )
    })?;
    run.finish(run_keep);
    Ok(())
}

/// Adam: g += weight_decay p, or when it is decoupled p -= learning_rate weight_decay p; m += (1 -
/// beta1) (g - m); v = beta2 v + (1 - beta2) g^2; with t steps done, this one included, p -=
/// learning_rate / (1 - beta1^t) m / (sqrt(v / (1 - beta2^t)) + epsilon). `averages` are m,
/// `square_averages` v; both begin as zeros.
///
/// * `step`: i64, one element, at first 0: the op counts the steps in it
#[doc(alias = "netcl_op_adam")]
pub fn adam(
    parameters: &[&AnyTensor],
    gradients: &[&AnyTensor],
    averages: &[&AnyTensor],
    square_averages: &[&AnyTensor],
    step: impl AsRef<AnyTensor>,
    learning_rate: f64,
    options: AdamOptions<'_>,
    run: RunOptions<'_>,
) -> Result<()> {
    let mut parameters_raw = Pointers::default();
    parameters_raw.fill(parameters.iter().map(|h| h.as_raw()));
    let mut gradients_raw = Pointers::default();
    gradients_raw.fill(gradients.iter().map(|h| h.as_raw()));
    let mut averages_raw = Pointers::default();
    averages_raw.fill(averages.iter().map(|h| h.as_raw()));
    let mut square_averages_raw = Pointers::default();
    square_averages_raw.fill(square_averages.iter().map(|h| h.as_raw()));
    let step = step.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    check(unsafe {
        sys::netcl_op_adam(
            parameters_raw.as_ptr(),
            support::count("parameters", parameters.len())?,
            gradients_raw.as_ptr(),
            support::count("gradients", gradients.len())?,
            averages_raw.as_ptr(),
            support::count("averages", averages.len())?,
            square_averages_raw.as_ptr(),
            support::count("square_averages", square_averages.len())?,
            step.as_raw(),
            learning_rate,
            &options_raw,
            &run_raw,
        )
    })?;
    run.finish(run_keep);
    Ok(())
}

/// RMSprop: g += weight_decay p; v = alpha v + (1 - alpha) g^2; d = sqrt(v) + epsilon, or with
/// averages m += (1 - alpha) (g - m) and d = sqrt(v - m^2) + epsilon, where a difference below 0
/// counts as 0; p -= learning_rate g / d, or with momentum b = momentum b + g / d and p -=
/// learning_rate b. `square_averages` are v.
#[doc(alias = "netcl_op_rmsprop")]
pub fn rmsprop(
    parameters: &[&AnyTensor],
    gradients: &[&AnyTensor],
    square_averages: &[&AnyTensor],
    learning_rate: f64,
    options: RmspropOptions<'_>,
    run: RunOptions<'_>,
) -> Result<()> {
    let mut parameters_raw = Pointers::default();
    parameters_raw.fill(parameters.iter().map(|h| h.as_raw()));
    let mut gradients_raw = Pointers::default();
    gradients_raw.fill(gradients.iter().map(|h| h.as_raw()));
    let mut square_averages_raw = Pointers::default();
    square_averages_raw.fill(square_averages.iter().map(|h| h.as_raw()));
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    check(unsafe {
        sys::netcl_op_rmsprop(
            parameters_raw.as_ptr(),
            support::count("parameters", parameters.len())?,
            gradients_raw.as_ptr(),
            support::count("gradients", gradients.len())?,
            square_averages_raw.as_ptr(),
            support::count("square_averages", square_averages.len())?,
            learning_rate,
            &options_raw,
            &run_raw,
        )
    })?;
    run.finish(run_keep);
    Ok(())
}

/// Adagrad: g += weight_decay p; s += g^2; with t steps done before this one, p -= learning_rate /
/// (1 + t learning_rate_decay) g / (sqrt(s) + epsilon). `sums` are s, which may begin above 0.
#[doc(alias = "netcl_op_adagrad")]
pub fn adagrad(
    parameters: &[&AnyTensor],
    gradients: &[&AnyTensor],
    sums: &[&AnyTensor],
    learning_rate: f64,
    options: AdagradOptions<'_>,
    run: RunOptions<'_>,
) -> Result<()> {
    let mut parameters_raw = Pointers::default();
    parameters_raw.fill(parameters.iter().map(|h| h.as_raw()));
    let mut gradients_raw = Pointers::default();
    gradients_raw.fill(gradients.iter().map(|h| h.as_raw()));
    let mut sums_raw = Pointers::default();
    sums_raw.fill(sums.iter().map(|h| h.as_raw()));
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    check(unsafe {
        sys::netcl_op_adagrad(
            parameters_raw.as_ptr(),
            support::count("parameters", parameters.len())?,
            gradients_raw.as_ptr(),
            support::count("gradients", gradients.len())?,
            sums_raw.as_ptr(),
            support::count("sums", sums.len())?,
            learning_rate,
            &options_raw,
            &run_raw,
        )
    })?;
    run.finish(run_keep);
    Ok(())
}

/// Clips gradients, of any shapes, in place: with n the Euclidean norm of all elements of all
/// tensors, each is multiplied by min(1, max_norm / (n + 1e-6)). With an infinite n finite elements
/// become 0 and infinite ones NaN; with a NaN all become NaN. n has no overflow on the way; its
/// error is at most (log2 of the elements + 128) eps n. It is the result: rank 0, f32, or f64 where
/// the tensors are, which then all are.
#[doc(alias = "netcl_op_clip_by_norm")]
pub fn clip_by_norm(
    tensors: &[&AnyTensor],
    max_norm: f64,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let mut tensors_raw = Pointers::default();
    tensors_raw.fill(tensors.iter().map(|h| h.as_raw()));
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_clip_by_norm(
            tensors_raw.as_ptr(),
            support::count("tensors", tensors.len())?,
            max_norm,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Prepares the gradients of a scaled loss, in tensors of any shapes: found_inf becomes 1 when an
/// element of a tensor is infinite or NaN, else 0; with a scale, an f32 tensor of one element, all
/// elements are multiplied by 1 / scale in place. found_inf is f32, one element.
///
/// * `scale`: may be `None`: the tensors are only read
#[doc(alias = "netcl_op_unscale")]
pub fn unscale(
    tensors: &[&AnyTensor],
    scale: Option<&AnyTensor>,
    found_inf: impl AsRef<AnyTensor>,
    run: RunOptions<'_>,
) -> Result<()> {
    let mut tensors_raw = Pointers::default();
    tensors_raw.fill(tensors.iter().map(|h| h.as_raw()));
    let found_inf = found_inf.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    check(unsafe {
        sys::netcl_op_unscale(
            tensors_raw.as_ptr(),
            support::count("tensors", tensors.len())?,
            scale.map_or(ptr::null_mut(), |h| h.as_raw()),
            found_inf.as_raw(),
            &run_raw,
        )
    })?;
    run.finish(run_keep);
    Ok(())
}

/// The scale of the next loss, as torch.amp.GradScaler.update: where found_inf is not 0, scale is
/// multiplied by backoff_factor and tracker becomes 0; else 1 is added to tracker, and when that
/// makes growth_interval it becomes 0 and scale is multiplied by growth_factor, unless it would be
/// infinite. scale and found_inf are f32, tracker is i64, of one element each.
#[doc(alias = "netcl_op_update_loss_scale")]
pub fn update_loss_scale(
    scale: impl AsRef<AnyTensor>,
    tracker: impl AsRef<AnyTensor>,
    found_inf: impl AsRef<AnyTensor>,
    options: LossScaleOptions,
    run: RunOptions<'_>,
) -> Result<()> {
    let scale = scale.as_ref();
    let tracker = tracker.as_ref();
    let found_inf = found_inf.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    check(unsafe {
        sys::netcl_op_update_loss_scale(
            scale.as_raw(),
            tracker.as_raw(),
            found_inf.as_raw(),
            &options_raw,
            &run_raw,
        )
    })?;
    run.finish(run_keep);
    Ok(())
}

/// Copies with the dimensions in another order, as ONNX Transpose; an empty `axes` turns them
/// round. Extent i of the result is x's extent axes\[i\]. The view without a copy is
/// [`AnyTensor::permute()`].
#[doc(alias = "netcl_op_transpose")]
pub fn transpose(x: impl AsRef<AnyTensor>, axes: &[u32], run: RunOptions<'_>) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_transpose(
            x.as_raw(),
            support::slice_ptr(axes) as *const _,
            support::count("axes", axes.len())?,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Joins tensors of one dtype along an axis, as ONNX Concat; the other extents are equal.
#[doc(alias = "netcl_op_concat")]
pub fn concat(inputs: &[&AnyTensor], axis: i32, run: RunOptions<'_>) -> Result<AnyTensor> {
    let mut inputs_raw = Pointers::default();
    inputs_raw.fill(inputs.iter().map(|h| h.as_raw()));
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_concat(
            inputs_raw.as_ptr(),
            support::count("inputs", inputs.len())?,
            axis,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Adds elements around a tensor, as ONNX Pad: pads has the begin of every axis, then the end of
/// every axis (2 rank entries). Negative ones take away, before anything is added.
#[doc(alias = "netcl_op_pad")]
pub fn pad(
    x: impl AsRef<AnyTensor>,
    pads: &[i64],
    options: PadOptions,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    if let Some(value) = options.value {
        value.checked("value", x.info()?.dtype)?;
    }
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_pad(
            x.as_raw(),
            support::slice_ptr(pads) as *const _,
            support::count("pads", pads.len())?,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Repeats a tensor along its axes, as ONNX Tile: axis d of the result has repeats\[d\] times the
/// extent of x, 0 or more; repeats has an entry for each axis. Any dtype, bit for bit. A tensor
/// that is repeated along axes of extent 1 alone can be viewed: [`AnyTensor::broadcast()`].
#[doc(alias = "netcl_op_tile")]
pub fn tile(x: impl AsRef<AnyTensor>, repeats: &[i64], run: RunOptions<'_>) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_tile(
            x.as_raw(),
            support::slice_ptr(repeats) as *const _,
            support::count("repeats", repeats.len())?,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Copies a triangle of each matrix of the last two dimensions, with zeros in place of the rest, as
/// ONNX Trilu: the elements whose column is the row plus k or more, or with `upper` = false the row
/// plus k or less. Any dtype, bit for bit, rank 2 or more. `run.into` may be x itself.
#[doc(alias = "netcl_op_trilu")]
pub fn trilu(
    x: impl AsRef<AnyTensor>,
    upper: bool,
    k: i64,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_trilu(x.as_raw(), upper as u32, k, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Picks slices along an axis, as ONNX Gather: the result has indices' shape in place of that axis.
/// indices is i32 or i64; negative ones count from the end; one out of range gives zeros.
#[doc(alias = "netcl_op_gather")]
pub fn gather(
    x: impl AsRef<AnyTensor>,
    indices: impl AsRef<AnyTensor>,
    axis: i32,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let indices = indices.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_gather(x.as_raw(), indices.as_raw(), axis, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Picks elements along an axis, as ONNX GatherElements: the result has indices' shape, whose other
/// extents are at most x's. Indices as for [`op::gather()`].
#[doc(alias = "netcl_op_gather_elements")]
pub fn gather_elements(
    x: impl AsRef<AnyTensor>,
    indices: impl AsRef<AnyTensor>,
    axis: i32,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let indices = indices.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_gather_elements(
            x.as_raw(),
            indices.as_raw(),
            axis,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Looks rows of weights \[V, D\] up: [`op::gather()`] along axis 0 of a matrix.
#[doc(alias = "netcl_op_embedding")]
pub fn embedding(
    weights: impl AsRef<AnyTensor>,
    indices: impl AsRef<AnyTensor>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let weights = weights.as_ref();
    let indices = indices.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_embedding(weights.as_raw(), indices.as_raw(), &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Gives each index a line of depth elements along an axis of the result, as ONNX OneHot: on_value
/// at the place that the index is, off_value elsewhere. The result has the shape of indices with
/// depth put in before dimension axis, which is one of the result: -1 is behind the last. indices
/// are integers of any dtype; negative ones count from the end; one out of range gives a line of
/// off_value. The values are one element of dtype each. Any dtype, bit for bit.
#[doc(alias = "netcl_op_one_hot")]
pub fn one_hot(
    indices: impl AsRef<AnyTensor>,
    depth: i64,
    axis: i32,
    dtype: Dtype,
    on_value: Scalar,
    off_value: Scalar,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let indices = indices.as_ref();
    let on_value_bytes = on_value.checked("on_value", dtype)?;
    let off_value_bytes = off_value.checked("off_value", dtype)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_one_hot(
            indices.as_raw(),
            depth,
            axis,
            dtype.0,
            on_value_bytes.as_ptr() as *const c_void,
            off_value_bytes.as_ptr() as *const c_void,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Writes updates into a copy of x at indices along an axis, as ONNX ScatterElements, or adds or
/// multiplies them, each result rounded by itself (f16 and bf16: kept in f32, rounded at the end),
/// or keeps the extreme; updates and indices have one shape, whose other extents are at most x's.
/// Indices as for [`op::gather()`]; one out of range is left out. `run.into` may be x itself: then
/// nothing is copied.
#[doc(alias = "netcl_op_scatter")]
pub fn scatter(
    x: impl AsRef<AnyTensor>,
    indices: impl AsRef<AnyTensor>,
    updates: impl AsRef<AnyTensor>,
    axis: i32,
    options: ScatterOptions,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let indices = indices.as_ref();
    let updates = updates.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_scatter(
            x.as_raw(),
            indices.as_raw(),
            updates.as_raw(),
            axis,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Picks slices at places of several dimensions, as ONNX GatherND: a line along the last dimension
/// of indices, n of them, is a place in dimensions batch_dims to batch_dims + n - 1 of x, with n 1
/// or more. Before them x and indices have the same extents, along which both are gone over
/// together. The result has the shape of indices without the last dimension, then what is left of
/// x's. Indices as for [`op::gather()`]; a place with one out of range gives zeros.
#[doc(alias = "netcl_op_gather_nd")]
pub fn gather_nd(
    x: impl AsRef<AnyTensor>,
    indices: impl AsRef<AnyTensor>,
    batch_dims: u32,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let indices = indices.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_gather_nd(
            x.as_raw(),
            indices.as_raw(),
            batch_dims,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Writes updates into a copy of x at places of several dimensions, as ONNX ScatterND (batch_dims
/// 0), or combines them with what is there, in the order and with the rounding of
/// [`op::scatter()`]. indices and batch_dims as for [`op::gather_nd()`], whose result has the shape
/// of updates; a place with an index out of range is left out. `run.into` may be x itself.
#[doc(alias = "netcl_op_scatter_nd")]
pub fn scatter_nd(
    x: impl AsRef<AnyTensor>,
    indices: impl AsRef<AnyTensor>,
    updates: impl AsRef<AnyTensor>,
    batch_dims: u32,
    options: ScatterOptions,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let indices = indices.as_ref();
    let updates = updates.as_ref();
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_scatter_nd(
            x.as_raw(),
            indices.as_raw(),
            updates.as_raw(),
            batch_dims,
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Spreads channels over space, as ONNX DepthToSpace: x is \[N, C B, ...\] with one to three
/// dimensions of space, each of which becomes `block` times as long, 1 or more; B is `block` to the
/// power of their number, the elements of a block, counted in C order. The result is \[N, C, ...\].
#[doc(alias = "netcl_op_depth_to_space")]
pub fn depth_to_space(
    x: impl AsRef<AnyTensor>,
    block: i64,
    order: DepthOrder,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_depth_to_space(x.as_raw(), block, order.0, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Gathers blocks of space into channels, as ONNX SpaceToDepth: what [`op::depth_to_space()`] did
/// is undone. The extents of space are multiples of `block`.
#[doc(alias = "netcl_op_space_to_depth")]
pub fn space_to_depth(
    x: impl AsRef<AnyTensor>,
    block: i64,
    order: DepthOrder,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_space_to_depth(x.as_raw(), block, order.0, &run_raw, &mut result_out)
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}

/// Resizes a tensor to another shape of the same rank, as ONNX Resize. All dtypes. Coordinates and
/// weights are those of the scale of an axis, whatever its extent, computed in f64. An extent of -1
/// is floor(in scale), or floor(in (end - start) scale) under TF_CROP_AND_RESIZE; scales are needed
/// for it. NEAREST moves elements. LINEAR and CUBIC weigh axis after axis in f32 (f64 for f64), but
/// for axes that stay as they are; error, beside that of the weights, at most 2 n eps A max\|x\|,
/// with n the sum over the axes of 2 plus the largest number of elements with a weight, A the
/// product over the axes of the largest sum of \|weights\|, plus the rounding. What is weighed and
/// extrapolation_value round to nearest even, and are bounded by the dtype of integers and bool (0
/// and 1). Elements with a weight of 0 do not count, not even infinite ones. More than 2^26 weights
/// along an axis, of CUBIC or with antialias, are [`UNSUPPORTED`](Status::UNSUPPORTED).
#[doc(alias = "netcl_op_resize")]
pub fn resize(
    x: impl AsRef<AnyTensor>,
    shape: impl Into<Shape>,
    options: ResizeOptions<'_>,
    run: RunOptions<'_>,
) -> Result<AnyTensor> {
    let x = x.as_ref();
    let shape = shape.into();
    let shape_raw = shape.raw_to_infer("shape")?;
    let mut options_keep = Default::default();
    let options_raw = options.raw(&mut options_keep)?;
    let mut run_keep = Default::default();
    let run_raw = run.recorded(&mut run_keep)?;
    let mut result_out = ptr::null_mut();
    check(unsafe {
        sys::netcl_op_resize(
            x.as_raw(),
            shape.rank(),
            shape_raw.as_ptr(),
            &options_raw,
            &run_raw,
            &mut result_out,
        )
    })?;
    run.finish(run_keep);
    Ok(unsafe { AnyTensor::take(result_out)? })
}
