// Written by bindings/generator from include/netcl.h; changes here are lost.

use super::*;
use crate::support::Text;
#[allow(unused_imports)]
use std::os::raw::c_void;

/// What went wrong last on a thread, or in a command.
#[doc(alias = "netcl_error_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ErrorInfo {
    /// See [`Status`].
    pub status: Status,
    /// the OpenCL code, 0 when no driver was involved
    pub native_code: i32,
    /// one line; cut at a character boundary when longer
    pub message: Text<1024>,
}

impl ErrorInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_error_info) -> ErrorInfo {
        ErrorInfo {
            status: Status(raw.status),
            native_code: raw.native_code,
            message: Text(raw.message),
        }
    }
}

/// Facts about this build of the library.
#[doc(alias = "netcl_library_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LibraryInfo {
    /// [`VERSION_NUMBER`] of the library, not of the header
    pub version_number: u32,
    /// the number in the soname
    pub abi_version: u32,
    /// "0.1.0"
    pub version: Text<32>,
    /// "gcc 12.2.0"
    pub compiler: Text<64>,
    /// "Release"
    pub build_type: Text<32>,
    /// instruction set the built-in CPU device uses here: "AVX3"
    pub simd_target: Text<32>,
    /// hash of all embedded kernels and generators
    pub codegen_version: Text<40>,
}

impl LibraryInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_library_info) -> LibraryInfo {
        LibraryInfo {
            version_number: raw.version_number,
            abi_version: raw.abi_version,
            version: Text(raw.version),
            compiler: Text(raw.compiler),
            build_type: Text(raw.build_type),
            simd_target: Text(raw.simd_target),
            codegen_version: Text(raw.codegen_version),
        }
    }
}

/// One entry of the log.
#[doc(alias = "netcl_log_record")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LogRecord {
    /// counts from 1
    pub sequence: u64,
    /// CLOCK_REALTIME
    pub time_ns: u64,
    /// See [`LogLevel`].
    pub level: LogLevel,
    /// one line; cut at a character boundary when longer
    pub message: Text<496>,
}

impl LogRecord {
    pub(crate) fn from_raw(raw: &sys::netcl_log_record) -> LogRecord {
        LogRecord {
            sequence: raw.sequence,
            time_ns: raw.time_ns,
            level: LogLevel(raw.level),
            message: Text(raw.message),
        }
    }
}

/// Identity of a device.
#[doc(alias = "netcl_device_info")]
#[derive(Clone, Debug, Default)]

pub struct DeviceInfo {
    /// place in the list of [`Device::count()`]; UINT32_MAX: wrapped, or the built-in device before
    /// anything has looked at the list
    pub index: u32,
    /// See [`DeviceType`].
    pub type_: DeviceType,
    /// See [`Backend`].
    pub backend: Backend,
    /// P of the selector "P:D"; UINT32_MAX for the built-in device
    pub platform_index: u32,
    /// D of the selector "P:D"
    pub device_index: u32,
    /// true: uuid is known
    pub has_uuid: bool,
    /// The uuid.
    pub uuid: [u8; 16],
    /// The name.
    pub name: Text<256>,
    /// The vendor.
    pub vendor: Text<128>,
    /// The platform name.
    pub platform_name: Text<128>,
    /// "OpenCL 3.0 ..."; "netcl 0.1.0" for the built-in device
    pub version: Text<128>,
    /// The driver version.
    pub driver_version: Text<128>,
}

impl DeviceInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_device_info) -> DeviceInfo {
        DeviceInfo {
            index: raw.index,
            type_: DeviceType(raw.type_),
            backend: Backend(raw.backend),
            platform_index: raw.platform_index,
            device_index: raw.device_index,
            has_uuid: raw.has_uuid != 0,
            uuid: raw.uuid,
            name: Text(raw.name),
            vendor: Text(raw.vendor),
            platform_name: Text(raw.platform_name),
            version: Text(raw.version),
            driver_version: Text(raw.driver_version),
        }
    }

    pub(crate) fn raw(&self) -> sys::netcl_device_info {
        sys::netcl_device_info {
            index: self.index,
            type_: self.type_.0,
            backend: self.backend.0,
            platform_index: self.platform_index,
            device_index: self.device_index,
            has_uuid: self.has_uuid as u32,
            uuid: self.uuid,
            name: self.name.0,
            vendor: self.vendor.0,
            platform_name: self.platform_name.0,
            version: self.version.0,
            driver_version: self.driver_version.0,
            ..sys::netcl_device_info::INIT
        }
    }
}

/// What a device can do; fixed once the device is open.
#[doc(alias = "netcl_device_capabilities")]
#[derive(Clone, Debug, Default)]

pub struct DeviceCapabilities {
    /// true: half arithmetic runs (announced, or probed)
    pub fp16: bool,
    /// true: an extension mentions fp16
    pub fp16_announced: bool,
    /// true: double arithmetic
    pub fp64: bool,
    /// true: an extension mentions subgroup
    pub subgroups: bool,
    /// true: 64-bit base or extended atomics
    pub int64_atomics: bool,
    /// true: any kind of shared virtual memory
    pub svm: bool,
    /// true: shares memory with the host: zero-copy is possible
    pub integrated: bool,
    /// true: out-of-order queues exist
    pub out_of_order: bool,
    /// true: takes SPIR-V
    pub il: bool,
    /// The compute units.
    pub compute_units: u32,
    /// The max clock mhz.
    pub max_clock_mhz: u32,
    /// The preferred vector width f32.
    pub preferred_vector_width_f32: u32,
    /// preferred multiple of the local size, at least 1
    pub subgroup_size: u32,
    /// alignment of sub-buffers
    pub mem_base_align_bytes: u32,
    /// The max work item dimensions.
    pub max_work_item_dimensions: u32,
    /// see `NETCL_KERNEL_STRATEGY`
    pub strategy: Strategy,
    /// The max work group size.
    pub max_work_group_size: u64,
    /// The max work item sizes.
    pub max_work_item_sizes: [u64; 3],
    /// The local memory bytes.
    pub local_memory_bytes: u64,
    /// The global memory bytes.
    pub global_memory_bytes: u64,
    /// The max allocation bytes.
    pub max_allocation_bytes: u64,
    /// The global cache bytes.
    pub global_cache_bytes: u64,
    /// The max constant bytes.
    pub max_constant_bytes: u64,
    /// The timer resolution ns.
    pub timer_resolution_ns: u64,
    /// [`NONE`](MatrixUnits::NONE) while `NETCL_MATRIX_UNITS`=0
    pub matrix_units: MatrixUnits,
}

impl DeviceCapabilities {
    pub(crate) fn from_raw(raw: &sys::netcl_device_capabilities) -> DeviceCapabilities {
        DeviceCapabilities {
            fp16: raw.fp16 != 0,
            fp16_announced: raw.fp16_announced != 0,
            fp64: raw.fp64 != 0,
            subgroups: raw.subgroups != 0,
            int64_atomics: raw.int64_atomics != 0,
            svm: raw.svm != 0,
            integrated: raw.integrated != 0,
            out_of_order: raw.out_of_order != 0,
            il: raw.il != 0,
            compute_units: raw.compute_units,
            max_clock_mhz: raw.max_clock_mhz,
            preferred_vector_width_f32: raw.preferred_vector_width_f32,
            subgroup_size: raw.subgroup_size,
            mem_base_align_bytes: raw.mem_base_align_bytes,
            max_work_item_dimensions: raw.max_work_item_dimensions,
            strategy: Strategy(raw.strategy),
            max_work_group_size: raw.max_work_group_size,
            max_work_item_sizes: raw.max_work_item_sizes,
            local_memory_bytes: raw.local_memory_bytes,
            global_memory_bytes: raw.global_memory_bytes,
            max_allocation_bytes: raw.max_allocation_bytes,
            global_cache_bytes: raw.global_cache_bytes,
            max_constant_bytes: raw.max_constant_bytes,
            timer_resolution_ns: raw.timer_resolution_ns,
            matrix_units: MatrixUnits(raw.matrix_units),
        }
    }

