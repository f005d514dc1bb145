# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    roofline_create(;
        threshold_pct, min_improvement_pct, tensor_core_threshold_pct, underutilized_pct,
        convergence_rounds, early_stop
    )

Makes an analyzer, which holds its options and the history of the rounds. Percentages that
are negative or no number, thresholds outside 1 to 100 (0.9 is no 90 %), and
convergence\\_rounds of 1 are INVALID\\_ARGUMENT.

* `threshold_pct`: efficiency that counts as at the roofline, 1 to 100; 0: 90
* `min_improvement_pct`: less than this over the rounds is converged; 0: 0.1
* `tensor_core_threshold_pct`: more activity than this is use, 1 to 100; 0: 5
* `underutilized_pct`: less of both is UNDERUTILIZED, 1 to 100; 0: 60
* `convergence_rounds`: at least 2; 0: 5
* `early_stop`: OFF: being at the roofline is no reason to stop; one of `:default` (unless
  another is given), `:on`, `:off`

Calls `netcl_roofline_create`.
"""
function roofline_create(;
    threshold_pct::Real = 0.0, min_improvement_pct::Real = 0.0,
    tensor_core_threshold_pct::Real = 0.0, underutilized_pct::Real = 0.0,
    convergence_rounds::Integer = 0, early_stop::Union{Toggle,Symbol} = Toggle(0)
)
    options_struct = StructMemory{6}()
    roofline = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_roofline_options!(
            place_of(options_struct), nothing, threshold_pct, min_improvement_pct,
            tensor_core_threshold_pct, underutilized_pct, convergence_rounds, early_stop
        )
        @checked Raw.netcl_roofline_create(options_struct, roofline)
    end
    return take(Roofline, roofline[])
end

"""
    roofline_retain(roofline)

Gives another Roofline with a reference of its own to the same object.

