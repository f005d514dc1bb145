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

/// A piece of memory: a lease from a pool, or memory made on its own. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_buffer")]
#[repr(transparent)]
pub struct Buffer {
    raw: NonNull<sys::netcl_buffer>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Buffer {}
unsafe impl Sync for Buffer {}

impl Buffer {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_buffer) -> Buffer {
        Buffer { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_buffer {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_buffer_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_buffer {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_buffer) -> Option<Buffer> {
        NonNull::new(raw).map(|raw| Buffer { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_buffer) -> Result<Buffer> {
        Buffer::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Buffer> {
        check(unsafe { sys::netcl_buffer_retain(self.as_raw()) })?;
        Ok(Buffer { raw: self.raw })
    }
}

impl Clone for Buffer {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Buffer {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        unsafe { sys::netcl_buffer_release(self.as_raw()) }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Buffer {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Buffer) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Buffer {}

impl Buffer {
    /// Allocates page-locked host memory outside any pool.
    ///
    /// # Safety
    /// Nothing is read before it is written: the memory may show what was freed.
    #[doc(alias = "netcl_buffer_create_pinned")]
    pub unsafe fn pinned(device: &Device, bytes: u64) -> Result<Buffer> {
        let mut buffer_out = ptr::null_mut();
        check(unsafe { sys::netcl_buffer_create_pinned(device.as_raw(), bytes, &mut buffer_out) })?;
        Ok(unsafe { Buffer::take(buffer_out)? })
    }

    /// Lets the device work on the caller's own memory, which must stay valid until the last
    /// reference to the buffer and its tensors is gone and the device is done.
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) where the device does not share memory with the host;
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) when the pointer is not aligned to 64 bytes.
    ///
    /// # Safety
    /// The memory is valid and nobody else uses it until the library is done with it: until the
    /// last reference to what this gives is gone, that of tensors over it too, and the device is
    /// done.
    #[doc(alias = "netcl_buffer_create_zero_copy")]
    pub unsafe fn zero_copy(device: &Device, data: *mut c_void, bytes: u64) -> Result<Buffer> {
        let mut buffer_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_buffer_create_zero_copy(device.as_raw(), data, bytes, &mut buffer_out)
        })?;
        Ok(unsafe { Buffer::take(buffer_out)? })
    }

    /// Gives the facts of a buffer.
    #[doc(alias = "netcl_buffer_get_info")]
    pub fn info(&self) -> Result<BufferInfo> {
        let mut info = MaybeUninit::<sys::netcl_buffer_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_buffer_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(BufferInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Lends the OpenCL memory object. [`UNSUPPORTED`](Status::UNSUPPORTED) on the built-in device,
    /// [`NOT_FOUND`](Status::NOT_FOUND) for 0 bytes.
    #[doc(alias = "netcl_buffer_get_cl_mem")]
    pub fn cl_mem(&self) -> Result<*mut sys::_cl_mem> {
        let mut mem = ptr::null_mut();
        check(unsafe { sys::netcl_buffer_get_cl_mem(self.as_raw(), &mut mem) })?;
        Ok(mem)
    }

    /// Lets others have a buffer's memory: another process, to which a Unix socket takes the
    /// descriptor (SCM_RIGHTS), or another device. [`UNSUPPORTED`](Status::UNSUPPORTED) for memory
    /// that was made without `share` = true, [`NOT_FOUND`](Status::NOT_FOUND) for 0 bytes,
    /// [`IO`](Status::IO) when there is no further descriptor.
    #[doc(alias = "netcl_buffer_export")]
    pub fn export(&self) -> Result<SharedMemory> {
        let mut memory = MaybeUninit::<sys::netcl_shared_memory>::uninit();
        unsafe { support::set_size(memory.as_mut_ptr()) };
        check(unsafe { sys::netcl_buffer_export(self.as_raw(), memory.as_mut_ptr()) })?;
        Ok(SharedMemory::from_raw(unsafe { memory.assume_init_ref() }))
    }

    /// Opens what [`Buffer::export()`] gave, here or in another process;
    /// [`AnyTensor::from_buffer()`] makes tensors of it. The descriptor stays the caller's, who may
    /// close it when the call returns. Whoever sent it need not be trusted:
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT), naming what is wrong, for a descriptor that
    /// is not open for reading and writing or is no memory file, for a file that somebody could
    /// shrink (it has no F_SEAL_SHRINK) or that is sealed against writing, for total_bytes that are
    /// not its size, for bytes that do not lie in it, and for an offset that is no multiple of 64
    /// (512 for [`ShareKind::CUDA`], where CUDA's driver is what checks the descriptor).
    /// [`UNSUPPORTED`](Status::UNSUPPORTED) where the device cannot open this kind, it is memory of
    /// a GPU that this one does not reach, or total_bytes are more than 510 MiB of
    /// [`ShareKind::CUDA`]. What a device does with memory of another GPU goes by the link between
    /// them.
    ///
    /// # Safety
    /// Nothing is read before it is written: the memory may show what was freed.
    #[doc(alias = "netcl_buffer_import")]
    pub unsafe fn import(device: &Device, memory: &SharedMemory) -> Result<Buffer> {
        let memory_raw = memory.raw();
        let mut buffer_out = ptr::null_mut();
        check(unsafe { sys::netcl_buffer_import(device.as_raw(), &memory_raw, &mut buffer_out) })?;
        Ok(unsafe { Buffer::take(buffer_out)? })
    }

    /// Gives the address (CUdeviceptr) of a buffer for CUDA, in the primary context of its GPU,
    /// which PyTorch, CuPy and JAX use. It is valid until the last reference to the buffer and its
    /// tensors is gone. [`UNSUPPORTED`](Status::UNSUPPORTED) for memory that CUDA does not know,
    /// [`NOT_FOUND`](Status::NOT_FOUND) for 0 bytes.
    #[doc(alias = "netcl_buffer_get_cuda_address")]
    pub fn cuda_address(&self) -> Result<u64> {
        let mut address = Default::default();
        check(unsafe { sys::netcl_buffer_get_cuda_address(self.as_raw(), &mut address) })?;
        Ok(address)
    }
}
