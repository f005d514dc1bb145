# What the calls of a task have that say nothing themselves: the graph that records them, and in a
# function that the library calls also its queue and what to wait for.

"""
    (; graph, queue, waits)

How a call that the library makes a function for is made. The calls of that function's task, and of
tasks that it starts, are made so without more ado; `Netcl.op_softmax(x, 1; call.run...)` says it.
"""
struct Surroundings
    graph::Union{Nothing,Graph}
    queue::Union{Nothing,Queue}
    waits::Vector{Event}
    lazy::Bool  # whether sums and the like stay on the device
end

# Splatted, they are the keywords of a call; what is not there is left out.
function keywords_of(x::Surroundings)
    rows = Pair{Symbol,Any}[]
    x.graph === nothing || push!(rows, :graph => x.graph)
    x.queue === nothing || push!(rows, :queue => x.queue)
    isempty(x.waits) || push!(rows, :waits => x.waits)
    return rows
end
Base.iterate(x::Surroundings, state = (keywords_of(x), 1)) =
    state[2] > length(state[1]) ? nothing : (state[1][state[2]], (state[1], state[2] + 1))
Base.length(x::Surroundings) = length(keywords_of(x))
Base.eltype(::Type{Surroundings}) = Pair{Symbol,Any}

const SURROUNDINGS_KEY = :netcl_surroundings

# What a task of Julia has from the one that started it is its logger. So they stand beside that for
# tasks that a function starts, and in the storage of its own task, where no other logger hides them.
struct RecordingLogger <: AbstractLogger
    logger::AbstractLogger
    surroundings::Surroundings
end
Logging.min_enabled_level(x::RecordingLogger) = Logging.min_enabled_level(x.logger)
Logging.shouldlog(x::RecordingLogger, args...) = Logging.shouldlog(x.logger, args...)
Logging.catch_exceptions(x::RecordingLogger) = Logging.catch_exceptions(x.logger)
Logging.handle_message(x::RecordingLogger, args...; options...) =
    Logging.handle_message(x.logger, args...; options...)

bare(logger::AbstractLogger) = logger
bare(logger::RecordingLogger) = logger.logger

"Makes the calls of work so, in this task and in those that it starts."
surround(work, x::Surroundings) =
    with_logger(RecordingLogger(bare(current_logger()), x)) do
        task_local_storage(work, SURROUNDINGS_KEY, x)
    end

"Records what work computes, in this task and in those that it starts, or nothing of it."
function record(work, graph::Union{Nothing,Graph})
    found = surroundings()
    queue, waits = found === nothing ? (nothing, Event[]) : (found.queue, found.waits)
    return surround(work, Surroundings(graph, queue, waits, graph !== nothing))
end

"What the calls of this task have, or nothing."
function surroundings()
    own = get(task_local_storage(), SURROUNDINGS_KEY, nothing)::Union{Nothing,Surroundings}
    own === nothing || return own
    logger = current_logger()
    logger isa RecordingLogger || return nothing
    found = logger.surroundings
    found.graph === nothing || isopen(found.graph) || throw(ArgumentError(
        "the function that started this task has returned, and its gradient is known: it has to " *
        "wait for its tasks, or to start them in Netcl.detached() do ... end"))
    return found
end

"The graph that the calls of this task are recorded in, or nothing."
function recording_graph()
    found = surroundings()
    return found === nothing ? nothing : found.graph
end

# Whether full reductions give what is recorded, or the number.
function lazy()
    found = surroundings()
    return found !== nothing && found.lazy
end

# What the calls of all ops ask for: what was given, or what the task has.
function graph_of(given)
    found = recording_graph()
    found === nothing || given === nothing || given == found || throw(ArgumentError(
        "a function whose gradient is asked for records in no other graph: leave graph out"))
    return given === nothing ? found : given
end
function queue_of(given)
    given === nothing || return given
    found = surroundings()
    return found === nothing ? nothing : found.queue
end
function waits_of(given)
    isempty(given) || return given
    found = surroundings()
    return found === nothing ? given : found.waits
end

"""
    Netcl.detached() do ... end

Within a function whose gradient is asked for: what is computed here is a constant, through which no
gradient goes, and may be read by the host.
"""
detached(work) = record(work, nothing)
