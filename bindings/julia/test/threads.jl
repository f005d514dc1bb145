# Many threads on one device: run by processes.jl with JULIA_NUM_THREADS=4.

using Netcl
using Base.Threads

const FAILURES = Atomic{Int}(0)
expect(right) = right || atomic_add!(FAILURES, 1)

Netcl.device!("builtin")
const X = Netcl.rand(Float32, 64, 64; seed = 5)
const EXPECTED = Array(X * X .+ X)

function work(k)
    for i in 1:15
        expect(Array(X * X .+ X) == EXPECTED)
        # Each thread has a message of its own.
        message = try
            Netcl.zeros(Float32, -(100k + i))
            ""
        catch problem
            problem.message
        end
        expect(occursin("is -$(100k + i);", message))
        # What is dropped here is finalized wherever a collection runs.
        y = view(X, 1:2, :) .+ Float32(k)
        i % 5 == 0 && GC.gc(false)
        e = Netcl.Expression("v0 + $i")
        i % 2 == 0 && close(e)
    end
end

@threads for k in 1:nthreads()
    work(k)
end

# A compiled function is called by all of them, with sizes that are new to it and old ones, while
# others collect: whoever waits for what is being recorded holds up nobody.
const COMPILED = Netcl.compiled() do x
    yield()
    GC.gc(false)
    return tanh.(x) .* 2
end
@threads for k in 1:nthreads()
    for i in 1:12
        x = Netcl.rand(Float32, 3 + i % 5, 1 + k % 2; seed = k)
        expect(isapprox(Array(COMPILED(x)), 2 .* tanh.(Array(x)); rtol = 1e-5))
        i % 4 == 0 && GC.gc(false)
    end
end
close(COMPILED)

# Tasks of a function are recorded with it, on whichever threads they run, and functions beside each
# other each in a graph of their own.
@threads for k in 1:nthreads()
    for i in 1:5
        scale = Float32(k * i)
        grad, = Netcl.gradient(X) do x
            parts = [Threads.@spawn(x .* Float32(j) .* scale) for j in 1:4]
            sum(reduce(+, map(fetch, parts)))
        end
        expect(Array(grad) == fill(10scale, 64, 64))
    end
end
grad, = Netcl.gradient(X) do x
    parts = Vector{Any}(undef, 2nthreads())
    @threads for j in 1:length(parts)
        parts[j] = x .* Float32(j)
    end
    sum(reduce(+, parts))
end
expect(Array(grad) == fill(Float32(nthreads() * (2nthreads() + 1)), 64, 64))

# A region may be annotated and closed by other threads than the one that opened it.
queue = Netcl.device_get_queue(Netcl.device())
Netcl.profile_start()
region = Netcl.region_begin(queue, nothing, "wandering")
wait(Threads.@spawn Netcl.region_annotate(region, 1.0, 2.0))
wait(Threads.@spawn Netcl.region_end(region))

# What it counts is what its own thread enqueues, by whichever task; other threads open regions under
# it. Thread k enqueues k commands without one, so that each sum has one meaning.
mine, others = Atomic{Int}(0), Atomic{Int}(0)
Netcl.region(queue, "opened") do opened
    opener = threadid()
    @threads :static for k in 1:nthreads()
        for _ in 1:k
            Netcl.op_copy(X)
        end
        atomic_add!(threadid() == opener ? mine : others, k)
    end
    wait(@async Netcl.op_copy(X))
    @threads :static for _ in 1:nthreads()
        Netcl.region(_ -> Netcl.op_copy(X), queue, "share"; parent = opened)
    end
end
Netcl.queue_finish(queue)
report = Netcl.profile_report(:text)
Netcl.profile_stop()
# A row has the name, calls, two times, and commands; that of what is outside has no calls and times.
number_of(found) = found === nothing ? 0 : parse(Int, found[1])
commands(name) = number_of(match(Regex("^ *$name +(?:[0-9.]+ +){3}([0-9]+) ", "m"), report))
outside = number_of(match(r"^\(outside\) +([0-9]+) "m, report))
expect(occursin("wandering", report) && commands("wandering") == 0)
expect(commands("share") == nthreads())
expect(commands("opened") == mine[] + 1 + nthreads())
expect((others[] > 0) == (nthreads() > 1) && outside == others[])

# Objects that are built by one at a time may be used by all: they take turns.
space = Netcl.space_create()
again = Netcl.space_retain(space)
@threads for k in 1:40
    Netcl.space_add_ints(isodd(k) ? space : again, "P$k", [1])
end
expect(Netcl.space_get_count(space, nothing) == 1)
config = Netcl.space_get_config(space, Netcl.device_get_capabilities(Netcl.device()), 0)
expect(all(k -> Netcl.config_get_int(config, "P$k") == 1, 1:40))

# One object, closed by all at once: its reference is given back once.
for _ in 1:50
    e = Netcl.Expression("v0")
    other = Netcl.expression_retain(e)
    @threads for _ in 1:nthreads()
        close(e)
    end
    expect(Netcl.expression_get_arity(other) == 1)
end

# A closed object used by another thread is an error, never more.
y = copy(X)
errors = Atomic{Int}(0)
@threads for k in 1:nthreads()
    k == 2 && close(y)
    for _ in 1:20
        try
            Array(y)
        catch problem
            problem isa NetclError || rethrow()
            atomic_add!(errors, 1)
        end
    end
end
expect(errors[] > 0)

FAILURES[] == 0 || exit(1)
println(nthreads(), " threads are done")
