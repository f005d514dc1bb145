// Written by bindings/generator from include/netcl.h; changes here are lost.

use super::*;
use crate::support::{self, CText, Pointers, Texts};
use crate::{Result, Scalar};
use std::path::Path;
use std::ptr;

/// Options of [`Device::open()`], [`Device::open_from_cl()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_device_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct DeviceOptions {
    /// true: a context of its own instead of the one shared by all openings;
    /// [`Device::open_from_cl()`]: false
    pub separate: bool,
}

impl DeviceOptions {
    /// The defaults of all members.
    pub fn new() -> DeviceOptions {
        DeviceOptions::default()
    }

    /// true: a context of its own instead of the one shared by all openings;
    /// [`Device::open_from_cl()`]: false
    #[must_use]
    pub fn separate(mut self, separate: bool) -> DeviceOptions {
        self.separate = separate;
        self
    }
}

#[derive(Default)]
pub(crate) struct DeviceOptionsKeep;

impl DeviceOptions {
    pub(crate) fn raw(&self, _keep: &mut DeviceOptionsKeep) -> Result<sys::netcl_device_options> {
        Ok(sys::netcl_device_options {
            separate: self.separate as u32,
            ..sys::netcl_device_options::INIT
        })
    }
}

/// Options of [`Queue::new()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_queue_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct QueueOptions {
    /// true: commands may overtake each other where their memory allows it
    pub out_of_order: bool,
    /// true: as [`Queue::set_profiling()`](queue, 1)
    pub profiling: bool,
}

impl QueueOptions {
    /// The defaults of all members.
    pub fn new() -> QueueOptions {
        QueueOptions::default()
    }

    /// true: commands may overtake each other where their memory allows it
    #[must_use]
    pub fn out_of_order(mut self, out_of_order: bool) -> QueueOptions {
        self.out_of_order = out_of_order;
        self
    }

    /// true: as [`Queue::set_profiling()`](queue, 1)
    #[must_use]
    pub fn profiling(mut self, profiling: bool) -> QueueOptions {
        self.profiling = profiling;
        self
    }
}

#[derive(Default)]
pub(crate) struct QueueOptionsKeep;

impl QueueOptions {
    pub(crate) fn raw(&self, _keep: &mut QueueOptionsKeep) -> Result<sys::netcl_queue_options> {
        Ok(sys::netcl_queue_options {
            out_of_order: self.out_of_order as u32,
            profiling: self.profiling as u32,
            ..sys::netcl_queue_options::INIT
        })
    }
}

/// Options of [`Pool::new()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_pool_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct PoolOptions {
    /// Default: [`PERSISTENT`](PoolKind::PERSISTENT)
    pub kind: PoolKind,
    /// cached buffers per bucket; 0: 16 (persistent), no limit
    pub max_buffers_per_bucket: u32,
    /// Default: `NETCL_MAX_CACHED_GB` (persistent, pinned), no limit
    pub max_cached_bytes: u64,
    /// cap of cached plus leased bytes; 0: no limit
    pub max_bytes: u64,
    /// true: memory for [`Buffer::export()`]; see "Sharing"
    pub share: bool,
}

impl PoolOptions {
    /// The defaults of all members.
    pub fn new() -> PoolOptions {
        PoolOptions::default()
    }

    /// Default: [`PERSISTENT`](PoolKind::PERSISTENT)
    #[must_use]
    pub fn kind(mut self, kind: PoolKind) -> PoolOptions {
        self.kind = kind;
        self
    }

    /// cached buffers per bucket; 0: 16 (persistent), no limit
    #[must_use]
    pub fn max_buffers_per_bucket(mut self, max_buffers_per_bucket: u32) -> PoolOptions {
        self.max_buffers_per_bucket = max_buffers_per_bucket;
        self
    }

    /// Default: `NETCL_MAX_CACHED_GB` (persistent, pinned), no limit
    #[must_use]
    pub fn max_cached_bytes(mut self, max_cached_bytes: u64) -> PoolOptions {
        self.max_cached_bytes = max_cached_bytes;
        self
    }

    /// cap of cached plus leased bytes; 0: no limit
    #[must_use]
    pub fn max_bytes(mut self, max_bytes: u64) -> PoolOptions {
        self.max_bytes = max_bytes;
        self
    }

    /// true: memory for [`Buffer::export()`]; see "Sharing"
    #[must_use]
    pub fn share(mut self, share: bool) -> PoolOptions {
        self.share = share;
        self
    }
}

#[derive(Default)]
pub(crate) struct PoolOptionsKeep;

impl PoolOptions {
    pub(crate) fn raw(&self, _keep: &mut PoolOptionsKeep) -> Result<sys::netcl_pool_options> {
        Ok(sys::netcl_pool_options {
            kind: self.kind.0,
            max_buffers_per_bucket: self.max_buffers_per_bucket,
            max_cached_bytes: self.max_cached_bytes,
            max_bytes: self.max_bytes,
            share: self.share as u32,
            ..sys::netcl_pool_options::INIT
        })
    }
}

/// How a launch or an op runs. Used by every op.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_run_options")]
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RunOptions<'a> {
    /// `None`: the default queue of the first input's device
    pub queue: Option<&'a Queue>,
    /// write the result here instead of a new tensor
    pub into: Option<&'a AnyTensor>,
    /// further events to wait for; one that failed: [`LAUNCH_FAILURE`](Status::LAUNCH_FAILURE)
    pub waits: &'a [&'a Event],
    /// receives one reference: the event of the last command
    pub event: Option<&'a mut Option<Event>>,
    /// records the call; see "Graphs"
    pub graph: Option<&'a Graph>,
}

impl<'a> RunOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> RunOptions<'a> {
        RunOptions::default()
    }

    /// `None`: the default queue of the first input's device
    #[must_use]
    pub fn queue(mut self, queue: impl Into<Option<&'a Queue>>) -> RunOptions<'a> {
        self.queue = queue.into();
        self
    }

    /// write the result here instead of a new tensor
    #[must_use]
    pub fn into(mut self, into: impl Into<Option<&'a AnyTensor>>) -> RunOptions<'a> {
        self.into = into.into();
        self
    }

    /// further events to wait for; one that failed: [`LAUNCH_FAILURE`](Status::LAUNCH_FAILURE)
    #[must_use]
    pub fn waits(mut self, waits: &'a [&'a Event]) -> RunOptions<'a> {
        self.waits = waits;
        self
    }

    /// receives one reference: the event of the last command
    #[must_use]
    pub fn event(mut self, event: &'a mut Option<Event>) -> RunOptions<'a> {
        self.event = Some(event);
        self
    }

    /// records the call; see "Graphs"
    #[must_use]
    pub fn graph(mut self, graph: impl Into<Option<&'a Graph>>) -> RunOptions<'a> {
        self.graph = graph.into();
        self
    }
}

#[derive(Default)]
pub(crate) struct RunOptionsKeep {
    waits: Pointers<sys::netcl_event>,
    event: support::Out<sys::netcl_event>,
}

impl<'a> RunOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut RunOptionsKeep) -> Result<sys::netcl_run_options> {
        keep.waits.fill(self.waits.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_run_options {
            queue: self.queue.map_or(ptr::null_mut(), |h| h.as_raw()),
            into: self.into.map_or(ptr::null_mut(), |h| h.as_raw()),
            waits: keep.waits.as_ptr(),
            waits_count: support::count("waits", self.waits.len())?,
            event: if self.event.is_some() { &mut keep.event.0 } else { ptr::null_mut() },
            graph: self.graph.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_run_options::INIT
        })
    }

    /// Hands out what the call wrote.
    pub(crate) fn finish(self, keep: RunOptionsKeep) {
        if let Some(place) = self.event {
            *place = unsafe { Event::from_nullable(keep.event.0) };
        }
    }
}

/// Where and how a tensor is made.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_tensor_options")]
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct TensorOptions<'a> {
    /// `None`: the device's default queue
    pub queue: Option<&'a Queue>,
    /// `None`: the device's persistent pool, and for from_cl
    pub pool: Option<&'a Pool>,
    /// receives one reference: the device has the data
    pub event: Option<&'a mut Option<Event>>,
    /// return before the device has what is copied from the host; [`DEFAULT`](Toggle::DEFAULT):
    /// `NETCL_ASYNC_H2D`, and where nothing is copied
    pub async_copy: Toggle,
    /// stage that through page-locked memory; [`DEFAULT`](Toggle::DEFAULT): `NETCL_PINNED_H2D`, and
    /// where nothing is copied
    pub use_pinned: Toggle,
    /// true: from_host works on the caller's memory itself
    pub borrow: bool,
    /// true: from_cl releases the memory object with the tensor
    pub take_ownership: bool,
    /// true: in memory for [`Buffer::export()`], see "Sharing"; a pool that is given has to have
    /// been made so
    pub share: bool,
}

impl<'a> TensorOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> TensorOptions<'a> {
        TensorOptions::default()
    }

    /// `None`: the device's default queue
    #[must_use]
    pub fn queue(mut self, queue: impl Into<Option<&'a Queue>>) -> TensorOptions<'a> {
        self.queue = queue.into();
        self
    }

    /// `None`: the device's persistent pool, and for from_cl
    #[must_use]
    pub fn pool(mut self, pool: impl Into<Option<&'a Pool>>) -> TensorOptions<'a> {
        self.pool = pool.into();
        self
    }

    /// receives one reference: the device has the data
    #[must_use]
    pub fn event(mut self, event: &'a mut Option<Event>) -> TensorOptions<'a> {
        self.event = Some(event);
        self
    }

    /// return before the device has what is copied from the host; [`DEFAULT`](Toggle::DEFAULT):
    /// `NETCL_ASYNC_H2D`, and where nothing is copied
    #[must_use]
    pub fn async_copy(mut self, async_copy: Toggle) -> TensorOptions<'a> {
        self.async_copy = async_copy;
        self
    }

    /// stage that through page-locked memory; [`DEFAULT`](Toggle::DEFAULT): `NETCL_PINNED_H2D`, and
    /// where nothing is copied
    #[must_use]
    pub fn use_pinned(mut self, use_pinned: Toggle) -> TensorOptions<'a> {
        self.use_pinned = use_pinned;
        self
    }

    /// true: from_host works on the caller's memory itself
    #[must_use]
    pub fn borrow(mut self, borrow: bool) -> TensorOptions<'a> {
        self.borrow = borrow;
        self
    }

    /// true: from_cl releases the memory object with the tensor
    #[must_use]
    pub fn take_ownership(mut self, take_ownership: bool) -> TensorOptions<'a> {
        self.take_ownership = take_ownership;
        self
    }

    /// true: in memory for [`Buffer::export()`], see "Sharing"; a pool that is given has to have
    /// been made so
    #[must_use]
    pub fn share(mut self, share: bool) -> TensorOptions<'a> {
        self.share = share;
        self
    }
}

#[derive(Default)]
pub(crate) struct TensorOptionsKeep {
    event: support::Out<sys::netcl_event>,
}

impl<'a> TensorOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut TensorOptionsKeep) -> Result<sys::netcl_tensor_options> {
        Ok(sys::netcl_tensor_options {
            queue: self.queue.map_or(ptr::null_mut(), |h| h.as_raw()),
            pool: self.pool.map_or(ptr::null_mut(), |h| h.as_raw()),
            event: if self.event.is_some() { &mut keep.event.0 } else { ptr::null_mut() },
            async_copy: self.async_copy.0,
            use_pinned: self.use_pinned.0,
            borrow: self.borrow as u32,
            take_ownership: self.take_ownership as u32,
            share: self.share as u32,
            ..sys::netcl_tensor_options::INIT
        })
    }

    /// Hands out what the call wrote.
    pub(crate) fn finish(self, keep: TensorOptionsKeep) {
        if let Some(place) = self.event {
            *place = unsafe { Event::from_nullable(keep.event.0) };
        }
    }
}

/// How [`AnyTensor::read()`] and [`AnyTensor::write()`] move data.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_transfer_options")]
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct TransferOptions<'a> {
    /// `None`: the device's default queue
    pub queue: Option<&'a Queue>,
    /// further events to wait for
    pub waits: &'a [&'a Event],
    /// receives one reference; makes a read return at once
    pub event: Option<&'a mut Option<Event>>,
    /// write: return before the device has it; `NETCL_ASYNC_H2D`. read:
    /// [`DEFAULT`](Toggle::DEFAULT)
    pub async_copy: Toggle,
    /// stage through page-locked memory; `NETCL_PINNED_H2D`. A read with an event stages nothing,
    /// and takes no [`ON`](Toggle::ON)
    pub use_pinned: Toggle,
    /// true: write copies nothing; the array must stay until the event. read: false
    pub borrow: bool,
}

impl<'a> TransferOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> TransferOptions<'a> {
        TransferOptions::default()
    }

    /// `None`: the device's default queue
    #[must_use]
    pub fn queue(mut self, queue: impl Into<Option<&'a Queue>>) -> TransferOptions<'a> {
        self.queue = queue.into();
        self
    }

    /// further events to wait for
    #[must_use]
    pub fn waits(mut self, waits: &'a [&'a Event]) -> TransferOptions<'a> {
        self.waits = waits;
        self
    }

    /// receives one reference; makes a read return at once
    #[must_use]
    pub fn event(mut self, event: &'a mut Option<Event>) -> TransferOptions<'a> {
        self.event = Some(event);
        self
    }

    /// write: return before the device has it; `NETCL_ASYNC_H2D`. read:
    /// [`DEFAULT`](Toggle::DEFAULT)
    #[must_use]
    pub fn async_copy(mut self, async_copy: Toggle) -> TransferOptions<'a> {
        self.async_copy = async_copy;
        self
    }

    /// stage through page-locked memory; `NETCL_PINNED_H2D`. A read with an event stages nothing,
    /// and takes no [`ON`](Toggle::ON)
    #[must_use]
    pub fn use_pinned(mut self, use_pinned: Toggle) -> TransferOptions<'a> {
        self.use_pinned = use_pinned;
        self
    }

    /// true: write copies nothing; the array must stay until the event. read: false
    #[must_use]
    pub fn borrow(mut self, borrow: bool) -> TransferOptions<'a> {
        self.borrow = borrow;
        self
    }
}

#[derive(Default)]
pub(crate) struct TransferOptionsKeep {
    waits: Pointers<sys::netcl_event>,
    event: support::Out<sys::netcl_event>,
}

impl<'a> TransferOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut TransferOptionsKeep,
    ) -> Result<sys::netcl_transfer_options> {
        keep.waits.fill(self.waits.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_transfer_options {
            queue: self.queue.map_or(ptr::null_mut(), |h| h.as_raw()),
            waits: keep.waits.as_ptr(),
            waits_count: support::count("waits", self.waits.len())?,
            event: if self.event.is_some() { &mut keep.event.0 } else { ptr::null_mut() },
            async_copy: self.async_copy.0,
            use_pinned: self.use_pinned.0,
            borrow: self.borrow as u32,
            ..sys::netcl_transfer_options::INIT
        })
    }

    /// Hands out what the call wrote.
    pub(crate) fn finish(self, keep: TransferOptionsKeep) {
        if let Some(place) = self.event {
            *place = unsafe { Event::from_nullable(keep.event.0) };
        }
    }
}

/// Parameters of random numbers.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_random_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RandomOptions {
    /// The seed.
    pub seed: u64,
    /// index of the first element in the seed's stream
    pub offset: u64,
    /// Default: [`UNIFORM`](Distribution::UNIFORM)
    pub distribution: Distribution,
    /// uniform: lowest value; low = high = 0: \[0, 1), integers: all; normal: 0
    pub low: f64,
    /// uniform: end of the range; normal: 0
    pub high: f64,
    /// normal; uniform: 0
    pub mean: f64,
    /// normal: standard deviation; 0 means 1; uniform: 0
    pub deviation: f64,
}

impl RandomOptions {
    /// The defaults of all members.
    pub fn new() -> RandomOptions {
        RandomOptions::default()
    }

    /// The seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> RandomOptions {
        self.seed = seed;
        self
    }

    /// index of the first element in the seed's stream
    #[must_use]
    pub fn offset(mut self, offset: u64) -> RandomOptions {
        self.offset = offset;
        self
    }

    /// Default: [`UNIFORM`](Distribution::UNIFORM)
    #[must_use]
    pub fn distribution(mut self, distribution: Distribution) -> RandomOptions {
        self.distribution = distribution;
        self
    }

    /// uniform: lowest value; low = high = 0: \[0, 1), integers: all; normal: 0
    #[must_use]
    pub fn low(mut self, low: f64) -> RandomOptions {
        self.low = low;
        self
    }

    /// uniform: end of the range; normal: 0
    #[must_use]
    pub fn high(mut self, high: f64) -> RandomOptions {
        self.high = high;
        self
    }

    /// normal; uniform: 0
    #[must_use]
    pub fn mean(mut self, mean: f64) -> RandomOptions {
        self.mean = mean;
        self
    }

    /// normal: standard deviation; 0 means 1; uniform: 0
    #[must_use]
    pub fn deviation(mut self, deviation: f64) -> RandomOptions {
        self.deviation = deviation;
        self
    }
}

#[derive(Default)]
pub(crate) struct RandomOptionsKeep;

impl RandomOptions {
    pub(crate) fn raw(&self, _keep: &mut RandomOptionsKeep) -> Result<sys::netcl_random_options> {
        Ok(sys::netcl_random_options {
            seed: self.seed,
            offset: self.offset,
            distribution: self.distribution.0,
            low: self.low,
            high: self.high,
            mean: self.mean,
            deviation: self.deviation,
            ..sys::netcl_random_options::INIT
        })
    }
}

/// A kernel specification. Exactly one source form is set: source; params with body; il; binary. A
/// result of tuning belongs to the values of the integer arguments too, as a size or a mode among
/// them makes another problem: only free_args are left out. What is given beside numbers, such as a
/// struct and the bytes of local memory, belongs to it as well; floats do not.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_kernel_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct KernelOptions<'a> {
    /// full OpenCL C source, may hold several kernels
    pub source: Option<&'a str>,
    /// parameter declarations: "__global const float\* a"
    pub params: &'a [&'a str],
    /// text before the kernel, with params; may be `None`
    pub preamble: Option<&'a str>,
    /// statements of the kernel, with params
    pub body: Option<&'a str>,
    /// further flags: one token each, '-' first
    pub flags: &'a [&'a str],
    /// see [`Kernel::shape_signature()`]; 0: any shape
    pub shape_signature: u64,
    /// of launches that give none, all zeros: not set; a 0 before another extent is
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT)
    pub local_size: [u64; 3],
    /// true: -cl-fast-relaxed-math, which may break NaN and infinity
    pub fast_math: bool,
    /// true: leave out the macros LOAD STORE ADD SUB MUL DIV RELU
    pub no_preamble: bool,
    /// See [`TuneMode`].
    pub tune: TuneMode,
    /// indices of arguments that are no part of the problem, such as a seed or the number of a
    /// step: what tuning found for one of their values is used for all
    pub free_args: &'a [u32],
}

impl<'a> KernelOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> KernelOptions<'a> {
        KernelOptions::default()
    }

    /// full OpenCL C source, may hold several kernels
    #[must_use]
    pub fn source(mut self, source: &'a str) -> KernelOptions<'a> {
        self.source = Some(source);
        self
    }

    /// parameter declarations: "__global const float\* a"
    #[must_use]
    pub fn params(mut self, params: &'a [&'a str]) -> KernelOptions<'a> {
        self.params = params;
        self
    }

    /// text before the kernel, with params; may be `None`
    #[must_use]
    pub fn preamble(mut self, preamble: &'a str) -> KernelOptions<'a> {
        self.preamble = Some(preamble);
        self
    }

    /// statements of the kernel, with params
    #[must_use]
    pub fn body(mut self, body: &'a str) -> KernelOptions<'a> {
        self.body = Some(body);
        self
    }

    /// further flags: one token each, '-' first
    #[must_use]
    pub fn flags(mut self, flags: &'a [&'a str]) -> KernelOptions<'a> {
        self.flags = flags;
        self
    }

    /// see [`Kernel::shape_signature()`]; 0: any shape
    #[must_use]
    pub fn shape_signature(mut self, shape_signature: u64) -> KernelOptions<'a> {
        self.shape_signature = shape_signature;
        self
    }

    /// of launches that give none, all zeros: not set; a 0 before another extent is
    /// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT)
    #[must_use]
    pub fn local_size(mut self, local_size: [u64; 3]) -> KernelOptions<'a> {
        self.local_size = local_size;
        self
    }

    /// true: -cl-fast-relaxed-math, which may break NaN and infinity
    #[must_use]
    pub fn fast_math(mut self, fast_math: bool) -> KernelOptions<'a> {
        self.fast_math = fast_math;
        self
    }

    /// true: leave out the macros LOAD STORE ADD SUB MUL DIV RELU
    #[must_use]
    pub fn no_preamble(mut self, no_preamble: bool) -> KernelOptions<'a> {
        self.no_preamble = no_preamble;
        self
    }

    /// See [`TuneMode`].
    #[must_use]
    pub fn tune(mut self, tune: TuneMode) -> KernelOptions<'a> {
        self.tune = tune;
        self
    }

    /// indices of arguments that are no part of the problem, such as a seed or the number of a
    /// step: what tuning found for one of their values is used for all
    #[must_use]
    pub fn free_args(mut self, free_args: &'a [u32]) -> KernelOptions<'a> {
        self.free_args = free_args;
        self
    }
}

#[derive(Default)]
pub(crate) struct KernelOptionsKeep {
    source: Option<CText>,
    params: Texts,
    preamble: Option<CText>,
    body: Option<CText>,
    flags: Texts,
}

impl<'a> KernelOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut KernelOptionsKeep) -> Result<sys::netcl_kernel_options> {
        keep.source = self.source.map(|t| CText::new("source", t)).transpose()?;
        keep.params.fill("params", self.params)?;
        keep.preamble = self.preamble.map(|t| CText::new("preamble", t)).transpose()?;
        keep.body = self.body.map(|t| CText::new("body", t)).transpose()?;
        keep.flags.fill("flags", self.flags)?;
        Ok(sys::netcl_kernel_options {
            source: keep.source.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            source_size: self.source.map_or(0, |t| t.len()),
            params: keep.params.as_ptr(),
            params_count: support::count("params", self.params.len())?,
            preamble: keep.preamble.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            body: keep.body.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            flags: keep.flags.as_ptr(),
            flags_count: support::count("flags", self.flags.len())?,
            shape_signature: self.shape_signature,
            local_size: self.local_size,
            fast_math: self.fast_math as u32,
            no_preamble: self.no_preamble as u32,
            tune: self.tune.0,
            free_args: support::slice_ptr(self.free_args) as *const _,
            free_args_count: support::count("free_args", self.free_args.len())?,
            ..sys::netcl_kernel_options::INIT
        })
    }
}

/// What an op or a kernel has to do at least. The ops of the library declare theirs; launches say
/// it in their options. Amounts that are negative or no number, and more written than moved, are
/// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT).
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_work")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Work {
    /// a multiplication and an addition are two
    pub operations: f64,
    /// read and written, each counted once
    pub bytes: f64,
    /// the part of bytes that is written
    pub bytes_written: f64,
    /// in which the operations are done; 0: f32
    pub dtype: Dtype,
    /// true: on matrix units (tensor cores)
    pub matrix_units: bool,
    /// true: none of it was in a cache before
    pub cold_cache: bool,
}

impl Work {
    /// The defaults of all members.
    pub fn new() -> Work {
        Work::default()
    }

    /// a multiplication and an addition are two
    #[must_use]
    pub fn operations(mut self, operations: f64) -> Work {
        self.operations = operations;
        self
    }

    /// read and written, each counted once
    #[must_use]
    pub fn bytes(mut self, bytes: f64) -> Work {
        self.bytes = bytes;
        self
    }

    /// the part of bytes that is written
    #[must_use]
    pub fn bytes_written(mut self, bytes_written: f64) -> Work {
        self.bytes_written = bytes_written;
        self
    }

    /// in which the operations are done; 0: f32
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> Work {
        self.dtype = dtype;
        self
    }

    /// true: on matrix units (tensor cores)
    #[must_use]
    pub fn matrix_units(mut self, matrix_units: bool) -> Work {
        self.matrix_units = matrix_units;
        self
    }

    /// true: none of it was in a cache before
    #[must_use]
    pub fn cold_cache(mut self, cold_cache: bool) -> Work {
        self.cold_cache = cold_cache;
        self
    }
}

#[derive(Default)]
pub(crate) struct WorkKeep;

impl Work {
    pub(crate) fn raw(&self, _keep: &mut WorkKeep) -> Result<sys::netcl_work> {
        Ok(sys::netcl_work {
            operations: self.operations,
            bytes: self.bytes,
            bytes_written: self.bytes_written,
            dtype: self.dtype.0,
            matrix_units: self.matrix_units as u32,
            cold_cache: self.cold_cache as u32,
            ..sys::netcl_work::INIT
        })
    }
}

/// How a kernel is launched. The work is what profiles and statistics count for the launch, so that
/// [`Roofline::analyze_statistics()`] knows it; its `cold_cache` must be false, as a measurement
/// knows that itself.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_launch_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LaunchOptions {
    /// global offset; [`UNSUPPORTED`](Status::UNSUPPORTED) beyond the driver's bits
    pub offset: [u64; 3],
    /// true: round the global size up to the local size; the kernel guards
    pub round_up: bool,
    /// what one launch has to do at least; `None`: not known
    pub work: Option<Work>,
}

