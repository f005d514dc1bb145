# Arithmetic of expressions, as Base has it for numbers of each type.

for (f, sign) in ((:+, " + "), (:-, " - "), (:*, " * "))
    format = infix(sign)
    both(f) do f, A, B
        @eval function Base.$f(@nospecialize(a::$A), @nospecialize(b::$B))
            T = common(a, b)
            $(f === :* && :(T === Bool && return a & b))
            return emit($f, wide(T), wide(T), $format, a, b)
        end
    end
end
both(:/) do f, A, B
    @eval Base.$f(@nospecialize(a::$A), @nospecialize(b::$B)) =
        (T = float(common(a, b)); emit($f, T, T, $(infix(" / ")), a, b))
end
for (f, format) in ((:min, named("min")), (:max, named("max")))
    both(f) do f, A, B
        @eval Base.$f(@nospecialize(a::$A), @nospecialize(b::$B)) =
            (T = common(a, b); emit($f, T, T, $format, a, b))
    end
end
for (f, sign) in ((:&, " & "), (:|, " | "), (:xor, " ^ "))
    both(f) do f, A, B
        @eval Base.$f(@nospecialize(a::$A), @nospecialize(b::$B)) =
            (T = common(a, b); emit($f, T, T, $(infix(sign)), a, b))
    end
end

# ---- Division with a remainder -------------------------------------------------------------------

mixed_signs(S, T) = S <: Integer && T <: Integer && S !== Bool && T !== Bool &&
                    (S <: Signed) != (T <: Signed)
both(:div, :rem, :mod) do f, A, B
    @eval function Base.$f(@nospecialize(a::$A), @nospecialize(b::$B))
        S, T = type_of(a), type_of(b)
        mixed_signs(S, T) && return $(Symbol(f, :_mixed))(a, b)
        R = common(a, b)
        return emit($f, R, R, $(Symbol(f, :_text))(R), a, b)
    end
end

in_type(@nospecialize(T), text) = string(dtype_word(T), "(", text, ")")
# Floats of 16 bits are rounded after each step.
step_in(::Type{T}, text) where {T<:Union{Float16,BFloat16}} = in_type(T, text)
step_in(@nospecialize(T), text) = text

div_text(::Type{Bool}) = (a, b) -> in_type(Bool, "i8($a) / i8($b)")
div_text(::Type{<:Integer}) = infix(" / ")
div_text(::Type{T}) where {T<:AbstractFloat} = (a, b) ->
    string("round(", step_in(T, string("(", step_in(T, "$a - $a % $b"), ") / ", b)), ")")
rem_text(::Type{Bool}) = (a, b) -> in_type(Bool, "i8($a) % i8($b)")
rem_text(::Type) = infix(" % ")
# The remainder has the sign of the dividend, the modulus that of the divisor.
mod_text(::Type{Bool}) = rem_text(Bool)
mod_text(::Type{<:Unsigned}) = infix(" % ")
mod_text(::Type{<:Signed}) = (a, b) ->
    (r = "($a % $b)"; "($r != 0 && ($r ^ $b) < 0 ? $r + $b : $r)")
mod_text(::Type{T}) where {T<:AbstractFloat} = function (a, b)
    r = "($a % $b)"
    zero = string("(", b, " < 0 ? ", text_in(-zero_of(T), T), " : ", text_in(zero_of(T), T), ")")
    return "($r == 0 ? $zero : ($r > 0) != ($b > 0) ? $(step_in(T, "$r + $b")) : $r)"
end
zero_of(::Type{BFloat16}) = 0f0
zero_of(::Type{T}) where {T} = zero(T)

# One of them is signed: Base works on the absolute value of that one and gives the sign back.
magnitude(x, R) = text_in(x, R)
function magnitude(x, ::Type{S}, R) where {S<:Signed}
    U = unsigned(S)
    text = in_type(U, string("abs(", text_in(x, S), ")"))
    return U === R ? text : in_type(R, text)
end
magnitude(x, ::Type{<:Unsigned}, R) = text_in(x, R)
is_negative(x, ::Type{S}) where {S<:Signed} = string("(", text_in(x, S), " < 0)")

function div_mixed(a, b)
    S, T = type_of(a), type_of(b)
    R = promote_type(unsigned(S), unsigned(T))
    Out = S <: Signed ? signed(R) : R
    return call(div, Out, a, b) do a, b
        quotient = string("(", magnitude(a, S, R), " / ", magnitude(b, T, R), ")")
        negative = S <: Signed ? is_negative(a, S) : is_negative(b, T)
        in_type(Out, "($negative ? 0 - $quotient : $quotient)")
    end
