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

/// One rank of several that work together, each with a device of its own. Shareable.
///
/// A clone is one more reference to the same object, and dropping gives it back.
#[doc(alias = "netcl_group")]
#[repr(transparent)]
pub struct Group {
    raw: NonNull<sys::netcl_group>,
}

// The header says "Shareable.", and the library checks what it is given.
unsafe impl Send for Group {}
unsafe impl Sync for Group {}

impl Group {
    /// Takes over one reference.
    ///
    /// # Safety
    /// `raw` is a handle of this type, and the caller gives one reference away. It must not be
    /// null.
    pub unsafe fn from_raw(raw: *mut sys::netcl_group) -> Group {
        Group { raw: NonNull::new_unchecked(raw) }
    }

    /// Lends the handle of C.
    pub fn as_raw(&self) -> *mut sys::netcl_group {
        self.raw.as_ptr()
    }

    /// Hands the reference out; `netcl_group_release` gives it back.
    pub fn into_raw(self) -> *mut sys::netcl_group {
        let raw = self.raw.as_ptr();
        std::mem::forget(self);
        raw
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn from_nullable(raw: *mut sys::netcl_group) -> Option<Group> {
        NonNull::new(raw).map(|raw| Group { raw })
    }

    #[allow(dead_code)]
    pub(crate) unsafe fn take(raw: *mut sys::netcl_group) -> Result<Group> {
        Group::from_nullable(raw).ok_or_else(support::nothing_given)
    }

    /// One more reference, or the reason why not: `clone` without a panic.
    pub fn try_clone(&self) -> Result<Group> {
        check(unsafe { sys::netcl_group_retain(self.as_raw()) })?;
        Ok(Group { raw: self.raw })
    }
}

impl Clone for Group {
    /// Adds a reference.
    ///
    /// # Panics
    /// When the library refuses: 2^24 references are held already, or the object was made before
    /// a fork. `try_clone` returns these as errors.
    fn clone(&self) -> Group {
        match self.try_clone() {
            Ok(clone) => clone,
            Err(error) => panic!("{error}"),
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        unsafe { sys::netcl_group_release(self.as_raw()) }
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Group({:#x})", self.as_raw() as usize)
    }
}

impl PartialEq for Group {
    /// Whether both are the same handle; two handles may stand for one object.
    fn eq(&self, other: &Group) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Group {}

impl Group {
    /// Makes one rank of a group that meets at a path: rank 0 makes a socket of that name and
    /// removes it when all have come. All give the same path and size, each its own rank, in any
    /// order; a process may join as several ranks, from a thread each, which may have the same
    /// device. The folder is made where it is missing; it must belong to this user, and nobody else
    /// may write it, else [`IO`](Status::IO), as for a socket of another user.
    /// [`BUSY`](Status::BUSY) for rank 0 where another group meets there. TIMEOUT naming the ranks
    /// that did not come. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for a rank that is not
    /// below size; on all ranks that have come for one that comes twice and one with another size
    /// or transport.
    ///
    /// * `path`: absolute, at most 100 bytes
    /// * `index`: the rank
    #[doc(alias = "netcl_group_join")]
    pub fn join(device: &Device, path: impl AsRef<Path>, index: u32, size: u32) -> Result<Group> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut group_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_group_join(
                device.as_raw(),
                path_c.as_ptr(),
                index,
                size,
                ptr::null(),
                &mut group_out,
            )
        })?;
        Ok(unsafe { Group::take(group_out)? })
    }

    /// As [`Self::join`], with options.
    #[doc(alias = "netcl_group_join")]
    pub fn join_with(
        device: &Device,
        path: impl AsRef<Path>,
        index: u32,
        size: u32,
        options: GroupOptions,
    ) -> Result<Group> {
        let path_c = CText::path("path", path.as_ref())?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut group_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_group_join(
                device.as_raw(),
                path_c.as_ptr(),
                index,
                size,
                &options_raw,
                &mut group_out,
            )
        })?;
        Ok(unsafe { Group::take(group_out)? })
    }

