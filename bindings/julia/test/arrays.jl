# Making arrays, moving them, and what they look like.

const TYPES = (Bool, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Float16, Float32)

@testset "there and back" begin
    for T in TYPES, dims in ((), (7,), (3, 5), (2, 3, 4), (0,), (3, 0), (2, 1, 2, 1, 2, 1, 2, 2))
        A = rand(T, dims...)
        A isa Array || (A = fill(A))
        x = NetclArray(A)
        @test x isa NetclArray{T,length(dims)}
        @test size(x) == size(A) && length(x) == length(A) && ndims(x) == ndims(A)
        @test isequal(Array(x), A) && Array(x) isa Array{T,length(dims)}
        @test strides(x) == strides(Array{T}(undef, map(d -> max(d, 1), size(A))...))
    end
    @test Array(NetclArray([1.5, 2.5])) == [1.5, 2.5]
    @test Array(NetclArray(1:5)) == 1:5
    @test Array(NetclArray{Float32}([1 2; 3 4])) == Float32[1 2; 3 4]
    @test Array(NetclArray(transpose([1 2; 3 4]))) == [1 3; 2 4]
    x = NetclArray(Netcl.BFloat16[1, -2.5, 3])
    @test Array(x) == Netcl.BFloat16[1, -2.5, 3]
    @test Array(NetclArray(NetclArray([1, 2]))) == [1, 2]
    @test Array(NetclArray{Float32}(NetclArray([1, 2]))) == Float32[1, 2]
    throws(() -> NetclArray(["text"]), ArgumentError, "cannot hold String")
    throws(() -> NetclArray([1 + 2im]), ArgumentError, "Complex")
    fails(() -> NetclArray(zeros(1, 1, 1, 1, 1, 1, 1, 1, 1)), Netcl.ERROR_INVALID_ARGUMENT, "rank")
end

@testset "no silent transposition" begin
    A = Float32[1 2 3; 4 5 6]
    x = NetclArray(A)
    Netcl.allowscalar() do
        @test [x[i, j] for i in 1:2, j in 1:3] == A
        @test x[2] == 4 && x[CartesianIndex(1, 3)] == 3
        x[2, 3] = 60
        @test x[2, 3] == 60
        @test x[end] == 60
        @test_throws BoundsError x[3, 1]
    end
    # The library sees the same rows and columns.
    info = Netcl.tensor_get_info(x)
    @test info.shape[1:2] == (2, 3) && info.strides[1:2] == (1, 2)
    throws(() -> x[1, 2], ArgumentError, "allowscalar")
    throws(() -> (x[1, 2] = 3), ArgumentError, "allowscalar")
    throws(() -> sum(v for v in x), ArgumentError, "allowscalar")
    # As scripts for CUDA.jl begin; a task has its own permission.
    @test Netcl.allowscalar(false) === nothing
    throws(() -> x[1, 2], ArgumentError, "allowscalar")
    Netcl.allowscalar(true)
    expected = Array(x)[1, 2]
    @test x[1, 2] == expected
    throws(() -> fetch(@async try x[1, 2] catch caught; throw(caught) end), Exception, "allowscalar")
    Netcl.allowscalar(() -> Netcl.allowscalar(false))
    @test x[1, 2] == expected
    Netcl.allowscalar(false)
    throws(() -> x[1, 2], ArgumentError, "allowscalar")
end

@testset "by their rank, and of the identity" begin
    A = rand(Float32, 3, 4)
    @test NetclVector(A[:, 1]) isa NetclVector{Float32} && Array(NetclVector(A[:, 1])) == A[:, 1]
    @test NetclMatrix(A) isa NetclMatrix{Float32} && Array(NetclMatrix(A)) == A
    @test_throws MethodError NetclVector(A)
    for dims in ((3, 3), (2, 5), (5, 2), (0, 3), (1, 0)), T in (Float32, Int64, Bool)
        @test Array(NetclArray{T}(I, dims...)) == Matrix{T}(I, dims...)
        @test Array(NetclMatrix{T}(I, dims)) == Matrix{T}(I, dims)
    end
    made = NetclArray(2.5I, 3, 3)
    @test made isa NetclMatrix{Float64} && Array(made) == Matrix(2.5I, 3, 3)
    @test NetclMatrix(I, 2, 2) isa NetclMatrix{Bool}
end

