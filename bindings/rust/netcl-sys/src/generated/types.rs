// Written by bindings/generator from include/netcl.h; changes here are lost.

use std::marker::{PhantomData, PhantomPinned};
use std::os::raw::{c_char, c_void};

pub const NETCL_VERSION_MAJOR: u32 = 0;
pub const NETCL_VERSION_MINOR: u32 = 1;
pub const NETCL_VERSION_PATCH: u32 = 0;
/// major \* 1000000 + minor \* 1000 + patch.
pub const NETCL_VERSION_NUMBER: u32 = 1000;
/// Largest rank of a tensor.
pub const NETCL_RANK_MAX: u32 = 8;
/// Largest number of dimensions of a launch.
pub const NETCL_LAUNCH_RANK_MAX: u32 = 3;
/// Largest number of arguments of a kernel and of inputs of an expression.
pub const NETCL_ARGS_MAX: u32 = 64;
/// Largest number of entries of an array that has no smaller limit.
pub const NETCL_LIST_MAX: u32 = 65536;
/// Largest number of results of expressions that are evaluated together.
pub const NETCL_RESULTS_MAX: u32 = 16;
/// A timeout that never runs out.
pub const NETCL_WAIT_FOREVER: u64 = 18446744073709551615;
/// Largest number of inputs of a primitive.
pub const NETCL_PRIMITIVE_INPUTS_MAX: u32 = 62;
/// Largest number of ranks of a group.
pub const NETCL_GROUP_SIZE_MAX: u32 = 64;
/// Every process of an MPI program, as a communicator of `netcl_group_create_mpi`.
pub const NETCL_MPI_WORLD: i64 = 4294967296;
/// Largest number of dimensions of a mesh.
pub const NETCL_MESH_RANK_MAX: u32 = 3;
/// In place of an axis: the ranks along a dimension of the mesh have the same block.
pub const NETCL_REPLICATED: i32 = -1;
/// Largest number of extents in a `netcl_tuning_key`.
pub const NETCL_TUNING_SHAPE_MAX: u32 = 24;
/// Largest number of integer arguments in a `netcl_tuning_key`.
pub const NETCL_TUNING_SCALARS_MAX: u32 = 16;

