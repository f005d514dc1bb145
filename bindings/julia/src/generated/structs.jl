# Written by bindings/generator from include/netcl.h; changes here are lost.

# Structs. Offsets are those of C on machines with 64-bit pointers.

const POINTER_SIZE = 8

"""
    PoolBucket

One bucket of a pool. Frozen: travels in arrays.

* `bytes`: size of each buffer of the bucket
* `in_use`: leased buffers
* `cached`: buffers kept for reuse
* `hits`
* `misses`
"""
struct PoolBucket
    bytes::UInt64
    in_use::UInt64
    cached::UInt64
    hits::UInt64
    misses::UInt64
end

"""
    Range

One dimension of a slice: element i is start + i \\* step, 0 <= i < extent. Frozen.

* `start`
* `extent`
* `step`: not 0; negative steps walk backwards
"""
struct Range
    start::Int64
    extent::Int64
    step::Int64
end

"""
    Arg

One kernel argument. Frozen at 64 bytes: travels in arrays. Where the driver tells the types
of parameters, a tensor or scalar of another dtype than the parameter's elements is refused
with INVALID\\_ARGUMENT, unless `reinterpret` is true. bool fits char and uchar, f16 and
bf16 fit ushort, and the elements of float4 are f32; parameters of other types (void,
structs) take anything.

* `kind`
* `size`: bytes of value, data or local memory
* `value`
* `tensor`
* `data`
* `dtype`: of a scalar's elements; 0: not told, so that only its size counts
* `reinterpret`: true: the parameter is meant to see the bytes as its own type
"""
struct Arg
    kind::ArgKind
    size::UInt32
    value::NTuple{32,UInt8}
    tensor::Ptr{Cvoid}
    data::Ptr{Cvoid}
    dtype::Dtype
    reinterpret::UInt32
end

"""
    Ceiling

One limit. Frozen: travels in arrays.

* `kind`
* `dtype`: COMPUTE and TENSOR; else 0
* `working_set`: CACHE\\_...: bytes; else 0
* `value`: the best seen, per second
* `spread`: interquartile range of what was seen over its median
* `given`: not 0: set by the caller
* `disproved`: not 0: an analyzed time beat it by more than 5 %
"""
struct Ceiling
    kind::CeilingKind
    dtype::Dtype
    working_set::UInt64
    value::Float64
    spread::Float64
    given::UInt32
    disproved::UInt32
end

"""
    ErrorInfo

What went wrong last on a thread, or in a command.

* `status`
* `native_code`: the OpenCL code, 0 when no driver was involved
* `message`: one line; cut at a character boundary when longer
"""
struct ErrorInfo <: Info
    status::Status
    native_code::Int
    message::String
end
info_size(::Type{ErrorInfo}) = 1040
function read_info(::Type{ErrorInfo}, place::Ptr{UInt8})
    return ErrorInfo(
        unsafe_load(Ptr{Status}(place + 8)), unsafe_load(Ptr{Int32}(place + 12)),
        inline_text(place + 16, 1024)
    )
end

"""
    LibraryInfo

Facts about this build of the library.

* `version_number`: `NETCL_VERSION_NUMBER` of the library, not of the header
* `abi_version`: the number in the soname
* `version`: \"0.1.0\"
* `compiler`: \"gcc 12.2.0\"
* `build_type`: \"Release\"
* `simd_target`: instruction set the built-in CPU device uses here: \"AVX3\"
* `codegen_version`: hash of all embedded kernels and generators
"""
struct LibraryInfo <: Info
    version_number::Int
    abi_version::Int
    version::String
    compiler::String
    build_type::String
    simd_target::String
    codegen_version::String
end
info_size(::Type{LibraryInfo}) = 216
function read_info(::Type{LibraryInfo}, place::Ptr{UInt8})
    return LibraryInfo(
        unsafe_load(Ptr{UInt32}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)),
        inline_text(place + 16, 32), inline_text(place + 48, 64),
        inline_text(place + 112, 32), inline_text(place + 144, 32),
        inline_text(place + 176, 40)
    )
end

"""
    LogRecord

One entry of the log.

* `sequence`: counts from 1
* `time_ns`: CLOCK\\_REALTIME
* `level`
* `message`: one line; cut at a character boundary when longer
"""
struct LogRecord <: Info
    sequence::UInt64
    time_ns::UInt64
    level::LogLevel
    message::String
end
info_size(::Type{LogRecord}) = 528
function read_info(::Type{LogRecord}, place::Ptr{UInt8})
    return LogRecord(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{LogLevel}(place + 24)), inline_text(place + 32, 496)
    )
end

"""
    DeviceInfo

Identity of a device.

* `index`: place in the list of `netcl_device_count`; UINT32\\_MAX: wrapped, or the built-in
  device before anything has looked at the list
* `type`
* `backend`
* `platform_index`: P of the selector \"P:D\"; UINT32\\_MAX for the built-in device
* `device_index`: D of the selector \"P:D\"
* `has_uuid`: true: uuid is known
* `uuid`
* `name`
* `vendor`
* `platform_name`
* `version`: \"OpenCL 3.0 ...\"; \"netcl 0.1.0\" for the built-in device
* `driver_version`
"""
struct DeviceInfo <: Info
    index::Int
    type::DeviceType
    backend::Backend
    platform_index::Int
    device_index::Int
    has_uuid::Bool
    uuid::NTuple{16,UInt8}
    name::String
    vendor::String
    platform_name::String
    version::String
    driver_version::String
end
info_size(::Type{DeviceInfo}) = 816
function read_info(::Type{DeviceInfo}, place::Ptr{UInt8})
    return DeviceInfo(
        unsafe_load(Ptr{UInt32}(place + 8)), unsafe_load(Ptr{DeviceType}(place + 12)),
        unsafe_load(Ptr{Backend}(place + 16)), unsafe_load(Ptr{UInt32}(place + 20)),
        unsafe_load(Ptr{UInt32}(place + 24)), unsafe_load(Ptr{UInt32}(place + 28)) != 0,
        unsafe_load(Ptr{NTuple{16,UInt8}}(place + 32)), inline_text(place + 48, 256),
        inline_text(place + 304, 128), inline_text(place + 432, 128),
        inline_text(place + 560, 128), inline_text(place + 688, 128)
    )
end
function DeviceInfo(;
    index = Int(0), type = DeviceType(0), backend = Backend(0), platform_index = Int(0),
    device_index = Int(0), has_uuid = false, uuid = ntuple(_ -> UInt8(0), 16), name = "",
    vendor = "", platform_name = "", version = "", driver_version = ""
)
    return DeviceInfo(
    index, type, backend, platform_index, device_index, has_uuid, uuid, name, vendor,
    platform_name, version, driver_version
)
end

function fill_device_info!(
    place::Ptr{UInt8}, keep, index, type, backend, platform_index, device_index, has_uuid,
    uuid, name, vendor, platform_name, version, driver_version
)
    clear_bytes(place, 816)
    unsafe_store!(Ptr{Csize_t}(place), 816)
    unsafe_store!(Ptr{UInt32}(place + 8), index)
    unsafe_store!(Ptr{Int32}(place + 12), enum(DeviceType, type).value)
    unsafe_store!(Ptr{Int32}(place + 16), enum(Backend, backend).value)
    unsafe_store!(Ptr{UInt32}(place + 20), platform_index)
    unsafe_store!(Ptr{UInt32}(place + 24), device_index)
    unsafe_store!(Ptr{UInt32}(place + 28), has_uuid)
    store_tuple(:uuid, Ptr{UInt8}(place + 32), 16, uuid)
    store_text(place + 48, 256, name)
    store_text(place + 304, 128, vendor)
    store_text(place + 432, 128, platform_name)
    store_text(place + 560, 128, version)
    store_text(place + 688, 128, driver_version)
    return place
end
struct_size(::DeviceInfo) = 816
function fill_struct!(place::Ptr{UInt8}, keep, object::DeviceInfo)
    return fill_device_info!(
        place, keep, object.index, object.type, object.backend, object.platform_index,
        object.device_index, object.has_uuid, object.uuid, object.name, object.vendor,
        object.platform_name, object.version, object.driver_version
    )
end

"""
    DeviceCapabilities

What a device can do; fixed once the device is open.

* `fp16`: true: half arithmetic runs (announced, or probed)
* `fp16_announced`: true: an extension mentions fp16
* `fp64`: true: double arithmetic
* `subgroups`: true: an extension mentions subgroup
* `int64_atomics`: true: 64-bit base or extended atomics
* `svm`: true: any kind of shared virtual memory
* `integrated`: true: shares memory with the host: zero-copy is possible
* `out_of_order`: true: out-of-order queues exist
* `il`: true: takes SPIR-V
* `compute_units`
* `max_clock_mhz`
* `preferred_vector_width_f32`
* `subgroup_size`: preferred multiple of the local size, at least 1
* `mem_base_align_bytes`: alignment of sub-buffers
* `max_work_item_dimensions`
* `strategy`: see `NETCL_KERNEL_STRATEGY`
* `max_work_group_size`
* `max_work_item_sizes`
* `local_memory_bytes`
* `global_memory_bytes`
* `max_allocation_bytes`
* `global_cache_bytes`
* `max_constant_bytes`
* `timer_resolution_ns`
* `matrix_units`: NONE while `NETCL_MATRIX_UNITS`=0
"""
struct DeviceCapabilities <: Info
    fp16::Bool
    fp16_announced::Bool
    fp64::Bool
    subgroups::Bool
    int64_atomics::Bool
    svm::Bool
    integrated::Bool
    out_of_order::Bool
    il::Bool
    compute_units::Int
    max_clock_mhz::Int
    preferred_vector_width_f32::Int
    subgroup_size::Int
    mem_base_align_bytes::Int
    max_work_item_dimensions::Int
    strategy::Strategy
    max_work_group_size::UInt64
    max_work_item_sizes::NTuple{3,UInt64}
    local_memory_bytes::UInt64
    global_memory_bytes::UInt64
    max_allocation_bytes::UInt64
    global_cache_bytes::UInt64
    max_constant_bytes::UInt64
    timer_resolution_ns::UInt64
    matrix_units::MatrixUnits
end
info_size(::Type{DeviceCapabilities}) = 160
function read_info(::Type{DeviceCapabilities}, place::Ptr{UInt8})
    return DeviceCapabilities(
        unsafe_load(Ptr{UInt32}(place + 8)) != 0, unsafe_load(Ptr{UInt32}(place + 12)) != 0,
        unsafe_load(Ptr{UInt32}(place + 16)) != 0,
        unsafe_load(Ptr{UInt32}(place + 20)) != 0,
        unsafe_load(Ptr{UInt32}(place + 24)) != 0,
        unsafe_load(Ptr{UInt32}(place + 28)) != 0,
        unsafe_load(Ptr{UInt32}(place + 32)) != 0,
        unsafe_load(Ptr{UInt32}(place + 36)) != 0,
        unsafe_load(Ptr{UInt32}(place + 40)) != 0, unsafe_load(Ptr{UInt32}(place + 44)),
        unsafe_load(Ptr{UInt32}(place + 48)), unsafe_load(Ptr{UInt32}(place + 52)),
        unsafe_load(Ptr{UInt32}(place + 56)), unsafe_load(Ptr{UInt32}(place + 60)),
        unsafe_load(Ptr{UInt32}(place + 64)), unsafe_load(Ptr{Strategy}(place + 68)),
        unsafe_load(Ptr{UInt64}(place + 72)),
        unsafe_load(Ptr{NTuple{3,UInt64}}(place + 80)),
        unsafe_load(Ptr{UInt64}(place + 104)), unsafe_load(Ptr{UInt64}(place + 112)),
        unsafe_load(Ptr{UInt64}(place + 120)), unsafe_load(Ptr{UInt64}(place + 128)),
        unsafe_load(Ptr{UInt64}(place + 136)), unsafe_load(Ptr{UInt64}(place + 144)),
        unsafe_load(Ptr{MatrixUnits}(place + 152))
    )
end
function DeviceCapabilities(;
    fp16 = false, fp16_announced = false, fp64 = false, subgroups = false,
    int64_atomics = false, svm = false, integrated = false, out_of_order = false,
    il = false, compute_units = Int(0), max_clock_mhz = Int(0),
    preferred_vector_width_f32 = Int(0), subgroup_size = Int(0),
    mem_base_align_bytes = Int(0), max_work_item_dimensions = Int(0),
    strategy = Strategy(0), max_work_group_size = UInt64(0),
    max_work_item_sizes = ntuple(_ -> UInt64(0), 3), local_memory_bytes = UInt64(0),
    global_memory_bytes = UInt64(0), max_allocation_bytes = UInt64(0),
    global_cache_bytes = UInt64(0), max_constant_bytes = UInt64(0),
    timer_resolution_ns = UInt64(0), matrix_units = MatrixUnits(0)
)
    return DeviceCapabilities(
    fp16, fp16_announced, fp64, subgroups, int64_atomics, svm, integrated, out_of_order, il,
    compute_units, max_clock_mhz, preferred_vector_width_f32, subgroup_size,
    mem_base_align_bytes, max_work_item_dimensions, strategy, max_work_group_size,
    max_work_item_sizes, local_memory_bytes, global_memory_bytes, max_allocation_bytes,
    global_cache_bytes, max_constant_bytes, timer_resolution_ns, matrix_units
)
end

function fill_device_capabilities!(
    place::Ptr{UInt8}, keep, fp16, fp16_announced, fp64, subgroups, int64_atomics, svm,
    integrated, out_of_order, il, compute_units, max_clock_mhz, preferred_vector_width_f32,
    subgroup_size, mem_base_align_bytes, max_work_item_dimensions, strategy,
    max_work_group_size, max_work_item_sizes, local_memory_bytes, global_memory_bytes,
    max_allocation_bytes, global_cache_bytes, max_constant_bytes, timer_resolution_ns,
    matrix_units
)
    clear_bytes(place, 160)
    unsafe_store!(Ptr{Csize_t}(place), 160)
    unsafe_store!(Ptr{UInt32}(place + 8), fp16)
    unsafe_store!(Ptr{UInt32}(place + 12), fp16_announced)
    unsafe_store!(Ptr{UInt32}(place + 16), fp64)
    unsafe_store!(Ptr{UInt32}(place + 20), subgroups)
    unsafe_store!(Ptr{UInt32}(place + 24), int64_atomics)
    unsafe_store!(Ptr{UInt32}(place + 28), svm)
    unsafe_store!(Ptr{UInt32}(place + 32), integrated)
    unsafe_store!(Ptr{UInt32}(place + 36), out_of_order)
    unsafe_store!(Ptr{UInt32}(place + 40), il)
    unsafe_store!(Ptr{UInt32}(place + 44), compute_units)
    unsafe_store!(Ptr{UInt32}(place + 48), max_clock_mhz)
    unsafe_store!(Ptr{UInt32}(place + 52), preferred_vector_width_f32)
    unsafe_store!(Ptr{UInt32}(place + 56), subgroup_size)
    unsafe_store!(Ptr{UInt32}(place + 60), mem_base_align_bytes)
    unsafe_store!(Ptr{UInt32}(place + 64), max_work_item_dimensions)
    unsafe_store!(Ptr{Int32}(place + 68), enum(Strategy, strategy).value)
    unsafe_store!(Ptr{UInt64}(place + 72), max_work_group_size)
    store_tuple(:max_work_item_sizes, Ptr{UInt64}(place + 80), 3, max_work_item_sizes)
    unsafe_store!(Ptr{UInt64}(place + 104), local_memory_bytes)
    unsafe_store!(Ptr{UInt64}(place + 112), global_memory_bytes)
    unsafe_store!(Ptr{UInt64}(place + 120), max_allocation_bytes)
    unsafe_store!(Ptr{UInt64}(place + 128), global_cache_bytes)
    unsafe_store!(Ptr{UInt64}(place + 136), max_constant_bytes)
    unsafe_store!(Ptr{UInt64}(place + 144), timer_resolution_ns)
    unsafe_store!(Ptr{Int32}(place + 152), enum(MatrixUnits, matrix_units).value)
    return place
end
struct_size(::DeviceCapabilities) = 160
function fill_struct!(place::Ptr{UInt8}, keep, object::DeviceCapabilities)
    return fill_device_capabilities!(
        place, keep, object.fp16, object.fp16_announced, object.fp64, object.subgroups,
        object.int64_atomics, object.svm, object.integrated, object.out_of_order, object.il,
        object.compute_units, object.max_clock_mhz, object.preferred_vector_width_f32,
        object.subgroup_size, object.mem_base_align_bytes, object.max_work_item_dimensions,
        object.strategy, object.max_work_group_size, object.max_work_item_sizes,
        object.local_memory_bytes, object.global_memory_bytes, object.max_allocation_bytes,
        object.global_cache_bytes, object.max_constant_bytes, object.timer_resolution_ns,
        object.matrix_units
    )
end

"""
    CopyExplanation

How a copy between two devices goes; see `netcl_device_explain_copy`.

* `road`
* `packs`: true: what is not packed in C order is copied once more on its device
* `piece_bytes`: at most, of what goes through page-locked memory; 0: nothing does
* `reason`: a sentence: why it is this road
"""
struct CopyExplanation <: Info
    road::CopyRoad
    packs::Bool
    piece_bytes::UInt64
    reason::String
end
info_size(::Type{CopyExplanation}) = 536
function read_info(::Type{CopyExplanation}, place::Ptr{UInt8})
    return CopyExplanation(
        unsafe_load(Ptr{CopyRoad}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)) != 0,
        unsafe_load(Ptr{UInt64}(place + 16)), inline_text(place + 24, 512)
    )
end

function fill_device_options!(place::Ptr{UInt8}, keep, separate)
    clear_bytes(place, 16)
    unsafe_store!(Ptr{Csize_t}(place), 16)
    unsafe_store!(Ptr{UInt32}(place + 8), separate)
    return place
end

function fill_queue_options!(place::Ptr{UInt8}, keep, out_of_order, profiling)
    clear_bytes(place, 16)
    unsafe_store!(Ptr{Csize_t}(place), 16)
    unsafe_store!(Ptr{UInt32}(place + 8), out_of_order)
    unsafe_store!(Ptr{UInt32}(place + 12), profiling)
    return place
end

"""
    QueueInfo

What `netcl_queue_info` tells.

* `out_of_order`: true: commands may overtake each other
* `profiling`: true: times are recorded
* `foreign`: true: the queue wraps one of the caller
* `commands`: commands enqueued so far
"""
struct QueueInfo <: Info
    out_of_order::Bool
    profiling::Bool
    foreign::Bool
    commands::UInt64
end
info_size(::Type{QueueInfo}) = 32
function read_info(::Type{QueueInfo}, place::Ptr{UInt8})
    return QueueInfo(
        unsafe_load(Ptr{UInt32}(place + 8)) != 0, unsafe_load(Ptr{UInt32}(place + 12)) != 0,
        unsafe_load(Ptr{UInt32}(place + 16)) != 0, unsafe_load(Ptr{UInt64}(place + 24))
    )
end

"""
    EventTiming

Device times of one command; only differences within one device mean anything.

* `queued_ns`
* `submitted_ns`
* `started_ns`
* `ended_ns`
"""
struct EventTiming <: Info
    queued_ns::UInt64
    submitted_ns::UInt64
    started_ns::UInt64
    ended_ns::UInt64
end
info_size(::Type{EventTiming}) = 40
function read_info(::Type{EventTiming}, place::Ptr{UInt8})
    return EventTiming(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{UInt64}(place + 32))
    )
end

function fill_pool_options!(
    place::Ptr{UInt8}, keep, kind, max_buffers_per_bucket, max_cached_bytes, max_bytes,
    share
)
    clear_bytes(place, 40)
    unsafe_store!(Ptr{Csize_t}(place), 40)
    unsafe_store!(Ptr{Int32}(place + 8), enum(PoolKind, kind).value)
    unsafe_store!(Ptr{UInt32}(place + 12), max_buffers_per_bucket)
    unsafe_store!(Ptr{UInt64}(place + 16), max_cached_bytes)
    unsafe_store!(Ptr{UInt64}(place + 24), max_bytes)
    unsafe_store!(Ptr{UInt32}(place + 32), share)
    return place
end

"""
    PoolInfo

Statistics of a pool.

* `kind`
* `buckets_count`: rows that `netcl_pool_get_buckets` gives
* `hits`: leases served from the cache
* `misses`: leases that needed a new allocation
* `hit_rate`: hits / (hits + misses), 0 before the first lease
* `bytes_allocated`: in use plus cached, in whole buckets
* `bytes_in_use`: leased
* `bytes_cached`: kept for reuse
* `high_water_bytes`: largest bytes\\_allocated so far
* `max_cached_bytes`: UINT64\\_MAX: no limit
* `max_bytes`: UINT64\\_MAX: no limit
"""
struct PoolInfo <: Info
    kind::PoolKind
    buckets_count::Int
    hits::UInt64
    misses::UInt64
    hit_rate::Float64
    bytes_allocated::UInt64
    bytes_in_use::UInt64
    bytes_cached::UInt64
    high_water_bytes::UInt64
    max_cached_bytes::UInt64
    max_bytes::UInt64
end
info_size(::Type{PoolInfo}) = 88
function read_info(::Type{PoolInfo}, place::Ptr{UInt8})
    return PoolInfo(
        unsafe_load(Ptr{PoolKind}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)),
        unsafe_load(Ptr{UInt64}(place + 16)), unsafe_load(Ptr{UInt64}(place + 24)),
        unsafe_load(Ptr{Float64}(place + 32)), unsafe_load(Ptr{UInt64}(place + 40)),
        unsafe_load(Ptr{UInt64}(place + 48)), unsafe_load(Ptr{UInt64}(place + 56)),
        unsafe_load(Ptr{UInt64}(place + 64)), unsafe_load(Ptr{UInt64}(place + 72)),
        unsafe_load(Ptr{UInt64}(place + 80))
    )
end

"""
    BufferInfo

Facts about a piece of memory.

* `bytes`: as asked for
* `bucket_bytes`: as allocated
* `host_pointer`: where the host may access it; `nothing` when it may not
* `pinned`: true: page-locked host memory
* `zero_copy`: true: the device works on host\\_pointer itself
* `shared`: true: a tensor, another handle or a call that is running uses it too
* `exportable`: true: `netcl_buffer_export` gives it to others
"""
struct BufferInfo <: Info
    bytes::UInt64
    bucket_bytes::UInt64
    host_pointer::Ptr{Cvoid}
    pinned::Bool
    zero_copy::Bool
    shared::Bool
    exportable::Bool
end
info_size(::Type{BufferInfo}) = 48
function read_info(::Type{BufferInfo}, place::Ptr{UInt8})
    return BufferInfo(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{Ptr{Cvoid}}(place + 24)), unsafe_load(Ptr{UInt32}(place + 32)) != 0,
        unsafe_load(Ptr{UInt32}(place + 36)) != 0,
        unsafe_load(Ptr{UInt32}(place + 40)) != 0, unsafe_load(Ptr{UInt32}(place + 44)) != 0
    )
