# Written by bindings/generator from include/netcl.h; changes here are lost.

# One type per type of handle. An object owns one reference, which `close` or the
# finalizer gives back.

"""
    Device

A compute device with its context and its default queue.

Any number of threads may use it.
"""
mutable struct Device <: Handle
    pointer::Ptr{Cvoid}
    function Device(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Device, pointer::Ptr{Cvoid}) = Raw.netcl_device_release(pointer)
retain_entry(::Device, pointer::Ptr{Cvoid}) = Raw.netcl_device_retain(pointer)

"""
    Queue

An in-order or out-of-order command queue of a device.

Any number of threads may use it.
"""
mutable struct Queue <: Handle
    pointer::Ptr{Cvoid}
    function Queue(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Queue, pointer::Ptr{Cvoid}) = Raw.netcl_queue_release(pointer)
retain_entry(::Queue, pointer::Ptr{Cvoid}) = Raw.netcl_queue_retain(pointer)

"""
    Event

The completion of one command.

Any number of threads may use it.
"""
mutable struct Event <: Handle
    pointer::Ptr{Cvoid}
    function Event(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Event, pointer::Ptr{Cvoid}) = Raw.netcl_event_release(pointer)
retain_entry(::Event, pointer::Ptr{Cvoid}) = Raw.netcl_event_retain(pointer)

"""
    Pool

A cache of device memory or of page-locked host memory.

Any number of threads may use it.
"""
mutable struct Pool <: Handle
    pointer::Ptr{Cvoid}
    function Pool(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Pool, pointer::Ptr{Cvoid}) = Raw.netcl_pool_release(pointer)
retain_entry(::Pool, pointer::Ptr{Cvoid}) = Raw.netcl_pool_retain(pointer)

"""
    Buffer

A piece of memory: a lease from a pool, or memory made on its own.

Any number of threads may use it.
"""
mutable struct Buffer <: Handle
    pointer::Ptr{Cvoid}
    function Buffer(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Buffer, pointer::Ptr{Cvoid}) = Raw.netcl_buffer_release(pointer)
retain_entry(::Buffer, pointer::Ptr{Cvoid}) = Raw.netcl_buffer_retain(pointer)

"""
    Tensor

An N-d array: a shape, strides and a dtype over a piece of memory.

Any number of threads may use it.
"""
mutable struct Tensor <: Handle
    pointer::Ptr{Cvoid}
    function Tensor(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Tensor, pointer::Ptr{Cvoid}) = Raw.netcl_tensor_release(pointer)
retain_entry(::Tensor, pointer::Ptr{Cvoid}) = Raw.netcl_tensor_retain(pointer)

"""
    Kernel

A kernel specification and what it was built to.

Any number of threads may use it.
"""
mutable struct Kernel <: Handle
    pointer::Ptr{Cvoid}
    function Kernel(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Kernel, pointer::Ptr{Cvoid}) = Raw.netcl_kernel_release(pointer)
retain_entry(::Kernel, pointer::Ptr{Cvoid}) = Raw.netcl_kernel_retain(pointer)

"""
    Expression

A parsed elementwise expression, bound to no device.

Any number of threads may use it.
"""
mutable struct Expression <: Handle
    pointer::Ptr{Cvoid}
    function Expression(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Expression, pointer::Ptr{Cvoid}) = Raw.netcl_expression_release(pointer)
retain_entry(::Expression, pointer::Ptr{Cvoid}) = Raw.netcl_expression_retain(pointer)

"""
    Measurement

A loop that times work of the caller.

It may change threads; calls on it are made one after the other.
"""
mutable struct Measurement <: Handle
    pointer::Ptr{Cvoid}
    turn::ReentrantLock
    function Measurement(pointer::Ptr{Cvoid})
        handle = new(pointer, ReentrantLock())
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Measurement, pointer::Ptr{Cvoid}) = Raw.netcl_measurement_release(pointer)
retain_entry(::Measurement, pointer::Ptr{Cvoid}) = Raw.netcl_measurement_retain(pointer)
take_turn(handle::Measurement) = lock(handle.turn)
end_turn(handle::Measurement) = unlock(handle.turn)
share_turn(to::Measurement, from::Measurement) = (to.turn = from.turn; nothing)

