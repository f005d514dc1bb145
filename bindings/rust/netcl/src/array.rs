//! Conversions from and to the arrays of `ndarray`.

use crate::tensor::vec_for;
use crate::{Device, Element, Error, Result, Tensor};
use ndarray::{ArrayBase, ArrayD, Data, Dimension, IxDyn};

impl Device {
    /// Copies an array of `ndarray` to the device: any view, whatever its layout. The tensor is in
    /// C order.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// use netcl::ndarray::{arr2, s};
    /// let dev = netcl::Device::open("auto")?;
    /// let array = arr2(&[[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    /// let x = dev.array(&array.slice(s![.., ..;-1]))?;
    /// assert_eq!(x.to_vec()?, [3.0, 2.0, 1.0, 6.0, 5.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
    pub fn array<S, D>(&self, array: &ArrayBase<S, D>) -> Result<Tensor<S::Elem>>
    where
        S: Data,
        S::Elem: Element,
        D: Dimension,
    {
        let shape = array.shape();
        if let Some(elements) = array.as_slice() {
            return self.tensor(elements, shape);
        }
        // A view that repeats its elements can have more of them than there is memory.
        let mut elements = vec_for(array.len())?;
        elements.extend(array.iter().copied());
        self.tensor(&elements, shape)
    }
}

impl<T: Element> Tensor<T> {
    /// Copies the elements to an array of `ndarray`, in C order. Its number of dimensions is not in
    /// its type; `into_dimensionality` brings it there.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use netcl::ndarray::{arr2, Array2, Ix2};
    /// let dev = netcl::Device::open("auto")?;
    /// let x = dev.tensor(&[1.0f32, 2.0, 3.0, 4.0], (2, 2))?;
    /// let y: Array2<f32> = x.t()?.to_array()?.into_dimensionality::<Ix2>()?;
    /// assert_eq!(y, arr2(&[[1.0, 3.0], [2.0, 4.0]]));
    /// # Ok(())
    /// # }
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
    pub fn to_array(&self) -> Result<ArrayD<T>> {
        let shape = self.shape();
        let elements = self.to_vec()?;
        // The two agree on which shapes there are, today.
        ArrayD::from_shape_vec(IxDyn(&shape), elements)
            .map_err(|error| Error::invalid(format!("ndarray refuses shape {shape:?}: {error}")))
    }
}
