# Lists of indices and masks, on the host and on the device, against Base.

seed = rand(UInt32)
println("seed of indices.jl: ", seed)
draws = Random.MersenneTwister(seed)

# Packed, a view with steps, a transpose, and nothing at all.
function index_layouts(A)
    wide = NetclArray(repeat(A; inner = (2, 1)))
    return [NetclArray(A), view(wide, 1:2:(2 * size(A, 1)), :), NetclArray(permutedims(A))']
end
off_device(x) = x
off_device(x::NetclArray) = Array(x)
off_device(x::Tuple) = map(off_device, x)

@testset "read, $T of $dims" for (T, dims) in ((Float32, (5, 6)), (Int8, (0, 6)), (Bool, (3, 1)))
    A = rand(draws, T, dims...)
    m, n = dims
    rows, columns = m == 0 ? Int[] : rand(draws, 1:m, 4), rand(draws, 1:n, 3)
    mask, along = rand(draws, Bool, dims...), rand(draws, Bool, m)
    places = m == 0 ? CartesianIndex{2}[] : [CartesianIndex(i, 1) for i in rows]
    for (k, x) in enumerate(index_layouts(A))
        for I in ((rows, :), (:, columns), (rows, columns), (rows, 1), (1:m, columns), (mask,),
                  (along, :), (along, columns), (BitArray(mask),), (places,), (reshape(rows, :, 1), :),
                  (rows,), (findall(mask),), (vec(mask),), (rows, [1 n; n 1]))
            @test off_device(x[I...]) == A[I...] && x[I...] isa NetclArray{T}
            k == 1 || continue
            # The same with what can be on the device there.
            D = map(i -> i isa Array{<:Union{Bool,Int}} ? NetclArray(i) : i, I)
            @test off_device(x[D...]) == A[I...]
        end
        @test off_device(findall(NetclArray(mask))) == findall(mask)
        k == 1 || continue
        # Base of Julia 1.5 fails for no elements.
        @test findfirst(NetclArray(mask)) == (m == 0 ? nothing : findfirst(mask))
        @test findlast(NetclArray(mask)) == (m == 0 ? nothing : findlast(mask))
        @test off_device(findall(NetclArray(along))) == findall(along)
    end
end

@testset "written, $T" for T in (Float32, Bool)
    A = rand(draws, T, 5, 6)
    mask, along = rand(draws, Bool, 5, 6), rand(draws, Bool, 5)
    rows, columns = Random.randperm(draws, 5)[1:3], [6, 2]
    cases = Any[(rows, :), (rows, columns), (along, 2:3), (mask,), (2, columns),
                ([CartesianIndex(1, 2), CartesianIndex(5, 6)],), ([30, 1, 7],)]
    for (k, y) in enumerate(index_layouts(A)), I in cases
        B = copy(A)
        copyto!(y, A)
        D = map(i -> i isa Array{<:Union{Bool,Int}} && k > 1 ? NetclArray(i) : i, I)
        values = rand(draws, T, size(B[I...]))
        B[I...] = values
        y[D...] = k > 1 ? NetclArray(values) : values
        @test off_device(y) == B
        B[I...] .= one(T)
        y[D...] .= one(T)
        @test off_device(y) == B
        B[I...] .= xor.(values .> 0, true)
        y[D...] .= xor.(NetclArray(values) .> 0, true)
        @test off_device(y) == B
        T === Bool && continue
        B[I...] .+= T(2)
        y[D...] .+= T(2)
        @test off_device(y) == B
    end
    # Of equal indices the last one counts.
    y = NetclArray(zeros(Float32, 3))
    y[[2, 2, 2]] = [1, 2, 3]
    @test Array(y) == [0, 3, 0]
    y[[1, 2]] = view(y, 2:3)
    @test Array(y) == [3, 0, 0]
    y[[1, 2, 3]] = view(y, 3:-1:1)
    @test Array(y) == [0, 0, 3]
    y[y .> 5] .= 7
    y[Int[]] = Float32[]
    @test Array(y) == [0, 0, 3]
end

@testset "what does not fit" begin
    A = rand(draws, Float32, 4, 3)
    x = NetclArray(A)
    for I in (([1, 5], :), ([0],), (trues(3, 3),), (trues(5), :), ([13],), ([CartesianIndex(4, 4)],))
        @test_throws BoundsError A[I...]
        @test_throws BoundsError x[I...]
        D = map(i -> i isa Union{Array{Int},BitArray} ? NetclArray(collect(i)) : i, I)
        @test_throws BoundsError x[D...]
        @test_throws BoundsError (x[D...] .= 1)
    end
    throws(() -> (x[[1, 2], :] = [1 2 3]), DimensionMismatch, "do not fit")
    throws(() -> (x[[1, 2], :] = 3), ArgumentError, "with a dot")
    throws(() -> (x[:, [1]] .= [1, 2]), DimensionMismatch)
    throws(() -> x["a"], ArgumentError, "String")
    @test Array(x) == A
    i = NetclArray(Int32[1, 2])
    throws(() -> (i[[1, 2]] = [1.5, 2.5]), InexactError)
    throws(() -> (i[[1]] .= 1.5), InexactError)
    @test Array(i) == [1, 2]
end

@testset "gradients go through lists" begin
    A = rand(draws, Float32, 4, 3)
    x = NetclArray(A)
    expected = zeros(Float32, 4, 3)
    expected[[1, 3], 2] .= 2
    @test Array(Netcl.gradient(y -> sum(2 .* y[[1, 3], [2]]), x)[1]) == expected
    mask = A .> 0.5
    @test Array(Netcl.gradient(y -> sum(y[mask]), x)[1]) == mask
    @test Array(Netcl.gradient(y -> sum(y[y .> 0.5f0]), x)[1]) == mask
    @test Array(Netcl.gradient(y -> sum(y .* (1:4)), x)[1]) == repeat(1:4, 1, 3)
end

@testset "only the corners come over to be shown" begin
    for dims in ((70, 90), (5000,), (30, 140, 2))
        A = rand(draws, Float32, dims...)
        x = NetclArray(A)
        for size in ((24, 80), (9, 30))
            shown(y) = sprint(show, MIME("text/plain"), y;
                              context = IOContext(stdout, :limit => true, :displaysize => size))
            @test split(shown(x), "\n"; limit = 2)[2] == split(shown(A), "\n"; limit = 2)[2]
        end
    end
    # The whole of this is 64 MiB; what is shown is less than one in a thousand of it.
    x = Netcl.zeros(Float32, 4096, 4096)
    corners = Netcl.shown_elements(IOContext(stdout, :limit => true, :displaysize => (24, 80)), x)
    sprint(Base.print_array, corners; context = IOContext(stdout, :limit => true, :displaysize => (24, 80)))
    @test 0 < sum(length, values(corners.pages)) <= 4 * 80 * 80
end
