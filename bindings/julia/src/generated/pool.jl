# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    pool_create(device; kind, max_buffers_per_bucket, max_cached_bytes, max_bytes, share)

Makes a pool. With `share` = true it is INVALID\\_ARGUMENT for a PINNED one, and UNSUPPORTED
where the device's memory cannot be shared.

* `kind`: 0: PERSISTENT; one of `:persistent`, `:power_of_two`, `:pinned`
* `max_buffers_per_bucket`: cached buffers per bucket; 0: 16 (persistent), no limit
* `max_cached_bytes`: 0: `NETCL_MAX_CACHED_GB` (persistent, pinned), no limit
* `max_bytes`: cap of cached plus leased bytes; 0: no limit
* `share`: true: memory for `netcl_buffer_export`; see \"Sharing\"

Calls `netcl_pool_create`.
"""
function pool_create(
    device::Device;
    kind::Union{PoolKind,Symbol} = PoolKind(0), max_buffers_per_bucket::Integer = 0,
    max_cached_bytes::Integer = 0, max_bytes::Integer = 0,
    share::Union{Bool,Integer} = false
)
    options_struct = StructMemory{5}()
    pool = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_pool_options!(
            place_of(options_struct), nothing, kind, max_buffers_per_bucket, max_cached_bytes,
            max_bytes, share
        )
        @checked Raw.netcl_pool_create(device, options_struct, pool)
    end
    return take(Pool, pool[])
end

"""
    pool_retain(pool)

Gives another Pool with a reference of its own to the same object.

Calls `netcl_pool_retain`.
"""
pool_retain(pool::Pool) = retain(pool)

"""
    pool_release(pool)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_pool_release`.
"""
pool_release(pool::Pool) = close(pool)

"""
    pool_get_info(pool)

Gives the statistics of a pool.

Calls `netcl_pool_get_info`.
"""
function pool_get_info(pool::Pool)
    info = info_memory(StructMemory{11}())
    @checked Raw.netcl_pool_get_info(pool, info)
    return take_info(PoolInfo, info)
end

"""
    pool_get_buckets(pool)

Gives the buckets that were used so far, smallest first.

Calls `netcl_pool_get_buckets`.
"""
function pool_get_buckets(pool::Pool)
    found = read_array(PoolBucket, UInt32) do place, room, extent
        return Raw.netcl_pool_get_buckets(pool, place, room, extent)
    end
    return found
end

"""
    pool_trim(pool, keep_bytes)

Gives cached memory back to the device until at most keep\\_bytes are cached.

Calls `netcl_pool_trim`.
"""
function pool_trim(pool::Pool, keep_bytes::Integer)
    @checked Raw.netcl_pool_trim(pool, keep_bytes)
    return nothing
end

"""
    pool_allocate(pool, bytes)

Leases memory of at least `bytes` bytes (0 gives an empty lease). The lease ends with the
last reference to the buffer and to every tensor made from it; the memory is leased again
only when the device has finished using it. Contents are undefined. On a shortage the pool
waits for finished work, trims, retries once, and then fails with
OUT\\_OF\\_DEVICE\\_MEMORY.

Calls `netcl_pool_allocate`.
"""
function pool_allocate(pool::Pool, bytes::Integer)
    buffer = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_pool_allocate(pool, bytes, buffer)
    return made(take(Buffer, buffer[]))
end
