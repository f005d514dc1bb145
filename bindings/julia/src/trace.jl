# What an elementwise function computes, written down as text for the expression engine. The
# function is called with nodes in place of numbers; what it does to them is the expression. Types
# are Julia's: every operand is cast to the type in which Julia would compute.

const Storable = Union{Bool,Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64,BFloat16,Float16,
                       Float32,Float64}
storable(::Type{T}) where {T<:Storable} = T
storable(::Type{<:Union{Irrational,Rational}}) = Float64

"""
An input of an expression: an array or number of the tree by its place, or a constant. A number is
made one of `type` by `rule(type, number)`.
"""
struct Input
    leaf::Int       # 0: none of the tree's
    type::DataType
    value::Any
    rule::Function
end
same_input(a::Input, b::Input) = a.leaf == b.leaf && a.type === b.type && a.rule === b.rule &&
                                 (a.leaf != 0 || a.value === b.value)

"""
What is collected on the way: the inputs, and whether the text depends on nothing but types. Numbers
become tensors of rank 0.
"""
mutable struct Trace
    inputs::Vector{Input}
    lasting::Bool
end
Trace() = Trace(Input[], true)

"""
A part of an expression that has values of T, or a number that is known on the host (`value`). It is
a Real, so that methods for any number take it.
"""
struct Node{T} <: Real
    trace::Trace
    text::String
    value::Any
    leaf::Int
    Node{T}(trace::Trace, text, value = nothing, leaf = 0) where {T} =
        new{T}(trace, text, value, leaf)
end
Base.show(io::IO, ::Node{T}) where {T} = print(io, "Netcl.Node{", T, "}")

function add_input(trace::Trace, input::Input)
    at = findfirst(other -> same_input(other, input), trace.inputs)
    at === nothing && (push!(trace.inputs, input); at = length(trace.inputs))
    at <= ARGS_MAX || throw(ArgumentError("one broadcast takes at most $ARGS_MAX arrays"))
    return "v$(at - 1)"
end

array_node(trace::Trace, @nospecialize(x::NetclArray), leaf::Int) =
    Node{eltype(x)}(trace, add_input(trace, Input(leaf, eltype(x), nothing, convert)))
number_node(trace::Trace, x::Real, leaf::Int = 0) = Node{typeof(x)}(trace, "", x, leaf)
number_node(trace::Trace, x::Number, leaf::Int = 0) = plain_number(x)
plain_number(x::Union{Bool,Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64}) = x
plain_number(x::Union{BFloat16,Float16,Float32,Float64}) = x
plain_number(x::Union{Irrational,Rational}) = Float64(x)
plain_number(x) = throw(ArgumentError("a NetclArray cannot hold $(typeof(x))"))

known(@nospecialize(x::Node)) = x.value !== nothing
known(@nospecialize(x::Number)) = true
value_of(@nospecialize(x::Node)) = x.value
value_of(@nospecialize(x)) = x
type_of(::Node{T}) where {T} = T
type_of(x::Number) = typeof(x)

"The text of an operand in a type; `rule` says what a number becomes that the type does not hold."
function text_in(@nospecialize(x::Node), @nospecialize(T), @nospecialize(rule = convert))
    if known(x)
        rule(T, x.value)  # what cannot be is said here
        return add_input(x.trace, Input(x.leaf, T, x.leaf == 0 ? rule(T, x.value) : nothing, rule))
    end
    return type_of(x) === T ? x.text : string(dtype_word(T), "(", x.text, ")")
end
# Numbers written into a function are constants of the kernel; those that are broadcast are inputs,
# so that a new value needs no new kernel.
text_in(@nospecialize(x::Number), @nospecialize(T), @nospecialize(rule = convert)) =
    string(dtype_word(T), "(", literal(rule(T, x)), ")")
literal(x::Bool) = x ? "true" : "false"
literal(x::Integer) = x == typemin(Int64) ? "-9223372036854775807 - 1" : string(x)
literal(x::AbstractFloat) =
    isnan(x) ? "nan" : isinf(x) ? (x > 0 ? "inf" : "-inf") : repr(Float64(x))

function trace_of(operands::Vector{Any})
    for x in operands
        x isa Node && return x.trace
    end
    throw(ArgumentError("an expression is made of no symbols"))
