# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    tensor_create(
        device, dtype, shape;
        strides, queue, pool, event, async_copy, use_pinned, share
    )

Makes a tensor whose contents are undefined.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`
* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_create`.
"""
function tensor_create(
    device::Device, dtype::Union{Dtype,Symbol,Type}, shape;
    strides = nothing, queue::Union{Nothing,Queue} = nothing,
    pool::Union{Nothing,Pool} = nothing, event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), share::Union{Bool,Integer} = false
)
    dtype = enum(Dtype, dtype)
    shape_rows = array_of(Int64, shape)
    strides_rows = strides_of(shape_rows, strides)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, 0, 0, share
        )
        @checked Raw.netcl_tensor_create(
            device, dtype.value, length(shape_rows), or_null(shape_rows), or_null(strides_rows),
            options_struct, tensor
        )
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    tensor_create_zeros(
        device, dtype, shape;
        strides, queue, pool, event, async_copy, use_pinned, share
    )

Makes a tensor of zeros. Strides, here and below, lay out the new memory; they must not
overlap, and what they leave out is 0 as well.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`
* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_create_zeros`.
"""
function tensor_create_zeros(
    device::Device, dtype::Union{Dtype,Symbol,Type}, shape;
    strides = nothing, queue::Union{Nothing,Queue} = nothing,
    pool::Union{Nothing,Pool} = nothing, event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), share::Union{Bool,Integer} = false
)
    dtype = enum(Dtype, dtype)
    shape_rows = array_of(Int64, shape)
    strides_rows = strides_of(shape_rows, strides)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, 0, 0, share
        )
        @checked Raw.netcl_tensor_create_zeros(
            device, dtype.value, length(shape_rows), or_null(shape_rows), or_null(strides_rows),
            options_struct, tensor
        )
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    tensor_create_full(
        device, dtype, shape, value;
        strides, queue, pool, event, async_copy, use_pinned, share
    )

Makes a tensor with one value everywhere.

