# Progress of searches and tuners: loops over their events.

"""
    for event in Netcl.events(search; after = 0) ... end
    for event in Netcl.events(tuner; after = 0) ... end

The events that are kept, oldest first. It ends when there is no newer one; the sequence number of
the last event goes on from there.
"""
events(source::Union{Search,Tuner}; after::Integer = 0) = Events(source, UInt64(after))

struct Events{S<:Union{Search,Tuner}}
    source::S
    after::UInt64
end
Base.IteratorSize(::Type{<:Events}) = Base.SizeUnknown()
Base.eltype(::Type{<:Events}) = SearchEvent

read_event(search::Search, after, memory) = Raw.netcl_search_read_event(search, after, 0, memory)
read_event(tuner::Tuner, after, memory) = Raw.netcl_tuner_read_event(tuner, after, 0, memory)

function Base.iterate(events::Events, after = events.after)
    memory = info_memory(StructMemory{11}())
    status = read_event(events.source, after, memory)
    # No newer one: the search is over, or it was none so far.
    (status == ERROR_NOT_FOUND.value || status == ERROR_TIMEOUT.value) && return nothing
    status == 0 || fail(status)
    event = take_info(SearchEvent, memory)
    return event, event.sequence
end

"""
    for event in Netcl.tune(tuner) ... end

Runs a tuner beside the calling task and gives its events while they happen, as a `Channel` that
ends with the run. `Netcl.tuner_get_result` and `Netcl.tuner_lookup` have what was found.
`close` of the channel, or `Netcl.tuner_cancel`, ends the run early; the loop throws CANCELLED
after the latter. `taskref` is that of `Channel`: its task ends when the run is over.
"""
tune(tuner::Tuner; taskref = nothing) =
    Channel{SearchEvent}(channel -> feed_events(channel, tuner), 1024; taskref = taskref)

const EVENT_PAUSE = 0.02

function feed_events(channel, tuner::Tuner)
    try
        forward_events(channel, tuner)
    catch problem
        # What failed is thrown by the loop over the channel, as it is.
        isopen(channel) && close(channel, problem)
    end
end

function forward_events(channel, tuner::Tuner)
    # A reference of its own: the run may outlive the caller's.
    held = retain(tuner)
    after = UInt64(0)
    for event in events(held)
        after = event.sequence
    end
    run = @async run_beside(held)
    try
        while true
            over = istaskdone(run)
            for event in events(held; after = after)
                put!(channel, event)
                after = event.sequence
            end
            over && break
            sleep(EVENT_PAUSE)
            isopen(channel) || break
        end
    finally
        istaskdone(run) || tuner_cancel(held)
        wait(run)
        close(held)
    end
    status = fetch(run)
    # The message stayed with the thread that ran it; those of entries are in their results.
    status == 0 || throw(NetclError(Status(status), "the run of the tuner ended with " *
                                    status_name(Status(status))))
    return nothing
end

# On a thread that is none of Julia's: tasks and collections go on meanwhile.
function run_beside(tuner::Tuner)
    Raw.address(Raw.E_netcl_tuner_run)
    return GC.@preserve tuner @threadcall(Raw.E_netcl_tuner_run.pointer, Int32, (Ptr{Cvoid},),
                                          tuner.pointer)
end
