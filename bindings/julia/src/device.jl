# Devices, waiting, and what is read in loops: devices, the log, measurements.

"""
    Netcl.Device(selector = "auto"; separate = false)

Opens a device: "auto", "gpu", "cpu", "builtin", an index, or a part of a name.
"""
Device(selector::AbstractString = "auto"; options...) = device_open(selector; options...)

"The identities of all devices, without opening any."
devices() = [device_describe(index) for index in 0:(device_count() - 1)]

const DEFAULT_DEVICE = Ref{Union{Nothing,Device}}(nothing)
const DEFAULT_LOCK = ReentrantLock()

"""
    Netcl.device()
    Netcl.device!(device)
    Netcl.device!(f, device)

The device that arrays are made on when no other is given: that of the variable NETCL_DEVICE, or
"auto", until `device!` names one: a `Netcl.Device`, a selector such as "gpu", or an index in
`Netcl.devices()`, from 0 on. It is the same for all tasks and threads. With a function, such as a
block of `do`, it is named for that call alone.
"""
function device()
    found = DEFAULT_DEVICE[]
    found !== nothing && isopen(found) && return found
    lock(DEFAULT_LOCK) do
        found = DEFAULT_DEVICE[]
        if found === nothing || !isopen(found)
            selector = get(ENV, "NETCL_DEVICE", "")
            DEFAULT_DEVICE[] = found = device_open(isempty(selector) ? "auto" : selector)
        end
        return found::Device
    end
end

function device!(device::Union{Device,AbstractString})
    DEFAULT_DEVICE[] = device isa Device ? device : device_open(device)
    return DEFAULT_DEVICE[]::Device
end
device!(index::Integer) = device!(string(index))
function device!(f::Function, device)
    before = DEFAULT_DEVICE[]
    device!(device)
    try
        return f()
    finally
        DEFAULT_DEVICE[] = before
    end
end

device(x::NetclArray) = x.device
device(x::Tensor) = tensor_get_device(x)

# A wait inside the library would keep other tasks, and collections of other threads, from running.
# So waiting is done in slices; each is short at first, since most work is.
function wait_in_slices(call, timeout::Real)
    limit, start, slice = nanoseconds(timeout), time_ns(), UInt64(50_000)
    while true
        passed = time_ns() - start
        rest = limit == typemax(UInt64) ? limit : limit - min(limit, passed)
        status = call(min(rest, slice))
        status == 0 && return nothing
        (status == ERROR_TIMEOUT.value && rest > slice) || fail(status)
        slice = min(2slice, UInt64(5_000_000))
        yield()
    end
end

"""
    wait(event::Netcl.Event; timeout = Inf)
    wait(x::NetclArray; timeout = Inf)
    wait(device::Netcl.Device; timeout = Inf)
    wait(all::Vector; timeout = Inf)

Waits for a command, for the last command that writes an array, for all work of a device or queue, or
for all events and arrays of a list.
Other tasks run in the meantime. `timeout` is in seconds; running out of it is a `NetclError`.
"""
Base.wait(event::Event; timeout::Real = Inf) =
    wait_in_slices(left -> Raw.netcl_event_wait(event, left), timeout)
Base.wait(x::TensorLike; timeout::Real = Inf) =
    wait_in_slices(left -> Raw.netcl_tensor_wait(x, left), timeout)
function Base.wait(all::Vector{<:Union{Event,NetclArray}}; timeout::Real = Inf)
    stop = time() + timeout
    return foreach(x -> wait(x; timeout = max(stop - time(), 0)), all)
end
Base.wait(queue::Queue; timeout::Real = Inf) =
    wait_in_slices(left -> Raw.netcl_queue_finish(queue, left), timeout)
Base.wait(device::Device; timeout::Real = Inf) =
    wait_in_slices(left -> Raw.netcl_device_finish(device, left), timeout)

"Nanoseconds that the device took for a command; its queue has to record times."
function elapsed(event::Event)
    timing = event_get_timing(event)
    return timing.ended_ns - timing.started_ns
end

"""
    for record in Netcl.log_records(after = 0) ... end

The records of the library's log, oldest first. It ends when there is no newer one; the sequence
number of the last record goes on from there.
"""
log_records(; after::Integer = 0) = LogRecords(after)

struct LogRecords
    after::UInt64
end
Base.IteratorSize(::Type{LogRecords}) = Base.SizeUnknown()
Base.eltype(::Type{LogRecords}) = LogRecord

function Base.iterate(records::LogRecords, after = records.after)
    memory = info_memory(StructMemory{66}())
    status = Raw.netcl_log_read(after, memory)
    status == ERROR_NOT_FOUND.value && return nothing
    status == 0 || fail(status)
    record = take_info(LogRecord, memory)
    return record, record.sequence
end

# for (candidate, iterations) in measurement: enqueue the candidate's work that often.
Base.IteratorSize(::Type{Measurement}) = Base.SizeUnknown()
Base.eltype(::Type{Measurement}) = Tuple{Int,Int}
function Base.iterate(measurement::Measurement, state = nothing)
    candidate, iterations = measurement_next(measurement)
    return iterations == 0 ? nothing : ((candidate, Int(iterations)), nothing)
end

"""
    Netcl.region(queue, name; parent = nothing) do region ... end

A named stretch of work for profiles. It ends when the function does, also by an exception.

It counts what the thread that opens it enqueues on `queue` until then, by whichever task. What other
threads enqueue meanwhile is outside of it; a region that they open with this one as its `parent`
counts theirs, and belongs to it. From Julia 1.7 on, tasks that are not sticky (`Threads.@spawn`) can
go on on another thread after they have waited, and leave their region behind.
"""
function region(work, queue::Queue, name::AbstractString; parent = nothing)
    opened = region_begin(queue, parent, name)
    try
        return work(opened)
    finally
        isopen(opened) && region_end(opened)
        close(opened)
    end
end

"An expression from its text."
Expression(text::AbstractString) = expression_create(text)
