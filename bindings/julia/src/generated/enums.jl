# Written by bindings/generator from include/netcl.h; changes here are lost.

# Constants, and types of constants. A value that a newer library gives is kept as it is.

const VERSION_MAJOR = Int(0)

const VERSION_MINOR = Int(1)

const VERSION_PATCH = Int(0)

"""
major \\* 1000000 + minor \\* 1000 + patch.
"""
const VERSION_NUMBER = Int(1000)

"""
Largest rank of a tensor.
"""
const RANK_MAX = Int(8)

"""
Largest number of dimensions of a launch.
"""
const LAUNCH_RANK_MAX = Int(3)

"""
Largest number of arguments of a kernel and of inputs of an expression.
"""
const ARGS_MAX = Int(64)

"""
Largest number of entries of an array that has no smaller limit.
"""
const LIST_MAX = Int(65536)

"""
Largest number of results of expressions that are evaluated together.
"""
const RESULTS_MAX = Int(16)

"""
A timeout that never runs out.
"""
const WAIT_FOREVER = UInt64(0xffffffffffffffff)

"""
Largest number of inputs of a primitive.
"""
const PRIMITIVE_INPUTS_MAX = Int(62)

"""
Largest number of ranks of a group.
"""
const GROUP_SIZE_MAX = Int(64)

"""
Every process of an MPI program, as a communicator of `netcl_group_create_mpi`.
"""
const MPI_WORLD = Int(4294967296)

"""
Largest number of dimensions of a mesh.
"""
const MESH_RANK_MAX = Int(3)

"""
In place of an axis: the ranks along a dimension of the mesh have the same block.
"""
const REPLICATED = Int(-1)

"""
Largest number of extents in a `netcl_tuning_key`.
"""
const TUNING_SHAPE_MAX = Int(24)

"""
Largest number of integer arguments in a `netcl_tuning_key`.
"""
const TUNING_SCALARS_MAX = Int(16)

"""
    HandleType

The types of handles, for `netcl_library_get_live_count`.

* `HANDLE_DEVICE`
* `HANDLE_QUEUE`
* `HANDLE_EVENT`
* `HANDLE_POOL`
* `HANDLE_BUFFER`
* `HANDLE_TENSOR`
* `HANDLE_KERNEL`
* `HANDLE_EXPRESSION`
* `HANDLE_MEASUREMENT`
* `HANDLE_TIMER`
* `HANDLE_REGION`
* `HANDLE_ROOFLINE`
* `HANDLE_SPACE`
* `HANDLE_CONFIG`
* `HANDLE_TUNING_DATABASE`
* `HANDLE_SEARCH`
* `HANDLE_CEILINGS`
* `HANDLE_BENCHMARK`
* `HANDLE_TUNER`
* `HANDLE_GRAPH`
* `HANDLE_GROUP`
* `HANDLE_MODEL`
* `HANDLE_SHARDED`
* `HANDLE_WEIGHTS`
* `HANDLE_REDUCER`
"""
struct HandleType <: CEnum
    value::Int32
    HandleType(value::Integer) = new(value)
end
const HANDLE_DEVICE = HandleType(1)
const HANDLE_QUEUE = HandleType(2)
const HANDLE_EVENT = HandleType(3)
const HANDLE_POOL = HandleType(4)
const HANDLE_BUFFER = HandleType(5)
const HANDLE_TENSOR = HandleType(6)
const HANDLE_KERNEL = HandleType(7)
const HANDLE_EXPRESSION = HandleType(8)
const HANDLE_MEASUREMENT = HandleType(9)
const HANDLE_TIMER = HandleType(10)
const HANDLE_REGION = HandleType(11)
const HANDLE_ROOFLINE = HandleType(12)
const HANDLE_SPACE = HandleType(13)
const HANDLE_CONFIG = HandleType(14)
const HANDLE_TUNING_DATABASE = HandleType(15)
const HANDLE_SEARCH = HandleType(16)
const HANDLE_CEILINGS = HandleType(17)
const HANDLE_BENCHMARK = HandleType(18)
const HANDLE_TUNER = HandleType(19)
const HANDLE_GRAPH = HandleType(20)
const HANDLE_GROUP = HandleType(21)
const HANDLE_MODEL = HandleType(22)
const HANDLE_SHARDED = HandleType(23)
const HANDLE_WEIGHTS = HandleType(24)
const HANDLE_REDUCER = HandleType(25)
enum_values(::Type{HandleType}) = (
    (:HANDLE_DEVICE, :device, Int32(1)),
    (:HANDLE_QUEUE, :queue, Int32(2)),
    (:HANDLE_EVENT, :event, Int32(3)),
    (:HANDLE_POOL, :pool, Int32(4)),
    (:HANDLE_BUFFER, :buffer, Int32(5)),
    (:HANDLE_TENSOR, :tensor, Int32(6)),
    (:HANDLE_KERNEL, :kernel, Int32(7)),
    (:HANDLE_EXPRESSION, :expression, Int32(8)),
    (:HANDLE_MEASUREMENT, :measurement, Int32(9)),
    (:HANDLE_TIMER, :timer, Int32(10)),
    (:HANDLE_REGION, :region, Int32(11)),
    (:HANDLE_ROOFLINE, :roofline, Int32(12)),
    (:HANDLE_SPACE, :space, Int32(13)),
    (:HANDLE_CONFIG, :config, Int32(14)),
    (:HANDLE_TUNING_DATABASE, :tuning_database, Int32(15)),
    (:HANDLE_SEARCH, :search, Int32(16)),
    (:HANDLE_CEILINGS, :ceilings, Int32(17)),
    (:HANDLE_BENCHMARK, :benchmark, Int32(18)),
    (:HANDLE_TUNER, :tuner, Int32(19)),
    (:HANDLE_GRAPH, :graph, Int32(20)),
    (:HANDLE_GROUP, :group, Int32(21)),
    (:HANDLE_MODEL, :model, Int32(22)),
    (:HANDLE_SHARDED, :sharded, Int32(23)),
    (:HANDLE_WEIGHTS, :weights, Int32(24)),
    (:HANDLE_REDUCER, :reducer, Int32(25)),
)

"""
    Status

The outcome of a call. Values are never renumbered.

* `OK`
* `ERROR_INVALID_ARGUMENT`: an argument is wrong; the message names it
* `ERROR_INVALID_HANDLE`: `nothing`, released, of another type, foreign
* `ERROR_NO_DEVICE`: no such device; the message says why
* `ERROR_OUT_OF_HOST_MEMORY`
* `ERROR_OUT_OF_DEVICE_MEMORY`
* `ERROR_BUILD_FAILURE`: see `netcl_kernel_get_build_log`
* `ERROR_LAUNCH_FAILURE`: the driver refused or failed a command
* `ERROR_DEVICE_LOST`: the device is gone; open it again
* `ERROR_FORKED`: the object was made before fork()
* `ERROR_UNSUPPORTED`: this device or release cannot do it
* `ERROR_NOT_PROFILED`: no times were recorded for the command
* `ERROR_NOT_FOUND`
* `ERROR_BUSY`: a limit of things in flight is reached
* `ERROR_TIMEOUT`
* `ERROR_CANCELLED`: interrupted, see `netcl_interrupt_enable`
* `ERROR_IO`: a file could not be read or written
* `ERROR_CORRUPT_DATA`: a file or blob is not what it should be
* `ERROR_INTERNAL`: a fault of the library itself
* `ERROR_RANK_LOST`: another rank of a group died or left
"""
struct Status <: CEnum
    value::Int32
    Status(value::Integer) = new(value)
end
const OK = Status(0)
const ERROR_INVALID_ARGUMENT = Status(-1)
const ERROR_INVALID_HANDLE = Status(-2)
const ERROR_NO_DEVICE = Status(-3)
const ERROR_OUT_OF_HOST_MEMORY = Status(-4)
const ERROR_OUT_OF_DEVICE_MEMORY = Status(-5)
const ERROR_BUILD_FAILURE = Status(-6)
const ERROR_LAUNCH_FAILURE = Status(-7)
const ERROR_DEVICE_LOST = Status(-8)
const ERROR_FORKED = Status(-9)
const ERROR_UNSUPPORTED = Status(-10)
const ERROR_NOT_PROFILED = Status(-11)
const ERROR_NOT_FOUND = Status(-12)
const ERROR_BUSY = Status(-13)
const ERROR_TIMEOUT = Status(-14)
const ERROR_CANCELLED = Status(-15)
const ERROR_IO = Status(-16)
const ERROR_CORRUPT_DATA = Status(-17)
const ERROR_INTERNAL = Status(-18)
const ERROR_RANK_LOST = Status(-19)
enum_values(::Type{Status}) = (
    (:OK, :ok, Int32(0)),
    (:ERROR_INVALID_ARGUMENT, :error_invalid_argument, Int32(-1)),
    (:ERROR_INVALID_HANDLE, :error_invalid_handle, Int32(-2)),
    (:ERROR_NO_DEVICE, :error_no_device, Int32(-3)),
    (:ERROR_OUT_OF_HOST_MEMORY, :error_out_of_host_memory, Int32(-4)),
    (:ERROR_OUT_OF_DEVICE_MEMORY, :error_out_of_device_memory, Int32(-5)),
    (:ERROR_BUILD_FAILURE, :error_build_failure, Int32(-6)),
    (:ERROR_LAUNCH_FAILURE, :error_launch_failure, Int32(-7)),
    (:ERROR_DEVICE_LOST, :error_device_lost, Int32(-8)),
    (:ERROR_FORKED, :error_forked, Int32(-9)),
    (:ERROR_UNSUPPORTED, :error_unsupported, Int32(-10)),
    (:ERROR_NOT_PROFILED, :error_not_profiled, Int32(-11)),
    (:ERROR_NOT_FOUND, :error_not_found, Int32(-12)),
    (:ERROR_BUSY, :error_busy, Int32(-13)),
    (:ERROR_TIMEOUT, :error_timeout, Int32(-14)),
    (:ERROR_CANCELLED, :error_cancelled, Int32(-15)),
    (:ERROR_IO, :error_io, Int32(-16)),
    (:ERROR_CORRUPT_DATA, :error_corrupt_data, Int32(-17)),
    (:ERROR_INTERNAL, :error_internal, Int32(-18)),
    (:ERROR_RANK_LOST, :error_rank_lost, Int32(-19)),
)

"""
    LogLevel

Constants of `netcl_log_level`.

* `LOG_OFF`
* `LOG_ERROR`
* `LOG_WARNING`
* `LOG_INFO`
* `LOG_DEBUG`
"""
struct LogLevel <: CEnum
    value::Int32
    LogLevel(value::Integer) = new(value)
