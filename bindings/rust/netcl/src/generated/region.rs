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

/// A named stretch of work on a queue, for profiles. Movable.
#[doc(alias = "netcl_region")]
#[repr(transparent)]
pub struct Region {
    raw: NonNull<sys::netcl_region>,
}

// The header says "Movable.": Send without Sync.
unsafe impl Send for Region {}

impl Region {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_region) -> Region {
        Region { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_region {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_region_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_region {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_region) -> Option<Region> {
        NonNull::new(raw).map(|raw| Region { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_region) -> Result<Region> {
        Region::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference.
    ///
    /// # Safety
    /// The object may change threads but not be used by two at a time; that holds for all
    /// references to it together.
    pub unsafe fn try_clone(&self) -> Result<Region> {
        check(unsafe { sys::netcl_region_retain(self.as_raw()) })?;
        Ok(Region { raw: self.raw })
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        unsafe { sys::netcl_region_release(self.as_raw()) }
    }
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Region({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Region {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Region) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Region {}

impl Region {
    /// Opens a region on a queue; commands enqueued there by this thread until its end belong to
    /// it. `parent` may be `None`: then it is a root. While no profile is on, a region of a kind
    /// that records nothing is given. A report has up to 30 regions inside each other; what is
    /// deeper counts as part of the thirtieth.
    #[doc(alias = "netcl_region_begin")]
    pub fn begin(queue: &Queue, parent: Option<&Region>, name: &str) -> Result<Region> {
        let name_c = CText::new("name", name)?;
        let mut region_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_region_begin(
                queue.as_raw(),
                parent.map_or(ptr::null_mut(), |h| h.as_raw()),
                name_c.as_ptr(),
                &mut region_out,
            )
        })?;
        Ok(unsafe { Region::take(region_out)? })
    }

    /// Closes a region; its handle is released as any other.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) the second time.
    #[doc(alias = "netcl_region_end")]
    pub fn end(&self) -> Result<()> {
        check(unsafe { sys::netcl_region_end(self.as_raw()) })
    }

    /// Adds bytes moved and floating-point operations to a region.
    #[doc(alias = "netcl_region_annotate")]
    pub fn annotate(&self, bytes: f64, operations: f64) -> Result<()> {
        check(unsafe { sys::netcl_region_annotate(self.as_raw(), bytes, operations) })
    }

    /// Opens a region under the calling thread's innermost one, which it becomes.
    #[doc(alias = "netcl_region_push")]
    pub fn push(queue: &Queue, name: &str) -> Result<()> {
        let name_c = CText::new("name", name)?;
        check(unsafe { sys::netcl_region_push(queue.as_raw(), name_c.as_ptr()) })
    }

    /// Closes the calling thread's innermost region. [`NOT_FOUND`](Status::NOT_FOUND) when there is
    /// none.
    #[doc(alias = "netcl_region_pop")]
    pub fn pop() -> Result<()> {
        check(unsafe { sys::netcl_region_pop() })
    }
}
