# Products and norms.

const Columns{T} = Union{NetclVector{T},NetclMatrix{T}}

# Views: no copy, and no wrapper that other functions would have to know.
LinearAlgebra.transpose(x::NetclMatrix) =
    x.row ? strided_view(x, (size(x, 2),), (x.strides[2],), 0) : permuted_view(x, (2, 1))
LinearAlgebra.transpose(x::NetclVector) =
    as_row(strided_view(x, (1, length(x)), (0, x.strides[1]), 0))
LinearAlgebra.adjoint(x::Columns) = transpose(x)
as_row(x::NetclMatrix{T}) where {T} =
    NetclMatrix{T}(x.tensor, x.dims, x.strides, x.device, x.root, x.offset, true)
as_row_if(condition, x) = condition ? as_row(x) : x

function check_product(a, b)
    size(a, 2) == size(b, 1) || throw(DimensionMismatch(
        "A has size $(size(a)), B has size $(size(b)): the inner dimensions differ"))
end

same_type(x::NetclArray{T}, ::Type{T}) where {T} = x
same_type(x::NetclArray, ::Type{T}) where {T} = cast_to(x, T)

function Base.:*(a::NetclMatrix{S}, b::NetclMatrix{T}) where {S,T}
    check_product(a, b)
    R = promote_type(S, T)
    into = NetclArray{R}(undef, size(a, 1), size(b, 2); device = a.device)
    op_matmul(same_type(a, R), same_type(b, R); into = into)
    return as_row_if(a.row, into)
end
function Base.:*(a::NetclMatrix{S}, b::NetclVector{T}) where {S,T}
    check_product(a, b)
    a.row && return LinearAlgebra.dot(transpose(a), b)
    R = promote_type(S, T)
    into = NetclArray{R}(undef, size(a, 1); device = a.device)
    op_matmul(same_type(a, R), same_type(b, R); into = into)
    return into
end
Base.:*(a::NetclVector, b::NetclMatrix) = reshape(a, length(a), 1) * b
Base.:*(a::NetclArray, b::Number) = a .* b
Base.:*(a::Number, b::NetclArray) = a .* b
Base.:/(a::NetclArray, b::Number) = a ./ b
Base.:*(a::NetclMatrix, b::Number) = as_row_if(a.row, a .* b)
Base.:*(a::Number, b::NetclMatrix) = as_row_if(b.row, a .* b)
Base.:/(a::NetclMatrix, b::Number) = as_row_if(a.row, a ./ b)

"""
    mul!(C, A, B, alpha, beta)

C = alpha A B + beta C in one call of the library. C shares no memory with A and B.
"""
function LinearAlgebra.mul!(c::Columns{T}, a::NetclMatrix{T}, b::Columns{T}, alpha::Number,
                            beta::Number) where {T}
    check_product(a, b)
    size(c) == (size(a, 1), size(b)[2:end]...) || throw(DimensionMismatch(
        "C has size $(size(c)), the product $((size(a, 1), size(b)[2:end]...))"))
    op_matmul(a, b; into = c, has_scale = 1, alpha = alpha, beta = beta)
    return c
end
LinearAlgebra.mul!(c::Columns{T}, a::NetclMatrix{T}, b::Columns{T}) where {T} =
    LinearAlgebra.mul!(c, a, b, true, false)

function LinearAlgebra.dot(a::NetclArray{S}, b::NetclArray{T}) where {S,T}
    length(a) == length(b) || throw(DimensionMismatch(
        "one array has $(length(a)) elements, the other $(length(b))"))
    found = sum(a .* (size(a) == size(b) ? b : reshape(b, size(a))))
    found isa Recorded && return found
    # sum widens integers; those of a product of vectors wrap around in their own type.
    R = typeof(one(S) * one(T) + one(S) * one(T))
    return R <: Integer ? found % R : convert(R, found)
end

function LinearAlgebra.norm(x::NetclArray{T}, p::Real = 2) where {T}
    R = float(T)
    length(x) == 0 && return zero(R)
    # In floats from the start: squares and absolute values of integers wrap around.
    y = same_type(x, R)
    p == 2 && return norm_of_squares(y)
    p == 1 && return sum(abs, y)
    p == Inf && return maximum(abs, y)
    p == -Inf && return minimum(abs, y)
    throw(ArgumentError("the norm of p = $p is not there; p is 1, 2, Inf or -Inf"))
end

"The root of the sum of squares; where these leave the range of numbers, everything is scaled."
function norm_of_squares(x::NetclArray{R}) where {R}
    found = reduce_to(REDUCTION_L2, x, R, :)
    S = R === Float64 ? Float64 : Float32  # squares of narrower types are summed in Float32
    isnan(found) || sqrt(floatmin(S) / eps(S)) <= found < Inf && return found
    largest = maximum(abs, x)
    0 < largest < Inf || return largest
    return R(S(largest) * S(reduce_to(REDUCTION_L2, x ./ largest, R, :)))
end
