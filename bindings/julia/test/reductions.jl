# Reductions and scans.

A = rand(Float32, 5, 7, 3)
x = NetclArray(A)

@testset "sums and extremes" begin
    @test sum(x) ≈ sum(A) && prod(x) ≈ prod(A)
    @test maximum(x) == maximum(A) && minimum(x) == minimum(A) && extrema(x) == extrema(A)
    for dims in (1, 2, 3, (1, 3), (1, 2, 3), 4)
        @test Array(sum(x; dims = dims)) ≈ sum(A; dims = dims)
        @test Array(maximum(x; dims = dims)) == maximum(A; dims = dims)
        @test Array(minimum(x; dims = dims)) == minimum(A; dims = dims)
        @test size(prod(x; dims = dims)) == size(prod(A; dims = dims))
    end
    @test sum(abs2, x) ≈ sum(abs2, A) && sum(abs, x) ≈ sum(A) && sum(v -> 2v, x) ≈ 2 * sum(A)
    @test maximum(abs, x .- 1) ≈ maximum(abs, A .- 1)
    @test mapreduce(v -> v + 1, +, x) ≈ mapreduce(v -> v + 1, +, A)
    @test reduce(max, x; dims = 1) == maximum(x; dims = 1)
    @test reduce(+, x; init = 10f0) ≈ 10 + sum(A)
    @test mapreduce(*, +, x, x) ≈ sum(A .* A)
    @test sum(view(x, 2:4, :, 1)) ≈ sum(A[2:4, :, 1])
    throws(() -> reduce(-, x), ArgumentError, "- is no reduction")
    throws(() -> sum(x; dims = 0), ArgumentError)
    e = NetclArray(Float32[])
    @test sum(e) == 0 && prod(e) == 1
    @test_throws ArgumentError maximum(e)
    @test isnan(maximum(NetclArray(Float32[1, NaN, 3])))
end

@testset "types of sums" begin
    for T in (Bool, Int8, UInt8, Int32, UInt32, Int64, Float16, Float32)
        B = T.(rand(0:1, 40))
        y = NetclArray(B)
        @test sum(y) == sum(B) && typeof(sum(y)) == typeof(sum(B))
        @test eltype(sum(y; dims = 1)) == eltype(sum(B; dims = 1))
        @test maximum(y) === maximum(B)
    end
    @test sum(NetclArray(fill(Int8(100), 10))) == 1000
end

@testset "truth" begin
    b = NetclArray([true false; true true])
    @test any(b) && !all(b) && count(b) == 3
    @test Array(all(b; dims = 1)) == [true false] && Array(any(b; dims = 2)) == reshape([true, true], 2, 1)
    @test any(v -> v > 0.5f0, x) == any(A .> 0.5f0) && all(v -> v >= 0, x)
    @test count(v -> v > 0.5f0, x) == count(A .> 0.5f0)
    @test x == x && x == A && A == x && !(x == x .+ 1) && x != NetclArray(A[1:2, :, :])
end

@testset "places" begin
    @test argmax(x) == argmax(A) && argmin(x) == argmin(A)
    @test findmax(x) == findmax(A) && findmin(x) == findmin(A)
    v = NetclArray(Int32[3, 9, 1, 9])
    @test argmax(v) == 2 && argmin(v) == 3
    @test_throws ArgumentError argmax(NetclArray(Float32[]))
end

@testset "running sums" begin
    v = Int32[1, 2, 3, 4]
    @test Array(cumsum(NetclArray(v))) == cumsum(v) && Array(cumprod(NetclArray(v))) == cumprod(v)
    for dims in 1:3
        @test Array(cumsum(x; dims = dims)) ≈ cumsum(A; dims = dims)
    end
    throws(() -> cumsum(x), ArgumentError, "dims")
    throws(() -> cumsum(x; dims = 4), ArgumentError)
end
