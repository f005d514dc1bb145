# Primitives of functions: what they are called with, their gradients, and how they fail and end.

"Registers a function for as long as work takes."
function with_primitive(work, f, name; options...)
    Netcl.primitive_register_function(f, name; options...)
    try
        return work()
    finally
        Netcl.primitive_unregister(name)
    end
end

# No call of a function is under way here, so what the library needs no more is gone at once.
kept_functions() = (Netcl.drop_functions(); length(Netcl.FUNCTIONS))

# Ten times its gradient, so that a test sees whose it has.
tenfold(call) = call.grad === nothing ? call.inputs[1] .* call.inputs[1] :
                10 .* call.inputs[1] .* call.grad

@testset "functions of primitives train something" begin
    seen = Any[]
    function fit(call)
        w, x = call.inputs
        call.grad === nothing && return w .* x
        push!(seen, (call.wanted, size(call.out)))
        return (sum(call.grad .* x), nothing)
    end
    with_primitive(fit, "julia_fit"; arity = 2, gives_gradients = true) do
        x = NetclArray(Float32[1, 2, 3])
        w = NetclArray(Base.fill(0f0))
        for _ in 1:60
            dw, = Netcl.gradient(w) do w
                sum(abs2, Netcl.op_primitive("julia_fit", (w, x)) .- 5 .* x)
            end
            w .-= 0.02f0 .* dw
        end
        @test isapprox(Array(w)[], 5; atol = 1e-3)
    end
    @test length(seen) == 60 && all(==((1, (3,))), seen)
end

@testset "functions without gradients of their own" begin
    A = Float32[0.3, -0.6, 1.1]
    x = NetclArray(A)
    calls = Ref(0)
    for (checkpoint, count) in ((false, 1), (true, 2))
        calls[] = 0
        wave(call) = (calls[] += 1; sin.(call.inputs[1] .^ 2))
        with_primitive(wave, "julia_wave"; arity = 1, checkpoint = checkpoint) do
            @test close_to(Netcl.op_primitive("julia_wave", (x,)), sin.(A .^ 2))
            calls[] = 0
            dx, = Netcl.gradient(a -> sum(Netcl.op_primitive("julia_wave", (a,))), x)
            @test close_to(dx, 2 .* A .* cos.(A .^ 2)) && calls[] == count
        end
    end
    # Sums stay on the device, and tasks are recorded with the function.
    mixed(call) = sum(fetch(@async call.inputs[1] .* 2)) * sum(call.inputs[1])
    with_primitive(mixed, "julia_mixed"; arity = 1) do
        @test close_to(Netcl.op_primitive("julia_mixed", x), Base.fill(2sum(A)^2))
        dx, = Netcl.gradient(a -> sum(Netcl.op_primitive("julia_mixed", a)), x)
        @test close_to(dx, Base.fill(4sum(A), 3))
    end
end

@testset "what functions of primitives get" begin
    A = Float32[1 2; 3 4]
    x = NetclArray(A)
    queue, other = Netcl.queue_create(dev()), Netcl.queue_create(dev())
    event = Netcl.queue_enqueue_marker(other, ())
    seen = Any[]
    function scaled(call)
        push!(seen, (call.values, length(call.run.waits), call.run.graph, call.grad, call.out,
                     call.run.queue isa Netcl.Queue, Threads.threadid(), current_task()))
        y = Netcl.op_expression_text("v0 + v1", (call.inputs[1], call.inputs[2]); call.run...)
        return Float32(call.values[1]) .* y .+ Float32(call.values[2])
    end
    with_primitive(scaled, "julia_values"; attributes = ["a", "b"], defaults = [2, 3]) do
        into, done = similar(x), Ref{Netcl.Event}()
        Netcl.op_primitive("julia_values", (x, x); attributes = ["b"], values = [0.5], queue = queue,
                           waits = (event,), into = into, event = done)
        wait(done[])
        @test Array(into) == 4 .* A .+ 0.5f0
        @test Array(Netcl.op_primitive("julia_values", (x, x))) == 4 .* A .+ 3
    end
    here = (Threads.threadid(), current_task())
    @test seen == [([2.0, 0.5], 1, nothing, nothing, nothing, true, here...),
                   ([2.0, 3.0], 0, nothing, nothing, nothing, false, here...)]
    # Calls in a function have its queue, waits and graph without more ado, also in tasks and detached.
    spied = Any[]
    spy(call) = (push!(spied, (call.run.queue isa Netcl.Queue, length(call.run.waits),
                               call.run.graph isa Netcl.Graph)); call.inputs[1])
    function asks(call)
        Netcl.op_primitive("julia_spy", call.inputs[1])
        wait(@async Netcl.op_primitive("julia_spy", call.inputs[1]))
        Netcl.detached(() -> Netcl.op_primitive("julia_spy", call.inputs[1]))
        return call.inputs[1] .* 1
    end
    with_primitive(spy, "julia_spy"; arity = 1) do
        with_primitive(asks, "julia_asks"; arity = 1) do
            Netcl.op_primitive("julia_asks", x)
            graph = Netcl.graph_create(dev())
            Netcl.op_primitive("julia_asks", x; queue = queue, waits = (event, event), graph = graph)
            close(graph)
        end
    end
    @test spied == [Base.fill((false, 0, false), 3); Base.fill((true, 2, true), 2);
                    [(true, 2, false)]]
    # What a function gets is good after it, but for what its calls were made with.
    held = Ref{Any}()
    with_primitive(call -> (held[] = call; call.inputs[1]), "julia_held"; arity = 1) do
        y = Netcl.op_primitive("julia_held", x)
        @test Array(y) == A && !Netcl.shares_memory(y, x)
        @test Array(held[].inputs[1]) == A
        Netcl.gradient(a -> sum(Netcl.op_primitive("julia_held", a)), x)
        @test !isopen(held[].run.graph)
    end