end

"""
    SharedMemory

Memory that processes share, and what is needed to open it.

* `kind`
* `descriptor`: a file descriptor
* `offset_bytes`: where the memory begins in what the descriptor stands for
* `bytes`: of the memory
* `total_bytes`: of all that the descriptor stands for
* `device_uuid`: of the GPU; zeros for a file
"""
struct SharedMemory <: Info
    kind::ShareKind
    descriptor::Int
    offset_bytes::UInt64
    bytes::UInt64
    total_bytes::UInt64
    device_uuid::NTuple{16,UInt8}
end
info_size(::Type{SharedMemory}) = 56
function read_info(::Type{SharedMemory}, place::Ptr{UInt8})
    return SharedMemory(
        unsafe_load(Ptr{ShareKind}(place + 8)), unsafe_load(Ptr{Int32}(place + 12)),
        unsafe_load(Ptr{UInt64}(place + 16)), unsafe_load(Ptr{UInt64}(place + 24)),
        unsafe_load(Ptr{UInt64}(place + 32)), unsafe_load(Ptr{NTuple{16,UInt8}}(place + 40))
    )
end
function SharedMemory(;
    kind = ShareKind(0), descriptor = Int(0), offset_bytes = UInt64(0), bytes = UInt64(0),
    total_bytes = UInt64(0), device_uuid = ntuple(_ -> UInt8(0), 16)
)
    return SharedMemory(kind, descriptor, offset_bytes, bytes, total_bytes, device_uuid)
end

function fill_shared_memory!(
    place::Ptr{UInt8}, keep, kind, descriptor, offset_bytes, bytes, total_bytes, device_uuid
)
    clear_bytes(place, 56)
    unsafe_store!(Ptr{Csize_t}(place), 56)
    unsafe_store!(Ptr{Int32}(place + 8), enum(ShareKind, kind).value)
    unsafe_store!(Ptr{Int32}(place + 12), descriptor)
    unsafe_store!(Ptr{UInt64}(place + 16), offset_bytes)
    unsafe_store!(Ptr{UInt64}(place + 24), bytes)
    unsafe_store!(Ptr{UInt64}(place + 32), total_bytes)
    store_tuple(:device_uuid, Ptr{UInt8}(place + 40), 16, device_uuid)
    return place
end
struct_size(::SharedMemory) = 56
function fill_struct!(place::Ptr{UInt8}, keep, object::SharedMemory)
    return fill_shared_memory!(
        place, keep, object.kind, object.descriptor, object.offset_bytes, object.bytes,
        object.total_bytes, object.device_uuid
    )
end

function fill_run_options!(place::Ptr{UInt8}, keep, queue, into, waits, event, graph)
    clear_bytes(place, 56)
    unsafe_store!(Ptr{Csize_t}(place), 56)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(queue_of(queue)))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(into))
    waits_place, waits_count = keep_handles!(keep, waits_of(waits))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), waits_place)
    unsafe_store!(Ptr{UInt32}(place + 40), waits_count)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), event)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 48), raw(graph_of(graph)))
    return place
end

"""
    RunOptions(; members...)

How a launch or an op runs. Used by every op.

* `queue`: `nothing`: the default queue of the first input's device
* `into`: write the result here instead of a new tensor
* `waits`: further events to wait for; one that failed: LAUNCH\\_FAILURE
* `event`: receives one reference: the event of the last command
* `graph`: records the call; see \"Graphs\"
"""
mutable struct RunOptions
    queue::Any
    into::Any
    waits::Any
    event::Any
    graph::Any
end
function RunOptions(;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    return RunOptions(queue, into, waits, event, graph)
end
struct_size(::RunOptions) = 56
function fill_struct!(place::Ptr{UInt8}, keep, object::RunOptions)
    return fill_run_options!(
        place, keep, object.queue, object.into, object.waits, object.event, object.graph
    )
end

function fill_tensor_options!(
    place::Ptr{UInt8}, keep, queue, pool, event, async_copy, use_pinned, borrow,
    take_ownership, share
)
    clear_bytes(place, 56)
    unsafe_store!(Ptr{Csize_t}(place), 56)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(queue))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(pool))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), event)
    unsafe_store!(Ptr{Int32}(place + 32), enum(Toggle, async_copy).value)
    unsafe_store!(Ptr{Int32}(place + 36), enum(Toggle, use_pinned).value)
    unsafe_store!(Ptr{UInt32}(place + 40), borrow)
    unsafe_store!(Ptr{UInt32}(place + 44), take_ownership)
    unsafe_store!(Ptr{UInt32}(place + 48), share)
    return place
end

function fill_transfer_options!(
    place::Ptr{UInt8}, keep, queue, waits, event, async_copy, use_pinned, borrow
)
    clear_bytes(place, 48)
    unsafe_store!(Ptr{Csize_t}(place), 48)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(queue))
    waits_place, waits_count = keep_handles!(keep, waits)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), waits_place)
    unsafe_store!(Ptr{UInt32}(place + 32), waits_count)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), event)
    unsafe_store!(Ptr{Int32}(place + 36), enum(Toggle, async_copy).value)
    unsafe_store!(Ptr{Int32}(place + 40), enum(Toggle, use_pinned).value)
    unsafe_store!(Ptr{UInt32}(place + 44), borrow)
    return place
end

function fill_random_options!(
    place::Ptr{UInt8}, keep, seed, offset, distribution, low, high, mean, deviation
)
    clear_bytes(place, 64)
    unsafe_store!(Ptr{Csize_t}(place), 64)
    unsafe_store!(Ptr{UInt64}(place + 8), seed)
    unsafe_store!(Ptr{UInt64}(place + 16), offset)
    unsafe_store!(Ptr{Int32}(place + 24), enum(Distribution, distribution).value)
    unsafe_store!(Ptr{Float64}(place + 32), low)
    unsafe_store!(Ptr{Float64}(place + 40), high)
    unsafe_store!(Ptr{Float64}(place + 48), mean)
    unsafe_store!(Ptr{Float64}(place + 56), deviation)
    return place
end

"""
    TensorInfo

What a tensor is.

* `dtype`
* `rank`
* `shape`
* `strides`
* `offset`: first element, counted from the start of the memory
* `element_count`
* `byte_count`: element\\_count times the size of an element
* `contiguous`: true: packed in C order
* `zero_copy`: true: the device works on memory of the host
* `borrowed`: true: the memory belongs to the caller
* `pooled`: true: the memory is a lease from a pool
* `mapped`: true: the memory is a file's, see \"Weights\"
"""
struct TensorInfo <: Info
    dtype::Dtype
    rank::Int
    shape::NTuple{8,Int64}
    strides::NTuple{8,Int64}
    offset::Int
    element_count::Int
    byte_count::UInt64
    contiguous::Bool
    zero_copy::Bool
    borrowed::Bool
    pooled::Bool
    mapped::Bool
end
info_size(::Type{TensorInfo}) = 192
function read_info(::Type{TensorInfo}, place::Ptr{UInt8})
    return TensorInfo(
        unsafe_load(Ptr{Dtype}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)),
        unsafe_load(Ptr{NTuple{8,Int64}}(place + 16)),
        unsafe_load(Ptr{NTuple{8,Int64}}(place + 80)), unsafe_load(Ptr{Int64}(place + 144)),
        unsafe_load(Ptr{Int64}(place + 152)), unsafe_load(Ptr{UInt64}(place + 160)),
        unsafe_load(Ptr{UInt32}(place + 168)) != 0,
        unsafe_load(Ptr{UInt32}(place + 172)) != 0,
        unsafe_load(Ptr{UInt32}(place + 176)) != 0,
        unsafe_load(Ptr{UInt32}(place + 180)) != 0,
        unsafe_load(Ptr{UInt32}(place + 184)) != 0
    )
end

function fill_kernel_options!(
    place::Ptr{UInt8}, keep, source, params, preamble, body, il, binary, flags,
    shape_signature, local_size, trust_binary, fast_math, no_preamble, tune, free_args
)
    clear_bytes(place, 160)
    unsafe_store!(Ptr{Csize_t}(place), 160)
    source_place, source_count = keep_sized!(keep, :source, source)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), source_place)
    unsafe_store!(Ptr{Csize_t}(place + 16), source_count)
    params_place, params_count = keep_texts!(keep, :params, params)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), params_place)
    unsafe_store!(Ptr{UInt32}(place + 120), params_count)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), keep_text!(keep, :preamble, preamble))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 40), keep_text!(keep, :body, body))
    il_place, il_count = keep_data!(keep, :il, il)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 48), il_place)
    unsafe_store!(Ptr{Csize_t}(place + 56), il_count)
    binary_place, binary_count = keep_data!(keep, :binary, binary)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 64), binary_place)
    unsafe_store!(Ptr{Csize_t}(place + 72), binary_count)
    flags_place, flags_count = keep_texts!(keep, :flags, flags)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 80), flags_place)
    unsafe_store!(Ptr{UInt32}(place + 124), flags_count)
    unsafe_store!(Ptr{UInt64}(place + 88), shape_signature)
    store_tuple(:local_size, Ptr{UInt64}(place + 96), 3, local_size)
    unsafe_store!(Ptr{UInt32}(place + 128), trust_binary)
    unsafe_store!(Ptr{UInt32}(place + 132), fast_math)
    unsafe_store!(Ptr{UInt32}(place + 136), no_preamble)
    unsafe_store!(Ptr{Int32}(place + 140), enum(TuneMode, tune).value)
    free_args_place, free_args_count = keep_array!(keep, UInt32, free_args)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 144), free_args_place)
    unsafe_store!(Ptr{UInt32}(place + 152), free_args_count)
    return place
end

function fill_work!(
    place::Ptr{UInt8}, keep, operations, bytes, bytes_written, dtype, matrix_units,
    cold_cache
)
    clear_bytes(place, 48)
    unsafe_store!(Ptr{Csize_t}(place), 48)
    unsafe_store!(Ptr{Float64}(place + 8), operations)
    unsafe_store!(Ptr{Float64}(place + 16), bytes)
    unsafe_store!(Ptr{Float64}(place + 24), bytes_written)
    unsafe_store!(Ptr{Int32}(place + 32), enum(Dtype, dtype).value)
    unsafe_store!(Ptr{UInt32}(place + 36), matrix_units)
    unsafe_store!(Ptr{UInt32}(place + 40), cold_cache)
    return place
end

"""
    Work(; members...)

What an op or a kernel has to do at least. The ops of the library declare theirs; launches
say it in their options. Amounts that are negative or no number, and more written than
moved, are INVALID\\_ARGUMENT.

* `operations`: a multiplication and an addition are two
* `bytes`: read and written, each counted once
* `bytes_written`: the part of bytes that is written
* `dtype`: in which the operations are done; 0: f32
* `matrix_units`: true: on matrix units (tensor cores)
* `cold_cache`: true: none of it was in a cache before
"""
mutable struct Work
    operations::Any
    bytes::Any
    bytes_written::Any
    dtype::Any
    matrix_units::Any
    cold_cache::Any
end
function Work(;
    operations::Real = 0.0, bytes::Real = 0.0, bytes_written::Real = 0.0,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), matrix_units::Union{Bool,Integer} = false,
    cold_cache::Union{Bool,Integer} = false
)
    return Work(operations, bytes, bytes_written, dtype, matrix_units, cold_cache)
end
struct_size(::Work) = 48
function fill_struct!(place::Ptr{UInt8}, keep, object::Work)
    return fill_work!(
        place, keep, object.operations, object.bytes, object.bytes_written, object.dtype,
        object.matrix_units, object.cold_cache
    )
end

function fill_launch_options!(place::Ptr{UInt8}, keep, offset, round_up, work)
    clear_bytes(place, 48)
    unsafe_store!(Ptr{Csize_t}(place), 48)
    store_tuple(:offset, Ptr{UInt64}(place + 8), 3, offset)
    unsafe_store!(Ptr{UInt32}(place + 32), round_up)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 40), keep_struct!(keep, work))
    return place
end

"""
    LaunchOptions(; members...)

How a kernel is launched. The work is what profiles and statistics count for the launch, so
that `netcl_roofline_analyze_statistics` knows it; its `cold_cache` must be false, as a
measurement knows that itself.

* `offset`: global offset; UNSUPPORTED beyond the driver's bits
* `round_up`: true: round the global size up to the local size; the kernel guards
* `work`: what one launch has to do at least; `nothing`: not known
"""
mutable struct LaunchOptions
    offset::Any
    round_up::Any
    work::Any
end
function LaunchOptions(;
    offset = ntuple(_ -> UInt64(0), 3), round_up::Union{Bool,Integer} = false,
    work::Union{Nothing,Work} = nothing
)
    return LaunchOptions(offset, round_up, work)
end
struct_size(::LaunchOptions) = 48
function fill_struct!(place::Ptr{UInt8}, keep, object::LaunchOptions)
    return fill_launch_options!(place, keep, object.offset, object.round_up, object.work)
end

"""
    LaunchExplanation

What a launch uses; see `netcl_kernel_explain_launch`.

* `global_`: work items that run; 1 beyond the dimensions of the launch
* `local_`: of a group; 1 beyond the dimensions of the launch
* `origin`: of local
* `match`: how the stored result fits; NONE: none is used
* `median`: nanoseconds that the stored result took; 0: not known
* `default_median`: and the untuned kernel
* `macros`: those that tuning sets, \"TILE=16 WORK=4\"; longer texts are cut
* `reason`: a sentence: which result is used and how it fits, or why not
"""
struct LaunchExplanation <: Info
    global_::NTuple{3,UInt64}
    local_::NTuple{3,UInt64}
    origin::LocalOrigin
    match::Match
    median::Float64
    default_median::Float64
    macros::String
    reason::String
end
info_size(::Type{LaunchExplanation}) = 848
function read_info(::Type{LaunchExplanation}, place::Ptr{UInt8})
    return LaunchExplanation(
        unsafe_load(Ptr{NTuple{3,UInt64}}(place + 8)),
        unsafe_load(Ptr{NTuple{3,UInt64}}(place + 32)),
        unsafe_load(Ptr{LocalOrigin}(place + 56)), unsafe_load(Ptr{Match}(place + 60)),
        unsafe_load(Ptr{Float64}(place + 64)), unsafe_load(Ptr{Float64}(place + 72)),
        inline_text(place + 80, 256), inline_text(place + 336, 512)
    )
end

"""
    KernelInfo

Facts about a built kernel.

* `args_count`
* `from_cache`: true: the program came from the disk cache, not a compiler
* `preferred_multiple`: of the local size
* `max_local_size`: items of a group this kernel can have here
* `required_local_size`: reqd\\_work\\_group\\_size, zeros when absent
* `local_memory_bytes`
* `private_memory_bytes`
* `shape_signature`
* `name`
"""
struct KernelInfo <: Info
    args_count::Int
    from_cache::Bool
    preferred_multiple::Int
    max_local_size::UInt64
    required_local_size::NTuple{3,UInt64}
    local_memory_bytes::UInt64
    private_memory_bytes::UInt64
    shape_signature::UInt64
    name::String
end
info_size(::Type{KernelInfo}) = 208
function read_info(::Type{KernelInfo}, place::Ptr{UInt8})
    return KernelInfo(
        unsafe_load(Ptr{UInt32}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)) != 0,
        unsafe_load(Ptr{UInt32}(place + 16)), unsafe_load(Ptr{UInt64}(place + 24)),
        unsafe_load(Ptr{NTuple{3,UInt64}}(place + 32)),
        unsafe_load(Ptr{UInt64}(place + 56)), unsafe_load(Ptr{UInt64}(place + 64)),
        unsafe_load(Ptr{UInt64}(place + 72)), inline_text(place + 80, 128)
    )
end

"""
    KernelArgInfo

Facts about one parameter of a built kernel.

* `is_buffer`: true: \\_\\_global or \\_\\_constant pointer
* `is_local`: true: \\_\\_local pointer
* `is_const`: true: the kernel does not write through it
* `size`: bytes of a scalar; 0 when unknown or not a scalar
* `name`: \"\" when the driver does not tell
* `type_name`: \"float\\*\"
"""
struct KernelArgInfo <: Info
    is_buffer::Bool
    is_local::Bool
    is_const::Bool
    size::Int
    name::String
    type_name::String
end
info_size(::Type{KernelArgInfo}) = 152
function read_info(::Type{KernelArgInfo}, place::Ptr{UInt8})
    return KernelArgInfo(
        unsafe_load(Ptr{UInt32}(place + 8)) != 0, unsafe_load(Ptr{UInt32}(place + 12)) != 0,
        unsafe_load(Ptr{UInt32}(place + 16)) != 0, unsafe_load(Ptr{UInt32}(place + 20)),
        inline_text(place + 24, 64), inline_text(place + 88, 64)
    )
end

"""
    ProgramCacheInfo

Counters of the program cache of this process.

* `memory_hits`: builds answered by a program already in memory
* `memory_misses`
* `disk_hits`: programs loaded from the disk cache
* `disk_misses`
* `disk_rejected`: entries refused: damaged, foreign, or bad to the driver
* `disk_writes`
* `source_builds`: compilations by the driver
* `programs_in_memory`
* `directory`: where the disk cache lives; \"\" when it is off
"""
struct ProgramCacheInfo <: Info
    memory_hits::UInt64
    memory_misses::UInt64
    disk_hits::UInt64
    disk_misses::UInt64
    disk_rejected::UInt64
    disk_writes::UInt64
    source_builds::UInt64
    programs_in_memory::UInt64
    directory::String
end
info_size(::Type{ProgramCacheInfo}) = 328
function read_info(::Type{ProgramCacheInfo}, place::Ptr{UInt8})
    return ProgramCacheInfo(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{UInt64}(place + 32)),
        unsafe_load(Ptr{UInt64}(place + 40)), unsafe_load(Ptr{UInt64}(place + 48)),
        unsafe_load(Ptr{UInt64}(place + 56)), unsafe_load(Ptr{UInt64}(place + 64)),
        inline_text(place + 72, 256)
    )
end

"""
    ProgramCacheEntry

One program in the disk cache.

* `bytes`: of the file
* `used_ns`: CLOCK\\_REALTIME of the last use
* `sound`: true: nobody else can have written it, and every byte is right
* `name`: of the file in `netcl_program_cache_info.directory`
* `device`: name of the device it was built for
* `kernels`: names of its kernels with \", \" between them, as far as they fit
* `problem`: why it is not sound
"""
struct ProgramCacheEntry <: Info
    bytes::UInt64
    used_ns::UInt64
    sound::Bool
    name::String
    device::String
    kernels::String
    problem::String
end
info_size(::Type{ProgramCacheEntry}) = 584
function read_info(::Type{ProgramCacheEntry}, place::Ptr{UInt8})
    return ProgramCacheEntry(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt32}(place + 24)) != 0, inline_text(place + 32, 40),
        inline_text(place + 72, 128), inline_text(place + 200, 256),
        inline_text(place + 456, 128)
    )
end

function fill_variant_options!(place::Ptr{UInt8}, keep, info, capabilities, dtype, variant)
    clear_bytes(place, 32)
    unsafe_store!(Ptr{Csize_t}(place), 32)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_struct!(keep, info))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), keep_struct!(keep, capabilities))
    unsafe_store!(Ptr{Int32}(place + 24), enum(Dtype, dtype).value)
    unsafe_store!(Ptr{Int32}(place + 28), enum(Variant, variant).value)
    return place
end

"""
    VariantConfig

A variant with its configuration. Members that the variant does not have are 0.

* `variant`
* `tile_m`: rows of the result per work-group (matmul, conv2d)
* `tile_n`: columns of the result per work-group
* `tile_k`: depth of a step
* `work_per_thread_m`: rows of the result per work-item
* `work_per_thread_n`: columns of the result per work-item
* `local_size_1d`
* `local_size_2d`
* `use_local_memory`: true: tiles are staged in local memory
* `use_vectorization`: true: vector\\_width elements are loaded at once
* `vector_width`: elements
* `winograd_tile`: outputs per tile edge: 2 or 4
* `groups`: work-groups of a reduction's first stage
* `from_cache`: true: the same question was answered before
* `split_k`: groups that share the depth of a tile (matmul on GPUs); from 2 on a second
  launch, `netcl_matmul_join`, adds up their sums
* `kernel`: what the kernel's name begins with in traces
* `reason`: why this one, in words
"""
struct VariantConfig <: Info
    variant::Variant
    tile_m::Int
    tile_n::Int
    tile_k::Int
    work_per_thread_m::Int
    work_per_thread_n::Int
    local_size_1d::Int
    local_size_2d::NTuple{2,UInt32}
    use_local_memory::Bool
    use_vectorization::Bool
    vector_width::Int
    winograd_tile::Int
    groups::Int
    from_cache::Bool
    split_k::Int
    kernel::String
    reason::String
end
info_size(::Type{VariantConfig}) = 392
function read_info(::Type{VariantConfig}, place::Ptr{UInt8})
    return VariantConfig(
        unsafe_load(Ptr{Variant}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)),
        unsafe_load(Ptr{UInt32}(place + 16)), unsafe_load(Ptr{UInt32}(place + 20)),
        unsafe_load(Ptr{UInt32}(place + 24)), unsafe_load(Ptr{UInt32}(place + 28)),
        unsafe_load(Ptr{UInt32}(place + 32)),
        unsafe_load(Ptr{NTuple{2,UInt32}}(place + 36)),
        unsafe_load(Ptr{UInt32}(place + 44)) != 0,
        unsafe_load(Ptr{UInt32}(place + 48)) != 0, unsafe_load(Ptr{UInt32}(place + 52)),
        unsafe_load(Ptr{UInt32}(place + 56)), unsafe_load(Ptr{UInt32}(place + 60)),
        unsafe_load(Ptr{UInt32}(place + 64)) != 0, unsafe_load(Ptr{UInt32}(place + 68)),
        inline_text(place + 72, 64), inline_text(place + 136, 256)
    )
end
function VariantConfig(;
    variant = Variant(0), tile_m = Int(0), tile_n = Int(0), tile_k = Int(0),
    work_per_thread_m = Int(0), work_per_thread_n = Int(0), local_size_1d = Int(0),
    local_size_2d = ntuple(_ -> UInt32(0), 2), use_local_memory = false,
    use_vectorization = false, vector_width = Int(0), winograd_tile = Int(0),
    groups = Int(0), from_cache = false, split_k = Int(0), kernel = "", reason = ""
)
    return VariantConfig(
    variant, tile_m, tile_n, tile_k, work_per_thread_m, work_per_thread_n, local_size_1d,
    local_size_2d, use_local_memory, use_vectorization, vector_width, winograd_tile, groups,
    from_cache, split_k, kernel, reason
)
end