/// A compute device with its context and its default queue. Shareable.
#[repr(C)]
pub struct netcl_device {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An in-order or out-of-order command queue of a device. Shareable.
#[repr(C)]
pub struct netcl_queue {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// The completion of one command. Shareable.
#[repr(C)]
pub struct netcl_event {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A cache of device memory or of page-locked host memory. Shareable.
#[repr(C)]
pub struct netcl_pool {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A piece of memory: a lease from a pool, or memory made on its own. Shareable.
#[repr(C)]
pub struct netcl_buffer {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An N-d array: a shape, strides and a dtype over a piece of memory. Shareable.
#[repr(C)]
pub struct netcl_tensor {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A kernel specification and what it was built to. Shareable.
#[repr(C)]
pub struct netcl_kernel {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A parsed elementwise expression, bound to no device. Shareable.
#[repr(C)]
pub struct netcl_expression {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A loop that times work of the caller. Movable.
#[repr(C)]
pub struct netcl_measurement {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A stopwatch of what is enqueued on a queue. Movable.
#[repr(C)]
pub struct netcl_timer {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A named stretch of work on a queue, for profiles. Movable.
#[repr(C)]
pub struct netcl_region {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An analyzer of how near kernels are to the roofline, with its history. Movable.
#[repr(C)]
pub struct netcl_roofline {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Limits of a device: rates of memory, caches, arithmetic and transfers. Shareable.
#[repr(C)]
pub struct netcl_ceilings {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Tuning parameters, their values and constraints. Movable while it is built, then shareable.
#[repr(C)]
pub struct netcl_space {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Values of tuning parameters. Shareable.
#[repr(C)]
pub struct netcl_config {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// What tuning found, in memory and in a file. Shareable.
#[repr(C)]
pub struct netcl_tuning_database {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A search over a space for its fastest configuration, by asking and telling. Shareable.
#[repr(C)]
pub struct netcl_search {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Kernels and ops that are tuned together. Shareable.
#[repr(C)]
pub struct netcl_tuner {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A comparison of candidate kernels, in a process of their own, with a baseline. Movable.
#[repr(C)]
pub struct netcl_benchmark {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Calls of ops that were recorded, in their order. Shareable.
#[repr(C)]
pub struct netcl_graph {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// One rank of several that work together, each with a device of its own. Shareable.
#[repr(C)]
pub struct netcl_group {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// What joins the gradients of all ranks of a group while a graph works them out. Shareable.
#[repr(C)]
pub struct netcl_reducer {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// One rank's block of a tensor that lies on all ranks of a group. Shareable.
#[repr(C)]
pub struct netcl_sharded {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A network that was read from a file, ready to run. Shareable.
#[repr(C)]
pub struct netcl_model {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// Named tensors in a file, of which each can be had on a device. Shareable.
#[repr(C)]
pub struct netcl_weights {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An object of another library, known by its tag only.
#[repr(C)]
pub struct _cl_context {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An object of another library, known by its tag only.
#[repr(C)]
pub struct _cl_device_id {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An object of another library, known by its tag only.
#[repr(C)]
pub struct _cl_command_queue {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An object of another library, known by its tag only.
#[repr(C)]
pub struct _cl_mem {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An object of another library, known by its tag only.
#[repr(C)]
pub struct _cl_event {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// An object of another library, known by its tag only.
#[repr(C)]
pub struct DLManagedTensor {
    _private: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// The types of handles, for `netcl_library_get_live_count`.
pub type netcl_handle_type = i32;
pub const NETCL_HANDLE_DEVICE: netcl_handle_type = 1;
pub const NETCL_HANDLE_QUEUE: netcl_handle_type = 2;
pub const NETCL_HANDLE_EVENT: netcl_handle_type = 3;
pub const NETCL_HANDLE_POOL: netcl_handle_type = 4;
pub const NETCL_HANDLE_BUFFER: netcl_handle_type = 5;
pub const NETCL_HANDLE_TENSOR: netcl_handle_type = 6;
pub const NETCL_HANDLE_KERNEL: netcl_handle_type = 7;
pub const NETCL_HANDLE_EXPRESSION: netcl_handle_type = 8;
pub const NETCL_HANDLE_MEASUREMENT: netcl_handle_type = 9;
pub const NETCL_HANDLE_TIMER: netcl_handle_type = 10;
pub const NETCL_HANDLE_REGION: netcl_handle_type = 11;
pub const NETCL_HANDLE_ROOFLINE: netcl_handle_type = 12;
pub const NETCL_HANDLE_SPACE: netcl_handle_type = 13;
pub const NETCL_HANDLE_CONFIG: netcl_handle_type = 14;
pub const NETCL_HANDLE_TUNING_DATABASE: netcl_handle_type = 15;
pub const NETCL_HANDLE_SEARCH: netcl_handle_type = 16;
pub const NETCL_HANDLE_CEILINGS: netcl_handle_type = 17;
pub const NETCL_HANDLE_BENCHMARK: netcl_handle_type = 18;
pub const NETCL_HANDLE_TUNER: netcl_handle_type = 19;
pub const NETCL_HANDLE_GRAPH: netcl_handle_type = 20;
pub const NETCL_HANDLE_GROUP: netcl_handle_type = 21;
pub const NETCL_HANDLE_MODEL: netcl_handle_type = 22;
pub const NETCL_HANDLE_SHARDED: netcl_handle_type = 23;
pub const NETCL_HANDLE_WEIGHTS: netcl_handle_type = 24;
pub const NETCL_HANDLE_REDUCER: netcl_handle_type = 25;

/// The outcome of a call. Values are never renumbered.
pub type netcl_status = i32;
pub const NETCL_OK: netcl_status = 0;
/// an argument is wrong; the message names it
pub const NETCL_ERROR_INVALID_ARGUMENT: netcl_status = -1;
/// NULL, released, of another type, foreign
pub const NETCL_ERROR_INVALID_HANDLE: netcl_status = -2;
/// no such device; the message says why
pub const NETCL_ERROR_NO_DEVICE: netcl_status = -3;
pub const NETCL_ERROR_OUT_OF_HOST_MEMORY: netcl_status = -4;
pub const NETCL_ERROR_OUT_OF_DEVICE_MEMORY: netcl_status = -5;
/// see `netcl_kernel_get_build_log`
pub const NETCL_ERROR_BUILD_FAILURE: netcl_status = -6;
/// the driver refused or failed a command
pub const NETCL_ERROR_LAUNCH_FAILURE: netcl_status = -7;
/// the device is gone; open it again
pub const NETCL_ERROR_DEVICE_LOST: netcl_status = -8;
/// the object was made before fork()
pub const NETCL_ERROR_FORKED: netcl_status = -9;
/// this device or release cannot do it
pub const NETCL_ERROR_UNSUPPORTED: netcl_status = -10;
/// no times were recorded for the command
pub const NETCL_ERROR_NOT_PROFILED: netcl_status = -11;
pub const NETCL_ERROR_NOT_FOUND: netcl_status = -12;
/// a limit of things in flight is reached
pub const NETCL_ERROR_BUSY: netcl_status = -13;
pub const NETCL_ERROR_TIMEOUT: netcl_status = -14;
/// interrupted, see `netcl_interrupt_enable`
pub const NETCL_ERROR_CANCELLED: netcl_status = -15;
/// a file could not be read or written
pub const NETCL_ERROR_IO: netcl_status = -16;
/// a file or blob is not what it should be
pub const NETCL_ERROR_CORRUPT_DATA: netcl_status = -17;
/// a fault of the library itself
pub const NETCL_ERROR_INTERNAL: netcl_status = -18;
/// another rank of a group died or left
pub const NETCL_ERROR_RANK_LOST: netcl_status = -19;

pub type netcl_log_level = i32;
pub const NETCL_LOG_OFF: netcl_log_level = 0;
pub const NETCL_LOG_ERROR: netcl_log_level = 1;
pub const NETCL_LOG_WARNING: netcl_log_level = 2;
pub const NETCL_LOG_INFO: netcl_log_level = 3;
pub const NETCL_LOG_DEBUG: netcl_log_level = 4;

/// Element types. f16 is IEEE binary16; bf16 is stored, and computed in f32. bool is 0 or 1.
pub type netcl_dtype = i32;
pub const NETCL_F16: netcl_dtype = 1;
pub const NETCL_BF16: netcl_dtype = 2;
pub const NETCL_F32: netcl_dtype = 3;
pub const NETCL_F64: netcl_dtype = 4;
pub const NETCL_I8: netcl_dtype = 5;
pub const NETCL_I16: netcl_dtype = 6;
pub const NETCL_I32: netcl_dtype = 7;
pub const NETCL_I64: netcl_dtype = 8;
pub const NETCL_U8: netcl_dtype = 9;
pub const NETCL_U16: netcl_dtype = 10;
pub const NETCL_U32: netcl_dtype = 11;
pub const NETCL_U64: netcl_dtype = 12;
/// one byte; zero is false, everything else true
pub const NETCL_BOOL: netcl_dtype = 13;

pub type netcl_device_type = i32;
pub const NETCL_DEVICE_OTHER: netcl_device_type = 0;
pub const NETCL_DEVICE_CPU: netcl_device_type = 1;
pub const NETCL_DEVICE_GPU: netcl_device_type = 2;
pub const NETCL_DEVICE_ACCELERATOR: netcl_device_type = 3;

pub type netcl_backend = i32;
pub const NETCL_BACKEND_OPENCL: netcl_backend = 1;
/// the built-in CPU device
pub const NETCL_BACKEND_BUILTIN: netcl_backend = 2;

/// Which family of kernels a device gets.
pub type netcl_strategy = i32;
pub const NETCL_STRATEGY_PORTABLE: netcl_strategy = 1;
pub const NETCL_STRATEGY_OPTIMIZED: netcl_strategy = 2;

/// Units of a device that multiply small matrices, and that netcl has kernels for. It finds them by
/// building and running one. docs/matrix-units.md goes through such a kernel.
pub type netcl_matrix_units = i32;
pub const NETCL_MATRIX_UNITS_NONE: netcl_matrix_units = 0;
/// NVIDIA's Hopper generation, through PTX for sm_90a
pub const NETCL_MATRIX_UNITS_WGMMA: netcl_matrix_units = 1;

/// How `netcl_op_copy` brings a tensor of one device to another one.
pub type netcl_copy_road = i32;
/// one device: a command of it
pub const NETCL_COPY_ROAD_DEVICE: netcl_copy_road = 1;
/// both work on memory of the host: one command reaches both tensors, whatever their strides
pub const NETCL_COPY_ROAD_MEMORY: netcl_copy_road = 2;
/// the transfers of one device go to or come from the memory of the other, which is the built-in
/// one
pub const NETCL_COPY_ROAD_TRANSFER: netcl_copy_road = 3;
/// in pieces through page-locked memory of the host; one device writes pieces while the other one
/// reads the next
pub const NETCL_COPY_ROAD_STAGED: netcl_copy_road = 4;
/// from one GPU of CUDA to another by the link between them: memory made with share = 1 at once,
/// other memory by way of pieces of such; short tensors as STAGED
pub const NETCL_COPY_ROAD_PEER: netcl_copy_road = 5;

pub type netcl_event_state = i32;
pub const NETCL_EVENT_QUEUED: netcl_event_state = 3;
pub const NETCL_EVENT_SUBMITTED: netcl_event_state = 2;
pub const NETCL_EVENT_RUNNING: netcl_event_state = 1;
pub const NETCL_EVENT_COMPLETE: netcl_event_state = 0;
/// see `netcl_event_get_error`
pub const NETCL_EVENT_FAILED: netcl_event_state = -1;

pub type netcl_pool_kind = i32;
/// bounded: buckets of 1 KiB times powers of 4 up to 256 MiB
pub const NETCL_POOL_PERSISTENT: netcl_pool_kind = 1;
/// a bucket per power of two; unbounded unless capped
pub const NETCL_POOL_POWER_OF_TWO: netcl_pool_kind = 2;
/// page-locked host memory, mapped for the host
pub const NETCL_POOL_PINNED: netcl_pool_kind = 3;

/// Tensors and pools that are made with share = 1 have memory on which other processes, and other
/// runtimes of this one, work without a copy: a memory file (memfd) on CPU devices, memory of
/// CUDA's driver on NVIDIA's GPUs, which needs libcuda.so.1. Elsewhere share = 1 is UNSUPPORTED.
///
/// Order. Nothing orders what two processes, devices or runtimes do: wait for what one does on the
/// memory (`netcl_tensor_wait`) before another begins. Commands that one device runs on one memory
/// file are ordered as ever. Lifetime. The memory stays until everybody is done with it: its
/// buffers and tensors, descriptors and imports in any process. They may go in any order, and a
/// process may be killed at any time. A pool leases nothing again that was exported, or whose
/// address CUDA was told. Trust. Whoever has a descriptor can read and write all that it stands
/// for, total_bytes.
pub type netcl_share_kind = i32;
/// a memory file, which mmap with MAP_SHARED opens
pub const NETCL_SHARE_FILE: netcl_share_kind = 1;
/// for cuMemImportFromShareableHandle, as a POSIX file descriptor; at most 510 MiB in one piece,
/// else UNSUPPORTED
pub const NETCL_SHARE_CUDA: netcl_share_kind = 2;

/// A choice that has a default from the environment.
pub type netcl_toggle = i32;
pub const NETCL_DEFAULT: netcl_toggle = 0;
pub const NETCL_ON: netcl_toggle = 1;
pub const NETCL_OFF: netcl_toggle = 2;

pub type netcl_distribution = i32;
/// \[low, high): floats, and integers; bool: each value half the time
pub const NETCL_UNIFORM: netcl_distribution = 1;
/// mean and deviation; floats only
pub const NETCL_NORMAL: netcl_distribution = 2;

/// What a kernel may do when it has no tuned local size.
pub type netcl_tune_mode = i32;
/// as `NETCL_TUNE` says
pub const NETCL_TUNE_INHERIT: netcl_tune_mode = 0;
/// neither measure nor use stored results
pub const NETCL_TUNE_OFF: netcl_tune_mode = 1;
/// `NETCL_TUNE`=first or force: tune at the first launch of a size
pub const NETCL_TUNE_FIRST_CALL: netcl_tune_mode = 2;

pub type netcl_arg_kind = i32;
/// tensor; written unless the parameter is const
pub const NETCL_ARG_TENSOR: netcl_arg_kind = 1;
/// tensor that the kernel only reads
pub const NETCL_ARG_TENSOR_READ_ONLY: netcl_arg_kind = 2;
/// size bytes of value
pub const NETCL_ARG_SCALAR: netcl_arg_kind = 3;
/// size bytes at data, for structs over 32 bytes
pub const NETCL_ARG_DATA: netcl_arg_kind = 4;
/// size bytes of local memory
pub const NETCL_ARG_LOCAL: netcl_arg_kind = 5;
/// a NULL buffer
pub const NETCL_ARG_NULL: netcl_arg_kind = 6;

/// How well an answer of the tuning database fits the question.
pub type netcl_match = i32;
/// there is none: the default applies
pub const NETCL_MATCH_NONE: netcl_match = 0;
pub const NETCL_MATCH_EXACT: netcl_match = 1;
/// found on the same part with another driver
pub const NETCL_MATCH_OTHER_DRIVER: netcl_match = 2;
/// of a shape and scalars that are within a factor of 4
pub const NETCL_MATCH_NEAREST_SHAPE: netcl_match = 3;
/// of another device: it is no answer
pub const NETCL_MATCH_OTHER_PART: netcl_match = 4;

/// Where the local size of a launch comes from.
pub type netcl_local_origin = i32;
/// the call gives it
pub const NETCL_LOCAL_CALLER: netcl_local_origin = 1;
/// a stored result of tuning
pub const NETCL_LOCAL_TUNED: netcl_local_origin = 2;
/// the source demands it: reqd_work_group_size
pub const NETCL_LOCAL_REQUIRED: netcl_local_origin = 3;
/// `netcl_kernel_options`
pub const NETCL_LOCAL_SPECIFICATION: netcl_local_origin = 4;
/// netcl's own choice
pub const NETCL_LOCAL_CHOSEN: netcl_local_origin = 5;

/// Families of kernels that compute the same op. Every op that has variants chooses one by the
/// rules of docs/variants.md, takes one by request (options-\>variant), or by `NETCL_VARIANT`, such
/// as "matmul=tiled,conv2d=winograd". A variant that was asked for and cannot do the case is
/// UNSUPPORTED with the reason, never replaced by another.
pub type netcl_variant = i32;
pub const NETCL_VARIANT_AUTO: netcl_variant = 0;
pub const NETCL_VARIANT_MATMUL_NAIVE: netcl_variant = 1;
pub const NETCL_VARIANT_MATMUL_TILED: netcl_variant = 2;
pub const NETCL_VARIANT_MATMUL_REGISTER_TILED: netcl_variant = 3;
pub const NETCL_VARIANT_MATMUL_VECTORIZED: netcl_variant = 4;
/// see `netcl_matrix_units`
pub const NETCL_VARIANT_MATMUL_MATRIX_UNITS: netcl_variant = 5;
pub const NETCL_VARIANT_CONV2D_NAIVE: netcl_variant = 17;
pub const NETCL_VARIANT_CONV2D_IM2COL: netcl_variant = 18;
pub const NETCL_VARIANT_CONV2D_IMPLICIT_GEMM: netcl_variant = 19;
pub const NETCL_VARIANT_CONV2D_TILED_LOCAL: netcl_variant = 20;
pub const NETCL_VARIANT_CONV2D_WINOGRAD: netcl_variant = 21;
/// f16 and bf16, one group, strides up to 8; see `netcl_matrix_units`
pub const NETCL_VARIANT_CONV2D_MATRIX_UNITS: netcl_variant = 22;
pub const NETCL_VARIANT_ELEMENTWISE_SCALAR: netcl_variant = 33;
pub const NETCL_VARIANT_ELEMENTWISE_VECTORIZED: netcl_variant = 34;
pub const NETCL_VARIANT_REDUCTION_SEQUENTIAL: netcl_variant = 49;
pub const NETCL_VARIANT_REDUCTION_PARALLEL: netcl_variant = 50;
pub const NETCL_VARIANT_REDUCTION_WORKGROUP: netcl_variant = 51;
pub const NETCL_VARIANT_BATCHNORM_NAIVE: netcl_variant = 65;
pub const NETCL_VARIANT_BATCHNORM_FUSED: netcl_variant = 66;
pub const NETCL_VARIANT_ATTENTION_PORTABLE: netcl_variant = 81;
/// see `netcl_matrix_units`
pub const NETCL_VARIANT_ATTENTION_MATRIX_UNITS: netcl_variant = 82;

/// Elementwise operators of ONNX, and a few of other libraries from 65 on. Unless noted they take
/// as many inputs as their formula has: x, or x and y. a and b stand for options-\>alpha and
/// options-\>beta, defaults in brackets.
pub type netcl_elementwise = i32;
/// \|x\|
pub const NETCL_ELEMENTWISE_ABS: netcl_elementwise = 1;
/// arc cosine
pub const NETCL_ELEMENTWISE_ACOS: netcl_elementwise = 2;
/// inverse of cosh
pub const NETCL_ELEMENTWISE_ACOSH: netcl_elementwise = 3;
/// x + y
pub const NETCL_ELEMENTWISE_ADD: netcl_elementwise = 4;
/// x and y are true, bool
pub const NETCL_ELEMENTWISE_AND: netcl_elementwise = 5;
/// arc sine
pub const NETCL_ELEMENTWISE_ASIN: netcl_elementwise = 6;
/// inverse of sinh
pub const NETCL_ELEMENTWISE_ASINH: netcl_elementwise = 7;
/// arc tangent
pub const NETCL_ELEMENTWISE_ATAN: netcl_elementwise = 8;
/// inverse of tanh
pub const NETCL_ELEMENTWISE_ATANH: netcl_elementwise = 9;
/// x \<\< y, of integers
pub const NETCL_ELEMENTWISE_BIT_SHIFT_LEFT: netcl_elementwise = 10;
/// x \>\> y, of integers
pub const NETCL_ELEMENTWISE_BIT_SHIFT_RIGHT: netcl_elementwise = 11;
/// the next whole number from x upwards
pub const NETCL_ELEMENTWISE_CEIL: netcl_elementwise = 12;
/// max(0, x) + min(0, a (exp(x / a) - 1)) \[1\]
pub const NETCL_ELEMENTWISE_CELU: netcl_elementwise = 13;
/// of x, low, high as tensors; or of x with a and b
pub const NETCL_ELEMENTWISE_CLIP: netcl_elementwise = 14;
/// cosine of radians
pub const NETCL_ELEMENTWISE_COS: netcl_elementwise = 15;
/// (exp(x) + exp(-x)) / 2
pub const NETCL_ELEMENTWISE_COSH: netcl_elementwise = 16;
/// x / y
pub const NETCL_ELEMENTWISE_DIV: netcl_elementwise = 17;
/// x \< 0 ? a (exp(x) - 1) : x \[1\]
pub const NETCL_ELEMENTWISE_ELU: netcl_elementwise = 18;
/// x == y, bool
pub const NETCL_ELEMENTWISE_EQUAL: netcl_elementwise = 19;
/// 2 / sqrt(pi) integral of exp(-t^2), 0 to x
pub const NETCL_ELEMENTWISE_ERF: netcl_elementwise = 20;
/// e^x
pub const NETCL_ELEMENTWISE_EXP: netcl_elementwise = 21;
/// the next whole number from x downwards
pub const NETCL_ELEMENTWISE_FLOOR: netcl_elementwise = 22;
/// x \> y, bool
pub const NETCL_ELEMENTWISE_GREATER: netcl_elementwise = 23;
/// x \>= y, bool
pub const NETCL_ELEMENTWISE_GREATER_OR_EQUAL: netcl_elementwise = 24;
/// clip(a x + b, 0, 1) \[0.2, 0.5\]
pub const NETCL_ELEMENTWISE_HARD_SIGMOID: netcl_elementwise = 25;
/// x clip(x / 6 + 0.5, 0, 1)
pub const NETCL_ELEMENTWISE_HARD_SWISH: netcl_elementwise = 26;
/// x
pub const NETCL_ELEMENTWISE_IDENTITY: netcl_elementwise = 27;
/// x is infinite; a, b: -inf, +inf count \[1, 1\]
pub const NETCL_ELEMENTWISE_IS_INF: netcl_elementwise = 28;
/// x is NaN, bool
pub const NETCL_ELEMENTWISE_IS_NAN: netcl_elementwise = 29;
/// x \< 0 ? a x : x \[0.01\]
pub const NETCL_ELEMENTWISE_LEAKY_RELU: netcl_elementwise = 30;
/// x \< y, bool
pub const NETCL_ELEMENTWISE_LESS: netcl_elementwise = 31;
/// x \<= y, bool
pub const NETCL_ELEMENTWISE_LESS_OR_EQUAL: netcl_elementwise = 32;
/// natural logarithm
pub const NETCL_ELEMENTWISE_LOG: netcl_elementwise = 33;
/// the largest of 1 or more inputs
pub const NETCL_ELEMENTWISE_MAX: netcl_elementwise = 34;
/// the mean of 1 or more inputs
pub const NETCL_ELEMENTWISE_MEAN: netcl_elementwise = 35;
/// the smallest of 1 or more inputs
pub const NETCL_ELEMENTWISE_MIN: netcl_elementwise = 36;
/// x modulo y; a = 1: fmod; 0: sign of the divisor \[0\]
pub const NETCL_ELEMENTWISE_MOD: netcl_elementwise = 37;
/// x y
pub const NETCL_ELEMENTWISE_MUL: netcl_elementwise = 38;
/// -x
pub const NETCL_ELEMENTWISE_NEG: netcl_elementwise = 39;
/// x is not true, bool
pub const NETCL_ELEMENTWISE_NOT: netcl_elementwise = 40;
/// x or y is true, or both, bool
pub const NETCL_ELEMENTWISE_OR: netcl_elementwise = 41;
/// x^y, of the dtype of the first input
pub const NETCL_ELEMENTWISE_POW: netcl_elementwise = 42;
/// x \< 0 ? slope x : x
pub const NETCL_ELEMENTWISE_PRELU: netcl_elementwise = 43;
/// 1 / x
pub const NETCL_ELEMENTWISE_RECIPROCAL: netcl_elementwise = 44;
/// max(0, x)
pub const NETCL_ELEMENTWISE_RELU: netcl_elementwise = 45;
/// the nearest whole number, halves to even
pub const NETCL_ELEMENTWISE_ROUND: netcl_elementwise = 46;
/// b (x \> 0 ? x : a exp(x) - a) \[1.67326, 1.0507\]
pub const NETCL_ELEMENTWISE_SELU: netcl_elementwise = 47;
/// x \< -a ? x + b : x \> a ? x - b : 0 \[0.5, 0\]
pub const NETCL_ELEMENTWISE_SHRINK: netcl_elementwise = 48;
/// 1 / (1 + exp(-x))
pub const NETCL_ELEMENTWISE_SIGMOID: netcl_elementwise = 49;
/// -1, 0 or 1
pub const NETCL_ELEMENTWISE_SIGN: netcl_elementwise = 50;
/// sine of radians
pub const NETCL_ELEMENTWISE_SIN: netcl_elementwise = 51;
/// (exp(x) - exp(-x)) / 2
pub const NETCL_ELEMENTWISE_SINH: netcl_elementwise = 52;
/// log(1 + exp(x))
pub const NETCL_ELEMENTWISE_SOFTPLUS: netcl_elementwise = 53;
/// x / (1 + abs(x))
pub const NETCL_ELEMENTWISE_SOFTSIGN: netcl_elementwise = 54;
/// square root
pub const NETCL_ELEMENTWISE_SQRT: netcl_elementwise = 55;
/// x - y
pub const NETCL_ELEMENTWISE_SUB: netcl_elementwise = 56;
/// the sum of 1 or more inputs
pub const NETCL_ELEMENTWISE_SUM: netcl_elementwise = 57;
/// sin(x) / cos(x)
pub const NETCL_ELEMENTWISE_TAN: netcl_elementwise = 58;
/// sinh(x) / cosh(x)
pub const NETCL_ELEMENTWISE_TANH: netcl_elementwise = 59;
/// x \> a ? x : 0 \[1\]
pub const NETCL_ELEMENTWISE_THRESHOLDED_RELU: netcl_elementwise = 60;
/// condition ? x : y
pub const NETCL_ELEMENTWISE_WHERE: netcl_elementwise = 61;
/// one of x and y is true, not both, bool
pub const NETCL_ELEMENTWISE_XOR: netcl_elementwise = 62;
/// 0.5 x (1 + erf(x / sqrt(2)))
pub const NETCL_ELEMENTWISE_GELU: netcl_elementwise = 65;
/// 0.5 x (1 + tanh(0.797885 (x + 0.044715 x^3)))
pub const NETCL_ELEMENTWISE_GELU_TANH: netcl_elementwise = 66;
/// x sigmoid(x), also called swish
pub const NETCL_ELEMENTWISE_SILU: netcl_elementwise = 67;
/// x tanh(softplus(x))
pub const NETCL_ELEMENTWISE_MISH: netcl_elementwise = 68;
/// x^2
pub const NETCL_ELEMENTWISE_SQUARE: netcl_elementwise = 69;
/// 1 / sqrt(x)
pub const NETCL_ELEMENTWISE_RSQRT: netcl_elementwise = 70;

/// Functions that an epilogue or a batch normalisation can end with. Where alpha and beta are both
/// 0 and has_parameters is 0, they are ONNX's defaults, in brackets; CLIP has none and is
/// INVALID_ARGUMENT then.
pub type netcl_activation = i32;
pub const NETCL_ACTIVATION_NONE: netcl_activation = 0;
pub const NETCL_ACTIVATION_RELU: netcl_activation = 1;
/// x \< 0 ? alpha x : x \[0.01\]
pub const NETCL_ACTIVATION_LEAKY_RELU: netcl_activation = 2;
/// x \< 0 ? alpha (exp(x) - 1) : x \[1\]
pub const NETCL_ACTIVATION_ELU: netcl_activation = 3;
pub const NETCL_ACTIVATION_SIGMOID: netcl_activation = 4;
pub const NETCL_ACTIVATION_TANH: netcl_activation = 5;
pub const NETCL_ACTIVATION_SILU: netcl_activation = 6;
/// with erf
pub const NETCL_ACTIVATION_GELU: netcl_activation = 7;
pub const NETCL_ACTIVATION_GELU_TANH: netcl_activation = 8;
pub const NETCL_ACTIVATION_SOFTPLUS: netcl_activation = 9;
/// clip(alpha x + beta, 0, 1) \[0.2, 0.5\]
pub const NETCL_ACTIVATION_HARD_SIGMOID: netcl_activation = 10;
pub const NETCL_ACTIVATION_HARD_SWISH: netcl_activation = 11;
/// alpha \<= x \<= beta
pub const NETCL_ACTIVATION_CLIP: netcl_activation = 12;

/// How exactly f32 is multiplied. TF32 and SPLIT are permissions: they hold where a device has
/// matrix units (see `netcl_matrix_units`) and the product is large enough to gain by them, and
/// elsewhere the product is STRICT, which is within their bounds.
pub type netcl_precision = i32;
/// in f32
pub const NETCL_PRECISION_STRICT: netcl_precision = 0;
/// a and b may be rounded to the 11 digits of tf32, its exponents being those of f32: 1.001 \*
/// 2^-10 sum\|a\|\|b\| is added to the bound, and numbers above 0x1.ffep127 may become infinite
pub const NETCL_PRECISION_TF32: netcl_precision = 1;
/// a and b may be taken apart into two tf32 numbers each, of whose four products three are added:
/// 2^-21 sum\|a\|\|b\| is added to the bound. Parts below 2^-126 may be lost: the product of one
/// with an infinity is NaN then
pub const NETCL_PRECISION_SPLIT: netcl_precision = 2;

/// How weights W of \[N, K\] are kept, in blocks along K of which each has a scale. A row of W is
/// one row of bytes: its blocks, one after the other. Codes are unsigned but for Q8_0; multi-byte
/// numbers are little-endian, d and m are f16.
pub type netcl_quantization = i32;
/// MatMulNBits of ONNX Runtime (com.microsoft; docs/ContribOperators.md there): codes of `bits`,
/// the first in the lowest bits of a byte, W = (code - zero point) \* scale; with a scale beyond
/// 2^119, W may be NaN. Blocks of block_size bits / 8 bytes; the last of a row may go beyond K,
/// where what it holds has no influence.
pub const NETCL_QUANTIZATION_NBITS: netcl_quantization = 1;
/// Q4_0 of GGUF: 32 weights in 18 bytes: d, then 16 bytes. Byte i has the codes of weight i in its
/// lower half and of 16 + i in its upper one; W = (code - 8) \* d; NaN may stand for an infinite
/// one.
pub const NETCL_QUANTIZATION_Q4_0: netcl_quantization = 2;
/// Q8_0 of GGUF: 32 weights in 34 bytes: d, then 32 signed codes; W = code \* d, as there.
pub const NETCL_QUANTIZATION_Q8_0: netcl_quantization = 3;
/// Q4_K of GGUF: 256 weights in 144 bytes: d, m, 12 bytes s, then 128 bytes, of which byte 32 c + i
/// has the codes of weights 64 c + i and, in its upper half, 64 c + 32 + i. Weights 32 j to 32 j +
/// 31 have W = d \* S\[j\] \* code - m \* M\[j\] with numbers of 6 bits: for j \< 4 S\[j\] is
/// s\[j\] and M\[j\] is s\[j + 4\], each less its two upper bits; else the lower four bits of
/// S\[j\] are the lower half of s\[j + 4\], those of M\[j\] its upper half, and the upper two bits
/// are the upper two of s\[j - 4\] and of s\[j\]. (The blocks of GGUF are those of ggml-common.h of
/// llama.cpp.)
pub const NETCL_QUANTIZATION_Q4_K: netcl_quantization = 4;

pub type netcl_reduction = i32;
/// x0 + x1 + ...
pub const NETCL_REDUCTION_SUM: netcl_reduction = 1;
/// the sum / how many there are
pub const NETCL_REDUCTION_MEAN: netcl_reduction = 2;
/// the largest; NaN wins
pub const NETCL_REDUCTION_MAX: netcl_reduction = 3;
/// the smallest; NaN wins
pub const NETCL_REDUCTION_MIN: netcl_reduction = 4;
/// x0 x1 ...
pub const NETCL_REDUCTION_PROD: netcl_reduction = 5;
/// sum of absolute values
pub const NETCL_REDUCTION_L1: netcl_reduction = 6;
/// square root of the sum of squares
pub const NETCL_REDUCTION_L2: netcl_reduction = 7;
/// the sum of x^2
pub const NETCL_REDUCTION_SUM_SQUARE: netcl_reduction = 8;
/// log of the sum
pub const NETCL_REDUCTION_LOG_SUM: netcl_reduction = 9;
/// log(sum exp(x)), the maximum taken out first
pub const NETCL_REDUCTION_LOG_SUM_EXP: netcl_reduction = 10;
/// index of the first largest, i64; NaN is the largest
pub const NETCL_REDUCTION_ARGMAX: netcl_reduction = 11;
/// index of the first smallest, i64; NaN is the smallest
pub const NETCL_REDUCTION_ARGMIN: netcl_reduction = 12;
/// bool: an element is true
pub const NETCL_REDUCTION_ANY: netcl_reduction = 13;
/// bool: all elements are true
pub const NETCL_REDUCTION_ALL: netcl_reduction = 14;

pub type netcl_pooling = i32;
/// the largest element
pub const NETCL_POOLING_MAX: netcl_pooling = 1;
/// the mean
pub const NETCL_POOLING_AVERAGE: netcl_pooling = 2;
/// (sum \|x\|^p)^(1/p)
pub const NETCL_POOLING_LP: netcl_pooling = 3;

pub type netcl_roi_pooling = i32;
/// the mean of samples (RoiAlign, "avg")
pub const NETCL_ROI_POOLING_AVERAGE: netcl_roi_pooling = 0;
/// the largest product of an element next to a sample and its weight (RoiAlign, "max")
pub const NETCL_ROI_POOLING_MAX_SAMPLE: netcl_roi_pooling = 1;
/// the largest element (MaxRoiPool)
pub const NETCL_ROI_POOLING_MAX: netcl_roi_pooling = 2;

pub type netcl_loss_reduction = i32;
/// sum over sum of the labels' weights; no label that counts: NaN
pub const NETCL_LOSS_MEAN: netcl_loss_reduction = 0;
pub const NETCL_LOSS_SUM: netcl_loss_reduction = 1;
/// a loss for each label
pub const NETCL_LOSS_NONE: netcl_loss_reduction = 2;

pub type netcl_pad_mode = i32;
pub const NETCL_PAD_CONSTANT: netcl_pad_mode = 0;
/// without repeating the edge: c b \| a b c; wider than the axis: there and back again, as numpy
/// does
pub const NETCL_PAD_REFLECT: netcl_pad_mode = 1;
/// a a \| a b c
pub const NETCL_PAD_EDGE: netcl_pad_mode = 2;
/// as if the tensor stood beside itself again and again: b c \| a b c
pub const NETCL_PAD_WRAP: netcl_pad_mode = 3;

pub type netcl_scatter_mode = i32;
/// the last of equal indices, in C order, wins
pub const NETCL_SCATTER_ASSIGN: netcl_scatter_mode = 0;
/// added in C order of the updates; of bool: OR
pub const NETCL_SCATTER_ADD: netcl_scatter_mode = 1;
/// multiplied in C order of the updates; of bool: AND
pub const NETCL_SCATTER_MUL: netcl_scatter_mode = 2;
/// the largest, NaN before all; of bool: OR
pub const NETCL_SCATTER_MAX: netcl_scatter_mode = 3;
/// the smallest, NaN before all; of bool: AND
pub const NETCL_SCATTER_MIN: netcl_scatter_mode = 4;

/// Which channel of x is element i of the blocks of channel c; of C channels, B elements.
pub type netcl_depth_order = i32;
/// i C + c
pub const NETCL_DEPTH_DCR: netcl_depth_order = 0;
/// c B + i, as in PyTorch's pixel_shuffle
pub const NETCL_DEPTH_CRD: netcl_depth_order = 1;

pub type netcl_resize_mode = i32;
/// the element that options-\>rounding says
pub const NETCL_RESIZE_NEAREST: netcl_resize_mode = 0;
/// linear in every axis that changes
pub const NETCL_RESIZE_LINEAR: netcl_resize_mode = 1;
/// cubic in every axis that changes, over four elements
pub const NETCL_RESIZE_CUBIC: netcl_resize_mode = 2;

/// Where element i of the result lies along an axis of x. `in` and `out` are the extents of x and
/// of the result.
pub type netcl_resize_coordinates = i32;
/// (i + 0.5) / scale - 0.5
pub const NETCL_RESIZE_HALF_PIXEL: netcl_resize_coordinates = 0;
/// i (in - 1) / (in scale - 1); 0 where i is 0 or in scale is 1
pub const NETCL_RESIZE_ALIGN_CORNERS: netcl_resize_coordinates = 1;
/// i / scale
pub const NETCL_RESIZE_ASYMMETRIC: netcl_resize_coordinates = 2;
/// in / 2 (1 - out / (in scale)) + HALF_PIXEL
pub const NETCL_RESIZE_HALF_PIXEL_SYMMETRIC: netcl_resize_coordinates = 3;
/// HALF_PIXEL; 0 where out is 1
pub const NETCL_RESIZE_PYTORCH_HALF_PIXEL: netcl_resize_coordinates = 4;
/// (in - 1) (start + i (end - start) / (out - 1)), of options-\>roi; (in - 1) (start + end) / 2
/// where out is 1
pub const NETCL_RESIZE_TF_CROP_AND_RESIZE: netcl_resize_coordinates = 5;

pub type netcl_resize_rounding = i32;
/// to the nearest, halves down
pub const NETCL_RESIZE_ROUND_PREFER_FLOOR: netcl_resize_rounding = 0;
/// to the nearest, halves up
pub const NETCL_RESIZE_ROUND_PREFER_CEIL: netcl_resize_rounding = 1;
pub const NETCL_RESIZE_FLOOR: netcl_resize_rounding = 2;
pub const NETCL_RESIZE_CEIL: netcl_resize_rounding = 3;

/// How `netcl_graph_explain` writes.
pub type netcl_graph_format = i32;
/// a line per call with its number, or per step, for reading
pub const NETCL_GRAPH_FORMAT_TEXT: netcl_graph_format = 0;
pub const NETCL_GRAPH_FORMAT_JSON: netcl_graph_format = 1;
/// for Graphviz
pub const NETCL_GRAPH_FORMAT_DOT: netcl_graph_format = 2;

/// What a file of weights is.
pub type netcl_weights_format = i32;
pub const NETCL_WEIGHTS_SAFETENSORS: netcl_weights_format = 1;
pub const NETCL_WEIGHTS_GGUF: netcl_weights_format = 2;
pub const NETCL_WEIGHTS_NPZ: netcl_weights_format = 3;

/// How the bytes of a group go from rank to rank.
pub type netcl_group_transport = i32;
/// PEER_MEMORY where every rank has a GPU of CUDA that reaches the others; else NCCL where each has
/// one of its own and libnccl.so.2 (`NETCL_NCCL_LIBRARY` names another file); else memory of the
/// host where all share one, else MPI. The log tells why where one of the first two is there and
/// does not begin
pub const NETCL_GROUP_TRANSPORT_AUTO: netcl_group_transport = 0;
/// of the host
pub const NETCL_GROUP_TRANSPORT_SHARED_MEMORY: netcl_group_transport = 1;
/// `netcl_group_create_mpi` alone
pub const NETCL_GROUP_TRANSPORT_MPI: netcl_group_transport = 2;
/// of messages from 1 MiB of any rank on; the ranks meet, and shorter ones go, through the host.
/// Without it: UNSUPPORTED naming a rank and what it lacks, on all ranks
pub const NETCL_GROUP_TRANSPORT_NCCL: netcl_group_transport = 3;
/// of messages from 64 KiB of any rank on: the devices of one host read each other's memory. GPUs
/// of CUDA do where the driver lets them, and CPU devices of OpenCL. For all ranks, and for each
/// two that send to each other, a rank has a room of 2 to 128 MiB, which grows with the messages,
/// and a descriptor for the room of each. Where a rank has no memory for its first room a call, or
/// the group or part that is made, is OUT_OF_DEVICE_MEMORY on all, naming it; later ones go in
/// smaller pieces. Otherwise UNSUPPORTED as NCCL
pub const NETCL_GROUP_TRANSPORT_PEER_MEMORY: netcl_group_transport = 4;

/// Why a measurement or a tuning run ended.
pub type netcl_stop_reason = i32;
/// it has not
pub const NETCL_STOP_RUNNING: netcl_stop_reason = 0;
/// as many samples or candidates as asked for
pub const NETCL_STOP_COUNT: netcl_stop_reason = 1;
/// the confidence interval is as narrow as asked for
pub const NETCL_STOP_CONFIDENCE: netcl_stop_reason = 2;
/// the time is used up
pub const NETCL_STOP_BUDGET: netcl_stop_reason = 3;
/// the best is at the roofline, confirmed twice
pub const NETCL_STOP_ROOFLINE: netcl_stop_reason = 4;
/// the last rounds brought no improvement
pub const NETCL_STOP_CONVERGED: netcl_stop_reason = 5;
/// nothing is left to try
pub const NETCL_STOP_EXHAUSTED: netcl_stop_reason = 6;
pub const NETCL_STOP_CANCELLED: netcl_stop_reason = 7;

/// What became of a candidate kernel that was benchmarked or tuned.
pub type netcl_outcome = i32;
/// not tried
pub const NETCL_OUTCOME_UNKNOWN: netcl_outcome = 0;
pub const NETCL_OUTCOME_CORRECT: netcl_outcome = 1;
/// its work size does not fit the kernel or the device
pub const NETCL_OUTCOME_CONSTRAINTS: netcl_outcome = 2;
/// it does not compile
pub const NETCL_OUTCOME_COMPILE: netcl_outcome = 3;
/// the driver refused or failed a launch
pub const NETCL_OUTCOME_RUNTIME: netcl_outcome = 4;
/// an output differs from the reference
pub const NETCL_OUTCOME_CORRECTNESS: netcl_outcome = 5;
/// it wrote outside its arguments, or to an input
pub const NETCL_OUTCOME_GUARD: netcl_outcome = 6;
/// compiling took too long
pub const NETCL_OUTCOME_TIMEOUT: netcl_outcome = 7;
/// a run did not end in time
pub const NETCL_OUTCOME_HANG: netcl_outcome = 8;
/// its process died or lost the device
pub const NETCL_OUTCOME_CRASH: netcl_outcome = 9;
/// cut short: clearly slower than the best
pub const NETCL_OUTCOME_SLOW: netcl_outcome = 10;
pub const NETCL_OUTCOME_CANCELLED: netcl_outcome = 11;

/// Which time of a sample counts.
pub type netcl_time_source = i32;
/// union of the times in which the device ran the commands
pub const NETCL_TIME_DEVICE_BUSY: netcl_time_source = 0;
/// from the start of the first to the end of the last command
pub const NETCL_TIME_DEVICE_SPAN: netcl_time_source = 1;
/// the host's clock, from before the first to completion
pub const NETCL_TIME_HOST: netcl_time_source = 2;

pub type netcl_verdict = i32;
pub const NETCL_VERDICT_UNCLEAR: netcl_verdict = 0;
/// the interval of the ratio lies within 1 +- precision
pub const NETCL_VERDICT_SAME: netcl_verdict = 1;
/// the first is faster: the interval lies below 1
pub const NETCL_VERDICT_FASTER: netcl_verdict = 2;
pub const NETCL_VERDICT_SLOWER: netcl_verdict = 3;

/// Form of a report.
pub type netcl_format = i32;
/// for people
pub const NETCL_FORMAT_TEXT: netcl_format = 1;
pub const NETCL_FORMAT_JSON: netcl_format = 2;
pub const NETCL_FORMAT_CSV: netcl_format = 3;

/// What limits a kernel: the resource with the higher share of its speed of light (SOL).
pub type netcl_bottleneck = i32;
pub const NETCL_BOTTLENECK_UNKNOWN: netcl_bottleneck = 0;
pub const NETCL_BOTTLENECK_COMPUTE: netcl_bottleneck = 1;
/// also when both are equal
pub const NETCL_BOTTLENECK_MEMORY: netcl_bottleneck = 2;
/// both are below underutilized_pct
pub const NETCL_BOTTLENECK_UNDERUTILIZED: netcl_bottleneck = 3;

/// Where a result comes from.
pub type netcl_roofline_source = i32;
/// time and declared work against measured ceilings
pub const NETCL_ROOFLINE_MODEL: netcl_roofline_source = 1;
/// metrics of NVIDIA Nsight Compute
pub const NETCL_ROOFLINE_NCU: netcl_roofline_source = 2;

/// Which launch of an NCU report counts, when several match.
pub type netcl_ncu_policy = i32;
/// by duration, else by compute SOL
pub const NETCL_NCU_MEDIAN: netcl_ncu_policy = 0;
pub const NETCL_NCU_FIRST: netcl_ncu_policy = 1;
pub const NETCL_NCU_LAST: netcl_ncu_policy = 2;
pub const NETCL_NCU_LONGEST: netcl_ncu_policy = 3;

/// Limits of a device. Rates are per second.
pub type netcl_ceiling_kind = i32;
/// bytes, far beyond the caches
pub const NETCL_CEILING_MEMORY_READ: netcl_ceiling_kind = 1;
pub const NETCL_CEILING_MEMORY_WRITE: netcl_ceiling_kind = 2;
/// bytes read plus bytes written
pub const NETCL_CEILING_MEMORY_COPY: netcl_ceiling_kind = 3;
/// the same for a working set of working_set bytes
pub const NETCL_CEILING_CACHE_READ: netcl_ceiling_kind = 4;
pub const NETCL_CEILING_CACHE_WRITE: netcl_ceiling_kind = 5;
pub const NETCL_CEILING_CACHE_COPY: netcl_ceiling_kind = 6;
/// operations: multiply-adds of a dtype, two each
pub const NETCL_CEILING_COMPUTE: netcl_ceiling_kind = 7;
/// the same on matrix units, where there are any
pub const NETCL_CEILING_TENSOR: netcl_ceiling_kind = 8;
/// launches of an empty kernel, one after the other
pub const NETCL_CEILING_LAUNCH: netcl_ceiling_kind = 9;
/// bytes from ordinary memory, as tensors go
pub const NETCL_CEILING_HOST_TO_DEVICE: netcl_ceiling_kind = 10;
pub const NETCL_CEILING_DEVICE_TO_HOST: netcl_ceiling_kind = 11;
/// bytes from page-locked memory
pub const NETCL_CEILING_HOST_TO_DEVICE_PINNED: netcl_ceiling_kind = 12;
pub const NETCL_CEILING_DEVICE_TO_HOST_PINNED: netcl_ceiling_kind = 13;

/// What a record of the database is.
pub type netcl_tuning_record_kind = i32;
/// what a tuning run chose
pub const NETCL_TUNING_RECORD_BEST: netcl_tuning_record_kind = 1;
/// how one configuration did
pub const NETCL_TUNING_RECORD_MEASUREMENT: netcl_tuning_record_kind = 2;
/// a configuration that is never to be chosen
pub const NETCL_TUNING_RECORD_QUARANTINE: netcl_tuning_record_kind = 3;

/// What a kernel does with a tensor.
pub type netcl_access = i32;
/// reads it; one that writes it is an outcome GUARD
pub const NETCL_ACCESS_IN: netcl_access = 1;
/// writes all of it
pub const NETCL_ACCESS_OUT: netcl_access = 2;
/// both; it is brought back before every sample
pub const NETCL_ACCESS_INOUT: netcl_access = 3;

/// What a tensor holds at first.
pub type netcl_fill_kind = i32;
pub const NETCL_FILL_ZEROS: netcl_fill_kind = 0;
/// a; integers take the nearest value they have
pub const NETCL_FILL_CONSTANT: netcl_fill_kind = 1;
/// \[a, b); a = b = 0: \[0, 1), integers: all
pub const NETCL_FILL_UNIFORM: netcl_fill_kind = 2;
/// mean a, deviation b (0: 1); floats only
pub const NETCL_FILL_NORMAL: netcl_fill_kind = 3;
/// a, a + b, a + 2b ...; b = 0: 1; integers wrap
pub const NETCL_FILL_SEQUENCE: netcl_fill_kind = 4;
/// data_size bytes at data
pub const NETCL_FILL_DATA: netcl_fill_kind = 5;

/// How the configurations that are tried are chosen.
pub type netcl_search_strategy = i32;
/// EXHAUSTIVE where all of up to 256 may be tried, else GENETIC
pub const NETCL_SEARCH_AUTO: netcl_search_strategy = 0;
/// all, in the order of the space; up to 2^20
pub const NETCL_SEARCH_EXHAUSTIVE: netcl_search_strategy = 1;
/// all, in random order
pub const NETCL_SEARCH_RANDOM: netcl_search_strategy = 2;
/// to better neighbours, else on near the best so far
pub const NETCL_SEARCH_LOCAL: netcl_search_strategy = 3;
/// to worse neighbours too, ever more rarely, again and again
pub const NETCL_SEARCH_ANNEALING: netcl_search_strategy = 4;
/// children of the better half of a population
pub const NETCL_SEARCH_GENETIC: netcl_search_strategy = 5;

pub type netcl_search_event_kind = i32;
pub const NETCL_SEARCH_EVENT_STARTED: netcl_search_event_kind = 1;
/// the first rounds of a candidate are over
pub const NETCL_SEARCH_EVENT_CANDIDATE: netcl_search_event_kind = 2;
/// it is the best so far
pub const NETCL_SEARCH_EVENT_BEST: netcl_search_event_kind = 3;
/// those that may be the best begin to take turns
pub const NETCL_SEARCH_EVENT_FINAL: netcl_search_event_kind = 4;
/// the last event of a search
pub const NETCL_SEARCH_EVENT_STOPPED: netcl_search_event_kind = 5;

/// Receives records; see `netcl_log_set_callback`. The record is valid during the call only.
pub type netcl_log_fn =
    Option<unsafe extern "C" fn(record: *const netcl_log_record, user_data: *mut c_void)>;

/// Frees user_data when a callback is replaced or removed.
pub type netcl_destroy_fn =
    Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// Makes the result of a primitive, or gradients of it, by calling ops and launching kernels.
/// `tensors` holds NULL at first, and gets a reference to each tensor that is made, which is the
/// library's from then on: the result in tensors\[0\], or the gradient of inputs\[i\], of that
/// input's shape and dtype, in tensors\[i\]; one that is left NULL is zero. Inputs are not written
/// to. Returns `NETCL_OK` or what failed, see `netcl_last_error_set`. Called on the thread that
/// calls the primitive or asks for gradients, and on several threads at a time.
pub type netcl_primitive_fn =
    Option<unsafe extern "C" fn(call: *const netcl_primitive_call, tensors: *mut *mut netcl_tensor, user_data: *mut c_void) -> netcl_status>;

/// Records what a graph computes, by calling ops and launching kernels with call-\>run, and
/// `netcl_graph_add_gradients` with call-\>run-\>graph. `outputs` holds NULL at first, and gets a
/// reference to each of outputs_count values, which is the library's from then on. Returns
/// `NETCL_OK` or what failed, see `netcl_last_error_set`. Called on a thread that runs or compiles
/// the graph, and on several threads at a time. It may run other graphs, whose results are
/// constants, and not its own. A thread that it waits for must not run its graph.
pub type netcl_graph_fn =
    Option<unsafe extern "C" fn(call: *const netcl_graph_call, outputs: *mut *mut netcl_tensor, user_data: *mut c_void) -> netcl_status>;

/// Enqueues the work that is timed, on `queue`. Returns `NETCL_OK` or what failed.
pub type netcl_work_fn =
    Option<unsafe extern "C" fn(queue: *mut netcl_queue, user_data: *mut c_void) -> netcl_status>;

/// What went wrong last on a thread, or in a command.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_error_info {
    pub struct_size: usize,
    pub status: netcl_status,
    /// the OpenCL code, 0 when no driver was involved
    pub native_code: i32,
    /// one line; cut at a character boundary when longer
    pub message: [c_char; 1024],
}

impl netcl_error_info {
    /// `NETCL_ERROR_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_error_info = netcl_error_info {
        struct_size: std::mem::size_of::<netcl_error_info>(),
        status: 0,
        native_code: 0,
        message: [0; 1024],
    };
}

impl Default for netcl_error_info {
    fn default() -> netcl_error_info {
        netcl_error_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_error_info>() == 1040);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_error_info>() == 8);

/// Facts about this build of the library.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_library_info {
    pub struct_size: usize,
    /// `NETCL_VERSION_NUMBER` of the library, not of the header
    pub version_number: u32,
    /// the number in the soname
    pub abi_version: u32,
    /// "0.1.0"
    pub version: [c_char; 32],
    /// "gcc 12.2.0"
    pub compiler: [c_char; 64],
    /// "Release"
    pub build_type: [c_char; 32],
    /// instruction set the built-in CPU device uses here: "AVX3"
    pub simd_target: [c_char; 32],
    /// hash of all embedded kernels and generators
    pub codegen_version: [c_char; 40],
}

impl netcl_library_info {
    /// `NETCL_LIBRARY_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_library_info = netcl_library_info {
        struct_size: std::mem::size_of::<netcl_library_info>(),
        version_number: 0,
        abi_version: 0,
        version: [0; 32],
        compiler: [0; 64],
        build_type: [0; 32],
        simd_target: [0; 32],
        codegen_version: [0; 40],
    };
}

impl Default for netcl_library_info {
    fn default() -> netcl_library_info {
        netcl_library_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_library_info>() == 216);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_library_info>() == 8);

/// One entry of the log.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_log_record {
    pub struct_size: usize,
    /// counts from 1
    pub sequence: u64,
    /// CLOCK_REALTIME
    pub time_ns: u64,
    pub level: netcl_log_level,
    pub reserved: u32,
    /// one line; cut at a character boundary when longer
    pub message: [c_char; 496],
}

impl netcl_log_record {
    /// `NETCL_LOG_RECORD_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_log_record = netcl_log_record {
        struct_size: std::mem::size_of::<netcl_log_record>(),
        sequence: 0,
        time_ns: 0,
        level: 0,
        reserved: 0,
        message: [0; 496],
    };
}

impl Default for netcl_log_record {
    fn default() -> netcl_log_record {
        netcl_log_record::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_log_record>() == 528);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_log_record>() == 8);

/// Identity of a device.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_device_info {
    pub struct_size: usize,
    /// place in the list of `netcl_device_count`; UINT32_MAX: wrapped, or the built-in device
    /// before anything has looked at the list
    pub index: u32,
    pub type_: netcl_device_type,
    pub backend: netcl_backend,
    /// P of the selector "P:D"; UINT32_MAX for the built-in device
    pub platform_index: u32,
    /// D of the selector "P:D"
    pub device_index: u32,
    /// 1: uuid is known
    pub has_uuid: u32,
    pub uuid: [u8; 16],
    pub name: [c_char; 256],
    pub vendor: [c_char; 128],
    pub platform_name: [c_char; 128],
    /// "OpenCL 3.0 ..."; "netcl 0.1.0" for the built-in device
    pub version: [c_char; 128],
    pub driver_version: [c_char; 128],
}

impl netcl_device_info {
    /// `NETCL_DEVICE_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_device_info = netcl_device_info {
        struct_size: std::mem::size_of::<netcl_device_info>(),
        index: 0,
        type_: 0,
        backend: 0,
        platform_index: 0,
        device_index: 0,
        has_uuid: 0,
        uuid: [0; 16],
        name: [0; 256],
        vendor: [0; 128],
        platform_name: [0; 128],
        version: [0; 128],
        driver_version: [0; 128],
    };
}

impl Default for netcl_device_info {
    fn default() -> netcl_device_info {
        netcl_device_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_device_info>() == 816);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_device_info>() == 8);

/// What a device can do; fixed once the device is open. Flags are 0 or 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_device_capabilities {
    pub struct_size: usize,
    /// 1: half arithmetic runs (announced, or probed)
    pub fp16: u32,
    /// 1: an extension mentions fp16
    pub fp16_announced: u32,
    /// 1: double arithmetic
    pub fp64: u32,
    /// 1: an extension mentions subgroup
    pub subgroups: u32,
    /// 1: 64-bit base or extended atomics
    pub int64_atomics: u32,
    /// 1: any kind of shared virtual memory
    pub svm: u32,
    /// 1: shares memory with the host: zero-copy is possible
    pub integrated: u32,
    /// 1: out-of-order queues exist
    pub out_of_order: u32,
    /// 1: takes SPIR-V
    pub il: u32,
    pub compute_units: u32,
    pub max_clock_mhz: u32,
    pub preferred_vector_width_f32: u32,
    /// preferred multiple of the local size, at least 1
    pub subgroup_size: u32,
    /// alignment of sub-buffers
    pub mem_base_align_bytes: u32,
    pub max_work_item_dimensions: u32,
    /// see `NETCL_KERNEL_STRATEGY`
    pub strategy: netcl_strategy,
    pub max_work_group_size: u64,
    pub max_work_item_sizes: [u64; 3],
    pub local_memory_bytes: u64,
    pub global_memory_bytes: u64,
    pub max_allocation_bytes: u64,
    pub global_cache_bytes: u64,
    pub max_constant_bytes: u64,
    pub timer_resolution_ns: u64,
    /// NONE while `NETCL_MATRIX_UNITS`=0
    pub matrix_units: netcl_matrix_units,
    pub reserved: u32,
}

impl netcl_device_capabilities {
    /// `NETCL_DEVICE_CAPABILITIES_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_device_capabilities = netcl_device_capabilities {
        struct_size: std::mem::size_of::<netcl_device_capabilities>(),
        fp16: 0,
        fp16_announced: 0,
        fp64: 0,
        subgroups: 0,
        int64_atomics: 0,
        svm: 0,
        integrated: 0,
        out_of_order: 0,
        il: 0,
        compute_units: 0,
        max_clock_mhz: 0,
        preferred_vector_width_f32: 0,
        subgroup_size: 0,
        mem_base_align_bytes: 0,
        max_work_item_dimensions: 0,
        strategy: 0,
        max_work_group_size: 0,
        max_work_item_sizes: [0; 3],
        local_memory_bytes: 0,
        global_memory_bytes: 0,
        max_allocation_bytes: 0,
        global_cache_bytes: 0,
        max_constant_bytes: 0,
        timer_resolution_ns: 0,
        matrix_units: 0,
        reserved: 0,
    };
}

impl Default for netcl_device_capabilities {
    fn default() -> netcl_device_capabilities {
        netcl_device_capabilities::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_device_capabilities>() == 160);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_device_capabilities>() == 8);

/// How a copy between two devices goes; see `netcl_device_explain_copy`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_copy_explanation {
    pub struct_size: usize,
    pub road: netcl_copy_road,
    /// 1: what is not packed in C order is copied once more on its device
    pub packs: u32,
    /// at most, of what goes through page-locked memory; 0: nothing does
    pub piece_bytes: u64,
    /// a sentence: why it is this road
    pub reason: [c_char; 512],
}

impl netcl_copy_explanation {
    /// `NETCL_COPY_EXPLANATION_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_copy_explanation = netcl_copy_explanation {
        struct_size: std::mem::size_of::<netcl_copy_explanation>(),
        road: 0,
        packs: 0,
        piece_bytes: 0,
        reason: [0; 512],
    };
}

impl Default for netcl_copy_explanation {
    fn default() -> netcl_copy_explanation {
        netcl_copy_explanation::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_copy_explanation>() == 536);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_copy_explanation>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_device_options {
    pub struct_size: usize,
    /// 1: a context of its own instead of the one shared by all openings;
    /// `netcl_device_open_from_cl`: 0
    pub separate: u32,
    pub reserved: u32,
}

impl netcl_device_options {
    /// `NETCL_DEVICE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_device_options = netcl_device_options {
        struct_size: std::mem::size_of::<netcl_device_options>(),
        separate: 0,
        reserved: 0,
    };
}

impl Default for netcl_device_options {
    fn default() -> netcl_device_options {
        netcl_device_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_device_options>() == 16);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_device_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_queue_options {
    pub struct_size: usize,
    /// 1: commands may overtake each other where their memory allows it
    pub out_of_order: u32,
    /// 1: as `netcl_queue_set_profiling`(queue, 1)
    pub profiling: u32,
}

impl netcl_queue_options {
    /// `NETCL_QUEUE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_queue_options = netcl_queue_options {
        struct_size: std::mem::size_of::<netcl_queue_options>(),
        out_of_order: 0,
        profiling: 0,
    };
}

impl Default for netcl_queue_options {
    fn default() -> netcl_queue_options {
        netcl_queue_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_queue_options>() == 16);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_queue_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_queue_info {
    pub struct_size: usize,
    /// 1: commands may overtake each other
    pub out_of_order: u32,
    /// 1: times are recorded
    pub profiling: u32,
    /// 1: the queue wraps one of the caller
    pub foreign: u32,
    pub reserved: u32,
    /// commands enqueued so far
    pub commands: u64,
}

impl netcl_queue_info {
    /// `NETCL_QUEUE_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_queue_info = netcl_queue_info {
        struct_size: std::mem::size_of::<netcl_queue_info>(),
        out_of_order: 0,
        profiling: 0,
        foreign: 0,
        reserved: 0,
        commands: 0,
    };
}

impl Default for netcl_queue_info {
    fn default() -> netcl_queue_info {
        netcl_queue_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_queue_info>() == 32);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_queue_info>() == 8);

/// Device times of one command; only differences within one device mean anything.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_event_timing {
    pub struct_size: usize,
    pub queued_ns: u64,
    pub submitted_ns: u64,
    pub started_ns: u64,
    pub ended_ns: u64,
}

impl netcl_event_timing {
    /// `NETCL_EVENT_TIMING_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_event_timing = netcl_event_timing {
        struct_size: std::mem::size_of::<netcl_event_timing>(),
        queued_ns: 0,
        submitted_ns: 0,
        started_ns: 0,
        ended_ns: 0,
    };
}

impl Default for netcl_event_timing {
    fn default() -> netcl_event_timing {
        netcl_event_timing::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_event_timing>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_event_timing>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_pool_options {
    pub struct_size: usize,
    /// 0: PERSISTENT
    pub kind: netcl_pool_kind,
    /// cached buffers per bucket; 0: 16 (persistent), no limit
    pub max_buffers_per_bucket: u32,
    /// 0: `NETCL_MAX_CACHED_GB` (persistent, pinned), no limit
    pub max_cached_bytes: u64,
    /// cap of cached plus leased bytes; 0: no limit
    pub max_bytes: u64,
    /// 1: memory for `netcl_buffer_export`; see "Sharing"
    pub share: u32,
    pub reserved: u32,
}

impl netcl_pool_options {
    /// `NETCL_POOL_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_pool_options = netcl_pool_options {
        struct_size: std::mem::size_of::<netcl_pool_options>(),
        kind: 0,
        max_buffers_per_bucket: 0,
        max_cached_bytes: 0,
        max_bytes: 0,
        share: 0,
        reserved: 0,
    };
}

impl Default for netcl_pool_options {
    fn default() -> netcl_pool_options {
        netcl_pool_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_pool_options>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_pool_options>() == 8);

/// Statistics of a pool.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_pool_info {
    pub struct_size: usize,
    pub kind: netcl_pool_kind,
    /// rows that `netcl_pool_get_buckets` gives
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

impl netcl_pool_info {
    /// `NETCL_POOL_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_pool_info = netcl_pool_info {
        struct_size: std::mem::size_of::<netcl_pool_info>(),
        kind: 0,
        buckets_count: 0,
        hits: 0,
        misses: 0,
        hit_rate: 0.0,
        bytes_allocated: 0,
        bytes_in_use: 0,
        bytes_cached: 0,
        high_water_bytes: 0,
        max_cached_bytes: 0,
        max_bytes: 0,
    };
}

impl Default for netcl_pool_info {
    fn default() -> netcl_pool_info {
        netcl_pool_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_pool_info>() == 88);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_pool_info>() == 8);

/// One bucket of a pool. Frozen: travels in arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_pool_bucket {
    /// size of each buffer of the bucket
    pub bytes: u64,
    /// leased buffers
    pub in_use: u64,
    /// buffers kept for reuse
    pub cached: u64,
    pub hits: u64,
    pub misses: u64,
}

impl netcl_pool_bucket {
    /// all zero.
    pub const INIT: netcl_pool_bucket = netcl_pool_bucket {
        bytes: 0,
        in_use: 0,
        cached: 0,
        hits: 0,
        misses: 0,
    };
}

impl Default for netcl_pool_bucket {
    fn default() -> netcl_pool_bucket {
        netcl_pool_bucket::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_pool_bucket>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_pool_bucket>() == 8);

/// Facts about a piece of memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_buffer_info {
    pub struct_size: usize,
    /// as asked for
    pub bytes: u64,
    /// as allocated
    pub bucket_bytes: u64,
    /// where the host may access it; NULL when it may not
    pub host_pointer: *mut c_void,
    /// 1: page-locked host memory
    pub pinned: u32,
    /// 1: the device works on host_pointer itself
    pub zero_copy: u32,
    /// 1: a tensor, another handle or a call that is running uses it too
    pub shared: u32,
    /// 1: `netcl_buffer_export` gives it to others
    pub exportable: u32,
}

impl netcl_buffer_info {
    /// `NETCL_BUFFER_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_buffer_info = netcl_buffer_info {
        struct_size: std::mem::size_of::<netcl_buffer_info>(),
        bytes: 0,
        bucket_bytes: 0,
        host_pointer: std::ptr::null_mut(),
        pinned: 0,
        zero_copy: 0,
        shared: 0,
        exportable: 0,
    };
}

impl Default for netcl_buffer_info {
    fn default() -> netcl_buffer_info {
        netcl_buffer_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_buffer_info>() == 48);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_buffer_info>() == 8);

/// Memory that processes share, and what is needed to open it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_shared_memory {
    pub struct_size: usize,
    pub kind: netcl_share_kind,
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

impl netcl_shared_memory {
    /// `NETCL_SHARED_MEMORY_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_shared_memory = netcl_shared_memory {
        struct_size: std::mem::size_of::<netcl_shared_memory>(),
        kind: 0,
        descriptor: 0,
        offset_bytes: 0,
        bytes: 0,
        total_bytes: 0,
        device_uuid: [0; 16],
    };
}

impl Default for netcl_shared_memory {
    fn default() -> netcl_shared_memory {
        netcl_shared_memory::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_shared_memory>() == 56);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_shared_memory>() == 8);

/// How a launch or an op runs. Used by every op.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_run_options {
    pub struct_size: usize,
    /// NULL: the default queue of the first input's device
    pub queue: *mut netcl_queue,
    /// write the result here instead of a new tensor
    pub into: *mut netcl_tensor,
    /// further events to wait for; one that failed: LAUNCH_FAILURE
    pub waits: *const *mut netcl_event,
    /// receives one reference: the event of the last command
    pub event: *mut *mut netcl_event,
    pub waits_count: u32,
    pub reserved: u32,
    /// records the call; see "Graphs"
    pub graph: *mut netcl_graph,
}

impl netcl_run_options {
    /// `NETCL_RUN_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_run_options = netcl_run_options {
        struct_size: std::mem::size_of::<netcl_run_options>(),
        queue: std::ptr::null_mut(),
        into: std::ptr::null_mut(),
        waits: std::ptr::null(),
        event: std::ptr::null_mut(),
        waits_count: 0,
        reserved: 0,
        graph: std::ptr::null_mut(),
    };
}

impl Default for netcl_run_options {
    fn default() -> netcl_run_options {
        netcl_run_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_run_options>() == 56);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_run_options>() == 8);

/// Where and how a tensor is made.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_tensor_options {
    pub struct_size: usize,
    /// NULL: the device's default queue
    pub queue: *mut netcl_queue,
    /// NULL: the device's persistent pool, and for from_cl
    pub pool: *mut netcl_pool,
    /// receives one reference: the device has the data
    pub event: *mut *mut netcl_event,
    /// return before the device has what is copied from the host; DEFAULT: `NETCL_ASYNC_H2D`, and
    /// where nothing is copied
    pub async_copy: netcl_toggle,
    /// stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and where nothing is
    /// copied
    pub use_pinned: netcl_toggle,
    /// 1: from_host works on the caller's memory itself
    pub borrow: u32,
    /// 1: from_cl releases the memory object with the tensor
    pub take_ownership: u32,
    /// 1: in memory for `netcl_buffer_export`, see "Sharing"; a pool that is given has to have been
    /// made so
    pub share: u32,
    pub reserved: u32,
}

impl netcl_tensor_options {
    /// `NETCL_TENSOR_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_tensor_options = netcl_tensor_options {
        struct_size: std::mem::size_of::<netcl_tensor_options>(),
        queue: std::ptr::null_mut(),
        pool: std::ptr::null_mut(),
        event: std::ptr::null_mut(),
        async_copy: 0,
        use_pinned: 0,
        borrow: 0,
        take_ownership: 0,
        share: 0,
        reserved: 0,
    };
}

impl Default for netcl_tensor_options {
    fn default() -> netcl_tensor_options {
        netcl_tensor_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_tensor_options>() == 56);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_tensor_options>() == 8);

/// How `netcl_tensor_read` and `netcl_tensor_write` move data.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_transfer_options {
    pub struct_size: usize,
    /// NULL: the device's default queue
    pub queue: *mut netcl_queue,
    /// further events to wait for
    pub waits: *const *mut netcl_event,
    /// receives one reference; makes a read return at once
    pub event: *mut *mut netcl_event,
    pub waits_count: u32,
    /// write: return before the device has it; `NETCL_ASYNC_H2D`. read: DEFAULT
    pub async_copy: netcl_toggle,
    /// stage through page-locked memory; `NETCL_PINNED_H2D`. A read with an event stages nothing,
    /// and takes no ON
    pub use_pinned: netcl_toggle,
    /// 1: write copies nothing; the array must stay until the event. read: 0
    pub borrow: u32,
}

impl netcl_transfer_options {
    /// `NETCL_TRANSFER_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_transfer_options = netcl_transfer_options {
        struct_size: std::mem::size_of::<netcl_transfer_options>(),
        queue: std::ptr::null_mut(),
        waits: std::ptr::null(),
        event: std::ptr::null_mut(),
        waits_count: 0,
        async_copy: 0,
        use_pinned: 0,
        borrow: 0,
    };
}

impl Default for netcl_transfer_options {
    fn default() -> netcl_transfer_options {
        netcl_transfer_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_transfer_options>() == 48);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_transfer_options>() == 8);

/// Parameters of random numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_random_options {
    pub struct_size: usize,
    pub seed: u64,
    /// index of the first element in the seed's stream
    pub offset: u64,
    /// 0: UNIFORM
    pub distribution: netcl_distribution,
    pub reserved: u32,
    /// uniform: lowest value; low = high = 0: \[0, 1), integers: all; normal: 0
    pub low: f64,
    /// uniform: end of the range; normal: 0
    pub high: f64,
    /// normal; uniform: 0
    pub mean: f64,
    /// normal: standard deviation; 0 means 1; uniform: 0
    pub deviation: f64,
}

impl netcl_random_options {
    /// `NETCL_RANDOM_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_random_options = netcl_random_options {
        struct_size: std::mem::size_of::<netcl_random_options>(),
        seed: 0,
        offset: 0,
        distribution: 0,
        reserved: 0,
        low: 0.0,
        high: 0.0,
        mean: 0.0,
        deviation: 0.0,
    };
}

impl Default for netcl_random_options {
    fn default() -> netcl_random_options {
        netcl_random_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_random_options>() == 64);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_random_options>() == 8);

/// What a tensor is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_tensor_info {
    pub struct_size: usize,
    pub dtype: netcl_dtype,
    pub rank: u32,
    pub shape: [i64; 8],
    pub strides: [i64; 8],
    /// first element, counted from the start of the memory
    pub offset: i64,
    pub element_count: i64,
    /// element_count times the size of an element
    pub byte_count: u64,
    /// 1: packed in C order
    pub contiguous: u32,
    /// 1: the device works on memory of the host
    pub zero_copy: u32,
    /// 1: the memory belongs to the caller
    pub borrowed: u32,
    /// 1: the memory is a lease from a pool
    pub pooled: u32,
    /// 1: the memory is a file's, see "Weights"
    pub mapped: u32,
    pub reserved: u32,
}

impl netcl_tensor_info {
    /// `NETCL_TENSOR_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_tensor_info = netcl_tensor_info {
        struct_size: std::mem::size_of::<netcl_tensor_info>(),
        dtype: 0,
        rank: 0,
        shape: [0; 8],
        strides: [0; 8],
        offset: 0,
        element_count: 0,
        byte_count: 0,
        contiguous: 0,
        zero_copy: 0,
        borrowed: 0,
        pooled: 0,
        mapped: 0,
        reserved: 0,
    };
}

impl Default for netcl_tensor_info {
    fn default() -> netcl_tensor_info {
        netcl_tensor_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_tensor_info>() == 192);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_tensor_info>() == 8);

/// One dimension of a slice: element i is start + i \* step, 0 \<= i \< extent. Frozen.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_range {
    pub start: i64,
    pub extent: i64,
    /// not 0; negative steps walk backwards
    pub step: i64,
}

impl netcl_range {
    /// all zero.
    pub const INIT: netcl_range = netcl_range {
        start: 0,
        extent: 0,
        step: 0,
    };
}

impl Default for netcl_range {
    fn default() -> netcl_range {
        netcl_range::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_range>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_range>() == 8);

/// A kernel specification. Exactly one source form is set: source; params with body; il; binary. A
/// result of tuning belongs to the values of the integer arguments too, as a size or a mode among
/// them makes another problem: only free_args are left out. What is given beside numbers, such as a
/// struct and the bytes of local memory, belongs to it as well; floats do not.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_kernel_options {
    pub struct_size: usize,
    /// full OpenCL C source, may hold several kernels
    pub source: *const c_char,
    /// bytes; 0: up to the NUL
    pub source_size: usize,
    /// parameter declarations: "__global const float\* a"
    pub params: *const *const c_char,
    /// text before the kernel, with params; may be NULL
    pub preamble: *const c_char,
    /// statements of the kernel, with params
    pub body: *const c_char,
    /// SPIR-V; drivers may crash on what is not
    pub il: *const c_void,
    pub il_size: usize,
    /// what `netcl_kernel_get_binary` gave, unchanged
    pub binary: *const c_void,
    pub binary_size: usize,
    /// further flags: one token each, '-' first
    pub flags: *const *const c_char,
    /// see `netcl_kernel_shape_signature`; 0: any shape
    pub shape_signature: u64,
    /// of launches that give none, all zeros: not set; a 0 before another extent is
    /// INVALID_ARGUMENT
    pub local_size: [u64; 3],
    pub params_count: u32,
    pub flags_count: u32,
    /// 1: accept a binary without netcl's checksum; drivers may crash on what is not theirs
    pub trust_binary: u32,
    /// 1: -cl-fast-relaxed-math, which may break NaN and infinity
    pub fast_math: u32,
    /// 1: leave out the macros LOAD STORE ADD SUB MUL DIV RELU
    pub no_preamble: u32,
    pub tune: netcl_tune_mode,
    /// indices of arguments that are no part of the problem, such as a seed or the number of a
    /// step: what tuning found for one of their values is used for all
    pub free_args: *const u32,
    /// up to 64
    pub free_args_count: u32,
    pub reserved: u32,
}

impl netcl_kernel_options {
    /// `NETCL_KERNEL_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_kernel_options = netcl_kernel_options {
        struct_size: std::mem::size_of::<netcl_kernel_options>(),
        source: std::ptr::null(),
        source_size: 0,
        params: std::ptr::null(),
        preamble: std::ptr::null(),
        body: std::ptr::null(),
        il: std::ptr::null(),
        il_size: 0,
        binary: std::ptr::null(),
        binary_size: 0,
        flags: std::ptr::null(),
        shape_signature: 0,
        local_size: [0; 3],
        params_count: 0,
        flags_count: 0,
        trust_binary: 0,
        fast_math: 0,
        no_preamble: 0,
        tune: 0,
        free_args: std::ptr::null(),
        free_args_count: 0,
        reserved: 0,
    };
}

impl Default for netcl_kernel_options {
    fn default() -> netcl_kernel_options {
        netcl_kernel_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_kernel_options>() == 160);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_kernel_options>() == 8);

/// One kernel argument. Frozen at 64 bytes: travels in arrays. Where the driver tells the types of
/// parameters, a tensor or scalar of another dtype than the parameter's elements is refused with
/// INVALID_ARGUMENT, unless `reinterpret` is 1. bool fits char and uchar, f16 and bf16 fit ushort,
/// and the elements of float4 are f32; parameters of other types (void, structs) take anything.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_arg {
    pub kind: netcl_arg_kind,
    /// bytes of value, data or local memory
    pub size: u32,
    pub value: [u8; 32],
    pub tensor: *mut netcl_tensor,
    pub data: *const c_void,
    /// of a scalar's elements; 0: not told, so that only its size counts
    pub dtype: netcl_dtype,
    /// 1: the parameter is meant to see the bytes as its own type
    pub reinterpret: u32,
}

impl netcl_arg {
    /// `NETCL_ARG_INIT`: all zero.
    pub const INIT: netcl_arg = netcl_arg {
        kind: 0,
        size: 0,
        value: [0; 32],
        tensor: std::ptr::null_mut(),
        data: std::ptr::null(),
        dtype: 0,
        reinterpret: 0,
    };
}

impl Default for netcl_arg {
    fn default() -> netcl_arg {
        netcl_arg::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_arg>() == 64);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_arg>() == 8);

/// What an op or a kernel has to do at least. The ops of the library declare theirs; launches say
/// it in their options. Amounts that are negative or no number, and more written than moved, are
/// INVALID_ARGUMENT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_work {
    pub struct_size: usize,
    /// a multiplication and an addition are two
    pub operations: f64,
    /// read and written, each counted once
    pub bytes: f64,
    /// the part of bytes that is written
    pub bytes_written: f64,
    /// in which the operations are done; 0: f32
    pub dtype: netcl_dtype,
    /// 1: on matrix units (tensor cores)
    pub matrix_units: u32,
    /// 1: none of it was in a cache before
    pub cold_cache: u32,
    pub reserved: u32,
}

impl netcl_work {
    /// `NETCL_WORK_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_work = netcl_work {
        struct_size: std::mem::size_of::<netcl_work>(),
        operations: 0.0,
        bytes: 0.0,
        bytes_written: 0.0,
        dtype: 0,
        matrix_units: 0,
        cold_cache: 0,
        reserved: 0,
    };
}

