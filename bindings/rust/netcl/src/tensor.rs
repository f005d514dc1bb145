//! Tensors whose element type is known to the compiler.

use crate::{op, AnyTensor, Device, Element, Error, Part, Parts, RandomOptions, Range, Result};
use crate::{RunOptions, Scalar, Shape, Timeout};
use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Deref;
use std::os::raw::c_void;

/// An N-d array with elements of type `T`. It derefs to [`AnyTensor`], which has everything that
/// does not depend on the element type.
pub struct Tensor<T: Element> {
    any: AnyTensor,
    elements: PhantomData<T>,
}

impl<T: Element> Deref for Tensor<T> {
    type Target = AnyTensor;
    fn deref(&self) -> &AnyTensor {
        &self.any
    }
}

impl<T: Element> AsRef<AnyTensor> for Tensor<T> {
    fn as_ref(&self) -> &AnyTensor {
        &self.any
    }
}

impl AsRef<AnyTensor> for AnyTensor {
    fn as_ref(&self) -> &AnyTensor {
        self
    }
}

impl<T: Element> Clone for Tensor<T> {
    /// One more reference to the same elements; [`AnyTensor::copy`] copies them. Panics as the
    /// clone of [`AnyTensor`] does.
    fn clone(&self) -> Tensor<T> {
        Tensor { any: self.any.clone(), elements: PhantomData }
    }
}

impl<T: Element> From<Tensor<T>> for AnyTensor {
    fn from(tensor: Tensor<T>) -> AnyTensor {
        tensor.any
    }
}

/// So that options with tensors take typed ones too.
impl<'a, T: Element> From<&'a Tensor<T>> for Option<&'a AnyTensor> {
    fn from(tensor: &'a Tensor<T>) -> Option<&'a AnyTensor> {
        Some(&tensor.any)
    }
}

impl<T: Element> TryFrom<AnyTensor> for Tensor<T> {
    type Error = Error;
    fn try_from(any: AnyTensor) -> Result<Tensor<T>> {
        any.typed()
    }
}

/// Tensors without their element types, for what takes a list of them, such as
/// [`op::adam`](crate::op::adam).
///
/// ```
/// # fn main() -> netcl::Result<()> {
/// use netcl::{op, untyped};
/// let dev = netcl::Device::open("auto")?;
/// let weights = [dev.full(2, 1.0f32)?, dev.full(3, 2.0f32)?];
/// let slopes = [dev.full(2, 0.5f32)?, dev.full(3, 1.0f32)?];
/// let (options, run) = Default::default();
/// op::sgd(&untyped(&weights), &untyped(&slopes), 0.5, options, run)?;
/// assert_eq!(weights[1].to_vec()?, [1.5; 3]);
/// # Ok(())
/// # }
/// ```
pub fn untyped<T: AsRef<AnyTensor>>(tensors: &[T]) -> Vec<&AnyTensor> {
    tensors.iter().map(AsRef::as_ref).collect()
}

impl AnyTensor {
    /// The tensor with its element type, or an error where it has another one.
    pub fn typed<T: Element>(self) -> Result<Tensor<T>> {
        let dtype = self.info()?.dtype;
        if dtype != T::DTYPE {
            let (own, wanted) = (dtype.name(), T::DTYPE.name());
            return Err(Error::invalid(format!("the tensor has dtype {own}, not {wanted}")));
        }
        Ok(Tensor { any: self, elements: PhantomData })
    }

    /// The extents. Those of a tensor without dimensions for a handle that the library refuses, too.
    pub fn shape(&self) -> Shape {
        self.info().map_or_else(|_| Shape::from(()), |info| Shape::of_info(info.rank, &info.shape))
    }

    /// The strides, in elements.
    pub fn strides(&self) -> Vec<i64> {
        self.info().map_or_else(|_| Vec::new(), |info| info.strides[..info.rank as usize].to_vec())
    }

    /// How many elements there are.
    pub fn len(&self) -> Result<usize> {
        Ok(self.info()?.element_count as usize)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Views the tensor with its last two dimensions exchanged.
    pub fn t(&self) -> Result<AnyTensor> {
        let rank = self.info()?.rank;
        if rank < 2 {
            return Err(Error::invalid(format!("a tensor of rank {rank} has no transpose")));
        }
        let mut axes: Vec<u32> = (0..rank).collect();
        axes.swap(rank as usize - 2, rank as usize - 1);
        self.permute(&axes)
    }
}

/// The bytes of elements.
fn bytes_of<T: Element>(elements: &[T]) -> &[u8] {
    // SAFETY: elements have no padding, so all of their bytes are initialised.
    unsafe {
        std::slice::from_raw_parts(elements.as_ptr() as *const u8, std::mem::size_of_val(elements))
    }
}

/// An empty vector with room for so many elements. A view that repeats elements has any number of
/// them, so that there being no room is an error and not the end of the program.
pub(crate) fn vec_for<T>(len: usize) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    elements.try_reserve_exact(len).map_err(|_| Error::no_room(len, size_of::<T>()))?;
    Ok(elements)
}

impl<T: Element> Tensor<T> {
    /// The same tensor with another type of the same elements.
    #[cfg(feature = "half")]
    pub(crate) fn renamed<U: Element>(self) -> Tensor<U> {
        debug_assert_eq!(T::DTYPE, U::DTYPE);
        Tensor { any: self.any, elements: PhantomData }
    }

    /// The same tensor without its element type.
    pub fn any(&self) -> &AnyTensor {
        &self.any
    }

