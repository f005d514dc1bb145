# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    tuner_create(
        device;
        search, database, warmup_count, compile_limit_ns, run_limit_ns, in_process, force
    )

Makes a tuner without entries. UNSUPPORTED naming the paths that were tried when candidates
of kernels are to run in the worker and there is none: found when the first one is to run.

* `search`: of each entry; `nothing`: defaults
* `database`: `nothing`: the one of this user
* `warmup_count`: runs before the first sample; 0: 3
* `compile_limit_ns`: a driver may compile until a run begins; 0: 60 s
* `run_limit_ns`: of one run that began; 0: 2 s or 20 times the best
* `in_process`: true: candidates run in this process, not in the worker
* `force`: true: measure again what is stored

Calls `netcl_tuner_create`.
"""
function tuner_create(
    device::Device;
    search::Union{Nothing,SearchOptions} = nothing,
    database::Union{Nothing,TuningDatabase} = nothing, warmup_count::Integer = 0,
    compile_limit_ns::Integer = 0, run_limit_ns::Integer = 0,
    in_process::Union{Bool,Integer} = false, force::Union{Bool,Integer} = false
)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tuner = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve database options_kept options_struct begin
        fill_tuner_options!(
            place_of(options_struct), options_kept, search, database, warmup_count,
            compile_limit_ns, run_limit_ns, in_process, force
        )
        @checked Raw.netcl_tuner_create(device, options_struct, tuner)
    end
    return take(Tuner, tuner[])
end

"""
    tuner_retain(tuner)

Gives another Tuner with a reference of its own to the same object.

Calls `netcl_tuner_retain`.
"""
tuner_retain(tuner::Tuner) = retain(tuner)

"""
    tuner_release(tuner)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_tuner_release`.
"""
tuner_release(tuner::Tuner) = close(tuner)

"""
    tuner_add(tuner, kernel, global_, args, tuning)

Adds a kernel with its work size and arguments; an entry of the same kernel, size and
integer arguments is replaced. The contents of the arguments are read now and never written:
candidates work on copies, and what the kernel may write begins as random numbers where it
holds floats, so that the results of an earlier launch hide nothing. Candidates are checked
on these contents, and on the same with their floats times one factor between 1/2 and 1.
Integers are the same in both checks: they may be places, bounds or links, which are sound
as they are and in no other order. So a candidate that is right for these integers alone is
not found out, nor one that does not write integers which hold their results already. Where
the kernel leaves all that it may write as it was, the entry fails with INVALID\\_ARGUMENT.

`nothing` args: those of the kernel's last launch of this size, its buffers filled anew;
else buffers of the sizes that the device's pool leased most often. Each of the two checks
has random contents of its own: floats from 0 to 1, bools, and integers from 0 to below the
root of the element count of the smallest tensor that has more than one element (0 and 1 at
least), which can be places, labels or counts. An integer alone in its tensor begins as 0,
as a counter does. Give `args` where the kernel asks more of its integers. What cannot be
known without args, such as a scalar, is INVALID\\_ARGUMENT naming the argument.

`netcl_tuner_run` builds the kernel in this process, and launches it here with
`netcl_tuner_options.in`\\_process = true. Arguments are refused as `netcl_kernel_launch`
refuses them. A list for a macro that the source does not use is INVALID\\_ARGUMENT too,
UNSUPPORTED a kernel without source.

Calls `netcl_tuner_add`.
"""
function tuner_add(tuner::Tuner, kernel::Kernel, global_, args, tuning::KernelTuning)
    global__rows = array_of(UInt64, global_)
    args_rows, args_kept = rows_of(Arg, args)
    tuning_kept = Any[]
    GC.@preserve args_kept tuning tuning_kept begin
        tuning_place = keep_struct!(tuning_kept, tuning)
        @checked Raw.netcl_tuner_add(
            tuner, kernel, or_null(global__rows), length(global__rows), or_null(args_rows),
            length(args_rows), tuning_place
        )
    end
    return nothing
end

"""
    tuner_add_matmul(tuner, batch, m, n, k, dtype)

Adds `batch` products of m x k by k x n (1: one alone): their variant, their tile sizes and
split\\_k are tuned, in this process, on random matrices. UNSUPPORTED for dtypes other than
f16, bf16, f32 and f64, INVALID\\_ARGUMENT for an extent below 1 and operands or a result of
more than 2^60 elements.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_tuner_add_matmul`.
"""
function tuner_add_matmul(
    tuner::Tuner, batch::Integer, m::Integer, n::Integer, k::Integer,
    dtype::Union{Dtype,Symbol,Type}
)
    dtype = enum(Dtype, dtype)
    @checked Raw.netcl_tuner_add_matmul(tuner, batch, m, n, k, dtype.value)
    return nothing
end

"""
    tuner_add_conv2d(tuner, shape, dtype)

Adds a convolution, likewise.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_tuner_add_conv2d`.
"""
function tuner_add_conv2d(tuner::Tuner, shape::Conv2dShape, dtype::Union{Dtype,Symbol,Type})
    shape_kept = Any[]
    dtype = enum(Dtype, dtype)
    GC.@preserve shape shape_kept begin
        shape_place = keep_struct!(shape_kept, shape)
        @checked Raw.netcl_tuner_add_conv2d(tuner, shape_place, dtype.value)
    end
    return nothing
end

"""
    tuner_add_reduction(tuner, outputs, count, dtype)

Adds sums of `count` elements each, `outputs` of them, likewise.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_tuner_add_reduction`.
"""
function tuner_add_reduction(
    tuner::Tuner, outputs::Integer, count::Integer, dtype::Union{Dtype,Symbol,Type}
)
    dtype = enum(Dtype, dtype)
    @checked Raw.netcl_tuner_add_reduction(tuner, outputs, count, dtype.value)
    return nothing
end

"""
    tuner_run(tuner)

