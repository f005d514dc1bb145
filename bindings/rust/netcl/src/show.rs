//! Tensors as text.

use crate::{AnyTensor, Bf16, Dtype, Element, Range, Result, Tensor, F16};
use std::fmt::{self, Write};

/// Of longer dimensions so many elements are shown at each end.
const EDGE: i64 = 3;

/// The parts of a dimension that are shown.
fn parts(extent: i64) -> Vec<(i64, i64)> {
    if extent > 2 * EDGE + 1 {
        vec![(0, EDGE), (extent - EDGE, EDGE)]
    } else {
        vec![(0, extent)]
    }
}

/// The texts of elements, with the brackets of one dimension around each call. Only what is shown
/// is read.
fn nested<T: Element>(
    tensor: &Tensor<T>,
    depth: usize,
    precision: Option<usize>,
    out: &mut String,
) -> Result<()> {
    let shape = tensor.shape();
    if depth == shape.len() {
        append(tensor.item()?, precision, out);
        return Ok(());
    }
    let mut ranges: Vec<Range> =
        shape.iter().map(|&extent| Range { start: 0, extent: extent as i64, step: 1 }).collect();
    let last = depth + 1 == shape.len();
    let between = if last { ", ".to_string() } else { format!(",\n{}", " ".repeat(depth + 1)) };
    out.push('[');
    for (number, (start, extent)) in parts(shape[depth] as i64).into_iter().enumerate() {
        if number > 0 {
            out.push_str(&between);
            out.push_str("...");
            out.push_str(&between);
        }
        if last {
            ranges[depth] = Range { start, extent, step: 1 };
            for (place, value) in tensor.slice(&ranges)?.to_vec()?.into_iter().enumerate() {
                out.push_str(if place > 0 { &between } else { "" });
                append(value, precision, out);
            }
            continue;
        }
        for place in start..start + extent {
            out.push_str(if place > start { &between } else { "" });
            ranges[depth] = Range { start: place, extent: 1, step: 1 };
            nested(&tensor.slice(&ranges)?, depth + 1, precision, out)?;
        }
    }
    out.push(']');
    Ok(())
}

fn append<T: Element>(value: T, precision: Option<usize>, out: &mut String) {
    // Writing to a String does not fail.
    let _ = match precision {
        Some(digits) => write!(out, "{value:.digits$}"),
        None => write!(out, "{value}"),
    };
}

impl<T: Element> fmt::Display for Tensor<T> {
    /// The elements in nested brackets, long dimensions shortened; a precision goes to each
    /// element. An error stands in the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        match nested(self, 0, f.precision(), &mut text) {
            Ok(()) => f.write_str(&text),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

impl<T: Element> fmt::Debug for Tensor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor<{}>{:?}", T::DTYPE.name(), self.shape())
    }
}

impl fmt::Debug for AnyTensor {
    /// The dtype and the shape, or the error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info() {
            Ok(info) => write!(f, "AnyTensor<{}>{:?}", info.dtype.name(), self.shape()),
            Err(error) => write!(f, "AnyTensor<{error}>"),
        }
    }
}

impl fmt::Display for AnyTensor {
    /// As for [`Tensor`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        macro_rules! by_dtype {
            ($($dtype:ident $type:ty,)*) => {
                match self.info().map(|info| info.dtype) {
                    $(Ok(Dtype::$dtype) => match self.try_clone().and_then(|t| t.typed::<$type>()) {
                        Ok(tensor) => fmt::Display::fmt(&tensor, f),
                        Err(error) => write!(f, "<{error}>"),
                    },)*
                    Ok(other) => write!(f, "<dtype {other:?}>"),
                    Err(error) => write!(f, "<{error}>"),
                }
            };
        }
        by_dtype!(
            F16 F16, BF16 Bf16, F32 f32, F64 f64, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8,
            U16 u16, U32 u32, U64 u64, BOOL bool,
        )
    }
}
