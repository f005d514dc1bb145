# Collections. Julia sees a few words of an array on a device and not its memory, so it would go on
# for gigabytes before it looks for arrays that nobody has any more. Bytes are counted here as they are
# made: after so many, what died young is given back, and what grew old when much is in use.

const COLLECT_EACH = 64 << 20
# What an array costs beside its elements.
const HANDLE_BYTES = 512

const MADE = Base.Threads.Atomic{Int}(0)
# Bytes in use after the last full collection, by device.
const KEPT = Dict{Ptr{Cvoid},UInt64}()
const KEPT_LOCK = ReentrantLock()
# Collections so far. At each fourth the device catches up.
const COLLECTED = Base.Threads.Atomic{Int}(0)

"Counts the memory of something new."
function made(tensor::Tensor)
    count_made(tensor_get_info(tensor).byte_count, tensor)
    return tensor
end
function made(buffer::Buffer)
    count_made(buffer_get_info(buffer).bucket_bytes, nothing)
    return buffer
end

function count_made(bytes, tensor)
    bytes = min(bytes, typemax(Int) >> 1) % Int + HANDLE_BYTES
    Base.Threads.atomic_add!(MADE, bytes) + bytes >= COLLECT_EACH && collect_young(tensor)
    return nothing
end

@noinline function collect_young(tensor)
    # Of several threads one collects.
    Base.Threads.atomic_xchg!(MADE, 0) >= COLLECT_EACH || return nothing
    GC.gc(false)
    tensor === nothing && return nothing
    device = tensor_get_device(tensor)
    pool = device_get_pool(device, POOL_PERSISTENT)
    in_use = pool_get_info(pool).bytes_in_use
    if in_use > 2 * get(KEPT, device.pointer, UInt64(0)) + 4 * COLLECT_EACH
        GC.gc()
        in_use = pool_get_info(pool).bytes_in_use
        lock(() -> KEPT[device.pointer] = in_use, KEPT_LOCK)
    end
    close(pool)
    Base.Threads.atomic_add!(COLLECTED, 1) % 4 == 3 && let_catch_up(device)
    close(device)
    return nothing
end

"""
Waits for what was enqueued in the default queue. What is given back is free only when the commands
that use it are done, and a loop can enqueue them much faster.
"""
function let_catch_up(device)
    queue = device_get_queue(device)
    mark = queue_enqueue_marker(queue, ())
    try
        event_wait(mark)
    catch
        # What failed is told to whoever reads its result.
    end
    close(mark)
    close(queue)
    return nothing
end
