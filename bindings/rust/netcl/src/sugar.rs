//! Expressions, operators, and methods of tensors that keep the element type.

use crate::{op, AnyTensor, Element, Error, Result, Tensor};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Evaluates an expression in `v0`, `v1`, ... over tensors, broadcast to one shape, as one fused
/// kernel.
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// let dev = netcl::Device::open("auto")?;
/// let x = dev.tensor(&[-1.0f32, 2.0, 3.0], &[3])?;
/// let bias = dev.tensor(&[0.5f32], &[1])?;
/// let y = netcl::expr("relu(v0) * 2 + v1", &[&x, &bias])?.typed::<f32>()?;
/// assert_eq!(y.to_vec()?, [0.5, 4.5, 6.5]);
/// # Ok(())
/// # }
/// ```
pub fn expr(text: &str, inputs: &[&AnyTensor]) -> Result<AnyTensor> {
    op::expression_text(text, inputs, Default::default(), Default::default())
}

macro_rules! same_type {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        impl<T: Element> Tensor<T> {$(
            #[doc = concat!("As [`AnyTensor::", stringify!($name), "`], with the element type kept.")]
            pub fn $name(&self, $($argument: $type),*) -> Result<Tensor<T>> {
                self.any().$name($($argument),*)?.typed()
            }
        )*}
    };
}

same_type! {
    t();
    slice(ranges: &[crate::Range]);
    permute(axes: &[u32]);
    broadcast(shape: &[i64]);
    reshape(shape: &[i64]);
    view(shape: &[i64], strides: Option<&[i64]>, offset: i64);
    copy();
    contiguous();
    matmul(b: &Tensor<T>);
}

macro_rules! operators {
    ($($trait:ident $method:ident $sign:literal;)*) => {$(
        /// Broadcasts; one kernel. The outcome is a result: `(&a + &b)?`.
        impl<T: Element> $trait<&Tensor<T>> for &Tensor<T> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: &Tensor<T>) -> Result<Tensor<T>> {
                expr(concat!("v0 ", $sign, " v1"), &[self, other])?.typed()
            }
        }

        /// With a number, which takes the element type: `(&a * 0.5)?`.
        impl<T: Element> $trait<f64> for &Tensor<T> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: f64) -> Result<Tensor<T>> {
                if !other.is_finite() {
                    return Err(Error::invalid(format!("{other} is no literal of an expression")));
                }
                expr(&format!(concat!("v0 ", $sign, " ({:?})"), other), &[self])?.typed()
            }
        }
    )*};
}

operators! {
    Add add "+";
    Sub sub "-";
    Mul mul "*";
    Div div "/";
}

impl<T: Element> Neg for &Tensor<T> {
    type Output = Result<Tensor<T>>;
    fn neg(self) -> Result<Tensor<T>> {
        expr("-v0", &[self])?.typed()
    }
}
