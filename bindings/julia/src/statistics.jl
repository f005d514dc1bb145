# Means and variances. Those of Statistics would go through the elements one by one.

over(total, count) = total isa NetclArray ? total ./ count : total / count

# How many elements become one.
folded(x::NetclArray, dims) =
    dims === Colon() ? length(x) : prod(Int[size(x, k) for k in unique(dims)])

function average(x::NetclArray{T}, dims) where {T}
    T <: AbstractFloat && length(x) > 0 && return reduce_to(REDUCTION_MEAN, x, T, dims)
    return over(sum(x; dims = dims), folded(x, dims))
end
mean(x::NetclArray; dims = :) = average(x, dims)
mean(f, x::NetclArray; dims = :) = average(mapped(f, x), dims)

function var(x::NetclArray; corrected::Bool = true, mean = nothing, dims = :)
    middle = mean === nothing ? average(x, dims) :
             mean isa Array ? NetclArray(mean; device = x.device) : mean
    return over(sum(abs2, x .- middle; dims = dims), max(folded(x, dims) - corrected, 0))
end
function std(x::NetclArray; options...)
    found = var(x; options...)
    return found isa NetclArray ? sqrt.(found) : sqrt(found)
end

# ---- Of two, and of order ------------------------------------------------------------------------

# Columns are the variables, or rows with dims = 2.
function cov(x::NetclMatrix; dims::Integer = 1, corrected::Bool = true)
    y = dims == 1 ? x : transpose(x)
    centred = y .- mean(y; dims = 1)
    return transpose(centred) * centred ./ (size(y, 1) - corrected)
end
function cov(x::NetclVector, y::NetclVector; corrected::Bool = true)
    same_count(x, y)
    return sum((x .- mean(x)) .* (y .- mean(y))) / (length(x) - corrected)
end
function cor(x::NetclMatrix; dims::Integer = 1)
    y = dims == 1 ? x : transpose(x)
    centred = y .- mean(y; dims = 1)
    norms = sqrt.(sum(abs2, centred; dims = 1))
    found = clamp.(transpose(centred) * centred ./ (transpose(norms) .* norms), -1, 1)
    fill!(diagonal_view(found, 0), 1)
    return found
end
function cor(x::NetclVector, y::NetclVector)
    same_count(x, y)
    a, b = x .- mean(x), y .- mean(y)
    return clamp(LinearAlgebra.dot(a, b) / (LinearAlgebra.norm(a) * LinearAlgebra.norm(b)), -1, 1)
end

# Sorted by the device; the few elements that count are then looked up on the host.
quantile(x::NetclVector, p; options...) =
    quantile(Array(sort(x)), p; sorted = true, options...)
median(x::NetclVector) = isempty(x) ? throw(ArgumentError(
    "median of an empty array is undefined")) : median!(Array(sort(x)))
