# Extensions for Adapt and GPUArrays: run by processes.jl, with packages of those names in the load path
# (test/standin), before or behind Netcl.

using Test
if get(ENV, "NETCL_TEST_ORDER", "") == "first"
    using Adapt, GPUArrays
    using Netcl
else
    using Netcl
    @test isdefined(Base, :get_extension) || isempty(Netcl.LOADED)
    x = NetclArray([1f0])
    @test_throws ArgumentError x[1]
    using Adapt, GPUArrays
end

A = rand(Float32, 3, 2)
model = (w = A, n = 3, name = "layer", parts = ([1, 2], [true]))
there = Adapt.adapt(NetclArray, model)
@test there.w isa NetclArray{Float32,2} && there.parts[1] isa NetclArray{Int}
@test there.n === 3 && there.name == "layer"
back = Adapt.adapt(Array, there)
@test back.w == A && back.w isa Array && back.parts == model.parts && back.parts[2] isa Array{Bool}
@test Adapt.adapt(NetclArray, there).w === there.w
@test Adapt.adapt(NetclArray{Float32}, [1, 2]) isa NetclArray{Float32,1}
@test Adapt.adapt(Array{Float32}, NetclArray([1, 2])) isa Vector{Float32}
@test Adapt.adapt(Netcl.device(), A).device == Netcl.device()
@test Adapt.adapt(NetclArray, ["a"]) == ["a"]

@test_throws ArgumentError there.w[1, 2]
@test GPUArrays.allowscalar(() -> there.w[1, 2]) === A[1, 2]
@test_throws ArgumentError there.w[1, 2]
GPUArrays.unsafe_free!(there.w)
@test !isopen(there.w.tensor)
println("the extensions are done")
