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
    S <: Integer && T <: Integer && return as_row_if(a.row, integer_product(a, b))
    R = promote_type(S, T)
    into = NetclArray{R}(undef, size(a, 1), size(b, 2); device = a.device)
    op_matmul(same_type(a, R), same_type(b, R); into = into)
    return as_row_if(a.row, into)
end
function Base.:*(a::NetclMatrix{S}, b::NetclVector{T}) where {S,T}
    check_product(a, b)
    a.row && return LinearAlgebra.dot(transpose(a), b)
    S <: Integer && T <: Integer && return integer_product(a, b)
    R = promote_type(S, T)
    into = NetclArray{R}(undef, size(a, 1); device = a.device)
    op_matmul(same_type(a, R), same_type(b, R); into = into)
    return into
end
# An outer product has elements of one product each.
function Base.:*(a::NetclVector, b::NetclMatrix)
    b.row && return a .* b
    return strided_view(a, (length(a), 1), (a.strides[1], 0), 0) * b
end
# What is on the host goes to the device first, as in a broadcast. Views and transposes of the host are
# packed on the way.
const HostParts{N} = Union{SubArray{<:Storable,N},Base.ReshapedArray{<:Storable,N}}
const HostParents = Union{Matrix{<:Storable},HostParts{2}}
const HostMatrix = Union{HostParents,LinearAlgebra.Adjoint{<:Storable,<:HostParents},
                         LinearAlgebra.Transpose{<:Storable,<:HostParents},
                         PermutedDimsArray{<:Storable,2}}
const HostVector = Union{Vector{<:Storable},HostParts{1},AbstractRange{<:Storable}}
const HostRow = Union{LinearAlgebra.Adjoint{<:Storable,<:HostVector},
                      LinearAlgebra.Transpose{<:Storable,<:HostVector}}
sent(x::AbstractArray, near::NetclArray) = from_host(convert(Array, x), near.device)
sent(x::HostRow, near::NetclArray) = transpose(sent(parent(x), near))
Base.:*(a::NetclMatrix, b::Union{HostMatrix,HostVector}) = a * sent(b, a)
Base.:*(a::NetclVector, b::HostMatrix) = a * sent(b, a)
Base.:*(a::HostMatrix, b::Columns) = sent(a, b) * b
Base.:*(a::HostVector, b::NetclMatrix) = sent(a, b) * b
Base.:*(a::HostRow, b::NetclMatrix) = sent(a, b) * b
LinearAlgebra.dot(a::NetclArray, b::Union{Array{<:Storable},HostMatrix,HostVector}) =
    LinearAlgebra.dot(a, sent(b, a))
LinearAlgebra.dot(a::Union{Array{<:Storable},HostMatrix,HostVector}, b::NetclArray) =
    LinearAlgebra.dot(sent(a, b), b)
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
                            beta::Number) where {T<:AbstractFloat}
    check_product(a, b)
    size(c) == (size(a, 1), size(b)[2:end]...) || throw(DimensionMismatch(
        "C has size $(size(c)), the product $((size(a, 1), size(b)[2:end]...))"))
    op_matmul(a, b; into = c, has_scale = 1, alpha = alpha, beta = beta)
    return c
end
# Other types: the product as * has it, and what is left of alpha and beta.
function LinearAlgebra.mul!(c::Columns, a::NetclMatrix, b::Columns, alpha::Number, beta::Number)
    check_product(a, b)
    size(c) == (size(a, 1), size(b)[2:end]...) || throw(DimensionMismatch(
        "C has size $(size(c)), the product $((size(a, 1), size(b)[2:end]...))"))
    shares_memory(c, a) || shares_memory(c, b) ? throw(ArgumentError(
        "C shares memory with a factor")) : nothing
    made = a.row ? as_columns(a) * b : a * b
    iszero(beta) ? (c .= made .* alpha) : (c .= made .* alpha .+ c .* beta)
    return c
end
LinearAlgebra.mul!(c::Columns, a::NetclMatrix, b::Columns) =
    LinearAlgebra.mul!(c, a, b, true, false)
as_columns(x::NetclMatrix{T}) where {T} =
    NetclMatrix{T}(x.tensor, x.dims, x.strides, x.device, x.root, x.offset, false)

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

LinearAlgebra.dot(x::NetclVector, a::NetclMatrix, y::NetclVector) = LinearAlgebra.dot(x, a * y)

# ---- In place ------------------------------------------------------------------------------------

LinearAlgebra.rmul!(x::NetclArray, a::Number) = (x .= x .* a; x)
LinearAlgebra.lmul!(a::Number, x::NetclArray) = (x .= a .* x; x)
LinearAlgebra.rdiv!(x::NetclArray, a::Number) = (x .= x ./ a; x)
LinearAlgebra.ldiv!(a::Number, x::NetclArray) = (x .= a .\ x; x)
function LinearAlgebra.axpy!(a::Number, x::NetclArray, y::NetclArray)
    same_count(x, y)
    y .+= a .* in_shape(x, y)
    return y
end
function LinearAlgebra.axpby!(a::Number, x::NetclArray, b::Number, y::NetclArray)
    same_count(x, y)
    y .= a .* in_shape(x, y) .+ b .* y
    return y
end
same_count(x, y) = length(x) == length(y) || throw(DimensionMismatch(
    "one array has $(length(x)) elements, the other $(length(y))"))
in_shape(x, y) = size(x) == size(y) ? x : reshape(packed(x), size(y))

