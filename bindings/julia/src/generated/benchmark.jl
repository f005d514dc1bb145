# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    benchmark_create(
        device;
        worker_path, temp_dir, lock_path, compile_timeout_ns, run_timeout_ns, lock_timeout_ns,
        start_timeout_ns, seed, rounds, worker_id, lock
    )

Makes a benchmark with an empty record. The worker starts with the first candidate.
UNSUPPORTED on the built-in device, which runs no OpenCL C, and without a worker, naming
where it was looked for. All functions of a benchmark are BUSY while another one of it runs.

* `worker_path`: `nothing`: `NETCL_WORKER`, else beside the library; never PATH
* `temp_dir`: the worker's working folder and TMPDIR; `nothing`: as here
* `lock_path`: of the device lock; `nothing`: one per device in the cache
* `compile_timeout_ns`: of a candidate, and until a run of it begins; 0: 60 s
* `run_timeout_ns`: of one run of it that began; 0: 2 s
* `lock_timeout_ns`: of the wait for the device; 0: 900 s
* `start_timeout_ns`: of the worker, drivers included; 0: 60 s
* `seed`: of random contents in round 0; the next has seed + 1
* `rounds`: times a candidate is checked, each with its seed; 0: 2
* `worker_id`: for the log and the JSON
* `lock`: OFF: do not hold the device lock while using the device; one of `:default` (unless
  another is given), `:on`, `:off`

Calls `netcl_benchmark_create`.
"""
function benchmark_create(
    device::Device;
    worker_path::Union{Nothing,AbstractString} = nothing,
    temp_dir::Union{Nothing,AbstractString} = nothing,
    lock_path::Union{Nothing,AbstractString} = nothing, compile_timeout_ns::Integer = 0,
    run_timeout_ns::Integer = 0, lock_timeout_ns::Integer = 0,
    start_timeout_ns::Integer = 0, seed::Integer = 0, rounds::Integer = 0,
    worker_id::Integer = 0, lock::Union{Toggle,Symbol} = Toggle(0)
)
    options_struct = StructMemory{11}()
    options_kept = Any[]
    benchmark = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_kept options_struct begin
        fill_benchmark_options!(
            place_of(options_struct), options_kept, worker_path, temp_dir, lock_path,
            compile_timeout_ns, run_timeout_ns, lock_timeout_ns, start_timeout_ns, seed, rounds,
            worker_id, lock
        )
        @checked Raw.netcl_benchmark_create(device, options_struct, benchmark)
    end
    return take(Benchmark, benchmark[])
end

"""
    benchmark_retain(benchmark)

Gives another Benchmark with a reference of its own to the same object.

