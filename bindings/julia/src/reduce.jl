# Reductions and scans.

"The only element of a tensor."
item(x::NetclArray{T}) where {T} = read_all!(Array{T}(undef, size(x)), x)[1]

axes_list(x, ::Colon) = Int32[]
function axes_list(x, dims)
    for k in dims
        k isa Integer && k >= 1 || throw(ArgumentError("dims has to hold dimensions from 1 on"))
    end
    # In Julia a dimension past the last one may be reduced: nothing happens along it.
    return Int32[k - 1 for k in unique(dims) if k <= ndims(x)]
end

function reduce_to(kind::Reduction, x::NetclArray, ::Type{R}, dims) where {R}
    rows = axes_list(x, dims)
    if dims === Colon()
        return scalar(op_reduce(x, kind; dtype = R)::NetclArray{R,0})
    end
    isempty(rows) && return R.(x)
    extents = ntuple(k -> k - 1 in rows ? 1 : x.dims[k], ndims(x))
    into = NetclArray{R}(undef, extents; device = x.device)
    op_reduce(x, kind; axes = rows, keepdims = true, dtype = R, into = into)
    return into
end

# Sums of small integers are kept in Int, as in Julia.
sum_type(::Type{T}) where {T<:Union{Bool,Int8,Int16,Int32}} = Int64
sum_type(::Type{T}) where {T<:Union{UInt8,UInt16,UInt32}} = UInt64
sum_type(::Type{T}) where {T} = T

# Nothing is reduced where the result has no elements either.
not_empty(x, dims) = length(x) == 0 &&
    (dims === Colon() || all(k -> k in dims || size(x, k) > 0, 1:ndims(x))) &&
    throw(ArgumentError("reducing over an empty collection is not allowed"))

reduced(::typeof(+), x::NetclArray{T}, dims) where {T} =
    reduce_to(REDUCTION_SUM, x, typeof(zero(T) + zero(T)), dims)
reduced(::typeof(Base.add_sum), x::NetclArray{T}, dims) where {T} =
    reduce_to(REDUCTION_SUM, x, sum_type(T), dims)
reduced(::typeof(*), x::NetclArray{T}, dims) where {T} = reduce_to(REDUCTION_PROD, x, T, dims)
reduced(::typeof(Base.mul_prod), x::NetclArray{T}, dims) where {T} =
    reduce_to(REDUCTION_PROD, x, sum_type(T), dims)
reduced(::typeof(*), x::NetclArray{Bool}, dims) = reduced(&, x, dims)
reduced(::typeof(Base.mul_prod), x::NetclArray{Bool}, dims) = reduced(&, x, dims)
reduced(::typeof(max), x::NetclArray{T}, dims) where {T} =
    (not_empty(x, dims); reduce_to(REDUCTION_MAX, x, T, dims))
reduced(::typeof(min), x::NetclArray{T}, dims) where {T} =
    (not_empty(x, dims); reduce_to(REDUCTION_MIN, x, T, dims))
reduced(::typeof(&), x::NetclArray{Bool}, dims) = reduce_to(REDUCTION_ALL, x, Bool, dims)
reduced(::typeof(|), x::NetclArray{Bool}, dims) = reduce_to(REDUCTION_ANY, x, Bool, dims)
reduced(op, x::NetclArray, dims) = throw(ArgumentError(
    "$op is no reduction of the device; there are +, *, max, min, and & and | of Bool"))

mapped(::typeof(identity), x) = x
mapped(f, x) = f.(x)

function Base.mapreduce(f, op, x::NetclArray; dims = :, init = nothing)
    length(x) == 0 && dims === Colon() && op === max && f isa NonNegative && return largest(f, x)
    return begun(op, reduced(op, mapped(f, x), dims), init)
end
begun(op, result, init) =
    init === nothing ? result : result isa NetclArray ? op.(init, result) : op(init, result)
Base.mapreduce(f, op, x::NetclArray, rest::NetclArray...; options...) =
    mapreduce(identity, op, map(f, x, rest...); options...)
Base.reduce(op, x::NetclArray; options...) = mapreduce(identity, op, x; options...)

# The largest of no absolute values is 0.
const NonNegative = Union{typeof(abs),typeof(abs2)}
largest(f, x::NetclArray{T}) where {T} =
    length(x) == 0 ? f(zero(T)) : reduced(max, mapped(f, x), :)
Base.maximum(f::NonNegative, x::NetclArray; dims = :, init = nothing) =
    begun(max, dims === Colon() ? largest(f, x) : reduced(max, mapped(f, x), dims), init)

for (name, op) in ((:sum, Base.add_sum), (:prod, Base.mul_prod), (:maximum, max), (:minimum, min))
    @eval begin
        Base.$name(x::NetclArray; dims = :, init = nothing) =
            begun($op, reduced($op, x, dims), init)
        Base.$name(f, x::NetclArray; dims = :, init = nothing) =
            begun($op, reduced($op, mapped(f, x), dims), init)
        Base.$name(f::Function, x::NetclArray; dims = :, init = nothing) =
            begun($op, reduced($op, mapped(f, x), dims), init)
    end