impl Default for netcl_work {
    fn default() -> netcl_work {
        netcl_work::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_work>() == 48);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_work>() == 8);

/// How a kernel is launched. The work is what profiles and statistics count for the launch, so that
/// `netcl_roofline_analyze_statistics` knows it; its cold_cache must be 0, as a measurement knows
/// that itself.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_launch_options {
    pub struct_size: usize,
    /// global offset; UNSUPPORTED beyond the driver's bits
    pub offset: [u64; 3],
    /// 1: round the global size up to the local size; the kernel guards
    pub round_up: u32,
    pub reserved: u32,
    /// what one launch has to do at least; NULL: not known
    pub work: *const netcl_work,
}

impl netcl_launch_options {
    /// `NETCL_LAUNCH_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_launch_options = netcl_launch_options {
        struct_size: std::mem::size_of::<netcl_launch_options>(),
        offset: [0; 3],
        round_up: 0,
        reserved: 0,
        work: std::ptr::null(),
    };
}

impl Default for netcl_launch_options {
    fn default() -> netcl_launch_options {
        netcl_launch_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_launch_options>() == 48);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_launch_options>() == 8);

/// What a launch uses; see `netcl_kernel_explain_launch`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_launch_explanation {
    pub struct_size: usize,
    /// work items that run; 1 beyond the dimensions of the launch
    pub global: [u64; 3],
    /// of a group; 1 beyond the dimensions of the launch
    pub local: [u64; 3],
    /// of local
    pub origin: netcl_local_origin,
    /// how the stored result fits; NONE: none is used
    pub match_: netcl_match,
    /// nanoseconds that the stored result took; 0: not known
    pub median: f64,
    /// and the untuned kernel
    pub default_median: f64,
    /// those that tuning sets, "TILE=16 WORK=4"; longer texts are cut
    pub macros: [c_char; 256],
    /// a sentence: which result is used and how it fits, or why not
    pub reason: [c_char; 512],
}