    pub(crate) fn raw(&self) -> sys::netcl_device_capabilities {
        sys::netcl_device_capabilities {
            fp16: self.fp16 as u32,
            fp16_announced: self.fp16_announced as u32,
            fp64: self.fp64 as u32,
            subgroups: self.subgroups as u32,
            int64_atomics: self.int64_atomics as u32,
            svm: self.svm as u32,
            integrated: self.integrated as u32,
            out_of_order: self.out_of_order as u32,
            il: self.il as u32,
            compute_units: self.compute_units,
            max_clock_mhz: self.max_clock_mhz,
            preferred_vector_width_f32: self.preferred_vector_width_f32,
            subgroup_size: self.subgroup_size,
            mem_base_align_bytes: self.mem_base_align_bytes,
            max_work_item_dimensions: self.max_work_item_dimensions,
            strategy: self.strategy.0,
            max_work_group_size: self.max_work_group_size,
            max_work_item_sizes: self.max_work_item_sizes,
            local_memory_bytes: self.local_memory_bytes,
            global_memory_bytes: self.global_memory_bytes,
            max_allocation_bytes: self.max_allocation_bytes,
            global_cache_bytes: self.global_cache_bytes,
            max_constant_bytes: self.max_constant_bytes,
            timer_resolution_ns: self.timer_resolution_ns,
            matrix_units: self.matrix_units.0,
            ..sys::netcl_device_capabilities::INIT
        }
    }
}

/// How a copy between two devices goes; see [`Device::explain_copy()`].
#[doc(alias = "netcl_copy_explanation")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CopyExplanation {
    /// See [`CopyRoad`].
    pub road: CopyRoad,
    /// true: what is not packed in C order is copied once more on its device
    pub packs: bool,
    /// at most, of what goes through page-locked memory; 0: nothing does
    pub piece_bytes: u64,
    /// a sentence: why it is this road
    pub reason: Text<512>,
}

impl CopyExplanation {
    pub(crate) fn from_raw(raw: &sys::netcl_copy_explanation) -> CopyExplanation {
        CopyExplanation {
            road: CopyRoad(raw.road),
            packs: raw.packs != 0,
            piece_bytes: raw.piece_bytes,
            reason: Text(raw.reason),
        }
    }
}

/// What [`Queue::info()`] tells.
#[doc(alias = "netcl_queue_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct QueueInfo {
    /// true: commands may overtake each other
    pub out_of_order: bool,
    /// true: times are recorded
    pub profiling: bool,
    /// true: the queue wraps one of the caller
    pub foreign: bool,
    /// commands enqueued so far
    pub commands: u64,
}

impl QueueInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_queue_info) -> QueueInfo {
        QueueInfo {
            out_of_order: raw.out_of_order != 0,
            profiling: raw.profiling != 0,
            foreign: raw.foreign != 0,
            commands: raw.commands,
        }
    }
}

/// Device times of one command; only differences within one device mean anything.
#[doc(alias = "netcl_event_timing")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EventTiming {
    /// The queued ns.
    pub queued_ns: u64,
    /// The submitted ns.
    pub submitted_ns: u64,
    /// The started ns.
    pub started_ns: u64,
    /// The ended ns.
    pub ended_ns: u64,
}

impl EventTiming {
    pub(crate) fn from_raw(raw: &sys::netcl_event_timing) -> EventTiming {
        EventTiming {
            queued_ns: raw.queued_ns,
            submitted_ns: raw.submitted_ns,
            started_ns: raw.started_ns,
            ended_ns: raw.ended_ns,
        }
    }
}

/// Statistics of a pool.
#[doc(alias = "netcl_pool_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PoolInfo {
    /// See [`PoolKind`].
    pub kind: PoolKind,
    /// rows that [`Pool::buckets()`] gives
    pub buckets_count: u32,
    /// leases served from the cache
    pub hits: u64,
    /// leases that needed a new allocation
    pub misses: u64,
    /// hits / (hits + misses), 0 before the first lease
    pub hit_rate: f64,
    /// in use plus cached, in whole buckets
    pub bytes_allocated: u64,
    /// leased
    pub bytes_in_use: u64,
    /// kept for reuse
    pub bytes_cached: u64,
    /// largest bytes_allocated so far
    pub high_water_bytes: u64,
    /// UINT64_MAX: no limit
    pub max_cached_bytes: u64,
    /// UINT64_MAX: no limit
    pub max_bytes: u64,
}

impl PoolInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_pool_info) -> PoolInfo {
        PoolInfo {
            kind: PoolKind(raw.kind),
            buckets_count: raw.buckets_count,
            hits: raw.hits,
            misses: raw.misses,
            hit_rate: raw.hit_rate,
            bytes_allocated: raw.bytes_allocated,
            bytes_in_use: raw.bytes_in_use,
            bytes_cached: raw.bytes_cached,
            high_water_bytes: raw.high_water_bytes,
            max_cached_bytes: raw.max_cached_bytes,
            max_bytes: raw.max_bytes,
        }
    }
}

/// One bucket of a pool. Frozen: travels in arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolBucket {
    /// size of each buffer of the bucket
    pub bytes: u64,
    /// leased buffers
    pub in_use: u64,
    /// buffers kept for reuse
    pub cached: u64,
    /// The hits.
    pub hits: u64,
    /// The misses.
    pub misses: u64,
}

impl From<sys::netcl_pool_bucket> for PoolBucket {
    fn from(raw: sys::netcl_pool_bucket) -> PoolBucket {
        PoolBucket { bytes: raw.bytes, in_use: raw.in_use, cached: raw.cached, hits: raw.hits, misses: raw.misses }
    }
}

impl From<PoolBucket> for sys::netcl_pool_bucket {
    fn from(own: PoolBucket) -> sys::netcl_pool_bucket {
        sys::netcl_pool_bucket { bytes: own.bytes, in_use: own.in_use, cached: own.cached, hits: own.hits, misses: own.misses }
    }
}

const _: () = assert!(std::mem::size_of::<PoolBucket>() == std::mem::size_of::<sys::netcl_pool_bucket>());

/// Facts about a piece of memory.
#[doc(alias = "netcl_buffer_info")]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BufferInfo {
    /// as asked for
    pub bytes: u64,
    /// as allocated
    pub bucket_bytes: u64,
    /// where the host may access it; `None` when it may not
    pub host_pointer: *mut c_void,
    /// true: page-locked host memory
    pub pinned: bool,
    /// true: the device works on host_pointer itself
    pub zero_copy: bool,
    /// true: a tensor, another handle or a call that is running uses it too
    pub shared: bool,
    /// true: [`Buffer::export()`] gives it to others
    pub exportable: bool,
}