end
const LOG_OFF = LogLevel(0)
const LOG_ERROR = LogLevel(1)
const LOG_WARNING = LogLevel(2)
const LOG_INFO = LogLevel(3)
const LOG_DEBUG = LogLevel(4)
enum_values(::Type{LogLevel}) = (
    (:LOG_OFF, :off, Int32(0)),
    (:LOG_ERROR, :error, Int32(1)),
    (:LOG_WARNING, :warning, Int32(2)),
    (:LOG_INFO, :info, Int32(3)),
    (:LOG_DEBUG, :debug, Int32(4)),
)

"""
    Dtype

Element types. f16 is IEEE binary16; bf16 is stored, and computed in f32. bool is 0 or 1.

* `F16`
* `BF16`
* `F32`
* `F64`
* `I8`
* `I16`
* `I32`
* `I64`
* `U8`
* `U16`
* `U32`
* `U64`
* `BOOL`: one byte; zero is false, everything else true
"""
struct Dtype <: CEnum
    value::Int32
    Dtype(value::Integer) = new(value)
end
const F16 = Dtype(1)
const BF16 = Dtype(2)
const F32 = Dtype(3)
const F64 = Dtype(4)
const I8 = Dtype(5)
const I16 = Dtype(6)
const I32 = Dtype(7)
const I64 = Dtype(8)
const U8 = Dtype(9)
const U16 = Dtype(10)
const U32 = Dtype(11)
const U64 = Dtype(12)
const BOOL = Dtype(13)
enum_values(::Type{Dtype}) = (
    (:F16, :f16, Int32(1)),
    (:BF16, :bf16, Int32(2)),
    (:F32, :f32, Int32(3)),
    (:F64, :f64, Int32(4)),
    (:I8, :i8, Int32(5)),
    (:I16, :i16, Int32(6)),
    (:I32, :i32, Int32(7)),
    (:I64, :i64, Int32(8)),
    (:U8, :u8, Int32(9)),
    (:U16, :u16, Int32(10)),
    (:U32, :u32, Int32(11)),
    (:U64, :u64, Int32(12)),
    (:BOOL, :bool, Int32(13)),
)

"""
    DeviceType

Constants of `netcl_device_type`.

* `DEVICE_OTHER`
* `DEVICE_CPU`
* `DEVICE_GPU`
* `DEVICE_ACCELERATOR`
"""
struct DeviceType <: CEnum
    value::Int32
    DeviceType(value::Integer) = new(value)
end
const DEVICE_OTHER = DeviceType(0)
const DEVICE_CPU = DeviceType(1)
const DEVICE_GPU = DeviceType(2)
const DEVICE_ACCELERATOR = DeviceType(3)
enum_values(::Type{DeviceType}) = (
    (:DEVICE_OTHER, :other, Int32(0)),
    (:DEVICE_CPU, :cpu, Int32(1)),
    (:DEVICE_GPU, :gpu, Int32(2)),
    (:DEVICE_ACCELERATOR, :accelerator, Int32(3)),
)

"""
    Backend

Constants of `netcl_backend`.

* `BACKEND_OPENCL`
* `BACKEND_BUILTIN`: the built-in CPU device
"""
struct Backend <: CEnum
    value::Int32
    Backend(value::Integer) = new(value)
end
const BACKEND_OPENCL = Backend(1)
const BACKEND_BUILTIN = Backend(2)
enum_values(::Type{Backend}) = (
    (:BACKEND_OPENCL, :opencl, Int32(1)),
    (:BACKEND_BUILTIN, :builtin, Int32(2)),
)

"""
    Strategy

Which family of kernels a device gets.

* `STRATEGY_PORTABLE`
* `STRATEGY_OPTIMIZED`
"""
struct Strategy <: CEnum
    value::Int32
    Strategy(value::Integer) = new(value)
end
const STRATEGY_PORTABLE = Strategy(1)
const STRATEGY_OPTIMIZED = Strategy(2)
enum_values(::Type{Strategy}) = (
    (:STRATEGY_PORTABLE, :portable, Int32(1)),
    (:STRATEGY_OPTIMIZED, :optimized, Int32(2)),
)

"""
    MatrixUnits

Units of a device that multiply small matrices, and that netcl has kernels for. It finds
them by building and running one. docs/matrix-units.md goes through such a kernel.

* `MATRIX_UNITS_NONE`
* `MATRIX_UNITS_WGMMA`: NVIDIA's Hopper generation, through PTX for sm\\_90a
"""
struct MatrixUnits <: CEnum
    value::Int32
    MatrixUnits(value::Integer) = new(value)
end
const MATRIX_UNITS_NONE = MatrixUnits(0)
const MATRIX_UNITS_WGMMA = MatrixUnits(1)
enum_values(::Type{MatrixUnits}) = (
    (:MATRIX_UNITS_NONE, :none, Int32(0)),
    (:MATRIX_UNITS_WGMMA, :wgmma, Int32(1)),
)

"""
    CopyRoad

How `netcl_op_copy` brings a tensor of one device to another one.

* `COPY_ROAD_DEVICE`: one device: a command of it
* `COPY_ROAD_MEMORY`: both work on memory of the host: one command reaches both tensors,
  whatever their strides
* `COPY_ROAD_TRANSFER`: the transfers of one device go to or come from the memory of the
  other, which is the built-in one
* `COPY_ROAD_STAGED`: in pieces through page-locked memory of the host; one device writes
  pieces while the other one reads the next
* `COPY_ROAD_PEER`: from one GPU of CUDA to another by the link between them: memory made
  with `share` = true at once, other memory by way of pieces of such; short tensors as
  STAGED
"""
struct CopyRoad <: CEnum
    value::Int32
    CopyRoad(value::Integer) = new(value)
end
const COPY_ROAD_DEVICE = CopyRoad(1)
const COPY_ROAD_MEMORY = CopyRoad(2)
const COPY_ROAD_TRANSFER = CopyRoad(3)
const COPY_ROAD_STAGED = CopyRoad(4)
const COPY_ROAD_PEER = CopyRoad(5)
enum_values(::Type{CopyRoad}) = (
    (:COPY_ROAD_DEVICE, :device, Int32(1)),
    (:COPY_ROAD_MEMORY, :memory, Int32(2)),
    (:COPY_ROAD_TRANSFER, :transfer, Int32(3)),
    (:COPY_ROAD_STAGED, :staged, Int32(4)),
    (:COPY_ROAD_PEER, :peer, Int32(5)),
)

"""
    EventState

Constants of `netcl_event_state`.

* `EVENT_QUEUED`
* `EVENT_SUBMITTED`
* `EVENT_RUNNING`
* `EVENT_COMPLETE`
* `EVENT_FAILED`: see `netcl_event_get_error`
"""
struct EventState <: CEnum
    value::Int32
    EventState(value::Integer) = new(value)
end
const EVENT_QUEUED = EventState(3)
const EVENT_SUBMITTED = EventState(2)
const EVENT_RUNNING = EventState(1)
const EVENT_COMPLETE = EventState(0)
const EVENT_FAILED = EventState(-1)
enum_values(::Type{EventState}) = (
    (:EVENT_QUEUED, :queued, Int32(3)),
    (:EVENT_SUBMITTED, :submitted, Int32(2)),
    (:EVENT_RUNNING, :running, Int32(1)),
    (:EVENT_COMPLETE, :complete, Int32(0)),
    (:EVENT_FAILED, :failed, Int32(-1)),
)

"""
    PoolKind

Constants of `netcl_pool_kind`.

* `POOL_PERSISTENT`: bounded: buckets of 1 KiB times powers of 4 up to 256 MiB
* `POOL_POWER_OF_TWO`: a bucket per power of two; unbounded unless capped
* `POOL_PINNED`: page-locked host memory, mapped for the host
"""
struct PoolKind <: CEnum
    value::Int32
    PoolKind(value::Integer) = new(value)
end
const POOL_PERSISTENT = PoolKind(1)
const POOL_POWER_OF_TWO = PoolKind(2)
const POOL_PINNED = PoolKind(3)
enum_values(::Type{PoolKind}) = (
    (:POOL_PERSISTENT, :persistent, Int32(1)),
    (:POOL_POWER_OF_TWO, :power_of_two, Int32(2)),
    (:POOL_PINNED, :pinned, Int32(3)),
)

"""
    ShareKind

Tensors and pools that are made with `share` = true have memory on which other processes,
and other runtimes of this one, work without a copy: a memory file (memfd) on CPU devices,
memory of CUDA's driver on NVIDIA's GPUs, which needs libcuda.so.1. Elsewhere `share` = true
is UNSUPPORTED.

Order. Nothing orders what two processes, devices or runtimes do: wait for what one does on
the memory (`netcl_tensor_wait`) before another begins. Commands that one device runs on one
memory file are ordered as ever. Lifetime. The memory stays until everybody is done with it:
its buffers and tensors, descriptors and imports in any process. They may go in any order,
and a process may be killed at any time. A pool leases nothing again that was exported, or
whose address CUDA was told. Trust. Whoever has a descriptor can read and write all that it
stands for, total\\_bytes.

* `SHARE_FILE`: a memory file, which mmap with MAP\\_SHARED opens
* `SHARE_CUDA`: for cuMemImportFromShareableHandle, as a POSIX file descriptor; at most 510
  MiB in one piece, else UNSUPPORTED
"""
struct ShareKind <: CEnum
    value::Int32
    ShareKind(value::Integer) = new(value)
end
const SHARE_FILE = ShareKind(1)
const SHARE_CUDA = ShareKind(2)
enum_values(::Type{ShareKind}) = (
    (:SHARE_FILE, :file, Int32(1)),
    (:SHARE_CUDA, :cuda, Int32(2)),
)

"""
    Toggle

A choice that has a default from the environment.

* `DEFAULT`
* `ON`
* `OFF`
"""
struct Toggle <: CEnum
    value::Int32
    Toggle(value::Integer) = new(value)
end
const DEFAULT = Toggle(0)
const ON = Toggle(1)
const OFF = Toggle(2)
enum_values(::Type{Toggle}) = (
    (:DEFAULT, :default, Int32(0)),
    (:ON, :on, Int32(1)),
    (:OFF, :off, Int32(2)),
)

"""
    Distribution

Constants of `netcl_distribution`.

* `UNIFORM`: \\[low, high): floats, and integers; bool: each value half the time
* `NORMAL`: mean and deviation; floats only
"""
struct Distribution <: CEnum
    value::Int32
    Distribution(value::Integer) = new(value)
end
const UNIFORM = Distribution(1)
const NORMAL = Distribution(2)
enum_values(::Type{Distribution}) = (
    (:UNIFORM, :uniform, Int32(1)),
    (:NORMAL, :normal, Int32(2)),
)

"""
    TuneMode

What a kernel may do when it has no tuned local size.

* `TUNE_INHERIT`: as `NETCL_TUNE` says
* `TUNE_OFF`: neither measure nor use stored results
* `TUNE_FIRST_CALL`: `NETCL_TUNE`=first or force: tune at the first launch of a size
"""
struct TuneMode <: CEnum
    value::Int32
    TuneMode(value::Integer) = new(value)
