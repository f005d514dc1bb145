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

/// An analyzer of how near kernels are to the roofline, with its history. Movable.
#[doc(alias = "netcl_roofline")]
#[repr(transparent)]
pub struct Roofline {
    raw: NonNull<sys::netcl_roofline>,
}

// The header says "Movable.": Send without Sync.
unsafe impl Send for Roofline {}

impl Roofline {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_roofline) -> Roofline {
        Roofline { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_roofline {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_roofline_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_roofline {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_roofline) -> Option<Roofline> {
        NonNull::new(raw).map(|raw| Roofline { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_roofline) -> Result<Roofline> {
        Roofline::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference.
    ///
    /// # Safety
    /// The object may change threads but not be used by two at a time; that holds for all
    /// references to it together.
    pub unsafe fn try_clone(&self) -> Result<Roofline> {
        check(unsafe { sys::netcl_roofline_retain(self.as_raw()) })?;
        Ok(Roofline { raw: self.raw })
    }
}

impl Drop for Roofline {
    fn drop(&mut self) {
        unsafe { sys::netcl_roofline_release(self.as_raw()) }
    }
}

impl fmt::Debug for Roofline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Roofline({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Roofline {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Roofline) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Roofline {}

impl Roofline {
    /// Makes an analyzer, which holds its options and the history of the rounds. Percentages that
    /// are negative or no number, thresholds outside 1 to 100 (0.9 is no 90 %), and
    /// convergence_rounds of 1 are [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
    #[doc(alias = "netcl_roofline_create")]
    pub fn new() -> Result<Roofline> {
        let mut roofline_out = ptr::null_mut();
        check(unsafe { sys::netcl_roofline_create(ptr::null(), &mut roofline_out) })?;
        Ok(unsafe { Roofline::take(roofline_out)? })
    }

    /// As [`Self::new`], with options.
    #[doc(alias = "netcl_roofline_create")]
    pub fn with_options(options: RooflineOptions) -> Result<Roofline> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut roofline_out = ptr::null_mut();
        check(unsafe { sys::netcl_roofline_create(&options_raw, &mut roofline_out) })?;
        Ok(unsafe { Roofline::take(roofline_out)? })
    }

    /// Analyzes metrics of Nsight Compute given by name:
    /// sm__throughput.avg.pct_of_peak_sustained_elapsed,
    /// gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed and
    /// sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active (or _elapsed, or other
    /// activity of tensor pipes); others are ignored. Where the second is missing, dram__throughput
    /// or gpu__dram_throughput stands for it, with a warning. One of the first two missing: 0 for
    /// it and a warning. Both missing: zeros, UNKNOWN and a warning. More than 105 % is warned of.
    /// NaN and infinite values are [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
    #[doc(alias = "netcl_roofline_analyze_metrics")]
    pub fn analyze_metrics(&self, names: &[&str], values: &[f64]) -> Result<RooflineResult> {
        let mut names_c = Texts::default();
        names_c.fill("names", names)?;
        support::same_length("names", names.len(), "values", values.len())?;
        let mut result = MaybeUninit::<sys::netcl_roofline_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_roofline_analyze_metrics(
                self.as_raw(),
                names_c.as_ptr(),
                support::slice_ptr(values) as *const _,
                support::count("names", names.len())?,
                result.as_mut_ptr(),
            )
        })?;
        Ok(RooflineResult::from_raw(unsafe { result.assume_init_ref() }))
    }

    /// Analyzes a CSV report of Nsight Compute (ncu --csv) in any form since 2020: a row per metric
    /// (the details page, with or without rules, --metrics), a column per metric (--page raw), and
    /// summaries (--print-summary), of which the averages count. Names are those of metrics or
    /// those that people read. A launch is known by its process and ID. Lines before the header are
    /// skipped; errors and warnings of the profiler come back as warnings, or in the message when
    /// there is no report. [`CORRUPT_DATA`](Status::CORRUPT_DATA) naming and quoting the line: a
    /// line of no such form, a value that is no number, a number such as "117.344" that may have a
    /// decimal comma or separators of thousands, as far as the other numbers tell (write the report
    /// with LC_ALL=C), a metric that a launch has twice with different values, a column that a
    /// header has twice, an ID with two kernels. [`NOT_FOUND`](Status::NOT_FOUND) when no launch
    /// matches, [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for `text.len()` above 2^32. What
    /// [`Roofline::analyze_metrics()`] says of missing metrics holds here too: the status is OK
    /// then, and `bottleneck` UNKNOWN.
    #[doc(alias = "netcl_roofline_analyze_ncu")]
    pub fn analyze_ncu(&self, text: &str) -> Result<RooflineResult> {
        let text_c = CText::new("text", text)?;
        let mut result = MaybeUninit::<sys::netcl_roofline_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_roofline_analyze_ncu(
                self.as_raw(),
                text_c.as_ptr(),
                text.len(),
                ptr::null(),
                result.as_mut_ptr(),
            )
        })?;
        Ok(RooflineResult::from_raw(unsafe { result.assume_init_ref() }))
    }

    /// As [`Self::analyze_ncu`], with options.
    #[doc(alias = "netcl_roofline_analyze_ncu")]
    pub fn analyze_ncu_with(&self, text: &str, options: NcuOptions<'_>) -> Result<RooflineResult> {
        let text_c = CText::new("text", text)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut result = MaybeUninit::<sys::netcl_roofline_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_roofline_analyze_ncu(
                self.as_raw(),
                text_c.as_ptr(),
                text.len(),
                &options_raw,
                result.as_mut_ptr(),
            )
        })?;
        Ok(RooflineResult::from_raw(unsafe { result.assume_init_ref() }))
    }