impl BufferInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_buffer_info) -> BufferInfo {
        BufferInfo {
            bytes: raw.bytes,
            bucket_bytes: raw.bucket_bytes,
            host_pointer: raw.host_pointer,
            pinned: raw.pinned != 0,
            zero_copy: raw.zero_copy != 0,
            shared: raw.shared != 0,
            exportable: raw.exportable != 0,
        }
    }
}

/// Memory that processes share, and what is needed to open it.
#[doc(alias = "netcl_shared_memory")]
#[derive(Clone, Debug, Default)]

pub struct SharedMemory {
    /// See [`ShareKind`].
    pub kind: ShareKind,
    /// a file descriptor
    pub descriptor: i32,
    /// where the memory begins in what the descriptor stands for
    pub offset_bytes: u64,
    /// of the memory
    pub bytes: u64,
    /// of all that the descriptor stands for
    pub total_bytes: u64,
    /// of the GPU; zeros for a file
    pub device_uuid: [u8; 16],
}

impl SharedMemory {
    pub(crate) fn from_raw(raw: &sys::netcl_shared_memory) -> SharedMemory {
        SharedMemory {
            kind: ShareKind(raw.kind),
            descriptor: raw.descriptor,
            offset_bytes: raw.offset_bytes,
            bytes: raw.bytes,
            total_bytes: raw.total_bytes,
            device_uuid: raw.device_uuid,
        }
    }

    pub(crate) fn raw(&self) -> sys::netcl_shared_memory {
        sys::netcl_shared_memory {
            kind: self.kind.0,
            descriptor: self.descriptor,
            offset_bytes: self.offset_bytes,
            bytes: self.bytes,
            total_bytes: self.total_bytes,
            device_uuid: self.device_uuid,
            ..sys::netcl_shared_memory::INIT
        }
    }
}

/// What a tensor is.
#[doc(alias = "netcl_tensor_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TensorInfo {
    /// See [`Dtype`].
    pub dtype: Dtype,
    /// The rank.
    pub rank: u32,
    /// The shape.
    pub shape: [i64; 8],
    /// The strides.
    pub strides: [i64; 8],
    /// first element, counted from the start of the memory
    pub offset: i64,
    /// The element count.
    pub element_count: i64,
    /// element_count times the size of an element
    pub byte_count: u64,
    /// true: packed in C order
    pub contiguous: bool,
    /// true: the device works on memory of the host
    pub zero_copy: bool,
    /// true: the memory belongs to the caller
    pub borrowed: bool,
    /// true: the memory is a lease from a pool
    pub pooled: bool,
    /// true: the memory is a file's, see "Weights"
    pub mapped: bool,
}

impl TensorInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_tensor_info) -> TensorInfo {
        TensorInfo {
            dtype: Dtype(raw.dtype),
            rank: raw.rank,
            shape: raw.shape,
            strides: raw.strides,
            offset: raw.offset,
            element_count: raw.element_count,
            byte_count: raw.byte_count,
            contiguous: raw.contiguous != 0,
            zero_copy: raw.zero_copy != 0,
            borrowed: raw.borrowed != 0,
            pooled: raw.pooled != 0,
            mapped: raw.mapped != 0,
        }
    }
}

/// One dimension of a slice: element i is start + i \* step, 0 \<= i \< extent. Frozen.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The start.
    pub start: i64,
    /// The extent.
    pub extent: i64,
    /// not 0; negative steps walk backwards
    pub step: i64,
}

impl From<sys::netcl_range> for Range {
    fn from(raw: sys::netcl_range) -> Range {
        Range { start: raw.start, extent: raw.extent, step: raw.step }
    }
}

impl From<Range> for sys::netcl_range {
    fn from(own: Range) -> sys::netcl_range {
        sys::netcl_range { start: own.start, extent: own.extent, step: own.step }
    }
}

const _: () = assert!(std::mem::size_of::<Range>() == std::mem::size_of::<sys::netcl_range>());

/// What a launch uses; see [`Kernel::explain_launch()`].
#[doc(alias = "netcl_launch_explanation")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LaunchExplanation {
    /// work items that run; 1 beyond the dimensions of the launch
    pub global: [u64; 3],
    /// of a group; 1 beyond the dimensions of the launch
    pub local: [u64; 3],
    /// of local
    pub origin: LocalOrigin,
    /// how the stored result fits; [`NONE`](Match::NONE): none is used
    pub match_: Match,
    /// nanoseconds that the stored result took; 0: not known
    pub median: f64,
    /// and the untuned kernel
    pub default_median: f64,
    /// those that tuning sets, "TILE=16 WORK=4"; longer texts are cut
    pub macros: Text<256>,
    /// a sentence: which result is used and how it fits, or why not
    pub reason: Text<512>,
}

impl LaunchExplanation {
    pub(crate) fn from_raw(raw: &sys::netcl_launch_explanation) -> LaunchExplanation {
        LaunchExplanation {
            global: raw.global,
            local: raw.local,
            origin: LocalOrigin(raw.origin),
            match_: Match(raw.match_),
            median: raw.median,
            default_median: raw.default_median,
            macros: Text(raw.macros),
            reason: Text(raw.reason),
        }
    }
}

/// Facts about a built kernel.
#[doc(alias = "netcl_kernel_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct KernelInfo {
    /// The args count.
    pub args_count: u32,
    /// true: the program came from the disk cache, not a compiler
    pub from_cache: bool,
    /// of the local size
    pub preferred_multiple: u32,
    /// items of a group this kernel can have here
    pub max_local_size: u64,
    /// reqd_work_group_size, zeros when absent
    pub required_local_size: [u64; 3],
    /// The local memory bytes.
    pub local_memory_bytes: u64,
    /// The private memory bytes.
    pub private_memory_bytes: u64,
    /// The shape signature.
    pub shape_signature: u64,
    /// The name.
    pub name: Text<128>,
}

impl KernelInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_kernel_info) -> KernelInfo {
        KernelInfo {
            args_count: raw.args_count,
            from_cache: raw.from_cache != 0,
            preferred_multiple: raw.preferred_multiple,
            max_local_size: raw.max_local_size,
            required_local_size: raw.required_local_size,
            local_memory_bytes: raw.local_memory_bytes,
            private_memory_bytes: raw.private_memory_bytes,
            shape_signature: raw.shape_signature,
            name: Text(raw.name),
        }
    }
}

/// Facts about one parameter of a built kernel.
#[doc(alias = "netcl_kernel_arg_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct KernelArgInfo {
    /// true: __global or __constant pointer
    pub is_buffer: bool,
    /// true: __local pointer
    pub is_local: bool,
    /// true: the kernel does not write through it
    pub is_const: bool,
    /// bytes of a scalar; 0 when unknown or not a scalar
    pub size: u32,
    /// "" when the driver does not tell
    pub name: Text<64>,
    /// "float\*"
    pub type_name: Text<64>,
}

impl KernelArgInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_kernel_arg_info) -> KernelArgInfo {
        KernelArgInfo {
            is_buffer: raw.is_buffer != 0,
            is_local: raw.is_local != 0,
            is_const: raw.is_const != 0,
            size: raw.size,
            name: Text(raw.name),
            type_name: Text(raw.type_name),
        }
    }
}

/// Counters of the program cache of this process.
#[doc(alias = "netcl_program_cache_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProgramCacheInfo {
    /// builds answered by a program already in memory
    pub memory_hits: u64,
    /// The memory misses.
    pub memory_misses: u64,
    /// programs loaded from the disk cache
    pub disk_hits: u64,
    /// The disk misses.
    pub disk_misses: u64,
    /// entries refused: damaged, foreign, or bad to the driver
    pub disk_rejected: u64,
    /// The disk writes.
    pub disk_writes: u64,
    /// compilations by the driver
    pub source_builds: u64,
    /// The programs in memory.
    pub programs_in_memory: u64,
    /// where the disk cache lives; "" when it is off
    pub directory: Text<256>,
}