impl LaunchOptions {
    /// The defaults of all members.
    pub fn new() -> LaunchOptions {
        LaunchOptions::default()
    }

    /// global offset; [`UNSUPPORTED`](Status::UNSUPPORTED) beyond the driver's bits
    #[must_use]
    pub fn offset(mut self, offset: [u64; 3]) -> LaunchOptions {
        self.offset = offset;
        self
    }

    /// true: round the global size up to the local size; the kernel guards
    #[must_use]
    pub fn round_up(mut self, round_up: bool) -> LaunchOptions {
        self.round_up = round_up;
        self
    }

    /// what one launch has to do at least; `None`: not known
    #[must_use]
    pub fn work(mut self, work: impl Into<Option<Work>>) -> LaunchOptions {
        self.work = work.into();
        self
    }
}

#[derive(Default)]
pub(crate) struct LaunchOptionsKeep {
    work: (Option<sys::netcl_work>, WorkKeep),
}

impl LaunchOptions {
    pub(crate) fn raw(&self, keep: &mut LaunchOptionsKeep) -> Result<sys::netcl_launch_options> {
        if let Some(inner) = &self.work {
            keep.work.0 = Some(inner.raw(&mut keep.work.1)?);
        }
        Ok(sys::netcl_launch_options {
            offset: self.offset,
            round_up: self.round_up as u32,
            work: keep.work.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            ..sys::netcl_launch_options::INIT
        })
    }
}

/// What a choice is made for, beside the sizes.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_variant_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct VariantOptions<'a> {
    /// instead of the device's own, with the next
    pub info: Option<&'a DeviceInfo>,
    /// a recorded device; `None`: the device's own
    pub capabilities: Option<&'a DeviceCapabilities>,
    /// of the elements; 0: f32
    pub dtype: Dtype,
    /// a request; 0: by the rules
    pub variant: Variant,
}

impl<'a> VariantOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> VariantOptions<'a> {
        VariantOptions::default()
    }

    /// instead of the device's own, with the next
    #[must_use]
    pub fn info(mut self, info: impl Into<Option<&'a DeviceInfo>>) -> VariantOptions<'a> {
        self.info = info.into();
        self
    }

    /// a recorded device; `None`: the device's own
    #[must_use]
    pub fn capabilities(
        mut self,
        capabilities: impl Into<Option<&'a DeviceCapabilities>>,
    ) -> VariantOptions<'a> {
        self.capabilities = capabilities.into();
        self
    }

    /// of the elements; 0: f32
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> VariantOptions<'a> {
        self.dtype = dtype;
        self
    }

    /// a request; 0: by the rules
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> VariantOptions<'a> {
        self.variant = variant;
        self
    }
}

#[derive(Default)]
pub(crate) struct VariantOptionsKeep {
    info: Option<sys::netcl_device_info>,
    capabilities: Option<sys::netcl_device_capabilities>,
}

impl<'a> VariantOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut VariantOptionsKeep) -> Result<sys::netcl_variant_options> {
        if let Some(inner) = self.info {
            keep.info = Some(inner.raw());
        }
        if let Some(inner) = self.capabilities {
            keep.capabilities = Some(inner.raw());
        }
        Ok(sys::netcl_variant_options {
            info: keep.info.as_ref().map_or(ptr::null(), |s| s as *const _),
            capabilities: keep.capabilities.as_ref().map_or(ptr::null(), |s| s as *const _),
            dtype: self.dtype.0,
            variant: self.variant.0,
            ..sys::netcl_variant_options::INIT
        })
    }
}

/// Sizes of a 2-d convolution, as [`op::conv2d()`] takes them from its tensors and options. A
/// tensor of more than 2^60 elements is [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT), as are
/// strides, dilations and padding beyond 2^31 - 1.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_conv2d_shape")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Conv2dShape {
    /// The batch.
    pub batch: i64,
    /// The channels.
    pub channels: i64,
    /// The height.
    pub height: i64,
    /// The width.
    pub width: i64,
    /// The filters.
    pub filters: i64,
    /// The kernel height.
    pub kernel_height: i64,
    /// The kernel width.
    pub kernel_width: i64,
    /// Default: 1
    pub strides: [i64; 2],
    /// Default: 1
    pub dilations: [i64; 2],
    /// top, left, bottom, right
    pub padding: [i64; 4],
    /// Default: 1
    pub groups: i64,
}

impl Conv2dShape {
    /// The defaults of all members.
    pub fn new() -> Conv2dShape {
        Conv2dShape::default()
    }

    /// The batch.
    #[must_use]
    pub fn batch(mut self, batch: i64) -> Conv2dShape {
        self.batch = batch;
        self
    }

    /// The channels.
    #[must_use]
    pub fn channels(mut self, channels: i64) -> Conv2dShape {
        self.channels = channels;
        self
    }

    /// The height.
    #[must_use]
    pub fn height(mut self, height: i64) -> Conv2dShape {
        self.height = height;
        self
    }

    /// The width.
    #[must_use]
    pub fn width(mut self, width: i64) -> Conv2dShape {
        self.width = width;
        self
    }

    /// The filters.
    #[must_use]
    pub fn filters(mut self, filters: i64) -> Conv2dShape {
        self.filters = filters;
        self
    }

    /// The kernel height.
    #[must_use]
    pub fn kernel_height(mut self, kernel_height: i64) -> Conv2dShape {
        self.kernel_height = kernel_height;
        self
    }

    /// The kernel width.
    #[must_use]
    pub fn kernel_width(mut self, kernel_width: i64) -> Conv2dShape {
        self.kernel_width = kernel_width;
        self
    }

    /// Default: 1
    #[must_use]
    pub fn strides(mut self, strides: [i64; 2]) -> Conv2dShape {
        self.strides = strides;
        self
    }

    /// Default: 1
    #[must_use]
    pub fn dilations(mut self, dilations: [i64; 2]) -> Conv2dShape {
        self.dilations = dilations;
        self
    }

    /// top, left, bottom, right
    #[must_use]
    pub fn padding(mut self, padding: [i64; 4]) -> Conv2dShape {
        self.padding = padding;
        self
    }

    /// Default: 1
    #[must_use]
    pub fn groups(mut self, groups: i64) -> Conv2dShape {
        self.groups = groups;
        self
    }
}

#[derive(Default)]
pub(crate) struct Conv2dShapeKeep;

impl Conv2dShape {
    pub(crate) fn raw(&self, _keep: &mut Conv2dShapeKeep) -> Result<sys::netcl_conv2d_shape> {
        Ok(sys::netcl_conv2d_shape {
            batch: self.batch,
            channels: self.channels,
            height: self.height,
            width: self.width,
            filters: self.filters,
            kernel_height: self.kernel_height,
            kernel_width: self.kernel_width,
            strides: self.strides,
            dilations: self.dilations,
            padding: self.padding,
            groups: self.groups,
            ..sys::netcl_conv2d_shape::INIT
        })
    }
}

/// Ops follow ONNX opset 17 where ONNX has the op. f16 and bf16 are computed in f32 (sums too) and
/// rounded once. f64 is [`UNSUPPORTED`](Status::UNSUPPORTED) on a device without fp64. Tensors may
/// have any strides; results are new C-order tensors unless `run.into` is set, whose shape and
/// dtype must be those of the result. `run.into` shares no memory with an input unless the op says
/// so. The same input gives the same bits each time on a device, with any number of threads, unless
/// an option asks for atomics. Axes count from the end when negative. Sizes, shapes, axes or dtypes
/// that do not fit are [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) naming the two things that
/// disagree; dtypes an op does not take are [`UNSUPPORTED`](Status::UNSUPPORTED).
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_expression_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ExpressionOptions {
    /// of the result; 0: as promotion of the inputs gives
    pub dtype: Dtype,
    /// 0, [`ELEMENTWISE_SCALAR`](Variant::ELEMENTWISE_SCALAR) or
    /// [`ELEMENTWISE_VECTORIZED`](Variant::ELEMENTWISE_VECTORIZED)
    pub variant: Variant,
}

impl ExpressionOptions {
    /// The defaults of all members.
    pub fn new() -> ExpressionOptions {
        ExpressionOptions::default()
    }

    /// of the result; 0: as promotion of the inputs gives
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> ExpressionOptions {
        self.dtype = dtype;
        self
    }

    /// 0, [`ELEMENTWISE_SCALAR`](Variant::ELEMENTWISE_SCALAR) or
    /// [`ELEMENTWISE_VECTORIZED`](Variant::ELEMENTWISE_VECTORIZED)
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> ExpressionOptions {
        self.variant = variant;
        self
    }
}

#[derive(Default)]
pub(crate) struct ExpressionOptionsKeep;

impl ExpressionOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut ExpressionOptionsKeep,
    ) -> Result<sys::netcl_expression_options> {
        Ok(sys::netcl_expression_options {
            dtype: self.dtype.0,
            variant: self.variant.0,
            ..sys::netcl_expression_options::INIT
        })
    }
}

/// Options of [`op::expressions()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_expressions_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ExpressionsOptions<'a> {
    /// of the results, 0 for one as promotion of the inputs gives; none: 0 for all
    pub dtypes: &'a [Dtype],
    /// write the results here: tensors of one shape, each on memory of its own; none: new tensors
    pub results_into: &'a [&'a AnyTensor],
    /// 0, [`ELEMENTWISE_SCALAR`](Variant::ELEMENTWISE_SCALAR) or
    /// [`ELEMENTWISE_VECTORIZED`](Variant::ELEMENTWISE_VECTORIZED)
    pub variant: Variant,
}

impl<'a> ExpressionsOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> ExpressionsOptions<'a> {
        ExpressionsOptions::default()
    }

    /// of the results, 0 for one as promotion of the inputs gives; none: 0 for all
    #[must_use]
    pub fn dtypes(mut self, dtypes: &'a [Dtype]) -> ExpressionsOptions<'a> {
        self.dtypes = dtypes;
        self
    }

    /// write the results here: tensors of one shape, each on memory of its own; none: new tensors
    #[must_use]
    pub fn results_into(mut self, results_into: &'a [&'a AnyTensor]) -> ExpressionsOptions<'a> {
        self.results_into = results_into;
        self
    }

    /// 0, [`ELEMENTWISE_SCALAR`](Variant::ELEMENTWISE_SCALAR) or
    /// [`ELEMENTWISE_VECTORIZED`](Variant::ELEMENTWISE_VECTORIZED)
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> ExpressionsOptions<'a> {
        self.variant = variant;
        self
    }
}

#[derive(Default)]
pub(crate) struct ExpressionsOptionsKeep {
    results_into: Pointers<sys::netcl_tensor>,
}

impl<'a> ExpressionsOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut ExpressionsOptionsKeep,
    ) -> Result<sys::netcl_expressions_options> {
        keep.results_into.fill(self.results_into.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_expressions_options {
            dtypes: support::slice_ptr(self.dtypes) as *const _,
            dtypes_count: support::count("dtypes", self.dtypes.len())?,
            results_into: keep.results_into.as_ptr(),
            results_into_count: support::count("results_into", self.results_into.len())?,
            variant: self.variant.0,
            ..sys::netcl_expressions_options::INIT
        })
    }
}

/// Options of [`op::elementwise()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_elementwise_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ElementwiseOptions {
    /// with `has_parameters` = true
    pub alpha: f64,
    /// with `has_parameters` = true
    pub beta: f64,
    /// of the result; 0: as promotion of the inputs gives
    pub dtype: Dtype,
    /// 0, [`ELEMENTWISE_SCALAR`](Variant::ELEMENTWISE_SCALAR) or
    /// [`ELEMENTWISE_VECTORIZED`](Variant::ELEMENTWISE_VECTORIZED)
    pub variant: Variant,
    /// true: they are set; false: the operator's defaults
    pub has_parameters: bool,
}

impl ElementwiseOptions {
    /// The defaults of all members.
    pub fn new() -> ElementwiseOptions {
        ElementwiseOptions::default()
    }

    /// The alpha. Sets `has_parameters`, so that 0 is 0.
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> ElementwiseOptions {
        self.alpha = alpha;
        self.has_parameters = true;
        self
    }

    /// The beta. Sets `has_parameters`, so that 0 is 0.
    #[must_use]
    pub fn beta(mut self, beta: f64) -> ElementwiseOptions {
        self.beta = beta;
        self.has_parameters = true;
        self
    }

    /// of the result; 0: as promotion of the inputs gives
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> ElementwiseOptions {
        self.dtype = dtype;
        self
    }

    /// 0, [`ELEMENTWISE_SCALAR`](Variant::ELEMENTWISE_SCALAR) or
    /// [`ELEMENTWISE_VECTORIZED`](Variant::ELEMENTWISE_VECTORIZED)
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> ElementwiseOptions {
        self.variant = variant;
        self
    }

    /// true: they are set; false: the operator's defaults
    #[must_use]
    pub fn has_parameters(mut self, has_parameters: bool) -> ElementwiseOptions {
        self.has_parameters = has_parameters;
        self
    }

    /// Sets `alpha` and `beta`, and `has_parameters`.
    #[must_use]
    pub fn parameters(mut self, alpha: f64, beta: f64) -> ElementwiseOptions {
        self.alpha = alpha;
        self.beta = beta;
        self.has_parameters = true;
        self
    }
}

#[derive(Default)]
pub(crate) struct ElementwiseOptionsKeep;

impl ElementwiseOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut ElementwiseOptionsKeep,
    ) -> Result<sys::netcl_elementwise_options> {
        Ok(sys::netcl_elementwise_options {
            alpha: self.alpha,
            beta: self.beta,
            dtype: self.dtype.0,
            variant: self.variant.0,
            has_parameters: self.has_parameters as u32,
            ..sys::netcl_elementwise_options::INIT
        })
    }
}

/// Formulas are over v0 ... v(arity-1) and the attributes by their names; those of gradients also
/// over grad, the gradient of what was made of the result, and out, the result. A primitive of any
/// number of inputs (arity 0) joins two in its forward formula: v0 is the result of the inputs
/// before, v1 the next input, and one input alone is its own result. It has one backward formula
/// for every input, in which v0 is that input. All that a formula needs is copied.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_primitive_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct PrimitiveOptions<'a> {
    /// formula of the result: "MUL(v0, v1)" or "v0 \* v1"
    pub forward: Option<&'a str>,
    /// formulas of the gradients of the inputs in their order; "": as the derivative of forward.
    /// None: all of them so
    pub backward: &'a [&'a str],
    /// names of numbers that each call may set: letters, digits and _, up to 31, and no name of the
    /// language
    pub attributes: &'a [&'a str],
    /// values of the attributes where a call sets none; none: every call sets all
    pub defaults: &'a [f64],
    /// number of inputs, 1 to [`PRIMITIVE_INPUTS_MAX`]; 0: any
    pub arity: u32,
    /// true: a function of the host gives gradients too; 0 for others
    pub gives_gradients: bool,
    /// true: what the function calls is not kept for gradients; it is called again when these are
    /// asked for. 0 for others
    pub checkpoint: bool,
}

impl<'a> PrimitiveOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> PrimitiveOptions<'a> {
        PrimitiveOptions::default()
    }

    /// formula of the result: "MUL(v0, v1)" or "v0 \* v1"
    #[must_use]
    pub fn forward(mut self, forward: &'a str) -> PrimitiveOptions<'a> {
        self.forward = Some(forward);
        self
    }

    /// formulas of the gradients of the inputs in their order; "": as the derivative of forward.
    /// None: all of them so
    #[must_use]
    pub fn backward(mut self, backward: &'a [&'a str]) -> PrimitiveOptions<'a> {
        self.backward = backward;
        self
    }

    /// names of numbers that each call may set: letters, digits and _, up to 31, and no name of the
    /// language
    #[must_use]
    pub fn attributes(mut self, attributes: &'a [&'a str]) -> PrimitiveOptions<'a> {
        self.attributes = attributes;
        self
    }

    /// values of the attributes where a call sets none; none: every call sets all
    #[must_use]
    pub fn defaults(mut self, defaults: &'a [f64]) -> PrimitiveOptions<'a> {
        self.defaults = defaults;
        self
    }

    /// number of inputs, 1 to [`PRIMITIVE_INPUTS_MAX`]; 0: any
    #[must_use]
    pub fn arity(mut self, arity: u32) -> PrimitiveOptions<'a> {
        self.arity = arity;
        self
    }

    /// true: a function of the host gives gradients too; 0 for others
    #[must_use]
    pub fn gives_gradients(mut self, gives_gradients: bool) -> PrimitiveOptions<'a> {
        self.gives_gradients = gives_gradients;
        self
    }

    /// true: what the function calls is not kept for gradients; it is called again when these are
    /// asked for. 0 for others
    #[must_use]
    pub fn checkpoint(mut self, checkpoint: bool) -> PrimitiveOptions<'a> {
        self.checkpoint = checkpoint;
        self
    }
}

#[derive(Default)]
pub(crate) struct PrimitiveOptionsKeep {
    forward: Option<CText>,
    backward: Texts,
    attributes: Texts,
}

impl<'a> PrimitiveOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut PrimitiveOptionsKeep,
    ) -> Result<sys::netcl_primitive_options> {
        keep.forward = self.forward.map(|t| CText::new("forward", t)).transpose()?;
        keep.backward.fill("backward", self.backward)?;
        keep.attributes.fill("attributes", self.attributes)?;
        Ok(sys::netcl_primitive_options {
            forward: keep.forward.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            backward: keep.backward.as_ptr(),
            backward_count: support::count("backward", self.backward.len())?,
            attributes: keep.attributes.as_ptr(),
            attributes_count: support::count("attributes", self.attributes.len())?,
            defaults: support::slice_ptr(self.defaults) as *const _,
            defaults_count: support::count("defaults", self.defaults.len())?,
            arity: self.arity,
            gives_gradients: self.gives_gradients as u32,
            checkpoint: self.checkpoint as u32,
            ..sys::netcl_primitive_options::INIT
        })
    }
}

/// How the kernels of a primitive are launched; see [`primitive::register_kernels()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_primitive_kernels")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct PrimitiveKernels<'a> {
    /// gives the result
    pub forward: Option<&'a Kernel>,
    /// give the gradients of the inputs in their order; none: the primitive has no gradient
    pub backward: &'a [&'a Kernel],
    /// work items, 0 from rank on
    pub global: [u64; 3],
    /// of a group, 0 from rank on; zeros: netcl's own choice
    pub local: [u64; 3],
    /// of global and local, up to 3; 0: a launch has one item for each element that it writes, in
    /// one dimension
    pub rank: u32,
}

impl<'a> PrimitiveKernels<'a> {
    /// The defaults of all members.
    pub fn new() -> PrimitiveKernels<'a> {
        PrimitiveKernels::default()
    }

    /// gives the result
    #[must_use]
    pub fn forward(mut self, forward: impl Into<Option<&'a Kernel>>) -> PrimitiveKernels<'a> {
        self.forward = forward.into();
        self
    }

    /// give the gradients of the inputs in their order; none: the primitive has no gradient
    #[must_use]
    pub fn backward(mut self, backward: &'a [&'a Kernel]) -> PrimitiveKernels<'a> {
        self.backward = backward;
        self
    }

    /// work items, 0 from rank on
    #[must_use]
    pub fn global(mut self, global: [u64; 3]) -> PrimitiveKernels<'a> {
        self.global = global;
        self
    }

    /// of a group, 0 from rank on; zeros: netcl's own choice
    #[must_use]
    pub fn local(mut self, local: [u64; 3]) -> PrimitiveKernels<'a> {
        self.local = local;
        self
    }

    /// of global and local, up to 3; 0: a launch has one item for each element that it writes, in
    /// one dimension
    #[must_use]
    pub fn rank(mut self, rank: u32) -> PrimitiveKernels<'a> {
        self.rank = rank;
        self
    }
}

#[derive(Default)]
pub(crate) struct PrimitiveKernelsKeep {
    backward: Pointers<sys::netcl_kernel>,
}

impl<'a> PrimitiveKernels<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut PrimitiveKernelsKeep,
    ) -> Result<sys::netcl_primitive_kernels> {
        keep.backward.fill(self.backward.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_primitive_kernels {
            forward: self.forward.map_or(ptr::null_mut(), |h| h.as_raw()),
            backward: keep.backward.as_ptr(),
            backward_count: support::count("backward", self.backward.len())?,
            global: self.global,
            local: self.local,
            rank: self.rank,
            ..sys::netcl_primitive_kernels::INIT
        })
    }
}

/// Values of attributes for one call, `None`: the defaults of all. A value stands in the formula as
/// a floating literal, whose type is that of what it meets. As with literals, new values compile
/// nothing, but for exponents and the like (docs/expressions.md).
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_primitive_call_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct PrimitiveCallOptions<'a> {
    /// names, each at most once
    pub attributes: &'a [&'a str],
    /// of the attributes, in the same order
    pub values: &'a [f64],
}

impl<'a> PrimitiveCallOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> PrimitiveCallOptions<'a> {
        PrimitiveCallOptions::default()
    }

    /// names, each at most once
    #[must_use]
    pub fn attributes(mut self, attributes: &'a [&'a str]) -> PrimitiveCallOptions<'a> {
        self.attributes = attributes;
        self
    }

    /// of the attributes, in the same order
    #[must_use]
    pub fn values(mut self, values: &'a [f64]) -> PrimitiveCallOptions<'a> {
        self.values = values;
        self
    }
}

#[derive(Default)]
pub(crate) struct PrimitiveCallOptionsKeep {
    attributes: Texts,
}

impl<'a> PrimitiveCallOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut PrimitiveCallOptionsKeep,
    ) -> Result<sys::netcl_primitive_call_options> {
        keep.attributes.fill("attributes", self.attributes)?;
        Ok(sys::netcl_primitive_call_options {
            attributes: keep.attributes.as_ptr(),
            attributes_count: support::count("attributes", self.attributes.len())?,
            values: support::slice_ptr(self.values) as *const _,
            values_count: support::count("values", self.values.len())?,
            ..sys::netcl_primitive_call_options::INIT
        })
    }
}

/// What is done to each element of a product before it is stored: activation(product + bias +
/// residual), in the precision of the sums, rounded once.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_epilogue")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Epilogue<'a> {
    /// matmul: broadcasts to the result; conv2d: \[filters\]
    pub bias: Option<&'a AnyTensor>,
    /// the shape of the result; may be `run.into`: beta + 1
    pub residual: Option<&'a AnyTensor>,
    /// of the activation; both 0: the activation's defaults
    pub alpha: f64,
    /// of the activation; both 0: the activation's defaults
    pub beta: f64,
    /// See [`Activation`].
    pub activation: Activation,
    /// true: alpha and beta are set, even to 0
    pub has_parameters: bool,
}

impl<'a> Epilogue<'a> {
    /// The defaults of all members.
    pub fn new() -> Epilogue<'a> {
        Epilogue::default()
    }

    /// matmul: broadcasts to the result; conv2d: \[filters\]
    #[must_use]
    pub fn bias(mut self, bias: impl Into<Option<&'a AnyTensor>>) -> Epilogue<'a> {
        self.bias = bias.into();
        self
    }

    /// the shape of the result; may be `run.into`: beta + 1
    #[must_use]
    pub fn residual(mut self, residual: impl Into<Option<&'a AnyTensor>>) -> Epilogue<'a> {
        self.residual = residual.into();
        self
    }

    /// Of the activation. Sets `has_parameters`, so that 0 is 0.
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Epilogue<'a> {
        self.alpha = alpha;
        self.has_parameters = true;
        self
    }

    /// Of the activation. Sets `has_parameters`, so that 0 is 0.
    #[must_use]
    pub fn beta(mut self, beta: f64) -> Epilogue<'a> {
        self.beta = beta;
        self.has_parameters = true;
        self
    }

    /// See [`Activation`].
    #[must_use]
    pub fn activation(mut self, activation: Activation) -> Epilogue<'a> {
        self.activation = activation;
        self
    }

    /// true: alpha and beta are set, even to 0
    #[must_use]
    pub fn has_parameters(mut self, has_parameters: bool) -> Epilogue<'a> {
        self.has_parameters = has_parameters;
        self
    }

    /// Sets `alpha` and `beta`, and `has_parameters`.
    #[must_use]
    pub fn parameters(mut self, alpha: f64, beta: f64) -> Epilogue<'a> {
        self.alpha = alpha;
        self.beta = beta;
        self.has_parameters = true;
        self
    }
}

#[derive(Default)]
pub(crate) struct EpilogueKeep;

impl<'a> Epilogue<'a> {
    pub(crate) fn raw(&self, _keep: &mut EpilogueKeep) -> Result<sys::netcl_epilogue> {
        Ok(sys::netcl_epilogue {
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            residual: self.residual.map_or(ptr::null_mut(), |h| h.as_raw()),
            alpha: self.alpha,
            beta: self.beta,
            activation: self.activation.0,
            has_parameters: self.has_parameters as u32,
            ..sys::netcl_epilogue::INIT
        })
    }
}

