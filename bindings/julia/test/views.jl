# Views share memory; parts are copies.

A = reshape(collect(Int32, 1:24), 2, 3, 4)
x = NetclArray(A)

@testset "views" begin
    for I in ((1, :, :), (:, 2, :), (:, :, 3:4), (2, 3, 4), (1:2, 1:2:3, 4:-1:1), (:, 2:2, 1),
              (2:1, :, :), (:, 3:-2:1, 2:3))
        @test Array(view(x, I...)) == view(A, I...)
        @test isequal(Array(view(view(x, :, 2:3, :), 1, 2, 2:3)), view(A, 1, 3, 2:3))
        v = view(x, I...)
        @test v isa NetclArray && size(v) == size(view(A, I...))
    end
    @test Array(view(x, 5:9)) == view(A, 5:9)
    @test Array(x[1, :, 2:3]) == A[1, :, 2:3]
    @test Array(@view x[end, 2:end, 1]) == A[end, 2:end, 1]
    y = copy(x)
    v = view(y, 1, :, :)
    v .= 0
    B = copy(A)
    B[1, :, :] .= 0
    @test Array(y) == B
    y[2, 1, :] = Int32[7, 8, 9, 10]
    B[2, 1, :] = [7, 8, 9, 10]
    @test Array(y) == B
    y[:, 2, :] = NetclArray(Int32[1 2 3 4; 5 6 7 8])
    B[:, 2, :] = [1 2 3 4; 5 6 7 8]
    @test Array(y) == B
    y[1:1, :, :] .+= 100
    B[1:1, :, :] .+= 100
    @test Array(y) == B
    # A view of its own memory is copied first.
    z = NetclArray(collect(1:10))
    z[2:10] .= z[1:9]
    @test Array(z) == [1; 1:9]
    z[1:9] = view(z, 2:10)
    @test Array(z) == [1:9; 9]
    w = NetclArray(collect(1:10))
    view(w, 2:10) .= view(w, 1:9)
    @test Array(w) == [1; 1:9]
    copyto!(view(w, 1:9), view(w, 2:10))
    @test Array(w) == [1:9; 9]
    @test_throws BoundsError view(x, 3, :, :)
    @test_throws BoundsError view(x, :, 0:1, :)
    @test_throws BoundsError view(x, :, :, typemax(Int))
    throws(() -> view(x, [1, 2], :, :), ArgumentError,
           "views take integers, colons and ranges, not $(Vector{Int}); x[...] copies")
    throws(() -> (y[1:1, :, :] = 3), ArgumentError, "dot")
    throws(() -> (y[1, :, 1] = Int32[1, 2]), DimensionMismatch)
end

@testset "lists of indices" begin
    @test Array(x[:, :, :]) == A && Array(x[:]) == vec(A) && Array(x[2, :, :]) == A[2, :, :]
    z = NetclArray(fill(3f0))
    throws(() -> z[], ArgumentError, "allowscalar")
    Netcl.allowscalar(() -> (z[] = 4; @test z[] == 4))
    throws(() -> (x[1, 1, 1] = [1, 2]), ArgumentError, "one element")
    @test Array(x[:, [3, 1, 1], :]) == A[:, [3, 1, 1], :]
    v = NetclArray([1.5, 2.5, 3.5])
    @test Array(v[[3, 3, 1]]) == [3.5, 3.5, 1.5]
    @test_throws BoundsError v[[0]]
    throws(() -> x[:, 2.5, :], ArgumentError, "Float64")
    throws(() -> view(x, [1], :, :), ArgumentError, "copies what these pick")
end

@testset "shapes" begin
    @test Array(permutedims(x, (3, 1, 2))) == permutedims(A, (3, 1, 2))
    @test Array(Netcl.permuted_view(x, (2, 3, 1))) == permutedims(A, (2, 3, 1))
    @test Array(PermutedDimsArray(x, (2, 3, 1))) == permutedims(A, (2, 3, 1))
    M = rand(Float32, 3, 5)
    m = NetclArray(M)
    @test Array(permutedims(m)) == permutedims(M) && Array(m') == M' && Array(transpose(m)) == M'
    @test size(permutedims(view(m, :, 1))) == (1, 3)
    @test Array(NetclArray(M[:, 1])') == M[:, 1]'
    @test Array(reshape(x, 6, 4)) == reshape(A, 6, 4)
    @test Array(reshape(x, :, 2)) == reshape(A, :, 2)
    @test Array(vec(x)) == vec(A)
    r = reshape(x, 4, 6)
    r[1:1, :] .= Int32(-1)
    @test Array(x) != A
    copyto!(x, A)
    throws(() -> reshape(x, 5, 5), DimensionMismatch)
    throws(() -> reshape(m', 15), ArgumentError, "copy")
    @test Array(reshape(copy(m'), 15)) == vec(permutedims(M))
    @test Array(dropdims(view(x, :, 2:2, :); dims = 2)) == A[:, 2, :]
    throws(() -> permutedims(x, (1, 1, 2)), ArgumentError)
    throws(() -> permutedims(x, (1, 2)), ArgumentError)
    @test Array(vcat(m, m)) == vcat(M, M) && Array([m m]) == [M M]
    @test Array(cat(x, x; dims = 3)) == cat(A, A; dims = 3)
    @test Array(hcat(view(m, :, 1), m)) == hcat(M[:, 1], M)
end

@testset "the functions of C see views too" begin
    t = x.tensor
    s = Netcl.tensor_slice(t, [Netcl.Range(1, 1, 1), Netcl.Range(2, 3, -1), Netcl.Range(0, 2, 3)])
    @test Array(NetclArray(s)) == A[2:2, 3:-1:1, 1:3:4]
    @test Array(NetclArray(Netcl.tensor_permute(t, (2, 0, 1)))) == permutedims(A, (3, 1, 2))
    @test Netcl.tensor_get_info(Netcl.tensor_broadcast(x, (5, 2, 3, 4))).rank == 4
    # The library's reshape is that of C order, in which the last index runs first.
    flat = Netcl.tensor_reshape(t, (-1,))
    @test Array(NetclArray(flat)) == vec(permutedims(A, (3, 2, 1)))
    parts = Netcl.tensor_split(t, 1, (1, 2))
    @test [Array(NetclArray(p)) for p in parts] == [A[:, 1:1, :], A[:, 2:3, :]]
    @test Array(NetclArray(Netcl.tensor_view(t, (2, 2), 1; strides = (2, 6)))) == [2 8; 4 10]
    refused(() -> Netcl.tensor_view(t, (2, 2), 1; strides = (2,)))
    refused(() -> Netcl.tensor_view(t, (2, 2), typemax(Int)))
    refused(() -> Netcl.tensor_slice(t, []))
    refused(() -> Netcl.tensor_permute(t, [0, 0, 1]))
end