impl ProgramCacheInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_program_cache_info) -> ProgramCacheInfo {
        ProgramCacheInfo {
            memory_hits: raw.memory_hits,
            memory_misses: raw.memory_misses,
            disk_hits: raw.disk_hits,
            disk_misses: raw.disk_misses,
            disk_rejected: raw.disk_rejected,
            disk_writes: raw.disk_writes,
            source_builds: raw.source_builds,
            programs_in_memory: raw.programs_in_memory,
            directory: Text(raw.directory),
        }
    }
}

/// One program in the disk cache.
#[doc(alias = "netcl_program_cache_entry")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ProgramCacheEntry {
    /// of the file
    pub bytes: u64,
    /// CLOCK_REALTIME of the last use
    pub used_ns: u64,
    /// true: nobody else can have written it, and every byte is right
    pub sound: bool,
    /// of the file in [`ProgramCacheInfo.directory`](ProgramCacheInfo)
    pub name: Text<40>,
    /// name of the device it was built for
    pub device: Text<128>,
    /// names of its kernels with ", " between them, as far as they fit
    pub kernels: Text<256>,
    /// why it is not sound
    pub problem: Text<128>,
}

impl ProgramCacheEntry {
    pub(crate) fn from_raw(raw: &sys::netcl_program_cache_entry) -> ProgramCacheEntry {
        ProgramCacheEntry {
            bytes: raw.bytes,
            used_ns: raw.used_ns,
            sound: raw.sound != 0,
            name: Text(raw.name),
            device: Text(raw.device),
            kernels: Text(raw.kernels),
            problem: Text(raw.problem),
        }
    }
}

/// A variant with its configuration. Members that the variant does not have are 0.
#[doc(alias = "netcl_variant_config")]
#[derive(Clone, Debug, Default)]

pub struct VariantConfig {
    /// See [`Variant`].
    pub variant: Variant,
    /// rows of the result per work-group (matmul, conv2d)
    pub tile_m: u32,
    /// columns of the result per work-group
    pub tile_n: u32,
    /// depth of a step
    pub tile_k: u32,
    /// rows of the result per work-item
    pub work_per_thread_m: u32,
    /// columns of the result per work-item
    pub work_per_thread_n: u32,
    /// The local size 1d.
    pub local_size_1d: u32,
    /// The local size 2d.
    pub local_size_2d: [u32; 2],
    /// true: tiles are staged in local memory
    pub use_local_memory: bool,
    /// true: vector_width elements are loaded at once
    pub use_vectorization: bool,
    /// elements
    pub vector_width: u32,
    /// outputs per tile edge: 2 or 4
    pub winograd_tile: u32,
    /// work-groups of a reduction's first stage
    pub groups: u32,
    /// true: the same question was answered before
    pub from_cache: bool,
    /// groups that share the depth of a tile (matmul on GPUs); from 2 on a second launch,
    /// `netcl_matmul_join`, adds up their sums
    pub split_k: u32,
    /// what the kernel's name begins with in traces
    pub kernel: Text<64>,
    /// why this one, in words
    pub reason: Text<256>,
}

impl VariantConfig {
    pub(crate) fn from_raw(raw: &sys::netcl_variant_config) -> VariantConfig {
        VariantConfig {
            variant: Variant(raw.variant),
            tile_m: raw.tile_m,
            tile_n: raw.tile_n,
            tile_k: raw.tile_k,
            work_per_thread_m: raw.work_per_thread_m,
            work_per_thread_n: raw.work_per_thread_n,
            local_size_1d: raw.local_size_1d,
            local_size_2d: raw.local_size_2d,
            use_local_memory: raw.use_local_memory != 0,
            use_vectorization: raw.use_vectorization != 0,
            vector_width: raw.vector_width,
            winograd_tile: raw.winograd_tile,
            groups: raw.groups,
            from_cache: raw.from_cache != 0,
            split_k: raw.split_k,
            kernel: Text(raw.kernel),
            reason: Text(raw.reason),
        }
    }

    pub(crate) fn raw(&self) -> sys::netcl_variant_config {
        sys::netcl_variant_config {
            variant: self.variant.0,
            tile_m: self.tile_m,
            tile_n: self.tile_n,
            tile_k: self.tile_k,
            work_per_thread_m: self.work_per_thread_m,
            work_per_thread_n: self.work_per_thread_n,
            local_size_1d: self.local_size_1d,
            local_size_2d: self.local_size_2d,
            use_local_memory: self.use_local_memory as u32,
            use_vectorization: self.use_vectorization as u32,
            vector_width: self.vector_width,
            winograd_tile: self.winograd_tile,
            groups: self.groups,
            from_cache: self.from_cache as u32,
            split_k: self.split_k,
            kernel: self.kernel.0,
            reason: self.reason.0,
            ..sys::netcl_variant_config::INIT
        }
    }
}

/// What is known of a graph.
#[doc(alias = "netcl_graph_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct GraphInfo {
    /// calls that are recorded; writes of others in between are none
    pub call_count: u64,
    /// memory that their tensors keep, each piece counted once
    pub kept_bytes: u64,
    /// of a compiled capture: calls that are left, joined or not
    pub step_count: u64,
    /// steps of which [`Graph::compile()`] has made the commands so far
    pub ready_count: u64,
    /// kernels and functions that a run enqueues, beside calls of groups
    pub command_count: u64,
    /// memory that a run takes for values that are no outputs
    pub planned_bytes: u64,
    /// the most that such values of the recorded calls have at one time
    pub live_bytes: u64,
    /// of a graph made from a function: forms that are kept
    pub form_count: u64,
}

impl GraphInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_graph_info) -> GraphInfo {
        GraphInfo {
            call_count: raw.call_count,
            kept_bytes: raw.kept_bytes,
            step_count: raw.step_count,
            ready_count: raw.ready_count,
            command_count: raw.command_count,
            planned_bytes: raw.planned_bytes,
            live_bytes: raw.live_bytes,
            form_count: raw.form_count,
        }
    }
}

/// What is known of a model. Texts that are longer are cut.
#[doc(alias = "netcl_model_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ModelInfo {
    /// nodes that outputs depend on
    pub node_count: u64,
    /// tensors that the device holds: of the file, and what depends on those alone, in their place
    pub weight_count: u64,
    /// their bytes
    pub weight_bytes: u64,
    /// compiled forms that are kept now
    pub form_count: u64,
    /// of the file's format
    pub ir_version: i64,
    /// of the ops of ONNX; 0: the file names none
    pub opset: i64,
    /// The input count.
    pub input_count: u32,
    /// The output count.
    pub output_count: u32,
    /// The name.
    pub name: Text<128>,
    /// the program that wrote the file, with its version
    pub producer: Text<128>,
}

impl ModelInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_model_info) -> ModelInfo {
        ModelInfo {
            node_count: raw.node_count,
            weight_count: raw.weight_count,
            weight_bytes: raw.weight_bytes,
            form_count: raw.form_count,
            ir_version: raw.ir_version,
            opset: raw.opset,
            input_count: raw.input_count,
            output_count: raw.output_count,
            name: Text(raw.name),
            producer: Text(raw.producer),
        }
    }
}