end
const TUNE_INHERIT = TuneMode(0)
const TUNE_OFF = TuneMode(1)
const TUNE_FIRST_CALL = TuneMode(2)
enum_values(::Type{TuneMode}) = (
    (:TUNE_INHERIT, :inherit, Int32(0)),
    (:TUNE_OFF, :off, Int32(1)),
    (:TUNE_FIRST_CALL, :first_call, Int32(2)),
)

"""
    ArgKind

Constants of `netcl_arg_kind`.

* `ARG_TENSOR`: tensor; written unless the parameter is const
* `ARG_TENSOR_READ_ONLY`: tensor that the kernel only reads
* `ARG_SCALAR`: size bytes of value
* `ARG_DATA`: size bytes at data, for structs over 32 bytes
* `ARG_LOCAL`: size bytes of local memory
* `ARG_NULL`: a `nothing` buffer
"""
struct ArgKind <: CEnum
    value::Int32
    ArgKind(value::Integer) = new(value)
end
const ARG_TENSOR = ArgKind(1)
const ARG_TENSOR_READ_ONLY = ArgKind(2)
const ARG_SCALAR = ArgKind(3)
const ARG_DATA = ArgKind(4)
const ARG_LOCAL = ArgKind(5)
const ARG_NULL = ArgKind(6)
enum_values(::Type{ArgKind}) = (
    (:ARG_TENSOR, :tensor, Int32(1)),
    (:ARG_TENSOR_READ_ONLY, :tensor_read_only, Int32(2)),
    (:ARG_SCALAR, :scalar, Int32(3)),
    (:ARG_DATA, :data, Int32(4)),
    (:ARG_LOCAL, :local, Int32(5)),
    (:ARG_NULL, :null, Int32(6)),
)

"""
    Match

How well an answer of the tuning database fits the question.

* `MATCH_NONE`: there is none: the default applies
* `MATCH_EXACT`
* `MATCH_OTHER_DRIVER`: found on the same part with another driver
* `MATCH_NEAREST_SHAPE`: of a shape and scalars that are within a factor of 4
* `MATCH_OTHER_PART`: of another device: it is no answer
"""
struct Match <: CEnum
    value::Int32
    Match(value::Integer) = new(value)
end
const MATCH_NONE = Match(0)
const MATCH_EXACT = Match(1)
const MATCH_OTHER_DRIVER = Match(2)
const MATCH_NEAREST_SHAPE = Match(3)
const MATCH_OTHER_PART = Match(4)
enum_values(::Type{Match}) = (
    (:MATCH_NONE, :none, Int32(0)),
    (:MATCH_EXACT, :exact, Int32(1)),
    (:MATCH_OTHER_DRIVER, :other_driver, Int32(2)),
    (:MATCH_NEAREST_SHAPE, :nearest_shape, Int32(3)),
    (:MATCH_OTHER_PART, :other_part, Int32(4)),
)

"""
    LocalOrigin

Where the local size of a launch comes from.

* `LOCAL_CALLER`: the call gives it
* `LOCAL_TUNED`: a stored result of tuning
* `LOCAL_REQUIRED`: the source demands it: reqd\\_work\\_group\\_size
* `LOCAL_SPECIFICATION`: `netcl_kernel_options`
* `LOCAL_CHOSEN`: netcl's own choice
"""
struct LocalOrigin <: CEnum
    value::Int32
    LocalOrigin(value::Integer) = new(value)
end
const LOCAL_CALLER = LocalOrigin(1)
const LOCAL_TUNED = LocalOrigin(2)
const LOCAL_REQUIRED = LocalOrigin(3)
const LOCAL_SPECIFICATION = LocalOrigin(4)
const LOCAL_CHOSEN = LocalOrigin(5)
enum_values(::Type{LocalOrigin}) = (
    (:LOCAL_CALLER, :caller, Int32(1)),
    (:LOCAL_TUNED, :tuned, Int32(2)),
    (:LOCAL_REQUIRED, :required, Int32(3)),
    (:LOCAL_SPECIFICATION, :specification, Int32(4)),
    (:LOCAL_CHOSEN, :chosen, Int32(5)),
)

"""
    Variant

Families of kernels that compute the same op. Every op that has variants chooses one by the
rules of docs/variants.md, takes one by request (`variant`), or by `NETCL_VARIANT`, such as
\"matmul=tiled,conv2d=winograd\". A variant that was asked for and cannot do the case is
UNSUPPORTED with the reason, never replaced by another.

* `VARIANT_AUTO`
* `VARIANT_MATMUL_NAIVE`
* `VARIANT_MATMUL_TILED`
* `VARIANT_MATMUL_REGISTER_TILED`
* `VARIANT_MATMUL_VECTORIZED`
* `VARIANT_MATMUL_MATRIX_UNITS`: see `netcl_matrix_units`
* `VARIANT_CONV2D_NAIVE`
* `VARIANT_CONV2D_IM2COL`
* `VARIANT_CONV2D_IMPLICIT_GEMM`
* `VARIANT_CONV2D_TILED_LOCAL`
* `VARIANT_CONV2D_WINOGRAD`
* `VARIANT_CONV2D_MATRIX_UNITS`: f16 and bf16, one group, strides up to 8; see
  `netcl_matrix_units`
* `VARIANT_ELEMENTWISE_SCALAR`
* `VARIANT_ELEMENTWISE_VECTORIZED`
* `VARIANT_REDUCTION_SEQUENTIAL`
* `VARIANT_REDUCTION_PARALLEL`
* `VARIANT_REDUCTION_WORKGROUP`
* `VARIANT_BATCHNORM_NAIVE`
* `VARIANT_BATCHNORM_FUSED`
* `VARIANT_ATTENTION_PORTABLE`
* `VARIANT_ATTENTION_MATRIX_UNITS`: see `netcl_matrix_units`
"""
struct Variant <: CEnum
    value::Int32
    Variant(value::Integer) = new(value)
end
const VARIANT_AUTO = Variant(0)
const VARIANT_MATMUL_NAIVE = Variant(1)
const VARIANT_MATMUL_TILED = Variant(2)
const VARIANT_MATMUL_REGISTER_TILED = Variant(3)
const VARIANT_MATMUL_VECTORIZED = Variant(4)
const VARIANT_MATMUL_MATRIX_UNITS = Variant(5)
const VARIANT_CONV2D_NAIVE = Variant(17)
const VARIANT_CONV2D_IM2COL = Variant(18)
const VARIANT_CONV2D_IMPLICIT_GEMM = Variant(19)
const VARIANT_CONV2D_TILED_LOCAL = Variant(20)
const VARIANT_CONV2D_WINOGRAD = Variant(21)
const VARIANT_CONV2D_MATRIX_UNITS = Variant(22)
const VARIANT_ELEMENTWISE_SCALAR = Variant(33)
const VARIANT_ELEMENTWISE_VECTORIZED = Variant(34)
const VARIANT_REDUCTION_SEQUENTIAL = Variant(49)
const VARIANT_REDUCTION_PARALLEL = Variant(50)
const VARIANT_REDUCTION_WORKGROUP = Variant(51)
const VARIANT_BATCHNORM_NAIVE = Variant(65)
const VARIANT_BATCHNORM_FUSED = Variant(66)
const VARIANT_ATTENTION_PORTABLE = Variant(81)
const VARIANT_ATTENTION_MATRIX_UNITS = Variant(82)
enum_values(::Type{Variant}) = (
    (:VARIANT_AUTO, :auto, Int32(0)),
    (:VARIANT_MATMUL_NAIVE, :matmul_naive, Int32(1)),
    (:VARIANT_MATMUL_TILED, :matmul_tiled, Int32(2)),
    (:VARIANT_MATMUL_REGISTER_TILED, :matmul_register_tiled, Int32(3)),
    (:VARIANT_MATMUL_VECTORIZED, :matmul_vectorized, Int32(4)),
    (:VARIANT_MATMUL_MATRIX_UNITS, :matmul_matrix_units, Int32(5)),
    (:VARIANT_CONV2D_NAIVE, :conv2d_naive, Int32(17)),
    (:VARIANT_CONV2D_IM2COL, :conv2d_im2col, Int32(18)),
    (:VARIANT_CONV2D_IMPLICIT_GEMM, :conv2d_implicit_gemm, Int32(19)),
    (:VARIANT_CONV2D_TILED_LOCAL, :conv2d_tiled_local, Int32(20)),
    (:VARIANT_CONV2D_WINOGRAD, :conv2d_winograd, Int32(21)),
    (:VARIANT_CONV2D_MATRIX_UNITS, :conv2d_matrix_units, Int32(22)),
    (:VARIANT_ELEMENTWISE_SCALAR, :elementwise_scalar, Int32(33)),
    (:VARIANT_ELEMENTWISE_VECTORIZED, :elementwise_vectorized, Int32(34)),
    (:VARIANT_REDUCTION_SEQUENTIAL, :reduction_sequential, Int32(49)),
    (:VARIANT_REDUCTION_PARALLEL, :reduction_parallel, Int32(50)),
    (:VARIANT_REDUCTION_WORKGROUP, :reduction_workgroup, Int32(51)),
    (:VARIANT_BATCHNORM_NAIVE, :batchnorm_naive, Int32(65)),
    (:VARIANT_BATCHNORM_FUSED, :batchnorm_fused, Int32(66)),
    (:VARIANT_ATTENTION_PORTABLE, :attention_portable, Int32(81)),
    (:VARIANT_ATTENTION_MATRIX_UNITS, :attention_matrix_units, Int32(82)),
)