impl netcl_launch_explanation {
    /// `NETCL_LAUNCH_EXPLANATION_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_launch_explanation = netcl_launch_explanation {
        struct_size: std::mem::size_of::<netcl_launch_explanation>(),
        global: [0; 3],
        local: [0; 3],
        origin: 0,
        match_: 0,
        median: 0.0,
        default_median: 0.0,
        macros: [0; 256],
        reason: [0; 512],
    };
}

impl Default for netcl_launch_explanation {
    fn default() -> netcl_launch_explanation {
        netcl_launch_explanation::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_launch_explanation>() == 848);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_launch_explanation>() == 8);

/// Facts about a built kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_kernel_info {
    pub struct_size: usize,
    pub args_count: u32,
    /// 1: the program came from the disk cache, not a compiler
    pub from_cache: u32,
    /// of the local size
    pub preferred_multiple: u32,
    pub reserved: u32,
    /// items of a group this kernel can have here
    pub max_local_size: u64,
    /// reqd_work_group_size, zeros when absent
    pub required_local_size: [u64; 3],
    pub local_memory_bytes: u64,
    pub private_memory_bytes: u64,
    pub shape_signature: u64,
    pub name: [c_char; 128],
}

impl netcl_kernel_info {
    /// `NETCL_KERNEL_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_kernel_info = netcl_kernel_info {
        struct_size: std::mem::size_of::<netcl_kernel_info>(),
        args_count: 0,
        from_cache: 0,
        preferred_multiple: 0,
        reserved: 0,
        max_local_size: 0,
        required_local_size: [0; 3],
        local_memory_bytes: 0,
        private_memory_bytes: 0,
        shape_signature: 0,
        name: [0; 128],
    };
}

impl Default for netcl_kernel_info {
    fn default() -> netcl_kernel_info {
        netcl_kernel_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_kernel_info>() == 208);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_kernel_info>() == 8);

/// Facts about one parameter of a built kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_kernel_arg_info {
    pub struct_size: usize,
    /// 1: __global or __constant pointer
    pub is_buffer: u32,
    /// 1: __local pointer
    pub is_local: u32,
    /// 1: the kernel does not write through it
    pub is_const: u32,
    /// bytes of a scalar; 0 when unknown or not a scalar
    pub size: u32,
    /// "" when the driver does not tell
    pub name: [c_char; 64],
    /// "float\*"
    pub type_name: [c_char; 64],
}

impl netcl_kernel_arg_info {
    /// `NETCL_KERNEL_ARG_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_kernel_arg_info = netcl_kernel_arg_info {
        struct_size: std::mem::size_of::<netcl_kernel_arg_info>(),
        is_buffer: 0,
        is_local: 0,
        is_const: 0,
        size: 0,
        name: [0; 64],
        type_name: [0; 64],
    };
}

impl Default for netcl_kernel_arg_info {
    fn default() -> netcl_kernel_arg_info {
        netcl_kernel_arg_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_kernel_arg_info>() == 152);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_kernel_arg_info>() == 8);

/// Counters of the program cache of this process.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_program_cache_info {
    pub struct_size: usize,
    /// builds answered by a program already in memory
    pub memory_hits: u64,
    pub memory_misses: u64,
    /// programs loaded from the disk cache
    pub disk_hits: u64,
    pub disk_misses: u64,
    /// entries refused: damaged, foreign, or bad to the driver
    pub disk_rejected: u64,
    pub disk_writes: u64,
    /// compilations by the driver
    pub source_builds: u64,
    pub programs_in_memory: u64,
    /// where the disk cache lives; "" when it is off
    pub directory: [c_char; 256],
}

impl netcl_program_cache_info {
    /// `NETCL_PROGRAM_CACHE_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_program_cache_info = netcl_program_cache_info {
        struct_size: std::mem::size_of::<netcl_program_cache_info>(),
        memory_hits: 0,
        memory_misses: 0,
        disk_hits: 0,
        disk_misses: 0,
        disk_rejected: 0,
        disk_writes: 0,
        source_builds: 0,
        programs_in_memory: 0,
        directory: [0; 256],
    };
}

impl Default for netcl_program_cache_info {
    fn default() -> netcl_program_cache_info {
        netcl_program_cache_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_program_cache_info>() == 328);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_program_cache_info>() == 8);

/// One program in the disk cache.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_program_cache_entry {
    pub struct_size: usize,
    /// of the file
    pub bytes: u64,
    /// CLOCK_REALTIME of the last use
    pub used_ns: u64,
    /// 1: nobody else can have written it, and every byte is right
    pub sound: u32,
    pub reserved: u32,
    /// of the file in `netcl_program_cache_info.directory`
    pub name: [c_char; 40],
    /// name of the device it was built for
    pub device: [c_char; 128],
    /// names of its kernels with ", " between them, as far as they fit
    pub kernels: [c_char; 256],
    /// why it is not sound
    pub problem: [c_char; 128],
}

impl netcl_program_cache_entry {
    /// `NETCL_PROGRAM_CACHE_ENTRY_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_program_cache_entry = netcl_program_cache_entry {
        struct_size: std::mem::size_of::<netcl_program_cache_entry>(),
        bytes: 0,
        used_ns: 0,
        sound: 0,
        reserved: 0,
        name: [0; 40],
        device: [0; 128],
        kernels: [0; 256],
        problem: [0; 128],
    };
}

impl Default for netcl_program_cache_entry {
    fn default() -> netcl_program_cache_entry {
        netcl_program_cache_entry::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_program_cache_entry>() == 584);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_program_cache_entry>() == 8);

/// What a choice is made for, beside the sizes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_variant_options {
    pub struct_size: usize,
    /// instead of the device's own, with the next
    pub info: *const netcl_device_info,
    /// a recorded device; NULL: the device's own
    pub capabilities: *const netcl_device_capabilities,
    /// of the elements; 0: f32
    pub dtype: netcl_dtype,
    /// a request; 0: by the rules
    pub variant: netcl_variant,
}

impl netcl_variant_options {
    /// `NETCL_VARIANT_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_variant_options = netcl_variant_options {
        struct_size: std::mem::size_of::<netcl_variant_options>(),
        info: std::ptr::null(),
        capabilities: std::ptr::null(),
        dtype: 0,
        variant: 0,
    };
}

impl Default for netcl_variant_options {
    fn default() -> netcl_variant_options {
        netcl_variant_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_variant_options>() == 32);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_variant_options>() == 8);

/// A variant with its configuration. Members that the variant does not have are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_variant_config {
    pub struct_size: usize,
    pub variant: netcl_variant,
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
    pub local_size_1d: u32,
    pub local_size_2d: [u32; 2],
    /// 1: tiles are staged in local memory
    pub use_local_memory: u32,
    /// 1: vector_width elements are loaded at once
    pub use_vectorization: u32,
    /// elements
    pub vector_width: u32,
    /// outputs per tile edge: 2 or 4
    pub winograd_tile: u32,
    /// work-groups of a reduction's first stage
    pub groups: u32,
    /// 1: the same question was answered before
    pub from_cache: u32,
    /// groups that share the depth of a tile (matmul on GPUs); from 2 on a second launch,
    /// `netcl_matmul_join`, adds up their sums
    pub split_k: u32,
    /// what the kernel's name begins with in traces
    pub kernel: [c_char; 64],
    /// why this one, in words
    pub reason: [c_char; 256],
}

impl netcl_variant_config {
    /// `NETCL_VARIANT_CONFIG_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_variant_config = netcl_variant_config {
        struct_size: std::mem::size_of::<netcl_variant_config>(),
        variant: 0,
        tile_m: 0,
        tile_n: 0,
        tile_k: 0,
        work_per_thread_m: 0,
        work_per_thread_n: 0,
        local_size_1d: 0,
        local_size_2d: [0; 2],
        use_local_memory: 0,
        use_vectorization: 0,
        vector_width: 0,
        winograd_tile: 0,
        groups: 0,
        from_cache: 0,
        split_k: 0,
        kernel: [0; 64],
        reason: [0; 256],
    };
}

impl Default for netcl_variant_config {
    fn default() -> netcl_variant_config {
        netcl_variant_config::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_variant_config>() == 392);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_variant_config>() == 8);

/// Sizes of a 2-d convolution, as `netcl_op_conv2d` takes them from its tensors and options. A
/// tensor of more than 2^60 elements is INVALID_ARGUMENT, as are strides, dilations and padding
/// beyond 2^31 - 1.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_conv2d_shape {
    pub struct_size: usize,
    pub batch: i64,
    pub channels: i64,
    pub height: i64,
    pub width: i64,
    pub filters: i64,
    pub kernel_height: i64,
    pub kernel_width: i64,
    /// 0: 1
    pub strides: [i64; 2],
    /// 0: 1
    pub dilations: [i64; 2],
    /// top, left, bottom, right
    pub padding: [i64; 4],
    /// 0: 1
    pub groups: i64,
}

impl netcl_conv2d_shape {
    /// `NETCL_CONV2D_SHAPE_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_conv2d_shape = netcl_conv2d_shape {
        struct_size: std::mem::size_of::<netcl_conv2d_shape>(),
        batch: 0,
        channels: 0,
        height: 0,
        width: 0,
        filters: 0,
        kernel_height: 0,
        kernel_width: 0,
        strides: [0; 2],
        dilations: [0; 2],
        padding: [0; 4],
        groups: 0,
    };
}

impl Default for netcl_conv2d_shape {
    fn default() -> netcl_conv2d_shape {
        netcl_conv2d_shape::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_conv2d_shape>() == 136);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_conv2d_shape>() == 8);

/// Ops follow ONNX opset 17 where ONNX has the op. f16 and bf16 are computed in f32 (sums too) and
/// rounded once. f64 is UNSUPPORTED on a device without fp64. Tensors may have any strides; results
/// are new C-order tensors unless run-\>into is set, whose shape and dtype must be those of the
/// result. run-\>into shares no memory with an input unless the op says so. The same input gives
/// the same bits each time on a device, with any number of threads, unless an option asks for
/// atomics. Axes count from the end when negative. Sizes, shapes, axes or dtypes that do not fit
/// are INVALID_ARGUMENT naming the two things that disagree; dtypes an op does not take are
/// UNSUPPORTED.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_expression_options {
    pub struct_size: usize,
    /// of the result; 0: as promotion of the inputs gives
    pub dtype: netcl_dtype,
    /// 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED
    pub variant: netcl_variant,
}

impl netcl_expression_options {
    /// `NETCL_EXPRESSION_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_expression_options = netcl_expression_options {
        struct_size: std::mem::size_of::<netcl_expression_options>(),
        dtype: 0,
        variant: 0,
    };
}

impl Default for netcl_expression_options {
    fn default() -> netcl_expression_options {
        netcl_expression_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_expression_options>() == 16);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_expression_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_expressions_options {
    pub struct_size: usize,
    /// of the results, 0 for one as promotion of the inputs gives; none: 0 for all
    pub dtypes: *const netcl_dtype,
    /// write the results here: tensors of one shape, each on memory of its own; none: new tensors
    pub results_into: *const *mut netcl_tensor,
    /// 0 or texts_count
    pub dtypes_count: u32,
    /// 0 or texts_count
    pub results_into_count: u32,
    /// 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED
    pub variant: netcl_variant,
    pub reserved: u32,
}

impl netcl_expressions_options {
    /// `NETCL_EXPRESSIONS_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_expressions_options = netcl_expressions_options {
        struct_size: std::mem::size_of::<netcl_expressions_options>(),
        dtypes: std::ptr::null(),
        results_into: std::ptr::null(),
        dtypes_count: 0,
        results_into_count: 0,
        variant: 0,
        reserved: 0,
    };
}

impl Default for netcl_expressions_options {
    fn default() -> netcl_expressions_options {
        netcl_expressions_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_expressions_options>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_expressions_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_elementwise_options {
    pub struct_size: usize,
    /// with has_parameters = 1
    pub alpha: f64,
    /// with has_parameters = 1
    pub beta: f64,
    /// of the result; 0: as promotion of the inputs gives
    pub dtype: netcl_dtype,
    /// 0, ELEMENTWISE_SCALAR or ELEMENTWISE_VECTORIZED
    pub variant: netcl_variant,
    /// 1: they are set; 0: the operator's defaults
    pub has_parameters: u32,
    pub reserved: u32,
}

impl netcl_elementwise_options {
    /// `NETCL_ELEMENTWISE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_elementwise_options = netcl_elementwise_options {
        struct_size: std::mem::size_of::<netcl_elementwise_options>(),
        alpha: 0.0,
        beta: 0.0,
        dtype: 0,
        variant: 0,
        has_parameters: 0,
        reserved: 0,
    };
}

impl Default for netcl_elementwise_options {
    fn default() -> netcl_elementwise_options {
        netcl_elementwise_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_elementwise_options>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_elementwise_options>() == 8);

/// Formulas are over v0 ... v(arity-1) and the attributes by their names; those of gradients also
/// over grad, the gradient of what was made of the result, and out, the result. A primitive of any
/// number of inputs (arity 0) joins two in its forward formula: v0 is the result of the inputs
/// before, v1 the next input, and one input alone is its own result. It has one backward formula
/// for every input, in which v0 is that input. All that a formula needs is copied.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_primitive_options {
    pub struct_size: usize,
    /// formula of the result: "MUL(v0, v1)" or "v0 \* v1"
    pub forward: *const c_char,
    /// formulas of the gradients of the inputs in their order; "": as the derivative of forward.
    /// None: all of them so
    pub backward: *const *const c_char,
    /// names of numbers that each call may set: letters, digits and _, up to 31, and no name of the
    /// language
    pub attributes: *const *const c_char,
    /// values of the attributes where a call sets none; none: every call sets all
    pub defaults: *const f64,
    /// number of inputs, 1 to `NETCL_PRIMITIVE_INPUTS_MAX`; 0: any
    pub arity: u32,
    /// 0 or arity; of arity 0: 0 or 1
    pub backward_count: u32,
    /// up to 64
    pub attributes_count: u32,
    /// 0 or attributes_count
    pub defaults_count: u32,
    /// 1: a function of the host gives gradients too; 0 for others
    pub gives_gradients: u32,
    /// 1: what the function calls is not kept for gradients; it is called again when these are
    /// asked for. 0 for others
    pub checkpoint: u32,
}

impl netcl_primitive_options {
    /// `NETCL_PRIMITIVE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_primitive_options = netcl_primitive_options {
        struct_size: std::mem::size_of::<netcl_primitive_options>(),
        forward: std::ptr::null(),
        backward: std::ptr::null(),
        attributes: std::ptr::null(),
        defaults: std::ptr::null(),
        arity: 0,
        backward_count: 0,
        attributes_count: 0,
        defaults_count: 0,
        gives_gradients: 0,
        checkpoint: 0,
    };
}

