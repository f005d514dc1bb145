# The recipes of docs/cookbook, which check what they compute.
#
# usage: julia --project=bindings/julia bindings/julia/examples/cookbook.jl [device]

using Netcl

Netcl.device!(isempty(ARGS) ? "auto" : ARGS[1])
for file in sort(readdir(joinpath(@__DIR__, "cookbook")))
    # Each in a module of its own, so that none finds a name of another.
    place = Module()
    Core.eval(place, :(using Netcl))
    Base.include(place, joinpath(@__DIR__, "cookbook", file))
    println(file)
end
