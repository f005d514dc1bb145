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

/// A search over a space for its fastest configuration, by asking and telling. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_search")]
#[repr(transparent)]
pub struct Search {
    raw: NonNull<sys::netcl_search>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Search {}
unsafe impl Sync for Search {}

impl Search {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_search) -> Search {
        Search { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_search {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_search_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_search {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_search) -> Option<Search> {
        NonNull::new(raw).map(|raw| Search { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_search) -> Result<Search> {
        Search::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Search> {
        check(unsafe { sys::netcl_search_retain(self.as_raw()) })?;
        Ok(Search { raw: self.raw })
    }
}

impl Clone for Search {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Search {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        unsafe { sys::netcl_search_release(self.as_raw()) }
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Search({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Search {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Search) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Search {}

impl Search {
    /// Makes a search over a space, which is copied. The default configuration (`None` standard:
    /// the first of the space) is measured first and wins ties;
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) with the reason when it is not valid in the
    /// space, for a space without valid configurations, for one that cannot be counted, and with
    /// EXHAUSTIVE for one with more than 2^20.
    #[doc(alias = "netcl_search_create")]
    pub fn new(
        space: &Space,
        capabilities: &DeviceCapabilities,
        standard: Option<&Config>,
    ) -> Result<Search> {
        let capabilities_raw = capabilities.raw();
        let mut search_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_search_create(
                space.as_raw(),
                &capabilities_raw,
                standard.map_or(ptr::null_mut(), |h| h.as_raw()),
                ptr::null(),
                &mut search_out,
            )
        })?;
        Ok(unsafe { Search::take(search_out)? })
    }

    /// As [`Self::new`], with options.
    #[doc(alias = "netcl_search_create")]
    pub fn with_options(
        space: &Space,
        capabilities: &DeviceCapabilities,
        standard: Option<&Config>,
        options: SearchOptions,
    ) -> Result<Search> {
        let capabilities_raw = capabilities.raw();
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut search_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_search_create(
                space.as_raw(),
                &capabilities_raw,
                standard.map_or(ptr::null_mut(), |h| h.as_raw()),
                &options_raw,
                &mut search_out,
            )
        })?;
        Ok(unsafe { Search::take(search_out)? })
    }

    /// Tells what to measure next: `samples` times of one candidate, to be told before the next
    /// ask. Each gets 1, then 3, then 10 samples, unless it is surely slower than drop_factor times
    /// the best; a single sample has to be twice that slow. Those that are left take turns in
    /// random order until they are told apart or have `options.samples` each.
    ///
    /// * Gives `candidate`: its index, from 0 (the default) in the order of their first ask
    /// * Gives `samples`: 0: the search is over
    /// * Gives `config`: one reference, `None` when it is over
    #[doc(alias = "netcl_search_ask")]
    pub fn ask(&self) -> Result<(u32, u64, Option<Config>)> {
        let mut candidate = Default::default();
        let mut samples = Default::default();
        let mut config_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_search_ask(self.as_raw(), &mut candidate, &mut samples, &mut config_out)
        })?;
        Ok((candidate, samples, unsafe { Config::from_nullable(config_out) }))
    }

    /// Tells times of a candidate in nanoseconds, any number of them.
    #[doc(alias = "netcl_search_tell")]
    pub fn tell(&self, candidate: u32, samples: &[f64]) -> Result<()> {
        check(unsafe {
            sys::netcl_search_tell(
                self.as_raw(),
                candidate,
                support::slice_ptr(samples) as *const _,
                support::count("samples", samples.len())?,
            )
        })
    }

    /// Tells that a candidate is not valid; it is not asked for again. `message` may be `None`.
    #[doc(alias = "netcl_search_tell_failure")]
    pub fn tell_failure(
        &self,
        candidate: u32,
        outcome: Outcome,
        message: Option<&str>,
    ) -> Result<()> {
        let message_c = message.map(|t| CText::new("message", t)).transpose()?;
        check(unsafe {
            sys::netcl_search_tell_failure(
                self.as_raw(),
                candidate,
                outcome.0,
                message_c.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            )
        })
    }

    /// Ends a search at the next ask, from any thread.
    #[doc(alias = "netcl_search_cancel")]
    pub fn cancel(&self) -> Result<()> {
        check(unsafe { sys::netcl_search_cancel(self.as_raw()) })
    }

    /// Reads the oldest kept event whose sequence is greater than `after`, waiting for it when need
    /// be. The last 1024 are kept. TIMEOUT when none came, [`NOT_FOUND`](Status::NOT_FOUND) when
    /// the search is over and none will.
    #[doc(alias = "netcl_search_read_event")]
    pub fn read_event(&self, after: u64, timeout: impl Into<Timeout>) -> Result<SearchEvent> {
        let mut event = MaybeUninit::<sys::netcl_search_event>::uninit();
        unsafe { support::set_size(event.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_search_read_event(self.as_raw(), after, timeout.into().0, event.as_mut_ptr())
        })?;
        Ok(SearchEvent::from_raw(unsafe { event.assume_init_ref() }))
    }

    /// Gives what was found, so far or in the end.
    #[doc(alias = "netcl_search_get_result")]
    pub fn result(&self) -> Result<SearchResult> {
        let mut result = MaybeUninit::<sys::netcl_search_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        check(unsafe { sys::netcl_search_get_result(self.as_raw(), result.as_mut_ptr()) })?;
        Ok(SearchResult::from_raw(unsafe { result.assume_init_ref() }))
    }

    /// Gives the winner: the fastest, or the default where the fastest cannot be told from it with
    /// a confidence of 0.999. [`NOT_FOUND`](Status::NOT_FOUND) with the counts of what was wrong
    /// when nothing is valid.
    #[doc(alias = "netcl_search_get_best")]
    pub fn best(&self) -> Result<Config> {
        let mut config_out = ptr::null_mut();
        check(unsafe { sys::netcl_search_get_best(self.as_raw(), &mut config_out) })?;
        Ok(unsafe { Config::take(config_out)? })
    }

    /// Gives a candidate. [`NOT_FOUND`](Status::NOT_FOUND) past the last one.
    ///
    /// * Gives `info`: the facts
    /// * Gives `config`: one reference
    #[doc(alias = "netcl_search_get_candidate")]
    pub fn candidate(&self, index: u32) -> Result<(SearchCandidate, Config)> {
        let mut info = MaybeUninit::<sys::netcl_search_candidate>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        let mut config_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_search_get_candidate(
                self.as_raw(),
                index,
                info.as_mut_ptr(),
                &mut config_out,
            )
        })?;
        Ok((SearchCandidate::from_raw(unsafe { info.assume_init_ref() }), unsafe { Config::take(config_out)? }))
    }

