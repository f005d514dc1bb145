# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    graph_create(device)

Makes an empty graph that records calls on a device, while they run.

Calls `netcl_graph_create`.
"""
function graph_create(device::Device)
    graph = Ref{Ptr{Cvoid}}(C_NULL)
    @checked Raw.netcl_graph_create(device, graph)
    return take(Graph, graph[])
end

"""
    graph_retain(graph)

Gives another Graph with a reference of its own to the same object.

Calls `netcl_graph_retain`.
"""
graph_retain(graph::Graph) = retain(graph)

"""
    graph_release(graph)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_graph_release`.
"""
graph_release(graph::Graph) = close(graph)

"""
    graph_clear(graph)

Forgets all calls, and lets go of their tensors.

Calls `netcl_graph_clear`.
"""
function graph_clear(graph::Graph)
    @checked Raw.netcl_graph_clear(graph)
    return nothing
end

"""
    graph_get_info(graph)

Tells what a graph holds.

Calls `netcl_graph_get_info`.
"""
function graph_get_info(graph::Graph)
    info = info_memory(StructMemory{3}())
    @checked Raw.netcl_graph_get_info(graph, info)
    return take_info(GraphInfo, info)
end

"""
    graph_add_gradients(graph, outputs, inputs; seeds, into, queue, event, accumulate, consume)

Gives the gradients of outputs with respect to inputs, summed over all outputs: reverse mode
differentiation of the recorded calls. Tensors stand for the values that they have now: that
of an input which a recorded call wrote is the gradient of what that call gave. A gradient
has the shape and dtype of its input. The calls that work it out are recorded as well
(unless options->consume is 1), so that gradients of gradients are known where those have
derivatives.

INVALID\\_ARGUMENT when no output depends on an input, an output without a seed has more or
fewer elements than one, an input or an output has no float dtype, elements of an input
share memory, or a value that is needed was overwritten since: the message names the call
that needs it and the one that wrote it, with their numbers. UNSUPPORTED when what lies
between has no derivative; the message names the call.

Calls `netcl_graph_add_gradients`.
"""
function graph_add_gradients(
    graph::Graph, outputs, inputs;
    seeds = (), into = (), queue::Union{Nothing,Queue} = nothing,
    event::Union{Nothing,Ref{Event}} = nothing, accumulate::Union{Bool,Integer} = false,
    consume::Union{Bool,Integer} = false
)
    outputs = handle_list(TensorLike, :outputs, outputs)
    inputs = handle_list(TensorLike, :inputs, inputs)
    seeds = handle_list(TensorLike, :seeds, seeds)
    into = handle_list(TensorLike, :into, into)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    gradients = Base.fill(C_NULL, length(inputs))
    GC.@preserve outputs inputs seeds into queue event_place options_kept options_struct begin
        fill_gradients_options!(
            place_of(options_struct), options_kept, seeds, into, queue,
            place_if(event, event_place), accumulate, consume
        )
        @checked Raw.netcl_graph_add_gradients(
            graph, or_null(raw_list(outputs)), length(outputs), or_null(raw_list(inputs)),
            length(inputs), options_struct, gradients
        )
    end
    give_reference(event, event_place)
    return Tensor[take(Tensor, h) for h in gradients]
end