impl Default for netcl_primitive_options {
    fn default() -> netcl_primitive_options {
        netcl_primitive_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_primitive_options>() == 64);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_primitive_options>() == 8);

/// How the kernels of a primitive are launched; see `netcl_primitive_register_kernels`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_primitive_kernels {
    pub struct_size: usize,
    /// gives the result
    pub forward: *mut netcl_kernel,
    /// give the gradients of the inputs in their order; none: the primitive has no gradient
    pub backward: *const *mut netcl_kernel,
    /// work items, 0 from rank on
    pub global: [u64; 3],
    /// of a group, 0 from rank on; zeros: netcl's own choice
    pub local: [u64; 3],
    /// 0 or arity
    pub backward_count: u32,
    /// of global and local, up to 3; 0: a launch has one item for each element that it writes, in
    /// one dimension
    pub rank: u32,
}

impl netcl_primitive_kernels {
    /// `NETCL_PRIMITIVE_KERNELS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_primitive_kernels = netcl_primitive_kernels {
        struct_size: std::mem::size_of::<netcl_primitive_kernels>(),
        forward: std::ptr::null_mut(),
        backward: std::ptr::null(),
        global: [0; 3],
        local: [0; 3],
        backward_count: 0,
        rank: 0,
    };
}

impl Default for netcl_primitive_kernels {
    fn default() -> netcl_primitive_kernels {
        netcl_primitive_kernels::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_primitive_kernels>() == 80);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_primitive_kernels>() == 8);

/// A call of a primitive, as its function sees it: valid while that runs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_primitive_call {
    pub struct_size: usize,
    /// of the call; borrowed
    pub inputs: *const *mut netcl_tensor,
    /// of the attributes, in the order of their registration
    pub values: *const f64,
    /// the gradient of what was made of the result, borrowed; NULL: the result is asked for
    pub grad: *mut netcl_tensor,
    /// the result, borrowed; NULL with grad
    pub out: *mut netcl_tensor,
    /// queue, waits and graph of the call, to be handed on to each op and launch
    pub run: *const netcl_run_options,
    /// gradients that are asked for: bit i for inputs\[i\]
    pub wanted: u64,
    pub inputs_count: u32,
    pub values_count: u32,
    /// what the function may make: 1, or with grad inputs_count
    pub tensors_count: u32,
    pub reserved: u32,
}

impl netcl_primitive_call {
    /// `NETCL_PRIMITIVE_CALL_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_primitive_call = netcl_primitive_call {
        struct_size: std::mem::size_of::<netcl_primitive_call>(),
        inputs: std::ptr::null(),
        values: std::ptr::null(),
        grad: std::ptr::null_mut(),
        out: std::ptr::null_mut(),
        run: std::ptr::null(),
        wanted: 0,
        inputs_count: 0,
        values_count: 0,
        tensors_count: 0,
        reserved: 0,
    };
}

impl Default for netcl_primitive_call {
    fn default() -> netcl_primitive_call {
        netcl_primitive_call::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_primitive_call>() == 72);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_primitive_call>() == 8);

/// Values of attributes for one call, NULL: the defaults of all. A value stands in the formula as a
/// floating literal, whose type is that of what it meets. As with literals, new values compile
/// nothing, but for exponents and the like (docs/expressions.md).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_primitive_call_options {
    pub struct_size: usize,
    /// names, each at most once
    pub attributes: *const *const c_char,
    /// of the attributes, in the same order
    pub values: *const f64,
    pub attributes_count: u32,
    /// attributes_count
    pub values_count: u32,
}

impl netcl_primitive_call_options {
    /// `NETCL_PRIMITIVE_CALL_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_primitive_call_options = netcl_primitive_call_options {
        struct_size: std::mem::size_of::<netcl_primitive_call_options>(),
        attributes: std::ptr::null(),
        values: std::ptr::null(),
        attributes_count: 0,
        values_count: 0,
    };
}

impl Default for netcl_primitive_call_options {
    fn default() -> netcl_primitive_call_options {
        netcl_primitive_call_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_primitive_call_options>() == 32);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_primitive_call_options>() == 8);

/// What is done to each element of a product before it is stored: activation(product + bias +
/// residual), in the precision of the sums, rounded once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_epilogue {
    pub struct_size: usize,
    /// matmul: broadcasts to the result; conv2d: \[filters\]
    pub bias: *mut netcl_tensor,
    /// the shape of the result; may be run-\>into: beta + 1
    pub residual: *mut netcl_tensor,
    /// of the activation; both 0: the activation's defaults
    pub alpha: f64,
    /// of the activation; both 0: the activation's defaults
    pub beta: f64,
    pub activation: netcl_activation,
    /// 1: alpha and beta are set, even to 0
    pub has_parameters: u32,
}

impl netcl_epilogue {
    /// `NETCL_EPILOGUE_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_epilogue = netcl_epilogue {
        struct_size: std::mem::size_of::<netcl_epilogue>(),
        bias: std::ptr::null_mut(),
        residual: std::ptr::null_mut(),
        alpha: 0.0,
        beta: 0.0,
        activation: 0,
        has_parameters: 0,
    };
}

impl Default for netcl_epilogue {
    fn default() -> netcl_epilogue {
        netcl_epilogue::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_epilogue>() == 48);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_epilogue>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_matmul_options {
    pub struct_size: usize,
    /// NULL: none; its tensors have the dtype of a or the result, for i8 and u8 that of the result
    pub epilogue: *const netcl_epilogue,
    /// with has_scale = 1
    pub alpha: f64,
    /// with has_scale = 1; needs run-\>into
    pub beta: f64,
    /// of the result; 0: as the inputs, i32 of i8 and u8
    pub dtype: netcl_dtype,
    /// 1: take alpha and beta; 0: alpha = 1, beta = 0
    pub has_scale: u32,
    /// 0 or one of MATMUL_...
    pub variant: netcl_variant,
    /// of f32, and of its gradients; other dtypes have STRICT alone
    pub precision: netcl_precision,
    /// i8 and u8 alone; NULL: 0. Of a's dtype, one element (any rank), \[M\], or \[..., M, 1\]
    /// whose leading dimensions broadcast to the result's
    pub a_zero_point: *mut netcl_tensor,
    /// the same of b: one element, \[N\], or \[..., 1, N\]
    pub b_zero_point: *mut netcl_tensor,
}

impl netcl_matmul_options {
    /// `NETCL_MATMUL_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_matmul_options = netcl_matmul_options {
        struct_size: std::mem::size_of::<netcl_matmul_options>(),
        epilogue: std::ptr::null(),
        alpha: 0.0,
        beta: 0.0,
        dtype: 0,
        has_scale: 0,
        variant: 0,
        precision: 0,
        a_zero_point: std::ptr::null_mut(),
        b_zero_point: std::ptr::null_mut(),
    };
}

impl Default for netcl_matmul_options {
    fn default() -> netcl_matmul_options {
        netcl_matmul_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_matmul_options>() == 64);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_matmul_options>() == 8);

/// A batch normalisation (inference) that is folded into a convolution. All tensors are \[filters\]
/// and have x's dtype or f32.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_conv2d_batchnorm {
    pub struct_size: usize,
    /// NULL: 1
    pub scale: *mut netcl_tensor,
    /// NULL: 0
    pub bias: *mut netcl_tensor,
    pub mean: *mut netcl_tensor,
    pub variance: *mut netcl_tensor,
    /// finite, from 0 on; 0: 1e-5, but for has_epsilon
    pub epsilon: f64,
    /// 1: epsilon is set, even to 0
    pub has_epsilon: u32,
    pub reserved: u32,
}

impl netcl_conv2d_batchnorm {
    /// `NETCL_CONV2D_BATCHNORM_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_conv2d_batchnorm = netcl_conv2d_batchnorm {
        struct_size: std::mem::size_of::<netcl_conv2d_batchnorm>(),
        scale: std::ptr::null_mut(),
        bias: std::ptr::null_mut(),
        mean: std::ptr::null_mut(),
        variance: std::ptr::null_mut(),
        epsilon: 0.0,
        has_epsilon: 0,
        reserved: 0,
    };
}

impl Default for netcl_conv2d_batchnorm {
    fn default() -> netcl_conv2d_batchnorm {
        netcl_conv2d_batchnorm::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_conv2d_batchnorm>() == 56);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_conv2d_batchnorm>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_conv2d_options {
    pub struct_size: usize,
    /// NULL: none; bias has x's dtype or f32, residual x's dtype
    pub epilogue: *const netcl_epilogue,
    /// comes after the bias, before residual and activation
    pub batchnorm: *const netcl_conv2d_batchnorm,
    /// 0: 1
    pub strides: [i64; 2],
    /// 0: 1
    pub dilations: [i64; 2],
    /// zeros around x: top, left, bottom, right
    pub padding: [i64; 4],
    /// 0: 1
    pub groups: i64,
    /// 0 or one of CONV2D_...
    pub variant: netcl_variant,
    /// with CONV2D_WINOGRAD: 2 or 4; 0: by the rules
    pub winograd_tile: u32,
}

impl netcl_conv2d_options {
    /// `NETCL_CONV2D_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_conv2d_options = netcl_conv2d_options {
        struct_size: std::mem::size_of::<netcl_conv2d_options>(),
        epilogue: std::ptr::null(),
        batchnorm: std::ptr::null(),
        strides: [0; 2],
        dilations: [0; 2],
        padding: [0; 4],
        groups: 0,
        variant: 0,
        winograd_tile: 0,
    };
}

impl Default for netcl_conv2d_options {
    fn default() -> netcl_conv2d_options {
        netcl_conv2d_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_conv2d_options>() == 104);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_conv2d_options>() == 8);

/// How weights are quantised, for all ops on them, which need `format`. NBITS alone has scales,
/// zero points, bits and block_size, which are NULL and 0 with the others.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_quantized_options {
    pub struct_size: usize,
    /// \[N \* blocks\] or \[N, blocks\], f32, f16 or bf16
    pub scales: *mut netcl_tensor,
    /// NULL: 2^(bits - 1). u8 as \[N \* P\] or \[N, P\], each row's packed like codes in P =
    /// ceil(blocks bits / 8) bytes; or of the scales' dtype and shapes
    pub zero_points: *mut netcl_tensor,
    /// of a product: as in `netcl_matmul_options`; NULL: none
    pub epilogue: *const netcl_epilogue,
    /// K; 0: all weights of the blocks. Of NBITS the last block may have less: K \> (blocks - 1)
    /// block_size
    pub k: i64,
    pub format: netcl_quantization,
    /// 4 or 8 (UNSUPPORTED otherwise); 0: 4
    pub bits: u32,
    /// 16, 32, 64, 128 or 256; 0: 32
    pub block_size: u32,
    /// of what is made. Product: x's, or f32; 0: run-\>into's, or x's. Dequantised weights: f32,
    /// f16 or bf16; 0: run-\>into's, or f32. Scales of NBITS that are made: f32, f16 or bf16; 0:
    /// f32
    pub dtype: netcl_dtype,
    /// 1: `netcl_op_quantize_weights` makes zero points, of NBITS
    pub has_zero_points: u32,
    pub reserved: u32,
}

impl netcl_quantized_options {
    /// `NETCL_QUANTIZED_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_quantized_options = netcl_quantized_options {
        struct_size: std::mem::size_of::<netcl_quantized_options>(),
        scales: std::ptr::null_mut(),
        zero_points: std::ptr::null_mut(),
        epilogue: std::ptr::null(),
        k: 0,
        format: 0,
        bits: 0,
        block_size: 0,
        dtype: 0,
        has_zero_points: 0,
        reserved: 0,
    };
}

impl Default for netcl_quantized_options {
    fn default() -> netcl_quantized_options {
        netcl_quantized_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_quantized_options>() == 64);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_quantized_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_attention_options {
    pub struct_size: usize,
    /// added to the scores: of q's dtype or f32, broadcasts to \[B, H, M, N\]; -inf hides a key
    /// whose score is finite
    pub bias: *mut netcl_tensor,
    /// bool, true: the key is seen; broadcasts to \[B, H, M, N\]
    pub mask: *mut netcl_tensor,
    /// i32 \[B\]: queries of each sequence, 0 to M; NULL: M
    pub query_lengths: *mut netcl_tensor,
    /// i32 \[B\]: keys of each sequence, 0 to N; NULL: N
    pub key_lengths: *mut netcl_tensor,
    /// i32 \[B, P\]: k and v are pages, of which these are each sequence's; needs key_lengths
    pub block_table: *mut netcl_tensor,
    /// write the log-sum-exp here
    pub lse_into: *mut netcl_tensor,
    /// of q k; 0: 1 / sqrt(D), but for has_scale
    pub scale: f64,
    /// c \> 0: a score s becomes c tanh(s / c), before the bias; 0: it does not
    pub softcap: f64,
    /// with has_position: the key at which query 0 stands
    pub position: i64,
    /// with has_window: keys seen before a query's own; -1: all
    pub window_before: i64,
    /// with has_window: keys seen behind it; -1: all; causal: 0, -1
    pub window_after: i64,
    /// 1: scale is set, even to 0
    pub has_scale: u32,
    /// 1: position is set; 0: the last query stands at the last key
    pub has_position: u32,
    /// 1: they are set
    pub has_window: u32,
    /// 1: no key behind a query's own is seen
    pub causal: u32,
    /// 0 or one of ATTENTION_...
    pub variant: netcl_variant,
    pub reserved: u32,
}

impl netcl_attention_options {
    /// `NETCL_ATTENTION_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_attention_options = netcl_attention_options {
        struct_size: std::mem::size_of::<netcl_attention_options>(),
        bias: std::ptr::null_mut(),
        mask: std::ptr::null_mut(),
        query_lengths: std::ptr::null_mut(),
        key_lengths: std::ptr::null_mut(),
        block_table: std::ptr::null_mut(),
        lse_into: std::ptr::null_mut(),
        scale: 0.0,
        softcap: 0.0,
        position: 0,
        window_before: 0,
        window_after: 0,
        has_scale: 0,
        has_position: 0,
        has_window: 0,
        causal: 0,
        variant: 0,
        reserved: 0,
    };
}

impl Default for netcl_attention_options {
    fn default() -> netcl_attention_options {
        netcl_attention_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_attention_options>() == 120);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_attention_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_rotary_embedding_options {
    pub struct_size: usize,
    /// i32 or i64 \[B, S\]: the row of the caches for each token; NULL: the caches are \[B, S, R /
    /// 2\]
    pub position_ids: *mut netcl_tensor,
    /// H of x of rank 3; of rank 4 0 or H
    pub num_heads: i64,
    /// R, even: so many elements of a head, the first, are rotated, the others stay as they are; 0:
    /// D, which is even then
    pub rotary_embedding_dim: i64,
    /// 1: elements 2 i and 2 i + 1 are a pair; 0: i and i + R / 2
    pub interleaved: u32,
    /// 1: by the negative angle, which undoes a rotation
    pub inverse: u32,
}

impl netcl_rotary_embedding_options {
    /// `NETCL_ROTARY_EMBEDDING_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_rotary_embedding_options = netcl_rotary_embedding_options {
        struct_size: std::mem::size_of::<netcl_rotary_embedding_options>(),
        position_ids: std::ptr::null_mut(),
        num_heads: 0,
        rotary_embedding_dim: 0,
        interleaved: 0,
        inverse: 0,
    };
}

impl Default for netcl_rotary_embedding_options {
    fn default() -> netcl_rotary_embedding_options {
        netcl_rotary_embedding_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_rotary_embedding_options>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_rotary_embedding_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_reduce_options {
    pub struct_size: usize,
    /// axes_count 0: all axes
    pub axes: *const i32,
    pub axes_count: u32,
    /// 1: reduced axes stay with extent 1
    pub keepdims: u32,
    /// of the result; 0: as x (see `netcl_op_reduce`)
    pub dtype: netcl_dtype,
    /// 0 or one of REDUCTION_...
    pub variant: netcl_variant,
    /// 1: ARGMAX and ARGMIN give the last of equals
    pub select_last: u32,
    pub reserved: u32,
}

impl netcl_reduce_options {
    /// `NETCL_REDUCE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_reduce_options = netcl_reduce_options {
        struct_size: std::mem::size_of::<netcl_reduce_options>(),
        axes: std::ptr::null(),
        axes_count: 0,
        keepdims: 0,
        dtype: 0,
        variant: 0,
        select_last: 0,
        reserved: 0,
    };
}

impl Default for netcl_reduce_options {
    fn default() -> netcl_reduce_options {
        netcl_reduce_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_reduce_options>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_reduce_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_scan_options {
    pub struct_size: usize,
    /// 1: element i is of those before i, the first one the neutral value
    pub exclusive: u32,
    /// 1: from the end of the axis
    pub reverse: u32,
}

impl netcl_scan_options {
    /// `NETCL_SCAN_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_scan_options = netcl_scan_options {
        struct_size: std::mem::size_of::<netcl_scan_options>(),
        exclusive: 0,
        reverse: 0,
    };
}

impl Default for netcl_scan_options {
    fn default() -> netcl_scan_options {
        netcl_scan_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_scan_options>() == 16);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_scan_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_histogram_options {
    pub struct_size: usize,
    /// lower end; low = high = 0: the lowest finite value of x
    pub low: f64,
    /// upper end, which belongs to the last bin
    pub high: f64,
}

impl netcl_histogram_options {
    /// `NETCL_HISTOGRAM_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_histogram_options = netcl_histogram_options {
        struct_size: std::mem::size_of::<netcl_histogram_options>(),
        low: 0.0,
        high: 0.0,
    };
}

impl Default for netcl_histogram_options {
    fn default() -> netcl_histogram_options {
        netcl_histogram_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_histogram_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_histogram_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_topk_options {
    pub struct_size: usize,
    /// write the indices here
    pub indices_into: *mut netcl_tensor,
    /// 1: the smallest instead of the largest
    pub smallest: u32,
    pub reserved: u32,
}

impl netcl_topk_options {
    /// `NETCL_TOPK_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_topk_options = netcl_topk_options {
        struct_size: std::mem::size_of::<netcl_topk_options>(),
        indices_into: std::ptr::null_mut(),
        smallest: 0,
        reserved: 0,
    };
}

impl Default for netcl_topk_options {
    fn default() -> netcl_topk_options {
        netcl_topk_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_topk_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_topk_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_norm_options {
    pub struct_size: usize,
    /// broadcasts to the normalised axes; NULL: 1
    pub scale: *mut netcl_tensor,
    /// the same; layernorm only; NULL: 0
    pub bias: *mut netcl_tensor,
    /// finite, from 0 on; 0: 1e-5, but for has_epsilon
    pub epsilon: f64,
    /// 1: epsilon is set, even to 0
    pub has_epsilon: u32,
    pub reserved: u32,
    /// write the mean of each row here; layernorm only
    pub mean_into: *mut netcl_tensor,
    /// write 1 / sqrt(variance + epsilon) of each row here, of rmsnorm 1 / sqrt(mean(x^2) +
    /// epsilon)
    pub inverse_deviation_into: *mut netcl_tensor,
}

impl netcl_norm_options {
    /// `NETCL_NORM_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_norm_options = netcl_norm_options {
        struct_size: std::mem::size_of::<netcl_norm_options>(),
        scale: std::ptr::null_mut(),
        bias: std::ptr::null_mut(),
        epsilon: 0.0,
        has_epsilon: 0,
        reserved: 0,
        mean_into: std::ptr::null_mut(),
        inverse_deviation_into: std::ptr::null_mut(),
    };
}

impl Default for netcl_norm_options {
    fn default() -> netcl_norm_options {
        netcl_norm_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_norm_options>() == 56);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_norm_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_batchnorm_options {
    pub struct_size: usize,
    /// \[C\]; NULL: 1
    pub scale: *mut netcl_tensor,
    /// \[C\]; NULL: 0
    pub bias: *mut netcl_tensor,
    /// finite, from 0 on; 0: 1e-5, but for has_epsilon
    pub epsilon: f64,
    /// training: share of the old statistics, \[0, 1\]; 0: 0.9, but for has_momentum
    pub momentum: f64,
    /// of the activation; both 0: the activation's defaults
    pub alpha: f64,
    /// of the activation; both 0: the activation's defaults
    pub beta: f64,
    /// applied to the result
    pub activation: netcl_activation,
    /// 0 or one of BATCHNORM_...
    pub variant: netcl_variant,
    /// 1: statistics of this batch
    pub training: u32,
    /// 1: epsilon is set, even to 0
    pub has_epsilon: u32,
    /// 1: momentum is set, even to 0
    pub has_momentum: u32,
    /// 1: alpha and beta are set, even to 0
    pub has_parameters: u32,
}

impl netcl_batchnorm_options {
    /// `NETCL_BATCHNORM_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_batchnorm_options = netcl_batchnorm_options {
        struct_size: std::mem::size_of::<netcl_batchnorm_options>(),
        scale: std::ptr::null_mut(),
        bias: std::ptr::null_mut(),
        epsilon: 0.0,
        momentum: 0.0,
        alpha: 0.0,
        beta: 0.0,
        activation: 0,
        variant: 0,
        training: 0,
        has_epsilon: 0,
        has_momentum: 0,
        has_parameters: 0,
    };
}

impl Default for netcl_batchnorm_options {
    fn default() -> netcl_batchnorm_options {
        netcl_batchnorm_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_batchnorm_options>() == 80);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_batchnorm_options>() == 8);

/// A list has a number for each axis of space, or one for all of them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_pooling_options {
    pub struct_size: usize,
    /// 0, or window_count 0: the whole extent (global pooling)
    pub window: *const i64,
    /// 0, or strides_count 0: 1
    pub strides: *const i64,
    /// 0, or dilations_count 0: 1
    pub dilations: *const i64,
    /// in front of every axis, then behind every axis, less than the window spans; padding_count 0:
    /// none
    pub padding: *const i64,
    /// 0, 1 or the number of axes
    pub window_count: u32,
    /// 0, 1 or the number of axes
    pub strides_count: u32,
    /// 0, 1 or the number of axes
    pub dilations_count: u32,
    /// 0, 1 or twice the number of axes
    pub padding_count: u32,
    /// 1: round the result's extent up
    pub ceil_mode: u32,
    /// 1: averages count the padding
    pub count_include_pad: u32,
    /// write the index of each maximum here; MAX only
    pub indices_into: *mut netcl_tensor,
    /// of LP, finite and 1 or more; 0: 2. Others look at none
    pub p: f64,
    /// 1: indices count the elements of a plane by columns
    pub column_major: u32,
    pub reserved: u32,
}

impl netcl_pooling_options {
    /// `NETCL_POOLING_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_pooling_options = netcl_pooling_options {
        struct_size: std::mem::size_of::<netcl_pooling_options>(),
        window: std::ptr::null(),
        strides: std::ptr::null(),
        dilations: std::ptr::null(),
        padding: std::ptr::null(),
        window_count: 0,
        strides_count: 0,
        dilations_count: 0,
        padding_count: 0,
        ceil_mode: 0,
        count_include_pad: 0,
        indices_into: std::ptr::null_mut(),
        p: 0.0,
        column_major: 0,
        reserved: 0,
    };
}

impl Default for netcl_pooling_options {
    fn default() -> netcl_pooling_options {
        netcl_pooling_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_pooling_options>() == 88);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_pooling_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_max_unpool2d_options {
    pub struct_size: usize,
    /// 1: indices count the elements of a plane by columns
    pub column_major: u32,
    pub reserved: u32,
}

impl netcl_max_unpool2d_options {
    /// `NETCL_MAX_UNPOOL2D_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_max_unpool2d_options = netcl_max_unpool2d_options {
        struct_size: std::mem::size_of::<netcl_max_unpool2d_options>(),
        column_major: 0,
        reserved: 0,
    };
}

impl Default for netcl_max_unpool2d_options {
    fn default() -> netcl_max_unpool2d_options {
        netcl_max_unpool2d_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_max_unpool2d_options>() == 16);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_max_unpool2d_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_roi_pool_options {
    pub struct_size: usize,
    /// rows and columns of the result, at most 65536; 0: 1
    pub bins: [i64; 2],
    /// of a bin along each side, at most 256; 0: one for each element that it begins. MAX has none
    pub samples: i64,
    /// of the numbers in rois; 0: 1
    pub scale: f64,
    /// 1: the scaled numbers are less by 0.5, and regions may be narrower than an element. MAX
    /// looks at none
    pub half_pixel: u32,
    pub reserved: u32,
}

impl netcl_roi_pool_options {
    /// `NETCL_ROI_POOL_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_roi_pool_options = netcl_roi_pool_options {
        struct_size: std::mem::size_of::<netcl_roi_pool_options>(),
        bins: [0; 2],
        samples: 0,
        scale: 0.0,
        half_pixel: 0,
        reserved: 0,
    };
}

impl Default for netcl_roi_pool_options {
    fn default() -> netcl_roi_pool_options {
        netcl_roi_pool_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_roi_pool_options>() == 48);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_roi_pool_options>() == 8);

/// Whole numbers that stand for real ones: (q - zero_point) \* scale. Where a quotient is rounded
/// to a whole number, halves go to the even one, the zero point is added behind that, and what the
/// dtype does not hold becomes its lowest or highest number; NaN becomes the lowest. The bits are
/// the same on every device that divides f32 with correct rounding (docs/expressions.md) or has
/// f64; elsewhere a quotient is within 2.5 ULP, which next to a half may give the neighbour. Zero
/// points have the dtype of what they belong to. `into` shares no memory with another tensor.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_quantize_linear_options {
    pub struct_size: usize,
    /// of the scale's shape and the result's dtype; NULL: 0
    pub zero_point: *mut netcl_tensor,
    /// elements along the axis that share a scale; 0: no blocks
    pub block_size: i64,
    /// of the result: i8, u8, i16, u16; 0: as zero_point or run-\>into, else u8
    pub dtype: netcl_dtype,
    /// what x and scale are converted to, divided in and rounded to: f32, f16, bf16; 0: as scale
    pub precision: netcl_dtype,
}

impl netcl_quantize_linear_options {
    /// `NETCL_QUANTIZE_LINEAR_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_quantize_linear_options = netcl_quantize_linear_options {
        struct_size: std::mem::size_of::<netcl_quantize_linear_options>(),
        zero_point: std::ptr::null_mut(),
        block_size: 0,
        dtype: 0,
        precision: 0,
    };
}