"""
    Elementwise

Elementwise operators of ONNX, and a few of other libraries from 65 on. Unless noted they
take as many inputs as their formula has: x, or x and y. a and b stand for `alpha` and
`beta`, defaults in brackets.

* `ELEMENTWISE_ABS`: |x|
* `ELEMENTWISE_ACOS`: arc cosine
* `ELEMENTWISE_ACOSH`: inverse of cosh
* `ELEMENTWISE_ADD`: x + y
* `ELEMENTWISE_AND`: x and y are true, bool
* `ELEMENTWISE_ASIN`: arc sine
* `ELEMENTWISE_ASINH`: inverse of sinh
* `ELEMENTWISE_ATAN`: arc tangent
* `ELEMENTWISE_ATANH`: inverse of tanh
* `ELEMENTWISE_BIT_SHIFT_LEFT`: x << y, of integers
* `ELEMENTWISE_BIT_SHIFT_RIGHT`: x >> y, of integers
* `ELEMENTWISE_CEIL`: the next whole number from x upwards
* `ELEMENTWISE_CELU`: max(0, x) + min(0, a (exp(x / a) - 1)) \\[1\\]
* `ELEMENTWISE_CLIP`: of x, low, high as tensors; or of x with a and b
* `ELEMENTWISE_COS`: cosine of radians
* `ELEMENTWISE_COSH`: (exp(x) + exp(-x)) / 2
* `ELEMENTWISE_DIV`: x / y
* `ELEMENTWISE_ELU`: x < 0 ? a (exp(x) - 1) : x \\[1\\]
* `ELEMENTWISE_EQUAL`: x == y, bool
* `ELEMENTWISE_ERF`: 2 / sqrt(pi) integral of exp(-t^2), 0 to x
* `ELEMENTWISE_EXP`: e^x
* `ELEMENTWISE_FLOOR`: the next whole number from x downwards
* `ELEMENTWISE_GREATER`: x > y, bool
* `ELEMENTWISE_GREATER_OR_EQUAL`: x >= y, bool
* `ELEMENTWISE_HARD_SIGMOID`: clip(a x + b, 0, 1) \\[0.2, 0.5\\]
* `ELEMENTWISE_HARD_SWISH`: x clip(x / 6 + 0.5, 0, 1)
* `ELEMENTWISE_IDENTITY`: x
* `ELEMENTWISE_IS_INF`: x is infinite; a, b: -inf, +inf count \\[1, 1\\]
* `ELEMENTWISE_IS_NAN`: x is NaN, bool
* `ELEMENTWISE_LEAKY_RELU`: x < 0 ? a x : x \\[0.01\\]
* `ELEMENTWISE_LESS`: x < y, bool
* `ELEMENTWISE_LESS_OR_EQUAL`: x <= y, bool
* `ELEMENTWISE_LOG`: natural logarithm
* `ELEMENTWISE_MAX`: the largest of 1 or more inputs
* `ELEMENTWISE_MEAN`: the mean of 1 or more inputs
* `ELEMENTWISE_MIN`: the smallest of 1 or more inputs
* `ELEMENTWISE_MOD`: x modulo y; a = 1: fmod; 0: sign of the divisor \\[0\\]
* `ELEMENTWISE_MUL`: x y
* `ELEMENTWISE_NEG`: -x
* `ELEMENTWISE_NOT`: x is not true, bool
* `ELEMENTWISE_OR`: x or y is true, or both, bool
* `ELEMENTWISE_POW`: x^y, of the dtype of the first input
* `ELEMENTWISE_PRELU`: x < 0 ? slope x : x
* `ELEMENTWISE_RECIPROCAL`: 1 / x
* `ELEMENTWISE_RELU`: max(0, x)
* `ELEMENTWISE_ROUND`: the nearest whole number, halves to even
* `ELEMENTWISE_SELU`: b (x > 0 ? x : a exp(x) - a) \\[1.67326, 1.0507\\]
* `ELEMENTWISE_SHRINK`: x < -a ? x + b : x > a ? x - b : 0 \\[0.5, 0\\]
* `ELEMENTWISE_SIGMOID`: 1 / (1 + exp(-x))
* `ELEMENTWISE_SIGN`: -1, 0 or 1
* `ELEMENTWISE_SIN`: sine of radians
* `ELEMENTWISE_SINH`: (exp(x) - exp(-x)) / 2
* `ELEMENTWISE_SOFTPLUS`: log(1 + exp(x))
* `ELEMENTWISE_SOFTSIGN`: x / (1 + abs(x))
* `ELEMENTWISE_SQRT`: square root
* `ELEMENTWISE_SUB`: x - y
* `ELEMENTWISE_SUM`: the sum of 1 or more inputs
* `ELEMENTWISE_TAN`: sin(x) / cos(x)
* `ELEMENTWISE_TANH`: sinh(x) / cosh(x)
* `ELEMENTWISE_THRESHOLDED_RELU`: x > a ? x : 0 \\[1\\]
* `ELEMENTWISE_WHERE`: condition ? x : y
* `ELEMENTWISE_XOR`: one of x and y is true, not both, bool
* `ELEMENTWISE_GELU`: 0.5 x (1 + erf(x / sqrt(2)))
* `ELEMENTWISE_GELU_TANH`: 0.5 x (1 + tanh(0.797885 (x + 0.044715 x^3)))
* `ELEMENTWISE_SILU`: x sigmoid(x), also called swish
* `ELEMENTWISE_MISH`: x tanh(softplus(x))
* `ELEMENTWISE_SQUARE`: x^2
* `ELEMENTWISE_RSQRT`: 1 / sqrt(x)
"""
struct Elementwise <: CEnum
    value::Int32
    Elementwise(value::Integer) = new(value)
end
const ELEMENTWISE_ABS = Elementwise(1)
const ELEMENTWISE_ACOS = Elementwise(2)
const ELEMENTWISE_ACOSH = Elementwise(3)
const ELEMENTWISE_ADD = Elementwise(4)
const ELEMENTWISE_AND = Elementwise(5)
const ELEMENTWISE_ASIN = Elementwise(6)
const ELEMENTWISE_ASINH = Elementwise(7)
const ELEMENTWISE_ATAN = Elementwise(8)
const ELEMENTWISE_ATANH = Elementwise(9)
const ELEMENTWISE_BIT_SHIFT_LEFT = Elementwise(10)
const ELEMENTWISE_BIT_SHIFT_RIGHT = Elementwise(11)
const ELEMENTWISE_CEIL = Elementwise(12)
const ELEMENTWISE_CELU = Elementwise(13)
const ELEMENTWISE_CLIP = Elementwise(14)
const ELEMENTWISE_COS = Elementwise(15)
const ELEMENTWISE_COSH = Elementwise(16)
const ELEMENTWISE_DIV = Elementwise(17)
const ELEMENTWISE_ELU = Elementwise(18)
const ELEMENTWISE_EQUAL = Elementwise(19)
const ELEMENTWISE_ERF = Elementwise(20)
const ELEMENTWISE_EXP = Elementwise(21)
const ELEMENTWISE_FLOOR = Elementwise(22)
const ELEMENTWISE_GREATER = Elementwise(23)
const ELEMENTWISE_GREATER_OR_EQUAL = Elementwise(24)
const ELEMENTWISE_HARD_SIGMOID = Elementwise(25)
const ELEMENTWISE_HARD_SWISH = Elementwise(26)
const ELEMENTWISE_IDENTITY = Elementwise(27)
const ELEMENTWISE_IS_INF = Elementwise(28)
const ELEMENTWISE_IS_NAN = Elementwise(29)
const ELEMENTWISE_LEAKY_RELU = Elementwise(30)
const ELEMENTWISE_LESS = Elementwise(31)
const ELEMENTWISE_LESS_OR_EQUAL = Elementwise(32)
const ELEMENTWISE_LOG = Elementwise(33)
const ELEMENTWISE_MAX = Elementwise(34)
const ELEMENTWISE_MEAN = Elementwise(35)
const ELEMENTWISE_MIN = Elementwise(36)
const ELEMENTWISE_MOD = Elementwise(37)
const ELEMENTWISE_MUL = Elementwise(38)
const ELEMENTWISE_NEG = Elementwise(39)
const ELEMENTWISE_NOT = Elementwise(40)
const ELEMENTWISE_OR = Elementwise(41)
const ELEMENTWISE_POW = Elementwise(42)
const ELEMENTWISE_PRELU = Elementwise(43)
const ELEMENTWISE_RECIPROCAL = Elementwise(44)
const ELEMENTWISE_RELU = Elementwise(45)
const ELEMENTWISE_ROUND = Elementwise(46)
const ELEMENTWISE_SELU = Elementwise(47)
const ELEMENTWISE_SHRINK = Elementwise(48)
const ELEMENTWISE_SIGMOID = Elementwise(49)
const ELEMENTWISE_SIGN = Elementwise(50)
const ELEMENTWISE_SIN = Elementwise(51)
const ELEMENTWISE_SINH = Elementwise(52)
const ELEMENTWISE_SOFTPLUS = Elementwise(53)
const ELEMENTWISE_SOFTSIGN = Elementwise(54)
const ELEMENTWISE_SQRT = Elementwise(55)
const ELEMENTWISE_SUB = Elementwise(56)
const ELEMENTWISE_SUM = Elementwise(57)
const ELEMENTWISE_TAN = Elementwise(58)
const ELEMENTWISE_TANH = Elementwise(59)
const ELEMENTWISE_THRESHOLDED_RELU = Elementwise(60)
const ELEMENTWISE_WHERE = Elementwise(61)
const ELEMENTWISE_XOR = Elementwise(62)
const ELEMENTWISE_GELU = Elementwise(65)
const ELEMENTWISE_GELU_TANH = Elementwise(66)
const ELEMENTWISE_SILU = Elementwise(67)
const ELEMENTWISE_MISH = Elementwise(68)
const ELEMENTWISE_SQUARE = Elementwise(69)
const ELEMENTWISE_RSQRT = Elementwise(70)
enum_values(::Type{Elementwise}) = (
    (:ELEMENTWISE_ABS, :abs, Int32(1)),
    (:ELEMENTWISE_ACOS, :acos, Int32(2)),
    (:ELEMENTWISE_ACOSH, :acosh, Int32(3)),
    (:ELEMENTWISE_ADD, :add, Int32(4)),
    (:ELEMENTWISE_AND, :and, Int32(5)),
    (:ELEMENTWISE_ASIN, :asin, Int32(6)),
    (:ELEMENTWISE_ASINH, :asinh, Int32(7)),
    (:ELEMENTWISE_ATAN, :atan, Int32(8)),
    (:ELEMENTWISE_ATANH, :atanh, Int32(9)),
    (:ELEMENTWISE_BIT_SHIFT_LEFT, :bit_shift_left, Int32(10)),
    (:ELEMENTWISE_BIT_SHIFT_RIGHT, :bit_shift_right, Int32(11)),
    (:ELEMENTWISE_CEIL, :ceil, Int32(12)),
    (:ELEMENTWISE_CELU, :celu, Int32(13)),
    (:ELEMENTWISE_CLIP, :clip, Int32(14)),
    (:ELEMENTWISE_COS, :cos, Int32(15)),
    (:ELEMENTWISE_COSH, :cosh, Int32(16)),
    (:ELEMENTWISE_DIV, :div, Int32(17)),
    (:ELEMENTWISE_ELU, :elu, Int32(18)),
    (:ELEMENTWISE_EQUAL, :equal, Int32(19)),
    (:ELEMENTWISE_ERF, :erf, Int32(20)),
    (:ELEMENTWISE_EXP, :exp, Int32(21)),
    (:ELEMENTWISE_FLOOR, :floor, Int32(22)),
    (:ELEMENTWISE_GREATER, :greater, Int32(23)),
    (:ELEMENTWISE_GREATER_OR_EQUAL, :greater_or_equal, Int32(24)),
    (:ELEMENTWISE_HARD_SIGMOID, :hard_sigmoid, Int32(25)),
    (:ELEMENTWISE_HARD_SWISH, :hard_swish, Int32(26)),
    (:ELEMENTWISE_IDENTITY, :identity, Int32(27)),
    (:ELEMENTWISE_IS_INF, :is_inf, Int32(28)),
    (:ELEMENTWISE_IS_NAN, :is_nan, Int32(29)),
    (:ELEMENTWISE_LEAKY_RELU, :leaky_relu, Int32(30)),
    (:ELEMENTWISE_LESS, :less, Int32(31)),
    (:ELEMENTWISE_LESS_OR_EQUAL, :less_or_equal, Int32(32)),
    (:ELEMENTWISE_LOG, :log, Int32(33)),
    (:ELEMENTWISE_MAX, :max, Int32(34)),
    (:ELEMENTWISE_MEAN, :mean, Int32(35)),
    (:ELEMENTWISE_MIN, :min, Int32(36)),
    (:ELEMENTWISE_MOD, :mod, Int32(37)),
    (:ELEMENTWISE_MUL, :mul, Int32(38)),
    (:ELEMENTWISE_NEG, :neg, Int32(39)),
    (:ELEMENTWISE_NOT, :not, Int32(40)),
    (:ELEMENTWISE_OR, :or, Int32(41)),
    (:ELEMENTWISE_POW, :pow, Int32(42)),
    (:ELEMENTWISE_PRELU, :prelu, Int32(43)),
    (:ELEMENTWISE_RECIPROCAL, :reciprocal, Int32(44)),
    (:ELEMENTWISE_RELU, :relu, Int32(45)),
    (:ELEMENTWISE_ROUND, :round, Int32(46)),
    (:ELEMENTWISE_SELU, :selu, Int32(47)),
    (:ELEMENTWISE_SHRINK, :shrink, Int32(48)),
    (:ELEMENTWISE_SIGMOID, :sigmoid, Int32(49)),
    (:ELEMENTWISE_SIGN, :sign, Int32(50)),
    (:ELEMENTWISE_SIN, :sin, Int32(51)),
    (:ELEMENTWISE_SINH, :sinh, Int32(52)),
    (:ELEMENTWISE_SOFTPLUS, :softplus, Int32(53)),
    (:ELEMENTWISE_SOFTSIGN, :softsign, Int32(54)),
    (:ELEMENTWISE_SQRT, :sqrt, Int32(55)),
    (:ELEMENTWISE_SUB, :sub, Int32(56)),
    (:ELEMENTWISE_SUM, :sum, Int32(57)),
    (:ELEMENTWISE_TAN, :tan, Int32(58)),
    (:ELEMENTWISE_TANH, :tanh, Int32(59)),
    (:ELEMENTWISE_THRESHOLDED_RELU, :thresholded_relu, Int32(60)),
    (:ELEMENTWISE_WHERE, :where, Int32(61)),
    (:ELEMENTWISE_XOR, :xor, Int32(62)),
    (:ELEMENTWISE_GELU, :gelu, Int32(65)),
    (:ELEMENTWISE_GELU_TANH, :gelu_tanh, Int32(66)),
    (:ELEMENTWISE_SILU, :silu, Int32(67)),
    (:ELEMENTWISE_MISH, :mish, Int32(68)),
    (:ELEMENTWISE_SQUARE, :square, Int32(69)),
    (:ELEMENTWISE_RSQRT, :rsqrt, Int32(70)),
)

