# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    unsafe_event_create_from_cl(device, cl_event)

Wraps an OpenCL event of the device's context; it is retained.

The pointers must be valid as the text above asks for; nothing checks them.

Calls `netcl_event_create_from_cl`.
"""
function unsafe_event_create_from_cl(device::Device, cl_event::Ptr)
    event = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_event_create_from_cl(device, cl_event, event)
    return take(Event, event[])
end

"""
    event_retain(event)

Gives another Event with a reference of its own to the same object.

Calls `netcl_event_retain`.
"""
event_retain(event::Event) = retain(event)

"""
    event_release(event)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_event_release`.
"""
event_release(event::Event) = close(event)

"""
    event_wait(event; timeout)

Waits for the command. Fails with its error, TIMEOUT or CANCELLED. A command fails with any
that it waits for or that was to write what it reads, whatever the driver makes of that.
Where a driver then does not end it, nor what is behind it, the wait ends all the same,
seconds later.

Calls `netcl_event_wait`.
"""
function event_wait(event::Event; timeout::Real = Inf)
    @checked Raw.netcl_event_wait(event, nanoseconds(timeout))
    return nothing
end

"""
    event_query(event)

Tells how far the command has come, without waiting.

Calls `netcl_event_query`.
"""
function event_query(event::Event)
    state = Ref{Int32}(0)
    @checked Raw.netcl_event_query(event, state)
    return EventState(state[])
end

"""
    event_get_timing(event)

Gives the times of a completed command. BUSY while it is not complete; its error when it
failed; NOT\\_PROFILED when its queue recorded no times when it was enqueued, see
`netcl_queue_set_profiling`; LAUNCH\\_FAILURE when the driver fails to give them.

Calls `netcl_event_get_timing`.
"""
function event_get_timing(event::Event)
    timing = info_memory(StructMemory{5}())
    @checked Raw.netcl_event_get_timing(event, timing)
    return take_info(EventTiming, timing)
end

"""
    event_get_error(event)

Gives the error of a failed command; status `NETCL_OK` when it has not failed.

Calls `netcl_event_get_error`.
"""
function event_get_error(event::Event)
    info = info_memory(StructMemory{130}())
    @checked Raw.netcl_event_get_error(event, info)
    return take_info(ErrorInfo, info)
end

"""
    event_get_cl_event(event)

Lends the OpenCL event. UNSUPPORTED on the built-in device.

Calls `netcl_event_get_cl_event`.
"""
function event_get_cl_event(event::Event)
    cl_event = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_event_get_cl_event(event, cl_event)
    return cl_event[]
end