impl Default for netcl_quantize_linear_options {
    fn default() -> netcl_quantize_linear_options {
        netcl_quantize_linear_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_quantize_linear_options>() == 32);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_quantize_linear_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_dequantize_linear_options {
    pub struct_size: usize,
    /// of the scale's shape and x's dtype; NULL: 0
    pub zero_point: *mut netcl_tensor,
    /// elements along the axis that share a scale; 0: no blocks
    pub block_size: i64,
    /// of the result: f32, f16, bf16; 0: as run-\>into, else as scale
    pub dtype: netcl_dtype,
    pub reserved: u32,
}

impl netcl_dequantize_linear_options {
    /// `NETCL_DEQUANTIZE_LINEAR_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_dequantize_linear_options = netcl_dequantize_linear_options {
        struct_size: std::mem::size_of::<netcl_dequantize_linear_options>(),
        zero_point: std::ptr::null_mut(),
        block_size: 0,
        dtype: 0,
        reserved: 0,
    };
}

impl Default for netcl_dequantize_linear_options {
    fn default() -> netcl_dequantize_linear_options {
        netcl_dequantize_linear_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_dequantize_linear_options>() == 32);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_dequantize_linear_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_dynamic_quantize_linear_options {
    pub struct_size: usize,
    /// write the scale here: f32, rank 0
    pub scale_into: *mut netcl_tensor,
    /// write the zero point here: u8, rank 0
    pub zero_point_into: *mut netcl_tensor,
}

impl netcl_dynamic_quantize_linear_options {
    /// `NETCL_DYNAMIC_QUANTIZE_LINEAR_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_dynamic_quantize_linear_options = netcl_dynamic_quantize_linear_options {
        struct_size: std::mem::size_of::<netcl_dynamic_quantize_linear_options>(),
        scale_into: std::ptr::null_mut(),
        zero_point_into: std::ptr::null_mut(),
    };
}

impl Default for netcl_dynamic_quantize_linear_options {
    fn default() -> netcl_dynamic_quantize_linear_options {
        netcl_dynamic_quantize_linear_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_dynamic_quantize_linear_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_dynamic_quantize_linear_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_qlinear_matmul_options {
    pub struct_size: usize,
    /// one element, \[M\], or \[..., M, 1\]; NULL: 0
    pub a_zero_point: *mut netcl_tensor,
    /// one element, \[N\], or \[..., 1, N\]; NULL: 0
    pub b_zero_point: *mut netcl_tensor,
    /// one element of the result's dtype; NULL: 0
    pub y_zero_point: *mut netcl_tensor,
    /// of the result: i8, u8; 0: as y_zero_point or run-\>into, else as a
    pub dtype: netcl_dtype,
    pub reserved: u32,
}

impl netcl_qlinear_matmul_options {
    /// `NETCL_QLINEAR_MATMUL_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_qlinear_matmul_options = netcl_qlinear_matmul_options {
        struct_size: std::mem::size_of::<netcl_qlinear_matmul_options>(),
        a_zero_point: std::ptr::null_mut(),
        b_zero_point: std::ptr::null_mut(),
        y_zero_point: std::ptr::null_mut(),
        dtype: 0,
        reserved: 0,
    };
}

impl Default for netcl_qlinear_matmul_options {
    fn default() -> netcl_qlinear_matmul_options {
        netcl_qlinear_matmul_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_qlinear_matmul_options>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_qlinear_matmul_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_conv2d_integer_options {
    pub struct_size: usize,
    /// one element; NULL: 0
    pub x_zero_point: *mut netcl_tensor,
    /// one element or \[F\]; NULL: 0
    pub w_zero_point: *mut netcl_tensor,
    /// 0: 1
    pub strides: [i64; 2],
    /// 0: 1
    pub dilations: [i64; 2],
    /// around x: top, left, bottom, right
    pub padding: [i64; 4],
    /// 0: 1
    pub groups: i64,
}

impl netcl_conv2d_integer_options {
    /// `NETCL_CONV2D_INTEGER_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_conv2d_integer_options = netcl_conv2d_integer_options {
        struct_size: std::mem::size_of::<netcl_conv2d_integer_options>(),
        x_zero_point: std::ptr::null_mut(),
        w_zero_point: std::ptr::null_mut(),
        strides: [0; 2],
        dilations: [0; 2],
        padding: [0; 4],
        groups: 0,
    };
}

impl Default for netcl_conv2d_integer_options {
    fn default() -> netcl_conv2d_integer_options {
        netcl_conv2d_integer_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_conv2d_integer_options>() == 96);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_conv2d_integer_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_qlinear_conv2d_options {
    pub struct_size: usize,
    /// one element; NULL: 0
    pub x_zero_point: *mut netcl_tensor,
    /// one element or \[F\]; NULL: 0
    pub w_zero_point: *mut netcl_tensor,
    /// one element of the result's dtype; NULL: 0
    pub y_zero_point: *mut netcl_tensor,
    /// i32 \[F\], in steps of x_scale \* w_scale; NULL: 0
    pub bias: *mut netcl_tensor,
    /// 0: 1
    pub strides: [i64; 2],
    /// 0: 1
    pub dilations: [i64; 2],
    /// around x: top, left, bottom, right
    pub padding: [i64; 4],
    /// 0: 1
    pub groups: i64,
    /// of the result: i8, u8; 0: as y_zero_point or run-\>into, else as x
    pub dtype: netcl_dtype,
    pub reserved: u32,
}

impl netcl_qlinear_conv2d_options {
    /// `NETCL_QLINEAR_CONV2D_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_qlinear_conv2d_options = netcl_qlinear_conv2d_options {
        struct_size: std::mem::size_of::<netcl_qlinear_conv2d_options>(),
        x_zero_point: std::ptr::null_mut(),
        w_zero_point: std::ptr::null_mut(),
        y_zero_point: std::ptr::null_mut(),
        bias: std::ptr::null_mut(),
        strides: [0; 2],
        dilations: [0; 2],
        padding: [0; 4],
        groups: 0,
        dtype: 0,
        reserved: 0,
    };
}

impl Default for netcl_qlinear_conv2d_options {
    fn default() -> netcl_qlinear_conv2d_options {
        netcl_qlinear_conv2d_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_qlinear_conv2d_options>() == 120);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_qlinear_conv2d_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_loss_options {
    pub struct_size: usize,
    /// \[C\], of the classes, in x's dtype or f32; NULL: 1
    pub weights: *mut netcl_tensor,
    /// labels of this value do not count; 0: none, but for has_ignore_index
    pub ignore_index: i64,
    /// 1: ignore_index is set, even to 0
    pub has_ignore_index: u32,
    pub reduction: netcl_loss_reduction,
    /// of the loss; 0: x's; f32 is possible for f16 and bf16
    pub dtype: netcl_dtype,
    pub reserved: u32,
}

impl netcl_loss_options {
    /// `NETCL_LOSS_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_loss_options = netcl_loss_options {
        struct_size: std::mem::size_of::<netcl_loss_options>(),
        weights: std::ptr::null_mut(),
        ignore_index: 0,
        has_ignore_index: 0,
        reduction: 0,
        dtype: 0,
        reserved: 0,
    };
}

impl Default for netcl_loss_options {
    fn default() -> netcl_loss_options {
        netcl_loss_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_loss_options>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_loss_options>() == 8);

/// f16 or bf16 parameters beside f32 masters, and gradients that were scaled to stay in range.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_mixed_precision {
    pub struct_size: usize,
    /// f32, of f16 and bf16 parameters, which are then not read: the step changes the master, of
    /// which the parameter becomes the rounding
    pub masters: *const *mut netcl_tensor,
    /// f32, one element: gradients are multiplied by 1 / scale
    pub scale: *mut netcl_tensor,
    /// f32, one element: when it is not 0 nothing is written
    pub found_inf: *mut netcl_tensor,
    /// 0 or parameters_count
    pub masters_count: u32,
    pub reserved: u32,
}

impl netcl_mixed_precision {
    /// `NETCL_MIXED_PRECISION_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_mixed_precision = netcl_mixed_precision {
        struct_size: std::mem::size_of::<netcl_mixed_precision>(),
        masters: std::ptr::null(),
        scale: std::ptr::null_mut(),
        found_inf: std::ptr::null_mut(),
        masters_count: 0,
        reserved: 0,
    };
}

impl Default for netcl_mixed_precision {
    fn default() -> netcl_mixed_precision {
        netcl_mixed_precision::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_mixed_precision>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_mixed_precision>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_sgd_options {
    pub struct_size: usize,
    /// b, needed with momentum
    pub momentum_buffers: *const *mut netcl_tensor,
    /// i64, one element, at first 0: counts steps; needed with dampening
    pub step: *mut netcl_tensor,
    /// of the learning rate
    pub factor: *mut netcl_tensor,
    pub precision: *const netcl_mixed_precision,
    /// 0: none
    pub momentum: f64,
    pub dampening: f64,
    pub weight_decay: f64,
    /// parameters_count, or 0 without momentum
    pub momentum_buffers_count: u32,
    /// 1: Nesterov's momentum, which has no dampening
    pub nesterov: u32,
}

impl netcl_sgd_options {
    /// `NETCL_SGD_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_sgd_options = netcl_sgd_options {
        struct_size: std::mem::size_of::<netcl_sgd_options>(),
        momentum_buffers: std::ptr::null(),
        step: std::ptr::null_mut(),
        factor: std::ptr::null_mut(),
        precision: std::ptr::null(),
        momentum: 0.0,
        dampening: 0.0,
        weight_decay: 0.0,
        momentum_buffers_count: 0,
        nesterov: 0,
    };
}

impl Default for netcl_sgd_options {
    fn default() -> netcl_sgd_options {
        netcl_sgd_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_sgd_options>() == 72);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_sgd_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_adam_options {
    pub struct_size: usize,
    /// when given, AMSGrad: the largest v so far
    pub max_square_averages: *const *mut netcl_tensor,
    /// of the learning rate
    pub factor: *mut netcl_tensor,
    pub precision: *const netcl_mixed_precision,
    /// 0: 0.9
    pub beta1: f64,
    /// 0: 0.999
    pub beta2: f64,
    /// 0: 1e-8
    pub epsilon: f64,
    /// the default is 0, for AdamW too
    pub weight_decay: f64,
    /// 0 or parameters_count
    pub max_square_averages_count: u32,
    /// 1: they are set, even to 0
    pub has_betas: u32,
    /// 1: AdamW
    pub decoupled: u32,
    pub reserved: u32,
}

impl netcl_adam_options {
    /// `NETCL_ADAM_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_adam_options = netcl_adam_options {
        struct_size: std::mem::size_of::<netcl_adam_options>(),
        max_square_averages: std::ptr::null(),
        factor: std::ptr::null_mut(),
        precision: std::ptr::null(),
        beta1: 0.0,
        beta2: 0.0,
        epsilon: 0.0,
        weight_decay: 0.0,
        max_square_averages_count: 0,
        has_betas: 0,
        decoupled: 0,
        reserved: 0,
    };
}

impl Default for netcl_adam_options {
    fn default() -> netcl_adam_options {
        netcl_adam_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_adam_options>() == 80);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_adam_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_rmsprop_options {
    pub struct_size: usize,
    /// b, needed with momentum
    pub momentum_buffers: *const *mut netcl_tensor,
    /// m; when given, the variance divides: "centered"
    pub averages: *const *mut netcl_tensor,
    /// of the learning rate
    pub factor: *mut netcl_tensor,
    pub precision: *const netcl_mixed_precision,
    /// 0: 0.99
    pub alpha: f64,
    /// 0: 1e-8
    pub epsilon: f64,
    /// 0: none
    pub momentum: f64,
    pub weight_decay: f64,
    /// parameters_count, or 0 without momentum
    pub momentum_buffers_count: u32,
    /// 0 or parameters_count
    pub averages_count: u32,
}

impl netcl_rmsprop_options {
    /// `NETCL_RMSPROP_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_rmsprop_options = netcl_rmsprop_options {
        struct_size: std::mem::size_of::<netcl_rmsprop_options>(),
        momentum_buffers: std::ptr::null(),
        averages: std::ptr::null(),
        factor: std::ptr::null_mut(),
        precision: std::ptr::null(),
        alpha: 0.0,
        epsilon: 0.0,
        momentum: 0.0,
        weight_decay: 0.0,
        momentum_buffers_count: 0,
        averages_count: 0,
    };
}

impl Default for netcl_rmsprop_options {
    fn default() -> netcl_rmsprop_options {
        netcl_rmsprop_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_rmsprop_options>() == 80);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_rmsprop_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_adagrad_options {
    pub struct_size: usize,
    /// i64, one element, at first 0: counts the steps; needed with learning_rate_decay
    pub step: *mut netcl_tensor,
    /// of the learning rate
    pub factor: *mut netcl_tensor,
    pub precision: *const netcl_mixed_precision,
    pub learning_rate_decay: f64,
    /// 0: 1e-10
    pub epsilon: f64,
    pub weight_decay: f64,
}

impl netcl_adagrad_options {
    /// `NETCL_ADAGRAD_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_adagrad_options = netcl_adagrad_options {
        struct_size: std::mem::size_of::<netcl_adagrad_options>(),
        step: std::ptr::null_mut(),
        factor: std::ptr::null_mut(),
        precision: std::ptr::null(),
        learning_rate_decay: 0.0,
        epsilon: 0.0,
        weight_decay: 0.0,
    };
}

impl Default for netcl_adagrad_options {
    fn default() -> netcl_adagrad_options {
        netcl_adagrad_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_adagrad_options>() == 56);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_adagrad_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_loss_scale_options {
    pub struct_size: usize,
    /// above 1; 0: 2
    pub growth_factor: f64,
    /// in (0, 1); 0: 0.5
    pub backoff_factor: f64,
    /// 0: 2000
    pub growth_interval: i64,
}

impl netcl_loss_scale_options {
    /// `NETCL_LOSS_SCALE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_loss_scale_options = netcl_loss_scale_options {
        struct_size: std::mem::size_of::<netcl_loss_scale_options>(),
        growth_factor: 0.0,
        backoff_factor: 0.0,
        growth_interval: 0,
    };
}

impl Default for netcl_loss_scale_options {
    fn default() -> netcl_loss_scale_options {
        netcl_loss_scale_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_loss_scale_options>() == 32);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_loss_scale_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_pad_options {
    pub struct_size: usize,
    /// CONSTANT: one element of x's dtype; NULL: 0
    pub value: *const c_void,
    pub mode: netcl_pad_mode,
    pub reserved: u32,
}

impl netcl_pad_options {
    /// `NETCL_PAD_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_pad_options = netcl_pad_options {
        struct_size: std::mem::size_of::<netcl_pad_options>(),
        value: std::ptr::null(),
        mode: 0,
        reserved: 0,
    };
}

impl Default for netcl_pad_options {
    fn default() -> netcl_pad_options {
        netcl_pad_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_pad_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_pad_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_scatter_options {
    pub struct_size: usize,
    pub mode: netcl_scatter_mode,
    /// 1: ADD of f32, i32, u32 in any order, faster; other dtypes UNSUPPORTED
    pub atomics: u32,
}

impl netcl_scatter_options {
    /// `NETCL_SCATTER_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_scatter_options = netcl_scatter_options {
        struct_size: std::mem::size_of::<netcl_scatter_options>(),
        mode: 0,
        atomics: 0,
    };
}

impl Default for netcl_scatter_options {
    fn default() -> netcl_scatter_options {
        netcl_scatter_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_scatter_options>() == 16);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_scatter_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_resize_options {
    pub struct_size: usize,
    pub mode: netcl_resize_mode,
    pub coordinates: netcl_resize_coordinates,
    /// of coordinates, for NEAREST; others look at none
    pub rounding: netcl_resize_rounding,
    /// 1: LINEAR and CUBIC reach 1 / scale times as far along axes whose scale is below 1. NEAREST
    /// looks at none
    pub antialias: u32,
    /// 1: elements beyond the edge have no weight, and those that are left share it; else they are
    /// as at the edge
    pub exclude_outside: u32,
    /// 1: cubic_coeff is set, even to 0
    pub has_cubic_coeff: u32,
    /// of CUBIC, ONNX's cubic_coeff_a; 0: -0.75, but for has_cubic_coeff
    pub cubic_coeff: f64,
    /// under TF_CROP_AND_RESIZE, of elements that lie outside of x, below 0 or beyond in - 1
    pub extrapolation_value: f64,
    /// of each axis, above 0; scales_count 0: out / in
    pub scales: *const f64,
    /// for TF_CROP_AND_RESIZE: the start of every axis, then the end of every axis, as parts of in
    /// \- 1; roi_count 0: 0 and 1. Others look at none
    pub roi: *const f64,
    /// 0 or rank
    pub scales_count: u32,
    /// 0 or 2 rank
    pub roi_count: u32,
}

impl netcl_resize_options {
    /// `NETCL_RESIZE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_resize_options = netcl_resize_options {
        struct_size: std::mem::size_of::<netcl_resize_options>(),
        mode: 0,
        coordinates: 0,
        rounding: 0,
        antialias: 0,
        exclude_outside: 0,
        has_cubic_coeff: 0,
        cubic_coeff: 0.0,
        extrapolation_value: 0.0,
        scales: std::ptr::null(),
        roi: std::ptr::null(),
        scales_count: 0,
        roi_count: 0,
    };
}

impl Default for netcl_resize_options {
    fn default() -> netcl_resize_options {
        netcl_resize_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_resize_options>() == 72);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_resize_options>() == 8);

/// How a graph records.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_graph_options {
    pub struct_size: usize,
    /// `NETCL_ON`, the default: calls run while they are recorded, and the graph is a tape.
    /// `NETCL_OFF`: they do not, and it is a capture
    pub execute: netcl_toggle,
    pub reserved: u32,
}

impl netcl_graph_options {
    /// `NETCL_GRAPH_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_graph_options = netcl_graph_options {
        struct_size: std::mem::size_of::<netcl_graph_options>(),
        execute: 0,
        reserved: 0,
    };
}

impl Default for netcl_graph_options {
    fn default() -> netcl_graph_options {
        netcl_graph_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_graph_options>() == 16);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_graph_options>() == 8);

/// A call of a graph's function: valid while that runs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_graph_call {
    pub struct_size: usize,
    /// stand for those of a run, with their dtypes and shapes and without content: values of the
    /// capture; borrowed
    pub inputs: *const *mut netcl_tensor,
    /// run-\>graph is the capture that records, to be handed on to each op and launch
    pub run: *const netcl_run_options,
    pub inputs_count: u32,
    pub outputs_count: u32,
}

impl netcl_graph_call {
    /// `NETCL_GRAPH_CALL_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_graph_call = netcl_graph_call {
        struct_size: std::mem::size_of::<netcl_graph_call>(),
        inputs: std::ptr::null(),
        run: std::ptr::null(),
        inputs_count: 0,
        outputs_count: 0,
    };
}

impl Default for netcl_graph_call {
    fn default() -> netcl_graph_call {
        netcl_graph_call::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_graph_call>() == 32);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_graph_call>() == 8);

/// How a graph made from a function compiles what that records.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_graph_function_options {
    pub struct_size: usize,
    /// forms that are kept; 0: 16
    pub forms_most: u64,
    /// as in `netcl_graph_compile_options`
    pub fuse: netcl_toggle,
    pub reserved: u32,
}

impl netcl_graph_function_options {
    /// `NETCL_GRAPH_FUNCTION_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_graph_function_options = netcl_graph_function_options {
        struct_size: std::mem::size_of::<netcl_graph_function_options>(),
        forms_most: 0,
        fuse: 0,
        reserved: 0,
    };
}

impl Default for netcl_graph_function_options {
    fn default() -> netcl_graph_function_options {
        netcl_graph_function_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_graph_function_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_graph_function_options>() == 8);

/// What is known of a graph.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_graph_info {
    pub struct_size: usize,
    /// calls that are recorded; writes of others in between are none
    pub call_count: u64,
    /// memory that their tensors keep, each piece counted once
    pub kept_bytes: u64,
    /// of a compiled capture: calls that are left, joined or not
    pub step_count: u64,
    /// steps of which `netcl_graph_compile` has made the commands so far
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

impl netcl_graph_info {
    /// `NETCL_GRAPH_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_graph_info = netcl_graph_info {
        struct_size: std::mem::size_of::<netcl_graph_info>(),
        call_count: 0,
        kept_bytes: 0,
        step_count: 0,
        ready_count: 0,
        command_count: 0,
        planned_bytes: 0,
        live_bytes: 0,
        form_count: 0,
    };
}

impl Default for netcl_graph_info {
    fn default() -> netcl_graph_info {
        netcl_graph_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_graph_info>() == 72);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_graph_info>() == 8);

