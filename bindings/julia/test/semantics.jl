# Functions of numbers, against Base: all pairs of types, with the values where they differ most.

specials(::Type{Bool}) = [true, false]
specials(::Type{T}) where {T<:Unsigned} =
    T[0, 1, 2, 7, 100, typemax(T) >> 1, typemax(T) - 1, typemax(T)]
specials(::Type{T}) where {T<:Signed} =
    T[0, 1, -1, 2, -2, 7, -7, 100, typemax(T), typemax(T) - 1, typemin(T), typemin(T) + 1]
specials(::Type{T}) where {T<:AbstractFloat} =
    T[0, -0.0, 0.5, -0.5, 1, -1, 2.5, -2.5, 3.7, -3.7, 7, -7, 1 / 3, 255, 1e3, Inf, -Inf, NaN,
      nextfloat(T(1)), maxintfloat(T), -maxintfloat(T), prevfloat(T(Inf)), eps(T)]

const INTEGERS = (Bool, Int8, Int32, Int64, UInt8, UInt32, UInt64)
const FLOATS = has_fp64() ? (Float16, Float32, Float64) : (Float16, Float32)

"Around the numbers where floats stop holding all integers, and the ends of the integers."
function edges(::Type{S}, ::Type{F}) where {S,F}
    powers = (precision(F), 31, 63)
    near = S[S(v) for p in powers for v in (big(2)^p - 1, big(2)^p, big(2)^p + 1, -big(2)^p - 1)
             if typemin(S) <= v <= typemax(S)]
    ends = F[F(s * 2.0^p) for p in (powers..., 64) for s in (1, -1)]
    return unique([specials(S); near]), unique(isequal, [specials(F); ends])
end

outcome(f, args...) = try
    f(args...)
catch
    nothing
end

"f over all pairs has to be what Base gives; with `throwing`, wherever Base gives something."
function as_base(f, A::Vector, B::Vector; throwing = false)
    S, T = eltype(A), eltype(B)
    got = f.(NetclArray(A), NetclArray(reshape(B, 1, :)))
    @test eltype(got) === typeof(f(one(S), one(T)))
    expected = throwing ? [outcome(f, x, y) for x in A, y in B] : f.(A, reshape(B, 1, :))
    throwing || (@test isequal(Array(got), expected); return)
    @test all(map((x, y) -> y === nothing || isequal(x, y), Array(got), expected))
end

# A device that compiles takes its time for each pair of types, and what is written down for it is
# the same for all: on those one pair of each kind is tried.
# Elsewhere Julia's own compiler is what takes the time: a third of the pairs, others each time.
const ALL_PAIRS = !isempty(get(ENV, "NETCL_TEST_FULL", ""))
tried(S, T) = is_opencl() ? S in (Int8, Int64, UInt32) && T in (Int64, UInt64, Float32) :
              ALL_PAIRS || rand(1:3) == 1
pairs_of(left, right) = [(S, T) for S in left, T in right if tried(S, T)]

@testset "integers divide as in Base" begin
    for (S, T) in pairs_of(INTEGERS, INTEGERS), f in (div, rem, mod)
        as_base(f, specials(S), filter(!iszero, specials(T)); throwing = f === div && S <: Signed)
    end
    # Division by zero is zero, where Base throws.
    @test Array(NetclArray([5, -5]) .÷ 0) == [0, 0] && Array(UInt8(5) .% NetclArray(Int8[0])) == [0]
end

@testset "floats divide as in Base" begin
    for (S, T) in pairs_of(FLOATS, (FLOATS..., Int8, Int64, UInt16)), f in (div, rem, mod)
        S === Float16 && T !== Float16 || as_base(f, specials(S), specials(T))
    end
    is_opencl() && as_base(mod, specials(Float32), specials(Float32))
    as_base(div, Float32.(randn(50) .* 100), Float32.(randn(20)))
end

