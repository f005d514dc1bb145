# Written by bindings/generator from include/netcl.h; changes here are lost.

include("benchmark.jl")
include("buffer.jl")
include("callbacks.jl")
include("ceilings.jl")
include("config.jl")
include("device.jl")
include("event.jl")
include("expression.jl")
include("graph.jl")
include("group.jl")
include("kernel.jl")
include("library.jl")
include("measurement.jl")
include("model.jl")
include("op.jl")
include("pool.jl")
include("queue.jl")
include("reducer.jl")
include("region.jl")
include("roofline.jl")
include("search.jl")
include("sharded.jl")
include("space.jl")
include("tensor.jl")
include("timer.jl")
include("tuner.jl")
include("tuning_database.jl")
include("weights.jl")

# What is written for other languages only, and why not here.
const LEFT_OUT = (
    (:netcl_log_set_callback, "it keeps a function beyond the call, which other threads' calls would call"),
    (:netcl_device_push, "it works on state of a thread, and tasks change threads"),
    (:netcl_device_pop, "it works on state of a thread, and tasks change threads"),
    (:netcl_device_current, "it works on state of a thread, and tasks change threads"),
    (:netcl_region_push, "it works on state of a thread, and tasks change threads"),
    (:netcl_region_pop, "it works on state of a thread, and tasks change threads"),
)
