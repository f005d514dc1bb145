# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    graph_create(device; execute)

Makes an empty graph that records calls on a device. Calls that a capture records are
checked, and do not run: their results have shapes and no content, views can be made of
them, and calls of the same graph can read and write them until it is cleared; whatever else
would read or write their content is INVALID\\_ARGUMENT. `waits` and `event` are refused
there. `netcl_graph_compile` makes a capture ready to run.

* `execute`: `NETCL_ON`, the default: calls run while they are recorded, and the graph is a
  tape. `NETCL_OFF`: they do not, and it is a capture; one of `:default` (unless another is
  given), `:on`, `:off`

Calls `netcl_graph_create`.
"""
function graph_create(device::Device; execute::Union{Toggle,Symbol} = Toggle(0))
    options_struct = StructMemory{2}()
    graph = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_graph_options!(place_of(options_struct), nothing, execute)
        @checked Raw.netcl_graph_create(device, options_struct, graph)
    end
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

Forgets all calls, and lets go of their tensors. A graph made from a function drops its
forms; runs that have begun end as they began.

Calls `netcl_graph_clear`.
"""
function graph_clear(graph::Graph)
    @checked Raw.netcl_graph_clear(graph)
    return nothing
end

"""
    graph_get_info(graph)

Tells what a graph holds. While another thread compiles it, both step\\_count and
ready\\_count are 0 at first, then ready\\_count of step\\_count steps are done. Of a graph
made from a function it tells of all forms together, with those that are being compiled:
planned\\_bytes and live\\_bytes are those of the form with the most, the others are sums.

Calls `netcl_graph_get_info`.
"""
function graph_get_info(graph::Graph)
    info = info_memory(StructMemory{9}())
    @checked Raw.netcl_graph_get_info(graph, info)
    return take_info(GraphInfo, info)
end

"""
    graph_add_gradients(
        graph, outputs, inputs;
        seeds, into, queue, event, accumulate, consume, reducer
    )

Gives the gradients of outputs with respect to inputs, summed over all outputs: reverse mode
differentiation of the recorded calls. Tensors stand for the values that they have now: that
of an input which a recorded call wrote is the gradient of what that call gave; of one which
others wrote, it is that by all that read it since. A gradient has the shape and dtype of
its input. The calls that work it out are recorded as well (unless `consume` is true), so
that gradients of gradients are known where those have derivatives. Memory of the caller
that was wrapped twice counts as two variables.

INVALID\\_ARGUMENT when no output depends on an input, an output without a seed has more or
fewer elements than one, an input or an output has no float dtype, elements of an input
share memory, or a value that is needed was overwritten since: the message names the call
that needs it and the one that wrote it, with their numbers. So it is when an output depends
on what the memory of an input held before a write that is not recorded, which may have left
it there. UNSUPPORTED when what lies between has no derivative; the message names the call.

* `seeds`: gradients of the outputs, of their shapes and dtypes; none: 1 for each output,
  which then has one element
* `into`: where gradients go: of the inputs' shapes and dtypes, each on memory of its own;
  none: new tensors
* `queue`: `nothing`: the default queue of the graph's device
* `event`: receives one reference: all gradients are there; refused for a capture
* `accumulate`: true: what is in `into` is added to
* `consume`: true: calls are forgotten as soon as their gradients are known, and those that
  work them out are not recorded; the graph is empty afterwards, also when that fails on the
  way. What is refused before that leaves it as it was: arguments, and an input that no
  output depends on. Refused for a capture
* `reducer`: gets the gradients, of this call or, of a capture, of each run; see
  `netcl_reducer_wait`. One for all calls of a capture, and its rank has the graph's device;
  `nothing`: none

Calls `netcl_graph_add_gradients`.
"""
function graph_add_gradients(
    graph::Graph, outputs, inputs;
    seeds = (), into = (), queue::Union{Nothing,Queue} = nothing,
    event::Union{Nothing,Ref{Event}} = nothing, accumulate::Union{Bool,Integer} = false,
    consume::Union{Bool,Integer} = false, reducer::Union{Nothing,Reducer} = nothing
)
    outputs = handle_list(TensorLike, :outputs, outputs)
    inputs = handle_list(TensorLike, :inputs, inputs)
    seeds = handle_list(TensorLike, :seeds, seeds)
    into = handle_list(TensorLike, :into, into)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{8}()
    options_kept = Any[]
    gradients = Base.fill(C_NULL, length(inputs))
    GC.@preserve outputs inputs seeds into queue event_place reducer options_kept options_struct begin
        fill_gradients_options!(
            place_of(options_struct), options_kept, seeds, into, queue,
            place_if(event, event_place), accumulate, consume, reducer
        )
        @checked Raw.netcl_graph_add_gradients(
            graph, or_null(raw_list(outputs)), length(outputs), or_null(raw_list(inputs)),
            length(inputs), options_struct, gradients
        )
    end
    give_reference(event, event_place)
    return Tensor[take(Tensor, h) for h in gradients]
end

