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

/// Tuning parameters, their values and constraints. Movable while it is built, then shareable.
#[doc(alias = "netcl_space")]
#[repr(transparent)]
pub struct Space {
    raw: NonNull<sys::netcl_space>,
}

// The header says "Movable.": Send without Sync.
unsafe impl Send for Space {}

impl Space {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_space) -> Space {
        Space { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_space {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_space_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_space {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_space) -> Option<Space> {
        NonNull::new(raw).map(|raw| Space { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_space) -> Result<Space> {
        Space::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference.
    ///
    /// # Safety
    /// The object may change threads but not be used by two at a time; that holds for all
    /// references to it together.
    pub unsafe fn try_clone(&self) -> Result<Space> {
        check(unsafe { sys::netcl_space_retain(self.as_raw()) })?;
        Ok(Space { raw: self.raw })
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        unsafe { sys::netcl_space_release(self.as_raw()) }
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Space({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Space {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Space) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Space {}

impl Space {
    /// Makes a space without parameters.
    #[doc(alias = "netcl_space_create")]
    pub fn new() -> Result<Space> {
        let mut space_out = ptr::null_mut();
        check(unsafe { sys::netcl_space_create(&mut space_out) })?;
        Ok(unsafe { Space::take(space_out)? })
    }

    /// Makes a space from T1 JSON, the format that tuners exchange: ConfigurationSpace with
    /// TuningParameters and Conditions. The Default of a parameter becomes its first value. Numbers
    /// of a parameter of Type int that are not whole stay floats. GlobalSize and LocalSize of
    /// KernelSpecification become the work size; GlobalSizeType CUDA and Vulkan count groups, and
    /// so does a file without it whose Language is one of these.
    /// [`CORRUPT_DATA`](Status::CORRUPT_DATA) naming the member that is wrong.
    #[doc(alias = "netcl_space_create_from_t1")]
    pub fn from_t1(text: &str) -> Result<Space> {
        let text_c = CText::new("text", text)?;
        let mut space_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_space_create_from_t1(text_c.as_ptr(), text.len(), &mut space_out)
        })?;
        Ok(unsafe { Space::take(space_out)? })
    }

    /// Adds a parameter of integers. Its name is an identifier and no word of formulas (and, if,
    /// True ...), its values differ.
    #[doc(alias = "netcl_space_add_ints")]
    pub fn add_ints(&self, name: &str, values: &[i64]) -> Result<()> {
        let name_c = CText::new("name", name)?;
        check(unsafe {
            sys::netcl_space_add_ints(
                self.as_raw(),
                name_c.as_ptr(),
                support::slice_ptr(values) as *const _,
                support::count("values", values.len())?,
            )
        })
    }

    /// Adds a parameter of floats, all of them finite.
    #[doc(alias = "netcl_space_add_floats")]
    pub fn add_floats(&self, name: &str, values: &[f64]) -> Result<()> {
        let name_c = CText::new("name", name)?;
        check(unsafe {
            sys::netcl_space_add_floats(
                self.as_raw(),
                name_c.as_ptr(),
                support::slice_ptr(values) as *const _,
                support::count("values", values.len())?,
            )
        })
    }

    /// Adds a parameter that is false or true, in this order.
    #[doc(alias = "netcl_space_add_bool")]
    pub fn add_bool(&self, name: &str) -> Result<()> {
        let name_c = CText::new("name", name)?;
        check(unsafe { sys::netcl_space_add_bool(self.as_raw(), name_c.as_ptr()) })
    }

    /// Adds a parameter of texts, which are UTF-8.
    #[doc(alias = "netcl_space_add_texts")]
    pub fn add_texts(&self, name: &str, values: &[&str]) -> Result<()> {
        let name_c = CText::new("name", name)?;
        let mut values_c = Texts::default();
        values_c.fill("values", values)?;
        check(unsafe {
            sys::netcl_space_add_texts(
                self.as_raw(),
                name_c.as_ptr(),
                values_c.as_ptr(),
                support::count("values", values.len())?,
            )
        })
    }

    /// Adds a constraint. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) naming the column and what
    /// was expected there.
    #[doc(alias = "netcl_space_add_constraint")]
    pub fn add_constraint(&self, formula: &str) -> Result<()> {
        let formula_c = CText::new("formula", formula)?;
        check(unsafe { sys::netcl_space_add_constraint(self.as_raw(), formula_c.as_ptr()) })
    }

    /// Says by formulas how many work items a kernel gets with a configuration and how many form a
    /// group, so that the work of one item can be tuned: "ceil(n / (TX \* WPT)) \* TX" and "TX".
    /// Two and three dimensions have commas between them. Names are the parameters, those that a
    /// tuner adds (LOCAL_X, TILE_SIZE ...) among them; global_x, global_y and global_z, the size
    /// that [`Tuner::add()`] and [`Kernel::launch()`] are given; the integer arguments of the
    /// kernel by the names of their parameters, as far as the driver tells these; and the limits of
    /// a device. Of two of one name the first counts. Constraints may name them too where the space
    /// is tuned. `None` global_size: as given. `None` local_size: as tuned without formulas. "" is
    /// as `None`. What was set before is replaced. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT)
    /// naming the column and what was expected there, and for more than 3 dimensions. Whether names
    /// are known and how many dimensions there have to be is seen by [`Tuner::add()`]. A
    /// configuration whose size is 0, negative, no integer, too large, or no multiple of its local
    /// size is CONSTRAINTS with the formula and its value, and so is one whose formula divides by
    /// zero.
    #[doc(alias = "netcl_space_set_work_size")]
    pub fn set_work_size(&self, global_size: Option<&str>, local_size: Option<&str>) -> Result<()> {
        let global_size_c = global_size.map(|t| CText::new("global_size", t)).transpose()?;
        let local_size_c = local_size.map(|t| CText::new("local_size", t)).transpose()?;
        check(unsafe {
            sys::netcl_space_set_work_size(
                self.as_raw(),
                global_size_c.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
                local_size_c.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            )
        })
    }

    /// Counts the configurations that satisfy all constraints with the limits of a device; `None`
    /// capabilities: a constraint that names a limit is
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT). A constraint is tried as soon as its
    /// parameters have values, and parameters without one are not walked, so that large spaces cost
    /// little; constraints that need more than 2^24 steps are
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
    #[doc(alias = "netcl_space_get_count")]
    pub fn count(&self, capabilities: Option<&DeviceCapabilities>) -> Result<u64> {
        let capabilities_raw = capabilities.map(|s| s.raw());
        let mut count = Default::default();
        check(unsafe {
            sys::netcl_space_get_count(
                self.as_raw(),
                capabilities_raw.as_ref().map_or(ptr::null(), |s| s as *const _),
                &mut count,
            )
        })?;
        Ok(count)
    }

    /// Gives the index-th valid configuration, the first parameter changing slowest.
    /// [`NOT_FOUND`](Status::NOT_FOUND) past the end.
    #[doc(alias = "netcl_space_get_config")]
    pub fn config(&self, capabilities: &DeviceCapabilities, index: u64) -> Result<Config> {
        let capabilities_raw = capabilities.raw();
        let mut config_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_space_get_config(self.as_raw(), &capabilities_raw, index, &mut config_out)
        })?;
        Ok(unsafe { Config::take(config_out)? })
    }

    /// Explains why a configuration is not in the space: the value that is none, or the constraint
    /// that fails with the values it depends on; "" when it is.
    #[doc(alias = "netcl_space_explain")]
    pub fn explain(&self, capabilities: &DeviceCapabilities, config: &Config) -> Result<String> {
        let capabilities_raw = capabilities.raw();
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_space_explain(
                self.as_raw(),
                &capabilities_raw,
                config.as_raw(),
                place as *mut _,
                room,
                length,
            )
        })?;
        Ok(text)
    }
}
