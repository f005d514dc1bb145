# Waiting for a device, and what one asks of it first: times, versions, memory. The names are those of
# CUDA.jl.

"""
    Netcl.synchronize(x = Netcl.device(); timeout = Inf)

Waits for all work of a device, of a queue, or on an array, as `wait(x)`. `Array(x)` needs no such call.
"""
synchronize(x::Union{Device,Queue,Event,TensorLike} = device(); timeout::Real = Inf) =
    wait(x; timeout = timeout)

"""
    Netcl.@sync expression

Computes the expression and waits for what it enqueued on the default device.
"""
macro sync(expression)
    return :(found = $(esc(expression)); synchronize(); found)
end

"""
    Netcl.@elapsed expression
    Netcl.@time expression

Those of Base, with what the device takes: they wait for it before and after. The macros of Base tell
how long it takes to enqueue the work.
"""
macro elapsed(expression)
    return :(synchronize(); Base.@elapsed (@sync $(esc(expression))))
end
macro time(expression)
    return :(synchronize(); Base.@time (@sync $(esc(expression))))
end

"""
    Netcl.versioninfo(io = stdout)

Prints the version of the library, the file that it is in, and all devices by their index; a star
marks the default one, and where there is none the last line says why.
"""
function versioninfo(io::IO = stdout)
    functional() || return println(io, missing_reason())
    println(io, "netcl ", library_get_info().version, ", ", Raw.STATE.path)
    # Where no device fits NETCL_DEVICE, the list is what one looks for.
    chosen, problem = try
        device_get_info(device()).index, nothing
    catch caught
        caught isa NetclError || rethrow()
        nothing, caught
    end
    for found in devices()
        println(io, found.index === chosen ? "* " : "  ", found)
    end
    problem === nothing || println(io, "there is no default device: ", problem.message)
    return nothing
end

"""
    Netcl.memory_status(device = Netcl.device(), io = stdout)

Prints for each pool of the device how much memory is in use, and how much is kept for the next arrays,
which `Netcl.pool_trim(Netcl.device_get_pool(device, kind), 0)` gives back.
"""
function memory_status(device::Device = device(), io::IO = stdout)
    for (_, kind, _) in enum_values(PoolKind)
        info = pool_get_info(device_get_pool(device, kind))
        println(io, rpad(kind, 14), lpad(Base.format_bytes(info.bytes_in_use), 12), " in use, ",
                lpad(Base.format_bytes(info.bytes_cached), 12), " kept")
    end
end
