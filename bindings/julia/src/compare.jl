# Comparisons of expressions. They are exact in Julia, also between types of which none holds all
# values of the other.

flipped(f) = f === (<) ? (>) : f === (<=) ? (>=) : f === (>) ? (<) : f === (>=) ? (<=) : f

for f in (:(==), :!=, :<, :<=, :>, :>=)
    both(f) do f, A, B
        @eval Base.$f(@nospecialize(a::$A), @nospecialize(b::$B)) = compare($f, a, b)
    end
end

function compare(@nospecialize(f), @nospecialize(a), @nospecialize(b))
    S, T = type_of(a), type_of(b)
    all(known, (a, b)) && return on_numbers(f, Any[a, b])
    if S <: AbstractFloat && !known(a) && known(b)
        return compare_number(f, a, b)
    elseif T <: AbstractFloat && !known(b) && known(a)
        return compare_number(flipped(f), b, a)
    elseif S <: Integer && !(T <: Integer)
        return compare_float(f, a, b)
    elseif T <: Integer && !(S <: Integer)
        return compare_float(flipped(f), b, a)
    elseif mixed_signs(S, T)
        max(sizeof(S), sizeof(T)) == 8 && return S <: Signed ?
            compare_signs(f, a, b) : compare_signs(flipped(f), b, a)
        return emit(f, Int64, Bool, infix(" $(nameof(f)) "), a, b)
    end
    return emit(f, common(a, b), Bool, infix(" $(nameof(f)) "), a, b)
end

# A number that is not among the floats lies between two of them: the one on the right side of it
# takes its place, and for equality none does.
float_above(::Type{F}, x) where {F} = (y = F(x); y < x ? nextfloat(y) : y)
float_below(::Type{F}, x) where {F} = (y = F(x); y > x ? prevfloat(y) : y)
float_equal(::Type{F}, x) where {F} = (y = F(x); y == x ? y : F(NaN))
rule_of(f) = f === (<) || f === (>=) ? float_above : f === (>) || f === (<=) ? float_below :
             float_equal
# All values of narrower floats are among those of Float32.
at_least_32(::Type{Float64}) = Float64
at_least_32(::Type) = Float32

"An array of floats with a number."
function compare_number(@nospecialize(f), a, b)
    F = at_least_32(type_of(a))
    return call(f, Bool, a, b) do a, b
        infix(" $(nameof(f)) ")(text_in(a, F), text_in(b, F, rule_of(f)))
    end
end

"Integers with floats. Rounding keeps the order, so it matters only where it gives equality."
function compare_float(@nospecialize(f), a, b)
    S = type_of(a)
    F = type_of(b) <: AbstractFloat ? at_least_32(type_of(b)) : Float64
    sizeof(S) <= (F === Float64 ? 4 : 2) &&
        return emit(f, F, Bool, infix(" $(nameof(f)) "), a, b)
    return call(f, Bool, a, b) do a, b
        x, y = text_in(a, S), text_in(b, F)
        rounded = in_type(F, x)
        # The first number past the type is a power of two, so it is a float.
        past = "$y >= $(text_in(F(2)^(bits(S) - (S <: Signed)), F))"
        same = "$x $(nameof(f)) $(in_type(S, y))"
        f === (==) && return "($rounded == $y && !($past) && $same)"
        f === (!=) && return "($rounded != $y || $past || $same)"
        f === (<) || f === (<=) ? "($rounded < $y || ($rounded == $y && ($past || $same)))" :
            "($rounded > $y || ($rounded == $y && !($past) && $same))"
    end
end

"Signed integers with unsigned ones where Int64 does not hold both."
function compare_signs(@nospecialize(f), a, b)
    return call(f, Bool, a, b) do a, b
        x = text_in(a, Int64)
        same = infix(" $(nameof(f)) ")(in_type(UInt64, x), text_in(b, UInt64))
        f === (<) || f === (<=) || f === (!=) ? "($x < 0 || $same)" : "($x >= 0 && $same)"
    end
end

# The order of sorting: NaN equals itself and comes last, and -0.0 comes before 0.0.
both(:isequal, :isless) do f, A, B
    @eval function Base.$f(a::$A, b::$B)
        S, T = type_of(a), type_of(b)
        all(known, (a, b)) && return on_numbers($f, Any[a, b])
        same = compare($(f === :isequal ? (==) : (<)), a, b)
        S <: Integer && T <: Integer && return same
        return call($f, Bool, a, b) do a, b
            x, y = sortable(a), sortable(b)
            $(Symbol(f, :_text))(same.text, x, y)
        end
    end
end
# Of a number nothing is asked but whether it is NaN, and on which side of zero it is.
"The text of an operand, and whether it may be NaN or -0.0."
sortable(x) = (T = type_of(x); T <: Integer ? (text_in(x, T), false) :
               (text_in(x, known(x) ? Float32 : T), true))
is_nan((text, float)) = float ? "isnan($text)" : "false"
# The inverse of a zero has its sign.
inverse((text, float)) = float ? "(1 / $text)" : "inf"
isequal_text(same, x, y) =
    "($(is_nan(x)) && $(is_nan(y)) || $same && ($(x[1]) != 0 || $(inverse(x)) == $(inverse(y))))"
isless_text(same, x, y) = "(!$(is_nan(x)) && ($(is_nan(y)) || $same || " *
    "$(x[1]) == 0 && $(y[1]) == 0 && $(inverse(x)) < $(inverse(y))))"

for f in (:isnan, :isinf, :isfinite)
    @eval Base.$f(x::Node) = emit($f, type_of(x), Bool, $(named(string(f))), x)
end
Base.iszero(x::Node{T}) where {T} = x == zero(T)
Base.isone(x::Node{T}) where {T} = x == one(T)

"""
    Netcl.select(condition, x, y)

x where the condition holds, else y: `ifelse`, which functions can call in Julia before 1.8 too.
"""
function select(condition::Node, x::Real, y::Real)
    known(condition) && (condition.trace.lasting = false; return condition.value ? x : y)
    T = common(x, y)
    text = string("(", text_in(condition, Bool), " ? ", text_in(x, T), " : ", text_in(y, T), ")")
    return Node{T}(condition.trace, text)
end
select(condition::Bool, x, y) = ifelse(condition, x, y)
@static if VERSION >= v"1.8"
    Base.ifelse(condition::Node, x::Real, y::Real) = select(condition, x, y)
end
