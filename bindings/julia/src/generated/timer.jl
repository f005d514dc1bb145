# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    timer_create(queue)

Makes a timer of what is enqueued on a queue. Times are recorded on the queue while it runs;
its memory is made at the first pair and used again. NOT\\_PROFILED for a wrapped queue
without profiling.

Calls `netcl_timer_create`.
"""
function timer_create(queue::Queue)
    timer = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_timer_create(queue, timer)
    return take(Timer, timer[])
end

"""
    timer_retain(timer)

Gives another Timer with a reference of its own to the same object.

Calls `netcl_timer_retain`.
"""
timer_retain(timer::Timer) = retain(timer)

"""
    timer_release(timer)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_timer_release`.
"""
timer_release(timer::Timer) = close(timer)

"""
    timer_start(timer)

Starts the timer; BUSY when it runs.

Calls `netcl_timer_start`.
"""
function timer_start(timer::Timer)
    take_turn(timer)
    try
        @checked Raw.netcl_timer_start(timer)
        return nothing
    finally
        end_turn(timer)
    end
end

"""
    timer_stop(timer; timeout)

Stops the timer and waits for what was enqueued since its start. INVALID\\_ARGUMENT when it
does not run; on TIMEOUT it is stopped and a further call gives the result.

Calls `netcl_timer_stop`.
"""
function timer_stop(timer::Timer; timeout::Real = Inf)
    take_turn(timer)
    try
        elapsed = info_memory(StructMemory{5}())
        @checked Raw.netcl_timer_stop(timer, nanoseconds(timeout), elapsed)
        return take_info(Elapsed, elapsed)
    finally
        end_turn(timer)
    end
end
