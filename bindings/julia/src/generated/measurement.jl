# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    measurement_create(
        queue;
        warmup_count, warmup_ns, count, count_least, count_most, budget_ns, confidence,
        precision, flush_bytes, seed, candidates, cold_cache, source, measurement
    )

Begins a measurement of work that the caller enqueues on `queue`, in a loop over
`netcl_measurement_next`; needs no callback. Several candidates take turns in random order.
Times are recorded on the queue until the measurement is done or released. NOT\\_PROFILED
for a wrapped queue without profiling, unless the source is HOST. `measurement` must be
`nothing`.

* `warmup_count`: runs before the first sample; 0: 3
* `warmup_ns`: and at least this long; 0: 25 ms, unless count is set
* `count`: exactly this many samples; 0: by the rules below
* `count_least`: 0: 10
* `count_most`: 0: 100000
* `budget_ns`: may end it before count\\_least; 0: 1 s per candidate
* `confidence`: wanted of the interval; 0: 0.95
* `precision`: half width over the median at which it is enough, once the interval has that
  confidence; 0: 0.005
* `flush_bytes`: cold caches: written before a sample; 0: 256 MiB or 4 caches
* `seed`: of the order in which candidates take turns
* `candidates`: things that are compared; 0: 1
* `cold_cache`: true: flush the device's caches before each sample
* `source`: one of `:device_busy` (unless another is given), `:device_span`, `:host`
* `measurement`: calls that measure to the end: receives one reference to the measurement,
  which has the samples

Calls `netcl_measurement_create`.
"""
function measurement_create(
    queue::Queue;
    warmup_count::Integer = 0, warmup_ns::Integer = 0, count::Integer = 0,
    count_least::Integer = 0, count_most::Integer = 0, budget_ns::Integer = 0,
    confidence::Real = 0.0, precision::Real = 0.0, flush_bytes::Integer = 0,
    seed::Integer = 0, candidates::Integer = 0, cold_cache::Union{Bool,Integer} = false,
    source::Union{TimeSource,Symbol} = TimeSource(0),
    measurement::Union{Nothing,Ref{Measurement}} = nothing
)
    measurement_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{14}()
    options_kept = Any[]
    measurement_out = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve measurement_place options_kept options_struct begin
        fill_measurement_options!(
            place_of(options_struct), options_kept, warmup_count, warmup_ns, count, count_least,
            count_most, budget_ns, confidence, precision, flush_bytes, seed, candidates, cold_cache,
            source, place_if(measurement, measurement_place)
        )
        @checked Raw.netcl_measurement_create(queue, options_struct, measurement_out)
    end
    give_reference(measurement, measurement_place)
    return take(Measurement, measurement_out[])
end

"""
    measurement_retain(measurement)

Gives another Measurement with a reference of its own to the same object.

Calls `netcl_measurement_retain`.
"""
measurement_retain(measurement::Measurement) = retain(measurement)

"""
    measurement_release(measurement)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_measurement_release`.
"""
measurement_release(measurement::Measurement) = close(measurement)

"""
    measurement_next(measurement)

Ends the run before and begins the next one: the caller then enqueues the work of
`candidate` `iterations` times. iterations 0: the measurement is over. Movable: one thread
at a time. Fails with the error of the work that was enqueued; INVALID\\_ARGUMENT when there
was none.

* `candidate`: whose turn it is, from 0 on
* `iterations`: how often

Calls `netcl_measurement_next`.
"""
function measurement_next(measurement::Measurement)
    take_turn(measurement)
    try
        candidate = Ref{UInt32}(0)
        iterations = Ref{UInt64}(0)
        @checked Raw.netcl_measurement_next(measurement, candidate, iterations)
        return Int(candidate[]), iterations[]
    finally
        end_turn(measurement)
    end
end

"""
    measurement_get_statistics(measurement, candidate)

Gives the statistics of a candidate so far.

Calls `netcl_measurement_get_statistics`.
"""
function measurement_get_statistics(measurement::Measurement, candidate::Integer)
    take_turn(measurement)
    try
        statistics = info_memory(StructMemory{21}())
        @checked Raw.netcl_measurement_get_statistics(measurement, candidate, statistics)
        return take_info(Statistics, statistics)
    finally
        end_turn(measurement)
    end
end

"""
    measurement_get_samples(measurement, candidate)

Gives all samples of a candidate in the order they were taken, nanoseconds per iteration.

Calls `netcl_measurement_get_samples`.
"""
function measurement_get_samples(measurement::Measurement, candidate::Integer)
    take_turn(measurement)
    try
        found = read_array(Float64, UInt64) do place, room, extent
            return Raw.netcl_measurement_get_samples(measurement, candidate, place, room, extent)
        end
        return found
    finally
        end_turn(measurement)
    end
end

"""
    measurement_compare(measurement, first, second)

Compares two candidates.

Calls `netcl_measurement_compare`.
"""
function measurement_compare(measurement::Measurement, first::Integer, second::Integer)
    take_turn(measurement)
    try
        comparison = info_memory(StructMemory{5}())
        @checked Raw.netcl_measurement_compare(measurement, first, second, comparison)
        return take_info(Comparison, comparison)
    finally
        end_turn(measurement)
    end
end