"""
    Activation

Functions that an epilogue or a batch normalisation can end with. Where alpha and beta are
both 0 and `has_parameters` is false, they are ONNX's defaults, in brackets; CLIP has none
and is INVALID\\_ARGUMENT then.

* `ACTIVATION_NONE`
* `ACTIVATION_RELU`
* `ACTIVATION_LEAKY_RELU`: x < 0 ? alpha x : x \\[0.01\\]
* `ACTIVATION_ELU`: x < 0 ? alpha (exp(x) - 1) : x \\[1\\]
* `ACTIVATION_SIGMOID`
* `ACTIVATION_TANH`
* `ACTIVATION_SILU`
* `ACTIVATION_GELU`: with erf
* `ACTIVATION_GELU_TANH`
* `ACTIVATION_SOFTPLUS`
* `ACTIVATION_HARD_SIGMOID`: clip(alpha x + beta, 0, 1) \\[0.2, 0.5\\]
* `ACTIVATION_HARD_SWISH`
* `ACTIVATION_CLIP`: alpha <= x <= beta
"""
struct Activation <: CEnum
    value::Int32
    Activation(value::Integer) = new(value)
end
const ACTIVATION_NONE = Activation(0)
const ACTIVATION_RELU = Activation(1)
const ACTIVATION_LEAKY_RELU = Activation(2)
const ACTIVATION_ELU = Activation(3)
const ACTIVATION_SIGMOID = Activation(4)
const ACTIVATION_TANH = Activation(5)
const ACTIVATION_SILU = Activation(6)
const ACTIVATION_GELU = Activation(7)
const ACTIVATION_GELU_TANH = Activation(8)
const ACTIVATION_SOFTPLUS = Activation(9)
const ACTIVATION_HARD_SIGMOID = Activation(10)
const ACTIVATION_HARD_SWISH = Activation(11)
const ACTIVATION_CLIP = Activation(12)
enum_values(::Type{Activation}) = (
    (:ACTIVATION_NONE, :none, Int32(0)),
    (:ACTIVATION_RELU, :relu, Int32(1)),
    (:ACTIVATION_LEAKY_RELU, :leaky_relu, Int32(2)),
    (:ACTIVATION_ELU, :elu, Int32(3)),
    (:ACTIVATION_SIGMOID, :sigmoid, Int32(4)),
    (:ACTIVATION_TANH, :tanh, Int32(5)),
    (:ACTIVATION_SILU, :silu, Int32(6)),
    (:ACTIVATION_GELU, :gelu, Int32(7)),
    (:ACTIVATION_GELU_TANH, :gelu_tanh, Int32(8)),
    (:ACTIVATION_SOFTPLUS, :softplus, Int32(9)),
    (:ACTIVATION_HARD_SIGMOID, :hard_sigmoid, Int32(10)),
    (:ACTIVATION_HARD_SWISH, :hard_swish, Int32(11)),
    (:ACTIVATION_CLIP, :clip, Int32(12)),
)

"""
    Precision

How exactly f32 is multiplied. TF32 and SPLIT are permissions: they hold where a device has
matrix units (see `netcl_matrix_units`) and the product is large enough to gain by them, and
elsewhere the product is STRICT, which is within their bounds.

* `PRECISION_STRICT`: in f32
* `PRECISION_TF32`: a and b may be rounded to the 11 digits of tf32, its exponents being
  those of f32: 1.001 \\* 2^-10 sum|a||b| is added to the bound, and numbers above
  0x1.ffep127 may become infinite
* `PRECISION_SPLIT`: a and b may be taken apart into two tf32 numbers each, of whose four
  products three are added: 2^-21 sum|a||b| is added to the bound. Parts below 2^-126 may be
  lost: the product of one with an infinity is NaN then
"""
struct Precision <: CEnum
    value::Int32
    Precision(value::Integer) = new(value)
end
const PRECISION_STRICT = Precision(0)
const PRECISION_TF32 = Precision(1)
const PRECISION_SPLIT = Precision(2)
enum_values(::Type{Precision}) = (
    (:PRECISION_STRICT, :strict, Int32(0)),
    (:PRECISION_TF32, :tf32, Int32(1)),
    (:PRECISION_SPLIT, :split, Int32(2)),
)

"""
    Quantization

How weights W of \\[N, K\\] are kept, in blocks along K of which each has a scale. A row of
W is one row of bytes: its blocks, one after the other. Codes are unsigned but for Q8\\_0;
multi-byte numbers are little-endian, d and m are f16.

* `QUANTIZATION_NBITS`: MatMulNBits of ONNX Runtime (com.microsoft; docs/ContribOperators.md
  there): codes of `bits`, the first in the lowest bits of a byte, W = (code - zero point)
  \\* scale; with a scale beyond 2^119, W may be NaN. Blocks of block\\_size bits / 8 bytes;
  the last of a row may go beyond K, where what it holds has no influence.
* `QUANTIZATION_Q4_0`: Q4\\_0 of GGUF: 32 weights in 18 bytes: d, then 16 bytes. Byte i has
  the codes of weight i in its lower half and of 16 + i in its upper one; W = (code - 8) \\*
  d; NaN may stand for an infinite one.
* `QUANTIZATION_Q8_0`: Q8\\_0 of GGUF: 32 weights in 34 bytes: d, then 32 signed codes; W =
  code \\* d, as there.
* `QUANTIZATION_Q4_K`: Q4\\_K of GGUF: 256 weights in 144 bytes: d, m, 12 bytes s, then 128
  bytes, of which byte 32 c + i has the codes of weights 64 c + i and, in its upper half, 64
  c + 32 + i. Weights 32 j to 32 j + 31 have W = d \\* S\\[j\\] \\* code - m \\* M\\[j\\]
  with numbers of 6 bits: for j < 4 S\\[j\\] is s\\[j\\] and M\\[j\\] is s\\[j + 4\\], each
  less its two upper bits; else the lower four bits of S\\[j\\] are the lower half of s\\[j
  \\+ 4\\], those of M\\[j\\] its upper half, and the upper two bits are the upper two of
  s\\[j - 4\\] and of s\\[j\\]. (The blocks of GGUF are those of ggml-common.h of
  llama.cpp.)
"""
struct Quantization <: CEnum
    value::Int32
    Quantization(value::Integer) = new(value)
end
const QUANTIZATION_NBITS = Quantization(1)
const QUANTIZATION_Q4_0 = Quantization(2)
const QUANTIZATION_Q8_0 = Quantization(3)
const QUANTIZATION_Q4_K = Quantization(4)
enum_values(::Type{Quantization}) = (
    (:QUANTIZATION_NBITS, :nbits, Int32(1)),
    (:QUANTIZATION_Q4_0, :q4_0, Int32(2)),
    (:QUANTIZATION_Q8_0, :q8_0, Int32(3)),
    (:QUANTIZATION_Q4_K, :q4_k, Int32(4)),
)

"""
    Reduction

Constants of `netcl_reduction`.

* `REDUCTION_SUM`: x0 + x1 + ...
* `REDUCTION_MEAN`: the sum / how many there are
* `REDUCTION_MAX`: the largest; NaN wins
* `REDUCTION_MIN`: the smallest; NaN wins
* `REDUCTION_PROD`: x0 x1 ...
* `REDUCTION_L1`: sum of absolute values
* `REDUCTION_L2`: square root of the sum of squares
* `REDUCTION_SUM_SQUARE`: the sum of x^2
* `REDUCTION_LOG_SUM`: log of the sum
* `REDUCTION_LOG_SUM_EXP`: log(sum exp(x)), the maximum taken out first
* `REDUCTION_ARGMAX`: index of the first largest, i64; NaN is the largest
* `REDUCTION_ARGMIN`: index of the first smallest, i64; NaN is the smallest
* `REDUCTION_ANY`: bool: an element is true
* `REDUCTION_ALL`: bool: all elements are true
"""
struct Reduction <: CEnum
    value::Int32
    Reduction(value::Integer) = new(value)
