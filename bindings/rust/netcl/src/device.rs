//! What makes devices pleasant: lists, and tensors from slices and shapes.

use crate::{
    Device, DeviceInfo, Distribution, Element, Float, RandomOptions, Result, Shape, Tensor,
};
use std::fmt;

impl Device {
    /// The identities of all devices, the built-in one last; opens none.
    pub fn list() -> Result<Vec<DeviceInfo>> {
        (0..Device::count()?).map(Device::describe).collect()
    }

    /// A tensor with the elements of a slice, in C order.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// let x = dev.tensor(&[1, 2, 3, 4, 5, 6], (2, 3))?;
    /// assert_eq!(x.permute(&[1, 0])?.to_vec()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn tensor<T: Element>(&self, elements: &[T], shape: impl Into<Shape>) -> Result<Tensor<T>> {
        Tensor::from_slice(self, elements, shape)
    }

    /// A tensor of zeros.
    pub fn zeros<T: Element>(&self, shape: impl Into<Shape>) -> Result<Tensor<T>> {
        Tensor::zeros(self, shape)
    }

    /// A tensor with one value everywhere.
    pub fn full<T: Element>(&self, shape: impl Into<Shape>, value: T) -> Result<Tensor<T>> {
        Tensor::full(self, shape, value)
    }

    /// Random numbers: floats in [0, 1), integers over their whole range. The same seed gives the
    /// same bits on every device; [`Tensor::random`] takes ranges and normal distributions.
    pub fn rand<T: Element>(&self, shape: impl Into<Shape>, seed: u64) -> Result<Tensor<T>> {
        Tensor::random(self, shape, RandomOptions::new().seed(seed))
    }

    /// Random numbers of the normal distribution with mean 0 and deviation 1, as for [`Self::rand`].
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// let x = dev.randn::<f32>(10_000, 1)?;
    /// assert!(x.mean(..)?.item()?.abs() < 0.05 && (x.norm(..)?.item()? - 100.0).abs() < 5.0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn randn<T: Float>(&self, shape: impl Into<Shape>, seed: u64) -> Result<Tensor<T>> {
        let options = RandomOptions::new().seed(seed).distribution(Distribution::NORMAL);
        Tensor::random(self, shape, options)
    }
}

impl fmt::Debug for Device {
    /// The name of the device, or the error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info() {
            Ok(info) => write!(f, "Device({:?})", info.name),
            Err(error) => write!(f, "Device(<{error}>)"),
        }
    }
}

impl fmt::Display for Device {
    /// The name of the device. An error stands in the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info() {
            Ok(info) => write!(f, "{}", info.name),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

impl fmt::Display for DeviceInfo {
    /// The index, the name and the platform of the device; one that is in no list has no index.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.index != u32::MAX {
            write!(f, "{}: ", self.index)?;
        }
        write!(f, "{} ({})", self.name, self.platform_name)
    }
}
