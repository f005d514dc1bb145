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

/// Kernels and ops that are tuned together. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_tuner")]
#[repr(transparent)]
pub struct Tuner {
    raw: NonNull<sys::netcl_tuner>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Tuner {}
unsafe impl Sync for Tuner {}

impl Tuner {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_tuner) -> Tuner {
        Tuner { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_tuner {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_tuner_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_tuner {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_tuner) -> Option<Tuner> {
        NonNull::new(raw).map(|raw| Tuner { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_tuner) -> Result<Tuner> {
        Tuner::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Tuner> {
        check(unsafe { sys::netcl_tuner_retain(self.as_raw()) })?;
        Ok(Tuner { raw: self.raw })
    }
}

impl Clone for Tuner {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Tuner {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Tuner {
    fn drop(&mut self) {
        unsafe { sys::netcl_tuner_release(self.as_raw()) }
    }
}

impl fmt::Debug for Tuner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tuner({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Tuner {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Tuner) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Tuner {}

impl Tuner {
    /// Makes a tuner without entries. [`UNSUPPORTED`](Status::UNSUPPORTED) naming the paths that
    /// were tried when candidates of kernels are to run in the worker and there is none: found when
    /// the first one is to run.
    #[doc(alias = "netcl_tuner_create")]
    pub fn new(device: &Device) -> Result<Tuner> {
        let mut tuner_out = ptr::null_mut();
        check(unsafe { sys::netcl_tuner_create(device.as_raw(), ptr::null(), &mut tuner_out) })?;
        Ok(unsafe { Tuner::take(tuner_out)? })
    }

    /// As [`Self::new`], with options.
    #[doc(alias = "netcl_tuner_create")]
    pub fn with_options(device: &Device, options: TunerOptions<'_>) -> Result<Tuner> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tuner_out = ptr::null_mut();
        check(unsafe { sys::netcl_tuner_create(device.as_raw(), &options_raw, &mut tuner_out) })?;
        Ok(unsafe { Tuner::take(tuner_out)? })
    }

    /// Adds a kernel with its work size and arguments; an entry of the same kernel, size and
    /// integer arguments is replaced. The contents of the arguments are read now and never written:
    /// candidates work on copies, and what the kernel may write begins as random numbers where it
    /// holds floats, so that the results of an earlier launch hide nothing. Candidates are checked
    /// on these contents, and on the same with their floats times one factor between 1/2 and 1.
    /// Integers are the same in both checks: they may be places, bounds or links, which are sound
    /// as they are and in no other order. So a candidate that is right for these integers alone is
    /// not found out, nor one that does not write integers which hold their results already. Where
    /// the kernel leaves all that it may write as it was, the entry fails with
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
    ///
    /// `None` args: those of the kernel's last launch of this size, its buffers filled anew; else
    /// buffers of the sizes that the device's pool leased most often. Each of the two checks has
    /// random contents of its own: floats from 0 to 1, bools, and integers from 0 to below the root
    /// of the element count of the smallest tensor that has more than one element (0 and 1 at
    /// least), which can be places, labels or counts. An integer alone in its tensor begins as 0,
    /// as a counter does. Give `args` where the kernel asks more of its integers. What cannot be
    /// known without args, such as a scalar, is [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT)
    /// naming the argument.
    ///
    /// [`Tuner::run()`] builds the kernel in this process, and launches it here with
    /// [`TunerOptions.in_process`](TunerOptions) = true. Arguments are refused as
    /// [`Kernel::launch()`] refuses them. A list for a macro that the source does not use is
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) too, [`UNSUPPORTED`](Status::UNSUPPORTED) a
    /// kernel without source.
    ///
    /// # Safety
    /// The kernel touches no memory beyond its arguments, now and whenever this object launches it
    /// later: on CPU devices it shares this process. Its parameters have the types that the
    /// arguments are given as.
    #[doc(alias = "netcl_tuner_add")]
    pub unsafe fn add(
        &self,
        kernel: &Kernel,
        global: impl Into<Shape>,
        args: &[Arg<'_>],
        tuning: KernelTuning<'_>,
    ) -> Result<()> {
        let global = global.into();
        let global_raw = global.raw("global")?;
        let mut tuning_keep = Default::default();
        let tuning_raw = tuning.raw(&mut tuning_keep)?;
        check(unsafe {
            sys::netcl_tuner_add(
                self.as_raw(),
                kernel.as_raw(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                support::slice_ptr(args) as *const _,
                support::count("args", args.len())?,
                &tuning_raw,
            )
        })
    }

    /// Adds `batch` products of m x k by k x n (1: one alone): their variant, their tile sizes and
    /// split_k are tuned, in this process, on random matrices. [`UNSUPPORTED`](Status::UNSUPPORTED)
    /// for dtypes other than f16, bf16, f32 and f64, [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT)
    /// for an extent below 1 and operands or a result of more than 2^60 elements.
    #[doc(alias = "netcl_tuner_add_matmul")]
    pub fn add_matmul(&self, batch: i64, m: i64, n: i64, k: i64, dtype: Dtype) -> Result<()> {
        check(unsafe { sys::netcl_tuner_add_matmul(self.as_raw(), batch, m, n, k, dtype.0) })
    }

    /// Adds a convolution, likewise.
    #[doc(alias = "netcl_tuner_add_conv2d")]
    pub fn add_conv2d(&self, shape: Conv2dShape, dtype: Dtype) -> Result<()> {
        let mut shape_keep = Default::default();
        let shape_raw = shape.raw(&mut shape_keep)?;
        check(unsafe { sys::netcl_tuner_add_conv2d(self.as_raw(), &shape_raw, dtype.0) })
    }

    /// Adds sums of `count` elements each, `outputs` of them, likewise.
    #[doc(alias = "netcl_tuner_add_reduction")]
    pub fn add_reduction(&self, outputs: i64, count: i64, dtype: Dtype) -> Result<()> {
        check(unsafe { sys::netcl_tuner_add_reduction(self.as_raw(), outputs, count, dtype.0) })
    }

    /// Tunes all entries, one after the other, but those whose winner the database has: of the same
    /// space, or put there without one ([`TuningDatabase::put()`]); that of another space is
    /// replaced by what is found, faster or not. What is wrong with one is in its result, and the
    /// others go on; CANCELLED when [`Tuner::cancel()`] ended it. Of several threads or tuners of a
    /// process that come to one key, one measures and the others take its result. Configurations
    /// that build the same program for the same local size are measured once, and so are those of
    /// an op that come to the same variant with the same sizes. An entry whose work is declared, as
    /// ops do and `tuning.work` does, has the roofline as its roof_ns once the ceilings of the
    /// device were measured ([`Ceilings::measure()`], also in an earlier process).
    #[doc(alias = "netcl_tuner_run")]
    pub fn run(&self) -> Result<()> {
        check(unsafe { sys::netcl_tuner_run(self.as_raw()) })
    }

    /// Ends the run that is under way, if any, from any thread; a run that begins later is not
    /// affected. Nothing wins. Each candidate is stored as it is known, so the next run without
    /// `options.force` goes on where this one stopped, also when the process was killed.
    #[doc(alias = "netcl_tuner_cancel")]
    pub fn cancel(&self) -> Result<()> {
        check(unsafe { sys::netcl_tuner_cancel(self.as_raw()) })
    }

    /// Reads events of all entries as [`Search::read_event()`] does.
    /// [`NOT_FOUND`](Status::NOT_FOUND) while no run is under way and none is left.
    #[doc(alias = "netcl_tuner_read_event")]
    pub fn read_event(&self, after: u64, timeout: impl Into<Timeout>) -> Result<SearchEvent> {
        let mut event = MaybeUninit::<sys::netcl_search_event>::uninit();
        unsafe { support::set_size(event.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_tuner_read_event(self.as_raw(), after, timeout.into().0, event.as_mut_ptr())
        })?;
        Ok(SearchEvent::from_raw(unsafe { event.assume_init_ref() }))
    }

    /// Counts the entries.
    #[doc(alias = "netcl_tuner_get_count")]
    pub fn count(&self) -> Result<u32> {
        let mut count = Default::default();
        check(unsafe { sys::netcl_tuner_get_count(self.as_raw(), &mut count) })?;
        Ok(count)
    }

    /// Gives the result of an entry, in the order in which they were added.
    /// [`NOT_FOUND`](Status::NOT_FOUND) past the last one.
    ///
    /// * Gives `result`: how it stands
    /// * Gives `config`: one reference, `None` when there is none
    #[doc(alias = "netcl_tuner_get_result")]
    pub fn result(&self, index: u32) -> Result<(TunerResult, Option<Config>)> {
        let mut result = MaybeUninit::<sys::netcl_tuner_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        let mut config_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tuner_get_result(self.as_raw(), index, result.as_mut_ptr(), &mut config_out)
        })?;
        Ok((TunerResult::from_raw(unsafe { result.assume_init_ref() }), unsafe { Config::from_nullable(config_out) }))
    }

    /// Gives the search of an entry with all candidates. [`NOT_FOUND`](Status::NOT_FOUND) for one
    /// that was not measured.
    #[doc(alias = "netcl_tuner_get_search")]
    pub fn search(&self, index: u32) -> Result<Search> {
        let mut search_out = ptr::null_mut();
        check(unsafe { sys::netcl_tuner_get_search(self.as_raw(), index, &mut search_out) })?;
        Ok(unsafe { Search::take(search_out)? })
    }

    /// Looks up what dispatch uses for a kernel or op of that name and size: by an entry of the
    /// name, else by what the database has for it on this device, the latest where there are
    /// several; the integer arguments are those of what it was found by. For a near size that is
    /// less than was stored: a kernel's macros are not used, its local size is made a divisor, and
    /// a product's depth is not cut. [`NOT_FOUND`](Status::NOT_FOUND) for a name that neither
    /// knows; no match is no error.
    ///
    /// Ops have the names "op.matmul", with the extents m, n, k, batch; "op.conv2d", with batch,
    /// channels, height, width, filters; and "op.reduction", with outputs, count.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for an op with another number of extents.
    ///
    /// * Gives `match`: how well it fits
    /// * Gives `config`: one reference, `None` with no match
    #[doc(alias = "netcl_tuner_lookup")]
    pub fn lookup(&self, name: &str, global: impl Into<Shape>) -> Result<(Match, Option<Config>)> {
        let name_c = CText::new("name", name)?;
        let global = global.into();
        let global_raw = global.raw("global")?;
        let mut match_ = Default::default();
        let mut config_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tuner_lookup(
                self.as_raw(),
                name_c.as_ptr(),
                support::slice_ptr(&global_raw[..global.len()]) as *const u64,
                global.rank(),
                &mut match_,
                &mut config_out,
            )
        })?;
        Ok((Match(match_), unsafe { Config::from_nullable(config_out) }))
    }

    /// Writes the database's records of this tuner's entries to a new file, as lines of a database.
    #[doc(alias = "netcl_tuner_save")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path_c = CText::path("path", path.as_ref())?;
        check(unsafe { sys::netcl_tuner_save(self.as_raw(), path_c.as_ptr()) })
    }

    /// Adds the records of a file to the database: [`TuningDatabase::merge()`].
    #[doc(alias = "netcl_tuner_load")]
    pub fn load(&self, path: impl AsRef<Path>) -> Result<()> {
        let path_c = CText::path("path", path.as_ref())?;
        check(unsafe { sys::netcl_tuner_load(self.as_raw(), path_c.as_ptr()) })
    }

    /// Removes the entries, and the database's records of them.
    #[doc(alias = "netcl_tuner_clear")]
    pub fn clear(&self) -> Result<()> {
        check(unsafe { sys::netcl_tuner_clear(self.as_raw()) })
    }
}
