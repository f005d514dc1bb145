# What an elementwise function computes, written down as text for the expression engine. The
# function is called with nodes in place of numbers; what it does to them is the expression. Types
# are Julia's: every operand is cast to the type in which Julia would compute.

const Storable = Union{Bool,Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64,BFloat16,Float16,
                       Float32,Float64}
storable(::Type{T}) where {T<:Storable} = T
storable(::Type{<:Union{Irrational,Rational}}) = Float64

"An input of an expression: an array or number of the tree by its place, or a constant."
struct Input
    leaf::Int       # 0: none of the tree's
    type::DataType  # what a number is converted to
    value::Any
end
same_input(a::Input, b::Input) =
    a.leaf == b.leaf && a.type === b.type && (a.leaf != 0 || a.value === b.value)

"""
What is collected on the way: the inputs, and whether the text depends on nothing but types. Numbers
become tensors of rank 0.
"""
mutable struct Trace
    inputs::Vector{Input}
    lasting::Bool
end
Trace() = Trace(Input[], true)

"A part of an expression, or a number that is known on the host (`value`)."
struct Node
    trace::Trace
    text::String
    type::DataType
    value::Any
    leaf::Int
end
Node(trace, text, type, value) = Node(trace, text, type, value, 0)

const Operand = Union{Node,Number}

function add_input(trace::Trace, input::Input)
    at = findfirst(other -> same_input(other, input), trace.inputs)
    at === nothing && (push!(trace.inputs, input); at = length(trace.inputs))
    at <= ARGS_MAX || throw(ArgumentError("one broadcast takes at most $ARGS_MAX arrays"))
    return "v$(at - 1)"
end

array_node(trace::Trace, x::NetclArray{T}, leaf::Int) where {T} =
    Node(trace, add_input(trace, Input(leaf, T, nothing)), T, nothing)
number_node(trace::Trace, x::Number, leaf::Int = 0) = Node(trace, "", typeof(x), x, leaf)
plain_number(x::Union{Bool,Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64}) = x
plain_number(x::Union{BFloat16,Float16,Float32,Float64}) = x
plain_number(x::Union{Irrational,Rational}) = Float64(x)
plain_number(x) = throw(ArgumentError("a NetclArray cannot hold $(typeof(x))"))

known(x::Node) = x.value !== nothing
known(::Number) = true
value_of(x::Node) = x.value
value_of(x) = x
type_of(x::Node) = x.type
type_of(x::Number) = typeof(x)

"The text of an operand in a type."
function text_in(x::Node, @nospecialize(T))
    known(x) && return add_input(x.trace, Input(x.leaf, T, convert(T, x.value)))
    return x.type === T ? x.text : string(dtype_word(T), "(", x.text, ")")
end
# Numbers written into a function are constants of the kernel; those that are broadcast are inputs,
# so that a new value needs no new kernel.
text_in(@nospecialize(x::Number), @nospecialize(T)) = string(dtype_word(T), "(", literal(convert(T, x)), ")")
literal(x::Bool) = x ? "true" : "false"
literal(x::Integer) = x == typemin(Int64) ? "-9223372036854775807 - 1" : string(x)
literal(x::AbstractFloat) =
    isnan(x) ? "nan" : isinf(x) ? (x > 0 ? "inf" : "-inf") : repr(Float64(x))

trace_of(x::Node, rest...) = x.trace
trace_of(x, rest...) = trace_of(rest...)

"A call: on the host where all is known there, else `format` with the operands in type `In`."
function emit(@nospecialize(f), @nospecialize(In), @nospecialize(Out), @nospecialize(format),
              @nospecialize(operands...))
    trace = trace_of(operands...)
    if all(known, operands)
        trace.lasting = false
        return number_node(trace, f(map(value_of, operands)...))
    end
    return Node(trace, format(map(x -> text_in(x, In), operands)...), Out, nothing)
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
        define(f, Node, Number)
        define(f, Number, Node)
    end
end

for (f, sign) in ((:+, " + "), (:-, " - "), (:*, " * "))
    format = infix(sign)
    both(f) do f, A, B
        @eval function Base.$f(a::$A, b::$B)
            T = common(a, b)
            $(f === :* && :(T === Bool && return a & b))
            return emit($f, wide(T), wide(T), $format, a, b)
        end
    end
end
both(:/) do f, A, B
    @eval Base.$f(a::$A, b::$B) =
        (T = float(common(a, b)); emit($f, T, T, $(infix(" / ")), a, b))
end
for (f, format) in ((:min, named("min")), (:max, named("max")), (:rem, infix(" % ")))
    both(f) do f, A, B
        @eval Base.$f(a::$A, b::$B) = (T = common(a, b); emit($f, T, T, $format, a, b))
    end
