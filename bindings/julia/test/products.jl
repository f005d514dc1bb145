# Products and norms, for arrays in column-major order.

@testset "products" begin
    A, B, v = rand(Float32, 30, 20), rand(Float32, 20, 10), rand(Float32, 20)
    a, b, w = NetclArray(A), NetclArray(B), NetclArray(v)
    @test close_to(a * b, A * B) && close_to(a * w, A * v)
    @test close_to(a' * a, A' * A) && close_to(b' * a', B' * A') && close_to(a * a', A * A')
    @test close_to(w * w', v * v') && close_to(w' * b, v' * B)
    @test close_to(view(a, 1:2:30, 3:12) * view(b, 1:10, :), A[1:2:30, 3:12] * B[1:10, :])
    @test size(NetclArray(zeros(Float32, 0, 3)) * NetclArray(zeros(Float32, 3, 2))) == (0, 2)
    @test Array(NetclArray(zeros(Float32, 2, 0)) * NetclArray(zeros(Float32, 0, 2))) == zeros(2, 2)
    throws(() -> a * a, DimensionMismatch, "inner dimensions")
    @test Array(a * 2) == 2A && Array(2 * a) == 2A && Array(a / 2) == A / 2
    @test strides(a * b) == (1, 30)
    if has_fp64()
        @test Array(NetclArray(Float64.(A)) * b) ≈ Float64.(A) * B
    end
end