function fill_variant_config!(
    place::Ptr{UInt8}, keep, variant, tile_m, tile_n, tile_k, work_per_thread_m,
    work_per_thread_n, local_size_1d, local_size_2d, use_local_memory, use_vectorization,
    vector_width, winograd_tile, groups, from_cache, split_k, kernel, reason
)
    clear_bytes(place, 392)
    unsafe_store!(Ptr{Csize_t}(place), 392)
    unsafe_store!(Ptr{Int32}(place + 8), enum(Variant, variant).value)
    unsafe_store!(Ptr{UInt32}(place + 12), tile_m)
    unsafe_store!(Ptr{UInt32}(place + 16), tile_n)
    unsafe_store!(Ptr{UInt32}(place + 20), tile_k)
    unsafe_store!(Ptr{UInt32}(place + 24), work_per_thread_m)
    unsafe_store!(Ptr{UInt32}(place + 28), work_per_thread_n)
    unsafe_store!(Ptr{UInt32}(place + 32), local_size_1d)
    store_tuple(:local_size_2d, Ptr{UInt32}(place + 36), 2, local_size_2d)
    unsafe_store!(Ptr{UInt32}(place + 44), use_local_memory)
    unsafe_store!(Ptr{UInt32}(place + 48), use_vectorization)
    unsafe_store!(Ptr{UInt32}(place + 52), vector_width)
    unsafe_store!(Ptr{UInt32}(place + 56), winograd_tile)
    unsafe_store!(Ptr{UInt32}(place + 60), groups)
    unsafe_store!(Ptr{UInt32}(place + 64), from_cache)
    unsafe_store!(Ptr{UInt32}(place + 68), split_k)
    store_text(place + 72, 64, kernel)
    store_text(place + 136, 256, reason)
    return place
end
struct_size(::VariantConfig) = 392
function fill_struct!(place::Ptr{UInt8}, keep, object::VariantConfig)
    return fill_variant_config!(
        place, keep, object.variant, object.tile_m, object.tile_n, object.tile_k,
        object.work_per_thread_m, object.work_per_thread_n, object.local_size_1d,
        object.local_size_2d, object.use_local_memory, object.use_vectorization,
        object.vector_width, object.winograd_tile, object.groups, object.from_cache,
        object.split_k, object.kernel, object.reason
    )
end

function fill_conv2d_shape!(
    place::Ptr{UInt8}, keep, batch, channels, height, width, filters, kernel_height,
    kernel_width, strides, dilations, padding, groups
)
    clear_bytes(place, 136)
    unsafe_store!(Ptr{Csize_t}(place), 136)
    unsafe_store!(Ptr{Int64}(place + 8), batch)
    unsafe_store!(Ptr{Int64}(place + 16), channels)
    unsafe_store!(Ptr{Int64}(place + 24), height)
    unsafe_store!(Ptr{Int64}(place + 32), width)
    unsafe_store!(Ptr{Int64}(place + 40), filters)
    unsafe_store!(Ptr{Int64}(place + 48), kernel_height)
    unsafe_store!(Ptr{Int64}(place + 56), kernel_width)
    store_each(:strides, Ptr{Int64}(place + 64), 2, strides)
    store_each(:dilations, Ptr{Int64}(place + 80), 2, dilations)
    store_each(:padding, Ptr{Int64}(place + 96), 4, padding)
    unsafe_store!(Ptr{Int64}(place + 128), groups)
    return place
end

"""
    Conv2dShape(; members...)

Sizes of a 2-d convolution, as `netcl_op_conv2d` takes them from its tensors and options. A
tensor of more than 2^60 elements is INVALID\\_ARGUMENT, as are strides, dilations and
padding beyond 2^31 - 1.

* `batch`
* `channels`
* `height`
* `width`
* `filters`
* `kernel_height`
* `kernel_width`
* `strides`: 0: 1
* `dilations`: 0: 1
* `padding`: top, left, bottom, right
* `groups`: 0: 1
"""
mutable struct Conv2dShape
    batch::Any
    channels::Any
    height::Any
    width::Any
    filters::Any
    kernel_height::Any
    kernel_width::Any
    strides::Any
    dilations::Any
    padding::Any
    groups::Any
end
function Conv2dShape(;
    batch::Integer = 0, channels::Integer = 0, height::Integer = 0, width::Integer = 0,
    filters::Integer = 0, kernel_height::Integer = 0, kernel_width::Integer = 0,
    strides = ntuple(_ -> Int64(0), 2), dilations = ntuple(_ -> Int64(0), 2),
    padding = ntuple(_ -> Int64(0), 4), groups::Integer = 0
)
    return Conv2dShape(
        batch, channels, height, width, filters, kernel_height, kernel_width, strides,
        dilations, padding, groups
    )
end
struct_size(::Conv2dShape) = 136
function fill_struct!(place::Ptr{UInt8}, keep, object::Conv2dShape)
    return fill_conv2d_shape!(
        place, keep, object.batch, object.channels, object.height, object.width,
        object.filters, object.kernel_height, object.kernel_width, object.strides,
        object.dilations, object.padding, object.groups
    )
end

function fill_expression_options!(place::Ptr{UInt8}, keep, dtype, variant)
    clear_bytes(place, 16)
    unsafe_store!(Ptr{Csize_t}(place), 16)
    unsafe_store!(Ptr{Int32}(place + 8), enum(Dtype, dtype).value)
    unsafe_store!(Ptr{Int32}(place + 12), enum(Variant, variant).value)
    return place
end

function fill_expressions_options!(place::Ptr{UInt8}, keep, dtypes, results_into, variant)
    clear_bytes(place, 40)
    unsafe_store!(Ptr{Csize_t}(place), 40)
    dtypes_place, dtypes_count = keep_array!(keep, Dtype, dtypes)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), dtypes_place)
    unsafe_store!(Ptr{UInt32}(place + 24), dtypes_count)
    results_into_place, results_into_count = keep_handles!(keep, results_into)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), results_into_place)
    unsafe_store!(Ptr{UInt32}(place + 28), results_into_count)
    unsafe_store!(Ptr{Int32}(place + 32), enum(Variant, variant).value)
    return place
end

function fill_elementwise_options!(
    place::Ptr{UInt8}, keep, alpha, beta, dtype, variant, has_parameters
)
    clear_bytes(place, 40)
    unsafe_store!(Ptr{Csize_t}(place), 40)
    unsafe_store!(Ptr{Float64}(place + 8), alpha)
    unsafe_store!(Ptr{Float64}(place + 16), beta)
    unsafe_store!(Ptr{Int32}(place + 24), enum(Dtype, dtype).value)
    unsafe_store!(Ptr{Int32}(place + 28), enum(Variant, variant).value)
    unsafe_store!(Ptr{UInt32}(place + 32), has_parameters)
    return place
end

function fill_primitive_options!(
    place::Ptr{UInt8}, keep, forward, backward, attributes, defaults, arity,
    gives_gradients, checkpoint
)
    clear_bytes(place, 64)
    unsafe_store!(Ptr{Csize_t}(place), 64)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_text!(keep, :forward, forward))
    backward_place, backward_count = keep_texts!(keep, :backward, backward)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), backward_place)
    unsafe_store!(Ptr{UInt32}(place + 44), backward_count)
    attributes_place, attributes_count = keep_texts!(keep, :attributes, attributes)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), attributes_place)
    unsafe_store!(Ptr{UInt32}(place + 48), attributes_count)
    defaults_place, defaults_count = keep_array!(keep, Float64, defaults)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), defaults_place)
    unsafe_store!(Ptr{UInt32}(place + 52), defaults_count)
    unsafe_store!(Ptr{UInt32}(place + 40), arity)
    unsafe_store!(Ptr{UInt32}(place + 56), gives_gradients)
    unsafe_store!(Ptr{UInt32}(place + 60), checkpoint)
    return place
end

function fill_primitive_kernels!(
    place::Ptr{UInt8}, keep, forward, backward, global_, local_, rank
)
    clear_bytes(place, 80)
    unsafe_store!(Ptr{Csize_t}(place), 80)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(forward))
    backward_place, backward_count = keep_handles!(keep, backward)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), backward_place)
    unsafe_store!(Ptr{UInt32}(place + 72), backward_count)
    store_tuple(:global, Ptr{UInt64}(place + 24), 3, global_)
    store_tuple(:local, Ptr{UInt64}(place + 48), 3, local_)
    unsafe_store!(Ptr{UInt32}(place + 76), rank)
    return place
end

"""
    PrimitiveKernels(; members...)

How the kernels of a primitive are launched; see `netcl_primitive_register_kernels`.

* `forward`: gives the result
* `backward`: give the gradients of the inputs in their order; none: the primitive has no
  gradient
* `global_`: work items, 0 from rank on
* `local_`: of a group, 0 from rank on; zeros: netcl's own choice
* `rank`: of global and local, up to 3; 0: a launch has one item for each element that it
  writes, in one dimension
"""
mutable struct PrimitiveKernels
    forward::Any
    backward::Any
    global_::Any
    local_::Any
    rank::Any
end
function PrimitiveKernels(;
    forward::Union{Nothing,Kernel} = nothing, backward = (),
    global_ = ntuple(_ -> UInt64(0), 3), local_ = ntuple(_ -> UInt64(0), 3),
    rank::Integer = 0
)
    return PrimitiveKernels(forward, backward, global_, local_, rank)
end
struct_size(::PrimitiveKernels) = 80
function fill_struct!(place::Ptr{UInt8}, keep, object::PrimitiveKernels)
    return fill_primitive_kernels!(
        place, keep, object.forward, object.backward, object.global_, object.local_,
        object.rank
    )
end

function fill_primitive_call_options!(place::Ptr{UInt8}, keep, attributes, values)
    clear_bytes(place, 32)
    unsafe_store!(Ptr{Csize_t}(place), 32)
    attributes_place, attributes_count = keep_texts!(keep, :attributes, attributes)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), attributes_place)
    unsafe_store!(Ptr{UInt32}(place + 24), attributes_count)
    values_place, values_count = keep_array!(keep, Float64, values)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), values_place)
    unsafe_store!(Ptr{UInt32}(place + 28), values_count)
    return place
end

function fill_epilogue!(
    place::Ptr{UInt8}, keep, bias, residual, alpha, beta, activation, has_parameters
)
    clear_bytes(place, 48)
    unsafe_store!(Ptr{Csize_t}(place), 48)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(bias))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(residual))
    unsafe_store!(Ptr{Float64}(place + 24), alpha)
    unsafe_store!(Ptr{Float64}(place + 32), beta)
    unsafe_store!(Ptr{Int32}(place + 40), enum(Activation, activation).value)
    unsafe_store!(Ptr{UInt32}(place + 44), has_parameters)
    return place
end

"""
    Epilogue(; members...)

What is done to each element of a product before it is stored: activation(product + bias +
residual), in the precision of the sums, rounded once.

* `bias`: matmul: broadcasts to the result; conv2d: \\[filters\\]
* `residual`: the shape of the result; may be `into`: beta + 1
* `alpha`: of the activation; both 0: the activation's defaults
* `beta`: of the activation; both 0: the activation's defaults
* `activation`
* `has_parameters`: true: alpha and beta are set, even to 0
"""
mutable struct Epilogue
    bias::Any
    residual::Any
    alpha::Any
    beta::Any
    activation::Any
    has_parameters::Any
end
function Epilogue(;
    bias::Union{Nothing,TensorLike} = nothing,
    residual::Union{Nothing,TensorLike} = nothing, alpha::Real = 0.0, beta::Real = 0.0,
    activation::Union{Activation,Symbol} = Activation(0),
    has_parameters::Union{Bool,Integer} = false
)
    return Epilogue(bias, residual, alpha, beta, activation, has_parameters)
end
struct_size(::Epilogue) = 48
function fill_struct!(place::Ptr{UInt8}, keep, object::Epilogue)
    return fill_epilogue!(
        place, keep, object.bias, object.residual, object.alpha, object.beta,
        object.activation, object.has_parameters
    )
end

function fill_matmul_options!(
    place::Ptr{UInt8}, keep, epilogue, alpha, beta, dtype, has_scale, variant, precision,
    a_zero_point, b_zero_point
)
    clear_bytes(place, 64)
    unsafe_store!(Ptr{Csize_t}(place), 64)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_struct!(keep, epilogue))
    unsafe_store!(Ptr{Float64}(place + 16), alpha)
    unsafe_store!(Ptr{Float64}(place + 24), beta)
    unsafe_store!(Ptr{Int32}(place + 32), enum(Dtype, dtype).value)
    unsafe_store!(Ptr{UInt32}(place + 36), has_scale)
    unsafe_store!(Ptr{Int32}(place + 40), enum(Variant, variant).value)
    unsafe_store!(Ptr{Int32}(place + 44), enum(Precision, precision).value)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 48), raw(a_zero_point))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 56), raw(b_zero_point))
    return place
end

function fill_conv2d_batchnorm!(
    place::Ptr{UInt8}, keep, scale, bias, mean, variance, epsilon, has_epsilon
)
    clear_bytes(place, 56)
    unsafe_store!(Ptr{Csize_t}(place), 56)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(scale))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(bias))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), raw(mean))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), raw(variance))
    unsafe_store!(Ptr{Float64}(place + 40), epsilon)
    unsafe_store!(Ptr{UInt32}(place + 48), has_epsilon)
    return place
end

"""
    Conv2dBatchnorm(; members...)

A batch normalisation (inference) that is folded into a convolution. All tensors are
\\[filters\\] and have x's dtype or f32.

* `scale`: `nothing`: 1
* `bias`: `nothing`: 0
* `mean`
* `variance`
* `epsilon`: finite, from 0 on; 0: 1e-5, but for has\\_epsilon
* `has_epsilon`: true: epsilon is set, even to 0
"""
mutable struct Conv2dBatchnorm
    scale::Any
    bias::Any
    mean::Any
    variance::Any
    epsilon::Any
    has_epsilon::Any
end
function Conv2dBatchnorm(;
    scale::Union{Nothing,TensorLike} = nothing, bias::Union{Nothing,TensorLike} = nothing,
    mean::Union{Nothing,TensorLike} = nothing,
    variance::Union{Nothing,TensorLike} = nothing, epsilon::Real = 0.0,
    has_epsilon::Union{Bool,Integer} = false
)
    return Conv2dBatchnorm(scale, bias, mean, variance, epsilon, has_epsilon)
end
struct_size(::Conv2dBatchnorm) = 56
function fill_struct!(place::Ptr{UInt8}, keep, object::Conv2dBatchnorm)
    return fill_conv2d_batchnorm!(
        place, keep, object.scale, object.bias, object.mean, object.variance,
        object.epsilon, object.has_epsilon
    )
end

function fill_conv2d_options!(
    place::Ptr{UInt8}, keep, epilogue, batchnorm, strides, dilations, padding, groups,
    variant, winograd_tile
)
    clear_bytes(place, 104)
    unsafe_store!(Ptr{Csize_t}(place), 104)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_struct!(keep, epilogue))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), keep_struct!(keep, batchnorm))
    store_each(:strides, Ptr{Int64}(place + 24), 2, strides)
    store_each(:dilations, Ptr{Int64}(place + 40), 2, dilations)
    store_each(:padding, Ptr{Int64}(place + 56), 4, padding)
    unsafe_store!(Ptr{Int64}(place + 88), groups)
    unsafe_store!(Ptr{Int32}(place + 96), enum(Variant, variant).value)
    unsafe_store!(Ptr{UInt32}(place + 100), winograd_tile)
    return place
end

function fill_quantized_options!(
    place::Ptr{UInt8}, keep, scales, zero_points, epilogue, k, format, bits, block_size,
    dtype, has_zero_points
)
    clear_bytes(place, 64)
    unsafe_store!(Ptr{Csize_t}(place), 64)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(scales))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(zero_points))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), keep_struct!(keep, epilogue))
    unsafe_store!(Ptr{Int64}(place + 32), k)
    unsafe_store!(Ptr{Int32}(place + 40), enum(Quantization, format).value)
    unsafe_store!(Ptr{UInt32}(place + 44), bits)
    unsafe_store!(Ptr{UInt32}(place + 48), block_size)
    unsafe_store!(Ptr{Int32}(place + 52), enum(Dtype, dtype).value)
    unsafe_store!(Ptr{UInt32}(place + 56), has_zero_points)
    return place
end

function fill_attention_options!(
    place::Ptr{UInt8}, keep, bias, mask, query_lengths, key_lengths, block_table, lse_into,
    scale, softcap, position, window_before, window_after, has_scale, has_position,
    has_window, causal, variant
)
    clear_bytes(place, 120)
    unsafe_store!(Ptr{Csize_t}(place), 120)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(bias))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(mask))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), raw(query_lengths))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), raw(key_lengths))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 40), raw(block_table))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 48), raw(lse_into))
    unsafe_store!(Ptr{Float64}(place + 56), scale)
    unsafe_store!(Ptr{Float64}(place + 64), softcap)
    unsafe_store!(Ptr{Int64}(place + 72), position)
    unsafe_store!(Ptr{Int64}(place + 80), window_before)
    unsafe_store!(Ptr{Int64}(place + 88), window_after)
    unsafe_store!(Ptr{UInt32}(place + 96), has_scale)
    unsafe_store!(Ptr{UInt32}(place + 100), has_position)
    unsafe_store!(Ptr{UInt32}(place + 104), has_window)
    unsafe_store!(Ptr{UInt32}(place + 108), causal)
    unsafe_store!(Ptr{Int32}(place + 112), enum(Variant, variant).value)
    return place
end

function fill_rotary_embedding_options!(
    place::Ptr{UInt8}, keep, position_ids, num_heads, rotary_embedding_dim, interleaved,
    inverse
)
    clear_bytes(place, 40)
    unsafe_store!(Ptr{Csize_t}(place), 40)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(position_ids))
    unsafe_store!(Ptr{Int64}(place + 16), num_heads)
    unsafe_store!(Ptr{Int64}(place + 24), rotary_embedding_dim)
    unsafe_store!(Ptr{UInt32}(place + 32), interleaved)
    unsafe_store!(Ptr{UInt32}(place + 36), inverse)
    return place
end

function fill_reduce_options!(
    place::Ptr{UInt8}, keep, axes, keepdims, dtype, variant, select_last
)
    clear_bytes(place, 40)
    unsafe_store!(Ptr{Csize_t}(place), 40)
    axes_place, axes_count = keep_array!(keep, Int32, axes)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), axes_place)
    unsafe_store!(Ptr{UInt32}(place + 16), axes_count)
    unsafe_store!(Ptr{UInt32}(place + 20), keepdims)
    unsafe_store!(Ptr{Int32}(place + 24), enum(Dtype, dtype).value)
    unsafe_store!(Ptr{Int32}(place + 28), enum(Variant, variant).value)
    unsafe_store!(Ptr{UInt32}(place + 32), select_last)
    return place
end

function fill_scan_options!(place::Ptr{UInt8}, keep, exclusive, reverse)
    clear_bytes(place, 16)
    unsafe_store!(Ptr{Csize_t}(place), 16)
    unsafe_store!(Ptr{UInt32}(place + 8), exclusive)
    unsafe_store!(Ptr{UInt32}(place + 12), reverse)
    return place
end

function fill_histogram_options!(place::Ptr{UInt8}, keep, low, high)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{Float64}(place + 8), low)
    unsafe_store!(Ptr{Float64}(place + 16), high)
    return place
end

function fill_topk_options!(place::Ptr{UInt8}, keep, indices_into, smallest)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(indices_into))
    unsafe_store!(Ptr{UInt32}(place + 16), smallest)
    return place
end

function fill_norm_options!(
    place::Ptr{UInt8}, keep, scale, bias, epsilon, has_epsilon, mean_into,
    inverse_deviation_into
)
    clear_bytes(place, 56)
    unsafe_store!(Ptr{Csize_t}(place), 56)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(scale))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(bias))
    unsafe_store!(Ptr{Float64}(place + 24), epsilon)
    unsafe_store!(Ptr{UInt32}(place + 32), has_epsilon)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 40), raw(mean_into))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 48), raw(inverse_deviation_into))
    return place
end

function fill_batchnorm_options!(
    place::Ptr{UInt8}, keep, scale, bias, epsilon, momentum, alpha, beta, activation,
    variant, training, has_epsilon, has_momentum, has_parameters
)
    clear_bytes(place, 80)
    unsafe_store!(Ptr{Csize_t}(place), 80)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(scale))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(bias))
    unsafe_store!(Ptr{Float64}(place + 24), epsilon)
    unsafe_store!(Ptr{Float64}(place + 32), momentum)
    unsafe_store!(Ptr{Float64}(place + 40), alpha)
    unsafe_store!(Ptr{Float64}(place + 48), beta)
    unsafe_store!(Ptr{Int32}(place + 56), enum(Activation, activation).value)
    unsafe_store!(Ptr{Int32}(place + 60), enum(Variant, variant).value)
    unsafe_store!(Ptr{UInt32}(place + 64), training)
    unsafe_store!(Ptr{UInt32}(place + 68), has_epsilon)
    unsafe_store!(Ptr{UInt32}(place + 72), has_momentum)
    unsafe_store!(Ptr{UInt32}(place + 76), has_parameters)
    return place
end

function fill_pooling_options!(
    place::Ptr{UInt8}, keep, window, strides, dilations, padding, ceil_mode,
    count_include_pad, indices_into, p, column_major
)
    clear_bytes(place, 88)
    unsafe_store!(Ptr{Csize_t}(place), 88)
    window_place, window_count = keep_array!(keep, Int64, window)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), window_place)
    unsafe_store!(Ptr{UInt32}(place + 40), window_count)
    strides_place, strides_count = keep_array!(keep, Int64, strides)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), strides_place)
    unsafe_store!(Ptr{UInt32}(place + 44), strides_count)
    dilations_place, dilations_count = keep_array!(keep, Int64, dilations)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), dilations_place)
    unsafe_store!(Ptr{UInt32}(place + 48), dilations_count)
    padding_place, padding_count = keep_array!(keep, Int64, padding)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), padding_place)
    unsafe_store!(Ptr{UInt32}(place + 52), padding_count)
    unsafe_store!(Ptr{UInt32}(place + 56), ceil_mode)
    unsafe_store!(Ptr{UInt32}(place + 60), count_include_pad)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 64), raw(indices_into))
    unsafe_store!(Ptr{Float64}(place + 72), p)
    unsafe_store!(Ptr{UInt32}(place + 80), column_major)
    return place
end

function fill_max_unpool2d_options!(place::Ptr{UInt8}, keep, column_major)
    clear_bytes(place, 16)
    unsafe_store!(Ptr{Csize_t}(place), 16)
    unsafe_store!(Ptr{UInt32}(place + 8), column_major)
    return place
end

