# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    device_count()

Counts all devices: every device of every OpenCL platform, then the built-in CPU device,
which is always there. The first call loads libOpenCL, unless `NETCL_BACKEND`=builtin.

Calls `netcl_device_count`.
"""
function device_count()
    count = Ref{UInt32}(0)
    @checked Raw.netcl_device_count(count)
    return Int(count[])
end

"""
    device_describe(index)

Describes a device of the list without opening it. NOT\\_FOUND past the end of the list.

Calls `netcl_device_describe`.
"""
function device_describe(index::Integer)
    info = info_memory(StructMemory{102}())
    @checked Raw.netcl_device_describe(index, info)
    return take_info(DeviceInfo, info)
end

"""
    device_diagnose()

Explains in words which loader, platforms and devices were found, what kept others away, and
which device each word that is a selector gives.

Calls `netcl_device_diagnose`.
"""
function device_diagnose()
    found = read_text() do place, room, extent
        return Raw.netcl_device_diagnose(place, room, extent)
    end
    return found
end

"""
    device_open(selector; separate)

Opens a device. Selectors: \"auto\" (first discrete GPU, integrated GPU, accelerator, OpenCL
CPU device, built-in), \"gpu\", \"accel\", \"cpu\" (OpenCL CPU device, else built-in),
\"builtin\", an index of the list (\"0\"), platform and device (\"0:1\"), or two or more
letters of a device's name, vendor, platform or version (\"rtx\", \"nvidia\", \"pocl\"), of
several devices the first in the order of \"auto\"; letters may be of any case, and blanks
at the ends do not count. `nothing` is \"auto\". Where \"auto\" or \"cpu\" gives the
built-in device, the log says why (`NETCL_LOG_INFO`). Each opening gives a new handle to one
device object per selected device. NO\\_DEVICE when there is none: the message, of less than
600 bytes, says what there is. FORKED for an OpenCL device in a child of a process that used
OpenCL.

* `separate`: true: a context of its own instead of the one shared by all openings;
  `netcl_device_open_from_cl`: false

Calls `netcl_device_open`.
"""
function device_open(
    selector::Union{Nothing,AbstractString};
    separate::Union{Bool,Integer} = false
)
    options_struct = StructMemory{2}()
    device = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_device_options!(place_of(options_struct), nothing, separate)
        @checked Raw.netcl_device_open(c_text(:selector, selector), options_struct, device)
    end
    return take(Device, device[])
end

"""
    unsafe_device_open_from_cl(context, device_id, queue; separate)

Wraps an OpenCL context, one of its devices, and a queue of both as a netcl device. All
three are retained until the last object made from the device is gone. A `nothing` queue
makes netcl create one. Commands that the caller enqueues itself are not known to netcl's
ordering.

The pointers must be valid as the text above asks for; nothing checks them.

* `separate`: true: a context of its own instead of the one shared by all openings;
  `netcl_device_open_from_cl`: false

Calls `netcl_device_open_from_cl`.
"""
function unsafe_device_open_from_cl(
    context::Ptr, device_id::Ptr, queue::Ptr;
    separate::Union{Bool,Integer} = false
)
    options_struct = StructMemory{2}()
    device = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_device_options!(place_of(options_struct), nothing, separate)
        @checked Raw.netcl_device_open_from_cl(context, device_id, queue, options_struct, device)
    end
    return take(Device, device[])
end

"""
    device_retain(device)

Gives another Device with a reference of its own to the same object.

