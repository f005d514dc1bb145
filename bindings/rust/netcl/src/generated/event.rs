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

/// The completion of one command. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_event")]
#[repr(transparent)]
pub struct Event {
    raw: NonNull<sys::netcl_event>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Event {}
unsafe impl Sync for Event {}

impl Event {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_event) -> Event {
        Event { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_event {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_event_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_event {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_event) -> Option<Event> {
        NonNull::new(raw).map(|raw| Event { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_event) -> Result<Event> {
        Event::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Event> {
        check(unsafe { sys::netcl_event_retain(self.as_raw()) })?;
        Ok(Event { raw: self.raw })
    }
}

impl Clone for Event {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Event {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        unsafe { sys::netcl_event_release(self.as_raw()) }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Event {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Event) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Event {}

impl Event {
    /// Wraps an OpenCL event of the device's context; it is retained.
    ///
    /// # Safety
    /// The pointers are valid objects of their kind, as the comment above asks for.
    #[doc(alias = "netcl_event_create_from_cl")]
    pub unsafe fn from_cl(device: &Device, cl_event: *mut sys::_cl_event) -> Result<Event> {
        let mut event_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_event_create_from_cl(device.as_raw(), cl_event, &mut event_out)
        })?;
        Ok(unsafe { Event::take(event_out)? })
    }

    /// Waits for the command. Fails with its error, TIMEOUT or CANCELLED. A command fails with any
    /// that it waits for or that was to write what it reads, whatever the driver makes of that.
    /// Where a driver then does not end it, nor what is behind it, the wait ends all the same,
    /// seconds later.
    #[doc(alias = "netcl_event_wait")]
    pub fn wait(&self, timeout: impl Into<Timeout>) -> Result<()> {
        check(unsafe { sys::netcl_event_wait(self.as_raw(), timeout.into().0) })
    }

    /// Tells how far the command has come, without waiting.
    #[doc(alias = "netcl_event_query")]
    pub fn query(&self) -> Result<EventState> {
        let mut state = Default::default();
        check(unsafe { sys::netcl_event_query(self.as_raw(), &mut state) })?;
        Ok(EventState(state))
    }

    /// Gives the times of a completed command. [`BUSY`](Status::BUSY) while it is not complete; its
    /// error when it failed; [`NOT_PROFILED`](Status::NOT_PROFILED) when its queue recorded no
    /// times when it was enqueued, see [`Queue::set_profiling()`];
    /// [`LAUNCH_FAILURE`](Status::LAUNCH_FAILURE) when the driver fails to give them.
    #[doc(alias = "netcl_event_get_timing")]
    pub fn timing(&self) -> Result<EventTiming> {
        let mut timing = MaybeUninit::<sys::netcl_event_timing>::uninit();
        unsafe { support::set_size(timing.as_mut_ptr()) };
        check(unsafe { sys::netcl_event_get_timing(self.as_raw(), timing.as_mut_ptr()) })?;
        Ok(EventTiming::from_raw(unsafe { timing.assume_init_ref() }))
    }

    /// Gives the error of a failed command; status [`Status::OK`] when it has not failed.
    #[doc(alias = "netcl_event_get_error")]
    pub fn error(&self) -> Result<ErrorInfo> {
        let mut info = MaybeUninit::<sys::netcl_error_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_event_get_error(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(ErrorInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Lends the OpenCL event. [`UNSUPPORTED`](Status::UNSUPPORTED) on the built-in device.
    #[doc(alias = "netcl_event_get_cl_event")]
    pub fn cl_event(&self) -> Result<*mut sys::_cl_event> {
        let mut cl_event = ptr::null_mut();
        check(unsafe { sys::netcl_event_get_cl_event(self.as_raw(), &mut cl_event) })?;
        Ok(cl_event)
    }
}