/// An input or an output of a model, as the file describes it.
#[doc(alias = "netcl_model_value")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ModelValue {
    /// Default: the file does not say
    pub dtype: Dtype,
    /// true: the file says the rank; false: rank is 0
    pub has_rank: bool,
    /// The rank.
    pub rank: u32,
    /// true: an input that the host reads, see above
    pub bound: bool,
    /// extents; -1: any
    pub shape: [i64; 8],
    /// cut where it is longer
    pub name: Text<256>,
    /// the extents with their names, "\[batch, 3, 224, 224\]"; "?" for one without; "" without a
    /// rank
    pub dimensions: Text<256>,
}

impl ModelValue {
    pub(crate) fn from_raw(raw: &sys::netcl_model_value) -> ModelValue {
        ModelValue {
            dtype: Dtype(raw.dtype),
            has_rank: raw.has_rank != 0,
            rank: raw.rank,
            bound: raw.bound != 0,
            shape: raw.shape,
            name: Text(raw.name),
            dimensions: Text(raw.dimensions),
        }
    }
}

/// What is known of a file of weights.
#[doc(alias = "netcl_weights_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WeightsInfo {
    /// See [`WeightsFormat`].
    pub format: WeightsFormat,
    /// of GGUF; 0 for other formats
    pub version: u32,
    /// The tensor count.
    pub tensor_count: u32,
    /// keys of __metadata__ of safetensors, key-values of GGUF
    pub metadata_count: u32,
    /// The file bytes.
    pub file_bytes: u64,
}

impl WeightsInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_weights_info) -> WeightsInfo {
        WeightsInfo {
            format: WeightsFormat(raw.format),
            version: raw.version,
            tensor_count: raw.tensor_count,
            metadata_count: raw.metadata_count,
            file_bytes: raw.file_bytes,
        }
    }
}

/// A tensor as its file describes it.
#[doc(alias = "netcl_weights_entry")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WeightsEntry {
    /// of what [`Weights::tensor()`] gives; 0: none
    pub dtype: Dtype,
    /// [`Q4_0`](Quantization::Q4_0), [`Q8_0`](Quantization::Q8_0) or [`Q4_K`](Quantization::Q4_K)
    /// of GGUF; 0: none
    pub quantization: Quantization,
    /// The rank.
    pub rank: u32,
    /// in C order, the slowest first; of weights in blocks that of the weights
    pub shape: [i64; 8],
    /// of the elements in memory; 0 for types of GGUF that this library does not know
    pub byte_count: u64,
    /// as the format calls it: "BF16", "Q6_K", "\<f4"
    pub type_: Text<32>,
    /// The name.
    pub name: Text<256>,
}

impl WeightsEntry {
    pub(crate) fn from_raw(raw: &sys::netcl_weights_entry) -> WeightsEntry {
        WeightsEntry {
            dtype: Dtype(raw.dtype),
            quantization: Quantization(raw.quantization),
            rank: raw.rank,
            shape: raw.shape,
            byte_count: raw.byte_count,
            type_: Text(raw.type_),
            name: Text(raw.name),
        }
    }
}

/// What a group is, as one of its ranks sees it.
#[doc(alias = "netcl_group_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct GroupInfo {
    /// The rank.
    pub rank: u32,
    /// The size.
    pub size: u32,
    /// what made the group unusable; 0 while it is usable
    pub failure: Status,
    /// the one that it has: never [`AUTO`](GroupTransport::AUTO)
    pub transport: GroupTransport,
    /// The timeout ns.
    pub timeout_ns: u64,
    /// collectives that this rank has begun, those among them that a rank refused, sends and
    /// receives left out: while a group is usable, ranks at the same place of the program have the
    /// same number
    pub calls: u64,
}

impl GroupInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_group_info) -> GroupInfo {
        GroupInfo {
            rank: raw.rank,
            size: raw.size,
            failure: Status(raw.failure),
            transport: GroupTransport(raw.transport),
            timeout_ns: raw.timeout_ns,
            calls: raw.calls,
        }
    }
}

/// What a reducer is, and what it has done.
#[doc(alias = "netcl_reducer_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReducerInfo {
    /// with which a bucket is full
    pub bucket_bytes: u64,
    /// that have begun
    pub runs: u64,
    /// that runs have given to it
    pub gradients: u64,
    /// that are joined
    pub buckets: u64,
    /// of the gradients in them
    pub bytes: u64,
    /// See [`Reduction`].
    pub kind: Reduction,
    /// true: the last run was not waited for yet
    pub waiting: bool,
    /// of `bytes`, those that went by rooms of two ranks
    pub room_bytes: u64,
}

impl ReducerInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_reducer_info) -> ReducerInfo {
        ReducerInfo {
            bucket_bytes: raw.bucket_bytes,
            runs: raw.runs,
            gradients: raw.gradients,
            buckets: raw.buckets,
            bytes: raw.bytes,
            kind: Reduction(raw.kind),
            waiting: raw.waiting != 0,
            room_bytes: raw.room_bytes,
        }
    }
}

/// What a sharded tensor is, as one of its ranks sees it.
#[doc(alias = "netcl_sharded_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ShardedInfo {
    /// See [`Dtype`].
    pub dtype: Dtype,
    /// of the tensor
    pub rank: u32,
    /// of the whole
    pub shape: [i64; 8],
    /// dimensions of the mesh
    pub mesh_rank: u32,
    /// The mesh.
    pub mesh: [u32; 3],
    /// what they split, or [`REPLICATED`]
    pub axes: [i32; 3],
}

impl ShardedInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_sharded_info) -> ShardedInfo {
        ShardedInfo {
            dtype: Dtype(raw.dtype),
            rank: raw.rank,
            shape: raw.shape,
            mesh_rank: raw.mesh_rank,
            mesh: raw.mesh,
            axes: raw.axes,
        }
    }
}

/// Where in the whole the block of a rank lies.
#[doc(alias = "netcl_block_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BlockInfo {
    /// index of its first element
    pub first: [i64; 8],
    /// The shape.
    pub shape: [i64; 8],
}

impl BlockInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_block_info) -> BlockInfo {
        BlockInfo {
            first: raw.first,
            shape: raw.shape,
        }
    }
}

/// Statistics of samples, times in nanoseconds for one iteration.
#[doc(alias = "netcl_statistics")]
#[derive(Clone, Debug, Default)]

pub struct Statistics {
    /// samples
    pub count: u64,
    /// The median.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// of the sample (n - 1); 0 for one sample
    pub deviation: f64,
    /// The min.
    pub min: f64,
    /// The max.
    pub max: f64,
    /// quartiles interpolate between samples (Hyndman, Fan, type 7)
    pub quartile_low: f64,
    /// The quartile high.
    pub quartile_high: f64,
    /// interval of the median, from order statistics
    pub interval_low: f64,
    /// The interval high.
    pub interval_high: f64,
    /// probability that the interval holds the true median: at least what was wanted, less where
    /// the samples are too few for that (0.95 takes 6): 0 for 1 sample, 0.75 for 3
    pub confidence: f64,
    /// runs per sample: more than 1 where the clock is coarse
    pub iterations: u64,
    /// runs before the first sample
    pub warmup_count: u64,
    /// of the clock
    pub resolution_ns: u64,
    /// declared by the ops of one iteration; 0: none
    pub bytes: f64,
    /// the part of bytes that is written
    pub bytes_written: f64,
    /// declared by the ops of one iteration; 0: none
    pub operations: f64,
    /// in which the operations are done; 0: unknown, or several
    pub dtype: Dtype,
    /// See [`StopReason`].
    pub stop: StopReason,
    /// true: caches were flushed before samples
    pub cold_cache: bool,
    /// true: a probe showed that flushing makes reads slower here
    pub flush_proven: bool,
    /// true: some of the operations are declared for matrix units
    pub matrix_units: bool,
}

