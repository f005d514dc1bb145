# The order of elements: reversed, rotated, repeated, sorted.

function Base.reverse(x::NetclArray; dims = :)
    axes = dims === Colon() ? (1:ndims(x)) : dims
    all(k -> k isa Integer && 1 <= k <= ndims(x), axes) || throw(ArgumentError(
        "dims is $dims; there are $(ndims(x)) dimensions"))
    return copy(view(x, ntuple(k -> k in axes ? (size(x, k):-1:1) : Colon(), ndims(x))...))
end
function Base.reverse(x::NetclVector, first::Integer, last::Integer = length(x))
    made = copy(x)
    return first < last ? reverse!(made, first, last) : made
end
Base.reverse!(x::NetclArray; dims = :) = copyto!(x, reverse(x; dims = dims))
function Base.reverse!(x::NetclVector, first::Integer, last::Integer = length(x))
    part = view(x, first:last)
    copyto!(part, reverse(part))
    return x
end

Base.circshift(x::NetclArray, shift::Integer) = rotated(x, (shift,))
Base.circshift(x::NetclArray, shifts::Tuple{Vararg{Integer}}) = rotated(x, shifts)
function rotated(x::NetclArray, shifts)
    length(shifts) <= ndims(x) || throw(ArgumentError(
        "the shifts are $shifts: $(length(shifts)), of $(ndims(x)) dimensions"))
    made = x
    for (k, shift) in enumerate(shifts)
        n = size(x, k)
        by = n == 0 ? 0 : mod(shift, n)
        by == 0 && continue
        part(range) = view(made, ntuple(d -> d == k ? range : Colon(), ndims(x))...)
        made = cat(part((n - by + 1):n), part(1:(n - by)); dims = k)
    end
    return made === x ? copy(x) : made
end
Base.circshift!(dest::NetclArray, src::NetclArray, shift::Integer) =
    copyto_same!(dest, circshift(src, shift))
Base.circshift!(dest::NetclArray, src::NetclArray, shifts::Tuple{Vararg{Integer}}) =
    copyto_same!(dest, rotated(src, shifts))
Base.circshift!(dest::NetclArray, src::NetclArray, ::Tuple{}) = copyto_same!(dest, src)

Base.repeat(x::NetclArray, counts::Integer...) = repeat(x; outer = counts)
function Base.repeat(x::NetclArray; inner = (), outer = ())
    inner, outer = Tuple(inner), Tuple(outer)
    rank = max(ndims(x), length(inner), length(outer))
    times(counts, k) = k <= length(counts) ? Int(counts[k]) : 1
    y = pad_rank(x, rank)
    for k in 1:rank
        times(inner, k) == 1 && times(outer, k) == 1 && continue
        list = repeat(collect(1:size(y, k)); inner = times(inner, k), outer = times(outer, k))
        y = y[ntuple(d -> d == k ? list : Colon(), rank)...]
    end
    return y === x ? copy(x) : y
end

function Base.diff(x::NetclArray; dims::Integer = only_dimension(x))
    1 <= dims <= ndims(x) || throw(ArgumentError(
        "dims is $dims; there are $(ndims(x)) dimensions"))
    n = size(x, dims)
    part(range) = view(x, ntuple(k -> k == dims ? range : Colon(), ndims(x))...)
    return part(2:n) .- part(1:(n - 1))
end

# ---- Sorted --------------------------------------------------------------------------------------

sort_dimension(x::NetclVector, dims) = dims === nothing ? 1 : sort_dimension_of(x, dims)
sort_dimension(x, dims) = dims === nothing ? only_dimension(x) : sort_dimension_of(x, dims)
sort_dimension_of(x, dims) = 1 <= dims <= ndims(x) ? Int(dims) : throw(ArgumentError(
    "dims is $dims; there are $(ndims(x)) dimensions"))

"The k first along a dimension in order, and where they were, from 1 on. NaN is behind all numbers."
function sorted(x::NetclArray, k::Integer, dims, rev)
    axis = sort_dimension(x, dims)
    extents = ntuple(d -> d == axis ? Int(k) : size(x, d), ndims(x))
    values = similar(x, extents)
    places = similar(x, Int64, extents)
    isempty(values) && return values, places
    op_topk(x, k, axis - 1; smallest = !rev, into = values, indices_into = places)
    return values, places .+ 1
end

"The device sorts by numbers: there is no order of one's own."
only_by_numbers(name, options) = isempty(options) || throw(ArgumentError(
    "$name of a NetclArray takes rev and by, not $(join(keys(options), ", ")); " *
    "$name(Array(x); ...) does it on the host"))

function Base.sort(x::NetclArray; dims = nothing, rev::Bool = false, by = identity, options...)
    only_by_numbers("sort", options)
    axis = sort_dimension(x, dims)
    by === identity && return sorted(x, size(x, axis), axis, rev)[1]
    places = sorted(by.(x), size(x, axis), axis, rev)[2]
    made = similar(x)
    isempty(made) || op_gather_elements(x, places .- 1, axis - 1; into = made)
    return made
end
Base.sort!(x::NetclArray; options...) = copyto!(x, sort(x; options...))
Base.sortperm!(places::NetclVector, x::NetclVector; rev::Bool = false, by = identity) =
    copyto_same!(places, sortperm(x; rev = rev, by = by))
function Base.sortperm(x::NetclVector; rev::Bool = false, by = identity, options...)
    only_by_numbers("sortperm", options)
    return sorted(mapped(by, x), length(x), 1, rev)[2]
end
"The `k` smallest, or with `rev` largest, elements, or the k-th of them."
function Base.partialsort(x::NetclVector, k::Union{Integer,OrdinalRange}; rev::Bool = false,
                          by = identity)
    isempty(k) && return similar(x, 0)
    checkbounds(x, k)
    places = sorted(mapped(by, x), maximum(k), 1, rev)[2]
    return k isa Integer ? item(x[places[k:k]]) : x[places[k]]
end
Base.partialsortperm(x::NetclVector, k::OrdinalRange; rev::Bool = false, by = identity) =
    isempty(k) ? similar(x, Int64, 0) : (checkbounds(x, k); sorted(mapped(by, x), maximum(k), 1, rev)[2][k])
function Base.issorted(x::NetclVector; rev::Bool = false, by = identity)
    length(x) < 2 && return true
    y = mapped(by, x)
    before, after = view(y, 1:(length(y) - 1)), view(y, 2:length(y))
    return rev ? !any(isless.(before, after)) : !any(isless.(after, before))
end

# ---- Turned and permuted -------------------------------------------------------------------------

Base.rot180(x::NetclMatrix) = reverse(x)
Base.rotl90(x::NetclMatrix) = reverse(permutedims(x); dims = 1)
Base.rotr90(x::NetclMatrix) = reverse(permutedims(x); dims = 2)
Base.permute!(x::NetclVector, order::AbstractVector) = copyto!(x, x[order])
Base.invpermute!(x::NetclVector, order::AbstractVector) = (x[order] = copy(x); x)