end
function rem_mixed(a, b)
    S, T = type_of(a), type_of(b)
    R = promote_type(unsigned(S), unsigned(T))
    Out = S <: Signed ? signed(R) : R
    return call(rem, Out, a, b) do a, b
        rest = string("(", magnitude(a, S, R), " % ", magnitude(b, T, R), ")")
        S <: Signed ? in_type(Out, "($(is_negative(a, S)) ? 0 - $rest : $rest)") : rest
    end
end
# mod(x, y) is rem(y + rem(x, y), y) in Base, where the sum wraps around.
function mod_mixed(a, b)
    T = type_of(b)
    all(known, (a, b)) && return on_numbers(mod, Any[a, b])
    rest = rem_mixed(a, b)
    R = T <: Signed ? signed(type_of(rest)) : unsigned(type_of(rest))
    Sum = promote_type(T, R)
    return rem(b + cast(rest, R), b)::Node{Sum}
end

# ---- Shifts --------------------------------------------------------------------------------------

# The library's own shifts are used within the width alone, where all devices agree. Beyond it
# nothing is left but the sign, and a negative count goes the other way.
bits(T) = 8 * sizeof(T)
"A count of places as far as it matters."
shift_count(::Type{Int64}, n::Integer) = n > 64 ? 64 : n < -64 ? -64 : Int64(n)
count_text(n) = text_in(n, Int64, known(n) ? shift_count : convert)
function count_text(n::Node{UInt64})
    known(n) && return text_in(n, Int64, shift_count)
    return in_type(Int64, "min($(n.text), u64(64))")
end

within(T, n) = in_type(T, "min($n, $(bits(T) - 1))")
left(T, x, n) = "($n < $(bits(T)) ? $x << $(within(T, n)) : $(in_type(T, "0")))"
right(::Type{T}, x, n) where {T<:Signed} = "($x >> $(within(T, n)))"
right(::Type{T}, x, n) where {T<:Unsigned} =
    "($n < $(bits(T)) ? $x >> $(within(T, n)) : $(in_type(T, "0")))"
"Forwards for counts from 0 on, else backwards."
function shifted(forwards, backwards, T, x, n)
    n isa Number && !(n isa Node) && return shifted_by(forwards, backwards, T, x, n)
    places = count_text(n)
    back = "i64(0) - max($places, i64(-64))"
    return "($places < 0 ? $(backwards(T, x, "max($back, i64(0))")) : " *
           "$(forwards(T, x, "max($places, i64(0))")))"
end
shifted_by(forwards, backwards, T, x, n) =
    n >= 0 ? forwards(T, x, string("i64(", shift_count(Int64, n), ")")) :
    backwards(T, x, string("i64(", -shift_count(Int64, n), ")"))

check_shift(f, a, b) =
    type_of(a) <: Integer && type_of(b) <: Integer || throw(MethodError(f, (a, b)))
for (f, forwards, backwards) in ((:<<, :left, :right), (:>>, :right, :left))
    # The type is that of the left side.
    @eval function shift_node(::typeof($f), a, b)
        check_shift($f, a, b)
        T = wide(type_of(a))
        return call((a, b) -> shifted($forwards, $backwards, T, text_in(a, T), b), $f, T, a, b)
    end
end
# Zeros come in from above, as they do for unsigned numbers.
wrapped(::Type{U}, x::Integer) where {U} = x % U
function shift_node(::typeof(>>>), a, b)
    check_shift(>>>, a, b)
    T = wide(type_of(a))
    U = unsigned(T)
    text(a) = text_in(a, U, known(a) ? wrapped : convert)
    return call((a, b) -> shifted(right, left, U, text(a), b), >>>, U, a, b) % T
end
for f in (:<<, :>>, :>>>)
    @eval Base.$f(a::Node, b::Node) = shift_node($f, a, b)
    @eval Base.$f(a::Node, b::Integer) = shift_node($f, a, b)
    @eval Base.$f(a::Integer, b::Node) = shift_node($f, a, b)
end

# ---- One operand ---------------------------------------------------------------------------------

Base.:+(x::Node) = type_of(x) === Bool ? cast(x, Int) : x
Base.:-(x::Node) = (T = wide(type_of(x)); emit(-, T, T, a -> "(-$a)", x))
# A method of ! has Julia before 1.6 compile again what it came with compiled, printing and random
# numbers among it. So there it is defined when the first function asks for it (see trace_call).
const NOT = quote
    Base.:!(x::Node) = type_of(x) === Bool ? emit(!, Bool, Bool, a -> "(!$a)", x) :
                       throw(MethodError(!, (x,)))
