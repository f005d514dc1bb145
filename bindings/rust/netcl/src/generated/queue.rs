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

/// An in-order or out-of-order command queue of a device. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_queue")]
#[repr(transparent)]
pub struct Queue {
    raw: NonNull<sys::netcl_queue>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Queue {}
unsafe impl Sync for Queue {}

impl Queue {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_queue) -> Queue {
        Queue { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_queue {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_queue_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_queue {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_queue) -> Option<Queue> {
        NonNull::new(raw).map(|raw| Queue { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_queue) -> Result<Queue> {
        Queue::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Queue> {
        check(unsafe { sys::netcl_queue_retain(self.as_raw()) })?;
        Ok(Queue { raw: self.raw })
    }
}

impl Clone for Queue {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Queue {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        unsafe { sys::netcl_queue_release(self.as_raw()) }
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queue({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Queue {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Queue) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Queue {}

impl Queue {
    /// Makes another queue of a device. [`UNSUPPORTED`](Status::UNSUPPORTED) for an out-of-order
    /// queue where there are none (the built-in device accepts one and runs it in order).
    #[doc(alias = "netcl_queue_create")]
    pub fn new(device: &Device) -> Result<Queue> {
        let mut queue_out = ptr::null_mut();
        check(unsafe { sys::netcl_queue_create(device.as_raw(), ptr::null(), &mut queue_out) })?;
        Ok(unsafe { Queue::take(queue_out)? })
    }

    /// As [`Self::new`], with options.
    #[doc(alias = "netcl_queue_create")]
    pub fn with_options(device: &Device, options: QueueOptions) -> Result<Queue> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut queue_out = ptr::null_mut();
        check(unsafe { sys::netcl_queue_create(device.as_raw(), &options_raw, &mut queue_out) })?;
        Ok(unsafe { Queue::take(queue_out)? })
    }

    /// Wraps an OpenCL queue of the device's context and device; it is retained. Times are recorded
    /// when the queue was made with profiling.
    ///
    /// # Safety
    /// The pointers are valid objects of their kind, as the comment above asks for.
    #[doc(alias = "netcl_queue_create_from_cl")]
    pub unsafe fn from_cl(device: &Device, cl_queue: *mut sys::_cl_command_queue) -> Result<Queue> {
        let mut queue_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_queue_create_from_cl(device.as_raw(), cl_queue, &mut queue_out)
        })?;
        Ok(unsafe { Queue::take(queue_out)? })
    }

    /// Gives the state of a queue.
    #[doc(alias = "netcl_queue_get_info")]
    pub fn info(&self) -> Result<QueueInfo> {
        let mut info = MaybeUninit::<sys::netcl_queue_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_queue_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(QueueInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives the device of a queue.
    #[doc(alias = "netcl_queue_get_device")]
    pub fn device(&self) -> Result<Device> {
        let mut device_out = ptr::null_mut();
        check(unsafe { sys::netcl_queue_get_device(self.as_raw(), &mut device_out) })?;
        Ok(unsafe { Device::take(device_out)? })
    }

    /// Switches the recording of times on or off for commands enqueued from now on. The order of
    /// commands is kept across the switch. A wrapped queue stays as it was made:
    /// [`NOT_PROFILED`](Status::NOT_PROFILED) to switch one on that was made without profiling,
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) to switch one off. `NETCL_PROFILE_EVENTS`=1 switches it
    /// on for every queue at creation.
    #[doc(alias = "netcl_queue_set_profiling")]
    pub fn set_profiling(&self, enabled: bool) -> Result<()> {
        check(unsafe { sys::netcl_queue_set_profiling(self.as_raw(), enabled as u32) })
    }

    /// Hands all enqueued commands to the device.
    #[doc(alias = "netcl_queue_flush")]
    pub fn flush(&self) -> Result<()> {
        check(unsafe { sys::netcl_queue_flush(self.as_raw()) })
    }

    /// Waits for everything enqueued on the queue; errors as for [`Device::finish()`].
    #[doc(alias = "netcl_queue_finish")]
    pub fn finish(&self, timeout: impl Into<Timeout>) -> Result<()> {
        check(unsafe { sys::netcl_queue_finish(self.as_raw(), timeout.into().0) })
    }

    /// Enqueues a marker: its event completes when everything enqueued before on this queue and all
    /// of `waits` have completed.
    #[doc(alias = "netcl_queue_enqueue_marker")]
    pub fn enqueue_marker(&self, waits: &[&Event]) -> Result<Event> {
        let mut waits_raw = Pointers::default();
        waits_raw.fill(waits.iter().map(|h| h.as_raw()));
        let mut event_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_queue_enqueue_marker(
                self.as_raw(),
                waits_raw.as_ptr(),
                support::count("waits", waits.len())?,
                &mut event_out,
            )
        })?;
        Ok(unsafe { Event::take(event_out)? })
    }

    /// Lends the OpenCL queue that commands go to at present, after flushing it.
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) on the built-in device.
    #[doc(alias = "netcl_queue_get_cl_queue")]
    pub fn cl_queue(&self) -> Result<*mut sys::_cl_command_queue> {
        let mut cl_queue = ptr::null_mut();
        check(unsafe { sys::netcl_queue_get_cl_queue(self.as_raw(), &mut cl_queue) })?;
        Ok(cl_queue)
    }

    /// Measures a function that enqueues work: [`Measurement::new()`] and a loop around it. Fails
    /// with what the function returns. For the samples set `options.measurement`, then call
    /// [`Measurement::samples()`] for candidate 0.
    #[doc(alias = "netcl_queue_time")]
    pub fn time(&self, mut work: impl FnMut(&Queue) -> Result<()>) -> Result<Statistics> {
        let mut work_scoped = WorkFnScoped { function: &mut work, panic: None, error: None };
        let mut statistics = MaybeUninit::<sys::netcl_statistics>::uninit();
        unsafe { support::set_size(statistics.as_mut_ptr()) };
        let status = unsafe {
            sys::netcl_queue_time(
                self.as_raw(),
                Some(work_fn_call_scoped),
                &mut work_scoped as *mut _ as *mut c_void,
                ptr::null(),
                statistics.as_mut_ptr(),
            )
        };
        if let Some(panic) = work_scoped.panic {
            std::panic::resume_unwind(panic);
        }
        if let Some(error) = work_scoped.error {
            return Err(error);
        }
        check(status)?;
        Ok(Statistics::from_raw(unsafe { statistics.assume_init_ref() }))
    }

    /// As [`Self::time`], with options.
    #[doc(alias = "netcl_queue_time")]
    pub fn time_with(
        &self,
        mut work: impl FnMut(&Queue) -> Result<()>,
        options: MeasurementOptions<'_>,
    ) -> Result<Statistics> {
        let mut work_scoped = WorkFnScoped { function: &mut work, panic: None, error: None };
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut statistics = MaybeUninit::<sys::netcl_statistics>::uninit();
        unsafe { support::set_size(statistics.as_mut_ptr()) };
        let status = unsafe {
            sys::netcl_queue_time(
                self.as_raw(),
                Some(work_fn_call_scoped),
                &mut work_scoped as *mut _ as *mut c_void,
                &options_raw,
                statistics.as_mut_ptr(),
            )
        };
        if let Some(panic) = work_scoped.panic {
            std::panic::resume_unwind(panic);
        }
        if let Some(error) = work_scoped.error {
            return Err(error);
        }
        check(status)?;
        options.finish(options_keep);
        Ok(Statistics::from_raw(unsafe { statistics.assume_init_ref() }))
    }
}
