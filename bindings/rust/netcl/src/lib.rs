//! OpenCL compute for Rust: devices, N-d tensors, buffer pools, kernels, fused expressions and fast
//! ops, on any OpenCL driver and, where there is none, on a built-in CPU device.
//!
//! ```
//! # fn main() -> netcl::Result<()> {
//! let dev = netcl::Device::open("auto")?;
//! let a = dev.rand::<f32>(&[64, 32], 1)?;
//! let b = dev.rand::<f32>(&[32, 16], 2)?;
//! let y = a.matmul(&b)?;
//! let z = netcl::expr("relu(v0 - 8) * 0.5", &[&y])?.typed::<f32>()?; // one fused kernel
//! assert_eq!(z.shape(), [64, 16]);
//! assert!(z.to_vec()?.iter().all(|&x| x >= 0.0));
//! # Ok(())
//! # }
//! ```
//!
//! # How it fits together
//!
//! [`Device`], [`Queue`], [`Event`], [`Pool`], [`Buffer`], [`AnyTensor`], [`Kernel`] and
//! [`Expression`] are references to objects of the library: a clone is one more reference, dropping
//! gives it back, and objects keep alive what they need. All of them may be shared between threads.
//! [`Tensor<T>`] is an [`AnyTensor`] whose element type is known to the compiler, and derefs to it.
//!
//! Every function of the C interface is a method or a function here, written from the same header
//! and named after it: `netcl_pool_get_info` is [`Pool::info`]. A function that takes options comes
//! twice: [`Device::open`] with the defaults and [`Device::open_with`]. Ops are in [`op`], each with
//! its options and its [`RunOptions`]; most are methods of tensors too.
//!
//! Errors are [`Error`]: a [`Status`] and a message that names the argument and its value.
//!
//! What could let the host's memory be used wrongly is `unsafe`: kernels written by hand (on CPU
//! devices they run inside this process), memory with undefined contents, lending memory, and raw
//! OpenCL objects. A function is unsafe unless the header says that it is safe.
//!
//! # Features
//!
//! * `ndarray`: `Device::array` and `Tensor::to_array` convert from and to the arrays of the crate
//!   `ndarray`, which is `netcl::ndarray` then.
//! * `half`: `half::f16` and `half::bf16` are elements, as [`F16`] and [`Bf16`] are, and convert from
//!   and to those.
//! * `bytemuck`: structs that are `NoUninit` are arguments of kernels by `Arg::pod`, and [`F16`] and
//!   [`Bf16`] are `Pod`.
//! * `static`: links `libnetcl.a` instead of `libnetcl.so`.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_docs)]
#![warn(rust_2018_idioms)]

mod arg;
#[cfg(feature = "ndarray")]
mod array;
mod device;
mod dlpack;
mod element;
mod error;
#[cfg(feature = "half")]
mod halves;
mod kernel;
pub mod log;
mod making;
mod measure;
mod named;
mod parts;
mod path;
#[cfg(feature = "bytemuck")]
mod pod;
mod progress;
mod recording;
mod shape;
mod show;
mod sugar;
mod support;
mod tensor;
mod tensors;
mod timeout;
mod transfer;
mod weights;
mod with;

#[rustfmt::skip]
mod generated;

/// The crate whose traits [`Arg::pod`] takes.
#[cfg(feature = "bytemuck")]
#[cfg_attr(docsrs, doc(cfg(feature = "bytemuck")))]
pub use ::bytemuck;
/// The crate whose numbers are elements too.
#[cfg(feature = "half")]
#[cfg_attr(docsrs, doc(cfg(feature = "half")))]
pub use ::half;
/// The crate whose arrays [`Device::array`] and [`Tensor::to_array`] convert.
#[cfg(feature = "ndarray")]
#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
pub use ::ndarray;
pub use arg::Arg;
pub use dlpack::DlpackTensor;
pub use element::{Bf16, Element, Scalar, F16};
pub use error::{Error, Result};
pub use generated::*;
pub use named::Operand;
pub use netcl_sys as sys;
pub use parts::{Part, Parts};
pub use path::OptionalPath;
pub use progress::SearchEvents;
pub use recording::{gradients, no_recording, Float, Inputs, Recording};
pub use shape::{Axes, Shape};
pub use sugar::{expr, expr_with, exprs};
pub use support::Text;
pub use tensor::{untyped, Tensor};
pub use tensors::Tensors;
pub use timeout::Timeout;
pub use transfer::{Failed, Pending};
pub use with::{OpOptions, With};

pub(crate) use error::check;

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