/// Options of [`op::matmul()`], [`Sharded::matmul()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_matmul_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct MatmulOptions<'a> {
    /// `None`: none; its tensors have the dtype of a or the result, for i8 and u8 that of the
    /// result
    pub epilogue: Option<Epilogue<'a>>,
    /// with `has_scale` = true
    pub alpha: f64,
    /// with `has_scale` = true; needs `run.into`
    pub beta: f64,
    /// of the result; 0: as the inputs, i32 of i8 and u8
    pub dtype: Dtype,
    /// true: take alpha and beta; false: alpha = 1, beta = 0
    pub has_scale: bool,
    /// 0 or one of MATMUL_...
    pub variant: Variant,
    /// of f32, and of its gradients; other dtypes have [`STRICT`](Precision::STRICT) alone
    pub precision: Precision,
    /// i8 and u8 alone; `None`: 0. Of a's dtype, one element (any rank), \[M\], or \[..., M, 1\]
    /// whose leading dimensions broadcast to the result's
    pub a_zero_point: Option<&'a AnyTensor>,
    /// the same of b: one element, \[N\], or \[..., 1, N\]
    pub b_zero_point: Option<&'a AnyTensor>,
}

impl<'a> MatmulOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> MatmulOptions<'a> {
        MatmulOptions::default()
    }

    /// `None`: none; its tensors have the dtype of a or the result, for i8 and u8 that of the
    /// result
    #[must_use]
    pub fn epilogue(mut self, epilogue: impl Into<Option<Epilogue<'a>>>) -> MatmulOptions<'a> {
        self.epilogue = epilogue.into();
        self
    }

    /// The alpha. Sets `has_scale`, so that 0 is 0.
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> MatmulOptions<'a> {
        self.alpha = alpha;
        self.has_scale = true;
        self
    }

    /// Needs `run.into`. Sets `has_scale`, so that 0 is 0.
    #[must_use]
    pub fn beta(mut self, beta: f64) -> MatmulOptions<'a> {
        if !self.has_scale && self.alpha == 0.0 {
            self.alpha = 1.0;
        }
        self.beta = beta;
        self.has_scale = true;
        self
    }

    /// of the result; 0: as the inputs, i32 of i8 and u8
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> MatmulOptions<'a> {
        self.dtype = dtype;
        self
    }

    /// true: take alpha and beta; false: alpha = 1, beta = 0
    #[must_use]
    pub fn has_scale(mut self, has_scale: bool) -> MatmulOptions<'a> {
        self.has_scale = has_scale;
        self
    }

    /// Sets `alpha` and `beta`, and `has_scale`.
    #[must_use]
    pub fn scale(mut self, alpha: f64, beta: f64) -> MatmulOptions<'a> {
        self.alpha = alpha;
        self.beta = beta;
        self.has_scale = true;
        self
    }

    /// 0 or one of MATMUL_...
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> MatmulOptions<'a> {
        self.variant = variant;
        self
    }

    /// of f32, and of its gradients; other dtypes have [`STRICT`](Precision::STRICT) alone
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> MatmulOptions<'a> {
        self.precision = precision;
        self
    }

    /// i8 and u8 alone; `None`: 0. Of a's dtype, one element (any rank), \[M\], or \[..., M, 1\]
    /// whose leading dimensions broadcast to the result's
    #[must_use]
    pub fn a_zero_point(
        mut self,
        a_zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> MatmulOptions<'a> {
        self.a_zero_point = a_zero_point.into();
        self
    }

    /// the same of b: one element, \[N\], or \[..., 1, N\]
    #[must_use]
    pub fn b_zero_point(
        mut self,
        b_zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> MatmulOptions<'a> {
        self.b_zero_point = b_zero_point.into();
        self
    }
}

#[derive(Default)]
pub(crate) struct MatmulOptionsKeep {
    epilogue: (Option<sys::netcl_epilogue>, EpilogueKeep),
}

impl<'a> MatmulOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut MatmulOptionsKeep) -> Result<sys::netcl_matmul_options> {
        if let Some(inner) = &self.epilogue {
            keep.epilogue.0 = Some(inner.raw(&mut keep.epilogue.1)?);
        }
        Ok(sys::netcl_matmul_options {
            epilogue: keep.epilogue.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            alpha: self.alpha,
            beta: self.beta,
            dtype: self.dtype.0,
            has_scale: self.has_scale as u32,
            variant: self.variant.0,
            precision: self.precision.0,
            a_zero_point: self.a_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            b_zero_point: self.b_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_matmul_options::INIT
        })
    }
}

/// A batch normalisation (inference) that is folded into a convolution. All tensors are \[filters\]
/// and have x's dtype or f32.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_conv2d_batchnorm")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Conv2dBatchnorm<'a> {
    /// `None`: 1
    pub scale: Option<&'a AnyTensor>,
    /// `None`: 0
    pub bias: Option<&'a AnyTensor>,
    /// The mean.
    pub mean: Option<&'a AnyTensor>,
    /// The variance.
    pub variance: Option<&'a AnyTensor>,
    /// finite, from 0 on; default: 1e-5
    pub epsilon: f64,
    /// true: epsilon is set, even to 0
    pub has_epsilon: bool,
}

impl<'a> Conv2dBatchnorm<'a> {
    /// The defaults of all members.
    pub fn new() -> Conv2dBatchnorm<'a> {
        Conv2dBatchnorm::default()
    }

    /// `None`: 1
    #[must_use]
    pub fn scale(mut self, scale: impl Into<Option<&'a AnyTensor>>) -> Conv2dBatchnorm<'a> {
        self.scale = scale.into();
        self
    }

    /// `None`: 0
    #[must_use]
    pub fn bias(mut self, bias: impl Into<Option<&'a AnyTensor>>) -> Conv2dBatchnorm<'a> {
        self.bias = bias.into();
        self
    }

    /// The mean.
    #[must_use]
    pub fn mean(mut self, mean: impl Into<Option<&'a AnyTensor>>) -> Conv2dBatchnorm<'a> {
        self.mean = mean.into();
        self
    }

    /// The variance.
    #[must_use]
    pub fn variance(mut self, variance: impl Into<Option<&'a AnyTensor>>) -> Conv2dBatchnorm<'a> {
        self.variance = variance.into();
        self
    }

    /// Finite, from 0 on; default: 1e-5. Sets `has_epsilon`, so that 0 is 0.
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> Conv2dBatchnorm<'a> {
        self.epsilon = epsilon;
        self.has_epsilon = true;
        self
    }

    /// true: epsilon is set, even to 0
    #[must_use]
    pub fn has_epsilon(mut self, has_epsilon: bool) -> Conv2dBatchnorm<'a> {
        self.has_epsilon = has_epsilon;
        self
    }
}

#[derive(Default)]
pub(crate) struct Conv2dBatchnormKeep;

impl<'a> Conv2dBatchnorm<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut Conv2dBatchnormKeep,
    ) -> Result<sys::netcl_conv2d_batchnorm> {
        Ok(sys::netcl_conv2d_batchnorm {
            scale: self.scale.map_or(ptr::null_mut(), |h| h.as_raw()),
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            mean: self.mean.map_or(ptr::null_mut(), |h| h.as_raw()),
            variance: self.variance.map_or(ptr::null_mut(), |h| h.as_raw()),
            epsilon: self.epsilon,
            has_epsilon: self.has_epsilon as u32,
            ..sys::netcl_conv2d_batchnorm::INIT
        })
    }
}

/// Options of [`op::conv2d()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_conv2d_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Conv2dOptions<'a> {
    /// `None`: none; bias has x's dtype or f32, residual x's dtype
    pub epilogue: Option<Epilogue<'a>>,
    /// comes after the bias, before residual and activation
    pub batchnorm: Option<Conv2dBatchnorm<'a>>,
    /// Default: 1
    pub strides: [i64; 2],
    /// Default: 1
    pub dilations: [i64; 2],
    /// zeros around x: top, left, bottom, right
    pub padding: [i64; 4],
    /// Default: 1
    pub groups: i64,
    /// 0 or one of CONV2D_...
    pub variant: Variant,
    /// with CONV2D_WINOGRAD: 2 or 4; 0: by the rules
    pub winograd_tile: u32,
}

impl<'a> Conv2dOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> Conv2dOptions<'a> {
        Conv2dOptions::default()
    }

    /// `None`: none; bias has x's dtype or f32, residual x's dtype
    #[must_use]
    pub fn epilogue(mut self, epilogue: impl Into<Option<Epilogue<'a>>>) -> Conv2dOptions<'a> {
        self.epilogue = epilogue.into();
        self
    }

    /// comes after the bias, before residual and activation
    #[must_use]
    pub fn batchnorm(
        mut self,
        batchnorm: impl Into<Option<Conv2dBatchnorm<'a>>>,
    ) -> Conv2dOptions<'a> {
        self.batchnorm = batchnorm.into();
        self
    }

    /// Default: 1
    #[must_use]
    pub fn strides(mut self, strides: [i64; 2]) -> Conv2dOptions<'a> {
        self.strides = strides;
        self
    }

    /// Default: 1
    #[must_use]
    pub fn dilations(mut self, dilations: [i64; 2]) -> Conv2dOptions<'a> {
        self.dilations = dilations;
        self
    }

    /// zeros around x: top, left, bottom, right
    #[must_use]
    pub fn padding(mut self, padding: [i64; 4]) -> Conv2dOptions<'a> {
        self.padding = padding;
        self
    }

    /// Default: 1
    #[must_use]
    pub fn groups(mut self, groups: i64) -> Conv2dOptions<'a> {
        self.groups = groups;
        self
    }

    /// 0 or one of CONV2D_...
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> Conv2dOptions<'a> {
        self.variant = variant;
        self
    }

    /// with CONV2D_WINOGRAD: 2 or 4; 0: by the rules
    #[must_use]
    pub fn winograd_tile(mut self, winograd_tile: u32) -> Conv2dOptions<'a> {
        self.winograd_tile = winograd_tile;
        self
    }
}

#[derive(Default)]
pub(crate) struct Conv2dOptionsKeep {
    epilogue: (Option<sys::netcl_epilogue>, EpilogueKeep),
    batchnorm: (Option<sys::netcl_conv2d_batchnorm>, Conv2dBatchnormKeep),
}

impl<'a> Conv2dOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut Conv2dOptionsKeep) -> Result<sys::netcl_conv2d_options> {
        if let Some(inner) = &self.epilogue {
            keep.epilogue.0 = Some(inner.raw(&mut keep.epilogue.1)?);
        }
        if let Some(inner) = &self.batchnorm {
            keep.batchnorm.0 = Some(inner.raw(&mut keep.batchnorm.1)?);
        }
        Ok(sys::netcl_conv2d_options {
            epilogue: keep.epilogue.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            batchnorm: keep.batchnorm.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            strides: self.strides,
            dilations: self.dilations,
            padding: self.padding,
            groups: self.groups,
            variant: self.variant.0,
            winograd_tile: self.winograd_tile,
            ..sys::netcl_conv2d_options::INIT
        })
    }
}

/// How weights are quantised, for all ops on them, which need `format`. NBITS alone has scales,
/// zero points, bits and block_size, which are `None` and 0 with the others.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_quantized_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct QuantizedOptions<'a> {
    /// \[N \* blocks\] or \[N, blocks\], f32, f16 or bf16
    pub scales: Option<&'a AnyTensor>,
    /// `None`: 2^(bits - 1). u8 as \[N \* P\] or \[N, P\], each row's packed like codes in P =
    /// ceil(blocks bits / 8) bytes; or of the scales' dtype and shapes
    pub zero_points: Option<&'a AnyTensor>,
    /// of a product: as in [`MatmulOptions`]; `None`: none
    pub epilogue: Option<Epilogue<'a>>,
    /// K; 0: all weights of the blocks. Of NBITS the last block may have less: K \> (blocks - 1)
    /// block_size
    pub k: i64,
    /// See [`Quantization`].
    pub format: Quantization,
    /// 4 or 8 ([`UNSUPPORTED`](Status::UNSUPPORTED) otherwise); 0: 4
    pub bits: u32,
    /// 16, 32, 64, 128 or 256; 0: 32
    pub block_size: u32,
    /// of what is made. Product: x's, or f32; 0: `run.into`'s, or x's. Dequantised weights: f32,
    /// f16 or bf16; 0: `run.into`'s, or f32. Scales of NBITS that are made: f32, f16 or bf16; 0:
    /// f32
    pub dtype: Dtype,
    /// true: [`op::quantize_weights()`] makes zero points, of NBITS
    pub has_zero_points: bool,
}

impl<'a> QuantizedOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> QuantizedOptions<'a> {
        QuantizedOptions::default()
    }

    /// \[N \* blocks\] or \[N, blocks\], f32, f16 or bf16
    #[must_use]
    pub fn scales(mut self, scales: impl Into<Option<&'a AnyTensor>>) -> QuantizedOptions<'a> {
        self.scales = scales.into();
        self
    }

    /// `None`: 2^(bits - 1). u8 as \[N \* P\] or \[N, P\], each row's packed like codes in P =
    /// ceil(blocks bits / 8) bytes; or of the scales' dtype and shapes
    #[must_use]
    pub fn zero_points(
        mut self,
        zero_points: impl Into<Option<&'a AnyTensor>>,
    ) -> QuantizedOptions<'a> {
        self.zero_points = zero_points.into();
        self
    }

    /// of a product: as in [`MatmulOptions`]; `None`: none
    #[must_use]
    pub fn epilogue(mut self, epilogue: impl Into<Option<Epilogue<'a>>>) -> QuantizedOptions<'a> {
        self.epilogue = epilogue.into();
        self
    }

    /// K; 0: all weights of the blocks. Of NBITS the last block may have less: K \> (blocks - 1)
    /// block_size
    #[must_use]
    pub fn k(mut self, k: i64) -> QuantizedOptions<'a> {
        self.k = k;
        self
    }

    /// See [`Quantization`].
    #[must_use]
    pub fn format(mut self, format: Quantization) -> QuantizedOptions<'a> {
        self.format = format;
        self
    }

    /// 4 or 8 ([`UNSUPPORTED`](Status::UNSUPPORTED) otherwise); 0: 4
    #[must_use]
    pub fn bits(mut self, bits: u32) -> QuantizedOptions<'a> {
        self.bits = bits;
        self
    }

    /// 16, 32, 64, 128 or 256; 0: 32
    #[must_use]
    pub fn block_size(mut self, block_size: u32) -> QuantizedOptions<'a> {
        self.block_size = block_size;
        self
    }

    /// of what is made. Product: x's, or f32; 0: `run.into`'s, or x's. Dequantised weights: f32,
    /// f16 or bf16; 0: `run.into`'s, or f32. Scales of NBITS that are made: f32, f16 or bf16; 0:
    /// f32
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> QuantizedOptions<'a> {
        self.dtype = dtype;
        self
    }

    /// true: [`op::quantize_weights()`] makes zero points, of NBITS
    #[must_use]
    pub fn has_zero_points(mut self, has_zero_points: bool) -> QuantizedOptions<'a> {
        self.has_zero_points = has_zero_points;
        self
    }
}

#[derive(Default)]
pub(crate) struct QuantizedOptionsKeep {
    epilogue: (Option<sys::netcl_epilogue>, EpilogueKeep),
}

impl<'a> QuantizedOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut QuantizedOptionsKeep,
    ) -> Result<sys::netcl_quantized_options> {
        if let Some(inner) = &self.epilogue {
            keep.epilogue.0 = Some(inner.raw(&mut keep.epilogue.1)?);
        }
        Ok(sys::netcl_quantized_options {
            scales: self.scales.map_or(ptr::null_mut(), |h| h.as_raw()),
            zero_points: self.zero_points.map_or(ptr::null_mut(), |h| h.as_raw()),
            epilogue: keep.epilogue.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            k: self.k,
            format: self.format.0,
            bits: self.bits,
            block_size: self.block_size,
            dtype: self.dtype.0,
            has_zero_points: self.has_zero_points as u32,
            ..sys::netcl_quantized_options::INIT
        })
    }
}

/// Options of [`op::attention()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_attention_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct AttentionOptions<'a> {
    /// added to the scores: of q's dtype or f32, broadcasts to \[B, H, M, N\]; -inf hides a key
    /// whose score is finite
    pub bias: Option<&'a AnyTensor>,
    /// bool, true: the key is seen; broadcasts to \[B, H, M, N\]
    pub mask: Option<&'a AnyTensor>,
    /// i32 \[B\]: queries of each sequence, 0 to M; `None`: M
    pub query_lengths: Option<&'a AnyTensor>,
    /// i32 \[B\]: keys of each sequence, 0 to N; `None`: N
    pub key_lengths: Option<&'a AnyTensor>,
    /// i32 \[B, P\]: k and v are pages, of which these are each sequence's; needs key_lengths
    pub block_table: Option<&'a AnyTensor>,
    /// write the log-sum-exp here
    pub lse_into: Option<&'a AnyTensor>,
    /// of q k; default: 1 / sqrt(D)
    pub scale: f64,
    /// c \> 0: a score s becomes c tanh(s / c), before the bias; 0: it does not
    pub softcap: f64,
    /// with has_position: the key at which query 0 stands
    pub position: i64,
    /// with has_window: keys seen before a query's own; -1: all
    pub window_before: i64,
    /// with has_window: keys seen behind it; -1: all; causal: 0, -1
    pub window_after: i64,
    /// true: scale is set, even to 0
    pub has_scale: bool,
    /// true: position is set; false: the last query stands at the last key
    pub has_position: bool,
    /// true: they are set
    pub has_window: bool,
    /// true: no key behind a query's own is seen
    pub causal: bool,
    /// 0 or one of ATTENTION_...
    pub variant: Variant,
}

impl<'a> AttentionOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> AttentionOptions<'a> {
        AttentionOptions::default()
    }

    /// added to the scores: of q's dtype or f32, broadcasts to \[B, H, M, N\]; -inf hides a key
    /// whose score is finite
    #[must_use]
    pub fn bias(mut self, bias: impl Into<Option<&'a AnyTensor>>) -> AttentionOptions<'a> {
        self.bias = bias.into();
        self
    }

    /// bool, true: the key is seen; broadcasts to \[B, H, M, N\]
    #[must_use]
    pub fn mask(mut self, mask: impl Into<Option<&'a AnyTensor>>) -> AttentionOptions<'a> {
        self.mask = mask.into();
        self
    }

    /// i32 \[B\]: queries of each sequence, 0 to M; `None`: M
    #[must_use]
    pub fn query_lengths(
        mut self,
        query_lengths: impl Into<Option<&'a AnyTensor>>,
    ) -> AttentionOptions<'a> {
        self.query_lengths = query_lengths.into();
        self
    }

    /// i32 \[B\]: keys of each sequence, 0 to N; `None`: N
    #[must_use]
    pub fn key_lengths(
        mut self,
        key_lengths: impl Into<Option<&'a AnyTensor>>,
    ) -> AttentionOptions<'a> {
        self.key_lengths = key_lengths.into();
        self
    }

    /// i32 \[B, P\]: k and v are pages, of which these are each sequence's; needs key_lengths
    #[must_use]
    pub fn block_table(
        mut self,
        block_table: impl Into<Option<&'a AnyTensor>>,
    ) -> AttentionOptions<'a> {
        self.block_table = block_table.into();
        self
    }

    /// write the log-sum-exp here
    #[must_use]
    pub fn lse_into(mut self, lse_into: impl Into<Option<&'a AnyTensor>>) -> AttentionOptions<'a> {
        self.lse_into = lse_into.into();
        self
    }

    /// Of q k; default: 1 / sqrt(D). Sets `has_scale`, so that 0 is 0.
    #[must_use]
    pub fn scale(mut self, scale: f64) -> AttentionOptions<'a> {
        self.scale = scale;
        self.has_scale = true;
        self
    }

    /// c \> 0: a score s becomes c tanh(s / c), before the bias; 0: it does not
    #[must_use]
    pub fn softcap(mut self, softcap: f64) -> AttentionOptions<'a> {
        self.softcap = softcap;
        self
    }

    /// The key at which query 0 stands. Sets `has_position`, so that 0 is 0.
    #[must_use]
    pub fn position(mut self, position: i64) -> AttentionOptions<'a> {
        self.position = position;
        self.has_position = true;
        self
    }

    /// Keys seen before a query's own; -1: all. Sets `has_window`, so that 0 is 0.
    #[must_use]
    pub fn window_before(mut self, window_before: i64) -> AttentionOptions<'a> {
        if !self.has_window && self.window_after == 0 {
            self.window_after = -1;
        }
        self.window_before = window_before;
        self.has_window = true;
        self
    }

    /// Keys seen behind it; -1: all; causal: 0, -1. Sets `has_window`, so that 0 is 0.
    #[must_use]
    pub fn window_after(mut self, window_after: i64) -> AttentionOptions<'a> {
        if !self.has_window && self.window_before == 0 {
            self.window_before = -1;
        }
        self.window_after = window_after;
        self.has_window = true;
        self
    }

    /// true: scale is set, even to 0
    #[must_use]
    pub fn has_scale(mut self, has_scale: bool) -> AttentionOptions<'a> {
        self.has_scale = has_scale;
        self
    }

    /// true: position is set; false: the last query stands at the last key
    #[must_use]
    pub fn has_position(mut self, has_position: bool) -> AttentionOptions<'a> {
        self.has_position = has_position;
        self
    }

    /// true: they are set
    #[must_use]
    pub fn has_window(mut self, has_window: bool) -> AttentionOptions<'a> {
        self.has_window = has_window;
        self
    }

    /// Sets `window_before` and `window_after`, and `has_window`.
    #[must_use]
    pub fn window(mut self, window_before: i64, window_after: i64) -> AttentionOptions<'a> {
        self.window_before = window_before;
        self.window_after = window_after;
        self.has_window = true;
        self
    }

    /// true: no key behind a query's own is seen
    #[must_use]
    pub fn causal(mut self, causal: bool) -> AttentionOptions<'a> {
        self.causal = causal;
        self
    }

    /// 0 or one of ATTENTION_...
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> AttentionOptions<'a> {
        self.variant = variant;
        self
    }
}

#[derive(Default)]
pub(crate) struct AttentionOptionsKeep;

impl<'a> AttentionOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut AttentionOptionsKeep,
    ) -> Result<sys::netcl_attention_options> {
        Ok(sys::netcl_attention_options {
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            mask: self.mask.map_or(ptr::null_mut(), |h| h.as_raw()),
            query_lengths: self.query_lengths.map_or(ptr::null_mut(), |h| h.as_raw()),
            key_lengths: self.key_lengths.map_or(ptr::null_mut(), |h| h.as_raw()),
            block_table: self.block_table.map_or(ptr::null_mut(), |h| h.as_raw()),
            lse_into: self.lse_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            scale: self.scale,
            softcap: self.softcap,
            position: self.position,
            window_before: self.window_before,
            window_after: self.window_after,
            has_scale: self.has_scale as u32,
            has_position: self.has_position as u32,
            has_window: self.has_window as u32,
            causal: self.causal as u32,
            variant: self.variant.0,
            ..sys::netcl_attention_options::INIT
        })
    }
}

/// Options of [`op::rotary_embedding()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_rotary_embedding_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RotaryEmbeddingOptions<'a> {
    /// i32 or i64 \[B, S\]: the row of the caches for each token; `None`: the caches are \[B, S, R
    /// / 2\]
    pub position_ids: Option<&'a AnyTensor>,
    /// H of x of rank 3; of rank 4 0 or H
    pub num_heads: i64,
    /// R, even: so many elements of a head, the first, are rotated, the others stay as they are; 0:
    /// D, which is even then
    pub rotary_embedding_dim: i64,
    /// true: elements 2 i and 2 i + 1 are a pair; false: i and i + R / 2
    pub interleaved: bool,
    /// true: by the negative angle, which undoes a rotation
    pub inverse: bool,
}

impl<'a> RotaryEmbeddingOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> RotaryEmbeddingOptions<'a> {
        RotaryEmbeddingOptions::default()
    }

    /// i32 or i64 \[B, S\]: the row of the caches for each token; `None`: the caches are \[B, S, R
    /// / 2\]
    #[must_use]
    pub fn position_ids(
        mut self,
        position_ids: impl Into<Option<&'a AnyTensor>>,
    ) -> RotaryEmbeddingOptions<'a> {
        self.position_ids = position_ids.into();
        self
    }

    /// H of x of rank 3; of rank 4 0 or H
    #[must_use]
    pub fn num_heads(mut self, num_heads: i64) -> RotaryEmbeddingOptions<'a> {
        self.num_heads = num_heads;
        self
    }

    /// R, even: so many elements of a head, the first, are rotated, the others stay as they are; 0:
    /// D, which is even then
    #[must_use]
    pub fn rotary_embedding_dim(mut self, rotary_embedding_dim: i64) -> RotaryEmbeddingOptions<'a> {
        self.rotary_embedding_dim = rotary_embedding_dim;
        self
    }

    /// true: elements 2 i and 2 i + 1 are a pair; false: i and i + R / 2
    #[must_use]
    pub fn interleaved(mut self, interleaved: bool) -> RotaryEmbeddingOptions<'a> {
        self.interleaved = interleaved;
        self
    }

    /// true: by the negative angle, which undoes a rotation
    #[must_use]
    pub fn inverse(mut self, inverse: bool) -> RotaryEmbeddingOptions<'a> {
        self.inverse = inverse;
        self
    }
}

