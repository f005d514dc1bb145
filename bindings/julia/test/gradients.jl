# Gradients of functions of arrays, against central differences in Float64.

gradient_seed = rand(UInt32)
println("seed of gradients.jl: ", gradient_seed)

gradient_draws = Ref(UInt64(gradient_seed))
"Numbers in [0.4, 1.4) of the library, another seed for each call."
fresh(dims...) = 0.4 .+ Array(Netcl.rand(Float64, dims...; seed = gradient_draws[] += 1))

"The gradient of f over arrays of the host, by central differences."
function differences(f, A, at)
    made = similar(A[at])
    for k in eachindex(made)
        step = 1e-5
        up, down = map(copy, A), map(copy, A)
        up[at][k] += step
        down[at][k] -= step
        made[k] = (f(up...) - f(down...)) / 2step
    end
    return made
end

"Compares the gradients of f, which takes arrays of either kind."
function agree(f, A...)
    val, grad = Netcl.withgradient(f, map(NetclArray, A)...)
    @test isapprox(val, f(A...); rtol = 1e-12)
    for k in 1:length(A)
        @test grad[k] isa NetclArray{Float64} && size(grad[k]) == size(A[k])
        @test isapprox(Array(grad[k]), differences(f, A, k); rtol = 1e-6, atol = 1e-8)
    end
end

if has_fp64()
@testset "gradients" begin
    agree((w, x, b) -> sum(abs2, tanh.(w * x .+ b)), fresh(3, 4), fresh(4, 5), fresh(3))
    agree((x, y) -> mean(x .* sin.(y)) / 2, fresh(4, 3), fresh(4, 3))
    agree(x -> maximum(x) - minimum(x) + prod(x), fresh(2, 3))
    agree(x -> sum(sum(x; dims = 1) .* maximum(x; dims = 1)), fresh(4, 3))
    agree(x -> sum(exp.(permutedims(x, (3, 1, 2))) .* 2.0), fresh(2, 3, 2))
    agree(x -> sum(reshape(x, 2, 6)[1, :] .^ 3) + sum(abs2, view(x, 2:3, :)), fresh(3, 4))
    agree((x, y) -> dot(x, y) * norm(x) + 3, fresh(5), fresh(5))
    agree((x, y) -> sum(vcat(x, y)' * vcat(y, x)), fresh(2, 3), fresh(2, 3))
    agree(x -> var(x) + std(x), fresh(6))
    agree(x -> (s = sum(x); s > 0 ? s^2 + exp(-s) : s), fresh(4))
    agree(x -> sum(x .* sum(x) ./ maximum(x)), fresh(4))
end

@testset "what a gradient is of" begin
    A = fresh(3)
    x = NetclArray(A)
    # Captured arrays are constants, and so is the same array as another argument.
    @test Array(Netcl.gradient(y -> sum(y .* x), x)[1]) == A
    g = Netcl.gradient((a, b) -> sum(a .* a .* b), x, x)
    @test Array(g[1]) ≈ 2 .* A .* A && Array(g[2]) ≈ A .* A
    g = Netcl.gradient((a, b, c) -> sum(b), x, x, x)
    @test g[1] === nothing && Array(g[2]) == [1, 1, 1] && g[3] === nothing
    @test Netcl.withgradient(a -> 2.0, x) == (val = 2.0, grad = (nothing,))
    # Only what is detached is a constant.
    @test Array(Netcl.gradient(a -> sum(a .* Netcl.detached(() -> sum(a))), x)[1]) ≈
          Base.fill(sum(A), 3)
    @test Array(x) == A && Netcl.recording_graph() === nothing
    @test sum(x) isa Float64
end

@testset "refusals of gradients" begin
    x = NetclArray(fresh(3))
    throws(() -> Netcl.gradient(a -> sum(Array(a)), x), ArgumentError, "no gradient goes")
    throws(() -> Netcl.gradient(a -> Float64(sum(a)), x), ArgumentError, "no gradient goes")
    throws(() -> Netcl.gradient(a -> 2a, x), ArgumentError, "one float")
    throws(() -> Netcl.gradient(a -> "x", x), ArgumentError, "String")
    throws(() -> Netcl.gradient(a -> sum(Netcl.gradient(sum, a)[1]), x), ArgumentError, "constant")
    throws(() -> Netcl.gradient(sum), ArgumentError, "needs an array")
    graph = Netcl.graph_create(dev())
    throws(() -> Netcl.gradient(a -> sum(Netcl.op_copy(a; graph = graph)), x), ArgumentError,
           "leave graph out")
    close(graph)
    @test Netcl.recording_graph() === nothing
end

@testset "gradients in many tasks" begin
    x = [NetclArray(fresh(4)) for _ in 1:4]
    # Each yields within its function, so that the others record meanwhile.
    tasks = [@async(Netcl.gradient(y) do a
                 b = a .* a
                 yield()
                 sum(b)
             end) for y in x]
    @test sum(x[1]) isa Float64
    @test all(Array(fetch(t)[1]) ≈ 2 .* Array(y) for (t, y) in zip(tasks, x))
end
end
