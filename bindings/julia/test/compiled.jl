# Functions that are recorded once for each kind of arrays, and run again.

@testset "compiled functions give what their functions give" begin
    calls = Ref(0)
    function layer(w, x)
        calls[] += 1
        return tanh.(w * x) .+ 1
    end
    c = Netcl.compiled(layer)
    for (count, columns) in ((1, 3), (1, 3), (2, 5), (2, 3), (2, 5))
        W, X = rand(Float32, 4, 2), rand(Float32, 2, columns)
        @test close_to(c(NetclArray(W), NetclArray(X)), tanh.(W * X) .+ 1)
        @test calls[] == count
    end
    @test occursin("2 forms", Netcl.explain(c)) && occursin("matmul", Netcl.explain(c))
    empty!(c)
    W, X = rand(Float32, 4, 2), rand(Float32, 2, 3)
    @test close_to(c(NetclArray(W), NetclArray(X)), tanh.(W * X) .+ 1) && calls[] == 3
    # Views and transposed arrays are inputs like others.
    x = NetclArray(rand(Float32, 2, 8))
    @test close_to(c(NetclArray(W), view(x, :, 2:2:8)), tanh.(W * Array(x)[:, 2:2:8]) .+ 1)
    @test occursin("layer", repr(c))
    # Arrays come in the order of Julia, as parts of what was computed too.
    part = Netcl.compiled(x -> view(x .+ 1, 1:2, :))
    A = rand(Float32, 3, 4)
    @test close_to(part(NetclArray(A)), A[1:2, :] .+ 1) && Netcl.is_packed(part(NetclArray(A)))
    close(part)
    close(c)
    few = Netcl.compiled(layer; forms = 1)
    calls[] = 0
    for columns in (3, 5, 3)
        few(NetclArray(W), NetclArray(rand(Float32, 2, columns)))
    end
    @test calls[] == 3
    close(few)
    two = Netcl.compiled((x, y) -> (x .+ y, sum(x)); outputs = 2)
    A, B = rand(Float32, 3), rand(Float32, 3)
    both, total = two(NetclArray(A), NetclArray(B))
    @test close_to(both, A .+ B) && close_to(total, Base.fill(sum(A)))
    close(two)
end

@testset "compiled functions work with arrays from outside" begin
    w = NetclArray(Float32[1, 2, 3])
    c = Netcl.compiled() do x
        w .+= x
        return w .* 2
    end
    x = NetclArray(Float32[1, 1, 1])
    @test Array(c(x)) == Float32[4, 6, 8]
    @test Array(c(x)) == Float32[6, 8, 10] && Array(w) == Float32[3, 4, 5]
    copyto!(w, Float32[0, 0, 0])
    @test Array(c(NetclArray(Float32[5, 6, 7]))) == Float32[10, 12, 14]
    close(c)
end

@testset "steps of training are compiled with their gradients" begin
    A = rand(Float32, 3, 20)
    goal = Float32[1 -2 0.5]
    x, y = NetclArray(A), NetclArray(goal * A)
    w = NetclArray(zeros(Float32, 1, 3))
    eager = NetclArray(zeros(Float32, 1, 3))
    loss(w, x, y) = sum(abs2, w * x .- y)
    step = Netcl.compiled() do x, y
        found = Netcl.withgradient(w -> loss(w, x, y), w)
        w .-= 0.02f0 .* found.grad[1]
        return found.val
    end
    first, last = 0f0, 0f0
    for i in 1:100
        last = Array(step(x, y))[]
        i == 1 && (first = last)
        d, = Netcl.gradient(w -> loss(w, x, y), eager)
        eager .-= 0.02f0 .* d
    end
    @test last < first / 50
    @test close_to(w, Array(eager))
    # What nothing depends on has no gradient, as elsewhere.
    none = Netcl.compiled() do x
        d, e = Netcl.gradient((a, b) -> sum(a .* a), x, w)
        return e === nothing ? d : x
    end
    @test close_to(none(NetclArray(Float32[3, 4])), Float32[6, 8])
    close(none)
    close(step)
end

@testset "compiled functions in functions with gradients" begin
    c = Netcl.compiled(x -> x .* x)
    x = NetclArray(Float32[1, 2, 3])
    d, = Netcl.gradient(x -> sum(c(x)), x)
    @test Array(d) == Float32[2, 4, 6]
    outer = Netcl.compiled(x -> c(x) .+ 1)
    @test Array(outer(x)) == Float32[2, 5, 10]
    foreach(close, (c, outer))
end

@testset "compiled functions that fail" begin
    x = NetclArray(Float32[1, 2, 3])
    fails = Ref(true)
    c = Netcl.compiled(x -> fails[] ? throw(DomainError(3, "not now")) : x .+ 1)
    @test_throws DomainError c(x)
    fails[] = false
    @test Array(c(x)) == Float32[2, 3, 4]
    close(c)
    for (f, problem) in ((x -> (Array(x); x), Exception), (x -> 3, Exception),
                         (x -> (x, x), Exception), (x -> nothing, Exception))
        c = Netcl.compiled(f)
        @test_throws problem c(x)
        close(c)
    end
    c = Netcl.compiled(x -> x .+ 1)
    @test_throws ArgumentError c()
    @test_throws ArgumentError c(x, 3)
    @test_throws ArgumentError Netcl.compiled(identity; outputs = 0)
    @test_throws ArgumentError Netcl.compiled(identity; forms = 0)
    close(c)
    @test Array(c(x)) == Float32[2, 3, 4]
    close(c)
    @test Netcl.explain(c) == ""
    # An input is no result: what comes back is a copy.
    same = Netcl.compiled(identity)
    @test Array(same(x)) == Float32[1, 2, 3] && !Netcl.shares_memory(same(x), x)
    close(same)
    part = Netcl.compiled(x -> (view(x, 2:3), x .+ 1); outputs = 2)
    @test Array(part(x)[1]) == Float32[2, 3]
    close(part)
end

@testset "compiled functions do not write to arguments" begin
    x = NetclArray(Float32[1, 2, 3])
    writes = Netcl.compiled(y -> (y .+= 1; y))
    fails(() -> writes(x), Netcl.ERROR_INVALID_ARGUMENT, "to arrays from outside and not to its arguments")
    @test Array(x) == Float32[1, 2, 3]
    close(writes)
end

@testset "compiled functions of many tasks" begin
    c = Netcl.compiled() do x
        yield()
        GC.gc(false)
        return x .* 2 .+ 1
    end
    @sync for k in 1:12
        Threads.@spawn begin
            for size in (k % 4 + 1, 3)
                A = rand(Float32, size)
                close_to(c(NetclArray(A)), 2 .* A .+ 1) || error("task $k, size $size")
            end
        end
    end
    close(c)
    Netcl.drop_functions()
    @test isempty(Netcl.FUNCTIONS)
end