end

@testset "functions that call primitives" begin
    A = Float32[0.5, -2, 3]
    x = NetclArray(A)
    outer(call) = 2 .* Netcl.op_primitive("julia_inner", call.inputs[1])
    with_primitive(tenfold, "julia_inner"; arity = 1, gives_gradients = true) do
        with_primitive(outer, "julia_outer"; arity = 1) do
            @test close_to(Netcl.op_primitive("julia_outer", x), 2 .* A .^ 2)
            dx, = Netcl.gradient(a -> sum(Netcl.op_primitive("julia_outer", a)), x)
            @test close_to(dx, 20 .* A)
            # Compiled: what runs are the calls of the function.
            graph = Netcl.graph_create(dev(); execute = :off)
            y = Netcl.op_primitive("julia_outer", x; graph = graph)
            loss = Netcl.op_reduce(y, :sum; graph = graph)
            made, = Netcl.graph_add_gradients(graph, (loss,), (x,))
            Netcl.graph_compile(graph, (x,), (made,))
            found = similar(x)
            Netcl.graph_run(graph, (x,), (found,))
            @test close_to(found, 20 .* A)
            close(graph)
        end
    end
end

# The call of C alone, which throws nothing.
function status_of_primitive(name, x)
    inputs, made = [x.tensor.pointer], Ref{Ptr{Cvoid}}(C_NULL)
    return Netcl.Raw.netcl_op_primitive(name, inputs, 1, C_NULL, C_NULL, made)
end

struct OwnProblem <: Exception end
struct Unshowable <: Exception end
Base.showerror(io::IO, ::Unshowable) = error("not even this")

@testset "functions of primitives that fail" begin
    x = NetclArray(Float32[1, 2])
    problem = Ref{Any}()
    before = kept_functions()
    with_primitive(call -> throw(problem[]), "julia_fails"; arity = 1, gives_gradients = true) do
        for own in (OwnProblem(), ErrorException("two\nlines"), Unshowable(),
                    NetclError(Netcl.ERROR_IO, -7, "of the function"))
            problem[] = own
            @test_throws typeof(own) Netcl.op_primitive("julia_fails", x)
            # What the library says, to whom cannot see the exception.
            @test status_of_primitive("julia_fails", x) == Netcl.status_of(own)
            own isa ErrorException && @test Netcl.last_error_message() == "two lines"
            own isa NetclError && @test Netcl.last_error_get_info().native_code == -7
        end
        # Through another function, and a gradient.
        outer(call) = call.grad === nothing ? call.inputs[1] .* 1 :
                      Netcl.op_primitive("julia_fails", call.inputs[1])
        with_primitive(outer, "julia_passes"; arity = 1, gives_gradients = true) do
            problem[] = OwnProblem()
            throws(() -> Netcl.gradient(a -> sum(Netcl.op_primitive("julia_passes", a)), x),
                   OwnProblem)
        end
        # What failed before is told of no later call.
        fails(() -> Netcl.op_primitive("julia_nowhere", x), Netcl.ERROR_NOT_FOUND, "julia_nowhere")
        fails(() -> Netcl.primitive_register_function(sin, "julia_fails"),
              Netcl.ERROR_INVALID_ARGUMENT, "julia_fails")
        fails(() -> Netcl.primitive_register_function(sin, "a\0b"), Netcl.ERROR_INVALID_ARGUMENT,
              "NUL")
        fails(() -> Netcl.primitive_register_function(sin, "julia_x"; forward = "v0"),
              Netcl.ERROR_INVALID_ARGUMENT, "forward")
    end
    for (wrong, text) in ((call -> nothing, "tensors[0] NULL"), (call -> "text", "String"),
                          (call -> (x, x), "2 entries; 1"), (call -> call.inputs[7], ""))
        with_primitive(wrong, "julia_wrong"; arity = 1) do
            throws(() -> Netcl.op_primitive("julia_wrong", x), Exception, text)
        end
    end
    @test kept_functions() == before && Netcl.surroundings() === nothing
end

mutable struct Watched end

@testset "functions are let go of" begin
    x = NetclArray(Float32[1, 2])
    gone = Ref(0)
    before = kept_functions()
    function register()
        watched = finalizer(_ -> gone[] += 1, Watched())
        Netcl.primitive_register_function("julia_gone"; arity = 1, gives_gradients = true) do call
            watched isa Watched && tenfold(call)
        end
    end
    register()
    @test kept_functions() == before + 1
    # A graph that has a call needs it.
    graph = Netcl.graph_create(dev())
    y = Netcl.op_primitive("julia_gone", x; graph = graph)
    Netcl.primitive_unregister("julia_gone")
    @test kept_functions() == before + 1
    dx, = Netcl.graph_add_gradients(graph, (y,), (x,); seeds = (NetclArray(Float32[1, 1]),))
    @test Array(NetclArray(dx)) == [10, 20]
    close(graph)
    @test length(Netcl.FUNCTIONS) == before
    GC.gc()
    GC.gc()
    # Frames that are interpreted may hold it longer.
    gone[] == 1 || println("the function is still held by a frame")
    # Also where nobody but a finalizer gives the graph up.
    register()
    (() -> (lost = Netcl.graph_create(dev()); Netcl.op_primitive("julia_gone", x; graph = lost)))()
    Netcl.primitive_unregister("julia_gone")
    for _ in 1:3
        GC.gc()
    end
    @test kept_functions() <= before + 1
end