end
both(:div) do f, A, B
    @eval function Base.$f(a::$A, b::$B)
        T = common(a, b)
        format = T <: Integer ? $(infix(" / ")) : (x, y) -> string("trunc(", x, " / ", y, ")")
        return emit($f, T, T, format, a, b)
    end
end
# The sign of the divisor, as of mod in Julia; % has that of the dividend.
mod_text(a, b) = string("((", a, " % ", b, ") != 0 && ((", a, " % ", b, ") < 0) != (", b, " < 0) ? (",
                        a, " % ", b, ") + ", b, " : (", a, " % ", b, "))")
both(:mod) do f, A, B
    @eval Base.$f(a::$A, b::$B) = (T = common(a, b); emit($f, T, T, mod_text, a, b))
end
for (f, sign) in ((:&, " & "), (:|, " | "), (:xor, " ^ "))
    both(f) do f, A, B
        @eval Base.$f(a::$A, b::$B) = (T = common(a, b); emit($f, T, T, $(infix(sign)), a, b))
    end
end
for (f, sign) in ((:<<, " << "), (:>>, " >> "))
    # The type is that of the left side.
    @eval Base.$f(a::Node, b::Operand) = emit($f, a.type, a.type, $(infix(sign)), a, b)
end

# Comparisons are exact in Julia; a signed number against UInt64 needs a look at its sign.
for (f, sign) in ((:(==), " == "), (:!=, " != "), (:<, " < "), (:<=, " <= "), (:>, " > "),
                  (:>=, " >= "))
    both(f) do f, A, B
        @eval function Base.$f(a::$A, b::$B)
            S, T = type_of(a), type_of(b)
            mixed = S <: Signed && T <: Unsigned || S <: Unsigned && T <: Signed
            mixed && max(sizeof(S), sizeof(T)) == 8 && return mixed_compare($f, a, b)
            return emit($f, mixed ? Int64 : common(a, b), Bool, $(infix(sign)), a, b)
        end
    end
end
function mixed_compare(f, a, b)
    type_of(a) <: Signed || return mixed_compare(flipped(f), b, a)
    nonnegative = emit(>=, Int64, Bool, infix(" >= "), a, 0)
    compared = emit(f, UInt64, Bool, infix(string(" ", nameof(f), " ")),
                    emit(identity, UInt64, UInt64, named("u64"), a), b)
    return f === (<) || f === (<=) || f === (!=) ?
           select(nonnegative, compared, true) : nonnegative & compared
end
flipped(f) = f === (<) ? (>) : f === (<=) ? (>=) : f === (>) ? (<) : f === (>=) ? (<=) : f

Base.:+(x::Node) = x.type === Bool ? Int(x) : x
Base.:-(x::Node) = emit(-, wide(x.type), wide(x.type), a -> "(-$a)", x)
Base.:!(x::Node) = x.type === Bool ? emit(!, Bool, Bool, a -> "(!$a)", x) :
                   throw(MethodError(!, (x,)))
Base.:~(x::Node) = x.type === Bool ? !x : emit(~, x.type, x.type, a -> "(~$a)", x)

# Functions that keep their type, and those that give a float.
for (f, name) in ((:abs, "abs"), (:sign, "sign"), (:floor, "floor"), (:ceil, "ceil"),
                  (:trunc, "trunc"), (:round, "round"))
    @eval Base.$f(x::Node) = emit($f, x.type, x.type, $(named(name)), x)
end
Base.abs2(x::Node) = emit(abs2, wide(x.type), wide(x.type), named("square"), x)
for (f, name) in ((:sqrt, "sqrt"), (:inv, "reciprocal"), (:exp, "exp"), (:exp2, "exp2"),
                  (:expm1, "expm1"), (:log, "log"), (:log2, "log2"), (:log10, "log10"),
                  (:log1p, "log1p"), (:sin, "sin"), (:cos, "cos"), (:tan, "tan"), (:asin, "asin"),
                  (:acos, "acos"), (:atan, "atan"), (:sinh, "sinh"), (:cosh, "cosh"),
                  (:tanh, "tanh"), (:asinh, "asinh"), (:acosh, "acosh"), (:atanh, "atanh"))
    @eval Base.$f(x::Node) = (T = float(x.type); emit($f, T, T, $(named(name)), x))
end
both(:atan) do f, A, B
    @eval Base.$f(a::$A, b::$B) = (T = float(common(a, b)); emit($f, T, T, named("atan2"), a, b))
end
for f in (:isnan, :isinf, :isfinite)
    @eval Base.$f(x::Node) = emit($f, x.type, Bool, $(named(string(f))), x)
end
both(:isless) do f, A, B
    @eval Base.$f(a::$A, b::$B) = a < b
end
Base.iszero(x::Node) = x == zero(x.type)
Base.isone(x::Node) = x == one(x.type)

for (f, out) in ((:muladd, "fma"), (:fma, "fma"))
    @eval function Base.$f(a::Node, b::Operand, c::Operand)
        T = storable(promote_type(common(a, b), type_of(c)))
        return emit($f, T, T, named($out), a, b, c)
    end