impl Statistics {
    pub(crate) fn from_raw(raw: &sys::netcl_statistics) -> Statistics {
        Statistics {
            count: raw.count,
            median: raw.median,
            mean: raw.mean,
            deviation: raw.deviation,
            min: raw.min,
            max: raw.max,
            quartile_low: raw.quartile_low,
            quartile_high: raw.quartile_high,
            interval_low: raw.interval_low,
            interval_high: raw.interval_high,
            confidence: raw.confidence,
            iterations: raw.iterations,
            warmup_count: raw.warmup_count,
            resolution_ns: raw.resolution_ns,
            bytes: raw.bytes,
            bytes_written: raw.bytes_written,
            operations: raw.operations,
            dtype: Dtype(raw.dtype),
            stop: StopReason(raw.stop),
            cold_cache: raw.cold_cache != 0,
            flush_proven: raw.flush_proven != 0,
            matrix_units: raw.matrix_units != 0,
        }
    }

    pub(crate) fn raw(&self) -> sys::netcl_statistics {
        sys::netcl_statistics {
            count: self.count,
            median: self.median,
            mean: self.mean,
            deviation: self.deviation,
            min: self.min,
            max: self.max,
            quartile_low: self.quartile_low,
            quartile_high: self.quartile_high,
            interval_low: self.interval_low,
            interval_high: self.interval_high,
            confidence: self.confidence,
            iterations: self.iterations,
            warmup_count: self.warmup_count,
            resolution_ns: self.resolution_ns,
            bytes: self.bytes,
            bytes_written: self.bytes_written,
            operations: self.operations,
            dtype: self.dtype.0,
            stop: self.stop.0,
            cold_cache: self.cold_cache as u32,
            flush_proven: self.flush_proven as u32,
            matrix_units: self.matrix_units as u32,
            ..sys::netcl_statistics::INIT
        }
    }
}

/// How the times of two candidates compare.
#[doc(alias = "netcl_comparison")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// median of the first over median of the second
    pub ratio: f64,
    /// bootstrap interval of the ratio (percentiles, seeded)
    pub interval_low: f64,
    /// The interval high.
    pub interval_high: f64,
    /// See [`Verdict`].
    pub verdict: Verdict,
}

impl Comparison {
    pub(crate) fn from_raw(raw: &sys::netcl_comparison) -> Comparison {
        Comparison {
            ratio: raw.ratio,
            interval_low: raw.interval_low,
            interval_high: raw.interval_high,
            verdict: Verdict(raw.verdict),
        }
    }
}

/// What a timer saw between start and stop.
#[doc(alias = "netcl_elapsed")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Elapsed {
    /// start of the first command to end of the last
    pub span_ns: u64,
    /// union of the commands' times
    pub busy_ns: u64,
    /// the host's clock from start to the first stop
    pub host_ns: u64,
    /// The commands.
    pub commands: u64,
}

impl Elapsed {
    pub(crate) fn from_raw(raw: &sys::netcl_elapsed) -> Elapsed {
        Elapsed {
            span_ns: raw.span_ns,
            busy_ns: raw.busy_ns,
            host_ns: raw.host_ns,
            commands: raw.commands,
        }
    }
}

/// How near a kernel is to the limits of its device. Percentages may exceed 100: beating a ceiling
/// shows that the ceiling is wrong, and is warned of above 105.
#[doc(alias = "netcl_roofline_result")]
#[derive(Clone, Debug, Default)]

pub struct RooflineResult {
    /// The compute sol pct.
    pub compute_sol_pct: f64,
    /// The memory sol pct.
    pub memory_sol_pct: f64,
    /// the larger of the two
    pub efficiency_pct: f64,
    /// true: efficiency_pct \>= threshold_pct
    pub at_roofline: bool,
    /// true: some of the work ran on them
    pub uses_tensor_cores: bool,
    /// 100 - efficiency_pct, at least 0
    pub headroom_pct: f64,
    /// See [`Bottleneck`].
    pub bottleneck: Bottleneck,
    /// See [`RooflineSource`].
    pub source: RooflineSource,
    /// model: operations per byte; 0 when unknown
    pub arithmetic_intensity: f64,
    /// the time it is about; 0 when unknown
    pub time_ns: f64,
    /// model: the shortest time that the ceilings allow
    pub roof_ns: f64,
    /// The warnings count.
    pub warnings_count: u32,
    /// model: the ceiling that binds, "memory_read"
    pub ceiling: Text<32>,
    /// joined by "; "
    pub warnings: Text<512>,
    /// NCU report: the launches that matched; else 0
    pub launches_count: u32,
    /// which of these it is, from 0 on, as they stand there
    pub launch: u32,
    /// its kernel, as far as it fits; control bytes are spaces
    pub kernel: Text<256>,
}

impl RooflineResult {
    pub(crate) fn from_raw(raw: &sys::netcl_roofline_result) -> RooflineResult {
        RooflineResult {
            compute_sol_pct: raw.compute_sol_pct,
            memory_sol_pct: raw.memory_sol_pct,
            efficiency_pct: raw.efficiency_pct,
            at_roofline: raw.at_roofline != 0,
            uses_tensor_cores: raw.uses_tensor_cores != 0,
            headroom_pct: raw.headroom_pct,
            bottleneck: Bottleneck(raw.bottleneck),
            source: RooflineSource(raw.source),
            arithmetic_intensity: raw.arithmetic_intensity,
            time_ns: raw.time_ns,
            roof_ns: raw.roof_ns,
            warnings_count: raw.warnings_count,
            ceiling: Text(raw.ceiling),
            warnings: Text(raw.warnings),
            launches_count: raw.launches_count,
            launch: raw.launch,
            kernel: Text(raw.kernel),
        }
    }

    pub(crate) fn raw(&self) -> sys::netcl_roofline_result {
        sys::netcl_roofline_result {
            compute_sol_pct: self.compute_sol_pct,
            memory_sol_pct: self.memory_sol_pct,
            efficiency_pct: self.efficiency_pct,
            at_roofline: self.at_roofline as u32,
            uses_tensor_cores: self.uses_tensor_cores as u32,
            headroom_pct: self.headroom_pct,
            bottleneck: self.bottleneck.0,
            source: self.source.0,
            arithmetic_intensity: self.arithmetic_intensity,
            time_ns: self.time_ns,
            roof_ns: self.roof_ns,
            warnings_count: self.warnings_count,
            ceiling: self.ceiling.0,
            warnings: self.warnings.0,
            launches_count: self.launches_count,
            launch: self.launch,
            kernel: self.kernel.0,
            ..sys::netcl_roofline_result::INIT
        }
    }
}

/// One limit. Frozen: travels in arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ceiling {
    /// See [`CeilingKind`].
    pub kind: CeilingKind,
    /// COMPUTE and TENSOR; else 0
    pub dtype: Dtype,
    /// CACHE_...: bytes; else 0
    pub working_set: u64,
    /// the best seen, per second
    pub value: f64,
    /// interquartile range of what was seen over its median
    pub spread: f64,
    /// not 0: set by the caller
    pub given: u32,
    /// not 0: an analyzed time beat it by more than 5 %
    pub disproved: u32,
}