Calls `netcl_roofline_retain`.
"""
roofline_retain(roofline::Roofline) = retain(roofline)

"""
    roofline_release(roofline)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_roofline_release`.
"""
roofline_release(roofline::Roofline) = close(roofline)

"""
    roofline_analyze_metrics(roofline, names, values)

Analyzes metrics of Nsight Compute given by name:
sm\\_\\_throughput.avg.pct\\_of\\_peak\\_sustained\\_elapsed,
gpu\\_\\_compute\\_memory\\_throughput.avg.pct\\_of\\_peak\\_sustained\\_elapsed and
sm\\_\\_pipe\\_tensor\\_cycles\\_active.avg.pct\\_of\\_peak\\_sustained\\_active (or
\\_elapsed, or other activity of tensor pipes); others are ignored. Where the second is
missing, dram\\_\\_throughput or gpu\\_\\_dram\\_throughput stands for it, with a warning.
One of the first two missing: 0 for it and a warning. Both missing: zeros, UNKNOWN and a
warning. More than 105 % is warned of. NaN and infinite values are INVALID\\_ARGUMENT.

Calls `netcl_roofline_analyze_metrics`.
"""
function roofline_analyze_metrics(roofline::Roofline, names, values)
    take_turn(roofline)
    try
        names_rows = c_texts(:names, names)
        values_rows = array_of(Float64, values)
        same_length(:names, names_rows, :values, values_rows)
        result = info_memory(StructMemory{112}())
        GC.@preserve names_rows begin
            @checked Raw.netcl_roofline_analyze_metrics(
                roofline, or_null(text_pointers(names_rows)), or_null(values_rows), length(names_rows),
                result
            )
        end
        return take_info(RooflineResult, result)
    finally
        end_turn(roofline)
    end
end

"""
    roofline_analyze_ncu(roofline, text; kernel, policy, exact)

Analyzes a CSV report of Nsight Compute (ncu --csv) in any form since 2020: a row per metric
(the details page, with or without rules, --metrics), a column per metric (--page raw), and
summaries (--print-summary), of which the averages count. Names are those of metrics or
those that people read. A launch is known by its process and ID. Lines before the header are
skipped; errors and warnings of the profiler come back as warnings, or in the message when
there is no report. CORRUPT\\_DATA naming and quoting the line: a line of no such form, a
value that is no number, a number such as \"117.344\" that may have a decimal comma or
separators of thousands, as far as the other numbers tell (write the report with
LC\\_ALL=C), a metric that a launch has twice with different values, a column that a header
has twice, an ID with two kernels. NOT\\_FOUND when no launch matches, INVALID\\_ARGUMENT
for `sizeof(text)` above 2^32. What `netcl_roofline_analyze_metrics` says of missing metrics
holds here too: the status is OK then, and `bottleneck` UNKNOWN.

* `kernel`: part of the kernel's name; `nothing`: every launch
* `policy`: one of `:median` (unless another is given), `:first`, `:last`, `:longest`
* `exact`: true: `kernel` is the whole name

Calls `netcl_roofline_analyze_ncu`.
"""
function roofline_analyze_ncu(
    roofline::Roofline, text::AbstractString;
    kernel::Union{Nothing,AbstractString} = nothing,
    policy::Union{NcuPolicy,Symbol} = NcuPolicy(0), exact::Union{Bool,Integer} = false
)
    take_turn(roofline)
    try
        text_text = String(text)
        options_struct = StructMemory{3}()
        options_kept = Any[]
        result = info_memory(StructMemory{112}())
        GC.@preserve options_kept options_struct begin
            fill_ncu_options!(place_of(options_struct), options_kept, kernel, policy, exact)
            @checked Raw.netcl_roofline_analyze_ncu(
                roofline, text_text, sizeof(text_text), options_struct, result
            )
        end
        return take_info(RooflineResult, result)
    finally
        end_turn(roofline)
    end
end

"""
    roofline_should_stop(roofline, result)

Enters a result into the history and decides whether optimising may stop: at the roofline
(with early\\_stop), or when the efficiencies of the last convergence\\_rounds results lie
within less than min\\_improvement\\_pct.

Calls `netcl_roofline_should_stop`.
"""
function roofline_should_stop(roofline::Roofline, result::Union{Nothing,RooflineResult})
    take_turn(roofline)
    try
        result_kept = Any[]
        stop = Ref{UInt32}(0)
        GC.@preserve result result_kept begin
            result_place = keep_struct!(result_kept, result)
            @checked Raw.netcl_roofline_should_stop(roofline, result_place, stop)
        end
        return stop[] != 0
    finally
        end_turn(roofline)
    end
end

"""
    roofline_get_reason(roofline)

Gives the reason of the last `netcl_roofline_should_stop`, \"\" when it said to go on.

Calls `netcl_roofline_get_reason`.
"""
function roofline_get_reason(roofline::Roofline)
    take_turn(roofline)
    try
        found = read_text() do place, room, extent
            return Raw.netcl_roofline_get_reason(roofline, place, room, extent)
        end
        return found
    finally
        end_turn(roofline)
    end
end

"""
    roofline_reset_history(roofline)

Forgets the history and the reason.

Calls `netcl_roofline_reset_history`.
"""
function roofline_reset_history(roofline::Roofline)
    take_turn(roofline)
    try
        @checked Raw.netcl_roofline_reset_history(roofline)
        return nothing
    finally
        end_turn(roofline)
    end
end

"""
    roofline_format(result, format)

Gives a result as text for people or as JSON. CSV is UNSUPPORTED.

* `format`: one of `:text`, `:json`, `:csv`

Calls `netcl_roofline_format`.
"""
function roofline_format(
    result::Union{Nothing,RooflineResult}, format::Union{Format,Symbol}
)
    result_kept = Any[]
    format = enum(Format, format)
    GC.@preserve result result_kept begin
        result_place = keep_struct!(result_kept, result)
        found = read_text() do place, room, extent
            return Raw.netcl_roofline_format(result_place, format.value, place, room, extent)
        end
    end
    return found
end

"""
    roofline_analyze_time(roofline, ceilings, time_ns, work)

Analyzes a time against ceilings. compute\\_sol\\_pct is the time that the operations take
at the COMPUTE ceiling of their dtype (TENSOR with matrix\\_units) over the time; f16 and
bf16 without a row take that of f32, integers that of i32. memory\\_sol\\_pct is the time
that the bytes take over the time: as many read as written at the copy ceiling, the others
at that of reads or writes; those of the caches where a measured working set holds all bytes
and nothing is cold, interpolated between the two sets around it, else those of the memory.
Work that is 0 has the share 0. Work without a ceiling counts as missing, as in
`netcl_roofline_analyze_metrics`, and no work at all as both missing. A time that beats a
ceiling by more than 5 % marks it as disproved and is warned of.

Calls `netcl_roofline_analyze_time`.
"""
function roofline_analyze_time(
    roofline::Roofline, ceilings::Ceilings, time_ns::Real, work::Work
)
    take_turn(roofline)
    try
        work_kept = Any[]
        result = info_memory(StructMemory{112}())
        GC.@preserve work work_kept begin
            work_place = keep_struct!(work_kept, work)
            @checked Raw.netcl_roofline_analyze_time(roofline, ceilings, time_ns, work_place, result)
        end
        return take_info(RooflineResult, result)
    finally
        end_turn(roofline)
    end
end

"""
    roofline_analyze_statistics(roofline, ceilings, statistics)

Analyzes the median of a measurement with the work that its ops declared: what a timed op
achieves is `netcl_queue_time` and this.

Calls `netcl_roofline_analyze_statistics`.
"""
function roofline_analyze_statistics(
    roofline::Roofline, ceilings::Ceilings, statistics::Union{Nothing,Statistics}
)
    take_turn(roofline)
    try
        statistics_kept = Any[]
        result = info_memory(StructMemory{112}())
        GC.@preserve statistics statistics_kept begin
            statistics_place = keep_struct!(statistics_kept, statistics)
            @checked Raw.netcl_roofline_analyze_statistics(roofline, ceilings, statistics_place, result)
        end
        return take_info(RooflineResult, result)
    finally
        end_turn(roofline)
    end
end
