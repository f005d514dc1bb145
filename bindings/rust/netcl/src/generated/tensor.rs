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

/// An N-d array: a shape, strides and a dtype over a piece of memory. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_tensor")]
#[repr(transparent)]
pub struct AnyTensor {
    raw: NonNull<sys::netcl_tensor>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for AnyTensor {}
unsafe impl Sync for AnyTensor {}

impl AnyTensor {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_tensor) -> AnyTensor {
        AnyTensor { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_tensor {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_tensor_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_tensor {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_tensor) -> Option<AnyTensor> {
        NonNull::new(raw).map(|raw| AnyTensor { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_tensor) -> Result<AnyTensor> {
        AnyTensor::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<AnyTensor> {
        check(unsafe { sys::netcl_tensor_retain(self.as_raw()) })?;
        Ok(AnyTensor { raw: self.raw })
    }
}

impl Clone for AnyTensor {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> AnyTensor {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for AnyTensor {
    fn drop(&mut self) {
        unsafe { sys::netcl_tensor_release(self.as_raw()) }
    }
}

impl PartialEq for AnyTensor {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &AnyTensor) -> bool {
        self.raw == other.raw
    }
}

impl Eq for AnyTensor {}

impl AnyTensor {
    /// Makes a tensor whose contents are undefined.
    ///
    /// # Safety
    /// Nothing is read before it is written: the memory may show what was freed.
    #[doc(alias = "netcl_tensor_create")]
    pub unsafe fn new(
        device: &Device,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create(
                device.as_raw(),
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                ptr::null(),
                &mut tensor_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`Self::new`], with options.
    ///
    /// # Safety
    /// Nothing is read before it is written: the memory may show what was freed.
    #[doc(alias = "netcl_tensor_create")]
    pub unsafe fn with_options(
        device: &Device,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
        options: TensorOptions<'_>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create(
                device.as_raw(),
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                &options_raw,
                &mut tensor_out,
            )
        })?;
        options.finish(options_keep);
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Makes a tensor of zeros. Strides, here and below, lay out the new memory; they must not
    /// overlap, and what they leave out is 0 as well.
    #[doc(alias = "netcl_tensor_create_zeros")]
    pub fn zeros(
        device: &Device,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_zeros(
                device.as_raw(),
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                ptr::null(),
                &mut tensor_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`Self::zeros`], with options.
    #[doc(alias = "netcl_tensor_create_zeros")]
    pub fn zeros_with(
        device: &Device,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
        options: TensorOptions<'_>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_zeros(
                device.as_raw(),
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                &options_raw,
                &mut tensor_out,
            )
        })?;
        options.finish(options_keep);
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Makes a tensor with one value everywhere.
    ///
    /// * `value`: one element of `dtype`
    #[doc(alias = "netcl_tensor_create_full")]
    pub fn full(
        device: &Device,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
        value: Scalar,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let value_bytes = value.checked("value", dtype)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_full(
                device.as_raw(),
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                value_bytes.as_ptr() as *const c_void,
                ptr::null(),
                &mut tensor_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`Self::full`], with options.
    #[doc(alias = "netcl_tensor_create_full")]
    pub fn full_with(
        device: &Device,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
        value: Scalar,
        options: TensorOptions<'_>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let value_bytes = value.checked("value", dtype)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_full(
                device.as_raw(),
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                value_bytes.as_ptr() as *const c_void,
                &options_raw,
                &mut tensor_out,
            )
        })?;
        options.finish(options_keep);
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Makes a tensor of random numbers from Philox4x32-10 (Salmon et al., SC 2011). Element i in C
    /// order depends on seed, offset + i, dtype and distribution alone: the bits are the same on
    /// every device and for every layout, and parts made with offsets fit together.
    #[doc(alias = "netcl_tensor_create_random")]
    pub fn random(
        device: &Device,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_random(
                device.as_raw(),
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                ptr::null(),
                ptr::null(),
                &mut tensor_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`Self::random`], with options.
    #[doc(alias = "netcl_tensor_create_random")]
    pub fn random_with(
        device: &Device,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
        random: RandomOptions,
        options: TensorOptions<'_>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut random_keep = Default::default();
        let random_raw = random.raw(&mut random_keep)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_random(
                device.as_raw(),
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                &random_raw,
                &options_raw,
                &mut tensor_out,
            )
        })?;
        options.finish(options_keep);
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Makes a tensor from an array of the host. `strides` describe the array and become those of
    /// the tensor; `data` is the lowest address they reach. The caller may free or change the array
    /// when the call returns, unless `options.borrow` is true: then it must stay until the event,
    /// or until the tensor and all its views are gone where [`TensorInfo.borrowed`](TensorInfo) is
    /// true. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when `data.len()` is smaller than what
    /// the layout reaches.
    #[doc(alias = "netcl_tensor_create_from_host")]
    pub fn from_host(
        device: &Device,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
        data: &[u8],
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_from_host(
                device.as_raw(),
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                support::data_ptr(data),
                data.len(),
                ptr::null(),
                &mut tensor_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`Self::from_host`], with options.
    ///
    /// # Safety
    /// `data` is valid for `data_size` bytes during the call; with `options.event` or
    /// `options.borrow` set it stays so, and is used by nobody else, as long as the text above
    /// says.
    #[doc(alias = "netcl_tensor_create_from_host")]
    pub unsafe fn from_host_with(
        device: &Device,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
        data: *const c_void, data_size: usize,
        options: TensorOptions<'_>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_from_host(
                device.as_raw(),
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                data,
                data_size,
                &options_raw,
                &mut tensor_out,
            )
        })?;
        options.finish(options_keep);
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Makes a tensor over a buffer, starting offset_bytes into it (a multiple of the element
    /// size). Negative strides reach below the offset.
    #[doc(alias = "netcl_tensor_create_from_buffer")]
    pub fn from_buffer(
        buffer: &Buffer,
        offset_bytes: u64,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_from_buffer(
                buffer.as_raw(),
                offset_bytes,
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                &mut tensor_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Wraps an OpenCL memory object of the device's context as a tensor, starting offset_bytes
    /// into it. The object is retained; `options.take_ownership` = true takes over the caller's
    /// reference instead. The library does not see what the caller enqueues on it: while a command
    /// of the library uses the tensor or a view of it, nothing else may write the object, nor read
    /// what the command writes.
    ///
    /// # Safety
    /// The pointers are valid objects of their kind, as the comment above asks for.
    ///
    /// Until the tensor, its views and the commands on them are gone, nobody else writes the memory
    /// while a command of this crate may read it, nor touches it while one may write it.
    #[doc(alias = "netcl_tensor_create_from_cl")]
    pub unsafe fn from_cl(
        device: &Device,
        mem: *mut sys::_cl_mem,
        offset_bytes: u64,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_from_cl(
                device.as_raw(),
                mem,
                offset_bytes,
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                ptr::null(),
                &mut tensor_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`Self::from_cl`], with options.
    ///
    /// # Safety
    /// The pointers are valid objects of their kind, as the comment above asks for.
    ///
    /// Until the tensor, its views and the commands on them are gone, nobody else writes the memory
    /// while a command of this crate may read it, nor touches it while one may write it.
    #[doc(alias = "netcl_tensor_create_from_cl")]
    pub unsafe fn from_cl_with(
        device: &Device,
        mem: *mut sys::_cl_mem,
        offset_bytes: u64,
        dtype: Dtype,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
        options: TensorOptions<'_>,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_from_cl(
                device.as_raw(),
                mem,
                offset_bytes,
                dtype.0,
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                &options_raw,
                &mut tensor_out,
            )
        })?;
        options.finish(options_keep);
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Takes a DLPack tensor: kDLOpenCL of the device's context; kDLCPU, which is copied unless the
    /// device is the built-in one and `options.share` is false; or kDLCUDA that lies in a tensor or
    /// buffer of the device's with `share` = true. On success the library owns `managed` and calls
    /// its deleter when the tensor is gone (at once when it was copied); on failure the caller
    /// keeps it. Unless it was copied the memory is shared, as with [`AnyTensor::from_cl()`]: while
    /// a command of the library uses it, its producer may not write it, nor read what the command
    /// writes. [`UNSUPPORTED`](Status::UNSUPPORTED) for lanes other than 1, complex types and other
    /// devices.
    ///
    /// # Safety
    /// The pointers are valid objects of their kind, as the comment above asks for.
    ///
    /// Until the tensor, its views and the commands on them are gone, nobody else writes the memory
    /// while a command of this crate may read it, nor touches it while one may write it.
    #[doc(alias = "netcl_tensor_create_from_dlpack")]
    pub unsafe fn from_dlpack(
        device: &Device,
        managed: *mut sys::DLManagedTensor,
    ) -> Result<AnyTensor> {
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_from_dlpack(
                device.as_raw(),
                managed,
                ptr::null(),
                &mut tensor_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`Self::from_dlpack`], with options.
    ///
    /// # Safety
    /// The pointers are valid objects of their kind, as the comment above asks for.
    ///
    /// Until the tensor, its views and the commands on them are gone, nobody else writes the memory
    /// while a command of this crate may read it, nor touches it while one may write it.
    #[doc(alias = "netcl_tensor_create_from_dlpack")]
    pub unsafe fn from_dlpack_with(
        device: &Device,
        managed: *mut sys::DLManagedTensor,
        options: TensorOptions<'_>,
    ) -> Result<AnyTensor> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_from_dlpack(
                device.as_raw(),
                managed,
                &options_raw,
                &mut tensor_out,
            )
        })?;
        options.finish(options_keep);
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Exports a tensor through DLPack: kDLCUDA or, on CPU devices, kDLCPU when it was made with
    /// `share` = true, else kDLOpenCL with the cl_mem as data, or kDLCPU on the built-in device;
    /// with a byte_offset. Waits for what uses the tensor up to `timeout`; errors as for
    /// [`AnyTensor::wait()`]. The memory is shared, not copied: whoever reads it sees what later
    /// commands write.
    #[doc(alias = "netcl_tensor_to_dlpack")]
    pub fn to_dlpack(&self, timeout: impl Into<Timeout>) -> Result<DlpackTensor> {
        let mut managed = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_to_dlpack(self.as_raw(), timeout.into().0, &mut managed)
        })?;
        Ok(unsafe { DlpackTensor::take(managed)? })
    }

    /// Loads a .npy file (format 1 to 3; C or Fortran order, either byte order; bf16 is '\<V2' as
    /// written by ml_dtypes). [`IO`](Status::IO) when it cannot be read,
    /// [`CORRUPT_DATA`](Status::CORRUPT_DATA) naming what is wrong with it,
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) for element types without a dtype here.
    #[doc(alias = "netcl_tensor_load_npy")]
    pub fn load_npy(device: &Device, path: impl AsRef<Path>) -> Result<AnyTensor> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_load_npy(
                device.as_raw(),
                path_c.as_ptr(),
                ptr::null(),
                &mut tensor_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`Self::load_npy`], with options.
    #[doc(alias = "netcl_tensor_load_npy")]
    pub fn load_npy_with(
        device: &Device,
        path: impl AsRef<Path>,
        options: TensorOptions<'_>,
    ) -> Result<AnyTensor> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_load_npy(
                device.as_raw(),
                path_c.as_ptr(),
                &options_raw,
                &mut tensor_out,
            )
        })?;
        options.finish(options_keep);
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`AnyTensor::load_npy()`], from memory.
    #[doc(alias = "netcl_tensor_create_from_npy")]
    pub fn from_npy(device: &Device, data: &[u8]) -> Result<AnyTensor> {
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_from_npy(
                device.as_raw(),
                support::data_ptr(data),
                data.len(),
                ptr::null(),
                &mut tensor_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// As [`Self::from_npy`], with options.
    ///
    /// # Safety
    /// `data` is valid for `data_size` bytes during the call; with `options.event` or
    /// `options.borrow` set it stays so, and is used by nobody else, as long as the text above
    /// says.
    #[doc(alias = "netcl_tensor_create_from_npy")]
    pub unsafe fn from_npy_with(
        device: &Device,
        data: *const c_void, data_size: usize,
        options: TensorOptions<'_>,
    ) -> Result<AnyTensor> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut tensor_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_create_from_npy(
                device.as_raw(),
                data,
                data_size,
                &options_raw,
                &mut tensor_out,
            )
        })?;
        options.finish(options_keep);
        Ok(unsafe { AnyTensor::take(tensor_out)? })
    }

    /// Writes a tensor as a .npy file, format 1.0, C order. The file is replaced as a whole or not
    /// at all. [`IO`](Status::IO) when it cannot be written; the wait for pending writes takes at
    /// most `timeout`, with the errors of [`AnyTensor::wait()`].
    #[doc(alias = "netcl_tensor_save_npy")]
    pub fn save_npy(&self, path: impl AsRef<Path>, timeout: impl Into<Timeout>) -> Result<()> {
        let path_c = CText::path("path", path.as_ref())?;
        check(unsafe {
            sys::netcl_tensor_save_npy(self.as_raw(), path_c.as_ptr(), timeout.into().0)
        })
    }

    /// Gives the facts of a tensor.
    #[doc(alias = "netcl_tensor_get_info")]
    pub fn info(&self) -> Result<TensorInfo> {
        let mut info = MaybeUninit::<sys::netcl_tensor_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_tensor_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(TensorInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives the device of a tensor.
    #[doc(alias = "netcl_tensor_get_device")]
    pub fn device(&self) -> Result<Device> {
        let mut device_out = ptr::null_mut();
        check(unsafe { sys::netcl_tensor_get_device(self.as_raw(), &mut device_out) })?;
        Ok(unsafe { Device::take(device_out)? })
    }

    /// Gives the memory of a tensor; its contents begin at offset elements.
    #[doc(alias = "netcl_tensor_get_buffer")]
    pub fn buffer(&self) -> Result<Buffer> {
        let mut buffer_out = ptr::null_mut();
        check(unsafe { sys::netcl_tensor_get_buffer(self.as_raw(), &mut buffer_out) })?;
        Ok(unsafe { Buffer::take(buffer_out)? })
    }

    /// Views part of a tensor, one range per dimension.
    #[doc(alias = "netcl_tensor_slice")]
    pub fn slice(&self, ranges: &[Range]) -> Result<AnyTensor> {
        let mut view_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_slice(
                self.as_raw(),
                support::slice_ptr(ranges) as *const _,
                support::count("ranges", ranges.len())?,
                &mut view_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(view_out)? })
    }

    /// Views a tensor with its dimensions in another order.
    #[doc(alias = "netcl_tensor_permute")]
    pub fn permute(&self, axes: &[u32]) -> Result<AnyTensor> {
        let mut view_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_permute(
                self.as_raw(),
                support::slice_ptr(axes) as *const _,
                support::count("axes", axes.len())?,
                &mut view_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(view_out)? })
    }

    /// Views a tensor with a larger shape: dimensions of extent 1 and missing leading ones repeat.
    #[doc(alias = "netcl_tensor_broadcast")]
    pub fn broadcast(&self, shape: impl Into<Shape>) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        let mut view_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_broadcast(
                self.as_raw(),
                shape.rank(),
                shape_raw.as_ptr(),
                &mut view_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(view_out)? })
    }

    /// Views the memory of a tensor through any shape and strides, from `offset` elements after the
    /// tensor's own first element. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when an element
    /// would lie outside the memory.
    #[doc(alias = "netcl_tensor_view")]
    pub fn view(
        &self,
        shape: impl Into<Shape>,
        strides: Option<&[i64]>,
        offset: i64,
    ) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        support::check_strides(&shape, strides)?;
        let mut view_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_view(
                self.as_raw(),
                shape.rank(),
                shape_raw.as_ptr(),
                strides.map_or(ptr::null(), support::slice_ptr),
                offset,
                &mut view_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(view_out)? })
    }

    /// Gives the elements, in C order, another shape with the same number of elements; one extent
    /// may be -1 and is worked out. A view where strides allow it, otherwise a copy made by a
    /// command.
    #[doc(alias = "netcl_tensor_reshape")]
    pub fn reshape(&self, shape: impl Into<Shape>) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw_to_infer("shape")?;
        let run_raw = crate::recording::run();
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_reshape(
                self.as_raw(),
                shape.rank(),
                shape_raw.as_ptr(),
                &run_raw,
                &mut result_out,
            )
        })?;
        Ok(unsafe { AnyTensor::take(result_out)? })
    }

    /// As [`Self::reshape`], with options.
    #[doc(alias = "netcl_tensor_reshape")]
    pub fn reshape_with(&self, shape: impl Into<Shape>, run: RunOptions<'_>) -> Result<AnyTensor> {
        let shape = shape.into();
        let shape_raw = shape.raw_to_infer("shape")?;
        let mut run_keep = Default::default();
        let run_raw = run.recorded(&mut run_keep)?;
        let mut result_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_tensor_reshape(
                self.as_raw(),
                shape.rank(),
                shape_raw.as_ptr(),
                &run_raw,
                &mut result_out,
            )
        })?;
        run.finish(run_keep);
        Ok(unsafe { AnyTensor::take(result_out)? })
    }

    /// Copies elements to the host in C order. Without `options.event` the call waits for earlier
    /// work at most `timeout`, then for the copy, and touches `data` only before it returns;
    /// [`LAUNCH_FAILURE`](Status::LAUNCH_FAILURE), with `data` untouched, when the last command
    /// that wrote to the tensor's memory failed. With `options.event` it returns at once, and
    /// `data` must stay until the event has completed; what is in it when the event fails is
    /// undefined. `data.len()` must be byte_count of the tensor.
    #[doc(alias = "netcl_tensor_read")]
    pub fn read(&self, data: &mut [u8], timeout: impl Into<Timeout>) -> Result<()> {
        check(unsafe {
            sys::netcl_tensor_read(
                self.as_raw(),
                data.as_mut_ptr() as *mut c_void,
                data.len(),
                ptr::null(),
                timeout.into().0,
            )
        })
    }

    /// As [`Self::read`], with options.
    ///
    /// # Safety
    /// `data` is valid for `data_size` bytes during the call; with `options.event` or
    /// `options.borrow` set it stays so, and is used by nobody else, as long as the text above
    /// says.
    #[doc(alias = "netcl_tensor_read")]
    pub unsafe fn read_with(
        &self,
        data: *mut c_void, data_size: usize,
        options: TransferOptions<'_>,
        timeout: impl Into<Timeout>,
    ) -> Result<()> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        check(unsafe {
            sys::netcl_tensor_read(self.as_raw(), data, data_size, &options_raw, timeout.into().0)
        })?;
        options.finish(options_keep);
        Ok(())
    }

    /// Copies elements, in C order, from the host. The caller may free or change the array when the
    /// call returns, unless `options.borrow` is true. `timeout` bounds the wait for earlier work;
    /// on TIMEOUT the tensor is unchanged. `data.len()` must be byte_count of the tensor.
    #[doc(alias = "netcl_tensor_write")]
    pub fn write(&self, data: &[u8], timeout: impl Into<Timeout>) -> Result<()> {
        check(unsafe {
            sys::netcl_tensor_write(
                self.as_raw(),
                support::data_ptr(data),
                data.len(),
                ptr::null(),
                timeout.into().0,
            )
        })
    }

    /// As [`Self::write`], with options.
    ///
    /// # Safety
    /// `data` is valid for `data_size` bytes during the call; with `options.event` or
    /// `options.borrow` set it stays so, and is used by nobody else, as long as the text above
    /// says.
    #[doc(alias = "netcl_tensor_write")]
    pub unsafe fn write_with(
        &self,
        data: *const c_void, data_size: usize,
        options: TransferOptions<'_>,
        timeout: impl Into<Timeout>,
    ) -> Result<()> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        check(unsafe {
            sys::netcl_tensor_write(self.as_raw(), data, data_size, &options_raw, timeout.into().0)
        })?;
        options.finish(options_keep);
        Ok(())
    }

    /// Waits for the commands that write the tensor. [`LAUNCH_FAILURE`](Status::LAUNCH_FAILURE)
    /// when the last one that wrote to its memory failed, until another one writes there;
    /// [`Device::finish()`] and its own event tell too. A command fails with the one that was to
    /// write what it reads, whether it ran or not: nothing that is made of a missing result counts
    /// as whole.
    #[doc(alias = "netcl_tensor_wait")]
    pub fn wait(&self, timeout: impl Into<Timeout>) -> Result<()> {
        check(unsafe { sys::netcl_tensor_wait(self.as_raw(), timeout.into().0) })
    }

    /// Views the parts of a tensor along an axis, as ONNX Split; sizes add up to its extent. Copies
    /// nothing.
    #[doc(alias = "netcl_tensor_split")]
    pub fn split(&self, axis: i32, sizes: &[i64]) -> Result<Vec<AnyTensor>> {
        let mut views_out = vec![ptr::null_mut(); sizes.len()];
        check(unsafe {
            sys::netcl_tensor_split(
                self.as_raw(),
                axis,
                support::slice_ptr(sizes) as *const _,
                support::count("sizes", sizes.len())?,
                views_out.as_mut_ptr(),
            )
        })?;
        let views = views_out.into_iter().map(|h| unsafe { AnyTensor::take(h) });
        let views = views.collect::<Result<Vec<_>>>()?;
        Ok(views)
    }
}