Calls `netcl_device_retain`.
"""
device_retain(device::Device) = retain(device)

"""
    device_release(device)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_device_release`.
"""
device_release(device::Device) = close(device)

"""
    device_get_info(device)

Gives the identity of a device.

Calls `netcl_device_get_info`.
"""
function device_get_info(device::Device)
    info = info_memory(StructMemory{102}())
    @checked Raw.netcl_device_get_info(device, info)
    return take_info(DeviceInfo, info)
end

"""
    device_get_capabilities(device)

Gives the capabilities of a device. The first call for one of NVIDIA's Hopper generation
builds and runs a kernel, to see what its matrix units take, after what the device has to do
already.

Calls `netcl_device_get_capabilities`.
"""
function device_get_capabilities(device::Device)
    capabilities = info_memory(StructMemory{20}())
    @checked Raw.netcl_device_get_capabilities(device, capabilities)
    return take_info(DeviceCapabilities, capabilities)
end

"""
    device_finish(device; timeout)

Waits for everything enqueued on any queue of the device. Fails with the error of the first
command that failed since the last finish of the device or of its queue, TIMEOUT, CANCELLED
or DEVICE\\_LOST.

Calls `netcl_device_finish`.
"""
function device_finish(device::Device; timeout::Real = Inf)
    @checked Raw.netcl_device_finish(device, nanoseconds(timeout))
    return nothing
end

"""
    device_suggest_local_size(device, global_)

Suggests a local size and the global size rounded up to its multiple, from the shape of the
work and the device's limits: 64 items in one dimension, 8x8 or a multiple of the preferred
width in two, 4x4x4 in three; on CPUs 64x4 and 64x4x1.

* `local`: as many entries as global
* `rounded`: as many entries as global

Calls `netcl_device_suggest_local_size`.
"""
function device_suggest_local_size(device::Device, global_)
    global__rows = array_of(UInt64, global_)
    local_ = Vector{UInt64}(undef, length(global__rows))
    rounded = Vector{UInt64}(undef, length(global__rows))
    @checked Raw.netcl_device_suggest_local_size(
        device, or_null(global__rows), length(global__rows), local_, rounded
    )
    return local_, rounded
end

"""
    device_explain_copy(from, to)

Tells how `netcl_op_copy` brings a tensor of `from` to `to`, and why so. It is the same for
all tensors of the two, but for those that lie in the same memory of the host. Any thread.

Calls `netcl_device_explain_copy`.
"""
function device_explain_copy(from::Device, to::Device)
    explanation = info_memory(StructMemory{67}())
    @checked Raw.netcl_device_explain_copy(from, to, explanation)
    return take_info(CopyExplanation, explanation)
end

"""
    device_get_cl_context(device)

Lends the OpenCL context. UNSUPPORTED on the built-in device.

Calls `netcl_device_get_cl_context`.
"""
function device_get_cl_context(device::Device)
    context = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_device_get_cl_context(device, context)
    return context[]
end

"""
    device_get_cl_device(device)

Lends the OpenCL device. UNSUPPORTED on the built-in device.

Calls `netcl_device_get_cl_device`.
"""
function device_get_cl_device(device::Device)
    device_id = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_device_get_cl_device(device, device_id)
    return device_id[]
end

"""
    device_get_queue(device)

Gives the device's default in-order queue.

Calls `netcl_device_get_queue`.
"""
function device_get_queue(device::Device)
    queue = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_device_get_queue(device, queue)
    return take(Queue, queue[])
end

"""
    device_get_pool(device, kind)

Gives the device's own pool of a kind: PERSISTENT is where tensors come from by default,
PINNED is where transfers are staged, POWER\\_OF\\_TWO is made at the first call.

* `kind`: one of `:persistent`, `:power_of_two`, `:pinned`

Calls `netcl_device_get_pool`.
"""
function device_get_pool(device::Device, kind::Union{PoolKind,Symbol})
    kind = enum(PoolKind, kind)
    pool = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_device_get_pool(device, kind.value, pool)
    return take(Pool, pool[])
end

"""
    device_get_part(device)

Gives the part of a device, as keys have it: what decides its speed and is the same in every
process, separated by |. These are vendor, name, and the compute units of a GPU or
accelerator or the processor of the built-in device; free memory, limits and threads are
none of it. Keys and records with a part in the form of 0.1.0 (units and memory in GiB at
the end) are read as one of this form.

Calls `netcl_device_get_part`.
"""
function device_get_part(device::Device)
    found = read_text() do place, room, extent
        return Raw.netcl_device_get_part(device, place, room, extent)
    end
    return found
end

"""
    device_match_record(device, record)

Tells whether a record may answer a look-up for a device: EXACT, OTHER\\_DRIVER, or
OTHER\\_PART when it may not. Shape, source and flags are not looked at.

Calls `netcl_device_match_record`.
"""
function device_match_record(device::Device, record::Union{Nothing,TuningRecord})
    record_kept = Any[]
    match = Ref{Int32}(0)
    GC.@preserve record record_kept begin
        record_place = keep_struct!(record_kept, record)
        @checked Raw.netcl_device_match_record(device, record_place, match)
    end
    return Match(match[])
end