function fill_roi_pool_options!(place::Ptr{UInt8}, keep, bins, samples, scale, half_pixel)
    clear_bytes(place, 48)
    unsafe_store!(Ptr{Csize_t}(place), 48)
    store_each(:bins, Ptr{Int64}(place + 8), 2, bins)
    unsafe_store!(Ptr{Int64}(place + 24), samples)
    unsafe_store!(Ptr{Float64}(place + 32), scale)
    unsafe_store!(Ptr{UInt32}(place + 40), half_pixel)
    return place
end

function fill_quantize_linear_options!(
    place::Ptr{UInt8}, keep, zero_point, block_size, dtype, precision
)
    clear_bytes(place, 32)
    unsafe_store!(Ptr{Csize_t}(place), 32)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(zero_point))
    unsafe_store!(Ptr{Int64}(place + 16), block_size)
    unsafe_store!(Ptr{Int32}(place + 24), enum(Dtype, dtype).value)
    unsafe_store!(Ptr{Int32}(place + 28), enum(Dtype, precision).value)
    return place
end

function fill_dequantize_linear_options!(
    place::Ptr{UInt8}, keep, zero_point, block_size, dtype
)
    clear_bytes(place, 32)
    unsafe_store!(Ptr{Csize_t}(place), 32)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(zero_point))
    unsafe_store!(Ptr{Int64}(place + 16), block_size)
    unsafe_store!(Ptr{Int32}(place + 24), enum(Dtype, dtype).value)
    return place
end

function fill_dynamic_quantize_linear_options!(
    place::Ptr{UInt8}, keep, scale_into, zero_point_into
)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(scale_into))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(zero_point_into))
    return place
end

function fill_qlinear_matmul_options!(
    place::Ptr{UInt8}, keep, a_zero_point, b_zero_point, y_zero_point, dtype
)
    clear_bytes(place, 40)
    unsafe_store!(Ptr{Csize_t}(place), 40)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(a_zero_point))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(b_zero_point))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), raw(y_zero_point))
    unsafe_store!(Ptr{Int32}(place + 32), enum(Dtype, dtype).value)
    return place
end

function fill_conv2d_integer_options!(
    place::Ptr{UInt8}, keep, x_zero_point, w_zero_point, strides, dilations, padding, groups
)
    clear_bytes(place, 96)
    unsafe_store!(Ptr{Csize_t}(place), 96)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(x_zero_point))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(w_zero_point))
    store_each(:strides, Ptr{Int64}(place + 24), 2, strides)
    store_each(:dilations, Ptr{Int64}(place + 40), 2, dilations)
    store_each(:padding, Ptr{Int64}(place + 56), 4, padding)
    unsafe_store!(Ptr{Int64}(place + 88), groups)
    return place
end

function fill_qlinear_conv2d_options!(
    place::Ptr{UInt8}, keep, x_zero_point, w_zero_point, y_zero_point, bias, strides,
    dilations, padding, groups, dtype
)
    clear_bytes(place, 120)
    unsafe_store!(Ptr{Csize_t}(place), 120)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(x_zero_point))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(w_zero_point))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), raw(y_zero_point))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), raw(bias))
    store_each(:strides, Ptr{Int64}(place + 40), 2, strides)
    store_each(:dilations, Ptr{Int64}(place + 56), 2, dilations)
    store_each(:padding, Ptr{Int64}(place + 72), 4, padding)
    unsafe_store!(Ptr{Int64}(place + 104), groups)
    unsafe_store!(Ptr{Int32}(place + 112), enum(Dtype, dtype).value)
    return place
end

function fill_loss_options!(
    place::Ptr{UInt8}, keep, weights, ignore_index, has_ignore_index, reduction, dtype
)
    clear_bytes(place, 40)
    unsafe_store!(Ptr{Csize_t}(place), 40)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(weights))
    unsafe_store!(Ptr{Int64}(place + 16), ignore_index)
    unsafe_store!(Ptr{UInt32}(place + 24), has_ignore_index)
    unsafe_store!(Ptr{Int32}(place + 28), enum(LossReduction, reduction).value)
    unsafe_store!(Ptr{Int32}(place + 32), enum(Dtype, dtype).value)
    return place
end

function fill_mixed_precision!(place::Ptr{UInt8}, keep, masters, scale, found_inf)
    clear_bytes(place, 40)
    unsafe_store!(Ptr{Csize_t}(place), 40)
    masters_place, masters_count = keep_handles!(keep, masters)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), masters_place)
    unsafe_store!(Ptr{UInt32}(place + 32), masters_count)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(scale))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), raw(found_inf))
    return place
end

"""
    MixedPrecision(; members...)

f16 or bf16 parameters beside f32 masters, and gradients that were scaled to stay in range.

* `masters`: f32, of f16 and bf16 parameters, which are then not read: the step changes the
  master, of which the parameter becomes the rounding
* `scale`: f32, one element: gradients are multiplied by 1 / scale
* `found_inf`: f32, one element: when it is not 0 nothing is written
"""
mutable struct MixedPrecision
    masters::Any
    scale::Any
    found_inf::Any
end
function MixedPrecision(;
    masters = (), scale::Union{Nothing,TensorLike} = nothing,
    found_inf::Union{Nothing,TensorLike} = nothing
)
    return MixedPrecision(masters, scale, found_inf)
end
struct_size(::MixedPrecision) = 40
function fill_struct!(place::Ptr{UInt8}, keep, object::MixedPrecision)
    return fill_mixed_precision!(
        place, keep, object.masters, object.scale, object.found_inf
    )
end

function fill_sgd_options!(
    place::Ptr{UInt8}, keep, momentum_buffers, step, factor, precision, momentum, dampening,
    weight_decay, nesterov
)
    clear_bytes(place, 72)
    unsafe_store!(Ptr{Csize_t}(place), 72)
    momentum_buffers_place, momentum_buffers_count = keep_handles!(keep, momentum_buffers)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), momentum_buffers_place)
    unsafe_store!(Ptr{UInt32}(place + 64), momentum_buffers_count)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(step))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), raw(factor))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), keep_struct!(keep, precision))
    unsafe_store!(Ptr{Float64}(place + 40), momentum)
    unsafe_store!(Ptr{Float64}(place + 48), dampening)
    unsafe_store!(Ptr{Float64}(place + 56), weight_decay)
    unsafe_store!(Ptr{UInt32}(place + 68), nesterov)
    return place
end

function fill_adam_options!(
    place::Ptr{UInt8}, keep, max_square_averages, factor, precision, beta1, beta2, epsilon,
    weight_decay, has_betas, decoupled
)
    clear_bytes(place, 80)
    unsafe_store!(Ptr{Csize_t}(place), 80)
    max_square_averages_place, max_square_averages_count = keep_handles!(keep, max_square_averages)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), max_square_averages_place)
    unsafe_store!(Ptr{UInt32}(place + 64), max_square_averages_count)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(factor))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), keep_struct!(keep, precision))
    unsafe_store!(Ptr{Float64}(place + 32), beta1)
    unsafe_store!(Ptr{Float64}(place + 40), beta2)
    unsafe_store!(Ptr{Float64}(place + 48), epsilon)
    unsafe_store!(Ptr{Float64}(place + 56), weight_decay)
    unsafe_store!(Ptr{UInt32}(place + 68), has_betas)
    unsafe_store!(Ptr{UInt32}(place + 72), decoupled)
    return place
end

function fill_rmsprop_options!(
    place::Ptr{UInt8}, keep, momentum_buffers, averages, factor, precision, alpha, epsilon,
    momentum, weight_decay
)
    clear_bytes(place, 80)
    unsafe_store!(Ptr{Csize_t}(place), 80)
    momentum_buffers_place, momentum_buffers_count = keep_handles!(keep, momentum_buffers)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), momentum_buffers_place)
    unsafe_store!(Ptr{UInt32}(place + 72), momentum_buffers_count)
    averages_place, averages_count = keep_handles!(keep, averages)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), averages_place)
    unsafe_store!(Ptr{UInt32}(place + 76), averages_count)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), raw(factor))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), keep_struct!(keep, precision))
    unsafe_store!(Ptr{Float64}(place + 40), alpha)
    unsafe_store!(Ptr{Float64}(place + 48), epsilon)
    unsafe_store!(Ptr{Float64}(place + 56), momentum)
    unsafe_store!(Ptr{Float64}(place + 64), weight_decay)
    return place
end

function fill_adagrad_options!(
    place::Ptr{UInt8}, keep, step, factor, precision, learning_rate_decay, epsilon,
    weight_decay
)
    clear_bytes(place, 56)
    unsafe_store!(Ptr{Csize_t}(place), 56)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), raw(step))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(factor))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), keep_struct!(keep, precision))
    unsafe_store!(Ptr{Float64}(place + 32), learning_rate_decay)
    unsafe_store!(Ptr{Float64}(place + 40), epsilon)
    unsafe_store!(Ptr{Float64}(place + 48), weight_decay)
    return place
end

function fill_loss_scale_options!(
    place::Ptr{UInt8}, keep, growth_factor, backoff_factor, growth_interval
)
    clear_bytes(place, 32)
    unsafe_store!(Ptr{Csize_t}(place), 32)
    unsafe_store!(Ptr{Float64}(place + 8), growth_factor)
    unsafe_store!(Ptr{Float64}(place + 16), backoff_factor)
    unsafe_store!(Ptr{Int64}(place + 24), growth_interval)
    return place
end

function fill_pad_options!(place::Ptr{UInt8}, keep, value, mode)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_bytes!(keep, value))
    unsafe_store!(Ptr{Int32}(place + 16), enum(PadMode, mode).value)
    return place
end

function fill_scatter_options!(place::Ptr{UInt8}, keep, mode, atomics)
    clear_bytes(place, 16)
    unsafe_store!(Ptr{Csize_t}(place), 16)
    unsafe_store!(Ptr{Int32}(place + 8), enum(ScatterMode, mode).value)
    unsafe_store!(Ptr{UInt32}(place + 12), atomics)
    return place
end

function fill_resize_options!(
    place::Ptr{UInt8}, keep, mode, coordinates, rounding, antialias, exclude_outside,
    has_cubic_coeff, cubic_coeff, extrapolation_value, scales, roi
)
    clear_bytes(place, 72)
    unsafe_store!(Ptr{Csize_t}(place), 72)
    unsafe_store!(Ptr{Int32}(place + 8), enum(ResizeMode, mode).value)
    unsafe_store!(Ptr{Int32}(place + 12), enum(ResizeCoordinates, coordinates).value)
    unsafe_store!(Ptr{Int32}(place + 16), enum(ResizeRounding, rounding).value)
    unsafe_store!(Ptr{UInt32}(place + 20), antialias)
    unsafe_store!(Ptr{UInt32}(place + 24), exclude_outside)
    unsafe_store!(Ptr{UInt32}(place + 28), has_cubic_coeff)
    unsafe_store!(Ptr{Float64}(place + 32), cubic_coeff)
    unsafe_store!(Ptr{Float64}(place + 40), extrapolation_value)
    scales_place, scales_count = keep_array!(keep, Float64, scales)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 48), scales_place)
    unsafe_store!(Ptr{UInt32}(place + 64), scales_count)
    roi_place, roi_count = keep_array!(keep, Float64, roi)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 56), roi_place)
    unsafe_store!(Ptr{UInt32}(place + 68), roi_count)
    return place
end

function fill_graph_options!(place::Ptr{UInt8}, keep, execute)
    clear_bytes(place, 16)
    unsafe_store!(Ptr{Csize_t}(place), 16)
    unsafe_store!(Ptr{Int32}(place + 8), enum(Toggle, execute).value)
    return place
end

function fill_graph_function_options!(place::Ptr{UInt8}, keep, forms_most, fuse)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{UInt64}(place + 8), forms_most)
    unsafe_store!(Ptr{Int32}(place + 16), enum(Toggle, fuse).value)
    return place
end

"""
    GraphInfo

What is known of a graph.

* `call_count`: calls that are recorded; writes of others in between are none
* `kept_bytes`: memory that their tensors keep, each piece counted once
* `step_count`: of a compiled capture: calls that are left, joined or not
* `ready_count`: steps of which `netcl_graph_compile` has made the commands so far
* `command_count`: kernels and functions that a run enqueues, beside calls of groups
* `planned_bytes`: memory that a run takes for values that are no outputs
* `live_bytes`: the most that such values of the recorded calls have at one time
* `form_count`: of a graph made from a function: forms that are kept
"""
struct GraphInfo <: Info
    call_count::UInt64
    kept_bytes::UInt64
    step_count::UInt64
    ready_count::UInt64
    command_count::UInt64
    planned_bytes::UInt64
    live_bytes::UInt64
    form_count::UInt64
end
info_size(::Type{GraphInfo}) = 72
function read_info(::Type{GraphInfo}, place::Ptr{UInt8})
    return GraphInfo(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{UInt64}(place + 32)),
        unsafe_load(Ptr{UInt64}(place + 40)), unsafe_load(Ptr{UInt64}(place + 48)),
        unsafe_load(Ptr{UInt64}(place + 56)), unsafe_load(Ptr{UInt64}(place + 64))
    )
end

function fill_gradients_options!(
    place::Ptr{UInt8}, keep, seeds, into, queue, event, accumulate, consume, reducer
)
    clear_bytes(place, 64)
    unsafe_store!(Ptr{Csize_t}(place), 64)
    seeds_place, seeds_count = keep_handles!(keep, seeds)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), seeds_place)
    unsafe_store!(Ptr{UInt32}(place + 40), seeds_count)
    into_place, into_count = keep_handles!(keep, into)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), into_place)
    unsafe_store!(Ptr{UInt32}(place + 44), into_count)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), raw(queue))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), event)
    unsafe_store!(Ptr{UInt32}(place + 48), accumulate)
    unsafe_store!(Ptr{UInt32}(place + 52), consume)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 56), raw(reducer))
    return place
end

function fill_graph_compile_options!(place::Ptr{UInt8}, keep, fuse)
    clear_bytes(place, 16)
    unsafe_store!(Ptr{Csize_t}(place), 16)
    unsafe_store!(Ptr{Int32}(place + 8), enum(Toggle, fuse).value)
    return place
end

function fill_model_options!(place::Ptr{UInt8}, keep, forms_most, fuse, dtype)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{UInt64}(place + 8), forms_most)
    unsafe_store!(Ptr{Int32}(place + 16), enum(Toggle, fuse).value)
    unsafe_store!(Ptr{Int32}(place + 20), enum(Dtype, dtype).value)
    return place
end

"""
    ModelInfo

What is known of a model. Texts that are longer are cut.

* `node_count`: nodes that outputs depend on
* `weight_count`: tensors that the device holds: of the file, and what depends on those
  alone, in their place
* `weight_bytes`: their bytes
* `form_count`: compiled forms that are kept now
* `ir_version`: of the file's format
* `opset`: of the ops of ONNX; 0: the file names none
* `input_count`
* `output_count`
* `name`
* `producer`: the program that wrote the file, with its version
"""
struct ModelInfo <: Info
    node_count::UInt64
    weight_count::UInt64
    weight_bytes::UInt64
    form_count::UInt64
    ir_version::Int
    opset::Int
    input_count::Int
    output_count::Int
    name::String
    producer::String
end
info_size(::Type{ModelInfo}) = 320
function read_info(::Type{ModelInfo}, place::Ptr{UInt8})
    return ModelInfo(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{UInt64}(place + 32)),
        unsafe_load(Ptr{Int64}(place + 40)), unsafe_load(Ptr{Int64}(place + 48)),
        unsafe_load(Ptr{UInt32}(place + 56)), unsafe_load(Ptr{UInt32}(place + 60)),
        inline_text(place + 64, 128), inline_text(place + 192, 128)
    )
end

"""
    ModelValue

An input or an output of a model, as the file describes it.

* `dtype`: 0: the file does not say
* `has_rank`: true: the file says the rank; false: rank is 0
* `rank`
* `bound`: true: an input that the host reads, see above
* `shape`: extents; -1: any
* `name`: cut where it is longer
* `dimensions`: the extents with their names, \"\\[batch, 3, 224, 224\\]\"; \"?\" for one
  without; \"\" without a rank
"""
struct ModelValue <: Info
    dtype::Dtype
    has_rank::Bool
    rank::Int
    bound::Bool
    shape::NTuple{8,Int64}
    name::String
    dimensions::String
end
info_size(::Type{ModelValue}) = 600
function read_info(::Type{ModelValue}, place::Ptr{UInt8})
    return ModelValue(
        unsafe_load(Ptr{Dtype}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)) != 0,
        unsafe_load(Ptr{UInt32}(place + 16)), unsafe_load(Ptr{UInt32}(place + 20)) != 0,
        unsafe_load(Ptr{NTuple{8,Int64}}(place + 24)), inline_text(place + 88, 256),
        inline_text(place + 344, 256)
    )
end

function fill_weights_options!(place::Ptr{UInt8}, keep, map)
    clear_bytes(place, 16)
    unsafe_store!(Ptr{Csize_t}(place), 16)
    unsafe_store!(Ptr{Int32}(place + 8), enum(Toggle, map).value)
    return place
end

"""
    WeightsInfo

What is known of a file of weights.

* `format`
* `version`: of GGUF; 0 for other formats
* `tensor_count`
* `metadata_count`: keys of \\_\\_metadata\\_\\_ of safetensors, key-values of GGUF
* `file_bytes`
"""
struct WeightsInfo <: Info
    format::WeightsFormat
    version::Int
    tensor_count::Int
    metadata_count::Int
    file_bytes::UInt64
end
info_size(::Type{WeightsInfo}) = 32
function read_info(::Type{WeightsInfo}, place::Ptr{UInt8})
    return WeightsInfo(
        unsafe_load(Ptr{WeightsFormat}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)),
        unsafe_load(Ptr{UInt32}(place + 16)), unsafe_load(Ptr{UInt32}(place + 20)),
        unsafe_load(Ptr{UInt64}(place + 24))
    )
end

"""
    WeightsEntry

A tensor as its file describes it.

* `dtype`: of what `netcl_weights_get_tensor` gives; 0: none
* `quantization`: Q4\\_0, Q8\\_0 or Q4\\_K of GGUF; 0: none
* `rank`
* `shape`: in C order, the slowest first; of weights in blocks that of the weights
* `byte_count`: of the elements in memory; 0 for types of GGUF that this library does not
  know
* `type`: as the format calls it: \"BF16\", \"Q6\\_K\", \"<f4\"
* `name`
"""
struct WeightsEntry <: Info
    dtype::Dtype
    quantization::Quantization
    rank::Int
    shape::NTuple{8,Int64}
    byte_count::UInt64
    type::String
    name::String
end
info_size(::Type{WeightsEntry}) = 384
function read_info(::Type{WeightsEntry}, place::Ptr{UInt8})
    return WeightsEntry(
        unsafe_load(Ptr{Dtype}(place + 8)), unsafe_load(Ptr{Quantization}(place + 12)),
        unsafe_load(Ptr{UInt32}(place + 16)), unsafe_load(Ptr{NTuple{8,Int64}}(place + 24)),
        unsafe_load(Ptr{UInt64}(place + 88)), inline_text(place + 96, 32),
        inline_text(place + 128, 256)
    )
end

function fill_weights_save_options!(place::Ptr{UInt8}, keep, keys, values)
    clear_bytes(place, 32)
    unsafe_store!(Ptr{Csize_t}(place), 32)
    keys_place, keys_count = keep_texts!(keep, :keys, keys)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keys_place)
    unsafe_store!(Ptr{UInt32}(place + 24), keys_count)
    values_place, values_count = keep_texts!(keep, :values, values)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), values_place)
    unsafe_store!(Ptr{UInt32}(place + 28), values_count)
    return place
end

function fill_group_options!(place::Ptr{UInt8}, keep, timeout_ns, transport)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{UInt64}(place + 8), timeout_ns)
    unsafe_store!(Ptr{Int32}(place + 16), enum(GroupTransport, transport).value)
    return place
end

"""
    GroupInfo

What a group is, as one of its ranks sees it.

* `rank`
* `size`
* `failure`: what made the group unusable; 0 while it is usable
* `transport`: the one that it has: never AUTO
* `timeout_ns`
* `calls`: collectives that this rank has begun, those among them that a rank refused, sends
  and receives left out: while a group is usable, ranks at the same place of the program
  have the same number
"""
struct GroupInfo <: Info
    rank::Int
    size::Int
    failure::Status
    transport::GroupTransport
    timeout_ns::UInt64
    calls::UInt64
end
info_size(::Type{GroupInfo}) = 40
function read_info(::Type{GroupInfo}, place::Ptr{UInt8})
    return GroupInfo(
        unsafe_load(Ptr{UInt32}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)),
        unsafe_load(Ptr{Status}(place + 16)), unsafe_load(Ptr{GroupTransport}(place + 20)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{UInt64}(place + 32))
    )
end

function fill_reducer_options!(place::Ptr{UInt8}, keep, bucket_bytes, kind)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{UInt64}(place + 8), bucket_bytes)
    unsafe_store!(Ptr{Int32}(place + 16), enum(Reduction, kind).value)
    return place
end

"""
    ReducerInfo

What a reducer is, and what it has done.

* `bucket_bytes`: with which a bucket is full
* `runs`: that have begun
* `gradients`: that runs have given to it
* `buckets`: that are joined
* `bytes`: of the gradients in them
* `kind`
* `waiting`: true: the last run was not waited for yet
* `room_bytes`: of `bytes`, those that went by rooms of two ranks
"""
struct ReducerInfo <: Info
    bucket_bytes::UInt64
    runs::UInt64
    gradients::UInt64
    buckets::UInt64
    bytes::UInt64
    kind::Reduction
    waiting::Bool
    room_bytes::UInt64
end
info_size(::Type{ReducerInfo}) = 64
function read_info(::Type{ReducerInfo}, place::Ptr{UInt8})
    return ReducerInfo(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{UInt64}(place + 32)),
        unsafe_load(Ptr{UInt64}(place + 40)), unsafe_load(Ptr{Reduction}(place + 48)),
        unsafe_load(Ptr{UInt32}(place + 52)) != 0, unsafe_load(Ptr{UInt64}(place + 56))
    )
end

function fill_sharding_options!(place::Ptr{UInt8}, keep, mesh, axes)
    clear_bytes(place, 32)
    unsafe_store!(Ptr{Csize_t}(place), 32)
    mesh_place, mesh_count = keep_array!(keep, UInt32, mesh)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), mesh_place)
    unsafe_store!(Ptr{UInt32}(place + 24), mesh_count)
    axes_place, axes_count = keep_array!(keep, Int32, axes)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), axes_place)
    unsafe_store!(Ptr{UInt32}(place + 28), axes_count)
    return place
end

