# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    kernel_create(
        device, name;
        source, params, preamble, body, il, binary, flags, shape_signature, local_size,
        trust_binary, fast_math, no_preamble, tune, free_args
    )

Makes a kernel from a specification; compiles nothing. `name` is the kernel function's name
and an identifier. A `#pragma` for fp16 is added when the text uses half. User text keeps
its own line numbers in build logs. What the program holds besides kernels (constructors,
assembly) may run in this process when a driver builds it. UNSUPPORTED on the built-in
device, whose kernels are expressions and ops.

* `source`: full OpenCL C source, may hold several kernels
* `params`: parameter declarations: \"\\_\\_global const float\\* a\"
* `preamble`: text before the kernel, with params; may be `nothing`
* `body`: statements of the kernel, with params
* `il`: SPIR-V; drivers may crash on what is not
* `binary`: what `netcl_kernel_get_binary` gave, unchanged
* `flags`: further flags: one token each, '-' first
* `shape_signature`: see `netcl_kernel_shape_signature`; 0: any shape
* `local_size`: of launches that give none, all zeros: not set; a 0 before another extent is
  INVALID\\_ARGUMENT
* `trust_binary`: true: accept a binary without netcl's checksum; drivers may crash on what
  is not theirs
* `fast_math`: true: -cl-fast-relaxed-math, which may break NaN and infinity
* `no_preamble`: true: leave out the macros LOAD STORE ADD SUB MUL DIV RELU
* `tune`: one of `:inherit` (unless another is given), `:off`, `:first_call`
* `free_args`: indices of arguments that are no part of the problem, such as a seed or the
  number of a step: what tuning found for one of their values is used for all

Calls `netcl_kernel_create`.
"""
function kernel_create(
    device::Device, name::Union{Nothing,AbstractString};
    source::Union{Nothing,AbstractString} = nothing, params = (),
    preamble::Union{Nothing,AbstractString} = nothing,
    body::Union{Nothing,AbstractString} = nothing, il = nothing, binary = nothing,
    flags = (), shape_signature::Integer = 0, local_size = ntuple(_ -> UInt64(0), 3),
    trust_binary::Union{Bool,Integer} = false, fast_math::Union{Bool,Integer} = false,
    no_preamble::Union{Bool,Integer} = false, tune::Union{TuneMode,Symbol} = TuneMode(0),
    free_args = ()
)
    options_struct = StructMemory{20}()
    options_kept = Any[]
    kernel = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_kept options_struct begin
        fill_kernel_options!(
            place_of(options_struct), options_kept, source, params, preamble, body, il, binary,
            flags, shape_signature, local_size, trust_binary, fast_math, no_preamble, tune,
            free_args
        )
        @checked Raw.netcl_kernel_create(device, c_text(:name, name), options_struct, kernel)
    end
    return take(Kernel, kernel[])
end

"""
    kernel_create_elementwise(device, name, arity, expression, dtype)

Makes the specification of an elementwise kernel `name`(v0, ..., out, n) over contiguous
arrays of one dtype from an expression in v0 ... v(arity-1). f16 adds the fp16 pragma, never
fast-math. UNSUPPORTED on the built-in device, which runs the expression itself
(`netcl_op_expression_text`).

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_kernel_create_elementwise`.
"""
function kernel_create_elementwise(
    device::Device, name::Union{Nothing,AbstractString}, arity::Integer,
    expression::Union{Nothing,AbstractString}, dtype::Union{Dtype,Symbol,Type}
)
    dtype = enum(Dtype, dtype)
    kernel = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_kernel_create_elementwise(
        device, c_text(:name, name), arity, c_text(:expression, expression), dtype.value, kernel
    )
    return take(Kernel, kernel[])
end

"""
    kernel_retain(kernel)

Gives another Kernel with a reference of its own to the same object.

Calls `netcl_kernel_retain`.
"""
kernel_retain(kernel::Kernel) = retain(kernel)

"""
    kernel_release(kernel)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_kernel_release`.
"""
kernel_release(kernel::Kernel) = close(kernel)

"""
    kernel_build(kernel)

Builds a kernel, from the program cache where it is there. Any number of threads may call
it; one compiles. BUILD\\_FAILURE with the first line of the log, NOT\\_FOUND when the
program has no kernel of that name (the message lists those it has).

Calls `netcl_kernel_build`.
"""
function kernel_build(kernel::Kernel)
    @checked Raw.netcl_kernel_build(kernel)
    return nothing
end

"""
    kernel_get_info(kernel)

Gives the facts of a kernel; builds it when needed.

Calls `netcl_kernel_get_info`.
"""
function kernel_get_info(kernel::Kernel)
    info = info_memory(StructMemory{26}())
    @checked Raw.netcl_kernel_get_info(kernel, info)
    return take_info(KernelInfo, info)
end

"""
    kernel_get_arg_info(kernel, index)