end
const REDUCTION_SUM = Reduction(1)
const REDUCTION_MEAN = Reduction(2)
const REDUCTION_MAX = Reduction(3)
const REDUCTION_MIN = Reduction(4)
const REDUCTION_PROD = Reduction(5)
const REDUCTION_L1 = Reduction(6)
const REDUCTION_L2 = Reduction(7)
const REDUCTION_SUM_SQUARE = Reduction(8)
const REDUCTION_LOG_SUM = Reduction(9)
const REDUCTION_LOG_SUM_EXP = Reduction(10)
const REDUCTION_ARGMAX = Reduction(11)
const REDUCTION_ARGMIN = Reduction(12)
const REDUCTION_ANY = Reduction(13)
const REDUCTION_ALL = Reduction(14)
enum_values(::Type{Reduction}) = (
    (:REDUCTION_SUM, :sum, Int32(1)),
    (:REDUCTION_MEAN, :mean, Int32(2)),
    (:REDUCTION_MAX, :max, Int32(3)),
    (:REDUCTION_MIN, :min, Int32(4)),
    (:REDUCTION_PROD, :prod, Int32(5)),
    (:REDUCTION_L1, :l1, Int32(6)),
    (:REDUCTION_L2, :l2, Int32(7)),
    (:REDUCTION_SUM_SQUARE, :sum_square, Int32(8)),
    (:REDUCTION_LOG_SUM, :log_sum, Int32(9)),
    (:REDUCTION_LOG_SUM_EXP, :log_sum_exp, Int32(10)),
    (:REDUCTION_ARGMAX, :argmax, Int32(11)),
    (:REDUCTION_ARGMIN, :argmin, Int32(12)),
    (:REDUCTION_ANY, :any, Int32(13)),
    (:REDUCTION_ALL, :all, Int32(14)),
)

"""
    Pooling

Constants of `netcl_pooling`.

* `POOLING_MAX`: the largest element
* `POOLING_AVERAGE`: the mean
* `POOLING_LP`: (sum |x|^p)^(1/p)
"""
struct Pooling <: CEnum
    value::Int32
    Pooling(value::Integer) = new(value)
end
const POOLING_MAX = Pooling(1)
const POOLING_AVERAGE = Pooling(2)
const POOLING_LP = Pooling(3)
enum_values(::Type{Pooling}) = (
    (:POOLING_MAX, :max, Int32(1)),
    (:POOLING_AVERAGE, :average, Int32(2)),
    (:POOLING_LP, :lp, Int32(3)),
)

"""
    RoiPooling

Constants of `netcl_roi_pooling`.

* `ROI_POOLING_AVERAGE`: the mean of samples (RoiAlign, \"avg\")
* `ROI_POOLING_MAX_SAMPLE`: the largest product of an element next to a sample and its
  weight (RoiAlign, \"max\")
* `ROI_POOLING_MAX`: the largest element (MaxRoiPool)
"""
struct RoiPooling <: CEnum
    value::Int32
    RoiPooling(value::Integer) = new(value)
end
const ROI_POOLING_AVERAGE = RoiPooling(0)
const ROI_POOLING_MAX_SAMPLE = RoiPooling(1)
const ROI_POOLING_MAX = RoiPooling(2)
enum_values(::Type{RoiPooling}) = (
    (:ROI_POOLING_AVERAGE, :average, Int32(0)),
    (:ROI_POOLING_MAX_SAMPLE, :max_sample, Int32(1)),
    (:ROI_POOLING_MAX, :max, Int32(2)),
)

"""
    LossReduction

Constants of `netcl_loss_reduction`.

* `LOSS_MEAN`: sum over sum of the labels' weights; no label that counts: NaN
* `LOSS_SUM`
* `LOSS_NONE`: a loss for each label
"""
struct LossReduction <: CEnum
    value::Int32
    LossReduction(value::Integer) = new(value)
end
const LOSS_MEAN = LossReduction(0)
const LOSS_SUM = LossReduction(1)
const LOSS_NONE = LossReduction(2)
enum_values(::Type{LossReduction}) = (
    (:LOSS_MEAN, :mean, Int32(0)),
    (:LOSS_SUM, :sum, Int32(1)),
    (:LOSS_NONE, :none, Int32(2)),
)

"""
    PadMode

Constants of `netcl_pad_mode`.

* `PAD_CONSTANT`
* `PAD_REFLECT`: without repeating the edge: c b | a b c; wider than the axis: there and
  back again, as numpy does
* `PAD_EDGE`: a a | a b c
* `PAD_WRAP`: as if the tensor stood beside itself again and again: b c | a b c
"""
struct PadMode <: CEnum
    value::Int32
    PadMode(value::Integer) = new(value)
end
const PAD_CONSTANT = PadMode(0)
const PAD_REFLECT = PadMode(1)
const PAD_EDGE = PadMode(2)
const PAD_WRAP = PadMode(3)
enum_values(::Type{PadMode}) = (
    (:PAD_CONSTANT, :constant, Int32(0)),
    (:PAD_REFLECT, :reflect, Int32(1)),
    (:PAD_EDGE, :edge, Int32(2)),
    (:PAD_WRAP, :wrap, Int32(3)),
)

"""
    ScatterMode

Constants of `netcl_scatter_mode`.

* `SCATTER_ASSIGN`: the last of equal indices, in C order, wins
* `SCATTER_ADD`: added in C order of the updates; of bool: OR
* `SCATTER_MUL`: multiplied in C order of the updates; of bool: AND
* `SCATTER_MAX`: the largest, NaN before all; of bool: OR
* `SCATTER_MIN`: the smallest, NaN before all; of bool: AND
"""
struct ScatterMode <: CEnum
    value::Int32
    ScatterMode(value::Integer) = new(value)
end
const SCATTER_ASSIGN = ScatterMode(0)
const SCATTER_ADD = ScatterMode(1)
const SCATTER_MUL = ScatterMode(2)
const SCATTER_MAX = ScatterMode(3)
const SCATTER_MIN = ScatterMode(4)
enum_values(::Type{ScatterMode}) = (
    (:SCATTER_ASSIGN, :assign, Int32(0)),
    (:SCATTER_ADD, :add, Int32(1)),
    (:SCATTER_MUL, :mul, Int32(2)),
    (:SCATTER_MAX, :max, Int32(3)),
    (:SCATTER_MIN, :min, Int32(4)),
)

"""
    DepthOrder

Which channel of x is element i of the blocks of channel c; of C channels, B elements.

* `DEPTH_DCR`: i C + c
* `DEPTH_CRD`: c B + i, as in PyTorch's pixel\\_shuffle
"""
struct DepthOrder <: CEnum
    value::Int32
    DepthOrder(value::Integer) = new(value)
end
const DEPTH_DCR = DepthOrder(0)
const DEPTH_CRD = DepthOrder(1)
enum_values(::Type{DepthOrder}) = (
    (:DEPTH_DCR, :dcr, Int32(0)),
    (:DEPTH_CRD, :crd, Int32(1)),
)

"""
    ResizeMode

Constants of `netcl_resize_mode`.

* `RESIZE_NEAREST`: the element that `rounding` says
* `RESIZE_LINEAR`: linear in every axis that changes
* `RESIZE_CUBIC`: cubic in every axis that changes, over four elements
"""
struct ResizeMode <: CEnum
    value::Int32
    ResizeMode(value::Integer) = new(value)
end
const RESIZE_NEAREST = ResizeMode(0)
const RESIZE_LINEAR = ResizeMode(1)
const RESIZE_CUBIC = ResizeMode(2)
enum_values(::Type{ResizeMode}) = (
    (:RESIZE_NEAREST, :nearest, Int32(0)),
    (:RESIZE_LINEAR, :linear, Int32(1)),
    (:RESIZE_CUBIC, :cubic, Int32(2)),
)

"""
    ResizeCoordinates

Where element i of the result lies along an axis of x. `in` and `out` are the extents of x
and of the result.

* `RESIZE_HALF_PIXEL`: (i + 0.5) / scale - 0.5
* `RESIZE_ALIGN_CORNERS`: i (in - 1) / (in scale - 1); 0 where i is 0 or in scale is 1
* `RESIZE_ASYMMETRIC`: i / scale
* `RESIZE_HALF_PIXEL_SYMMETRIC`: in / 2 (1 - out / (in scale)) + HALF\\_PIXEL
* `RESIZE_PYTORCH_HALF_PIXEL`: HALF\\_PIXEL; 0 where out is 1
* `RESIZE_TF_CROP_AND_RESIZE`: (in - 1) (start + i (end - start) / (out - 1)), of `roi`; (in
  \\- 1) (start + end) / 2 where out is 1
"""
struct ResizeCoordinates <: CEnum
    value::Int32
    ResizeCoordinates(value::Integer) = new(value)
end
const RESIZE_HALF_PIXEL = ResizeCoordinates(0)
const RESIZE_ALIGN_CORNERS = ResizeCoordinates(1)
const RESIZE_ASYMMETRIC = ResizeCoordinates(2)
const RESIZE_HALF_PIXEL_SYMMETRIC = ResizeCoordinates(3)
const RESIZE_PYTORCH_HALF_PIXEL = ResizeCoordinates(4)
const RESIZE_TF_CROP_AND_RESIZE = ResizeCoordinates(5)
enum_values(::Type{ResizeCoordinates}) = (
    (:RESIZE_HALF_PIXEL, :half_pixel, Int32(0)),
    (:RESIZE_ALIGN_CORNERS, :align_corners, Int32(1)),
    (:RESIZE_ASYMMETRIC, :asymmetric, Int32(2)),
    (:RESIZE_HALF_PIXEL_SYMMETRIC, :half_pixel_symmetric, Int32(3)),
    (:RESIZE_PYTORCH_HALF_PIXEL, :pytorch_half_pixel, Int32(4)),
    (:RESIZE_TF_CROP_AND_RESIZE, :tf_crop_and_resize, Int32(5)),
)

"""
    ResizeRounding

Constants of `netcl_resize_rounding`.

* `RESIZE_ROUND_PREFER_FLOOR`: to the nearest, halves down
* `RESIZE_ROUND_PREFER_CEIL`: to the nearest, halves up
* `RESIZE_FLOOR`
* `RESIZE_CEIL`
"""
struct ResizeRounding <: CEnum
    value::Int32
    ResizeRounding(value::Integer) = new(value)
end
const RESIZE_ROUND_PREFER_FLOOR = ResizeRounding(0)
const RESIZE_ROUND_PREFER_CEIL = ResizeRounding(1)
const RESIZE_FLOOR = ResizeRounding(2)
const RESIZE_CEIL = ResizeRounding(3)
enum_values(::Type{ResizeRounding}) = (
    (:RESIZE_ROUND_PREFER_FLOOR, :round_prefer_floor, Int32(0)),
    (:RESIZE_ROUND_PREFER_CEIL, :round_prefer_ceil, Int32(1)),
    (:RESIZE_FLOOR, :floor, Int32(2)),
    (:RESIZE_CEIL, :ceil, Int32(3)),
)

