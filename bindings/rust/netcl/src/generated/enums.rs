// Written by bindings/generator from include/netcl.h; changes here are lost.

#![allow(unused_imports)]

use super::*;
use std::fmt;

/// The types of handles, for [`library::live_count()`].
#[doc(alias = "netcl_handle_type")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct HandleType(pub i32);

#[allow(missing_docs)]
impl HandleType {
    pub const DEVICE: HandleType = HandleType(1);
    pub const QUEUE: HandleType = HandleType(2);
    pub const EVENT: HandleType = HandleType(3);
    pub const POOL: HandleType = HandleType(4);
    pub const BUFFER: HandleType = HandleType(5);
    pub const TENSOR: HandleType = HandleType(6);
    pub const KERNEL: HandleType = HandleType(7);
    pub const EXPRESSION: HandleType = HandleType(8);
    pub const MEASUREMENT: HandleType = HandleType(9);
    pub const TIMER: HandleType = HandleType(10);
    pub const REGION: HandleType = HandleType(11);
    pub const ROOFLINE: HandleType = HandleType(12);
    pub const SPACE: HandleType = HandleType(13);
    pub const CONFIG: HandleType = HandleType(14);
    pub const TUNING_DATABASE: HandleType = HandleType(15);
    pub const SEARCH: HandleType = HandleType(16);
    pub const CEILINGS: HandleType = HandleType(17);
    pub const BENCHMARK: HandleType = HandleType(18);
    pub const TUNER: HandleType = HandleType(19);
    pub const GRAPH: HandleType = HandleType(20);
    pub const GROUP: HandleType = HandleType(21);
    pub const MODEL: HandleType = HandleType(22);
    pub const SHARDED: HandleType = HandleType(23);
    pub const WEIGHTS: HandleType = HandleType(24);
    pub const REDUCER: HandleType = HandleType(25);

    /// All values that this release knows.
    pub const VALUES: [HandleType; 25] = [
        HandleType::DEVICE,
        HandleType::QUEUE,
        HandleType::EVENT,
        HandleType::POOL,
        HandleType::BUFFER,
        HandleType::TENSOR,
        HandleType::KERNEL,
        HandleType::EXPRESSION,
        HandleType::MEASUREMENT,
        HandleType::TIMER,
        HandleType::REGION,
        HandleType::ROOFLINE,
        HandleType::SPACE,
        HandleType::CONFIG,
        HandleType::TUNING_DATABASE,
        HandleType::SEARCH,
        HandleType::CEILINGS,
        HandleType::BENCHMARK,
        HandleType::TUNER,
        HandleType::GRAPH,
        HandleType::GROUP,
        HandleType::MODEL,
        HandleType::SHARDED,
        HandleType::WEIGHTS,
        HandleType::REDUCER,
    ];
}

impl fmt::Debug for HandleType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "DEVICE",
            2 => "QUEUE",
            3 => "EVENT",
            4 => "POOL",
            5 => "BUFFER",
            6 => "TENSOR",
            7 => "KERNEL",
            8 => "EXPRESSION",
            9 => "MEASUREMENT",
            10 => "TIMER",
            11 => "REGION",
            12 => "ROOFLINE",
            13 => "SPACE",
            14 => "CONFIG",
            15 => "TUNING_DATABASE",
            16 => "SEARCH",
            17 => "CEILINGS",
            18 => "BENCHMARK",
            19 => "TUNER",
            20 => "GRAPH",
            21 => "GROUP",
            22 => "MODEL",
            23 => "SHARDED",
            24 => "WEIGHTS",
            25 => "REDUCER",
            other => return write!(f, "HandleType({other})"),
        })
    }
}

/// The outcome of a call. Values are never renumbered.
#[doc(alias = "netcl_status")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Status(pub i32);

#[allow(missing_docs)]
impl Status {
    pub const OK: Status = Status(0);
    /// an argument is wrong; the message names it
    pub const INVALID_ARGUMENT: Status = Status(-1);
    /// `None`, released, of another type, foreign
    pub const INVALID_HANDLE: Status = Status(-2);
    /// no such device; the message says why
    pub const NO_DEVICE: Status = Status(-3);
    pub const OUT_OF_HOST_MEMORY: Status = Status(-4);
    pub const OUT_OF_DEVICE_MEMORY: Status = Status(-5);
    /// see [`Kernel::build_log()`]
    pub const BUILD_FAILURE: Status = Status(-6);
    /// the driver refused or failed a command
    pub const LAUNCH_FAILURE: Status = Status(-7);
    /// the device is gone; open it again
    pub const DEVICE_LOST: Status = Status(-8);
    /// the object was made before fork()
    pub const FORKED: Status = Status(-9);
    /// this device or release cannot do it
    pub const UNSUPPORTED: Status = Status(-10);
    /// no times were recorded for the command
    pub const NOT_PROFILED: Status = Status(-11);
    pub const NOT_FOUND: Status = Status(-12);
    /// a limit of things in flight is reached
    pub const BUSY: Status = Status(-13);
    pub const TIMEOUT: Status = Status(-14);
    /// interrupted, see [`interrupt::enable()`]
    pub const CANCELLED: Status = Status(-15);
    /// a file could not be read or written
    pub const IO: Status = Status(-16);
    /// a file or blob is not what it should be
    pub const CORRUPT_DATA: Status = Status(-17);
    /// a fault of the library itself
    pub const INTERNAL: Status = Status(-18);
    /// another rank of a group died or left
    pub const RANK_LOST: Status = Status(-19);

    /// All values that this release knows.
    pub const VALUES: [Status; 20] = [
        Status::OK,
        Status::INVALID_ARGUMENT,
        Status::INVALID_HANDLE,
        Status::NO_DEVICE,
        Status::OUT_OF_HOST_MEMORY,
        Status::OUT_OF_DEVICE_MEMORY,
        Status::BUILD_FAILURE,
        Status::LAUNCH_FAILURE,
        Status::DEVICE_LOST,
        Status::FORKED,
        Status::UNSUPPORTED,
        Status::NOT_PROFILED,
        Status::NOT_FOUND,
        Status::BUSY,
        Status::TIMEOUT,
        Status::CANCELLED,
        Status::IO,
        Status::CORRUPT_DATA,
        Status::INTERNAL,
        Status::RANK_LOST,
    ];
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "OK",
            -1 => "INVALID_ARGUMENT",
            -2 => "INVALID_HANDLE",
            -3 => "NO_DEVICE",
            -4 => "OUT_OF_HOST_MEMORY",
            -5 => "OUT_OF_DEVICE_MEMORY",
            -6 => "BUILD_FAILURE",
            -7 => "LAUNCH_FAILURE",
            -8 => "DEVICE_LOST",
            -9 => "FORKED",
            -10 => "UNSUPPORTED",
            -11 => "NOT_PROFILED",
            -12 => "NOT_FOUND",
            -13 => "BUSY",
            -14 => "TIMEOUT",
            -15 => "CANCELLED",
            -16 => "IO",
            -17 => "CORRUPT_DATA",
            -18 => "INTERNAL",
            -19 => "RANK_LOST",
            other => return write!(f, "Status({other})"),
        })
    }
}

/// Values of log levels.
#[doc(alias = "netcl_log_level")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct LogLevel(pub i32);

#[allow(missing_docs)]
impl LogLevel {
    pub const OFF: LogLevel = LogLevel(0);
    pub const ERROR: LogLevel = LogLevel(1);
    pub const WARNING: LogLevel = LogLevel(2);
    pub const INFO: LogLevel = LogLevel(3);
    pub const DEBUG: LogLevel = LogLevel(4);

    /// All values that this release knows.
    pub const VALUES: [LogLevel; 5] = [
        LogLevel::OFF,
        LogLevel::ERROR,
        LogLevel::WARNING,
        LogLevel::INFO,
        LogLevel::DEBUG,
    ];
}

impl fmt::Debug for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "OFF",
            1 => "ERROR",
            2 => "WARNING",
            3 => "INFO",
            4 => "DEBUG",
            other => return write!(f, "LogLevel({other})"),
        })
    }
}

/// Element types. f16 is IEEE binary16; bf16 is stored, and computed in f32. bool is 0 or 1.
#[doc(alias = "netcl_dtype")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Dtype(pub i32);

#[allow(missing_docs)]
impl Dtype {
    pub const F16: Dtype = Dtype(1);
    pub const BF16: Dtype = Dtype(2);
    pub const F32: Dtype = Dtype(3);
    pub const F64: Dtype = Dtype(4);
    pub const I8: Dtype = Dtype(5);
    pub const I16: Dtype = Dtype(6);
    pub const I32: Dtype = Dtype(7);
    pub const I64: Dtype = Dtype(8);
    pub const U8: Dtype = Dtype(9);
    pub const U16: Dtype = Dtype(10);
    pub const U32: Dtype = Dtype(11);
    pub const U64: Dtype = Dtype(12);
    /// one byte; zero is false, everything else true
    pub const BOOL: Dtype = Dtype(13);

    /// All values that this release knows.
    pub const VALUES: [Dtype; 13] = [
        Dtype::F16,
        Dtype::BF16,
        Dtype::F32,
        Dtype::F64,
        Dtype::I8,
        Dtype::I16,
        Dtype::I32,
        Dtype::I64,
        Dtype::U8,
        Dtype::U16,
        Dtype::U32,
        Dtype::U64,
        Dtype::BOOL,
    ];
}

impl fmt::Debug for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "F16",
            2 => "BF16",
            3 => "F32",
            4 => "F64",
            5 => "I8",
            6 => "I16",
            7 => "I32",
            8 => "I64",
            9 => "U8",
            10 => "U16",
            11 => "U32",
            12 => "U64",
            13 => "BOOL",
            other => return write!(f, "Dtype({other})"),
        })
    }
}

/// Values of device types.
#[doc(alias = "netcl_device_type")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct DeviceType(pub i32);