end
# Without an array in between.
Base.sum(::typeof(abs2), x::NetclArray{T}; dims = :, init = nothing) where {T} =
    begun(Base.add_sum, reduce_to(REDUCTION_SUM_SQUARE, x, sum_type(T), dims), init)
Base.sum(::typeof(abs), x::NetclArray{T}; dims = :, init = nothing) where {T<:AbstractFloat} =
    begun(Base.add_sum, reduce_to(REDUCTION_L1, x, T, dims), init)

Base.all(x::NetclArray{Bool}; dims = :) = reduced(&, x, dims)
Base.any(x::NetclArray{Bool}; dims = :) = reduced(|, x, dims)
Base.all(f::Function, x::NetclArray; dims = :) = reduced(&, mapped(f, x), dims)
Base.any(f::Function, x::NetclArray; dims = :) = reduced(|, mapped(f, x), dims)
Base.count(x::NetclArray{Bool}; dims = :) = reduced(+, x, dims)
Base.count(f::Function, x::NetclArray; dims = :) = reduced(+, mapped(f, x), dims)

# ---- Places of extremes --------------------------------------------------------------------------

# The index in C order of the array turned round is the index in column-major order.
function place_of_extreme(kind::Reduction, x::NetclArray, last = false)
    not_empty(x, :)
    turned = permuted_view(x, ndims(x):-1:1)
    at = item(op_reduce(turned, kind; select_last = last)::NetclArray{Int64,0}) + 1
    return ndims(x) == 1 ? at : CartesianIndices(x)[at]
end

"""
Along some dimensions. As in Base the places are CartesianIndex, or Int for a vector; arrays on devices
cannot hold those, so they are an Array of the host.
"""
function places_of_extremes(kind::Reduction, x::NetclArray, dims)
    folded_dims = Int[k + 1 for k in axes_list(x, dims)]
    isempty(folded_dims) && return index_array(x, CartesianIndices(x))
    others = setdiff(1:ndims(x), folded_dims)
    extents = ntuple(k -> k in folded_dims ? 1 : size(x, k), ndims(x))
    prod(extents) == 0 && return index_array(x, CartesianIndices(extents))
    not_empty(x, :)
    # The dimensions that are reduced become one, behind the others.
    within = Tuple(size(x, k) for k in sort(folded_dims))
    rows = reshape(packed(permuted_view(x, [others; sort(folded_dims)])),
                   (Tuple(size(x, k) for k in others)..., prod(within)))
    at = Array(op_reduce(rows, kind; axes = [length(others)]))
    inner = CartesianIndices(within)
    found = map(CartesianIndices(extents), reshape(at, extents)) do place, k
        index = collect(Tuple(place))
        index[sort(folded_dims)] .= Tuple(inner[k + 1])
        CartesianIndex(Tuple(index))
    end
    return index_array(x, found)
end
index_array(::NetclArray, places) = collect(places)
index_array(::NetclVector, places) = Int[place[1] for place in places]

for (at, find, value, kind) in ((:argmax, :findmax, :maximum, :REDUCTION_ARGMAX),
                                (:argmin, :findmin, :minimum, :REDUCTION_ARGMIN))
    @eval begin
        Base.$at(x::NetclArray; dims = :) = dims === Colon() ? place_of_extreme($kind, x) :
                                            places_of_extremes($kind, x, dims)
        Base.$find(x::NetclArray; dims = :) = ($value(x; dims = dims), $at(x; dims = dims))
        Base.$find(f, x::NetclArray; dims = :) = $find(mapped(f, x); dims = dims)
    end
end

# Pairs are nothing that an array on a device holds: with dims they come to the host, as places do.
Base.extrema(x::NetclArray; dims = :) =
    paired(minimum(x; dims = dims), maximum(x; dims = dims))
Base.extrema(f, x::NetclArray; dims = :) = extrema(mapped(f, x); dims = dims)
paired(low::NetclArray, high::NetclArray) = tuple.(Array(low), Array(high))
paired(low, high) = (low, high)

# ---- Running sums --------------------------------------------------------------------------------

function scanned(kind::Reduction, x::NetclArray{T}, dims, ::Type{R}) where {T,R}
    dims isa Integer && dims >= 1 || throw(ArgumentError("dims is $dims; it has to be 1 or more"))
    source = T === R ? x : cast_to(x, R)
    into = similar(source)
    (isempty(source) || dims > ndims(x)) && return copyto!(into, source)
    op_scan(source, kind, dims - 1; into = into)
    return into
end
function cast_to(x::NetclArray, ::Type{R}) where {R}
    into = similar(x, R)
    op_cast(x, R; into = into)
    return into
