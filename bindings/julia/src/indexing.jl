# Lists of indices and masks: x[[3, 1], :], x[x .> 0], x[mask] = values, x[list] .= value. The lists may
# be on the host or on the device; those on the device are compared with the bounds there.

const Masks = Union{NetclArray{Bool},AbstractArray{Bool}}
const ListIndex = Union{ViewIndex,AbstractArray{<:Integer},AbstractArray{<:CartesianIndex},CartesianIndex}

"A place of each list, which is an array of Int64 on the device, or an index of a view."
struct Listed
    x::NetclArray
    indices::Vector{Any}
    dims::Dims  # of the result
end

# ---- From what is given to lists -----------------------------------------------------------------

"The places where a mask is true, counted in column-major order, on the mask's device."
function places_of(mask::NetclArray{Bool})
    flat = vec(packed(mask))
    isempty(flat) && return similar(flat, Int64, (0,))
    ends = cumsum(flat)
    # How many there are has to be known here, since it is the size of the result.
    count = detached(() -> item(view(ends, length(ends):length(ends))))
    places = NetclArray{Int64}(undef, (count,); device = mask.device)
    count == 0 && return places
    # What is not picked goes out of range, where it is left out.
    slots = ifelse.(flat, ends .- 1, count)
    op_scatter(places, slots, from_host(collect(1:length(flat)), mask.device), 0; into = places)
    return places
end
packed(x::NetclArray) = is_packed(x) ? x : copy(x)

function check_mask(x, mask, extents, indices)
    size(mask) == extents || throw(BoundsError(x, indices))
end

"Refuses lists on the device that have an index out of range. It waits for the device."
function check_list(x, list::NetclArray, extent, indices)
    # Arrays of a function that is being compiled have no content yet.
    (captured() || isempty(list)) && return nothing
    low, high = detached(() -> extrema(list))
    1 <= low && high <= extent || throw(BoundsError(x, indices))
    return nothing
end

function list_on(x, index::NetclArray{<:Integer}, extent, indices)
    check_list(x, index, extent, indices)
    return eltype(index) === Int64 ? index : cast_to(index, Int64)
end
function list_on(x, index::AbstractArray, extent, indices)
    all(i -> 1 <= i <= extent, index) || throw(BoundsError(x, indices))
    return from_host(convert(Array{Int64}, index), x.device)
end

unfit_index(index) = throw(ArgumentError(
    "arrays take integers, colons, ranges, lists of integers, masks and lists of CartesianIndex " *
    "as indices, not $(typeof(index))"))

# CartesianIndex and CartesianIndices stand for several indices.
spread(index) = Any[index]
spread(index::CartesianIndex) = collect(Any, Tuple(index))
spread(index::CartesianIndices) = collect(Any, index.indices)
spread(indices::Tuple) = reduce(vcat, map(spread, indices); init = Any[])

"Indices as a view of `x`, or of a copy with other dimensions, takes them, and lists for the others."
function listed(x::NetclArray, given::Tuple)
    indices = spread(given)
    if length(indices) == 1 && !spans(indices[1], ndims(x))
        x = reshape(packed(x), length(x))
    elseif length(indices) == 1 && indices[1] isa Masks
        check_mask(x, indices[1], size(x), given)
        x, indices = reshape(packed(x), length(x)), Any[vec_mask(indices[1])]
    end
    made, rest, k = Any[], collect(Int, size(x)), 1
    for index in indices
        n = dims_of(index)
        if n > 1  # a mask or Cartesian indices of n dimensions: these become one
            last = min(k + n - 1, length(rest))
            extents = Tuple(rest[k:last])
            index = linear_of(x, index, extents, given)
            splice!(rest, k:last, prod(extents))
            x = reshape(packed(x), Tuple(rest))
        end
        push!(made, list_of_index(x, index, k <= length(rest) ? rest[k] : 1, given))
        k += 1
    end
    length(rest) > length(made) && all(isequal(1), rest[(length(made) + 1):end]) &&
        (x = drop(x, (length(made) + 1):length(rest)))
    ndims(x) > length(made) && throw(BoundsError(x, given))
    return Listed(pad_rank(x, length(made)), made, result_dims(x, made))
end
spans(index, rank) = rank == 1 || dims_of(index) == rank && dims_of(index) > 1
dims_of(index) = 1
dims_of(index::Masks) = max(ndims(index), 1)
dims_of(index::AbstractArray{CartesianIndex{N}}) where {N} = N
dims_of(index::Union{Integer,Colon}) = 1
vec_mask(mask::NetclArray{Bool}) = vec(packed(mask))
vec_mask(mask) = vec(collect(mask))