"""
    graph_compile(graph, inputs, outputs; fuse)

Makes a capture ready to run: builds every kernel, plans the memory of all values, and keeps
the commands. `inputs` are the tensors that a run gets others for; their content is not
read. Other tensors with memory that the calls read, such as parameters, are read again by
each run, and those that they write by `into` are written by each run. `outputs` are the
values that a run gives. Calls that neither an output nor such a tensor depends on are left
out, and equal calls are done once. Copies of whole values are left out where the calls
behind them can work with the value itself, and values of up to 64 KiB that depend on
nothing are worked out here, once. Elementwise calls are done within those that read their
results, where at most two kernels then compute a value; those that read the same tensors,
or what others of them give, are one kernel with several results, where values do not need
more memory at a time for it. What is added to a product or a convolution of floats as its
epilogue would add it, and an activation, are done with it, and so is the
`netcl_op_batchnorm` of inference behind a convolution that has no epilogue: of f16 or bf16,
where it may have a bias, and on CPUs of f32 or f64. Values have the bits that they would
have one by one, with two exceptions: f32 on a device whose quotients are not rounded
correctly (CL\\_FP\\_CORRECTLY\\_ROUNDED\\_DIVIDE\\_SQRT); and a product or convolution of
f16 or bf16, which is not rounded before a bias, a residual, a normalisation or an
activation other than relu that is done with it, so that the result is that of f32, rounded
once. With `fuse` OFF all bits are kept.

From here on the graph records nothing more, until `netcl_graph_clear` empties it: calls
into it are INVALID\\_ARGUMENT, also while it is compiled. Compiling it once more is
INVALID\\_ARGUMENT, and so is an empty graph, a tape, an input that no output depends on,
that a call writes or whose elements share memory, a call that reads elements of an input's
memory that are not known to be the input's, and an output that is no value of the graph.

Of a graph made from a function this makes the form for such inputs, where it is not there
yet: later runs find it. `outputs` is empty. A broadcast of one element will do as an input.

* `fuse`: `NETCL_OFF`: calls are left as they are; the default joins those that can be done
  by one kernel. Refused for a graph made from a function; one of `:default` (unless another
  is given), `:on`, `:off`

Calls `netcl_graph_compile`.
"""
function graph_compile(
    graph::Graph, inputs, outputs;
    fuse::Union{Toggle,Symbol} = Toggle(0)
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    outputs = handle_list(TensorLike, :outputs, outputs)
    options_struct = StructMemory{2}()
    GC.@preserve inputs outputs options_struct begin
        fill_graph_compile_options!(place_of(options_struct), nothing, fuse)
        @checked Raw.netcl_graph_compile(
            graph, or_null(raw_list(inputs)), length(inputs), or_null(raw_list(outputs)),
            length(outputs), options_struct
        )
    end
    return nothing
end

"""
    graph_run(graph, inputs, outputs; queue, into, waits, event, run_graph)

Enqueues the calls of a compiled graph, for other inputs, without checking and choosing
anew. Inputs and outputs have the shapes and dtypes of those that `netcl_graph_compile` got,
in any strides: those that it got are fastest, others are copied. A graph made from a
function takes inputs of any shapes and dtypes, and outputs of those that the function
gives. A new combination of strides is made ready at its first run, on OpenCL devices also
one of offsets modulo mem\\_base\\_align\\_bytes; the last 8 are kept. Values that are no
outputs lie in memory of the device's persistent pool for the time of the run.

`queue`, `waits` and `event` are those of all commands together; `into` and `graph` are
`nothing`. Any number of threads may run a graph at a time; runs that write the same tensors
are ordered as other commands are. INVALID\\_ARGUMENT when a shape, dtype, device or count
differs, a tensor is a value of a capture, an input shares memory with a tensor that the
calls write, or an output with an input, with another output or with a tensor that the calls
work with. Kernels of the caller get memory of the sizes with which they were recorded.

* `queue`, `into`, `waits`, `event`, `run_graph`: those of all ops; `?Netcl` explains them

Calls `netcl_graph_run`.
"""
function graph_run(
    graph::Graph, inputs, outputs;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    run_graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    outputs = handle_list(TensorLike, :outputs, outputs)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve inputs outputs queue into waits event_place run_graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place),
            run_graph
        )
        @checked Raw.netcl_graph_run(
            graph, or_null(raw_list(inputs)), length(inputs), or_null(raw_list(outputs)),
            length(outputs), run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    graph_evaluate(graph, inputs; queue, into, waits, event, run_graph)

Runs a compiled graph as `netcl_graph_run` does, with new tensors as outputs.
INVALID\\_ARGUMENT when the graph gives no outputs; otherwise as `netcl_graph_run`.

* `queue`, `into`, `waits`, `event`, `run_graph`: those of all ops; `?Netcl` explains them

Calls `netcl_graph_evaluate`.
"""
function graph_evaluate(
    graph::Graph, inputs;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    run_graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve inputs queue into waits event_place run_graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place),
            run_graph
        )
        found = read_array(Ptr{Cvoid}, UInt32) do place, room, extent
            return Raw.netcl_graph_evaluate(
                graph, or_null(raw_list(inputs)), length(inputs), run_struct, place, room, extent
            )
        end
    end
    give_reference(event, event_place)
    return Tensor[take(Tensor, h) for h in found]
end

"""
    graph_explain(graph, format)

Tells what is in a graph: its calls with the shapes of what they read and write; of a
compiled one the steps, what was joined in them, why others were not, where values lie in
memory, and behind how many commands which gradients go to a reducer; of one made from a
function all this for each form, beginning with the one that was used last.

* `format`: one of `:text`, `:json`, `:dot`

Calls `netcl_graph_explain`.
"""
function graph_explain(graph::Graph, format::Union{GraphFormat,Symbol})
    format = enum(GraphFormat, format)
    found = read_text() do place, room, extent
        return Raw.netcl_graph_explain(graph, format.value, place, room, extent)
    end
    return found
end