#[allow(missing_docs)]
impl DeviceType {
    pub const OTHER: DeviceType = DeviceType(0);
    pub const CPU: DeviceType = DeviceType(1);
    pub const GPU: DeviceType = DeviceType(2);
    pub const ACCELERATOR: DeviceType = DeviceType(3);

    /// All values that this release knows.
    pub const VALUES: [DeviceType; 4] = [
        DeviceType::OTHER,
        DeviceType::CPU,
        DeviceType::GPU,
        DeviceType::ACCELERATOR,
    ];
}

impl fmt::Debug for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "OTHER",
            1 => "CPU",
            2 => "GPU",
            3 => "ACCELERATOR",
            other => return write!(f, "DeviceType({other})"),
        })
    }
}

/// Values of backends.
#[doc(alias = "netcl_backend")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Backend(pub i32);

#[allow(missing_docs)]
impl Backend {
    pub const OPENCL: Backend = Backend(1);
    /// the built-in CPU device
    pub const BUILTIN: Backend = Backend(2);

    /// All values that this release knows.
    pub const VALUES: [Backend; 2] = [
        Backend::OPENCL,
        Backend::BUILTIN,
    ];
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "OPENCL",
            2 => "BUILTIN",
            other => return write!(f, "Backend({other})"),
        })
    }
}

/// Which family of kernels a device gets.
#[doc(alias = "netcl_strategy")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Strategy(pub i32);

#[allow(missing_docs)]
impl Strategy {
    pub const PORTABLE: Strategy = Strategy(1);
    pub const OPTIMIZED: Strategy = Strategy(2);

    /// All values that this release knows.
    pub const VALUES: [Strategy; 2] = [
        Strategy::PORTABLE,
        Strategy::OPTIMIZED,
    ];
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "PORTABLE",
            2 => "OPTIMIZED",
            other => return write!(f, "Strategy({other})"),
        })
    }
}

/// Units of a device that multiply small matrices, and that netcl has kernels for. It finds them by
/// building and running one. docs/matrix-units.md goes through such a kernel.
#[doc(alias = "netcl_matrix_units")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct MatrixUnits(pub i32);

#[allow(missing_docs)]
impl MatrixUnits {
    pub const NONE: MatrixUnits = MatrixUnits(0);
    /// NVIDIA's Hopper generation, through PTX for sm_90a
    pub const WGMMA: MatrixUnits = MatrixUnits(1);

    /// All values that this release knows.
    pub const VALUES: [MatrixUnits; 2] = [
        MatrixUnits::NONE,
        MatrixUnits::WGMMA,
    ];
}

impl fmt::Debug for MatrixUnits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "NONE",
            1 => "WGMMA",
            other => return write!(f, "MatrixUnits({other})"),
        })
    }
}

/// How [`op::copy()`] brings a tensor of one device to another one.
#[doc(alias = "netcl_copy_road")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct CopyRoad(pub i32);

impl CopyRoad {
    /// one device: a command of it
    pub const DEVICE: CopyRoad = CopyRoad(1);
    /// both work on memory of the host: one command reaches both tensors, whatever their strides
    pub const MEMORY: CopyRoad = CopyRoad(2);
    /// the transfers of one device go to or come from the memory of the other, which is the
    /// built-in one
    pub const TRANSFER: CopyRoad = CopyRoad(3);
    /// in pieces through page-locked memory of the host; one device writes pieces while the other
    /// one reads the next
    pub const STAGED: CopyRoad = CopyRoad(4);
    /// from one GPU of CUDA to another by the link between them: memory made with `share` = true at
    /// once, other memory by way of pieces of such; short tensors as STAGED
    pub const PEER: CopyRoad = CopyRoad(5);

    /// All values that this release knows.
    pub const VALUES: [CopyRoad; 5] = [
        CopyRoad::DEVICE,
        CopyRoad::MEMORY,
        CopyRoad::TRANSFER,
        CopyRoad::STAGED,
        CopyRoad::PEER,
    ];
}

impl fmt::Debug for CopyRoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "DEVICE",
            2 => "MEMORY",
            3 => "TRANSFER",
            4 => "STAGED",
            5 => "PEER",
            other => return write!(f, "CopyRoad({other})"),
        })
    }
}

/// Values of event states.
#[doc(alias = "netcl_event_state")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct EventState(pub i32);

#[allow(missing_docs)]
impl EventState {
    pub const QUEUED: EventState = EventState(3);
    pub const SUBMITTED: EventState = EventState(2);
    pub const RUNNING: EventState = EventState(1);
    pub const COMPLETE: EventState = EventState(0);
    /// see [`Event::error()`]
    pub const FAILED: EventState = EventState(-1);

    /// All values that this release knows.
    pub const VALUES: [EventState; 5] = [
        EventState::QUEUED,
        EventState::SUBMITTED,
        EventState::RUNNING,
        EventState::COMPLETE,
        EventState::FAILED,
    ];
}

impl fmt::Debug for EventState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            3 => "QUEUED",
            2 => "SUBMITTED",
            1 => "RUNNING",
            0 => "COMPLETE",
            -1 => "FAILED",
            other => return write!(f, "EventState({other})"),
        })
    }
}

/// Values of pool kinds.
#[doc(alias = "netcl_pool_kind")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PoolKind(pub i32);

impl PoolKind {
    /// bounded: buckets of 1 KiB times powers of 4 up to 256 MiB
    pub const PERSISTENT: PoolKind = PoolKind(1);
    /// a bucket per power of two; unbounded unless capped
    pub const POWER_OF_TWO: PoolKind = PoolKind(2);
    /// page-locked host memory, mapped for the host
    pub const PINNED: PoolKind = PoolKind(3);

    /// All values that this release knows.
    pub const VALUES: [PoolKind; 3] = [
        PoolKind::PERSISTENT,
        PoolKind::POWER_OF_TWO,
        PoolKind::PINNED,
    ];
}

impl fmt::Debug for PoolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "PERSISTENT",
            2 => "POWER_OF_TWO",
            3 => "PINNED",
            other => return write!(f, "PoolKind({other})"),
        })
    }
}

/// Tensors and pools that are made with `share` = true have memory on which other processes, and
/// other runtimes of this one, work without a copy: a memory file (memfd) on CPU devices, memory of
/// CUDA's driver on NVIDIA's GPUs, which needs libcuda.so.1. Elsewhere `share` = true is
/// [`UNSUPPORTED`](Status::UNSUPPORTED).
///
/// Order. Nothing orders what two processes, devices or runtimes do: wait for what one does on the
/// memory ([`AnyTensor::wait()`]) before another begins. Commands that one device runs on one
/// memory file are ordered as ever. Lifetime. The memory stays until everybody is done with it: its
/// buffers and tensors, descriptors and imports in any process. They may go in any order, and a
/// process may be killed at any time. A pool leases nothing again that was exported, or whose
/// address CUDA was told. Trust. Whoever has a descriptor can read and write all that it stands
/// for, total_bytes.
#[doc(alias = "netcl_share_kind")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ShareKind(pub i32);

impl ShareKind {
    /// a memory file, which mmap with MAP_SHARED opens
    pub const FILE: ShareKind = ShareKind(1);
    /// for cuMemImportFromShareableHandle, as a POSIX file descriptor; at most 510 MiB in one
    /// piece, else [`UNSUPPORTED`](Status::UNSUPPORTED)
    pub const CUDA: ShareKind = ShareKind(2);

    /// All values that this release knows.
    pub const VALUES: [ShareKind; 2] = [
        ShareKind::FILE,
        ShareKind::CUDA,
    ];
}

impl fmt::Debug for ShareKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "FILE",
            2 => "CUDA",
            other => return write!(f, "ShareKind({other})"),
        })
    }
}

/// A choice that has a default from the environment.
#[doc(alias = "netcl_toggle")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Toggle(pub i32);

#[allow(missing_docs)]
impl Toggle {
    pub const DEFAULT: Toggle = Toggle(0);
    pub const ON: Toggle = Toggle(1);
    pub const OFF: Toggle = Toggle(2);

    /// All values that this release knows.
    pub const VALUES: [Toggle; 3] = [
        Toggle::DEFAULT,
        Toggle::ON,
        Toggle::OFF,
    ];
}

impl fmt::Debug for Toggle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "DEFAULT",
            1 => "ON",
            2 => "OFF",
            other => return write!(f, "Toggle({other})"),
        })
    }
}

/// Values of distributions.
#[doc(alias = "netcl_distribution")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Distribution(pub i32);

impl Distribution {
    /// \[low, high): floats, and integers; bool: each value half the time
    pub const UNIFORM: Distribution = Distribution(1);
    /// mean and deviation; floats only
    pub const NORMAL: Distribution = Distribution(2);

    /// All values that this release knows.
    pub const VALUES: [Distribution; 2] = [
        Distribution::UNIFORM,
        Distribution::NORMAL,
    ];
}

impl fmt::Debug for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "UNIFORM",
            2 => "NORMAL",
            other => return write!(f, "Distribution({other})"),
        })
    }
}

/// What a kernel may do when it has no tuned local size.
#[doc(alias = "netcl_tune_mode")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct TuneMode(pub i32);

impl TuneMode {
    /// as `NETCL_TUNE` says
    pub const INHERIT: TuneMode = TuneMode(0);
    /// neither measure nor use stored results
    pub const OFF: TuneMode = TuneMode(1);
    /// `NETCL_TUNE`=first or force: tune at the first launch of a size
    pub const FIRST_CALL: TuneMode = TuneMode(2);

    /// All values that this release knows.
    pub const VALUES: [TuneMode; 3] = [
        TuneMode::INHERIT,
        TuneMode::OFF,
        TuneMode::FIRST_CALL,
    ];
}

impl fmt::Debug for TuneMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "INHERIT",
            1 => "OFF",
            2 => "FIRST_CALL",
            other => return write!(f, "TuneMode({other})"),
        })
    }
}

