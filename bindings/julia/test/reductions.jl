# Reductions and scans.

A = rand(Float32, 5, 7, 3)
x = NetclArray(A)

@testset "sums and extremes" begin
    # 105 factors below 1 may leave the normal numbers, where results have few bits.
    F = A .+ 0.5f0
    y = NetclArray(F)
    @test sum(x) ≈ sum(A) && prod(y) ≈ prod(F)
    @test maximum(x) == maximum(A) && minimum(x) == minimum(A) && extrema(x) == extrema(A)
    for dims in (1, 2, 3, (1, 3), (1, 2, 3), 4)
        @test Array(sum(x; dims = dims)) ≈ sum(A; dims = dims)
        @test Array(maximum(x; dims = dims)) == maximum(A; dims = dims)
        @test Array(minimum(x; dims = dims)) == minimum(A; dims = dims)
        @test Array(prod(y; dims = dims)) ≈ prod(F; dims = dims)
    end
    @test sum(abs2, x) ≈ sum(abs2, A) && sum(abs, x) ≈ sum(A) && sum(v -> 2v, x) ≈ 2 * sum(A)
    @test maximum(abs, x .- 1) ≈ maximum(abs, A .- 1)
    @test sum(x; init = 2) ≈ sum(A) + 2 && maximum(x; init = 1e6) == 1e6
    @test Array(sum(abs, x; dims = 1, init = 3)) ≈ sum(abs, A; dims = 1) .+ 3
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

@testset "means and variances" begin
    @test mean(x) ≈ mean(A) && mean(abs2, x) ≈ mean(abs2, A) && mean(x) isa Float32
    @test var(x) ≈ var(A) && std(x) ≈ std(A) && std(x) isa Float32
    @test var(x; corrected = false) ≈ var(A; corrected = false)
    @test var(x; mean = 0.5f0) ≈ var(A; mean = 0.5f0)
    for dims in (1, 2, (1, 3), (1, 2, 3))
        @test Array(mean(x; dims = dims)) ≈ mean(A; dims = dims)
        @test Array(mean(sqrt, x; dims = dims)) ≈ mean(sqrt.(A); dims = dims)
        @test Array(var(x; dims = dims)) ≈ var(A; dims = dims)
        middle = mean(A; dims = dims)
        @test Array(std(x; dims = dims, mean = middle)) ≈ std(A; dims = dims, mean = middle)
    end
    for T in (Bool, Int8, UInt32, Float64)
        B = T.(rand(0:1, 4, 10))
        y = NetclArray(B)
        @test mean(y) ≈ mean(B) && typeof(mean(y)) == typeof(mean(B)) && var(y) ≈ var(B)
        @test Array(mean(y; dims = 2)) ≈ mean(B; dims = 2)
    end
    # The sum would not be a Float16.
    @test mean(NetclArray(fill(Float16(1000), 100))) === Float16(1000)
    @test isnan(mean(NetclArray(Float32[]))) && isnan(var(NetclArray(Float32[1])))
    @test mean(NetclArray(fill(2f0))) == 2
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
    throws(() -> cumsum(x; dims = 0), ArgumentError)
    @test cumsum(x; dims = 4) == A
end
