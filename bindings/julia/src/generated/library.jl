# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    status_name(status)

Returns the name of a status, such as \"`NETCL_ERROR_TIMEOUT`\"; \"unknown status\" for
others.

* `status`: one of `:ok`, `:error_invalid_argument`, `:error_invalid_handle`,
  `:error_no_device`, `:error_out_of_host_memory`, `:error_out_of_device_memory`,
  `:error_build_failure`, `:error_launch_failure`, `:error_device_lost`, `:error_forked`,
  `:error_unsupported`, `:error_not_profiled`, `:error_not_found`, `:error_busy`,
  `:error_timeout`, `:error_cancelled`, `:error_io`, `:error_corrupt_data`,
  `:error_internal`, `:error_rank_lost`

Calls `netcl_status_name`.
"""
function status_name(status::Union{Status,Symbol})
    status = enum(Status, status)
    return borrowed_text(Raw.netcl_status_name(status.value))
end

"""
    last_error_message()

Returns the message of this thread's last failing call, \"\" when there was none. The text
is valid until the next failing call on this thread.

Calls `netcl_last_error_message`.
"""
function last_error_message()
    return borrowed_text(Raw.netcl_last_error_message())
end

"""
    last_error_get_info()

Gives status, OpenCL code and message of this thread's last failing call.

Calls `netcl_last_error_get_info`.
"""
function last_error_get_info()
    info = info_memory(StructMemory{130}())
    @checked Raw.netcl_last_error_get_info(info)
    return take_info(ErrorInfo, info)
end

"""
    last_error_set(status, native_code, message)