impl From<sys::netcl_ceiling> for Ceiling {
    fn from(raw: sys::netcl_ceiling) -> Ceiling {
        Ceiling { kind: CeilingKind(raw.kind), dtype: Dtype(raw.dtype), working_set: raw.working_set, value: raw.value, spread: raw.spread, given: raw.given, disproved: raw.disproved }
    }
}

impl From<Ceiling> for sys::netcl_ceiling {
    fn from(own: Ceiling) -> sys::netcl_ceiling {
        sys::netcl_ceiling { kind: own.kind.0, dtype: own.dtype.0, working_set: own.working_set, value: own.value, spread: own.spread, given: own.given, disproved: own.disproved }
    }
}

const _: () = assert!(std::mem::size_of::<Ceiling>() == std::mem::size_of::<sys::netcl_ceiling>());

/// Where ceilings come from.
#[doc(alias = "netcl_ceilings_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CeilingsInfo {
    /// CLOCK_REALTIME of the measuring; 0: nothing was measured
    pub time_ns: u64,
    /// how long it took
    pub spent_ns: u64,
    /// rows that [`Ceilings::get()`] gives
    pub rows_count: u32,
    /// true: measured by an earlier process
    pub from_store: bool,
    /// The device.
    pub device: Text<256>,
    /// The driver version.
    pub driver_version: Text<128>,
}

impl CeilingsInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_ceilings_info) -> CeilingsInfo {
        CeilingsInfo {
            time_ns: raw.time_ns,
            spent_ns: raw.spent_ns,
            rows_count: raw.rows_count,
            from_store: raw.from_store != 0,
            device: Text(raw.device),
            driver_version: Text(raw.driver_version),
        }
    }
}

/// One record. Times are nanoseconds, 0 when unknown; longer texts are cut.
#[doc(alias = "netcl_tuning_record")]
#[derive(Clone, Debug, Default)]

pub struct TuningRecord {
    /// The median.
    pub median: f64,
    /// The interval low.
    pub interval_low: f64,
    /// The interval high.
    pub interval_high: f64,
    /// of BEST: what the default configuration takes
    pub default_median: f64,
    /// The samples count.
    pub samples_count: u64,
    /// seconds since 1970
    pub timestamp: i64,
    /// The shape.
    pub shape: [i64; 24],
    /// The shape count.
    pub shape_count: u32,
    /// of an answer, else 0
    pub match_: Match,
    /// See [`TuningRecordKind`].
    pub kind: TuningRecordKind,
    /// See [`Outcome`].
    pub outcome: Outcome,
    /// The kernel.
    pub kernel: Text<128>,
    /// The source.
    pub source: Text<64>,
    /// The flags.
    pub flags: Text<256>,
    /// The dtypes.
    pub dtypes: Text<128>,
    /// The layout.
    pub layout: Text<64>,
    /// The part.
    pub part: Text<256>,
    /// The driver.
    pub driver: Text<256>,
    /// of BEST and QUARANTINE: why; else what went wrong
    pub reason: Text<256>,
    /// as in [`TuningKey`]
    pub scalars: [i64; 16],
    /// The scalars count.
    pub scalars_count: u32,
    /// work items, where a formula of the space gave them; else zeros
    pub global: [u64; 3],
    /// of a group, likewise
    pub local: [u64; 3],
}

impl TuningRecord {
    pub(crate) fn from_raw(raw: &sys::netcl_tuning_record) -> TuningRecord {
        TuningRecord {
            median: raw.median,
            interval_low: raw.interval_low,
            interval_high: raw.interval_high,
            default_median: raw.default_median,
            samples_count: raw.samples_count,
            timestamp: raw.timestamp,
            shape: raw.shape,
            shape_count: raw.shape_count,
            match_: Match(raw.match_),
            kind: TuningRecordKind(raw.kind),
            outcome: Outcome(raw.outcome),
            kernel: Text(raw.kernel),
            source: Text(raw.source),
            flags: Text(raw.flags),
            dtypes: Text(raw.dtypes),
            layout: Text(raw.layout),
            part: Text(raw.part),
            driver: Text(raw.driver),
            reason: Text(raw.reason),
            scalars: raw.scalars,
            scalars_count: raw.scalars_count,
            global: raw.global,
            local: raw.local,
        }
    }

    pub(crate) fn raw(&self) -> sys::netcl_tuning_record {
        sys::netcl_tuning_record {
            median: self.median,
            interval_low: self.interval_low,
            interval_high: self.interval_high,
            default_median: self.default_median,
            samples_count: self.samples_count,
            timestamp: self.timestamp,
            shape: self.shape,
            shape_count: self.shape_count,
            match_: self.match_.0,
            kind: self.kind.0,
            outcome: self.outcome.0,
            kernel: self.kernel.0,
            source: self.source.0,
            flags: self.flags.0,
            dtypes: self.dtypes.0,
            layout: self.layout.0,
            part: self.part.0,
            driver: self.driver.0,
            reason: self.reason.0,
            scalars: self.scalars,
            scalars_count: self.scalars_count,
            global: self.global,
            local: self.local,
            ..sys::netcl_tuning_record::INIT
        }
    }
}

/// Facts about a database.
#[doc(alias = "netcl_tuning_database_info")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TuningDatabaseInfo {
    /// in force
    pub records: u64,
    /// of this version in the file, superseded ones included
    pub lines: u64,
    /// of these, by later lines
    pub superseded: u64,
    /// lines that a later release wrote
    pub foreign: u64,
    /// lines that are passed over
    pub damaged: u64,
    /// of the file
    pub bytes: u64,
    /// "" when it lives in memory
    pub path: Text<512>,
    /// why it lives in memory; "" when it does not
    pub reason: Text<256>,
}

impl TuningDatabaseInfo {
    pub(crate) fn from_raw(raw: &sys::netcl_tuning_database_info) -> TuningDatabaseInfo {
        TuningDatabaseInfo {
            records: raw.records,
            lines: raw.lines,
            superseded: raw.superseded,
            foreign: raw.foreign,
            damaged: raw.damaged,
            bytes: raw.bytes,
            path: Text(raw.path),
            reason: Text(raw.reason),
        }
    }
}

/// What became of a candidate. Times are nanoseconds, all 0 unless the outcome is CORRECT.
#[doc(alias = "netcl_benchmark_result")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BenchmarkResult {
    /// See [`Outcome`].
    pub outcome: Outcome,
    /// workers it has cost so far; after 3 it is not tried again
    pub deaths: u32,
    /// samples
    pub count: u64,
    /// The mean.
    pub mean: f64,
    /// The deviation.
    pub deviation: f64,
    /// The min.
    pub min: f64,
    /// The max.
    pub max: f64,
    /// The median.
    pub median: f64,
    /// mean of the baseline over mean; 0 without a baseline
    pub speedup: f64,
    /// building it took; little when it was in the cache
    pub compile_ns: u64,
    /// of the first checked run on the device; 0 without one
    pub first_run_ns: u64,
    /// as launched; zeros when it was not
    pub global: [u64; 3],
    /// The local.
    pub local: [u64; 3],
    /// what went wrong: the argument, the element, got and wanted
    pub message: Text<512>,
}

