# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    PrimitiveCall

A call of a primitive, as its function sees it: valid while that runs.

* `inputs`: of the call; borrowed
* `values`: of the attributes, in the order of their registration
* `grad`: the gradient of what was made of the result, borrowed; `nothing`: the result is
  asked for
* `out`: the result, borrowed; `nothing` with grad
* `run`: queue, waits and graph of the call, to be handed on to each op and launch
* `wanted`: gradients that are asked for: bit i for inputs\\[i\\]
"""
struct PrimitiveCall
    inputs::Vector{NetclArray}
    values::Vector{Float64}
    grad::Union{Nothing,NetclArray}
    out::Union{Nothing,NetclArray}
    run::Surroundings
    wanted::UInt64
end
function lend(::Type{PrimitiveCall}, place::Ptr{UInt8})
    return PrimitiveCall(
        lent_objects(Tensor, unsafe_load(Ptr{Ptr{Cvoid}}(place + 8)), unsafe_load(Ptr{UInt32}(place + 56))),
        lent_numbers(Float64, unsafe_load(Ptr{Ptr{Cvoid}}(place + 16)), unsafe_load(Ptr{UInt32}(place + 60))),
        lent_object(Tensor, unsafe_load(Ptr{Ptr{Cvoid}}(place + 24))),
        lent_object(Tensor, unsafe_load(Ptr{Ptr{Cvoid}}(place + 32))),
        lent_run(unsafe_load(Ptr{Ptr{Cvoid}}(place + 40)); queue = 8, waits = 24, graph = 48, waits_count = 40),
        unsafe_load(Ptr{UInt64}(place + 48))
    )
end

"""
    GraphCall

A call of a graph's function: valid while that runs.

* `inputs`: stand for those of a run, with their dtypes and shapes and without content:
  values of the capture; borrowed
* `run`: `graph` is the capture that records, to be handed on to each op and launch
"""
struct GraphCall
    inputs::Vector{NetclArray}
    run::Surroundings
end
function lend(::Type{GraphCall}, place::Ptr{UInt8})
    return GraphCall(
        lent_objects(Tensor, unsafe_load(Ptr{Ptr{Cvoid}}(place + 8)), unsafe_load(Ptr{UInt32}(place + 24))),
        lent_run(unsafe_load(Ptr{Ptr{Cvoid}}(place + 16)); queue = 8, waits = 24, graph = 48, waits_count = 40)
    )
end

function primitive_fn_call(
    call::Ptr{Cvoid}, tensors::Ptr{Cvoid}, user_data::Ptr{Cvoid}
)::Int32
    return answer(user_data) do work
        made = call_kept(work, lend(PrimitiveCall, Ptr{UInt8}(call)))
        count = unsafe_load(Ptr{UInt32}(call + 64))
        give_tensors(:tensors, made, Ptr{Ptr{Cvoid}}(tensors), Int(count))
    end
end
primitive_fn_pointer() = @cfunction(primitive_fn_call, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid},))

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
