# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    queue_create(device; out_of_order, profiling)

Makes another queue of a device. UNSUPPORTED for an out-of-order queue where there are none
(the built-in device accepts one and runs it in order).

* `out_of_order`: true: commands may overtake each other where their memory allows it
* `profiling`: true: as `netcl_queue_set_profiling`(queue, 1)

Calls `netcl_queue_create`.
"""
function queue_create(
    device::Device;
    out_of_order::Union{Bool,Integer} = false, profiling::Union{Bool,Integer} = false
)
    options_struct = StructMemory{2}()
    queue = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_queue_options!(place_of(options_struct), nothing, out_of_order, profiling)
        @checked Raw.netcl_queue_create(device, options_struct, queue)
    end
    return take(Queue, queue[])
end

"""
    unsafe_queue_create_from_cl(device, cl_queue)

Wraps an OpenCL queue of the device's context and device; it is retained. Times are recorded
when the queue was made with profiling.

The pointers must be valid as the text above asks for; nothing checks them.

Calls `netcl_queue_create_from_cl`.
"""
function unsafe_queue_create_from_cl(device::Device, cl_queue::Ptr)
    queue = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_queue_create_from_cl(device, cl_queue, queue)
    return take(Queue, queue[])
end

"""
    queue_retain(queue)

Gives another Queue with a reference of its own to the same object.

Calls `netcl_queue_retain`.
"""
queue_retain(queue::Queue) = retain(queue)

"""
    queue_release(queue)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_queue_release`.
"""
queue_release(queue::Queue) = close(queue)

"""
    queue_get_info(queue)

Gives the state of a queue.

Calls `netcl_queue_get_info`.
"""
function queue_get_info(queue::Queue)
    info = info_memory(StructMemory{4}())
    @checked Raw.netcl_queue_get_info(queue, info)
    return take_info(QueueInfo, info)
end

"""
    queue_get_device(queue)

Gives the device of a queue.

Calls `netcl_queue_get_device`.
"""
function queue_get_device(queue::Queue)
    device = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_queue_get_device(queue, device)
    return take(Device, device[])
end

"""
    queue_set_profiling(queue, enabled)

Switches the recording of times on or off for commands enqueued from now on. The order of
commands is kept across the switch. A wrapped queue stays as it was made: NOT\\_PROFILED to
switch one on that was made without profiling, UNSUPPORTED to switch one off.
`NETCL_PROFILE_EVENTS`=1 switches it on for every queue at creation.

Calls `netcl_queue_set_profiling`.
"""
function queue_set_profiling(queue::Queue, enabled::Union{Bool,Integer})
    @checked Raw.netcl_queue_set_profiling(queue, enabled)
    return nothing
end

"""
    queue_flush(queue)

Hands all enqueued commands to the device.

Calls `netcl_queue_flush`.
"""
function queue_flush(queue::Queue)
    @checked Raw.netcl_queue_flush(queue)
    return nothing
end

"""
    queue_finish(queue; timeout)

Waits for everything enqueued on the queue; errors as for `netcl_device_finish`.

Calls `netcl_queue_finish`.
"""
function queue_finish(queue::Queue; timeout::Real = Inf)
    @checked Raw.netcl_queue_finish(queue, nanoseconds(timeout))
    return nothing
end

"""
    queue_enqueue_marker(queue, waits)

Enqueues a marker: its event completes when everything enqueued before on this queue and all
of `waits` have completed.

Calls `netcl_queue_enqueue_marker`.
"""
function queue_enqueue_marker(queue::Queue, waits)
    waits = handle_list(Event, :waits, waits)
    event = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve waits begin
        @checked Raw.netcl_queue_enqueue_marker(
            queue, or_null(raw_list(waits)), length(waits), event
        )
    end
    return take(Event, event[])
end

"""
    queue_get_cl_queue(queue)

Lends the OpenCL queue that commands go to at present, after flushing it. UNSUPPORTED on the
built-in device.

Calls `netcl_queue_get_cl_queue`.
"""
function queue_get_cl_queue(queue::Queue)
    cl_queue = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_queue_get_cl_queue(queue, cl_queue)
    return cl_queue[]
end

"""
    queue_time(
        work, queue;
        warmup_count, warmup_ns, count, count_least, count_most, budget_ns, confidence,
        precision, flush_bytes, seed, candidates, cold_cache, source, measurement
    )

Measures a function that enqueues work: `netcl_measurement_create` and a loop around it.
Fails with what the function returns. For the samples set `measurement`, then call
`netcl_measurement_get_samples` for candidate 0.

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

Calls `netcl_queue_time`.
"""
function queue_time(
    work, queue::Queue;
    warmup_count::Integer = 0, warmup_ns::Integer = 0, count::Integer = 0,
    count_least::Integer = 0, count_most::Integer = 0, budget_ns::Integer = 0,
    confidence::Real = 0.0, precision::Real = 0.0, flush_bytes::Integer = 0,
    seed::Integer = 0, candidates::Integer = 0, cold_cache::Union{Bool,Integer} = false,
    source::Union{TimeSource,Symbol} = TimeSource(0),
    measurement::Union{Nothing,Ref{Measurement}} = nothing
)
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
        status = Raw.netcl_queue_time(
            queue, work_fn_pointer(), pointer_from_objref(work_state), options_struct, statistics
        )
    end
    callback_done(work_state, status)
    give_reference(measurement, measurement_place)
    return take_info(Statistics, statistics)
end
