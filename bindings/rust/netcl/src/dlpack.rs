//! Tensors on their way to other libraries.

use crate::{support, sys, AnyTensor, Device, Result};
use std::os::raw::c_void;
use std::ptr::NonNull;

/// A tensor that [`AnyTensor::to_dlpack`] exported. It keeps the memory
/// alive until it is dropped, or until the library that [`DlpackTensor::into_raw`] gave it to has
/// called its deleter.
pub struct DlpackTensor {
    raw: NonNull<sys::DLManagedTensor>,
}

// SAFETY: its deleter gives a reference back, which any thread may do, and nothing else is called.
unsafe impl Send for DlpackTensor {}

/// What DLPack says a `DLManagedTensor` is, as far as it matters here.
#[repr(C)]
struct Managed {
    tensor: [u64; 6],
    manager: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut sys::DLManagedTensor)>,
}

impl DlpackTensor {
    /// Takes over what another library or `into_raw` gave.
    ///
    /// # Safety
    /// `raw` points to a `DLManagedTensor` whose owner the caller is, and whose deleter may be
    /// called on any thread.
    pub unsafe fn from_raw(raw: NonNull<sys::DLManagedTensor>) -> DlpackTensor {
        DlpackTensor { raw }
    }

    pub(crate) unsafe fn take(raw: *mut sys::DLManagedTensor) -> Result<DlpackTensor> {
        NonNull::new(raw).map(|raw| DlpackTensor { raw }).ok_or_else(support::nothing_given)
    }

    /// Makes a tensor of it, as [`AnyTensor::from_dlpack`] does. When that is refused it is dropped
    /// here, so that nothing is left over in either case.
    ///
    /// # Safety
    /// As for [`AnyTensor::from_dlpack`], but for who gives it back.
    pub unsafe fn import(self, device: &Device) -> Result<AnyTensor> {
        let tensor = AnyTensor::from_dlpack(device, self.as_ptr())?;
        // The library owns it now.
        std::mem::forget(self);
        Ok(tensor)
    }

    /// Lends the `DLManagedTensor` of C.
    pub fn as_ptr(&self) -> *mut sys::DLManagedTensor {
        self.raw.as_ptr()
    }

    /// Gives it away: whoever gets it calls its deleter once. That is what
    /// [`AnyTensor::from_dlpack`] does when it succeeds.
    pub fn into_raw(self) -> *mut sys::DLManagedTensor {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }
}

impl Drop for DlpackTensor {
    fn drop(&mut self) {
        // SAFETY: it is owned, and all versions of DLPack begin like this.
        unsafe {
            if let Some(delete) = (*(self.raw.as_ptr() as *const Managed)).deleter {
                delete(self.raw.as_ptr());
            }
        }
    }
}

impl std::fmt::Debug for DlpackTensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DlpackTensor({:p})", self.raw)
    }
}