Says what failed, as this thread's last failing call does: for a function of the host,
before it returns `status` to the library. This call itself gives `NETCL_OK`, and is not
what to return: a function that finds no file calls `netcl_last_error_set`(`NETCL_ERROR_IO`,
0, \"no file of weights\") and returns `NETCL_ERROR_IO`, with which the call that it was
called in fails.

Without it the call that it was called in has the message of the last call within it that
failed, where that failed so, else one that only names the status. Negative statuses of the
host's own are handed on; the library has none below -999. A function that returns one above
0 fails with INVALID\\_ARGUMENT. INVALID\\_ARGUMENT when `status` is 0 or more, or `message`
is `nothing`.

* `native_code`: a code of OpenCL, or 0
* `message`: becomes one line, and is cut where it is too long
* `status`: one of `:ok`, `:error_invalid_argument`, `:error_invalid_handle`,
  `:error_no_device`, `:error_out_of_host_memory`, `:error_out_of_device_memory`,
  `:error_build_failure`, `:error_launch_failure`, `:error_device_lost`, `:error_forked`,
  `:error_unsupported`, `:error_not_profiled`, `:error_not_found`, `:error_busy`,
  `:error_timeout`, `:error_cancelled`, `:error_io`, `:error_corrupt_data`,
  `:error_internal`, `:error_rank_lost`

Calls `netcl_last_error_set`.
"""
function last_error_set(
    status::Union{Status,Symbol}, native_code::Integer,
    message::Union{Nothing,AbstractString}
)
    status = enum(Status, status)
    @checked Raw.netcl_last_error_set(status.value, native_code, c_text(:message, message))
    return nothing
end

"""
    version_number()

Returns `NETCL_VERSION_NUMBER` of the library.

Calls `netcl_version_number`.
"""
function version_number()
    return Int(Raw.netcl_version_number())
end

"""
    version_string()

Returns the version as text, \"major.minor.patch\".

Calls `netcl_version_string`.
"""
function version_string()
    return borrowed_text(Raw.netcl_version_string())
end

"""
    library_get_info()

Gives the facts of this build. Touches no driver.

Calls `netcl_library_get_info`.
"""
function library_get_info()
    info = info_memory(StructMemory{27}())
    @checked Raw.netcl_library_get_info(info)
    return take_info(LibraryInfo, info)
end

"""
    library_get_live_count(type)

Counts the live handles of one type in this process.

* `type`: a `Netcl.HandleType`

Calls `netcl_library_get_live_count`.
"""
function library_get_live_count(type::Union{HandleType,Symbol})
    type = enum(HandleType, type)
    count = Ref{UInt64}(0)
    @checked Raw.netcl_library_get_live_count(type.value, count)
    return count[]
end

"""
    shutdown(; timeout)

Waits for all queued work, then empties every pool and program cache. Optional: a program
may end without it. Objects stay valid and the library usable. Fails with TIMEOUT when work
is left, and with LAUNCH\\_FAILURE when a command failed of which `netcl_device_finish` has
not told; then all is emptied as well.

Calls `netcl_shutdown`.
"""
function shutdown(; timeout::Real = Inf)
    @checked Raw.netcl_shutdown(nanoseconds(timeout))
    return nothing
end

"""
    library_set_exit_timeout(; timeout)

Sets how long the exit of the process waits for queued work; 0 switches the waiting off. The
default is 2 seconds, or `NETCL_EXIT_TIMEOUT_MS`.

Calls `netcl_library_set_exit_timeout`.
"""
function library_set_exit_timeout(; timeout::Real = Inf)
    @checked Raw.netcl_library_set_exit_timeout(nanoseconds(timeout))
    return nothing
end

"""
    interrupt_enable(grace_ns)

Makes SIGINT end waits of this library with CANCELLED. When one of its waits does not return
within grace\\_ns after the signal, the process exits with code 130 (3 seconds when
grace\\_ns is 0). A handler that was installed before is called too. Without one, a SIGINT
while no call of this library waits ends the process at once with code 130. Both exits are
as abrupt as that of the signal itself: no atexit handler runs and buffered output of stdio
is lost. A transfer of the caller's memory that the device has begun ends before its call
does. A second call of this function replaces the grace time.

Calls `netcl_interrupt_enable`.
"""
function interrupt_enable(grace_ns::Integer)
    @checked Raw.netcl_interrupt_enable(grace_ns)
    return nothing
end

"""
    interrupt_disable()

Puts back the SIGINT disposition that `netcl_interrupt_enable` found. BUSY when another
handler was installed since; nothing is changed then. OK when interrupts were not enabled.

Calls `netcl_interrupt_disable`.
"""
function interrupt_disable()
    @checked Raw.netcl_interrupt_disable()
    return nothing
end

"""
    log_set_level(level)

Sets the most detailed level that is kept. The default is WARNING, or `NETCL_LOG_LEVEL`.

* `level`: one of `:off`, `:error`, `:warning`, `:info`, `:debug`

Calls `netcl_log_set_level`.
"""
function log_set_level(level::Union{LogLevel,Symbol})
    level = enum(LogLevel, level)
    @checked Raw.netcl_log_set_level(level.value)
    return nothing
end

"""
    log_read(after)

Reads the oldest kept record whose sequence is greater than `after`; needs no callback. The
ring keeps the last 256; a gap in the sequence shows what was lost. NOT\\_FOUND when there
is none.

Calls `netcl_log_read`.
"""
function log_read(after::Integer)
    record = info_memory(StructMemory{66}())
    @checked Raw.netcl_log_read(after, record)
    return take_info(LogRecord, record)
end

"""
    dtype_name(dtype)

Returns \"f16\" ... \"bool\", and \"invalid\" for other values.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_dtype_name`.
"""
function dtype_name(dtype::Union{Dtype,Symbol,Type})
    dtype = enum(Dtype, dtype)
    return borrowed_text(Raw.netcl_dtype_name(dtype.value))
end

"""
    dtype_size(dtype)

Returns the bytes of one element, 0 for a value that is no dtype.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_dtype_size`.
"""
function dtype_size(dtype::Union{Dtype,Symbol,Type})
    dtype = enum(Dtype, dtype)
    return Int(Raw.netcl_dtype_size(dtype.value))
end

"""
    program_cache_get_info()

Gives the counters of the program cache.

Calls `netcl_program_cache_get_info`.
"""
function program_cache_get_info()
    info = info_memory(StructMemory{41}())
    @checked Raw.netcl_program_cache_get_info(info)
    return take_info(ProgramCacheInfo, info)
end

"""
    program_cache_clear(disk)

Drops all programs from memory, and from the disk too when `disk` is true. Built kernels
keep theirs.

Calls `netcl_program_cache_clear`.
"""
function program_cache_clear(disk::Union{Bool,Integer})
    @checked Raw.netcl_program_cache_clear(disk)
    return nothing
end

"""
    program_cache_get_entry(index)

Reads and checks an entry of the disk cache, in the order of their names; one that is not
sound is never given to a driver, and is replaced when its program is built again.
NOT\\_FOUND past the end and while there is no disk cache. Entries may come and go between
two calls.

Calls `netcl_program_cache_get_entry`.
"""
function program_cache_get_entry(index::Integer)
    entry = info_memory(StructMemory{73}())
    @checked Raw.netcl_program_cache_get_entry(index, entry)
    return take_info(ProgramCacheEntry, entry)
end

"""
    variant_name(variant)

Returns \"matmul\\_naive\" ... \"attention\\_matrix\\_units\", \"auto\", and \"invalid\" for
other values.

* `variant`: a `Netcl.Variant`

Calls `netcl_variant_name`.
"""
function variant_name(variant::Union{Variant,Symbol})
    variant = enum(Variant, variant)
    return borrowed_text(Raw.netcl_variant_name(variant.value))
end

"""
    variant_select_matmul(device, m, n, k; info, capabilities, dtype, variant)

Tells which kernel a product of m x k by k x n gets on a device. Answers are kept per
device, sizes and options. `dtype` is that of a and b: f16, bf16, f32, f64, i8 or u8.
Negative sizes, and a matrix of more than 2^60 elements, are INVALID\\_ARGUMENT.

* `info`: instead of the device's own, with the next
* `capabilities`: a recorded device; `nothing`: the device's own
* `dtype`: of the elements; 0: f32; a type as `Float32`, or a `Netcl.Dtype`
* `variant`: a request; 0: by the rules; a `Netcl.Variant`

Calls `netcl_variant_select_matmul`.
"""
function variant_select_matmul(
    device::Device, m::Integer, n::Integer, k::Integer;
    info::Union{Nothing,DeviceInfo} = nothing,
    capabilities::Union{Nothing,DeviceCapabilities} = nothing,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), variant::Union{Variant,Symbol} = Variant(0)
)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    config = info_memory(StructMemory{49}())
    GC.@preserve options_kept options_struct begin
        fill_variant_options!(
            place_of(options_struct), options_kept, info, capabilities, dtype, variant
        )
        @checked Raw.netcl_variant_select_matmul(device, m, n, k, options_struct, config)
    end
    return take_info(VariantConfig, config)
end

"""
    variant_select_conv2d(device, shape; info, capabilities, dtype, variant)

Tells which kernel a convolution gets: see `netcl_op_conv2d`. `NETCL_CONV_WINOGRAD`=0 keeps
Winograd from being chosen, `NETCL_CONV_TILED_LOCAL`=1 lets tiled\\_local be chosen on small
outputs.

* `info`: instead of the device's own, with the next
* `capabilities`: a recorded device; `nothing`: the device's own
* `dtype`: of the elements; 0: f32; a type as `Float32`, or a `Netcl.Dtype`
* `variant`: a request; 0: by the rules; a `Netcl.Variant`

Calls `netcl_variant_select_conv2d`.
"""
function variant_select_conv2d(
    device::Device, shape::Conv2dShape;
    info::Union{Nothing,DeviceInfo} = nothing,
    capabilities::Union{Nothing,DeviceCapabilities} = nothing,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), variant::Union{Variant,Symbol} = Variant(0)
)
    shape_kept = Any[]
    options_struct = StructMemory{4}()
    options_kept = Any[]
    config = info_memory(StructMemory{49}())
    GC.@preserve shape shape_kept options_kept options_struct begin
        shape_place = keep_struct!(shape_kept, shape)
        fill_variant_options!(
            place_of(options_struct), options_kept, info, capabilities, dtype, variant
        )
        @checked Raw.netcl_variant_select_conv2d(device, shape_place, options_struct, config)
    end
    return take_info(VariantConfig, config)
end

"""
    variant_select_elementwise(device, count; info, capabilities, dtype, variant)

Tells which kernel an elementwise op over `count` elements gets.

* `info`: instead of the device's own, with the next
* `capabilities`: a recorded device; `nothing`: the device's own
* `dtype`: of the elements; 0: f32; a type as `Float32`, or a `Netcl.Dtype`
* `variant`: a request; 0: by the rules; a `Netcl.Variant`

Calls `netcl_variant_select_elementwise`.
"""
function variant_select_elementwise(
    device::Device, count::Integer;
    info::Union{Nothing,DeviceInfo} = nothing,
    capabilities::Union{Nothing,DeviceCapabilities} = nothing,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), variant::Union{Variant,Symbol} = Variant(0)
)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    config = info_memory(StructMemory{49}())
    GC.@preserve options_kept options_struct begin
        fill_variant_options!(
            place_of(options_struct), options_kept, info, capabilities, dtype, variant
        )
        @checked Raw.netcl_variant_select_elementwise(device, count, options_struct, config)
    end
    return take_info(VariantConfig, config)
end

"""
    variant_select_reduction(device, outputs, count; info, capabilities, dtype, variant)

Tells which kernel a reduction gets that makes `outputs` results from `count` elements each,
when the elements of a result lie next to each other. On GPUs results that lie side by side
instead, as sums of columns do, may get REDUCTION\\_WORKGROUP for fewer elements
(docs/variants.md).

* `info`: instead of the device's own, with the next
* `capabilities`: a recorded device; `nothing`: the device's own
* `dtype`: of the elements; 0: f32; a type as `Float32`, or a `Netcl.Dtype`
* `variant`: a request; 0: by the rules; a `Netcl.Variant`

Calls `netcl_variant_select_reduction`.
"""
function variant_select_reduction(
    device::Device, outputs::Integer, count::Integer;
    info::Union{Nothing,DeviceInfo} = nothing,
    capabilities::Union{Nothing,DeviceCapabilities} = nothing,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), variant::Union{Variant,Symbol} = Variant(0)
)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    config = info_memory(StructMemory{49}())
    GC.@preserve options_kept options_struct begin
        fill_variant_options!(
            place_of(options_struct), options_kept, info, capabilities, dtype, variant
        )
        @checked Raw.netcl_variant_select_reduction(device, outputs, count, options_struct, config)
    end
    return take_info(VariantConfig, config)
end

"""
    variant_select_batchnorm(
        device, batch, channels, spatial, training, activation;
        info, capabilities, dtype, variant
    )

Tells which kernel a batch normalisation gets: `fused` when an activation goes with it, so
that `activation` is true, and it is not training, else `naive`.

* `info`: instead of the device's own, with the next
* `capabilities`: a recorded device; `nothing`: the device's own
* `dtype`: of the elements; 0: f32; a type as `Float32`, or a `Netcl.Dtype`
* `variant`: a request; 0: by the rules; a `Netcl.Variant`

Calls `netcl_variant_select_batchnorm`.
"""
function variant_select_batchnorm(
    device::Device, batch::Integer, channels::Integer, spatial::Integer,
    training::Union{Bool,Integer}, activation::Union{Bool,Integer};
    info::Union{Nothing,DeviceInfo} = nothing,
    capabilities::Union{Nothing,DeviceCapabilities} = nothing,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), variant::Union{Variant,Symbol} = Variant(0)
)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    config = info_memory(StructMemory{49}())
    GC.@preserve options_kept options_struct begin
        fill_variant_options!(
            place_of(options_struct), options_kept, info, capabilities, dtype, variant
        )
        @checked Raw.netcl_variant_select_batchnorm(
            device, batch, channels, spatial, training, activation, options_struct, config
        )
    end
    return take_info(VariantConfig, config)
end

"""
    variant_clear_cache()

Forgets the answers that are kept, for all devices.

Calls `netcl_variant_clear_cache`.
"""
function variant_clear_cache()
    @checked Raw.netcl_variant_clear_cache()
    return nothing
end

"""
    elementwise_name(op)

Returns the ONNX name of an operator, \"HardSigmoid\"; \"invalid\" for other values.

* `op`: a `Netcl.Elementwise`

Calls `netcl_elementwise_name`.
"""
function elementwise_name(op::Union{Elementwise,Symbol})
    op = enum(Elementwise, op)
    return borrowed_text(Raw.netcl_elementwise_name(op.value))
end

"""
    elementwise_find(name)

Finds an operator by its name in any case, with or without underscores. NOT\\_FOUND naming
it.

Calls `netcl_elementwise_find`.
"""
function elementwise_find(name::Union{Nothing,AbstractString})
    op = Ref{Int32}(0)
    @checked Raw.netcl_elementwise_find(c_text(:name, name), op)
    return Elementwise(op[])
end

"""
    primitive_register(
        name;
        forward, backward, attributes, defaults, arity, gives_gradients, checkpoint
    )

Registers a primitive of formulas under a name of up to 127 bytes, for all devices and
threads. `forward` is needed. INVALID\\_ARGUMENT when the name is taken
(`netcl_primitive_unregister` comes first), or a formula is wrong: the message names the
formula, the column and what was expected there.

* `forward`: formula of the result: \"MUL(v0, v1)\" or \"v0 \\* v1\"
* `backward`: formulas of the gradients of the inputs in their order; \"\": as the
  derivative of forward. None: all of them so
* `attributes`: names of numbers that each call may set: letters, digits and \\_, up to 31,
  and no name of the language
* `defaults`: values of the attributes where a call sets none; none: every call sets all
* `arity`: number of inputs, 1 to `NETCL_PRIMITIVE_INPUTS_MAX`; 0: any
* `gives_gradients`: true: a function of the host gives gradients too; 0 for others
* `checkpoint`: true: what the function calls is not kept for gradients; it is called again
  when these are asked for. 0 for others

Calls `netcl_primitive_register`.
"""
function primitive_register(
    name::Union{Nothing,AbstractString};
    forward::Union{Nothing,AbstractString} = nothing, backward = (), attributes = (),
    defaults = (), arity::Integer = 0, gives_gradients::Union{Bool,Integer} = false,
    checkpoint::Union{Bool,Integer} = false
)
    options_struct = StructMemory{8}()
    options_kept = Any[]
    GC.@preserve options_kept options_struct begin
        fill_primitive_options!(
            place_of(options_struct), options_kept, forward, backward, attributes, defaults, arity,
            gives_gradients, checkpoint
        )
        @checked Raw.netcl_primitive_register(c_text(:name, name), options_struct)
    end
    return nothing
end

"""
    primitive_register_kernels(
        name, kernels;
        forward, backward, attributes, defaults, arity, gives_gradients, checkpoint
    )

Registers a primitive whose result and gradients kernels give. The result has the shape and
dtype of inputs\\[0\\], and a gradient those of its input; inputs may have any shapes and
dtypes that the kernels take. The arguments of a kernel are the inputs in their order, for a
gradient then `grad` and `out`, then the tensor that it writes, and the attributes as
numbers of the parameters' types (f32 where the driver does not tell them). Tensors lie
there without gaps in C order: others are copied. `forward` is `nothing`, `backward` empty
and `arity` 1 or more. The primitive keeps the kernels. Its calls are on their device, and
no others are joined with them.

* `forward`: formula of the result: \"MUL(v0, v1)\" or \"v0 \\* v1\"
* `backward`: formulas of the gradients of the inputs in their order; \"\": as the
  derivative of forward. None: all of them so
* `attributes`: names of numbers that each call may set: letters, digits and \\_, up to 31,
  and no name of the language
* `defaults`: values of the attributes where a call sets none; none: every call sets all
* `arity`: number of inputs, 1 to `NETCL_PRIMITIVE_INPUTS_MAX`; 0: any
* `gives_gradients`: true: a function of the host gives gradients too; 0 for others
* `checkpoint`: true: what the function calls is not kept for gradients; it is called again
  when these are asked for. 0 for others

Calls `netcl_primitive_register_kernels`.
"""
function primitive_register_kernels(
    name::Union{Nothing,AbstractString}, kernels::PrimitiveKernels;
    forward::Union{Nothing,AbstractString} = nothing, backward = (), attributes = (),
    defaults = (), arity::Integer = 0, gives_gradients::Union{Bool,Integer} = false,
    checkpoint::Union{Bool,Integer} = false
)
    kernels_kept = Any[]
    options_struct = StructMemory{8}()
    options_kept = Any[]
    GC.@preserve kernels kernels_kept options_kept options_struct begin
        kernels_place = keep_struct!(kernels_kept, kernels)
        fill_primitive_options!(
            place_of(options_struct), options_kept, forward, backward, attributes, defaults, arity,
            gives_gradients, checkpoint
        )
        @checked Raw.netcl_primitive_register_kernels(
            c_text(:name, name), kernels_place, options_struct
        )
    end
    return nothing
end

"""
    primitive_register_function(
        function_, name;
        forward, backward, attributes, defaults, arity, gives_gradients, checkpoint
    )

Registers a primitive that a function of the host works out. What the function calls is
recorded where the primitive is, and may be joined with other calls. With `gives_gradients`
the function is asked for gradients too; else they are those of the calls that it makes for
the result. With `checkpoint` in their place, the memory of those calls is not kept: the
function is called again for gradients, for which all but the inputs is constant, and has to
give the same again. `forward` is `nothing` and `backward` empty; arity 0 takes any number
of inputs. A result that shares memory with an input is copied.

* `forward`: formula of the result: \"MUL(v0, v1)\" or \"v0 \\* v1\"
* `backward`: formulas of the gradients of the inputs in their order; \"\": as the
  derivative of forward. None: all of them so
* `attributes`: names of numbers that each call may set: letters, digits and \\_, up to 31,
  and no name of the language
* `defaults`: values of the attributes where a call sets none; none: every call sets all
* `arity`: number of inputs, 1 to `NETCL_PRIMITIVE_INPUTS_MAX`; 0: any
* `gives_gradients`: true: a function of the host gives gradients too; 0 for others
* `checkpoint`: true: what the function calls is not kept for gradients; it is called again
  when these are asked for. 0 for others

Calls `netcl_primitive_register_function`.
"""
function primitive_register_function(
    function_, name::Union{Nothing,AbstractString};
    forward::Union{Nothing,AbstractString} = nothing, backward = (), attributes = (),
    defaults = (), arity::Integer = 0, gives_gradients::Union{Bool,Integer} = false,
    checkpoint::Union{Bool,Integer} = false
)
    name_text = c_text(:name, name)
    options_struct = StructMemory{8}()
    options_kept = Any[]
    GC.@preserve options_kept options_struct begin
        fill_primitive_options!(
            place_of(options_struct), options_kept, forward, backward, attributes, defaults, arity,
            gives_gradients, checkpoint
        )
        function__place = keep_function(function_)
        status = Raw.netcl_primitive_register_function(
            name_text, primitive_fn_pointer(), function__place, destroy_pointer(), options_struct
        )
    end
    problem = status == 0 ? nothing : failure_of(status)
    drop_functions()
    problem === nothing || throw(problem)
    return nothing
end

"""
    primitive_unregister(name)

Removes a primitive. Calls that run end as they began. NOT\\_FOUND when there is none.

Calls `netcl_primitive_unregister`.
"""
function primitive_unregister(name::Union{Nothing,AbstractString})
    @checked Raw.netcl_primitive_unregister(c_text(:name, name))
    drop_functions()
    return nothing
end

"""
    statistics_compute(samples, confidence)

Computes statistics of samples measured elsewhere; negative and NaN samples are
INVALID\\_ARGUMENT.

Calls `netcl_statistics_compute`.
"""
function statistics_compute(samples, confidence::Real)
    samples_rows = array_of(Float64, samples)
    statistics = info_memory(StructMemory{21}())
    @checked Raw.netcl_statistics_compute(
        or_null(samples_rows), length(samples_rows), confidence, statistics
    )
    return take_info(Statistics, statistics)
end

"""
    statistics_compare(first, second, confidence, precision, seed)

Compares two sets of samples measured elsewhere, as `netcl_measurement_compare` does. Fewer
than 5 samples on a side are UNCLEAR.

Calls `netcl_statistics_compare`.
"""
function statistics_compare(first, second, confidence::Real, precision::Real, seed::Integer)
    first_rows = array_of(Float64, first)
    second_rows = array_of(Float64, second)
    comparison = info_memory(StructMemory{5}())
    @checked Raw.netcl_statistics_compare(
        or_null(first_rows), length(first_rows), or_null(second_rows), length(second_rows),
        confidence, precision, seed, comparison
    )
    return take_info(Comparison, comparison)
end

"""
    profile_start(; trace_path, records_most)

Begins to record regions, counters per kernel and (with trace\\_path) a trace, on all queues
of the process; what it records adds up over several starts until `netcl_profile_reset`.
BUSY when it is on, IO when trace\\_path cannot be written. While it is off a region costs
one load. `NETCL_TRACE`=path begins it with the first device. The trace is valid JSON at any
moment, even when the process is killed.

* `trace_path`: also write a trace there: Chrome's JSON, which Perfetto reads
* `records_most`: commands kept for the report; 0: 1000000

Calls `netcl_profile_start`.
"""
function profile_start(;
    trace_path::Union{Nothing,AbstractString} = nothing, records_most::Integer = 0
)
    options_struct = StructMemory{3}()
    options_kept = Any[]
    GC.@preserve options_kept options_struct begin
        fill_profile_options!(place_of(options_struct), options_kept, trace_path, records_most)
        @checked Raw.netcl_profile_start(options_struct)
    end
    return nothing
end

"""
    profile_stop(; timeout)

Ends the recording after waiting for what was enqueued. NOT\\_FOUND when it is off; TIMEOUT,
and it goes on; IO when the trace could not be written to its end, and it is off.

Calls `netcl_profile_stop`.
"""
function profile_stop(; timeout::Real = Inf)
    @checked Raw.netcl_profile_stop(nanoseconds(timeout))
    return nothing
end

"""
    profile_reset()

Forgets what was recorded.

Calls `netcl_profile_reset`.
"""
function profile_reset()
    @checked Raw.netcl_profile_reset()
    return nothing
end

"""
    profile_report(format)

Gives the tree of regions (calls, device and host time with and without children, bytes,
flops) and the counters per kernel and size, of the commands that are complete. Commands
outside all regions, and the numbers of those that are missing (not complete, failed,
without room or times), are there in each format; in CSV as rows of the kinds \"outside\"
and \"missing\".

* `format`: one of `:text`, `:json`, `:csv`

Calls `netcl_profile_report`.
"""
function profile_report(format::Union{Format,Symbol})
    format = enum(Format, format)
    found = read_text() do place, room, extent
        return Raw.netcl_profile_report(format.value, place, room, extent)
    end
    return found
end

"""
    ceiling_kind_name(kind)

Returns \"memory\\_read\" ... \"device\\_to\\_host\\_pinned\", and \"invalid\" for other
values.

* `kind`: one of `:memory_read`, `:memory_write`, `:memory_copy`, `:cache_read`,
  `:cache_write`, `:cache_copy`, `:compute`, `:tensor`, `:launch`, `:host_to_device`,
  `:device_to_host`, `:host_to_device_pinned`, `:device_to_host_pinned`

Calls `netcl_ceiling_kind_name`.
"""
function ceiling_kind_name(kind::Union{CeilingKind,Symbol})
    kind = enum(CeilingKind, kind)
    return borrowed_text(Raw.netcl_ceiling_kind_name(kind.value))
end
