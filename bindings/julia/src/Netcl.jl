"""
OpenCL compute: N-d arrays, fused broadcasting, kernels and fast ops on any OpenCL device, and on
a built-in CPU device where there is none.

`NetclArray` is an array on a device. Every function `netcl_x` of C is `Netcl.x`, with keywords
for its options and with an exception, `NetclError`, for a status that is not OK.

`?Netcl.op_softmax` and so on tell what an op does and what its options are. An option that is left
out is 0 or nothing, which has the meaning that is told there. These options are those of all ops:

* `queue`: where the call is enqueued; the default queue of the first input's device
* `into`: an array or tensor to write the result to, instead of a new one
* `waits`: events to wait for besides what the arrays wait for anyway
* `event`: a `Ref{Netcl.Event}()`, which gets the event of the last command
* `graph`: a `Netcl.Graph` that records the call; `gradient` and `compiled` give it themselves

Coming from CUDA.jl: `NetclArray` is `CuArray`, `Netcl.rand` is `CUDA.rand`, `Netcl.Kernel` with
OpenCL C is `@cuda`, and `Netcl.@sync`, `@elapsed`, `@time`, `@allowscalar`, `synchronize`,
`versioninfo` and `memory_status` are as there.
"""
module Netcl

import Libdl
import LinearAlgebra
import Logging
import Logging: AbstractLogger, current_logger, with_logger
import Random
import Serialization
import Statistics: cor, cov, mean, median, median!, quantile, std, var

export NetclArray, NetclVector, NetclMatrix, NetclError

include("raw.jl")
include("support.jl")
include("generated/enums.jl")
include("errors.jl")
include("generated/handles.jl")
include("element.jl")
include("array.jl")
include("generated/structs.jl")
include("memory.jl")
include("collect.jl")
include("recording.jl")
include("generated/functions.jl")
include("device.jl")
include("waiting.jl")
include("kernel.jl")
include("tune.jl")
include("gradient.jl")
include("kept.jl")
include("compiled.jl")
include("make.jl")
include("structures.jl")
include("transfer.jl")
include("views.jl")
include("indexing.jl")
include("trace.jl")
include("arithmetic.jl")
include("compare.jl")
include("composed.jl")
include("plan.jl")
include("settled.jl")
include("probe.jl")
include("broadcast.jl")
include("again.jl")
include("reduce.jl")
include("statistics.jl")
include("linalg.jl")
include("integer.jl")
include("wrapped.jl")
include("order.jl")
include("random.jl")
include("ops.jl")
include("serialize.jl")
include("weights.jl")
include("cells.jl")
include("show.jl")
include("extension.jl")
include("hints.jl")

function __init__()
    Raw.load()
    watch_packages()
    give_hints()
end

include("precompile.jl")

end