/// Values of arg kinds.
#[doc(alias = "netcl_arg_kind")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ArgKind(pub i32);

impl ArgKind {
    /// tensor; written unless the parameter is const
    pub const TENSOR: ArgKind = ArgKind(1);
    /// tensor that the kernel only reads
    pub const TENSOR_READ_ONLY: ArgKind = ArgKind(2);
    /// size bytes of value
    pub const SCALAR: ArgKind = ArgKind(3);
    /// size bytes at data, for structs over 32 bytes
    pub const DATA: ArgKind = ArgKind(4);
    /// size bytes of local memory
    pub const LOCAL: ArgKind = ArgKind(5);
    /// a `None` buffer
    pub const NULL: ArgKind = ArgKind(6);

    /// All values that this release knows.
    pub const VALUES: [ArgKind; 6] = [
        ArgKind::TENSOR,
        ArgKind::TENSOR_READ_ONLY,
        ArgKind::SCALAR,
        ArgKind::DATA,
        ArgKind::LOCAL,
        ArgKind::NULL,
    ];
}

impl fmt::Debug for ArgKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "TENSOR",
            2 => "TENSOR_READ_ONLY",
            3 => "SCALAR",
            4 => "DATA",
            5 => "LOCAL",
            6 => "NULL",
            other => return write!(f, "ArgKind({other})"),
        })
    }
}

/// How well an answer of the tuning database fits the question.
#[doc(alias = "netcl_match")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Match(pub i32);

#[allow(missing_docs)]
impl Match {
    /// there is none: the default applies
    pub const NONE: Match = Match(0);
    pub const EXACT: Match = Match(1);
    /// found on the same part with another driver
    pub const OTHER_DRIVER: Match = Match(2);
    /// of a shape and scalars that are within a factor of 4
    pub const NEAREST_SHAPE: Match = Match(3);
    /// of another device: it is no answer
    pub const OTHER_PART: Match = Match(4);

    /// All values that this release knows.
    pub const VALUES: [Match; 5] = [
        Match::NONE,
        Match::EXACT,
        Match::OTHER_DRIVER,
        Match::NEAREST_SHAPE,
        Match::OTHER_PART,
    ];
}

impl fmt::Debug for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "NONE",
            1 => "EXACT",
            2 => "OTHER_DRIVER",
            3 => "NEAREST_SHAPE",
            4 => "OTHER_PART",
            other => return write!(f, "Match({other})"),
        })
    }
}

/// Where the local size of a launch comes from.
#[doc(alias = "netcl_local_origin")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct LocalOrigin(pub i32);

impl LocalOrigin {
    /// the call gives it
    pub const CALLER: LocalOrigin = LocalOrigin(1);
    /// a stored result of tuning
    pub const TUNED: LocalOrigin = LocalOrigin(2);
    /// the source demands it: reqd_work_group_size
    pub const REQUIRED: LocalOrigin = LocalOrigin(3);
    /// [`KernelOptions`]
    pub const SPECIFICATION: LocalOrigin = LocalOrigin(4);
    /// netcl's own choice
    pub const CHOSEN: LocalOrigin = LocalOrigin(5);

    /// All values that this release knows.
    pub const VALUES: [LocalOrigin; 5] = [
        LocalOrigin::CALLER,
        LocalOrigin::TUNED,
        LocalOrigin::REQUIRED,
        LocalOrigin::SPECIFICATION,
        LocalOrigin::CHOSEN,
    ];
}

impl fmt::Debug for LocalOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "CALLER",
            2 => "TUNED",
            3 => "REQUIRED",
            4 => "SPECIFICATION",
            5 => "CHOSEN",
            other => return write!(f, "LocalOrigin({other})"),
        })
    }
}

/// Families of kernels that compute the same op. Every op that has variants chooses one by the
/// rules of docs/variants.md, takes one by request (`options.variant`), or by `NETCL_VARIANT`, such
/// as "matmul=tiled,conv2d=winograd". A variant that was asked for and cannot do the case is
/// [`UNSUPPORTED`](Status::UNSUPPORTED) with the reason, never replaced by another.
#[doc(alias = "netcl_variant")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Variant(pub i32);

#[allow(missing_docs)]
impl Variant {
    pub const AUTO: Variant = Variant(0);
    pub const MATMUL_NAIVE: Variant = Variant(1);
    pub const MATMUL_TILED: Variant = Variant(2);
    pub const MATMUL_REGISTER_TILED: Variant = Variant(3);
    pub const MATMUL_VECTORIZED: Variant = Variant(4);
    /// see [`MatrixUnits`]
    pub const MATMUL_MATRIX_UNITS: Variant = Variant(5);
    pub const CONV2D_NAIVE: Variant = Variant(17);
    pub const CONV2D_IM2COL: Variant = Variant(18);
    pub const CONV2D_IMPLICIT_GEMM: Variant = Variant(19);
    pub const CONV2D_TILED_LOCAL: Variant = Variant(20);
    pub const CONV2D_WINOGRAD: Variant = Variant(21);
    /// f16 and bf16, one group, strides up to 8; see [`MatrixUnits`]
    pub const CONV2D_MATRIX_UNITS: Variant = Variant(22);
    pub const ELEMENTWISE_SCALAR: Variant = Variant(33);
    pub const ELEMENTWISE_VECTORIZED: Variant = Variant(34);
    pub const REDUCTION_SEQUENTIAL: Variant = Variant(49);
    pub const REDUCTION_PARALLEL: Variant = Variant(50);
    pub const REDUCTION_WORKGROUP: Variant = Variant(51);
    pub const BATCHNORM_NAIVE: Variant = Variant(65);
    pub const BATCHNORM_FUSED: Variant = Variant(66);
    pub const ATTENTION_PORTABLE: Variant = Variant(81);
    /// see [`MatrixUnits`]
    pub const ATTENTION_MATRIX_UNITS: Variant = Variant(82);

    /// All values that this release knows.
    pub const VALUES: [Variant; 21] = [
        Variant::AUTO,
        Variant::MATMUL_NAIVE,
        Variant::MATMUL_TILED,
        Variant::MATMUL_REGISTER_TILED,
        Variant::MATMUL_VECTORIZED,
        Variant::MATMUL_MATRIX_UNITS,
        Variant::CONV2D_NAIVE,
        Variant::CONV2D_IM2COL,
        Variant::CONV2D_IMPLICIT_GEMM,
        Variant::CONV2D_TILED_LOCAL,
        Variant::CONV2D_WINOGRAD,
        Variant::CONV2D_MATRIX_UNITS,
        Variant::ELEMENTWISE_SCALAR,
        Variant::ELEMENTWISE_VECTORIZED,
        Variant::REDUCTION_SEQUENTIAL,
        Variant::REDUCTION_PARALLEL,
        Variant::REDUCTION_WORKGROUP,
        Variant::BATCHNORM_NAIVE,
        Variant::BATCHNORM_FUSED,
        Variant::ATTENTION_PORTABLE,
        Variant::ATTENTION_MATRIX_UNITS,
    ];
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "AUTO",
            1 => "MATMUL_NAIVE",
            2 => "MATMUL_TILED",
            3 => "MATMUL_REGISTER_TILED",
            4 => "MATMUL_VECTORIZED",
            5 => "MATMUL_MATRIX_UNITS",
            17 => "CONV2D_NAIVE",
            18 => "CONV2D_IM2COL",
            19 => "CONV2D_IMPLICIT_GEMM",
            20 => "CONV2D_TILED_LOCAL",
            21 => "CONV2D_WINOGRAD",
            22 => "CONV2D_MATRIX_UNITS",
            33 => "ELEMENTWISE_SCALAR",
            34 => "ELEMENTWISE_VECTORIZED",
            49 => "REDUCTION_SEQUENTIAL",
            50 => "REDUCTION_PARALLEL",
            51 => "REDUCTION_WORKGROUP",
            65 => "BATCHNORM_NAIVE",
            66 => "BATCHNORM_FUSED",
            81 => "ATTENTION_PORTABLE",
            82 => "ATTENTION_MATRIX_UNITS",
            other => return write!(f, "Variant({other})"),
        })
    }
}

/// Elementwise operators of ONNX, and a few of other libraries from 65 on. Unless noted they take
/// as many inputs as their formula has: x, or x and y. a and b stand for `options.alpha` and
/// `options.beta`, defaults in brackets.
#[doc(alias = "netcl_elementwise")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Elementwise(pub i32);

