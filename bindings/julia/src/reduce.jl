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

not_empty(x, dims) = length(x) == 0 &&
    throw(ArgumentError("reducing over an empty collection is not allowed"))

reduced(::typeof(+), x::NetclArray{T}, dims) where {T} =
    reduce_to(REDUCTION_SUM, x, sum_type(T), dims)
reduced(::typeof(*), x::NetclArray{T}, dims) where {T} =
    reduce_to(REDUCTION_PROD, x, sum_type(T), dims)
reduced(::typeof(max), x::NetclArray{T}, dims) where {T} =
    (not_empty(x, dims); reduce_to(REDUCTION_MAX, x, T, dims))
reduced(::typeof(min), x::NetclArray{T}, dims) where {T} =
    (not_empty(x, dims); reduce_to(REDUCTION_MIN, x, T, dims))
reduced(::typeof(&), x::NetclArray{Bool}, dims) = reduce_to(REDUCTION_ALL, x, Bool, dims)
reduced(::typeof(|), x::NetclArray{Bool}, dims) = reduce_to(REDUCTION_ANY, x, Bool, dims)
reduced(::typeof(Base.add_sum), x::NetclArray, dims) = reduced(+, x, dims)
reduced(::typeof(Base.mul_prod), x::NetclArray, dims) = reduced(*, x, dims)
reduced(op, x::NetclArray, dims) = throw(ArgumentError(
    "$op is no reduction of the device; there are +, *, max, min, and & and | of Bool"))

mapped(::typeof(identity), x) = x
mapped(f, x) = f.(x)

function Base.mapreduce(f, op, x::NetclArray; dims = :, init = nothing)
    result = reduced(op, mapped(f, x), dims)
    init === nothing && return result
    return result isa NetclArray ? op.(init, result) : op(init, result)
end
Base.mapreduce(f, op, x::NetclArray, rest::NetclArray...; options...) =
    mapreduce(identity, op, map(f, x, rest...); options...)
Base.reduce(op, x::NetclArray; options...) = mapreduce(identity, op, x; options...)

for (name, op) in ((:sum, +), (:prod, *), (:maximum, max), (:minimum, min))
    @eval begin
        Base.$name(x::NetclArray; dims = :) = reduced($op, x, dims)
        Base.$name(f, x::NetclArray; dims = :) = reduced($op, mapped(f, x), dims)
        Base.$name(f::Function, x::NetclArray; dims = :) = reduced($op, mapped(f, x), dims)
    end
end
# Without an array in between.
Base.sum(::typeof(abs2), x::NetclArray{T}; dims = :) where {T} =
    reduce_to(REDUCTION_SUM_SQUARE, x, sum_type(T), dims)
Base.sum(::typeof(abs), x::NetclArray{T}; dims = :) where {T<:AbstractFloat} =
    reduce_to(REDUCTION_L1, x, T, dims)

Base.all(x::NetclArray{Bool}; dims = :) = reduced(&, x, dims)
Base.any(x::NetclArray{Bool}; dims = :) = reduced(|, x, dims)
Base.all(f::Function, x::NetclArray; dims = :) = reduced(&, mapped(f, x), dims)
Base.any(f::Function, x::NetclArray; dims = :) = reduced(|, mapped(f, x), dims)
Base.count(x::NetclArray{Bool}; dims = :) = reduced(+, x, dims)
Base.count(f::Function, x::NetclArray; dims = :) = reduced(+, mapped(f, x), dims)
Base.extrema(x::NetclArray) = (minimum(x), maximum(x))

# The index in C order of the array turned round is the index in column-major order.
function place_of_extreme(kind::Reduction, x::NetclArray)
    not_empty(x, :)
    turned = permuted_view(x, ndims(x):-1:1)
    at = item(op_reduce(turned, kind)::NetclArray{Int64,0}) + 1
    return ndims(x) == 1 ? at : CartesianIndices(x)[at]
end
Base.argmax(x::NetclArray) = place_of_extreme(REDUCTION_ARGMAX, x)
Base.argmin(x::NetclArray) = place_of_extreme(REDUCTION_ARGMIN, x)
Base.findmax(x::NetclArray) = (maximum(x), argmax(x))
Base.findmin(x::NetclArray) = (minimum(x), argmin(x))

function scanned(kind::Reduction, x::NetclArray{T}, dims) where {T}
    1 <= dims <= ndims(x) || throw(ArgumentError("dims is $dims; there are $(ndims(x)) dimensions"))
    R = sum_type(T)
    source = T === R ? x : cast_to(x, R)
    into = similar(source)
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
Base.cumsum(x::NetclArray; dims = only_dimension(x)) = scanned(REDUCTION_SUM, x, dims)
Base.cumprod(x::NetclArray; dims = only_dimension(x)) = scanned(REDUCTION_PROD, x, dims)

Base.:(==)(a::NetclArray, b::NetclArray) = size(a) == size(b) && all(a .== b)
Base.:(==)(a::NetclArray, b::AbstractArray) = size(a) == size(b) && Array(a) == b
Base.:(==)(a::AbstractArray, b::NetclArray) = size(a) == size(b) && a == Array(b)
