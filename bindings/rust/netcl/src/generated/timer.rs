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

/// A stopwatch of what is enqueued on a queue. Movable.
#[doc(alias = "netcl_timer")]
#[repr(transparent)]
pub struct Timer {
    raw: NonNull<sys::netcl_timer>,
}

// The header says "Movable.": Send without Sync.
unsafe impl Send for Timer {}

impl Timer {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_timer) -> Timer {
        Timer { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_timer {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_timer_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_timer {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_timer) -> Option<Timer> {
        NonNull::new(raw).map(|raw| Timer { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_timer) -> Result<Timer> {
        Timer::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference.
    ///
    /// # Safety
    /// The object may change threads but not be used by two at a time; that holds for all
    /// references to it together.
    pub unsafe fn try_clone(&self) -> Result<Timer> {
        check(unsafe { sys::netcl_timer_retain(self.as_raw()) })?;
        Ok(Timer { raw: self.raw })
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        unsafe { sys::netcl_timer_release(self.as_raw()) }
    }
}

impl fmt::Debug for Timer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timer({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Timer {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Timer) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Timer {}

impl Timer {
    /// Makes a timer of what is enqueued on a queue. Times are recorded on the queue while it runs;
    /// its memory is made at the first pair and used again. [`NOT_PROFILED`](Status::NOT_PROFILED)
    /// for a wrapped queue without profiling.
    #[doc(alias = "netcl_timer_create")]
    pub fn new(queue: &Queue) -> Result<Timer> {
        let mut timer_out = ptr::null_mut();
        check(unsafe { sys::netcl_timer_create(queue.as_raw(), &mut timer_out) })?;
        Ok(unsafe { Timer::take(timer_out)? })
    }

    /// Starts the timer; [`BUSY`](Status::BUSY) when it runs.
    #[doc(alias = "netcl_timer_start")]
    pub fn start(&self) -> Result<()> {
        check(unsafe { sys::netcl_timer_start(self.as_raw()) })
    }

    /// Stops the timer and waits for what was enqueued since its start.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when it does not run; on TIMEOUT it is
    /// stopped and a further call gives the result.
    #[doc(alias = "netcl_timer_stop")]
    pub fn stop(&self, timeout: impl Into<Timeout>) -> Result<Elapsed> {
        let mut elapsed = MaybeUninit::<sys::netcl_elapsed>::uninit();
        unsafe { support::set_size(elapsed.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_timer_stop(self.as_raw(), timeout.into().0, elapsed.as_mut_ptr())
        })?;
        Ok(Elapsed::from_raw(unsafe { elapsed.assume_init_ref() }))
    }
}