    /// As [`AnyTensor::typed`]: an error where `U` is another type. [`Tensor::to`] converts.
    pub fn typed<U: Element>(self) -> Result<Tensor<U>> {
        self.any.typed()
    }

    /// A tensor with the elements of a slice, in C order.
    pub fn from_slice(
        device: &Device,
        elements: &[T],
        shape: impl Into<Shape>,
    ) -> Result<Tensor<T>> {
        let shape = shape.into();
        if shape.element_count() != Some(elements.len()) {
            return Err(Error::invalid(format!(
                "elements has {} entries, which is not the number that shape {shape:?} has",
                elements.len()
            )));
        }
        AnyTensor::from_host(device, T::DTYPE, shape, None, bytes_of(elements))?.typed()
    }

    /// A tensor of zeros.
    pub fn zeros(device: &Device, shape: impl Into<Shape>) -> Result<Tensor<T>> {
        AnyTensor::zeros(device, T::DTYPE, shape, None)?.typed()
    }

    /// A tensor with one value everywhere.
    pub fn full(device: &Device, shape: impl Into<Shape>, value: T) -> Result<Tensor<T>> {
        AnyTensor::full(device, T::DTYPE, shape, None, Scalar::of(value))?.typed()
    }

    /// A tensor of zeros with the shape of this one, on its device.
    pub fn zeros_like(&self) -> Result<Tensor<T>> {
        Tensor::zeros(&self.device()?, self.shape())
    }

    /// A tensor of random numbers.
    pub fn random(
        device: &Device,
        shape: impl Into<Shape>,
        options: RandomOptions,
    ) -> Result<Tensor<T>> {
        AnyTensor::random_with(device, T::DTYPE, shape, None, options, Default::default())?.typed()
    }

    /// Copies the elements to the host, in C order.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let len = self.len()?;
        let mut elements = vec_for(len)?;
        // SAFETY: there is room for `len` elements, all of which a successful read has written.
        unsafe {
            self.read_to(elements.as_mut_ptr(), len)?;
            T::tidy(elements.as_mut_ptr(), len);
            elements.set_len(len);
        }
        Ok(elements)
    }

    /// Copies the elements into a slice that has as many, in C order.
    pub fn read_into(&self, elements: &mut [T]) -> Result<()> {
        // SAFETY: the slice is as long as it says. A read that failed half way may have left
        // anything in it, so it is made valid in any case.
        unsafe {
            let done = self.read_to(elements.as_mut_ptr(), elements.len());
            T::tidy(elements.as_mut_ptr(), elements.len());
            done
        }
    }

    unsafe fn read_to(&self, place: *mut T, len: usize) -> Result<()> {
        let size = len.saturating_mul(size_of::<T>());
        let place = if len == 0 { std::ptr::null_mut() } else { place as *mut c_void };
        self.any.read_with(place, size, Default::default(), Timeout::FOREVER)
    }

    /// Replaces the elements by those of a slice, in C order.
    pub fn write_from(&self, elements: &[T]) -> Result<()> {
        self.any.write(bytes_of(elements), Timeout::FOREVER)
    }

    /// Replaces the elements by those of a tensor of the same shape, on the device.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// let x = dev.zeros::<f32>((2, 3))?;
    /// x.i((.., 1))?.assign(&dev.tensor(&[5.0, 6.0], 2)?)?;
    /// assert_eq!(x.to_vec()?, [0.0, 5.0, 0.0, 0.0, 6.0, 0.0]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn assign(&self, from: &Tensor<T>) -> Result<()> {
        from.copy_with(RunOptions::new().into(self)).map(drop)
    }

    /// The only element.
    pub fn item(&self) -> Result<T> {
        let elements = self.to_vec()?;
        match elements[..] {
            [one] => Ok(one),
            _ => Err(Error::invalid(format!("the tensor has {} elements, not 1", elements.len()))),
        }
    }

    /// Converts the elements.
    pub fn to<U: Element>(&self) -> Result<Tensor<U>> {
        op::cast(&self.any, U::DTYPE, Default::default())?.typed()
    }

    /// Views the part that a range or an index per dimension selects; an index takes its dimension
    /// away, and dimensions that are not given are taken whole. Negative numbers count from the end;
    /// [`Part::step`] leaves elements out, or turns a range round.
    ///
    /// ```
    /// # fn main() -> netcl::Result<()> {
    /// let dev = netcl::Device::open("auto")?;
    /// let x = dev.tensor(&[0, 1, 2, 3, 4, 5], (2, 3))?;
    /// assert_eq!(x.i((.., 1..))?.to_vec()?, [1, 2, 4, 5]);
    /// assert_eq!(x.i((1, 0..=1))?.to_vec()?, [3, 4]);
    /// assert_eq!(x.i(1)?.shape(), [3]);
    /// assert_eq!(x.i((-1, ..-1))?.to_vec()?, [3, 4]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn i(&self, parts: impl Parts) -> Result<Tensor<T>> {
        let shape = self.shape();
        let parts = parts.list();
        if parts.len() > shape.len() {
            let (given, rank) = (parts.len(), shape.len());
            return Err(Error::invalid(format!("{given} ranges are given for rank {rank}")));
        }
        let whole = shape.iter().skip(parts.len()).map(|_| Part::from(..));
        let parts: Vec<Part> = parts.iter().copied().chain(whole).collect();
        let ranges: Vec<Range> =
            parts.iter().zip(shape.iter()).map(|(part, &extent)| part.within(extent)).collect();
        let mut view = self.slice(&ranges)?;
        for axis in (0..parts.len()).rev().filter(|&axis| parts[axis].index) {
            view = view.squeeze(axis)?;
        }
        Ok(view)
    }
}