    /// Gives the samples of a candidate, those of the final last.
    #[doc(alias = "netcl_search_get_samples")]
    pub fn samples(&self, index: u32) -> Result<Vec<f64>> {
        let text = support::read_array(f64::default(), |place, room, length| unsafe {
            sys::netcl_search_get_samples(self.as_raw(), index, place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Gives the first message of an outcome with its configuration, "" when there was none.
    #[doc(alias = "netcl_search_get_failure")]
    pub fn failure(&self, outcome: Outcome) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_search_get_failure(self.as_raw(), outcome.0, place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Runs a search against recorded times: T4 JSON, as [`TuningDatabase::export()`] writes it, or
    /// the cache files of Kernel Tuner, in which a time may stand for the object that holds it. Its
    /// space is the configurations of the recording; those that have no time fail when they are
    /// tried. Of two entries of one configuration the later counts. One with fewer parameters than
    /// others, such as a default outside of the space, is left out. Times are milliseconds where no
    /// "unit" or "timeunit" is given: ns, us, ms, s or the word.
    /// [`CORRUPT_DATA`](Status::CORRUPT_DATA) naming what is wrong with the text, or a unit, when
    /// no configuration has a time, and for results of several problems, which exports name.
    #[doc(alias = "netcl_search_replay")]
    pub fn replay(text: &str) -> Result<ReplayResult> {
        let text_c = CText::new("text", text)?;
        let mut result = MaybeUninit::<sys::netcl_replay_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_search_replay(text_c.as_ptr(), text.len(), ptr::null(), result.as_mut_ptr())
        })?;
        Ok(ReplayResult::from_raw(unsafe { result.assume_init_ref() }))
    }

    /// As [`Self::replay`], with options.
    #[doc(alias = "netcl_search_replay")]
    pub fn replay_with(text: &str, options: SearchOptions) -> Result<ReplayResult> {
        let text_c = CText::new("text", text)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut result = MaybeUninit::<sys::netcl_replay_result>::uninit();
        unsafe { support::set_size(result.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_search_replay(text_c.as_ptr(), text.len(), &options_raw, result.as_mut_ptr())
        })?;
        Ok(ReplayResult::from_raw(unsafe { result.assume_init_ref() }))
    }

    /// Stores the candidates as measurements and, when the search has ended other than by
    /// cancelling, the winner as best, and configurations that crashed, hung, were wrong or wrote
    /// out of bounds in quarantine, the default apart. `device` (may be `None`) as for a lookup.
    #[doc(alias = "netcl_search_store")]
    pub fn store(
        &self,
        database: &TuningDatabase,
        device: Option<&Device>,
        key: TuningKey<'_>,
    ) -> Result<()> {
        let mut key_keep = Default::default();
        let key_raw = key.raw(&mut key_keep)?;
        check(unsafe {
            sys::netcl_search_store(
                self.as_raw(),
                database.as_raw(),
                device.map_or(ptr::null_mut(), |h| h.as_raw()),
                &key_raw,
            )
        })
    }

    /// Takes over the measurements that are stored for the same key and space, before the first
    /// ask: those configurations are not asked for in the first rounds again. The default is always
    /// measured. `device` (may be `None`) as for a lookup.
    #[doc(alias = "netcl_search_resume")]
    pub fn resume(
        &self,
        database: &TuningDatabase,
        device: Option<&Device>,
        key: TuningKey<'_>,
    ) -> Result<u64> {
        let mut key_keep = Default::default();
        let key_raw = key.raw(&mut key_keep)?;
        let mut count = Default::default();
        check(unsafe {
            sys::netcl_search_resume(
                self.as_raw(),
                database.as_raw(),
                device.map_or(ptr::null_mut(), |h| h.as_raw()),
                &key_raw,
                &mut count,
            )
        })?;
        Ok(count)
    }
}
