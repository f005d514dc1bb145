# Products and norms.

const Columns{T} = Union{NetclVector{T},NetclMatrix{T}}

# Views: no copy, and no wrapper that other functions would have to know.
LinearAlgebra.transpose(x::NetclMatrix) = permuted_view(x, (2, 1))
LinearAlgebra.transpose(x::NetclVector) = reshape_row(x)
LinearAlgebra.adjoint(x::Columns) = transpose(x)
reshape_row(x::NetclVector) = strided_view(x, (1, length(x)), (0, x.strides[1]), 0)

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
    return into
end
function Base.:*(a::NetclMatrix{S}, b::NetclVector{T}) where {S,T}
    check_product(a, b)
    R = promote_type(S, T)
    into = NetclArray{R}(undef, size(a, 1); device = a.device)
    op_matmul(same_type(a, R), same_type(b, R); into = into)
    return into
end
Base.:*(a::NetclVector, b::NetclMatrix) = reshape(a, length(a), 1) * b
Base.:*(a::NetclArray, b::Number) = a .* b
Base.:*(a::Number, b::NetclArray) = a .* b
Base.:/(a::NetclArray, b::Number) = a ./ b

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

function LinearAlgebra.dot(a::NetclArray, b::NetclArray)
    length(a) == length(b) || throw(DimensionMismatch(
        "one array has $(length(a)) elements, the other $(length(b))"))
    return sum(a .* (size(a) == size(b) ? b : reshape(b, size(a))))
end

function LinearAlgebra.norm(x::NetclArray{T}, p::Real = 2) where {T}
    p == 2 && return reduce_to(REDUCTION_L2, x, float(T), :)
    length(x) == 0 && return zero(float(T))
    p == 1 && return float(sum(abs, x))
    p == Inf && return float(maximum(abs, x))
    p == -Inf && return float(minimum(abs, x))
    throw(ArgumentError("the norm of p = $p is not there; p is 1, 2, Inf or -Inf"))
end