end
const NOT_IS_DEFINED = Ref(VERSION >= v"1.6")
NOT_IS_DEFINED[] && eval(NOT)
function define_not()
    NOT_IS_DEFINED[] || eval(NOT)
    NOT_IS_DEFINED[] = true
    return nothing
end
Base.:~(x::Node) = (T = type_of(x); T === Bool ? !x : emit(~, T, T, a -> "(~$a)", x))

# Functions that keep their type, and those that give a float.
for (f, name) in ((:abs, "abs"), (:sign, "sign"))
    @eval Base.$f(x::Node) = (T = type_of(x); emit($f, T, T, $(named(name)), x))
end
Base.abs2(x::Node) = (T = wide(type_of(x)); emit(abs2, T, T, named("square"), x))
for (f, name) in ((:sqrt, "sqrt"), (:inv, "reciprocal"), (:exp, "exp"), (:exp2, "exp2"),
                  (:expm1, "expm1"), (:log, "log"), (:log2, "log2"), (:log10, "log10"),
                  (:log1p, "log1p"), (:sin, "sin"), (:cos, "cos"), (:tan, "tan"), (:asin, "asin"),
                  (:acos, "acos"), (:atan, "atan"), (:sinh, "sinh"), (:cosh, "cosh"),
                  (:tanh, "tanh"), (:asinh, "asinh"), (:acosh, "acosh"), (:atanh, "atanh"))
    @eval Base.$f(x::Node) = (T = float(type_of(x)); emit($f, T, T, $(named(name)), x))
end
# Base makes floats of both first: an Int beside a Float32 is a Float64.
both(:atan) do f, A, B
    @eval Base.$f(a::$A, b::$B) = (
        T = storable(promote_type(float(type_of(a)), float(type_of(b)))); emit($f, T, T, named("atan2"), a, b))
end

for (f, out) in ((:muladd, "fma"), (:fma, "fma"))
    @eval function Base.$f(a::Node, b::Real, c::Real)
        T = storable(promote_type(common(a, b), type_of(c)))
        return emit($f, T, T, named($out), a, b, c)
    end
end
function Base.clamp(x::Node, low::Real, high::Real)
    T = promote_type(common(x, low), common(x, high))
    # As Base has it where low is above high; the library's clamp has another order.
    return emit(clamp, T, T, (x, low, high) -> "($x > $high ? $high : ($x < $low ? $low : $x))",
                x, low, high)
end

# ---- Powers --------------------------------------------------------------------------------------

Base.literal_pow(::typeof(^), x::Node, ::Val{P}) where {P} = power(x, P)
Base.:^(x::Node, p::Integer) = power(x, Int(p))
function power(x::Node, p::Int)
    T = type_of(x)
    p == 0 && return one(x)
    p == 1 && return x
    p == 2 && return abs2(x)
    p == 3 && return x * x * x
    T <: Integer && p < 0 && throw(ArgumentError(
        "integers have no power of $p; convert them to a float type first"))
    T <: Integer && return emit(^, wide(T), wide(T), named("ipow"), x, p)
    p == -1 && return inv(x)
    p == -2 && return inv(abs2(x))
    return emit(^, T, T, named("pow"), x, p)
end
function any_power(a, b)
    S, T = type_of(a), type_of(b)
    S <: Integer && T <: Integer &&
        return emit(^, wide(S), wide(S), named("ipow"), a, b)
    R = S <: AbstractFloat && T <: Integer ? S : float(common(a, b))
    return emit(^, R, R, named("pow"), a, b)
end
both(:^) do f, A, B
    @eval Base.$f(a::$A, b::$B) = any_power(a, b)
end
Base.:^(a::Irrational{:ℯ}, b::Node) = exp(b)

# ---- Functions of the library that Julia has no name for -----------------------------------------

for f in (:relu, :square)
    @eval $f(x::Node) = (T = wide(type_of(x)); emit($f, T, T, $(named(string(f))), x))
end
for f in (:rsqrt, :sigmoid, :silu, :gelu, :gelu_tanh, :softplus, :softsign, :mish, :erf, :erfc)
    @eval begin
        "For broadcasting: `Netcl.$($(string(f))).(x)`; the bounds are in docs/expressions.md."
        $f(x::Node) = (T = float(type_of(x)); emit($f, T, T, $(named(string(f))), x))
    end
end
for f in (:elu, :leaky_relu)
    @eval $f(x::Node, a::Real) =
        (T = float(common(x, a)); emit($f, T, T, $(named(string(f))), x, a))
end
relu(x::Number) = max(x, zero(x))
square(x::Number) = abs2(x)
sigmoid(x::Number) = inv(one(x) + exp(-x))