@testset "filled arrays" begin
    @test Array(Netcl.zeros(Int32, 2, 3)) == zeros(Int32, 2, 3)
    @test Array(Netcl.ones(4)) == ones(Float32, 4)
    @test Array(Netcl.zeros((2, 3))) == zeros(Float32, 2, 3)
    @test Array(Netcl.ones((2, 3))) == ones(Float32, 2, 3)
    @test size(Netcl.rand((2, 3))) == size(Netcl.randn((2, 3))) == (2, 3)
    @test Array(Netcl.fill(2.5, (2, 2))) == fill(2.5, 2, 2)
    @test Array(Netcl.fill(true, 3)) == [true, true, true]
    @test size(NetclArray{Float32}(undef, 3, 4)) == (3, 4)
    @test size(NetclArray{Float32,2}(undef, 3, 4)) == (3, 4)
    x = Netcl.rand(Float32, 20, 30; seed = 5)
    @test Array(x) == Array(Netcl.rand(Float32, 20, 30; seed = 5))
    @test all(0 .<= Array(x) .< 1)
    # The numbers of a seed go by row and column, whatever the layout.
    rows = Netcl.tensor_create_random(dev(), :f32, (20, 30); seed = 5)
    @test Array(NetclArray(rows)) == Array(x)
    z = Netcl.randn(Float32, 1_000; seed = 1, mean = 3, deviation = 0.5)
    @test abs(sum(Array(z)) / 1_000 - 3) < 0.1
    @test extrema(Array(Netcl.rand(Int32, 200; low = -3, high = 4))) == (-3, 3)
    @test Array(fill!(Netcl.zeros(3), 7)) == [7, 7, 7]
    @test_throws InexactError fill!(Netcl.zeros(UInt8, 3), 300)
    @test Array(zero(NetclArray([1, 2]))) == [0, 0]
    refused(() -> Netcl.zeros(Float32, -1))
end

@testset "copies" begin
    A = rand(Float32, 4, 6)
    x = NetclArray(A)
    y = copy(x)
    fill!(x, 0)
    @test Array(y) == A
    @test similar(y) isa NetclMatrix{Float32} && size(similar(y, Int8, (2,))) == (2,)
    B = similar(A)
    @test copyto!(B, y) === B && B == A
    @test Array(copyto!(x, A)) == A
    @test Array(copyto!(x, 2 .* A)) == 2 .* A
    @test Array(copyto!(NetclArray{Float64}(undef, 4, 6), x)) == Float64.(2 .* A) || !has_fp64()
    v = NetclArray(zeros(Int32, 6))
    copyto!(v, 2, Int32[1, 2, 3, 4], 2, 3)
    @test Array(v) == [0, 2, 3, 4, 0, 0]
    copyto!(v, [9, 9])
    @test Array(v) == [9, 9, 3, 4, 0, 0]
    h = zeros(Int32, 4)
    copyto!(h, 2, v, 3, 2)
    @test h == [0, 3, 4, 0]
    copyto!(v, 5, v, 1, 2)
    @test Array(v) == [9, 9, 3, 4, 9, 9]
    h = zeros(Int64, 2)
    @test copyto!(h, 1, v, 3, 2) == [3, 4]
    @test_throws BoundsError copyto!(v, 5, Int32[1, 2, 3], 1, 3)
    @test_throws BoundsError copyto!(h, v)
    @test_throws BoundsError copyto!(v, zeros(Int32, 7))
    b = [true, false, true]
    @test copyto!(zeros(Bool, 2), 1, NetclArray(b), 2, 2) == [false, true]
    @test convert(Array, x) == 2 .* A && collect(x) == 2 .* A
    @test deepcopy(x) == x
end

@testset "files" begin
    path = tempname() * "\xff.npy"  # no UTF-8, as the system allows
    A = Float32[1 2 3; 4 5 6]
    Netcl.save_npy(path, NetclArray(A))
    @test Array(Netcl.load_npy(path)) == A
    bytes = read(path)
    @test Array(NetclArray(Netcl.tensor_create_from_npy(dev(), bytes))) == A
    fails(() -> Netcl.tensor_create_from_npy(dev(), bytes[1:20]), Netcl.ERROR_CORRUPT_DATA)
    rm(path)
    fails(() -> Netcl.load_npy(path), Netcl.ERROR_IO)
end

