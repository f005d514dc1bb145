# Functions that do something else with numbers than with the symbols that they are traced with.

by_method(x::Float32) = 2x
by_method(x) = x
by_number(x::Real) = x + 1
by_float(x::AbstractFloat) = 2x
inner(x) = by_method(x) + 1
counted = Ref(0)

@testset "methods for a type" begin
    A = Float32[1, 2, -3]
    x = NetclArray(A)
    throws(() -> by_method.(x), Netcl.Unexpressible, "by_method has a method for Float32")
    throws(() -> by_float.(x), Netcl.Unexpressible, "by_float")
    throws(() -> nextfloat.(x), Netcl.Unexpressible, "nextfloat")
    throws(() -> x .+ by_method.(x .+ 1), Netcl.Unexpressible, "by_method")
    throws(() -> inner.(x), Netcl.Unexpressible, "inner gives")
    # The method that fits the type is the one that was traced.
    @test Array(by_number.(x)) == A .+ 1
    i = NetclArray(Int32[1, 2])
    @test Array(by_method.(i)) == [1, 2] && Array(inner.(i)) == [2, 3]
    Netcl.allowhost() do
        @test Array(by_method.(x)) == 2A && Array(inner.(x)) == inner.(A)
        @test Array(x .+ by_float.(x)) == 3A
    end
end

@testset "what depends on more than arithmetic" begin
    A = Float32[1, 2, -3]
    x = NetclArray(A)
    is_float(v) = v isa AbstractFloat ? 2v : v
    is_type(v) = typeof(v) === Float32 ? 2v : v
    same(v) = v === v + 0 ? 2v : v
    hashed(v) = hash(v) == hash(1f0) ? 2v : v
    catching(v) = try sqrt(v) catch; zero(v) end
    constant(v) = v isa AbstractFloat ? 1f0 : 2f0
    dice(v) = v + Float32(counted[] += 1)
    for f in (is_float, is_type, same, hashed, catching, constant, dice)
        throws(() -> f.(x), Netcl.Unexpressible, string(f))
        throws(() -> (x .= 2f0 .* f.(x)), Netcl.Unexpressible, string(f))
    end
    @test Array(x) == A
    Netcl.allowhost() do
        @test Array(is_float.(x)) == 2A && Array(same.(x)) == same.(A)
    end
    # What is asked of the type is answered for the elements.
    typed(v) = v * convert(typeof(v), 3) + eltype(v)(2) + oftype(v, 1) + typemax(Int8)
    @test Array(typed.(x)) == typed.(A)
    @test Array((v -> max(v, typemin(typeof(v)) + eps(typeof(v)))).(x)) == A
    generic(v::T) where {T<:Real} = v^2 + one(T) / T(2)
    @test Array(generic.(x)) == generic.(A)
    # Where Julia throws for a value there is nothing to compare.
    @test Array((v -> sqrt(v + 3)).(x)) == sqrt.(A .+ 3)
    halves(v) = v ÷ 2
    @test Array(halves.(NetclArray([7, -7]))) == [3, -3]
    # A function is compared once, and again when it has become another one.
    scaled(s) = v -> v * s
    @test Array(scaled(2f0).(x)) == 2A && Array(scaled(3f0).(x)) == 3A
end
