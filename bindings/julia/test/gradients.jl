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
    @test isapprox(val, f(map(copy, A)...); rtol = 1e-12)
    for k in 1:length(A)
        wanted = differences(f, A, k)
        grad[k] === nothing && (@test all(iszero, wanted); continue)
        @test grad[k] isa NetclArray{Float64} && size(grad[k]) == size(A[k])
        @test isapprox(Array(grad[k]), wanted; rtol = 1e-6, atol = 1e-8)
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

@testset "functions that write to what they get" begin
    # The gradient is that of the value that came in, not of what is there in the end.
    agree(a -> (a .= 2 .* a; sum(a .* a)), fresh(3))
    agree(a -> (s = sum(a .* 3); fill!(a, 0); s), fresh(3))
    agree((a, b) -> (b .= a; sum(b .* b)), fresh(3), fresh(3))
    agree(a -> (view(a, 1:1) .= 5; sum(a .* a)), fresh(3))
    x = NetclArray(fresh(3))
    throws(() -> Netcl.gradient(a -> (s = sum(a .* a); fill!(a, 0); s), x), NetclError,
           "has overwritten since")
    for write in (a -> copyto!(a, ones(3)), a -> copyto!(view(a, 1:1), ones(1)))
        for f in (a -> (write(a); sum(a .* a)), a -> (s = sum(a .* a); write(a); s))
            throws(() -> Netcl.gradient(f, x), NetclError, "a call that is not recorded")
        end
    end
end

struct Dense{F}
    w
    b
    f::F
end
(d::Dense)(x) = d.f.(d.w * x .+ d.b)
struct Halved
    w
    Halved() = new(NetclArray([1.0, 2.0]))
end

@testset "gradients of structures" begin
    W, B, X, V = fresh(3, 4), fresh(3), fresh(4, 5), fresh(2, 3)
    w, b, x, v = map(NetclArray, (W, B, X, V))
    plain = Netcl.gradient((w, b, v) -> sum(abs2, v * tanh.(w * x .+ b)), w, b, v)
    same(a, b) = Array(a) == Array(b)
    both = ((w = w, b = b, steps = 3, rate = 0.5), [v])
    val, grad = Netcl.withgradient((m, l) -> sum(abs2, l[1] * tanh.(m.w * x .+ m.b)), both...)
    @test val ≈ sum(abs2, V * tanh.(W * X .+ B))
    @test keys(grad[1]) == (:w, :b, :steps, :rate) && same(grad[1].w, plain[1]) && same(grad[1].b, plain[2])
    @test grad[1].steps === nothing && grad[1].rate === nothing && same(grad[2][1], plain[3])
    # A struct, within a tuple, and what it holds besides.
    model = (Dense(w, b, tanh), Dense(v, nothing, identity), "a name")
    grad, = Netcl.gradient(m -> sum(abs2, m[2].w * m[1](x)), model)
    @test same(grad[1].w, plain[1]) && same(grad[1].b, plain[2]) && same(grad[2].w, plain[3])
    @test grad[1].f === nothing && grad[2].b === nothing && grad[3] === nothing
    @test map(size, Netcl.arrays(model)) == map(size, Netcl.arrays(grad)) == [(3, 4), (3,), (2, 3)]
    @test Netcl.arrays(model)[1] === w
    # One that does not matter, and one that is given twice.
    grad, = Netcl.gradient(m -> sum(m.w), (w = w, b = b))
    @test Array(grad.w) == ones(3, 4) && grad.b === nothing
    grad, = Netcl.gradient(m -> sum(m[1]) + 2sum(m[2]), (w, w))
    @test Array(grad[1]) == ones(3, 4) && Array(grad[2]) == fill(2.0, 3, 4)
    # Floats are numbers in f, and so are their gradients.
    dx, da, dn = Netcl.gradient((x, a, n) -> sum(a .* x .^ n) + a^3, x, 0.5, 2)
    @test Array(dx) ≈ X && da isa Float64 && da ≈ sum(X .^ 2) + 0.75 && dn === nothing
    @test Netcl.gradient(a -> a > 1 ? a^2 : a, 3.0) == (6.0,)
    @test Netcl.gradient((x, a) -> sum(x), x, 2.0)[2] === nothing
    throws(() -> Netcl.gradient(m -> sum(m.w), Halved()), ArgumentError, "Halved of other arrays")
end

@testset "a sum of a sum" begin
    x = NetclArray(fresh(3, 3))
    @test Array(Netcl.gradient(a -> sum(tr(a)), x)[1]) == Matrix(I, 3, 3)
    @test Array(Netcl.gradient(a -> mean(sum(a)), x)[1]) == ones(3, 3)
end

