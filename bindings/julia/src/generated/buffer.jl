# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    buffer_create_pinned(device, bytes)

Allocates page-locked host memory outside any pool.

Calls `netcl_buffer_create_pinned`.
"""
function buffer_create_pinned(device::Device, bytes::Integer)
    buffer = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_buffer_create_pinned(device, bytes, buffer)
    return made(take(Buffer, buffer[]))
end

"""
    unsafe_buffer_create_zero_copy(device, data, bytes)

Lets the device work on the caller's own memory, which must stay valid until the last
reference to the buffer and its tensors is gone and the device is done. UNSUPPORTED where
the device does not share memory with the host; INVALID\\_ARGUMENT when the pointer is not
aligned to 64 bytes.

The pointers must be valid as the text above asks for; nothing checks them.

Calls `netcl_buffer_create_zero_copy`.
"""
function unsafe_buffer_create_zero_copy(device::Device, data::Ptr, bytes::Integer)
    buffer = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_buffer_create_zero_copy(device, data, bytes, buffer)
    return made(take(Buffer, buffer[]))
end

"""
    buffer_retain(buffer)

Gives another Buffer with a reference of its own to the same object.

Calls `netcl_buffer_retain`.
"""
buffer_retain(buffer::Buffer) = retain(buffer)

"""
    buffer_release(buffer)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_buffer_release`.
"""
buffer_release(buffer::Buffer) = close(buffer)

"""
    buffer_get_info(buffer)

Gives the facts of a buffer.

Calls `netcl_buffer_get_info`.
"""
function buffer_get_info(buffer::Buffer)
    info = info_memory(StructMemory{6}())
    @checked Raw.netcl_buffer_get_info(buffer, info)
    return take_info(BufferInfo, info)
end

"""
    buffer_get_cl_mem(buffer)

Lends the OpenCL memory object. UNSUPPORTED on the built-in device, NOT\\_FOUND for 0 bytes.

Calls `netcl_buffer_get_cl_mem`.
"""
function buffer_get_cl_mem(buffer::Buffer)
    mem = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_buffer_get_cl_mem(buffer, mem)
    return mem[]
end