    /// Enters a result into the history and decides whether optimising may stop: at the roofline
    /// (with early_stop), or when the efficiencies of the last convergence_rounds results lie
    /// within less than min_improvement_pct.
    #[doc(alias = "netcl_roofline_should_stop")]
    pub fn should_stop(&self, result: &RooflineResult) -> Result<bool> {
        let result_raw = result.raw();
        let mut stop = Default::default();
        check(unsafe { sys::netcl_roofline_should_stop(self.as_raw(), &result_raw, &mut stop) })?;
        Ok(stop != 0)
    }

    /// Gives the reason of the last [`Roofline::should_stop()`], "" when it said to go on.
    #[doc(alias = "netcl_roofline_get_reason")]
    pub fn reason(&self) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_roofline_get_reason(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Forgets the history and the reason.
    #[doc(alias = "netcl_roofline_reset_history")]
    pub fn reset_history(&self) -> Result<()> {
        check(unsafe { sys::netcl_roofline_reset_history(self.as_raw()) })
    }

    /// Gives a result as text for people or as JSON. CSV is [`UNSUPPORTED`](Status::UNSUPPORTED).
    #[doc(alias = "netcl_roofline_format")]
    pub fn format(result: &RooflineResult, format: Format) -> Result<String> {
        let result_raw = result.raw();
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_roofline_format(&result_raw, format.0, place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Analyzes a time against ceilings. compute_sol_pct is the time that the operations take at
    /// the COMPUTE ceiling of their dtype (TENSOR with matrix_units) over the time; f16 and bf16
    /// without a row take that of f32, integers that of i32. memory_sol_pct is the time that the
    /// bytes take over the time: as many read as written at the copy ceiling, the others at that of
    /// reads or writes; those of the caches where a measured working set holds all bytes and
    /// nothing is cold, interpolated between the two sets around it, else those of the memory. Work
    /// that is 0 has the share 0. Work without a ceiling counts as missing, as in
    /// [`Roofline::analyze_metrics()`], and no work at all as both missing. A time that beats a
    /// ceiling by more than 5 % marks it as disproved and is warned of.
    #[doc(alias = "netcl_roofline_analyze_time")]
    pub fn analyze_time(
        &self,
        ceilings: &Ceilings,
        time_ns: f64,
        work: Work,
    ) -> Result<RooflineResult> {
        let mut work_keep = Default::default();
        let work_raw = work.raw(&mut work_keep)?;
        let mut result = MaybeUninit::<sys::netcl_roofline_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_roofline_analyze_time(
                self.as_raw(),
                ceilings.as_raw(),
                time_ns,
                &work_raw,
                result.as_mut_ptr(),
            )
        })?;
        Ok(RooflineResult::from_raw(unsafe { result.assume_init_ref() }))
    }

    /// Analyzes the median of a measurement with the work that its ops declared: what a timed op
    /// achieves is [`Queue::time()`] and this.
    #[doc(alias = "netcl_roofline_analyze_statistics")]
    pub fn analyze_statistics(
        &self,
        ceilings: &Ceilings,
        statistics: &Statistics,
    ) -> Result<RooflineResult> {
        let statistics_raw = statistics.raw();
        let mut result = MaybeUninit::<sys::netcl_roofline_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_roofline_analyze_statistics(
                self.as_raw(),
                ceilings.as_raw(),
                &statistics_raw,
                result.as_mut_ptr(),
            )
        })?;
        Ok(RooflineResult::from_raw(unsafe { result.assume_init_ref() }))
    }
}
