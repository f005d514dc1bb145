//! Arguments of kernels.

use crate::{sys, AnyTensor, ArgKind, Element, Tensor};
use std::marker::PhantomData;
use std::os::raw::c_void;

/// One argument of a kernel; `'a` is how long the tensor or the bytes it points to live.
///
/// Tensors and numbers convert: `kernel.launch(n, (), &[(&x).into(), 2.0f32.into()])`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Arg<'a> {
    raw: sys::netcl_arg,
    lives: PhantomData<&'a AnyTensor>,
}

// SAFETY: what it points to is a tensor handle or bytes borrowed immutably; both are shareable.
unsafe impl Send for Arg<'_> {}
// SAFETY: as above.
unsafe impl Sync for Arg<'_> {}

impl<'a> Arg<'a> {
    fn new(kind: ArgKind) -> Arg<'a> {
        let raw = sys::netcl_arg { kind: kind.0, ..sys::netcl_arg::INIT };
        Arg { raw, lives: PhantomData }
    }

    /// A tensor, written unless the parameter is `const`.
    pub fn tensor(tensor: &'a AnyTensor) -> Arg<'a> {
        let mut arg = Arg::new(ArgKind::TENSOR);
        arg.raw.tensor = tensor.as_raw();
        arg
    }

    /// A tensor that the kernel only reads.
    pub fn read_only(tensor: &'a AnyTensor) -> Arg<'a> {
        let mut arg = Arg::new(ArgKind::TENSOR_READ_ONLY);
        arg.raw.tensor = tensor.as_raw();
        arg
    }

    /// A number.
    pub fn scalar<T: Element>(value: T) -> Arg<'a> {
        let mut arg = Arg::new(ArgKind::SCALAR);
        let size = std::mem::size_of::<T>();
        arg.raw.size = size as u32;
        arg.raw.dtype = T::DTYPE.0;
        // SAFETY: the bytes of an element are initialised; it is at most 16 bytes large.
        let bytes = unsafe { std::slice::from_raw_parts(&value as *const T as *const u8, size) };
        arg.raw.value[..size].copy_from_slice(bytes);
        arg
    }

    /// The same, where the parameter is meant to see the bytes as elements of another type than
    /// they are; without it such a parameter is refused.
    pub fn reinterpret(mut self) -> Arg<'a> {
        self.raw.reinterpret = 1;
        self
    }

    /// The bytes of a value of another type, such as a struct.
    pub fn bytes(bytes: &'a [u8]) -> Arg<'a> {
        let mut arg = Arg::new(ArgKind::DATA);
        // A length beyond 32 bits cannot be a parameter; 0 makes the library refuse it.
        arg.raw.size = u32::try_from(bytes.len()).unwrap_or(0);
        arg.raw.data = bytes.as_ptr() as *const c_void;
        arg
    }

    /// Local memory of so many bytes.
    pub fn local(bytes: u32) -> Arg<'static> {
        let mut arg = Arg::new(ArgKind::LOCAL);
        arg.raw.size = bytes;
        arg
    }

    /// A NULL pointer for a buffer parameter.
    pub fn null() -> Arg<'static> {
        Arg::new(ArgKind::NULL)
    }
}

impl std::fmt::Debug for Arg<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Arg({:?}, {} bytes)", ArgKind(self.raw.kind), self.raw.size)
    }
}

impl<'a> From<&'a AnyTensor> for Arg<'a> {
    fn from(tensor: &'a AnyTensor) -> Arg<'a> {
        Arg::tensor(tensor)
    }
}

impl<'a, T: Element> From<&'a Tensor<T>> for Arg<'a> {
    fn from(tensor: &'a Tensor<T>) -> Arg<'a> {
        Arg::tensor(tensor)
    }
}

impl<'a, T: Element> From<T> for Arg<'a> {
    fn from(value: T) -> Arg<'a> {
        Arg::scalar(value)
    }
}