"""
    ShardedInfo

What a sharded tensor is, as one of its ranks sees it.

* `dtype`
* `rank`: of the tensor
* `shape`: of the whole
* `mesh_rank`: dimensions of the mesh
* `mesh`
* `axes`: what they split, or `NETCL_REPLICATED`
"""
struct ShardedInfo <: Info
    dtype::Dtype
    rank::Int
    shape::NTuple{8,Int64}
    mesh_rank::Int
    mesh::NTuple{3,UInt32}
    axes::NTuple{3,Int32}
end
info_size(::Type{ShardedInfo}) = 112
function read_info(::Type{ShardedInfo}, place::Ptr{UInt8})
    return ShardedInfo(
        unsafe_load(Ptr{Dtype}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)),
        unsafe_load(Ptr{NTuple{8,Int64}}(place + 16)), unsafe_load(Ptr{UInt32}(place + 80)),
        unsafe_load(Ptr{NTuple{3,UInt32}}(place + 84)),
        unsafe_load(Ptr{NTuple{3,Int32}}(place + 96))
    )
end

"""
    BlockInfo

Where in the whole the block of a rank lies.

* `first`: index of its first element
* `shape`
"""
struct BlockInfo <: Info
    first::NTuple{8,Int64}
    shape::NTuple{8,Int64}
end
info_size(::Type{BlockInfo}) = 136
function read_info(::Type{BlockInfo}, place::Ptr{UInt8})
    return BlockInfo(
        unsafe_load(Ptr{NTuple{8,Int64}}(place + 8)),
        unsafe_load(Ptr{NTuple{8,Int64}}(place + 72))
    )
end

function fill_halo_options!(place::Ptr{UInt8}, keep, value, periodic)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{Float64}(place + 8), value)
    unsafe_store!(Ptr{UInt32}(place + 16), periodic)
    return place
end

function fill_measurement_options!(
    place::Ptr{UInt8}, keep, warmup_count, warmup_ns, count, count_least, count_most,
    budget_ns, confidence, precision, flush_bytes, seed, candidates, cold_cache, source,
    measurement
)
    clear_bytes(place, 112)
    unsafe_store!(Ptr{Csize_t}(place), 112)
    unsafe_store!(Ptr{UInt64}(place + 8), warmup_count)
    unsafe_store!(Ptr{UInt64}(place + 16), warmup_ns)
    unsafe_store!(Ptr{UInt64}(place + 24), count)
    unsafe_store!(Ptr{UInt64}(place + 32), count_least)
    unsafe_store!(Ptr{UInt64}(place + 40), count_most)
    unsafe_store!(Ptr{UInt64}(place + 48), budget_ns)
    unsafe_store!(Ptr{Float64}(place + 56), confidence)
    unsafe_store!(Ptr{Float64}(place + 64), precision)
    unsafe_store!(Ptr{UInt64}(place + 72), flush_bytes)
    unsafe_store!(Ptr{UInt64}(place + 80), seed)
    unsafe_store!(Ptr{UInt32}(place + 88), candidates)
    unsafe_store!(Ptr{UInt32}(place + 92), cold_cache)
    unsafe_store!(Ptr{Int32}(place + 96), enum(TimeSource, source).value)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 104), measurement)
    return place
end

"""
    Statistics

Statistics of samples, times in nanoseconds for one iteration.

* `count`: samples
* `median`
* `mean`
* `deviation`: of the sample (n - 1); 0 for one sample
* `min`
* `max`
* `quartile_low`: quartiles interpolate between samples (Hyndman, Fan, type 7)
* `quartile_high`
* `interval_low`: interval of the median, from order statistics
* `interval_high`
* `confidence`: probability that the interval holds the true median: at least what was
  wanted, less where the samples are too few for that (0.95 takes 6): 0 for 1 sample, 0.75
  for 3
* `iterations`: runs per sample: more than 1 where the clock is coarse
* `warmup_count`: runs before the first sample
* `resolution_ns`: of the clock
* `bytes`: declared by the ops of one iteration; 0: none
* `bytes_written`: the part of bytes that is written
* `operations`: declared by the ops of one iteration; 0: none
* `dtype`: in which the operations are done; 0: unknown, or several
* `stop`
* `cold_cache`: true: caches were flushed before samples
* `flush_proven`: true: a probe showed that flushing makes reads slower here
* `matrix_units`: true: some of the operations are declared for matrix units
"""
struct Statistics <: Info
    count::UInt64
    median::Float64
    mean::Float64
    deviation::Float64
    min::Float64
    max::Float64
    quartile_low::Float64
    quartile_high::Float64
    interval_low::Float64
    interval_high::Float64
    confidence::Float64
    iterations::UInt64
    warmup_count::UInt64
    resolution_ns::UInt64
    bytes::Float64
    bytes_written::Float64
    operations::Float64
    dtype::Dtype
    stop::StopReason
    cold_cache::Bool
    flush_proven::Bool
    matrix_units::Bool
end
info_size(::Type{Statistics}) = 168
function read_info(::Type{Statistics}, place::Ptr{UInt8})
    return Statistics(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{Float64}(place + 16)),
        unsafe_load(Ptr{Float64}(place + 24)), unsafe_load(Ptr{Float64}(place + 32)),
        unsafe_load(Ptr{Float64}(place + 40)), unsafe_load(Ptr{Float64}(place + 48)),
        unsafe_load(Ptr{Float64}(place + 56)), unsafe_load(Ptr{Float64}(place + 64)),
        unsafe_load(Ptr{Float64}(place + 72)), unsafe_load(Ptr{Float64}(place + 80)),
        unsafe_load(Ptr{Float64}(place + 88)), unsafe_load(Ptr{UInt64}(place + 96)),
        unsafe_load(Ptr{UInt64}(place + 104)), unsafe_load(Ptr{UInt64}(place + 112)),
        unsafe_load(Ptr{Float64}(place + 120)), unsafe_load(Ptr{Float64}(place + 128)),
        unsafe_load(Ptr{Float64}(place + 136)), unsafe_load(Ptr{Dtype}(place + 144)),
        unsafe_load(Ptr{StopReason}(place + 148)),
        unsafe_load(Ptr{UInt32}(place + 152)) != 0,
        unsafe_load(Ptr{UInt32}(place + 156)) != 0,
        unsafe_load(Ptr{UInt32}(place + 160)) != 0
    )
end
function Statistics(;
    count = UInt64(0), median = Float64(0), mean = Float64(0), deviation = Float64(0),
    min = Float64(0), max = Float64(0), quartile_low = Float64(0),
    quartile_high = Float64(0), interval_low = Float64(0), interval_high = Float64(0),
    confidence = Float64(0), iterations = UInt64(0), warmup_count = UInt64(0),
    resolution_ns = UInt64(0), bytes = Float64(0), bytes_written = Float64(0),
    operations = Float64(0), dtype = Dtype(0), stop = StopReason(0), cold_cache = false,
    flush_proven = false, matrix_units = false
)
    return Statistics(
    count, median, mean, deviation, min, max, quartile_low, quartile_high, interval_low,
    interval_high, confidence, iterations, warmup_count, resolution_ns, bytes,
    bytes_written, operations, dtype, stop, cold_cache, flush_proven, matrix_units
)
end

function fill_statistics!(
    place::Ptr{UInt8}, keep, count, median, mean, deviation, min, max, quartile_low,
    quartile_high, interval_low, interval_high, confidence, iterations, warmup_count,
    resolution_ns, bytes, bytes_written, operations, dtype, stop, cold_cache, flush_proven,
    matrix_units
)
    clear_bytes(place, 168)
    unsafe_store!(Ptr{Csize_t}(place), 168)
    unsafe_store!(Ptr{UInt64}(place + 8), count)
    unsafe_store!(Ptr{Float64}(place + 16), median)
    unsafe_store!(Ptr{Float64}(place + 24), mean)
    unsafe_store!(Ptr{Float64}(place + 32), deviation)
    unsafe_store!(Ptr{Float64}(place + 40), min)
    unsafe_store!(Ptr{Float64}(place + 48), max)
    unsafe_store!(Ptr{Float64}(place + 56), quartile_low)
    unsafe_store!(Ptr{Float64}(place + 64), quartile_high)
    unsafe_store!(Ptr{Float64}(place + 72), interval_low)
    unsafe_store!(Ptr{Float64}(place + 80), interval_high)
    unsafe_store!(Ptr{Float64}(place + 88), confidence)
    unsafe_store!(Ptr{UInt64}(place + 96), iterations)
    unsafe_store!(Ptr{UInt64}(place + 104), warmup_count)
    unsafe_store!(Ptr{UInt64}(place + 112), resolution_ns)
    unsafe_store!(Ptr{Float64}(place + 120), bytes)
    unsafe_store!(Ptr{Float64}(place + 128), bytes_written)
    unsafe_store!(Ptr{Float64}(place + 136), operations)
    unsafe_store!(Ptr{Int32}(place + 144), enum(Dtype, dtype).value)
    unsafe_store!(Ptr{Int32}(place + 148), enum(StopReason, stop).value)
    unsafe_store!(Ptr{UInt32}(place + 152), cold_cache)
    unsafe_store!(Ptr{UInt32}(place + 156), flush_proven)
    unsafe_store!(Ptr{UInt32}(place + 160), matrix_units)
    return place
end
struct_size(::Statistics) = 168
function fill_struct!(place::Ptr{UInt8}, keep, object::Statistics)
    return fill_statistics!(
        place, keep, object.count, object.median, object.mean, object.deviation, object.min,
        object.max, object.quartile_low, object.quartile_high, object.interval_low,
        object.interval_high, object.confidence, object.iterations, object.warmup_count,
        object.resolution_ns, object.bytes, object.bytes_written, object.operations,
        object.dtype, object.stop, object.cold_cache, object.flush_proven,
        object.matrix_units
    )
end

"""
    Comparison

How the times of two candidates compare.

* `ratio`: median of the first over median of the second
* `interval_low`: bootstrap interval of the ratio (percentiles, seeded)
* `interval_high`
* `verdict`
"""
struct Comparison <: Info
    ratio::Float64
    interval_low::Float64
    interval_high::Float64
    verdict::Verdict
end
info_size(::Type{Comparison}) = 40
function read_info(::Type{Comparison}, place::Ptr{UInt8})
    return Comparison(
        unsafe_load(Ptr{Float64}(place + 8)), unsafe_load(Ptr{Float64}(place + 16)),
        unsafe_load(Ptr{Float64}(place + 24)), unsafe_load(Ptr{Verdict}(place + 32))
    )
end

"""
    Elapsed

What a timer saw between start and stop.

* `span_ns`: start of the first command to end of the last
* `busy_ns`: union of the commands' times
* `host_ns`: the host's clock from start to the first stop
* `commands`
"""
struct Elapsed <: Info
    span_ns::UInt64
    busy_ns::UInt64
    host_ns::UInt64
    commands::UInt64
end
info_size(::Type{Elapsed}) = 40
function read_info(::Type{Elapsed}, place::Ptr{UInt8})
    return Elapsed(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{UInt64}(place + 32))
    )
end

function fill_profile_options!(place::Ptr{UInt8}, keep, trace_path, records_most)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_text!(keep, :trace_path, trace_path))
    unsafe_store!(Ptr{UInt64}(place + 16), records_most)
    return place
end

function fill_roofline_options!(
    place::Ptr{UInt8}, keep, threshold_pct, min_improvement_pct, tensor_core_threshold_pct,
    underutilized_pct, convergence_rounds, early_stop
)
    clear_bytes(place, 48)
    unsafe_store!(Ptr{Csize_t}(place), 48)
    unsafe_store!(Ptr{Float64}(place + 8), threshold_pct)
    unsafe_store!(Ptr{Float64}(place + 16), min_improvement_pct)
    unsafe_store!(Ptr{Float64}(place + 24), tensor_core_threshold_pct)
    unsafe_store!(Ptr{Float64}(place + 32), underutilized_pct)
    unsafe_store!(Ptr{UInt32}(place + 40), convergence_rounds)
    unsafe_store!(Ptr{Int32}(place + 44), enum(Toggle, early_stop).value)
    return place
end

"""
    RooflineResult

How near a kernel is to the limits of its device. Percentages may exceed 100: beating a
ceiling shows that the ceiling is wrong, and is warned of above 105.

* `compute_sol_pct`
* `memory_sol_pct`
* `efficiency_pct`: the larger of the two
* `at_roofline`: true: efficiency\\_pct >= threshold\\_pct
* `uses_tensor_cores`: true: some of the work ran on them
* `headroom_pct`: 100 - efficiency\\_pct, at least 0
* `bottleneck`
* `source`
* `arithmetic_intensity`: model: operations per byte; 0 when unknown
* `time_ns`: the time it is about; 0 when unknown
* `roof_ns`: model: the shortest time that the ceilings allow
* `warnings_count`
* `ceiling`: model: the ceiling that binds, \"memory\\_read\"
* `warnings`: joined by \"; \"
* `launches_count`: NCU report: the launches that matched; else 0
* `launch`: which of these it is, from 0 on, as they stand there
* `kernel`: its kernel, as far as it fits; control bytes are spaces
"""
struct RooflineResult <: Info
    compute_sol_pct::Float64
    memory_sol_pct::Float64
    efficiency_pct::Float64
    at_roofline::Bool
    uses_tensor_cores::Bool
    headroom_pct::Float64
    bottleneck::Bottleneck
    source::RooflineSource
    arithmetic_intensity::Float64
    time_ns::Float64
    roof_ns::Float64
    warnings_count::Int
    ceiling::String
    warnings::String
    launches_count::Int
    launch::Int
    kernel::String
end
info_size(::Type{RooflineResult}) = 896
function read_info(::Type{RooflineResult}, place::Ptr{UInt8})
    return RooflineResult(
        unsafe_load(Ptr{Float64}(place + 8)), unsafe_load(Ptr{Float64}(place + 16)),
        unsafe_load(Ptr{Float64}(place + 24)), unsafe_load(Ptr{UInt32}(place + 32)) != 0,
        unsafe_load(Ptr{UInt32}(place + 36)) != 0, unsafe_load(Ptr{Float64}(place + 40)),
        unsafe_load(Ptr{Bottleneck}(place + 48)),
        unsafe_load(Ptr{RooflineSource}(place + 52)), unsafe_load(Ptr{Float64}(place + 56)),
        unsafe_load(Ptr{Float64}(place + 64)), unsafe_load(Ptr{Float64}(place + 72)),
        unsafe_load(Ptr{UInt32}(place + 80)), inline_text(place + 88, 32),
        inline_text(place + 120, 512), unsafe_load(Ptr{UInt32}(place + 632)),
        unsafe_load(Ptr{UInt32}(place + 636)), inline_text(place + 640, 256)
    )
end
function RooflineResult(;
    compute_sol_pct = Float64(0), memory_sol_pct = Float64(0), efficiency_pct = Float64(0),
    at_roofline = false, uses_tensor_cores = false, headroom_pct = Float64(0),
    bottleneck = Bottleneck(0), source = RooflineSource(0),
    arithmetic_intensity = Float64(0), time_ns = Float64(0), roof_ns = Float64(0),
    warnings_count = Int(0), ceiling = "", warnings = "", launches_count = Int(0),
    launch = Int(0), kernel = ""
)
    return RooflineResult(
    compute_sol_pct, memory_sol_pct, efficiency_pct, at_roofline, uses_tensor_cores,
    headroom_pct, bottleneck, source, arithmetic_intensity, time_ns, roof_ns,
    warnings_count, ceiling, warnings, launches_count, launch, kernel
)
end

function fill_roofline_result!(
    place::Ptr{UInt8}, keep, compute_sol_pct, memory_sol_pct, efficiency_pct, at_roofline,
    uses_tensor_cores, headroom_pct, bottleneck, source, arithmetic_intensity, time_ns,
    roof_ns, warnings_count, ceiling, warnings, launches_count, launch, kernel
)
    clear_bytes(place, 896)
    unsafe_store!(Ptr{Csize_t}(place), 896)
    unsafe_store!(Ptr{Float64}(place + 8), compute_sol_pct)
    unsafe_store!(Ptr{Float64}(place + 16), memory_sol_pct)
    unsafe_store!(Ptr{Float64}(place + 24), efficiency_pct)
    unsafe_store!(Ptr{UInt32}(place + 32), at_roofline)
    unsafe_store!(Ptr{UInt32}(place + 36), uses_tensor_cores)
    unsafe_store!(Ptr{Float64}(place + 40), headroom_pct)
    unsafe_store!(Ptr{Int32}(place + 48), enum(Bottleneck, bottleneck).value)
    unsafe_store!(Ptr{Int32}(place + 52), enum(RooflineSource, source).value)
    unsafe_store!(Ptr{Float64}(place + 56), arithmetic_intensity)
    unsafe_store!(Ptr{Float64}(place + 64), time_ns)
    unsafe_store!(Ptr{Float64}(place + 72), roof_ns)
    unsafe_store!(Ptr{UInt32}(place + 80), warnings_count)
    store_text(place + 88, 32, ceiling)
    store_text(place + 120, 512, warnings)
    unsafe_store!(Ptr{UInt32}(place + 632), launches_count)
    unsafe_store!(Ptr{UInt32}(place + 636), launch)
    store_text(place + 640, 256, kernel)
    return place
end
struct_size(::RooflineResult) = 896
function fill_struct!(place::Ptr{UInt8}, keep, object::RooflineResult)
    return fill_roofline_result!(
        place, keep, object.compute_sol_pct, object.memory_sol_pct, object.efficiency_pct,
        object.at_roofline, object.uses_tensor_cores, object.headroom_pct,
        object.bottleneck, object.source, object.arithmetic_intensity, object.time_ns,
        object.roof_ns, object.warnings_count, object.ceiling, object.warnings,
        object.launches_count, object.launch, object.kernel
    )
end

function fill_ncu_options!(place::Ptr{UInt8}, keep, kernel, policy, exact)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_text!(keep, :kernel, kernel))
    unsafe_store!(Ptr{Int32}(place + 16), enum(NcuPolicy, policy).value)
    unsafe_store!(Ptr{UInt32}(place + 20), exact)
    return place
end

function fill_ceilings_options!(place::Ptr{UInt8}, keep, budget_ns, remeasure, no_store)
    clear_bytes(place, 24)
    unsafe_store!(Ptr{Csize_t}(place), 24)
    unsafe_store!(Ptr{UInt64}(place + 8), budget_ns)
    unsafe_store!(Ptr{UInt32}(place + 16), remeasure)
    unsafe_store!(Ptr{UInt32}(place + 20), no_store)
    return place
end

"""
    CeilingsInfo

Where ceilings come from.

* `time_ns`: CLOCK\\_REALTIME of the measuring; 0: nothing was measured
* `spent_ns`: how long it took
* `rows_count`: rows that `netcl_ceilings_get` gives
* `from_store`: true: measured by an earlier process
* `device`
* `driver_version`
"""
struct CeilingsInfo <: Info
    time_ns::UInt64
    spent_ns::UInt64
    rows_count::Int
    from_store::Bool
    device::String
    driver_version::String
end
info_size(::Type{CeilingsInfo}) = 416
function read_info(::Type{CeilingsInfo}, place::Ptr{UInt8})
    return CeilingsInfo(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt32}(place + 24)), unsafe_load(Ptr{UInt32}(place + 28)) != 0,
        inline_text(place + 32, 256), inline_text(place + 288, 128)
    )
end

function fill_tuning_key!(
    place::Ptr{UInt8}, keep, kernel, source, flags, dtypes, layout, part, driver, shape,
    shape_count, scalars_count, scalars
)
    clear_bytes(place, 392)
    unsafe_store!(Ptr{Csize_t}(place), 392)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_text!(keep, :kernel, kernel))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), keep_text!(keep, :source, source))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), keep_text!(keep, :flags, flags))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), keep_text!(keep, :dtypes, dtypes))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 40), keep_text!(keep, :layout, layout))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 48), keep_text!(keep, :part, part))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 56), keep_text!(keep, :driver, driver))
    store_tuple(:shape, Ptr{Int64}(place + 64), 24, shape)
    unsafe_store!(Ptr{UInt32}(place + 256), shape_count)
    unsafe_store!(Ptr{UInt32}(place + 260), scalars_count)
    store_tuple(:scalars, Ptr{Int64}(place + 264), 16, scalars)
    return place
end

"""
    TuningKey(; members...)

What a result belongs to. Driver, shape and scalars may differ in an answer, all other
members have to be equal. `nothing` is \"\".

* `kernel`: name of the kernel or op; must be set
* `source`: something that changes with the source, such as its hash
* `flags`: build flags
* `dtypes`: \"f32,f32\"
* `layout`
* `part`: which device; `nothing` with a device: its own part
* `driver`: `nothing` with a device: its own driver
* `shape`
* `shape_count`
* `scalars_count`
* `scalars`: Of a kernel: its integer arguments in their order. Those of 1 and more may be
  near ones, as extents may; the others have to be equal. Local memory is -1 - bytes, and
  what is no integer or too much a hash below 0.
"""
mutable struct TuningKey
    kernel::Any
    source::Any
    flags::Any
    dtypes::Any
    layout::Any
    part::Any
    driver::Any
    shape::Any
    shape_count::Any
    scalars_count::Any
    scalars::Any
end
function TuningKey(;
    kernel::Union{Nothing,AbstractString} = nothing,
    source::Union{Nothing,AbstractString} = nothing,
    flags::Union{Nothing,AbstractString} = nothing,
    dtypes::Union{Nothing,AbstractString} = nothing,
    layout::Union{Nothing,AbstractString} = nothing,
    part::Union{Nothing,AbstractString} = nothing,
    driver::Union{Nothing,AbstractString} = nothing, shape = ntuple(_ -> Int64(0), 24),
    shape_count::Integer = 0, scalars_count::Integer = 0,
    scalars = ntuple(_ -> Int64(0), 16)
)
    return TuningKey(
        kernel, source, flags, dtypes, layout, part, driver, shape, shape_count,
        scalars_count, scalars
    )
end
struct_size(::TuningKey) = 392
function fill_struct!(place::Ptr{UInt8}, keep, object::TuningKey)
    return fill_tuning_key!(
        place, keep, object.kernel, object.source, object.flags, object.dtypes,
        object.layout, object.part, object.driver, object.shape, object.shape_count,
        object.scalars_count, object.scalars
    )
end

