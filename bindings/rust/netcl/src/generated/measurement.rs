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

/// A loop that times work of the caller. Movable.
#[doc(alias = "netcl_measurement")]
#[repr(transparent)]
pub struct Measurement {
    raw: NonNull<sys::netcl_measurement>,
}

// The header says "Movable.": Send without Sync.
unsafe impl Send for Measurement {}

impl Measurement {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_measurement) -> Measurement {
        Measurement { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_measurement {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_measurement_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_measurement {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_measurement) -> Option<Measurement> {
        NonNull::new(raw).map(|raw| Measurement { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_measurement) -> Result<Measurement> {
        Measurement::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference.
    ///
    /// # Safety
    /// The object may change threads but not be used by two at a time; that holds for all
    /// references to it together.
    pub unsafe fn try_clone(&self) -> Result<Measurement> {
        check(unsafe { sys::netcl_measurement_retain(self.as_raw()) })?;
        Ok(Measurement { raw: self.raw })
    }
}

impl Drop for Measurement {
    fn drop(&mut self) {
        unsafe { sys::netcl_measurement_release(self.as_raw()) }
    }
}

impl fmt::Debug for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Measurement({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Measurement {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Measurement) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Measurement {}

impl Measurement {
    /// Begins a measurement of work that the caller enqueues on `queue`, in a loop over
    /// [`Measurement::next()`]; needs no callback. Several candidates take turns in random order.
    /// Times are recorded on the queue until the measurement is done or released.
    /// [`NOT_PROFILED`](Status::NOT_PROFILED) for a wrapped queue without profiling, unless the
    /// source is HOST. `options.measurement` must be `None`.
    #[doc(alias = "netcl_measurement_create")]
    pub fn new(queue: &Queue) -> Result<Measurement> {
        let mut measurement_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_measurement_create(queue.as_raw(), ptr::null(), &mut measurement_out)
        })?;
        Ok(unsafe { Measurement::take(measurement_out)? })
    }

    /// As [`Self::new`], with options.
    #[doc(alias = "netcl_measurement_create")]
    pub fn with_options(queue: &Queue, options: MeasurementOptions<'_>) -> Result<Measurement> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut measurement_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_measurement_create(queue.as_raw(), &options_raw, &mut measurement_out)
        })?;
        options.finish(options_keep);
        Ok(unsafe { Measurement::take(measurement_out)? })
    }

    /// Ends the run before and begins the next one: the caller then enqueues the work of
    /// `candidate` `iterations` times. iterations 0: the measurement is over. Movable: one thread
    /// at a time. Fails with the error of the work that was enqueued;
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when there was none.
    ///
    /// * Gives `candidate`: whose turn it is, from 0 on
    /// * Gives `iterations`: how often
    #[doc(alias = "netcl_measurement_next")]
    pub fn next(&self) -> Result<(u32, u64)> {
        let mut candidate = Default::default();
        let mut iterations = Default::default();
        check(unsafe {
            sys::netcl_measurement_next(self.as_raw(), &mut candidate, &mut iterations)
        })?;
        Ok((candidate, iterations))
    }

    /// Gives the statistics of a candidate so far.
    #[doc(alias = "netcl_measurement_get_statistics")]
    pub fn statistics(&self, candidate: u32) -> Result<Statistics> {
        let mut statistics = MaybeUninit::<sys::netcl_statistics>::uninit();
        unsafe { support::set_size(statistics.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_measurement_get_statistics(self.as_raw(), candidate, statistics.as_mut_ptr())
        })?;
        Ok(Statistics::from_raw(unsafe { statistics.assume_init_ref() }))
    }

    /// Gives all samples of a candidate in the order they were taken, nanoseconds per iteration.
    #[doc(alias = "netcl_measurement_get_samples")]
    pub fn samples(&self, candidate: u32) -> Result<Vec<f64>> {
        let text = support::read_array(f64::default(), |place, room, length| unsafe {
            sys::netcl_measurement_get_samples(
                self.as_raw(),
                candidate,
                place as *mut _,
                room,
                length,
            )
        })?;
        Ok(text)
    }

    /// Compares two candidates.
    #[doc(alias = "netcl_measurement_compare")]
    pub fn compare(&self, first: u32, second: u32) -> Result<Comparison> {
        let mut comparison = MaybeUninit::<sys::netcl_comparison>::uninit();
        unsafe { support::set_size(comparison.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_measurement_compare(self.as_raw(), first, second, comparison.as_mut_ptr())
        })?;
        Ok(Comparison::from_raw(unsafe { comparison.assume_init_ref() }))
    }
}
