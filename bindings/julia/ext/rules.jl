# rrules of functions of arrays, for Zygote, Diffractor and others that stand on ChainRulesCore. Each
# is worked out by netcl: what the function computes is recorded, and the graph has its gradients.

using LinearAlgebra: LinearAlgebra, dot, norm
using Statistics: mean, std, var

const NetclArray = Netcl.NetclArray
const Floats = NetclArray{<:AbstractFloat}
const NoTangent, ZeroTangent = ChainRulesCore.NoTangent, ChainRulesCore.ZeroTangent
const Broadcast = Base.Broadcast

# ---- Any function --------------------------------------------------------------------------------

# Arguments: arrays of floats, and tuples and vectors of them, have tangents.
leaves!(found, x::Floats) = push!(found, x)
leaves!(found, x::Union{Tuple,Vector}) = foreach(y -> leaves!(found, y), x)
leaves!(found, x) = nothing
has_leaves(x) = (found = Any[]; leaves!(found, x); !isempty(found))

rebuilt(x::Floats, next) = next()
rebuilt(x::Tuple, next) = map(y -> rebuilt(y, next), x)
rebuilt(x::Vector, next) = has_leaves(x) ? [rebuilt(y, next) for y in x] : x
rebuilt(x, next) = x

tangent(x::Floats, next) = next()
tangent(x::Tuple, next) = has_leaves(x) ?
    ChainRulesCore.Tangent{typeof(x)}(map(y -> tangent(y, next), x)...) : NoTangent()
tangent(x::Vector, next) = has_leaves(x) ? [tangent(y, next) for y in x] : NoTangent()
tangent(x, next) = NoTangent()

"Gives one element of a list with each call."
function taking(list)
    at = 0
    return () -> list[at += 1]
end

# What a rule cannot see would get no gradient, and nobody would notice.
function check_keywords(keywords)
    for (name, value) in pairs(keywords)
        value isa Union{Netcl.TensorLike,Netcl.Epilogue} || has_leaves(value) || continue
        throw(ArgumentError(
            "rules give keywords no gradient, and $name holds an array; " *
            "Netcl.taped((x, y) -> f(x; $name = y), x, y) has the gradients of all its arguments"))
    end
end
carries(x::Union{Type,Module,Symbol,AbstractString,Integer}) = false
carries(x::Union{AbstractFloat,AbstractArray,Core.Box,Ref}) = true
carries(x) = any(k -> carries(getfield(x, k)), 1:nfields(x))
function check_function(f)
    carries(f) && throw(ArgumentError(
        "$f has numbers or arrays from outside, which a rule gives no gradient; make them arguments " *
        "of the broadcast, or of Netcl.taped"))
end

"The value of f, and what gives the tangents of its arguments, without that of f itself."
function ruled(f, args...; keywords...)
    check_keywords(keywords)
    arrays = Any[]
    leaves!(arrays, args)
    isempty(arrays) && return f(args...; keywords...), d -> map(x -> NoTangent(), args)
    value, back = Netcl.pullback(arrays...) do inputs...
        f(rebuilt(args, taking(inputs))...; keywords...)
    end
    function tangents(given)
        d = ChainRulesCore.unthunk(given)
        d isa ChainRulesCore.AbstractZero && return map(x -> tangent(x, () -> ZeroTangent()), args)
        known = Ref{Any}(nothing)
        function found(k)
            known[] === nothing && (known[] = back(d))
            return known[][k] === nothing ? ZeroTangent() : known[][k]
        end
        thunks = [ChainRulesCore.@thunk(found(k)) for k in 1:length(arrays)]
        next = taking(thunks)
        return map(x -> tangent(x, next), args)
    end
    return value, tangents
end

"As an rrule gives it: `slots` arguments in front of those of f have no tangent."
function rule(f, args...; slots = 1, keywords...)
    value, tangents = ruled(f, args...; keywords...)
    return value, d -> (ntuple(k -> NoTangent(), slots)..., tangents(d)...)
end

ChainRulesCore.rrule(::typeof(Netcl.taped), f, args...) =
    (check_function(f); rule(f, args...; slots = 2))

# ---- Broadcasts ----------------------------------------------------------------------------------