@testset "with matrices of the host" begin
    A, B, v = rand(Float32, 6, 4), rand(Float32, 4, 6), rand(Float32, 6)
    a, w = NetclArray(A), NetclArray(v)
    for H in (B, A', transpose(A), view(B, :, 1:3), view(B, [4, 1, 2, 3], 2:5), PermutedDimsArray(A, (2, 1)),
              reshape(view(B, 1:2, :), 4, 3), view(A, 1:2:5, :)', view(B, :, 1), B[:, 1], 1:4)
        @test a * H isa NetclArray && close_to(a * H, A * H)
    end
    for H in (B, A', transpose(A), view(B, 1:2, :), PermutedDimsArray(A, (2, 1)))
        @test H * a isa NetclArray && close_to(H * a, H * A)
        @test H * w isa NetclArray && close_to(H * w, H * v)
    end
    for H in (v, view(v, :), view(A, :, 2))
        @test close_to(H' * a, H' * A) && H' * w ≈ H' * v && dot(w, H) ≈ dot(v, H) ≈ dot(H, w)
        @test close_to(w * H', v * H') && close_to(H * w', H * v')
    end
    @test dot(a, B') ≈ dot(A, B') && dot(view(A, :, :), a) ≈ dot(A, A)
    @test close_to(w * view(B, 1:1, :), v * B[1:1, :])
    throws(() -> a * A, DimensionMismatch, "inner dimensions")
    throws(() -> a * view(A, :, 1), DimensionMismatch, "inner dimensions")
    for call in (() -> A \ a, () -> a \ A, () -> A' \ NetclArray(B), () -> NetclArray(B) / B, () -> B / NetclArray(B))
        throws(call, ArgumentError, "no equations are solved")
    end
end

@testset "in place" begin
    A, B, C = rand(Float32, 8, 6), rand(Float32, 6, 5), rand(Float32, 8, 5)
    a, b, c = NetclArray(A), NetclArray(B), NetclArray(C)
    @test mul!(c, a, b) === c && close_to(c, A * B)
    copyto!(c, C)
    @test close_to(mul!(c, a, b, 2, -1), 2 * A * B - C)
    d = NetclArray(zeros(Float32, 5, 8))
    mul!(d', a, b)
    @test close_to(d, (A * B)')
    v = NetclArray(zeros(Float32, 8))
    @test close_to(mul!(v, a, view(b, :, 2)), A * B[:, 2])
    throws(() -> mul!(c, b, a), DimensionMismatch)
    throws(() -> mul!(NetclArray(zeros(Float32, 5, 8)), a, b), DimensionMismatch)
    refused(() -> mul!(view(a, :, 1:5), a, b))
end

@testset "products of integers have the bits of Base" begin
    for S in (Bool, Int8, UInt8, Int16, UInt32, Int64), T in (S, Int16)
        A, B = rand(S, 4, 6), rand(T, 6, 3)
        a, b = NetclArray(A), NetclArray(B)
        @test Array(a * b) == A * B && eltype(a * b) == eltype(A * B)
        @test Array(a * view(b, :, 2)) == A * B[:, 2]
    end
    # More terms than the sums of bytes hold at once, all of them the largest.
    A, B = fill(typemin(Int64), 1, 8200), fill(Int64(-1), 8200, 2)
    @test Array(NetclArray(A) * NetclArray(B)) == A * B
    A, B = fill(typemax(UInt64), 1, 8200), rand(UInt64, 8200, 2)
    @test Array(NetclArray(A) * NetclArray(B)) == A * B
    A, B = rand(Int64, 1, 17000), rand(Int64, 17000)
    @test Array(NetclArray(A) * NetclArray(B)) == A * B
    c = NetclArray(zeros(Int32, 4, 4))
    A = rand(Int32, 4, 4)
    @test Array(mul!(c, NetclArray(A), NetclArray(A), 3, 2)) == (3 * (A * A)) .% Int32
    throws(() -> mul!(c, c, NetclArray(A)), ArgumentError, "shares memory")
end

@testset "norms" begin
    A, B = randn(Float32, 9, 4), randn(Float32, 9, 4)
    a, b = NetclArray(A), NetclArray(B)
    @test norm(a) ≈ norm(A) && norm(a, 1) ≈ norm(A, 1) && norm(a, Inf) == norm(A, Inf)
    @test norm(a, -Inf) == norm(A, -Inf)
    @test dot(a, b) ≈ dot(A, B) && dot(vec(a), b) ≈ dot(A, B)
    @test isapprox(a, a .+ 1f-7) && !isapprox(a, b)
    throws(() -> norm(a, 3), ArgumentError)
    throws(() -> dot(a, vec(b)[1:3]), DimensionMismatch)
end

@testset "rows are transposes of vectors" begin
    for T in (Float32, Int32, Int8)
        V, W, M = T.(rand(-3:3, 5)), T.(rand(-3:3, 5)), T.(rand(-3:3, 5, 5))
        v, w = NetclArray(V), NetclArray(W)
        @test v' * w === V' * W && transpose(v) * w === transpose(V) * W
        @test dot(v, w) === dot(V, W)
        @test v'' isa NetclVector{T} && Array(v'') == V && size(v') == (1, 5)
        @test (2v') * w == (2V') * W && v' / 2 * w ≈ V' / 2 * W
        T <: AbstractFloat || continue
        m = NetclArray(M)
        @test v' * m * w ≈ V' * M * W && v' * (m * w) isa T
        @test close_to((v' * m)', (V' * M)') && (v' * m)' isa NetclVector
        # A matrix of one row is no transpose of a vector.
        @test close_to(NetclArray(reshape(V, 1, 5)) * w, reshape(V, 1, 5) * W)
    end
    B = rand(Bool, 9)
    @test NetclArray(B)' * NetclArray(B) === B' * B
    throws(() -> NetclArray([1f0, 2])' * NetclArray([1f0]), DimensionMismatch)
end

@testset "norms of what leaves the range" begin
    cases = Any[Float32[1e30, 2e30, -2e30], Float32[1e-30, 2e-30], Float32[1e-45, 3e-45],
                Float32[3e38, 1e-3], Float32[0, -0.0], Float32[Inf, 1], Float32[-Inf, Inf],
                Float32[NaN, 1], Float32[], Float16[300, 400], Float16[6e-8, 1.2e-7]]
    has_fp64() && append!(cases, Any[[1e200, -1e200], [1e-200, 2e-200], [5e-324, 5e-324]])
    for A in cases, p in (1, 2, Inf)
        got, expected = norm(NetclArray(A), p), norm(A, p)
        @test typeof(got) == typeof(expected)
        @test isequal(got, expected) || isapprox(got, expected; rtol = 2 * eps(eltype(A)))
    end
    has_fp64() && for A in (Int32[50_000, -70_000], Int8[-128, 127, 3], UInt8[200, 255],
                            Int64[typemax(Int64), 5], [true, true, false]), p in (1, 2, Inf)
        # Base takes the absolute value of an integer as an integer: that of -128 is -128.
        @test norm(NetclArray(A), p) ≈ norm(Float64.(A), p) && norm(NetclArray(A), p) isa Float64
    end
end

@testset "powers of a matrix" begin
    A = Float32[2 1; 0 3]
    @test Array(NetclArray(A)^2) == Array(NetclArray(A)^2.0) == A^2
    throws(() -> NetclArray(A)^0.5, ArgumentError, "a power of 0.5 has no form on the device; Array(x)^(0.5)")
    throws(() -> NetclArray(A)^(1 // 2), ArgumentError, "Array(x)^(1//2)")
end

@testset "products of pages" begin
    A, B = rand(Float32, 3, 4, 5), rand(Float32, 4, 2, 5)
    turn(x) = Netcl.permuted_view(x, (3, 1, 2))
    C = Netcl.permuted_view(Netcl.op_matmul(turn(NetclArray(A)), turn(NetclArray(B))), (2, 3, 1))
    @test size(C) == (3, 2, 5)
    @test all(k -> Array(C)[:, :, k] ≈ A[:, :, k] * B[:, :, k], 1:5)
end
