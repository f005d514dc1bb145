# Rules for ChainRulesCore, against central differences in Float64: run by processes.jl, with a package
# of that name in the load path (test/standin), before or behind Netcl.

using LinearAlgebra, Statistics, Test
if get(ENV, "NETCL_TEST_RULES", "") == "first"
    using ChainRulesCore
    using Netcl
else
    using Netcl
    @test isdefined(Base, :get_extension) || isempty(Netcl.LOADED)
    using ChainRulesCore
end
using ChainRulesCore: NoTangent, ZeroTangent, Thunk, unthunk, rrule

Netcl.device!(ENV["NETCL_DEVICE"])
seed = rand(UInt32)
println("seed of rules.jl: ", seed)
draws = Ref(UInt64(seed))
fresh(dims...) = 0.4 .+ Array(Netcl.rand(Float64, dims...; seed = draws[] += 1))

on_device(x::Array{Float64}) = NetclArray(x)
on_device(x::Tuple) = map(on_device, x)
on_device(x) = x
host(x::NetclArray) = Array(x)
host(x) = x
# The tangent of an argument as numbers of the host.
plain(x::Thunk) = plain(unthunk(x))
plain(x::ChainRulesCore.Tangent) = map(plain, x.backing)
plain(x::NetclArray{Float64}) = Array(x)
plain(x) = x

inner(d, y) = sum(d .* y)
nudged(x::Number, k, step) = x + step
nudged(x::Array, k, step) = (y = copy(x); y[k] += step; y)

# By central differences: of the product of d with f, by one argument.
function differences(f, d, args, at)
    made = zeros(size(args[at]))
    step = 1e-6
    for k in 1:length(args[at])
        value(by) = inner(d, host(f(map(on_device, (args[1:at-1]..., nudged(args[at], k, by),
                                                    args[at+1:end]...))...)))
        made[k] = (value(step) - value(-step)) / 2step
    end
    return args[at] isa Number ? made[] : made
end

"""
Compares what the rule of a call gives with f, and its tangents with differences. `named` are the
arguments of f; `shaped` makes of them those of the function that has the rule.
"""
function agree(call, args...; shaped = identity, keywords...)
    f(xs...) = call(shaped(xs)...; keywords...)
    given = shaped(map(on_device, args))
    value, back = rrule(call, given...; keywords...)
    direct = f(map(on_device, args)...)
    direct = direct isa Base.Broadcast.Broadcasted ? Base.Broadcast.materialize(direct) : direct
    @test typeof(value) == typeof(direct) && host(value) ≈ host(direct)
    d = value isa Number ? 0.7 : fresh(size(value)...)
    tangents = back(value isa Number ? d : Thunk(() -> NetclArray(d)))
    @test length(tangents) == length(given) + 1 && tangents[1] isa NoTangent
    for (k, x) in enumerate(args)
        at = findfirst(y -> y === x || y isa NetclArray && host(y) == x, collect(Any, given))
        wanted = differences((xs...) -> Base.Broadcast.materialize(f(xs...)), d, args, k)
        got = plain(tangents[at + 1])
        @test typeof(got) == typeof(wanted) && isapprox(got, wanted; rtol = 1e-6, atol = 1e-7)
    end
    # Of nothing there is nothing.
    @test all(t -> plain(t) isa ChainRulesCore.AbstractZero, back(ZeroTangent()))
    return tangents
end

dots(f) = xs -> (f, xs...)
const B = Base.Broadcast.broadcasted

@testset "broadcasts" begin
    agree(B, fresh(3); shaped = dots(tanh))
    agree(B, fresh(2, 3), fresh(2); shaped = dots(*))
    agree(B, fresh(3), 1.5; shaped = dots(/))
    agree(B, 1.5, fresh(3); shaped = dots(^))
    agree(B, fresh(3), fresh(3), 0.3; shaped = dots(muladd))
    agree(B, fresh(3); shaped = xs -> (Netcl.NetclStyle{1}(), exp, xs...))
    agree(B, fresh(3); shaped = xs -> (Base.literal_pow, Ref(^), xs[1], Ref(Val(3))))
    agree(broadcast, fresh(2, 2), fresh(1, 2); shaped = dots((x, y) -> sin(x) * y))
    agree(map, fresh(3), fresh(3); shaped = dots(-))
    @test rrule(B, >, NetclArray([1.0, 2.0]), 1.5)[2](1.0)[3] |> plain isa ZeroTangent
    scale = 2.0
    @test_throws ArgumentError rrule(B, x -> x * scale, NetclArray([1.0]))
    @test_throws ArgumentError rrule(B, *, NetclArray([1.0]), [1.0])
end

# The order of loading says how the rules come to be there, and not what they are.
if get(ENV, "NETCL_TEST_RULES", "") == "first" && isempty(get(ENV, "NETCL_TEST_FULL", ""))
    println("the rules are done")
    exit()
end