Tunes all entries, one after the other, but those whose winner the database has: of the same
space, or put there without one (`netcl_tuning_database_put`); that of another space is
replaced by what is found, faster or not. What is wrong with one is in its result, and the
others go on; CANCELLED when `netcl_tuner_cancel` ended it. Of several threads or tuners of
a process that come to one key, one measures and the others take its result. Configurations
that build the same program for the same local size are measured once, and so are those of
an op that come to the same variant with the same sizes. An entry whose work is declared, as
ops do and tuning->work does, has the roofline as its roof\\_ns once the ceilings of the
device were measured (`netcl_ceilings_measure`, also in an earlier process).

Calls `netcl_tuner_run`.
"""
function tuner_run(tuner::Tuner)
    @checked Raw.netcl_tuner_run(tuner)
    return nothing
end

"""
    tuner_cancel(tuner)

Ends the run that is under way, if any, from any thread; a run that begins later is not
affected. Nothing wins. Each candidate is stored as it is known, so the next run without
`force` goes on where this one stopped, also when the process was killed.

Calls `netcl_tuner_cancel`.
"""
function tuner_cancel(tuner::Tuner)
    @checked Raw.netcl_tuner_cancel(tuner)
    return nothing
end

"""
    tuner_read_event(tuner, after; timeout)

Reads events of all entries as `netcl_search_read_event` does. NOT\\_FOUND while no run is
under way and none is left.

Calls `netcl_tuner_read_event`.
"""
function tuner_read_event(tuner::Tuner, after::Integer; timeout::Real = Inf)
    event = info_memory(StructMemory{11}())
    @checked Raw.netcl_tuner_read_event(tuner, after, nanoseconds(timeout), event)
    return take_info(SearchEvent, event)
end

"""
    tuner_get_count(tuner)

Counts the entries.

Calls `netcl_tuner_get_count`.
"""
function tuner_get_count(tuner::Tuner)
    count = Ref{UInt32}(0)
    @checked Raw.netcl_tuner_get_count(tuner, count)
    return Int(count[])
end

"""
    tuner_get_result(tuner, index)

Gives the result of an entry, in the order in which they were added. NOT\\_FOUND past the
last one.

* `result`: how it stands
* `config`: one reference, `nothing` when there is none

Calls `netcl_tuner_get_result`.
"""
function tuner_get_result(tuner::Tuner, index::Integer)
    result = info_memory(StructMemory{61}())
    config = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tuner_get_result(tuner, index, result, config)
    return take_info(TunerResult, result), take_if_given(Config, config[])
end

"""
    tuner_get_search(tuner, index)

Gives the search of an entry with all candidates. NOT\\_FOUND for one that was not measured.

Calls `netcl_tuner_get_search`.
"""
function tuner_get_search(tuner::Tuner, index::Integer)
    search = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tuner_get_search(tuner, index, search)
    return take(Search, search[])
end

"""
    tuner_lookup(tuner, name, global_)

Looks up what dispatch uses for a kernel or op of that name and size: by an entry of the
name, else by what the database has for it on this device, the latest where there are
several; the integer arguments are those of what it was found by. For a near size that is
less than was stored: a kernel's macros are not used, its local size is made a divisor, and
a product's depth is not cut. NOT\\_FOUND for a name that neither knows; no match is no
error.

Ops have the names \"op.matmul\", with the extents m, n, k, batch; \"op.conv2d\", with
batch, channels, height, width, filters; and \"op.reduction\", with outputs, count.
INVALID\\_ARGUMENT for an op with another number of extents.

* `match`: how well it fits
* `config`: one reference, `nothing` with no match

Calls `netcl_tuner_lookup`.
"""
function tuner_lookup(tuner::Tuner, name::Union{Nothing,AbstractString}, global_)
    global__rows = array_of(UInt64, global_)
    match = Ref{Int32}(0)
    config = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_tuner_lookup(
        tuner, c_text(:name, name), or_null(global__rows), length(global__rows), match, config
    )
    return Match(match[]), take_if_given(Config, config[])
end

"""
    tuner_save(tuner, path)

Writes the database's records of this tuner's entries to a new file, as lines of a database.

Calls `netcl_tuner_save`.
"""
function tuner_save(tuner::Tuner, path::Union{Nothing,AbstractString})
    @checked Raw.netcl_tuner_save(tuner, c_text(:path, path))
    return nothing
end

"""
    tuner_load(tuner, path)

Adds the records of a file to the database: `netcl_tuning_database_merge`.

Calls `netcl_tuner_load`.
"""
function tuner_load(tuner::Tuner, path::Union{Nothing,AbstractString})
    @checked Raw.netcl_tuner_load(tuner, c_text(:path, path))
    return nothing
end

"""
    tuner_clear(tuner)

Removes the entries, and the database's records of them.

Calls `netcl_tuner_clear`.
"""
function tuner_clear(tuner::Tuner)
    @checked Raw.netcl_tuner_clear(tuner)
    return nothing
end