end
function all_known(operands::Vector{Any})
    for x in operands
        known(x) || return false
    end
    return true
end

"""
A call: on the host where all is known there, else the text that `build` gives for the operands,
whose values are of type `Out`.
"""
function call(@nospecialize(build), @nospecialize(f), @nospecialize(Out), @nospecialize(operands...))
    list = Any[getfield(operands, k) for k in 1:nfields(operands)]
    all_known(list) && return on_numbers(f, list)
    return Node{Out}(trace_of(list), build(operands...))
end
function on_numbers(@nospecialize(f), operands::Vector{Any})
    trace = trace_of(operands)
    trace.lasting = false
    return number_node(trace, f(Any[value_of(x) for x in operands]...))
end
"The same with all operands in type `In`."
function emit(@nospecialize(f), @nospecialize(In), @nospecialize(Out), @nospecialize(format),
              @nospecialize(operands...))
    list = Any[getfield(operands, k) for k in 1:nfields(operands)]
    all_known(list) && return on_numbers(f, list)
    words = String[text_in(x, In) for x in list]
    return Node{Out}(trace_of(list), format(words...))
end

infix(sign) = (a, b) -> string("(", a, sign, b, ")")
named(name) = (words...) -> string(name, "(", join(words, ", "), ")")

wide(::Type{Bool}) = Int
wide(::Type{T}) where {T} = T
common(@nospecialize(a), @nospecialize(b)) = storable(promote_type(type_of(a), type_of(b)))
storable(::Type{T}) where {T} = throw(ArgumentError("a NetclArray cannot hold $T"))

"Defines f for nodes and numbers: both(f) do f, a, b ... end."
function both(define, functions...)
    for f in functions
        define(f, Node, Node)
        define(f, Node, Real)
        define(f, Real, Node)
        # Base has methods for these and any number, too.
        for T in (Rational, AbstractIrrational, AbstractFloat)
            define(f, Node, T)
            define(f, T, Node)
        end
    end
end

# ---- Types ---------------------------------------------------------------------------------------

cast(x::Node, ::Type{T}) where {T} = type_of(x) === T ? x :
    emit(y -> convert(T, y), type_of(x), T, named(dtype_word(T)), x)
function checked_cast(::Type{T}, x::Node{S}) where {T,S}
    S <: AbstractFloat && T <: Integer && throw(ArgumentError(
        "$T.(x) would fail for numbers with a fraction; use trunc.($T, x), round.($T, x) or such"))
    S <: Integer && T <: Integer && !holds(T, S) && throw(ArgumentError(
        "$T.(x) would fail for numbers that $T cannot hold; x .% $T wraps around"))
    return cast(x, T)
end
holds(::Type{T}, ::Type{S}) where {T,S} = typemin(T) <= typemin(S) && typemax(S) <= typemax(T)
for (_, T, _) in ELEMENTS
    @eval begin
        (::Type{$T})(x::Node) = checked_cast($T, x)
        Base.rem(x::Node, ::Type{$T}) = cast(x, $T)
    end
    for f in (:floor, :ceil, :trunc, :round)
        # What does not fit saturates, and NaN is 0: no element can throw.
        @eval Base.$f(::Type{$T}, x::Node) = cast($f(x), $T)
    end
end
Base.float(x::Node) = cast(x, float(type_of(x)))
Base.real(x::Node) = x
Base.conj(x::Node) = x
Base.zero(x::Node{T}) where {T} = number_node(x.trace, zero(T))
Base.one(x::Node{T}) where {T} = number_node(x.trace, one(T))

# What is asked of typeof(x) or eltype(x) is answered for the type of the elements.
Node{T}(x::Real) where {T} = T(x)
Node{T}(x::Node{T}) where {T} = x
Node{T}(x::Node) where {T} = checked_cast(T, x)
Base.convert(::Type{Node{T}}, x::Node{T}) where {T} = x
Base.convert(::Type{Node{T}}, x::Real) where {T} = T(x)
Base.eltype(::Type{Node{T}}) where {T} = T
for f in (:zero, :one, :typemin, :typemax, :floatmin, :floatmax, :eps)
    @eval Base.$f(::Type{Node{T}}) where {T} = $f(T)
end