@testset "looks" begin
    x = NetclArray(Int32[1 2; 3 4])
    @test repr(x) == "NetclArray(Int32[1 2; 3 4])"
    @test occursin("2×2 NetclArray{Int32,2}", replace(repr("text/plain", x), ", " => ","))
    @test occursin("3  4", repr("text/plain", x))
    # All but the first line is what Julia shows for the same elements.
    below(A, io...) = split(
        sprint(show, MIME("text/plain"), A; context = IOContext(stdout, io...)), "\n")[2:end]
    for A in (Float32[1, 0.1, 1e-8], rand(Float32, 4, 3), rand(30, 30), Bool[1 0; 0 1], [1, -2])
        @test below(NetclArray(A; device = dev())) == below(A)
        limits = (:limit => true, :displaysize => (12, 50))
        @test below(NetclArray(A; device = dev()), limits...) == below(A, limits...)
    end
    @test occursin("Device(\"", repr(dev()))
    @test occursin("shape = (2, 2, 0", repr("text/plain", Netcl.tensor_get_info(x)))
    t = Netcl.tensor_retain(x.tensor)
    @test occursin("Netcl.Tensor(0x", repr(t))
    close(t)
    @test repr(t) == "Netcl.Tensor(closed)"
    @test repr(Netcl.F32) == "Netcl.F32" && repr(Netcl.Dtype(99)) == "Netcl.Dtype(99)"
    @test Netcl.Dtype(:f32) == Netcl.F32 && Netcl.Reduction(:reduction_sum) == Netcl.REDUCTION_SUM
    throws(() -> Netcl.Reduction(:summ), ArgumentError, ":summ is no Reduction; there are :sum,")
    @test isopen(x)
    close(x)
    @test !isopen(x)
    @test occursin("closed", repr(x)) && occursin("closed", repr("text/plain", x))
end

@testset "arrays look as those of Base, for all sizes of a screen" begin
    draws = Random.MersenneTwister(rand(UInt32))
    println("seed of the looks: ", draws.seed)
    text(print, A, io...) = sprint((to, x) -> print(IOContext(to, :typeinfo => eltype(A), io...), x), A)
    fresh(::Type{T}, dims) where {T<:AbstractFloat} = T.(randn(draws, dims) .* 10.0^rand(draws, -3:4))
    fresh(::Type{T}, dims) where {T} = rand(draws, T, dims)
    for T in (Float32, Float64, Float16, Int, UInt8, Bool), dims in ((30,), (3, 4), (7, 30), (26, 2), (26, 30))
        A = fresh(T, dims)
        T <: AbstractFloat && (A[1:3] .= (NaN, -Inf, -0.0))
        # Each on one screen; with NETCL_TEST_FULL=1 on all.
        screens = (((24, 80), true), ((8, 20), false), ((60, 300), true))
        for (screen, compact) in (isempty(get(ENV, "NETCL_TEST_FULL", "")) ? (rand(draws, screens),) : screens)
            io = (:limit => true, :displaysize => screen, :compact => compact)
            @test text(Netcl.print_elements, A, io...) == text(Base.print_array, A, io...)
        end
        length(dims) == 1 && @test text(Netcl.print_elements, A) == text(Base.print_array, A)
    end
    # Numbers, with and without rounding; all powers of two, and their neighbours.
    numbers = [reinterpret(Float32, rand(draws, UInt32, 20)); rand(draws, Float32, 20);
               round.(100 .* rand(draws, Float32, 20); digits = 2); 1f7 .* rand(draws, Float32, 20);
               round.(1f8 .* rand(draws, Float32, 20)); [2f0^k for k in -149:3:127];
               [nextfloat(2f0^k) for k in -149:3:127]; [-prevfloat(2f0^k) for k in -149:3:127]]
    for x in (numbers..., reinterpret(Float16, rand(draws, UInt16, 20))..., [Float16(2.0^k) for k in -24:2:15]...)
        for compact in (false, true)
            io = IOContext(devnull, :compact => compact, :typeinfo => typeof(x))
            Netcl.text_of(io, x) == sprint(show, x; context = io) && continue
            @test (Netcl.text_of(io, x), x) == (sprint(show, x; context = io), x)
        end
    end
end

@testset "serialized and copied whole" begin
    A = rand(Float32, 3, 4)
    x = NetclArray(A)
    there(value) = (io = IOBuffer(); serialize(io, value); seekstart(io); deserialize(io))
    for y in (there(x), there((x', 1))[1]', there(Dict("x" => x))["x"])
        @test y isa NetclMatrix{Float32} && Array(y) == A && y.tensor != x.tensor
    end
    @test Array(there(NetclArray([true, false]))) == [true, false]
    for handle in (x.tensor, dev(), Netcl.Expression("v0"))
        throws(() -> there(handle), ArgumentError, "cannot be serialized")
    end
    # The copy of a tensor has a reference of its own; other objects stay the same.
    t = deepcopy((x.tensor, dev()))
    @test t[1] != x.tensor && Array(NetclArray(t[1])) == A && t[2] === dev()
    close(t[1])
    @test Array(x) == A
end