/// How gradients are worked out; see `netcl_graph_add_gradients`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_gradients_options {
    pub struct_size: usize,
    /// gradients of the outputs, of their shapes and dtypes; none: 1 for each output, which then
    /// has one element
    pub seeds: *const *mut netcl_tensor,
    /// where gradients go: of the inputs' shapes and dtypes, each on memory of its own; none: new
    /// tensors
    pub into: *const *mut netcl_tensor,
    /// NULL: the default queue of the graph's device
    pub queue: *mut netcl_queue,
    /// receives one reference: all gradients are there; refused for a capture
    pub event: *mut *mut netcl_event,
    /// 0 or outputs_count
    pub seeds_count: u32,
    /// 0 or inputs_count
    pub into_count: u32,
    /// 1: what is in `into` is added to
    pub accumulate: u32,
    /// 1: calls are forgotten as soon as their gradients are known, and those that work them out
    /// are not recorded; the graph is empty afterwards, also when that fails on the way. What is
    /// refused before that leaves it as it was: arguments, and an input that no output depends on.
    /// Refused for a capture
    pub consume: u32,
    /// gets the gradients, of this call or, of a capture, of each run; see `netcl_reducer_wait`.
    /// One for all calls of a capture, and its rank has the graph's device; NULL: none
    pub reducer: *mut netcl_reducer,
}

impl netcl_gradients_options {
    /// `NETCL_GRADIENTS_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_gradients_options = netcl_gradients_options {
        struct_size: std::mem::size_of::<netcl_gradients_options>(),
        seeds: std::ptr::null(),
        into: std::ptr::null(),
        queue: std::ptr::null_mut(),
        event: std::ptr::null_mut(),
        seeds_count: 0,
        into_count: 0,
        accumulate: 0,
        consume: 0,
        reducer: std::ptr::null_mut(),
    };
}

impl Default for netcl_gradients_options {
    fn default() -> netcl_gradients_options {
        netcl_gradients_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_gradients_options>() == 64);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_gradients_options>() == 8);

/// How a capture is made ready to run.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_graph_compile_options {
    pub struct_size: usize,
    /// `NETCL_OFF`: calls are left as they are; the default joins those that can be done by one
    /// kernel. Refused for a graph made from a function
    pub fuse: netcl_toggle,
    pub reserved: u32,
}

impl netcl_graph_compile_options {
    /// `NETCL_GRAPH_COMPILE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_graph_compile_options = netcl_graph_compile_options {
        struct_size: std::mem::size_of::<netcl_graph_compile_options>(),
        fuse: 0,
        reserved: 0,
    };
}

impl Default for netcl_graph_compile_options {
    fn default() -> netcl_graph_compile_options {
        netcl_graph_compile_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_graph_compile_options>() == 16);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_graph_compile_options>() == 8);

/// How a model is loaded.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_model_options {
    pub struct_size: usize,
    /// compiled forms that are kept, of each step where the host decides between steps
    /// (docs/models.md); 0: 16
    pub forms_most: u64,
    /// as in `netcl_graph_compile_options`
    pub fuse: netcl_toggle,
    /// of weights and of the values between, where the file has f32: F16, BF16, or 0 for F32.
    /// Products and other sums add up in f32, and what a short dtype cannot hold stays f32
    /// (docs/models.md)
    pub dtype: netcl_dtype,
}

impl netcl_model_options {
    /// `NETCL_MODEL_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_model_options = netcl_model_options {
        struct_size: std::mem::size_of::<netcl_model_options>(),
        forms_most: 0,
        fuse: 0,
        dtype: 0,
    };
}

impl Default for netcl_model_options {
    fn default() -> netcl_model_options {
        netcl_model_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_model_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_model_options>() == 8);

/// What is known of a model. Texts that are longer are cut.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_model_info {
    pub struct_size: usize,
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
    pub input_count: u32,
    pub output_count: u32,
    pub name: [c_char; 128],
    /// the program that wrote the file, with its version
    pub producer: [c_char; 128],
}

impl netcl_model_info {
    /// `NETCL_MODEL_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_model_info = netcl_model_info {
        struct_size: std::mem::size_of::<netcl_model_info>(),
        node_count: 0,
        weight_count: 0,
        weight_bytes: 0,
        form_count: 0,
        ir_version: 0,
        opset: 0,
        input_count: 0,
        output_count: 0,
        name: [0; 128],
        producer: [0; 128],
    };
}

impl Default for netcl_model_info {
    fn default() -> netcl_model_info {
        netcl_model_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_model_info>() == 320);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_model_info>() == 8);

/// An input or an output of a model, as the file describes it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_model_value {
    pub struct_size: usize,
    /// 0: the file does not say
    pub dtype: netcl_dtype,
    /// 1: the file says the rank; 0: rank is 0
    pub has_rank: u32,
    pub rank: u32,
    /// 1: an input that the host reads, see above
    pub bound: u32,
    /// extents; -1: any
    pub shape: [i64; 8],
    /// cut where it is longer
    pub name: [c_char; 256],
    /// the extents with their names, "\[batch, 3, 224, 224\]"; "?" for one without; "" without a
    /// rank
    pub dimensions: [c_char; 256],
}

impl netcl_model_value {
    /// `NETCL_MODEL_VALUE_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_model_value = netcl_model_value {
        struct_size: std::mem::size_of::<netcl_model_value>(),
        dtype: 0,
        has_rank: 0,
        rank: 0,
        bound: 0,
        shape: [0; 8],
        name: [0; 256],
        dimensions: [0; 256],
    };
}

impl Default for netcl_model_value {
    fn default() -> netcl_model_value {
        netcl_model_value::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_model_value>() == 600);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_model_value>() == 8);

/// How weights are opened.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_weights_options {
    pub struct_size: usize,
    /// look into the file where that can be; DEFAULT: ON, OFF: copy always
    pub map: netcl_toggle,
    pub reserved: u32,
}

impl netcl_weights_options {
    /// `NETCL_WEIGHTS_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_weights_options = netcl_weights_options {
        struct_size: std::mem::size_of::<netcl_weights_options>(),
        map: 0,
        reserved: 0,
    };
}

impl Default for netcl_weights_options {
    fn default() -> netcl_weights_options {
        netcl_weights_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_weights_options>() == 16);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_weights_options>() == 8);

/// What is known of a file of weights.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_weights_info {
    pub struct_size: usize,
    pub format: netcl_weights_format,
    /// of GGUF; 0 for other formats
    pub version: u32,
    pub tensor_count: u32,
    /// keys of __metadata__ of safetensors, key-values of GGUF
    pub metadata_count: u32,
    pub file_bytes: u64,
}

impl netcl_weights_info {
    /// `NETCL_WEIGHTS_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_weights_info = netcl_weights_info {
        struct_size: std::mem::size_of::<netcl_weights_info>(),
        format: 0,
        version: 0,
        tensor_count: 0,
        metadata_count: 0,
        file_bytes: 0,
    };
}

impl Default for netcl_weights_info {
    fn default() -> netcl_weights_info {
        netcl_weights_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_weights_info>() == 32);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_weights_info>() == 8);

/// A tensor as its file describes it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_weights_entry {
    pub struct_size: usize,
    /// of what `netcl_weights_get_tensor` gives; 0: none
    pub dtype: netcl_dtype,
    /// Q4_0, Q8_0 or Q4_K of GGUF; 0: none
    pub quantization: netcl_quantization,
    pub rank: u32,
    pub reserved: u32,
    /// in C order, the slowest first; of weights in blocks that of the weights
    pub shape: [i64; 8],
    /// of the elements in memory; 0 for types of GGUF that this library does not know
    pub byte_count: u64,
    /// as the format calls it: "BF16", "Q6_K", "\<f4"
    pub type_: [c_char; 32],
    pub name: [c_char; 256],
}

impl netcl_weights_entry {
    /// `NETCL_WEIGHTS_ENTRY_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_weights_entry = netcl_weights_entry {
        struct_size: std::mem::size_of::<netcl_weights_entry>(),
        dtype: 0,
        quantization: 0,
        rank: 0,
        reserved: 0,
        shape: [0; 8],
        byte_count: 0,
        type_: [0; 32],
        name: [0; 256],
    };
}

impl Default for netcl_weights_entry {
    fn default() -> netcl_weights_entry {
        netcl_weights_entry::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_weights_entry>() == 384);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_weights_entry>() == 8);

/// What is written beside the tensors of a file of weights.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_weights_save_options {
    pub struct_size: usize,
    /// of metadata, which safetensors alone has: distinct, UTF-8 without control characters
    pub keys: *const *const c_char,
    /// a text of UTF-8 for each key
    pub values: *const *const c_char,
    pub keys_count: u32,
    pub values_count: u32,
}

impl netcl_weights_save_options {
    /// `NETCL_WEIGHTS_SAVE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_weights_save_options = netcl_weights_save_options {
        struct_size: std::mem::size_of::<netcl_weights_save_options>(),
        keys: std::ptr::null(),
        values: std::ptr::null(),
        keys_count: 0,
        values_count: 0,
    };
}

impl Default for netcl_weights_save_options {
    fn default() -> netcl_weights_save_options {
        netcl_weights_save_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_weights_save_options>() == 32);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_weights_save_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_group_options {
    pub struct_size: usize,
    /// the longest that a rank waits for another; 0: 60 seconds
    pub timeout_ns: u64,
    pub transport: netcl_group_transport,
    /// must be 0
    pub reserved: u32,
}

impl netcl_group_options {
    /// `NETCL_GROUP_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_group_options = netcl_group_options {
        struct_size: std::mem::size_of::<netcl_group_options>(),
        timeout_ns: 0,
        transport: 0,
        reserved: 0,
    };
}

impl Default for netcl_group_options {
    fn default() -> netcl_group_options {
        netcl_group_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_group_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_group_options>() == 8);

/// What a group is, as one of its ranks sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_group_info {
    pub struct_size: usize,
    pub rank: u32,
    pub size: u32,
    /// what made the group unusable; 0 while it is usable
    pub failure: netcl_status,
    /// the one that it has: never AUTO
    pub transport: netcl_group_transport,
    pub timeout_ns: u64,
    /// collectives that this rank has begun, those among them that a rank refused, sends and
    /// receives left out: while a group is usable, ranks at the same place of the program have the
    /// same number
    pub calls: u64,
}

impl netcl_group_info {
    /// `NETCL_GROUP_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_group_info = netcl_group_info {
        struct_size: std::mem::size_of::<netcl_group_info>(),
        rank: 0,
        size: 0,
        failure: 0,
        transport: 0,
        timeout_ns: 0,
        calls: 0,
    };
}

impl Default for netcl_group_info {
    fn default() -> netcl_group_info {
        netcl_group_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_group_info>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_group_info>() == 8);

/// How a reducer joins gradients.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_reducer_options {
    pub struct_size: usize,
    /// a bucket with so many is full; 0: 4 MiB
    pub bucket_bytes: u64,
    /// SUM or MEAN; 0: MEAN
    pub kind: netcl_reduction,
    /// must be 0
    pub reserved: u32,
}

impl netcl_reducer_options {
    /// `NETCL_REDUCER_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_reducer_options = netcl_reducer_options {
        struct_size: std::mem::size_of::<netcl_reducer_options>(),
        bucket_bytes: 0,
        kind: 0,
        reserved: 0,
    };
}

impl Default for netcl_reducer_options {
    fn default() -> netcl_reducer_options {
        netcl_reducer_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_reducer_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_reducer_options>() == 8);

/// What a reducer is, and what it has done.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_reducer_info {
    pub struct_size: usize,
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
    pub kind: netcl_reduction,
    /// 1: the last run was not waited for yet
    pub waiting: u32,
    /// of `bytes`, those that went by rooms of two ranks
    pub room_bytes: u64,
}

impl netcl_reducer_info {
    /// `NETCL_REDUCER_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_reducer_info = netcl_reducer_info {
        struct_size: std::mem::size_of::<netcl_reducer_info>(),
        bucket_bytes: 0,
        runs: 0,
        gradients: 0,
        buckets: 0,
        bytes: 0,
        kind: 0,
        waiting: 0,
        room_bytes: 0,
    };
}

impl Default for netcl_reducer_info {
    fn default() -> netcl_reducer_info {
        netcl_reducer_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_reducer_info>() == 64);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_reducer_info>() == 8);

/// How a tensor lies on the ranks of a group.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_sharding_options {
    pub struct_size: usize,
    /// extents whose product is the size of the group; mesh_count 0: one dimension of all ranks
    pub mesh: *const u32,
    /// for each dimension of the mesh the axis that it splits, not counted from the end, or
    /// `NETCL_REPLICATED`; axes_count 0: dimension d splits axis d
    pub axes: *const i32,
    pub mesh_count: u32,
    pub axes_count: u32,
}

impl netcl_sharding_options {
    /// `NETCL_SHARDING_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_sharding_options = netcl_sharding_options {
        struct_size: std::mem::size_of::<netcl_sharding_options>(),
        mesh: std::ptr::null(),
        axes: std::ptr::null(),
        mesh_count: 0,
        axes_count: 0,
    };
}

impl Default for netcl_sharding_options {
    fn default() -> netcl_sharding_options {
        netcl_sharding_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_sharding_options>() == 32);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_sharding_options>() == 8);

/// What a sharded tensor is, as one of its ranks sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_sharded_info {
    pub struct_size: usize,
    pub dtype: netcl_dtype,
    /// of the tensor
    pub rank: u32,
    /// of the whole
    pub shape: [i64; 8],
    /// dimensions of the mesh
    pub mesh_rank: u32,
    pub mesh: [u32; 3],
    /// what they split, or `NETCL_REPLICATED`
    pub axes: [i32; 3],
    /// 0
    pub reserved: u32,
}

impl netcl_sharded_info {
    /// `NETCL_SHARDED_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_sharded_info = netcl_sharded_info {
        struct_size: std::mem::size_of::<netcl_sharded_info>(),
        dtype: 0,
        rank: 0,
        shape: [0; 8],
        mesh_rank: 0,
        mesh: [0; 3],
        axes: [0; 3],
        reserved: 0,
    };
}

impl Default for netcl_sharded_info {
    fn default() -> netcl_sharded_info {
        netcl_sharded_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_sharded_info>() == 112);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_sharded_info>() == 8);

/// Where in the whole the block of a rank lies.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_block_info {
    pub struct_size: usize,
    /// index of its first element
    pub first: [i64; 8],
    pub shape: [i64; 8],
}

impl netcl_block_info {
    /// `NETCL_BLOCK_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_block_info = netcl_block_info {
        struct_size: std::mem::size_of::<netcl_block_info>(),
        first: [0; 8],
        shape: [0; 8],
    };
}

impl Default for netcl_block_info {
    fn default() -> netcl_block_info {
        netcl_block_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_block_info>() == 136);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_block_info>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_halo_options {
    pub struct_size: usize,
    /// of elements outside of the whole; as `netcl_op_cast` converts it
    pub value: f64,
    /// 1: outside of the whole it begins again; pads are at most extents
    pub periodic: u32,
    pub reserved: u32,
}

impl netcl_halo_options {
    /// `NETCL_HALO_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_halo_options = netcl_halo_options {
        struct_size: std::mem::size_of::<netcl_halo_options>(),
        value: 0.0,
        periodic: 0,
        reserved: 0,
    };
}

impl Default for netcl_halo_options {
    fn default() -> netcl_halo_options {
        netcl_halo_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_halo_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_halo_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_measurement_options {
    pub struct_size: usize,
    /// runs before the first sample; 0: 3
    pub warmup_count: u64,
    /// and at least this long; 0: 25 ms, unless count is set
    pub warmup_ns: u64,
    /// exactly this many samples; 0: by the rules below
    pub count: u64,
    /// 0: 10
    pub count_least: u64,
    /// 0: 100000
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
    /// 1: flush the device's caches before each sample
    pub cold_cache: u32,
    pub source: netcl_time_source,
    pub reserved: u32,
    /// calls that measure to the end: receives one reference to the measurement, which has the
    /// samples
    pub measurement: *mut *mut netcl_measurement,
}

impl netcl_measurement_options {
    /// `NETCL_MEASUREMENT_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_measurement_options = netcl_measurement_options {
        struct_size: std::mem::size_of::<netcl_measurement_options>(),
        warmup_count: 0,
        warmup_ns: 0,
        count: 0,
        count_least: 0,
        count_most: 0,
        budget_ns: 0,
        confidence: 0.0,
        precision: 0.0,
        flush_bytes: 0,
        seed: 0,
        candidates: 0,
        cold_cache: 0,
        source: 0,
        reserved: 0,
        measurement: std::ptr::null_mut(),
    };
}

impl Default for netcl_measurement_options {
    fn default() -> netcl_measurement_options {
        netcl_measurement_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_measurement_options>() == 112);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_measurement_options>() == 8);

/// Statistics of samples, times in nanoseconds for one iteration.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_statistics {
    pub struct_size: usize,
    /// samples
    pub count: u64,
    pub median: f64,
    pub mean: f64,
    /// of the sample (n - 1); 0 for one sample
    pub deviation: f64,
    pub min: f64,
    pub max: f64,
    /// quartiles interpolate between samples (Hyndman, Fan, type 7)
    pub quartile_low: f64,
    pub quartile_high: f64,
    /// interval of the median, from order statistics
    pub interval_low: f64,
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
    pub dtype: netcl_dtype,
    pub stop: netcl_stop_reason,
    /// 1: caches were flushed before samples
    pub cold_cache: u32,
    /// 1: a probe showed that flushing makes reads slower here
    pub flush_proven: u32,
    /// 1: some of the operations are declared for matrix units
    pub matrix_units: u32,
    pub reserved: u32,
}

impl netcl_statistics {
    /// `NETCL_STATISTICS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_statistics = netcl_statistics {
        struct_size: std::mem::size_of::<netcl_statistics>(),
        count: 0,
        median: 0.0,
        mean: 0.0,
        deviation: 0.0,
        min: 0.0,
        max: 0.0,
        quartile_low: 0.0,
        quartile_high: 0.0,
        interval_low: 0.0,
        interval_high: 0.0,
        confidence: 0.0,
        iterations: 0,
        warmup_count: 0,
        resolution_ns: 0,
        bytes: 0.0,
        bytes_written: 0.0,
        operations: 0.0,
        dtype: 0,
        stop: 0,
        cold_cache: 0,
        flush_proven: 0,
        matrix_units: 0,
        reserved: 0,
    };
}

impl Default for netcl_statistics {
    fn default() -> netcl_statistics {
        netcl_statistics::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_statistics>() == 168);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_statistics>() == 8);

/// How the times of two candidates compare.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_comparison {
    pub struct_size: usize,
    /// median of the first over median of the second
    pub ratio: f64,
    /// bootstrap interval of the ratio (percentiles, seeded)
    pub interval_low: f64,
    pub interval_high: f64,
    pub verdict: netcl_verdict,
    pub reserved: u32,
}

impl netcl_comparison {
    /// `NETCL_COMPARISON_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_comparison = netcl_comparison {
        struct_size: std::mem::size_of::<netcl_comparison>(),
        ratio: 0.0,
        interval_low: 0.0,
        interval_high: 0.0,
        verdict: 0,
        reserved: 0,
    };
}

impl Default for netcl_comparison {
    fn default() -> netcl_comparison {
        netcl_comparison::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_comparison>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_comparison>() == 8);

/// What a timer saw between start and stop.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_elapsed {
    pub struct_size: usize,
    /// start of the first command to end of the last
    pub span_ns: u64,
    /// union of the commands' times
    pub busy_ns: u64,
    /// the host's clock from start to the first stop
    pub host_ns: u64,
    pub commands: u64,
}

impl netcl_elapsed {
    /// `NETCL_ELAPSED_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_elapsed = netcl_elapsed {
        struct_size: std::mem::size_of::<netcl_elapsed>(),
        span_ns: 0,
        busy_ns: 0,
        host_ns: 0,
        commands: 0,
    };
}

impl Default for netcl_elapsed {
    fn default() -> netcl_elapsed {
        netcl_elapsed::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_elapsed>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_elapsed>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_profile_options {
    pub struct_size: usize,
    /// also write a trace there: Chrome's JSON, which Perfetto reads
    pub trace_path: *const c_char,
    /// commands kept for the report; 0: 1000000
    pub records_most: u64,
}

impl netcl_profile_options {
    /// `NETCL_PROFILE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_profile_options = netcl_profile_options {
        struct_size: std::mem::size_of::<netcl_profile_options>(),
        trace_path: std::ptr::null(),
        records_most: 0,
    };
}

impl Default for netcl_profile_options {
    fn default() -> netcl_profile_options {
        netcl_profile_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_profile_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_profile_options>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_roofline_options {
    pub struct_size: usize,
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
    /// OFF: being at the roofline is no reason to stop
    pub early_stop: netcl_toggle,
}

impl netcl_roofline_options {
    /// `NETCL_ROOFLINE_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_roofline_options = netcl_roofline_options {
        struct_size: std::mem::size_of::<netcl_roofline_options>(),
        threshold_pct: 0.0,
        min_improvement_pct: 0.0,
        tensor_core_threshold_pct: 0.0,
        underutilized_pct: 0.0,
        convergence_rounds: 0,
        early_stop: 0,
    };
}

impl Default for netcl_roofline_options {
    fn default() -> netcl_roofline_options {
        netcl_roofline_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_roofline_options>() == 48);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_roofline_options>() == 8);

/// How near a kernel is to the limits of its device. Percentages may exceed 100: beating a ceiling
/// shows that the ceiling is wrong, and is warned of above 105.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_roofline_result {
    pub struct_size: usize,
    pub compute_sol_pct: f64,
    pub memory_sol_pct: f64,
    /// the larger of the two
    pub efficiency_pct: f64,
    /// 1: efficiency_pct \>= threshold_pct
    pub at_roofline: u32,
    /// 1: some of the work ran on them
    pub uses_tensor_cores: u32,
    /// 100 - efficiency_pct, at least 0
    pub headroom_pct: f64,
    pub bottleneck: netcl_bottleneck,
    pub source: netcl_roofline_source,
    /// model: operations per byte; 0 when unknown
    pub arithmetic_intensity: f64,
    /// the time it is about; 0 when unknown
    pub time_ns: f64,
    /// model: the shortest time that the ceilings allow
    pub roof_ns: f64,
    pub warnings_count: u32,
    pub reserved: u32,
    /// model: the ceiling that binds, "memory_read"
    pub ceiling: [c_char; 32],
    /// joined by "; "
    pub warnings: [c_char; 512],
    /// NCU report: the launches that matched; else 0
    pub launches_count: u32,
    /// which of these it is, from 0 on, as they stand there
    pub launch: u32,
    /// its kernel, as far as it fits; control bytes are spaces
    pub kernel: [c_char; 256],
}

impl netcl_roofline_result {
    /// `NETCL_ROOFLINE_RESULT_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_roofline_result = netcl_roofline_result {
        struct_size: std::mem::size_of::<netcl_roofline_result>(),
        compute_sol_pct: 0.0,
        memory_sol_pct: 0.0,
        efficiency_pct: 0.0,
        at_roofline: 0,
        uses_tensor_cores: 0,
        headroom_pct: 0.0,
        bottleneck: 0,
        source: 0,
        arithmetic_intensity: 0.0,
        time_ns: 0.0,
        roof_ns: 0.0,
        warnings_count: 0,
        reserved: 0,
        ceiling: [0; 32],
        warnings: [0; 512],
        launches_count: 0,
        launch: 0,
        kernel: [0; 256],
    };
}

impl Default for netcl_roofline_result {
    fn default() -> netcl_roofline_result {
        netcl_roofline_result::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_roofline_result>() == 896);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_roofline_result>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_ncu_options {
    pub struct_size: usize,
    /// part of the kernel's name; NULL: every launch
    pub kernel: *const c_char,
    pub policy: netcl_ncu_policy,
    /// 1: `kernel` is the whole name
    pub exact: u32,
}

impl netcl_ncu_options {
    /// `NETCL_NCU_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_ncu_options = netcl_ncu_options {
        struct_size: std::mem::size_of::<netcl_ncu_options>(),
        kernel: std::ptr::null(),
        policy: 0,
        exact: 0,
    };
}