# Floats among the arguments are arrays of one element while it is recorded. Integers are constants.
lifted(x::AbstractFloat, device) = Netcl.fill(x; device = device)
lifted(x, device) = x
lowered(x::AbstractFloat, d) = ChainRulesCore.@thunk(
    (y = ChainRulesCore.unthunk(d);
     y isa NetclArray ? ChainRulesCore.ProjectTo(x)(Array(y)[]) : y))
lowered(x, d) = d

check_argument(x) = nothing
check_argument(x::Broadcast.Broadcasted) = throw(ArgumentError(
    "a broadcast within a broadcast has no rule of its own; compute the inner one first"))
check_argument(x::Array{<:AbstractFloat}) = throw(ArgumentError(
    "a broadcast over a NetclArray takes no $(typeof(x)); arrays have to be on the device: " *
    "NetclArray(...)"))

function broadcast_rule(f, args...; slots)
    check_function(f)
    foreach(check_argument, args)
    first = args[findfirst(x -> x isa NetclArray, collect(Any, args))]
    inputs = map(x -> lifted(x, first.device), args)
    value, tangents = ruled((xs...) -> broadcast(f, xs...), inputs...)
    function back(d)
        return (ntuple(k -> NoTangent(), slots)..., map(lowered, args, tangents(d))...)
    end
    return value, back
end
ChainRulesCore.rrule(::typeof(Broadcast.broadcasted), ::Netcl.NetclStyle, f, args...) =
    broadcast_rule(f, args...; slots = 3)
for call in (Broadcast.broadcasted, broadcast, map)
    @eval begin
        ChainRulesCore.rrule(::typeof($call), f::Union{Function,Type}, x::NetclArray, rest...) =
            broadcast_rule(f, x, rest...; slots = 2)
        ChainRulesCore.rrule(::typeof($call), f::Union{Function,Type}, a::Union{Number,Ref},
                             x::NetclArray, rest...) =
            broadcast_rule(f, a, x, rest...; slots = 2)
    end
end

# Powers with a literal: (^, x, Val(2)), each in a Ref but x.
ChainRulesCore.rrule(::typeof(Broadcast.broadcasted), f::typeof(Base.literal_pow), p::Ref,
                     x::NetclArray, n::Ref) = broadcast_rule(f, p, x, n; slots = 2)

# ---- Products, sums and the like -----------------------------------------------------------------

scaled(a::NetclArray, b::NetclArray{T,0}) where {T} =
    Netcl.as_row_if(a isa Netcl.NetclMatrix && a.row, a .* b)
divided(a::NetclArray, b::NetclArray{T,0}) where {T} =
    Netcl.as_row_if(a isa Netcl.NetclMatrix && a.row, a ./ b)

function number_rule(f, x::NetclArray, a::AbstractFloat)
    value, tangents = ruled(f, x, lifted(a, x.device))
    return value, d -> (dx = tangents(d); (dx[1], lowered(a, dx[2])))
end
function number_rule(f, x::NetclArray, a::Number)
    value, tangents = ruled(y -> f(y, Netcl.fill(eltype(x)(a); device = x.device)), x)
    return value, d -> (tangents(d)[1], NoTangent())
end
for (call, f) in ((*, scaled), (/, divided))
    @eval function ChainRulesCore.rrule(::typeof($call), x::Floats, a::Number)
        value, tangents = number_rule($f, x, a)
        return value, d -> (NoTangent(), tangents(d)...)
    end
end
function ChainRulesCore.rrule(::typeof(*), a::Number, x::Floats)
    value, tangents = number_rule(scaled, x, a)
    return value, d -> (NoTangent(), reverse(tangents(d))...)
end

const Columns = Union{Netcl.NetclVector{<:AbstractFloat},Netcl.NetclMatrix{<:AbstractFloat}}
ChainRulesCore.rrule(::typeof(*), a::Columns, b::Columns) = rule(*, a, b)
for f in (+, -, dot)
    @eval ChainRulesCore.rrule(::typeof($f), a::Floats, b::Floats) = rule($f, a, b)
end
ChainRulesCore.rrule(::typeof(-), x::Floats) = rule(y -> .-y, x)
ChainRulesCore.rrule(::typeof(norm), x::Floats) = rule(norm, x)
ChainRulesCore.rrule(::typeof(norm), x::Floats, p::Real) = rule(norm, x, p)

for f in (sum, prod, maximum, minimum, mean, var, std, cumsum, copy)
    @eval ChainRulesCore.rrule(::typeof($f), x::Floats; keywords...) = rule($f, x; keywords...)
