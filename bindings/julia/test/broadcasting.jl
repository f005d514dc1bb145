# Broadcasting: shapes, types and what one broadcast costs.

@testset "shapes line up as in Julia" begin
    M, v, r = rand(Float32, 4, 3), rand(Float32, 4), rand(Float32, 1, 3)
    m, w, s = NetclArray(M), NetclArray(v), NetclArray(r)
    @test Array(m .+ w) == M .+ v
    @test Array(m .* s .- w) == M .* r .- v
    @test Array(w .+ s) == v .+ r
    @test Array(w .+ w') == v .+ v'
    @test Array(m' .+ 1) == M' .+ 1
    @test Array(view(m, 1:2:4, :) ./ view(s, :, 3:-1:1)) == view(M, 1:2:4, :) ./ view(r, :, 3:-1:1)
    T = rand(Float32, 4, 3, 2)
    @test Array(NetclArray(T) .+ m) == T .+ M
    @test Array(NetclArray(fill(2f0)) .* m) == 2 .* M
    @test Array(m .+ Ref(2f0)) == M .+ 2
    @test size(NetclArray(zeros(Float32, 0, 3)) .+ s) == (0, 3)
    throws(() -> m .+ NetclArray(rand(Float32, 3)), DimensionMismatch)
    throws(() -> (m .= NetclArray(rand(Float32, 4, 2))), DimensionMismatch)
end

@testset "one kernel" begin
    x = Netcl.rand(Float32, 1000)
    y = similar(x)
    before = Netcl.Raw.CALLED["netcl_op_expression"][]
    commands = Netcl.queue_get_info(Netcl.device_get_queue(dev())).commands
    y .= sin.(x) .^ 2 .+ cos.(x) .^ 2 .* x .- x ./ (1 .+ abs.(x))
    @test Netcl.Raw.CALLED["netcl_op_expression"][] == before + 1
    y .= sin.(x) .^ 2 .+ cos.(x) .^ 2 .* x .- x ./ (1 .+ abs.(x))
    # The number 1 was sent by the first, so the second is one command.
    after = Netcl.queue_get_info(Netcl.device_get_queue(dev())).commands
    y .= sin.(x) .^ 2 .+ cos.(x) .^ 2 .* x .- x ./ (1 .+ abs.(x))
    @test Netcl.queue_get_info(Netcl.device_get_queue(dev())).commands == after + 1
    # Another number needs no other kernel.
    builds = Netcl.program_cache_get_info().source_builds
    for a in 1:20
        y .= x .* Float32(a) .+ a
    end
    @test Netcl.program_cache_get_info().source_builds <= builds + 2
    @test Array(y) ≈ Array(x) .* 20 .+ 20
end

@testset "types are those of Julia" begin
    # Not all pairs: each is compiled by Julia.
    pairs = ((Bool, Bool), (Bool, Int8), (Int8, UInt8), (Int32, UInt32), (Int64, UInt64),
             (UInt8, Int32), (Int8, Float16), (UInt64, Float32), (Float16, Float32))
    for (S, T) in pairs
        a, b = S.(rand(0:1, 5)), T.(rand(0:1, 5))
        x, y = NetclArray(a), NetclArray(b)
        for f in (+, *, max, ==, <)
            got, expected = f.(x, y), f.(a, b)
            @test eltype(got) == eltype(expected)
            @test Array(got) == expected
        end
        @test eltype(x .* one(T)) == eltype(a .* one(T))
        if has_fp64() || float(promote_type(S, T)) != Float64
            b .= one(T)
            y .= one(T)
            @test eltype(x ./ y) == eltype(a ./ b)
            @test Array(x ./ y) == a ./ b
        end
    end
    h = NetclArray(Netcl.BFloat16[1, 2.5])
    @test eltype(h .+ h) == Netcl.BFloat16 && eltype(h .+ 1f0) == Float32
    @test Float32.(Array(h .* h)) == Float32[1, 6.25]
end

@testset "integers wrap around and compare exactly" begin
    for T in (Int8, UInt32, Int64)
        a = rand(T, 100)
        b = rand(T, 100)
        b[b .== 0] .= 1
        x, y = NetclArray(a), NetclArray(b)
        for f in (+, -, *, &, |, xor, %, mod, abs2)
            f === abs2 ? (@test Array(f.(x)) == f.(a)) : (@test Array(f.(x, y)) == f.(a, b))
        end
        @test Array(x .÷ y) == a .÷ b || T <: Signed && any(b .== -1)
        @test Array(.-x) == .-a && Array(.~x) == .~a
        @test Array(x .^ 3) == a .^ 3
        @test Array(x .% Int8) == a .% Int8
    end
    signed = Int64[-1, 0, 1, typemax(Int64), typemin(Int64)]
    unsigned = UInt64[0, 1, typemax(UInt64), 2, 5]
    for f in (==, !=, <, <=, >, >=)
        @test Array(f.(NetclArray(signed), NetclArray(unsigned'))) == f.(signed, unsigned')
        @test Array(f.(NetclArray(unsigned), NetclArray(signed'))) == f.(unsigned, signed')
        @test Array(f.(NetclArray(Int8[-1, 1]), NetclArray(UInt32[1, typemax(UInt32)]))) ==
              f.(Int8[-1, 1], UInt32[1, typemax(UInt32)])
    end
    @test Array(NetclArray(UInt8[200]) .+ 100) == [300]
    @test Array(NetclArray([true, false]) .+ NetclArray([true, true])) == [2, 1]
end

@testset "in place" begin
    x = Netcl.ones(Float32, 3, 2)
    x .= 2
    @test Array(x) == fill(2f0, 3, 2)
    x .+= NetclArray(Float32[1, 2, 3])
    @test Array(x) == [3f0 3; 4 4; 5 5]
    x .= x .* x'[1:1, 1]
    @test Array(x) == [9f0 9; 12 12; 15 15]
    i = NetclArray(Int32[1, 2])
    i .= i .+ 1
    @test Array(i) == [2, 3] && eltype(i) == Int32
    throws(() -> (i .= NetclArray(Float32[1.5, 2])), ArgumentError, "trunc")
    host = zeros(Float32, 3, 2)
    host .= x .- 1
    @test host == [8f0 8; 11 11; 14 14]
end

@testset "map and expressions" begin
    x = NetclArray(Float32[1, 4, 9])
    @test Array(map(sqrt, x)) == [1, 2, 3]
    @test Array(map(+, x, x)) == [2, 8, 18]
    @test Array(map!(v -> v / 2, similar(x), x)) == [0.5, 2, 4.5]
    throws(() -> map(+, x, NetclArray(Float32[1])), DimensionMismatch)
    m = NetclArray(Float32[1 2; 3 4; 5 6])
    @test Array(Netcl.expression("relu(v0 - v1)", m, x)) == max.(Array(m) .- Array(x), 0)
    both = Netcl.expression(("v0 - v1", "v0 > v1", "v1"), m, x)
    @test both isa Tuple{NetclArray{Float32,2},NetclArray{Bool,2},NetclArray{Float32,2}}
    @test Array(both[1]) == Array(m) .- Array(x)
    @test Array(both[2]) == (Array(m) .> Array(x))
    @test Array(both[3]) == Array(x) .+ 0 .* Array(m)
    @test map(Array, Netcl.expression(["v0 + 1"], x)) == (Float32[2, 5, 10],)
    # Into arrays, the inputs among them.
    y = NetclArray(Float32[2, 2, 2])
    a, b = Netcl.op_expressions(("v0 + v1", "v0 - v1"), (x, y); results_into = (x, y))
    @test Array(x) == Array(a) == [3, 6, 11] && Array(y) == Array(b) == [-1, 2, 7]
    refused(() -> Netcl.expression(("v0", "v0 + * 2"), x))
    refused(() -> Netcl.op_expressions(("v0", "v0"), (x,); into = y))
end

@testset "what is kept of a broadcast" begin
    x, y = NetclArray(Float32[1, 2, 3]), NetclArray(Float32[10, 20, 30])
    # One form of tree, different arrays, numbers and aliases.
    step(a, b, c) = a .* c .+ b .^ 2
    for c in (2f0, -1f0, 0f0)
        @test Array(step(x, y, c)) == [1, 2, 3] .* c .+ [100, 400, 900]
        @test Array(step(y, x, c)) == [10, 20, 30] .* c .+ [1, 4, 9]
        @test Array(step(x, x, c)) == [1, 2, 3] .* c .+ [1, 4, 9]
    end
    @test Array(step(view(x, 3:-1:1), y, 1f0)) == [103, 402, 901]
    # A number in a Ref that could hold any, and a function that is not what it was.
    @test Array(x .+ Ref{Any}(1f0)) == [2, 3, 4] && eltype(x .+ Ref{Any}(1f0)) == Float32
    @test Array(x .+ Ref{Any}(Int8(2))) == [3, 4, 5]
    scale = 2f0
    scaled(v) = v * scale
    @test Array(scaled.(x)) == [2, 4, 6]
    scale = 3f0
    @test Array(scaled.(x)) == [3, 6, 9]
    # Parts that are numbers alone are computed on the host each time.
    for c in (4f0, 9f0)
        @test Array(x .* sqrt.(c)) == [1, 2, 3] .* sqrt(c)
    end
    @test Array(-0.0f0 .* x) == [-0.0, -0.0, -0.0] && signbit(Array(x .* 0f0 .* -1f0)[1])
    # It keeps no arrays alive.
    before = live(Netcl.HANDLE_TENSOR)
    (() -> (z = Netcl.ones(5); z .* z .+ z .- 7f0; nothing))()
    Netcl.empty_cache()
    GC.gc()
    @test live(Netcl.HANDLE_TENSOR) <= before
end

twice_and(v) = 2v
@testset "in place again" begin
    x, y, z = NetclArray(Float32[1, 2, 3]), NetclArray(Float32[10, 20, 30]), NetclArray(zeros(Float32, 3))
    count() = length(Netcl.AGAIN[])
    Netcl.empty_cache()
    @test count() == 0
    # Other arrays, other numbers and other aliases, each twice.
    step!(out, a, b, c) = (out .= a .* c .+ b)
    for (a, b) in ((x, y), (y, x), (x, x)), c in (2f0, 2f0, NaN32, -1f0)
        @test step!(z, a, b, c) === z
        @test isequal(Array(z), Array(a) .* c .+ Array(b))
    end
    @test count() == 1
    # The number of each type is one of its own.
    add!(out, a, c) = (out .= a .+ c)
    for c in (1, 2, true, false, 0x03, Int8(-4), 2.5f0, Float16(0.5), π, 1//2, Ref(3f0), Ref(4))
        add!(z, x, c)
        @test Array(z) == Float32.(Float32[1, 2, 3] .+ c)
        add!(z, x, c)
        @test Array(z) == Float32.(Float32[1, 2, 3] .+ c)
    end
    # Signed zeros are not the same number.
    for c in (0f0, -0f0, 0f0)
        z .= x .* c
        @test all(signbit.(Array(z)) .== signbit(c))
    end
    # Into arrays of other types, shapes and places, what is read among them.
    for T in (Float64, Float16, Float32)
        (T != Float64 || has_fp64()) || continue
        out = NetclArray(zeros(T, 3))
        foreach(_ -> step!(out, x, y, 3f0), 1:2)
        @test eltype(out) == T && Array(out) == [13, 26, 39]
    end
    grid = NetclArray(zeros(Float32, 3, 2))
    row = NetclArray(Float32[100 200])
    for _ in 1:2
        step!(grid, x, row, 1f0)
        @test Array(grid) == [101 201; 102 202; 103 203]
        step!(grid, row, row, 2f0)
        @test Array(grid) == [300 600; 300 600; 300 600]
        throws(() -> step!(z, grid, x, 1f0), DimensionMismatch)
        throws(() -> step!(grid, NetclArray(Float32[1, 2]), row, 1f0), DimensionMismatch)
        step!(NetclArray(zeros(Float32, 0)), NetclArray(Float32[]), NetclArray(Float32[]), 1f0)
    end
    w = NetclArray(Float32[1, 2, 3, 4])
    for k in 1:2
        add!(view(w, 2:4), view(w, 1:3), 1)
    end
    @test Array(w) == [1, 2, 3, 4] && add!(w, w, 1) === w && Array(add!(w, w, 1)) == [3, 4, 5, 6]
    # A gradient records what was computed before, and another device has numbers of its own.
    d, = Netcl.gradient(v -> (out = similar(v); add!(out, v, 1); sum(out .* v)), x)
    @test Array(d) == [3, 5, 7]
    other = Netcl.device_open("builtin"; separate = true)
    a = NetclArray(Float32[5]; device = other)
    @test Array(add!(similar(a), a, 2)) == [7] && Array(add!(z, x, 2)) == [3, 4, 5]
    close(other)
    # A function holds until a method is defined.
    of_user!(out, a) = (out .= twice_and.(a) .+ 1)
    foreach(_ -> of_user!(z, x), 1:2)
    @test Array(z) == [3, 5, 7]
    @eval twice_and(v) = 3v
    @test Base.invokelatest(() -> Array(of_user!(z, x))) == [4, 7, 10]
    close(a)
    @test_throws NetclError add!(a, a, 2)
    Netcl.empty_cache()
    @test count() == 0 && Array(add!(z, x, 2)) == [3, 4, 5]
end

@testset "large arrays" begin
    # Not too large, since the host is interpreted and takes its time for what is expected; more than a
    # tile each way, and no multiple of one.
    M, v, r = rand(Float32, 70, 68), rand(Float32, 70), rand(Float32, 1, 68)
    m, w, s = NetclArray(M), NetclArray(v), NetclArray(r)
    @test Array(m .* 2f0 .+ permutedims(m)[1:1, :]') == M .* 2 .+ M[:, 1]
    @test Array(m .+ w .* s) == M .+ v .* r
    @test Array(view(m, 70:-1:1, :) .+ w) == M[70:-1:1, :] .+ v
    y = similar(m)
    view(y, :, 68:-1:1) .= m .* 3f0
    @test Array(y) == (M .* 3)[:, 68:-1:1]
    T = rand(Float32, 18, 17, 18)
    @test Array(NetclArray(T) .- view(m, 1:18, 1:17)) == T .- M[1:18, 1:17]
    p = Netcl.permuted_view(NetclArray(T), (3, 1, 2))
    @test Array(p .+ 1f0) == permutedims(T, (3, 1, 2)) .+ 1
    x = copy(m)
    x .= x .+ w
    @test Array(x) == M .+ v
end
