# The recipes of docs/cookbook and of other articles, which check what they compute.
#
# usage: julia --project=bindings/julia bindings/julia/examples/cookbook.jl [device [EXAMPLES]]
#
# EXAMPLES is the folder of the examples in C, which has a small model.

using Netcl

Netcl.device!(isempty(ARGS) ? "auto" : ARGS[1])
examples = length(ARGS) > 1 ? ARGS[2] : joinpath(@__DIR__, "..", "..", "..", "examples")
for file in sort(readdir(joinpath(@__DIR__, "cookbook")))
    # Each in a module of its own, so that none finds a name of another.
    place = Module()
    Core.eval(place, :(using Netcl; const EXAMPLES = $examples))
    Base.include(place, joinpath(@__DIR__, "cookbook", file))
    println(file)
end