end
only_dimension(x::NetclVector) = 1
only_dimension(x) = throw(ArgumentError("dims has to be given for $(ndims(x)) dimensions"))
Base.cumsum(x::NetclArray{T}; dims = only_dimension(x)) where {T} =
    scanned(REDUCTION_SUM, x, dims, sum_type(T))
Base.cumprod(x::NetclArray{T}; dims = only_dimension(x)) where {T} =
    scanned(REDUCTION_PROD, x, dims, sum_type(T))
Base.cumprod(x::NetclArray{Bool}; dims = only_dimension(x)) =
    scanned(REDUCTION_MIN, x, dims, UInt8) .!= 0
for (name, plain) in ((:cumsum!, :cumsum), (:cumprod!, :cumprod))
    @eval Base.$name(out::NetclArray, x::NetclArray; dims = only_dimension(x)) =
        copyto_same!(out, $plain(x; dims = dims))
end
function copyto_same!(out, made)
    size(out) == size(made) || throw(DimensionMismatch(
        "the array for results has size $(size(out)), the result $(size(made))"))
    return copyto!(out, made)
end

scan_kind(op) = throw(ArgumentError(
    "$op has no running form on the device; there are +, *, max and min"))
scan_kind(::Union{typeof(+),typeof(Base.add_sum)}) = REDUCTION_SUM
scan_kind(::Union{typeof(*),typeof(Base.mul_prod)}) = REDUCTION_PROD
scan_kind(::typeof(max)) = REDUCTION_MAX
scan_kind(::typeof(min)) = REDUCTION_MIN

# Of accumulate: sums keep the type, other than those of cumsum, and Bool has none of its own.
scan_type(::typeof(+), ::Type{Bool}) = Int64
scan_type(op, ::Type{T}) where {T} = T
function Base.accumulate(op, x::NetclArray{T}; dims = nothing, init = nothing) where {T}
    # Over all elements in their order, where no dimension is given.
    dims === nothing && ndims(x) != 1 &&
        return reshape(accumulate(op, vec(packed(x)); init = init), size(x))
    made = scanned(scan_kind(op), x, dims === nothing ? 1 : dims, scan_type(op, T))
    return init === nothing ? made : op.(init, made)
end
function Base.accumulate!(op, out::NetclArray, x::NetclArray; options...)
    return copyto_same!(out, accumulate(op, x; options...))
end

# ---- Into arrays ---------------------------------------------------------------------------------

for (name, op) in ((:sum!, +), (:prod!, *), (:maximum!, max), (:minimum!, min), (:all!, &),
                   (:any!, |))
    @eval begin
        Base.$name(r::NetclArray, x::NetclArray; init::Bool = true) =
            fold_into!($op, r, x, init)
        Base.$name(f::Function, r::NetclArray, x::NetclArray; init::Bool = true) =
            fold_into!($op, r, mapped(f, x), init)
    end
end
"Reduces along the dimensions in which r has extent 1; without `init` what r holds counts, too."
function fold_into!(op, r::NetclArray, x::NetclArray, init)
    all(k -> size(r, k) in (1, size(x, k)), 1:max(ndims(r), ndims(x))) || throw(DimensionMismatch(
        "an array of size $(size(x)) cannot be reduced into one of size $(size(r))"))
    dims = Tuple(k for k in 1:ndims(x) if size(r, k) == 1)
    found = reshape(reduced(op, x, dims), size(r))
    init ? (r .= found) : (r .= op.(r, found))
    return r
end

# ---- Equality ------------------------------------------------------------------------------------

Base.:(==)(a::NetclArray, b::NetclArray) = size(a) == size(b) && all(a .== b)
Base.:(==)(a::NetclArray, b::AbstractArray) = size(a) == size(b) && Array(a) == b
Base.:(==)(a::AbstractArray, b::NetclArray) = size(a) == size(b) && a == Array(b)
Base.isequal(a::NetclArray, b::NetclArray) = size(a) == size(b) && all(isequal.(a, b))
Base.isequal(a::NetclArray, b::AbstractArray) = size(a) == size(b) && isequal(Array(a), b)
Base.isequal(a::AbstractArray, b::NetclArray) = size(a) == size(b) && isequal(a, Array(b))
Base.hash(x::NetclArray, seed::UInt) = hash(Array(x), seed)

# Norms, as Base has it; where one is infinite or NaN, each element has to be near.
function near(a, b; atol::Real = 0, rtol::Real = Base.rtoldefault(eltype(a), eltype(b), atol),
              nans::Bool = false, norm = LinearAlgebra.norm)
    size(a) == size(b) || return false
    distance = norm(a .- b)
    isfinite(distance) && return distance <= max(atol, rtol * max(norm(a), norm(b)))
    return all(isapprox.(Array(a), Array(b); atol = atol, rtol = rtol, nans = nans))
end
Base.isapprox(a::NetclArray, b::NetclArray; options...) = near(a, b; options...)
Base.isapprox(a::NetclArray, b::AbstractArray; options...) = near(a, b; options...)
Base.isapprox(a::AbstractArray, b::NetclArray; options...) = near(b, a; options...)