    /// Makes a group of several devices of this process: rank k has devices\[k\], and groups\[k\]
    /// is that rank. What holds for ranks that joined at a path holds for these, and nothing is
    /// made in the file system. As each call waits for the other ranks, each rank has a thread of
    /// its own. [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) for no devices, for more than
    /// [`GROUP_SIZE_MAX`], and where two of them are one device, naming both: two ranks of one
    /// piece of hardware have devices that were opened with `separate` = true. [`IO`](Status::IO)
    /// where the n (n - 1) descriptors that n ranks take are too many; with PEER_MEMORY n ranks
    /// take n \* n more.
    #[doc(alias = "netcl_group_create_local")]
    pub fn create_local(devices: &[&Device]) -> Result<Vec<Group>> {
        let mut devices_raw = Pointers::default();
        devices_raw.fill(devices.iter().map(|h| h.as_raw()));
        let mut groups_out = vec![ptr::null_mut(); devices.len()];
        check(unsafe {
            sys::netcl_group_create_local(
                devices_raw.as_ptr(),
                support::count("devices", devices.len())?,
                ptr::null(),
                groups_out.as_mut_ptr(),
            )
        })?;
        let groups = groups_out.into_iter().map(|h| unsafe { Group::take(h) });
        let groups = groups.collect::<Result<Vec<_>>>()?;
        Ok(groups)
    }

    /// As [`Self::create_local`], with options.
    #[doc(alias = "netcl_group_create_local")]
    pub fn create_local_with(devices: &[&Device], options: GroupOptions) -> Result<Vec<Group>> {
        let mut devices_raw = Pointers::default();
        devices_raw.fill(devices.iter().map(|h| h.as_raw()));
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut groups_out = vec![ptr::null_mut(); devices.len()];
        check(unsafe {
            sys::netcl_group_create_local(
                devices_raw.as_ptr(),
                support::count("devices", devices.len())?,
                &options_raw,
                groups_out.as_mut_ptr(),
            )
        })?;
        let groups = groups_out.into_iter().map(|h| unsafe { Group::take(h) });
        let groups = groups.collect::<Result<Vec<_>>>()?;
        Ok(groups)
    }