"""
    TuningRecord

One record. Times are nanoseconds, 0 when unknown; longer texts are cut.

* `median`
* `interval_low`
* `interval_high`
* `default_median`: of BEST: what the default configuration takes
* `samples_count`
* `timestamp`: seconds since 1970
* `shape`
* `shape_count`
* `match`: of an answer, else 0
* `kind`
* `outcome`
* `kernel`
* `source`
* `flags`
* `dtypes`
* `layout`
* `part`
* `driver`
* `reason`: of BEST and QUARANTINE: why; else what went wrong
* `scalars`: as in `netcl_tuning_key`
* `scalars_count`
* `global_`: work items, where a formula of the space gave them; else zeros
* `local_`: of a group, likewise
"""
struct TuningRecord <: Info
    median::Float64
    interval_low::Float64
    interval_high::Float64
    default_median::Float64
    samples_count::UInt64
    timestamp::Int
    shape::NTuple{24,Int64}
    shape_count::Int
    match::Match
    kind::TuningRecordKind
    outcome::Outcome
    kernel::String
    source::String
    flags::String
    dtypes::String
    layout::String
    part::String
    driver::String
    reason::String
    scalars::NTuple{16,Int64}
    scalars_count::Int
    global_::NTuple{3,UInt64}
    local_::NTuple{3,UInt64}
end
info_size(::Type{TuningRecord}) = 1856
function read_info(::Type{TuningRecord}, place::Ptr{UInt8})
    return TuningRecord(
        unsafe_load(Ptr{Float64}(place + 8)), unsafe_load(Ptr{Float64}(place + 16)),
        unsafe_load(Ptr{Float64}(place + 24)), unsafe_load(Ptr{Float64}(place + 32)),
        unsafe_load(Ptr{UInt64}(place + 40)), unsafe_load(Ptr{Int64}(place + 48)),
        unsafe_load(Ptr{NTuple{24,Int64}}(place + 56)),
        unsafe_load(Ptr{UInt32}(place + 248)), unsafe_load(Ptr{Match}(place + 252)),
        unsafe_load(Ptr{TuningRecordKind}(place + 256)),
        unsafe_load(Ptr{Outcome}(place + 260)), inline_text(place + 264, 128),
        inline_text(place + 392, 64), inline_text(place + 456, 256),
        inline_text(place + 712, 128), inline_text(place + 840, 64),
        inline_text(place + 904, 256), inline_text(place + 1160, 256),
        inline_text(place + 1416, 256), unsafe_load(Ptr{NTuple{16,Int64}}(place + 1672)),
        unsafe_load(Ptr{UInt32}(place + 1800)),
        unsafe_load(Ptr{NTuple{3,UInt64}}(place + 1808)),
        unsafe_load(Ptr{NTuple{3,UInt64}}(place + 1832))
    )
end
function TuningRecord(;
    median = Float64(0), interval_low = Float64(0), interval_high = Float64(0),
    default_median = Float64(0), samples_count = UInt64(0), timestamp = Int(0),
    shape = ntuple(_ -> Int64(0), 24), shape_count = Int(0), match = Match(0),
    kind = TuningRecordKind(0), outcome = Outcome(0), kernel = "", source = "", flags = "",
    dtypes = "", layout = "", part = "", driver = "", reason = "",
    scalars = ntuple(_ -> Int64(0), 16), scalars_count = Int(0),
    global_ = ntuple(_ -> UInt64(0), 3), local_ = ntuple(_ -> UInt64(0), 3)
)
    return TuningRecord(
    median, interval_low, interval_high, default_median, samples_count, timestamp, shape,
    shape_count, match, kind, outcome, kernel, source, flags, dtypes, layout, part, driver,
    reason, scalars, scalars_count, global_, local_
)
end

function fill_tuning_record!(
    place::Ptr{UInt8}, keep, median, interval_low, interval_high, default_median,
    samples_count, timestamp, shape, shape_count, match, kind, outcome, kernel, source,
    flags, dtypes, layout, part, driver, reason, scalars, scalars_count, global_, local_
)
    clear_bytes(place, 1856)
    unsafe_store!(Ptr{Csize_t}(place), 1856)
    unsafe_store!(Ptr{Float64}(place + 8), median)
    unsafe_store!(Ptr{Float64}(place + 16), interval_low)
    unsafe_store!(Ptr{Float64}(place + 24), interval_high)
    unsafe_store!(Ptr{Float64}(place + 32), default_median)
    unsafe_store!(Ptr{UInt64}(place + 40), samples_count)
    unsafe_store!(Ptr{Int64}(place + 48), timestamp)
    store_tuple(:shape, Ptr{Int64}(place + 56), 24, shape)
    unsafe_store!(Ptr{UInt32}(place + 248), shape_count)
    unsafe_store!(Ptr{Int32}(place + 252), enum(Match, match).value)
    unsafe_store!(Ptr{Int32}(place + 256), enum(TuningRecordKind, kind).value)
    unsafe_store!(Ptr{Int32}(place + 260), enum(Outcome, outcome).value)
    store_text(place + 264, 128, kernel)
    store_text(place + 392, 64, source)
    store_text(place + 456, 256, flags)
    store_text(place + 712, 128, dtypes)
    store_text(place + 840, 64, layout)
    store_text(place + 904, 256, part)
    store_text(place + 1160, 256, driver)
    store_text(place + 1416, 256, reason)
    store_tuple(:scalars, Ptr{Int64}(place + 1672), 16, scalars)
    unsafe_store!(Ptr{UInt32}(place + 1800), scalars_count)
    store_tuple(:global, Ptr{UInt64}(place + 1808), 3, global_)
    store_tuple(:local, Ptr{UInt64}(place + 1832), 3, local_)
    return place
end
struct_size(::TuningRecord) = 1856
function fill_struct!(place::Ptr{UInt8}, keep, object::TuningRecord)
    return fill_tuning_record!(
        place, keep, object.median, object.interval_low, object.interval_high,
        object.default_median, object.samples_count, object.timestamp, object.shape,
        object.shape_count, object.match, object.kind, object.outcome, object.kernel,
        object.source, object.flags, object.dtypes, object.layout, object.part,
        object.driver, object.reason, object.scalars, object.scalars_count, object.global_,
        object.local_
    )
end

"""
    TuningDatabaseInfo

Facts about a database.

* `records`: in force
* `lines`: of this version in the file, superseded ones included
* `superseded`: of these, by later lines
* `foreign`: lines that a later release wrote
* `damaged`: lines that are passed over
* `bytes`: of the file
* `path`: \"\" when it lives in memory
* `reason`: why it lives in memory; \"\" when it does not
"""
struct TuningDatabaseInfo <: Info
    records::UInt64
    lines::UInt64
    superseded::UInt64
    foreign::UInt64
    damaged::UInt64
    bytes::UInt64
    path::String
    reason::String
end
info_size(::Type{TuningDatabaseInfo}) = 824
function read_info(::Type{TuningDatabaseInfo}, place::Ptr{UInt8})
    return TuningDatabaseInfo(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{UInt64}(place + 32)),
        unsafe_load(Ptr{UInt64}(place + 40)), unsafe_load(Ptr{UInt64}(place + 48)),
        inline_text(place + 56, 512), inline_text(place + 568, 256)
    )
end

function fill_benchmark_tensor!(
    place::Ptr{UInt8}, keep, name, data, shape, a, b, absolute, relative, dtype, access,
    fill, rank, exact
)
    clear_bytes(place, 152)
    unsafe_store!(Ptr{Csize_t}(place), 152)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_text!(keep, :name, name))
    data_place, data_count = keep_data!(keep, :data, data)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), data_place)
    unsafe_store!(Ptr{Csize_t}(place + 24), data_count)
    store_tuple(:shape, Ptr{Int64}(place + 32), 8, shape)
    unsafe_store!(Ptr{Float64}(place + 96), a)
    unsafe_store!(Ptr{Float64}(place + 104), b)
    unsafe_store!(Ptr{Float64}(place + 112), absolute)
    unsafe_store!(Ptr{Float64}(place + 120), relative)
    unsafe_store!(Ptr{Int32}(place + 128), enum(Dtype, dtype).value)
    unsafe_store!(Ptr{Int32}(place + 132), enum(Access, access).value)
    unsafe_store!(Ptr{Int32}(place + 136), enum(FillKind, fill).value)
    unsafe_store!(Ptr{UInt32}(place + 140), rank)
    unsafe_store!(Ptr{UInt32}(place + 144), exact)
    return place
end

"""
    BenchmarkTensor(; members...)

One tensor of the record, packed in C order.

* `name`: for messages; `nothing`: the parameter's name
* `data`: copied
* `shape`
* `a`: see `netcl_fill_kind`
* `b`
* `absolute`: allowed difference of an output; 0: relative times its rms
* `relative`: and relative to its value; 0: 1e-4 f32, 1e-9 f64, 1e-2 f16 ...; with both 0 a
  float of INOUT is off by no more than a quarter of the largest change, but for its
  rounding
* `dtype`
* `access`
* `fill`: of IN and INOUT
* `rank`
* `exact`: true: outputs agree bit for bit; integers do unless told otherwise
"""
mutable struct BenchmarkTensor
    name::Any
    data::Any
    shape::Any
    a::Any
    b::Any
    absolute::Any
    relative::Any
    dtype::Any
    access::Any
    fill::Any
    rank::Any
    exact::Any
end
function BenchmarkTensor(;
    name::Union{Nothing,AbstractString} = nothing, data = nothing,
    shape = ntuple(_ -> Int64(0), 8), a::Real = 0.0, b::Real = 0.0, absolute::Real = 0.0,
    relative::Real = 0.0, dtype::Union{Dtype,Symbol,Type} = Dtype(0),
    access::Union{Access,Symbol} = Access(0), fill::Union{FillKind,Symbol} = FillKind(0),
    rank::Integer = 0, exact::Union{Bool,Integer} = false
)
    return BenchmarkTensor(
        name, data, shape, a, b, absolute, relative, dtype, access, fill, rank, exact
    )
end
struct_size(::BenchmarkTensor) = 152
function fill_struct!(place::Ptr{UInt8}, keep, object::BenchmarkTensor)
    return fill_benchmark_tensor!(
        place, keep, object.name, object.data, object.shape, object.a, object.b,
        object.absolute, object.relative, object.dtype, object.access, object.fill,
        object.rank, object.exact
    )
end

function fill_benchmark_options!(
    place::Ptr{UInt8}, keep, worker_path, temp_dir, lock_path, compile_timeout_ns,
    run_timeout_ns, lock_timeout_ns, start_timeout_ns, seed, rounds, worker_id, lock
)
    clear_bytes(place, 88)
    unsafe_store!(Ptr{Csize_t}(place), 88)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_text!(keep, :worker_path, worker_path))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), keep_text!(keep, :temp_dir, temp_dir))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), keep_text!(keep, :lock_path, lock_path))
    unsafe_store!(Ptr{UInt64}(place + 32), compile_timeout_ns)
    unsafe_store!(Ptr{UInt64}(place + 40), run_timeout_ns)
    unsafe_store!(Ptr{UInt64}(place + 48), lock_timeout_ns)
    unsafe_store!(Ptr{UInt64}(place + 56), start_timeout_ns)
    unsafe_store!(Ptr{UInt64}(place + 64), seed)
    unsafe_store!(Ptr{UInt32}(place + 72), rounds)
    unsafe_store!(Ptr{UInt32}(place + 76), worker_id)
    unsafe_store!(Ptr{Int32}(place + 80), enum(Toggle, lock).value)
    return place
end

function fill_benchmark_candidate!(
    place::Ptr{UInt8}, keep, name, source, path, kernel, setup_kernel, flags, defines,
    global_, local_, setup_global, global_count, fast_math, no_preamble, round_up
)
    clear_bytes(place, 160)
    unsafe_store!(Ptr{Csize_t}(place), 160)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_text!(keep, :name, name))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), keep_text!(keep, :source, source))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), keep_text!(keep, :path, path))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), keep_text!(keep, :kernel, kernel))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 40), keep_text!(keep, :setup_kernel, setup_kernel))
    flags_place, flags_count = keep_texts!(keep, :flags, flags)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 48), flags_place)
    unsafe_store!(Ptr{UInt32}(place + 140), flags_count)
    defines_place, defines_count = keep_texts!(keep, :defines, defines)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 56), defines_place)
    unsafe_store!(Ptr{UInt32}(place + 144), defines_count)
    store_tuple(:global, Ptr{UInt64}(place + 64), 3, global_)
    store_tuple(:local, Ptr{UInt64}(place + 88), 3, local_)
    store_tuple(:setup_global, Ptr{UInt64}(place + 112), 3, setup_global)
    unsafe_store!(Ptr{UInt32}(place + 136), global_count)
    unsafe_store!(Ptr{UInt32}(place + 148), fast_math)
    unsafe_store!(Ptr{UInt32}(place + 152), no_preamble)
    unsafe_store!(Ptr{UInt32}(place + 156), round_up)
    return place
end

"""
    BenchmarkCandidate(; members...)

A candidate. It gets the record's arguments in their order.

* `name`: in the JSON; `nothing`: kernel
* `source`: OpenCL C; `nothing`: the file at path
* `path`
* `kernel`: which kernel of the source
* `setup_kernel`: runs before each run, untimed; `nothing`: none
* `flags`: as in `netcl_kernel_options`
* `defines`: \"NAME=text\", or \"NAME\"; a macro the source sees
* `global_`
* `local_`: zeros: netcl's choice, as for a launch
* `setup_global`: of setup\\_kernel, with as many dimensions
* `global_count`: dimensions; 0: 1
* `fast_math`: true: -cl-fast-relaxed-math
* `no_preamble`: true: without the macros LOAD STORE ADD SUB MUL DIV RELU
* `round_up`: true: round the global size up to the local size
"""
mutable struct BenchmarkCandidate
    name::Any
    source::Any
    path::Any
    kernel::Any
    setup_kernel::Any
    flags::Any
    defines::Any
    global_::Any
    local_::Any
    setup_global::Any
    global_count::Any
    fast_math::Any
    no_preamble::Any
    round_up::Any
end
function BenchmarkCandidate(;
    name::Union{Nothing,AbstractString} = nothing,
    source::Union{Nothing,AbstractString} = nothing,
    path::Union{Nothing,AbstractString} = nothing,
    kernel::Union{Nothing,AbstractString} = nothing,
    setup_kernel::Union{Nothing,AbstractString} = nothing, flags = (), defines = (),
    global_ = ntuple(_ -> UInt64(0), 3), local_ = ntuple(_ -> UInt64(0), 3),
    setup_global = ntuple(_ -> UInt64(0), 3), global_count::Integer = 0,
    fast_math::Union{Bool,Integer} = false, no_preamble::Union{Bool,Integer} = false,
    round_up::Union{Bool,Integer} = false
)
    return BenchmarkCandidate(
        name, source, path, kernel, setup_kernel, flags, defines, global_, local_,
        setup_global, global_count, fast_math, no_preamble, round_up
    )
end
struct_size(::BenchmarkCandidate) = 160
function fill_struct!(place::Ptr{UInt8}, keep, object::BenchmarkCandidate)
    return fill_benchmark_candidate!(
        place, keep, object.name, object.source, object.path, object.kernel,
        object.setup_kernel, object.flags, object.defines, object.global_, object.local_,
        object.setup_global, object.global_count, object.fast_math, object.no_preamble,
        object.round_up
    )
end

"""
    BenchmarkResult

What became of a candidate. Times are nanoseconds, all 0 unless the outcome is CORRECT.

* `outcome`
* `deaths`: workers it has cost so far; after 3 it is not tried again
* `count`: samples
* `mean`
* `deviation`
* `min`
* `max`
* `median`
* `speedup`: mean of the baseline over mean; 0 without a baseline
* `compile_ns`: building it took; little when it was in the cache
* `first_run_ns`: of the first checked run on the device; 0 without one
* `global_`: as launched; zeros when it was not
* `local_`
* `message`: what went wrong: the argument, the element, got and wanted
"""
struct BenchmarkResult <: Info
    outcome::Outcome
    deaths::Int
    count::UInt64
    mean::Float64
    deviation::Float64
    min::Float64
    max::Float64
    median::Float64
    speedup::Float64
    compile_ns::UInt64
    first_run_ns::UInt64
    global_::NTuple{3,UInt64}
    local_::NTuple{3,UInt64}
    message::String
end
info_size(::Type{BenchmarkResult}) = 648
function read_info(::Type{BenchmarkResult}, place::Ptr{UInt8})
    return BenchmarkResult(
        unsafe_load(Ptr{Outcome}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)),
        unsafe_load(Ptr{UInt64}(place + 16)), unsafe_load(Ptr{Float64}(place + 24)),
        unsafe_load(Ptr{Float64}(place + 32)), unsafe_load(Ptr{Float64}(place + 40)),
        unsafe_load(Ptr{Float64}(place + 48)), unsafe_load(Ptr{Float64}(place + 56)),
        unsafe_load(Ptr{Float64}(place + 64)), unsafe_load(Ptr{UInt64}(place + 72)),
        unsafe_load(Ptr{UInt64}(place + 80)),
        unsafe_load(Ptr{NTuple{3,UInt64}}(place + 88)),
        unsafe_load(Ptr{NTuple{3,UInt64}}(place + 112)), inline_text(place + 136, 512)
    )
end

function fill_search_options!(
    place::Ptr{UInt8}, keep, seed, evaluations, patience, budget_ns, samples, precision,
    drop_factor, roof_ns, threshold_pct, strategy
)
    clear_bytes(place, 88)
    unsafe_store!(Ptr{Csize_t}(place), 88)
    unsafe_store!(Ptr{UInt64}(place + 8), seed)
    unsafe_store!(Ptr{UInt64}(place + 16), evaluations)
    unsafe_store!(Ptr{UInt64}(place + 24), patience)
    unsafe_store!(Ptr{UInt64}(place + 32), budget_ns)
    unsafe_store!(Ptr{UInt64}(place + 40), samples)
    unsafe_store!(Ptr{Float64}(place + 48), precision)
    unsafe_store!(Ptr{Float64}(place + 56), drop_factor)
    unsafe_store!(Ptr{Float64}(place + 64), roof_ns)
    unsafe_store!(Ptr{Float64}(place + 72), threshold_pct)
    unsafe_store!(Ptr{Int32}(place + 80), enum(SearchStrategy, strategy).value)
    return place
end

"""
    SearchOptions(; members...)

A patience of 0 stands for never with EXHAUSTIVE, else for 4 times the root of the number of
valid configurations, at least 96: of a large space more has to be seen. Every strategy goes
on until evaluations, patience or budget\\_ns are spent or nothing is left to try.

* `seed`
* `evaluations`: configurations tried at most; 0: all of EXHAUSTIVE, else 512
* `patience`: stop after so many without a better one; 0: see above
* `budget_ns`: from the first ask on; 0: none for a search, 60 s for a tuner
* `samples`: of each finalist at most; 0: 30 for a search, 20 for a tuner
* `precision`: a difference that is worth a change; 0: 0.01
* `drop_factor`: what is surely this much slower than the best goes; 0: 1.2
* `roof_ns`: shortest time that the device allows; 0: see `netcl_tuner_run`
* `threshold_pct`: percent of the roof that are good enough, 1 to 1000; 0: 90
* `strategy`
"""
mutable struct SearchOptions
    seed::Any
    evaluations::Any
    patience::Any
    budget_ns::Any
    samples::Any
    precision::Any
    drop_factor::Any
    roof_ns::Any
    threshold_pct::Any
    strategy::Any
end
function SearchOptions(;
    seed::Integer = 0, evaluations::Integer = 0, patience::Integer = 0,
    budget_ns::Integer = 0, samples::Integer = 0, precision::Real = 0.0,
    drop_factor::Real = 0.0, roof_ns::Real = 0.0, threshold_pct::Real = 0.0,
    strategy::Union{SearchStrategy,Symbol} = SearchStrategy(0)
)
    return SearchOptions(
        seed, evaluations, patience, budget_ns, samples, precision, drop_factor, roof_ns,
        threshold_pct, strategy
    )
end
struct_size(::SearchOptions) = 88
function fill_struct!(place::Ptr{UInt8}, keep, object::SearchOptions)
    return fill_search_options!(
        place, keep, object.seed, object.evaluations, object.patience, object.budget_ns,
        object.samples, object.precision, object.drop_factor, object.roof_ns,
        object.threshold_pct, object.strategy
    )
end

"""
    SearchEvent

What happened in a search.

* `sequence`: counts from 1
* `time_ns`: CLOCK\\_MONOTONIC
* `evaluations`: candidates so far
* `left_ns`: estimate of the time left; 0 when unknown
* `fraction`: done so far, 0 to 1
* `candidate_ns`: median of the candidate, 0 when it has none
* `best_ns`: median of the best so far, 0 when there is none
* `kind`
* `candidate`
* `outcome`: of the candidate
* `best`: index of the best candidate so far
* `entry`: of a tuner: which of its entries; else 0
"""
struct SearchEvent <: Info
    sequence::UInt64
    time_ns::UInt64
    evaluations::UInt64
    left_ns::UInt64
    fraction::Float64
    candidate_ns::Float64
    best_ns::Float64
    kind::SearchEventKind
    candidate::Int
    outcome::Outcome
    best::Int
    entry::Int
end
info_size(::Type{SearchEvent}) = 88
function read_info(::Type{SearchEvent}, place::Ptr{UInt8})
    return SearchEvent(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{UInt64}(place + 32)),
        unsafe_load(Ptr{Float64}(place + 40)), unsafe_load(Ptr{Float64}(place + 48)),
        unsafe_load(Ptr{Float64}(place + 56)),
        unsafe_load(Ptr{SearchEventKind}(place + 64)), unsafe_load(Ptr{UInt32}(place + 68)),
        unsafe_load(Ptr{Outcome}(place + 72)), unsafe_load(Ptr{UInt32}(place + 76)),
        unsafe_load(Ptr{UInt32}(place + 80))
    )
end

"""
    SearchResult

What a search found. Times are nanoseconds.

* `stop`: RUNNING while it goes on
* `best`: index of the winner, of the best so far before the end
* `configurations`: valid ones, estimated where counting takes long, and default
* `evaluations`: of them tried
* `known`: of these, from an earlier run
* `elapsed_ns`: since the first ask
* `median`: of the winner
* `interval_low`
* `interval_high`
* `default_median`: of the default, 0 when it is not valid
* `gain`: median of the default over that of the winner, 1 for itself
* `gain_low`: interval of the gain, of confidence 0.999
* `gain_high`
* `is_default`: true: the winner is the default configuration
* `tie`: true: the default won, as a faster one could not be told from it
* `counts`: candidates by `netcl_outcome`
"""
struct SearchResult <: Info
    stop::StopReason
    best::Int
    configurations::UInt64
    evaluations::UInt64
    known::UInt64
    elapsed_ns::UInt64
    median::Float64
    interval_low::Float64
    interval_high::Float64
    default_median::Float64
    gain::Float64
    gain_low::Float64
    gain_high::Float64
    is_default::Bool
    tie::Bool
    counts::NTuple{16,UInt64}