@testset "refusals of gradients" begin
    x = NetclArray(fresh(3))
    throws(() -> Netcl.gradient(a -> sum(Array(a)), x), ArgumentError, "no gradient goes")
    throws(() -> Netcl.gradient(a -> Float64(sum(a)), x), ArgumentError, "no gradient goes")
    throws(() -> Netcl.gradient(a -> 2a, x), ArgumentError, "one float")
    throws(() -> Netcl.gradient(a -> "x", x), ArgumentError, "String")
    throws(() -> Netcl.gradient(a -> sum(Netcl.gradient(sum, a)[1]), x), ArgumentError, "constant")
    throws(() -> Netcl.gradient(sum), ArgumentError, "needs an array")
    throws(() -> Netcl.gradient(sum, [1f0]), ArgumentError, "argument 1 of the function is a $(Vector{Float32})")
    throws(() -> Netcl.gradient(sum, NetclArray([1])), ArgumentError, "none in $(NetclVector{Int})")
    throws(() -> Netcl.gradient((a, b) -> b, (1, "x"), 2), ArgumentError, "needs an array of floats")
    graph = Netcl.graph_create(dev())
    throws(() -> Netcl.gradient(a -> sum(Netcl.op_copy(a; graph = graph)), x), ArgumentError,
           "leave graph out")
    close(graph)
    @test Netcl.recording_graph() === nothing
end

@testset "reading in C's names" begin
    A = fresh(3)
    x = NetclArray(A)
    for read in (t -> Netcl.tensor_read(t, zero(A)), Netcl.tensor_to_dlpack,
                 t -> GC.@preserve A Netcl.unsafe_tensor_read(t, pointer(A), sizeof(A)),
                 t -> wait(@async Netcl.tensor_read(t, zero(A))))
        for of in (identity, Netcl.tensor)
            throws(() -> Netcl.gradient(a -> (read(of(a)); sum(a)), x), Exception,
                   "no gradient goes")
        end
    end
    # Integers have none to lose, and constants are read in detached().
    places, values = Int[0], zero(A)
    g, = Netcl.gradient(x) do a
        Netcl.tensor_read(Netcl.op_reduce(a, :argmax), places)
        Netcl.detached(() -> Netcl.tensor_read(a, values))
        sum(a) * values[2]
    end
    @test places == [argmax(A) - 1] && values == A && Array(g) == Base.fill(A[2], 3)
end

@testset "calls on another device are refused unless they are constant" begin
    A, B = fresh(3), fresh(3)
    x = NetclArray(A)
    there = NetclArray(B; device = Netcl.Device(SELECTOR[]; separate = true))
    for work in (() -> there .* there, () -> Netcl.op_expression_text("v0 * 2", [there]))
        fails(() -> Netcl.gradient(a -> (work(); sum(a)), x), Netcl.ERROR_INVALID_ARGUMENT,
              "run->graph records calls on device")
    end
    g, = Netcl.gradient(x) do a
        sum(a .* NetclArray(Netcl.detached(() -> Array(there .* there))))
    end
    @test Array(g) ≈ B .* B
end

@testset "tasks of a function are recorded with it" begin
    agree(x -> sum(fetch(@async x .* x)), fresh(3))
    agree(x -> sum(fetch(Threads.@spawn sin.(fetch(@async x .* x) .+ x))), fresh(3))
    agree((x, y) -> sum(+(asyncmap(z -> z .^ 3, (x, y))...)), fresh(3), fresh(3))
    agree(x -> sum(first(Channel(c -> put!(c, x .* 2)))) * fetch(@async sum(x)), fresh(3))
    A = fresh(3)
    x = NetclArray(A)
    # What a detached task computes is constant, and so are the tasks that it starts.
    constant(a) = Netcl.detached(() -> fetch(@async fetch(@async sum(a))))
    @test Array(Netcl.gradient(a -> sum(a .* constant(a)), x)[1]) ≈ Base.fill(sum(A), 3)
    within(a) = fetch(@async Netcl.detached(() -> fetch(@async Array(a))))
    @test Array(Netcl.gradient(a -> sum(a .* NetclArray(within(a))), x)[1]) ≈ A
    # A task that was there before is none of the function's.
    orders, made = Channel(1), Channel(1)
    worker = @async put!(made, sum(take!(orders) .* 1.0))
    @test Array(Netcl.gradient(a -> (put!(orders, a); sum(a) * take!(made)), x)[1]) ≈
          Base.fill(sum(A), 3)
    wait(worker)
end

@testset "tasks that outlive their function" begin
    x = NetclArray(fresh(3))
    go = Channel(2)
    tasks = Task[]
    g, = Netcl.gradient(x) do a
        push!(tasks, @async (take!(go); sum(a .* 2)))
        Netcl.detached(() -> push!(tasks, @async (take!(go); sum(x .* 2))))
        sum(a)
    end
    @test Array(g) == [1, 1, 1]
    foreach(_ -> put!(go, nothing), tasks)
    throws(() -> wait(tasks[1]), Exception, "wait for its tasks")
    @test fetch(tasks[2]) ≈ 2sum(x)
end

@testset "logs of functions that are recorded" begin
    x = NetclArray(fresh(3))
    quiet = Test.TestLogger(min_level = Logging.Warn)
    g = with_logger(quiet) do
        Netcl.gradient(x) do a
            @info "too low"
            @warn "from the function" size = size(a)
            wait(@async @warn "from a task")
            # Another logger hides no graph from the function itself.
            b = with_logger(() -> a .* a, NullLogger())
            sum(Netcl.detached(() -> (@warn "detached"; copy(a))) .* b)
        end
    end
    @test [record.message for record in quiet.logs] ==
          ["from the function", "from a task", "detached"]
    @test first(quiet.logs).kwargs[:size] == (3,)
    @test Array(g[1]) ≈ 2 .* Array(x) .* Array(x)
    @test !(current_logger() isa Netcl.RecordingLogger)
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
