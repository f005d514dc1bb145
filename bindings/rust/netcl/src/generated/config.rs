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

/// Values of tuning parameters. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_config")]
#[repr(transparent)]
pub struct Config {
    raw: NonNull<sys::netcl_config>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Config {}
unsafe impl Sync for Config {}

impl Config {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_config) -> Config {
        Config { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_config {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_config_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_config {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_config) -> Option<Config> {
        NonNull::new(raw).map(|raw| Config { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_config) -> Result<Config> {
        Config::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Config> {
        check(unsafe { sys::netcl_config_retain(self.as_raw()) })?;
        Ok(Config { raw: self.raw })
    }
}

impl Clone for Config {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Config {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Config {
    fn drop(&mut self) {
        unsafe { sys::netcl_config_release(self.as_raw()) }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Config({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Config {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Config) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Config {}

impl Config {
    /// Makes a configuration from JSON, {"TILE": 16, "MODE": "fast"}; it need not be valid
    /// anywhere. [`CORRUPT_DATA`](Status::CORRUPT_DATA) for what is no such object, and for a NUL
    /// in a name or a text.
    #[doc(alias = "netcl_config_create_from_json")]
    pub fn from_json(text: &str) -> Result<Config> {
        let text_c = CText::new("text", text)?;
        let mut config_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_config_create_from_json(text_c.as_ptr(), text.len(), &mut config_out)
        })?;
        Ok(unsafe { Config::take(config_out)? })
    }

    /// Gives an integer or bool by name. [`NOT_FOUND`](Status::NOT_FOUND) naming the parameters
    /// there are, [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when the value is of another type;
    /// so for the next two.
    #[doc(alias = "netcl_config_get_int")]
    pub fn int(&self, name: &str) -> Result<i64> {
        let name_c = CText::new("name", name)?;
        let mut value = Default::default();
        check(unsafe { sys::netcl_config_get_int(self.as_raw(), name_c.as_ptr(), &mut value) })?;
        Ok(value)
    }

    /// Gives a number by name.
    #[doc(alias = "netcl_config_get_float")]
    pub fn float(&self, name: &str) -> Result<f64> {
        let name_c = CText::new("name", name)?;
        let mut value = Default::default();
        check(unsafe { sys::netcl_config_get_float(self.as_raw(), name_c.as_ptr(), &mut value) })?;
        Ok(value)
    }

    /// Gives a text by name.
    #[doc(alias = "netcl_config_get_text")]
    pub fn text(&self, name: &str) -> Result<String> {
        let name_c = CText::new("name", name)?;
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_config_get_text(
                self.as_raw(),
                name_c.as_ptr(),
                place as *mut _,
                room,
                length,
            )
        })?;
        Ok(text)
    }

    /// Gives all values as JSON.
    #[doc(alias = "netcl_config_get_json")]
    pub fn json(&self) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_config_get_json(self.as_raw(), place as *mut _, room, length)
        })?;
        Ok(text)
    }
}