impl Elementwise {
    /// \|x\|
    pub const ABS: Elementwise = Elementwise(1);
    /// arc cosine
    pub const ACOS: Elementwise = Elementwise(2);
    /// inverse of cosh
    pub const ACOSH: Elementwise = Elementwise(3);
    /// x + y
    pub const ADD: Elementwise = Elementwise(4);
    /// x and y are true, bool
    pub const AND: Elementwise = Elementwise(5);
    /// arc sine
    pub const ASIN: Elementwise = Elementwise(6);
    /// inverse of sinh
    pub const ASINH: Elementwise = Elementwise(7);
    /// arc tangent
    pub const ATAN: Elementwise = Elementwise(8);
    /// inverse of tanh
    pub const ATANH: Elementwise = Elementwise(9);
    /// x \<\< y, of integers
    pub const BIT_SHIFT_LEFT: Elementwise = Elementwise(10);
    /// x \>\> y, of integers
    pub const BIT_SHIFT_RIGHT: Elementwise = Elementwise(11);
    /// the next whole number from x upwards
    pub const CEIL: Elementwise = Elementwise(12);
    /// max(0, x) + min(0, a (exp(x / a) - 1)) \[1\]
    pub const CELU: Elementwise = Elementwise(13);
    /// of x, low, high as tensors; or of x with a and b
    pub const CLIP: Elementwise = Elementwise(14);
    /// cosine of radians
    pub const COS: Elementwise = Elementwise(15);
    /// (exp(x) + exp(-x)) / 2
    pub const COSH: Elementwise = Elementwise(16);
    /// x / y
    pub const DIV: Elementwise = Elementwise(17);
    /// x \< 0 ? a (exp(x) - 1) : x \[1\]
    pub const ELU: Elementwise = Elementwise(18);
    /// x == y, bool
    pub const EQUAL: Elementwise = Elementwise(19);
    /// 2 / sqrt(pi) integral of exp(-t^2), 0 to x
    pub const ERF: Elementwise = Elementwise(20);
    /// e^x
    pub const EXP: Elementwise = Elementwise(21);
    /// the next whole number from x downwards
    pub const FLOOR: Elementwise = Elementwise(22);
    /// x \> y, bool
    pub const GREATER: Elementwise = Elementwise(23);
    /// x \>= y, bool
    pub const GREATER_OR_EQUAL: Elementwise = Elementwise(24);
    /// clip(a x + b, 0, 1) \[0.2, 0.5\]
    pub const HARD_SIGMOID: Elementwise = Elementwise(25);
    /// x clip(x / 6 + 0.5, 0, 1)
    pub const HARD_SWISH: Elementwise = Elementwise(26);
    /// x
    pub const IDENTITY: Elementwise = Elementwise(27);
    /// x is infinite; a, b: -inf, +inf count \[1, 1\]
    pub const IS_INF: Elementwise = Elementwise(28);
    /// x is NaN, bool
    pub const IS_NAN: Elementwise = Elementwise(29);
    /// x \< 0 ? a x : x \[0.01\]
    pub const LEAKY_RELU: Elementwise = Elementwise(30);
    /// x \< y, bool
    pub const LESS: Elementwise = Elementwise(31);
    /// x \<= y, bool
    pub const LESS_OR_EQUAL: Elementwise = Elementwise(32);
    /// natural logarithm
    pub const LOG: Elementwise = Elementwise(33);
    /// the largest of 1 or more inputs
    pub const MAX: Elementwise = Elementwise(34);
    /// the mean of 1 or more inputs
    pub const MEAN: Elementwise = Elementwise(35);
    /// the smallest of 1 or more inputs
    pub const MIN: Elementwise = Elementwise(36);
    /// x modulo y; a = 1: fmod; 0: sign of the divisor \[0\]
    pub const MOD: Elementwise = Elementwise(37);
    /// x y
    pub const MUL: Elementwise = Elementwise(38);
    /// -x
    pub const NEG: Elementwise = Elementwise(39);
    /// x is not true, bool
    pub const NOT: Elementwise = Elementwise(40);
    /// x or y is true, or both, bool
    pub const OR: Elementwise = Elementwise(41);
    /// x^y, of the dtype of the first input
    pub const POW: Elementwise = Elementwise(42);
    /// x \< 0 ? slope x : x
    pub const PRELU: Elementwise = Elementwise(43);
    /// 1 / x
    pub const RECIPROCAL: Elementwise = Elementwise(44);
    /// max(0, x)
    pub const RELU: Elementwise = Elementwise(45);
    /// the nearest whole number, halves to even
    pub const ROUND: Elementwise = Elementwise(46);
    /// b (x \> 0 ? x : a exp(x) - a) \[1.67326, 1.0507\]
    pub const SELU: Elementwise = Elementwise(47);
    /// x \< -a ? x + b : x \> a ? x - b : 0 \[0.5, 0\]
    pub const SHRINK: Elementwise = Elementwise(48);
    /// 1 / (1 + exp(-x))
    pub const SIGMOID: Elementwise = Elementwise(49);
    /// -1, 0 or 1
    pub const SIGN: Elementwise = Elementwise(50);
    /// sine of radians
    pub const SIN: Elementwise = Elementwise(51);
    /// (exp(x) - exp(-x)) / 2
    pub const SINH: Elementwise = Elementwise(52);
    /// log(1 + exp(x))
    pub const SOFTPLUS: Elementwise = Elementwise(53);
    /// x / (1 + abs(x))
    pub const SOFTSIGN: Elementwise = Elementwise(54);
    /// square root
    pub const SQRT: Elementwise = Elementwise(55);
    /// x - y
    pub const SUB: Elementwise = Elementwise(56);
    /// the sum of 1 or more inputs
    pub const SUM: Elementwise = Elementwise(57);
    /// sin(x) / cos(x)
    pub const TAN: Elementwise = Elementwise(58);
    /// sinh(x) / cosh(x)
    pub const TANH: Elementwise = Elementwise(59);
    /// x \> a ? x : 0 \[1\]
    pub const THRESHOLDED_RELU: Elementwise = Elementwise(60);
    /// condition ? x : y
    pub const WHERE: Elementwise = Elementwise(61);
    /// one of x and y is true, not both, bool
    pub const XOR: Elementwise = Elementwise(62);
    /// 0.5 x (1 + erf(x / sqrt(2)))
    pub const GELU: Elementwise = Elementwise(65);
    /// 0.5 x (1 + tanh(0.797885 (x + 0.044715 x^3)))
    pub const GELU_TANH: Elementwise = Elementwise(66);
    /// x sigmoid(x), also called swish
    pub const SILU: Elementwise = Elementwise(67);
    /// x tanh(softplus(x))
    pub const MISH: Elementwise = Elementwise(68);
    /// x^2
    pub const SQUARE: Elementwise = Elementwise(69);
    /// 1 / sqrt(x)
    pub const RSQRT: Elementwise = Elementwise(70);

    /// All values that this release knows.
    pub const VALUES: [Elementwise; 68] = [
        Elementwise::ABS,
        Elementwise::ACOS,
        Elementwise::ACOSH,
        Elementwise::ADD,
        Elementwise::AND,
        Elementwise::ASIN,
        Elementwise::ASINH,
        Elementwise::ATAN,
        Elementwise::ATANH,
        Elementwise::BIT_SHIFT_LEFT,
        Elementwise::BIT_SHIFT_RIGHT,
        Elementwise::CEIL,
        Elementwise::CELU,
        Elementwise::CLIP,
        Elementwise::COS,
        Elementwise::COSH,
        Elementwise::DIV,
        Elementwise::ELU,
        Elementwise::EQUAL,
        Elementwise::ERF,
        Elementwise::EXP,
        Elementwise::FLOOR,
        Elementwise::GREATER,
        Elementwise::GREATER_OR_EQUAL,
        Elementwise::HARD_SIGMOID,
        Elementwise::HARD_SWISH,
        Elementwise::IDENTITY,
        Elementwise::IS_INF,
        Elementwise::IS_NAN,
        Elementwise::LEAKY_RELU,
        Elementwise::LESS,
        Elementwise::LESS_OR_EQUAL,
        Elementwise::LOG,
        Elementwise::MAX,
        Elementwise::MEAN,
        Elementwise::MIN,
        Elementwise::MOD,
        Elementwise::MUL,
        Elementwise::NEG,
        Elementwise::NOT,
        Elementwise::OR,
        Elementwise::POW,
        Elementwise::PRELU,
        Elementwise::RECIPROCAL,
        Elementwise::RELU,
        Elementwise::ROUND,
        Elementwise::SELU,
        Elementwise::SHRINK,
        Elementwise::SIGMOID,
        Elementwise::SIGN,
        Elementwise::SIN,
        Elementwise::SINH,
        Elementwise::SOFTPLUS,
        Elementwise::SOFTSIGN,
        Elementwise::SQRT,
        Elementwise::SUB,
        Elementwise::SUM,
        Elementwise::TAN,
        Elementwise::TANH,
        Elementwise::THRESHOLDED_RELU,
        Elementwise::WHERE,
        Elementwise::XOR,
        Elementwise::GELU,
        Elementwise::GELU_TANH,
        Elementwise::SILU,
        Elementwise::MISH,
        Elementwise::SQUARE,
        Elementwise::RSQRT,
    ];
}

impl fmt::Debug for Elementwise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "ABS",
            2 => "ACOS",
            3 => "ACOSH",
            4 => "ADD",
            5 => "AND",
            6 => "ASIN",
            7 => "ASINH",
            8 => "ATAN",
            9 => "ATANH",
            10 => "BIT_SHIFT_LEFT",
            11 => "BIT_SHIFT_RIGHT",
            12 => "CEIL",
            13 => "CELU",
            14 => "CLIP",
            15 => "COS",
            16 => "COSH",
            17 => "DIV",
            18 => "ELU",
            19 => "EQUAL",
            20 => "ERF",
            21 => "EXP",
            22 => "FLOOR",
            23 => "GREATER",
            24 => "GREATER_OR_EQUAL",
            25 => "HARD_SIGMOID",
            26 => "HARD_SWISH",
            27 => "IDENTITY",
            28 => "IS_INF",
            29 => "IS_NAN",
            30 => "LEAKY_RELU",
            31 => "LESS",
            32 => "LESS_OR_EQUAL",
            33 => "LOG",
            34 => "MAX",
            35 => "MEAN",
            36 => "MIN",
            37 => "MOD",
            38 => "MUL",
            39 => "NEG",
            40 => "NOT",
            41 => "OR",
            42 => "POW",
            43 => "PRELU",
            44 => "RECIPROCAL",
            45 => "RELU",
            46 => "ROUND",
            47 => "SELU",
            48 => "SHRINK",
            49 => "SIGMOID",
            50 => "SIGN",
            51 => "SIN",
            52 => "SINH",
            53 => "SOFTPLUS",
            54 => "SOFTSIGN",
            55 => "SQRT",
            56 => "SUB",
            57 => "SUM",
            58 => "TAN",
            59 => "TANH",
            60 => "THRESHOLDED_RELU",
            61 => "WHERE",
            62 => "XOR",
            65 => "GELU",
            66 => "GELU_TANH",
            67 => "SILU",
            68 => "MISH",
            69 => "SQUARE",
            70 => "RSQRT",
            other => return write!(f, "Elementwise({other})"),
        })
    }
}

