# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    search_create(
        space, capabilities, standard;
        seed, evaluations, patience, budget_ns, samples, precision, drop_factor, roof_ns,
        threshold_pct, strategy
    )

Makes a search over a space, which is copied. The default configuration (`nothing` standard:
the first of the space) is measured first and wins ties; INVALID\\_ARGUMENT with the reason
when it is not valid in the space, for a space without valid configurations, for one that
cannot be counted, and with EXHAUSTIVE for one with more than 2^20.

* `evaluations`: configurations tried at most; 0: all of EXHAUSTIVE, else 512
* `patience`: stop after so many without a better one; 0: see above
* `budget_ns`: from the first ask on; 0: none for a search, 60 s for a tuner
* `samples`: of each finalist at most; 0: 30 for a search, 20 for a tuner
* `precision`: a difference that is worth a change; 0: 0.01
* `drop_factor`: what is surely this much slower than the best goes; 0: 1.2
* `roof_ns`: shortest time that the device allows; 0: see `netcl_tuner_run`
* `threshold_pct`: percent of the roof that are good enough, 1 to 1000; 0: 90
* `strategy`: one of `:auto` (unless another is given), `:exhaustive`, `:random`, `:local`,
  `:annealing`, `:genetic`

Calls `netcl_search_create`.
"""
function search_create(
    space::Space, capabilities::Union{Nothing,DeviceCapabilities},
    standard::Union{Nothing,Config};
    seed::Integer = 0, evaluations::Integer = 0, patience::Integer = 0,
    budget_ns::Integer = 0, samples::Integer = 0, precision::Real = 0.0,
    drop_factor::Real = 0.0, roof_ns::Real = 0.0, threshold_pct::Real = 0.0,
    strategy::Union{SearchStrategy,Symbol} = SearchStrategy(0)
)
    take_turn(space)
    try
        capabilities_kept = Any[]
        options_struct = StructMemory{11}()
        search = Ref{Ptr{Cvoid}}(C_NULL)
        GC.@preserve capabilities capabilities_kept options_struct begin
            capabilities_place = keep_struct!(capabilities_kept, capabilities)
            fill_search_options!(
                place_of(options_struct), nothing, seed, evaluations, patience, budget_ns, samples,
                precision, drop_factor, roof_ns, threshold_pct, strategy
            )
            @checked Raw.netcl_search_create(
                space, capabilities_place, or_null(standard), options_struct, search
            )
        end
        return take(Search, search[])
    finally
        end_turn(space)
    end
end

"""
    search_retain(search)

Gives another Search with a reference of its own to the same object.

