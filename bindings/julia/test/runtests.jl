# Tests of Netcl.jl: on each device of NETCL_TEST_DEVICES ("builtin cpu" unless it is set), and at
# the end a look at which functions of C were called. What Julia makes of a call is the same on all
# devices, so those after the first run what asks for the device alone (kernels, memory, transfers)
# unless NETCL_TEST_FULL is set; tests/parity compares the results of ops on each.

using Test
using LinearAlgebra
using Random: Random
using Logging: Logging, NullLogger, current_logger, with_logger
using Serialization: deserialize, serialize
using Statistics: mean, std, var
using Netcl
using Netcl: NetclError

include("support.jl")
count_calls()

selectors = split(get(ENV, "NETCL_TEST_DEVICES", "builtin cpu"))
of_one = ["broadcasting.jl", "functions.jl", "semantics.jl", "tracing.jl", "settled.jl",
          "reductions.jl", "indices.jl", "methods.jl", "products.jl", "gradients.jl",
          "primitives.jl", "compiled.jl", "ops.jl", "models.jl", "weights.jl", "arrays.jl",
          "views.jl", "tuning.jl", "growth.jl", "misuse.jl", "groups.jl", "generated/refusals.jl"]
of_each = ["kernels.jl", "memory.jl", "devices.jl", "transfers.jl", "measuring.jl", "search.jl",
           "benchmark.jl"]

for selector in selectors
    device = use_device(selector)
    println("== ", selector, ": ", Netcl.device_get_info(device).name)
    flush(stdout)
    whole = selector == first(selectors) || !isempty(get(ENV, "NETCL_TEST_FULL", ""))
    @testset "$selector: $file" for file in (whole ? [of_one; of_each] : of_each)
        include(file)
        close_leftovers()
    end
end
@testset "library" begin
    include("library.jl")
end
@testset "drivers" begin
    include("drivers.jl")
end
@testset "processes" begin
    include("processes.jl")
end
@testset "every function is reached" begin
    include("reach.jl")
end
