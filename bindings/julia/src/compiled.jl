# Functions that are recorded once for each kind of arrays, compiled, and run again: graphs that are
# made from functions.
#
# Threads of C that need what another one is recording wait for it, and a thread that waits in C
# holds up Julia's collector, for which the recording thread may wait. So one task at a time is in
# such a graph: the others wait for a lock of Julia's.

"""
What a compiled function is called with: `inputs` are arrays with types and sizes and without
content, `run` says how calls are recorded.
"""
struct CompiledCall
    inputs::Vector{Any}
    run::Surroundings
end

# netcl_graph_call and netcl_run_options, whose members keep their places.
function lend(::Type{CompiledCall}, place::Ptr{UInt8})
    inputs = unsafe_load(Ptr{Ptr{Cvoid}}(place + 8))
    count = unsafe_load(Ptr{UInt32}(place + 24))
    run = unsafe_load(Ptr{Ptr{Cvoid}}(place + 16))
    return CompiledCall(lent_objects(Tensor, inputs, count),
                        lent_run(run; queue = 8, waits = 24, graph = 48, waits_count = 40))
end

function graph_fn_call(call::Ptr{Cvoid}, outputs::Ptr{Cvoid}, user_data::Ptr{Cvoid})::Int32
    return answer(user_data) do work
        made = call_kept(work, lend(CompiledCall, Ptr{UInt8}(call)))
        count = unsafe_load(Ptr{UInt32}(call + 28))
        length(list_of(made)) == count || invalid(
            "the function gives $(length(list_of(made))) arrays, and outputs = $count")
        give_tensors(:outputs, made, Ptr{Ptr{Cvoid}}(outputs), Int(count))
    end
end
graph_fn_pointer() = @cfunction(graph_fn_call, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}))

# The graph that a function of this task records, where that is compiled.
const CAPTURE_KEY = :netcl_capture
function captured()
    graph = get(task_local_storage(), CAPTURE_KEY, nothing)
    return graph !== nothing && graph == recording_graph()
end

struct CompiledFunction
    f::Any
    outputs::Int
    forms::Int
    graphs::Dict{Device,Graph}
    lock::ReentrantLock
end

"""
    Netcl.compiled(f; outputs = 1, forms = 16)

A function that does what f does, and gives its array, or a tuple of `outputs` arrays. f is called
once for each device and for arrays of types and sizes that are new, with arrays without content;
what it computes is compiled and kept, and each call runs that. `forms` are kept for a device.

    layer = Netcl.compiled((w, x) -> tanh.(w * x))
    y = layer(w, x)

f is an ordinary function of arrays, as for `Netcl.gradient`, which it may call, and what it writes
to arrays from outside is written by each call; its arguments it cannot write to. Such arrays are read
as they are then; all else that
f sees is as it was: `empty!(layer)` has it called anew. Sums and the like give arrays of one
element. In a function that is recorded itself, f is called. `close(layer)` gives everything back.
"""
function compiled(f; outputs::Integer = 1, forms::Integer = 16)
    outputs >= 1 || throw(ArgumentError("outputs is $outputs; a compiled function gives arrays"))
    forms >= 1 || throw(ArgumentError("forms is $forms; one at least is kept"))
    return CompiledFunction(f, outputs, forms, Dict{Device,Graph}(), ReentrantLock())
end

# An input, or a part of one, is no result of a call: it is copied.
function result_of(y, inputs)
    made = y isa Tensor || y isa Recorded ? result_array(y) : y
    return made isa NetclArray && any(x -> shares_memory(made, x), inputs) ? copy(made) : y
end
results_of(made::Union{Tuple,Vector}, inputs) = [result_of(y, inputs) for y in made]
results_of(made, inputs) = result_of(made, inputs)

# What a graph calls.
function record_results(f, call)
    return task_local_storage(CAPTURE_KEY, call.run.graph) do
        results_of(Base.invokelatest(f, call.inputs...), call.inputs)
    end
end

function graph_on(c::CompiledFunction, device::Device)
    found = get(c.graphs, device, nothing)
    found === nothing || return found
    options = StructMemory{3}()
    place = Ref{Ptr{Cvoid}}(C_NULL)
    # What is kept must not hold c, whose graphs keep it: neither would be collected.
    f = c.f
    GC.@preserve options place begin
        info_memory(options)
        unsafe_store!(Ptr{UInt64}(place_of(options) + 8), UInt64(c.forms))
        unsafe_store!(Ptr{UInt64}(place_of(options) + 16), UInt64(0))
        state = keep_function(call -> record_results(f, call))
        status = Raw.netcl_graph_create_from_function(
            device, graph_fn_pointer(), state, destroy_pointer(), UInt32(c.outputs), options,
            place)
    end
    drop_functions()
    status == 0 || throw(last_error(status))
    return c.graphs[device] = Graph(place[])
end

function (c::CompiledFunction)(x::NetclArray...)
    isempty(x) && throw(ArgumentError("a compiled function is called with arrays"))
    recording_graph() === nothing || return c.f(x...)
    found = try
        lock(() -> graph_evaluate(graph_on(c, x[1].device), x), c.lock)
    catch problem
        rethrow(of_written_argument(problem))
    end
    made = map(t -> like(x[1], t, nothing), found)
    return c.outputs == 1 ? made[1] : Tuple(made)
end
of_written_argument(problem) = problem
function of_written_argument(problem::NetclError)
    occursin("writes to the memory of inputs[", problem.message) || return problem
    return NetclError(problem.status, problem.native_code, problem.message *
        ": a compiled function writes to arrays from outside and not to its arguments; give the result " *
        "back, or let the function have the array from outside")
end
(c::CompiledFunction)(x...) = throw(ArgumentError(
    "a compiled function is called with arrays of a device, not with " *
    "$(typeof(x[findfirst(y -> !(y isa NetclArray), collect(Any, x))]))"))

"Drops what was compiled: f is called again."
function Base.empty!(c::CompiledFunction)
    lock(() -> foreach(graph_clear, values(c.graphs)), c.lock)
    return c
end
function Base.close(c::CompiledFunction)
    lock(c.lock) do
        foreach(close, values(c.graphs))
        empty!(c.graphs)
    end
    return nothing
end

"What was compiled, for each device, as `Netcl.graph_explain` tells it."
function explain(c::CompiledFunction; format = :text)
    lock(c.lock) do
        return join([graph_explain(graph, format) for graph in values(c.graphs)], "\n")
    end
end
Base.show(io::IO, c::CompiledFunction) = print(io, "Netcl.compiled(", c.f, ")")
