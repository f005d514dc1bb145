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

"""
    buffer_export(buffer)

Lets others have a buffer's memory: another process, to which a Unix socket takes the
descriptor (SCM\\_RIGHTS), or another device. UNSUPPORTED for memory that was made without
`share` = true, NOT\\_FOUND for 0 bytes, IO when there is no further descriptor.

Calls `netcl_buffer_export`.
"""
function buffer_export(buffer::Buffer)
    memory = info_memory(StructMemory{7}())
    @checked Raw.netcl_buffer_export(buffer, memory)
    return take_info(SharedMemory, memory)
end

"""
    buffer_import(device, memory)

Opens what `netcl_buffer_export` gave, here or in another process;
`netcl_tensor_create_from_buffer` makes tensors of it. The descriptor stays the caller's,
who may close it when the call returns. Whoever sent it need not be trusted:
INVALID\\_ARGUMENT, naming what is wrong, for a descriptor that is not open for reading and
writing or is no memory file, for a file that somebody could shrink (it has no
F\\_SEAL\\_SHRINK) or that is sealed against writing, for total\\_bytes that are not its
size, for bytes that do not lie in it, and for an offset that is no multiple of 64 (512 for
`NETCL_SHARE_CUDA`, where CUDA's driver is what checks the descriptor). UNSUPPORTED where
the device cannot open this kind, it is memory of a GPU that this one does not reach, or
total\\_bytes are more than 510 MiB of `NETCL_SHARE_CUDA`. What a device does with memory of
another GPU goes by the link between them.

Calls `netcl_buffer_import`.
"""
function buffer_import(device::Device, memory::Union{Nothing,SharedMemory})
    memory_kept = Any[]
    buffer = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve memory memory_kept begin
        memory_place = keep_struct!(memory_kept, memory)
        @checked Raw.netcl_buffer_import(device, memory_place, buffer)
    end
    return take(Buffer, buffer[])
end

"""
    buffer_get_cuda_address(buffer)

Gives the address (CUdeviceptr) of a buffer for CUDA, in the primary context of its GPU,
which PyTorch, CuPy and JAX use. It is valid until the last reference to the buffer and its
tensors is gone. UNSUPPORTED for memory that CUDA does not know, NOT\\_FOUND for 0 bytes.

Calls `netcl_buffer_get_cuda_address`.
"""
function buffer_get_cuda_address(buffer::Buffer)
    address = Ref{UInt64}(0)
    @checked Raw.netcl_buffer_get_cuda_address(buffer, address)
    return address[]
end