Calls `netcl_benchmark_retain`.
"""
benchmark_retain(benchmark::Benchmark) = retain(benchmark)

"""
    benchmark_release(benchmark)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_benchmark_release`.
"""
benchmark_release(benchmark::Benchmark) = close(benchmark)

"""
    benchmark_add_tensor(benchmark, tensor)

Adds a tensor to the record. INVALID\\_ARGUMENT once the record is in use; so for the next
two.

Calls `netcl_benchmark_add_tensor`.
"""
function benchmark_add_tensor(benchmark::Benchmark, tensor::BenchmarkTensor)
    take_turn(benchmark)
    try
        tensor_kept = Any[]
        GC.@preserve tensor tensor_kept begin
            tensor_place = keep_struct!(tensor_kept, tensor)
            @checked Raw.netcl_benchmark_add_tensor(benchmark, tensor_place)
        end
        return nothing
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_add_scalar(benchmark, data)

Adds a scalar or struct of 1 to 65536 bytes to the record.

Calls `netcl_benchmark_add_scalar`.
"""
function benchmark_add_scalar(benchmark::Benchmark, data)
    take_turn(benchmark)
    try
        data = host_memory(:data, data)
        @checked Raw.netcl_benchmark_add_scalar(benchmark, data, sizeof(data))
        return nothing
    finally
        end_turn(benchmark)
    end
end

"""
    unsafe_benchmark_add_scalar(benchmark, data, data_size)

Adds a scalar or struct of 1 to 65536 bytes to the record.

The pointers must be valid as the text above asks for; nothing checks them.

Calls `netcl_benchmark_add_scalar`.
"""
function unsafe_benchmark_add_scalar(benchmark::Benchmark, data::Ptr, data_size::Integer)
    take_turn(benchmark)
    try
        @checked Raw.netcl_benchmark_add_scalar(benchmark, data, data_size)
        return nothing
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_add_local(benchmark, bytes)

Adds local memory to the record.

Calls `netcl_benchmark_add_local`.
"""
function benchmark_add_local(benchmark::Benchmark, bytes::Integer)
    take_turn(benchmark)
    try
        @checked Raw.netcl_benchmark_add_local(benchmark, bytes)
        return nothing
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_get_tensor(benchmark, index)

Gives the tensor of an argument in this process, for a baseline that is not a kernel; it
holds what it does in round 0 at first. INVALID\\_ARGUMENT when the argument is no tensor.

Calls `netcl_benchmark_get_tensor`.
"""
function benchmark_get_tensor(benchmark::Benchmark, index::Integer)
    take_turn(benchmark)
    try
        tensor = Ref{Ptr{Cvoid}}(C_NULL)
        @checked Raw.netcl_benchmark_get_tensor(benchmark, index, tensor)
        return take(Tensor, tensor[])
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_prepare(benchmark, round)

Brings the tensors of this process into their first state for a round.

Calls `netcl_benchmark_prepare`.
"""
function benchmark_prepare(benchmark::Benchmark, round::Integer)
    take_turn(benchmark)
    try
        @checked Raw.netcl_benchmark_prepare(benchmark, round)
        return nothing
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_keep(benchmark, round)

Keeps what the outputs of this process hold now as what candidates have to give in a round.
Candidates are checked in the rounds that are kept, in all rounds without values when none
is.

Calls `netcl_benchmark_keep`.
"""
function benchmark_keep(benchmark::Benchmark, round::Integer)
    take_turn(benchmark)
    try
        @checked Raw.netcl_benchmark_keep(benchmark, round)
        return nothing
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_time_baseline(
        work, benchmark;
        warmup_count, warmup_ns, count, count_least, count_most, budget_ns, confidence,
        precision, flush_bytes, seed, candidates, cold_cache, source, measurement
    )

Times the baseline: for each round prepares, calls `work` once and keeps; then measures
`work` on the device's default queue as `netcl_queue_time` does, over the contents of round
0\\. `work` uses the tensors of `netcl_benchmark_get_tensor`. Fails with what it returns.

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

Calls `netcl_benchmark_time_baseline`.
"""
function benchmark_time_baseline(
    work, benchmark::Benchmark;
    warmup_count::Integer = 0, warmup_ns::Integer = 0, count::Integer = 0,
    count_least::Integer = 0, count_most::Integer = 0, budget_ns::Integer = 0,
    confidence::Real = 0.0, precision::Real = 0.0, flush_bytes::Integer = 0,
    seed::Integer = 0, candidates::Integer = 0, cold_cache::Union{Bool,Integer} = false,
    source::Union{TimeSource,Symbol} = TimeSource(0),
    measurement::Union{Nothing,Ref{Measurement}} = nothing
)
    take_turn(benchmark)
    try
        work_state = CallbackState(work)
        measurement_place = Ref{Ptr{Cvoid}}(C_NULL)
        options_struct = StructMemory{14}()
        options_kept = Any[]
        statistics = info_memory(StructMemory{21}())
        GC.@preserve work_state measurement_place options_kept options_struct begin
            fill_measurement_options!(
                place_of(options_struct), options_kept, warmup_count, warmup_ns, count, count_least,
                count_most, budget_ns, confidence, precision, flush_bytes, seed, candidates, cold_cache,
                source, place_if(measurement, measurement_place)
            )
            status = Raw.netcl_benchmark_time_baseline(
                benchmark, work_fn_pointer(), pointer_from_objref(work_state), options_struct,
                statistics
            )
        end
        callback_done(work_state, status)
        give_reference(measurement, measurement_place)
        return take_info(Statistics, statistics)
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_time_kernel(
        benchmark, kernel, global_, local_;
        warmup_count, warmup_ns, count, count_least, count_most, budget_ns, confidence,
        precision, flush_bytes, seed, candidates, cold_cache, source, measurement
    )

The same with a kernel of this process over the record's arguments.

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

Calls `netcl_benchmark_time_kernel`.
"""
function benchmark_time_kernel(
    benchmark::Benchmark, kernel::Kernel, global_, local_;
    warmup_count::Integer = 0, warmup_ns::Integer = 0, count::Integer = 0,
    count_least::Integer = 0, count_most::Integer = 0, budget_ns::Integer = 0,
    confidence::Real = 0.0, precision::Real = 0.0, flush_bytes::Integer = 0,
    seed::Integer = 0, candidates::Integer = 0, cold_cache::Union{Bool,Integer} = false,
    source::Union{TimeSource,Symbol} = TimeSource(0),
    measurement::Union{Nothing,Ref{Measurement}} = nothing
)
    take_turn(benchmark)
    try
        global__rows = array_of(UInt64, global_)
        local__rows = array_of(UInt64, local_)
        measurement_place = Ref{Ptr{Cvoid}}(C_NULL)
        options_struct = StructMemory{14}()
        options_kept = Any[]
        statistics = info_memory(StructMemory{21}())
        GC.@preserve measurement_place options_kept options_struct begin
            fill_measurement_options!(
                place_of(options_struct), options_kept, warmup_count, warmup_ns, count, count_least,
                count_most, budget_ns, confidence, precision, flush_bytes, seed, candidates, cold_cache,
                source, place_if(measurement, measurement_place)
            )
            @checked Raw.netcl_benchmark_time_kernel(
                benchmark, kernel, or_null(global__rows), length(global__rows), or_null(local__rows),
                length(local__rows), options_struct, statistics
            )
        end
        give_reference(measurement, measurement_place)
        return take_info(Statistics, statistics)
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_set_baseline(benchmark, statistics)

Sets the statistics of a baseline that was measured otherwise: with
`netcl_benchmark_prepare`, `netcl_benchmark_keep` and a `netcl_measurement` over the
tensors, which needs no callback. INVALID\\_ARGUMENT without samples.

Calls `netcl_benchmark_set_baseline`.
"""
function benchmark_set_baseline(benchmark::Benchmark, statistics::Union{Nothing,Statistics})
    take_turn(benchmark)
    try
        statistics_kept = Any[]
        GC.@preserve statistics statistics_kept begin
            statistics_place = keep_struct!(statistics_kept, statistics)
            @checked Raw.netcl_benchmark_set_baseline(benchmark, statistics_place)
        end
        return nothing
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_run(
        benchmark, candidate;
        warmup_count, warmup_ns, count, count_least, count_most, budget_ns, confidence,
        precision, flush_bytes, seed, candidates, cold_cache, source, measurement
    )

Builds, checks and times a candidate in the worker; a worker that dies is replaced. Whatever
is wrong with the candidate is an outcome and no error. Fails with INVALID\\_ARGUMENT for a
candidate that nobody could run, and where what it would have to give leaves a tensor of OUT
or INOUT as it was, since then nothing tells whether it writes it; IO when its file cannot
be read, BUSY when another user holds the device, TIMEOUT or UNSUPPORTED when no worker can
be started. `measurement` must be `nothing`.

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

Calls `netcl_benchmark_run`.
"""
function benchmark_run(
    benchmark::Benchmark, candidate::BenchmarkCandidate;
    warmup_count::Integer = 0, warmup_ns::Integer = 0, count::Integer = 0,
    count_least::Integer = 0, count_most::Integer = 0, budget_ns::Integer = 0,
    confidence::Real = 0.0, precision::Real = 0.0, flush_bytes::Integer = 0,
    seed::Integer = 0, candidates::Integer = 0, cold_cache::Union{Bool,Integer} = false,
    source::Union{TimeSource,Symbol} = TimeSource(0),
    measurement::Union{Nothing,Ref{Measurement}} = nothing
)
    take_turn(benchmark)
    try
        candidate_kept = Any[]
        measurement_place = Ref{Ptr{Cvoid}}(C_NULL)
        options_struct = StructMemory{14}()
        options_kept = Any[]
        result = info_memory(StructMemory{81}())
        GC.@preserve candidate candidate_kept measurement_place options_kept options_struct begin
            candidate_place = keep_struct!(candidate_kept, candidate)
            fill_measurement_options!(
                place_of(options_struct), options_kept, warmup_count, warmup_ns, count, count_least,
                count_most, budget_ns, confidence, precision, flush_bytes, seed, candidates, cold_cache,
                source, place_if(measurement, measurement_place)
            )
            @checked Raw.netcl_benchmark_run(benchmark, candidate_place, options_struct, result)
        end
        give_reference(measurement, measurement_place)
        return take_info(BenchmarkResult, result)
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_get_build_log(benchmark)

Gives the first 4 KiB of the build log of the last candidate.

Calls `netcl_benchmark_get_build_log`.
"""
function benchmark_get_build_log(benchmark::Benchmark)
    take_turn(benchmark)
    try
        found = read_text() do place, room, extent
            return Raw.netcl_benchmark_get_build_log(benchmark, place, room, extent)
        end
        return found
    finally
        end_turn(benchmark)
    end
end

"""
    benchmark_get_json(benchmark)

Gives the baseline and all candidates so far as JSON, times in milliseconds: mean, std, min,
max and speedup. A candidate that failed has a time of null and a reason.

Calls `netcl_benchmark_get_json`.
"""
function benchmark_get_json(benchmark::Benchmark)
    take_turn(benchmark)
    try
        found = read_text() do place, room, extent
            return Raw.netcl_benchmark_get_json(benchmark, place, room, extent)
        end
        return found
    finally
        end_turn(benchmark)
    end
end