/// Functions that an epilogue or a batch normalisation can end with. Where alpha and beta are both
/// 0 and `has_parameters` is false, they are ONNX's defaults, in brackets; CLIP has none and is
/// [`INVALID_ARGUMENT`](Status::INVALID_ARGUMENT) then.
#[doc(alias = "netcl_activation")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Activation(pub i32);

#[allow(missing_docs)]
impl Activation {
    pub const NONE: Activation = Activation(0);
    pub const RELU: Activation = Activation(1);
    /// x \< 0 ? alpha x : x \[0.01\]
    pub const LEAKY_RELU: Activation = Activation(2);
    /// x \< 0 ? alpha (exp(x) - 1) : x \[1\]
    pub const ELU: Activation = Activation(3);
    pub const SIGMOID: Activation = Activation(4);
    pub const TANH: Activation = Activation(5);
    pub const SILU: Activation = Activation(6);
    /// with erf
    pub const GELU: Activation = Activation(7);
    pub const GELU_TANH: Activation = Activation(8);
    pub const SOFTPLUS: Activation = Activation(9);
    /// clip(alpha x + beta, 0, 1) \[0.2, 0.5\]
    pub const HARD_SIGMOID: Activation = Activation(10);
    pub const HARD_SWISH: Activation = Activation(11);
    /// alpha \<= x \<= beta
    pub const CLIP: Activation = Activation(12);

    /// All values that this release knows.
    pub const VALUES: [Activation; 13] = [
        Activation::NONE,
        Activation::RELU,
        Activation::LEAKY_RELU,
        Activation::ELU,
        Activation::SIGMOID,
        Activation::TANH,
        Activation::SILU,
        Activation::GELU,
        Activation::GELU_TANH,
        Activation::SOFTPLUS,
        Activation::HARD_SIGMOID,
        Activation::HARD_SWISH,
        Activation::CLIP,
    ];
}

impl fmt::Debug for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "NONE",
            1 => "RELU",
            2 => "LEAKY_RELU",
            3 => "ELU",
            4 => "SIGMOID",
            5 => "TANH",
            6 => "SILU",
            7 => "GELU",
            8 => "GELU_TANH",
            9 => "SOFTPLUS",
            10 => "HARD_SIGMOID",
            11 => "HARD_SWISH",
            12 => "CLIP",
            other => return write!(f, "Activation({other})"),
        })
    }
}

/// How exactly f32 is multiplied. TF32 and SPLIT are permissions: they hold where a device has
/// matrix units (see [`MatrixUnits`]) and the product is large enough to gain by them, and
/// elsewhere the product is STRICT, which is within their bounds.
#[doc(alias = "netcl_precision")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Precision(pub i32);

impl Precision {
    /// in f32
    pub const STRICT: Precision = Precision(0);
    /// a and b may be rounded to the 11 digits of tf32, its exponents being those of f32: 1.001 \*
    /// 2^-10 sum\|a\|\|b\| is added to the bound, and numbers above 0x1.ffep127 may become infinite
    pub const TF32: Precision = Precision(1);
    /// a and b may be taken apart into two tf32 numbers each, of whose four products three are
    /// added: 2^-21 sum\|a\|\|b\| is added to the bound. Parts below 2^-126 may be lost: the
    /// product of one with an infinity is NaN then
    pub const SPLIT: Precision = Precision(2);

    /// All values that this release knows.
    pub const VALUES: [Precision; 3] = [
        Precision::STRICT,
        Precision::TF32,
        Precision::SPLIT,
    ];
}

impl fmt::Debug for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "STRICT",
            1 => "TF32",
            2 => "SPLIT",
            other => return write!(f, "Precision({other})"),
        })
    }
}

/// How weights W of \[N, K\] are kept, in blocks along K of which each has a scale. A row of W is
/// one row of bytes: its blocks, one after the other. Codes are unsigned but for Q8_0; multi-byte
/// numbers are little-endian, d and m are f16.
#[doc(alias = "netcl_quantization")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Quantization(pub i32);

impl Quantization {
    /// MatMulNBits of ONNX Runtime (com.microsoft; docs/ContribOperators.md there): codes of
    /// `bits`, the first in the lowest bits of a byte, W = (code - zero point) \* scale; with a
    /// scale beyond 2^119, W may be NaN. Blocks of block_size bits / 8 bytes; the last of a row may
    /// go beyond K, where what it holds has no influence.
    pub const NBITS: Quantization = Quantization(1);
    /// Q4_0 of GGUF: 32 weights in 18 bytes: d, then 16 bytes. Byte i has the codes of weight i in
    /// its lower half and of 16 + i in its upper one; W = (code - 8) \* d; NaN may stand for an
    /// infinite one.
    pub const Q4_0: Quantization = Quantization(2);
    /// Q8_0 of GGUF: 32 weights in 34 bytes: d, then 32 signed codes; W = code \* d, as there.
    pub const Q8_0: Quantization = Quantization(3);
    /// Q4_K of GGUF: 256 weights in 144 bytes: d, m, 12 bytes s, then 128 bytes, of which byte 32 c
    /// \+ i has the codes of weights 64 c + i and, in its upper half, 64 c + 32 + i. Weights 32 j to
    /// 32 j + 31 have W = d \* S\[j\] \* code - m \* M\[j\] with numbers of 6 bits: for j \< 4
    /// S\[j\] is s\[j\] and M\[j\] is s\[j + 4\], each less its two upper bits; else the lower four
    /// bits of S\[j\] are the lower half of s\[j + 4\], those of M\[j\] its upper half, and the
    /// upper two bits are the upper two of s\[j - 4\] and of s\[j\]. (The blocks of GGUF are those
    /// of ggml-common.h of llama.cpp.)
    pub const Q4_K: Quantization = Quantization(4);

    /// All values that this release knows.
    pub const VALUES: [Quantization; 4] = [
        Quantization::NBITS,
        Quantization::Q4_0,
        Quantization::Q8_0,
        Quantization::Q4_K,
    ];
}

impl fmt::Debug for Quantization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "NBITS",
            2 => "Q4_0",
            3 => "Q8_0",
            4 => "Q4_K",
            other => return write!(f, "Quantization({other})"),
        })
    }
}

/// Values of reductions.
#[doc(alias = "netcl_reduction")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Reduction(pub i32);

impl Reduction {
    /// x0 + x1 + ...
    pub const SUM: Reduction = Reduction(1);
    /// the sum / how many there are
    pub const MEAN: Reduction = Reduction(2);
    /// the largest; NaN wins
    pub const MAX: Reduction = Reduction(3);
    /// the smallest; NaN wins
    pub const MIN: Reduction = Reduction(4);
    /// x0 x1 ...
    pub const PROD: Reduction = Reduction(5);
    /// sum of absolute values
    pub const L1: Reduction = Reduction(6);
    /// square root of the sum of squares
    pub const L2: Reduction = Reduction(7);
    /// the sum of x^2
    pub const SUM_SQUARE: Reduction = Reduction(8);
    /// log of the sum
    pub const LOG_SUM: Reduction = Reduction(9);
    /// log(sum exp(x)), the maximum taken out first
    pub const LOG_SUM_EXP: Reduction = Reduction(10);
    /// index of the first largest, i64; NaN is the largest
    pub const ARGMAX: Reduction = Reduction(11);
    /// index of the first smallest, i64; NaN is the smallest
    pub const ARGMIN: Reduction = Reduction(12);
    /// bool: an element is true
    pub const ANY: Reduction = Reduction(13);
    /// bool: all elements are true
    pub const ALL: Reduction = Reduction(14);

    /// All values that this release knows.
    pub const VALUES: [Reduction; 14] = [
        Reduction::SUM,
        Reduction::MEAN,
        Reduction::MAX,
        Reduction::MIN,
        Reduction::PROD,
        Reduction::L1,
        Reduction::L2,
        Reduction::SUM_SQUARE,
        Reduction::LOG_SUM,
        Reduction::LOG_SUM_EXP,
        Reduction::ARGMAX,
        Reduction::ARGMIN,
        Reduction::ANY,
        Reduction::ALL,
    ];
}

impl fmt::Debug for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "SUM",
            2 => "MEAN",
            3 => "MAX",
            4 => "MIN",
            5 => "PROD",
            6 => "L1",
            7 => "L2",
            8 => "SUM_SQUARE",
            9 => "LOG_SUM",
            10 => "LOG_SUM_EXP",
            11 => "ARGMAX",
            12 => "ARGMIN",
            13 => "ANY",
            14 => "ALL",
            other => return write!(f, "Reduction({other})"),
        })
    }
}

/// Values of poolings.
#[doc(alias = "netcl_pooling")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Pooling(pub i32);

impl Pooling {
    /// the largest element
    pub const MAX: Pooling = Pooling(1);
    /// the mean
    pub const AVERAGE: Pooling = Pooling(2);
    /// (sum \|x\|^p)^(1/p)
    pub const LP: Pooling = Pooling(3);

    /// All values that this release knows.
    pub const VALUES: [Pooling; 3] = [
        Pooling::MAX,
        Pooling::AVERAGE,
        Pooling::LP,
    ];
}

impl fmt::Debug for Pooling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "MAX",
            2 => "AVERAGE",
            3 => "LP",
            other => return write!(f, "Pooling({other})"),
        })
    }
}

/// Values of roi poolings.
#[doc(alias = "netcl_roi_pooling")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct RoiPooling(pub i32);

impl RoiPooling {
    /// the mean of samples (RoiAlign, "avg")
    pub const AVERAGE: RoiPooling = RoiPooling(0);
    /// the largest product of an element next to a sample and its weight (RoiAlign, "max")
    pub const MAX_SAMPLE: RoiPooling = RoiPooling(1);
    /// the largest element (MaxRoiPool)
    pub const MAX: RoiPooling = RoiPooling(2);

