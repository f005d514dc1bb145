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
