# Extensions for Adapt and GPUArrays: run by processes.jl, with packages of those names in the load path
# (test/standin), before or behind Netcl; and by packages.sh with real ones, of which old versions have
# no GPUArraysCore and no unsafe_free!.

using Test
const CORE = Base.find_package("GPUArraysCore") !== nothing
if get(ENV, "NETCL_TEST_ORDER", "") == "first"
    using Adapt, GPUArrays
    CORE && @eval using GPUArraysCore
    using Netcl
else
    using Netcl
    @test isdefined(Base, :get_extension) || isempty(Netcl.LOADED)
    x = NetclArray([1f0])
    @test_throws ArgumentError x[1]
    using Adapt, GPUArrays
    CORE && @eval using GPUArraysCore
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

@testset "views of the host" begin
    for seen in (view(A, 2:3, :), view(A, :, 1), reshape(view(A, 2:3, :), 4),
                 PermutedDimsArray(A, (2, 1)), reinterpret(Int32, A), A', 1:3)
        for to in (NetclArray, Netcl.device())
            moved = Adapt.adapt(to, seen)
            @test moved isa NetclArray{eltype(seen),ndims(seen)}
            @test Array(moved) == seen && Array(moved .+ 1) == seen .+ 1
        end
    end
end

@test_throws ArgumentError there.w[1, 2]
@test GPUArrays.allowscalar(() -> there.w[1, 2]) === A[1, 2]
@test GPUArrays.@allowscalar(there.w[1, 2]) === A[1, 2]
if CORE
    @test GPUArraysCore.allowscalar(() -> there.w[1, 2]) === A[1, 2]
    @test @eval GPUArraysCore.@allowscalar(there.w[1, 2]) === A[1, 2]
end
@test_throws ArgumentError there.w[1, 2]
if isdefined(GPUArrays, :unsafe_free!)
    GPUArrays.unsafe_free!(there.w)
    @test !isopen(there.w.tensor)
end
println("the extensions are done")
