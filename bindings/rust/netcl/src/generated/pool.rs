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

/// A cache of device memory or of page-locked host memory. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_pool")]
#[repr(transparent)]
pub struct Pool {
    raw: NonNull<sys::netcl_pool>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Pool {}
unsafe impl Sync for Pool {}

impl Pool {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_pool) -> Pool {
        Pool { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_pool {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_pool_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_pool {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_pool) -> Option<Pool> {
        NonNull::new(raw).map(|raw| Pool { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_pool) -> Result<Pool> {
        Pool::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Pool> {
        check(unsafe { sys::netcl_pool_retain(self.as_raw()) })?;
        Ok(Pool { raw: self.raw })
    }
}

impl Clone for Pool {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Pool {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        unsafe { sys::netcl_pool_release(self.as_raw()) }
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Pool {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Pool) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Pool {}

impl Pool {
    /// Makes a pool. With `options.share` = true it is
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for a PINNED one, and
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) where the device's memory cannot be shared.
    #[doc(alias = "netcl_pool_create")]
    pub fn new(device: &Device) -> Result<Pool> {
        let mut pool_out = ptr::null_mut();
        check(unsafe { sys::netcl_pool_create(device.as_raw(), ptr::null(), &mut pool_out) })?;
        Ok(unsafe { Pool::take(pool_out)? })
    }

    /// As [`Self::new`], with options.
    #[doc(alias = "netcl_pool_create")]
    pub fn with_options(device: &Device, options: PoolOptions) -> Result<Pool> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut pool_out = ptr::null_mut();
        check(unsafe { sys::netcl_pool_create(device.as_raw(), &options_raw, &mut pool_out) })?;
        Ok(unsafe { Pool::take(pool_out)? })
    }

    /// Gives the statistics of a pool.
    #[doc(alias = "netcl_pool_get_info")]
    pub fn info(&self) -> Result<PoolInfo> {
        let mut info = MaybeUninit::<sys::netcl_pool_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_pool_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(PoolInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives the buckets that were used so far, smallest first.
    #[doc(alias = "netcl_pool_get_buckets")]
    pub fn buckets(&self) -> Result<Vec<PoolBucket>> {
        let text = support::read_array(PoolBucket::default(), |place, room, length| unsafe {
            sys::netcl_pool_get_buckets(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Gives cached memory back to the device until at most keep_bytes are cached.
    #[doc(alias = "netcl_pool_trim")]
    pub fn trim(&self, keep_bytes: u64) -> Result<()> {
        check(unsafe { sys::netcl_pool_trim(self.as_raw(), keep_bytes) })
    }

    /// Leases memory of at least `bytes` bytes (0 gives an empty lease). The lease ends with the
    /// last reference to the buffer and to every tensor made from it; the memory is leased again
    /// only when the device has finished using it. Contents are undefined. On a shortage the pool
    /// waits for finished work, trims, retries once, and then fails with
    /// [`OUT_OF_DEVICE_MEMORY`](Status::OUT_OF_DEVICE_MEMORY).
    ///
    /// # Safety
    /// Nothing is read before it is written: the memory may show what was freed.
    #[doc(alias = "netcl_pool_allocate")]
    pub unsafe fn allocate(&self, bytes: u64) -> Result<Buffer> {
        let mut buffer_out = ptr::null_mut();
        check(unsafe { sys::netcl_pool_allocate(self.as_raw(), bytes, &mut buffer_out) })?;
        Ok(unsafe { Buffer::take(buffer_out)? })
    }
}