"""
    GraphFormat

How `netcl_graph_explain` writes.

* `GRAPH_FORMAT_TEXT`: a line per call with its number, or per step, for reading
* `GRAPH_FORMAT_JSON`
* `GRAPH_FORMAT_DOT`: for Graphviz
"""
struct GraphFormat <: CEnum
    value::Int32
    GraphFormat(value::Integer) = new(value)
end
const GRAPH_FORMAT_TEXT = GraphFormat(0)
const GRAPH_FORMAT_JSON = GraphFormat(1)
const GRAPH_FORMAT_DOT = GraphFormat(2)
enum_values(::Type{GraphFormat}) = (
    (:GRAPH_FORMAT_TEXT, :text, Int32(0)),
    (:GRAPH_FORMAT_JSON, :json, Int32(1)),
    (:GRAPH_FORMAT_DOT, :dot, Int32(2)),
)

"""
    WeightsFormat

What a file of weights is.

* `WEIGHTS_SAFETENSORS`
* `WEIGHTS_GGUF`
* `WEIGHTS_NPZ`
"""
struct WeightsFormat <: CEnum
    value::Int32
    WeightsFormat(value::Integer) = new(value)
end
const WEIGHTS_SAFETENSORS = WeightsFormat(1)
const WEIGHTS_GGUF = WeightsFormat(2)
const WEIGHTS_NPZ = WeightsFormat(3)
enum_values(::Type{WeightsFormat}) = (
    (:WEIGHTS_SAFETENSORS, :safetensors, Int32(1)),
    (:WEIGHTS_GGUF, :gguf, Int32(2)),
    (:WEIGHTS_NPZ, :npz, Int32(3)),
)

"""
    GroupTransport

How the bytes of a group go from rank to rank.

* `GROUP_TRANSPORT_AUTO`: PEER\\_MEMORY where every rank has a GPU of CUDA that reaches the
  others; else NCCL where each has one of its own and libnccl.so.2 (`NETCL_NCCL_LIBRARY`
  names another file); else memory of the host where all share one, else MPI. The log tells
  why where one of the first two is there and does not begin
* `GROUP_TRANSPORT_SHARED_MEMORY`: of the host
* `GROUP_TRANSPORT_MPI`: `netcl_group_create_mpi` alone
* `GROUP_TRANSPORT_NCCL`: of messages from 1 MiB of any rank on; the ranks meet, and shorter
  ones go, through the host. Without it: UNSUPPORTED naming a rank and what it lacks, on all
  ranks
* `GROUP_TRANSPORT_PEER_MEMORY`: of messages from 64 KiB of any rank on: the devices of one
  host read each other's memory. GPUs of CUDA do where the driver lets them, and CPU devices
  of OpenCL. For all ranks, and for each two that send to each other, a rank has a room of 2
  to 128 MiB, which grows with the messages, and a descriptor for the room of each. Where a
  rank has no memory for its first room a call, or the group or part that is made, is
  OUT\\_OF\\_DEVICE\\_MEMORY on all, naming it; later ones go in smaller pieces. Otherwise
  UNSUPPORTED as NCCL
"""
struct GroupTransport <: CEnum
    value::Int32
    GroupTransport(value::Integer) = new(value)
end
const GROUP_TRANSPORT_AUTO = GroupTransport(0)
const GROUP_TRANSPORT_SHARED_MEMORY = GroupTransport(1)
const GROUP_TRANSPORT_MPI = GroupTransport(2)
const GROUP_TRANSPORT_NCCL = GroupTransport(3)
const GROUP_TRANSPORT_PEER_MEMORY = GroupTransport(4)
enum_values(::Type{GroupTransport}) = (
    (:GROUP_TRANSPORT_AUTO, :auto, Int32(0)),
    (:GROUP_TRANSPORT_SHARED_MEMORY, :shared_memory, Int32(1)),
    (:GROUP_TRANSPORT_MPI, :mpi, Int32(2)),
    (:GROUP_TRANSPORT_NCCL, :nccl, Int32(3)),
    (:GROUP_TRANSPORT_PEER_MEMORY, :peer_memory, Int32(4)),
)

"""
    StopReason

Why a measurement or a tuning run ended.

* `STOP_RUNNING`: it has not
* `STOP_COUNT`: as many samples or candidates as asked for
* `STOP_CONFIDENCE`: the confidence interval is as narrow as asked for
* `STOP_BUDGET`: the time is used up
* `STOP_ROOFLINE`: the best is at the roofline, confirmed twice
* `STOP_CONVERGED`: the last rounds brought no improvement
* `STOP_EXHAUSTED`: nothing is left to try
* `STOP_CANCELLED`
"""
struct StopReason <: CEnum
    value::Int32
    StopReason(value::Integer) = new(value)
end
const STOP_RUNNING = StopReason(0)
const STOP_COUNT = StopReason(1)
const STOP_CONFIDENCE = StopReason(2)
const STOP_BUDGET = StopReason(3)
const STOP_ROOFLINE = StopReason(4)
const STOP_CONVERGED = StopReason(5)
const STOP_EXHAUSTED = StopReason(6)
const STOP_CANCELLED = StopReason(7)
enum_values(::Type{StopReason}) = (
    (:STOP_RUNNING, :running, Int32(0)),
    (:STOP_COUNT, :count, Int32(1)),
    (:STOP_CONFIDENCE, :confidence, Int32(2)),
    (:STOP_BUDGET, :budget, Int32(3)),
    (:STOP_ROOFLINE, :roofline, Int32(4)),
    (:STOP_CONVERGED, :converged, Int32(5)),
    (:STOP_EXHAUSTED, :exhausted, Int32(6)),
    (:STOP_CANCELLED, :cancelled, Int32(7)),
)

"""
    Outcome

What became of a candidate kernel that was benchmarked or tuned.

* `OUTCOME_UNKNOWN`: not tried
* `OUTCOME_CORRECT`
* `OUTCOME_CONSTRAINTS`: its work size does not fit the kernel or the device
* `OUTCOME_COMPILE`: it does not compile
* `OUTCOME_RUNTIME`: the driver refused or failed a launch
* `OUTCOME_CORRECTNESS`: an output differs from the reference
* `OUTCOME_GUARD`: it wrote outside its arguments, or to an input
* `OUTCOME_TIMEOUT`: compiling took too long
* `OUTCOME_HANG`: a run did not end in time
* `OUTCOME_CRASH`: its process died or lost the device
* `OUTCOME_SLOW`: cut short: clearly slower than the best
* `OUTCOME_CANCELLED`
"""
struct Outcome <: CEnum
    value::Int32
    Outcome(value::Integer) = new(value)
end
const OUTCOME_UNKNOWN = Outcome(0)
const OUTCOME_CORRECT = Outcome(1)
const OUTCOME_CONSTRAINTS = Outcome(2)
const OUTCOME_COMPILE = Outcome(3)
const OUTCOME_RUNTIME = Outcome(4)
const OUTCOME_CORRECTNESS = Outcome(5)
const OUTCOME_GUARD = Outcome(6)
const OUTCOME_TIMEOUT = Outcome(7)
const OUTCOME_HANG = Outcome(8)
const OUTCOME_CRASH = Outcome(9)
const OUTCOME_SLOW = Outcome(10)
const OUTCOME_CANCELLED = Outcome(11)
enum_values(::Type{Outcome}) = (
    (:OUTCOME_UNKNOWN, :unknown, Int32(0)),
    (:OUTCOME_CORRECT, :correct, Int32(1)),
    (:OUTCOME_CONSTRAINTS, :constraints, Int32(2)),
    (:OUTCOME_COMPILE, :compile, Int32(3)),
    (:OUTCOME_RUNTIME, :runtime, Int32(4)),
    (:OUTCOME_CORRECTNESS, :correctness, Int32(5)),
    (:OUTCOME_GUARD, :guard, Int32(6)),
    (:OUTCOME_TIMEOUT, :timeout, Int32(7)),
    (:OUTCOME_HANG, :hang, Int32(8)),
    (:OUTCOME_CRASH, :crash, Int32(9)),
    (:OUTCOME_SLOW, :slow, Int32(10)),
    (:OUTCOME_CANCELLED, :cancelled, Int32(11)),
)

"""
    TimeSource

Which time of a sample counts.

* `TIME_DEVICE_BUSY`: union of the times in which the device ran the commands
* `TIME_DEVICE_SPAN`: from the start of the first to the end of the last command
* `TIME_HOST`: the host's clock, from before the first to completion
"""
struct TimeSource <: CEnum
    value::Int32
    TimeSource(value::Integer) = new(value)
end
const TIME_DEVICE_BUSY = TimeSource(0)
const TIME_DEVICE_SPAN = TimeSource(1)
const TIME_HOST = TimeSource(2)
enum_values(::Type{TimeSource}) = (
    (:TIME_DEVICE_BUSY, :device_busy, Int32(0)),
    (:TIME_DEVICE_SPAN, :device_span, Int32(1)),
    (:TIME_HOST, :host, Int32(2)),
)

"""
    Verdict

Constants of `netcl_verdict`.

* `VERDICT_UNCLEAR`
* `VERDICT_SAME`: the interval of the ratio lies within 1 +- precision
* `VERDICT_FASTER`: the first is faster: the interval lies below 1
* `VERDICT_SLOWER`
"""
struct Verdict <: CEnum
    value::Int32
    Verdict(value::Integer) = new(value)
end
const VERDICT_UNCLEAR = Verdict(0)
const VERDICT_SAME = Verdict(1)
const VERDICT_FASTER = Verdict(2)
const VERDICT_SLOWER = Verdict(3)
enum_values(::Type{Verdict}) = (
    (:VERDICT_UNCLEAR, :unclear, Int32(0)),
    (:VERDICT_SAME, :same, Int32(1)),
    (:VERDICT_FASTER, :faster, Int32(2)),
    (:VERDICT_SLOWER, :slower, Int32(3)),
)

"""
    Format

Form of a report.

* `FORMAT_TEXT`: for people
* `FORMAT_JSON`
* `FORMAT_CSV`
"""
struct Format <: CEnum
    value::Int32
    Format(value::Integer) = new(value)
end
const FORMAT_TEXT = Format(1)
const FORMAT_JSON = Format(2)
const FORMAT_CSV = Format(3)
enum_values(::Type{Format}) = (
    (:FORMAT_TEXT, :text, Int32(1)),
    (:FORMAT_JSON, :json, Int32(2)),
    (:FORMAT_CSV, :csv, Int32(3)),
)

"""
    Bottleneck

What limits a kernel: the resource with the higher share of its speed of light (SOL).

* `BOTTLENECK_UNKNOWN`
* `BOTTLENECK_COMPUTE`
* `BOTTLENECK_MEMORY`: also when both are equal
* `BOTTLENECK_UNDERUTILIZED`: both are below underutilized\\_pct
"""
struct Bottleneck <: CEnum
    value::Int32
    Bottleneck(value::Integer) = new(value)
