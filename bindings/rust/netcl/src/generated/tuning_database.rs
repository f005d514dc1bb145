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

/// What tuning found, in memory and in a file. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_tuning_database")]
#[repr(transparent)]
pub struct TuningDatabase {
    raw: NonNull<sys::netcl_tuning_database>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for TuningDatabase {}
unsafe impl Sync for TuningDatabase {}

impl TuningDatabase {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_tuning_database) -> TuningDatabase {
        TuningDatabase { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_tuning_database {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_tuning_database_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_tuning_database {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_tuning_database) -> Option<TuningDatabase> {
        NonNull::new(raw).map(|raw| TuningDatabase { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_tuning_database) -> Result<TuningDatabase> {
        TuningDatabase::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<TuningDatabase> {
        check(unsafe { sys::netcl_tuning_database_retain(self.as_raw()) })?;
        Ok(TuningDatabase { raw: self.raw })
    }
}

impl Clone for TuningDatabase {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> TuningDatabase {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for TuningDatabase {
    fn drop(&mut self) {
        unsafe { sys::netcl_tuning_database_release(self.as_raw()) }
    }
}

impl fmt::Debug for TuningDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TuningDatabase({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for TuningDatabase {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &TuningDatabase) -> bool {
        self.raw == other.raw
    }
}

impl Eq for TuningDatabase {}

impl TuningDatabase {
    /// Opens a database. `None` path: that of this user, tuning-1.jsonl in the directory of the
    /// program cache, which dispatch uses and which is opened once per process; where that
    /// directory cannot be used it lives in memory. ":memory:" is an empty one without a file; else
    /// the path of a file, which is made at the first record. [`IO`](Status::IO) for a file that
    /// cannot be read, is a symbolic link, or may have been written by another user,
    /// [`CORRUPT_DATA`](Status::CORRUPT_DATA) for one with lines of which none begins like a
    /// record, [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for an empty path.
    #[doc(alias = "netcl_tuning_database_open")]
    pub fn open(path: impl crate::OptionalPath) -> Result<TuningDatabase> {
        let path_c = path.optional_path().map(|p| CText::path("path", p)).transpose()?;
        let mut database_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tuning_database_open(
                path_c.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
                &mut database_out,
            )
        })?;
        Ok(unsafe { TuningDatabase::take(database_out)? })
    }

    /// Verifies the file line by line and counts.
    #[doc(alias = "netcl_tuning_database_get_info")]
    pub fn info(&self) -> Result<TuningDatabaseInfo> {
        let mut info = MaybeUninit::<sys::netcl_tuning_database_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_tuning_database_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(TuningDatabaseInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Looks for the best configuration: the exact key, else the same part, shape and scalars with
    /// another driver, else the nearest of these (in log space; of two as near the smaller one).
    /// Quarantined configurations are passed over. `device` (may be `None`) fills in part and
    /// driver. No match is no error: `record.match_` is NONE.
    ///
    /// * Gives `record`: the record, all zero with no match
    /// * Gives `config`: one reference, `None` with no match
    #[doc(alias = "netcl_tuning_database_lookup")]
    pub fn lookup(
        &self,
        device: Option<&Device>,
        key: TuningKey<'_>,
    ) -> Result<(TuningRecord, Option<Config>)> {
        let mut key_keep = Default::default();
        let key_raw = key.raw(&mut key_keep)?;
        let mut record = MaybeUninit::<sys::netcl_tuning_record>::uninit();
        unsafe { support::set_size(record.as_mut_ptr()) };
        let mut config_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tuning_database_lookup(
                self.as_raw(),
                device.map_or(ptr::null_mut(), |h| h.as_raw()),
                &key_raw,
                record.as_mut_ptr(),
                &mut config_out,
            )
        })?;
        Ok((TuningRecord::from_raw(unsafe { record.assume_init_ref() }), unsafe { Config::from_nullable(config_out) }))
    }

    /// Stores a record: kind, outcome, times, timestamp (0: now) and reason of `record`, the rest
    /// of the key. A record replaces the one of its kind and key, and of its configuration unless
    /// the kind is BEST. `device` (may be `None`) as for a lookup. Records that other processes
    /// appended are taken in too. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for texts that are
    /// no UTF-8, for negative extents, and for a BEST with an outcome other than CORRECT, CANCELLED
    /// (the best so far) and UNKNOWN. [`IO`](Status::IO) or TIMEOUT when the file cannot be
    /// written; the record is then kept in memory.
    #[doc(alias = "netcl_tuning_database_put")]
    pub fn put(
        &self,
        device: Option<&Device>,
        key: TuningKey<'_>,
        config: &Config,
        record: &TuningRecord,
    ) -> Result<()> {
        let mut key_keep = Default::default();
        let key_raw = key.raw(&mut key_keep)?;
        let record_raw = record.raw();
        check(unsafe {
            sys::netcl_tuning_database_put(
                self.as_raw(),
                device.map_or(ptr::null_mut(), |h| h.as_raw()),
                &key_raw,
                config.as_raw(),
                &record_raw,
            )
        })
    }

    /// Takes in what other processes appended.
    #[doc(alias = "netcl_tuning_database_refresh")]
    pub fn refresh(&self) -> Result<()> {
        check(unsafe { sys::netcl_tuning_database_refresh(self.as_raw()) })
    }

    /// Gives the index-th record in force, in the order of their coming.
    /// [`NOT_FOUND`](Status::NOT_FOUND) past the end.
    ///
    /// * Gives `record`: the record
    /// * Gives `config`: one reference
    #[doc(alias = "netcl_tuning_database_get_record")]
    pub fn record(&self, index: u64) -> Result<(TuningRecord, Config)> {
        let mut record = MaybeUninit::<sys::netcl_tuning_record>::uninit();
        unsafe { support::set_size(record.as_mut_ptr()) };
        let mut config_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tuning_database_get_record(
                self.as_raw(),
                index,
                record.as_mut_ptr(),
                &mut config_out,
            )
        })?;
        Ok((TuningRecord::from_raw(unsafe { record.assume_init_ref() }), unsafe { Config::take(config_out)? }))
    }

    /// Adds the records of another file, those apart that are older than what is known of their
    /// key. Fails as [`TuningDatabase::open()`], and with [`IO`](Status::IO) where there is no
    /// file.
    #[doc(alias = "netcl_tuning_database_merge")]
    pub fn merge(&self, path: impl AsRef<Path>) -> Result<u64> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut count = Default::default();
        check(unsafe {
            sys::netcl_tuning_database_merge(self.as_raw(), path_c.as_ptr(), &mut count)
        })?;
        Ok(count)
    }

    /// Replaces the file, at once for all processes, by one without superseded and damaged lines.
    #[doc(alias = "netcl_tuning_database_compact")]
    pub fn compact(&self) -> Result<()> {
        check(unsafe { sys::netcl_tuning_database_compact(self.as_raw()) })
    }

    /// Removes the records of a kernel or op; `None` kernel: all records.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for "".
    #[doc(alias = "netcl_tuning_database_clear")]
    pub fn clear(&self, kernel: Option<&str>) -> Result<()> {
        let kernel_c = kernel.map(|t| CText::new("kernel", t)).transpose()?;
        check(unsafe {
            sys::netcl_tuning_database_clear(
                self.as_raw(),
                kernel_c.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            )
        })
    }

    /// Gives the measurements of a kernel (`None` kernel: of all) as T4 JSON, the format that
    /// tuners exchange, or all records as CSV. TEXT is [`UNSUPPORTED`](Status::UNSUPPORTED).
    #[doc(alias = "netcl_tuning_database_export")]
    pub fn export(&self, kernel: Option<&str>, format: Format) -> Result<String> {
        let kernel_c = kernel.map(|t| CText::new("kernel", t)).transpose()?;
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_tuning_database_export(
                self.as_raw(),
                kernel_c.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
                format.0,
                place as *mut _,
                room,
                length,
            )
        })?;
        Ok(text)
    }
}