end
for f in (sum, prod, maximum, minimum, mean)
    @eval function ChainRulesCore.rrule(::typeof($f), g::Function, x::Floats; keywords...)
        check_function(g)
        return rule(y -> $f(g, y; keywords...), x; slots = 2)
    end
end

# ---- Shapes and parts ----------------------------------------------------------------------------

# Views stay views: their tangent is one too.
array_of(d, like) = Netcl.seed_of(ChainRulesCore.unthunk(d), like)
function view_rule(made, back, rest...)
    function tangents(given)
        d = ChainRulesCore.unthunk(given)
        d isa ChainRulesCore.AbstractZero && return (NoTangent(), ZeroTangent(), rest...)
        return (NoTangent(), ChainRulesCore.@thunk(back(array_of(d, made))), rest...)
    end
    return made, tangents
end
none(list) = map(x -> NoTangent(), list)
ChainRulesCore.rrule(::typeof(reshape), x::Floats, dims...) =
    view_rule(reshape(x, dims...), d -> reshape(d, size(x)), none(dims)...)
ChainRulesCore.rrule(::typeof(vec), x::Floats) = view_rule(vec(x), d -> reshape(d, size(x)))
ChainRulesCore.rrule(::typeof(dropdims), x::Floats; dims) =
    view_rule(dropdims(x; dims = dims), d -> reshape(d, size(x)))
for f in (LinearAlgebra.transpose, LinearAlgebra.adjoint)
    @eval ChainRulesCore.rrule(::typeof($f), x::Columns) = view_rule($f(x), d -> untransposed(d, x))
end
untransposed(d, x::Netcl.NetclVector) = reshape(d, size(x))
untransposed(d, x) = ndims(d) == 1 ? reshape(d, size(x)) : permutedims(d, (2, 1))
ChainRulesCore.rrule(::typeof(permutedims), x::Floats) = rule(permutedims, x)
ChainRulesCore.rrule(::typeof(permutedims), x::Floats, order) = rule(permutedims, x, order)

const Index = Union{Integer,Colon,AbstractRange{<:Integer},Array{<:Integer}}
ChainRulesCore.rrule(::typeof(getindex), x::Floats, indices::Index...) =
    rule(getindex, x, indices...)
ChainRulesCore.rrule(::typeof(view), x::Floats, indices::Index...) =
    rule((y, places...) -> copy(view(y, places...)), x, indices...)
for f in (vcat, hcat, cat)
    @eval ChainRulesCore.rrule(::typeof($f), x::Floats, rest::Floats...; keywords...) =
        rule($f, x, rest...; keywords...)
end

# ---- To the device and back ----------------------------------------------------------------------

const Host = Array{<:AbstractFloat}
back_to_host(A, d::ChainRulesCore.AbstractZero) = d
back_to_host(A, d) = ChainRulesCore.ProjectTo(A)(Array(d))
ChainRulesCore.rrule(::Type{NetclArray}, A::Host) =
    NetclArray(A), d -> (NoTangent(), back_to_host(A, ChainRulesCore.unthunk(d)))
to_device(x, d::ChainRulesCore.AbstractZero) = d
to_device(x, d) = Netcl.seed_of(d, x)
ChainRulesCore.rrule(::Type{Array}, x::Floats) =
    Array(x), d -> (NoTangent(), to_device(x, ChainRulesCore.unthunk(d)))

# ---- Ops by their names in C ---------------------------------------------------------------------

for name in (:op_matmul, :op_conv2d, :op_pool, :op_softmax, :op_log_softmax, :op_layernorm,
             :op_rmsnorm, :op_cross_entropy, :op_nll_loss, :op_reduce, :op_scan, :op_gather,
             :op_gather_elements, :op_embedding, :op_pad, :op_resize, :op_transpose, :op_cast,
             :op_copy, :op_concat, :op_bias_add, :op_expression, :op_expression_text, :op_primitive)
    isdefined(Netcl, name) || continue
    op = getfield(Netcl, name)
    @eval ChainRulesCore.rrule(::typeof($op), args...; keywords...) = rule($op, args...; keywords...)
end
ChainRulesCore.rrule(::typeof(Netcl.expression), text::AbstractString, x::Floats, rest...) =
    rule(Netcl.expression, text, x, rest...)
