// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(unused_imports, unused_unsafe, clippy::too_many_arguments)]

use super::*;
use crate::support::{self, CText, Pointers, Texts};
use crate::{check, Error, Result, Scalar, Shape, Timeout};
use std::mem::MaybeUninit;
use std::os::raw::c_void;
use std::path::Path;
use std::ptr;
use std::fmt;
use std::ptr::NonNull;

/// Limits of a device: rates of memory, caches, arithmetic and transfers. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_ceilings")]
#[repr(transparent)]
pub struct Ceilings {
    raw: NonNull<sys::netcl_ceilings>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Ceilings {}
unsafe impl Sync for Ceilings {}

impl Ceilings {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_ceilings) -> Ceilings {
        Ceilings { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_ceilings {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_ceilings_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_ceilings {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_ceilings) -> Option<Ceilings> {
        NonNull::new(raw).map(|raw| Ceilings { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_ceilings) -> Result<Ceilings> {
        Ceilings::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Ceilings> {
        check(unsafe { sys::netcl_ceilings_retain(self.as_raw()) })?;
        Ok(Ceilings { raw: self.raw })
    }
}

impl Clone for Ceilings {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Ceilings {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Ceilings {
    fn drop(&mut self) {
        unsafe { sys::netcl_ceilings_release(self.as_raw()) }
    }
}

impl fmt::Debug for Ceilings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ceilings({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Ceilings {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Ceilings) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Ceilings {}

impl Ceilings {
    /// Makes ceilings without rows, to be filled with [`Ceilings::set()`].
    #[doc(alias = "netcl_ceilings_create")]
    pub fn new() -> Result<Ceilings> {
        let mut ceilings_out = ptr::null_mut();
        check(unsafe { sys::netcl_ceilings_create(&mut ceilings_out) })?;
        Ok(unsafe { Ceilings::take(ceilings_out)? })
    }

    /// Measures the limits of a device after waiting for what is enqueued on it, or gives those
    /// that were measured before: by this process, or by an earlier one on a device of the same
    /// part (see [`Device::part()`]), platform and driver, from the folder `ceilings` beside the
    /// program cache. Rows that were disproved since are no reason to keep the others: then
    /// everything is measured again. A figure is the best over vector widths and sizes of probes
    /// that store what they compute. Each probe runs at least five times after one that is not
    /// counted, whatever the budget; a limit that a device does not have (f64, f16, matrix units)
    /// has no row. What other programs do on the device meanwhile makes the figures worse: a row
    /// whose spread is above 0.25 is measured again, up to twice, and named in the log at the level
    /// WARNING when that does not help. One thread of all processes of the user measures at a time:
    /// the lock of the device is held, as by tuners. [`BUSY`](Status::BUSY) when another process
    /// holds it for 60 seconds; other errors as for [`Device::finish()`].
    #[doc(alias = "netcl_ceilings_measure")]
    pub fn measure(device: &Device) -> Result<Ceilings> {
        let mut ceilings_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_ceilings_measure(device.as_raw(), ptr::null(), &mut ceilings_out)
        })?;
        Ok(unsafe { Ceilings::take(ceilings_out)? })
    }

    /// As [`Self::measure`], with options.
    #[doc(alias = "netcl_ceilings_measure")]
    pub fn measure_with(device: &Device, options: CeilingsOptions) -> Result<Ceilings> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut ceilings_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_ceilings_measure(device.as_raw(), &options_raw, &mut ceilings_out)
        })?;
        Ok(unsafe { Ceilings::take(ceilings_out)? })
    }

    /// Loads what [`Ceilings::save()`] wrote. [`IO`](Status::IO),
    /// [`CORRUPT_DATA`](Status::CORRUPT_DATA) naming what is wrong, such as two rows of one kind,
    /// dtype and working set.
    #[doc(alias = "netcl_ceilings_load")]
    pub fn load(path: impl AsRef<Path>) -> Result<Ceilings> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut ceilings_out = ptr::null_mut();
        check(unsafe { sys::netcl_ceilings_load(path_c.as_ptr(), &mut ceilings_out) })?;
        Ok(unsafe { Ceilings::take(ceilings_out)? })
    }

    /// Tells where ceilings come from.
    #[doc(alias = "netcl_ceilings_get_info")]
    pub fn info(&self) -> Result<CeilingsInfo> {
        let mut info = MaybeUninit::<sys::netcl_ceilings_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_ceilings_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(CeilingsInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives all rows, sorted by kind, dtype and working set.
    #[doc(alias = "netcl_ceilings_get")]
    pub fn get(&self) -> Result<Vec<Ceiling>> {
        let text = support::read_array(Ceiling::default(), |place, room, length| unsafe {
            sys::netcl_ceilings_get(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Puts a figure of the caller in the place of the row of its kind, dtype and working set, or
    /// beside the others. Its value is above 0; given becomes 1 and disproved 0, whatever the row
    /// says.
    #[doc(alias = "netcl_ceilings_set")]
    pub fn set(&self, row: &Ceiling) -> Result<()> {
        check(unsafe { sys::netcl_ceilings_set(self.as_raw(), row as *const _ as *const _) })
    }

    /// Writes ceilings as JSON. The file is replaced as a whole or not at all. [`IO`](Status::IO).
    #[doc(alias = "netcl_ceilings_save")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path_c = CText::path("path", path.as_ref())?;
        check(unsafe { sys::netcl_ceilings_save(self.as_raw(), path_c.as_ptr()) })
    }
}