"""
    Timer

A stopwatch of what is enqueued on a queue.

It may change threads; calls on it are made one after the other.
"""
mutable struct Timer <: Handle
    pointer::Ptr{Cvoid}
    turn::ReentrantLock
    function Timer(pointer::Ptr{Cvoid})
        handle = new(pointer, ReentrantLock())
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Timer, pointer::Ptr{Cvoid}) = Raw.netcl_timer_release(pointer)
retain_entry(::Timer, pointer::Ptr{Cvoid}) = Raw.netcl_timer_retain(pointer)
take_turn(handle::Timer) = lock(handle.turn)
end_turn(handle::Timer) = unlock(handle.turn)
share_turn(to::Timer, from::Timer) = (to.turn = from.turn; nothing)

"""
    Region

A named stretch of work on a queue, for profiles.

It may change threads; calls on it are made one after the other.
"""
mutable struct Region <: Handle
    pointer::Ptr{Cvoid}
    turn::ReentrantLock
    function Region(pointer::Ptr{Cvoid})
        handle = new(pointer, ReentrantLock())
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Region, pointer::Ptr{Cvoid}) = Raw.netcl_region_release(pointer)
retain_entry(::Region, pointer::Ptr{Cvoid}) = Raw.netcl_region_retain(pointer)
take_turn(handle::Region) = lock(handle.turn)
end_turn(handle::Region) = unlock(handle.turn)
share_turn(to::Region, from::Region) = (to.turn = from.turn; nothing)

"""
    Roofline

An analyzer of how near kernels are to the roofline, with its history.

It may change threads; calls on it are made one after the other.
"""
mutable struct Roofline <: Handle
    pointer::Ptr{Cvoid}
    turn::ReentrantLock
    function Roofline(pointer::Ptr{Cvoid})
        handle = new(pointer, ReentrantLock())
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Roofline, pointer::Ptr{Cvoid}) = Raw.netcl_roofline_release(pointer)
retain_entry(::Roofline, pointer::Ptr{Cvoid}) = Raw.netcl_roofline_retain(pointer)
take_turn(handle::Roofline) = lock(handle.turn)
end_turn(handle::Roofline) = unlock(handle.turn)
share_turn(to::Roofline, from::Roofline) = (to.turn = from.turn; nothing)

"""
    Ceilings

Limits of a device: rates of memory, caches, arithmetic and transfers.

Any number of threads may use it.
"""
mutable struct Ceilings <: Handle
    pointer::Ptr{Cvoid}
    function Ceilings(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Ceilings, pointer::Ptr{Cvoid}) = Raw.netcl_ceilings_release(pointer)
retain_entry(::Ceilings, pointer::Ptr{Cvoid}) = Raw.netcl_ceilings_retain(pointer)

"""
    Space

Tuning parameters, their values and constraints. Movable while it is built, then shareable.

It may change threads; calls on it are made one after the other.
"""
mutable struct Space <: Handle
    pointer::Ptr{Cvoid}
    turn::ReentrantLock
    function Space(pointer::Ptr{Cvoid})
        handle = new(pointer, ReentrantLock())
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Space, pointer::Ptr{Cvoid}) = Raw.netcl_space_release(pointer)
retain_entry(::Space, pointer::Ptr{Cvoid}) = Raw.netcl_space_retain(pointer)
take_turn(handle::Space) = lock(handle.turn)
end_turn(handle::Space) = unlock(handle.turn)
share_turn(to::Space, from::Space) = (to.turn = from.turn; nothing)

"""
    Config

Values of tuning parameters.

Any number of threads may use it.
"""
mutable struct Config <: Handle
    pointer::Ptr{Cvoid}
    function Config(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Config, pointer::Ptr{Cvoid}) = Raw.netcl_config_release(pointer)
retain_entry(::Config, pointer::Ptr{Cvoid}) = Raw.netcl_config_retain(pointer)

"""
    TuningDatabase

What tuning found, in memory and in a file.

Any number of threads may use it.
"""
mutable struct TuningDatabase <: Handle
    pointer::Ptr{Cvoid}
    function TuningDatabase(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::TuningDatabase, pointer::Ptr{Cvoid}) = Raw.netcl_tuning_database_release(pointer)
retain_entry(::TuningDatabase, pointer::Ptr{Cvoid}) = Raw.netcl_tuning_database_retain(pointer)

"""
    Search

A search over a space for its fastest configuration, by asking and telling.

Any number of threads may use it.
"""
mutable struct Search <: Handle
    pointer::Ptr{Cvoid}
    function Search(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Search, pointer::Ptr{Cvoid}) = Raw.netcl_search_release(pointer)
