# Ops on arrays whose results should lie as arrays of Julia do.

# Results of the shape of x are made in its place, which spares a copy from C order.
op_copy(x::NetclArray; into = nothing, options...) =
    invoke(op_copy, Tuple{TensorLike}, x; into = place_like(x, into), options...)
for op in (:op_softmax, :op_log_softmax, :op_layernorm, :op_rmsnorm)
    @eval $op(x::NetclArray{<:AbstractFloat}, axis::Integer; into = nothing, options...) = invoke(
        $op, Tuple{TensorLike,Integer}, x, axis; into = place_like(x, into), options...)
end
place_like(x, into) = into === nothing ? similar(x) : into

# ---- Images --------------------------------------------------------------------------------------

# The library's are [N, C, H, W]; packed arrays of Julia keep the width first, which is
# the same memory: [W, H, C, N].

const FOUR = (4, 3, 2, 1)
turned(::Nothing) = nothing
turned(x::NetclArray) = permuted_view(x, FOUR)
turned(x::Tensor) = tensor_permute(x, 3:-1:0)

function check_layout(layout)
    layout in (:nchw, :whcn) && return layout
    throw(ArgumentError("layout is $(repr(layout)); it has to be :nchw or :whcn"))
end

"An op on the view [N, C, H, W] of an array [W, H, C, N], and the result turned back."
function turn(op, x::NetclArray, into, graph)
    made = op(turned(x).tensor, turned(into))
    into === nothing || return into
    found = permuted_view(NetclArray(made), FOUR)
    return is_packed(found) ? found : op_copy(found; graph = graph)
end

"""
    op_conv2d(x::NetclArray, w::NetclArray; layout, options...)

The same for arrays: with `layout = :nchw` x is [N, C, H, W] and w [F, C / groups, KH, KW] as above;
with `layout = :whcn` they are [W, H, C, N] and [KW, KH, C / groups, F], and so are `into`, the residual
and the result. Strides, dilations and padding stay those of C, the height first. Without a layout it is
:nchw, unless the sizes also fit the other one: then it is an ArgumentError.
"""
function op_conv2d(x::NetclArray{S,4}, w::NetclArray{T,4}; layout = nothing, groups::Integer = 0,
                   into = nothing, epilogue = nothing, graph = nothing, options...) where {S,T}
    if layout === nothing
        could_be_whcn(x, w, max(groups, 1)) && throw(ArgumentError(
            "x of size $(size(x)) and w of size $(size(w)) can be [W, H, C, N] and " *
            "[KW, KH, C, F]; op_conv2d needs layout = :whcn for that, or layout = :nchw for " *
            "[N, C, H, W] and [F, C, KH, KW]"))
        layout = :nchw
    end
    if check_layout(layout) === :nchw
        return invoke(op_conv2d, Tuple{TensorLike,TensorLike}, x, w; groups = groups, into = into,
                      epilogue = epilogue, graph = graph, options...)
    end
    return turn(x, into, graph) do images, place
        op_conv2d(images, turned(w).tensor; groups = groups, into = place,
                  epilogue = turned(epilogue), graph = graph, options...)
    end
end

could_be_whcn(x, w, groups) = size(x, 3) == size(w, 3) * groups && size(w, 4) % groups == 0

function turned(epilogue::Epilogue)
    made = Epilogue((getfield(epilogue, name) for name in fieldnames(Epilogue))...)
    made.residual = turned(epilogue.residual)
    return made
end

"""
    op_pool(x::NetclArray, kind; layout = :nchw, options...)

The same for images as arrays, which are [N, C, H, W], or [W, H, C, N] with `layout = :whcn`.
Windows, strides, dilations and padding stay those of C, the height first.
"""
function op_pool(x::NetclArray{T,4}, kind::Union{Pooling,Symbol}; layout = :nchw, into = nothing,
                 graph = nothing, options...) where {T}
    check_layout(layout) === :nchw && return invoke(
        op_pool, Tuple{TensorLike,Union{Pooling,Symbol}}, x, kind; into = into, graph = graph,
        options...)
    return turn(x, into, graph) do images, place
        op_pool(images, kind; into = place, graph = graph, options...)
    end
end

# ---- Optimisers ----------------------------------------------------------------------------------

"""
    op_adam(parameters, gradients, averages, square_averages, step, learning_rate; options...)

`parameters`, `gradients` and the states, which begin as zeros, are lists with an array for each
parameter. `step` counts on the device: it is an array like `Netcl.zeros(Int64, 1)`, and each call adds
1 to it, so that a compiled step counts too.

    step = Netcl.zeros(Int64, 1)
    averages, squares = [map(p -> Netcl.zeros(Float32, size(p)), parameters) for _ in 1:2]
    loss, gradients = Netcl.withgradient(f, parameters...)
    Netcl.op_adam(parameters, gradients, averages, squares, step, 1f-3)
"""
function op_adam(parameters, gradients, averages, square_averages, step::Number,
                 learning_rate::Real; options...)
    throw(ArgumentError("step is the number $step; it has to be an Int64 array of one element on the " *
                        "device, Netcl.zeros(Int64, 1), which op_adam itself adds 1 to"))
end
