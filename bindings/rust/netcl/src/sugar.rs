//! Expressions, operators, and methods of tensors that keep the element type.

use crate::named::number;
use crate::{op, AnyTensor, Bf16, Element, ExpressionOptions, Result, Shape, Tensor, With, F16};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Evaluates an expression in `v0`, `v1`, ... over tensors, broadcast to one shape, as one fused
/// kernel.
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// let dev = netcl::Device::open("auto")?;
/// let x = dev.tensor(&[-1.0f32, 2.0, 3.0], 3)?;
/// let bias = dev.tensor(&[0.5f32], 1)?;
/// let y = netcl::expr("relu(v0) * 2 + v1", &[&x, &bias])?.typed::<f32>()?;
/// assert_eq!(y.to_vec()?, [0.5, 4.5, 6.5]);
/// # Ok(())
/// # }
/// ```
pub fn expr(text: &str, inputs: &[&AnyTensor]) -> Result<AnyTensor> {
    op::expression_text(text, inputs, Default::default(), Default::default())
}

/// As [`expr`], with [`ExpressionOptions`], [`RunOptions`](crate::RunOptions), or both as a pair: for
/// another dtype or queue, or to go into a tensor that is there.
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// use netcl::RunOptions;
/// let dev = netcl::Device::open("auto")?;
/// let x = dev.tensor(&[1.0f32, 2.0, 3.0], 3)?;
/// netcl::expr_with("v0 * 10", &[&x], RunOptions::new().into(&x))?;
/// assert_eq!(x.to_vec()?, [10.0, 20.0, 30.0]);
/// # Ok(())
/// # }
/// ```
pub fn expr_with<'a>(
    text: &str,
    inputs: &[&AnyTensor],
    with: impl Into<With<'a, ExpressionOptions>>,
) -> Result<AnyTensor> {
    let (options, run) = with.into().parts();
    op::expression_text(text, inputs, options, run)
}

/// Evaluates several expressions over the same tensors as one fused kernel, which reads each of them
/// once and gives a result for each text.
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// let dev = netcl::Device::open("auto")?;
/// let (x, y) = (dev.tensor(&[3.0f32, 1.0], 2)?, dev.tensor(&[2.0f32, 5.0], 2)?);
/// let [sum, less] = netcl::exprs(["v0 + v1", "v0 < v1"], &[&x, &y])?;
/// assert_eq!(sum.typed::<f32>()?.to_vec()?, [5.0, 6.0]);
/// assert_eq!(less.typed::<bool>()?.to_vec()?, [false, true]);
/// # Ok(())
/// # }
/// ```
pub fn exprs<const N: usize>(texts: [&str; N], inputs: &[&AnyTensor]) -> Result<[AnyTensor; N]> {
    let made = op::expressions(&texts, inputs, Default::default(), Default::default())?;
    Ok(made.try_into().expect("as many results as texts"))
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
    broadcast(shape: impl Into<Shape>);
    reshape(shape: impl Into<Shape>);
    reshape_with(shape: impl Into<Shape>, run: crate::RunOptions<'_>);
    view(shape: impl Into<Shape>, strides: Option<&[i64]>, offset: i64);
}

macro_rules! operators {
    ($($trait:ident $method:ident $sign:literal;)*) => {$(
        /// Broadcasts; one kernel. The outcome is a result: `(&a + &b)?`. A result may be an operand
        /// beside a tensor: `&a * 2.0 + &b` is one.
        impl<T: Element> $trait<&Tensor<T>> for &Tensor<T> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: &Tensor<T>) -> Result<Tensor<T>> {
                expr(concat!("v0 ", $sign, " v1"), &[self, other])?.typed()
            }
        }

        impl<T: Element> $trait<Tensor<T>> for &Tensor<T> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: Tensor<T>) -> Result<Tensor<T>> {
                self.$method(&other)
            }
        }

        impl<T: Element> $trait<&Tensor<T>> for Tensor<T> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: &Tensor<T>) -> Result<Tensor<T>> {
                (&self).$method(other)
            }
        }

        impl<T: Element> $trait for Tensor<T> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: Tensor<T>) -> Result<Tensor<T>> {
                (&self).$method(&other)
            }
        }

        impl<T: Element> $trait<Result<Tensor<T>>> for &Tensor<T> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: Result<Tensor<T>>) -> Result<Tensor<T>> {
                self.$method(&other?)
            }
        }

        impl<T: Element> $trait<Result<Tensor<T>>> for Tensor<T> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: Result<Tensor<T>>) -> Result<Tensor<T>> {
                (&self).$method(&other?)
            }
        }

        impl<T: Element> $trait<&Tensor<T>> for Result<Tensor<T>> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: &Tensor<T>) -> Result<Tensor<T>> {
                (&self?).$method(other)
            }
        }

        impl<T: Element> $trait<Tensor<T>> for Result<Tensor<T>> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: Tensor<T>) -> Result<Tensor<T>> {
                (&self?).$method(&other)
            }
        }

        /// With a number of the element type: `(&a * 0.5)?`. Other numbers use the same kernel.
        impl<T: Element> $trait<T> for &Tensor<T> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: T) -> Result<Tensor<T>> {
                self.$method(&number(self, other)?)
            }
        }

        impl<T: Element> $trait<T> for Tensor<T> {
            type Output = Result<Tensor<T>>;
            fn $method(self, other: T) -> Result<Tensor<T>> {
                (&self).$method(other)
            }
        }

        numbers_first!($trait $method: f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 F16 Bf16);
        halves!($trait $method: F16 Bf16);
        #[cfg(feature = "half")]
        numbers_first!($trait $method: half::f16 half::bf16);
    )*};
}

macro_rules! numbers_first {
    ($trait:ident $method:ident: $($type:ty)*) => {$(
        /// With a number first: `(1.0 - &a)?`.
        impl $trait<&Tensor<$type>> for $type {
            type Output = Result<Tensor<$type>>;
            fn $method(self, other: &Tensor<$type>) -> Result<Tensor<$type>> {
                (&number(other, self)?).$method(other)
            }
        }

        impl $trait<Tensor<$type>> for $type {
            type Output = Result<Tensor<$type>>;
            fn $method(self, other: Tensor<$type>) -> Result<Tensor<$type>> {
                self.$method(&other)
            }
        }
    )*};
}

macro_rules! halves {
    ($trait:ident $method:ident: $($type:ident)*) => {$(
        /// With a number, rounded to the element type.
        impl $trait<f32> for &Tensor<$type> {
            type Output = Result<Tensor<$type>>;
            fn $method(self, other: f32) -> Result<Tensor<$type>> {
                self.$method($type::from_f32(other))
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

impl<T: Element> Neg for Tensor<T> {
    type Output = Result<Tensor<T>>;
    fn neg(self) -> Result<Tensor<T>> {
        -&self
    }
}