* `value`: one element of `dtype`
* `dtype`: a type as `Float32`, or a `Netcl.Dtype`
* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_create_full`.
"""
function tensor_create_full(
    device::Device, dtype::Union{Dtype,Symbol,Type}, shape, value;
    strides = nothing, queue::Union{Nothing,Queue} = nothing,
    pool::Union{Nothing,Pool} = nothing, event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), share::Union{Bool,Integer} = false
)
    dtype = enum(Dtype, dtype)
    shape_rows = array_of(Int64, shape)
    strides_rows = strides_of(shape_rows, strides)
    value_bytes = element_bytes(:value, dtype, value)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, 0, 0, share
        )
        @checked Raw.netcl_tensor_create_full(
            device, dtype.value, length(shape_rows), or_null(shape_rows), or_null(strides_rows),
            value_bytes, options_struct, tensor
        )
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    tensor_create_random(
        device, dtype, shape;
        strides, seed, offset, distribution, low, high, mean, deviation, queue, pool, event,
        async_copy, use_pinned, share
    )

Makes a tensor of random numbers from Philox4x32-10 (Salmon et al., SC 2011). Element i in C
order depends on seed, offset + i, dtype and distribution alone: the bits are the same on
every device and for every layout, and parts made with offsets fit together.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`
* `offset`: index of the first element in the seed's stream
* `distribution`: 0: UNIFORM; one of `:uniform`, `:normal`
* `low`: uniform: lowest value; low = high = 0: \\[0, 1), integers: all; normal: 0
* `high`: uniform: end of the range; normal: 0
* `mean`: normal; uniform: 0
* `deviation`: normal: standard deviation; 0 means 1; uniform: 0
* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_create_random`.
"""
function tensor_create_random(
    device::Device, dtype::Union{Dtype,Symbol,Type}, shape;
    strides = nothing, seed::Integer = 0, offset::Integer = 0,
    distribution::Union{Distribution,Symbol} = Distribution(0), low::Real = 0.0,
    high::Real = 0.0, mean::Real = 0.0, deviation::Real = 0.0,
    queue::Union{Nothing,Queue} = nothing, pool::Union{Nothing,Pool} = nothing,
    event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), share::Union{Bool,Integer} = false
)
    dtype = enum(Dtype, dtype)
    shape_rows = array_of(Int64, shape)
    strides_rows = strides_of(shape_rows, strides)
    random_struct = StructMemory{8}()
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve random_struct queue pool event_place options_kept options_struct begin
        fill_random_options!(
            place_of(random_struct), nothing, seed, offset, distribution, low, high, mean, deviation
        )
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, 0, 0, share
        )
        @checked Raw.netcl_tensor_create_random(
            device, dtype.value, length(shape_rows), or_null(shape_rows), or_null(strides_rows),
            random_struct, options_struct, tensor
        )
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    tensor_create_from_host(
        device, dtype, shape, data;
        strides, queue, pool, event, async_copy, use_pinned, share
    )

Makes a tensor from an array of the host. `strides` describe the array and become those of
the tensor; `data` is the lowest address they reach. The caller may free or change the array
when the call returns, unless `borrow` is true: then it must stay until the event, or until
the tensor and all its views are gone where `netcl_tensor_info.borrowed` is true.
INVALID\\_ARGUMENT when `sizeof(data)` is smaller than what the layout reaches.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`
* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_create_from_host`.
"""
function tensor_create_from_host(
    device::Device, dtype::Union{Dtype,Symbol,Type}, shape, data;
    strides = nothing, queue::Union{Nothing,Queue} = nothing,
    pool::Union{Nothing,Pool} = nothing, event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), share::Union{Bool,Integer} = false
)
    dtype = enum(Dtype, dtype)
    shape_rows = array_of(Int64, shape)
    strides_rows = strides_of(shape_rows, strides)
    data = host_memory(:data, data)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, 0, 0, share
        )
        @checked Raw.netcl_tensor_create_from_host(
            device, dtype.value, length(shape_rows), or_null(shape_rows), or_null(strides_rows),
            data, sizeof(data), options_struct, tensor
        )
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    unsafe_tensor_create_from_host(
        device, dtype, shape, data, data_size;
        strides, queue, pool, event, async_copy, use_pinned, borrow, take_ownership, share
    )

Makes a tensor from an array of the host. `strides` describe the array and become those of
the tensor; `data` is the lowest address they reach. The caller may free or change the array
when the call returns, unless `borrow` is true: then it must stay until the event, or until
the tensor and all its views are gone where `netcl_tensor_info.borrowed` is true.
INVALID\\_ARGUMENT when data\\_size is smaller than what the layout reaches.

The pointers must be valid as the text above asks for; nothing checks them.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`
* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `borrow`: true: from\\_host works on the caller's memory itself
* `take_ownership`: true: from\\_cl releases the memory object with the tensor
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_create_from_host`.
"""
function unsafe_tensor_create_from_host(
    device::Device, dtype::Union{Dtype,Symbol,Type}, shape, data::Ptr, data_size::Integer;
    strides = nothing, queue::Union{Nothing,Queue} = nothing,
    pool::Union{Nothing,Pool} = nothing, event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), borrow::Union{Bool,Integer} = false,
    take_ownership::Union{Bool,Integer} = false, share::Union{Bool,Integer} = false
)
    dtype = enum(Dtype, dtype)
    shape_rows = array_of(Int64, shape)
    strides_rows = strides_of(shape_rows, strides)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, borrow, take_ownership, share
        )
        @checked Raw.netcl_tensor_create_from_host(
            device, dtype.value, length(shape_rows), or_null(shape_rows), or_null(strides_rows),
            data, data_size, options_struct, tensor
        )
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    tensor_create_from_buffer(buffer, offset_bytes, dtype, shape; strides)

Makes a tensor over a buffer, starting offset\\_bytes into it (a multiple of the element
size). Negative strides reach below the offset.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_tensor_create_from_buffer`.
"""
function tensor_create_from_buffer(
    buffer::Buffer, offset_bytes::Integer, dtype::Union{Dtype,Symbol,Type}, shape;
    strides = nothing
)
    dtype = enum(Dtype, dtype)
    shape_rows = array_of(Int64, shape)
    strides_rows = strides_of(shape_rows, strides)
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tensor_create_from_buffer(
        buffer, offset_bytes, dtype.value, length(shape_rows), or_null(shape_rows),
        or_null(strides_rows), tensor
    )
    return made(take(Tensor, tensor[]))
end

"""
    unsafe_tensor_create_from_cl(
        device, mem, offset_bytes, dtype, shape;
        strides, queue, pool, event, async_copy, use_pinned, borrow, take_ownership, share
    )

Wraps an OpenCL memory object of the device's context as a tensor, starting offset\\_bytes
into it. The object is retained; `take_ownership` = true takes over the caller's reference
instead. The library does not see what the caller enqueues on it: while a command of the
library uses the tensor or a view of it, nothing else may write the object, nor read what
the command writes.