end
info_size(::Type{SearchResult}) = 240
function read_info(::Type{SearchResult}, place::Ptr{UInt8})
    return SearchResult(
        unsafe_load(Ptr{StopReason}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)),
        unsafe_load(Ptr{UInt64}(place + 16)), unsafe_load(Ptr{UInt64}(place + 24)),
        unsafe_load(Ptr{UInt64}(place + 32)), unsafe_load(Ptr{UInt64}(place + 40)),
        unsafe_load(Ptr{Float64}(place + 48)), unsafe_load(Ptr{Float64}(place + 56)),
        unsafe_load(Ptr{Float64}(place + 64)), unsafe_load(Ptr{Float64}(place + 72)),
        unsafe_load(Ptr{Float64}(place + 80)), unsafe_load(Ptr{Float64}(place + 88)),
        unsafe_load(Ptr{Float64}(place + 96)), unsafe_load(Ptr{UInt32}(place + 104)) != 0,
        unsafe_load(Ptr{UInt32}(place + 108)) != 0,
        unsafe_load(Ptr{NTuple{16,UInt64}}(place + 112))
    )
end

"""
    SearchCandidate

One candidate of a search. Times are nanoseconds, 0 without samples.

* `place`: in its space; UINT64\\_MAX: in none, or in one beyond 2^20
* `samples_count`
* `compile_ns`: 0 when unknown
* `median`
* `interval_low`
* `interval_high`
* `outcome`: UNKNOWN until its first rounds are over
* `known`: true: found by an earlier run
* `message`: what is wrong with it, or which one it is the same program as
"""
struct SearchCandidate <: Info
    place::UInt64
    samples_count::UInt64
    compile_ns::UInt64
    median::Float64
    interval_low::Float64
    interval_high::Float64
    outcome::Outcome
    known::Bool
    message::String
end
info_size(::Type{SearchCandidate}) = 320
function read_info(::Type{SearchCandidate}, place::Ptr{UInt8})
    return SearchCandidate(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{Float64}(place + 32)),
        unsafe_load(Ptr{Float64}(place + 40)), unsafe_load(Ptr{Float64}(place + 48)),
        unsafe_load(Ptr{Outcome}(place + 56)), unsafe_load(Ptr{UInt32}(place + 60)) != 0,
        inline_text(place + 64, 256)
    )
end

"""
    ReplayResult

How a search does on a recording; see `netcl_search_replay`.

* `recorded`: configurations of the recording
* `valid`: of these, those that have a time
* `evaluations`: configurations that the search tried
* `optimum`: the shortest time of the recording, nanoseconds
* `best`: what the search found, nanoseconds; 0: nothing valid
* `stop`
* `strategy`: that AUTO stood for, or as given
"""
struct ReplayResult <: Info
    recorded::UInt64
    valid::UInt64
    evaluations::UInt64
    optimum::Float64
    best::Float64
    stop::StopReason
    strategy::SearchStrategy
end
info_size(::Type{ReplayResult}) = 56
function read_info(::Type{ReplayResult}, place::Ptr{UInt8})
    return ReplayResult(
        unsafe_load(Ptr{UInt64}(place + 8)), unsafe_load(Ptr{UInt64}(place + 16)),
        unsafe_load(Ptr{UInt64}(place + 24)), unsafe_load(Ptr{Float64}(place + 32)),
        unsafe_load(Ptr{Float64}(place + 40)), unsafe_load(Ptr{StopReason}(place + 48)),
        unsafe_load(Ptr{SearchStrategy}(place + 52))
    )
end

function fill_tuner_options!(
    place::Ptr{UInt8}, keep, search, database, warmup_count, compile_limit_ns, run_limit_ns,
    in_process, force
)
    clear_bytes(place, 56)
    unsafe_store!(Ptr{Csize_t}(place), 56)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), keep_struct!(keep, search))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), raw(database))
    unsafe_store!(Ptr{UInt64}(place + 24), warmup_count)
    unsafe_store!(Ptr{UInt64}(place + 32), compile_limit_ns)
    unsafe_store!(Ptr{UInt64}(place + 40), run_limit_ns)
    unsafe_store!(Ptr{UInt32}(place + 48), in_process)
    unsafe_store!(Ptr{UInt32}(place + 52), force)
    return place
end

function fill_kernel_tuning!(
    place::Ptr{UInt8}, keep, local_sizes, tile_sizes, unroll_factors, tile_macro,
    unroll_macro, space, launch, work
)
    clear_bytes(place, 88)
    unsafe_store!(Ptr{Csize_t}(place), 88)
    local_sizes_place, local_sizes_count = keep_array!(keep, UInt64, local_sizes)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 8), local_sizes_place)
    unsafe_store!(Ptr{UInt32}(place + 64), local_sizes_count)
    tile_sizes_place, tile_sizes_count = keep_array!(keep, Int64, tile_sizes)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 16), tile_sizes_place)
    unsafe_store!(Ptr{UInt32}(place + 68), tile_sizes_count)
    unroll_factors_place, unroll_factors_count = keep_array!(keep, Int64, unroll_factors)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 24), unroll_factors_place)
    unsafe_store!(Ptr{UInt32}(place + 72), unroll_factors_count)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 32), keep_text!(keep, :tile_macro, tile_macro))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 40), keep_text!(keep, :unroll_macro, unroll_macro))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 48), raw(space))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 56), keep_struct!(keep, launch))
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + 80), keep_struct!(keep, work))
    return place
end

"""
    KernelTuning(; members...)

What is tried for a kernel. `nothing` lists are filled in: local sizes are powers of two
within the limits of device and kernel, tile sizes 8, 16 and 32 and unroll factors 1, 2, 4
and 8, these two only when the source uses their macro. What runs without tuning is tried
first and is the default, whether it is in the space or not: the source with no macro set
and the local size that a launch takes. The others have to give what it gives, and nothing
wins that is not surely faster. Where the source is no program without a macro, the first
value of each stands for it. Where the space gives the work size, a launch of the size that
was tuned runs with that of the winner, and other sizes take nothing of it.

* `local_sizes`: rows of global\\_count extents
* `tile_sizes`: values of tile\\_macro
* `unroll_factors`: values of unroll\\_macro
* `tile_macro`: `nothing`: TILE\\_SIZE
* `unroll_macro`: `nothing`: UNROLL\\_FACTOR
* `space`: further macros with values, constraints and a work size
* `launch`
* `work`: what a launch has to do at least; `nothing`: launch->work
"""
mutable struct KernelTuning
    local_sizes::Any
    tile_sizes::Any
    unroll_factors::Any
    tile_macro::Any
    unroll_macro::Any
    space::Any
    launch::Any
    work::Any
end
function KernelTuning(;
    local_sizes = (), tile_sizes = (), unroll_factors = (),
    tile_macro::Union{Nothing,AbstractString} = nothing,
    unroll_macro::Union{Nothing,AbstractString} = nothing,
    space::Union{Nothing,Space} = nothing, launch::Union{Nothing,LaunchOptions} = nothing,
    work::Union{Nothing,Work} = nothing
)
    return KernelTuning(
        local_sizes, tile_sizes, unroll_factors, tile_macro, unroll_macro, space, launch,
        work
    )
end
struct_size(::KernelTuning) = 88
function fill_struct!(place::Ptr{UInt8}, keep, object::KernelTuning)
    return fill_kernel_tuning!(
        place, keep, object.local_sizes, object.tile_sizes, object.unroll_factors,
        object.tile_macro, object.unroll_macro, object.space, object.launch, object.work
    )
end

"""
    TunerResult

How an entry of a tuner stands.

* `match`: EXACT when the database has its result, else NONE
* `measured`: true: this tuner measured it; false: it was stored, or is still to do
* `status`: `NETCL_OK`, or why it could not be tuned
* `elapsed_ns`: spent on it
* `evaluations`: configurations tried; 0 unless measured
* `median`: of the best, nanoseconds
* `default_median`
* `name`
* `message`: of a status other than `NETCL_OK`
* `global_`: of the best, where a formula of the space gives it; else zeros
* `local_`: likewise
"""
struct TunerResult <: Info
    match::Match
    measured::Bool
    status::Status
    elapsed_ns::UInt64
    evaluations::UInt64
    median::Float64
    default_median::Float64
    name::String
    message::String
    global_::NTuple{3,UInt64}
    local_::NTuple{3,UInt64}
end
info_size(::Type{TunerResult}) = 488
function read_info(::Type{TunerResult}, place::Ptr{UInt8})
    return TunerResult(
        unsafe_load(Ptr{Match}(place + 8)), unsafe_load(Ptr{UInt32}(place + 12)) != 0,
        unsafe_load(Ptr{Status}(place + 16)), unsafe_load(Ptr{UInt64}(place + 24)),
        unsafe_load(Ptr{UInt64}(place + 32)), unsafe_load(Ptr{Float64}(place + 40)),
        unsafe_load(Ptr{Float64}(place + 48)), inline_text(place + 56, 128),
        inline_text(place + 184, 256), unsafe_load(Ptr{NTuple{3,UInt64}}(place + 440)),
        unsafe_load(Ptr{NTuple{3,UInt64}}(place + 464))
    )
end