    /// All values that this release knows.
    pub const VALUES: [RoiPooling; 3] = [
        RoiPooling::AVERAGE,
        RoiPooling::MAX_SAMPLE,
        RoiPooling::MAX,
    ];
}

impl fmt::Debug for RoiPooling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "AVERAGE",
            1 => "MAX_SAMPLE",
            2 => "MAX",
            other => return write!(f, "RoiPooling({other})"),
        })
    }
}

/// Values of loss reductions.
#[doc(alias = "netcl_loss_reduction")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct LossReduction(pub i32);

#[allow(missing_docs)]
impl LossReduction {
    /// sum over sum of the labels' weights; no label that counts: NaN
    pub const MEAN: LossReduction = LossReduction(0);
    pub const SUM: LossReduction = LossReduction(1);
    /// a loss for each label
    pub const NONE: LossReduction = LossReduction(2);

    /// All values that this release knows.
    pub const VALUES: [LossReduction; 3] = [
        LossReduction::MEAN,
        LossReduction::SUM,
        LossReduction::NONE,
    ];
}

impl fmt::Debug for LossReduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "MEAN",
            1 => "SUM",
            2 => "NONE",
            other => return write!(f, "LossReduction({other})"),
        })
    }
}

/// Values of pad modes.
#[doc(alias = "netcl_pad_mode")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PadMode(pub i32);

#[allow(missing_docs)]
impl PadMode {
    pub const CONSTANT: PadMode = PadMode(0);
    /// without repeating the edge: c b \| a b c; wider than the axis: there and back again, as
    /// numpy does
    pub const REFLECT: PadMode = PadMode(1);
    /// a a \| a b c
    pub const EDGE: PadMode = PadMode(2);
    /// as if the tensor stood beside itself again and again: b c \| a b c
    pub const WRAP: PadMode = PadMode(3);

    /// All values that this release knows.
    pub const VALUES: [PadMode; 4] = [
        PadMode::CONSTANT,
        PadMode::REFLECT,
        PadMode::EDGE,
        PadMode::WRAP,
    ];
}

impl fmt::Debug for PadMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "CONSTANT",
            1 => "REFLECT",
            2 => "EDGE",
            3 => "WRAP",
            other => return write!(f, "PadMode({other})"),
        })
    }
}

/// Values of scatter modes.
#[doc(alias = "netcl_scatter_mode")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ScatterMode(pub i32);

impl ScatterMode {
    /// the last of equal indices, in C order, wins
    pub const ASSIGN: ScatterMode = ScatterMode(0);
    /// added in C order of the updates; of bool: OR
    pub const ADD: ScatterMode = ScatterMode(1);
    /// multiplied in C order of the updates; of bool: AND
    pub const MUL: ScatterMode = ScatterMode(2);
    /// the largest, NaN before all; of bool: OR
    pub const MAX: ScatterMode = ScatterMode(3);
    /// the smallest, NaN before all; of bool: AND
    pub const MIN: ScatterMode = ScatterMode(4);

    /// All values that this release knows.
    pub const VALUES: [ScatterMode; 5] = [
        ScatterMode::ASSIGN,
        ScatterMode::ADD,
        ScatterMode::MUL,
        ScatterMode::MAX,
        ScatterMode::MIN,
    ];
}

impl fmt::Debug for ScatterMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "ASSIGN",
            1 => "ADD",
            2 => "MUL",
            3 => "MAX",
            4 => "MIN",
            other => return write!(f, "ScatterMode({other})"),
        })
    }
}

/// Which channel of x is element i of the blocks of channel c; of C channels, B elements.
#[doc(alias = "netcl_depth_order")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct DepthOrder(pub i32);

impl DepthOrder {
    /// i C + c
    pub const DCR: DepthOrder = DepthOrder(0);
    /// c B + i, as in PyTorch's pixel_shuffle
    pub const CRD: DepthOrder = DepthOrder(1);

    /// All values that this release knows.
    pub const VALUES: [DepthOrder; 2] = [
        DepthOrder::DCR,
        DepthOrder::CRD,
    ];
}

impl fmt::Debug for DepthOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "DCR",
            1 => "CRD",
            other => return write!(f, "DepthOrder({other})"),
        })
    }
}

/// Values of resize modes.
#[doc(alias = "netcl_resize_mode")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ResizeMode(pub i32);

impl ResizeMode {
    /// the element that `options.rounding` says
    pub const NEAREST: ResizeMode = ResizeMode(0);
    /// linear in every axis that changes
    pub const LINEAR: ResizeMode = ResizeMode(1);
    /// cubic in every axis that changes, over four elements
    pub const CUBIC: ResizeMode = ResizeMode(2);

    /// All values that this release knows.
    pub const VALUES: [ResizeMode; 3] = [
        ResizeMode::NEAREST,
        ResizeMode::LINEAR,
        ResizeMode::CUBIC,
    ];
}

impl fmt::Debug for ResizeMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "NEAREST",
            1 => "LINEAR",
            2 => "CUBIC",
            other => return write!(f, "ResizeMode({other})"),
        })
    }
}

/// Where element i of the result lies along an axis of x. `in` and `out` are the extents of x and
/// of the result.
#[doc(alias = "netcl_resize_coordinates")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ResizeCoordinates(pub i32);

impl ResizeCoordinates {
    /// (i + 0.5) / scale - 0.5
    pub const HALF_PIXEL: ResizeCoordinates = ResizeCoordinates(0);
    /// i (in - 1) / (in scale - 1); 0 where i is 0 or in scale is 1
    pub const ALIGN_CORNERS: ResizeCoordinates = ResizeCoordinates(1);
    /// i / scale
    pub const ASYMMETRIC: ResizeCoordinates = ResizeCoordinates(2);
    /// in / 2 (1 - out / (in scale)) + HALF_PIXEL
    pub const HALF_PIXEL_SYMMETRIC: ResizeCoordinates = ResizeCoordinates(3);
    /// HALF_PIXEL; 0 where out is 1
    pub const PYTORCH_HALF_PIXEL: ResizeCoordinates = ResizeCoordinates(4);
    /// (in - 1) (start + i (end - start) / (out - 1)), of `options.roi`; (in - 1) (start + end) / 2
    /// where out is 1
    pub const TF_CROP_AND_RESIZE: ResizeCoordinates = ResizeCoordinates(5);

    /// All values that this release knows.
    pub const VALUES: [ResizeCoordinates; 6] = [
        ResizeCoordinates::HALF_PIXEL,
        ResizeCoordinates::ALIGN_CORNERS,
        ResizeCoordinates::ASYMMETRIC,
        ResizeCoordinates::HALF_PIXEL_SYMMETRIC,
        ResizeCoordinates::PYTORCH_HALF_PIXEL,
        ResizeCoordinates::TF_CROP_AND_RESIZE,
    ];
}

impl fmt::Debug for ResizeCoordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "HALF_PIXEL",
            1 => "ALIGN_CORNERS",
            2 => "ASYMMETRIC",
            3 => "HALF_PIXEL_SYMMETRIC",
            4 => "PYTORCH_HALF_PIXEL",
            5 => "TF_CROP_AND_RESIZE",
            other => return write!(f, "ResizeCoordinates({other})"),
        })
    }
}

/// Values of resize roundings.
#[doc(alias = "netcl_resize_rounding")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ResizeRounding(pub i32);

#[allow(missing_docs)]
impl ResizeRounding {
    /// to the nearest, halves down
    pub const ROUND_PREFER_FLOOR: ResizeRounding = ResizeRounding(0);
    /// to the nearest, halves up
    pub const ROUND_PREFER_CEIL: ResizeRounding = ResizeRounding(1);
    pub const FLOOR: ResizeRounding = ResizeRounding(2);
    pub const CEIL: ResizeRounding = ResizeRounding(3);

    /// All values that this release knows.
    pub const VALUES: [ResizeRounding; 4] = [
        ResizeRounding::ROUND_PREFER_FLOOR,
        ResizeRounding::ROUND_PREFER_CEIL,
        ResizeRounding::FLOOR,
        ResizeRounding::CEIL,
    ];
}

impl fmt::Debug for ResizeRounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "ROUND_PREFER_FLOOR",
            1 => "ROUND_PREFER_CEIL",
            2 => "FLOOR",
            3 => "CEIL",
            other => return write!(f, "ResizeRounding({other})"),
        })
    }
}

/// How [`Graph::explain()`] writes.
#[doc(alias = "netcl_graph_format")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct GraphFormat(pub i32);

#[allow(missing_docs)]
impl GraphFormat {
    /// a line per call with its number, or per step, for reading
    pub const TEXT: GraphFormat = GraphFormat(0);
    pub const JSON: GraphFormat = GraphFormat(1);
    /// for Graphviz
    pub const DOT: GraphFormat = GraphFormat(2);

    /// All values that this release knows.
    pub const VALUES: [GraphFormat; 3] = [
        GraphFormat::TEXT,
        GraphFormat::JSON,
        GraphFormat::DOT,
    ];
}

impl fmt::Debug for GraphFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "TEXT",
            1 => "JSON",
            2 => "DOT",
            other => return write!(f, "GraphFormat({other})"),
        })
    }
}

/// What a file of weights is.
#[doc(alias = "netcl_weights_format")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct WeightsFormat(pub i32);

#[allow(missing_docs)]
impl WeightsFormat {
    pub const SAFETENSORS: WeightsFormat = WeightsFormat(1);
    pub const GGUF: WeightsFormat = WeightsFormat(2);
    pub const NPZ: WeightsFormat = WeightsFormat(3);

    /// All values that this release knows.
    pub const VALUES: [WeightsFormat; 3] = [
        WeightsFormat::SAFETENSORS,
        WeightsFormat::GGUF,
        WeightsFormat::NPZ,
    ];
}

impl fmt::Debug for WeightsFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "SAFETENSORS",
            2 => "GGUF",
            3 => "NPZ",
            other => return write!(f, "WeightsFormat({other})"),
        })
    }
}