@testset "products" begin
    agree(*, fresh(2, 3), fresh(3, 2))
    agree(*, fresh(2, 3), fresh(3))
    agree(*, fresh(3), fresh(1, 2))
    agree(*, fresh(3), 2.5)
    agree(*, 2.5, fresh(2, 2))
    agree(/, fresh(3), 2.5)
    agree(+, fresh(3), fresh(3))
    agree(-, fresh(3), fresh(3))
    agree(-, fresh(3))
    agree(dot, fresh(3), fresh(3))
    agree(norm, fresh(2, 2))
    x = fresh(2, 2)
    y = NetclArray(x)
    # One array twice has two gradients.
    _, back = rrule(*, y, y)
    d = fresh(2, 2)
    a, b = map(plain, back(NetclArray(d))[2:3])
    @test a ≈ d * x' && b ≈ x' * d
    @test plain(rrule(*, y, 3)[2](NetclArray(d))[2]) ≈ 3d
end

@testset "sums and the like" begin
    for f in (sum, prod, maximum, minimum, mean, var, std)
        agree(f, fresh(3, 2))
        agree(f, fresh(3, 2); dims = 1)
    end
    agree(sum, fresh(3); shaped = dots(abs2))
    agree(mean, fresh(3, 2); shaped = dots(sin), dims = 2)
    agree(cumsum, fresh(3, 2); dims = 1)
    agree(copy, fresh(2))
end

@testset "shapes and parts" begin
    agree(reshape, fresh(2, 3); shaped = xs -> (xs..., 3, 2))
    agree(reshape, fresh(2, 3); shaped = xs -> (xs..., (3, :)))
    agree(vec, fresh(2, 3))
    agree(dropdims, fresh(2, 1); dims = 2)
    agree(transpose, fresh(2, 3))
    agree(adjoint, fresh(3))
    agree(permutedims, fresh(2, 3))
    agree(permutedims, fresh(2, 3, 2); shaped = xs -> (xs..., (3, 1, 2)))
    agree(getindex, fresh(3, 4); shaped = xs -> (xs..., 2:3, :))
    agree(getindex, fresh(3, 4); shaped = xs -> (xs..., :, [4, 1, 1]))
    agree(view, fresh(3, 4); shaped = xs -> (xs..., 2, 1:2:3))
    agree(vcat, fresh(2, 2), fresh(1, 2))
    agree(hcat, fresh(2, 2), fresh(2, 1))
    agree(cat, fresh(2), fresh(2); dims = 2)
    v = NetclArray(fresh(3))
    row, back = rrule(adjoint, v)
    @test row * v ≈ sum(abs2, v) && size(plain(back([1.0 2.0 3.0])[2])) == (3,)
end

@testset "ops by their names" begin
    agree(Netcl.op_softmax, fresh(2, 3); shaped = xs -> (xs..., 1))
    agree(Netcl.op_matmul, fresh(2, 3), fresh(3, 2))
    agree(Netcl.op_conv2d, fresh(1, 2, 4, 4), fresh(3, 2, 3, 3); layout = :nchw)
    agree(Netcl.op_pool, fresh(1, 2, 4, 4); shaped = xs -> (xs..., :average), layout = :nchw,
          window = (2, 2))
    agree(Netcl.op_layernorm, fresh(2, 3); shaped = xs -> (xs..., 1))
    x, y = NetclArray(fresh(3)), NetclArray(fresh(3))
    for list in ((x, y), [x, y])
        value, back = rrule(Netcl.op_expression_text, "v0 * v1", list)
        d = back(NetclArray([1.0, 1.0, 1.0]))[3]
        @test plain(d[1]) ≈ Array(y) && plain(d[2]) ≈ Array(x)
    end
    problem = try
        rrule(Netcl.op_layernorm, NetclArray(fresh(2, 3)), 1; scale = NetclArray(fresh(3)))
    catch caught
        caught
    end
    @test problem isa ArgumentError && occursin("scale", problem.msg) && occursin("taped", problem.msg)
    f(x, s) = Netcl.op_layernorm(x, 1; scale = s) .* sum(s)
    agree(Netcl.taped, fresh(2, 3), fresh(3); shaped = dots(f))
end

@testset "to the device and back" begin
    A = fresh(2)
    x, back = rrule(NetclArray, A)
    @test x isa NetclArray && back(NetclArray([1.0, 2.0]))[2] == [1, 2]
    B, back = rrule(Array, x)
    @test B == A && plain(unthunk(back([1.0, 2.0])[2])) == [1, 2]
    @test rrule(sin, 1.0) === nothing
end

@testset "what cannot be" begin
    x = NetclArray(fresh(2))
    _, back = rrule(*, x, 2.0)
    @test_throws DimensionMismatch plain(back(NetclArray(fresh(3)))[2])
    @test_throws ArgumentError plain(back("x")[2])
    @test_throws ArgumentError Netcl.gradient(a -> Netcl.pullback(sum, a)[1], x)
    value, back = Netcl.pullback((a, b) -> sum(a), x, copy(x))
    @test Array(back(2.0)[1]) == [2, 2] && back(1.0)[2] === nothing
end
println("the rules are done")