end
const BOTTLENECK_UNKNOWN = Bottleneck(0)
const BOTTLENECK_COMPUTE = Bottleneck(1)
const BOTTLENECK_MEMORY = Bottleneck(2)
const BOTTLENECK_UNDERUTILIZED = Bottleneck(3)
enum_values(::Type{Bottleneck}) = (
    (:BOTTLENECK_UNKNOWN, :unknown, Int32(0)),
    (:BOTTLENECK_COMPUTE, :compute, Int32(1)),
    (:BOTTLENECK_MEMORY, :memory, Int32(2)),
    (:BOTTLENECK_UNDERUTILIZED, :underutilized, Int32(3)),
)

"""
    RooflineSource

Where a result comes from.

* `ROOFLINE_MODEL`: time and declared work against measured ceilings
* `ROOFLINE_NCU`: metrics of NVIDIA Nsight Compute
"""
struct RooflineSource <: CEnum
    value::Int32
    RooflineSource(value::Integer) = new(value)
end
const ROOFLINE_MODEL = RooflineSource(1)
const ROOFLINE_NCU = RooflineSource(2)
enum_values(::Type{RooflineSource}) = (
    (:ROOFLINE_MODEL, :model, Int32(1)),
    (:ROOFLINE_NCU, :ncu, Int32(2)),
)

"""
    NcuPolicy

Which launch of an NCU report counts, when several match.

* `NCU_MEDIAN`: by duration, else by compute SOL
* `NCU_FIRST`
* `NCU_LAST`
* `NCU_LONGEST`
"""
struct NcuPolicy <: CEnum
    value::Int32
    NcuPolicy(value::Integer) = new(value)
end
const NCU_MEDIAN = NcuPolicy(0)
const NCU_FIRST = NcuPolicy(1)
const NCU_LAST = NcuPolicy(2)
const NCU_LONGEST = NcuPolicy(3)
enum_values(::Type{NcuPolicy}) = (
    (:NCU_MEDIAN, :median, Int32(0)),
    (:NCU_FIRST, :first, Int32(1)),
    (:NCU_LAST, :last, Int32(2)),
    (:NCU_LONGEST, :longest, Int32(3)),
)

"""
    CeilingKind

Limits of a device. Rates are per second.

* `CEILING_MEMORY_READ`: bytes, far beyond the caches
* `CEILING_MEMORY_WRITE`
* `CEILING_MEMORY_COPY`: bytes read plus bytes written
* `CEILING_CACHE_READ`: the same for a working set of working\\_set bytes
* `CEILING_CACHE_WRITE`
* `CEILING_CACHE_COPY`
* `CEILING_COMPUTE`: operations: multiply-adds of a dtype, two each
* `CEILING_TENSOR`: the same on matrix units, where there are any
* `CEILING_LAUNCH`: launches of an empty kernel, one after the other
* `CEILING_HOST_TO_DEVICE`: bytes from ordinary memory, as tensors go
* `CEILING_DEVICE_TO_HOST`
* `CEILING_HOST_TO_DEVICE_PINNED`: bytes from page-locked memory
* `CEILING_DEVICE_TO_HOST_PINNED`
"""
struct CeilingKind <: CEnum
    value::Int32
    CeilingKind(value::Integer) = new(value)
end
const CEILING_MEMORY_READ = CeilingKind(1)
const CEILING_MEMORY_WRITE = CeilingKind(2)
const CEILING_MEMORY_COPY = CeilingKind(3)
const CEILING_CACHE_READ = CeilingKind(4)
const CEILING_CACHE_WRITE = CeilingKind(5)
const CEILING_CACHE_COPY = CeilingKind(6)
const CEILING_COMPUTE = CeilingKind(7)
const CEILING_TENSOR = CeilingKind(8)
const CEILING_LAUNCH = CeilingKind(9)
const CEILING_HOST_TO_DEVICE = CeilingKind(10)
const CEILING_DEVICE_TO_HOST = CeilingKind(11)
const CEILING_HOST_TO_DEVICE_PINNED = CeilingKind(12)
const CEILING_DEVICE_TO_HOST_PINNED = CeilingKind(13)
enum_values(::Type{CeilingKind}) = (
    (:CEILING_MEMORY_READ, :memory_read, Int32(1)),
    (:CEILING_MEMORY_WRITE, :memory_write, Int32(2)),
    (:CEILING_MEMORY_COPY, :memory_copy, Int32(3)),
    (:CEILING_CACHE_READ, :cache_read, Int32(4)),
    (:CEILING_CACHE_WRITE, :cache_write, Int32(5)),
    (:CEILING_CACHE_COPY, :cache_copy, Int32(6)),
    (:CEILING_COMPUTE, :compute, Int32(7)),
    (:CEILING_TENSOR, :tensor, Int32(8)),
    (:CEILING_LAUNCH, :launch, Int32(9)),
    (:CEILING_HOST_TO_DEVICE, :host_to_device, Int32(10)),
    (:CEILING_DEVICE_TO_HOST, :device_to_host, Int32(11)),
    (:CEILING_HOST_TO_DEVICE_PINNED, :host_to_device_pinned, Int32(12)),
    (:CEILING_DEVICE_TO_HOST_PINNED, :device_to_host_pinned, Int32(13)),
)

"""
    TuningRecordKind

What a record of the database is.

* `TUNING_RECORD_BEST`: what a tuning run chose
* `TUNING_RECORD_MEASUREMENT`: how one configuration did
* `TUNING_RECORD_QUARANTINE`: a configuration that is never to be chosen
"""
struct TuningRecordKind <: CEnum
    value::Int32
    TuningRecordKind(value::Integer) = new(value)
end
const TUNING_RECORD_BEST = TuningRecordKind(1)
const TUNING_RECORD_MEASUREMENT = TuningRecordKind(2)
const TUNING_RECORD_QUARANTINE = TuningRecordKind(3)
enum_values(::Type{TuningRecordKind}) = (
    (:TUNING_RECORD_BEST, :best, Int32(1)),
    (:TUNING_RECORD_MEASUREMENT, :measurement, Int32(2)),
    (:TUNING_RECORD_QUARANTINE, :quarantine, Int32(3)),
)

"""
    Access

What a kernel does with a tensor.

* `ACCESS_IN`: reads it; one that writes it is an outcome GUARD
* `ACCESS_OUT`: writes all of it
* `ACCESS_INOUT`: both; it is brought back before every sample
"""
struct Access <: CEnum
    value::Int32
    Access(value::Integer) = new(value)
end
const ACCESS_IN = Access(1)
const ACCESS_OUT = Access(2)
const ACCESS_INOUT = Access(3)
enum_values(::Type{Access}) = (
    (:ACCESS_IN, :in, Int32(1)),
    (:ACCESS_OUT, :out, Int32(2)),
    (:ACCESS_INOUT, :inout, Int32(3)),
)

"""
    FillKind

What a tensor holds at first.

* `FILL_ZEROS`
* `FILL_CONSTANT`: a; integers take the nearest value they have
* `FILL_UNIFORM`: \\[a, b); a = b = 0: \\[0, 1), integers: all
* `FILL_NORMAL`: mean a, deviation b (0: 1); floats only
* `FILL_SEQUENCE`: a, a + b, a + 2b ...; b = 0: 1; integers wrap
* `FILL_DATA`: the bytes of `data`
"""
struct FillKind <: CEnum
    value::Int32
    FillKind(value::Integer) = new(value)
end
const FILL_ZEROS = FillKind(0)
const FILL_CONSTANT = FillKind(1)
const FILL_UNIFORM = FillKind(2)
const FILL_NORMAL = FillKind(3)
const FILL_SEQUENCE = FillKind(4)
const FILL_DATA = FillKind(5)
enum_values(::Type{FillKind}) = (
    (:FILL_ZEROS, :zeros, Int32(0)),
    (:FILL_CONSTANT, :constant, Int32(1)),
    (:FILL_UNIFORM, :uniform, Int32(2)),
    (:FILL_NORMAL, :normal, Int32(3)),
    (:FILL_SEQUENCE, :sequence, Int32(4)),
    (:FILL_DATA, :data, Int32(5)),
)

"""
    SearchStrategy

How the configurations that are tried are chosen.

* `SEARCH_AUTO`: EXHAUSTIVE where all of up to 256 may be tried, else GENETIC
* `SEARCH_EXHAUSTIVE`: all, in the order of the space; up to 2^20
* `SEARCH_RANDOM`: all, in random order
* `SEARCH_LOCAL`: to better neighbours, else on near the best so far
* `SEARCH_ANNEALING`: to worse neighbours too, ever more rarely, again and again
* `SEARCH_GENETIC`: children of the better half of a population
"""
struct SearchStrategy <: CEnum
    value::Int32
    SearchStrategy(value::Integer) = new(value)
end
const SEARCH_AUTO = SearchStrategy(0)
const SEARCH_EXHAUSTIVE = SearchStrategy(1)
const SEARCH_RANDOM = SearchStrategy(2)
const SEARCH_LOCAL = SearchStrategy(3)
const SEARCH_ANNEALING = SearchStrategy(4)
const SEARCH_GENETIC = SearchStrategy(5)
enum_values(::Type{SearchStrategy}) = (
    (:SEARCH_AUTO, :auto, Int32(0)),
    (:SEARCH_EXHAUSTIVE, :exhaustive, Int32(1)),
    (:SEARCH_RANDOM, :random, Int32(2)),
    (:SEARCH_LOCAL, :local, Int32(3)),
    (:SEARCH_ANNEALING, :annealing, Int32(4)),
    (:SEARCH_GENETIC, :genetic, Int32(5)),
)

"""
    SearchEventKind

Constants of `netcl_search_event_kind`.

* `SEARCH_EVENT_STARTED`
* `SEARCH_EVENT_CANDIDATE`: the first rounds of a candidate are over
* `SEARCH_EVENT_BEST`: it is the best so far
* `SEARCH_EVENT_FINAL`: those that may be the best begin to take turns
* `SEARCH_EVENT_STOPPED`: the last event of a search
"""
struct SearchEventKind <: CEnum
    value::Int32
    SearchEventKind(value::Integer) = new(value)
end
const SEARCH_EVENT_STARTED = SearchEventKind(1)
const SEARCH_EVENT_CANDIDATE = SearchEventKind(2)
const SEARCH_EVENT_BEST = SearchEventKind(3)
const SEARCH_EVENT_FINAL = SearchEventKind(4)
const SEARCH_EVENT_STOPPED = SearchEventKind(5)
enum_values(::Type{SearchEventKind}) = (
    (:SEARCH_EVENT_STARTED, :started, Int32(1)),
    (:SEARCH_EVENT_CANDIDATE, :candidate, Int32(2)),
    (:SEARCH_EVENT_BEST, :best, Int32(3)),
    (:SEARCH_EVENT_FINAL, :final, Int32(4)),
    (:SEARCH_EVENT_STOPPED, :stopped, Int32(5)),
)
