# Pools and buffers.

@testset "pools" begin
    pool = Netcl.pool_create(dev(); kind = :power_of_two)
    close(Netcl.pool_allocate(pool, 3000))
    lease = Netcl.pool_allocate(pool, 4000)
    info = Netcl.pool_get_info(pool)
    @test (info.kind, info.hits, info.misses) == (Netcl.POOL_POWER_OF_TWO, 1, 1)
    @test info.bytes_in_use == 4096 && info.hit_rate == 0.5
    @test Netcl.buffer_get_info(lease).bytes == 4000
    buckets = Netcl.pool_get_buckets(pool)
    @test length(buckets) == info.buckets_count
    @test any(b -> b.bytes == 4096 && b.in_use == 1, buckets)
    second = Netcl.buffer_retain(lease)
    @test second == lease && Netcl.pool_retain(pool) == pool
    close(lease)
    @test Netcl.pool_get_info(pool).bytes_in_use == 4096
    Netcl.buffer_release(second)
    Netcl.pool_trim(pool, 0)
    @test Netcl.pool_get_info(pool).bytes_allocated == 0
    @test isempty(Netcl.pool_get_buckets(Netcl.pool_create(dev())))
    for kind in (:persistent, :power_of_two, :pinned)
        @test Netcl.pool_get_info(Netcl.device_get_pool(dev(), kind)).kind == Netcl.PoolKind(kind)
    end
    refused(() -> Netcl.device_get_pool(dev(), Netcl.PoolKind(77)))
    capped = Netcl.pool_create(dev(); max_bytes = 4096)
    fails(() -> Netcl.pool_allocate(capped, 1 << 20), Netcl.ERROR_OUT_OF_DEVICE_MEMORY)
    Netcl.pool_allocate(capped, 1024)
    refused(() -> Netcl.pool_allocate(capped, typemax(UInt64)))
    throws(() -> Netcl.pool_allocate(capped, -1), InexactError)
end

@testset "tensors lie where they are told" begin
    pool = Netcl.pool_create(dev())
    x = Netcl.tensor_create_zeros(dev(), Float32, (10, 10); pool = pool)
    @test Netcl.tensor_get_info(x).pooled && Netcl.pool_get_info(pool).bytes_in_use >= 400
    lease = Netcl.pool_allocate(pool, 4096)
    part = Netcl.tensor_create_from_buffer(lease, 64, :i32, 4; strides = 2)
    Netcl.tensor_write(part, Int32[1, 2, 3, 4])
    @test Array(NetclArray(part)) == [1, 2, 3, 4]
    @test Netcl.buffer_get_info(Netcl.tensor_get_buffer(x)).bytes == 400
    full = Netcl.tensor_create_full(dev(), :u8, (3,), 7)
    @test Array(NetclArray(full)) == [7, 7, 7]
end

@testset "memory of the host" begin
    pinned = Netcl.buffer_create_pinned(dev(), 4096)
    @test Netcl.buffer_get_info(pinned).pinned
    @test Netcl.buffer_get_info(pinned).host_pointer != C_NULL
    room = fill(0x07, 3 * 4096)
    GC.@preserve room begin
        place = pointer(room) + (4096 - UInt(pointer(room)) % 4096)
        lent = Netcl.unsafe_buffer_create_zero_copy(dev(), place, 4096)
        @test Netcl.buffer_get_info(lent).zero_copy
        t = Netcl.tensor_create_from_buffer(lent, 0, UInt8, 4096)
        @test Array(NetclArray(t)) == fill(0x07, 4096)
        wait(dev())
        is_opencl() ? (@test Netcl.buffer_get_cl_mem(lent) != C_NULL) :
            fails(() -> Netcl.buffer_get_cl_mem(lent), Netcl.ERROR_UNSUPPORTED)
        close(t)
        close(lent)
        refused(() -> Netcl.unsafe_buffer_create_zero_copy(dev(), Ptr{Cvoid}(3), 64))
    end
end

@testset "memory is shared by its descriptor" begin
    x = Netcl.tensor_create_zeros(dev(), UInt8, (4,); share = true)
    Netcl.tensor_write(x, UInt8[1, 2, 3, 4])
    wait(dev())
    buffer = Netcl.tensor_get_buffer(x)
    @test Netcl.buffer_get_info(buffer).exportable
    memory = Netcl.buffer_export(buffer)
    @test memory.kind == Netcl.SHARE_FILE && memory.bytes == 4
    file = fdio(memory.descriptor, true)
    seek(file, memory.offset_bytes)
    @test read(file, 4) == [1, 2, 3, 4]
    again = Netcl.buffer_import(dev(), memory)
    y = Netcl.tensor_create_from_buffer(again, 0, UInt8, 4)
    Netcl.tensor_write(y, UInt8[5, 6, 7, 8])
    @test Array(NetclArray(x)) == [5, 6, 7, 8]
    wrong = Netcl.SharedMemory(;
        memory.kind, memory.descriptor, offset_bytes = UInt64(1) << 63, memory.bytes,
        memory.total_bytes
    )
    fails(() -> Netcl.buffer_import(dev(), wrong), Netcl.ERROR_INVALID_ARGUMENT)
    fails(() -> Netcl.buffer_get_cuda_address(buffer), Netcl.ERROR_UNSUPPORTED)
    close(file)
end