Gives the facts of one parameter; builds when needed.

Calls `netcl_kernel_get_arg_info`.
"""
function kernel_get_arg_info(kernel::Kernel, index::Integer)
    info = info_memory(StructMemory{19}())
    @checked Raw.netcl_kernel_get_arg_info(kernel, index, info)
    return take_info(KernelArgInfo, info)
end

"""
    kernel_get_source(kernel)

Gives the text that the compiler gets. NOT\\_FOUND for il and binary.

Calls `netcl_kernel_get_source`.
"""
function kernel_get_source(kernel::Kernel)
    found = read_text() do place, room, extent
        return Raw.netcl_kernel_get_source(kernel, place, room, extent)
    end
    return found
end

"""
    kernel_get_build_log(kernel)

Gives the log of the last build, \"\" before it.

Calls `netcl_kernel_get_build_log`.
"""
function kernel_get_build_log(kernel::Kernel)
    found = read_text() do place, room, extent
        return Raw.netcl_kernel_get_build_log(kernel, place, room, extent)
    end
    return found
end

"""
    kernel_get_binary(kernel)

Gives the built program with netcl's checksum and key, to be used as
`netcl_kernel_options.binary` on the same device and driver.

Calls `netcl_kernel_get_binary`.
"""
function kernel_get_binary(kernel::Kernel)
    found = read_array(UInt8, Csize_t) do place, room, extent
        return Raw.netcl_kernel_get_binary(kernel, place, room, extent)
    end
    return found
end

"""
    kernel_shape_signature(inputs, outputs)

Hashes the shapes and dtypes of inputs and outputs to a signature, the same in every
process.

Calls `netcl_kernel_shape_signature`.
"""
function kernel_shape_signature(inputs, outputs)
    inputs = handle_list(TensorLike, :inputs, inputs)
    outputs = handle_list(TensorLike, :outputs, outputs)
    signature = Ref{UInt64}(0)
    GC.@preserve inputs outputs begin
        @checked Raw.netcl_kernel_shape_signature(
            or_null(raw_list(inputs)), length(inputs), or_null(raw_list(outputs)), length(outputs),
            signature
        )
    end
    return signature[]
end

"""
    kernel_register(kernel)

Registers a kernel with its device under its name and shape signature, replacing an earlier
one. The registration holds a reference until it is replaced or removed.

Calls `netcl_kernel_register`.
"""
function kernel_register(kernel::Kernel)
    @checked Raw.netcl_kernel_register(kernel)
    return nothing
end

"""
    kernel_unregister(device, name, shape_signature)

Removes a registration. NOT\\_FOUND when there is none.

Calls `netcl_kernel_unregister`.
"""
function kernel_unregister(
    device::Device, name::Union{Nothing,AbstractString}, shape_signature::Integer
)
    @checked Raw.netcl_kernel_unregister(device, c_text(:name, name), shape_signature)
    drop_functions()
    return nothing
end

"""
    kernel_find(device, name, shape_signature)

Finds a registered kernel: the one with this signature, else the one with signature 0.
NOT\\_FOUND naming what is registered.

Calls `netcl_kernel_find`.
"""
function kernel_find(
    device::Device, name::Union{Nothing,AbstractString}, shape_signature::Integer
)
    kernel = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_kernel_find(device, c_text(:name, name), shape_signature, kernel)
    return take(Kernel, kernel[])
end

"""
    kernel_launch(
        kernel, global_, local_, args;
        offset, round_up, work, queue, into, waits, event, graph
    )

Launches a kernel over `global_` work items; builds it when needed. A `nothing` local size
means the tuned one (see `NETCL_TUNE`), else the specification's, else netcl's choice
reduced to divisors of the global size. With a tuned size go the tuned macros, and the
global size where the space had a formula for it, when they were tuned for this very size
and these integer arguments (see `netcl_kernel_options`). With a global offset nothing tuned
is used. INVALID\\_ARGUMENT when a given local size does not divide the global size (unless
`round_up`), when counts differ, the specification's local size has more dimensions than
`global_`, a size is 0, or the arguments do not fit the parameters. `into` must be
`nothing`. A tensor argument passes its memory from its lowest element on, which is the
first one unless a stride is negative; INVALID\\_ARGUMENT when the device cannot address
that offset (see mem\\_base\\_align\\_bytes).