#[derive(Default)]
pub(crate) struct RotaryEmbeddingOptionsKeep;

impl<'a> RotaryEmbeddingOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut RotaryEmbeddingOptionsKeep,
    ) -> Result<sys::netcl_rotary_embedding_options> {
        Ok(sys::netcl_rotary_embedding_options {
            position_ids: self.position_ids.map_or(ptr::null_mut(), |h| h.as_raw()),
            num_heads: self.num_heads,
            rotary_embedding_dim: self.rotary_embedding_dim,
            interleaved: self.interleaved as u32,
            inverse: self.inverse as u32,
            ..sys::netcl_rotary_embedding_options::INIT
        })
    }
}

/// Options of [`op::reduce()`], [`Sharded::reduce()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_reduce_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ReduceOptions<'a> {
    /// empty: all axes
    pub axes: &'a [i32],
    /// true: reduced axes stay with extent 1
    pub keepdims: bool,
    /// of the result; 0: as x (see [`op::reduce()`])
    pub dtype: Dtype,
    /// 0 or one of REDUCTION_...
    pub variant: Variant,
    /// true: ARGMAX and ARGMIN give the last of equals
    pub select_last: bool,
}

impl<'a> ReduceOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> ReduceOptions<'a> {
        ReduceOptions::default()
    }

    /// empty: all axes
    #[must_use]
    pub fn axes(mut self, axes: &'a [i32]) -> ReduceOptions<'a> {
        self.axes = axes;
        self
    }

    /// true: reduced axes stay with extent 1
    #[must_use]
    pub fn keepdims(mut self, keepdims: bool) -> ReduceOptions<'a> {
        self.keepdims = keepdims;
        self
    }

    /// of the result; 0: as x (see [`op::reduce()`])
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> ReduceOptions<'a> {
        self.dtype = dtype;
        self
    }

    /// 0 or one of REDUCTION_...
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> ReduceOptions<'a> {
        self.variant = variant;
        self
    }

    /// true: ARGMAX and ARGMIN give the last of equals
    #[must_use]
    pub fn select_last(mut self, select_last: bool) -> ReduceOptions<'a> {
        self.select_last = select_last;
        self
    }
}

#[derive(Default)]
pub(crate) struct ReduceOptionsKeep;

impl<'a> ReduceOptions<'a> {
    pub(crate) fn raw(&self, _keep: &mut ReduceOptionsKeep) -> Result<sys::netcl_reduce_options> {
        Ok(sys::netcl_reduce_options {
            axes: support::slice_ptr(self.axes) as *const _,
            axes_count: support::count("axes", self.axes.len())?,
            keepdims: self.keepdims as u32,
            dtype: self.dtype.0,
            variant: self.variant.0,
            select_last: self.select_last as u32,
            ..sys::netcl_reduce_options::INIT
        })
    }
}

/// Options of [`op::scan()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_scan_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ScanOptions {
    /// true: element i is of those before i, the first one the neutral value
    pub exclusive: bool,
    /// true: from the end of the axis
    pub reverse: bool,
}

impl ScanOptions {
    /// The defaults of all members.
    pub fn new() -> ScanOptions {
        ScanOptions::default()
    }

    /// true: element i is of those before i, the first one the neutral value
    #[must_use]
    pub fn exclusive(mut self, exclusive: bool) -> ScanOptions {
        self.exclusive = exclusive;
        self
    }

    /// true: from the end of the axis
    #[must_use]
    pub fn reverse(mut self, reverse: bool) -> ScanOptions {
        self.reverse = reverse;
        self
    }
}

#[derive(Default)]
pub(crate) struct ScanOptionsKeep;

impl ScanOptions {
    pub(crate) fn raw(&self, _keep: &mut ScanOptionsKeep) -> Result<sys::netcl_scan_options> {
        Ok(sys::netcl_scan_options {
            exclusive: self.exclusive as u32,
            reverse: self.reverse as u32,
            ..sys::netcl_scan_options::INIT
        })
    }
}

/// Options of [`op::histogram()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_histogram_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct HistogramOptions {
    /// lower end; low = high = 0: the lowest finite value of x
    pub low: f64,
    /// upper end, which belongs to the last bin
    pub high: f64,
}

impl HistogramOptions {
    /// The defaults of all members.
    pub fn new() -> HistogramOptions {
        HistogramOptions::default()
    }

    /// lower end; low = high = 0: the lowest finite value of x
    #[must_use]
    pub fn low(mut self, low: f64) -> HistogramOptions {
        self.low = low;
        self
    }

    /// upper end, which belongs to the last bin
    #[must_use]
    pub fn high(mut self, high: f64) -> HistogramOptions {
        self.high = high;
        self
    }
}

#[derive(Default)]
pub(crate) struct HistogramOptionsKeep;

impl HistogramOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut HistogramOptionsKeep,
    ) -> Result<sys::netcl_histogram_options> {
        Ok(sys::netcl_histogram_options {
            low: self.low,
            high: self.high,
            ..sys::netcl_histogram_options::INIT
        })
    }
}

/// Options of [`op::topk()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_topk_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct TopkOptions<'a> {
    /// write the indices here
    pub indices_into: Option<&'a AnyTensor>,
    /// true: the smallest instead of the largest
    pub smallest: bool,
}

impl<'a> TopkOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> TopkOptions<'a> {
        TopkOptions::default()
    }

    /// write the indices here
    #[must_use]
    pub fn indices_into(
        mut self,
        indices_into: impl Into<Option<&'a AnyTensor>>,
    ) -> TopkOptions<'a> {
        self.indices_into = indices_into.into();
        self
    }

    /// true: the smallest instead of the largest
    #[must_use]
    pub fn smallest(mut self, smallest: bool) -> TopkOptions<'a> {
        self.smallest = smallest;
        self
    }
}

#[derive(Default)]
pub(crate) struct TopkOptionsKeep;

impl<'a> TopkOptions<'a> {
    pub(crate) fn raw(&self, _keep: &mut TopkOptionsKeep) -> Result<sys::netcl_topk_options> {
        Ok(sys::netcl_topk_options {
            indices_into: self.indices_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            smallest: self.smallest as u32,
            ..sys::netcl_topk_options::INIT
        })
    }
}

/// Options of [`op::layernorm()`], [`op::rmsnorm()`], [`Sharded::layernorm()`],
/// [`Sharded::rmsnorm()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_norm_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct NormOptions<'a> {
    /// broadcasts to the normalised axes; `None`: 1
    pub scale: Option<&'a AnyTensor>,
    /// the same; layernorm only; `None`: 0
    pub bias: Option<&'a AnyTensor>,
    /// finite, from 0 on; default: 1e-5
    pub epsilon: f64,
    /// true: epsilon is set, even to 0
    pub has_epsilon: bool,
    /// write the mean of each row here; layernorm only
    pub mean_into: Option<&'a AnyTensor>,
    /// write 1 / sqrt(variance + epsilon) of each row here, of rmsnorm 1 / sqrt(mean(x^2) +
    /// epsilon)
    pub inverse_deviation_into: Option<&'a AnyTensor>,
}

impl<'a> NormOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> NormOptions<'a> {
        NormOptions::default()
    }

    /// broadcasts to the normalised axes; `None`: 1
    #[must_use]
    pub fn scale(mut self, scale: impl Into<Option<&'a AnyTensor>>) -> NormOptions<'a> {
        self.scale = scale.into();
        self
    }

    /// the same; layernorm only; `None`: 0
    #[must_use]
    pub fn bias(mut self, bias: impl Into<Option<&'a AnyTensor>>) -> NormOptions<'a> {
        self.bias = bias.into();
        self
    }

    /// Finite, from 0 on; default: 1e-5. Sets `has_epsilon`, so that 0 is 0.
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> NormOptions<'a> {
        self.epsilon = epsilon;
        self.has_epsilon = true;
        self
    }

    /// true: epsilon is set, even to 0
    #[must_use]
    pub fn has_epsilon(mut self, has_epsilon: bool) -> NormOptions<'a> {
        self.has_epsilon = has_epsilon;
        self
    }

    /// write the mean of each row here; layernorm only
    #[must_use]
    pub fn mean_into(mut self, mean_into: impl Into<Option<&'a AnyTensor>>) -> NormOptions<'a> {
        self.mean_into = mean_into.into();
        self
    }

    /// write 1 / sqrt(variance + epsilon) of each row here, of rmsnorm 1 / sqrt(mean(x^2) +
    /// epsilon)
    #[must_use]
    pub fn inverse_deviation_into(
        mut self,
        inverse_deviation_into: impl Into<Option<&'a AnyTensor>>,
    ) -> NormOptions<'a> {
        self.inverse_deviation_into = inverse_deviation_into.into();
        self
    }
}

#[derive(Default)]
pub(crate) struct NormOptionsKeep;

impl<'a> NormOptions<'a> {
    pub(crate) fn raw(&self, _keep: &mut NormOptionsKeep) -> Result<sys::netcl_norm_options> {
        Ok(sys::netcl_norm_options {
            scale: self.scale.map_or(ptr::null_mut(), |h| h.as_raw()),
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            epsilon: self.epsilon,
            has_epsilon: self.has_epsilon as u32,
            mean_into: self.mean_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            inverse_deviation_into: self.inverse_deviation_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_norm_options::INIT
        })
    }
}

/// Options of [`op::batchnorm()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_batchnorm_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct BatchnormOptions<'a> {
    /// \[C\]; `None`: 1
    pub scale: Option<&'a AnyTensor>,
    /// \[C\]; `None`: 0
    pub bias: Option<&'a AnyTensor>,
    /// finite, from 0 on; default: 1e-5
    pub epsilon: f64,
    /// training: share of the old statistics, \[0, 1\]; default: 0.9
    pub momentum: f64,
    /// of the activation; both 0: the activation's defaults
    pub alpha: f64,
    /// of the activation; both 0: the activation's defaults
    pub beta: f64,
    /// applied to the result
    pub activation: Activation,
    /// 0 or one of BATCHNORM_...
    pub variant: Variant,
    /// true: statistics of this batch
    pub training: bool,
    /// true: epsilon is set, even to 0
    pub has_epsilon: bool,
    /// true: momentum is set, even to 0
    pub has_momentum: bool,
    /// true: alpha and beta are set, even to 0
    pub has_parameters: bool,
}

impl<'a> BatchnormOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> BatchnormOptions<'a> {
        BatchnormOptions::default()
    }

    /// \[C\]; `None`: 1
    #[must_use]
    pub fn scale(mut self, scale: impl Into<Option<&'a AnyTensor>>) -> BatchnormOptions<'a> {
        self.scale = scale.into();
        self
    }

    /// \[C\]; `None`: 0
    #[must_use]
    pub fn bias(mut self, bias: impl Into<Option<&'a AnyTensor>>) -> BatchnormOptions<'a> {
        self.bias = bias.into();
        self
    }

    /// Finite, from 0 on; default: 1e-5. Sets `has_epsilon`, so that 0 is 0.
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> BatchnormOptions<'a> {
        self.epsilon = epsilon;
        self.has_epsilon = true;
        self
    }

    /// Training: share of the old statistics, \[0, 1\]; default: 0.9. Sets `has_momentum`, so that
    /// 0 is 0.
    #[must_use]
    pub fn momentum(mut self, momentum: f64) -> BatchnormOptions<'a> {
        self.momentum = momentum;
        self.has_momentum = true;
        self
    }

    /// Of the activation. Sets `has_parameters`, so that 0 is 0.
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> BatchnormOptions<'a> {
        self.alpha = alpha;
        self.has_parameters = true;
        self
    }

    /// Of the activation. Sets `has_parameters`, so that 0 is 0.
    #[must_use]
    pub fn beta(mut self, beta: f64) -> BatchnormOptions<'a> {
        self.beta = beta;
        self.has_parameters = true;
        self
    }

    /// applied to the result
    #[must_use]
    pub fn activation(mut self, activation: Activation) -> BatchnormOptions<'a> {
        self.activation = activation;
        self
    }

    /// 0 or one of BATCHNORM_...
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> BatchnormOptions<'a> {
        self.variant = variant;
        self
    }

    /// true: statistics of this batch
    #[must_use]
    pub fn training(mut self, training: bool) -> BatchnormOptions<'a> {
        self.training = training;
        self
    }

    /// true: epsilon is set, even to 0
    #[must_use]
    pub fn has_epsilon(mut self, has_epsilon: bool) -> BatchnormOptions<'a> {
        self.has_epsilon = has_epsilon;
        self
    }

    /// true: momentum is set, even to 0
    #[must_use]
    pub fn has_momentum(mut self, has_momentum: bool) -> BatchnormOptions<'a> {
        self.has_momentum = has_momentum;
        self
    }

    /// true: alpha and beta are set, even to 0
    #[must_use]
    pub fn has_parameters(mut self, has_parameters: bool) -> BatchnormOptions<'a> {
        self.has_parameters = has_parameters;
        self
    }

    /// Sets `alpha` and `beta`, and `has_parameters`.
    #[must_use]
    pub fn parameters(mut self, alpha: f64, beta: f64) -> BatchnormOptions<'a> {
        self.alpha = alpha;
        self.beta = beta;
        self.has_parameters = true;
        self
    }
}

#[derive(Default)]
pub(crate) struct BatchnormOptionsKeep;

impl<'a> BatchnormOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut BatchnormOptionsKeep,
    ) -> Result<sys::netcl_batchnorm_options> {
        Ok(sys::netcl_batchnorm_options {
            scale: self.scale.map_or(ptr::null_mut(), |h| h.as_raw()),
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            epsilon: self.epsilon,
            momentum: self.momentum,
            alpha: self.alpha,
            beta: self.beta,
            activation: self.activation.0,
            variant: self.variant.0,
            training: self.training as u32,
            has_epsilon: self.has_epsilon as u32,
            has_momentum: self.has_momentum as u32,
            has_parameters: self.has_parameters as u32,
            ..sys::netcl_batchnorm_options::INIT
        })
    }
}

/// A list has a number for each axis of space, or one for all of them.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_pooling_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct PoolingOptions<'a> {
    /// 0, or empty: the whole extent (global pooling). Strides are 1 unless they are given too;
    /// [`Tensor::max_pool2d`](crate::Tensor::max_pool2d) takes the window's
    pub window: &'a [i64],
    /// 0, or empty: 1
    pub strides: &'a [i64],
    /// 0, or empty: 1
    pub dilations: &'a [i64],
    /// in front of every axis, then behind every axis, less than the window spans; empty: none
    pub padding: &'a [i64],
    /// true: round the result's extent up
    pub ceil_mode: bool,
    /// true: averages count the padding
    pub count_include_pad: bool,
    /// write the index of each maximum here; MAX only
    pub indices_into: Option<&'a AnyTensor>,
    /// of LP, finite and 1 or more; 0: 2. Others look at none
    pub p: f64,
    /// true: indices count the elements of a plane by columns
    pub column_major: bool,
}

impl<'a> PoolingOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> PoolingOptions<'a> {
        PoolingOptions::default()
    }

    /// 0, or empty: the whole extent (global pooling). Strides are 1 unless they are given too;
    /// [`Tensor::max_pool2d`](crate::Tensor::max_pool2d) takes the window's
    #[must_use]
    pub fn window(mut self, window: &'a [i64]) -> PoolingOptions<'a> {
        self.window = window;
        self
    }

    /// 0, or empty: 1
    #[must_use]
    pub fn strides(mut self, strides: &'a [i64]) -> PoolingOptions<'a> {
        self.strides = strides;
        self
    }

    /// 0, or empty: 1
    #[must_use]
    pub fn dilations(mut self, dilations: &'a [i64]) -> PoolingOptions<'a> {
        self.dilations = dilations;
        self
    }

    /// in front of every axis, then behind every axis, less than the window spans; empty: none
    #[must_use]
    pub fn padding(mut self, padding: &'a [i64]) -> PoolingOptions<'a> {
        self.padding = padding;
        self
    }

    /// true: round the result's extent up
    #[must_use]
    pub fn ceil_mode(mut self, ceil_mode: bool) -> PoolingOptions<'a> {
        self.ceil_mode = ceil_mode;
        self
    }

    /// true: averages count the padding
    #[must_use]
    pub fn count_include_pad(mut self, count_include_pad: bool) -> PoolingOptions<'a> {
        self.count_include_pad = count_include_pad;
        self
    }

    /// write the index of each maximum here; MAX only
    #[must_use]
    pub fn indices_into(
        mut self,
        indices_into: impl Into<Option<&'a AnyTensor>>,
    ) -> PoolingOptions<'a> {
        self.indices_into = indices_into.into();
        self
    }

    /// of LP, finite and 1 or more; 0: 2. Others look at none
    #[must_use]
    pub fn p(mut self, p: f64) -> PoolingOptions<'a> {
        self.p = p;
        self
    }

    /// true: indices count the elements of a plane by columns
    #[must_use]
    pub fn column_major(mut self, column_major: bool) -> PoolingOptions<'a> {
        self.column_major = column_major;
        self
    }
}

#[derive(Default)]
pub(crate) struct PoolingOptionsKeep;

impl<'a> PoolingOptions<'a> {
    pub(crate) fn raw(&self, _keep: &mut PoolingOptionsKeep) -> Result<sys::netcl_pooling_options> {
        Ok(sys::netcl_pooling_options {
            window: support::slice_ptr(self.window) as *const _,
            window_count: support::count("window", self.window.len())?,
            strides: support::slice_ptr(self.strides) as *const _,
            strides_count: support::count("strides", self.strides.len())?,
            dilations: support::slice_ptr(self.dilations) as *const _,
            dilations_count: support::count("dilations", self.dilations.len())?,
            padding: support::slice_ptr(self.padding) as *const _,
            padding_count: support::count("padding", self.padding.len())?,
            ceil_mode: self.ceil_mode as u32,
            count_include_pad: self.count_include_pad as u32,
            indices_into: self.indices_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            p: self.p,
            column_major: self.column_major as u32,
            ..sys::netcl_pooling_options::INIT
        })
    }
}

/// Options of [`op::max_unpool2d()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_max_unpool2d_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct MaxUnpool2dOptions {
    /// true: indices count the elements of a plane by columns
    pub column_major: bool,
}

impl MaxUnpool2dOptions {
    /// The defaults of all members.
    pub fn new() -> MaxUnpool2dOptions {
        MaxUnpool2dOptions::default()
    }

    /// true: indices count the elements of a plane by columns
    #[must_use]
    pub fn column_major(mut self, column_major: bool) -> MaxUnpool2dOptions {
        self.column_major = column_major;
        self
    }
}

#[derive(Default)]
pub(crate) struct MaxUnpool2dOptionsKeep;

impl MaxUnpool2dOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut MaxUnpool2dOptionsKeep,
    ) -> Result<sys::netcl_max_unpool2d_options> {
        Ok(sys::netcl_max_unpool2d_options {
            column_major: self.column_major as u32,
            ..sys::netcl_max_unpool2d_options::INIT
        })
    }
}

/// Options of [`op::roi_pool()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_roi_pool_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RoiPoolOptions {
    /// rows and columns of the result, at most 65536; 0: 1
    pub bins: [i64; 2],
    /// of a bin along each side, at most 256; 0: one for each element that it begins. MAX has none
    pub samples: i64,
    /// of the numbers in rois; 0: 1
    pub scale: f64,
    /// true: the scaled numbers are less by 0.5, and regions may be narrower than an element. MAX
    /// looks at none
    pub half_pixel: bool,
}

impl RoiPoolOptions {
    /// The defaults of all members.
    pub fn new() -> RoiPoolOptions {
        RoiPoolOptions::default()
    }

    /// rows and columns of the result, at most 65536; 0: 1
    #[must_use]
    pub fn bins(mut self, bins: [i64; 2]) -> RoiPoolOptions {
        self.bins = bins;
        self
    }

    /// of a bin along each side, at most 256; 0: one for each element that it begins. MAX has none
    #[must_use]
    pub fn samples(mut self, samples: i64) -> RoiPoolOptions {
        self.samples = samples;
        self
    }

    /// of the numbers in rois; 0: 1
    #[must_use]
    pub fn scale(mut self, scale: f64) -> RoiPoolOptions {
        self.scale = scale;
        self
    }

    /// true: the scaled numbers are less by 0.5, and regions may be narrower than an element. MAX
    /// looks at none
    #[must_use]
    pub fn half_pixel(mut self, half_pixel: bool) -> RoiPoolOptions {
        self.half_pixel = half_pixel;
        self
    }
}

#[derive(Default)]
pub(crate) struct RoiPoolOptionsKeep;

impl RoiPoolOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut RoiPoolOptionsKeep,
    ) -> Result<sys::netcl_roi_pool_options> {
        Ok(sys::netcl_roi_pool_options {
            bins: self.bins,
            samples: self.samples,
            scale: self.scale,
            half_pixel: self.half_pixel as u32,
            ..sys::netcl_roi_pool_options::INIT
        })
    }
}

/// Whole numbers that stand for real ones: (q - zero_point) \* scale. Where a quotient is rounded
/// to a whole number, halves go to the even one, the zero point is added behind that, and what the
/// dtype does not hold becomes its lowest or highest number; NaN becomes the lowest. The bits are
/// the same on every device that divides f32 with correct rounding (docs/expressions.md) or has
/// f64; elsewhere a quotient is within 2.5 ULP, which next to a half may give the neighbour. Zero
/// points have the dtype of what they belong to. `into` shares no memory with another tensor.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_quantize_linear_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct QuantizeLinearOptions<'a> {
    /// of the scale's shape and the result's dtype; `None`: 0
    pub zero_point: Option<&'a AnyTensor>,
    /// elements along the axis that share a scale; 0: no blocks
    pub block_size: i64,
    /// of the result: i8, u8, i16, u16; 0: as zero_point or `run.into`, else u8
    pub dtype: Dtype,
    /// what x and scale are converted to, divided in and rounded to: f32, f16, bf16; 0: as scale
    pub precision: Dtype,
}

impl<'a> QuantizeLinearOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> QuantizeLinearOptions<'a> {
        QuantizeLinearOptions::default()
    }

    /// of the scale's shape and the result's dtype; `None`: 0
    #[must_use]
    pub fn zero_point(
        mut self,
        zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> QuantizeLinearOptions<'a> {
        self.zero_point = zero_point.into();
        self
    }

    /// elements along the axis that share a scale; 0: no blocks
    #[must_use]
    pub fn block_size(mut self, block_size: i64) -> QuantizeLinearOptions<'a> {
        self.block_size = block_size;
        self
    }

    /// of the result: i8, u8, i16, u16; 0: as zero_point or `run.into`, else u8
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> QuantizeLinearOptions<'a> {
        self.dtype = dtype;
        self
    }

    /// what x and scale are converted to, divided in and rounded to: f32, f16, bf16; 0: as scale
    #[must_use]
    pub fn precision(mut self, precision: Dtype) -> QuantizeLinearOptions<'a> {
        self.precision = precision;
        self
    }
}

#[derive(Default)]
pub(crate) struct QuantizeLinearOptionsKeep;

impl<'a> QuantizeLinearOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut QuantizeLinearOptionsKeep,
    ) -> Result<sys::netcl_quantize_linear_options> {
        Ok(sys::netcl_quantize_linear_options {
            zero_point: self.zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            block_size: self.block_size,
            dtype: self.dtype.0,
            precision: self.precision.0,
            ..sys::netcl_quantize_linear_options::INIT
        })
    }
}

/// Options of [`op::dequantize_linear()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_dequantize_linear_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct DequantizeLinearOptions<'a> {
    /// of the scale's shape and x's dtype; `None`: 0
    pub zero_point: Option<&'a AnyTensor>,
    /// elements along the axis that share a scale; 0: no blocks
    pub block_size: i64,
    /// of the result: f32, f16, bf16; 0: as `run.into`, else as scale
    pub dtype: Dtype,
}

impl<'a> DequantizeLinearOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> DequantizeLinearOptions<'a> {
        DequantizeLinearOptions::default()
    }

    /// of the scale's shape and x's dtype; `None`: 0
    #[must_use]
    pub fn zero_point(
        mut self,
        zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> DequantizeLinearOptions<'a> {
        self.zero_point = zero_point.into();
        self
    }

    /// elements along the axis that share a scale; 0: no blocks
    #[must_use]
    pub fn block_size(mut self, block_size: i64) -> DequantizeLinearOptions<'a> {
        self.block_size = block_size;
        self
    }

    /// of the result: f32, f16, bf16; 0: as `run.into`, else as scale
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> DequantizeLinearOptions<'a> {
        self.dtype = dtype;
        self
    }
}

#[derive(Default)]
pub(crate) struct DequantizeLinearOptionsKeep;

impl<'a> DequantizeLinearOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut DequantizeLinearOptionsKeep,
    ) -> Result<sys::netcl_dequantize_linear_options> {
        Ok(sys::netcl_dequantize_linear_options {
            zero_point: self.zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            block_size: self.block_size,
            dtype: self.dtype.0,
            ..sys::netcl_dequantize_linear_options::INIT
        })
    }
}

/// Options of [`op::dynamic_quantize_linear()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_dynamic_quantize_linear_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct DynamicQuantizeLinearOptions<'a> {
    /// write the scale here: f32, rank 0
    pub scale_into: Option<&'a AnyTensor>,
    /// write the zero point here: u8, rank 0
    pub zero_point_into: Option<&'a AnyTensor>,
}

impl<'a> DynamicQuantizeLinearOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> DynamicQuantizeLinearOptions<'a> {
        DynamicQuantizeLinearOptions::default()
    }

    /// write the scale here: f32, rank 0
    #[must_use]
    pub fn scale_into(
        mut self,
        scale_into: impl Into<Option<&'a AnyTensor>>,
    ) -> DynamicQuantizeLinearOptions<'a> {
        self.scale_into = scale_into.into();
        self
    }

    /// write the zero point here: u8, rank 0
    #[must_use]
    pub fn zero_point_into(
        mut self,
        zero_point_into: impl Into<Option<&'a AnyTensor>>,
    ) -> DynamicQuantizeLinearOptions<'a> {
        self.zero_point_into = zero_point_into.into();
        self
    }
}

#[derive(Default)]
pub(crate) struct DynamicQuantizeLinearOptionsKeep;

impl<'a> DynamicQuantizeLinearOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut DynamicQuantizeLinearOptionsKeep,
    ) -> Result<sys::netcl_dynamic_quantize_linear_options> {
        Ok(sys::netcl_dynamic_quantize_linear_options {
            scale_into: self.scale_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            zero_point_into: self.zero_point_into.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_dynamic_quantize_linear_options::INIT
        })
    }
}

/// Options of [`op::qlinear_matmul()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_qlinear_matmul_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct QlinearMatmulOptions<'a> {
    /// one element, \[M\], or \[..., M, 1\]; `None`: 0
    pub a_zero_point: Option<&'a AnyTensor>,
    /// one element, \[N\], or \[..., 1, N\]; `None`: 0
    pub b_zero_point: Option<&'a AnyTensor>,
    /// one element of the result's dtype; `None`: 0
    pub y_zero_point: Option<&'a AnyTensor>,
    /// of the result: i8, u8; 0: as y_zero_point or `run.into`, else as a
    pub dtype: Dtype,
}

impl<'a> QlinearMatmulOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> QlinearMatmulOptions<'a> {
        QlinearMatmulOptions::default()
    }

    /// one element, \[M\], or \[..., M, 1\]; `None`: 0
    #[must_use]
    pub fn a_zero_point(
        mut self,
        a_zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> QlinearMatmulOptions<'a> {
        self.a_zero_point = a_zero_point.into();
        self
    }

    /// one element, \[N\], or \[..., 1, N\]; `None`: 0
    #[must_use]
    pub fn b_zero_point(
        mut self,
        b_zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> QlinearMatmulOptions<'a> {
        self.b_zero_point = b_zero_point.into();
        self
    }

    /// one element of the result's dtype; `None`: 0
    #[must_use]
    pub fn y_zero_point(
        mut self,
        y_zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> QlinearMatmulOptions<'a> {
        self.y_zero_point = y_zero_point.into();
        self
    }

    /// of the result: i8, u8; 0: as y_zero_point or `run.into`, else as a
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> QlinearMatmulOptions<'a> {
        self.dtype = dtype;
        self
    }
}

#[derive(Default)]
pub(crate) struct QlinearMatmulOptionsKeep;

impl<'a> QlinearMatmulOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut QlinearMatmulOptionsKeep,
    ) -> Result<sys::netcl_qlinear_matmul_options> {
        Ok(sys::netcl_qlinear_matmul_options {
            a_zero_point: self.a_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            b_zero_point: self.b_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            y_zero_point: self.y_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            dtype: self.dtype.0,
            ..sys::netcl_qlinear_matmul_options::INIT
        })
    }
}

/// Options of [`op::conv2d_integer()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_conv2d_integer_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Conv2dIntegerOptions<'a> {
    /// one element; `None`: 0
    pub x_zero_point: Option<&'a AnyTensor>,
    /// one element or \[F\]; `None`: 0
    pub w_zero_point: Option<&'a AnyTensor>,
    /// Default: 1
    pub strides: [i64; 2],
    /// Default: 1
    pub dilations: [i64; 2],
    /// around x: top, left, bottom, right
    pub padding: [i64; 4],
    /// Default: 1
    pub groups: i64,
}

impl<'a> Conv2dIntegerOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> Conv2dIntegerOptions<'a> {
        Conv2dIntegerOptions::default()
    }

    /// one element; `None`: 0
    #[must_use]
    pub fn x_zero_point(
        mut self,
        x_zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> Conv2dIntegerOptions<'a> {
        self.x_zero_point = x_zero_point.into();
        self
    }

    /// one element or \[F\]; `None`: 0
    #[must_use]
    pub fn w_zero_point(
        mut self,
        w_zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> Conv2dIntegerOptions<'a> {
        self.w_zero_point = w_zero_point.into();
        self
    }

    /// Default: 1
    #[must_use]
    pub fn strides(mut self, strides: [i64; 2]) -> Conv2dIntegerOptions<'a> {
        self.strides = strides;
        self
    }

    /// Default: 1
    #[must_use]
    pub fn dilations(mut self, dilations: [i64; 2]) -> Conv2dIntegerOptions<'a> {
        self.dilations = dilations;
        self
    }

    /// around x: top, left, bottom, right
    #[must_use]
    pub fn padding(mut self, padding: [i64; 4]) -> Conv2dIntegerOptions<'a> {
        self.padding = padding;
        self
    }

    /// Default: 1
    #[must_use]
    pub fn groups(mut self, groups: i64) -> Conv2dIntegerOptions<'a> {
        self.groups = groups;
        self
    }
}

#[derive(Default)]
pub(crate) struct Conv2dIntegerOptionsKeep;

impl<'a> Conv2dIntegerOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut Conv2dIntegerOptionsKeep,
    ) -> Result<sys::netcl_conv2d_integer_options> {
        Ok(sys::netcl_conv2d_integer_options {
            x_zero_point: self.x_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            w_zero_point: self.w_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            strides: self.strides,
            dilations: self.dilations,
            padding: self.padding,
            groups: self.groups,
            ..sys::netcl_conv2d_integer_options::INIT
        })
    }
}

/// Options of [`op::qlinear_conv2d()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_qlinear_conv2d_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct QlinearConv2dOptions<'a> {
    /// one element; `None`: 0
    pub x_zero_point: Option<&'a AnyTensor>,
    /// one element or \[F\]; `None`: 0
    pub w_zero_point: Option<&'a AnyTensor>,
    /// one element of the result's dtype; `None`: 0
    pub y_zero_point: Option<&'a AnyTensor>,
    /// i32 \[F\], in steps of x_scale \* w_scale; `None`: 0
    pub bias: Option<&'a AnyTensor>,
    /// Default: 1
    pub strides: [i64; 2],
    /// Default: 1
    pub dilations: [i64; 2],
    /// around x: top, left, bottom, right
    pub padding: [i64; 4],
    /// Default: 1
    pub groups: i64,
    /// of the result: i8, u8; 0: as y_zero_point or `run.into`, else as x
    pub dtype: Dtype,
}

impl<'a> QlinearConv2dOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> QlinearConv2dOptions<'a> {
        QlinearConv2dOptions::default()
    }

    /// one element; `None`: 0
    #[must_use]
    pub fn x_zero_point(
        mut self,
        x_zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> QlinearConv2dOptions<'a> {
        self.x_zero_point = x_zero_point.into();
        self
    }

    /// one element or \[F\]; `None`: 0
    #[must_use]
    pub fn w_zero_point(
        mut self,
        w_zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> QlinearConv2dOptions<'a> {
        self.w_zero_point = w_zero_point.into();
        self
    }

    /// one element of the result's dtype; `None`: 0
    #[must_use]
    pub fn y_zero_point(
        mut self,
        y_zero_point: impl Into<Option<&'a AnyTensor>>,
    ) -> QlinearConv2dOptions<'a> {
        self.y_zero_point = y_zero_point.into();
        self
    }

    /// i32 \[F\], in steps of x_scale \* w_scale; `None`: 0
    #[must_use]
    pub fn bias(mut self, bias: impl Into<Option<&'a AnyTensor>>) -> QlinearConv2dOptions<'a> {
        self.bias = bias.into();
        self
    }

    /// Default: 1
    #[must_use]
    pub fn strides(mut self, strides: [i64; 2]) -> QlinearConv2dOptions<'a> {
        self.strides = strides;
        self
    }

    /// Default: 1
    #[must_use]
    pub fn dilations(mut self, dilations: [i64; 2]) -> QlinearConv2dOptions<'a> {
        self.dilations = dilations;
        self
    }

    /// around x: top, left, bottom, right
    #[must_use]
    pub fn padding(mut self, padding: [i64; 4]) -> QlinearConv2dOptions<'a> {
        self.padding = padding;
        self
    }

    /// Default: 1
    #[must_use]
    pub fn groups(mut self, groups: i64) -> QlinearConv2dOptions<'a> {
        self.groups = groups;
        self
    }

    /// of the result: i8, u8; 0: as y_zero_point or `run.into`, else as x
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> QlinearConv2dOptions<'a> {
        self.dtype = dtype;
        self
    }
}

#[derive(Default)]
pub(crate) struct QlinearConv2dOptionsKeep;

impl<'a> QlinearConv2dOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut QlinearConv2dOptionsKeep,
    ) -> Result<sys::netcl_qlinear_conv2d_options> {
        Ok(sys::netcl_qlinear_conv2d_options {
            x_zero_point: self.x_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            w_zero_point: self.w_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            y_zero_point: self.y_zero_point.map_or(ptr::null_mut(), |h| h.as_raw()),
            bias: self.bias.map_or(ptr::null_mut(), |h| h.as_raw()),
            strides: self.strides,
            dilations: self.dilations,
            padding: self.padding,
            groups: self.groups,
            dtype: self.dtype.0,
            ..sys::netcl_qlinear_conv2d_options::INIT
        })
    }
}

/// Options of [`op::cross_entropy()`], [`op::nll_loss()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_loss_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LossOptions<'a> {
    /// \[C\], of the classes, in x's dtype or f32; `None`: 1
    pub weights: Option<&'a AnyTensor>,
    /// labels of this value do not count; default: none
    pub ignore_index: i64,
    /// true: ignore_index is set, even to 0
    pub has_ignore_index: bool,
    /// See [`LossReduction`].
    pub reduction: LossReduction,
    /// of the loss; 0: x's; f32 is possible for f16 and bf16
    pub dtype: Dtype,
}

impl<'a> LossOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> LossOptions<'a> {
        LossOptions::default()
    }

    /// \[C\], of the classes, in x's dtype or f32; `None`: 1
    #[must_use]
    pub fn weights(mut self, weights: impl Into<Option<&'a AnyTensor>>) -> LossOptions<'a> {
        self.weights = weights.into();
        self
    }

    /// Labels of this value do not count; default: none. Sets `has_ignore_index`, so that 0 is 0.
    #[must_use]
    pub fn ignore_index(mut self, ignore_index: i64) -> LossOptions<'a> {
        self.ignore_index = ignore_index;
        self.has_ignore_index = true;
        self
    }

    /// true: ignore_index is set, even to 0
    #[must_use]
    pub fn has_ignore_index(mut self, has_ignore_index: bool) -> LossOptions<'a> {
        self.has_ignore_index = has_ignore_index;
        self
    }

    /// See [`LossReduction`].
    #[must_use]
    pub fn reduction(mut self, reduction: LossReduction) -> LossOptions<'a> {
        self.reduction = reduction;
        self
    }

    /// of the loss; 0: x's; f32 is possible for f16 and bf16
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> LossOptions<'a> {
        self.dtype = dtype;
        self
    }
}

#[derive(Default)]
pub(crate) struct LossOptionsKeep;

impl<'a> LossOptions<'a> {
    pub(crate) fn raw(&self, _keep: &mut LossOptionsKeep) -> Result<sys::netcl_loss_options> {
        Ok(sys::netcl_loss_options {
            weights: self.weights.map_or(ptr::null_mut(), |h| h.as_raw()),
            ignore_index: self.ignore_index,
            has_ignore_index: self.has_ignore_index as u32,
            reduction: self.reduction.0,
            dtype: self.dtype.0,
            ..sys::netcl_loss_options::INIT
        })
    }
}

/// f16 or bf16 parameters beside f32 masters, and gradients that were scaled to stay in range.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_mixed_precision")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct MixedPrecision<'a> {
    /// f32, of f16 and bf16 parameters, which are then not read: the step changes the master, of
    /// which the parameter becomes the rounding
    pub masters: &'a [&'a AnyTensor],
    /// f32, one element: gradients are multiplied by 1 / scale
    pub scale: Option<&'a AnyTensor>,
    /// f32, one element: when it is not 0 nothing is written
    pub found_inf: Option<&'a AnyTensor>,
}

impl<'a> MixedPrecision<'a> {
    /// The defaults of all members.
    pub fn new() -> MixedPrecision<'a> {
        MixedPrecision::default()
    }

    /// f32, of f16 and bf16 parameters, which are then not read: the step changes the master, of
    /// which the parameter becomes the rounding
    #[must_use]
    pub fn masters(mut self, masters: &'a [&'a AnyTensor]) -> MixedPrecision<'a> {
        self.masters = masters;
        self
    }

    /// f32, one element: gradients are multiplied by 1 / scale
    #[must_use]
    pub fn scale(mut self, scale: impl Into<Option<&'a AnyTensor>>) -> MixedPrecision<'a> {
        self.scale = scale.into();
        self
    }

    /// f32, one element: when it is not 0 nothing is written
    #[must_use]
    pub fn found_inf(mut self, found_inf: impl Into<Option<&'a AnyTensor>>) -> MixedPrecision<'a> {
        self.found_inf = found_inf.into();
        self
    }
}

#[derive(Default)]
pub(crate) struct MixedPrecisionKeep {
    masters: Pointers<sys::netcl_tensor>,
}

impl<'a> MixedPrecision<'a> {
    pub(crate) fn raw(&self, keep: &mut MixedPrecisionKeep) -> Result<sys::netcl_mixed_precision> {
        keep.masters.fill(self.masters.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_mixed_precision {
            masters: keep.masters.as_ptr(),
            masters_count: support::count("masters", self.masters.len())?,
            scale: self.scale.map_or(ptr::null_mut(), |h| h.as_raw()),
            found_inf: self.found_inf.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_mixed_precision::INIT
        })
    }
}

/// Options of [`op::sgd()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_sgd_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SgdOptions<'a> {
    /// b, needed with momentum
    pub momentum_buffers: &'a [&'a AnyTensor],
    /// i64, one element, at first 0: counts steps; needed with dampening
    pub step: Option<&'a AnyTensor>,
    /// of the learning rate
    pub factor: Option<&'a AnyTensor>,
    /// See [`MixedPrecision`].
    pub precision: Option<MixedPrecision<'a>>,
    /// Default: none
    pub momentum: f64,
    /// The dampening.
    pub dampening: f64,
    /// The weight decay.
    pub weight_decay: f64,
    /// true: Nesterov's momentum, which has no dampening
    pub nesterov: bool,
}

impl<'a> SgdOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> SgdOptions<'a> {
        SgdOptions::default()
    }

    /// b, needed with momentum
    #[must_use]
    pub fn momentum_buffers(mut self, momentum_buffers: &'a [&'a AnyTensor]) -> SgdOptions<'a> {
        self.momentum_buffers = momentum_buffers;
        self
    }

    /// i64, one element, at first 0: counts steps; needed with dampening
    #[must_use]
    pub fn step(mut self, step: impl Into<Option<&'a AnyTensor>>) -> SgdOptions<'a> {
        self.step = step.into();
        self
    }

    /// of the learning rate
    #[must_use]
    pub fn factor(mut self, factor: impl Into<Option<&'a AnyTensor>>) -> SgdOptions<'a> {
        self.factor = factor.into();
        self
    }

    /// See [`MixedPrecision`].
    #[must_use]
    pub fn precision(mut self, precision: impl Into<Option<MixedPrecision<'a>>>) -> SgdOptions<'a> {
        self.precision = precision.into();
        self
    }

    /// Default: none
    #[must_use]
    pub fn momentum(mut self, momentum: f64) -> SgdOptions<'a> {
        self.momentum = momentum;
        self
    }

    /// The dampening.
    #[must_use]
    pub fn dampening(mut self, dampening: f64) -> SgdOptions<'a> {
        self.dampening = dampening;
        self
    }

    /// The weight decay.
    #[must_use]
    pub fn weight_decay(mut self, weight_decay: f64) -> SgdOptions<'a> {
        self.weight_decay = weight_decay;
        self
    }

    /// true: Nesterov's momentum, which has no dampening
    #[must_use]
    pub fn nesterov(mut self, nesterov: bool) -> SgdOptions<'a> {
        self.nesterov = nesterov;
        self
    }
}

#[derive(Default)]
pub(crate) struct SgdOptionsKeep {
    momentum_buffers: Pointers<sys::netcl_tensor>,
    precision: (Option<sys::netcl_mixed_precision>, MixedPrecisionKeep),
}

impl<'a> SgdOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut SgdOptionsKeep) -> Result<sys::netcl_sgd_options> {
        keep.momentum_buffers.fill(self.momentum_buffers.iter().map(|h| h.as_raw()));
        if let Some(inner) = &self.precision {
            keep.precision.0 = Some(inner.raw(&mut keep.precision.1)?);
        }
        Ok(sys::netcl_sgd_options {
            momentum_buffers: keep.momentum_buffers.as_ptr(),
            momentum_buffers_count: support::count("momentum_buffers", self.momentum_buffers.len())?,
            step: self.step.map_or(ptr::null_mut(), |h| h.as_raw()),
            factor: self.factor.map_or(ptr::null_mut(), |h| h.as_raw()),
            precision: keep.precision.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            momentum: self.momentum,
            dampening: self.dampening,
            weight_decay: self.weight_decay,
            nesterov: self.nesterov as u32,
            ..sys::netcl_sgd_options::INIT
        })
    }
}

/// Options of [`op::adam()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_adam_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct AdamOptions<'a> {
    /// when given, AMSGrad: the largest v so far
    pub max_square_averages: &'a [&'a AnyTensor],
    /// of the learning rate
    pub factor: Option<&'a AnyTensor>,
    /// See [`MixedPrecision`].
    pub precision: Option<MixedPrecision<'a>>,
    /// Default: 0.9
    pub beta1: f64,
    /// Default: 0.999
    pub beta2: f64,
    /// Default: 1e-8
    pub epsilon: f64,
    /// the default is 0, for AdamW too
    pub weight_decay: f64,
    /// true: they are set, even to 0
    pub has_betas: bool,
    /// true: AdamW
    pub decoupled: bool,
}

impl<'a> AdamOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> AdamOptions<'a> {
        AdamOptions::default()
    }

    /// when given, AMSGrad: the largest v so far
    #[must_use]
    pub fn max_square_averages(
        mut self,
        max_square_averages: &'a [&'a AnyTensor],
    ) -> AdamOptions<'a> {
        self.max_square_averages = max_square_averages;
        self
    }

    /// of the learning rate
    #[must_use]
    pub fn factor(mut self, factor: impl Into<Option<&'a AnyTensor>>) -> AdamOptions<'a> {
        self.factor = factor.into();
        self
    }

    /// See [`MixedPrecision`].
    #[must_use]
    pub fn precision(
        mut self,
        precision: impl Into<Option<MixedPrecision<'a>>>,
    ) -> AdamOptions<'a> {
        self.precision = precision.into();
        self
    }

    /// Default: 0.9. Sets `has_betas`, so that 0 is 0.
    #[must_use]
    pub fn beta1(mut self, beta1: f64) -> AdamOptions<'a> {
        if !self.has_betas && self.beta2 == 0.0 {
            self.beta2 = 0.999;
        }
        self.beta1 = beta1;
        self.has_betas = true;
        self
    }

    /// Default: 0.999. Sets `has_betas`, so that 0 is 0.
    #[must_use]
    pub fn beta2(mut self, beta2: f64) -> AdamOptions<'a> {
        if !self.has_betas && self.beta1 == 0.0 {
            self.beta1 = 0.9;
        }
        self.beta2 = beta2;
        self.has_betas = true;
        self
    }

    /// Default: 1e-8
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> AdamOptions<'a> {
        self.epsilon = epsilon;
        self
    }

    /// the default is 0, for AdamW too
    #[must_use]
    pub fn weight_decay(mut self, weight_decay: f64) -> AdamOptions<'a> {
        self.weight_decay = weight_decay;
        self
    }

    /// true: they are set, even to 0
    #[must_use]
    pub fn has_betas(mut self, has_betas: bool) -> AdamOptions<'a> {
        self.has_betas = has_betas;
        self
    }

    /// Sets `beta1` and `beta2`, and `has_betas`.
    #[must_use]
    pub fn betas(mut self, beta1: f64, beta2: f64) -> AdamOptions<'a> {
        self.beta1 = beta1;
        self.beta2 = beta2;
        self.has_betas = true;
        self
    }

    /// true: AdamW
    #[must_use]
    pub fn decoupled(mut self, decoupled: bool) -> AdamOptions<'a> {
        self.decoupled = decoupled;
        self
    }
}

#[derive(Default)]
pub(crate) struct AdamOptionsKeep {
    max_square_averages: Pointers<sys::netcl_tensor>,
    precision: (Option<sys::netcl_mixed_precision>, MixedPrecisionKeep),
}

impl<'a> AdamOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut AdamOptionsKeep) -> Result<sys::netcl_adam_options> {
        keep.max_square_averages.fill(self.max_square_averages.iter().map(|h| h.as_raw()));
        if let Some(inner) = &self.precision {
            keep.precision.0 = Some(inner.raw(&mut keep.precision.1)?);
        }
        Ok(sys::netcl_adam_options {
            max_square_averages: keep.max_square_averages.as_ptr(),
            max_square_averages_count: support::count("max_square_averages", self.max_square_averages.len())?,
            factor: self.factor.map_or(ptr::null_mut(), |h| h.as_raw()),
            precision: keep.precision.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            beta1: self.beta1,
            beta2: self.beta2,
            epsilon: self.epsilon,
            weight_decay: self.weight_decay,
            has_betas: self.has_betas as u32,
            decoupled: self.decoupled as u32,
            ..sys::netcl_adam_options::INIT
        })
    }
}

/// Options of [`op::rmsprop()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_rmsprop_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RmspropOptions<'a> {
    /// b, needed with momentum
    pub momentum_buffers: &'a [&'a AnyTensor],
    /// m; when given, the variance divides: "centered"
    pub averages: &'a [&'a AnyTensor],
    /// of the learning rate
    pub factor: Option<&'a AnyTensor>,
    /// See [`MixedPrecision`].
    pub precision: Option<MixedPrecision<'a>>,
    /// Default: 0.99
    pub alpha: f64,
    /// Default: 1e-8
    pub epsilon: f64,
    /// Default: none
    pub momentum: f64,
    /// The weight decay.
    pub weight_decay: f64,
}

impl<'a> RmspropOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> RmspropOptions<'a> {
        RmspropOptions::default()
    }

    /// b, needed with momentum
    #[must_use]
    pub fn momentum_buffers(mut self, momentum_buffers: &'a [&'a AnyTensor]) -> RmspropOptions<'a> {
        self.momentum_buffers = momentum_buffers;
        self
    }

    /// m; when given, the variance divides: "centered"
    #[must_use]
    pub fn averages(mut self, averages: &'a [&'a AnyTensor]) -> RmspropOptions<'a> {
        self.averages = averages;
        self
    }

    /// of the learning rate
    #[must_use]
    pub fn factor(mut self, factor: impl Into<Option<&'a AnyTensor>>) -> RmspropOptions<'a> {
        self.factor = factor.into();
        self
    }

    /// See [`MixedPrecision`].
    #[must_use]
    pub fn precision(
        mut self,
        precision: impl Into<Option<MixedPrecision<'a>>>,
    ) -> RmspropOptions<'a> {
        self.precision = precision.into();
        self
    }

    /// Default: 0.99
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> RmspropOptions<'a> {
        self.alpha = alpha;
        self
    }

    /// Default: 1e-8
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> RmspropOptions<'a> {
        self.epsilon = epsilon;
        self
    }

    /// Default: none
    #[must_use]
    pub fn momentum(mut self, momentum: f64) -> RmspropOptions<'a> {
        self.momentum = momentum;
        self
    }

    /// The weight decay.
    #[must_use]
    pub fn weight_decay(mut self, weight_decay: f64) -> RmspropOptions<'a> {
        self.weight_decay = weight_decay;
        self
    }
}

#[derive(Default)]
pub(crate) struct RmspropOptionsKeep {
    momentum_buffers: Pointers<sys::netcl_tensor>,
    averages: Pointers<sys::netcl_tensor>,
    precision: (Option<sys::netcl_mixed_precision>, MixedPrecisionKeep),
}

impl<'a> RmspropOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut RmspropOptionsKeep) -> Result<sys::netcl_rmsprop_options> {
        keep.momentum_buffers.fill(self.momentum_buffers.iter().map(|h| h.as_raw()));
        keep.averages.fill(self.averages.iter().map(|h| h.as_raw()));
        if let Some(inner) = &self.precision {
            keep.precision.0 = Some(inner.raw(&mut keep.precision.1)?);
        }
        Ok(sys::netcl_rmsprop_options {
            momentum_buffers: keep.momentum_buffers.as_ptr(),
            momentum_buffers_count: support::count("momentum_buffers", self.momentum_buffers.len())?,
            averages: keep.averages.as_ptr(),
            averages_count: support::count("averages", self.averages.len())?,
            factor: self.factor.map_or(ptr::null_mut(), |h| h.as_raw()),
            precision: keep.precision.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            alpha: self.alpha,
            epsilon: self.epsilon,
            momentum: self.momentum,
            weight_decay: self.weight_decay,
            ..sys::netcl_rmsprop_options::INIT
        })
    }
}