# Every struct with its size, and where its members are: for the tests.
const LAYOUTS = (
    (:netcl_error_info, 1040, ((:struct_size, 0, 8), (:status, 8, 4), (:native_code, 12, 4), (:message, 16, 1024),)),
    (:netcl_library_info, 216, ((:struct_size, 0, 8), (:version_number, 8, 4), (:abi_version, 12, 4), (:version, 16, 32), (:compiler, 48, 64), (:build_type, 112, 32), (:simd_target, 144, 32), (:codegen_version, 176, 40),)),
    (:netcl_log_record, 528, ((:struct_size, 0, 8), (:sequence, 8, 8), (:time_ns, 16, 8), (:level, 24, 4), (:reserved, 28, 4), (:message, 32, 496),)),
    (:netcl_device_info, 816, ((:struct_size, 0, 8), (:index, 8, 4), (:type, 12, 4), (:backend, 16, 4), (:platform_index, 20, 4), (:device_index, 24, 4), (:has_uuid, 28, 4), (:uuid, 32, 16), (:name, 48, 256), (:vendor, 304, 128), (:platform_name, 432, 128), (:version, 560, 128), (:driver_version, 688, 128),)),
    (:netcl_device_capabilities, 160, ((:struct_size, 0, 8), (:fp16, 8, 4), (:fp16_announced, 12, 4), (:fp64, 16, 4), (:subgroups, 20, 4), (:int64_atomics, 24, 4), (:svm, 28, 4), (:integrated, 32, 4), (:out_of_order, 36, 4), (:il, 40, 4), (:compute_units, 44, 4), (:max_clock_mhz, 48, 4), (:preferred_vector_width_f32, 52, 4), (:subgroup_size, 56, 4), (:mem_base_align_bytes, 60, 4), (:max_work_item_dimensions, 64, 4), (:strategy, 68, 4), (:max_work_group_size, 72, 8), (:max_work_item_sizes, 80, 24), (:local_memory_bytes, 104, 8), (:global_memory_bytes, 112, 8), (:max_allocation_bytes, 120, 8), (:global_cache_bytes, 128, 8), (:max_constant_bytes, 136, 8), (:timer_resolution_ns, 144, 8), (:matrix_units, 152, 4), (:reserved, 156, 4),)),
    (:netcl_copy_explanation, 536, ((:struct_size, 0, 8), (:road, 8, 4), (:packs, 12, 4), (:piece_bytes, 16, 8), (:reason, 24, 512),)),
    (:netcl_device_options, 16, ((:struct_size, 0, 8), (:separate, 8, 4), (:reserved, 12, 4),)),
    (:netcl_queue_options, 16, ((:struct_size, 0, 8), (:out_of_order, 8, 4), (:profiling, 12, 4),)),
    (:netcl_queue_info, 32, ((:struct_size, 0, 8), (:out_of_order, 8, 4), (:profiling, 12, 4), (:foreign, 16, 4), (:reserved, 20, 4), (:commands, 24, 8),)),
    (:netcl_event_timing, 40, ((:struct_size, 0, 8), (:queued_ns, 8, 8), (:submitted_ns, 16, 8), (:started_ns, 24, 8), (:ended_ns, 32, 8),)),
    (:netcl_pool_options, 40, ((:struct_size, 0, 8), (:kind, 8, 4), (:max_buffers_per_bucket, 12, 4), (:max_cached_bytes, 16, 8), (:max_bytes, 24, 8), (:share, 32, 4), (:reserved, 36, 4),)),
    (:netcl_pool_info, 88, ((:struct_size, 0, 8), (:kind, 8, 4), (:buckets_count, 12, 4), (:hits, 16, 8), (:misses, 24, 8), (:hit_rate, 32, 8), (:bytes_allocated, 40, 8), (:bytes_in_use, 48, 8), (:bytes_cached, 56, 8), (:high_water_bytes, 64, 8), (:max_cached_bytes, 72, 8), (:max_bytes, 80, 8),)),
    (:netcl_pool_bucket, 40, ((:bytes, 0, 8), (:in_use, 8, 8), (:cached, 16, 8), (:hits, 24, 8), (:misses, 32, 8),)),
    (:netcl_buffer_info, 48, ((:struct_size, 0, 8), (:bytes, 8, 8), (:bucket_bytes, 16, 8), (:host_pointer, 24, 8), (:pinned, 32, 4), (:zero_copy, 36, 4), (:shared, 40, 4), (:exportable, 44, 4),)),
    (:netcl_shared_memory, 56, ((:struct_size, 0, 8), (:kind, 8, 4), (:descriptor, 12, 4), (:offset_bytes, 16, 8), (:bytes, 24, 8), (:total_bytes, 32, 8), (:device_uuid, 40, 16),)),
    (:netcl_run_options, 56, ((:struct_size, 0, 8), (:queue, 8, 8), (:into, 16, 8), (:waits, 24, 8), (:event, 32, 8), (:waits_count, 40, 4), (:reserved, 44, 4), (:graph, 48, 8),)),
    (:netcl_tensor_options, 56, ((:struct_size, 0, 8), (:queue, 8, 8), (:pool, 16, 8), (:event, 24, 8), (:async_copy, 32, 4), (:use_pinned, 36, 4), (:borrow, 40, 4), (:take_ownership, 44, 4), (:share, 48, 4), (:reserved, 52, 4),)),
    (:netcl_transfer_options, 48, ((:struct_size, 0, 8), (:queue, 8, 8), (:waits, 16, 8), (:event, 24, 8), (:waits_count, 32, 4), (:async_copy, 36, 4), (:use_pinned, 40, 4), (:borrow, 44, 4),)),
    (:netcl_random_options, 64, ((:struct_size, 0, 8), (:seed, 8, 8), (:offset, 16, 8), (:distribution, 24, 4), (:reserved, 28, 4), (:low, 32, 8), (:high, 40, 8), (:mean, 48, 8), (:deviation, 56, 8),)),
    (:netcl_tensor_info, 192, ((:struct_size, 0, 8), (:dtype, 8, 4), (:rank, 12, 4), (:shape, 16, 64), (:strides, 80, 64), (:offset, 144, 8), (:element_count, 152, 8), (:byte_count, 160, 8), (:contiguous, 168, 4), (:zero_copy, 172, 4), (:borrowed, 176, 4), (:pooled, 180, 4), (:mapped, 184, 4), (:reserved, 188, 4),)),
    (:netcl_range, 24, ((:start, 0, 8), (:extent, 8, 8), (:step, 16, 8),)),
    (:netcl_kernel_options, 160, ((:struct_size, 0, 8), (:source, 8, 8), (:source_size, 16, 8), (:params, 24, 8), (:preamble, 32, 8), (:body, 40, 8), (:il, 48, 8), (:il_size, 56, 8), (:binary, 64, 8), (:binary_size, 72, 8), (:flags, 80, 8), (:shape_signature, 88, 8), (:local_size, 96, 24), (:params_count, 120, 4), (:flags_count, 124, 4), (:trust_binary, 128, 4), (:fast_math, 132, 4), (:no_preamble, 136, 4), (:tune, 140, 4), (:free_args, 144, 8), (:free_args_count, 152, 4), (:reserved, 156, 4),)),
    (:netcl_arg, 64, ((:kind, 0, 4), (:size, 4, 4), (:value, 8, 32), (:tensor, 40, 8), (:data, 48, 8), (:dtype, 56, 4), (:reinterpret, 60, 4),)),
    (:netcl_work, 48, ((:struct_size, 0, 8), (:operations, 8, 8), (:bytes, 16, 8), (:bytes_written, 24, 8), (:dtype, 32, 4), (:matrix_units, 36, 4), (:cold_cache, 40, 4), (:reserved, 44, 4),)),
    (:netcl_launch_options, 48, ((:struct_size, 0, 8), (:offset, 8, 24), (:round_up, 32, 4), (:reserved, 36, 4), (:work, 40, 8),)),
    (:netcl_launch_explanation, 848, ((:struct_size, 0, 8), (:global, 8, 24), (:local, 32, 24), (:origin, 56, 4), (:match, 60, 4), (:median, 64, 8), (:default_median, 72, 8), (:macros, 80, 256), (:reason, 336, 512),)),
    (:netcl_kernel_info, 208, ((:struct_size, 0, 8), (:args_count, 8, 4), (:from_cache, 12, 4), (:preferred_multiple, 16, 4), (:reserved, 20, 4), (:max_local_size, 24, 8), (:required_local_size, 32, 24), (:local_memory_bytes, 56, 8), (:private_memory_bytes, 64, 8), (:shape_signature, 72, 8), (:name, 80, 128),)),
    (:netcl_kernel_arg_info, 152, ((:struct_size, 0, 8), (:is_buffer, 8, 4), (:is_local, 12, 4), (:is_const, 16, 4), (:size, 20, 4), (:name, 24, 64), (:type_name, 88, 64),)),
    (:netcl_program_cache_info, 328, ((:struct_size, 0, 8), (:memory_hits, 8, 8), (:memory_misses, 16, 8), (:disk_hits, 24, 8), (:disk_misses, 32, 8), (:disk_rejected, 40, 8), (:disk_writes, 48, 8), (:source_builds, 56, 8), (:programs_in_memory, 64, 8), (:directory, 72, 256),)),
    (:netcl_program_cache_entry, 584, ((:struct_size, 0, 8), (:bytes, 8, 8), (:used_ns, 16, 8), (:sound, 24, 4), (:reserved, 28, 4), (:name, 32, 40), (:device, 72, 128), (:kernels, 200, 256), (:problem, 456, 128),)),
    (:netcl_variant_options, 32, ((:struct_size, 0, 8), (:info, 8, 8), (:capabilities, 16, 8), (:dtype, 24, 4), (:variant, 28, 4),)),
    (:netcl_variant_config, 392, ((:struct_size, 0, 8), (:variant, 8, 4), (:tile_m, 12, 4), (:tile_n, 16, 4), (:tile_k, 20, 4), (:work_per_thread_m, 24, 4), (:work_per_thread_n, 28, 4), (:local_size_1d, 32, 4), (:local_size_2d, 36, 8), (:use_local_memory, 44, 4), (:use_vectorization, 48, 4), (:vector_width, 52, 4), (:winograd_tile, 56, 4), (:groups, 60, 4), (:from_cache, 64, 4), (:split_k, 68, 4), (:kernel, 72, 64), (:reason, 136, 256),)),
    (:netcl_conv2d_shape, 136, ((:struct_size, 0, 8), (:batch, 8, 8), (:channels, 16, 8), (:height, 24, 8), (:width, 32, 8), (:filters, 40, 8), (:kernel_height, 48, 8), (:kernel_width, 56, 8), (:strides, 64, 16), (:dilations, 80, 16), (:padding, 96, 32), (:groups, 128, 8),)),
    (:netcl_expression_options, 16, ((:struct_size, 0, 8), (:dtype, 8, 4), (:variant, 12, 4),)),
    (:netcl_expressions_options, 40, ((:struct_size, 0, 8), (:dtypes, 8, 8), (:results_into, 16, 8), (:dtypes_count, 24, 4), (:results_into_count, 28, 4), (:variant, 32, 4), (:reserved, 36, 4),)),
    (:netcl_elementwise_options, 40, ((:struct_size, 0, 8), (:alpha, 8, 8), (:beta, 16, 8), (:dtype, 24, 4), (:variant, 28, 4), (:has_parameters, 32, 4), (:reserved, 36, 4),)),
    (:netcl_primitive_options, 64, ((:struct_size, 0, 8), (:forward, 8, 8), (:backward, 16, 8), (:attributes, 24, 8), (:defaults, 32, 8), (:arity, 40, 4), (:backward_count, 44, 4), (:attributes_count, 48, 4), (:defaults_count, 52, 4), (:gives_gradients, 56, 4), (:checkpoint, 60, 4),)),
    (:netcl_primitive_kernels, 80, ((:struct_size, 0, 8), (:forward, 8, 8), (:backward, 16, 8), (:global, 24, 24), (:local, 48, 24), (:backward_count, 72, 4), (:rank, 76, 4),)),
    (:netcl_primitive_call, 72, ((:struct_size, 0, 8), (:inputs, 8, 8), (:values, 16, 8), (:grad, 24, 8), (:out, 32, 8), (:run, 40, 8), (:wanted, 48, 8), (:inputs_count, 56, 4), (:values_count, 60, 4), (:tensors_count, 64, 4), (:reserved, 68, 4),)),
    (:netcl_primitive_call_options, 32, ((:struct_size, 0, 8), (:attributes, 8, 8), (:values, 16, 8), (:attributes_count, 24, 4), (:values_count, 28, 4),)),
    (:netcl_epilogue, 48, ((:struct_size, 0, 8), (:bias, 8, 8), (:residual, 16, 8), (:alpha, 24, 8), (:beta, 32, 8), (:activation, 40, 4), (:has_parameters, 44, 4),)),
    (:netcl_matmul_options, 64, ((:struct_size, 0, 8), (:epilogue, 8, 8), (:alpha, 16, 8), (:beta, 24, 8), (:dtype, 32, 4), (:has_scale, 36, 4), (:variant, 40, 4), (:precision, 44, 4), (:a_zero_point, 48, 8), (:b_zero_point, 56, 8),)),
    (:netcl_conv2d_batchnorm, 56, ((:struct_size, 0, 8), (:scale, 8, 8), (:bias, 16, 8), (:mean, 24, 8), (:variance, 32, 8), (:epsilon, 40, 8), (:has_epsilon, 48, 4), (:reserved, 52, 4),)),
    (:netcl_conv2d_options, 104, ((:struct_size, 0, 8), (:epilogue, 8, 8), (:batchnorm, 16, 8), (:strides, 24, 16), (:dilations, 40, 16), (:padding, 56, 32), (:groups, 88, 8), (:variant, 96, 4), (:winograd_tile, 100, 4),)),
    (:netcl_quantized_options, 64, ((:struct_size, 0, 8), (:scales, 8, 8), (:zero_points, 16, 8), (:epilogue, 24, 8), (:k, 32, 8), (:format, 40, 4), (:bits, 44, 4), (:block_size, 48, 4), (:dtype, 52, 4), (:has_zero_points, 56, 4), (:reserved, 60, 4),)),
    (:netcl_attention_options, 120, ((:struct_size, 0, 8), (:bias, 8, 8), (:mask, 16, 8), (:query_lengths, 24, 8), (:key_lengths, 32, 8), (:block_table, 40, 8), (:lse_into, 48, 8), (:scale, 56, 8), (:softcap, 64, 8), (:position, 72, 8), (:window_before, 80, 8), (:window_after, 88, 8), (:has_scale, 96, 4), (:has_position, 100, 4), (:has_window, 104, 4), (:causal, 108, 4), (:variant, 112, 4), (:reserved, 116, 4),)),
    (:netcl_rotary_embedding_options, 40, ((:struct_size, 0, 8), (:position_ids, 8, 8), (:num_heads, 16, 8), (:rotary_embedding_dim, 24, 8), (:interleaved, 32, 4), (:inverse, 36, 4),)),
    (:netcl_reduce_options, 40, ((:struct_size, 0, 8), (:axes, 8, 8), (:axes_count, 16, 4), (:keepdims, 20, 4), (:dtype, 24, 4), (:variant, 28, 4), (:select_last, 32, 4), (:reserved, 36, 4),)),
    (:netcl_scan_options, 16, ((:struct_size, 0, 8), (:exclusive, 8, 4), (:reverse, 12, 4),)),
    (:netcl_histogram_options, 24, ((:struct_size, 0, 8), (:low, 8, 8), (:high, 16, 8),)),
    (:netcl_topk_options, 24, ((:struct_size, 0, 8), (:indices_into, 8, 8), (:smallest, 16, 4), (:reserved, 20, 4),)),
    (:netcl_norm_options, 56, ((:struct_size, 0, 8), (:scale, 8, 8), (:bias, 16, 8), (:epsilon, 24, 8), (:has_epsilon, 32, 4), (:reserved, 36, 4), (:mean_into, 40, 8), (:inverse_deviation_into, 48, 8),)),
    (:netcl_batchnorm_options, 80, ((:struct_size, 0, 8), (:scale, 8, 8), (:bias, 16, 8), (:epsilon, 24, 8), (:momentum, 32, 8), (:alpha, 40, 8), (:beta, 48, 8), (:activation, 56, 4), (:variant, 60, 4), (:training, 64, 4), (:has_epsilon, 68, 4), (:has_momentum, 72, 4), (:has_parameters, 76, 4),)),
    (:netcl_pooling_options, 88, ((:struct_size, 0, 8), (:window, 8, 8), (:strides, 16, 8), (:dilations, 24, 8), (:padding, 32, 8), (:window_count, 40, 4), (:strides_count, 44, 4), (:dilations_count, 48, 4), (:padding_count, 52, 4), (:ceil_mode, 56, 4), (:count_include_pad, 60, 4), (:indices_into, 64, 8), (:p, 72, 8), (:column_major, 80, 4), (:reserved, 84, 4),)),
    (:netcl_max_unpool2d_options, 16, ((:struct_size, 0, 8), (:column_major, 8, 4), (:reserved, 12, 4),)),
    (:netcl_roi_pool_options, 48, ((:struct_size, 0, 8), (:bins, 8, 16), (:samples, 24, 8), (:scale, 32, 8), (:half_pixel, 40, 4), (:reserved, 44, 4),)),
    (:netcl_quantize_linear_options, 32, ((:struct_size, 0, 8), (:zero_point, 8, 8), (:block_size, 16, 8), (:dtype, 24, 4), (:precision, 28, 4),)),
    (:netcl_dequantize_linear_options, 32, ((:struct_size, 0, 8), (:zero_point, 8, 8), (:block_size, 16, 8), (:dtype, 24, 4), (:reserved, 28, 4),)),
    (:netcl_dynamic_quantize_linear_options, 24, ((:struct_size, 0, 8), (:scale_into, 8, 8), (:zero_point_into, 16, 8),)),
    (:netcl_qlinear_matmul_options, 40, ((:struct_size, 0, 8), (:a_zero_point, 8, 8), (:b_zero_point, 16, 8), (:y_zero_point, 24, 8), (:dtype, 32, 4), (:reserved, 36, 4),)),
    (:netcl_conv2d_integer_options, 96, ((:struct_size, 0, 8), (:x_zero_point, 8, 8), (:w_zero_point, 16, 8), (:strides, 24, 16), (:dilations, 40, 16), (:padding, 56, 32), (:groups, 88, 8),)),
    (:netcl_qlinear_conv2d_options, 120, ((:struct_size, 0, 8), (:x_zero_point, 8, 8), (:w_zero_point, 16, 8), (:y_zero_point, 24, 8), (:bias, 32, 8), (:strides, 40, 16), (:dilations, 56, 16), (:padding, 72, 32), (:groups, 104, 8), (:dtype, 112, 4), (:reserved, 116, 4),)),
    (:netcl_loss_options, 40, ((:struct_size, 0, 8), (:weights, 8, 8), (:ignore_index, 16, 8), (:has_ignore_index, 24, 4), (:reduction, 28, 4), (:dtype, 32, 4), (:reserved, 36, 4),)),
    (:netcl_mixed_precision, 40, ((:struct_size, 0, 8), (:masters, 8, 8), (:scale, 16, 8), (:found_inf, 24, 8), (:masters_count, 32, 4), (:reserved, 36, 4),)),
    (:netcl_sgd_options, 72, ((:struct_size, 0, 8), (:momentum_buffers, 8, 8), (:step, 16, 8), (:factor, 24, 8), (:precision, 32, 8), (:momentum, 40, 8), (:dampening, 48, 8), (:weight_decay, 56, 8), (:momentum_buffers_count, 64, 4), (:nesterov, 68, 4),)),
    (:netcl_adam_options, 80, ((:struct_size, 0, 8), (:max_square_averages, 8, 8), (:factor, 16, 8), (:precision, 24, 8), (:beta1, 32, 8), (:beta2, 40, 8), (:epsilon, 48, 8), (:weight_decay, 56, 8), (:max_square_averages_count, 64, 4), (:has_betas, 68, 4), (:decoupled, 72, 4), (:reserved, 76, 4),)),
    (:netcl_rmsprop_options, 80, ((:struct_size, 0, 8), (:momentum_buffers, 8, 8), (:averages, 16, 8), (:factor, 24, 8), (:precision, 32, 8), (:alpha, 40, 8), (:epsilon, 48, 8), (:momentum, 56, 8), (:weight_decay, 64, 8), (:momentum_buffers_count, 72, 4), (:averages_count, 76, 4),)),
    (:netcl_adagrad_options, 56, ((:struct_size, 0, 8), (:step, 8, 8), (:factor, 16, 8), (:precision, 24, 8), (:learning_rate_decay, 32, 8), (:epsilon, 40, 8), (:weight_decay, 48, 8),)),
    (:netcl_loss_scale_options, 32, ((:struct_size, 0, 8), (:growth_factor, 8, 8), (:backoff_factor, 16, 8), (:growth_interval, 24, 8),)),
    (:netcl_pad_options, 24, ((:struct_size, 0, 8), (:value, 8, 8), (:mode, 16, 4), (:reserved, 20, 4),)),
    (:netcl_scatter_options, 16, ((:struct_size, 0, 8), (:mode, 8, 4), (:atomics, 12, 4),)),
    (:netcl_resize_options, 72, ((:struct_size, 0, 8), (:mode, 8, 4), (:coordinates, 12, 4), (:rounding, 16, 4), (:antialias, 20, 4), (:exclude_outside, 24, 4), (:has_cubic_coeff, 28, 4), (:cubic_coeff, 32, 8), (:extrapolation_value, 40, 8), (:scales, 48, 8), (:roi, 56, 8), (:scales_count, 64, 4), (:roi_count, 68, 4),)),
    (:netcl_graph_options, 16, ((:struct_size, 0, 8), (:execute, 8, 4), (:reserved, 12, 4),)),
    (:netcl_graph_call, 32, ((:struct_size, 0, 8), (:inputs, 8, 8), (:run, 16, 8), (:inputs_count, 24, 4), (:outputs_count, 28, 4),)),
    (:netcl_graph_function_options, 24, ((:struct_size, 0, 8), (:forms_most, 8, 8), (:fuse, 16, 4), (:reserved, 20, 4),)),
    (:netcl_graph_info, 72, ((:struct_size, 0, 8), (:call_count, 8, 8), (:kept_bytes, 16, 8), (:step_count, 24, 8), (:ready_count, 32, 8), (:command_count, 40, 8), (:planned_bytes, 48, 8), (:live_bytes, 56, 8), (:form_count, 64, 8),)),
    (:netcl_gradients_options, 64, ((:struct_size, 0, 8), (:seeds, 8, 8), (:into, 16, 8), (:queue, 24, 8), (:event, 32, 8), (:seeds_count, 40, 4), (:into_count, 44, 4), (:accumulate, 48, 4), (:consume, 52, 4), (:reducer, 56, 8),)),
    (:netcl_graph_compile_options, 16, ((:struct_size, 0, 8), (:fuse, 8, 4), (:reserved, 12, 4),)),
    (:netcl_model_options, 24, ((:struct_size, 0, 8), (:forms_most, 8, 8), (:fuse, 16, 4), (:dtype, 20, 4),)),
    (:netcl_model_info, 320, ((:struct_size, 0, 8), (:node_count, 8, 8), (:weight_count, 16, 8), (:weight_bytes, 24, 8), (:form_count, 32, 8), (:ir_version, 40, 8), (:opset, 48, 8), (:input_count, 56, 4), (:output_count, 60, 4), (:name, 64, 128), (:producer, 192, 128),)),
    (:netcl_model_value, 600, ((:struct_size, 0, 8), (:dtype, 8, 4), (:has_rank, 12, 4), (:rank, 16, 4), (:bound, 20, 4), (:shape, 24, 64), (:name, 88, 256), (:dimensions, 344, 256),)),
    (:netcl_weights_options, 16, ((:struct_size, 0, 8), (:map, 8, 4), (:reserved, 12, 4),)),
    (:netcl_weights_info, 32, ((:struct_size, 0, 8), (:format, 8, 4), (:version, 12, 4), (:tensor_count, 16, 4), (:metadata_count, 20, 4), (:file_bytes, 24, 8),)),
    (:netcl_weights_entry, 384, ((:struct_size, 0, 8), (:dtype, 8, 4), (:quantization, 12, 4), (:rank, 16, 4), (:reserved, 20, 4), (:shape, 24, 64), (:byte_count, 88, 8), (:type, 96, 32), (:name, 128, 256),)),
    (:netcl_weights_save_options, 32, ((:struct_size, 0, 8), (:keys, 8, 8), (:values, 16, 8), (:keys_count, 24, 4), (:values_count, 28, 4),)),
    (:netcl_group_options, 24, ((:struct_size, 0, 8), (:timeout_ns, 8, 8), (:transport, 16, 4), (:reserved, 20, 4),)),
    (:netcl_group_info, 40, ((:struct_size, 0, 8), (:rank, 8, 4), (:size, 12, 4), (:failure, 16, 4), (:transport, 20, 4), (:timeout_ns, 24, 8), (:calls, 32, 8),)),
    (:netcl_reducer_options, 24, ((:struct_size, 0, 8), (:bucket_bytes, 8, 8), (:kind, 16, 4), (:reserved, 20, 4),)),
    (:netcl_reducer_info, 64, ((:struct_size, 0, 8), (:bucket_bytes, 8, 8), (:runs, 16, 8), (:gradients, 24, 8), (:buckets, 32, 8), (:bytes, 40, 8), (:kind, 48, 4), (:waiting, 52, 4), (:room_bytes, 56, 8),)),
    (:netcl_sharding_options, 32, ((:struct_size, 0, 8), (:mesh, 8, 8), (:axes, 16, 8), (:mesh_count, 24, 4), (:axes_count, 28, 4),)),
    (:netcl_sharded_info, 112, ((:struct_size, 0, 8), (:dtype, 8, 4), (:rank, 12, 4), (:shape, 16, 64), (:mesh_rank, 80, 4), (:mesh, 84, 12), (:axes, 96, 12), (:reserved, 108, 4),)),
    (:netcl_block_info, 136, ((:struct_size, 0, 8), (:first, 8, 64), (:shape, 72, 64),)),
    (:netcl_halo_options, 24, ((:struct_size, 0, 8), (:value, 8, 8), (:periodic, 16, 4), (:reserved, 20, 4),)),
    (:netcl_measurement_options, 112, ((:struct_size, 0, 8), (:warmup_count, 8, 8), (:warmup_ns, 16, 8), (:count, 24, 8), (:count_least, 32, 8), (:count_most, 40, 8), (:budget_ns, 48, 8), (:confidence, 56, 8), (:precision, 64, 8), (:flush_bytes, 72, 8), (:seed, 80, 8), (:candidates, 88, 4), (:cold_cache, 92, 4), (:source, 96, 4), (:reserved, 100, 4), (:measurement, 104, 8),)),
    (:netcl_statistics, 168, ((:struct_size, 0, 8), (:count, 8, 8), (:median, 16, 8), (:mean, 24, 8), (:deviation, 32, 8), (:min, 40, 8), (:max, 48, 8), (:quartile_low, 56, 8), (:quartile_high, 64, 8), (:interval_low, 72, 8), (:interval_high, 80, 8), (:confidence, 88, 8), (:iterations, 96, 8), (:warmup_count, 104, 8), (:resolution_ns, 112, 8), (:bytes, 120, 8), (:bytes_written, 128, 8), (:operations, 136, 8), (:dtype, 144, 4), (:stop, 148, 4), (:cold_cache, 152, 4), (:flush_proven, 156, 4), (:matrix_units, 160, 4), (:reserved, 164, 4),)),
    (:netcl_comparison, 40, ((:struct_size, 0, 8), (:ratio, 8, 8), (:interval_low, 16, 8), (:interval_high, 24, 8), (:verdict, 32, 4), (:reserved, 36, 4),)),
    (:netcl_elapsed, 40, ((:struct_size, 0, 8), (:span_ns, 8, 8), (:busy_ns, 16, 8), (:host_ns, 24, 8), (:commands, 32, 8),)),
    (:netcl_profile_options, 24, ((:struct_size, 0, 8), (:trace_path, 8, 8), (:records_most, 16, 8),)),
    (:netcl_roofline_options, 48, ((:struct_size, 0, 8), (:threshold_pct, 8, 8), (:min_improvement_pct, 16, 8), (:tensor_core_threshold_pct, 24, 8), (:underutilized_pct, 32, 8), (:convergence_rounds, 40, 4), (:early_stop, 44, 4),)),
    (:netcl_roofline_result, 896, ((:struct_size, 0, 8), (:compute_sol_pct, 8, 8), (:memory_sol_pct, 16, 8), (:efficiency_pct, 24, 8), (:at_roofline, 32, 4), (:uses_tensor_cores, 36, 4), (:headroom_pct, 40, 8), (:bottleneck, 48, 4), (:source, 52, 4), (:arithmetic_intensity, 56, 8), (:time_ns, 64, 8), (:roof_ns, 72, 8), (:warnings_count, 80, 4), (:reserved, 84, 4), (:ceiling, 88, 32), (:warnings, 120, 512), (:launches_count, 632, 4), (:launch, 636, 4), (:kernel, 640, 256),)),
    (:netcl_ncu_options, 24, ((:struct_size, 0, 8), (:kernel, 8, 8), (:policy, 16, 4), (:exact, 20, 4),)),
    (:netcl_ceiling, 40, ((:kind, 0, 4), (:dtype, 4, 4), (:working_set, 8, 8), (:value, 16, 8), (:spread, 24, 8), (:given, 32, 4), (:disproved, 36, 4),)),
    (:netcl_ceilings_options, 24, ((:struct_size, 0, 8), (:budget_ns, 8, 8), (:remeasure, 16, 4), (:no_store, 20, 4),)),
    (:netcl_ceilings_info, 416, ((:struct_size, 0, 8), (:time_ns, 8, 8), (:spent_ns, 16, 8), (:rows_count, 24, 4), (:from_store, 28, 4), (:device, 32, 256), (:driver_version, 288, 128),)),
    (:netcl_tuning_key, 392, ((:struct_size, 0, 8), (:kernel, 8, 8), (:source, 16, 8), (:flags, 24, 8), (:dtypes, 32, 8), (:layout, 40, 8), (:part, 48, 8), (:driver, 56, 8), (:shape, 64, 192), (:shape_count, 256, 4), (:scalars_count, 260, 4), (:scalars, 264, 128),)),
    (:netcl_tuning_record, 1856, ((:struct_size, 0, 8), (:median, 8, 8), (:interval_low, 16, 8), (:interval_high, 24, 8), (:default_median, 32, 8), (:samples_count, 40, 8), (:timestamp, 48, 8), (:shape, 56, 192), (:shape_count, 248, 4), (:match, 252, 4), (:kind, 256, 4), (:outcome, 260, 4), (:kernel, 264, 128), (:source, 392, 64), (:flags, 456, 256), (:dtypes, 712, 128), (:layout, 840, 64), (:part, 904, 256), (:driver, 1160, 256), (:reason, 1416, 256), (:scalars, 1672, 128), (:scalars_count, 1800, 4), (:reserved, 1804, 4), (:global, 1808, 24), (:local, 1832, 24),)),
    (:netcl_tuning_database_info, 824, ((:struct_size, 0, 8), (:records, 8, 8), (:lines, 16, 8), (:superseded, 24, 8), (:foreign, 32, 8), (:damaged, 40, 8), (:bytes, 48, 8), (:path, 56, 512), (:reason, 568, 256),)),
    (:netcl_benchmark_tensor, 152, ((:struct_size, 0, 8), (:name, 8, 8), (:data, 16, 8), (:data_size, 24, 8), (:shape, 32, 64), (:a, 96, 8), (:b, 104, 8), (:absolute, 112, 8), (:relative, 120, 8), (:dtype, 128, 4), (:access, 132, 4), (:fill, 136, 4), (:rank, 140, 4), (:exact, 144, 4), (:reserved, 148, 4),)),
    (:netcl_benchmark_options, 88, ((:struct_size, 0, 8), (:worker_path, 8, 8), (:temp_dir, 16, 8), (:lock_path, 24, 8), (:compile_timeout_ns, 32, 8), (:run_timeout_ns, 40, 8), (:lock_timeout_ns, 48, 8), (:start_timeout_ns, 56, 8), (:seed, 64, 8), (:rounds, 72, 4), (:worker_id, 76, 4), (:lock, 80, 4), (:reserved, 84, 4),)),
    (:netcl_benchmark_candidate, 160, ((:struct_size, 0, 8), (:name, 8, 8), (:source, 16, 8), (:path, 24, 8), (:kernel, 32, 8), (:setup_kernel, 40, 8), (:flags, 48, 8), (:defines, 56, 8), (:global, 64, 24), (:local, 88, 24), (:setup_global, 112, 24), (:global_count, 136, 4), (:flags_count, 140, 4), (:defines_count, 144, 4), (:fast_math, 148, 4), (:no_preamble, 152, 4), (:round_up, 156, 4),)),
    (:netcl_benchmark_result, 648, ((:struct_size, 0, 8), (:outcome, 8, 4), (:deaths, 12, 4), (:count, 16, 8), (:mean, 24, 8), (:deviation, 32, 8), (:min, 40, 8), (:max, 48, 8), (:median, 56, 8), (:speedup, 64, 8), (:compile_ns, 72, 8), (:first_run_ns, 80, 8), (:global, 88, 24), (:local, 112, 24), (:message, 136, 512),)),
    (:netcl_search_options, 88, ((:struct_size, 0, 8), (:seed, 8, 8), (:evaluations, 16, 8), (:patience, 24, 8), (:budget_ns, 32, 8), (:samples, 40, 8), (:precision, 48, 8), (:drop_factor, 56, 8), (:roof_ns, 64, 8), (:threshold_pct, 72, 8), (:strategy, 80, 4), (:reserved, 84, 4),)),
    (:netcl_search_event, 88, ((:struct_size, 0, 8), (:sequence, 8, 8), (:time_ns, 16, 8), (:evaluations, 24, 8), (:left_ns, 32, 8), (:fraction, 40, 8), (:candidate_ns, 48, 8), (:best_ns, 56, 8), (:kind, 64, 4), (:candidate, 68, 4), (:outcome, 72, 4), (:best, 76, 4), (:entry, 80, 4), (:reserved, 84, 4),)),
    (:netcl_search_result, 240, ((:struct_size, 0, 8), (:stop, 8, 4), (:best, 12, 4), (:configurations, 16, 8), (:evaluations, 24, 8), (:known, 32, 8), (:elapsed_ns, 40, 8), (:median, 48, 8), (:interval_low, 56, 8), (:interval_high, 64, 8), (:default_median, 72, 8), (:gain, 80, 8), (:gain_low, 88, 8), (:gain_high, 96, 8), (:is_default, 104, 4), (:tie, 108, 4), (:counts, 112, 128),)),
    (:netcl_search_candidate, 320, ((:struct_size, 0, 8), (:place, 8, 8), (:samples_count, 16, 8), (:compile_ns, 24, 8), (:median, 32, 8), (:interval_low, 40, 8), (:interval_high, 48, 8), (:outcome, 56, 4), (:known, 60, 4), (:message, 64, 256),)),
    (:netcl_replay_result, 56, ((:struct_size, 0, 8), (:recorded, 8, 8), (:valid, 16, 8), (:evaluations, 24, 8), (:optimum, 32, 8), (:best, 40, 8), (:stop, 48, 4), (:strategy, 52, 4),)),
    (:netcl_tuner_options, 56, ((:struct_size, 0, 8), (:search, 8, 8), (:database, 16, 8), (:warmup_count, 24, 8), (:compile_limit_ns, 32, 8), (:run_limit_ns, 40, 8), (:in_process, 48, 4), (:force, 52, 4),)),
    (:netcl_kernel_tuning, 88, ((:struct_size, 0, 8), (:local_sizes, 8, 8), (:tile_sizes, 16, 8), (:unroll_factors, 24, 8), (:tile_macro, 32, 8), (:unroll_macro, 40, 8), (:space, 48, 8), (:launch, 56, 8), (:local_sizes_count, 64, 4), (:tile_sizes_count, 68, 4), (:unroll_factors_count, 72, 4), (:reserved, 76, 4), (:work, 80, 8),)),
    (:netcl_tuner_result, 488, ((:struct_size, 0, 8), (:match, 8, 4), (:measured, 12, 4), (:status, 16, 4), (:reserved, 20, 4), (:elapsed_ns, 24, 8), (:evaluations, 32, 8), (:median, 40, 8), (:default_median, 48, 8), (:name, 56, 128), (:message, 184, 256), (:global, 440, 24), (:local, 464, 24),)),
)
