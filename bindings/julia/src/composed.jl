# Functions of Base that are made of those that expressions have.

as_type(::Type{T}, x::Node) where {T} = cast(x, T)
as_type(::Type{T}, x::Number) where {T} = T(x)
float_type(xs...) = float(storable(promote_type(map(type_of, xs)...)))

"Computes in Float32 what is of 16 bits, and rounds once."
function in_wider(f, xs...; result = float_type(xs...))
    T = float_type(xs...)
    R = T <: Union{Float16,BFloat16} ? Float32 : T
    return as_type(result, f(R, map(x -> as_type(R, x), xs)...))
end

pi_as(T) = T(Float64(π))
Base.deg2rad(x::Node) = in_wider((T, x) -> x * (pi_as(T) / 180), x)
Base.rad2deg(x::Node) = in_wider((T, x) -> x * (180 / pi_as(T)), x)
Base.exp10(x::Node) = in_wider((T, x) -> T(10)^x, x)

Base.cbrt(x::Node) = in_wider(x) do T, x
    y = abs(x)^(one(T) / 3)
    y -= (y - abs(x) / abs2(y)) / 3  # one step of Newton's: a third is no float
    select((x == 0) | isinf(x), x, sign(x) * y)
end

# What is left of x between -1 and 1 is exact, and nearer to 0 a sine is.
Base.sinpi(x::Node) = in_wider(x) do T, x
    r = x - 2 * round(x / 2)
    sin(pi_as(T) * select(abs(r) > T(0.5), sign(r) - r, r))
end
Base.cospi(x::Node) =
    in_wider((T, x) -> sin(pi_as(T) * (T(0.5) - abs(x - 2 * round(x / 2)))), x)

# Squares may be out of range where the result is not.
hypotenuse(a, b) = in_wider(a, b) do T, a, b
    large, small = max(abs(a), abs(b)), min(abs(a), abs(b))
    made = large * sqrt(1 + abs2(small / large))
    select(isinf(a) | isinf(b), T(Inf), select(large == 0, large, made))
end

# ---- Quotients that are rounded ------------------------------------------------------------------

function quotient(f, a, b)
    R = common(a, b)
    R === Bool && return div(a, b)
    if R <: AbstractFloat
        a, b = as_type(R, a), as_type(R, b)
        return f === fld ? round((a - mod(a, b)) / b) : -fld(-a, b)
    end
    whole, rest = div(a, b), rem(a, b)
    f === fld && return select((rest != 0) & ((a < 0) != (b < 0)), whole - one(whole), whole)
    return select((rest != 0) & ((a < 0) == (b < 0)), whole + one(whole), whole)
end
function modulus_from_one(a, b)
    R = common(a, b)
    a, b = as_type(R, a), as_type(R, b)
    m = mod(a, b)
    return select(m == 0, b, m)
end

for (f, made) in ((:hypot, hypotenuse), (:fld, (a, b) -> quotient(fld, a, b)),
                  (:cld, (a, b) -> quotient(cld, a, b)), (:mod1, modulus_from_one))
    both(f) do f, A, B
        @eval Base.$f(a::$A, b::$B) = $made(a, b)
    end
end

# ---- Signs and what is nearly equal --------------------------------------------------------------

is_negative(x) = type_of(x) <: AbstractFloat ? (x < 0) | ((x == 0) & (1 / x < 0)) : x < 0
with_sign(a, b) = select(is_negative(b), -abs(a), abs(a))

function nearly(a, b; atol = 0, rtol = nothing, nans = false)
    type_of(a) <: Integer && type_of(b) <: Integer && atol == 0 && rtol === nothing && return a == b
    return in_wider(a, b, result = Bool) do T, x, y
        of = filter(R -> R <: AbstractFloat, map(type_of, (a, b)))
        share = rtol !== nothing ? rtol : atol > 0 ? 0 : maximum(R -> sqrt(Float64(eps(R))), of)
        near = abs(x - y) <= max(T(share) * max(abs(x), abs(y)), T(atol))
        same = (x == y) | (isfinite(x) & isfinite(y) & near)
        nans ? same | (isnan(x) & isnan(y)) : same
    end
end

both(:copysign) do f, A, B
    @eval Base.copysign(a::$A, b::$B) = with_sign(a, b)
end
both(:isapprox) do f, A, B
    @eval Base.isapprox(a::$A, b::$B; options...) = nearly(a, b; options...)
end

# ---- Rounding to digits --------------------------------------------------------------------------

function rounded(f, x::Node, digits, sigdigits, base)
    sigdigits === nothing || throw(ArgumentError(
        "$f(x; sigdigits) goes by the size of each element, which no kernel does; digits is possible"))
    digits === nothing && return f(x)
    T = type_of(x)
    T <: Integer && digits >= 0 && return x
    T <: Integer && throw(ArgumentError("$f(x; digits = $digits) is for floats, and x has $T"))
    step = T(base === nothing ? 10 : base)^abs(digits)
    y = digits >= 0 ? f(x * step) / step : f(x / step) * step
    return select(isfinite(y), y, x)
end
for f in (:floor, :ceil, :trunc, :round)
    @eval Base.$f(x::Node; digits = nothing, sigdigits = nothing, base = nothing) =
        digits === sigdigits === nothing ? (T = type_of(x); emit($f, T, T, $(named(string(f))), x)) :
        rounded($f, x, digits, sigdigits, base)
end
for (mode, f) in ((:Up, :ceil), (:Down, :floor), (:ToZero, :trunc), (:Nearest, :round))
    @eval Base.round(x::Node, ::RoundingMode{$(QuoteNode(mode))}) = $f(x)
end
