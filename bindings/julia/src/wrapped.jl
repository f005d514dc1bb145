# Diagonal, triangular and symmetric matrices of LinearAlgebra around arrays on devices. They say how a
# matrix is to be read. What Base does with them goes through their elements one by one; here an array
# is made of them first.

const Matrices = NetclMatrix
const Triangles = Union{LinearAlgebra.UpperTriangular{<:Any,<:Matrices},
                        LinearAlgebra.LowerTriangular{<:Any,<:Matrices},
                        LinearAlgebra.UnitUpperTriangular{<:Any,<:Matrices},
                        LinearAlgebra.UnitLowerTriangular{<:Any,<:Matrices}}
const Mirrored = Union{LinearAlgebra.Symmetric{<:Any,<:Matrices},
                       LinearAlgebra.Hermitian{<:Any,<:Matrices}}
const Wrapped = Union{Diagonals,Triangles,Mirrored}

with_ones(x::NetclMatrix{T}) where {T} =
    (rows = rows_and_columns(x); ifelse.(rows[1] .== rows[2], one(T), x))
dense(d::Diagonals) = spread(d.diag, length(d.diag), length(d.diag), 0)
dense(w::LinearAlgebra.UpperTriangular) = LinearAlgebra.triu(parent(w))
dense(w::LinearAlgebra.LowerTriangular) = LinearAlgebra.tril(parent(w))
dense(w::LinearAlgebra.UnitUpperTriangular) = with_ones(LinearAlgebra.triu(parent(w)))
dense(w::LinearAlgebra.UnitLowerTriangular) = with_ones(LinearAlgebra.tril(parent(w)))
function dense(w::Mirrored)
    i, j = rows_and_columns(w)
    return ifelse.((w.uplo == 'U' ? (<=) : (>=)).(i, j), parent(w), transpose(parent(w)))
end

"A matrix with a vector on its k-th diagonal and zeros elsewhere."
function spread(x::NetclVector{T}, m, n, k) where {T}
    made = zeros(T, m, n; device = x.device)
    isempty(x) || copyto!(diagonal_view(made, k), x)
    return made
end

NetclArray(w::Wrapped; device::Device = parent(w).device) = NetclArray(dense(w); device = device)
Base.Array(w::Wrapped) = Array(dense(w))
Base.Array{T}(w::Wrapped) where {T} = Array{T}(dense(w))
Base.Array{T,2}(w::Wrapped) where {T} = Array{T}(dense(w))
Base.collect(w::Wrapped) = Array(w)
Base.copyto!(dest::NetclMatrix, w::Wrapped) = copyto!(dest, dense(w))
Broadcast.broadcastable(w::Wrapped) = dense(w)

# Shown as Base shows those of the host.
on_host(d::Diagonals) = LinearAlgebra.Diagonal(Array(d.diag))
on_host(w::Triangles) = typeof(w).name.wrapper(Array(parent(w)))
on_host(w::Mirrored) = typeof(w).name.wrapper(Array(parent(w)), Symbol(w.uplo))
Base.print_array(io::IO, w::Wrapped) = Base.print_array(io, on_host(w))
Base.show(io::IO, w::Wrapped) = show(io, on_host(w))

for kind in (:Triangles, :Mirrored)
    @eval begin
        Base.:*(w::$kind, x::NetclMatrix) = dense(w) * x
        Base.:*(w::$kind, x::NetclVector) = dense(w) * x
        Base.:*(x::NetclMatrix, w::$kind) = x * dense(w)
        Base.:*(v::$kind, w::$kind) = dense(v) * dense(w)
    end
end
Base.:*(v::Triangles, w::Mirrored) = dense(v) * dense(w)
Base.:*(v::Mirrored, w::Triangles) = dense(v) * dense(w)
Base.:*(d::Diagonals, w::Union{Triangles,Mirrored}) = d * dense(w)
Base.:*(w::Union{Triangles,Mirrored}, d::Diagonals) = dense(w) * d
for f in (:+, :-), kind in (:Diagonals, :Triangles, :Mirrored)
    @eval Base.$f(w::$kind, x::NetclMatrix) = $f(dense(w), x)
    @eval Base.$f(x::NetclMatrix, w::$kind) = $f(x, dense(w))
end

function LinearAlgebra.inv(d::Diagonals)
    any(iszero, d.diag) && throw(LinearAlgebra.SingularException(findfirst(iszero, d.diag)))
    return LinearAlgebra.Diagonal(inv.(d.diag))
end
Base.:\(d::Diagonals, x::NetclVecOrMat) = inv(d) * x
Base.:\(w::Union{Triangles,Mirrored}, x::NetclVecOrMat) = no_equations()

# ---- What a matrix is, and matrices of diagonals -------------------------------------------------

square(x) = size(x, 1) == size(x, 2)
LinearAlgebra.issymmetric(x::NetclMatrix) = square(x) && x == transpose(x)
LinearAlgebra.ishermitian(x::NetclMatrix) = LinearAlgebra.issymmetric(x)
LinearAlgebra.istriu(x::NetclMatrix, k::Integer = 0) = all(iszero, LinearAlgebra.tril(x, k - 1))
LinearAlgebra.istril(x::NetclMatrix, k::Integer = 0) = all(iszero, LinearAlgebra.triu(x, k + 1))
LinearAlgebra.isdiag(x::NetclMatrix) = LinearAlgebra.istriu(x) && LinearAlgebra.istril(x)

LinearAlgebra.diagm(x::NetclVector) = LinearAlgebra.diagm(0 => x)
LinearAlgebra.diagm(m::Integer, n::Integer, x::NetclVector) = LinearAlgebra.diagm(m, n, 0 => x)
function LinearAlgebra.diagm(first::Pair{<:Integer,<:NetclVector}, rest::Pair{<:Integer,<:NetclVector}...)
    n = maximum(pair -> length(pair[2]) + abs(pair[1]), (first, rest...))
    return LinearAlgebra.diagm(n, n, first, rest...)
end
function LinearAlgebra.diagm(m::Integer, n::Integer, first::Pair{<:Integer,<:NetclVector},
                             rest::Pair{<:Integer,<:NetclVector}...)
    pairs = (first, rest...)
    T = promote_type(map(pair -> eltype(pair[2]), pairs)...)
    made = zeros(T, m, n; device = first[2].device)
    for (k, x) in pairs
        part = diagonal_view(made, k)
        length(x) <= length(part) || throw(DimensionMismatch(
            "diagonal $k of a matrix of size ($m, $n) has $(length(part)) elements, not $(length(x))"))
        view(part, 1:length(x)) .+= x
    end
    return made
end

for name in (:eigen, :eigvals)
    @eval LinearAlgebra.$name(x::LinearAlgebra.Symmetric{<:Real,<:Matrices}) = not_here($(string(name)))
    @eval LinearAlgebra.$name(x::LinearAlgebra.Hermitian{<:Real,<:Matrices}) = not_here($(string(name)))
end
