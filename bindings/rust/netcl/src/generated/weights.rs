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

/// Named tensors in a file, of which each can be had on a device. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_weights")]
#[repr(transparent)]
pub struct Weights {
    raw: NonNull<sys::netcl_weights>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Weights {}
unsafe impl Sync for Weights {}

impl Weights {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_weights) -> Weights {
        Weights { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_weights {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_weights_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_weights {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_weights) -> Option<Weights> {
        NonNull::new(raw).map(|raw| Weights { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_weights) -> Result<Weights> {
        Weights::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Weights> {
        check(unsafe { sys::netcl_weights_retain(self.as_raw()) })?;
        Ok(Weights { raw: self.raw })
    }
}

impl Clone for Weights {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Weights {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Weights {
    fn drop(&mut self) {
        unsafe { sys::netcl_weights_release(self.as_raw()) }
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weights({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Weights {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Weights) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Weights {}

impl Weights {
    /// Opens a file of named tensors, for tensors of a device. [`IO`](Status::IO) where the file
    /// cannot be read. [`CORRUPT_DATA`](Status::CORRUPT_DATA) names the tensor and what is wrong
    /// with it: a size or place beyond the file, tensors that overlap, in safetensors bytes of no
    /// tensor, a name that comes twice, names and keys that are not text of one line, lengths and
    /// counts beyond the file. [`UNSUPPORTED`](Status::UNSUPPORTED): other versions of GGUF, or
    /// more than 100 MB before its tensors, names of more than 255 bytes, more than [`RANK_MAX`]
    /// dimensions, more than 2^20 tensors or values of metadata.
    #[doc(alias = "netcl_weights_open")]
    pub fn open(device: &Device, path: impl AsRef<Path>) -> Result<Weights> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut weights_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_weights_open(device.as_raw(), path_c.as_ptr(), ptr::null(), &mut weights_out)
        })?;
        Ok(unsafe { Weights::take(weights_out)? })
    }

    /// As [`Self::open`], with options.
    #[doc(alias = "netcl_weights_open")]
    pub fn open_with(
        device: &Device,
        path: impl AsRef<Path>,
        options: WeightsOptions,
    ) -> Result<Weights> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut weights_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_weights_open(
                device.as_raw(),
                path_c.as_ptr(),
                &options_raw,
                &mut weights_out,
            )
        })?;
        Ok(unsafe { Weights::take(weights_out)? })
    }

    /// Tells what a file of weights is.
    #[doc(alias = "netcl_weights_get_info")]
    pub fn info(&self) -> Result<WeightsInfo> {
        let mut info = MaybeUninit::<sys::netcl_weights_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_weights_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(WeightsInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Describes a tensor of the file. In an .npz the tensors are the members whose names end in
    /// .npy, without that ending.
    ///
    /// * `index`: from 0 on, in the order of the file
    #[doc(alias = "netcl_weights_get_entry")]
    pub fn entry(&self, index: u32) -> Result<WeightsEntry> {
        let mut entry = MaybeUninit::<sys::netcl_weights_entry>::uninit();
        unsafe { support::set_size(entry.as_mut_ptr()) };
        check(unsafe { sys::netcl_weights_get_entry(self.as_raw(), index, entry.as_mut_ptr()) })?;
        Ok(WeightsEntry::from_raw(unsafe { entry.assume_init_ref() }))
    }

    /// Finds a tensor by its name. [`NOT_FOUND`](Status::NOT_FOUND) where there is none.
    #[doc(alias = "netcl_weights_find")]
    pub fn find(&self, name: &str) -> Result<u32> {
        let name_c = CText::new("name", name)?;
        let mut index = Default::default();
        check(unsafe { sys::netcl_weights_find(self.as_raw(), name_c.as_ptr(), &mut index) })?;
        Ok(index)
    }

    /// Gives a tensor of the file, each time a new one. Without `options.pool` and `options.share`
    /// it looks into the file on CPU devices, where its elements lie at a multiple of their size,
    /// are not deflated, not of the other byte order and not bool; else it is a copy. Weights in
    /// blocks, Q4_0, Q8_0 and Q4_K of GGUF, are u8 \[..., N, blocks, bytes of a block\] for
    /// entry.shape \[..., N, K\], as [`op::matmul_quantized()`] takes them. Arrays of .npz in
    /// Fortran's order have its strides. Nothing larger than 64 MiB and 16 times its bytes in the
    /// file is allocated before these are read once.
    ///
    /// [`UNSUPPORTED`](Status::UNSUPPORTED), naming the type, where netcl has no dtype for it
    /// (entry.dtype is 0), and for members of .npz that are encrypted or packed in another way.
    /// [`IO`](Status::IO) where the file has become shorter. [`CORRUPT_DATA`](Status::CORRUPT_DATA)
    /// where a copied member of .npz does not have the size or the checksum that the file says;
    /// those of tensors that look into the file are not checked.
    #[doc(alias = "netcl_weights_get_tensor")]
    pub fn tensor(&self, index: u32) -> Result<AnyTensor> {
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_weights_get_tensor(self.as_raw(), index, ptr::null(), &mut tensor_out)
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`Self::tensor`], with options.
    #[doc(alias = "netcl_weights_get_tensor")]
    pub fn tensor_with(&self, index: u32, options: TensorOptions<'_>) -> Result<AnyTensor> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_weights_get_tensor(self.as_raw(), index, &options_raw, &mut tensor_out)
        })?;
        options.finish(options_keep);
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Gives a key of the file's metadata. What is no UTF-8 in texts of GGUF becomes U+FFFD.
    ///
    /// * `index`: from 0 on, below [`WeightsInfo.metadata_count`](WeightsInfo)
    #[doc(alias = "netcl_weights_get_metadata_key")]
    pub fn metadata_key(&self, index: u32) -> Result<String> {
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_weights_get_metadata_key(self.as_raw(), index, place as *mut _, room, length)
        })?;
        Ok(text)
    }

    /// Gives the value of a key of the file's metadata as text. Numbers of GGUF are decimal, truth
    /// values "true" or "false", arrays are JSON. [`NOT_FOUND`](Status::NOT_FOUND) where the file
    /// has no such key.
    #[doc(alias = "netcl_weights_get_metadata")]
    pub fn metadata(&self, key: &str) -> Result<String> {
        let key_c = CText::new("key", key)?;
        let text = support::read_text(|place, room, length| unsafe {
            sys::netcl_weights_get_metadata(
                self.as_raw(),
                key_c.as_ptr(),
                place as *mut _,
                room,
                length,
            )
        })?;
        Ok(text)
    }

    /// Writes tensors under names as a file of safetensors, or as an .npz whose members are stored.
    /// The file is replaced as a whole or not at all; elements are in C order and lie at a multiple
    /// of their size, so that they can be looked into. Names are distinct, at most 255 bytes, and
    /// "__metadata__" is none of safetensors. bf16 is '\<V2' in .npz, as in
    /// [`AnyTensor::save_npy()`]. The waits for pending writes take at most `timeout` together,
    /// with the errors of [`AnyTensor::wait()`]. [`IO`](Status::IO) where the file cannot be
    /// written. GGUF is not written: [`UNSUPPORTED`](Status::UNSUPPORTED).
    #[doc(alias = "netcl_weights_save")]
    pub fn save(
        path: impl AsRef<Path>,
        format: WeightsFormat,
        names: &[&str],
        tensors: &[&AnyTensor],
        timeout: impl Into<Timeout>,
    ) -> Result<()> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut names_c = Texts::default();
        names_c.fill("names", names)?;
        let mut tensors_raw = Pointers::default();
        tensors_raw.fill(tensors.iter().map(|h| h.as_raw()));
        check(unsafe {
            sys::netcl_weights_save(
                path_c.as_ptr(),
                format.0,
                names_c.as_ptr(),
                support::count("names", names.len())?,
                tensors_raw.as_ptr(),
                support::count("tensors", tensors.len())?,
                ptr::null(),
                timeout.into().0,
            )
        })
    }

    /// As [`Self::save`], with options.
    #[doc(alias = "netcl_weights_save")]
    pub fn save_with(
        path: impl AsRef<Path>,
        format: WeightsFormat,
        names: &[&str],
        tensors: &[&AnyTensor],
        options: WeightsSaveOptions<'_>,
        timeout: impl Into<Timeout>,
    ) -> Result<()> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut names_c = Texts::default();
        names_c.fill("names", names)?;
        let mut tensors_raw = Pointers::default();
        tensors_raw.fill(tensors.iter().map(|h| h.as_raw()));
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        check(unsafe {
            sys::netcl_weights_save(
                path_c.as_ptr(),
                format.0,
                names_c.as_ptr(),
                support::count("names", names.len())?,
                tensors_raw.as_ptr(),
                support::count("tensors", tensors.len())?,
                &options_raw,
                timeout.into().0,
            )
        })
    }
}
