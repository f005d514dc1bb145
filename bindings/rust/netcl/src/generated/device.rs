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

/// A compute device with its context and its default queue. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_device")]
#[repr(transparent)]
pub struct Device {
    raw: NonNull<sys::netcl_device>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Device {}
unsafe impl Sync for Device {}

impl Device {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_device) -> Device {
        Device { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_device {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_device_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_device {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_device) -> Option<Device> {
        NonNull::new(raw).map(|raw| Device { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_device) -> Result<Device> {
        Device::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Device> {
        check(unsafe { sys::netcl_device_retain(self.as_raw()) })?;
        Ok(Device { raw: self.raw })
    }
}

impl Clone for Device {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Device {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        unsafe { sys::netcl_device_release(self.as_raw()) }
    }
}

impl PartialEq for Device {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Device) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Device {}

impl Device {
    /// Counts all devices: every device of every OpenCL platform, then the built-in CPU device,
    /// which is always there. The first call loads libOpenCL, unless `NETCL_BACKEND`=builtin.
    #[doc(alias = "netcl_device_count")]
    pub fn count() -> Result<u32> {
        let mut count = Default::default();
        check(unsafe { sys::netcl_device_count(&mut count) })?;
        Ok(count)
    }

    /// Describes a device of the list without opening it. [`NOT_FOUND`](Status::NOT_FOUND) past the
    /// end of the list.
    #[doc(alias = "netcl_device_describe")]
    pub fn describe(index: u32) -> Result<DeviceInfo> {
        let mut info = MaybeUninit::<sys::netcl_device_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_device_describe(index, info.as_mut_ptr()) })?;
        Ok(DeviceInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Explains in words which loader, platforms and devices were found, what kept others away, and
    /// which device each word that is a selector gives.
    #[doc(alias = "netcl_device_diagnose")]
    pub fn diagnose() -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_device_diagnose(place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Opens a device. Selectors: "auto" (first discrete GPU, integrated GPU, accelerator, OpenCL
    /// CPU device, built-in), "gpu", "accel", "cpu" (OpenCL CPU device, else built-in), "builtin",
    /// an index of the list ("0"), platform and device ("0:1"), or two or more letters of a
    /// device's name, vendor, platform or version ("rtx", "nvidia", "pocl"), of several devices the
    /// first in the order of "auto"; letters may be of any case, and blanks at the ends do not
    /// count. `None` is "auto". Where "auto" or "cpu" gives the built-in device, the log says why
    /// ([`LogLevel::INFO`]). Each opening gives a new handle to one device object per selected
    /// device. [`NO_DEVICE`](Status::NO_DEVICE) when there is none: the message, of less than 600
    /// bytes, says what there is. [`FORKED`](Status::FORKED) for an OpenCL device in a child of a
    /// process that used OpenCL.
    #[doc(alias = "netcl_device_open")]
    pub fn open(selector: &str) -> Result<Device> {
        let selector_c = CText::new("selector", selector)?;
        let mut device_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_device_open(selector_c.as_ptr(), ptr::null(), &mut device_out)
        })?;
        Ok(unsafe { Device::take(device_out)? })
    }

    /// As [`Self::open`], with options.
    #[doc(alias = "netcl_device_open")]
    pub fn open_with(selector: &str, options: DeviceOptions) -> Result<Device> {
        let selector_c = CText::new("selector", selector)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut device_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_device_open(selector_c.as_ptr(), &options_raw, &mut device_out)
        })?;
        Ok(unsafe { Device::take(device_out)? })
    }

    /// Wraps an OpenCL context, one of its devices, and a queue of both as a netcl device. All
    /// three are retained until the last object made from the device is gone. A `None` queue makes
    /// netcl create one. Commands that the caller enqueues itself are not known to netcl's
    /// ordering.
    ///
    /// # Safety
    /// The pointers are valid objects of their kind, as the comment above asks for.
    #[doc(alias = "netcl_device_open_from_cl")]
    pub unsafe fn open_from_cl(
        context: *mut sys::_cl_context,
        device_id: *mut sys::_cl_device_id,
        queue: *mut sys::_cl_command_queue,
    ) -> Result<Device> {
        let mut device_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_device_open_from_cl(context, device_id, queue, ptr::null(), &mut device_out)
        })?;
        Ok(unsafe { Device::take(device_out)? })
    }

    /// As [`Self::open_from_cl`], with options.
    ///
    /// # Safety
    /// The pointers are valid objects of their kind, as the comment above asks for.
    #[doc(alias = "netcl_device_open_from_cl")]
    pub unsafe fn open_from_cl_with(
        context: *mut sys::_cl_context,
        device_id: *mut sys::_cl_device_id,
        queue: *mut sys::_cl_command_queue,
        options: DeviceOptions,
    ) -> Result<Device> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut device_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_device_open_from_cl(context, device_id, queue, &options_raw, &mut device_out)
        })?;
        Ok(unsafe { Device::take(device_out)? })
    }

    /// Gives the identity of a device.
    #[doc(alias = "netcl_device_get_info")]
    pub fn info(&self) -> Result<DeviceInfo> {
        let mut info = MaybeUninit::<sys::netcl_device_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_device_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(DeviceInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives the capabilities of a device. The first call for one of NVIDIA's Hopper generation
    /// builds and runs a kernel, to see what its matrix units take, after what the device has to do
    /// already.
    #[doc(alias = "netcl_device_get_capabilities")]
    pub fn capabilities(&self) -> Result<DeviceCapabilities> {
        let mut capabilities = MaybeUninit::<sys::netcl_device_capabilities>::uninit();
        unsafe { support::set_size(capabilities.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_device_get_capabilities(self.as_raw(), capabilities.as_mut_ptr())
        })?;
        Ok(DeviceCapabilities::from_raw(unsafe { capabilities.assume_init_ref() }))
    }

    /// Waits for everything enqueued on any queue of the device. Fails with the error of the first
    /// command that failed since the last finish of the device or of its queue, TIMEOUT, CANCELLED
    /// or [`DEVICE_LOST`](Status::DEVICE_LOST).
    #[doc(alias = "netcl_device_finish")]
    pub fn finish(&self, timeout: impl Into<Timeout>) -> Result<()> {
        check(unsafe { sys::netcl_device_finish(self.as_raw(), timeout.into().0) })
    }

    /// Suggests a local size and the global size rounded up to its multiple, from the shape of the
    /// work and the device's limits: 64 items in one dimension, 8x8 or a multiple of the preferred
    /// width in two, 4x4x4 in three; on CPUs 64x4 and 64x4x1.
    ///
    /// * Gives `local`: as many entries as global
    /// * Gives `rounded`: as many entries as global
    #[doc(alias = "netcl_device_suggest_local_size")]
    pub fn suggest_local_size(&self, global: impl Into<Shape>) -> Result<(Shape, Shape)> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let mut local = vec![u64::default(); global.len()];
        let mut rounded = vec![u64::default(); global.len()];
        check(unsafe {
            sys::netcl_device_suggest_local_size(
                self.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                local.as_mut_ptr() as *mut _,
                rounded.as_mut_ptr() as *mut _,
            )
        })?;
        Ok((local.into_iter().map(|n| n as usize).collect(), rounded.into_iter().map(|n| n as usize).collect()))
    }

    /// Tells how [`op::copy()`] brings a tensor of `from` to `to`, and why so. It is the same for
    /// all tensors of the two, but for those that lie in the same memory of the host. Any thread.
    #[doc(alias = "netcl_device_explain_copy")]
    pub fn explain_copy(&self, to: &Device) -> Result<CopyExplanation> {
        let mut explanation = MaybeUninit::<sys::netcl_copy_explanation>::uninit();
        unsafe { support::set_size(explanation.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_device_explain_copy(self.as_raw(), to.as_raw(), explanation.as_mut_ptr())
        })?;
        Ok(CopyExplanation::from_raw(unsafe { explanation.assume_init_ref() }))
    }

    /// Lends the OpenCL context. [`UNSUPPORTED`](Status::UNSUPPORTED) on the built-in device.
    #[doc(alias = "netcl_device_get_cl_context")]
    pub fn cl_context(&self) -> Result<*mut sys::_cl_context> {
        let mut context = ptr::null_mut();
        check(unsafe { sys::netcl_device_get_cl_context(self.as_raw(), &mut context) })?;
        Ok(context)
    }

    /// Lends the OpenCL device. [`UNSUPPORTED`](Status::UNSUPPORTED) on the built-in device.
    #[doc(alias = "netcl_device_get_cl_device")]
    pub fn cl_device(&self) -> Result<*mut sys::_cl_device_id> {
        let mut device_id = ptr::null_mut();
        check(unsafe { sys::netcl_device_get_cl_device(self.as_raw(), &mut device_id) })?;
        Ok(device_id)
    }

    /// Gives the device's default in-order queue.
    #[doc(alias = "netcl_device_get_queue")]
    pub fn queue(&self) -> Result<Queue> {
        let mut queue_out = ptr::null_mut();
        check(unsafe { sys::netcl_device_get_queue(self.as_raw(), &mut queue_out) })?;
        Ok(unsafe { Queue::take(queue_out)? })
    }

    /// Makes a device the calling thread's active one. Active devices form a stack per thread; no
    /// other function consults it. What is left on the stack is given back when the thread ends.
    #[doc(alias = "netcl_device_push")]
    pub fn push(&self) -> Result<()> {
        check(unsafe { sys::netcl_device_push(self.as_raw()) })
    }

    /// Takes the calling thread's active device off its stack. [`NOT_FOUND`](Status::NOT_FOUND)
    /// when the stack is empty.
    #[doc(alias = "netcl_device_pop")]
    pub fn pop() -> Result<()> {
        check(unsafe { sys::netcl_device_pop() })
    }

    /// Gives the calling thread's active device. [`NOT_FOUND`](Status::NOT_FOUND) when there is
    /// none.
    #[doc(alias = "netcl_device_current")]
    pub fn current() -> Result<Device> {
        let mut device_out = ptr::null_mut();
        check(unsafe { sys::netcl_device_current(&mut device_out) })?;
        Ok(unsafe { Device::take(device_out)? })
    }

    /// Gives the device's own pool of a kind: PERSISTENT is where tensors come from by default,
    /// PINNED is where transfers are staged, POWER_OF_TWO is made at the first call.
    #[doc(alias = "netcl_device_get_pool")]
    pub fn pool(&self, kind: PoolKind) -> Result<Pool> {
        let mut pool_out = ptr::null_mut();
        check(unsafe { sys::netcl_device_get_pool(self.as_raw(), kind.0, &mut pool_out) })?;
        Ok(unsafe { Pool::take(pool_out)? })
    }

    /// Gives the part of a device, as keys have it: what decides its speed and is the same in every
    /// process, separated by \|. These are vendor, name, and the compute units of a GPU or
    /// accelerator or the processor of the built-in device; free memory, limits and threads are
    /// none of it. Keys and records with a part in the form of 0.1.0 (units and memory in GiB at
    /// the end) are read as one of this form.
    #[doc(alias = "netcl_device_get_part")]
    pub fn part(&self) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_device_get_part(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Tells whether a record may answer a look-up for a device: EXACT, OTHER_DRIVER, or OTHER_PART
    /// when it may not. Shape, source and flags are not looked at.
    #[doc(alias = "netcl_device_match_record")]
    pub fn match_record(&self, record: &TuningRecord) -> Result<Match> {
        let record_raw = record.raw();
        let mut match_ = Default::default();
        check(unsafe { sys::netcl_device_match_record(self.as_raw(), &record_raw, &mut match_) })?;
        Ok(Match(match_))
    }
}