The pointers must be valid as the text above asks for; nothing checks them.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`
* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `borrow`: true: from\\_host works on the caller's memory itself
* `take_ownership`: true: from\\_cl releases the memory object with the tensor
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_create_from_cl`.
"""
function unsafe_tensor_create_from_cl(
    device::Device, mem::Ptr, offset_bytes::Integer, dtype::Union{Dtype,Symbol,Type}, shape;
    strides = nothing, queue::Union{Nothing,Queue} = nothing,
    pool::Union{Nothing,Pool} = nothing, event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), borrow::Union{Bool,Integer} = false,
    take_ownership::Union{Bool,Integer} = false, share::Union{Bool,Integer} = false
)
    dtype = enum(Dtype, dtype)
    shape_rows = array_of(Int64, shape)
    strides_rows = strides_of(shape_rows, strides)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, borrow, take_ownership, share
        )
        @checked Raw.netcl_tensor_create_from_cl(
            device, mem, offset_bytes, dtype.value, length(shape_rows), or_null(shape_rows),
            or_null(strides_rows), options_struct, tensor
        )
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    unsafe_tensor_create_from_dlpack(
        device, managed;
        queue, pool, event, async_copy, use_pinned, borrow, take_ownership, share
    )

Takes a DLPack tensor: kDLOpenCL of the device's context; kDLCPU, which is copied unless the
device is the built-in one and `share` is false; or kDLCUDA that lies in a tensor or buffer
of the device's with `share` = true. On success the library owns `managed` and calls its
deleter when the tensor is gone (at once when it was copied); on failure the caller keeps
it. Unless it was copied the memory is shared, as with `netcl_tensor_create_from_cl`: while
a command of the library uses it, its producer may not write it, nor read what the command
writes. UNSUPPORTED for lanes other than 1, complex types and other devices.

The pointers must be valid as the text above asks for; nothing checks them.

* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `borrow`: true: from\\_host works on the caller's memory itself
* `take_ownership`: true: from\\_cl releases the memory object with the tensor
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_create_from_dlpack`.
"""
function unsafe_tensor_create_from_dlpack(
    device::Device, managed::Ptr;
    queue::Union{Nothing,Queue} = nothing, pool::Union{Nothing,Pool} = nothing,
    event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), borrow::Union{Bool,Integer} = false,
    take_ownership::Union{Bool,Integer} = false, share::Union{Bool,Integer} = false
)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, borrow, take_ownership, share
        )
        @checked Raw.netcl_tensor_create_from_dlpack(device, managed, options_struct, tensor)
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    tensor_to_dlpack(tensor; timeout)

Exports a tensor through DLPack: kDLCUDA or, on CPU devices, kDLCPU when it was made with
`share` = true, else kDLOpenCL with the cl\\_mem as data, or kDLCPU on the built-in device;
with a byte\\_offset. Waits for what uses the tensor up to `timeout`; errors as for
`netcl_tensor_wait`. The memory is shared, not copied: whoever reads it sees what later
commands write.

Calls `netcl_tensor_to_dlpack`.
"""
function tensor_to_dlpack(tensor::TensorLike; timeout::Real = Inf)
    check_read(tensor)
    managed = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tensor_to_dlpack(tensor, nanoseconds(timeout), managed)
    return managed[]
end

"""
    tensor_load_npy(device, path; queue, pool, event, async_copy, use_pinned, share)

Loads a .npy file (format 1 to 3; C or Fortran order, either byte order; bf16 is '<V2' as
written by ml\\_dtypes). IO when it cannot be read, CORRUPT\\_DATA naming what is wrong with
it, UNSUPPORTED for element types without a dtype here.

* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_load_npy`.
"""
function tensor_load_npy(
    device::Device, path::Union{Nothing,AbstractString};
    queue::Union{Nothing,Queue} = nothing, pool::Union{Nothing,Pool} = nothing,
    event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), share::Union{Bool,Integer} = false
)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, 0, 0, share
        )
        @checked Raw.netcl_tensor_load_npy(device, c_text(:path, path), options_struct, tensor)
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    tensor_create_from_npy(device, data; queue, pool, event, async_copy, use_pinned, share)

As `netcl_tensor_load_npy`, from memory.

* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_create_from_npy`.
"""
function tensor_create_from_npy(
    device::Device, data;
    queue::Union{Nothing,Queue} = nothing, pool::Union{Nothing,Pool} = nothing,
    event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), share::Union{Bool,Integer} = false
)
    data = host_memory(:data, data)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, 0, 0, share
        )
        @checked Raw.netcl_tensor_create_from_npy(
            device, data, sizeof(data), options_struct, tensor
        )
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    unsafe_tensor_create_from_npy(
        device, data, data_size;
        queue, pool, event, async_copy, use_pinned, borrow, take_ownership, share
    )

As `netcl_tensor_load_npy`, from memory.

The pointers must be valid as the text above asks for; nothing checks them.

* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `borrow`: true: from\\_host works on the caller's memory itself
* `take_ownership`: true: from\\_cl releases the memory object with the tensor
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_tensor_create_from_npy`.
"""
function unsafe_tensor_create_from_npy(
    device::Device, data::Ptr, data_size::Integer;
    queue::Union{Nothing,Queue} = nothing, pool::Union{Nothing,Pool} = nothing,
    event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), borrow::Union{Bool,Integer} = false,
    take_ownership::Union{Bool,Integer} = false, share::Union{Bool,Integer} = false
)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, borrow, take_ownership, share
        )
        @checked Raw.netcl_tensor_create_from_npy(device, data, data_size, options_struct, tensor)
    end
    give_reference(event, event_place)
    return made(take(Tensor, tensor[]))
end

"""
    tensor_save_npy(tensor, path; timeout)

Writes a tensor as a .npy file, format 1.0, C order. The file is replaced as a whole or not
at all. IO when it cannot be written; the wait for pending writes takes at most `timeout`,
with the errors of `netcl_tensor_wait`.

Calls `netcl_tensor_save_npy`.
"""
function tensor_save_npy(
    tensor::TensorLike, path::Union{Nothing,AbstractString};
    timeout::Real = Inf
)
    @checked Raw.netcl_tensor_save_npy(tensor, c_text(:path, path), nanoseconds(timeout))
    return nothing
end

"""
    tensor_retain(tensor)

Gives another Tensor with a reference of its own to the same object.

Calls `netcl_tensor_retain`.
"""
tensor_retain(tensor::Tensor) = retain(tensor)

"""
    tensor_release(tensor)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_tensor_release`.
"""
tensor_release(tensor::Tensor) = close(tensor)

"""
    tensor_get_info(tensor)

Gives the facts of a tensor.

Calls `netcl_tensor_get_info`.
"""
function tensor_get_info(tensor::TensorLike)
    info = info_memory(StructMemory{24}())
    @checked Raw.netcl_tensor_get_info(tensor, info)
    return take_info(TensorInfo, info)
end

"""
    tensor_get_device(tensor)

Gives the device of a tensor.

Calls `netcl_tensor_get_device`.
"""
function tensor_get_device(tensor::TensorLike)
    device = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tensor_get_device(tensor, device)
    return take(Device, device[])
end

"""
    tensor_get_buffer(tensor)

Gives the memory of a tensor; its contents begin at offset elements.

Calls `netcl_tensor_get_buffer`.
"""
function tensor_get_buffer(tensor::TensorLike)
    buffer = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tensor_get_buffer(tensor, buffer)
    return take(Buffer, buffer[])
end

"""
    tensor_slice(tensor, ranges)

Views part of a tensor, one range per dimension.

Calls `netcl_tensor_slice`.
"""
function tensor_slice(tensor::TensorLike, ranges)
    ranges_rows = array_of(Range, ranges)
    view = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tensor_slice(tensor, or_null(ranges_rows), length(ranges_rows), view)
    return take(Tensor, view[])
end

"""
    tensor_permute(tensor, axes)

Views a tensor with its dimensions in another order.

Calls `netcl_tensor_permute`.
"""
function tensor_permute(tensor::TensorLike, axes)
    axes_rows = array_of(UInt32, axes)
    view = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tensor_permute(tensor, or_null(axes_rows), length(axes_rows), view)
    return take(Tensor, view[])
end

"""
    tensor_broadcast(tensor, shape)

Views a tensor with a larger shape: dimensions of extent 1 and missing leading ones repeat.

Calls `netcl_tensor_broadcast`.
"""
function tensor_broadcast(tensor::TensorLike, shape)
    shape_rows = array_of(Int64, shape)
    view = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tensor_broadcast(tensor, length(shape_rows), or_null(shape_rows), view)
    return take(Tensor, view[])
end