* `offset`: global offset; UNSUPPORTED beyond the driver's bits
* `round_up`: true: round the global size up to the local size; the kernel guards
* `work`: what one launch has to do at least; `nothing`: not known
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_kernel_launch`.
"""
function kernel_launch(
    kernel::Kernel, global_, local_, args;
    offset = ntuple(_ -> UInt64(0), 3), round_up::Union{Bool,Integer} = false,
    work::Union{Nothing,Work} = nothing, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    global__rows = array_of(UInt64, global_)
    local__rows = array_of(UInt64, local_)
    args_rows, args_kept = rows_of(Arg, args)
    options_struct = StructMemory{6}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve args_kept options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_launch_options!(place_of(options_struct), options_kept, offset, round_up, work)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_kernel_launch(
            kernel, or_null(global__rows), length(global__rows), or_null(local__rows),
            length(local__rows), or_null(args_rows), length(args_rows), options_struct, run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    kernel_explain_launch(kernel, global_, local_, args; offset, round_up, work)

Tells what `netcl_kernel_launch` would use for the same arguments, without launching: work
sizes, tuned macros, and which stored result they come from or why there is none. It builds
the kernel when needed, and fails as the launch does for sizes that cannot be.

* `offset`: global offset; UNSUPPORTED beyond the driver's bits
* `round_up`: true: round the global size up to the local size; the kernel guards
* `work`: what one launch has to do at least; `nothing`: not known

Calls `netcl_kernel_explain_launch`.
"""
function kernel_explain_launch(
    kernel::Kernel, global_, local_, args;
    offset = ntuple(_ -> UInt64(0), 3), round_up::Union{Bool,Integer} = false,
    work::Union{Nothing,Work} = nothing
)
    global__rows = array_of(UInt64, global_)
    local__rows = array_of(UInt64, local_)
    args_rows, args_kept = rows_of(Arg, args)
    options_struct = StructMemory{6}()
    options_kept = Any[]
    explanation = info_memory(StructMemory{106}())
    GC.@preserve args_kept options_kept options_struct begin
        fill_launch_options!(place_of(options_struct), options_kept, offset, round_up, work)
        @checked Raw.netcl_kernel_explain_launch(
            kernel, or_null(global__rows), length(global__rows), or_null(local__rows),
            length(local__rows), or_null(args_rows), length(args_rows), options_struct, explanation
        )
    end
    return take_info(LaunchExplanation, explanation)
end

"""
    kernel_launch_by_name(
        device, name, shape_signature, global_, local_, args;
        offset, round_up, work, queue, into, waits, event, graph
    )

Finds a registered kernel and launches it: `netcl_kernel_find`, then `netcl_kernel_launch`.

* `offset`: global offset; UNSUPPORTED beyond the driver's bits
* `round_up`: true: round the global size up to the local size; the kernel guards
* `work`: what one launch has to do at least; `nothing`: not known
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_kernel_launch_by_name`.
"""
function kernel_launch_by_name(
    device::Device, name::Union{Nothing,AbstractString}, shape_signature::Integer, global_,
    local_, args;
    offset = ntuple(_ -> UInt64(0), 3), round_up::Union{Bool,Integer} = false,
    work::Union{Nothing,Work} = nothing, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    global__rows = array_of(UInt64, global_)
    local__rows = array_of(UInt64, local_)
    args_rows, args_kept = rows_of(Arg, args)
    options_struct = StructMemory{6}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve args_kept options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_launch_options!(place_of(options_struct), options_kept, offset, round_up, work)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_kernel_launch_by_name(
            device, c_text(:name, name), shape_signature, or_null(global__rows),
            length(global__rows), or_null(local__rows), length(local__rows), or_null(args_rows),
            length(args_rows), options_struct, run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    kernel_create_matmul(device, name, m, n, k, dtype, config)

Makes the source of a product specialised for m, n and k as a kernel specification:
`name`(\\_\\_global const T \\*a, \\_\\_global const T \\*b, \\_\\_global T \\*c) over
packed row-major matrices, to be launched with `netcl_kernel_launch`, edited, or read with
`netcl_kernel_get_source`. `config` chooses variant and tiles, `nothing` leaves it to
`netcl_variant_select_matmul`; its split\\_k is not used, since this is one launch. A matrix
of more than 2^60 elements is INVALID\\_ARGUMENT. UNSUPPORTED on the built-in device, and
for tiles that the device cannot hold.

* `global`: the global size to launch with, 2 entries; its local size is in the kernel
* `kernel`: one reference
* `dtype`: a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_kernel_create_matmul`.
"""
function kernel_create_matmul(
    device::Device, name::Union{Nothing,AbstractString}, m::Integer, n::Integer, k::Integer,
    dtype::Union{Dtype,Symbol,Type}, config::Union{Nothing,VariantConfig}
)
    dtype = enum(Dtype, dtype)
    config_kept = Any[]
    global_ = Vector{UInt64}(undef, 2)
    kernel = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve config config_kept begin
        config_place = keep_struct!(config_kept, config)
        @checked Raw.netcl_kernel_create_matmul(
            device, c_text(:name, name), m, n, k, dtype.value, config_place, global_, kernel
        )
    end
    return global_, take(Kernel, kernel[])
end