impl Default for netcl_ncu_options {
    fn default() -> netcl_ncu_options {
        netcl_ncu_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_ncu_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_ncu_options>() == 8);

/// One limit. Frozen: travels in arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_ceiling {
    pub kind: netcl_ceiling_kind,
    /// COMPUTE and TENSOR; else 0
    pub dtype: netcl_dtype,
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

impl netcl_ceiling {
    /// all zero.
    pub const INIT: netcl_ceiling = netcl_ceiling {
        kind: 0,
        dtype: 0,
        working_set: 0,
        value: 0.0,
        spread: 0.0,
        given: 0,
        disproved: 0,
    };
}

impl Default for netcl_ceiling {
    fn default() -> netcl_ceiling {
        netcl_ceiling::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_ceiling>() == 40);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_ceiling>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_ceilings_options {
    pub struct_size: usize,
    /// for all probes, the building of their kernels apart; runs that differ much are made again
    /// for up to as long once more; 0: 3 s
    pub budget_ns: u64,
    /// 1: do not take what was measured before
    pub remeasure: u32,
    /// 1: neither take from the disk nor keep there
    pub no_store: u32,
}

impl netcl_ceilings_options {
    /// `NETCL_CEILINGS_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_ceilings_options = netcl_ceilings_options {
        struct_size: std::mem::size_of::<netcl_ceilings_options>(),
        budget_ns: 0,
        remeasure: 0,
        no_store: 0,
    };
}

impl Default for netcl_ceilings_options {
    fn default() -> netcl_ceilings_options {
        netcl_ceilings_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_ceilings_options>() == 24);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_ceilings_options>() == 8);

/// Where ceilings come from.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_ceilings_info {
    pub struct_size: usize,
    /// CLOCK_REALTIME of the measuring; 0: nothing was measured
    pub time_ns: u64,
    /// how long it took
    pub spent_ns: u64,
    /// rows that `netcl_ceilings_get` gives
    pub rows_count: u32,
    /// 1: measured by an earlier process
    pub from_store: u32,
    pub device: [c_char; 256],
    pub driver_version: [c_char; 128],
}

impl netcl_ceilings_info {
    /// `NETCL_CEILINGS_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_ceilings_info = netcl_ceilings_info {
        struct_size: std::mem::size_of::<netcl_ceilings_info>(),
        time_ns: 0,
        spent_ns: 0,
        rows_count: 0,
        from_store: 0,
        device: [0; 256],
        driver_version: [0; 128],
    };
}

impl Default for netcl_ceilings_info {
    fn default() -> netcl_ceilings_info {
        netcl_ceilings_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_ceilings_info>() == 416);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_ceilings_info>() == 8);

/// What a result belongs to. Driver, shape and scalars may differ in an answer, all other members
/// have to be equal. NULL is "".
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_tuning_key {
    pub struct_size: usize,
    /// name of the kernel or op; must be set
    pub kernel: *const c_char,
    /// something that changes with the source, such as its hash
    pub source: *const c_char,
    /// build flags
    pub flags: *const c_char,
    /// "f32,f32"
    pub dtypes: *const c_char,
    pub layout: *const c_char,
    /// which device; NULL with a device: its own part
    pub part: *const c_char,
    /// NULL with a device: its own driver
    pub driver: *const c_char,
    pub shape: [i64; 24],
    pub shape_count: u32,
    pub scalars_count: u32,
    /// Of a kernel: its integer arguments in their order. Those of 1 and more may be near ones, as
    /// extents may; the others have to be equal. Local memory is -1 - bytes, and what is no integer
    /// or too much a hash below 0.
    pub scalars: [i64; 16],
}

impl netcl_tuning_key {
    /// `NETCL_TUNING_KEY_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_tuning_key = netcl_tuning_key {
        struct_size: std::mem::size_of::<netcl_tuning_key>(),
        kernel: std::ptr::null(),
        source: std::ptr::null(),
        flags: std::ptr::null(),
        dtypes: std::ptr::null(),
        layout: std::ptr::null(),
        part: std::ptr::null(),
        driver: std::ptr::null(),
        shape: [0; 24],
        shape_count: 0,
        scalars_count: 0,
        scalars: [0; 16],
    };
}

impl Default for netcl_tuning_key {
    fn default() -> netcl_tuning_key {
        netcl_tuning_key::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_tuning_key>() == 392);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_tuning_key>() == 8);

/// One record. Times are nanoseconds, 0 when unknown; longer texts are cut.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_tuning_record {
    pub struct_size: usize,
    pub median: f64,
    pub interval_low: f64,
    pub interval_high: f64,
    /// of BEST: what the default configuration takes
    pub default_median: f64,
    pub samples_count: u64,
    /// seconds since 1970
    pub timestamp: i64,
    pub shape: [i64; 24],
    pub shape_count: u32,
    /// of an answer, else 0
    pub match_: netcl_match,
    pub kind: netcl_tuning_record_kind,
    pub outcome: netcl_outcome,
    pub kernel: [c_char; 128],
    pub source: [c_char; 64],
    pub flags: [c_char; 256],
    pub dtypes: [c_char; 128],
    pub layout: [c_char; 64],
    pub part: [c_char; 256],
    pub driver: [c_char; 256],
    /// of BEST and QUARANTINE: why; else what went wrong
    pub reason: [c_char; 256],
    /// as in `netcl_tuning_key`
    pub scalars: [i64; 16],
    pub scalars_count: u32,
    pub reserved: u32,
    /// work items, where a formula of the space gave them; else zeros
    pub global: [u64; 3],
    /// of a group, likewise
    pub local: [u64; 3],
}

impl netcl_tuning_record {
    /// `NETCL_TUNING_RECORD_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_tuning_record = netcl_tuning_record {
        struct_size: std::mem::size_of::<netcl_tuning_record>(),
        median: 0.0,
        interval_low: 0.0,
        interval_high: 0.0,
        default_median: 0.0,
        samples_count: 0,
        timestamp: 0,
        shape: [0; 24],
        shape_count: 0,
        match_: 0,
        kind: 0,
        outcome: 0,
        kernel: [0; 128],
        source: [0; 64],
        flags: [0; 256],
        dtypes: [0; 128],
        layout: [0; 64],
        part: [0; 256],
        driver: [0; 256],
        reason: [0; 256],
        scalars: [0; 16],
        scalars_count: 0,
        reserved: 0,
        global: [0; 3],
        local: [0; 3],
    };
}

impl Default for netcl_tuning_record {
    fn default() -> netcl_tuning_record {
        netcl_tuning_record::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_tuning_record>() == 1856);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_tuning_record>() == 8);

/// Facts about a database.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_tuning_database_info {
    pub struct_size: usize,
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
    pub path: [c_char; 512],
    /// why it lives in memory; "" when it does not
    pub reason: [c_char; 256],
}

impl netcl_tuning_database_info {
    /// `NETCL_TUNING_DATABASE_INFO_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_tuning_database_info = netcl_tuning_database_info {
        struct_size: std::mem::size_of::<netcl_tuning_database_info>(),
        records: 0,
        lines: 0,
        superseded: 0,
        foreign: 0,
        damaged: 0,
        bytes: 0,
        path: [0; 512],
        reason: [0; 256],
    };
}

impl Default for netcl_tuning_database_info {
    fn default() -> netcl_tuning_database_info {
        netcl_tuning_database_info::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_tuning_database_info>() == 824);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_tuning_database_info>() == 8);

/// One tensor of the record, packed in C order.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_benchmark_tensor {
    pub struct_size: usize,
    /// for messages; NULL: the parameter's name
    pub name: *const c_char,
    /// copied
    pub data: *const c_void,
    pub data_size: usize,
    pub shape: [i64; 8],
    /// see `netcl_fill_kind`
    pub a: f64,
    pub b: f64,
    /// allowed difference of an output; 0: relative times its rms
    pub absolute: f64,
    /// and relative to its value; 0: 1e-4 f32, 1e-9 f64, 1e-2 f16 ...; with both 0 a float of INOUT
    /// is off by no more than a quarter of the largest change, but for its rounding
    pub relative: f64,
    pub dtype: netcl_dtype,
    pub access: netcl_access,
    /// of IN and INOUT
    pub fill: netcl_fill_kind,
    pub rank: u32,
    /// 1: outputs agree bit for bit; integers do unless told otherwise
    pub exact: u32,
    pub reserved: u32,
}

impl netcl_benchmark_tensor {
    /// `NETCL_BENCHMARK_TENSOR_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_benchmark_tensor = netcl_benchmark_tensor {
        struct_size: std::mem::size_of::<netcl_benchmark_tensor>(),
        name: std::ptr::null(),
        data: std::ptr::null(),
        data_size: 0,
        shape: [0; 8],
        a: 0.0,
        b: 0.0,
        absolute: 0.0,
        relative: 0.0,
        dtype: 0,
        access: 0,
        fill: 0,
        rank: 0,
        exact: 0,
        reserved: 0,
    };
}

impl Default for netcl_benchmark_tensor {
    fn default() -> netcl_benchmark_tensor {
        netcl_benchmark_tensor::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_benchmark_tensor>() == 152);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_benchmark_tensor>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_benchmark_options {
    pub struct_size: usize,
    /// NULL: `NETCL_WORKER`, else beside the library; never PATH
    pub worker_path: *const c_char,
    /// the worker's working folder and TMPDIR; NULL: as here
    pub temp_dir: *const c_char,
    /// of the device lock; NULL: one per device in the cache
    pub lock_path: *const c_char,
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
    /// OFF: do not hold the device lock while using the device
    pub lock: netcl_toggle,
    pub reserved: u32,
}

impl netcl_benchmark_options {
    /// `NETCL_BENCHMARK_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_benchmark_options = netcl_benchmark_options {
        struct_size: std::mem::size_of::<netcl_benchmark_options>(),
        worker_path: std::ptr::null(),
        temp_dir: std::ptr::null(),
        lock_path: std::ptr::null(),
        compile_timeout_ns: 0,
        run_timeout_ns: 0,
        lock_timeout_ns: 0,
        start_timeout_ns: 0,
        seed: 0,
        rounds: 0,
        worker_id: 0,
        lock: 0,
        reserved: 0,
    };
}

impl Default for netcl_benchmark_options {
    fn default() -> netcl_benchmark_options {
        netcl_benchmark_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_benchmark_options>() == 88);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_benchmark_options>() == 8);

/// A candidate. It gets the record's arguments in their order.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_benchmark_candidate {
    pub struct_size: usize,
    /// in the JSON; NULL: kernel
    pub name: *const c_char,
    /// OpenCL C; NULL: the file at path
    pub source: *const c_char,
    pub path: *const c_char,
    /// which kernel of the source
    pub kernel: *const c_char,
    /// runs before each run, untimed; NULL: none
    pub setup_kernel: *const c_char,
    /// as in `netcl_kernel_options`
    pub flags: *const *const c_char,
    /// "NAME=text", or "NAME"; a macro the source sees
    pub defines: *const *const c_char,
    pub global: [u64; 3],
    /// zeros: netcl's choice, as for a launch
    pub local: [u64; 3],
    /// of setup_kernel, with as many dimensions
    pub setup_global: [u64; 3],
    /// dimensions; 0: 1
    pub global_count: u32,
    pub flags_count: u32,
    pub defines_count: u32,
    /// 1: -cl-fast-relaxed-math
    pub fast_math: u32,
    /// 1: without the macros LOAD STORE ADD SUB MUL DIV RELU
    pub no_preamble: u32,
    /// 1: round the global size up to the local size
    pub round_up: u32,
}

impl netcl_benchmark_candidate {
    /// `NETCL_BENCHMARK_CANDIDATE_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_benchmark_candidate = netcl_benchmark_candidate {
        struct_size: std::mem::size_of::<netcl_benchmark_candidate>(),
        name: std::ptr::null(),
        source: std::ptr::null(),
        path: std::ptr::null(),
        kernel: std::ptr::null(),
        setup_kernel: std::ptr::null(),
        flags: std::ptr::null(),
        defines: std::ptr::null(),
        global: [0; 3],
        local: [0; 3],
        setup_global: [0; 3],
        global_count: 0,
        flags_count: 0,
        defines_count: 0,
        fast_math: 0,
        no_preamble: 0,
        round_up: 0,
    };
}

impl Default for netcl_benchmark_candidate {
    fn default() -> netcl_benchmark_candidate {
        netcl_benchmark_candidate::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_benchmark_candidate>() == 160);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_benchmark_candidate>() == 8);

/// What became of a candidate. Times are nanoseconds, all 0 unless the outcome is CORRECT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_benchmark_result {
    pub struct_size: usize,
    pub outcome: netcl_outcome,
    /// workers it has cost so far; after 3 it is not tried again
    pub deaths: u32,
    /// samples
    pub count: u64,
    pub mean: f64,
    pub deviation: f64,
    pub min: f64,
    pub max: f64,
    pub median: f64,
    /// mean of the baseline over mean; 0 without a baseline
    pub speedup: f64,
    /// building it took; little when it was in the cache
    pub compile_ns: u64,
    /// of the first checked run on the device; 0 without one
    pub first_run_ns: u64,
    /// as launched; zeros when it was not
    pub global: [u64; 3],
    pub local: [u64; 3],
    /// what went wrong: the argument, the element, got and wanted
    pub message: [c_char; 512],
}

impl netcl_benchmark_result {
    /// `NETCL_BENCHMARK_RESULT_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_benchmark_result = netcl_benchmark_result {
        struct_size: std::mem::size_of::<netcl_benchmark_result>(),
        outcome: 0,
        deaths: 0,
        count: 0,
        mean: 0.0,
        deviation: 0.0,
        min: 0.0,
        max: 0.0,
        median: 0.0,
        speedup: 0.0,
        compile_ns: 0,
        first_run_ns: 0,
        global: [0; 3],
        local: [0; 3],
        message: [0; 512],
    };
}

impl Default for netcl_benchmark_result {
    fn default() -> netcl_benchmark_result {
        netcl_benchmark_result::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_benchmark_result>() == 648);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_benchmark_result>() == 8);

/// A patience of 0 stands for never with EXHAUSTIVE, else for 4 times the root of the number of
/// valid configurations, at least 96: of a large space more has to be seen. Every strategy goes on
/// until evaluations, patience or budget_ns are spent or nothing is left to try.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_search_options {
    pub struct_size: usize,
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
    /// shortest time that the device allows; 0: see `netcl_tuner_run`
    pub roof_ns: f64,
    /// percent of the roof that are good enough, 1 to 1000; 0: 90
    pub threshold_pct: f64,
    pub strategy: netcl_search_strategy,
    pub reserved: u32,
}

impl netcl_search_options {
    /// `NETCL_SEARCH_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_search_options = netcl_search_options {
        struct_size: std::mem::size_of::<netcl_search_options>(),
        seed: 0,
        evaluations: 0,
        patience: 0,
        budget_ns: 0,
        samples: 0,
        precision: 0.0,
        drop_factor: 0.0,
        roof_ns: 0.0,
        threshold_pct: 0.0,
        strategy: 0,
        reserved: 0,
    };
}

impl Default for netcl_search_options {
    fn default() -> netcl_search_options {
        netcl_search_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_search_options>() == 88);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_search_options>() == 8);

/// What happened in a search.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_search_event {
    pub struct_size: usize,
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
    pub kind: netcl_search_event_kind,
    pub candidate: u32,
    /// of the candidate
    pub outcome: netcl_outcome,
    /// index of the best candidate so far
    pub best: u32,
    /// of a tuner: which of its entries; else 0
    pub entry: u32,
    pub reserved: u32,
}

impl netcl_search_event {
    /// `NETCL_SEARCH_EVENT_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_search_event = netcl_search_event {
        struct_size: std::mem::size_of::<netcl_search_event>(),
        sequence: 0,
        time_ns: 0,
        evaluations: 0,
        left_ns: 0,
        fraction: 0.0,
        candidate_ns: 0.0,
        best_ns: 0.0,
        kind: 0,
        candidate: 0,
        outcome: 0,
        best: 0,
        entry: 0,
        reserved: 0,
    };
}

impl Default for netcl_search_event {
    fn default() -> netcl_search_event {
        netcl_search_event::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_search_event>() == 88);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_search_event>() == 8);

/// What a search found. Times are nanoseconds.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_search_result {
    pub struct_size: usize,
    /// RUNNING while it goes on
    pub stop: netcl_stop_reason,
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
    pub interval_low: f64,
    pub interval_high: f64,
    /// of the default, 0 when it is not valid
    pub default_median: f64,
    /// median of the default over that of the winner, 1 for itself
    pub gain: f64,
    /// interval of the gain, of confidence 0.999
    pub gain_low: f64,
    pub gain_high: f64,
    /// 1: the winner is the default configuration
    pub is_default: u32,
    /// 1: the default won, as a faster one could not be told from it
    pub tie: u32,
    /// candidates by `netcl_outcome`
    pub counts: [u64; 16],
}

impl netcl_search_result {
    /// `NETCL_SEARCH_RESULT_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_search_result = netcl_search_result {
        struct_size: std::mem::size_of::<netcl_search_result>(),
        stop: 0,
        best: 0,
        configurations: 0,
        evaluations: 0,
        known: 0,
        elapsed_ns: 0,
        median: 0.0,
        interval_low: 0.0,
        interval_high: 0.0,
        default_median: 0.0,
        gain: 0.0,
        gain_low: 0.0,
        gain_high: 0.0,
        is_default: 0,
        tie: 0,
        counts: [0; 16],
    };
}

impl Default for netcl_search_result {
    fn default() -> netcl_search_result {
        netcl_search_result::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_search_result>() == 240);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_search_result>() == 8);

/// One candidate of a search. Times are nanoseconds, 0 without samples.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_search_candidate {
    pub struct_size: usize,
    /// in its space; UINT64_MAX: in none, or in one beyond 2^20
    pub place: u64,
    pub samples_count: u64,
    /// 0 when unknown
    pub compile_ns: u64,
    pub median: f64,
    pub interval_low: f64,
    pub interval_high: f64,
    /// UNKNOWN until its first rounds are over
    pub outcome: netcl_outcome,
    /// 1: found by an earlier run
    pub known: u32,
    /// what is wrong with it, or which one it is the same program as
    pub message: [c_char; 256],
}

impl netcl_search_candidate {
    /// `NETCL_SEARCH_CANDIDATE_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_search_candidate = netcl_search_candidate {
        struct_size: std::mem::size_of::<netcl_search_candidate>(),
        place: 0,
        samples_count: 0,
        compile_ns: 0,
        median: 0.0,
        interval_low: 0.0,
        interval_high: 0.0,
        outcome: 0,
        known: 0,
        message: [0; 256],
    };
}

impl Default for netcl_search_candidate {
    fn default() -> netcl_search_candidate {
        netcl_search_candidate::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_search_candidate>() == 320);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_search_candidate>() == 8);

/// How a search does on a recording; see `netcl_search_replay`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_replay_result {
    pub struct_size: usize,
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
    pub stop: netcl_stop_reason,
    /// that AUTO stood for, or as given
    pub strategy: netcl_search_strategy,
}

impl netcl_replay_result {
    /// `NETCL_REPLAY_RESULT_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_replay_result = netcl_replay_result {
        struct_size: std::mem::size_of::<netcl_replay_result>(),
        recorded: 0,
        valid: 0,
        evaluations: 0,
        optimum: 0.0,
        best: 0.0,
        stop: 0,
        strategy: 0,
    };
}

impl Default for netcl_replay_result {
    fn default() -> netcl_replay_result {
        netcl_replay_result::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_replay_result>() == 56);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_replay_result>() == 8);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_tuner_options {
    pub struct_size: usize,
    /// of each entry; NULL: defaults
    pub search: *const netcl_search_options,
    /// NULL: the one of this user
    pub database: *mut netcl_tuning_database,
    /// runs before the first sample; 0: 3
    pub warmup_count: u64,
    /// a driver may compile until a run begins; 0: 60 s
    pub compile_limit_ns: u64,
    /// of one run that began; 0: 2 s or 20 times the best
    pub run_limit_ns: u64,
    /// 1: candidates run in this process, not in the worker
    pub in_process: u32,
    /// 1: measure again what is stored
    pub force: u32,
}

impl netcl_tuner_options {
    /// `NETCL_TUNER_OPTIONS_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_tuner_options = netcl_tuner_options {
        struct_size: std::mem::size_of::<netcl_tuner_options>(),
        search: std::ptr::null(),
        database: std::ptr::null_mut(),
        warmup_count: 0,
        compile_limit_ns: 0,
        run_limit_ns: 0,
        in_process: 0,
        force: 0,
    };
}

impl Default for netcl_tuner_options {
    fn default() -> netcl_tuner_options {
        netcl_tuner_options::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_tuner_options>() == 56);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_tuner_options>() == 8);

/// What is tried for a kernel. NULL lists are filled in: local sizes are powers of two within the
/// limits of device and kernel, tile sizes 8, 16 and 32 and unroll factors 1, 2, 4 and 8, these two
/// only when the source uses their macro. What runs without tuning is tried first and is the
/// default, whether it is in the space or not: the source with no macro set and the local size that
/// a launch takes. The others have to give what it gives, and nothing wins that is not surely
/// faster. Where the source is no program without a macro, the first value of each stands for it.
/// Where the space gives the work size, a launch of the size that was tuned runs with that of the
/// winner, and other sizes take nothing of it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_kernel_tuning {
    pub struct_size: usize,
    /// rows of global_count extents
    pub local_sizes: *const u64,
    /// values of tile_macro
    pub tile_sizes: *const i64,
    /// values of unroll_macro
    pub unroll_factors: *const i64,
    /// NULL: TILE_SIZE
    pub tile_macro: *const c_char,
    /// NULL: UNROLL_FACTOR
    pub unroll_macro: *const c_char,
    /// further macros with values, constraints and a work size
    pub space: *const netcl_space,
    pub launch: *const netcl_launch_options,
    /// extents, not rows: a multiple of global_count
    pub local_sizes_count: u32,
    pub tile_sizes_count: u32,
    pub unroll_factors_count: u32,
    pub reserved: u32,
    /// what a launch has to do at least; NULL: launch-\>work
    pub work: *const netcl_work,
}

impl netcl_kernel_tuning {
    /// `NETCL_KERNEL_TUNING_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_kernel_tuning = netcl_kernel_tuning {
        struct_size: std::mem::size_of::<netcl_kernel_tuning>(),
        local_sizes: std::ptr::null(),
        tile_sizes: std::ptr::null(),
        unroll_factors: std::ptr::null(),
        tile_macro: std::ptr::null(),
        unroll_macro: std::ptr::null(),
        space: std::ptr::null(),
        launch: std::ptr::null(),
        local_sizes_count: 0,
        tile_sizes_count: 0,
        unroll_factors_count: 0,
        reserved: 0,
        work: std::ptr::null(),
    };
}

impl Default for netcl_kernel_tuning {
    fn default() -> netcl_kernel_tuning {
        netcl_kernel_tuning::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_kernel_tuning>() == 88);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_kernel_tuning>() == 8);

/// How an entry of a tuner stands.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct netcl_tuner_result {
    pub struct_size: usize,
    /// EXACT when the database has its result, else NONE
    pub match_: netcl_match,
    /// 1: this tuner measured it; 0: it was stored, or is still to do
    pub measured: u32,
    /// `NETCL_OK`, or why it could not be tuned
    pub status: netcl_status,
    pub reserved: u32,
    /// spent on it
    pub elapsed_ns: u64,
    /// configurations tried; 0 unless measured
    pub evaluations: u64,
    /// of the best, nanoseconds
    pub median: f64,
    pub default_median: f64,
    pub name: [c_char; 128],
    /// of a status other than `NETCL_OK`
    pub message: [c_char; 256],
    /// of the best, where a formula of the space gives it; else zeros
    pub global: [u64; 3],
    /// likewise
    pub local: [u64; 3],
}

impl netcl_tuner_result {
    /// `NETCL_TUNER_RESULT_INIT`: all zero, with `struct_size` set.
    pub const INIT: netcl_tuner_result = netcl_tuner_result {
        struct_size: std::mem::size_of::<netcl_tuner_result>(),
        match_: 0,
        measured: 0,
        status: 0,
        reserved: 0,
        elapsed_ns: 0,
        evaluations: 0,
        median: 0.0,
        default_median: 0.0,
        name: [0; 128],
        message: [0; 256],
        global: [0; 3],
        local: [0; 3],
    };
}

impl Default for netcl_tuner_result {
    fn default() -> netcl_tuner_result {
        netcl_tuner_result::INIT
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::size_of::<netcl_tuner_result>() == 488);
#[cfg(target_pointer_width = "64")]
const _: () = assert!(std::mem::align_of::<netcl_tuner_result>() == 8);
