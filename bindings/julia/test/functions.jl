# Which functions broadcasting takes, and what it says of others.

positive = rand(Float32, 50) .+ 0.1f0
small = rand(Float32, 50) .* 1.8f0 .- 0.9f0
wide_range = randn(Float32, 50) .* 3

@testset "functions of numbers" begin
    for (A, functions) in ((positive, (sqrt, inv, log, log2, log10, acosh ∘ (v -> v + 1))),
                           (small, (asin, acos, atanh, log1p)),
                           (wide_range, (exp, exp2, expm1, sin, cos, tan, atan, sinh, cosh, tanh,
                                         asinh, abs, abs2, sign, floor, ceil, trunc, round, -, +,
                                         float, identity, isnan, isinf, isfinite, iszero, isone,
                                         zero, one, real, conj)))
        x = NetclArray(A)
        for f in functions
            @test isapprox(Array(f.(x)), f.(A); rtol = 1e-5, atol = 1e-6)
            @test eltype(f.(x)) == eltype(f.(A))
        end
    end
    a, b = NetclArray(wide_range), NetclArray(positive)
    for f in (atan, rem, mod, div, max, min, <, <=, isless)
        @test isapprox(Array(f.(a, b)), f.(wide_range, positive); rtol = 1e-4, atol = 1e-4)
    end
    @test isapprox(Array(b .^ a), positive .^ wide_range; rtol = 1e-4)
    for p in (-2, -1, 0, 1, 2, 3, 4, 7)
        @test isapprox(Array(b .^ p), positive .^ p; rtol = 1e-5)
    end
    @test isapprox(Array(b .^ 2.5f0), positive .^ 2.5f0; rtol = 1e-5)
    @test isapprox(Array(2 .^ a), 2 .^ wide_range; rtol = 1e-5)
    @test Array(clamp.(a, -1, 1)) == clamp.(wide_range, -1, 1)
    @test isapprox(Array(muladd.(a, 2f0, b)), muladd.(wide_range, 2f0, positive); rtol = 1e-5)
    @test isapprox(Array(fma.(a, b, a)), fma.(wide_range, positive, wide_range); rtol = 1e-5)
    @test Array(ifelse.(a .> 0, a, b)) == ifelse.(wide_range .> 0, wide_range, positive)
    @test Array(ifelse.(a .> 0, 1, 2.5f0)) == Float32.(ifelse.(wide_range .> 0, 1, 2.5f0))
    @test Array(Netcl.select.(a .> 0, a, 0)) == max.(wide_range, 0)
    @test isapprox(Array(a .* π), wide_range .* Float32(π); rtol = 1e-6)
    @test eltype(a .* π) == Float32 && eltype(a .+ 1 // 2) == eltype(wide_range .+ 1 // 2)
    i = NetclArray(Int32[1, -2, 3])
    @test Array(i .<< 2) == [4, -8, 12] && Array(i .>> 1) == [0, -1, 1]
    @test Array(i .^ 5) == Int32[1, -32, 243] && Array(i .^ NetclArray([2, 3, 0])) == [1, -8, 1]
    @test Array(.!(i .> 0)) == [false, true, false]
    @test Array((i .> 0) .& (i .< 3)) == [true, false, false]
    @test Array(xor.(i .> 0, true)) == [false, true, false]
end

@testset "functions that are composed" begin
    near(got, wanted; ulps = 4) = eltype(got) == eltype(wanted) && all(zip(Array(got), wanted)) do (a, b)
        isequal(a, b) || a == b || isapprox(a, b; rtol = ulps * eps(eltype(wanted)),
                                            atol = ulps * floatmin(eltype(wanted)))
    end
    edges(T) = T[0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2, -2, 7, 1024, floatmax(T), -floatmin(T), Inf, -Inf, NaN]
    for T in (has_fp64() ? (Float32, Float64, Float16) : (Float32, Float16))
        A = [randn(T, 50) .* 3; edges(T)]
        x = NetclArray(A)
        for f in (deg2rad, rad2deg, cbrt)
            @test near(f.(x), f.(A))
        end
        # Base has 10^x to the last bit; pow of OpenCL is off by 16 at most.
        @test near(exp10.(NetclArray(A[1:50])), exp10.(A[1:50]); ulps = 32)
        finite = filter(isfinite, A)
        for f in (sinpi, cospi)
            got = Array(f.(NetclArray(finite)))
            @test eltype(got) == T && maximum(abs.(got .- f.(finite))) <= 4 * eps(T)
        end
        # Of the remainder, which 1.5 has exact, near 0 too.
        @test near(sinpi.(NetclArray(T[1 + eps(T), 2 - eps(T), 1e-3])), sinpi.(T[1 + eps(T), 2 - eps(T), 1e-3]))
        B = reverse(A)
        @test near(hypot.(x, NetclArray(B)), hypot.(A, B))
        @test near(hypot.(x, 3), hypot.(A, 3))
        @test isequal(Array(copysign.(x, NetclArray(B))), copysign.(A, B))
        @test isequal(Array(copysign.(x, -0.0)), copysign.(A, -0.0))
        E = A .* T(1 + 2eps(T))
        @test Array(x .≈ NetclArray(E)) == (A .≈ E) && any(A .!= E)
        @test Array(x .≈ NetclArray(B)) == (A .≈ B)
        @test Array(isapprox.(x, NetclArray(B); atol = 1, nans = true)) ==
              isapprox.(A, B; atol = 1, nans = true)
        T === Float16 && continue
        C = [rand(T, 50) .+ T(0.25); -rand(T, 50) .- T(0.25)]
        D = [randn(T, 50) .* 9; randn(T, 50) .* 9]
        c, d = NetclArray(C), NetclArray(D)
        for f in (fld, cld, mod1)
            @test Array(f.(d, c)) == f.(D, C) && Array(f.(d, T(2))) == f.(D, T(2))
            @test eltype(f.(d, c)) == T
        end
        for digits in (0, 1, 2, -1), f in (round, floor, ceil, trunc)
            @test isequal(Array(f.(x; digits = digits)), f.(A; digits = digits))
        end
        for mode in (RoundUp, RoundDown, RoundToZero, RoundNearest)
            @test isequal(Array(round.(x, mode)), round.(A, mode))
        end
        @test isequal(Array(round.(x; digits = 3, base = 2)), round.(A; digits = 3, base = 2))
    end
    # All integers of 8 bits with some, also of the other type.
    every(T) = [T(v) for v in typemin(T):typemax(T)]
    for S in (Int8, UInt8), T in (Int8, UInt8), f in (fld, cld, mod1)
        A, B = every(S), rand(filter(!iszero, every(T)), 16)
        f === mod1 && S !== T && continue
        S === T === Int8 && (B = filter(!isequal(Int8(-1)), B))  # typemin / -1 is an error in Base
        got, wanted = f.(NetclArray(A), NetclArray(permutedims(B))), f.(A, permutedims(B))
        @test eltype(got) == eltype(wanted) && Array(got) == wanted
    end
    i = NetclArray(Int32[7, -7, 8])
    @test Array(fld.(i, 2)) == [3, -4, 4] && Array(cld.(i, 2)) == [4, -3, 4] && Array(mod1.(i, 4)) == [3, 1, 4]
    @test Array(fld.(100, i)) == fld.(100, [7, -7, 8]) && eltype(fld.(i, 2)) == Int
    @test Array(round.(i; digits = 1)) == [7, -7, 8]
    throws(() -> round.(i; digits = -1), ArgumentError, "is for floats")
    # What depends on a number that is given with the arrays is worked out on the host.
    shifted(v, n) = Netcl.select(n < 0, v - 1, Netcl.select(isless(n, 5), v + 1, v))
    @test Array(shifted.(i, -2)) == [6, -8, 7] && Array(shifted.(i, 2)) == [8, -6, 9] && Array(shifted.(i, 5)) == Array(i)
    mixed(v, n, m) = v + mod(n, m)
    @test Array(mixed.(i, UInt8(7), Int8(-4))) == Array(i) .+ mod(UInt8(7), Int8(-4))
    throws(() -> round.(Netcl.ones(2); sigdigits = 2), ArgumentError, "digits is possible")
end

@testset "conversions" begin
    x = NetclArray(Float32[1.5, -2.5, 3.49])
    @test Array(round.(Int, x)) == [2, -2, 3] && eltype(trunc.(Int8, x)) == Int8
    @test Array(floor.(Int32, x)) == [1, -3, 3] && Array(ceil.(Int16, x)) == [2, -2, 4]
    @test Array(Float16.(x)) == Float16.(Array(x))
    @test eltype(Float32.(NetclArray([1, 2]))) == Float32
    @test Array(Int64.(NetclArray(Int8[-1, 2]))) == [-1, 2]
    @test Array(convert.(Float32, NetclArray([1, 2]))) == [1, 2]
    throws(() -> Int.(x), ArgumentError, "trunc")
    throws(() -> Int8.(NetclArray([300])), ArgumentError, "% Int8")
    if has_fp64()
        @test eltype(x .* 2.0) == Float64 && Array(Float64.(x)) == Float64.(Array(x))
        @test eltype(sqrt.(NetclArray([4, 9]))) == Float64
    end
end

@testset "functions of the library" begin
    x = NetclArray(Float32[-1, 0, 2])
    @test Array(Netcl.relu.(x)) == [0, 0, 2] && Array(Netcl.square.(x)) == [1, 0, 4]
    @test Array(Netcl.sigmoid.(x)) ≈ Netcl.sigmoid.(Array(x))
    @test Array(Netcl.leaky_relu.(x, 0.5f0)) == [-0.5, 0, 2]
    for f in (Netcl.silu, Netcl.gelu, Netcl.gelu_tanh, Netcl.softplus, Netcl.softsign, Netcl.mish,
              Netcl.erf, Netcl.erfc)
        @test all(isfinite, Array(f.(x)))
    end
    @test Array(Netcl.elu.(x, 1f0)) ≈ [exp(-1f0) - 1, 0, 2]
    @test Array(Netcl.rsqrt.(NetclArray(Float32[4]))) == [0.5]
end

@testset "functions of the user" begin
    A = wide_range
    x = NetclArray(A)
    f(v) = v^2 + 3v - one(v)
    g(v, w) = f(v) / (abs(w) + 1) + Float32(0.5)
    @test isapprox(Array(f.(x)), f.(A); rtol = 1e-4, atol = 1e-4)
    @test isapprox(Array(g.(x, 2f0)), g.(A, 2f0); rtol = 1e-4, atol = 1e-4)
    @test isapprox(Array((v -> max(v, zero(v))).(x)), max.(A, 0))
    scale = 2.5f0
    @test isapprox(Array(map(v -> scale * v, x)), scale .* A)
    @test Array((v -> 1f0).(x)) == ones(Float32, length(A))
    @test Array(((v, s) -> v * (s + 1)).(x, 2)) ≈ 3 .* A
end

@testset "what cannot be computed is named" begin
    A = wide_range
    x = NetclArray(A)
    unknown(v) = string(v) == "" ? v : v
    host_only(v) = nextfloat(v)
    branches(v) = v > 0 ? v : -2v
    throws(() -> nextfloat.(x), Netcl.Unexpressible, "nextfloat")
    throws(() -> host_only.(x), Netcl.Unexpressible, "host_only")
    throws(() -> branches.(x), Netcl.Unexpressible, "branches decides by the value")
    throws(() -> string.(x), Exception, "string")
    throws(() -> x .+ fill("a", size(A)), ArgumentError, "arrays on devices hold numbers")
    throws(() -> x .+ "a", ArgumentError, "takes no String")
    throws(() -> x .* 'a', ArgumentError, "takes no Array{Char,0}")
    @test !any(Array(x .== "a"))
    throws(() -> circshift(x, (1, 2)), ArgumentError, "the shifts are (1, 2)")
    throws(() -> circshift!(copy(x), x, (0, 0)), ArgumentError, "2, of 1 dimensions")
    for sorts in (sort, sort!, sortperm)
        throws(() -> sorts(vec(x); lt = >), ArgumentError, "takes rev and by, not lt")
    end
    @test Random.rand!(copy(x), eltype(x)) isa NetclArray
    for call in (() -> Random.rand!(x, 1:3), () -> Random.rand!(x, Int8),
                 () -> Random.rand!(Random.GLOBAL_RNG, x, [1, 2]))
        throws(call, ArgumentError, "draws numbers of its type from [0, 1)")
    end
    throws(() -> x .+ (1, 2), Exception)
    throws(() -> x .+ (1 + 2im), ArgumentError, "Complex")
    Netcl.allowhost() do
        @test Array(host_only.(x)) == host_only.(A)
        @test host_only.(x) isa NetclArray
        y = similar(x)
        y .= branches.(x) .+ 1
        @test Array(y) == branches.(A) .+ 1
    end
    throws(() -> host_only.(x), Netcl.Unexpressible, "allowhost")
    throws(() -> (v -> error("mine")).(x), ErrorException, "mine")
end
