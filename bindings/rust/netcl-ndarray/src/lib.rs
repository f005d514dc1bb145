//! Conversions between [`netcl::Tensor`] and the arrays of `ndarray`.
//!
//! ```
//! # fn main() -> netcl::Result<()> {
//! use ndarray::{arr2, s};
//! use netcl_ndarray::{DeviceExt, TensorExt};
//! let dev = netcl::Device::open("auto")?;
//! let array = arr2(&[[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
//! let x = dev.array(&array.slice(s![.., ..;-1]))?;
//! assert_eq!(x.to_vec()?, [3.0, 2.0, 1.0, 6.0, 5.0, 4.0]);
//! assert_eq!((&x * 2.0)?.to_array()?, arr2(&[[6.0, 4.0, 2.0], [12.0, 10.0, 8.0]]).into_dyn());
//! # Ok(())
//! # }
//! ```
#![deny(missing_docs)]

use ndarray::{ArrayBase, ArrayD, Data, Dimension, IxDyn};
use netcl::{Device, Element, Result, Tensor};

/// Tensors from arrays.
pub trait DeviceExt {
    /// Copies an array of any layout to the device, in C order.
    fn array<S, D>(&self, array: &ArrayBase<S, D>) -> Result<Tensor<S::Elem>>
    where
        S: Data,
        S::Elem: Element,
        D: Dimension;
}

impl DeviceExt for Device {
    fn array<S, D>(&self, array: &ArrayBase<S, D>) -> Result<Tensor<S::Elem>>
    where
        S: Data,
        S::Elem: Element,
        D: Dimension,
    {
        let shape: Vec<i64> = array.shape().iter().map(|&extent| extent as i64).collect();
        match array.as_slice() {
            Some(elements) => self.tensor(elements, &shape),
            None => self.tensor(&array.iter().copied().collect::<Vec<_>>(), &shape),
        }
    }
}

/// Arrays from tensors.
pub trait TensorExt<T: Element> {
    /// Copies the elements to an array in C order.
    fn to_array(&self) -> Result<ArrayD<T>>;
}

impl<T: Element> TensorExt<T> for Tensor<T> {
    fn to_array(&self) -> Result<ArrayD<T>> {
        let shape: Vec<usize> = self.shape().iter().map(|&extent| extent as usize).collect();
        let elements = self.to_vec()?;
        Ok(ArrayD::from_shape_vec(IxDyn(&shape), elements).expect("as many elements as the shape"))
    }
}