/// Options of [`op::adagrad()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_adagrad_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct AdagradOptions<'a> {
    /// i64, one element, at first 0: counts the steps; needed with learning_rate_decay
    pub step: Option<&'a AnyTensor>,
    /// of the learning rate
    pub factor: Option<&'a AnyTensor>,
    /// See [`MixedPrecision`].
    pub precision: Option<MixedPrecision<'a>>,
    /// The learning rate decay.
    pub learning_rate_decay: f64,
    /// Default: 1e-10
    pub epsilon: f64,
    /// The weight decay.
    pub weight_decay: f64,
}

impl<'a> AdagradOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> AdagradOptions<'a> {
        AdagradOptions::default()
    }

    /// i64, one element, at first 0: counts the steps; needed with learning_rate_decay
    #[must_use]
    pub fn step(mut self, step: impl Into<Option<&'a AnyTensor>>) -> AdagradOptions<'a> {
        self.step = step.into();
        self
    }

    /// of the learning rate
    #[must_use]
    pub fn factor(mut self, factor: impl Into<Option<&'a AnyTensor>>) -> AdagradOptions<'a> {
        self.factor = factor.into();
        self
    }

    /// See [`MixedPrecision`].
    #[must_use]
    pub fn precision(
        mut self,
        precision: impl Into<Option<MixedPrecision<'a>>>,
    ) -> AdagradOptions<'a> {
        self.precision = precision.into();
        self
    }

    /// The learning rate decay.
    #[must_use]
    pub fn learning_rate_decay(mut self, learning_rate_decay: f64) -> AdagradOptions<'a> {
        self.learning_rate_decay = learning_rate_decay;
        self
    }

    /// Default: 1e-10
    #[must_use]
    pub fn epsilon(mut self, epsilon: f64) -> AdagradOptions<'a> {
        self.epsilon = epsilon;
        self
    }

    /// The weight decay.
    #[must_use]
    pub fn weight_decay(mut self, weight_decay: f64) -> AdagradOptions<'a> {
        self.weight_decay = weight_decay;
        self
    }
}

#[derive(Default)]
pub(crate) struct AdagradOptionsKeep {
    precision: (Option<sys::netcl_mixed_precision>, MixedPrecisionKeep),
}

impl<'a> AdagradOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut AdagradOptionsKeep) -> Result<sys::netcl_adagrad_options> {
        if let Some(inner) = &self.precision {
            keep.precision.0 = Some(inner.raw(&mut keep.precision.1)?);
        }
        Ok(sys::netcl_adagrad_options {
            step: self.step.map_or(ptr::null_mut(), |h| h.as_raw()),
            factor: self.factor.map_or(ptr::null_mut(), |h| h.as_raw()),
            precision: keep.precision.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            learning_rate_decay: self.learning_rate_decay,
            epsilon: self.epsilon,
            weight_decay: self.weight_decay,
            ..sys::netcl_adagrad_options::INIT
        })
    }
}

/// Options of [`op::update_loss_scale()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_loss_scale_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LossScaleOptions {
    /// above 1; 0: 2
    pub growth_factor: f64,
    /// in (0, 1); 0: 0.5
    pub backoff_factor: f64,
    /// Default: 2000
    pub growth_interval: i64,
}

impl LossScaleOptions {
    /// The defaults of all members.
    pub fn new() -> LossScaleOptions {
        LossScaleOptions::default()
    }

    /// above 1; 0: 2
    #[must_use]
    pub fn growth_factor(mut self, growth_factor: f64) -> LossScaleOptions {
        self.growth_factor = growth_factor;
        self
    }

    /// in (0, 1); 0: 0.5
    #[must_use]
    pub fn backoff_factor(mut self, backoff_factor: f64) -> LossScaleOptions {
        self.backoff_factor = backoff_factor;
        self
    }

    /// Default: 2000
    #[must_use]
    pub fn growth_interval(mut self, growth_interval: i64) -> LossScaleOptions {
        self.growth_interval = growth_interval;
        self
    }
}

#[derive(Default)]
pub(crate) struct LossScaleOptionsKeep;

impl LossScaleOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut LossScaleOptionsKeep,
    ) -> Result<sys::netcl_loss_scale_options> {
        Ok(sys::netcl_loss_scale_options {
            growth_factor: self.growth_factor,
            backoff_factor: self.backoff_factor,
            growth_interval: self.growth_interval,
            ..sys::netcl_loss_scale_options::INIT
        })
    }
}

/// Options of [`op::pad()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_pad_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct PadOptions {
    /// CONSTANT: one element of x's dtype; `None`: 0
    pub value: Option<Scalar>,
    /// See [`PadMode`].
    pub mode: PadMode,
}

impl PadOptions {
    /// The defaults of all members.
    pub fn new() -> PadOptions {
        PadOptions::default()
    }

    /// CONSTANT: one element of x's dtype; `None`: 0
    #[must_use]
    pub fn value(mut self, value: impl Into<Scalar>) -> PadOptions {
        self.value = Some(value.into());
        self
    }

    /// See [`PadMode`].
    #[must_use]
    pub fn mode(mut self, mode: PadMode) -> PadOptions {
        self.mode = mode;
        self
    }
}

#[derive(Default)]
pub(crate) struct PadOptionsKeep {
    value: [u8; 16],
}

impl PadOptions {
    pub(crate) fn raw(&self, keep: &mut PadOptionsKeep) -> Result<sys::netcl_pad_options> {
        keep.value = self.value.map_or([0; 16], |s| s.bytes());
        Ok(sys::netcl_pad_options {
            value: if self.value.is_some() { keep.value.as_ptr() as *const _ } else { ptr::null() },
            mode: self.mode.0,
            ..sys::netcl_pad_options::INIT
        })
    }
}

/// Options of [`op::scatter()`], [`op::scatter_nd()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_scatter_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ScatterOptions {
    /// See [`ScatterMode`].
    pub mode: ScatterMode,
    /// true: ADD of f32, i32, u32 in any order, faster; other dtypes
    /// [`UNSUPPORTED`](Status::UNSUPPORTED)
    pub atomics: bool,
}

impl ScatterOptions {
    /// The defaults of all members.
    pub fn new() -> ScatterOptions {
        ScatterOptions::default()
    }

    /// See [`ScatterMode`].
    #[must_use]
    pub fn mode(mut self, mode: ScatterMode) -> ScatterOptions {
        self.mode = mode;
        self
    }

    /// true: ADD of f32, i32, u32 in any order, faster; other dtypes
    /// [`UNSUPPORTED`](Status::UNSUPPORTED)
    #[must_use]
    pub fn atomics(mut self, atomics: bool) -> ScatterOptions {
        self.atomics = atomics;
        self
    }
}

#[derive(Default)]
pub(crate) struct ScatterOptionsKeep;

impl ScatterOptions {
    pub(crate) fn raw(&self, _keep: &mut ScatterOptionsKeep) -> Result<sys::netcl_scatter_options> {
        Ok(sys::netcl_scatter_options {
            mode: self.mode.0,
            atomics: self.atomics as u32,
            ..sys::netcl_scatter_options::INIT
        })
    }
}

/// Options of [`op::resize()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_resize_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ResizeOptions<'a> {
    /// See [`ResizeMode`].
    pub mode: ResizeMode,
    /// See [`ResizeCoordinates`].
    pub coordinates: ResizeCoordinates,
    /// of coordinates, for NEAREST; others look at none
    pub rounding: ResizeRounding,
    /// true: LINEAR and CUBIC reach 1 / scale times as far along axes whose scale is below 1.
    /// NEAREST looks at none
    pub antialias: bool,
    /// true: elements beyond the edge have no weight, and those that are left share it; else they
    /// are as at the edge
    pub exclude_outside: bool,
    /// true: cubic_coeff is set, even to 0
    pub has_cubic_coeff: bool,
    /// of CUBIC, ONNX's cubic_coeff_a; default: -0.75
    pub cubic_coeff: f64,
    /// under TF_CROP_AND_RESIZE, of elements that lie outside of x, below 0 or beyond in - 1
    pub extrapolation_value: f64,
    /// of each axis, above 0; empty: out / in
    pub scales: &'a [f64],
    /// for TF_CROP_AND_RESIZE: the start of every axis, then the end of every axis, as parts of in
    /// \- 1; empty: 0 and 1. Others look at none
    pub roi: &'a [f64],
}

impl<'a> ResizeOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> ResizeOptions<'a> {
        ResizeOptions::default()
    }

    /// See [`ResizeMode`].
    #[must_use]
    pub fn mode(mut self, mode: ResizeMode) -> ResizeOptions<'a> {
        self.mode = mode;
        self
    }

    /// See [`ResizeCoordinates`].
    #[must_use]
    pub fn coordinates(mut self, coordinates: ResizeCoordinates) -> ResizeOptions<'a> {
        self.coordinates = coordinates;
        self
    }

    /// of coordinates, for NEAREST; others look at none
    #[must_use]
    pub fn rounding(mut self, rounding: ResizeRounding) -> ResizeOptions<'a> {
        self.rounding = rounding;
        self
    }

    /// true: LINEAR and CUBIC reach 1 / scale times as far along axes whose scale is below 1.
    /// NEAREST looks at none
    #[must_use]
    pub fn antialias(mut self, antialias: bool) -> ResizeOptions<'a> {
        self.antialias = antialias;
        self
    }

    /// true: elements beyond the edge have no weight, and those that are left share it; else they
    /// are as at the edge
    #[must_use]
    pub fn exclude_outside(mut self, exclude_outside: bool) -> ResizeOptions<'a> {
        self.exclude_outside = exclude_outside;
        self
    }

    /// true: cubic_coeff is set, even to 0
    #[must_use]
    pub fn has_cubic_coeff(mut self, has_cubic_coeff: bool) -> ResizeOptions<'a> {
        self.has_cubic_coeff = has_cubic_coeff;
        self
    }

    /// Of CUBIC, ONNX's cubic_coeff_a; default: -0.75. Sets `has_cubic_coeff`, so that 0 is 0.
    #[must_use]
    pub fn cubic_coeff(mut self, cubic_coeff: f64) -> ResizeOptions<'a> {
        self.cubic_coeff = cubic_coeff;
        self.has_cubic_coeff = true;
        self
    }

    /// under TF_CROP_AND_RESIZE, of elements that lie outside of x, below 0 or beyond in - 1
    #[must_use]
    pub fn extrapolation_value(mut self, extrapolation_value: f64) -> ResizeOptions<'a> {
        self.extrapolation_value = extrapolation_value;
        self
    }

    /// of each axis, above 0; empty: out / in
    #[must_use]
    pub fn scales(mut self, scales: &'a [f64]) -> ResizeOptions<'a> {
        self.scales = scales;
        self
    }

    /// for TF_CROP_AND_RESIZE: the start of every axis, then the end of every axis, as parts of in
    /// \- 1; empty: 0 and 1. Others look at none
    #[must_use]
    pub fn roi(mut self, roi: &'a [f64]) -> ResizeOptions<'a> {
        self.roi = roi;
        self
    }
}

#[derive(Default)]
pub(crate) struct ResizeOptionsKeep;

impl<'a> ResizeOptions<'a> {
    pub(crate) fn raw(&self, _keep: &mut ResizeOptionsKeep) -> Result<sys::netcl_resize_options> {
        Ok(sys::netcl_resize_options {
            mode: self.mode.0,
            coordinates: self.coordinates.0,
            rounding: self.rounding.0,
            antialias: self.antialias as u32,
            exclude_outside: self.exclude_outside as u32,
            has_cubic_coeff: self.has_cubic_coeff as u32,
            cubic_coeff: self.cubic_coeff,
            extrapolation_value: self.extrapolation_value,
            scales: support::slice_ptr(self.scales) as *const _,
            scales_count: support::count("scales", self.scales.len())?,
            roi: support::slice_ptr(self.roi) as *const _,
            roi_count: support::count("roi", self.roi.len())?,
            ..sys::netcl_resize_options::INIT
        })
    }
}

/// How a graph records.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_graph_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct GraphOptions {
    /// [`Toggle::ON`], the default: calls run while they are recorded, and the graph is a tape.
    /// [`Toggle::OFF`]: they do not, and it is a capture
    pub execute: Toggle,
}

impl GraphOptions {
    /// The defaults of all members.
    pub fn new() -> GraphOptions {
        GraphOptions::default()
    }

    /// [`Toggle::ON`], the default: calls run while they are recorded, and the graph is a tape.
    /// [`Toggle::OFF`]: they do not, and it is a capture
    #[must_use]
    pub fn execute(mut self, execute: Toggle) -> GraphOptions {
        self.execute = execute;
        self
    }
}

#[derive(Default)]
pub(crate) struct GraphOptionsKeep;

impl GraphOptions {
    pub(crate) fn raw(&self, _keep: &mut GraphOptionsKeep) -> Result<sys::netcl_graph_options> {
        Ok(sys::netcl_graph_options {
            execute: self.execute.0,
            ..sys::netcl_graph_options::INIT
        })
    }
}

/// How a graph made from a function compiles what that records.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_graph_function_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct GraphFunctionOptions {
    /// forms that are kept; 0: 16
    pub forms_most: u64,
    /// as in [`GraphCompileOptions`]
    pub fuse: Toggle,
}

impl GraphFunctionOptions {
    /// The defaults of all members.
    pub fn new() -> GraphFunctionOptions {
        GraphFunctionOptions::default()
    }

    /// forms that are kept; 0: 16
    #[must_use]
    pub fn forms_most(mut self, forms_most: u64) -> GraphFunctionOptions {
        self.forms_most = forms_most;
        self
    }

    /// as in [`GraphCompileOptions`]
    #[must_use]
    pub fn fuse(mut self, fuse: Toggle) -> GraphFunctionOptions {
        self.fuse = fuse;
        self
    }
}

#[derive(Default)]
pub(crate) struct GraphFunctionOptionsKeep;

impl GraphFunctionOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut GraphFunctionOptionsKeep,
    ) -> Result<sys::netcl_graph_function_options> {
        Ok(sys::netcl_graph_function_options {
            forms_most: self.forms_most,
            fuse: self.fuse.0,
            ..sys::netcl_graph_function_options::INIT
        })
    }
}

/// How gradients are worked out; see [`Graph::add_gradients()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_gradients_options")]
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct GradientsOptions<'a> {
    /// gradients of the outputs, of their shapes and dtypes; none: 1 for each output, which then
    /// has one element
    pub seeds: &'a [&'a AnyTensor],
    /// where gradients go: of the inputs' shapes and dtypes, each on memory of its own; none: new
    /// tensors
    pub into: &'a [&'a AnyTensor],
    /// `None`: the default queue of the graph's device
    pub queue: Option<&'a Queue>,
    /// receives one reference: all gradients are there; refused for a capture
    pub event: Option<&'a mut Option<Event>>,
    /// true: what is in `into` is added to
    pub accumulate: bool,
    /// true: calls are forgotten as soon as their gradients are known, and those that work them out
    /// are not recorded; the graph is empty afterwards, also when that fails on the way. What is
    /// refused before that leaves it as it was: arguments, and an input that no output depends on.
    /// Refused for a capture
    pub consume: bool,
    /// gets the gradients, of this call or, of a capture, of each run; see [`Reducer::wait()`]. One
    /// for all calls of a capture, and its rank has the graph's device; `None`: none
    pub reducer: Option<&'a Reducer>,
}

impl<'a> GradientsOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> GradientsOptions<'a> {
        GradientsOptions::default()
    }

    /// gradients of the outputs, of their shapes and dtypes; none: 1 for each output, which then
    /// has one element
    #[must_use]
    pub fn seeds(mut self, seeds: &'a [&'a AnyTensor]) -> GradientsOptions<'a> {
        self.seeds = seeds;
        self
    }

    /// where gradients go: of the inputs' shapes and dtypes, each on memory of its own; none: new
    /// tensors
    #[must_use]
    pub fn into(mut self, into: &'a [&'a AnyTensor]) -> GradientsOptions<'a> {
        self.into = into;
        self
    }

    /// `None`: the default queue of the graph's device
    #[must_use]
    pub fn queue(mut self, queue: impl Into<Option<&'a Queue>>) -> GradientsOptions<'a> {
        self.queue = queue.into();
        self
    }

    /// receives one reference: all gradients are there; refused for a capture
    #[must_use]
    pub fn event(mut self, event: &'a mut Option<Event>) -> GradientsOptions<'a> {
        self.event = Some(event);
        self
    }

    /// true: what is in `into` is added to
    #[must_use]
    pub fn accumulate(mut self, accumulate: bool) -> GradientsOptions<'a> {
        self.accumulate = accumulate;
        self
    }

    /// true: calls are forgotten as soon as their gradients are known, and those that work them out
    /// are not recorded; the graph is empty afterwards, also when that fails on the way. What is
    /// refused before that leaves it as it was: arguments, and an input that no output depends on.
    /// Refused for a capture
    #[must_use]
    pub fn consume(mut self, consume: bool) -> GradientsOptions<'a> {
        self.consume = consume;
        self
    }

    /// gets the gradients, of this call or, of a capture, of each run; see [`Reducer::wait()`]. One
    /// for all calls of a capture, and its rank has the graph's device; `None`: none
    #[must_use]
    pub fn reducer(mut self, reducer: impl Into<Option<&'a Reducer>>) -> GradientsOptions<'a> {
        self.reducer = reducer.into();
        self
    }
}

#[derive(Default)]
pub(crate) struct GradientsOptionsKeep {
    seeds: Pointers<sys::netcl_tensor>,
    into: Pointers<sys::netcl_tensor>,
    event: support::Out<sys::netcl_event>,
}

impl<'a> GradientsOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut GradientsOptionsKeep,
    ) -> Result<sys::netcl_gradients_options> {
        keep.seeds.fill(self.seeds.iter().map(|h| h.as_raw()));
        keep.into.fill(self.into.iter().map(|h| h.as_raw()));
        Ok(sys::netcl_gradients_options {
            seeds: keep.seeds.as_ptr(),
            seeds_count: support::count("seeds", self.seeds.len())?,
            into: keep.into.as_ptr(),
            into_count: support::count("into", self.into.len())?,
            queue: self.queue.map_or(ptr::null_mut(), |h| h.as_raw()),
            event: if self.event.is_some() { &mut keep.event.0 } else { ptr::null_mut() },
            accumulate: self.accumulate as u32,
            consume: self.consume as u32,
            reducer: self.reducer.map_or(ptr::null_mut(), |h| h.as_raw()),
            ..sys::netcl_gradients_options::INIT
        })
    }

    /// Hands out what the call wrote.
    pub(crate) fn finish(self, keep: GradientsOptionsKeep) {
        if let Some(place) = self.event {
            *place = unsafe { Event::from_nullable(keep.event.0) };
        }
    }
}

/// How a capture is made ready to run.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_graph_compile_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct GraphCompileOptions {
    /// [`Toggle::OFF`]: calls are left as they are; the default joins those that can be done by one
    /// kernel. Refused for a graph made from a function
    pub fuse: Toggle,
}

impl GraphCompileOptions {
    /// The defaults of all members.
    pub fn new() -> GraphCompileOptions {
        GraphCompileOptions::default()
    }

    /// [`Toggle::OFF`]: calls are left as they are; the default joins those that can be done by one
    /// kernel. Refused for a graph made from a function
    #[must_use]
    pub fn fuse(mut self, fuse: Toggle) -> GraphCompileOptions {
        self.fuse = fuse;
        self
    }
}

#[derive(Default)]
pub(crate) struct GraphCompileOptionsKeep;

impl GraphCompileOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut GraphCompileOptionsKeep,
    ) -> Result<sys::netcl_graph_compile_options> {
        Ok(sys::netcl_graph_compile_options {
            fuse: self.fuse.0,
            ..sys::netcl_graph_compile_options::INIT
        })
    }
}

/// How a model is loaded.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_model_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ModelOptions {
    /// compiled forms that are kept, of each step where the host decides between steps
    /// (docs/models.md); 0: 16
    pub forms_most: u64,
    /// as in [`GraphCompileOptions`]
    pub fuse: Toggle,
    /// of weights and of the values between, where the file has f32: [`F16`](Dtype::F16),
    /// [`BF16`](Dtype::BF16), or 0 for [`F32`](Dtype::F32). Products and other sums add up in f32,
    /// and what a short dtype cannot hold stays f32 (docs/models.md)
    pub dtype: Dtype,
}

impl ModelOptions {
    /// The defaults of all members.
    pub fn new() -> ModelOptions {
        ModelOptions::default()
    }

    /// compiled forms that are kept, of each step where the host decides between steps
    /// (docs/models.md); 0: 16
    #[must_use]
    pub fn forms_most(mut self, forms_most: u64) -> ModelOptions {
        self.forms_most = forms_most;
        self
    }

    /// as in [`GraphCompileOptions`]
    #[must_use]
    pub fn fuse(mut self, fuse: Toggle) -> ModelOptions {
        self.fuse = fuse;
        self
    }

    /// of weights and of the values between, where the file has f32: [`F16`](Dtype::F16),
    /// [`BF16`](Dtype::BF16), or 0 for [`F32`](Dtype::F32). Products and other sums add up in f32,
    /// and what a short dtype cannot hold stays f32 (docs/models.md)
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> ModelOptions {
        self.dtype = dtype;
        self
    }
}

#[derive(Default)]
pub(crate) struct ModelOptionsKeep;

impl ModelOptions {
    pub(crate) fn raw(&self, _keep: &mut ModelOptionsKeep) -> Result<sys::netcl_model_options> {
        Ok(sys::netcl_model_options {
            forms_most: self.forms_most,
            fuse: self.fuse.0,
            dtype: self.dtype.0,
            ..sys::netcl_model_options::INIT
        })
    }
}

/// How weights are opened.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_weights_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct WeightsOptions {
    /// look into the file where that can be; [`DEFAULT`](Toggle::DEFAULT): [`ON`](Toggle::ON),
    /// [`OFF`](Toggle::OFF): copy always
    pub map: Toggle,
}

impl WeightsOptions {
    /// The defaults of all members.
    pub fn new() -> WeightsOptions {
        WeightsOptions::default()
    }

    /// look into the file where that can be; [`DEFAULT`](Toggle::DEFAULT): [`ON`](Toggle::ON),
    /// [`OFF`](Toggle::OFF): copy always
    #[must_use]
    pub fn map(mut self, map: Toggle) -> WeightsOptions {
        self.map = map;
        self
    }
}

#[derive(Default)]
pub(crate) struct WeightsOptionsKeep;

impl WeightsOptions {
    pub(crate) fn raw(&self, _keep: &mut WeightsOptionsKeep) -> Result<sys::netcl_weights_options> {
        Ok(sys::netcl_weights_options {
            map: self.map.0,
            ..sys::netcl_weights_options::INIT
        })
    }
}

/// What is written beside the tensors of a file of weights.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_weights_save_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct WeightsSaveOptions<'a> {
    /// of metadata, which safetensors alone has: distinct, UTF-8 without control characters
    pub keys: &'a [&'a str],
    /// a text of UTF-8 for each key
    pub values: &'a [&'a str],
}

impl<'a> WeightsSaveOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> WeightsSaveOptions<'a> {
        WeightsSaveOptions::default()
    }

    /// of metadata, which safetensors alone has: distinct, UTF-8 without control characters
    #[must_use]
    pub fn keys(mut self, keys: &'a [&'a str]) -> WeightsSaveOptions<'a> {
        self.keys = keys;
        self
    }

    /// a text of UTF-8 for each key
    #[must_use]
    pub fn values(mut self, values: &'a [&'a str]) -> WeightsSaveOptions<'a> {
        self.values = values;
        self
    }
}

#[derive(Default)]
pub(crate) struct WeightsSaveOptionsKeep {
    keys: Texts,
    values: Texts,
}

impl<'a> WeightsSaveOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut WeightsSaveOptionsKeep,
    ) -> Result<sys::netcl_weights_save_options> {
        keep.keys.fill("keys", self.keys)?;
        keep.values.fill("values", self.values)?;
        Ok(sys::netcl_weights_save_options {
            keys: keep.keys.as_ptr(),
            keys_count: support::count("keys", self.keys.len())?,
            values: keep.values.as_ptr(),
            values_count: support::count("values", self.values.len())?,
            ..sys::netcl_weights_save_options::INIT
        })
    }
}

/// Options of [`Group::join()`], [`Group::create_local()`], [`Group::mpi()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_group_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct GroupOptions {
    /// the longest that a rank waits for another; 0: 60 seconds
    pub timeout_ns: u64,
    /// See [`GroupTransport`].
    pub transport: GroupTransport,
}

impl GroupOptions {
    /// The defaults of all members.
    pub fn new() -> GroupOptions {
        GroupOptions::default()
    }

