# Written by bindings/generator from include/netcl.h; changes here are lost.

function work_fn_call(queue::Ptr{Cvoid}, user_data::Ptr{Cvoid})::Int32
    state = unsafe_pointer_to_objref(user_data)::CallbackState
    try
        value = state.work(retained(Queue, queue))
        return status_of(value)
    catch failure
        state.failure === nothing && (state.failure = failure)
        return status_of(failure)
    end
end
work_fn_pointer() = @cfunction(work_fn_call, Int32, (Ptr{Cvoid}, Ptr{Cvoid},))