@testset "shifts as in Base" begin
    counts = [0, 1, 3, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 65, 1000, -1, -3, -8, -31, -64, -100,
              typemax(Int), typemin(Int) + 1]
    for (S, T) in pairs_of(INTEGERS, (Int8, Int64, UInt8, UInt64)), f in (<<, >>, >>>)
        # In Base -typemin(T) is no positive count.
        as_base(f, specials(S), T === Int64 ? counts : filter(n -> T <: Unsigned || n > typemin(T),
                                                              specials(T)))
    end
    for T in (Int8, Int64, UInt32), f in (<<, >>, >>>)
        A = specials(T)
        a = NetclArray(A)
        constant(n) = x -> f(x, n)
        for n in (0, 9, 40, -1, -70)
            # A number that is broadcast, and one in a function.
            @test Array(f.(a, n)) == f.(A, n)
            is_opencl() || @test Array(constant(n).(a)) == f.(A, n)
        end
    end
    @test Array(NetclArray([1, -1]) .>> typemax(UInt64)) == [0, -1]
    @test Array(-5 .>>> NetclArray([1, 60])) == -5 .>>> [1, 60]
    whole, real = NetclArray([1, 2]), NetclArray(Float32[1, 2])
    for f in (<<, >>, >>>), (a, b) in ((whole, real), (real, whole), (whole, 1.0), (2.0, whole))
        @test_throws Netcl.Unexpressible f.(a, b)
    end
end

const ORDER = (==, !=, <, <=, >, >=, isequal, isless)
"All comparisons in one number, so that one kernel has them all."
order(a, b) = (a == b) + 2 * (a != b) + 4 * (a < b) + 8 * (a <= b) + 16 * (a > b) + 32 * (a >= b) +
              64 * isequal(a, b) + 128 * isless(a, b)

@testset "comparisons as in Base" begin
    for (S, T) in pairs_of(INTEGERS, (INTEGERS..., FLOATS...))
        A, B = T <: AbstractFloat ? edges(S, T) : (specials(S), specials(T))
        as_base(order, A, B)
        T <: AbstractFloat && S === Int64 && as_base(order, B, A)
    end
    for (S, T) in (is_opencl() ? [(Float32, Float32)] : pairs_of(FLOATS, FLOATS))
        as_base(order, specials(S), specials(T))
    end
end

@testset "comparisons with numbers as in Base" begin
    F = Float32[1, 16777216, 16777218, 0.1, -0.0, 0, NaN, Inf, -Inf, π, nextfloat(Float32(π))]
    I = [16777217, 2^53 + 1, 2, 0, -1, typemax(Int), typemin(Int), 3]
    f, i = NetclArray(F), NetclArray(I)
    for n in (16777217, -16777217, typemax(Int), typemin(Int), typemax(UInt64), 0, 0.1f0, 0.1,
              -0.0, NaN, Inf, -Inf, 1e300, true)
        @test Array(order.(f, n)) == order.(F, n) && Array(order.(n, f)) == order.(n, F)
        n isa Float64 && !has_fp64() && continue
        @test Array(order.(i, n)) == order.(I, n)
    end
    for n in (π, 1 // 3), op in (==, <, <=, >, >=)
        @test Array(op.(f, n)) == op.(F, n) && Array(op.(n, f)) == op.(n, F)
        has_fp64() && @test Array(op.(i, n)) == op.(I, n)
    end
    # The kept plan of one number serves another.
    for op in ORDER, n in (16777217, 16777218)
        @test Array(op.(f, n)) == op.(F, n)
    end
end

@testset "clamp as in Base" begin
    A = specials(Float32)
    for (low, high) in ((-1f0, 1f0), (1f0, -1f0), (-0.5, 300), (0, Inf32))
        low isa Float64 && !has_fp64() && continue
        @test isequal(Array(clamp.(NetclArray(A), low, high)), clamp.(A, low, high))
    end
    @test Array(clamp.(NetclArray(Int8[-128, 5, 127]), -3, 200)) == [-3, 5, 127]
end