/// How the bytes of a group go from rank to rank.
#[doc(alias = "netcl_group_transport")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct GroupTransport(pub i32);

impl GroupTransport {
    /// PEER_MEMORY where every rank has a GPU of CUDA that reaches the others; else NCCL where each
    /// has one of its own and libnccl.so.2 (`NETCL_NCCL_LIBRARY` names another file); else memory
    /// of the host where all share one, else MPI. The log tells why where one of the first two is
    /// there and does not begin
    pub const AUTO: GroupTransport = GroupTransport(0);
    /// of the host
    pub const SHARED_MEMORY: GroupTransport = GroupTransport(1);
    /// [`Group::mpi()`] alone
    pub const MPI: GroupTransport = GroupTransport(2);
    /// of messages from 1 MiB of any rank on; the ranks meet, and shorter ones go, through the
    /// host. Without it: [`UNSUPPORTED`](Status::UNSUPPORTED) naming a rank and what it lacks, on
    /// all ranks
    pub const NCCL: GroupTransport = GroupTransport(3);
    /// of messages from 64 KiB of any rank on: the devices of one host read each other's memory.
    /// GPUs of CUDA do where the driver lets them, and CPU devices of OpenCL. For all ranks, and
    /// for each two that send to each other, a rank has a room of 2 to 128 MiB, which grows with
    /// the messages, and a descriptor for the room of each. Where a rank has no memory for its
    /// first room a call, or the group or part that is made, is
    /// [`OUT_OF_DEVICE_MEMORY`](Status::OUT_OF_DEVICE_MEMORY) on all, naming it; later ones go in
    /// smaller pieces. Otherwise [`UNSUPPORTED`](Status::UNSUPPORTED) as NCCL
    pub const PEER_MEMORY: GroupTransport = GroupTransport(4);

    /// All values that this release knows.
    pub const VALUES: [GroupTransport; 5] = [
        GroupTransport::AUTO,
        GroupTransport::SHARED_MEMORY,
        GroupTransport::MPI,
        GroupTransport::NCCL,
        GroupTransport::PEER_MEMORY,
    ];
}

impl fmt::Debug for GroupTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "AUTO",
            1 => "SHARED_MEMORY",
            2 => "MPI",
            3 => "NCCL",
            4 => "PEER_MEMORY",
            other => return write!(f, "GroupTransport({other})"),
        })
    }
}

/// Why a measurement or a tuning run ended.
#[doc(alias = "netcl_stop_reason")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct StopReason(pub i32);

#[allow(missing_docs)]
impl StopReason {
    /// it has not
    pub const RUNNING: StopReason = StopReason(0);
    /// as many samples or candidates as asked for
    pub const COUNT: StopReason = StopReason(1);
    /// the confidence interval is as narrow as asked for
    pub const CONFIDENCE: StopReason = StopReason(2);
    /// the time is used up
    pub const BUDGET: StopReason = StopReason(3);
    /// the best is at the roofline, confirmed twice
    pub const ROOFLINE: StopReason = StopReason(4);
    /// the last rounds brought no improvement
    pub const CONVERGED: StopReason = StopReason(5);
    /// nothing is left to try
    pub const EXHAUSTED: StopReason = StopReason(6);
    pub const CANCELLED: StopReason = StopReason(7);

    /// All values that this release knows.
    pub const VALUES: [StopReason; 8] = [
        StopReason::RUNNING,
        StopReason::COUNT,
        StopReason::CONFIDENCE,
        StopReason::BUDGET,
        StopReason::ROOFLINE,
        StopReason::CONVERGED,
        StopReason::EXHAUSTED,
        StopReason::CANCELLED,
    ];
}

impl fmt::Debug for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "RUNNING",
            1 => "COUNT",
            2 => "CONFIDENCE",
            3 => "BUDGET",
            4 => "ROOFLINE",
            5 => "CONVERGED",
            6 => "EXHAUSTED",
            7 => "CANCELLED",
            other => return write!(f, "StopReason({other})"),
        })
    }
}

/// What became of a candidate kernel that was benchmarked or tuned.
#[doc(alias = "netcl_outcome")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Outcome(pub i32);

#[allow(missing_docs)]
impl Outcome {
    /// not tried
    pub const UNKNOWN: Outcome = Outcome(0);
    pub const CORRECT: Outcome = Outcome(1);
    /// its work size does not fit the kernel or the device
    pub const CONSTRAINTS: Outcome = Outcome(2);
    /// it does not compile
    pub const COMPILE: Outcome = Outcome(3);
    /// the driver refused or failed a launch
    pub const RUNTIME: Outcome = Outcome(4);
    /// an output differs from the reference
    pub const CORRECTNESS: Outcome = Outcome(5);
    /// it wrote outside its arguments, or to an input
    pub const GUARD: Outcome = Outcome(6);
    /// compiling took too long
    pub const TIMEOUT: Outcome = Outcome(7);
    /// a run did not end in time
    pub const HANG: Outcome = Outcome(8);
    /// its process died or lost the device
    pub const CRASH: Outcome = Outcome(9);
    /// cut short: clearly slower than the best
    pub const SLOW: Outcome = Outcome(10);
    pub const CANCELLED: Outcome = Outcome(11);

    /// All values that this release knows.
    pub const VALUES: [Outcome; 12] = [
        Outcome::UNKNOWN,
        Outcome::CORRECT,
        Outcome::CONSTRAINTS,
        Outcome::COMPILE,
        Outcome::RUNTIME,
        Outcome::CORRECTNESS,
        Outcome::GUARD,
        Outcome::TIMEOUT,
        Outcome::HANG,
        Outcome::CRASH,
        Outcome::SLOW,
        Outcome::CANCELLED,
    ];
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "UNKNOWN",
            1 => "CORRECT",
            2 => "CONSTRAINTS",
            3 => "COMPILE",
            4 => "RUNTIME",
            5 => "CORRECTNESS",
            6 => "GUARD",
            7 => "TIMEOUT",
            8 => "HANG",
            9 => "CRASH",
            10 => "SLOW",
            11 => "CANCELLED",
            other => return write!(f, "Outcome({other})"),
        })
    }
}

/// Which time of a sample counts.
#[doc(alias = "netcl_time_source")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct TimeSource(pub i32);

impl TimeSource {
    /// union of the times in which the device ran the commands
    pub const DEVICE_BUSY: TimeSource = TimeSource(0);
    /// from the start of the first to the end of the last command
    pub const DEVICE_SPAN: TimeSource = TimeSource(1);
    /// the host's clock, from before the first to completion
    pub const HOST: TimeSource = TimeSource(2);

    /// All values that this release knows.
    pub const VALUES: [TimeSource; 3] = [
        TimeSource::DEVICE_BUSY,
        TimeSource::DEVICE_SPAN,
        TimeSource::HOST,
    ];
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "DEVICE_BUSY",
            1 => "DEVICE_SPAN",
            2 => "HOST",
            other => return write!(f, "TimeSource({other})"),
        })
    }
}

/// Values of verdicts.
#[doc(alias = "netcl_verdict")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Verdict(pub i32);

#[allow(missing_docs)]
impl Verdict {
    pub const UNCLEAR: Verdict = Verdict(0);
    /// the interval of the ratio lies within 1 +- precision
    pub const SAME: Verdict = Verdict(1);
    /// the first is faster: the interval lies below 1
    pub const FASTER: Verdict = Verdict(2);
    pub const SLOWER: Verdict = Verdict(3);

    /// All values that this release knows.
    pub const VALUES: [Verdict; 4] = [
        Verdict::UNCLEAR,
        Verdict::SAME,
        Verdict::FASTER,
        Verdict::SLOWER,
    ];
}

impl fmt::Debug for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "UNCLEAR",
            1 => "SAME",
            2 => "FASTER",
            3 => "SLOWER",
            other => return write!(f, "Verdict({other})"),
        })
    }
}

/// Form of a report.
#[doc(alias = "netcl_format")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Format(pub i32);

#[allow(missing_docs)]
impl Format {
    /// for people
    pub const TEXT: Format = Format(1);
    pub const JSON: Format = Format(2);
    pub const CSV: Format = Format(3);

    /// All values that this release knows.
    pub const VALUES: [Format; 3] = [
        Format::TEXT,
        Format::JSON,
        Format::CSV,
    ];
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "TEXT",
            2 => "JSON",
            3 => "CSV",
            other => return write!(f, "Format({other})"),
        })
    }
}

/// What limits a kernel: the resource with the higher share of its speed of light (SOL).
#[doc(alias = "netcl_bottleneck")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bottleneck(pub i32);

#[allow(missing_docs)]
impl Bottleneck {
    pub const UNKNOWN: Bottleneck = Bottleneck(0);
    pub const COMPUTE: Bottleneck = Bottleneck(1);
    /// also when both are equal
    pub const MEMORY: Bottleneck = Bottleneck(2);
    /// both are below underutilized_pct
    pub const UNDERUTILIZED: Bottleneck = Bottleneck(3);

    /// All values that this release knows.
    pub const VALUES: [Bottleneck; 4] = [
        Bottleneck::UNKNOWN,
        Bottleneck::COMPUTE,
        Bottleneck::MEMORY,
        Bottleneck::UNDERUTILIZED,
    ];
}

impl fmt::Debug for Bottleneck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "UNKNOWN",
            1 => "COMPUTE",
            2 => "MEMORY",
            3 => "UNDERUTILIZED",
            other => return write!(f, "Bottleneck({other})"),
        })
    }
}

/// Where a result comes from.
#[doc(alias = "netcl_roofline_source")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct RooflineSource(pub i32);

impl RooflineSource {
    /// time and declared work against measured ceilings
    pub const MODEL: RooflineSource = RooflineSource(1);
    /// metrics of NVIDIA Nsight Compute
    pub const NCU: RooflineSource = RooflineSource(2);

