//! What a function that the library calls gives back.

use crate::{sys, AnyTensor, Element, Error, Result, Tensor};
use std::ptr;

/// The tensors that a function makes for the library: one, or several, of which some may be missing.
/// Tensors, options of them, and arrays and vectors of either become this by `into`.
#[derive(Clone, Debug, Default)]
pub struct Tensors(pub Vec<Option<AnyTensor>>);

impl Tensors {
    /// Hands the references out.
    ///
    /// # Safety
    /// There is room for `count` at `place`, which holds null.
    pub(crate) unsafe fn give(
        self,
        what: &str,
        place: *mut *mut sys::netcl_tensor,
        count: usize,
    ) -> Result<()> {
        if self.0.len() > count {
            let given = self.0.len();
            return Err(Error::invalid(format!(
                "{what} has {given} entries; {count} are asked for"
            )));
        }
        for (at, tensor) in self.0.into_iter().enumerate() {
            *place.add(at) = tensor.map_or(ptr::null_mut(), AnyTensor::into_raw);
        }
        Ok(())
    }
}

impl From<Option<AnyTensor>> for Tensors {
    fn from(tensor: Option<AnyTensor>) -> Tensors {
        Tensors(vec![tensor])
    }
}

impl From<AnyTensor> for Tensors {
    fn from(tensor: AnyTensor) -> Tensors {
        Some(tensor).into()
    }
}

impl<T: Element> From<Tensor<T>> for Tensors {
    fn from(tensor: Tensor<T>) -> Tensors {
        AnyTensor::from(tensor).into()
    }
}

impl From<Vec<Option<AnyTensor>>> for Tensors {
    fn from(list: Vec<Option<AnyTensor>>) -> Tensors {
        Tensors(list)
    }
}

impl From<Vec<AnyTensor>> for Tensors {
    fn from(list: Vec<AnyTensor>) -> Tensors {
        Tensors(list.into_iter().map(Some).collect())
    }
}

impl<T: Element> From<Vec<Tensor<T>>> for Tensors {
    fn from(list: Vec<Tensor<T>>) -> Tensors {
        Tensors(list.into_iter().map(|tensor| Some(tensor.into())).collect())
    }
}

impl<T: Element, const N: usize> From<[Tensor<T>; N]> for Tensors {
    fn from(list: [Tensor<T>; N]) -> Tensors {
        Vec::from(list).into()
    }
}

impl<const N: usize> From<[AnyTensor; N]> for Tensors {
    fn from(list: [AnyTensor; N]) -> Tensors {
        Tensors(list.into_iter().map(Some).collect())
    }
}

impl<const N: usize> From<[Option<AnyTensor>; N]> for Tensors {
    fn from(list: [Option<AnyTensor>; N]) -> Tensors {
        Tensors(list.into())
    }
}
