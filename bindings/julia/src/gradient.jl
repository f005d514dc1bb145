# Gradients of functions of arrays: what the function computes is recorded in a graph of its own.

"""
A number that was computed while calls are recorded: one element on the device, which arithmetic,
functions and broadcasts take like a number. Comparisons read it, so that branches are those taken.
"""
struct Recorded{T<:AbstractFloat}
    array::NetclArray{T,0}
end

# A number or an array of the host carries no gradient on. Integers and Bools never do.
check_read(x::TensorLike) =
    recording_graph() === nothing || !(element_type(dtype_of(x)) <: AbstractFloat) ||
    throw(ArgumentError(
        "the host reads an array in a function whose gradient is asked for, and no gradient goes " *
        "through the host; Netcl.detached() do ... end reads it as a constant"))

scalar(x::NetclArray{T,0}) where {T<:AbstractFloat} = lazy() ? Recorded{T}(x) : item(x)
scalar(x::NetclArray) = item(x)

value_of(x::Recorded) = detached(() -> item(x.array))
value_of(x::Number) = x

Base.eltype(::Type{Recorded{T}}) where {T} = T
Base.float(x::Recorded) = x
# As numbers are lists of one, so that sum(sum(x)) is a sum.
Base.size(::Recorded) = ()
Base.length(::Recorded) = 1
Base.iterate(x::Recorded, done = false) = done ? nothing : (x, true)
Broadcast.broadcastable(x::Recorded) = x.array
Base.show(io::IO, x::Recorded) = print(io, "Netcl.Recorded(", value_of(x), ")")
recorded(f, args...) = Recorded(broadcast(f, args...))

const Single = Union{Recorded,NetclArray{<:AbstractFloat,0}}
for op in (:+, :-, :*, :/, :^, :max, :min)
    @eval begin
        Base.$op(a::Recorded, b::Recorded) = recorded($op, a, b)
        Base.$op(a::Recorded, b::Number) = recorded($op, a, b)
        Base.$op(a::Number, b::Recorded) = recorded($op, a, b)
        Base.$op(a::Recorded, b::NetclArray{<:AbstractFloat,0}) = recorded($op, a, b)
        Base.$op(a::NetclArray{<:AbstractFloat,0}, b::Recorded) = recorded($op, a, b)
    end
end
Base.:^(a::Recorded, b::Integer) = recorded(^, a, b)
Base.:*(a::NetclArray, b::Recorded) = a .* b
Base.:*(a::Recorded, b::NetclArray) = a .* b
Base.:/(a::NetclArray, b::Recorded) = a ./ b
for f in (:+, :-, :abs, :abs2, :sqrt, :inv, :exp, :exp2, :expm1, :log, :log2, :log10, :log1p, :sin,
          :cos, :tan, :asin, :acos, :atan, :sinh, :cosh, :tanh)
    @eval Base.$f(x::Recorded) = recorded($f, x)
end
for f in (:<, :<=, :(==), :isless)
    @eval begin
        Base.$f(a::Recorded, b::Recorded) = $f(value_of(a), value_of(b))
        Base.$f(a::Recorded, b::Number) = $f(value_of(a), b)
        Base.$f(a::Number, b::Recorded) = $f(a, value_of(b))
    end
end
for f in (:isnan, :isinf, :isfinite, :iszero, :sign)
    @eval Base.$f(x::Recorded) = $f(value_of(x))
end
Base.convert(::Type{T}, x::Recorded) where {T<:Number} = convert(T, item(x.array))
(::Type{T})(x::Recorded) where {T<:AbstractFloat} = convert(T, x)

result_array(x::Recorded) = x.array
result_array(x::NetclArray) = x
result_array(x::Tensor) = NetclArray(x)
result_array(x::Number) = nothing
result_array(x) = throw(ArgumentError(
    "gradient needs a function that gives a number, and this one gives a $(typeof(x))"))

function check_result(x::NetclArray{T}) where {T}
    length(x) == 1 && T <: AbstractFloat || throw(ArgumentError(
        "gradient needs a function that gives one float, and this one gives an array of " *
        "$T of size $(size(x))"))
    return x
end

# Which input nothing depends on, the library's refusal says; the others are asked for again. So the
# calls are not consumed: they would be gone.
function independent_input(problem)
    problem isa NetclError || return 0
    found = match(r"depends on inputs\[(\d+)\]", problem.message)
    return found === nothing ? 0 : parse(Int, found.captures[1]) + 1
end

# `kept`: as arrays that there are, into which they are written; else as values of a capture.
function gradients_of(graph::Graph, loss::NetclArray, inputs; seeds = (), kept = true)
    left = collect(1:length(inputs))
    found = Vector{Any}(nothing, length(inputs))
    while !isempty(left)
        places = kept ? [similar(inputs[k]) for k in left] : []
        try
            made = graph_add_gradients(graph, (loss,), [inputs[k] for k in left];
                                       into = places, seeds = seeds)
            kept ? foreach(close, made) :
                   (places = [like(inputs[k], t, nothing, graph) for (k, t) in zip(left, made)])
        catch problem
            at = independent_input(problem)
            at == 0 && rethrow()
            deleteat!(left, at)
            continue
        end
        foreach((k, place) -> found[k] = place, left, places)
        break
    end
    return Tuple(found)