    /// All values that this release knows.
    pub const VALUES: [RooflineSource; 2] = [
        RooflineSource::MODEL,
        RooflineSource::NCU,
    ];
}

impl fmt::Debug for RooflineSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "MODEL",
            2 => "NCU",
            other => return write!(f, "RooflineSource({other})"),
        })
    }
}

/// Which launch of an NCU report counts, when several match.
#[doc(alias = "netcl_ncu_policy")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct NcuPolicy(pub i32);

#[allow(missing_docs)]
impl NcuPolicy {
    /// by duration, else by compute SOL
    pub const MEDIAN: NcuPolicy = NcuPolicy(0);
    pub const FIRST: NcuPolicy = NcuPolicy(1);
    pub const LAST: NcuPolicy = NcuPolicy(2);
    pub const LONGEST: NcuPolicy = NcuPolicy(3);

    /// All values that this release knows.
    pub const VALUES: [NcuPolicy; 4] = [
        NcuPolicy::MEDIAN,
        NcuPolicy::FIRST,
        NcuPolicy::LAST,
        NcuPolicy::LONGEST,
    ];
}

impl fmt::Debug for NcuPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "MEDIAN",
            1 => "FIRST",
            2 => "LAST",
            3 => "LONGEST",
            other => return write!(f, "NcuPolicy({other})"),
        })
    }
}

/// Limits of a device. Rates are per second.
#[doc(alias = "netcl_ceiling_kind")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct CeilingKind(pub i32);

#[allow(missing_docs)]
impl CeilingKind {
    /// bytes, far beyond the caches
    pub const MEMORY_READ: CeilingKind = CeilingKind(1);
    pub const MEMORY_WRITE: CeilingKind = CeilingKind(2);
    /// bytes read plus bytes written
    pub const MEMORY_COPY: CeilingKind = CeilingKind(3);
    /// the same for a working set of working_set bytes
    pub const CACHE_READ: CeilingKind = CeilingKind(4);
    pub const CACHE_WRITE: CeilingKind = CeilingKind(5);
    pub const CACHE_COPY: CeilingKind = CeilingKind(6);
    /// operations: multiply-adds of a dtype, two each
    pub const COMPUTE: CeilingKind = CeilingKind(7);
    /// the same on matrix units, where there are any
    pub const TENSOR: CeilingKind = CeilingKind(8);
    /// launches of an empty kernel, one after the other
    pub const LAUNCH: CeilingKind = CeilingKind(9);
    /// bytes from ordinary memory, as tensors go
    pub const HOST_TO_DEVICE: CeilingKind = CeilingKind(10);
    pub const DEVICE_TO_HOST: CeilingKind = CeilingKind(11);
    /// bytes from page-locked memory
    pub const HOST_TO_DEVICE_PINNED: CeilingKind = CeilingKind(12);
    pub const DEVICE_TO_HOST_PINNED: CeilingKind = CeilingKind(13);

    /// All values that this release knows.
    pub const VALUES: [CeilingKind; 13] = [
        CeilingKind::MEMORY_READ,
        CeilingKind::MEMORY_WRITE,
        CeilingKind::MEMORY_COPY,
        CeilingKind::CACHE_READ,
        CeilingKind::CACHE_WRITE,
        CeilingKind::CACHE_COPY,
        CeilingKind::COMPUTE,
        CeilingKind::TENSOR,
        CeilingKind::LAUNCH,
        CeilingKind::HOST_TO_DEVICE,
        CeilingKind::DEVICE_TO_HOST,
        CeilingKind::HOST_TO_DEVICE_PINNED,
        CeilingKind::DEVICE_TO_HOST_PINNED,
    ];
}

impl fmt::Debug for CeilingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "MEMORY_READ",
            2 => "MEMORY_WRITE",
            3 => "MEMORY_COPY",
            4 => "CACHE_READ",
            5 => "CACHE_WRITE",
            6 => "CACHE_COPY",
            7 => "COMPUTE",
            8 => "TENSOR",
            9 => "LAUNCH",
            10 => "HOST_TO_DEVICE",
            11 => "DEVICE_TO_HOST",
            12 => "HOST_TO_DEVICE_PINNED",
            13 => "DEVICE_TO_HOST_PINNED",
            other => return write!(f, "CeilingKind({other})"),
        })
    }
}

/// What a record of the database is.
#[doc(alias = "netcl_tuning_record_kind")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct TuningRecordKind(pub i32);

impl TuningRecordKind {
    /// what a tuning run chose
    pub const BEST: TuningRecordKind = TuningRecordKind(1);
    /// how one configuration did
    pub const MEASUREMENT: TuningRecordKind = TuningRecordKind(2);
    /// a configuration that is never to be chosen
    pub const QUARANTINE: TuningRecordKind = TuningRecordKind(3);

    /// All values that this release knows.
    pub const VALUES: [TuningRecordKind; 3] = [
        TuningRecordKind::BEST,
        TuningRecordKind::MEASUREMENT,
        TuningRecordKind::QUARANTINE,
    ];
}

impl fmt::Debug for TuningRecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "BEST",
            2 => "MEASUREMENT",
            3 => "QUARANTINE",
            other => return write!(f, "TuningRecordKind({other})"),
        })
    }
}

/// What a kernel does with a tensor.
#[doc(alias = "netcl_access")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Access(pub i32);

impl Access {
    /// reads it; one that writes it is an outcome GUARD
    pub const IN: Access = Access(1);
    /// writes all of it
    pub const OUT: Access = Access(2);
    /// both; it is brought back before every sample
    pub const INOUT: Access = Access(3);

    /// All values that this release knows.
    pub const VALUES: [Access; 3] = [
        Access::IN,
        Access::OUT,
        Access::INOUT,
    ];
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "IN",
            2 => "OUT",
            3 => "INOUT",
            other => return write!(f, "Access({other})"),
        })
    }
}

/// What a tensor holds at first.
#[doc(alias = "netcl_fill_kind")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct FillKind(pub i32);

#[allow(missing_docs)]
impl FillKind {
    pub const ZEROS: FillKind = FillKind(0);
    /// a; integers take the nearest value they have
    pub const CONSTANT: FillKind = FillKind(1);
    /// \[a, b); a = b = 0: \[0, 1), integers: all
    pub const UNIFORM: FillKind = FillKind(2);
    /// mean a, deviation b (0: 1); floats only
    pub const NORMAL: FillKind = FillKind(3);
    /// a, a + b, a + 2b ...; b = 0: 1; integers wrap
    pub const SEQUENCE: FillKind = FillKind(4);
    /// the bytes of `data`
    pub const DATA: FillKind = FillKind(5);

    /// All values that this release knows.
    pub const VALUES: [FillKind; 6] = [
        FillKind::ZEROS,
        FillKind::CONSTANT,
        FillKind::UNIFORM,
        FillKind::NORMAL,
        FillKind::SEQUENCE,
        FillKind::DATA,
    ];
}

impl fmt::Debug for FillKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "ZEROS",
            1 => "CONSTANT",
            2 => "UNIFORM",
            3 => "NORMAL",
            4 => "SEQUENCE",
            5 => "DATA",
            other => return write!(f, "FillKind({other})"),
        })
    }
}

/// How the configurations that are tried are chosen.
#[doc(alias = "netcl_search_strategy")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct SearchStrategy(pub i32);

impl SearchStrategy {
    /// EXHAUSTIVE where all of up to 256 may be tried, else GENETIC
    pub const AUTO: SearchStrategy = SearchStrategy(0);
    /// all, in the order of the space; up to 2^20
    pub const EXHAUSTIVE: SearchStrategy = SearchStrategy(1);
    /// all, in random order
    pub const RANDOM: SearchStrategy = SearchStrategy(2);
    /// to better neighbours, else on near the best so far
    pub const LOCAL: SearchStrategy = SearchStrategy(3);
    /// to worse neighbours too, ever more rarely, again and again
    pub const ANNEALING: SearchStrategy = SearchStrategy(4);
    /// children of the better half of a population
    pub const GENETIC: SearchStrategy = SearchStrategy(5);

    /// All values that this release knows.
    pub const VALUES: [SearchStrategy; 6] = [
        SearchStrategy::AUTO,
        SearchStrategy::EXHAUSTIVE,
        SearchStrategy::RANDOM,
        SearchStrategy::LOCAL,
        SearchStrategy::ANNEALING,
        SearchStrategy::GENETIC,
    ];
}

impl fmt::Debug for SearchStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            0 => "AUTO",
            1 => "EXHAUSTIVE",
            2 => "RANDOM",
            3 => "LOCAL",
            4 => "ANNEALING",
            5 => "GENETIC",
            other => return write!(f, "SearchStrategy({other})"),
        })
    }
}

/// Values of search event kinds.
#[doc(alias = "netcl_search_event_kind")]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct SearchEventKind(pub i32);

#[allow(missing_docs)]
impl SearchEventKind {
    pub const STARTED: SearchEventKind = SearchEventKind(1);
    /// the first rounds of a candidate are over
    pub const CANDIDATE: SearchEventKind = SearchEventKind(2);
    /// it is the best so far
    pub const BEST: SearchEventKind = SearchEventKind(3);
    /// those that may be the best begin to take turns
    pub const FINAL: SearchEventKind = SearchEventKind(4);
    /// the last event of a search
    pub const STOPPED: SearchEventKind = SearchEventKind(5);

    /// All values that this release knows.
    pub const VALUES: [SearchEventKind; 5] = [
        SearchEventKind::STARTED,
        SearchEventKind::CANDIDATE,
        SearchEventKind::BEST,
        SearchEventKind::FINAL,
        SearchEventKind::STOPPED,
    ];
}

impl fmt::Debug for SearchEventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            1 => "STARTED",
            2 => "CANDIDATE",
            3 => "BEST",
            4 => "FINAL",
            5 => "STOPPED",
            other => return write!(f, "SearchEventKind({other})"),
        })
    }
}
