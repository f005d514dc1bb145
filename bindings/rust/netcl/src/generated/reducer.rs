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

/// What joins the gradients of all ranks of a group while a graph works them out. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_reducer")]
#[repr(transparent)]
pub struct Reducer {
    raw: NonNull<sys::netcl_reducer>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Reducer {}
unsafe impl Sync for Reducer {}

impl Reducer {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_reducer) -> Reducer {
        Reducer { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_reducer {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_reducer_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_reducer {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_reducer) -> Option<Reducer> {
        NonNull::new(raw).map(|raw| Reducer { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_reducer) -> Result<Reducer> {
        Reducer::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Reducer> {
        check(unsafe { sys::netcl_reducer_retain(self.as_raw()) })?;
        Ok(Reducer { raw: self.raw })
    }
}

impl Clone for Reducer {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Reducer {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Reducer {
    fn drop(&mut self) {
        unsafe { sys::netcl_reducer_release(self.as_raw()) }
    }
}

impl fmt::Debug for Reducer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reducer({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Reducer {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Reducer) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Reducer {}

impl Reducer {
    /// Makes a reducer for this rank. All ranks make the call, as they make [`Group::split()`]: the
    /// reducer has a part of the group to itself, with the group's timeout, so that its calls and
    /// those of the group do not meet. Options that differ between the ranks are
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) on all of them. By messages of MPI its thread
    /// calls MPI, which takes MPI_THREAD_SERIALIZED at least, else
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT), and is as another thread that calls; see
    /// [`Group::mpi()`].
    #[doc(alias = "netcl_reducer_create")]
    pub fn new(group: &Group) -> Result<Reducer> {
        let mut reducer_out = ptr::null_mut();
        check(unsafe { sys::netcl_reducer_create(group.as_raw(), ptr::null(), &mut reducer_out) })?;
        Ok(unsafe { Reducer::take(reducer_out)? })
    }

    /// As [`Self::new`], with options.
    #[doc(alias = "netcl_reducer_create")]
    pub fn with_options(group: &Group, options: ReducerOptions) -> Result<Reducer> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut reducer_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_reducer_create(group.as_raw(), &options_raw, &mut reducer_out)
        })?;
        Ok(unsafe { Reducer::take(reducer_out)? })
    }

    /// Tells what a reducer is and has done.
    #[doc(alias = "netcl_reducer_get_info")]
    pub fn info(&self) -> Result<ReducerInfo> {
        let mut info = MaybeUninit::<sys::netcl_reducer_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_reducer_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(ReducerInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Waits until the gradients of the last run are joined and lie in their tensors, and gives
    /// what failed: on this rank, or on another one, as a call of the group would; what made the
    /// run fail is given once more. Nothing to wait for is [`Status::OK`]. The wait ends by itself:
    /// no rank waits longer for another than the group's timeout, with TIMEOUT or
    /// [`RANK_LOST`](Status::RANK_LOST) and a message that names it. TIMEOUT after `timeout`, too:
    /// then the wait can be made again.
    #[doc(alias = "netcl_reducer_wait")]
    pub fn wait(&self, timeout: impl Into<Timeout>) -> Result<()> {
        check(unsafe { sys::netcl_reducer_wait(self.as_raw(), timeout.into().0) })
    }
}