    /// Makes this process one rank of a group of all processes of an MPI communicator, which keep
    /// their ranks. All of them make the call, with the same transport; the communicator is copied
    /// and may be freed later. The program initialises MPI. What follows is for this call, and for
    /// those of a group whose ranks are on several hosts or that was asked for with
    /// [`GroupTransport::MPI`]: they come before MPI_Finalize; without MPI_THREAD_SERIALIZED they
    /// come on the thread that initialised MPI, else they are
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT); and without MPI_THREAD_MULTIPLE no other
    /// thread is in a call of MPI meanwhile. [`UNSUPPORTED`](Status::UNSUPPORTED) naming the file
    /// where libnetcl-mpi.so cannot be opened (`NETCL_MPI_LIBRARY` names another), and for
    /// SHARED_MEMORY where the ranks are on several hosts.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) where MPI is not initialised or has been
    /// finalised, for a number that is no communicator (where MPI can tell), one between two
    /// groups, and one with more than [`GROUP_SIZE_MAX`] processes; on all ranks where their
    /// transports differ. TIMEOUT where a process does not come; no more groups can be made of that
    /// communicator then. MPI tells nobody of a rank that dies: where ranks exchange messages, the
    /// others get TIMEOUT.
    ///
    /// * `communicator`: what MPI_Comm_c2f gives, or [`MPI_WORLD`]
    #[doc(alias = "netcl_group_create_mpi")]
    pub fn mpi(device: &Device, communicator: i64) -> Result<Group> {
        let mut group_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_group_create_mpi(device.as_raw(), communicator, ptr::null(), &mut group_out)
        })?;
        Ok(unsafe { Group::take(group_out)? })
    }

    /// As [`Self::mpi`], with options.
    #[doc(alias = "netcl_group_create_mpi")]
    pub fn mpi_with(device: &Device, communicator: i64, options: GroupOptions) -> Result<Group> {
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut group_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_group_create_mpi(device.as_raw(), communicator, &options_raw, &mut group_out)
        })?;
        Ok(unsafe { Group::take(group_out)? })
    }

    /// Makes groups of the ranks with the same colour, in their order. All ranks make the call with
    /// the same colours.
    ///
    /// * `colors`: one of each rank: as many as the group has ranks
    #[doc(alias = "netcl_group_split")]
    pub fn split(&self, colors: &[u32]) -> Result<Group> {
        let mut part_out = ptr::null_mut();
        check(unsafe {
            sys::netcl_group_split(
                self.as_raw(),
                support::slice_ptr(colors) as *const _,
                support::count("colors", colors.len())?,
                &mut part_out,
            )
        })?;
        Ok(unsafe { Group::take(part_out)? })
    }

    /// Gives the facts of a group.
    #[doc(alias = "netcl_group_get_info")]
    pub fn info(&self) -> Result<GroupInfo> {
        let mut info = MaybeUninit::<sys::netcl_group_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_group_get_info(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(GroupInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Gives the device of this rank.
    #[doc(alias = "netcl_group_get_device")]
    pub fn device(&self) -> Result<Device> {
        let mut device_out = ptr::null_mut();
        check(unsafe { sys::netcl_group_get_device(self.as_raw(), &mut device_out) })?;
        Ok(unsafe { Device::take(device_out)? })
    }

    /// Tells what device rank `index` has, as its process sees it.
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) where the group has no such rank.
    #[doc(alias = "netcl_group_describe_device")]
    pub fn describe_device(&self, index: u32) -> Result<DeviceInfo> {
        let mut info = MaybeUninit::<sys::netcl_device_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_group_describe_device(self.as_raw(), index, info.as_mut_ptr())
        })?;
        Ok(DeviceInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Tells what failed: status and message of what made the group unusable, all zero while it is
    /// usable.
    #[doc(alias = "netcl_group_get_error")]
    pub fn error(&self) -> Result<ErrorInfo> {
        let mut info = MaybeUninit::<sys::netcl_error_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe { sys::netcl_group_get_error(self.as_raw(), info.as_mut_ptr()) })?;
        Ok(ErrorInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// Waits until all ranks have made this call.
    #[doc(alias = "netcl_group_barrier")]
    pub fn barrier(&self) -> Result<()> {
        check(unsafe { sys::netcl_group_barrier(self.as_raw(), ptr::null()) })
    }

    /// As [`Self::barrier`], with options.
    #[doc(alias = "netcl_group_barrier")]
    pub fn barrier_with(&self, run: RunOptions<'_>) -> Result<()> {
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        check(unsafe { sys::netcl_group_barrier(self.as_raw(), &run_raw) })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Joins the inputs of all ranks element by element: SUM, PROD, MIN, MAX, and MEAN of floats;
    /// others are [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT). f16 and bf16 are computed in f32
    /// and rounded once at the end, f32 and f64 in themselves; integers wrap around, NaN wins in
    /// MIN and MAX; of bool SUM and MAX are or, PROD and MIN are and. Error of a sum of n ranks: at
    /// most (n - 1) eps times the sum of absolute values. Shapes and dtypes of inputs and outputs
    /// of all ranks are equal. `output` may be `input`, else they share no memory.
    #[doc(alias = "netcl_group_all_reduce")]
    pub fn all_reduce(
        &self,
        input: impl AsRef<AnyTensor>,
        output: impl AsRef<AnyTensor>,
        kind: Reduction,
    ) -> Result<()> {
        let input = input.as_ref();
        let output = output.as_ref();
        let run_raw = crate::recording::run();
        check(unsafe {
            sys::netcl_group_all_reduce(
                self.as_raw(),
                input.as_raw(),
                output.as_raw(),
                kind.0,
                &run_raw,
            )
        })
    }

    /// As [`Self::all_reduce`], with options.
    #[doc(alias = "netcl_group_all_reduce")]
    pub fn all_reduce_with(
        &self,
        input: impl AsRef<AnyTensor>,
        output: impl AsRef<AnyTensor>,
        kind: Reduction,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let input = input.as_ref();
        let output = output.as_ref();
        let mut run_keep = Default::default();
        let run_raw = run.recorded(&mut run_keep)?;
        check(unsafe {
            sys::netcl_group_all_reduce(
                self.as_raw(),
                input.as_raw(),
                output.as_raw(),
                kind.0,
                &run_raw,
            )
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// As [`Group::all_reduce()`], for the output of rank `root` alone.
    ///
    /// * `output`: may be `None` on the other ranks, where it is not written
    #[doc(alias = "netcl_group_reduce")]
    pub fn reduce(
        &self,
        input: impl AsRef<AnyTensor>,
        output: Option<&AnyTensor>,
        kind: Reduction,
        root: u32,
    ) -> Result<()> {
        let input = input.as_ref();
        check(unsafe {
            sys::netcl_group_reduce(
                self.as_raw(),
                input.as_raw(),
                output.map_or(ptr::null_mut(), |h| h.as_raw()),
                kind.0,
                root,
                ptr::null(),
            )
        })
    }

    /// As [`Self::reduce`], with options.
    #[doc(alias = "netcl_group_reduce")]
    pub fn reduce_with(
        &self,
        input: impl AsRef<AnyTensor>,
        output: Option<&AnyTensor>,
        kind: Reduction,
        root: u32,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let input = input.as_ref();
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        check(unsafe {
            sys::netcl_group_reduce(
                self.as_raw(),
                input.as_raw(),
                output.map_or(ptr::null_mut(), |h| h.as_raw()),
                kind.0,
                root,
                &run_raw,
            )
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Gives the elements of rank `root`'s tensor to those of all ranks, which have its shape.
    #[doc(alias = "netcl_group_broadcast")]
    pub fn broadcast(&self, tensor: impl AsRef<AnyTensor>, root: u32) -> Result<()> {
        let tensor = tensor.as_ref();
        let run_raw = crate::recording::run();
        check(unsafe { sys::netcl_group_broadcast(self.as_raw(), tensor.as_raw(), root, &run_raw) })
    }

    /// As [`Self::broadcast`], with options.
    #[doc(alias = "netcl_group_broadcast")]
    pub fn broadcast_with(
        &self,
        tensor: impl AsRef<AnyTensor>,
        root: u32,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let tensor = tensor.as_ref();
        let mut run_keep = Default::default();
        let run_raw = run.recorded(&mut run_keep)?;
        check(unsafe {
            sys::netcl_group_broadcast(self.as_raw(), tensor.as_raw(), root, &run_raw)
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Puts the inputs of all ranks one behind the other along the first dimension, in which they
    /// may differ; the output has the sum of their extents there. Rank 1 at least.
    #[doc(alias = "netcl_group_all_gather")]
    pub fn all_gather(
        &self,
        input: impl AsRef<AnyTensor>,
        output: impl AsRef<AnyTensor>,
    ) -> Result<()> {
        let input = input.as_ref();
        let output = output.as_ref();
        let run_raw = crate::recording::run();
        check(unsafe {
            sys::netcl_group_all_gather(self.as_raw(), input.as_raw(), output.as_raw(), &run_raw)
        })
    }

    /// As [`Self::all_gather`], with options.
    #[doc(alias = "netcl_group_all_gather")]
    pub fn all_gather_with(
        &self,
        input: impl AsRef<AnyTensor>,
        output: impl AsRef<AnyTensor>,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let input = input.as_ref();
        let output = output.as_ref();
        let mut run_keep = Default::default();
        let run_raw = run.recorded(&mut run_keep)?;
        check(unsafe {
            sys::netcl_group_all_gather(self.as_raw(), input.as_raw(), output.as_raw(), &run_raw)
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// As [`Group::all_gather()`], for the output of rank `root` alone.
    ///
    /// * `output`: may be `None` on the other ranks, where it is not written
    #[doc(alias = "netcl_group_gather")]
    pub fn gather(
        &self,
        input: impl AsRef<AnyTensor>,
        output: Option<&AnyTensor>,
        root: u32,
    ) -> Result<()> {
        let input = input.as_ref();
        check(unsafe {
            sys::netcl_group_gather(
                self.as_raw(),
                input.as_raw(),
                output.map_or(ptr::null_mut(), |h| h.as_raw()),
                root,
                ptr::null(),
            )
        })
    }

    /// As [`Self::gather`], with options.
    #[doc(alias = "netcl_group_gather")]
    pub fn gather_with(
        &self,
        input: impl AsRef<AnyTensor>,
        output: Option<&AnyTensor>,
        root: u32,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let input = input.as_ref();
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        check(unsafe {
            sys::netcl_group_gather(
                self.as_raw(),
                input.as_raw(),
                output.map_or(ptr::null_mut(), |h| h.as_raw()),
                root,
                &run_raw,
            )
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Parts the input of rank `root` along the first dimension, in the order of the ranks: each
    /// gets as many entries as its output has there.
    ///
    /// * `input`: may be `None` on the other ranks, where it is not read
    #[doc(alias = "netcl_group_scatter")]
    pub fn scatter(
        &self,
        input: Option<&AnyTensor>,
        output: impl AsRef<AnyTensor>,
        root: u32,
    ) -> Result<()> {
        let output = output.as_ref();
        check(unsafe {
            sys::netcl_group_scatter(
                self.as_raw(),
                input.map_or(ptr::null_mut(), |h| h.as_raw()),
                output.as_raw(),
                root,
                ptr::null(),
            )
        })
    }

    /// As [`Self::scatter`], with options.
    #[doc(alias = "netcl_group_scatter")]
    pub fn scatter_with(
        &self,
        input: Option<&AnyTensor>,
        output: impl AsRef<AnyTensor>,
        root: u32,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let output = output.as_ref();
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        check(unsafe {
            sys::netcl_group_scatter(
                self.as_raw(),
                input.map_or(ptr::null_mut(), |h| h.as_raw()),
                output.as_raw(),
                root,
                &run_raw,
            )
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Joins the inputs of all ranks as [`Group::all_reduce()`] does, and parts the result along
    /// the first dimension: each rank gets as many entries as its output has there.
    #[doc(alias = "netcl_group_reduce_scatter")]
    pub fn reduce_scatter(
        &self,
        input: impl AsRef<AnyTensor>,
        output: impl AsRef<AnyTensor>,
        kind: Reduction,
    ) -> Result<()> {
        let input = input.as_ref();
        let output = output.as_ref();
        let run_raw = crate::recording::run();
        check(unsafe {
            sys::netcl_group_reduce_scatter(
                self.as_raw(),
                input.as_raw(),
                output.as_raw(),
                kind.0,
                &run_raw,
            )
        })
    }

    /// As [`Self::reduce_scatter`], with options.
    #[doc(alias = "netcl_group_reduce_scatter")]
    pub fn reduce_scatter_with(
        &self,
        input: impl AsRef<AnyTensor>,
        output: impl AsRef<AnyTensor>,
        kind: Reduction,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let input = input.as_ref();
        let output = output.as_ref();
        let mut run_keep = Default::default();
        let run_raw = run.recorded(&mut run_keep)?;
        check(unsafe {
            sys::netcl_group_reduce_scatter(
                self.as_raw(),
                input.as_raw(),
                output.as_raw(),
                kind.0,
                &run_raw,
            )
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Parts every rank's input along the first dimension; part k goes to rank k, where the parts
    /// lie in the order of the ranks that they came from. The output has as many entries as come.
    ///
    /// * `counts`: the extents of the parts, one for each rank; may be `None`: equal ones
    #[doc(alias = "netcl_group_all_to_all")]
    pub fn all_to_all(
        &self,
        input: impl AsRef<AnyTensor>,
        counts: &[i64],
        output: impl AsRef<AnyTensor>,
    ) -> Result<()> {
        let input = input.as_ref();
        let output = output.as_ref();
        let run_raw = crate::recording::run();
        check(unsafe {
            sys::netcl_group_all_to_all(
                self.as_raw(),
                input.as_raw(),
                support::slice_ptr(counts) as *const _,
                support::count("counts", counts.len())?,
                output.as_raw(),
                &run_raw,
            )
        })
    }

    /// As [`Self::all_to_all`], with options.
    #[doc(alias = "netcl_group_all_to_all")]
    pub fn all_to_all_with(
        &self,
        input: impl AsRef<AnyTensor>,
        counts: &[i64],
        output: impl AsRef<AnyTensor>,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let input = input.as_ref();
        let output = output.as_ref();
        let mut run_keep = Default::default();
        let run_raw = run.recorded(&mut run_keep)?;
        check(unsafe {
            sys::netcl_group_all_to_all(
                self.as_raw(),
                input.as_raw(),
                support::slice_ptr(counts) as *const _,
                support::count("counts", counts.len())?,
                output.as_raw(),
                &run_raw,
            )
        })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Sends a tensor to another rank, which calls [`Group::receive()`] for one of the same shape
    /// and dtype. Ends when it was received; ranks that exchange tensors take turns, or call
    /// [`Group::all_to_all()`]. Sends and receives may stand anywhere between the collectives of
    /// other ranks. A shape or dtype that differs is [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT)
    /// on both.
    #[doc(alias = "netcl_group_send")]
    pub fn send(&self, tensor: impl AsRef<AnyTensor>, peer: u32) -> Result<()> {
        let tensor = tensor.as_ref();
        check(unsafe { sys::netcl_group_send(self.as_raw(), tensor.as_raw(), peer, ptr::null()) })
    }

    /// As [`Self::send`], with options.
    #[doc(alias = "netcl_group_send")]
    pub fn send_with(
        &self,
        tensor: impl AsRef<AnyTensor>,
        peer: u32,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let tensor = tensor.as_ref();
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        check(unsafe { sys::netcl_group_send(self.as_raw(), tensor.as_raw(), peer, &run_raw) })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Receives a tensor from another rank; see [`Group::send()`].
    #[doc(alias = "netcl_group_receive")]
    pub fn receive(&self, tensor: impl AsRef<AnyTensor>, peer: u32) -> Result<()> {
        let tensor = tensor.as_ref();
        check(unsafe {
            sys::netcl_group_receive(self.as_raw(), tensor.as_raw(), peer, ptr::null())
        })
    }

    /// As [`Self::receive`], with options.
    #[doc(alias = "netcl_group_receive")]
    pub fn receive_with(
        &self,
        tensor: impl AsRef<AnyTensor>,
        peer: u32,
        run: RunOptions<'_>,
    ) -> Result<()> {
        let tensor = tensor.as_ref();
        let mut run_keep = Default::default();
        let run_raw = run.raw(&mut run_keep)?;
        check(unsafe { sys::netcl_group_receive(self.as_raw(), tensor.as_raw(), peer, &run_raw) })?;
        run.finish(run_keep);
        Ok(())
    }

    /// Tells which block rank `index` of the group has of a tensor that lies so. It asks no other
    /// rank.
    #[doc(alias = "netcl_group_describe_block")]
    pub fn describe_block(&self, index: u32, shape: impl Into<Shape>) -> Result<BlockInfo> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        let mut info = MaybeUninit::<sys::netcl_block_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_group_describe_block(
                self.as_raw(),
                index,
                shape.rank(),
                shape_raw.as_ptr(),
                ptr::null(),
                info.as_mut_ptr(),
            )
        })?;
        Ok(BlockInfo::from_raw(unsafe { info.assume_init_ref() }))
    }

    /// As [`Self::describe_block`], with options.
    #[doc(alias = "netcl_group_describe_block")]
    pub fn describe_block_with(
        &self,
        index: u32,
        shape: impl Into<Shape>,
        options: ShardingOptions<'_>,
    ) -> Result<BlockInfo> {
        let shape = shape.into();
        let shape_raw = shape.raw("shape")?;
        let mut options_keep = Default::default();
        let options_raw = options.raw(&mut options_keep)?;
        let mut info = MaybeUninit::<sys::netcl_block_info>::uninit();
        unsafe { support::set_size(info.as_mut_ptr()) };
        check(unsafe {
            sys::netcl_group_describe_block(
                self.as_raw(),
                index,
                shape.rank(),
                shape_raw.as_ptr(),
                &options_raw,
                info.as_mut_ptr(),
            )
        })?;
        Ok(BlockInfo::from_raw(unsafe { info.assume_init_ref() }))
    }
}