"""
    tensor_view(tensor, shape, offset; strides)

Views the memory of a tensor through any shape and strides, from `offset` elements after the
tensor's own first element. INVALID\\_ARGUMENT when an element would lie outside the memory.

Calls `netcl_tensor_view`.
"""
function tensor_view(tensor::TensorLike, shape, offset::Integer; strides = nothing)
    shape_rows = array_of(Int64, shape)
    strides_rows = strides_of(shape_rows, strides)
    view = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tensor_view(
        tensor, length(shape_rows), or_null(shape_rows), or_null(strides_rows), offset, view
    )
    return take(Tensor, view[])
end

"""
    tensor_reshape(tensor, shape; queue, into, waits, event, graph)

Gives the elements, in C order, another shape with the same number of elements; one extent
may be -1 and is worked out. A view where strides allow it, otherwise a copy made by a
command.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_tensor_reshape`.
"""
function tensor_reshape(
    tensor::TensorLike, shape;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    shape_rows = array_of(Int64, shape)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_tensor_reshape(
            tensor, length(shape_rows), or_null(shape_rows), run_struct, result
        )
    end
    give_reference(event, event_place)
    return take(Tensor, result[])
end

"""
    tensor_read(tensor, data; queue, waits, async_copy, use_pinned, timeout)

Copies elements to the host in C order. Without `event` the call waits for earlier work at
most `timeout`, then for the copy, and touches `data` only before it returns;
LAUNCH\\_FAILURE, with `data` untouched, when the last command that wrote to the tensor's
memory failed. With `event` it returns at once, and `data` must stay until the event has
completed; what is in it when the event fails is undefined. `sizeof(data)` must be
byte\\_count of the tensor.

* `queue`: `nothing`: the device's default queue
* `waits`: further events to wait for
* `async_copy`: write: return before the device has it; `NETCL_ASYNC_H2D`. read: DEFAULT;
  one of `:default` (unless another is given), `:on`, `:off`
* `use_pinned`: stage through page-locked memory; `NETCL_PINNED_H2D`. A read with an event
  stages nothing, and takes no ON; one of `:default` (unless another is given), `:on`,
  `:off`

Calls `netcl_tensor_read`.
"""
function tensor_read(
    tensor::TensorLike, data;
    queue::Union{Nothing,Queue} = nothing, waits = (),
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), timeout::Real = Inf
)
    check_read(tensor)
    data = host_place(:data, data)
    waits = handle_list(Event, :waits, waits)
    options_struct = StructMemory{6}()
    options_kept = Any[]
    GC.@preserve queue waits options_kept options_struct begin
        fill_transfer_options!(
            place_of(options_struct), options_kept, queue, waits, C_NULL, async_copy, use_pinned, 0
        )
        @checked Raw.netcl_tensor_read(
            tensor, data, sizeof(data), options_struct, nanoseconds(timeout)
        )
    end
    tidy(data)
    return nothing
end