function linear_of(x, index::Masks, extents, given)
    check_mask(x, index, extents, given)
    return vec_mask(index)
end
function linear_of(x, index::AbstractArray{<:CartesianIndex}, extents, given)
    all(i -> i in CartesianIndices(extents), index) || throw(BoundsError(x, given))
    places = LinearIndices(extents)
    return [places[i] for i in index]
end

list_of_index(x, index::Integer, extent, given) =
    index isa Bool ? unfit_index(index) : in_bounds(x, Int(index), extent, given)
list_of_index(x, index::Colon, extent, given) = index
list_of_index(x, index::AbstractRange{<:Integer}, extent, given) =
    in_bounds(x, index, extent, given)
function in_bounds(x, index, extent, given)
    checkindex(Bool, Base.OneTo(extent), index) || throw(BoundsError(x, given))
    return index
end
function list_of_index(x, index::NetclArray{Bool}, extent, given)
    check_mask(x, index, (extent,), given)
    return places_of(index)
end
function list_of_index(x, index::AbstractArray{Bool}, extent, given)
    check_mask(x, index, (extent,), given)
    return from_host(findall(vec(collect(index))), x.device)
end
list_of_index(x, index::AbstractArray{<:CartesianIndex{1}}, extent, given) =
    list_on(x, map(i -> i[1], index), extent, given)
list_of_index(x, index::AbstractArray{<:Integer}, extent, given) = list_on(x, index, extent, given)
list_of_index(x, index, extent, given) = unfit_index(index)

function result_dims(x, indices)
    dims = Int[]
    for (k, index) in enumerate(indices)
        index isa Colon && push!(dims, size(x, k))
        index isa AbstractArray && append!(dims, size(index))
    end
    return Tuple(dims)
end

# ---- Reading -------------------------------------------------------------------------------------

function Base.getindex(x::NetclArray, indices...)
    places = Tuple(spread(indices))
    all(i -> i isa ViewIndex, places) && return x[places...]
    return take_listed(listed(x, indices))
end
# The last list first, so that the dimensions in front of it keep their numbers.
function take_listed(places::Listed)
    indices = places.indices
    y = view(places.x, map(i -> i isa NetclArray ? Colon() : i, Tuple(indices))...)
    axis = count(i -> !(i isa Integer), indices)
    for index in reverse(indices)
        index isa NetclArray && (y = gather(y, index, axis))
        index isa Integer || (axis -= 1)
    end
    return any(i -> i isa NetclArray, indices) ? y : copy(y)
end
function gather(x::NetclArray{T,N}, list::NetclArray{Int64}, axis::Int) where {T,N}
    dims = (x.dims[1:(axis - 1)]..., size(list)..., x.dims[(axis + 1):N]...)
    into = NetclArray{T}(undef, dims; device = x.device)
    isempty(into) || op_gather(x, list .- 1, axis - 1; into = into)
    return into
end

function Base.view(x::NetclArray, indices...)
    indices = Tuple(spread(indices))
    all(i -> i isa ViewIndex, indices) && return view(x, indices...)
    others = unique(typeof(i) for i in indices if !(i isa ViewIndex))
    throw(ArgumentError("views take integers, colons and ranges, not " * join(others, ", ") *
                        "; x[...] copies what these pick, and x[...] .= y writes there"))
end

# ---- Writing -------------------------------------------------------------------------------------

"For each element of the result, where it is in column-major order, from 0 on."
function linear_places(places::Listed)
    x, device = places.x, places.x.device
    rank, axis, step = length(places.dims), 0, 1
    made = NetclArray(Base.fill(0, ntuple(k -> 1, rank)); device = device)
    for (k, index) in enumerate(places.indices)
        if index isa Integer
            made = made .+ (index - 1) * step
        else
            list = index isa Colon ? (1:size(x, k)) : index
            list isa NetclArray || (list = from_host(collect(Int64, list), device))
            before, n = axis, ndims(list)
            dims = ntuple(d -> before < d <= before + n ? size(list, d - before) : 1, rank)
            made = made .+ (reshape(packed(list), dims) .- 1) .* step
            axis += n
        end
        step *= size(x, k)
    end
    return made
end

"Writes elements, given for the places in their order, to x, of which `places.x` may be a copy."
function put_listed!(x::NetclArray{T}, places::Listed, values::NetclArray{T}) where {T}
    isempty(values) && return x
    shares_memory(values, x) && (values = copy(values))
    flat = vec(packed(x))
    op_scatter(flat, vec(linear_places(places)), vec(packed(values)), 0; into = flat)
    is_packed(x) || copyto!(x, reshape(flat, size(x)))
    return x