    /// the longest that a rank waits for another; 0: 60 seconds
    #[must_use]
    pub fn timeout_ns(mut self, timeout_ns: u64) -> GroupOptions {
        self.timeout_ns = timeout_ns;
        self
    }

    /// See [`GroupTransport`].
    #[must_use]
    pub fn transport(mut self, transport: GroupTransport) -> GroupOptions {
        self.transport = transport;
        self
    }
}

#[derive(Default)]
pub(crate) struct GroupOptionsKeep;

impl GroupOptions {
    pub(crate) fn raw(&self, _keep: &mut GroupOptionsKeep) -> Result<sys::netcl_group_options> {
        Ok(sys::netcl_group_options {
            timeout_ns: self.timeout_ns,
            transport: self.transport.0,
            ..sys::netcl_group_options::INIT
        })
    }
}

/// How a reducer joins gradients.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_reducer_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ReducerOptions {
    /// a bucket with so many is full; 0: 4 MiB
    pub bucket_bytes: u64,
    /// [`SUM`](Reduction::SUM) or [`MEAN`](Reduction::MEAN); 0: [`MEAN`](Reduction::MEAN)
    pub kind: Reduction,
}

impl ReducerOptions {
    /// The defaults of all members.
    pub fn new() -> ReducerOptions {
        ReducerOptions::default()
    }

    /// a bucket with so many is full; 0: 4 MiB
    #[must_use]
    pub fn bucket_bytes(mut self, bucket_bytes: u64) -> ReducerOptions {
        self.bucket_bytes = bucket_bytes;
        self
    }

    /// [`SUM`](Reduction::SUM) or [`MEAN`](Reduction::MEAN); 0: [`MEAN`](Reduction::MEAN)
    #[must_use]
    pub fn kind(mut self, kind: Reduction) -> ReducerOptions {
        self.kind = kind;
        self
    }
}

#[derive(Default)]
pub(crate) struct ReducerOptionsKeep;

impl ReducerOptions {
    pub(crate) fn raw(&self, _keep: &mut ReducerOptionsKeep) -> Result<sys::netcl_reducer_options> {
        Ok(sys::netcl_reducer_options {
            bucket_bytes: self.bucket_bytes,
            kind: self.kind.0,
            ..sys::netcl_reducer_options::INIT
        })
    }
}

/// How a tensor lies on the ranks of a group.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_sharding_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ShardingOptions<'a> {
    /// extents whose product is the size of the group; empty: one dimension of all ranks
    pub mesh: &'a [u32],
    /// for each dimension of the mesh the axis that it splits, not counted from the end, or
    /// [`REPLICATED`]; empty: dimension d splits axis d
    pub axes: &'a [i32],
}

impl<'a> ShardingOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> ShardingOptions<'a> {
        ShardingOptions::default()
    }

    /// extents whose product is the size of the group; empty: one dimension of all ranks
    #[must_use]
    pub fn mesh(mut self, mesh: &'a [u32]) -> ShardingOptions<'a> {
        self.mesh = mesh;
        self
    }

    /// for each dimension of the mesh the axis that it splits, not counted from the end, or
    /// [`REPLICATED`]; empty: dimension d splits axis d
    #[must_use]
    pub fn axes(mut self, axes: &'a [i32]) -> ShardingOptions<'a> {
        self.axes = axes;
        self
    }
}

#[derive(Default)]
pub(crate) struct ShardingOptionsKeep;

impl<'a> ShardingOptions<'a> {
    pub(crate) fn raw(
        &self,
        _keep: &mut ShardingOptionsKeep,
    ) -> Result<sys::netcl_sharding_options> {
        Ok(sys::netcl_sharding_options {
            mesh: support::slice_ptr(self.mesh) as *const _,
            mesh_count: support::count("mesh", self.mesh.len())?,
            axes: support::slice_ptr(self.axes) as *const _,
            axes_count: support::count("axes", self.axes.len())?,
            ..sys::netcl_sharding_options::INIT
        })
    }
}

/// Options of [`Sharded::exchange_halo()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_halo_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct HaloOptions {
    /// of elements outside of the whole; as [`op::cast()`] converts it
    pub value: f64,
    /// true: outside of the whole it begins again; pads are at most extents
    pub periodic: bool,
}

impl HaloOptions {
    /// The defaults of all members.
    pub fn new() -> HaloOptions {
        HaloOptions::default()
    }

    /// of elements outside of the whole; as [`op::cast()`] converts it
    #[must_use]
    pub fn value(mut self, value: f64) -> HaloOptions {
        self.value = value;
        self
    }

    /// true: outside of the whole it begins again; pads are at most extents
    #[must_use]
    pub fn periodic(mut self, periodic: bool) -> HaloOptions {
        self.periodic = periodic;
        self
    }
}

#[derive(Default)]
pub(crate) struct HaloOptionsKeep;

impl HaloOptions {
    pub(crate) fn raw(&self, _keep: &mut HaloOptionsKeep) -> Result<sys::netcl_halo_options> {
        Ok(sys::netcl_halo_options {
            value: self.value,
            periodic: self.periodic as u32,
            ..sys::netcl_halo_options::INIT
        })
    }
}

/// Options of [`Measurement::new()`], [`Queue::time()`], [`Kernel::time()`],
/// [`Benchmark::time_baseline()`], [`Benchmark::time_kernel()`], [`Benchmark::run()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_measurement_options")]
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct MeasurementOptions<'a> {
    /// runs before the first sample; 0: 3
    pub warmup_count: u64,
    /// and at least this long; 0: 25 ms, unless count is set
    pub warmup_ns: u64,
    /// exactly this many samples; 0: by the rules below
    pub count: u64,
    /// Default: 10
    pub count_least: u64,
    /// Default: 100000
    pub count_most: u64,
    /// may end it before count_least; 0: 1 s per candidate
    pub budget_ns: u64,
    /// wanted of the interval; 0: 0.95
    pub confidence: f64,
    /// half width over the median at which it is enough, once the interval has that confidence; 0:
    /// 0.005
    pub precision: f64,
    /// cold caches: written before a sample; 0: 256 MiB or 4 caches
    pub flush_bytes: u64,
    /// of the order in which candidates take turns
    pub seed: u64,
    /// things that are compared; 0: 1
    pub candidates: u32,
    /// true: flush the device's caches before each sample
    pub cold_cache: bool,
    /// See [`TimeSource`].
    pub source: TimeSource,
    /// calls that measure to the end: receives one reference to the measurement, which has the
    /// samples
    pub measurement: Option<&'a mut Option<Measurement>>,
}

impl<'a> MeasurementOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> MeasurementOptions<'a> {
        MeasurementOptions::default()
    }

    /// runs before the first sample; 0: 3
    #[must_use]
    pub fn warmup_count(mut self, warmup_count: u64) -> MeasurementOptions<'a> {
        self.warmup_count = warmup_count;
        self
    }

    /// and at least this long; 0: 25 ms, unless count is set
    #[must_use]
    pub fn warmup_ns(mut self, warmup_ns: u64) -> MeasurementOptions<'a> {
        self.warmup_ns = warmup_ns;
        self
    }

    /// exactly this many samples; 0: by the rules below
    #[must_use]
    pub fn count(mut self, count: u64) -> MeasurementOptions<'a> {
        self.count = count;
        self
    }

    /// Default: 10
    #[must_use]
    pub fn count_least(mut self, count_least: u64) -> MeasurementOptions<'a> {
        self.count_least = count_least;
        self
    }

    /// Default: 100000
    #[must_use]
    pub fn count_most(mut self, count_most: u64) -> MeasurementOptions<'a> {
        self.count_most = count_most;
        self
    }

    /// may end it before count_least; 0: 1 s per candidate
    #[must_use]
    pub fn budget_ns(mut self, budget_ns: u64) -> MeasurementOptions<'a> {
        self.budget_ns = budget_ns;
        self
    }

    /// wanted of the interval; 0: 0.95
    #[must_use]
    pub fn confidence(mut self, confidence: f64) -> MeasurementOptions<'a> {
        self.confidence = confidence;
        self
    }

    /// half width over the median at which it is enough, once the interval has that confidence; 0:
    /// 0.005
    #[must_use]
    pub fn precision(mut self, precision: f64) -> MeasurementOptions<'a> {
        self.precision = precision;
        self
    }

    /// cold caches: written before a sample; 0: 256 MiB or 4 caches
    #[must_use]
    pub fn flush_bytes(mut self, flush_bytes: u64) -> MeasurementOptions<'a> {
        self.flush_bytes = flush_bytes;
        self
    }

    /// of the order in which candidates take turns
    #[must_use]
    pub fn seed(mut self, seed: u64) -> MeasurementOptions<'a> {
        self.seed = seed;
        self
    }

    /// things that are compared; 0: 1
    #[must_use]
    pub fn candidates(mut self, candidates: u32) -> MeasurementOptions<'a> {
        self.candidates = candidates;
        self
    }

    /// true: flush the device's caches before each sample
    #[must_use]
    pub fn cold_cache(mut self, cold_cache: bool) -> MeasurementOptions<'a> {
        self.cold_cache = cold_cache;
        self
    }

    /// See [`TimeSource`].
    #[must_use]
    pub fn source(mut self, source: TimeSource) -> MeasurementOptions<'a> {
        self.source = source;
        self
    }

    /// calls that measure to the end: receives one reference to the measurement, which has the
    /// samples
    #[must_use]
    pub fn measurement(
        mut self,
        measurement: &'a mut Option<Measurement>,
    ) -> MeasurementOptions<'a> {
        self.measurement = Some(measurement);
        self
    }
}

#[derive(Default)]
pub(crate) struct MeasurementOptionsKeep {
    measurement: support::Out<sys::netcl_measurement>,
}

impl<'a> MeasurementOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut MeasurementOptionsKeep,
    ) -> Result<sys::netcl_measurement_options> {
        Ok(sys::netcl_measurement_options {
            warmup_count: self.warmup_count,
            warmup_ns: self.warmup_ns,
            count: self.count,
            count_least: self.count_least,
            count_most: self.count_most,
            budget_ns: self.budget_ns,
            confidence: self.confidence,
            precision: self.precision,
            flush_bytes: self.flush_bytes,
            seed: self.seed,
            candidates: self.candidates,
            cold_cache: self.cold_cache as u32,
            source: self.source.0,
            measurement: if self.measurement.is_some() { &mut keep.measurement.0 } else { ptr::null_mut() },
            ..sys::netcl_measurement_options::INIT
        })
    }

    /// Hands out what the call wrote.
    pub(crate) fn finish(self, keep: MeasurementOptionsKeep) {
        if let Some(place) = self.measurement {
            *place = unsafe { Measurement::from_nullable(keep.measurement.0) };
        }
    }
}

/// Options of [`profile::start()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_profile_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ProfileOptions<'a> {
    /// also write a trace there: Chrome's JSON, which Perfetto reads
    pub trace_path: Option<&'a Path>,
    /// commands kept for the report; 0: 1000000
    pub records_most: u64,
}

impl<'a> ProfileOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> ProfileOptions<'a> {
        ProfileOptions::default()
    }

    /// also write a trace there: Chrome's JSON, which Perfetto reads
    #[must_use]
    pub fn trace_path(mut self, trace_path: &'a (impl AsRef<Path> + ?Sized)) -> ProfileOptions<'a> {
        self.trace_path = Some(trace_path.as_ref());
        self
    }

    /// commands kept for the report; 0: 1000000
    #[must_use]
    pub fn records_most(mut self, records_most: u64) -> ProfileOptions<'a> {
        self.records_most = records_most;
        self
    }
}

#[derive(Default)]
pub(crate) struct ProfileOptionsKeep {
    trace_path: Option<CText>,
}

impl<'a> ProfileOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut ProfileOptionsKeep) -> Result<sys::netcl_profile_options> {
        keep.trace_path = self.trace_path.map(|t| CText::path("trace_path", t)).transpose()?;
        Ok(sys::netcl_profile_options {
            trace_path: keep.trace_path.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            records_most: self.records_most,
            ..sys::netcl_profile_options::INIT
        })
    }
}

/// Options of [`Roofline::new()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_roofline_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RooflineOptions {
    /// efficiency that counts as at the roofline, 1 to 100; 0: 90
    pub threshold_pct: f64,
    /// less than this over the rounds is converged; 0: 0.1
    pub min_improvement_pct: f64,
    /// more activity than this is use, 1 to 100; 0: 5
    pub tensor_core_threshold_pct: f64,
    /// less of both is UNDERUTILIZED, 1 to 100; 0: 60
    pub underutilized_pct: f64,
    /// at least 2; 0: 5
    pub convergence_rounds: u32,
    /// [`OFF`](Toggle::OFF): being at the roofline is no reason to stop
    pub early_stop: Toggle,
}

impl RooflineOptions {
    /// The defaults of all members.
    pub fn new() -> RooflineOptions {
        RooflineOptions::default()
    }

    /// efficiency that counts as at the roofline, 1 to 100; 0: 90
    #[must_use]
    pub fn threshold_pct(mut self, threshold_pct: f64) -> RooflineOptions {
        self.threshold_pct = threshold_pct;
        self
    }

    /// less than this over the rounds is converged; 0: 0.1
    #[must_use]
    pub fn min_improvement_pct(mut self, min_improvement_pct: f64) -> RooflineOptions {
        self.min_improvement_pct = min_improvement_pct;
        self
    }

    /// more activity than this is use, 1 to 100; 0: 5
    #[must_use]
    pub fn tensor_core_threshold_pct(mut self, tensor_core_threshold_pct: f64) -> RooflineOptions {
        self.tensor_core_threshold_pct = tensor_core_threshold_pct;
        self
    }

    /// less of both is UNDERUTILIZED, 1 to 100; 0: 60
    #[must_use]
    pub fn underutilized_pct(mut self, underutilized_pct: f64) -> RooflineOptions {
        self.underutilized_pct = underutilized_pct;
        self
    }

    /// at least 2; 0: 5
    #[must_use]
    pub fn convergence_rounds(mut self, convergence_rounds: u32) -> RooflineOptions {
        self.convergence_rounds = convergence_rounds;
        self
    }

    /// [`OFF`](Toggle::OFF): being at the roofline is no reason to stop
    #[must_use]
    pub fn early_stop(mut self, early_stop: Toggle) -> RooflineOptions {
        self.early_stop = early_stop;
        self
    }
}

#[derive(Default)]
pub(crate) struct RooflineOptionsKeep;

impl RooflineOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut RooflineOptionsKeep,
    ) -> Result<sys::netcl_roofline_options> {
        Ok(sys::netcl_roofline_options {
            threshold_pct: self.threshold_pct,
            min_improvement_pct: self.min_improvement_pct,
            tensor_core_threshold_pct: self.tensor_core_threshold_pct,
            underutilized_pct: self.underutilized_pct,
            convergence_rounds: self.convergence_rounds,
            early_stop: self.early_stop.0,
            ..sys::netcl_roofline_options::INIT
        })
    }
}

/// Options of [`Roofline::analyze_ncu()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_ncu_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct NcuOptions<'a> {
    /// part of the kernel's name; `None`: every launch
    pub kernel: Option<&'a str>,
    /// See [`NcuPolicy`].
    pub policy: NcuPolicy,
    /// true: `kernel` is the whole name
    pub exact: bool,
}

impl<'a> NcuOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> NcuOptions<'a> {
        NcuOptions::default()
    }

    /// part of the kernel's name; `None`: every launch
    #[must_use]
    pub fn kernel(mut self, kernel: &'a str) -> NcuOptions<'a> {
        self.kernel = Some(kernel);
        self
    }

    /// See [`NcuPolicy`].
    #[must_use]
    pub fn policy(mut self, policy: NcuPolicy) -> NcuOptions<'a> {
        self.policy = policy;
        self
    }

    /// true: `kernel` is the whole name
    #[must_use]
    pub fn exact(mut self, exact: bool) -> NcuOptions<'a> {
        self.exact = exact;
        self
    }
}

#[derive(Default)]
pub(crate) struct NcuOptionsKeep {
    kernel: Option<CText>,
}

impl<'a> NcuOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut NcuOptionsKeep) -> Result<sys::netcl_ncu_options> {
        keep.kernel = self.kernel.map(|t| CText::new("kernel", t)).transpose()?;
        Ok(sys::netcl_ncu_options {
            kernel: keep.kernel.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            policy: self.policy.0,
            exact: self.exact as u32,
            ..sys::netcl_ncu_options::INIT
        })
    }
}

/// Options of [`Ceilings::measure()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_ceilings_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct CeilingsOptions {
    /// for all probes, the building of their kernels apart; runs that differ much are made again
    /// for up to as long once more; 0: 3 s
    pub budget_ns: u64,
    /// true: do not take what was measured before
    pub remeasure: bool,
    /// true: neither take from the disk nor keep there
    pub no_store: bool,
}

impl CeilingsOptions {
    /// The defaults of all members.
    pub fn new() -> CeilingsOptions {
        CeilingsOptions::default()
    }

    /// for all probes, the building of their kernels apart; runs that differ much are made again
    /// for up to as long once more; 0: 3 s
    #[must_use]
    pub fn budget_ns(mut self, budget_ns: u64) -> CeilingsOptions {
        self.budget_ns = budget_ns;
        self
    }

    /// true: do not take what was measured before
    #[must_use]
    pub fn remeasure(mut self, remeasure: bool) -> CeilingsOptions {
        self.remeasure = remeasure;
        self
    }

    /// true: neither take from the disk nor keep there
    #[must_use]
    pub fn no_store(mut self, no_store: bool) -> CeilingsOptions {
        self.no_store = no_store;
        self
    }
}

#[derive(Default)]
pub(crate) struct CeilingsOptionsKeep;

impl CeilingsOptions {
    pub(crate) fn raw(
        &self,
        _keep: &mut CeilingsOptionsKeep,
    ) -> Result<sys::netcl_ceilings_options> {
        Ok(sys::netcl_ceilings_options {
            budget_ns: self.budget_ns,
            remeasure: self.remeasure as u32,
            no_store: self.no_store as u32,
            ..sys::netcl_ceilings_options::INIT
        })
    }
}

/// What a result belongs to. Driver, shape and scalars may differ in an answer, all other members
/// have to be equal. `None` is "".
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_tuning_key")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct TuningKey<'a> {
    /// name of the kernel or op; must be set
    pub kernel: Option<&'a str>,
    /// something that changes with the source, such as its hash
    pub source: Option<&'a str>,
    /// build flags
    pub flags: Option<&'a str>,
    /// "f32,f32"
    pub dtypes: Option<&'a str>,
    /// The layout.
    pub layout: Option<&'a str>,
    /// which device; `None` with a device: its own part
    pub part: Option<&'a str>,
    /// `None` with a device: its own driver
    pub driver: Option<&'a str>,
    /// The shape.
    pub shape: [i64; 24],
    /// The shape count.
    pub shape_count: u32,
    /// The scalars count.
    pub scalars_count: u32,
    /// Of a kernel: its integer arguments in their order. Those of 1 and more may be near ones, as
    /// extents may; the others have to be equal. Local memory is -1 - bytes, and what is no integer
    /// or too much a hash below 0.
    pub scalars: [i64; 16],
}

impl<'a> TuningKey<'a> {
    /// The defaults of all members.
    pub fn new() -> TuningKey<'a> {
        TuningKey::default()
    }

    /// name of the kernel or op; must be set
    #[must_use]
    pub fn kernel(mut self, kernel: &'a str) -> TuningKey<'a> {
        self.kernel = Some(kernel);
        self
    }

    /// something that changes with the source, such as its hash
    #[must_use]
    pub fn source(mut self, source: &'a str) -> TuningKey<'a> {
        self.source = Some(source);
        self
    }

    /// build flags
    #[must_use]
    pub fn flags(mut self, flags: &'a str) -> TuningKey<'a> {
        self.flags = Some(flags);
        self
    }

    /// "f32,f32"
    #[must_use]
    pub fn dtypes(mut self, dtypes: &'a str) -> TuningKey<'a> {
        self.dtypes = Some(dtypes);
        self
    }

    /// The layout.
    #[must_use]
    pub fn layout(mut self, layout: &'a str) -> TuningKey<'a> {
        self.layout = Some(layout);
        self
    }

    /// which device; `None` with a device: its own part
    #[must_use]
    pub fn part(mut self, part: &'a str) -> TuningKey<'a> {
        self.part = Some(part);
        self
    }

    /// `None` with a device: its own driver
    #[must_use]
    pub fn driver(mut self, driver: &'a str) -> TuningKey<'a> {
        self.driver = Some(driver);
        self
    }

    /// The shape.
    #[must_use]
    pub fn shape(mut self, shape: [i64; 24]) -> TuningKey<'a> {
        self.shape = shape;
        self
    }

    /// The shape count.
    #[must_use]
    pub fn shape_count(mut self, shape_count: u32) -> TuningKey<'a> {
        self.shape_count = shape_count;
        self
    }

    /// The scalars count.
    #[must_use]
    pub fn scalars_count(mut self, scalars_count: u32) -> TuningKey<'a> {
        self.scalars_count = scalars_count;
        self
    }

    /// Of a kernel: its integer arguments in their order. Those of 1 and more may be near ones, as
    /// extents may; the others have to be equal. Local memory is -1 - bytes, and what is no integer
    /// or too much a hash below 0.
    #[must_use]
    pub fn scalars(mut self, scalars: [i64; 16]) -> TuningKey<'a> {
        self.scalars = scalars;
        self
    }
}

#[derive(Default)]
pub(crate) struct TuningKeyKeep {
    kernel: Option<CText>,
    source: Option<CText>,
    flags: Option<CText>,
    dtypes: Option<CText>,
    layout: Option<CText>,
    part: Option<CText>,
    driver: Option<CText>,
}

impl<'a> TuningKey<'a> {
    pub(crate) fn raw(&self, keep: &mut TuningKeyKeep) -> Result<sys::netcl_tuning_key> {
        keep.kernel = self.kernel.map(|t| CText::new("kernel", t)).transpose()?;
        keep.source = self.source.map(|t| CText::new("source", t)).transpose()?;
        keep.flags = self.flags.map(|t| CText::new("flags", t)).transpose()?;
        keep.dtypes = self.dtypes.map(|t| CText::new("dtypes", t)).transpose()?;
        keep.layout = self.layout.map(|t| CText::new("layout", t)).transpose()?;
        keep.part = self.part.map(|t| CText::new("part", t)).transpose()?;
        keep.driver = self.driver.map(|t| CText::new("driver", t)).transpose()?;
        Ok(sys::netcl_tuning_key {
            kernel: keep.kernel.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            source: keep.source.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            flags: keep.flags.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            dtypes: keep.dtypes.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            layout: keep.layout.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            part: keep.part.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            driver: keep.driver.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            shape: self.shape,
            shape_count: self.shape_count,
            scalars_count: self.scalars_count,
            scalars: self.scalars,
            ..sys::netcl_tuning_key::INIT
        })
    }
}

/// One tensor of the record, packed in C order.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_benchmark_tensor")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct BenchmarkTensor<'a> {
    /// for messages; `None`: the parameter's name
    pub name: Option<&'a str>,
    /// copied
    pub data: &'a [u8],
    /// The shape.
    pub shape: [i64; 8],
    /// see [`FillKind`]
    pub a: f64,
    /// The b.
    pub b: f64,
    /// allowed difference of an output; 0: relative times its rms
    pub absolute: f64,
    /// and relative to its value; 0: 1e-4 f32, 1e-9 f64, 1e-2 f16 ...; with both 0 a float of INOUT
    /// is off by no more than a quarter of the largest change, but for its rounding
    pub relative: f64,
    /// See [`Dtype`].
    pub dtype: Dtype,
    /// See [`Access`].
    pub access: Access,
    /// of IN and INOUT
    pub fill: FillKind,
    /// The rank.
    pub rank: u32,
    /// true: outputs agree bit for bit; integers do unless told otherwise
    pub exact: bool,
}

impl<'a> BenchmarkTensor<'a> {
    /// The defaults of all members.
    pub fn new() -> BenchmarkTensor<'a> {
        BenchmarkTensor::default()
    }

    /// for messages; `None`: the parameter's name
    #[must_use]
    pub fn name(mut self, name: &'a str) -> BenchmarkTensor<'a> {
        self.name = Some(name);
        self
    }

    /// copied
    #[must_use]
    pub fn data(mut self, data: &'a [u8]) -> BenchmarkTensor<'a> {
        self.data = data;
        self
    }

    /// The shape.
    #[must_use]
    pub fn shape(mut self, shape: [i64; 8]) -> BenchmarkTensor<'a> {
        self.shape = shape;
        self
    }

    /// see [`FillKind`]
    #[must_use]
    pub fn a(mut self, a: f64) -> BenchmarkTensor<'a> {
        self.a = a;
        self
    }

    /// The b.
    #[must_use]
    pub fn b(mut self, b: f64) -> BenchmarkTensor<'a> {
        self.b = b;
        self
    }

    /// allowed difference of an output; 0: relative times its rms
    #[must_use]
    pub fn absolute(mut self, absolute: f64) -> BenchmarkTensor<'a> {
        self.absolute = absolute;
        self
    }

    /// and relative to its value; 0: 1e-4 f32, 1e-9 f64, 1e-2 f16 ...; with both 0 a float of INOUT
    /// is off by no more than a quarter of the largest change, but for its rounding
    #[must_use]
    pub fn relative(mut self, relative: f64) -> BenchmarkTensor<'a> {
        self.relative = relative;
        self
    }

    /// See [`Dtype`].
    #[must_use]
    pub fn dtype(mut self, dtype: Dtype) -> BenchmarkTensor<'a> {
        self.dtype = dtype;
        self
    }

    /// See [`Access`].
    #[must_use]
    pub fn access(mut self, access: Access) -> BenchmarkTensor<'a> {
        self.access = access;
        self
    }

    /// of IN and INOUT
    #[must_use]
    pub fn fill(mut self, fill: FillKind) -> BenchmarkTensor<'a> {
        self.fill = fill;
        self
    }

    /// The rank.
    #[must_use]
    pub fn rank(mut self, rank: u32) -> BenchmarkTensor<'a> {
        self.rank = rank;
        self
    }

    /// true: outputs agree bit for bit; integers do unless told otherwise
    #[must_use]
    pub fn exact(mut self, exact: bool) -> BenchmarkTensor<'a> {
        self.exact = exact;
        self
    }
}