retain_entry(::Search, pointer::Ptr{Cvoid}) = Raw.netcl_search_retain(pointer)

"""
    Tuner

Kernels and ops that are tuned together.

Any number of threads may use it.
"""
mutable struct Tuner <: Handle
    pointer::Ptr{Cvoid}
    function Tuner(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Tuner, pointer::Ptr{Cvoid}) = Raw.netcl_tuner_release(pointer)
retain_entry(::Tuner, pointer::Ptr{Cvoid}) = Raw.netcl_tuner_retain(pointer)

"""
    Benchmark

A comparison of candidate kernels, in a process of their own, with a baseline.

It may change threads; calls on it are made one after the other.
"""
mutable struct Benchmark <: Handle
    pointer::Ptr{Cvoid}
    turn::ReentrantLock
    function Benchmark(pointer::Ptr{Cvoid})
        handle = new(pointer, ReentrantLock())
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Benchmark, pointer::Ptr{Cvoid}) = Raw.netcl_benchmark_release(pointer)
retain_entry(::Benchmark, pointer::Ptr{Cvoid}) = Raw.netcl_benchmark_retain(pointer)
take_turn(handle::Benchmark) = lock(handle.turn)
end_turn(handle::Benchmark) = unlock(handle.turn)
share_turn(to::Benchmark, from::Benchmark) = (to.turn = from.turn; nothing)

"""
    Graph

Calls of ops that were recorded, in their order.

Any number of threads may use it.
"""
mutable struct Graph <: Handle
    pointer::Ptr{Cvoid}
    function Graph(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Graph, pointer::Ptr{Cvoid}) = Raw.netcl_graph_release(pointer)
retain_entry(::Graph, pointer::Ptr{Cvoid}) = Raw.netcl_graph_retain(pointer)

"""
    Group

One rank of several that work together, each with a device of its own.

Any number of threads may use it.
"""
mutable struct Group <: Handle
    pointer::Ptr{Cvoid}
    function Group(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Group, pointer::Ptr{Cvoid}) = Raw.netcl_group_release(pointer)
retain_entry(::Group, pointer::Ptr{Cvoid}) = Raw.netcl_group_retain(pointer)

"""
    Reducer

What joins the gradients of all ranks of a group while a graph works them out.

Any number of threads may use it.
"""
mutable struct Reducer <: Handle
    pointer::Ptr{Cvoid}
    function Reducer(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Reducer, pointer::Ptr{Cvoid}) = Raw.netcl_reducer_release(pointer)
retain_entry(::Reducer, pointer::Ptr{Cvoid}) = Raw.netcl_reducer_retain(pointer)

"""
    Sharded

One rank's block of a tensor that lies on all ranks of a group.

Any number of threads may use it.
"""
mutable struct Sharded <: Handle
    pointer::Ptr{Cvoid}
    function Sharded(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Sharded, pointer::Ptr{Cvoid}) = Raw.netcl_sharded_release(pointer)
retain_entry(::Sharded, pointer::Ptr{Cvoid}) = Raw.netcl_sharded_retain(pointer)

"""
    Model

A network that was read from a file, ready to run.

Any number of threads may use it.
"""
mutable struct Model <: Handle
    pointer::Ptr{Cvoid}
    function Model(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Model, pointer::Ptr{Cvoid}) = Raw.netcl_model_release(pointer)
retain_entry(::Model, pointer::Ptr{Cvoid}) = Raw.netcl_model_retain(pointer)

"""
    Weights

Named tensors in a file, of which each can be had on a device.

Any number of threads may use it.
"""
mutable struct Weights <: Handle
    pointer::Ptr{Cvoid}
    function Weights(pointer::Ptr{Cvoid})
        handle = new(pointer)
        finalizer(release, handle)
        return handle
    end
end
release_entry(::Weights, pointer::Ptr{Cvoid}) = Raw.netcl_weights_release(pointer)
retain_entry(::Weights, pointer::Ptr{Cvoid}) = Raw.netcl_weights_retain(pointer)

const HANDLE_TYPES = (
    Device, Queue, Event, Pool, Buffer, Tensor, Kernel, Expression, Measurement, Timer,
    Region, Roofline, Ceilings, Space, Config, TuningDatabase, Search, Tuner, Benchmark,
    Graph, Group, Reducer, Sharded, Model, Weights
)