impl BenchmarkResult {
    pub(crate) fn from_raw(raw: &sys::netcl_benchmark_result) -> BenchmarkResult {
        BenchmarkResult {
            outcome: Outcome(raw.outcome),
            deaths: raw.deaths,
            count: raw.count,
            mean: raw.mean,
            deviation: raw.deviation,
            min: raw.min,
            max: raw.max,
            median: raw.median,
            speedup: raw.speedup,
            compile_ns: raw.compile_ns,
            first_run_ns: raw.first_run_ns,
            global: raw.global,
            local: raw.local,
            message: Text(raw.message),
        }
    }
}

/// What happened in a search.
#[doc(alias = "netcl_search_event")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SearchEvent {
    /// counts from 1
    pub sequence: u64,
    /// CLOCK_MONOTONIC
    pub time_ns: u64,
    /// candidates so far
    pub evaluations: u64,
    /// estimate of the time left; 0 when unknown
    pub left_ns: u64,
    /// done so far, 0 to 1
    pub fraction: f64,
    /// median of the candidate, 0 when it has none
    pub candidate_ns: f64,
    /// median of the best so far, 0 when there is none
    pub best_ns: f64,
    /// See [`SearchEventKind`].
    pub kind: SearchEventKind,
    /// The candidate.
    pub candidate: u32,
    /// of the candidate
    pub outcome: Outcome,
    /// index of the best candidate so far
    pub best: u32,
    /// of a tuner: which of its entries; else 0
    pub entry: u32,
}

impl SearchEvent {
    pub(crate) fn from_raw(raw: &sys::netcl_search_event) -> SearchEvent {
        SearchEvent {
            sequence: raw.sequence,
            time_ns: raw.time_ns,
            evaluations: raw.evaluations,
            left_ns: raw.left_ns,
            fraction: raw.fraction,
            candidate_ns: raw.candidate_ns,
            best_ns: raw.best_ns,
            kind: SearchEventKind(raw.kind),
            candidate: raw.candidate,
            outcome: Outcome(raw.outcome),
            best: raw.best,
            entry: raw.entry,
        }
    }
}

/// What a search found. Times are nanoseconds.
#[doc(alias = "netcl_search_result")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SearchResult {
    /// [`RUNNING`](StopReason::RUNNING) while it goes on
    pub stop: StopReason,
    /// index of the winner, of the best so far before the end
    pub best: u32,
    /// valid ones, estimated where counting takes long, and default
    pub configurations: u64,
    /// of them tried
    pub evaluations: u64,
    /// of these, from an earlier run
    pub known: u64,
    /// since the first ask
    pub elapsed_ns: u64,
    /// of the winner
    pub median: f64,
    /// The interval low.
    pub interval_low: f64,
    /// The interval high.
    pub interval_high: f64,
    /// of the default, 0 when it is not valid
    pub default_median: f64,
    /// median of the default over that of the winner, 1 for itself
    pub gain: f64,
    /// interval of the gain, of confidence 0.999
    pub gain_low: f64,
    /// The gain high.
    pub gain_high: f64,
    /// true: the winner is the default configuration
    pub is_default: bool,
    /// true: the default won, as a faster one could not be told from it
    pub tie: bool,
    /// candidates by [`Outcome`]
    pub counts: [u64; 16],
}

impl SearchResult {
    pub(crate) fn from_raw(raw: &sys::netcl_search_result) -> SearchResult {
        SearchResult {
            stop: StopReason(raw.stop),
            best: raw.best,
            configurations: raw.configurations,
            evaluations: raw.evaluations,
            known: raw.known,
            elapsed_ns: raw.elapsed_ns,
            median: raw.median,
            interval_low: raw.interval_low,
            interval_high: raw.interval_high,
            default_median: raw.default_median,
            gain: raw.gain,
            gain_low: raw.gain_low,
            gain_high: raw.gain_high,
            is_default: raw.is_default != 0,
            tie: raw.tie != 0,
            counts: raw.counts,
        }
    }
}

/// One candidate of a search. Times are nanoseconds, 0 without samples.
#[doc(alias = "netcl_search_candidate")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SearchCandidate {
    /// in its space; UINT64_MAX: in none, or in one beyond 2^20
    pub place: u64,
    /// The samples count.
    pub samples_count: u64,
    /// 0 when unknown
    pub compile_ns: u64,
    /// The median.
    pub median: f64,
    /// The interval low.
    pub interval_low: f64,
    /// The interval high.
    pub interval_high: f64,
    /// [`UNKNOWN`](Outcome::UNKNOWN) until its first rounds are over
    pub outcome: Outcome,
    /// true: found by an earlier run
    pub known: bool,
    /// what is wrong with it, or which one it is the same program as
    pub message: Text<256>,
}

impl SearchCandidate {
    pub(crate) fn from_raw(raw: &sys::netcl_search_candidate) -> SearchCandidate {
        SearchCandidate {
            place: raw.place,
            samples_count: raw.samples_count,
            compile_ns: raw.compile_ns,
            median: raw.median,
            interval_low: raw.interval_low,
            interval_high: raw.interval_high,
            outcome: Outcome(raw.outcome),
            known: raw.known != 0,
            message: Text(raw.message),
        }
    }
}

/// How a search does on a recording; see [`Search::replay()`].
#[doc(alias = "netcl_replay_result")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReplayResult {
    /// configurations of the recording
    pub recorded: u64,
    /// of these, those that have a time
    pub valid: u64,
    /// configurations that the search tried
    pub evaluations: u64,
    /// the shortest time of the recording, nanoseconds
    pub optimum: f64,
    /// what the search found, nanoseconds; 0: nothing valid
    pub best: f64,
    /// See [`StopReason`].
    pub stop: StopReason,
    /// that [`AUTO`](SearchStrategy::AUTO) stood for, or as given
    pub strategy: SearchStrategy,
}

impl ReplayResult {
    pub(crate) fn from_raw(raw: &sys::netcl_replay_result) -> ReplayResult {
        ReplayResult {
            recorded: raw.recorded,
            valid: raw.valid,
            evaluations: raw.evaluations,
            optimum: raw.optimum,
            best: raw.best,
            stop: StopReason(raw.stop),
            strategy: SearchStrategy(raw.strategy),
        }
    }
}

/// How an entry of a tuner stands.
#[doc(alias = "netcl_tuner_result")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TunerResult {
    /// [`EXACT`](Match::EXACT) when the database has its result, else [`NONE`](Match::NONE)
    pub match_: Match,
    /// true: this tuner measured it; false: it was stored, or is still to do
    pub measured: bool,
    /// [`Status::OK`], or why it could not be tuned
    pub status: Status,
    /// spent on it
    pub elapsed_ns: u64,
    /// configurations tried; 0 unless measured
    pub evaluations: u64,
    /// of the best, nanoseconds
    pub median: f64,
    /// The default median.
    pub default_median: f64,
    /// The name.
    pub name: Text<128>,
    /// of a status other than [`Status::OK`]
    pub message: Text<256>,
    /// of the best, where a formula of the space gives it; else zeros
    pub global: [u64; 3],
    /// likewise
    pub local: [u64; 3],
}

impl TunerResult {
    pub(crate) fn from_raw(raw: &sys::netcl_tuner_result) -> TunerResult {
        TunerResult {
            match_: Match(raw.match_),
            measured: raw.measured != 0,
            status: Status(raw.status),
            elapsed_ns: raw.elapsed_ns,
            evaluations: raw.evaluations,
            median: raw.median,
            default_median: raw.default_median,
            name: Text(raw.name),
            message: Text(raw.message),
            global: raw.global,
            local: raw.local,
        }
    }
}