end
function Base.clamp(x::Node, low::Operand, high::Operand)
    T = promote_type(common(x, low), common(x, high))
    return emit(clamp, T, T, named("clamp"), x, low, high)
end

"""
    Netcl.select(condition, x, y)

x where the condition holds, else y: `ifelse`, which functions can call in Julia before 1.8 too.
"""
function select(condition::Node, x::Operand, y::Operand)
    known(condition) && (condition.trace.lasting = false; return condition.value ? x : y)
    T = common(x, y)
    text = string("(", text_in(condition, Bool), " ? ", in_trace(condition, x, T), " : ",
                  in_trace(condition, y, T), ")")
    return Node(condition.trace, text, T, nothing)
end
select(condition::Bool, x, y) = ifelse(condition, x, y)
in_trace(::Node, x, ::Type{T}) where {T} = text_in(x, T)
@static if VERSION >= v"1.8"
    Base.ifelse(condition::Node, x::Operand, y::Operand) = select(condition, x, y)
end

# ---- Powers --------------------------------------------------------------------------------------

Base.literal_pow(::typeof(^), x::Node, ::Val{P}) where {P} = power(x, P)
Base.:^(x::Node, p::Integer) = power(x, Int(p))
function power(x::Node, p::Int)
    p == 0 && return one(x)
    p == 1 && return x
    p == 2 && return abs2(x)
    p == 3 && return x * x * x
    x.type <: Integer && p < 0 && throw(ArgumentError(
        "integers have no power of $p; convert them to a float type first"))
    x.type <: Integer && return emit(^, wide(x.type), wide(x.type), named("ipow"), x, p)
    p == -1 && return inv(x)
    p == -2 && return inv(abs2(x))
    return emit(^, x.type, x.type, named("pow"), x, p)
end
function any_power(a, b)
    S, T = type_of(a), type_of(b)
    S <: Integer && T <: Integer &&
        return emit(^, wide(S), wide(S), named("ipow"), a, b)
    R = S <: AbstractFloat && T <: Integer ? S : float(common(a, b))
    return emit(^, R, R, named("pow"), a, b)
end
Base.:^(a::Node, b::Node) = any_power(a, b)
Base.:^(a::Node, b::Number) = any_power(a, b)
Base.:^(a::Number, b::Node) = any_power(a, b)

# ---- Types ---------------------------------------------------------------------------------------

cast(x::Node, ::Type{T}) where {T} = x.type === T ? x :
    emit(y -> convert(T, y), x.type, T, named(dtype_word(T)), x)
function (::Type{T})(x::Node) where {T<:Storable}
    x.type <: AbstractFloat && T <: Integer && throw(ArgumentError(
        "$T.(x) would fail for numbers with a fraction; use trunc.($T, x), round.($T, x) or such"))
    x.type <: Integer && T <: Integer && !holds(T, x.type) && throw(ArgumentError(
        "$T.(x) would fail for numbers that $T cannot hold; x .% $T wraps around"))
    return cast(x, T)
end
holds(::Type{T}, ::Type{S}) where {T,S} = typemin(T) <= typemin(S) && typemax(S) <= typemax(T)
Base.convert(::Type{T}, x::Node) where {T<:Storable} = T(x)
Base.rem(x::Node, ::Type{T}) where {T<:Storable} = cast(x, T)
for f in (:floor, :ceil, :trunc, :round)
    # What does not fit saturates, and NaN is 0: no element can throw.
    @eval Base.$f(::Type{T}, x::Node) where {T<:Storable} = cast($f(x), T)
end
Base.float(x::Node) = cast(x, float(x.type))
Base.zero(x::Node) = number_node(x.trace, zero(x.type))
Base.one(x::Node) = number_node(x.trace, one(x.type))
Base.real(x::Node) = x
Base.conj(x::Node) = x

# ---- Functions of the library that Julia has no name for -----------------------------------------

for f in (:relu, :square)
    @eval $f(x::Node) = emit($f, wide(x.type), wide(x.type), $(named(string(f))), x)
end
for f in (:rsqrt, :sigmoid, :silu, :gelu, :gelu_tanh, :softplus, :softsign, :mish, :erf, :erfc)
    @eval begin
        "For broadcasting: `Netcl.$($(string(f))).(x)`; the bounds are in docs/expressions.md."
        $f(x::Node) = (T = float(x.type); emit($f, T, T, $(named(string(f))), x))
    end
end
for f in (:elu, :leaky_relu)
    @eval $f(x::Node, a::Operand) = (T = float(common(x, a)); emit($f, T, T, $(named(string(f))),
                                                                   x, a))
end
relu(x::Number) = max(x, zero(x))
square(x::Number) = abs2(x)
sigmoid(x::Number) = inv(one(x) + exp(-x))