#[derive(Default)]
pub(crate) struct BenchmarkTensorKeep {
    name: Option<CText>,
}

impl<'a> BenchmarkTensor<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut BenchmarkTensorKeep,
    ) -> Result<sys::netcl_benchmark_tensor> {
        keep.name = self.name.map(|t| CText::new("name", t)).transpose()?;
        Ok(sys::netcl_benchmark_tensor {
            name: keep.name.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            data: support::data_ptr(self.data),
            data_size: self.data.len(),
            shape: self.shape,
            a: self.a,
            b: self.b,
            absolute: self.absolute,
            relative: self.relative,
            dtype: self.dtype.0,
            access: self.access.0,
            fill: self.fill.0,
            rank: self.rank,
            exact: self.exact as u32,
            ..sys::netcl_benchmark_tensor::INIT
        })
    }
}

/// Options of [`Benchmark::new()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_benchmark_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct BenchmarkOptions<'a> {
    /// `None`: `NETCL_WORKER`, else beside the library; never PATH
    pub worker_path: Option<&'a Path>,
    /// the worker's working folder and TMPDIR; `None`: as here
    pub temp_dir: Option<&'a Path>,
    /// of the device lock; `None`: one per device in the cache
    pub lock_path: Option<&'a Path>,
    /// of a candidate, and until a run of it begins; 0: 60 s
    pub compile_timeout_ns: u64,
    /// of one run of it that began; 0: 2 s
    pub run_timeout_ns: u64,
    /// of the wait for the device; 0: 900 s
    pub lock_timeout_ns: u64,
    /// of the worker, drivers included; 0: 60 s
    pub start_timeout_ns: u64,
    /// of random contents in round 0; the next has seed + 1
    pub seed: u64,
    /// times a candidate is checked, each with its seed; 0: 2
    pub rounds: u32,
    /// for the log and the JSON
    pub worker_id: u32,
    /// [`OFF`](Toggle::OFF): do not hold the device lock while using the device
    pub lock: Toggle,
}

impl<'a> BenchmarkOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> BenchmarkOptions<'a> {
        BenchmarkOptions::default()
    }

    /// `None`: `NETCL_WORKER`, else beside the library; never PATH
    #[must_use]
    pub fn worker_path(
        mut self,
        worker_path: &'a (impl AsRef<Path> + ?Sized),
    ) -> BenchmarkOptions<'a> {
        self.worker_path = Some(worker_path.as_ref());
        self
    }

    /// the worker's working folder and TMPDIR; `None`: as here
    #[must_use]
    pub fn temp_dir(mut self, temp_dir: &'a (impl AsRef<Path> + ?Sized)) -> BenchmarkOptions<'a> {
        self.temp_dir = Some(temp_dir.as_ref());
        self
    }

    /// of the device lock; `None`: one per device in the cache
    #[must_use]
    pub fn lock_path(mut self, lock_path: &'a (impl AsRef<Path> + ?Sized)) -> BenchmarkOptions<'a> {
        self.lock_path = Some(lock_path.as_ref());
        self
    }

    /// of a candidate, and until a run of it begins; 0: 60 s
    #[must_use]
    pub fn compile_timeout_ns(mut self, compile_timeout_ns: u64) -> BenchmarkOptions<'a> {
        self.compile_timeout_ns = compile_timeout_ns;
        self
    }

    /// of one run of it that began; 0: 2 s
    #[must_use]
    pub fn run_timeout_ns(mut self, run_timeout_ns: u64) -> BenchmarkOptions<'a> {
        self.run_timeout_ns = run_timeout_ns;
        self
    }

    /// of the wait for the device; 0: 900 s
    #[must_use]
    pub fn lock_timeout_ns(mut self, lock_timeout_ns: u64) -> BenchmarkOptions<'a> {
        self.lock_timeout_ns = lock_timeout_ns;
        self
    }

    /// of the worker, drivers included; 0: 60 s
    #[must_use]
    pub fn start_timeout_ns(mut self, start_timeout_ns: u64) -> BenchmarkOptions<'a> {
        self.start_timeout_ns = start_timeout_ns;
        self
    }

    /// of random contents in round 0; the next has seed + 1
    #[must_use]
    pub fn seed(mut self, seed: u64) -> BenchmarkOptions<'a> {
        self.seed = seed;
        self
    }

    /// times a candidate is checked, each with its seed; 0: 2
    #[must_use]
    pub fn rounds(mut self, rounds: u32) -> BenchmarkOptions<'a> {
        self.rounds = rounds;
        self
    }

    /// for the log and the JSON
    #[must_use]
    pub fn worker_id(mut self, worker_id: u32) -> BenchmarkOptions<'a> {
        self.worker_id = worker_id;
        self
    }

    /// [`OFF`](Toggle::OFF): do not hold the device lock while using the device
    #[must_use]
    pub fn lock(mut self, lock: Toggle) -> BenchmarkOptions<'a> {
        self.lock = lock;
        self
    }
}

#[derive(Default)]
pub(crate) struct BenchmarkOptionsKeep {
    worker_path: Option<CText>,
    temp_dir: Option<CText>,
    lock_path: Option<CText>,
}

impl<'a> BenchmarkOptions<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut BenchmarkOptionsKeep,
    ) -> Result<sys::netcl_benchmark_options> {
        keep.worker_path = self.worker_path.map(|t| CText::path("worker_path", t)).transpose()?;
        keep.temp_dir = self.temp_dir.map(|t| CText::path("temp_dir", t)).transpose()?;
        keep.lock_path = self.lock_path.map(|t| CText::path("lock_path", t)).transpose()?;
        Ok(sys::netcl_benchmark_options {
            worker_path: keep.worker_path.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            temp_dir: keep.temp_dir.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            lock_path: keep.lock_path.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            compile_timeout_ns: self.compile_timeout_ns,
            run_timeout_ns: self.run_timeout_ns,
            lock_timeout_ns: self.lock_timeout_ns,
            start_timeout_ns: self.start_timeout_ns,
            seed: self.seed,
            rounds: self.rounds,
            worker_id: self.worker_id,
            lock: self.lock.0,
            ..sys::netcl_benchmark_options::INIT
        })
    }
}

/// A candidate. It gets the record's arguments in their order.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_benchmark_candidate")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct BenchmarkCandidate<'a> {
    /// in the JSON; `None`: kernel
    pub name: Option<&'a str>,
    /// OpenCL C; `None`: the file at path
    pub source: Option<&'a str>,
    /// The path.
    pub path: Option<&'a Path>,
    /// which kernel of the source
    pub kernel: Option<&'a str>,
    /// runs before each run, untimed; `None`: none
    pub setup_kernel: Option<&'a str>,
    /// as in [`KernelOptions`]
    pub flags: &'a [&'a str],
    /// "NAME=text", or "NAME"; a macro the source sees
    pub defines: &'a [&'a str],
    /// The global.
    pub global: [u64; 3],
    /// zeros: netcl's choice, as for a launch
    pub local: [u64; 3],
    /// of setup_kernel, with as many dimensions
    pub setup_global: [u64; 3],
    /// dimensions; 0: 1
    pub global_count: u32,
    /// true: -cl-fast-relaxed-math
    pub fast_math: bool,
    /// true: without the macros LOAD STORE ADD SUB MUL DIV RELU
    pub no_preamble: bool,
    /// true: round the global size up to the local size
    pub round_up: bool,
}

impl<'a> BenchmarkCandidate<'a> {
    /// The defaults of all members.
    pub fn new() -> BenchmarkCandidate<'a> {
        BenchmarkCandidate::default()
    }

    /// in the JSON; `None`: kernel
    #[must_use]
    pub fn name(mut self, name: &'a str) -> BenchmarkCandidate<'a> {
        self.name = Some(name);
        self
    }

    /// OpenCL C; `None`: the file at path
    #[must_use]
    pub fn source(mut self, source: &'a str) -> BenchmarkCandidate<'a> {
        self.source = Some(source);
        self
    }

    /// The path.
    #[must_use]
    pub fn path(mut self, path: &'a (impl AsRef<Path> + ?Sized)) -> BenchmarkCandidate<'a> {
        self.path = Some(path.as_ref());
        self
    }

    /// which kernel of the source
    #[must_use]
    pub fn kernel(mut self, kernel: &'a str) -> BenchmarkCandidate<'a> {
        self.kernel = Some(kernel);
        self
    }

    /// runs before each run, untimed; `None`: none
    #[must_use]
    pub fn setup_kernel(mut self, setup_kernel: &'a str) -> BenchmarkCandidate<'a> {
        self.setup_kernel = Some(setup_kernel);
        self
    }

    /// as in [`KernelOptions`]
    #[must_use]
    pub fn flags(mut self, flags: &'a [&'a str]) -> BenchmarkCandidate<'a> {
        self.flags = flags;
        self
    }

    /// "NAME=text", or "NAME"; a macro the source sees
    #[must_use]
    pub fn defines(mut self, defines: &'a [&'a str]) -> BenchmarkCandidate<'a> {
        self.defines = defines;
        self
    }

    /// The global.
    #[must_use]
    pub fn global(mut self, global: [u64; 3]) -> BenchmarkCandidate<'a> {
        self.global = global;
        self
    }

    /// zeros: netcl's choice, as for a launch
    #[must_use]
    pub fn local(mut self, local: [u64; 3]) -> BenchmarkCandidate<'a> {
        self.local = local;
        self
    }

    /// of setup_kernel, with as many dimensions
    #[must_use]
    pub fn setup_global(mut self, setup_global: [u64; 3]) -> BenchmarkCandidate<'a> {
        self.setup_global = setup_global;
        self
    }

    /// dimensions; 0: 1
    #[must_use]
    pub fn global_count(mut self, global_count: u32) -> BenchmarkCandidate<'a> {
        self.global_count = global_count;
        self
    }

    /// true: -cl-fast-relaxed-math
    #[must_use]
    pub fn fast_math(mut self, fast_math: bool) -> BenchmarkCandidate<'a> {
        self.fast_math = fast_math;
        self
    }

    /// true: without the macros LOAD STORE ADD SUB MUL DIV RELU
    #[must_use]
    pub fn no_preamble(mut self, no_preamble: bool) -> BenchmarkCandidate<'a> {
        self.no_preamble = no_preamble;
        self
    }

    /// true: round the global size up to the local size
    #[must_use]
    pub fn round_up(mut self, round_up: bool) -> BenchmarkCandidate<'a> {
        self.round_up = round_up;
        self
    }
}

#[derive(Default)]
pub(crate) struct BenchmarkCandidateKeep {
    name: Option<CText>,
    source: Option<CText>,
    path: Option<CText>,
    kernel: Option<CText>,
    setup_kernel: Option<CText>,
    flags: Texts,
    defines: Texts,
}

impl<'a> BenchmarkCandidate<'a> {
    pub(crate) fn raw(
        &self,
        keep: &mut BenchmarkCandidateKeep,
    ) -> Result<sys::netcl_benchmark_candidate> {
        keep.name = self.name.map(|t| CText::new("name", t)).transpose()?;
        keep.source = self.source.map(|t| CText::new("source", t)).transpose()?;
        keep.path = self.path.map(|t| CText::path("path", t)).transpose()?;
        keep.kernel = self.kernel.map(|t| CText::new("kernel", t)).transpose()?;
        keep.setup_kernel = self.setup_kernel.map(|t| CText::new("setup_kernel", t)).transpose()?;
        keep.flags.fill("flags", self.flags)?;
        keep.defines.fill("defines", self.defines)?;
        Ok(sys::netcl_benchmark_candidate {
            name: keep.name.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            source: keep.source.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            path: keep.path.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            kernel: keep.kernel.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            setup_kernel: keep.setup_kernel.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            flags: keep.flags.as_ptr(),
            flags_count: support::count("flags", self.flags.len())?,
            defines: keep.defines.as_ptr(),
            defines_count: support::count("defines", self.defines.len())?,
            global: self.global,
            local: self.local,
            setup_global: self.setup_global,
            global_count: self.global_count,
            fast_math: self.fast_math as u32,
            no_preamble: self.no_preamble as u32,
            round_up: self.round_up as u32,
            ..sys::netcl_benchmark_candidate::INIT
        })
    }
}

/// A patience of 0 stands for never with EXHAUSTIVE, else for 4 times the root of the number of
/// valid configurations, at least 96: of a large space more has to be seen. Every strategy goes on
/// until evaluations, patience or budget_ns are spent or nothing is left to try.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_search_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct SearchOptions {
    /// The seed.
    pub seed: u64,
    /// configurations tried at most; 0: all of EXHAUSTIVE, else 512
    pub evaluations: u64,
    /// stop after so many without a better one; 0: see above
    pub patience: u64,
    /// from the first ask on; 0: none for a search, 60 s for a tuner
    pub budget_ns: u64,
    /// of each finalist at most; 0: 30 for a search, 20 for a tuner
    pub samples: u64,
    /// a difference that is worth a change; 0: 0.01
    pub precision: f64,
    /// what is surely this much slower than the best goes; 0: 1.2
    pub drop_factor: f64,
    /// shortest time that the device allows; 0: see [`Tuner::run()`]
    pub roof_ns: f64,
    /// percent of the roof that are good enough, 1 to 1000; 0: 90
    pub threshold_pct: f64,
    /// See [`SearchStrategy`].
    pub strategy: SearchStrategy,
}

impl SearchOptions {
    /// The defaults of all members.
    pub fn new() -> SearchOptions {
        SearchOptions::default()
    }

    /// The seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> SearchOptions {
        self.seed = seed;
        self
    }

    /// configurations tried at most; 0: all of EXHAUSTIVE, else 512
    #[must_use]
    pub fn evaluations(mut self, evaluations: u64) -> SearchOptions {
        self.evaluations = evaluations;
        self
    }

    /// stop after so many without a better one; 0: see above
    #[must_use]
    pub fn patience(mut self, patience: u64) -> SearchOptions {
        self.patience = patience;
        self
    }

    /// from the first ask on; 0: none for a search, 60 s for a tuner
    #[must_use]
    pub fn budget_ns(mut self, budget_ns: u64) -> SearchOptions {
        self.budget_ns = budget_ns;
        self
    }

    /// of each finalist at most; 0: 30 for a search, 20 for a tuner
    #[must_use]
    pub fn samples(mut self, samples: u64) -> SearchOptions {
        self.samples = samples;
        self
    }

    /// a difference that is worth a change; 0: 0.01
    #[must_use]
    pub fn precision(mut self, precision: f64) -> SearchOptions {
        self.precision = precision;
        self
    }

    /// what is surely this much slower than the best goes; 0: 1.2
    #[must_use]
    pub fn drop_factor(mut self, drop_factor: f64) -> SearchOptions {
        self.drop_factor = drop_factor;
        self
    }

    /// shortest time that the device allows; 0: see [`Tuner::run()`]
    #[must_use]
    pub fn roof_ns(mut self, roof_ns: f64) -> SearchOptions {
        self.roof_ns = roof_ns;
        self
    }

    /// percent of the roof that are good enough, 1 to 1000; 0: 90
    #[must_use]
    pub fn threshold_pct(mut self, threshold_pct: f64) -> SearchOptions {
        self.threshold_pct = threshold_pct;
        self
    }

    /// See [`SearchStrategy`].
    #[must_use]
    pub fn strategy(mut self, strategy: SearchStrategy) -> SearchOptions {
        self.strategy = strategy;
        self
    }
}

#[derive(Default)]
pub(crate) struct SearchOptionsKeep;

impl SearchOptions {
    pub(crate) fn raw(&self, _keep: &mut SearchOptionsKeep) -> Result<sys::netcl_search_options> {
        Ok(sys::netcl_search_options {
            seed: self.seed,
            evaluations: self.evaluations,
            patience: self.patience,
            budget_ns: self.budget_ns,
            samples: self.samples,
            precision: self.precision,
            drop_factor: self.drop_factor,
            roof_ns: self.roof_ns,
            threshold_pct: self.threshold_pct,
            strategy: self.strategy.0,
            ..sys::netcl_search_options::INIT
        })
    }
}

/// Options of [`Tuner::new()`], [`Kernel::autotune()`].
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_tuner_options")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct TunerOptions<'a> {
    /// of each entry; `None`: defaults
    pub search: Option<SearchOptions>,
    /// `None`: the one of this user
    pub database: Option<&'a TuningDatabase>,
    /// runs before the first sample; 0: 3
    pub warmup_count: u64,
    /// a driver may compile until a run begins; 0: 60 s
    pub compile_limit_ns: u64,
    /// of one run that began; 0: 2 s or 20 times the best
    pub run_limit_ns: u64,
    /// true: candidates run in this process, not in the worker
    pub in_process: bool,
    /// true: measure again what is stored
    pub force: bool,
}

impl<'a> TunerOptions<'a> {
    /// The defaults of all members.
    pub fn new() -> TunerOptions<'a> {
        TunerOptions::default()
    }

    /// of each entry; `None`: defaults
    #[must_use]
    pub fn search(mut self, search: impl Into<Option<SearchOptions>>) -> TunerOptions<'a> {
        self.search = search.into();
        self
    }

    /// `None`: the one of this user
    #[must_use]
    pub fn database(mut self, database: impl Into<Option<&'a TuningDatabase>>) -> TunerOptions<'a> {
        self.database = database.into();
        self
    }

    /// runs before the first sample; 0: 3
    #[must_use]
    pub fn warmup_count(mut self, warmup_count: u64) -> TunerOptions<'a> {
        self.warmup_count = warmup_count;
        self
    }

    /// a driver may compile until a run begins; 0: 60 s
    #[must_use]
    pub fn compile_limit_ns(mut self, compile_limit_ns: u64) -> TunerOptions<'a> {
        self.compile_limit_ns = compile_limit_ns;
        self
    }

    /// of one run that began; 0: 2 s or 20 times the best
    #[must_use]
    pub fn run_limit_ns(mut self, run_limit_ns: u64) -> TunerOptions<'a> {
        self.run_limit_ns = run_limit_ns;
        self
    }

    /// true: candidates run in this process, not in the worker
    #[must_use]
    pub fn in_process(mut self, in_process: bool) -> TunerOptions<'a> {
        self.in_process = in_process;
        self
    }

    /// true: measure again what is stored
    #[must_use]
    pub fn force(mut self, force: bool) -> TunerOptions<'a> {
        self.force = force;
        self
    }
}

#[derive(Default)]
pub(crate) struct TunerOptionsKeep {
    search: (Option<sys::netcl_search_options>, SearchOptionsKeep),
}

impl<'a> TunerOptions<'a> {
    pub(crate) fn raw(&self, keep: &mut TunerOptionsKeep) -> Result<sys::netcl_tuner_options> {
        if let Some(inner) = &self.search {
            keep.search.0 = Some(inner.raw(&mut keep.search.1)?);
        }
        Ok(sys::netcl_tuner_options {
            search: keep.search.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            database: self.database.map_or(ptr::null_mut(), |h| h.as_raw()),
            warmup_count: self.warmup_count,
            compile_limit_ns: self.compile_limit_ns,
            run_limit_ns: self.run_limit_ns,
            in_process: self.in_process as u32,
            force: self.force as u32,
            ..sys::netcl_tuner_options::INIT
        })
    }
}

/// What is tried for a kernel. `None` lists are filled in: local sizes are powers of two within the
/// limits of device and kernel, tile sizes 8, 16 and 32 and unroll factors 1, 2, 4 and 8, these two
/// only when the source uses their macro. What runs without tuning is tried first and is the
/// default, whether it is in the space or not: the source with no macro set and the local size that
/// a launch takes. The others have to give what it gives, and nothing wins that is not surely
/// faster. Where the source is no program without a macro, the first value of each stands for it.
/// Where the space gives the work size, a launch of the size that was tuned runs with that of the
/// winner, and other sizes take nothing of it.
///
/// Made by [`Self::new`], with all defaults.
#[doc(alias = "netcl_kernel_tuning")]
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct KernelTuning<'a> {
    /// rows of global_count extents
    pub local_sizes: &'a [u64],
    /// values of tile_macro
    pub tile_sizes: &'a [i64],
    /// values of unroll_macro
    pub unroll_factors: &'a [i64],
    /// `None`: TILE_SIZE
    pub tile_macro: Option<&'a str>,
    /// `None`: UNROLL_FACTOR
    pub unroll_macro: Option<&'a str>,
    /// further macros with values, constraints and a work size
    pub space: Option<&'a Space>,
    /// See [`LaunchOptions`].
    pub launch: Option<LaunchOptions>,
    /// what a launch has to do at least; `None`: `launch.work`
    pub work: Option<Work>,
}

impl<'a> KernelTuning<'a> {
    /// The defaults of all members.
    pub fn new() -> KernelTuning<'a> {
        KernelTuning::default()
    }

    /// rows of global_count extents
    #[must_use]
    pub fn local_sizes(mut self, local_sizes: &'a [u64]) -> KernelTuning<'a> {
        self.local_sizes = local_sizes;
        self
    }

    /// values of tile_macro
    #[must_use]
    pub fn tile_sizes(mut self, tile_sizes: &'a [i64]) -> KernelTuning<'a> {
        self.tile_sizes = tile_sizes;
        self
    }

    /// values of unroll_macro
    #[must_use]
    pub fn unroll_factors(mut self, unroll_factors: &'a [i64]) -> KernelTuning<'a> {
        self.unroll_factors = unroll_factors;
        self
    }

    /// `None`: TILE_SIZE
    #[must_use]
    pub fn tile_macro(mut self, tile_macro: &'a str) -> KernelTuning<'a> {
        self.tile_macro = Some(tile_macro);
        self
    }

    /// `None`: UNROLL_FACTOR
    #[must_use]
    pub fn unroll_macro(mut self, unroll_macro: &'a str) -> KernelTuning<'a> {
        self.unroll_macro = Some(unroll_macro);
        self
    }

    /// further macros with values, constraints and a work size
    #[must_use]
    pub fn space(mut self, space: impl Into<Option<&'a Space>>) -> KernelTuning<'a> {
        self.space = space.into();
        self
    }

    /// See [`LaunchOptions`].
    #[must_use]
    pub fn launch(mut self, launch: impl Into<Option<LaunchOptions>>) -> KernelTuning<'a> {
        self.launch = launch.into();
        self
    }

    /// what a launch has to do at least; `None`: `launch.work`
    #[must_use]
    pub fn work(mut self, work: impl Into<Option<Work>>) -> KernelTuning<'a> {
        self.work = work.into();
        self
    }
}

#[derive(Default)]
pub(crate) struct KernelTuningKeep {
    tile_macro: Option<CText>,
    unroll_macro: Option<CText>,
    launch: (Option<sys::netcl_launch_options>, LaunchOptionsKeep),
    work: (Option<sys::netcl_work>, WorkKeep),
}

impl<'a> KernelTuning<'a> {
    pub(crate) fn raw(&self, keep: &mut KernelTuningKeep) -> Result<sys::netcl_kernel_tuning> {
        keep.tile_macro = self.tile_macro.map(|t| CText::new("tile_macro", t)).transpose()?;
        keep.unroll_macro = self.unroll_macro.map(|t| CText::new("unroll_macro", t)).transpose()?;
        if let Some(inner) = &self.launch {
            keep.launch.0 = Some(inner.raw(&mut keep.launch.1)?);
        }
        if let Some(inner) = &self.work {
            keep.work.0 = Some(inner.raw(&mut keep.work.1)?);
        }
        Ok(sys::netcl_kernel_tuning {
            local_sizes: support::slice_ptr(self.local_sizes) as *const _,
            local_sizes_count: support::count("local_sizes", self.local_sizes.len())?,
            tile_sizes: support::slice_ptr(self.tile_sizes) as *const _,
            tile_sizes_count: support::count("tile_sizes", self.tile_sizes.len())?,
            unroll_factors: support::slice_ptr(self.unroll_factors) as *const _,
            unroll_factors_count: support::count("unroll_factors", self.unroll_factors.len())?,
            tile_macro: keep.tile_macro.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            unroll_macro: keep.unroll_macro.as_ref().map_or(ptr::null(), |t| t.as_ptr()),
            space: self.space.map_or(ptr::null_mut(), |h| h.as_raw()),
            launch: keep.launch.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            work: keep.work.0.as_ref().map_or(ptr::null(), |s| s as *const _),
            ..sys::netcl_kernel_tuning::INIT
        })
    }
}
