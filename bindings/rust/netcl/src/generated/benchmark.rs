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

/// A comparison of candidate kernels, in a process of their own, with a baseline. Movable.
#[doc(alias = "netcl_benchmark")]
#[repr(transparent)]
pub struct Benchmark {
    raw: NonNull<sys::netcl_benchmark>,
}

// The header says "Movable.": Send without Sync.
unsafe impl Send for Benchmark {}

impl Benchmark {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_benchmark) -> Benchmark {
        Benchmark { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_benchmark {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_benchmark_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_benchmark {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_benchmark) -> Option<Benchmark> {
        NonNull::new(raw).map(|raw| Benchmark { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_benchmark) -> Result<Benchmark> {
        Benchmark::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference.
    ///
    /// # Safety
    /// The object may change threads but not be used by two at a time; that holds for all
    /// references to it together.
    pub unsafe fn try_clone(&self) -> Result<Benchmark> {
        check(unsafe { sys::netcl_benchmark_retain(self.as_raw()) })?;
        Ok(Benchmark { raw: self.raw })
    }
}

impl Drop for Benchmark {
    fn drop(&mut self) {
        unsafe { sys::netcl_benchmark_release(self.as_raw()) }
    }
}

impl fmt::Debug for Benchmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Benchmark({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Benchmark {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Benchmark) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Benchmark {}

impl Benchmark {
    /// Makes a benchmark with an empty record. The worker starts with the first candidate.
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) on the built-in device, which runs no OpenCL C, and
    /// without a worker, naming where it was looked for. All functions of a benchmark are
    /// [`BUSY`](Status::BUSY) while another one of it runs.
    #[doc(alias = "netcl_benchmark_create")]
    pub fn new(device: &Device) -> Result<Benchmark> {
        let mut benchmark_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_benchmark_create(device.as_raw(), ptr::null(), &mut benchmark_out)
        })?;
        Ok(unsafe { Benchmark::take(benchmark_out)? })
    }

    /// As [`Self::new`], with options.
    #[doc(alias = "netcl_benchmark_create")]
    pub fn with_options(device: &Device, options: BenchmarkOptions<'_>) -> Result<Benchmark> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut benchmark_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_benchmark_create(device.as_raw(), &options_raw, &mut benchmark_out)
        })?;
        Ok(unsafe { Benchmark::take(benchmark_out)? })
    }

    /// Adds a tensor to the record. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) once the record
    /// is in use; so for the next two.
    #[doc(alias = "netcl_benchmark_add_tensor")]
    pub fn add_tensor(&self, tensor: BenchmarkTensor<'_>) -> Result<()> {
        let mut tensor_keep = Default::default();
        let tensor_raw = tensor.raw(&mut tensor_keep)?;
        check(unsafe { sys::netcl_benchmark_add_tensor(self.as_raw(), &tensor_raw) })
    }

    /// Adds a scalar or struct of 1 to 65536 bytes to the record.
    #[doc(alias = "netcl_benchmark_add_scalar")]
    pub fn add_scalar(&self, data: &[u8]) -> Result<()> {
        check(unsafe {
            sys::netcl_benchmark_add_scalar(self.as_raw(), support::data_ptr(data), data.len())
        })
    }

    /// Adds local memory to the record.
    #[doc(alias = "netcl_benchmark_add_local")]
    pub fn add_local(&self, bytes: u64) -> Result<()> {
        check(unsafe { sys::netcl_benchmark_add_local(self.as_raw(), bytes) })
    }

    /// Gives the tensor of an argument in this process, for a baseline that is not a kernel; it
    /// holds what it does in round 0 at first. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when
    /// the argument is no tensor.
    #[doc(alias = "netcl_benchmark_get_tensor")]
    pub fn tensor(&self, index: u32) -> Result<AnyTensor> {
        let mut tensor_out = ptr::null_mut();
        check(unsafe { sys::netcl_benchmark_get_tensor(self.as_raw(), index, &mut tensor_out) })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Brings the tensors of this process into their first state for a round.
    #[doc(alias = "netcl_benchmark_prepare")]
    pub fn prepare(&self, round: u32) -> Result<()> {
        check(unsafe { sys::netcl_benchmark_prepare(self.as_raw(), round) })
    }

    /// Keeps what the outputs of this process hold now as what candidates have to give in a round.
    /// Candidates are checked in the rounds that are kept, in all rounds without values when none
    /// is.
    #[doc(alias = "netcl_benchmark_keep")]
    pub fn keep(&self, round: u32) -> Result<()> {
        check(unsafe { sys::netcl_benchmark_keep(self.as_raw(), round) })
    }

    /// Times the baseline: for each round prepares, calls `work` once and keeps; then measures
    /// `work` on the device's default queue as [`Queue::time()`] does, over the contents of round
    /// 0\. `work` uses the tensors of [`Benchmark::tensor()`]. Fails with what it returns.
    #[doc(alias = "netcl_benchmark_time_baseline")]
    pub fn time_baseline(&self, mut work: impl FnMut(&Queue) -> Result<()>) -> Result<Statistics> {
        let mut work_scoped = WorkFnScoped { function: &mut work, panic: None, error: None };
        let mut statistics = MaybeUninit::<sys::netcl_statistics>::uninit();
        unsafe { support::set_size(statistics.as_mut_ptr()) };
        let status = unsafe {
            sys::netcl_benchmark_time_baseline(
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

    /// As [`Self::time_baseline`], with options.
    #[doc(alias = "netcl_benchmark_time_baseline")]
    pub fn time_baseline_with(
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
            sys::netcl_benchmark_time_baseline(
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

    /// The same with a kernel of this process over the record's arguments.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process.
    #[doc(alias = "netcl_benchmark_time_kernel")]
    pub unsafe fn time_kernel(
        &self,
        kernel: &Kernel,
        global: impl Into<Shape>,
        local: impl Into<Shape>,
    ) -> Result<Statistics> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let local = local.into();
        let local_raw = local.raw("local")?;
        let mut statistics = MaybeUninit::<sys::netcl_statistics>::uninit();
        unsafe { support::set_size(statistics.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_benchmark_time_kernel(
                self.as_raw(),
                kernel.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(&local_raw[..local.len()]) as *const u64,
                local.rank(),
                ptr::null(),
                statistics.as_mut_ptr(),
            )
        })?;
        Ok(Statistics::from_raw(unsafe { statistics.assume_init_ref() }))
    }

    /// As [`Self::time_kernel`], with options.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process.
    #[doc(alias = "netcl_benchmark_time_kernel")]
    pub unsafe fn time_kernel_with(
        &self,
        kernel: &Kernel,
        global: impl Into<Shape>,
        local: impl Into<Shape>,
        options: MeasurementOptions<'_>,
    ) -> Result<Statistics> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let local = local.into();
        let local_raw = local.raw("local")?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut statistics = MaybeUninit::<sys::netcl_statistics>::uninit();
        unsafe { support::set_size(statistics.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_benchmark_time_kernel(
                self.as_raw(),
                kernel.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(&local_raw[..local.len()]) as *const u64,
                local.rank(),
                &options_raw,
                statistics.as_mut_ptr(),
            )
        })?;
        options.finish(options_keep);
        Ok(Statistics::from_raw(unsafe { statistics.assume_init_ref() }))
    }

    /// Sets the statistics of a baseline that was measured otherwise: with
    /// [`Benchmark::prepare()`], [`Benchmark::keep()`] and a [`Measurement`] over the tensors,
    /// which needs no callback. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) without samples.
    #[doc(alias = "netcl_benchmark_set_baseline")]
    pub fn set_baseline(&self, statistics: &Statistics) -> Result<()> {
        let statistics_raw = statistics.raw();
        check(unsafe { sys::netcl_benchmark_set_baseline(self.as_raw(), &statistics_raw) })
    }

    /// Builds, checks and times a candidate in the worker; a worker that dies is replaced. Whatever
    /// is wrong with the candidate is an outcome and no error. Fails with
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for a candidate that nobody could run, and
    /// where what it would have to give leaves a tensor of OUT or INOUT as it was, since then
    /// nothing tells whether it writes it; [`IO`](Status::IO) when its file cannot be read,
    /// [`BUSY`](Status::BUSY) when another user holds the device, TIMEOUT or
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) when no worker can be started. `options.measurement`
    /// must be `None`.
    #[doc(alias = "netcl_benchmark_run")]
    pub fn run(&self, candidate: BenchmarkCandidate<'_>) -> Result<BenchmarkResult> {
        let mut candidate_keep = Default::default();
        let candidate_raw = candidate.raw(&mut candidate_keep)?;
        let mut result = MaybeUninit::<sys::netcl_benchmark_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_benchmark_run(
                self.as_raw(),
                &candidate_raw,
                ptr::null(),
                result.as_mut_ptr(),
            )
        })?;
        Ok(BenchmarkResult::from_raw(unsafe { result.assume_init_ref() }))
    }

    /// As [`Self::run`], with options.
    #[doc(alias = "netcl_benchmark_run")]
    pub fn run_with(
        &self,
        candidate: BenchmarkCandidate<'_>,
        options: MeasurementOptions<'_>,
    ) -> Result<BenchmarkResult> {
        let mut candidate_keep = Default::default();
        let candidate_raw = candidate.raw(&mut candidate_keep)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut result = MaybeUninit::<sys::netcl_benchmark_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_benchmark_run(
                self.as_raw(),
                &candidate_raw,
                &options_raw,
                result.as_mut_ptr(),
            )
        })?;
        options.finish(options_keep);
        Ok(BenchmarkResult::from_raw(unsafe { result.assume_init_ref() }))
    }

    /// Gives the first 4 KiB of the build log of the last candidate.
    #[doc(alias = "netcl_benchmark_get_build_log")]
    pub fn build_log(&self) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_benchmark_get_build_log(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Gives the baseline and all candidates so far as JSON, times in milliseconds: mean, std, min,
    /// max and speedup. A candidate that failed has a time of null and a reason.
    #[doc(alias = "netcl_benchmark_get_json")]
    pub fn json(&self) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_benchmark_get_json(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }
}