end

function Base.setindex!(x::NetclArray, value, indices...)
    places = Tuple(spread(indices))
    all(i -> i isa ViewIndex, places) && return setindex!(x, value, places...)
    throw(ArgumentError("one value for many elements is written with a dot: x[...] .= value"))
end
function Base.setindex!(x::NetclArray{T}, values::AbstractArray, indices...) where {T}
    views = Tuple(spread(indices))
    all(i -> i isa ViewIndex, views) && return setindex!(x, values, views...)
    places = listed(x, indices)
    wanted, given = filter(!isequal(1), places.dims), filter(!isequal(1), size(values))
    wanted == given || length(values) == prod(places.dims) &&
        (length(given) <= 1 || length(wanted) <= 1) || throw(DimensionMismatch(
            "$(size(values)) elements do not fit into $(places.dims)"))
    values = values isa NetclArray ? (eltype(values) === T ? values : cast_checked(T, values)) :
             from_host(convert(Array{T}, values), x.device)
    return put_listed!(x, places, packed(values))
end
cast_checked(::Type{T}, values) where {T} = copyto!(similar(values, T), values)

# ---- x[list] .= values ---------------------------------------------------------------------------

"What stands on the left of .= with lists or a mask."
struct Chosen
    x::NetclArray
    mask::Union{Nothing,NetclArray{Bool}}  # of the size of x
    places::Union{Nothing,Listed}
end

Broadcast.dotview(x::NetclArray, indices::ViewIndex...) = view(x, indices...)
function Broadcast.dotview(x::NetclArray, indices...)
    indices = Tuple(spread(indices))
    all(i -> i isa ViewIndex, indices) && return view(x, indices...)
    if length(indices) == 1 && indices[1] isa Masks && size(indices[1]) == size(x)
        mask = indices[1]
        return Chosen(x, mask isa NetclArray ? mask : NetclArray(mask; device = x.device), nothing)
    end
    return Chosen(x, nothing, listed(x, indices))
end

Base.size(c::Chosen) = places_chosen(c).dims
Base.axes(c::Chosen) = map(Base.OneTo, size(c))
Base.eltype(c::Chosen) = eltype(c.x)
places_chosen(c::Chosen) = c.places === nothing ? listed(c.x, (c.mask,)) : c.places
Broadcast.materialize!(c::Chosen, value::Union{Number,Ref{<:Number}}) = fill_chosen!(c, value)
Broadcast.materialize!(c::Chosen, tree::Broadcast.Broadcasted) =
    store_chosen!(c, Broadcast.materialize(tree))
Broadcast.materialize!(c::Chosen, values) = store_chosen!(c, values)
store_chosen!(c::Chosen, value::Union{Number,Ref{<:Number}}) = fill_chosen!(c, value)
function store_chosen!(c::Chosen, values)
    places = places_chosen(c)
    made = NetclArray{eltype(c.x)}(undef, places.dims; device = c.x.device)
    made .= values
    put_listed!(c.x, places, made)
    return values
end
function fill_chosen!(c::Chosen, value)
    number = value isa Ref ? value[] : value
    if c.mask === nothing
        made = filled(c.x.device, eltype(c.x), c.places.dims, convert(eltype(c.x), number))
        put_listed!(c.x, c.places, made)
    else
        # No list is needed, so nothing waits.
        c.x .= ifelse.(c.mask, convert(eltype(c.x), number), c.x)
    end
    return value
end

# ---- Where something is --------------------------------------------------------------------------

Base.findall(mask::NetclArray{Bool,1}) = places_of(mask)
"As in Base they are CartesianIndex, which arrays of a device cannot hold: an Array of the host."
Base.findall(mask::NetclArray{Bool}) = CartesianIndices(mask)[Array(places_of(mask))]
Base.findall(f::Function, x::NetclArray) = findall(mapped(f, x))
Base.findall(f::Base.Fix2{typeof(in)}, x::NetclArray) = findall(mapped(f, x))
Base.filter(f, x::NetclArray) = x[mapped(f, x)]
for (name, last) in ((:findfirst, false), (:findlast, true))
    @eval function Base.$name(mask::NetclArray{Bool})
        isempty(mask) || any(mask) || return nothing
        return isempty(mask) ? nothing : place_of_extreme(REDUCTION_ARGMAX, mask, $last)
    end
    @eval Base.$name(f::Function, x::NetclArray) = $name(mapped(f, x))
end
Base.in(value, x::NetclArray) = !isempty(x) && any(x .== value)