function LinearAlgebra.normalize(x::NetclArray{T}, p::Real = 2) where {T}
    length(x) == 0 && return float.(x)
    return LinearAlgebra.normalize!(copyto!(similar(x, typeof(one(T) / norm_type(x))), x), p)
end
norm_type(x::NetclArray{T}) where {T} = one(float(T))
function LinearAlgebra.normalize!(x::NetclArray, p::Real = 2)
    x ./= LinearAlgebra.norm(x, p)
    return x
end
LinearAlgebra.normalize!(x::NetclVector, p::Real) =
    invoke(LinearAlgebra.normalize!, Tuple{NetclArray,Real}, x, p)

# ---- Diagonals and triangles ---------------------------------------------------------------------

"A view of the k-th diagonal."
function diagonal_view(x::NetclMatrix, k::Integer)
    m, n = size(x)
    -m <= k <= n || throw(ArgumentError("there is no diagonal $k of an array of size $(size(x))"))
    rows, columns = k < 0 ? (m + k, n) : (m, n - k)
    offset = k < 0 ? -k * x.strides[1] : k * x.strides[2]
    return strided_view(x, (max(min(rows, columns), 0),), (x.strides[1] + x.strides[2],), Int(offset))
end
LinearAlgebra.diag(x::NetclMatrix, k::Integer = 0) = copy(diagonal_view(x, k))
function LinearAlgebra.tr(x::NetclMatrix)
    size(x, 1) == size(x, 2) || throw(DimensionMismatch("matrix is not square: $(size(x))"))
    return sum(diagonal_view(x, 0))
end

rows_and_columns(x) = (1:size(x, 1)), reshape(1:size(x, 2), 1, :)
for (name, side) in ((:tril, :>=), (:triu, :<=))
    inplace = Symbol(name, "!")
    @eval begin
        function LinearAlgebra.$name(x::NetclMatrix{T}, k::Integer = 0) where {T}
            i, j = rows_and_columns(x)
            return ifelse.($side.(i .+ k, j), x, zero(T))
        end
        LinearAlgebra.$inplace(x::NetclMatrix, k::Integer = 0) =
            copyto!(x, LinearAlgebra.$name(x, k))
    end
end

const Scaling = LinearAlgebra.UniformScaling
function with_scaling(f, x::NetclMatrix, s::Scaling)
    size(x, 1) == size(x, 2) || throw(DimensionMismatch("matrix is not square: $(size(x))"))
    i, j = rows_and_columns(x)
    return ifelse.(i .== j, f.(x, s.λ), f.(x, zero(s.λ)))
end
Base.:+(x::NetclMatrix, s::Scaling) = with_scaling(+, x, s)
Base.:+(s::Scaling, x::NetclMatrix) = with_scaling(+, x, s)
Base.:-(x::NetclMatrix, s::Scaling) = with_scaling(-, x, s)
Base.:-(s::Scaling, x::NetclMatrix) = with_scaling((x, a) -> a - x, x, s)
Base.:*(x::NetclMatrix, s::Scaling) = x * s.λ
Base.:*(s::Scaling, x::NetclMatrix) = s.λ * x

const Diagonals = LinearAlgebra.Diagonal{<:Any,<:NetclVector}
function Base.:*(x::NetclMatrix, d::Diagonals)
    check_product(x, d)
    return x .* reshape(packed(d.diag), 1, :)
end
Base.:*(d::Diagonals, x::NetclMatrix) = (check_product(d, x); d.diag .* x)
Base.:*(d::Diagonals, x::NetclVector) = (check_product(d, x); d.diag .* x)
function LinearAlgebra.kron(a::NetclMatrix, b::NetclMatrix)
    (m, n), (p, q) = size(a), size(b)
    made = reshape(packed(a), 1, m, 1, n) .* reshape(packed(b), p, 1, q, 1)
    return reshape(made, m * p, n * q)
end
LinearAlgebra.transpose!(out::NetclMatrix, x::NetclMatrix) = permutedims!(out, x, (2, 1))
LinearAlgebra.adjoint!(out::NetclMatrix, x::NetclMatrix) = permutedims!(out, x, (2, 1))

# ---- What there is not ---------------------------------------------------------------------------

not_here(name) = throw(ArgumentError(
    "$name has no form on the device; $name(Array(x)) computes it on the host"))
for name in (:inv, :sqrt, :log, :exp, :sin, :cos, :tan, :sincos, :asin, :acos, :atan, :sinh, :cosh, :tanh)
    @eval Base.$name(x::NetclMatrix) = not_here($(string(name)))
end
Base.:^(x::NetclMatrix, p::Union{AbstractFloat,Rational}) =
    isinteger(p) ? x^Integer(p) : throw(ArgumentError(
        "a power of $p has no form on the device; Array(x)^($p) computes it on the host"))
for name in (:det, :logdet, :logabsdet, :lu, :qr, :svd, :svdvals, :eigen, :eigvals, :eigvecs, :schur,
             :hessenberg, :bunchkaufman, :cholesky, :isposdef, :pinv, :opnorm, :cond, :rank, :nullspace,
             :factorize)
    @eval LinearAlgebra.$name(x::NetclMatrix) = not_here($(string(name)))
end
no_equations() = throw(ArgumentError(
    "no equations are solved on the device; Array(a) \\ Array(b) solves them on the host"))
Base.:\(a::NetclMatrix, b::NetclVecOrMat) = no_equations()
Base.:\(a::NetclMatrix, b::Union{HostMatrix,HostVector}) = no_equations()
Base.:\(a::HostMatrix, b::NetclVecOrMat) = no_equations()