end

"""
    gradient(f, x...)

The gradients of `f(x...)`, a number, in each array: arrays like x, and nothing where f does not
depend on x. f is an ordinary function of arrays; it is called once, with copies of x, and what it
computes, also in tasks that it starts, is recorded. Other arrays that it uses are constants. Sums
and the like are `Netcl.Recorded` there, which is used as a number is.

    dw, db = Netcl.gradient((w, b) -> sum(abs2, tanh.(w * x .+ b) .- y), w, b)

x may also be a tuple, a named tuple, a vector or a struct of arrays, or of such: its gradients have that
form, those of a struct as a named tuple. The gradient of a float among x is a float; of other things, and
of numbers within structures, it is nothing.

    grad, = Netcl.gradient(m -> sum(abs2, m.w * x .+ m.b .- y), (w = w, b = b))     # grad.w, grad.b
"""
gradient(f, x...) = withgradient(f, x...).grad

"""
    withgradient(f, x...)

`(val = f(x...), grad = gradient(f, x...))`, with one call of f.
"""
function withgradient(f, x::NetclArray{<:AbstractFloat}...)
    isempty(x) && throw(ArgumentError("gradient needs an array"))
    captured() && return captured_gradient(f, x)
    recording_graph() === nothing || throw(ArgumentError(
        "gradient within a function whose gradient is asked for would be a constant; record in " *
        "Netcl.graph_create(device) for gradients of gradients"))
    graph = graph_create(x[1].device)
    try
        # f may write to what it gets, but nothing writes to what the gradients are of.
        origins = map(copy, x)
        inputs = map(y -> op_copy(y; graph = graph), origins)
        result = record(() -> f(inputs...), graph)
        loss = result_array(result)
        loss === nothing && return (val = result, grad = map(y -> nothing, x))
        check_result(loss)
        grads = gradients_of(graph, loss, origins)
        return (val = Array(loss)[1], grad = grads)
    finally
        close(graph)
    end
end

# In a function that is compiled: by the graph that records it, and without a value to look at.
function captured_gradient(f, x)
    graph = recording_graph()
    origins = map(copy, x)
    result = f(map(copy, origins)...)
    loss = result_array(result)
    loss === nothing && return (val = result, grad = map(y -> nothing, x))
    check_result(loss)
    return (val = result, grad = gradients_of(graph, loss, origins; kept = false))
end

"""
    value, back = Netcl.pullback(f, x...)

The value of `f(x...)`, an array or a number, and a function: `back(d)` gives the gradients in each
array of what has the gradient d in the value, and nothing where f does not depend on x. What f
computes is kept as long as back is. Unlike gradient it makes no copies: f must not write to x.
"""
function pullback(f, x::NetclArray{<:AbstractFloat}...)
    isempty(x) && throw(ArgumentError("pullback needs an array"))
    recording_graph() === nothing || throw(ArgumentError(
        "pullback within a function whose gradient is asked for would be a constant"))
    graph = graph_create(x[1].device)
    # Arrays in one memory would each have the gradients of both.
    inputs = Any[]
    for y in x
        push!(inputs, any(z -> shares_memory(y, z), inputs) ? copy(y) : y)
    end
    result = record(() -> f(inputs...), graph)
    made = result_array(result)
    made === nothing && return result, d -> map(y -> nothing, x)
    eltype(made) <: AbstractFloat || return made, d -> map(y -> nothing, x)
    back(d) = gradients_of(graph, made, inputs; seeds = (seed_of(d, made),))
    return result isa Recorded ? item(made) : made, back
end

# A gradient as an array like the value that it is of.
seed_of(d::Number, like::NetclArray{T,0}) where {T} = filled(like.device, T, (), convert(T, d))
seed_of(d::Recorded, like::NetclArray) = seed_of(d.array, like)
seed_of(d::NetclArray{T}, like::NetclArray{T}) where {T} = same_size(d, like)
seed_of(d::NetclArray, like::NetclArray{T}) where {T} = same_size(cast_to(d, T), like)
seed_of(d::AbstractArray, like::NetclArray{T}) where {T} =
    same_size(NetclArray(convert(Array{T}, collect(d)); device = like.device), like)
seed_of(d, like::NetclArray) = throw(ArgumentError(
    "the gradient of an array of size $(size(like)) is a $(typeof(d)); it has to be an array"))
same_size(d, like) = size(d) == size(like) ? d : throw(DimensionMismatch(
    "the gradient has size $(size(d)), the value $(size(like))"))

"""
    Netcl.taped(f, x...)

`f(x...)`. For packages that stand on ChainRulesCore it is one function, whose gradients are those that
netcl has: of all arrays of floats among x, also in tuples and vectors. f is as for `Netcl.gradient`.
"""
taped(f, x...) = f(x...)