Calls `netcl_search_retain`.
"""
search_retain(search::Search) = retain(search)

"""
    search_release(search)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_search_release`.
"""
search_release(search::Search) = close(search)

"""
    search_ask(search)

Tells what to measure next: `samples` times of one candidate, to be told before the next
ask. Each gets 1, then 3, then 10 samples, unless it is surely slower than drop\\_factor
times the best; a single sample has to be twice that slow. Those that are left take turns in
random order until they are told apart or have `samples` each.

* `candidate`: its index, from 0 (the default) in the order of their first ask
* `samples`: 0: the search is over
* `config`: one reference, `nothing` when it is over

Calls `netcl_search_ask`.
"""
function search_ask(search::Search)
    candidate = Ref{UInt32}(0)
    samples = Ref{UInt64}(0)
    config = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_search_ask(search, candidate, samples, config)
    return Int(candidate[]), samples[], take_if_given(Config, config[])
end

"""
    search_tell(search, candidate, samples)

Tells times of a candidate in nanoseconds, any number of them.

Calls `netcl_search_tell`.
"""
function search_tell(search::Search, candidate::Integer, samples)
    samples_rows = array_of(Float64, samples)
    @checked Raw.netcl_search_tell(
        search, candidate, or_null(samples_rows), length(samples_rows)
    )
    return nothing
end

"""
    search_tell_failure(search, candidate, outcome, message)

Tells that a candidate is not valid; it is not asked for again. `message` may be `nothing`.

* `outcome`: one of `:unknown`, `:correct`, `:constraints`, `:compile`, `:runtime`,
  `:correctness`, `:guard`, `:timeout`, `:hang`, `:crash`, `:slow`, `:cancelled`

Calls `netcl_search_tell_failure`.
"""
function search_tell_failure(
    search::Search, candidate::Integer, outcome::Union{Outcome,Symbol},
    message::Union{Nothing,AbstractString}
)
    outcome = enum(Outcome, outcome)
    @checked Raw.netcl_search_tell_failure(
        search, candidate, outcome.value, c_text(:message, message)
    )
    return nothing
end

"""
    search_cancel(search)

Ends a search at the next ask, from any thread.

Calls `netcl_search_cancel`.
"""
function search_cancel(search::Search)
    @checked Raw.netcl_search_cancel(search)
    return nothing
end

"""
    search_read_event(search, after; timeout)

Reads the oldest kept event whose sequence is greater than `after`, waiting for it when need
be. The last 1024 are kept. TIMEOUT when none came, NOT\\_FOUND when the search is over and
none will.

Calls `netcl_search_read_event`.
"""
function search_read_event(search::Search, after::Integer; timeout::Real = Inf)
    event = info_memory(StructMemory{11}())
    @checked Raw.netcl_search_read_event(search, after, nanoseconds(timeout), event)
    return take_info(SearchEvent, event)
end

"""
    search_get_result(search)

Gives what was found, so far or in the end.

Calls `netcl_search_get_result`.
"""
function search_get_result(search::Search)
    result = info_memory(StructMemory{30}())
    @checked Raw.netcl_search_get_result(search, result)
    return take_info(SearchResult, result)
end

"""
    search_get_best(search)

Gives the winner: the fastest, or the default where the fastest cannot be told from it with
a confidence of 0.999. NOT\\_FOUND with the counts of what was wrong when nothing is valid.

Calls `netcl_search_get_best`.
"""
function search_get_best(search::Search)
    config = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_search_get_best(search, config)
    return take(Config, config[])
end

"""
    search_get_candidate(search, index)

Gives a candidate. NOT\\_FOUND past the last one.

* `info`: the facts
* `config`: one reference

Calls `netcl_search_get_candidate`.
"""
function search_get_candidate(search::Search, index::Integer)
    info = info_memory(StructMemory{40}())
    config = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_search_get_candidate(search, index, info, config)
    return take_info(SearchCandidate, info), take_if_given(Config, config[])
end

"""
    search_get_samples(search, index)

Gives the samples of a candidate, those of the final last.

Calls `netcl_search_get_samples`.
"""
function search_get_samples(search::Search, index::Integer)
    found = read_array(Float64, UInt64) do place, room, extent
        return Raw.netcl_search_get_samples(search, index, place, room, extent)
    end
    return found
end

"""
    search_get_failure(search, outcome)

Gives the first message of an outcome with its configuration, \"\" when there was none.

* `outcome`: one of `:unknown`, `:correct`, `:constraints`, `:compile`, `:runtime`,
  `:correctness`, `:guard`, `:timeout`, `:hang`, `:crash`, `:slow`, `:cancelled`

Calls `netcl_search_get_failure`.
"""
function search_get_failure(search::Search, outcome::Union{Outcome,Symbol})
    outcome = enum(Outcome, outcome)
    found = read_text() do place, room, extent
        return Raw.netcl_search_get_failure(search, outcome.value, place, room, extent)
    end
    return found
end

"""
    search_replay(
        text;
        seed, evaluations, patience, budget_ns, samples, precision, drop_factor, roof_ns,
        threshold_pct, strategy
    )

Runs a search against recorded times: T4 JSON, as `netcl_tuning_database_export` writes it,
or the cache files of Kernel Tuner, in which a time may stand for the object that holds it.
Its space is the configurations of the recording; those that have no time fail when they are
tried. Of two entries of one configuration the later counts. One with fewer parameters than
others, such as a default outside of the space, is left out. Times are milliseconds where no
\"unit\" or \"timeunit\" is given: ns, us, ms, s or the word. CORRUPT\\_DATA naming what is
wrong with the text, or a unit, when no configuration has a time, and for results of several
problems, which exports name.

* `evaluations`: configurations tried at most; 0: all of EXHAUSTIVE, else 512
* `patience`: stop after so many without a better one; 0: see above
* `budget_ns`: from the first ask on; 0: none for a search, 60 s for a tuner
* `samples`: of each finalist at most; 0: 30 for a search, 20 for a tuner
* `precision`: a difference that is worth a change; 0: 0.01
* `drop_factor`: what is surely this much slower than the best goes; 0: 1.2
* `roof_ns`: shortest time that the device allows; 0: see `netcl_tuner_run`
* `threshold_pct`: percent of the roof that are good enough, 1 to 1000; 0: 90
* `strategy`: one of `:auto` (unless another is given), `:exhaustive`, `:random`, `:local`,
  `:annealing`, `:genetic`

Calls `netcl_search_replay`.
"""
function search_replay(
    text::AbstractString;
    seed::Integer = 0, evaluations::Integer = 0, patience::Integer = 0,
    budget_ns::Integer = 0, samples::Integer = 0, precision::Real = 0.0,
    drop_factor::Real = 0.0, roof_ns::Real = 0.0, threshold_pct::Real = 0.0,
    strategy::Union{SearchStrategy,Symbol} = SearchStrategy(0)
)
    text_text = String(text)
    options_struct = StructMemory{11}()
    result = info_memory(StructMemory{7}())
    GC.@preserve options_struct begin
        fill_search_options!(
            place_of(options_struct), nothing, seed, evaluations, patience, budget_ns, samples,
            precision, drop_factor, roof_ns, threshold_pct, strategy
        )
        @checked Raw.netcl_search_replay(text_text, sizeof(text_text), options_struct, result)
    end
    return take_info(ReplayResult, result)
end

"""
    search_store(search, database, device, key)

Stores the candidates as measurements and, when the search has ended other than by
cancelling, the winner as best, and configurations that crashed, hung, were wrong or wrote
out of bounds in quarantine, the default apart. `device` (may be `nothing`) as for a lookup.

Calls `netcl_search_store`.
"""
function search_store(
    search::Search, database::TuningDatabase, device::Union{Nothing,Device}, key::TuningKey
)
    key_kept = Any[]
    GC.@preserve key key_kept begin
        key_place = keep_struct!(key_kept, key)
        @checked Raw.netcl_search_store(search, database, or_null(device), key_place)
    end
    return nothing
end

"""
    search_resume(search, database, device, key)

Takes over the measurements that are stored for the same key and space, before the first
ask: those configurations are not asked for in the first rounds again. The default is always
measured. `device` (may be `nothing`) as for a lookup.

Calls `netcl_search_resume`.
"""
function search_resume(
    search::Search, database::TuningDatabase, device::Union{Nothing,Device}, key::TuningKey
)
    key_kept = Any[]
    count = Ref{UInt64}(0)
    GC.@preserve key key_kept begin
        key_place = keep_struct!(key_kept, key)
        @checked Raw.netcl_search_resume(search, database, or_null(device), key_place, count)
    end
    return count[]
end