"""
    unsafe_tensor_read(
        tensor, data, data_size;
        queue, waits, event, async_copy, use_pinned, borrow, timeout
    )

Copies elements to the host in C order. Without `event` the call waits for earlier work at
most `timeout`, then for the copy, and touches `data` only before it returns;
LAUNCH\\_FAILURE, with `data` untouched, when the last command that wrote to the tensor's
memory failed. With `event` it returns at once, and `data` must stay until the event has
completed; what is in it when the event fails is undefined. data\\_size must be byte\\_count
of the tensor.

The pointers must be valid as the text above asks for; nothing checks them.

* `queue`: `nothing`: the device's default queue
* `waits`: further events to wait for
* `event`: receives one reference; makes a read return at once
* `async_copy`: write: return before the device has it; `NETCL_ASYNC_H2D`. read: DEFAULT;
  one of `:default` (unless another is given), `:on`, `:off`
* `use_pinned`: stage through page-locked memory; `NETCL_PINNED_H2D`. A read with an event
  stages nothing, and takes no ON; one of `:default` (unless another is given), `:on`,
  `:off`
* `borrow`: true: write copies nothing; the array must stay until the event. read: false

Calls `netcl_tensor_read`.
"""
function unsafe_tensor_read(
    tensor::TensorLike, data::Ptr, data_size::Integer;
    queue::Union{Nothing,Queue} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), borrow::Union{Bool,Integer} = false,
    timeout::Real = Inf
)
    check_read(tensor)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{6}()
    options_kept = Any[]
    GC.@preserve queue waits event_place options_kept options_struct begin
        fill_transfer_options!(
            place_of(options_struct), options_kept, queue, waits, place_if(event, event_place),
            async_copy, use_pinned, borrow
        )
        @checked Raw.netcl_tensor_read(
            tensor, data, data_size, options_struct, nanoseconds(timeout)
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    tensor_write(tensor, data; queue, waits, event, async_copy, use_pinned, timeout)

Copies elements, in C order, from the host. The caller may free or change the array when the
call returns, unless `borrow` is true. `timeout` bounds the wait for earlier work; on
TIMEOUT the tensor is unchanged. `sizeof(data)` must be byte\\_count of the tensor.

* `queue`: `nothing`: the device's default queue
* `waits`: further events to wait for
* `event`: receives one reference; makes a read return at once
* `async_copy`: write: return before the device has it; `NETCL_ASYNC_H2D`. read: DEFAULT;
  one of `:default` (unless another is given), `:on`, `:off`
* `use_pinned`: stage through page-locked memory; `NETCL_PINNED_H2D`. A read with an event
  stages nothing, and takes no ON; one of `:default` (unless another is given), `:on`,
  `:off`

Calls `netcl_tensor_write`.
"""
function tensor_write(
    tensor::TensorLike, data;
    queue::Union{Nothing,Queue} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), timeout::Real = Inf
)
    data = host_memory(:data, data)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{6}()
    options_kept = Any[]
    GC.@preserve queue waits event_place options_kept options_struct begin
        fill_transfer_options!(
            place_of(options_struct), options_kept, queue, waits, place_if(event, event_place),
            async_copy, use_pinned, 0
        )
        @checked Raw.netcl_tensor_write(
            tensor, data, sizeof(data), options_struct, nanoseconds(timeout)
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    unsafe_tensor_write(
        tensor, data, data_size;
        queue, waits, event, async_copy, use_pinned, borrow, timeout
    )

Copies elements, in C order, from the host. The caller may free or change the array when the
call returns, unless `borrow` is true. `timeout` bounds the wait for earlier work; on
TIMEOUT the tensor is unchanged. data\\_size must be byte\\_count of the tensor.

The pointers must be valid as the text above asks for; nothing checks them.

* `queue`: `nothing`: the device's default queue
* `waits`: further events to wait for
* `event`: receives one reference; makes a read return at once
* `async_copy`: write: return before the device has it; `NETCL_ASYNC_H2D`. read: DEFAULT;
  one of `:default` (unless another is given), `:on`, `:off`
* `use_pinned`: stage through page-locked memory; `NETCL_PINNED_H2D`. A read with an event
  stages nothing, and takes no ON; one of `:default` (unless another is given), `:on`,
  `:off`
* `borrow`: true: write copies nothing; the array must stay until the event. read: false

Calls `netcl_tensor_write`.
"""
function unsafe_tensor_write(
    tensor::TensorLike, data::Ptr, data_size::Integer;
    queue::Union{Nothing,Queue} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), borrow::Union{Bool,Integer} = false,
    timeout::Real = Inf
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{6}()
    options_kept = Any[]
    GC.@preserve queue waits event_place options_kept options_struct begin
        fill_transfer_options!(
            place_of(options_struct), options_kept, queue, waits, place_if(event, event_place),
            async_copy, use_pinned, borrow
        )
        @checked Raw.netcl_tensor_write(
            tensor, data, data_size, options_struct, nanoseconds(timeout)
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    tensor_wait(tensor; timeout)

Waits for the commands that write the tensor. LAUNCH\\_FAILURE when the last one that wrote
to its memory failed, until another one writes there; `netcl_device_finish` and its own
event tell too. A command fails with the one that was to write what it reads, whether it ran
or not: nothing that is made of a missing result counts as whole.

Calls `netcl_tensor_wait`.
"""
function tensor_wait(tensor::TensorLike; timeout::Real = Inf)
    @checked Raw.netcl_tensor_wait(tensor, nanoseconds(timeout))
    return nothing
end

"""
    tensor_split(x, axis, sizes)

Views the parts of a tensor along an axis, as ONNX Split; sizes add up to its extent. Copies
nothing.

Calls `netcl_tensor_split`.
"""
function tensor_split(x::TensorLike, axis::Integer, sizes)
    sizes_rows = array_of(Int64, sizes)
    views = Base.fill(C_NULL, length(sizes_rows))
    @checked Raw.netcl_tensor_split(x, axis, or_null(sizes_rows), length(sizes_rows), views)
    return Tensor[take(Tensor, h) for h in views]
end