"""
    kernel_time(
        kernel, global_, local_, args;
        offset, round_up, work, queue, into, waits, event, graph, warmup_count, warmup_ns,
        count, count_least, count_most, budget_ns, confidence, precision, flush_bytes, seed,
        candidates, cold_cache, source, measurement
    )

Measures a launch: `netcl_kernel_launch` in such a loop. `event` must be `nothing`. For the
samples set `measurement`, as for `netcl_queue_time`.

* `offset`: global offset; UNSUPPORTED beyond the driver's bits
* `round_up`: true: round the global size up to the local size; the kernel guards
* `work`: what one launch has to do at least; `nothing`: not known
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
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_kernel_time`.
"""
function kernel_time(
    kernel::Kernel, global_, local_, args;
    offset = ntuple(_ -> UInt64(0), 3), round_up::Union{Bool,Integer} = false,
    work::Union{Nothing,Work} = nothing, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing,
    warmup_count::Integer = 0, warmup_ns::Integer = 0, count::Integer = 0,
    count_least::Integer = 0, count_most::Integer = 0, budget_ns::Integer = 0,
    confidence::Real = 0.0, precision::Real = 0.0, flush_bytes::Integer = 0,
    seed::Integer = 0, candidates::Integer = 0, cold_cache::Union{Bool,Integer} = false,
    source::Union{TimeSource,Symbol} = TimeSource(0),
    measurement::Union{Nothing,Ref{Measurement}} = nothing
)
    global__rows = array_of(UInt64, global_)
    local__rows = array_of(UInt64, local_)
    args_rows, args_kept = rows_of(Arg, args)
    launch_struct = StructMemory{6}()
    launch_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    measurement_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{14}()
    options_kept = Any[]
    statistics = info_memory(StructMemory{21}())
    GC.@preserve args_kept launch_kept launch_struct queue into waits event_place graph run_kept run_struct measurement_place options_kept options_struct begin
        fill_launch_options!(place_of(launch_struct), launch_kept, offset, round_up, work)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        fill_measurement_options!(
            place_of(options_struct), options_kept, warmup_count, warmup_ns, count, count_least,
            count_most, budget_ns, confidence, precision, flush_bytes, seed, candidates, cold_cache,
            source, place_if(measurement, measurement_place)
        )
        @checked Raw.netcl_kernel_time(
            kernel, or_null(global__rows), length(global__rows), or_null(local__rows),
            length(local__rows), or_null(args_rows), length(args_rows), launch_struct, run_struct,
            options_struct, statistics
        )
    end
    give_reference(event, event_place)
    give_reference(measurement, measurement_place)
    return take_info(Statistics, statistics)
end

"""
    kernel_autotune(
        kernel, global_, args, tuning;
        search, database, warmup_count, compile_limit_ns, run_limit_ns, in_process, force
    )

Tunes one kernel: a tuner with one entry, which measures as `netcl_tuner_run` does: what the
database has is taken, what an earlier run began is gone on with, and `force` = true begins
anew. Fails with what the entry failed with.

* `config`: one reference: the winner
* `search`: one reference: all candidates, `nothing` when nothing was measured because the
  winner was stored
* `search`: of each entry; `nothing`: defaults
* `database`: `nothing`: the one of this user
* `warmup_count`: runs before the first sample; 0: 3
* `compile_limit_ns`: a driver may compile until a run begins; 0: 60 s
* `run_limit_ns`: of one run that began; 0: 2 s or 20 times the best
* `in_process`: true: candidates run in this process, not in the worker
* `force`: true: measure again what is stored

Calls `netcl_kernel_autotune`.
"""
function kernel_autotune(
    kernel::Kernel, global_, args, tuning::KernelTuning;
    search::Union{Nothing,SearchOptions} = nothing,
    database::Union{Nothing,TuningDatabase} = nothing, warmup_count::Integer = 0,
    compile_limit_ns::Integer = 0, run_limit_ns::Integer = 0,
    in_process::Union{Bool,Integer} = false, force::Union{Bool,Integer} = false
)
    global__rows = array_of(UInt64, global_)
    args_rows, args_kept = rows_of(Arg, args)
    tuning_kept = Any[]
    options_struct = StructMemory{7}()
    options_kept = Any[]
    config = Ref{Ptr{Cvoid}}(C_NULL)
    search_out = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve args_kept tuning tuning_kept database options_kept options_struct begin
        tuning_place = keep_struct!(tuning_kept, tuning)
        fill_tuner_options!(
            place_of(options_struct), options_kept, search, database, warmup_count,
            compile_limit_ns, run_limit_ns, in_process, force
        )
        @checked Raw.netcl_kernel_autotune(
            kernel, or_null(global__rows), length(global__rows), or_null(args_rows),
            length(args_rows), tuning_place, options_struct, config, search_out
        )
    end
    return take(Config, config[]), take_if_given(Search, search_out[])
end
